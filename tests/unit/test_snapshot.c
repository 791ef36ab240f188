/* tests/unit/test_snapshot.c -- runs in pieces, and runs that go back: every row and every value
 * must come again, bit for bit (multistep methods: within the tolerance). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "messages_fixture.h"
#include "run_models.h"

/* ---- fixture ---- */

typedef struct {
  NuSession *session;
  NuProgram *program;
  size_t n; /* variables */
} Fix;

static Fix open_model(const char *text) {
  Fix f = {0};
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  assert_int_equal(nu_session_new(&so, &f.session), NU_OK);
  if (nu_load_text(f.session, "M.mo", text, strlen(text)) != NU_OK ||
      nu_compile(f.session, &(NuTarget){.code = NU_CODE_TCC}, &f.program) != NU_OK)
    fail_msg("%s", messages);
  f.n = nu_program_info(f.program).n_variables;
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

static NuRun *new_run(const Fix *f, const Model *m, const char *solver, Rows *rows) {
  NuRunOptions o = nu_run_options();
  o.stop = m->stop, o.intervals = 60, o.solver = solver, o.solver_step = m->stop / 500;
  o.row = keep, o.row_user = rows;
  NuRun *r;
  if (nu_run_new(f->program, &o, &r) != NU_OK)
    fail_msg("%s", messages);
  const char *const *names;
  rows->width = nu_run_columns(r, &names) + 1;
  rows->n = 0;
  return r;
}

static void ok(const Model *m, const char *solver, NuStatus status) {
  if (status != NU_OK)
    fail_msg("%s with %s: %s: %s", m->name, solver, nu_status_name(status), messages);
}

/* Values of all variables, and texts. */
static double *all_values(const Fix *f, NuRun *r) {
  double *v = calloc(f->n + 1, sizeof *v);
  for (size_t i = 0; i < f->n; i++) {
    NuVariable var;
    nu_program_variable(f->program, i, &var);
    assert_int_equal(nu_run_get(r, var.name, &v[i]), NU_OK);
  }
  return v;
}

static void same_values(const Model *m, const char *solver, const Fix *f, NuRun *r,
                        const double *expected) {
  double *v = all_values(f, r);
  for (size_t i = 0; i < f->n; i++) {
    NuVariable var;
    nu_program_variable(f->program, i, &var);
    if (memcmp(&v[i], &expected[i], sizeof *v))
      fail_msg("%s with %s: %s is %.17g instead of %.17g", m->name, solver, var.name, v[i],
               expected[i]);
  }
  free(v);
}

static void same_rows(const Model *m, const char *solver, const Rows *a, const Rows *b,
                      size_t from) {
  size_t w = a->width;
  if (a->n + from != b->n)
    fail_msg("%s with %s: %zu rows instead of %zu", m->name, solver, a->n, b->n - from);
  for (size_t k = 0; k < a->n; k++)
    for (size_t c = 0; c < w; c++)
      if (memcmp(&a->at[k * w + c], &b->at[(k + from) * w + c], sizeof *a->at))
        fail_msg("%s with %s: row %zu, column %zu is %.17g instead of %.17g", m->name, solver, k, c,
                 a->at[k * w + c], b->at[(k + from) * w + c]);
}

static bool multistep(const char *solver) {
  return !strcmp(solver, "cvode") || !strcmp(solver, "ida");
}

static unsigned seed = 1;
static double chance(void) {
  seed = seed * 1664525u + 1013904223u;
  return (double)(seed >> 8) / (1 << 24);
}

static const char *const solvers[] = {"auto",  "rk45",       "rkf45", "rk4",
                                      "euler", "rosenbrock", "cvode", "ida"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* Explicit methods with a fixed step are no good for the stiff one. */
static bool suits(const Model *m, const char *solver) {
  return strcmp(m->name, "stiff") || (strcmp(solver, "euler") && strcmp(solver, "rk4"));
}

/* ---- pieces ---- */

static void in_pieces(const Model *m, const char *solver, const Fix *f, const Rows *whole,
                      const double *last) {
  Rows rows = {0};
  NuRun *r = new_run(f, m, solver, &rows);
  double reached = 0, end = whole->at[(whole->n - 1) * whole->width];
  ok(m, solver, nu_run_start(r));
  for (int k = 1; k <= 211; k++) {
    double until = k == 211 ? m->stop : m->stop * (k + chance() - 0.5) / 211;
    ok(m, solver, nu_run_advance(r, until, &reached));
    assert_true(reached == fmin(until, end) ||
                (reached == nu_run_stats(r).time && reached < until));
  }
  assert_true(reached == end);
  ok(m, solver, nu_run_end(r));
  same_rows(m, solver, &rows, whole, 0);
  same_values(m, solver, f, r, last);
  nu_run_free(r);
  free(rows.at);
}

/* ---- back and forth ---- */

enum { MOST_POINTS = 24, FEW_POINTS = 8 };

/* Times of events, and some in between; ascending. */
static int choose_times(const Rows *whole, double *times) {
  int n = 0, events = 0, most = getenv("NUSIM_TORTURE") ? MOST_POINTS : FEW_POINTS;
  double end = whole->at[(whole->n - 1) * whole->width];
  for (size_t k = 1; k < whole->n && events < most / 2; k++) {
    double t = whole->at[k * whole->width];
    if (t == whole->at[(k - 1) * whole->width] && (!n || times[n - 1] < t))
      times[n++] = t, events++;
  }
  while (n < most)
    times[n++] = chance() * end;
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && times[k] < times[k - 1]; k--) {
      double t = times[k];
      times[k] = times[k - 1], times[k - 1] = t;
    }
  return n;
}

static void close_to(const Model *m, const char *solver, const Fix *f, NuRun *r,
                     const double *expected) {
  double *v = all_values(f, r);
  for (size_t i = 0; i < f->n; i++) {
    NuVariable var;
    nu_program_variable(f->program, i, &var);
    if (!var.is_state)
      continue;
    if (!(fabs(v[i] - expected[i]) <= 1e-3 * (1 + fabs(expected[i]))))
      fail_msg("%s with %s: %s is %.17g instead of %.17g", m->name, solver, var.name, v[i],
               expected[i]);
  }
  free(v);
}

typedef struct {
  NuSnapshot *s;
  size_t rows;
  double *values;
} Point;

static void go_back(const Model *m, const char *solver, const Fix *f, const Rows *whole,
                    const double *last) {
  Rows rows = {0}, again = {0};
  double times[MOST_POINTS];
  Point points[MOST_POINTS];
  int n = choose_times(whole, times);
  NuRun *r = new_run(f, m, solver, &rows);
  ok(m, solver, nu_run_start(r));
  for (int k = 0; k < n; k++) {
    ok(m, solver, nu_run_advance(r, times[k], NULL));
    ok(m, solver, nu_run_snapshot(r, &points[k].s));
    points[k].rows = rows.n;
    points[k].values = all_values(f, r);
  }
  ok(m, solver, nu_run_advance(r, m->stop, NULL));
  /* taking them has changed nothing */
  if (!strstr(m->text, "terminal"))
    same_rows(m, solver, &rows, whole, 0);
  for (int k = 0; k < 2 * n; k++) {
    Point *p = &points[k < n ? k : (int)(chance() * n)];
    ok(m, solver, nu_run_restore(r, p->s));
    if (!multistep(solver))
      same_values(m, solver, f, r, p->values);
    rows.n = 0;
    if (k % 3 == 0) { /* also in pieces */
      double t = nu_run_stats(r).time;
      ok(m, solver, nu_run_advance(r, t + 0.1 * chance() * (m->stop - t), NULL));
    }
    ok(m, solver, nu_run_advance(r, m->stop, NULL));
    if (strstr(m->text, "terminal"))
      continue;
    if (multistep(solver))
      close_to(m, solver, f, r, last);
    else {
      same_rows(m, solver, &rows, whole, p->rows);
      same_values(m, solver, f, r, last);
    }
  }
  /* into a run that has not begun, when the first one is gone */
  Point *p = &points[n / 2];
  nu_run_free(r);
  NuRun *fresh = new_run(f, m, solver, &again);
  if (!strcmp(m->name, "tables")) {
    assert_int_equal(nu_run_restore(fresh, p->s), NU_USAGE);
    assert_non_null(strstr(messages, "A001: the snapshot holds external objects"));
    messages[0] = 0;
  } else {
    ok(m, solver, nu_run_restore(fresh, p->s));
    ok(m, solver, nu_run_advance(fresh, m->stop, NULL));
    ok(m, solver, nu_run_end(fresh));
    if (multistep(solver))
      close_to(m, solver, f, fresh, last);
    else {
      same_rows(m, solver, &again, whole, p->rows);
      same_values(m, solver, f, fresh, last);
    }
  }
  nu_run_free(fresh);
  for (int k = 0; k < n; k++)
    nu_snapshot_free(points[k].s), free(points[k].values);
  free(rows.at), free(again.at);
}

static void all_models(void **state) {
  (void)state;
  for (size_t k = 0; k < MODELS; k++) {
    const Model *m = &models[k];
    Fix f = open_model(m->text);
    for (size_t q = 0; q < SOLVERS; q++) {
      Rows whole = {0};
      if (!suits(m, solvers[q]))
        continue;
      NuRun *r = new_run(&f, m, solvers[q], &whole);
      ok(m, solvers[q], nu_run_simulate(r));
      double *last = all_values(&f, r);
      in_pieces(m, solvers[q], &f, &whole, last);
      go_back(m, solvers[q], &f, &whole, last);
      nu_run_free(r);
      free(last), free(whole.at);
    }
    close_model(&f);
  }
}

/* ---- before the start, and two at a time ---- */

static void before_the_start(void **state) {
  (void)state;
  const Model *m = &models[2];
  Fix f = open_model(m->text);
  Rows whole = {0}, rows = {0};
  NuRun *a = new_run(&f, m, "auto", &whole), *b = new_run(&f, m, "auto", &rows);
  NuSnapshot *s;
  ok(m, "auto", nu_run_simulate(a));
  ok(m, "auto", nu_run_snapshot(b, &s));
  for (int k = 0; k < 3; k++) {
    rows.n = 0;
    ok(m, "auto", nu_run_start(b));
    ok(m, "auto", nu_run_advance(b, k == 0 ? m->stop / 3 : m->stop, NULL));
    if (k > 0)
      same_rows(m, "auto", &rows, &whole, 0);
    ok(m, "auto", nu_run_restore(b, s));
  }
  double v;
  assert_int_equal(nu_run_get(b, "x", &v), NU_USAGE);
  nu_snapshot_free(s);
  nu_run_free(a), nu_run_free(b);
  free(whole.at), free(rows.at);
  close_model(&f);
}

static void interleaved(void **state) {
  (void)state;
  for (size_t k = 0; k < 4; k++) {
    const Model *m = &models[k];
    Fix f = open_model(m->text);
    Rows whole = {0}, rows[2] = {{0}, {0}};
    NuRun *r = new_run(&f, m, "auto", &whole), *two[2];
    NuSnapshot *s;
    ok(m, "auto", nu_run_simulate(r));
    for (int q = 0; q < 2; q++) {
      two[q] = new_run(&f, m, "auto", &rows[q]);
      ok(m, "auto", nu_run_start(two[q]));
    }
    for (int step = 1; step <= 50; step++)
      for (int q = 0; q < 2; q++) {
        ok(m, "auto", nu_run_advance(two[q], m->stop * step / 50, NULL));
        /* the values of the other one are not touched */
        if (step == 20 && q == 1) {
          size_t before = rows[1].n;
          ok(m, "auto", nu_run_snapshot(two[0], &s));
          ok(m, "auto", nu_run_restore(two[1], s));
          assert_int_equal(rows[1].n, before);
          nu_snapshot_free(s);
        }
      }
    for (int q = 0; q < 2; q++) {
      ok(m, "auto", nu_run_end(two[q]));
      same_rows(m, "auto", &rows[q], &whole, 0);
      nu_run_free(two[q]);
      free(rows[q].at);
    }
    nu_run_free(r);
    free(whole.at);
    close_model(&f);
  }
}

/* ---- what is refused ---- */

static void refuse(NuStatus status, const char *text) {
  assert_int_equal(status, NU_USAGE);
  if (!strstr(messages, text))
    fail_msg("`%s` instead of `%s`", messages, text);
  messages[0] = 0;
}

static void order(void **state) {
  (void)state;
  const Model *m = &models[0];
  Fix f = open_model(m->text);
  Rows rows = {0};
  NuRun *r = new_run(&f, m, "auto", &rows);
  NuSnapshot *s, *none;
  refuse(nu_run_advance(r, 1, NULL),
         "A004: nu_run_advance is not possible now: the run has not begun");
  refuse(nu_run_end(r), "A004");
  ok(m, "auto", nu_run_start(r));
  refuse(nu_run_start(r), "A004: nu_run_start is not possible now: the run is under way");
  refuse(nu_run_simulate(r), "A004");
  ok(m, "auto", nu_run_advance(r, 1, NULL));
  refuse(nu_run_advance(r, 0.5, NULL), "A001: the run is at time 1 and cannot go back to 0.5");
  refuse(nu_run_advance(r, NAN, NULL), "A001");
  ok(m, "auto", nu_run_snapshot(r, &s));
  nu_run_interrupt(r);
  assert_int_equal(nu_run_advance(r, 2, NULL), NU_INTERRUPTED);
  refuse(nu_run_advance(r, 2, NULL),
         "A004: nu_run_advance is not possible now: the run has failed");
  refuse(nu_run_snapshot(r, &none), "A004");
  assert_null(none);
  ok(m, "auto", nu_run_restore(r, s));
  ok(m, "auto", nu_run_advance(r, INFINITY, NULL));
  assert_true(nu_run_stats(r).time == m->stop);
  ok(m, "auto", nu_run_end(r));
  refuse(nu_run_end(r), "A004");
  refuse(nu_run_restore(r, s), "A004: nu_run_restore is not possible now: the run has ended");
  nu_run_free(r);

  /* runs that the snapshot does not fit */
  NuRunOptions o = nu_run_options();
  o.stop = 1;
  assert_int_equal(nu_run_new(f.program, &o, &r), NU_OK);
  refuse(nu_run_restore(r, s), "A001: the snapshot belongs to a run with other times");
  nu_run_free(r);
  Fix other = open_model(models[3].text);
  r = new_run(&other, &models[3], "auto", &rows);
  refuse(nu_run_restore(r, s), "A001: the snapshot belongs to a run of another program");
  nu_run_free(r);
  close_model(&other);

  /* rows in a file stay there */
  char path[] = "/tmp/nusim-snapshot-XXXXXX";
  int fd = mkstemp(path);
  close(fd);
  o.csv = path;
  assert_int_equal(nu_run_new(f.program, &o, &r), NU_OK);
  ok(m, "auto", nu_run_start(r));
  nu_snapshot_free(s);
  ok(m, "auto", nu_run_snapshot(r, &s));
  ok(m, "auto", nu_run_restore(r, s));
  ok(m, "auto", nu_run_advance(r, 0.5, NULL));
  refuse(nu_run_restore(r, s), "A004: nu_run_restore is not possible now: rows after the snapshot");
  ok(m, "auto", nu_run_end(r));
  nu_run_free(r);
  unlink(path);
  nu_snapshot_free(s);
  nu_snapshot_free(NULL);
  free(rows.at);
  close_model(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_models),
                                     cmocka_unit_test(before_the_start),
                                     cmocka_unit_test(interleaved), cmocka_unit_test(order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
