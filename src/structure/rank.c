/* structure/rank.c -- which columns of a group of rows are independent of each other.
 * In:   rows of the simulation and SVars in them.   Out: columns, as many as there are rows, for
 *       which the derivatives of the rows by them form a regular matrix; the first such columns in
 *       the order that is asked for.
 * How:  Gaussian elimination, column by column: a column is taken if a row without pivot holds it
 *       after all that were taken before it (the greedy algorithm, which finds the best basis of a
 *       matroid: Edmonds, Math. Program. 1, 1971). Entries are numbers: literals, or what they are
 *       with the parameters of this translation, or, where they vary, what they are at a point that
 *       nobody would think of (point.c). Each carries the size of the terms that it is the sum of:
 *       below the rounding of these it is 0. An exact elimination would take 0.1 + 0.2 - 0.3 for a
 *       pivot.
 *       A row that ends without pivot depends on others; cells behind the last column say how.
 * Keep: what was decided with values of parameters is an assumption, which the run checks
 *       (rank_assume). */
#include "structure/rank.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/lowered.h"
#include "structure/name.h"
#include "structure/point.h"

#include <float.h>
#include <math.h>

/* Points that are tried */
enum { POINTS = 3 };

/* 1: per row, of the terms of an entry: what is below is 0 */
static const double rounding = 8 * DBL_EPSILON;
/* 1: of the sides of equations: a combination of them that is below says 0 = 0 */
static const double agreement = 1e-12;

/* ---- reading ---- */

typedef struct {
  const ExprPool *p;
  const Map *number; /* SVar -> column */
  VEC(uint32_t) found;
  Arena *a;
} Finder;

static void find_column(void *user, ExprId e) {
  Finder *f = user;
  uint32_t v;
  uint64_t column;
  if (lowered_var(f->p, e, &v) && map_get(f->number, v, &column))
    vec_push(f->a, &f->found, (uint32_t)column);
}

static void sort_columns(uint32_t *at, uint32_t n) {
  /* few: by insertion */
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t k = i; k > 0 && at[k] < at[k - 1]; k--) {
      uint32_t t = at[k];
      at[k] = at[k - 1];
      at[k - 1] = t;
    }
}

/* The slopes of row i; false if one is not known. */
static bool read_row(RankBlock *b, uint32_t i, const Map *number) {
  Lower *lo = b->lo;
  const SRow *row = &lo->s->simulation.rows.at[b->which[i]];
  if (row->kind != ROW_EQUAL)
    return false;
  ExprId f = expr_binary(lo->p, OP_SUB, row->lhs, row->rhs);
  Finder finder = {.p = lo->p, .number = number, .a = lo->a};
  expr_walk(lo->p, f, find_column, &finder);
  /* columns in ascending order, as elimination wants them */
  if (finder.found.n)
    sort_columns(finder.found.at, finder.found.n);
  for (uint32_t k = 0; k < finder.found.n; k++) {
    uint32_t c = finder.found.at[k];
    ExprId d = expr_diff(lo->p, f, svar_expr(lo->s, b->columns[c]));
    if (!d.i)
      return false;
    /* a coefficient that is no literal may have another value in a run */
    b->assumes = b->assumes || !expr_is_literal(lo->p, d);
    if (!expr_is_zero(lo->p, d))
      vec_push(lo->a, &b->rows[i], (RankCell){.column = c, .d = d});
  }
  /* the row itself: what is left of it at the end says of which rows the result is made */
  vec_push(lo->a, &b->rows[i], (RankCell){.column = b->n_columns + i, .d = expr_real(lo->p, 1)});
  return true;
}

/* The numbers of all cells at the point; false if one has none there. */
static bool take_values(RankBlock *b, PointEval *at) {
  for (uint32_t i = 0; i < b->n; i++) {
    b->largest[i] = 0;
    for (uint32_t k = 0; k < b->rows[i].n; k++) {
      RankCell *c = &b->rows[i].at[k];
      if (!point_real(at, c->d, &c->value))
        return false;
      /* how large its terms are; both grow while rows are combined */
      c->size = fabs(c->value);
      if (c->column < b->n_columns)
        b->largest[i] = fmax(b->largest[i], c->size);
    }
  }
  return true;
}

RankBlock *rank_new(Lower *lo, PointEval *at, const uint32_t *rows, uint32_t n,
                    const uint32_t *columns, uint32_t n_columns) {
  RankBlock *b = NEW(lo->a, RankBlock);
  *b = (RankBlock){.lo = lo, .n = n, .n_columns = n_columns, .which = rows, .columns = columns};
  b->rows = NEW_ARRAY(lo->a, RankRow, n + 1);
  b->pivot = NEW_ARRAY(lo->a, uint32_t, n + 1);
  b->largest = NEW_ARRAY(lo->a, double, n + 1);
  Map number = {0};
  for (uint32_t c = 0; c < n_columns; c++)
    map_put(lo->a, &number, columns[c], c);
  for (uint32_t i = 0; i < n; i++) {
    b->pivot[i] = NO_SVAR;
    if (!read_row(b, i, &number))
      return NULL;
  }
  /* a point may be where something has no value: another one is tried */
  for (at->point = 1; at->point <= POINTS; at->point++)
    if (take_values(b, at))
      return b;
  return NULL;
}

/* Of unknown k that follows from others 1, and what stands in its part; of the others the
 * residuals. */
static void read_parts(RankBlock *b, const SBlock *bl) {
  ExprPool *p = b->lo->p;
  for (uint32_t i = 0; i < bl->n; i++) {
    bool follows = i >= bl->n_tear;
    for (uint32_t k = 0; k < bl->partials[i].n; k++) {
      const SPartial *d = &bl->partials[i].at[k];
      if (follows && d->of > i && (!b->rows[i].n || vec_last(&b->rows[i]).column < i))
        vec_push(b->lo->a, &b->rows[i], (RankCell){.column = i, .d = expr_real(p, -1)});
      vec_push(b->lo->a, &b->rows[i], (RankCell){.column = d->of, .d = d->d});
    }
    if (follows && (!b->rows[i].n || vec_last(&b->rows[i]).column < i))
      vec_push(b->lo->a, &b->rows[i], (RankCell){.column = i, .d = expr_real(p, -1)});
    b->pivot[i] = NO_SVAR;
  }
}

bool rank_is_open(Lower *lo, PointEval *at, const SBlock *bl) {
  uint32_t n = bl->n, *order = NEW_ARRAY(lo->a, uint32_t, n + 1);
  /* unknowns that follow come first, as they are solved in the program */
  for (uint32_t c = 0; c < n; c++)
    order[c] = (c + bl->n_tear) % n;
  for (uint32_t point = 1; point <= POINTS; point++) {
    RankBlock b = {.lo = lo, .n = n, .n_columns = n};
    b.rows = NEW_ARRAY(lo->a, RankRow, n + 1);
    b.pivot = NEW_ARRAY(lo->a, uint32_t, n + 1);
    b.largest = NEW_ARRAY(lo->a, double, n + 1);
    at->point = point;
    read_parts(&b, bl);
    /* one point with full rank is enough: singular at a point may be chance */
    if (!take_values(&b, at) || rank_choose(&b, order, n, NEW_ARRAY(lo->a, bool, n + 1)) == n)
      return false;
  }
  return true;
}

/* ---- elimination ---- */

static bool is_nothing(const RankBlock *b, const RankCell *c) {
  /* what is left of large terms by rounding is nothing */
  return fabs(c->value) <= rounding * (b->n + 1) * c->size;
}

static RankCell *cell_in(const RankRow *row, uint32_t column) {
  uint32_t low = 0, high = row->n;
  /* columns of a row are ascending */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (row->at[middle].column < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < row->n && row->at[low].column == column ? &row->at[low] : NULL;
}

/* The row without pivot in which the column weighs most; NO_ROW: in none. */
static uint32_t best_row(const RankBlock *b, uint32_t column) {
  uint32_t best = NO_ROW;
  double most = 0;
  /* relative to the row, so that factors of an equation do not count */
  for (uint32_t i = 0; i < b->n; i++) {
    const RankCell *c = b->pivot[i] == NO_SVAR ? cell_in(&b->rows[i], column) : NULL;
    double weight = c && !is_nothing(b, c) ? fabs(c->value) / b->largest[i] : 0;
    if (weight > most) {
      most = weight;
      best = i;
    }
  }
  return best;
}

/* x - factor * y; the same as expressions if these are wanted. */
static RankCell difference(const RankBlock *b, const RankCell *x, const RankCell *factor,
                           const RankCell *y) {
  ExprPool *p = b->lo->p;
  RankCell out = {
      .column = y->column, .value = -factor->value * y->value, .size = factor->size * y->size};
  /* sizes add up where values may cancel */
  if (x) {
    out.value += x->value;
    out.size += x->size;
  }
  /* expressions are wanted only where parameters may change */
  if (!b->symbolic)
    return out;
  ExprId d = expr_binary(p, OP_MUL, factor->d, y->d);
  ExprId bound = expr_binary(p, OP_MUL, factor->bound, y->bound);
  out.d = x ? expr_binary(p, OP_SUB, x->d, d) : expr_unary(p, OP_NEG, d);
  out.bound = x ? expr_binary(p, OP_ADD, x->bound, bound) : bound;
  return out;
}

static RankCell quotient(const RankBlock *b, const RankCell *x, const RankCell *pivot) {
  ExprPool *p = b->lo->p;
  double by = fabs(pivot->value);
  RankCell out = {.value = x->value / pivot->value, .size = x->size / by};
  if (b->symbolic) {
    out.d = expr_binary(p, OP_DIV, x->d, pivot->d);
    out.bound = expr_binary(p, OP_DIV, x->bound, expr_unary(p, OP_ABS, pivot->d));
  }
  return out;
}

/* Takes the column out of the row by the row that has its pivot there. */
static void eliminate(RankBlock *b, uint32_t row, uint32_t by, uint32_t column) {
  const RankRow *x = &b->rows[row], *y = &b->rows[by];
  RankRow out = {0};
  RankCell factor = quotient(b, cell_in(x, column), cell_in(y, column));
  /* both rows in order, as in a merge */
  for (uint32_t i = 0, k = 0; i < x->n || k < y->n;) {
    bool own = k == y->n || (i < x->n && x->at[i].column < y->at[k].column);
    bool both = !own && i < x->n && x->at[i].column == y->at[k].column;
    if (own)
      vec_push(b->lo->a, &out, x->at[i]);
    else if (y->at[k].column != column)
      vec_push(b->lo->a, &out, difference(b, both ? &x->at[i] : NULL, &factor, &y->at[k]));
    i += own || both;
    k += !own;
  }
  b->rows[row] = out;
}

uint32_t rank_choose(RankBlock *b, const uint32_t *order, uint32_t n_order, bool *taken) {
  uint32_t rank = 0;
  for (uint32_t k = 0; k < n_order && rank < b->n; k++) {
    /* a column without weight follows from those before it */
    uint32_t column = order[k], by = best_row(b, column);
    if (by == NO_ROW)
      continue;
    b->pivot[by] = column;
    taken[column] = true;
    /* below only: what has a pivot stays as it is */
    rank++;
    for (uint32_t i = 0; i < b->n; i++)
      if (b->pivot[i] == NO_SVAR && cell_in(&b->rows[i], column))
        eliminate(b, i, by, column);
  }
  return rank;
}

/* ---- what was decided with values of parameters ---- */

static void as_expressions(RankBlock *b) {
  b->symbolic = true;
  for (uint32_t i = 0; i < b->n; i++)
    for (uint32_t k = 0; k < b->rows[i].n; k++)
      b->rows[i].at[k].bound = expr_unary(b->lo->p, OP_ABS, b->rows[i].at[k].d);
}

static void mark_shape(void *user, ExprId e) {
  Lower *lo = user;
  uint32_t v;
  if (lowered_var(lo->p, e, &v) && lo->s->vars.at[v].kind == SV_VAR && lo->s->vars.at[v].known)
    lo->s->vars.at[v].shapes = true;
}

/* A matrix too large for that: its parameters cannot change without a new translation. */
static void fix_parameters(const RankBlock *b) {
  for (uint32_t i = 0; i < b->n; i++)
    for (uint32_t k = 0; k < b->rows[i].n; k++)
      expr_walk(b->lo->p, b->rows[i].at[k].d, mark_shape, b->lo);
}

void rank_assume(RankBlock *b) {
  Lower *lo = b->lo;
  ExprPool *p = lo->p;
  if (b->n > MOST_ASSUMED_ROWS) {
    fix_parameters(b);
    return;
  }
  /* the same elimination, carried out on expressions of the parameters */
  as_expressions(b);
  uint32_t *order = NEW_ARRAY(lo->a, uint32_t, b->n_columns + 1);
  for (uint32_t c = 0; c < b->n_columns; c++)
    order[c] = c;
  rank_choose(b, order, b->n_columns, NEW_ARRAY(lo->a, bool, b->n_columns + 1));
  /* each pivot must stay above the rounding of the terms that it is the sum of */
  ExprId all = NO_EXPR;
  ExprId least = expr_real(p, rounding * (b->n + 1));
  Text names = {.arena = lo->a};
  for (uint32_t i = 0; i < b->n; i++) {
    const RankCell *c = cell_in(&b->rows[i], b->pivot[i]);
    ExprId holds = expr_binary(p, OP_GT, expr_unary(p, OP_ABS, c->d),
                               expr_binary(p, OP_MUL, least, c->bound));
    /* literals cannot change */
    all = expr_is_literal(p, c->d) ? all : all.i ? logic_and(p, all, holds) : holds;
    text_add(&names, i ? ", `" : "`");
    structure_name(lo->s, lo->s->vars.at[b->columns[i]].of, &names);
    text_add(&names, "`");
  }
  if (!all.i)
    return;
  /* told in the run, which knows the values of its parameters */
  SAction act = {
      .kind = ACTION_ASSERT, .value = all, .span = lo->s->simulation.rows.at[b->which[0]].span};
  act.message = expr_string(
      p, arena_printf(lo->a,
                      "with these values of the parameters %s do not follow from the states that "
                      "were chosen: the model must be translated with them",
                      text_str(&names)));
  act.level = expr_integer(p, 2);
  vec_push(lo->a, &lo->s->guards, act);
}

/* ---- rows that depend on others ---- */

/* What the combination of the rows' origins says: how large it is, and how large it must be to be
 * something. */
static bool combined(const RankBlock *b, const RankRow *weights, const uint32_t *origin,
                     PointEval *at, double *sum, double *size) {
  Lower *lo = b->lo;
  *sum = *size = 0;
  for (uint32_t k = 0; k < weights->n; k++) {
    double lhs, rhs, w = weights->at[k].value;
    /* weights of rows stand behind the columns */
    if (weights->at[k].column < b->n_columns)
      continue;
    const SRow *row = &lo->s->simulation.rows.at[origin[weights->at[k].column - b->n_columns]];
    if (!point_real(at, row->lhs, &lhs) || !point_real(at, row->rhs, &rhs))
      return false;
    *sum += w * (lhs - rhs);
    *size += fabs(w) * (fabs(lhs) + fabs(rhs));
  }
  return true;
}

RankSays rank_says(const RankBlock *b, uint32_t row, const uint32_t *origin, PointEval *at) {
  double first = 0;
  bool zero = true, same = true;
  for (at->point = 1; at->point <= POINTS; at->point++) {
    /* the same combination must say it everywhere, or it is chance */
    double sum, size, least;
    if (!combined(b, &b->rows[row], origin, at, &sum, &size))
      return RANK_UNKNOWN;
    least = agreement * size;
    first = at->point == 1 ? sum : first;
    zero = zero && fabs(sum) <= least;
    same = same && fabs(sum - first) <= least;
  }
  /* 0 = 0 repeats; 0 = c contradicts; anything else depends on the states */
  return zero ? RANK_REPEATS : same ? RANK_CONTRADICTS : RANK_UNKNOWN;
}
