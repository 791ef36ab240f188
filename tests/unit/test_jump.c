/* tests/unit/test_jump.c -- jumps with closed forms: capacitors, collisions, clamps, cut inductors, pendulum, rod, cylinder;
 * and the nonlinear form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/jump.h"

enum { MOST = 12, PULSES = 4 };

static Memory memory;
static Arena *arena;
static jmp_buf exhausted;

static int set_up(void **state) {
  (void)state;
  memory.recover = &exhausted;
  if (setjmp(exhausted))
    return 1;
  arena = arena_new(&memory);
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  arena_free(arena);
  return memory.used == 0 ? 0 : 1;
}

typedef struct {
  JumpEnd end;
  double x[MOST], rate[MOST], area[PULSES * MOST];
  int order, worst;
  const Jump *jump;
} Outcome;

static Outcome jump(int n, const double *e, const double *a, const double *b, const double *before, const double *error) {
  Outcome o = {0};
  double work[3 * MOST];
  o.jump = jump_prepare(arena, n, n, e, a, NULL);
  assert_int_equal(o.jump->form->end, DESCRIPTOR_OK);
  assert_false(o.jump->form->doubtful);
  JumpInput in = {.x = before, .b = b, .given = b ? 1 : 0, .error = error};
  JumpOutput out = {.x = o.x, .rate = o.rate, .area = o.area};
  o.end = jump_apply(o.jump, &in, &out, work);
  o.order = out.order, o.worst = out.worst;
  return o;
}

static void expect(double value, double expected) {
  if (!(fabs(value - expected) <= 1e-13 * (1 + fabs(expected))))
    fail_msg("%.17g instead of %.17g", value, expected);
}

/* C1 v1' = -i, C2 v2' = i, v1 = v2 */
static void test_capacitors(void **state) {
  (void)state;
  Outcome o = jump(3, (double[]){1, 0, 0, 0, 3, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL,
                   (double[]){10, 2, NAN}, NULL);
  assert_int_equal(o.end, JUMP_DIRAC);
  assert_int_equal(o.jump->form->index, 2);
  assert_int_equal(o.jump->form->dynamic, 1);
  expect(o.x[0], 4), expect(o.x[1], 4), expect(o.x[2], 0);
  expect(o.area[2], 6), expect(o.area[0], 0), expect(o.area[1], 0);
  assert_int_equal(o.worst, 2);
  assert_false(o.jump->form->differential[2]);
  o = jump(3, (double[]){1, 0, 0, 0, 3, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL, (double[]){4, 4, 7}, NULL);
  assert_int_equal(o.end, JUMP_NONE);
  o = jump(3, (double[]){1, 0, 0, 0, 3, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL, (double[]){NAN, 4, 7},
           NULL);
  assert_int_equal(o.end, JUMP_NOT_FINITE);
}

/* m1 v1' = -F, m2 v2' = F, v2 - v1 = e (v1 - v2 before) */
static void collide(double m1, double m2, double v1, double v2, double e) {
  double b[] = {0, 0, -e * (v1 - v2)}, dv = v1 - v2;
  Outcome o = jump(3, (double[]){m1, 0, 0, 0, m2, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, -1, 1, 0}, b,
                   (double[]){v1, v2, INFINITY}, NULL);
  assert_int_equal(o.end, JUMP_DIRAC);
  expect(o.x[0], v1 - (1 + e) * m2 / (m1 + m2) * dv);
  expect(o.x[1], v2 + (1 + e) * m1 / (m1 + m2) * dv);
  expect(o.area[2], (1 + e) * m1 * m2 / (m1 + m2) * dv);
  double momentum = m1 * v1 + m2 * v2;
  assert_true(fabs(m1 * o.x[0] + m2 * o.x[1] - momentum) < 1e-12 * (fabs(m1 * v1) + fabs(m2 * v2)));
}

static void test_collision(void **state) {
  (void)state;
  collide(2, 1, 3, 0, 0.5);
  collide(2, 1, 3, 0, 0);
  collide(2, 1, 3, 0, 1);
  collide(1, 1, 1, 0, 0);
  collide(1e-6, 1e6, 3, -2, 0.3);
  collide(1e9, 1e-9, 1, 0, 1);
}

/* A row of bodies of which all stick together at once: n velocities, n - 1 forces. */
static void test_train(void **state) {
  (void)state;
  enum { BODIES = 6, N = 2 * BODIES - 1 };
  const double mass[BODIES] = {1, 1e-3, 20, 5e3, 0.7, 3}, before[N] = {3, -40, 2, 0.01, 8, -1};
  double e[N * N] = {0}, a[N * N] = {0}, momentum = 0, total = 0, size = 0;
  for (int k = 0; k < BODIES; k++) {
    e[k * N + k] = mass[k];
    if (k > 0)
      a[k * N + BODIES + k - 1] = -1;
    if (k < BODIES - 1) {
      a[k * N + BODIES + k] = 1;
      a[(BODIES + k) * N + k] = 1, a[(BODIES + k) * N + k + 1] = -1;
    }
    momentum += mass[k] * before[k], total += mass[k], size += fabs(mass[k] * before[k]);
  }
  Outcome o = jump(N, e, a, NULL, before, NULL);
  assert_int_equal(o.end, JUMP_DIRAC);
  double after = 0, passed = 0;
  for (int k = 0; k < BODIES; k++) {
    expect(o.x[k], momentum / total);
    after += mass[k] * o.x[k];
    if (k < BODIES - 1) {
      passed += mass[k] * (before[k] - momentum / total); /* impulse through the coupling behind body k */
      assert_true(fabs(o.area[BODIES + k] - passed) < 1e-12 * size);
    }
  }
  assert_true(fabs(after - momentum) < 1e-12 * size);
}

/* x' = v, m v' = F, x = 0 */
static void test_clamp(void **state) {
  (void)state;
  const double e[] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, a[] = {0, -1, 0, 0, 0, -1, 1, 0, 0};
  Outcome o = jump(3, e, a, NULL, (double[]){0.1, 2, NAN}, NULL);
  assert_int_equal(o.end, JUMP_INFINITE);
  assert_int_equal(o.jump->form->index, 3);
  assert_int_equal(o.jump->form->dynamic, 0);
  for (int k = 0; k < 3; k++)
    expect(o.x[k], 0);
  expect(o.area[0], 0), expect(o.area[1], -0.1), expect(o.area[2], -2);
  expect(o.area[3], 0), expect(o.area[4], 0), expect(o.area[5], -0.1);
  assert_true(o.order == 2 && o.worst == 2);
  /* contact where it is: only the speed jumps; also when the event was located within the tolerance */
  o = jump(3, e, a, NULL, (double[]){0, 2, NAN}, NULL);
  assert_int_equal(o.end, JUMP_DIRAC);
  expect(o.area[2], -2);
  o = jump(3, e, a, NULL, (double[]){1e-9, 2, NAN}, (double[]){1e-7, 1e-6, 1});
  assert_int_equal(o.end, JUMP_DIRAC);
  expect(o.area[2], -2);
  /* a clamp that moves: x = 1 + 3 t + 2 t^2 needs b, b', b'' */
  const double b[] = {0, 0, -1, 0, 0, -3, 0, 0, -4};
  double x[3], rate[3], area[2 * 3], work[3 * 3];
  JumpInput in = {.x = (double[]){1, 2, 0}, .b = b, .given = 3};
  JumpOutput out = {.x = x, .rate = rate, .area = area};
  assert_int_equal(jump_apply(o.jump, &in, &out, work), JUMP_DIRAC);
  expect(x[0], 1), expect(x[1], 3), expect(x[2], 4), expect(rate[0], 3), expect(rate[1], 4), expect(area[2], 1);
  assert_int_equal(o.jump->enters[0], 1);
  assert_int_equal(o.jump->enters[1], 0);
  assert_int_equal(o.jump->enters[2], 2);
}

/* Index 4: x' = v, v' = s, s' = F, x = 0. */
static void test_third_order_clamp(void **state) {
  (void)state;
  const double e[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
               a[] = {0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 1, 0, 0, 0};
  Outcome o = jump(4, e, a, NULL, (double[]){0.5, 3, 7, NAN}, NULL);
  assert_int_equal(o.end, JUMP_INFINITE);
  assert_int_equal(o.jump->form->index, 4);
  assert_int_equal(o.order, 3);
  expect(o.area[1], -0.5), expect(o.area[2], -3), expect(o.area[3], -7);
  expect(o.area[4 + 2], -0.5), expect(o.area[4 + 3], -3), expect(o.area[8 + 3], -0.5);
}

/* L i' = u, i = 0; and with the diode on: u = 0 */
static void test_inductor(void **state) {
  (void)state;
  Outcome o = jump(2, (double[]){0.5, 0, 0, 0}, (double[]){0, -1, 1, 0}, NULL, (double[]){2, 12}, NULL);
  assert_int_equal(o.end, JUMP_DIRAC);
  expect(o.x[0], 0), expect(o.area[1], -1);
  o = jump(2, (double[]){0.5, 0, 0, 0}, (double[]){0, -1, 0, 1}, NULL, (double[]){2, 12}, NULL);
  assert_int_equal(o.end, JUMP_NONE);
  expect(o.x[0], 2), expect(o.x[1], 0);
}

/* x = -5 where x' = 10 was: the value before does not matter. */
static void test_index_change(void **state) {
  (void)state;
  Outcome o = jump(1, (double[]){0}, (double[]){1}, (double[]){5}, (double[]){5}, NULL);
  expect(o.x[0], -5);
  assert_true(o.order == 0 && o.jump->form->index == 1);
}

/* The string of a pendulum becomes taut at (0.6, -0.8): x y vx vy F, with m v' = -F r - m g, r.(x, y) = 1, linear about r. */
static void test_pendulum(void **state) {
  (void)state;
  const double m = 2.5, rx = 0.6, ry = -0.8, g = 9.81;
  double e[25] = {0}, a[25] = {0}, b[5] = {0, 0, 0, m * g, -1};
  e[0] = 1, a[2] = -1;
  e[6] = 1, a[8] = -1;
  e[12] = m, a[14] = rx;
  e[18] = m, a[19] = ry;
  a[20] = rx, a[21] = ry;
  Outcome o = jump(5, e, a, b, (double[]){0.6, -0.8, 1, -3, NAN}, NULL);
  double radial = 1 * rx + -3 * ry;
  assert_int_equal(o.end, JUMP_DIRAC);
  assert_int_equal(o.jump->form->index, 3);
  assert_int_equal(o.jump->form->dynamic, 2);
  expect(o.x[0], 0.6), expect(o.x[1], -0.8);
  expect(o.x[2], 1 - radial * rx), expect(o.x[3], -3 - radial * ry), expect(o.x[4], m * g * 0.8);
  expect(o.area[4], m * radial);
  expect(o.rate[2] * rx + o.rate[3] * ry, 0);
}

/* A rod at 45 degrees falls on its end: vx vy omega Ft Fn. Stick: both speeds of the end vanish; slip: Ft = -mu Fn. */
static Outcome rod(double m, double l, double v, double mu, bool stick) {
  double s = sqrt(0.5), c = s, e[25] = {0}, a[25] = {0}, b[5] = {0, m * 9.81};
  e[0] = m, a[3] = -1;
  e[6] = m, a[9] = -1;
  e[12] = m * l * l / 3, a[13] = -l * s, a[14] = l * c; /* the end is at -l (c, s) from the centre */
  if (stick)
    a[15] = 1, a[17] = l * s;
  else
    a[18] = 1, a[19] = -mu;
  a[21] = 1, a[22] = -l * c;
  return jump(5, e, a, b, (double[]){0, -v, 0, NAN, NAN}, NULL);
}

static void test_rod(void **state) {
  (void)state;
  const double m = 3, v = 2;
  Outcome o = rod(m, 0.7, v, 0.7, true);
  assert_int_equal(o.end, JUMP_DIRAC);
  expect(o.area[4], 0.625 * m * v), expect(fabs(o.area[3]), 0.375 * m * v); /* sticks if mu is at least 0.6 */
  o = rod(m, 0.7, v, 0.5, false);
  expect(o.area[4], m * v / 1.75), expect(o.area[3], 0.5 * m * v / 1.75);
}

/* Cylinder without compressibility: I1 f1' = p, I2 f2' = p - R3 f2; valve shut: f1 + f2 = 0; all shut: f1 = 0, f2 = 0. */
static void test_cylinder(void **state) {
  (void)state;
  for (int equal = 0; equal < 2; equal++) {
    double i2 = equal ? 1 : 0.01, before[] = {4, 0, NAN};
    Outcome o = jump(3, (double[]){1, 0, 0, 0, i2, 0, 0, 0, 0}, (double[]){0, 0, -1, 0, 0.01, -1, 1, 1, 0}, NULL, before, NULL);
    assert_int_equal(o.end, JUMP_DIRAC);
    expect(o.x[0], 4 / (1 + i2)), expect(o.x[1], -4 / (1 + i2)), expect(o.area[2], -i2 / (1 + i2) * 4);
  }
  Outcome o = jump(2, (double[]){1, 0, 0, 0}, (double[]){0, -1, 1, 0}, NULL, (double[]){4, 0}, NULL);
  expect(o.x[0], 0), expect(o.area[1], -4);
}

/* Stiff algebraic part: valves of 0.01 and 1e7 beside masses of 1 and 1e-9. */
static void test_stiff(void **state) {
  (void)state;
  /* m1 v1' + F + 1e7 v1 = 0, m2 v2' - F + 0.01 v2 = 0, v1 = v2, p = 1e7 v1 */
  Outcome o =
      jump(4, (double[]){1, 0, 0, 0, 0, 1e-9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
           (double[]){1e7, 0, 1, 0, 0, 0.01, -1, 0, 1, -1, 0, 0, 1e7, 0, 0, -1}, NULL, (double[]){0, 5, NAN, NAN}, NULL);
  double v = 5e-9 / (1 + 1e-9), v_dot = -1e7 * v / (1 + 1e-9);
  assert_true(fabs(o.x[0] / v - 1) < 1e-10 && fabs(o.x[3] / (1e7 * v) - 1) < 1e-10);
  assert_true(fabs(o.area[2] / -v - 1) < 1e-12 && fabs(o.rate[0] / v_dot - 1) < 1e-8);
}

/* ---- nonlinear ---- */

/* Two bodies whose momentum is m v/sqrt(1 - v^2) stick together. */
static int fast_momentum(void *user, const double *x, double *q) {
  const double *m = user;
  for (int k = 0; k < 2; k++) {
    if (!(fabs(x[k]) < 1))
      return NUM_RETRY;
    q[k] = m[k] * x[k] / sqrt(1 - x[k] * x[k]);
  }
  return NUM_OK;
}
static int fast_inertia(void *user, const double *x, double *e) {
  const double *m = user;
  for (int k = 0; k < 2; k++) {
    if (!(fabs(x[k]) < 1))
      return NUM_RETRY;
    e[3 * k] = m[k] * pow(1 - x[k] * x[k], -1.5), e[2 - k] = 0;
  }
  return NUM_OK;
}
static int contact_force(void *user, const double *x, double *f) {
  (void)user, (void)x;
  f[0] = 1, f[1] = -1;
  return NUM_OK;
}
static int same_speed(void *user, const double *x, double *g) {
  (void)user;
  g[0] = x[0] - x[1];
  return NUM_OK;
}

static void test_conserve(void **state) {
  (void)state;
  double m[] = {2, 1}, before[] = {0.6, -0.3}, work[200];
  ConserveProblem p = {
      .n = 2, .p = 1, .rows = 2, .user = m, .quantity = fast_momentum, .impulse = contact_force, .constraint = same_speed};
  assert_true(conserve_work(&p) <= 200);
  double x[] = {0.3, 0.3}, a[] = {0}, q0[2], q1[2];
  ConserveResult r = conserve_solve(&p, before, x, a, work);
  assert_int_equal(r.end, NEWTON_OK);
  fast_momentum(m, before, q0), fast_momentum(m, x, q1);
  assert_true(fabs(q0[0] + q0[1] - q1[0] - q1[1]) < 1e-12 && fabs(x[0] - x[1]) < 1e-15);
  assert_true(fabs(a[0] - (q0[0] - q1[0])) < 1e-12);
  /* the same from the inertia alone: there is a momentum, so no path is preferred */
  p.quantity = NULL, p.inertia = fast_inertia;
  double y[] = {0.3, 0.3}, area[] = {0};
  r = conserve_solve(&p, before, y, area, work);
  assert_int_equal(r.end, NEWTON_OK);
  assert_true(r.path < 1e-12 && fabs(y[0] - x[0]) < 1e-4);
}

/* E(x) = [x2 0; 0 1], x1 and x2 both jump: x2 dx1 has no integral. Row 1 with impulse, x1 = 1 and x2 = 3 after. */
static int open_inertia(void *user, const double *x, double *e) {
  (void)user;
  e[0] = x[1], e[1] = 0, e[2] = 0, e[3] = 1;
  return NUM_OK;
}
static int closed_inertia(void *user, const double *x, double *e) { /* of x1 x2 */
  (void)user;
  e[0] = x[1], e[1] = x[0], e[2] = 0, e[3] = 1;
  return NUM_OK;
}
static int two_impulses(void *user, const double *x, double *f) {
  (void)user, (void)x;
  f[0] = 1, f[1] = 0, f[2] = 0, f[3] = 1;
  return NUM_OK;
}
static int fixed_values(void *user, const double *x, double *g) {
  (void)user;
  g[0] = x[0] - 1, g[1] = x[1] - 3;
  return NUM_OK;
}

static void test_path(void **state) {
  (void)state;
  double before[] = {0, 1}, work[200], x[] = {0, 1}, a[] = {0, 0};
  ConserveProblem p = {.n = 2, .p = 2, .rows = 2, .inertia = open_inertia, .impulse = two_impulses, .constraint = fixed_values};
  assert_true(conserve_work(&p) <= 200);
  ConserveResult r = conserve_solve(&p, before, x, a, work);
  assert_int_equal(r.end, NEWTON_OK);
  expect(a[0], -2); /* straight line: mean x2 is 2 */
  assert_true(r.path > 0.4);
  p.inertia = closed_inertia;
  r = conserve_solve(&p, before, x, a, work);
  expect(a[0], -3), expect(a[1], -2);
  assert_true(r.end == NEWTON_OK && r.path < 1e-14);
}

/* Capacitors whose charge is v + v^3/3: from the linear jump, capacities as they were before. */
static int charge(void *user, const double *x, double *q) {
  (void)user;
  for (int k = 0; k < 2; k++)
    q[k] = x[k] + x[k] * x[k] * x[k] / 3;
  return NUM_OK;
}

static void test_from_linear(void **state) {
  (void)state;
  double before[] = {3, 0}, e[] = {10, 0, 0, 0, 1, 0, 0, 0, 0}, work[200], q0[2], q1[2];
  Outcome o = jump(3, e, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL, (double[]){3, 0, NAN}, NULL);
  double x[] = {o.x[0], o.x[1]}, a[] = {o.area[2]};
  ConserveProblem p = {.n = 2, .p = 1, .rows = 2, .quantity = charge, .impulse = contact_force, .constraint = same_speed};
  assert_int_equal(conserve_solve(&p, before, x, a, work).end, NEWTON_OK);
  charge(NULL, before, q0), charge(NULL, x, q1);
  assert_true(fabs(q0[0] + q0[1] - q1[0] - q1[1]) < 1e-12);
  expect(x[0], x[1]);
  assert_true(fabs(o.x[0] - x[0]) > 0.1); /* the linear one is only the first guess */
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {WITH_ARENA(test_capacitors),
                                     WITH_ARENA(test_collision),
                                     WITH_ARENA(test_train),
                                     WITH_ARENA(test_clamp),
                                     WITH_ARENA(test_third_order_clamp),
                                     WITH_ARENA(test_inductor),
                                     WITH_ARENA(test_index_change),
                                     WITH_ARENA(test_pendulum),
                                     WITH_ARENA(test_rod),
                                     WITH_ARENA(test_cylinder),
                                     WITH_ARENA(test_stiff),
                                     WITH_ARENA(test_from_linear),
                                     cmocka_unit_test(test_conserve),
                                     cmocka_unit_test(test_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
