/* tests/bench/pair.c -- see pair.h.
 * From: Dormand and Prince, J. Comput. Appl. Math. 6 (1980); dense output and control of the step:
 * Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, sections II.4 to II.6;
 * roots: Dowell and Jarratt, BIT 11 (1971). */
#include "pair.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double c[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double w[7][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const double d5[7] = {-12715105075.0 / 11282082432.0,  0,
                             87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                             701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                             69997945.0 / 29380423.0};

typedef struct {
  const PairProblem *p;
  PairResult *out;
  double t, h, size, last; /* size: of the step at work */
  double x[PAIR_MOST], x1[PAIR_MOST], k[7][PAIR_MOST], dense[4][PAIR_MOST], g[PAIR_MOST];
  bool has_dense;
  int grid;
} Pair;

static void slope(Pair *q, double t, const double *x, double *dx) {
  q->out->evaluations++;
  q->p->slope(q->p->user, t, x, dx);
}

static void row(PairResult *out, double t, const double *x, int n) {
  out->rows++;
  out->sum += t;
  for (int i = 0; i < n; i++)
    out->sum += x[i];
}

/* ---- a step ---- */

static double try_step(Pair *q, double h) {
  const PairProblem *p = q->p;
  for (int s = 1; s < 7; s++) {
    for (int i = 0; i < p->n; i++) {
      double sum = 0;
      for (int r = 0; r < s; r++)
        sum += w[s][r] * q->k[r][i];
      q->x1[i] = q->x[i] + h * sum;
    }
    slope(q, q->t + c[s] * h, q->x1, q->k[s]);
  }
  double most = 0;
  for (int i = 0; i < p->n; i++) {
    double sum = 0;
    for (int s = 0; s < 7; s++)
      sum += e[s] * q->k[s][i];
    most = fmax(most, fabs(h * sum) / (p->rtol * fmax(fabs(q->x[i]), fabs(q->x1[i])) + p->atol));
  }
  return most;
}

static void good_step(Pair *q, double until) {
  const PairProblem *p = q->p;
  for (double h = fmin(fmin(q->h, until - q->t), p->stop / p->rows);;) {
    double error = try_step(q, h),
           factor = 0.9 * pow(fmax(error, 1e-10), -0.17) * (error <= 1 ? pow(q->last, 0.04) : 1);
    factor = fmin(10, fmax(0.2, factor));
    q->size = h;
    if (error <= 1) {
      q->h = h < q->h ? fmax(q->h, h * factor) : h * factor;
      q->last = fmax(error, 1e-4);
      break;
    }
    q->h = h *= fmin(factor, 1);
  }
  q->has_dense = false;
  q->out->steps++;
}

static void between(Pair *q, double theta, double *x) {
  double h = q->size, back = 1 - theta;
  for (int i = 0; i < q->p->n && !q->has_dense; i++) {
    double sum = 0;
    for (int s = 0; s < 7; s++)
      sum += d5[s] * q->k[s][i];
    q->dense[0][i] = q->x1[i] - q->x[i];
    q->dense[1][i] = h * q->k[0][i] - q->dense[0][i];
    q->dense[2][i] = q->dense[0][i] - h * q->k[6][i] - q->dense[1][i];
    q->dense[3][i] = h * sum;
  }
  q->has_dense = true;
  for (int i = 0; i < q->p->n; i++)
    x[i] = q->x[i] +
           theta * (q->dense[0][i] +
                    back * (q->dense[1][i] + theta * (q->dense[2][i] + back * q->dense[3][i])));
}

/* ---- roots ---- */

static double roots_at(Pair *q, double theta, double *x, double *g) {
  const PairProblem *p = q->p;
  between(q, theta, x);
  p->roots(p->user, q->t + theta * q->size, x, g);
  double least = INFINITY;
  for (int k = 0; k < p->n_roots; k++)
    least = fmin(least, g[k]);
  return least;
}

/* The end of the step is behind an event: theta just behind the first one, x and g there. */
static double locate(Pair *q, double *x, double *g) {
  double lo = 0, hi = 1, width = fmax(8 * DBL_EPSILON, 8 * DBL_EPSILON * fabs(q->t) / q->size);
  double f_lo = roots_at(q, 0, x, g), f_hi = roots_at(q, 1, x, g);
  /* a function that has just made an event begins at 0 */
  for (double theta = 0.5; f_lo <= 0 && theta > width; theta /= 2) {
    double f = roots_at(q, theta, x, g);
    if (f > 0)
      lo = theta, f_lo = f;
    else
      hi = theta, f_hi = f;
  }
  for (int side = 0, rounds = 0; hi - lo > width; rounds++) {
    double theta = rounds % 3 == 2 ? (lo + hi) / 2 : lo - f_lo * (hi - lo) / (f_hi - f_lo),
           sliver = 1e-3 * (hi - lo);
    theta = fmin(fmax(theta, lo + sliver), hi - sliver);
    if (!(theta > lo && theta < hi))
      break;
    double f = roots_at(q, theta, x, g);
    if (f >= 0) {
      lo = theta, f_lo = f;
      f_hi = side < 0 ? f_hi / 2 : f_hi;
      side = -1;
    } else {
      hi = theta, f_hi = f;
      f_lo = side > 0 ? f_lo / 2 : f_lo;
      side = 1;
    }
  }
  roots_at(q, hi, x, g);
  return hi;
}

static bool any_negative(const double *g, int n) {
  for (int k = 0; k < n; k++)
    if (g[k] < 0)
      return true;
  return false;
}

/* ---- the whole ---- */

/* Points in (t, end], or (t, end) if an event is at the end. */
static void grid_rows(Pair *q, double end, bool event) {
  const PairProblem *p = q->p;
  double x[PAIR_MOST];
  for (; q->grid <= p->rows &&
         p->stop * q->grid / p->rows <= (event ? end * (1 - 16 * DBL_EPSILON) : end);
       q->grid++) {
    double t = p->stop * q->grid / p->rows;
    between(q, (t - q->t) / q->size, x);
    row(q->out, t, x, p->n);
  }
}

static void handle(Pair *q, double t, const double *g) {
  const PairProblem *p = q->p;
  row(q->out, t, q->x, p->n);
  p->event(p->user, t, q->x, g);
  row(q->out, t, q->x, p->n);
  q->out->events++;
  while (q->grid <= p->rows && p->stop * q->grid / p->rows <= t * (1 + 16 * DBL_EPSILON))
    q->grid++; /* there is a row already */
  q->t = t;
  q->last = 1e-4;
  slope(q, t, q->x, q->k[0]);
}

static void advance(Pair *q, double until, bool timed) {
  const PairProblem *p = q->p;
  double x[PAIR_MOST];
  good_step(q, until);
  double end = q->size >= until - q->t ? until : q->t + q->size;
  if (p->n_roots)
    p->roots(p->user, end, q->x1, q->g);
  if (any_negative(q->g, p->n_roots)) {
    double theta = locate(q, x, q->g), t = q->t + theta * q->size;
    grid_rows(q, t, true);
    memcpy(q->x, x, (size_t)p->n * sizeof *x);
    handle(q, t, q->g);
    return;
  }
  grid_rows(q, end, end >= until && timed);
  memcpy(q->x, q->x1, (size_t)p->n * sizeof *q->x);
  memcpy(q->k[0], q->k[6], (size_t)p->n * sizeof *q->x);
  q->t = end;
  if (end >= until && timed)
    handle(q, end, NULL);
}

void pair_solve(const PairProblem *p, const double *start, PairResult *out) {
  static Pair q;
  q = (Pair){.p = p, .out = out, .h = 1e-4 * p->stop / p->rows, .last = 1e-4, .grid = 1};
  *out = (PairResult){0};
  memcpy(q.x, start, (size_t)p->n * sizeof *start);
  row(out, 0, q.x, p->n);
  while (p->next && p->next(p->user) <= 0)
    p->event(p->user, 0, q.x, NULL), out->events++;
  slope(&q, 0, q.x, q.k[0]);
  while (q.t < p->stop) {
    double next = p->next ? p->next(p->user) : INFINITY;
    advance(&q, fmin(next, p->stop), next < p->stop);
  }
  memcpy(out->x, q.x, sizeof q.x);
}

/* ---- CVODE ---- */

static int cvode_slope(realtype t, N_Vector x, N_Vector dx, void *user) {
  const PairProblem *p = user;
  p->slope(p->user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
  return 0;
}

static int cvode_roots(realtype t, N_Vector x, realtype *g, void *user) {
  const PairProblem *p = user;
  p->roots(p->user, t, N_VGetArrayPointer(x), g);
  return 0;
}

static bool cvode_run(const PairProblem *p, void *mem, N_Vector v, PairResult *out) {
  double *x = N_VGetArrayPointer(v), t = 0, g[PAIR_MOST];
  int flag = CV_SUCCESS, grid = 1, hit[PAIR_MOST];
  while (t < p->stop && flag >= 0) {
    double next = fmin(p->next ? p->next(p->user) : INFINITY, p->stop),
           at = fmin(p->stop * grid / p->rows, next);
    CVodeSetStopTime(mem, next);
    flag = CVode(mem, at, v, &t, CV_NORMAL);
    row(out, t, x, p->n);
    while (grid <= p->rows && p->stop * grid / p->rows <= t * (1 + 1e-9))
      grid++;
    bool due = flag != CV_ROOT_RETURN && t >= next && t < p->stop;
    if (flag != CV_ROOT_RETURN && !due)
      continue;
    if (flag == CV_ROOT_RETURN) {
      p->roots(p->user, t, x, g);
      CVodeGetRootInfo(mem, hit);
      for (int k = 0; k < p->n_roots; k++)
        g[k] = hit[k] ? -DBL_MIN : fmax(g[k], 0);
    }
    p->event(p->user, t, x, due ? NULL : g);
    row(out, t, x, p->n);
    out->events++;
    long steps = 0, evaluations = 0;
    CVodeGetNumSteps(mem, &steps), CVodeGetNumRhsEvals(mem, &evaluations);
    out->steps += steps, out->evaluations += evaluations;
    CVodeReInit(mem, t, v);
  }
  return flag >= 0;
}

bool pair_cvode(const PairProblem *p, const double *start, PairResult *out) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector x = N_VNew_Serial(p->n, context);
  *out = (PairResult){0};
  memcpy(N_VGetArrayPointer(x), start, (size_t)p->n * sizeof *start);
  row(out, 0, start, p->n);
  while (p->next && p->next(p->user) <= 0)
    p->event(p->user, 0, N_VGetArrayPointer(x), NULL), out->events++;
  SUNMatrix a = SUNDenseMatrix(p->n, p->n, context);
  SUNLinearSolver ls = SUNLinSol_Dense(x, a, context);
  void *mem = CVodeCreate(CV_BDF, context);
  int down[PAIR_MOST];
  for (int k = 0; k < PAIR_MOST; k++)
    down[k] = -1;
  CVodeInit(mem, cvode_slope, 0, x);
  CVodeSStolerances(mem, p->rtol, p->atol);
  CVodeSetUserData(mem, (void *)(uintptr_t)p);
  CVodeSetLinearSolver(mem, ls, a);
  CVodeSetMaxNumSteps(mem, 10000000);
  CVodeSetMaxStep(mem, p->stop / p->rows);
  if (p->n_roots) {
    CVodeRootInit(mem, p->n_roots, cvode_roots);
    CVodeSetRootDirection(mem, down);
    CVodeSetNoInactiveRootWarn(mem);
  }
  bool ok = cvode_run(p, mem, x, out);
  long steps = 0, evaluations = 0;
  CVodeGetNumSteps(mem, &steps), CVodeGetNumRhsEvals(mem, &evaluations);
  out->steps += steps, out->evaluations += evaluations;
  memcpy(out->x, N_VGetArrayPointer(x), (size_t)p->n * sizeof *out->x);
  CVodeFree(&mem);
  SUNLinSolFree(ls);
  SUNMatDestroy(a);
  N_VDestroy(x);
  SUNContext_Free(&context);
  return ok;
}
