#pragma once
/* run/instant.h -- one event: time stands still, passes over the equations follow each other until
 * nothing changes. The scheduler says where it begins, instant.c does the rest; what lives for one
 * pass of it is in pass.h. */
#include "base/vec.h"
#include "run/rooms.h"

/* Two sides that are as good as equal: which way their difference goes. */
typedef struct {
  double a, b;
  int sign; /* of a - b a moment later */
} RunTurn;

/* A scope that is put together at an event, with room for everything. */
typedef struct {
  Scope scope;
  int *parts, *seen, *relations, *samples, *discrete, *pre_reads, *states;
  RunRange *ranges;
} EventScope;

/* Everything that lives for one event. */
struct Instant {
  Run *run;
  const Scope *scope;   /* what it may touch */
  Part *part;           /* the first of those at which it began */
  EventScope *room;     /* for its scope; NULL: the model is one part */
  int *began, n_began;  /* parts at which it began */
  unsigned char *entry; /* a copy of the block from its beginning */
  uint32_t step;        /* number of the pass; 0: before the first */
  RunCause *causes;     /* of that pass */
  uint32_t n_causes;
  uint32_t jumps; /* passes so far in which states have jumped, or other equations begun to hold */
  VEC(RunTurn) turns;  /* comparisons that were decided by their direction */
  bool is_event;       /* an event, not the start */
  bool is_state_event; /* it is one, or has been followed by one at its instant */
  bool told;           /* there are rows of it */
  bool changed_mode;   /* the structure is another one than before it */
  bool departed;       /* a relation took the side that it moves to, and was on its band before */
  /* Values of relations: before the pass; after it, or a moment later; and after a longer one */
  unsigned char *was, *next, *later;
};

RunStatus run_equations(Run *run, const Scope *sc, int what); /* told if it fails */
/* Of the scope; located: found by relations, not by its time */
/* Methods that keep a history are put back onto the constraints only where they stop. There a
 * relation that was located may not have changed yet: it no longer fires. False: nothing else does
 */
bool run_event_holds(Instant *in, double t);
RunStatus run_event(Instant *in, double t, bool located);
/* Pre values stay, and what reinit asks for waits */
RunStatus run_one_pass(Instant *in, bool *changed);
void run_apply_reinit(Instant *in);
/* Does a discrete variable differ from its value before the pass? */
bool run_discrete_changed(const Instant *in);
RunStatus run_passes(Instant *in);           /* passes until nothing changes any more */
RunStatus run_settle_initially(Instant *in); /* the same at the start, with the modes that last */
/* Next time event of the scope; equal to the present time if one is due now */
double run_next_time(Run *run, const Scope *sc, bool *found);
