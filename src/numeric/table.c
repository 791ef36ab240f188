/* numeric/table.c -- tables: piecewise constant, linear and cubic Hermite interpolation.
 * How:  an interval is found by bisection; a smooth table has a slope at each point, and the cubic
 *       through two points with their slopes. Slopes by H. Akima, J. ACM 17(4), 1970; its
 *       modification with weights that also count the mean slope; F. Fritsch and J. Butland, SIAM
 *       J. Sci. Stat. Comput. 5(2), 1984; M. Steffen, Astron. Astrophys. 239, 1990.
 * Keep: the two monotone methods never leave the range of neighbouring points. */
#include "numeric/table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- slopes at the points ---- */

static double sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }

/* Slope of interval k; beyond the ends each two follow in a line, also where the table is
 * repeated. */
static double interval_slope(const double *s, long long n, long long k) {
  if (k >= 0 && k < n)
    return s[k];
  if (n < 2)
    return s[0];
  return k < 0 ? s[0] + (double)k * (s[1] - s[0])
               : s[n - 1] + (double)(k - n + 1) * (s[n - 1] - s[n - 2]);
}

/* The slopes of the two intervals on either side of a point: m[0], m[1] before it, m[2], m[3]
 * behind it. */
static double akima(const double *m, bool modified) {
  double before = fabs(m[1] - m[0]), behind = fabs(m[3] - m[2]);
  if (modified) {
    before += fabs(m[1] + m[0]) / 2;
    behind += fabs(m[3] + m[2]) / 2;
  }
  double sum = before + behind;
  if (sum == 0)
    return modified ? 0 : (m[1] + m[2]) / 2;
  return (behind * m[1] + before * m[2]) / sum;
}

/* Weighted harmonic mean of the slopes a, b of intervals of length h, g. */
static double fritsch_butland(double h, double g, double a, double b) {
  return a * b <= 0 ? 0 : 3 * (h + g) / ((h + 2 * g) / a + (2 * h + g) / b);
}

static double steffen(double h, double g, double a, double b) {
  double p = (a * g + b * h) / (h + g);
  return (sign(a) + sign(b)) * fmin(fmin(fabs(a), fabs(b)), fabs(p) / 2);
}

/* At an end: the slope of its interval. */
static double monotone_slope(const Table *t, const double *s, size_t i) {
  const double *x = t->x;
  size_t n = t->n - 1; /* intervals */
  if (i == 0 || i == n)
    return s[i ? n - 1 : 0];
  double h = x[i] - x[i - 1], g = x[i + 1] - x[i];
  return t->smoothness == SMOOTH_FRITSCH_BUTLAND ? fritsch_butland(h, g, s[i - 1], s[i])
                                                 : steffen(h, g, s[i - 1], s[i]);
}

static double point_slope(const Table *t, const double *s, size_t i) {
  size_t n = t->n - 1;
  if (n == 1)
    return s[0];
  if (t->smoothness == SMOOTH_FRITSCH_BUTLAND || t->smoothness == SMOOTH_STEFFEN)
    return monotone_slope(t, s, i);
  double m[4];
  for (long long k = 0; k < 4; k++)
    m[k] = interval_slope(s, (long long)n, (long long)i - 2 + k);
  return akima(m, t->smoothness == SMOOTH_MAKIMA);
}

static bool set_slopes(Table *t) {
  double *s = malloc(t->n * sizeof *s);
  t->slopes = malloc(t->n * t->m * sizeof *t->slopes);
  if (!s || !t->slopes) {
    free(s);
    return false;
  }
  for (size_t j = 0; j < t->m; j++) {
    const double *y = t->y + j * t->n;
    for (size_t i = 0; i + 1 < t->n; i++)
      s[i] = (y[i + 1] - y[i]) / (t->x[i + 1] - t->x[i]);
    for (size_t i = 0; i < t->n; i++)
      t->slopes[j * t->n + i] = point_slope(t, s, i);
  }
  free(s);
  return true;
}

/* ---- making ---- */

static bool is_smooth(Smoothness s) { return s != SMOOTH_LINEAR && s != SMOOTH_CONSTANT; }

static const char *unfit(const double *matrix, size_t n, size_t width, const long long *columns,
                         size_t m, Smoothness s) {
  if (!n || width < 1)
    return "a table without rows or columns";
  for (size_t j = 0; j < m; j++)
    if (columns[j] < 1 || (unsigned long long)columns[j] > width)
      return "a table column that does not exist";
  for (size_t i = 0; i + 1 < n; i++) {
    double a = matrix[i * width], b = matrix[(i + 1) * width];
    if (is_smooth(s) ? !(a < b) : !(a <= b))
      return is_smooth(s) ? "the first column of a smooth table is not strictly increasing"
                          : "the first column of a table is not increasing";
  }
  return NULL;
}

Table *table_new(const double *matrix, size_t n, size_t width, const long long *columns, size_t m,
                 Smoothness s, Outside o, const char **why) {
  *why = unfit(matrix, n, width, columns, m, s);
  if (!*why && (s < SMOOTH_LINEAR || s > SMOOTH_MAKIMA || o < OUTSIDE_HOLD || o > OUTSIDE_ERROR))
    *why = "an unknown kind of interpolation or extrapolation";
  if (*why)
    return NULL;
  Table *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  *t = (Table){.n = n,
               .m = m,
               .x = malloc(n * sizeof(double)),
               .y = malloc((m ? m : 1) * n * sizeof(double)),
               .smoothness = s,
               .outside = o};
  if (!t->x || !t->y) {
    table_free(t);
    return NULL;
  }
  for (size_t i = 0; i < n; i++) {
    t->x[i] = matrix[i * width];
    for (size_t j = 0; j < m; j++)
      t->y[j * n + i] = matrix[i * width + (size_t)columns[j] - 1];
  }
  if (is_smooth(s) && n > 1 && !set_slopes(t)) {
    table_free(t);
    return NULL;
  }
  return t;
}

void table_free(Table *t) {
  if (!t)
    return;
  free(t->x);
  free(t->y);
  free(t->slopes);
  free(t);
}

/* ---- values ---- */

/* The last interval [x[i], x[i+1]) with x[i] <= u; the first or last one outside. Intervals of no
 * length are passed over. */
static size_t interval_of(const Table *t, double u) {
  size_t lo = 0, hi = t->n - 1; /* x[lo] <= u < x[hi], or an end */
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    if (t->x[mid] <= u)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

static double linear_at(const Table *t, const double *y, size_t i, double u, int order) {
  double h = t->x[i + 1] - t->x[i];
  if (!(h > 0))
    return order ? 0 : u < t->x[i] ? y[i] : y[i + 1];
  double slope = (y[i + 1] - y[i]) / h;
  return order == 0 ? y[i] + slope * (u - t->x[i]) : order == 1 ? slope : 0;
}

/* The cubic on interval i with the slopes p, q at its ends: y + w*(p + w*(a + w*b)), w from its
 * left end. */
static double cubic_at(const Table *t, const double *y, const double *slopes, size_t i, double u,
                       int order) {
  double h = t->x[i + 1] - t->x[i], s = (y[i + 1] - y[i]) / h, p = slopes[i], q = slopes[i + 1],
         w = u - t->x[i];
  double a = (3 * s - 2 * p - q) / h, b = (p + q - 2 * s) / (h * h);
  if (order == 0)
    return y[i] + w * (p + w * (a + w * b));
  return order == 1 ? p + w * (2 * a + 3 * w * b) : 2 * a + 6 * w * b;
}

static double inside(const Table *t, size_t j, double u, double side, int order) {
  const double *y = t->y + j * t->n;
  size_t i = interval_of(t, side);
  if (t->smoothness == SMOOTH_CONSTANT)
    return order ? 0 : y[side >= t->x[i + 1] ? i + 1 : i]; /* the last point has its own value */
  return t->slopes ? cubic_at(t, y, t->slopes + j * t->n, i, u, order)
                   : linear_at(t, y, i, u, order);
}

/* Beyond end i of the table. */
static double beyond(const Table *t, size_t j, size_t i, double u, int order) {
  const double *y = t->y + j * t->n;
  if (t->outside == OUTSIDE_HOLD)
    return order ? 0 : y[i];
  if (!t->slopes)
    return linear_at(t, y, i ? i - 1 : 0, u, order);
  double slope = t->slopes[j * t->n + i];
  return order == 0 ? y[i] + slope * (u - t->x[i]) : order == 1 ? slope : 0;
}

bool table_value(const Table *t, size_t j, double u, double side, int order, double *out) {
  size_t last = t->n - 1;
  if (!last) {
    *out = order ? 0 : t->y[j];
    return true;
  }
  double period = t->x[last] - t->x[0];
  /* at its end it begins anew, unless that very point is asked for */
  if (t->outside == OUTSIDE_PERIODIC && period > 0 &&
      (side < t->x[0] || side > t->x[last] || (side == t->x[last] && u != side))) {
    double turns = floor((side - t->x[0]) / period) * period;
    side -= turns;
    u -= turns;
  }
  bool before = side < t->x[0], behind = side >= t->x[last];
  if (t->outside == OUTSIDE_ERROR && (u < t->x[0] || u > t->x[last]))
    return false;
  if (behind && (t->outside == OUTSIDE_PERIODIC || t->outside == OUTSIDE_ERROR))
    behind = false; /* the last point itself */
  if (before || behind)
    *out = beyond(t, j, before ? 0 : last, u, order);
  else
    *out = inside(t, j, u, side, order);
  return true;
}

/* ---- time ---- */

/* Times this close count as one: rounding of time/scale*scale. */
static double close_to(double time) {
  return 16 * DBL_EPSILON * fmax(fabs(time), DBL_MIN / DBL_EPSILON);
}

/* The first point of the table behind `after`, among those that make events; n if there is none. */
static size_t next_point(const TimeTable *t, double after) {
  const Table *a = t->table;
  for (size_t i = 0; i < a->n && t->events != TIMES_NEVER; i++) {
    bool jump = i + 1 < a->n && a->x[i] == a->x[i + 1];
    if (a->x[i] > after && (t->events == TIMES_ALWAYS || jump))
      return i;
  }
  return a->n;
}

double time_table_next(const TimeTable *t, double time) {
  const Table *a = t->table;
  if (time + close_to(time) < t->start)
    return t->start;
  if (a->n < 2)
    return DBL_MAX;
  double after = time - t->shift + close_to(fmax(fabs(time), fabs(t->shift))),
         period = a->x[a->n - 1] - a->x[0], turns = 0;
  bool periodic = a->outside == OUTSIDE_PERIODIC && period > 0;
  if (periodic)
    turns = floor((after - a->x[0]) / period);
  size_t i = next_point(t, after - turns * period);
  if (i < a->n)
    return a->x[i] + turns * period + t->shift;
  /* where the table begins anew it may jump, too */
  return periodic && t->events == TIMES_JUMPS ? a->x[0] + (turns + 1) * period + t->shift : DBL_MAX;
}

bool time_table_value(const TimeTable *t, size_t j, double time, double next, int order,
                      double *out) {
  double margin = close_to(fmax(fabs(time), fabs(t->shift)));
  bool due = time >= next;
  if (due ? next <= t->start : time + margin < t->start) {
    *out = 0;
    return true;
  }
  /* just behind the present time, or just before the event that is due */
  double side = due ? next - margin : time + fmin(margin, (next - time) / 2);
  return table_value(t->table, j, time - t->shift, side - t->shift, order, out);
}
