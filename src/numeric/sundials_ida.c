/* numeric/sundials_ida.c -- IDA of SUNDIALS, the successor of DASSL, as a stepper: BDF of order 1
 * to 5 in fixed-leading-coefficient form on the residual F(t, x, xdot) = xdot - f(t, x).
 * From: Brenan, Campbell and Petzold, Numerical Solution of Initial-Value Problems in
 * Differential-Algebraic Equations (1996). */
#include "numeric/sundials_impl.h"

#include <ida/ida.h>
#include <math.h>

static int residual(realtype t, N_Vector x, N_Vector dx, N_Vector r, void *user) {
  Stepper *s = user;
  double *out = N_VGetArrayPointer(r), *slope = N_VGetArrayPointer(dx);
  int status = stepper_slope(s, sun_time(s, t), N_VGetArrayPointer(x), out);
  for (int i = 0; i < s->p.n; i++)
    out[i] = slope[i] - out[i];
  return sun_status(status);
}

static int implicit_residual(realtype t, N_Vector x, N_Vector dx, N_Vector r, void *user) {
  Stepper *s = user;
  double *out = N_VGetArrayPointer(r);
  s->stats.evaluations++;
  int status = s->p.residual(s->p.user, sun_time(s, t), N_VGetArrayPointer(x),
                             N_VGetArrayPointer(dx), out);
  for (int i = 0; i < s->p.n && status == NUM_OK; i++)
    if (!isfinite(out[i]))
      status = NUM_RETRY;
  return sun_status(status);
}

static int implicit_jacobian(realtype t, realtype c, N_Vector x, N_Vector dx, N_Vector r,
                             SUNMatrix to, void *user, N_Vector t1, N_Vector t2, N_Vector t3) {
  Stepper *s = user;
  Sun *u = s->own;
  (void)r, (void)t1, (void)t2, (void)t3;
  s->stats.jacobians++;
  int status = s->p.implicit_jacobian(s->p.user, sun_time(s, t), N_VGetArrayPointer(x),
                                      N_VGetArrayPointer(dx), c, u->j.values);
  for (int q = 0; q < pattern_count(&u->j.p) && status == NUM_OK; q++)
    if (!isfinite(u->j.values[q]))
      status = NUM_RETRY;
  if (status == NUM_OK)
    sun_store(&u->j, 0, 1, to);
  return sun_status(status);
}

/* Which components have a derivative. */
static bool set_kinds(Stepper *s) {
  Sun *u = s->own;
  N_Vector id = N_VNew_Serial(s->p.n, u->context);
  for (int i = 0; i < s->p.n && id; i++)
    N_VGetArrayPointer(id)[i] = s->p.differential[i];
  bool ok = id && !IDASetId(u->mem, id) && !IDASetSuppressAlg(u->mem, SUNTRUE);
  if (id)
    N_VDestroy(id);
  return ok;
}

/* dF/dx + c dF/dxdot = c I - J */
static int jacobian(realtype t, realtype c, N_Vector x, N_Vector dx, N_Vector r, SUNMatrix to,
                    void *user, N_Vector t1, N_Vector t2, N_Vector t3) {
  Stepper *s = user;
  (void)t2, (void)t3;
  double *f = N_VGetArrayPointer(t1), *slope = N_VGetArrayPointer(dx),
         *rest = N_VGetArrayPointer(r);
  for (int i = 0; i < s->p.n; i++)
    f[i] = slope[i] - rest[i];
  return sun_jacobian(s, sun_time(s, t), N_VGetArrayPointer(x), f, c, -1, to);
}

static bool make(Stepper *s) {
  Sun *u = s->own;
  u->mem = IDACreate(u->context);
  bool implicit = s->p.residual != NULL, own = implicit && !s->p.implicit_jacobian;
  return u->mem && !IDASetErrHandlerFn(u->mem, sun_message, s) &&
         !IDAInit(u->mem, implicit ? implicit_residual : residual, 0, u->x, u->dx) &&
         !IDAWFtolerances(u->mem, sun_weights) && !IDASetUserData(u->mem, s) &&
         !IDASetLinearSolver(u->mem, u->linear, u->matrix) &&
         (own || !IDASetJacFn(u->mem, implicit ? implicit_jacobian : jacobian)) &&
         (!implicit || set_kinds(s));
}

/* IDA's own first step may be so small that it does not move the time. */
static double first_step(Stepper *s) {
  double sum = 0;
  stepper_weigh(s, s->x);
  for (int i = 0; i < s->p.n; i++)
    sum += s->dx[i] / s->weight[i] * (s->dx[i] / s->weight[i]);
  double slope = sqrt(sum / s->p.n), most = 1e-3 * s->p.span;
  return fmax(slope * most > 0.5 ? 0.5 / slope : most, 4 * stepper_least(s));
}

static bool restart(Stepper *s, double h) {
  Sun *u = s->own;
  h = h > 0 ? h : first_step(s);
  return !IDAReInit(u->mem, 0, u->x, u->dx) && !IDASetInitStep(u->mem, h);
}

static int solve(Stepper *s, double until, double most, double *end) {
  Sun *u = s->own;
  /* infinity is no limit to IDA */
  if (!sun_limited(u, until, most) &&
      (IDASetMaxStep(u->mem, isfinite(most) ? most : 0) || IDASetStopTime(u->mem, until)))
    return NUM_FATAL;
  int code = IDASolve(u->mem, until, end, u->x, u->dx, IDA_ONE_STEP);
  switch (code) {
  case IDA_SUCCESS:
  case IDA_TSTOP_RETURN:
  case IDA_WARNING: return NUM_OK;
  case IDA_RES_FAIL:
  case IDA_MEM_NULL:
  case IDA_NO_MALLOC:
  case IDA_ILL_INPUT: return NUM_FATAL;
  }
  return NUM_RETRY;
}

static bool values(Stepper *s, double at, N_Vector x) {
  Sun *u = s->own;
  return !IDAGetDky(u->mem, at, 0, x);
}

static int order(Stepper *s) {
  Sun *u = s->own;
  int out = 0;
  return IDAGetLastOrder(u->mem, &out) ? 0 : out;
}

static double size(Stepper *s) {
  Sun *u = s->own;
  realtype h = 0;
  return IDAGetCurrentStep(u->mem, &h) ? 0 : h;
}

static void counters(Stepper *s, long *failures, long *setups) {
  Sun *u = s->own;
  long tests = 0, iterations = 0;
  IDAGetNumErrTestFails(u->mem, &tests);
  IDAGetNumNonlinSolvConvFails(u->mem, &iterations);
  IDAGetNumLinSolvSetups(u->mem, setups);
  *failures = tests + iterations;
  /* a Jacobian that IDA differences itself */
  long jacobians = 0, evaluations = 0;
  if (s->p.residual && !s->p.implicit_jacobian && !IDAGetNumJacEvals(u->mem, &jacobians) &&
      !IDAGetNumLinResEvals(u->mem, &evaluations))
    s->stats.jacobians += (uint64_t)(jacobians - u->jacobians),
        s->stats.differenced += (uint64_t)(jacobians - u->jacobians);
  u->jacobians = jacobians;
}

static bool errors(Stepper *s, N_Vector e) {
  Sun *u = s->own;
  bool ok = !IDAGetEstLocalErrors(u->mem, e);
  for (int i = 0; i < s->p.n && s->p.differential; i++)
    if (!s->p.differential[i])
      N_VGetArrayPointer(e)[i] = 0;
  return ok;
}

static void release(Stepper *s) {
  Sun *u = s->own;
  IDAFree(&u->mem);
}

static const SunOps ops = {make, restart,  solve,  values,  NULL, order,
                           size, counters, errors, release, NULL};

static bool init(Stepper *s, Arena *a) { return sun_init(s, a, &ops); }

const StepperKind stepper_ida = {
    "ida",
    "BDF of order 1 to 5 on the residual form (SUNDIALS IDA, successor of DASSL)",
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
