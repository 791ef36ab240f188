/* run/jacobian.c -- the exact Jacobian of a model for the implicit methods: partial derivatives from generated code, put together
 * by numeric/tangent.c. Made when the first method asks that needs it. There is one of the whole model; a part of it reads its own
 * states from there if it has a good share of them, else it takes differences in the pattern of its own states. */
#include "run/run_impl.h"

#include <string.h>

enum { MOST_FULL = 23, FEW_FULL = 8 }; /* so many states have a full matrix if the motion may slide */
enum { FEW_STATES = 200, LEAST_SHARE = 8 }; /* of more states than that, a part with fewer than one of eight takes differences */

TangentTable run_tangent_table(const DsModel *m) {
  const DsTangent *t = m->tangent;
  return (TangentTable){m->nx, t->n_nodes, t->n_steps, t->n_rows, t->n_entries, t->steps, t->start, t->nodes, t->der};
}

/* NULL: the model has no derivatives, or they are too large together. */
static Tangent *tangent_of(Run *run) {
  const DsTangent *dt = run->m->tangent;
  if (!dt || (run->m->nx > FEW_STATES && (int64_t)run->part->n * LEAST_SHARE < run->m->nx))
    return NULL;
  if (run->sought_tangent)
    return run->tangent;
  run->sought_tangent = true;
  TangentTable t = run_tangent_table(run->m);
  run->tangent = tangent_new(&t, run->a);
  if (!run->tangent)
    return NULL;
  memcpy(tangent_entries(run->tangent), dt->literal, (size_t)dt->n_entries * sizeof(double));
  const Pattern *p = tangent_pattern(run->tangent);
  run->jacobian = NEW_ARRAY(run->a, double, p->start[p->n] + 1);
  run->jacobian_time = NEW_ARRAY(run->a, double, p->n + 1);
  return run->tangent;
}

/* Entries of the Jacobian of the whole that belong to the part, in its own order. */
static void cut_out(const Run *run, const Part *p, double *values) {
  const Pattern *whole = tangent_pattern(run->tangent);
  int n = 0;
  for (int j = p->x; j < p->x + p->n; j++)
    for (int q = whole->start[j]; q < whole->start[j + 1]; q++)
      if (whole->rows[q] >= p->x && whole->rows[q] < p->x + p->n)
        values[n++] = run->jacobian[q];
}

/* The same into a full matrix, column by column. */
static void spread(const Run *run, const Part *p, double *values) {
  const Pattern *whole = tangent_pattern(run->tangent);
  memset(values, 0, (size_t)p->n * (size_t)p->n * sizeof *values);
  for (int j = p->x; j < p->x + p->n; j++)
    for (int q = whole->start[j]; q < whole->start[j + 1]; q++)
      if (whole->rows[q] >= p->x && whole->rows[q] < p->x + p->n)
        values[(j - p->x) * p->n + whole->rows[q] - p->x] = run->jacobian[q];
}

/* Derivatives by time of the slopes of the part: what it reads of other parts moves, too. */
static void slopes_in_time(const Run *run, const Part *p, double *ft) {
  const Pattern *whole = tangent_pattern(run->tangent);
  const double *slope = run->d.r + run->m->nx;
  tangent_time(run->tangent, run->jacobian_time);
  memcpy(ft, run->jacobian_time + p->x, (size_t)p->n * sizeof *ft);
  for (int k = 0; k < p->scope.n_seen && run->divided; k++) {
    const Part *read = &run->parts[p->scope.seen[k]];
    for (int j = read->x; j < read->x + read->n && read != p; j++)
      for (int q = whole->start[j]; q < whole->start[j + 1]; q++)
        if (whole->rows[q] >= p->x && whole->rows[q] < p->x + p->n)
          ft[whole->rows[q] - p->x] += run->jacobian[q] * slope[j];
  }
}

int run_jacobian(void *user, double t, const double *x, double *values, double *ft) {
  Part *p = user;
  Run *run = p->run;
  Tangent *tan = run->tangent;
  if (run_slide_near(run, p))
    return NUM_RETRY; /* the weights depend on the states, too; and partial derivatives are those of one side */
  DsData *d = &run->d;
  bool there = run->current == p && d->time == t && !memcmp(d->r + p->x, x, (size_t)p->n * sizeof *x);
  int status = there ? NUM_OK : run_at(run, t, x);
  if (status != NUM_OK)
    return status;
  status = run_evaluate_partials(run, tangent_entries(tan));
  if (status != NUM_OK || !tangent_evaluate(tan, 0, run->divided || p->solver.full ? run->jacobian : values))
    return status == NUM_FATAL ? NUM_FATAL : NUM_RETRY;
  if (p->solver.full)
    spread(run, p, values);
  else if (run->divided)
    cut_out(run, p, values);
  if (ft)
    slopes_in_time(run, p, ft);
  return NUM_OK;
}

/* What a pattern of the whole leaves of the part's own states. */
static bool part_pattern(Run *run, const Part *p, const int *whole_start, const int *whole_rows, Pattern *out) {
  int *start = NEW_ARRAY(run->a, int, p->n + 1), *rows = NEW_ARRAY(run->a, int, whole_start[p->x + p->n] - whole_start[p->x] + 1), n = 0;
  for (int k = 0; k < p->n; k++) {
    start[k] = n;
    for (int q = whole_start[p->x + k]; q < whole_start[p->x + k + 1]; q++)
      if (whole_rows[q] >= p->x && whole_rows[q] < p->x + p->n)
        rows[n++] = whole_rows[q] - p->x;
  }
  start[p->n] = n;
  return pattern_copy(p->n, start, rows, run->a, out);
}

const Pattern *run_jacobian_pattern(Run *run) {
  const DsModel *m = run->m;
  Solver *so = &run->part->solver;
  if (so->has_pattern)
    return &so->pattern;
  so->exact = tangent_of(run) != NULL;
  /* a motion that slides has entries where its fields have none */
  so->full = run->slide && run->part->n <= (so->exact ? MOST_FULL : FEW_FULL);
  if (so->full) {
    so->pattern = pattern_full(run->part->n, run->a);
    so->has_pattern = true;
    return &so->pattern;
  }
  if (so->exact && !run->divided)
    return tangent_pattern(run->tangent);
  const int *start = so->exact ? tangent_pattern(run->tangent)->start : m->jacobian_start;
  so->has_pattern = start && part_pattern(run, run->part, start, so->exact ? tangent_pattern(run->tangent)->rows : m->jacobian_rows, &so->pattern);
  so->exact = so->exact && so->has_pattern;
  return so->has_pattern ? &so->pattern : NULL;
}
