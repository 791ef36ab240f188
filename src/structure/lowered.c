/* structure/lowered.c -- reading and joining lowered expressions and statements.
 * Keep: nothing here adds a value or a row (build.c does), so it may be asked at any time. */
#include "structure/lowered.h"
#include "structure/sorted.h"

bool lowered_var(const ExprPool *p, ExprId e, uint32_t *var) {
  const Expr *x = e.i ? expr_get(p, e) : NULL;
  if (!x || x->op != OP_VAR)
    return false;
  *var = x->index;
  return true;
}

ExprId logic_and(ExprPool *p, ExprId a, ExprId b) { return expr_binary(p, OP_AND, a, b); }
ExprId logic_or(ExprPool *p, ExprId a, ExprId b) { return expr_binary(p, OP_OR, a, b); }
ExprId logic_not(ExprPool *p, ExprId a) { return expr_unary(p, OP_NOT, a); }

ExprId svar_expr(const Structure *s, uint32_t var) { return s->vars.at[var].expr; }

void stmts_vars(const ExprPool *p, Stmt *const *body, uint32_t n,
                void (*visit)(void *user, ExprId e), void *user) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = body[k];
    const ExprId parts[] = {st->value, st->message, st->level};
    for (uint32_t q = 0; q < 3; q++)
      if (parts[q].i)
        expr_walk(p, parts[q], visit, user);
    for (uint32_t b = 0; b < st->n_branches; b++) {
      if (st->branches[b].condition.i)
        expr_walk(p, st->branches[b].condition, visit, user);
      stmts_vars(p, st->branches[b].body, st->branches[b].n, visit, user);
    }
  }
}
