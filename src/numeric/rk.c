/* numeric/rk.c -- explicit Runge-Kutta methods from tables: Euler, the classical method of order 4,
 * the pairs 5(4) of Fehlberg and of Dormand and Prince.
 * From: Fehlberg, NASA TR R-315 (1969), continued with the higher order; Dormand and Prince, J.
 * Comput. Appl. Math. 6 (1980); dense output of order 4 and controller: Hairer, Norsett and Wanner,
 * Solving Ordinary Differential Equations I, sections II.4 to II.6; the other dense outputs:
 * Hermite cubic, lifted to order 4 by one more slope (Enright, Jackson, Norsett and Thomsen, ACM
 * Trans. Math. Softw. 12, 1986); stiffness: Hairer and Wanner II, section IV.2.
 * Keep: the slope at the end of a step is always computed: it is the first of the next one, and the
 *       values that belong to the end of the step are what the caller finds after it. */
#include "numeric/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = 7 };
typedef enum { DENSE_HERMITE, DENSE_LIFTED, DENSE_OWN } DenseKind;

typedef struct {
  int stages;
  double c[STAGES], a[STAGES][STAGES - 1], b[STAGES];
  double e[STAGES]; /* b - b^: error of the lower order */
  bool last_is_end; /* the last stage is the slope at the end */
  DenseKind dense;
} Tableau;

static const Tableau euler = {.stages = 1, .b = {1}, .dense = DENSE_HERMITE};
static const Tableau classical = {.stages = 4,
                                  .c = {0, 0.5, 0.5, 1},
                                  .a = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}},
                                  .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                                  .dense = DENSE_LIFTED};
static const Tableau fehlberg = {
    .stages = 6,
    .c = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2},
    .a = {{0},
          {1.0 / 4},
          {3.0 / 32, 9.0 / 32},
          {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
          {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
          {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}},
    .b = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55},
    .e = {1.0 / 360, 0, -128.0 / 4275, -2197.0 / 75240, 1.0 / 50, 2.0 / 55},
    .dense = DENSE_LIFTED};
static const Tableau dormand = {
    .stages = 7,
    .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    .a = {{0},
          {1.0 / 5},
          {3.0 / 40, 9.0 / 40},
          {44.0 / 45, -56.0 / 15, 32.0 / 9},
          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
          {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
    .e = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
    .last_is_end = true,
    .dense = DENSE_OWN};
/* the fifth coefficient of the dense output of Dormand and Prince's pair */
static const double d5[STAGES] = {-12715105075.0 / 11282082432.0,  0,
                                  87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                  701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                  69997945.0 / 29380423.0};

static const StepControl control = {.exponent = 0.2 - 0.75 * 0.04,
                                    .damping = 0.04,
                                    .safety = 0.9,
                                    .least = 0.2,
                                    .most = 10,
                                    .fresh = 0.69183097091893653};

typedef struct {
  const Tableau *table;
  double *k[STAGES];       /* k[0] is the stepper's dx; those beyond the stages are never read */
  double *end;             /* slope at the end of the step */
  double *trial, *nothing; /* nothing: zeros */
  double *dense[3];
  /* fixed steps: the next one ends at origin + (count + 1)*size */
  double origin;
  uint64_t count;
} Rk;

static void set_up(Stepper *s, Arena *a, const Tableau *table) {
  Rk *rk = s->own = NEW(a, Rk);
  rk->table = table;
  rk->k[0] = s->dx;
  for (int q = 1; q < table->stages; q++)
    rk->k[q] = NEW_ARRAY(a, double, s->p.n + 1);
  rk->end = table->last_is_end ? rk->k[table->stages - 1] : NEW_ARRAY(a, double, s->p.n + 1);
  rk->trial = NEW_ARRAY(a, double, s->p.n + 1);
  rk->nothing = NEW_ARRAY(a, double, s->p.n + 1);
  for (int q = 0; q < 3; q++)
    rk->dense[q] = NEW_ARRAY(a, double, s->p.n + 1);
}

static bool init_euler(Stepper *s, Arena *a) { return set_up(s, a, &euler), true; }
static bool init_classical(Stepper *s, Arena *a) { return set_up(s, a, &classical), true; }
static bool init_fehlberg(Stepper *s, Arena *a) { return set_up(s, a, &fehlberg), true; }
static bool init_dormand(Stepper *s, Arena *a) { return set_up(s, a, &dormand), true; }

static int begin(Stepper *s) {
  Rk *rk = s->own;
  rk->origin = s->t;
  rk->count = 0;
  return NUM_OK;
}

/* ---- one step ---- */

/* Two components at once; vectors have a cell more than they need, so that the last one may be
 * alone. */
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
static inline Two two(const double *v, int i) { return *(const Two *)(const void *)(v + i); }

/* to := x + h * sum of w[q] k[q]. Written out up to the stages of the pairs: it is a good part of
 * the work with models that are quick to evaluate. */
static void combine(const Stepper *s, const double *x, const double *w, int n, double h,
                    double *to) {
  const Rk *rk = s->own;
  double *const *k = rk->k;
  const double *k0 = k[0], *k1 = k[1], *k2 = k[2], *k3 = k[3], *k4 = k[4], *k5 = k[5];
  const double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4], w5 = w[5];
  int m = s->p.n;
#define EACH(sum)                                                                                  \
  for (int i = 0; i < m; i += 2)                                                                   \
  *(Two *)(void *)(to + i) = two(x, i) + h * (sum)
  switch (n) {
  case 1: EACH(w0 * two(k0, i)); break;
  case 2: EACH(w0 * two(k0, i) + w1 * two(k1, i)); break;
  case 3: EACH(w0 * two(k0, i) + w1 * two(k1, i) + w2 * two(k2, i)); break;
  case 4: EACH(w0 * two(k0, i) + w1 * two(k1, i) + w2 * two(k2, i) + w3 * two(k3, i)); break;
  case 5:
    EACH(w0 * two(k0, i) + w1 * two(k1, i) + w2 * two(k2, i) + w3 * two(k3, i) + w4 * two(k4, i));
    break;
  case 6:
    EACH(w0 * two(k0, i) + w1 * two(k1, i) + w2 * two(k2, i) + w3 * two(k3, i) + w4 * two(k4, i) +
         w5 * two(k5, i));
    break;
  case STAGES:
    EACH(w0 * two(k0, i) + w1 * two(k1, i) + w2 * two(k2, i) + w3 * two(k3, i) + w4 * two(k4, i) +
         w5 * two(k5, i) + w[6] * two(k[6], i));
    break;
  }
#undef EACH
}

/* The last two stages differ at the same time: h times a quotient that estimates the largest
 * |eigenvalue|. */
static double stiffness(const Stepper *s, double h) {
  const Rk *rk = s->own;
  const double *f = rk->k[rk->table->stages - 2];
  double above = 0, below = 0;
  for (int i = 0; i < s->p.n; i++) {
    double weight = s->p.rtol * fabs(s->x[i]) + s->p.atol[i], inverse = 1 / (weight * weight);
    double df = rk->end[i] - f[i], dx = s->x1[i] - rk->trial[i];
    above += df * df * inverse, below += dx * dx * inverse;
  }
  return below > 0 ? h * sqrt(above / below) : 0;
}

/* All stages, x1 and the slope there. */
static int stages(Stepper *s, double h) {
  Rk *rk = s->own;
  const Tableau *tb = rk->table;
  s->has_dense = false;
  for (int q = 1; q < tb->stages; q++) {
    double *x = tb->last_is_end && q == tb->stages - 1 ? s->x1 : rk->trial;
    combine(s, s->x, tb->a[q], q, h, x);
    s->probe = tb->c[q] < 1 ? tb->c[q] : 0;
    int status = stepper_slope(s, s->t + tb->c[q] * h, x, rk->k[q]);
    if (status != NUM_OK) {
      s->probe = 0;
      return status;
    }
  }
  s->probe = 0;
  s->at_end = true;
  if (tb->last_is_end)
    return NUM_OK;
  combine(s, s->x, tb->b, tb->stages, h, s->x1);
  return stepper_slope(s, s->t + h, s->x1, rk->end);
}

static int trial(Stepper *s, double h, double *error) {
  Rk *rk = s->own;
  const Tableau *tb = rk->table;
  s->t1 = s->t + h;
  int status = stages(s, h);
  if (status != NUM_OK)
    return status;
  combine(s, rk->nothing, tb->e, tb->stages, 1, s->scratch);
  *error = stepper_note_error(s, s->scratch, h, s->x1);
  if (tb->last_is_end && s->p.n)
    s->stiffness = stiffness(s, h);
  return isfinite(*error) ? NUM_OK : NUM_RETRY;
}

static int step(Stepper *s, double until, double most) {
  return stepper_attempts(s, until, most, &control, trial);
}

/* Steps between the points origin + k*size; shorter ones only where the model cannot be evaluated,
 * and before `until`. */
static int fixed_step(Stepper *s, double until, double most) {
  (void)most;
  Rk *rk = s->own;
  double size = s->next = s->p.fixed, least = stepper_least(s),
         target = rk->origin + (double)(rk->count + 1) * size;
  while (target <= s->t + least)
    target = rk->origin + (double)(++rk->count + 1) * size;
  target = target >= until - least ? until : target;
  for (double end = target;;) {
    s->t1 = end;
    s->trials++;
    int status = stages(s, end - s->t);
    if (status != NUM_RETRY)
      return status;
    s->stats.rejected++;
    if (end - s->t <= least)
      return status;
    end = s->t + (end - s->t) / 2;
  }
}

static void accept(Stepper *s) {
  Rk *rk = s->own;
  double *first = s->dx;
  s->dx = rk->k[0] = rk->end;
  rk->end = first;
  if (rk->table->last_is_end)
    rk->k[rk->table->stages - 1] = first;
  s->has_dense = false;
}

/* ---- between the ends ---- */

static double hermite(double theta, double difference, double v0, double v1) {
  double back = 1 - theta;
  return theta * (difference + back * (back * (v0 - difference) - theta * (v1 - difference)));
}

/* The slope of the cubic at one point gives one of order 4: c theta^2 (1 - theta)^2 is added. */
static void lift(Stepper *s, double h) {
  /* (3 - sqrt 3)/6; slope of theta^2 (1-theta)^2 there */
  static const double at = 0.2113248654051871, rise = 0.19245008972987526;
  Rk *rk = s->own;
  for (int i = 0; i < s->p.n; i++)
    rk->trial[i] = s->x[i] + hermite(at, s->x1[i] - s->x[i], h * s->dx[i], h * rk->end[i]);
  bool ok = stepper_slope(s, s->t + at * h, rk->trial, rk->dense[1]) == NUM_OK;
  for (int i = 0; i < s->p.n; i++) {
    double difference = s->x1[i] - s->x[i], v0 = h * s->dx[i], v1 = h * rk->end[i];
    /* derivative of the cubic */
    double slope = (1 - at) * (1 - 3 * at) * v0 + at * (3 * at - 2) * v1 +
                   6 * at * (1 - at) * difference;
    rk->dense[0][i] = ok ? (h * rk->dense[1][i] - slope) / rise : 0;
  }
}

static void prepare_dense(Stepper *s, double h) {
  Rk *rk = s->own;
  s->has_dense = true;
  if (rk->table->dense == DENSE_LIFTED)
    lift(s, h);
  for (int i = 0; i < s->p.n && rk->table->dense == DENSE_OWN; i++) {
    double difference = s->x1[i] - s->x[i], spline = h * s->dx[i] - difference, sum = 0;
    for (int q = 0; q < rk->table->stages; q++)
      sum += d5[q] * rk->k[q][i];
    rk->dense[0][i] = spline;
    rk->dense[1][i] = difference - h * rk->end[i] - spline;
    rk->dense[2][i] = h * sum;
  }
}

static void dense(Stepper *s, double theta, double *to) {
  Rk *rk = s->own;
  double h = s->t1 - s->t, back = 1 - theta;
  const double *x = s->x, *x1 = s->x1, *d0 = rk->dense[0], *d1 = rk->dense[1], *d2 = rk->dense[2];
  int n = s->p.n;
  if (!s->has_dense)
    prepare_dense(s, h);
  if (rk->table->dense != DENSE_OWN) {
    for (int i = 0; i < n; i++)
      to[i] = x[i] + hermite(theta, x1[i] - x[i], h * s->dx[i], h * rk->end[i]) +
              d0[i] * theta * theta * back * back;
    return;
  }
  for (int i = 0; i < n; i++) {
    double difference = x1[i] - x[i];
    to[i] = x[i] + theta * (difference + back * (d0[i] + theta * (d1[i] + back * d2[i])));
  }
}

/* The same in Bernstein form. theta (1 - theta) has the coefficients 0 1/4 1/3 1/4 0; theta^2 (1 -
 * theta): 0 0 1/6 1/4 0; theta^2 (1 - theta)^2: 0 0 1/6 0 0. */
static int polynomial(Stepper *s, int i, double *c) {
  Rk *rk = s->own;
  double h = s->t1 - s->t, x = s->x[i], x1 = s->x1[i], difference = x1 - x;
  if (!s->has_dense)
    prepare_dense(s, h);
  double d0 = rk->dense[0][i], d1 = rk->dense[1][i], d2 = rk->dense[2][i];
  double first = h * s->dx[i], last = h * rk->end[i];
  bool own = rk->table->dense == DENSE_OWN;
  c[0] = x;
  c[1] = own ? x + (difference + d0) / 4 : x + first / 4;
  c[2] = x + difference / 2 + (own ? d0 / 3 + (d1 + d2) / 6 : (first - last + d0) / 6);
  c[3] = own ? x1 - (difference - d0 - d1) / 4 : x1 - last / 4;
  c[4] = x1;
  return 4;
}

static void keep(Stepper *s, Tape *t) {
  Rk *rk = s->own;
  tape_value(t, rk->origin), tape_value(t, rk->count);
  for (int q = 1; q < rk->table->stages; q++)
    tape_array(t, rk->k[q], s->p.n);
  if (!rk->table->last_is_end)
    tape_array(t, rk->end, s->p.n);
  for (int q = 0; q < 3; q++)
    tape_array(t, rk->dense[q], s->p.n);
}

const StepperKind stepper_euler = {"euler",    "explicit Euler, fixed step",
                                   1,          1,
                                   false,      true,
                                   false,      init_euler,
                                   begin,      fixed_step,
                                   accept,     dense,
                                   polynomial, NULL,
                                   keep};
const StepperKind stepper_rk4 = {"rk4",      "classical Runge-Kutta of order 4, fixed step",
                                 4,          4,
                                 false,      true,
                                 true,       init_classical,
                                 begin,      fixed_step,
                                 accept,     dense,
                                 polynomial, NULL,
                                 keep};
const StepperKind stepper_rkf45 = {
    "rkf45",    "explicit Runge-Kutta pair of order 5(4) by Fehlberg",
    5,          4,
    false,      false,
    true,       init_fehlberg,
    begin,      step,
    accept,     dense,
    polynomial, NULL,
    keep};
const StepperKind stepper_rk45 = {
    "rk45",     "explicit Runge-Kutta pair of order 5(4) by Dormand and Prince",
    5,          4,
    false,      false,
    false,      init_dormand,
    begin,      step,
    accept,     dense,
    polynomial, NULL,
    keep};
