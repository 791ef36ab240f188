/* tests/unit/test_api.c -- the public interface: sessions, diagnostics as data, exhausted
 * memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "nusim.h"

typedef struct {
  unsigned n;
  char code[8], file[64], text[2000], json[2000];
  NuPlace place;
  size_t n_labels;
  bool has_help;
} Seen;

/* Keeps the last diagnostic. */
static void keep(void *user, const NuDiagnostic *d) {
  Seen *s = user;
  s->n++;
  snprintf(s->code, sizeof s->code, "%s", d->code);
  snprintf(s->file, sizeof s->file, "%s", d->place.file ? d->place.file : "");
  s->place = d->place;
  s->n_labels = d->n_labels;
  s->has_help = d->help != NULL;
  char *text = nu_diagnostic_text(d, false), *json = nu_diagnostic_json(d);
  snprintf(s->text, sizeof s->text, "%s", text ? text : "");
  snprintf(s->json, sizeof s->json, "%s", json ? json : "");
  nu_free(text);
  nu_free(json);
}

static NuSession *open_session(Seen *seen, size_t limit) {
  *seen = (Seen){0};
  NuSessionOptions options = nu_session_options();
  options.sink = keep;
  options.sink_user = seen;
  options.memory_limit = limit;
  NuSession *s = NULL;
  nu_session_new(&options, &s);
  return s;
}

static const char ball[] = "model Ball\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "  parameter Real e = 0.8;\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -9.81;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -e*pre(v));\n"
                           "  end when;\n"
                           "end Ball;\n";

static void statuses(void **state) {
  (void)state;
  assert_int_equal(nu_exit_code(NU_OK), 0);
  assert_int_equal(nu_exit_code(NU_MODEL_ERROR), 1);
  assert_int_equal(nu_exit_code(NU_USAGE), 2);
  assert_int_equal(nu_exit_code(NU_INIT_FAILED), 3);
  assert_int_equal(nu_exit_code(NU_RUN_FAILED), 4);
  assert_int_equal(nu_exit_code(NU_LIMIT), 5);
  assert_int_equal(nu_exit_code(NU_MEMORY), 5);
  assert_int_equal(nu_exit_code(NU_FILE), 6);
  assert_int_equal(nu_exit_code(NU_INTERRUPTED), 130);
}

static void codes(void **state) {
  (void)state;
  const char *code = NULL, *title = NULL;
  size_t n = 0;
  for (; nu_code(n, &code, &title); n++)
    assert_non_null(nu_explain(code));
  assert_true(n > 50);
  assert_null(nu_explain("Z999"));
  const char *const words[] = {"stop", "start", "step"};
  const char *best = NULL;
  assert_int_equal(nu_nearest("stpo", words, 3, &best, 1), 1);
  assert_string_equal(best, "stop");
}

static void diagnostics(void **state) {
  (void)state;
  Seen seen;
  NuSession *s = open_session(&seen, 0);
  static const char bad[] = "model Bad\n  Real x = ;\nend Bad;\n";
  assert_int_equal(nu_load_text(s, "Bad.mo", bad, strlen(bad)), NU_MODEL_ERROR);
  assert_int_equal(seen.n, 1);
  assert_string_equal(seen.file, "Bad.mo");
  assert_int_equal(seen.place.line, 2);
  assert_int_equal(seen.code[0], 'P');
  assert_non_null(strstr(seen.text, "Bad.mo:2:"));
  assert_non_null(strstr(seen.json, "\"line\":2"));
  assert_int_equal(nu_load_file(s, "no/such/file.mo"), NU_FILE);
  assert_string_equal(seen.code, "L001");
  assert_int_equal(seen.n, 2);
  const char *class_name = "x";
  assert_int_equal(nu_load_target(s, "No.Such.Class", &class_name), NU_FILE);
  assert_null(class_name);
  nu_session_free(s);
  nu_session_free(NULL);
}

static void models(void **state) {
  (void)state;
  Seen seen;
  NuSession *s = open_session(&seen, 0);
  assert_int_equal(nu_load_text(s, "Ball.mo", ball, strlen(ball)), NU_OK);
  NuTarget target = {0};
  NuCheck check;
  for (int i = 0; i < 2; i++) { /* asking twice gives the same */
    assert_int_equal(nu_check(s, &target, &check), NU_OK);
    assert_true(check.counted);
    assert_string_equal(check.class_name, "Ball");
    assert_int_equal(check.equations, 2);
    assert_int_equal(check.unknowns, 2);
    assert_int_equal(check.states_declared, 2);
    assert_int_equal(check.parameters, 1);
    assert_int_equal(check.relations, 1);
    assert_int_equal(check.when_clauses, 1);
  }
  char *text = NULL, *again = NULL;
  assert_int_equal(nu_flatten(s, &target, false, &text), NU_OK);
  assert_non_null(strstr(text, "Ball"));
  /* flat text is Modelica: it can be loaded and gives itself */
  NuSession *second = open_session(&seen, 0);
  assert_int_equal(nu_load_text(second, "flat", text, strlen(text)), NU_OK);
  assert_int_equal(nu_flatten(second, &target, false, &again), NU_OK);
  assert_string_equal(text, again);
  nu_free(text);
  nu_free(again);
  nu_session_free(second);
  assert_int_equal(seen.n, 0);

  target.class_name = "Nothing";
  assert_int_equal(nu_check(s, &target, &check), NU_MODEL_ERROR);
  assert_int_equal(nu_flatten(s, &target, false, &text), NU_MODEL_ERROR);
  assert_null(text);
  nu_session_free(s);
}

static void forms(void **state) {
  (void)state;
  Seen seen;
  NuSession *s = open_session(&seen, 0);
  assert_int_equal(nu_load_text(s, "Ball.mo", ball, strlen(ball)), NU_OK);
  NuTarget target = {.class_name = "Ball"};
  char *text = NULL;
  for (NuDump form = NU_DUMP_INSTANCE; form <= NU_DUMP_C; form++) {
    assert_int_equal(nu_dump(s, &target, form, &text), NU_OK);
    assert_true(strlen(text) > 20);
    nu_free(text);
  }
  for (NuDump form = NU_DUMP_TOKENS; form <= NU_DUMP_AST; form++) {
    assert_int_equal(nu_dump_source(s, "Ball.mo", ball, form, &text), NU_OK);
    assert_true(strlen(text) > 20);
    nu_free(text);
  }
  assert_int_equal(nu_dump(s, &target, NU_DUMP_AST, &text), NU_USAGE);
  assert_int_equal(nu_format(s, "Ball.mo", "model A end A;", &text), NU_OK);
  assert_non_null(strstr(text, "model A"));
  nu_free(text);
  assert_int_equal(nu_format(s, "Ball.mo", "model A", &text), NU_MODEL_ERROR);
  assert_null(text);
  nu_session_free(s);
}

typedef struct {
  unsigned rows;
  unsigned stop_after; /* 0: never */
  double last_time, last_value;
} Rows;

static bool count_row(void *user, double time, const double *values) {
  Rows *r = user;
  r->last_time = time;
  r->last_value = values[0];
  return ++r->rows != r->stop_after;
}

static void runs(void **state) {
  (void)state;
  Seen seen;
  NuSession *s = open_session(&seen, 0);
  assert_int_equal(nu_load_text(s, "Ball.mo", ball, strlen(ball)), NU_OK);
  NuTarget target = {.class_name = "Ball"};
  NuProgram *p = NULL;
  assert_int_equal(nu_compile(s, &target, &p), NU_OK);
  assert_int_equal(nu_program_info(p).n_states, 2);
  size_t h = 0;
  NuVariable v;
  assert_true(nu_program_find(p, "h", &h));
  assert_true(nu_program_variable(p, h, &v));
  assert_true(v.is_state && v.type == NU_REAL && v.variability == NU_CONTINUOUS);
  assert_false(nu_program_find(p, "hh", &h));

  /* Two runs of one program: each with its own values. */
  static const char *const bouncy[] = {"e=1"}, *const only_h[] = {"h"};
  NuRunOptions options = nu_run_options();
  Rows rows[2] = {{0}, {0}};
  options.stop = 2;
  options.intervals = 100;
  options.event_rows = NU_ROWS_NONE;
  options.variables = only_h;
  options.n_variables = 1;
  options.row = count_row;
  NuRun *runs[2] = {0};
  for (int i = 0; i < 2; i++) {
    options.row_user = &rows[i];
    options.parameters = bouncy;
    options.n_parameters = i == 1;
    assert_int_equal(nu_run_new(p, &options, &runs[i]), NU_OK);
  }
  for (int i = 1; i >= 0; i--)
    assert_int_equal(nu_run_simulate(runs[i]), NU_OK);
  /* without loss the ball is where it was after each double fall time */
  double fall = sqrt(2 / 9.81), t = fmod(2 + fall, 2 * fall) - fall, value = 0;
  assert_true(fabs(rows[1].last_value - (1 - 9.81 / 2 * t * t)) < 1e-4);
  assert_true(rows[1].last_value > rows[0].last_value);
  assert_int_equal(nu_run_stats(runs[1]).state_events, 2);
  assert_true(rows[0].last_time == 2);
  assert_int_equal(rows[0].rows, 101);
  assert_int_equal(nu_run_get(runs[1], "h", &value), NU_OK);
  assert_true(value == rows[1].last_value);
  assert_int_equal(seen.n, 0);
  assert_int_equal(nu_run_get(runs[1], "x", &value), NU_USAGE);
  assert_string_equal(seen.code, "A002");
  assert_int_equal(nu_run_simulate(runs[1]), NU_USAGE);
  assert_string_equal(seen.code, "A004");
  for (int i = 0; i < 2; i++)
    nu_run_free(runs[i]);
  nu_program_free(p);
  nu_session_free(s);
}

static void runs_that_end_early(void **state) {
  (void)state;
  Seen seen;
  NuSession *s = open_session(&seen, 0);
  assert_int_equal(nu_load_text(s, "Ball.mo", ball, strlen(ball)), NU_OK);
  NuTarget target = {.class_name = "Ball"};
  NuProgram *p = NULL;
  NuRun *r = NULL;
  Rows rows = {.stop_after = 5};
  assert_int_equal(nu_compile(s, &target, &p), NU_OK);
  NuRunOptions options = nu_run_options();
  options.row = count_row;
  options.row_user = &rows;
  assert_int_equal(nu_run_new(p, &options, &r), NU_OK);
  assert_int_equal(nu_run_simulate(r), NU_INTERRUPTED);
  assert_int_equal(rows.rows, 5);
  nu_run_free(r);

  options.row = NULL;
  assert_int_equal(nu_run_new(p, &options, &r), NU_OK);
  nu_run_interrupt(r);
  assert_int_equal(nu_run_simulate(r), NU_INTERRUPTED);
  nu_run_free(r);

  options.max_events = 1;
  options.stop = 3;
  assert_int_equal(nu_run_new(p, &options, &r), NU_OK);
  assert_int_equal(nu_run_simulate(r), NU_LIMIT);
  nu_run_free(r);

  static const char *const wrong[] = {"nothing=1"};
  options.starts = wrong;
  options.n_starts = 1;
  assert_int_equal(nu_run_new(p, &options, &r), NU_USAGE);
  assert_string_equal(seen.code, "A002");
  options = nu_run_options();
  options.solver = "none";
  assert_int_equal(nu_run_new(p, &options, &r), NU_USAGE);
  options = nu_run_options();
  options.step = 0.3;
  assert_int_equal(nu_run_new(p, &options, &r), NU_USAGE);
  options = nu_run_options();
  options.csv = "/no/such/directory/file.csv";
  assert_int_equal(nu_run_new(p, &options, &r), NU_FILE);
  assert_string_equal(seen.code, "F001");
  nu_program_free(p);
  nu_session_free(s);
}

static void results(void **state) {
  (void)state;
  Seen seen;
  NuSession *s = open_session(&seen, 0);
  char path[] = "/tmp/nusim-api-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(nu_load_text(s, "Ball.mo", ball, strlen(ball)), NU_OK);
  NuTarget target = {.class_name = "Ball"};
  NuProgram *p = NULL;
  NuRun *r = NULL;
  assert_int_equal(nu_compile(s, &target, &p), NU_OK);
  NuRunOptions options = nu_run_options();
  options.csv = path;
  options.intervals = 10;
  assert_int_equal(nu_run_new(p, &options, &r), NU_OK);
  assert_int_equal(nu_run_simulate(r), NU_OK);
  uint64_t rows = nu_run_stats(r).rows;
  nu_run_free(r);
  NuTable table;
  assert_int_equal(nu_table_read(s, path, &table), NU_OK);
  assert_int_equal(table.n_rows, rows);
  assert_int_equal(rows, 13); /* one impact within 1 s */
  assert_string_equal(table.names[0], "time");
  assert_true(table.columns[0][table.n_rows - 1] == 1);
  nu_table_free(&table);
  unlink(path);
  assert_int_equal(nu_table_read(s, path, &table), NU_FILE);
  assert_string_equal(seen.code, "F002");
  nu_program_free(p);
  nu_session_free(s);
}

/* Whatever the limit: a status, K001 and no harm. */
static void exhausted_memory(void **state) {
  (void)state;
  unsigned exhausted = 0;
  for (size_t limit = 1000; limit < 2000000; limit += limit / 8) {
    Seen seen;
    NuSession *s = open_session(&seen, limit);
    if (!s)
      continue;
    NuTarget target = {0};
    NuCheck check;
    NuStatus status = nu_load_text(s, "Ball.mo", ball, strlen(ball));
    if (status == NU_OK)
      status = nu_check(s, &target, &check);
    if (status == NU_MEMORY) {
      exhausted++;
      assert_string_equal(seen.code, "K001");
      assert_non_null(strstr(seen.json, "K001"));
      assert_int_equal(nu_load_text(s, "again", ball, strlen(ball)), NU_MEMORY);
    }
    nu_session_free(s);
  }
  assert_true(exhausted > 0);
}

/* A translation that takes longer than it may ends, with R610; one that does not is not stopped
 * because of what the thread has done before. */
static void late_translation(void **state) {
  (void)state;
  const double limits[] = {1e-9, 1e6};
  for (size_t k = 0; k < 2; k++) {
    Seen seen = {0};
    NuSessionOptions options = nu_session_options();
    options.sink = keep, options.sink_user = &seen;
    options.time_limit = limits[k];
    NuSession *s = NULL;
    NuProgram *p = NULL;
    NuTarget target = {0};
    assert_int_equal(nu_session_new(&options, &s), NU_OK);
    assert_int_equal(nu_load_text(s, "Ball.mo", ball, strlen(ball)), NU_OK);
    assert_int_equal(nu_compile(s, &target, &p), k ? NU_OK : NU_LIMIT);
    if (!k)
      assert_string_equal(seen.code, "R610");
    nu_program_free(p);
    nu_session_free(s);
  }
}

/* ---- what must not wait ---- */

static const char chatter[] = "model Chatter\n"
                              "  Real v(start = 0.2, fixed = true), f;\n"
                              "algorithm\n"
                              "  f := if noEvent(v > 0) then 0.9 else -0.7;\n"
                              "equation\n"
                              "  der(v) = 0.3 - f;\n"
                              "end Chatter;\n";

/* Steps after which something was said. */
typedef struct {
  Seen seen;
  uint64_t steps, first;
} Watched;

static void stop_after(void *user, const NuRun *run) {
  Watched *w = user;
  w->steps = nu_run_stats(run).steps;
  w->first = w->seen.n && !w->first ? w->steps : w->first;
  if (w->steps > 60000)
    nu_run_interrupt((NuRun *)(uintptr_t)run);
}

/* A run that makes tiny steps at a jump without events says so long before it ends, and once. */
static void told_under_way(void **state) {
  (void)state;
  Watched w = {0};
  NuSession *s = open_session(&w.seen, 0);
  assert_int_equal(nu_load_text(s, "chatter.mo", chatter, sizeof chatter - 1), NU_OK);
  NuProgram *program;
  assert_int_equal(nu_compile(s, &(NuTarget){0}, &program), NU_OK);
  NuRunOptions o = nu_run_options();
  o.stop = 100, o.solver = "rk45", o.progress = stop_after, o.progress_user = &w;
  NuRun *r;
  assert_int_equal(nu_run_new(program, &o, &r), NU_OK);
  assert_int_equal(nu_run_simulate(r), NU_INTERRUPTED);
  assert_in_range(w.first, 1, 20000);
  assert_string_equal(w.seen.code, "R634");
  assert_int_equal(w.seen.n, 1);
  assert_non_null(strstr(w.seen.text, "a jump of `v > 0`"));
  assert_non_null(strstr(w.seen.text, "trial steps up to time 0."));
  nu_run_free(r);
  nu_program_free(program);
  nu_session_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statuses),
      cmocka_unit_test(codes),
      cmocka_unit_test(diagnostics),
      cmocka_unit_test(models),
      cmocka_unit_test(forms),
      cmocka_unit_test(runs),
      cmocka_unit_test(runs_that_end_early),
      cmocka_unit_test(results),
      cmocka_unit_test(exhausted_memory),
      cmocka_unit_test(late_translation),
      cmocka_unit_test(told_under_way),
  };
  return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
