/* structure/lower_call.c -- functions with the annotation GenerateEvents = true (MLS 3.6 section
 * 12.8.3); calls that are literals.
 * In:   a call, or a part of its results, where events are made.   Out: the same as expressions of
 *       the arguments, so that relations and event functions of the body are lowered like those of
 *       equations.
 * How:  the statements are carried out on expressions (expr/partial.h). What cannot be written so
 *       is refused.
 * Other functions make no events. Where an Integer, Boolean or enumeration that only changes at
 * events takes what one of them makes of continuous arguments, the result is watched: it is a
 * buffer that is computed anew when it differs from what it was. The indicators are steps, whose
 * place the search for roots finds by bisection. Each equation and statement has a buffer of its
 * own: one call may be written in several ways (f(x) as a record, 'f.r.k'(x) in the flat text), and
 * a result must fit both. */
#include "structure/lower_call.h"
#include "base/limits.h"
#include "expr/eval.h"
#include "expr/partial.h"
#include "structure/build.h"
#include "structure/lower.h"
#include "structure/lower_expr.h"
#include "structure/lowered.h"

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
  ExprId *results = NEW_ARRAY(lo->a, ExprId, f->n_outputs + 1);
  ExprId found = NO_EXPR;
  uint32_t k = x->op == OP_PART ? x->index : 0;
  bool done = func_written_out(lo->p, lo->a, f, call->n, call->args, results);
  for (uint32_t i = 0; i < f->n_outputs && done && !found.i; i++)
    found = scalar_at(lo->p, results[i], &k);
  if (found.i)
    return lower_expr(lo, found, mode);
  lower_refuse(
      lo,
      arena_printf(
          lo->a,
          "GenerateEvents = true of function `%s`, whose body cannot be written as expressions,",
          f->name));
  return expr_real(lo->p, 0);
}

/* ---- whole numbers that follow continuous ones ---- */

/* 0, 1, 2 ... for an Integer, Boolean or enumeration. */
static ExprId as_number(ExprPool *p, ExprId e) {
  switch (type_get(p, expr_get(p, e)->type)->base) {
  case TY_BOOLEAN: return expr_if(p, e, expr_real(p, 1), expr_real(p, 0));
  case TY_ENUM: return expr_to_real(p, expr_unary(p, OP_ORDINAL, e));
  case TY_INTEGER: return expr_to_real(p, e);
  case TY_NONE:
  case TY_REAL:
  case TY_STRING:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return NO_EXPR;
}

ExprId lower_watched(Lower *lo, ExprId e, bool shared) {
  ExprPool *p = lo->p;
  ExprId now = lower_is_discrete(lo, e) || lower_is_internal(lo, e) ? NO_EXPR : as_number(p, e);
  ExprId half = expr_real(p, 0.5);
  /* Beside what else is kept of the same expression */
  uint64_t known, key = (uint64_t)1 << 32 | e.i;
  if (!now.i)
    return e;
  if (shared && lower_known(lo, key, &known))
    return svar_expr(lo->s, (uint32_t)known);
  uint32_t var = svar_add(lo, SV_BUFFER, 0, expr_get(p, e)->type);
  lo->s->vars.at[var].discrete = true;
  lo->s->vars.at[var].meaning = e;
  if (shared)
    lower_note(lo, key, var);
  ExprId before = svar_expr(lo->s, svar_pre(lo, var));
  ExprId number = as_number(p, before);
  ExprId me = svar_expr(lo->s, var);
  ExprId above = lower_relation_var(lo, OP_GT, now, expr_binary(p, OP_ADD, number, half));
  ExprId below = lower_relation_var(lo, OP_LT, now, expr_binary(p, OP_SUB, number, half));
  row_add(lo, &lo->s->simulation, ROW_EQUAL, me, expr_if(p, logic_or(p, above, below), e, before))
      ->only = var;
  row_add(lo, &lo->s->initial, ROW_EQUAL, me, e)->only = var;
  return me;
}

/* ---- calls that are literals ---- */

ExprId lower_settled_call(Lower *lo, const Expr *x, const ExprId *args) {
  const Func *f = x->op == OP_CALL ? x->ref : NULL;
  bool news = false;
  if (!f || f->impure || !f->complete || f->n_outputs != 1)
    return NO_EXPR;
  for (uint32_t k = 0; k < x->n; k++) {
    if (args[k].i && !expr_is_literal(lo->p, args[k]))
      return NO_EXPR;
    news = news || args[k].i != x->args[k].i;
  }
  int64_t n = type_count(lo->p, x->type);
  if (!news || n < 0 || n > MOST_SETTLED_SCALARS)
    return NO_EXPR;
  Eval ev = {.pool = lo->p, .arena = lo->a, .budget = MOST_SETTLED_STEPS};
  Value value;
  ExprId call = expr_make_ref(lo->p, OP_CALL, x->type, f, x->n, args);
  return eval_expr(&ev, call, &value) ? expr_of_value(lo->p, &value) : NO_EXPR;
}

ExprId lower_settled_part(Lower *lo, const Expr *x, const ExprId *args) {
  uint32_t k = x->index;
  return x->op == OP_PART && expr_is_literal(lo->p, args[0]) ? scalar_at(lo->p, args[0], &k)
                                                             : NO_EXPR;
}
