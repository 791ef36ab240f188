/* expr/shape.c -- dimensions that become known when arguments do.
 * A type found while sizes were open keeps ":" in it. When a node is rebuilt with better arguments
 * (a loop variable replaced by its value, a size folded), its own dimensions follow here, so that
 * expr_scalars can expand it. */
#include "expr/eval.h"
#include "base/limits.h"
#include "expr/expr_impl.h"

#include <math.h>

static bool has_unknown(const Type *t) {
  for (uint32_t i = 0; i < t->n_dims; i++)
    if (t->dims[i] == DIM_UNKNOWN)
      return true;
  return false;
}

static int32_t literal_dim(const ExprPool *p, ExprId e) {
  int64_t k;
  return expr_as_integer(p, e, &k) && k >= 0 && k <= INT32_MAX ? (int32_t)k : DIM_UNKNOWN;
}

/* Length of start:step:stop (MLS 3.6 section 10.4.3). */
int32_t range_length(const ExprPool *p, const ExprId *args) {
  int64_t from, step = 1, to, span;
  double x, d = 1, y;
  bool stepped = args[1].i != 0;
  if (expr_as_integer(p, args[0], &from) && expr_as_integer(p, args[2], &to) &&
      (!stepped || expr_as_integer(p, args[1], &step))) {
    if (step == 0 || __builtin_sub_overflow(to, from, &span) || (span == INT64_MIN && step == -1))
      return DIM_UNKNOWN;
    int64_t n = (span < 0) != (step < 0) && span != 0 ? 0 : span / step + 1;
    return n <= INT32_MAX ? (int32_t)n : DIM_UNKNOWN;
  }
  if (!expr_as_real(p, args[0], &x) || !expr_as_real(p, args[2], &y) ||
      (stepped && !expr_as_real(p, args[1], &d)) || d == 0)
    return DIM_UNKNOWN;
  double n = eval_range_steps(x, d, y) + 1;
  return n <= 0 ? 0 : n <= INT32_MAX ? (int32_t)n : DIM_UNKNOWN;
}

/* Fills what is open in dims[0 .. n) from the dimensions of an argument. */
static void fill_from(const ExprPool *p, ExprId arg, uint32_t skip, int32_t *dims, uint32_t n) {
  const Type *t = type_get(p, expr_type(p, arg));
  for (uint32_t i = 0; i < n && i + skip < t->n_dims; i++)
    if (dims[i] == DIM_UNKNOWN)
      dims[i] = t->dims[i + skip];
}

static void fill_product(const ExprPool *p, const Expr *e, int32_t *dims, uint32_t n) {
  const Type *a = type_get(p, expr_type(p, e->args[0])), *b = type_get(p, expr_type(p, e->args[1]));
  if (a->n_dims == 0 || b->n_dims == 0)
    fill_from(p, e->args[a->n_dims == 0], 0, dims, n);
  else if (a->n_dims == 2) {
    dims[0] = a->dims[0];
    if (n == 2 && b->n_dims == 2)
      dims[1] = b->dims[1];
  } else if (b->n_dims == 2)
    dims[0] = b->dims[1];
}

static void fill_index(const ExprPool *p, const Expr *e, int32_t *dims, uint32_t n) {
  const Type *base = type_get(p, expr_type(p, e->args[0]));
  uint32_t at = 0;
  for (uint32_t i = 0; i < base->n_dims && at < n; i++) {
    if (i + 1 >= e->n) { /* no subscript: all */
      dims[at++] = base->dims[i];
      continue;
    }
    const Type *sub = type_get(p, expr_type(p, e->args[i + 1]));
    if (sub->n_dims == 1)
      dims[at++] = sub->dims[0];
  }
}

static void fill_cat(const ExprPool *p, const Expr *e, int32_t *dims, uint32_t n) {
  int64_t along, sum = 0;
  if (!expr_as_integer(p, e->args[0], &along) || along < 1 || along > n)
    return;
  for (uint32_t i = 1; i < e->n; i++) {
    const Type *t = type_get(p, expr_type(p, e->args[i]));
    if (t->n_dims < n)
      return;
    sum = t->dims[along - 1] == DIM_UNKNOWN || sum < 0 ? -1 : sum + t->dims[along - 1];
    for (uint32_t k = 0; k < n; k++)
      if (k != along - 1 && dims[k] == DIM_UNKNOWN)
        dims[k] = t->dims[k];
  }
  if (sum >= 0 && sum <= INT32_MAX)
    dims[along - 1] = (int32_t)sum;
}

/* Operators without a rule keep what is open. */
static void fill_dims(const ExprPool *p, const Expr *e, int32_t *dims, uint32_t n) {
  switch ((int)e->op) {
  case OP_RANGE: dims[0] = range_length(p, e->args); break;
  case OP_ARRAY:
    dims[0] = (int32_t)e->n;
    if (e->n)
      fill_from(p, e->args[0], 0, dims + 1, n - 1);
    break;
  case OP_INDEX: fill_index(p, e, dims, n); break;
  case OP_FIELD: fill_from(p, e->args[0], 0, dims, n); break;
  case OP_MUL: fill_product(p, e, dims, n); break;
  case OP_FILL:
    for (uint32_t i = 0; i < n && i + 1 < e->n; i++)
      dims[i] = literal_dim(p, e->args[i + 1]);
    break;
  case OP_IDENTITY: dims[0] = dims[1] = literal_dim(p, e->args[0]); break;
  case OP_LINSPACE: dims[0] = literal_dim(p, e->args[2]); break;
  case OP_DIAGONAL:
    fill_from(p, e->args[0], 0, dims, 1);
    fill_from(p, e->args[0], 0, dims + 1, n - 1);
    break;
  case OP_TRANSPOSE:
    fill_from(p, e->args[0], 1, dims, 1);
    fill_from(p, e->args[0], 0, dims + 1, 1);
    break;
  case OP_OUTER:
    fill_from(p, e->args[0], 0, dims, 1);
    fill_from(p, e->args[1], 0, dims + 1, n - 1);
    break;
  case OP_CAT: fill_cat(p, e, dims, n); break;
  case OP_COMPREHEND:
    for (uint32_t i = 0; i < n && i + 1 < e->n; i++)
      fill_from(p, e->args[i + 1], 0, dims + i, 1);
    if (n >= e->n - 1)
      fill_from(p, e->args[0], 0, dims + (e->n - 1), n - (e->n - 1));
    break;
  case OP_NEG:
  case OP_ADD:
  case OP_SUB:
  case OP_DIV:
  case OP_POW:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_DIV_EL:
  case OP_POW_EL:
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_IF:
  case OP_CAST:
  case OP_DER:
  case OP_PRE:
  case OP_NOEVENT:
  case OP_SMOOTH:
  case OP_HOMOTOPY:
  case OP_SYMMETRIC:
    for (uint32_t i = 0; i < e->n; i++)
      fill_from(p, e->args[i], 0, dims, n);
    break;
  default: break;
  }
}

TypeId refine_type(ExprPool *p, const Expr *e) {
  const Type *t = type_get(p, e->type);
  if (t->n_dims == 0 || t->n_dims > MOST_DIMS || e->n == 0 || !has_unknown(t))
    return e->type;
  int32_t dims[MOST_DIMS];
  for (uint32_t i = 0; i < t->n_dims; i++)
    dims[i] = t->dims[i];
  fill_dims(p, e, dims, t->n_dims);
  return type_array(p, type_element(p, e->type, t->n_dims), t->n_dims, dims);
}
