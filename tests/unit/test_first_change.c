/* tests/unit/test_first_change.c -- Bernstein polynomials, enclosures of expressions, and first
 * changes of functions whose roots are known: random polynomials with roots close to each other,
 * waves with many periods in a step, windows that are narrow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "base/limits.h"
#include "numeric/first_change.h"

#define assert_near(a, b, tol)                                                                     \
  do {                                                                                             \
    double got_ = (a), want_ = (b), tol_ = (tol);                                                  \
    if (!(fabs(got_ - want_) <= tol_))                                                             \
      fail_msg("%s = %.17g, expected %.17g +- %g", #a, got_, want_, tol_);                         \
  } while (0)

static uint64_t seed;

static double random_number(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

/* ---- Bernstein polynomials ---- */

static double horner(const double *power, int degree, double theta) {
  double out = 0;
  for (int k = degree; k >= 0; k--)
    out = out * theta + power[k];
  return out;
}

static void test_bernstein(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    int degree = 1 + round % 5;
    double power[6], values[6], c[BERNSTEIN_MOST + 1], part[BERNSTEIN_MOST + 1],
        square[BERNSTEIN_MOST + 1];
    for (int k = 0; k <= degree; k++)
      power[k] = 2 * random_number() - 1;
    for (int k = 0; k <= degree; k++)
      values[k] = horner(power, degree, (double)k / degree);
    bernstein_through(values, degree, c);
    double from = random_number(), to = from + (1 - from) * random_number(), low, high, least, most;
    bernstein_restrict(c, degree, from, to, part);
    bernstein_multiply(c, degree, c, degree, square);
    bernstein_range(part, degree, &low, &high);
    bernstein_slopes(part, degree, &least, &most);
    double before = 0;
    for (int k = 0; k <= 20; k++) {
      double theta = k / 20.0, at = from + theta * (to - from), y = horner(power, degree, at);
      assert_near(bernstein_value(c, degree, at), y, 1e-13);
      assert_near(bernstein_value(part, degree, theta), y, 1e-13);
      assert_near(bernstein_value(square, 2 * degree, at), y * y, 1e-13);
      assert_true(y >= low - 1e-13 && y <= high + 1e-13);
      if (k)
        assert_true((y - before) * 20 >= least - 1e-11 && (y - before) * 20 <= most + 1e-11);
      before = y;
    }
    bernstein_elevate(c, degree, BERNSTEIN_MOST - degree);
    assert_near(bernstein_value(c, BERNSTEIN_MOST, to), horner(power, degree, to), 1e-13);
  }
}

/* ---- enclosures ---- */

/* Operands over [0, 1], and the values they have at theta. */
typedef struct {
  Enclosure e;
  double power[4];
} Operand;

static Operand operand(double offset, double spread) {
  Operand out = {.e = {.degree = 3}};
  double values[4];
  for (int k = 0; k < 4; k++)
    out.power[k] = (k ? spread : offset) * (0.5 + random_number());
  for (int k = 0; k < 4; k++)
    values[k] = horner(out.power, 3, k / 3.0);
  bernstein_through(values, 3, out.e.c);
  return out;
}

static double apply(EncloseOp op, double a, double b) {
  switch (op) {
  case ENCLOSE_NEG: return -a;
  case ENCLOSE_ADD: return a + b;
  case ENCLOSE_SUB: return a - b;
  case ENCLOSE_MUL: return a * b;
  case ENCLOSE_DIV: return a / b;
  case ENCLOSE_POW: return pow(a, b);
  case ENCLOSE_LT: return a < b;
  case ENCLOSE_LE: return a <= b;
  case ENCLOSE_GT: return a > b;
  case ENCLOSE_GE: return a >= b;
  case ENCLOSE_EQ: return a == b;
  case ENCLOSE_NE: return a != b;
  case ENCLOSE_NOT: return 1 - a; /* of what is 0 or 1 */
  case ENCLOSE_AND: return fmin(a, b);
  case ENCLOSE_OR: return fmax(a, b);
  case ENCLOSE_ABS: return fabs(a);
  case ENCLOSE_SIGN: return (a > 0) - (a < 0);
  case ENCLOSE_MIN: return fmin(a, b);
  case ENCLOSE_MAX: return fmax(a, b);
  case ENCLOSE_SQRT: return sqrt(a);
  case ENCLOSE_SIN: return sin(a);
  case ENCLOSE_COS: return cos(a);
  case ENCLOSE_TAN: return tan(a);
  case ENCLOSE_ASIN: return asin(a);
  case ENCLOSE_ACOS: return acos(a);
  case ENCLOSE_ATAN: return atan(a);
  case ENCLOSE_ATAN2: return atan2(a, b);
  case ENCLOSE_SINH: return sinh(a);
  case ENCLOSE_COSH: return cosh(a);
  case ENCLOSE_TANH: return tanh(a);
  case ENCLOSE_EXP: return exp(a);
  case ENCLOSE_LOG: return log(a);
  case ENCLOSE_LOG10: return log10(a);
  }
  return NAN;
}

/* Values and difference quotients at many points are where the enclosure says; it is finite where
 * it must be. */
static void check_enclosure(EncloseOp op, const Operand *a, const Operand *b, bool finite) {
  enum { POINTS = 400 };
  Enclosure e;
  enclosure_apply(op, &a->e, &b->e, &e);
  Interval value = enclosure_value(&e), slope = enclosure_slope(&e);
  double before = NAN, size = fmax(fabs(value.low), fabs(value.high));
  assert_true(!isnan(value.low) && !isnan(value.high) && !isnan(slope.low) && !isnan(slope.high));
  assert_true(!finite || (isfinite(size) && isfinite(slope.low) && isfinite(slope.high)));
  for (int k = 0; k <= POINTS; k++) {
    double theta = (double)k / POINTS,
           y = apply(op, horner(a->power, 3, theta), horner(b->power, 3, theta));
    double rate = (y - before) * POINTS, slack = 1e-10 * (1 + size);
    if (!isnan(y) && !(y >= value.low - slack && y <= value.high + slack))
      fail_msg("operator %d: %.17g is not in [%.17g, %.17g]", op, y, value.low, value.high);
    if (!isnan(rate) &&
        !(rate >= slope.low - POINTS * slack && rate <= slope.high + POINTS * slack))
      fail_msg("operator %d: slope %.17g is not in [%.17g, %.17g]", op, rate, slope.low,
               slope.high);
    before = y;
  }
}

static bool needs_no_more(EncloseOp op) {
  return (op < ENCLOSE_LT || op > ENCLOSE_OR) && op != ENCLOSE_SIGN; /* those jump */
}

static void test_enclosures(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++)
    for (EncloseOp op = ENCLOSE_NEG; op <= ENCLOSE_LOG10; op++) {
      /* positive, small: every function is defined and smooth */
      Operand a = operand(0.3, 0.05), b = operand(0.4, 0.05);
      check_enclosure(op, &a, &b, needs_no_more(op));
      /* anything */
      Operand c = operand(2 * random_number() - 1, 6 * random_number() - 3),
              d = operand(2 * random_number() - 1, 1);
      check_enclosure(op, &c, &d, false);
      check_enclosure(op, &c, &c, false);
    }
}

static void test_choice(void **state) {
  (void)state;
  Operand a = operand(1, 0.3), b = operand(-2, 0.3);
  Enclosure yes = enclosure_number(1), no = enclosure_number(0), maybe, out;
  enclosure_if(&yes, &a.e, &b.e, &out);
  assert_int_equal(out.degree, 3);
  assert_true(out.c[0] == a.e.c[0]);
  enclosure_if(&no, &a.e, &b.e, &out);
  assert_true(out.c[0] == b.e.c[0]);
  enclosure_apply(ENCLOSE_GT, &a.e, &a.e, &maybe);
  assert_true(enclosure_is_number(&maybe) &&
              maybe.c[0] == 0); /* polynomials that cancel do so exactly */
  enclosure_apply(ENCLOSE_GT, &a.e, &(Enclosure){.degree = 0, .c = {a.power[0] + 0.05}}, &maybe);
  enclosure_if(&maybe, &a.e, &b.e, &out);
  assert_true(enclosure_value(&out).low < 0 && enclosure_value(&out).high > 0);
}

/* ---- first changes ---- */

static void enclose_polynomial(void *user, double from, double to, Enclosure *out) {
  const Enclosure *z = user;
  out->degree = z->degree;
  bernstein_restrict(z->c, z->degree, from, to, out->c);
}

static ChangeProblem polynomial(Enclosure *z) {
  return (ChangeProblem){.band = 1e-14,
                         .until = 1,
                         .width = 8 * DBL_EPSILON,
                         .user = z,
                         .enclose = enclose_polynomial};
}

/* z = factor (theta - root[0]) (theta - root[1]) ... */
static Enclosure with_roots(const double *root, int n, double factor) {
  Enclosure z = enclosure_number(factor);
  for (int k = 0; k < n; k++) {
    Enclosure term = {.degree = 1, .c = {-root[k], 1 - root[k]}};
    enclosure_apply(ENCLOSE_MUL, &z, &term, &z);
  }
  return z;
}

static void test_close_roots(void **state) {
  (void)state;
  for (int round = 0; round < 2000; round++) {
    int n = 2 + round % 4;
    double root[5], gap = pow(10, -1 - 5 * random_number()), first = 0.05 + 0.9 * random_number();
    root[0] = first, root[1] = first + gap;
    for (int k = 2; k < n; k++)
      root[k] = random_number() < 0.5 ? -0.1 - random_number()
                                      : fmin(first + gap, 1) + 0.05 + random_number();
    /* positive at the start, as far as roots before it allow */
    double sign = 1;
    for (int k = 0; k < n; k++)
      sign *= root[k] > 0 ? -1 : 1;
    Enclosure z = with_roots(root, n, sign);
    ChangeProblem p = polynomial(&z);
    Change c = {.armed = true};
    assert_int_equal(change_first(&p, &c), CHANGE_FOUND);
    if (!(c.from <= first && first <= c.to && c.to < first + gap))
      fail_msg("root %.17g, next %.3g later, found in [%.17g, %.17g]", first, gap, c.from, c.to);
    /* lifted by less than the hump between the two it has none there */
    double hump = -bernstein_value(z.c, z.degree, first + gap / 2);
    Enclosure up = enclosure_number(2 * hump);
    enclosure_apply(ENCLOSE_ADD, &z, &up, &z);
    c = (Change){.armed = true};
    if (n == 2 && hump > 1e-10)
      assert_int_equal(change_first(&p, &c), CHANGE_NONE);
  }
}

/* One change of sign, from flat to steep. */
static void test_root(void **state) {
  (void)state;
  for (int round = 0; round < 500; round++) {
    double at = 0.001 + 0.998 * random_number(), width = 1e-14, from = 0, to = 1;
    double roots[] = {at, -0.001 - random_number(), 1.001 + random_number(), 1.5};
    Enclosure z = with_roots(roots, 2 + round % 3, round % 3 == 1 ? 1 : -1);
    bernstein_root(z.c, z.degree, width, &from, &to);
    if (MOST_BERNSTEIN_ROUNDS < 10) { /* hostile: the interval stays wider, but holds the root */
      assert_true(from <= at && at <= to);
      continue;
    }
    assert_true(to - from <= width);
    assert_near(from, at, 1e-12);
    assert_true(bernstein_value(z.c, z.degree, from) >= 0 &&
                bernstein_value(z.c, z.degree, to) <= 0);
  }
}

static void test_arming(void **state) {
  (void)state;
  /* from 0 up and back: the change is the way back; from 0 down: it was never on its side */
  for (int way = -1; way <= 1; way += 2) {
    double roots[] = {0, 0.7};
    Enclosure z = with_roots(roots, 2, -way);
    ChangeProblem p = polynomial(&z);
    p.band = 1e-6;
    Change c = {.armed = false};
    assert_int_equal(change_first(&p, &c), way > 0 ? CHANGE_FOUND : CHANGE_NONE);
    assert_true(c.armed);
    if (way > 0)
      assert_true(c.from <= 0.7 && c.to >= 0.7);
  }
  /* up to half of the band and back: nothing; it is still not armed */
  Enclosure z = with_roots((double[]){0, 1}, 2, -2);
  ChangeProblem p = polynomial(&z);
  p.band = 1;
  Change c = {.armed = false};
  assert_int_equal(change_first(&p, &c), CHANGE_NONE);
  assert_false(c.armed);
  /* armed, a double root: a graze */
  z = with_roots((double[]){0.3, 0.3}, 2, 1), c = (Change){.armed = true};
  p.band = 1e-9;
  assert_int_equal(change_first(&p, &c), CHANGE_NONE);
  assert_true(c.grazes > 0);
}

/* sin(frequency t) < level, t from `from` to `from` + length */
typedef struct {
  double from, length, frequency, level;
  int calls;
} Wave;

static void enclose_wave(void *user, double from, double to, Enclosure *out) {
  Wave *w = user;
  Enclosure level = enclosure_number(w->level);
  Enclosure angle = {.degree = 1,
                     .c = {w->frequency * (w->from + from * w->length),
                           w->frequency * (w->from + to * w->length)}};
  enclosure_apply(ENCLOSE_SIN, &angle, NULL, out);
  enclosure_apply(ENCLOSE_SUB, &level, out, out);
  w->calls++;
}

static void test_waves(void **state) {
  (void)state;
  for (int k = 0; k < 9; k++) {
    Wave w = {.from = 0.0001 * k, .length = 3, .frequency = 2000, .level = 1 - pow(10, -k)};
    /* the first time at which it is above */
    double turn = 2 * acos(-1.0), phase = fmod(w.frequency * w.from, turn), first = asin(w.level);
    double wait = (first >= phase ? first - phase : first + turn - phase) / w.frequency / w.length;
    ChangeProblem p = {
        .band = 1e-12, .until = 1, .width = 1e-14, .user = &w, .enclose = enclose_wave};
    Change c = {.armed = true};
    assert_int_equal(change_first(&p, &c), CHANGE_FOUND);
    assert_true(c.from <= wait + 1e-12 && wait <= c.to + 1e-12);
    assert_true(c.to - c.from < 1e-3);
    print_message("level 1 - 1e-%d: %d enclosures\n", k, w.calls);
    w.level = 1 + 1e-9, w.calls = 0, c = (Change){.armed = true};
    assert_int_equal(change_first(&p, &c), CHANGE_NONE);
    assert_int_equal(w.calls, 1);
  }
}

static void enclose_nothing(void *user, double from, double to, Enclosure *out) {
  (void)from, (void)to, (void)user;
  *out = (Enclosure){.degree = -1, .value = {-INFINITY, INFINITY}, .slope = {-INFINITY, INFINITY}};
}

static void test_unknown(void **state) {
  (void)state;
  ChangeProblem p = {.band = 1e-12, .until = 1, .width = 1e-15, .enclose = enclose_nothing};
  Change c = {.armed = true};
  assert_int_equal(change_first(&p, &c), CHANGE_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bernstein), cmocka_unit_test(test_enclosures),
      cmocka_unit_test(test_choice),    cmocka_unit_test(test_close_roots),
      cmocka_unit_test(test_arming),    cmocka_unit_test(test_waves),
      cmocka_unit_test(test_unknown),   cmocka_unit_test(test_root),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
