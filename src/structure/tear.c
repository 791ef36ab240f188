/* structure/tear.c -- fewer simultaneous unknowns: most of a block follows from a few iteration variables.
 * In:   a block of n rows and n unknowns that determine each other.
 * Out:  the block reordered: first the n_tear rows that remain as residuals with their iteration variables, then rows that
 *       give one unknown each, in order of evaluation, from the iteration variables and those before.
 * How:  greedy (Elmqvist and Otter, ESM 1994): a row with one open unknown that stands in it with a literal factor determines
 *       it; when there is none, the open unknown that stands in most open rows becomes an iteration variable.
 * Keep: only literal factors are divided by, so no parameter value can make an inner step singular. Ties go to the unknown
 *       that was declared first. */
#include "structure/structure_impl.h"

typedef struct {
  const Structure *s;
  const SSystem *sys;
  const IncidenceTable *t;
  SBlock *b;
  Arena *a;
  Diags *diags;
  bool *marked;      /* per SVar, all false */
  uint32_t *local;   /* per SVar: number in the block + 1; 0 outside */
  bool *row_used, *var_known;
  uint32_t *open;    /* per row: unknowns not known yet */
} Tearing;

static bool solve_inner(Tearing *te, uint32_t row, uint32_t var, ExprId *value) {
  SBlock one = {.n = 1, .unknowns = &var};
  te->marked[var] = true;
  bool ok = solve_one(te->s, &te->sys->rows.at[row], &one, te->marked, te->a, te->diags);
  te->marked[var] = false;
  *value = one.value;
  return ok && one.value.i;
}

/* The open unknown of a row that has just one, if the row can be solved for it. */
static bool determines(Tearing *te, uint32_t r, uint32_t *k, ExprId *value) {
  const IncidenceRow *in = &te->t->rows[te->b->rows[r]];
  for (uint32_t i = 0; i < in->n; i++) {
    uint32_t n = te->local[in->at[i].var];
    if (!n || te->var_known[n - 1])
      continue;
    *k = n - 1;
    return in->at[i].how == OCCURS_LITERAL && row_may_solve(te->s, &te->sys->rows.at[te->b->rows[r]], in->at[i].var) &&
           solve_inner(te, te->b->rows[r], in->at[i].var, value);
  }
  return false;
}

static void now_known(Tearing *te, uint32_t k) {
  te->var_known[k] = true;
  for (uint32_t r = 0; r < te->b->n; r++) {
    const IncidenceRow *in = &te->t->rows[te->b->rows[r]];
    for (uint32_t i = 0; i < in->n; i++)
      te->open[r] -= te->local[in->at[i].var] == k + 1;
  }
}

enum { SCORE_ROW = 1, SCORE_NONLINEAR = 2, SCORE_OPENS = 8 };

/* The open unknown from which most follows: rows that it leaves with one unknown they can be solved for count most, then the
 * rows that it stands in; where it stands nonlinearly it cannot be solved for anyway. */
static uint32_t best_iteration_variable(const Tearing *te) {
  uint32_t *score = NEW_ARRAY(te->a, uint32_t, te->b->n), best = UINT32_MAX;
  for (uint32_t r = 0; r < te->b->n; r++) {
    const IncidenceRow *in = &te->t->rows[te->b->rows[r]];
    uint32_t literal = 0;
    for (uint32_t i = 0; i < in->n; i++) {
      uint32_t n = te->local[in->at[i].var];
      literal += n && !te->var_known[n - 1] && in->at[i].how == OCCURS_LITERAL;
    }
    for (uint32_t i = 0; !te->row_used[r] && i < in->n; i++) {
      uint32_t n = te->local[in->at[i].var];
      if (!n || te->var_known[n - 1])
        continue;
      bool own = in->at[i].how == OCCURS_LITERAL;
      score[n - 1] += own ? SCORE_ROW : SCORE_NONLINEAR;
      if (te->open[r] == 2 && literal > own)
        score[n - 1] += SCORE_OPENS;
    }
  }
  for (uint32_t k = 0; k < te->b->n; k++)
    if (!te->var_known[k] && (best == UINT32_MAX || score[k] > score[best]))
      best = k;
  return best;
}

typedef VEC(uint32_t) Numbers;
typedef VEC(ExprId) Values;

void tear_block(const Structure *s, const SSystem *sys, const IncidenceTable *t, SBlock *b, bool *marked, Arena *a, Diags *diags) {
  Tearing te = {.s = s, .sys = sys, .t = t, .b = b, .a = a, .diags = diags, .marked = marked};
  uint32_t n = b->n;
  te.local = NEW_ARRAY(a, uint32_t, s->vars.n);
  te.row_used = NEW_ARRAY(a, bool, n), te.var_known = NEW_ARRAY(a, bool, n), te.open = NEW_ARRAY(a, uint32_t, n);
  for (uint32_t k = 0; k < n; k++)
    te.local[b->unknowns[k]] = k + 1;
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t i = 0; i < t->rows[b->rows[r]].n; i++)
      te.open[r] += te.local[t->rows[b->rows[r]].at[i].var] != 0;
  Numbers inner_rows = {0}, inner_vars = {0}, tears = {0};
  Values values = {0};
  uint32_t known = 0;
  while (known < n) {
    bool found = false;
    for (uint32_t r = 0; r < n; r++) {
      uint32_t k;
      ExprId value;
      if (te.row_used[r] || te.open[r] != 1 || !determines(&te, r, &k, &value))
        continue;
      te.row_used[r] = found = true;
      vec_push(a, &inner_rows, b->rows[r]);
      vec_push(a, &inner_vars, b->unknowns[k]);
      vec_push(a, &values, value);
      now_known(&te, k);
      known++;
    }
    if (found)
      continue;
    uint32_t k = best_iteration_variable(&te);
    vec_push(a, &tears, b->unknowns[k]);
    now_known(&te, k);
    known++;
  }
  uint32_t *rows = NEW_ARRAY(a, uint32_t, n), *unknowns = NEW_ARRAY(a, uint32_t, n), at = 0;
  ExprId *parts = NEW_ARRAY(a, ExprId, n);
  for (uint32_t r = 0; r < n; r++)
    if (!te.row_used[r]) {
      unknowns[at] = tears.at[at];
      parts[at] = expr_binary(s->model->pool, OP_SUB, sys->rows.at[b->rows[r]].lhs, sys->rows.at[b->rows[r]].rhs);
      rows[at++] = b->rows[r];
    }
  b->n_tear = at;
  for (uint32_t i = 0; i < inner_rows.n; i++, at++)
    rows[at] = inner_rows.at[i], unknowns[at] = inner_vars.at[i], parts[at] = values.at[i];
  b->rows = rows, b->unknowns = unknowns, b->parts = parts;
}

/* ---- derivatives ---- */

typedef struct {
  const ExprPool *p;
  const uint32_t *local;
  bool *found;
} Occurring;

static void note(void *user, ExprId e) {
  const Occurring *o = user;
  uint32_t v;
  if (lowered_var(o->p, e, &v) && o->local[v])
    o->found[o->local[v] - 1] = true;
}

void block_partials(const Structure *s, SBlock *b, Arena *a) {
  ExprPool *p = s->model->pool;
  uint32_t *local = NEW_ARRAY(a, uint32_t, s->vars.n);
  for (uint32_t k = 0; k < b->n; k++)
    local[b->unknowns[k]] = k + 1;
  b->partials = NEW_ARRAY(a, SPartials, b->n);
  bool *found = NEW_ARRAY(a, bool, b->n);
  for (uint32_t i = 0; i < b->n; i++) {
    for (uint32_t k = 0; k < b->n; k++)
      found[k] = false;
    expr_walk(p, b->parts[i], note, &(Occurring){p, local, found});
    for (uint32_t k = 0; k < b->n; k++) {
      if (!found[k])
        continue;
      ExprId d = expr_diff(p, b->parts[i], svar_expr(s, b->unknowns[k]));
      if (!d.i) {
        b->partials = NULL; /* must be differenced */
        return;
      }
      if (!expr_is_zero(p, d))
        vec_push(a, &b->partials[i], (SPartial){k, d});
    }
  }
}
