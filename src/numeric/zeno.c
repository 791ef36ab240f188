/* numeric/zeno.c -- the accumulation point of event times that form a nearly geometric sequence.
 * How:  with the ratio r of the times between events the rest is d r/(1 - r) after the last event
 *       (Aitken's extrapolation). The ratio is that of the last times, its uncertainty what the
 *       ratios before it differ plus what errors of the times make. The limit for the ratio at both
 *       ends of this range bounds the error. */
#include "numeric/slide.h"

#include <float.h>
#include <math.h>

/* 1: slower sequences take so long that nothing is gained */
static const double most_ratio = 0.999;
static const double steady = 0.05; /* 1: ratios may differ by this part of 1 - r */

static double rest(double d, double r) { return d * r / (1 - r); }

Zeno zeno_estimate(const double *times, const double *amplitudes, int n, double time_error) {
  Zeno out = {0};
  if (n < ZENO_EVENTS)
    return out;
  const double *t = times + (n - ZENO_EVENTS);
  time_error = fmax(time_error, DBL_EPSILON * fabs(t[ZENO_EVENTS - 1]));
  double low = INFINITY, high = 0, last = 0;
  for (int k = 2; k < ZENO_EVENTS; k++) {
    double before = t[k - 1] - t[k - 2], now = t[k] - t[k - 1];
    if (!(before > 0 && now > 0))
      return out;
    last = now / before;
    low = fmin(low, last), high = fmax(high, last);
  }
  double d = t[ZENO_EVENTS - 1] - t[ZENO_EVENTS - 2],
         d_before = t[ZENO_EVENTS - 2] - t[ZENO_EVENTS - 3];
  double fuzzy = 2 * time_error * (1 / d + 1 / d_before) * last; /* of a ratio */
  double spread = high - low;
  out.ratio = last;
  if (!(high < most_ratio) || spread > steady * (1 - high) + 2 * fuzzy)
    return out;
  if (amplitudes) {
    const double *a = amplitudes + (n - ZENO_EVENTS);
    double ratio = 0;
    for (int k = 1; k < ZENO_EVENTS; k++)
      ratio = fmax(ratio, fabs(a[k]) / fabs(a[k - 1]));
    if (!(ratio < most_ratio))
      return out;
    out.remaining = ratio * fabs(a[ZENO_EVENTS - 1]);
  }
  double upper = last + spread + fuzzy, lower = fmax(0, last - spread - fuzzy);
  if (!(upper < 1))
    return out;
  out.found = true;
  out.limit = t[ZENO_EVENTS - 1] + rest(d, last);
  out.error = fmax(rest(d, upper) - rest(d, last), rest(d, last) - rest(d, lower)) + time_error;
  return out;
}
