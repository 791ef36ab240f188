#pragma once
/* run/starts.h -- the start: what the initialisation begins with (options.c, set.c), and remembers
 * (initial.c, first_mode.c). Lasts for the run; after the first step only `given` means
 * something. */
#include "base/vec.h"

#include <stdbool.h>

struct RunStarts {
  unsigned char *given; /* per variable: its value was set from outside */
  double *states;       /* start values of the states, before the initial system */
  int *variables; /* per state: its variable, also in modes where it is none; -1: it has no name */
  double *redundant;   /* both sides of each redundant initial condition */
  VEC(int) off_path;   /* blocks whose solution the path of homotopy() does not lead to */
  VEC(uint64_t) modes; /* that the initialisation has left again */
};
