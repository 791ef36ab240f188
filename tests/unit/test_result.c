/* tests/unit/test_result.c -- stored results through the public interface: what they are about, any
 * variable by closed forms, the choice of rows and columns, single values; without the source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages_fixture.h"

static char path[64];

static NuSession *session(void) {
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  NuSession *s = NULL;
  assert_int_equal(nu_session_new(&so, &s), NU_OK);
  return s;
}

/* Runs class M of the text into `path`. */
static void make(const char *text, NuRunOptions o) {
  NuSession *s = session();
  NuProgram *p = NULL;
  NuRun *r = NULL;
  NuTarget t = {.class_name = "M"};
  snprintf(path, sizeof path, "/tmp/test_result_%d.nus", (int)getpid());
  o.store = path;
  assert_int_equal(nu_load_text(s, "M.mo", text, strlen(text)), NU_OK);
  assert_int_equal(nu_compile(s, &t, &p), NU_OK);
  assert_int_equal(nu_run_new(p, &o, &r), NU_OK);
  assert_int_equal(nu_run_simulate(r), NU_OK);
  nu_run_free(r);
  nu_program_free(p);
  nu_session_free(s);
}

static NuResult *opened(NuSession *s) {
  NuResult *r = NULL;
  assert_int_equal(nu_result_open(s, path, &r), NU_OK);
  return r;
}

/* A mass on a spring, index 3 by its rope; an algebraic loop; an event at 0.5; a String; names with
 * dots and quotes. */
static const char
    spring[] = "model M\n"
               "  block Part\n    Real 'a.b' = 2*time;\n    parameter Real k = 3;\n    Real y = "
               "k*'a.b';\n  end Part;\n"
               "  Part part[2](k = {3, 5});\n"
               "  Real 'x.y' = 7*time;\n"
               "  Real x(start = 1, fixed = true), v(start = 0, fixed = true), z(start = 1), e = "
               "0.5*(x^2 + v^2);\n"
               "  discrete Real d(start = 2, fixed = true);\n"
               "  Integer n(start = 0, fixed = true);\n"
               "  String s = if time < 0.5 then \"early\" else \"late\";\n"
               "equation\n"
               "  der(x) = v;\n  der(v) = -x;\n"
               "  z^3 + z = 2 + x;\n"
               "  when time >= 0.5 then\n    d = pre(d) + 10;\n    n = pre(n) + 1;\n  end when;\n"
               "end M;\n";

static void says_what_it_is_about(void **state) {
  (void)state;
  NuRunOptions o = nu_run_options();
  o.intervals = 10;
  o.rtol = 1e-9;
  make(spring, o);
  NuSession *s = session();
  NuResult *r = opened(s);
  NuResultInfo info = nu_result_info(r);
  assert_string_equal(info.class_name, "M");
  assert_true(info.ended);
  assert_int_equal(info.status, NU_OK);
  assert_true(info.start == 0 && info.stop == 1 && info.end == 1 && info.rtol == 1e-9);
  assert_int_equal(info.intervals, 10);
  /* 11 of the grid, of which one is an event with three: before, its pass, after */
  assert_int_equal(info.points, 13);
  size_t i;
  NuVariable v;
  assert_true(nu_result_find(r, "part[2].'a.b'", &i) && nu_result_variable(r, i, &v));
  assert_string_equal(v.name, "part[2].'a.b'");
  assert_true(nu_result_find(r, "'x.y'", &i));
  assert_true(nu_result_find(r, "x", &i) && nu_result_variable(r, i, &v) && v.is_state);
  assert_false(nu_result_find(r, "x.y", &i));
  nu_result_free(r);
  nu_session_free(s);
}

static void gives_any_value(void **state) {
  (void)state;
  NuSession *s = session();
  NuResult *r = opened(s);
  double a;
  const struct {
    const char *name;
    double time, value, error;
  } wanted[] = {{"x", 1, cos(1), 1e-8},
                {"der(x)", 1, -sin(1), 1e-8},
                {"e", 0.7, 0.5, 1e-8},
                {"part[2].y", 0.3, 3, 1e-14},
                {"part[2].k", 0.3, 5, 0},
                {"'x.y'", 0.9, 6.3, 1e-14},
                {"d", 0.4, 2, 0},
                {"d", 0.5, 12, 0},
                {"n", 1, 1, 0},
                {"d", 0.4999, 2, 0},
                {"part[1].'a.b'", 1, 2, 0},
                {"x", 99, cos(1), 1e-8}};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    assert_int_equal(nu_result_get(r, wanted[k].name, wanted[k].time, &a), NU_OK);
    if (!(fabs(a - wanted[k].value) <= wanted[k].error))
      fail_msg("%s(%g) is %.17g", wanted[k].name, wanted[k].time, a);
  }
  /* the loop: its residual is that of the run */
  double z, x;
  assert_int_equal(nu_result_get(r, "z", 0.6, &z), NU_OK);
  assert_int_equal(nu_result_get(r, "x", 0.6, &x), NU_OK);
  assert_true(fabs(z * z * z + z - 2 - x) < 1e-9);
  assert_int_equal(nu_result_get(r, "s", 0.6, &a), NU_OK);
  assert_true(isnan(a)); /* a String is no number */
  assert_int_equal(nu_result_get(r, "x", -1, &a), NU_USAGE);
  assert_int_equal(nu_result_get(r, "xx", 0, &a), NU_USAGE);
  assert_non_null(strstr(messages, "xx"));
  nu_result_free(r);
  nu_session_free(s);
}

typedef struct {
  size_t rows;
  double first, last, sum;
} Seen;

static bool see(void *user, double time, const double *values) {
  Seen *seen = user;
  seen->first = seen->rows ? seen->first : time;
  seen->last = time;
  seen->rows++;
  seen->sum += values[0];
  return true;
}

static void rows_and_columns_are_chosen(void **state) {
  (void)state;
  NuSession *s = session();
  NuResult *r = opened(s);
  const char *names[] = {"n", "part[*].k"};
  const char *const *columns;
  size_t n;
  NuExtract x = nu_extract();
  Seen seen = {0};
  x.variables = names;
  x.n_variables = 2;
  x.row = see;
  x.row_user = &seen;
  assert_int_equal(nu_result_columns(r, &x, &columns, &n), NU_OK);
  assert_int_equal(n, 3);
  assert_string_equal(columns[2], "part[2].k");
  static const struct {
    NuEventRows rows;
    double from, to;
    size_t n;
    double sum;
  } cases[] = {{NU_ROWS_BOTH, NAN, NAN, 12, 6},
               {NU_ROWS_ALL, NAN, NAN, 13, 7},
               {NU_ROWS_NONE, NAN, NAN, 11, 6},
               {NU_ROWS_BOTH, 0.5, 0.75, 4, 3},
               {NU_ROWS_BOTH, 2, 3, 0, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    seen = (Seen){0};
    x.event_rows = cases[k].rows, x.from = cases[k].from, x.to = cases[k].to;
    assert_int_equal(nu_result_extract(r, &x), NU_OK);
    assert_int_equal(seen.rows, cases[k].n);
    assert_true(seen.sum == cases[k].sum);
  }
  nu_result_free(r);
  nu_session_free(s);
}

static void a_selection_is_remembered(void **state) {
  (void)state;
  NuRunOptions o = nu_run_options();
  const char *names[] = {"e", "d"};
  o.variables = names;
  o.n_variables = 2;
  make(spring, o);
  NuSession *s = session();
  NuResult *r = opened(s);
  const char *const *columns;
  size_t n;
  NuExtract x = nu_extract();
  double z;
  assert_int_equal(nu_result_columns(r, &x, &columns, &n), NU_OK);
  assert_int_equal(n, 2);
  assert_string_equal(columns[0], "e");
  assert_int_equal(nu_result_get(r, "z", 0.5, &z), NU_OK); /* the others can be had all the same */
  assert_true(z > 0);
  nu_result_free(r);
  nu_session_free(s);
  unlink(path);
}

/* The session that reads may hold another class of the same name. */
static void the_model_inside_is_on_its_own(void **state) {
  (void)state;
  make("model M\n  parameter Real a = 3;\n  Real x(start = a, fixed = true);\nequation\n  der(x) = "
       "0;\nend M;\n",
       nu_run_options());
  NuSession *s = session();
  static const char other[] = "model M\n  Real y = 1;\nend M;\n";
  assert_int_equal(nu_load_text(s, "M.mo", other, strlen(other)), NU_OK);
  NuResult *r = opened(s);
  double a;
  assert_int_equal(nu_result_get(r, "x", 1, &a), NU_OK);
  assert_true(a == 3);
  nu_result_free(r);
  NuCheck check;
  assert_int_equal(nu_check(s, &(NuTarget){.class_name = "M"}, &check), NU_OK);
  assert_int_equal(check.unknowns, 1);
  nu_session_free(s);
  unlink(path);
}

/* Figures come back from the store, with the names that variables had; texts know the values at the
 * end. */
static const char drawn[] =
    "model M\n"
    "  block Part\n    Real 'a.b' = 2*time;\n    parameter Real k = 3;\n  end Part;\n"
    "  Part part[2](k = {3, 5});\n"
    "  Real x(start = 1, fixed = true, unit = \"m\");\n  Boolean b = x > 0.9;\n"
    "equation\n  der(x) = -x;\n"
    "  annotation(experiment(StopTime = 1), Documentation(figures = {\n"
    "    Figure(plots = {Plot(curves = {Curve(y = x), Curve(y = der(x))})}),\n"
    "    Figure(title = \"T %{part[2].k} 7%%\", identifier = \"f\", preferred = true, plots = {\n"
    "      Plot(x = Axis(unit = \"cm\", max = 120, label = \"\"), curves = {\n"
    "        Curve(x = x, y = part[1].'a.b', legend = \"%{b} at %{time}\"), Curve(x = x, y = x, "
    "zOrder = -2, __NuSim_right = true)}),\n"
    "      Plot(identifier = \"second\", y = Axis(scale = Log()), curves = {Curve(y = x)})},\n"
    "      caption = \"%(plot:second) %[see](variable:x)%(variable:part[1].k)\n\n%{x} %{der(x)} "
    "%{part[2].'a.b'} %{y} 5 % of\")}));\n"
    "end M;\n";

static void check_plain(NuResult *r, const NuFigure *f, const char *text, const char *expected) {
  char *plain = NULL;
  assert_int_equal(nu_figure_markup(r, f, text, &plain), NU_OK);
  assert_string_equal(plain, expected);
  nu_free(plain);
}

static void check_figures(const NuFigure *f, size_t n) {
  assert_int_equal(n, 2);
  assert_string_equal(f[0].title, "x, der(x)");
  assert_string_equal(f[0].plots[0].curves[1].y, "der(x)");
  assert_null(f[0].plots[0].curves[1].x);
  assert_null(f[0].plots[0].curves[1].legend);
  assert_false(f[0].preferred);
  assert_true(f[1].preferred);
  assert_string_equal(f[1].identifier, "f");
  assert_int_equal(f[1].n_plots, 2);
  const NuPlot *p = f[1].plots;
  assert_string_equal(p[0].x.unit, "cm");
  assert_true(isnan(p[0].x.min) && p[0].x.max == 120 && !*p[0].x.label);
  assert_string_equal(p[0].curves[0].x, "x");
  assert_string_equal(p[0].curves[0].y, "part[1].'a.b'");
  assert_true(p[0].curves[1].right && p[0].curves[1].z_order == -2);
  assert_true(p[1].y.log && !p[0].y.log);
}

static void figures_are_kept(void **state) {
  (void)state;
  NuSession *s = session();
  NuProgram *p = NULL;
  NuTarget t = {.class_name = "M"};
  const NuFigure *f;
  assert_int_equal(nu_load_text(s, "M.mo", drawn, strlen(drawn)), NU_OK);
  assert_int_equal(nu_compile(s, &t, &p), NU_OK);
  size_t n = nu_program_figures(p, &f);
  check_figures(f, n);
  nu_program_free(p);
  make(drawn, nu_run_options());
  NuResult *r = opened(s);
  n = nu_result_figures(r, &f);
  check_figures(f, n);
  check_plain(r, &f[1], f[1].title, "T 5 7%");
  check_plain(r, &f[1], f[1].plots[0].curves[0].legend, "false at 1 s");
  check_plain(r, &f[1], f[1].caption, "(b) seepart[1].k\n0.367879 m -0.367879 2 y 5 % of");
  check_plain(r, NULL, "%(plot:second)\n%]", "%(plot:second)\n]");
  nu_result_free(r);
  nu_session_free(s);
  unlink(path);
}

/* Two capacitors are joined at 0.25: one mode before, one after, a pulse between them. The answer
 * outlives the result. */
static void modes_are_told(void **state) {
  (void)state;
  make("model M\n  Real u(start = 10, fixed = true), v(start = 2, fixed = true), i;\n  Boolean "
       "b[2] = {sin(100*time) > 0, time < 0.5};\n"
       "equation\n  der(u) = -i;\n  3*der(v) = i;\n  if time > 0.25 then\n    u = v;\n  else\n    "
       "i = 0;\n  end if;\nend M;\n",
       nu_run_options());
  NuSession *s = session();
  NuResult *r = opened(s);
  NuModes m;
  assert_int_equal(nu_result_modes(r, &m), NU_OK);
  nu_result_free(r);
  nu_session_free(s);
  assert_true(m.start == 0 && m.end == 1);
  assert_int_equal(m.n_tracks, 3);
  const char *const names[] = {"time > 0.25", "b[1]", "b[2]"};
  for (size_t k = 0; k < 3; k++) {
    const NuModeTrack *t = &m.tracks[k];
    assert_string_equal(t->name, names[k]);
    assert_true(t->spans[0].from == 0 && t->spans[t->n_spans - 1].to == 1 && !t->minor);
    for (size_t i = 1; i < t->n_spans; i++)
      assert_true(t->spans[i].from == t->spans[i - 1].to &&
                  t->spans[i].value != t->spans[i - 1].value);
  }
  assert_string_equal(m.tracks[0].values[m.tracks[0].spans[0].value], "not (time > 0.25)");
  assert_true(m.tracks[0].n_spans == 2 && m.tracks[0].spans[1].from == 0.25 &&
              m.tracks[2].spans[1].from == 0.5);
  assert_true(fabs(m.tracks[1].spans[1].to - m.tracks[1].spans[1].from - 3.14159265358979e-2) <
              1e-9);
  assert_int_equal(m.n_pulses, 1);
  assert_string_equal(m.pulses[0].variable, "i");
  assert_true(m.pulses[0].time == 0.25 && fabs(m.pulses[0].area - 6) < 1e-9);
  assert_string_equal(m.marks[m.n_marks - 1].kind, "state");
  nu_modes_free(&m);
  assert_true(m.n_tracks == 0 && isnan(m.start));
  nu_modes_free(&m);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(says_what_it_is_about),
                                     cmocka_unit_test(gives_any_value),
                                     cmocka_unit_test(rows_and_columns_are_chosen),
                                     cmocka_unit_test(a_selection_is_remembered),
                                     cmocka_unit_test(the_model_inside_is_on_its_own),
                                     cmocka_unit_test(figures_are_kept),
                                     cmocka_unit_test(modes_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
