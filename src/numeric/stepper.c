/* numeric/stepper.c -- the table of methods, and what the methods have in common: weights, error
 * shares, first step, control. From: Hairer, Norsett and Wanner, Solving Ordinary Differential
 * Equations I, section II.4. */
#include "numeric/stepper.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const StepperKind *const kinds[] = {&stepper_ida,  &stepper_cvode, &stepper_rosenbrock,
                                           &stepper_rk45, &stepper_rkf45, &stepper_rk4,
                                           &stepper_euler};

const StepperKind *stepper_kind_at(size_t i) {
  return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}

const StepperKind *stepper_kind(const char *name) {
  if (!strcmp(name, "dassl"))
    return &stepper_ida;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (!strcmp(kinds[k]->name, name))
      return kinds[k];
  return NULL;
}

static const double least_error = 1e-4; /* 1: that the controller remembers */

/* ---- life ---- */

Stepper *stepper_new(const StepperKind *kind, const StepProblem *p, Arena *a) {
  Stepper *s = NEW(a, Stepper);
  s->kind = kind;
  s->p = *p;
  double **vectors[] = {&s->x,     &s->x1,     &s->dx,      &s->error,
                        &s->share, &s->weight, &s->scratch, &s->small};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    *vectors[k] = NEW_ARRAY(a, double, p->n + 1);
  for (int i = 0; i < p->n; i++)
    s->small[i] = p->small ? p->small[i] : 0.1 * p->atol[i] / p->rtol;
  s->stiffness = -1;
  if (kind->init(s, a))
    return s;
  stepper_free(s);
  return NULL;
}

void stepper_keep(Stepper *s, Tape *t) {
  tape_value(t, s->t), tape_value(t, s->t1), tape_value(t, s->next);
  tape_value(t, s->trials), tape_value(t, s->outside), tape_flag(t, &s->at_end),
      tape_flag(t, &s->has_dense);
  tape_value(t, s->stiffness), tape_value(t, s->last_error), tape_value(t, s->shares),
      tape_value(t, s->stats);
  double *const vectors[] = {s->x, s->x1, s->dx, s->error, s->share, s->small};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    tape_array(t, vectors[k], s->p.n);
  if (s->kind->keep)
    s->kind->keep(s, t);
}

void stepper_forget(Stepper *s) {
  s->trials = 0;
  s->stats = (StepStats){0};
  s->shares = 0;
  memset(s->share, 0, (size_t)s->p.n * sizeof *s->share);
}

void stepper_free(Stepper *s) {
  if (s && s->kind->free)
    s->kind->free(s);
}

int stepper_begin(Stepper *s, double t, const double *x, double h) {
  s->t = s->t1 = t;
  s->next = h;
  s->last_error = least_error;
  s->message[0] = 0;
  s->stiffness = -1;
  s->has_dense = false;
  memmove(s->x, x, (size_t)s->p.n * sizeof *x);
  memcpy(s->x1, s->x, (size_t)s->p.n * sizeof *x);
  int status = stepper_slope(s, t, s->x, s->dx);
  return status == NUM_OK && s->kind->begin ? s->kind->begin(s) : status;
}

int stepper_step(Stepper *s, double until, double most) {
  s->message[0] = 0;
  s->at_end = false;
  return s->kind->step(s, until, most);
}

void stepper_accept(Stepper *s) {
  s->stats.steps++;
  if (s->kind->accept)
    s->kind->accept(s);
  s->t = s->t1;
  memcpy(s->x, s->x1, (size_t)s->p.n * sizeof *s->x);
}

void stepper_dense(Stepper *s, double theta, double *x) {
  if (theta <= 0 || s->t1 == s->t)
    memmove(x, s->x, (size_t)s->p.n * sizeof *x);
  else if (theta >= 1)
    memmove(x, s->x1, (size_t)s->p.n * sizeof *x);
  else
    s->kind->dense(s, theta, x);
}

int stepper_polynomial(Stepper *s, int i, double *c) {
  if (s->t1 != s->t)
    return s->kind->polynomial(s, i, c);
  c[0] = s->x[i];
  return 0;
}

double stepper_least(const Stepper *s) {
  return 16 * DBL_EPSILON * fmax(fabs(s->t), 1e-16 * s->p.span);
}

/* ---- evaluation and errors ---- */

int stepper_slope(Stepper *s, double t, const double *x, double *dx) {
  s->stats.evaluations++;
  int status = s->p.f(s->p.user, t, x, dx), n = s->p.n;
  bool bad = false;
  if (s->p.finite)
    return status;
  for (int i = 0; i < n; i++)
    bad |= !(fabs(dx[i]) <= DBL_MAX);
  return status == NUM_OK && bad ? NUM_RETRY : status;
}

double stepper_noise(const Stepper *s) {
  return fmax(s->p.noise ? s->p.noise(s->p.user) : 0, DBL_EPSILON);
}

int stepper_jacobian(Stepper *s, Jacobian *j, const StepPoint *at, double *ft, bool *has_ft) {
  s->stats.jacobians++;
  *has_ft = false;
  int status = s->p.jacobian ? s->p.jacobian(s->p.user, at->t, at->x, j->values, ft) : NUM_RETRY;
  for (int q = 0; q < pattern_count(&j->p) && status == NUM_OK; q++)
    if (!isfinite(j->values[q]))
      status = NUM_RETRY;
  if (status != NUM_RETRY) {
    *has_ft = ft != NULL;
    return status;
  }
  JacobianPoint point = {at->t,  at->h,    at->x, at->dx, s->small, stepper_noise(s),
                         s->p.f, s->p.user};
  s->stats.differenced++;
  return jacobian_difference(j, &point, &s->stats.evaluations);
}

void stepper_weigh(Stepper *s, const double *x) {
  for (int i = 0; i < s->p.n; i++)
    s->weight[i] = s->p.rtol * fabs(x[i]) + s->p.atol[i];
}

double stepper_note_error(Stepper *s, const double *e, double h, const double *x1) {
  const double *restrict x = s->x, *restrict atol = s->p.atol;
  double *restrict error = s->error, *restrict share = s->share;
  double most = 0, sum = 0, rtol = s->p.rtol;
  int n = s->p.n;
  for (int i = 0; i < n; i++) {
    double a = fabs(x[i]), b = fabs(x1[i]),
           part = fabs(h * e[i]) / (rtol * (a > b ? a : b) + atol[i]);
    error[i] = part;
    most = part > most ? part : most;
    sum += part * part;
  }
  if (!isfinite(sum)) {
    most = INFINITY;
    for (int i = 0; i < n; i++)
      error[i] = isfinite(error[i]) ? error[i] : INFINITY;
  } else if (sum > 0) {
    /* who had which part of it */
    double whole = 1 / sum;
    for (int i = 0; i < n; i++)
      share[i] += error[i] * error[i] * whole;
    s->shares++;
  }
  return most;
}

int stepper_limiting(const double *share, int n, int *states, int most) {
  int found = 0;
  for (int i = 0; i < n; i++) {
    if (!(share[i] > 0))
      continue;
    /* insertion from the end; what does not fit falls off */
    int k = found < most ? found++ : most;
    for (; k > 0 && share[i] > share[states[k - 1]]; k--)
      if (k < most)
        states[k] = states[k - 1];
    if (k < most)
      states[k] = i;
  }
  return found;
}

/* ---- step sizes ---- */

int stepper_first_step(Stepper *s, double most, double order, double *h) {
  double d0 = 0, d1 = 0, d2 = 0;
  stepper_weigh(s, s->x);
  for (int i = 0; i < s->p.n; i++)
    d0 = fmax(d0, fabs(s->x[i]) / s->weight[i]), d1 = fmax(d1, fabs(s->dx[i]) / s->weight[i]);
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  h0 = fmin(h0, most);
  for (int i = 0; i < s->p.n; i++)
    s->x1[i] = s->x[i] + h0 * s->dx[i];
  int status = stepper_slope(s, s->t + h0, s->x1, s->scratch);
  *h = h0;
  if (status != NUM_OK)
    return status == NUM_RETRY ? NUM_OK : status;
  for (int i = 0; i < s->p.n; i++)
    d2 = fmax(d2, fabs(s->scratch[i] - s->dx[i]) / s->weight[i] / h0);
  double d = fmax(d1, d2), h1 = d <= 1e-15 ? most : pow(0.01 / d, 1 / order);
  *h = fmin(most, fmin(100 * h0, h1));
  if (d <= 1e-15)
    *h = most;
  return NUM_OK;
}

/* How far x1 is outside of its bounds, in weights of the largest excess. */
static double outside(const Stepper *s) {
  double most = 0;
  for (int i = 0; i < s->p.n && s->p.low; i++) {
    double x = s->x1[i], over = fmax(s->p.low[i] - x, x - s->p.high[i]);
    if (over > 0)
      most = fmax(most, over / (s->p.rtol * fabs(s->x[i]) + s->p.atol[i]));
  }
  return most;
}

/* Must the step be made again because it leads out of the bounds? A motion that leaves them
 * whatever the step is not kept from it. */
static bool leaves_bounds(Stepper *s) {
  double over = s->p.low ? outside(s) : 0;
  if (over == 0)
    s->outside = 0;
  return over > 1 && s->outside++ < MOST_OUTSIDE;
}

static double next_size(Stepper *s, const StepControl *c, double h, double error, bool good) {
  double err = fmax(error, 1e-10);
  double factor = c->safety * pow(err, -c->exponent);
  if (good)
    factor *= s->last_error == least_error ? c->fresh : pow(s->last_error, c->damping);
  factor = fmin(c->most, fmax(c->least, factor));
  if (good)
    s->last_error = fmax(error, least_error);
  return h * (good ? factor : fmin(factor, 1));
}

int stepper_attempts(Stepper *s, double until, double most, const StepControl *control,
                     StepTrial *trial) {
  double rest = until - s->t, limit = fmin(rest, most);
  if (!(s->next > 0)) {
    int status = stepper_first_step(s, fmin(limit, s->p.span), s->kind->order, &s->next);
    if (status != NUM_OK)
      return status;
  }
  /* no sliver of a step at the end */
  if (s->next < rest && s->next > 0.6 * rest)
    limit = fmin(limit, rest / 2);
  double least = stepper_least(s);
  for (double h = fmin(fmax(s->next, least), limit);;) {
    double error = INFINITY, end = h >= rest ? until : s->t + h;
    s->trials++;
    /* The step that the time really makes: far from 0 it is rounded */
    int status = trial(s, end - s->t, &error);
    if (status == NUM_OK && error <= 1 && leaves_bounds(s))
      status = NUM_RETRY;
    if (status == NUM_OK && error <= 1) {
      double next = next_size(s, control, h, error, true);
      /* a step cut short by the limit says little about the next */
      s->next = h < s->next ? fmax(s->next, next) : next;
      s->t1 = end;
      return NUM_OK;
    }
    s->stats.rejected++;
    if (status == NUM_FATAL || h <= least)
      return status == NUM_FATAL ? NUM_FATAL : NUM_RETRY;
    h = fmax(least, status == NUM_OK ? next_size(s, control, h, error, false) : h / 4);
    s->next = h;
  }
}
