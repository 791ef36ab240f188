/* run/schedule.c -- which part goes on next, so that all of them get to the pause, and what happens meanwhile happens in order of time.
 * Each part has made a step ahead of the present time, or is about to; the one whose step, or the event in it, ends first has its turn.
 * What happens at an event is decided by its equations (event.c); here those parts begin anew that it touched: whose discrete values or
 * states it changed, and those that read from them. The others go on in the middle of their steps.
 * Order at one time: ends of steps; steps of parts that may have an event at once, so that it is part of the instant; events; other steps. A part makes its step after those that it reads from, and none goes further than
 * they have; it ends its step before they do, because it may still want to know where they were. */
#include "run/invariant.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the queue ---- */

typedef enum { TURN_END, TURN_SOON, TURN_EVENT, TURN_STEP } Turn;

double run_next(const Part *p) {
  const Stepper *s = p->stepper;
  if (!p->phase.in_step)
    return s->t;
  return p->phase.theta > 0 && p->phase.theta < 1 ? s->t + p->phase.theta * (s->t1 - s->t) : s->t1;
}

static Turn turn_of(const Part *p) {
  if (p->phase.in_step)
    return p->phase.theta > 0 ? TURN_EVENT : TURN_END;
  return p->due ? TURN_EVENT : p->soon ? TURN_SOON : TURN_STEP;
}

/* Nothing happens to it any more, or right now. */
static bool waits(const Part *p) { return !p->steps || p->over || p->touched; }

static bool before(const Part *p, const Part *q) {
  if (waits(p) || waits(q))
    return !waits(p);
  double t = run_next(p), u = run_next(q);
  if (t != u)
    return t < u;
  Turn a = turn_of(p), b = turn_of(q);
  return a != b ? a < b : a == TURN_STEP || a == TURN_SOON ? p->number < q->number : p->number > q->number;
}

static void put(Run *run, int at, int part) {
  run->queue[at] = part;
  run->queued[part] = at;
}

/* The part that belongs at `at`, or below: to its place. */
static void sink(Run *run, int at, const Part *p) {
  for (int down; (down = 2 * at + 1) < run->n_parts; at = down) {
    if (down + 1 < run->n_parts && before(&run->parts[run->queue[down + 1]], &run->parts[run->queue[down]]))
      down++;
    if (!before(&run->parts[run->queue[down]], p))
      break;
    put(run, at, run->queue[down]);
  }
  put(run, at, p->number);
}

/* The part has changed: to its place in the queue. Keep: nothing else has changed since the queue was last in order. */
static void queue_again(Run *run, const Part *p) {
  if (run->n_parts == 1)
    return;
  int at = run->queued[p->number];
  for (int up; at > 0 && before(p, &run->parts[run->queue[up = (at - 1) / 2]]); at = up)
    put(run, at, run->queue[up]);
  sink(run, at, p);
}

static void queue_all(Run *run) {
  for (int at = run->n_parts / 2; at-- > 0;)
    sink(run, at, &run->parts[run->queue[at]]);
}

void run_schedule_make(Run *run) {
  run->queue = NEW_ARRAY(run->a, int, run->n_parts);
  run->queued = NEW_ARRAY(run->a, int, run->n_parts);
  for (int k = 0; k < run->n_parts; k++)
    put(run, k, k);
}

static Part *first(const Run *run) { return &run->parts[run->queue[0]]; }

/* It waits until the event at work is over, and begins anew then. */
static void touch(Run *run, Part *p) {
  p->touched = true;
  queue_again(run, p);
}

/* ---- beginning anew ---- */

/* What comes next in time for the part at work: an event now, or a phase up to the next one, or nothing. */
static void open_phase(Run *run) {
  Part *p = run->part;
  bool found;
  double t = run->d.time = p->stepper->t, next = run_next_time(run, &found);
  /* what is due at the very end does not happen any more */
  bool over = t >= run->stop;
  p->due = found && next <= t && (!over || run->start >= run->stop);
  p->over = over && !p->due;
  bool timed = found && next < run->stop;
  p->phase = p->due || over ? (Phase){0} : (Phase){.until = timed ? next : run->stop, .timed = timed, .largest = run_largest_step(run)};
}

/* A relation of the part is on its band where its next step begins: its event may be at once. One that reads others waits for
 * theirs. */
static bool has_event_soon(const Run *run, const Part *p) {
  for (int q = 0; q < p->scope.n_relations && run->divided && p->scope.n_seen == 1; q++) {
    int k = p->scope.relations[q];
    if (!run->m->relations[k].timed && !run->relations[k].stuck && fabs(run->z_start[k]) <= run_band(run, k))
      return true;
  }
  return false;
}

/* The part goes on from the values in r at that time. */
static RunStatus begin(Run *run, Part *p, double t) {
  run_work_on(run, p);
  run_select(run);
  run->failure.any = false;
  run->d.time = t;
  if (!run_solver_begin(run))
    return RUN_FAILED;
  open_phase(run);
  p->soon = has_event_soon(run, p);
  return RUN_OK;
}

RunStatus run_begin_all(Run *run, double t) {
  RunStatus status = RUN_OK;
  for (int k = 0; k < run->n_parts && status == RUN_OK; k++) {
    run->parts[k].touched = false;
    if (run->parts[k].steps)
      status = begin(run, &run->parts[k], t);
    else
      run_keep_guess(&run->parts[k]);
  }
  if (status == RUN_OK)
    queue_all(run);
  run->underway = true;
  return status;
}

/* ---- what an event touched ---- */

/* Is a stretch of values as it was when the event began? */
static bool same(const Run *run, const void *at, size_t n) { return !memcmp(at, run->entry + ((const unsigned char *)at - run->block), n); }

static bool keeps(const Run *run, int part) {
  const DsPart *p = &run->m->parts[part];
  const DsData *d = &run->d;
  for (int k = 0; k < p->n_discrete; k++)
    if (!same(run, d->r + run->m->discrete_reals[p->discrete + k], sizeof *d->r))
      return false;
  return same(run, d->r + p->x, (size_t)p->n_x * sizeof *d->r) && same(run, d->i + p->i, (size_t)p->n_i * sizeof *d->i) &&
         same(run, d->s + p->s, (size_t)p->n_s * sizeof *d->s) && same(run, d->relation + p->relation, (size_t)p->n_relations);
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
  for (int k = 0; k < sc->n_parts; k++)
    if (!keeps(run, sc->parts[k]) || run->parts[sc->parts[k]].slide.changed)
      touch(run, &run->parts[sc->parts[k]]);
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < sc->n_parts; k++) {
      Part *p = &run->parts[sc->parts[k]];
      if (!p->touched && reads_touched(run, p->number))
        touch(run, p), more = true;
    }
  }
}

/* The step of a part ends at t; what was found in the rest of it has not happened. */
static RunStatus cut(Run *run, Part *p, double t) {
  run_work_on(run, p);
  RunStatus status = run_stop_step(run, t);
  EACH_RELATION(run, k)
    run->fired[k] = false;
  p->stepper->t = p->stepper->t1 = t;
  return status;
}

/* Parts that the event may touch, and that have found an event later in their step or keep a past: they stop here. */
static RunStatus stop_others(Run *run, double t) {
  const Scope *sc = run->scope;
  Part *at_work = run->part;
  RunStatus status = RUN_OK;
  for (int k = 0; k < sc->n_parts && status == RUN_OK && !sc->all; k++) {
    Part *p = &run->parts[sc->parts[k]];
    if (!p->touched && p->phase.in_step && (p->phase.theta > 0 || run->m->parts[p->number].delays)) {
      touch(run, p);
      status = cut(run, p, t);
    }
  }
  run->part = at_work, run->scope = sc;
  return status;
}

static RunStatus begin_touched(Run *run, const Scope *sc, double t) {
  RunStatus status = RUN_OK;
  if (sc->all)
    return run_begin_all(run, t);
  find_touched(run, sc);
  for (int k = 0; k < sc->n_parts && status == RUN_OK; k++) {
    Part *p = &run->parts[sc->parts[k]];
    bool touched = p->touched;
    p->touched = false;
    if (touched && p->steps)
      status = begin(run, p, t);
    else if (!p->steps)
      run_keep_guess(p); /* what the event has found for it is where it goes on */
    if (touched)
      queue_again(run, p);
  }
  return status;
}

static RunStatus happen(Run *run, double t, bool located) {
  const Scope *sc = run->scope;
  RunStatus status = stop_others(run, t);
  if (status == RUN_OK)
    status = run_event(run, t, located);
  return status == RUN_OK && !run->terminated && !run->d.terminal ? begin_touched(run, sc, t) : status;
}

/* ---- steps ---- */

static RunStatus end_step(Run *run) {
  Part *p = run->part;
  RunStatus status = run_pass_step(run);
  if (p->stepper->t >= p->phase.until) {
    p->due = p->phase.timed;
    p->over = !p->due;
  }
  p->soon = has_event_soon(run, p);
  return status;
}

static RunStatus take_turn(Run *run, Part *p) {
  run_work_on(run, p);
  RunStatus status = turn_of(p) == TURN_END ? end_step(run) : run_make_step(run);
  queue_again(run, p);
  return status == RUN_OK ? run_invariant_check(run) : status;
}

/* ---- events ---- */

/* Parts whose event is at this instant, or differs from it by rounding only: a sample at 3*0.1 and one at 0.3 happen together. They wait
 * until it is over. */
static RunStatus gather(Run *run, double *t) {
  double end = *t + run_tolerances.together * DBL_EPSILON * fabs(*t);
  RunStatus status = RUN_OK;
  run->n_began = 0;
  for (Part *p = first(run); status == RUN_OK && !waits(p) && run_next(p) <= end; p = first(run)) {
    Turn turn = turn_of(p);
    if (turn == TURN_EVENT) {
      *t = fmax(*t, run_next(p));
      run->began[run->n_began++] = p->number;
      touch(run, p);
    } else if (turn == TURN_STEP && run->divided && run->m->parts[p->number].n_reads)
      break; /* the event may change what it reads */
    else
      status = take_turn(run, p);
  }
  return status;
}

static RunStatus have_event(Run *run, double t) {
  bool located = false;
  RunStatus status = gather(run, &t);
  for (int k = 0; k < run->n_began && status == RUN_OK; k++) {
    Part *p = &run->parts[run->began[k]];
    located = located || p->phase.in_step;
    run_work_on(run, p);
    status = run_stop_step(run, run_next(p));
    p->stepper->t = p->stepper->t1 = t;
  }
  if (status == RUN_OK)
    status = run_invariant_check(run);
  if (status != RUN_OK)
    return status;
  run->part = &run->parts[run->began[0]];
  run_touch(run);
  return happen(run, t, located);
}

RunStatus run_happen_to_all(Run *run, double t) {
  RunStatus status = RUN_OK;
  for (int k = 0; k < run->n_parts && status == RUN_OK; k++)
    if (run->parts[k].steps)
      status = cut(run, &run->parts[k], t);
  run->part = run->parts;
  run->scope = &run->whole;
  run->n_began = 0;
  return status == RUN_OK ? happen(run, t, false) : status;
}

/* A pause at time t, at which nothing is left to do but steps, for a checkpoint. */
static RunStatus rest(Run *run, double t) {
  double pause = run->pause;
  run->pause = t;
  RunStatus status = run_look(run);
  if (status == RUN_OK)
    run->options->checkpoint(run->options->progress_user);
  run_look_away(run);
  run->pause = pause;
  return status;
}

/* A row at the end of a step waits until it is clear that no part has an event there. */
RunStatus run_go_on(Run *run) {
  RunStatus status = RUN_OK;
  while (status == RUN_OK && !run->terminated) {
    Part *p = first(run);
    if (waits(p))
      return run_grid_rows(run, run->pause, false);
    double t = run_next(p);
    Turn turn = turn_of(p);
    if (turn == TURN_STEP && t >= run->pause)
      return run->divided ? run_grid_rows(run, run->pause, false) : RUN_OK;
    if (turn == TURN_STEP && run->options->due && run->options->due(run->options->progress_user))
      status = rest(run, t);
    else if (turn != TURN_STEP && turn != TURN_SOON)
      status = run_grid_rows(run, t, run->divided || turn == TURN_EVENT || (p->phase.timed && t >= p->phase.until));
    if (status != RUN_OK || t > run->pause)
      break;
    if (turn == TURN_EVENT) {
      status = have_event(run, t);
      continue;
    }
    status = take_turn(run, p);
  }
  return status;
}
