/* cli/table.c -- reads CSV: cells separated by commas, quoted where needed ("" is a quote), first row names. */
#include "cli/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

/* Takes the next cell off `at`, unquoted in place; *last says that it ends its row. */
static char *next_cell(char **at, bool *last) {
  char *from = *at, *to = *at, *cell = *at;
  if (*from == '"') {
    for (from++; *from && !(*from == '"' && from[1] != '"'); from++) {
      from += *from == '"';
      *to++ = *from;
    }
    from += *from == '"';
  }
  while (*from && *from != ',' && *from != '\n' && *from != '\r')
    *to++ = *from++;
  from += *from == '\r' && from[1] == '\n';
  *last = *from != ',';
  *at = *from ? from + 1 : from;
  *to = 0;
  return cell;
}

static double cell_value(const char *cell) {
  char *end = NULL;
  double value = strtod(cell, &end);
  return end != cell && !*end ? value : NAN;
}

static void read_names(Table *t, char **at) {
  for (bool last = false; !last;) {
    t->names = must_alloc(t->names, (t->n_columns + 1) * sizeof *t->names);
    t->names[t->n_columns++] = next_cell(at, &last);
  }
}

static void read_rows(Table *t, char *at) {
  size_t room = 0;
  while (*at) {
    if (t->n_rows == room) {
      room = room ? 2 * room : 256;
      t->values = must_alloc(t->values, room * t->n_columns * sizeof *t->values);
    }
    double *row = t->values + t->n_rows++ * t->n_columns;
    bool last = false;
    for (size_t i = 0; i < t->n_columns; i++)
      row[i] = last ? NAN : cell_value(next_cell(&at, &last));
    while (!last)
      next_cell(&at, &last);
  }
}

bool table_read(Table *t, const char *path) {
  *t = (Table){.path = path};
  FILE *f = fopen(path, "rb");
  if (!f) {
    complain("L001", "cannot read `%s`: %s", path, strerror(errno));
    return false;
  }
  size_t n = 0;
  t->text = read_all(f, &n);
  bool failed = ferror(f) != 0 || n == 0 || strlen(t->text) != n;
  fclose(f);
  if (failed) {
    complain("L001", "cannot read `%s`: it is no CSV file", path);
    table_free(t);
    return false;
  }
  char *at = t->text;
  read_names(t, &at);
  read_rows(t, at);
  return true;
}

void table_free(Table *t) {
  free(t->text);
  free(t->names);
  free(t->values);
  *t = (Table){0};
}

size_t table_column(const Table *t, const char *name) {
  for (size_t i = 0; i < t->n_columns; i++)
    if (strcmp(t->names[i], name) == 0)
      return i;
  return t->n_columns;
}
