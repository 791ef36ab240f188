/* numeric/lemke.c -- linear complementarity problems: z >= 0, w = q + M z >= 0, w'z = 0.
 * How:  Lemke, Management Science 11 (1965): a vector d z0 makes all w positive, then complementary
 *       exchanges drive z0 out. The lexicographic ratio test keeps degenerate problems from going
 *       in circles (Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, section 4.9).
 * Keep: the tableau is [w | z | z0 | q], w being the first basis, so that its first n columns are
 *       the inverse of the present one. Rows and columns are scaled by positive numbers, which
 *       changes no complementarity. */
#include "numeric/mixed.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
  int n, width;   /* columns: 2 n + 2 */
  double *t;      /* n by width */
  double *column; /* n: scale of z */
  double zero;    /* entries below count as 0 */
  int *basis;     /* n: the column that belongs to the row */
} Tableau;

size_t lemke_work(int n) { return (size_t)n * (2 * (size_t)n + 3); }

static double *row_of(const Tableau *q, int i) { return q->t + (size_t)i * (size_t)q->width; }

/* Numbers in (0, 1], the same ones each time. */
static double covering(int round, int k) {
  uint64_t h = (uint64_t)(round * 8191 + k + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
  return round ? 0x1p-53 * (double)((h >> 11) + 1) : 1;
}

static void fill(Tableau *q, const double *m, const double *b, int round) {
  int n = q->n;
  for (int j = 0; j < n; j++) {
    double most = 0;
    for (int i = 0; i < n; i++)
      most = fmax(most, fabs(m[(size_t)i * (size_t)n + (size_t)j]));
    q->column[j] = most > 0 ? 1 / most : 1;
  }
  for (int i = 0; i < n; i++) {
    double *r = row_of(q, i), most = 0;
    memset(r, 0, (size_t)q->width * sizeof *r);
    for (int j = 0; j < n; j++)
      r[n + j] = -m[(size_t)i * (size_t)n + (size_t)j] * q->column[j],
            most = fmax(most, fabs(r[n + j]));
    double scale = most > 0 ? 1 / most : 1;
    for (int j = 0; j < n; j++)
      r[n + j] *= scale;
    r[i] = 1;
    r[2 * n] = -covering(round, i);
    r[2 * n + 1] = b[i] * scale;
    q->basis[i] = i;
  }
  q->zero = 16 * n * DBL_EPSILON;
}

static void exchange(Tableau *q, int row, int column) {
  double *p = row_of(q, row), pivot = p[column];
  for (int j = 0; j < q->width; j++)
    p[j] /= pivot;
  p[column] = 1;
  for (int i = 0; i < q->n; i++) {
    double *r = row_of(q, i), f = r[column];
    if (i == row || f == 0)
      continue;
    for (int j = 0; j < q->width; j++)
      r[j] -= f * p[j];
    r[column] = 0;
  }
  q->basis[row] = column;
}

/* Is (q, inverse)/column of row i lexically less than that of row k? */
static bool is_less(const Tableau *q, int i, int k, int column) {
  const double *a = row_of(q, i), *b = row_of(q, k);
  double x = a[2 * q->n + 1] / a[column], y = b[2 * q->n + 1] / b[column];
  for (int j = 0; j < q->n && fabs(x - y) <= q->zero * fmax(fabs(x), fabs(y)); j++)
    x = a[j] / a[column], y = b[j] / b[column];
  return x < y;
}

/* The row that a growing variable drives to 0 first; -1: none. Where z0 is among those that reach
 * 0, it leaves. */
static int leaving_row(const Tableau *q, int column) {
  int best = -1;
  for (int i = 0; i < q->n; i++)
    if (row_of(q, i)[column] > q->zero && (best < 0 || is_less(q, i, best, column)))
      best = i;
  for (int i = 0; i < q->n && best >= 0; i++) {
    const double *r = row_of(q, i), *b = row_of(q, best);
    if (q->basis[i] == 2 * q->n && r[column] > q->zero &&
        r[2 * q->n + 1] / r[column] <= b[2 * q->n + 1] / b[column])
      best = i;
  }
  return best;
}

/* The row with the least q/d takes z0 in; of equals the last one, which is the lexical order. -1: q
 * is nowhere negative. */
static int first_row(const Tableau *q) {
  int best = -1;
  double least = 0;
  for (int i = 0; i < q->n; i++) {
    const double *r = row_of(q, i);
    double ratio = r[2 * q->n + 1] / -r[2 * q->n];
    if (ratio < least || (best >= 0 && ratio == least))
      best = i, least = ratio;
  }
  return best;
}

static LemkeResult follow(Tableau *q) {
  int row = first_row(q), column = 2 * q->n;
  for (int k = 0; row >= 0 && k < 100 * q->n + 1000; k++) {
    int left = q->basis[row];
    exchange(q, row, column);
    if (left == 2 * q->n)
      return LEMKE_OK;
    column = left < q->n ? left + q->n : left - q->n;
    row = leaving_row(q, column);
    if (row < 0)
      return LEMKE_RAY;
  }
  return row < 0 ? LEMKE_OK : LEMKE_LOST;
}

LemkeResult lemke_solve(const double *m, const double *b, int n, int round, double *z,
                        unsigned char *basic, double *work, int *names) {
  Tableau q = {.n = n, .width = 2 * n + 2, .t = work + n, .column = work, .basis = names};
  fill(&q, m, b, round);
  LemkeResult result = follow(&q);
  for (int k = 0; k < n; k++)
    z[k] = 0, basic[k] = 0;
  for (int i = 0; i < n; i++) {
    int k = names[i] - n;
    if (k >= 0 && k < n)
      z[k] = row_of(&q, i)[2 * n + 1] * q.column[k], basic[k] = 1;
  }
  return result;
}
