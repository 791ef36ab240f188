/* emit/emit_iterate.c -- ranges (MLS 3.6 section 10.4.3), for-loops, array constructors and
 * reductions with iterators (10.3.4, 10.4.1).
 * A range that a loop runs over is start, step and count; only a range used as a vector becomes
 * cells. */
#include "emit/emit_impl.h"

#include <float.h>
#include <string.h>

static TypeBase base_of(const Emit *em, TypeId t) { return type_get(em->p, t)->base; }

/* ---- sequences ---- */

typedef struct {
  TypeId item;
  const char *n;            /* items */
  const char *start, *step; /* of a range */
  CVal vector;              /* else */
  bool is_range;
} Sequence;

static bool range_of(Emit *em, const Expr *x, Sequence *s) {
  TypeId item = type_element(em->p, x->type, 1);
  TypeBase base = base_of(em, item);
  bool real = base == TY_REAL;
  const char *a = emit_value_as(em, x->args[0], base), *b = emit_value_as(em, x->args[2], base);
  const char *step = x->args[1].i ? emit_value_as(em, x->args[1], base)
                     : real       ? c_real(em, 1)
                                  : "1LL";
  int64_t from, to, by;
  double by_real;
  bool plain = c_known(step, &by) && by == 1;
  *s = (Sequence){.item = item, .is_range = true, .start = a, .step = step};
  if (!real && plain && c_known(a, &from) && c_known(b, &to)) {
    s->n = c_integer(em, to < from ? 0 : to - from + 1);
    return true;
  }
  if (real) {
    s->start = c_temp(em), s->step = c_temp(em);
    c_line(em, "const double %s = %s, %s = %s;", s->start, a, s->step, step);
  } else
    s->start = c_own(em, a), s->step = c_own(em, step);
  if (x->args[1].i && !(expr_as_real(em->p, x->args[1], &by_real) && by_real != 0))
    c_fail_if(em, arena_printf(em->a, "%s == 0", s->step), "the step of a range is zero");
  s->n = c_own(em, arena_printf(em->a, "%s(%s, %s, %s)", real ? "ds_range" : "ds_range_i", s->start,
                                s->step, b));
  if (real)
    c_fail_if(em, arena_printf(em->a, "%s < 0", s->n), "a range is not finite");
  return true;
}

static bool sequence_of(Emit *em, ExprId e, Sequence *s) {
  const Expr *x = expr_get(em->p, e);
  if (x->op == OP_RANGE)
    return range_of(em, x, s);
  *s = (Sequence){.is_range = false};
  if (!emit_cells(em, e, &s->vector) || !type_get(em->p, s->vector.type)->n_dims)
    return false;
  s->item = type_element(em->p, s->vector.type, 1);
  s->n = s->vector.dims[0];
  return true;
}

static const char *range_item(Emit *em, const Sequence *s, const char *k) {
  if (base_of(em, s->item) == TY_REAL)
    return arena_printf(em->a, "%s + (double)%s * %s", s->start, k, s->step);
  if (!strcmp(s->step, "1LL"))
    return arena_printf(em->a, "%s + %s", s->start, k);
  return arena_printf(em->a, "%s + %s * %s", s->start, k, s->step);
}

/* Inside the loop over k: gives the iterator its value. */
static void bind_item(Emit *em, const Sequence *s, uint32_t local, const char *k) {
  CVal *v = NEW(em->a, CVal);
  if (s->is_range || type_is_scalar(em->p, s->item)) {
    TypeBase base = base_of(em, s->item);
    *v = c_scalar(s->item, arena_printf(em->a, "v%u_%s", local, k));
    const char *value = s->is_range ? range_item(em, s, k) : c_read(em, &s->vector, k);
    c_line(em, base == TY_STRING ? "%sconst %s = %s;" : "const %s%s = %s;", c_type(base), v->at,
           value);
    c_line(em, "(void)%s;", v->at);
  } else {
    *v = c_element(em, &s->vector, 1);
    v->at = arena_printf(em->a, "v%u_%s", local, k);
    c_line(em, "const DsCell *const %s = %s + %s;", v->at, s->vector.at,
           c_scaled(em, k, c_cell_count(em, v)));
    c_line(em, "(void)%s;", v->at);
  }
  map_put(em->a, &em->locals, local, (uint64_t)(uintptr_t)v);
}

bool c_loop_open(Emit *em, uint32_t local, ExprId range) {
  Sequence s;
  if (!sequence_of(em, range, &s))
    return false;
  /* The loop may change what it runs over */
  if (!s.is_range && expr_get(em->p, range)->op == OP_LOCAL) {
    const char *n = c_cell_count(em, &s.vector), *copy = c_cells(em, n);
    c_copy(em, copy, s.vector.at, n);
    s.vector.at = copy;
  }
  const char *k = c_temp(em);
  c_open(em, "for (long long %s = 0; %s < %s; %s++)", k, k, s.n, k);
  bind_item(em, &s, local, k);
  return true;
}

bool emit_range(Emit *em, const Expr *x, CVal *out) {
  Sequence s;
  if (!range_of(em, x, &s))
    return false;
  *out = c_fresh(em, s.item, 1, &s.n, NULL);
  const char *k = c_temp(em);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, s.n, k);
  c_line(em, "  %s[%s]%s = %s;", out->at, k, c_member(base_of(em, s.item)), range_item(em, &s, k));
  return true;
}

/* ---- loops over several iterators: the last one turns slowest ---- */

typedef struct {
  uint32_t n;
  Sequence *sequences; /* [0]: of the last iterator */
  const char **lengths;
  const char *total;
} Loops;

static bool loops_of(Emit *em, const Expr *x, Loops *l) {
  *l = (Loops){.n = x->n - 1,
               .sequences = NEW_ARRAY(em->a, Sequence, x->n),
               .lengths = NEW_ARRAY(em->a, const char *, x->n),
               .total = "1LL"};
  for (uint32_t k = 0; k < l->n; k++) {
    if (!sequence_of(em, x->args[k + 1], &l->sequences[k]))
      return false;
    l->lengths[k] = l->sequences[k].n;
    l->total = c_times(em, l->total, l->lengths[k]);
  }
  l->total = c_own(em, l->total);
  int64_t known;
  if (!c_known(l->total, &known)) {
    c_fail_if(em, arena_printf(em->a, "%s > d->fuel", l->total), "a loop does not end");
    c_line(em, "d->fuel -= %s;", l->total);
  }
  return true;
}

static void loops_open(Emit *em, const Expr *x, const Loops *l) {
  for (uint32_t k = 0; k < l->n; k++) {
    const char *i = c_temp(em);
    c_open(em, "for (long long %s = 0; %s < %s; %s++)", i, i, l->lengths[k], i);
    bind_item(em, &l->sequences[k], x->index + l->n - 1 - k, i);
  }
}

static void loops_close(Emit *em, const Loops *l) {
  for (uint32_t k = 0; k < l->n; k++)
    c_close(em);
}

/* A loop pass gives back the cells that it took for its own. */
static const char *pass_open(Emit *em) {
  const char *top = c_temp(em);
  em->uses_mask |= USES_CELLS;
  c_line(em, "const long long %s = d->top;", top);
  return top;
}

/* ---- array constructor with iterators ---- */

static bool comprehend_scalars(Emit *em, const Expr *x, const Loops *l, CVal *out) {
  TypeBase base = base_of(em, x->type);
  const char *next = c_temp(em);
  *out = c_fresh(em, type_element(em->p, x->type, type_get(em->p, x->type)->n_dims), l->n,
                 l->lengths, NULL);
  c_line(em, "long long %s = 0;", next);
  loops_open(em, x, l);
  const char *top = pass_open(em), *v = emit_value_as(em, x->args[0], base);
  c_line(em, "%s[%s++]%s = %s;", out->at, next, c_member(base), v);
  c_line(em, "d->top = %s;", top);
  loops_close(em, l);
  return true;
}

/* Items that are arrays or records: the first one gives the sizes of all. */
static bool comprehend_arrays(Emit *em, const Expr *x, const Loops *l, CVal *out) {
  TypeId item_type = expr_get(em->p, x->args[0])->type;
  uint32_t inner = c_n_dims(em, item_type);
  CVal item;
  const char *at = c_temp(em), *next = c_temp(em);
  *out = (CVal){.at = at, .dims = NEW_ARRAY(em->a, const char *, l->n + inner + 1)};
  c_line(em, "DsCell *%s = 0;", at);
  c_line(em, "long long %s = 0;", next);
  memcpy(out->dims, l->lengths, sizeof *l->lengths * l->n);
  CVal typed = c_typed(em, item_type);
  for (uint32_t k = 0; k < inner; k++) {
    out->dims[l->n + k] = c_temp(em);
    c_line(em, "long long %s = %s;", out->dims[l->n + k], typed.dims[k]);
  }
  loops_open(em, x, l);
  bool ok = emit_cells_as(em, x->args[0], base_of(em, x->type), &item);
  if (ok) {
    const char *n = c_cell_count(em, &item);
    c_open(em, "if (!%s)", at);
    for (uint32_t k = 0; k < inner; k++)
      c_line(em, "%s = %s;", out->dims[l->n + k], item.dims[k]);
    const char *cells = c_cells(em, c_times(em, l->total, n));
    c_line(em, "%s = %s;", at, cells);
    c_close(em);
    for (uint32_t k = 0; k < inner; k++)
      c_must_fit(em, item.dims[k], out->dims[l->n + k]);
    c_copy(em, arena_printf(em->a, "%s + %s", at, next), item.at, n);
    c_line(em, "%s += %s;", next, n);
  }
  loops_close(em, l);
  out->type = c_array_type(em, ok ? item.type : item_type, l->n, l->lengths);
  return ok;
}

bool emit_comprehend(Emit *em, const Expr *x, CVal *out) {
  Loops l;
  if (!loops_of(em, x, &l))
    return false;
  return c_is_scalar(em, x->args[0]) ? comprehend_scalars(em, x, &l, out)
                                     : comprehend_arrays(em, x, &l, out);
}

/* ---- reduction with iterators ---- */

const char *c_of_nothing(Emit *em, Op op, TypeId type) {
  const Type *t = type_get(em->p, type);
  bool least = op == OP_MAX2;
  if (op == OP_MIN2 || op == OP_MAX2) {
    if (t->base == TY_REAL)
      return c_real(em, least ? -DBL_MAX : DBL_MAX);
    if (t->base == TY_BOOLEAN)
      return least ? "0" : "1";
    if (t->base == TY_ENUM)
      return least ? "1" : c_integer(em, t->decl->n);
    return c_integer(em, least ? INT64_MIN : INT64_MAX);
  }
  return t->base == TY_STRING ? "\"\"" : op == OP_MUL ? "1" : "0";
}

static bool reduce_scalars(Emit *em, const Expr *x, const Loops *l, CVal *out) {
  TypeBase base = base_of(em, x->type);
  const char *t = c_temp(em), *first = c_temp(em);
  c_line(em, "%s%s = %s;", c_type(base), t, c_of_nothing(em, (Op)x->payload2, x->type));
  c_line(em, "int %s = 1;", first);
  loops_open(em, x, l);
  const char *top = pass_open(em), *v = emit_value_as(em, x->args[0], base), *item = c_temp(em);
  c_line(em, "%s%s = %s;", c_type(base), item, v);
  c_open(em, "if (!%s)", first);
  const char *both = c_kernel(em, (Op)x->payload2, base, t, item);
  c_line(em, "%s = %s;", item, both ? both : "0");
  c_close(em);
  c_line(em, "%s = %s;", t, item);
  c_line(em, "%s = 0;", first);
  c_line(em, "d->top = %s;", top);
  loops_close(em, l);
  *out = c_scalar(x->type, t);
  return both != NULL;
}

/* Terms that are arrays. */
static bool reduce_arrays(Emit *em, const Expr *x, const Loops *l, CVal *out) {
  const Type *t = type_get(em->p, x->type);
  TypeId cell = type_element(em->p, x->type, t->n_dims);
  const char *first = c_temp(em), *k = c_temp(em), *at = c_temp(em);
  CVal item;
  if (t->base == TY_RECORD)
    return false;
  c_line(em, "DsCell *%s = 0;", at);
  *out = c_typed(em, x->type);
  out->at = at;
  bool known = type_count(em->p, x->type) >= 0;
  for (uint32_t q = 0; q < t->n_dims && !known; q++) {
    out->dims[q] = c_temp(em);
    c_line(em, "long long %s = 0;", out->dims[q]);
  }
  c_line(em, "int %s = 1;", first);
  loops_open(em, x, l);
  bool ok = emit_cells_as(em, x->args[0], t->base, &item);
  if (ok) {
    const char *n = c_cell_count(em, &item);
    c_open(em, "if (%s)", first);
    for (uint32_t q = 0; q < t->n_dims && !known; q++)
      c_line(em, "%s = %s;", out->dims[q], item.dims[q]);
    const char *cells = c_cells(em, n);
    c_line(em, "%s = %s;", at, cells);
    c_copy(em, at, item.at, n);
    c_line(em, "%s = 0;", first);
    c_close(em);
    c_open(em, "else");
    for (uint32_t q = 0; q < t->n_dims; q++)
      c_must_fit(em, item.dims[q], out->dims[q]);
    c_open(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
    const char *both = c_kernel(em, (Op)x->payload2, t->base, c_read(em, out, k),
                                c_read(em, &item, k));
    c_store_cell(em, at, k, t->base, both ? both : "0");
    c_close(em);
    c_close(em);
  }
  loops_close(em, l);
  c_open(em, "if (%s)", first);
  const char *n = c_cell_count(em, out), *cells = c_cells(em, n);
  if (!known)
    c_fail_if(em, "1", "the size of a sum without terms is not known");
  c_open(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
  c_store_cell(em, cells, k, t->base, c_of_nothing(em, (Op)x->payload2, cell));
  c_close(em);
  c_line(em, "%s = %s;", at, cells);
  c_close(em);
  return ok;
}

bool emit_reduce(Emit *em, const Expr *x, CVal *out) {
  Loops l;
  if (!loops_of(em, x, &l))
    return false;
  return type_is_scalar(em->p, x->type) ? reduce_scalars(em, x, &l, out)
                                        : reduce_arrays(em, x, &l, out);
}
