#pragma once
/* plot/ticks.h -- round numbers along an axis. */
#include "base/text.h"

typedef struct {
  double at;
  const char *label; /* in the numbers that Ticks.exponent and offset tell */
} Tick;

typedef struct {
  Tick *major;
  double *minor; /* between them */
  uint32_t n_major, n_minor;
  int exponent; /* the label says (at - offset)/10^exponent */
  double offset;
} Ticks;

/* Multiples of 1, 2 or 5 times a power of ten in lo ... hi, about as many as asked for; lo < hi. */
Ticks ticks_linear(double lo, double hi, uint32_t most, Arena *a);
/* The same in whole numbers without exponent and offset. */
Ticks ticks_whole(double lo, double hi, uint32_t most, Arena *a);
/* Powers of ten; where the range is small 1, 2 and 5 times these, or less. 0 < lo < hi. */
Ticks ticks_log(double lo, double hi, uint32_t most, Arena *a);

/* Labels such as 10⁻⁴ become 1e-4. */
void ticks_to_ascii(Ticks *t, Arena *a);

/* 10 to a small power, and the exponent as raised digits: ³. */
double power_of_ten(int exponent);
void text_raised(Text *out, int number);
