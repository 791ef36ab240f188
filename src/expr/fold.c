/* expr/fold.c -- operators applied to literals, with the meaning of MLS 3.6 chapters 3 and 10.
 * Keep: what has no value is left alone, so that the run reports it where it happens: Integer
 *       overflow, division by zero, arguments outside of a function's domain, and any result that
 *       is not finite.
 * The switches here name only the operators that have a rule. */
#include "expr/expr_impl.h"

#include <math.h>
#include <string.h>

static ExprId real_result(ExprPool *p, double value) {
  return isfinite(value) ? expr_real(p, value) : NO_EXPR;
}

/* ---- Integer ---- */

static bool integer_divide(int64_t a, int64_t b, int64_t *quotient, int64_t *rest) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return false;
  *quotient = a / b;
  *rest = a % b;
  return true;
}

static bool integer_binary(Op op, int64_t a, int64_t b, int64_t *r) {
  int64_t q;
  switch ((int)op) {
  case OP_ADD: return !__builtin_add_overflow(a, b, r);
  case OP_SUB: return !__builtin_sub_overflow(a, b, r);
  case OP_MUL: return !__builtin_mul_overflow(a, b, r);
  case OP_DIVT: return integer_divide(a, b, r, &q);
  case OP_REM: return integer_divide(a, b, &q, r);
  case OP_MOD: /* takes the sign of b */
    if (!integer_divide(a, b, &q, r))
      return false;
    *r += *r != 0 && (*r < 0) != (b < 0) ? b : 0;
    return true;
  case OP_MIN2: *r = a < b ? a : b; return true;
  case OP_MAX2: *r = a > b ? a : b; return true;
  default: return false;
  }
}

static ExprId integer_unary(ExprPool *p, Op op, int64_t a) {
  switch ((int)op) {
  case OP_NEG: return a == INT64_MIN ? NO_EXPR : expr_integer(p, -a);
  case OP_ABS: return a == INT64_MIN ? NO_EXPR : expr_integer(p, a < 0 ? -a : a);
  default: return NO_EXPR;
  }
}

/* ---- Real ---- */

static ExprId power(ExprPool *p, double a, double b) {
  if ((a < 0 && b != floor(b)) || (a == 0 && b < 0))
    return NO_EXPR;
  return real_result(p, pow(a, b));
}

static ExprId real_binary(ExprPool *p, Op op, double a, double b) {
  switch ((int)op) {
  case OP_ADD: return real_result(p, a + b);
  case OP_SUB: return real_result(p, a - b);
  case OP_MUL: return real_result(p, a * b);
  case OP_DIV: return b == 0 ? NO_EXPR : real_result(p, a / b);
  case OP_POW: return power(p, a, b);
  case OP_MIN2: return real_result(p, a < b ? a : b);
  case OP_MAX2: return real_result(p, a > b ? a : b);
  case OP_ATAN2: return real_result(p, atan2(a, b));
  case OP_DIVT: return b == 0 ? NO_EXPR : real_result(p, trunc(a / b));
  case OP_MOD: return b == 0 ? NO_EXPR : real_result(p, a - floor(a / b) * b);
  case OP_REM: return b == 0 ? NO_EXPR : real_result(p, a - trunc(a / b) * b);
  default: return NO_EXPR;
  }
}

static ExprId real_unary(ExprPool *p, Op op, double a) {
  switch ((int)op) {
  case OP_NEG: return expr_real(p, -a);
  case OP_CAST: return expr_real(p, a);
  case OP_ABS: return expr_real(p, fabs(a));
  case OP_SQRT: return a < 0 ? NO_EXPR : real_result(p, sqrt(a));
  case OP_SIN: return real_result(p, sin(a));
  case OP_COS: return real_result(p, cos(a));
  case OP_TAN: return real_result(p, tan(a));
  case OP_ASIN: return fabs(a) > 1 ? NO_EXPR : real_result(p, asin(a));
  case OP_ACOS: return fabs(a) > 1 ? NO_EXPR : real_result(p, acos(a));
  case OP_ATAN: return real_result(p, atan(a));
  case OP_SINH: return real_result(p, sinh(a));
  case OP_COSH: return real_result(p, cosh(a));
  case OP_TANH: return real_result(p, tanh(a));
  case OP_EXP: return real_result(p, exp(a));
  case OP_LOG: return a <= 0 ? NO_EXPR : real_result(p, log(a));
  case OP_LOG10: return a <= 0 ? NO_EXPR : real_result(p, log10(a));
  case OP_CEIL: return real_result(p, ceil(a));
  case OP_FLOOR: return real_result(p, floor(a));
  default: return NO_EXPR;
  }
}

/* ---- relations, logic, conversions ---- */

static bool holds(Op op, int order) {
  switch ((int)op) {
  case OP_LT: return order < 0;
  case OP_LE: return order <= 0;
  case OP_GT: return order > 0;
  case OP_GE: return order >= 0;
  case OP_EQ: return order == 0;
  default: return order != 0;
  }
}

static ExprId relation(ExprPool *p, const Expr *e) {
  const Expr *a = expr_get(p, e->args[0]), *b = expr_get(p, e->args[1]);
  int64_t i, k;
  double x, y;
  if (a->op == OP_STRING && b->op == OP_STRING)
    return expr_boolean(p, holds(e->op, strcmp(a->string, b->string)));
  if (expr_as_integer(p, e->args[0], &i) && expr_as_integer(p, e->args[1], &k))
    return expr_boolean(p, holds(e->op, (i > k) - (i < k)));
  if (expr_as_real(p, e->args[0], &x) && expr_as_real(p, e->args[1], &y))
    return expr_boolean(p, holds(e->op, (x > y) - (x < y)));
  return NO_EXPR;
}

static ExprId concatenate(ExprPool *p, const Expr *a, const Expr *b) {
  if (a->op != OP_STRING || b->op != OP_STRING)
    return NO_EXPR;
  return expr_string(p, arena_printf(pool_arena(p), "%s%s", a->string, b->string));
}

static ExprId to_enum(ExprPool *p, TypeId type, ExprId ordinal) {
  const Type *t = type_get(p, type);
  int64_t k;
  if (!expr_as_integer(p, ordinal, &k) || !t->decl || k < 1 || k > t->decl->n)
    return NO_EXPR;
  return expr_enum(p, type, k);
}

/* Largest Integer that is not greater than x. */
static ExprId to_integer(ExprPool *p, ExprId a) {
  double x;
  if (expr_get(p, a)->op == OP_INTEGER)
    return a;
  if (!expr_as_real(p, a, &x) || !(floor(x) >= -0x1p63 && floor(x) < 0x1p63))
    return NO_EXPR;
  return expr_integer(p, (int64_t)floor(x));
}

static ExprId fold_unary(ExprPool *p, const Expr *e) {
  const Expr *a = expr_get(p, e->args[0]);
  int64_t k;
  double x;
  switch ((int)e->op) {
  case OP_NOT: return a->op == OP_BOOLEAN ? expr_boolean(p, !a->integer) : NO_EXPR;
  case OP_SIGN:
    return expr_as_real(p, e->args[0], &x)
               ? expr_as_type(p, e->type, expr_integer(p, (x > 0) - (x < 0)))
               : NO_EXPR;
  case OP_TO_INTEGER: return to_integer(p, e->args[0]);
  case OP_ORDINAL: return expr_as_integer(p, e->args[0], &k) ? expr_integer(p, k) : NO_EXPR;
  case OP_TO_ENUM: return to_enum(p, e->type, e->args[0]);
  case OP_PRE:
  case OP_NOEVENT: return expr_as_type(p, e->type, e->args[0]);
  case OP_EDGE:
  case OP_CHANGE: return expr_boolean(p, false);
  case OP_DER:
  case OP_IMPULSE: return expr_real(p, 0);
  default:
    if (a->op == OP_INTEGER && type_get(p, e->type)->base == TY_INTEGER)
      return integer_unary(p, e->op, a->integer);
    return expr_as_real(p, e->args[0], &x) ? real_unary(p, e->op, x) : NO_EXPR;
  }
}

static ExprId fold_binary(ExprPool *p, const Expr *e) {
  const Expr *a = expr_get(p, e->args[0]), *b = expr_get(p, e->args[1]);
  TypeBase base = type_get(p, e->type)->base;
  int64_t k;
  double x, y;
  if (e->op >= OP_LT && e->op <= OP_NE)
    return relation(p, e);
  if (e->op == OP_SMOOTH)
    return expr_as_type(p, e->type, e->args[1]);
  if (base == TY_STRING)
    return e->op == OP_ADD ? concatenate(p, a, b) : NO_EXPR;
  if (base == TY_INTEGER && a->op == OP_INTEGER && b->op == OP_INTEGER)
    return integer_binary(e->op, a->integer, b->integer, &k) ? expr_integer(p, k) : NO_EXPR;
  if (base == TY_REAL && expr_as_real(p, e->args[0], &x) && expr_as_real(p, e->args[1], &y))
    return real_binary(p, e->op, x, y);
  if ((e->op == OP_MIN2 || e->op == OP_MAX2) && (base == TY_ENUM || base == TY_BOOLEAN))
    return (a->integer < b->integer) == (e->op == OP_MIN2) ? e->args[0] : e->args[1];
  return NO_EXPR;
}

ExprId fold_node(ExprPool *p, const Expr *node) {
  switch (node->n) {
  case 1: return fold_unary(p, node);
  case 2: return fold_binary(p, node);
  default: return NO_EXPR;
  }
}
