/* expr/eval_iterate.c -- ranges (MLS 3.6 section 10.4.3), array constructors and reductions with
 * iterators (10.3.4, 10.4.1). A range is kept as start, step and count; only a range used as a
 * vector becomes cells. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "expr/eval_impl.h"

/* ---- ranges ---- */

/* A quotient that misses a whole number by rounding counts as that number; the allowance is a few
 * units in the last place of the largest quantity involved. */
double eval_range_steps(double start, double step, double stop) {
  static const double few_ulps = 4 * DBL_EPSILON;
  double quotient = (stop - start) / step, whole = round(quotient);
  double scale = fmax(fabs(quotient), (fabs(start) + fabs(stop)) / fabs(step));
  return fabs(quotient - whole) <= few_ulps * scale ? whole : floor(quotient);
}

static double integer_steps(int64_t start, int64_t step, int64_t stop) {
  bool empty = step > 0 ? start > stop : start < stop;
  uint64_t span = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
  uint64_t size = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
  return empty ? -1 : (double)(span / size);
}

static bool range(Eval *ev, const Expr *x, Sequence *s) {
  Scalar stop;
  *s = (Sequence){
      .type = type_element(ev->pool, x->type, 1), .base = ev_type(ev, x->type)->base, .width = 1};
  bool real = s->base == TY_REAL, stepped = (real || s->base == TY_INTEGER) && x->args[1].i;
  if (real)
    s->step.real = 1;
  else
    s->step.integer = 1;
  if (!ev_scalar_as(ev, x->args[0], s->base, &s->start) ||
      (stepped && !ev_scalar_as(ev, x->args[1], s->base, &s->step)) ||
      !ev_scalar_as(ev, x->args[2], s->base, &stop))
    return false;
  if (real ? s->step.real == 0 : s->step.integer == 0)
    return ev_fail(ev, "the step of a range is zero");
  double steps = real ? eval_range_steps(s->start.real, s->step.real, stop.real)
                      : integer_steps(s->start.integer, s->step.integer, stop.integer);
  if (!isfinite(steps))
    return ev_fail(ev, "the range is not finite");
  if (steps >= INT32_MAX)
    return ev_limit(ev, "a range of more than %d items is too large", INT32_MAX);
  s->n = steps < 0 ? 0 : (uint32_t)steps + 1;
  return true;
}

bool sequence_of(Eval *ev, ExprId e, Sequence *s) {
  const Expr *x = expr_get(ev->pool, e);
  if (x->op == OP_RANGE)
    return range(ev, x, s);
  Value v;
  if (!ev_value(ev, e, &v))
    return false;
  const Type *t = ev_type(ev, v.type);
  if (!t->n_dims)
    return ev_fail(ev, "an iterator needs a vector");
  uint32_t n = (uint32_t)t->dims[0];
  *s = (Sequence){.type = type_element(ev->pool, v.type, 1),
                  .base = t->base,
                  .n = n,
                  .width = n ? v.n / n : 0,
                  .items = v.at};
  return true;
}

Scalar sequence_at(const Sequence *s, uint32_t i) {
  Scalar item;
  if (s->base == TY_REAL)
    item.real = s->start.real + i * s->step.real;
  else
    item.integer = s->start.integer + (int64_t)i * s->step.integer;
  return item;
}

bool iterate_range(Eval *ev, ExprId e, Value *out) {
  Sequence s;
  if (!range(ev, expr_get(ev->pool, e), &s))
    return false;
  *out = (Value){type_array(ev->pool, s.type, 1, (int32_t[]){(int32_t)s.n}), s.n,
                 ev_cells(ev, s.n)};
  if (!out->at)
    return false;
  for (uint32_t i = 0; i < s.n; i++)
    out->at[i] = sequence_at(&s, i);
  return true;
}

/* ---- loops over iterators ---- */

/* The iterators of a COMPREHEND or REDUCE node: sequences[0] belongs to the last iterator and turns
 * slowest. */
typedef struct {
  uint32_t n;
  uint64_t total; /* combinations */
  Sequence *sequences;
  uint32_t *counters;
  Scalar *cells; /* where range items are put */
  Value *values; /* of the iterators by LOCAL number: the first iterator first */
  Value *saved;  /* what the function's slots held before; NULL outside of functions */
  EvalIter link;
} Loop;

static void loop_set(Loop *l, uint32_t i) {
  const Sequence *s = &l->sequences[i];
  Value *v = &l->values[l->n - 1 - i];
  if (!s->n)
    return;
  *v = (Value){s->type, s->width, &l->cells[i]};
  if (s->items)
    v->at = (Scalar *)(uintptr_t)(s->items + (size_t)s->width * l->counters[i]);
  else
    l->cells[i] = sequence_at(s, l->counters[i]);
}

static bool loop_open(Eval *ev, const Expr *x, Loop *l) {
  EvalRun *run = ev->run;
  *l = (Loop){.n = x->n - 1, .total = 1};
  l->sequences = ev_push(ev, &run->temps, sizeof *l->sequences * (l->n + 1));
  l->counters = ev_push(ev, &run->temps, sizeof *l->counters * (l->n + 1));
  l->cells = ev_push(ev, &run->temps, sizeof *l->cells * (l->n + 1));
  Value *room = ev_push(ev, &run->temps, sizeof *room * (l->n + 1));
  for (uint32_t i = 0; i < l->n; i++) {
    l->counters[i] = 0;
    if (!sequence_of(ev, x->args[i + 1], &l->sequences[i]))
      return false;
    if (__builtin_mul_overflow(l->total, (uint64_t)l->sequences[i].n, &l->total))
      return ev_limit(ev, "too many iterations");
  }
  if (run->frame && x->index + l->n <= run->frame->n) {
    l->values = run->frame->locals + x->index;
    l->saved = room;
    memcpy(room, l->values, sizeof *room * l->n);
  } else {
    l->values = room;
    l->link = (EvalIter){.first = x->index, .n = l->n, .values = room, .outer = run->iters};
    run->iters = &l->link;
  }
  for (uint32_t i = 0; i < l->n; i++)
    loop_set(l, i);
  return true;
}

static void loop_next(Loop *l) {
  for (uint32_t i = l->n; i-- > 0;) {
    bool wraps = ++l->counters[i] >= l->sequences[i].n;
    if (wraps)
      l->counters[i] = 0;
    loop_set(l, i);
    if (!wraps)
      return;
  }
}

static void loop_close(Eval *ev, Loop *l) {
  if (l->saved)
    memcpy(l->values, l->saved, sizeof *l->saved * l->n);
  else
    ev->run->iters = l->link.outer;
}

/* ---- array constructor with iterators ---- */

static bool comprehend_scalars(Eval *ev, ExprId body, TypeBase base, Loop *l, Value *out) {
  out->at = ev_cells(ev, l->total);
  if (!out->at)
    return false;
  out->n = (uint32_t)l->total;
  for (uint32_t k = 0; k < out->n; k++, loop_next(l)) {
    Mark mark = ev_mark(&ev->run->temps);
    if (!ev_scalar_as(ev, body, base, &out->at[k]))
      return false;
    if (base != TY_STRING)
      ev_release(&ev->run->temps, mark);
  }
  out->type = ev_cell_type(ev, out->type);
  return true;
}

/* Items that are arrays or records: the first one gives the size of all. out->type becomes the type
 * of an item. */
static bool comprehend_arrays(Eval *ev, ExprId body, TypeBase base, Loop *l, Value *out) {
  Value item = {.type = expr_get(ev->pool, body)->type};
  if (!l->total) {
    *out = (Value){ev_sized(ev, item.type) ? item.type : ev_cell_type(ev, item.type), 0,
                   ev_cells(ev, 0)};
    return out->at != NULL;
  }
  for (uint64_t k = 0; k < l->total; k++, loop_next(l)) {
    Mark mark = ev_mark(&ev->run->temps);
    if (!ev_value_as(ev, body, base, &item))
      return false;
    if (k == 0) {
      uint64_t all;
      if (__builtin_mul_overflow(l->total, (uint64_t)item.n, &all))
        return ev_limit(ev, "the array is too large");
      *out = (Value){item.type, item.n, ev_cells(ev, all)};
      if (!out->at)
        return false;
    }
    if (item.n != out->n || !ev_same_dims(ev_type(ev, item.type), ev_type(ev, out->type)))
      return ev_fail(ev, "the items of an array have different sizes");
    ev_cast(ev, item.type, out->type, item.at, out->at + k * item.n, item.n);
    if (k > 0 && base != TY_STRING && base != TY_RECORD) /* those may point to temps */
      ev_release(&ev->run->temps, mark);
  }
  out->n = (uint32_t)(l->total * item.n);
  return true;
}

bool iterate_comprehend(Eval *ev, const Expr *x, Value *out) {
  TypeBase base = ev_type(ev, x->type)->base;
  Loop l;
  int32_t dims[MOST_DIMS];
  if (x->n - 1 > MOST_DIMS)
    return ev_fail(ev, "an array of more than %d dimensions", MOST_DIMS);
  if (!loop_open(ev, x, &l))
    return false;
  for (uint32_t i = 0; i < l.n; i++)
    dims[i] = (int32_t)l.sequences[i].n;
  *out = (Value){.type = x->type};
  bool scalars = ev_is_scalar(ev_type(ev, expr_get(ev->pool, x->args[0])->type));
  bool ok = scalars ? comprehend_scalars(ev, x->args[0], base, &l, out)
                    : comprehend_arrays(ev, x->args[0], base, &l, out);
  loop_close(ev, &l);
  if (ok)
    out->type = type_array(ev->pool, out->type, l.n, dims);
  return ok;
}

/* ---- reduction with iterators ---- */

bool reduce_empty(Eval *ev, Op op, TypeId type, Scalar *out) {
  const Type *t = ev_type(ev, type);
  bool real = t->base == TY_REAL, least = op == OP_MAX2;
  if (op == OP_MIN2 || op == OP_MAX2) {
    if (real)
      out->real = least ? -DBL_MAX : DBL_MAX;
    else if (t->base == TY_BOOLEAN)
      out->integer = !least;
    else if (t->base == TY_ENUM)
      out->integer = least ? 1 : t->decl->n;
    else
      out->integer = least ? INT64_MIN : INT64_MAX;
  } else if (real) {
    out->real = op == OP_MUL;
  } else if (t->base == TY_STRING) {
    out->string = "";
  } else {
    out->integer = op == OP_MUL;
  }
  return true;
}

/* Takes one more item into out. */
static bool reduce_item(Eval *ev, Kernel kernel, const Value *item, bool first, Value *out) {
  if (first) {
    *out = (Value){item->type, item->n, ev_cells(ev, item->n)};
    if (out->at && item->n)
      memcpy(out->at, item->at, sizeof *out->at * item->n);
    return out->at != NULL;
  }
  if (item->n != out->n)
    return ev_fail(ev, "the terms have different sizes");
  for (uint32_t i = 0; i < item->n; i++)
    if (!kernel(ev, (Scalar[]){out->at[i], item->at[i]}, &out->at[i]))
      return false;
  return true;
}

static bool reduce_nothing(Eval *ev, const Expr *x, Value *out) {
  if (!ev_sized(ev, x->type))
    return ev_fail(ev, "the size of a sum without terms is not known");
  uint32_t n = (uint32_t)type_count(ev->pool, x->type);
  *out = (Value){x->type, n, ev_cells(ev, n)};
  if (!out->at)
    return false;
  TypeId cell = ev_cell_type(ev, x->type);
  for (uint32_t i = 0; i < n; i++)
    reduce_empty(ev, (Op)x->payload2, cell, &out->at[i]);
  return true;
}

bool iterate_reduce(Eval *ev, const Expr *x, Value *out) {
  TypeBase base = ev_type(ev, x->type)->base;
  Kernel kernel = ev_kernel_of(ev, (Op)x->payload2, base);
  Loop l;
  if (!kernel)
    return ev_fail(ev, "the reduction is not defined for its type");
  if (!loop_open(ev, x, &l))
    return false;
  bool ok = l.total || reduce_nothing(ev, x, out);
  for (uint64_t k = 0; ok && k < l.total; k++, loop_next(&l)) {
    Mark mark = ev_mark(&ev->run->temps);
    Value item;
    ok = ev_value_as(ev, x->args[0], base, &item) && reduce_item(ev, kernel, &item, k == 0, out);
    if (k > 0 && base != TY_STRING)
      ev_release(&ev->run->temps, mark);
  }
  loop_close(ev, &l);
  return ok;
}
