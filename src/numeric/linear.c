/* numeric/linear.c -- small dense linear systems.
 * Pivots are compared relative to the largest entry of their row in the given matrix, so that rows
 * in different units do not decide. Of the rows whose pivots are large enough, the one with the
 * fewest entries is taken: an unknown that one equation alone determines gets no roundings of the
 * others, and an ideal switch without current has exactly none. */
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>

/* A pivot this large, in units of the largest one, is as good. */
static const double good = 0.1;

/* Entries of a row behind its pivot. */
static int entries(const double *row, int k, int n) {
  int count = 0;
  for (int j = k + 1; j < n; j++)
    count += row[j] != 0;
  return count;
}

/* The row to be the k-th one; -1: no pivot is large enough. */
static int choose(const double *a, const double *rows, int k, int n) {
  int best = -1, fewest = n;
  double most = 0;
  for (int i = k; i < n; i++)
    most = fmax(most, fabs(a[(size_t)i * (size_t)n + (size_t)k]) / rows[i]);
  if (!(most > n * DBL_EPSILON) || !isfinite(most))
    return -1;
  double best_size = 0;
  for (int i = k; i < n; i++) {
    const double *row = a + (size_t)i * (size_t)n;
    double size = fabs(row[k]) / rows[i];
    if (!(size >= good * most))
      continue;
    int count = entries(row, k, n);
    if (count < fewest || (count == fewest && size > best_size))
      best = i, fewest = count, best_size = size;
  }
  return best;
}

bool lu_factor(double *a, int *pivot, double *rows, int n, int *where) {
  for (int i = 0; i < n; i++) {
    rows[i] = 0;
    for (int j = 0; j < n; j++)
      rows[i] = fmax(rows[i], fabs(a[(size_t)i * (size_t)n + (size_t)j]));
  }
  for (int k = 0; k < n; k++) {
    int best = choose(a, rows, k, n);
    if (best < 0) {
      *where = k;
      return false;
    }
    pivot[k] = best;
    double *rk = a + (size_t)k * (size_t)n, *rb = a + (size_t)best * (size_t)n;
    for (int j = 0; j < n && best != k; j++) {
      double t = rk[j];
      rk[j] = rb[j], rb[j] = t;
    }
    rows[best] = rows[k];
    for (int i = k + 1; i < n; i++) {
      double *ri = a + (size_t)i * (size_t)n;
      double m = ri[k] /= rk[k];
      for (int j = k + 1; j < n && m != 0; j++)
        ri[j] -= m * rk[j];
    }
  }
  return true;
}

void lu_solve(const double *a, const int *pivot, int n, double *b) {
  for (int k = 0; k < n; k++) {
    double t = b[pivot[k]];
    b[pivot[k]] = b[k], b[k] = t;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i] -= a[(size_t)i * (size_t)n + (size_t)j] * b[j];
  for (int i = n; i-- > 0;) {
    for (int j = i + 1; j < n; j++)
      b[i] -= a[(size_t)i * (size_t)n + (size_t)j] * b[j];
    b[i] /= a[(size_t)i * (size_t)n + (size_t)i];
  }
}
