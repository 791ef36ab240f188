/* numeric/root.c -- guesses inside a bracket: regula falsi with halved end values (Illinois, Dowell and Jarratt, BIT 11, 1971),
 * and a bisection in every third round, so that the bracket shrinks whatever the function does. */
#include "numeric/numeric.h"

#include <math.h>

double bracket_guess(const Bracket *b) {
  double middle = b->lo + (b->hi - b->lo) / 2;
  double difference = b->f_hi - b->f_lo;
  if (b->rounds % 3 == 2 || !isfinite(difference) || difference == 0)
    return middle;
  double x = b->lo - b->f_lo * (b->hi - b->lo) / difference;
  /* a guess at an end would not move: step inside by a sliver */
  double sliver = (b->hi - b->lo) * 1e-3;
  if (!(x > b->lo + sliver))
    x = b->lo + sliver;
  if (!(x < b->hi - sliver))
    x = b->hi - sliver;
  return x > b->lo && x < b->hi ? x : middle;
}

void bracket_move(Bracket *b, double x, double f, bool low) {
  b->rounds++;
  if (low) {
    b->lo = x, b->f_lo = f;
    if (b->side < 0)
      b->f_hi /= 2;
    b->side = -1;
  } else {
    b->hi = x, b->f_hi = f;
    if (b->side > 0)
      b->f_lo /= 2;
    b->side = 1;
  }
}
