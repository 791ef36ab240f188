/* run/continuous.c -- the continuous phase: the equations of the present mode, time passes.
 * Steps of the part at work, a look for state events in each; rows of the whole at the points of the output grid.
 * Keep: relations and discrete variables are constant in here. Values in DsData are those of the last evaluation; the solver
 *       keeps the state. */
#include "run/invariant.h"
#include "run/isolate.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- evaluation ---- */

/* Parts that the one at work reads: to that time. */
static void place_others(Run *run, double t) {
  const Part *p = run->part;
  for (int k = 0; k < p->scope.n_seen; k++) {
    Part *read = &run->parts[p->scope.seen[k]];
    if (read != p && read->n)
      run_place(run, read, t);
  }
}

__attribute__((always_inline)) static inline int derivatives_at(Run *run, double t, const double *x) {
  const Part *p = run->part;
  if (run->divided)
    place_others(run, t);
  double *r = run->d.r + p->x;
  run->d.time = t;
  for (int k = 0, n = p->n; k < n; k++)
    r[k] = x[k];
  run->stats.rhs_evaluations++;
  return run_evaluate(run, DS_PART_DERIVATIVES);
}

int run_at(Run *run, double t, const double *x) { return derivatives_at(run, t, x); }

/* Iterations of the part at work, and of those that it reads, begin where they ended at the last step that counts. */
static void take_guesses(Run *run) {
  const Part *p = run->part;
  run_take_guess(p);
  for (int k = 0; k < p->scope.n_seen && run->divided; k++)
    if (p->scope.seen[k] != p->number)
      run_take_guess(&run->parts[p->scope.seen[k]]);
}

/* Slopes of the part at work. */
__attribute__((always_inline)) static inline int slopes(Run *run, double t, const double *x, double *dx) {
  Part *p = run->part;
  const Stepper *s = p->stepper;
  /* a step that was not good may have ended on another branch of an algebraic system */
  if (p->guess_trial != s->trials)
    take_guesses(run), p->guess_trial = s->trials;
  int status = derivatives_at(run, t, x);
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
    memcpy(run->bad, run->block, run->block_size);
    run->bad_time = t;
    return status;
  }
  if (!p->monitored || s->probe == 0 || !isolate_leaves_some(run))
    return NUM_OK;
  /* a stage inside the step may see a relation without a formula that is back on its side at the end */
  if (p->hint_trial != s->trials)
    p->hint = 0, p->hint_trial = s->trials;
  if (p->hint == 0 && run_sides(run) == NUM_OK && run_first_triggered(run) >= 0)
    p->hint = s->probe;
  return NUM_OK;
}

/* Dense output of a part that another one reads. */
__attribute__((noinline)) static int slopes_aside(Part *p, double t, const double *x, double *dx) {
  Run *run = p->run;
  Part *part = run->part;
  const Scope *scope = run->scope;
  run_work_on(run, p);
  int status = slopes(run, t, x, dx);
  run->part = part, run->scope = scope;
  return status;
}

int run_rhs(void *user, double t, const double *x, double *dx) {
  Part *p = user;
  Run *run = p->run;
  return run->part == p && run->scope == &p->scope ? slopes(run, t, x, dx) : slopes_aside(p, t, x, dx);
}

/* ---- rows ---- */

/* What belongs to no part follows the parts that an event has changed. In the middle of it, values of what slides are those of
 * one side. */
static RunStatus observe(Run *run, bool over) {
  if (!run->divided)
    return RUN_OK;
  run_begin_evaluation(run);
  int status = over ? run_slide_observe(run) : run->m->part(&run->d, run->n_parts, DS_PART_OUTPUTS);
  if (status == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R604, "the model cannot be evaluated");
  return RUN_FAILED;
}

/* Derivatives that nothing in this mode determines are no numbers in the row, and 0 for all others. */
static bool give_row(Run *run, const RunRow *row) {
  const DsModel *m = run->m;
  for (int k = 0; k < m->n_unsaid; k++)
    run->d.r[m->unsaid[k]] = NAN;
  bool taken = run->row(run->row_user, row);
  for (int k = 0; k < m->n_unsaid; k++)
    run->d.r[m->unsaid[k]] = 0;
  return taken;
}

RunStatus run_row(Run *run, RunRowKind kind) {
  bool first = run->next_grid == 0; /* what it says begins with the run */
  bool event = kind == RUN_ROW_STEP || kind == RUN_ROW_AFTER, told = kind == RUN_ROW_GRID || kind == RUN_ROW_BEFORE || run->told || !run->in_event;
  RunStatus status = kind == RUN_ROW_STEP ? RUN_OK : run_check_finite(run);
  if (status == RUN_OK && event && told)
    status = observe(run, kind != RUN_ROW_STEP);
  if (status == RUN_OK && told && kind != RUN_ROW_STEP)
    status = run_bounds_row(run);
  if (status != RUN_OK || !told)
    return status;
  if (kind != RUN_ROW_STEP)
    run_open_tell(run);
  run->row_time = run->d.time;
  run->step = event ? run->step : 0;
  RunRow row = {.time = run->d.time, .kind = kind, .step = run->step, .data = &run->d, .causes = run->causes, .n_causes = event || first ? run->n_causes : 0,
                .notes = run->notes.at, .n_notes = event ? run->notes.n : 0,
                .parameters = run->parameters_set, .singular = run->singular, .n_singular = (uint32_t)run->n_singular};
  if (event || first)
    row.ended = run_tell_ending(run, &row.ended_at);
  run->parameters_set = false;
  status = run_invariant_row(run, kind);
  if (status != RUN_OK)
    return status;
  run_note_row(run);
  if (run->row && !give_row(run, &row)) {
    run->stop_asked = true;
    return RUN_OUTPUT;
  }
  return RUN_OK;
}

static double grid_time(const Run *run, uint32_t k) {
  return k >= run->intervals ? run->stop : run->start + (run->stop - run->start) * k / run->intervals;
}

static RunStatus checked(Run *run) {
  if (run_evaluate(run, DS_PART_CHECKS) == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R605, "an assertion is violated");
  return RUN_FAILED;
}

RunStatus run_grid_rows(Run *run, double end, bool event) {
  double same = 16 * DBL_EPSILON * fmax(fabs(end), run->stop - run->start);
  while (run->next_grid <= run->intervals) {
    double t = grid_time(run, run->next_grid);
    if (t > end || (event && t > end - same) || t > run->pause)
      break;
    run->scope = &run->whole;
    if (run_values_at(run, t) != NUM_OK) {
      run_tell_failure(run, D_R604, "the model cannot be evaluated");
      return RUN_FAILED;
    }
    RunStatus status = checked(run);
    if (status == RUN_OK)
      status = run_row(run, RUN_ROW_GRID);
    if (status != RUN_OK)
      return status;
    run->next_grid++;
  }
  return RUN_OK;
}

bool run_on_grid(const Run *run, double t) {
  double same = 16 * DBL_EPSILON * fmax(fabs(t), run->stop - run->start);
  return run->next_grid <= run->intervals && grid_time(run, run->next_grid) <= t + same;
}

void run_skip_grid(Run *run, double t) {
  while (run_on_grid(run, t))
    run->next_grid++;
}

/* ---- limits ---- */

RunStatus run_check_limits(Run *run) {
  const RunOptions *o = run->options;
  if (o->progress)
    o->progress(o->progress_user);
  if (o->cancel && atomic_load(o->cancel))
    return RUN_CANCELLED;
  if (!(o->time_limit > 0) && !o->max_events)
    return RUN_OK;
  Text t = {.arena = run->a};
  if (o->time_limit > 0) {
    if (run->clock_start == 0)
      run->clock_start = run_clock();
    if (run_clock() - run->clock_start > o->time_limit) {
      text_real(&t, run->d.time);
      diag_add(run->diags, D_R610, (Span){0, 0}, "the run was stopped at time %s because its computing time is used up", text_str(&t));
      return RUN_LIMIT;
    }
  }
  if (o->max_events && run->n_events >= o->max_events) {
    text_real(&t, run->d.time);
    diag_add(run->diags, D_R610, (Span){0, 0}, "the run was stopped at time %s after %llu events, as asked for", text_str(&t),
             (unsigned long long)run->n_events);
    return RUN_LIMIT;
  }
  return RUN_OK;
}

/* ---- steps ---- */

/* Relations that left their band are armed; one that is stuck must not leave it on its own side. */
static RunStatus after_step(Run *run) {
  if (!run->part->monitored)
    return RUN_OK;
  run_pass_sides(run);
  EACH_RELATION(run, k) {
    RelationState *rs = &run->relations[k];
    double away = fabs(run->za[k] - run->zb[k]), band = run_band(run, k);
    if (run->m->relations[k].timed || !(away > band))
      continue;
    rs->armed = true;
    run_note_reach(run, k, away);
    if (!rs->stuck) {
      rs->micro = 0;
      rs->returned = false;
      continue;
    }
    Text t = {.arena = run->a};
    double gap = rs->times[1] - rs->times[0], last = rs->times[2] - rs->times[1], ratio = gap > 0 ? last / gap : 1;
    text_real(&t, ratio < 0.999 ? rs->times[2] + ratio * last / (1 - ratio) : rs->times[2]);
    const DsPlace *p = &run->m->relations[k].place;
    Diag *d = diag_add(run->diags, D_R609, (Span){p->lo, p->hi},
                       "events accumulate near time %s: this relation changes again and again while time stands still", text_str(&t));
    diag_help(run->diags, d, "give the model a mode for what follows, such as rest");
    return RUN_LIMIT;
  }
  return RUN_OK;
}

static void report_small_step(Run *run) {
  run->d.time = run->part->stepper->t;
  Diag *d = run_tell_failure(run, D_R604, "no step is small enough to go on");
  run_tell_solver(run, d);
  if (run->implicit && d)
    diag_help(run->diags, d, "the formulation `ode` solves simultaneous equations by damped and other methods that the solver does not have");
}

/* The branch of an algebraic system may end here: a small step with everything that finds another one; a longer step each
 * time that this does not lead away. */
static int rescue_step(Run *run, double until) {
  Stepper *s = run->part->stepper;
  if (!run->failure.any || run->failure.block < 0)
    return NUM_RETRY;
  double h = stepper_least(s) * ldexp(1, 3 * run->part->rescues + 1), next = run->part->h;
  run->part->rescues = run->part->rescues < MOST_RESCUES ? run->part->rescues + 1 : 0;
  run->rescue = true;
  int status = stepper_begin(s, s->t, s->x, h);
  if (status == NUM_OK)
    status = stepper_step(s, until, h);
  run->rescue = false;
  run->part->h = next;
  return status;
}

/* No step is small enough, and relations stand on their band: what they guard may end here, as the root of what is left in a tank that runs
 * empty does. Then they take their other side, in an event here and now; once at a time. */
static bool step_aside(Run *run) {
  enum { REACH = 4 }; /* smallest steps, as fast as it moved in the last one */
  Part *p = run->part;
  Stepper *s = p->stepper;
  bool any = false;
  if (!p->monitored || run_at(run, s->t, s->x) != NUM_OK || run_indicators(run, NULL) != NUM_OK)
    return false;
  EACH_RELATION(run, k) {
    const RelationState *rs = &run->relations[k];
    double moved = p->h_before > 0 ? fabs(run->z_start[k] - run->z_before[k]) / p->h_before : 0;
    double near = fmax(run_band(run, k), REACH * stepper_least(s) * moved);
    bool free = !run->m->relations[k].timed && !rs->stuck && rs->times[2] != s->t;
    run->fired[k] = free && fabs(run->za[k] - run->zb[k]) <= near;
    any = any || run->fired[k];
  }
  if (any)
    s->t1 = s->t, p->phase.in_step = true, p->phase.theta = 1;
  return any;
}

/* Where dense output needs a slope inside of the step, it is evaluated now: later, what the part reads may stand elsewhere, and
 * other parts may have been put to the time that is asked for. */
static void prepare_dense(Run *run) {
  Stepper *s = run->part->stepper;
  if (!run->divided || s->has_dense || s->kind != &stepper_rkf45)
    return;
  stepper_dense(s, 0.5, run->trial);
  s->at_end = false;
}

/* The longest step, until so many times as much time has passed: steps next to events are short for
 * reasons of their own, and where events accumulate all become so, while little time passes. */
static void note_pace(Part *p) {
  enum { LASTS = 10 };
  double h = p->stepper->t1 - p->stepper->t;
  p->pace = fmax(h, p->pace - h / LASTS);
}

/* A relation under noEvent makes events from now on: in place of the step there is one here. */
static void begin_to_watch(Run *run) {
  Part *p = run->part;
  if (!p->watch.begins)
    return;
  EACH_RELATION(run, k)
    run->fired[k] = false;
  p->watch.begins = false;
  p->stepper->t1 = p->stepper->t, p->phase.in_step = true, p->phase.theta = 1;
}

/* A step that is good, or an event at once; or RUN_FAILED. */
static RunStatus good_step(Run *run, double until, double most) {
  for (;;) {
    run->failure.any = false;
    uint64_t rejected = run->part->stepper->stats.rejected;
    int status = stepper_step(run->part->stepper, until, most);
    if (status == NUM_OK) {
      prepare_dense(run);
      run->part->h = run->part->stepper->next;
      note_pace(run->part);
      run_watch_step(run, run->part->stepper->stats.rejected - rejected);
      run->part->rescues = 0;
      begin_to_watch(run);
      return RUN_OK;
    }
    if (status == NUM_RETRY && (step_aside(run) || rescue_step(run, until) == NUM_OK))
      return RUN_OK;
    if (status == NUM_RETRY && run_solver_rescue(run))
      continue;
    report_small_step(run);
    return RUN_FAILED;
  }
}

/* A point inside the step could not be evaluated: a shorter step. */
static RunStatus shorten(Run *run, int located) {
  Stepper *s = run->part->stepper;
  double h = s->t1 - s->t;
  if (located == NUM_RETRY && h > 4 * stepper_least(s) && stepper_begin(s, s->t, s->x, h / 4) == NUM_OK)
    return run_locate_again(run), RUN_OK;
  if (located == NUM_RETRY && step_aside(run))
    return RUN_OK;
  report_small_step(run);
  return RUN_FAILED;
}

/* A relation that made the event with which this step began turns back in it, after having been away hardly further than the error of
 * a step. */
static bool turns_back(Run *run) {
  static const double far = 100; /* rtol */
  bool any = false;
  EACH_RELATION(run, k) {
    RelationState *rs = &run->relations[k];
    if (!run->fired[k] || rs->times[2] != run->part->stepper->t)
      continue;
    double away = run_side_at(run, k, run->part->phase.theta / 2);
    run_note_reach(run, k, away * run_band(run, k));
    any = any || !(away > far / run_tolerances.band);
  }
  return any;
}

/* Is the event in the step doubtful? Beyond the stability limit of an explicit method, what is small against the tolerances swings to
 * and fro, and relations with it; and where a relation turns back at once, the error of the step may be all that it sees. Then a
 * shorter step says whether there is an event; true if one was begun. */
static bool doubt_event(Run *run, int doubts) {
  enum { MOST_DOUBTS = 4 };
  static const double shorter = 8;
  Stepper *s = run->part->stepper;
  bool back = turns_back(run);
  double h = s->t1 - s->t, stiffness = run_solver_beyond(run), part = stiffness > 0 ? fmin(stiffness, shorter) : back ? shorter : 0;
  if (part == 0 || doubts >= MOST_DOUBTS || !(h > 4 * part * stepper_least(s)) || stepper_begin(s, s->t, s->x, h / part) != NUM_OK)
    return false;
  run_locate_again(run);
  return true;
}

/* At the end of a step other variables may be the better states. */
static RunStatus choose_states(Run *run) {
  if (!run->m->n_selections)
    return RUN_OK;
  const Stepper *s = run->part->stepper;
  bool known = run_at(run, s->t, s->x) == NUM_OK;
  return known && run_select(run) && !run_solver_begin(run) ? RUN_FAILED : RUN_OK;
}

double run_largest_step(const Run *run) {
  const Part *p = run->part;
  return fmin(p->monitored || p->n == 0 ? run->interval : run->stop - run->start, run_has_delays(run) ? run_delays_shortest(run) : INFINITY);
}

/* Of the solution, not of the rows that are asked for. Before the first step: how fast states move. */
double run_pace(const Run *run, const Part *p) {
  if (p->pace > 0)
    return p->pace;
  double pace = run->stop - run->start;
  for (int j = p->x; j < p->x + p->n; j++) {
    double size = fabs(run->d.r[j]) + run->nominal[j], speed = fabs(run->d.r[run->m->nx + j]);
    if (speed * pace > size)
      pace = size / speed;
  }
  return run_tolerances.first * pace;
}

enum { SHORT_STEPS = 4 }; /* as many of the smallest ones are too short a step */

/* How far the step may go: a part that it reads may have to make its next step, or an event, before; or to record what is asked of
 * its past. */
static double furthest(const Run *run) {
  const Part *p = run->part;
  double until = p->phase.until;
  for (int k = 0; k < p->scope.n_seen && run->divided; k++) {
    const Part *read = &run->parts[p->scope.seen[k]];
    bool moves = read->n || run->m->parts[read->number].delays;
    if (read != p && moves && read->phase.in_step)
      until = fmin(until, run_next(read));
  }
  return until;
}

/* Does the part, or one that it reads and that makes no steps, solve nonlinear equations on its way? */
static bool iterates(const Run *run, const Part *p) {
  bool any = p->n_iterated;
  for (int k = 0; k < p->scope.n_seen && run->divided; k++) {
    const Part *q = &run->parts[p->scope.seen[k]];
    any = any || (!q->steps && q->n_iterated);
  }
  return any;
}

/* Where iterations of the next step begin: at the end of this one; also those of parts that make no steps
 * and that only their readers take along, because another branch may be nearer to where they were at the
 * last event. In a model of one part rows may still come between, and the last of their values are taken
 * (run_pass_step). */
static void keep_end(Run *run) {
  Part *p = run->part;
  const Stepper *s = p->stepper;
  bool there = p->monitored || s->at_end || !iterates(run, p);
  if (!run->divided || !(there || run_at(run, s->t1, s->x1) == NUM_OK))
    return;
  run_keep_guess(p);
  for (int k = 0; k < p->scope.n_seen; k++)
    if (!run->parts[p->scope.seen[k]].steps)
      run_keep_guess(&run->parts[p->scope.seen[k]]);
}

/* The part that is read ends its step some roundings later: no step is so short. The part goes there as it is. */
static RunStatus wait_for(Run *run, double t) {
  Stepper *s = run->part->stepper;
  if (stepper_begin(s, t, s->x, run->part->h) == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R604, "the model cannot be evaluated");
  return RUN_FAILED;
}

/* The event that was found is at the stop time, but for rounding: nothing happens there any more. A run that goes on from there has it. */
static bool is_too_late(const Run *run) {
  const Part *p = run->part;
  double rounding = run_tolerances.joined * DBL_EPSILON * fmax(fabs(run->start), fabs(run->stop));
  return p->phase.theta > 0 && run->stop > run->start && p->stepper->t + p->phase.theta * (p->stepper->t1 - p->stepper->t) >= run->stop - rounding;
}

RunStatus run_make_step(Run *run) {
  Part *p = run->part;
  Phase *ph = &p->phase;
  double until = furthest(run);
  int doubts = 0;
  if (until < ph->until && !(until - p->stepper->t > SHORT_STEPS * stepper_least(p->stepper)))
    return wait_for(run, until);
  while (!ph->in_step) {
    RunStatus status = run_check_limits(run);
    if (status != RUN_OK)
      return status;
    run_code_review(run);
    if ((status = good_step(run, until, fmin(ph->largest, run_has_delays(run) ? run_transports_longest(run) : INFINITY))) != RUN_OK)
      return status;
    if (ph->in_step)
      break;
    int located = run_locate(run, &ph->theta);
    if (located == NUM_OK && run_has_delays(run))
      located = run_transports_check(run, ph->theta > 0 ? ph->theta : 1);
    if (located == NUM_OK && is_too_late(run))
      run_locate_again(run), ph->theta = 0;
    if (located == NUM_OK)
      ph->in_step = ph->theta == 0 || !doubt_event(run, doubts++);
    else if ((status = shorten(run, located)) != RUN_OK)
      return status;
  }
  RunStatus status = !isnan(p->ends) ? run_accumulate_pass(run) : RUN_OK;
  if (status != RUN_OK || run->terminated || ph->theta > 0)
    return status;
  keep_end(run);
  return after_step(run);
}

RunStatus run_pass_step(Run *run) {
  if (run_has_delays(run) && run_delays_step(run, 1) != NUM_OK)
    return RUN_FAILED;
  run->part->phase.in_step = false;
  if (!run->divided)
    run_keep_guess(run->part);
  stepper_accept(run->part->stepper);
  run->stats.steps++;
  run_weights_step(run);
  run_project(run, false);
  run_slide_correct(run);
  run_contact_correct(run);
  RunStatus status = run_bounds_step(run);
  if (status == RUN_OK)
    status = choose_states(run);
  if (status == RUN_OK)
    run_solver_review(run);
  return status;
}

/* The states just before the event that was located: its relations still have their old sides there. */
static void keep_left(Part *p, double theta) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  double back = run_tolerances.left * stepper_least(s) / (s->t1 - s->t);
  if (!p->left)
    p->left = NEW_ARRAY(run->a, double, s->p.n + 1);
  stepper_dense(s, fmax(theta - back, 0), p->left);
  p->has_left = true;
}

RunStatus run_stop_step(Run *run, double t) {
  Part *p = run->part;
  Stepper *s = p->stepper;
  if (!p->phase.in_step)
    return RUN_OK;
  double theta = t < s->t1 ? (t - s->t) / (s->t1 - s->t) : 1;
  if (run_has_delays(run) && run_delays_step(run, theta) != NUM_OK)
    return RUN_FAILED;
  p->has_left = false;
  if (s->t1 > s->t) {
    if (p->phase.theta > 0)
      keep_left(p, theta);
    stepper_dense(s, theta, run->trial);
    memcpy(s->x, run->trial, (size_t)s->p.n * sizeof(double));
  }
  s->t = s->t1 = t;
  run_project(run, true);
  p->phase.in_step = false;
  run->stats.steps++;
  return RUN_OK;
}
