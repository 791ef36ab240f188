/* result/files.c -- all result files of a run: one list, whatever their formats are. */
#include "result/result.h"

static const ResultFormat *const formats[RESULT_FORMATS] = {
    [RESULT_CSV] = &csv_format, [RESULT_MAT] = &mat_format};

bool results_open(ResultFiles *all, const char *const paths[RESULT_FORMATS],
                  const ResultShape *shape, Arena *a, Diags *diags) {
  for (int k = 0; k < RESULT_FORMATS; k++) {
    if (!paths[k])
      continue;
    ResultFile *f = formats[k]->make(shape, a);
    f->format = formats[k];
    f->path = arena_strdup(a, paths[k]);
    all->at[all->n++] = f;
    if (!f->format->open(f)) {
      diag_add(diags, D_F001, (Span){0, 0}, "cannot write `%s`: %s", f->path, f->why);
      return false;
    }
  }
  return true;
}

bool results_row(void *files, const RunRow *row) {
  const ResultFiles *all = files;
  bool ok = true;
  for (uint32_t k = 0; k < all->n; k++)
    ok = all->at[k]->format->row(all->at[k], row) && ok;
  return ok;
}

bool results_end(ResultFiles *all, Diags *diags) {
  bool ok = true;
  for (uint32_t k = 0; k < all->n; k++) {
    ResultFile *f = all->at[k];
    if (f->format->end(f))
      continue;
    diag_add(diags, D_F001, (Span){0, 0}, "cannot write all of `%s`: %s", f->path, f->why);
    ok = false;
  }
  return ok;
}

void results_close(ResultFiles *all) {
  for (uint32_t k = 0; k < all->n; k++)
    all->at[k]->format->close(all->at[k]);
  all->n = 0;
}
