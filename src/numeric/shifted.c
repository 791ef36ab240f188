/* numeric/shifted.c -- linear systems with the matrix c I - J: dense LU for small or full ones, KLU
 * (Davis and Palamadai Natarajan, ACM Trans. Math. Softw. 37(3), 2010) for large sparse ones.
 * Keep: the sparse factors lie outside of the arena: shifted_free. */
#include <klu.h>

#include "numeric/jacobian.h"
#include "numeric/numeric.h"

#include <string.h>

struct Shifted {
  Pattern p;
  bool sparse;
  /* dense */
  double *a, *rows;
  int *pivot;
  /* sparse */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  int *start, *index; /* KLU wants its own */
  double *values;
  double *chosen_at; /* values from which the pivots were chosen */
};

/* Below this size, or with more than a fourth of all entries, the dense code is faster. */
enum { LEAST_SPARSE = 24, SPARSE_SHARE = 4 };

bool pattern_is_sparse(const Pattern *p) {
  return p->n >= LEAST_SPARSE &&
         (long long)pattern_count(p) * SPARSE_SHARE < (long long)p->n * p->n;
}

Shifted *shifted_new(const Pattern *p, Arena *a) {
  Shifted *s = NEW(a, Shifted);
  size_t n = (size_t)p->n;
  s->p = *p;
  s->sparse = pattern_is_sparse(p);
  if (s->sparse) {
    size_t count = (size_t)pattern_count(p);
    s->start = NEW_ARRAY(a, int, n + 1);
    s->index = NEW_ARRAY(a, int, count);
    s->values = NEW_ARRAY(a, double, count);
    s->chosen_at = NEW_ARRAY(a, double, count);
    memcpy(s->start, p->start, (n + 1) * sizeof *s->start);
    memcpy(s->index, p->rows, count * sizeof *s->index);
    klu_defaults(&s->common);
    s->symbolic = klu_analyze(p->n, s->start, s->index, &s->common);
  } else {
    s->a = NEW_ARRAY(a, double, n *n + 1);
    s->rows = NEW_ARRAY(a, double, n + 1);
    s->pivot = NEW_ARRAY(a, int, n + 1);
  }
  return s;
}

static bool factor_dense(Shifted *s, double c, const double *values) {
  size_t n = (size_t)s->p.n;
  memset(s->a, 0, n * n * sizeof *s->a);
  for (size_t k = 0; k < n; k++) {
    for (int q = s->p.start[k]; q < s->p.start[k + 1]; q++)
      s->a[(size_t)s->p.rows[q] * n + k] = -values[q];
    s->a[k * n + k] += c;
  }
  int where;
  return lu_factor(s->a, s->pivot, s->rows, s->p.n, &where);
}

static bool choose_pivots(Shifted *s) {
  klu_free_numeric(&s->numeric, &s->common);
  s->numeric = s->symbolic ? klu_factor(s->start, s->index, s->chosen_at, s->symbolic, &s->common)
                           : NULL;
  return s->numeric && s->common.status == KLU_OK;
}

static bool factor_sparse(Shifted *s, double c, const double *values) {
  for (int k = 0; k < s->p.n; k++)
    for (int q = s->p.start[k]; q < s->p.start[k + 1]; q++)
      s->values[q] = (s->p.rows[q] == k ? c : 0) - values[q];
  /* the old pivots often still serve */
  const double least_rcond = 1e-12;
  if (s->numeric &&
      klu_refactor(s->start, s->index, s->values, s->symbolic, s->numeric, &s->common) &&
      klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > least_rcond)
    return true;
  memcpy(s->chosen_at, s->values, (size_t)pattern_count(&s->p) * sizeof *s->values);
  return choose_pivots(s);
}

bool shifted_factor(Shifted *s, double c, const double *values) {
  return s->sparse ? factor_sparse(s, c, values) : factor_dense(s, c, values);
}

void shifted_solve(Shifted *s, double *b) {
  if (s->sparse)
    klu_solve(s->symbolic, s->numeric, s->p.n, 1, b, &s->common);
  else
    lu_solve(s->a, s->pivot, s->p.n, b);
}

void shifted_forget(Shifted *s) {
  if (s->sparse)
    klu_free_numeric(&s->numeric, &s->common);
}

void shifted_keep(Shifted *s, Tape *t) {
  bool chosen = s->numeric != NULL;
  if (!s->sparse)
    return;
  tape_flag(t, &chosen);
  tape_array(t, s->chosen_at, pattern_count(&s->p));
  if (t->way == TAPE_READ && !(chosen && !t->bad && choose_pivots(s)))
    shifted_forget(s);
}

void shifted_free(Shifted *s) {
  if (!s || !s->sparse)
    return;
  klu_free_numeric(&s->numeric, &s->common);
  klu_free_symbolic(&s->symbolic, &s->common);
}
