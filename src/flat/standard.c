/* flat/standard.c -- which extensions of Modelica a flat model uses (X003): impulse(), pre() of
 * continuous variables outside of when-clauses (MLS 3.6 section 3.7.5), branches with different
 * numbers of equations (8.3.4), connections under a condition that changes in time (8.3.3), whole
 * numbers that functions make of continuous values (3.8). One message per place and kind; what
 * cannot be translated at all was reported before (X002). */
#include "flat/check_impl.h"

typedef struct {
  Check *c;
  Span span; /* of the equation or statement */
  bool in_when;
} Where;

static void report(const Where *at, const char *what) {
  diag_add(at->c->diags, D_X003, at->span, "%s not part of Modelica", what);
}

static bool is_continuous(const Check *c, ExprId e) {
  const Expr *x = expr_get(c->m->pool, e);
  const FlatVar *v = x->op == OP_VAR ? &c->m->vars.at[x->index] : NULL;
  return v && v->variability == FLAT_CONTINUOUS && type_get(c->m->pool, v->type)->base == TY_REAL;
}

static void look_at(void *user, ExprId e) {
  const Where *at = user;
  const Expr *x = expr_get(at->c->m->pool, e);
  if (x->op == OP_IMPULSE)
    report(at, "`impulse` is");
  if ((x->op == OP_PRE || x->op == OP_CHANGE) && !at->in_when && is_continuous(at->c, x->args[0]))
    report(at, x->op == OP_PRE ? "`pre` of a continuous variable outside of a when-clause is"
                               : "`change` of a continuous variable outside of a when-clause is");
}

static void look_into(Where *at, ExprId e) {
  if (e.i)
    expr_walk(at->c->m->pool, e, look_at, at);
}

static void look_at_statements(Where around, Stmt *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const Stmt *s = body[i];
    Where at = {around.c, s->span, around.in_when};
    look_into(&at, s->value);
    look_into(&at, s->message);
    for (uint32_t k = 0; k < s->n_branches; k++) {
      look_into(&at, s->branches[k].condition);
      Where inside = {at.c, at.span, at.in_when || s->kind == STMT_WHEN};
      look_at_statements(inside, s->branches[k].body, s->branches[k].n);
    }
  }
}

static void look_at_equations(Where around, FlatEquation *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const FlatEquation *eq = body[i];
    Where at = {around.c, eq->span, around.in_when};
    look_into(&at, eq->lhs);
    look_into(&at, eq->rhs);
    if (eq->kind == FEQ_IF && eq->from == FROM_CONNECT)
      report(&at, "connections under a condition that changes in time are");
    else if (!at.in_when && modes_differ(at.c, eq))
      report(&at, "branches with different numbers of equations are");
    for (uint32_t k = 0; k < eq->n_branches; k++) {
      look_into(&at, eq->branches[k].condition);
      Where inside = {at.c, at.span, at.in_when || eq->kind == FEQ_WHEN};
      look_at_equations(inside, eq->branches[k].body, eq->branches[k].n);
    }
    look_at_statements(at, eq->body, eq->n_body);
  }
}

void flat_check_standard(const FlatModel *m, Arena *a, Diags *diags) {
  Check c = {.m = m, .a = a, .diags = diags};
  look_at_equations((Where){.c = &c}, m->equations.at, m->equations.n);
  look_at_equations((Where){.c = &c}, m->initial.at, m->initial.n);
  check_watched(&c);
}
