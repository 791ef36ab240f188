/* numeric/jump_cut.c -- takes out of a linear descriptor system what is plainly algebraic, before
 * its infinite part is separated.
 * In:   E x' + A x + b = 0.   Out: the same with fewer equations and unknowns, and the way back;
 *       the jump of the whole.
 * How:  an equation without derivatives gives an unknown whose derivative occurs nowhere its value:
 *       Gaussian elimination with pivots that stand out in their rows (Duff, Erisman, Reid, "Direct
 *       Methods for Sparse Matrices", Oxford 2017, chapter 7). Only multiples of equations without
 *       derivatives are added to others, so that what E x conserves stays what it is.
 * Keep: where next to nothing is left of an equation the ranks are for descriptor.c to judge, on
 *       the whole system. */
#include "numeric/jump_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"

static const double stands_out = 0.1; /* 1: a pivot against the largest entry of its row */
/* roundings: differences below that many of their terms are 0 */
static const double rounding = 16;
/* 1: an equation of which less is left depends on others, perhaps */
static const double left_over = 1e-6;

typedef struct {
  int n;
  double *a;                      /* n by n, row by row; changed */
  bool *plain_row, *plain_column; /* no derivative, and not taken out yet */
  bool *row_gone, *column_gone;
  double *reach; /* n: the largest entry that a row now is made from */
  int *count;    /* n: entries of a column in rows that are left */
  VEC(JumpCutTerm) down, up;
  Arena *arena;
} Work;

static double *row_of(const Work *w, int i) { return w->a + (size_t)i * (size_t)w->n; }

/* The column to be determined by row i, which has at most `most` entries; -1: none. */
static int find_pivot(const Work *w, int i, int most) {
  const double *row = row_of(w, i);
  double largest = 0;
  int entries = 0, best = -1;
  for (int j = 0; j < w->n; j++)
    entries += row[j] != 0, largest = fmax(largest, fabs(row[j]));
  for (int j = 0; entries <= most && j < w->n; j++)
    if (w->plain_column[j] && row[j] != 0 && fabs(row[j]) >= stands_out * largest &&
        (best < 0 || w->count[j] < w->count[best]))
      best = j;
  return best;
}

/* Row t less factor times row i. False: next to nothing is left. */
static bool subtract(Work *w, int t, int i, double factor) {
  double *to = row_of(w, t), largest = 0;
  const double *from = row_of(w, i);
  for (int j = 0; j < w->n; j++) {
    if (from[j] != 0) {
      double term = factor * from[j], sum = to[j] - term;
      bool gone = fabs(sum) <= rounding * DBL_EPSILON * (fabs(to[j]) + fabs(term));
      w->count[j] += (!gone) - (to[j] != 0);
      to[j] = gone ? 0 : sum;
    }
    largest = fmax(largest, fabs(to[j]));
  }
  w->reach[t] = fmax(w->reach[t], fabs(factor) * w->reach[i]);
  return largest > left_over * w->reach[t] || (largest == 0 && !w->plain_row[t]);
}

/* Unknown c is determined by row i. False: see subtract. */
static bool cut(Work *w, JumpCut *out, int i, int c) {
  double *row = row_of(w, i), pivot = row[c];
  out->row[out->cuts] = i, out->column[out->cuts] = c, out->pivot[out->cuts] = pivot;
  for (int t = 0; t < w->n; t++) {
    double *other = row_of(w, t);
    if (t == i || w->row_gone[t] || other[c] == 0)
      continue;
    double factor = other[c] / pivot;
    vec_push(w->arena, &w->down, ((JumpCutTerm){t, factor}));
    w->count[c]--;
    other[c] = 0, row[c] = 0;
    bool well = subtract(w, t, i, factor);
    row[c] = pivot;
    if (!well)
      return false;
  }
  for (int j = 0; j < w->n; j++)
    if (row[j] != 0) {
      w->count[j]--;
      if (j != c)
        vec_push(w->arena, &w->up, ((JumpCutTerm){j, row[j] / pivot}));
    }
  w->row_gone[i] = w->column_gone[c] = true;
  w->plain_row[i] = w->plain_column[c] = false;
  out->cuts++;
  out->down_end[out->cuts - 1] = (int)w->down.n, out->up_end[out->cuts - 1] = (int)w->up.n;
  return true;
}

static void begin(Work *w, const double *e, const double *a) {
  size_t n = (size_t)w->n;
  memcpy(w->a, a, n * n * sizeof *a);
  for (size_t i = 0; i < n; i++)
    w->plain_row[i] = w->plain_column[i] = true;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      if (e[i * n + j] != 0)
        w->plain_row[i] = w->plain_column[j] = false;
      w->count[j] += a[i * n + j] != 0;
      w->reach[i] = fmax(w->reach[i], fabs(a[i * n + j]));
    }
}

/* What is left. */
static void gather(const Work *w, const double *e, JumpCut *out) {
  int rows = 0, columns = 0;
  for (int i = 0; i < w->n; i++) {
    if (!w->row_gone[i])
      out->rows[rows++] = i;
    if (!w->column_gone[i])
      out->columns[columns++] = i;
  }
  out->rest = rows;
  size_t n = (size_t)w->n, rest = (size_t)rows;
  out->e = NEW_ARRAY(w->arena, double, rest *rest + 1),
  out->a = NEW_ARRAY(w->arena, double, rest *rest + 1);
  for (size_t i = 0; i < rest; i++)
    for (size_t j = 0; j < rest; j++) {
      size_t from = (size_t)out->rows[i] * n + (size_t)out->columns[j];
      out->e[i * rest + j] = e[from], out->a[i * rest + j] = w->a[from];
    }
  out->down = w->down.at, out->up = w->up.at;
}

JumpCut *jump_cut(Arena *arena, int n, const double *e, const double *a) {
  JumpCut *out = NEW(arena, JumpCut);
  Work w = {.n = n, .arena = arena, .a = NEW_ARRAY(arena, double, (size_t)n *(size_t)n + 1)};
  bool *marks = NEW_ARRAY(arena, bool, 4 * (size_t)n + 1);
  w.plain_row = marks, w.plain_column = marks + n, w.row_gone = marks + 2 * n,
  w.column_gone = marks + 3 * n;
  w.reach = NEW_ARRAY(arena, double, n + 1), w.count = NEW_ARRAY(arena, int, n + 1);
  int *lists = NEW_ARRAY(arena, int, 6 * (size_t)n + 1);
  out->n = n, out->row = lists, out->column = lists + n, out->down_end = lists + 2 * n,
  out->up_end = lists + 3 * n;
  out->rows = lists + 4 * n, out->columns = lists + 5 * n;
  out->pivot = NEW_ARRAY(arena, double, n + 1);
  begin(&w, e, a);
  /* short rows first: they fill others least */
  for (int most = 2; most < 2 * n + 2; most *= 2)
    for (int before = -1; before < out->cuts;) {
      before = out->cuts;
      for (int i = 0; i < n; i++) {
        int c = w.plain_row[i] ? find_pivot(&w, i, most) : -1;
        if (c >= 0 && !cut(&w, out, i, c))
          return NULL;
      }
    }
  if (!out->cuts)
    return NULL;
  gather(&w, e, out);
  return out;
}

void jump_cut_down(const JumpCut *c, double *b) {
  for (int p = 0, k = 0; p < c->cuts; p++)
    for (; k < c->down_end[p]; k++)
      b[c->down[k].at] -= c->down[k].factor * b[c->row[p]];
}

void jump_cut_up(const JumpCut *c, const double *b, double *x) {
  for (int p = c->cuts; p-- > 0;) {
    double sum = b ? b[c->row[p]] / c->pivot[p] : 0;
    for (int k = p ? c->up_end[p - 1] : 0; k < c->up_end[p]; k++)
      sum += c->up[k].factor * x[c->up[k].at];
    x[c->column[p]] = -sum;
  }
}

/* ---- the jump of the whole ---- */

typedef struct {
  const JumpCut *c;
  const Jump *rest;
  Jump *out;
  double *b; /* n */
} Whole;

/* A column (n) from that of the rest; b: NULL, or the part of it in the equations that were cut. */
static void fill_column(const Whole *w, const double *rest, const double *b, double *column) {
  for (int k = 0; k < w->c->rest; k++)
    column[w->c->columns[k]] = rest[k];
  jump_cut_up(w->c, b, column);
}

/* Columns for unknowns before the jump. */
static void fill_from_x(const Whole *w, const double *rest, double *out) {
  size_t n = (size_t)w->c->n, r = (size_t)w->c->rest;
  for (size_t j = 0; j < r; j++)
    fill_column(w, rest + j * r, NULL, out + (size_t)w->c->columns[j] * n);
}

/* Column i of b in equations as they are cut: what enters, and the columns of s and rate_b. cells:
 * rest. */
static void fill_from_b(const Whole *w, int i, double *cells) {
  const JumpCut *c = w->c;
  size_t n = (size_t)c->n, r = (size_t)c->rest;
  memset(w->b, 0, n * sizeof *w->b);
  w->b[i] = 1;
  jump_cut_down(c, w->b);
  w->out->enters[i] = -1;
  for (size_t k = 0; k < r; k++)
    if (w->b[c->rows[k]] != 0 && w->rest->enters[k] > w->out->enters[i])
      w->out->enters[i] = w->rest->enters[k];
  for (int p = 0; p < c->cuts; p++)
    if (w->b[c->row[p]] != 0 && w->out->enters[i] < 0)
      w->out->enters[i] = 0;
  for (int order = -1; order < w->rest->orders; order++) {
    const double *from = order < 0 ? w->rest->rate_b : w->rest->s + (size_t)order * r * r;
    double *to = order < 0 ? w->out->rate_b : w->out->s + (size_t)order * n * n;
    memset(cells, 0, r * sizeof *cells);
    for (size_t k = 0; k < r; k++) {
      double factor = w->b[c->rows[k]];
      for (size_t q = 0; factor != 0 && q < r; q++)
        cells[q] += factor * from[k * r + q];
    }
    fill_column(w, cells, order == 0 ? w->b : NULL, to + (size_t)i * n);
  }
}

/* What of the form is the same for the whole. */
static Descriptor *whole_form(Arena *arena, const JumpCut *c, const Descriptor *rest) {
  Descriptor *d = NEW(arena, Descriptor);
  d->end = DESCRIPTOR_OK, d->m = d->n = c->n, d->dynamic = rest->dynamic;
  d->index = rest->index > 0 ? rest->index : 1;
  d->doubt = rest->doubt;
  d->doubt.unknown = rest->doubt.unknown >= 0 ? c->columns[rest->doubt.unknown] : -1;
  d->differential = NEW_ARRAY(arena, bool, c->n + 1);
  d->column = NEW_ARRAY(arena, double, c->n + 1);
  for (int i = 0; i < c->n; i++)
    d->column[i] = 1;
  for (int k = 0; k < c->rest; k++)
    d->differential[c->columns[k]] = rest->differential[k],
    d->column[c->columns[k]] = rest->column[k];
  return d;
}

static Jump *expand(Arena *arena, const JumpCut *c, const Jump *rest) {
  size_t n = (size_t)c->n, r = (size_t)c->rest, square = n * n;
  Jump *out = NEW(arena, Jump);
  *out = (Jump){.form = whole_form(arena, c, rest->form),
                .n = c->n,
                .orders = rest->orders,
                .pulses = rest->pulses,
                .used = rest->used};
  out->use = NEW_ARRAY(arena, int, n + 1), out->enters = NEW_ARRAY(arena, int, n + 1);
  for (int k = 0; k < rest->used; k++)
    out->use[k] = c->columns[rest->use[k]];
  out->p = NEW_ARRAY(arena, double, square), out->rate = NEW_ARRAY(arena, double, square),
  out->rate_b = NEW_ARRAY(arena, double, square);
  out->s = NEW_ARRAY(arena, double, (size_t)out->orders *square),
  out->g = NEW_ARRAY(arena, double, (size_t)out->pulses *square + 1);
  Whole w = {c, rest, out, NEW_ARRAY(arena, double, n)};
  double *cells = NEW_ARRAY(arena, double, r + 1);
  fill_from_x(&w, rest->p, out->p);
  fill_from_x(&w, rest->rate, out->rate);
  for (int k = 0; k < out->pulses; k++)
    fill_from_x(&w, rest->g + (size_t)k * r * r, out->g + (size_t)k * square);
  for (int i = 0; i < c->n; i++)
    fill_from_b(&w, i, cells);
  return out;
}

Jump *jump_prepare_large(Arena *arena, int n, const double *e, const double *a) {
  Arena *scratch = arena_new(arena_memory(arena));
  const JumpCut *c = jump_cut(scratch, n, e, a);
  const Jump *rest = c ? jump_prepare(scratch, c->rest, c->rest, c->e, c->a, NULL) : NULL;
  bool plain = rest && rest->form->end == DESCRIPTOR_OK && !rest->form->doubtful;
  Jump *out = plain ? expand(arena, c, rest) : jump_prepare(arena, n, n, e, a, NULL);
  arena_free(scratch);
  return out;
}
