/* expr/eval_index.c -- parts of values: subscripts (MLS 3.6 section 10.5) and record fields.
 * A part is first selected (which cells of the whole), then read or written. Neighbouring cells are
 * a view: reading a[i] or r.x copies nothing. */
#include <string.h>

#include "expr/eval_impl.h"

/* ---- subscripts ---- */

/* Position of a subscript from 0; Boolean subscripts run over false, true. */
static bool position(Eval *ev, int64_t subscript, TypeBase base, int32_t size, uint32_t *out) {
  int64_t i = base == TY_BOOLEAN ? subscript + 1 : subscript;
  if (i < 1 || i > size)
    return ev_fail(ev, "subscript %lld is out of range 1:%d", (long long)i, size);
  *out = (uint32_t)(i - 1);
  return true;
}

static bool scalar_subscript(Eval *ev, ExprId e, int32_t size, uint32_t *out) {
  int64_t i;
  return ev_integer(ev, e, &i) && position(ev, i, ev_base(ev, e), size, out);
}

static bool is_scalar_subscript(const Eval *ev, ExprId e) {
  return e.i && !ev_type(ev, expr_get(ev->pool, e)->type)->n_dims;
}

/* The selected positions along one dimension. */
typedef struct {
  uint32_t n;
  const uint32_t *at; /* NULL: all, from 0 */
  bool drops;         /* the dimension */
} Along;

static bool vector_subscript(Eval *ev, ExprId e, int32_t size, Along *a) {
  if (!e.i) { /* a colon */
    *a = (Along){.n = (uint32_t)size};
    return true;
  }
  Value v;
  if (!ev_value(ev, e, &v) || !ev_charge(ev, v.n))
    return false;
  TypeBase base = ev_type(ev, v.type)->base;
  uint32_t *at = ev_push(ev, &ev->run->temps, sizeof *at * (v.n + 1));
  for (uint32_t i = 0; i < v.n; i++)
    if (!position(ev, v.at[i].integer, base, size, &at[i]))
      return false;
  *a = (Along){v.n, at, false};
  return true;
}

/* Turns the positions along each dimension into cells, row by row; `width` cells per element. */
static bool gather(Eval *ev, const Type *t, const Along *along, uint64_t n, uint32_t width,
                   Selection *s) {
  if (!ev_charge(ev, n))
    return false;
  uint32_t *cells = ev_push(ev, &ev->run->temps, sizeof *cells * (n + 1)), counter[MOST_DIMS] = {0};
  bool row = true; /* neighbouring cells */
  for (uint64_t k = 0; k < n;) {
    uint32_t at = 0;
    for (uint32_t d = 0; d < t->n_dims; d++)
      at = at * (uint32_t)t->dims[d] + (along[d].at ? along[d].at[counter[d]] : counter[d]);
    for (uint32_t w = 0; w < width; w++, k++) {
      cells[k] = at * width + w;
      row = row && cells[k] == cells[0] + k;
    }
    for (uint32_t d = t->n_dims; d-- > 0;) {
      if (++counter[d] < along[d].n)
        break;
      counter[d] = 0;
    }
  }
  s->n = (uint32_t)n;
  s->start = n ? cells[0] : 0;
  s->cells = row ? NULL : cells;
  return true;
}

static bool select_slice(Eval *ev, TypeId whole, const ExprId *subs, uint32_t n_subs,
                         uint32_t width, Selection *s) {
  const Type *t = ev_type(ev, whole);
  Along along[MOST_DIMS];
  int32_t dims[MOST_DIMS];
  uint32_t n_dims = 0;
  uint64_t n = width;
  for (uint32_t d = 0; d < t->n_dims; d++) {
    if (d < n_subs && is_scalar_subscript(ev, subs[d])) {
      uint32_t *at = ev_push(ev, &ev->run->temps, sizeof *at);
      if (!scalar_subscript(ev, subs[d], t->dims[d], at))
        return false;
      along[d] = (Along){1, at, true};
    } else if (!vector_subscript(ev, d < n_subs ? subs[d] : NO_EXPR, t->dims[d], &along[d])) {
      return false;
    }
    if (!along[d].drops)
      dims[n_dims++] = (int32_t)along[d].n;
    if (__builtin_mul_overflow(n, along[d].n, &n))
      return ev_limit(ev, "the array is too large");
  }
  s->type = ev_shape(ev, whole, n_dims, dims);
  return gather(ev, t, along, n, width, s);
}

static bool select_subscripts(Eval *ev, TypeId whole, const ExprId *subs, uint32_t n_subs,
                              Selection *s) {
  const Type *t = ev_type(ev, whole);
  if (n_subs > t->n_dims || t->n_dims > MOST_DIMS)
    return ev_fail(ev, "%u subscripts for an array of %u dimensions", n_subs, t->n_dims);
  uint32_t width = 1, rest, at = 0, k = 0, i;
  if (t->base == TY_RECORD)
    width = (uint32_t)type_count(ev->pool, ev_cell_type(ev, whole));
  while (k < n_subs && is_scalar_subscript(ev, subs[k]))
    k++;
  if (k < n_subs)
    return select_slice(ev, whole, subs, n_subs, width, s);
  /* scalar subscripts only: a run of neighbouring cells */
  for (k = 0; k < n_subs; k++) {
    if (!scalar_subscript(ev, subs[k], t->dims[k], &i))
      return false;
    at = at * (uint32_t)t->dims[k] + i;
  }
  for (rest = width; k < t->n_dims; k++)
    rest *= (uint32_t)t->dims[k];
  bool plain = n_subs == t->n_dims && !t->decl; /* the common case, without a search for the type */
  TypeId type = plain ? type_scalar(ev->pool, t->base) : type_element(ev->pool, whole, n_subs);
  *s = (Selection){.type = type, .n = rest, .start = at * rest};
  return true;
}

/* ---- fields ---- */

static bool select_field(Eval *ev, TypeId whole, uint32_t k, Selection *s) {
  const Type *t = ev_type(ev, whole);
  if ((t->base != TY_RECORD && t->base != TY_TUPLE) || k >= t->decl->n)
    return ev_fail(ev, "the record has no field number %u", k + 1);
  uint32_t before = 0, width = 0, m = 1, all = 0;
  for (uint32_t i = 0; i < t->decl->n; i++) {
    uint32_t n = (uint32_t)type_count(ev->pool, t->decl->types[i]);
    before += i < k ? n : 0;
    width = i == k ? n : width;
    all += n;
  }
  for (uint32_t d = 0; d < t->n_dims; d++)
    m *= (uint32_t)t->dims[d];
  *s = (Selection){.type = t->decl->types[k], .n = width * m, .start = before};
  if (!t->n_dims)
    return true;
  s->type = type_array(ev->pool, s->type, t->n_dims, t->dims);
  if (m == 1 || width == all)
    return true;
  if (!ev_charge(ev, s->n))
    return false;
  uint32_t *cells = ev_push(ev, &ev->run->temps, sizeof *cells * (s->n + 1));
  for (uint32_t i = 0; i < s->n; i++)
    cells[i] = i / width * all + before + i % width;
  s->cells = cells;
  return true;
}

bool select_part(Eval *ev, const Expr *x, TypeId whole, Selection *s) {
  if (x->op == OP_FIELD)
    return select_field(ev, whole, x->index, s);
  return select_subscripts(ev, whole, x->args + 1, x->n - 1, s);
}

bool select_inner(Eval *ev, const Selection *outer, const Selection *in, Selection *s) {
  *s = *in;
  if (!outer->cells) {
    s->start += outer->start;
    if (!in->cells || !outer->start)
      return true;
  }
  if (!ev_charge(ev, in->n))
    return false;
  uint32_t *cells = ev_push(ev, &ev->run->temps, sizeof *cells * (in->n + 1));
  for (uint32_t i = 0; i < in->n; i++) {
    uint32_t k = in->cells ? in->cells[i] : in->start + i;
    cells[i] = outer->cells ? outer->cells[k] : outer->start + k;
  }
  s->cells = cells;
  return true;
}

/* ---- reading ---- */

static bool read_part(Eval *ev, const Value *whole, const Selection *s, Value *out) {
  *out = (Value){s->type, s->n, whole->at + s->start};
  if (!s->cells)
    return true;
  out->at = ev_cells(ev, s->n);
  if (!out->at)
    return false;
  for (uint32_t i = 0; i < s->n; i++)
    out->at[i] = whole->at[s->cells[i]];
  return true;
}

bool index_value(Eval *ev, const Expr *x, Value *out) {
  /* of {a, b, c}[i] only the chosen item is evaluated */
  ExprId e = x->args[0];
  uint32_t k = 1;
  for (const Expr *a; k < x->n && (a = expr_get(ev->pool, e))->op == OP_ARRAY &&
                      is_scalar_subscript(ev, x->args[k]);
       k++) {
    uint32_t i;
    if (!scalar_subscript(ev, x->args[k], (int32_t)a->n, &i))
      return false;
    e = a->args[i];
  }
  Value whole;
  Selection s;
  if (!ev_value_as(ev, e, ev_type(ev, x->type)->base, &whole))
    return false;
  if (k == x->n) {
    *out = whole;
    return true;
  }
  return select_subscripts(ev, whole.type, x->args + k, x->n - k, &s) &&
         read_part(ev, &whole, &s, out);
}

bool field_value(Eval *ev, const Expr *x, Value *out) {
  Value whole;
  Selection s;
  return ev_value(ev, x->args[0], &whole) && select_field(ev, whole.type, x->index, &s) &&
         read_part(ev, &whole, &s, out);
}
