/* structure/lower_call.c -- functions with the annotation GenerateEvents = true (MLS 3.6 section 12.8.3).
 * In:   a call, or a part of its results, where events are made.   Out: the same as expressions of the arguments, so that relations
 *       and event functions of the body are lowered like those of equations.
 * How:  the statements are carried out on expressions (expr/partial.h). What cannot be written so is refused. */
#include "expr/partial.h"
#include "structure/structure_impl.h"

/* Scalar *k of a scalar or constructor; NO_EXPR: *k is behind it. */
static ExprId scalar_at(const ExprPool *p, ExprId e, uint32_t *k) {
  const Expr *x = expr_get(p, e);
  if (x->op != OP_ARRAY && x->op != OP_RECORD)
    return (*k)-- == 0 ? e : NO_EXPR;
  ExprId found = NO_EXPR;
  for (uint32_t i = 0; i < x->n && !found.i; i++)
    found = scalar_at(p, x->args[i], k);
  return found;
}

/* Is it the call of such a function, or a part of one? */
static const Expr *call_of(const ExprPool *p, const Expr *x) {
  const Expr *call = x->op == OP_PART ? expr_get(p, x->args[0]) : x;
  const Func *f = call->op == OP_CALL ? call->ref : NULL;
  return f && f->generate_events ? call : NULL;
}

bool lower_makes_events(const Lower *lo, const Expr *x) {
  return call_of(lo->p, x) && (x->op == OP_PART || type_is_scalar(lo->p, x->type));
}

ExprId lower_written_out(Lower *lo, const Expr *x, int mode) {
  const Expr *call = call_of(lo->p, x);
  const Func *f = call->ref;
  ExprId *results = NEW_ARRAY(lo->a, ExprId, f->n_outputs + 1), found = NO_EXPR;
  uint32_t k = x->op == OP_PART ? x->index : 0;
  bool done = func_written_out(lo->p, lo->a, f, call->n, call->args, results);
  for (uint32_t i = 0; i < f->n_outputs && done && !found.i; i++)
    found = scalar_at(lo->p, results[i], &k);
  if (found.i)
    return lower_expr(lo, found, mode);
  lower_refuse(lo, arena_printf(lo->a, "GenerateEvents = true of function `%s`, whose body cannot be written as expressions,", f->name));
  return expr_real(lo->p, 0);
}
