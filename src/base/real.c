/* base/real.c -- the shortest decimal digits that read back as the same double.
 * How:  R. Giulietti, The Schubfach way to render doubles, 2020: the interval of reals that round
 *       to the double is scaled by a power of ten such that it holds at least one whole number and
 *       at most one multiple of ten among few; 128 bits of the power decide exactly. The digits are
 *       laid out like printf's %g with the precision they need, 15 at least.
 * Keep: no locale, no rounding mode and no table made at run time has a part in it. */
#include <string.h>

#include "base/text.h"

typedef struct {
  uint64_t hi, lo;
} Power;

static const Power powers[] = {
#define POWER(hi, lo) {hi, lo},
#include "base/powers.def"
#undef POWER
};
enum { LEAST_POWER = -292, MANTISSA_BITS = 52, BIAS = 1075, EXPONENTS = 0x7ff };

/* digits * 10^exponent */
typedef struct {
  uint64_t digits;
  int exponent;
} Decimal;

/* floor(log2(10^k)), floor(log10(2^q)), floor(log10(3/4*2^q)); exact in the range of doubles */
static int log2_of_10(int k) { return (k * 1741647) >> 19; }
static int log10_of_2(int q) { return (q * 1262611) >> 22; }
static int log10_of_3_4(int q) { return (q * 1262611 - 524031) >> 22; }

__extension__ typedef unsigned __int128 Wide;

/* The upper part of power*c; its last bit is set if anything was cut off. */
static uint64_t scaled(Power p, uint64_t c) {
  Wide low = (Wide)p.lo * c, high = (Wide)p.hi * c + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* c*2^q, c > 0; `uneven`: the double below is only half as far away as the one above. */
static Decimal shortest(uint64_t c, int q, bool uneven) {
  bool even = c % 2 == 0; /* then the ends of the interval belong to it */
  int k = uneven ? log10_of_3_4(q) : log10_of_2(q), h = q + log2_of_10(-k) + 1;
  Power p = powers[-k - LEAST_POWER];
  uint64_t value = scaled(p, 4 * c << h), low = scaled(p, (4 * c - 2 + uneven) << h) + !even;
  uint64_t high = scaled(p, (4 * c + 2) << h) - !even, s = value / 4;
  /* one digit less, if exactly one of its two neighbours lies inside */
  if (s >= 10) {
    uint64_t tens = s / 10;
    bool below = low <= 40 * tens, above = 40 * tens + 40 <= high;
    if (below != above)
      return (Decimal){tens + above, k + 1};
  }
  bool below = low <= 4 * s, above = 4 * s + 4 <= high;
  if (below != above)
    return (Decimal){s + above, k};
  /* both inside: the nearer one, of two equally near ones the even one */
  uint64_t middle = 4 * s + 2;
  return (Decimal){s + (value > middle || (value == middle && s % 2)), k};
}

static Decimal decimal_of(uint64_t bits) {
  uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
  int exponent = (int)(bits >> MANTISSA_BITS & EXPONENTS);
  uint64_t c = exponent ? fraction | (uint64_t)1 << MANTISSA_BITS : fraction;
  int q = (exponent ? exponent : 1) - BIAS;
  /* whole numbers below 2^53 */
  if (q <= 0 && q > -MANTISSA_BITS - 1 && !(c & (((uint64_t)1 << -q) - 1)))
    return (Decimal){c >> -q, 0};
  return shortest(c, q, !fraction && exponent > 1);
}

/* ---- layout ---- */

static char *put_exponent(char *to, int x) {
  *to++ = 'e';
  *to++ = x < 0 ? '-' : '+';
  unsigned e = (unsigned)(x < 0 ? -x : x);
  if (e >= 100)
    *to++ = (char)('0' + e / 100);
  *to++ = (char)('0' + e / 10 % 10);
  *to++ = (char)('0' + e % 10);
  return to;
}

static char *put_digits(char *to, const char *digits, int n) {
  memcpy(to, digits, (size_t)n);
  return to + n;
}

/* n digits, the first one worth 10^x. */
static char *lay_out(char *to, const char *digits, int n, int x) {
  if (x < -4 || x >= (n > 15 ? n : 15)) {
    *to++ = digits[0];
    if (n > 1) {
      *to++ = '.';
      to = put_digits(to, digits + 1, n - 1);
    }
    return put_exponent(to, x);
  }
  if (x < 0) {
    to = put_digits(to, "0.000", 1 - x);
    return put_digits(to, digits, n);
  }
  int whole = n < x + 1 ? n : x + 1;
  to = put_digits(to, digits, whole);
  for (int k = whole; k <= x; k++)
    *to++ = '0';
  if (n > whole) {
    *to++ = '.';
    to = put_digits(to, digits + whole, n - whole);
  }
  return to;
}

size_t real_digits(double value, char out[REAL_ROOM]) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bool negative = bits >> 63, special = (bits >> MANTISSA_BITS & EXPONENTS) == EXPONENTS;
  char *to = out, digits[20];
  if (special) {
    const char *word = bits << (64 - MANTISSA_BITS) ? "nan" : negative ? "-inf" : "inf";
    strcpy(out, word);
    return strlen(word);
  }
  if (negative)
    *to++ = '-';
  Decimal d = bits << 1 ? decimal_of(bits) : (Decimal){0, 0};
  while (d.digits && d.digits % 10 == 0)
    d.digits /= 10, d.exponent++;
  int n = 0;
  do
    digits[sizeof digits - 1 - (size_t)n++] = (char)('0' + d.digits % 10), d.digits /= 10;
  while (d.digits);
  to = lay_out(to, digits + sizeof digits - n, n, d.exponent + n - 1);
  *to = 0;
  return (size_t)(to - out);
}
