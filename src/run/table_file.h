#pragma once
/* run/table_file.h -- matrices in files, for tables. */
#include <stddef.h>

typedef struct {
  const char *file, *name; /* name of the matrix; not used for .csv */
  char delimiter;          /* of a .csv file */
  long long header_lines;
} TableSource;

/* A matrix row by row (malloc), its size; NULL and a reason in `why`. By the end of the file's
 * name: .csv values, .mat MATLAB, else text as Modelica.Blocks.Tables describes it. */
double *table_read(const TableSource *s, size_t *rows, size_t *columns, char *why, size_t room);
