/* numeric/sparse.c -- large linear systems whose matrix has few entries, by KLU (Davis and
 * Palamadai Natarajan, ACM TOMS 37(3), 2010). Rows are stored one after the other, which KLU reads
 * as the columns of the transposed matrix and solves for that.
 * Keep: every matrix that differs from the last one is factorised anew with pivoting, so that a
 *       solution does not depend on which systems came before. */
#include "numeric/numeric.h"

#include <float.h>
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct SparseLu {
  int n, *start, *columns;
  double *a; /* entries that were factorised last */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric; /* NULL if there are none */
};

SparseLu *sparse_new(int n, const int *start, const int *columns) {
  SparseLu *s = calloc(1, sizeof *s);
  size_t entries = (size_t)start[n];
  if (!s)
    return NULL;
  s->n = n;
  s->start = malloc(((size_t)n + 1) * sizeof *s->start);
  s->columns = malloc((entries + 1) * sizeof *s->columns);
  s->a = malloc((entries + 1) * sizeof *s->a);
  klu_defaults(&s->common);
  if (s->start && s->columns && s->a) {
    memcpy(s->start, start, ((size_t)n + 1) * sizeof *start);
    memcpy(s->columns, columns, entries * sizeof *columns);
    s->symbolic = klu_analyze(n, s->start, s->columns, &s->common);
  }
  return s;
}

static bool factor(SparseLu *s, const double *a) {
  size_t size = (size_t)s->start[s->n] * sizeof *a;
  if (s->numeric && memcmp(s->a, a, size) == 0)
    return true;
  if (s->numeric)
    klu_free_numeric(&s->numeric, &s->common);
  memcpy(s->a, a, size);
  s->numeric = s->symbolic ? klu_factor(s->start, s->columns, s->a, s->symbolic, &s->common) : NULL;
  if (!s->numeric)
    return false;
  bool regular = s->common.status == KLU_OK && klu_rcond(s->symbolic, s->numeric, &s->common) &&
                 s->common.rcond > DBL_EPSILON;
  if (!regular)
    klu_free_numeric(&s->numeric, &s->common);
  return regular;
}

bool sparse_solve(SparseLu *s, const double *a, double *b) {
  if (!factor(s, a))
    return false;
  return klu_tsolve(s->symbolic, s->numeric, s->n, 1, b, &s->common) != 0;
}

void sparse_free(SparseLu *s) {
  if (!s)
    return;
  if (s->numeric)
    klu_free_numeric(&s->numeric, &s->common);
  if (s->symbolic)
    klu_free_symbolic(&s->symbolic, &s->common);
  free(s->start), free(s->columns), free(s->a);
  free(s);
}
