#pragma once
/* numeric/fft.h -- the discrete Fourier transform of a real signal. */
#include <stdbool.h>
#include <stddef.h>

/* Amplitude and phase at n/2 + 1 frequencies of n samples u: amplitude 2|U|/n, so that a sine of amplitude 1 gives 1. Fast when n
 * has small prime factors. False without memory. */
bool fft_real(const double *u, size_t n, double *amplitude, double *phase);
