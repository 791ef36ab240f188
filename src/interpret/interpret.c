/* interpret/interpret.c -- a structure as a model that runs: what cannot be evaluated is refused, the rest is made ready. */
#include "interpret/interpret_impl.h"

#include <string.h>

static bool refuse(Diags *diags, const Func *f) {
  diag_add(diags, D_X001, f->span, "external function `%s` (%s) without machine code is not supported yet", f->name, f->external);
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

static bool make_lock(Interp *in) {
  pthread_mutexattr_t attributes;
  if (pthread_mutexattr_init(&attributes))
    return false;
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  int error = pthread_mutex_init(&in->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return !error;
}

static const DsModel *make(const FlatModel *m, const Structure *s, const SSlice *slice, Arena *a, Diags *diags) {
  Interp *in = NEW(a, Interp);
  in->slice = slice;
  in->m = m;
  in->s = s;
  in->p = m->pool;
  in->a = a;
  in->iterators = NEW_ARRAY(a, uint32_t, s->algorithms.n + 1);
  for (uint32_t k = 0; k < s->algorithms.n; k++) {
    const SAlgorithm *alg = &s->algorithms.at[k];
    in->iterators[k] = iterators(alg->body ? alg->body : alg->initial, alg->n_body);
  }
  describe_model(in, diags);
  native_table(in, diags);
  entry_points(in);
  if (!make_lock(in)) {
    diag_add(diags, D_X001, (Span){0, 0}, "this system gives no lock, which running without machine code needs");
    return NULL;
  }
  return &in->model;
}

const DsModel *interpret_model(const FlatModel *m, const Structure *s, Arena *a, Diags *diags) {
  return functions_known(m, diags) ? make(m, s, NULL, a, diags) : NULL;
}

const DsModel *interpret_slice(const FlatModel *m, const Structure *s, const SSlice *slice, Arena *a, Diags *diags) {
  SSlice *copy = NEW(a, SSlice);
  *copy = *slice;
  return make(m, s, copy, a, diags);
}

void interpret_end(const DsModel *model) {
  if (!model)
    return;
  Interp *in = (Interp *)(uintptr_t)model->own;
  mem_drop_since(&in->mem, NULL);
  pthread_mutex_destroy(&in->lock);
}
