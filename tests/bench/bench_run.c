/* tests/bench/bench_run.c -- the run phase against programs written by hand: what does generality
 * cost?
 *   bench_run [--code tcc|cc] [--seconds S] [CASE...]      default: code of the C compiler (the
 *   built-in one without), 1 s each, all cases
 * Stiff problems: CVODE called directly, with the analytic Jacobian, dense or KLU; the others: a
 * loop with the same explicit pair and the same control of the step. The same method, tolerances
 * and end in both; runs of the two alternate until each has taken S seconds of processor time.
 * Columns: microseconds per run of both and their ratio, steps, evaluations, and the largest error
 * at the end in units of rtol*|x| + atol, against a run by hand with a tolerance 1e-5 times as
 * large. */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <time.h>

#include "nusim.h"

enum { MOST_STATES = 1000, RC = 500, CHAIN = 1000, LINKS = 5 };

typedef struct {
  const char *name, *solver;
  int n;
  double stop, rtol, atol;
  void (*model)(FILE *out);
  void (*start)(double *x);
  void (*slope)(const double *x, double *dx);
  /* entries of the Jacobian; tridiagonal where n > 20: below, diagonal, above per column, else
   * dense column by column */
  void (*jacobian)(const double *x, double *j);
} Case;

typedef struct {
  double seconds;
  long runs, steps, evaluations;
  double x[MOST_STATES];
} Figures;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- problems ---- */

static void robertson_model(FILE *out) {
  fputs(
      "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = "
      "true); equation\n"
      "der(x) = -0.04*x + 1e4*y*z; der(y) = 0.04*x - 1e4*y*z - 3e7*y^2; der(z) = 3e7*y^2; end M;\n",
      out);
}
static void robertson_start(double *x) { x[0] = 1, x[1] = x[2] = 0; }
static void robertson(const double *x, double *dx) {
  dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
  dx[2] = 3e7 * x[1] * x[1];
  dx[1] = -dx[0] - dx[2];
}
static void robertson_jacobian(const double *x, double *j) {
  j[0] = -0.04, j[1] = 0.04, j[2] = 0;
  j[3] = 1e4 * x[2], j[4] = -1e4 * x[2] - 6e7 * x[1], j[5] = 6e7 * x[1];
  j[6] = 1e4 * x[1], j[7] = -1e4 * x[1], j[8] = 0;
}

static void van_der_pol_model(FILE *out) {
  fputs("model M Real x(start = 2, fixed = true), v(start = 0, fixed = true); parameter Real mu = "
        "1000; equation\n"
        "der(x) = v; der(v) = mu*(1 - x^2)*v - x; end M;\n",
        out);
}
static void van_der_pol_start(double *x) { x[0] = 2, x[1] = 0; }
static void van_der_pol(const double *x, double *dx) {
  dx[0] = x[1];
  dx[1] = 1000 * (1 - x[0] * x[0]) * x[1] - x[0];
}
static void van_der_pol_jacobian(const double *x, double *j) {
  j[0] = 0, j[1] = -2000 * x[0] * x[1] - 1;
  j[2] = 1, j[3] = 1000 * (1 - x[0] * x[0]);
}

/* A line of RC sections behind a source of 1 V, with the currents as variables. */
static void line_model(FILE *out) {
  fprintf(
      out,
      "model M parameter Integer n = %d; parameter Real R = 1/n, C = 1/n; Real u[n](each start = "
      "0, each fixed = true), i[n + 1]; equation\n"
      "i[1] = (1 - u[1])/R; for k in 2:n loop i[k] = (u[k - 1] - u[k])/R; end for; i[n + 1] = 0;\n"
      "for k in 1:n loop C*der(u[k]) = i[k] - i[k + 1]; end for; end M;\n",
      RC);
}
static void line_start(double *x) { memset(x, 0, RC * sizeof *x); }
static void line(const double *x, double *dx) {
  const double g = RC, c = RC;
  double before = g * (1 - x[0]);
  for (int k = 0; k < RC; k++) {
    double after = k + 1 < RC ? g * (x[k] - x[k + 1]) : 0;
    dx[k] = c * (before - after);
    before = after;
  }
}
static void line_jacobian(const double *x, double *j) {
  (void)x;
  const double q = (double)RC * RC;
  for (int k = 0; k < RC; k++)
    j[3 * k] = q, j[3 * k + 1] = k + 1 < RC ? -2 * q : -q, j[3 * k + 2] = q;
}

/* Reaction and diffusion along a chain, the rates over four decades. */
static double rate(int k) { return pow(10, 4.0 * k / CHAIN); }
static void chain_model(FILE *out) {
  fprintf(out,
          "model M parameter Integer n = %d; parameter Real d[n + 1] = {10^(4.0*k/n) for k in "
          "0:n}; Real x[n](start = {1.0/k for k in 1:n}, each fixed = true), q[n + 1]; equation\n"
          "q[1] = 0; for k in 2:n loop q[k] = d[k]*(x[k - 1] - x[k]); end for; q[n + 1] = 0;\n"
          "for k in 1:n loop der(x[k]) = q[k] - q[k + 1] + 50*x[k]*(1 - x[k]); end for; end M;\n",
          CHAIN);
}
static double rates[CHAIN + 1];
static void chain_start(double *x) {
  for (int k = 0; k < CHAIN; k++)
    x[k] = 1.0 / (k + 1), rates[k] = rate(k);
}
static void chain(const double *x, double *dx) {
  double before = 0;
  for (int k = 0; k < CHAIN; k++) {
    double after = k + 1 < CHAIN ? rates[k + 1] * (x[k] - x[k + 1]) : 0;
    dx[k] = before - after + 50 * x[k] * (1 - x[k]);
    before = after;
  }
}
static void chain_jacobian(const double *x, double *j) {
  for (int k = 0; k < CHAIN; k++) {
    double below = k + 1 < CHAIN ? rates[k + 1] : 0, above = k > 0 ? rates[k] : 0;
    j[3 * k] = above, j[3 * k + 1] = -above - below + 50 * (1 - 2 * x[k]), j[3 * k + 2] = below;
  }
}

/* Five masses with cubic springs. */
static void masses_model(FILE *out) {
  fprintf(out,
          "model M parameter Integer n = %d; Real x[n](start = {0.5*k for k in 1:n}, each fixed = "
          "true), v[n](each start = 0, each fixed = true), f[n + 1], s[n + 1]; equation\n"
          "s[1] = x[1]; for k in 2:n loop s[k] = x[k] - x[k - 1]; end for; s[n + 1] = -x[n];\n"
          "for k in 1:n + 1 loop f[k] = s[k] + 0.3*s[k]^3; end for;\n"
          "for k in 1:n loop der(x[k]) = v[k]; der(v[k]) = f[k + 1] - f[k]; end for; end M;\n",
          LINKS);
}
static void masses_start(double *x) {
  for (int k = 0; k < LINKS; k++)
    x[k] = 0.5 * (k + 1), x[LINKS + k] = 0;
}
static void masses(const double *x, double *dx) {
  double f[LINKS + 1];
  for (int k = 0; k <= LINKS; k++) {
    double s = (k < LINKS ? x[k] : 0) - (k > 0 ? x[k - 1] : 0);
    f[k] = s + 0.3 * s * s * s;
  }
  for (int k = 0; k < LINKS; k++)
    dx[k] = x[LINKS + k], dx[LINKS + k] = f[k + 1] - f[k];
}

static const Case cases[] = {
    {"robertson", "cvode", 3, 1e11, 1e-6, 1e-14, robertson_model, robertson_start, robertson,
     robertson_jacobian},
    {"vanderpol", "cvode", 2, 2000, 1e-6, 1e-8, van_der_pol_model, van_der_pol_start, van_der_pol,
     van_der_pol_jacobian},
    {"line", "cvode", RC, 2, 1e-6, 1e-8, line_model, line_start, line, line_jacobian},
    {"chain", "cvode", CHAIN, 1, 1e-6, 1e-8, chain_model, chain_start, chain, chain_jacobian},
    {"masses", "rk45", 2 * LINKS, 50, 1e-6, 1e-8, masses_model, masses_start, masses, NULL},
};

/* ---- by hand: CVODE ---- */

static int hand_slope(realtype t, N_Vector x, N_Vector dx, void *user) {
  (void)t;
  ((const Case *)user)->slope(N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
  return 0;
}

static int hand_jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix to, void *user, N_Vector a,
                         N_Vector b, N_Vector c) {
  (void)t, (void)dx, (void)a, (void)b, (void)c;
  const Case *k = user;
  if (SUNMatGetID(to) == SUNMATRIX_DENSE) {
    k->jacobian(N_VGetArrayPointer(x), SM_DATA_D(to));
    return 0;
  }
  static double j[3 * MOST_STATES];
  k->jacobian(N_VGetArrayPointer(x), j);
  sunindextype *start = SM_INDEXPTRS_S(to), *rows = SM_INDEXVALS_S(to), q = 0;
  for (int i = 0; i < k->n; i++) {
    start[i] = q;
    for (int r = i > 0 ? 0 : 1; r < (i + 1 < k->n ? 3 : 2); r++)
      rows[q] = i + r - 1, SM_DATA_S(to)[q++] = j[3 * i + r];
  }
  start[k->n] = q;
  return 0;
}

static void by_cvode(const Case *c, double part, Figures *f) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector x = N_VNew_Serial(c->n, context);
  c->start(N_VGetArrayPointer(x));
  SUNMatrix a = c->n > 20 ? SUNSparseMatrix(c->n, c->n, 3 * c->n, CSC_MAT, context)
                          : SUNDenseMatrix(c->n, c->n, context);
  SUNLinearSolver ls = c->n > 20 ? SUNLinSol_KLU(x, a, context) : SUNLinSol_Dense(x, a, context);
  void *mem = CVodeCreate(CV_BDF, context);
  CVodeInit(mem, hand_slope, 0, x);
  CVodeSStolerances(mem, part * c->rtol, part * c->atol);
  CVodeSetUserData(mem, (void *)(uintptr_t)c);
  CVodeSetLinearSolver(mem, ls, a);
  CVodeSetJacFn(mem, hand_jacobian);
  CVodeSetMaxNumSteps(mem, 100000000);
  CVodeSetStopTime(mem, c->stop);
  double t = 0;
  if (CVode(mem, c->stop, x, &t, CV_NORMAL) < 0)
    fprintf(stderr, "%s: CVODE failed at %g\n", c->name, t);
  CVodeGetNumSteps(mem, &f->steps);
  CVodeGetNumRhsEvals(mem, &f->evaluations);
  memcpy(f->x, N_VGetArrayPointer(x), (size_t)c->n * sizeof *f->x);
  CVodeFree(&mem);
  SUNLinSolFree(ls);
  SUNMatDestroy(a);
  N_VDestroy(x);
  SUNContext_Free(&context);
}

/* ---- by hand: the pair of Dormand and Prince ---- */

static const double w[7][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

enum { TEN = 2 * LINKS };

static double try_step(const Case *c, const double *x, double k[7][TEN], double h, double part,
                       double *x1) {
  for (int q = 1; q < 7; q++) {
    for (int i = 0; i < TEN; i++) {
      double sum = 0;
      for (int r = 0; r < q; r++)
        sum += w[q][r] * k[r][i];
      x1[i] = x[i] + h * sum;
    }
    c->slope(x1, k[q]);
  }
  double most = 0;
  for (int i = 0; i < TEN; i++) {
    double sum = 0;
    for (int q = 0; q < 7; q++)
      sum += e[q] * k[q][i];
    most = fmax(most, fabs(h * sum) / (c->rtol * fmax(fabs(x[i]), fabs(x1[i])) + c->atol));
  }
  return most / part;
}

static void by_pair(const Case *c, double part, Figures *f) {
  double x[TEN], x1[TEN], k[7][TEN], h = 1e-3, last = 1e-4;
  c->start(x);
  c->slope(x, k[0]);
  f->steps = 0, f->evaluations = 1;
  for (double t = 0; t < c->stop;) {
    h = fmin(h, c->stop - t);
    double error = try_step(c, x, k, h, part, x1);
    f->evaluations += 6;
    double factor = 0.9 * pow(fmax(error, 1e-10), -0.17) * (error <= 1 ? pow(last, 0.04) : 1);
    factor = fmin(10, fmax(0.2, factor));
    if (error <= 1) {
      t += h;
      f->steps++;
      last = fmax(error, 1e-4);
      memcpy(x, x1, sizeof x);
      memcpy(k[0], k[6], sizeof k[0]);
    } else
      factor = fmin(factor, 1);
    h *= factor;
  }
  memcpy(f->x, x, sizeof x);
}

/* part: of the tolerances */
static void by_hand(const Case *c, double part, Figures *f) {
  double begin = cpu();
  if (c->jacobian)
    by_cvode(c, part, f);
  else
    by_pair(c, part, f);
  f->seconds += cpu() - begin;
  f->runs++;
}

/* ---- by NuSim ---- */

typedef struct {
  NuSession *session;
  NuProgram *program;
} Compiled;

static void sink(void *user, const NuDiagnostic *d) {
  (void)user;
  fprintf(stderr, "%s: %s\n", d->code, d->message);
}

static bool compile(const Case *c, NuCode code, Compiled *out) {
  NuSessionOptions so = nu_session_options();
  so.sink = sink;
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  c->model(file);
  fclose(file);
  *out = (Compiled){0};
  bool ok = nu_session_new(&so, &out->session) == NU_OK &&
            nu_load_text(out->session, "M.mo", text, length) == NU_OK &&
            nu_compile(out->session, &(NuTarget){.code = code}, &out->program) == NU_OK;
  free(text);
  return ok;
}

static bool last_row(void *user, double time, const double *values) {
  const Case *c = ((void **)user)[0];
  Figures *f = ((void **)user)[1];
  (void)time;
  memcpy(f->x, values, (size_t)c->n * sizeof *values);
  return true;
}

static bool by_nusim(const Case *c, const Compiled *m, Figures *f) {
  NuRunOptions o = nu_run_options();
  void *user[] = {(void *)(uintptr_t)c, f};
  o.stop = c->stop, o.rtol = c->rtol, o.atol = c->atol, o.solver = c->solver, o.intervals = 1;
  o.row = last_row, o.row_user = user;
  NuRun *run;
  if (nu_run_new(m->program, &o, &run) != NU_OK)
    return false;
  double begin = cpu();
  bool ok = nu_run_simulate(run) == NU_OK;
  f->seconds += cpu() - begin;
  f->runs++;
  NuRunStats s = nu_run_stats(run);
  f->steps = (long)s.steps, f->evaluations = (long)s.rhs_evaluations;
  nu_run_free(run);
  return ok;
}

/* ---- the table ---- */

static double error_of(const Case *c, const Figures *f, const Figures *exact) {
  double most = 0;
  for (int i = 0; i < c->n; i++)
    most = fmax(most, fabs(f->x[i] - exact->x[i]) / (c->rtol * fabs(exact->x[i]) + c->atol));
  return most;
}

static bool measure(const Case *c, NuCode code, double seconds) {
  static Figures nusim, hand, exact;
  Compiled m;
  memset(&nusim, 0, sizeof nusim), memset(&hand, 0, sizeof hand), memset(&exact, 0, sizeof exact);
  bool ok = compile(c, code, &m);
  while (ok && (nusim.seconds < seconds || hand.seconds < seconds)) {
    ok = by_nusim(c, &m, &nusim);
    by_hand(c, 1, &hand);
  }
  by_hand(c, 1e-5, &exact);
  if (ok) {
    double a = nusim.seconds / (double)nusim.runs * 1e6, b = hand.seconds / (double)hand.runs * 1e6;
    printf("%-10s %5d %-6s %9.0f %9.0f %6.2f   %6ld %6ld  %7ld %7ld   %7.2g %7.2g\n", c->name, c->n,
           c->solver, a, b, a / b, nusim.steps, hand.steps, nusim.evaluations, hand.evaluations,
           error_of(c, &nusim, &exact), error_of(c, &hand, &exact));
    fflush(stdout);
  }
  nu_program_free(m.program);
  nu_session_free(m.session);
  return ok;
}

int main(int argc, char **argv) {
  NuCode code = system("command -v cc >/dev/null 2>&1") == 0 ? NU_CODE_CC : NU_CODE_TCC;
  double seconds = 1;
  bool all = true, ok = true, chosen[sizeof cases / sizeof *cases] = {false};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--code") && i + 1 < argc)
      code = strcmp(argv[++i], "tcc") ? NU_CODE_CC : NU_CODE_TCC;
    else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
      seconds = atof(argv[++i]);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
      if (!strcmp(argv[i], cases[k].name))
        chosen[k] = true, all = false;
  }
  printf("code: %s\n%-10s %5s %-6s %9s %9s %6s   %13s  %15s   %15s\n",
         code == NU_CODE_CC ? "cc" : "tcc", "case", "n", "method", "nusim us", "hand us", "ratio",
         "steps", "evaluations", "error");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (all || chosen[k])
      ok = measure(&cases[k], code, seconds) && ok;
  return ok ? 0 : 1;
}
