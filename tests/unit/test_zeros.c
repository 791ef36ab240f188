/* tests/unit/test_zeros.c -- parameters whose value is 0: which of them shape the structure, and
 * what may be changed without a new translation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "messages_fixture.h"

typedef struct {
  NuSession *s;
  NuProgram *p;
} Case;

static Case translate(const char *text) {
  Case c = {0};
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  NuTarget t = {.class_name = "M"};
  assert_int_equal(nu_session_new(&so, &c.s), NU_OK);
  assert_int_equal(nu_load_text(c.s, "M.mo", text, strlen(text)), NU_OK);
  assert_int_equal(nu_compile(c.s, &t, &c.p), NU_OK);
  return c;
}

static bool shapes(const Case *c, const char *name) {
  NuVariable v;
  for (size_t k = 0; nu_program_variable(c->p, k, &v); k++)
    if (!strcmp(v.name, name))
      return v.is_structural;
  fail_msg("no variable %s", name);
  return false;
}

/* Runs with one parameter set; NaN if it cannot. */
static double value_with(const Case *c, const char *setting, const char *name) {
  NuRunOptions ro = nu_run_options();
  NuRun *r = NULL;
  ro.parameters = &setting;
  ro.n_parameters = setting ? 1 : 0;
  double v = NAN;
  if (nu_run_new(c->p, &ro, &r) != NU_OK || nu_run_simulate(r) != NU_OK ||
      nu_run_get(r, name, &v) != NU_OK)
    v = NAN;
  nu_run_free(r);
  return v;
}

static void case_free(Case *c) {
  nu_program_free(c->p);
  nu_session_free(c->s);
}

static const char
    circuit[] = "model M parameter Real R0 = %s; parameter Real k = 2; parameter Real d = 0; "
                "final parameter Real R = R0*k; Real i, v(start = 1), w; "
                "equation R*i = sin(time) - v; der(v) = i; w = v + d*i; end M;";

static void test_needed(void **state) {
  (void)state;
  char text[500];
  snprintf(text, sizeof text, circuit, "0");
  Case c = translate(text);
  assert_true(shapes(&c, "R0"));
  assert_true(shapes(&c, "k"));
  assert_false(shapes(&c, "d")); /* 0, too, but nothing would be divided by it */
  assert_true(fabs(value_with(&c, NULL, "v") - sin(1)) < 1e-9);
  assert_true(fabs(value_with(&c, "d=1", "w") - sin(1) - cos(1)) < 1e-9);
  messages[0] = 0;
  assert_true(isnan(value_with(&c, "R0=1", "v")));
  assert_non_null(strstr(messages, "A001"));
  case_free(&c);
}

static void test_not_zero(void **state) {
  (void)state;
  char text[500];
  snprintf(text, sizeof text, circuit, "0.5");
  Case c = translate(text);
  assert_false(shapes(&c, "R0"));
  assert_false(shapes(&c, "d"));
  double want = (sin(1) - cos(1)) / 2 + 1.5 * exp(-1); /* v' = sin(t) - v, v(0) = 1 */
  assert_true(fabs(value_with(&c, NULL, "v") - want) < 1e-5);
  assert_true(isfinite(value_with(&c, "R0=2", "v")));
  messages[0] = 0;
  assert_true(isnan(value_with(&c, "R0=0", "v"))); /* refused, not answered wrongly */
  assert_true(strlen(messages) > 0);
  case_free(&c);
}

static void test_output_only(void **state) {
  (void)state;
  Case c = translate("model M parameter Real g = 1; Real x(start = 1, fixed = true), y; "
                     "equation der(x) = -x; g*y = x; end M;");
  messages[0] = 0;
  assert_true(isnan(value_with(&c, "g=0", "x")));
  assert_true(strlen(messages) > 0);
  case_free(&c);
}

/* A factor that is 0 after as many calls inside each other as are followed. The flat text has one
 * function more around them, which takes the results apart: read back, it is the same model. */
static void test_nested(void **state) {
  (void)state;
  char text[1000], *flat = NULL;
  snprintf(text, sizeof text,
           "model M "
           "function nested input Real c; input Integer n; output Real y; "
           "algorithm if n <= 1 then y := c; else y := nested(c, n - 1); end if; end nested; "
           "function capacitance input Real u, c0; output Real c[2]; "
           "algorithm c := fill(1 + u^2, 2); c[1] := nested(c0, %d)*u; end capacitance; "
           "parameter Real c0 = 0; Real c[2], u; "
           "equation c = capacitance(u, c0); sin(time) - u = u/2 + c[1]*der(u); end M;",
           MOST_PARTIAL_CALLS - 1);
  Case c = translate(text);
  NuTarget t = {.class_name = "M"};
  assert_int_equal(nu_flatten(c.s, &t, false, &flat), NU_OK);
  Case again = translate(flat);
  assert_true(shapes(&c, "c0") && shapes(&again, "c0"));
  assert_true(fabs(value_with(&c, NULL, "u") - sin(1) * 2 / 3) < 1e-9);
  assert_true(fabs(value_with(&again, NULL, "u") - sin(1) * 2 / 3) < 1e-9);
  nu_free(flat);
  case_free(&c);
  case_free(&again);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_needed), cmocka_unit_test(test_not_zero),
                                     cmocka_unit_test(test_output_only),
                                     cmocka_unit_test(test_nested)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
