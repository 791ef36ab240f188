/* tests/unit/test_eigen.c -- eigenvalues of matrices whose eigenvalues are known: triangular ones
 * behind similarity transformations, rotations, companion matrices, one with magnitudes nine powers
 * of ten apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "numeric/eigen.h"

enum { MOST = 40 };

static uint64_t seed;

static double random_number(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

/* Each expected value has its own found one. */
static void assert_same(int n, double *a, const double complex *expected, double tolerance) {
  Memory mem = {0};
  double complex found[MOST];
  bool taken[MOST] = {0};
  assert_true(eigen_values(n, a, found, arena_new(&mem)));
  for (int k = 0; k < n; k++) {
    int best = -1;
    for (int q = 0; q < n; q++)
      if (!taken[q] && (best < 0 || cabs(found[q] - expected[k]) < cabs(found[best] - expected[k])))
        best = q;
    taken[best] = true;
    if (!(cabs(found[best] - expected[k]) <= tolerance * fmax(1, cabs(expected[k]))))
      fail_msg("n = %d: %g%+gi is not among them, %g%+gi is next", n, creal(expected[k]),
               cimag(expected[k]), creal(found[best]), cimag(found[best]));
  }
  mem_drop_since(&mem, NULL);
}

/* a := (I - 2 v v') a (I - 2 v v') for a random direction v. */
static void reflect(int n, double *a) {
  double v[MOST], length = 0;
  for (int k = 0; k < n; k++)
    v[k] = random_number(), length += v[k] * v[k];
  for (int j = 0; j < n; j++) {
    double row = 0;
    for (int k = 0; k < n; k++)
      row += v[k] * a[k * n + j];
    for (int k = 0; k < n; k++)
      a[k * n + j] -= 2 * row / length * v[k];
  }
  for (int j = 0; j < n; j++) {
    double column = 0;
    for (int k = 0; k < n; k++)
      column += v[k] * a[j * n + k];
    for (int k = 0; k < n; k++)
      a[j * n + k] -= 2 * column / length * v[k];
  }
}

/* Blocks of rotations and single values on the diagonal, hidden by reflections. */
static void hidden(void **state) {
  (void)state;
  for (uint64_t first = 1; first < 200; first++) {
    int n = 1 + (int)(first % 29);
    seed = first;
    double a[MOST * MOST] = {0};
    double complex expected[MOST];
    for (int k = 0; k < n; k++) {
      double re = 5 * random_number(), im = k + 1 < n && k % 3 == 0 ? 1 + random_number() : 0;
      a[k * n + k] = re;
      expected[k] = re + im * I;
      if (im != 0) {
        a[(k + 1) * n + k + 1] = re;
        a[k * n + k + 1] = im, a[(k + 1) * n + k] = -im;
        expected[++k] = re - im * I;
      }
    }
    for (int k = 0; k < 5; k++)
      reflect(n, a);
    assert_same(n, a, expected, 1e-11);
  }
}

static void known(void **state) {
  (void)state;
  double one[] = {-3}, zero[9] = {0}, turn[] = {0, 1, -1, 0},
         companion[] = {6, -11, 6, 1, 0, 0, 0, 1, 0};
  assert_same(1, one, (double complex[]){-3}, 0);
  assert_same(3, zero, (double complex[]){0, 0, 0}, 0);
  assert_same(2, turn, (double complex[]){I, -I}, 1e-15);
  assert_same(3, companion, (double complex[]){1, 2, 3}, 1e-12);
  /* a valve with 1e9/s behind a chamber with 1e3/s: the slow one keeps its digits */
  double stiff[] = {-1e9, 1e2, 1e5, -1e3};
  double half = (1e9 - 1e3) / 2, root = sqrt(half * half + 1e7), fast = -(1e9 + 1e3) / 2 - root;
  assert_same(2, stiff, (double complex[]){fast, (1e12 - 1e7) / fast}, 1e-9);
  /* a cyclic permutation: all of one size */
  double ring[36] = {0};
  double complex roots[6];
  for (int k = 0; k < 6; k++)
    ring[k * 6 + (k + 1) % 6] = 1, roots[k] = cexp(2 * acos(-1) / 6 * k * I);
  assert_same(6, ring, roots, 1e-13);
}

static void bad(void **state) {
  (void)state;
  Memory mem = {0};
  double a[] = {1, NAN, 0, 1};
  double complex w[2];
  assert_false(eigen_values(2, a, w, arena_new(&mem)));
  assert_true(eigen_values(0, a, w, arena_new(&mem)));
  mem_drop_since(&mem, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hidden), cmocka_unit_test(known),
                                     cmocka_unit_test(bad)};
  return cmocka_run_group_tests_name("eigenvalues", tests, NULL, NULL);
}
