#pragma once
/* run/singular.h -- unknowns of full linear systems that have been singular: they cannot be
 * computed again from the states, so that rows hold them. Last for the run; noted in linear.c. */
#include <stdbool.h>

struct RunSingular {
  int *place, n; /* in r */
  bool *is;      /* per place in r; also of discrete variables, which nobody has to be told of */
  bool *told;    /* per variable, and its derivative: that it does not follow from its system */
};
