#pragma once
/* run/trace.h -- what is told about events: passes, causes, modes, rests. Lasts for the run, from
 * one event to the next; whatever makes a pass necessary says so by run_cause. */
#include "base/vec.h"
#include "run/rooms.h"

struct Trace {
  uint64_t n_events;
  double last_event;         /* time */
  unsigned char *mode;       /* relations and discrete Booleans after the last event */
  int *booleans, n_booleans; /* places in i of the latter */
  VEC(RunRest) rests;
};

void run_trace_allocate(Run *run);
void run_trace_begin(Run *run, const Scope *sc); /* the initialisation is over */
void run_cause(Run *run, RunCauseKind kind, int number, double a, double b); /* of the next pass */
void run_trace_relations(
    Run *run, const Scope *sc); /* those that change in the next pass are told from now on */
RunStatus run_trace_pass(Run *run, const Scope *sc); /* the pass changed something; before reinit */
/* It did not, but relations have taken other sides, run->cells.spare has the old ones; that is an
 * event of its own? */
RunStatus run_trace_turn(Run *run, const Scope *sc, bool begins);
void run_trace_mode(Run *run, const Scope *sc); /* at the end of an event */
/* The motion begins to stay on a surface; state: see RunRest, or -1 */
void run_trace_rest(Run *run, int relation, int state);
