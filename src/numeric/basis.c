/* numeric/basis.c -- columns of a wide matrix that are good to solve for.
 * How:  Gauss-Jordan elimination with complete pivoting, columns of the given basis first, leaves
 *       basis^-1 * others. Wherever an entry of it is large, its row and column change places, as
 *       in the simplex method: each exchange multiplies the determinant of the basis by that entry,
 *       so that it ends (Gu and Eisenstat, SIAM J. Sci. Comput. 17(4), 1996, use the same rule to
 *       reveal ranks). */
#include "numeric/numeric.h"
#include "base/limits.h"

#include <math.h>

/* 1: a pivot of the given basis that is smaller than the best by this is not taken */
static const double poor = 1e-3;
static const double rank_zero = 1e-9; /* 1: pivots of a scaled matrix that mean no rank */

typedef struct {
  double *a;
  int m, n;
  int *column; /* 0: not a pivot column, else its row + 1 */
  int *row;    /* pivot column of the row, -1: none */
} Tableau;

static void scale(Tableau *t, const double *size) {
  for (int i = 0; i < t->m; i++) {
    double *row = t->a + (size_t)i * (size_t)t->n, largest = 0;
    for (int j = 0; j < t->n; j++) {
      row[j] *= size[j];
      largest = fmax(largest, fabs(row[j]));
    }
    for (int j = 0; j < t->n && largest > 0; j++)
      row[j] /= largest;
    t->row[i] = -1;
  }
  for (int j = 0; j < t->n; j++)
    t->column[j] = 0;
}

/* Row i gives column j; it disappears from the other rows. */
static void pivot(Tableau *t, int i, int j) {
  double *own = t->a + (size_t)i * (size_t)t->n, factor = 1 / own[j];
  for (int k = 0; k < t->n; k++)
    own[k] *= factor;
  for (int r = 0; r < t->m; r++) {
    double *row = t->a + (size_t)r * (size_t)t->n, f = row[j];
    for (int k = 0; r != i && f != 0 && k < t->n; k++)
      row[k] -= f * own[k];
    if (r != i)
      row[j] = 0;
  }
  own[j] = 1;
  t->row[i] = j;
  t->column[j] = i + 1;
}

/* Largest entry in rows without pivot and columns that are none; given: only of the basis. */
static double largest_open(const Tableau *t, const bool *in, bool given, int *i, int *j) {
  double best = 0;
  for (int r = 0; r < t->m; r++)
    for (int k = 0; k < t->n && t->row[r] < 0; k++) {
      double size = fabs(t->a[(size_t)r * (size_t)t->n + (size_t)k]);
      if (!t->column[k] && (!given || in[k]) && size > best)
        best = size, *i = r, *j = k;
    }
  return best;
}

/* Largest entry of a column that is no pivot. */
static double largest_factor(const Tableau *t, int *i, int *j) {
  double best = 0;
  for (int r = 0; r < t->m; r++)
    for (int k = 0; k < t->n; k++) {
      double size = fabs(t->a[(size_t)r * (size_t)t->n + (size_t)k]);
      if (!t->column[k] && size > best)
        best = size, *i = r, *j = k;
    }
  return best;
}

bool basis_improve(double *a, const double *size, int m, int n, double most, bool *in, int *column,
                   int *row) {
  Tableau t = {a, m, n, column, row};
  scale(&t, size);
  int i = 0, j = 0;
  for (int count = 0; count < m; count++) {
    int gi = 0, gj = 0;
    double best = largest_open(&t, in, false, &i, &j), given = largest_open(&t, in, true, &gi, &gj);
    if (!(best > rank_zero) || !isfinite(best))
      return false;
    if (given >= poor * best)
      i = gi, j = gj;
    pivot(&t, i, j);
  }
  for (int count = 0; count < MOST_EXCHANGES * n && largest_factor(&t, &i, &j) > most; count++) {
    t.column[t.row[i]] = 0;
    pivot(&t, i, j);
  }
  for (int k = 0; k < n; k++)
    in[k] = t.column[k] != 0;
  return true;
}
