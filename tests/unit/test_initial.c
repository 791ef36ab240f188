/* tests/unit/test_initial.c -- the numerics behind initialisation: singular linear systems, least
 * squares, homotopy, rescue. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/numeric.h"

enum { MOST = 8 };

static void assert_near(double got, double want, double tolerance) {
  if (!(fabs(got - want) <= tolerance))
    fail_msg("got %.17g instead of %.17g", got, want);
}

/* ---- singular linear systems ---- */

static int lsq(const double *a, double *b, const double *weight, int n, double *residual) {
  double copy[MOST * MOST], work[4 * MOST];
  int column[MOST];
  assert_true(lsq_work(n) <= 4 * MOST);
  memcpy(copy, a, (size_t)(n * n) * sizeof *a);
  return lsq_solve(copy, b, weight, n, work, column, residual);
}

static void test_lsq_regular(void **state) {
  (void)state;
  double a[] = {2, 1, 0, 1, 3, 1, 0, 1, 4}, b[] = {4, 10, 14}, w[] = {1, 10, 0.1}, residual;
  assert_int_equal(lsq(a, b, w, 3, &residual), 3);
  for (int k = 0; k < 3; k++)
    assert_near(b[k], k + 1, 1e-13);
}

/* x + 2y + 3z = 6, twice, and x + z = 2: the smallest solution is (2, 2, 4)/3. */
static void test_lsq_singular(void **state) {
  (void)state;
  double a[] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, b[] = {6, 12, 2}, w[] = {1, 1, 1}, residual;
  assert_int_equal(lsq(a, b, w, 3, &residual), 2);
  assert_near(residual, 0, 1e-13);
  assert_near(b[0], 2.0 / 3, 1e-13);
  assert_near(b[1], 2.0 / 3, 1e-13);
  assert_near(b[2], 4.0 / 3, 1e-13);
  /* weights say what is small: y is free to move */
  double c[] = {6, 12, 2}, wide[] = {1e-6, 1e6, 1e-6};
  assert_int_equal(lsq(a, c, wide, 3, &residual), 2);
  assert_near(c[0] + 2 * c[1] + 3 * c[2], 6, 1e-9);
  assert_near(c[0], c[2], 1e-3);
}

static void test_lsq_contradiction(void **state) {
  (void)state;
  double a[] = {1, 1, 1, 1}, b[] = {1, 3}, w[] = {1, 1}, residual;
  assert_int_equal(lsq(a, b, w, 2, &residual), 1);
  assert_near(b[0] + b[1], 2, 1e-13);
  assert_near(residual, sqrt(2), 1e-13);
  double zero[] = {0, 0, 0, 0}, c[] = {0, 5};
  assert_int_equal(lsq(zero, c, w, 2, &residual), 0);
  assert_true(c[0] == 0 && c[1] == 0 && residual == 5);
}

/* The four parameters of a bridge of ideal diodes: source 100, capacitor 50, resistor 20; which may
 * conduct is given. */
static void bridge(const bool *off, double u0, double uc, double *a, double *b) {
  enum { S1, S2, S3, S4, VA, VB, I0, N };
  memset(a, 0, (size_t)(N * N) * sizeof *a);
  memset(b, 0, N * sizeof *b);
  for (int k = 0; k < 4; k++) { /* u = +-v - (k < 2 ? uc : 0) */
    a[k * N + k] = off[k] ? 1 : 0;
    a[k * N + (k % 2 ? VB : VA)] = k < 2 ? -1 : 1;
    b[k] = k < 2 ? -uc : 0;
  }
  /* i0 + i3 = i1, i4 = i2 + i0, va - vb + 20 i0 = u0 */
  a[4 * N + I0] = 1, a[4 * N + S3] = !off[2], a[4 * N + S1] = off[0] ? 0 : -1;
  a[5 * N + I0] = -1, a[5 * N + S4] = !off[3], a[5 * N + S2] = off[1] ? 0 : -1;
  a[6 * N + VA] = 1, a[6 * N + VB] = -1, a[6 * N + I0] = 20;
  b[6] = u0;
}

static void test_lsq_bridge(void **state) {
  (void)state;
  double a[49], b[7], w[7] = {1, 1, 1, 1, 1, 1, 1}, residual;
  const bool none[4] = {true, true, true, true}, pair[4] = {false, true, true, false};
  /* all block: the potentials float, the differences do not */
  bridge(none, 100, 150, a, b);
  assert_int_equal(lsq(a, b, w, 7, &residual), 6);
  assert_near(residual, 0, 1e-12);
  assert_near(b[0] + b[2], -150, 1e-9);
  assert_near(b[0] - b[1], 100, 1e-9);
  /* the first and the last conduct: i = (u0 - uc)/R */
  bridge(pair, 100, 50, a, b);
  assert_int_equal(lsq(a, b, w, 7, &residual), 7);
  assert_near(b[0], 2.5, 1e-12);
  assert_near(b[1], -50, 1e-12);
  assert_near(b[2], -50, 1e-12);
  assert_near(b[3], 2.5, 1e-12);
}

/* ---- nonlinear systems ---- */

typedef int Equation(const double *z, double *f, double lambda);
typedef struct {
  Equation *f;
  double lambda;
  int calls;
} Case;

static int evaluate(void *user, const double *z, double *f, double *a) {
  Case *c = user;
  (void)a;
  c->calls++;
  return c->f(z, f, c->lambda);
}

static void set_lambda(void *user, double lambda) { ((Case *)user)->lambda = lambda; }

static NewtonProblem problem(Case *c, int n) {
  return (NewtonProblem){.n = n, .f = evaluate, .user = c};
}

typedef NewtonResult Method(const NewtonProblem *p, const NewtonOptions *o, double *z,
                            double *work);

static NewtonResult newton_homotopy(const NewtonProblem *p, const NewtonOptions *o, double *z,
                                    double *work) {
  return path_solve(p, o, PATH_NEWTON, z, work);
}
static NewtonResult fixed_point(const NewtonProblem *p, const NewtonOptions *o, double *z,
                                double *work) {
  return path_solve(p, o, PATH_FIXED_POINT, z, work);
}
static NewtonResult model_homotopy(const NewtonProblem *p, const NewtonOptions *o, double *z,
                                   double *work) {
  return path_solve(p, o, PATH_MODEL, z, work);
}

static NewtonResult solve(Method *method, Equation *f, int n, double *z) {
  double work[1000];
  Case c = {f, 1, 0};
  NewtonProblem p = problem(&c, n);
  p.set_lambda = method == model_homotopy ? set_lambda : NULL;
  assert_true(rescue_work(n) <= 1000 && path_work(n) <= 1000 && levmar_work(n) <= 1000);
  NewtonOptions strict = newton_defaults;
  strict.noise = 1e-11;
  NewtonResult r = method(&p, &strict, z, work);
  assert_true(c.lambda == 1);
  return r;
}

/* z^3 - z - 2: a fold lies between z = -1 and the solution 1.52... */
static int fold(const double *z, double *f, double lambda) {
  (void)lambda;
  f[0] = z[0] * z[0] * z[0] - z[0] - 2;
  return NUM_OK;
}

static int flat(const double *z, double *f, double lambda) {
  (void)lambda;
  f[0] = atan(z[0] - 3);
  return NUM_OK;
}

static int without_solution(const double *z, double *f, double lambda) {
  (void)lambda;
  f[0] = z[0] * z[0] + 1;
  return NUM_OK;
}

/* Only defined for positive z. */
static int logarithm(const double *z, double *f, double lambda) {
  (void)lambda;
  if (!(z[0] > 0))
    return NUM_RETRY;
  f[0] = log(z[0]) - 2;
  return NUM_OK;
}

/* Saturation with three solutions -15, 0, 15; the simplified form is v = -15. */
static int feedback(const double *z, double *f, double lambda) {
  double actual = fmax(-15, fmin(15, 100 * 0.5 * z[0]));
  f[0] = z[0] - (lambda * actual - (1 - lambda) * 15);
  return NUM_OK;
}

/* A corner: the branch v = -15 has just ended, the solution is on the other one. */
static int corner(const double *z, double *f, double lambda) {
  (void)lambda;
  f[0] = z[0] - (0.5 * fmax(-15, fmin(15, 15000 * z[0])) + 7.4991);
  return NUM_OK;
}

static int two(const double *z, double *f, double lambda) {
  (void)lambda;
  f[0] = 1e4 * z[0] * z[1] - 1; /* Powell's badly scaled function */
  f[1] = exp(-z[0]) + exp(-z[1]) - 1.0001;
  return NUM_OK;
}

static void test_paths(void **state) {
  (void)state;
  Method *const methods[] = {newton_homotopy, fixed_point, rescue_solve};
  for (size_t k = 0; k < 3; k++) {
    double z[] = {-1};
    assert_int_equal(solve(methods[k], fold, 1, z), NEWTON_OK);
    assert_near(z[0], 1.5213797068045675, 1e-9);
    z[0] = 100;
    assert_int_equal(solve(methods[k], flat, 1, z), NEWTON_OK);
    assert_near(z[0], 3, 1e-9);
    z[0] = 1;
    assert_int_not_equal(solve(methods[k], without_solution, 1, z), NEWTON_OK);
  }
}

static void test_model_homotopy(void **state) {
  (void)state;
  double z[] = {0};
  assert_int_equal(solve(newton_solve, feedback, 1, z), NEWTON_OK);
  assert_near(z[0], 0, 1e-9);
  assert_int_equal(solve(model_homotopy, feedback, 1, z), NEWTON_OK);
  assert_near(z[0], -15, 1e-9);
}

static void test_rescue(void **state) {
  (void)state;
  double z[] = {0, 1};
  assert_int_equal(solve(newton_solve, logarithm, 1, z), NEWTON_BAD_POINT);
  assert_int_equal(solve(rescue_solve, logarithm, 1, z), NEWTON_OK);
  assert_near(z[0], exp(2), 1e-9);
  z[0] = -0.001;
  assert_int_equal(solve(rescue_solve, corner, 1, z), NEWTON_OK);
  assert_near(z[0], 14.9991, 1e-9);
  z[0] = 0, z[1] = 1;
  assert_int_equal(solve(rescue_solve, two, 2, z), NEWTON_OK);
  assert_near(z[0] * z[1], 1e-4, 1e-12);
}

/* A least residual that is not 0 is no solution. */
static void test_least_squares(void **state) {
  (void)state;
  double z[] = {3};
  assert_int_not_equal(solve(levmar_solve, without_solution, 1, z), NEWTON_OK);
  z[0] = 20;
  assert_int_equal(solve(levmar_solve, flat, 1, z), NEWTON_OK);
  assert_near(z[0], 3, 1e-9);
}

/* Steps are cut so that the unknown stays where it belongs. */
static void test_bounds(void **state) {
  (void)state;
  double z[] = {2}, low[] = {0}, high[] = {INFINITY}, work[100];
  Case c = {logarithm, 1, 0};
  NewtonProblem p = problem(&c, 1);
  p.low = low, p.high = high;
  z[0] = 1000;
  assert_int_equal(newton_solve(&p, &newton_defaults, z, work), NEWTON_OK);
  assert_near(z[0], exp(2), 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lsq_regular),
      cmocka_unit_test(test_lsq_singular),
      cmocka_unit_test(test_lsq_contradiction),
      cmocka_unit_test(test_lsq_bridge),
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_model_homotopy),
      cmocka_unit_test(test_rescue),
      cmocka_unit_test(test_least_squares),
      cmocka_unit_test(test_bounds),
  };
  return cmocka_run_group_tests_name("initialisation", tests, NULL, NULL);
}
