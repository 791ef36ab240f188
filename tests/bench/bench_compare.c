/* tests/bench/bench_compare.c -- comparison of two signals in a tube, up to 1,000,000 points each.
 * Reports processor time per point for a smooth signal on two grids, one with 10,000 events, and a
 * discrete one that changes at every other point: the time per point should not grow. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "result/compare.h"

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef enum { SMOOTH, EVENTS, DISCRETE, KINDS } Kind;

/* Events are points of equal time. */
static void fill(Kind kind, double *t, double *v, size_t n, double shift) {
  size_t every = kind == EVENTS ? n / 10000 + 2 : kind == DISCRETE ? 2 : n;
  for (size_t k = 0; k < n; k++) {
    bool again = k % every == 1;
    t[k] = again ? t[k - 1]
                 : 100.0 * ((double)k + (k > 1 && k + 1 < n ? shift : 0)) / (double)(n - 1);
    v[k] = kind == DISCRETE
               ? (double)((k + 1) / 2 % 7)
               : sin(t[k]) + (kind == EVENTS ? (double)((k + every - 1) / every % 2) : 0);
  }
}

static double seconds(Kind kind, size_t n, CompareOutcome *out) {
  double *at = malloc(4 * n * sizeof *at);
  Memory mem = {0};
  jmp_buf here;
  mem.recover = &here;
  if (!at || setjmp(here))
    return NAN;
  fill(kind, at, at + n, n, 0);
  fill(kind, at + 2 * n, at + 3 * n, n, 0.3);
  CompareCurve a = {at, at + n, n, false}, b = {at + 2 * n, at + 3 * n, n, false};
  CompareTube tube = {
      .from = 0, .to = 100, .width = 0.2, .height = 4e-3, .discrete = kind == DISCRETE};
  double begun = cpu();
  Arena *arena = arena_new(&mem);
  *out = compare_curves(&a, &b, &tube, arena);
  arena_free(arena);
  double took = cpu() - begun;
  free(at);
  return took;
}

int main(void) {
  static const char *const names[KINDS] = {
      [SMOOTH] = "smooth", [EVENTS] = "10,000 events", [DISCRETE] = "discrete"};
  for (Kind kind = SMOOTH; kind < KINDS; kind++)
    for (size_t n = 10000; n <= 1000000; n *= 10) {
      CompareOutcome o;
      double s = seconds(kind, n, &o);
      printf("%-14s %8zu points  %7.3f s  %5.0f ns per point  deviation %.3g\n", names[kind], n, s,
             1e9 * s / (double)n, o.deviation);
    }
  return 0;
}
