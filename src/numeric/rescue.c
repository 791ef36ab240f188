/* numeric/rescue.c -- a nonlinear system whose solution may be far away: methods in the order of
 * their cost.
 *   1 Newton's method inside the bounds of the unknowns, then without them; from a better point if
 *   the start is bad
 *   2 of one unknown: a change of sign, nearest to the start; then least squares
 *   3 Newton homotopy, 4 fixed-point homotopy
 *   5 pseudo-transient continuation: (V/d + J) dz = -f with growing d (Kelley and Keyes, SIAM J.
 *   Numer. Anal. 35, 1998)
 * A homotopy that the model itself has comes before all of these (path_solve of PATH_MODEL,
 * run/host.c).
 * Keep: every method ends with Newton's method on the problem itself; a point where the residuals
 *       are merely small is none. */
#include "numeric/numeric.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

size_t rescue_work(int n) {
  size_t levmar = levmar_work(n), path = path_work(n);
  return (levmar > path ? levmar : path) + 2 * (size_t)n;
}

static bool can_evaluate(const NewtonProblem *p, double *z, double *f) {
  if (p->f(p->user, z, f, NULL) != NUM_OK)
    return false;
  for (int k = 0; k < p->n; k++)
    if (!isfinite(f[k]))
      return false;
  return true;
}

/* Where the start cannot be evaluated: unknowns that are 0 get the size they should have, then
 * others. */
static bool better_start(const NewtonProblem *p, double *z, const double *start, double *f) {
  static const double factors[] = {1, -1, 0.1, 1e-3, 10, -0.1, -1e-3};
  for (size_t q = 0; q < sizeof factors / sizeof *factors; q++) {
    for (int k = 0; k < p->n; k++) {
      double size = newton_size(p, k, 0);
      z[k] = fabs(start[k]) > 1e-3 * size ? start[k] : factors[q] * size;
      if (p->low && p->high && p->low[k] <= p->high[k])
        z[k] = fmin(fmax(z[k], p->low[k]), p->high[k]);
    }
    if (can_evaluate(p, z, f))
      return true;
  }
  return false;
}

/* 1: pseudo time, in units of the scaled system */
static const double first_delta = 1e-2, most_delta = 1e12;

/* V = the sign of the diagonal, so that the pseudo transient is stable at least for diagonally
 * dominant systems. */
static NewtonResult pseudo_transient(const NewtonProblem *p, const NewtonOptions *o, double *z,
                                     double *cells) {
  int n = p->n, where;
  double *f = cells, *a = f + n, *next = a + (size_t)n * (size_t)n, *rows = next + n,
         *dz = rows + n, delta = first_delta, last = 0;
  int *pivot = (int *)(dz + n);
  for (int step = 0; step < MOST_PSEUDO_STEPS; step++) {
    if (newton_evaluate(p, z, f, a, next) != NUM_OK)
      return NEWTON_BAD_POINT;
    double size = 0;
    for (int i = 0; i < n; i++) {
      double *row = a + (size_t)i * (size_t)n, most = 0;
      for (int j = 0; j < n; j++)
        row[j] *= newton_size(p, j, z[j]), most = fmax(most, fabs(row[j]));
      if (!(most > 0) || !isfinite(most))
        return NEWTON_SINGULAR;
      for (int j = 0; j < n; j++)
        row[j] /= most;
      dz[i] = f[i] / most;
      row[i] += copysign(1 / delta, row[i]);
      size = fmax(size, fabs(dz[i]));
    }
    if (!lu_factor(a, pivot, rows, n, &where))
      return NEWTON_SINGULAR;
    lu_solve(a, pivot, n, dz);
    for (int k = 0; k < n; k++)
      z[k] -= dz[k] * newton_size(p, k, z[k]);
    delta = step ? delta * fmin(fmax(last / size, 0.5), 10) : 2 * delta;
    last = size;
    if (delta > most_delta || size < o->noise)
      break;
  }
  return newton_solve(p, o, z, cells);
}

/* ---- one unknown ---- */

/* 1: of the search for a change of sign, relative to the unknown's size */
static const double first_width = 1e-3;
/* 1: what must be left of the function at a change of sign that is no jump */
static const double jump_share = 1e-6;

/* Between two points at which the function differs in sign; only a continuous change of sign is a
 * solution. */
static NewtonResult close_bracket(const NewtonProblem *p, const NewtonOptions *o, Bracket b,
                                  double *z, double *f) {
  double most = fmax(fabs(b.f_lo), fabs(b.f_hi)),
         width = o->tolerance * 1e-3 * newton_size(p, 0, b.lo), left = most;
  bool low_negative = b.f_lo < 0;
  for (int k = 0; k < MOST_SIGN_HALVINGS && b.hi - b.lo > width && left > 0; k++) {
    *z = bracket_guess(&b);
    if (*z <= b.lo || *z >= b.hi)
      break;
    if (!can_evaluate(p, z, f))
      return NEWTON_STUCK;
    left = fabs(*f);
    bracket_move(&b, *z, *f, (*f < 0) == low_negative);
  }
  return left <= jump_share * most ? NEWTON_OK : NEWTON_STUCK;
}

/* A flat stretch, where Newton's steps are far too long, keeps its sign: the search goes on to both
 * sides of it. */
static NewtonResult change_of_sign(const NewtonProblem *p, const NewtonOptions *o, double *z,
                                   double *f) {
  double start = *z, width = first_width * newton_size(p, 0, start), end[2] = {start, start}, at[2];
  if (!can_evaluate(p, z, f))
    return NEWTON_BAD_POINT;
  at[0] = at[1] = *f;
  bool open[2] = {true, true};
  for (int k = 0; k < MOST_SIGN_WIDENINGS && (open[0] || open[1]); k++, width *= 2)
    for (int side = 0; side < 2; side++) {
      double x = side ? start + width : start - width;
      *z = x;
      open[side] = open[side] && can_evaluate(p, z, f);
      if (open[side] && (*f < 0) != (at[side] < 0)) {
        Bracket b = side ? (Bracket){.lo = end[1], .hi = x, .f_lo = at[1], .f_hi = *f}
                         : (Bracket){.lo = x, .hi = end[0], .f_lo = *f, .f_hi = at[0]};
        return close_bracket(p, o, b, z, f);
      }
      if (open[side])
        end[side] = x, at[side] = *f;
    }
  return NEWTON_STUCK;
}

NewtonResult rescue_solve(const NewtonProblem *p, const NewtonOptions *o, double *z, double *work) {
  int n = p->n;
  double *start = work + rescue_work(n) - n, *best = start - n;
  size_t bytes = (size_t)n * sizeof *z;
  NewtonProblem open = *p;
  open.low = open.high = NULL;
  memcpy(start, z, bytes);
  NewtonResult first = newton_solve(p, o, z, work), r = first;
  if (r == NEWTON_BAD_POINT && better_start(p, z, start, work)) {
    memcpy(start, z, bytes);
    r = newton_solve(p, o, z, work);
  }
  if (r != NEWTON_OK && r != NEWTON_FATAL && p->low) {
    memcpy(z, start, bytes);
    r = newton_solve(&open, o, z, work);
  }
  if (n == 1 && r != NEWTON_OK && r != NEWTON_FATAL) {
    *z = *start;
    r = change_of_sign(&open, o, z, work);
  }
  if (r != NEWTON_OK && r != NEWTON_FATAL) {
    memcpy(z, start, bytes);
    r = levmar_solve(&open, o, z, work);
    memcpy(best, z, bytes);
  }
  for (PathKind kind = PATH_NEWTON; kind <= PATH_FIXED_POINT && r != NEWTON_OK && r != NEWTON_FATAL;
       kind++) {
    memcpy(z, start, bytes);
    r = path_solve(&open, o, kind, z, work);
  }
  if (r != NEWTON_OK && r != NEWTON_FATAL) {
    memcpy(z, start, bytes);
    r = pseudo_transient(&open, o, z, work);
  }
  if (r == NEWTON_OK || r == NEWTON_FATAL)
    return r;
  /* the least-squares point shows best which equations resist */
  memcpy(z, best, bytes);
  if (!can_evaluate(p, z, work))
    memcpy(z, start, bytes);
  return first;
}
