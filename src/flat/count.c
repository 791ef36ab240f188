/* flat/count.c -- sizes of a flat model (see flat.h for what counts as what).
 * A relation counts once, however often its node occurs, if it stands outside of noEvent, of bodies
 * of when-clauses and of functions, and something in it varies with time. */
#include "flat/check_impl.h"

#include <string.h>

enum { VARIES_UNKNOWN, VARIES_NO, VARIES_YES };

typedef struct {
  const FlatModel *m;
  Arena *a;
  FlatCounts *counts;
  uint8_t *varies; /* per node: does it depend on time? */
  bool *seen;      /* per node: met outside of noEvent */
  uint32_t room;
  VEC(ExprId) stack;
  uint32_t *assigned; /* per variable: number of the last when that assigned it */
  uint32_t whens;
} Count;

static void make_room(Count *c, ExprId e) {
  if (e.i < c->room)
    return;
  uint32_t room = e.i + e.i / 2 + 64;
  uint8_t *varies = NEW_ARRAY(c->a, uint8_t, room);
  bool *seen = NEW_ARRAY(c->a, bool, room);
  if (c->room) {
    memcpy(varies, c->varies, c->room * sizeof *varies);
    memcpy(seen, c->seen, c->room * sizeof *seen);
  }
  c->varies = varies;
  c->seen = seen;
  c->room = room;
}

static bool varies_itself(const Count *c, const Expr *e) {
  if (e->op == OP_VAR)
    return c->m->vars.at[e->index].variability < FLAT_PARAMETER;
  return e->op == OP_TIME || e->op == OP_REF || e->op == OP_SAMPLE || e->op == OP_INITIAL ||
         e->op == OP_TERMINAL;
}

/* Whether the value of the expression changes with time. Arguments first, each node once. */
static bool varies(Count *c, ExprId root) {
  VEC(ExprId) stack = {0};
  make_room(c, root);
  vec_push(c->a, &stack, root);
  while (stack.n) {
    ExprId id = vec_last(&stack);
    const Expr *e = expr_get(c->m->pool, id);
    bool yes = varies_itself(c, e), open = false;
    for (uint32_t k = 0; k < e->n && !yes; k++) {
      make_room(c, e->args[k]);
      yes = c->varies[e->args[k].i] == VARIES_YES;
      if (c->varies[e->args[k].i] == VARIES_UNKNOWN) {
        vec_push(c->a, &stack, e->args[k]);
        open = true;
        break;
      }
    }
    if (open)
      continue;
    c->varies[id.i] = yes ? VARIES_YES : VARIES_NO;
    stack.n--;
  }
  return c->varies[root.i] == VARIES_YES;
}

static void count_relations(Count *c, ExprId root) {
  if (!root.i)
    return;
  c->stack.n = 0;
  vec_push(c->a, &c->stack, root);
  while (c->stack.n) {
    ExprId id = c->stack.at[--c->stack.n];
    make_room(c, id);
    if (!id.i || c->seen[id.i])
      continue;
    c->seen[id.i] = true;
    const Expr *e = expr_get(c->m->pool, id);
    if (e->op == OP_NOEVENT)
      continue;
    if (e->op >= OP_LT && e->op <= OP_NE && varies(c, id))
      c->counts->relations++;
    for (uint32_t k = 0; k < e->n; k++)
      vec_push(c->a, &c->stack, e->args[k]);
  }
}

static void count_statements(Count *c, Stmt *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const Stmt *s = body[i];
    c->counts->when_clauses += s->kind == STMT_WHEN;
    count_relations(c, s->value);
    for (uint32_t k = 0; k < s->n_targets; k++)
      count_relations(c, s->targets[k]);
    for (uint32_t k = 0; k < s->n_branches; k++) {
      count_relations(c, s->branches[k].condition);
      if (s->kind != STMT_WHEN)
        count_statements(c, s->branches[k].body, s->branches[k].n);
    }
  }
}

/* The variables that a when-clause determines, each once. */
static uint32_t count_when(Count *c, const FlatEquation *eq) {
  WhenTargets targets = {0};
  uint32_t n = 0;
  when_targets(c->m, c->a, eq, &targets);
  c->whens++;
  for (uint32_t k = 0; k < targets.n; k++) {
    uint32_t v = targets.at[k].var;
    n += v == NONE || c->assigned[v] != c->whens;
    if (v != NONE)
      c->assigned[v] = c->whens;
  }
  return n;
}

/* Number of scalar equations that the equation stands for. */
static uint32_t count_rows(Count *c, const FlatEquation *eq) {
  uint32_t n = 0;
  switch (eq->kind) {
  case FEQ_EQUAL:
    return type_get(c->m->pool, expr_get(c->m->pool, eq->lhs)->type)->base != TY_EXTERNAL;
  case FEQ_TUPLE:
    for (uint32_t k = 0; k < eq->n_targets; k++)
      n += eq->targets[k].i != 0;
    return n;
  case FEQ_IF:
    for (uint32_t k = 0; eq->n_branches && k < eq->branches[0].n; k++)
      n += count_rows(c, eq->branches[0].body[k]);
    return n;
  case FEQ_WHEN: return count_when(c, eq);
  case FEQ_ALGORITHM: return eq->n_targets;
  case FEQ_ASSERT:
  case FEQ_TERMINATE:
  case FEQ_REINIT:
  case FEQ_CALL: return 0;
  }
  return 0;
}

static void count_events(Count *c, const FlatEquation *eq) {
  c->counts->when_clauses += eq->kind == FEQ_WHEN;
  count_relations(c, eq->lhs);
  count_relations(c, eq->rhs);
  for (uint32_t k = 0; k < eq->n_targets && eq->kind == FEQ_TUPLE; k++)
    count_relations(c, eq->targets[k]);
  for (uint32_t k = 0; k < eq->n_branches; k++) {
    count_relations(c, eq->branches[k].condition);
    for (uint32_t i = 0; i < eq->branches[k].n && eq->kind != FEQ_WHEN; i++)
      count_events(c, eq->branches[k].body[i]);
  }
  count_statements(c, eq->body, eq->n_body);
}

FlatCounts flat_count(const FlatModel *m) {
  FlatCounts counts = {0};
  Arena *scratch = arena_new(arena_memory(pool_arena(m->pool)));
  Count c = {.m = m, .a = scratch, .counts = &counts};
  c.assigned = NEW_ARRAY(scratch, uint32_t, m->vars.n + 1);
  for (uint32_t v = 0; v < m->vars.n; v++) {
    counts.unknowns += flat_is_unknown(m, v);
    counts.states_declared += m->vars.at[v].has_der;
    counts.parameters += m->vars.at[v].variability == FLAT_PARAMETER;
  }
  for (uint32_t i = 0; i < m->equations.n; i++) {
    counts.equations += count_rows(&c, m->equations.at[i]);
    count_events(&c, m->equations.at[i]);
  }
  arena_free(scratch);
  return counts;
}
