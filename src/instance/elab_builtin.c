/* instance/elab_builtin.c -- the predefined functions and operators of MLS 3.6 sections 3.7, 10.3
 * and 16, as one table. A row names the function, the rule that types it, the node it becomes and
 * its number of arguments. */
#include "instance/inst.h"
#include "base/limits.h"

#include <string.h>

typedef enum {
  RULE_REAL,    /* Real arguments, Real result, element by element */
  RULE_NUMBER,  /* numeric argument, same type */
  RULE_FLOOR,   /* Real in, Real out (event) */
  RULE_PAIR,    /* two numbers, common type (div, mod, rem) */
  RULE_INTEGER, /* integer(Real) */
  RULE_ORDINAL, /* Integer(enumeration) */
  RULE_STRING,
  RULE_MINMAX,
  RULE_SUM,
  RULE_SIZE,
  RULE_NDIMS,
  RULE_FILL,
  RULE_ZEROS,
  RULE_ONES,
  RULE_IDENTITY,
  RULE_LINSPACE,
  RULE_CAT,
  RULE_ARRAY,
  RULE_SCALAR,
  RULE_VECTOR,
  RULE_MATRIX,
  RULE_TRANSPOSE,
  RULE_OUTER,
  RULE_SYMMETRIC,
  RULE_CROSS,
  RULE_SKEW,
  RULE_DIAGONAL,
  RULE_SAME, /* one argument of any type, result like it (noEvent) */
  RULE_DER,
  RULE_PRE,
  RULE_EDGE,
  RULE_EVENT, /* EVENT: initial(), terminal() */
  RULE_SAMPLE,
  RULE_SMOOTH,
  RULE_HOMOTOPY,
  RULE_SEMILINEAR,
  RULE_DELAY,
  RULE_IMPULSE,
  RULE_CARDINALITY,
  RULE_INSTANCE_NAME,
  RULE_SPATIAL,
  RULE_ACTION, /* assert, terminate, reinit: only as an equation or statement */
  RULE_REFUSED /* known, not supported yet */
} Rule;

typedef struct {
  const char *name;
  Rule rule;
  Op op;
  uint32_t least, most;
} Row;

static const Row rows[] = {
    {"abs", RULE_NUMBER, OP_ABS, 1, 1},
    {"sign", RULE_INTEGER, OP_SIGN, 1, 1},
    {"sqrt", RULE_REAL, OP_SQRT, 1, 1},
    {"sin", RULE_REAL, OP_SIN, 1, 1},
    {"cos", RULE_REAL, OP_COS, 1, 1},
    {"tan", RULE_REAL, OP_TAN, 1, 1},
    {"asin", RULE_REAL, OP_ASIN, 1, 1},
    {"acos", RULE_REAL, OP_ACOS, 1, 1},
    {"atan", RULE_REAL, OP_ATAN, 1, 1},
    {"atan2", RULE_REAL, OP_ATAN2, 2, 2},
    {"sinh", RULE_REAL, OP_SINH, 1, 1},
    {"cosh", RULE_REAL, OP_COSH, 1, 1},
    {"tanh", RULE_REAL, OP_TANH, 1, 1},
    {"exp", RULE_REAL, OP_EXP, 1, 1},
    {"log", RULE_REAL, OP_LOG, 1, 1},
    {"log10", RULE_REAL, OP_LOG10, 1, 1},
    {"div", RULE_PAIR, OP_DIVT, 2, 2},
    {"mod", RULE_PAIR, OP_MOD, 2, 2},
    {"rem", RULE_PAIR, OP_REM, 2, 2},
    {"ceil", RULE_FLOOR, OP_CEIL, 1, 1},
    {"floor", RULE_FLOOR, OP_FLOOR, 1, 1},
    {"integer", RULE_INTEGER, OP_TO_INTEGER, 1, 1},
    {"Integer", RULE_ORDINAL, OP_ORDINAL, 1, 1},
    {"String", RULE_STRING, OP_STRING_OF, 1, 4},
    {"min", RULE_MINMAX, OP_MIN, 1, 2},
    {"max", RULE_MINMAX, OP_MAX, 1, 2},
    {"sum", RULE_SUM, OP_SUM, 1, 1},
    {"product", RULE_SUM, OP_PRODUCT, 1, 1},
    {"size", RULE_SIZE, OP_SIZE, 1, 2},
    {"ndims", RULE_NDIMS, OP_NDIMS, 1, 1},
    {"fill", RULE_FILL, OP_FILL, 1, 32},
    {"zeros", RULE_ZEROS, OP_FILL, 1, 31},
    {"ones", RULE_ONES, OP_FILL, 1, 31},
    {"identity", RULE_IDENTITY, OP_IDENTITY, 1, 1},
    {"linspace", RULE_LINSPACE, OP_LINSPACE, 3, 3},
    {"cat", RULE_CAT, OP_CAT, 2, 1000},
    {"array", RULE_ARRAY, OP_ARRAY, 1, 100000},
    {"scalar", RULE_SCALAR, OP_SCALAR, 1, 1},
    {"vector", RULE_VECTOR, OP_VECTOR, 1, 1},
    {"matrix", RULE_MATRIX, OP_MATRIX, 1, 1},
    {"transpose", RULE_TRANSPOSE, OP_TRANSPOSE, 1, 1},
    {"outerProduct", RULE_OUTER, OP_OUTER, 2, 2},
    {"symmetric", RULE_SYMMETRIC, OP_SYMMETRIC, 1, 1},
    {"cross", RULE_CROSS, OP_CROSS, 2, 2},
    {"skew", RULE_SKEW, OP_SKEW, 1, 1},
    {"diagonal", RULE_DIAGONAL, OP_DIAGONAL, 1, 1},
    {"der", RULE_DER, OP_DER, 1, 1},
    {"pre", RULE_PRE, OP_PRE, 1, 1},
    {"edge", RULE_EDGE, OP_EDGE, 1, 1},
    {"change", RULE_EDGE, OP_CHANGE, 1, 1},
    {"initial", RULE_EVENT, OP_INITIAL, 0, 0},
    {"terminal", RULE_EVENT, OP_TERMINAL, 0, 0},
    {"sample", RULE_SAMPLE, OP_SAMPLE, 1, 2},
    {"noEvent", RULE_SAME, OP_NOEVENT, 1, 1},
    {"smooth", RULE_SMOOTH, OP_SMOOTH, 2, 2},
    {"homotopy", RULE_HOMOTOPY, OP_HOMOTOPY, 2, 2},
    {"semiLinear", RULE_SEMILINEAR, OP_SEMILINEAR, 3, 3},
    {"delay", RULE_DELAY, OP_DELAY, 2, 3},
    {"impulse", RULE_IMPULSE, OP_IMPULSE, 1, 1},
    {"cardinality", RULE_CARDINALITY, OP_COUNT, 1, 1},
    {"getInstanceName", RULE_INSTANCE_NAME, OP_COUNT, 0, 0},
    {"assert", RULE_ACTION, OP_COUNT, 0, 9},
    {"terminate", RULE_ACTION, OP_COUNT, 0, 9},
    {"reinit", RULE_ACTION, OP_COUNT, 0, 9},
    {"spatialDistribution", RULE_SPATIAL, OP_COUNT, 4, 6},
    {"inStream", RULE_REFUSED, OP_COUNT, 0, 99},
    {"actualStream", RULE_REFUSED, OP_COUNT, 0, 99},
    {"Clock", RULE_REFUSED, OP_COUNT, 0, 99},
    {"previous", RULE_REFUSED, OP_COUNT, 0, 99},
    {"hold", RULE_REFUSED, OP_COUNT, 0, 99},
    {"subSample", RULE_REFUSED, OP_COUNT, 0, 99},
    {"superSample", RULE_REFUSED, OP_COUNT, 0, 99},
    {"shiftSample", RULE_REFUSED, OP_COUNT, 0, 99},
    {"backSample", RULE_REFUSED, OP_COUNT, 0, 99},
    {"noClock", RULE_REFUSED, OP_COUNT, 0, 99},
    {"interval", RULE_REFUSED, OP_COUNT, 0, 99},
    {"firstTick", RULE_REFUSED, OP_COUNT, 0, 99},
    {"transition", RULE_REFUSED, OP_COUNT, 0, 99},
    {"initialState", RULE_REFUSED, OP_COUNT, 0, 99},
    {"activeState", RULE_REFUSED, OP_COUNT, 0, 99},
    {"ticksInState", RULE_REFUSED, OP_COUNT, 0, 99},
    {"timeInState", RULE_REFUSED, OP_COUNT, 0, 99},
    {"rooted", RULE_REFUSED, OP_COUNT, 0, 99},
    {"raise", RULE_REFUSED, OP_COUNT, 0, 99},
    {"add", RULE_REFUSED, OP_COUNT, 0, 99},
    {"remove", RULE_REFUSED, OP_COUNT, 0, 99},
    {"exists", RULE_REFUSED, OP_COUNT, 0, 99},
};

void elab_init_builtins(World *w) {
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
    map_put(w->arena, &w->builtins, (uint64_t)(uintptr_t)intern_str(w->names, rows[i].name), i + 1);
}

bool elab_is_builtin(World *w, const char *name, uint32_t *row) {
  uint64_t found = 0;
  bool is = map_get(&w->builtins, (uint64_t)(uintptr_t)name, &found);
  *row = (uint32_t)found;
  return is;
}

const char *elab_builtin_name(uint32_t i) {
  return i < sizeof rows / sizeof *rows ? rows[i].name : NULL;
}

/* ---- helpers ---- */

typedef struct {
  Elab *el;
  const Row *row;
  const AstExp *e;
  uint32_t n;
  ExprId *args;
} Call;

static TypeId scalar(Call *c, TypeBase base) { return type_scalar(c->el->w->pool, base); }

static const Type *arg_type(Call *c, uint32_t i) { return elab_type_get(c->el, c->args[i]); }

static TypeId element_type(Call *c, uint32_t i) {
  return type_element(c->el->w->pool, elab_type(c->el, c->args[i]), arg_type(c, i)->n_dims);
}

static ExprId wrong(Call *c, uint32_t i, const char *needs) {
  return elab_error(c->el, D_T304, c->e->args[i].span, "`%s` needs %s, this is %s", c->row->name,
                    needs, elab_type_text(c->el, elab_type(c->el, c->args[i])));
}

static ExprId make(Call *c, TypeId type, uint32_t n) {
  return expr_make(c->el->w->pool, c->row->op, type, n, c->args);
}

static TypeId array_of(Call *c, TypeId element, uint32_t n, const int32_t *dims) {
  return type_array(c->el->w->pool, element, n, dims);
}

/* sqrt(-1), log(0) and the like with a known argument */
static bool outside_domain(ExprPool *p, Op op, ExprId arg) {
  double x;
  if (!expr_as_real(p, arg, &x))
    return false;
  return op == OP_SQRT                    ? x < 0
         : op == OP_LOG || op == OP_LOG10 ? x <= 0
                                          : (op == OP_ASIN || op == OP_ACOS) && (x < -1 || x > 1);
}

static ExprId make_scalar(Elab *el, const void *user, uint32_t n, const ExprId *args, Span span) {
  const Row *row = user;
  if (outside_domain(el->w->pool, row->op, args[0]))
    return elab_error(el, D_T305, span, "`%s` has no value for this argument", row->name);
  TypeBase base = row->rule == RULE_INTEGER || row->rule == RULE_ORDINAL ? TY_INTEGER : TY_NONE;
  TypeId type = base == TY_INTEGER ? type_scalar(el->w->pool, TY_INTEGER)
                                   : elab_type(el, args[n - 1]);
  return expr_make(el->w->pool, row->op, type, n, args);
}

/* Applies a scalar operator to arguments that may be arrays of equal size. */
static ExprId elementwise(Call *c) {
  uint32_t own[3] = {0}, extra = 0;
  for (uint32_t i = 0; i < c->n; i++)
    extra = arg_type(c, i)->n_dims > extra ? arg_type(c, i)->n_dims : extra;
  return elab_vectorize(c->el, make_scalar, c->row, extra, c->n, c->args, own, c->e->span);
}

static bool to_numbers(Call *c, bool real) {
  for (uint32_t i = 0; i < c->n; i++) {
    if (!type_is_numeric(c->el->w->pool, elab_type(c->el, c->args[i]))) {
      wrong(c, i, "a number");
      return false;
    }
    if (real)
      c->args[i] = expr_to_real(c->el->w->pool, c->args[i]);
  }
  return true;
}

static bool literal_dim(Call *c, uint32_t i, int32_t *out) {
  const Type *t = arg_type(c, i);
  *out = DIM_UNKNOWN;
  if (t->base != TY_INTEGER || t->n_dims) {
    wrong(c, i, "an Integer");
    return false;
  }
  c->args[i] = elab_fixed_index(c->el, c->args[i]);
  int64_t n;
  if (expr_as_integer(c->el->w->pool, c->args[i], &n)) {
    if (n < 0 || n > MOST_ELEMENTS) {
      elab_error(c->el, n < 0 ? D_T307 : D_K001, c->e->args[i].span,
                 n < 0 ? "an array size must not be negative; this is %lld"
                       : "an array of %lld elements is too large",
                 (long long)n);
      return false;
    }
    *out = (int32_t)n;
  }
  return true;
}

/* ---- arrays ---- */

static ExprId fill(Call *c, bool zeros, bool ones) {
  int32_t dims[32];
  uint32_t first = zeros || ones ? 0 : 1;
  if (c->n - first > 32)
    return elab_error(c->el, D_T302, c->e->span, "too many dimensions");
  for (uint32_t i = first; i < c->n; i++)
    if (!literal_dim(c, i, &dims[i - first]))
      return NO_EXPR;
  ExprId *args = NEW_ARRAY(c->el->w->arena, ExprId, c->n + 1);
  args[0] = first ? c->args[0] : expr_integer(c->el->w->pool, ones);
  for (uint32_t i = first; i < c->n; i++)
    args[i + 1 - first] = c->args[i];
  TypeId type = array_of(c, elab_type(c->el, args[0]), c->n - first, dims);
  return expr_make(c->el->w->pool, OP_FILL, type, c->n + 1 - first, args);
}

static ExprId size(Call *c) {
  const Type *t = arg_type(c, 0);
  if (c->n == 1) {
    int32_t n = (int32_t)t->n_dims;
    return make(c, array_of(c, scalar(c, TY_INTEGER), 1, &n), 1);
  }
  c->args[1] = elab_fixed_index(c->el, c->args[1]);
  int64_t d;
  if (expr_as_integer(c->el->w->pool, c->args[1], &d) && (d < 1 || d > t->n_dims))
    return elab_error(c->el, D_T303, c->e->args[1].span, "dimension %lld of %s", (long long)d,
                      elab_type_text(c->el, elab_type(c->el, c->args[0])));
  return make(c, scalar(c, TY_INTEGER), 2);
}

static ExprId cat(Call *c) {
  int64_t k;
  ExprPool *p = c->el->w->pool;
  c->args[0] = elab_fixed_index(c->el, c->args[0]);
  const Type *first = arg_type(c, 1);
  if (!expr_as_integer(p, c->args[0], &k) || k < 1 || k > first->n_dims || first->n_dims > 32)
    return elab_error(c->el, D_T304, c->e->span,
                      "the first argument of `cat` must be a dimension of the arrays");
  TypeId element = element_type(c, 1);
  int32_t dims[32], sum = 0;
  for (uint32_t d = 0; d < first->n_dims; d++)
    dims[d] = first->dims[d];
  for (uint32_t i = 1; i < c->n; i++) {
    const Type *t = arg_type(c, i);
    TypeId common = elab_common(c->el, element, element_type(c, i));
    if (t->n_dims != first->n_dims || !common.i)
      return wrong(c, i, elab_type_text(c->el, elab_type(c->el, c->args[1])));
    for (uint32_t d = 0; d < t->n_dims; d++)
      if (d != (uint32_t)k - 1 && t->dims[d] != dims[d] && t->dims[d] != DIM_UNKNOWN &&
          dims[d] != DIM_UNKNOWN)
        return wrong(c, i, "arrays that fit each other");
    element = common;
    sum = sum == DIM_UNKNOWN || t->dims[k - 1] == DIM_UNKNOWN ? DIM_UNKNOWN : sum + t->dims[k - 1];
  }
  dims[k - 1] = sum;
  for (uint32_t i = 1; i < c->n; i++)
    if (type_get(p, element)->base == TY_REAL)
      c->args[i] = expr_to_real(p, c->args[i]);
  return make(c, array_of(c, element, first->n_dims, dims), c->n);
}

static ExprId reshape(Call *c) {
  const Type *t = arg_type(c, 0);
  int32_t dims[2] = {1, 1};
  TypeId element = element_type(c, 0);
  switch (c->row->rule) {
  case RULE_SCALAR: return make(c, element, 1);
  case RULE_VECTOR:
    for (uint32_t i = 0; i < t->n_dims; i++)
      dims[0] = dims[0] == DIM_UNKNOWN || t->dims[i] == DIM_UNKNOWN ? DIM_UNKNOWN
                                                                    : dims[0] * t->dims[i];
    return make(c, array_of(c, element, 1, dims), 1);
  case RULE_MATRIX:
    for (uint32_t i = 0; i < t->n_dims && i < 2; i++)
      dims[i] = t->dims[i];
    return make(c, array_of(c, element, 2, dims), 1);
  case RULE_TRANSPOSE:
  case RULE_SYMMETRIC: {
    if (t->n_dims < 2 || t->n_dims > 32)
      return wrong(c, 0, "a matrix");
    int32_t turned[32];
    for (uint32_t i = 0; i < t->n_dims; i++)
      turned[i] = t->dims[i];
    turned[0] = t->dims[1];
    turned[1] = t->dims[0];
    return make(c, array_of(c, element, t->n_dims, turned), 1);
  }
  case RULE_OUTER:
    if (t->n_dims != 1 || arg_type(c, 1)->n_dims != 1)
      return wrong(c, 0, "two vectors");
    dims[0] = t->dims[0];
    dims[1] = arg_type(c, 1)->dims[0];
    return make(c, array_of(c, elab_common(c->el, element, element_type(c, 1)), 2, dims), 2);
  case RULE_CROSS:
  case RULE_SKEW: {
    bool pair = c->row->rule == RULE_CROSS;
    for (uint32_t i = 0; i < c->n; i++)
      if (arg_type(c, i)->n_dims != 1 ||
          (arg_type(c, i)->dims[0] != 3 && arg_type(c, i)->dims[0] != DIM_UNKNOWN))
        return wrong(c, i, "a vector of 3 elements");
    if (!to_numbers(c, true))
      return NO_EXPR;
    int32_t three[2] = {3, 3};
    return make(c, array_of(c, scalar(c, TY_REAL), pair ? 1 : 2, three), c->n);
  }
  case RULE_DIAGONAL:
    if (t->n_dims != 1)
      return wrong(c, 0, "a vector");
    dims[0] = dims[1] = t->dims[0];
    return make(c, array_of(c, element, 2, dims), 1);
  default: return NO_EXPR;
  }
}

static ExprId minmax(Call *c) {
  ExprPool *p = c->el->w->pool;
  if (c->n == 1) {
    if (!arg_type(c, 0)->n_dims)
      return wrong(c, 0, "an array or two numbers");
    return make(c, element_type(c, 0), 1);
  }
  TypeId common = elab_common(c->el, elab_type(c->el, c->args[0]), elab_type(c->el, c->args[1]));
  if (!common.i || type_get(p, common)->n_dims)
    return wrong(c, 1, elab_type_text(c->el, elab_type(c->el, c->args[0])));
  for (uint32_t i = 0; i < 2; i++)
    c->args[i] = elab_convert(c->el, c->args[i], common, c->e->span, "");
  return expr_make(p, c->row->op == OP_MIN ? OP_MIN2 : OP_MAX2, common, 2, c->args);
}

/* ---- hybrid operators ---- */

static bool is_variable(Call *c, uint32_t i) {
  const Expr *x = expr_get(c->el->w->pool, c->args[i]);
  while (x->op == OP_INDEX || x->op == OP_FIELD)
    x = expr_get(c->el->w->pool, x->args[0]);
  return x->op == OP_REF || x->op == OP_VAR || x->op == OP_ARRAY || x->op == OP_LOCAL ||
         x->op == OP_RECORD;
}

static ExprId derivative(Call *c) {
  const Type *t = arg_type(c, 0);
  if (elab_variability(c->el->w, c->args[0]) == VAR_DISCRETE)
    return elab_error(c->el, D_D404, c->e->span,
                      "`der` needs a variable that changes continuously, this is discrete");
  if (t->base != TY_REAL && t->base != TY_RECORD)
    return elab_error(c->el, D_D404, c->e->span, "`der` needs a Real variable, this is %s",
                      elab_type_text(c->el, elab_type(c->el, c->args[0])));
  return make(c, elab_type(c->el, c->args[0]), 1);
}

static ExprId previous_value(Call *c) {
  if (!is_variable(c, 0) && !expr_is_literal(c->el->w->pool, c->args[0]))
    return elab_error(c->el, D_D404, c->e->span, "`%s` needs a variable", c->row->name);
  if (c->row->rule == RULE_PRE)
    return make(c, elab_type(c->el, c->args[0]), 1);
  const Type *t = arg_type(c, 0);
  if (c->row->op == OP_EDGE && t->base != TY_BOOLEAN)
    return wrong(c, 0, "a Boolean");
  return make(c, array_of(c, scalar(c, TY_BOOLEAN), t->n_dims, t->dims), 1);
}

/* The area of the Dirac pulse in a variable (an extension): only what may jump between two events
 * has one. */
static ExprId impulse(Call *c) {
  const Type *t = arg_type(c, 0);
  if (!is_variable(c, 0))
    return elab_error(c->el, D_D404, c->e->span, "`impulse` needs a variable");
  if (t->base != TY_REAL)
    return elab_error(c->el, D_D404, c->e->span, "`impulse` needs a Real variable, this is %s",
                      elab_type_text(c->el, elab_type(c->el, c->args[0])));
  if (elab_variability(c->el->w, c->args[0]) != VAR_CONTINUOUS)
    return elab_error(
        c->el, D_D404, c->e->span, "`impulse` needs a variable that changes continuously, this %s",
        elab_variability(c->el->w, c->args[0]) == VAR_DISCRETE ? "is discrete" : "does not change");
  return make(c, elab_type(c->el, c->args[0]), 1);
}

static bool is_parameter(Call *c, uint32_t i) {
  if (c->el->function || elab_variability(c->el->w, c->args[i]) >= VAR_PARAMETER)
    return true;
  elab_error(c->el, D_V001, c->e->args[i].span,
             "argument %u of `%s` must be a parameter expression", i + 1, c->row->name);
  return false;
}

static ExprId delay(Call *c) {
  double time, most;
  ExprPool *p = c->el->w->pool;
  if (!to_numbers(c, true) || !is_parameter(c, c->n - 1))
    return NO_EXPR;
  bool known = expr_as_real(p, c->args[1], &time);
  if (known && (time < 0 || (c->n == 3 && expr_as_real(p, c->args[2], &most) && time > most)))
    return elab_error(c->el, D_T305, c->e->args[1].span,
                      "a delay must be between 0 and its maximum; this is %g", time);
  return make(c, elab_type(c->el, c->args[0]), c->n);
}

static ExprId sample(Call *c) {
  if (c->n == 1)
    return elab_error(c->el, D_X001, c->e->span, "clocked sample(u) is not supported yet");
  if (!to_numbers(c, true))
    return NO_EXPR;
  if (arg_type(c, 0)->n_dims || arg_type(c, 1)->n_dims)
    return wrong(c, 0, "scalars");
  for (uint32_t i = 0; i < 2; i++)
    if (!is_parameter(c, i))
      return NO_EXPR;
  return make(c, scalar(c, TY_BOOLEAN), 2);
}

static ExprId same_types(Call *c, uint32_t first, uint32_t n) {
  TypeId common = elab_type(c->el, c->args[first]);
  for (uint32_t i = first + 1; i < n; i++) {
    common = elab_common(c->el, common, elab_type(c->el, c->args[i]));
    if (!common.i)
      return wrong(c, i, elab_type_text(c->el, elab_type(c->el, c->args[first])));
  }
  for (uint32_t i = first; i < n; i++)
    c->args[i] = elab_convert(c->el, c->args[i], common, c->e->span, "");
  return make(c, common, c->n);
}

static ExprId string_of(Call *c) {
  static const char *const names[] = {"", "significantDigits", "minimumLength", "leftJustified",
                                      "format"};
  ExprPool *p = c->el->w->pool;
  TypeBase base = arg_type(c, 0)->base;
  if (arg_type(c, 0)->n_dims || base == TY_RECORD)
    return wrong(c, 0, "a scalar");
  ExprId args[5] = {c->args[0], expr_integer(p, 6), expr_integer(p, 0), expr_boolean(p, true),
                    NO_EXPR};
  for (uint32_t i = 1; i < c->n; i++) {
    const AstArg *a = &c->e->args[i];
    uint32_t k = base == TY_REAL ? i : i + 1;
    if (a->name)
      for (k = 1; k < 5 && strcmp(names[k], a->name) != 0; k++)
        ;
    else if (arg_type(c, i)->base == TY_STRING)
      k = 4;
    if (k > 4)
      return elab_error(c->el, D_T304, a->span, "`String` has no input `%s`",
                        a->name ? a->name : "");
    args[k] = c->args[i];
  }
  if (args[4].i) {
    ExprId two[2] = {args[0], args[4]};
    return expr_make(p, OP_STRING_OF, scalar(c, TY_STRING), 2, two);
  }
  return expr_make(p, OP_STRING_OF, scalar(c, TY_STRING), 4, args);
}

static ExprId typed(Call *c) {
  ExprPool *p = c->el->w->pool;
  switch (c->row->rule) {
  case RULE_REAL:
  case RULE_FLOOR: return to_numbers(c, true) ? elementwise(c) : NO_EXPR;
  case RULE_NUMBER: return to_numbers(c, false) ? elementwise(c) : NO_EXPR;
  case RULE_INTEGER: return to_numbers(c, true) ? elementwise(c) : NO_EXPR;
  case RULE_PAIR: {
    bool real = arg_type(c, 0)->base == TY_REAL || arg_type(c, 1)->base == TY_REAL;
    return to_numbers(c, real) ? elementwise(c) : NO_EXPR;
  }
  case RULE_ORDINAL:
    return arg_type(c, 0)->base == TY_ENUM || arg_type(c, 0)->base == TY_BOOLEAN
               ? elementwise(c)
               : wrong(c, 0, "an enumeration");
  case RULE_STRING: return string_of(c);
  case RULE_MINMAX: return minmax(c);
  case RULE_SUM: return arg_type(c, 0)->n_dims ? make(c, element_type(c, 0), 1) : c->args[0];
  case RULE_SIZE: return size(c);
  case RULE_NDIMS: return expr_integer(p, arg_type(c, 0)->n_dims);
  case RULE_FILL: return fill(c, false, false);
  case RULE_ZEROS: return fill(c, true, false);
  case RULE_ONES: return fill(c, false, true);
  case RULE_IDENTITY: {
    int32_t dims[2];
    if (!literal_dim(c, 0, &dims[0]))
      return NO_EXPR;
    dims[1] = dims[0];
    return make(c, array_of(c, scalar(c, TY_INTEGER), 2, dims), 1);
  }
  case RULE_LINSPACE: {
    int32_t n;
    if (!literal_dim(c, 2, &n))
      return NO_EXPR;
    c->args[0] = expr_to_real(p, c->args[0]);
    c->args[1] = expr_to_real(p, c->args[1]);
    return make(c, array_of(c, scalar(c, TY_REAL), 1, &n), 3);
  }
  case RULE_CAT: return cat(c);
  case RULE_ARRAY: return elab_array(c->el, c->n, c->args, c->e->span);
  case RULE_SCALAR:
  case RULE_VECTOR:
  case RULE_MATRIX:
  case RULE_TRANSPOSE:
  case RULE_OUTER:
  case RULE_SYMMETRIC:
  case RULE_CROSS:
  case RULE_SKEW:
  case RULE_DIAGONAL: return reshape(c);
  case RULE_SAME: return make(c, elab_type(c->el, c->args[0]), 1);
  case RULE_DER: return derivative(c);
  case RULE_PRE:
  case RULE_EDGE: return previous_value(c);
  case RULE_EVENT: return make(c, scalar(c, TY_BOOLEAN), 0);
  case RULE_SAMPLE: return sample(c);
  case RULE_SMOOTH: {
    int64_t order;
    c->args[0] = elab_fixed_index(c->el, c->args[0]);
    if (!expr_as_integer(p, c->args[0], &order))
      return wrong(c, 0, "a constant Integer");
    return make(c, elab_type(c->el, c->args[1]), 2);
  }
  case RULE_HOMOTOPY: return same_types(c, 0, 2);
  case RULE_SEMILINEAR: return to_numbers(c, true) ? elementwise(c) : NO_EXPR;
  case RULE_DELAY: return delay(c);
  case RULE_IMPULSE: return impulse(c);
  case RULE_CARDINALITY: return elab_ask_connections(c->el, c->e);
  case RULE_SPATIAL: return elab_spatial(c->el, c->e);
  case RULE_INSTANCE_NAME: {
    const char *model = c->el->w->model ? c->el->w->model->element->name : "";
    const char *path = class_self(c->el->scope)->path;
    return expr_string(p, *path ? arena_printf(c->el->w->arena, "%s.%s", model, path) : model);
  }
  case RULE_ACTION:
    return elab_error(c->el, D_T304, c->e->span,
                      "`%s` is not a value: it stands as an equation or statement of its own",
                      c->row->name);
  case RULE_REFUSED:
    return elab_error(c->el, D_X001, c->e->span, "`%s` is not supported yet", c->row->name);
  }
  return NO_EXPR;
}

/* MLS 3.6 section 12.2: what a function gives depends on its arguments alone. */
static bool needs_model(Rule rule) {
  return rule == RULE_DER || rule == RULE_PRE || rule == RULE_EDGE || rule == RULE_EVENT ||
         rule == RULE_SAMPLE || rule == RULE_DELAY || rule == RULE_SPATIAL ||
         rule == RULE_CARDINALITY || rule == RULE_IMPULSE;
}

ExprId elab_builtin(Elab *el, uint32_t row, const AstExp *e) {
  Call c = {.el = el, .row = &rows[row - 1], .e = e, .n = e->n};
  if (el->function && needs_model(c.row->rule))
    return elab_error(el, D_D404, e->span, "`%s` is not allowed in a function", c.row->name);
  if (c.row->rule == RULE_REFUSED || c.row->rule == RULE_ACTION ||
      c.row->rule == RULE_CARDINALITY || c.row->rule == RULE_SPATIAL)
    return typed(&c);
  if (e->n < c.row->least || e->n > c.row->most)
    return elab_error(el, D_T304, e->span, "`%s` takes %u argument%s, not %u", c.row->name,
                      c.row->least, c.row->least == 1 ? "" : "s", e->n);
  c.args = NEW_ARRAY(el->w->arena, ExprId, e->n + 1);
  for (uint32_t i = 0; i < e->n; i++) {
    uint32_t k = c.row->rule == RULE_HOMOTOPY && e->args[i].name
                     ? strcmp(e->args[i].name, "simplified") == 0
                     : i;
    c.args[k] = elab_exp(el, e->args[i].value);
    if (!c.args[k].i)
      return NO_EXPR;
  }
  return typed(&c);
}
