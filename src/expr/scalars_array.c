/* expr/scalars_array.c -- products and array functions on scalars (MLS 3.6 sections 10.3 and 10.6).
 * Keep: sums run from the first to the last term, so that results have the same bits as the
 *       evaluator's. */
#include "expr/scalars_impl.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>

/* A matrix view of cells: element (i, j) is cell(i * cols + j). */
typedef struct {
  Cells c;
  uint32_t rows, cols;
} Grid;

static ExprId at(const Grid *g, uint32_t i, uint32_t j) { return cell(&g->c, i * g->cols + j); }

static const Type *type_of_arg(Expansion *x, const Expr *e, uint32_t k) {
  return type_get(x->pool, expr_type(x->pool, e->args[k]));
}

static ExprId make2(Expansion *x, Op op, TypeId t, ExprId a, ExprId b) {
  return expr_make(x->pool, op, t, 2, (ExprId[]){a, b});
}

static ExprId make1(Expansion *x, Op op, TypeId t, ExprId a) {
  return expr_make(x->pool, op, t, 1, &a);
}

/* ---- reductions ---- */

static bool neutral(Expansion *x, Op op, TypeId t, ExprId *out) {
  bool real = type_get(x->pool, t)->base == TY_REAL;
  if (!type_is_numeric(x->pool, t))
    return cells_fail(x, "a minimum or maximum of an empty array");
  bool product = op == OP_MUL, least = op == OP_MIN2;
  if (op == OP_ADD || product)
    *out = real ? expr_real(x->pool, product) : expr_integer(x->pool, product);
  else
    *out = real ? expr_real(x->pool, least ? DBL_MAX : -DBL_MAX)
                : expr_integer(x->pool, least ? INT64_MAX : INT64_MIN);
  return true;
}

bool reduce_cells(Expansion *x, Op op, TypeId t, const Cells *c, uint32_t m, ExprId *out) {
  for (uint32_t k = 0; k < m; k++) {
    if (c->n == 0) {
      if (!neutral(x, op, t, &out[k]))
        return false;
      continue;
    }
    out[k] = cell(c, k);
    for (uint32_t i = k + m; i < c->n; i += m)
      out[k] = make2(x, op, t, out[k], cell(c, i));
  }
  return true;
}

static bool expand_reduction(Expansion *x, ExprId id, const Expr *e, Op op) {
  Cells c = cells_of(x, e->args[0]);
  ExprId out;
  return reduce_cells(x, op, element_type(x->pool, e->type), &c, 1, &out) &&
         cells_done(x, id, &out, 1);
}

/* ---- products ---- */

/* Row i of a times column j of b. */
static ExprId inner_product(Expansion *x, TypeId t, const Grid *a, uint32_t i, const Grid *b,
                            uint32_t j) {
  ExprId sum = expr_zero_of(x->pool, t);
  for (uint32_t k = 0; k < a->cols; k++) {
    ExprId term = make2(x, OP_MUL, t, at(a, i, k), at(b, k, j));
    sum = k == 0 ? term : make2(x, OP_ADD, t, sum, term);
  }
  return sum;
}

static ExprId *grid_product(Expansion *x, TypeId t, const Grid *a, const Grid *b) {
  ExprId *out = cells_new(x, a->rows * b->cols);
  for (uint32_t i = 0; i < a->rows; i++)
    for (uint32_t j = 0; j < b->cols; j++)
      out[i * b->cols + j] = inner_product(x, t, a, i, b, j);
  return out;
}

/* A vector is a row on the left and a column on the right. */
static Grid grid_of(Expansion *x, const Expr *e, uint32_t k, bool row) {
  const Type *t = type_of_arg(x, e, k);
  Grid g = {cells_of(x, e->args[k]), 0, 0};
  if (t->n_dims == 2) {
    g.rows = (uint32_t)t->dims[0];
    g.cols = (uint32_t)t->dims[1];
  } else {
    g.rows = row ? 1 : g.c.n;
    g.cols = row ? g.c.n : 1;
  }
  return g;
}

static bool grid_known(const Grid *g) { return (uint64_t)g->rows * g->cols == g->c.n; }

bool expand_product(Expansion *x, ExprId id) {
  const Expr *e = expr_get(x->pool, id);
  const Type *a = type_of_arg(x, e, 0), *b = type_of_arg(x, e, 1);
  TypeId t = element_type(x->pool, e->type);
  if (a->n_dims == 0 || b->n_dims == 0) {
    Cells l = cells_of(x, e->args[0]), r = cells_of(x, e->args[1]);
    uint32_t n = a->n_dims ? l.n : r.n;
    ExprId one, *out = n == 1 ? &one : cells_new(x, n);
    for (uint32_t k = 0; k < n; k++)
      out[k] = make2(x, OP_MUL, t, cell(&l, a->n_dims ? k : 0), cell(&r, b->n_dims ? k : 0));
    return cells_done(x, id, out, n);
  }
  if (a->n_dims > 2 || b->n_dims > 2)
    return cells_fail(x, "a product of arrays with more than two dimensions");
  Grid l = grid_of(x, e, 0, true), r = grid_of(x, e, 1, false);
  if (!grid_known(&l) || !grid_known(&r))
    return cells_fail(x, "an array size is not known");
  if (l.cols != r.rows)
    return cells_fail(x, "factors differ in size");
  if ((uint64_t)l.rows * r.cols > INT32_MAX)
    return cells_fail(x, "the array is too large");
  return cells_done(x, id, grid_product(x, t, &l, &r), l.rows * r.cols);
}

static ExprId *identity(Expansion *x, TypeId t, uint32_t n) {
  ExprId *out = cells_new(x, n * n);
  ExprId one = type_get(x->pool, t)->base == TY_INTEGER ? expr_integer(x->pool, 1)
                                                        : expr_real(x->pool, 1);
  for (uint32_t i = 0; i < n * n; i++)
    out[i] = i % (n + 1) == 0 ? one : expr_zero_of(x->pool, t);
  return out;
}

/* (A*A)*A ...; the exponent is a literal not below 0. */
bool expand_power(Expansion *x, ExprId id) {
  const Expr *e = expr_get(x->pool, id);
  Cells exponent = cells_of(x, e->args[1]);
  double power;
  Grid a = grid_of(x, e, 0, true);
  if (a.rows != a.cols || !grid_known(&a))
    return cells_fail(x, "a power of an array that is not a square matrix");
  if (!expr_as_real(x->pool, cell(&exponent, 0), &power) || power < 0 || power != floor(power))
    return cells_fail(x,
                      "the exponent of a matrix must be an Integer constant that is not negative");
  if (power > MOST_MATRIX_POWER)
    return cells_fail(x, "the exponent of a matrix is too large");
  TypeId t = element_type(x->pool, e->type);
  if (power == 0)
    return cells_done(x, id, identity(x, t, a.rows), a.c.n);
  Grid r = a;
  for (uint32_t k = 1; k < (uint32_t)power; k++)
    r.c = (Cells){grid_product(x, t, &r, &a), NO_EXPR, a.c.n};
  return cells_done(x, id, r.c.at ? r.c.at : &r.c.one, a.c.n);
}

/* ---- functions of vectors and matrices ---- */

/* x1 + (x2 - x1)*(i - 1)/(n - 1) */
static bool expand_linspace(Expansion *x, ExprId id, const Expr *e) {
  ExprPool *p = x->pool;
  Cells from = cells_of(x, e->args[0]), to = cells_of(x, e->args[1]);
  uint32_t n;
  if (!cells_count(x, e->type, &n))
    return false;
  ExprId a = expr_to_real(p, cell(&from, 0)), b = expr_to_real(p, cell(&to, 0)),
         span = expr_binary(p, OP_SUB, b, a);
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = n == 1
                 ? a
                 : expr_binary(p, OP_ADD, a,
                               expr_binary(p, OP_DIV, expr_binary(p, OP_MUL, span, expr_real(p, k)),
                                           expr_real(p, n - 1)));
  return cells_done(x, id, out, n);
}

static ExprId cross_part(Expansion *x, TypeId t, const Cells *a, const Cells *b, uint32_t i) {
  uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
  return make2(x, OP_SUB, t, make2(x, OP_MUL, t, cell(a, j), cell(b, k)),
               make2(x, OP_MUL, t, cell(a, k), cell(b, j)));
}

static bool expand_cross(Expansion *x, ExprId id, const Expr *e) {
  Cells a = cells_of(x, e->args[0]), b = cells_of(x, e->args[1]);
  TypeId t = element_type(x->pool, e->type);
  if (a.n != 3 || b.n != 3)
    return cells_fail(x, "cross needs vectors of 3 elements");
  ExprId *out = cells_new(x, 3);
  for (uint32_t i = 0; i < 3; i++)
    out[i] = cross_part(x, t, &a, &b, i);
  return cells_done(x, id, out, 3);
}

static bool expand_skew(Expansion *x, ExprId id, const Expr *e) {
  Cells a = cells_of(x, e->args[0]);
  TypeId t = element_type(x->pool, e->type);
  if (a.n != 3)
    return cells_fail(x, "skew needs a vector of 3 elements");
  ExprId *out = cells_new(x, 9), zero = expr_zero_of(x->pool, t);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    out[i * 3 + i] = zero;
    out[j * 3 + k] = make1(x, OP_NEG, t, cell(&a, i));
    out[k * 3 + j] = cell(&a, i);
  }
  return cells_done(x, id, out, 9);
}

static bool expand_diagonal(Expansion *x, ExprId id, const Expr *e) {
  Cells a = cells_of(x, e->args[0]);
  if (a.n > 0x8000)
    return cells_fail(x, "the array is too large");
  ExprId *out = cells_new(x, a.n * a.n),
         zero = expr_zero_of(x->pool, element_type(x->pool, e->type));
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t j = 0; j < a.n; j++)
      out[i * a.n + j] = i == j ? cell(&a, i) : zero;
  return cells_done(x, id, out, a.n * a.n);
}

static bool expand_identity(Expansion *x, ExprId id, const Expr *e) {
  uint32_t n;
  if (!cells_count(x, e->type, &n))
    return false;
  uint32_t side = (uint32_t)type_get(x->pool, e->type)->dims[0];
  return cells_done(x, id, identity(x, element_type(x->pool, e->type), side), n);
}

/* Rows become columns; elements may be records. */
static bool expand_transpose(Expansion *x, ExprId id, const Expr *e) {
  const Type *t = type_of_arg(x, e, 0);
  Cells a = cells_of(x, e->args[0]);
  uint32_t n, width;
  if (t->n_dims < 2 || !cells_count(x, expr_type(x->pool, e->args[0]), &n) ||
      !cells_count(x, type_element(x->pool, expr_type(x->pool, e->args[0]), 2), &width))
    return cells_fail(x, "transpose needs a matrix of known size");
  uint32_t rows = (uint32_t)t->dims[0], cols = (uint32_t)t->dims[1];
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t j = 0; j < cols; j++)
      for (uint32_t q = 0; q < width; q++)
        out[(j * rows + i) * width + q] = cell(&a, (i * cols + j) * width + q);
  return cells_done(x, id, out, n);
}

static bool expand_symmetric(Expansion *x, ExprId id, const Expr *e) {
  Grid a = grid_of(x, e, 0, true);
  if (a.rows != a.cols || !grid_known(&a))
    return cells_fail(x, "symmetric needs a square matrix");
  ExprId *out = cells_new(x, a.c.n);
  for (uint32_t i = 0; i < a.rows; i++)
    for (uint32_t j = 0; j < a.cols; j++)
      out[i * a.cols + j] = i <= j ? at(&a, i, j) : at(&a, j, i);
  return cells_done(x, id, out, a.c.n);
}

static bool expand_outer(Expansion *x, ExprId id, const Expr *e) {
  Cells a = cells_of(x, e->args[0]), b = cells_of(x, e->args[1]);
  TypeId t = element_type(x->pool, e->type);
  if ((uint64_t)a.n * b.n > INT32_MAX)
    return cells_fail(x, "the array is too large");
  uint32_t n = a.n * b.n;
  ExprId *out = cells_new(x, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = make2(x, OP_MUL, t, cell(&a, k / b.n), cell(&b, k % b.n));
  return cells_done(x, id, out, n);
}

static bool expand_fill(Expansion *x, ExprId id, const Expr *e) {
  Cells a = cells_of(x, e->args[0]);
  uint32_t n;
  if (!cells_count(x, e->type, &n))
    return false;
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = cell(&a, k % a.n);
  return cells_done(x, id, out, n);
}

/* The arrays follow each other along one dimension: one block of each per index of the dimensions
 * in front of it. */
static bool expand_cat(Expansion *x, ExprId id, const Expr *e) {
  Cells along = cells_of(x, e->args[0]);
  int64_t dim;
  uint32_t n, outer = 1, k = 0;
  const Type *t = type_get(x->pool, e->type);
  if (!cells_count(x, e->type, &n))
    return false;
  if (!expr_as_integer(x->pool, cell(&along, 0), &dim) || dim < 1 || dim > t->n_dims)
    return cells_fail(x, "the dimension of cat must be an Integer constant");
  for (int64_t i = 0; i < dim - 1; i++)
    outer *= (uint32_t)t->dims[i];
  ExprId one = NO_EXPR, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t o = 0; o < outer; o++)
    for (uint32_t j = 1; j < e->n; j++) {
      Cells c = cells_of(x, e->args[j]);
      uint32_t block = c.n / outer;
      if (block > n - k)
        return cells_fail(x, "items differ in size");
      for (uint32_t q = 0; q < block; q++)
        out[k++] = cell(&c, o * block + q);
    }
  return k == n ? cells_done(x, id, out, n) : cells_fail(x, "items differ in size");
}

/* The dimensions are known here but the number of the wanted one is not. */
static bool expand_size(Expansion *x, ExprId id, const Expr *e) {
  ExprPool *p = x->pool;
  const Type *t = type_of_arg(x, e, 0);
  if (e->n != 2 || t->n_dims == 0)
    return cells_fail(x, "an array size is not known");
  ExprId *dims = cells_new(x, t->n_dims);
  for (uint32_t i = 0; i < t->n_dims; i++) {
    if (t->dims[i] == DIM_UNKNOWN)
      return cells_fail(x, "an array size is not known");
    dims[i] = expr_integer(p, t->dims[i]);
  }
  TypeId integer = type_scalar(p, TY_INTEGER);
  ExprId all = expr_make(p, OP_ARRAY, type_array(p, integer, 1, (int32_t[]){(int32_t)t->n_dims}),
                         t->n_dims, dims);
  Cells which = cells_of(x, e->args[1]);
  ExprId out = make2(x, OP_INDEX, integer, all, cell(&which, 0));
  return cells_done(x, id, &out, 1);
}

/* Functions that only change the shape. */
static bool expand_same(Expansion *x, ExprId id, const Expr *e) {
  Cells a = cells_of(x, e->args[0]);
  const Type *t = type_of_arg(x, e, 0);
  uint32_t long_dims = 0;
  for (uint32_t i = 0; i < t->n_dims; i++)
    long_dims += t->dims[i] != 1;
  if (e->op == OP_VECTOR && long_dims > 1)
    return cells_fail(x, "vector needs an array with all sizes but one equal to 1");
  if (e->op == OP_SCALAR && a.n != 1)
    return cells_fail(x, "scalar needs an array of one element");
  return cells_done(x, id, a.at ? a.at : &a.one, a.n);
}

bool expand_array_function(Expansion *x, ExprId id) {
  const Expr *e = expr_get(x->pool, id);
  switch ((int)e->op) {
  case OP_SIZE: return expand_size(x, id, e);
  case OP_TRANSPOSE: return expand_transpose(x, id, e);
  case OP_OUTER: return expand_outer(x, id, e);
  case OP_SYMMETRIC: return expand_symmetric(x, id, e);
  case OP_CROSS: return expand_cross(x, id, e);
  case OP_SKEW: return expand_skew(x, id, e);
  case OP_IDENTITY: return expand_identity(x, id, e);
  case OP_DIAGONAL: return expand_diagonal(x, id, e);
  case OP_FILL: return expand_fill(x, id, e);
  case OP_LINSPACE: return expand_linspace(x, id, e);
  case OP_CAT: return expand_cat(x, id, e);
  case OP_SUM: return expand_reduction(x, id, e, OP_ADD);
  case OP_PRODUCT: return expand_reduction(x, id, e, OP_MUL);
  case OP_MIN: return expand_reduction(x, id, e, OP_MIN2);
  case OP_MAX: return expand_reduction(x, id, e, OP_MAX2);
  default: return expand_same(x, id, e); /* SCALAR, VECTOR, MATRIX, PROMOTE */
  }
}
