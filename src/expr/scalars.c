/* expr/scalars.c -- expand an expression of arrays and records into expressions of scalars.
 * In:   expression with known dimensions; the caller expands REF leaves.   Out: its scalars, row by
 *       row, fields in order.
 * How:  bottom up over the DAG, each node once; the scalars of a node are kept until the walk ends.
 *       Comprehensions put the values of their iterators into the body, then expand that (MLS 3.6
 *       section 10.4.1). */
#include "expr/scalars_impl.h"

#include <string.h>

#define LIST 0x80000000u

/* ---- cells ---- */

Cells cells_of(Expansion *x, ExprId arg) {
  uint32_t v = walk_value(&x->walk, arg);
  if (v & LIST)
    return x->lists.at[v & ~LIST];
  return (Cells){NULL, {v}, 1};
}

ExprId *cells_new(Expansion *x, uint32_t n) {
  return NEW_ARRAY(walk_scratch(&x->walk), ExprId, n ? n : 1);
}

bool cells_done(Expansion *x, ExprId node, const ExprId *cells, uint32_t n) {
  if (n == 1) {
    walk_set(&x->walk, node, cells[0].i);
    return true;
  }
  walk_set(&x->walk, node, LIST | x->lists.n);
  vec_push(walk_scratch(&x->walk), &x->lists, (Cells){cells, NO_EXPR, n});
  return true;
}

bool cells_fail(Expansion *x, const char *why) {
  if (!x->s->why)
    x->s->why = why;
  return false;
}

bool cells_count(Expansion *x, TypeId t, uint32_t *n) {
  int64_t count = type_count(x->pool, t);
  if (count < 0)
    return cells_fail(x, "an array size is not known");
  if (count >= LIST)
    return cells_fail(x, "the array is too large");
  *n = (uint32_t)count;
  return true;
}

/* ---- types ---- */

TypeId element_type(ExprPool *p, TypeId t) { return type_element(p, t, type_get(p, t)->n_dims); }

uint32_t flat_types(ExprPool *p, TypeId t, TypeId *out) {
  const Type *y = type_get(p, t);
  int64_t n = type_count(p, t);
  uint32_t each = 0;
  if (n <= 0)
    return 0;
  if (y->base == TY_RECORD || y->base == TY_TUPLE)
    for (uint32_t i = 0; i < y->decl->n; i++)
      each += flat_types(p, y->decl->types[i], out + each);
  else
    out[each++] = element_type(p, t);
  for (uint32_t k = each; k < n; k++)
    out[k] = out[k - each];
  return (uint32_t)n;
}

/* Types of the n scalars of t: one for all, or each its own. */
typedef struct {
  TypeId same, *each;
} CellTypes;

static CellTypes cell_types(Expansion *x, TypeId t, uint32_t n) {
  TypeBase base = type_get(x->pool, t)->base;
  CellTypes types = {element_type(x->pool, t), NULL};
  if ((base == TY_RECORD || base == TY_TUPLE) && n) {
    types.each = NEW_ARRAY(walk_scratch(&x->walk), TypeId, n);
    flat_types(x->pool, t, types.each);
  }
  return types;
}

static TypeId cell_type(const CellTypes *t, uint32_t k) { return t->each ? t->each[k] : t->same; }

/* ---- constructors around scalars ---- */

static ExprId pack_items(Expansion *x, Op op, TypeId t, uint32_t n, const TypeId *types,
                         const Cells *cells, uint32_t *at) {
  ExprId small[8], *items = n <= 8 ? small : cells_new(x, n);
  for (uint32_t i = 0; i < n; i++)
    items[i] = pack(x, types ? types[i] : type_element(x->pool, t, 1), cells, at);
  return expr_make(x->pool, op, t, n, items);
}

ExprId pack(Expansion *x, TypeId t, const Cells *cells, uint32_t *at) {
  const Type *y = type_get(x->pool, t);
  if (y->n_dims)
    return pack_items(x, OP_ARRAY, t, (uint32_t)y->dims[0], NULL, cells, at);
  if (y->base == TY_RECORD || y->base == TY_TUPLE)
    return pack_items(x, y->base == TY_RECORD ? OP_RECORD : OP_TUPLE, t, y->decl->n, y->decl->types,
                      cells, at);
  return cell(cells, (*at)++);
}

/* ---- leaves and operators ---- */

static bool expand_leaf(Expansion *x, ExprId id, const Expr *e) {
  uint32_t n;
  if (!cells_count(x, e->type, &n))
    return false;
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  if (!x->s->leaf(x->s->user, id, n, out))
    return cells_fail(x, "an element has no value here");
  return cells_done(x, id, out, n);
}

/* Element by element; scalars serve all elements. */
static bool expand_elements(Expansion *x, ExprId id, const Expr *e) {
  Cells small_cells[8],
      *args = e->n <= 8 ? small_cells : NEW_ARRAY(walk_scratch(&x->walk), Cells, e->n);
  ExprId small_ids[8], *ids = e->n <= 8 ? small_ids : cells_new(x, e->n);
  uint32_t n = 1;
  for (uint32_t j = 0; j < e->n; j++) {
    args[j] = cells_of(x, e->args[j]);
    if (args[j].n != 1 || type_get(x->pool, expr_type(x->pool, e->args[j]))->n_dims)
      n = args[j].n;
  }
  for (uint32_t j = 0; j < e->n; j++)
    if (args[j].n != 1 && args[j].n != n)
      return cells_fail(x, "operands differ in size");
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  CellTypes types = cell_types(x, e->type, n);
  Expr like = *e;
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t j = 0; j < e->n; j++)
      ids[j] = cell(&args[j], args[j].n == 1 ? 0 : k);
    like.type = cell_type(&types, k);
    out[k] = expr_with_args(x->pool, &like, ids);
  }
  return cells_done(x, id, out, n);
}

/* A condition that became a literal leaves one branch; only that one was expanded. */
static bool expand_if(Expansion *x, ExprId id, const Expr *e) {
  Cells c = cells_of(x, e->args[0]);
  const Expr *condition = expr_get(x->pool, cell(&c, 0));
  if (condition->op != OP_BOOLEAN)
    return expand_elements(x, id, e);
  Cells branch = cells_of(x, e->args[condition->integer ? 1 : 2]);
  ExprId one, *out = branch.n == 1 ? &one : cells_new(x, branch.n);
  CellTypes types = cell_types(x, e->type, branch.n);
  for (uint32_t k = 0; k < branch.n; k++)
    out[k] = expr_as_type(x->pool, cell_type(&types, k), cell(&branch, k));
  return cells_done(x, id, out, branch.n);
}

static bool expand_cast(Expansion *x, ExprId id, const Expr *e) {
  Cells a = cells_of(x, e->args[0]);
  ExprId one, *out = a.n == 1 ? &one : cells_new(x, a.n);
  for (uint32_t k = 0; k < a.n; k++)
    out[k] = expr_to_real(x->pool, cell(&a, k));
  return cells_done(x, id, out, a.n);
}

/* Array, record and tuple constructors: the scalars of the arguments in a row. */
static bool expand_row(Expansion *x, ExprId id, const Expr *e) {
  const Type *t = type_get(x->pool, e->type);
  uint32_t n = 0, at = 0;
  if (!cells_count(x, e->type, &n))
    return false;
  ExprId one = NO_EXPR, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t j = 0; j < e->n; j++) {
    uint32_t m = 0;
    if (!e->args[j].i) { /* an ignored result */
      if (e->op == OP_TUPLE && !cells_count(x, t->decl->types[j], &m))
        return false;
      at += m;
      continue;
    }
    Cells c = cells_of(x, e->args[j]);
    if (c.n > n - at)
      return cells_fail(x, "items differ in size");
    for (uint32_t k = 0; k < c.n; k++)
      out[at++] = cell(&c, k);
  }
  return at == n ? cells_done(x, id, out, n) : cells_fail(x, "items differ in size");
}

/* start, start + step ...: the length from the type, or from arguments that are literals by now. */
static bool expand_range(Expansion *x, ExprId id, const Expr *e) {
  ExprId ends[3];
  for (uint32_t j = 0; j < 3; j++) {
    Cells c = cells_of(x, e->args[j]);
    ends[j] = e->args[j].i ? cell(&c, 0) : NO_EXPR;
  }
  int32_t length = range_length(x->pool, ends);
  if (length < 0)
    length = type_get(x->pool, e->type)->dims[0];
  if (length < 0)
    return cells_fail(x, "the length of a range is not known");
  uint32_t n = (uint32_t)length;
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  TypeId t = element_type(x->pool, e->type);
  TypeBase base = type_get(x->pool, t)->base;
  int64_t first;
  bool discrete = base != TY_REAL && expr_as_integer(x->pool, ends[0], &first);
  for (uint32_t k = 0; k < n; k++) {
    if (base == TY_ENUM && discrete)
      out[k] = expr_enum(x->pool, t, first + k);
    else if (base == TY_BOOLEAN && discrete)
      out[k] = expr_boolean(x->pool, first + k != 0);
    else if (base == TY_REAL || base == TY_INTEGER) {
      ExprId times = base == TY_REAL ? expr_real(x->pool, k) : expr_integer(x->pool, k);
      ExprId step = ends[1].i ? expr_as_type(x->pool, t, ends[1]) : expr_integer(x->pool, 1);
      out[k] = expr_binary(x->pool, OP_ADD, expr_as_type(x->pool, t, ends[0]),
                           expr_binary(x->pool, OP_MUL, times, step));
    } else
      return cells_fail(x, "the ends of a range are not known");
  }
  return cells_done(x, id, out, n);
}

/* ---- calls ---- */

static ExprId call_of_packed(Expansion *x, const Expr *e) {
  ExprId small[16], *args = e->n <= 16 ? small : cells_new(x, e->n);
  for (uint32_t j = 0; j < e->n; j++) {
    Cells c = cells_of(x, e->args[j]);
    uint32_t at = 0;
    args[j] = e->args[j].i ? pack(x, expr_type(x->pool, e->args[j]), &c, &at) : NO_EXPR;
  }
  return expr_with_args(x->pool, e, args);
}

/* The scalars of a call are its parts; a scalar call stands for itself. */
static bool expand_call(Expansion *x, ExprId id, const Expr *e) {
  uint32_t n;
  if (!cells_count(x, e->type, &n))
    return false;
  ExprId call = call_of_packed(x, e);
  if (type_is_scalar(x->pool, e->type))
    return cells_done(x, id, &call, 1);
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  CellTypes types = cell_types(x, e->type, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = expr_make_index(x->pool, OP_PART, cell_type(&types, k), k, 0, 1, &call);
  return cells_done(x, id, out, n);
}

static bool expand_part(Expansion *x, ExprId id, const Expr *e) {
  Cells call = cells_of(x, e->args[0]);
  uint32_t n;
  if (!cells_count(x, e->type, &n))
    return false;
  if (e->index > call.n || n > call.n - e->index)
    return cells_fail(x, "a function has fewer results than are used");
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = cell(&call, e->index + k);
  return cells_done(x, id, out, n);
}

/* ---- comprehensions and reductions ---- */

typedef struct {
  Expansion *x;
  const Expr *e;
  uint32_t n_iterators, n_set; /* iterators with a value: the last n_set ones */
  ExprId *values;              /* by iterator number */
  VEC(ExprId) cells;
} Iteration;

static ExprId put_iterator(void *user, ExprId rebuilt) {
  const Iteration *it = user;
  const Expr *e = expr_get(it->x->pool, rebuilt);
  if (e->op != OP_LOCAL || e->index < it->e->index || e->index - it->e->index >= it->n_iterators)
    return NO_EXPR;
  return it->values[e->index - it->e->index];
}

/* Runs through the ranges from the outermost (the last iterator) inwards; an inner range may use
 * outer iterators. */
static bool iterate(Iteration *it) {
  Expansion *x = it->x;
  Arena *a = walk_scratch(&x->walk);
  uint32_t d = it->n_set, n;
  ExprId part = expr_rewrite(x->pool, it->e->args[d == it->n_iterators ? 0 : d + 1], put_iterator,
                             it);
  if (!cells_count(x, expr_type(x->pool, part), &n))
    return false;
  ExprId *cells = cells_new(x, n);
  if (!expr_scalars(x->s, part, cells))
    return false;
  if (d == it->n_iterators) {
    for (uint32_t k = 0; k < n; k++)
      vec_push(a, &it->cells, cells[k]);
    return true;
  }
  ExprId *value = &it->values[it->n_iterators - 1 - d];
  bool ok = true;
  for (uint32_t k = 0; k < n && ok; k++) {
    *value = cells[k];
    it->n_set = d + 1;
    ok = iterate(it);
  }
  *value = NO_EXPR;
  it->n_set = d;
  return ok;
}

static bool expand_iterators(Expansion *x, ExprId id, const Expr *e) {
  Iteration it = {.x = x, .e = e, .n_iterators = e->n - 1};
  it.values = cells_new(x, it.n_iterators);
  if (!iterate(&it))
    return false;
  if (e->op == OP_COMPREHEND)
    return cells_done(x, id, it.cells.at, it.cells.n);
  Cells all = {it.cells.n == 1 ? NULL : it.cells.at, it.cells.n ? it.cells.at[0] : NO_EXPR,
               it.cells.n};
  uint32_t m;
  if (!cells_count(x, e->type, &m))
    return false;
  ExprId one, *out = m == 1 ? &one : cells_new(x, m);
  return reduce_cells(x, (Op)e->payload2, element_type(x->pool, e->type), &all, m, out) &&
         cells_done(x, id, out, m);
}

/* ---- the walk ---- */

static bool expand_node(Expansion *x, ExprId id) {
  const Expr *e = expr_get(x->pool, id);
  switch (e->op) {
  case OP_REAL:
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_STRING:
  case OP_ENUM:
  case OP_TIME:
  case OP_VAR: return cells_done(x, id, &id, 1);
  case OP_LOCAL:
    return type_is_scalar(x->pool, e->type) ? cells_done(x, id, &id, 1) : expand_leaf(x, id, e);
  case OP_REF: return expand_leaf(x, id, e);
  case OP_MUL: return expand_product(x, id);
  case OP_POW:
    return type_get(x->pool, e->type)->n_dims ? expand_power(x, id) : expand_elements(x, id, e);
  case OP_NEG:
  case OP_ADD:
  case OP_SUB:
  case OP_DIV:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_DIV_EL:
  case OP_POW_EL:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_ABS:
  case OP_SIGN:
  case OP_SQRT:
  case OP_SIN:
  case OP_COS:
  case OP_TAN:
  case OP_ASIN:
  case OP_ACOS:
  case OP_ATAN:
  case OP_ATAN2:
  case OP_SINH:
  case OP_COSH:
  case OP_TANH:
  case OP_EXP:
  case OP_LOG:
  case OP_LOG10:
  case OP_MIN2:
  case OP_MAX2:
  case OP_DIVT:
  case OP_MOD:
  case OP_REM:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_ORDINAL:
  case OP_TO_ENUM:
  case OP_STRING_OF:
  case OP_DER:
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_SAMPLE:
  case OP_NOEVENT:
  case OP_SMOOTH:
  case OP_HOMOTOPY:
  case OP_SEMILINEAR:
  case OP_DELAY:
  case OP_SPATIAL:
  case OP_ROUNDING:
  case OP_IMPULSE:
  case OP_INSTREAM:
  case OP_ACTUALSTREAM: return expand_elements(x, id, e);
  case OP_IF: return expand_if(x, id, e);
  case OP_CAST: return expand_cast(x, id, e);
  case OP_ARRAY:
  case OP_RECORD:
  case OP_TUPLE: return expand_row(x, id, e);
  case OP_INDEX: return expand_index(x, id);
  case OP_FIELD: return expand_field(x, id);
  case OP_RANGE: return expand_range(x, id, e);
  case OP_CALL:
  case OP_FUNCTION: return expand_call(x, id, e);
  case OP_PART: return expand_part(x, id, e);
  case OP_COMPREHEND:
  case OP_REDUCE: return expand_iterators(x, id, e);
  case OP_SIZE:
  case OP_NDIMS:
  case OP_SCALAR:
  case OP_VECTOR:
  case OP_MATRIX:
  case OP_PROMOTE:
  case OP_TRANSPOSE:
  case OP_OUTER:
  case OP_SYMMETRIC:
  case OP_CROSS:
  case OP_SKEW:
  case OP_IDENTITY:
  case OP_DIAGONAL:
  case OP_FILL:
  case OP_LINSPACE:
  case OP_CAT:
  case OP_SUM:
  case OP_PRODUCT:
  case OP_MIN:
  case OP_MAX: return expand_array_function(x, id);
  case OP_COUNT: break;
  }
  return cells_fail(x, "an expression is missing");
}

/* Which arguments must be expanded before node e. */
static bool needs(void *user, const Expr *e, uint32_t k) {
  Expansion *x = user;
  if (e->op == OP_COMPREHEND || e->op == OP_REDUCE)
    return false;
  if (e->op == OP_SIZE || e->op == OP_IDENTITY || e->op == OP_NDIMS || e->op == OP_FILL ||
      e->op == OP_PROMOTE)
    return e->op == OP_SIZE ? k == 1 : k == 0 && e->op != OP_IDENTITY && e->op != OP_NDIMS;
  if (e->op == OP_IF && k > 0) {
    uint32_t v = walk_value(&x->walk, e->args[0]);
    const Expr *condition = expr_get(x->pool, (ExprId){v & LIST ? 0 : v});
    return condition->op != OP_BOOLEAN || (condition->integer != 0) == (k == 1);
  }
  return !(k == 0 && (e->op == OP_INDEX || e->op == OP_FIELD) && selects_part(x, e));
}

bool expr_scalars(Scalarizer *s, ExprId e, ExprId *out) {
  Expansion x = {.s = s, .pool = s->pool};
  s->why = NULL;
  walk_begin(&x.walk, s->pool, e);
  x.walk.needs = needs;
  x.walk.user = &x;
  bool ok = e.i != 0;
  for (ExprId next = walk_next(&x.walk); ok && next.i; next = walk_next(&x.walk))
    ok = expand_node(&x, next);
  uint32_t n = 0;
  ok = ok && cells_count(&x, expr_type(s->pool, e), &n);
  if (ok) {
    Cells c = cells_of(&x, e);
    ok = c.n == n || cells_fail(&x, "an array has an unexpected size");
    for (uint32_t k = 0; ok && k < n; k++)
      out[k] = cell(&c, k);
  }
  walk_end(&x.walk);
  return ok;
}
