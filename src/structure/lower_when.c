/* structure/lower_when.c -- when-equations.
 * How:  each condition becomes a Boolean c with the row c = condition; a branch is active at a
 *       rising edge of one of its conditions (c and not pre(c)), so `v = if active1 then e1 elseif
 *       active2 then e2 else pre(v)` is an ordinary row for each variable v that the clause assigns
 *       (MLS 3.6 section 8.3.5 and appendix B). During initialisation a branch is active only if
 *       initial() is one of its conditions (section 8.6). reinit, assert and terminate become
 *       actions. */
#include "structure/lower.h"
#include "structure/build.h"
#include "structure/lower_call.h"
#include "structure/lower_expr.h"
#include "structure/lower_impl.h"
#include "structure/lower_inside.h"
#include "structure/lower_section.h"
#include "structure/lowered.h"
#include "structure/name.h"

typedef struct {
  uint32_t var;
  ExprId value;
} Assign;
typedef VEC(Assign) Assigns;

static ExprId assigned(const Assigns *as, uint32_t var) {
  for (uint32_t k = 0; k < as->n; k++)
    if (as->at[k].var == var)
      return as->at[k].value;
  return NO_EXPR;
}

static void assign(Lower *lo, Assigns *as, uint32_t var, ExprId value) {
  for (uint32_t k = 0; k < as->n; k++)
    if (as->at[k].var == var) {
      /* two clauses are told later; in one clause it is plain to see */
      Diag *d = diag_add(lo->diags, D_S104, lo->span,
                         "`%s` is determined twice in this when-clause", lo->m->vars.at[var].name);
      diag_origin(lo->diags, d, structure_origin(lo->m, lo->origin));
      return;
    }
  if (type_get(lo->p, lo->s->vars.at[var].type)->base == TY_REAL)
    value = expr_to_real(lo->p, value);
  vec_push(lo->a, as, (Assign){var, value});
}

/* ---- conditions ---- */

uint32_t condition_var(Lower *lo, ExprId condition) {
  uint64_t known;
  condition = lower_watched(lo, condition, true);
  /* equal conditions are one variable, so that their edges come together */
  if (lower_known(lo, condition.i, &known))
    return (uint32_t)known;
  uint32_t v = svar_add(lo, SV_CONDITION, 0, type_scalar(lo->p, TY_BOOLEAN));
  lo->s->vars.at[v].discrete = true;
  lo->s->vars.at[v].meaning = condition;
  lower_note(lo, condition.i, v);
  /* a row of both systems: it gives this variable and no other */
  row_add(lo, &lo->s->simulation, ROW_EQUAL, svar_expr(lo->s, v), condition)->only = v;
  row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, v), condition)->only = v;
  return v;
}

/* The rising edge of one condition. */
static ExprId edge_of(Lower *lo, ExprId condition) {
  ExprPool *p = lo->p;
  uint32_t v;
  if (expr_is_literal(p, condition))
    return expr_boolean(p, false); /* it never becomes true */
  bool variable = lowered_var(p, condition, &v);
  if (variable && lo->s->vars.at[v].kind == SV_SAMPLE)
    return condition; /* true in one pass only */
  if (lo->mem->inside && lower_is_internal(lo, condition))
    v = inside_condition(lo, condition);
  else if (!variable || lo->s->vars.at[v].kind != SV_VAR)
    v = condition_var(lo, condition);
  return logic_and(p, svar_expr(lo->s, v), logic_not(p, svar_before(lo, v)));
}

WhenBranch when_branch(Lower *lo, ExprId condition, ExprId *before) {
  /* when {a, b}: at the edge of any */
  ExprPool *p = lo->p;
  const Expr *x = expr_get(p, condition);
  bool vector = x->op == OP_ARRAY;
  WhenBranch out = {expr_boolean(p, false), false};
  for (uint32_t k = 0; k < (vector ? x->n : 1); k++) {
    ExprId e = vector ? x->args[k] : condition;
    /* initial() has no edge: it holds at the start alone */
    if (expr_get(p, e)->op == OP_INITIAL)
      out.initial = true;
    else
      out.active = logic_or(p, out.active, edge_of(lo, lower_expr(lo, e, LOWER_EVENTS)));
  }
  /* a later branch is active only if no earlier one is */
  ExprId raw = out.active;
  if (before->i)
    out.active = logic_and(p, out.active, logic_not(p, *before));
  *before = before->i ? logic_or(p, *before, raw) : raw;
  return out;
}

/* ---- bodies ---- */

static void read_body(Lower *lo, FlatEquation *const *body, uint32_t n, ExprId guard, bool initial,
                      Assigns *out);

static void read_equal(Lower *lo, const FlatEquation *eq, Assigns *out) {
  ExprId lhs = lower_expr(lo, eq->lhs, LOWER_NO_EVENTS);
  ExprId rhs = lower_expr(lo, eq->rhs, LOWER_NO_EVENTS);
  uint32_t v;
  /* turned round, if the variable stands on the right */
  if (!lowered_var(lo->p, lhs, &v) && lowered_var(lo->p, rhs, &v))
    rhs = lhs;
  else if (!lowered_var(lo->p, lhs, &v)) {
    lower_refuse(lo, "an equation in a when-clause that has no variable alone on its left side");
    return;
  }
  if (v >= lo->m->vars.n || lo->s->vars.at[v].known) {
    lower_refuse(lo, "an equation in a when-clause for something that is not an unknown variable");
    return;
  }
  assign(lo, out, v, rhs);
}

/* (a, b) = f(...): each variable takes its part of the call. */
static void read_tuple(Lower *lo, const FlatEquation *eq, Assigns *out) {
  ExprId call = lower_expr(lo, eq->rhs, LOWER_NO_EVENTS);
  uint32_t v;
  if (expr_get(lo->p, call)->op != OP_CALL) {
    lower_refuse(lo, "this form of an equation with several left sides");
    return;
  }
  for (uint32_t k = 0; k < eq->n_targets; k++)
    if (eq->targets[k].i && lowered_var(lo->p, eq->targets[k], &v))
      assign(lo, out, v, expr_make_index(lo->p, OP_PART, lo->s->vars.at[v].type, k, 0, 1, &call));
}

static void read_if(Lower *lo, const FlatEquation *eq, ExprId guard, bool initial, Assigns *out) {
  ExprPool *p = lo->p;
  Assigns *branches = NEW_ARRAY(lo->a, Assigns, eq->n_branches);
  ExprId *conditions = NEW_ARRAY(lo->a, ExprId, eq->n_branches);
  ExprId none = guard;
  Assigns all = {0};
  /* each branch under the conditions before it, as in an if-equation */
  for (uint32_t b = 0; b < eq->n_branches; b++) {
    const FlatBranch *br = &eq->branches[b];
    conditions[b] = br->condition.i ? lower_expr(lo, br->condition, LOWER_NO_EVENTS)
                                    : expr_boolean(p, true);
    read_body(lo, br->body, br->n, logic_and(p, none, conditions[b]), initial, &branches[b]);
    none = logic_and(p, none, logic_not(p, conditions[b]));
    lo->span = eq->span;
    for (uint32_t k = 0; k < branches[b].n; k++)
      if (!assigned(&all, branches[b].at[k].var).i)
        vec_push(lo->a, &all, branches[b].at[k]);
  }
  /* what a branch does not assign keeps its value there */
  for (uint32_t k = 0; k < all.n; k++) {
    uint32_t v = all.at[k].var;
    ExprId value = svar_expr(lo->s, svar_pre(lo, v));
    for (uint32_t b = eq->n_branches; b-- > 0;) {
      ExprId e = assigned(&branches[b], v);
      value = expr_if(p, conditions[b], e.i ? e : svar_expr(lo->s, svar_pre(lo, v)), value);
    }
    assign(lo, out, v, value);
  }
}

static void read_reinit(Lower *lo, const FlatEquation *eq, ExprId guard, bool initial) {
  uint32_t v;
  ExprId value = expr_to_real(lo->p, lower_expr(lo, eq->rhs, LOWER_NO_EVENTS));
  if (!lowered_var(lo->p, eq->lhs, &v)) {
    lower_refuse(lo, "reinit() of something that is not a variable");
    return;
  }
  vec_push(
      lo->a, &lo->s->actions,
      (SAction){
          .kind = ACTION_REINIT, .guard = guard, .state = v, .value = value, .span = eq->span});
  /* at the start a reinit is an equation */
  if (initial)
    row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, v), value)->initial_only = true;
}

static void read_body(Lower *lo, FlatEquation *const *body, uint32_t n, ExprId guard, bool initial,
                      Assigns *out) {
  for (uint32_t k = 0; k < n; k++) {
    const FlatEquation *eq = body[k];
    lo->span = eq->span;
    SAction act = {.kind = ACTION_TERMINATE, .guard = guard, .span = eq->span};
    switch (eq->kind) {
    case FEQ_EQUAL: read_equal(lo, eq, out); break;
    case FEQ_TUPLE: read_tuple(lo, eq, out); break;
    case FEQ_IF: read_if(lo, eq, guard, initial, out); break;
    case FEQ_REINIT: read_reinit(lo, eq, guard, initial); break;
    case FEQ_ASSERT:
      act.kind = ACTION_ASSERT;
      act.value = lower_expr(lo, eq->lhs, LOWER_NO_EVENTS);
      act.level = eq->level.i ? lower_expr(lo, eq->level, LOWER_NO_EVENTS) : NO_EXPR;
      /* fallthrough */
    case FEQ_TERMINATE:
      act.message = lower_expr(lo, eq->rhs, LOWER_NO_EVENTS);
      vec_push(lo->a, &lo->s->actions, act);
      break;
    case FEQ_CALL:
      act.kind = ACTION_CALL;
      act.value = lower_expr(lo, eq->rhs, LOWER_NO_EVENTS);
      vec_push(lo->a, &lo->s->actions, act);
      break;
    case FEQ_WHEN: lower_refuse(lo, "a when-clause inside another"); break;
    case FEQ_ALGORITHM: lower_refuse(lo, "an algorithm inside a when-clause"); break;
    }
  }
}

/* ---- the clause ---- */

/* v = if active1 then e1 elseif active2 then e2 else pre(v); during initialisation the branch
 * that holds there. */
static void add_when_row(Lower *lo, const FlatEquation *eq, uint32_t v, const WhenBranch *when,
                         const Assigns *bodies) {
  ExprPool *p = lo->p;
  ExprId before = svar_expr(lo->s, svar_pre(lo, v));
  ExprId value = before;
  ExprId initially = NO_EXPR;
  /* from the last branch to the first, as elsewhen reads */
  for (uint32_t b = eq->n_branches; b-- > 0;) {
    ExprId e = assigned(&bodies[b], v);
    if (!e.i)
      e = before;
    value = expr_if(p, when[b].active, e, value);
    if (when[b].initial)
      initially = e;
  }
  row_add(lo, &lo->s->simulation, ROW_EQUAL, svar_expr(lo->s, v), value)->only = v;
  row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, v), initially.i ? initially : before);
}

void lower_when(Lower *lo, const FlatEquation *eq) {
  WhenBranch *when = NEW_ARRAY(lo->a, WhenBranch, eq->n_branches);
  Assigns *bodies = NEW_ARRAY(lo->a, Assigns, eq->n_branches);
  Assigns all = {0};
  ExprId before = NO_EXPR;
  bool taken = false; /* a branch that holds during initialisation was seen */
  for (uint32_t b = 0; b < eq->n_branches; b++) {
    lo->span = eq->span;
    when[b] = when_branch(lo, eq->branches[b].condition, &before);
    /* of several branches with initial() the first one holds */
    bool initial = when[b].initial && !taken;
    taken = taken || when[b].initial;
    ExprId guard = when[b].active;
    if (initial)
      guard = logic_or(lo->p, guard,
                       expr_make(lo->p, OP_INITIAL, type_scalar(lo->p, TY_BOOLEAN), 0, NULL));
    read_body(lo, eq->branches[b].body, eq->branches[b].n, guard, initial, &bodies[b]);
    /* the union of what branches assign, in the order of the text */
    for (uint32_t k = 0; k < bodies[b].n; k++)
      if (!assigned(&all, bodies[b].at[k].var).i)
        vec_push(lo->a, &all, bodies[b].at[k]);
  }
  lo->span = eq->span;
  for (uint32_t k = 0; k < all.n; k++)
    add_when_row(lo, eq, all.at[k].var, when, bodies);
}
