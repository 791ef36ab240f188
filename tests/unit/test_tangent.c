/* tests/unit/test_tangent.c -- exact Jacobians against central differences of the compiled model,
 * through assignments, linear and nonlinear blocks, reduced index, conditions, functions; and what
 * happens where there is none. */
#include "api/api_impl.h"
#include "run/initial.h" /* before cmocka, whose macro `fail` would hide a member */
#include "numeric/along.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 16 };

typedef struct {
  NuSession *session;
  NuProgram *program;
  Memory mem;
  Arena *arena;
  Run *run;
} Fix;

static Fix open_model(const char *text) {
  Fix f = {0};
  NuSessionOptions so = nu_session_options();
  assert_int_equal(nu_session_new(&so, &f.session), NU_OK);
  assert_int_equal(nu_load_text(f.session, "Test.mo", text, strlen(text)), NU_OK);
  NuTarget target = {0};
  assert_int_equal(nu_compile(f.session, &target, &f.program), NU_OK);
  return f;
}

static void open_run(Fix *f) {
  static jmp_buf here;
  f->mem.recover = &here;
  f->arena = arena_new(&f->mem);
  RunOptions o = run_defaults();
  f->run = run_new(f->program->own, &o, f->arena, diags_new(f->arena, f->session->sources));
  assert_non_null(f->run);
  assert_int_equal(run_initialise(f->run), RUN_OK);
}

static void close_model(Fix *f) {
  run_free(f->run);
  mem_drop_since(&f->mem, NULL);
  nu_program_free(f->program);
  nu_session_free(f->session);
}

/* Derivatives at (t, x) by the model itself. */
static void slope(Run *run, double t, const double *x, double *dx) {
  assert_int_equal(run_at(run->parts, t, x), NUM_OK);
  memcpy(dx, run->d.r + run->m->nx, (size_t)run->m->nx * sizeof *dx);
}

static void compare(const char *what, int i, int j, double exact, double difference, double size) {
  if (!(fabs(exact - difference) <= 1e-6 * (fabs(difference) + size)))
    fail_msg("%s: row %d, column %d: %.12g, by differences %.12g", what, i, j, exact, difference);
}

/* a - b of all relations at (t, x). */
static void differences(Run *run, double t, const double *x, double *z) {
  assert_int_equal(run_at(run->parts, t, x), NUM_OK);
  assert_int_equal(run_indicators(run, run->whole, z), NUM_OK);
}

/* Along the motion through (t, x): second derivatives of the states are those of the Jacobian, and
 * relations move as differences say. */
static void check_along(Run *run, double t, const double *x, const double *dense,
                        const double *ft) {
  const DsModel *m = run->m;
  const DsTangent *dt = m->tangent;
  int n = m->nx;
  TangentTable table = run_tangent_table(m);
  table.n_steps = dt->n_steps;
  double *p = NEW_ARRAY(run->a, double, dt->n_entries + 1), dx[MOST];
  double *work = NEW_ARRAY(run->a, double, along_work(&table, 0, dt->n_steps));
  Along *of = NEW_ARRAY(run->a, Along, dt->n_nodes);
  memcpy(p, dt->literal, (size_t)dt->n_entries * sizeof *p);
  slope(run, t, x, dx);
  assert_int_equal(dt->evaluate(&run->d, p), DS_OK);
  assert_int_equal(dt->evaluate_relations(&run->d, p), DS_OK);
  for (int j = 0; j < n; j++)
    of[j] = (Along){dx[j], fabs(dx[j])};
  of[n] = (Along){1, 1};
  along_steps(&table, 0, dt->n_slope_steps, p, of, work);
  along_steps(&table, dt->n_slope_steps, dt->n_steps, p, of, work);
  for (int i = 0; i < n; i++) {
    double sum = ft[i], size = fabs(ft[i]);
    for (int j = 0; j < n; j++)
      sum += dense[i * n + j] * dx[j], size += fabs(dense[i * n + j] * dx[j]);
    Along a = dt->der[i] < 0 ? (Along){0} : of[dt->der[i]];
    assert_true(fabs(a.d - sum) <= 1e-12 * size);
    assert_true(a.size >= fabs(a.d));
  }
  double low[MOST], high[MOST], there[MOST], h = 1e-6;
  for (int way = -1; way <= 1; way += 2) {
    for (int j = 0; j < n; j++)
      there[j] = x[j] + way * h * dx[j];
    differences(run, t + way * h, there, way < 0 ? low : high);
  }
  for (int k = 0; k < m->n_relations; k++)
    if (!m->relations[k].timed && !isnan(low[k]) && !isnan(high[k])) {
      assert_true(dt->relation[k] != -2);
      Along a = dt->relation[k] < 0 ? (Along){0} : of[dt->relation[k]];
      compare("relation", k, 0, a.d, (high[k] - low[k]) / (2 * h), 1);
    }
}

/* All entries, and the derivative by time, at the initial values and somewhere near. */
static void check(const char *text) {
  Fix f = open_model(text);
  open_run(&f);
  Run *run = f.run;
  int n = run->m->nx;
  assert_true(n > 0 && n <= MOST);
  assert_non_null(run->m->tangent);
  const Pattern *p = run_jacobian_pattern(run->parts);
  assert_true(run->parts->solver.exact);
  double x[MOST], low[MOST], high[MOST], values[MOST * MOST], ft[MOST], t = run->d.time;
  double whole[MOST * MOST];
  memcpy(x, run->d.r, (size_t)n * sizeof *x);
  for (int round = 0; round < 2; round++) {
    assert_int_equal(run_jacobian(run->parts, t, x, values, ft), NUM_OK);
    for (int j = 0; j <= n; j++) {
      double dense[MOST] = {0}, h = 1e-5 * (j < n ? fmax(fabs(x[j]), 0.1) : 0.1),
             keep = j < n ? x[j] : t;
      for (int q = j < n ? p->start[j] : 0; j < n && q < p->start[j + 1]; q++)
        dense[p->rows[q]] = values[q];
      *(j < n ? &x[j] : &t) = keep - h;
      slope(run, t, x, low);
      *(j < n ? &x[j] : &t) = keep + h;
      slope(run, t, x, high);
      *(j < n ? &x[j] : &t) = keep;
      for (int i = 0; i < n && j < n; i++)
        whole[i * n + j] = dense[i];
      for (int i = 0; i < n; i++)
        compare(text, i, j, j < n ? dense[i] : ft[i], (high[i] - low[i]) / (2 * h),
                1 + fabs(high[i]));
    }
    check_along(run, t, x, whole, ft);
    for (int j = 0; j < n; j++)
      x[j] += 0.01 * (j + 1);
    t += 0.1;
  }
  close_model(&f);
}

static void test_assignments(void **state) {
  (void)state;
  check("model A Real x(start = 0.5), y(start = 2), z(start = 0.3), a, b; parameter Real k = 3; "
        "equation a = sin(x)*y + time^2;"
        " b = a^3/k + exp(-z)*time; der(x) = b - x; der(y) = -k*y + a; der(z) = atan2(a, y) + "
        "sqrt(y); end A;");
  check("model Robertson Real x(start = 0.9), y(start = 1e-4), z(start = 0.1); equation der(x) = "
        "-0.04*x + 1e4*y*z;"
        " der(y) = 0.04*x - 1e4*y*z - 3e7*y^2; der(z) = 3e7*y^2; end Robertson;");
}

static void test_linear_block(void **state) {
  (void)state;
  check("model L Real x(start = 0.5), y(start = 2), a, b, c, d; equation a + 2*b - c = x; a*x - b "
        "= y*d; c + b*y = time; d = a + c;"
        " der(x) = a - d; der(y) = b*c - y; end L;");
}

static void test_nonlinear_block(void **state) {
  (void)state;
  check("model N Real x(start = 0.5), y(start = 1.2), a(start = 1), b(start = 1), c; equation a + "
        "b^3 = x + 2; a*b + exp(0.1*b) = y + c + time;"
        " c = sin(x)*a; der(x) = a - b; der(y) = c - y*b; end N;");
  /* one block feeds another */
  check("model NN Real x(start = 0.5), y(start = 0.4), a(start = 0.5), b, c; equation a + a^3 = x; "
        "b + c = a*y; b - 2*c = x + a;"
        " der(x) = -b; der(y) = c; end NN;");
}

static void test_index(void **state) {
  (void)state;
  check("model Pendulum parameter Real L = 1, g = 9.81; Real x(start = 0.8, fixed = true), y(start "
        "= -0.6), vx(start = 0.3, fixed = true), vy, F;"
        " equation der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - g; x^2 + y^2 = L^2; "
        "end Pendulum;");
}

static void test_conditions(void **state) {
  (void)state;
  check("model C Real x(start = 0.5), y(start = 2), u; equation u = if x > 0.3 then x^2*y else -x; "
        "der(x) = noEvent(if y > 1 then u else 0);"
        " der(y) = max(x, y)*abs(x) - min(2*x, y^2); end C;");
}

static void test_function(void **state) {
  (void)state;
  check("model F function f input Real a, b; output Real c; algorithm c := a*b; for i in 1:2 loop "
        "c := c + sin(a)/i; end for; end f;"
        " Real x(start = 0.5), y(start = 2), u; equation u = f(x, y) + time; der(x) = u*f(y, x); "
        "der(y) = -y + f(u, 3); end F;");
}

/* What relations compare follows from blocks that the derivatives do not need. */
static void test_relations(void **state) {
  (void)state;
  check(
      "model R Real x(start = 0.5), y(start = 2), a(start = 0.5), b, c, w; Boolean p, q, r; "
      "equation "
      "a + a^3 = x*y; b + 2*c = a; b - c = sin(y)*time; w = b*c - x; p = w > 0.1; q = a >= b; r = "
      "c*time < exp(x); der(x) = -x*y; der(y) = if p then -1 else x; end R;");
}

/* An algorithm: no exact Jacobian, but the run goes on with differences and says so. */
static void test_fallback(void **state) {
  (void)state;
  Fix f = open_model("model G Real x(start = 1), y; algorithm y := x; for i in 1:3 loop y := y*y + "
                     "0.1; end for; equation der(x) = -1000*x + y; end G;");
  assert_null(f.program->own->model->tangent);
  NuRunOptions o = nu_run_options();
  o.solver = "cvode";
  NuRun *run;
  assert_int_equal(nu_run_new(f.program, &o, &run), NU_OK);
  assert_int_equal(nu_run_simulate(run), NU_OK);
  NuRunStats s = nu_run_stats(run);
  assert_string_equal(s.jacobian, "differences");
  nu_run_free(run);
  close_model(&f);
}

static void test_all_methods(void **state) {
  (void)state;
  Fix f = open_model("model S Real x(start = 1), y(start = 0), a; equation a + a^3 = x; der(x) = "
                     "-1e4*(a - cos(y)); der(y) = 1; end S;");
  static const char *const solvers[] = {"cvode", "ida", "rosenbrock"};
  for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
    NuRunOptions o = nu_run_options();
    o.solver = solvers[k];
    NuRun *run;
    double a;
    assert_int_equal(nu_run_new(f.program, &o, &run), NU_OK);
    assert_int_equal(nu_run_simulate(run), NU_OK);
    NuRunStats s = nu_run_stats(run);
    assert_string_equal(s.jacobian, "symbolic");
    assert_int_equal(nu_run_get(run, "a", &a), NU_OK);
    assert_true(fabs(a - cos(1)) < 1e-3);
    nu_run_free(run);
  }
  close_model(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_assignments),     cmocka_unit_test(test_linear_block),
      cmocka_unit_test(test_nonlinear_block), cmocka_unit_test(test_index),
      cmocka_unit_test(test_conditions),      cmocka_unit_test(test_function),
      cmocka_unit_test(test_relations),       cmocka_unit_test(test_fallback),
      cmocka_unit_test(test_all_methods),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
