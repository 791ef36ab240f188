#pragma once
/* numeric/stepper.h -- one interface to all integration methods for xdot = f(t, x).
 *   Stepper *s = stepper_new(stepper_kind("rk45"), &problem, arena);
 *   stepper_begin(s, t, x, 0);
 *   while (s->t < until && stepper_step(s, until, most) == NUM_OK) { ... stepper_dense(s, theta, y)
 *   ...; stepper_accept(s); } stepper_free(s);
 * A step leads from (t, x) to (t1, x1) and is good: its error is below 1 in the weights rtol*|x| +
 * atol, as far as the method has an error estimate. It counts when it is accepted; until then
 * stepper_begin may go back or stop inside of it. Dense output is continuous over the steps. Roots
 * are not sought here: callers do that on the dense output, in the same way for all. A point where
 * f says RETRY makes the step smaller; NUM_RETRY from stepper_step means that the smallest step did
 * not help. */
#include "base/tape.h"
#include "numeric/jacobian.h"
#include "numeric/numeric.h"

typedef struct Stepper Stepper;

/* The Jacobian df/dx in the order of the pattern, and, unless ft is NULL, df/dt. NUM_RETRY: not at
 * this point, difference it. */
typedef int JacobianFunction(void *user, double t, const double *x, double *values, double *ft);
/* F(t, x, dx), and dF/dx + c dF/d(dx) in the order of the pattern: OK, RETRY or FATAL. */
typedef int ResidualFunction(void *user, double t, const double *x, const double *dx, double *out);
typedef int ImplicitJacobianFunction(void *user, double t, const double *x, const double *dx,
                                     double c, double *values);

typedef struct {
  int n;
  SlopeFunction *f;
  void *user;
  JacobianFunction *jacobian; /* NULL: by differences */
  const Pattern *pattern;     /* of df/dx; NULL: full */
  bool autonomous;            /* f is known not to depend on t */
  bool finite;                /* f itself says RETRY where a slope is not finite */
  double rtol;
  const double *atol;  /* n; may grow between two steps */
  const double *small; /* n: see Stepper; NULL: a tenth of atol/rtol at the beginning */
  /* An implicit system F(t, x, dx) = 0, for ida alone; NULL: dx - f(t, x). f then gives a
   * consistent slope at a consistent point, 0 for components that are not differential. */
  ResidualFunction *residual;
  ImplicitJacobianFunction *implicit_jacobian; /* NULL: by differences */
  /* Per component; the others are left out of the error test */
  const bool *differential;
  /* n each: bounds that the solution is known to keep; NULL: none. A step that ends outside, by
   * more than its tolerance, is made again, shorter, a few times: then the bounds are taken to be
   * wrong. */
  const double *low, *high;
  double (*noise)(void *user); /* of f now, see JacobianPoint; NULL: rounding */
  /* Of the whole integration: steps far below it end the search for a good one */
  double span;
  double fixed; /* step size of methods that have no error control */
} StepProblem;

typedef struct {
  uint64_t steps, rejected, evaluations, jacobians, factorizations;
  uint64_t differenced; /* of the Jacobians */
} StepStats;

/* A row of the table of methods. `step` makes a good step; `begin`, `accept` and `free` may be
 * NULL. `keep` walks over what the method knows beyond the fields of Stepper; NULL: it cannot be
 * put back, the method can only begin anew. */
typedef struct {
  const char *name, *summary;
  int order, dense_order;
  bool stiff, fixed; /* fixed: no error control */
  bool lifts;        /* dense output evaluates f inside of the step */
  bool (*init)(Stepper *s, Arena *a);
  int (*begin)(Stepper *s);
  int (*step)(Stepper *s, double until, double most);
  void (*accept)(Stepper *s);
  void (*dense)(Stepper *s, double theta, double *x);
  int (*polynomial)(Stepper *s, int i, double *c); /* see stepper_polynomial */
  void (*free)(Stepper *s);
  void (*keep)(Stepper *s, Tape *t);
} StepperKind;

struct Stepper {
  const StepperKind *kind;
  StepProblem p;
  double t, t1;   /* the last step */
  double *x, *x1; /* n each: at t and t1 */
  double *dx;     /* n: f(t, x) */
  double next;    /* size to try next; 0: to be chosen */
  /* While f is called: the part of the step whose state x approximates; 0 if it does not */
  double probe;
  uint64_t trials;   /* trial steps so far */
  bool at_end;       /* the last call of f was at (t1, x1) */
  bool has_dense;    /* coefficients of the dense output of the last step are there */
  double stiffness;  /* step size times an estimate of the largest |eigenvalue|; < 0 if unknown */
  double last_error; /* of the last good step; for the step-size controller */
  double *error;     /* n: of the last trial step, in units of its weight */
  double *share;     /* n: sum over all trial steps of the part of the error that this state has */
  double shares;     /* sum of share */
  double *weight, *scratch; /* n each */
  /* n: below this a state is nearly 0: where the absolute tolerance has most of the weight */
  double *small;
  int outside; /* steps that were made again because of bounds, since all of them were kept */
  StepStats stats;
  char message[200]; /* of a library, about the last failure; "" if none */
  void *own;
};

/* Row of that name (dassl is another name of ida); NULL if there is none. */
const StepperKind *stepper_kind(const char *name);
/* All rows in the order of presentation; NULL past the end. */
const StepperKind *stepper_kind_at(size_t i);

/* NULL: the method cannot be set up (memory). */
Stepper *stepper_new(const StepperKind *kind, const StepProblem *p, Arena *a);
/* Goes on from (t, x): at the start and after an event. h: size to try; 0: to be chosen. */
int stepper_begin(Stepper *s, double t, const double *x, double h);
int stepper_step(Stepper *s, double until, double most);
void stepper_accept(Stepper *s);
/* x(t + theta*(t1 - t)) of the last step, 0 <= theta <= 1. */
void stepper_dense(Stepper *s, double theta, double *x);
/* The dense output of component i of the last step is a polynomial: returns its degree, and in c
 * its Bernstein coefficients (numeric/bernstein.h). Where dense output lifts, has_dense must be
 * true before. */
enum { STEPPER_DEGREE = 5 }; /* at most */
int stepper_polynomial(Stepper *s, int i, double *c);
void stepper_free(Stepper *s); /* NULL is allowed */
/* Everything that decides how it goes on, also in the middle of a step that is not accepted yet:
 * see base/tape.h. A method without `keep` must begin anew after reading: stepper_begin. */
void stepper_keep(Stepper *s, Tape *t);
/* It makes each step from the last point alone, so that it can be put anywhere; a multistep method
 * has a past that its library does not give out. */
static inline bool stepper_is_one_step(const Stepper *s) { return s->kind->keep != NULL; }
void stepper_forget(Stepper *s); /* counts, as if it were new; stepper_begin must follow */
/* The `most` states with the largest share of the error; returns how many were written. */
int stepper_limiting(const double *share, int n, int *states, int most);
double stepper_least(const Stepper *s); /* smallest step at the present time */

/* ---- for the methods ---- */

/* f with count and test for finite values. */
int stepper_slope(Stepper *s, double t, const double *x, double *dx);
/* j->values at (t, x), where f = dx: exact if that is possible, else by differences with a step of
 * size h in view. Then *has_ft tells whether ft (may be NULL) was filled as well. */
typedef struct {
  double t, h;
  const double *x, *dx;
} StepPoint;
double stepper_noise(const Stepper *s);
int stepper_jacobian(Stepper *s, Jacobian *j, const StepPoint *at, double *ft, bool *has_ft);
/* Notes the error vector e of a trial step to x1 and returns its weighted maximum. */
double stepper_note_error(Stepper *s, const double *e, double h, const double *x1);
/* Weights rtol*|x| + atol at x. */
void stepper_weigh(Stepper *s, const double *x);
/* Step size to begin with, for a method of that order (Hairer, Norsett and Wanner I, section
 * II.4). */
int stepper_first_step(Stepper *s, double most, double order, double *h);

/* Trial step of a one-step method: fills x1 and *error. */
typedef int StepTrial(Stepper *s, double h, double *error);
typedef struct {
  double exponent, damping;   /* of the error, and of the one before */
  double safety, least, most; /* factor of one change */
  double fresh;               /* least error remembered, to the power of damping */
} StepControl;
/* Trials of shrinking size until one is good. */
int stepper_attempts(Stepper *s, double until, double most, const StepControl *control,
                     StepTrial *trial);

extern const StepperKind stepper_euler, stepper_rk4, stepper_rkf45, stepper_rk45,
    stepper_rosenbrock, stepper_cvode, stepper_ida;
