/* run/steps.c -- the continuous phase: the equations of the present mode, time passes.
 * Steps of the part at work, a look for state events in each.
 * Keep: relations and discrete variables are constant in here. Values in DsData are those of the
 *       last evaluation; the solver keeps the state. */
#include "base/limits.h"
#include "run/steps.h"
#include "run/bounds.h"
#include "run/code.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/discontinuity.h"
#include "run/evaluate.h"
#include "run/guess.h"
#include "run/isolate.h"
#include "run/kind.h"
#include "run/mode.h"
#include "run/part.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/rows.h"
#include "run/scales.h"
#include "run/select.h"
#include "run/slide.h"
#include "run/solver.h"
#include "run/tell.h"
#include "run/tolerances.h"
#include "run/values.h"
#include "run/weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- evaluation ---- */

/* Parts that the one at work reads: to that time. */
static void place_others(Part *p, double t) {
  Run *run = p->run;
  for (int k = 0; k < p->scope.n_seen; k++) {
    Part *read = &run->parts[p->scope.seen[k]];
    if (read != p && read->n)
      run_place(run, read, t);
  }
}

__attribute__((always_inline)) static inline int derivatives_at(Part *p, double t,
                                                                const double *x) {
  Run *run = p->run;
  if (run->divided)
    place_others(p, t);
  /* one part has its states first; several have each its stretch */
  double *r = run->d.r + p->x;
  run->d.time = t;
  for (int k = 0, n = p->n; k < n; k++)
    r[k] = x[k];
  run->stats.rhs_evaluations++;
  return run_evaluate(run, &p->scope, DS_PART_DERIVATIVES);
}

int run_at(Part *p, double t, const double *x) { return derivatives_at(p, t, x); }

/* Iterations of the part at work, and of those that it reads, begin where they ended at the last
 * step that counts. */
static void take_guesses(Part *p) {
  Run *run = p->run;
  run_take_guess(p);
  for (int k = 0; k < p->scope.n_seen && run->divided; k++)
    if (p->scope.seen[k] != p->number)
      run_take_guess(&run->parts[p->scope.seen[k]]);
}

/* Slopes of the part at work. */
__attribute__((always_inline)) static inline int slopes(Part *p, double t, const double *x,
                                                        double *dx) {
  Run *run = p->run;
  const Stepper *s = p->stepper;
  /* a step that was not good may have ended on another branch of an algebraic system */
  if (p->guess_trial != s->trials) {
    take_guesses(p);
    p->guess_trial = s->trials;
  }
  int status = derivatives_at(p, t, x);
  /* one by one, as the model has just stored them: wider reads would have to wait for the stores */
  const double *slope = run->d.r + run->m->nx + p->x;
  int n = p->n;
  bool finite = true;
  for (int k = 0; k < n; k++) {
    dx[k] = slope[k];
    finite &= fabs(slope[k]) <= DBL_MAX;
  }
  for (int k = n; k < s->p.n; k++)
    dx[k] = 0; /* further components of the formulation `dae` */
  if (status == NUM_OK && !finite)
    status = NUM_RETRY;
  if (status != NUM_OK) {
    memcpy(run->eval.bad.block, run->block, run->block_size);
    run->eval.bad.time = t;
    run->eval.bad.part = p;
    return status;
  }
  /* formulas tell all other relations at the end of the step */
  if (!p->monitored || s->probe == 0 || !isolate_leaves_some(p))
    return NUM_OK;
  /* a stage inside the step may see a relation without a formula that is back on its side at the
   * end */
  if (p->hint_trial != s->trials) {
    p->hint = 0;
    p->hint_trial = s->trials;
  }
  if (p->hint == 0 && run_sides(run, &p->scope) == NUM_OK &&
      run_first_triggered(run, &p->scope) >= 0)
    p->hint = s->probe;
  return NUM_OK;
}

int run_rhs(void *user, double t, const double *x, double *dx) { return slopes(user, t, x, dx); }

/* ---- steps ---- */

/* Relations may have left their band; one that is stuck must not do so on its own side. */
static RunStatus after_step(Part *p) {
  Run *run = p->run;
  if (!p->monitored)
    return RUN_OK;
  /* the end of the step is the start of the next: what comes below compares with it */
  run_pass_sides(p);
  EACH_RELATION (&p->scope, k) {
    RelationState *rs = &run->rel->state[k];
    double away = fabs(run->rel->za[k] - run->rel->zb[k]);
    double band = run_band(run, k);
    if (run->m->relations[k].timed || !(away > band))
      continue;
    if (side_leaves(run, k, away))
      continue;
    Text t = {.arena = run->a};
    /* where the sequence of its events seems to end, if their distances shrink by a ratio */
    double gap = rs->times[1] - rs->times[0];
    double last = rs->times[2] - rs->times[1];
    double ratio = gap > 0 ? last / gap : 1;
    text_real(&t, ratio < 0.999 ? rs->times[2] + ratio * last / (1 - ratio) : rs->times[2]);
    const DsPlace *at = &run->m->relations[k].place;
    Diag *d = diag_add(run->diags, D_R609, (Span){at->lo, at->hi},
                       "events accumulate near time %s: this relation changes again and again "
                       "while time stands still",
                       text_str(&t));
    diag_help(run->diags, d, "give the model a mode for what follows, such as rest");
    return RUN_LIMIT;
  }
  return RUN_OK;
}

static void report_small_step(Part *p) {
  Run *run = p->run;
  run->d.time = p->stepper->t;
  Diag *d = run_tell_failure(run, D_R604, "no step is small enough to go on");
  run_tell_solver(p, d);
  if (run->own.implicit && d)
    diag_help(run->diags, d,
              "the formulation `ode` solves simultaneous equations by damped and other methods "
              "that the solver does not have");
}

/* The branch of an algebraic system may end here: a small step with everything that finds another
 * one; a longer step each time that this does not lead away. */
static int rescue_step(Part *p, double until) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  /* only an algebraic system has other branches to find */
  if (!run->failure.any || run->failure.block < 0)
    return NUM_RETRY;
  /* eight times as long each time: nobody knows how far the gap is */
  double h = stepper_least(s) * ldexp(1, 3 * p->rescues + 1);
  double next = p->h;
  p->rescues = p->rescues < MOST_RESCUES ? p->rescues + 1 : 0;
  run->eval.rescue = true;
  int status = stepper_begin(s, s->t, s->x, h);
  if (status == NUM_OK)
    status = stepper_step(s, until, h);
  run->eval.rescue = false;
  /* the proposed size stays that of the motion, not of the rescue */
  p->h = next;
  return status;
}

/* No step is small enough, and relations stand on their band: what they guard may end here, as the
 * root of what is left in a tank that runs empty does. Then they take their other side, in an event
 * here and now; once at a time. */
static bool step_aside(Part *p) {
  Run *run = p->run;
  enum { REACH = 4 }; /* smallest steps, as fast as it moved in the last one */
  Stepper *s = p->stepper;
  bool any = false;
  if (!p->monitored || run_at(p, s->t, s->x) != NUM_OK ||
      run_indicators(run, &p->scope, NULL) != NUM_OK)
    return false;
  EACH_RELATION (&p->scope, k) {
    const RelationState *rs = &run->rel->state[k];
    /* a step that was given up may have stopped just short of the band */
    double moved = p->h_before > 0
                       ? fabs(run->rel->z_start[k] - run->rel->z_before[k]) / p->h_before
                       : 0;
    double near = fmax(run_band(run, k), REACH * stepper_least(s) * moved);
    /* what has fired here already would fire for ever */
    bool free = !run->m->relations[k].timed && !side_is_stuck(rs) && rs->times[2] != s->t;
    run->rel->fired[k] = free && fabs(run->rel->za[k] - run->rel->zb[k]) <= near;
    any = any || run->rel->fired[k];
  }
  /* an event where the part stands, as if a step without length had found it */
  if (any) {
    s->t1 = s->t;
    p->phase.in_step = true;
    p->phase.theta = 1;
  }
  return any;
}

/* Where dense output needs a slope inside of the step, it is evaluated now: later, what the part
 * reads may stand elsewhere, and other parts may have been put to the time that is asked for. */
static void prepare_dense(Part *p) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  /* other methods have slopes enough for what lies between */
  if (!run->divided || s->has_dense || s->kind != &stepper_rkf45)
    return;
  stepper_dense(s, 0.5, run->cells.trial);
  s->at_end = false;
}

/* A flight after an event is watched (kind_equations.c). */
static bool in_flight(const Part *p) {
  return p->phase.in_flight > 0 && p->stepper->t < p->phase.flight;
}

/* The longest step, until so many times as much time has passed: steps next to events are short for
 * reasons of their own, and where events accumulate all become so, while little time passes. Those
 * of a flight that is watched say nothing. */
static void note_pace(Part *p) {
  enum { LASTS = 10 };
  double h = p->stepper->t1 - p->stepper->t;
  if (in_flight(p) && p->pace > 0)
    return;
  p->pace = fmax(h, p->pace - h / LASTS);
}

/* A relation under noEvent makes events from now on: in place of the step there is one here. */
static void begin_to_watch(Part *p) {
  Run *run = p->run;
  if (!p->watch.begins)
    return;
  /* relations that fired in the step that is given up did so without this one */
  EACH_RELATION (&p->scope, k)
    run->rel->fired[k] = false;
  p->watch.begins = false;
  p->stepper->t1 = p->stepper->t;
  p->phase.in_step = true;
  p->phase.theta = 1;
}

/* A step that is good, or an event at once; or RUN_FAILED. */
static RunStatus good_step(Part *p, double until, double most) {
  Run *run = p->run;
  for (;;) {
    /* until a step is made, or nothing is left to try */
    run->failure.any = false;
    uint64_t rejected = p->stepper->stats.rejected;
    int status = stepper_step(p->stepper, until, most);
    if (status == NUM_OK) {
      prepare_dense(p);
      p->h = p->stepper->next;
      note_pace(p);
      run_watch_step(p, p->stepper->stats.rejected - rejected);
      p->rescues = 0;
      begin_to_watch(p);
      return RUN_OK;
    }
    /* first the cheapest: what a relation guards may just have ended */
    if (status == NUM_RETRY && (step_aside(p) || rescue_step(p, until) == NUM_OK))
      return RUN_OK;
    if (status == NUM_RETRY && run_solver_rescue(p))
      continue;
    report_small_step(p);
    return RUN_FAILED;
  }
}

/* A point inside the step could not be evaluated: a shorter step, up to *until; methods with fixed
 * steps are only shortened by that. */
static RunStatus shorten(Part *p, int located, double *until) {
  Stepper *s = p->stepper;
  double h = s->t1 - s->t;
  *until = s->t + h / 4;
  /* a quarter: a point without value is often a side of something that the step jumped over */
  if (located == NUM_RETRY && h > 4 * stepper_least(s) &&
      stepper_begin(s, s->t, s->x, h / 4) == NUM_OK)
    return run_locate_again(p), RUN_OK;
  if (located == NUM_RETRY && step_aside(p))
    return RUN_OK;
  report_small_step(p);
  return RUN_FAILED;
}

/* A relation that made the event with which this step began turns back in it, after having been
 * away hardly further than the error of a step. */
static bool turns_back(Part *p) {
  Run *run = p->run;
  static const double far = 100; /* rtol */
  bool any = false;
  EACH_RELATION (&p->scope, k) {
    RelationState *rs = &run->rel->state[k];
    if (!run->rel->fired[k] || rs->times[2] != p->stepper->t)
      continue;
    /* half way to the event it was furthest away */
    double away = run_side_at(p, k, p->phase.theta / 2);
    side_note_reach(run, k, away * run_band(run, k));
    any = any || !(away > far / run_tolerances.band);
  }
  return any;
}

/* Is the event in the step doubtful? Beyond the stability limit of an explicit method, what is
 * small against the tolerances swings to and fro, and relations with it; and where a relation turns
 * back at once, the error of the step may be all that it sees. Then a shorter step says whether
 * there is an event; true if one was begun. */
static bool doubt_event(Part *p, int doubts) {
  static const double shorter = 8;
  Stepper *s = p->stepper;
  bool back = turns_back(p);
  /* as many times shorter as the method is beyond its limit, within reason */
  double h = s->t1 - s->t;
  double stiffness = run_solver_beyond(p);
  double part = stiffness > 0 ? fmin(stiffness, shorter) : back ? shorter : 0;
  if (part == 0 || doubts >= MOST_EVENT_DOUBTS || !(h > 4 * part * stepper_least(s)) ||
      stepper_begin(s, s->t, s->x, h / part) != NUM_OK)
    return false;
  run_locate_again(p);
  return true;
}

/* At the end of a step other variables may be the better states. */
static RunStatus choose_states(Part *p) {
  Run *run = p->run;
  if (!run->m->n_selections)
    return RUN_OK;
  const Stepper *s = p->stepper;
  /* candidates are compared by values at the end of the step */
  bool known = run_at(p, s->t, s->x) == NUM_OK;
  return known && run_select(run) && !run_solver_begin(p) ? RUN_FAILED : RUN_OK;
}

double run_largest_step(const Part *p) {
  const Run *run = p->run;
  /* without events and rows only accuracy limits a step; relations must be looked at now and then
   */
  return fmin(p->monitored || p->n == 0 ? run->goal.interval : run->goal.stop - run->goal.start,
              run_has_delays(run, &p->scope) ? run_delays_shortest(run) : INFINITY);
}

/* Of the solution, not of the rows that are asked for. Before the first step: how fast states
 * move. */
double run_pace(const Run *run, const Part *p) {
  if (p->pace > 0)
    return p->pace;
  double pace = run->goal.stop - run->goal.start;
  for (int j = p->x; j < p->x + p->n; j++) {
    double size = fabs(run->d.r[j]) + run->scales->nominal[j];
    double speed = fabs(run->d.r[run->m->nx + j]);
    if (speed * pace > size)
      pace = size / speed;
  }
  return run_tolerances.first * pace;
}

enum { SHORT_STEPS = 4 }; /* as many of the smallest ones are too short a step */

/* How far the step may go: a part that it reads may have to make its next step, or an event,
 * before; or to record what is asked of its past. */
static double furthest(const Part *p) {
  const Run *run = p->run;
  /* parts that are read may be ahead in their step, but not behind */
  double until = p->phase.until;
  for (int k = 0; k < p->scope.n_seen && run->divided; k++) {
    const Part *read = &run->parts[p->scope.seen[k]];
    bool moves = read->n || run->m->parts[read->number].delays;
    if (read != p && moves && read->phase.in_step)
      until = fmin(until, read->kind->next(read).t);
  }
  return until;
}

/* Does the part, or one that it reads and that makes no steps, solve nonlinear equations on its
 * way? */
static bool iterates(const Run *run, const Part *p) {
  bool any = p->n_iterated;
  for (int k = 0; k < p->scope.n_seen && run->divided; k++) {
    const Part *q = &run->parts[p->scope.seen[k]];
    any = any || (q->kind->follows && q->n_iterated);
  }
  return any;
}

/* Where iterations of the next step begin: at the end of this one; also those of parts that make no
 * steps and that only their readers take along, because another branch may be nearer to where they
 * were at the last event. In a model of one part rows may still come between, and the last of their
 * values are taken (run_pass_step). */
static void keep_end(Part *p) {
  Run *run = p->run;
  const Stepper *s = p->stepper;
  /* else the values of the end are there, because something has looked at them */
  bool there = p->monitored || s->at_end || !iterates(run, p);
  if (!run->divided || !(there || run_at(p, s->t1, s->x1) == NUM_OK))
    return;
  run_keep_guess(p);
  for (int k = 0; k < p->scope.n_seen; k++)
    if (run->parts[p->scope.seen[k]].kind->follows)
      run_keep_guess(&run->parts[p->scope.seen[k]]);
}

/* The part that is read ends its step some roundings later: no step is so short. The part goes
 * there as it is. */
static RunStatus wait_for(Part *p, double t) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  if (stepper_begin(s, t, s->x, p->h) == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R604, "the model cannot be evaluated");
  return RUN_FAILED;
}

/* The event that was found is at the stop time, but for rounding: nothing happens there any more. A
 * run that goes on from there has it. */
static bool is_too_late(const Part *p) {
  const Run *run = p->run;
  double rounding = run_tolerances.joined * DBL_EPSILON *
                    fmax(fabs(run->goal.start), fabs(run->goal.stop));
  return p->phase.theta > 0 && run->goal.stop > run->goal.start &&
         p->stepper->t + p->phase.theta * (p->stepper->t1 - p->stepper->t) >=
             run->goal.stop - rounding;
}

/* s */
static double longest(const Part *p) {
  const Run *run = p->run;
  double h = run_has_delays(run, &p->scope) ? run_transports_longest(run) : INFINITY;
  if (in_flight(p))
    h = fmin(h, p->phase.in_flight);
  return fmin(h, p->phase.largest);
}

RunStatus run_make_step(Part *p) {
  Run *run = p->run;
  Phase *ph = &p->phase;
  double until = furthest(p);
  int doubts = 0;
  /* less than a few roundings: no step of its own is so short */
  if (until < ph->until && !(until - p->stepper->t > SHORT_STEPS * stepper_least(p->stepper)))
    return wait_for(p, until);
  while (!ph->in_step) {
    RunStatus status = run_check_limits(run);
    if (status != RUN_OK)
      return status;
    run_code_review(p);
    if ((status = good_step(p, until, longest(p))) != RUN_OK)
      return status;
    if (ph->in_step)
      break;
    /* the step is good; is there an event in it? */
    int located = run_locate(p, &ph->theta);
    if (located == NUM_OK && run_has_delays(run, &p->scope))
      located = run_transports_check(p, ph->theta > 0 ? ph->theta : 1);
    /* given up as an event: the step counts as one without */
    if (located == NUM_OK && is_too_late(p)) {
      run_locate_again(p);
      ph->theta = 0;
    }
    /* a doubtful event asks for another, shorter step, in this loop */
    if (located == NUM_OK)
      ph->in_step = ph->theta == 0 || !doubt_event(p, doubts++);
    else if ((status = shorten(p, located, &until)) != RUN_OK)
      return status;
  }
  /* the step may have gone beyond where events were to accumulate */
  RunStatus status = !isnan(p->events.ends) ? run_accumulate_pass(p) : RUN_OK;
  if (status != RUN_OK || run->stage.terminated || ph->theta > 0)
    return status;
  keep_end(p);
  return after_step(p);
}

RunStatus run_pass_step(Part *p) {
  Run *run = p->run;
  /* delays record before the stepper forgets the step */
  if (run_has_delays(run, &p->scope) && run_delays_step(p, 1) != NUM_OK)
    return RUN_FAILED;
  p->phase.in_step = false;
  if (!run->divided)
    run_keep_guess(p);
  stepper_accept(p->stepper);
  run->stats.steps++;
  /* what is put right below moves the end of the step a little, in this order: constraints, then
   * surfaces and contacts, which lie on them */
  run_weights_step(p);
  run_project(p, false);
  run_slide_correct(p);
  run_contact_correct(p);
  RunStatus status = run_contact_check(p);
  if (status == RUN_OK)
    status = run_bounds_step(p);
  /* last, because other states begin a new step */
  if (status == RUN_OK)
    status = choose_states(p);
  if (status == RUN_OK)
    run_solver_review(p);
  return status;
}

/* The states just before the event that was located: its relations still have their old sides
 * there. */
static void keep_left(Part *p, double theta) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  double back = run_tolerances.left * stepper_least(s) / (s->t1 - s->t);
  if (!p->left)
    p->left = NEW_ARRAY(run->a, double, s->p.n + 1);
  stepper_dense(s, fmax(theta - back, 0), p->left);
  p->has_left = true;
}

RunStatus run_stop_step(Part *p, double t) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  if (!p->phase.in_step)
    return RUN_OK;
  /* theta: the fraction of the step that has happened */
  double theta = t < s->t1 ? (t - s->t) / (s->t1 - s->t) : 1;
  if (run_has_delays(run, &p->scope) && run_delays_step(p, theta) != NUM_OK)
    return RUN_FAILED;
  p->has_left = false;
  /* an event where the part stands has no step to shorten */
  if (s->t1 > s->t) {
    if (p->phase.theta > 0)
      keep_left(p, theta);
    stepper_dense(s, theta, run->cells.trial);
    memcpy(s->x, run->cells.trial, (size_t)s->p.n * sizeof(double));
  }
  s->t = s->t1 = t;
  /* what was interpolated lies beside the constraints */
  run_project(p, true);
  p->phase.in_step = false;
  run->stats.steps++;
  return RUN_OK;
}
