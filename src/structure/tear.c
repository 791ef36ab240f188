/* structure/tear.c -- fewer simultaneous unknowns: most of a block follows from a few iteration
 * variables.
 * In:   a block of n rows and n unknowns that determine each other.
 * Out:  the block reordered: first the n_tear rows that remain as residuals with their iteration
 *       variables, then rows that give one unknown each, in order of evaluation, from the iteration
 *       variables and those before.
 * How:  greedy (Elmqvist and Otter, ESM 1994): a row with one open unknown that stands in it with a
 *       literal factor determines it; when there is none, the open unknown that stands in most open
 *       rows becomes an iteration variable. Rows with one open unknown wait in a heap, scores are
 *       kept up to date, so the whole takes O(m log m) for m occurrences.
 * Keep: only literal factors are divided by, so no parameter value can make an inner step singular.
 *       Ties go to the unknown that was declared first. No chain of inner unknowns is long: each
 *       step may enlarge the errors of the ones before, as in a ladder of resistors that is
 *       computed from one end. In a large block no inner unknown depends on more than a few
 *       iteration variables: its derivatives stay few and the Jacobian of the residuals sparse. */
#include "structure/solve.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/lowered.h"
#include "structure/point.h"
#include "structure/rank.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE_BLOCK = 200 };

typedef VEC(uint32_t) Numbers;
typedef VEC(uint64_t) Heap; /* least first */

typedef struct {
  const Structure *s;
  const SSystem *sys;
  const IncidenceTable *t;
  SBlock *b;
  Arena *a;
  Diags *diags;
  bool *marked;    /* per SVar, all false */
  uint32_t *local; /* per SVar: number in the block + 1; 0 outside */
  bool *row_used, *var_known;
  uint32_t *open;         /* per row: unknowns not known yet */
  uint32_t *score;        /* per unknown */
  uint32_t *start, *rows; /* of unknown k: rows[start[k]] .. rows[start[k + 1] - 1] */
  uint32_t *length;       /* per unknown: steps from an iteration variable to it */
  /* Large blocks: per unknown, iteration variables it depends on, ascending; else NULL */
  Numbers *depends;
  Heap ready, later; /* rows with one open unknown: of this sweep, of the next */
  Heap best;         /* (most - score, unknown); entries whose score changed are skipped */
} Tearing;

/* ---- heap ---- */

static void heap_push(Arena *a, Heap *h, uint64_t x) {
  /* least on top */
  vec_push(a, h, x);
  uint32_t k = h->n - 1;
  for (; k && h->at[(k - 1) / 2] > x; k = (k - 1) / 2)
    h->at[k] = h->at[(k - 1) / 2];
  h->at[k] = x;
}

static uint64_t heap_pop(Heap *h) {
  uint64_t least = h->at[0], x = h->at[--h->n];
  uint32_t k = 0;
  for (uint32_t c; (c = 2 * k + 1) < h->n; k = c) {
    if (c + 1 < h->n && h->at[c + 1] < h->at[c])
      c++;
    if (x <= h->at[c])
      break;
    h->at[k] = h->at[c];
  }
  if (h->n)
    h->at[k] = x;
  return least;
}

/* ---- scores ---- */

enum { SCORE_ROW = 1, SCORE_NONLINEAR = 2, SCORE_OPENS = 8 };

static const IncidenceRow *row_in(const Tearing *te, uint32_t r) {
  return &te->t->rows[te->b->rows[r]];
}

static bool is_open(const Tearing *te, uint32_t var) {
  uint32_t n = te->local[var];
  return n && !te->var_known[n - 1];
}

static void enter_score(Tearing *te, uint32_t k) {
  /* high scores first; among equals the least number, by which equal models have equal tears */
  if (!te->var_known[k])
    heap_push(te->a, &te->best, (uint64_t)(UINT32_MAX - te->score[k]) << 32 | k);
}

/* What row r adds to the scores of its open unknowns: rows that an unknown leaves with one unknown
 * they can be solved for count most, then the rows that it stands in; where it stands nonlinearly
 * it cannot be solved for anyway. `opens`: only that the row has two open unknowns. */
static void add_scores(Tearing *te, uint32_t r, bool opens, bool take) {
  const IncidenceRow *in = row_in(te, r);
  uint32_t literal = 0;
  /* counted first: an unknown opens a row if the other one can be solved for */
  for (uint32_t i = 0; i < in->n; i++)
    literal += is_open(te, in->at[i].var) && in->at[i].how == OCCURS_LITERAL;
  for (uint32_t i = 0; i < in->n; i++) {
    if (!is_open(te, in->at[i].var))
      continue;
    bool own = in->at[i].how == OCCURS_LITERAL;
    uint32_t k = te->local[in->at[i].var] - 1;
    uint32_t add = opens ? 0 : own ? SCORE_ROW : SCORE_NONLINEAR;
    if (te->open[r] == 2 && literal > own)
      add += SCORE_OPENS;
    te->score[k] = take ? te->score[k] - add : te->score[k] + add;
    if (add)
      enter_score(te, k);
  }
}

/* The open unknown with the highest score. */
static uint32_t best_iteration_variable(Tearing *te) {
  for (;;) {
    /* scores change while entries wait: old ones are skipped */
    uint64_t top = heap_pop(&te->best);
    uint32_t k = (uint32_t)top;
    if (!te->var_known[k] && UINT32_MAX - te->score[k] == (uint32_t)(top >> 32))
      return k;
  }
}

/* ---- what follows ---- */

static bool solve_inner(Tearing *te, uint32_t row, uint32_t var, ExprId *value) {
  SBlock one = {.n = 1, .unknowns = &var};
  /* solve_one solves for what is marked */
  te->marked[var] = true;
  bool ok = solve_one(te->s, &te->sys->rows.at[row], &one, te->marked, te->a, te->diags);
  te->marked[var] = false;
  *value = one.value;
  return ok && one.value.i;
}

static void join(Arena *a, Numbers *to, const Numbers *from) {
  /* both ascending */
  Numbers out = {0};
  uint32_t i = 0, k = 0;
  while (i < to->n || k < from->n) {
    uint32_t x = k == from->n || (i < to->n && to->at[i] < from->at[k]) ? to->at[i] : from->at[k];
    i += i < to->n && to->at[i] == x;
    k += k < from->n && from->at[k] == x;
    vec_push(a, &out, x);
  }
  *to = out;
}

/* Large blocks: may unknown k follow from row r, or would it depend on too many iteration
 * variables? */
static bool stays_sparse(Tearing *te, uint32_t r, uint32_t k) {
  const IncidenceRow *in = row_in(te, r);
  Numbers all = {0};
  /* beyond the limit nobody needs to know how many */
  for (uint32_t i = 0; i < in->n && all.n <= MOST_TEAR_DEPENDS; i++)
    if (te->local[in->at[i].var] && te->local[in->at[i].var] != k + 1)
      join(te->a, &all, &te->depends[te->local[in->at[i].var] - 1]);
  if (all.n > MOST_TEAR_DEPENDS)
    return false;
  te->depends[k] = all;
  return true;
}

/* Does unknown k follow from row r by a chain that is not too long? */
static bool stays_short(Tearing *te, uint32_t r, uint32_t k) {
  const IncidenceRow *in = row_in(te, r);
  uint32_t longest = 0;
  for (uint32_t i = 0; i < in->n; i++) {
    uint32_t n = te->local[in->at[i].var];
    /* how long the chain is through the longest of what it reads */
    if (n && n != k + 1 && te->length[n - 1] > longest)
      longest = te->length[n - 1];
  }
  te->length[k] = longest + 1;
  return longest < MOST_TEAR_CHAIN;
}

/* The open unknown of a row that has just one, if the row can be solved for it. */
static bool determines(Tearing *te, uint32_t r, uint32_t *k, ExprId *value) {
  const IncidenceRow *in = row_in(te, r);
  for (uint32_t i = 0; i < in->n; i++) {
    /* the only open one */
    if (!is_open(te, in->at[i].var))
      continue;
    *k = te->local[in->at[i].var] - 1;
    return in->at[i].how == OCCURS_LITERAL &&
           row_may_solve(te->s, &te->sys->rows.at[te->b->rows[r]], in->at[i].var) &&
           stays_short(te, r, *k) && (!te->depends || stays_sparse(te, r, *k)) &&
           solve_inner(te, te->b->rows[r], in->at[i].var, value);
  }
  return false;
}

/* Unknown k is known from now on; rows after row `at` belong to this sweep, the others to the next
 * one. */
static void now_known(Tearing *te, uint32_t k, uint32_t at) {
  /* rows with two open unknowns will have one: what that added to scores goes */
  for (uint32_t i = te->start[k]; i < te->start[k + 1]; i++)
    if (!te->row_used[te->rows[i]] && te->open[te->rows[i]] == 2)
      add_scores(te, te->rows[i], true, true);
  te->var_known[k] = true;
  for (uint32_t i = te->start[k]; i < te->start[k + 1]; i++) {
    uint32_t r = te->rows[i];
    te->open[r]--;
    if (te->row_used[r])
      continue;
    if (te->open[r] == 2)
      add_scores(te, r, true, false);
    /* it has one open unknown left: the row may give that */
    if (te->open[r] == 1)
      heap_push(te->a, at != NO_ROW && r > at ? &te->ready : &te->later, r);
  }
}

/* ---- the block ---- */

static void read_block(Tearing *te) {
  uint32_t n = te->b->n;
  te->row_used = NEW_ARRAY(te->a, bool, n);
  te->var_known = NEW_ARRAY(te->a, bool, n);
  te->open = NEW_ARRAY(te->a, uint32_t, n);
  te->start = NEW_ARRAY(te->a, uint32_t, n + 2);
  te->score = NEW_ARRAY(te->a, uint32_t, n);
  te->length = NEW_ARRAY(te->a, uint32_t, n);
  te->depends = n > LARGE_BLOCK ? NEW_ARRAY(te->a, Numbers, n) : NULL;
  /* counted, then filled: start[k + 1] counts unknown k */
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t i = 0; i < row_in(te, r)->n; i++) {
      uint32_t k = te->local[row_in(te, r)->at[i].var];
      te->open[r] += k != 0;
      te->start[k ? k + 1 : 0] += k != 0;
    }
  for (uint32_t k = 1; k <= n; k++)
    te->start[k + 1] += te->start[k];
  te->rows = NEW_ARRAY(te->a, uint32_t, te->start[n + 1] + 1);
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t i = 0; i < row_in(te, r)->n; i++) {
      uint32_t k = te->local[row_in(te, r)->at[i].var];
      if (k)
        te->rows[te->start[k]++] = r;
    }
  /* start[k + 1] now is where unknown k ends: start[k] is where it begins */
  te->start[0] = 0;
  /* scores first, then the queue of unknowns by score */
  for (uint32_t r = 0; r < n; r++) {
    add_scores(te, r, false, false);
    if (te->open[r] == 1)
      heap_push(te->a, &te->later, r);
  }
  for (uint32_t k = 0; k < n; k++)
    enter_score(te, k);
}

typedef VEC(ExprId) Values;
typedef struct {
  Numbers rows, vars, tears;
  Values values;
} Torn;

/* One sweep over the rows that have one open unknown. */
static void sweep(Tearing *te, Torn *out) {
  Heap empty = {0};
  te->ready = te->later;
  te->later = empty;
  while (te->ready.n) {
    uint32_t r = (uint32_t)heap_pop(&te->ready), k;
    ExprId value = NO_EXPR;
    /* it may have lost its open unknown since it was pushed */
    if (te->row_used[r] || te->open[r] != 1 || !determines(te, r, &k, &value))
      continue;
    add_scores(te, r, false, true);
    te->row_used[r] = true;
    vec_push(te->a, &out->rows, te->b->rows[r]);
    vec_push(te->a, &out->vars, te->b->unknowns[k]);
    vec_push(te->a, &out->values, value);
    now_known(te, k, r);
  }
}

void tear_block(const Structure *s, const SSystem *sys, const IncidenceTable *t, SBlock *b,
                BlockScratch *scratch, Arena *a, Diags *diags) {
  Tearing te = {.s = s,
                .sys = sys,
                .t = t,
                .b = b,
                .a = a,
                .diags = diags,
                .marked = scratch->marked,
                .local = scratch->local};
  uint32_t n = b->n, at = 0;
  for (uint32_t k = 0; k < n; k++)
    te.local[b->unknowns[k]] = k + 1;
  read_block(&te);
  Torn torn = {0};
  /* sweeps of rows that give one unknown; where none is left, one more unknown is iterated */
  while (torn.vars.n + torn.tears.n < n) {
    if (te.later.n) {
      sweep(&te, &torn);
      continue;
    }
    uint32_t k = best_iteration_variable(&te);
    /* what is iterated is known at once */
    te.length[k] = 0;
    if (te.depends) {
      te.depends[k].n = 0;
      vec_push(a, &te.depends[k], torn.tears.n);
    }
    vec_push(a, &torn.tears, b->unknowns[k]);
    now_known(&te, k, NO_ROW);
  }
  /* scratch is left as it was */
  for (uint32_t k = 0; k < n; k++)
    te.local[b->unknowns[k]] = 0;
  /* residuals first, with the iteration variables as they were chosen, then the inner rows */
  uint32_t *rows = NEW_ARRAY(a, uint32_t, n);
  uint32_t *unknowns = NEW_ARRAY(a, uint32_t, n);
  ExprId *parts = NEW_ARRAY(a, ExprId, n);
  /* residuals are what is left of the rows */
  for (uint32_t r = 0; r < n; r++)
    if (!te.row_used[r]) {
      unknowns[at] = torn.tears.at[at];
      parts[at] = expr_binary(s->model->pool, OP_SUB, sys->rows.at[b->rows[r]].lhs,
                              sys->rows.at[b->rows[r]].rhs);
      rows[at++] = b->rows[r];
    }
  b->n_tear = at;
  for (uint32_t i = 0; i < torn.rows.n; i++, at++) {
    rows[at] = torn.rows.at[i];
    unknowns[at] = torn.vars.at[i];
    parts[at] = torn.values.at[i];
  }
  b->rows = rows;
  b->unknowns = unknowns;
  b->parts = parts;
}

/* ---- derivatives ---- */

typedef struct {
  const ExprPool *p;
  const uint32_t *local;
  Arena *a;
  Numbers found; /* numbers in the block */
} Occurring;

static void note(void *user, ExprId e) {
  Occurring *o = user;
  uint32_t v;
  if (lowered_var(o->p, e, &v) && o->local[v])
    vec_push(o->a, &o->found, o->local[v] - 1);
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Derivatives of part i by the unknowns that stand in it; false if there is none. */
static bool part_partials(const Structure *s, SBlock *b, uint32_t i, Occurring *oc) {
  ExprPool *p = s->model->pool;
  oc->found.n = 0;
  expr_walk(p, b->parts[i], note, oc);
  /* sorted, because entries are asked for in order */
  if (oc->found.n > 1)
    qsort(oc->found.at, oc->found.n, sizeof *oc->found.at, ascending);
  for (uint32_t q = 0; q < oc->found.n; q++) {
    uint32_t k = oc->found.at[q];
    ExprId d = expr_diff(p, b->parts[i], svar_expr(s, b->unknowns[k]));
    if (!d.i)
      return false;
    if (!expr_is_zero(p, d))
      vec_push(oc->a, &b->partials[i], (SPartial){k, d});
  }
  return true;
}

void block_partials(const Structure *s, SBlock *b, BlockScratch *scratch, Arena *a) {
  Occurring oc = {.p = s->model->pool, .local = scratch->local, .a = a};
  bool ok = true;
  for (uint32_t k = 0; k < b->n; k++)
    scratch->local[b->unknowns[k]] = k + 1;
  b->partials = NEW_ARRAY(a, SPartials, b->n);
  for (uint32_t i = 0; i < b->n && ok; i++)
    ok = part_partials(s, b, i, &oc);
  for (uint32_t k = 0; k < b->n; k++)
    scratch->local[b->unknowns[k]] = 0;
  if (!ok)
    b->partials = NULL; /* must be differenced */
}

/* ---- blocks that are not torn ---- */

/* Which of many solutions is nearest to the values before is a question about all unknowns. */
void untear_open(Lower *lo, SSystem *sys) {
  const Structure *s = lo->s;
  PointEval *at = point_new(lo);
  BlockScratch scratch = {NULL, NEW_ARRAY(lo->a, uint32_t, s->vars.n)};
  for (uint32_t k = 0; k < sys->blocks.n; k++) {
    SBlock *b = &sys->blocks.at[k];
    if (b->kind != BLOCK_LINEAR || b->n_tear == b->n || b->n > MOST_UNTORN ||
        !rank_is_open(lo, at, b))
      continue;
    /* the rows as they are, without what follows from others */
    for (uint32_t i = 0; i < b->n; i++)
      b->parts[i] = expr_binary(lo->p, OP_SUB, sys->rows.at[b->rows[i]].lhs,
                                sys->rows.at[b->rows[i]].rhs);
    b->n_tear = b->n;
    block_partials(s, b, &scratch, lo->a);
    if (!b->partials)
      b->kind = BLOCK_NONLINEAR;
  }
}
