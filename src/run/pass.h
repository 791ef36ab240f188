#pragma once
/* run/pass.h -- what lives for one pass of an event, or of the start: what its equations ask for
 * (host.c), structures that it tries (mode.c), and how states jump between them (jump.c). */
#include "base/vec.h"
#include "run/rooms.h"

struct Pass {
  bool jumps;            /* reinit changes a state */
  bool taken_back;       /* a crossing counts that the equations contradict: not the last pass */
  unsigned char *reinit; /* per state */
  double *reinit_value;
  /* Where equations change with the mode */
  bool mode_changed;
  unsigned char *before;            /* a copy of the block from its beginning */
  VEC(const Workspace *) tried;     /* structures that it has been in */
  bool *wanted;                     /* per condition: what the last mode that was tried asks for */
  double *before_jump, *after_jump; /* states */
  bool has_pulses;
  double *relation_area; /* per relation: area of the pulse in the difference of its sides */
  VEC(RunCause) notes;   /* RUN_MODE_... */
};
