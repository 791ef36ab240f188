/* numeric/sundials_common.c -- the part of the adapters of CVODE and IDA that is the same: vectors,
 * matrix and linear solver by size, Jacobian, steps with a second try from a smaller size, dense
 * output.
 * From: Hindmarsh et al., ACM Trans. Math. Softw. 31(3), 2005.
 * Keep: the libraries never print: their messages end up in Stepper.message. Their root finding is
 *       not used. */
#include "numeric/sundials_impl.h"

#include "base/limits.h"
#include "numeric/bernstein.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

int sun_status(int status) { return status == NUM_OK ? 0 : status == NUM_RETRY ? 1 : -1; }

void sun_message(int code, const char *module, const char *function, char *text, void *user) {
  Stepper *s = user;
  (void)code, (void)function;
  const Sun *u = s->own;
  if (u && u->origin != 0)
    snprintf(s->message, sizeof s->message, "%s, with t from %.10g on: %s", module, u->origin,
             text);
  else
    snprintf(s->message, sizeof s->message, "%s: %s", module, text);
}

int sun_weights(N_Vector x, N_Vector out, void *user) {
  const Stepper *s = user;
  const double *value = N_VGetArrayPointer(x);
  double *weight = N_VGetArrayPointer(out);
  for (int i = 0; i < s->p.n; i++)
    weight[i] = 1 / (s->p.rtol * fabs(value[i]) + s->p.atol[i]);
  return 0;
}

/* ---- life ---- */

static bool make_linear(Stepper *s) {
  Sun *u = s->own;
  sunindextype n = s->p.n;
  if (pattern_is_sparse(&u->j.p)) {
    u->matrix = SUNSparseMatrix(n, n, pattern_count(&u->j.p), CSC_MAT, u->context);
    u->linear = u->matrix ? SUNLinSol_KLU(u->x, u->matrix, u->context) : NULL;
  } else {
    u->matrix = SUNDenseMatrix(n, n, u->context);
    u->linear = u->matrix ? SUNLinSol_Dense(u->x, u->matrix, u->context) : NULL;
  }
  return u->linear != NULL;
}

bool sun_init(Stepper *s, Arena *a, const SunOps *ops) {
  Sun *u = s->own = NEW(a, Sun);
  int n = s->p.n;
  u->ops = ops;
  u->arena = a;
  u->fresh = true;
  u->norm = -1;
  Pattern p = s->p.pattern ? *s->p.pattern : pattern_full(n, a);
  jacobian_init(&u->j, &p, a);
  u->shift = NEW_ARRAY(a, double, n + 1);
  u->pressed = NEW_ARRAY(a, int, n + 1);
  u->nodes = NEW_ARRAY(a, double, (STEPPER_DEGREE - 1) * (size_t)n + 1);
  double *between = NEW_ARRAY(a, double, n + 1), *slope = NEW_ARRAY(a, double, n + 1),
         *signs = NEW_ARRAY(a, double, n + 1);
  if (SUNContext_Create(NULL, &u->context))
    return false;
  u->x = N_VMake_Serial(n, s->x1, u->context);
  u->dx = N_VMake_Serial(n, slope, u->context);
  u->errors = N_VMake_Serial(n, s->scratch, u->context);
  u->between = N_VMake_Serial(n, between, u->context);
  u->signs = N_VMake_Serial(n, signs, u->context);
  return u->x && u->dx && u->errors && u->between && u->signs && make_linear(s) && ops->make(s);
}

void sun_release(Stepper *s) {
  Sun *u = s->own;
  if (!u || !u->context)
    return;
  shifted_free(u->shifted);
  if (u->mem)
    u->ops->release(s);
  if (u->linear)
    SUNLinSolFree(u->linear);
  if (u->matrix)
    SUNMatDestroy(u->matrix);
  N_Vector *const vectors[] = {&u->x, &u->dx, &u->errors, &u->between, &u->signs};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    if (*vectors[k])
      N_VDestroy(*vectors[k]);
  SUNContext_Free(&u->context);
  s->own = NULL;
}

/* ---- Jacobian ---- */

void sun_store(const Jacobian *j, double c, double sign, SUNMatrix to) {
  const Pattern *p = &j->p;
  bool sparse = SUNMatGetID(to) == SUNMATRIX_SPARSE;
  for (int k = 0; k < p->n; k++) {
    if (sparse)
      SM_INDEXPTRS_S(to)[k] = p->start[k];
    for (int q = p->start[k]; q < p->start[k + 1]; q++) {
      double value = sign * j->values[q] + (p->rows[q] == k ? c : 0);
      if (sparse)
        SM_INDEXVALS_S(to)[q] = p->rows[q], SM_DATA_S(to)[q] = value;
      else
        SM_ELEMENT_D(to, p->rows[q], k) = value;
    }
  }
  if (sparse)
    SM_INDEXPTRS_S(to)[p->n] = p->start[p->n];
}

int sun_jacobian(Stepper *s, double t, const double *x, const double *dx, double c, double sign,
                 SUNMatrix to) {
  Sun *u = s->own;
  bool has_ft;
  int status = stepper_jacobian(s, &u->j, &(StepPoint){t, u->ops->size(s), x, dx}, NULL, &has_ft);
  if (status != NUM_OK)
    return sun_status(status);
  stepper_weigh(s, x);
  u->norm = jacobian_norm(&u->j, s->weight);
  sun_store(&u->j, c, sign, to);
  return 0;
}

/* ---- steps ---- */

double sun_time(const Stepper *s, double at) {
  const Sun *u = s->own;
  return u->origin + at;
}

int sun_begin(Stepper *s) {
  Sun *u = s->own;
  u->fresh = true;
  u->has_shift = u->straight = false;
  u->degree = 0;
  return NUM_OK;
}

static void read_counters(Stepper *s) {
  Sun *u = s->own;
  long failures = 0, setups = 0;
  u->ops->counters(s, &failures, &setups);
  s->stats.rejected += (uint64_t)(failures - u->failures);
  s->stats.factorizations += (uint64_t)(setups - u->setups);
  u->failures = failures;
  u->setups = setups;
}

/* A library forgets its limit when it has reached it. */
bool sun_limited(Sun *u, double until, double most) {
  bool known = u->limited && u->until == until && u->most == most;
  u->limited = true, u->until = until, u->most = most;
  return known;
}

/* Too short for the library: a straight line. */
static int tiny_step(Stepper *s, double until) {
  Sun *u = s->own;
  int status = stepper_slope(s, s->t, s->x, s->dx);
  for (int i = 0; i < s->p.n; i++)
    s->x1[i] = s->x[i] + (until - s->t) * s->dx[i];
  s->t1 = until;
  u->straight = u->fresh = true;
  return status;
}

/* CVODE knows bounds at 0: quantities that are never negative, or never positive. A Newton
 * iteration that ends beyond by less than its own tolerance is moved onto the bound, else the step
 * is made shorter. */

static bool constrain(Stepper *s, const double *x) {
  Sun *u = s->own;
  double *sign = N_VGetArrayPointer(u->signs);
  bool any = false;
  for (int i = 0; i < s->p.n && s->p.low; i++) {
    bool above = s->p.low[i] >= 0 && x[i] >= 0, below = s->p.high[i] <= 0 && x[i] <= 0;
    sign[i] = u->pressed[i] >= MOST_SUN_PRESSED ? 0 : above ? 1 : below ? -1 : 0;
    any = any || sign[i] != 0;
  }
  u->constrained = any && u->ops->constrain && u->outside < MOST_SUN_OUTSIDE;
  return !u->ops->constrain || u->ops->constrain(s, u->constrained ? u->signs : NULL);
}

/* A state that stands on its bound, while its slope leads out of it, step after step, is not kept
 * from leaving:
 * the bound is wrong. */
static bool release_pressed(Stepper *s) {
  Sun *u = s->own;
  const double *sign = N_VGetArrayPointer(u->signs);
  double *slope = s->weight;
  bool there = false, any = false;
  for (int i = 0; i < s->p.n && u->constrained; i++)
    there = there || (sign[i] != 0 && s->x1[i] == 0);
  if (!there || stepper_slope(s, s->t1, s->x1, slope) != NUM_OK)
    return true;
  s->at_end = true;
  for (int i = 0; i < s->p.n; i++)
    if (sign[i] != 0 && s->x1[i] == 0 && sign[i] * slope[i] < 0)
      any = ++u->pressed[i] == MOST_SUN_PRESSED || any;
  return !any || constrain(s, s->x1);
}

static bool restart(Stepper *s) {
  Sun *u = s->own;
  memcpy(s->x1, s->x, (size_t)s->p.n * sizeof *s->x);
  memcpy(N_VGetArrayPointer(u->dx), s->dx, (size_t)s->p.n * sizeof *s->dx);
  u->failures = u->setups = u->jacobians = 0;
  u->limited = false;
  u->origin = s->t, u->start = u->end = 0;
  return u->ops->restart(s, s->next) && constrain(s, s->x);
}

/* A step of the library; far from 0 it may begin with some that the rounded time does not show, as
 * long as they grow: else it creeps up to a point that it cannot pass. */
static int solve(Stepper *s, double until, double most) {
  Sun *u = s->own;
  double end = until - u->origin, last = 0;
  int status = NUM_OK;
  for (int k = 0; k < MOST_SUN_UNSEEN && status == NUM_OK && u->end - u->start >= last; k++) {
    last = k ? u->end - u->start : 0;
    u->start = u->end;
    status = u->ops->solve(s, end, most, &u->end);
    s->t1 = u->end >= end ? until : sun_time(s, u->end);
    if (status == NUM_OK && !(s->t1 - s->t < 2 * DBL_EPSILON * fabs(s->t)))
      return NUM_OK;
  }
  /* Steps that do not move the time would go on for ever */
  return status == NUM_OK ? NUM_RETRY : status;
}

static const double most_off = 10;         /* tolerances that a slope may be off by in a step */
static const double last_correction = 0.1; /* tolerances: the iteration ends below it */

static bool is_small(const Stepper *s, const double *d, double by) {
  for (int i = 0; i < s->p.n; i++)
    if (!(by * fabs(d[i]) <= most_off * (s->p.rtol * fabs(s->x1[i]) + s->p.atol[i])))
      return false;
  return true;
}

/* Is the Jacobian of the end of the step far smaller than the last one of the library, and would
 * Newton's method go on with it? `off`: the slope of the library less that of the model, which
 * is f. */
static bool misled(Stepper *s, const double *f, double *off, double h) {
  static const double far_smaller = 0.1;
  Sun *u = s->own;
  bool has_ft;
  if (stepper_jacobian(s, &u->j, &(StepPoint){s->t1, h, s->x1, f}, NULL, &has_ft) != NUM_OK)
    return true;
  stepper_weigh(s, s->x1);
  if (!(jacobian_norm(&u->j, s->weight) < far_smaller * u->norm))
    return false;
  if (!u->shifted)
    u->shifted = shifted_new(&u->j.p, u->arena);
  if (!shifted_factor(u->shifted, 1 / h, u->j.values))
    return true;
  shifted_solve(u->shifted, off);
  return !is_small(s, off, 1);
}

/* Newton's method stops where corrections are small. With a Jacobian that is far too large they are
 * small anywhere: one by differences across a jump, or one from a steep place that the step has
 * left. Then the slope that the library goes on with is not that of the model. Where the model is
 * stiff a good solution has a slope with errors, too; an exact Jacobian tells these apart. Where
 * the Jacobian is small beside 1/h, small corrections say enough. */
static bool solves(Stepper *s) {
  Sun *u = s->own;
  double *f = s->scratch, *slope = N_VGetArrayPointer(u->between), h = u->end - u->start;
  bool honest = u->norm >= 0 && (1 + h * u->norm) * last_correction <= most_off;
  if (honest || !u->ops->slopes || !u->ops->slopes(s, u->end, u->between))
    return true;
  if (stepper_slope(s, s->t1, s->x1, f) != NUM_OK)
    return false;
  for (int i = 0; i < s->p.n; i++)
    slope[i] -= f[i];
  bool ok = is_small(s, slope, h) || (s->p.jacobian && !misled(s, f, slope, h));
  s->at_end = true;
  return ok;
}

/* Tries again from (t, x) with ever smaller steps what the library gave up. */
int sun_step(Stepper *s, double until, double most) {
  enum { SHORT = 256 }; /* roundings of the library's time, within which it refuses to go on */
  Sun *u = s->own;
  double least = stepper_least(s), h = fmin(most, until - s->t);
  u->has_shift = u->straight = false;
  u->degree = 0;
  if (until - s->t <= fmax(SHORT * DBL_EPSILON * (s->t - u->origin), DBL_EPSILON * fabs(s->t)))
    return tiny_step(s, until);
  for (;;) {
    if (u->fresh && !restart(s))
      return NUM_FATAL;
    u->fresh = false;
    int status = solve(s, until, most);
    u->limited = u->limited && s->t1 < until;
    read_counters(s);
    if (status == NUM_OK && solves(s))
      break;
    status = status == NUM_OK ? NUM_RETRY : status;
    double tried = u->ops->size(s);
    h = 0.01 * fmin(h, tried > 0 ? tried : h);
    s->stats.rejected++;
    if (status == NUM_FATAL || h < least)
      return status;
    /* the slope may be that of an older point */
    if (stepper_slope(s, s->t, s->x, s->dx) != NUM_OK)
      return NUM_RETRY;
    s->next = h;
    u->fresh = true;
  }
  if (!release_pressed(s))
    return NUM_FATAL;
  s->next = u->ops->size(s);
  if (u->ops->errors(s, u->errors))
    stepper_note_error(s, s->scratch, 1, s->x1);
  s->stiffness = u->norm < 0 ? -1 : (s->t1 - s->t) * u->norm;
  return NUM_OK;
}

void sun_accept(Stepper *s) {
  Sun *u = s->own;
  u->has_shift = false;
  u->degree = 0;
  if (!u->straight)
    return;
  /* a restart follows: it needs the slope at the new point; where it cannot be had, the step will
   * fail and tell */
  s->next = 0;
  if (stepper_slope(s, s->t1, s->x1, s->dx) != NUM_OK)
    memset(s->dx, 0, (size_t)s->p.n * sizeof *s->dx);
}

void sun_dense(Stepper *s, double theta, double *x) {
  Sun *u = s->own;
  double *p = N_VGetArrayPointer(u->between);
  if (u->straight) {
    for (int i = 0; i < s->p.n; i++)
      x[i] = s->x[i] + theta * (s->x1[i] - s->x[i]);
    return;
  }
  /* the polynomial of a multistep method misses the last point by a part of the tolerance */
  if (!u->has_shift && u->ops->values(s, u->start, u->between)) {
    for (int i = 0; i < s->p.n; i++)
      u->shift[i] = s->x[i] - p[i];
    u->has_shift = true;
  }
  bool ok = u->ops->values(s, u->start + theta * (u->end - u->start), u->between);
  for (int i = 0; i < s->p.n; i++)
    x[i] = ok ? p[i] + (1 - theta) * u->shift[i] : s->x[i] + theta * (s->x1[i] - s->x[i]);
}

/* Through as many points as the order needs. */
int sun_polynomial(Stepper *s, int i, double *c) {
  Sun *u = s->own;
  double v[STEPPER_DEGREE + 1];
  if (u->degree == 0) {
    int order = u->straight ? 1 : u->ops->order(s);
    u->degree = order < 1 ? 1 : order > STEPPER_DEGREE ? STEPPER_DEGREE : order;
    for (int k = 1; k < u->degree; k++)
      sun_dense(s, (double)k / u->degree, u->nodes + (size_t)(k - 1) * (size_t)s->p.n);
  }
  v[0] = s->x[i], v[u->degree] = s->x1[i];
  for (int k = 1; k < u->degree; k++)
    v[k] = u->nodes[(size_t)(k - 1) * (size_t)s->p.n + (size_t)i];
  bernstein_through(v, u->degree, c);
  return u->degree;
}
