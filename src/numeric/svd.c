/* numeric/svd.c -- singular value decomposition by one-sided Jacobi rotations.
 * How:  pairs of columns are rotated until all are orthogonal (Hestenes 1958), the longest
 *       remaining column first (de Rijk, SIAM J. Sci. Stat. Comput. 10(2), 1989). Columns that are
 *       orthogonal already, as many are in the sparse matrices of models, cost one product.
 * Keep: v is orthogonal to rounding whatever the number of sweeps. A column at the level of
 *       rounding is left as it is. */
#include "numeric/svd.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Four sums at a time: the compiler may not reorder a single one. */
static double product(const double *x, const double *y, int n) {
  double sum[4] = {0};
  int k = 0;
  for (; k + 4 <= n; k += 4)
    for (int l = 0; l < 4; l++)
      sum[l] += x[k + l] * y[k + l];
  for (; k < n; k++)
    sum[0] += x[k] * y[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void rotate(double *x, double *y, int n, double c, double s) {
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = c * t - s * y[k];
    y[k] = s * t + c * y[k];
  }
}

static void swap(double *x, double *y, int n) {
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = y[k], y[k] = t;
  }
}

typedef struct {
  double *a, *v, *square; /* square: of the lengths of the columns */
  int m, n;
} Columns;

static double *column(const Columns *c, int j) { return c->a + (size_t)j * (size_t)c->m; }
static double *vector(const Columns *c, int j) { return c->v + (size_t)j * (size_t)c->n; }

static void longest_first(Columns *c, int p) {
  int best = p;
  for (int j = p + 1; j < c->n; j++)
    if (c->square[j] > c->square[best])
      best = j;
  if (best == p)
    return;
  swap(column(c, p), column(c, best), c->m);
  swap(vector(c, p), vector(c, best), c->n);
  swap(&c->square[p], &c->square[best], 1);
}

/* Makes columns p and q orthogonal; true if they were not. */
static bool orthogonal_pair(Columns *c, int p, int q, double least) {
  double *x = column(c, p), *y = column(c, q), *sx = &c->square[p], *sy = &c->square[q];
  if (*sx <= least || *sy <= least)
    return false;
  double xy = product(x, y, c->m);
  if (fabs(xy) <= c->m * DBL_EPSILON * sqrt(*sx) * sqrt(*sy))
    return false;
  double zeta = (*sy - *sx) / (2 * xy);
  double t = copysign(1 / (fabs(zeta) + sqrt(1 + zeta * zeta)), zeta);
  double cosine = 1 / sqrt(1 + t * t), sine = cosine * t;
  rotate(x, y, c->m, cosine, sine);
  rotate(vector(c, p), vector(c, q), c->n, cosine, sine);
  *sx = product(x, x, c->m), *sy = product(y, y, c->m);
  return true;
}

void svd_columns(double *a, int m, int n, double *v, double *sigma) {
  Columns c = {a, v, sigma, m, n};
  double largest = 0;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      vector(&c, j)[i] = i == j;
    sigma[j] = product(column(&c, j), column(&c, j), m);
    largest = fmax(largest, sigma[j]);
  }
  double least = largest * DBL_EPSILON * DBL_EPSILON;
  bool moved = true;
  for (int sweep = 0; moved && sweep < MOST_SVD_SWEEPS; sweep++) {
    moved = false;
    for (int p = 0; p < n; p++) {
      longest_first(&c, p);
      for (int q = p + 1; q < n; q++)
        moved |= orthogonal_pair(&c, p, q, least);
    }
  }
  for (int p = 0; p < n; p++)
    longest_first(&c, p);
  for (int j = 0; j < n; j++)
    sigma[j] = sqrt(sigma[j]);
}
