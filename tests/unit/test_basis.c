/* tests/unit/test_basis.c -- columns to solve for: exchanges, stickiness, rank; and on random
 * matrices the property that the rest depends on the basis by no more than the limit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/numeric.h"

enum { MOST = 12 };

static uint64_t random_state = 7;
static double uniform(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) / 0x1p52 - 1;
}

static bool improve(const double *a, int m, int n, double most, bool *in) {
  double copy[MOST * MOST], size[MOST];
  int column[MOST], row[MOST];
  memcpy(copy, a, (size_t)(m * n) * sizeof *a);
  for (int k = 0; k < n; k++)
    size[k] = 1;
  return basis_improve(copy, size, m, n, most, in, column, row);
}

static void test_pendulum(void **state) {
  (void)state;
  bool in[2] = {false, true}; /* y is solved for */
  assert_true(improve((double[]){0.8, -0.6}, 1, 2, 2, in));
  assert_true(in[1]); /* 0.8/0.6 is below the limit */
  assert_true(improve((double[]){0.9, 0.4}, 1, 2, 2, in));
  assert_true(in[0] && !in[1]);
  assert_true(improve((double[]){0.6, 0.8}, 1, 2, 2, in));
  assert_true(in[0]); /* it does not go back at once */
  assert_true(improve((double[]){0, 1}, 1, 2, 1000, in));
  assert_true(in[1]); /* a singular choice is left whatever the limit */
}

static void test_rank(void **state) {
  (void)state;
  bool in[3] = {true, true, false};
  assert_false(improve((double[]){1, 2, 3, 2, 4, 6}, 2, 3, 2, in));
  assert_true(in[0] && in[1] && !in[2]);
  assert_false(improve((double[]){0, 0, 0, 1, 1, 1}, 2, 3, 2, in));
}

/* Solves the basis for the other columns by LU and looks at the factors. */
static double largest_factor(const double *a, int m, int n, const bool *in) {
  double b[MOST * MOST], rows[MOST], worst = 0, scaled[MOST * MOST];
  int pivot[MOST], where, at[MOST], k = 0;
  for (int i = 0; i < m; i++) {
    double largest = 0;
    for (int j = 0; j < n; j++)
      largest = fmax(largest, fabs(a[i * n + j]));
    for (int j = 0; j < n; j++)
      scaled[i * n + j] = a[i * n + j] / largest;
  }
  for (int j = 0; j < n; j++)
    if (in[j])
      at[k++] = j;
  assert_int_equal(k, m);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      b[i * m + j] = scaled[i * n + at[j]];
  assert_true(lu_factor(b, pivot, rows, m, &where));
  for (int j = 0; j < n; j++) {
    double z[MOST];
    for (int i = 0; i < m; i++)
      z[i] = scaled[i * n + j];
    lu_solve(b, pivot, m, z);
    for (int i = 0; i < m && !in[j]; i++)
      worst = fmax(worst, fabs(z[i]));
  }
  return worst;
}

static void test_random(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    int m = 1 + round % 6, n = m + 1 + round / 7 % 5;
    double a[MOST * MOST];
    bool in[MOST] = {false};
    for (int k = 0; k < m * n; k++)
      a[k] = uniform() * (round % 3 ? 1 : exp(8 * uniform()));
    for (int k = 0; k < m; k++)
      in[k] = true;
    assert_true(improve(a, m, n, 2, in));
    assert_true(largest_factor(a, m, n, in) <= 2 * (1 + 1e-6));
    bool again[MOST];
    memcpy(again, in, sizeof in);
    assert_true(improve(a, m, n, 2, again));
    assert_memory_equal(again, in, sizeof in);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pendulum), cmocka_unit_test(test_rank),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests_name("basis", tests, NULL, NULL);
}
