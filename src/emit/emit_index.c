/* emit/emit_index.c -- parts of values: subscripts (MLS 3.6 section 10.5) and record fields, to be
 * read or written.
 * A part is a run of neighbouring cells where possible: then reading copies nothing. Vector
 * subscripts, and fields of arrays of records, make a list of places first.
 * Keep: every subscript is checked. */
#include "emit/emit_impl.h"

#include <string.h>

static const Type *type_of(const Emit *em, const CVal *v) { return type_get(em->p, v->type); }

/* ---- subscripts ---- */

/* Place from 0 that a scalar subscript names. */
static const char *scalar_place(Emit *em, ExprId e, const char *size) {
  int64_t i, n;
  bool logical = c_base(em, e) == TY_BOOLEAN, known = c_known(size, &n);
  if (known && expr_as_integer(em->p, e, &i)) {
    i += logical;
    if (i >= 1 && i <= n)
      return c_integer(em, i - 1);
  }
  const char *v = emit_value(em, e);
  const char *t = c_own(em, logical ? arena_printf(em->a, "(%s) + 1", v) : v);
  em->uses_mask |= USES_STATUS;
  if (strcmp(t, size))
    c_open(em, "if (%s < 1 || %s > %s)", t, t, size);
  else
    c_open(em, "if (%s < 1)", t);
  c_line(em, "status = d->host->out_of_range(d, &places[%u], %s, %s);", c_place(em, em->span), t,
         size);
  c_line(em, "goto done;");
  c_close(em);
  return arena_printf(em->a, "(%s - 1)", t);
}

static bool is_scalar_sub(const Emit *em, ExprId e) {
  return e.i && !type_get(em->p, expr_get(em->p, e)->type)->n_dims;
}

/* Scalar subscripts first, then nothing but colons: neighbouring cells. */
static bool is_view(const Emit *em, const ExprId *subs, uint32_t n, uint32_t *scalars) {
  for (*scalars = 0; *scalars < n && is_scalar_sub(em, subs[*scalars]); ++*scalars)
    ;
  for (uint32_t k = *scalars; k < n; k++)
    if (subs[k].i)
      return false;
  return true;
}

static void select_view(Emit *em, const CVal *whole, const ExprId *subs, uint32_t n, Select *out) {
  const char *at = "0LL";
  for (uint32_t k = 0; k < n; k++)
    at = c_plus(em, c_scaled(em, at, whole->dims[k]), scalar_place(em, subs[k], whole->dims[k]));
  *out = (Select){.v = c_element(em, whole, n)};
  const char *width = "1LL";
  for (uint32_t k = n; k < type_of(em, whole)->n_dims; k++)
    width = c_times(em, width, whole->dims[k]);
  out->start = c_scaled(em, at, c_times(em, width, c_element_cells(em, whole)));
}

/* One subscript that keeps its dimension; the text of its DsAlong, and its length. */
static bool vector_along(Emit *em, ExprId e, const char *size, const char **text, const char **n) {
  if (!e.i) {
    *n = size;
    *text = arena_printf(em->a, "{0, %s, 0}", size);
    return true;
  }
  CVal v;
  if (!emit_cells(em, e, &v))
    return false;
  const char *t = c_temp(em), *bad = c_temp(em);
  int first = c_base(em, e) == TY_BOOLEAN ? 0 : -1;
  *n = v.dims[0];
  c_line(em, "const DsAlong %s = {%s, %s, %d};", t, v.at, v.dims[0], first);
  c_line(em, "const long long %s = ds_outside(&%s, %s);", bad, t, size);
  em->uses_mask |= USES_STATUS;
  c_open(em, "if (%s >= 0)", bad);
  c_line(em, "status = d->host->out_of_range(d, &places[%u], %s[%s].i + %d, %s);",
         c_place(em, em->span), v.at, bad, first + 1, size);
  c_line(em, "goto done;");
  c_close(em);
  *text = arena_printf(em->a, "{%s, %s, %d}", v.at, v.dims[0], first);
  return true;
}

static bool select_slice(Emit *em, const CVal *whole, const ExprId *subs, uint32_t n, Select *out) {
  const Type *t = type_of(em, whole);
  const char **dims = NEW_ARRAY(em->a, const char *, t->n_dims + 1);
  uint32_t n_dims = 0;
  Text along = {.arena = em->a}, sizes = {.arena = em->a};
  for (uint32_t d = 0; d < t->n_dims; d++) {
    const char *text, *length;
    if (d < n && is_scalar_sub(em, subs[d]))
      text = arena_printf(em->a, "{0, 1, %s}", scalar_place(em, subs[d], whole->dims[d]));
    else if (vector_along(em, d < n ? subs[d] : NO_EXPR, whole->dims[d], &text, &length))
      dims[n_dims++] = length;
    else
      return false;
    text_printf(&along, "%s%s", d ? ", " : "", text);
    text_printf(&sizes, "%s%s", d ? ", " : "", whole->dims[d]);
  }
  TypeId element = type_element(em->p, whole->type, t->n_dims);
  CVal shape = {.dims = NEW_ARRAY(em->a, const char *, n_dims + c_n_dims(em, element) + 1)};
  for (uint32_t k = 0; k < n_dims; k++)
    shape.dims[k] = dims[k];
  for (uint32_t k = 0; k < c_n_dims(em, element); k++)
    shape.dims[n_dims + k] = whole->dims[t->n_dims + k];
  shape.type = c_array_type(em, element, n_dims, dims);
  const char *a = c_temp(em), *s = c_temp(em);
  const char *cells = c_cells(em, c_plus(em, c_cell_count(em, &shape), "1LL"));
  c_line(em, "const DsAlong %s[] = {%s};", a, text_str(&along));
  c_line(em, "const long long %s[] = {%s};", s, text_str(&sizes));
  c_line(em, "ds_select(%s, %s, %s, %u, %s);", cells, a, s, t->n_dims, c_element_cells(em, whole));
  *out = (Select){shape, "0LL", cells};
  return true;
}

static bool select_subscripts(Emit *em, const CVal *whole, const ExprId *subs, uint32_t n,
                              Select *out) {
  uint32_t scalars;
  if (n > type_of(em, whole)->n_dims) {
    c_refuse(em, "more subscripts than an array has dimensions");
    return false;
  }
  if (!is_view(em, subs, n, &scalars))
    return select_slice(em, whole, subs, n, out);
  select_view(em, whole, subs, scalars, out);
  return true;
}

/* ---- fields ---- */

/* Field k of the records of `whole`: type and sizes of one, cells before it. */
static CVal field_of(Emit *em, const CVal *whole, uint32_t k, const char **before) {
  const Type *t = type_of(em, whole);
  const char **dims = whole->dims + t->n_dims;
  *before = "0LL";
  for (uint32_t f = 0; f < k; f++) {
    CVal field = {t->decl->types[f], "0", dims};
    *before = c_plus(em, *before, c_cell_count(em, &field));
    dims += c_n_dims(em, field.type);
  }
  return (CVal){t->decl->types[k], "0", dims};
}

static bool select_field(Emit *em, const CVal *whole, uint32_t k, Select *out) {
  const Type *t = type_of(em, whole);
  const char *before;
  if ((t->base != TY_RECORD && t->base != TY_TUPLE) || k >= t->decl->n) {
    c_refuse(em, "a field of this value");
    return false;
  }
  CVal one = field_of(em, whole, k, &before);
  *out = (Select){one, before, NULL};
  if (!t->n_dims)
    return true;
  uint32_t inner = c_n_dims(em, one.type);
  out->v.dims = NEW_ARRAY(em->a, const char *, t->n_dims + inner + 1);
  memcpy(out->v.dims, whole->dims, sizeof *out->v.dims * t->n_dims);
  memcpy(out->v.dims + t->n_dims, one.dims, sizeof *out->v.dims * inner);
  out->v.type = type_array(em->p, one.type, t->n_dims, t->dims);
  const char *all = c_element_cells(em, whole), *width = c_cell_count(em, &one);
  if (!strcmp(all, width))
    return true;
  out->cells = c_cells(em, c_cell_count(em, &out->v));
  out->start = "0LL";
  c_line(em, "ds_fields(%s, %s, %s, %s, %s);", out->cells, c_elements(em, whole), before, width,
         all);
  return true;
}

CVal c_field(Emit *em, const CVal *record, uint32_t k) {
  const char *before;
  CVal v = field_of(em, record, k, &before);
  if (type_is_scalar(em->p, v.type))
    return c_scalar(v.type, arena_printf(em->a, "%s[%s]%s", record->at, before,
                                         c_member(type_of(em, &v)->base)));
  v.at = strcmp(before, "0LL") ? arena_printf(em->a, "%s + %s", record->at, before) : record->at;
  return v;
}

/* ---- parts of parts ---- */

bool cut_part(Emit *em, const Expr *x, const CVal *whole, Select *out) {
  if (x->op == OP_FIELD)
    return select_field(em, whole, x->index, out);
  return select_subscripts(em, whole, x->args + 1, x->n - 1, out);
}

bool cut_inner(Emit *em, const Select *outer, const Select *inner, Select *out) {
  *out = *inner;
  if (!outer->cells) {
    out->start = c_plus(em, outer->start, inner->start);
    return true;
  }
  out->start = outer->start;
  const char *from = strcmp(inner->start, "0LL")
                         ? arena_printf(em->a, "%s + %s", outer->cells, inner->start)
                         : outer->cells;
  if (!inner->cells) {
    out->cells = from;
    return true;
  }
  const char *n = c_cell_count(em, &inner->v);
  out->cells = c_cells(em, n);
  c_line(em, "ds_gather(%s, %s, %s, %s);", out->cells, from, inner->cells, n);
  return true;
}

static const char *first_cell(Emit *em, const CVal *whole, const Select *s) {
  return strcmp(s->start, "0LL") ? arena_printf(em->a, "%s + %s", whole->at, s->start) : whole->at;
}

CVal cut_read(Emit *em, const CVal *whole, const Select *s) {
  CVal v = s->v;
  bool scalar = type_is_scalar(em->p, v.type);
  if (!s->cells) {
    if (scalar)
      return c_scalar(v.type, c_read(em, &(CVal){v.type, whole->at, NULL}, s->start));
    v.at = first_cell(em, whole, s);
    return v;
  }
  const char *n = c_cell_count(em, &v);
  v.at = c_cells(em, n);
  c_line(em, "ds_gather(%s, %s, %s, %s);", v.at, first_cell(em, whole, s), s->cells, n);
  return scalar ? c_scalar(v.type, c_read(em, &v, "0")) : v;
}

void cut_write(Emit *em, const CVal *whole, const Select *s, const CVal *value) {
  TypeBase base = type_of(em, &s->v)->base;
  if (type_is_scalar(em->p, s->v.type)) {
    c_store_cell(em, whole->at,
                 s->cells ? arena_printf(em->a, "%s + (%s)[0].i", s->start, s->cells) : s->start,
                 base, value->at);
    return;
  }
  c_must_fit_all(em, &s->v, value);
  const char *n = c_cell_count(em, &s->v);
  if (!s->cells) {
    c_copy(em, first_cell(em, whole, s), value->at, n);
    return;
  }
  /* through a copy: the value may be a part of the same variable */
  const char *copy = c_cells(em, n);
  c_copy(em, copy, value->at, n);
  c_line(em, "ds_scatter(%s, %s, %s, %s);", first_cell(em, whole, s), s->cells, copy, n);
}

/* ---- reading ---- */

bool emit_index(Emit *em, const Expr *x, CVal *out) {
  CVal whole;
  Select s;
  if (!emit_cells(em, x->args[0], &whole) ||
      !select_subscripts(em, &whole, x->args + 1, x->n - 1, &s))
    return false;
  *out = cut_read(em, &whole, &s);
  return true;
}

/* Of several results of a call, the one that is meant. */
bool emit_field(Emit *em, const Expr *x, CVal *out) {
  const Expr *of = expr_get(em->p, x->args[0]);
  if (of->op == OP_CALL && type_get(em->p, of->type)->base == TY_TUPLE) {
    const CVal *results = emit_call(em, x->args[0]);
    if (results)
      *out = results[x->index];
    return results != NULL;
  }
  CVal whole;
  Select s;
  if (!emit_cells(em, x->args[0], &whole) || !select_field(em, &whole, x->index, &s))
    return false;
  *out = cut_read(em, &whole, &s);
  return true;
}
