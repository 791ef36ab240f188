#pragma once
/* numeric/numeric.h -- numerics that know no model: small dense linear systems, Newton's method,
 * bracketing of roots; sparse Jacobians are in jacobian.h, integration methods in stepper.h.
 * Callbacks return NUM_OK, NUM_RETRY (a bad trial point) or NUM_FATAL; the values are those of
 * dsblock.h. */
#include "base/memory.h"

enum { NUM_OK = 0, NUM_RETRY = 1, NUM_FATAL = 2 };

/* ---- linear.c ---- */

/* LU with partial pivoting of rows scaled to equal size, in place; pivot and rows: n cells. False:
 * singular, and *where is the column without a pivot. */
bool lu_factor(double *a, int *pivot, double *rows, int n, int *where);
void lu_solve(const double *a, const int *pivot, int n, double *b);

/* ---- sparse.c ---- */

/* Matrix of n rows stored one after the other: row i has the entries start[i] .. start[i + 1] - 1,
 * in these columns. Its memory is the machine's; NULL if there is none. */
typedef struct SparseLu SparseLu;
SparseLu *sparse_new(int n, const int *start, const int *columns);
/* The solution replaces b; false: (nearly) singular, b is kept */
bool sparse_solve(SparseLu *s, const double *a, double *b);
void sparse_free(SparseLu *s); /* NULL is allowed */

/* ---- lsq.c ---- */

/* The solution of a z = b with the smallest z[i]/weight[i], by least squares where there is none;
 * it replaces b. a (row by row) is destroyed; work: lsq_work(n) cells, column: n cells. Returns the
 * rank; *residual: what is left, rows being scaled to a largest entry of 1. */
int lsq_solve(double *a, double *b, const double *weight, int n, double *work, int *column,
              double *residual);
size_t lsq_work(int n);

/* The same in two parts, for several right sides. */
typedef struct {
  int n, rank;
  double *a;                 /* n*n: becomes the factors */
  double *rows, *tau, *fold; /* n each: sizes of the rows, and of the reflections */
  const double *weight;
  int *column;
} Lsq;
void lsq_factor(Lsq *q, double *norm); /* norm: n cells */
/* y: n cells. Returns the residual */
double lsq_apply(const Lsq *q, double *b, double *y);
/* The same as matrices (row by row): z = inverse b; the first n - rank rows of rest times b are
 * what is left of b, scaled as the residual, which is the largest of them. work: 2 n cells. */
void lsq_invert(const Lsq *q, double *inverse, double *rest, double *work);

/* Null vector k (rank <= k < n), of length 1 in units of the weights; unknown column[j] has the
 * part y[j]. And per unknown the size of its parts in all of them, 0 to 1. y: n cells. */
void lsq_null(const Lsq *q, int k, double *y);
void lsq_open(const Lsq *q, double *open, double *y);

/* ---- basis.c ---- */

/* Which of n columns of a full-rank matrix of m < n rows shall be solved for? in: per column, marks
 * m of them; changed where the others would depend on them by a factor above `most` (columns are
 * scaled by `size`, rows to equal size). a (m by n, row by row) is destroyed; column: n cells, row:
 * m cells. False: the rank is not full, and nothing is changed. */
bool basis_improve(double *a, const double *size, int m, int n, double most, bool *in, int *column,
                   int *row);

/* ---- newton.c ---- */

/* f at z, and the Jacobian (row by row) if a is not NULL. */
typedef int NewtonFunction(void *user, const double *z, double *f, double *a);

typedef struct {
  /* 1: the last correction relative to scale; it is applied, so the error is about its square */
  double tolerance;
  double noise;         /* 1: a correction below this that cannot be reduced is rounding */
  double least_damping; /* 1: below this a step makes no progress */
  int most_steps;
} NewtonOptions;
extern const NewtonOptions newton_defaults;

typedef struct {
  int n;
  NewtonFunction *f;
  void *user;
  bool exact;          /* f gives the Jacobian; else it is differenced */
  const double *scale; /* n: values below count as small when corrections are judged; NULL: 1 */
  /* n: what the unknowns are expected to be like; for methods that look far; NULL: as scale */
  const double *size;
  /* n: steps are cut so that they stay inside, if they begin there; NULL: no bounds */
  const double *low, *high;
  /* Moves the problem between a simplified form (0) and its own (1); NULL if it has no such
   * form. */
  void (*set_lambda)(void *user, double lambda);
} NewtonProblem;

typedef enum {
  NEWTON_OK,
  NEWTON_SINGULAR,
  NEWTON_STUCK,
  NEWTON_TOO_LONG,
  NEWTON_BAD_POINT,
  NEWTON_FATAL
} NewtonResult;

/* Damped Newton from z; the solution replaces z. work: newton_work(n) cells. */
NewtonResult newton_solve(const NewtonProblem *p, const NewtonOptions *o, double *z, double *work);
size_t newton_work(int n);
/* f at z and its Jacobian, differenced where it must be; next: n cells. */
int newton_evaluate(const NewtonProblem *p, double *z, double *f, double *a, double *next);
double newton_size(const NewtonProblem *p, int k, double z); /* of unknown k where it is z */
/* Index of the residual that is largest at the last point tried (in work, after newton_solve). */
int newton_worst(const double *work, int n);

/* ---- levmar.c ---- */

/* Least squares from z; then Newton's method. NEWTON_STUCK at a point where the residuals are
 * smallest but not 0. */
NewtonResult levmar_solve(const NewtonProblem *p, const NewtonOptions *o, double *z, double *work);
size_t levmar_work(int n);

/* ---- homotopy.c ---- */

typedef enum {
  PATH_NEWTON,      /* f(z) - (1 - lambda) f(z0) = 0 */
  PATH_FIXED_POINT, /* lambda f(z) + (1 - lambda) D (z - z0) = 0 */
  PATH_MODEL        /* the problem's own simplified form at lambda = 0 */
} PathKind;
/* Follows the path from z to a solution, through turning points. */
NewtonResult path_solve(const NewtonProblem *p, const NewtonOptions *o, PathKind kind, double *z,
                        double *work);
size_t path_work(int n);

/* ---- rescue.c ---- */

/* Newton's method, and where it fails everything above, one after the other. z: start; the solution
 * replaces it, or the best point found. work: rescue_work(n) cells; its first n hold the residuals
 * at the last point. */
NewtonResult rescue_solve(const NewtonProblem *p, const NewtonOptions *o, double *z, double *work);
size_t rescue_work(int n);

/* ---- root.c ---- */

/* A sign change of f in [lo, hi]; f(lo) and f(hi) differ in sign, or f is 0 at one of them. */
typedef struct {
  double lo, hi, f_lo, f_hi;
  double width;          /* that will do; 0: as small as it gets */
  double third, f_third; /* the end that was replaced last */
  bool has_third;
  bool slow;   /* it did not become much smaller in the last rounds */
  double mark; /* its width then */
  int rounds;
} Bracket;
double bracket_guess(const Bracket *b); /* strictly inside, if there is a number inside */
/* Takes over the value at x; `low`: x belongs to the side of lo. */
void bracket_move(Bracket *b, double x, double f, bool low);
/* Many functions a - b at once. crossed: one of them is 0 or has another sign than side[k];
 * reached: one of them, z0 and z1 at the ends of a step and z_before at the start of the one
 * before, could have been 0 inside, as fast as it moved (`before`: this step in steps before; 0:
 * there was none). NaN never counts. */
void root_differences(const double *a, const double *b, int n, double *z);
bool root_crossed(const double *side, const double *a, const double *b, int n);
bool root_reached(const double *z_before, const double *z0, const double *z1, int n, double before);
