/* tests/unit/test_descriptor.c -- random descriptor systems of index 0 to 4 whose normal form is
 * known: dimensions, jumps, areas, derivatives, against the normal form and against implicit Euler
 * steps; bad units; ranks in doubt; systems that determine nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "descriptor_fixture.h"
#include "numeric/jump.h"
#include "numeric/svd.h"

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

static double largest(const double *x, int n) {
  double most = 0;
  for (int k = 0; k < n; k++)
    most = fmax(most, fabs(x[k]));
  return most;
}
static double distance(const double *x, const double *y, int n) {
  double most = 0;
  for (int k = 0; k < n; k++)
    most = fmax(most, fabs(x[k] - y[k]));
  return most;
}

static void test_svd(void **state) {
  (void)state;
  enum { M = 7, N = 5 };
  random_state = 11;
  for (int round = 0; round < 50; round++) {
    int m = 1 + below(M), n = 1 + below(N);
    double a[M * N], copy[M * N], v[N * N], sigma[N];
    for (int k = 0; k < m * n; k++)
      copy[k] = a[k] = below(3) ? uniform() : 0;
    svd_columns(a, m, n, v, sigma);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) { /* a = copy v */
        double sum = 0;
        for (int k = 0; k < n; k++)
          sum += copy[k * m + i] * v[j * n + k];
        assert_true(fabs(sum - a[j * m + i]) < 1e-14);
      }
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        double aa = 0, vv = 0;
        for (int i = 0; i < m; i++)
          aa += a[j * m + i] * a[k * m + i];
        for (int i = 0; i < n; i++)
          vv += v[j * n + i] * v[k * n + i];
        assert_true(fabs(vv - (j == k)) < 1e-14 &&
                    fabs(aa - (j == k ? sigma[j] * sigma[j] : 0)) < 1e-14);
      }
    for (int j = 1; j < n; j++)
      assert_true(sigma[j] <= sigma[j - 1]);
    assert_true(m >= n || sigma[m] < 1e-14);
  }
}

typedef struct {
  double after, rate, area, euler, euler_area; /* largest errors, relative */
} Errors;

/* The jump of y, with unknowns and equations in units row and column, against what is known. */
static void compare(const System *y, const double *row, const double *column, Errors *worst) {
  int n = y->n;
  double e[SIZE * SIZE], a[SIZE * SIZE], b[ORDERS * SIZE], before[SIZE], x[SIZE], rate[SIZE],
      area[ORDERS * SIZE] = {0};
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      e[i * n + k] = y->e[i * n + k] * row[i] * column[k];
      a[i * n + k] = y->a[i * n + k] * row[i] * column[k];
    }
    for (int k = 0; k < ORDERS; k++)
      b[k * n + i] = y->b[k * n + i] * row[i];
  }
  double plain[SIZE];
  for (int i = 0; i < n; i++)
    plain[i] = uniform(), before[i] = plain[i] / column[i];
  Jump *j = jump_prepare(arena, n, n, e, a, NULL);
  assert_int_equal(j->form->end, DESCRIPTOR_OK);
  assert_int_equal(j->form->index, y->index);
  assert_int_equal(j->form->dynamic, y->n2);
  assert_false(j->form->doubtful);
  double work[3 * SIZE];
  JumpInput in = {.x = before, .b = b, .given = ORDERS};
  JumpOutput out = {.x = x, .rate = rate, .area = area};
  JumpEnd end = jump_apply(j, &in, &out, work);
  assert_true(end != JUMP_NOT_FINITE);
  double k_after[SIZE], k_rate[SIZE], k_area[ORDERS * SIZE], e_after[SIZE], e_area[SIZE];
  known_jump(y, plain, k_after, k_rate, k_area);
  for (int i = 0; i < n; i++) {
    x[i] *= column[i], rate[i] *= column[i];
    for (int k = 0; k < j->pulses; k++)
      area[k * n + i] *= column[i];
  }
  worst->after = fmax(worst->after, distance(x, k_after, n) / (1 + largest(k_after, n)));
  worst->rate = fmax(worst->rate, distance(rate, k_rate, n) / (1 + largest(k_rate, n)));
  worst->area = fmax(worst->area,
                     distance(area, k_area, j->pulses * n) / (1 + largest(k_area, j->pulses * n)));
  for (int k = 0; k < y->index - 1; k++)
    assert_true(largest(k_area + k * n, n) < 1e-3 || out.order > k);
  assert_true(out.order < y->index || out.order == 0);
  Exact exact;
  exact_system(y, &exact);
  euler_limit(&exact, y->index, plain, e_after, e_area);
  worst->euler = fmax(worst->euler, distance(x, e_after, n) / (1 + largest(e_after, n)));
  worst->euler_area = fmax(worst->euler_area,
                           distance(area, e_area, j->pulses ? n : 0) / (1 + largest(e_area, n)));
}

static void test_random(void **state) {
  (void)state;
  random_state = 5;
  double one[SIZE];
  for (int i = 0; i < SIZE; i++)
    one[i] = 1;
  for (int index = 0; index <= 4; index++) {
    Errors worst = {0};
    for (int round = 0; round < 50; round++) {
      System y;
      do
        random_system(&y, index, 3);
      while (y.n == 0);
      compare(&y, one, one, &worst);
    }
    print_message("index %d: errors x %.1e x' %.1e areas %.1e, Euler x %.1e areas %.1e\n", index,
                  worst.after, worst.rate, worst.area, worst.euler, worst.euler_area);
    assert_true(worst.after < 1e-9 && worst.rate < 1e-9 && worst.area < 1e-9);
    assert_true(worst.euler < 1e-8 && worst.euler_area < 1e-8);
  }
}

static void test_units(void **state) {
  (void)state;
  random_state = 6;
  for (int index = 0; index <= 4; index++) {
    Errors worst = {0};
    for (int round = 0; round < 50; round++) {
      System y;
      double row[SIZE], column[SIZE];
      do
        random_system(&y, index, 3);
      while (y.n == 0);
      for (int i = 0; i < SIZE; i++)
        row[i] = pow(10, 8 * uniform()), column[i] = pow(10, 8 * uniform());
      compare(&y, row, column, &worst);
    }
    print_message("bad units, index %d: errors x %.1e x' %.1e areas %.1e\n", index, worst.after,
                  worst.rate, worst.area);
    assert_true(worst.after < 1e-8 && worst.rate < 1e-8 && worst.area < 1e-8);
  }
}

/* ---- many algebraic equations around few others ---- */

enum { WIDE = 40 };

/* The system y, with unknowns z = (combination of earlier ones) + c t up to n of them, whose
 * equations are added to others too; all in random order. */
typedef struct {
  int n, row[WIDE], column[WIDE]; /* places of equations and unknowns */
  double e[WIDE * WIDE], a[WIDE * WIDE], b[ORDERS * WIDE];
} WideSystem;

static void shuffle(int *list, int n) {
  for (int k = 0; k < n; k++)
    list[k] = k;
  for (int k = n; k-- > 1;) {
    int other = below(k + 1), t = list[k];
    list[k] = list[other], list[other] = t;
  }
}

static void widen(const System *y, WideSystem *w) {
  double e[WIDE][WIDE] = {{0}}, a[WIDE][WIDE] = {{0}}, b[ORDERS][WIDE] = {{0}};
  int n = w->n = y->n + 1 + below(WIDE - y->n);
  for (int i = 0; i < y->n; i++) {
    for (int k = 0; k < y->n; k++)
      e[i][k] = y->e[i * y->n + k], a[i][k] = y->a[i * y->n + k];
    for (int order = 0; order < ORDERS; order++)
      b[order][i] = y->b[order * y->n + i];
  }
  for (int i = y->n; i < n; i++) {
    for (int terms = below(4); terms-- > 0;)
      a[i][below(i)] = uniform();
    a[i][i] = 1, b[0][i] = uniform(), b[1][i] = uniform();
    for (int targets = below(4); targets-- > 0;) {
      int to = below(i);
      double factor = uniform();
      for (int k = 0; k < n; k++)
        a[to][k] += factor * a[i][k];
      for (int order = 0; order < ORDERS; order++)
        b[order][to] += factor * b[order][i];
    }
  }
  shuffle(w->row, n), shuffle(w->column, n);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      w->e[w->row[i] * n + w->column[k]] = e[i][k];
      w->a[w->row[i] * n + w->column[k]] = a[i][k];
    }
    for (int order = 0; order < ORDERS; order++)
      w->b[order * n + w->row[i]] = b[order][i];
  }
}

static void apply_wide(const Jump *j, const WideSystem *w, const double *before, double *x,
                       double *rate, double *area) {
  double work[3 * WIDE];
  JumpInput in = {.x = before, .b = w->b, .given = ORDERS};
  JumpOutput out = {.x = x, .rate = rate, .area = area};
  memset(area, 0, (size_t)ORDERS * WIDE * sizeof *area);
  assert_int_equal(j->form->end, DESCRIPTOR_OK);
  assert_true(jump_apply(j, &in, &out, work) != JUMP_NOT_FINITE);
}

static void test_cut(void **state) {
  (void)state;
  random_state = 7;
  for (int index = 0; index <= 4; index++) {
    Errors worst = {0};
    for (int round = 0; round < 50; round++) {
      System y;
      WideSystem w;
      double before[WIDE], x[2][WIDE], rate[2][WIDE], area[2][ORDERS * WIDE], k_after[SIZE],
          k_rate[SIZE], k_area[ORDERS * SIZE], plain[SIZE];
      do
        random_system(&y, index, 3);
      while (y.n == 0);
      widen(&y, &w);
      for (int i = 0; i < w.n; i++)
        before[i] = uniform();
      for (int i = 0; i < y.n; i++)
        plain[i] = before[w.column[i]];
      const Jump *whole = jump_prepare(arena, w.n, w.n, w.e, w.a, NULL),
                 *cut = jump_prepare_large(arena, w.n, w.e, w.a);
      apply_wide(whole, &w, before, x[0], rate[0], area[0]);
      apply_wide(cut, &w, before, x[1], rate[1], area[1]);
      assert_int_equal(whole->form->index, cut->form->index);
      assert_int_equal(whole->form->dynamic, cut->form->dynamic);
      known_jump(&y, plain, k_after, k_rate, k_area);
      for (int i = 0; i < y.n; i++)
        k_after[i] -= x[1][w.column[i]], k_rate[i] -= rate[1][w.column[i]],
            k_area[i] -= index > 1 ? area[1][w.column[i]] : k_area[i];
      worst.after = fmax(worst.after, largest(k_after, y.n) / (1 + largest(x[1], w.n)));
      worst.rate = fmax(worst.rate, largest(k_rate, y.n) / (1 + largest(rate[1], w.n)));
      worst.area = fmax(worst.area, largest(k_area, y.n) / (1 + largest(area[1], w.n)));
      worst.euler = fmax(worst.euler, distance(x[0], x[1], w.n) / (1 + largest(x[1], w.n)));
      worst.euler_area = fmax(worst.euler_area, distance(area[0], area[1], whole->pulses * w.n) /
                                                    (1 + largest(area[1], w.n)));
      for (int i = 0; i < w.n; i++)
        assert_true(whole->form->differential[i] == cut->form->differential[i]);
    }
    print_message(
        "cut, index %d: errors x %.1e x' %.1e areas %.1e; from the whole: x %.1e areas %.1e\n",
        index, worst.after, worst.rate, worst.area, worst.euler, worst.euler_area);
    assert_true(worst.after < 1e-9 && worst.rate < 1e-8 && worst.area < 1e-9 &&
                worst.euler < 1e-8 && worst.euler_area < 1e-8);
  }
}

/* ---- systems that determine nothing ---- */

static void expect_list(const int *list, int count, const char *expected) {
  char text[80] = "";
  for (int k = 0; k < count; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%d ", list[k]);
  assert_string_equal(text, expected);
}

static void expect_fault(int m, int n, const double *e, const double *a, DescriptorEnd end,
                         const char *unknowns, const char *equations) {
  Descriptor *d = descriptor_new(arena, m, n, e, a, NULL);
  assert_int_equal(d->end, end);
  expect_list(d->free_unknown, d->free_unknowns, unknowns);
  expect_list(d->bound_equation, d->bound_equations, equations);
}

static void test_singular(void **state) {
  (void)state;
  /* two masses and a third, v1 = v2 said twice with two forces: v1 v2 v3 F1 F2 */
  expect_fault(
      5, 5, (double[]){2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
      (double[]){0, 0, 0, 1, 1, 0, 0, 0, -1, -1, 0, 0, 1, 0, 0, 1, -1, 0, 0, 0, 1, -1, 0, 0, 0},
      DESCRIPTOR_SINGULAR, "3 4 ", "3 4 ");
  /* x' + y = 0 and an equation that says nothing */
  expect_fault(2, 2, (double[]){1, 0, 0, 0}, (double[]){0, 1, 0, 0}, DESCRIPTOR_SINGULAR, "0 1 ",
               "1 ");
  /* singular only for the pencil: E and A both have rank 2 of 3, no common null vector; x1' + x2 =
   * 0, x2' + x3 = 0, 0 = 0 */
  expect_fault(3, 3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 0}, (double[]){0, 1, 0, 0, 0, 1, 0, 0, 0},
               DESCRIPTOR_SINGULAR, "0 1 2 ", "2 ");
  /* x2 = 0 and x2' = 0, among others that mix with them: nothing but rounding is left of their
   * difference */
  expect_fault(4, 4, (double[]){0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, -2, -3, 0},
               (double[]){2, -3, -3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, -1, 0, 2}, DESCRIPTOR_SINGULAR,
               "0 2 3 ", "1 2 ");
  /* one equation too few, one too many */
  expect_fault(1, 2, (double[]){1, 0}, (double[]){0, 1}, DESCRIPTOR_UNDER, "0 1 ", "");
  expect_fault(2, 3, (double[]){1, 0, 0, 0, 0, 0}, (double[]){1, 0, 0, 0, 1, 1}, DESCRIPTOR_UNDER,
               "1 2 ", "");
  expect_fault(3, 2, (double[]){1, 0, 0, 0, 0, 0}, (double[]){1, 0, 0, 1, 0, 2}, DESCRIPTOR_OVER,
               "", "1 2 ");
  expect_fault(2, 3, (double[]){1, 0, 0, 2, 0, 0}, (double[]){1, 0, 0, 2, 0, 0},
               DESCRIPTOR_SINGULAR, "1 2 ", "0 1 ");
  expect_fault(2, 2, (double[]){1e300, 0, 0, 0}, (double[]){1e-300, 1e-300, 1e300, -1e-300},
               DESCRIPTOR_NOT_FINITE, "", "");
  assert_int_equal(descriptor_new(arena, 1, 1, (double[]){NAN}, (double[]){1}, NULL)->end,
                   DESCRIPTOR_NOT_FINITE);
}

/* v1 = v2 + 1 is said twice, then v1 = v2 + 2 beside it: repetition and contradiction. */
static void test_contradiction(void **state) {
  (void)state;
  Descriptor *d = descriptor_new(
      arena, 4, 4, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
      (double[]){0, 0, 1, 1, 0, 0, -1, -1, 1e3, -1e3, 0, 0, 1e-3, -1e-3, 0, 0}, NULL);
  assert_int_equal(d->end, DESCRIPTOR_SINGULAR);
  assert_int_equal(d->silents, 1);
  assert_false(descriptor_contradicts(d, (double[]){5, 6, -1e3, -1e-3}));
  assert_true(descriptor_contradicts(d, (double[]){5, 6, -1e3, -2e-3}));
  /* x = 1 and x' = 2 contradict each other only through a derivative */
  d = descriptor_new(arena, 2, 1, (double[]){0, 1}, (double[]){1, 0}, NULL);
  assert_true(d->end == DESCRIPTOR_OVER && d->silents == 0 &&
              !descriptor_contradicts(d, (double[]){-1, -2}));
}

/* Regular systems in which one equation is replaced by a combination of two others. */
static void test_random_singular(void **state) {
  (void)state;
  random_state = 8;
  for (int round = 0; round < 100; round++) {
    System y;
    do
      random_system(&y, 1 + round % 4, 3);
    while (y.n < 3);
    int n = y.n, bad = below(n), one = (bad + 1) % n, two = (bad + 2) % n;
    for (int k = 0; k < n; k++) {
      y.e[bad * n + k] = y.e[one * n + k] - 2 * y.e[two * n + k];
      y.a[bad * n + k] = y.a[one * n + k] - 2 * y.a[two * n + k];
    }
    Descriptor *d = descriptor_new(arena, n, n, y.e, y.a, NULL);
    assert_int_equal(d->end, DESCRIPTOR_SINGULAR);
    assert_int_equal(d->bound_equations, 3);
    for (int k = 0; k < 3; k++)
      assert_true(d->bound_equation[k] == bad || d->bound_equation[k] == one ||
                  d->bound_equation[k] == two);
  }
}

/* ---- ranks in doubt ---- */

static void expect_rank(double small, int index, bool doubtful) {
  /* E = [1 1 0; 1 1 + small 0; 0 0 1]: no units make this regular */
  Descriptor *d = descriptor_new(arena, 3, 3, (double[]){1, 1, 0, 1, 1 + small, 0, 0, 0, 1},
                                 (double[]){1, 0.5, 0, 0.25, 2, 0, 0, 0, 1}, NULL);
  assert_int_equal(d->end, DESCRIPTOR_OK);
  assert_int_equal(d->index, index);
  assert_int_equal(d->dynamic, 3 - index);
  assert_int_equal(d->doubtful, doubtful);
  if (doubtful)
    assert_true(d->doubt.step == 0 && (d->doubt.unknown == 0 || d->doubt.unknown == 1));
}

static void test_doubt(void **state) {
  (void)state;
  expect_rank(0, 1, false);
  expect_rank(1e-13, 1, false);
  expect_rank(1e-9, 1, true);
  expect_rank(1e-8, 0, true);
  expect_rank(1e-5, 0, false);
  expect_rank(0.5, 0, false);
  /* small masses and large ones are a matter of units */
  Descriptor *d = descriptor_new(arena, 3, 3, (double[]){1e-12, 0, 0, 0, 1e9, 0, 0, 0, 0},
                                 (double[]){0, 0, 1, 0, 0, -1, 1, -1, 0}, NULL);
  assert_true(d->end == DESCRIPTOR_OK && d->index == 2 && d->dynamic == 1 && !d->doubtful);
}

/* Resistors and capacitors with time constants from 1e-16 to 1e6 in one block: v1 v2 i1 i2, C1 v1'
 * = i1 - i2, C2 v2' = i2, R1 i1 = u - v1, R2 i2 = v1 - v2. */
static void test_time_constants(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    double c1 = pow(10, -3.5 * k), r1 = pow(10, -0.5 * k), c2 = 10, r2 = 1e5;
    double e[] = {c1, 0, 0, 0, 0, c2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    double a[] = {0, 0, -1, 1, 0, 0, 0, -1, 1, 0, r1, 0, -1, 1, 0, r2}, b[] = {0, 0, -3, 0};
    Jump *j = jump_prepare(arena, 4, 4, e, a, NULL);
    assert_true(j->form->end == DESCRIPTOR_OK && j->form->index == 1 && j->form->dynamic == 2 &&
                !j->form->doubtful);
    double x[4], rate[4], work[12];
    JumpInput in = {.x = (double[]){1, -1, NAN, NAN}, .b = b, .given = 1};
    JumpOutput out = {.x = x, .rate = rate};
    assert_int_equal(jump_apply(j, &in, &out, work), JUMP_NONE);
    assert_true(fabs(x[2] / (2 / r1) - 1) < 1e-12 && fabs(x[3] / (2 / r2) - 1) < 1e-12);
    assert_true(fabs(rate[0] / ((2 / r1 - 2 / r2) / c1) - 1) < 1e-12 &&
                fabs(rate[1] / (2 / r2 / c2) - 1) < 1e-12);
  }
}

/* Nothing, one equation, a regular E, no E. */
static void test_small(void **state) {
  (void)state;
  Descriptor *d = descriptor_new(arena, 0, 0, NULL, NULL, NULL);
  assert_true(d->end == DESCRIPTOR_OK && d->index == 0 && d->dynamic == 0);
  d = descriptor_new(arena, 1, 1, (double[]){3}, (double[]){0}, NULL);
  assert_true(d->end == DESCRIPTOR_OK && d->index == 0 && d->dynamic == 1 && d->differential[0]);
  d = descriptor_new(arena, 1, 1, (double[]){0}, (double[]){1e-30}, NULL);
  assert_true(d->end == DESCRIPTOR_OK && d->index == 1 && d->dynamic == 0 && !d->differential[0]);
  d = descriptor_new(arena, 1, 1, (double[]){0}, (double[]){0}, NULL);
  assert_int_equal(d->end, DESCRIPTOR_SINGULAR);
  double size[] = {1e-6, 1e6};
  DescriptorOptions options = descriptor_defaults;
  options.size = size;
  d = descriptor_new(arena, 2, 2, (double[]){1, 0, 0, 0}, (double[]){0, 1, 1e6, -1e-6}, &options);
  assert_true(d->end == DESCRIPTOR_OK && d->index == 1);
}

/* A chain of masses with a spring at each, all coupled rigidly in pairs: large and with few
 * entries. */
static void test_large(void **state) {
  (void)state;
  enum { PAIRS = 40, N = 5 * PAIRS };
  double *e = NEW_ARRAY(arena, double, N *N), *a = NEW_ARRAY(arena, double, N *N);
  /* x v1 v2 F s: x' = v1, m1 v1' = -F - s, m2 v2' = F, v1 = v2, s = 2 x */
  for (int p = 0; p < PAIRS; p++) {
    int k = 5 * p;
    double *er = e + (size_t)k * N + k, *ar = a + (size_t)k * N + k;
    er[0] = 1, ar[1] = -1;
    er[N + 1] = 1 + p, ar[N + 3] = 1, ar[N + 4] = 1;
    er[2 * N + 2] = 2, ar[2 * N + 3] = -1;
    ar[3 * N + 1] = 1, ar[3 * N + 2] = -1;
    ar[4 * N + 4] = 1, ar[4 * N] = -2;
  }
  Jump *j = jump_prepare(arena, N, N, e, a, NULL);
  assert_int_equal(j->form->end, DESCRIPTOR_OK);
  assert_int_equal(j->form->index, 2);
  assert_int_equal(j->form->dynamic, 2 * PAIRS);
  double *x = NEW_ARRAY(arena, double, N), *area = NEW_ARRAY(arena, double, N),
         *work = NEW_ARRAY(arena, double, 3 * N);
  for (int k = 0; k < N; k++)
    x[k] = k % 5 == 1 ? 1 : k % 5 < 3 ? 0 : NAN;
  JumpInput in = {.x = x};
  JumpOutput out = {.x = x, .area = area};
  assert_int_equal(jump_apply(j, &in, &out, work), JUMP_DIRAC);
  for (int p = 0; p < PAIRS; p++) {
    double v = (1.0 + p) / (3 + p);
    assert_true(fabs(x[5 * p + 1] - v) < 1e-12 && fabs(x[5 * p + 2] - v) < 1e-12 &&
                fabs(area[5 * p + 3] - 2 * v) < 1e-12);
  }
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_svd),       WITH_ARENA(test_random),
      WITH_ARENA(test_units),           WITH_ARENA(test_cut),
      WITH_ARENA(test_singular),        WITH_ARENA(test_contradiction),
      WITH_ARENA(test_random_singular), WITH_ARENA(test_doubt),
      WITH_ARENA(test_small),           WITH_ARENA(test_large),
      WITH_ARENA(test_time_constants)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
