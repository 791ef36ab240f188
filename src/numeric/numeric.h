#pragma once
/* numeric/numeric.h -- numerics that know no model: small dense linear systems, Newton's method, a Runge-Kutta pair with
 * dense output and step control, bracketing of roots. Callbacks return NUM_OK, NUM_RETRY (a bad trial point) or NUM_FATAL;
 * the values are those of dsblock.h. */
#include "base/memory.h"

enum { NUM_OK = 0, NUM_RETRY = 1, NUM_FATAL = 2 };

/* ---- linear.c ---- */

/* LU with partial pivoting of rows scaled to equal size, in place; pivot and rows: n cells. False: singular, and *where is
 * the column without a pivot. */
bool lu_factor(double *a, int *pivot, double *rows, int n, int *where);
void lu_solve(const double *a, const int *pivot, int n, double *b);

/* ---- lsq.c ---- */

/* The solution of a z = b with the smallest z[i]/weight[i], by least squares where there is none; it replaces b. a (row by
 * row) is destroyed; work: lsq_work(n) cells, column: n cells. Returns the rank; *residual: what is left, rows being scaled
 * to a largest entry of 1. */
int lsq_solve(double *a, double *b, const double *weight, int n, double *work, int *column, double *residual);
size_t lsq_work(int n);

/* ---- newton.c ---- */

/* f at z, and the Jacobian (row by row) if a is not NULL. */
typedef int NewtonFunction(void *user, const double *z, double *f, double *a);

typedef struct {
  double tolerance;   /* 1: the last correction relative to scale; it is applied, so the error is about its square */
  double noise;       /* 1: a correction below this that cannot be reduced is rounding */
  double least_damping; /* 1: below this a step makes no progress */
  int most_steps;
} NewtonOptions;
extern const NewtonOptions newton_defaults;

typedef struct {
  int n;
  NewtonFunction *f;
  void *user;
  bool exact;          /* f gives the Jacobian; else it is differenced */
  const double *scale; /* n: size of the unknowns where their value is near 0; NULL: 1 */
} NewtonProblem;

typedef enum { NEWTON_OK, NEWTON_SINGULAR, NEWTON_STUCK, NEWTON_TOO_LONG, NEWTON_BAD_POINT, NEWTON_FATAL } NewtonResult;

/* Damped Newton from z; the solution replaces z. work: newton_work(n) cells. */
NewtonResult newton_solve(const NewtonProblem *p, const NewtonOptions *o, double *z, double *work);
size_t newton_work(int n);
/* The same by least squares (levmar.c), for starting points where Newton's method fails; it goes on until Newton's method
 * would converge at once, or gives up: NEWTON_STUCK at a point where the residuals are smallest but not 0. */
NewtonResult levmar_solve(const NewtonProblem *p, const NewtonOptions *o, double *z, double *work);
size_t levmar_work(int n);
/* Index of the residual that is largest at the last point tried (in work, after newton_solve). */
int newton_worst(const double *work, int n);

/* ---- rk.c ---- */

typedef int RkFunction(void *user, double t, const double *x, double *dx);

enum { RK_MOST_STAGES = 7 };

/* One step from (t, x) to (t + h, x1), and what is needed between. */
typedef struct {
  int n;
  RkFunction *f;
  void *user;
  double t, h;
  double *x, *x1;               /* n each */
  double *k[RK_MOST_STAGES];    /* stage slopes; k[0] = x'(t), the last = x'(t + h) */
  double *dense[3], *trial;
  bool has_dense;
  double last_error;            /* of the last accepted step; for the step-size controller */
  int stage;                    /* at work; for the callback */
  int worst;                    /* component with the largest error in the last trial step */
  uint64_t evaluations;
} Rk;

void rk_init(Rk *rk, Arena *a, int n, RkFunction *f, void *user);
/* Begins anew at (t, x): after an event, and at the start. */
int rk_begin(Rk *rk, double t, const double *x);
/* A trial step of size h > 0; *error is its weighted size (max norm of error/weight, weight = rtol*max(|x|, |x1|) + atol[i]),
 * <= 1 if the step is good. NUM_RETRY: some stage could not be evaluated. */
int rk_try(Rk *rk, double h, double rtol, const double *atol, double *error);
void rk_accept(Rk *rk);
/* Size of the next step after one of size h with this error. */
double rk_next_step(Rk *rk, double h, double error, bool accepted);
/* Step size to begin with (Hairer, Norsett and Wanner, section II.4). */
int rk_first_step(Rk *rk, double rtol, const double *atol, double most, double *h);
/* x(t + theta*h) of the last trial step, 0 <= theta <= 1; also one of its components. */
void rk_dense(Rk *rk, double theta, double *x);

/* ---- root.c ---- */

/* A sign change of f in [lo, hi]; f(lo) and f(hi) differ in sign, or f is 0 at one of them. */
typedef struct {
  double lo, hi, f_lo, f_hi;
  int side; /* which end moved last: -1 lo, 1 hi */
  int rounds;
} Bracket;
double bracket_guess(const Bracket *b); /* strictly inside, if there is a number inside */
/* Takes over the value at x; `low`: x belongs to the side of lo. */
void bracket_move(Bracket *b, double x, double f, bool low);
