/* tests/unit/test_jet.c -- first and second derivatives along a motion against differences of
 * values; what has none; sizes of what cancels. */
#include "numeric/jet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Two operands that move: values and derivatives at s, inside (0, 1) and above 1 for s near 0. */
static Jet first(double s) { return jet_of(0.4 + 0.3 * s + 0.2 * s * s, 0.3 + 0.4 * s, 0.4); }
static Jet second(double s) {
  return jet_of(1.7 - 0.5 * s + 0.1 * sin(s), -0.5 + 0.1 * cos(s), -0.1 * sin(s));
}

typedef Jet Of(int what, double s);

/* Differences of fourth order. */
static void compare(Of *f, int what) {
  const double h = 1e-3;
  double v[5];
  for (int k = 0; k < 5; k++)
    v[k] = f(what, (k - 2) * h).v;
  Jet z = f(what, 0);
  double d = (v[0] - 8 * v[1] + 8 * v[3] - v[4]) / (12 * h),
         dd = (-v[0] + 16 * v[1] - 30 * v[2] + 16 * v[3] - v[4]) / (12 * h * h);
  if (!(fabs(z.d - d) <= 1e-8 && fabs(z.dd - dd) <= 1e-6))
    fail_msg("%d: %.12g %.12g, by differences %.12g %.12g", what, z.d, z.dd, d, dd);
  assert_true(z.d_size >= fabs(z.d) && z.dd_size >= fabs(z.dd));
}

static Jet of_two(int op, double s) {
  Jet a = first(s), b = second(s);
  return jet_apply((EncloseOp)op, &a, &b);
}

static Jet of_one(int op, double s) {
  Jet a = first(s);
  return jet_apply((EncloseOp)op, &a, NULL);
}

static void test_operators(void **state) {
  (void)state;
  static const EncloseOp two[] = {ENCLOSE_ADD, ENCLOSE_SUB, ENCLOSE_MUL, ENCLOSE_DIV,
                                  ENCLOSE_POW, ENCLOSE_MIN, ENCLOSE_MAX, ENCLOSE_ATAN2};
  static const EncloseOp one[] = {ENCLOSE_NEG,  ENCLOSE_ABS,  ENCLOSE_SQRT, ENCLOSE_SIN,
                                  ENCLOSE_COS,  ENCLOSE_TAN,  ENCLOSE_ASIN, ENCLOSE_ACOS,
                                  ENCLOSE_ATAN, ENCLOSE_SINH, ENCLOSE_COSH, ENCLOSE_TANH,
                                  ENCLOSE_EXP,  ENCLOSE_LOG,  ENCLOSE_LOG10};
  for (size_t k = 0; k < sizeof two / sizeof *two; k++)
    compare(of_two, two[k]);
  for (size_t k = 0; k < sizeof one / sizeof *one; k++)
    compare(of_one, one[k]);
}

static void test_constant_powers(void **state) {
  (void)state;
  for (int n = -3; n <= 4; n++) {
    Jet x = jet_of(0, 2, 3), e = jet_number(n), z = jet_apply(ENCLOSE_POW, &x, &e);
    if (n < 0)
      continue;
    assert_true(z.d == (n == 1 ? 2 : 0));
    assert_true(z.dd == (n == 1 ? 3 : n == 2 ? 8 : 0));
  }
}

/* Kinks and jumps have no derivative; a comparison that nothing moves, or that is certain, has. */
static void test_none(void **state) {
  (void)state;
  Jet zero = jet_of(0, 1, 0), rest = jet_number(0), one = jet_number(1);
  assert_true(isnan(jet_apply(ENCLOSE_ABS, &zero, NULL).d));
  assert_true(isnan(jet_apply(ENCLOSE_SIGN, &zero, NULL).d));
  assert_true(isnan(jet_apply(ENCLOSE_MAX, &zero, &rest).d));
  assert_true(isnan(jet_apply(ENCLOSE_GE, &zero, &rest).d));
  assert_true(jet_apply(ENCLOSE_GE, &zero, &one).d == 0);
  assert_true(jet_apply(ENCLOSE_ABS, &rest, NULL).d == 0);
  assert_true(jet_apply(ENCLOSE_MAX, &zero, &zero).d == 1);
  Jet unknown = jet_apply(ENCLOSE_GE, &zero, &rest), either = jet_if(&unknown, &one, &zero);
  assert_true(isnan(either.d));
}

/* x^2 + y^2 on a circle: the sums cancel, their sizes do not. */
static void test_sizes(void **state) {
  (void)state;
  Jet x = jet_of(0.6, -0.8, -0.6), y = jet_of(0.8, 0.6, -0.8);
  Jet xx = jet_apply(ENCLOSE_MUL, &x, &x), yy = jet_apply(ENCLOSE_MUL, &y, &y),
      z = jet_apply(ENCLOSE_ADD, &xx, &yy);
  assert_true(fabs(z.d) <= 1e-15 && fabs(z.dd) <= 1e-15);
  assert_true(fabs(z.d_size - 1.92) <= 1e-12 && z.dd_size > 3.9);
  /* nothing is known of the second derivative: the first one is still good */
  Jet fast = jet_of(1, 2, NAN), square = jet_apply(ENCLOSE_MUL, &fast, &fast);
  assert_true(square.d == 4 && isnan(square.dd));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_operators),
                                     cmocka_unit_test(test_constant_powers),
                                     cmocka_unit_test(test_none), cmocka_unit_test(test_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
