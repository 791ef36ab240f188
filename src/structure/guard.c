/* structure/guard.c -- when does a relation matter?
 * `mode == Stuck and f > f_max` does not depend on the relation while mode, which changes at events
 * only, is something else: a crossing then needs no event, because every event evaluates all
 * relations anew. The same holds for the second operand of `or` and for the branches of `if`.
 * In:   rows, actions and checks of the simulation.   Out: SRelation.guard; NO_EXPR: it always
 *       matters.
 * Keep: the first operand guards the second and never the other way round, so that no two relations
 *       wait for each other. What is not understood (algorithms, operands of relations) counts as
 *       always. */
#include "structure/switching.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/lower.h"
#include "structure/lowered.h"

typedef struct {
  Lower *lo;
  Map has;         /* expression -> contains a relation */
  Map visited;     /* (expression, guard) pairs */
  bool *always;    /* per relation */
  uint32_t *found; /* per relation: alternatives joined in its guard */
  uint32_t visits;
} Guards;

static bool relation_of(const Guards *g, const Expr *x, uint32_t *number) {
  const Structure *s = g->lo->s;
  if (x->op != OP_VAR || x->index >= s->vars.n || s->vars.at[x->index].kind != SV_RELATION)
    return false;
  *number = s->vars.at[x->index].of;
  return true;
}

/* Is there a relation in it at all? Each expression is looked at once. */
static bool has_relation(Guards *g, ExprId e) {
  /* a leaf is one itself, or not */
  const Expr *x = expr_get(g->lo->p, e);
  uint64_t known;
  uint32_t number;
  if (!x->n)
    return relation_of(g, x, &number);
  if (map_get(&g->has, e.i, &known))
    return known != 0;
  bool found = false;
  for (uint32_t k = 0; k < x->n && !found; k++)
    found = x->args[k].i && has_relation(g, x->args[k]);
  map_put(g->lo->a, &g->has, e.i, found);
  return found;
}

static void search_unsteady(void *user, ExprId e) {
  /* such values change without being seen */
  bool *found = ((void **)user)[1];
  Op op = expr_get(((const Guards *)((void **)user)[0])->lo->p, e)->op;
  *found = *found || op == OP_CALL || op == OP_DELAY || op == OP_SPATIAL || op == OP_LOCAL ||
           op == OP_REF;
}

/* Does it keep its value between events? */
static bool held(Guards *g, ExprId e) {
  bool unsteady = false;
  void *both[] = {g, &unsteady};
  expr_walk(g->lo->p, e, search_unsteady, both);
  return !unsteady && lower_is_discrete(g->lo, e);
}

static ExprId both(Guards *g, ExprId guard, ExprId e) {
  return guard.i ? expr_binary(g->lo->p, OP_AND, guard, e) : e;
}
static ExprId without(Guards *g, ExprId guard, ExprId e) {
  return both(g, guard, expr_unary(g->lo->p, OP_NOT, e));
}

/* One more place where the relation stands: it matters if one of their guards holds. */
static void note_relation(Guards *g, uint32_t number, ExprId guard) {
  ExprId *all = &g->lo->s->relations.at[number].guard;
  /* always: without a guard, or with too many of them */
  g->always[number] = g->always[number] || !guard.i || ++g->found[number] > MOST_GUARD_ALTERNATIVES;
  *all = all->i ? expr_binary(g->lo->p, OP_OR, *all, guard) : guard;
}

static void visit(Guards *g, ExprId e, ExprId guard);

/* The second operand matters only while the first does not decide. */
static void visit_pair(Guards *g, const Expr *x, ExprId guard) {
  ExprId a = x->args[0], b = x->args[1];
  visit(g, a, guard);
  visit(g, b, !held(g, a) ? guard : x->op == OP_AND ? both(g, guard, a) : without(g, guard, a));
}

static void visit(Guards *g, ExprId e, ExprId guard) {
  const Expr *x = expr_get(g->lo->p, e);
  /* the same expression under the same guard says the same */
  uint64_t pair = (uint64_t)e.i << 32 | guard.i, seen;
  uint32_t number;
  if (!has_relation(g, e) || map_get(&g->visited, pair, &seen))
    return;
  map_put(g->lo->a, &g->visited, pair, 1);
  g->visits++;
  /* what may decide is followed as long as there is patience; behind that, relations always
   * matter */
  if (relation_of(g, x, &number)) {
    note_relation(g, number, guard);
  } else if (g->visits < MOST_GUARD_VISITS && (x->op == OP_AND || x->op == OP_OR)) {
    visit_pair(g, x, guard);
  } else if (g->visits < MOST_GUARD_VISITS && x->op == OP_IF && held(g, x->args[0])) {
    visit(g, x->args[0], guard);
    visit(g, x->args[1], both(g, guard, x->args[0]));
    visit(g, x->args[2], without(g, guard, x->args[0]));
  } else {
    for (uint32_t k = 0; k < x->n; k++)
      if (x->args[k].i)
        visit(g, x->args[k], g->visits < MOST_GUARD_VISITS ? guard : NO_EXPR);
  }
}

static void visit_any(void *user, ExprId e) {
  Guards *g = user;
  uint32_t number;
  if (relation_of(g, expr_get(g->lo->p, e), &number))
    g->always[number] = true;
}

static void visit_action(Guards *g, const SAction *act) {
  const ExprId parts[] = {act->value, act->message, act->level};
  ExprId guard = act->guard.i && held(g, act->guard) ? act->guard : NO_EXPR;
  if (act->guard.i)
    visit(g, act->guard, NO_EXPR);
  for (uint32_t k = 0; k < 3; k++)
    if (parts[k].i)
      visit(g, parts[k], guard);
}

void guards_find(Lower *lo) {
  Structure *s = lo->s;
  Guards g = {.lo = lo,
              .always = NEW_ARRAY(lo->a, bool, s->relations.n + 1),
              .found = NEW_ARRAY(lo->a, uint32_t, s->relations.n + 1)};
  /* an equation always holds: what stands in it is guarded by its own conditions only */
  for (uint32_t k = 0; k < s->simulation.rows.n; k++) {
    const SRow *row = &s->simulation.rows.at[k];
    const ExprId sides[] = {row->lhs, row->rhs};
    for (uint32_t q = 0; q < 2; q++)
      if (sides[q].i)
        visit(&g, sides[q], NO_EXPR);
  }
  for (uint32_t k = 0; k < s->algorithms.n; k++) /* those of the initial section have no body */
    if (s->algorithms.at[k].body)
      stmts_vars(lo->p, s->algorithms.at[k].body, s->algorithms.at[k].n_body, visit_any, &g);
  for (uint32_t k = 0; k < s->actions.n; k++)
    visit_action(&g, &s->actions.at[k]);
  for (uint32_t k = 0; k < s->checks.n; k++)
    visit_action(&g, &s->checks.at[k]);
  for (uint32_t k = 0; k < s->relations.n; k++)
    if (g.always[k])
      s->relations.at[k].guard = NO_EXPR;
}
