/* emit/emit_cell.c -- values in cells: their sizes, room for them, reading, copying, literals.
 * A type is a tree (dimensions, fields, their dimensions ...); a value has one size for each
 * dimension in it, in that order. Sizes that the type knows are literals in the text, so that
 * products and places fold and checks vanish. */
#include "emit/emit_impl.h"
#include "base/limits.h"

#include <stdlib.h>
#include <string.h>

static const Type *type_of(const Emit *em, TypeId t) { return type_get(em->p, t); }

static bool has_fields(const Type *t) { return t->base == TY_RECORD || t->base == TY_TUPLE; }

uint32_t c_n_dims(const Emit *em, TypeId type) {
  const Type *t = type_of(em, type);
  uint32_t n = t->n_dims;
  for (uint32_t k = 0; has_fields(t) && k < t->decl->n; k++)
    n += c_n_dims(em, t->decl->types[k]);
  return n;
}

const char *c_member(TypeBase base) {
  return base == TY_REAL ? ".r" : base == TY_STRING ? ".s" : base == TY_FUNCTION ? ".p" : ".i";
}

/* ---- sizes as text ---- */

bool c_known(const char *size, int64_t *n) {
  char *end;
  if (*size < '0' || *size > '9')
    return false;
  *n = strtoll(size, &end, 10);
  return !strcmp(end, "LL");
}

/* The literal among two sizes comes second. */
static bool order(const char **a, const char **b, int64_t *x, int64_t *y) {
  bool first = c_known(*a, x), second = c_known(*b, y);
  if (first && !second) {
    const char *t = *a;
    *a = *b, *b = t, *y = *x;
    return false;
  }
  if (!second)
    *y = -1;
  return first && second;
}

const char *c_times(Emit *em, const char *a, const char *b) {
  enum { SMALL = 1 << 30 };
  int64_t x, y;
  if (order(&a, &b, &x, &y) && x <= SMALL && y <= SMALL)
    return c_integer(em, x * y);
  return y == 1 ? a : y == 0 ? "0LL" : arena_printf(em->a, "ds_times(%s, %s)", a, b);
}

const char *c_scaled(Emit *em, const char *a, const char *b) {
  int64_t x, y;
  if (order(&a, &b, &x, &y))
    return c_times(em, a, b);
  return y == 1 ? a : y == 0 ? "0LL" : arena_printf(em->a, "%s * %s", a, b);
}

const char *c_plus(Emit *em, const char *a, const char *b) {
  int64_t x, y;
  if (order(&a, &b, &x, &y))
    return c_integer(em, x + y);
  return y == 0 ? a : arena_printf(em->a, "(%s + %s)", a, b);
}

static bool is_name(const char *text) {
  return strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(text);
}

const char *c_own(Emit *em, const char *text) {
  int64_t n;
  if (c_known(text, &n) || is_name(text))
    return text;
  const char *t = c_temp(em);
  c_line(em, "const long long %s = %s;", t, text);
  return t;
}

const char *c_size(Emit *em, ExprId e) {
  int64_t n;
  const char *size = c_own(em, emit_value(em, e));
  if (!c_known(size, &n))
    c_fail_if(em, arena_printf(em->a, "%s < 0", size), "an array cannot have a negative size");
  return size;
}

/* Cells of one value of a type, whose sizes begin at *dims; *dims moves behind them. */
static const char *cells_of(Emit *em, TypeId type, const char *const **dims) {
  const Type *t = type_of(em, type);
  const char *n = "1LL", *width = has_fields(t) ? "0LL" : "1LL";
  for (uint32_t k = 0; k < t->n_dims; k++)
    n = c_times(em, n, *(*dims)++);
  for (uint32_t k = 0; has_fields(t) && k < t->decl->n; k++)
    width = c_plus(em, width, cells_of(em, t->decl->types[k], dims));
  return c_times(em, n, width);
}

const char *c_elements(Emit *em, const CVal *v) {
  const char *n = "1LL";
  for (uint32_t k = 0; k < type_of(em, v->type)->n_dims; k++)
    n = c_times(em, n, v->dims[k]);
  return n;
}

const char *c_element_cells(Emit *em, const CVal *v) {
  CVal e = c_element(em, v, type_of(em, v->type)->n_dims);
  const char *const *dims = e.dims;
  return cells_of(em, e.type, &dims);
}

const char *c_cell_count(Emit *em, const CVal *v) {
  const char *const *dims = v->dims;
  return c_own(em, cells_of(em, v->type, &dims));
}

CVal c_element(Emit *em, const CVal *v, uint32_t n_subs) {
  return (CVal){n_subs ? type_element(em->p, v->type, n_subs) : v->type, v->at, v->dims + n_subs};
}

static void known_dims(Emit *em, TypeId type, const char ***dims) {
  const Type *t = type_of(em, type);
  for (uint32_t k = 0; k < t->n_dims; k++)
    *(*dims)++ = t->dims[k] < 0 ? "0LL" : c_integer(em, t->dims[k]);
  for (uint32_t k = 0; has_fields(t) && k < t->decl->n; k++)
    known_dims(em, t->decl->types[k], dims);
}

CVal c_typed(Emit *em, TypeId type) {
  CVal v = {type, "0", NEW_ARRAY(em->a, const char *, c_n_dims(em, type) + 1)};
  const char **dims = v.dims;
  known_dims(em, type, &dims);
  return v;
}

static void flat_dims(const Emit *em, TypeId type, int32_t **out) {
  const Type *t = type_of(em, type);
  for (uint32_t k = 0; k < t->n_dims; k++)
    *(*out)++ = t->dims[k];
  for (uint32_t k = 0; has_fields(t) && k < t->decl->n; k++)
    flat_dims(em, t->decl->types[k], out);
}

const int32_t *c_flat_dims(Emit *em, TypeId type) {
  int32_t *dims = NEW_ARRAY(em->a, int32_t, c_n_dims(em, type) + 1), *at = dims;
  flat_dims(em, type, &at);
  return dims;
}

TypeId c_array_type(Emit *em, TypeId element, uint32_t n_dims, const char *const *dims) {
  int32_t *sizes = NEW_ARRAY(em->a, int32_t, n_dims + 1);
  for (uint32_t k = 0; k < n_dims; k++) {
    int64_t n;
    sizes[k] = c_known(dims[k], &n) && n <= INT32_MAX ? (int32_t)n : DIM_UNKNOWN;
  }
  return n_dims ? type_array(em->p, element, n_dims, sizes) : element;
}

CVal c_scalar(TypeId type, const char *value) { return (CVal){type, value, NULL}; }

/* ---- room ---- */

/* Small arrays of known size are variables of the C function; all others are lent by the host. */
const char *c_cells(Emit *em, const char *count) {
  const char *t = c_temp(em);
  int64_t n;
  if (c_known(count, &n) && n <= MOST_OWN_ARRAY &&
      em->n_array_cells + (uint32_t)n <= MOST_FRAME_CELLS) {
    em->n_array_cells += (uint32_t)n;
    text_printf(&em->arrays, "  DsCell %s[%d];\n", t, n ? (int)n : 1);
    return t;
  }
  em->uses_mask |= USES_CELLS;
  em->took_cells = true;
  c_line(em, "DsCell *const %s = d->host->cells(d, %s);", t, count);
  c_fail_if(em, arena_printf(em->a, "!%s", t), "an array needs too much memory");
  return t;
}

CVal c_fresh(Emit *em, TypeId element, uint32_t n_dims, const char *const *dims,
             const char *const *inner) {
  uint32_t n_inner = c_n_dims(em, element);
  CVal v = {.dims = NEW_ARRAY(em->a, const char *, n_dims + n_inner + 1)};
  for (uint32_t k = 0; k < n_dims; k++)
    v.dims[k] = c_own(em, dims[k]);
  for (uint32_t k = 0; k < n_inner; k++)
    v.dims[n_dims + k] = inner[k];
  v.type = c_array_type(em, element, n_dims, v.dims);
  v.at = c_cells(em, c_cell_count(em, &v));
  return v;
}

void c_copy(Emit *em, const char *to, const char *from, const char *count) {
  enum { UNROLL = 4 };
  int64_t n;
  if (c_known(count, &n) && n <= UNROLL && is_name(to) && is_name(from)) {
    for (int64_t k = 0; k < n; k++)
      c_line(em, "%s[%d].i = %s[%d].i;", to, (int)k, from, (int)k);
    return;
  }
  c_line(em, "ds_copy(%s, %s, %s);", to, from, count);
}

const char *c_read(Emit *em, const CVal *v, const char *index) {
  const char *member = c_member(type_of(em, v->type)->base);
  return arena_printf(em->a, is_name(v->at) ? "%s[%s]%s" : "(%s)[%s]%s", v->at, index, member);
}

void c_store_cell(Emit *em, const char *at, const char *index, TypeBase base, const char *value) {
  c_line(em, is_name(at) ? "%s[%s]%s = %s;" : "(%s)[%s]%s = %s;", at, index, c_member(base), value);
}

/* ---- sizes that must agree ---- */

void c_must_fit(Emit *em, const char *a, const char *b) {
  int64_t x, y;
  bool known = c_known(a, &x) && c_known(b, &y);
  if (known ? x == y : !strcmp(a, b))
    return;
  em->uses_mask |= USES_STATUS;
  c_open(em, "if (%s != %s)", a, b);
  c_line(em, "status = d->host->misfit(d, &places[%u], %s, %s);", c_place(em, em->span), a, b);
  c_line(em, "goto done;");
  c_close(em);
}

void c_must_fit_all(Emit *em, const CVal *a, const CVal *b) {
  uint32_t n = c_n_dims(em, a->type);
  if (type_of(em, a->type)->n_dims != type_of(em, b->type)->n_dims || n != c_n_dims(em, b->type)) {
    c_fail_if(em, "1", "values of different numbers of dimensions");
    return;
  }
  for (uint32_t k = 0; k < n; k++)
    c_must_fit(em, a->dims[k], b->dims[k]);
}

/* ---- other types ---- */

bool c_as_base(Emit *em, CVal *v, TypeBase base) {
  const Type *t = type_of(em, v->type);
  if (base != TY_REAL || t->base != TY_INTEGER)
    return true;
  TypeId real = type_scalar(em->p, TY_REAL);
  if (!t->n_dims) {
    *v = c_scalar(real, arena_printf(em->a, "(double)%s", v->at));
    return true;
  }
  CVal out = c_fresh(em, real, t->n_dims, v->dims, NULL);
  c_line(em, "ds_to_real(%s, %s, %s);", out.at, v->at, c_cell_count(em, v));
  *v = out;
  return true;
}

/* Do cells of one type serve as cells of the other? */
static bool same_cells(const Emit *em, TypeId from, TypeId to) {
  const Type *a = type_of(em, from), *b = type_of(em, to);
  if (!has_fields(a) || !has_fields(b))
    return a->base == b->base || b->base != TY_REAL;
  for (uint32_t k = 0; a->decl != b->decl && k < a->decl->n; k++)
    if (!same_cells(em, a->decl->types[k], b->decl->types[k]))
      return false;
  return true;
}

/* Converts `n` values at `from` of a type with these sizes to cells at `to`, field by field. */
static void convert_cells(Emit *em, TypeId type, TypeId wanted, const CVal *v, const char *to) {
  const Type *a = type_of(em, type), *b = type_of(em, wanted);
  CVal all = {type, v->at, v->dims};
  if (same_cells(em, type, wanted) || !has_fields(a)) {
    bool real = !has_fields(a) && b->base == TY_REAL && a->base == TY_INTEGER;
    c_line(em, "%s(%s, %s, %s);", real ? "ds_to_real" : "ds_copy", to, v->at,
           c_cell_count(em, &all));
    return;
  }
  const char *width = c_element_cells(em, &all), *k = c_temp(em), *place = "0LL";
  c_open(em, "for (long long %s = 0; %s < %s; %s++)", k, k, c_elements(em, &all), k);
  const char **dims = v->dims + a->n_dims;
  for (uint32_t f = 0; f < a->decl->n; f++) {
    const char *offset = c_plus(em, c_scaled(em, k, width), place);
    CVal field = {a->decl->types[f], arena_printf(em->a, "%s + %s", v->at, offset), dims};
    convert_cells(em, field.type, b->decl->types[f], &field,
                  arena_printf(em->a, "%s + %s", to, offset));
    place = c_plus(em, place, c_cell_count(em, &field));
    dims += c_n_dims(em, field.type);
  }
  c_close(em);
}

bool c_convert(Emit *em, CVal *v, TypeId type) {
  const Type *a = type_of(em, v->type), *b = type_of(em, type);
  if (!has_fields(a) || !has_fields(b))
    return c_as_base(em, v, b->base);
  if (a->decl != b->decl && a->decl->n != b->decl->n) {
    c_refuse(em, "a record of another kind in this place");
    return false;
  }
  if (a->decl == b->decl || same_cells(em, v->type, type))
    return true;
  CVal out = *v;
  out.at = c_cells(em, c_cell_count(em, v));
  out.type = a->n_dims ? type_array(em->p, type_element(em->p, type, b->n_dims), a->n_dims, a->dims)
                       : type;
  convert_cells(em, v->type, type, v, out.at);
  *v = out;
  return true;
}

/* ---- values before the first assignment: 0, false, "", the first literal ---- */

static bool needs_default(const Emit *em, TypeId type) {
  const Type *t = type_of(em, type);
  for (uint32_t k = 0; has_fields(t) && k < t->decl->n; k++)
    if (needs_default(em, t->decl->types[k]))
      return true;
  return t->base == TY_STRING || t->base == TY_ENUM;
}

static void default_cells(Emit *em, const CVal *v) {
  const Type *t = type_of(em, v->type);
  if (!needs_default(em, v->type))
    return;
  const char *k = c_temp(em), *width = c_element_cells(em, v), *place = "0LL";
  c_open(em, "for (long long %s = 0; %s < %s; %s++)", k, k, c_elements(em, v), k);
  if (!has_fields(t))
    c_line(em, "(%s)[%s]%s = %s;", v->at, k, c_member(t->base),
           t->base == TY_STRING ? "\"\"" : "1");
  const char **dims = v->dims + t->n_dims;
  for (uint32_t f = 0; has_fields(t) && f < t->decl->n; f++) {
    CVal field = {t->decl->types[f],
                  arena_printf(em->a, "%s + %s", v->at, c_plus(em, c_scaled(em, k, width), place)),
                  dims};
    default_cells(em, &field);
    place = c_plus(em, place, c_cell_count(em, &field));
    dims += c_n_dims(em, field.type);
  }
  c_close(em);
}

void c_set_default(Emit *em, const CVal *v) {
  const char *n = c_cell_count(em, v);
  if (strcmp(n, "0LL"))
    c_line(em, "ds_clear(%s, %s);", v->at, n);
  default_cells(em, v);
}

/* ---- literals ---- */

static void add_literal(Emit *em, ExprId e, TypeBase base, Text *out, uint32_t *n) {
  const Expr *x = expr_get(em->p, e);
  if (!c_is_scalar(em, e)) {
    const Type *t = type_of(em, x->type);
    for (uint32_t k = 0; k < x->n; k++) {
      TypeBase inner = has_fields(t) && !t->n_dims ? type_of(em, t->decl->types[k])->base : base;
      add_literal(em, x->args[k], inner, out, n);
    }
    return;
  }
  TypeBase own = c_base(em, e);
  bool real = base == TY_REAL && own == TY_INTEGER;
  const char *value = real ? c_real(em, (double)x->integer) : emit_value(em, e);
  text_printf(out, "%s{%s = %s}", *n ? (*n % 8 ? ", " : ",\n  ") : "",
              c_member(real ? TY_REAL : own), value);
  ++*n;
}

bool c_literal(Emit *em, ExprId e, CVal *out) {
  const Type *t = type_of(em, expr_get(em->p, e)->type);
  if (!expr_is_literal(em->p, e) || type_count(em->p, expr_get(em->p, e)->type) < 0)
    return false;
  uint64_t number;
  if (!map_get(&em->literal_of, e.i, &number)) {
    uint32_t n = 0;
    Text cells = {.arena = em->a};
    add_literal(em, e, t->base, &cells, &n);
    number = em->n_tables++;
    text_printf(&em->tables, "static const DsCell table%u[] = {%s};\n", (uint32_t)number,
                n ? text_str(&cells) : "{.i = 0}");
    map_put(em->a, &em->literal_of, e.i, number);
  }
  *out = c_typed(em, expr_get(em->p, e)->type);
  out->at = arena_printf(em->a, "table%u", (uint32_t)number);
  return true;
}
