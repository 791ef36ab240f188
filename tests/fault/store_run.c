/* tests/fault/store_run.c -- runs a model into a store and logs how far it is, so that what a
 * killed run left can be judged: about every 20 ms a line with the real time, the number of points
 * so far and the time of the model goes to standard output at once. store_run Model.mo x.nus STOP
 * INTERVALS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nusim.h"

static const double LOG_INTERVAL = 0.02; /* s */

typedef struct {
  uint64_t points;
  double logged;
} Log;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool take(void *user, double time, const double *values) {
  Log *log = user;
  double at = now();
  char line[100];
  (void)values;
  log->points++;
  if (at - log->logged < LOG_INTERVAL)
    return true;
  log->logged = at;
  int n = snprintf(line, sizeof line, "%.6f %" PRIu64 " %.17g\n", at, log->points, time);
  return write(STDOUT_FILENO, line, (size_t)n) == n;
}

static void show(void *user, const NuDiagnostic *d) {
  char *text = nu_diagnostic_text(d, false);
  (void)user;
  fputs(text ? text : d->message, stderr);
  nu_free(text);
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  NuSessionOptions so = nu_session_options();
  so.sink = show;
  NuSession *s = NULL;
  NuProgram *p = NULL;
  NuRun *r = NULL;
  Log log = {0};
  NuTarget target = {.code = NU_CODE_TCC};
  NuRunOptions o = nu_run_options();
  o.store = argv[2];
  o.stop = strtod(argv[3], NULL);
  o.intervals = strtoull(argv[4], NULL, 10);
  o.event_rows = NU_ROWS_ALL;
  o.row = take;
  o.row_user = &log;
  NuStatus status = nu_session_new(&so, &s);
  status = status ? status : nu_load_file(s, argv[1]);
  status = status ? status : nu_compile(s, &target, &p);
  status = status ? status : nu_run_new(p, &o, &r);
  status = status ? status : nu_run_simulate(r);
  nu_run_free(r);
  nu_program_free(p);
  nu_session_free(s);
  return nu_exit_code(status);
}
