/* run/schedule.c -- which part goes on next, so that all of them get to the pause, and what happens
 * meanwhile happens in order of time. Each part has made a step ahead of the present time, or is
 * about to; the one whose step, or the event in it, ends first has its turn. What happens at an
 * event is decided by its equations (instant.c); here those parts begin anew that it touched: whose
 * discrete values or states it changed, and those that read from them. The others go on in the
 * middle of their steps.
 * Order at one time: ends of steps; steps of parts that may have an event at once, so that it is
 * part of the instant; events; other steps. A part makes its step after those that it reads from,
 * and none goes further than they have; it ends its step before they do, because it may still want
 * to know where they were. */
#include "run/schedule.h"
#include "run/core.h"
#include "run/instant.h"
#include "run/invariant.h"
#include "run/kind.h"
#include "run/look.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/rows.h"
#include "run/tolerances.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the queue ---- */

/* Nothing happens to it any more, or right now. */
static bool waits(const Part *p, Turn turn) { return p->touched || turn.t == INFINITY; }

/* The order that the head of this file gives */
static bool before(const Part *p, const Part *q) {
  Turn a = p->kind->next(p), b = q->kind->next(q);
  if (waits(p, a) || waits(q, b))
    return !waits(p, a);
  if (a.t != b.t)
    return a.t < b.t;
  /* who reads steps after its sources, and ends its step before them: parts are numbered that way
   */
  return a.rank != b.rank                             ? a.rank < b.rank
         : a.rank == TURN_STEP || a.rank == TURN_SOON ? p->number < q->number
                                                      : p->number > q->number;
}

static void put(Run *run, int at, int part) {
  run->queue->heap[at] = part;
  run->queue->at[part] = at;
}

/* The part that belongs at `at`, or below: to its place. */
static void sink(Run *run, int at, const Part *p) {
  for (int down; (down = 2 * at + 1) < run->n_parts; at = down) {
    if (down + 1 < run->n_parts &&
        before(&run->parts[run->queue->heap[down + 1]], &run->parts[run->queue->heap[down]]))
      down++;
    if (!before(&run->parts[run->queue->heap[down]], p))
      break;
    put(run, at, run->queue->heap[down]);
  }
  put(run, at, p->number);
}

/* The part has changed: to its place in the queue. Keep: nothing else has changed since the queue
 * was last in order. */
static void queue_again(Run *run, const Part *p) {
  if (run->n_parts == 1)
    return;
  int at = run->queue->at[p->number];
  for (int up; at > 0 && before(p, &run->parts[run->queue->heap[up = (at - 1) / 2]]); at = up)
    put(run, at, run->queue->heap[up]);
  sink(run, at, p);
}

/* from the last that has something below it, so that each sinks into an ordered part */
static void queue_all(Run *run) {
  for (int at = run->n_parts / 2; at-- > 0;)
    sink(run, at, &run->parts[run->queue->heap[at]]);
}

void run_schedule_make(Run *run) {
  run->queue->heap = NEW_ARRAY(run->a, int, run->n_parts);
  run->queue->at = NEW_ARRAY(run->a, int, run->n_parts);
  for (int k = 0; k < run->n_parts; k++)
    put(run, k, k);
}

static Part *first(const Run *run) { return &run->parts[run->queue->heap[0]]; }

/* It waits until the event at work is over, and begins anew then. */
static void touch(Run *run, Part *p) {
  p->touched = true;
  queue_again(run, p);
}

/* ---- beginning anew ---- */

RunStatus run_begin_all(Run *run, double t) {
  RunStatus status = RUN_OK;
  for (int k = 0; k < run->n_parts && status == RUN_OK; k++) {
    Part *p = &run->parts[k];
    p->touched = false;
    status = p->kind->begin(p, t);
  }
  /* only now: the parts have new turns all together */
  if (status == RUN_OK)
    queue_all(run);
  run->stage.underway = true;
  return status;
}

/* ---- what an event touched ---- */

/* Is a stretch of values as it was when the event began? */
static bool same(const Run *run, const void *at, size_t n) {
  return !memcmp(at, run->instant->entry + ((const unsigned char *)at - run->block), n);
}

static bool keeps(const Run *run, int part) {
  const DsPart *p = &run->m->parts[part];
  const DsData *d = &run->d;
  /* what its readers can see of it; other Reals follow from these */
  for (int k = 0; k < p->n_discrete; k++)
    if (!same(run, d->r + run->m->discrete_reals[p->discrete + k], sizeof *d->r))
      return false;
  return same(run, d->r + p->x, (size_t)p->n_x * sizeof *d->r) &&
         same(run, d->i + p->i, (size_t)p->n_i * sizeof *d->i) &&
         same(run, d->s + p->s, (size_t)p->n_s * sizeof *d->s) &&
         same(run, d->relation + p->relation, (size_t)p->n_relations);
}

static bool reads_touched(const Run *run, int part) {
  const DsPart *p = &run->m->parts[part];
  for (int k = 0; k < p->n_reads; k++)
    if (run->parts[p->reads[k]].touched)
      return true;
  return false;
}

/* Marks the parts of the scope that must begin anew. */
static void find_touched(Run *run, const Scope *sc) {
  /* slides: the fields are others from now on, although no value has changed */
  for (int k = 0; k < sc->n_parts; k++)
    if (!keeps(run, sc->parts[k]) || run->parts[sc->parts[k]].slide.changed)
      touch(run, &run->parts[sc->parts[k]]);
  /* readers of readers, too */
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < sc->n_parts; k++) {
      Part *p = &run->parts[sc->parts[k]];
      if (!p->touched && reads_touched(run, p->number)) {
        touch(run, p);
        more = true;
      }
    }
  }
}

/* The step of a part ends at t; what was found in the rest of it has not happened. */
static RunStatus cut(Run *run, Part *p, double t) {
  RunStatus status = p->kind->back(p, t);
  EACH_RELATION (&p->scope, k)
    run->rel->fired[k] = false;
  p->kind->wait(p, t);
  return status;
}

/* Parts that the event may touch, and that have found an event later in their step or keep a past:
 * they stop here. */
static RunStatus stop_others(Instant *in, double t) {
  Run *run = in->run;
  const Scope *sc = in->scope;
  RunStatus status = RUN_OK;
  /* an event of the whole ends all steps anyway */
  for (int k = 0; k < sc->n_parts && status == RUN_OK && !sc->all; k++) {
    Part *p = &run->parts[sc->parts[k]];
    if (!p->touched && p->phase.in_step &&
        (p->phase.theta > 0 || run->m->parts[p->number].delays)) {
      touch(run, p);
      status = cut(run, p, t);
    }
  }
  return status;
}

static RunStatus begin_touched(Run *run, const Scope *sc, double t) {
  RunStatus status = RUN_OK;
  if (sc->all)
    return run_begin_all(run, t);
  find_touched(run, sc);
  for (int k = 0; k < sc->n_parts && status == RUN_OK; k++) {
    Part *p = &run->parts[sc->parts[k]];
    /* the next event may touch it again */
    bool touched = p->touched;
    p->touched = false;
    /* parts that only follow have no step of their own to go on in */
    if (touched || p->kind->follows)
      status = p->kind->begin(p, t);
    if (touched)
      queue_again(run, p);
  }
  return status;
}

static RunStatus happen(Instant *in, double t, bool located) {
  Run *run = in->run;
  RunStatus status = stop_others(in, t);
  if (status == RUN_OK && (!located || run_event_holds(in, t)))
    status = run_event(in, t, located);
  /* at the end of the run nothing begins any more */
  return status == RUN_OK && !run->stage.terminated && !run->d.terminal
             ? begin_touched(run, in->scope, t)
             : status;
}

/* ---- steps ---- */

static RunStatus take_turn(Run *run, Part *p, TurnRank rank) {
  RunStatus status = rank == TURN_END ? p->kind->accept(p) : p->kind->ahead(p);
  /* it may have ended its step, or found something in it */
  queue_again(run, p);
  return status == RUN_OK ? run_invariant_check(run) : status;
}

/* ---- events ---- */

/* Parts whose event is at this instant, or differs from it by rounding only: a sample at 3*0.1 and
 * one at 0.3 happen together. They wait until it is over. */
static RunStatus gather(Run *run, double *t) {
  double end = *t + run_tolerances.together * DBL_EPSILON * fabs(*t);
  RunStatus status = RUN_OK;
  run->instant->n_began = 0;
  while (status == RUN_OK) {
    Part *p = first(run);
    Turn turn = p->kind->next(p);
    if (waits(p, turn) || turn.t > end)
      break;
    if (turn.rank == TURN_EVENT) {
      /* the instant of the event is the last of those that are one */
      *t = fmax(*t, turn.t);
      run->instant->began[run->instant->n_began++] = p->number;
      touch(run, p);
    } else if (turn.rank == TURN_STEP && run->divided && run->m->parts[p->number].n_reads)
      break; /* the event may change what it reads */
    else
      status = take_turn(run, p, turn.rank);
  }
  return status;
}

static RunStatus have_event(Run *run, double t) {
  bool located = false;
  RunStatus status = gather(run, &t);
  for (int k = 0; k < run->instant->n_began && status == RUN_OK; k++) {
    Part *p = &run->parts[run->instant->began[k]];
    /* one of them was located: then the event is one of the solution */
    located = located || p->kind->located(p);
    status = p->kind->back(p, p->kind->next(p).t);
    p->kind->wait(p, t);
  }
  if (status == RUN_OK)
    status = run_invariant_check(run);
  if (status != RUN_OK)
    return status;
  run_touch(run);
  return happen(run->instant, t, located);
}

RunStatus run_happen_to_all(Run *run, double t) {
  RunStatus status = RUN_OK;
  /* wherever the parts are in their steps, they end them here */
  for (int k = 0; k < run->n_parts && status == RUN_OK; k++)
    status = cut(run, &run->parts[k], t);
  Instant *in = run->instant;
  in->part = run->parts;
  in->scope = run->whole;
  in->n_began = 0;
  return status == RUN_OK ? happen(in, t, false) : status;
}

/* A pause at time t, at which nothing is left to do but steps, for a checkpoint. That of the caller
 * is still to come. */
static RunStatus rest(Run *run, double t) {
  double pause = run->stage.pause;
  run->stage.pause = t;
  RunStatus status = run_look(run);
  if (status == RUN_OK)
    run->options->checkpoint(run->options->progress_user);
  run_look_away(run);
  run->stage.pause = pause;
  return status;
}

/* A row at the end of a step waits until it is clear that no part has an event there. */
RunStatus run_go_on(Run *run) {
  RunStatus status = RUN_OK;
  while (status == RUN_OK && !run->stage.terminated) {
    Part *p = first(run);
    Turn turn = p->kind->next(p);
    /* every part waits: only rows are left */
    if (waits(p, turn))
      return run_grid_rows(run, run->stage.pause, false);
    double t = turn.t;
    /* a step that leads beyond the pause is made when the run goes on */
    if (turn.rank == TURN_STEP && t >= run->stage.pause)
      return run->divided ? run_grid_rows(run, run->stage.pause, false) : RUN_OK;
    if (turn.rank == TURN_STEP && run->options->due &&
        run->options->due(run->options->progress_user))
      status = rest(run, t);
    else if (turn.rank == TURN_END || turn.rank == TURN_EVENT)
      status = run_grid_rows(run, t,
                             run->divided || turn.rank == TURN_EVENT ||
                                 (p->phase.timed && t >= p->phase.until));
    /* after the pause the turn is the same, but it waits */
    if (status != RUN_OK || t > run->stage.pause)
      break;
    status = turn.rank == TURN_EVENT ? have_event(run, t) : take_turn(run, p, turn.rank);
  }
  return status;
}
