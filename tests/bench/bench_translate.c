/* tests/bench/bench_translate.c -- how do time and memory of each stage grow with the number of
 * equations? bench_translate [--least N] [--most N] [--seconds S] [SHAPE...]      default: 100 to
 * 10,000 equations, 60 s, all shapes Each size is ten times the one before (models.h). Each model
 * runs in a process of its own, so that its peak memory is its own. Columns: processor time per
 * stage in ms, their sum, peak memory in MB; below each size the growth of the sum since the size
 * before as an exponent: 1 is proportional. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emit/emit.h"
#include "flat/flatten.h"
#include "load/load.h"
#include "models.h"
#include "run/run.h"
#include "structure/structure.h"

enum { PARSE, FLATTEN, CHECK, STRUCTURE, EMIT, COMPILE, INITIALISE, STAGES };
static const char *const stage_names[] = {"parse", "flatten", "check",     "structure",
                                          "emit",  "compile", "initialise"};

typedef struct {
  double ms[STAGES];
  long mb[STAGES]; /* peak memory of the process after the stage */
  int done;        /* stages */
} Figures;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static long peak(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss / 1024;
}

static void lap(Figures *f, double *since) {
  double now = cpu();
  f->ms[f->done] = now - *since;
  f->mb[f->done++] = peak();
  *since = now;
}

static bool stop_at_once(void *user, const RunRow *row) {
  (void)user, (void)row;
  return false;
}

/* All stages in turn; what fails ends it, with the messages. */
static void translate(const BenchShape *shape, unsigned n, Figures *f) {
  Memory mem = {0};
  jmp_buf recover;
  mem.recover = &recover;
  if (setjmp(recover))
    return;
  Arena *a = arena_new(&mem);
  SourceMap *sources = sources_new(a);
  Diags *diags = diags_new(a, sources);
  Library *lib = library_new(a, interner_new(a), sources, diags);
  Text text = {.arena = a}, code = {.arena = a};
  shape->write(&text, n);
  double t = cpu();
  library_load_text(lib, "bench", text_str(&text), text.n);
  lap(f, &t);
  FlatModel *m = flatten_class(lib, flatten_default_class(lib, a), NULL, a, diags);
  lap(f, &t);
  bool ok = m && flat_check(m, a, diags);
  lap(f, &t);
  Structure *s = ok ? structure_build(m, a, diags) : NULL;
  lap(f, &t);
  ok = s && emit_c(m, s, diags, &code);
  lap(f, &t);
  Program *program = ok ? load_program(text_str(&code), CODE_TCC, diags) : NULL;
  lap(f, &t);
  RunOptions options = run_defaults();
  RunStats stats = {0};
  Run *run = program ? run_new(program, &options, a, diags) : NULL;
  RunStatus status = run ? run_simulate(run, stop_at_once, NULL, &stats) : RUN_FAILED;
  lap(f, &t);
  Text said = {.arena = a};
  for (uint32_t k = 0; status != RUN_OUTPUT && k < diags_count(diags); k++)
    diag_render(diags, diags_at(diags, k), false, &said);
  if (status != RUN_OUTPUT)
    fprintf(stderr, "%s %u: failed (%d)\n%.2000s", shape->name, n, status, text_str(&said));
}

static Figures measure(const BenchShape *shape, unsigned n, unsigned seconds) {
  Figures f = {.done = 0};
  int ends[2];
  if (pipe(ends))
    return f;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    translate(shape, n, &f);
    ssize_t sent = write(ends[1], &f, sizeof f);
    _exit(sent == sizeof f ? 0 : 1);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &f, sizeof f) != sizeof f)
    f.done = 0;
  close(ends[0]);
  int status;
  if (child > 0)
    waitpid(child, &status, 0);
  return f;
}

static void table(const BenchShape *shape, unsigned least, unsigned most, unsigned seconds) {
  printf("\n%s: %s\n%9s", shape->name, shape->what, "equations");
  for (int k = 0; k < STAGES; k++)
    printf(" %10s", stage_names[k]);
  printf(" %10s %8s %8s\n", "sum ms", "MB", "growth");
  double before = 0;
  for (unsigned n = least; n <= most; n *= 10) {
    Figures f = measure(shape, n, seconds);
    if (!f.done) {
      printf("%9u no end after %u s, or a crash\n", n, seconds);
      return;
    }
    double sum = 0;
    printf("%9u", n);
    for (int k = 0; k < STAGES; k++) {
      printf(" %10.2f", f.ms[k]);
      sum += f.ms[k];
    }
    printf(" %10.1f %8ld", sum, f.mb[STAGES - 1]);
    printf(before > 0 ? " %8.2f\n" : "\n", log10(sum / before));
    printf("%9s", "MB");
    for (int k = 0; k < STAGES; k++)
      printf(" %10ld", f.mb[k]);
    printf("\n");
    before = sum;
  }
}

int main(int argc, char **argv) {
  unsigned least = 100, most = 10000, seconds = 60, chosen = 0;
  int k = 1;
  for (; k + 1 < argc && argv[k][0] == '-'; k += 2) {
    if (strcmp(argv[k], "--least") == 0)
      least = (unsigned)atoi(argv[k + 1]);
    else if (strcmp(argv[k], "--most") == 0)
      most = (unsigned)atoi(argv[k + 1]);
    else if (strcmp(argv[k], "--seconds") == 0)
      seconds = (unsigned)atoi(argv[k + 1]);
  }
  for (unsigned i = 0; i < bench_n_shapes; i++) {
    bool wanted = k >= argc;
    for (int q = k; q < argc; q++)
      wanted = wanted || strcmp(argv[q], bench_shapes[i].name) == 0;
    if (wanted) {
      table(&bench_shapes[i], least, most, seconds);
      chosen++;
    }
  }
  return chosen ? 0 : 2;
}
