/* flat/switch.c -- connections under a condition that changes in time (an extension of MLS 3.6 section 8.3.3).
 * Each is an ideal switch between two nodes: while the condition holds the potentials of both connectors are equal, else what
 * flows through the switch is zero. What flows is a variable of its own, `a.p.i->b.p.i`: it leaves the connection set of one
 * side and enters that of the other. So the sets never change, and n such connections are n if-equations, not 2^n sets.
 * Keep: the if-equation has the conditions of the text, in its order, so that connections of one `if` share them. */
#include "flat/flatten_impl.h"

typedef struct {
  uint32_t a, b; /* the two potentials; or: the flow variable of one side and what flows through the switch */
} Pair;

struct Switches {
  VEC(Pair) potentials, flows; /* of the connection that is being read */
  VEC(Pair) all_flows;         /* of those before */
  VEC(FlatEquation *) equations;
  Map names; /* how often a pair of variables is connected */
};

Switches *switch_new(Flattener *fl) { return NEW(fl->arena, Switches); }

void switch_start(Flattener *fl) { fl->switches->potentials.n = fl->switches->flows.n = 0; }

const char *switch_refuses(const Flattener *fl, const Element *e) {
  if (class_self(e->owner)->kind == CLASS_EXPANDABLE)
    return "an expandable connector";
  if (e->direction != DIR_NONE)
    return "an input or output";
  if (e->flow != FLOW_NONE && e->flow != FLOW_FLOW)
    return "a stream variable";
  if (e->variability == VAR_DISCRETE || type_get(fl->w->pool, e->type)->base != TY_REAL)
    return "a variable that changes at events only";
  return NULL;
}

void switch_potential(Flattener *fl, uint32_t a, uint32_t b) { vec_push(fl->arena, &fl->switches->potentials, (Pair){a, b}); }

uint32_t switch_flow(Flattener *fl, uint32_t a, uint32_t b, Span span) {
  Switches *s = fl->switches;
  FlatModel *m = fl->m;
  uint64_t key = (uint64_t)a << 32 | b, times = 0;
  map_get(&s->names, key, &times);
  map_put(fl->arena, &s->names, key, times + 1);
  const char *name = arena_printf(fl->arena, "%s->%s", m->vars.at[a].name, m->vars.at[b].name);
  if (times)
    name = arena_printf(fl->arena, "%s (%u)", name, (unsigned)times + 1);
  uint32_t var = flat_add_var(m, fl->arena, name, m->vars.at[a].type);
  m->vars.at[var].is_protected = true;
  m->vars.at[var].origin = fl->origin;
  m->vars.at[var].span = span;
  vec_push(fl->arena, &s->flows, (Pair){a, var});
  vec_push(fl->arena, &s->all_flows, (Pair){a, var});
  return var;
}

/* ---- equations ---- */

static FlatEquation *equal(Flattener *fl, ExprId a, ExprId b, Span span) {
  FlatEquation *eq = flat_equation(fl->arena, FEQ_EQUAL, span);
  eq->from = FROM_CONNECT;
  eq->origin = fl->origin;
  eq->lhs = a;
  eq->rhs = b;
  return eq;
}

static FlatBranch open_branch(Flattener *fl, ExprId condition, Span span) {
  const Switches *s = fl->switches;
  FlatBranch b = {condition, NEW_ARRAY(fl->arena, FlatEquation *, s->flows.n), s->flows.n};
  for (uint32_t k = 0; k < b.n; k++)
    b.body[k] = equal(fl, flat_var_expr(fl->m, s->flows.at[k].b), expr_real(fl->w->pool, 0), span);
  return b;
}

static FlatBranch closed_branch(Flattener *fl, Span span) {
  const Switches *s = fl->switches;
  FlatBranch b = {NO_EXPR, NEW_ARRAY(fl->arena, FlatEquation *, s->potentials.n), s->potentials.n};
  for (uint32_t k = 0; k < b.n; k++)
    b.body[k] = equal(fl, flat_var_expr(fl->m, s->potentials.at[k].a), flat_var_expr(fl->m, s->potentials.at[k].b), span);
  return b;
}

/* One `if` of the text around what holds in its branch; behind that branch the switch is open in any case. */
static FlatEquation *around(Flattener *fl, const Guard *g, FlatBranch held, Span span) {
  FlatEquation *eq = flat_equation(fl->arena, FEQ_IF, span);
  eq->from = FROM_CONNECT;
  eq->origin = fl->origin;
  eq->branches = NEW_ARRAY(fl->arena, FlatBranch, g->branch + 2);
  for (uint32_t k = 0; k < g->branch; k++)
    eq->branches[eq->n_branches++] = open_branch(fl, g->conditions[k], span);
  held.condition = g->conditions[g->branch];
  eq->branches[eq->n_branches++] = held;
  if (held.condition.i)
    eq->branches[eq->n_branches++] = open_branch(fl, NO_EXPR, span);
  return eq;
}

void switch_end(Flattener *fl, Elab *el, const AstEquation *ast) {
  Switches *s = fl->switches;
  if (s->potentials.n != s->flows.n) {
    elab_error(el, D_X001, ast->span, "connections under a condition that changes in time need as many potentials as flows; here are %u and %u",
               s->potentials.n, s->flows.n);
    return;
  }
  if (!s->flows.n)
    return;
  FlatBranch held = closed_branch(fl, ast->span);
  FlatEquation *eq = NULL;
  for (const Guard *g = fl->guard; g; g = g->around) {
    eq = around(fl, g, held, ast->span);
    held = (FlatBranch){NO_EXPR, NEW_ARRAY(fl->arena, FlatEquation *, 1), 1};
    held.body[0] = eq;
  }
  vec_push(fl->arena, &s->equations, eq);
}

void switch_equations(Flattener *fl) {
  Switches *s = fl->switches;
  for (uint32_t k = 0; k < s->all_flows.n; k++) {
    const FlatVar *like = &fl->m->vars.at[s->all_flows.at[k].a];
    FlatVar *v = &fl->m->vars.at[s->all_flows.at[k].b];
    v->unit = like->unit;
    v->display_unit = like->display_unit;
    v->quantity = like->quantity;
    v->nominal = like->nominal;
  }
  for (uint32_t k = 0; k < s->equations.n; k++)
    vec_push(fl->arena, &fl->m->equations, s->equations.at[k]);
}
