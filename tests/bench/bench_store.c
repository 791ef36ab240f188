/* tests/bench/bench_store.c -- what it costs to remember a run: 20 states, 1,000 variables,
 * 1,000,000 points. bench_store [POINTS]
 * Reports, with the same program in turn without and with a store: processor time of the run, and
 * what storing adds to it; size of the store against a CSV file of all variables, estimated from
 * 1,000 rows; time to open the store and to compute one variable at all points, for a state, the
 * variable with the shortest and the one with the longest chain of equations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "nusim.h"

enum { STATES = 20, CHAIN = 48, ROWS = 1000, TURNS = 3 };

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show(void *user, const NuDiagnostic *d) {
  (void)user;
  fprintf(stderr, "%s: %s\n", d->code, d->message);
}

/* Each state has a chain of variables behind it, with the usual functions and other states in
 * them. */
static void write_model(Text *out) {
  static const char *const forms[] = {"0.5*%s + 0.25*x%d", "cos(%s) - 0.1*x%d",
                                      "0.9*%s + 0.01*x%d^2", "sqrt(1 + %s^2) + x%d"};
  text_add(out, "model M\n");
  for (int k = 1; k <= STATES; k++) {
    text_printf(out, "  Real x%d(start = %d, fixed = true);\n", k, k % 3);
    for (int j = 1; j <= CHAIN; j++)
      text_printf(out, "  Real y%d_%d;\n", k, j);
  }
  text_add(out, "equation\n");
  for (int k = 1; k <= STATES; k++) {
    text_printf(out, "  der(x%d) = -0.%d*x%d + sin(%d*time/10) + 0.1*y%d_3;\n", k, 30 + k, k, 6 + k,
                k % STATES + 1);
    for (int j = 1; j <= CHAIN; j++) {
      char before[32];
      snprintf(before, sizeof before, j == 1 ? "x%d" : "y%d_%d", k, j - 1);
      text_printf(out, "  y%d_%d = ", k, j);
      _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"")
          text_printf(out, forms[j % 4], before, (k + j) % STATES + 1);
      _Pragma("GCC diagnostic pop") text_add(out, ";\n");
    }
  }
  text_add(out, "end M;\n");
}

/* Processor time of a run; negative if it fails. */
static double run(const NuProgram *p, uint64_t points, const char *store, const char *csv) {
  NuRunOptions o = nu_run_options();
  o.stop = 100;
  o.intervals = points;
  o.store = store;
  o.csv = csv;
  NuRun *r = NULL;
  if (nu_run_new(p, &o, &r) != NU_OK)
    return -1;
  double t = cpu();
  NuStatus status = nu_run_simulate(r);
  t = cpu() - t;
  nu_run_free(r);
  return status == NU_OK ? t : -1;
}

static double size_of(const char *path) {
  struct stat st;
  return stat(path, &st) ? NAN : (double)st.st_size;
}

static bool add(void *user, double time, const double *values) {
  (void)time;
  *(double *)user += values[0];
  return true;
}

static bool compute(NuResult *r, const char *name, const char *what) {
  double sum = 0, t = cpu();
  NuExtract x = nu_extract();
  x.variables = &name;
  x.n_variables = 1;
  x.row = add;
  x.row_user = &sum;
  bool ok = nu_result_extract(r, &x) == NU_OK;
  printf("  %-38s %6.2f s\n", what, cpu() - t);
  return ok;
}

static bool measure(NuSession *s, const NuProgram *p, uint64_t points, const char *store,
                    const char *csv) {
  double without = INFINITY, with = INFINITY;
  for (int k = 0; k < TURNS; k++) {
    double a = run(p, points, NULL, NULL), b = run(p, points, store, NULL);
    if (a < 0 || b < 0)
      return false;
    without = fmin(without, a), with = fmin(with, b);
  }
  if (run(p, ROWS, NULL, csv) < 0)
    return false;
  double whole = size_of(csv) * (double)points / ROWS, stored = size_of(store);
  printf("%d states, %d variables, %llu points\n", STATES, STATES * (CHAIN + 1),
         (unsigned long long)points);
  printf("  run %.2f s, with a store %.2f s: %+.1f %%\n", without, with,
         100 * (with / without - 1));
  printf("  store %.1f MB, CSV of all variables %.0f MB: 1/%.0f\n", 1e-6 * stored, 1e-6 * whole,
         whole / stored);
  NuResult *r = NULL;
  double t = cpu();
  bool ok = nu_result_open(s, store, &r) == NU_OK;
  printf("  %-38s %6.2f s\n", "opening", cpu() - t);
  ok = ok && compute(r, "x3", "a state") && compute(r, "y7_1", "a variable, shortest chain") &&
       compute(r, "y20_48", "a variable, longest chain");
  nu_result_free(r);
  return ok;
}

int main(int argc, char **argv) {
  uint64_t points = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
  char folder[] = "/tmp/bench_store_XXXXXX", store[100], csv[100];
  if (!points || !mkdtemp(folder))
    return 2;
  snprintf(store, sizeof store, "%s/M.nus", folder);
  snprintf(csv, sizeof csv, "%s/M.csv", folder);
  Memory mem = {0};
  Text text = {.arena = arena_new(&mem)};
  write_model(&text);
  NuSessionOptions so = nu_session_options();
  so.sink = show;
  NuSession *s = NULL;
  NuProgram *p = NULL;
  NuTarget target = {.class_name = "M", .code = NU_CODE_CC};
  bool ok = nu_session_new(&so, &s) == NU_OK &&
            nu_load_text(s, "M.mo", text_str(&text), text.n) == NU_OK &&
            nu_compile(s, &target, &p) == NU_OK && measure(s, p, points, store, csv);
  nu_program_free(p);
  nu_session_free(s);
  mem_drop_since(&mem, NULL);
  unlink(store), unlink(csv), rmdir(folder);
  return ok ? 0 : 1;
}
