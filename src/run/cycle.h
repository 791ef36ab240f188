#pragma once
/* run/cycle.h -- passes of an event that never settle (cycle.c). */
#include "run/rooms.h"

/* The search for a state that comes back in the passes of one event. */
typedef struct {
  uint64_t kept, power, steps; /* a state; passes until it is replaced; passes since */
} Cycle;

/* Passes after which this state has come back; 0: it has not yet */
uint64_t run_cycle_length(Cycle *c, uint64_t state);
/* Goes through the circle once more, and tells it */
RunStatus run_tell_cycle(Instant *in, uint64_t length);
RunStatus run_tell_endless(Run *run, uint64_t passes);
