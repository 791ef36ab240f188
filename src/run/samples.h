#pragma once
/* run/samples.h -- instants of sample(): start + next*interval, never summed up. Last for the run;
 * set by the initialisation, `next` by the events that they make (instant.c). */
#include <stdint.h>

/* Arrays: per sample. */
struct RunSamples {
  double *start, *interval; /* s */
  uint64_t *next;
};
