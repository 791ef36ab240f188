/* tests/unit/test_stepper.c -- one contract for all integration methods, their orders, stiff
 * problems with known solutions, sparse Jacobians. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/bernstein.h"
#include "numeric/stepper.h"

#define assert_near(a, b, tol)                                                                     \
  do {                                                                                             \
    double got_ = (a), want_ = (b), tol_ = (tol);                                                  \
    if (!(fabs(got_ - want_) <= tol_))                                                             \
      fail_msg("%s = %.17g, expected %.17g +- %g", #a, got_, want_, tol_);                         \
  } while (0)

/* ---- fixture ---- */

enum { MOST_STATES = 400 };

typedef struct {
  int n;
  SlopeFunction *f;
  double x[MOST_STATES], rtol, atol;
  double end, most, fixed;
  bool autonomous;
  const Pattern *pattern;
} Problem;

typedef struct {
  Memory mem;
  jmp_buf recover;
  Arena *a;
  Stepper *s;
  double *atol;
} Bench;

static void bench_open(Bench *b, const StepperKind *kind, const Problem *p) {
  *b = (Bench){.mem = {0}};
  b->mem.recover = &b->recover;
  assert_int_equal(setjmp(b->recover), 0);
  b->a = arena_new(&b->mem);
  b->atol = NEW_ARRAY(b->a, double, p->n);
  for (int i = 0; i < p->n; i++)
    b->atol[i] = p->atol;
  StepProblem q = {.n = p->n,
                   .f = p->f,
                   .pattern = p->pattern,
                   .autonomous = p->autonomous,
                   .rtol = p->rtol,
                   .atol = b->atol,
                   .span = p->end,
                   .fixed = p->fixed > 0 ? p->fixed : p->end / 1000};
  b->s = stepper_new(kind, &q, b->a);
  assert_non_null(b->s);
  assert_int_equal(stepper_begin(b->s, 0, p->x, 0), NUM_OK);
}

static void bench_close(Bench *b) {
  stepper_free(b->s);
  arena_free(b->a);
}

/* To the end; the status of the last step. */
static int travel(Bench *b, const Problem *p) {
  int status = NUM_OK;
  while (b->s->t < p->end &&
         (status = stepper_step(b->s, p->end, p->most > 0 ? p->most : p->end)) == NUM_OK)
    stepper_accept(b->s);
  return status;
}

#define EACH_KIND(kind) for (size_t k_ = 0; (kind = stepper_kind_at(k_)); k_++)

/* ---- problems ---- */

/* exp(sin t) and 1/(1 + t) */
static int smooth(void *user, double t, const double *x, double *dx) {
  (void)user;
  dx[0] = x[0] * cos(t);
  dx[1] = -x[1] * x[1];
  return NUM_OK;
}

/* Cannot be evaluated after t = 1. */
static int wall(void *user, double t, const double *x, double *dx) {
  (void)user;
  dx[0] = -x[0];
  return t > 1 ? NUM_RETRY : NUM_OK;
}

static int infinite(void *user, double t, const double *x, double *dx) {
  (void)user, (void)t;
  dx[0] = x[0] * x[0];
  return NUM_OK;
}

static int broken(void *user, double t, const double *x, double *dx) {
  (void)user, (void)x;
  dx[0] = 1;
  return t > 0.5 ? NUM_FATAL : NUM_OK;
}

/* Prothero and Robinson: x = cos t whatever the factor. */
static int prothero(void *user, double t, const double *x, double *dx) {
  (void)user;
  dx[0] = -1e6 * (x[0] - cos(t)) - sin(t);
  return NUM_OK;
}

static int robertson(void *user, double t, const double *x, double *dx) {
  (void)user, (void)t;
  dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
  dx[2] = 3e7 * x[1] * x[1];
  dx[1] = -dx[0] - dx[2];
  return NUM_OK;
}

/* van der Pol's oscillator with mu = 1000, time in units of mu. */
static int van_der_pol(void *user, double t, const double *x, double *dx) {
  (void)user, (void)t;
  dx[0] = x[1];
  dx[1] = ((1 - x[0] * x[0]) * x[1] - x[0]) / 1e-6;
  return NUM_OK;
}

enum { LINE = 200 };

/* A line of resistors and capacitors: both ends grounded. */
static int line(void *user, double t, const double *x, double *dx) {
  (void)user, (void)t;
  const double rate = (LINE + 1.0) * (LINE + 1.0);
  for (int i = 0; i < LINE; i++)
    dx[i] = rate * ((i ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < LINE ? x[i + 1] : 0));
  return NUM_OK;
}

static Pattern tridiagonal(int n, Arena *a) {
  int *start = NEW_ARRAY(a, int, n + 1), *rows = NEW_ARRAY(a, int, 3 * n), count = 0;
  for (int j = 0; j < n; j++) {
    for (int i = j ? j - 1 : 0; i <= j + 1 && i < n; i++)
      rows[count++] = i;
    start[j + 1] = count;
  }
  return (Pattern){n, start, rows};
}

static const Problem smooth_problem = {
    .n = 2, .f = smooth, .x = {1, 1}, .rtol = 1e-6, .atol = 1e-8, .end = 2};

/* ---- contract ---- */

static void test_contract(void **state) {
  (void)state;
  const StepperKind *kind;
  EACH_KIND (kind) {
    Bench b;
    bench_open(&b, kind, &smooth_problem);
    Stepper *s = b.s;
    assert_ptr_equal(stepper_kind(kind->name), kind);
    double before[2], y[2], worst = 0;
    /* ends that are not the end of the problem are met exactly */
    for (int leg = 1; leg <= 3; leg++) {
      double until = leg / 3.0 * 2;
      while (s->t < until) {
        memcpy(before, s->x, sizeof before);
        assert_int_equal(stepper_step(s, until, 1), NUM_OK);
        assert_true(s->t1 > s->t && s->t1 <= until);
        assert_memory_equal(before, s->x, sizeof before);
        stepper_dense(s, 0, y);
        assert_memory_equal(y, s->x, sizeof y);
        stepper_dense(s, 1, y);
        assert_memory_equal(y, s->x1, sizeof y);
        /* dense output is near its ends next to them, and right between */
        stepper_dense(s, 1e-9, y);
        assert_near(y[0], s->x[0], 1e-7);
        stepper_dense(s, 1 - 1e-9, y);
        assert_near(y[0], s->x1[0], 1e-7);
        stepper_dense(s, 0.5, y);
        double t = s->t + 0.5 * (s->t1 - s->t);
        worst = fmax(worst, fabs(y[0] - exp(sin(t))));
        stepper_accept(s);
        assert_memory_equal(s->x, s->x1, sizeof y);
      }
      assert_true(s->t == until);
      /* as after an event */
      assert_int_equal(stepper_begin(s, s->t, s->x, leg == 2 ? 1e-3 : 0), NUM_OK);
    }
    assert_near(s->x[0], exp(sin(2)), kind->order == 1 ? 5e-3 : 2e-4);
    assert_near(worst, 0, kind->order == 1 ? 5e-3 : 2e-4);
    assert_true(s->stats.steps > 3 && s->stats.evaluations >= s->stats.steps);
    assert_true(kind->stiff == (s->stats.jacobians > 0));
    bench_close(&b);
  }
  assert_ptr_equal(stepper_kind("dassl"), stepper_kind("ida"));
  assert_null(stepper_kind("none"));
}

static void test_begin_inside(void **state) {
  (void)state;
  const StepperKind *kind;
  EACH_KIND (kind) {
    /* a step that was not accepted is taken back */
    Bench b;
    bench_open(&b, kind, &smooth_problem);
    Stepper *s = b.s;
    assert_int_equal(stepper_step(s, 2, 1), NUM_OK);
    double x[2], t = s->t + 0.3 * (s->t1 - s->t);
    stepper_dense(s, 0.3, x);
    assert_int_equal(stepper_begin(s, t, x, 0), NUM_OK);
    assert_true(s->t == t);
    assert_int_equal(travel(&b, &smooth_problem), NUM_OK);
    assert_near(s->x[0], exp(sin(2)), kind->order == 1 ? 5e-3 : 2e-4);
    bench_close(&b);
  }
}

static void test_retry(void **state) {
  (void)state;
  const StepperKind *kind;
  EACH_KIND (kind) {
    Problem p = {.n = 1, .f = wall, .x = {1}, .rtol = 1e-6, .atol = 1e-8, .end = 2, .fixed = 0.3};
    Bench b;
    bench_open(&b, kind, &p);
    assert_int_equal(travel(&b, &p), NUM_RETRY);
    if (b.s->t < 1 - 1e-6 || b.s->t > 1)
      fail_msg("%s stops at %.17g", kind->name, b.s->t);
    assert_true(b.s->stats.rejected > 0);
    bench_close(&b);
    p.f = broken;
    bench_open(&b, kind, &p);
    assert_int_equal(travel(&b, &p), NUM_FATAL);
    bench_close(&b);
    p.f = infinite;
    if (!kind->fixed) {
      bench_open(&b, kind, &p);
      assert_int_equal(travel(&b, &p), NUM_RETRY);
      assert_near(b.s->t, 1, 1e-3);
      bench_close(&b);
    }
  }
}

static void test_deterministic(void **state) {
  (void)state;
  const StepperKind *kind;
  EACH_KIND (kind) {
    double x[2][2];
    for (int k = 0; k < 2; k++) {
      Bench b;
      bench_open(&b, kind, &smooth_problem);
      assert_int_equal(travel(&b, &smooth_problem), NUM_OK);
      memcpy(x[k], b.s->x, sizeof x[k]);
      bench_close(&b);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
  }
}

/* The polynomial of a step is its dense output, also where it was taken back and begun anew. */
static void test_polynomial(void **state) {
  (void)state;
  const StepperKind *kind;
  EACH_KIND (kind) {
    Bench b;
    bench_open(&b, kind, &smooth_problem);
    Stepper *s = b.s;
    int highest = 0;
    for (int k = 0; s->t < 2; k++) {
      double c[STEPPER_DEGREE + 1], y[2], before = s->t;
      assert_int_equal(stepper_step(s, 2, 0.2), NUM_OK);
      for (int i = 0; i < 2; i++) {
        int degree = stepper_polynomial(s, i, c);
        assert_true(degree >= 1 && degree <= STEPPER_DEGREE);
        assert_true(c[0] == s->x[i] && c[degree] == s->x1[i]);
        highest = degree > highest ? degree : highest;
        for (double theta = 0.0173; theta < 1; theta += 0.0731) {
          stepper_dense(s, theta, y);
          assert_near(bernstein_value(c, degree, theta), y[i], 64 * DBL_EPSILON * fabs(y[i]));
        }
      }
      stepper_dense(s, 0.6, y);
      if (k % 40 == 30)
        assert_int_equal(stepper_begin(s, s->t + 0.6 * (s->t1 - s->t), y, 0), NUM_OK);
      else
        stepper_accept(s);
      assert_true(s->t > before);
    }
    assert_true(highest >= kind->dense_order - kind->stiff);
    bench_close(&b);
  }
}

static void test_limiting(void **state) {
  (void)state;
  const double share[] = {0.1, 0, 3, 0.5, 3, 2};
  int states[3];
  assert_int_equal(stepper_limiting(share, 6, states, 3), 3);
  assert_int_equal(states[0], 2);
  assert_int_equal(states[1], 4);
  assert_int_equal(states[2], 5);
  assert_int_equal(stepper_limiting(share, 2, states, 3), 1);
  /* the fast state has the error */
  Problem p = smooth_problem;
  Bench b;
  bench_open(&b, stepper_kind("rk45"), &p);
  travel(&b, &p);
  assert_int_equal(stepper_limiting(b.s->share, 2, states, 3), 2);
  assert_near(b.s->share[0] + b.s->share[1], b.s->shares, 1e-9 * b.s->shares);
  bench_close(&b);
}

/* ---- orders ---- */

/* Error at the end and between the points with steps of one size. */
static void errors_of(const StepperKind *kind, double h, double *at_end, double *between) {
  Problem p = smooth_problem;
  p.rtol = p.atol = 1, p.most = p.fixed = h;
  Bench b;
  bench_open(&b, kind, &p);
  Stepper *s = b.s;
  stepper_begin(s, 0, p.x, h);
  *between = 0;
  while (s->t < p.end - 1e-12) {
    assert_int_equal(stepper_step(s, p.end, h), NUM_OK);
    double y[2], t = s->t + 0.4 * (s->t1 - s->t);
    stepper_dense(s, 0.4, y);
    *between = fmax(*between, fmax(fabs(y[0] - exp(sin(t))), fabs(y[1] - 1 / (1 + t))));
    stepper_accept(s);
  }
  *at_end = fmax(fabs(s->x[0] - exp(sin(2))), fabs(s->x[1] - 1.0 / 3));
  bench_close(&b);
}

static void test_order(void **state) {
  (void)state;
  const StepperKind *kind;
  EACH_KIND (kind) {
    if (kind == &stepper_cvode || kind == &stepper_ida)
      continue; /* their order varies */
    double e1, e2, d1, d2;
    errors_of(kind, 0.05, &e1, &d1);
    errors_of(kind, 0.025, &e2, &d2);
    double order = log2(e1 / e2), dense = log2(d1 / d2);
    print_message("%-11s order %.2f, dense output %.2f, error %.1e with h = 0.025\n", kind->name,
                  order, dense, e2);
    assert_true(order > kind->order - 0.3);
    assert_true(dense > kind->dense_order - 0.4);
  }
}

/* Methods that control their error follow the tolerance. */
static void test_tolerance(void **state) {
  (void)state;
  const StepperKind *kind;
  EACH_KIND (kind) {
    if (kind->fixed)
      continue;
    double error[3];
    uint64_t evaluations[3];
    for (int k = 0; k < 3; k++) {
      Problem p = smooth_problem;
      p.rtol = pow(10, -4 - 2 * k), p.atol = p.rtol / 100;
      Bench b;
      bench_open(&b, kind, &p);
      assert_int_equal(travel(&b, &p), NUM_OK);
      error[k] = fmax(fabs(b.s->x[0] - exp(sin(2))), fabs(b.s->x[1] - 1.0 / 3));
      evaluations[k] = b.s->stats.evaluations;
      bench_close(&b);
      assert_true(error[k] < 60 * p.rtol);
    }
    print_message(
        "%-11s rtol 1e-4, 1e-6, 1e-8: errors %.1e %.1e %.1e, evaluations %llu %llu %llu\n",
        kind->name, error[0], error[1], error[2], (unsigned long long)evaluations[0],
        (unsigned long long)evaluations[1], (unsigned long long)evaluations[2]);
    assert_true(error[2] < error[0] / 100);
  }
}

/* ---- stiff problems ---- */

static void show(const StepperKind *kind, const Stepper *s, const char *name) {
  print_message("%-11s %-10s steps %llu, rejected %llu, evaluations %llu, Jacobians %llu, "
                "factorizations %llu\n",
                kind->name, name, (unsigned long long)s->stats.steps,
                (unsigned long long)s->stats.rejected, (unsigned long long)s->stats.evaluations,
                (unsigned long long)s->stats.jacobians,
                (unsigned long long)s->stats.factorizations);
}

static void test_prothero(void **state) {
  (void)state;
  const StepperKind *kind;
  Problem p = {.n = 1, .f = prothero, .x = {1}, .rtol = 1e-6, .atol = 1e-8, .end = 10};
  EACH_KIND (kind) {
    if (!kind->stiff)
      continue;
    Bench b;
    bench_open(&b, kind, &p);
    assert_int_equal(travel(&b, &p), NUM_OK);
    show(kind, b.s, "Prothero");
    assert_near(b.s->x[0], cos(10), 2e-5);
    assert_true(b.s->stats.steps < 600);
    bench_close(&b);
  }
}

/* Reference values: Mazzia and Magherini, Test Set for Initial Value Problem Solvers, problems
 * ROBER and VDPOL. */
static void test_robertson(void **state) {
  (void)state;
  const StepperKind *kind;
  Problem p = {.n = 3,
               .f = robertson,
               .x = {1, 0, 0},
               .rtol = 1e-8,
               .atol = 1e-18,
               .end = 1e11,
               .autonomous = true};
  EACH_KIND (kind) {
    if (!kind->stiff)
      continue;
    Bench b;
    bench_open(&b, kind, &p);
    assert_int_equal(travel(&b, &p), NUM_OK);
    show(kind, b.s, "Robertson");
    print_message("            %.12g %.12g %.12g\n", b.s->x[0], b.s->x[1], b.s->x[2]);
    assert_near(b.s->x[0], 0.2083340149701255e-07, 1e-11);
    assert_near(b.s->x[1], 0.8333360770334713e-13, 1e-16);
    assert_near(b.s->x[2], 0.9999999791665050, 1e-6);
    bench_close(&b);
  }
}

static void test_van_der_pol(void **state) {
  (void)state;
  const StepperKind *kind;
  Problem p = {.n = 2,
               .f = van_der_pol,
               .x = {2, 0},
               .rtol = 1e-7,
               .atol = 1e-9,
               .end = 2,
               .autonomous = true};
  EACH_KIND (kind) {
    if (!kind->stiff)
      continue;
    Bench b;
    bench_open(&b, kind, &p);
    assert_int_equal(travel(&b, &p), NUM_OK);
    show(kind, b.s, "vanderPol");
    assert_near(b.s->x[0], 1.706167732170483, 2e-4);
    assert_near(b.s->x[1], -0.8928097010247975, 2e-4);
    bench_close(&b);
  }
}

/* One mode of the line decays as exp(-lambda t). */
static void test_line(void **state) {
  (void)state;
  const StepperKind *kind;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  Pattern pattern = tridiagonal(LINE, a);
  Problem p = {.n = LINE,
               .f = line,
               .rtol = 1e-6,
               .atol = 1e-8,
               .end = 0.1,
               .autonomous = true,
               .pattern = &pattern};
  const double pi = 3.14159265358979323846, rate = (LINE + 1.0) * (LINE + 1.0);
  for (int i = 0; i < LINE; i++)
    p.x[i] = sin(pi * (i + 1) / (LINE + 1)) + 0.5 * sin(2 * pi * (i + 1) / (LINE + 1));
  EACH_KIND (kind) {
    if (!kind->stiff)
      continue;
    Bench b;
    bench_open(&b, kind, &p);
    assert_int_equal(travel(&b, &p), NUM_OK);
    show(kind, b.s, "line");
    for (int i = 0; i < LINE; i += 7) {
      double sum = 0;
      for (int m = 1; m <= 2; m++) {
        double lambda = 2 * rate * (1 - cos(pi * m / (LINE + 1)));
        sum += (m == 1 ? 1 : 0.5) * sin(pi * m * (i + 1) / (LINE + 1)) * exp(-lambda * 0.1);
      }
      assert_near(b.s->x[i], sum, 2e-5);
    }
    /* three colours */
    assert_true(b.s->stats.evaluations <
                4 * b.s->stats.jacobians + 9 * (b.s->stats.steps + b.s->stats.rejected) + 20);
    bench_close(&b);
  }
  arena_free(a);
}

/* The pair of Dormand and Prince notices that a problem is stiff, and that one is not. */
static void test_stiffness(void **state) {
  (void)state;
  Problem p = {.n = 1, .f = prothero, .x = {1}, .rtol = 1e-6, .atol = 1e-8, .end = 1e-3};
  Bench b;
  bench_open(&b, stepper_kind("rk45"), &p);
  int beyond = 0, steps = 0;
  while (b.s->t < p.end && stepper_step(b.s, p.end, p.end) == NUM_OK) {
    stepper_accept(b.s);
    steps++, beyond += b.s->stiffness > 3.25;
  }
  assert_true(beyond > steps / 2);
  bench_close(&b);
  bench_open(&b, stepper_kind("rk45"), &smooth_problem);
  while (b.s->t < 2 && stepper_step(b.s, 2, 2) == NUM_OK) {
    stepper_accept(b.s);
    assert_true(b.s->stiffness < 3.25);
  }
  bench_close(&b);
}

/* ---- Jacobians ---- */

static const double matrix[5][5] = {
    {-3, 0, 0, 2, 0}, {1, -4, 0, 0, 0}, {0, 5, -6, 0, 0}, {0, 0, 0, 0, 7e4}, {0, 0, 1e-3, 0, 1}};

static int linear(void *user, double t, const double *x, double *dx) {
  (void)user;
  for (int i = 0; i < 5; i++) {
    dx[i] = t;
    for (int j = 0; j < 5; j++)
      dx[i] += matrix[i][j] * x[j];
  }
  return NUM_OK;
}

static void test_jacobian(void **state) {
  (void)state;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  int start[6] = {0}, rows[25], count = 0;
  for (int j = 0; j < 5; j++) {
    for (int i = 0; i < 5; i++)
      if (matrix[i][j] != 0)
        rows[count++] = i;
    start[j + 1] = count;
  }
  Pattern p;
  assert_true(pattern_copy(5, start, rows, a, &p));
  assert_int_equal(pattern_count(&p), count + 1); /* the diagonal of row 4 */
  Jacobian j;
  jacobian_init(&j, &p, a);
  /* no two columns of a colour meet in a row, and all columns are there */
  bool met[5] = {false};
  for (int c = 0; c < j.n_colors; c++) {
    int seen[5] = {0};
    for (int q = j.first[c]; q < j.first[c + 1]; q++) {
      met[j.columns[q]] = true;
      for (int r = p.start[j.columns[q]]; r < p.start[j.columns[q] + 1]; r++)
        assert_int_equal(seen[p.rows[r]]++, 0);
    }
  }
  for (int k = 0; k < 5; k++)
    assert_true(met[k]);
  assert_true(j.n_colors < 5);
  double x[5] = {1, -2, 0, 1e3, 1e-3}, dx[5];
  linear(NULL, 0.5, x, dx);
  uint64_t evaluations = 0;
  JacobianPoint at = {.t = 0.5, .h = 1e-3, .x = x, .dx = dx, .f = linear};
  assert_int_equal(jacobian_difference(&j, &at, &evaluations), NUM_OK);
  assert_int_equal(evaluations, j.n_colors);
  for (int k = 0; k < 5; k++)
    for (int r = p.start[k]; r < p.start[k + 1]; r++)
      assert_near(j.values[r], matrix[p.rows[r]][k], 1e-5 * (1 + fabs(matrix[p.rows[r]][k])));
  arena_free(a);
}

static void test_patterns(void **state) {
  (void)state;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  Pattern p;
  assert_false(pattern_copy(2, (int[]){0, 1, 2}, (int[]){0, 2}, a, &p));
  assert_false(pattern_copy(2, (int[]){0, 2, 2}, (int[]){1, 0}, a, &p));
  assert_false(pattern_copy(2, (int[]){0, 2, 1}, (int[]){0, 1}, a, &p));
  assert_true(pattern_copy(2, (int[]){0, 0, 0}, (int[]){0}, a, &p));
  assert_int_equal(pattern_count(&p), 2);
  Pattern t = tridiagonal(100, a), full = pattern_full(30, a);
  Jacobian j;
  jacobian_init(&j, &t, a);
  assert_int_equal(j.n_colors, 3);
  assert_true(pattern_is_sparse(&t));
  assert_false(pattern_is_sparse(&full));
  jacobian_init(&j, &full, a);
  assert_int_equal(j.n_colors, 30);
  arena_free(a);
}

/* Sparse and dense factors give the same solutions. */
static void test_shifted(void **state) {
  (void)state;
  Memory mem = {0};
  Arena *a = arena_new(&mem);
  enum { N = 60 };
  Pattern sparse = tridiagonal(N, a), dense = pattern_full(N, a);
  double *values = NEW_ARRAY(a, double, 3 * N), *all = NEW_ARRAY(a, double, N *N), b[2][N];
  for (int q = 0; q < pattern_count(&sparse); q++)
    values[q] = sin(3.0 * q) * 10;
  for (int j = 0; j < N; j++)
    for (int q = sparse.start[j]; q < sparse.start[j + 1]; q++)
      all[j * N + sparse.rows[q]] = values[q];
  Shifted *s = shifted_new(&sparse, a), *d = shifted_new(&dense, a);
  for (int round = 0; round < 3; round++) {
    double c = 7 * pow(10, round);
    assert_true(shifted_factor(s, c, values) && shifted_factor(d, c, all));
    for (int i = 0; i < N; i++)
      b[0][i] = b[1][i] = cos(i);
    shifted_solve(s, b[0]);
    shifted_solve(d, b[1]);
    for (int i = 0; i < N; i++)
      assert_near(b[0][i], b[1][i], 1e-10);
  }
  memset(values, 0, sizeof(double) * 3 * N);
  assert_false(shifted_factor(s, 0, values));
  shifted_free(s);
  shifted_free(d);
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contract),  cmocka_unit_test(test_begin_inside),
      cmocka_unit_test(test_retry),     cmocka_unit_test(test_deterministic),
      cmocka_unit_test(test_limiting),  cmocka_unit_test(test_order),
      cmocka_unit_test(test_tolerance), cmocka_unit_test(test_prothero),
      cmocka_unit_test(test_robertson), cmocka_unit_test(test_van_der_pol),
      cmocka_unit_test(test_line),      cmocka_unit_test(test_stiffness),
      cmocka_unit_test(test_jacobian),  cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_shifted),   cmocka_unit_test(test_polynomial),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
