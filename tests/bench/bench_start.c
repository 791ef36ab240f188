/* tests/bench/bench_start.c -- what a short run costs as a whole: `nusim run` from the source text
 * of three equations to the result file, start-up of the program included.
 *   bench_start [RUNS]      default: 50
 * Columns: processor time of the process, least and mean of all runs, in ms. The program is the one
 * of the same build. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char model[] = "model Start\n"
                            "  Real x(start = 1, fixed = true), v(start = 0, fixed = true), a;\n"
                            "equation\n"
                            "  der(x) = v;\n"
                            "  der(v) = a;\n"
                            "  a = -x;\n"
                            "end Start;\n";

static double seconds(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

/* Processor time of one run; negative if it fails. */
static double run(const char *program, const char *source, const char *result) {
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    execl(program, program, "run", source, "-o", result, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  struct rusage u;
  if (child < 0 || wait4(child, &status, 0, &u) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
    return -1;
  return seconds(u.ru_utime) + seconds(u.ru_stime);
}

/* All runs with a result of one format. */
static bool measure(const char *program, const char *folder, const char *extension, int runs) {
  char source[100], result[100];
  snprintf(source, sizeof source, "%s/Start.mo", folder);
  snprintf(result, sizeof result, "%s/Start%s", folder, extension);
  FILE *f = fopen(source, "w");
  bool ok = f && fputs(model, f) >= 0;
  ok = f && fclose(f) == 0 && ok;
  double least = 0, sum = 0;
  for (int k = 0; ok && k < runs; k++) {
    double t = run(program, source, result);
    ok = t >= 0;
    least = k == 0 || t < least ? t : least;
    sum += t;
  }
  unlink(source), unlink(result);
  if (ok)
    printf("3 equations, source to %s, %d runs: least %.1f ms, mean %.1f ms\n", extension, runs,
           1e3 * least, 1e3 * sum / runs);
  return ok;
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 50;
  char program[4096], folder[] = "/tmp/bench_start_XXXXXX";
  const char *slash = strrchr(argv[0], '/');
  snprintf(program, sizeof program, "%.*s/../../nusim", slash ? (int)(slash - argv[0]) : 1,
           slash ? argv[0] : ".");
  if (runs < 1 || !mkdtemp(folder))
    return 2;
  bool ok = measure(program, folder, ".csv", runs) && measure(program, folder, ".mat", runs) &&
            measure(program, folder, ".nus", runs);
  rmdir(folder);
  if (!ok)
    fprintf(stderr, "%s does not run the model\n", program);
  return ok ? 0 : 1;
}
