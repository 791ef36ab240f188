/* tests/bench/bench_slice.c -- what it costs to compute variables again from the states of a run.
 *   bench_slice [POINTS]      default: 1e6
 * A model of 20 states and about 1,000 variables in chains of 10; the derivatives of the states
 * come from some of them. Columns: what is wanted, steps and recorded places of its slice, ms to
 * make the slice (C text and machine code), ns per point, s in all. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/api_impl.h"
#include "emit/emit.h"
#include "run/replay.h"
#include "structure/keep.h"
#include "structure/slice.h"
#include "structure/sorted.h"

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *model_text(void) {
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  fputs("model M Real x[20](each start = 1, each fixed = true), y[980]; equation\n", out);
  for (int k = 1; k <= 980; k++)
    if (k % 10 == 1)
      fprintf(out, "y[%d] = sin(x[%d]) + 0.5*x[%d]*time;\n", k, (k - 1) / 49 + 1,
              ((k - 1) / 49 + 7) % 20 + 1);
    else
      fprintf(out, "y[%d] = 0.9*y[%d] + exp(-0.1*y[%d]^2)*x[%d];\n", k, k - 1, k - 1,
              (k - 1) / 49 + 1);
  for (int k = 1; k <= 20; k++)
    fprintf(out, "der(x[%d]) = -0.01*y[%d];\n", k, k * 49);
  fputs("end M;\n", out);
  fclose(out);
  return text;
}

static void measure(const NuProgram *p, const char *name, const int *wanted, uint32_t n_wanted,
                    long points) {
  const Structure *s = p->structure;
  Memory mem = {0};
  jmp_buf recover;
  mem.recover = &recover;
  if (setjmp(recover))
    return;
  Arena *a = arena_new(&mem);
  Diags *diags = diags_new(a, p->s->sources);
  SRecord record = structure_recorded(s, a);
  bool *recorded = NEW_ARRAY(a, bool, s->n_real + 1);
  for (uint32_t k = 0; k < record.n_columns; k++)
    recorded[record.columns[k].place] = true;
  double begin = cpu(), sum = 0;
  SSlice sl;
  Text code = {.arena = a};
  if (!structure_slice(s, wanted, n_wanted, recorded, a, &sl) ||
      !emit_slice(s->model, s, &sl, diags, &code))
    return;
  Program *slice = load_program(text_str(&code), CODE_TCC, diags);
  Replay *re = slice ? replay_new(slice, a, diags) : NULL;
  double made = cpu();
  DsData *d = re ? replay_data(re) : NULL;
  uint32_t place = s->vars.at[wanted[n_wanted - 1]].place;
  bool ok = re != NULL;
  for (long k = 0; k < points && ok; k++) {
    d->time = (double)k;
    for (uint32_t q = 0; q < sl.n_reads; q++)
      d->r[sl.reads[q]] = 1e-6 * (double)k;
    ok = replay_evaluate(re, RUN_ROW_GRID, k == 0);
    sum += d->r[place];
  }
  double end = cpu();
  printf("%-20s %6u %6u %8.2f %8.0f %8.3f   (%g)\n", name, sl.n_steps, sl.n_reads,
         1e3 * (made - begin), 1e9 * (end - made) / (double)points, end - made, sum);
  replay_free(re);
  program_free(slice);
  mem_drop_since(&mem, NULL);
}

int main(int argc, char **argv) {
  long points = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
  NuSession *s = NULL;
  NuSessionOptions so = nu_session_options();
  NuTarget t = {.code = NU_CODE_TCC};
  NuProgram *p = NULL;
  char *text = model_text();
  if (nu_session_new(&so, &s) != NU_OK || nu_load_text(s, "M.mo", text, strlen(text)) != NU_OK ||
      nu_compile(s, &t, &p) != NU_OK)
    return 1;
  free(text);
  const FlatModel *m = p->structure->model;
  int *all = calloc(m->vars.n, sizeof *all);
  if (!all)
    return 1;
  for (uint32_t k = 0; k < m->vars.n; k++)
    all[k] = (int)k;
  printf("%-20s %6s %6s %8s %8s %8s\n", "wanted", "steps", "places", "ms made", "ns/point", "s");
  measure(p, m->vars.at[20].name, all + 20, 1, points);
  measure(p, m->vars.at[29].name, all + 29, 1, points);
  measure(p, "all", all, m->vars.n, points / 100 ? points / 100 : 1);
  free(all);
  nu_program_free(p);
  nu_session_free(s);
  return 0;
}
