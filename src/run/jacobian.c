/* run/jacobian.c -- the exact Jacobian of a model for the implicit methods: partial derivatives from generated code, put together
 * by numeric/tangent.c. Made when the first method asks that needs it. */
#include "run/run_impl.h"

#include <string.h>

TangentTable run_tangent_table(const DsModel *m) {
  const DsTangent *t = m->tangent;
  return (TangentTable){m->nx, t->n_nodes, t->n_steps, t->n_rows, t->n_entries, t->steps, t->start, t->nodes, t->der};
}

/* NULL: the model has no derivatives, or they are too large together. */
static Tangent *tangent_of(Run *run) {
  const DsTangent *dt = run->m->tangent;
  Solver *so = &run->solver;
  if (so->sought_tangent || !dt)
    return so->tangent;
  so->sought_tangent = true;
  TangentTable t = run_tangent_table(run->m);
  so->tangent = tangent_new(&t, run->a);
  if (so->tangent)
    memcpy(tangent_entries(so->tangent), dt->literal, (size_t)dt->n_entries * sizeof(double));
  return so->tangent;
}

int run_jacobian(void *user, double t, const double *x, double *values, double *ft) {
  Run *run = user;
  Tangent *tan = run->solver.tangent;
  DsData *d = &run->d;
  bool there = run->current && d->time == t && !memcmp(d->r, x, (size_t)run->m->nx * sizeof *x);
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
  Solver *so = &run->solver;
  if (tangent_of(run))
    return tangent_pattern(so->tangent);
  if (!so->has_pattern && m->jacobian_start && pattern_copy(m->nx, m->jacobian_start, m->jacobian_rows, run->a, &so->pattern))
    so->has_pattern = true;
  return so->has_pattern ? &so->pattern : NULL;
}
