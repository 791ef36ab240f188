/* instance/elab_reduce.c -- {e for i in r} and sum(e for i in r) (MLS 3.6 sections 10.3.4 and
 * 10.4.1).
 * In models the ranges are known and every element is typed for itself; in functions the iterators
 * become LOCALs. */
#include "instance/inst.h"

#include <string.h>

static bool unrolled(Elab *el, const AstExp *e, uint32_t level, ExprId *out);

/* The type of one element when there is none: that of the body for some value of the iterator; Real
 * if that fails. */
static TypeId type_of_round(Elab *el, const AstExp *e, uint32_t level, TypeId item) {
  ExprPool *p = el->w->pool;
  Binder binder = {e->iterators[level - 1].name, expr_local(p, item, el->w->n_iterators),
                   el->binders};
  Elab inner = *el;
  inner.binders = &binder;
  inner.quiet = true;
  uint32_t mark = diags_count(el->w->diags);
  ExprId one = NO_EXPR;
  bool ok = unrolled(&inner, e, level - 1, &one);
  diags_rewind(el->w->diags, mark);
  if (!ok)
    return type_scalar(p, TY_REAL);
  const Type *t = elab_type_get(el, one);
  int32_t dims[32];
  for (uint32_t i = 0; i < t->n_dims && i < 32; i++)
    dims[i] = t->dims[i] < 0 ? 0 : t->dims[i];
  return t->n_dims > 32
             ? type_scalar(p, TY_REAL)
             : type_array(p, type_element(p, elab_type(el, one), t->n_dims), t->n_dims, dims);
}

/* In models the range is known: one element per value. Levels count from the last iterator, which
 * is the outermost dimension of {e for i in a, j in b}. */
static bool unrolled(Elab *el, const AstExp *e, uint32_t level, ExprId *out) {
  ExprPool *p = el->w->pool;
  if (!level) {
    *out = elab_exp(el, e->body);
    return out->i != 0;
  }
  Value v;
  LoopBody body = {.exp = e->body};
  if (!elab_loop_values(el, &e->iterators[level - 1], &body, &v))
    return false;
  TypeId item = type_element(p, v.type, 1);
  ExprId *items = NEW_ARRAY(el->w->arena, ExprId, v.n ? v.n : 1);
  for (uint32_t k = 0; k < v.n; k++) {
    Value one = {.type = item, .n = 1, .at = &v.at[k]};
    Binder binder = {e->iterators[level - 1].name, expr_of_value(p, &one), el->binders};
    Elab inner = *el;
    inner.binders = &binder;
    if (!elab_one_round(el, e->span) || !unrolled(&inner, e, level - 1, &items[k]))
      return false;
  }
  if (!v.n) {
    int32_t zero = 0;
    *out = expr_make(p, OP_ARRAY, type_array(p, type_of_round(el, e, level, item), 1, &zero), 0,
                     items);
    return true;
  }
  *out = elab_array(el, v.n, items, e->span);
  return out->i != 0;
}

/* In functions the iterators become LOCALs. */
static ExprId comprehension_in_function(Elab *el, const AstExp *e) {
  ExprPool *p = el->w->pool;
  uint32_t first = el->function->n_locals;
  el->function->n_locals += e->n;
  Binder *binders = NEW_ARRAY(el->w->arena, Binder, e->n);
  ExprId *args = NEW_ARRAY(el->w->arena, ExprId, e->n + 1);
  int32_t dims[32];
  Elab inner = *el;
  if (e->n > 32)
    return elab_error(el, D_T302, e->span, "too many iterators");
  for (uint32_t i = e->n; i-- > 0;) { /* the last iterator is the outermost */
    LoopBody body = {.exp = e->body};
    ExprId r = elab_loop_range(&inner, &e->iterators[i], &body);
    if (!r.i)
      return r;
    dims[e->n - 1 - i] = elab_type_get(el, r)->dims[0];
    args[e->n - i] = r;
    binders[i] = (Binder){e->iterators[i].name,
                          expr_local(p, type_element(p, elab_type(el, r), 1), first + i),
                          inner.binders};
    inner.binders = &binders[i];
  }
  args[0] = elab_exp(&inner, e->body);
  if (!args[0].i)
    return NO_EXPR;
  return expr_make_index(p, OP_COMPREHEND, type_array(p, elab_type(el, args[0]), e->n, dims), first,
                         0, e->n + 1, args);
}

static ExprId comprehension(Elab *el, const AstExp *e) {
  if (el->function)
    return comprehension_in_function(el, e);
  ExprId out = NO_EXPR;
  return unrolled(el, e, e->n, &out) ? out : NO_EXPR;
}

/* ---- reductions ---- */

/* 1:size(array, d + 1) */
static ExprId whole_dimension(Elab *el, ExprId array, uint32_t d) {
  ExprPool *p = el->w->pool;
  TypeId integer = type_scalar(p, TY_INTEGER);
  int32_t size = elab_type_get(el, array)->dims[d];
  TypeId type = type_array(p, integer, 1, &size);
  if (size == DIM_UNKNOWN) {
    ExprId dim[2] = {array, expr_integer(p, d + 1)};
    ExprId range[3] = {expr_integer(p, 1), expr_integer(p, 1),
                       expr_make(p, OP_SIZE, integer, 2, dim)};
    return expr_make(p, OP_RANGE, type, 3, range);
  }
  ExprId *numbers = NEW_ARRAY(el->w->arena, ExprId, size ? size : 1);
  for (int32_t i = 0; i < size; i++)
    numbers[i] = expr_integer(p, i + 1);
  return expr_make(p, OP_ARRAY, type, (uint32_t)size, numbers);
}

/* Sums of arrays are arrays (MLS 10.3.4.1): the dimensions from `d` on stay; subs[0 .. d] are
 * chosen already. */
static ExprId sum_of_arrays(Elab *el, uint32_t d, ExprId *subs, Span span) {
  ExprPool *p = el->w->pool;
  const Type *t = elab_type_get(el, subs[0]);
  if (d == t->n_dims) {
    uint32_t kept = 0;
    int32_t dims[32];
    for (uint32_t i = 0; i < d; i++)
      if (elab_type_get(el, subs[i + 1])->n_dims)
        dims[kept++] = t->dims[i];
    TypeId element = type_element(p, elab_type(el, subs[0]), d);
    ExprId part = expr_make(p, OP_INDEX, type_array(p, element, kept, dims), d + 1, subs);
    return expr_make(p, OP_SUM, element, 1, &part);
  }
  int32_t size = t->dims[d];
  if (size == DIM_UNKNOWN && el->function) {
    uint32_t iterator = el->function->n_locals++;
    subs[d + 1] = expr_local(p, type_scalar(p, TY_INTEGER), iterator);
    ExprId both[2] = {sum_of_arrays(el, d + 1, subs, span), whole_dimension(el, subs[0], d)};
    return expr_make_index(p, OP_COMPREHEND, type_array(p, elab_type(el, both[0]), 1, &size),
                           iterator, 0, 2, both);
  }
  if (size <= 0)
    return elab_error(el, D_T302, span, "the size of this sum is not known");
  ExprId *items = NEW_ARRAY(el->w->arena, ExprId, size);
  for (int32_t k = 0; k < size; k++) {
    subs[d + 1] = expr_integer(p, k + 1);
    items[k] = sum_of_arrays(el, d + 1, subs, span);
    if (!items[k].i)
      return NO_EXPR;
  }
  return elab_array(el, (uint32_t)size, items, span);
}

static ExprId reduce_arrays(Elab *el, Op op, ExprId array, uint32_t iterators, Span span) {
  uint32_t n = elab_type_get(el, array)->n_dims;
  if (op != OP_SUM || n > 32)
    return elab_error(
        el, D_T302, span, "this reduction needs scalars, these are %s",
        elab_type_text(el, type_element(el->w->pool, elab_type(el, array), iterators)));
  ExprId *subs = NEW_ARRAY(el->w->arena, ExprId, n + 1);
  subs[0] = array;
  for (uint32_t d = 0; d < iterators; d++)
    subs[d + 1] = whole_dimension(el, array, d);
  return sum_of_arrays(el, iterators, subs, span);
}

/* sum(e for i in r): the reduction of the array */
ExprId elab_reduction(Elab *el, const AstExp *e) {
  ExprPool *p = el->w->pool;
  ExprId array = comprehension(el, e);
  if (!array.i || !e->function)
    return array;
  const char *name = e->function->n == 1 ? e->function->parts[0].name : "";
  Op op = strcmp(name, "sum") == 0       ? OP_SUM
          : strcmp(name, "product") == 0 ? OP_PRODUCT
          : strcmp(name, "min") == 0     ? OP_MIN
          : strcmp(name, "max") == 0     ? OP_MAX
                                         : OP_COUNT;
  if (strcmp(name, "array") == 0)
    return array;
  if (op == OP_COUNT)
    return elab_error(el, D_T304, e->span,
                      "`%s` cannot be used as a reduction (sum, product, min, max, array can)",
                      name);
  TypeId t = elab_type(el, array);
  if (type_get(p, t)->n_dims > e->n)
    return reduce_arrays(el, op, array, e->n, e->span);
  return expr_make(p, op, type_element(p, t, type_get(p, t)->n_dims), 1, &array);
}
