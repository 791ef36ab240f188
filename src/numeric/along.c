/* numeric/along.c -- forward accumulation in one direction (Griewank and Walther, Evaluating
 * Derivatives, chapter 3).
 * How:  the derivative of an assigned unknown is the sum of its entries times those of what it
 *       reads. In a block with iterated unknowns z and residuals r,
 *         dr/dz z' = -(r' with z held),
 *       where column j of dr/dz is r' with z'[j] = 1 and everything else held.
 * Keep: sizes are those of the same formulas with absolute values. */
#include "numeric/along.h"

#include <math.h>
#include <string.h>

#include "numeric/numeric.h"

/* First node and row of a step. */
typedef struct {
  int step, node, row;
} Place;

static Place place_of(const TangentTable *t, int step) {
  Place at = {0, t->nx + 1, 0};
  for (; at.step < step; at.step++)
    at.node += t->steps[3 * at.step], at.row += t->steps[3 * at.step];
  return at;
}

size_t along_work(const TangentTable *t, int first, int end) {
  size_t most = 0;
  for (int s = first; s < end; s++)
    most = (size_t)t->steps[3 * s + 1] > most ? (size_t)t->steps[3 * s + 1] : most;
  return most * most + 4 * most + 1; /* matrix, right side, sizes, rows; pivots */
}

static Along row_along(const TangentTable *t, int row, const double *p, const Along *of) {
  Along sum = {0};
  for (int q = t->start[row]; q < t->start[row + 1]; q++) {
    const Along *a = &of[t->nodes[q]];
    if (p[q] == 0)
      continue;
    sum.d += p[q] * a->d;
    sum.size += fabs(p[q]) * a->size;
  }
  return sum;
}

/* One row with only the nodes of the block moving. */
static double row_inside(const TangentTable *t, int row, const double *p, const Along *of, int lo,
                         int hi) {
  double sum = 0;
  for (int q = t->start[row]; q < t->start[row + 1]; q++)
    if (t->nodes[q] >= lo && t->nodes[q] < hi)
      sum += p[q] * of[t->nodes[q]].d;
  return sum;
}

/* dr/dz, row by row. */
static void find_matrix(const TangentTable *t, const Place *at, const double *p, Along *of,
                        double *matrix) {
  int n = t->steps[3 * at->step], m = t->steps[3 * at->step + 1], lo = at->node, hi = lo + n;
  for (int j = 0; j < m; j++) {
    for (int k = 0; k < n; k++)
      of[lo + k] = (Along){k == j, 0};
    for (int k = m; k < n; k++)
      of[lo + k].d = row_inside(t, at->row + k - m, p, of, lo, hi);
    for (int i = 0; i < m; i++)
      matrix[i * m + j] = row_inside(t, at->row + n - m + i, p, of, lo, hi);
  }
}

static void assign(const TangentTable *t, const Place *at, const double *p, Along *of) {
  int n = t->steps[3 * at->step], m = t->steps[3 * at->step + 1];
  for (int k = m; k < n; k++)
    of[at->node + k] = row_along(t, at->row + k - m, p, of);
}

/* z', with the sizes |inverse of dr/dz| * (sizes of r'). */
static bool solve(int m, double *matrix, double *right, const double *sizes, double *rows,
                  int *pivot, Along *z) {
  int where;
  if (!lu_factor(matrix, pivot, rows, m, &where))
    return false;
  lu_solve(matrix, pivot, m, right);
  for (int j = 0; j < m; j++)
    z[j] = (Along){right[j], 0};
  for (int i = 0; i < m; i++) {
    memset(right, 0, (size_t)m * sizeof *right);
    right[i] = sizes[i];
    lu_solve(matrix, pivot, m, right);
    for (int j = 0; j < m; j++)
      z[j].size += fabs(right[j]);
  }
  return true;
}

static void block_along(const TangentTable *t, const Place *at, const double *p, Along *of,
                        double *work) {
  int n = t->steps[3 * at->step], m = t->steps[3 * at->step + 1];
  size_t size = (size_t)m;
  double *matrix = work, *right = matrix + size * size, *sizes = right + size, *rows = sizes + size;
  int *pivot = (int *)(void *)(rows + size);
  find_matrix(t, at, p, of, matrix);
  for (int k = 0; k < n; k++)
    of[at->node + k] = (Along){0};
  assign(t, at, p, of);
  for (int i = 0; i < m; i++) {
    Along r = row_along(t, at->row + n - m + i, p, of);
    right[i] = -r.d, sizes[i] = r.size;
  }
  if (solve(m, matrix, right, sizes, rows, pivot, &of[at->node])) {
    assign(t, at, p, of);
    return;
  }
  for (int k = 0; k < n; k++)
    of[at->node + k] = (Along){NAN, NAN};
}

void along_steps(const TangentTable *t, int first, int end, const double *p, Along *of,
                 double *work) {
  Place at = place_of(t, first);
  for (; at.step < end; at.step++) {
    int n = t->steps[3 * at.step];
    if (t->steps[3 * at.step + 1])
      block_along(t, &at, p, of, work);
    else
      of[at.node] = row_along(t, at.row, p, of);
    at.node += n, at.row += n;
  }
}
