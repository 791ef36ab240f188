#pragma once
/* numeric/jacobian.h -- sparse Jacobians of xdot = f(t, x) by differences, and systems with c I -
 * J.
 * Columns that share no row are moved together (a colour), so that a Jacobian costs one evaluation
 * per colour. */
#include "base/memory.h"
#include "base/tape.h"

/* Which entries may differ from 0, by columns. The diagonal is always among them. */
typedef struct {
  int n;
  const int *start; /* n + 1: column j has rows[start[j] .. start[j + 1]) */
  const int *rows;  /* ascending in each column */
} Pattern;

Pattern pattern_full(int n, Arena *a);
/* A copy with the diagonal added where it is missing. False: indices out of range or not
 * ascending. */
bool pattern_copy(int n, const int *start, const int *rows, Arena *a, Pattern *out);
int pattern_count(const Pattern *p);

typedef struct {
  Pattern p;
  int n_colors;
  int *first; /* n_colors + 1: colour c moves columns[first[c] .. first[c + 1]) */
  int *columns;
  double *values;           /* in the order of p.rows; of the last jacobian_difference */
  double *moved, *f, *step; /* n each: scratch */
} Jacobian;

/* Colours the columns greedily, those with most entries first (Curtis, Powell and Reid, J. Inst.
 * Maths Applics 13, 1974). */
void jacobian_init(Jacobian *j, const Pattern *p, Arena *a);

/* xdot = f(t, x); OK, RETRY or FATAL as in numeric.h. */
typedef int SlopeFunction(void *user, double t, const double *x, double *dx);

/* Where to difference. */
typedef struct {
  double t, h;          /* h: size of the step at hand, tells how far x will move; may be 0 */
  const double *x, *dx; /* dx = f(t, x) */
  const double *small;  /* n: a state counts as no smaller than this; NULL: 1e-3 */
  double noise;         /* errors of f that change from point to point, relative; 0: rounding */
  SlopeFunction *f;
  void *user;
} JacobianPoint;

/* Fills j->values by forward differences in the direction of the flow; where the model cannot be
 * evaluated there, in the other direction. *evaluations grows by the number of calls. */
int jacobian_difference(Jacobian *j, const JacobianPoint *at, uint64_t *evaluations);
/* Largest weighted row sum: an upper bound of |eigenvalues|. weight: n, the size of an error in
 * each state. */
double jacobian_norm(const Jacobian *j, const double *weight);

/* ---- shifted.c: c I - J, dense or sparse by size ---- */

typedef struct Shifted Shifted;
Shifted *shifted_new(const Pattern *p, Arena *a);
/* False: singular. */
bool shifted_factor(Shifted *s, double c, const double *values);
/* b := (c I - J)^-1 b */
void shifted_solve(Shifted *s, double *b);
/* The next factorization chooses its pivots anew. */
void shifted_forget(Shifted *s);
/* What the next factorization takes over from the last ones: the pivots. */
void shifted_keep(Shifted *s, Tape *t);
void shifted_free(Shifted *s); /* what does not lie in the arena; NULL is allowed */
/* Is a sparse factorization worth its overhead? */
bool pattern_is_sparse(const Pattern *p);
