/* numeric/tangent.c -- sparse forward accumulation of gradients (Griewank and Walther, Evaluating
 * Derivatives, chapter 3).
 * How:  each node has a sparse gradient by states and time, whose places are fixed when the tape is
 *       made. The tape is a list of instructions: clear a gradient, add a multiple of one gradient
 *       to another, solve a block. In a block the unknowns that are iterated (z) first count as
 *       further inputs; the gradients of its residuals r are then split, and
 *         dz/dx = -(dr/dz)^-1 dr/dx
 *       gives theirs; those of the assigned unknowns follow by one more product, where something
 *       later needs them.
 * Keep: all numbers lie in one array: entries p, the constants 1 and c, gradients. Columns of a
 *       gradient are ascending. */
#include "numeric/tangent.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "numeric/numeric.h"

typedef enum { TAPE_CLEAR, TAPE_ADD, TAPE_SOLVE } TapeOp;

/* ADD: v[to + map[k]] += v[factor] * v[from + k], k < n; CLEAR: v[to .. to + n) = 0; SOLVE: block
 * number `to` */
typedef struct {
  TapeOp op;
  int factor, from, n, to, map;
} TapeLine;

/* v[from] goes to place `to` of a dense matrix. */
typedef struct {
  int from, to;
} Move;

typedef struct {
  int m, n;                /* iterated unknowns; columns that its residuals depend on */
  VEC(Move) matrix, right; /* dr/dz row by row; dr/dx column by column */
  int to;                  /* gradients of z: m times n places in v */
} TapeBlock;

typedef struct {
  int first, n; /* place of the gradient in v */
  const int *columns;
} Gradient;

struct Tangent {
  TangentTable t;
  const TangentImplicit *implicit; /* NULL: explicit; used while it is made */
  int n_columns;
  double *v;
  int n_v, one, c;
  VEC(TapeLine) tape;
  VEC(int) map;
  VEC(TapeBlock) blocks;
  Gradient *of, *local; /* per node; local: inside of the block at work */
  Gradient *residual;   /* per row: of residuals */
  bool *used;           /* per node: read by a later step, or a result */
  int *stamp, *at, now; /* per column */
  VEC(int) found;
  Pattern pattern;
  /* Per place of the pattern: place in v or -1, factor, whether c is added */
  int *result, *sign, *shift;
  int *time; /* per state: place of its derivative by time or -1 */
  double *matrix, *right, *rows;
  int *pivot;
  int largest;
  Arena *a;
};

/* ---- sets of columns ---- */

static void set_begin(Tangent *t) {
  t->now++;
  t->found.n = 0;
}

static void set_add(Tangent *t, int column) {
  if (t->stamp[column] == t->now)
    return;
  t->stamp[column] = t->now;
  vec_push(t->a, &t->found, column);
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

/* The set as a gradient with places of its own; t->at tells the place of each column. */
static Gradient set_end(Tangent *t) {
  int n = (int)t->found.n, *columns = NEW_ARRAY(t->a, int, n + 1);
  if (n)
    memcpy(columns, t->found.at, (size_t)n * sizeof *columns);
  qsort(columns, (size_t)n, sizeof *columns, ascending);
  for (int k = 0; k < n; k++)
    t->at[columns[k]] = k;
  Gradient g = {t->n_v, n, columns};
  t->n_v += n;
  return g;
}

/* ---- making the tape ---- */

static void line_clear(Tangent *t, const Gradient *g) {
  if (g->n)
    vec_push(t->a, &t->tape, (TapeLine){TAPE_CLEAR, 0, 0, g->n, g->first, 0});
}

/* Columns of `from` at and after `limit` are left out. */
static void line_add(Tangent *t, int factor, const Gradient *from, const Gradient *to, int limit) {
  int n = 0, map = (int)t->map.n;
  for (; n < from->n && from->columns[n] < limit; n++)
    vec_push(t->a, &t->map, t->at[from->columns[n]]);
  if (n)
    vec_push(t->a, &t->tape, (TapeLine){TAPE_ADD, factor, from->first, n, to->first, map});
}

static bool too_large(const Tangent *t) {
  return t->n_v > MOST_TANGENT_CELLS || t->map.n > MOST_TANGENT_CELLS;
}

/* Gradient of one row. lo .. hi: nodes of the block at work, whose local gradients count. */
static Gradient accumulate(Tangent *t, int row, int lo, int hi) {
  const TangentTable *tt = &t->t;
  set_begin(t);
  for (int q = tt->start[row]; q < tt->start[row + 1]; q++) {
    int u = tt->nodes[q];
    const Gradient *g = u >= lo && u < hi ? &t->local[u] : &t->of[u];
    for (int k = 0; k < g->n; k++)
      set_add(t, g->columns[k]);
  }
  Gradient out = set_end(t);
  line_clear(t, &out);
  for (int q = tt->start[row]; q < tt->start[row + 1]; q++) {
    int u = tt->nodes[q];
    line_add(t, q, u >= lo && u < hi ? &t->local[u] : &t->of[u], &out, t->n_columns + hi - lo);
  }
  return out;
}

static Gradient single(Tangent *t, int place, int column) {
  int *columns = NEW_ARRAY(t->a, int, 1);
  columns[0] = column;
  return (Gradient){place, 1, columns};
}

/* dz/dx from the gradients of the residuals, rows row .. row + m. */
static void solve_block(Tangent *t, int node, int m, int row) {
  int columns = t->n_columns;
  TapeBlock b = {.m = m};
  set_begin(t);
  for (int i = 0; i < m; i++)
    for (int k = 0; k < t->residual[row + i].n; k++)
      if (t->residual[row + i].columns[k] < columns)
        set_add(t, t->residual[row + i].columns[k]);
  Gradient shared = set_end(t);
  b.n = shared.n;
  b.to = shared.first;
  t->n_v += (m - 1) * shared.n;
  for (int i = 0; i < m; i++) {
    const Gradient *g = &t->residual[row + i];
    for (int k = 0; k < g->n; k++) {
      int column = g->columns[k];
      if (column >= columns)
        vec_push(t->a, &b.matrix, (Move){g->first + k, i * m + column - columns});
      else
        vec_push(t->a, &b.right, (Move){g->first + k, t->at[column] * m + i});
    }
  }
  for (int j = 0; j < m; j++)
    t->of[node + j] = (Gradient){b.to + j * b.n, b.n, shared.columns};
  vec_push(t->a, &t->blocks, b);
  vec_push(t->a, &t->tape, (TapeLine){TAPE_SOLVE, 0, 0, 0, (int)t->blocks.n - 1, 0});
  t->largest = m > t->largest ? m : t->largest;
  t->largest = b.n > t->largest ? b.n : t->largest;
}

/* The gradient of an assigned unknown of a block: its own part and that through z. */
static void complete(Tangent *t, int node, int first) {
  Gradient own = t->local[node];
  int z = 0;
  set_begin(t);
  for (int k = 0; k < own.n; k++)
    if (own.columns[k] < t->n_columns)
      set_add(t, own.columns[k]);
    else if (!z++)
      for (int q = 0; q < t->of[first].n; q++)
        set_add(t, t->of[first].columns[q]);
  t->of[node] = set_end(t);
  line_clear(t, &t->of[node]);
  line_add(t, t->one, &own, &t->of[node], t->n_columns);
  for (int k = 0; k < own.n; k++)
    if (own.columns[k] >= t->n_columns)
      line_add(t, own.first + k, &t->of[first + own.columns[k] - t->n_columns], &t->of[node],
               t->n_columns);
}

/* A block whose nodes begin at `node` and rows at `row`. */
static void make_block(Tangent *t, int node, int row, int n, int m, int z) {
  const TangentImplicit *im = t->implicit;
  for (int j = 0; j < m; j++) {
    int column = im ? im->column[z + j] : t->n_columns + j;
    t->local[node + j] = t->of[node + j] = single(t, im && im->is_der[z + j] ? t->c : t->one,
                                                  column);
  }
  for (int k = m; k < n && !too_large(t); k++)
    t->local[node + k] = t->of[node + k] = accumulate(t, row + k - m, node, node + n);
  for (int i = 0; i < m && !too_large(t); i++)
    t->residual[row + n - m + i] = accumulate(t, row + n - m + i, node, node + n);
  if (im || too_large(t))
    return;
  solve_block(t, node, m, row + n - m);
  for (int k = m; k < n && !too_large(t); k++)
    if (t->used[node + k])
      complete(t, node + k, node);
}

static void mark_used(Tangent *t) {
  const TangentTable *tt = &t->t;
  for (int j = 0; j < tt->nx; j++)
    if (tt->der[j] >= 0)
      t->used[tt->der[j]] = true;
  for (int s = 0, node = tt->nx + 1, row = 0; s < tt->n_steps;
       node += tt->steps[3 * s], row += tt->steps[3 * s], s++)
    for (int q = tt->start[row]; q < tt->start[row + tt->steps[3 * s]]; q++)
      if (tt->nodes[q] < node)
        t->used[tt->nodes[q]] = true;
}

/* ---- results ---- */

/* place: in v, or -1; sign: its factor; shift: c is added */
typedef struct {
  int column, place, sign, shift;
} Cell;
typedef VEC(Cell) Cells;

/* The rows of the Jacobian by columns, with the diagonal. */
static void lay_out(Tangent *t, const Cells *rows, int n) {
  int *start = NEW_ARRAY(t->a, int, n + 2);
  for (int i = 0; i < n; i++)
    for (uint32_t k = 0; k < rows[i].n; k++)
      start[rows[i].at[k].column + 1]++;
  for (int j = 0; j < n; j++)
    start[j + 1] += start[j];
  int *index = NEW_ARRAY(t->a, int, start[n] + 1), *next = NEW_ARRAY(t->a, int, n + 1);
  t->result = NEW_ARRAY(t->a, int, start[n] + 1);
  t->sign = NEW_ARRAY(t->a, int, start[n] + 1);
  t->shift = NEW_ARRAY(t->a, int, start[n] + 1);
  memcpy(next, start, (size_t)n * sizeof *next);
  for (int i = 0; i < n; i++)
    for (uint32_t k = 0; k < rows[i].n; k++) {
      const Cell *c = &rows[i].at[k];
      int q = next[c->column]++;
      index[q] = i;
      t->result[q] = c->place;
      t->sign[q] = c->sign;
      t->shift[q] = c->shift;
    }
  t->pattern = (Pattern){n, start, index};
}

/* sign -1: a row X'[own] - f[own]. */
static void take_row(Tangent *t, Cells *row, const Gradient *g, int own, int sign, int n) {
  bool diagonal = false;
  for (int k = 0; k < g->n; k++)
    if (g->columns[k] < n) {
      vec_push(t->a, row,
               (Cell){g->columns[k], g->first + k, sign, sign < 0 && g->columns[k] == own});
      diagonal = diagonal || g->columns[k] == own;
    }
  if (!diagonal)
    vec_push(t->a, row, (Cell){own, -1, 1, sign < 0});
}

static void results(Tangent *t) {
  const TangentTable *tt = &t->t;
  const TangentImplicit *im = t->implicit;
  int n = im ? im->n : tt->nx;
  Cells *rows = NEW_ARRAY(t->a, Cells, n + 1);
  const Gradient nothing = {0};
  t->time = NEW_ARRAY(t->a, int, tt->nx + 1);
  for (int s = 0, row = 0, z = 0; s < tt->n_steps && im;
       row += tt->steps[3 * s], z += tt->steps[3 * s + 1], s++)
    for (int i = 0; i < tt->steps[3 * s + 1]; i++)
      take_row(t, &rows[im->row[z + i]],
               &t->residual[row + tt->steps[3 * s] - tt->steps[3 * s + 1] + i], im->row[z + i], 1,
               n);
  for (int j = 0; j < tt->nx; j++) {
    const Gradient *g = tt->der[j] >= 0 ? &t->of[tt->der[j]] : &nothing;
    t->time[j] = !im && g->n && g->columns[g->n - 1] == tt->nx ? g->first + g->n - 1 : -1;
    if (!rows[j].n)
      take_row(t, &rows[j], g, j, im ? -1 : 1, n);
  }
  lay_out(t, rows, n);
}

static Tangent *make(const TangentTable *table, const TangentImplicit *im, Arena *a) {
  Tangent *t = NEW(a, Tangent);
  t->t = *table;
  t->implicit = im;
  t->a = a;
  /* time has no column where it is not asked for */
  t->n_columns = im ? im->n : table->nx + 1;
  t->one = table->n_entries, t->c = t->one + 1, t->n_v = t->c + 1;
  t->of = NEW_ARRAY(a, Gradient, table->n_nodes), t->local = NEW_ARRAY(a, Gradient, table->n_nodes);
  t->residual = NEW_ARRAY(a, Gradient, table->n_rows + 1);
  t->used = NEW_ARRAY(a, bool, table->n_nodes);
  t->stamp = NEW_ARRAY(a, int, t->n_columns + table->n_rows + 1);
  t->at = NEW_ARRAY(a, int, t->n_columns + table->n_rows + 1);
  for (int j = 0; j < table->nx + !im; j++)
    t->of[j] = single(t, t->one, j);
  mark_used(t);
  for (int s = 0, node = table->nx + 1, row = 0, z = 0; s < table->n_steps; s++) {
    int n = table->steps[3 * s], m = table->steps[3 * s + 1];
    if (m)
      make_block(t, node, row, n, m, z);
    else
      t->of[node] = accumulate(t, row, 0, 0);
    if (too_large(t))
      return NULL;
    node += n, row += n, z += m;
  }
  results(t);
  t->v = NEW_ARRAY(a, double, t->n_v + 1);
  t->v[t->one] = 1;
  size_t m = (size_t)t->largest;
  t->matrix = NEW_ARRAY(a, double, m *m + 1);
  t->right = NEW_ARRAY(a, double, m *m + 1);
  t->rows = NEW_ARRAY(a, double, m + 1);
  t->pivot = NEW_ARRAY(a, int, m + 1);
  return t;
}

Tangent *tangent_new(const TangentTable *t, Arena *a) { return make(t, NULL, a); }
Tangent *tangent_new_implicit(const TangentTable *t, const TangentImplicit *im, Arena *a) {
  return make(t, im, a);
}
const Pattern *tangent_pattern(const Tangent *t) { return &t->pattern; }
double *tangent_entries(Tangent *t) { return t->v; }

/* ---- evaluation ---- */

static bool solve(Tangent *t, const TapeBlock *b) {
  size_t m = (size_t)b->m, n = (size_t)b->n;
  int where;
  memset(t->matrix, 0, m * m * sizeof *t->matrix);
  memset(t->right, 0, m * n * sizeof *t->right);
  for (uint32_t k = 0; k < b->matrix.n; k++)
    t->matrix[b->matrix.at[k].to] = t->v[b->matrix.at[k].from];
  for (uint32_t k = 0; k < b->right.n; k++)
    t->right[b->right.at[k].to] = -t->v[b->right.at[k].from];
  if (!lu_factor(t->matrix, t->pivot, t->rows, b->m, &where))
    return false;
  for (size_t k = 0; k < n; k++) {
    lu_solve(t->matrix, t->pivot, b->m, t->right + k * m);
    for (size_t j = 0; j < m; j++)
      t->v[(size_t)b->to + j * n + k] = t->right[k * m + j];
  }
  return true;
}

bool tangent_evaluate(Tangent *t, double c, double *values) {
  double *v = t->v;
  v[t->c] = c;
  for (uint32_t q = 0; q < t->tape.n; q++) {
    const TapeLine *l = &t->tape.at[q];
    const int *map = t->map.at + l->map;
    double factor = v[l->factor];
    switch (l->op) {
    case TAPE_CLEAR: memset(v + l->to, 0, (size_t)l->n * sizeof *v); break;
    case TAPE_ADD:
      for (int k = 0; k < l->n; k++)
        v[l->to + map[k]] += factor * v[l->from + k];
      break;
    case TAPE_SOLVE:
      if (!solve(t, &t->blocks.at[l->to]))
        return false;
      break;
    }
  }
  for (int q = 0; q < pattern_count(&t->pattern); q++)
    values[q] = (t->result[q] < 0 ? 0 : t->sign[q] * v[t->result[q]]) + (t->shift[q] ? c : 0);
  return true;
}

void tangent_time(const Tangent *t, double *ft) {
  for (int j = 0; j < t->t.nx; j++)
    ft[j] = t->time[j] < 0 ? 0 : t->v[t->time[j]];
}
