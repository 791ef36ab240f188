/* numeric/conserve.c -- the jump of a nonlinear system from what it conserves.
 * How:  Newton's method on q(x) - q(before) + F(x) a = 0, g(x) = 0. Where only E(x) of E(x) x' is known, the change of q is the
 *       integral of E along the straight line, by Gauss's formula with three points (exact for polynomials of degree 5); a
 *       second path, which changes one unknown after the other, tells whether there is a q at all. */
#include "numeric/jump.h"

#include <math.h>
#include <string.h>

enum { POINTS = 3 };
static const double place[POINTS] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double weight[POINTS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

typedef struct {
  const ConserveProblem *p;
  const double *before; /* n */
  double *q;            /* rows: before */
  double *f;            /* rows by p */
  double *e;            /* rows by n; for `inertia` */
  double *point;        /* n */
} Work;

size_t conserve_work(const ConserveProblem *p) {
  size_t n = (size_t)p->n, rows = (size_t)p->rows, all = n + (size_t)p->p;
  return newton_work((int)all) + all + 3 * rows + rows * (size_t)p->p + rows * n + 2 * n;
}

/* sum += integral of E dx on the straight line between two points. */
static int integrate(Work *w, const double *from, const double *to, double *sum) {
  const ConserveProblem *p = w->p;
  for (int k = 0; k < POINTS; k++) {
    for (int j = 0; j < p->n; j++)
      w->point[j] = from[j] + place[k] * (to[j] - from[j]);
    int status = p->inertia(p->user, w->point, w->e);
    if (status != NUM_OK)
      return status;
    for (int i = 0; i < p->rows; i++)
      for (int j = 0; j < p->n; j++)
        sum[i] += weight[k] * w->e[(size_t)i * (size_t)p->n + (size_t)j] * (to[j] - from[j]);
  }
  return NUM_OK;
}

/* change = q(x) - q(before). */
static int find_change(Work *w, const double *x, double *change) {
  const ConserveProblem *p = w->p;
  if (p->inertia) {
    memset(change, 0, (size_t)p->rows * sizeof *change);
    return integrate(w, w->before, x, change);
  }
  int status = p->quantity(p->user, x, change);
  for (int i = 0; i < p->rows; i++)
    change[i] -= w->q[i];
  return status;
}

/* Residuals at z = (x, a); a NewtonFunction. */
static int residuals(void *user, const double *z, double *f, double *jacobian) {
  (void)jacobian;
  Work *w = user;
  const ConserveProblem *p = w->p;
  int status = find_change(w, z, f);
  if (status == NUM_OK && p->p > 0)
    status = p->impulse(p->user, z, w->f);
  if (status == NUM_OK && p->constraint)
    status = p->constraint(p->user, z, f + p->rows);
  for (int i = 0; i < p->rows; i++)
    for (int k = 0; k < p->p; k++)
      f[i] += w->f[(size_t)i * (size_t)p->p + (size_t)k] * z[p->n + k];
  return status;
}

/* How far the change along the axes, one after the other, differs from that along the straight line, relative to the larger.
 * cells: 2 rows + n. */
static double path_dependence(Work *w, const double *x, double *cells) {
  const ConserveProblem *p = w->p;
  double *straight = cells, *axes = cells + p->rows, *corner = cells + 2 * p->rows, most = 0;
  if (find_change(w, x, straight) != NUM_OK)
    return INFINITY;
  memset(axes, 0, (size_t)p->rows * sizeof *axes);
  memcpy(corner, w->before, (size_t)p->n * sizeof *corner);
  for (int j = 0; j < p->n; j++) {
    if (x[j] == w->before[j])
      continue;
    double old = corner[j], width = x[j] - old;
    for (int k = 0; k < POINTS; k++) {
      corner[j] = old + place[k] * width;
      if (p->inertia(p->user, corner, w->e) != NUM_OK)
        return INFINITY;
      for (int i = 0; i < p->rows; i++)
        axes[i] += weight[k] * w->e[(size_t)i * (size_t)p->n + (size_t)j] * width;
    }
    corner[j] = x[j];
  }
  for (int i = 0; i < p->rows; i++) {
    double larger = fmax(fabs(straight[i]), fabs(axes[i]));
    if (larger > 0)
      most = fmax(most, fabs(straight[i] - axes[i]) / larger);
  }
  return most;
}

ConserveResult conserve_solve(const ConserveProblem *p, const double *before, double *x, double *a, double *work) {
  int all = p->n + p->p;
  double *z = work, *newton = z + all, *rest = newton + newton_work(all);
  Work w = {.p = p, .before = before, .q = rest};
  w.f = w.q + p->rows;
  w.e = w.f + p->rows * p->p;
  w.point = w.e + p->rows * p->n;
  double *cells = w.point + p->n;
  ConserveResult out = {.end = NEWTON_OK, .worst = -1};
  if (p->quantity && p->quantity(p->user, before, w.q) != NUM_OK)
    return (ConserveResult){.end = NEWTON_BAD_POINT, .worst = -1};
  memcpy(z, x, (size_t)p->n * sizeof *z);
  for (int k = 0; k < p->p; k++)
    z[p->n + k] = a[k];
  NewtonProblem problem = {.n = all, .f = residuals, .user = &w, .scale = p->size};
  out.end = newton_solve(&problem, &newton_defaults, z, newton);
  if (out.end != NEWTON_OK) {
    out.worst = newton_worst(newton, all);
    return out;
  }
  memcpy(x, z, (size_t)p->n * sizeof *x);
  for (int k = 0; k < p->p; k++)
    a[k] = z[p->n + k];
  if (p->inertia)
    out.path = path_dependence(&w, x, cells);
  return out;
}
