/* structure/homotopy.c -- homotopy(actual, simplified), MLS 3.6 section 3.7.4.3.
 * During initialisation it is `if lambda >= 1 then actual else lambda*actual + (1 -
 * lambda)*simplified`, lambda being a known value that is 1 unless the solver asks for an easier
 * problem; afterwards it is `actual`.
 * In:   both forms, lowered.   Out: the expression above; structure_has_homotopy tells which blocks
 *       depend on lambda.
 * Keep: after homotopy_actual no equation of the simulation and no relation reads it. */
#include "structure/lower.h"
#include "structure/build.h"
#include "structure/lower_special.h"
#include "structure/lowered.h"
#include "structure/tables.h"

static ExprId lambda(Lower *lo) {
  Structure *s = lo->s;
  if (s->lambda == NO_SVAR) {
    s->lambda = svar_add(lo, SV_LAMBDA, 0, type_scalar(lo->p, TY_REAL));
    s->vars.at[s->lambda].known = s->vars.at[s->lambda].discrete = true;
  }
  return svar_expr(s, s->lambda);
}

ExprId lower_homotopy(Lower *lo, ExprId actual, ExprId simplified) {
  ExprPool *p = lo->p;
  if (!simplified.i || expr_same(actual, simplified))
    return actual;
  ExprId l = lambda(lo);
  ExprId one = expr_real(p, 1);
  ExprId rest = expr_binary(p, OP_SUB, one, l);
  ExprId between = expr_binary(p, OP_ADD, expr_binary(p, OP_MUL, l, actual),
                               expr_binary(p, OP_MUL, rest, simplified));
  return expr_if(p, expr_binary(p, OP_GE, l, one), actual, between);
}

typedef struct {
  ExprPool *p;
  uint32_t lambda;
} Actual;

static ExprId lambda_is_one(void *user, ExprId e) {
  const Actual *ac = user;
  uint32_t v;
  return lowered_var(ac->p, e, &v) && v == ac->lambda ? expr_real(ac->p, 1) : NO_EXPR;
}

void homotopy_actual(Lower *lo) {
  Structure *s = lo->s;
  Actual ac = {lo->p, s->lambda};
  if (s->lambda == NO_SVAR)
    return;
  for (uint32_t r = 0; r < s->simulation.rows.n; r++) {
    SRow *row = &s->simulation.rows.at[r];
    row->lhs = row->lhs.i ? expr_rewrite(lo->p, row->lhs, lambda_is_one, &ac) : NO_EXPR;
    row->rhs = row->rhs.i ? expr_rewrite(lo->p, row->rhs, lambda_is_one, &ac) : NO_EXPR;
  }
  for (uint32_t k = 0; k < s->relations.n; k++) {
    s->relations.at[k].a = expr_rewrite(lo->p, s->relations.at[k].a, lambda_is_one, &ac);
    s->relations.at[k].b = expr_rewrite(lo->p, s->relations.at[k].b, lambda_is_one, &ac);
  }
}

/* ---- which blocks it is in ---- */

typedef struct {
  const Structure *s;
  bool found;
} Lambda;

static void find_lambda(void *user, ExprId e) {
  Lambda *l = user;
  const Expr *x = expr_get(l->s->model->pool, e);
  l->found = l->found || (x->op == OP_VAR && x->index == l->s->lambda);
}

bool structure_has_homotopy(const Structure *s, const SBlock *b) {
  Lambda l = {s, false};
  for (uint32_t k = 0; k < b->n && s->lambda != NO_SVAR; k++)
    expr_walk(s->model->pool, b->parts[k], find_lambda, &l);
  return l.found;
}
