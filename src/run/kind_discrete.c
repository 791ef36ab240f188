/* run/kind_discrete.c -- parts without a solver: samplers and logic whose events are known ahead,
 * and parts without events that only their readers take along.
 * A part of the first kind has no states, and all its relations are relations of time: nothing can
 * happen to it between two of its instants but by what it reads.
 * Keep: it solves no simultaneous equations, whose solution would depend on where it was last. */
#include <math.h>

#include "run/core.h"
#include "run/guess.h"
#include "run/instant.h"
#include "run/kind.h"
#include "run/linear.h"
#include "run/part.h"
#include "run/relations.h"

/* ---- from one instant to the next ---- */

static Turn next(const Part *p) { return (Turn){p->over ? INFINITY : p->phase.until, TURN_EVENT}; }

static RunStatus begin(Part *p, double t) {
  Run *run = p->run;
  run->d.time = t;
  run_keep_guess(p);
  run_forget_matrices(run, &p->scope);
  run_hold_sides(run, &p->scope);
  bool found;
  double until = run_next_time(run, &p->scope, &found);
  /* what is due at the very end does not happen any more, unless the run has no length */
  p->over = !found || (until >= run->goal.stop && run->goal.start < run->goal.stop);
  p->phase = (Phase){.until = until};
  return RUN_OK;
}

static RunStatus nothing(Part *p) { return (void)p, RUN_OK; }
static RunStatus nothing_at(Part *p, double t) { return (void)p, (void)t, RUN_OK; }
static void stand(Part *p, double t) { (void)p, (void)t; }
static bool never(const Part *p) { return (void)p, false; }

const PartKind part_discrete = {.name = "discrete",
                                .next = next,
                                .begin = begin,
                                .ahead = nothing,
                                .accept = nothing,
                                .back = nothing_at,
                                .wait = stand,
                                .located = never};

/* ---- no events ---- */

static Turn no_turn(const Part *p) { return (void)p, (Turn){INFINITY, TURN_STEP}; }

/* What an event has found for it is where it goes on. */
static RunStatus keep_guess(Part *p, double t) { return (void)t, run_keep_guess(p), RUN_OK; }

const PartKind part_follower = {.name = "follower",
                                .follows = true,
                                .next = no_turn,
                                .begin = keep_guess,
                                .ahead = nothing,
                                .accept = nothing,
                                .back = nothing_at,
                                .wait = stand,
                                .located = never};
