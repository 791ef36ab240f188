#pragma once
/* structure/slice.h -- the part of the equations that some variables follow from. */
#include "structure/sorted.h"

/* A slice: what must be computed, and nothing else, to get the values of some variables at a point
 * whose record is known. */
#define WHOLE_BLOCK UINT32_MAX
typedef struct {
  uint32_t block; /* of the simulation */
  /* The unknown to compute, of a block whose iterated unknowns are recorded; or WHOLE_BLOCK */
  uint32_t part;
} SStep;
typedef struct {
  uint32_t n_steps, n_reads;
  const SStep *steps; /* in order of evaluation */
  /* Recorded places in r that it needs, those that are wanted themselves included; ascending */
  const uint32_t *reads;
  /* It needs values that change at events: discrete ones, inputs, relations, pre */
  bool discrete;
  uint32_t missing; /* after false: an SVar that cannot be computed and is not recorded */
} SSlice;
/* wanted: numbers of flat variables, or -1 - number for the derivative of one; recorded: per place
 * in r. */
bool structure_slice(const Structure *s, const int *wanted, uint32_t n, const bool *recorded,
                     Arena *a, SSlice *out);
