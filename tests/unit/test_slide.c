/* tests/unit/test_slide.c -- crossing, sliding on one and several surfaces, exit, motions that are
 * not unique; where event times accumulate. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/slide.h"

static uint64_t random_state = 3;
static double uniform(void) { /* -1 .. 1 */
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) / 0x1p52 - 1;
}

enum { MOST_WORK = 40000 };
static double work[MOST_WORK];

static SlideEnd solve(int k, const double *w, const double *from, SlideResult *r) {
  assert_true(slide_work(k) <= MOST_WORK);
  SlideProblem p = {.k = k, .w = w, .from = from};
  return slide_solve(&p, r, work);
}

/* x' = u - sgn(x): speeds below and above */
static void relay(double u, double *w) { w[0] = u + 1, w[1] = u - 1; }

static void test_one(void **state) {
  (void)state;
  SlideResult r;
  double w[2], above = 1, below = 0;
  relay(0.5, w);
  assert_int_equal(solve(1, w, &above, &r), SLIDE_OK);
  assert_true(r.side[0] == 0 && r.sliding == 1 && r.nodal && fabs(r.a[0] - 0.75) < 1e-15);
  relay(2, w);
  assert_int_equal(solve(1, w, &below, &r), SLIDE_OK);
  assert_true(r.side[0] == 1 && r.sliding == 0 && !r.nodal && !r.tangent);
  relay(-2, w);
  assert_int_equal(solve(1, w, &above, &r), SLIDE_OK);
  assert_int_equal(r.side[0], -1);
  w[0] = -1, w[1] = 1; /* away from it on both sides: stays where it comes from */
  assert_int_equal(solve(1, w, &above, &r), SLIDE_SEVERAL);
  assert_true(r.side[0] == 1 && r.found == 2);
  assert_int_equal(solve(1, w, &below, &r), SLIDE_SEVERAL);
  assert_int_equal(r.side[0], -1);
  w[0] = 1, w[1] = 0; /* at the exit */
  solve(1, w, &above, &r);
  assert_true(r.side[0] == 1 && r.tangent);
  w[0] = NAN;
  assert_int_equal(solve(1, w, &above, &r), SLIDE_LOST);
  assert_int_equal(slide_kind(-0.5, 1.5, 0, 0, 1e-12), SLIDE_ATTRACTIVE);
  assert_int_equal(slide_kind(0.5, 1.5, 0, 0, 1e-12), SLIDE_UP);
  assert_int_equal(slide_kind(-0.5, -1.5, 0, 0, 1e-12), SLIDE_DOWN);
  assert_int_equal(slide_kind(0.5, -1.5, 0, 0, 1e-12), SLIDE_REPULSIVE);
  /* tangent, and bends back to the surface */
  assert_int_equal(slide_kind(1e-14, 1.5, -1, 0, 1e-12), SLIDE_ATTRACTIVE);
  assert_int_equal(slide_kind(-1e-14, 1.5, 1, 0, 1e-12), SLIDE_UP);
}

/* The input of the relay grows until it does not hold any more. */
static void test_exit(void **state) {
  (void)state;
  double a = 0.75, w[2], field[2], x_dot;
  int side = 0;
  for (double u = 0.5; u < 1.05; u += 0.1) {
    relay(u, w);
    assert_int_equal(slide_follow(1, w, &a), NUM_OK);
    assert_true(fabs(a - (1 + u) / 2) < 1e-14);
    field[0] = w[0], field[1] = w[1];
    slide_combine(1, 1, field, &a, &x_dot);
    assert_true(fabs(x_dot) < 1e-14);
    if (u < 0.95)
      assert_int_equal(slide_exit(1, &a, &side), -1);
  }
  relay(1.1, w);
  assert_int_equal(slide_follow(1, w, &a), NUM_OK);
  assert_int_equal(slide_exit(1, &a, &side), 0);
  assert_int_equal(side, 1);
  w[0] = w[1] = 1;
  assert_int_equal(slide_follow(1, w, &a), NUM_RETRY);
}

/* Speeds of each surface as bilinear functions c0 + c1 a1 + c2 a2 + c12 a1 a2. */
static void bilinear(double c[2][4], double *w) {
  for (int corner = 0; corner < 4; corner++)
    for (int i = 0; i < 2; i++) {
      int a1 = corner & 1, a2 = corner >> 1;
      w[2 * corner + i] = c[i][0] + c[i][1] * a1 + c[i][2] * a2 + c[i][3] * a1 * a2;
    }
}

static void test_two(void **state) {
  (void)state;
  SlideResult r;
  double w[8], from[2] = {1, 1};
  /* Two relays that do not know each other */
  double apart[2][4] = {{1.5, -2, 0, 0}, {1, 0, -2, 0}};
  bilinear(apart, w);
  assert_int_equal(solve(2, w, from, &r), SLIDE_OK);
  assert_true(r.sliding == 2 && r.nodal && !r.fragile && fabs(r.a[0] - 0.75) < 1e-14 &&
              fabs(r.a[1] - 0.5) < 1e-14);
  double lambda[4];
  slide_weights(2, r.a, lambda);
  assert_true(fabs(lambda[3] - 0.375) < 1e-14 &&
              fabs(lambda[0] + lambda[1] + lambda[2] + lambda[3] - 1) < 1e-15);
  /* The second is crossed, the first holds */
  double leaves[2][4] = {{1.5, -2, 0, 0}, {3, 0, -2, 0}};
  bilinear(leaves, w);
  assert_int_equal(solve(2, w, r.a, &r), SLIDE_OK);
  assert_true(r.side[0] == 0 && r.side[1] == 1 && r.sliding == 1);
  double corner[2][4] = {{3, -2, 0, 0}, {-3, 0, 2, 0}};
  bilinear(corner, w);
  assert_int_equal(solve(2, w, from, &r), SLIDE_OK);
  assert_true(r.side[0] == 1 && r.side[1] == -1);
  /* Away from the middle, round and round */
  double spiral[2][4] = {{0.4, 0.2, -1, 0}, {-0.6, 1, 0.2, 0}};
  bilinear(spiral, w);
  assert_int_equal(solve(2, w, from, &r), SLIDE_NONE);
  double inward[2][4] = {{0.6, -0.2, -1, 0}, {-0.4, 1, -0.2, 0}};
  bilinear(inward, w);
  assert_int_equal(solve(2, w, from, &r), SLIDE_OK);
  assert_true(r.sliding == 2 && !r.fragile && !r.nodal);
  /* Attractive only if the switches are equally fast */
  double odd[2][4] = {{0.5, 1, -2, 0}, {0.5, 2, -3, 0}};
  bilinear(odd, w);
  solve(2, w, from, &r);
  assert_true(r.sliding == 2 && r.fragile);
  double zero[8] = {0};
  assert_int_equal(solve(2, zero, from, &r), SLIDE_SEVERAL);
  assert_true(r.tangent && r.side[0] == 1 && r.side[1] == 1);
}

/* ---- two surfaces: all motions by formulas ---- */

static double speed(const double *c, double a1, double a2) {
  return c[0] + c[1] * a1 + c[2] * a2 + c[3] * a1 * a2;
}

static int count_interior(double c[2][4]) {
  /* a2 = -(p0 + p1 a1)/(p2 + p3 a1) from the first, into the second times its denominator */
  const double *p = c[0], *q = c[1];
  double k0 = q[0] * p[2] - q[2] * p[0], k1 = q[0] * p[3] + q[1] * p[2] - q[2] * p[1] - q[3] * p[0],
         k2 = q[1] * p[3] - q[3] * p[1];
  double root = k1 * k1 - 4 * k2 * k0;
  int count = 0;
  for (int sign = -1; sign < 2 && root > 0; sign += 2) {
    double a1 = (-k1 + sign * sqrt(root)) / (2 * k2), a2 = -(p[0] + p[1] * a1) / (p[2] + p[3] * a1);
    double j11 = p[1] + p[3] * a2, j12 = p[2] + p[3] * a1, j21 = q[1] + q[3] * a2,
           j22 = q[2] + q[3] * a1;
    /* speeds are compared in units of their largest */
    double u1 = 0, u2 = 0;
    for (int corner = 0; corner < 4; corner++) {
      u1 = fmax(u1, fabs(speed(p, corner & 1, corner >> 1)));
      u2 = fmax(u2, fabs(speed(q, corner & 1, corner >> 1)));
    }
    count += a1 > 0 && a1 < 1 && a2 > 0 && a2 < 1 && j11 / u1 + j22 / u2 < 0 &&
             j11 * j22 - j12 * j21 > 0;
  }
  return count;
}

static int count_edges(double c[2][4]) {
  int count = 0;
  for (int i = 0; i < 2; i++) /* slides on surface i, leaves the other to side s */
    for (int s = 0; s < 2; s++) {
      double at0 = i ? speed(c[1], s, 0) : speed(c[0], 0, s),
             at1 = i ? speed(c[1], s, 1) : speed(c[0], 1, s);
      double a = at0 / (at0 - at1), other = i ? speed(c[0], s, a) : speed(c[1], a, s);
      count += at0 > 0 && at1 < 0 && (s ? other > 0 : other < 0);
    }
  for (int corner = 0; corner < 4; corner++) {
    int a1 = corner & 1, a2 = corner >> 1;
    count += (a1 ? 1 : -1) * speed(c[0], a1, a2) > 0 && (a2 ? 1 : -1) * speed(c[1], a1, a2) > 0;
  }
  return count;
}

static void test_random_two(void **state) {
  (void)state;
  int seen[6] = {0};
  for (int round = 0; round < 4000; round++) {
    double c[2][4], w[8], from[2] = {round & 1, round >> 1 & 1};
    SlideResult r;
    for (int k = 0; k < 8; k++)
      c[k / 4][k % 4] = uniform();
    bilinear(c, w);
    SlideEnd end = solve(2, w, from, &r);
    int expected = count_interior(c) + count_edges(c);
    assert_int_equal(r.found, expected);
    assert_int_equal(end, expected == 0 ? SLIDE_NONE : expected == 1 ? SLIDE_OK : SLIDE_SEVERAL);
    for (int i = 0; i < 2 && expected > 0; i++) {
      double v = speed(c[i], r.a[0], r.a[1]);
      assert_true(r.side[i] == 0 ? fabs(v) < 1e-12 : r.side[i] * v > 0);
    }
    if (r.nodal)
      assert_true(expected == 1 && r.sliding == 2);
    seen[expected]++;
  }
  assert_true(seen[0] > 10 && seen[1] > 2000 && seen[2] > 100);
}

/* Three to six surfaces that attract, with couplings: all are slid upon. */
static void test_many(void **state) {
  (void)state;
  for (int k = 3; k <= SLIDE_MOST; k++)
    for (int round = 0; round < 5; round++) {
      double w[(1 << SLIDE_MOST) * SLIDE_MOST], value[SLIDE_MOST] = {0}, lambda[1 << SLIDE_MOST];
      for (int c = 0; c < 1 << k; c++)
        for (int i = 0; i < k; i++)
          w[c * k + i] = (c >> i & 1 ? -1 : 1) * (1 + 0.3 * uniform());
      SlideResult r;
      assert_int_equal(solve(k, w, NULL, &r), SLIDE_OK);
      assert_true(r.sliding == k && r.nodal);
      slide_weights(k, r.a, lambda);
      for (int i = 0; i < k; i++) {
        for (int c = 0; c < 1 << k; c++)
          value[i] += lambda[c] * w[c * k + i];
        assert_true(fabs(value[i]) < 1e-12);
      }
    }
}

/* Back to the unit sphere and the plane z = 0.5 y. */
static void test_correction(void **state) {
  (void)state;
  double x[3] = {0.8, 0.5, 0.3}, dx[3];
  for (int step = 0; step < 6; step++) {
    double z[2] = {x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1, x[2] - 0.5 * x[1]};
    double gradient[6] = {2 * x[0], 2 * x[1], 2 * x[2], 0, -0.5, 1};
    assert_true(slide_correction(2, 3, z, gradient, (double[]){1, 1, 10}, dx));
    for (int k = 0; k < 3; k++)
      x[k] += dx[k];
  }
  assert_true(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1) < 1e-15 &&
              fabs(x[2] - 0.5 * x[1]) < 1e-15);
  assert_false(slide_correction(2, 2, (double[]){1, 1}, (double[]){1, 2, 2, 4}, NULL, dx));
}

/* ---- accumulation ---- */

static int bounce(double e, int count, double *t, double *v) {
  const double g = 9.81;
  double time = sqrt(2 / g), speed_up = e * sqrt(2 * g);
  for (int k = 0; k < count; k++) {
    t[k] = time, v[k] = speed_up;
    time += 2 * speed_up / g;
    speed_up *= e;
  }
  return count;
}

static void test_zeno(void **state) {
  (void)state;
  enum { MOST = 400 };
  double t[MOST], v[MOST];
  const double rebound[] = {0.5, 0.95, 0.1, 0.8}, limit[] = {1.3545709230, 17.6094219984, 0, 0};
  for (int k = 0; k < 4; k++) {
    double e = rebound[k], exact = sqrt(2 / 9.81) * (1 + e) / (1 - e);
    assert_true(k > 1 || fabs(exact - limit[k]) < 1e-9);
    for (int n = ZENO_EVENTS; n <= 10; n++) {
      Zeno z = zeno_estimate(t, v, bounce(e, n, t, v), 0);
      assert_true(z.found && fabs(z.ratio - e) < 1e-6);
      assert_true(fabs(z.limit - exact) <= z.error + 1e-15 && z.error < 1e-8);
      assert_true(fabs(z.remaining / (v[n - 1] * e) - 1) < 1e-12);
    }
    /* event times known to 1e-9 only */
    bounce(e, 8, t, v);
    for (int n = 0; n < 8; n++)
      t[n] += 1e-9 * uniform();
    Zeno z = zeno_estimate(t, NULL, e < 0.2 ? 6 : 8, 1e-9);
    assert_true(z.found && fabs(z.limit - exact) <= z.error && z.remaining == 0);
  }
  assert_false(zeno_estimate(t, v, ZENO_EVENTS - 1, 0).found);
  for (int k = 0; k < 10; k++) /* as regular as a clock, and growing */
    t[k] = 0.1 * k, v[k] = 1;
  assert_false(zeno_estimate(t, v, 10, 0).found);
  for (int k = 0; k < 10; k++)
    t[k] = pow(1.1, k);
  assert_false(zeno_estimate(t, NULL, 10, 0).found);
  for (int k = 0; k < 10; k++) /* faster and faster without end */
    t[k] = log(1 + k);
  assert_false(zeno_estimate(t, NULL, 10, 0).found);
  bounce(0.5, 8, t, v);
  for (int k = 0; k < 8; k++)
    v[k] = 1; /* what happens does not become less */
  assert_false(zeno_estimate(t, v, 8, 0).found);
}

/* A rebound that depends on the speed a little: the bound holds. */
static void test_zeno_drift(void **state) {
  (void)state;
  for (double drift = -0.02; drift < 0.025; drift += 0.005) {
    double t[100] = {0}, d = 1;
    int n = 1;
    for (; n < 100; n++, d *= 0.6 + drift * d)
      t[n] = t[n - 1] + d;
    for (int k = 6; k < 12; k++) {
      Zeno z = zeno_estimate(t, NULL, k, 0);
      assert_true(!z.found || fabs(z.limit - t[99]) <= z.error + 1e-15);
      assert_true(z.found || k < 8);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one),  cmocka_unit_test(test_exit),
      cmocka_unit_test(test_two),  cmocka_unit_test(test_random_two),
      cmocka_unit_test(test_many), cmocka_unit_test(test_correction),
      cmocka_unit_test(test_zeno), cmocka_unit_test(test_zeno_drift)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
