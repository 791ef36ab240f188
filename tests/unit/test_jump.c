/* tests/unit/test_jump.c -- jumps with closed forms: capacitors, collisions, clamps, cut inductors,
 * pendulum, rod, cylinder; the nonlinear form; the energy that is lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/jump.h"

enum { MOST = 39, PULSES = 4 };

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

static Outcome jump(int n, const double *e, const double *a, const double *b, const double *before,
                    const double *error) {
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
  Outcome o = jump(3, (double[]){1, 0, 0, 0, 3, 0, 0, 0, 0},
                   (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL, (double[]){10, 2, NAN}, NULL);
  assert_int_equal(o.end, JUMP_DIRAC);
  assert_int_equal(o.jump->form->index, 2);
  assert_int_equal(o.jump->form->dynamic, 1);
  expect(o.x[0], 4), expect(o.x[1], 4), expect(o.x[2], 0);
  expect(o.area[2], 6), expect(o.area[0], 0), expect(o.area[1], 0);
  assert_int_equal(o.worst, 2);
  assert_false(o.jump->form->differential[2]);
  o = jump(3, (double[]){1, 0, 0, 0, 3, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL,
           (double[]){4, 4, 7}, NULL);
  assert_int_equal(o.end, JUMP_NONE);
  o = jump(3, (double[]){1, 0, 0, 0, 3, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL,
           (double[]){NAN, 4, 7}, NULL);
  assert_int_equal(o.end, JUMP_NOT_FINITE);
}

/* m1 v1' = -F, m2 v2' = F, v2 - v1 = e (v1 - v2 before) */
static void collide(double m1, double m2, double v1, double v2, double e) {
  double b[] = {0, 0, -e * (v1 - v2)}, dv = v1 - v2;
  Outcome o = jump(3, (double[]){m1, 0, 0, 0, m2, 0, 0, 0, 0},
                   (double[]){0, 0, 1, 0, 0, -1, -1, 1, 0}, b, (double[]){v1, v2, INFINITY}, NULL);
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
      /* Impulse through the coupling behind body k */
      passed += mass[k] * (before[k] - momentum / total);
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
  /* contact where it is: only the speed jumps; also when the event was located within the
   * tolerance */
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
  expect(x[0], 1), expect(x[1], 3), expect(x[2], 4), expect(rate[0], 3), expect(rate[1], 4),
      expect(area[2], 1);
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
  Outcome o = jump(2, (double[]){0.5, 0, 0, 0}, (double[]){0, -1, 1, 0}, NULL, (double[]){2, 12},
                   NULL);
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

/* The string of a pendulum becomes taut at (0.6, -0.8): x y vx vy F, with m v' = -F r - m g, r.(x,
 * y) = 1, linear about r. */
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

/* A rod at 45 degrees falls on its end: vx vy omega Ft Fn. Stick: both speeds of the end vanish;
 * slip: Ft = -mu Fn. */
static Outcome rod(double m, double l, double v, double mu, bool stick) {
  double s = sqrt(0.5), c = s, e[25] = {0}, a[25] = {0}, b[5] = {0, m * 9.81};
  e[0] = m, a[3] = -1;
  e[6] = m, a[9] = -1;
  /* The end is at -l (c, s) from the centre */
  e[12] = m * l * l / 3, a[13] = -l * s, a[14] = l * c;
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
  /* Sticks if mu is at least 0.6 */
  expect(o.area[4], 0.625 * m * v), expect(fabs(o.area[3]), 0.375 * m * v);
  o = rod(m, 0.7, v, 0.5, false);
  expect(o.area[4], m * v / 1.75), expect(o.area[3], 0.5 * m * v / 1.75);
}

/* Cylinder without compressibility: I1 f1' = p, I2 f2' = p - R3 f2; valve shut: f1 + f2 = 0; all
 * shut: f1 = 0, f2 = 0. */
static void test_cylinder(void **state) {
  (void)state;
  for (int equal = 0; equal < 2; equal++) {
    double i2 = equal ? 1 : 0.01, before[] = {4, 0, NAN};
    Outcome o = jump(3, (double[]){1, 0, 0, 0, i2, 0, 0, 0, 0},
                     (double[]){0, 0, -1, 0, 0.01, -1, 1, 1, 0}, NULL, before, NULL);
    assert_int_equal(o.end, JUMP_DIRAC);
    expect(o.x[0], 4 / (1 + i2)), expect(o.x[1], -4 / (1 + i2)),
        expect(o.area[2], -i2 / (1 + i2) * 4);
  }
  Outcome o = jump(2, (double[]){1, 0, 0, 0}, (double[]){0, -1, 1, 0}, NULL, (double[]){4, 0},
                   NULL);
  expect(o.x[0], 0), expect(o.area[1], -4);
}

/* Stiff algebraic part: valves of 0.01 and 1e7 beside masses of 1 and 1e-9. */
static void test_stiff(void **state) {
  (void)state;
  /* m1 v1' + F + 1e7 v1 = 0, m2 v2' - F + 0.01 v2 = 0, v1 = v2, p = 1e7 v1 */
  Outcome o = jump(4, (double[]){1, 0, 0, 0, 0, 1e-9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                   (double[]){1e7, 0, 1, 0, 0, 0.01, -1, 0, 1, -1, 0, 0, 1e7, 0, 0, -1}, NULL,
                   (double[]){0, 5, NAN, NAN}, NULL);
  double v = 5e-9 / (1 + 1e-9), v_dot = -1e7 * v / (1 + 1e-9);
  assert_true(fabs(o.x[0] / v - 1) < 1e-10 && fabs(o.x[3] / (1e7 * v) - 1) < 1e-10);
  assert_true(fabs(o.area[2] / -v - 1) < 1e-12 && fabs(o.rate[0] / v_dot - 1) < 1e-8);
}

/* ---- energy ---- */

static double energy(int n, const double *e, const double *a, const double *b,
                     const double *before) {
  Outcome o = jump(n, e, a, b, before, NULL);
  bool touched[MOST] = {0};
  assert_int_equal(o.end, JUMP_DIRAC);
  return jump_energy_lost(&(JumpEnergy){o.jump, e, a, before, o.x, o.area, &memory}, touched);
}

/* Balances as written, and divided by their inertia; v1 = v2. */
static double energy_of_collision(double m1, double m2, double v1, double v2, double e,
                                  bool divided) {
  double i1 = divided ? 1 : m1, i2 = divided ? 1 : m2, f1 = divided ? 1 / m1 : 1,
         f2 = divided ? 1 / m2 : 1;
  return energy(3, (double[]){i1, 0, 0, 0, i2, 0, 0, 0, 0},
                (double[]){0, 0, f1, 0, 0, -f2, 1, -1, 0}, (double[]){0, 0, e * (v1 - v2)},
                (double[]){v1, v2, 0});
}

static void test_energy(void **state) {
  (void)state;
  expect(energy(3, (double[]){1, 0, 0, 0, 3, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0},
                NULL, (double[]){10, 2, 0}),
         24);
  for (int divided = 0; divided < 2; divided++) {
    expect(energy_of_collision(2, 1, 3, 0, 0, divided), 3);
    expect(energy_of_collision(2, 2, 3, 0, 0, divided), 4.5);
    expect(energy_of_collision(2, 1, 3, 0, 0.5, divided), 2.25);
    expect(energy_of_collision(2, 1, 3, 0, 1, divided), 0);
  }
}

/* 13 collisions at one instant, of masses 1 and 3: 26 balances. */
static void test_energy_of_many(void **state) {
  (void)state;
  enum { PAIRS = 13, N = 3 * PAIRS };
  double e[N * N] = {0}, a[N * N] = {0}, before[N] = {0};
  for (int k = 0; k < N; k += 3) {
    e[k * N + k] = 1, e[(k + 1) * N + k + 1] = 3;
    a[k * N + k + 2] = 1, a[(k + 1) * N + k + 2] = -1;
    a[(k + 2) * N + k] = 1, a[(k + 2) * N + k + 1] = -1;
    before[k] = 10, before[k + 1] = 2;
  }
  double lost = energy(N, e, a, NULL, before);
  assert_true(fabs(lost - PAIRS * 24) < 1e-9);
}

/* A gear: m v' = -F, J w' = r F, v = r w; coupled coils: L i1' + M i2' = u, M i1' + L i2' = -u, i1
 * = i2; a clamped body: m v' = F, v = 0 */
static void test_energy_of_gears(void **state) {
  (void)state;
  double m = 2, inertia = 0.5, r = 0.25, v = 3, w = (m * r * v) / (m * r * r + inertia);
  expect(energy(3, (double[]){m, 0, 0, 0, inertia, 0, 0, 0, 0},
                (double[]){0, 0, 1, 0, 0, -r, 1, -r, 0}, NULL, (double[]){v, 0, 0}),
         m * v * v / 2 - m * r * r * w * w / 2 - inertia * w * w / 2);
  expect(energy(3, (double[]){3, 1, 0, 1, 3, 0, 0, 0, 0}, (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0},
                NULL, (double[]){2, 0, 0}),
         6 - 4);
  expect(energy(2, (double[]){4, 0, 0, 0}, (double[]){0, -1, 1, 0}, NULL, (double[]){3, 0}), 18);
}

/* x' = v, m v' = -F, x = 0: what a position jumps by is no energy, and here it does not jump */
static void test_energy_of_clamp(void **state) {
  (void)state;
  expect(energy(3, (double[]){1, 0, 0, 0, 2, 0, 0, 0, 0}, (double[]){0, -1, 0, 0, 0, 1, 1, 0, 0},
                NULL, (double[]){0, 3, 0}),
         9);
}

/* Two balances whose pulses are not those of a constraint: x' = -u, y' = 3 u, x = 2 y */
static void test_no_energy(void **state) {
  (void)state;
  assert_true(isnan(energy(3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 0},
                           (double[]){0, 0, 1, 0, 0, -3, 1, -2, 0}, NULL, (double[]){5, 0, 0})));
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
                                     WITH_ARENA(test_energy),
                                     WITH_ARENA(test_energy_of_many),
                                     WITH_ARENA(test_energy_of_gears),
                                     WITH_ARENA(test_energy_of_clamp),
                                     WITH_ARENA(test_no_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
