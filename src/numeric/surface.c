/* numeric/surface.c -- tables of two abscissae: piecewise constant, bilinear, smooth.
 * How:  along each abscissa the values and slopes at the two neighbouring points have weights; the
 *       surface is the sum over both directions. Slopes and twists by H. Akima, Commun. ACM 17(1),
 *       1974 (algorithm 474): like his curves, from the four nearest intervals on each line, with
 *       two more points beyond each end on which the slopes go on evenly.
 * Keep: what happens inside, at the ends and beyond is decided for each direction alone. */
#include "numeric/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MORE = 2 }; /* points added at each end */

/* ---- slopes ---- */

/* Sets the points 1 and 2 steps before the first one. v: 5 neighbours from there on, `step` apart,
 * in the direction of `step`; known: how many of the last three exist. */
static void extend_abscissa(double *v, ptrdiff_t step, size_t known) {
  double a = v[2 * step], b = known > 1 ? v[3 * step] : a + (double)(step > 0 ? 1 : -1),
         c = known > 2 ? v[4 * step] : 2 * b - a;
  v[step] = a + b - c;
  v[0] = 2 * a - c;
}

/* The same for values over x. */
static void extend_values(const double *x, ptrdiff_t x_step, double *v, ptrdiff_t step,
                          size_t known) {
  const double *p = x;
  double h[4], s1, s2;
  for (ptrdiff_t k = 0; k < 3; k++)
    h[k] = p[(k + 1) * x_step] - p[k * x_step];
  s1 = known > 1 ? (v[3 * step] - v[2 * step]) / h[2] : 0;
  s2 = known > 2 ? (v[4 * step] - v[3 * step]) / (p[4 * x_step] - p[3 * x_step]) : s1;
  v[step] = v[2 * step] - (2 * s1 - s2) * h[1];
  v[0] = v[step] - (3 * s1 - 2 * s2) * h[0];
}

/* Weights of the second and third of four slopes. */
static void weigh(const double *d, double *w) {
  w[0] = fabs(d[3] - d[2]);
  w[1] = fabs(d[1] - d[0]);
  if (w[0] + w[1] == 0)
    w[0] = w[1] = 1;
}

/* Slopes of the four intervals around point v, over x. */
static void slopes_around(const double *x, const double *v, ptrdiff_t step, double *d) {
  for (ptrdiff_t k = 0; k < 4; k++)
    d[k] = (v[(k - 1) * step] - v[(k - 2) * step]) / (x[k - 1] - x[k - 2]);
}

static double mean(const double *w, double a, double b) {
  return (w[0] * a + w[1] * b) / (w[0] + w[1]);
}

/* At one point of the extended grid: x, y, v point to it, rows are `row` apart. */
static void derive(const double *x, const double *y, const double *v, ptrdiff_t row, double *zx,
                   double *zy, double *zxy) {
  double dx[4], dy[4], wx[2], wy[2], e[2];
  slopes_around(x, v, row, dx);
  slopes_around(y, v, 1, dy);
  weigh(dx, wx);
  weigh(dy, wy);
  *zx = mean(wx, dx[1], dx[2]);
  *zy = mean(wy, dy[1], dy[2]);
  for (ptrdiff_t k = 0; k < 2; k++) { /* twist of the interval before and behind along x */
    const double *near = v + (k - 1) * row, *far = near + row;
    double twist[2];
    for (ptrdiff_t l = 0; l < 2; l++)
      twist[l] = ((far[l] - far[l - 1]) - (near[l] - near[l - 1])) /
                 ((y[l] - y[l - 1]) * (x[k] - x[k - 1]));
    e[k] = mean(wy, twist[0], twist[1]);
  }
  *zxy = mean(wx, e[0], e[1]);
}

static bool set_slopes(Surface *s) {
  size_t n = s->n + 2 * MORE, m = s->m + 2 * MORE, cells = s->n * s->m;
  double *x = calloc(n + m + n * m, sizeof *x);
  s->zx = malloc(3 * cells * sizeof *s->zx);
  if (!x || !s->zx) {
    free(x);
    return false;
  }
  double *y = x + n, *v = y + m;
  s->zy = s->zx + cells, s->zxy = s->zy + cells;
  memcpy(x + MORE, s->x, s->n * sizeof *x);
  memcpy(y + MORE, s->y, s->m * sizeof *y);
  extend_abscissa(x, 1, s->n);
  extend_abscissa(x + n - 1, -1, s->n);
  extend_abscissa(y, 1, s->m);
  extend_abscissa(y + m - 1, -1, s->m);
  for (size_t i = 0; i < s->n; i++) {
    double *line = v + (i + MORE) * m;
    memcpy(line + MORE, s->z + i * s->m, s->m * sizeof *line);
    extend_values(y, 1, line, 1, s->m);
    extend_values(y + m - 1, -1, line + m - 1, -1, s->m);
  }
  for (size_t j = 0; j < m; j++) {
    extend_values(x, 1, v + j, (ptrdiff_t)m, s->n);
    extend_values(x + n - 1, -1, v + (n - 1) * m + j, -(ptrdiff_t)m, s->n);
  }
  for (size_t i = 0; i < s->n; i++)
    for (size_t j = 0; j < s->m; j++) {
      size_t k = i * s->m + j;
      derive(x + i + MORE, y + j + MORE, v + (i + MORE) * m + j + MORE, (ptrdiff_t)m, &s->zx[k],
             &s->zy[k], &s->zxy[k]);
    }
  free(x);
  return true;
}

/* ---- making ---- */

static const char *unfit(const double *matrix, size_t rows, size_t columns, Smoothness s,
                         Outside o) {
  if (rows < 2 || columns < 2)
    return "a table of two abscissae without rows or columns";
  if ((s != SMOOTH_LINEAR && s != SMOOTH_CONSTANT && s != SMOOTH_AKIMA) || o < OUTSIDE_HOLD ||
      o > OUTSIDE_ERROR)
    return "an interpolation or extrapolation that tables of two abscissae do not have";
  for (size_t i = 1; i + 1 < rows; i++)
    if (!(matrix[i * columns] < matrix[(i + 1) * columns]))
      return "the first column of a table of two abscissae is not strictly increasing";
  for (size_t j = 1; j + 1 < columns; j++)
    if (!(matrix[j] < matrix[j + 1]))
      return "the first row of a table of two abscissae is not strictly increasing";
  return NULL;
}

Surface *surface_new(const double *matrix, size_t rows, size_t columns, Smoothness smooth,
                     Outside o, const char **why) {
  *why = unfit(matrix, rows, columns, smooth, o);
  Surface *s = *why ? NULL : calloc(1, sizeof *s);
  if (!s)
    return NULL;
  size_t n = rows - 1, m = columns - 1;
  *s = (Surface){.n = n,
                 .m = m,
                 .smoothness = smooth,
                 .outside = o,
                 .x = malloc((n + m + n * m) * sizeof *s->x)};
  if (s->x) {
    s->y = s->x + n, s->z = s->y + m;
    memcpy(s->y, matrix + 1, m * sizeof *s->y);
    for (size_t i = 0; i < n; i++) {
      s->x[i] = matrix[(i + 1) * columns];
      memcpy(s->z + i * m, matrix + (i + 1) * columns + 1, m * sizeof *s->z);
    }
  }
  if (!s->x || (smooth == SMOOTH_AKIMA && !set_slopes(s))) {
    surface_free(s);
    return NULL;
  }
  return s;
}

void surface_free(Surface *s) {
  if (!s)
    return;
  free(s->x);
  free(s->zx);
  free(s);
}

/* ---- values ---- */

/* One direction: weights of value and slope at the points i and i + 1, for the value and its two
 * derivatives. */
typedef struct {
  size_t i, last; /* last: the point behind, i itself if there is none */
  double value[3][2], slope[3][2];
} Axis;

static size_t interval_of(const double *x, size_t n, double u) {
  size_t lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    *(x[mid] <= u ? &lo : &hi) = mid;
  }
  return lo;
}

static void linear_weights(Axis *a, double h, double w) {
  a->value[0][1] = w / h, a->value[0][0] = 1 - w / h;
  a->value[1][1] = 1 / h, a->value[1][0] = -1 / h;
}

/* Hermite's cubic at w from the left end of an interval of length h, t = w/h. */
static void cubic_weights(Axis *a, double h, double w) {
  double t = w / h;
  a->value[0][1] = t * t * (3 - 2 * t), a->value[0][0] = 1 - a->value[0][1];
  a->value[1][1] = 6 * t * (1 - t) / h, a->value[1][0] = -a->value[1][1];
  a->value[2][1] = (6 - 12 * t) / (h * h), a->value[2][0] = -a->value[2][1];
  a->slope[0][0] = w * (1 - t) * (1 - t), a->slope[0][1] = w * t * (t - 1);
  a->slope[1][0] = (1 - t) * (1 - 3 * t), a->slope[1][1] = t * (3 * t - 2);
  a->slope[2][0] = (6 * t - 4) / h, a->slope[2][1] = (6 * t - 2) / h;
}

/* On from end e (0 or 1) by its slope. */
static void ray_weights(Axis *a, int e, double w) {
  a->value[0][e] = 1;
  a->slope[0][e] = w;
  a->slope[1][e] = 1;
}

static void weights(const Surface *s, Smoothness smoothness, const double *x, size_t n, double u,
                    Axis *a) {
  *a = (Axis){.i = n > 1 ? interval_of(x, n, u) : 0};
  a->last = n > 1 ? a->i + 1 : a->i;
  int e = n > 1 && u >= x[a->last]; /* end of the interval */
  bool outside = u < x[0] || u > x[n - 1];
  if (n == 1 || smoothness == SMOOTH_CONSTANT || (outside && s->outside == OUTSIDE_HOLD))
    a->value[0][e] = 1;
  else if (smoothness == SMOOTH_LINEAR)
    linear_weights(a, x[a->last] - x[a->i], u - x[a->i]);
  else if (outside)
    ray_weights(a, e, u - x[e ? n - 1 : 0]);
  else
    cubic_weights(a, x[a->last] - x[a->i], u - x[a->i]);
}

static double sum(const Surface *s, const Axis *a, const Axis *b, int p, int q) {
  double total = 0;
  for (int k = 0; k < 2; k++)
    for (int l = 0; l < 2; l++) {
      size_t at = (k ? a->last : a->i) * s->m + (l ? b->last : b->i);
      total += a->value[p][k] * b->value[q][l] * s->z[at];
      if (s->zx)
        total += a->slope[p][k] * b->value[q][l] * s->zx[at] +
                 a->value[p][k] * b->slope[q][l] * s->zy[at] +
                 a->slope[p][k] * b->slope[q][l] * s->zxy[at];
    }
  return total;
}

static double wrapped(const double *x, size_t n, double u) {
  double period = x[n - 1] - x[0];
  return period > 0 && (u < x[0] || u > x[n - 1]) ? u - floor((u - x[0]) / period) * period : u;
}

bool surface_value(const Surface *s, double u1, double u2, SurfacePoint *out) {
  Axis a, b;
  if (s->outside == OUTSIDE_PERIODIC) {
    u1 = wrapped(s->x, s->n, u1);
    u2 = wrapped(s->y, s->m, u2);
  }
  bool outside = (s->n > 1 && (u1 < s->x[0] || u1 > s->x[s->n - 1])) ||
                 (s->m > 1 && (u2 < s->y[0] || u2 > s->y[s->m - 1]));
  if (outside && s->outside == OUTSIDE_ERROR)
    return false;
  /* steps do not go on: beyond their end, planes do */
  bool planes = s->smoothness == SMOOTH_CONSTANT && outside && s->outside == OUTSIDE_LINEAR;
  Smoothness smoothness = planes ? SMOOTH_LINEAR : s->smoothness;
  weights(s, smoothness, s->x, s->n, u1, &a);
  weights(s, smoothness, s->y, s->m, u2, &b);
  *out = (SurfacePoint){sum(s, &a, &b, 0, 0), sum(s, &a, &b, 1, 0), sum(s, &a, &b, 0, 1),
                        sum(s, &a, &b, 2, 0), sum(s, &a, &b, 1, 1), sum(s, &a, &b, 0, 2)};
  return true;
}
