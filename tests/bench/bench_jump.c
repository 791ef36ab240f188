/* tests/bench/bench_jump.c -- jumps at changes of structure: how long it takes to prepare one, and
 * to apply it.
 * The block: bodies in a row that are coupled rigidly at the switch; n velocities and n - 1
 * forces. */
#include "numeric/jump.h"

#include <stdio.h>
#include <time.h>

enum { MOST = 199 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void train(int bodies, double *e, double *a) {
  int n = 2 * bodies - 1;
  for (int k = 0; k < n * n; k++)
    e[k] = a[k] = 0;
  for (int k = 0; k < bodies; k++) {
    e[k * n + k] = 1 + k % 7;
    if (k > 0)
      a[k * n + bodies + k - 1] = -1;
    if (k < bodies - 1) {
      a[k * n + bodies + k] = 1;
      a[(bodies + k) * n + k] = 1, a[(bodies + k) * n + k + 1] = -1;
    }
  }
}

static void measure(Memory *memory, int bodies) {
  static double e[MOST * MOST], a[MOST * MOST], b[2 * MOST], x[MOST], after[MOST], rate[MOST],
      area[MOST], work[3 * MOST];
  int n = 2 * bodies - 1, rounds = 1 + 20000 / (n * n), applications = 1 + 20000000 / (n * n);
  train(bodies, e, a);
  Arena *arena = NULL;
  Jump *j = NULL;
  double start = now();
  for (int k = 0; k < rounds; k++) {
    arena_free(arena);
    arena = arena_new(memory);
    j = jump_prepare(arena, n, n, e, a, NULL);
  }
  double prepared = now();
  JumpInput in = {.x = x, .b = b, .given = 2};
  JumpOutput out = {.x = after, .rate = rate, .area = area};
  double sum = 0;
  for (int k = 0; k < applications; k++) {
    for (int i = 0; i < n; i++)
      x[i] = (k + i) % 5, b[i] = b[n + i] = 1;
    jump_apply(j, &in, &out, work);
    sum += after[0];
  }
  double applied = now();
  printf("%4d unknowns, index %d: prepared in %8.1f us, applied in %7.3f us (%.3g)\n", n,
         j->form->index, 1e6 * (prepared - start) / rounds,
         1e6 * (applied - prepared) / applications, sum / applications);
  arena_free(arena);
}

int main(void) {
  Memory memory = {0};
  jmp_buf exhausted;
  if (setjmp(exhausted))
    return 1;
  memory.recover = &exhausted;
  const int bodies[] = {2, 3, 5, 6, 12, 25, 50, 100};
  for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
    measure(&memory, bodies[k]);
  return 0;
}
