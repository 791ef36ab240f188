/* tests/unit/test_set.c -- variables that are set from outside, before a run begins and between its
 * parts, and read by name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "messages_fixture.h"

static const char
    model[] = "model M\n"
              "  parameter Real p(min = 0, max = 10) = 2;\n"
              "  parameter Real q = 2*p, limit = 3*p;\n"
              "  parameter Real found(fixed = false, start = 1), follows = found + 1;\n"
              "  final parameter Real last = p;\n"
              "  constant Real c = 3;\n"
              "  parameter Integer n(max = 7) = 3, size = 2;\n"
              "  type E = enumeration(red, green, blue);\n"
              "  parameter E e = E.green;\n"
              "  parameter String s = \"hi\";\n"
              "  parameter Boolean on = true;\n"
              "  input Real u(start = 1, min = 0, max = limit);\n"
              "  input Boolean b(start = false);\n"
              "  input Integer j(start = 0);\n"
              "  input E f(start = E.red);\n"
              "  Real x(start = 1, fixed = true), A[size], w = 2*u, v, z(start = 1);\n"
              "  Integer k(start = 0, fixed = true), jumps(start = 0, fixed = true), big(start = "
              "0, fixed = true);\n"
              "  Boolean above = u > 2, blue;\n"
              "  discrete Real seen(start = 0, fixed = true);\n"
              "  String t;\n"
              "initial equation\n"
              "  found = 7*p;\n"
              "equation\n"
              "  A = {i*x for i in 1:size};\n"
              "  der(x) = if on then u - q*x else 0;\n"
              "  v = x + u; z^3 + z = u + x; blue = f == E.blue;\n"
              "  when b then k = pre(k) + 1; end when;\n"
              "  when change(j) then jumps = pre(jumps) + 1; seen = j; end when;\n"
              "  when x + u > 4.5 then big = pre(big) + 1; end when;\n"
              "  t = s + String(k);\n"
              "end M;\n";

/* ---- fixture ---- */

static const char *const columns[] = {"x", "u", "v", "k"};
enum { COLUMNS = 4, MOST_ROWS = 1000 };

static NuSession *session;
static NuProgram *program;
static struct { double time, value[COLUMNS]; } rows[MOST_ROWS];
static int n_rows;

static bool keep(void *user, double time, const double *values) {
  (void)user;
  assert_true(n_rows < MOST_ROWS);
  rows[n_rows].time = time;
  memcpy(rows[n_rows++].value, values, sizeof rows->value);
  return true;
}

static int set_up(void **state) {
  (void)state;
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  if (nu_session_new(&so, &session) != NU_OK ||
      nu_load_text(session, "M.mo", model, strlen(model)) != NU_OK ||
      nu_compile(session, &(NuTarget){0}, &program) != NU_OK)
    puts(messages);
  return program ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  nu_program_free(program);
  nu_session_free(session);
  return 0;
}

static NuRun *new_run(const char *solver) {
  NuRunOptions o = nu_run_options();
  o.intervals = 10, o.solver = solver, o.row = keep, o.variables = columns, o.n_variables = COLUMNS;
  n_rows = 0;
  messages[0] = 0;
  NuRun *r;
  assert_int_equal(nu_run_new(program, &o, &r), NU_OK);
  return r;
}

static void ok(NuStatus status) {
  if (status != NU_OK)
    fail_msg("%s: %s", nu_status_name(status), messages);
}

static void refuse(NuStatus status, const char *text) {
  assert_int_equal(status, NU_USAGE);
  if (!strstr(messages, text))
    fail_msg("`%s` instead of `%s`", messages, text);
  messages[0] = 0;
}

static double get(NuRun *r, const char *name) {
  double v;
  ok(nu_run_get(r, name, &v));
  return v;
}

static void is(NuRun *r, const char *name, const char *expected) {
  char *text;
  ok(nu_run_get_text(r, name, &text));
  assert_string_equal(text, expected);
  nu_free(text);
}

/* ---- tests ---- */

static void before_the_start(void **state) {
  (void)state;
  NuRun *r = new_run(NULL);
  double v;
  refuse(nu_run_get(r, "x", &v), "A004: nu_run_get is not possible now: the run has not begun");
  ok(nu_run_set(r, "x", NU_START, 2));
  ok(nu_run_set(r, "p", NU_VALUE, 1.5));
  ok(nu_run_set(r, "u", NU_VALUE, 0.5));
  ok(nu_run_set_text(r, "e", NU_VALUE, "blue"));
  ok(nu_run_set_text(r, "s", NU_VALUE, "a text"));
  ok(nu_run_set_text(r, "f", NU_VALUE, "E.green"));
  ok(nu_run_set(r, "n", NU_VALUE, 7));
  refuse(nu_run_set(r, "x", NU_VALUE, 2),
         "A001: `x` has no value before the run begins: set its start value");
  refuse(nu_run_set(r, "p", NU_START, 2), "A001: `p` is a parameter and has no start value");
  refuse(nu_run_set(r, "p", NU_VALUE, 11), "A001: `p` = 11 is more than its max = 10");
  refuse(nu_run_set(r, "u", NU_VALUE, -1), "A001: `u` = -1 is less than its min = 0");
  refuse(nu_run_set(r, "size", NU_VALUE, 3), "A001: `size` shapes the model");
  refuse(nu_run_set(r, "last", NU_VALUE, 3), "A001: `last` is final");
  refuse(nu_run_set(r, "c", NU_VALUE, 3), "A001: `c` is a constant");
  refuse(nu_run_set(r, "follow", NU_VALUE, 3), "A002: the model has no variable `follow`");
  ok(nu_run_start(r));
  assert_true(get(r, "x") == 2 && get(r, "q") == 3 && get(r, "v") == 2.5 &&
              get(r, "found") == 10.5 && get(r, "w") == 1);
  assert_true(get(r, "der(x)") == 0.5 - 6 && get(r, "A[2]") == 4);
  is(r, "e", "blue");
  is(r, "t", "a text0");
  is(r, "f", "green");
  is(r, "on", "true");
  is(r, "n", "7");
  is(r, "p", "1.5");
  refuse(nu_run_get(r, "X", &v), "A002: the model has no variable `X`");
  refuse(nu_run_get(r, "der(p)", &v), "A002");
  nu_run_free(r);
}

static void between_the_parts(void **state) {
  (void)state;
  static const char *const solvers[] = {NULL, "rk4", "rosenbrock", "cvode", "ida"};
  for (size_t q = 0; q < sizeof solvers / sizeof *solvers; q++) {
    NuRun *r = new_run(solvers[q]);
    ok(nu_run_start(r));
    ok(nu_run_advance(r, 0.234, NULL));
    double x = get(r, "x"), exact = 0.25 + 0.75 * exp(-4 * 0.234);
    assert_true(fabs(x - exact) < 1e-4);
    int before = n_rows;
    ok(nu_run_set(r, "u", NU_VALUE, 3));
    ok(nu_run_set(r, "p", NU_VALUE, 1.25));
    ok(nu_run_set_text(r, "b", NU_VALUE, "true"));
    ok(nu_run_set(r, "j", NU_VALUE, -4));
    ok(nu_run_set_text(r, "f", NU_VALUE, "blue"));
    ok(nu_run_set(r, "u", NU_VALUE, 4)); /* the last one counts */
    assert_int_equal(n_rows, before);
    /* one event, with the values before and after it */
    assert_true(get(r, "u") == 4 && get(r, "w") == 8 && get(r, "q") == 2.5 &&
                get(r, "v") == get(r, "x") + 4 && get(r, "above") == 1);
    assert_true(get(r, "k") == 1 && get(r, "jumps") == 1 && get(r, "seen") == -4 &&
                get(r, "blue") == 1 && get(r, "found") == 14 && get(r, "follows") == 15);
    assert_true(get(r, "big") == (x + 4 > 4.5));
    assert_true(get(r, "x") == x && fabs(pow(get(r, "z"), 3) + get(r, "z") - 4 - x) < 1e-9);
    assert_int_equal(n_rows, before + 2);
    assert_true(rows[before].time == 0.234 && rows[before].value[1] == 1 &&
                rows[before].value[3] == 0 && rows[before].value[0] == x);
    assert_true(rows[before + 1].time == 0.234 && rows[before + 1].value[1] == 4 &&
                rows[before + 1].value[3] == 1);
    assert_int_equal(nu_run_stats(r).time_events, 1);
    ok(nu_run_advance(r, 0.5, NULL));
    exact = 1.6 + (x - 1.6) * exp(-2.5 * (0.5 - 0.234));
    assert_true(fabs(get(r, "x") - exact) < 1e-4);
    assert_true(get(r, "k") == 1 && get(r, "big") == 1);
    /* a state, at a point of the output grid: one more row */
    before = n_rows;
    ok(nu_run_set(r, "x", NU_VALUE, -1));
    ok(nu_run_advance(r, 0.5, NULL));
    assert_int_equal(n_rows, before + 1);
    assert_true(get(r, "x") == -1 && get(r, "A[1]") == -1);
    ok(nu_run_advance(r, 1, NULL));
    assert_true(fabs(get(r, "x") - (1.6 - 2.6 * exp(-1.25))) < 1e-4);
    /* at the very end, too */
    ok(nu_run_set_text(r, "s", NU_VALUE, "ho"));
    ok(nu_run_end(r));
    is(r, "t", "ho1");
    refuse(nu_run_set(r, "u", NU_VALUE, 1),
           "A004: nu_run_set is not possible now: the run has ended");
    nu_run_free(r);
  }
}

static void refused(void **state) {
  (void)state;
  NuRun *r = new_run(NULL);
  ok(nu_run_start(r));
  ok(nu_run_advance(r, 0.5, NULL));
  double x = get(r, "x");
  for (int k = 0; k < 2; k++) { /* also a second time */
    refuse(nu_run_set(r, "x", NU_START, 1),
           "A001: the start value of `x` can only be set before the run begins");
    refuse(nu_run_set(r, "v", NU_VALUE, 1),
           "A001: `v` is computed by the model: only parameters, inputs and states can be set");
    refuse(nu_run_set(r, "k", NU_VALUE, 1), "A001: `k` is computed by the model");
    refuse(nu_run_set(r, "n", NU_VALUE, 2.5), "A001: `n` cannot be 2.5: it is an Integer");
    refuse(nu_run_set(r, "n", NU_VALUE, 8), "A001: `n` = 8 is more than its max = 7");
    refuse(nu_run_set(r, "u", NU_VALUE, 6.5), "A001: `u` = 6.5 is more than its max = 6");
    refuse(nu_run_set(r, "u", NU_VALUE, NAN), "A001: `u` cannot be nan");
    refuse(nu_run_set(r, "b", NU_VALUE, 2), "A001: `b` cannot be 2: it is a Boolean");
    refuse(nu_run_set(r, "f", NU_VALUE, 4), "A001: `f` cannot be 4: it is an enumeration");
    refuse(nu_run_set(r, "s", NU_VALUE, 1), "A001: `s` needs a text, not a number");
    refuse(nu_run_set_text(r, "u", NU_VALUE, "much"), "A001: `u` needs a number, not `much`");
    refuse(nu_run_set_text(r, "f", NU_VALUE, "yellow"),
           "A001: `f` needs a literal of its enumeration, not `yellow`");
    refuse(nu_run_set(r, "found", NU_VALUE, 1), "A001: `found` was found by the initialisation");
    refuse(nu_run_set(r, "size", NU_VALUE, 1), "A001: `size` shapes the model");
    refuse(nu_run_set(r, "y", NU_VALUE, 1), "A002: the model has no variable `y`");
  }
  assert_true(get(r, "x") == x);
  assert_int_equal(nu_run_stats(r).time_events, 0);
  nu_run_free(r);
}

/* What is set is part of a snapshot; what was not read yet, too. */
static void with_snapshots(void **state) {
  (void)state;
  NuRun *r = new_run("rk45");
  NuSnapshot *s, *early;
  ok(nu_run_set_text(r, "s", NU_VALUE, "first"));
  ok(nu_run_snapshot(r, &early));
  ok(nu_run_start(r));
  ok(nu_run_advance(r, 0.31, NULL));
  ok(nu_run_set(r, "u", NU_VALUE, 2.5));
  ok(nu_run_snapshot(r, &s));
  int first = n_rows;
  ok(nu_run_advance(r, 1, NULL));
  double x = get(r, "x");
  int last = n_rows;
  for (int k = 0; k < 3; k++) {
    ok(nu_run_restore(r, s));
    assert_true(get(r, "u") == 2.5);
    ok(nu_run_set(r, "u", NU_VALUE, 0));
    ok(nu_run_advance(r, 1, NULL));
    assert_true(get(r, "x") != x);
    ok(nu_run_set(r, "u", NU_VALUE, 1)); /* and forgotten */
    ok(nu_run_restore(r, s));
    n_rows = 0;
    ok(nu_run_advance(r, 1, NULL));
    assert_int_equal(n_rows, last - first);
    assert_true(get(r, "x") == x && get(r, "u") == 2.5);
    is(r, "t", "first0");
  }
  ok(nu_run_restore(r, early));
  ok(nu_run_start(r));
  assert_true(get(r, "u") == 1);
  is(r, "t", "first0");
  nu_run_free(r);
  nu_snapshot_free(s), nu_snapshot_free(early);
}

/* ---- in a stored result ---- */

static int n_again;
static bool compare(void *user, double time, const double *values) {
  (void)user;
  if (n_again >= n_rows || rows[n_again].time != time ||
      memcmp(rows[n_again].value, values, sizeof rows->value))
    fail_msg("row %d at %g: x %.17g, u %g, v %.17g, k %g", n_again, time, values[0], values[1],
             values[2], values[3]);
  n_again++;
  return true;
}

static void stored(void **state) {
  (void)state;
  char path[] = "/tmp/nusim-set-XXXXXX", file[64];
  assert_non_null(mkdtemp(path));
  snprintf(file, sizeof file, "%s/set.nus", path);
  NuRunOptions o = nu_run_options();
  o.intervals = 20, o.row = keep, o.variables = columns, o.n_variables = COLUMNS, o.store = file;
  n_rows = n_again = 0;
  messages[0] = 0;
  NuRun *r;
  ok(nu_run_new(program, &o, &r));
  ok(nu_run_start(r));
  ok(nu_run_advance(r, 0.33, NULL));
  ok(nu_run_set(r, "u", NU_VALUE, 3));
  ok(nu_run_advance(r, 0.6, NULL));
  ok(nu_run_set(r, "p", NU_VALUE, 1));
  ok(nu_run_set_text(r, "b", NU_VALUE, "true"));
  ok(nu_run_advance(r, 0.81, NULL));
  ok(nu_run_set(r, "x", NU_VALUE, 0.125));
  ok(nu_run_advance(r, 1, NULL));
  ok(nu_run_end(r));
  nu_run_free(r);

  NuResult *result;
  double v;
  ok(nu_result_open(session, file, &result));
  NuExtract e = nu_extract();
  e.variables = columns, e.n_variables = COLUMNS, e.row = compare;
  ok(nu_result_extract(result, &e));
  assert_int_equal(n_again, n_rows);
  /* a variable that was not asked for, before and after its parameter was set */
  ok(nu_result_get(result, "q", 0.5, &v));
  assert_true(v == 4);
  ok(nu_result_get(result, "q", 0.7, &v));
  assert_true(v == 2);
  ok(nu_result_get(result, "w", 0.3, &v));
  assert_true(v == 2);
  ok(nu_result_get(result, "w", 0.4, &v));
  assert_true(v == 6);
  nu_result_free(result);
  unlink(file);
  rmdir(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(before_the_start),
                                     cmocka_unit_test(between_the_parts), cmocka_unit_test(refused),
                                     cmocka_unit_test(with_snapshots), cmocka_unit_test(stored)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
