/* flat/switch.c -- connections under a condition that changes in time (an extension of MLS 3.6
 * section 8.3.3).
 * Each is an ideal switch between two nodes: while the condition holds the potentials of both
 * connectors are equal, else what flows through the switch is zero. What flows is a variable of its
 * own, `a.p.i->b.p.i`: it leaves the connection set of one side and enters that of the other. So
 * the sets never change, and n such connections are n if-equations, not 2^n sets. A connection of
 * what is connected already while it holds says nothing, as in a connection set: nothing flows
 * through it.
 * Keep: the if-equation has the conditions of the text, in its order, so that connections of one
 *       `if` share them. */
#include "flat/flatten_impl.h"

typedef struct {
  /* The two potentials; or: the flow variable of one side and what flows through the switch */
  uint32_t a, b;
} Pair;

typedef struct {
  uint32_t place;    /* of the connection: where[place] */
  uint32_t first, n; /* its potentials and flows */
  FlatEquation *eq;
  uint32_t origin;
} Switch;

/* A branch in which connections stand. The branches around it, and equal ones, hold whenever it
 * does. */
typedef struct {
  const Guard *guard;
  uint32_t around, depth; /* around: place, 0 is the model itself */
  /* union-find over what the branches around have joined: potential -> another of its set */
  Map joined;
} Branch;

struct Switches {
  VEC(Pair) potentials, flows; /* of all connections; as many of both */
  uint32_t first;              /* of the one that is being read */
  VEC(Switch) all;
  VEC(Branch) places;
  Map names; /* how often a pair of variables is connected */
};

Switches *switch_new(Flattener *fl) {
  Switches *s = NEW(fl->arena, Switches);
  vec_push(fl->arena, &s->places, (Branch){0});
  return s;
}

void switch_start(Flattener *fl) { fl->switches->first = fl->switches->flows.n; }

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

void switch_potential(Flattener *fl, uint32_t a, uint32_t b) {
  vec_push(fl->arena, &fl->switches->potentials, (Pair){a, b});
}

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
  uint32_t n = s->flows.n - s->first;
  FlatBranch b = {condition, NEW_ARRAY(fl->arena, FlatEquation *, n), n};
  for (uint32_t k = 0; k < n; k++)
    b.body[k] = equal(fl, flat_var_expr(fl->m, s->flows.at[s->first + k].b),
                      expr_real(fl->w->pool, 0), span);
  return b;
}

static FlatBranch closed_branch(Flattener *fl, Span span) {
  const Switches *s = fl->switches;
  uint32_t n = s->flows.n - s->first;
  FlatBranch b = {NO_EXPR, NEW_ARRAY(fl->arena, FlatEquation *, n), n};
  for (uint32_t k = 0; k < n; k++) {
    Pair p = s->potentials.at[s->first + k];
    b.body[k] = equal(fl, flat_var_expr(fl->m, p.a), flat_var_expr(fl->m, p.b), span);
  }
  return b;
}

/* One `if` of the text around what holds in its branch; behind that branch the switch is open in
 * any case. */
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

static bool same_branch(const Guard *x, const Guard *y) {
  bool same = x->branch == y->branch;
  for (uint32_t k = 0; same && k <= x->branch; k++)
    same = expr_same(x->conditions[k], y->conditions[k]);
  return same;
}

/* The place of a branch; equal conditions give equal places. */
static uint32_t place_of(Flattener *fl, const Guard *g) {
  Switches *s = fl->switches;
  uint32_t outer = g->around ? place_of(fl, g->around) : 0;
  for (uint32_t k = s->places.n; k > 1; k--) /* mostly the last */
    if (s->places.at[k - 1].around == outer && same_branch(s->places.at[k - 1].guard, g))
      return k - 1;
  Guard *copy = NEW(fl->arena, Guard);
  *copy = *g;
  Branch fresh = {.guard = copy, .around = outer, .depth = s->places.at[outer].depth + 1};
  vec_push(fl->arena, &s->places, fresh);
  return s->places.n - 1;
}

void switch_end(Flattener *fl, Elab *el, const AstEquation *ast) {
  Switches *s = fl->switches;
  uint32_t potentials = s->potentials.n - s->first, flows = s->flows.n - s->first;
  if (potentials != flows) {
    elab_error(el, D_X001, ast->span,
               "connections under a condition that changes in time need as many potentials as "
               "flows; here are %u and %u",
               potentials, flows);
    return;
  }
  if (!flows)
    return;
  FlatBranch held = closed_branch(fl, ast->span);
  FlatEquation *eq = NULL;
  for (const Guard *g = fl->guard; g; g = g->around) {
    eq = around(fl, g, held, ast->span);
    held = (FlatBranch){NO_EXPR, NEW_ARRAY(fl->arena, FlatEquation *, 1), 1};
    held.body[0] = eq;
  }
  vec_push(fl->arena, &s->all, (Switch){place_of(fl, fl->guard), s->first, flows, eq, fl->origin});
}

/* ---- circles ---- */

/* One potential for all that are equal to it while the branch holds. */
static uint32_t leader(Flattener *fl, uint32_t place, uint32_t var) {
  Branch *b = &fl->switches->places.at[place];
  if (!place)
    return connect_leader(fl, var);
  var = leader(fl, b->around, var);
  for (uint64_t next; map_get(&b->joined, var, &next);)
    var = (uint32_t)next;
  return var;
}

/* Joins the two sides; false if they are joined already, so that the connection says nothing. */
static bool join_sides(Flattener *fl, const Switch *sw) {
  bool news = false;
  for (uint32_t k = sw->first; k < sw->first + sw->n; k++) {
    Pair p = fl->switches->potentials.at[k];
    uint32_t x = leader(fl, sw->place, p.a), y = leader(fl, sw->place, p.b);
    if (x == y)
      continue;
    news = true;
    map_put(fl->arena, &fl->switches->places.at[sw->place].joined, x > y ? x : y, x > y ? y : x);
  }
  return news;
}

/* The equations of one connection; nothing flows through one that only closes a circle. */
static void add_equations(Flattener *fl, const Switch *sw, bool closes_circle) {
  uint32_t before = fl->origin;
  fl->origin = sw->origin;
  if (!closes_circle)
    vec_push(fl->arena, &fl->m->equations, sw->eq);
  for (uint32_t k = sw->first; closes_circle && k < sw->first + sw->n; k++) {
    ExprId through = flat_var_expr(fl->m, fl->switches->flows.at[k].b);
    vec_push(fl->arena, &fl->m->equations,
             equal(fl, through, expr_real(fl->w->pool, 0), sw->eq->span));
  }
  fl->origin = before;
}

void switch_equations(Flattener *fl) {
  Switches *s = fl->switches;
  for (uint32_t k = 0; k < s->flows.n; k++) {
    const FlatVar *like = &fl->m->vars.at[s->flows.at[k].a];
    FlatVar *v = &fl->m->vars.at[s->flows.at[k].b];
    v->unit = like->unit;
    v->display_unit = like->display_unit;
    v->quantity = like->quantity;
    v->nominal = like->nominal;
  }
  uint32_t deepest = 0;
  for (uint32_t k = 0; k < s->places.n; k++)
    deepest = s->places.at[k].depth > deepest ? s->places.at[k].depth : deepest;
  bool *circle = NEW_ARRAY(fl->arena, bool, s->all.n + 1);
  for (uint32_t depth = 1; depth <= deepest; depth++) /* branches around come first */
    for (uint32_t k = 0; k < s->all.n; k++)
      if (s->places.at[s->all.at[k].place].depth == depth)
        circle[k] = !join_sides(fl, &s->all.at[k]);
  for (uint32_t k = 0; k < s->all.n; k++)
    add_equations(fl, &s->all.at[k], circle[k]);
}
