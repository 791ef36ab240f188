/* tests/unit/test_solvers.c -- models run by every solver: event times and solutions against closed
 * forms, agreement of all, the choice that auto makes, what is said when no step is small enough,
 * limits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nusim.h"

#define assert_near(a, b, tol)                                                                     \
  do {                                                                                             \
    double got_ = (a), want_ = (b), tol_ = (tol);                                                  \
    if (!(fabs(got_ - want_) <= tol_))                                                             \
      fail_msg("%s: %s = %.17g, expected %.17g +- %g", g.solver, #a, got_, want_, tol_);           \
  } while (0)

/* ---- one run ---- */

enum { MOST_ROWS = 20000, MOST_COLUMNS = 8 };

static struct {
  const char *solver;
  NuStatus status;
  NuRunStats stats;
  char code[8], message[400], notes[2000];
  double time[MOST_ROWS], value[MOST_ROWS][MOST_COLUMNS];
  int rows, columns;
} g;

static void sink(void *user, const NuDiagnostic *d) {
  (void)user;
  if (d->severity != NU_ERROR)
    return;
  snprintf(g.code, sizeof g.code, "%s", d->code);
  snprintf(g.message, sizeof g.message, "%s", d->message);
  char *text = nu_diagnostic_text(d, false);
  snprintf(g.notes, sizeof g.notes, "%s", text);
  nu_free(text);
}

static bool take(void *user, double time, const double *values) {
  (void)user;
  assert_true(g.rows < MOST_ROWS);
  g.time[g.rows] = time;
  memcpy(g.value[g.rows++], values, (size_t)g.columns * sizeof *values);
  return true;
}

static void run(const char *model, NuRunOptions o) {
  NuSessionOptions so = nu_session_options();
  NuSession *session;
  NuProgram *program;
  NuRun *r = NULL;
  memset(&g, 0, sizeof g);
  g.solver = o.solver ? o.solver : "auto";
  so.sink = sink;
  assert_int_equal(nu_session_new(&so, &session), NU_OK);
  assert_int_equal(nu_load_text(session, "Model.mo", model, strlen(model)), NU_OK);
  if (nu_compile(session, &(NuTarget){0}, &program) != NU_OK)
    fail_msg("%s", g.message);
  o.row = take;
  g.status = nu_run_new(program, &o, &r);
  if (g.status == NU_OK) {
    const char *const *names;
    g.columns = (int)nu_run_columns(r, &names);
    assert_true(g.columns <= MOST_COLUMNS);
    g.status = nu_run_simulate(r);
    g.stats = nu_run_stats(r);
    nu_run_free(r);
  }
  /* names of states live as long as the program: only the static ones are used below */
  nu_program_free(program);
  nu_session_free(session);
}

static NuRunOptions with(const char *solver, double stop, double rtol, double step) {
  NuRunOptions o = nu_run_options();
  o.solver = solver, o.stop = stop, o.rtol = rtol, o.solver_step = step;
  return o;
}

static void run_ok(const char *model, NuRunOptions o) {
  run(model, o);
  if (g.status != NU_OK)
    fail_msg("%s: %s %s\n%s", g.solver, g.code, g.message, g.notes);
}

/* Times of events: those of two rows. */
static int event_times(double *times, int most) {
  int n = 0;
  for (int k = 1; k < g.rows && n < most; k++)
    if (g.time[k] == g.time[k - 1])
      times[n++] = g.time[k];
  return n;
}

static double last(int column) { return g.value[g.rows - 1][column]; }

#define EACH_SOLVER(name) for (size_t i_ = 0; nu_solver(i_, &name, &(const char *){NULL}); i_++)

static bool is(const char *name, const char *other) { return strcmp(name, other) == 0; }

/* ---- events ---- */

static void test_impacts(void **state) {
  (void)state;
  const char *model = "model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                      "equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, "
                      "-0.7*pre(v)); end when; end Ball;";
  const char *name;
  EACH_SOLVER (name) {
    if (is(name, "euler"))
      continue; /* not exact on a parabola */
    run_ok(model, with(name, 2, 1e-8, NAN));
    double times[10], fall = sqrt(2 / 9.81), t = fall, up = fall * 0.7;
    assert_int_equal(event_times(times, 10), 4);
    for (int k = 0; k < 4; k++) {
      assert_near(times[k] / t, 1, 1e-7);
      t += 2 * up;
      up *= 0.7;
    }
  }
}

/* Between two walls with constant speed: exact for every method. */
static void test_walls(void **state) {
  (void)state;
  const char *model =
      "model Walls Real x(start = 0.25, fixed = true); discrete Real v(start = 1, fixed = true);\n"
      "equation der(x) = v; when {x <= 0, x >= 1} then v = -0.9*pre(v); end when; end Walls;";
  const char *name;
  EACH_SOLVER (name) {
    run_ok(model, with(name, 8, NAN, 0.07));
    double times[20], t = 0.75, speed = 1;
    int n = event_times(times, 20);
    assert_true(n >= 5);
    for (int k = 0; k < n; k++) {
      assert_near(times[k] / t, 1, 1e-9);
      speed *= 0.9;
      t += 1 / speed;
    }
  }
}

/* A state that leaves the step and comes back inside of it. */
static void test_short_visit(void **state) {
  (void)state;
  const char *model =
      "model Visit Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);\n"
      "equation der(x) = cos(time); when x > 0.999 then n = pre(n) + 1; end when; end Visit;";
  const char *name;
  EACH_SOLVER (name) {
    NuRunOptions o = with(name, 20, 1e-5, 0.01);
    o.intervals = 60;
    if (is(name, "euler"))
      continue;
    run_ok(model, o);
    assert_near(last(1), 3, 0);
  }
}

static void test_samples(void **state) {
  (void)state;
  const char *model =
      "model Sampled Real x(start = 0, fixed = true); discrete Real u(start = 1, fixed = true);\n"
      "equation der(x) = u - x; when sample(0.1, 0.1) then u = -pre(u); end when; end Sampled;";
  const char *name;
  /* x' = u - x with u = 1, -1, ... over intervals of 0.1 */
  double x = 0, u = 1;
  for (int k = 0; k < 10; k++, u = -u)
    x = u + (x - u) * exp(k < 9 ? -0.1 : -0.05);
  EACH_SOLVER (name) {
    run_ok(model, with(name, 0.95, 1e-7, 1e-3));
    assert_near(last(0), x, is(name, "euler") ? 1e-3 : 1e-5);
    assert_int_equal(g.stats.time_events, 9);
  }
}

/* ---- agreement ---- */

/* A pendulum with friction; the value was computed with rtol 1e-12 by rk45 and rosenbrock, which
 * agree in all digits shown. */
static void test_agreement(void **state) {
  (void)state;
  const char
      *model = "model Pendulum Real a(start = 2, fixed = true), w(start = 0, fixed = true);\n"
               "equation der(a) = w; der(w) = -9.81*sin(a) - 0.1*w - 0.05*abs(w)*w + "
               "0.5*sin(3*time); end Pendulum;";
  const char *name;
  run_ok(model, with("rk45", 5, 1e-12, NAN));
  double a = last(0), w = last(1);
  EACH_SOLVER (name) {
    run_ok(model, with(name, 5, 1e-8, 1e-3));
    bool multistep = is(name, "ida") || is(name, "dassl") || is(name, "cvode");
    double tol = is(name, "euler") ? 0.1 : multistep ? 2e-5 : 1e-6;
    assert_near(last(0), a, tol);
    assert_near(last(1), w, 5 * tol);
  }
}

/* A line of inductors and capacitors, many states: what goes in comes out at its end, the same with
 * all solvers. */
static void test_line(void **state) {
  (void)state;
  const char *model = "model Line constant Integer n = 60; Real u[n](each start = 0, each fixed = "
                      "true), i[n](each start = 0, each fixed = true);\n"
                      "Real out; equation for k in 1:n loop n*0.02*n*0 + der(i[k])/n = (if k == 1 "
                      "then 1 - exp(-20*time) else u[k - 1]) - u[k];\n"
                      "der(u[k])/n = i[k] - (if k == n then u[n] else i[k + 1]); end for; out = "
                      "u[n]; end Line;";
  const char *name;
  NuRunOptions o = with("rk45", 3, 1e-9, NAN);
  const char *const only[] = {"out"};
  o.variables = only, o.n_variables = 1;
  run_ok(model, o);
  double out = last(0);
  g.solver = "reference";
  assert_near(out, 1, 0.1); /* matched end: the wave has passed */
  EACH_SOLVER (name) {
    if (is(name, "euler"))
      continue; /* unstable at this step */
    o.solver = name, o.rtol = 1e-6, o.solver_step = 1e-3;
    run_ok(model, o);
    assert_near(last(0), out, 1e-3);
    if (is(name, "auto"))
      assert_non_null(strstr(g.stats.solver, "cvode"));
  }
}

/* ---- auto ---- */

static const char
    stiff_model[] = "model Stiff Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
                    "equation der(x) = -1e5*(x - cos(time)) - sin(time); der(y) = x; end Stiff;";

static void test_auto_stiff(void **state) {
  (void)state;
  run_ok(stiff_model, with(NULL, 10, 1e-6, NAN));
  assert_string_equal(g.stats.solver, "rk45+rosenbrock");
  assert_near(last(0), cos(10), 1e-5);
  assert_near(last(1), sin(10), 1e-5);
  assert_true(g.stats.steps < 1500);
  assert_true(g.stats.jacobians > 0 && g.stats.factorizations >= g.stats.jacobians);
}

static void test_auto_easy(void **state) {
  (void)state;
  run_ok("model Easy Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
         "equation der(x) = v; der(v) = -400*x; end Easy;",
         with(NULL, 10, 1e-6, NAN));
  assert_string_equal(g.stats.solver, "rk45");
  assert_near(last(0), cos(200), 1e-2);
}

/* Stiff until 1, an oscillator afterwards: back to the explicit pair. */
static void test_auto_back(void **state) {
  (void)state;
  run_ok("model Both Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
         "equation der(x) = if time < 1 then -1e5*(x - 1) else v; der(v) = if time < 1 then 0 else "
         "-25*x; end Both;",
         with(NULL, 6, 1e-6, NAN));
  assert_near(last(0), cos(25), 1e-3);
  assert_true(g.stats.rhs_evaluations < 12000);
}

/* An oscillation that needs many steps per output interval is not stiff: the trial ends, the pair
 * goes on. */
static void test_auto_fast(void **state) {
  (void)state;
  NuRunOptions o = with(NULL, 1, 1e-6, NAN);
  o.intervals = 2;
  run_ok("model Fast Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
         "equation der(x) = 1e3*v; der(v) = -1e3*x; end Fast;",
         o);
  assert_near(last(0), cos(1000), 5e-2);
  assert_true(g.stats.jacobians < 400);
}

/* ---- failures and limits ---- */

static void test_no_step(void **state) {
  (void)state;
  const char *name;
  EACH_SOLVER (name) {
    bool fixed = is(name, "euler") || is(name, "rk4");
    run("model Escape Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
        "equation der(x) = x^2; der(y) = 1; annotation(experiment(StopTime = 2)); end Escape;",
        with(name, 2, NAN, 1e-2));
    if (fixed)
      continue; /* they may step over the pole */
    assert_int_equal(g.status, NU_RUN_FAILED);
    assert_string_equal(g.code, "R604");
    assert_near(g.stats.time, 1, 1e-3);
    assert_non_null(strstr(g.notes, "`x`"));
    assert_non_null(strstr(g.notes, "solver "));
    assert_true(g.rows > 200); /* what was computed is kept */
  }
}

static void test_domain(void **state) {
  (void)state;
  const char *name;
  EACH_SOLVER (name) {
    /* the square root has no value after the water is gone, and its slope is infinite there */
    run("model Tank Real h(start = 1, fixed = true); equation der(h) = -sqrt(h) - 0.1; end Tank;",
        with(name, 3, NAN, 0.05));
    assert_int_equal(g.status, NU_RUN_FAILED);
    assert_near(g.stats.time, 2 - 0.2 * log(11), is(name, "euler") ? 0.1 : 1e-2);
    assert_true(strstr(g.notes, "last step tried") != NULL);
  }
}

static void test_time_limit(void **state) {
  (void)state;
  const char *name;
  EACH_SOLVER (name) {
    NuRunOptions o = with(name, 1e9, 1e-8, 1e-3);
    o.time_limit = 0.05, o.intervals = 1;
    run("model Long Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = "
        "v; der(v) = -x; end Long;",
        o);
    assert_int_equal(g.status, NU_LIMIT);
    assert_string_equal(g.code, "R610");
    assert_int_equal(nu_exit_code(g.status), 5);
  }
}

/* The unknowns of simultaneous equations belong to the solver, or are solved inside: the same
 * results, events included. */
static void test_formulations(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double stop, tolerance;
  } models[] = {
      {"model Pendulum Real x(start = 0.8, fixed = true), y(start = -0.6), vx(start = 0, fixed = "
       "true), vy, F; equation der(x) = vx;"
       " der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = 1; end Pendulum;",
       1, 1e-5},
      {"model Loop Real x(start = 0.5, fixed = true), y(start = 1.2, fixed = true), a(start = 1), "
       "b(start = 1), c; equation a + b^3 = x + 2;"
       " a*b + exp(0.1*b) = y + c + time; c = sin(x)*a; der(x) = a - b; der(y) = c - y*b; end "
       "Loop;",
       1, 1e-5},
      {"model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true), f, d; equation "
       "der(h) = v; f + d = -19.62;"
       " f - d*(1 + 0.01*v^2) = 0.1*v; der(v) = f; when h <= 0 then reinit(v, -0.7*pre(v)); end "
       "when; end Ball;",
       1.5, 1e-5},
      {"model Robertson Real x(start = 1, fixed = true), y(start = 0, fixed = true), z; equation "
       "der(x) = -0.04*x + 1e4*y*z;"
       " der(y) = 0.04*x - 1e4*y*z - 3e7*y^2; x + y + z = 1; end Robertson;",
       100, 1e-5},
      /* derivatives that are unknowns of a block themselves */
      {"model Mass Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed "
       "= true); equation 2*der(a) + der(b) = -a;"
       " der(a) + 3*der(b)^3 + der(b) = b - time; der(c) = a*der(b); end Mass;",
       1, 1e-5},
      /* no exact derivatives */
      {"model Rule Real x(start = 1, fixed = true), a(start = 1), y; algorithm y := x; for i in "
       "1:3 loop y := 0.5*y*y + 0.1; end for;"
       " equation a + a^3 = y + 1; der(x) = -a*x; end Rule;",
       1, 1e-5},
  };
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    NuRunOptions o = with("ida", models[k].stop, 1e-8, NAN);
    o.intervals = 50;
    run_ok(models[k].text, o);
    static double values[1000];
    int n = g.rows, columns = g.columns;
    uint64_t events = g.stats.state_events;
    for (int i = 0; i < n && i * columns < 1000; i++)
      memcpy(values + i * columns, g.value[i], (size_t)columns * sizeof *values);
    o.formulation = NU_FORM_DAE;
    o.solver = k % 2 ? NULL : "ida";
    run_ok(models[k].text, o);
    assert_int_equal(g.rows, n);
    assert_int_equal(g.stats.state_events, events);
    assert_string_equal(g.stats.solver, "ida");
    for (int i = 0; i < n && i * columns < 1000; i++)
      for (int j = 0; j < columns; j++)
        assert_near(g.value[i][j], values[i * columns + j],
                    models[k].tolerance * fmax(1, fabs(values[i * columns + j])));
  }
}

static void test_options(void **state) {
  (void)state;
  NuRunOptions o = with("rk45", 1, NAN, NAN);
  o.formulation = NU_FORM_DAE;
  run(stiff_model, o);
  assert_int_equal(g.status, NU_USAGE);
  assert_non_null(strstr(g.message, "dae"));
  run(stiff_model, with("qss2", 1, NAN, NAN));
  assert_int_equal(g.status, NU_USAGE);
  run(stiff_model, with("rk4", 1, NAN, 0));
  assert_int_equal(g.status, NU_USAGE);
  /* no states at all */
  const char *name;
  EACH_SOLVER (name) {
    run_ok("model Still Real y; equation y = if time > 0.5 then 2 else sin(time); end Still;",
           with(name, 1, NAN, NAN));
    assert_near(last(0), 2, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_impacts),     cmocka_unit_test(test_walls),
      cmocka_unit_test(test_short_visit), cmocka_unit_test(test_samples),
      cmocka_unit_test(test_agreement),   cmocka_unit_test(test_line),
      cmocka_unit_test(test_auto_stiff),  cmocka_unit_test(test_auto_easy),
      cmocka_unit_test(test_auto_back),   cmocka_unit_test(test_auto_fast),
      cmocka_unit_test(test_no_step),     cmocka_unit_test(test_domain),
      cmocka_unit_test(test_time_limit),  cmocka_unit_test(test_formulations),
      cmocka_unit_test(test_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
