/* numeric/lsq.c -- a square linear system that may be singular: the smallest solution among those with the least residual.
 * How:  Householder QR with column pivoting, then the part of R beyond the rank is folded into its front by reflections from the
 *       right (complete orthogonal decomposition: Golub and Van Loan, Matrix Computations, section 5.4).
 * Rows are scaled to their largest entry, columns by the weights of the unknowns, so that units do not decide what is small. */
#include "numeric/numeric.h"

#include <math.h>

static const double rank_tolerance = 1e-11; /* 1: a column smaller than this part of the largest depends on the others */

typedef struct {
  int n;
  double *a, *norm, *fold;
  int *column;
} Lsq;

size_t lsq_work(int n) { return 3 * (size_t)n; }

static double *row_at(const Lsq *q, int i) { return q->a + (size_t)i * (size_t)q->n; }

/* The reflection that turns x = (alpha, rest) into (beta, 0): tau, and rest is scaled; returns beta. Strides in cells. */
static double reflector(double *alpha, double *rest, size_t stride, int n, double *tau) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += rest[(size_t)k * stride] * rest[(size_t)k * stride];
  *tau = 0;
  if (sum == 0)
    return *alpha;
  double beta = -copysign(sqrt(*alpha * *alpha + sum), *alpha);
  *tau = (beta - *alpha) / beta;
  for (int k = 0; k < n; k++)
    rest[(size_t)k * stride] /= *alpha - beta;
  *alpha = beta;
  return beta;
}

static void swap_columns(Lsq *q, int j, int k) {
  if (j == k)
    return;
  for (int i = 0; i < q->n; i++) {
    double *r = row_at(q, i), t = r[j];
    r[j] = r[k], r[k] = t;
  }
  double t = q->norm[j];
  q->norm[j] = q->norm[k], q->norm[k] = t;
  int c = q->column[j];
  q->column[j] = q->column[k], q->column[k] = c;
}

/* Largest remaining column from row k on. */
static int largest_column(Lsq *q, int k) {
  int best = k;
  for (int j = k; j < q->n; j++) {
    q->norm[j] = 0;
    for (int i = k; i < q->n; i++)
      q->norm[j] += row_at(q, i)[j] * row_at(q, i)[j];
    if (q->norm[j] > q->norm[best])
      best = j;
  }
  return best;
}

/* QR with column pivoting; b becomes Q'b. Returns the rank. */
static int factor(Lsq *q, double *b) {
  int n = q->n;
  double first = 0;
  for (int k = 0; k < n; k++) {
    swap_columns(q, k, largest_column(q, k));
    double size = sqrt(q->norm[k]);
    first = k ? first : size;
    if (!(size > rank_tolerance * first))
      return k;
    double tau, *pivot = row_at(q, k) + k;
    reflector(pivot, pivot + n, (size_t)n, n - k - 1, &tau);
    for (int j = k + 1; j <= n; j++) { /* column n: b */
      double sum = j < n ? row_at(q, k)[j] : b[k];
      for (int i = k + 1; i < n; i++)
        sum += row_at(q, i)[k] * (j < n ? row_at(q, i)[j] : b[i]);
      sum *= tau;
      for (int i = k; i < n; i++)
        *(j < n ? &row_at(q, i)[j] : &b[i]) -= sum * (i == k ? 1 : row_at(q, i)[k]);
    }
  }
  return n;
}

/* [R11 R12] = [T 0] Z, from the last row up. */
static void fold_rank(Lsq *q, int rank) {
  int n = q->n, rest = n - rank;
  for (int k = rank; k-- > 0;) {
    double *r = row_at(q, k);
    reflector(&r[k], &r[rank], 1, rest, &q->fold[k]);
    for (int i = 0; i < k; i++) {
      double *above = row_at(q, i), sum = above[k];
      for (int j = 0; j < rest; j++)
        sum += above[rank + j] * r[rank + j];
      sum *= q->fold[k];
      above[k] -= sum;
      for (int j = 0; j < rest; j++)
        above[rank + j] -= sum * r[rank + j];
    }
  }
}

static void unfold(const Lsq *q, int rank, double *y) {
  int rest = q->n - rank;
  for (int k = 0; k < rank; k++) {
    const double *r = row_at(q, k);
    double sum = y[k];
    for (int j = 0; j < rest; j++)
      sum += y[rank + j] * r[rank + j];
    sum *= q->fold[k];
    y[k] -= sum;
    for (int j = 0; j < rest; j++)
      y[rank + j] -= sum * r[rank + j];
  }
}

static void scale(double *a, double *b, const double *weight, int n) {
  for (int i = 0; i < n; i++) {
    double *r = a + (size_t)i * (size_t)n, most = 0;
    for (int j = 0; j < n; j++)
      r[j] *= weight[j], most = fmax(most, fabs(r[j]));
    for (int j = 0; j < n && most > 0; j++)
      r[j] /= most;
    b[i] = most > 0 ? b[i] / most : b[i];
  }
}

int lsq_solve(double *a, double *b, const double *weight, int n, double *work, int *column, double *residual) {
  Lsq q = {n, a, work, work + n, column};
  double *y = work + 2 * n;
  for (int k = 0; k < n; k++)
    column[k] = k;
  scale(a, b, weight, n);
  int rank = factor(&q, b);
  *residual = 0;
  for (int k = rank; k < n; k++)
    *residual = fmax(*residual, fabs(b[k]));
  if (rank < n)
    fold_rank(&q, rank);
  for (int k = 0; k < n; k++)
    y[k] = k < rank ? b[k] : 0;
  for (int k = rank; k-- > 0;) {
    const double *r = row_at(&q, k);
    for (int j = k + 1; j < rank; j++)
      y[k] -= r[j] * y[j];
    y[k] /= r[k];
  }
  if (rank < n)
    unfold(&q, rank, y);
  for (int k = 0; k < n; k++)
    b[column[k]] = y[k] * weight[column[k]];
  return rank;
}
