/* tests/bench/bench_real.c -- how fast are numbers written, and are they right?
 *   bench_real [COUNT]      default: 10,000,000
 * Random bit patterns: each text must read back as the same bits and have no more digits than the
 * shortest of printf's precisions that does. Then the time per number, for random bits and for the
 * values of a smooth signal, beside snprintf. Exit status 1 if a text is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

static uint64_t seed = 88172645463325252u;

static double random_double(void) {
  for (;;) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    double value;
    memcpy(&value, &seed, sizeof value);
    if (isfinite(value))
      return value;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int digits_of(const char *text) {
  int n = 0, zeros = 0;
  for (; *text && *text != 'e'; text++)
    if (*text >= '0' && *text <= '9' && (n || *text != '0')) {
      zeros = *text == '0' ? zeros + 1 : 0;
      n++;
    }
  return n - zeros;
}

/* Does printf read back with fewer digits than these? */
static bool is_too_long(double value, int digits) {
  char other[40];
  if (digits < 2)
    return false;
  snprintf(other, sizeof other, "%.*e", digits - 2, value);
  return strtod(other, NULL) == value;
}

static long check(long count) {
  long wrong = 0;
  char text[REAL_ROOM];
  for (long i = 0; i < count; i++) {
    double value = random_double();
    real_digits(value, text);
    double back = strtod(text, NULL);
    bool ok = memcmp(&back, &value, sizeof value) == 0 && !is_too_long(value, digits_of(text));
    if (!ok && wrong++ < 10)
      printf("wrong: %a is written %s\n", value, text);
  }
  return wrong;
}

static double signal(long i) { return exp(-1e-6 * (double)i) * sin(1e-3 * (double)i); }

static void speed(long count, bool smooth) {
  char text[64];
  size_t own = 0, theirs = 0;
  double t0 = now();
  for (long i = 0; i < count; i++)
    own += real_digits(smooth ? signal(i) : random_double(), text);
  double t1 = now();
  for (long i = 0; i < count; i++)
    theirs += (size_t)snprintf(text, sizeof text, "%.17g", smooth ? signal(i) : random_double());
  double t2 = now();
  printf("%s: %.0f ns per number (%.1f characters), snprintf %%.17g %.0f ns (%.1f)\n",
         smooth ? "smooth signal" : "random bits", (t1 - t0) / (double)count,
         (double)own / (double)count, (t2 - t1) / (double)count, (double)theirs / (double)count);
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 10000000;
  long wrong = check(count);
  printf("%ld random doubles, %ld wrong\n", count, wrong);
  speed(count / 10, false);
  speed(count / 10, true);
  return wrong ? 1 : 0;
}
