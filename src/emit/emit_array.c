/* emit/emit_array.c -- array expressions as C: inside functions, and as arguments of calls.
 * How:  small arrays of known size are taken apart into scalars; what is large or of unknown size becomes loops over cells
 *       that the host lends. Elements lie row by row in cells of 8 bytes; Booleans are long long here.
 * Keep: every subscript is checked. */
#include "emit/emit_impl.h"

enum { SCALAR_LIMIT = 64 };

static const char *cell_type(TypeBase base) { return c_type(base); }

const char *c_array_count(Emit *em, const ArrayVal *v) {
  Text t = {.arena = em->a};
  for (uint32_t k = 0; k < v->n_dims; k++)
    text_printf(&t, "%s%s", k ? " * " : "", v->dims[k]);
  return v->n_dims == 1 ? v->dims[0] : arena_printf(em->a, "(%s)", v->n_dims ? text_str(&t) : "1LL");
}

const char *c_cells(Emit *em, TypeBase base, const char *count) {
  const char *t = c_temp(em);
  em->uses_mask |= USES_STATUS | USES_CELLS;
  const char *space = base == TY_STRING ? "" : " ";
  c_line(em, "%s%s*const %s = d->host->cells(d, %s);", cell_type(base), space, t, count);
  c_line(em, "if (!%s) {", t);
  c_line(em, "  status = d->host->fail(d, &places[%u], \"an array needs too much memory\");", c_place(em, em->span));
  c_line(em, "  goto done;");
  c_line(em, "}");
  return t;
}

void c_array_copy(Emit *em, const char *to, const char *from, const char *count, TypeBase base) {
  (void)base;
  const char *k = c_temp(em);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, count, k);
  c_line(em, "  (%s)[%s] = (%s)[%s];", to, k, from, k);
}

static void fail_if(Emit *em, const char *condition, const char *message) {
  em->uses_mask |= USES_STATUS;
  c_line(em, "if (%s) {", condition);
  c_line(em, "  status = d->host->fail(d, &places[%u], \"%s\");", c_place(em, em->span), message);
  c_line(em, "  goto done;");
  c_line(em, "}");
}

bool c_local_array(Emit *em, uint32_t local, ArrayVal *out) {
  if (!em->func || local >= em->func->n_vars)
    return false;
  const Type *t = type_get(em->p, em->func->vars[local].type);
  if (!t->n_dims || t->n_dims > MAX_DIMS)
    return false;
  *out = c_named_array(em, arena_printf(em->a, "v%u", local), t);
  return true;
}

/* ---- known size: scalar by scalar ---- */

static bool expand_leaf(void *user, ExprId e, uint32_t n, ExprId *out) {
  Emit *em = user;
  const Expr *x = expr_get(em->p, e);
  const Type *t = type_get(em->p, x->type);
  if (x->op != OP_LOCAL || t->n_dims > MAX_DIMS)
    return false;
  for (uint32_t k = 0; k < n; k++) {
    ExprId args[MAX_DIMS + 1] = {e};
    uint32_t rest = k;
    for (uint32_t d = t->n_dims; d-- > 0; rest /= (uint32_t)t->dims[d])
      args[d + 1] = expr_integer(em->p, (int64_t)(rest % (uint32_t)t->dims[d]) + 1);
    out[k] = expr_make(em->p, OP_INDEX, type_scalar(em->p, t->base), t->n_dims + 1, args);
  }
  return true;
}

static void known_dims(Emit *em, const Type *t, ArrayVal *out) {
  out->n_dims = t->n_dims, out->base = t->base;
  for (uint32_t k = 0; k < t->n_dims; k++)
    out->dims[k] = c_integer(em, t->dims[k]);
}

static bool emit_literal(Emit *em, ExprId *items, uint32_t n, const Type *t, ArrayVal *out) {
  known_dims(em, t, out);
  const char *space = t->base == TY_STRING ? "" : " ";
  text_printf(&em->tables, "static const %s%s%stable%u[] = {", t->base == TY_STRING ? "char *" : cell_type(t->base), t->base == TY_STRING ? "const " : "", space, em->n_tables);
  for (uint32_t k = 0; k < n; k++)
    text_printf(&em->tables, "%s%s", k ? (k % 8 ? ", " : ",\n  ") : "", emit_value(em, items[k]));
  text_printf(&em->tables, "%s};\n", n ? "" : "0");
  out->at = arena_printf(em->a, "table%u", em->n_tables++);
  return true;
}

static bool emit_by_scalars(Emit *em, ExprId e, const Type *t, uint32_t n, ArrayVal *out) {
  ExprId *items = NEW_ARRAY(em->a, ExprId, n + 1);
  Scalarizer sc = {.pool = em->p, .leaf = expand_leaf, .user = em};
  if (!expr_scalars(&sc, e, items))
    return false;
  if (expr_is_literal(em->p, e))
    return emit_literal(em, items, n, t, out);
  known_dims(em, t, out);
  const char **values = NEW_ARRAY(em->a, const char *, n + 1);
  for (uint32_t k = 0; k < n; k++)
    values[k] = emit_value(em, items[k]);
  out->at = c_cells(em, t->base, c_integer(em, n));
  for (uint32_t k = 0; k < n; k++)
    c_line(em, "%s[%u] = %s;", out->at, k, values[k]);
  return true;
}

/* ---- subscripts ---- */

static const char *subscript(Emit *em, ExprId e, const char *dim) {
  const char *t = c_temp(em), *v = emit_value(em, e);
  c_line(em, "const long long %s = %s%s;", t, v, c_base(em, e) == TY_BOOLEAN ? " + 1" : "");
  fail_if(em, arena_printf(em->a, "%s < 1 || %s > %s", t, t, dim), "a subscript is out of range");
  return t;
}

const char *c_array_offset(Emit *em, const ArrayVal *v, const ExprId *subs, uint32_t n) {
  const char *offset = "0";
  for (uint32_t k = 0; k < n; k++) {
    const char *i = subscript(em, subs[k], v->dims[k]);
    offset = k ? arena_printf(em->a, "((%s) * %s + (%s - 1))", offset, v->dims[k], i) : arena_printf(em->a, "(%s - 1)", i);
  }
  for (uint32_t k = n; k < v->n_dims; k++)
    offset = arena_printf(em->a, "(%s * %s)", offset, v->dims[k]);
  return offset;
}

bool c_select(Emit *em, const ArrayVal *of, const ExprId *subs, uint32_t n, Selection *out) {
  *out = (Selection){.of = *of, .shape = {.base = of->base}};
  if (n > of->n_dims)
    return false;
  for (uint32_t k = 0; k < of->n_dims; k++) {
    const char *dim = of->dims[k];
    if (k < n && type_is_scalar(em->p, expr_get(em->p, subs[k])->type)) {
      out->fixed[k] = subscript(em, subs[k], dim);
      continue;
    }
    if (k < n && !emit_array(em, subs[k], &out->vectors[k]))
      return false;
    out->shape.dims[out->shape.n_dims++] = k < n ? out->vectors[k].dims[0] : dim;
  }
  return true;
}

void c_select_copy(Emit *em, const Selection *s, const char *other, bool store) {
  const ArrayVal *v = &s->of;
  const char *next = c_temp(em), *offset = "0";
  uint32_t opened = 0;
  c_line(em, "long long %s = 0;", next);
  for (uint32_t k = 0; k < v->n_dims; k++) {
    const char *i = s->fixed[k];
    if (!i) {
      const char *q = c_temp(em), *n = s->vectors[k].at ? s->vectors[k].dims[0] : v->dims[k];
      c_line(em, "for (long long %s = 0; %s < %s; %s++) {", q, q, n, q);
      em->indent++, opened++;
      i = s->vectors[k].at ? arena_printf(em->a, "%s[%s]", s->vectors[k].at, q) : arena_printf(em->a, "(%s + 1)", q);
      if (s->vectors[k].at)
        fail_if(em, arena_printf(em->a, "%s < 1 || %s > %s", i, i, v->dims[k]), "a subscript is out of range");
    }
    offset = k ? arena_printf(em->a, "((%s) * %s + (%s - 1))", offset, v->dims[k], i) : arena_printf(em->a, "(%s - 1)", i);
  }
  if (store)
    c_line(em, "%s[%s] = %s[%s++];", v->at, offset, other, next);
  else
    c_line(em, "%s[%s++] = %s[%s];", other, next, v->at, offset);
  for (; opened; opened--) {
    em->indent--;
    c_line(em, "}");
  }
}

static bool emit_selection(Emit *em, const Expr *x, ArrayVal *out) {
  ArrayVal v;
  Selection s;
  if (!emit_array(em, x->args[0], &v) || !c_select(em, &v, x->args + 1, x->n - 1, &s))
    return false;
  *out = s.shape;
  out->at = c_cells(em, v.base, c_array_count(em, out));
  c_select_copy(em, &s, out->at, false);
  return true;
}

/* ---- unknown or large size: loops ---- */

bool c_loop_open(Emit *em, uint32_t local, ExprId range) {
  const Expr *x = expr_get(em->p, range);
  if (x->op == OP_RANGE && c_base(em, x->args[0]) != TY_REAL && c_base(em, x->args[2]) != TY_REAL) {
    const char *from = c_temp(em), *step = c_temp(em), *to = c_temp(em);
    const char *a = emit_value(em, x->args[0]), *s = x->args[1].i ? emit_value(em, x->args[1]) : "1LL", *b = emit_value(em, x->args[2]);
    c_line(em, "const long long %s = %s, %s = %s, %s = %s;", from, a, step, s, to, b);
    fail_if(em, arena_printf(em->a, "%s == 0", step), "the step of a range is zero");
    c_line(em, "for (long long v%u = %s; %s > 0 ? v%u <= %s : v%u >= %s; v%u += %s) {", local, from, step, local, to, local, to, local, step);
    em->indent++;
    return true;
  }
  ArrayVal v;
  if (!emit_array(em, range, &v) || v.n_dims != 1)
    return false;
  const char *k = c_temp(em);
  c_line(em, "for (long long %s = 0; %s < %s; %s++) {", k, k, v.dims[0], k);
  em->indent++;
  c_line(em, "%s v%u = %s[%s];", cell_type(v.base), local, v.at, k);
  return true;
}

void c_loop_close(Emit *em) {
  em->indent--;
  c_line(em, "}");
}

static bool emit_items(Emit *em, const Expr *x, ArrayVal *out) {
  bool scalars = x->n == 0 || type_is_scalar(em->p, expr_get(em->p, x->args[0])->type);
  const Type *t = type_get(em->p, x->type);
  *out = (ArrayVal){.n_dims = 1, .base = t->base};
  out->dims[0] = c_integer(em, x->n);
  if (scalars) {
    const char **values = NEW_ARRAY(em->a, const char *, x->n + 1);
    for (uint32_t k = 0; k < x->n; k++)
      values[k] = emit_value(em, x->args[k]);
    out->at = c_cells(em, t->base, out->dims[0]);
    for (uint32_t k = 0; k < x->n; k++)
      c_line(em, "%s[%u] = %s;", out->at, k, values[k]);
    return true;
  }
  for (uint32_t k = 0; k < x->n; k++) {
    ArrayVal item;
    if (!emit_array(em, x->args[k], &item) || item.n_dims + 1 > MAX_DIMS)
      return false;
    if (!k) {
      for (uint32_t d = 0; d < item.n_dims; d++)
        out->dims[++out->n_dims - 1] = item.dims[d];
      out->at = c_cells(em, t->base, c_array_count(em, out));
    }
    const char *n = c_array_count(em, &item);
    c_array_copy(em, arena_printf(em->a, "%s + %u * %s", out->at, k, n), item.at, n, t->base);
  }
  return true;
}

/* a[k], or the scalar itself */
static bool operand(Emit *em, ExprId e, ArrayVal *v, bool *whole) {
  *whole = !type_is_scalar(em->p, expr_get(em->p, e)->type);
  if (*whole)
    return emit_array(em, e, v);
  v->at = emit_value(em, e);
  v->n_dims = 0;
  return true;
}

static const char *element_operator(Op op, bool real) {
  switch ((int)op) {
  case OP_ADD: case OP_ADD_EL: return real ? "%s + %s" : "ds_add_i(%s, %s)";
  case OP_SUB: case OP_SUB_EL: return real ? "%s - %s" : "ds_sub_i(%s, %s)";
  case OP_MUL: case OP_MUL_EL: return real ? "%s * %s" : "ds_mul_i(%s, %s)";
  case OP_DIV: case OP_DIV_EL: return "%s / %s";
  case OP_POW_EL: return "pow(%s, %s)";
  case OP_AND: return "%s && %s";
  case OP_OR: return "%s || %s";
  default: return NULL;
  }
}

static bool emit_elementwise(Emit *em, const Expr *x, ArrayVal *out) {
  const Type *t = type_get(em->p, x->type);
  ArrayVal v[2] = {{0}};
  bool whole[2] = {false, false};
  for (uint32_t k = 0; k < x->n && k < 2; k++)
    if (!operand(em, x->args[k], &v[k], &whole[k]))
      return false;
  const ArrayVal *shape = whole[0] ? &v[0] : &v[1];
  *out = *shape;
  out->base = t->base;
  if (whole[0] && whole[1])
    for (uint32_t d = 0; d < shape->n_dims; d++)
      fail_if(em, arena_printf(em->a, "%s != %s", v[0].dims[d], v[1].dims[d]), "arrays of different sizes");
  const char *n = c_array_count(em, out), *k = c_temp(em), *text[2] = {"", ""};
  out->at = c_cells(em, t->base, n);
  for (uint32_t q = 0; q < 2 && q < x->n; q++)
    text[q] = whole[q] ? arena_printf(em->a, "%s[%s]", v[q].at, k) : v[q].at;
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
  const char *value;
  if (x->op == OP_NEG || x->op == OP_CAST || x->op == OP_NOT)
    value = arena_printf(em->a, "%s%s", x->op == OP_NEG ? "-" : x->op == OP_NOT ? "!" : "(double)", text[0]);
  else {
    const char *format = element_operator(x->op, t->base == TY_REAL);
    value = arena_printf(em->a, format, text[0], text[1]);
  }
  c_line(em, "  %s[%s] = %s;", out->at, k, value);
  return true;
}

/* Matrix and vector products; a vector on the left is a row, on the right a column (MLS 3.6 section 10.6.5). */
static bool emit_product(Emit *em, const Expr *x, ArrayVal *out, const char **scalar) {
  ArrayVal a, b;
  if (!emit_array(em, x->args[0], &a) || !emit_array(em, x->args[1], &b) || a.n_dims > 2 || b.n_dims > 2)
    return false;
  const char *m = a.n_dims == 2 ? a.dims[0] : "1LL", *n = a.dims[a.n_dims - 1], *q = b.n_dims == 2 ? b.dims[1] : "1LL";
  fail_if(em, arena_printf(em->a, "%s != %s", n, b.dims[0]), "matrices of sizes that do not fit");
  TypeBase base = type_get(em->p, x->type)->base;
  *out = (ArrayVal){.base = base};
  if (a.n_dims == 2)
    out->dims[out->n_dims++] = m;
  if (b.n_dims == 2)
    out->dims[out->n_dims++] = q;
  out->at = c_cells(em, base, c_array_count(em, out));
  const char *i = c_temp(em), *k = c_temp(em), *l = c_temp(em), *sum = c_temp(em);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", i, i, m, i);
  c_line(em, "  for (long long %s = 0; %s < %s; %s++) {", k, k, q, k);
  c_line(em, "    %s %s = 0;", cell_type(base), sum);
  c_line(em, "    for (long long %s = 0; %s < %s; %s++)", l, l, n, l);
  c_line(em, "      %s += %s[%s * %s + %s] * %s[%s * %s + %s];", sum, a.at, i, n, l, b.at, l, q, k);
  c_line(em, "    %s[%s * %s + %s] = %s;", out->at, i, q, k, sum);
  c_line(em, "  }");
  *scalar = arena_printf(em->a, "%s[0]", out->at);
  return true;
}

static bool emit_range(Emit *em, const Expr *x, ArrayVal *out) {
  TypeBase base = type_get(em->p, x->type)->base;
  bool real = base == TY_REAL;
  const char *one = real ? "0x1p0" : "1LL";
  const char *a = emit_value(em, x->args[0]), *s = x->args[1].i ? emit_value(em, x->args[1]) : one, *b = emit_value(em, x->args[2]);
  const char *n = c_temp(em), *k = c_temp(em);
  fail_if(em, arena_printf(em->a, "%s == 0", s), "the step of a range is zero");
  if (real) /* a little more than nothing, so that 0:0.1:1 has eleven elements */
    c_line(em, "const long long %s = ds_max_i(0, ds_integer((%s - %s) / %s + 0x1p-30) + 1);", n, b, a, s);
  else
    c_line(em, "const long long %s = (%s > 0 ? %s >= %s : %s <= %s) ? (%s - %s) / %s + 1 : 0;", n, s, b, a, b, a, b, a, s);
  *out = (ArrayVal){.n_dims = 1, .base = base};
  out->dims[0] = n;
  out->at = c_cells(em, base, n);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
  c_line(em, "  %s[%s] = %s + %s%s * %s;", out->at, k, a, real ? "(double)" : "", k, s);
  return true;
}

/* {body for i in range, ...}: the last iterator is the first dimension */
static bool emit_comprehension(Emit *em, const Expr *x, ArrayVal *out) {
  ArrayVal ranges[MAX_DIMS];
  const Type *body = type_get(em->p, expr_get(em->p, x->args[0])->type);
  uint32_t n = x->n - 1;
  *out = (ArrayVal){.base = body->base};
  if (n + body->n_dims > MAX_DIMS)
    return false;
  for (uint32_t k = 0; k < n; k++) {
    if (!emit_array(em, x->args[k + 1], &ranges[k]))
      return false;
    out->dims[out->n_dims++] = ranges[k].dims[0];
  }
  for (uint32_t d = 0; d < body->n_dims; d++) {
    if (body->dims[d] < 0)
      return false;
    out->dims[out->n_dims++] = c_integer(em, body->dims[d]);
  }
  out->at = c_cells(em, body->base, c_array_count(em, out));
  const char *next = c_temp(em);
  c_line(em, "long long %s = 0;", next);
  uint32_t mark = c_scope_open(em);
  for (uint32_t k = 0; k < n; k++) {
    const char *q = c_temp(em);
    c_line(em, "for (long long %s = 0; %s < %s; %s++) {", q, q, ranges[k].dims[0], q);
    em->indent++;
    c_line(em, "const %s v%u = %s[%s];", cell_type(ranges[k].base), x->index + (n - 1 - k), ranges[k].at, q);
  }
  ArrayVal item;
  bool ok = true;
  if (!body->n_dims)
    c_line(em, "%s[%s++] = %s;", out->at, next, emit_value(em, x->args[0]));
  else if ((ok = emit_array(em, x->args[0], &item))) {
    const char *count = c_array_count(em, &item);
    c_array_copy(em, arena_printf(em->a, "%s + %s", out->at, next), item.at, count, body->base);
    c_line(em, "%s += %s;", next, count);
  }
  for (uint32_t k = 0; k < n; k++)
    c_loop_close(em);
  c_scope_close(em, mark);
  return ok;
}

static bool emit_if_array(Emit *em, const Expr *x, ArrayVal *out) {
  const Type *t = type_get(em->p, x->type);
  const char *name = c_temp(em), *condition = emit_value(em, x->args[0]);
  *out = c_named_array(em, name, t);
  c_line(em, "const %s *%s = 0;", t->base == TY_STRING ? "char *" : cell_type(t->base), name);
  for (uint32_t d = 0; d < t->n_dims; d++)
    c_line(em, "long long %s_d%u = 0;", name, d);
  c_line(em, "if (%s) {", condition);
  bool ok = true;
  for (uint32_t k = 1; k <= 2; k++) {
    uint32_t mark = c_scope_open(em);
    ArrayVal v;
    em->indent++;
    ok = emit_array(em, x->args[k], &v) && ok;
    if (ok)
      c_line(em, "%s = (const void *)%s;", name, v.at);
    for (uint32_t d = 0; d < t->n_dims && ok; d++)
      c_line(em, "%s_d%u = %s;", name, d, v.dims[d]);
    em->indent--;
    c_scope_close(em, mark);
    c_line(em, k == 1 ? "} else {" : "}");
  }
  return ok;
}

static bool emit_transpose(Emit *em, const Expr *x, ArrayVal *out) {
  ArrayVal v;
  if (!emit_array(em, x->args[0], &v) || v.n_dims != 2)
    return false;
  *out = (ArrayVal){.n_dims = 2, .base = v.base, .dims = {v.dims[1], v.dims[0]}};
  out->at = c_cells(em, v.base, c_array_count(em, out));
  const char *i = c_temp(em), *k = c_temp(em);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", i, i, v.dims[0], i);
  c_line(em, "  for (long long %s = 0; %s < %s; %s++)", k, k, v.dims[1], k);
  c_line(em, "    %s[%s * %s + %s] = %s[%s * %s + %s];", out->at, k, v.dims[0], i, v.at, i, v.dims[1], k);
  return true;
}

/* cat(1, a, b, ...): row by row storage makes it one copy after the other */
static bool emit_cat(Emit *em, const Expr *x, ArrayVal *out) {
  int64_t dimension;
  ArrayVal items[64];
  uint32_t n = x->n - 1;
  if (!expr_as_integer(em->p, x->args[0], &dimension) || dimension != 1 || n == 0 || n > 64)
    return false;
  const char *rows = "0LL";
  for (uint32_t k = 0; k < n; k++) {
    if (!emit_array(em, x->args[k + 1], &items[k]))
      return false;
    rows = arena_printf(em->a, "%s + %s", rows, items[k].dims[0]);
  }
  *out = items[0];
  out->base = type_get(em->p, x->type)->base;
  const char *total = c_temp(em), *next = c_temp(em);
  c_line(em, "const long long %s = %s;", total, rows);
  out->dims[0] = total;
  out->at = c_cells(em, out->base, c_array_count(em, out));
  c_line(em, "long long %s = 0;", next);
  for (uint32_t k = 0; k < n; k++) {
    const char *count = c_array_count(em, &items[k]);
    c_array_copy(em, arena_printf(em->a, "%s + %s", out->at, next), items[k].at, count, out->base);
    c_line(em, "%s += %s;", next, count);
  }
  return true;
}

static bool emit_fill(Emit *em, const Expr *x, ArrayVal *out) {
  const char *v = emit_value(em, x->args[0]);
  *out = (ArrayVal){.n_dims = x->n - 1, .base = type_get(em->p, x->type)->base};
  if (out->n_dims > MAX_DIMS)
    return false;
  for (uint32_t k = 1; k < x->n; k++) {
    const char *t = c_temp(em), *n = emit_value(em, x->args[k]);
    c_line(em, "const long long %s = ds_max_i(0, %s);", t, n);
    out->dims[k - 1] = t;
  }
  const char *n = c_array_count(em, out), *k = c_temp(em);
  out->at = c_cells(em, out->base, n);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
  c_line(em, "  %s[%s] = %s;", out->at, k, v);
  return true;
}

static bool emit_call_array(Emit *em, ExprId e, const Expr *x, ArrayVal *out) {
  const Func *f = x->ref;
  const Type *t = type_get(em->p, f->vars[f->n_inputs].type);
  if (f->n_outputs != 1 || t->n_dims > MAX_DIMS)
    return false;
  *out = c_named_array(em, arena_printf(em->a, "%s_0", emit_call(em, e)), t);
  return true;
}

static bool emit_loops(Emit *em, ExprId e, const Expr *x, ArrayVal *out) {
  const char *ignored;
  switch ((int)x->op) {
  case OP_CALL: return emit_call_array(em, e, x, out);
  case OP_ARRAY: return emit_items(em, x, out);
  case OP_INDEX: return emit_selection(em, x, out);
  case OP_RANGE: return emit_range(em, x, out);
  case OP_FILL: return emit_fill(em, x, out);
  case OP_COMPREHEND: return emit_comprehension(em, x, out);
  case OP_IF: return emit_if_array(em, x, out);
  case OP_TRANSPOSE: return emit_transpose(em, x, out);
  case OP_CAT: return emit_cat(em, x, out);
  case OP_MUL:
    if (!type_is_scalar(em->p, expr_get(em->p, x->args[0])->type) && !type_is_scalar(em->p, expr_get(em->p, x->args[1])->type))
      return emit_product(em, x, out, &ignored); /* fallthrough */
  case OP_NEG: case OP_ADD: case OP_SUB: case OP_DIV: case OP_ADD_EL: case OP_SUB_EL: case OP_MUL_EL: case OP_DIV_EL: case OP_POW_EL:
  case OP_CAST: case OP_NOT: case OP_AND: case OP_OR: return emit_elementwise(em, x, out);
  default: return false;
  }
}

bool emit_array(Emit *em, ExprId e, ArrayVal *out) {
  const Expr *x = expr_get(em->p, e);
  const Type *t = type_get(em->p, x->type);
  if (t->base == TY_RECORD || t->base == TY_EXTERNAL || t->base == TY_TUPLE) {
    c_refuse(em, "a record, an array of records or an external object");
    return false;
  }
  if (x->op == OP_LOCAL && c_local_array(em, x->index, out))
    return true;
  if (x->op == OP_CALL && emit_call_array(em, e, x, out))
    return true;
  if (x->op == OP_FIELD) {
    const char *name = c_field(em, x);
    *out = c_named_array(em, name ? name : "0", t);
    return name != NULL;
  }
  int64_t n = type_count(em->p, x->type);
  bool literal = expr_is_literal(em->p, e);
  if (n >= 0 && (n <= SCALAR_LIMIT || literal) && emit_by_scalars(em, e, t, (uint32_t)n, out))
    return true;
  if (emit_loops(em, e, x, out))
    return true;
  if (n >= 0 && n <= 100000 && emit_by_scalars(em, e, t, (uint32_t)n, out))
    return true;
  c_refuse(em, "this array expression");
  *out = (ArrayVal){.at = "0", .n_dims = t->n_dims, .base = t->base};
  for (uint32_t k = 0; k < MAX_DIMS; k++)
    out->dims[k] = "0";
  return false;
}

/* ---- scalars from arrays ---- */

static const char *emit_reduction(Emit *em, const Expr *x) {
  ArrayVal v;
  if (!emit_array(em, x->args[0], &v))
    return NULL;
  bool real = v.base == TY_REAL;
  const char *t = c_temp(em), *k = c_temp(em), *n = c_array_count(em, &v);
  bool min = x->op == OP_MIN, max = x->op == OP_MAX;
  if (min || max)
    fail_if(em, arena_printf(em->a, "%s == 0", n), "min or max of an empty array");
  c_line(em, "%s %s = %s;", cell_type(v.base), t, min || max ? arena_printf(em->a, "%s[0]", v.at) : x->op == OP_PRODUCT ? "1" : "0");
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", k, k, n, k);
  if (min || max)
    c_line(em, "  %s = ds_%s%s(%s, %s[%s]);", t, min ? "min" : "max", real ? "" : "_i", t, v.at, k);
  else
    c_line(em, "  %s = %s %s %s[%s];", t, t, x->op == OP_PRODUCT ? "*" : "+", v.at, k);
  return t;
}

/* sum(body for i in range, ...) and its kin */
static const char *emit_iterated(Emit *em, const Expr *x) {
  TypeBase base = type_get(em->p, x->type)->base;
  const char *t = c_temp(em), *first = c_temp(em);
  bool real = base == TY_REAL, extreme = x->payload2 == OP_MIN2 || x->payload2 == OP_MAX2;
  c_line(em, "%s %s = %s;", cell_type(base), t, x->payload2 == OP_MUL ? "1" : "0");
  if (extreme)
    c_line(em, "int %s = 1;", first);
  uint32_t mark = c_scope_open(em);
  for (uint32_t k = x->n; k-- > 1;)
    if (!c_loop_open(em, x->index + (x->n - 1 - k), x->args[k]))
      return NULL;
  const char *v = emit_value(em, x->args[0]);
  if (extreme) {
    c_line(em, "%s = %s ? %s : ds_%s%s(%s, %s);", t, first, v, x->payload2 == OP_MIN2 ? "min" : "max", real ? "" : "_i", t, v);
    c_line(em, "%s = 0;", first);
  } else
    c_line(em, "%s = %s %s %s;", t, t, x->payload2 == OP_MUL ? "*" : "+", v);
  for (uint32_t k = 1; k < x->n; k++)
    c_loop_close(em);
  c_scope_close(em, mark);
  return t;
}

static const char *emit_size(Emit *em, const Expr *x) {
  ArrayVal v;
  int64_t k;
  const Type *t = type_get(em->p, expr_get(em->p, x->args[0])->type);
  if (x->n == 2 && expr_as_integer(em->p, x->args[1], &k) && k >= 1 && k <= t->n_dims && t->dims[k - 1] >= 0)
    return c_integer(em, t->dims[k - 1]);
  if (!emit_array(em, x->args[0], &v) || x->n != 2)
    return NULL;
  if (expr_as_integer(em->p, x->args[1], &k))
    return k >= 1 && k <= v.n_dims ? v.dims[k - 1] : NULL;
  const char *which = emit_value(em, x->args[1]), *out = "0LL";
  for (uint32_t d = v.n_dims; d-- > 0;)
    out = arena_printf(em->a, "(%s == %u ? %s : %s)", which, d + 1, v.dims[d], out);
  return out;
}

const char *emit_array_scalar(Emit *em, const Expr *x) {
  ArrayVal v;
  const char *scalar = NULL;
  switch ((int)x->op) {
  case OP_INDEX:
    if (!emit_array(em, x->args[0], &v))
      return NULL;
    return arena_printf(em->a, "%s[%s]", v.at, c_array_offset(em, &v, x->args + 1, x->n - 1));
  case OP_SIZE: return emit_size(em, x);
  case OP_NDIMS: return c_integer(em, type_get(em->p, expr_get(em->p, x->args[0])->type)->n_dims);
  case OP_SCALAR: return emit_array(em, x->args[0], &v) ? arena_printf(em->a, "%s[0]", v.at) : NULL;
  case OP_REDUCE: return emit_iterated(em, x);
  case OP_MUL: case OP_MUL_EL: return emit_product(em, x, &v, &scalar) ? scalar : NULL;
  case OP_SUM: case OP_PRODUCT: case OP_MIN: case OP_MAX: return emit_reduction(em, x);
  default: return NULL;
  }
}
