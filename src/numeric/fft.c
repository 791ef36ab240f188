/* numeric/fft.c -- discrete Fourier transform by splitting the length into its prime factors.
 * How: J. Cooley and J. Tukey, Math. Comput. 19, 1965: a transform of length p*m is p transforms of
 *      length m, put together with roots of unity; a prime length is summed up as it stands. */
#include "numeric/fft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static size_t smallest_factor(size_t n) {
  for (size_t p = 2; p * p <= n; p++)
    if (n % p == 0)
      return p;
  return n;
}

/* to[k] = sum over j of from[j*step] * w^(j*k), w = root[stride] being the n-th root of unity;
 * spare: n cells. */
static void transform(double complex *to, const double complex *from, size_t step, size_t n,
                      const double complex *root, size_t stride, double complex *spare) {
  if (n == 1) {
    to[0] = from[0];
    return;
  }
  size_t p = smallest_factor(n), m = n / p;
  for (size_t q = 0; q < p; q++) /* every p-th sample */
    transform(to + q * m, from + q * step, step * p, m, root, stride * p, spare);
  for (size_t k = 0; k < n; k++) {
    double complex sum = 0;
    for (size_t q = 0; q < p; q++)
      sum += to[q * m + k % m] * root[q * k % n * stride];
    spare[k] = sum;
  }
  for (size_t k = 0; k < n; k++)
    to[k] = spare[k];
}

bool fft_real(const double *u, size_t n, double *size, double *phase) {
  static const double two_pi = 6.283185307179586476925286766559;
  double complex *cells = n ? malloc(4 * n * sizeof *cells) : NULL, *from = cells, *to = cells + n,
                 *root = to + n, *spare = root + n;
  if (!cells)
    return false;
  for (size_t k = 0; k < n; k++) {
    from[k] = u[k];
    root[k] = cos(two_pi * (double)k / (double)n) - I * sin(two_pi * (double)k / (double)n);
  }
  transform(to, from, 1, n, root, 1, spare);
  for (size_t k = 0; k <= n / 2; k++) {
    size[k] = cabs(to[k]);
    phase[k] = carg(to[k]);
  }
  free(cells);
  return true;
}
