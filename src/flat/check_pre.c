/* flat/check_pre.c -- D406: a condition of nothing but pre() of continuous variables. pre(x)
 * changes at events only, so that a relation of it makes none: that x passes the limit is noticed
 * when something else happens, or never.
 * How:  a condition is a Boolean expression that is no part of a larger one. What else varies in it
 *       (a variable, time, sample()) brings events, at which the relation is asked as it is meant
 *       to be: `h <= 0 and pre(v) < 0`. Inside of when-clauses and of noEvent nobody waits for an
 *       event. */
#include "flat/check_impl.h"
#include "base/limits.h"

/* Where the search is. Expressions share parts: each is looked at once per equation, and once per
 * condition. */
typedef struct {
  Check *c;
  Span span;
  uint32_t origin;
  /* Per node: the equation, the condition, the relation that met it last */
  uint32_t *seen, *inside, *under;
  uint32_t equation, condition, relation;
  uint32_t depth;
} Search;

typedef struct {
  Search *s;
  ExprId relation; /* of pre() of the continuous variable `of` */
  ExprId of;
  bool varies; /* something outside of pre() does */
} Condition;

static bool is_boolean(const FlatModel *m, ExprId e) {
  TypeId t = expr_get(m->pool, e)->type;
  return type_is_scalar(m->pool, t) && type_get(m->pool, t)->base == TY_BOOLEAN;
}

static bool is_continuous(const FlatModel *m, ExprId e) {
  const Expr *x = expr_get(m->pool, e);
  const FlatVar *v = x->op == OP_VAR ? &m->vars.at[x->index] : NULL;
  return v && v->variability == FLAT_CONTINUOUS && !v->in_when &&
         type_get(m->pool, v->type)->base == TY_REAL;
}

static bool is_new(uint32_t *marks, ExprId e, uint32_t stamp) {
  bool fresh = marks[e.i] != stamp;
  marks[e.i] = stamp;
  return fresh;
}

/* The continuous variable under the first pre() in e. */
static ExprId find_pre(Search *s, ExprId e) {
  const Expr *x = expr_get(s->c->m->pool, e);
  if (s->depth == MOST_LOWER_DEPTH || !is_new(s->under, e, s->relation))
    return NO_EXPR;
  if (x->op == OP_PRE)
    return is_continuous(s->c->m, x->args[0]) ? x->args[0] : NO_EXPR;
  ExprId found = NO_EXPR;
  s->depth++;
  for (uint32_t k = 0; k < x->n && !found.i; k++)
    found = x->args[k].i ? find_pre(s, x->args[k]) : NO_EXPR;
  s->depth--;
  return found;
}

static ExprId pre_in_relation(Search *s, ExprId e) {
  s->relation++;
  return find_pre(s, e);
}

/* May its value change at an instant of its own? */
static bool leaf_varies(const FlatModel *m, const Expr *x) {
  switch (x->op) {
  case OP_VAR: return m->vars.at[x->index].variability < FLAT_PARAMETER;
  case OP_TIME:
  case OP_SAMPLE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_DELAY:
  case OP_SPATIAL:
  case OP_DER:
  case OP_IMPULSE:
  case OP_CALL:
  case OP_NOEVENT: return true;
  default: return false;
  }
}

static void look_into(Condition *at, ExprId e) {
  const FlatModel *m = at->s->c->m;
  const Expr *x = expr_get(m->pool, e);
  if (x->op == OP_PRE || at->varies || at->s->depth == MOST_LOWER_DEPTH ||
      !is_new(at->s->inside, e, at->s->condition))
    return;
  at->varies = leaf_varies(m, x);
  if (x->op >= OP_LT && x->op <= OP_NE && !at->relation.i && (at->of = pre_in_relation(at->s, e)).i)
    at->relation = e;
  at->s->depth++;
  for (uint32_t k = 0; k < x->n; k++)
    if (x->args[k].i)
      look_into(at, x->args[k]);
  at->s->depth--;
}

static void tell(const Condition *at) {
  Check *c = at->s->c;
  const char *name = check_text(c->m, c->a, at->of);
  Diag *d = diag_add(
      c->diags, D_D406, at->s->span,
      "`%s` makes no event: pre(%s) changes at events only, and nothing else here makes one",
      check_text(c->m, c->a, at->relation), name);
  diag_help(c->diags, d, "without `pre` it is noticed when `%s` passes the limit", name);
  diag_origin(c->diags, d, check_origin(c->m, c->a, at->s->origin));
}

/* The conditions in an expression. */
static void look_for(Search *s, ExprId e) {
  if (!e.i || s->depth == MOST_LOWER_DEPTH || !is_new(s->seen, e, s->equation))
    return;
  const Expr *x = expr_get(s->c->m->pool, e);
  if (x->op == OP_NOEVENT || x->op == OP_PRE)
    return;
  if (is_boolean(s->c->m, e)) {
    Condition at = {.s = s};
    s->condition++;
    look_into(&at, e);
    if (at.relation.i && !at.varies)
      tell(&at);
    return;
  }
  s->depth++;
  for (uint32_t k = 0; k < x->n; k++)
    look_for(s, x->args[k]);
  s->depth--;
}

static void look_at_statements(Search *s, Stmt *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const Stmt *st = body[i];
    s->span = st->span, s->equation++;
    look_for(s, st->value);
    for (uint32_t k = 0; k < st->n_branches; k++)
      look_for(s, st->branches[k].condition);
    for (uint32_t k = 0; st->kind != STMT_WHEN && k < st->n_branches; k++)
      look_at_statements(s, st->branches[k].body, st->branches[k].n);
  }
}

static void look_at_equation(Search *s, const FlatEquation *eq) {
  s->span = eq->span, s->origin = eq->origin, s->equation++;
  if (eq->kind != FEQ_ASSERT) { /* an assertion is looked at all the time */
    look_for(s, eq->lhs);
    look_for(s, eq->rhs);
  }
  for (uint32_t k = 0; k < eq->n_branches; k++)
    look_for(s, eq->branches[k].condition);
  for (uint32_t k = 0; eq->kind != FEQ_WHEN && k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      look_at_equation(s, eq->branches[k].body[i]);
  look_at_statements(s, eq->body, eq->n_body);
}

void check_pre(Check *c) {
  size_t n = pool_size(c->m->pool) + 1;
  Search s = {.c = c,
              .seen = NEW_ARRAY(c->a, uint32_t, n),
              .inside = NEW_ARRAY(c->a, uint32_t, n),
              .under = NEW_ARRAY(c->a, uint32_t, n)};
  for (uint32_t i = 0; i < c->m->equations.n && !c->stored; i++)
    look_at_equation(&s, c->m->equations.at[i]);
}
