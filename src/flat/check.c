/* flat/check.c -- flat_check: the static checks in their order, and the texts that they share.
 * Whens first (they explain what would else look like a surplus of equations), then the balance;
 * only a model with as many equations as unknowns, all matched, is searched for repeated equations
 * and discrete loops. */
#include "flat/check_impl.h"
#include "base/limits.h"

#include <string.h>

static void plain_name(void *user, const Expr *e, Text *out) {
  const FlatModel *m = user;
  if (e->op == OP_VAR)
    text_add(out, m->vars.at[e->index].name);
  else if (e->op == OP_LOCAL)
    text_printf(out, "i%u", e->index);
  else if ((e->op == OP_CALL || e->op == OP_FUNCTION) && e->ref)
    text_add(out, ((const Func *)e->ref)->name);
}

static const char *shortened(Arena *a, const char *text) {
  size_t n = strlen(text);
  if (n <= MOST_EQUATION_LENGTH)
    return text;
  for (n = MOST_EQUATION_LENGTH - 4; n && ((unsigned char)text[n] & 0xC0) == 0x80; n--)
    ; /* never inside a character */
  return arena_printf(a, "%.*s ...", (int)n, text);
}

const char *check_text(const FlatModel *m, Arena *a, ExprId e) {
  Text t = {.arena = a};
  expr_print(&(ExprPrinter){.pool = m->pool, .name = plain_name, .user = (void *)(uintptr_t)m}, e,
             &t);
  return shortened(a, text_str(&t));
}

const char *check_equation_text(const FlatModel *m, Arena *a, const FlatEquation *eq) {
  switch (eq->kind) {
  case FEQ_EQUAL:
    return shortened(
        a, arena_printf(a, "%s = %s", check_text(m, a, eq->lhs), check_text(m, a, eq->rhs)));
  case FEQ_TUPLE: return shortened(a, arena_printf(a, "(...) = %s", check_text(m, a, eq->rhs)));
  case FEQ_IF: return "if-equation";
  case FEQ_WHEN: return "when-clause";
  case FEQ_ALGORITHM: return "algorithm";
  case FEQ_ASSERT:
  case FEQ_TERMINATE:
  case FEQ_REINIT:
  case FEQ_CALL: return "";
  }
  return "";
}

const char *check_place(Arena *a, const Diags *diags, Span span, Span from) {
  Place p = source_place(diags_sources(diags), span.lo),
        q = source_place(diags_sources(diags), from.lo);
  if (!p.source)
    return "another equation";
  return p.source == q.source ? arena_printf(a, "line %u", p.line)
                              : arena_printf(a, "%s:%u", p.source->name, p.line);
}

const char *check_origin(const FlatModel *m, Arena *a, uint32_t origin) {
  const char *path = origin < m->origins.n ? m->origins.at[origin].path : "";
  return path[0] ? arena_printf(a, "%s.%s", m->name, path) : m->name;
}

const char *check_names(const FlatModel *m, Arena *a, const uint32_t *vars, uint32_t n,
                        uint32_t most) {
  Text t = {.arena = a};
  uint32_t shown = n > most ? most : n;
  for (uint32_t i = 0; i < shown; i++) {
    text_add(&t, i == 0 ? "" : i + 1 == n ? " and " : ", ");
    text_printf(&t, "`%s`", m->vars.at[vars[i]].name);
  }
  if (n > shown)
    text_printf(&t, " and %u more", n - shown);
  return text_str(&t);
}

const char *check_plural(uint32_t n) { return n == 1 ? "" : "s"; }

static bool check(const FlatModel *m, bool stored, Arena *a, Diags *diags) {
  uint32_t errors = diags_errors(diags);
  Check c = {.m = m, .a = a, .diags = diags, .counts = flat_count(m), .stored = stored};
  check_whens(&c);
  check_events(&c);
  check_pre(&c);
  check_declared(&c);
  check_variability(&c);
  check_branches(&c);
  c.absent = modes_absent(&c);
  incidence_build(m, a, true, NULL, &c.in);
  incidence_match(a, &c.in);
  check_conditions(&c);
  check_balance(&c);
  bool square = c.in.rows.n == c.in.n_cols && c.in.n_matched == c.in.n_cols;
  if (square && !c.in.varies && !c.absent) {
    check_redundancy(&c);
    check_loops(&c);
  }
  return diags_errors(diags) == errors;
}

bool flat_check(const FlatModel *m, Arena *a, Diags *diags) { return check(m, false, a, diags); }
bool flat_check_stored(const FlatModel *m, Arena *a, Diags *diags) {
  return check(m, true, a, diags);
}
