/* tests/unit/test_run.c -- the back end: flat model -> structure -> C -> machine code -> run ->
 * CSV, against closed forms. */
#include <math.h>
#include <pthread.h>

/* before cmocka.h, which makes a macro of `fail` */
#include "emit/emit.h"
#include "load/load.h"
#include "numeric/numeric.h"
#include "result/result.h"
#include "run/run.h"
#include "structure/dump.h"
#include "structure/structure.h"

#include "flat_fixture.h"

/* ---- fixture ---- */

enum { MOST_ROWS = 20000, MOST_COLUMNS = 16 };

typedef struct {
  FlatFix *f;
  Program *program;
  RunOptions options;
  Run *run;
  RunStats stats;
  RunStatus status;
  uint32_t rows, n_columns;
  double (*row)[MOST_COLUMNS + 1]; /* time, then the columns */
  RunRowKind *kind;
} Sim;

static Sim *sim_new(const char *text) {
  Sim *s = calloc(1, sizeof *s);
  s->f = flat_fix_new();
  read_model(s->f, text);
  s->options = run_defaults();
  s->row = calloc(MOST_ROWS, sizeof *s->row);
  s->kind = calloc(MOST_ROWS, sizeof *s->kind);
  return s;
}

static void sim_free(Sim *s) {
  run_free(s->run);
  program_free(s->program);
  flat_fix_free(s->f);
  free(s->row);
  free(s->kind);
  free(s);
}

static FlatVar *var(Sim *s, const char *name) {
  return &s->f->m->vars.at[find_var(s->f, name, strlen(name))];
}

static void start(Sim *s, const char *name, double value, bool fixed) {
  FlatVar *v = var(s, name);
  TypeBase base = type_get(s->f->pool, v->type)->base;
  v->start = base == TY_REAL      ? expr_real(s->f->pool, value)
             : base == TY_INTEGER ? expr_integer(s->f->pool, (int64_t)value)
                                  : expr_boolean(s->f->pool, value != 0);
  v->fixed = expr_boolean(s->f->pool, fixed);
}

static bool keep_row(void *user, const RunRow *row) {
  Sim *s = user;
  uint32_t n;
  const RunColumn *c = run_columns(s->run, &n);
  assert_true(s->rows < MOST_ROWS && n <= MOST_COLUMNS);
  s->kind[s->rows] = row->kind;
  s->row[s->rows][0] = row->time;
  for (uint32_t k = 0; k < n; k++)
    s->row[s->rows][k + 1] = c[k].type == DS_REAL     ? row->data->r[c[k].place]
                             : c[k].type == DS_STRING ? 0
                                                      : (double)row->data->i[c[k].place];
  s->rows++;
  return true;
}

static void compile(Sim *s) {
  Structure *st = structure_build(s->f->m, s->f->arena, s->f->diags);
  if (!st)
    fail_msg("%s", rendered(s->f));
  Text code = {.arena = s->f->arena};
  if (!emit_c(s->f->m, st, s->f->diags, &code))
    fail_msg("%s", rendered(s->f));
  s->program = load_program(text_str(&code), CODE_TCC, s->f->diags);
  if (!s->program)
    fail_msg("%s\n%s", rendered(s->f), text_str(&code));
}

/* Runs and keeps all rows; the status is the caller's business. */
static void go(Sim *s) {
  if (!s->program)
    compile(s);
  s->rows = 0;
  run_free(s->run);
  s->run = run_new(s->program, &s->options, s->f->arena, s->f->diags);
  if (!s->run)
    fail_msg("%s", rendered(s->f));
  run_columns(s->run, &s->n_columns);
  s->status = run_simulate(s->run, keep_row, s, &s->stats);
}

static void go_ok(Sim *s) {
  go(s);
  if (s->status != RUN_OK)
    fail_msg("%s", rendered(s->f));
}

static uint32_t column(const Sim *s, const char *name) {
  uint32_t n;
  const RunColumn *c = run_columns(s->run, &n);
  for (uint32_t k = 0; k < n; k++)
    if (!strcmp(c[k].name, name))
      return k + 1;
  fail_msg("no column %s", name);
  return 0;
}

static double last(const Sim *s, const char *name) { return s->row[s->rows - 1][column(s, name)]; }

static void assert_near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

/* ---- numerics ---- */

static void test_linear(void **state) {
  (void)state;
  double a[9] = {0, 2, 1, 1e8, 1e8, 0, 1, 0, 3}, b[3] = {7, 3e8, 10}, rows[3];
  int pivot[3], where;
  assert_true(lu_factor(a, pivot, rows, 3, &where));
  lu_solve(a, pivot, 3, b);
  assert_near(b[0], 1, 1e-14), assert_near(b[1], 2, 1e-14), assert_near(b[2], 3, 1e-14);
  /* what one equation alone determines has no roundings of the others */
  double lonely[4] = {-1.5555555555555556, -1, 1.1111111111111112, 0},
         c[2] = {0.060445545444459977, 0};
  assert_true(lu_factor(lonely, pivot, rows, 2, &where));
  lu_solve(lonely, pivot, 2, c);
  assert_true(c[0] == 0);
  double singular[4] = {1, 2, 1e6, 2e6};
  assert_false(lu_factor(singular, pivot, rows, 2, &where));
}

/* ---- continuous ---- */

static void test_decay(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nder(x) = -x\n");
  start(s, "x", 1, true);
  double previous = 1;
  for (double rtol = 1e-4; rtol > 1e-11; rtol /= 100) {
    s->options.rtol = rtol;
    go_ok(s);
    double worst = 0;
    for (uint32_t k = 0; k < s->rows; k++)
      worst = fmax(worst, fabs(s->row[k][1] - exp(-s->row[k][0])));
    assert_true(worst <= 2 * rtol);
    assert_true(worst < previous / 10);
    previous = worst;
  }
  assert_int_equal(s->rows, 501);
  assert_true(s->row[500][0] == 1);
  sim_free(s);
}

static void test_pendulum(void **state) {
  (void)state;
  Sim *s = sim_new("Real phi\nReal w\nReal E\nder(phi) = w\nder(w) = -9.81*sin(phi)\nE = w*w/2 - "
                   "9.81*sin(phi + 1.5707963267948966)\n");
  start(s, "phi", 1.5, true);
  start(s, "w", 0, true);
  s->options.stop = 20;
  s->options.rtol = 1e-9;
  go_ok(s);
  double e0 = -9.81 * cos(1.5), worst = 0;
  for (uint32_t k = 0; k < s->rows; k++)
    worst = fmax(worst, fabs(s->row[k][column(s, "E")] - e0));
  assert_true(worst < 1e-6);
  sim_free(s);
}

static void test_linear_loop(void **state) {
  (void)state;
  Sim *s = sim_new("Real a\nReal b\nReal x\na + 2*b = x\n3*a - b = time\nder(x) = a\n");
  start(s, "x", 1, true);
  go_ok(s);
  for (uint32_t k = 0; k < s->rows; k++) {
    double t = s->row[k][0], a = s->row[k][1], b = s->row[k][2], x = s->row[k][3];
    assert_near(a + 2 * b, x, 1e-13);
    assert_near(3 * a - b, t, 1e-13);
  }
  /* a = (x + 2 t)/7: x' = (x + 2 t)/7, x = 15 exp(t/7) - 2 t - 14 */
  assert_near(last(s, "x"), 15 * exp(1.0 / 7) - 16, 2e-6);
  sim_free(s);
}

static void test_nonlinear(void **state) {
  (void)state;
  Sim *s = sim_new("Real c\nReal u\nReal v\nc^3 + c = 10*time\nu*v = 6 + time\nu^2 + v = 10\n");
  start(s, "c", 1, false);
  start(s, "u", 2, false);
  start(s, "v", 3, false);
  go_ok(s);
  for (uint32_t k = 0; k < s->rows; k++) {
    double t = s->row[k][0], c = s->row[k][1], u = s->row[k][2], v = s->row[k][3];
    assert_near(c * c * c + c, 10 * t, 1e-11);
    assert_near(u * v, 6 + t, 1e-11);
    assert_near(u * u + v, 10, 1e-11);
  }
  assert_near(last(s, "c"), 2, 1e-12);
  sim_free(s);
}

/* A solution that ends: x^2 = 1 - t has none after 1. */
static void test_no_solution(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nx*x = 1 - time\n");
  start(s, "x", 1, false);
  s->options.stop = 2;
  go(s);
  assert_int_equal(s->status, RUN_FAILED);
  assert_non_null(find_code(s->f, D_R606));
  assert_true(s->stats.end_time >= 0.98 && s->stats.end_time < 1.02);
  sim_free(s);
}

static void test_singular(void **state) {
  (void)state;
  Sim *s = sim_new("Real a\nReal b\nReal c\na + b = 1\na = 2\nb + 0 = 1 - a\n");
  assert_null(structure_build(s->f->m, s->f->arena, s->f->diags));
  const Diag *d = find_code(s->f, D_S103);
  d = d ? d : find_code(s->f, D_S101);
  assert_non_null(d);
  assert_true(line_of(s->f, d->span) >= 1);
  sim_free(s);

  s = sim_new("Real a\nReal b\na + b = 1\n2*a + 2*b = 3\n");
  go(s);
  assert_int_equal(s->status, RUN_INIT_FAILED);
  assert_non_null(find_code(s->f, D_I501));
  sim_free(s);

  s = sim_new("Real a\nReal b\na = b + 1\n");
  assert_null(structure_build(s->f->m, s->f->arena, s->f->diags));
  assert_non_null(find_code(s->f, D_S101));
  sim_free(s);
}

/* ---- events ---- */

static const char ball[] = "parameter Real e = 0.7\nReal h\nReal v\nder(h) = v\nder(v) = "
                           "-9.81\nwhen h <= 0\n  reinit v -e*pre(v)\nend\n";

static void test_ball(void **state) {
  (void)state;
  Sim *s = sim_new(ball);
  start(s, "h", 1, true);
  start(s, "v", 0, true);
  s->options.stop = 2.3;
  go_ok(s);
  double t = sqrt(2 / 9.81), v = 9.81 * t;
  int bounces = 0;
  for (uint32_t k = 0; k + 1 < s->rows; k++) {
    assert_true(s->row[k][1] > -1e-9);
    if (s->kind[k] != RUN_ROW_BEFORE)
      continue;
    assert_near(s->row[k][0], t, 1e-8);
    assert_true(s->row[k + 1][0] == s->row[k][0] && s->kind[k + 1] == RUN_ROW_AFTER);
    assert_near(s->row[k][2], -v, 1e-7);
    assert_near(s->row[k + 1][2], 0.7 * v, 1e-7);
    v *= 0.7;
    t += 2 * v / 9.81;
    bounces++;
  }
  assert_true(bounces >= 6);
  assert_int_equal(s->stats.state_events, (uint64_t)bounces);
  sim_free(s);
}

/* Beyond the accumulation point: stopped, not through the floor. */
static void test_ball_zeno(void **state) {
  (void)state;
  Sim *s = sim_new(ball);
  start(s, "h", 1, true);
  start(s, "v", 0, true);
  s->options.stop = 3;
  s->options.zeno = NU_ZENO_ERROR;
  go(s);
  assert_int_equal(s->status, RUN_LIMIT);
  assert_non_null(find_code(s->f, D_R609));
  for (uint32_t k = 0; k < s->rows; k++)
    assert_true(s->row[k][1] > -1e-6 && s->row[k][0] < 2.57);
  sim_free(s);
}

/* With a mode for rest the run goes on: an impact that is no new one stops the ball. */
static void test_ball_rest(void **state) {
  (void)state;
  static const double rtols[] = {1e-3, 1e-6, 1e-10}, losses[] = {0.3, 0.7, 0.9};
  for (size_t k = 0; k < 3; k++) {
    Sim *s = sim_new(
        "parameter Real e = 0.7\nReal h\nReal v\nBoolean flying\nBoolean impact\ndiscrete Real "
        "w\nReal g\n"
        "impact = h <= 0\nder(h) = v\nder(v) = -g\n"
        "if flying\n  g = 9.81\nelse\n  g = 0\nend\n"
        "when h <= 0 and v <= 0\n  w = -e*pre(v)\n  flying = w > 0\n  reinit v w\nend\n");
    start(s, "h", 1, true);
    start(s, "v", 0, true);
    start(s, "flying", 1, true);
    var(s, "e")->binding = expr_real(s->f->pool, losses[k]);
    /* when {h <= 0 and v <= 0, impact} then w = if edge(impact) then -e*pre(v) else 0; ... */
    ExprPool *p = s->f->pool;
    FlatBranch *br = &s->f->m->equations.at[s->f->m->equations.n - 1]->branches[0];
    int32_t two = 2;
    ExprId items[] = {br->condition, expr_of(s->f, "impact")};
    br->condition = expr_make(p, OP_ARRAY, type_array(p, type_scalar(p, TY_BOOLEAN), 1, &two), 2,
                              items);
    br->body[0]->rhs = expr_if(p, expr_of(s->f, "edge(impact)"), br->body[0]->rhs, expr_real(p, 0));
    s->options.stop = 15;
    s->options.rtol = rtols[k];
    go_ok(s);
    double band = 1e-4 * rtols[k];
    for (uint32_t q = 0; q < s->rows; q++)
      assert_true(s->row[q][column(s, "h")] > -2 * band);
    assert_true(s->row[s->rows - 1][0] == 15 && last(s, "v") == 0 && last(s, "flying") == 0);
    assert_near(last(s, "h"), 0, 2 * band);
    sim_free(s);
  }
}

/* x(.2) and x(.3) of a sampled controller; the ticks are exact multiples. */
static void test_sample(void **state) {
  (void)state;
  Sim *s = sim_new(
      "Integer n\nReal x\ndiscrete Real xc\ndiscrete Real u\nder(x) = -x + u\n"
      "when sample(0, 0.1)\n  n = pre(n) + 1\n  xc = 0.5*pre(xc) + (1 - x)\n  u = pre(xc)\nend\n");
  start(s, "x", 0, true);
  s->options.stop = 0.3;
  s->options.intervals = 3;
  go_ok(s);
  uint32_t tick = 0; /* the first tick comes before the first row */
  for (uint32_t k = 0; k < s->rows; k++)
    if (s->kind[k] == RUN_ROW_AFTER || k == 0) {
      assert_true(s->row[k][0] == 0 + tick * 0.1);
      tick++;
      assert_true(s->row[k][1] == tick);
      if (tick == 3)
        assert_near(s->row[k][2], 0.0951625820, 1e-7);
    }
  assert_int_equal(s->stats.state_events, 0);
  assert_near(last(s, "x"), 0.2288505, 1e-6);
  sim_free(s);

  s = sim_new("Integer n\nwhen sample(0.05, 0.001)\n  n = pre(n) + 1\nend\n");
  go_ok(s);
  assert_int_equal(s->stats.time_events, 950); /* the tick at the end does not happen any more */
  assert_true(last(s, "n") == 950);
  sim_free(s);
}

static void test_time_events(void **state) {
  (void)state;
  Sim *s = sim_new("Boolean a\nBoolean b\nReal x\nReal y\na = time >= 0.3\nb = 2*time - 1 > 0\nif "
                   "a\n  y = 2\nelse\n  y = 1\nend\nder(x) = y\n");
  start(s, "x", 0, true);
  go_ok(s);
  assert_int_equal(s->stats.time_events, 2);
  assert_int_equal(s->stats.state_events, 0);
  assert_near(last(s, "x"), 0.3 + 1.4, 1e-12);
  assert_true(last(s, "b") == 1);
  for (uint32_t k = 0; k < s->rows; k++)
    if (s->kind[k] == RUN_ROW_BEFORE)
      assert_true(s->row[k][0] == 0.3 || s->row[k][0] == 0.5);
  sim_free(s);
}

/* x + (if y > 0 then 2 y else y) = z, 3 x + y - 1 + z = 0: y = (1 - 4 x)/3 if x < 1/4, else (1 - 4
 * x)/2. */
static void test_mixed(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nReal y\nReal z\nReal w\nx = sin(time)\nif y > 0\n  w = 2*y\nelse\n  w "
                   "= y\nend\nx + w - z = 0\n3*x + y - 1 + z = 0\n");
  s->options.stop = 6;
  go_ok(s);
  for (uint32_t k = 0; k < s->rows; k++) {
    double x = s->row[k][1], y = s->row[k][2];
    assert_near(y, x < 0.25 ? (1 - 4 * x) / 3 : (1 - 4 * x) / 2, 1e-9);
  }
  assert_int_equal(s->stats.state_events, 2);
  for (uint32_t k = 0; k < s->rows; k++)
    if (s->kind[k] == RUN_ROW_BEFORE)
      assert_near(sin(s->row[k][0]), 0.25, 1e-9);
  sim_free(s);
}

static void test_unsettled(void **state) {
  (void)state;
  Sim *s = sim_new("Boolean on\non = time > 0.5 and not pre(on)\n");
  go(s);
  assert_int_equal(s->status, RUN_FAILED);
  const Diag *d = find_code(s->f, D_R607);
  assert_non_null(d);
  assert_non_null(strstr(d->message, "`on`"));
  sim_free(s);
}

/* Two modes that lead back to each other: stopped with a message, not endless. */
static void test_chattering(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nReal u\nif x > 0\n  u = -1\nelse\n  u = 1\nend\nder(x) = u + 0.5\n");
  start(s, "x", 1, true);
  s->options.stop = 10;
  s->options.chatter = NU_CHATTER_KEEP;
  go(s);
  assert_int_equal(s->status, RUN_LIMIT);
  assert_non_null(find_code(s->f, D_R609));
  assert_near(s->stats.end_time, 2, 1e-3);
  sim_free(s);
}

static FlatEquation *action(Sim *s, FlatEquationKind kind, const char *condition,
                            const char *message) {
  FlatEquation *e = flat_equation(s->f->arena, kind, (Span){1, 2});
  e->lhs = condition ? expr_of(s->f, condition) : NO_EXPR;
  e->rhs = expr_string(s->f->pool, message);
  vec_push(s->f->arena, &s->f->m->equations, e);
  return e;
}

static void test_assert(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nder(x) = -1\n");
  start(s, "x", 0.5, true);
  action(s, FEQ_ASSERT, "x > -0.2", "x is too small");
  go(s);
  assert_int_equal(s->status, RUN_FAILED);
  const Diag *d = find_code(s->f, D_R605);
  assert_non_null(d);
  assert_non_null(strstr(d->message, "x is too small"));
  assert_near(s->stats.end_time, 0.7, 0.01);
  sim_free(s);

  s = sim_new("Real x\nder(x) = -1\n");
  start(s, "x", 0.5, true);
  action(s, FEQ_ASSERT, "x > -0.2", "x is small")->level = expr_integer(s->f->pool, 1);
  go_ok(s);
  assert_int_equal(diags_count(s->f->diags), 1);
  assert_non_null(find_code(s->f, D_R608));
  sim_free(s);
}

static void test_terminate(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nBoolean b\nder(x) = 1\nwhen x > 0.25\n  b = true\nend\n");
  start(s, "x", 0, true);
  FlatEquation *e = flat_equation(s->f->arena, FEQ_TERMINATE, (Span){1, 2});
  e->rhs = expr_string(s->f->pool, "done");
  FlatBranch *br = &s->f->m->equations.at[1]->branches[0];
  br->body[br->n++] = e;
  go_ok(s);
  assert_near(s->stats.end_time, 0.25, 1e-12);
  assert_true(last(s, "b") == 1);
  sim_free(s);
}

/* ---- initialisation ---- */

static void add_initial(Sim *s, const char *text) {
  FlatEquation *e = read_equation(s->f, arena_strdup(s->f->arena, text), (Span){1, 2});
  vec_push(s->f->arena, &s->f->m->initial, e);
}

static void test_initial(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nReal y\nReal z\nparameter Real p\ndiscrete Real q\nder(x) = 2 - "
                   "x\nder(y) = -y\nz^3 = y + x\n"
                   "when time > 0.5\n  q = pre(q) + p\nend\n");
  start(s, "y", 3, false);
  start(s, "z", 1, false);
  start(s, "p", 2, false);
  start(s, "q", 7, false);
  add_initial(s, "der(x) = 0");
  add_initial(s, "p*p = 7 + x");
  add_initial(s, "q = 3*x");
  go_ok(s);
  assert_near(s->row[0][1], 2, 1e-12);
  assert_near(s->row[0][2], 3, 0);
  assert_near(s->row[0][3], cbrt(5), 1e-12);
  assert_near(last(s, "q"), 9, 1e-12);
  sim_free(s);

  s = sim_new("Real x\nder(x) = 2 - x\n");
  start(s, "x", 1, true);
  add_initial(s, "der(x) = 0");
  go(s);
  assert_int_equal(s->status, RUN_INIT_FAILED);
  assert_non_null(find_code(s->f, D_I501));
  sim_free(s);
}

/* ---- options ---- */

static Run *try_options(Sim *s) {
  return run_new(s->program, &s->options, s->f->arena, s->f->diags);
}

static void test_settings(void **state) {
  (void)state;
  Sim *s = sim_new("parameter Real rate = 1\nparameter Real twice = 2*rate\nReal x\nReal y\nder(x) "
                   "= -rate*x\ny = twice*x\n");
  start(s, "x", 1, true);
  compile(s);
  RunSetting p = {"rate", "2.5"}, x = {"x", "4"};
  s->options.parameters = &p, s->options.n_parameters = 1;
  s->options.starts = &x, s->options.n_starts = 1;
  go_ok(s);
  assert_near(last(s, "x"), 4 * exp(-2.5), 1e-6);
  assert_near(last(s, "y"), 20 * exp(-2.5), 1e-5);
  p.name = "rat";
  assert_null(try_options(s));
  const Diag *d = find_code(s->f, D_A002);
  assert_non_null(d);
  assert_non_null(strstr(d->help, "`rate`"));
  p = (RunSetting){"rate", "fast"};
  assert_null(try_options(s));
  assert_non_null(find_code(s->f, D_A001));
  s->options.n_parameters = s->options.n_starts = 0;
  s->options.solver = "magic";
  assert_null(try_options(s));
  sim_free(s);
}

static void test_select(void **state) {
  (void)state;
  Sim *s = sim_new("Real a.x\nReal a.y\nReal b[1]\nder(a.x) = 1\na.y = 2*a.x\nb[1] = 3*a.x\n");
  start(s, "a.x", 0, true);
  const char *names[] = {"b[1]", "a.*", "der(a.x)"};
  s->options.select = names, s->options.n_select = 3;
  go_ok(s);
  uint32_t n;
  const RunColumn *c = run_columns(s->run, &n);
  assert_int_equal(n, 4);
  assert_string_equal(c[0].name, "b[1]");
  assert_string_equal(c[3].name, "der(a.x)");
  assert_true(last(s, "der(a.x)") == 1);
  names[0] = "b[*"; /* only * and ? are special */
  assert_non_null(try_options(s));
  names[0] = "c?";
  assert_null(try_options(s));
  assert_non_null(find_code(s->f, D_A002));
  sim_free(s);
}

static void test_limits(void **state) {
  (void)state;
  Sim *s = sim_new("Integer n\nwhen sample(0, 0.001)\n  n = pre(n) + 1\nend\n");
  s->options.max_events = 10;
  go(s);
  assert_int_equal(s->status, RUN_LIMIT);
  assert_non_null(find_code(s->f, D_R610));
  assert_int_equal(s->stats.time_events, 10);
  atomic_int cancel = 1;
  s->options.max_events = 0;
  s->options.cancel = &cancel;
  go(s);
  assert_int_equal(s->status, RUN_CANCELLED);
  sim_free(s);
}

/* ---- many runs ---- */

typedef struct {
  const Program *program;
  const char *e;
  double end, checksum;
} Job;

typedef struct {
  Run *run;
  double sum;
} Sum;

static bool add_row(void *user, const RunRow *row) {
  Sum *sum = user;
  sum->sum = sum->sum * 1.0001 + row->time + row->data->r[0] + row->data->r[1];
  return true;
}

static void *do_job(void *arg) {
  Job *job = arg;
  Memory mem = {0};
  jmp_buf recover;
  mem.recover = &recover;
  if (setjmp(recover))
    return NULL;
  Arena *a = arena_new(&mem);
  Diags *diags = diags_new(a, sources_new(a));
  RunSetting p = {"e", job->e};
  RunOptions o = run_defaults();
  o.parameters = &p, o.n_parameters = 1, o.stop = 2;
  Sum sum = {run_new(job->program, &o, a, diags), 0};
  RunStats stats = {0};
  if (sum.run && run_simulate(sum.run, add_row, &sum, &stats) == RUN_OK)
    job->checksum = sum.sum, job->end = stats.end_time;
  arena_free(a);
  return NULL;
}

/* Runs that share a program do not disturb each other, and repeat bit for bit. */
static void test_two_runs(void **state) {
  (void)state;
  Sim *s = sim_new(ball);
  start(s, "h", 1, true);
  start(s, "v", 0, true);
  compile(s);
  Job alone[2] = {{.program = s->program, .e = "0.7"}, {.program = s->program, .e = "0.5"}},
      both[2];
  memcpy(both, alone, sizeof both);
  alone[1].e = both[1].e = "0.8";
  do_job(&alone[0]);
  do_job(&alone[1]);
  pthread_t threads[2];
  for (int k = 0; k < 2; k++)
    assert_int_equal(pthread_create(&threads[k], NULL, do_job, &both[k]), 0);
  for (int k = 0; k < 2; k++)
    pthread_join(threads[k], NULL);
  for (int k = 0; k < 2; k++) {
    assert_true(alone[k].end == 2);
    assert_true(alone[k].checksum == both[k].checksum);
  }
  assert_true(alone[0].checksum != alone[1].checksum);
  sim_free(s);
}

/* ---- passes of events ---- */

typedef struct {
  Sim *s;
  Text told; /* one line per row of an event */
} Passes;

/* kind, number, h, v, n; then the causes */
static bool tell_row(void *user, const RunRow *row) {
  Passes *p = user;
  static const char *const kinds[] = {
      [RUN_ROW_BEFORE] = "before", [RUN_ROW_STEP] = "step", [RUN_ROW_AFTER] = "after"};
  static const char *const causes[] = {"relation", "sample",   "delay", "reinit",
                                       "discrete", "terminal", "time"};
  keep_row(p->s, row);
  if (row->kind == RUN_ROW_GRID) {
    assert_true(row->step == 0 && row->n_causes == 0);
    return true;
  }
  const double *v = p->s->row[p->s->rows - 1];
  text_printf(&p->told, "%s %u: %.3f %.3f %g, relation %d", kinds[row->kind], row->step,
              fabs(v[1]) < 1e-9 ? 0 : v[1], v[2], v[3], row->data->relation[0]);
  for (uint32_t k = 0; k < row->n_causes; k++) {
    const RunCause *c = &row->causes[k];
    text_printf(&p->told, "; %s %d", causes[c->kind], c->number);
    if (!isnan(c->a))
      text_printf(&p->told, " %.3f %.3f", fabs(c->a) < 1e-9 ? 0 : c->a, c->b);
  }
  text_add(&p->told, "\n");
  return true;
}

static void test_passes(void **state) {
  (void)state;
  Sim *s = sim_new("Real h\nReal v\nInteger n\nder(h) = v\nder(v) = -9.81\nwhen h <= 0\n  reinit v "
                   "-0.8*pre(v)\n  n = pre(n) + 1\nend\n");
  start(s, "h", 1, true);
  start(s, "v", 0, true);
  s->options.intervals = 10;
  go_ok(s);
  uint32_t rows = s->rows;
  double(*plain)[MOST_COLUMNS + 1] = calloc(rows, sizeof *plain);
  memcpy(plain, s->row, rows * sizeof *plain);
  assert_int_equal(s->stats.mode_changes, 0); /* on the floor for no time at all */

  Passes p = {.s = s, .told = {.arena = s->f->arena}};
  s->rows = 0;
  s->options.passes = true;
  s->run = run_new(s->program, &s->options, s->f->arena, s->f->diags);
  assert_int_equal(run_simulate(s->run, tell_row, &p, &s->stats), RUN_OK);
  assert_string_equal(text_str(&p.told),
                      "before 0: 0.000 -4.429 0, relation 0\n"
                      "step 1: 0.000 -4.429 1, relation 1; relation 0 0.000 0.000\n"
                      "step 2: 0.000 3.544 1, relation 1; reinit 1 -4.429 3.544\n"
                      "step 3: 0.000 3.544 1, relation 0; relation 0 0.000 0.000\n"
                      "after 4: 0.000 3.544 1, relation 0; discrete -1\n");
  /* the other rows have the same bits as without */
  uint32_t k = 0;
  for (uint32_t q = 0; q < s->rows; q++)
    if (s->kind[q] != RUN_ROW_STEP)
      assert_true(k < rows && !memcmp(plain[k++], s->row[q], 4 * sizeof(double)));
  assert_int_equal(k, rows);
  free(plain);
  sim_free(s);
}

/* ---- texts ---- */

static void test_hostile_names(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nder(x) = 1\n");
  start(s, "x", 0, true);
  const char *name = "'*/ } ?"
                     "?/ \\ \" %s \n # \xc3\xa4'";
  var(s, "x")->name = name;
  s->f->m->vars.at[0].comment = "*/ int main(void) { \\\n";
  s->f->m->name = "Bad*/\nName?"
                  "?/";
  go_ok(s);
  uint32_t n;
  assert_string_equal(run_columns(s->run, &n)[0].name, name);
  assert_near(s->row[s->rows - 1][1], 1, 1e-12);
  sim_free(s);
}

static void test_repeatable_text(void **state) {
  (void)state;
  char *texts[2];
  for (int k = 0; k < 2; k++) {
    Sim *s = sim_new(ball);
    Structure *st = structure_build(s->f->m, s->f->arena, s->f->diags);
    Text code = {.arena = s->f->arena};
    assert_true(st && emit_c(s->f->m, st, s->f->diags, &code));
    structure_dump(st, s->f->diags, &code);
    texts[k] = strdup(text_str(&code));
    sim_free(s);
  }
  assert_string_equal(texts[0], texts[1]);
  assert_non_null(strstr(texts[0], "Test.mo:4  der(h)"));
  free(texts[0]);
  free(texts[1]);
}

static void test_csv(void **state) {
  (void)state;
  Sim *s = sim_new("Real x\nBoolean b\nder(x) = -x/3\nb = x > 0.9\n");
  start(s, "x", 1, true);
  var(s, "x")->name = "a \"quoted\", name";
  compile(s);
  s->run = run_new(s->program, &s->options, s->f->arena, s->f->diags);
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  CsvWriter w;
  uint32_t n;
  const RunColumn *columns = run_columns(s->run, &n);
  csv_begin(&w, file, columns, n, false, s->f->arena);
  assert_int_equal(run_simulate(s->run, csv_row, &w, NULL), RUN_OK);
  assert_true(csv_end(&w));
  fclose(file);
  go_ok(s);
  CsvTable *t = csv_read("x.csv", text, size, s->f->arena, s->f->diags);
  assert_non_null(t);
  assert_int_equal(t->n, 3);
  assert_int_equal(t->rows, s->rows);
  assert_string_equal(t->names[0], "time");
  assert_string_equal(t->names[1], "a \"quoted\", name");
  for (uint32_t k = 0; k < t->rows; k++)
    for (uint32_t c = 0; c < 3; c++)
      assert_true(t->columns[c][k] == s->row[k][c]);
  assert_null(csv_read("y.csv", "\"time\",\"x\"\n1,2\n3\n", 17, s->f->arena, s->f->diags));
  assert_non_null(find_code(s->f, D_F002));
  free(text);
  sim_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear),        cmocka_unit_test(test_decay),
      cmocka_unit_test(test_pendulum),      cmocka_unit_test(test_linear_loop),
      cmocka_unit_test(test_nonlinear),     cmocka_unit_test(test_no_solution),
      cmocka_unit_test(test_singular),      cmocka_unit_test(test_ball),
      cmocka_unit_test(test_ball_zeno),     cmocka_unit_test(test_ball_rest),
      cmocka_unit_test(test_sample),        cmocka_unit_test(test_time_events),
      cmocka_unit_test(test_mixed),         cmocka_unit_test(test_unsettled),
      cmocka_unit_test(test_chattering),    cmocka_unit_test(test_assert),
      cmocka_unit_test(test_terminate),     cmocka_unit_test(test_initial),
      cmocka_unit_test(test_settings),      cmocka_unit_test(test_select),
      cmocka_unit_test(test_limits),        cmocka_unit_test(test_two_runs),
      cmocka_unit_test(test_hostile_names), cmocka_unit_test(test_repeatable_text),
      cmocka_unit_test(test_csv),           cmocka_unit_test(test_passes),
  };
  return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
