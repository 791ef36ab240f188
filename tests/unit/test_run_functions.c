/* tests/unit/test_run_functions.c -- Modelica functions as machine code: loops, arrays of any size,
 * records, recursion, and what happens when they fail. Values against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "messages_fixture.h"

typedef struct {
  NuSession *s;
  NuProgram *p;
  NuRun *r;
  NuStatus status;
} Case;

/* Runs the model M of the text to the end; the status of the first step that fails stays. */
static Case run_text(const char *text) {
  Case c = {0};
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  NuTarget t = {.class_name = "M"};
  c.status = nu_session_new(&so, &c.s);
  if (c.status == NU_OK)
    c.status = nu_load_text(c.s, "M.mo", text, strlen(text));
  if (c.status == NU_OK)
    c.status = nu_compile(c.s, &t, &c.p);
  NuRunOptions ro = nu_run_options();
  if (c.status == NU_OK)
    c.status = nu_run_new(c.p, &ro, &c.r);
  if (c.status == NU_OK)
    c.status = nu_run_simulate(c.r);
  return c;
}

static void case_free(Case *c) {
  nu_run_free(c->r);
  nu_program_free(c->p);
  nu_session_free(c->s);
}

static void expect(const Case *c, const char *name, double value) {
  double v;
  assert_int_equal(nu_run_get(c->r, name, &v), NU_OK);
  if (!(fabs(v - value) <= 1e-12 * fmax(1, fabs(value))))
    fail_msg("%s = %.17g, not %.17g", name, v, value);
}

static Case run_ok(const char *text) {
  Case c = run_text(text);
  if (c.status != NU_OK)
    fail_msg("%s", messages);
  return c;
}

static void test_loops(void **state) {
  (void)state;
  Case c = run_ok(
      "model M\n"
      "  function collatz input Integer n; output Integer steps; protected Integer k; algorithm\n"
      "    k := n; steps := 0;\n"
      "    while k <> 1 loop\n"
      "      if mod(k, 2) == 0 then k := div(k, 2); else k := 3*k + 1; end if;\n"
      "      steps := steps + 1;\n"
      "    end while;\n"
      "  end collatz;\n"
      "  function first input Real v[:]; input Real limit; output Integer k; algorithm\n"
      "    k := 0;\n"
      "    for i in size(v, 1):-1:1 loop\n"
      "      if v[i] > limit then k := i; break; end if;\n"
      "    end for;\n"
      "    if k == 0 then return; end if;\n"
      "    k := 10*k;\n"
      "  end first;\n"
      "  function fib input Integer n; output Integer y; algorithm\n"
      "    y := if n < 2 then n else fib(n - 1) + fib(n - 2);\n"
      "  end fib;\n"
      "  Integer a = collatz(integer(27 + time)); Integer b = first({1, 5*integer(time), 3, 0}, "
      "2.5); Integer d = fib(16 + integer(time));\n"
      "end M;\n");
  expect(&c, "a", 111); /* 27 takes 111 steps */
  expect(&c, "b", 30);
  expect(&c, "d", 987);
  case_free(&c);
}

static void test_arrays(void **state) {
  (void)state;
  Case c = run_ok("model M\n"
                  "  function f input Real a[:, :]; input Real x[:]; output Real y[size(a, 1)]; "
                  "output Real s; protected Real b[size(a, 2), size(a, 1)];\n"
                  "    Real z[size(a, 1)]; algorithm\n"
                  "    b := transpose(a);\n"
                  "    z := {sum(b[j, i]*x[j] for j in 1:size(x, 1)) for i in 1:size(a, 1)};\n"
                  "    y := a*x + 2*z - z;\n"
                  "    y[2:end] := y[2:end] ./ fill(2, size(a, 1) - 1);\n"
                  "    s := max(y) - min(y) + x*x + product(x);\n"
                  "  end f;\n"
                  "  function steps input Real h; input Real last; output Real s; algorithm\n"
                  "    s := 0; for t in 0:h:last loop s := s + t; end for;\n"
                  "  end steps;\n"
                  "  Real y[3], s, u;\n"
                  "equation\n"
                  "  (y, s) = f({{1, 2}, {3, 4}, {5, 6*time}}, {time, 2});\n"
                  "  u = steps(0.1, time);\n"
                  "end M;\n");
  /* a x = (5, 11, 17); y = 2 a x, the last two halved */
  expect(&c, "y[1]", 10);
  expect(&c, "y[2]", 11);
  expect(&c, "y[3]", 17);
  expect(&c, "s", 7 + 5 + 2);
  expect(&c, "u", 5.5);
  case_free(&c);
}

static void test_records(void **state) {
  (void)state;
  Case c = run_ok("model M\n"
                  "  record Inner Real v[2]; Integer n; end Inner;\n"
                  "  record P Real x; Inner i; end P;\n"
                  "  function make input Real x; output P p; algorithm\n"
                  "    p.x := x; p.i.v := {x, 2*x}; p.i.v[1] := 7; p.i.n := 3;\n"
                  "  end make;\n"
                  "  function use input P p; input P q; output Real y; protected P r; algorithm\n"
                  "    r := if p.x > q.x then p else q;\n"
                  "    r.x := r.x + 100;\n"
                  "    y := r.x + r.i.v[1] + 10*r.i.v[2] + r.i.n;\n"
                  "  end use;\n"
                  "  function both input Real x; output Real y; algorithm\n"
                  "    y := use(make(x), P(5, Inner({1, 2}, 4)));\n"
                  "  end both;\n"
                  "  P p = make(2*time); Real a = both(time), b = both(9*time);\n"
                  "end M;\n");
  expect(&c, "p.x", 2);
  expect(&c, "p.i.v[1]", 7);
  expect(&c, "p.i.v[2]", 4);
  expect(&c, "a", 105 + 1 + 20 + 4);
  expect(&c, "b", 109 + 7 + 180 + 3);
  case_free(&c);
}

static void test_failures(void **state) {
  (void)state;
  static const struct {
    const char *body, *text;
    NuStatus status;
  } cases[] = {
      {"y := v[integer(5*x)];", "out of range", NU_RUN_FAILED},
      {"y := div(3, integer(1.5 - x));", "division by zero", NU_RUN_FAILED},
      {"y := x; assert(x < 0.5, \"x is \" + String(x));", "x is ", NU_RUN_FAILED},
      {"y := x; while y >= 0 and x > 0.5 loop y := y + 1; end while;", "does not end",
       NU_RUN_FAILED},
      {"y := if x > 0.5 then f(x) else 0;", "too deeply", NU_RUN_FAILED},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "model M function f input Real x; output Real y; protected Real v[3] = {1, 2, 3}; "
             "algorithm %s end f;\n Real y = f(time); end M;\n",
             cases[k].body);
    if (k == 0) /* the subscript begins at 1 */
      snprintf(text, sizeof text,
               "model M function f input Real x; output Real y; protected Real v[3] = {1, 2, 3}; "
               "algorithm %s end f;\n Real y = f(0.3 + time); end M;\n",
               cases[k].body);
    Case c = run_text(text);
    if (c.status != cases[k].status || !strstr(messages, cases[k].text))
      fail_msg("%s\ngave %s:\n%s", cases[k].body, nu_status_name(c.status), messages);
    case_free(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_records),
      cmocka_unit_test(test_failures),
  };
  return cmocka_run_group_tests_name("functions", tests, NULL, NULL);
}
