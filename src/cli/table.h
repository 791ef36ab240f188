#pragma once
/* cli/table.h -- a CSV result in memory. */
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *path;
  char *text;   /* names point into it */
  char **names; /* of the columns */
  size_t n_columns, n_rows;
  double *values; /* row by row; an empty or unreadable cell is NaN */
} Table;

/* False after a message. */
bool table_read(Table *t, const char *path);
void table_free(Table *t);
/* Number of a column; n_columns if there is none. */
size_t table_column(const Table *t, const char *name);
