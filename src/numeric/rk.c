/* numeric/rk.c -- explicit Runge-Kutta pair of order 5(4) with dense output.
 * From: Dormand and Prince, J. Comput. Appl. Math. 6 (1980); dense output of order 4, first step and controller: Hairer, Norsett
 *       and Wanner, Solving Ordinary Differential Equations I, sections II.4 to II.6.
 * Keep: the last stage is the slope at the end of the step, so an accepted step costs six evaluations. */
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = 7 };
static const double c[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
/* b - b^: error of the lower order */
static const double e[STAGES] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
/* the fifth coefficient of the dense output */
static const double d5[STAGES] = {-12715105075.0 / 11282082432.0, 0, 87487479700.0 / 32700410799.0, -10690763975.0 / 1880347072.0,
                                  701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0};

/* The controller: safety, damping by the last error, and the range of one change. */
static const double safety = 0.9, beta = 0.04, least_factor = 0.2, most_factor = 10;
static const double order = 5;

void rk_init(Rk *rk, Arena *arena, int n, RkFunction *f, void *user) {
  *rk = (Rk){.n = n, .f = f, .user = user, .last_error = 1e-4};
  rk->x = NEW_ARRAY(arena, double, n + 1);
  rk->x1 = NEW_ARRAY(arena, double, n + 1);
  rk->trial = NEW_ARRAY(arena, double, n + 1);
  for (int s = 0; s < STAGES; s++)
    rk->k[s] = NEW_ARRAY(arena, double, n + 1);
  for (int s = 0; s < 3; s++)
    rk->dense[s] = NEW_ARRAY(arena, double, n + 1);
}

static int slope(Rk *rk, int stage, double t, const double *x, double *dx) {
  rk->stage = stage;
  rk->evaluations++;
  int status = rk->f(rk->user, t, x, dx);
  for (int i = 0; i < rk->n && status == NUM_OK; i++)
    if (!isfinite(dx[i]))
      status = NUM_RETRY;
  return status;
}

int rk_begin(Rk *rk, double t, const double *x) {
  rk->t = t;
  rk->h = 0;
  rk->has_dense = false;
  rk->last_error = 1e-4;
  memcpy(rk->x, x, (size_t)rk->n * sizeof *x);
  return slope(rk, 0, t, rk->x, rk->k[0]);
}

int rk_try(Rk *rk, double h, double rtol, const double *atol, double *error) {
  rk->h = h;
  rk->has_dense = false;
  for (int s = 1; s < STAGES; s++) {
    double *x = s == STAGES - 1 ? rk->x1 : rk->trial;
    for (int i = 0; i < rk->n; i++) {
      double sum = 0;
      for (int q = 0; q < s; q++)
        sum += a[s][q] * rk->k[q][i];
      x[i] = rk->x[i] + h * sum;
    }
    int status = slope(rk, s, rk->t + c[s] * h, x, rk->k[s]);
    if (status != NUM_OK)
      return status;
  }
  double worst = 0;
  for (int i = 0; i < rk->n; i++) {
    double sum = 0;
    for (int s = 0; s < STAGES; s++)
      sum += e[s] * rk->k[s][i];
    double weight = rtol * fmax(fabs(rk->x[i]), fabs(rk->x1[i])) + atol[i];
    double part = fabs(h * sum) / weight;
    if (!(part <= worst))
      rk->worst = i;
    worst = isfinite(part) ? fmax(worst, part) : INFINITY;
  }
  *error = worst;
  return isfinite(worst) ? NUM_OK : NUM_RETRY;
}

void rk_accept(Rk *rk) {
  rk->t += rk->h;
  memcpy(rk->x, rk->x1, (size_t)rk->n * sizeof *rk->x);
  memcpy(rk->k[0], rk->k[STAGES - 1], (size_t)rk->n * sizeof *rk->x);
  rk->has_dense = false;
}

double rk_next_step(Rk *rk, double h, double error, bool accepted) {
  double err = fmax(error, 1e-10), exponent = 1 / order - 0.75 * beta;
  double factor = safety * pow(err, -exponent) * (accepted ? pow(rk->last_error, beta) : 1);
  factor = fmin(most_factor, fmax(least_factor, factor));
  if (accepted)
    rk->last_error = fmax(error, 1e-4);
  else
    factor = fmin(factor, 1);
  return h * factor;
}

int rk_first_step(Rk *rk, double rtol, const double *atol, double most, double *h) {
  double d0 = 0, d1 = 0, d2 = 0;
  for (int i = 0; i < rk->n; i++) {
    double w = rtol * fabs(rk->x[i]) + atol[i];
    d0 = fmax(d0, fabs(rk->x[i]) / w), d1 = fmax(d1, fabs(rk->k[0][i]) / w);
  }
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  h0 = fmin(h0, most);
  for (int i = 0; i < rk->n; i++)
    rk->trial[i] = rk->x[i] + h0 * rk->k[0][i];
  int status = slope(rk, 1, rk->t + h0, rk->trial, rk->k[1]);
  *h = h0;
  if (status != NUM_OK)
    return status == NUM_RETRY ? NUM_OK : status;
  for (int i = 0; i < rk->n; i++) {
    double w = rtol * fabs(rk->x[i]) + atol[i];
    d2 = fmax(d2, fabs(rk->k[1][i] - rk->k[0][i]) / w / h0);
  }
  double d = fmax(d1, d2), h1 = d <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / d, 1 / order);
  *h = fmin(most, d <= 1e-15 ? most : fmin(100 * h0, h1));
  return NUM_OK;
}

void rk_dense(Rk *rk, double theta, double *x) {
  int n = rk->n;
  double h = rk->h;
  if (!rk->has_dense) {
    for (int i = 0; i < n; i++) {
      double difference = rk->x1[i] - rk->x[i], spline = h * rk->k[0][i] - difference, sum = 0;
      for (int s = 0; s < STAGES; s++)
        sum += d5[s] * rk->k[s][i];
      rk->dense[0][i] = spline;
      rk->dense[1][i] = difference - h * rk->k[STAGES - 1][i] - spline;
      rk->dense[2][i] = h * sum;
    }
    rk->has_dense = true;
  }
  double back = 1 - theta;
  for (int i = 0; i < n; i++) {
    double difference = rk->x1[i] - rk->x[i];
    x[i] = rk->x[i] + theta * (difference + back * (rk->dense[0][i] + theta * (rk->dense[1][i] + back * rk->dense[2][i])));
  }
}
