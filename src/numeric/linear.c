/* numeric/linear.c -- small dense linear systems.
 * Pivots are compared relative to the largest entry of their row in the given matrix, so that rows in different units do not decide. */
#include "numeric/numeric.h"

#include <float.h>
#include <math.h>

bool lu_factor(double *a, int *pivot, double *rows, int n, int *where) {
  for (int i = 0; i < n; i++) {
    rows[i] = 0;
    for (int j = 0; j < n; j++)
      rows[i] = fmax(rows[i], fabs(a[(size_t)i * (size_t)n + (size_t)j]));
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    double most = -1;
    for (int i = k; i < n; i++) {
      double size = fabs(a[(size_t)i * (size_t)n + (size_t)k]) / rows[i];
      if (size > most)
        best = i, most = size;
    }
    if (!(most > n * DBL_EPSILON) || !isfinite(most)) {
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
