/* plot/ticks.c -- where an axis has marks, and what is written there.
 * How:  a mark is a whole number times a power of ten, so labels are exact and do not depend on the
 *       locale; all of an axis have as many digits behind the point as the step needs. What all
 *       would share goes to the label of the axis: a power of ten if numbers are very large or
 *       small, an offset if they differ in the last of many digits only. */
#include "plot/ticks.h"
#include "base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  EXPONENT_FROM = 5,
  EXPONENT_BELOW = -3,
};

double power_of_ten(int e) { return pow(10, e); }

void text_raised(Text *out, int number) {
  static const char *const digits[] = {
      "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
      "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
  char plain[16];
  size_t n = 0;
  text_add(out, number < 0 ? "\xE2\x81\xBB" : "");
  for (int rest = abs(number); rest || !n; rest /= 10)
    plain[n++] = (char)(rest % 10);
  while (n)
    text_add(out, digits[(int)plain[--n]]);
}

/* value/10^decimals */
static const char *fixed(long long value, int decimals, Arena *a) {
  char digits[32];
  int n = 0;
  Text out = {.arena = a};
  unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value
                                      : (unsigned long long)value;
  for (; rest || n <= decimals; rest /= 10)
    digits[n++] = (char)('0' + rest % 10);
  text_add(&out, value < 0 ? "-" : "");
  while (n) {
    text_char(&out, digits[--n]);
    if (n == decimals && n)
      text_char(&out, '.');
  }
  return text_str(&out);
}

/* factor * 10^exponent; factor 1, 2 or 5 */
typedef struct {
  int factor, exponent;
} Step;

static double step_value(Step s, double k) {
  double whole = k * s.factor;
  return s.exponent < 0 ? whole / power_of_ten(-s.exponent) : whole * power_of_ten(s.exponent);
}

static Step nice_step(double range, uint32_t most) {
  double raw = range / (most ? most : 1);
  int e = (int)floor(log10(raw));
  double lead = raw / power_of_ten(e);
  static const double rounding = 1 + 1e-9; /* 2.0000001 is 2 */
  if (lead <= 1 * rounding)
    return (Step){1, e};
  if (lead <= 2 * rounding)
    return (Step){2, e};
  return lead <= 5 * rounding ? (Step){5, e} : (Step){1, e + 1};
}

static Step minor_step(Step s) {
  return s.factor == 2   ? (Step){1, s.exponent}
         : s.factor == 5 ? (Step){1, s.exponent}
                         : (Step){2, s.exponent - 1};
}

/* Multiples inside: k from first to last. */
static void multiples(double lo, double hi, Step s, double *first, double *last) {
  static const double slack = 1e-6; /* of a step: ends of the range are part of it */
  double unit = step_value(s, 1);
  *first = ceil(lo / unit - slack);
  *last = floor(hi / unit + slack);
}

static void add_minor(Ticks *t, double lo, double hi, Step major, Arena *a) {
  Step s = minor_step(major);
  double first, last;
  multiples(lo, hi, s, &first, &last);
  if (!(last - first < 5 * MOST_TICKS))
    return;
  t->minor = NEW_ARRAY(a, double, (size_t)fmax(0, last - first + 1) + 1);
  double ratio = round(step_value(major, 1) / step_value(s, 1));
  for (double k = first; k <= last; k++)
    if (fmod(k, ratio) != 0)
      t->minor[t->n_minor++] = step_value(s, k);
}

/* An offset that all numbers share, as a multiple of 10^exponent of the step; 0: none. */
static double common_offset(double lo, double hi, Step s) {
  double biggest = fmax(fabs(lo), fabs(hi)), unit = power_of_ten((int)ceil(log10(hi - lo)));
  int digits = (int)floor(log10(biggest)) - s.exponent + 1;
  return digits > MOST_TICK_DIGITS && lo * hi > 0 ? floor(lo / unit) * unit : 0;
}

static int common_exponent(double biggest, Step s) {
  int e = biggest > 0 ? (int)floor(log10(biggest) + 1e-9) : 0;
  bool plain = e < EXPONENT_FROM && e >= EXPONENT_BELOW &&
               (e >= 0 || -s.exponent <= MOST_TICK_DECIMALS);
  return plain ? 0 : (int)floor(e / 3.0) * 3;
}

static Ticks make(double lo, double hi, Step s, bool bare, Arena *a) {
  double first, last;
  Ticks t = {0};
  multiples(lo, hi, s, &first, &last);
  if (!(last - first < MOST_TICKS))
    return t;
  if (!bare) {
    t.offset = common_offset(lo, hi, s);
    t.exponent = common_exponent(fmax(fabs(lo - t.offset), fabs(hi - t.offset)), s);
  }
  int decimals = t.exponent > s.exponent ? t.exponent - s.exponent : 0;
  double zeros = s.exponent > t.exponent ? power_of_ten(s.exponent - t.exponent) : 1;
  t.major = NEW_ARRAY(a, Tick, (size_t)fmax(0, last - first + 1) + 1);
  for (double k = first; k <= last; k++) {
    double at = step_value(s, k), offset = t.offset / step_value((Step){1, s.exponent}, 1);
    long long whole = llround((k * s.factor - offset) * zeros);
    t.major[t.n_major++] = (Tick){at, fixed(whole, decimals, a)};
  }
  add_minor(&t, lo, hi, s, a);
  return t;
}

Ticks ticks_linear(double lo, double hi, uint32_t most, Arena *a) {
  return make(lo, hi, nice_step(hi - lo, most), false, a);
}

Ticks ticks_whole(double lo, double hi, uint32_t most, Arena *a) {
  Step s = nice_step(hi - lo, most);
  Ticks t = make(lo, hi, s.exponent < 0 ? (Step){1, 0} : s, true, a);
  t.n_minor = 0;
  return t;
}

/* ---- logarithmic ---- */

static const char *decade_label(int factor, int e, bool plain, Arena *a) {
  if (plain)
    return e < 0 ? fixed(factor, -e, a) : fixed(factor * llround(power_of_ten(e)), 0, a);
  Text out = {.arena = a};
  if (factor != 1)
    text_printf(&out, "%d\xC2\xB7", factor);
  text_add(&out, "10");
  text_raised(&out, e);
  return text_str(&out);
}

static bool inside(double v, double lo, double hi) {
  return v >= lo * (1 - 1e-9) && v <= hi * (1 + 1e-9);
}

/* Marks at factors times each power of ten; those of `stride` decades have labels. */
static Ticks decades(double lo, double hi, int stride, bool fives, Arena *a) {
  int from = (int)floor(log10(lo)), to = (int)ceil(log10(hi));
  bool plain = lo > 0.5e-3 && hi < 5e4;
  size_t room = 9 * (size_t)(to - from + 1) + 1;
  Ticks t = {.major = NEW_ARRAY(a, Tick, room), .minor = NEW_ARRAY(a, double, room)};
  for (int e = from; e <= to; e++)
    for (int f = 1; f <= 9; f++) {
      double at = step_value((Step){f, e}, 1);
      bool labelled = f == 1 ? e % stride == 0 : fives && (f == 2 || f == 5);
      if (!inside(at, lo, hi) || (f > 1 && stride > 1))
        continue;
      if (labelled)
        t.major[t.n_major++] = (Tick){at, decade_label(f, e, plain, a)};
      else
        t.minor[t.n_minor++] = at;
    }
  return t;
}

Ticks ticks_log(double lo, double hi, uint32_t most, Arena *a) {
  double span = log10(hi) - log10(lo); /* hi/lo may be too large for a number */
  uint32_t room = most ? most : 1;
  int stride = span > room ? (int)ceil(span / room) : 1;
  Ticks t = decades(lo, hi, stride, false, a);
  if (t.n_major < 3 && stride == 1 && room >= 3)
    t = decades(lo, hi, 1, true, a);
  return t.n_major < 2 ? ticks_linear(lo, hi, room, a) : t;
}

void ticks_to_ascii(Ticks *t, Arena *a) {
  for (uint32_t k = 0; k < t->n_major; k++) {
    const char *at = t->major[k].label;
    while (*at > 0)
      at++;
    if (!*at || !(t->major[k].at > 0))
      continue;
    int e = (int)floor(log10(t->major[k].at) + 1e-9);
    t->major[k].label = arena_printf(a, "%de%d", (int)lround(t->major[k].at / power_of_ten(e)), e);
  }
}
