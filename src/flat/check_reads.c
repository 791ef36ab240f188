/* flat/check_reads.c -- which variables an expression, equation or statement reads, and which a
 * when-clause assigns. Walks the DAG with a stack of its own, each node once per reading. */
#include "flat/check_impl.h"

#include <stdlib.h>
#include <string.h>

void reader_init(Reader *r, const FlatModel *m, Arena *a) {
  memset(r, 0, sizeof *r);
  r->m = m;
  r->a = a;
  r->var_seen = NEW_ARRAY(a, uint32_t, m->vars.n + 1);
}

void reader_start(Reader *r) {
  r->stamp++;
  r->found.n = 0;
}

/* Notes that the node was met; false if it was met before in this reading. */
static bool first_visit(Reader *r, ExprId e) {
  if (e.i >= r->node_room) {
    uint32_t room = e.i + e.i / 2 + 64;
    uint32_t *grown = NEW_ARRAY(r->a, uint32_t, room);
    if (r->node_room)
      memcpy(grown, r->node_seen, r->node_room * sizeof *grown);
    r->node_seen = grown;
    r->node_room = room;
  }
  if (r->node_seen[e.i] == r->stamp)
    return false;
  r->node_seen[e.i] = r->stamp;
  return true;
}

static void push_args(Reader *r, const Expr *e, uint32_t from, uint32_t to) {
  for (uint32_t k = to; k > from; k--)
    vec_push(r->a, &r->stack, e->args[k - 1]);
}

/* Pushes the arguments that count for this kind of reading. */
static void descend(Reader *r, const Expr *e, ReadKind kind) {
  if (e->op == OP_PRE || e->op == OP_IMPULSE)
    return;
  if (kind == READ_CURRENT) {
    push_args(r, e, 0, e->n);
    return;
  }
  bool logical = e->op >= OP_LT && e->op <= OP_OR; /* relations, not, and, or */
  if (logical || e->op == OP_SAMPLE || e->op == OP_EDGE || e->op == OP_CHANGE)
    return;
  if (e->op == OP_IF)
    push_args(r, e, 1, 3);
  else if (e->op == OP_HOMOTOPY)
    push_args(r, e, 0, 1);
  else
    push_args(r, e, 0, e->n);
}

void reader_add(Reader *r, ExprId root, ReadKind kind) {
  if (!root.i)
    return;
  r->stack.n = 0;
  vec_push(r->a, &r->stack, root);
  while (r->stack.n) {
    ExprId id = r->stack.at[--r->stack.n];
    if (!id.i || !first_visit(r, id))
      continue;
    const Expr *e = expr_get(r->m->pool, id);
    if (e->op == OP_VAR && e->index < r->m->vars.n && r->var_seen[e->index] != r->stamp) {
      r->var_seen[e->index] = r->stamp;
      vec_push(r->a, &r->found, e->index);
    }
    descend(r, e, kind);
  }
}

/* Subscripts in the target of an assignment are read; the target itself is not. */
static void add_target(Reader *r, ExprId target, ReadKind kind) {
  while (target.i) {
    const Expr *e = expr_get(r->m->pool, target);
    if (e->op != OP_INDEX && e->op != OP_FIELD)
      return;
    for (uint32_t k = 1; k < e->n; k++)
      reader_add(r, e->args[k], kind);
    target = e->args[0];
  }
}

void reader_add_statements(Reader *r, Stmt *const *body, uint32_t n, ReadKind kind) {
  for (uint32_t i = 0; i < n; i++) {
    const Stmt *s = body[i];
    reader_add(r, s->value, kind);
    reader_add(r, s->message, kind);
    for (uint32_t k = 0; k < s->n_targets; k++)
      add_target(r, s->targets[k], kind);
    for (uint32_t k = 0; k < s->n_branches; k++) {
      if (kind == READ_CURRENT)
        reader_add(r, s->branches[k].condition, kind);
      reader_add_statements(r, s->branches[k].body, s->branches[k].n, kind);
    }
  }
}

void reader_add_equation(Reader *r, const FlatEquation *eq, ReadKind kind) {
  reader_add(r, eq->lhs, kind);
  reader_add(r, eq->rhs, kind);
  for (uint32_t k = 0; k < eq->n_targets; k++)
    reader_add(r, eq->targets[k], kind);
  for (uint32_t k = 0; k < eq->n_branches; k++) {
    if (kind == READ_CURRENT)
      reader_add(r, eq->branches[k].condition, kind);
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      reader_add_equation(r, eq->branches[k].body[i], kind);
  }
  reader_add_statements(r, eq->body, eq->n_body, kind);
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

uint32_t *reader_sorted(Reader *r, uint32_t *n) {
  uint32_t *copy = NEW_ARRAY(r->a, uint32_t, r->found.n + 1);
  if (r->found.n)
    memcpy(copy, r->found.at, r->found.n * sizeof *copy);
  qsort(copy, r->found.n, sizeof *copy, ascending);
  *n = r->found.n;
  return copy;
}

static uint32_t var_of(const FlatModel *m, ExprId e) {
  const Expr *x = e.i ? expr_get(m->pool, e) : NULL;
  return x && x->op == OP_VAR ? x->index : NONE;
}

void when_targets(const FlatModel *m, Arena *a, const FlatEquation *eq, WhenTargets *out) {
  for (uint32_t k = 0; k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++) {
      const FlatEquation *b = eq->branches[k].body[i];
      if (b->kind == FEQ_EQUAL) {
        uint32_t var = var_of(m, b->lhs);
        vec_push(a, out, (WhenTarget){var != NONE ? var : var_of(m, b->rhs), b});
      } else if (b->kind == FEQ_TUPLE) {
        for (uint32_t t = 0; t < b->n_targets; t++)
          if (b->targets[t].i)
            vec_push(a, out, (WhenTarget){var_of(m, b->targets[t]), b});
      } else if (b->kind == FEQ_IF) {
        when_targets(m, a, b, out);
      }
    }
}
