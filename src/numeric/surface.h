#pragma once
/* numeric/surface.h -- interpolation in tables of two abscissae. */
#include "numeric/table.h"

typedef struct {
  size_t n, m;           /* points along the first and the second abscissa */
  double *x, *y;         /* n, m: strictly ascending */
  double *z;             /* n*m: at x[i], y[j] in z[i*m + j] */
  double *zx, *zy, *zxy; /* its derivatives there, if it is smooth; else NULL */
  Smoothness smoothness; /* linear, constant or Akima */
  Outside outside;
} Surface;

/* From a matrix whose first column holds x and whose first row holds y (its corner is not used).
 * NULL and *why if that makes no table, or without memory (*why = NULL). */
Surface *surface_new(const double *matrix, size_t rows, size_t columns, Smoothness s, Outside o,
                     const char **why);
void surface_free(Surface *s);

typedef struct {
  /* The value and its first and second derivatives by the two abscissae */
  double z, z1, z2, z11, z12, z22;
} SurfacePoint;

/* False outside of a table that has no values there. */
bool surface_value(const Surface *s, double u1, double u2, SurfacePoint *out);
