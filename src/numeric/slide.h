#pragma once
/* numeric/slide.h -- what happens where fields of different sides of switching surfaces meet:
 * crossing, sliding, or neither; and where a sequence of events that come ever faster ends.
 *
 * k surfaces z_i(x, t) = 0 meet at the point. A corner c (0 .. 2^k - 1) stands for one combination
 * of their sides: bit i set means z_i > 0. f_c is the field x' that the model has there, and  w[c*k
 * + i] = grad z_i . f_c + dz_i/dt  how fast it moves surface i. Where modes have different
 * unknowns, w and the combined derivatives are those of the states that they have in common.
 *
 * The motion is x' = sum lambda_c f_c with lambda_c = product over i of (a_i if bit i of c is set,
 * else 1 - a_i): a_i = 1 on the positive side, 0 on the negative, between them while the motion
 * slides on surface i (k = 1: Filippov's convex combination, a_1 is the weight of the field of the
 * positive side; k = 2: Dieci and Lopez, Numer. Math. 117, 2011). Only memoryless relations that
 * switch a field belong here; a relation with hysteresis chatters because its model says so.
 *
 * How a caller uses it:
 *   1. At an event of surface(s) with z = 0: fields of all corners, w, slide_solve with `from` =
 *   the side(s) it comes from. side[i] is what the relation becomes; 0 means slide.
 *   2. While sliding on the surfaces with side 0 (only these, k of them now): at each evaluation w,
 *   then slide_follow from the last a, then slide_combine for x'; real unknowns of the algebraic
 *   part are combined in the same way. slide_correction after each step keeps z at 0.
 *   3. a_i and 1 - a_i are the indicators of the exit, falling. When one reaches 0 (slide_exit
 *   tells which): slide_solve again with `from` = a; it finds the motion on the surfaces that
 *   remain attractive, or in a corner. */
#include "base/limits.h"
#include "numeric/numeric.h"

typedef enum {
  SLIDE_OK,
  /* More than one motion is possible; the one that the fast motion from `from` ends in was
   * chosen */
  SLIDE_SEVERAL,
  SLIDE_NONE, /* none is stable: the motion spirals around the intersection */
  SLIDE_LOST  /* too many or infinitely many solutions, or values that are not finite */
} SlideEnd;

typedef struct {
  int k;
  const double *w; /* 2^k * k */
  /* k: a before, 0 or 1 for the sides it comes from; NULL: not known, 1/2 each */
  const double *from;
  /* 1: speeds below this part of the largest of their surface are 0; 0: 1e-10 */
  double tolerance;
} SlideProblem;

typedef struct {
  double a[SLIDE_MOST];
  /* 1: leaves to the positive side, -1: to the negative, 0: slides on it */
  signed char side[SLIDE_MOST];
  int sliding; /* number of surfaces with side 0 */
  int found;   /* motions that are possible */
  /* Some surface is neither left nor slid upon: its speed is 0; the second derivative of z
   * decides */
  bool tangent;
  /* All fields of all sides point towards the intersection: then, for k <= 2, sliding is unique */
  bool nodal;
  /* For k >= 2: whether it is attractive depends on how fast the switches are relative to each
   * other */
  bool fragile;
} SlideResult;

/* work: slide_work(k) cells. */
SlideEnd slide_solve(const SlideProblem *p, SlideResult *out, double *work);
size_t slide_work(int k);

/* One surface: speeds of z in the field of the positive and of the negative side, without work
 * space. */
typedef enum { SLIDE_UP, SLIDE_DOWN, SLIDE_ATTRACTIVE, SLIDE_REPULSIVE } SlideKind;
/* bend: second derivatives of z in the two fields, that decide where a speed is 0 (below
 * `zero`). */
SlideKind slide_kind(double plus, double minus, double bend_plus, double bend_minus, double zero);

/* While sliding on all k surfaces: a (k) for the present w by Newton's method, from the last one.
 * It may leave [0, 1] a little: that is how the exit is located. NUM_RETRY: no solution near the
 * last one. */
int slide_follow(int k, const double *w, double *a);
/* lambda: 2^k */
void slide_weights(int k, const double *a, double *lambda);
/* fields: 2^k * n */
void slide_combine(int k, int n, const double *fields, const double *a, double *x_dot);
/* Which a is outside [0, 1] most? Its surface, or -1; *side: 1 or -1. */
int slide_exit(int k, const double *a, int *side);
/* x + dx is on the surfaces to first order, by the smallest dx (relative to size; NULL: 1). z: k;
 * gradient: k by n, row by row. False: the gradients depend on each other. */
bool slide_correction(int k, int n, const double *z, const double *gradient, const double *size,
                      double *dx);

/* ---- zeno.c ---- */

enum { ZENO_EVENTS = 5 }; /* that are looked at, the last ones */

typedef struct {
  bool found;   /* the times between events shrink by a nearly constant ratio */
  double ratio; /* 1: of the last times between events, extrapolated */
  double limit; /* where the event times accumulate */
  /* Of limit, from how far the ratios differ and how exact the times are; the bound is not
   * strict */
  double error;
  double remaining; /* the largest amplitude still to come; 0 if none were given */
} Zeno;

/* times: n of them, ascending, those of one relation; amplitudes: n, of what the events do (a
 * rebound speed), or NULL; if they do not shrink there is no Zeno behaviour. time_error: of each
 * event time. Less than ZENO_EVENTS: not found. */
Zeno zeno_estimate(const double *times, const double *amplitudes, int n, double time_error);
