/* expr/scalars_select.c -- subscripts and record fields of expanded arrays.
 * Literal subscripts pick scalars. Where a subscript is known only at run time, the candidates
 * along its dimension stay together: A[i, 2] becomes {A[1, 2], A[2, 2], ...}[i]. */
#include "expr/scalars_impl.h"
#include "base/limits.h"

/* ---- blocks of a leaf ---- */

/* Literal position from 0; false = first, true = second, enumerations by ordinal (MLS 3.6 section
 * 10.5). */
static bool position_of(const ExprPool *p, ExprId sub, int64_t *k) {
  if (!expr_as_integer(p, sub, k))
    return false;
  *k -= expr_get(p, sub)->op != OP_BOOLEAN;
  return true;
}

static int64_t field_start(const ExprPool *p, const TypeDecl *d, uint32_t field) {
  int64_t at = 0;
  for (uint32_t i = 0; i < field; i++)
    at += type_count(p, d->types[i]);
  return at;
}

/* Walks a chain like r[2].a[3] down to its leaf: where its scalars begin in those of the leaf. */
static bool block_of(Expansion *x, const Expr *e, ExprId *leaf, int64_t *first) {
  const ExprPool *p = x->pool;
  *first = 0;
  while (e->op == OP_INDEX || e->op == OP_FIELD) {
    const Type *base = type_get(p, expr_type(p, e->args[0]));
    if (type_count(p, expr_type(p, e->args[0])) < 0)
      return false;
    if (e->op == OP_FIELD) {
      if (base->n_dims || base->base != TY_RECORD)
        return false;
      *first += field_start(p, base->decl, e->index);
    } else {
      if (e->n - 1 > base->n_dims)
        return false;
      int64_t stride = type_count(p, type_element(x->pool, expr_type(p, e->args[0]), e->n - 1));
      for (uint32_t j = e->n - 1; j >= 1; j--) {
        int64_t k;
        if (!position_of(p, e->args[j], &k) || k < 0 || k >= base->dims[j - 1])
          return false;
        *first += k * stride;
        stride *= base->dims[j - 1];
      }
    }
    *leaf = e->args[0];
    e = expr_get(p, *leaf);
  }
  return e->op == OP_REF;
}

bool selects_part(Expansion *x, const Expr *e) {
  ExprId leaf;
  int64_t first;
  return x->s->part && block_of(x, e, &leaf, &first);
}

static bool expand_block(Expansion *x, ExprId id, const Expr *e) {
  ExprId leaf = NO_EXPR;
  int64_t first;
  uint32_t n;
  if (!block_of(x, e, &leaf, &first) || !cells_count(x, e->type, &n))
    return cells_fail(x, "an array size is not known");
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  if (!x->s->part(x->s->user, leaf, (uint32_t)first, n, out))
    return cells_fail(x, "an element has no value here");
  return cells_done(x, id, out, n);
}

/* ---- fields ---- */

bool expand_field(Expansion *x, ExprId id) {
  const Expr *e = expr_get(x->pool, id);
  if (selects_part(x, e))
    return expand_block(x, id, e);
  Cells c = cells_of(x, e->args[0]);
  const Type *base = type_get(x->pool, expr_type(x->pool, e->args[0]));
  if ((base->base != TY_RECORD && base->base != TY_TUPLE) || e->index >= base->decl->n)
    return cells_fail(x, "a field of something that is not a record");
  uint32_t size, width;
  if (!cells_count(x, element_type(x->pool, expr_type(x->pool, e->args[0])), &size) ||
      !cells_count(x, base->decl->types[e->index], &width))
    return false;
  uint32_t start = (uint32_t)field_start(x->pool, base->decl, e->index),
           records = size ? c.n / size : 0;
  uint32_t n = records * width;
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t r = 0; r < records; r++)
    for (uint32_t k = 0; k < width; k++)
      out[r * width + k] = cell(&c, r * size + start + k);
  return cells_done(x, id, out, n);
}

/* ---- subscripts ---- */

typedef struct {
  Expansion *x;
  Cells base;
  uint32_t n_subs;
  int32_t dims[MOST_DIMS];    /* of the subscripted dimensions */
  uint32_t stride[MOST_DIMS]; /* scalars per step of a subscript */
  Cells subs[MOST_DIMS];
  ExprId chosen[MOST_DIMS]; /* the subscripts of the current block */
  uint32_t block;           /* scalars below the subscripts */
  TypeId *types;            /* of the scalars of a block */
} Selection;

/* All candidates along the dimensions whose chosen subscript is not a literal, from dimension j
 * on. */
static ExprId candidates(Selection *s, uint32_t j, uint32_t offset, TypeId element, TypeId *type) {
  ExprPool *p = s->x->pool;
  int64_t k;
  while (j < s->n_subs && position_of(p, s->chosen[j], &k)) {
    offset += (uint32_t)k * s->stride[j];
    j++;
  }
  if (j == s->n_subs) {
    *type = element;
    return cell(&s->base, offset);
  }
  uint32_t n = (uint32_t)s->dims[j];
  ExprId *items = cells_new(s->x, n);
  TypeId inner = element;
  for (uint32_t i = 0; i < n; i++)
    items[i] = candidates(s, j + 1, offset + i * s->stride[j], element, &inner);
  *type = type_array(p, inner, 1, &s->dims[j]);
  return expr_make(p, OP_ARRAY, *type, n, items);
}

/* The scalars of the block that `chosen` selects. */
static bool select_block(Selection *s, ExprId *out) {
  ExprPool *p = s->x->pool;
  ExprId args[MOST_DIMS + 1];
  uint32_t open = 0;
  for (uint32_t j = 0; j < s->n_subs; j++) {
    int64_t k;
    if (!position_of(p, s->chosen[j], &k))
      args[++open] = s->chosen[j];
    else if (k < 0 || k >= s->dims[j])
      return cells_fail(s->x, "a subscript is out of range");
    if (s->dims[j] == 0)
      return cells_fail(s->x, "a subscript is out of range");
  }
  for (uint32_t q = 0; q < s->block; q++) {
    TypeId type;
    args[0] = candidates(s, 0, q, s->types[q], &type);
    out[q] = open ? expr_make(p, OP_INDEX, s->types[q], open + 1, args) : args[0];
  }
  return true;
}

static bool prepare(Selection *s, const Expr *e) {
  Expansion *x = s->x;
  TypeId base_type = expr_type(x->pool, e->args[0]);
  const Type *base = type_get(x->pool, base_type);
  s->n_subs = e->n - 1;
  if (s->n_subs > base->n_dims || s->n_subs > MOST_DIMS)
    return cells_fail(x, "too many subscripts");
  TypeId block = type_element(x->pool, base_type, s->n_subs);
  uint32_t all;
  if (!cells_count(x, base_type, &all) || !cells_count(x, block, &s->block))
    return false;
  s->base = cells_of(x, e->args[0]);
  if (s->base.n != all)
    return cells_fail(x, "an array has an unexpected size");
  s->types = NEW_ARRAY(walk_scratch(&x->walk), TypeId, s->block);
  flat_types(x->pool, block, s->types);
  uint32_t stride = s->block;
  for (uint32_t j = s->n_subs; j-- > 0;) {
    s->dims[j] = base->dims[j];
    s->stride[j] = stride;
    stride *= (uint32_t)base->dims[j];
    s->subs[j] = cells_of(x, e->args[j + 1]);
  }
  return true;
}

bool expand_index(Expansion *x, ExprId id) {
  const Expr *e = expr_get(x->pool, id);
  if (selects_part(x, e))
    return expand_block(x, id, e);
  Selection s = {.x = x};
  if (!prepare(&s, e))
    return false;
  uint64_t blocks = 1;
  for (uint32_t j = 0; j < s.n_subs; j++)
    blocks *= s.subs[j].n;
  if (blocks * s.block > INT32_MAX)
    return cells_fail(x, "the array is too large");
  uint32_t n = (uint32_t)blocks * s.block;
  ExprId one, *out = n == 1 ? &one : cells_new(x, n);
  for (uint32_t b = 0; b < blocks; b++) {
    /* the last subscript runs fastest */
    uint32_t rest = b;
    for (uint32_t j = s.n_subs; j-- > 0;) {
      s.chosen[j] = cell(&s.subs[j], rest % s.subs[j].n);
      rest /= s.subs[j].n;
    }
    if (!select_block(&s, out + b * s.block))
      return false;
  }
  return cells_done(x, id, out, n);
}
