#pragma once
/* run/look.h -- values in the middle of a step, for who looks at the run in a pause. What the run
 * goes on with is put aside meanwhile: whatever evaluations change has a place here. */
#include "run/rooms.h"
#include "run/memory.h"

/* The values at the present time, in the middle of a step: a look that leaves no trace when the run
 * goes on. */
struct Look {
  bool on;
  unsigned char *block; /* what the run goes on with, as is what follows up to the generators */
  double time;
  const Scope *current;
  bool failed;
  uint64_t evaluations;
  RandomState *random;
  uint32_t n_random, room_random;
  unsigned char *shown; /* values of the row at the present time */
  double shown_time;    /* NaN: there is none */
};

void run_pause_allocate(Run *run);
void run_look_room(Run *run, uint32_t n_random);
void run_look_aside(Run *run); /* what the run goes on with: until run_look_away */
void run_note_row(Run *run);   /* the present values are those of a row */
RunStatus run_look(Run *run);  /* values at run->stage.pause */
void run_look_away(Run *run);  /* back to those that the run goes on with */
