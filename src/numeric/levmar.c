/* numeric/levmar.c -- Levenberg-Marquardt for a square system whose Jacobian is singular, or misleads, at the start.
 * How:  (J'J + mu D) dz = -J'f with rows scaled to their size at the start and D = diag(J'J) kept at its largest so far (More,
 *       The Levenberg-Marquardt algorithm, 1978); mu falls by 3 after success and rises by 4 after failure.
 * Keep: a smallest residual that is not zero is no solution. */
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
  const NewtonProblem *p;
  int n;
  double *f, *a, *m, *g, *dz, *trial, *rows, *d, *next, *scratch;
  int *pivot;
} Work;

size_t levmar_work(int n) { return 2 * (size_t)n * (size_t)n + 9 * (size_t)n; }

static Work work_at(const NewtonProblem *p, double *cells) {
  size_t n = (size_t)p->n;
  double *v = cells + n + 2 * n * n;
  return (Work){.p = p, .n = p->n, .f = cells, .a = cells + n, .m = cells + n + n * n, .g = v, .dz = v + n, .trial = v + 2 * n,
                .rows = v + 3 * n, .d = v + 4 * n, .next = v + 5 * n, .scratch = v + 6 * n, .pivot = (int *)(v + 7 * n)};
}

static double square(const Work *w, const double *f) {
  double sum = 0;
  for (int i = 0; i < w->n; i++)
    sum += f[i] * w->rows[i] * (f[i] * w->rows[i]);
  return sum;
}

/* f and J at z; forward differences where the function gives no Jacobian. */
static int evaluate(Work *w, double *z) {
  int n = w->n, status = w->p->f(w->p->user, z, w->f, w->p->exact ? w->a : NULL);
  for (int j = 0; j < n && status == NUM_OK && !w->p->exact; j++) {
    double keep = z[j], step = sqrt(DBL_EPSILON) * fmax(fabs(keep), w->p->scale ? w->p->scale[j] : 1);
    z[j] = keep + step;
    status = w->p->f(w->p->user, z, w->next, NULL);
    z[j] = keep;
    for (int i = 0; i < n; i++)
      w->a[(size_t)i * (size_t)n + (size_t)j] = (w->next[i] - w->f[i]) / step;
  }
  return status;
}

/* J'J and J'f of the scaled rows. */
static void normal_equations(Work *w) {
  int n = w->n;
  for (int j = 0; j < n; j++) {
    w->g[j] = 0;
    for (int k = 0; k <= j; k++) {
      double sum = 0;
      for (int i = 0; i < n; i++) {
        const double *row = w->a + (size_t)i * (size_t)n;
        sum += row[j] * row[k] * w->rows[i] * w->rows[i];
      }
      w->m[(size_t)j * (size_t)n + (size_t)k] = w->m[(size_t)k * (size_t)n + (size_t)j] = sum;
    }
    for (int i = 0; i < n; i++)
      w->g[j] += w->a[(size_t)i * (size_t)n + (size_t)j] * w->f[i] * w->rows[i] * w->rows[i];
    w->d[j] = fmax(w->d[j], w->m[(size_t)j * (size_t)n + (size_t)j]);
  }
}

/* Tries mu; true if the step reduced the residual, then z and *value are new. */
static bool attempt(Work *w, double mu, double *z, double *value) {
  int n = w->n, where;
  memcpy(w->a, w->m, (size_t)n * (size_t)n * sizeof *w->a);
  for (int j = 0; j < n; j++) {
    w->a[(size_t)j * (size_t)n + (size_t)j] += mu * (w->d[j] > 0 ? w->d[j] : 1);
    w->dz[j] = w->g[j];
  }
  if (!lu_factor(w->a, w->pivot, w->scratch, n, &where))
    return false;
  lu_solve(w->a, w->pivot, n, w->dz);
  for (int j = 0; j < n; j++)
    w->trial[j] = z[j] - w->dz[j];
  if (w->p->f(w->p->user, w->trial, w->next, NULL) != NUM_OK)
    return false;
  double next = square(w, w->next);
  if (!(next < *value))
    return false;
  memcpy(z, w->trial, (size_t)n * sizeof *z);
  *value = next;
  return true;
}

NewtonResult levmar_solve(const NewtonProblem *p, const NewtonOptions *o, double *z, double *cells) {
  Work w = work_at(p, cells);
  double mu = 1e-3, value = 0;
  memset(w.d, 0, (size_t)p->n * sizeof *w.d);
  for (int step = 0; step < 4 * o->most_steps; step++) {
    int status = evaluate(&w, z);
    if (status != NUM_OK)
      return status == NUM_FATAL ? NEWTON_FATAL : NEWTON_BAD_POINT;
    if (step == 0) {
      for (int i = 0; i < p->n; i++) {
        double size = fabs(w.f[i]);
        for (int j = 0; j < p->n; j++)
          size = fmax(size, fabs(w.a[(size_t)i * (size_t)p->n + (size_t)j]));
        w.rows[i] = size > 0 && isfinite(size) ? 1 / size : 1;
      }
      value = square(&w, w.f);
    }
    if (!isfinite(value))
      return NEWTON_BAD_POINT;
    if (value <= o->noise * o->noise)
      return NEWTON_OK; /* close enough for Newton's method */
    normal_equations(&w);
    bool better = false;
    for (int tries = 0; tries < 30 && !better; tries++) {
      better = attempt(&w, mu, z, &value);
      mu = better ? fmax(mu / 3, 1e-12) : mu * 4;
    }
    if (!better)
      return NEWTON_STUCK;
  }
  return NEWTON_TOO_LONG;
}
