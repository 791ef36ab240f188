/* expr/simplify.c -- local rules at the root of a new node; its arguments are already simple.
 * In:   operator, type, payload, arguments.   Out: an equal, simpler expression, or NO_EXPR.
 * Keep: operands of + and * are never reordered, so the run adds and multiplies in the order of the
 *       source.
 *       Rules look at scalars, but for subscripts, fields, sizes, if and casts, which also work on
 *       arrays.
 * The switches here name only the operators that have a rule. */
#include "expr/expr_impl.h"

_Static_assert(OP_POW_EL - OP_ADD_EL == OP_POW - OP_ADD,
               "the element-wise operators stand in the order of the plain ones");

static bool is_number(const ExprPool *p, ExprId e, double value) {
  double x;
  return expr_as_real(p, e, &x) && x == value;
}

static bool is_boolean(const ExprPool *p, ExprId e, bool value) {
  const Expr *x = expr_get(p, e);
  return x->op == OP_BOOLEAN && x->integer == value;
}

/* The operand of a node of operator op; NO_EXPR otherwise. */
static ExprId operand_of(const ExprPool *p, Op op, ExprId e) {
  const Expr *x = expr_get(p, e);
  return x->op == op ? x->args[0] : NO_EXPR;
}

static ExprId negated(ExprPool *p, TypeId t, ExprId a) {
  a = expr_as_type(p, t, a);
  return expr_make(p, OP_NEG, t, 1, &a);
}

/* ---- arithmetic ---- */

static ExprId simplify_add(ExprPool *p, TypeId t, const ExprId *a) {
  if (type_get(p, t)->base == TY_STRING)
    return NO_EXPR;
  if (expr_is_zero(p, a[1]))
    return expr_as_type(p, t, a[0]);
  if (expr_is_zero(p, a[0]))
    return expr_as_type(p, t, a[1]);
  ExprId minus = operand_of(p, OP_NEG, a[1]);
  return minus.i ? expr_make(p, OP_SUB, t, 2, (ExprId[]){a[0], minus}) : NO_EXPR;
}

static ExprId simplify_sub(ExprPool *p, TypeId t, const ExprId *a) {
  if (expr_is_zero(p, a[1]))
    return expr_as_type(p, t, a[0]);
  if (expr_same(a[0], a[1]))
    return expr_zero_of(p, t);
  if (expr_is_zero(p, a[0]))
    return negated(p, t, a[1]);
  ExprId minus = operand_of(p, OP_NEG, a[1]);
  return minus.i ? expr_make(p, OP_ADD, t, 2, (ExprId[]){a[0], minus}) : NO_EXPR;
}

static ExprId simplify_mul(ExprPool *p, TypeId t, const ExprId *a) {
  for (int k = 0; k < 2; k++) {
    ExprId factor = a[k], other = a[1 - k];
    if (expr_is_zero(p, factor))
      return expr_zero_of(p, t);
    if (is_number(p, factor, 1))
      return expr_as_type(p, t, other);
    if (is_number(p, factor, -1))
      return negated(p, t, other);
  }
  return NO_EXPR;
}

static ExprId simplify_div(ExprPool *p, TypeId t, const ExprId *a) {
  if (is_number(p, a[1], 1))
    return expr_as_type(p, t, a[0]);
  return is_number(p, a[1], -1) ? negated(p, t, a[0]) : NO_EXPR;
}

/* 0^0 = 1, as in the C library that evaluates powers at run time. */
static ExprId simplify_pow(ExprPool *p, TypeId t, const ExprId *a) {
  if (is_number(p, a[1], 1))
    return expr_as_type(p, t, a[0]);
  if (is_number(p, a[1], 0) || is_number(p, a[0], 1))
    return type_get(p, t)->base == TY_REAL ? expr_real(p, 1) : NO_EXPR;
  return NO_EXPR;
}

/* ---- logic ---- */

static ExprId simplify_and(ExprPool *p, const ExprId *a) {
  if (is_boolean(p, a[0], false) || is_boolean(p, a[1], false))
    return expr_boolean(p, false);
  if (is_boolean(p, a[0], true) || expr_same(a[0], a[1]))
    return a[1];
  return is_boolean(p, a[1], true) ? a[0] : NO_EXPR;
}

static ExprId simplify_or(ExprPool *p, const ExprId *a) {
  if (is_boolean(p, a[0], true) || is_boolean(p, a[1], true))
    return expr_boolean(p, true);
  if (is_boolean(p, a[0], false) || expr_same(a[0], a[1]))
    return a[1];
  return is_boolean(p, a[1], false) ? a[0] : NO_EXPR;
}

/* Also for branches that are arrays or records. */
static ExprId simplify_if(ExprPool *p, TypeId t, const ExprId *a) {
  const Expr *c = expr_get(p, a[0]);
  if (c->op == OP_BOOLEAN)
    return expr_as_type(p, t, c->integer ? a[1] : a[2]);
  if (expr_same(a[1], a[2]))
    return expr_as_type(p, t, a[1]);
  if (is_boolean(p, a[1], true) && is_boolean(p, a[2], false))
    return a[0];
  if (is_boolean(p, a[1], false) && is_boolean(p, a[2], true))
    return expr_make(p, OP_NOT, t, 1, a);
  return NO_EXPR;
}

/* ---- scalars ---- */

static ExprId simplify_scalar(ExprPool *p, const Expr *e) {
  const ExprId *a = e->args;
  ExprId inner;
  switch ((int)e->op) {
  case OP_ADD: return simplify_add(p, e->type, a);
  case OP_SUB: return simplify_sub(p, e->type, a);
  case OP_MUL: return simplify_mul(p, e->type, a);
  case OP_DIV: return simplify_div(p, e->type, a);
  case OP_POW: return simplify_pow(p, e->type, a);
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_DIV_EL:
  case OP_POW_EL: /* of scalars: the plain operator */
    return expr_make(p, (Op)(OP_ADD + (e->op - OP_ADD_EL)), e->type, 2, a);
  case OP_NEG:
  case OP_NOT:
    inner = operand_of(p, e->op, a[0]);
    return inner.i ? expr_as_type(p, e->type, inner) : NO_EXPR;
  case OP_CAST: /* the sign goes outside, where the rules above see it */
    inner = operand_of(p, OP_NEG, a[0]);
    if (expr_base(p, a[0]) == TY_REAL)
      return a[0];
    return inner.i ? negated(p, e->type, inner) : NO_EXPR;
  case OP_AND: return simplify_and(p, a);
  case OP_OR: return simplify_or(p, a);
  case OP_MIN2:
  case OP_MAX2:
  case OP_HOMOTOPY: return expr_same(a[0], a[1]) ? expr_as_type(p, e->type, a[0]) : NO_EXPR;
  case OP_SMOOTH: return expr_is_literal(p, a[1]) ? expr_as_type(p, e->type, a[1]) : NO_EXPR;
  default: return NO_EXPR;
  }
}

/* ---- arrays and records ---- */

/* The position that a literal subscript means, from 0; -1 if it is not a literal. false = 1, true =
 * 2 (MLS 10.5). */
static int64_t position(const ExprPool *p, ExprId sub) {
  int64_t k;
  if (!expr_as_integer(p, sub, &k))
    return -1;
  return k - (expr_get(p, sub)->op != OP_BOOLEAN);
}

static bool all_scalar(const ExprPool *p, const ExprId *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!args[i].i || !type_is_scalar(p, expr_type(p, args[i])))
      return false;
  return true;
}

/* a[s][t] -> a[s, t]; {x, y, z}[2] -> y. */
static ExprId simplify_index(ExprPool *p, const Expr *e) {
  if (e->n == 1)
    return e->args[0];
  const Expr *base = expr_get(p, e->args[0]);
  if (base->op == OP_INDEX && all_scalar(p, base->args + 1, base->n - 1)) {
    uint32_t n = base->n + e->n - 1;
    ExprId small[8], *args = n <= 8 ? small : NEW_ARRAY(pool_arena(p), ExprId, n);
    for (uint32_t i = 0; i < n; i++)
      args[i] = i < base->n ? base->args[i] : e->args[i - base->n + 1];
    return expr_make(p, OP_INDEX, e->type, n, args);
  }
  if (base->op != OP_ARRAY || !all_scalar(p, e->args + 1, 1))
    return NO_EXPR;
  int64_t k = position(p, e->args[1]);
  if (k < 0 || k >= base->n)
    return NO_EXPR;
  if (e->n == 2)
    return base->args[k];
  /* the rest of the subscripts go to the item */
  ExprId small[8], *args = e->n <= 8 ? small : NEW_ARRAY(pool_arena(p), ExprId, e->n);
  args[0] = base->args[k];
  for (uint32_t i = 2; i < e->n; i++)
    args[i - 1] = e->args[i];
  return expr_make(p, OP_INDEX, e->type, e->n - 1, args);
}

static ExprId simplify_size(ExprPool *p, const Expr *e) {
  const Type *t = type_get(p, expr_type(p, e->args[0]));
  int64_t k;
  if (e->n == 2) {
    if (!expr_as_integer(p, e->args[1], &k) || k < 1 || k > t->n_dims ||
        t->dims[k - 1] == DIM_UNKNOWN)
      return NO_EXPR;
    return expr_integer(p, t->dims[k - 1]);
  }
  ExprId small[8], *dims = t->n_dims <= 8 ? small : NEW_ARRAY(pool_arena(p), ExprId, t->n_dims);
  for (uint32_t i = 0; i < t->n_dims; i++) {
    if (t->dims[i] == DIM_UNKNOWN)
      return NO_EXPR;
    dims[i] = expr_integer(p, t->dims[i]);
  }
  TypeId vector = type_array(p, type_scalar(p, TY_INTEGER), 1, (int32_t[]){(int32_t)t->n_dims});
  return expr_make(p, OP_ARRAY, vector, t->n_dims, dims);
}

/* Casts of array constructors go inside, so that an array of Integer literals becomes one of Real
 * literals. */
static ExprId simplify_cast(ExprPool *p, const Expr *e) {
  const Expr *a = expr_get(p, e->args[0]);
  if (type_get(p, a->type)->base == TY_REAL)
    return e->args[0];
  if (a->op != OP_ARRAY)
    return NO_EXPR;
  ExprId small[16], *items = a->n <= 16 ? small : NEW_ARRAY(pool_arena(p), ExprId, a->n);
  for (uint32_t i = 0; i < a->n; i++)
    items[i] = expr_to_real(p, a->args[i]);
  return expr_make(p, OP_ARRAY, e->type, a->n, items);
}

ExprId simplify_node(ExprPool *p, const Expr *e) {
  switch ((int)e->op) {
  case OP_INDEX: return simplify_index(p, e);
  case OP_FIELD: {
    const Expr *record = expr_get(p, e->args[0]);
    return (record->op == OP_RECORD || record->op == OP_TUPLE) && e->index < record->n
               ? record->args[e->index]
               : NO_EXPR;
  }
  case OP_SIZE: return simplify_size(p, e);
  case OP_NDIMS: return expr_integer(p, type_get(p, expr_type(p, e->args[0]))->n_dims);
  case OP_IF: return simplify_if(p, e->type, e->args);
  case OP_CAST:
    if (!type_is_scalar(p, e->type))
      return simplify_cast(p, e);
    break;
  default: break;
  }
  if (e->n == 0 || e->n > 2 || !type_is_scalar(p, e->type) || !all_scalar(p, e->args, e->n))
    return NO_EXPR;
  if (e->op > OP_ENUM && expr_is_literal(p, e->args[0]) && expr_is_literal(p, e->args[e->n - 1])) {
    ExprId folded = fold_node(p, e);
    if (folded.i)
      return folded;
  }
  return simplify_scalar(p, e);
}
