#pragma once
/* numeric/eigen.h -- eigenvalues of a real matrix. */
#include <complex.h>
#include <stdbool.h>

#include "base/memory.h"

/* The eigenvalues of a, n by n by rows, which is destroyed, into w (n), not ordered. False: not
 * finite, or no convergence. */
bool eigen_values(int n, double *a, double complex *w, Arena *arena);
