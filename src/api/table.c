/* api/table.c -- results that are read back from CSV files. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "api/api_impl.h"
#include "result/result.h"

typedef struct {
  const char *path;
  NuTable *table;
} TableArgs;

/* All of a regular file; the reason why not in *why. No file is open while memory is taken. */
static const char *read_whole(Arena *a, const char *path, size_t *length, const char **why) {
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

static NuStatus read_table(Call *c, void *args) {
  const TableArgs *a = args;
  Arena *arena = arena_new(&c->s->mem);
  const char *why = NULL;
  size_t length = 0;
  const char *text = read_whole(c->arena, a->path, &length, &why);
  if (!text)
    diag_add(c->diags, D_F002, (Span){0, 0}, "cannot read `%s`: %s", a->path, why);
  CsvTable *t = text ? csv_read(a->path, text, length, arena, c->diags) : NULL;
  if (!t) {
    arena_free(arena);
    return NU_FILE;
  }
  *a->table = (NuTable){t->n, t->rows, (const char *const *)t->names, (const double *const *)t->columns, arena};
  return NU_OK;
}

NuStatus nu_table_read(NuSession *s, const char *path, NuTable *table) {
  *table = (NuTable){0};
  TableArgs args = {path, table};
  return api_call(s, read_table, &args);
}

void nu_table_free(NuTable *table) {
  arena_free(table->own);
  *table = (NuTable){0};
}
