/* numeric/bernstein.c -- polynomials over [0, 1] by their Bernstein coefficients.
 * From: Farouki, The Bernstein polynomial basis: a centennial retrospective, Comput. Aided Geom.
 * Des. 29(6), 2012: halving by de Casteljau, degree elevation, products. */
#include "numeric/bernstein.h"
#include "base/limits.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* c becomes the part over [0, theta]; the part over [theta, 1] if `right`. */
static void split(double *c, int degree, double theta, bool right) {
  double back = 1 - theta;
  for (int round = 1; round <= degree; round++)
    if (right)
      for (int k = 0; k + round <= degree; k++)
        c[k] = back * c[k] + theta * c[k + 1];
    else
      for (int k = degree; k >= round; k--)
        c[k] = back * c[k - 1] + theta * c[k];
}

/* Rows of Pascal's triangle. */
static const double binomial[BERNSTEIN_MOST + 1][BERNSTEIN_MOST + 1] = {
    {1},
    {1, 1},
    {1, 2, 1},
    {1, 3, 3, 1},
    {1, 4, 6, 4, 1},
    {1, 5, 10, 10, 5, 1},
    {1, 6, 15, 20, 15, 6, 1},
    {1, 7, 21, 35, 35, 21, 7, 1},
    {1, 8, 28, 56, 70, 56, 28, 8, 1},
    {1, 9, 36, 84, 126, 126, 84, 36, 9, 1},
    {1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1}};

double bernstein_value(const double *c, int degree, double theta) {
  const double *row = binomial[degree];
  double back = 1 - theta, power = 1, sum = c[0];
  for (int k = 1; k <= degree; k++) {
    power *= theta;
    sum = sum * back + row[k] * power * c[k];
  }
  return sum;
}

/* Newton's method, halving where that leaves what is known; then a little to both sides. */
void bernstein_root(const double *c, int degree, double width, double *from, double *to) {
  double slope[BERNSTEIN_MOST + 1], at = *from + (*to - *from) / 2, move = *to - *from;
  for (int k = 0; k < degree; k++)
    slope[k] = degree * (c[k + 1] - c[k]);
  for (int round = 0; round<MOST_BERNSTEIN_ROUNDS && * to - *from> width; round++) {
    double value = bernstein_value(c, degree, at);
    *(value > 0 ? from : to) = at;
    double next = at - value / bernstein_value(slope, degree - 1, at), last = move;
    move = fabs(next - at);
    if (move < width / 4) /* it is there, but for rounding: the other end comes near, too */
      next = value > 0 ? at + width / 2 : at - width / 2;
    at = next > *from && next < *to && move < last ? next : *from + (*to - *from) / 2;
  }
}

void bernstein_restrict(const double *c, int degree, double from, double to, double *out) {
  if (out != c)
    memcpy(out, c, (size_t)(degree + 1) * sizeof *c);
  if (to < 1)
    split(out, degree, to, false);
  if (from > 0)
    split(out, degree, from / to, true);
}

void bernstein_elevate(double *c, int degree, int by) {
  for (int n = degree + 1; n <= degree + by; n++) {
    c[n] = c[n - 1];
    for (int k = n - 1; k > 0; k--)
      c[k] = (k * c[k - 1] + (n - k) * c[k]) / n;
  }
}

void bernstein_multiply(const double *a, int m, const double *b, int n, double *out) {
  for (int k = 0; k <= m + n; k++)
    out[k] = 0;
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= n; j++)
      out[i + j] += binomial[m][i] * a[i] * (binomial[n][j] * b[j]);
  for (int k = 0; k <= m + n; k++)
    out[k] /= binomial[m + n][k];
}

void bernstein_range(const double *c, int degree, double *low, double *high) {
  *low = *high = c[0];
  for (int k = 1; k <= degree; k++) {
    *low = c[k] < *low ? c[k] : *low;
    *high = c[k] > *high ? c[k] : *high;
  }
}

void bernstein_slopes(const double *c, int degree, double *low, double *high) {
  double steps[BERNSTEIN_MOST + 1] = {0};
  for (int k = 0; k < degree; k++)
    steps[k] = degree * (c[k + 1] - c[k]);
  bernstein_range(steps, degree > 0 ? degree - 1 : 0, low, high);
}

/* Inverse matrices of the basis polynomials at k/degree, without the first and the last row, which
 * are those of the identity: of degree 2 on. */
static const double inverse[][4][6] = {
    {{-1.0 / 2, 2, -1.0 / 2}},
    {{-5.0 / 6, 3, -3.0 / 2, 1.0 / 3}, {1.0 / 3, -3.0 / 2, 3, -5.0 / 6}},
    {{-13.0 / 12, 4, -3, 4.0 / 3, -1.0 / 4},
     {13.0 / 18, -32.0 / 9, 20.0 / 3, -32.0 / 9, 13.0 / 18},
     {-1.0 / 4, 4.0 / 3, -3, 4, -13.0 / 12}},
    {{-77.0 / 60, 5, -5, 10.0 / 3, -5.0 / 4, 1.0 / 5},
     {269.0 / 240, -145.0 / 24, 295.0 / 24, -115.0 / 12, 185.0 / 48, -77.0 / 120},
     {-77.0 / 120, 185.0 / 48, -115.0 / 12, 295.0 / 24, -145.0 / 24, 269.0 / 240},
     {1.0 / 5, -5.0 / 4, 10.0 / 3, -5, 5, -77.0 / 60}}};

void bernstein_through(const double *v, int degree, double *out) {
  out[0] = v[0];
  out[degree] = v[degree];
  for (int k = 1; k < degree; k++) {
    out[k] = 0;
    for (int j = 0; j <= degree; j++)
      out[k] += inverse[degree - 2][k - 1][j] * v[j];
  }
}
