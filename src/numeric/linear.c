/* numeric/linear.c -- small dense linear systems.
 * Pivots are compared relative to the largest entry of their row, so that rows in different units do not decide. */
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>

bool lu_factor(double *a, int *pivot, int n, int *where) {
  for (int k = 0; k < n; k++) {
    int best = k;
    double best_size = -1, largest = 0;
    for (int i = k; i < n; i++) {
      double row = 0;
      for (int j = k; j < n; j++)
        row = fmax(row, fabs(a[(size_t)i * (size_t)n + (size_t)j]));
      double size = row > 0 ? fabs(a[(size_t)i * (size_t)n + (size_t)k]) / row : 0;
      largest = fmax(largest, row);
      if (size > best_size)
        best = i, best_size = size;
    }
    if (!(best_size > n * DBL_EPSILON) || !isfinite(largest)) {
      *where = k;
      return false;
    }
    pivot[k] = best;
    double *rk = a + (size_t)k * (size_t)n, *rb = a + (size_t)best * (size_t)n;
    for (int j = 0; j < n && best != k; j++) {
      double t = rk[j];
      rk[j] = rb[j], rb[j] = t;
    }
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
