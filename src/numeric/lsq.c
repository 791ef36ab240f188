/* numeric/lsq.c -- a square linear system that may be singular: the smallest solution among those
 * with the least residual.
 * How:  Householder QR with column pivoting, then the part of R beyond the rank is folded into its
 *       front by reflections from the right (complete orthogonal decomposition: Golub and Van Loan,
 *       Matrix Computations, section 5.4).
 * Rows are scaled to their largest entry, columns by the weights of the unknowns, so that units do
 * not decide what is small. */
#include "numeric/numeric.h"

#include <math.h>

/* 1: a column smaller than this part of the largest depends on the others */
static const double rank_tolerance = 1e-11;

size_t lsq_work(int n) { return 4 * (size_t)n; }

static double *row_at(const Lsq *q, int i) { return q->a + (size_t)i * (size_t)q->n; }

/* The reflection that turns x = (alpha, rest) into (beta, 0): tau, and rest is scaled; returns
 * beta. Strides in cells. */
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

static void swap_columns(Lsq *q, double *norm, int j, int k) {
  if (j == k)
    return;
  for (int i = 0; i < q->n; i++) {
    double *r = row_at(q, i), t = r[j];
    r[j] = r[k], r[k] = t;
  }
  double t = norm[j];
  norm[j] = norm[k], norm[k] = t;
  int c = q->column[j];
  q->column[j] = q->column[k], q->column[k] = c;
}

/* Largest remaining column from row k on. */
static int largest_column(const Lsq *q, double *norm, int k) {
  int best = k;
  for (int j = k; j < q->n; j++) {
    norm[j] = 0;
    for (int i = k; i < q->n; i++)
      norm[j] += row_at(q, i)[j] * row_at(q, i)[j];
    if (norm[j] > norm[best])
      best = j;
  }
  return best;
}

/* QR with column pivoting. Returns the rank. */
static int factor(Lsq *q, double *norm) {
  int n = q->n;
  double first = 0;
  for (int k = 0; k < n; k++) {
    swap_columns(q, norm, k, largest_column(q, norm, k));
    double size = sqrt(norm[k]);
    first = k ? first : size;
    if (!(size > rank_tolerance * first))
      return k;
    double *pivot = row_at(q, k) + k;
    reflector(pivot, pivot + n, (size_t)n, n - k - 1, &q->tau[k]);
    for (int j = k + 1; j < n; j++) {
      double sum = row_at(q, k)[j];
      for (int i = k + 1; i < n; i++)
        sum += row_at(q, i)[k] * row_at(q, i)[j];
      sum *= q->tau[k];
      row_at(q, k)[j] -= sum;
      for (int i = k + 1; i < n; i++)
        row_at(q, i)[j] -= sum * row_at(q, i)[k];
    }
  }
  return n;
}

/* b becomes Q'b. */
static void reflect(const Lsq *q, double *b) {
  for (int k = 0; k < q->rank; k++) {
    double sum = b[k];
    for (int i = k + 1; i < q->n; i++)
      sum += row_at(q, i)[k] * b[i];
    sum *= q->tau[k];
    b[k] -= sum;
    for (int i = k + 1; i < q->n; i++)
      b[i] -= sum * row_at(q, i)[k];
  }
}

/* [R11 R12] = [T 0] Z, from the last row up. */
static void fold_rank(Lsq *q) {
  int rank = q->rank, rest = q->n - rank;
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

static void unfold(const Lsq *q, double *y) {
  int rank = q->rank, rest = q->n - rank;
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

static void scale(Lsq *q) {
  for (int i = 0; i < q->n; i++) {
    double *r = row_at(q, i), most = 0;
    for (int j = 0; j < q->n; j++)
      r[j] *= q->weight[j], most = fmax(most, fabs(r[j]));
    for (int j = 0; j < q->n && most > 0; j++)
      r[j] /= most;
    q->rows[i] = most;
  }
}

void lsq_factor(Lsq *q, double *norm) {
  for (int k = 0; k < q->n; k++)
    q->column[k] = k;
  scale(q);
  q->rank = factor(q, norm);
  if (q->rank < q->n)
    fold_rank(q);
}

/* b becomes Q'b for the scaled rows. */
static void project(const Lsq *q, double *b) {
  for (int k = 0; k < q->n; k++)
    b[k] = q->rows[k] > 0 ? b[k] / q->rows[k] : b[k];
  reflect(q, b);
}

/* From there to the solution. */
static void substitute(const Lsq *q, double *b, double *y) {
  int n = q->n, rank = q->rank;
  for (int k = 0; k < n; k++)
    y[k] = k < rank ? b[k] : 0;
  for (int k = rank; k-- > 0;) {
    const double *r = row_at(q, k);
    for (int j = k + 1; j < rank; j++)
      y[k] -= r[j] * y[j];
    y[k] /= r[k];
  }
  if (rank < n)
    unfold(q, y);
  for (int k = 0; k < n; k++)
    b[q->column[k]] = y[k] * q->weight[q->column[k]];
}

double lsq_apply(const Lsq *q, double *b, double *y) {
  double residual = 0;
  project(q, b);
  for (int k = q->rank; k < q->n; k++)
    residual = fmax(residual, fabs(b[k]));
  substitute(q, b, y);
  return residual;
}

void lsq_invert(const Lsq *q, double *inverse, double *rest, double *work) {
  size_t n = (size_t)q->n, rank = (size_t)q->rank;
  double *b = work, *y = work + n;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++)
      b[i] = i == j;
    project(q, b);
    for (size_t i = rank; i < n; i++)
      rest[(i - rank) * n + j] = b[i];
    substitute(q, b, y);
    for (size_t i = 0; i < n; i++)
      inverse[i * n + j] = b[i];
  }
}

void lsq_null(const Lsq *q, int k, double *y) {
  for (int j = 0; j < q->n; j++)
    y[j] = j == k;
  if (q->rank)
    unfold(q, y);
}

void lsq_open(const Lsq *q, double *open, double *y) {
  for (int j = 0; j < q->n; j++)
    open[j] = 0;
  for (int k = q->rank; k < q->n; k++) {
    lsq_null(q, k, y);
    for (int j = 0; j < q->n; j++)
      open[q->column[j]] = hypot(open[q->column[j]], y[j]);
  }
}

int lsq_solve(double *a, double *b, const double *weight, int n, double *work, int *column,
              double *residual) {
  Lsq q = {.n = n,
           .a = a,
           .rows = work + n,
           .tau = work + 2 * n,
           .fold = work + 3 * n,
           .weight = weight,
           .column = column};
  lsq_factor(&q, work);
  *residual = lsq_apply(&q, b, work);
  return q.rank;
}
