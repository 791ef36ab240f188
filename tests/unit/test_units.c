/* tests/unit/test_units.c -- unit expressions and the check of units in equations. */
#include "flat_fixture.h"

#include <math.h>

#include "flat/unit.h"

static int set_up(void **state) {
  *state = flat_fix_new();
  return 0;
}

static int tear_down(void **state) {
  flat_fix_free(*state);
  return 0;
}

/* Exponents of kg m s A K mol cd. */
static const struct {
  const char *text;
  int power[UNIT_BASES];
  double scale, offset;
} readable[] = {
    {"1", {0}, 1, 0},
    {"m", {0, 1}, 1, 0},
    {"kg", {1}, 1, 0},
    {"g", {1}, 1e-3, 0},
    {"mg", {1}, 1e-6, 0},
    {"mm2", {0, 2}, 1e-6, 0},
    {"m-1", {0, -1}, 1, 0},
    {"m+2", {0, 2}, 1, 0},
    {"s-1.m-3", {0, -3, -1}, 1, 0},
    {"km/h", {0, 1, -1}, 1 / 3.6, 0},
    {"rev/min", {0, 0, -1}, 2 * 3.141592653589793 / 60, 0},
    {"rpm", {0, 0, -1}, 2 * 3.141592653589793 / 60, 0},
    {"deg", {0}, 3.141592653589793 / 180, 0},
    {"rad/s2", {0, 0, -2}, 1, 0},
    {"Hz", {0, 0, -1}, 1, 0},
    {"MHz", {0, 0, -1}, 1e6, 0},
    {"N.m", {1, 2, -2}, 1, 0},
    {"N.m.s/rad", {1, 2, -1}, 1, 0},
    {"kg.m2/s3", {1, 2, -3}, 1, 0},
    {"kg.m.s-2", {1, 1, -2}, 1, 0},
    {"J/(kg.K)", {0, 2, -2, 0, -1}, 1, 0},
    {"(J/kg)/(kg/m3)", {-1, 5, -2}, 1, 0},
    {"(Pa.s2)/m6", {1, -7, 0}, 1, 0},
    {"1/(A.s)", {0, 0, -1, -1}, 1, 0},
    {"W/(m2.K4)", {1, 0, -3, 0, -4}, 1, 0},
    {"V.s/(A.m)", {1, 1, -2, -2}, 1, 0},
    {"Ohm", {1, 2, -3, -2}, 1, 0},
    {"kOhm", {1, 2, -3, -2}, 1e3, 0},
    {"uF", {-1, -2, 4, 2}, 1e-6, 0},
    {"T", {1, 0, -2, -1}, 1, 0},
    {"H", {1, 2, -2, -2}, 1, 0},
    {"h", {0, 0, 1}, 3600, 0},
    {"d", {0, 0, 1}, 86400, 0},
    {"min", {0, 0, 1}, 60, 0},
    {"degC", {0, 0, 0, 0, 1}, 1, 273.15},
    {"degF", {0, 0, 0, 0, 1}, 5.0 / 9, 459.67 * 5 / 9},
    {"degRk", {0, 0, 0, 0, 1}, 5.0 / 9, 0},
    {"kW.h", {1, 2, -2}, 3.6e6, 0},
    {"bar", {1, -1, -2}, 1e5, 0},
    {"mbar", {1, -1, -2}, 100, 0},
    {"l", {0, 3}, 1e-3, 0},
    {"dam", {0, 1}, 10, 0},
    {"dm", {0, 1}, 0.1, 0},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, 1, 0},
    {"Pa", {1, -1, -2}, 1, 0},
    {"mol/l", {0, -3, 0, 0, 0, 1}, 1e3, 0},
    {"eV", {1, 2, -2}, 1.602176634e-19, 0},
    {"cm2/(V.s)", {-1, 0, 2, 1}, 1e-4, 0},
};

static void reads_units(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
    Unit u;
    if (!unit_parse(readable[i].text, &u))
      fail_msg("%s was not read", readable[i].text);
    for (int k = 0; k < UNIT_BASES; k++)
      if (u.power[k] != readable[i].power[k] * UNIT_POWER)
        fail_msg("%s: exponent %d of base %d", readable[i].text, u.power[k], k);
    if (fabs(u.scale / readable[i].scale - 1) > 1e-14 ||
        fabs(u.offset - readable[i].offset) > 1e-12)
      fail_msg("%s: scale %.17g, offset %.17g", readable[i].text, u.scale, u.offset);
  }
}

static void refuses_other_texts(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",   "m per s", "Nm", "m/s/s", "m//s", "m.", ".m",  "m^2",  "kdeg", "m2s", "(m",  "m)",
      "1/", "2",       "m-", "m+x",   "foo",  "/s", "m s", "m999", "kkg",  "µm",  "m/2", "mmin"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Unit u;
    if (unit_parse(texts[i], &u))
      fail_msg("`%s` was read", texts[i]);
  }
}

static void prints_units(void **state) {
  FlatFix *f = *state;
  static const char *const pairs[][2] = {
      {"N.m/s", "W"},   {"V/A", "Ohm"}, {"m/s", "m/s"},   {"1/s", "1/s"}, {"J/(kg.K)", "m2/(s2.K)"},
      {"km", "1000 m"}, {"1", "1"},     {"kg.m", "kg.m"}, {"rad", "1"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Unit u;
    Text t = {.arena = f->arena};
    assert_true(unit_parse(pairs[i][0], &u));
    unit_print(&u, &t);
    assert_string_equal(text_str(&t), pairs[i][1]);
  }
}

/* ---- equations ---- */

static const char declarations
    [] = "Real x unit=m\nReal v unit=m/s\nReal t unit=s\nReal F unit=N\n"
         "parameter Real m unit=kg = 2\n"
         "Real w unit=rad/s\nReal phi unit=rad\nReal grad unit=deg\nReal f unit=Hz\nReal q\n"
         "Real T unit=K\nReal C unit=degC\nReal one unit=1\nReal km unit=km\nReal A unit=m2\n"
         "parameter Real k\n";

static const struct {
  const char *equation, *message; /* NULL: nothing to complain about */
} cases[] = {
    {"v = one*x", "left side is [m/s], right side is [m]"},
    {"v = 0.5*x", "left side is [m/s], right side is [m]"},
    {"v = x/t", NULL},
    {"v = der(x)", NULL},
    {"v = der(v)", "left side is [m/s], right side is [m/s2]"},
    {"F = m*der(v)", NULL},
    {"F = m*v", "left side is [N], right side is [kg.m/s]"},
    {"F = m*9.81", NULL},
    {"F = m*k", NULL},
    {"F = k*x + v", "left side is [N], right side is [m/s]"},
    {"x = v + q", "left side is [m], right side is [m/s]"},
    {"q = x + v", "the operands of `+` are [m] and [m/s]"},
    {"q = x - 3 + t", "the operands of `+` are [m] and [s]"},
    {"x = 0", NULL},
    {"x = 5", NULL},
    {"x = v*time", NULL},
    {"q = sin(phi) + sin(w*t)", NULL},
    {"q = sin(x)", "the argument of `sin` is [m], but must have no unit"},
    {"q = sin(grad)", "the argument of `sin` is [deg], but must be [rad]"},
    {"q = exp(x/v)", "the argument of `exp` is [s], but must have no unit"},
    {"q = exp(-t/(2*t))", NULL},
    {"w = f", NULL},
    {"w = 6.28*f", NULL},
    {"phi = grad", "left side is [rad], right side is [deg]"},
    {"phi = grad*0.017453", NULL},
    {"km = x", "left side is [km], right side is [m]"},
    {"km = x*0.001", NULL},
    {"km = 2*x", NULL},
    {"C = T", "left side is [degC], right side is [K]"},
    {"C = T - 273.15", NULL},
    {"T = C - C", NULL},
    {"A = x^2", NULL},
    {"A = x*x*x", "left side is [m2], right side is [m3]"},
    {"x = sqrt(A)", NULL},
    {"x = sqrt(x)", "left side is [m], right side is [m^(1/2)]"},
    {"q = abs(x)/x", NULL},
    {"one = abs(x)/t", "left side is [1], right side is [m/s]"},
    {"one = noEvent(pre(x))/x", NULL},
    {"one = x^k", NULL},
};

static void checks_equations(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FlatFix *f = flat_fix_new();
    read_model(f, arena_printf(f->arena, "%s%s", declarations, cases[i].equation));
    flat_check_units(f->m, f->arena, f->diags);
    uint32_t n = diags_count(f->diags);
    if (n != (cases[i].message != NULL) ||
        (n && strcmp(diags_at(f->diags, 0)->message, cases[i].message) != 0))
      fail_msg("%s: %s", cases[i].equation, n ? rendered(f) : "no message");
    flat_fix_free(f);
  }
}

static void checks_relations_and_values(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real x unit=m\nReal t unit=s\nparameter Real p unit=m = time\nBoolean b\n"
                "b = x > t\nx = p\nt = 1\nwhen x > t\n  reinit x t\nend");
  flat_check_units(f->m, f->arena, f->diags);
  assert_int_equal(diags_count(f->diags), 3); /* x > t is one node and reported once */
  assert_string_equal(diags_at(f->diags, 0)->message, "`p` is [m], its value is [s]");
  assert_string_equal(diags_at(f->diags, 1)->message, "the sides of a comparison are [m] and [s]");
  assert_string_equal(diags_at(f->diags, 2)->message, "the state is [m], its new value is [s]");
  assert_int_equal(line_of(f, diags_at(f->diags, 1)->span), 5);
}

static void explains_the_parts(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real h unit=m\nReal v unit=m/s\nparameter Real e unit=1 = 1\nv = e*h");
  flat_check_units(f->m, f->arena, f->diags);
  const Diag *d = find_code(f, D_U201);
  assert_non_null(d);
  assert_int_equal(d->severity, SEV_WARNING);
  assert_string_equal(d->notes[0], "`e*h`: e [1], h [m]");
  assert_int_equal(d->n_labels, 3);
}

static void reports_unreadable_units_once(void **state) {
  FlatFix *f = *state;
  read_model(f, "Real a unit=m/s/s\nReal b unit=m/s/s\nReal c unit=m\na = b\nc = a");
  flat_check_units(f->m, f->arena, f->diags);
  assert_int_equal(diags_count(f->diags), 1);
  assert_string_equal(find_code(f, D_U202)->message, "`m/s/s` cannot be read as a unit");
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      T(reads_units),
      T(refuses_other_texts),
      T(prints_units),
      T(checks_equations),
      T(checks_relations_and_values),
      T(explains_the_parts),
      T(reports_unreadable_units_once),
  };
  return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
