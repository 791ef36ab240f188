#pragma once
/* run/trials.h -- relations that depend on what they switch: values on trial (mixed.c). Means
 * something while a mixed system is solved, and until directions have been looked at after that. */
#include "run/rooms.h"

/* Relations of mixed systems at the last trial. Arrays: per relation. */
struct MixedTrials {
  bool *near;            /* its two sides were equal */
  double *a, *b;         /* these are the sides */
  unsigned char *values; /* on trial */
  unsigned char *first;  /* when the search began */
};

int run_mixed(DsData *d, int system, int (*f)(DsData *d));
