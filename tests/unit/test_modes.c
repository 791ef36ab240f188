/* tests/unit/test_modes.c -- random models whose structure changes, against what can be computed
 * without them: networks of capacitors that are connected and disconnected (weighted means, charges
 * that move), carts that are hooked on where they meet. All kinds of code give the same bits; two
 * runs of one program in two threads make modes at the same time.
 * With NUSIM_TORTURE in the environment there are ten times as many. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "messages_fixture.h"

enum { NODES = 9 };

static uint64_t random_state = 1;
static double uniform(void) { /* -1 .. 1 */
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11) / 0x1p52 - 1;
}
static int below(int n) { return (int)((uniform() + 1) / 2 * n) % n; }
static int times_over(int n) { return getenv("NUSIM_TORTURE") ? 10 * n : n; }

static const char *const solvers[] = {"rk45", "rosenbrock", "ida", "cvode", "euler", "rk4", "auto"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static void choose(NuRunOptions *o, const char *solver) {
  o->stop = 1, o->intervals = 20, o->rtol = 1e-8, o->solver_step = 1.0 / 200;
  o->solver = solver;
  o->together = !strcmp(solver, "auto");
}

/* ---- models and runs ---- */

typedef struct {
  NuSession *session;
  NuProgram *program;
} Fix;

static Fix open_model(const char *text, NuCode code) {
  Fix f = {0};
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  assert_int_equal(nu_session_new(&so, &f.session), NU_OK);
  if (nu_load_text(f.session, "M.mo", text, strlen(text)) != NU_OK ||
      nu_compile(f.session, &(NuTarget){.code = code}, &f.program) != NU_OK)
    fail_msg("%s\n%s", messages, text);
  return f;
}

static void close_model(Fix *f) {
  nu_program_free(f->program);
  nu_session_free(f->session);
}

/* Rows of a run: time, then the columns. */
typedef struct {
  double *at;
  size_t n, width, room;
  const char *const *names;
} Rows;

static bool keep(void *user, double time, const double *values) {
  Rows *rows = user;
  if ((rows->n + 1) * rows->width > rows->room) {
    rows->room = 2 * (rows->n + 1) * rows->width;
    rows->at = realloc(rows->at, rows->room * sizeof *rows->at);
  }
  double *to = rows->at + rows->n++ * rows->width;
  to[0] = time;
  memcpy(to + 1, values, (rows->width - 1) * sizeof *values);
  return true;
}

static NuRun *simulate(const Fix *f, const char *solver, Rows *rows, const char *text) {
  NuRunOptions o = nu_run_options();
  choose(&o, solver);
  o.row = keep, o.row_user = rows;
  NuRun *r;
  assert_int_equal(nu_run_new(f->program, &o, &r), NU_OK);
  rows->width = nu_run_columns(r, &rows->names) + 1;
  rows->n = 0;
  if (nu_run_simulate(r) != NU_OK)
    fail_msg("%s: %s\n%s", solver, messages, text);
  for (size_t k = 0; k < rows->n * rows->width; k++)
    assert_true(isfinite(rows->at[k]));
  return r;
}

static double value(const Rows *rows, size_t row, const char *name, int index) {
  char full[40];
  snprintf(full, sizeof full, "%s[%d]", name, index + 1);
  for (size_t c = 1; c < rows->width; c++)
    if (!strcmp(rows->names[c - 1], full))
      return rows->at[row * rows->width + c];
  fail_msg("no column %s", full);
  return NAN;
}

/* ---- networks of capacitors ---- */

typedef enum { IF_EQUATIONS, IF_EXPRESSIONS, CONNECTIONS, FORMS } Form;

/* Edge e joins node e + 1 with one before it: a forest, whatever is closed. */
typedef struct {
  int n, parent[NODES], from[NODES], to[NODES]; /* closed from from/100 to to/100 s */
  double c[NODES], u[NODES], source[NODES];
  Form form;
} Network;

static Network random_network(Form form) {
  Network y = {.n = 2 + below(NODES - 1), .form = form};
  bool sources = below(2);
  for (int k = 0; k < y.n; k++) {
    y.c[k] = pow(10, 3 * uniform()), y.u[k] = 10 * uniform();
    y.source[k] = sources ? y.c[k] * uniform() : 0;
    y.parent[k] = k ? below(k) : 0;
    /* Often at the same instant */
    y.from[k] = 5 + 10 * below(8), y.to[k] = y.from[k] + 10 * (1 + below(4));
  }
  return y;
}

static void write_edges(FILE *out, const Network *y) {
  for (int k = 1; k < y->n; k++) {
    int a = y->parent[k] + 1, b = k + 1;
    fprintf(out, "on[%d] = time > %d/100 and time < %d/100;\n", k, y->from[k], y->to[k]);
    if (y->form == IF_EQUATIONS)
      fprintf(out, "if on[%d] then u[%d] = u[%d]; else i[%d] = 0; end if;\n", k, a, b, k);
    else if (y->form == IF_EXPRESSIONS)
      fprintf(out, "0 = if on[%d] then u[%d] - u[%d] else i[%d];\n", k, a, b, k);
    else
      fprintf(out, "if on[%d] then connect(n[%d].p, e[%d].a); end if; connect(e[%d].b, n[%d].p);\n",
              k, a, k, k, b);
  }
}

static void write_components(FILE *out, const Network *y) {
  fprintf(out, "Edge e[%d]; Node n[%d](C = {", y->n - 1, y->n);
  for (int k = 0; k < y->n; k++)
    fprintf(out, "%s%.17g", k ? ", " : "", y->c[k]);
  fputs("}, I = {", out);
  for (int k = 0; k < y->n; k++)
    fprintf(out, "%s%.17g", k ? ", " : "", y->source[k]);
  fputs("});\n", out);
}

static char *network_text(const Network *y) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  fputs("model M\nconnector P Real v; flow Real i; end P; model Node P p; parameter Real C, I; "
        "equation C*der(p.v) = p.i + I; end Node;\n"
        "model Edge P a, b; equation a.i + b.i = 0; a.v = b.v; end Edge;\n",
        out);
  fprintf(out, "Real u[%d](start = {", y->n);
  for (int k = 0; k < y->n; k++)
    fprintf(out, "%s%.17g", k ? ", " : "", y->u[k]);
  fprintf(out,
          "}, each fixed = true), i[%d]; Boolean on[%d]; discrete Real q[%d](each start = 0, each "
          "fixed = true);\n",
          y->n - 1, y->n - 1, y->n - 1);
  if (y->form == CONNECTIONS)
    write_components(out, y);
  fputs("equation\n", out);
  for (int k = 0; k < y->n; k++) {
    if (y->form == CONNECTIONS) {
      fprintf(out, "n[%d].p.v = u[%d];\n", k + 1, k + 1);
      if (k)
        fprintf(out, "i[%d] = e[%d].a.i;\n", k, k);
      continue;
    }
    fprintf(out, "%.17g*der(u[%d]) = %.17g", y->c[k], k + 1, y->source[k]);
    for (int e = 1; e < y->n; e++)
      if (e == k || y->parent[e] == k)
        fprintf(out, " %s i[%d]", e == k ? "+" : "-", e);
    fputs(";\n", out);
  }
  write_edges(out, y);
  fprintf(out,
          "for k in 1:%d loop when abs(impulse(i[k])) > 0 then q[k] = pre(q[k]) + impulse(i[k]); "
          "end when; end for;\nend M;\n",
          y->n - 1);
  fclose(out);
  return text;
}

/* Groups of nodes: number of the first node of each. */
static void find_groups(const Network *y, const bool *closed, int *group) {
  for (int k = 0; k < y->n; k++)
    group[k] = k && closed[k] ? group[y->parent[k]] : k;
}

/* Voltages after the edges `closed` have been joined, and the charge that went through each from
 * parent to child. */
static void join(const Network *y, const bool *closed, const double *u, double *after,
                 double *moved) {
  int group[NODES];
  double charge[NODES] = {0}, capacity[NODES] = {0};
  find_groups(y, closed, group);
  for (int k = 0; k < y->n; k++)
    charge[group[k]] += y->c[k] * u[k], capacity[group[k]] += y->c[k];
  for (int k = 0; k < y->n; k++)
    after[k] = charge[group[k]] / capacity[group[k]], moved[k] = 0;
  for (int k = y->n; k-- > 1;) { /* what a subtree gains has come through its edge */
    moved[k] += y->c[k] * (after[k] - u[k]);
    if (closed[k])
      moved[y->parent[k]] += moved[k];
  }
}

typedef struct {
  double mean, charge, area, end; /* largest errors, relative to the largest voltage or charge */
} Errors;

/* Each instant with an event: the row after it from the row before it. */
static void check_jumps(const Network *y, const Rows *rows, Errors *worst, const char *text) {
  for (size_t r = 1; r < rows->n; r++) {
    if (rows->at[r * rows->width] != rows->at[(r - 1) * rows->width])
      continue;
    bool closed[NODES] = {false};
    double u[NODES], after[NODES], moved[NODES], before = 0, now = 0, size = 0, most = 0;
    for (int k = 0; k < y->n; k++) {
      u[k] = value(rows, r - 1, "u", k);
      closed[k] = k && value(rows, r, "on", k - 1) != 0;
      most = fmax(most, fabs(u[k]));
      before += y->c[k] * u[k], now += y->c[k] * value(rows, r, "u", k),
          size += fabs(y->c[k] * u[k]);
    }
    join(y, closed, u, after, moved);
    worst->charge = fmax(worst->charge, fabs(now - before) / size);
    for (int k = 0; k < y->n; k++) {
      double error = fabs(value(rows, r, "u", k) - after[k]) / most;
      worst->mean = fmax(worst->mean, error);
      if (!(error < 1e-6))
        fail_msg("u[%d] = %.17g instead of %.17g at %g\n%s", k + 1, value(rows, r, "u", k),
                 after[k], rows->at[r * rows->width], text);
      if (k && closed[k])
        worst->area = fmax(
            worst->area,
            fabs(value(rows, r, "q", k - 1) - value(rows, r - 1, "q", k - 1) - moved[k]) / size);
    }
  }
}

/* All of it from the start: constant sources between instants that are multiples of 0.05 s. */
static void check_end(const Network *y, const Rows *rows, Errors *worst) {
  double u[NODES], after[NODES], moved[NODES], most = 1;
  memcpy(u, y->u, sizeof u);
  for (int step = 0; step < 20; step++) {
    bool closed[NODES] = {false};
    double charge[NODES] = {0}, capacity[NODES] = {0};
    int group[NODES];
    for (int k = 1; k < y->n; k++)
      closed[k] = 5 * step >= y->from[k] && 5 * step < y->to[k];
    join(y, closed, u, after, moved);
    find_groups(y, closed, group);
    for (int k = 0; k < y->n; k++)
      charge[group[k]] += y->source[k] * 0.05, capacity[group[k]] += y->c[k];
    for (int k = 0; k < y->n; k++)
      u[k] = after[k] + charge[group[k]] / capacity[group[k]], most = fmax(most, fabs(u[k]));
  }
  for (int k = 0; k < y->n; k++)
    worst->end = fmax(worst->end, fabs(value(rows, rows->n - 1, "u", k) - u[k]) / most);
}

static void same_bits(const Rows *a, const Rows *b, const char *what, const char *text) {
  if (a->n != b->n)
    fail_msg("%s: %zu and %zu rows\n%s", what, a->n, b->n, text);
  for (size_t k = 0; k < a->n * a->width; k++)
    if (memcmp(&a->at[k], &b->at[k], sizeof *a->at))
      fail_msg("%s: row %zu column %zu: %.17g and %.17g\n%s", what, k / a->width, k % a->width,
               a->at[k], b->at[k], text);
}

static void one_network(const Network *y, Errors *worst) {
  char *text = network_text(y);
  Fix tcc = open_model(text, NU_CODE_TCC), eval = open_model(text, NU_CODE_EVAL);
  for (int s = 0; s < SOLVERS; s++) {
    Rows a = {0}, b = {0};
    NuRun *p = simulate(&tcc, solvers[s], &a, text), *q = simulate(&eval, solvers[s], &b, text);
    same_bits(&a, &b, solvers[s], text);
    check_jumps(y, &a, &worst[s], text);
    check_end(y, &a, &worst[s]);
    nu_run_free(p), nu_run_free(q);
    free(a.at), free(b.at);
  }
  close_model(&tcc), close_model(&eval);
  free(text);
}

static void test_networks(void **state) {
  (void)state;
  random_state = 3;
  for (Form form = 0; form < FORMS; form++) {
    Errors worst[SOLVERS] = {{0}};
    for (int round = 0; round < times_over(8); round++) {
      Network y = random_network(form);
      one_network(&y, worst);
    }
    for (int s = 0; s < SOLVERS; s++)
      print_message("networks, form %d, %s: errors of means %.1e charge %.1e areas %.1e end %.1e\n",
                    (int)form, solvers[s], worst[s].mean, worst[s].charge, worst[s].area,
                    worst[s].end);
    for (int s = 0; s < SOLVERS; s++) {
      assert_true(worst[s].mean < 1e-11 && worst[s].charge < 1e-12 && worst[s].area < 1e-11);
      assert_true(worst[s].end < 1e-7);
    }
  }
}

/* ---- carts ---- */

typedef struct {
  int n;
  double m[NODES], x[NODES], v[NODES];
} Carts;

static Carts random_carts(void) {
  Carts y = {.n = 2 + below(NODES - 2)};
  double x = 0;
  for (int k = 0; k < y.n; k++) {
    y.m[k] = pow(10, 2 * uniform()), y.v[k] = 3 * uniform();
    y.x[k] = x, x += 0.1 + 0.3 * (1 + uniform());
  }
  return y;
}

static char *carts_text(const Carts *y) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  fprintf(out, "model M Real x[%d](start = {", y->n);
  for (int k = 0; k < y->n; k++)
    fprintf(out, "%s%.17g", k ? ", " : "", y->x[k]);
  fprintf(out, "}, each fixed = true), v[%d](start = {", y->n);
  for (int k = 0; k < y->n; k++)
    fprintf(out, "%s%.17g", k ? ", " : "", y->v[k]);
  fprintf(out,
          "}, each fixed = true), F[%d]; Boolean on[%d](each start = false, each fixed = "
          "true);\nequation der(x) = v;\n",
          y->n - 1, y->n - 1);
  for (int k = 0; k < y->n; k++) {
    fprintf(out, "%.17g*der(v[%d]) =", y->m[k], k + 1);
    if (k > 0)
      fprintf(out, " F[%d]", k);
    if (k < y->n - 1)
      fprintf(out, " - F[%d]", k + 1);
    fputs(";\n", out);
  }
  fprintf(out,
          "for k in 1:%d loop on[k] = x[k] >= x[k + 1] or pre(on[k]); if on[k] then x[k] = x[k + "
          "1]; else F[k] = 0; end if; end for;\nend M;\n",
          y->n - 1);
  fclose(out);
  return text;
}

/* Where they are at time 1: from one meeting to the next. */
static void move_carts(const Carts *start, Carts *y) {
  bool on[NODES] = {false};
  *y = *start;
  for (double t = 0; t < 1;) {
    double step = 1 - t;
    int next = -1;
    for (int k = 0; k + 1 < y->n; k++) {
      double closing = y->v[k] - y->v[k + 1], when = (y->x[k + 1] - y->x[k]) / closing;
      if (!on[k] && closing > 0 && when < step)
        step = when, next = k;
    }
    for (int k = 0; k < y->n; k++)
      y->x[k] += y->v[k] * step;
    t = next < 0 ? 1 : t + step;
    if (next < 0)
      continue;
    on[next] = true;
    int first = next, last = next + 1;
    for (; first > 0 && on[first - 1]; first--)
      ;
    for (; last < y->n - 1 && on[last]; last++)
      ;
    double momentum = 0, mass = 0;
    for (int k = first; k <= last; k++)
      momentum += y->m[k] * y->v[k], mass += y->m[k];
    for (int k = first; k <= last; k++)
      y->v[k] = momentum / mass;
  }
}

static void test_carts(void **state) {
  (void)state;
  random_state = 4;
  Errors worst[SOLVERS] = {{0}};
  for (int round = 0; round < times_over(12); round++) {
    Carts start = random_carts(), end;
    char *text = carts_text(&start);
    Fix tcc = open_model(text, NU_CODE_TCC), eval = open_model(text, NU_CODE_EVAL);
    move_carts(&start, &end);
    double momentum = 0, size = 0;
    for (int k = 0; k < start.n; k++)
      momentum += start.m[k] * start.v[k], size += fabs(start.m[k] * start.v[k]);
    for (int s = 0; s < SOLVERS; s++) {
      Rows a = {0}, b = {0};
      NuRun *p = simulate(&tcc, solvers[s], &a, text), *q = simulate(&eval, solvers[s], &b, text);
      same_bits(&a, &b, solvers[s], text);
      for (size_t r = 0; r < a.n; r++) {
        double now = 0;
        for (int k = 0; k < start.n; k++)
          now += start.m[k] * value(&a, r, "v", k);
        worst[s].charge = fmax(worst[s].charge, fabs(now - momentum) / size);
      }
      for (int k = 0; k < start.n; k++) {
        worst[s].end = fmax(worst[s].end, fabs(value(&a, a.n - 1, "x", k) - end.x[k]));
        worst[s].mean = fmax(worst[s].mean, fabs(value(&a, a.n - 1, "v", k) - end.v[k]));
        if (fabs(value(&a, a.n - 1, "v", k) - end.v[k]) > 1e-3)
          fail_msg("%s: v[%d] = %.17g instead of %.17g\n%s", solvers[s], k + 1,
                   value(&a, a.n - 1, "v", k), end.v[k], text);
      }
      nu_run_free(p), nu_run_free(q);
      free(a.at), free(b.at);
    }
    close_model(&tcc), close_model(&eval);
    free(text);
  }
  for (int s = 0; s < SOLVERS; s++) {
    print_message("carts, %s: errors of momentum %.1e speeds %.1e places %.1e\n", solvers[s],
                  worst[s].charge, worst[s].mean, worst[s].end);
    assert_true(worst[s].charge < 1e-12 && worst[s].mean < 1e-7 && worst[s].end < 1e-6);
  }
}

/* ---- threads ---- */

typedef struct {
  const Fix *f;
  const char *solver, *text;
  Rows rows;
  NuRun *run;
} Job;

static void *work(void *user) {
  Job *j = user;
  NuRunOptions o = nu_run_options();
  choose(&o, j->solver);
  o.row = keep, o.row_user = &j->rows;
  if (nu_run_new(j->f->program, &o, &j->run) != NU_OK)
    return NULL;
  j->rows.width = nu_run_columns(j->run, &j->rows.names) + 1;
  return nu_run_simulate(j->run) == NU_OK ? j : NULL;
}

static void test_threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  random_state = 9;
  for (int round = 0; round < times_over(4); round++) {
    Network y = random_network((Form)(round % FORMS));
    char *text = network_text(&y);
    for (NuCode code = NU_CODE_TCC; code <= NU_CODE_EVAL; code += NU_CODE_EVAL - NU_CODE_TCC) {
      Fix f = open_model(text, code);
      pthread_t threads[THREADS];
      Job jobs[THREADS];
      memset(jobs, 0, sizeof jobs);
      for (int k = 0; k < THREADS; k++) {
        jobs[k].f = &f, jobs[k].solver = solvers[k % 2], jobs[k].text = text;
        assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
      }
      for (int k = 0; k < THREADS; k++) {
        void *end;
        pthread_join(threads[k], &end);
        if (!end)
          fail_msg("%s\n%s", messages, text);
      }
      for (int k = 0; k < THREADS; k++) {
        same_bits(&jobs[k].rows, &jobs[k % 2].rows, "threads", text);
        nu_run_free(jobs[k].run);
      }
      for (int k = 0; k < THREADS; k++)
        free(jobs[k].rows.at);
      close_model(&f);
    }
    free(text);
  }
}

/* ---- one program, other parameters ---- */

static void test_parameters(void **state) {
  (void)state;
  const char *text = "model M parameter Real C = 1, D = 3, at = 0.5, m = 2; Real a(start = 10, "
                     "fixed = true), b(start = 2, fixed = true), i;"
                     " discrete Real q(start = 0, fixed = true); equation C*der(a) = -i; D*der(b) "
                     "= i; if time > at and m > 1 then a = m*b; else i = 0; end if;"
                     " when abs(impulse(i)) > 0 then q = impulse(i); end when; end M;";
  Fix f = open_model(text, NU_CODE_TCC);
  random_state = 12;
  for (int round = 0; round < times_over(20); round++) {
    double c = pow(10, uniform()), d = pow(10, uniform()), m = round % 5 ? 1.5 + uniform() : 1,
           at = 0.5 + 0.4 * uniform();
    char set[4][60];
    const char *const list[] = {set[0], set[1], set[2], set[3]};
    snprintf(set[0], sizeof set[0], "C=%.17g", c), snprintf(set[1], sizeof set[1], "D=%.17g", d);
    snprintf(set[2], sizeof set[2], "m=%.17g", m), snprintf(set[3], sizeof set[3], "at=%.17g", at);
    NuRunOptions o = nu_run_options();
    choose(&o, solvers[round % SOLVERS]);
    o.parameters = list, o.n_parameters = 4;
    NuRun *r;
    double a, b, q;
    assert_int_equal(nu_run_new(f.program, &o, &r), NU_OK);
    if (nu_run_simulate(r) != NU_OK)
      fail_msg("%s", messages);
    assert_true(nu_run_get(r, "a", &a) == NU_OK && nu_run_get(r, "b", &b) == NU_OK &&
                nu_run_get(r, "q", &q) == NU_OK);
    /* the pulse i enters C a' = -i and D b' = i, so that C a + D b is kept */
    double after = m > 1 ? (10 * c + 2 * d) / (c * m + d) : 2;
    assert_true(fabs(b - after) < 1e-12 * (10 + after) &&
                fabs(a - (m > 1 ? m * after : 10)) < 1e-11 &&
                fabs(q - d * (after - 2)) < 1e-11 * (1 + d));
    nu_run_free(r);
  }
  assert_int_equal(nu_program_info(f.program).structures, 2);
  NuRunOptions o = nu_run_options();
  NuRun *r;
  o.solver = "ida", o.formulation = NU_FORM_DAE;
  assert_int_equal(nu_run_new(f.program, &o, &r), NU_USAGE);
  assert_non_null(strstr(
      messages, "A001: the formulation `dae` cannot be used for a model whose equations change"));
  close_model(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_networks), cmocka_unit_test(test_carts),
                                     cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_parameters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
