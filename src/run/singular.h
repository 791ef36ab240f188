#pragma once
/* run/singular.h -- Reals that cannot be computed again from the states, so that rows hold them:
 * unknowns of full linear systems that have been singular (linear.c), and what follows from motions
 * that slide (run_record in slide.c). A list that only grows while the run lasts. */
#include <stdbool.h>

struct RunSingular {
  int *place, n; /* in r */
  bool *is;      /* per place in r; also of discrete variables, which nobody has to be told of */
  bool *told;    /* per variable, and its derivative: that it does not follow from its system */
};
