#pragma once
/* numeric/fft.h -- the discrete Fourier transform of a real signal. */
#include <stdbool.h>
#include <stddef.h>

/* |U| and the phase of U at n/2 + 1 frequencies of n samples u. Fast when n has small prime
 * factors. False without memory. */
bool fft_real(const double *u, size_t n, double *size, double *phase);
