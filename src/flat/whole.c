/* flat/whole.c -- elements of arrays that an algorithm assigns in part.
 * If one element of an array is assigned, the algorithm initialises the whole array (MLS 3.6
 * section 11.1.2): an element that it never assigns keeps its start value, or its value before the
 * event.
 * In:   Flattener.partial.   Out: statements v := v at the beginning of the algorithm, for those
 *       that nothing else determines.
 * How:  a maximum matching of the equations as they are, then with one more row per element; those
 *       that find an unknown are needed. An element that another equation determines stays with
 * it. */
#include "flat/check_impl.h"
#include "flat/flatten_impl.h"

#include <string.h>

static void keep_value(Flattener *fl, FlatEquation *eq, ExprId var) {
  Stmt *s = NEW(fl->arena, Stmt);
  s->kind = STMT_ASSIGN;
  s->span = eq->span;
  s->targets = NEW(fl->arena, ExprId);
  s->targets[0] = s->value = var;
  s->n_targets = 1;
  Stmt **body = NEW_ARRAY(fl->arena, Stmt *, eq->n_body + 1);
  body[0] = s;
  if (eq->n_body)
    memcpy(body + 1, eq->body, eq->n_body * sizeof *body);
  eq->body = body;
  eq->n_body++;
  ExprId *targets = NEW_ARRAY(fl->arena, ExprId, eq->n_targets + 1);
  uint32_t at = 0;
  for (; at < eq->n_targets && eq->targets[at].i < var.i; at++)
    targets[at] = eq->targets[at];
  targets[at] = var;
  for (; at < eq->n_targets; at++)
    targets[at + 1] = eq->targets[at];
  eq->targets = targets;
  eq->n_targets++;
}

void flatten_whole_arrays(Flattener *fl) {
  const FlatModel *m = fl->m;
  if (!fl->partial.n)
    return;
  Arena *a = arena_new(arena_memory(fl->arena));
  Incidence in;
  incidence_build(m, a, false, NULL, &in);
  incidence_match(a, &in);
  uint32_t n = 0, *cols = NEW_ARRAY(a, uint32_t, fl->partial.n),
           *from = NEW_ARRAY(a, uint32_t, fl->partial.n), rows = in.rows.n;
  for (uint32_t k = 0; k < fl->partial.n; k++) {
    uint32_t v = expr_get(m->pool, fl->partial.at[k].var)->index;
    if (in.col_of_var[v] != NONE)
      cols[n] = in.col_of_var[v], from[n++] = k;
  }
  incidence_add(a, &in, cols, n);
  for (uint32_t k = n; k-- > 0;)
    if (in.row_match[rows + k] != NONE)
      keep_value(fl, fl->partial.at[from[k]].eq, fl->partial.at[from[k]].var);
  arena_free(a);
}
