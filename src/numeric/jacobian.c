/* numeric/jacobian.c -- patterns, colouring of columns, differences.
 * Keep: the colouring only depends on the pattern; ties are broken by column number. */
#include "numeric/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "numeric/numeric.h"

/* ---- patterns ---- */

int pattern_count(const Pattern *p) { return p->start[p->n]; }

Pattern pattern_full(int n, Arena *a) {
  int *start = NEW_ARRAY(a, int, n + 1), *rows = NEW_ARRAY(a, int, (size_t)n *(size_t)n + 1);
  for (int j = 0; j <= n; j++)
    start[j] = j * n;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      rows[j * n + i] = i;
  return (Pattern){n, start, rows};
}

bool pattern_copy(int n, const int *start, const int *rows, Arena *a, Pattern *out) {
  if (start[0] != 0)
    return false;
  for (int j = 0; j < n; j++) {
    if (start[j + 1] < start[j])
      return false;
    for (int q = start[j]; q < start[j + 1]; q++)
      if (rows[q] < 0 || rows[q] >= n || (q > start[j] && rows[q] <= rows[q - 1]))
        return false;
  }
  int *to_start = NEW_ARRAY(a, int, n + 1), *to = NEW_ARRAY(a, int, start[n] + n + 1), count = 0;
  for (int j = 0; j < n; j++) {
    bool diagonal = false;
    for (int q = start[j]; q < start[j + 1]; q++) {
      if (!diagonal && rows[q] > j)
        to[count++] = j;
      diagonal = diagonal || rows[q] >= j;
      to[count++] = rows[q];
    }
    if (!diagonal)
      to[count++] = j;
    to_start[j + 1] = count;
  }
  *out = (Pattern){n, to_start, to};
  return true;
}

/* ---- colours ---- */

/* The columns of each row, from the rows of each column. */
static void transpose(const Pattern *p, int *start, int *columns) {
  int n = p->n;
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (int q = 0; q < pattern_count(p); q++)
    start[p->rows[q] + 1]++;
  for (int i = 0; i < n; i++)
    start[i + 1] += start[i];
  for (int j = 0; j < n; j++)
    for (int q = p->start[j]; q < p->start[j + 1]; q++)
      columns[start[p->rows[q]]++] = j;
  for (int i = n; i > 0; i--)
    start[i] = start[i - 1];
  start[0] = 0;
}

/* Columns by number of entries, most first. */
static void order_columns(const Pattern *p, int *order, int *count) {
  int n = p->n;
  memset(count, 0, ((size_t)n + 2) * sizeof *count);
  for (int j = 0; j < n; j++)
    count[n - (p->start[j + 1] - p->start[j]) + 1]++;
  for (int k = 0; k <= n; k++)
    count[k + 1] += count[k];
  for (int j = 0; j < n; j++)
    order[count[n - (p->start[j + 1] - p->start[j])]++] = j;
}

static int color_columns(const Pattern *p, int *color, Arena *a) {
  int n = p->n, n_colors = 0;
  int *start = NEW_ARRAY(a, int, n + 1), *columns = NEW_ARRAY(a, int, pattern_count(p) + 1);
  int *order = NEW_ARRAY(a, int, n + 1), *taken = NEW_ARRAY(a, int, n + 2);
  transpose(p, start, columns);
  order_columns(p, order, taken);
  for (int j = 0; j < n; j++)
    color[j] = -1, taken[j] = -1;
  for (int k = 0; k < n; k++) {
    int j = order[k], c = 0;
    /* colours of all columns that meet this one in some row */
    for (int q = p->start[j]; q < p->start[j + 1]; q++)
      for (int r = start[p->rows[q]]; r < start[p->rows[q] + 1]; r++)
        if (color[columns[r]] >= 0)
          taken[color[columns[r]]] = j;
    while (taken[c] == j)
      c++;
    color[j] = c;
    n_colors = c >= n_colors ? c + 1 : n_colors;
  }
  return n_colors;
}

void jacobian_init(Jacobian *j, const Pattern *p, Arena *a) {
  int n = p->n, *color = NEW_ARRAY(a, int, n + 1), count = 0;
  *j = (Jacobian){.p = *p};
  bool full = pattern_count(p) == n * n;
  for (int k = 0; k < n && full; k++)
    color[k] = k;
  j->n_colors = full ? n : color_columns(p, color, a);
  j->first = NEW_ARRAY(a, int, j->n_colors + 1);
  j->columns = NEW_ARRAY(a, int, n + 1);
  for (int k = 0; k < n; k++)
    j->first[color[k] + 1]++;
  for (int c = 0; c < j->n_colors; c++)
    j->first[c + 1] += j->first[c];
  int *next = NEW_ARRAY(a, int, j->n_colors + 1);
  memcpy(next, j->first, (size_t)j->n_colors * sizeof *next);
  for (int k = 0; k < n; k++, count++)
    j->columns[next[color[k]]++] = k;
  j->values = NEW_ARRAY(a, double, pattern_count(p) + 1);
  j->moved = NEW_ARRAY(a, double, n + 1);
  j->f = NEW_ARRAY(a, double, n + 1);
  j->step = NEW_ARRAY(a, double, n + 1);
}

/* ---- differences ---- */

static void choose_steps(Jacobian *j, const JacobianPoint *at) {
  /* noise has nothing to do with how small a state just is */
  static const double usual = 1e3; /* small values: the size that a state usually has */
  double length = sqrt(fmax(at->noise, DBL_EPSILON)), times = at->noise > DBL_EPSILON ? usual : 1;
  for (int k = 0; k < j->p.n; k++) {
    double size = fmax(fabs(at->x[k]), fabs(at->h * at->dx[k]));
    size = fmax(size, times * (at->small ? at->small[k] : 1e-3));
    double step = length * size, there = at->x[k] + (at->dx[k] < 0 ? -step : step);
    j->step[k] = there - at->x[k]; /* as it is represented */
  }
}

static int evaluate_moved(Jacobian *j, const JacobianPoint *at, int c, double side,
                          uint64_t *evaluations) {
  memcpy(j->moved, at->x, (size_t)j->p.n * sizeof *j->moved);
  for (int q = j->first[c]; q < j->first[c + 1]; q++)
    j->moved[j->columns[q]] = at->x[j->columns[q]] + side * j->step[j->columns[q]];
  ++*evaluations;
  int status = at->f(at->user, at->t, j->moved, j->f);
  for (int q = j->first[c]; q < j->first[c + 1] && status == NUM_OK; q++)
    for (int r = j->p.start[j->columns[q]]; r < j->p.start[j->columns[q] + 1]; r++)
      if (!isfinite(j->f[j->p.rows[r]]))
        status = NUM_RETRY;
  return status;
}

int jacobian_difference(Jacobian *j, const JacobianPoint *at, uint64_t *evaluations) {
  choose_steps(j, at);
  for (int c = 0; c < j->n_colors; c++) {
    double side = 1;
    int status = evaluate_moved(j, at, c, side, evaluations);
    if (status == NUM_RETRY)
      status = evaluate_moved(j, at, c, side = -1, evaluations);
    if (status != NUM_OK)
      return status;
    for (int q = j->first[c]; q < j->first[c + 1]; q++) {
      int k = j->columns[q];
      for (int r = j->p.start[k]; r < j->p.start[k + 1]; r++)
        j->values[r] = (j->f[j->p.rows[r]] - at->dx[j->p.rows[r]]) / (side * j->step[k]);
    }
  }
  return NUM_OK;
}

double jacobian_norm(const Jacobian *j, const double *weight) {
  int n = j->p.n;
  double norm = 0;
  memset(j->moved, 0, (size_t)n * sizeof *j->moved);
  for (int k = 0; k < n; k++)
    for (int q = j->p.start[k]; q < j->p.start[k + 1]; q++)
      j->moved[j->p.rows[q]] += fabs(j->values[q]) * weight[k] / weight[j->p.rows[q]];
  for (int i = 0; i < n; i++)
    norm = fmax(norm, j->moved[i]);
  return norm;
}
