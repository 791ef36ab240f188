/* tests/unit/test_surface.c -- tables of two abscissae: closed forms, every kind of interpolation
 * and extrapolation, derivatives against differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "numeric/surface.h"

static Surface *surface_of(const double *matrix, size_t rows, size_t columns, Smoothness s,
                           Outside o) {
  const char *why = NULL;
  Surface *t = surface_new(matrix, rows, columns, s, o, &why);
  if (!t)
    fail_msg("%s", why);
  return t;
}

static SurfacePoint at(const Surface *s, double u1, double u2) {
  SurfacePoint p;
  assert_true(surface_value(s, u1, u2, &p));
  return p;
}

static void assert_near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance * fmax(1, fabs(b))))
    fail_msg("%.17g is not %.17g", a, b);
}

/* A matrix of f at x = 0, 1, 2.5, 4 and y = -1, 0, 2, 3, 5. */
enum { ROWS = 5, COLUMNS = 6 };
static void sample(double (*f)(double x, double y), double *m) {
  static const double x[] = {0, 1, 2.5, 4}, y[] = {-1, 0, 2, 3, 5};
  for (int j = 0; j < COLUMNS; j++)
    m[j] = j ? y[j - 1] : 0;
  for (int i = 1; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      m[i * COLUMNS + j] = j ? f(x[i - 1], y[j - 1]) : x[i - 1];
}

static double saddle(double x, double y) { return 2 + 3 * x - y + 0.5 * x * y; }
static double wave(double x, double y) { return sin(x) * cos(0.7 * y) + 0.1 * x * y; }

/* Bilinear functions are what they are, also beyond the ends. */
static void bilinear(void **state) {
  (void)state;
  double m[ROWS * COLUMNS];
  sample(saddle, m);
  for (int k = 0; k < 2; k++) {
    Surface *s = surface_of(m, ROWS, COLUMNS, k ? SMOOTH_AKIMA : SMOOTH_LINEAR, OUTSIDE_LINEAR);
    for (double x = -2; x < 6; x += 0.37)
      for (double y = -3; y < 7; y += 0.41) {
        SurfacePoint p = at(s, x, y);
        assert_near(p.z, saddle(x, y), 1e-13);
        assert_near(p.z1, 3 + 0.5 * y, 1e-12);
        assert_near(p.z2, -1 + 0.5 * x, 1e-12);
        assert_near(p.z12, 0.5, 1e-12);
        assert_near(p.z11, 0, 1e-11);
      }
    surface_free(s);
  }
}

static void steps(void **state) {
  (void)state;
  double m[ROWS * COLUMNS];
  sample(wave, m);
  Surface *s = surface_of(m, ROWS, COLUMNS, SMOOTH_CONSTANT, OUTSIDE_HOLD);
  assert_near(at(s, 1.5, 2.9).z, wave(1, 2), 0);
  assert_near(at(s, 2.5, 3).z, wave(2.5, 3), 0);
  assert_near(at(s, 4, 5).z, wave(4, 5), 0);
  assert_near(at(s, 99, -99).z, wave(4, -1), 0);
  assert_near(at(s, 1.5, 2.9).z1, 0, 0);
  surface_free(s);
  s = surface_of(m, ROWS, COLUMNS, SMOOTH_CONSTANT, OUTSIDE_LINEAR); /* planes beyond the ends */
  Surface *planes = surface_of(m, ROWS, COLUMNS, SMOOTH_LINEAR, OUTSIDE_LINEAR);
  assert_near(at(s, 5, 1).z, at(planes, 5, 1).z, 0);
  surface_free(s);
  surface_free(planes);
}

static void outside(void **state) {
  (void)state;
  double m[ROWS * COLUMNS];
  SurfacePoint p;
  sample(wave, m);
  for (int k = 0; k < 2; k++) {
    Smoothness smooth = k ? SMOOTH_AKIMA : SMOOTH_LINEAR;
    Surface *s = surface_of(m, ROWS, COLUMNS, smooth, OUTSIDE_HOLD);
    assert_near(at(s, 7, 1.3).z, at(s, 4, 1.3).z, 1e-15);
    assert_near(at(s, 7, 1.3).z2, at(s, 4, 1.3).z2, 1e-15);
    assert_near(at(s, 7, 1.3).z1, 0, 0);
    assert_near(at(s, -7, -9).z, wave(0, -1), 1e-15);
    surface_free(s);
    s = surface_of(m, ROWS, COLUMNS, smooth, OUTSIDE_PERIODIC);
    assert_near(at(s, 1.2 + 8, 1.3 - 12).z, at(s, 1.2, 1.3).z, 1e-13);
    assert_near(at(s, 4, 5).z, wave(4, 5), 1e-15);
    surface_free(s);
    s = surface_of(m, ROWS, COLUMNS, smooth, OUTSIDE_ERROR);
    assert_near(at(s, 4, 5).z, wave(4, 5), 1e-15);
    assert_false(surface_value(s, 4.1, 0, &p));
    assert_false(surface_value(s, 1, -1.1, &p));
    surface_free(s);
  }
}

/* Derivatives are those of the value, and those of the second order of the first; values and slopes
 * are continuous. */
static void differences(void **state) {
  (void)state;
  double m[ROWS * COLUMNS];
  const double h = 1e-6;
  sample(wave, m);
  for (Outside o = OUTSIDE_HOLD; o <= OUTSIDE_PERIODIC; o++)
    for (int k = 0; k < 2; k++) {
      Surface *s = surface_of(m, ROWS, COLUMNS, k ? SMOOTH_AKIMA : SMOOTH_LINEAR, o);
      for (double x = -1.63; x < 6; x += 0.31)
        for (double y = -2.71; y < 7; y += 0.43) {
          SurfacePoint p = at(s, x, y), e = at(s, x + h, y), w = at(s, x - h, y),
                       n = at(s, x, y + h), b = at(s, x, y - h);
          assert_near(p.z1, (e.z - w.z) / (2 * h), 1e-7);
          assert_near(p.z2, (n.z - b.z) / (2 * h), 1e-7);
          assert_near(p.z11, (e.z1 - w.z1) / (2 * h), 1e-7);
          assert_near(p.z12, (n.z1 - b.z1) / (2 * h), 1e-7);
          assert_near(p.z22, (n.z2 - b.z2) / (2 * h), 1e-7);
        }
      surface_free(s);
    }
  Surface *s = surface_of(m, ROWS, COLUMNS, SMOOTH_AKIMA, OUTSIDE_LINEAR);
  for (int i = 1; i < ROWS; i++) {
    double x = m[i * COLUMNS], y = 1.234;
    SurfacePoint before = at(s, nextafter(x, -9), y), behind = at(s, nextafter(x, 9), y);
    assert_near(before.z, behind.z, 1e-14);
    assert_near(before.z1, behind.z1, 1e-13);
    assert_near(before.z2, behind.z2, 1e-13);
  }
  surface_free(s);
}

static void narrow(void **state) {
  (void)state;
  const double row[] = {0, 1, 2, 3, 7, 10, 20, 40}, corner[] = {0, 5, 3, 42};
  /* One row: it does not depend on the first abscissa */
  Surface *s = surface_of(row, 2, 4, SMOOTH_AKIMA, OUTSIDE_LINEAR);
  assert_near(at(s, -100, 1.5).z, at(s, 100, 1.5).z, 0);
  assert_near(at(s, 0, 2).z, 20, 0);
  assert_near(at(s, 0, 2).z1, 0, 0);
  surface_free(s);
  s = surface_of(corner, 2, 2, SMOOTH_LINEAR, OUTSIDE_ERROR);
  assert_near(at(s, 1, 1).z, 42, 0);
  surface_free(s);
  const double descending[] = {0, 2, 1, 1, 0, 0};
  const char *why = NULL;
  assert_null(surface_new(descending, 2, 3, SMOOTH_LINEAR, OUTSIDE_HOLD, &why));
  assert_non_null(why);
  assert_null(surface_new(row, 2, 4, SMOOTH_STEFFEN, OUTSIDE_HOLD, &why));
  assert_null(surface_new(row, 1, 4, SMOOTH_LINEAR, OUTSIDE_HOLD, &why));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bilinear), cmocka_unit_test(steps),
                                     cmocka_unit_test(outside), cmocka_unit_test(differences),
                                     cmocka_unit_test(narrow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
