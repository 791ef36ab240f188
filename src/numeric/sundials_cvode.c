/* numeric/sundials_cvode.c -- CVODE of SUNDIALS as a stepper: BDF of order 1 to 5 with variable
 * steps, Newton's method. From: Cohen and Hindmarsh, Computers in Physics 10(2), 1996. */
#include "numeric/sundials_impl.h"

#include <cvode/cvode.h>
#include <math.h>

static int slope(realtype t, N_Vector x, N_Vector dx, void *user) {
  return sun_status(
      stepper_slope(user, sun_time(user, t), N_VGetArrayPointer(x), N_VGetArrayPointer(dx)));
}

static int jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix to, void *user, N_Vector t1,
                    N_Vector t2, N_Vector t3) {
  (void)t1, (void)t2, (void)t3;
  return sun_jacobian(user, sun_time(user, t), N_VGetArrayPointer(x), N_VGetArrayPointer(dx), 0, 1,
                      to);
}

static bool make(Stepper *s) {
  Sun *u = s->own;
  u->mem = CVodeCreate(CV_BDF, u->context);
  return u->mem && !CVodeSetErrHandlerFn(u->mem, sun_message, s) &&
         !CVodeInit(u->mem, slope, 0, u->x) && !CVodeWFtolerances(u->mem, sun_weights) &&
         !CVodeSetUserData(u->mem, s) && !CVodeSetLinearSolver(u->mem, u->linear, u->matrix) &&
         !CVodeSetJacFn(u->mem, jacobian);
}

static bool restart(Stepper *s, double h) {
  Sun *u = s->own;
  u->window_failures = 0;
  return !CVodeReInit(u->mem, 0, u->x) && !CVodeSetInitStep(u->mem, h);
}

/* Orders above 2 are not stable on the imaginary axis. CVODE can watch for that and lower the
 * order, at a fifth of its time; so it does while many steps fail, as they do then, and some time
 * after. */
static void guard(Sun *u) {
  enum { WINDOW = 64, MANY = 16, LONG = 2 };
  if (++u->window_steps < WINDOW)
    return;
  long failures = 0;
  CVodeGetNumErrTestFails(u->mem, &failures);
  bool many = failures - u->window_failures >= MANY;
  if (many && u->guarded == 0)
    CVodeSetStabLimDet(u->mem, SUNTRUE);
  else if (!many && u->guarded == 1)
    CVodeSetStabLimDet(u->mem, SUNFALSE);
  u->guarded = many ? LONG : u->guarded - (u->guarded > 0);
  u->window_steps = 0;
  u->window_failures = failures;
}

static int solve(Stepper *s, double until, double most, double *end) {
  Sun *u = s->own;
  if (!sun_limited(u, until, most) &&
      (CVodeSetMaxStep(u->mem, isfinite(most) ? most : 0) || CVodeSetStopTime(u->mem, until)))
    return NUM_FATAL;
  guard(u);
  int code = CVode(u->mem, until, u->x, end, CV_ONE_STEP);
  switch (code) {
  case CV_SUCCESS:
  case CV_TSTOP_RETURN:
  case CV_WARNING: return NUM_OK;
  case CV_CONSTR_FAIL: u->outside++; return NUM_RETRY;
  case CV_UNREC_RHSFUNC_ERR:
  case CV_RHSFUNC_FAIL:
  case CV_MEM_NULL:
  case CV_NO_MALLOC:
  case CV_ILL_INPUT: return NUM_FATAL;
  }
  return NUM_RETRY;
}

static bool values(Stepper *s, double at, N_Vector x) {
  Sun *u = s->own;
  return !CVodeGetDky(u->mem, at, 0, x);
}

static bool slopes(Stepper *s, double at, N_Vector dx) {
  Sun *u = s->own;
  return !CVodeGetDky(u->mem, at, 1, dx);
}

static int order(Stepper *s) {
  Sun *u = s->own;
  int out = 0;
  return CVodeGetLastOrder(u->mem, &out) ? 0 : out;
}

static double size(Stepper *s) {
  Sun *u = s->own;
  realtype h = 0;
  return CVodeGetCurrentStep(u->mem, &h) ? 0 : h;
}

static void counters(Stepper *s, long *failures, long *setups) {
  Sun *u = s->own;
  long tests = 0, iterations = 0;
  CVodeGetNumErrTestFails(u->mem, &tests);
  CVodeGetNumNonlinSolvConvFails(u->mem, &iterations);
  CVodeGetNumLinSolvSetups(u->mem, setups);
  *failures = tests + iterations;
}

static bool errors(Stepper *s, N_Vector e) {
  Sun *u = s->own;
  return !CVodeGetEstLocalErrors(u->mem, e);
}

static void release(Stepper *s) {
  Sun *u = s->own;
  CVodeFree(&u->mem);
}

static bool constrain(Stepper *s, N_Vector signs) {
  Sun *u = s->own;
  return !CVodeSetConstraints(u->mem, signs);
}

static const SunOps ops = {make, restart,  solve,  values,  slopes,   order,
                           size, counters, errors, release, constrain};

static bool init(Stepper *s, Arena *a) { return sun_init(s, a, &ops); }

const StepperKind stepper_cvode = {"cvode",
                                   "BDF of order 1 to 5 (SUNDIALS CVODE), for large stiff models",
                                   5,
                                   5,
                                   true,
                                   false,
                                   false,
                                   init,
                                   sun_begin,
                                   sun_step,
                                   sun_accept,
                                   sun_dense,
                                   sun_polynomial,
                                   sun_release,
                                   NULL};
