/* structure/constant.c -- variables that an equation sets to a literal are replaced by it in all
 * other equations.
 * In:   rows of both systems.   Out: the same with literals; each such variable keeps the row that
 *       gives it its value.
 * How:  rounds over the rows v = literal until nothing is found, because a literal may make further
 *       rows say so: a capacitance that is 0 takes its derivative out of the model. A round looks
 *       only at the rows that hold a variable found in the one before, so that a chain of n
 *       constants takes n steps. */
#include "structure/simplify.h"
#include "structure/build.h"
#include "structure/lowered.h"

#include <stdlib.h>

typedef VEC(uint32_t) Numbers;

/* Rows in which each SVar stands: of SVar v at[start[v]] .. at[start[v + 1] - 1]. */
typedef struct {
  uint32_t *start, *at;
} Places;

typedef struct {
  Lower *lo;
  ExprId *value;       /* per SVar: its literal; NO_EXPR if none */
  bool *passing;       /* per SVar: its literal holds in this mode only */
  bool passes;         /* one of these was put into a row */
  uint32_t *seen, now; /* per row: last round that looked at it */
  Numbers fresh;       /* SVars found in this round */
} Constants;

static ExprId replace(void *user, ExprId e) {
  Constants *co = user;
  const Expr *x = expr_get(co->lo->p, e);
  if (x->op == OP_DIV && expr_is_zero(co->lo->p, x->args[0]))
    return x->args[0]; /* 0/x, which is 0 wherever the equation means anything */
  if (x->op != OP_VAR)
    return NO_EXPR;
  co->passes = co->passes || co->passing[x->index];
  return co->value[x->index];
}

/* v = literal or literal = v, v being continuous and without derivative. */
static bool sets(const Constants *co, const SRow *row, uint32_t *v, ExprId *value) {
  /* a row that gives one variable its value has had its turn; what holds at the start only sets no
   * constant */
  const Lower *lo = co->lo;
  if (row->kind != ROW_EQUAL || row->only != NO_SVAR || row->initial_only)
    return false;
  bool left = lowered_var(lo->p, row->lhs, v) && expr_is_literal(lo->p, row->rhs);
  if (!left && !(lowered_var(lo->p, row->rhs, v) && expr_is_literal(lo->p, row->lhs)))
    return false;
  const SVar *s = &lo->s->vars.at[*v];
  *value = left ? row->rhs : row->lhs;
  return s->kind == SV_VAR && !s->known && !s->discrete && !s->state && !co->value[*v].i &&
         type_get(lo->p, s->type)->base == TY_REAL;
}

/* The row sets a variable: from now on it is the row that gives its value. */
static void find(Constants *co, SRow *row) {
  uint32_t v;
  ExprId value;
  if (!sets(co, row, &v, &value))
    return;
  co->value[v] = expr_to_real(co->lo->p, value);
  co->passing[v] = row->guard.i != 0;
  row->only = v;
  vec_push(co->lo->a, &co->fresh, v);
}

/* The counterpart of a row that was found, in the other system: it sets a variable whose value is
 * known. */
static void find_counterpart(const Constants *co, SRow *row) {
  const ExprPool *p = co->lo->p;
  uint32_t v;
  bool plain = row->kind == ROW_EQUAL && row->only == NO_SVAR && !row->initial_only;
  if (plain &&
      ((lowered_var(p, row->lhs, &v) && expr_is_literal(p, row->rhs)) ||
       (lowered_var(p, row->rhs, &v) && expr_is_literal(p, row->lhs))) &&
      co->value[v].i)
    row->only = v;
}

/* A row that gives a variable its value keeps it. */
static void rewrite(Constants *co, SRow *row) {
  ExprPool *p = co->lo->p;
  if (row->kind == ROW_ALGORITHM || (row->only != NO_SVAR && co->value[row->only].i))
    return;
  co->passes = false;
  row->lhs = expr_rewrite(p, row->lhs, replace, co);
  row->rhs = expr_rewrite(p, row->rhs, replace, co);
  if (co->passes && !row->guard.i)
    row->guard = expr_boolean(p, true); /* what it says now it says in this mode only */
}

/* ---- rows of a variable ---- */

typedef struct {
  const ExprPool *p;
  uint32_t *count; /* per SVar */
  uint32_t *at;    /* NULL while they are counted */
  uint32_t row;
} Indexing;

static void index_node(void *user, ExprId e) {
  Indexing *in = user;
  uint32_t v;
  if (!lowered_var(in->p, e, &v))
    return;
  if (in->at)
    in->at[in->count[v]] = in->row;
  in->count[v]++;
}

static void index_rows(Indexing *in, const SSystem *sys) {
  for (in->row = 0; in->row < sys->rows.n; in->row++) {
    const SRow *row = &sys->rows.at[in->row];
    if (row->kind == ROW_ALGORITHM)
      continue;
    expr_walk(in->p, row->lhs, index_node, in);
    expr_walk(in->p, row->rhs, index_node, in);
  }
}

/* Per SVar the rows in which it stands. */
static Places places_of(const Constants *co, const SSystem *sys) {
  Arena *a = co->lo->a;
  uint32_t n = co->lo->s->vars.n;
  Places out = {NEW_ARRAY(a, uint32_t, n + 2), NULL};
  /* shifted by one, so that counts become beginnings */
  Indexing in = {.p = co->lo->p, .count = out.start + 1};
  index_rows(&in, sys);
  for (uint32_t v = 0; v < n; v++)
    out.start[v + 1] += out.start[v];
  /* counted first, then filled: `count` is where the next row of a variable goes */
  out.at = in.at = NEW_ARRAY(a, uint32_t, out.start[n] + 1);
  in.count = NEW_ARRAY(a, uint32_t, n + 1);
  for (uint32_t v = 0; v < n; v++)
    in.count[v] = out.start[v];
  index_rows(&in, sys);
  return out;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The rows that hold one of the SVars, ascending, each once. */
static Numbers rows_with(Constants *co, const Places *in, const Numbers *vars) {
  Numbers out = {0};
  co->now++;
  for (uint32_t k = 0; k < vars->n; k++)
    for (uint32_t i = in->start[vars->at[k]]; i < in->start[vars->at[k] + 1]; i++)
      if (co->seen[in->at[i]] != co->now) {
        co->seen[in->at[i]] = co->now;
        vec_push(co->lo->a, &out, in->at[i]);
      }
  /* ascending, so that equal models are rewritten alike */
  if (out.n > 1)
    qsort(out.at, out.n, sizeof *out.at, ascending);
  return out;
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
  /* wherever it stands: what asks for a derivative needs the state */
  Occurring oc = {lo->p, NEW_ARRAY(lo->a, bool, s->vars.n)};
  const SSystem *systems[] = {&s->simulation, &s->initial};
  for (int k = 0; k < 2; k++)
    for (uint32_t r = 0; r < systems[k]->rows.n; r++)
      note_all(&oc, (ExprId[]){systems[k]->rows.at[r].lhs, systems[k]->rows.at[r].rhs}, 2);
  for (uint32_t k = 0; k < s->actions.n; k++)
    note_all(&oc,
             (ExprId[]){s->actions.at[k].guard, s->actions.at[k].value, s->actions.at[k].message},
             3);
  for (uint32_t k = 0; k < s->checks.n; k++)
    note_all(&oc, (ExprId[]){s->checks.at[k].guard, s->checks.at[k].value, s->checks.at[k].message},
             3);
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

/* What follows from the SVars found in the round before. */
static void next_round(Constants *co, const Places *simulation, const Places *initial) {
  Structure *s = co->lo->s;
  Numbers found = co->fresh;
  co->fresh = (Numbers){0};
  /* the initial system first: there the rows say it again */
  Numbers rows = rows_with(co, initial, &found);
  for (uint32_t k = 0; k < rows.n; k++) {
    SRow *row = &s->initial.rows.at[rows.at[k]];
    find_counterpart(co, row);
    rewrite(co, row);
  }
  /* all rows get their literals before one is asked again */
  rows = rows_with(co, simulation, &found);
  for (uint32_t k = 0; k < rows.n; k++)
    rewrite(co, &s->simulation.rows.at[rows.at[k]]);
  for (uint32_t k = 0; k < rows.n; k++)
    find(co, &s->simulation.rows.at[rows.at[k]]);
}

void constants_eliminate(Lower *lo) {
  Structure *s = lo->s;
  uint32_t n = s->simulation.rows.n > s->initial.rows.n ? s->simulation.rows.n : s->initial.rows.n;
  Constants co = {.lo = lo,
                  .value = NEW_ARRAY(lo->a, ExprId, s->vars.n),
                  .passing = NEW_ARRAY(lo->a, bool, s->vars.n),
                  .seen = NEW_ARRAY(lo->a, uint32_t, n + 1)};
  /* products with 0 may be there already */
  for (uint32_t r = 0; r < s->simulation.rows.n; r++)
    rewrite(&co, &s->simulation.rows.at[r]);
  for (uint32_t r = 0; r < s->initial.rows.n; r++)
    rewrite(&co, &s->initial.rows.at[r]);
  for (uint32_t r = 0; r < s->simulation.rows.n; r++)
    find(&co, &s->simulation.rows.at[r]);
  if (!co.fresh.n)
    return;
  Places simulation = places_of(&co, &s->simulation);
  Places initial = places_of(&co, &s->initial);
  while (co.fresh.n)
    next_round(&co, &simulation, &initial);
  for (uint32_t k = 0; k < s->relations.n; k++) {
    s->relations.at[k].a = expr_rewrite(lo->p, s->relations.at[k].a, replace, &co);
    s->relations.at[k].b = expr_rewrite(lo->p, s->relations.at[k].b, replace, &co);
  }
  drop_states(lo);
}
