/* tests/unit/test_threads.c -- eight threads with runs of one program: whole ones, in parts with
 * variables that are set, with snapshots, stored and resumed, interrupted, failing and blamed, with
 * structures that all of them come to at once. Each outcome, rows and messages, has the bytes that
 * one thread alone gets from a program of its own; and the session goes on compiling meanwhile.
 * Run it with ThreadSanitizer: make V=tsan suite KINDS=threads.
 * With NUSIM_TORTURE in the environment all models of run_models.h take part, several times. */
#include <dirent.h>
#include <math.h>
#include <pthread.h>
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
#include "run_models.h"

enum { THREADS = 8, INTERVALS = 20 };

static char directory[] = "/tmp/nusim-threads-XXXXXX";

static int make_directory(void **state) {
  (void)state;
  return mkdtemp(directory) ? 0 : 1;
}

/* A result is not overwritten or removed while somebody may read it: each has a name of its own. */
static void path_of(char *path, size_t size, int thread, int task, const char *what) {
  snprintf(path, size, "%s/%d-%d-%s.nus", directory, thread, task, what);
}

static void remove_results(void) {
  DIR *d = opendir(directory);
  for (const struct dirent *e; d && (e = readdir(d));)
    unlinkat(dirfd(d), e->d_name, 0);
  if (d)
    closedir(d);
}

static int remove_directory(void **state) {
  (void)state;
  remove_results();
  return rmdir(directory);
}

/* ---- what a thread gets ---- */

typedef struct {
  char *at;
  size_t n, room;
} Bytes;

static void add(Bytes *b, const void *data, size_t n) {
  if (b->n + n > b->room) {
    b->room = 2 * (b->n + n) + 1000;
    b->at = realloc(b->at, b->room);
  }
  memcpy(b->at + b->n, data, n);
  b->n += n;
}

static void add_text(Bytes *b, const char *text) { add(b, text, strlen(text) + 1); }

static void add_status(Bytes *b, NuStatus status) { add(b, &status, sizeof status); }

/* Messages of a run come in the thread that it works in. */
static _Thread_local Bytes *heard;

static void hear(void *user, const NuDiagnostic *d) {
  (void)user;
  if (!heard)
    return;
  char *text = nu_diagnostic_text(d, false);
  /* names of files differ from thread to thread */
  add_text(heard, text && !strstr(text, directory) ? text : d->code);
  nu_free(text);
}

typedef struct {
  Bytes *to;
  size_t columns;
  NuRun *run; /* interrupted at the end of `left` rows; NULL: never */
  int left;
} Rows;

static bool take_row(void *user, double time, const double *values) {
  Rows *rows = user;
  add(rows->to, &time, sizeof time);
  add(rows->to, values, rows->columns * sizeof *values);
  if (rows->run && --rows->left == 0)
    nu_run_interrupt(rows->run);
  return true;
}

/* ---- jobs ---- */

typedef struct {
  const NuProgram *program;
  const char *solver, *path, *resumed; /* results: of a run, and of one that goes on from it */
  const char *const *parameters;
  size_t n_parameters;
  double stop;
  const char *set; /* a parameter that gets another value on the way; NULL: none */
  double to;
} Setting;

static NuRun *new_run(const Setting *s, NuRunOptions o, Rows *rows) {
  const char *const *names;
  NuRun *r = NULL;
  o.stop = s->stop, o.intervals = INTERVALS, o.solver = s->solver;
  o.parameters = s->parameters, o.n_parameters = s->n_parameters;
  o.row = take_row, o.row_user = rows;
  add_status(rows->to, nu_run_new(s->program, &o, &r));
  rows->columns = r ? nu_run_columns(r, &names) : 0;
  return r;
}

static void whole(const Setting *s, Bytes *out) {
  Rows rows = {.to = out};
  NuRunOptions o = nu_run_options();
  o.events = true;
  NuRun *r = new_run(s, o, &rows);
  if (!r)
    return;
  add_status(out, nu_run_simulate(r));
  char *events = NULL;
  add_status(out, nu_run_events(r, false, &events));
  if (events)
    add_text(out, events);
  nu_free(events);
  nu_run_free(r);
}

static bool find_state(const NuProgram *p, const char **name) {
  NuVariable v;
  for (size_t k = 0; nu_program_variable(p, k, &v); k++)
    if (v.is_state) {
      *name = v.name;
      return true;
    }
  return false;
}

static void set(NuRun *r, const char *name, double value, Bytes *out) {
  NuStatus status = nu_run_set(r, name, NU_VALUE, value);
  add_status(out, status);
  char text[80];
  snprintf(text, sizeof text, "%s: %s", status == NU_OK ? "set" : "refused", name);
  add_text(out, text);
}

/* A state is set on the way, and a parameter; what may not be set is refused, with a message that
 * looks for names that are near. */
static void in_parts(const Setting *s, Bytes *out) {
  enum { PARTS = 5 };
  Rows rows = {.to = out};
  NuRun *r = new_run(s, nu_run_options(), &rows);
  const char *state;
  double value;
  if (!r)
    return;
  add_status(out, nu_run_start(r));
  for (int k = 1; k <= PARTS; k++) {
    add_status(out, nu_run_advance(r, s->stop * k / PARTS, NULL));
    if (k == 2 && find_state(s->program, &state) && nu_run_get(r, state, &value) == NU_OK)
      set(r, state, value + 0.01, out);
    if (k == 2 && s->set)
      set(r, s->set, s->to, out), set(r, "a1", s->to, out);
    NuRate *rates = NULL;
    size_t n = 0;
    if (k == 3 && nu_run_rates(r, &rates, &n) == NU_OK)
      add(out, rates, n * sizeof *rates);
    nu_free(rates);
  }
  add_status(out, nu_run_end(r));
  nu_run_free(r);
}

static void back_and_on(const Setting *s, Bytes *out) {
  Rows rows = {.to = out};
  NuRun *r = new_run(s, nu_run_options(), &rows);
  NuSnapshot *half = NULL;
  if (!r)
    return;
  add_status(out, nu_run_start(r));
  add_status(out, nu_run_advance(r, s->stop / 2, NULL));
  add_status(out, nu_run_snapshot(r, &half));
  add_status(out, nu_run_advance(r, s->stop, NULL));
  if (half)
    add_status(out, nu_run_restore(r, half));
  add_status(out, nu_run_advance(r, s->stop, NULL));
  add_status(out, nu_run_end(r));
  nu_snapshot_free(half);
  nu_run_free(r);
}

/* In a session of its own. */
static void read_back(const char *path, Bytes *out) {
  NuSessionOptions so = nu_session_options();
  NuSession *session = NULL;
  NuResult *result = NULL;
  const char *const *names;
  Rows rows = {.to = out};
  NuExtract e = nu_extract();
  e.row = take_row, e.row_user = &rows;
  so.sink = hear;
  add_status(out, nu_session_new(&so, &session));
  add_status(out, nu_result_open(session, path, &result));
  if (result && nu_result_columns(result, &e, &names, &rows.columns) == NU_OK)
    add_status(out, nu_result_extract(result, &e));
  nu_result_free(result);
  nu_session_free(session);
}

/* A result that is interrupted, read, resumed and read again. */
static void stored(const Setting *s, Bytes *out) {
  Rows rows = {.to = out, .left = INTERVALS / 3};
  NuRunOptions o = nu_run_options();
  o.store = s->path, o.checkpoint = 0;
  NuRun *r = rows.run = new_run(s, o, &rows);
  if (!r)
    return;
  add_status(out, nu_run_simulate(r));
  nu_run_free(r);
  read_back(s->path, out);
  Setting same = *s;
  same.n_parameters = 0;
  rows.run = NULL;
  o.resume = s->path, o.store = s->resumed;
  if ((r = new_run(&same, o, &rows))) {
    add_status(out, nu_run_simulate(r));
    nu_run_free(r);
    read_back(s->resumed, out);
  }
}

typedef void Job(const Setting *s, Bytes *out);

/* Reads what others write at the moment, whatever it is. */
static void look_around(int task) {
  Bytes out = {0};
  char path[64];
  for (int k = 0; k < THREADS; k++) {
    path_of(path, sizeof path, k, task, "first");
    if (!access(path, R_OK))
      read_back(path, &out);
  }
  free(out.at);
}

/* ---- one model, many threads ---- */

enum { MOST_PARAMETERS = 4 };

typedef struct {
  Model model;
  const char *const (*sets)[MOST_PARAMETERS]; /* "name=value" of one run each */
  size_t n_sets, n_parameters; /* n_sets 0: one run, with the values that the model has */
  const char *set;             /* see Setting */
  double to;
  const char *says; /* in what every thread gets: else the case does not show what it should */
} Case;

typedef struct {
  const Case *of;
  NuSession *session;
  NuProgram *program;
  pthread_barrier_t begin;
} Shared;

typedef struct {
  Shared *shared;
  int number; /* of the thread */
  Bytes *out; /* per job and set */
} Thread;

static Job *const jobs[] = {whole, in_parts, back_and_on, stored};
enum { JOBS = sizeof jobs / sizeof *jobs };
static const char *const solvers[JOBS] = {"rk45", "auto", "rosenbrock", "rk45"};

static int n_tasks(const Case *c) { return JOBS * (int)(c->n_sets ? c->n_sets : 1); }

static void do_task(const Thread *t, int task) {
  const Case *c = t->shared->of;
  char path[64], resumed[64];
  path_of(path, sizeof path, t->number, task, "first");
  path_of(resumed, sizeof resumed, t->number, task, "resumed");
  Setting s = {.program = t->shared->program,
               .solver = solvers[task % JOBS],
               .path = path,
               .resumed = resumed,
               .stop = c->model.stop,
               .set = c->set,
               .to = c->to};
  if (c->n_sets)
    s.parameters = c->sets[task / JOBS], s.n_parameters = c->n_parameters;
  heard = &t->out[task];
  jobs[task % JOBS](&s, heard);
  heard = NULL;
}

/* Threads begin with different jobs, but for every other one: these two begin with the same. */
static void *work(void *user) {
  const Thread *t = user;
  int n = n_tasks(t->shared->of);
  pthread_barrier_wait(&t->shared->begin);
  for (int k = 0; k < n; k++) {
    do_task(t, (k + t->number / 2) % n);
    look_around((k + t->number) % n);
    nu_program_info(t->shared->program);
  }
  return NULL;
}

static NuProgram *compile(NuSession *session, const char *name, const char *text, NuCode code) {
  NuProgram *p = NULL;
  Bytes said = {0};
  heard = &said;
  if (nu_load_text(session, "M.mo", text, strlen(text)) != NU_OK ||
      nu_compile(session, &(NuTarget){.class_name = name, .code = code}, &p) != NU_OK)
    fail_msg("%.*s\n%s", (int)said.n, said.at, text);
  heard = NULL;
  free(said.at);
  return p;
}

static Shared open_case(const Case *c, NuCode code, unsigned threads) {
  Shared s = {.of = c};
  NuSessionOptions so = nu_session_options();
  so.sink = hear;
  assert_int_equal(nu_session_new(&so, &s.session), NU_OK);
  s.program = compile(s.session, "M", c->model.text, code);
  assert_int_equal(pthread_barrier_init(&s.begin, NULL, threads), 0);
  return s;
}

static void close_case(Shared *s) {
  pthread_barrier_destroy(&s->begin);
  nu_program_free(s->program);
  nu_session_free(s->session);
}

/* The session of a program that others work with. */
static void go_on_compiling(NuSession *session) {
  enum { MORE = 3 };
  char name[20], text[200];
  for (int k = 0; k < MORE; k++) {
    snprintf(name, sizeof name, "More%d", k);
    snprintf(text, sizeof text,
             "model %s Real x(start = %d, fixed = true); equation der(x) = -x;\n"
             "end %s;",
             name, k, name);
    nu_program_free(compile(session, name, text, NU_CODE_TCC));
  }
}

static void free_bytes(Bytes *list, int n) {
  for (int k = 0; k < n; k++)
    free(list[k].at);
  free(list);
}

static Bytes *alone(const Case *c, NuCode code, uint32_t *structures) {
  Shared s = open_case(c, code, 1);
  Bytes *out = calloc((size_t)n_tasks(c), sizeof *out);
  work(&(Thread){&s, 0, out});
  *structures = nu_program_info(s.program).structures;
  close_case(&s);
  remove_results();
  return out;
}

static void compare(const Bytes *a, const Bytes *b, int n, const char *what) {
  for (int k = 0; k < n; k++)
    if (a[k].n != b[k].n || memcmp(a[k].at, b[k].at, a[k].n))
      fail_msg("%s: job %d has %zu bytes, alone %zu, or others", what, k, b[k].n, a[k].n);
}

static bool is_said(const Bytes *list, int n, const char *text) {
  for (int k = 0; k < n; k++)
    if (list[k].n && memmem(list[k].at, list[k].n, text, strlen(text)))
      return true;
  return false;
}

static void together(const Case *c, NuCode code) {
  uint32_t structures;
  int n = n_tasks(c);
  Bytes *expected = alone(c, code, &structures);
  if (c->says && !is_said(expected, n, c->says))
    fail_msg("%s: nobody says `%s`", c->model.name, c->says);
  Shared s = open_case(c, code, THREADS);
  pthread_t ids[THREADS];
  Thread threads[THREADS];
  for (int k = 0; k < THREADS; k++) {
    threads[k] = (Thread){&s, k, calloc((size_t)n, sizeof(Bytes))};
    assert_int_equal(pthread_create(&ids[k], NULL, work, &threads[k]), 0);
  }
  go_on_compiling(s.session);
  for (int k = 0; k < THREADS; k++)
    pthread_join(ids[k], NULL);
  for (int k = 0; k < THREADS; k++) {
    compare(expected, threads[k].out, n, c->model.name);
    free_bytes(threads[k].out, n);
  }
  /* each was made once */
  assert_int_equal(nu_program_info(s.program).structures, structures);
  free_bytes(expected, n);
  close_case(&s);
  remove_results();
}

static void together_by_all(const Case *c) {
  int rounds = getenv("NUSIM_TORTURE") ? 3 : 1;
  for (int k = 0; k < rounds; k++) {
    together(c, NU_CODE_TCC);
    together(c, NU_CODE_EVAL);
  }
}

static void test_models(void **state) {
  static const char *const few[] = {"delay", "texts", "sliding", "capacitors that come and go",
                                    "tables"};
  (void)state;
  for (int k = 0; k < MODELS; k++) {
    bool wanted = getenv("NUSIM_TORTURE");
    for (size_t q = 0; q < sizeof few / sizeof *few; q++)
      wanted = wanted || !strcmp(models[k].name, few[q]);
    if (wanted)
      together_by_all(&(Case){.model = models[k]});
  }
}

/* Four independent switches, and times that make other combinations in each run; one that is over
 * begins again when its time is set, which makes combinations that no run comes to by itself. */
static void test_new_structures(void **state) {
  static const char *const sets[][MOST_PARAMETERS] = {
      {"a=0.2", "b=0.4", "c=0.6", "d=0.8"},
      {"a=0.8", "b=0.6", "c=0.4", "d=0.2"},
      {"a=0.4", "b=0.2", "c=0.8", "d=0.6"},
  };
  Case c = {.model = {"switches",
                      "model M parameter Real a = 0.5, b = 0.5, c = 0.5, d = 0.5;"
                      " Real x[4](start = {1, 2, 3, 4}, each fixed = true), i[4]; parameter Real "
                      "at[4] = {a, b, c, d};"
                      " equation for k in 1:4 loop der(x[k]) = i[k] - 0.1*x[k]; if time < at[k] "
                      "then i[k] = 1; else x[k] = -k; end if; end for; end M;",
                      1},
            .sets = sets,
            .n_sets = sizeof sets / sizeof *sets,
            .n_parameters = 4};
  (void)state;
  together_by_all(&c);
  c.set = "a", c.to = 0.9, c.says = "set: a";
  together_by_all(&c);
}

/* Runs that fail tell each thread why: values that are no numbers, taken apart by evaluation, at
 * the start and later; a mode that has no solution. */
static void test_failures(void **state) {
  static const Case failing[] = {
      {.model = {"no number",
                 "model M Real x(start = 1, fixed = true), y; Real z[3]; equation der(x) = -y; z = "
                 "{x, 2*x, sqrt(0.5 - time)}; y = sum(z[k]*z[4 - k] for k in 1:3) + 1/(x - "
                 "x*z[1]/x); end M;",
                 1},
       .says = "`x - x*x/x` is 0"},
      {.model = {"a root",
                 "model M Real x(start = 1, fixed = true), z[3]; equation der(x) = -sum(z[k]*z[4 - "
                 "k] for k in 1:3); z = {x, 2*x, sqrt(0.5 - time)}; end M;",
                 1},
       .says = "sqrt(0.5 - time)"},
      {.model = {"a division",
                 "model M Real x(start = 1, fixed = true), y; equation der(x) = -1; y = 1/(if x > "
                 "0.5 then x else 0); end M;",
                 1},
       .says = "division by zero"},
      {.model = {"a mode without solution",
                 "model M Real x(start = 1, fixed = true), y; equation der(x) = 1; if time < 0.5 "
                 "then y = x; else x = 2; end if; end M;",
                 1},
       .says = "not (`time < 0.5`)"}};
  (void)state;
  for (size_t k = 0; k < sizeof failing / sizeof *failing; k++)
    together_by_all(&failing[k]);
}

/* ---- interrupted from outside ---- */

static void *interrupt(void *run) {
  nu_run_interrupt(run);
  return NULL;
}

static void test_interrupt(void **state) {
  enum { RUNS = 10 };
  Case c = {.model = models[0]};
  Shared s = open_case(&c, NU_CODE_TCC, 1);
  (void)state;
  for (int k = 0; k < RUNS; k++) {
    pthread_t other;
    Bytes out = {0};
    Rows rows = {.to = &out};
    NuRun *r = new_run(&(Setting){.program = s.program, .solver = "rk45", .stop = c.model.stop},
                       nu_run_options(), &rows);
    assert_non_null(r);
    assert_int_equal(pthread_create(&other, NULL, interrupt, r), 0);
    NuStatus status = nu_run_simulate(r);
    pthread_join(other, NULL);
    assert_true(status == NU_OK || status == NU_INTERRUPTED);
    nu_run_free(r);
    free(out.at);
  }
  close_case(&s);
}

/* ---- better code on the way ---- */

/* Of a run that lasts longer than run/code.c waits for, also where each step takes longer. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__ || __has_feature(thread_sanitizer)
enum { LONG_STEPS = 200000 };
#else
enum { LONG_STEPS = 1500000 };
#endif

typedef struct {
  const NuProgram *program;
  Bytes out;
  double cc_from; /* s; see NuRunStats */
  const char *note;
} Long;

static void *run_long(void *user) {
  Long *l = user;
  Rows rows = {.to = &l->out};
  NuRunOptions o = nu_run_options();
  o.solver_step = 1e-3;
  NuRun *r = new_run(
      &(Setting){.program = l->program, .solver = "rk4", .stop = o.solver_step * LONG_STEPS}, o,
      &rows);
  if (!r)
    return NULL;
  add_status(&l->out, nu_run_simulate(r));
  l->cc_from = nu_run_stats(r).cc_from, l->note = nu_run_stats(r).code_note;
  nu_run_free(r);
  return NULL;
}

/* One compilation for all; each run changes over where it is at that time. */
static void test_better_code(void **state) {
  Case c = {.model = {"oscillator",
                      "model M Real x(start = 2, fixed = true), y(start = 0, fixed = true); "
                      "equation der(x) = y; der(y) = 5*((1 - x^2)*y) - x; end M;",
                      1}};
  (void)state;
  Shared tcc = open_case(&c, NU_CODE_TCC, 1), better = open_case(&c, NU_CODE_AUTO, 1);
  Long expected = {.program = tcc.program}, got[THREADS];
  pthread_t ids[THREADS];
  int changed = 0;
  run_long(&expected);
  for (int k = 0; k < THREADS; k++) {
    got[k] = (Long){.program = better.program};
    assert_int_equal(pthread_create(&ids[k], NULL, run_long, &got[k]), 0);
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(ids[k], NULL);
    changed += !isnan(got[k].cc_from) || got[k].note;
    compare(&expected.out, &got[k].out, 1, c.model.name);
    free(got[k].out.at);
  }
  assert_true(changed > 0);
  free(expected.out.at);
  close_case(&better);
  close_case(&tcc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_models),      cmocka_unit_test(test_new_structures),
      cmocka_unit_test(test_failures),    cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_better_code),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
