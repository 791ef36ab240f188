/* tests/bench/bench_parts.c -- parts that read each other one way: what do their own steps cost, or
 * gain, against one step for all? bench_parts [N]      systems of N cells (100)
 * Steps and processor time of one run, with parts and with one step size (--islands off). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nusim.h"

#define CELLS "model M parameter Integer n = %d; Real T[n](each start = 0, each fixed = true); "
#define CHAIN "for i in 2:n loop der(T[i]) = 5*(T[i - 1] - T[i]); end for; "
#define HEAD "der(u) = (if on then 2 else 0) - u; on = u < 0.6 or pre(on) and u < 1; "
#define THERMOSTAT "Real u(start = 0, fixed = true); Boolean on(start = true, fixed = true); "
#define FLOW "Real m(start = 1, fixed = true); "

typedef struct {
  const char *name, *model;
} Shape;

static const Shape shapes[] = {
    {"chain, events at its head",
     CELLS THERMOSTAT "equation " HEAD "der(T[1]) = 5*(u - T[1]); " CHAIN "end M;"},
    {"chain that all read a flow", CELLS THERMOSTAT FLOW
     "equation " HEAD "der(m) = 0.5*(1 + 0.5*sin(time) - m); der(T[1]) = 5*m*(u - T[1]); "
     "for i in 2:n loop der(T[i]) = 5*m*(T[i - 1] - T[i]); end for; end M;"},
    {"chain, events at its end",
     CELLS FLOW "Real u(start = 0, fixed = true); Boolean hot(start = false, fixed = true); "
                "equation der(u) = cos(time); "
                "der(m) = 0.5*(1 + 0.5*sin(time) - m); der(T[1]) = 5*m*(u - T[1]); for i in 2:n "
                "loop der(T[i]) = 5*m*(T[i - 1] - T[i]); "
                "end for; when T[n] > 0.2 then hot = true; end when; end M;"},
    {"chain, events in each cell", CELLS
     "Real u(start = 0, fixed = true); Boolean hot[n](each start = false, each fixed = true); "
     "equation der(u) = cos(time); "
     "der(T[1]) = 5*(u - T[1]); " CHAIN "for i in 1:n loop hot[i] = T[i] > 0.5; end for; end M;"},
    {"tree",
     CELLS THERMOSTAT "equation " HEAD "der(T[1]) = 5*(u - T[1]); for i in 2:n loop der(T[i]) = "
                      "5*(T[div(i, 2)] - T[i])/(1 + 0.01*i); end for; end M;"},
    {"one source, many readers", CELLS THERMOSTAT
     "equation " HEAD "for i in 1:n loop der(T[i]) = (1 + 0.01*i)*(u - T[i]); end for; end M;"},
    {"many sources, one reader",
     CELLS "Real s(start = 0, fixed = true); Boolean hot(start = false, fixed = true); equation "
           "for i in 1:n loop "
           "der(T[i]) = (1 + 0.01*i)*(sin(0.1*i*time) - T[i]); end for; der(s) = sum(T) - s; when "
           "s > 1 then hot = true; end when; end M;"},
    {"thermostats in one weather", CELLS
     "Real w(start = 0, fixed = true), z(start = 1, fixed = true); Boolean on[n](each start = "
     "true, each fixed = true); equation "
     "der(w) = z; der(z) = -w; for i in 1:n loop der(T[i]) = (1 + 0.001*i)*(w - T[i] + (if on[i] "
     "then 3 else 0)); "
     "on[i] = T[i] < 1.4 + 0.0005*i or pre(on[i]) and T[i] < 1.6 + 0.0005*i; end for; end M;"},
    {"slow readers of a fast one",
     CELLS "Real a(start = 1, fixed = true), b(start = 0, fixed = true); Boolean hot[n](each start "
           "= false, each fixed = true); equation "
           "der(a) = 200*b; der(b) = -200*a; for i in 1:n loop der(T[i]) = 0.01*i*(1 + a - T[i]); "
           "hot[i] = T[i] > 0.5; end for; end M;"},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sink(void *user, const NuDiagnostic *d) {
  (void)user;
  fprintf(stderr, "%s: %s\n", d->code, d->message);
}

/* One run; false if it fails. */
static bool measure(const NuProgram *program, bool together, NuRunStats *stats, double *seconds) {
  NuRunOptions o = nu_run_options();
  o.stop = 10, o.together = together, o.event_rows = NU_ROWS_NONE;
  NuRun *run;
  if (nu_run_new(program, &o, &run) != NU_OK)
    return false;
  double begin = cpu();
  bool ok = nu_run_simulate(run) == NU_OK;
  *seconds = cpu() - begin;
  *stats = nu_run_stats(run);
  nu_run_free(run);
  return ok;
}

static bool shape(const Shape *s, int n) {
  char text[2000];
  NuSessionOptions so = nu_session_options();
  so.sink = sink;
  NuSession *session = NULL;
  NuProgram *program = NULL;
  NuRunStats parts, whole;
  double parts_time = 0, whole_time = 0;
  snprintf(text, sizeof text, s->model, n);
  bool ok = nu_session_new(&so, &session) == NU_OK &&
            nu_load_text(session, "M.mo", text, strlen(text)) == NU_OK &&
            nu_compile(session, &(NuTarget){.code = NU_CODE_TCC}, &program) == NU_OK &&
            measure(program, false, &parts, &parts_time) &&
            measure(program, true, &whole, &whole_time);
  if (ok)
    printf("%-28s %6d %8llu %9llu %9.2f %9llu %9.2f\n", s->name, n,
           (unsigned long long)(whole.state_events + whole.time_events),
           (unsigned long long)parts.steps, 1e3 * parts_time, (unsigned long long)whole.steps,
           1e3 * whole_time);
  fflush(stdout);
  nu_program_free(program);
  nu_session_free(session);
  return ok;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  bool ok = true;
  printf("%-28s %6s %8s %9s %9s %9s %9s\n", "shape", "cells", "events", "steps", "ms", "one step",
         "ms");
  for (int k = 0; k < N_SHAPES && ok; k++)
    ok = shape(&shapes[k], n);
  return ok ? 0 : 1;
}
