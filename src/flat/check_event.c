/* flat/check_event.c -- V001: a Boolean, Integer, enumeration or String, or the condition of a when
 * or of an if-equation that changes how many equations hold, that would change between events (MLS
 * 3.6 sections 3.8.4 and 8.3.5). Such a value comes from a discrete-time expression: constants,
 * discrete variables, pre() and the like, relations and floor(), integer() ... outside of noEvent,
 * and functions of those. Each node of the DAG is looked at once.
 * X003: what a function makes of continuous arguments is none for the specification; here it is
 * watched, and changes at events. */
#include "flat/check_impl.h"

/* QUIET: inside noEvent, where relations make no events */
enum { SEEN = 1, DISCRETE = 2, DISCRETE_QUIET = 4 };

typedef struct {
  const FlatModel *m;
  uint8_t *marks; /* per node */
  bool standard;  /* functions make no events */
} Events;

/* What counts here, and what counts for the specification. */
typedef struct {
  Check *c;
  Events here, standard;
} Watched;

static bool is_discrete_leaf(const Events *v, const Expr *x) {
  if (x->op == OP_VAR) {
    const FlatVar *var = &v->m->vars.at[x->index];
    return var->variability != FLAT_CONTINUOUS || type_get(v->m->pool, var->type)->base != TY_REAL;
  }
  return x->op != OP_TIME;
}

/* What the operator itself makes of its arguments: discrete whatever they are, only outside of
 * noEvent, or as they are. */
typedef enum { BY_ARGUMENTS, ALWAYS, UNLESS_QUIET, NEVER } EventRule;

static EventRule rule_of(Op op) {
  if (op >= OP_LT && op <= OP_NE)
    return UNLESS_QUIET;
  switch (op) {
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_SAMPLE:
  case OP_IMPULSE: return ALWAYS;
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_DIVT: return UNLESS_QUIET;
  case OP_DER:
  case OP_DELAY:
  case OP_SPATIAL: return NEVER;
  default: return BY_ARGUMENTS;
  }
}

static void look_at(void *user, ExprId id) {
  Events *v = user;
  if (v->marks[id.i] & SEEN)
    return;
  const Expr *x = expr_get(v->m->pool, id);
  uint8_t both = DISCRETE | DISCRETE_QUIET, result = x->n || is_discrete_leaf(v, x) ? both : 0;
  for (uint32_t i = 0; i < x->n; i++)
    if (x->args[i].i)
      result &= v->marks[x->args[i].i];
  switch (rule_of(x->op)) {
  case BY_ARGUMENTS: break;
  case ALWAYS: result = both; break;
  case UNLESS_QUIET: result |= DISCRETE; break;
  case NEVER: result = 0; break;
  }
  const Func *f = x->op == OP_CALL ? x->ref : NULL;
  if (f && (!v->standard || f->generate_events) && type_get(v->m->pool, x->type)->base != TY_REAL)
    result |= DISCRETE;
  if (x->op == OP_NOEVENT)
    result = result & DISCRETE_QUIET ? both : 0;
  v->marks[id.i] = (uint8_t)(result | SEEN);
}

static bool is_discrete(Events *v, ExprId e) {
  expr_walk(v->m->pool, e, look_at, v);
  return v->marks[e.i] & DISCRETE;
}

static const FlatVar *discrete_var(const FlatModel *m, ExprId e) {
  const Expr *x = expr_get(m->pool, e);
  const FlatVar *v = x->op == OP_VAR ? &m->vars.at[x->index] : NULL;
  TypeBase base = v ? type_get(m->pool, v->type)->base : TY_NONE;
  bool discrete = base == TY_BOOLEAN || base == TY_INTEGER || base == TY_ENUM || base == TY_STRING;
  return discrete && v->variability < FLAT_PARAMETER ? v : NULL;
}

static void check_condition(Check *c, Events *v, ExprId condition, const char *what, Span span,
                            uint32_t origin) {
  if (!condition.i || is_discrete(v, condition))
    return;
  Diag *d = diag_add(c->diags, D_V001, span, "the condition `%s` of this %s changes between events",
                     check_text(c->m, c->a, condition), what);
  diag_help(c->diags, d, "make it an event: use a relation without noEvent");
  diag_origin(c->diags, d, check_origin(c->m, c->a, origin));
}

/* Conditions of when-statements; they stand on the first level (MLS 3.6 section 11.2.7.1). */
static void check_statements(Check *c, Events *v, const FlatEquation *eq) {
  for (uint32_t k = 0; k < eq->n_body; k++)
    for (uint32_t b = 0; eq->body[k]->kind == STMT_WHEN && b < eq->body[k]->n_branches; b++)
      check_condition(c, v, eq->body[k]->branches[b].condition, "when", eq->body[k]->span,
                      eq->origin);
}

static bool is_text(const Check *c, const FlatVar *var) {
  return type_get(c->m->pool, var->type)->base == TY_STRING;
}

/* `var` follows the expression: texts are not watched. */
static void check_follows(Check *c, Watched *w, const FlatVar *var, ExprId e,
                          const FlatEquation *eq) {
  if (c->stored || is_discrete(is_text(c, var) ? &w->standard : &w->here, e))
    return;
  Diag *d = diag_add(
      c->diags, D_V001, eq->span,
      "`%s` changes at events only and cannot follow an expression that changes in between",
      var->name);
  diag_label(c->diags, d, var->span, "declared here");
  diag_help(c->diags, d,
            "make it an event: use a relation without noEvent, or assign it in a when-clause");
  diag_origin(c->diags, d, check_origin(c->m, c->a, eq->origin));
}

static void check_equation(Check *c, Watched *w, const FlatEquation *eq) {
  bool structural = eq->kind == FEQ_IF && (eq->from == FROM_CONNECT || modes_differ(c, eq));
  for (uint32_t k = 0; (eq->kind == FEQ_WHEN || structural) && k < eq->n_branches; k++)
    check_condition(c, &w->here, eq->branches[k].condition, structural ? "if" : "when", eq->span,
                    eq->origin);
  if (eq->kind == FEQ_ALGORITHM)
    check_statements(c, &w->here, eq);
  for (uint32_t k = 0; eq->kind == FEQ_IF && k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      check_equation(c, w, eq->branches[k].body[i]);
  for (uint32_t k = 0; eq->kind == FEQ_TUPLE && k < eq->n_targets; k++) {
    const FlatVar *var = eq->targets[k].i ? discrete_var(c->m, eq->targets[k]) : NULL;
    if (var)
      check_follows(c, w, var, eq->rhs, eq);
  }
  if (eq->kind != FEQ_EQUAL)
    return;
  const FlatVar *left = discrete_var(c->m, eq->lhs),
                *right = left ? NULL : discrete_var(c->m, eq->rhs);
  if (left || right)
    check_follows(c, w, left ? left : right, left ? eq->rhs : eq->lhs, eq);
}

static Watched watched(Check *c) {
  uint32_t n = pool_size(c->m->pool) + 1;
  return (Watched){
      c, {c->m, NEW_ARRAY(c->a, uint8_t, n), false}, {c->m, NEW_ARRAY(c->a, uint8_t, n), true}};
}

void check_events(Check *c) {
  Watched w = watched(c);
  for (uint32_t i = 0; i < c->m->equations.n; i++)
    check_equation(c, &w, c->m->equations.at[i]);
}

/* ---- X003 ---- */

static void look_watched(Watched *w, ExprId e, Span span) {
  if (e.i && is_discrete(&w->here, e) && !is_discrete(&w->standard, e))
    diag_add(
        w->c->diags, D_X003, span,
        "an Integer or Boolean that a function makes of continuous values is not part of Modelica");
}

static void watched_statements(Watched *w, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = body[k];
    if (st->kind == STMT_ASSIGN && discrete_var(w->c->m, st->targets[0]))
      look_watched(w, st->value, st->span);
    for (uint32_t b = 0; b < st->n_branches; b++) {
      if (st->kind == STMT_WHEN)
        look_watched(w, st->branches[b].condition, st->span);
      else
        watched_statements(w, st->branches[b].body, st->branches[b].n);
    }
  }
}

static void watched_equation(Watched *w, const FlatEquation *eq) {
  const FlatModel *m = w->c->m;
  for (uint32_t k = 0; eq->kind == FEQ_WHEN && k < eq->n_branches; k++)
    look_watched(w, eq->branches[k].condition, eq->span);
  for (uint32_t k = 0; eq->kind == FEQ_IF && k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      watched_equation(w, eq->branches[k].body[i]);
  if (eq->kind == FEQ_ALGORITHM)
    watched_statements(w, eq->body, eq->n_body);
  if (eq->kind == FEQ_EQUAL && discrete_var(m, eq->lhs))
    look_watched(w, eq->rhs, eq->span);
  else if (eq->kind == FEQ_EQUAL && discrete_var(m, eq->rhs))
    look_watched(w, eq->lhs, eq->span);
  /* one message for all results of a call */
  bool any = false;
  for (uint32_t k = 0; eq->kind == FEQ_TUPLE && k < eq->n_targets; k++)
    any = any || (eq->targets[k].i && discrete_var(m, eq->targets[k]));
  if (any)
    look_watched(w, eq->rhs, eq->span);
}

void check_watched(Check *c) {
  Watched w = watched(c);
  for (uint32_t i = 0; i < c->m->equations.n; i++)
    watched_equation(&w, c->m->equations.at[i]);
}
