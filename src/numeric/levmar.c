/* numeric/levmar.c -- least squares for a square system from which Newton's method does not find
 * its way.
 * How:  lmder of MINPACK (More, The Levenberg-Marquardt algorithm, 1978; here in its C form,
 *       CMINPACK) with unknowns scaled by their size and residuals by the size of their row at the
 *       start; then Newton's method, which alone decides.
 * Keep: a smallest residual that is not zero is no solution. */
#include "numeric/numeric.h"

#include <cminpack-1/cminpack.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* 1: scaled residual where the function cannot be evaluated: such steps are rejected */
static const double bad_value = 1e100;

typedef struct {
  const NewtonProblem *p;
  const double *rows;
  double *point, *f, *a, *next;
  int status; /* of the last evaluation */
} Lm;

size_t levmar_work(int n) { return newton_work(n) + 2 * (size_t)n * (size_t)n + 14 * (size_t)n; }

static int function(void *user, int m, int n, const double *z, double *f, double *jacobian, int ld,
                    int what) {
  Lm *lm = user;
  memcpy(lm->point, z, (size_t)n * sizeof *z);
  if (what == 1) {
    lm->status = lm->p->f(lm->p->user, lm->point, lm->f, NULL);
    for (int i = 0; i < m; i++)
      f[i] = lm->status == NUM_OK && isfinite(lm->f[i]) ? lm->f[i] * lm->rows[i] : bad_value;
    return lm->status == NUM_FATAL ? -1 : 0;
  }
  lm->status = newton_evaluate(lm->p, lm->point, lm->f, lm->a, lm->next);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      jacobian[(size_t)j * (size_t)ld + (size_t)i] = lm->a[(size_t)i * (size_t)n + (size_t)j] *
                                                     lm->rows[i];
  return lm->status == NUM_OK ? 0 : -1;
}

static void scale_rows(const Lm *lm, const double *z, double *rows) {
  int n = lm->p->n;
  for (int i = 0; i < n; i++) {
    double size = fabs(lm->f[i]);
    for (int j = 0; j < n; j++)
      size = fmax(size,
                  fabs(lm->a[(size_t)i * (size_t)n + (size_t)j]) * newton_size(lm->p, j, z[j]));
    rows[i] = size > 0 && isfinite(size) ? 1 / size : 1;
  }
}

NewtonResult levmar_solve(const NewtonProblem *p, const NewtonOptions *o, double *z,
                          double *cells) {
  int n = p->n, evaluations, jacobians;
  size_t m = (size_t)n;
  double *at = cells + newton_work(n), *jacobian = at, *v = at + 2 * m * m;
  double *rows = v, *diag = v + m, *qtf = v + 2 * m, *f = v + 3 * m, *wa = v + 4 * m;
  int *pivot = (int *)(v + 11 * m);
  Lm lm = {p, rows, v + 8 * m, v + 9 * m, at + m * m, v + 10 * m, NUM_OK};
  int status = newton_evaluate(p, z, lm.f, lm.a, lm.next);
  if (status != NUM_OK)
    return status == NUM_FATAL ? NEWTON_FATAL : NEWTON_BAD_POINT;
  scale_rows(&lm, z, rows);
  for (int k = 0; k < n; k++)
    diag[k] = 1 / newton_size(p, k, z[k]);
  lmder(function, &lm, n, n, z, f, jacobian, n, DBL_EPSILON, sqrt(DBL_EPSILON) * o->tolerance, 0,
        20 * o->most_steps, diag, 2, 10, 0, &evaluations, &jacobians, pivot, qtf, wa, wa + m,
        wa + 2 * m, wa + 3 * m);
  if (lm.status == NUM_FATAL)
    return NEWTON_FATAL;
  return newton_solve(p, o, z, cells);
}
