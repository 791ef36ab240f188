#pragma once
/* numeric/svd.h -- singular values and vectors of small dense matrices, for decisions about
 * ranks. */
#include <stddef.h>

/* a (m by n, column after column) becomes a v: orthogonal columns, longest first; sigma (n): their
 * lengths, the singular values; v (n by n, column after column): orthonormal, the right singular
 * vectors. m < n is allowed: the last n - m lengths are 0 up to rounding. All entries must be
 * finite. */
void svd_columns(double *a, int m, int n, double *v, double *sigma);
