/* cli/command_run.c -- run: translate, simulate, write the result, say what happened. */
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/ideal.h"
#include "cli/outputs.h"
#include "cli/report.h"
#include "cli/rests.h"
#include "cli/resume.h"
#include "cli/watch.h"

enum { DEFAULT_FORMAT = OUT_STORE };

typedef struct {
  const Args *args;
  NuProgramInfo info;
  NuRunStats stats;
  Outputs outputs;
  char *own_name; /* made here */
  char *events;   /* their list; NULL: not asked for */
  Rests rests;
  Progress progress;
  Watch *watch; /* NULL: the model is run once */
  Ideal ideal;
  Resume resume;
} RunWork;

/* ---- Ctrl-C: the first stops the run and keeps its rows, the second ends the program ---- */

static NuRun *volatile interruptible;
static volatile sig_atomic_t stopped;

static void on_interrupt(int number) {
  stopped = 1;
  if (interruptible)
    nu_run_interrupt(interruptible);
  signal(number, SIG_DFL);
}

/* ---- result files ---- */

/* Without `-o`: <Class>.nus in the current directory. */
static void default_output(RunWork *w) {
  if (w->resume.path)
    resume_output(&w->resume, &w->outputs);
  if (w->outputs.n)
    return;
  size_t n = strlen(w->info.class_name) + strlen(output_extensions[DEFAULT_FORMAT]) + 1;
  w->own_name = must_alloc(NULL, n);
  snprintf(w->own_name, n, "%s%s", w->info.class_name, output_extensions[DEFAULT_FORMAT]);
  for (char *c = w->own_name; *c; c++)
    if (*c == '/')
      *c = '_';
  outputs_add(&w->outputs, DEFAULT_FORMAT, w->own_name);
}

/* ---- running ---- */

static bool check_solver(const char *name) {
  const char *names[64], *summary = NULL;
  size_t n = 0;
  for (; n < sizeof names / sizeof *names && nu_solver(n, &names[n], &summary); n++)
    if (strcmp(names[n], name) == 0)
      return true;
  usage_error(name, names, n, "there is no solver `%s`", name);
  fputs("   = note: there are", stderr);
  for (size_t i = 0; i < n; i++)
    fprintf(stderr, " %s", names[i]);
  fputc('\n', stderr);
  return false;
}

/* Parameters and start values have become part of the model, but for parameters of a run that goes
 * on. */
static NuRunOptions run_options(const RunWork *w) {
  NuRunOptions o = w->args->run;
  o.n_starts = 0;
  o.store = w->outputs.at[OUT_STORE];
  if (w->resume.path) {
    o.resume = w->resume.path;
    o.resume_at = w->resume.at;
  } else { /* other formats of a run that goes on: see resume_extract */
    o.n_parameters = 0;
    o.csv = w->outputs.at[OUT_CSV];
    o.mat = w->outputs.at[OUT_MAT];
  }
  return o;
}

/* A run of a model that has changed meanwhile is no use. */
static void run_tick(void *user, const NuRun *run) {
  RunWork *w = user;
  if (w->progress.enabled)
    progress_tick(&w->progress, run);
  if (w->watch && interruptible && watch_changed(w->watch))
    nu_run_interrupt(interruptible);
}

static NuStatus simulate(RunWork *w, const NuProgram *program) {
  NuRunOptions options = run_options(w);
  if (w->progress.enabled || w->watch) {
    options.progress = run_tick;
    options.progress_user = w;
  }
  NuRun *run = NULL;
  NuStatus status = nu_run_new(program, &options, &run);
  if (status != NU_OK)
    return status;
  interruptible = run;
  signal(SIGINT, on_interrupt);
  signal(SIGTERM, on_interrupt);
  progress_begin(&w->progress);
  /* With --watch it may have come while the model was translated */
  status = stopped ? NU_INTERRUPTED : nu_run_simulate(run);
  interruptible = NULL;
  progress_end(&w->progress);
  w->stats = nu_run_stats(run);
  rests_take(&w->rests, run);
  if (w->args->run.events && nu_run_events(run, w->args->json, &w->events) != NU_OK)
    status = NU_MEMORY;
  nu_run_free(run);
  return status;
}

/* ---- what happened ---- */

static void json_solver(const NuRunStats *s) {
  fputs(",\"limiting\":[", stdout);
  for (int k = 0; k < NU_LIMITING && s->limiting[k]; k++) {
    fputs(k ? ",{\"state\":" : "{\"state\":", stdout);
    json_string(stdout, s->limiting[k]);
    fputs(",\"share\":", stdout);
    json_number(stdout, s->limiting_share[k]);
    fputs("}", stdout);
  }
  fputs("],\"jacobian\":", stdout);
  json_string(stdout, s->jacobian);
  fputs(",\"changes\":[", stdout);
  for (uint64_t k = 0; k < s->solver_changes && k < NU_CHANGES; k++) {
    fputs(k ? ",{\"time\":" : "{\"time\":", stdout);
    json_number(stdout, s->change_time[k]);
    fputs(",\"solver\":", stdout);
    json_string(stdout, s->change_solver[k]);
    fputs("}", stdout);
  }
  fputs("]", stdout);
}

static void run_json(const Work *w, const RunWork *r, NuStatus status) {
  const NuRunStats *s = &r->stats;
  const struct {
    const char *name;
    uint64_t value;
  } counts[] = {
      {"steps", s->steps},
      {"rejected_steps", s->rejected_steps},
      {"rhs_evaluations", s->rhs_evaluations},
      {"jacobians", s->jacobians},
      {"state_selections", s->selections},
      {"factorizations", s->factorizations},
      {"solver_changes", s->solver_changes},
      {"state_events", s->state_events},
      {"time_events", s->time_events},
      {"slides", s->slides},
      {"contacts", s->contacts},
      {"mode_changes", s->mode_changes},
      {"structures", s->structures},
      {"rows", s->rows},
  };
  fputs("{\"schema\":\"nusim.run/1\",\"class\":", stdout);
  json_string(stdout, r->info.class_name ? r->info.class_name : w->target.class_name);
  fputs(",\"status\":", stdout);
  json_string(stdout, nu_status_name(status));
  fputs(",\"solver\":", stdout);
  json_string(stdout, s->solver);
  fputs(",\"code\":", stdout);
  json_string(stdout, s->code);
  fputs(",\"cc_from\":", stdout);
  json_number(stdout, s->cc_from);
  fputs(",\"code_note\":", stdout);
  json_string(stdout, s->code_note);
  fputs(",\"start\":", stdout);
  json_number(stdout, s->start);
  fputs(",\"stop\":", stdout);
  json_number(stdout, s->stop);
  fputs(",\"time\":", stdout);
  json_number(stdout, s->time);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    printf(",\"%s\":%llu", counts[i].name, (unsigned long long)counts[i].value);
  fputs(",\"rests\":", stdout);
  rests_json(&r->rests);
  json_solver(s);
  fputs(",\"cpu\":{\"translate\":", stdout);
  json_number(stdout, r->info.translate_time);
  fputs(",\"compile\":", stdout);
  json_number(stdout, r->info.compile_time);
  fputs(",\"run\":", stdout);
  json_number(stdout, s->run_time);
  fputs("},\"result\":", stdout);
  json_string(stdout, r->outputs.n ? r->outputs.at[r->outputs.order[0]] : NULL);
  fputs(",\"results\":[", stdout);
  for (size_t i = 0; i < r->outputs.n; i++) {
    fputs(i ? "," : "", stdout);
    json_string(stdout, r->outputs.at[r->outputs.order[i]]);
  }
  fputs("],\"options\":", stdout);
  options_json(stdout, r->args);
  if (r->args->ideal.n)
    ideal_json(&r->ideal);
  if (r->events)
    printf(",\"events\":%s", r->events);
  fputs(",\"diagnostics\":", stdout);
  json_diagnostics(stdout, &w->report);
  fputs("}\n", stdout);
}

static void run_text(const RunWork *r, NuStatus status) {
  const NuRunStats *s = &r->stats;
  if (!s->solver) /* it did not come to a run */
    return;
  rests_text(&r->rests);
  fprintf(stderr, "%s  t = %.9g  %.3g s  steps %llu  events %llu (state %llu, time %llu) ",
          status == NU_OK ? "done" : nu_status_name(status), s->time, s->run_time,
          (unsigned long long)s->steps, (unsigned long long)(s->state_events + s->time_events),
          (unsigned long long)s->state_events, (unsigned long long)s->time_events);
  for (size_t i = 0; i < r->outputs.n; i++)
    fprintf(stderr, "%s %s", i ? "," : "", r->outputs.at[r->outputs.order[i]]);
  fprintf(stderr, " (%llu rows)\n", (unsigned long long)s->rows);
  if ((status == NU_INTERRUPTED || status == NU_LIMIT) && r->outputs.at[OUT_STORE])
    fprintf(stderr, "     to go on: nusim run --resume %s\n", r->outputs.at[OUT_STORE]);
  if (!r->args->stats)
    return;
  fprintf(stderr,
          "     solver %s, %zu states, %zu variables, %llu rejected steps, %llu evaluations, %llu "
          "Jacobians%s%s%s, %llu factorizations\n",
          s->solver, r->info.n_states, r->info.n_variables, (unsigned long long)s->rejected_steps,
          (unsigned long long)s->rhs_evaluations, (unsigned long long)s->jacobians,
          s->jacobian ? " (" : "", s->jacobian ? s->jacobian : "", s->jacobian ? ")" : "",
          (unsigned long long)s->factorizations);
  for (uint64_t k = 0; k < s->solver_changes && k < NU_CHANGES; k++)
    fprintf(stderr, "%s%s from t = %.9g",
            k ? ", " : "     changes of the solver: ", s->change_solver[k], s->change_time[k]);
  if (s->solver_changes)
    fprintf(stderr, s->solver_changes > NU_CHANGES ? " and %llu more\n" : "\n",
            (unsigned long long)(s->solver_changes - NU_CHANGES));
  if (s->structures > 1)
    fprintf(stderr, "     %llu structures\n", (unsigned long long)s->structures);
  if (s->selections)
    fprintf(stderr, "     other variables became states %llu times\n",
            (unsigned long long)s->selections);
  for (int k = 0; k < NU_LIMITING && s->limiting[k]; k++)
    fprintf(stderr, "%s%s %.0f %%%s",
            k ? ", " : "     states that limit the step: ", s->limiting[k],
            100 * s->limiting_share[k], k + 1 == NU_LIMITING || !s->limiting[k + 1] ? "\n" : "");
  fprintf(stderr, "     code: %s", s->code ? s->code : "none");
  if (!isnan(s->cc_from))
    fprintf(stderr, ", cc from t = %.9g", s->cc_from);
  fprintf(stderr, s->code_note ? "; no code of the C compiler: %s\n" : "\n", s->code_note);
  fprintf(stderr, "     translate %.3g s, compile %.3g s, run %.3g s\n", r->info.translate_time,
          r->info.compile_time, s->run_time);
}

/* The files that a model was read from, and the one that should have been. */
static void watch_sources(Watch *watch, const char *target, const NuSession *session) {
  struct stat info;
  size_t n = strlen(target);
  char package[PATH_MAX];
  snprintf(package, sizeof package, "%s/package.mo", target);
  if (stat(target, &info) == 0 && S_ISDIR(info.st_mode))
    watch_file(watch, package);
  else if (strchr(target, '/') || (n > 3 && strcmp(target + n - 3, ".mo") == 0))
    watch_file(watch, target);
  if (session)
    watch_session(watch, session);
}

/* One run; with --watch the files that it was made from are noted. */
static int run_once(const Args *args, Watch *watch) {
  RunWork r = {.args = args,
               .watch = watch,
               .progress = {.enabled = !args->json && !args->quiet && isatty(STDERR_FILENO)},
               .info = {.translate_time = NAN, .compile_time = NAN},
               .stats = {.start = NAN, .stop = NAN, .time = NAN, .run_time = NAN, .cc_from = NAN}};
  if (!outputs_choose(&r.outputs, &args->outputs, true) ||
      (args->run.solver && !check_solver(args->run.solver)) || !resume_choose(&r.resume, args))
    return EXIT_USAGE;
  Work w;
  NuProgram *program = NULL;
  if (watch)
    watch_begin(watch);
  NuStatus status = r.resume.path ? work_open_empty(&w, args) : work_open(&w, args);
  w.target.code = args->code;
  w.report.progress = &r.progress;
  if (status == NU_OK && args->ideal.n)
    status = ideal_choose(&r.ideal, &w, args);
  if (status == NU_OK && r.resume.path)
    status = nu_compile_result(w.session, r.resume.path, w.target.code, args->trust, &program);
  else if (status == NU_OK)
    status = nu_compile(w.session, &w.target, &program);
  if (status == NU_OK) {
    r.info = nu_program_info(program);
    default_output(&r);
    NuRunOptions options = run_options(&r);
    if (args->ideal.n)
      ideal_compare(&r.ideal, &w, program, &options);
    if (args->ideal.n && !args->json && !args->quiet)
      ideal_text(&r.ideal);
    if (watch)
      watch_sources(watch, args->targets.at[0], w.session);
    status = simulate(&r, program);
    NuStatus written = r.resume.path && r.stats.solver ? resume_extract(w.session, args, &r.outputs)
                                                       : NU_OK;
    status = status == NU_OK ? written : status;
  }
  report_finish(&w.report);
  if (args->json)
    run_json(&w, &r, status);
  else if (!args->quiet)
    run_text(&r, status);
  if (r.events && !args->json)
    fputs(r.events, stdout);
  nu_free(r.events);
  rests_free(&r.rests);
  ideal_free(&r.ideal, &w);
  nu_program_free(program);
  if (watch)
    watch_sources(watch, args->targets.at[0], w.session);
  work_close(&w);
  free(r.own_name);
  resume_free(&r.resume);
  return nu_exit_code(status);
}

/* Runs again and again: whenever a file changed that the model is made from. Ctrl-C while it waits
 * ends it with the exit code of the last run, during a run with 130. */
static int run_watched(const Args *args) {
  Watch *watch = strcmp(args->targets.at[0], "-") ? watch_new() : NULL;
  if (!watch)
    return strcmp(args->targets.at[0], "-")
               ? EXIT_FILE
               : usage_error(NULL, NULL, 0, "`--watch` needs files; standard input is none");
  signal(SIGINT, on_interrupt);
  signal(SIGTERM, on_interrupt);
  int code;
  const char *changed;
  do {
    double begun = progress_clock();
    code = run_once(args, watch);
    fflush(stdout);
    if (!watch_count(watch) || stopped)
      break;
    if (!args->quiet && !args->json)
      fprintf(stderr, "took %.2g s; waiting for changes of %zu file%s, Ctrl-C ends\n",
              progress_clock() - begun, watch_count(watch), watch_count(watch) == 1 ? "" : "s");
    changed = watch_wait(watch, &stopped);
    if (changed && !args->quiet && !args->json)
      fprintf(stderr, "\n%s changed\n", changed);
  } while (changed);
  watch_free(watch);
  return code;
}

int command_run(const Args *args) {
  if (args->watch && !args->targets.n)
    return usage_error(NULL, NULL, 0, "`--watch` needs TARGET");
  return args->watch ? run_watched(args) : run_once(args, NULL);
}
