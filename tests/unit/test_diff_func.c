/* tests/unit/test_diff_func.c -- derivatives of function bodies: der(f(a, b)) and der(der(f(a, b)))
 * along a path in time, which index reduction must get from the functions, against differences of
 * the values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "messages_fixture.h"

enum { STEPS = 400 };

typedef struct {
  int n;
  double t[STEPS + 1], y[STEPS + 1][3]; /* y, y', y'' */
} Path;

static bool row(void *user, double time, const double *values) {
  Path *p = user;
  if (p->n <= STEPS) {
    p->t[p->n] = time;
    memcpy(p->y[p->n++], values, sizeof p->y[0]);
  }
  return true;
}

static NuStatus follow(const char *functions, const char *call, Path *path) {
  char text[6000];
  snprintf(text, sizeof text,
           "model M %s parameter Real k = 1.5; Real a = 1.2 + sin(3*time), b = 2 + cos(2*time); "
           "Real y, dy, ddy; "
           "equation y = %s; dy = der(y); ddy = der(dy); end M;",
           functions, call);
  NuSession *s = NULL;
  NuProgram *p = NULL;
  NuRun *r = NULL;
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  NuTarget t = {.class_name = "M"};
  NuStatus status = nu_session_new(&so, &s);
  if (status == NU_OK)
    status = nu_load_text(s, "M.mo", text, strlen(text));
  if (status == NU_OK)
    status = nu_compile(s, &t, &p);
  NuRunOptions ro = nu_run_options();
  const char *const names[] = {"y", "dy", "ddy"};
  ro.variables = names, ro.n_variables = 3;
  ro.intervals = STEPS;
  ro.row = row, ro.row_user = path;
  path->n = 0;
  if (status == NU_OK)
    status = nu_run_new(p, &ro, &r);
  if (status == NU_OK)
    status = nu_run_simulate(r);
  nu_run_free(r);
  nu_program_free(p);
  nu_session_free(s);
  return status;
}

/* Central differences of each order give the next one, but near a kink. */
static void check(const char *functions, const char *call, int kinks) {
  static Path p;
  if (follow(functions, call, &p) != NU_OK)
    fail_msg("%s: %s", call, messages);
  assert_int_equal(p.n, STEPS + 1);
  double largest[3] = {0};
  for (int i = 0; i < p.n; i++)
    for (int q = 0; q < 3; q++)
      largest[q] = fmax(largest[q], fabs(p.y[i][q]));
  assert_true(largest[1] > 0.01);
  for (int q = 0; q < 2; q++) {
    int wrong = 0;
    for (int i = 1; i < p.n - 1; i++) {
      double d = (p.y[i + 1][q] - p.y[i - 1][q]) / (p.t[i + 1] - p.t[i - 1]);
      wrong += !(fabs(d - p.y[i][q + 1]) <= 2e-3 * (1 + largest[q + 1]));
    }
    if (wrong > kinks)
      fail_msg("%s: derivative %d differs at %d points", call, q + 1, wrong);
  }
}

static void test_scalars(void **state) {
  (void)state;
  check("function f input Real u, v; output Real y; algorithm y := u*sin(v) + u^2/v; end f;",
        "f(a, b)", 0);
  check("function f input Real u, v; output Real y; protected Real w = exp(-u)*v; algorithm w := w "
        "+ u; y := sqrt(w*w + v); end f;",
        "f(a, b)", 0);
  check("function f input Real u; input Real v = 2; input Integer n = 3; output Real y; algorithm "
        "y := u^n*v; end f;",
        "f(a)", 0);
  check("function f input Real u, v; output Real y; algorithm y := u; y := y*y + v; y := y/(1 + "
        "y^2); end f;",
        "f(a, k)", 0);
  check("function f input Real u, v; output Real y; algorithm y := atan2(u, v) + log(v) + tanh(u) "
        "- abs(u - 5); end f;",
        "f(a, b)", 0);
}

static void test_control_flow(void **state) {
  (void)state;
  check("function f input Real u, v; output Real y; algorithm if u > 1.2 then y := u*v; elseif v > "
        "2 then y := u + v; else y := u - v; end if; end f;",
        "f(a, b)", 40);
  check("function f input Real u, v; output Real y; algorithm y := 1; for i in 1:4 loop y := y*u/i "
        "+ v; end for; end f;",
        "f(a, b)", 0);
  check("function f input Real u, v; output Real y; protected Integer i = 0; algorithm y := u; "
        "while i < 3 loop i := i + 1; y := sin(y)*v; "
        "if i == 2 then break; end if; end while; end f;",
        "f(a, b)", 0);
  check("function f input Real u, v; output Real y; algorithm y := u*v; if v > 0 then return; end "
        "if; y := 7; end f;",
        "f(a, b)", 0);
  check("function f input Real u, v; output Real y; algorithm assert(v > 0, \"positive\"); y := if "
        "u > -5 then u*v^2 else 0; end f;",
        "f(a, b)", 0);
  /* Newton's iteration: the derivative converges with the value */
  check("function f input Real u; output Real y; protected Integer n = 0; algorithm y := 1; while "
        "n < 20 loop y := (y + u/y)/2; n := n + 1; end while; end f;",
        "f(a + b)", 0);
}

static void test_arrays(void **state) {
  (void)state;
  check("function f input Real u[:]; output Real y; algorithm y := u*u + sum(u); end f;",
        "f({a, b, k})", 0);
  check("function f input Real u[:]; output Real y; protected Real w[size(u, 1)]; algorithm for i "
        "in 1:size(u, 1) loop w[i] := i*u[i]^2; end for; "
        "y := sum(w) + w[1]*w[2]; end f;",
        "f({a, b})", 0);
  check("function f input Real u, v; output Real y; protected Real m[2, 2], x[2]; algorithm m := "
        "[u, v; -v, 2]; x := m*{v, 1}; "
        "x := transpose(m)*x/(1 + u^2); y := x*x; end f;",
        "f(a, b)", 0);
  check("function f input Real u, v; output Real y; protected Real w[3]; algorithm w := cross({u, "
        "1, v}, {v, u, 2}); y := w[1] + w[2]*w[3]; end f;",
        "f(a, b)", 0);
  check("function f input Real u[2]; output Real y[2]; algorithm y[1] := u[2]; y[2] := u[1]*y[1]; "
        "end f;",
        "f({a, b})*{1, 3}", 0);
  check("function f input Real u, v; output Real y; algorithm y := sum({u^i*v for i in 1:3}) + "
        "sum(i*u for i in 1:4); end f;",
        "f(a, b)", 0);
  check("function f input Real u[:]; output Real y; algorithm y := (u .* u .+ 2)*(u ./ (u .+ 1)) + "
        "sum(cat(1, u, {1.0, 2.0})) + sum(2*u - u/3); end f;",
        "f({a, b})", 0);
}

static void test_records_and_calls(void **state) {
  (void)state;
  const char *records = "record R Real x; Real z[2]; Integer n; end R; "
                        "function make input Real u, v; output R r; algorithm r.x := u*v; r.z := "
                        "{u, v}; r.n := 2; end make; "
                        "function use input R r; input Real g; output Real y; protected R q; "
                        "algorithm q := r; q.z[1] := q.z[1]*g; q.x := q.x + q.n; "
                        "y := q.x*q.z[1] + q.z[2]; end use; "
                        "function f input Real u, v; output Real y; algorithm y := use(make(u, v), "
                        "1.5) + use(R(u, {v, 1}, 1), v); end f; ";
  check(records, "f(a, b)", 0);
  /* a record that does not vary gets a field that does: its Integer still has no derivative */
  const char *kept = "record R Real x; Integer n; end R; "
                     "function keep input R r; input Real g; output Real y; protected R q; "
                     "algorithm q := r; q.x := g; q.n := if g > 0 then q.n else -q.n; "
                     "y := sin(q.x*q.n); end keep; "
                     "function f input Real u, v; output Real y; algorithm y := keep(R(1, 3), "
                     "u*v); end f; ";
  check(kept, "f(a, b)", 0);
  const char *several = "function g input Real u, v; output Real p, q; output Integer n; algorithm "
                        "p := u*v; q := u - v^2; n := 3; end g; "
                        "function f input Real u, v; output Real y; protected Real p, q; Integer "
                        "n; algorithm (p, q, n) := g(u, v); (, q) := g(q, p); y := p*q*n; end f; ";
  check(several, "f(a, b)", 0);
  const char *recursive = "function f input Real u; input Integer n; output Real y; algorithm if n "
                          "<= 0 then y := u; else y := sin(u)*f(u*0.9, n - 1); end if; end f; ";
  check(recursive, "f(a + b, 3)", 0);
}

/* An annotation is taken where it applies; where it does not (order, zeroDerivative), the body is
 * differentiated. */
static void test_annotations(void **state) {
  (void)state;
  const char *given =
      "function f input Real u, v; output Real y; algorithm y := u*v; annotation(derivative = df); "
      "end f; "
      "function df input Real u, v, du, dv; output Real dy; algorithm dy := du*v + u*dv; end df; "
      "function h input Real u, v; output Real y; algorithm y := f(u, v)^2; end h; ";
  check(given, "h(a, b)", 0);
  const char
      *partly = "function f input Real u, v; output Real y; algorithm y := u*v^2; "
                "annotation(derivative(zeroDerivative = v) = df); end f; "
                "function df input Real u, v, du; output Real dy; algorithm dy := du*v^2; end df; ";
  check(partly, "f(a, k)", 0);
  check(partly, "f(a, b)", 0);
}

static void test_refused(void **state) {
  (void)state;
  static Path p;
  const char *foreign = "function g input Real u; output Real y; external \"C\" y = "
                        "some_function(u); end g; "
                        "function f input Real u; output Real y; algorithm y := 2*g(u); end f; ";
  assert_int_not_equal(follow(foreign, "f(a)", &p), NU_OK);
  assert_non_null(strstr(messages, "S106"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scalars),     cmocka_unit_test(test_control_flow),
      cmocka_unit_test(test_arrays),      cmocka_unit_test(test_records_and_calls),
      cmocka_unit_test(test_annotations), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
