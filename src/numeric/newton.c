/* numeric/newton.c -- damped Newton for small nonlinear systems.
 * How:  affine-invariant damping with the natural monotonicity test (Deuflhard, Newton Methods for
 *       Nonlinear Problems, section 3.3): a step lambda*dz is taken if the simplified correction at
 *       the new point, J^-1 f(z + lambda dz), is smaller than (1 - lambda/4) dz. Corrections are
 *       measured relative to max(|z|, scale).
 *       Where the unknowns have bounds the step is first cut to stay inside.
 * Keep: a point where f fails or is not finite is treated like one without progress: lambda is
 *       halved. */
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>
#include <string.h>

const NewtonOptions newton_defaults = {
    .tolerance = 1e-9, .noise = 1e-7, .least_damping = 1e-6, .most_steps = 100};

typedef struct {
  const NewtonProblem *p;
  int n;
  double *f, *a, *dz, *trial, *next, *rows; /* f: residual at the last point evaluated */
  int *pivot;
} Work;

size_t newton_work(int n) { return (size_t)n * (size_t)n + 6 * (size_t)n; }

static Work work_at(const NewtonProblem *p, double *cells) {
  size_t n = (size_t)p->n;
  return (Work){p,
                p->n,
                cells,
                cells + n,
                cells + n + n * n,
                cells + 2 * n + n * n,
                cells + 3 * n + n * n,
                cells + 4 * n + n * n,
                (int *)(cells + 5 * n + n * n)};
}

int newton_worst(const double *work, int n) {
  int worst = 0;
  for (int k = 1; k < n; k++)
    if (fabs(work[k]) > fabs(work[worst]) || isnan(work[k]))
      worst = k;
  return worst;
}

static double scale_of(const NewtonProblem *p, int k, double z) {
  return fmax(fabs(z), p->scale ? p->scale[k] : 1);
}

double newton_size(const NewtonProblem *p, int k, double z) {
  return p->size ? fmax(fabs(z), p->size[k]) : scale_of(p, k, z);
}

static double size(const NewtonProblem *p, const double *dz, const double *z) {
  double s = 0;
  for (int k = 0; k < p->n; k++)
    s = fmax(s, isfinite(dz[k]) ? fabs(dz[k]) / scale_of(p, k, z[k]) : INFINITY);
  return s;
}

static bool all_finite(const double *v, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (!isfinite(v[k]))
      return false;
  return true;
}

static bool zero(const double *v, int n) {
  for (int k = 0; k < n; k++)
    if (v[k] != 0)
      return false;
  return true;
}

/* Forward differences where the function gives no Jacobian. */
static int difference(const NewtonProblem *p, double *z, const double *f, double *a, double *next) {
  int n = p->n;
  for (int j = 0; j < n; j++) {
    double keep = z[j], step = sqrt(DBL_EPSILON) * scale_of(p, j, keep);
    z[j] = keep + step;
    int status = p->f(p->user, z, next, NULL);
    if (status != NUM_OK || !all_finite(next, (size_t)n)) {
      z[j] = keep - step;
      status = p->f(p->user, z, next, NULL);
    }
    step = z[j] - keep;
    z[j] = keep;
    if (status != NUM_OK)
      return status;
    for (int i = 0; i < n; i++)
      a[(size_t)i * (size_t)n + (size_t)j] = (next[i] - f[i]) / step;
  }
  return NUM_OK;
}

int newton_evaluate(const NewtonProblem *p, double *z, double *f, double *a, double *next) {
  size_t n = (size_t)p->n;
  bool exact = p->exact;
  int status = p->f(p->user, z, f, exact ? a : NULL);
  /* a point may have a value and no derivative, as sqrt(x^2 + y^2) at 0 */
  if (exact && (status == NUM_RETRY || (status == NUM_OK && !all_finite(a, n * n)))) {
    exact = false;
    status = p->f(p->user, z, f, NULL);
  }
  if (status == NUM_OK && !all_finite(f, n))
    status = NUM_RETRY;
  if (status == NUM_OK && !exact)
    status = difference(p, z, f, a, next);
  return status;
}

/* a step that would leave the bounds ends this part of its way in front of them */
enum { BOUND_PART = 20 };

/* How much of the step dz (downwards) may be made. */
static double within_bounds(const NewtonProblem *p, const double *z, const double *dz) {
  double most = 1;
  for (int k = 0; k < p->n && p->low; k++) {
    if (!(z[k] > p->low[k] && z[k] < p->high[k]))
      continue;
    double room = dz[k] > 0 ? z[k] - p->low[k] : p->high[k] - z[k];
    if (fabs(dz[k]) >= room)
      most = fmin(most, (1 - 1.0 / BOUND_PART) * room / fabs(dz[k]));
  }
  return most;
}

/* Finds lambda; the new point ends up in trial. */
static NewtonResult damp(Work *w, const NewtonOptions *o, const double *z, double first,
                         bool *converged) {
  int n = w->n;
  double most = within_bounds(w->p, z, w->dz);
  for (double lambda = most; lambda >= o->least_damping * most; lambda /= 2) {
    for (int k = 0; k < n; k++)
      w->trial[k] = z[k] - lambda * w->dz[k];
    int status = w->p->f(w->p->user, w->trial, w->f, NULL);
    if (status == NUM_FATAL)
      return NEWTON_FATAL;
    if (status != NUM_OK || !all_finite(w->f, (size_t)n))
      continue;
    memcpy(w->next, w->f, (size_t)n * sizeof *w->f);
    lu_solve(w->a, w->pivot, n, w->next);
    /* the simplified correction is as small as asked for: apply it, too */
    if (lambda == 1 && size(w->p, w->next, w->trial) <= o->tolerance) {
      for (int k = 0; k < n; k++)
        w->trial[k] -= w->next[k];
      *converged = true;
      return NEWTON_OK;
    }
    if (size(w->p, w->next, z) <= (1 - lambda / 4) * first)
      return NEWTON_OK;
  }
  return NEWTON_STUCK;
}

NewtonResult newton_solve(const NewtonProblem *p, const NewtonOptions *o, double *z,
                          double *cells) {
  Work w = work_at(p, cells);
  size_t bytes = (size_t)p->n * sizeof *z;
  for (int step = 0; step < o->most_steps; step++) {
    int status = newton_evaluate(p, z, w.f, w.a, w.next), column;
    if (status != NUM_OK)
      return status == NUM_FATAL ? NEWTON_FATAL : NEWTON_BAD_POINT;
    if (zero(w.f, p->n))
      return NEWTON_OK;
    memcpy(w.dz, w.f, bytes);
    if (!lu_factor(w.a, w.pivot, w.rows, p->n, &column))
      return NEWTON_SINGULAR;
    lu_solve(w.a, w.pivot, p->n, w.dz);
    double first = size(p, w.dz, z);
    bool converged = false;
    if (first <= o->tolerance) {
      for (int k = 0; k < p->n; k++)
        z[k] -= w.dz[k];
      return NEWTON_OK;
    }
    NewtonResult r = damp(&w, o, z, first, &converged);
    if (r == NEWTON_STUCK && first <= o->noise)
      return NEWTON_OK; /* rounding hides any further progress */
    if (r != NEWTON_OK)
      return r;
    memcpy(z, w.trial, bytes);
    if (converged)
      return NEWTON_OK;
  }
  return NEWTON_TOO_LONG;
}
