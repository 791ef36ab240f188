#pragma once
/* numeric/bernstein.h -- polynomials over [0, 1] by their Bernstein coefficients c[0 .. degree].
 * All values lie between the least and the largest coefficient, the first and the last are the
 * values at the ends, and there are at most as many roots as changes of sign between the
 * coefficients. */
#include "base/limits.h"

/* Value at theta. */
double bernstein_value(const double *c, int degree, double theta);
/* The only root in [*from, *to], where the value is positive at *from, negative at *to and changes
 * its sign once: both come to within `width` of it. */
void bernstein_root(const double *c, int degree, double width, double *from, double *to);
/* The same polynomial over [from, to], mapped to [0, 1]; out may be c. */
void bernstein_restrict(const double *c, int degree, double from, double to, double *out);
/* Of a degree that is `by` higher; c has room for that. */
void bernstein_elevate(double *c, int degree, int by);
/* a b, of degree m + n <= BERNSTEIN_MOST; out is neither of them. */
void bernstein_multiply(const double *a, int m, const double *b, int n, double *out);
/* Least and largest coefficient; and those of the derivative by theta. */
void bernstein_range(const double *c, int degree, double *low, double *high);
void bernstein_slopes(const double *c, int degree, double *low, double *high);
/* Coefficients of the polynomial with values v[k] at k/degree, degree <= 5; out is not v. */
void bernstein_through(const double *v, int degree, double *out);
