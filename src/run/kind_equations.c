/* run/kind_equations.c -- parts with states, or with relations to watch: a solver makes their steps
 * (steps.c), relations are looked at in each (locate.c).
 * Keep: the solver says where the part stands. What it finds in a step waits there (Phase) until
 *       the scheduler comes to it. */
#include "run/core.h"
#include "run/direction.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/kind.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/select.h"
#include "run/solver.h"
#include "run/steps.h"

#include <math.h>

static Turn next(const Part *p) {
  const Stepper *s = p->stepper;
  const Phase *ph = &p->phase;
  if (p->over)
    return (Turn){INFINITY, TURN_STEP};
  if (!ph->in_step)
    return (Turn){s->t, p->due ? TURN_EVENT : p->soon ? TURN_SOON : TURN_STEP};
  double t = ph->theta > 0 && ph->theta < 1 ? s->t + ph->theta * (s->t1 - s->t) : s->t1;
  return (Turn){t, ph->theta > 0 ? TURN_EVENT : TURN_END};
}

/* What comes next in time: an event now, or a phase up to the next one, or nothing. */
static void open_phase(Part *p) {
  Run *run = p->run;
  bool found;
  double t = run->d.time = p->stepper->t;
  double until = run_next_time(run, &p->scope, &found);
  /* what is due at the very end does not happen any more */
  bool over = t >= run->goal.stop;
  p->due = found && until <= t && (!over || run->goal.start >= run->goal.stop);
  p->over = over && !p->due;
  bool timed = found && until < run->goal.stop;
  p->phase = p->due || over ? (Phase){0}
                            : (Phase){.until = timed ? until : run->goal.stop,
                                      .timed = timed,
                                      .largest = run_largest_step(p)};
}

/* A relation of the part is on its band where its next step begins: its event may be at once. One
 * that reads others waits for theirs. */
static bool has_event_soon(const Part *p) {
  const Run *run = p->run;
  for (int q = 0; q < p->scope.n_relations && run->divided && p->scope.n_seen == 1; q++) {
    int k = p->scope.relations[q];
    if (!run->m->relations[k].timed && !side_is_stuck(&run->rel->state[k]) &&
        fabs(run->rel->z_start[k]) <= run_band(run, k))
      return true;
  }
  return false;
}

/* A method that begins anew with order 1 may step over a whole flight that is as high as its error,
 * and then see what bounces arrive from the wrong side: its steps resolve the flight. */
static void watch_flight(Part *p) {
  enum { STEPS = 8 };
  Run *run = p->run;
  if (stepper_is_one_step(p->stepper) || !p->monitored || p->over ||
      run_at(p, p->stepper->t, p->stepper->x) != NUM_OK)
    return;
  double lasts = run_flight(run, &p->scope);
  if (!(lasts < INFINITY))
    return;
  p->phase.flight = p->stepper->t + lasts * (1 + 1.0 / STEPS);
  p->phase.in_flight = lasts / STEPS;
}

static RunStatus begin(Part *p, double t) {
  Run *run = p->run;
  run_select(run);
  run->failure.any = false;
  run->d.time = t;
  if (!run_solver_begin(p))
    return RUN_FAILED;
  open_phase(p);
  watch_flight(p);
  p->soon = has_event_soon(p);
  return RUN_OK;
}

static RunStatus accept(Part *p) {
  RunStatus status = run_pass_step(p);
  if (p->stepper->t >= p->phase.until) {
    p->due = p->phase.timed;
    p->over = !p->due;
  }
  p->soon = has_event_soon(p);
  return status;
}

static void wait(Part *p, double t) { p->stepper->t = p->stepper->t1 = t; }

static bool located(const Part *p) { return p->phase.in_step; }

const PartKind part_equations = {.name = "equations",
                                 .steps = true,
                                 .next = next,
                                 .begin = begin,
                                 .ahead = run_make_step,
                                 .accept = accept,
                                 .back = run_stop_step,
                                 .wait = wait,
                                 .located = located};
