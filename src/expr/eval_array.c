/* expr/eval_array.c -- operators on arrays and records (MLS 3.6 sections 10.3, 10.4 and 10.6).
 * Sizes are those of the operands' values, not of the node's type, so dimensions that were unknown
 * at typing do no harm. Sums and products run from the first element on, as the scalarised form of
 * the same expression does. */
#include <math.h>
#include <string.h>

#include "expr/eval_impl.h"
#include "base/limits.h"

static bool sizes_differ(Eval *ev, const Value *a, const Value *b) {
  return ev_fail(ev, "array sizes %s and %s do not fit", ev_dims_text(ev, a->type),
                 ev_dims_text(ev, b->type));
}

static bool wrong_shape(Eval *ev, const Expr *x, const Value *a) {
  return ev_fail(ev, "`%s` is not defined for an array of size %s", ev_op_text(x->op),
                 ev_dims_text(ev, a->type));
}

/* A fresh array of the element type of `like`; the cells are not set. */
static bool fresh(Eval *ev, TypeId like, uint32_t n_dims, const int32_t *dims, Value *out) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < n_dims; i++)
    if (__builtin_mul_overflow(n, (uint64_t)dims[i], &n))
      return ev_limit(ev, "the array is too large");
  if (ev_type(ev, like)->base == TY_RECORD)
    n *= (uint64_t)type_count(ev->pool, ev_cell_type(ev, like));
  out->at = ev_cells(ev, n);
  out->n = (uint32_t)n;
  if (!out->at)
    return false;
  out->type = ev_shape(ev, like, n_dims, dims);
  return true;
}

static void copy_cells(Scalar *to, const Scalar *from, size_t n) {
  if (n)
    memcpy(to, from, sizeof *to * n);
}

/* An operand of size n x m: a vector counts as one column. */
static void matrix_size(const Type *t, uint32_t *n, uint32_t *m) {
  *n = (uint32_t)t->dims[0];
  *m = t->n_dims > 1 ? (uint32_t)t->dims[1] : 1;
}

/* Converts cells of one type to another of equal structure: Integer parts become Real. */
void ev_cast(Eval *ev, TypeId from, TypeId to, const Scalar *in, Scalar *out, uint32_t n) {
  const Type *a = ev_type(ev, from), *b = ev_type(ev, to);
  bool record = b->base == TY_RECORD || b->base == TY_TUPLE;
  if (!record || a->decl == b->decl || !a->decl || a->decl->n != b->decl->n) {
    copy_cells(out, in, n);
    for (uint32_t i = 0; a->base == TY_INTEGER && b->base == TY_REAL && i < n; i++)
      out[i].real = (double)in[i].integer;
    return;
  }
  for (uint32_t k = 0, i = 0; k < n; i = (i + 1) % b->decl->n) {
    uint32_t m = (uint32_t)type_count(ev->pool, a->decl->types[i]);
    ev_cast(ev, a->decl->types[i], b->decl->types[i], in + k, out + k, m < n - k ? m : n - k);
    k += m;
  }
}

bool array_cast(Eval *ev, const Expr *x, Value *out) {
  TypeId to = x->type;
  if (ev_type(ev, to)->base != TY_RECORD)
    return ev_value_as(ev, x->args[0], ev_type(ev, to)->base, out);
  Value v;
  if (!ev_value(ev, x->args[0], &v))
    return false;
  if (v.type.i == to.i || !ev_sized(ev, to)) {
    *out = v;
    return true;
  }
  *out = (Value){to, v.n, ev_cells(ev, v.n)};
  if (!out->at)
    return false;
  ev_cast(ev, v.type, to, v.at, out->at, v.n);
  return true;
}

/* ---- element by element ---- */

bool array_elementwise(Eval *ev, const Expr *x, Value *out) {
  TypeBase base;
  Kernel kernel = ev_kernel(ev, x, &base);
  Value v[2];
  if (!kernel)
    return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!ev_value_as(ev, x->args[i], base, &v[i]))
      return false;
  if (x->n < 2)
    v[1] = v[0];
  const Type *t[2] = {ev_type(ev, v[0].type), ev_type(ev, v[1].type)};
  bool spread0 = !t[0]->n_dims && t[1]->n_dims, spread1 = !t[1]->n_dims && t[0]->n_dims;
  if (!spread0 && !spread1 && !ev_same_dims(t[0], t[1]))
    return sizes_differ(ev, &v[0], &v[1]);
  const Type *shape = spread0 ? t[1] : t[0];
  if (!fresh(ev, x->type, shape->n_dims, shape->dims, out))
    return false;
  bool widen = x->op == OP_SIGN && ev_type(ev, x->type)->base == TY_REAL;
  for (uint32_t i = 0; i < out->n; i++) {
    Scalar a[2] = {v[0].at[spread0 ? 0 : i], v[1].at[spread1 ? 0 : i]};
    if (!kernel(ev, a, &out->at[i]))
      return false;
    if (widen)
      out->at[i].real = (double)out->at[i].integer;
  }
  return true;
}

/* ---- products ---- */

/* Sum over k of a[k * step_a] * b[k * step_b]. */
static bool dot(Eval *ev, bool real, const Scalar *a, const Scalar *b, uint32_t step_b, uint32_t n,
                Scalar *out) {
  if (real) {
    double sum = n ? a[0].real * b[0].real : 0;
    for (uint32_t k = 1; k < n; k++)
      sum += a[k].real * b[(size_t)k * step_b].real;
    out->real = sum;
    return true;
  }
  int64_t sum = 0, product;
  for (uint32_t k = 0; k < n; k++)
    if (__builtin_mul_overflow(a[k].integer, b[(size_t)k * step_b].integer, &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return ev_fail(ev, "integer overflow");
  out->integer = sum;
  return true;
}

/* Products of vectors and matrices; both operands have cells of the result's type `like`. */
static bool multiply(Eval *ev, TypeId like, const Value *a, const Value *b, Value *out) {
  const Type *ta = ev_type(ev, a->type), *tb = ev_type(ev, b->type);
  uint32_t l, m, m2, n;
  if (ta->n_dims > 2 || tb->n_dims > 2)
    return sizes_differ(ev, a, b);
  matrix_size(ta, &l, &m);
  if (ta->n_dims == 1) { /* a row */
    m = l;
    l = 1;
  }
  matrix_size(tb, &m2, &n);
  if (m != m2)
    return sizes_differ(ev, a, b);
  int32_t dims[2];
  uint32_t n_dims = 0;
  if (ta->n_dims == 2)
    dims[n_dims++] = (int32_t)l;
  if (tb->n_dims == 2)
    dims[n_dims++] = (int32_t)n;
  if (!ev_charge(ev, (uint64_t)l * m * n) || !fresh(ev, like, n_dims, dims, out))
    return false;
  bool real = ev_type(ev, like)->base == TY_REAL;
  for (uint32_t i = 0; i < l; i++)
    for (uint32_t j = 0; j < n; j++)
      if (!dot(ev, real, a->at + (size_t)i * m, b->at + j, n, m, &out->at[(size_t)i * n + j]))
        return false;
  return true;
}

bool array_multiply(Eval *ev, const Expr *x, Value *out) {
  for (int i = 0; i < 2; i++)
    if (!ev_type(ev, expr_get(ev->pool, x->args[i])->type)->n_dims)
      return array_elementwise(ev, x, out);
  TypeBase base = ev_type(ev, x->type)->base;
  Value a, b;
  return ev_value_as(ev, x->args[0], base, &a) && ev_value_as(ev, x->args[1], base, &b) &&
         multiply(ev, x->type, &a, &b, out);
}

static void set_identity(Value *v, uint32_t n, bool real) {
  memset(v->at, 0, sizeof *v->at * v->n);
  for (uint32_t i = 0; i < n; i++) {
    if (real)
      v->at[(size_t)i * n + i].real = 1;
    else
      v->at[(size_t)i * n + i].integer = 1;
  }
}

/* MLS 3.6 section 10.6.9. */
bool array_power(Eval *ev, const Expr *x, Value *out) {
  TypeBase base = ev_type(ev, x->type)->base;
  Value a;
  int64_t s;
  if (!ev_value_as(ev, x->args[0], base, &a))
    return false;
  const Type *t = ev_type(ev, a.type);
  if (t->n_dims != 2 || t->dims[0] != t->dims[1] || ev_base(ev, x->args[1]) != TY_INTEGER)
    return wrong_shape(ev, x, &a);
  if (!ev_integer(ev, x->args[1], &s))
    return false;
  if (s < 0)
    return ev_fail(ev, "a matrix has no power %lld", (long long)s);
  *out = a;
  if (s == 0) {
    if (!fresh(ev, x->type, 2, t->dims, out))
      return false;
    set_identity(out, (uint32_t)t->dims[0], base == TY_REAL);
  }
  Value next;
  for (; s > 1; s--) {
    if (!multiply(ev, x->type, out, &a, &next))
      return false;
    *out = next;
  }
  return true;
}

/* ---- constructors ---- */

static bool scalar_items(Eval *ev, const Expr *x, Value *out) {
  TypeBase base = ev_type(ev, x->type)->base;
  if (!fresh(ev, x->type, 1, (int32_t[]){(int32_t)x->n}, out))
    return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!ev_scalar_as(ev, x->args[i], base, &out->at[i]))
      return false;
  return true;
}

bool array_items(Eval *ev, const Expr *x, Value *out) {
  const Type *t = ev_type(ev, x->type);
  if (!x->n) {
    int32_t dims[MOST_DIMS] = {0};
    for (uint32_t i = 1; i < t->n_dims && i < MOST_DIMS; i++)
      dims[i] = t->dims[i] < 0 ? 0 : t->dims[i];
    return fresh(ev, x->type, t->n_dims < MOST_DIMS ? t->n_dims : MOST_DIMS, dims, out);
  }
  if (ev_is_scalar(ev_type(ev, expr_get(ev->pool, x->args[0])->type)))
    return scalar_items(ev, x, out);
  Value *items = ev_push(ev, &ev->run->temps, sizeof *items * x->n);
  for (uint32_t i = 0; i < x->n; i++) {
    if (!ev_value_as(ev, x->args[i], t->base, &items[i]))
      return false;
    if (items[i].n != items[0].n ||
        !ev_same_dims(ev_type(ev, items[i].type), ev_type(ev, items[0].type)))
      return sizes_differ(ev, &items[0], &items[i]);
  }
  uint64_t width = items[0].n;
  *out = (Value){type_array(ev->pool, items[0].type, 1, (int32_t[]){(int32_t)x->n}), 0,
                 ev_cells(ev, width * x->n)};
  if (!out->at)
    return false;
  out->n = (uint32_t)(width * x->n);
  for (uint32_t i = 0; i < x->n; i++)
    ev_cast(ev, items[i].type, items[0].type, items[i].at, out->at + width * i, (uint32_t)width);
  return true;
}

bool array_join(Eval *ev, const Value *members, uint32_t n, TypeId type, Value *out) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < n; i++)
    all += members[i].n;
  *out = (Value){type, (uint32_t)all, ev_cells(ev, all)};
  if (!out->at)
    return false;
  Scalar *at = out->at;
  const TypeDecl *decl = ev_type(ev, type)->decl;
  for (uint32_t i = 0; i < n; i++) {
    ev_cast(ev, members[i].type, decl->types[i], members[i].at, at, members[i].n);
    at += members[i].n;
  }
  return true;
}

bool array_record(Eval *ev, const Expr *x, Value *out) {
  const TypeDecl *decl = ev_type(ev, x->type)->decl;
  TypeId type = x->type;
  if (!decl || decl->n != x->n)
    return ev_fail(ev, "record `%s` has another number of fields", decl ? decl->name : "?");
  Value *fields = ev_push(ev, &ev->run->temps, sizeof *fields * (x->n + 1));
  TypeId *types = ev_push(ev, &ev->run->temps, sizeof *types * (x->n + 1));
  bool sized = ev_sized(ev, type);
  for (uint32_t i = 0; i < x->n; i++) {
    const Type *want = ev_type(ev, decl->types[i]);
    if (!ev_value_as(ev, x->args[i], want->base, &fields[i]))
      return false;
    types[i] = fields[i].type;
    if (sized && !ev_same_dims(ev_type(ev, types[i]), want))
      return ev_fail(ev, "field `%s` needs size %s, not %s", decl->names[i],
                     ev_dims_text(ev, decl->types[i]), ev_dims_text(ev, types[i]));
  }
  if (!sized)
    type = ev_sized_record(ev, type, types);
  return array_join(ev, fields, x->n, type, out);
}

bool array_tuple(Eval *ev, const Value *members, uint32_t n, TypeId type, Value *out) {
  const Type *t = ev_type(ev, type);
  if (t->base != TY_TUPLE || !ev_sized(ev, type)) {
    TypeId *types = ev_push(ev, &ev->run->temps, sizeof *types * (n + 1));
    for (uint32_t i = 0; i < n; i++)
      types[i] = members[i].type;
    type = type_tuple(ev->pool, n, types);
  } else if (t->decl->n != n) {
    return ev_fail(ev, "%u results where %u are expected", n, t->decl->n);
  }
  return array_join(ev, members, n, type, out);
}

bool array_diagonal(Eval *ev, const Expr *x, Value *out) {
  bool real = ev_type(ev, x->type)->base == TY_REAL;
  Value v = {0};
  int64_t n;
  if (x->op == OP_IDENTITY) {
    if (!ev_integer(ev, x->args[0], &n))
      return false;
  } else {
    if (!ev_value_as(ev, x->args[0], real ? TY_REAL : TY_INTEGER, &v))
      return false;
    n = v.n;
  }
  if (n < 0 || n > INT32_MAX)
    return ev_fail(ev, "an array cannot have size %lld", (long long)n);
  if (!fresh(ev, x->type, 2, (int32_t[]){(int32_t)n, (int32_t)n}, out))
    return false;
  set_identity(out, (uint32_t)n, real);
  for (uint32_t i = 0; i < v.n; i++)
    out->at[(size_t)i * v.n + i] = v.at[i];
  return true;
}

bool array_fill(Eval *ev, const Expr *x, Value *out) {
  int32_t dims[MOST_DIMS];
  uint32_t n_dims = x->n - 1;
  uint64_t n = 1;
  Value v;
  if (n_dims > MOST_DIMS)
    return ev_fail(ev, "an array of more than %d dimensions", MOST_DIMS);
  for (uint32_t i = 0; i < n_dims; i++) {
    int64_t size;
    if (!ev_integer(ev, x->args[i + 1], &size))
      return false;
    if (size < 0 || size > INT32_MAX)
      return ev_fail(ev, "an array cannot have size %lld", (long long)size);
    dims[i] = (int32_t)size;
    if (__builtin_mul_overflow(n, (uint64_t)size, &n))
      return ev_limit(ev, "the array is too large");
  }
  if (!ev_value_as(ev, x->args[0], ev_type(ev, x->type)->base, &v))
    return false;
  uint64_t all;
  if (__builtin_mul_overflow(n, (uint64_t)v.n, &all))
    return ev_limit(ev, "the array is too large");
  Scalar *at = ev_cells(ev, all);
  if (!at)
    return false;
  for (uint64_t i = 0; i < n; i++)
    copy_cells(at + i * v.n, v.at, v.n);
  *out = (Value){type_array(ev->pool, v.type, n_dims, dims), (uint32_t)all, at};
  return true;
}

/* MLS 3.6 section 10.3.3. */
bool array_linspace(Eval *ev, const Expr *x, Value *out) {
  Scalar from, to;
  int64_t n;
  if (!ev_scalar_as(ev, x->args[0], TY_REAL, &from) ||
      !ev_scalar_as(ev, x->args[1], TY_REAL, &to) || !ev_integer(ev, x->args[2], &n))
    return false;
  if (n < 2 || n > INT32_MAX)
    return ev_fail(ev, "`linspace` needs at least 2 points, not %lld", (long long)n);
  if (!fresh(ev, x->type, 1, (int32_t[]){(int32_t)n}, out))
    return false;
  for (int64_t i = 0; i < n; i++)
    out->at[i].real = from.real + (to.real - from.real) * (double)i / (double)(n - 1);
  return true;
}

/* ---- sizes and shapes ---- */

bool array_size(Eval *ev, const Expr *x, Value *out) {
  TypeId t = expr_get(ev->pool, x->args[0])->type;
  const Type *y = ev_type(ev, t);
  bool known = true;
  for (uint32_t i = 0; i < y->n_dims; i++)
    known = known && y->dims[i] >= 0;
  Value v = {.type = t};
  if (!known && !ev_value(ev, x->args[0], &v))
    return false;
  y = ev_type(ev, v.type);
  uint32_t d = 0, n = y->n_dims;
  if (x->n > 1) {
    int64_t wanted;
    if (!ev_integer(ev, x->args[1], &wanted))
      return false;
    if (wanted < 1 || wanted > y->n_dims)
      return ev_fail(ev, "dimension %lld is out of range 1:%u", (long long)wanted, y->n_dims);
    d = (uint32_t)wanted - 1;
    n = 1;
  }
  TypeId integer = type_scalar(ev->pool, TY_INTEGER);
  if (!fresh(ev, integer, x->n < 2, (int32_t[]){(int32_t)n}, out))
    return false;
  for (uint32_t i = 0; i < n; i++)
    out->at[i].integer = y->dims[d + i];
  return true;
}

/* The same cells with other dimensions. */
bool array_reshape(Eval *ev, const Expr *x, Value *out) {
  int32_t dims[MOST_DIMS] = {0};
  uint32_t n_dims = 0, larger = 0;
  int64_t wanted = x->op == OP_MATRIX ? 2 : 0;
  if (!ev_value_as(ev, x->args[0], ev_type(ev, x->type)->base, out) ||
      (x->op == OP_PROMOTE && !ev_integer(ev, x->args[1], &wanted)))
    return false;
  const Type *t = ev_type(ev, out->type);
  for (uint32_t i = 0; i < t->n_dims; i++) {
    bool free = x->op == OP_VECTOR || i < wanted;
    larger += t->dims[i] > 1;
    if (t->n_dims > MOST_DIMS || wanted > MOST_DIMS || (!free && t->dims[i] != 1))
      return wrong_shape(ev, x, out);
  }
  if (x->op == OP_VECTOR) {
    if (larger > 1)
      return wrong_shape(ev, x, out);
    dims[n_dims++] = 1;
    for (uint32_t i = 0; i < t->n_dims; i++)
      dims[0] *= t->dims[i];
  } else {
    for (; n_dims < wanted && n_dims < MOST_DIMS; n_dims++)
      dims[n_dims] = n_dims < t->n_dims ? t->dims[n_dims] : 1;
  }
  out->type = ev_shape(ev, out->type, n_dims, dims);
  return true;
}

bool array_transpose(Eval *ev, const Expr *x, Value *out) {
  Value a;
  if (!ev_value(ev, x->args[0], &a))
    return false;
  const Type *t = ev_type(ev, a.type);
  int32_t dims[MOST_DIMS];
  if (t->n_dims < 2 || t->n_dims > MOST_DIMS)
    return wrong_shape(ev, x, &a);
  memcpy(dims, t->dims, sizeof *dims * t->n_dims);
  size_t n = (size_t)dims[0], m = (size_t)dims[1], width = n && m ? a.n / (n * m) : 0;
  dims[0] = t->dims[1];
  dims[1] = t->dims[0];
  if (!fresh(ev, a.type, t->n_dims, dims, out))
    return false;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      copy_cells(out->at + (j * n + i) * width, a.at + (i * m + j) * width, width);
  return true;
}

bool array_symmetric(Eval *ev, const Expr *x, Value *out) {
  Value a;
  if (!ev_value_as(ev, x->args[0], ev_type(ev, x->type)->base, &a))
    return false;
  const Type *t = ev_type(ev, a.type);
  if (t->n_dims != 2 || t->dims[0] != t->dims[1])
    return wrong_shape(ev, x, &a);
  if (!fresh(ev, a.type, 2, t->dims, out))
    return false;
  size_t n = (size_t)t->dims[0];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      out->at[i * n + j] = i <= j ? a.at[i * n + j] : a.at[j * n + i];
  return true;
}

bool array_outer(Eval *ev, const Expr *x, Value *out) {
  TypeBase base = ev_type(ev, x->type)->base;
  Kernel times = ev_kernel_of(ev, OP_MUL, base);
  Value a, b;
  if (!ev_value_as(ev, x->args[0], base, &a) || !ev_value_as(ev, x->args[1], base, &b))
    return false;
  if (!times || !fresh(ev, x->type, 2, (int32_t[]){(int32_t)a.n, (int32_t)b.n}, out))
    return times ? false : wrong_shape(ev, x, &a);
  for (uint32_t i = 0; i < out->n; i++)
    if (!times(ev, (Scalar[]){a.at[i / b.n], b.at[i % b.n]}, &out->at[i]))
      return false;
  return true;
}

/* The two operands of cross, or the one of skew: vectors of three. */
static bool three(Eval *ev, const Expr *x, uint32_t i, Value *v) {
  if (!ev_value_as(ev, x->args[i], TY_REAL, v))
    return false;
  return v->n == 3 || wrong_shape(ev, x, v);
}

bool array_cross(Eval *ev, const Expr *x, Value *out) {
  Value a, b;
  TypeId real = type_scalar(ev->pool, TY_REAL);
  if (!three(ev, x, 0, &a) || !three(ev, x, 1, &b) || !fresh(ev, real, 1, (int32_t[]){3}, out))
    return false;
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    out->at[i].real = a.at[j].real * b.at[k].real - a.at[k].real * b.at[j].real;
  }
  return true;
}

bool array_skew(Eval *ev, const Expr *x, Value *out) {
  Value a;
  TypeId real = type_scalar(ev->pool, TY_REAL);
  if (!three(ev, x, 0, &a) || !fresh(ev, real, 2, (int32_t[]){3, 3}, out))
    return false;
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    out->at[i * 3 + i].real = 0;
    out->at[i * 3 + j].real = -a.at[k].real;
    out->at[i * 3 + k].real = a.at[j].real;
  }
  return true;
}

/* ---- concatenation and reduction ---- */

/* Checks that all parts agree but for dimension k (from 0) and adds up that one. */
static bool cat_dims(Eval *ev, const Value *parts, uint32_t n, uint32_t k, int32_t *dims) {
  const Type *first = ev_type(ev, parts[0].type);
  int64_t sum = 0;
  memcpy(dims, first->dims, sizeof *dims * first->n_dims);
  for (uint32_t i = 0; i < n; i++) {
    const Type *t = ev_type(ev, parts[i].type);
    if (t->n_dims != first->n_dims)
      return sizes_differ(ev, &parts[0], &parts[i]);
    for (uint32_t d = 0; d < t->n_dims; d++)
      if (d != k && t->dims[d] != dims[d])
        return sizes_differ(ev, &parts[0], &parts[i]);
    sum += t->dims[k];
  }
  if (sum > INT32_MAX)
    return ev_limit(ev, "the array is too large");
  dims[k] = (int32_t)sum;
  return true;
}

bool array_cat(Eval *ev, const Expr *x, Value *out) {
  int64_t along;
  uint32_t n = x->n - 1;
  Value *parts = ev_push(ev, &ev->run->temps, sizeof *parts * (n + 1));
  if (!ev_integer(ev, x->args[0], &along))
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (!ev_value_as(ev, x->args[i + 1], ev_type(ev, x->type)->base, &parts[i]))
      return false;
  int32_t dims[MOST_DIMS];
  const Type *t = n ? ev_type(ev, parts[0].type) : NULL;
  if (!t || along < 1 || along > t->n_dims || t->n_dims > MOST_DIMS)
    return ev_fail(ev, "arrays cannot be joined along dimension %lld", (long long)along);
  if (!cat_dims(ev, parts, n, (uint32_t)along - 1, dims) ||
      !fresh(ev, parts[0].type, t->n_dims, dims, out))
    return false;
  /* each part contributes one run of cells per combination of the leading subscripts */
  size_t rows = 1, at = 0;
  for (int64_t d = 0; d < along - 1; d++)
    rows *= (size_t)dims[d];
  for (size_t r = 0; r < rows; r++)
    for (uint32_t i = 0; i < n; i++) {
      size_t width = parts[i].n / rows;
      copy_cells(out->at + at, parts[i].at + r * width, width);
      at += width;
    }
  return true;
}

static Op reduction(Op op) {
  return op == OP_SUM ? OP_ADD : op == OP_PRODUCT ? OP_MUL : op == OP_MIN ? OP_MIN2 : OP_MAX2;
}

bool array_reduce(Eval *ev, const Expr *x, Value *out) {
  TypeId cell = ev_cell_type(ev, x->type);
  TypeBase base = ev_type(ev, cell)->base;
  Op op = reduction(x->op);
  Kernel kernel = ev_kernel_of(ev, op, base);
  Value v;
  if (!ev_value_as(ev, x->args[0], base, &v))
    return false;
  if (!kernel)
    return wrong_shape(ev, x, &v);
  *out = (Value){cell, 1, ev_cells(ev, 1)};
  if (!out->at || !ev_charge(ev, v.n))
    return false;
  if (!v.n)
    return reduce_empty(ev, op, cell, out->at);
  out->at[0] = v.at[0];
  for (uint32_t i = 1; i < v.n; i++)
    if (!kernel(ev, (Scalar[]){out->at[0], v.at[i]}, out->at))
      return false;
  return true;
}
