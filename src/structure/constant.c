/* structure/constant.c -- variables that an equation sets to a literal are replaced by it in all other equations.
 * In:   rows of both systems.   Out: the same with literals; each such variable keeps the row that gives it its value.
 * How:  rounds over the rows v = literal until nothing is found, because a literal may make further rows say so: a capacitance
 *       that is 0 takes its derivative out of the model. */
#include "structure/structure_impl.h"

typedef struct {
  const Lower *lo;
  ExprId *value; /* per SVar: its literal; NO_EXPR if none */
} Constants;

static ExprId replace(void *user, ExprId e) {
  const Constants *co = user;
  const Expr *x = expr_get(co->lo->p, e);
  if (x->op == OP_DIV && expr_is_zero(co->lo->p, x->args[0]))
    return x->args[0]; /* 0/x, which is 0 wherever the equation means anything */
  return x->op == OP_VAR ? co->value[x->index] : NO_EXPR;
}

/* v = literal or literal = v, v being continuous and without derivative. */
static bool sets(const Constants *co, const SRow *row, uint32_t *v, ExprId *value) {
  const Lower *lo = co->lo;
  if (row->kind != ROW_EQUAL || row->only != NO_SVAR || row->initial_only)
    return false;
  bool left = lowered_var(lo->p, row->lhs, v) && expr_is_literal(lo->p, row->rhs);
  if (!left && !(lowered_var(lo->p, row->rhs, v) && expr_is_literal(lo->p, row->lhs)))
    return false;
  const SVar *s = &lo->s->vars.at[*v];
  *value = left ? row->rhs : row->lhs;
  return s->kind == SV_VAR && !s->known && !s->discrete && !s->state && !co->value[*v].i && type_get(lo->p, s->type)->base == TY_REAL;
}

static uint32_t find(Constants *co, SSystem *sys) {
  uint32_t n = 0, v;
  ExprId value;
  for (uint32_t r = 0; r < sys->rows.n; r++)
    if (sets(co, &sys->rows.at[r], &v, &value)) {
      co->value[v] = expr_to_real(co->lo->p, value);
      sys->rows.at[r].only = v;
      n++;
    }
  return n;
}

/* The counterpart of a row that keeps its variable keeps it, too. */
static void rewrite(Constants *co, SSystem *sys) {
  ExprPool *p = co->lo->p;
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    SRow *row = &sys->rows.at[r];
    if (row->kind == ROW_ALGORITHM || (row->only != NO_SVAR && co->value[row->only].i))
      continue;
    row->lhs = expr_rewrite(p, row->lhs, replace, co);
    row->rhs = expr_rewrite(p, row->rhs, replace, co);
  }
}

/* ---- derivatives that no longer occur ---- */

typedef struct {
  const ExprPool *p;
  bool *seen; /* per SVar */
} Occurring;

static void note(void *user, ExprId e) {
  const Occurring *oc = user;
  uint32_t v;
  if (lowered_var(oc->p, e, &v))
    oc->seen[v] = true;
}

static void note_all(Occurring *oc, const ExprId *list, uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    if (list[k].i)
      expr_walk(oc->p, list[k], note, oc);
}

/* A variable whose derivative occurs nowhere is no state. */
static void drop_states(Lower *lo) {
  Structure *s = lo->s;
  Occurring oc = {lo->p, NEW_ARRAY(lo->a, bool, s->vars.n)};
  const SSystem *systems[] = {&s->simulation, &s->initial};
  for (int k = 0; k < 2; k++)
    for (uint32_t r = 0; r < systems[k]->rows.n; r++)
      note_all(&oc, (ExprId[]){systems[k]->rows.at[r].lhs, systems[k]->rows.at[r].rhs}, 2);
  for (uint32_t k = 0; k < s->actions.n; k++)
    note_all(&oc, (ExprId[]){s->actions.at[k].guard, s->actions.at[k].value, s->actions.at[k].message}, 3);
  for (uint32_t k = 0; k < s->checks.n; k++)
    note_all(&oc, (ExprId[]){s->checks.at[k].guard, s->checks.at[k].value, s->checks.at[k].message}, 3);
  for (uint32_t k = 0; k < s->algorithms.n; k++) {
    const SAlgorithm *alg = &s->algorithms.at[k];
    if (alg->body)
      stmts_vars(lo->p, alg->body, alg->n_body, note, &oc);
    stmts_vars(lo->p, alg->initial, alg->n_body, note, &oc);
  }
  for (uint32_t v = 0; v < s->vars.n; v++) {
    SVar *sv = &s->vars.at[v];
    if (sv->der == NO_SVAR || oc.seen[sv->der])
      continue;
    s->vars.at[sv->der].known = true; /* nothing asks for it */
    sv->der = NO_SVAR;
    sv->state = false;
  }
}

void constants_eliminate(Lower *lo) {
  Structure *s = lo->s;
  Constants co = {lo, NEW_ARRAY(lo->a, ExprId, s->vars.n)};
  bool any = false;
  rewrite(&co, &s->simulation);
  rewrite(&co, &s->initial);
  while (find(&co, &s->simulation)) {
    any = true;
    /* both systems hold the same rows, in different places */
    for (uint32_t r = 0; r < s->initial.rows.n; r++) {
      SRow *row = &s->initial.rows.at[r];
      uint32_t v;
      bool plain = row->kind == ROW_EQUAL && row->only == NO_SVAR && !row->initial_only;
      if (plain && ((lowered_var(lo->p, row->lhs, &v) && expr_is_literal(lo->p, row->rhs)) ||
                    (lowered_var(lo->p, row->rhs, &v) && expr_is_literal(lo->p, row->lhs))) && co.value[v].i)
        row->only = v;
    }
    rewrite(&co, &s->simulation);
    rewrite(&co, &s->initial);
    for (uint32_t k = 0; k < s->relations.n; k++) {
      s->relations.at[k].a = expr_rewrite(lo->p, s->relations.at[k].a, replace, &co);
      s->relations.at[k].b = expr_rewrite(lo->p, s->relations.at[k].b, replace, &co);
    }
  }
  if (any)
    drop_states(lo);
}
