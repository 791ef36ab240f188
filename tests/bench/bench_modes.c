/* tests/bench/bench_modes.c -- what does a change of structure cost?
 *   bench_modes [--code tcc|cc|eval] [--seconds S] [CASE...]
 *              default: code of the built-in compiler, 0.5 s each, all cases
 *   switches   two capacitors at the end of a line of n nodes are connected and disconnected by a
 *              sample. The same line whose sample changes a coefficient has the same events and
 *              restarts of the solver: the difference is the change itself.
 *   new        n equations that hang together, with one switch: the way over the instant where the
 *              other structure is met for the first time less that where it is met again; beside it
 *              the same without machine code: analysis, no C text.
 *   many       k pairs of capacitors, each connected and disconnected at its own instants:
 *              structures visited, and time.
 * Times are of the processor. Nothing here fails because of a time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nusim.h"

typedef struct {
  NuCode code;
  double seconds;
} Settings;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sink(void *user, const NuDiagnostic *d) {
  (void)user;
  fprintf(stderr, "%s: %s\n", d->code, d->message);
}

typedef struct {
  NuSession *session;
  NuProgram *program;
} Compiled;

static bool compile(const char *text, NuCode code, Compiled *out) {
  NuSessionOptions so = nu_session_options();
  so.sink = sink;
  *out = (Compiled){0};
  return nu_session_new(&so, &out->session) == NU_OK &&
         nu_load_text(out->session, "M.mo", text, strlen(text)) == NU_OK &&
         nu_compile(out->session, &(NuTarget){.code = code}, &out->program) == NU_OK;
}

static void release(Compiled *m) {
  nu_program_free(m->program);
  nu_session_free(m->session);
}

static bool no_row(void *user, double time, const double *values) {
  (void)user, (void)time, (void)values;
  return true;
}

typedef struct {
  double seconds;
  NuRunStats stats;
} Once;

/* One run up to `stop`; rows go nowhere, and there are none at events. */
static bool once(const Compiled *m, double stop, Once *out) {
  static const char *const shown[] = {"a*"};
  NuRunOptions o = nu_run_options();
  o.stop = stop, o.solver = "rk45", o.intervals = 1, o.rtol = 1e-4, o.atol = 1e-4;
  o.row = no_row, o.event_rows = NU_ROWS_NONE, o.variables = shown, o.n_variables = 1;
  NuRun *run;
  if (nu_run_new(m->program, &o, &run) != NU_OK)
    return false;
  double begin = cpu();
  bool ok = nu_run_simulate(run) == NU_OK;
  *out = (Once){cpu() - begin, nu_run_stats(run)};
  nu_run_free(run);
  return ok;
}

/* The least seconds of a run, over runs that take o->seconds together. */
static bool least(const Compiled *m, double stop, double seconds, Once *out) {
  double total = 0;
  Once one;
  for (bool first = true; first || total < seconds; first = false) {
    if (!once(m, stop, &one))
      return false;
    if (first || one.seconds < out->seconds)
      *out = one;
    total += one.seconds;
  }
  return true;
}

/* ---- switches ---- */

/* `decides`: the Boolean that the sample changes decides about the structure; else about a
 * value. */
static void line_model(FILE *out, int n, bool decides) {
  fprintf(out,
          "model M parameter Real R = 1, C = 1e-2; Real u[%d](each start = 1, each fixed = true), "
          "i[%d];\n",
          n, n);
  fputs("Real a(start = 1, fixed = true), b(start = 0, fixed = true), isw, ia; Boolean "
        "closed(start = false, fixed = true); equation\n"
        "when sample(1e-4, 1e-4) then closed = not pre(closed); end when;\n",
        out);
  fprintf(out,
          "for k in 1:%d loop i[k] = (u[k] - u[k + 1])/R; end for; i[%d] = u[%d]/R - ia; "
          "C*der(u[1]) = 1 - u[1] - i[1];\n",
          n - 1, n, n);
  fprintf(out,
          "for k in 2:%d loop C*der(u[k]) = i[k - 1] - i[k]; end for; ia = (a - u[%d])/R; C*der(a) "
          "= -ia - isw; C*der(b) = isw - b;\n",
          n, n);
  fputs(decides ? "if closed then a = b; else isw = 0; end if; end M;\n"
                : "isw = if closed then 1e-6 else 0; end M;\n",
        out);
}

static bool line(const Settings *o, int n, bool decides, double stop, Once *out) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  line_model(file, n, decides);
  fclose(file);
  Compiled m;
  bool ok = compile(text, o->code, &m) && least(&m, stop, o->seconds, out);
  free(text);
  release(&m);
  return ok;
}

static bool switches(const Settings *o) {
  static const int sizes[] = {10, 45, 200, 800};
  printf("switches: two structures in turn\n%6s %10s %10s %10s %12s %10s %10s\n", "nodes",
         "equations", "switches", "all us", "per second", "event us", "change us");
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    Once with, without;
    double stop = sizes[k] > 400 ? 0.05 : 0.2;
    if (!line(o, sizes[k], true, stop, &with) || !line(o, sizes[k], false, stop, &without))
      return false;
    double n = (double)with.stats.time_events, all = with.seconds / n, event = without.seconds / n;
    printf("%6d %10d %10.0f %10.2f %12.0f %10.2f %10.2f\n", sizes[k], 2 * sizes[k] + 5, n,
           1e6 * all, 1 / all, 1e6 * event, 1e6 * (all - event));
    fflush(stdout);
  }
  return true;
}

/* ---- a new structure ---- */

/* Unknowns a[k] that hang together in a tridiagonal system, with two states that the switch ties at
 * its end. */
static void chain_model(FILE *out, int n) {
  int m = n - 4;
  fprintf(out,
          "model M Real a[%d]; Real x(start = 1, fixed = true), y(start = 0, fixed = true), f, g; "
          "equation\n",
          m);
  fprintf(out,
          "3*a[1] - a[2] = x; for k in 2:%d loop 3*a[k] - a[k - 1] - a[k + 1] = sin(time)/k; end "
          "for; 3*a[%d] - a[%d] = g;\n",
          m - 1, m, m - 1);
  fputs("der(x) = f - a[1]; der(y) = -f - g; g = y + f;\n"
        "if time > 0.5 and time < 0.6 or time > 0.7 then x = y; else f = 0; end if; end M;\n",
        out);
}

/* Seconds for the way over an instant. */
static bool way(NuRun *run, double instant, double *seconds) {
  if (nu_run_advance(run, instant - 1e-6, NULL) != NU_OK)
    return false;
  double begin = cpu();
  bool ok = nu_run_advance(run, instant + 1e-6, NULL) == NU_OK;
  *seconds = cpu() - begin;
  return ok;
}

/* The structure is met at 0.5 s, and again at 0.7 s. */
static bool first_visit(const char *text, NuCode code, double *least_seconds) {
  NuRunOptions o = nu_run_options();
  o.solver = "rk45", o.intervals = 1, o.row = no_row, o.event_rows = NU_ROWS_NONE;
  Compiled m;
  NuRun *run = NULL;
  double first, again;
  bool ok = compile(text, code, &m) && nu_run_new(m.program, &o, &run) == NU_OK &&
            nu_run_start(run) == NU_OK && way(run, 0.5, &first) && way(run, 0.7, &again);
  nu_run_free(run);
  release(&m);
  if (ok)
    *least_seconds = fmin(*least_seconds, first - again);
  return ok;
}

static bool new_structure(const Settings *o) {
  static const int sizes[] = {25, 50, 100, 200, 400, 800};
  printf("new: a structure that was not there before\n%10s %10s %22s %14s\n", "equations", "ms",
         "without machine code", "us/equation");
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    chain_model(file, sizes[k]);
    fclose(file);
    double all = INFINITY, analysis = INFINITY;
    bool ok = true;
    for (int again = 0; again < 5 && ok; again++)
      ok = first_visit(text, o->code, &all) && first_visit(text, NU_CODE_EVAL, &analysis);
    free(text);
    if (!ok)
      return false;
    printf("%10d %10.2f %22.2f %14.2f\n", sizes[k], 1e3 * all, 1e3 * analysis,
           1e6 * all / sizes[k]);
    fflush(stdout);
  }
  return true;
}

/* ---- many switches ---- */

static void pairs_model(FILE *out, int n) {
  fprintf(out,
          "model M Real a[%d](each start = 1, each fixed = true), b[%d](each start = 0, each fixed "
          "= true), i[%d]; Boolean on[%d]; equation\n",
          n, n, n, n);
  fprintf(out,
          "for k in 1:%d loop der(a[k]) = -i[k] - a[k]; der(b[k]) = i[k] - 2*b[k]; on[k] = sin((10 "
          "+ sqrt(k))*time) > 0.1 + 0.02*k;\n",
          n);
  fputs("if on[k] then a[k] = b[k]; else i[k] = 0; end if; end for; end M;\n", out);
}

static bool many(const Settings *o) {
  static const int sizes[] = {1, 5, 10, 20};
  printf(
      "many: pairs that are connected independently of each other\n%6s %10s %12s %10s %14s %14s\n",
      "pairs", "events", "structures", "first ms", "us per event", "again us/event");
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    pairs_model(file, sizes[k]);
    fclose(file);
    Compiled m;
    Once first, again;
    bool ok = compile(text, o->code, &m) && once(&m, 5, &first) && once(&m, 5, &again);
    unsigned structures = ok ? nu_program_info(m.program).structures : 0;
    free(text);
    release(&m);
    if (!ok)
      return false;
    double n = (double)(first.stats.state_events + first.stats.time_events);
    printf("%6d %10.0f %12u %10.1f %14.1f %14.1f\n", sizes[k], n, structures, 1e3 * first.seconds,
           1e6 * first.seconds / n, 1e6 * again.seconds / n);
    fflush(stdout);
  }
  return true;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    bool (*run)(const Settings *o);
  } cases[] = {{"switches", switches}, {"new", new_structure}, {"many", many}};
  Settings o = {NU_CODE_TCC, 0.5};
  bool chosen[3] = {false}, all = true, ok = true;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--code") && i + 1 < argc)
      i++, o.code = !strcmp(argv[i], "cc")     ? NU_CODE_CC
                    : !strcmp(argv[i], "eval") ? NU_CODE_EVAL
                                               : NU_CODE_TCC;
    else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
      o.seconds = atof(argv[++i]);
    for (int k = 0; k < 3; k++)
      if (!strcmp(argv[i], cases[k].name))
        chosen[k] = true, all = false;
  }
  for (int k = 0; k < 3; k++)
    if (all || chosen[k])
      ok = cases[k].run(&o) && ok;
  return ok ? 0 : 1;
}
