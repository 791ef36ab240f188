/* emit/emit_residual.c -- simultaneous equations: inner assignments, residuals and the Jacobian of
 * the residuals by the iteration variables, as a C function name(d, f, a) at the values stored in
 * r.
 * How:  chain rule along the inner assignments, forward: each part has a list of the iteration
 *       variables it depends on, and one derivative (slope) for each. The matrix of a linear block
 *       of many iteration variables is stored by its entries, row by row, and the function is cut
 *       into parts of a hundred equations, with slopes in d->work behind matrix and right side;
 *       else the matrix is full and slopes are variables of the C function. */
#include "emit/emit_impl.h"
#include "structure/slopes.h"

enum { CHUNK_ROWS = 100 };

/* ---- one part ---- */

/* The C name of slope number i of a part. */
static const char *slope(Emit *em, const SBlock *b, const SSlopes *sl, uint32_t part, uint32_t i) {
  if (!sl->by_entries && part < b->n_tear)
    return arena_printf(em->a, "a[%u]", part * b->n_tear + sl->of[sl->start[part] + i]);
  if (!sl->by_entries)
    return arena_printf(em->a, "s%u_%u", part, sl->of[sl->start[part] + i]);
  if (part < b->n_tear) /* residuals come last, in order */
    return arena_printf(em->a, "a[%u]", sl->start[part] - sl->start[0] + i);
  return arena_printf(em->a, "w[%u]", sl->start[part] + i);
}

static void add_term(Text *sum, const char *value, const char *inner) {
  text_printf(sum, "%s%s", sum->n ? " + " : "", value);
  if (inner)
    text_printf(sum, " * %s", inner);
}

static void emit_slopes(Emit *em, const SBlock *b, const SSlopes *sl, uint32_t part,
                        uint32_t *position) {
  uint32_t n = sl->n[part];
  const uint32_t *of = sl->of + sl->start[part];
  Text *sums = NEW_ARRAY(em->a, Text, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    sums[i].arena = em->a;
    position[of[i]] = i;
  }
  for (uint32_t q = 0; q < b->partials[part].n; q++) {
    SPartial p = b->partials[part].at[q];
    if (p.of >= b->n_tear && !sl->n[p.of])
      continue;
    const char *value = emit_value(em, p.d);
    if (p.of < b->n_tear)
      add_term(&sums[position[p.of]], value, NULL);
    for (uint32_t i = 0; p.of >= b->n_tear && i < sl->n[p.of]; i++)
      add_term(&sums[position[sl->of[sl->start[p.of] + i]]], value, slope(em, b, sl, p.of, i));
  }
  const char *type = sl->by_entries || part < b->n_tear ? "" : "const double ";
  for (uint32_t i = 0; i < n; i++)
    c_line(em, "%s%s = %s;", type, slope(em, b, sl, part, i), text_str(&sums[i]));
}

static void count_part(Emit *em, const SBlock *b, uint32_t part) {
  c_count(em, b->parts[part]);
  for (uint32_t q = 0; b->partials && q < b->partials[part].n; q++)
    c_count(em, b->partials[part].at[q].d);
}

static void emit_part_value(Emit *em, const SBlock *b, uint32_t part) {
  const char *value = emit_value(em, b->parts[part]);
  if (part < b->n_tear)
    c_line(em, "f[%u] = %s;", part, value);
  else
    c_line(em, "%s = %s;", c_var(em, b->unknowns[part]), value);
}

/* ---- functions ---- */

/* Parts first .. end - 1 in order of evaluation, and their slopes if these are wanted. */
static void emit_parts(Emit *em, const SBlock *b, const SSlopes *sl, uint32_t first, uint32_t end) {
  for (uint32_t k = first; k < end; k++)
    count_part(em, b, slopes_part(b, k));
  for (uint32_t k = first; k < end; k++)
    emit_part_value(em, b, slopes_part(b, k));
  if (!sl) {
    c_line(em, "(void)a;");
    return;
  }
  uint32_t mark = c_scope_open(em), *position = NEW_ARRAY(em->a, uint32_t, b->n_tear + 1);
  c_line(em, "if (a) {");
  em->indent++;
  if (sl->by_entries)
    c_line(em, "double *const w = d->work + %u;", slopes_entries(b, sl) + b->n_tear);
  else {
    c_line(em, "for (int k = 0; k < %u; k++)", b->n_tear * b->n_tear);
    c_line(em, "  a[k] = 0;");
  }
  for (uint32_t k = first; k < end; k++)
    emit_slopes(em, b, sl, slopes_part(b, k), position);
  if (sl->by_entries)
    c_line(em, "(void)w;");
  em->indent--;
  c_line(em, "}");
  c_scope_close(em, mark);
}

static void emit_sparse(Emit *em, const SBlock *b, const SSlopes *sl, const char *name) {
  VEC(const char *) calls = {0};
  for (uint32_t first = 0, end; first < b->n; first = end) {
    end = first + CHUNK_ROWS < b->n ? first + CHUNK_ROWS : b->n;
    c_function_begin(em);
    emit_parts(em, b, sl, first, end);
    c_line(em, "(void)f;");
    const char *part = arena_printf(em->a, "%s_part%u", name, calls.n);
    c_function_end(em, arena_printf(em->a, "static int %s(DsData *d, double *f, double *a)", part));
    vec_push(em->a, &calls, part);
  }
  emit_sequence(em, name, "DsData *d, double *f, double *a", "d, f, a", calls.at, calls.n);
}

/* ---- right sides ---- */

static ExprId zero_to_literal(void *user, ExprId e) {
  const Emit *em = user;
  const Expr *x = expr_get(em->p, e);
  return x->op == OP_VAR && em->zero[x->index] ? expr_real(em->p, 0) : NO_EXPR;
}

/* What is 0 where all iteration variables are needs no code. */
void emit_right_side(Emit *em, const SBlock *b, const char *name) {
  ExprId *values = NEW_ARRAY(em->a, ExprId, b->n);
  if (!em->zero)
    em->zero = NEW_ARRAY(em->a, bool, em->s->vars.n + 1);
  for (uint32_t k = 0; k < b->n_tear; k++)
    em->zero[b->unknowns[k]] = true;
  for (uint32_t k = 0; k < b->n; k++) {
    uint32_t part = slopes_part(b, k);
    values[part] = expr_rewrite(em->p, b->parts[part], zero_to_literal, em);
    if (part >= b->n_tear && expr_is_zero(em->p, values[part]))
      em->zero[b->unknowns[part]] = true;
  }
  c_function_begin(em);
  for (uint32_t k = 0; k < b->n; k++)
    c_count(em, values[slopes_part(b, k)]);
  for (uint32_t k = 0; k < b->n; k++) {
    uint32_t part = slopes_part(b, k);
    if (part >= b->n_tear && em->zero[b->unknowns[part]])
      continue;
    const char *value = emit_value(em, values[part]);
    if (part < b->n_tear)
      c_line(em, "b[%u] = 0 - (%s);", part, value);
    else
      c_line(em, "%s = %s;", c_var(em, b->unknowns[part]), value);
  }
  c_line(em, "(void)d;");
  c_function_end(em, arena_printf(em->a, "static int %s_right(DsData *d, double *b)", name));
  for (uint32_t k = 0; k < b->n; k++)
    em->zero[b->unknowns[k]] = false;
}

void emit_inner(Emit *em, const SBlock *b, const char *name) {
  c_function_begin(em);
  for (uint32_t k = b->n_tear; k < b->n; k++)
    c_count(em, b->parts[k]);
  for (uint32_t k = b->n_tear; k < b->n; k++)
    emit_part_value(em, b, k);
  c_line(em, "(void)d;");
  c_function_end(em, arena_printf(em->a, "static int %s_inner(DsData *d)", name));
}

void emit_residual(Emit *em, uint32_t number, const char *name) {
  const SBlock *b = em->about->solved.at[number].block;
  const SSlopes *sl = em->about->solved.at[number].slopes;
  const DsBlock *row = &em->about->model.blocks[number];
  if (sl && sl->by_entries)
    emit_sparse(em, b, sl, name);
  else {
    c_function_begin(em);
    emit_parts(em, b, sl, 0, b->n);
    c_function_end(em, arena_printf(em->a, "static int %s(DsData *d, double *f, double *a)", name));
  }
  c_numbers(em, &em->tables, arena_printf(em->a, "%s_places", name), row->iterated,
            row->n_iterated);
}
