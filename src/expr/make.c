/* expr/make.c -- the constructors: every node but a literal passes through simplify.c, then is
 * shared. */
#include "expr/expr_impl.h"

#include <string.h>

/* ---- general ---- */

/* Simplifies, completes dimensions, shares. The payload is set in `key`. */
static ExprId build(ExprPool *p, Expr *key) {
  ExprId simple = simplify_node(p, key);
  if (simple.i)
    return simple;
  key->type = refine_type(p, key);
  return pool_share(p, key);
}

/* All bytes of the payload are compared, so the unused ones must be 0. */
static Expr blank(Op op, TypeId type, uint32_t n, const ExprId *args) {
  Expr key;
  memset(&key, 0, sizeof key);
  key.op = op;
  key.type = type;
  key.n = n;
  key.args = args;
  return key;
}

ExprId expr_make(ExprPool *p, Op op, TypeId type, uint32_t n, const ExprId *args) {
  Expr key = blank(op, type, n, args);
  return build(p, &key);
}

ExprId expr_make_index(ExprPool *p, Op op, TypeId type, uint32_t index, uint32_t payload2,
                       uint32_t n, const ExprId *args) {
  Expr key = blank(op, type, n, args);
  key.index = index;
  key.payload2 = payload2;
  return build(p, &key);
}

ExprId expr_make_ref(ExprPool *p, Op op, TypeId type, const void *ref, uint32_t n,
                     const ExprId *args) {
  Expr key = blank(op, type, n, args);
  key.ref = ref;
  return build(p, &key);
}

ExprId expr_with_args(ExprPool *p, const Expr *like, const ExprId *args) {
  Expr key = *like;
  key.args = args;
  return build(p, &key);
}

TypeId expr_type(const ExprPool *p, ExprId e) { return expr_get(p, e)->type; }
TypeBase expr_base(const ExprPool *p, ExprId e) { return type_get(p, expr_get(p, e)->type)->base; }

/* ---- leaves ---- */

ExprId expr_real(ExprPool *p, double value) {
  Expr key = blank(OP_REAL, type_scalar(p, TY_REAL), 0, NULL);
  key.real = value;
  return pool_share(p, &key);
}

static ExprId integer_leaf(ExprPool *p, Op op, TypeId type, int64_t value) {
  Expr key = blank(op, type, 0, NULL);
  key.integer = value;
  return pool_share(p, &key);
}

ExprId expr_integer(ExprPool *p, int64_t value) {
  return integer_leaf(p, OP_INTEGER, type_scalar(p, TY_INTEGER), value);
}

ExprId expr_boolean(ExprPool *p, bool value) {
  return integer_leaf(p, OP_BOOLEAN, type_scalar(p, TY_BOOLEAN), value);
}

ExprId expr_enum(ExprPool *p, TypeId type, int64_t ordinal) {
  return integer_leaf(p, OP_ENUM, type, ordinal);
}

ExprId expr_string(ExprPool *p, const char *value) {
  Expr key = blank(OP_STRING, type_scalar(p, TY_STRING), 0, NULL);
  key.string = value;
  return pool_share(p, &key);
}

ExprId expr_time(ExprPool *p) {
  Expr key = blank(OP_TIME, type_scalar(p, TY_REAL), 0, NULL);
  return pool_share(p, &key);
}

static ExprId numbered_leaf(ExprPool *p, Op op, TypeId type, uint32_t index) {
  Expr key = blank(op, type, 0, NULL);
  key.index = index;
  return pool_share(p, &key);
}

ExprId expr_var(ExprPool *p, TypeId type, uint32_t index) {
  return numbered_leaf(p, OP_VAR, type, index);
}
ExprId expr_local(ExprPool *p, TypeId type, uint32_t index) {
  return numbered_leaf(p, OP_LOCAL, type, index);
}

ExprId expr_zero_of(ExprPool *p, TypeId t) {
  return type_get(p, t)->base == TY_INTEGER ? expr_integer(p, 0) : expr_real(p, 0);
}

/* ---- questions about literals ---- */

bool expr_is_literal(const ExprPool *p, ExprId e) {
  const Expr *x = expr_get(p, e);
  if (x->op <= OP_ENUM)
    return true;
  if (x->op != OP_ARRAY && x->op != OP_RECORD)
    return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!expr_is_literal(p, x->args[i]))
      return false;
  return true;
}

bool expr_as_real(const ExprPool *p, ExprId e, double *value) {
  const Expr *x = expr_get(p, e);
  if (x->op != OP_REAL && x->op != OP_INTEGER)
    return false;
  *value = x->op == OP_REAL ? x->real : (double)x->integer;
  return true;
}

bool expr_as_integer(const ExprPool *p, ExprId e, int64_t *value) {
  const Expr *x = expr_get(p, e);
  if (x->op != OP_INTEGER && x->op != OP_BOOLEAN && x->op != OP_ENUM)
    return false;
  *value = x->integer;
  return true;
}

bool expr_is_zero(const ExprPool *p, ExprId e) {
  double v;
  return expr_as_real(p, e, &v) && v == 0;
}

/* ---- convenience: the type follows from the operands ---- */

ExprId expr_to_real(ExprPool *p, ExprId a) {
  const Type *t = type_get(p, expr_type(p, a));
  if (t->base != TY_INTEGER)
    return a;
  return expr_make(p, OP_CAST, pool_array_of_base(p, TY_REAL, t), 1, &a);
}

ExprId expr_as_type(ExprPool *p, TypeId t, ExprId x) {
  return type_get(p, t)->base == TY_REAL ? expr_to_real(p, x) : x;
}

/* What a unary operator does to the base type of its operand. */
typedef enum { KEEPS, TO_REAL, TO_INT, TO_BOOL, TO_TEXT } Unary;

static Unary unary_result(Op op) {
  if (op >= OP_SQRT && op <= OP_LOG10)
    return TO_REAL;
  switch ((int)op) {
  case OP_CAST:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_DER: return TO_REAL;
  case OP_SIGN:
  case OP_TO_INTEGER:
  case OP_ORDINAL: return TO_INT;
  case OP_NOT:
  case OP_EDGE:
  case OP_CHANGE: return TO_BOOL;
  case OP_STRING_OF: return TO_TEXT;
  default: /* NEG, ABS, PRE, NOEVENT and the like */ return KEEPS;
  }
}

ExprId expr_unary(ExprPool *p, Op op, ExprId a) {
  if (op == OP_CAST)
    return expr_to_real(p, a);
  switch (unary_result(op)) {
  case KEEPS: break;
  case TO_REAL: a = expr_to_real(p, a); break;
  case TO_INT:
    return expr_make(p, op, pool_array_of_base(p, TY_INTEGER, type_get(p, expr_type(p, a))), 1, &a);
  case TO_BOOL:
    return expr_make(p, op, pool_array_of_base(p, TY_BOOLEAN, type_get(p, expr_type(p, a))), 1, &a);
  case TO_TEXT: return expr_make(p, op, type_scalar(p, TY_STRING), 1, &a);
  }
  return expr_make(p, op, expr_type(p, a), 1, &a);
}

ExprId expr_binary(ExprPool *p, Op op, ExprId a, ExprId b) {
  TypeBase x = expr_base(p, a), y = expr_base(p, b);
  bool always_real = op == OP_DIV || op == OP_POW || op == OP_DIV_EL || op == OP_POW_EL ||
                     op == OP_ATAN2;
  if (op != OP_SMOOTH && (always_real || (x != y && (x == TY_REAL || y == TY_REAL)))) {
    a = expr_to_real(p, a);
    b = expr_to_real(p, b);
  }
  TypeId t = expr_type(p, op == OP_SMOOTH ? b : a);
  if (op >= OP_LT && op <= OP_NE)
    t = type_scalar(p, TY_BOOLEAN);
  return expr_make(p, op, t, 2, (ExprId[]){a, b});
}

ExprId expr_if(ExprPool *p, ExprId condition, ExprId then, ExprId otherwise) {
  TypeBase x = expr_base(p, then), y = expr_base(p, otherwise);
  if (x != y && (x == TY_REAL || y == TY_REAL)) {
    then = expr_to_real(p, then);
    otherwise = expr_to_real(p, otherwise);
  }
  return expr_make(p, OP_IF, expr_type(p, then), 3, (ExprId[]){condition, then, otherwise});
}
