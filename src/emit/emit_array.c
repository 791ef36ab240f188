/* emit/emit_array.c -- array and record expressions as C (MLS 3.6 sections 10.3, 10.4 and 10.6).
 * How:  each node becomes cells that the host lends, by a loop, by straight lines if it is small,
 *       or by one of the functions of dsblock.h. Names are views: nothing is copied to read them.
 * Keep: sizes are those of the operands' values; sums and products run from the first element on,
 *       as in expr/eval_array.c. */
#include "emit/emit_impl.h"
#include "base/limits.h"

#include <string.h>

static const Type *type_of(const Emit *em, TypeId t) { return type_get(em->p, t); }
static TypeId cell_type(const Emit *em, TypeId t) {
  return type_element(em->p, t, type_of(em, t)->n_dims);
}
static uint32_t n_dims_of(const Emit *em, const CVal *v) { return type_of(em, v->type)->n_dims; }

static bool wrong_shape(Emit *em) {
  c_refuse(em, "an operand with this number of dimensions");
  return false;
}

bool emit_cells_as(Emit *em, ExprId e, TypeBase base, CVal *out) {
  return emit_cells(em, e, out) && c_as_base(em, out, base);
}

/* ---- element by element ---- */

/* Element k of an operand: a scalar serves all. */
static const char *element(Emit *em, const CVal *v, const char *k) {
  return n_dims_of(em, v) ? c_read(em, v, k) : v->at;
}

static void one_element(Emit *em, const Expr *x, const CVal *v, const char *k, const CVal *out) {
  TypeBase operands = c_operands(em, x), result = type_of(em, x->type)->base;
  const char *text = c_kernel(em, x->op, operands, element(em, &v[0], k),
                              x->n > 1 ? element(em, &v[1], k) : NULL);
  if (x->op == OP_SIGN && result == TY_REAL)
    text = arena_printf(em->a, "(double)%s", text);
  c_store_cell(em, out->at, k, result, text);
}

static bool emit_elementwise(Emit *em, const Expr *x, CVal *out) {
  enum { UNROLL = 4 };
  TypeBase base = c_operands(em, x);
  CVal v[2];
  for (uint32_t k = 0; k < x->n && k < 2; k++)
    if (!emit_cells_as(em, x->args[k], base, &v[k]))
      return false;
  if (x->n < 2)
    v[1] = v[0];
  uint32_t n0 = n_dims_of(em, &v[0]), n1 = n_dims_of(em, &v[1]);
  const CVal *shape = n0 ? &v[0] : &v[1];
  if (n0 && n1 && n0 != n1)
    return wrong_shape(em);
  for (uint32_t d = 0; n0 && n1 && d < n0; d++)
    c_must_fit(em, v[0].dims[d], v[1].dims[d]);
  for (uint32_t k = 0; k < 2; k++) /* a scalar is computed once */
    if (!n_dims_of(em, &v[k]) && strlen(v[k].at) > 24) {
      const char *t = c_temp(em);
      c_line(em, "%s%s = %s;", c_type(base), t, v[k].at);
      v[k].at = t;
    }
  *out = c_fresh(em, cell_type(em, x->type), n0 ? n0 : n1, shape->dims, NULL);
  const char *n = c_cell_count(em, out);
  int64_t known;
  if (c_known(n, &known) && known <= UNROLL) {
    for (int64_t k = 0; k < known; k++)
      one_element(em, x, v, arena_printf(em->a, "%d", (int)k), out);
    return true;
  }
  const char *k = c_temp(em);
  c_open(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
  one_element(em, x, v, k, out);
  c_close(em);
  return true;
}

/* The beginning of the call of a matrix product. */
static const char *multiply_call(Emit *em, bool real) {
  return real ? "ds_multiply(" : arena_printf(em->a, "ds_multiply_i(%s, ", c_over(em));
}

/* ---- products ---- */

/* A vector on the left is a row, on the right a column (MLS 3.6 section 10.6.5). */
static bool multiply(Emit *em, TypeId type, const CVal *a, const CVal *b, CVal *out) {
  uint32_t n_a = n_dims_of(em, a), n_b = n_dims_of(em, b), n = 0;
  if (n_a > 2 || n_b > 2)
    return wrong_shape(em);
  const char *l = n_a == 2 ? a->dims[0] : "1LL", *m = a->dims[n_a - 1],
             *q = n_b == 2 ? b->dims[1] : "1LL", *dims[2];
  c_must_fit(em, m, b->dims[0]);
  if (n_a == 2)
    dims[n++] = l;
  if (n_b == 2)
    dims[n++] = q;
  *out = c_fresh(em, cell_type(em, type), n, dims, NULL);
  bool real = type_of(em, type)->base == TY_REAL;
  c_line(em, "%s%s, %s, %s, %s, %s, %s);", multiply_call(em, real), out->at, a->at, b->at, l, m, q);
  if (!n)
    *out = c_scalar(out->type, c_read(em, out, "0"));
  return true;
}

static bool emit_multiply(Emit *em, const Expr *x, CVal *out) {
  for (uint32_t k = 0; k < 2; k++)
    if (!type_of(em, expr_get(em->p, x->args[k])->type)->n_dims)
      return emit_elementwise(em, x, out);
  TypeBase base = type_of(em, x->type)->base;
  CVal a, b;
  return emit_cells_as(em, x->args[0], base, &a) && emit_cells_as(em, x->args[1], base, &b) &&
         multiply(em, x->type, &a, &b, out);
}

/* MLS 3.6 section 10.6.9: a square matrix to a whole power. */
static bool emit_power(Emit *em, const Expr *x, CVal *out) {
  TypeBase base = type_of(em, x->type)->base;
  CVal a;
  if (!emit_cells_as(em, x->args[0], base, &a) || n_dims_of(em, &a) != 2)
    return wrong_shape(em);
  c_must_fit(em, a.dims[0], a.dims[1]);
  const char *s = c_own(em, emit_value(em, x->args[1])), *k = c_temp(em), *n = c_cell_count(em, &a),
             *d = a.dims[0];
  c_fail_if(em, arena_printf(em->a, "%s < 0", s), "a matrix has no negative power");
  *out = c_fresh(em, cell_type(em, x->type), 2, a.dims, NULL);
  const char *spare = c_cells(em, n), *ones = c_cells(em, d);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, d, k);
  c_line(em, "  %s[%s]%s = 1;", ones, k, c_member(base));
  c_line(em, "ds_diagonal(%s, %s, %s);", out->at, ones, d);
  c_open(em, "if (%s > 0)", s);
  c_copy(em, out->at, a.at, n);
  c_close(em);
  c_open(em, "for (long long %s = 1; %s < %s && d->fuel-- > 0; %s++)", k, k, s, k);
  c_line(em, "%s%s, %s, %s, %s, %s, %s);", multiply_call(em, base == TY_REAL), spare, out->at, a.at,
         d, d, d);
  c_copy(em, out->at, spare, n);
  c_close(em);
  c_fail_if(em, "d->fuel <= 0", "a loop does not end");
  return true;
}

static bool emit_outer(Emit *em, const Expr *x, CVal *out) {
  TypeBase base = type_of(em, x->type)->base;
  CVal a, b;
  if (!emit_cells_as(em, x->args[0], base, &a) || !emit_cells_as(em, x->args[1], base, &b))
    return false;
  const char *dims[2] = {c_cell_count(em, &a), c_cell_count(em, &b)};
  *out = c_fresh(em, cell_type(em, x->type), 2, dims, NULL);
  /* a column times a row: the one product of each element */
  bool real = base == TY_REAL;
  c_line(em, "%s%s, %s, %s, %s, 1, %s);", multiply_call(em, real), out->at, a.at, b.at, dims[0],
         dims[1]);
  return true;
}

/* ---- constructors ---- */

static bool scalar_items(Emit *em, const Expr *x, CVal *out) {
  TypeBase base = type_of(em, x->type)->base;
  const char **values = NEW_ARRAY(em->a, const char *, x->n + 1), *n = c_integer(em, x->n);
  for (uint32_t k = 0; k < x->n; k++)
    values[k] = emit_value_as(em, x->args[k], base);
  *out = c_fresh(em, cell_type(em, x->type), 1, &n, NULL);
  for (uint32_t k = 0; k < x->n; k++)
    c_store_cell(em, out->at, arena_printf(em->a, "%u", k), base, values[k]);
  return true;
}

static bool emit_items(Emit *em, const Expr *x, CVal *out) {
  const Type *t = type_of(em, x->type);
  if (!x->n) {
    *out = c_typed(em, x->type);
    out->at = c_cells(em, "0LL");
    return true;
  }
  if (c_is_scalar(em, x->args[0]))
    return scalar_items(em, x, out);
  CVal *items = NEW_ARRAY(em->a, CVal, x->n);
  for (uint32_t k = 0; k < x->n; k++) {
    if (!emit_cells_as(em, x->args[k], t->base, &items[k]) ||
        (k && !c_convert(em, &items[k], items[0].type)))
      return false;
    if (k)
      c_must_fit_all(em, &items[k], &items[0]);
  }
  const char *n = c_integer(em, x->n), *each = c_cell_count(em, &items[0]);
  *out = c_fresh(em, items[0].type, 1, &n, items[0].dims);
  for (uint32_t k = 0; k < x->n; k++)
    c_copy(em,
           k ? arena_printf(em->a, "%s + %s", out->at, c_scaled(em, each, c_integer(em, k)))
             : out->at,
           items[k].at, each);
  return true;
}

/* Stores a value of any type at a place. */
static void put(Emit *em, const char *at, const char *place, const CVal *v) {
  if (type_is_scalar(em->p, v->type))
    c_store_cell(em, at, place, type_of(em, v->type)->base, v->at);
  else
    c_copy(em, strcmp(place, "0LL") ? arena_printf(em->a, "%s + %s", at, place) : at, v->at,
           c_cell_count(em, v));
}

CVal emit_record(Emit *em, TypeId type, const CVal *fields, uint32_t n) {
  uint32_t n_dims = 0;
  for (uint32_t k = 0; k < n; k++)
    n_dims += c_n_dims(em, fields[k].type);
  CVal v = {type, NULL, NEW_ARRAY(em->a, const char *, n_dims + 1)};
  const char **dims = v.dims, *place = "0LL";
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t q = 0; q < c_n_dims(em, fields[k].type); q++)
      *dims++ = fields[k].dims[q];
  v.at = c_cells(em, c_cell_count(em, &v));
  for (uint32_t k = 0; k < n; k++) {
    put(em, v.at, place, &fields[k]);
    place = c_plus(em, place,
                   type_is_scalar(em->p, fields[k].type) ? "1LL" : c_cell_count(em, &fields[k]));
  }
  return v;
}

static bool emit_fields(Emit *em, const Expr *x, CVal *out) {
  const TypeDecl *decl = type_of(em, x->type)->decl;
  if (!decl || decl->n != x->n)
    return wrong_shape(em);
  CVal *fields = NEW_ARRAY(em->a, CVal, x->n + 1);
  for (uint32_t k = 0; k < x->n; k++) {
    const Type *want = type_of(em, decl->types[k]);
    if (!emit_cells_as(em, x->args[k], want->base, &fields[k]) ||
        !c_convert(em, &fields[k], decl->types[k]))
      return false;
    if (n_dims_of(em, &fields[k]) != want->n_dims)
      return wrong_shape(em);
    for (uint32_t d = 0; d < want->n_dims; d++)
      if (want->dims[d] >= 0)
        c_must_fit(em, fields[k].dims[d], c_integer(em, want->dims[d]));
  }
  *out = emit_record(em, x->type, fields, x->n);
  return true;
}

static bool emit_diagonal(Emit *em, const Expr *x, CVal *out) {
  TypeBase base = type_of(em, x->type)->base;
  CVal v = {0};
  const char *n = NULL;
  if (x->op == OP_DIAGONAL) {
    if (!emit_cells_as(em, x->args[0], base, &v))
      return false;
    n = v.dims[0];
  } else {
    const char *k = c_temp(em);
    n = c_size(em, x->args[0]);
    v.at = c_cells(em, n);
    c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
    c_line(em, "  %s[%s]%s = 1;", v.at, k, c_member(base));
  }
  *out = c_fresh(em, cell_type(em, x->type), 2, (const char *[]){n, n}, NULL);
  c_line(em, "ds_diagonal(%s, %s, %s);", out->at, v.at, n);
  return true;
}

static bool emit_fill(Emit *em, const Expr *x, CVal *out) {
  uint32_t n_dims = x->n - 1;
  const char **dims = NEW_ARRAY(em->a, const char *, x->n);
  CVal v;
  for (uint32_t k = 0; k < n_dims; k++)
    dims[k] = c_size(em, x->args[k + 1]);
  if (!emit_cells_as(em, x->args[0], type_of(em, x->type)->base, &v))
    return false;
  *out = c_fresh(em, v.type, n_dims, dims, v.dims);
  const char *n = c_own(em, c_elements(em, out)), *k = c_temp(em);
  if (!n_dims_of(em, &v) && type_is_scalar(em->p, v.type)) {
    c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
    c_line(em, "  %s[%s]%s = %s;", out->at, k, c_member(type_of(em, v.type)->base), v.at);
  } else
    c_line(em, "ds_repeat(%s, %s, %s, %s);", out->at, v.at, c_cell_count(em, &v), n);
  return true;
}

/* MLS 3.6 section 10.3.3. */
static bool emit_linspace(Emit *em, const Expr *x, CVal *out) {
  const char *a = emit_value_as(em, x->args[0], TY_REAL),
             *b = emit_value_as(em, x->args[1], TY_REAL), *n = c_size(em, x->args[2]);
  c_fail_if(em, arena_printf(em->a, "%s < 2", n), "linspace needs at least 2 points");
  *out = c_fresh(em, cell_type(em, x->type), 1, &n, NULL);
  c_line(em, "ds_linspace(%s, %s, %s, %s);", out->at, a, b, n);
  return true;
}

static bool emit_cat(Emit *em, const Expr *x, CVal *out) {
  int64_t along;
  uint32_t n = x->n - 1;
  CVal *parts = NEW_ARRAY(em->a, CVal, n + 1);
  if (!n || !expr_as_integer(em->p, x->args[0], &along))
    return wrong_shape(em);
  for (uint32_t k = 0; k < n; k++)
    if (!emit_cells_as(em, x->args[k + 1], type_of(em, x->type)->base, &parts[k]))
      return false;
  uint32_t n_dims = n_dims_of(em, &parts[0]);
  if (along < 1 || along > n_dims || n_dims > MOST_DIMS)
    return wrong_shape(em);
  const char *dims[MOST_DIMS], *sum = "0LL", *rows = "1LL", *inner = "1LL";
  for (uint32_t k = 0; k < n; k++) {
    if (n_dims_of(em, &parts[k]) != n_dims)
      return wrong_shape(em);
    for (uint32_t d = 0; k && d < n_dims; d++)
      if (d != along - 1)
        c_must_fit(em, parts[k].dims[d], parts[0].dims[d]);
    sum = c_plus(em, sum, parts[k].dims[along - 1]);
  }
  for (uint32_t d = 0; d < n_dims; d++) {
    dims[d] = d == along - 1 ? c_own(em, sum) : parts[0].dims[d];
    if (d < along - 1)
      rows = c_times(em, rows, dims[d]);
    else if (d > along - 1)
      inner = c_times(em, inner, dims[d]);
  }
  *out = c_fresh(em, cell_type(em, parts[0].type), n_dims, dims, parts[0].dims + n_dims);
  inner = c_own(em, c_times(em, inner, c_element_cells(em, &parts[0])));
  rows = c_own(em, rows);
  const char *all = c_own(em, c_times(em, dims[along - 1], inner)), *at = "0LL";
  for (uint32_t k = 0; k < n; k++) {
    const char *width = c_own(em, c_times(em, parts[k].dims[along - 1], inner));
    c_line(em, "ds_join(%s, %s, %s, %s, %s, %s);", out->at, all, at, parts[k].at, width, rows);
    at = c_plus(em, at, width);
  }
  return true;
}

/* ---- shapes ---- */

static bool emit_size(Emit *em, const Expr *x, CVal *out) {
  TypeId integer = type_scalar(em->p, TY_INTEGER);
  ExprId of = x->args[0];
  const Type *t = type_of(em, expr_get(em->p, of)->type);
  CVal v = c_typed(em, expr_get(em->p, of)->type);
  bool known = true;
  for (uint32_t k = 0; k < t->n_dims; k++)
    known = known && t->dims[k] >= 0;
  if (!known && !emit_cells(em, of, &v))
    return false;
  uint32_t n = n_dims_of(em, &v);
  if (x->n < 2) {
    const char *length = c_integer(em, n);
    *out = c_fresh(em, integer, 1, &length, NULL);
    for (uint32_t k = 0; k < n; k++)
      c_store_cell(em, out->at, arena_printf(em->a, "%u", k), TY_INTEGER, v.dims[k]);
    return true;
  }
  int64_t wanted;
  if (expr_as_integer(em->p, x->args[1], &wanted) && wanted >= 1 && wanted <= n) {
    *out = c_scalar(integer, v.dims[wanted - 1]);
    return true;
  }
  const char *which = c_own(em, emit_value(em, x->args[1])), *text = "0LL";
  c_fail_if(em, arena_printf(em->a, "%s < 1 || %s > %u", which, which, n),
            "a dimension that the array does not have");
  for (uint32_t d = n; d-- > 0;)
    text = arena_printf(em->a, "(%s == %u ? %s : %s)", which, d + 1, v.dims[d], text);
  *out = c_scalar(integer, text);
  return true;
}

/* The same cells with other dimensions; those that vanish must be 1. */
static bool emit_reshape(Emit *em, const Expr *x, CVal *out) {
  int64_t wanted = x->op == OP_MATRIX ? 2 : 0;
  CVal v;
  if ((x->op == OP_PROMOTE && !expr_as_integer(em->p, x->args[1], &wanted)) || wanted > MOST_DIMS)
    return wrong_shape(em);
  if (!emit_cells_as(em, x->args[0], type_of(em, x->type)->base, &v))
    return false;
  if (!n_dims_of(em, &v)) { /* a scalar becomes one cell */
    const char *cell = c_cells(em, "1LL");
    c_store_cell(em, cell, "0", type_of(em, v.type)->base, v.at);
    v.at = cell;
  }
  uint32_t n = n_dims_of(em, &v), n_out = x->op == OP_VECTOR ? 1 : (uint32_t)wanted;
  const char **dims = NEW_ARRAY(em->a, const char *, n_out + c_n_dims(em, v.type) + 1);
  if (x->op == OP_VECTOR) {
    dims[0] = c_own(em, c_elements(em, &v));
    Text larger = {.arena = em->a};
    for (uint32_t k = 0; k < n; k++)
      text_printf(&larger, "%s(%s > 1)", k ? " + " : "", v.dims[k]);
    if (n > 1)
      c_fail_if(em, arena_printf(em->a, "%s > 1", text_str(&larger)),
                "`vector` of an array that is none");
  }
  for (uint32_t k = 0; x->op != OP_VECTOR && (k < n_out || k < n); k++) {
    if (k < n_out)
      dims[k] = k < n ? v.dims[k] : "1LL";
    else
      c_must_fit(em, v.dims[k], "1LL");
  }
  TypeId cell = cell_type(em, v.type);
  for (uint32_t k = 0; k < c_n_dims(em, cell); k++)
    dims[n_out + k] = v.dims[n + k];
  *out = (CVal){c_array_type(em, cell, n_out, dims), v.at, dims};
  if (!n_out && type_is_scalar(em->p, cell))
    *out = c_scalar(cell, c_read(em, &v, "0"));
  return true;
}

static bool emit_transpose(Emit *em, const Expr *x, CVal *out) {
  CVal a;
  if (!emit_cells(em, x->args[0], &a))
    return false;
  uint32_t n = n_dims_of(em, &a);
  if (n < 2 || n > MOST_DIMS)
    return wrong_shape(em);
  const char *dims[MOST_DIMS], *width = c_element_cells(em, &a);
  for (uint32_t k = 0; k < n; k++) {
    dims[k] = a.dims[k < 2 ? 1 - k : k];
    width = k < 2 ? width : c_times(em, width, a.dims[k]);
  }
  *out = c_fresh(em, cell_type(em, a.type), n, dims, a.dims + n);
  c_line(em, "ds_transpose(%s, %s, %s, %s, %s);", out->at, a.at, a.dims[0], a.dims[1], width);
  return true;
}

static bool emit_symmetric(Emit *em, const Expr *x, CVal *out) {
  CVal a;
  if (!emit_cells_as(em, x->args[0], type_of(em, x->type)->base, &a))
    return false;
  if (n_dims_of(em, &a) != 2)
    return wrong_shape(em);
  c_must_fit(em, a.dims[0], a.dims[1]);
  *out = c_fresh(em, cell_type(em, a.type), 2, a.dims, NULL);
  c_line(em, "ds_symmetric(%s, %s, %s);", out->at, a.at, a.dims[0]);
  return true;
}

/* cross and skew: vectors of three. */
static bool emit_three(Emit *em, const Expr *x, CVal *out) {
  CVal v[2];
  const char *three[2] = {"3LL", "3LL"};
  for (uint32_t k = 0; k < x->n && k < 2; k++) {
    if (!emit_cells_as(em, x->args[k], TY_REAL, &v[k]))
      return false;
    c_must_fit(em, c_elements(em, &v[k]), "3LL");
  }
  *out = c_fresh(em, type_scalar(em->p, TY_REAL), x->op == OP_SKEW ? 2 : 1, three, NULL);
  if (x->op == OP_SKEW)
    c_line(em, "ds_skew(%s, %s);", out->at, v[0].at);
  else
    c_line(em, "ds_cross(%s, %s, %s);", out->at, v[0].at, v[1].at);
  return true;
}

/* ---- sums and the like ---- */

static bool emit_fold(Emit *em, const Expr *x, CVal *out) {
  Op op = x->op == OP_SUM       ? OP_ADD
          : x->op == OP_PRODUCT ? OP_MUL
          : x->op == OP_MIN     ? OP_MIN2
                                : OP_MAX2;
  TypeBase base = type_of(em, x->type)->base;
  CVal v;
  if (!emit_cells_as(em, x->args[0], base, &v))
    return false;
  const char *t = c_temp(em), *k = c_temp(em), *n = c_cell_count(em, &v);
  const char *nothing = c_of_nothing(em, op, x->type);
  c_line(em, "%s%s = %s > 0 ? %s : %s;", c_type(base), t, n, c_read(em, &v, "0"), nothing);
  c_open(em, "for (long long %s = 1; %s < %s; %s++)", k, k, n, k);
  const char *both = c_kernel(em, op, base, t, c_read(em, &v, k));
  c_line(em, "%s = %s;", t, both);
  c_close(em);
  *out = c_scalar(x->type, t);
  return true;
}

/* ---- if, conversions, names ---- */

/* Both branches leave address and sizes in variables. */
static bool emit_if_cells(Emit *em, const Expr *x, CVal *out) {
  const char *c = emit_value(em, x->args[0]), *at = c_temp(em);
  uint32_t n = c_n_dims(em, x->type);
  CVal v = c_typed(em, x->type);
  bool ok = true;
  c_line(em, "const DsCell *%s = 0;", at);
  for (uint32_t k = 0; k < n; k++) {
    v.dims[k] = c_temp(em);
    c_line(em, "long long %s = 0;", v.dims[k]);
  }
  for (uint32_t b = 1; b <= 2; b++) {
    CVal branch;
    if (b == 1)
      c_open_if(em, c);
    else
      c_open(em, "else");
    if (emit_cells_as(em, x->args[b], type_of(em, x->type)->base, &branch) &&
        c_convert(em, &branch, x->type) && c_n_dims(em, branch.type) == n) {
      c_line(em, "%s = %s;", at, branch.at);
      for (uint32_t k = 0; k < n; k++)
        c_line(em, "%s = %s;", v.dims[k], branch.dims[k]);
    } else
      ok = false;
    c_close(em);
  }
  v.at = at;
  *out = v;
  return ok || wrong_shape(em);
}

static bool emit_local(Emit *em, const Expr *x, CVal *out) {
  uint64_t at;
  if (!map_get(&em->locals, x->index, &at)) {
    c_refuse(em, "a loop variable in this place");
    return false;
  }
  *out = *(const CVal *)(uintptr_t)at;
  return true;
}

static bool emit_call_cells(Emit *em, ExprId e, CVal *out) {
  const CVal *results = emit_call(em, e);
  if (results)
    *out = results[0];
  return results != NULL;
}

static bool emit_node(Emit *em, ExprId e, const Expr *x, CVal *out) {
  switch (x->op) {
  case OP_LOCAL: return emit_local(em, x, out);
  case OP_CALL: return emit_call_cells(em, e, out);
  case OP_MUL: return emit_multiply(em, x, out);
  case OP_POW: return emit_power(em, x, out);
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
  case OP_ORDINAL: return emit_elementwise(em, x, out);
  case OP_IF: return emit_if_cells(em, x, out);
  case OP_NOEVENT:
  case OP_HOMOTOPY: return emit_cells_as(em, x->args[0], type_of(em, x->type)->base, out);
  case OP_SMOOTH: return emit_cells_as(em, x->args[1], type_of(em, x->type)->base, out);
  case OP_CAST: return emit_cells(em, x->args[0], out) && c_convert(em, out, x->type);
  case OP_ARRAY: return emit_items(em, x, out);
  case OP_INDEX: return emit_index(em, x, out);
  case OP_FIELD: return emit_field(em, x, out);
  case OP_RANGE: return emit_range(em, x, out);
  case OP_RECORD: return emit_fields(em, x, out);
  case OP_COMPREHEND: return emit_comprehend(em, x, out);
  case OP_REDUCE: return emit_reduce(em, x, out);
  case OP_SIZE: return emit_size(em, x, out);
  case OP_SCALAR:
  case OP_VECTOR:
  case OP_MATRIX:
  case OP_PROMOTE: return emit_reshape(em, x, out);
  case OP_TRANSPOSE: return emit_transpose(em, x, out);
  case OP_OUTER: return emit_outer(em, x, out);
  case OP_SYMMETRIC: return emit_symmetric(em, x, out);
  case OP_CROSS:
  case OP_SKEW: return emit_three(em, x, out);
  case OP_IDENTITY:
  case OP_DIAGONAL: return emit_diagonal(em, x, out);
  case OP_FILL: return emit_fill(em, x, out);
  case OP_LINSPACE: return emit_linspace(em, x, out);
  case OP_CAT: return emit_cat(em, x, out);
  case OP_SUM:
  case OP_PRODUCT:
  case OP_MIN:
  case OP_MAX: return emit_fold(em, x, out);
  case OP_REAL:
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_ENUM:
  case OP_STRING:
  case OP_FUNCTION:
  case OP_SEMILINEAR:
  case OP_TO_ENUM:
  case OP_STRING_OF:
  case OP_PART:
  case OP_NDIMS:
  case OP_TIME:
  case OP_VAR:
  case OP_REF:
  case OP_TUPLE:
  case OP_DER:
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_SAMPLE:
  case OP_DELAY:
  case OP_SPATIAL:
  case OP_ROUNDING:
  case OP_IMPULSE:
  case OP_INSTREAM:
  case OP_ACTUALSTREAM:
  case OP_COUNT: break;
  }
  c_refuse(em, "this array or record expression");
  return false;
}

bool emit_cells(Emit *em, ExprId e, CVal *out) {
  const Expr *x = expr_get(em->p, e);
  if (c_is_scalar(em, e)) {
    *out = c_scalar(x->type, emit_value(em, e));
    return true;
  }
  const CVal *kept = c_recall(em, e);
  if (kept) {
    *out = *kept;
    return true;
  }
  if (x->op != OP_LOCAL && c_literal(em, e, out))
    return true;
  if (!emit_node(em, e, x, out))
    return false;
  if (x->op != OP_LOCAL && x->op != OP_CALL) {
    CVal *v = NEW(em->a, CVal);
    *v = *out;
    c_remember(em, e, v);
  }
  return true;
}

const char *emit_from_array(Emit *em, ExprId e, const Expr *x) {
  CVal v;
  if (!emit_node(em, e, x, &v))
    return "0";
  const char *text = type_is_scalar(em->p, v.type) ? v.at : c_read(em, &v, "0");
  bool widen = type_of(em, x->type)->base == TY_REAL && type_of(em, v.type)->base == TY_INTEGER;
  return widen ? arena_printf(em->a, "(double)%s", text) : text;
}
