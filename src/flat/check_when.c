/* flat/check_when.c -- when-clauses that contradict each other or themselves.
 * S104: two when-clauses for one variable, or two that reinitialise it (MLS 3.6 sections 8.3.5.3
 * and 8.3.6).
 * D403: branches of one when-clause that determine different variables (8.3.5.2).
 * D404: reinit of what is no state (8.3.6). */
#include "flat/check_impl.h"

/* ---- S104 ---- */

static void find_doubles(Check *c) {
  const FlatModel *m = c->m;
  const FlatEquation **first = NEW_ARRAY(c->a, const FlatEquation *, m->vars.n + 1);
  for (uint32_t i = 0; i < m->equations.n; i++) {
    const FlatEquation *when = m->equations.at[i];
    if (when->kind != FEQ_WHEN)
      continue;
    WhenTargets targets = {0};
    when_targets(m, c->a, when, &targets);
    for (uint32_t k = 0; k < targets.n; k++) {
      uint32_t v = targets.at[k].var;
      if (v == NONE)
        continue;
      if (!first[v])
        first[v] = when;
      if (first[v] == when)
        continue;
      Diag *d = diag_add(c->diags, D_S104, targets.at[k].eq->span,
                         "`%s` is already determined by the when-clause of %s", m->vars.at[v].name,
                         check_place(c->a, c->diags, first[v]->span, targets.at[k].eq->span));
      diag_label(c->diags, d, first[v]->span, "determines `%s`", m->vars.at[v].name);
      diag_help(c->diags, d,
                "join the two when-clauses by `elsewhen`; the first branch whose condition becomes "
                "true wins");
      diag_origin(c->diags, d, check_origin(m, c->a, when->origin));
    }
  }
}

/* ---- D404 ---- */

static void find_reinits(Check *c, const FlatEquation *eq) {
  if (eq->kind == FEQ_REINIT) {
    const Expr *e = expr_get(c->m->pool, eq->lhs);
    const FlatVar *v = e->op == OP_VAR ? &c->m->vars.at[e->index] : NULL;
    if (v && v->has_der)
      return;
    Diag *d = diag_add(c->diags, D_D404, eq->span,
                       "`reinit` needs a state, but the derivative of `%s` occurs nowhere",
                       check_text(c->m, c->a, eq->lhs));
    if (v)
      diag_label(c->diags, d, v->span, "declared here");
    diag_origin(c->diags, d, check_origin(c->m, c->a, eq->origin));
  }
  for (uint32_t k = 0; k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      find_reinits(c, eq->branches[k].body[i]);
}

/* ---- two when-clauses that reinitialise a variable ---- */

static void note_reinits(Check *c, const FlatEquation *when, const FlatEquation *eq,
                         const FlatEquation **first) {
  const Expr *e = eq->kind == FEQ_REINIT ? expr_get(c->m->pool, eq->lhs) : NULL;
  if (e && e->op == OP_VAR) {
    const char *name = c->m->vars.at[e->index].name;
    if (!first[e->index])
      first[e->index] = when;
    if (first[e->index] != when) {
      Diag *d = diag_add(c->diags, D_S104, eq->span,
                         "`%s` is already reinitialised by the when-clause of %s", name,
                         check_place(c->a, c->diags, first[e->index]->span, eq->span));
      diag_label(c->diags, d, first[e->index]->span, "reinitialises `%s`", name);
      diag_help(c->diags, d, "join the two when-clauses by `elsewhen`");
      diag_origin(c->diags, d, check_origin(c->m, c->a, when->origin));
    }
  }
  for (uint32_t k = 0; k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      note_reinits(c, when, eq->branches[k].body[i], first);
}

/* States that are reinitialised on the way to an equation. */
typedef VEC(uint32_t) Path;

static void meet_reinit(Check *c, const FlatEquation *eq, Path *path) {
  const Expr *e = expr_get(c->m->pool, eq->lhs);
  if (e->op != OP_VAR)
    return;
  for (uint32_t k = 0; k < path->n; k++)
    if (path->at[k] == e->index) {
      Diag *d = diag_add(c->diags, D_S104, eq->span,
                         "`%s` is reinitialised twice by this when-clause",
                         c->m->vars.at[e->index].name);
      diag_help(c->diags, d, "put them into different branches of an `if`");
      diag_origin(c->diags, d, check_origin(c->m, c->a, eq->origin));
      return;
    }
  vec_push(c->a, path, e->index);
}

/* Two reinits of a state in one branch of a when must exclude each other. */
static void follow_reinits(Check *c, FlatEquation *const *body, uint32_t n, Path *path) {
  for (uint32_t i = 0; i < n; i++) {
    const FlatEquation *eq = body[i];
    if (eq->kind == FEQ_REINIT)
      meet_reinit(c, eq, path);
    Path after = {0};
    uint32_t before = path->n;
    for (uint32_t b = 0; b < eq->n_branches; b++) {
      follow_reinits(c, eq->branches[b].body, eq->branches[b].n, path);
      for (uint32_t k = before; k < path->n; k++)
        vec_push(c->a, &after, path->at[k]);
      path->n = before;
    }
    for (uint32_t k = 0; k < after.n; k++)
      vec_push(c->a, path, after.at[k]);
  }
}

/* ---- D403 ---- */

/* Marks what one branch determines; returns how many variables that are. */
static uint32_t mark_branch(Check *c, const FlatEquation *when, uint32_t k, uint32_t *mark,
                            uint32_t stamp) {
  FlatEquation one = *when;
  one.branches = &when->branches[k];
  one.n_branches = 1;
  WhenTargets targets = {0};
  when_targets(c->m, c->a, &one, &targets);
  uint32_t n = 0;
  for (uint32_t i = 0; i < targets.n; i++)
    if (targets.at[i].var != NONE && mark[targets.at[i].var] != stamp) {
      mark[targets.at[i].var] = stamp;
      n++;
    }
  return n;
}

/* The first variable that branch `k` determines and the marked one does not; NONE if there is
 * none. */
static uint32_t not_marked(Check *c, const FlatEquation *when, uint32_t k, const uint32_t *mark,
                           uint32_t stamp) {
  FlatEquation one = *when;
  one.branches = &when->branches[k];
  one.n_branches = 1;
  WhenTargets targets = {0};
  when_targets(c->m, c->a, &one, &targets);
  for (uint32_t i = 0; i < targets.n; i++)
    if (targets.at[i].var != NONE && mark[targets.at[i].var] != stamp)
      return targets.at[i].var;
  return NONE;
}

static void compare_branches(Check *c, const FlatEquation *when, uint32_t *mark, uint32_t *stamp) {
  for (uint32_t k = 1; k < when->n_branches; k++) {
    uint32_t other = 0, has = k;
    mark_branch(c, when, 0, mark, ++*stamp);
    uint32_t v = not_marked(c, when, k, mark, *stamp);
    if (v == NONE) {
      mark_branch(c, when, k, mark, ++*stamp);
      v = not_marked(c, when, 0, mark, *stamp);
      other = k;
      has = 0;
    }
    if (v == NONE)
      continue;
    const char *name = c->m->vars.at[v].name;
    Diag *d = diag_add(c->diags, D_D403, when->span,
                       "the branches of this when-clause determine different variables: `%s` is "
                       "missing in branch %u",
                       name, other + 1);
    diag_note(c->diags, d, "branch %u determines it", has + 1);
    diag_help(c->diags, d, "write `%s = pre(%s)` where it keeps its value", name, name);
    diag_origin(c->diags, d, check_origin(c->m, c->a, when->origin));
    return;
  }
}

void check_whens(Check *c) {
  find_doubles(c);
  uint32_t *mark = NEW_ARRAY(c->a, uint32_t, c->m->vars.n + 1), stamp = 0;
  const FlatEquation **first = NEW_ARRAY(c->a, const FlatEquation *, c->m->vars.n + 1);
  for (uint32_t i = 0; i < c->m->equations.n; i++) {
    const FlatEquation *eq = c->m->equations.at[i];
    find_reinits(c, eq);
    note_reinits(c, eq, eq, first);
    if (eq->kind != FEQ_WHEN)
      continue;
    compare_branches(c, eq, mark, &stamp);
    for (uint32_t k = 0; k < eq->n_branches; k++)
      follow_reinits(c, eq->branches[k].body, eq->branches[k].n, &(Path){0});
  }
}
