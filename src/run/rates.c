/* run/rates.c -- how fast a model is where it stands: the eigenvalues of its derivatives by its
 * states.
 * Parts act on each other one way only, so that the whole has the eigenvalues of its parts. */
#include "run/core.h"
#include "run/part.h"
#include "run/scales.h"
#include "run/solver.h"
#include "run/steps.h"

#include <string.h>

#include "base/limits.h"
#include "numeric/eigen.h"

enum { LARGE = 100 }; /* atol is this part of rtol, unless given */

static int slopes(void *user, double t, const double *x, double *dx) {
  Part *p = user;
  int status = run_at(p, t, x);
  memcpy(dx, p->run->d.r + p->run->m->nx + p->x, (size_t)p->n * sizeof *dx);
  return status;
}

/* The Jacobian of the part, dense, by rows. */
static int dense_jacobian(Part *p, double *a) {
  Run *run = p->run;
  int n = p->n;
  double *x = NEW_ARRAY(run->a, double, n + 1);
  double *dx = NEW_ARRAY(run->a, double, n + 1);
  double *size = NEW_ARRAY(run->a, double, n + 1);
  memcpy(x, run->d.r + p->x, (size_t)n * sizeof *x);
  const Pattern *known = run_jacobian_pattern(p);
  Pattern pattern = known ? *known : pattern_full(n, run->a);
  Jacobian j = {0};
  jacobian_init(&j, &pattern, run->a);
  for (int k = 0; k < n; k++)
    /* Nominal values: differences of states that are 0 must not drown in rounding */
    size[k] = LARGE * run->scales->atol[p->x + k] / run->goal.rtol;
  double t = run->d.time;
  int status = slopes(p, t, x, dx);
  uint64_t evaluations = 0;
  if (status == NUM_OK && p->solver.exact)
    status = run_jacobian(p, t, x, j.values, NULL);
  else if (status == NUM_OK)
    status = jacobian_difference(
        &j, &(JacobianPoint){.t = t, .x = x, .dx = dx, .small = size, .f = slopes, .user = p},
        &evaluations);
  for (int c = 0; c < n && status == NUM_OK; c++)
    for (int q = j.p.start[c]; q < j.p.start[c + 1]; q++)
      a[j.p.rows[q] * n + c] = j.values[q];
  return status;
}

const double complex *run_rates(Run *run, uint32_t *n) {
  double complex *w = NEW_ARRAY(run->a, double complex, run->m->nx + 1);
  unsigned char *before = NEW_ARRAY(run->a, unsigned char, run->block_size);
  double time = run->d.time;
  bool good = true;
  memcpy(before, run->block, run->block_size);
  *n = 0;
  for (int k = 0; k < run->n_parts && good; k++) {
    Part *p = &run->parts[k];
    double *a = p->n <= MOST_RATES_STATES
                    ? NEW_ARRAY(run->a, double, (size_t)p->n *(size_t)p->n + 1)
                    : NULL;
    good = a && dense_jacobian(p, a) == NUM_OK && eigen_values(p->n, a, w + *n, run->a);
    *n += (uint32_t)p->n;
  }
  memcpy(run->block, before, run->block_size);
  run->d.time = time;
  return good ? w : NULL;
}
