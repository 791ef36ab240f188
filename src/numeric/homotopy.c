/* numeric/homotopy.c -- a path from a point where a simpler problem is solved to a solution of the
 * problem itself.
 * How:  pseudo-arclength continuation (Allgower and Georg, Numerical Continuation Methods, chapters
 *       2 to 6): along the tangent of H(z, lambda) = 0, then Newton's method in the plane across
 *       it, so that lambda may decrease on the way. Unknowns are scaled by their size. The sign of
 *       the determinant of (H', tangent) gives the direction; it is the same on all of the path,
 *       also where it has a corner, but for simple bifurcations: where another branch crosses, the
 *       sign changes, and the path goes straight on (chapter 8 there).
 * Keep: what is found is only accepted if Newton's method converges on the problem itself. */
#include "numeric/numeric.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

/* 1: arc length; the first two in units of the path */
static const double first_step = 0.1, least_step = 1e-7, most_step = 10;
/* 1: cosine of the largest turn in a step; below this step it is a corner */
static const double bend = 0.8, corner_step = 1e-4;
/* 1: distance from the tangent, in steps, up to which a point lies straight ahead */
static const double ahead = 0.25;
static const double corrected = 1e-3; /* 1: size of the last correction, in steps */
static const double rounding = 1e-14; /* 1: smallest step, and correction, that means something */
static const double far_away = 1e9;   /* 1: scaled unknowns */
enum { FEW_CORRECTIONS = 4 };

typedef struct {
  const NewtonProblem *p;
  PathKind kind;
  int n;
  double *z, *z0, *f0, *size, *rows; /* n each; z: point of the last evaluation */
  double *f, *f1, *a;                /* residual, a second one, Jacobian */
  double *h, *m;                     /* H (n), and (H', last row) of n + 1 rows */
  double *y, *next, *predicted, *tangent, *before, *scratch; /* n + 1 each: (z/size, lambda*unit) */
  int *pivot;
  /* What lambda = 1 is worth in arc length: a start near a solution needs small steps */
  double unit;
  double sign; /* of the determinant of (H', tangent) */
} Path;

size_t path_work(int n) {
  size_t m = (size_t)n + 1;
  return newton_work(n) + 2 * m * m + 17 * m;
}

static Path path_at(const NewtonProblem *p, PathKind kind, double *cells) {
  size_t m = (size_t)p->n + 1;
  double *v = cells + newton_work(p->n) + 2 * m * m;
  return (Path){.p = p,
                .kind = kind,
                .n = p->n,
                .a = cells + newton_work(p->n),
                .m = cells + newton_work(p->n) + m * m,
                .z = v,
                .z0 = v + m,
                .f0 = v + 2 * m,
                .size = v + 3 * m,
                .rows = v + 4 * m,
                .f = v + 5 * m,
                .f1 = v + 6 * m,
                .h = v + 7 * m,
                .y = v + 8 * m,
                .next = v + 9 * m,
                .predicted = v + 10 * m,
                .tangent = v + 11 * m,
                .before = v + 12 * m,
                .scratch = v + 13 * m,
                .pivot = (int *)(v + 14 * m)};
}

static void set_lambda(const Path *pa, double lambda) {
  if (pa->kind == PATH_MODEL)
    pa->p->set_lambda(pa->p->user, lambda);
}

/* H and its derivatives at y; the last row of m is left to the caller. Rows are scaled to a largest
 * entry of 1. */
static int evaluate(Path *pa, const double *y) {
  int n = pa->n;
  double lambda = y[n] / pa->unit, probe = 1e-6;
  for (int k = 0; k < n; k++)
    pa->z[k] = y[k] * pa->size[k];
  set_lambda(pa, lambda);
  int status = newton_evaluate(pa->p, pa->z, pa->f, pa->a, pa->f1);
  if (status == NUM_OK && pa->kind == PATH_MODEL) {
    set_lambda(pa, lambda + probe);
    status = pa->p->f(pa->p->user, pa->z, pa->f1, NULL);
  }
  for (int i = 0; i < n && status == NUM_OK; i++) {
    double *row = pa->m + (size_t)i * ((size_t)n + 1), most = 0;
    bool fixed_point = pa->kind == PATH_FIXED_POINT;
    double r = fixed_point ? pa->rows[i] : 1, away = (pa->z[i] - pa->z0[i]) / pa->size[i];
    for (int j = 0; j < n; j++) {
      row[j] = r * pa->a[(size_t)i * (size_t)n + (size_t)j] * pa->size[j] *
               (fixed_point ? lambda : 1);
      row[j] += fixed_point && i == j ? 1 - lambda : 0;
    }
    pa->h[i] = fixed_point               ? lambda * r * pa->f[i] + (1 - lambda) * away
               : pa->kind == PATH_NEWTON ? pa->f[i] - (1 - lambda) * pa->f0[i]
                                         : pa->f[i];
    row[n] = fixed_point               ? r * pa->f[i] - away
             : pa->kind == PATH_NEWTON ? pa->f0[i]
                                       : (pa->f1[i] - pa->f[i]) / probe;
    row[n] /= pa->unit;
    for (int j = 0; j <= n; j++)
      most = fmax(most, fabs(row[j]));
    if (!isfinite(most) || most == 0 || !isfinite(pa->h[i]))
      return NUM_RETRY;
    for (int j = 0; j <= n; j++)
      row[j] /= most;
    pa->h[i] /= most;
  }
  return status;
}

/* Factors (H', last); the sign of its determinant, 0 if it is singular. */
static double factor(Path *pa, const double *last) {
  int n = pa->n + 1, where;
  memcpy(pa->m + (size_t)pa->n * (size_t)n, last, (size_t)n * sizeof *last);
  if (!lu_factor(pa->m, pa->pivot, pa->scratch, n, &where))
    return 0;
  double sign = 1;
  for (int k = 0; k < n; k++)
    sign *= (pa->m[(size_t)k * (size_t)n + (size_t)k] < 0 ? -1 : 1) * (pa->pivot[k] != k ? -1 : 1);
  return sign;
}

/* The direction at y, of length 1. `along`: a vector that is not across the path. */
static bool find_tangent(Path *pa, const double *y, const double *along) {
  int n = pa->n;
  if (evaluate(pa, y) != NUM_OK)
    return false;
  double sign = factor(pa, along), length = 0;
  if (sign == 0)
    return false;
  if (pa->sign == 0)
    pa->sign = sign;
  for (int k = 0; k < n; k++)
    pa->tangent[k] = 0;
  pa->tangent[n] = 1;
  lu_solve(pa->m, pa->pivot, n + 1, pa->tangent);
  for (int k = 0; k <= n; k++)
    length += pa->tangent[k] * pa->tangent[k];
  if (!(length > 0) || !isfinite(length))
    return false;
  for (int k = 0; k <= n; k++)
    pa->tangent[k] *= sign * pa->sign / sqrt(length);
  return true;
}

/* Back to the path in the plane through `predicted` across the tangent. Number of corrections; 0 if
 * it fails. */
static int correct(Path *pa, double step) {
  int n = pa->n;
  double last = INFINITY;
  memcpy(pa->next, pa->predicted, ((size_t)n + 1) * sizeof *pa->next);
  for (int round = 1; round <= MOST_PATH_CORRECTIONS; round++) {
    if (evaluate(pa, pa->next) != NUM_OK || factor(pa, pa->tangent) == 0)
      return 0;
    pa->before[n] = 0;
    for (int k = 0; k <= n; k++)
      pa->before[n] += pa->tangent[k] * (pa->next[k] - pa->predicted[k]);
    memcpy(pa->before, pa->h, (size_t)n * sizeof *pa->h);
    lu_solve(pa->m, pa->pivot, n + 1, pa->before);
    double size = 0;
    for (int k = 0; k <= n; k++) {
      pa->next[k] -= pa->before[k];
      size = fmax(size, fabs(pa->before[k]) / fmax(1, fabs(pa->next[k])));
    }
    if (!isfinite(size) || (round > 2 && size > 0.9 * last))
      return 0;
    last = size;
    if (size <= fmax(corrected * fmin(step, 1), rounding))
      return round;
  }
  return 0;
}

/* At a step that passes lambda = 1: the problem itself, from the point between. */
static NewtonResult finish(Path *pa, const NewtonOptions *o, double *z, double *work) {
  int n = pa->n;
  double part = (pa->unit - pa->y[n]) / (pa->next[n] - pa->y[n]);
  for (int k = 0; k < n; k++)
    z[k] = (pa->y[k] + part * (pa->next[k] - pa->y[k])) * pa->size[k];
  set_lambda(pa, 1);
  return newton_solve(pa->p, o, z, work);
}

/* The cosine of the turn between the last two tangents. Where a small step has found a point
 * straight ahead, and the direction there is the way back, another branch has been crossed: the
 * path goes on. A larger step may have met the other leg of a hairpin; and at a corner from which
 * the path leads back nothing lies ahead. */
static double turn_of(Path *pa, double step, bool small) {
  double turn = 0, aside = 0;
  for (int k = 0; k <= pa->n; k++) {
    turn += pa->before[k] * pa->tangent[k];
    aside = fmax(aside, fabs(pa->next[k] - pa->predicted[k]));
  }
  if (!small || turn > -bend || aside > ahead * step)
    return turn;
  pa->sign = -pa->sign;
  for (int k = 0; k <= pa->n; k++)
    pa->tangent[k] = -pa->tangent[k];
  return -turn;
}

/* direction: 1, or -1 to begin with falling lambda */
static NewtonResult follow(Path *pa, const NewtonOptions *o, double direction, double *z,
                           double *work) {
  int n = pa->n;
  size_t bytes = ((size_t)n + 1) * sizeof *pa->y;
  double step = first_step * pa->unit, least = fmax(least_step * pa->unit, rounding);
  memset(pa->before, 0, bytes);
  pa->before[n] = 1;
  if (!find_tangent(pa, pa->y, pa->before))
    return NEWTON_SINGULAR;
  pa->sign *= direction;
  for (int k = 0; k <= n; k++)
    pa->tangent[k] *= direction;
  for (int count = 0; count < MOST_PATH_STEPS && step >= least; count++) {
    double far = 0;
    for (int k = 0; k <= n; k++) {
      pa->predicted[k] = pa->y[k] + step * pa->tangent[k];
      far = fmax(far, fabs(pa->y[k]));
    }
    if (far > far_away)
      break;
    int rounds = correct(pa, step);
    if (rounds && pa->next[n] >= pa->unit && finish(pa, o, z, work) == NEWTON_OK)
      return NEWTON_OK;
    memcpy(pa->before, pa->tangent, bytes);
    bool good = rounds && pa->next[n] < pa->unit && find_tangent(pa, pa->next, pa->before);
    bool small = step <= corner_step * pa->unit || step <= 100 * least;
    double turn = good ? turn_of(pa, step, small) : 0;
    if (!good || (turn < bend && !small)) {
      memcpy(pa->tangent, pa->before, bytes);
      step /= 2;
      continue;
    }
    memcpy(pa->y, pa->next, bytes);
    step = rounds <= FEW_CORRECTIONS ? fmin(2 * step, most_step) : step;
  }
  return NEWTON_STUCK;
}

NewtonResult path_solve(const NewtonProblem *p, const NewtonOptions *o, PathKind kind, double *z,
                        double *cells) {
  Path pa = path_at(p, kind, cells);
  int n = p->n;
  if (kind == PATH_MODEL) { /* the simplified form is expected to be easy */
    set_lambda(&pa, 0);
    NewtonResult r = newton_solve(p, o, z, cells);
    if (r != NEWTON_OK)
      return set_lambda(&pa, 1), r;
  }
  int status = newton_evaluate(p, z, pa.f0, pa.a, pa.f1);
  if (status != NUM_OK)
    return set_lambda(&pa, 1), status == NUM_FATAL ? NEWTON_FATAL : NEWTON_BAD_POINT;
  for (int i = 0; i < n; i++) {
    pa.z0[i] = z[i];
    pa.size[i] = newton_size(p, i, z[i]);
  }
  pa.unit = 0;
  for (int i = 0; i < n; i++) {
    double most = 0;
    for (int j = 0; j < n; j++)
      most = fmax(most, fabs(pa.a[(size_t)i * (size_t)n + (size_t)j]) * pa.size[j]);
    pa.rows[i] = most > 0 && isfinite(most) ? 1 / most : 1;
    pa.unit = fmax(pa.unit, fabs(pa.f0[i]) * pa.rows[i]);
  }
  pa.unit = kind == PATH_NEWTON ? fmin(fmax(pa.unit, 1e3 * rounding), 1) : 1;
  NewtonResult r = NEWTON_STUCK;
  /* at a corner the slope of the wrong side may have shown the way */
  for (double direction = 1; direction >= -1 && r != NEWTON_OK && r != NEWTON_FATAL;
       direction -= 2) {
    pa.sign = 0;
    for (int i = 0; i < n; i++)
      pa.y[i] = pa.z0[i] / pa.size[i];
    pa.y[n] = 0;
    r = follow(&pa, o, direction, z, cells);
  }
  set_lambda(&pa, 1);
  return r;
}
