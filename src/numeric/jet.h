#pragma once
/* numeric/jet.h -- a value with its first two derivatives along a motion, exactly.
 * Derivatives that do not exist (a kink, a jump) or are not known are no numbers. */
#include "numeric/enclosure.h"

typedef struct {
  double v, d, dd;
  /* Sums of the absolute values of what the derivatives come from: measures of their rounding. 0:
   * nothing in it moves. */
  double d_size, dd_size;
} Jet;

static inline Jet jet_number(double v) { return (Jet){.v = v}; }
Jet jet_of(double v, double d, double dd);
/* The operators of enclosure.h; b: NULL, or not used, for those of one operand. */
Jet jet_apply(EncloseOp op, const Jet *a, const Jet *b);
Jet jet_if(const Jet *condition, const Jet *a, const Jet *b);
