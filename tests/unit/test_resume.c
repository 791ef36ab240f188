/* tests/unit/test_resume.c -- runs that go on from their stored result: every row must be as if
 * they had never been interrupted, bit for bit (multistep methods: within the tolerance); and
 * checkpoints that somebody has forged do no harm. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "messages_fixture.h"
#include "run_models.h"

#include "api/run_impl.h"
#include "run/snapshot.h"

/* Files in a directory of our own. */
static char WHOLE[64] = "/tmp/nusim-resume-XXXXXX", PART[64], OTHER[64];

static int make_directory(void **state) {
  char directory[64];
  (void)state;
  if (!mkdtemp(strcpy(directory, WHOLE)))
    return 1;
  snprintf(WHOLE, sizeof WHOLE, "%.40s/whole.nus", directory);
  snprintf(PART, sizeof PART, "%.40s/part.nus", directory);
  snprintf(OTHER, sizeof OTHER, "%.40s/other.nus", directory);
  return 0;
}

static int remove_directory(void **state) {
  (void)state;
  unlink(WHOLE), unlink(PART), unlink(OTHER);
  *strrchr(WHOLE, '/') = 0;
  return rmdir(WHOLE);
}

/* ---- fixture ---- */

typedef struct {
  NuSession *session;
  NuProgram *program;
} Fix;

static NuSession *session(void) {
  NuSession *s;
  NuSessionOptions so = nu_session_options();
  so.sink = note;
  messages[0] = 0;
  assert_int_equal(nu_session_new(&so, &s), NU_OK);
  return s;
}

static Fix open_text(const char *text) {
  Fix f = {.session = session()};
  if (nu_load_text(f.session, "M.mo", text, strlen(text)) != NU_OK ||
      nu_compile(f.session, &(NuTarget){.code = NU_CODE_TCC}, &f.program) != NU_OK)
    fail_msg("%s", messages);
  return f;
}

static Fix open_result(const char *path) {
  Fix f = {.session = session()};
  if (nu_compile_result(f.session, path, NU_CODE_TCC, false, &f.program) != NU_OK)
    fail_msg("%s", messages);
  return f;
}

static void close_fix(Fix *f) {
  nu_program_free(f->program);
  nu_session_free(f->session);
}

static void ok(const char *what, const char *solver, NuStatus status) {
  if (status != NU_OK)
    fail_msg("%s with %s: %s: %s", what, solver, nu_status_name(status), messages);
}

/* All rows of all variables of a result. */
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

static Rows rows_of(const char *path) {
  Rows rows = {0};
  NuSession *s = session();
  NuResult *r;
  NuExtract what = nu_extract();
  const char *const *names, *const all[] = {"*"};
  if (nu_result_open(s, path, &r) != NU_OK)
    fail_msg("%s", messages);
  what.variables = all, what.n_variables = 1, what.event_rows = NU_ROWS_ALL, what.row = keep,
  what.row_user = &rows;
  assert_int_equal(nu_result_columns(r, &what, &names, &rows.width), NU_OK);
  rows.width++;
  if (nu_result_extract(r, &what) != NU_OK)
    fail_msg("%s", messages);
  nu_result_free(r);
  nu_session_free(s);
  return rows;
}

static bool multistep(const char *solver) {
  return !strcmp(solver, "cvode") || !strcmp(solver, "ida");
}

static void compare(const char *what, const char *solver, const Rows *a, const Rows *b) {
  size_t w = a->width;
  assert_int_equal(w, b->width);
  if (multistep(solver) && !strcmp(what, "time events and the end"))
    return;                /* rounding decides whether it ends */
  if (multistep(solver)) { /* the last values */
    for (size_t c = 0; c < w; c++) {
      double x = a->at[(a->n - 1) * w + c], y = b->at[(b->n - 1) * w + c];
      if (!(fabs(x - y) <= 2e-3 * (1 + fabs(y))) && !isnan(y))
        fail_msg("%s with %s: column %zu is %.17g instead of %.17g at the end", what, solver, c, x,
                 y);
    }
    return;
  }
  if (a->n != b->n)
    fail_msg("%s with %s: %zu rows instead of %zu", what, solver, a->n, b->n);
  for (size_t k = 0; k < a->n * w; k++)
    if (memcmp(&a->at[k], &b->at[k], sizeof *a->at))
      fail_msg("%s with %s: row %zu, column %zu is %.17g instead of %.17g", what, solver, k / w,
               k % w, a->at[k], b->at[k]);
}

/* ---- runs ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool torture; /* NUSIM_TORTURE: all solvers, many more interruptions */
static unsigned seed = 1;
static double chance(void) {
  seed = seed * 1664525u + 1013904223u;
  return (double)(seed >> 8) / (1 << 24);
}

static bool count_down(void *user, double time, const double *values) {
  (void)time, (void)values;
  size_t *n = user;
  return (*n)-- > 0;
}

static NuRunOptions options_of(const Model *m, const char *solver, const char *path) {
  NuRunOptions o = nu_run_options();
  o.stop = m->stop, o.intervals = 60, o.solver = solver, o.solver_step = m->stop / 500;
  o.store = path, o.checkpoint = strcmp(m->name, "stiff") ? 0 : 1e-3;
  return o;
}

/* Runs that went on, and those of them that did not begin at the start */
static int resumed, with_checkpoint;

static NuStatus run(const Fix *f, const NuRunOptions *o) {
  NuRun *r;
  NuStatus status = nu_run_new(f->program, o, &r);
  if (status != NU_OK)
    return status;
  resumed += r->resumes, with_checkpoint += r->checkpoint.n > 0;
  status = nu_run_simulate(r);
  nu_run_free(r);
  return status;
}

/* In a process of its own it would be a new session with the model that the result has inside. */
static void resume(const char *what, const char *solver, const char *from, double at,
                   const char *to) {
  Fix f = open_result(from);
  NuRunOptions o = nu_run_options();
  o.resume = from, o.resume_at = at, o.store = to, o.checkpoint = chance() < 0.5 ? 1e-3 : 1;
  ok(what, solver, run(&f, &o));
  close_fix(&f);
}

/* Long tests say where they are. */
static void tell(const Model *m, const char *solver, const Rows *whole, double begun) {
  struct stat file;
  double mb = stat(WHOLE, &file) ? 0 : (double)file.st_size / 1e6;
  print_message("# %s with %s: %zu rows, %.1f MB, %.1f s\n", m->name, solver, whole->n, mb,
                now() - begun);
}

static void one(const Model *m, const char *solver) {
  double begun = now();
  Fix f = open_text(m->text);
  NuRunOptions o = options_of(m, solver, WHOLE);
  ok(m->name, solver, run(&f, &o));
  Rows whole = rows_of(WHOLE);
  for (int k = 0; k < (torture ? 20 : 2); k++) { /* interrupted at any row */
    size_t rows = (size_t)(chance() * (double)whole.n);
    NuRunOptions p = options_of(m, solver, PART);
    p.row = count_down, p.row_user = &rows, p.event_rows = NU_ROWS_ALL;
    NuStatus status = run(&f, &p);
    if (status == NU_OK)
      continue;
    assert_int_equal(status, NU_INTERRUPTED);
    resume(m->name, solver, PART, NAN, PART);
    Rows again = rows_of(PART);
    compare(m->name, solver, &again, &whole);
    free(again.at);
  }
  for (int k = 0; k < (torture ? 20 : 1); k++) { /* from any time, with nothing changed */
    double end = whole.at[(whole.n - 1) * whole.width],
           t = k % 3 == 0 ? whole.at[whole.n / 2 * whole.width] : chance() * end;
    resume(m->name, solver, WHOLE, t, OTHER);
    Rows again = rows_of(OTHER);
    compare(m->name, solver, &again, &whole);
    free(again.at);
  }
  if (torture)
    tell(m, solver, &whole, begun);
  free(whole.at);
  close_fix(&f);
}

static void all_models(void **state) {
  (void)state;
  static const char *const solvers[] = {"auto", "rk45", "rk4", "rosenbrock", "cvode", "ida"};
  for (size_t k = 0; k < MODELS; k++)
    for (size_t q = 0; q < sizeof solvers / sizeof *solvers; q++)
      if ((strcmp(models[k].name, "stiff") || strcmp(solvers[q], "rk4")) &&
          (torture || (k + q) % 3 == 0))
        one(&models[k], solvers[q]);
  assert_true(2 * with_checkpoint > resumed);
}

/* ---- a run that is not interrupted ---- */

static const Model between = {
    "iterated between parts",
    "model M Real y(start = 0.1), z(start = 0.1), x(start = 0.6, fixed = true), v(start = 0, fixed "
    "= true);"
    "Real u(start = 0, fixed = true); equation y + 0.3*y^3 + 0.2*sin(z) = 0.4;"
    "z - 0.3*cos(y) = mod(sin(2.484*time + 3.625), 0.77); der(x) = v;"
    "der(v) = -37.4*x - 0.8*v + 3*atan2(smooth(0, if sin(1.128*time + 0.331) > 0.31"
    "  then (sin(1.128*time + 0.331) - 0.31)^2 else 0), 2 + z^2);"
    "der(u) = 1.539 + 0.5*y; when u > 0.789 then reinit(u, 0.4); end when; end M;",
    2};

/* A checkpoint after each step, or none: the same rows. When they are written is a matter of the
 * clock. */
static void quiet(void **state) {
  (void)state;
  for (size_t k = 0; k <= MODELS; k++) {
    const Model *m = k < MODELS ? &models[k] : &between;
    Fix f = open_text(m->text);
    NuRunOptions o = options_of(m, "rk45", WHOLE), p = options_of(m, "rk45", PART);
    o.checkpoint = 1e9;
    if (m == &between)
      o.rtol = p.rtol = 1e-9;
    ok(m->name, "rk45", run(&f, &o));
    ok(m->name, "rk45", run(&f, &p));
    Rows none = rows_of(WHOLE), each = rows_of(PART);
    compare(m->name, "rk45", &each, &none);
    free(none.at), free(each.at);
    close_fix(&f);
  }
}

/* ---- other parameters, another end ---- */

static const Model decay = {
    "decay",
    "model M parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;",
    2};

static double last_of(const char *path) {
  Rows rows = rows_of(path);
  double x = rows.at[(rows.n - 1) * rows.width + 2]; /* time, k, x */
  free(rows.at);
  return x;
}

static void changed(void **state) {
  (void)state;
  Fix f = open_text(decay.text);
  NuRunOptions o = options_of(&decay, "rk45", WHOLE);
  o.rtol = 1e-9;
  assert_int_equal(run(&f, &o), NU_OK);
  close_fix(&f);
  /* x = e^-t up to 0.7, then e^-0.7 e^(-3 (t - 0.7)) */
  const char *const set[] = {"k=3"}, *const wrong[] = {"q=3"};
  f = open_result(WHOLE);
  NuRunOptions p = nu_run_options();
  p.resume = WHOLE, p.resume_at = 0.7, p.store = OTHER, p.parameters = set, p.n_parameters = 1;
  assert_int_equal(run(&f, &p), NU_OK);
  assert_true(fabs(last_of(OTHER) - exp(-0.7 - 3 * 1.3)) < 1e-8);
  /* the end, and before that a result of a result */
  p = nu_run_options(), p.resume = OTHER, p.resume_at = 1.5, p.store = PART, p.stop = 3;
  assert_int_equal(run(&f, &p), NU_OK);
  assert_true(fabs(last_of(PART) - exp(-0.7 - 3 * 2.3)) < 1e-8);
  p = nu_run_options(), p.resume = WHOLE, p.store = PART, p.stop = 4;
  assert_int_equal(run(&f, &p), NU_OK);
  assert_true(fabs(last_of(PART) - exp(-4)) < 1e-8);
  /* what cannot be */
  static const struct {
    const char *said;
    double at, stop;
    bool set;
  } bad[] = {{"not at 2.5", 2.5, NAN, false},
             {"not at -1", -1, NAN, false},
             {"has come to its end", NAN, NAN, false},
             {"has come to its end", NAN, 1, false},
             {"no point of the output grid", 1, 2.01, false},
             {"`q`", 1, NAN, true}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    messages[0] = 0;
    p = nu_run_options(), p.resume = WHOLE, p.resume_at = bad[k].at, p.stop = bad[k].stop,
    p.store = OTHER;
    p.parameters = wrong, p.n_parameters = bad[k].set;
    assert_int_equal(run(&f, &p), NU_USAGE);
    if (!strstr(messages, bad[k].said))
      fail_msg("%s", messages);
  }
  close_fix(&f);
  f = open_text(models[0].text);
  p = nu_run_options(), p.resume = WHOLE, p.resume_at = 1;
  assert_int_equal(run(&f, &p), NU_FILE);
  assert_non_null(strstr(messages, "another model"));
  close_fix(&f);
}

/* ---- forged checkpoints ---- */

/* What a run has written, with some bytes that are others, for a run that has not begun. It may do
 * anything but harm. */
static void forge(const Model *m, const char *solver) {
  Fix f = open_text(m->text);
  NuRunOptions o = options_of(m, solver, NULL);
  NuRun *r;
  assert_int_equal(nu_run_new(f.program, &o, &r), NU_OK);
  ok(m->name, solver, nu_run_start(r));
  ok(m->name, solver, nu_run_advance(r, m->stop * 0.6, NULL));
  Text bytes = {.arena = r->arena};
  assert_true(run_checkpoint(r->run, &bytes) || run_terminated(r->run));
  for (int k = 0; k < 12 && bytes.n; k++) {
    char *copy = malloc(bytes.n);
    memcpy(copy, bytes.at, bytes.n);
    for (int q = 0; q <= k % 4; q++)
      copy[(size_t)(chance() * (double)bytes.n)] = (char)(chance() < 0.3 ? 0xff : chance() * 256);
    NuRunOptions p = o;
    NuRun *other;
    p.max_events = 200, p.time_limit = 0.05;
    assert_int_equal(nu_run_new(f.program, &p, &other), NU_OK);
    if (run_checkpoint_fits(other->run, copy, bytes.n)) {
      other->checkpoint = (StoreCheckpoint){
          .n = bytes.n, .run = (const unsigned char *)copy, .n_run = bytes.n};
      other->resumes = true, other->resume_at = NAN;
      nu_run_simulate(other);
    }
    nu_run_free(other);
    free(copy);
  }
  nu_run_free(r);
  close_fix(&f);
}

static void forged(void **state) {
  (void)state;
  for (size_t k = 0; k < MODELS; k++) {
    forge(&models[k], "rk45");
    forge(&models[k], "rosenbrock");
  }
}

int main(void) {
  torture = getenv("NUSIM_TORTURE") != NULL;
  const struct CMUnitTest tests[] = {cmocka_unit_test(changed), cmocka_unit_test(all_models),
                                     cmocka_unit_test(quiet), cmocka_unit_test(forged)};
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
