/* numeric/eigen.c -- eigenvalues of a real matrix, in complex arithmetic.
 * How:  Balanced by powers of 2, brought to Hessenberg form by reflections, then QR steps with
 *       Wilkinson's shift on the part that is not yet split off (Golub and Van Loan, Matrix
 *       Computations, chapter 7). Complex arithmetic costs a factor of about 3 and saves the double
 *       shift; nobody asks for the eigenvalues of large matrices here. */
#include "numeric/eigen.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>

/* Steps for one eigenvalue, after which a shift breaks cycles */
enum { UNUSUAL = 10 };

/* Rows and columns of about equal size: a := D^-1 a D. */
static void balance(int n, double *a) {
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < n; i++) {
      double column = 0, row = 0, f = 1;
      for (int j = 0; j < n; j++)
        if (j != i)
          column += fabs(a[j * n + i]), row += fabs(a[i * n + j]);
      if (column == 0 || row == 0)
        continue;
      double sum = column + row;
      for (; column < row / 2; f *= 2)
        column *= 4;
      for (; column >= row * 2; f /= 2)
        column /= 4;
      if ((column + row) / f >= 0.95 * sum)
        continue;
      again = true;
      for (int j = 0; j < n; j++)
        a[i * n + j] /= f;
      for (int j = 0; j < n; j++)
        a[j * n + i] *= f;
    }
  }
}

/* Reflections that leave nothing below the first subdiagonal. */
static void hessenberg(int n, double *a, double *v) {
  for (int k = 0; k + 2 < n; k++) {
    double largest = 0, norm = 0;
    for (int i = k + 1; i < n; i++)
      largest = fmax(largest, fabs(a[i * n + k]));
    if (largest == 0)
      continue;
    for (int i = k + 1; i < n; i++)
      v[i] = a[i * n + k] / largest, norm += v[i] * v[i];
    norm = sqrt(norm);
    v[k + 1] += v[k + 1] < 0 ? -norm : norm;
    double beta = 0;
    for (int i = k + 1; i < n; i++)
      beta += v[i] * v[i];
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int i = k + 1; i < n; i++)
        s += v[i] * a[i * n + j];
      for (int i = k + 1; i < n; i++)
        a[i * n + j] -= 2 * s / beta * v[i];
    }
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int i = k + 1; i < n; i++)
        s += v[i] * a[j * n + i];
      for (int i = k + 1; i < n; i++)
        a[j * n + i] -= 2 * s / beta * v[i];
    }
  }
}

/* The eigenvalue of the last two rows that is next to the last diagonal entry. */
static double complex shift_of(int n, const double complex *h, int last) {
  double complex a = h[(last - 1) * n + last - 1], b = h[(last - 1) * n + last],
                 c = h[last * n + last - 1], d = h[last * n + last];
  double complex half = (a - d) / 2, root = csqrt(half * half + b * c);
  double complex w = cabs(half + root) > cabs(half - root) ? half + root : half - root;
  return w == 0 ? d : d - b * c / w;
}

/* One QR step on rows and columns first..last. */
static void qr_step(int n, double complex *h, int first, int last, double complex shift,
                    double complex *rotation) {
  for (int i = first; i <= last; i++)
    h[i * n + i] -= shift;
  for (int k = first; k < last; k++) {
    double complex x = h[k * n + k], y = h[(k + 1) * n + k];
    double r = hypot(cabs(x), cabs(y));
    double complex c = r > 0 ? x / r : 1, s = r > 0 ? y / r : 0;
    rotation[2 * k] = c, rotation[2 * k + 1] = s;
    for (int j = k; j <= last; j++) {
      double complex p = h[k * n + j], q = h[(k + 1) * n + j];
      h[k * n + j] = conj(c) * p + conj(s) * q;
      h[(k + 1) * n + j] = c * q - s * p;
    }
  }
  for (int k = first; k < last; k++) {
    double complex c = rotation[2 * k], s = rotation[2 * k + 1];
    for (int i = first; i <= k + 1; i++) {
      double complex p = h[i * n + k], q = h[i * n + k + 1];
      h[i * n + k] = p * c + q * s;
      h[i * n + k + 1] = q * conj(c) - p * conj(s);
    }
  }
  for (int i = first; i <= last; i++)
    h[i * n + i] += shift;
}

bool eigen_values(int n, double *a, double complex *w, Arena *arena) {
  for (int k = 0; k < n * n; k++)
    if (!isfinite(a[k]))
      return false;
  balance(n, a);
  hessenberg(n, a, NEW_ARRAY(arena, double, n + 1));
  double complex *h = NEW_ARRAY(arena, double complex, (size_t)n *(size_t)n + 1),
                 *rotation = NEW_ARRAY(arena, double complex, 2 * n + 2);
  double norm = 0;
  for (int k = 0; k < n * n; k++)
    norm = fmax(norm, fabs(a[k]));
  for (int i = 0; i < n; i++)
    for (int j = i > 0 ? i - 1 : 0; j < n; j++)
      h[i * n + j] = a[i * n + j];
  for (int last = n - 1, steps = 0; last >= 0;) {
    int first = last;
    for (; first > 0; first--) {
      double near = cabs(h[first * n + first]) + cabs(h[(first - 1) * n + first - 1]);
      if (cabs(h[first * n + first - 1]) <= DBL_EPSILON * (near > 0 ? near : norm))
        break;
    }
    if (first == last) {
      w[last] = h[last * n + last];
      last--, steps = 0;
      continue;
    }
    if (++steps > MOST_QR_STEPS)
      return false;
    double complex shift = steps % UNUSUAL ? shift_of(n, h, last) : cabs(h[last * n + last - 1]);
    qr_step(n, h, first, last, shift, rotation);
  }
  return true;
}
