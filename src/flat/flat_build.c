/* flat/flat_build.c -- see flat_build.h. */
#include "flat/flat_build.h"

#include <math.h>

FlatModel *flat_new(Arena *a, ExprPool *pool, const char *name) {
  FlatModel *m = NEW(a, FlatModel);
  m->name = name;
  m->pool = pool;
  m->experiment = (FlatExperiment){NAN, NAN, NAN, NAN, false, false};
  vec_push(a, &m->origins, (FlatOrigin){"", name, 0});
  return m;
}

uint32_t flat_add_var(FlatModel *m, Arena *a, const char *name, TypeId type) {
  vec_push(a, &m->vars, (FlatVar){.name = name, .type = type, .select = SELECT_DEFAULT});
  return m->vars.n - 1;
}

FlatEquation *flat_equation(Arena *a, FlatEquationKind kind, Span span) {
  FlatEquation *e = NEW(a, FlatEquation);
  e->kind = kind;
  e->span = span;
  return e;
}

ExprId flat_var_expr(FlatModel *m, uint32_t var) {
  return expr_var(m->pool, m->vars.at[var].type, var);
}
