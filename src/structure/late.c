/* structure/late.c -- functions that are one expression and have a derivative of their own.
 * In:   rows with calls of them: phi = position({s, v, a}, time), whose derivative is v by
 *       annotation, not that of s.
 * Out:  rows with the expression in place of the call, so that matching, sorting and solving see
 *       that phi is s; what was written stays beside it until the equations have been
 *       differentiated.
 * Why:  instance/elab_call.c puts all other functions of one expression in place of their calls;
 * with these the annotation would be lost. Left as calls they would hide which arguments count: v
 * and a would be unknowns of the row above. */
#include "structure/simplify.h"
#include "base/limits.h"
#include "expr/partial.h"
#include "structure/build.h"

typedef struct {
  const ExprPool *p;
  uint32_t nodes;
  /* Relations and the like: in a function they make no events, so they must stay there */
  bool events;
} BodyFacts;

static void look(void *user, ExprId e) {
  BodyFacts *facts = user;
  Op op = expr_get(facts->p, e)->op;
  facts->nodes++;
  bool event_function = op == OP_DIVT || op == OP_MOD || op == OP_REM || op == OP_CEIL ||
                        op == OP_FLOOR || op == OP_TO_INTEGER;
  facts->events |= (op >= OP_LT && op <= OP_NE) || event_function || op == OP_CALL;
}

/* output := an expression, and nothing else. */
static bool is_one_expression(const ExprPool *p, const Func *f) {
  if (!f || !f->complete || f->impure || f->external || f->generate_events || f->n_outputs != 1)
    return false;
  const Stmt *s = f->n_body == 1 ? f->body[0] : NULL;
  if (!s || s->kind != STMT_ASSIGN || f->n_vars != f->n_inputs + 1)
    return false;
  const Expr *target = expr_get(p, s->targets[0]);
  BodyFacts facts = {.p = p};
  expr_walk(p, s->value, look, &facts);
  return target->op == OP_LOCAL && target->index == f->n_inputs && !facts.events &&
         facts.nodes <= MOST_LATE_NODES;
}

static ExprId put_in_place(void *user, ExprId e) {
  Lower *lo = user;
  const Expr *call = expr_get(lo->p, e);
  if (call->op != OP_CALL || !type_is_scalar(lo->p, call->type) ||
      !is_one_expression(lo->p, call->ref))
    return NO_EXPR;
  ExprId result = NO_EXPR;
  bool done = func_written_out(lo->p, lo->a, call->ref, call->n, call->args, &result);
  return done && result.i && type_is_scalar(lo->p, expr_get(lo->p, result)->type) ? result
                                                                                  : NO_EXPR;
}

void late_row(Lower *lo, SRow *row) {
  if (row->kind != ROW_EQUAL)
    return;
  ExprId lhs = expr_rewrite(lo->p, row->lhs, put_in_place, lo);
  ExprId rhs = expr_rewrite(lo->p, row->rhs, put_in_place, lo);
  if (expr_same(lhs, row->lhs) && expr_same(rhs, row->rhs))
    return;
  row->written_lhs = row->lhs;
  row->written_rhs = row->rhs;
  row->lhs = lhs;
  row->rhs = rhs;
}

void late_rows(Lower *lo) {
  SSystem *const systems[] = {&lo->s->simulation, &lo->s->initial};
  for (int k = 0; k < 2; k++)
    for (uint32_t r = 0; r < systems[k]->rows.n; r++)
      late_row(lo, &systems[k]->rows.at[r]);
}
