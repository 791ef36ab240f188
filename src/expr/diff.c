/* expr/diff.c -- symbolic derivatives: partial by one variable, and total by time.
 * In:   expression.   Out: its derivative (Real), simplified as it is built; NO_EXPR when there is
 *       none.
 * How:  forward over the DAG, each node once, without recursion. The derivative of a node that does
 *       not depend on the variable is the literal 0, whatever its type; NO_EXPR marks one that
 *       cannot be differentiated and spreads upwards.
 * Keep: conditions and discrete parts are never entered, so der_of is asked only about variables
 *       that matter. */
#include "expr/expr_impl.h"

#include <math.h>

typedef struct {
  ExprPool *p;
  ExprId var; /* partial derivative by this node; NO_EXPR: by time */
  ExprId (*der_of)(void *user, ExprId var);
  void *user;
  const char *why; /* the function that has no derivative */
  Walk walk;
} Diff;

/* ---- short forms; NO_EXPR operands are never passed ---- */

static ExprId zero(Diff *d) { return expr_real(d->p, 0); }
static ExprId num(Diff *d, double value) { return expr_real(d->p, value); }
static ExprId add(Diff *d, ExprId a, ExprId b) { return expr_binary(d->p, OP_ADD, a, b); }
static ExprId sub(Diff *d, ExprId a, ExprId b) { return expr_binary(d->p, OP_SUB, a, b); }
static ExprId mul(Diff *d, ExprId a, ExprId b) { return expr_binary(d->p, OP_MUL, a, b); }
static ExprId power(Diff *d, ExprId a, ExprId b) { return expr_binary(d->p, OP_POW, a, b); }
static ExprId call(Diff *d, Op op, ExprId a) { return expr_unary(d->p, op, a); }
static ExprId square(Diff *d, ExprId a) { return power(d, a, num(d, 2)); }

/* 0/x is 0 here: the quotient comes from a derivative, which exists only where x is not 0. */
static ExprId quotient(Diff *d, ExprId a, ExprId b) {
  return expr_is_zero(d->p, a) ? zero(d) : expr_binary(d->p, OP_DIV, a, b);
}

static ExprId choose(Diff *d, bool events, ExprId condition, ExprId then, ExprId otherwise) {
  return expr_if(d->p, events ? condition : call(d, OP_NOEVENT, condition), then, otherwise);
}

/* ---- rules ---- */

/* (u^v)' = v*u^(v - 1)*u' + u^v*log(u)*v' */
static ExprId diff_pow(Diff *d, ExprId u, ExprId v, ExprId du, ExprId dv) {
  ExprId by_base = zero(d), by_exponent = zero(d);
  if (!expr_is_zero(d->p, du)) {
    ExprId less = expr_binary(d->p, OP_SUB, expr_to_real(d->p, v), num(d, 1));
    by_base = mul(d, mul(d, v, power(d, u, less)), du);
  }
  if (!expr_is_zero(d->p, dv))
    by_exponent = mul(d, mul(d, power(d, u, v), call(d, OP_LOG, u)), dv);
  return add(d, by_base, by_exponent);
}

/* (u/v)' = u'/v - u*v'/v^2 */
static ExprId diff_div(Diff *d, ExprId u, ExprId v, ExprId du, ExprId dv) {
  return sub(d, quotient(d, du, v), quotient(d, mul(d, u, dv), square(d, v)));
}

/* f'(u) of the functions of one argument */
static ExprId slope(Diff *d, Op op, ExprId u, ExprId f) {
  ExprId one = num(d, 1);
  switch ((int)op) {
  case OP_SQRT: return quotient(d, one, mul(d, num(d, 2), f));
  case OP_SIN: return call(d, OP_COS, u);
  case OP_COS: return call(d, OP_NEG, call(d, OP_SIN, u));
  case OP_TAN: return add(d, one, square(d, f));
  case OP_ASIN: return quotient(d, one, call(d, OP_SQRT, sub(d, one, square(d, u))));
  case OP_ACOS: return quotient(d, num(d, -1), call(d, OP_SQRT, sub(d, one, square(d, u))));
  case OP_ATAN: return quotient(d, one, add(d, one, square(d, u)));
  case OP_SINH: return call(d, OP_COSH, u);
  case OP_COSH: return call(d, OP_SINH, u);
  case OP_TANH: return sub(d, one, square(d, f));
  case OP_EXP: return f;
  case OP_LOG: return quotient(d, one, u);
  default: return quotient(d, one, mul(d, u, num(d, log(10)))); /* LOG10 */
  }
}

/* semiLinear(x, a, b) = if x >= 0 then a*x else b*x */
static ExprId diff_semilinear(Diff *d, const ExprId *a, const ExprId *da) {
  ExprId condition = expr_binary(d->p, OP_GE, a[0], num(d, 0));
  ExprId above = add(d, mul(d, da[1], a[0]), mul(d, a[1], da[0]));
  ExprId below = add(d, mul(d, da[2], a[0]), mul(d, a[2], da[0]));
  return choose(d, true, condition, above, below);
}

/* An operator with two arguments u, v. */
static ExprId diff_binary(Diff *d, const Expr *e, const ExprId *da) {
  ExprPool *p = d->p;
  ExprId u = e->args[0], v = e->args[1], du = da[0], dv = da[1];
  switch ((int)e->op) {
  case OP_ADD:
  case OP_ADD_EL: return add(d, du, dv);
  case OP_SUB:
  case OP_SUB_EL: return sub(d, du, dv);
  case OP_MUL:
  case OP_MUL_EL: return add(d, mul(d, du, v), mul(d, u, dv));
  case OP_DIV:
  case OP_DIV_EL: return diff_div(d, u, v, du, dv);
  case OP_POW:
  case OP_POW_EL: return diff_pow(d, u, v, du, dv);
  case OP_ATAN2: /* atan2(u, v)' = (v*u' - u*v')/(u^2 + v^2) */
    return quotient(d, sub(d, mul(d, v, du), mul(d, u, dv)), add(d, square(d, u), square(d, v)));
  case OP_MIN2: return choose(d, false, expr_binary(p, OP_LT, u, v), du, dv);
  case OP_MAX2: return choose(d, false, expr_binary(p, OP_GT, u, v), du, dv);
  case OP_MOD: return sub(d, du, mul(d, call(d, OP_FLOOR, expr_binary(p, OP_DIV, u, v)), dv));
  default: /* REM */ return sub(d, du, mul(d, expr_binary(p, OP_DIVT, u, v), dv));
  }
}

/* ---- arrays and records ---- */

static bool is_zero(const Diff *d, ExprId e) { return expr_is_zero(d->p, e); }

static ExprId make2(Diff *d, Op op, TypeId t, ExprId a, ExprId b) {
  return expr_make(d->p, op, t, 2, (ExprId[]){expr_to_real(d->p, a), expr_to_real(d->p, b)});
}

/* The derivative of an argument, in its shape even where it is 0. */
static ExprId whole(Diff *d, ExprId arg, ExprId da) {
  return is_zero(d, da) ? diff_zero_like(d->p, arg) : da;
}

/* a + b or a - b with derivatives, of which one may be 0; a scalar may stand beside an array. */
static ExprId sum_of(Diff *d, const Expr *e, const ExprId *da) {
  bool minus = e->op == OP_SUB || e->op == OP_SUB_EL;
  if (!is_zero(d, da[0]) && !is_zero(d, da[1]))
    return make2(d, e->op, e->type, da[0], da[1]);
  uint32_t k = is_zero(d, da[0]);
  ExprId one = k && minus ? expr_make(d->p, OP_NEG, expr_type(d->p, da[1]), 1, &da[1]) : da[k];
  bool wider = type_is_scalar(d->p, expr_type(d->p, one)) && !type_is_scalar(d->p, e->type);
  return wider ? make2(d, OP_ADD_EL, e->type, diff_zero_like(d->p, e->args[1 - k]), one) : one;
}

/* u*v in any sense that is linear in both */
static ExprId bilinear(Diff *d, const Expr *e, const ExprId *da) {
  ExprId left = is_zero(d, da[0]) ? NO_EXPR : make2(d, e->op, e->type, da[0], e->args[1]);
  ExprId right = is_zero(d, da[1]) ? NO_EXPR : make2(d, e->op, e->type, e->args[0], da[1]);
  return !left.i ? right : !right.i ? left : make2(d, OP_ADD, e->type, left, right);
}

static ExprId ratio(Diff *d, const Expr *e, const ExprId *da) {
  bool each = e->op == OP_DIV_EL;
  ExprId u = e->args[0], v = e->args[1],
         first = is_zero(d, da[0]) ? NO_EXPR : make2(d, e->op, e->type, da[0], v);
  if (is_zero(d, da[1]))
    return first;
  TypeId t = expr_type(d->p, da[1]);
  ExprId slope_ = make2(d, each ? OP_DIV_EL : OP_DIV, t, da[1],
                        make2(d, each ? OP_MUL_EL : OP_MUL, t, v, v));
  ExprId second = make2(d, each ? OP_MUL_EL : OP_MUL, e->type, u, slope_);
  return first.i ? make2(d, OP_SUB, e->type, first, second)
                 : expr_make(d->p, OP_NEG, e->type, 1, &second);
}

/* An operator with two arguments, of which one is an array. */
static ExprId diff_arrays(Diff *d, const Expr *e, const ExprId *da) {
  switch ((int)e->op) {
  case OP_ADD:
  case OP_SUB:
  case OP_ADD_EL:
  case OP_SUB_EL: return sum_of(d, e, da);
  case OP_MUL:
  case OP_MUL_EL: return bilinear(d, e, da);
  case OP_DIV:
  case OP_DIV_EL: return ratio(d, e, da);
  default: return NO_EXPR;
  }
}

/* Constructors: every item in its shape. */
static ExprId diff_items(Diff *d, const Expr *e, const ExprId *da, uint32_t first) {
  ExprId *items = NEW_ARRAY(walk_scratch(&d->walk), ExprId, e->n);
  const Type *y = type_get(d->p, e->type);
  for (uint32_t i = 0; i < e->n; i++) {
    items[i] = i < first ? e->args[i] : whole(d, e->args[i], da[i]);
    if (!items[i].i)
      return NO_EXPR;
  }
  bool real = type_is_numeric(d->p, e->type);
  return expr_make(d->p, e->op,
                   real ? type_array(d->p, type_scalar(d->p, TY_REAL), y->n_dims, y->dims)
                        : e->type,
                   e->n, items);
}

/* The same operator on the derivative of its first argument (or of the first two); the others
 * select or give sizes. */
static ExprId linear_in(Diff *d, const Expr *e, const ExprId *da, uint32_t n) {
  ExprId *args = NEW_ARRAY(walk_scratch(&d->walk), ExprId, e->n);
  for (uint32_t i = 0; i < e->n; i++)
    args[i] = i < n ? whole(d, e->args[i], da[i]) : e->args[i];
  for (uint32_t i = 0; i < n; i++)
    if (!args[i].i)
      return NO_EXPR;
  bool payload = e->op == OP_FIELD || e->op == OP_PART || e->op == OP_COMPREHEND ||
                 e->op == OP_REDUCE;
  return payload ? expr_make_index(d->p, e->op, e->type, e->index, e->payload2, e->n, args)
                 : expr_make(d->p, e->op, e->type, e->n, args);
}

static ExprId diff_if(Diff *d, const Expr *e, const ExprId *da) {
  ExprId then = whole(d, e->args[1], da[1]), otherwise = whole(d, e->args[2], da[2]);
  return then.i && otherwise.i ? choose(d, true, e->args[0], then, otherwise) : NO_EXPR;
}

/* ---- dispatch ---- */

static ExprId diff_variable(Diff *d, ExprId id, const Expr *e) {
  TypeBase base = type_get(d->p, e->type)->base;
  if (d->var.i || (base != TY_REAL && base != TY_RECORD))
    return zero(d);
  return d->der_of(d->user, id);
}

/* DELAY(number, time, T) by a variable: how fast the past goes by there, times how fast it is read.
 * The slope is that of the recorded values a little later: at a jump that has come out the piece
 * after it. */
static ExprId diff_past(Diff *d, const Expr *e, const ExprId *da) {
  const double part = 0x1p-26, least = 1e-3; /* of the time: balances truncation and rounding */
  double wait;
  bool recorded = e->n == 3 && type_get(d->p, expr_get(d->p, e->args[0])->type)->base == TY_INTEGER;
  bool asks = recorded && expr_is_literal(d->p, e->args[2]) &&
              expr_as_real(d->p, e->args[2], &wait) && wait < 0;
  if (!recorded || asks) /* as the user wrote it; or when the next jump comes out */
    return zero(d);
  ExprId size = expr_binary(d->p, OP_MAX2, call(d, OP_ABS, e->args[1]), num(d, least)),
         h = mul(d, num(d, part), size);
  ExprId later[3] = {e->args[0], e->args[1], sub(d, e->args[2], h)};
  ExprId now = expr_make(d->p, OP_DELAY, e->type, 3, e->args);
  ExprId slope = expr_binary(d->p, OP_DIV,
                             sub(d, expr_make(d->p, OP_DELAY, e->type, 3, later), now), h);
  return mul(d, slope, sub(d, da[1], da[2]));
}

/* delay(u, T): the past is not a function of the present; its rate is the delayed rate when T is
 * constant. */
static ExprId diff_delay(Diff *d, const Expr *e, const ExprId *da) {
  if (d->var.i)
    return diff_past(d, e, da);
  if (!expr_is_zero(d->p, da[1]))
    return NO_EXPR;
  ExprId args[3] = {da[0], e->n > 1 ? e->args[1] : NO_EXPR, e->n > 2 ? e->args[2] : NO_EXPR};
  return expr_is_zero(d->p, da[0])
             ? da[0]
             : expr_make(d->p, OP_DELAY, type_scalar(d->p, TY_REAL), e->n, args);
}

static ExprId diff_smooth(Diff *d, const Expr *e, ExprId rate) {
  int64_t order;
  if (!expr_as_integer(d->p, e->args[0], &order) || order < 1)
    return rate;
  return expr_binary(d->p, OP_SMOOTH, expr_integer(d->p, order - 1), rate);
}

/* At least one of the derivatives da is not 0, none is missing. */
static ExprId diff_dependent(Diff *d, ExprId id, const Expr *e, const ExprId *da) {
  switch (e->op) {
  case OP_NEG:
    return type_is_scalar(d->p, e->type) ? call(d, OP_NEG, da[0])
                                         : expr_make(d->p, OP_NEG, e->type, 1, da);
  case OP_ADD:
  case OP_SUB:
  case OP_MUL:
  case OP_DIV:
  case OP_POW:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_DIV_EL:
  case OP_POW_EL:
  case OP_ATAN2:
  case OP_MIN2:
  case OP_MAX2:
  case OP_MOD:
  case OP_REM:
    return type_is_scalar(d->p, expr_type(d->p, e->args[0])) &&
                   type_is_scalar(d->p, expr_type(d->p, e->args[1]))
               ? diff_binary(d, e, da)
               : diff_arrays(d, e, da);
  case OP_IF: return diff_if(d, e, da);
  case OP_CAST:
  case OP_HOMOTOPY: return da[0];
  case OP_NOEVENT: return call(d, OP_NOEVENT, da[0]);
  case OP_SMOOTH: return diff_smooth(d, e, da[1]);
  case OP_ARRAY:
  case OP_RECORD: return diff_items(d, e, da, 0);
  case OP_CAT: return diff_items(d, e, da, 1);
  case OP_INDEX:
  case OP_FIELD:
  case OP_PART:
  case OP_SCALAR:
  case OP_VECTOR:
  case OP_MATRIX:
  case OP_PROMOTE:
  case OP_TRANSPOSE:
  case OP_SYMMETRIC:
  case OP_SKEW:
  case OP_DIAGONAL:
  case OP_FILL:
  case OP_SUM:
  case OP_COMPREHEND: return linear_in(d, e, da, 1);
  case OP_LINSPACE: return linear_in(d, e, da, 2);
  case OP_REDUCE: return e->payload2 == OP_ADD ? linear_in(d, e, da, 1) : NO_EXPR;
  case OP_CROSS:
  case OP_OUTER: return bilinear(d, e, da);
  case OP_CALL: return diff_call(d->p, e, da, d->var.i != 0, &d->why);
  case OP_ABS:
    return choose(d, false, expr_binary(d->p, OP_GE, e->args[0], zero(d)), da[0],
                  call(d, OP_NEG, da[0]));
  case OP_SQRT:
  case OP_SIN:
  case OP_COS:
  case OP_TAN:
  case OP_ASIN:
  case OP_ACOS:
  case OP_ATAN:
  case OP_SINH:
  case OP_COSH:
  case OP_TANH:
  case OP_EXP:
  case OP_LOG:
  case OP_LOG10: return mul(d, slope(d, e->op, e->args[0], id), da[0]);
  case OP_SEMILINEAR: return diff_semilinear(d, e->args, da);
  case OP_DELAY: return diff_delay(d, e, da);
  /* constant between events, or left out of the walk */
  case OP_REAL:
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_STRING:
  case OP_ENUM:
  case OP_TIME:
  case OP_VAR:
  case OP_REF:
  case OP_LOCAL:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_SIGN:
  case OP_DIVT:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_ORDINAL:
  case OP_TO_ENUM:
  case OP_STRING_OF:
  case OP_SIZE:
  case OP_NDIMS:
  case OP_IDENTITY:
  case OP_DER:
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_SAMPLE:
  case OP_IMPULSE:
  case OP_COUNT: return zero(d);
  /* not smooth enough, or operators of connectors */
  case OP_FUNCTION:
  case OP_RANGE:
  case OP_TUPLE:
  case OP_PRODUCT:
  case OP_MIN:
  case OP_MAX:
  case OP_SPATIAL:
  case OP_ROUNDING:
  case OP_INSTREAM:
  case OP_ACTUALSTREAM: return NO_EXPR;
  }
  return NO_EXPR;
}

/* Which arguments carry the derivative. */
static bool needs(void *user, const Expr *e, uint32_t k) {
  const Diff *d = user;
  switch ((int)e->op) {
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_SIGN:
  case OP_DIVT:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_ORDINAL:
  case OP_TO_ENUM:
  case OP_STRING_OF:
  case OP_SIZE:
  case OP_NDIMS:
  case OP_IDENTITY:
  case OP_DER:
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_SAMPLE:
  case OP_IMPULSE: return false;
  case OP_IF:
  case OP_SMOOTH: return k > 0;
  case OP_INDEX:
  case OP_HOMOTOPY:
  case OP_COMPREHEND:
  case OP_REDUCE:
  case OP_FILL:
  case OP_PROMOTE: return k == 0;
  case OP_CAT: return k > 0;
  case OP_DELAY: return d->var.i ? k > 0 : k < 2;
  case OP_CALL: return d->var.i || diff_call_asks(d->p, e, k);
  default: return true;
  }
}

static ExprId diff_node(Diff *d, ExprId id) {
  const Expr *e = expr_get(d->p, id);
  if (d->var.i && expr_same(id, d->var))
    return num(d, 1);
  if (e->op == OP_TIME)
    return num(d, d->var.i ? 0 : 1);
  if (e->op == OP_VAR || e->op == OP_REF || e->op == OP_LOCAL || e->op == OP_DER)
    return diff_variable(d, id, e);
  /* in a companion of a record only what is Real means something */
  TypeBase base = type_get(d->p, e->type)->base;
  if (base == TY_INTEGER || base == TY_BOOLEAN || base == TY_ENUM || base == TY_STRING)
    return zero(d);
  ExprId small[8], *da = e->n <= 8 ? small : NEW_ARRAY(walk_scratch(&d->walk), ExprId, e->n);
  bool depends = false, missing = false;
  for (uint32_t k = 0; k < e->n; k++) {
    bool asked = e->args[k].i && needs(d, e, k);
    da[k] = asked ? (ExprId){walk_value(&d->walk, e->args[k])} : zero(d);
    missing |= !da[k].i;
    depends |= !expr_is_zero(d->p, da[k]);
  }
  if (missing)
    return NO_EXPR;
  /* what an annotation leaves out may move all the same */
  depends = depends || (e->op == OP_CALL && !d->var.i && diff_call_excludes(d->p, e));
  return depends ? diff_dependent(d, id, e, da) : zero(d);
}

static ExprId run(Diff *d, ExprId e) {
  walk_begin(&d->walk, d->p, e);
  d->walk.needs = needs;
  d->walk.user = d;
  for (ExprId x = walk_next(&d->walk); x.i; x = walk_next(&d->walk))
    walk_set(&d->walk, x, diff_node(d, x).i);
  ExprId result = {walk_value(&d->walk, e)};
  walk_end(&d->walk);
  return result;
}

ExprId expr_diff(ExprPool *p, ExprId e, ExprId var) {
  Diff d = {.p = p, .var = var};
  return var.i ? run(&d, e) : NO_EXPR;
}

ExprId expr_diff_time(ExprPool *p, ExprId e, ExprId (*der_of)(void *user, ExprId var), void *user) {
  const char *why;
  return expr_diff_total(p, e, der_of, user, &why);
}

ExprId expr_diff_total(ExprPool *p, ExprId e, ExprId (*der_of)(void *user, ExprId var), void *user,
                       const char **why) {
  Diff d = {.p = p, .der_of = der_of, .user = user};
  ExprId out = run(&d, e);
  *why = d.why;
  return out;
}
