/* tests/unit/test_compare.c -- comparison in a tube: closed cases just inside and just outside,
 * properties of random curves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api_impl.h"
#include "messages_fixture.h"
#include "result/compare.h"

enum { ROOM = 4000 };

/* Points that are added one by one. */
typedef struct {
  double t[ROOM], v[ROOM];
  size_t n;
} Points;

static void add(Points *p, double t, double v) {
  assert_true(p->n < ROOM);
  p->t[p->n] = t;
  p->v[p->n++] = v;
}

static CompareCurve curve(const Points *p) { return (CompareCurve){p->t, p->v, p->n, false}; }

static CompareOutcome outcome(const Points *a, const Points *b, const CompareTube *tube) {
  static Memory mem;
  jmp_buf here;
  mem.recover = &here;
  Arena *arena = setjmp(here) == 0 ? arena_new(&mem) : NULL;
  assert_non_null(arena);
  CompareCurve x = curve(a), y = curve(b);
  CompareOutcome o = compare_curves(&x, &y, tube, arena);
  arena_free(arena);
  return o;
}

/* A tube of the tolerance, as for a result: 0 to 10 s. */
static CompareTube tube_of(const Points *reference, double tol, bool discrete) {
  CompareCurve c = curve(reference);
  double low, high;
  CompareTube tube = {.from = 0, .to = 10, .width = tol * 10, .discrete = discrete};
  if (compare_range(&c, 0, 10, &low, &high))
    tube.height = tol * fmax(high - low, 1e-3);
  return tube;
}

static double deviation(const Points *a, const Points *b, double tol, bool discrete) {
  CompareTube tube = tube_of(b, tol, discrete);
  return outcome(a, b, &tube).deviation;
}

static void sine(Points *p, size_t intervals, double offset) {
  p->n = 0;
  for (size_t k = 0; k <= intervals; k++)
    add(p, 10.0 * (double)k / (double)intervals,
        sin(10.0 * (double)k / (double)intervals) + offset);
}

/* 0, from `when` on `height`; points at the jump, and every 0.1 s. */
static void step(Points *p, double when, double height) {
  p->n = 0;
  for (int k = 0; k <= 100; k++) {
    double t = 0.1 * k;
    if (t > when && (k == 0 || t - 0.1 <= when)) {
      add(p, when, 0);
      add(p, when, height);
    }
    if (t != when)
      add(p, t, t < when ? 0 : height);
  }
}

static Points a, b, c; /* large */

static void an_offset_of_a_sine(void **state) {
  (void)state;
  sine(&b, 1000, 0);
  double height = tube_of(&b, 1e-2, false).height;
  assert_true(fabs(height - 2e-2) < 1e-6);
  sine(&a, 1000, 0.99 * height); /* at the extremes neither time nor slope helps */
  assert_true(deviation(&a, &b, 1e-2, false) <= 1);
  sine(&a, 1000, 1.01 * height);
  CompareTube tube = tube_of(&b, 1e-2, false);
  CompareOutcome o = outcome(&a, &b, &tube);
  assert_true(o.deviation > 1.005 && o.deviation < 1.015 && o.outside > 0 && o.outside < o.points);
  assert_true(fabs(o.result - o.reference - o.deviation * height) < 1e-6);
}

static void a_shifted_step(void **state) {
  (void)state;
  double width = 2e-3 * 10;
  step(&b, 5.05, 1);
  for (int sign = -1; sign <= 1; sign += 2) {
    step(&a, 5.05 + sign * 0.99 * width, 1);
    assert_true(deviation(&a, &b, 2e-3, false) == 0);
    assert_true(deviation(&a, &b, 2e-3, true) == 0);
    step(&a, 5.05 + sign * 1.01 * width, 1);
    assert_true(deviation(&a, &b, 2e-3, false) > 100);
    assert_true(deviation(&a, &b, 2e-3, true) > 1);
    assert_true(deviation(&b, &a, 2e-3, true) > 1);
  }
  step(&a, 5.05, 2); /* the same time, another height */
  assert_true(deviation(&a, &b, 2e-3, true) > 1 && deviation(&b, &a, 2e-3, true) > 1);
}

/* Long before the next sample, in one file only. */
static void a_spike_between_samples(void **state) {
  (void)state;
  sine(&a, 100, 0);
  b.n = 0;
  for (size_t k = 0; k < a.n; k++) {
    if (k == 50)
      for (int e = 0; e < 4; e++)
        add(&b, e < 2 ? 4.951 : 4.952, sin(4.951) + (e == 1 || e == 2));
    add(&b, a.t[k], a.v[k]);
  }
  assert_true(deviation(&a, &b, 2e-3, false) > 100); /* missing */
  assert_true(deviation(&b, &a, 2e-3, false) > 100); /* additional */
}

/* A jump that goes back at once has both limits, and a value between them at the same time. */
static void a_pulse_of_no_length(void **state) {
  (void)state;
  sine(&a, 1000, 0);
  b.n = 0;
  for (size_t k = 0; k < a.n; k++) {
    add(&b, a.t[k], a.v[k]);
    if (k == 500) {
      add(&b, a.t[k], a.v[k] + 1);
      add(&b, a.t[k], a.v[k]);
    }
  }
  assert_true(deviation(&a, &b, 2e-3, false) > 100 && deviation(&b, &a, 2e-3, false) > 100);
}

/* Left and right limit in the wrong order. */
static void swapped_limits(void **state) {
  (void)state;
  step(&b, 5.05, 1);
  a = b;
  for (size_t k = 0; k + 1 < a.n; k++)
    if (a.t[k] == a.t[k + 1]) {
      a.v[k] = 1;
      a.v[k + 1] = 0;
    }
  assert_true(deviation(&a, &b, 2e-3, false) > 100);
  assert_true(deviation(&b, &a, 2e-3, false) > 100);
  assert_true(deviation(&a, &b, 2e-2, false) == 0); /* by 0.2 s everything there may be shifted */
}

/* What a jump at the very end would have been after it is not known. */
static void a_jump_at_the_end(void **state) {
  (void)state;
  sine(&a, 1000, 0);
  b = a;
  add(&b, 10, 7);
  assert_true(deviation(&a, &b, 1e-3, false) == 0 && deviation(&b, &a, 1e-3, false) == 0);
  for (size_t k = b.n - 4; k < b.n; k++)
    b.v[k] = 7; /* longer than the width */
  assert_true(deviation(&a, &b, 1e-3, false) > 1);
}

static void gaps(void **state) {
  (void)state;
  double width = 2e-3 * 10;
  sine(&b, 1000, 0);
  a = b;
  for (size_t k = 300; k < 400; k++)
    b.v[k] = NAN;
  assert_true(isinf(deviation(&a, &b, 2e-3, false)) && isinf(deviation(&b, &a, 2e-3, false)));
  for (size_t k = 301; k < 402; k++) /* by one and two samples */
    a.v[k] = NAN;
  assert_true(width > 2 * (a.t[1] - a.t[0]) - 1e-9);
  assert_true(isfinite(deviation(&a, &b, 2.1e-3, false)) && deviation(&a, &b, 2.1e-3, false) <= 1);
  for (size_t k = 402; k < 405; k++)
    a.v[k] = NAN;
  assert_true(isinf(deviation(&a, &b, 2.1e-3, false)));
  for (size_t k = 0; k < a.n; k++)
    a.v[k] = b.v[k] = NAN;
  assert_true(deviation(&a, &b, 2e-3, false) == 0);
  b.v[5] = a.v[5] = INFINITY;
  assert_true(deviation(&a, &b, 2e-3, false) == 0);
  b.v[5] = -INFINITY;
  assert_true(isinf(deviation(&a, &b, 2e-3, false)));
}

/* A value between two others that are both there is still wrong for a discrete signal. */
static void discrete_values(void **state) {
  (void)state;
  b.n = a.n = 0;
  add(&b, 0, 1), add(&b, 5, 1), add(&b, 5, 3), add(&b, 10, 3);
  add(&a, 0, 1), add(&a, 5, 1), add(&a, 5, 2), add(&a, 5, 3), add(&a, 10, 3);
  assert_true(deviation(&a, &b, 2e-3, true) > 1 && deviation(&a, &b, 2e-3, false) == 0);
  /* Without points at the event it happened anywhere between two samples. */
  a.n = 0;
  add(&a, 0, 1), add(&a, 4.5, 1), add(&a, 5.5, 3), add(&a, 10, 3);
  assert_true(deviation(&a, &b, 2e-3, true) == 0 && deviation(&b, &a, 2e-3, true) == 0);
}

/* Grids decide nothing: a sine with few points against one with many, also where its samples miss
 * the extremes. */
static void coarse_grids(void **state) {
  (void)state;
  sine(&b, 2000, 0);
  for (size_t n = 12; n < 100; n++) { /* from 8 points per period on */
    sine(&a, n, 0);
    assert_true(deviation(&a, &b, 1e-3, false) <= 1 && deviation(&b, &a, 1e-3, false) <= 1);
    sine(&a, n, 0.1);
    assert_true(deviation(&a, &b, 1e-3, false) > 1 && deviation(&b, &a, 1e-3, false) > 1);
  }
}

/* ---- random curves ---- */

static uint64_t seed = 88172645463325252u;

static double random_part(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-53;
}

/* Pieces of smooth curves with jumps between them, at any times. */
static void random_curve(Points *p, bool discrete) {
  p->n = 0;
  double level = floor(4 * random_part()), slope = discrete ? 0 : random_part() - 0.5;
  add(p, 0, level);
  for (double t = 0; t < 10;) {
    double last = p->v[p->n - 1], h = 0.02 + 0.2 * random_part() * random_part();
    t = fmin(t + h, 10);
    add(p, t, last + slope * (t - p->t[p->n - 1]));
    if (t < 10 && random_part() < 0.2) {
      add(p, t, discrete ? floor(4 * random_part()) : p->v[p->n - 1] + random_part() - 0.5);
      slope = discrete ? 0 : random_part() - 0.5;
    }
  }
}

/* The same curve with points added on its lines. */
static void resampled(const Points *from, Points *to) {
  to->n = 0;
  for (size_t k = 0; k < from->n; k++) {
    double h = k ? from->t[k] - from->t[k - 1] : 0;
    for (int i = 0; i < 3 && h > 0; i++) {
      double u = (i + random_part()) / 3;
      if (u > 0 && u < 1)
        add(to, from->t[k - 1] + u * h, from->v[k - 1] + u * (from->v[k] - from->v[k - 1]));
    }
    add(to, from->t[k], from->v[k]);
  }
}

static void random_properties(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    bool discrete = round % 3 == 0;
    random_curve(&a, discrete);
    assert_true(deviation(&a, &a, 1e-3, discrete) == 0 && deviation(&a, &a, 0, discrete) == 0);
    resampled(&a, &b);
    assert_true(deviation(&b, &a, 1e-3, discrete) < 1e-9 &&
                deviation(&a, &b, 1e-3, discrete) < 1e-9);
    /* Shifted in time by part of the width, with other points, and off in value by part of the
     * height. */
    double tol = 1e-3 * (1 + 20 * random_part()), part = 1.6 * random_part();
    CompareTube tube = tube_of(&a, tol, discrete);
    for (size_t k = 0; k < b.n; k++) {
      b.t[k] = b.t[k] > 0 && b.t[k] < 10 ? fmin(b.t[k] + part * tube.width, 10) : b.t[k];
      b.v[k] += discrete ? 0 : 0.5 * tube.height;
    }
    CompareOutcome ab = outcome(&a, &b, &tube), ba = outcome(&b, &a, &tube);
    assert_true(part > 0.99 || ab.deviation <= 1);
    /* One tube: symmetric */
    assert_true(ab.deviation == ba.deviation && ab.points == ba.points && ab.outside == ba.outside);
    if (ab.deviation > 1) /* not less with a smaller tolerance */
      assert_true(deviation(&b, &a, tol / 2, discrete) > 1 &&
                  deviation(&b, &a, tol / 10, discrete) > 1);
    random_curve(&c, discrete);
    assert_true(deviation(&c, &a, 1e-3, discrete) > 1);
  }
}

static void events(void **state) {
  (void)state;
  const double t[] = {0, 0, 1, 1, 1, 2, 3, 3, 4}, u[] = {0, 1.01, 1.01, 3, 3, 3.5, 3.5};
  double x[9], y[9];
  assert_int_equal(compare_events(t, 9, 0, 4, x), 2);
  assert_true(x[0] == 1 && x[1] == 3);
  assert_int_equal(compare_events(t, 9, 2, 4, NULL), 1);
  assert_int_equal(compare_events(u, 7, 0, 4, y), 3);
  assert_true(compare_first_event(x, 2, y, 3, 0.1) == 3.5);
  assert_true(compare_first_event(x, 2, y, 3, 0.001) == 1);
  assert_true(isnan(compare_first_event(x, 2, y, 2, 0.1)));
}

/* ---- through the public interface ---- */

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static NuSession *session(void) {
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  NuSession *s = NULL;
  assert_int_equal(nu_session_new(&so, &s), NU_OK);
  return s;
}

static char first_path[64], second_path[64];

static void write_pair(void) {
  snprintf(first_path, sizeof first_path, "/tmp/test_compare_%d_a.csv", (int)getpid());
  snprintf(second_path, sizeof second_path, "/tmp/test_compare_%d_b.csv", (int)getpid());
  write_file(first_path, "time,x,\"a[1, 2]\",only\n0,1,0,1\n1,1.5,0,1\n1,3,1,1\n2,3,1,1\n");
  write_file(second_path, "time,\"a[1,2]\",x,\n0,0,1,\n1,0,1.5,\n1,2,3.1,\n2,2,3.1,\n");
}

static void the_interface(void **state) {
  (void)state;
  NuSession *s = session();
  NuComparison found;
  NuCompareOptions o = nu_compare_options();
  write_pair();
  assert_int_equal(nu_compare(s, first_path, second_path, NULL, &found), NU_OK);
  assert_false(found.same);
  assert_int_equal(found.n_signals, 2);
  assert_int_equal(found.n_outside, 2);
  assert_string_equal(found.signals[0].name, "x"); /* 0.1/(2e-3*2.1) */
  assert_true(fabs(found.signals[0].deviation - 0.1 / (2e-3 * 2.1)) < 1e-9 &&
              !found.signals[0].discrete);
  assert_string_equal(found.signals[1].name, "a[1, 2]");
  assert_true(found.signals[1].discrete && found.signals[1].deviation == 2 &&
              found.signals[1].result == 1 && found.signals[1].reference == 2);
  assert_int_equal(found.n_only_result, 1);
  assert_string_equal(found.only_result[0], "only");
  assert_int_equal(found.n_only_reference, 0); /* a column without a name is none */
  assert_true(found.result_events == 1 && found.reference_events == 1 && isnan(found.first_event));
  nu_comparison_free(&found);
  o.variables = (const char *const[]){"xx", "a*"};
  o.n_variables = 2;
  assert_int_equal(nu_compare(s, first_path, second_path, &o, &found), NU_USAGE);
  assert_non_null(strstr(messages, "A002"));
  assert_null(found.own);
  nu_comparison_free(&found);
  o.variables = (const char *const[]){"x", "x", "*"};
  o.n_variables = 3;
  o.tolerance = 0.1;
  assert_int_equal(nu_compare(s, first_path, second_path, &o, &found), NU_OK);
  assert_int_equal(found.n_signals, 2); /* each once */
  nu_comparison_free(&found);
  nu_session_free(s);
}

/* The k-th request of memory fails, for all k. */
static void without_memory(void **state) {
  (void)state;
  size_t k = 0;
  write_pair();
  for (NuStatus status = NU_MEMORY; status != NU_OK;) {
    NuSession *s = session();
    NuComparison found;
    s->mem.fail_at = ++k;
    status = nu_compare(s, first_path, second_path, NULL, &found);
    assert_true(status == NU_OK || status == NU_MEMORY);
    assert_true(status == NU_OK || !found.own);
    nu_comparison_free(&found);
    nu_session_free(s);
  }
  assert_true(k > 3);
  unlink(first_path);
  unlink(second_path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_offset_of_a_sine),
      cmocka_unit_test(a_shifted_step),
      cmocka_unit_test(a_spike_between_samples),
      cmocka_unit_test(a_pulse_of_no_length),
      cmocka_unit_test(swapped_limits),
      cmocka_unit_test(a_jump_at_the_end),
      cmocka_unit_test(gaps),
      cmocka_unit_test(discrete_values),
      cmocka_unit_test(coarse_grids),
      cmocka_unit_test(random_properties),
      cmocka_unit_test(events),
      cmocka_unit_test(the_interface),
      cmocka_unit_test(without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
