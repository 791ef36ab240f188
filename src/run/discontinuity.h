#pragma once
/* run/discontinuity.h -- steps that collapse at jumps which make no event: found (collapse.c) and
 * named (discontinuity.c). */
#include "base/source.h"
#include "base/tape.h"
#include "run/rooms.h"

/* What a part remembers of its last steps. */
typedef struct {
  double fails;       /* rejected trials of late */
  uint64_t small;     /* steps in a row far below the pace */
  uint64_t collapses; /* so far */
  bool collapsed;     /* the step is far below the pace, or trials are rejected in a row */
  bool jumps;         /* a jump was found at the last look */
  bool begins;        /* relations under noEvent make events from here on */
  int place;          /* number of it, if it has a name */
} StepWatch;

/* A point of the motion: all Reals there. */
typedef struct {
  double time;
  double *r;
} RunPoint;

/* Two points next to each other between which slopes jump, and the two further apart that they were
 * found between. */
typedef struct {
  RunPoint at[4]; /* next to each other: 0, 1; around them: 2, 3 */
  int state;      /* whose slope jumps most */
} RunGap;

/* Where a jump comes from. */
typedef struct {
  Span span;
  const char *text;        /* the expression, or a variable */
  const char *note, *help; /* NULL: none */
} RunJumpPlace;

/* The structure of the mode that a jump was last named in. */
typedef struct {
  const struct Structure *s; /* NULL: it cannot be built */
  const unsigned char *mode; /* DsModel.mode; NULL: none was needed */
  int n;                     /* that were built */
} RunNaming;

/* After a good step of the part at work, that so many trials came before. */
void run_watch_step(Part *p, uint64_t rejected);
/* Which parts have relations that make events, now: those under noEvent begin to do so as the run
 * goes on */
void run_watch_monitor(Run *run);
/* In an event: relations under noEvent that were found to jump make events from now on. */
void run_watch_begin(Run *run, const Scope *sc);
bool run_step_jumps(const Part *p);      /* the step of the part at work is limited by a jump */
void run_tell_discontinuities(Run *run); /* at the end: those that have not been told */
void run_watch_keep(StepWatch *w, Tape *t);
/* What jumps between the points; false: nothing is known of the equations. */
bool run_jump_place(Run *run, const RunGap *gap, RunNaming *nm, RunJumpPlace *out);
