/* flat/check_variability.c -- values that vary in a way that their place does not allow.
 * V003: parameters whose values need each other.   D404: the derivative or pulse of what changes at
 * events only (MLS 3.6 section 3.7.4). V001: a discrete Real that follows a continuous expression
 * outside of a when-clause (section 3.8).
 * Keep: every search has a stack of its own, since chains of parameters may be long. */
#include "flat/check_impl.h"

/* ---- V003 ---- */

enum { NEW_PARAMETER, OPEN_PARAMETER, DONE_PARAMETER };

typedef struct {
  uint32_t var, n, next; /* needs[next..n) are not yet looked at */
  uint32_t *needs;
} ParameterFrame;

typedef struct {
  Check *c;
  Reader reader;
  uint8_t *mark;
  VEC(ParameterFrame) path;
} Parameters;

static void open_parameter(Parameters *p, uint32_t var) {
  ParameterFrame f = {.var = var};
  reader_start(&p->reader);
  reader_add(&p->reader, p->c->m->vars.at[var].binding, READ_CURRENT);
  f.needs = reader_sorted(&p->reader, &f.n);
  p->mark[var] = OPEN_PARAMETER;
  vec_push(p->c->a, &p->path, f);
}

static void report_circle(Parameters *p, uint32_t var) {
  Check *c = p->c;
  uint32_t first = 0;
  while (p->path.at[first].var != var)
    first++;
  Text t = {.arena = c->a};
  for (uint32_t i = first; i < p->path.n; i++)
    text_printf(&t, "%s -> ", c->m->vars.at[p->path.at[i].var].name);
  const FlatVar *v = &c->m->vars.at[var];
  Diag *d = diag_add(c->diags, D_V003, v->span, "the value of `%s` depends on itself: %s%s",
                     v->name, text_str(&t), v->name);
  for (uint32_t i = first + 1; i < p->path.n && i < first + 4; i++)
    diag_label(c->diags, d, c->m->vars.at[p->path.at[i].var].span, "`%s` needs `%s`",
               c->m->vars.at[p->path.at[i].var].name,
               c->m->vars.at[i + 1 < p->path.n ? p->path.at[i + 1].var : var].name);
  diag_help(c->diags, d, "give one of them a value of its own");
  diag_origin(c->diags, d, check_origin(c->m, c->a, v->origin));
}

static void follow_parameters(Parameters *p, uint32_t var) {
  open_parameter(p, var);
  while (p->path.n) {
    ParameterFrame *f = &vec_last(&p->path);
    if (f->next == f->n) {
      p->mark[f->var] = DONE_PARAMETER;
      p->path.n--;
      continue;
    }
    uint32_t next = f->needs[f->next++];
    if (p->mark[next] == OPEN_PARAMETER)
      report_circle(p, next);
    else if (p->mark[next] == NEW_PARAMETER && p->c->m->vars.at[next].variability >= FLAT_PARAMETER)
      open_parameter(p, next);
  }
}

static void check_circles(Check *c) {
  Parameters p = {.c = c, .mark = NEW_ARRAY(c->a, uint8_t, c->m->vars.n + 1)};
  reader_init(&p.reader, c->m, c->a);
  for (uint32_t v = 0; v < c->m->vars.n; v++)
    if (p.mark[v] == NEW_PARAMETER && c->m->vars.at[v].variability >= FLAT_PARAMETER &&
        c->m->vars.at[v].binding.i)
      follow_parameters(&p, v);
}

/* ---- D404 ---- */

typedef struct {
  Check *c;
  const FlatEquation *eq;
} Derivatives;

static void find_derivative(void *user, ExprId e) {
  const Derivatives *f = user;
  Check *c = f->c;
  const Expr *x = expr_get(c->m->pool, e);
  const Expr *arg = x->op == OP_DER || x->op == OP_IMPULSE ? expr_get(c->m->pool, x->args[0])
                                                           : NULL;
  const FlatVar *v = arg && arg->op == OP_VAR ? &c->m->vars.at[arg->index] : NULL;
  if (arg && !v && x->op == OP_IMPULSE)
    diag_origin(c->diags, diag_add(c->diags, D_D404, f->eq->span, "`impulse` needs a variable"),
                check_origin(c->m, c->a, f->eq->origin));
  if (!v || v->variability != FLAT_DISCRETE)
    return;
  Diag *d = diag_add(c->diags, D_D404, f->eq->span,
                     "`%s(%s)`: `%s` changes at events only and has no %s",
                     x->op == OP_DER ? "der" : "impulse", v->name, v->name,
                     x->op == OP_DER ? "derivative" : "pulse");
  diag_label(c->diags, d, v->span, v->in_when ? "assigned in a when-clause" : "declared here");
  diag_origin(c->diags, d, check_origin(c->m, c->a, f->eq->origin));
}

static void check_derivatives(Check *c, const FlatEquation *eq) {
  Derivatives f = {c, eq};
  if (eq->lhs.i)
    expr_walk(c->m->pool, eq->lhs, find_derivative, &f);
  if (eq->rhs.i)
    expr_walk(c->m->pool, eq->rhs, find_derivative, &f);
  for (uint32_t k = 0; k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      check_derivatives(c, eq->branches[k].body[i]);
}

/* ---- V001 ---- */

/* The first variable that makes the expression vary between events; NONE if none does. `time`
 * counts as n_vars. */
static uint32_t continuous_in(Check *c, Reader *r, ExprId e) {
  reader_start(r);
  reader_add(r, e, READ_SOLVABLE); /* outside of relations, which change at events only */
  for (uint32_t i = 0; i < r->found.n; i++)
    if (c->m->vars.at[r->found.at[i]].variability == FLAT_CONTINUOUS)
      return r->found.at[i];
  return NONE;
}

static void check_discrete_value(Check *c, Reader *r, const FlatEquation *eq) {
  const Expr *left = eq->kind == FEQ_EQUAL && eq->from <= FROM_BINDING
                         ? expr_get(c->m->pool, eq->lhs)
                         : NULL;
  const FlatVar *v = left && left->op == OP_VAR ? &c->m->vars.at[left->index] : NULL;
  if (!v || v->variability != FLAT_DISCRETE || v->in_when ||
      type_get(c->m->pool, v->type)->base != TY_REAL)
    return;
  const Expr *right = expr_get(c->m->pool, eq->rhs);
  uint32_t cause = continuous_in(c, r, eq->rhs);
  if (cause == NONE && right->op != OP_TIME)
    return;
  Diag *d = diag_add(c->diags, D_V001, eq->span,
                     "the discrete variable `%s` cannot follow `%s`, which varies continuously",
                     v->name, cause == NONE ? "time" : c->m->vars.at[cause].name);
  diag_label(c->diags, d, v->span, "declared discrete");
  diag_help(c->diags, d, "assign it in a when-clause, or declare it without `discrete`");
  diag_origin(c->diags, d, check_origin(c->m, c->a, eq->origin));
}

void check_variability(Check *c) {
  Reader r;
  reader_init(&r, c->m, c->a);
  check_circles(c);
  for (uint32_t i = 0; i < c->m->equations.n; i++) {
    check_derivatives(c, c->m->equations.at[i]);
    check_discrete_value(c, &r, c->m->equations.at[i]);
  }
}
