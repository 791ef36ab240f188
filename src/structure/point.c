/* structure/point.c -- numbers of expressions at translation.
 * In:   a lowered expression.   Out: its number, if it has one.
 * How:  a parameter has the value of its binding, each worked out once. What varies has no value;
 *       or, at a point, a number of its own that has nothing to do with any other: what depends on
 *       each other there does so everywhere, but by an accident that never happens twice.
 * Keep: equal models give equal points. */
#include "structure/point.h"
#include "structure/build.h"

#include <math.h>

static bool is_parameter(const Lower *lo, uint32_t v) {
  const SVar *sv = &lo->s->vars.at[v];
  return sv->kind == SV_VAR && sv->known && !sv->free &&
         lo->m->vars.at[v].variability >= FLAT_PARAMETER;
}

static ExprId definition(Lower *lo, uint32_t v) {
  return lo->s->bindings[v].i ? lo->s->bindings[v] : lower_default_start(lo, v);
}

static bool evaluate(PointEval *pe, uint64_t key, ExprId e, Value *out) {
  uint64_t known;
  if (map_get(&pe->known, key, &known)) {
    if (known)
      *out = pe->kept.at[known - 1];
    return known != 0;
  }
  map_put(pe->lo->a, &pe->known, key, 0); /* a circle has no value */
  if (!eval_expr(&pe->ev, e, out))
    return false;
  vec_push(pe->lo->a, &pe->kept, *out);
  map_put(pe->lo->a, &pe->known, key, pe->kept.n);
  return true;
}

/* A parameter that is one result of a call shares the evaluation of that call with the others. */
static bool parameter_value(PointEval *pe, uint32_t v, Value *out) {
  ExprId define = definition(pe->lo, v);
  if (!define.i)
    return false;
  const Expr *x = expr_get(pe->lo->p, define);
  if (x->op != OP_PART)
    return evaluate(pe, v, define, out);
  Value all;
  if (!evaluate(pe, (uint64_t)x->args[0].i << 32, x->args[0], &all) || x->index >= all.n)
    return false;
  *out = (Value){x->type, 1, &all.at[x->index]};
  return true;
}

/* ---- what varies ---- */

/* A number between 1/2 and 3/2, a truth value, or a whole number from 1 to 8. */
static bool number_at(PointEval *pe, uint64_t key, TypeId type, Value *out) {
  uint64_t bits = hash_mix(hash_mix(0, pe->point), key);
  Scalar *cell = NEW(pe->lo->a, Scalar);
  *out = (Value){type, 1, cell};
  if (!type_is_scalar(pe->lo->p, type))
    return false;
  switch (type_get(pe->lo->p, type)->base) {
  case TY_REAL: cell->real = 0.5 + (double)(bits >> 11) * 0x1p-53; return true;
  case TY_INTEGER: cell->integer = 1 + (int64_t)(bits >> 61); return true;
  case TY_BOOLEAN: cell->integer = (int64_t)(bits >> 63); return true;
  case TY_NONE:
  case TY_STRING:
  case TY_ENUM:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return false;
}

static bool lookup(void *user, Eval *ev, ExprId e, Value *out) {
  PointEval *pe = user;
  const Expr *x = expr_get(pe->lo->p, e);
  (void)ev;
  if (!pe->any && x->op == OP_VAR && is_parameter(pe->lo, x->index) &&
      parameter_value(pe, x->index, out))
    return true;
  if (!pe->point || (x->op != OP_VAR && x->op != OP_TIME))
    return false;
  if (x->op == OP_VAR && pe->lo->s->vars.at[x->index].kind == SV_LAMBDA &&
      x->index != pe->lo->s->lambda) {
    *out = (Value){x->type, 1, NEW(pe->lo->a, Scalar)}; /* 0: see modes_leave_open */
    return true;
  }
  return number_at(pe, x->op == OP_TIME ? 0 : x->index + 1u, x->type, out);
}

PointEval *point_new(Lower *lo) {
  PointEval *pe = NEW(lo->a, PointEval);
  pe->lo = lo;
  pe->ev = (Eval){.pool = lo->p, .arena = lo->a, .lookup = lookup, .user = pe};
  return pe;
}

bool point_value(PointEval *pe, ExprId e, Value *out) { return eval_expr(&pe->ev, e, out); }

bool point_real(PointEval *pe, ExprId e, double *out) {
  Scalar value;
  if (!eval_scalar(&pe->ev, e, TY_REAL, &value) || !isfinite(value.real))
    return false;
  *out = value.real;
  return true;
}
