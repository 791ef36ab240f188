#pragma once
/* run/kind.h -- kinds of parts: what the scheduler asks of a part, whatever is in it. A new kind is
 * a file kind_*.c, a row below, and a line in kind_of (part.c), which says what parts are of it.
 * Order at one time: ends of steps; steps of parts that may have an event at once, so that it is
 * part of the instant; events; other steps. */
#include "run/rooms.h"

typedef enum { TURN_END, TURN_SOON, TURN_EVENT, TURN_STEP } TurnRank;
typedef struct {
  double t; /* INFINITY: it wants nothing any more */
  TurnRank rank;
} Turn;

/* A part runs ahead of the present time: the step that it makes, and the event that it finds in it,
 * have no effect outside before they are accepted. */
typedef struct PartKind {
  const char *name;
  bool steps;   /* a solver makes steps (Part.stepper), between which the run can rest */
  bool follows; /* it has no turns: those that read it take it along */
  Turn (*next)(const Part *p);           /* when it wants attention, and what for */
  RunStatus (*begin)(Part *p, double t); /* it goes on from the values in r at t */
  RunStatus (*ahead)(Part *p);           /* a step; the first event in it is found */
  RunStatus (*accept)(Part *p);          /* the step has come to its end */
  RunStatus (*back)(Part *p, double t);  /* the step ends at t, inside of it */
  void (*wait)(Part *p, double t);       /* it stands at t, where an event has its turn */
  bool (*located)(const Part *p);        /* its event was found in a step: a state event */
} PartKind;

extern const PartKind part_equations; /* states, or relations to watch: a solver makes steps */
extern const PartKind part_discrete;  /* events that are known ahead: samples, relations of time */
extern const PartKind part_follower;  /* no events: evaluated with those that read it */
