/* tests/bench/bench_events.c -- models with many events against programs written by hand: what does
 * an event cost?
 *   bench_events [--code tcc|cc] [--seconds S] [--no-count] [CASE...]
 *                            default: code of the C compiler, 0.5 s each, all cases
 *   bench_events --many      1,000 independent systems in one model against as many runs of one
 *   bench_events --size      cost of an event as the rest of the model grows
 * Both sides: the explicit pair 5(4) with the same tolerances, output grid and largest step; runs
 * of the two alternate until each has taken S seconds of processor time. Beside them: CVODE with
 * its root finding on the functions written by hand, NuSim with its solver cvode, and OpenModelica
 * where it is installed (its own figure for the simulation alone). Then the instructions of one run
 * of both sides, by callgrind where it is installed. Errors are the largest differences from a run
 * by hand with tolerances 1e-4 times as large, in units of rtol*|x| + atol. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nusim.h"
#include "pair.h"

enum { BLOCKS = 50 };

typedef struct {
  const char *name;
  void (*model)(FILE *out);
  void (*start)(double *x); /* and the modes */
  PairProblem problem;
} Case;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- a ball ---- */

static void ball_model(FILE *out) {
  fputs("model M parameter Real e = 0.99, g = 9.81; Real x(start = 1, fixed = true), v(start = 0, "
        "fixed = true); equation\n"
        "der(x) = v; der(v) = -g; when x < 0 then reinit(v, -e*pre(v)); end when; end M;\n",
        out);
}
static void ball_start(double *x) { x[0] = 1, x[1] = 0; }
static void ball(void *user, double t, const double *x, double *dx) {
  (void)user, (void)t;
  dx[0] = x[1], dx[1] = -9.81;
}
static void ball_roots(void *user, double t, const double *x, double *g) {
  (void)user, (void)t;
  g[0] = x[0];
}
static void ball_event(void *user, double t, double *x, const double *g) {
  (void)user, (void)t, (void)g;
  x[0] = 0, x[1] *= -0.99;
}

/* ---- a bridge of four diodes, a capacitor and a load behind it ---- */

static int bridge_mode; /* sign of the voltage that it lets through; 0: none */

static void bridge_model(FILE *out) {
  fputs(
      "model M constant Real pi = 3.141592653589793; parameter Real R1 = 20, R2 = 500, C = 1e-4;\n"
      "Real x(start = 0, fixed = true), u0, i0, va, vb, s[4], u[4], i[4]; Boolean off[4](each "
      "start = true); equation\n"
      "u0 = 220*sin(100*pi*time); va - vb = u0 - R1*i0; u[1] = va - x; u[2] = vb - x; u[3] = -va; "
      "u[4] = -vb;\n"
      "i0 + i[3] = i[1]; i[4] = i[2] + i0; i[1] + i[2] = C*der(x) + x/R2;\n"
      "for k in 1:4 loop off[k] = s[k] < 0; u[k] = if off[k] then s[k] else 0; i[k] = if off[k] "
      "then 0 else s[k]; end for; end M;\n",
      out);
}
static double source(double t) { return 220 * sin(100 * 3.141592653589793 * t); }
static void bridge_start(double *x) { x[0] = 0, bridge_mode = 1; }
static void bridge(void *user, double t, const double *x, double *dx) {
  (void)user;
  double i = bridge_mode ? (bridge_mode * source(t) - x[0]) / 20 : 0;
  dx[0] = (i - x[0] / 500) / 1e-4;
}
static void bridge_roots(void *user, double t, const double *x, double *g) {
  (void)user;
  double u = source(t);
  g[0] = bridge_mode ? bridge_mode * u - x[0] : x[0] - u, g[1] = bridge_mode ? 1 : x[0] + u;
}
static void bridge_event(void *user, double t, double *x, const double *g) {
  (void)user, (void)t, (void)x;
  bridge_mode = bridge_mode ? 0 : g[0] < 0 ? 1 : -1;
}

/* ---- a buck converter: switch, diode, inductor, capacitor, load ---- */

static bool buck_on;
static int buck_count; /* of events */

static void buck_model(FILE *out) {
  fputs("model M parameter Real U = 12, L = 1e-4, C = 1e-4, R = 5, T = 1e-5, D = 0.5; Real x(start "
        "= 1.2, fixed = true), v(start = 6, fixed = true);\n"
        "Real ud, id, us, is, s; Boolean off, on; discrete Real t0(start = 0, fixed = true); "
        "equation\n"
        "when sample(0, T) then t0 = time; end when; on = time < t0 + D*T;\n"
        "us = U - ud; is + id = x; L*der(x) = ud - v; C*der(v) = x - v/R;\n"
        "off = s < 0; -ud = if off then s else 0; id = if off then 0 else s; 0 = if on then us "
        "else is; end M;\n",
        out);
}
static void buck_start(double *x) { x[0] = 1.2, x[1] = 6, buck_on = true, buck_count = 1; }
static void buck(void *user, double t, const double *x, double *dx) {
  (void)user, (void)t;
  dx[0] = ((buck_on ? 12 : 0) - x[1]) / 1e-4, dx[1] = (x[0] - x[1] / 5) / 1e-4;
}
static void buck_roots(void *user, double t, const double *x, double *g) {
  (void)user, (void)t;
  g[0] = buck_on ? 1 : x[0];
}
static double buck_next(void *user) {
  (void)user;
  return 0.5e-5 * buck_count;
}
static void buck_event(void *user, double t, double *x, const double *g) {
  (void)user, (void)t, (void)x, (void)g;
  buck_on = !buck_on, buck_count++;
}

/* ---- a motor with sampled PI control ---- */

static double pi_sum, pi_output;
static int pi_count;

static void pi_model(FILE *out) {
  fputs("model M parameter Real T = 1e-3, Kp = 2, Ki = 5; Real x(start = 0, fixed = true), v(start "
        "= 0, fixed = true);\n"
        "discrete Real e(start = 0, fixed = true), sum(start = 0, fixed = true), u(start = 0, "
        "fixed = true); equation\n"
        "der(x) = (v - 0.5*x)/0.2; der(v) = (u - v - 0.1*x)/0.02;\n"
        "when sample(0, T) then e = 1 - x; sum = pre(sum) + Ki*T*e; u = Kp*e + sum; end when; end "
        "M;\n",
        out);
}
static void pi_start(double *x) { x[0] = x[1] = pi_sum = pi_output = 0, pi_count = 0; }
static void pi_slope(void *user, double t, const double *x, double *dx) {
  (void)user, (void)t;
  dx[0] = (x[1] - 0.5 * x[0]) / 0.2, dx[1] = (pi_output - x[1] - 0.1 * x[0]) / 0.02;
}
static double pi_next(void *user) {
  (void)user;
  return 1e-3 * pi_count;
}
static void pi_event(void *user, double t, double *x, const double *g) {
  (void)user, (void)t, (void)g;
  double error = 1 - x[0];
  pi_sum += 5 * 1e-3 * error;
  pi_output = 2 * error + pi_sum;
  pi_count++;
}

/* ---- blocks between springs, pulled over rough ground ---- */

static int block_mode[BLOCKS]; /* direction of sliding; 0: it sticks */

static void chain_model(FILE *out) {
  fprintf(out,
          "model M parameter Integer n = %d; parameter Real c = 1, peak = 1, slide = 0.7; Real "
          "x[n](start = {2*sin(k*k) for k in 1:n}, each fixed = true);\n"
          "Real v[n](each start = 0, each fixed = true), f[n], s[n + 1]; Integer mode[n](each "
          "start = 0, each fixed = true); equation\n"
          "s[1] = c*(time - x[1]); for k in 2:n loop s[k] = c*(x[k - 1] - x[k]); end for; s[n + 1] "
          "= c*x[n];\n"
          "for k in 1:n loop f[k] = s[k] - s[k + 1]; der(x[k]) = v[k]; der(v[k]) = if mode[k] == 0 "
          "then 0 else f[k] - slide*mode[k];\n"
          "mode[k] = if pre(mode[k]) == 0 then (if f[k] > peak then 1 else if f[k] < -peak then -1 "
          "else 0)\n"
          "  else if pre(mode[k]) > 0 then (if v[k] < 0 then 0 else 1) else if v[k] > 0 then 0 "
          "else -1;\n"
          "when mode[k] == 0 then reinit(v[k], 0); end when; end for; end M;\n",
          BLOCKS);
}
static double block_force(double t, const double *x, int k) {
  double before = k > 0 ? x[k - 1] - x[k] : t - x[k],
         after = k + 1 < BLOCKS ? x[k] - x[k + 1] : x[k];
  return before - after;
}
static int block_stuck(double f) { return f > 1 ? 1 : f < -1 ? -1 : 0; }
static void chain_start(double *x) {
  for (int k = 0; k < BLOCKS; k++)
    x[k] = 2 * sin((k + 1) * (k + 1)), x[BLOCKS + k] = 0;
  for (int k = 0; k < BLOCKS; k++)
    block_mode[k] = block_stuck(block_force(0, x, k));
}
static void chain(void *user, double t, const double *x, double *dx) {
  (void)user;
  for (int k = 0; k < BLOCKS; k++) {
    dx[k] = x[BLOCKS + k];
    dx[BLOCKS + k] = block_mode[k] ? block_force(t, x, k) - 0.7 * block_mode[k] : 0;
  }
}
static void chain_roots(void *user, double t, const double *x, double *g) {
  (void)user;
  for (int k = 0; k < BLOCKS; k++)
    g[k] = block_mode[k] ? block_mode[k] * x[BLOCKS + k] : 1 - fabs(block_force(t, x, k));
}
static void chain_event(void *user, double t, double *x, const double *g) {
  (void)user;
  for (int k = 0; k < BLOCKS; k++) {
    if (!(g[k] < 0))
      continue;
    double f = block_force(t, x, k);
    x[BLOCKS + k] = 0;
    block_mode[k] = block_mode[k] ? block_stuck(f) : f > 0 ? 1 : -1;
  }
}

/* 290 bounces: t0 (1 + 2 (e + ... + e^289)) < stop */
static const Case cases[] = {
    {"ball",
     ball_model,
     ball_start,
     {2, 1, 1e-6, 1e-8, 84.98, 500, ball, ball_roots, ball_event, NULL, NULL}},
    {"bridge",
     bridge_model,
     bridge_start,
     {1, 2, 1e-6, 1e-8, 1, 1000, bridge, bridge_roots, bridge_event, NULL, NULL}},
    {"buck",
     buck_model,
     buck_start,
     {2, 1, 1e-6, 1e-8, 1e-2, 500, buck, buck_roots, buck_event, buck_next, NULL}},
    {"pi",
     pi_model,
     pi_start,
     {2, 0, 1e-6, 1e-8, 10, 500, pi_slope, NULL, pi_event, pi_next, NULL}},
    {"chain",
     chain_model,
     chain_start,
     {2 * BLOCKS, BLOCKS, 1e-6, 1e-8, 100, 500, chain, chain_roots, chain_event, NULL, NULL}},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* ---- NuSim ---- */

typedef struct {
  NuSession *session;
  NuProgram *program;
} Compiled;

static void sink(void *user, const NuDiagnostic *d) {
  (void)user;
  fprintf(stderr, "%s: %s\n", d->code, d->message);
}

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

typedef struct {
  double seconds;
  long runs;
  PairResult r;
  int n;
} Figures;

static bool take_row(void *user, double time, const double *values) {
  Figures *f = user;
  f->r.rows++;
  f->r.sum += time;
  for (int i = 0; i < f->n; i++)
    f->r.sum += values[i];
  memcpy(f->r.x, values, (size_t)f->n * sizeof *values);
  return true;
}

/* callgrind counts in here alone */
__attribute__((noinline)) NuStatus counted_nusim(NuRun *run);
__attribute__((noinline)) NuStatus counted_nusim(NuRun *run) { return nu_run_simulate(run); }
__attribute__((noinline)) void counted_hand(const PairProblem *p, const double *x, PairResult *r);
__attribute__((noinline)) void counted_hand(const PairProblem *p, const double *x, PairResult *r) {
  pair_solve(p, x, r);
}

static bool by_nusim(const PairProblem *p, const Compiled *m, const char *solver, Figures *f) {
  static const char *const states[] = {"x*", "v*"};
  NuRunOptions o = nu_run_options();
  o.stop = p->stop, o.rtol = p->rtol, o.atol = p->atol, o.solver = solver,
  o.intervals = (uint64_t)p->rows;
  o.variables = states, o.n_variables = p->n > 1 && p->slope ? 2 : 1;
  o.row = take_row, o.row_user = f;
  /* Of many systems a row has all, and would cost more than the event */
  o.event_rows = p->slope ? NU_ROWS_BOTH : NU_ROWS_NONE;
  f->n = p->n < PAIR_MOST ? p->n : PAIR_MOST;
  f->r.rows = 0;
  NuRun *run;
  if (nu_run_new(m->program, &o, &run) != NU_OK)
    return false;
  double begin = cpu();
  bool ok = counted_nusim(run) == NU_OK;
  f->seconds += cpu() - begin;
  f->runs++;
  NuRunStats s = nu_run_stats(run);
  f->r.steps = (long)s.steps, f->r.evaluations = (long)s.rhs_evaluations,
  f->r.events = (long)(s.state_events + s.time_events);
  nu_run_free(run);
  return ok;
}

static void by_hand(const Case *c, double part, Figures *f) {
  double x[PAIR_MOST];
  PairProblem p = c->problem;
  p.rtol *= part, p.atol *= part;
  c->start(x);
  double begin = cpu();
  counted_hand(&p, x, &f->r);
  f->seconds += cpu() - begin;
  f->runs++;
}

static bool by_cvode(const Case *c, Figures *f) {
  double x[PAIR_MOST];
  c->start(x);
  double begin = cpu();
  bool ok = pair_cvode(&c->problem, x, &f->r);
  f->seconds += cpu() - begin;
  f->runs++;
  return ok;
}

static char *text_of(const Case *c) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  c->model(file);
  fclose(file);
  return text;
}

/* ---- the table ---- */

static double error_of(const Case *c, const Figures *f, const Figures *exact) {
  double most = 0;
  for (int i = 0; i < c->problem.n; i++)
    most = fmax(most, fabs(f->r.x[i] - exact->r.x[i]) /
                          (c->problem.rtol * fabs(exact->r.x[i]) + c->problem.atol));
  return most;
}

/* Instructions of one run, in millions; NaN without callgrind. */
static double instructions(const char *self, const char *name, const char *side, const char *code) {
  char command[1000], line[1000];
  snprintf(command, sizeof command,
           "valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=counted_%s "
           "'%s' --code %s --once %s %s 2>&1",
           side, self, code, side, name);
  FILE *in = popen(command, "r");
  double n = NAN;
  while (in && fgets(line, sizeof line, in)) {
    const char *at = strstr(line, "Collected :");
    n = at ? atof(at + strlen("Collected :")) * 1e-6 : n;
  }
  if (in)
    pclose(in);
  return n;
}

typedef struct {
  const char *self, *code_name;
  NuCode code;
  double seconds;
  bool count, openmodelica;
} Settings;

/* Seconds that OpenModelica's program takes for the simulation, by its own account; NaN where it
 * fails. */
static double by_openmodelica(const Case *c) {
  char directory[] = "/tmp/nusim-bench-XXXXXX", command[1000], line[1000];
  double seconds = NAN;
  if (!mkdtemp(directory))
    return seconds;
  snprintf(command, sizeof command, "%s/M.mo", directory);
  FILE *file = fopen(command, "w");
  if (file) {
    c->model(file);
    fclose(file);
  }
  snprintf(command, sizeof command,
           "cd %s && printf 'loadFile(\"M.mo\"); simulate(M, stopTime = %.17g, numberOfIntervals = "
           "%d, tolerance = %g);' > s.mos && omc s.mos 2>&1",
           directory, c->problem.stop, c->problem.rows, c->problem.rtol);
  FILE *in = popen(command, "r");
  while (in && fgets(line, sizeof line, in)) {
    const char *at = strstr(line, "timeSimulation = ");
    seconds = at ? atof(at + strlen("timeSimulation = ")) : seconds;
  }
  if (in)
    pclose(in);
  snprintf(command, sizeof command, "rm -r %s", directory);
  return system(command) == 0 ? seconds : NAN;
}

static bool measure(const Case *c, const Settings *o) {
  static Figures nusim, hand, cvode, own_cvode, exact;
  Compiled m;
  memset(&nusim, 0, sizeof nusim), memset(&own_cvode, 0, sizeof own_cvode),
      memset(&hand, 0, sizeof hand), memset(&cvode, 0, sizeof cvode),
      memset(&exact, 0, sizeof exact);
  char *text = text_of(c);
  bool ok = compile(text, o->code, &m), has_cvode = true;
  free(text);
  while (ok && (nusim.seconds < o->seconds || hand.seconds < o->seconds)) {
    ok = by_nusim(&c->problem, &m, "rk45", &nusim);
    by_hand(c, 1, &hand);
  }
  while (ok && has_cvode && cvode.seconds < 0.2 * o->seconds)
    has_cvode = by_cvode(c, &cvode);
  while (ok && own_cvode.seconds < 0.2 * o->seconds)
    ok = by_nusim(&c->problem, &m, "cvode", &own_cvode);
  by_hand(c, 1e-4, &exact);
  if (ok) {
    double a = nusim.seconds / (double)nusim.runs * 1e6, b = hand.seconds / (double)hand.runs * 1e6,
           d = cvode.seconds / (double)cvode.runs * 1e6;
    double own = own_cvode.seconds / (double)own_cvode.runs * 1e6;
    printf("%-8s %9.0f %9.0f %6.2f %9.0f %9.0f", c->name, a, b, a / b, has_cvode ? d : NAN, own);
    if (o->openmodelica)
      printf(" %9.0f", 1e6 * by_openmodelica(c));
    printf("  %6ld %6ld  %7ld %7ld  %6ld %6ld  %6ld %6ld  %8.2g %8.2g", nusim.r.events,
           hand.r.events, nusim.r.evaluations, hand.r.evaluations, nusim.r.steps, hand.r.steps,
           nusim.r.rows, hand.r.rows, error_of(c, &nusim, &exact), error_of(c, &hand, &exact));
    if (o->count) {
      double p = instructions(o->self, c->name, "nusim", o->code_name),
             q = instructions(o->self, c->name, "hand", o->code_name);
      printf("  %8.2f %8.2f %6.2f", p, q, p / q);
    }
    printf("\n");
    fflush(stdout);
  }
  release(&m);
  return ok;
}

/* One run, to be counted from outside. */
static bool once(const Case *c, const char *side, const Settings *o) {
  static Figures f;
  if (strcmp(side, "nusim"))
    return by_hand(c, 1, &f), true;
  Compiled m;
  char *text = text_of(c);
  bool ok = compile(text, o->code, &m) && by_nusim(&c->problem, &m, "rk45", &f);
  free(text);
  release(&m);
  return ok;
}

/* ---- many independent systems ---- */

static const char *const thermostats =
    "model M parameter Integer n = %d; parameter Real tau[n] = {1 + 0.37*k/n for k in 1:n}; Real "
    "x[n](each start = 18, each fixed = true);\n"
    "Boolean on[n](each start = true, each fixed = true); equation for k in 1:n loop\n"
    "on[k] = if pre(on[k]) then x[k] < 21 else x[k] < 19; der(x[k]) = ((if on[k] then 30 else 10) "
    "- x[k])/tau[k]; end for; end M;\n";
static const char *const stairs =
    "model M parameter Integer n = %d; parameter Real g = 9.81, e = 0.9; Real x[n](each start = 0, "
    "each fixed = true), v[n](each start = 0, each fixed = true);\n"
    "Real h[n](start = {1 + 0.1*k/n for k in 1:n}, each fixed = true); discrete Real step[n](each "
    "start = 0, each fixed = true); equation for k in 1:n loop\n"
    "der(x[k]) = 0.5 + 0.1*k/n; der(h[k]) = v[k]; der(v[k]) = -g; when x[k] > pre(step[k]) + 1 "
    "then step[k] = pre(step[k]) + 1; end when;\n"
    "when h[k] < -0.2*step[k] then reinit(v[k], -e*pre(v[k])); end when; end for; end M;\n";

static bool run_text(const char *form, int n, const PairProblem *p, NuCode code, Figures *f) {
  char text[4000];
  Compiled m;
  snprintf(text, sizeof text, form, n);
  bool ok = compile(text, code, &m) && by_nusim(p, &m, "rk45", f);
  release(&m);
  return ok;
}

static bool many(const Settings *o) {
  const char *const names[] = {"thermostats", "stairs"}, *const forms[] = {thermostats, stairs};
  bool ok = true;
  printf("%-12s %6s %12s %9s %12s %10s\n", "case", "n", "ms", "events", "us per event",
         "n alone ms");
  for (int k = 0; k < 2; k++)
    for (int n = 1; n <= 1000 && ok; n *= 10) {
      static Figures f, one;
      memset(&f, 0, sizeof f);
      PairProblem p = {.n = n, .rtol = 1e-6, .atol = 1e-8, .stop = 10, .rows = 100};
      ok = run_text(forms[k], n, &p, o->code, &f);
      if (n == 1)
        one = f;
      printf("%-12s %6d %12.2f %9ld %12.2f %10.2f\n", names[k], n, 1e3 * f.seconds, f.r.events,
             1e6 * f.seconds / (double)f.r.events, 1e3 * n * one.seconds);
      fflush(stdout);
    }
  return ok;
}

/* ---- the rest of the model grows ---- */

static const char
    *const with_outputs = "model M parameter Integer n = %d; Real x(start = 1, fixed = true), "
                          "v(start = 0, fixed = true), z[n]; equation der(x) = v; der(v) = -9.81;\n"
                          "when x < 0 then reinit(v, -0.99*pre(v)); end when; z[1] = time; for k "
                          "in 2:n loop z[k] = 0.5*z[k - 1] + k; end for; end M;\n";
static const char *const
    with_states = "model M parameter Integer n = %d; Real x(start = 1, fixed = true), v(start = 0, "
                  "fixed = true), z[n](each start = 0, each fixed = true); equation\n"
                  "der(x) = v; der(v) = -9.81; when x < 0 then reinit(v, -0.99*pre(v)); end when; "
                  "for k in 1:n loop der(z[k]) = 1 - z[k]; end for; end M;\n";
static const char *const with_logic =
    "model M parameter Integer n = %d; Real x(start = 1, fixed = true), v(start = 0, fixed = "
    "true); Boolean z[n](each start = false, each fixed = true);\n"
    "equation der(x) = v; der(v) = -9.81; when x < 0 then reinit(v, -0.99*pre(v)); end when;\n"
    "for k in 1:n loop z[k] = if pre(z[k]) then x > -k - 1 else x > k + 1; end for; end M;\n";

/* The rest alone; nothing of the logic is left without the ball. */
static const char
    *const outputs_alone = "model M parameter Integer n = %d; Real x[n]; equation x[1] = time; for "
                           "k in 2:n loop x[k] = 0.5*x[k - 1] + k; end for; end M;\n";
static const char *const
    states_alone = "model M parameter Integer n = %d; Real x[n](each start = 0, each fixed = "
                   "true); equation for k in 1:n loop der(x[k]) = 1 - x[k]; end for; end M;\n";

/* What the events of a ball cost beside n other things: the whole less what these take alone. */
static bool size(const Settings *o) {
  const char *const names[] = {"outputs", "states", "logic"}, *const forms[] = {with_outputs,
                                                                                with_states,
                                                                                with_logic};
  const char *const rests[] = {outputs_alone, states_alone, NULL};
  PairProblem p = cases[0].problem;
  p.slope = NULL;
  bool ok = true;
  printf("%-10s %7s %9s %9s %9s %12s\n", "rest", "n", "us", "rest us", "events", "us per event");
  for (int k = 0; k < 3; k++)
    for (int n = 10; n <= 10000 && ok; n *= 10) {
      static Figures f, rest;
      NuCode code = n > 1000 ? NU_CODE_TCC : o->code;
      memset(&f, 0, sizeof f), memset(&rest, 0, sizeof rest);
      ok = run_text(forms[k], n, &p, code, &f) &&
           (!rests[k] || run_text(rests[k], n, &p, code, &rest));
      printf("%-10s %7d %9.0f %9.0f %9ld %12.2f\n", names[k], n, 1e6 * f.seconds,
             1e6 * rest.seconds, f.r.events, 1e6 * (f.seconds - rest.seconds) / (double)f.r.events);
      fflush(stdout);
    }
  return ok;
}

int main(int argc, char **argv) {
  Settings o = {.self = argv[0], .seconds = 0.5, .count = true};
  bool has_cc = system("command -v cc >/dev/null 2>&1") == 0, all = true, ok = true,
       chosen[N_CASES] = {false};
  const char *side = NULL;
  o.code = has_cc ? NU_CODE_CC : NU_CODE_TCC;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--code") && i + 1 < argc)
      o.code = strcmp(argv[++i], "tcc") ? NU_CODE_CC : NU_CODE_TCC;
    else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
      o.seconds = atof(argv[++i]);
    else if (!strcmp(argv[i], "--once") && i + 1 < argc)
      side = argv[++i];
    else if (!strcmp(argv[i], "--many") || !strcmp(argv[i], "--size"))
      return (strcmp(argv[i], "--many") ? size(&o) : many(&o)) ? 0 : 1;
    o.count = o.count && strcmp(argv[i], "--no-count");
    for (size_t k = 0; k < N_CASES; k++)
      if (!strcmp(argv[i], cases[k].name))
        chosen[k] = true, all = false;
  }
  o.code_name = o.code == NU_CODE_CC ? "cc" : "tcc";
  o.openmodelica = !side && system("command -v omc >/dev/null 2>&1") == 0;
  if (o.count && !side && system("command -v valgrind >/dev/null 2>&1") != 0)
    o.count = false, printf("valgrind: not installed; instructions are not counted\n");
  if (!side && !o.openmodelica)
    printf("OpenModelica: not installed\n");
  if (!side)
    printf("code: %s; us of a run\n%-8s %9s %9s %6s %9s %9s%s  %13s  %15s  %13s  %13s  %17s%s\n",
           o.code_name, "case", "nusim", "hand", "ratio", "cvode", "own cvode",
           o.openmodelica ? "       omc" : "", "events", "evaluations", "steps", "rows", "error",
           o.count ? "        10^6 instructions" : "");
  for (size_t k = 0; k < N_CASES; k++)
    if (all || chosen[k])
      ok = (side ? once(&cases[k], side, &o) : measure(&cases[k], &o)) && ok;
  return ok ? 0 : 1;
}
