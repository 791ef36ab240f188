/* run/jacobian.c -- the exact Jacobian of a model for the implicit methods: partial derivatives
 * from generated code, put together by numeric/tangent.c. Made when the first method asks that
 * needs it. There is one of the whole model; a part of it reads its own states from there if it has
 * a good share of them, else it takes differences in the pattern of its own states. */
#include "run/core.h"
#include "run/host.h"
#include "run/part.h"
#include "run/slide.h"
#include "run/solver.h"
#include "run/steps.h"
#include "base/limits.h"

#include <string.h>

/* So many states have a full matrix if the motion may slide */
enum { FEW_FULL = 8 };
/* Of more states than that, a part with fewer than one of eight takes differences */
enum { FEW_STATES = 200, LEAST_SHARE = 8 };

/* The exact Jacobian of the whole; parts cut theirs out. */
struct ExactJacobian {
  Tangent *tangent; /* NULL if there is none */
  bool sought;
  double *values, *by_time; /* entries, and the derivatives by time */
};

void run_jacobian_allocate(Run *run) { run->own.jacobian = NEW(run->a, ExactJacobian); }

TangentTable run_tangent_table(const DsModel *m) {
  const DsTangent *t = m->tangent;
  return (TangentTable){m->nx,    t->n_nodes, t->n_slope_steps, t->n_rows, t->n_entries,
                        t->steps, t->start,   t->nodes,         t->der};
}

/* NULL: the model has no derivatives, or they are too large together, or what is a state
 * changes. */
static Tangent *tangent_of(Part *p) {
  Run *run = p->run;
  const DsTangent *dt = run->m->tangent;
  /* a part takes the whole Jacobian, and cuts: not worth it for a small one */
  if (!dt || run->m->n_conditions ||
      (run->m->nx > FEW_STATES && (int64_t)p->n * LEAST_SHARE < run->m->nx))
    return NULL;
  ExactJacobian *j = run->own.jacobian;
  /* also if there was none */
  if (j->sought)
    return j->tangent;
  j->sought = true;
  TangentTable t = run_tangent_table(run->m);
  j->tangent = tangent_new(&t, run->a);
  if (!j->tangent)
    return NULL;
  /* entries that are literals are never computed again */
  memcpy(tangent_entries(j->tangent), dt->literal, (size_t)dt->n_entries * sizeof(double));
  const Pattern *whole = tangent_pattern(j->tangent);
  j->values = NEW_ARRAY(run->a, double, whole->start[whole->n] + 1);
  j->by_time = NEW_ARRAY(run->a, double, whole->n + 1);
  return j->tangent;
}

/* Entries of the Jacobian of the whole that belong to the part, in its own order. */
static void cut_out(const Run *run, const Part *p, double *values) {
  const Pattern *whole = tangent_pattern(run->own.jacobian->tangent);
  int n = 0;
  for (int j = p->x; j < p->x + p->n; j++)
    for (int q = whole->start[j]; q < whole->start[j + 1]; q++)
      if (whole->rows[q] >= p->x && whole->rows[q] < p->x + p->n)
        values[n++] = run->own.jacobian->values[q];
}

/* The same into a full matrix, column by column. */
static void spread(const Run *run, const Part *p, double *values) {
  const Pattern *whole = tangent_pattern(run->own.jacobian->tangent);
  /* column by column, as solvers want it */
  memset(values, 0, (size_t)p->n * (size_t)p->n * sizeof *values);
  for (int j = p->x; j < p->x + p->n; j++)
    for (int q = whole->start[j]; q < whole->start[j + 1]; q++)
      if (whole->rows[q] >= p->x && whole->rows[q] < p->x + p->n)
        values[(j - p->x) * p->n + whole->rows[q] - p->x] = run->own.jacobian->values[q];
}

/* Derivatives by time of the slopes of the part: what it reads of other parts moves, too. */
static void slopes_in_time(const Run *run, const Part *p, double *ft) {
  const Pattern *whole = tangent_pattern(run->own.jacobian->tangent);
  const double *slope = run->d.r + run->m->nx;
  tangent_time(run->own.jacobian->tangent, run->own.jacobian->by_time);
  memcpy(ft, run->own.jacobian->by_time + p->x, (size_t)p->n * sizeof *ft);
  /* states of other parts move with the time that passes */
  for (int k = 0; k < p->scope.n_seen && run->divided; k++) {
    const Part *read = &run->parts[p->scope.seen[k]];
    for (int j = read->x; j < read->x + read->n && read != p; j++)
      for (int q = whole->start[j]; q < whole->start[j + 1]; q++)
        if (whole->rows[q] >= p->x && whole->rows[q] < p->x + p->n)
          ft[whole->rows[q] - p->x] += run->own.jacobian->values[q] * slope[j];
  }
}

int run_jacobian(void *user, double t, const double *x, double *values, double *ft) {
  Part *p = user;
  Run *run = p->run;
  Tangent *tan = run->own.jacobian->tangent;
  if (run_slide_seen(run, &p->scope))
    /* The weights depend on the states, too; and partial derivatives are those of one side */
    return NUM_RETRY;
  DsData *d = &run->d;
  /* values of this point may be there already */
  bool there = run->eval.current == &p->scope && d->time == t &&
               !memcmp(d->r + p->x, x, (size_t)p->n * sizeof *x);
  int status = there ? NUM_OK : run_at(p, t, x);
  if (status != NUM_OK)
    return status;
  status = run_evaluate_partials(run, tangent_entries(tan));
  /* the whole into own memory if the part wants it otherwise */
  if (status != NUM_OK ||
      !tangent_evaluate(tan, 0,
                        run->divided || p->solver.full ? run->own.jacobian->values : values))
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
static bool part_pattern(Run *run, const Part *p, const int *whole_start, const int *whole_rows,
                         Pattern *out) {
  int *start = NEW_ARRAY(run->a, int, p->n + 1);
  int *rows = NEW_ARRAY(run->a, int, whole_start[p->x + p->n] - whole_start[p->x] + 1);
  int n = 0;
  for (int k = 0; k < p->n; k++) {
    start[k] = n;
    for (int q = whole_start[p->x + k]; q < whole_start[p->x + k + 1]; q++)
      if (whole_rows[q] >= p->x && whole_rows[q] < p->x + p->n)
        rows[n++] = whole_rows[q] - p->x;
  }
  start[p->n] = n;
  return pattern_copy(p->n, start, rows, run->a, out);
}

const Pattern *run_jacobian_pattern(Part *p) {
  Run *run = p->run;
  const DsModel *m = run->m;
  Solver *so = &p->solver;
  /* asked for again with each method */
  if (so->has_pattern)
    return &so->pattern;
  so->exact = tangent_of(p) != NULL;
  /* a motion that slides has entries where its fields have none */
  so->full = run->own.slide && p->n <= (so->exact ? MOST_FULL_SLIDING : FEW_FULL);
  if (so->full) {
    so->pattern = pattern_full(p->n, run->a);
    so->has_pattern = true;
    return &so->pattern;
  }
  /* the whole is the part */
  if (so->exact && !run->divided)
    return tangent_pattern(run->own.jacobian->tangent);
  const int *start = so->exact ? tangent_pattern(run->own.jacobian->tangent)->start
                               : m->jacobian_start;
  so->has_pattern = start &&
                    part_pattern(run, p, start,
                                 so->exact ? tangent_pattern(run->own.jacobian->tangent)->rows
                                           : m->jacobian_rows,
                                 &so->pattern);
  so->exact = so->exact && so->has_pattern;
  return so->has_pattern ? &so->pattern : NULL;
}
