#pragma once
/* run/blame.h -- the expression to blame for values that are not finite (blame.c). */
#include "run/rooms.h"

enum { BLAME_NOTES = 6 };
typedef struct {
  Span span;        /* of the equation */
  const char *text; /* the expression in it that has no finite value, and why */
  const char *notes[BLAME_NOTES];
  uint32_t n_notes;
} RunBlame;
/* The first expression that is not finite at the present values; false if there is none or it is
 * not known. */
bool run_blame(Run *run, RunBlame *out);
/* Declared limits of a variable, where they are known; else infinite. */
void run_limits(Run *run, int variable, double *low, double *high);
