/* numeric/rosenbrock.c -- RODAS: a stiffly accurate Rosenbrock method of order 4(3) with six
 * stages, L-stable, with dense output of order 3. One Jacobian and one factorization per step, no
 * iteration; after an event it goes on at full order. From: Hairer and Wanner, Solving Ordinary
 * Differential Equations II, sections IV.7 and VI.4.
 * Stage i, with W = I/(h gamma) - J and f_t = df/dt:
 *   W u_i = f(t + alpha_i h, x + sum_{j<i} a_ij u_j) + sum_{j<i} c_ij/h u_j + h d_i f_t
 * The last two arguments are approximations of the end: x1 = x + sum a_5j u_j + u_5 + u_6, and u_6
 * is the error.
 * Keep: J belongs to (t, x); a step that is rejected keeps it and is factored anew. */
#include "numeric/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = 6 };
static const double gamma_ = 0.25;
static const double alpha[STAGES] = {0, 0.386, 0.21, 0.63, 1, 1};
static const double d[STAGES] = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
};
static const double c[STAGES][STAGES - 1] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};
/* dense output: x + theta*(x1 - x) + theta*(1 - theta)*(sum q2_j u_j + theta * sum q3_j u_j) */
static const double q2[STAGES - 1] = {10.12623508344586, -7.487995877610167, -34.80091861555747,
                                      -7.992771707568823, 1.025137723295662};
static const double q3[STAGES - 1] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
                                      24.76722511418386, -6.594389125716872};

static const StepControl control = {.exponent = 0.25 - 0.75 * 0.04,
                                    .damping = 0.04,
                                    .safety = 0.9,
                                    .least = 0.2,
                                    .most = 6,
                                    .fresh = 0.69183097091893653};

/* 1: h |J| above which errors inside of a step are looked at */
static const double stiff = 10;
/* Tolerances: an error inside of a step that is as good as one at its end */
static const double most_inside = 10;

typedef struct {
  Jacobian j;
  Shifted *w;
  bool has_jacobian; /* of (t, x) */
  double norm;       /* of J, weighted */
  double *ft;        /* df/dt at (t, x) */
  double *u[STAGES], *end, *trial, *dense[2];
  double *inside; /* what the dense output is off by */
} Ros;

static bool init(Stepper *s, Arena *arena) {
  Ros *r = s->own = NEW(arena, Ros);
  Pattern full = s->p.pattern ? *s->p.pattern : pattern_full(s->p.n, arena);
  jacobian_init(&r->j, &full, arena);
  r->w = shifted_new(&full, arena);
  double **vectors[] = {&r->ft, &r->end, &r->trial, &r->dense[0], &r->dense[1], &r->inside};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    *vectors[k] = NEW_ARRAY(arena, double, s->p.n + 1);
  for (int q = 0; q < STAGES; q++)
    r->u[q] = NEW_ARRAY(arena, double, s->p.n + 1);
  return true;
}

static int begin(Stepper *s) {
  Ros *r = s->own;
  r->has_jacobian = false;
  shifted_forget(r->w);
  return NUM_OK;
}

/* df/dt by a difference over a part of the step. Where f is noisy the part is longer, and both
 * sides of t are looked at. */
static int time_slope(Stepper *s, double h) {
  Ros *r = s->own;
  memset(r->ft, 0, (size_t)s->p.n * sizeof *r->ft);
  if (s->p.autonomous)
    return NUM_OK;
  double noise = stepper_noise(s), dt = fmin(h, sqrt(noise) * fmax(fabs(s->t), h));
  double there = s->t + fmax(dt, 64 * DBL_EPSILON * fabs(s->t));
  bool both = noise > DBL_EPSILON;
  double before = both ? s->t - (there - s->t) : s->t;
  if (!(there > before))
    return NUM_OK;
  int status = stepper_slope(s, there, s->x, r->trial);
  memcpy(r->ft, s->dx, (size_t)s->p.n * sizeof *r->ft);
  if (status == NUM_OK && both)
    status = stepper_slope(s, before, s->x, r->ft);
  for (int i = 0; i < s->p.n && status == NUM_OK; i++)
    r->ft[i] = (r->trial[i] - r->ft[i]) / (there - before);
  return status;
}

static int differentiate(Stepper *s, double h) {
  Ros *r = s->own;
  bool has_ft;
  int status = stepper_jacobian(s, &r->j, &(StepPoint){s->t, h, s->x, s->dx}, r->ft, &has_ft);
  if (status == NUM_OK && !has_ft)
    status = time_slope(s, h);
  stepper_weigh(s, s->x);
  r->norm = jacobian_norm(&r->j, s->weight);
  r->has_jacobian = status == NUM_OK;
  return status;
}

/* Stage q; its argument is left in `trial`. */
static int stage(Stepper *s, int q, double h) {
  Ros *r = s->own;
  const double *f = s->dx;
  if (q > 0) {
    for (int i = 0; i < s->p.n; i++) {
      double sum = s->x[i];
      for (int k = 0; k < q; k++)
        sum += a[q][k] * r->u[k][i];
      r->trial[i] = sum;
    }
    s->probe = alpha[q] < 1 ? alpha[q] : 0;
    int status = stepper_slope(s, s->t + alpha[q] * h, r->trial, r->end);
    s->probe = 0;
    if (status != NUM_OK)
      return status;
    f = r->end;
  }
  for (int i = 0; i < s->p.n; i++) {
    double sum = 0;
    for (int k = 0; k < q; k++)
      sum += c[q][k] * r->u[k][i];
    r->u[q][i] = f[i] + sum / h + h * d[q] * r->ft[i];
  }
  shifted_solve(r->w, r->u[q]);
  return NUM_OK;
}

static void prepare_dense(Stepper *s) {
  Ros *r = s->own;
  for (int i = 0; i < s->p.n && !s->has_dense; i++) {
    r->dense[0][i] = r->dense[1][i] = 0;
    for (int k = 0; k < STAGES - 1; k++)
      r->dense[0][i] += q2[k] * r->u[k][i], r->dense[1][i] += q3[k] * r->u[k][i];
  }
  s->has_dense = true;
}

static void dense(Stepper *s, double theta, double *x) {
  Ros *r = s->own;
  prepare_dense(s);
  double back = 1 - theta;
  for (int i = 0; i < s->p.n; i++)
    x[i] = s->x[i] * back + theta * (s->x1[i] + back * (r->dense[0][i] + theta * r->dense[1][i]));
}

/* A stiff component is exact at the end of the step, however long that is, and its error in
 * between, which rows, events and other parts see, is one of the dense output: that is off by W^-1
 * (f - x'), or less where it is not stiff. Looked at where errors that change sign in the middle
 * are large, too; relative to the tolerances. */
static int look_inside(Stepper *s, double h, double *error) {
  static const double theta = 0.25;
  Ros *r = s->own;
  double *middle = r->trial, *off = r->inside;
  dense(s, theta, middle);
  int status = stepper_slope(s, s->t + theta * h, middle, off);
  if (status != NUM_OK)
    return status;
  for (int i = 0; i < s->p.n; i++) {
    double bend = r->dense[0][i] + theta * r->dense[1][i];
    off[i] -= (s->x1[i] - s->x[i] + (1 - 2 * theta) * bend + theta * (1 - theta) * r->dense[1][i]) /
              h;
  }
  shifted_solve(r->w, off);
  double sum = 0;
  for (int i = 0; i < s->p.n; i++) {
    double size = fmax(fabs(s->x[i]), fabs(middle[i]));
    sum = fmax(sum, fabs(off[i]) / (s->p.rtol * size + s->p.atol[i]));
  }
  *error = sum;
  return NUM_OK;
}

static int trial(Stepper *s, double h, double *error) {
  Ros *r = s->own;
  s->t1 = s->t + h;
  s->has_dense = false;
  int status = r->has_jacobian ? NUM_OK : differentiate(s, h);
  if (status != NUM_OK)
    return status;
  s->stats.factorizations++;
  if (!shifted_factor(r->w, 1 / (h * gamma_), r->j.values))
    return NUM_RETRY;
  for (int q = 0; q < STAGES && status == NUM_OK; q++)
    status = stage(s, q, h);
  if (status != NUM_OK)
    return status;
  for (int i = 0; i < s->p.n; i++)
    s->x1[i] = r->trial[i] + r->u[STAGES - 1][i];
  *error = stepper_note_error(s, r->u[STAGES - 1], 1, s->x1);
  s->stiffness = h * r->norm;
  if (!isfinite(*error))
    return NUM_RETRY;
  if (*error > 1)
    return NUM_OK;
  double inside = 0;
  if (s->stiffness > stiff && look_inside(s, h, &inside) == NUM_OK)
    *error = fmax(*error, inside / most_inside);
  if (*error > 1)
    return NUM_OK;
  s->at_end = true;
  return stepper_slope(s, s->t1, s->x1, r->end);
}

static int step(Stepper *s, double until, double most) {
  return stepper_attempts(s, until, most, &control, trial);
}

static void accept(Stepper *s) {
  Ros *r = s->own;
  memcpy(s->dx, r->end, (size_t)s->p.n * sizeof *s->dx);
  r->has_jacobian = s->has_dense = false;
}

static int polynomial(Stepper *s, int i, double *out) {
  Ros *r = s->own;
  prepare_dense(s);
  double x = s->x[i], x1 = s->x1[i], difference = x1 - x, bend = r->dense[0][i];
  out[0] = x;
  out[1] = x + (difference + bend) / 3;
  out[2] = x1 - (difference - bend - r->dense[1][i]) / 3;
  out[3] = x1;
  return 3;
}

/* Good steps alone are kept: their Jacobian is not needed any more. */
static void keep(Stepper *s, Tape *t) {
  Ros *r = s->own;
  for (int q = 0; q < STAGES; q++)
    tape_array(t, r->u[q], s->p.n);
  tape_array(t, r->end, s->p.n);
  tape_array(t, r->dense[0], s->p.n), tape_array(t, r->dense[1], s->p.n);
  shifted_keep(r->w, t);
  if (t->way == TAPE_READ)
    r->has_jacobian = false;
}

static void release(Stepper *s) {
  Ros *r = s->own;
  if (r)
    shifted_free(r->w);
}

const StepperKind stepper_rosenbrock = {"rosenbrock",
                                        "Rosenbrock method RODAS of order 4(3), for stiff models",
                                        4,
                                        3,
                                        true,
                                        false,
                                        false,
                                        init,
                                        begin,
                                        step,
                                        accept,
                                        dense,
                                        polynomial,
                                        release,
                                        keep};
