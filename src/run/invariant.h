#pragma once
/* run/invariant.h -- what must be true of every run. Only the hostile build (V=asan) looks; in
 * others these are nothing. */
#include "run/rows.h"

#ifdef NUSIM_HOSTILE
/* An event, or the start, is over: what is discrete has the values that it keeps until the next
 * one. */
void run_invariant_hold(Run *run);
/* In the continuous phase: it still has them; K003 if not. */
RunStatus run_invariant_check(Run *run);
/* The present values are those of a row of this kind: evaluated again from the states they are the
 * same bits; K003 if not. */
RunStatus run_invariant_row(Run *run, RunRowKind kind);
#else
static inline void run_invariant_hold(Run *run) { (void)run; }
static inline RunStatus run_invariant_check(Run *run) { return (void)run, RUN_OK; }
static inline RunStatus run_invariant_row(Run *run, RunRowKind kind) {
  return (void)run, (void)kind, RUN_OK;
}
#endif
