/* run/jacobian.c -- the exact Jacobian of a model for the implicit methods: partial derivatives from generated code, put together
 * by numeric/tangent.c. Made when the first method asks that needs it. A part of a model takes differences in the pattern of its own states. */
#include "run/run_impl.h"

#include <string.h>

TangentTable run_tangent_table(const DsModel *m) {
  const DsTangent *t = m->tangent;
  return (TangentTable){m->nx, t->n_nodes, t->n_steps, t->n_rows, t->n_entries, t->steps, t->start, t->nodes, t->der};
}

/* NULL: the model has no derivatives, or they are too large together. */
static Tangent *tangent_of(Run *run) {
  const DsTangent *dt = run->m->tangent;
  Solver *so = &run->part->solver;
  if (so->sought_tangent || !dt || run->n_parts > 1)
    return so->tangent;
  so->sought_tangent = true;
  TangentTable t = run_tangent_table(run->m);
  so->tangent = tangent_new(&t, run->a);
  if (so->tangent)
    memcpy(tangent_entries(so->tangent), dt->literal, (size_t)dt->n_entries * sizeof(double));
  return so->tangent;
}

int run_jacobian(void *user, double t, const double *x, double *values, double *ft) {
  Part *p = user;
  Run *run = p->run;
  Tangent *tan = p->solver.tangent;
  DsData *d = &run->d;
  bool there = run->current == p && d->time == t && !memcmp(d->r + p->x, x, (size_t)p->n * sizeof *x);
  int status = there ? NUM_OK : run_at(run, t, x);
  if (status != NUM_OK)
    return status;
  status = run_evaluate_partials(run, tangent_entries(tan));
  if (status != NUM_OK || !tangent_evaluate(tan, 0, values))
    return status == NUM_FATAL ? NUM_FATAL : NUM_RETRY;
  if (ft)
    tangent_time(tan, ft);
  return NUM_OK;
}

const Pattern *run_jacobian_pattern(Run *run) {
  const DsModel *m = run->m;
  const Part *p = run->part;
  Solver *so = &run->part->solver;
  if (tangent_of(run))
    return tangent_pattern(so->tangent);
  if (!so->has_pattern && m->jacobian_start) {
    int *start = NEW_ARRAY(run->a, int, p->n + 1), *rows = NEW_ARRAY(run->a, int, m->jacobian_start[p->x + p->n] - m->jacobian_start[p->x] + 1), n = 0;
    for (int k = 0; k < p->n; k++) {
      start[k] = n;
      for (int q = m->jacobian_start[p->x + k]; q < m->jacobian_start[p->x + k + 1]; q++)
        if (m->jacobian_rows[q] >= p->x && m->jacobian_rows[q] < p->x + p->n)
          rows[n++] = m->jacobian_rows[q] - p->x;
    }
    start[p->n] = n;
    so->has_pattern = pattern_copy(p->n, start, rows, run->a, &so->pattern);
  }
  return so->has_pattern ? &so->pattern : NULL;
}
