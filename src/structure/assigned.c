/* structure/assigned.c -- which targets of an algorithm take over a value from before it?
 * In:   the statements of a section.   Out: per target whether some path leaves it unassigned or
 *       reads it first; only these depend on pre(v) or start (MLS 3.6 section 11.1.2).
 * How:  definite assignment: one pass in order of writing; after an if, what all branches assign; a
 *       loop may run zero times. */
#include "structure/lower_section.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <string.h>

typedef struct {
  const ExprPool *p;
  const SAlgorithm *alg;
  Map number; /* SVar -> place among the targets */
  bool *set;  /* per target: assigned on every path to the statement at work */
  bool *carried;
  Arena *a;
} Assigned;

/* Does it name a target? */
static bool is_target(const Assigned *as, ExprId e, uint64_t *number) {
  uint32_t v;
  return lowered_var(as->p, e, &v) && map_get(&as->number, v, number);
}

static void note_read(void *user, ExprId e) {
  const Assigned *as = user;
  uint64_t k;
  if (is_target(as, e, &k) && !as->set[k])
    as->carried[k] = true;
}

static void read_expr(Assigned *as, ExprId e) {
  if (e.i)
    expr_walk(as->p, e, note_read, as);
}

static void body(Assigned *as, Stmt *const *statements, uint32_t n);

/* Afterwards assigned: what every branch assigns, if one of them is taken in any case. */
static void branches(Assigned *as, const Stmt *st) {
  uint32_t n = as->alg->n_targets;
  bool *before = as->set;
  bool *all = NEW_ARRAY(as->a, bool, n + 1);
  bool sure = false;
  memset(all, true, n);
  for (uint32_t b = 0; b < st->n_branches && !sure; b++) {
    const StmtBranch *br = &st->branches[b];
    int64_t value = 0;
    bool literal = br->condition.i && expr_as_integer(as->p, br->condition, &value);
    read_expr(as, br->condition);
    /* a branch that is never taken assigns nothing and spoils nothing */
    if (literal && !value)
      continue;
    as->set = NEW_ARRAY(as->a, bool, n + 1);
    memcpy(as->set, before, n);
    body(as, br->body, br->n);
    for (uint32_t k = 0; k < n; k++)
      all[k] = all[k] && as->set[k];
    as->set = before;
    /* else, or a condition that always holds: what follows is never reached */
    sure = !br->condition.i || literal;
  }
  for (uint32_t k = 0; k < n && sure; k++)
    before[k] = all[k];
}

static void loop(Assigned *as, const Stmt *st) {
  bool *before = as->set;
  as->set = NEW_ARRAY(as->a, bool, as->alg->n_targets + 1);
  memcpy(as->set, before, as->alg->n_targets);
  for (uint32_t b = 0; b < st->n_branches; b++) {
    read_expr(as, st->branches[b].condition);
    body(as, st->branches[b].body, st->branches[b].n);
  }
  as->set = before;
}

static void body(Assigned *as, Stmt *const *statements, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = statements[k];
    read_expr(as, st->value);
    read_expr(as, st->message);
    read_expr(as, st->level);
    if (st->kind == STMT_IF)
      branches(as, st);
    else if (st->n_branches)
      loop(as, st);
    for (uint32_t t = 0; t < st->n_targets; t++) {
      uint64_t target;
      if (st->targets[t].i && is_target(as, st->targets[t], &target))
        as->set[target] = true;
      else
        read_expr(as, st->targets[t]);
    }
  }
}

bool *algorithm_carried(const Structure *s, const SAlgorithm *alg, Stmt *const *statements,
                        Arena *a) {
  uint32_t n = alg->n_targets;
  Assigned as = {.p = s->model->pool, .alg = alg, .a = a};
  for (uint32_t k = 0; k < n; k++)
    map_put(a, &as.number, alg->targets[k], k);
  as.set = NEW_ARRAY(a, bool, n + 1);
  as.carried = NEW_ARRAY(a, bool, n + 1);
  body(&as, statements, alg->n_body);
  for (uint32_t k = 0; k < n; k++)
    as.carried[k] = as.carried[k] || !as.set[k];
  return as.carried;
}

bool statements_assign(const ExprPool *p, Stmt *const *statements, uint32_t n, uint32_t var) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = statements[k];
    uint32_t v;
    for (uint32_t t = 0; t < st->n_targets; t++)
      if (st->targets[t].i && lowered_var(p, st->targets[t], &v) && v == var)
        return true;
    for (uint32_t b = 0; b < st->n_branches; b++) {
      int64_t value = 1;
      bool never = st->branches[b].condition.i &&
                   expr_as_integer(p, st->branches[b].condition, &value) && !value;
      if (!never && statements_assign(p, st->branches[b].body, st->branches[b].n, var))
        return true;
    }
  }
  return false;
}
