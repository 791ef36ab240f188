#pragma once
/* numeric/sundials_impl.h -- what the adapters of CVODE and IDA share. */
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "numeric/stepper.h"

/* Times of the libraries count from their last restart (Sun.origin): they add up their steps, and
 * far from 0 each sum would be rounded while the states make the whole step.
 * What differs between the two. Counters are totals since the last `restart`. */
typedef struct {
  bool (*make)(Stepper *s);              /* memory of the library, tolerances, linear solver */
  bool (*restart)(Stepper *s, double h); /* at (0, x) with slope dx; h: first step, 0: own choice */
  int (*solve)(Stepper *s, double until, double most, double *end); /* one step; NUM_... */
  bool (*values)(Stepper *s, double at, N_Vector x);                /* dense output */
  bool (*slopes)(Stepper *s, double at, N_Vector dx); /* that it goes on with; NULL: not known */
  /* Of the last step: the degree of dense output */
  int (*order)(Stepper *s);
  double (*size)(Stepper *s); /* of the step at work */
  void (*counters)(Stepper *s, long *failures, long *setups);
  bool (*errors)(Stepper *s, N_Vector e); /* estimated local errors */
  void (*release)(Stepper *s);
  bool (*constrain)(Stepper *s,
                    N_Vector signs); /* 1: >= 0, -1: <= 0, 0: anything; NULL: none at all.
                        * `constrain` is NULL for IDA: it creeps where bounds are wrong */
} SunOps;

typedef struct {
  const SunOps *ops;
  SUNContext context;
  void *mem;
  N_Vector x, dx, errors, between, signs; /* x is x1 of the stepper, dx its slope */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  Jacobian j;
  Arena *arena;
  Shifted *shifted;  /* made when a step is looked at; NULL before that */
  double origin;     /* time of the last restart */
  double start, end; /* of the last step, from there */
  double norm;       /* of the last Jacobian; < 0 if there was none */
  int outside;       /* how often bounds could not be kept: too often, and they are wrong */
  int *pressed;      /* per state: steps that ended on its bound, and would lead out of it */
  bool constrained;  /* the library knows bounds */
  bool fresh;        /* `restart` is due */
  bool straight;     /* the last step was a tiny one made by hand */
  double *shift;     /* makes dense output meet x */
  bool has_shift;
  /* n each: dense output at k/degree, inner ones only; NULL before it is asked for */
  double *nodes;
  int degree;                       /* 0: they are not those of the last step */
  long failures, setups, jacobians; /* counters at the last look */
  bool limited;                     /* the library knows the limits of the step: */
  double until, most;
  long window_steps, window_failures; /* of CVODE's watch for instability */
  int guarded;                        /* windows that it goes on; 0: off */
} Sun;

bool sun_init(Stepper *s, Arena *a, const SunOps *ops);
int sun_begin(Stepper *s);
int sun_step(Stepper *s, double until, double most);
void sun_accept(Stepper *s);
void sun_dense(Stepper *s, double theta, double *x);
int sun_polynomial(Stepper *s, int i, double *c);
void sun_release(Stepper *s);
/* Differences f at (t, x), where f = dx, and stores c I + sign*J. 0, or > 0 try a smaller step, or
 * < 0. */
int sun_jacobian(Stepper *s, double t, const double *x, const double *dx, double c, double sign,
                 SUNMatrix to);
/* The time that a time of the library is. */
double sun_time(const Stepper *s, double at);
/* Does the library know these limits already? Notes that it will. */
bool sun_limited(Sun *u, double until, double most);
/* Stores c I + sign*(values of j). */
void sun_store(const Jacobian *j, double c, double sign, SUNMatrix to);
/* NUM_... as the libraries want it. */
int sun_status(int status);
/* 1/(rtol*|x| + atol), by the tolerances of now. */
int sun_weights(N_Vector x, N_Vector out, void *user);
/* Error handler: keeps the text, prints nothing. */
void sun_message(int code, const char *module, const char *function, char *text, void *user);
