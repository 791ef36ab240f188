/* structure/passes.c -- is one pass over all equations enough at an event, if no state jumps?
 * A second one, with the values of the first as pre values (MLS 3.6 appendix B), finds the same
 * values if pre values and samples are read in one place only: `v = if active then e else pre(v)`
 * with a condition that holds in one pass only, a sample or an edge (lower_when.c). Then nothing is
 * active any more, and v keeps its value.
 * Keep: what is not understood (algorithms, pre() anywhere else) needs passes until nothing
 *       changes. */
#include "structure/tables.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

static const SVar *var_of(const Structure *s, ExprId e, SVarKind kind) {
  uint32_t v;
  return e.i && lowered_var(s->model->pool, e, &v) && s->vars.at[v].kind == kind ? &s->vars.at[v]
                                                                                 : NULL;
}

/* c and not pre(c) */
static bool is_edge(const Structure *s, const Expr *x) {
  const Expr *no = expr_get(s->model->pool, x->args[1]);
  uint32_t v;
  if (no->op != OP_NOT || !lowered_var(s->model->pool, x->args[0], &v))
    return false;
  const SVar *before = var_of(s, no->args[0], SV_PRE);
  return before && before->of == v;
}

/* Is a condition false in the second pass? */
static bool is_over(const Structure *s, ExprId e) {
  const Expr *x = expr_get(s->model->pool, e);
  if (x->op == OP_AND)
    return is_edge(s, x) || is_over(s, x->args[0]) || is_over(s, x->args[1]);
  if (x->op == OP_OR)
    return is_over(s, x->args[0]) && is_over(s, x->args[1]);
  return var_of(s, e, SV_SAMPLE) != NULL || (x->op == OP_BOOLEAN && !x->integer);
}

/* Is the value that of before, as soon as nothing is active any more? */
static bool is_kept(const Structure *s, ExprId e, uint32_t v) {
  const Expr *x = expr_get(s->model->pool, e);
  if (x->op == OP_IF)
    return is_over(s, x->args[0]) && is_kept(s, x->args[2], v);
  const SVar *before = var_of(s, e, SV_PRE);
  return before && before->of == v;
}

typedef struct {
  const Structure *s;
  bool found;
} Search;

static void search(void *user, ExprId e) {
  Search *se = user;
  se->found = se->found || var_of(se->s, e, SV_PRE) || var_of(se->s, e, SV_SAMPLE);
}

/* Does it read no pre value and no sample? */
static bool is_present(const Structure *s, ExprId e) {
  Search se = {s, false};
  if (e.i)
    expr_walk(s->model->pool, e, search, &se);
  return !se.found;
}

/* Does a second pass find for its unknowns what the first found? */
static bool block_settles(const Structure *s, const SBlock *b) {
  const SRow *row = &s->simulation.rows.at[b->rows[0]];
  bool ok = true;
  switch (b->kind) {
  case BLOCK_EXPLICIT: return is_kept(s, b->value, b->unknowns[0]) || is_present(s, b->value);
  case BLOCK_RELATION: {
    const SRelation *r = &s->relations.at[row->number];
    return is_present(s, r->a) && is_present(s, r->b) && is_present(s, r->instant);
  }
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    for (uint32_t k = 0; k < b->n && ok; k++)
      ok = is_present(s, b->parts[k]);
    return ok;
  case BLOCK_ALGORITHM: break;
  }
  return false;
}

bool structure_one_pass(const Structure *s) {
  if (s->conditions.n)
    return false;
  for (uint32_t k = 0; k < s->actions.n; k++)
    if (s->actions.at[k].guard.i && !is_over(s, s->actions.at[k].guard))
      return false;
  for (uint32_t k = 0; k < s->simulation.blocks.n; k++)
    if (!block_settles(s, &s->simulation.blocks.at[k]))
      return false;
  return true;
}
