/* interpret/interpret.c -- a structure as a model that runs: what cannot be evaluated is refused,
 * the rest is made ready. */
#include "interpret/interpret_impl.h"
#include "structure/slice.h"
#include "structure/sorted.h"

#include <string.h>

static bool refuse(Diags *diags, const Func *f) {
  diag_add(diags, D_X001, f->span,
           "external function `%s` (%s) without machine code is not supported yet", f->name,
           f->external);
  return false;
}

static bool functions_known(const FlatModel *m, Diags *diags) {
  bool ok = true;
  for (uint32_t k = 0; k < m->functions.n; k++) {
    const Func *f = m->functions.at[k];
    bool builtin = f->external && f->language && !strcmp(f->language, "builtin");
    if (f->external && !builtin && !native_known(f))
      ok = refuse(diags, f);
  }
  return ok;
}

static uint32_t iterators(Stmt *const *body, uint32_t n) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = body[k];
    if (st->kind == STMT_FOR && st->iterator >= most)
      most = st->iterator + 1;
    for (uint32_t b = 0; b < st->n_branches; b++) {
      uint32_t inside = iterators(st->branches[b].body, st->branches[b].n);
      most = inside > most ? inside : most;
    }
  }
  return most;
}

static const DsModel *make(Description *about) {
  const Structure *s = about->s;
  Interp *in = NEW(about->a, Interp);
  in->about = about;
  in->m = about->flat;
  in->s = s;
  in->p = about->flat->pool;
  in->a = about->a;
  in->iterators = NEW_ARRAY(about->a, uint32_t, s->algorithms.n + 1);
  for (uint32_t k = 0; k < s->algorithms.n; k++) {
    const SAlgorithm *alg = &s->algorithms.at[k];
    in->iterators[k] = iterators(alg->body ? alg->body : alg->initial, alg->n_body);
  }
  native_table(in);
  entry_points(in);
  if (!work_init(in)) {
    diag_add(about->diags, D_X001, (Span){0, 0},
             "this system gives no lock, which running without machine code needs");
    return NULL;
  }
  return &about->model;
}

const DsModel *interpret_model(const FlatModel *m, const Structure *s, Arena *a, Diags *diags) {
  if (!functions_known(m, diags))
    return NULL;
  uint32_t errors = diags_errors(diags);
  Description *about = describe_model(m, s, a, diags);
  return diags_errors(diags) == errors ? make(about) : NULL;
}

const DsModel *interpret_slice(const FlatModel *m, const Structure *s, const SSlice *slice,
                               Arena *a, Diags *diags) {
  uint32_t errors = diags_errors(diags);
  Description *about = describe_slice(m, s, slice, a, diags);
  return diags_errors(diags) == errors ? make(about) : NULL;
}

void interpret_end(const DsModel *model) {
  if (!model)
    return;
  work_end((Interp *)(uintptr_t)model->own);
}
