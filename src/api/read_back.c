/* api/read_back.c -- results that are read back from files of any format. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/api_impl.h"
#include "result/result.h"

/* Rows of a store, one after the other: time, then `width` values. */
typedef struct {
  const char *const *names;
  double *at;
  size_t width, n, room;
} Rows;

typedef struct {
  const char *path;
  const char *const *names;
  size_t n;
  NuTable *table;
  const Rows *rows;
} TableArgs;

const char *api_read_whole(Arena *a, const char *path, size_t *length, const char **why) {
  struct stat info;
  bool known = stat(path, &info) == 0;
  *why = !known ? strerror(errno) : !S_ISREG(info.st_mode) ? "it is not a regular file" : NULL;
  if (*why)
    return NULL;
  char *text = arena_alloc(a, (size_t)info.st_size + 1);
  FILE *f = fopen(path, "rb");
  if (!f) {
    *why = strerror(errno);
    return NULL;
  }
  *length = fread(text, 1, (size_t)info.st_size, f);
  fclose(f);
  return text;
}

/* A CSV or MATLAB file. */
static NuStatus read_file(Call *c, void *args) {
  const TableArgs *a = args;
  Arena *arena = arena_new(&c->s->mem);
  const char *why = NULL;
  size_t length = 0;
  const char *text = api_read_whole(c->arena, a->path, &length, &why);
  CsvTable *t = NULL;
  if (!text)
    diag_add(c->diags, D_F002, (Span){0, 0}, "cannot read `%s`: %s", a->path, why);
  else if (mat_is_trajectory(text, length))
    t = mat_read_trajectory(&(MatSource){a->path, text, length}, a->names, a->n, arena, c->diags);
  else
    t = csv_read(a->path, text, length, arena, c->diags);
  if (!t) {
    arena_free(arena);
    return text ? api_status(c->diags, 0) : NU_FILE;
  }
  *a->table = (NuTable){t->n,
                        t->rows,
                        (const char *const *)t->names,
                        (const double *const *)t->columns,
                        arena,
                        (const char *const *)t->units};
  return NU_OK;
}

/* ---- stores ---- */

static bool take_row(void *user, double time, const double *values) {
  Rows *rows = user;
  size_t need = (rows->n + 1) * (rows->width + 1);
  if (need > rows->room) {
    size_t room = 2 * need + 1024;
    double *more = realloc(rows->at, room * sizeof *more);
    if (!more)
      return false;
    rows->at = more;
    rows->room = room;
  }
  double *row = rows->at + rows->n++ * (rows->width + 1);
  row[0] = time;
  memcpy(row + 1, values, rows->width * sizeof *values);
  return true;
}

/* Rows become columns, in memory of the session. */
static NuStatus keep_rows(Call *c, void *args) {
  const TableArgs *a = args;
  const Rows *rows = a->rows;
  Arena *arena = arena_new(&c->s->mem);
  const char **names = NEW_ARRAY(arena, const char *, rows->width + 1);
  double **columns = NEW_ARRAY(arena, double *, rows->width + 1);
  for (size_t k = 0; k <= rows->width; k++) {
    names[k] = k ? arena_strdup(arena, rows->names[k - 1]) : "time";
    columns[k] = NEW_ARRAY(arena, double, rows->n + 1);
    for (size_t r = 0; r < rows->n; r++)
      columns[k][r] = rows->at[r * (rows->width + 1) + k];
  }
  *a->table = (NuTable){rows->width + 1, rows->n, names, (const double *const *)columns,
                        arena,           NULL};
  return NU_OK;
}

NuStatus api_table_of(NuSession *s, NuResult *r, const char *const *names, size_t n,
                      NuTable *table) {
  Rows rows = {0};
  TableArgs a = {NULL, names, n, table, &rows};
  NuExtract what = nu_extract();
  what.variables = names;
  what.n_variables = n;
  what.row = take_row;
  what.row_user = &rows;
  *table = (NuTable){0};
  NuStatus status = nu_result_columns(r, &what, &rows.names, &rows.width);
  if (status == NU_OK)
    status = nu_result_extract(r, &what);
  if (status == NU_OK)
    status = api_call(s, keep_rows, &a);
  free(rows.at);
  return status == NU_INTERRUPTED ? NU_MEMORY : status; /* only take_row stops it */
}

static NuStatus read_store(NuSession *s, const TableArgs *a) {
  NuResult *r = NULL;
  NuStatus status = nu_result_open(s, a->path, &r);
  if (status == NU_OK)
    status = api_table_of(s, r, a->names, a->n, a->table);
  nu_result_free(r);
  return status;
}

size_t api_read_head(const char *path, char *head, size_t most) {
  struct stat info;
  bool regular = stat(path, &info) == 0 && S_ISREG(info.st_mode); /* a pipe would let us wait */
  FILE *f = regular ? fopen(path, "rb") : NULL;
  size_t n = f ? fread(head, 1, most, f) : 0;
  if (f)
    fclose(f);
  return n;
}

bool api_is_store(const char *path) {
  char head[16] = {0};
  return api_read_head(path, head, sizeof head) == sizeof head &&
         memcmp(head, "SQLite format 3", sizeof head) == 0;
}

NuStatus nu_table_read_some(NuSession *s, const char *path, const char *const *names, size_t n,
                            NuTable *table) {
  *table = (NuTable){0};
  TableArgs args = {path, names, n, table, NULL};
  size_t length = strlen(path);
  bool store = api_is_store(path) || (length > 4 && !strcmp(path + length - 4, ".nus"));
  return store ? read_store(s, &args) : api_call(s, read_file, &args);
}

NuStatus nu_table_read(NuSession *s, const char *path, NuTable *table) {
  return nu_table_read_some(s, path, NULL, 0, table);
}

void nu_table_free(NuTable *table) {
  arena_free(table->own);
  *table = (NuTable){0};
}
