/* run/event.c -- the discrete phase: time stands still, passes over all equations until nothing changes any more.
 * One pass: all equations with pre values fixed, mixed systems being settled inside (mixed.c); then reinit, then
 * pre := present values (MLS 3.6 appendix B). A repeated state is a cycle and is reported.
 * Afterwards a relation on its band whose sides move apart is set to the side it moves to, so that no step of 1e-15 is needed
 * to find out; relations of mixed systems are asked a moment ahead all together. */
#include "run/invariant.h"
#include "structure/structure.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the state of an instant ---- */

static uint64_t mix(uint64_t h, const void *data, size_t n) {
  const unsigned char *c = data;
  for (size_t k = 0; k < n; k += 8) {
    uint64_t word = 0;
    memcpy(&word, c + k, n - k < 8 ? n - k : 8);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

/* Integers and Strings of part k of the scope; of the model if the scope is the whole. */
typedef struct {
  int i, n_i, s, n_s;
} Wholes;

static Wholes wholes_of(const Run *run, int k) {
  const Scope *sc = run->scope;
  if (sc->all)
    return (Wholes){0, run->m->n_integer, 0, run->m->n_string};
  const DsPart *p = &run->m->parts[sc->parts[k]];
  return (Wholes){p->i, p->n_i, p->s, p->n_s};
}

/* Everything that decides how the instant goes on. */
static uint64_t hash_state(const Run *run) {
  const Scope *sc = run->scope;
  uint64_t h = 1469598103934665603u;
  EACH_RELATION(run, k)
    h = mix(h, &run->d.relation[k], 1);
  EACH_STATE(run, k)
    h = mix(h, &run->d.r[k], sizeof(double));
  for (int k = 0; k < sc->n_discrete; k++)
    h = mix(h, &run->d.r[sc->discrete[k]], sizeof(double));
  for (int k = 0; k < (sc->all ? 1 : sc->n_parts); k++) {
    Wholes w = wholes_of(run, k);
    h = mix(h, run->d.i + w.i, (size_t)w.n_i * sizeof *run->d.i);
    for (int q = w.s; q < w.s + w.n_s; q++)
      h = mix(h, run->d.s[q], strlen(run->d.s[q]) + 1);
  }
  return h;
}

/* ---- messages ---- */

static RunStatus evaluation_failed(Run *run) {
  run_tell_failure(run, run->d.initial ? D_I501 : D_R604, run->d.initial ? "the equations cannot be evaluated" : "the model cannot be evaluated");
  return run->d.initial ? RUN_INIT_FAILED : RUN_FAILED;
}

/* ---- one pass ---- */

RunStatus run_equations(Run *run, int what) {
  run->failure.any = false;
  run->rescue = true;
  run_forget_matrices(run);
  int status = run_evaluate(run, what);
  run->rescue = false;
  return status == NUM_OK ? RUN_OK : evaluation_failed(run);
}

static bool reinit_changes(const Run *run) {
  EACH_STATE(run, k)
    if (run->reinit[k] && run->d.r[k] != run->reinit_value[k])
      return true;
  return false;
}

void run_apply_reinit(Run *run) {
  EACH_STATE(run, k)
    if (run->reinit[k])
      run->d.r[k] = run->reinit_value[k], run->reinit[k] = 0;
}

static bool discrete_changed(const Run *run) {
  const DsData *d = &run->d;
  const Scope *sc = run->scope;
  for (int k = 0; k < sc->n_discrete; k++) {
    int p = sc->discrete[k];
    if (d->r[p] != d->r_pre[p] && !(isnan(d->r[p]) && isnan(d->r_pre[p])))
      return true;
  }
  for (int k = 0; k < (sc->all ? 1 : sc->n_parts); k++) {
    Wholes w = wholes_of(run, k);
    if (memcmp(d->i + w.i, d->i_pre + w.i, (size_t)w.n_i * sizeof *d->i))
      return true;
    for (int q = w.s; q < w.s + w.n_s; q++)
      if (strcmp(d->s[q], d->s_pre[q]))
        return true;
  }
  return false;
}

RunStatus run_one_pass(Run *run, bool *changed) {
  run->stats.event_passes++;
  EACH_STATE(run, k)
    run->reinit[k] = 0;
  RunStatus status = run_equations_in_mode(run);
  if (status == RUN_OK)
    status = run_check_discrete(run);
  if (status != RUN_OK)
    return status;
  if (run_evaluate(run, DS_PART_ACTIONS) != NUM_OK)
    return evaluation_failed(run);
  run->jumps = reinit_changes(run);
  *changed = run->jumps || run->mode_changed || discrete_changed(run);
  return RUN_OK;
}

/* Where equations change with the mode, conditions may read what a continuous variable was before the pass. */
static bool values_changed(const Run *run) {
  return run->m->n_conditions && memcmp(run->d.r, run->d.r_pre, (size_t)run->m->n_real * sizeof *run->d.r);
}

RunStatus run_passes(Run *run) {
  enum { LOOK_AT_LIMITS = 1024, MORE_PASSES = 2 }; /* the latter: without a discrete change */
  int more = MORE_PASSES;
  Cycle cycle = {0};
  bool samples = false, changed = false;
  EACH_SAMPLE(run, k)
    samples = samples || run->d.sample[k];
  for (uint64_t pass = 1;; pass++) {
    run->step++;
    RunStatus status = run_one_pass(run, &changed);
    changed = changed || samples;
    if (status == RUN_OK && changed)
      status = run_trace_pass(run);
    if (status == RUN_OK && pass % LOOK_AT_LIMITS == 0)
      status = run_check_limits(run);
    if (status != RUN_OK)
      return status;
    if (run->m->n_conditions && run->jumps && (status = run_reinit_in_mode(run)) != RUN_OK)
      return status;
    run_apply_reinit(run);
    uint64_t length = changed && !samples ? run_cycle_length(&cycle, hash_state(run)) : 0;
    if (length)
      return run_tell_cycle(run, length);
    if (pass >= run_tolerances.most_passes)
      return run_tell_endless(run, pass);
    bool again = values_changed(run);
    run_commit(run);
    EACH_SAMPLE(run, k)
      run->d.sample[k] = 0;
    samples = false;
    more = changed ? MORE_PASSES : more - 1;
    if (!changed && !(again && more >= 0))
      return RUN_OK;
    if (run->m->one_pass && run->in_event && !run->jumps) {
      run->step++; /* the pass that would find nothing new */
      return RUN_OK;
    }
  }
}

/* ---- directions ---- */

/* Where relations are, and the sides that they keep as long as no jump moves them. */
static void remember_entry(Run *run) {
  EACH_RELATION(run, k) {
    if (!run->m->relations[k].timed)
      run->relations[k].entry = run->za[k] - run->zb[k];
    run->relations[k].side = run->d.relation[k] != 0;
  }
}

static bool on_band(const Run *run, int k) {
  return !run->m->relations[k].timed && fabs(run->za[k] - run->zb[k]) <= run_band(run, k);
}

/* Others that compare the same sides later in this instant go the same way: x <= b - 1 after x > b has made b grow by 1. */
static void note_turn(Run *run, int k, bool side) {
  if (run->n_turns < MOST_TURNS)
    run->turns[run->n_turns++] = (RunTurn){run->side_a[k], run->side_b[k], run_compare(run->m->relations[k].op, 1) == side ? 1 : -1};
}

/* Relation k, on its band, takes this side; once per instant, so that this ends. */
static bool take_side(Run *run, int k, bool side) {
  RelationState *rs = &run->relations[k];
  if (rs->stuck || rs->flipped || side == (run->d.relation[k] != 0))
    return false;
  run->d.relation[k] = rs->side = side;
  note_turn(run, k, side);
  run->departed = run->departed || rs->resting;
  return rs->flipped = true;
}

/* The states of the scope, and of what it reads, go on along their slopes. */
static void move_states(Run *run, double step) {
  const Scope *sc = run->scope;
  double *x = run->d.r, *dx = x + run->m->nx;
  for (int k = 0; k < (sc->all ? run->n_parts : sc->n_seen); k++) {
    const Part *p = &run->parts[sc->all ? k : sc->seen[k]];
    for (int q = p->x; q < p->x + p->n; q++)
      x[q] += step * dx[q];
  }
}

/* The derivatives a moment later; the values are those of then. */
static int derivatives_ahead(Run *run, double t, double step) {
  move_states(run, step);
  run->d.time = t + step;
  run->stats.rhs_evaluations++;
  return run_evaluate(run, DS_PART_DERIVATIVES);
}

/* The same along the mean of the slopes now and then: where equations change, a relation may begin to move as slowly as the
 * tangent of a circle leaves it. run->spare has the values of now. */
static int derivatives_ahead_again(Run *run, double step) {
  const double *r = (const double *)(const void *)(run->spare + ((const unsigned char *)run->d.r - run->block));
  int nx = run->m->nx;
  for (int k = 0; k < nx; k++)
    run->d.r[k] = r[k] + step / 2 * (r[nx + k] + run->d.r[nx + k]);
  run->stats.rhs_evaluations++;
  return run_evaluate(run, DS_PART_DERIVATIVES);
}

static void back_to(Run *run, double t) {
  run_unsave(run, run->spare);
  run->d.time = t;
}

/* The values that relations have a moment later, all equations being solved there: in run->relation_next. */
typedef struct {
  bool ok;    /* they could be */
  bool other; /* relations change that are not on their band */
  int near;   /* relations of mixed systems that are on their band there */
} Ahead;

static Ahead evaluate_ahead(Run *run, double t, double step) {
  DsData *d = &run->d;
  Ahead ahead = {0};
  move_states(run, step);
  d->time = t + step;
  const unsigned char *held = (const unsigned char *)run->spare + ((const char *)d->relation - (const char *)run->block);
  run->ahead = true;
  run_forget_matrices(run);
  ahead.ok = run_sources(run) == NUM_OK && run_evaluate(run, DS_PART_EVENTS) == NUM_OK;
  run->ahead = false;
  EACH_RELATION(run, k) {
    ahead.other = ahead.other || (ahead.ok && d->relation[k] != held[k] && !on_band(run, k));
    ahead.near += ahead.ok && run->m->relations[k].mixed && run->near[k];
    run->relation_next[k] = d->relation[k];
  }
  back_to(run, t);
  run_forget_matrices(run);
  return ahead;
}

/* The same for a moment that is short enough: if others change there it may be too late a moment, and a shorter one is tried,
 * unless more relations are still on their band then, where nothing can be told. */
static Ahead evaluate_soon(Run *run, double t, double step) {
  enum { SHORTER = 64, MOST_TIMES = 4 };
  Ahead ahead = evaluate_ahead(run, t, step);
  for (int k = 0; k < MOST_TIMES && ahead.ok && ahead.other && step / SHORTER > run_tolerances.same * DBL_EPSILON * fabs(t); k++) {
    run_copy_relations(run, run->relation_later, run->relation_next);
    Ahead sooner = evaluate_ahead(run, t, step /= SHORTER);
    if (sooner.ok && sooner.near <= ahead.near) {
      ahead = sooner;
      continue;
    }
    run_copy_relations(run, run->relation_next, run->relation_later);
    break;
  }
  return ahead;
}

static bool may_slide(const Run *run, int k) { return !run->m->relations[k].mixed && run_slide_may(run, k); }

/* For relations that depend on each other: which sides agree a moment later? Those on their band take them. All relations of mixed
 * systems do, as values to begin with, if the present sides have no solution there (two diodes that short a source at its zero), or
 * if others change there, however soon: then the solution jumps (an amplifier with positive feedback that leaves its limit goes to
 * the other one). A point that cannot be evaluated says nothing. Where a motion may slide, the sides a moment later do not decide. */
static bool look_ahead(Run *run, double t, double step) {
  bool lasts = derivatives_ahead(run, t, step) == NUM_OK, any = false;
  back_to(run, t);
  Ahead ahead = lasts ? evaluate_soon(run, t, step) : evaluate_ahead(run, t, step);
  bool all = !lasts || ahead.other;
  EACH_RELATION(run, k) {
    bool open = on_band(run, k) && !run->relations[k].crossed && !may_slide(run, k);
    if (ahead.ok && (open || (all && run->m->relations[k].mixed)))
      any = take_side(run, k, run->relation_next[k]) || any;
  }
  return any;
}

/* Which way relations on their band move: z_hi - z_lo, if that is more than rounding; else 0. */
static double moves(const Run *run, int k) {
  double moved = run->z_hi[k] - run->z_lo[k], size = fmax(fabs(run->za[k]), fabs(run->zb[k]));
  bool near = fabs(run->z_lo[k]) <= run_band(run, k) && !run->m->relations[k].timed;
  return near && fabs(moved) > 4 * DBL_EPSILON * size ? moved : 0;
}

/* Relations that switch a field only, and would go back: does the motion slide along them? */
static bool find_sliding(Run *run, bool *changed) {
  bool any = false;
  EACH_RELATION(run, k) {
    double moved = moves(run, k);
    bool back = moved != 0 && run_compare(run->m->relations[k].op, moved) != (run->d.relation[k] != 0) && run_slide_may(run, k);
    run->relations[k].returns = back;
    any = any || back;
  }
  return any && run_slide_decide(run, changed);
}

/* Sets relations on their band to the side that they move to; true if one changed. *again: the motion has become another one. */
static bool follow_once(Run *run, int *status, bool *again) {
  DsData *d = &run->d;
  bool any = false, mixed = false;
  *again = false;
  double pace = run_pace(run, run->part), t = d->time;
  double step = run_tolerances.probe * (run->part->h > 0 ? fmin(run->part->h, pace) : pace);
  if (run->n_sliding) {
    run_save(run, run->spare);
    if ((*status = run_slide_refresh(run, &any)) != NUM_OK || any)
      return any;
  }
  if ((*status = run_indicators(run, run->z_lo)) != NUM_OK)
    return false;
  remember_entry(run);
  bool near = false;
  EACH_RELATION(run, k)
    if (on_band(run, k))
      near = true, mixed = mixed || run->m->relations[k].mixed;
  /* where there are many solutions now there may be none a moment later */
  if (!near && !run->many)
    return false;
  run_save(run, run->spare);
  if ((mixed || run->many) && look_ahead(run, t, step))
    return true;
  bool ok = derivatives_ahead(run, t, step) == NUM_OK && (!run->m->n_conditions || derivatives_ahead_again(run, step) == NUM_OK) &&
            run_indicators(run, run->z_hi) == NUM_OK;
  back_to(run, t);
  /* a point that cannot be evaluated says nothing about directions */
  if (!ok)
    return false;
  if (run->slide && find_sliding(run, &any)) {
    *status = run_slide_refused(run) ? NUM_FATAL : NUM_OK;
    *again = *status == NUM_OK;
    return any && *again;
  }
  EACH_RELATION(run, k) {
    double moved = run->m->relations[k].mixed ? 0 : moves(run, k);
    any = (moved != 0 && take_side(run, k, run_compare(run->m->relations[k].op, moved))) || any;
  }
  return any;
}

static bool follow_directions(Run *run, int *status) {
  bool any = false;
  for (bool again = true; again && !any;)
    any = follow_once(run, status, &again);
  return any;
}

/* Relations have taken the sides that they move to. In a state event that is what a crossing does; one that lay on its limit before,
 * or finds itself there at a scheduled instant, makes another event, at the same time. */
static bool begins_event(Run *run) {
  bool begins = run->in_event && !run->d.terminal && (!run->state_event || run->departed);
  run->stats.state_events += begins;
  run->state_event = run->state_event || begins;
  return begins;
}

/* Passes until nothing changes, also with the sides that relations move to. */
static RunStatus settle(Run *run, bool directions) {
  int code = NUM_OK;
  run->many = run->departed = false;
  RunStatus status = run_passes(run);
  while (status == RUN_OK && directions && follow_directions(run, &code)) {
    status = run_trace_turn(run, begins_event(run));
    run->departed = false;
    if (status == RUN_OK)
      status = run_passes(run);
  }
  return status != RUN_OK || code == NUM_OK ? status : evaluation_failed(run);
}

static RunStatus tell_start_loop(Run *run, int delay) {
  const Structure *s = run->options->structure;
  Span span = s && (uint32_t)delay < s->delays.n ? s->delays.at[delay].span : (Span){0, 0};
  Diag *d = diag_add(run->diags, D_R607, span, "event iteration does not settle at time %g: what is delayed depends on itself", run->d.time);
  diag_note(run->diags, d, "at the start delay() has the value of this instant, not one of the past");
  diag_help(run->diags, d, "let nothing happen at the start that changes the loop, such as sample(%g, ...)", run->d.time);
  return RUN_FAILED;
}

/* The same at the start, where what is delayed is the value of this instant, too: until both agree. */
static RunStatus settle_start(Run *run, bool directions) {
  enum { MOST_ROUNDS = 1000 }; /* then it is told that they never do */
  RunStatus status = settle(run, directions);
  for (int round = 1, changed = 0; status == RUN_OK && changed >= 0 && run_has_delays(run); round++) {
    if (run_delays_first(run, &changed) != NUM_OK)
      return evaluation_failed(run);
    if (changed >= 0)
      status = round > MOST_ROUNDS ? tell_start_loop(run, changed) : settle(run, directions);
  }
  return status;
}

RunStatus run_settle_initially(Run *run) {
  run->n_turns = 0;
  bool mixed = false;
  EACH_RELATION(run, k)
    mixed = mixed || run->m->relations[k].mixed;
  RunStatus status = settle_start(run, mixed);
  EACH_RELATION(run, k)
    run->relations[k].flipped = false;
  return status;
}

static void arm(Run *run) {
  EACH_RELATION(run, k) {
    RelationState *rs = &run->relations[k];
    if (run->m->relations[k].timed)
      continue;
    rs->armed = fabs(run->za[k] - run->zb[k]) > run_band(run, k);
    rs->returned = !rs->armed && (rs->returned || rs->flipped);
    rs->armed_inside = false;
    rs->flipped = false;
  }
}

/* ---- the event ---- */

/* The value of a timed relation after its instant. */
static bool value_after(const DsRelation *rel) { return run_compare(rel->op, rel->rising ? 1 : -1); }

/* A timed relation that changes at its instant; time > stop changes just after the end. */
static bool changes_in_time(const Run *run, int k) {
  const DsRelation *rel = &run->m->relations[k];
  return rel->timed && (!(run->instants[k] >= run->stop) || run_compare(rel->op, 0) == value_after(rel));
}

/* Its instant has come, and it still has its old value. */
static bool is_due(const Run *run, int k) {
  return changes_in_time(run, k) && !(run->instants[k] > run->d.time) && value_after(&run->m->relations[k]) != (run->d.relation[k] != 0);
}

/* Relations of time that make this event, and change in its first pass; and its being the last one. */
static void cause_instants(Run *run) {
  EACH_RELATION(run, k)
    if (!run->d.terminal && run->options->passes && is_due(run, k))
      run_cause(run, RUN_CAUSE_TIME, k, run->d.time, run->instants[k]), run->relation_was[k] = !run->d.relation[k];
  if (run->d.terminal)
    run_cause(run, RUN_CAUSE_TERMINAL, -1, NAN, NAN);
}

/* Did a relation fire that compares the same values? */
static bool crosses_too(const Run *run, int k) {
  EACH_RELATION(run, q) {
    if (!run->fired[q])
      continue;
    bool same = run->za[q] == run->za[k] && run->zb[q] == run->zb[k], swapped = run->za[q] == run->zb[k] && run->zb[q] == run->za[k];
    if (same || swapped)
      return true;
  }
  return false;
}

/* Relations that lie on their band, rather than cross it now. */
static void find_resting(Run *run) {
  bool any = false;
  EACH_RELATION(run, k)
    any = any || run->fired[k];
  EACH_RELATION(run, k)
    run->relations[k].resting = !run->relations[k].armed && on_band(run, k) && !(any && crosses_too(run, k));
}

/* Relations that fired take their new side; one that only makes excursions inside its band is left alone in future. */
static void apply_fired(Run *run) {
  EACH_RELATION(run, k) {
    RelationState *rs = &run->relations[k];
    rs->crossed = run->fired[k];
    if (!run->fired[k])
      continue;
    run->fired[k] = false;
    run_cause(run, RUN_CAUSE_RELATION, k, run->za[k], run->zb[k]);
    run->d.relation[k] = !run->d.relation[k];
    rs->micro = !rs->armed && rs->returned ? rs->micro + 1 : 0;
    rs->returned = false;
    rs->stuck = rs->micro >= run_tolerances.micro;
    rs->earlier[0] = rs->earlier[1], rs->earlier[1] = rs->times[0];
    rs->times[0] = rs->times[1], rs->times[1] = rs->times[2], rs->times[2] = run->d.time;
    rs->excursion = rs->reach, rs->reach = 0;
  }
}

/* A relation that did not matter since the last event takes the value that it has. */
static int refresh_idle(Run *run) {
  int status = run_indicators(run, run->z_lo);
  if (!run->monitored || status != NUM_OK)
    return status;
  bool idle = false;
  EACH_RELATION(run, k)
    idle = idle || isnan(run->z_lo[k]);
  if (!idle)
    return NUM_OK;
  run->d.whole = 1;
  status = run_indicators(run, run->z_hi);
  run->d.whole = 0;
  EACH_RELATION(run, k)
    if (status == NUM_OK && isnan(run->z_lo[k]) && !isnan(run->z_hi[k]))
      run->d.relation[k] = run_compare(run->m->relations[k].op, run->z_hi[k]);
  return status;
}

static void set_samples(Run *run) {
  EACH_SAMPLE(run, k) {
    double t = run->sample_start[k] + (double)run->sample_next[k] * run->sample_interval[k];
    run->d.sample[k] = t <= run->d.time && !run->d.terminal;
    if (!run->d.sample[k])
      continue;
    run->sample_next[k]++;
    run_cause(run, RUN_CAUSE_SAMPLE, k, NAN, NAN);
  }
}

static RunStatus tell_crowd(Run *run, double t, const char *what) {
  Text text = {.arena = run->a};
  text_real(&text, t);
  DsPlace place = {0, 0, ""};
  EACH_RELATION(run, k)
    if (run->fired[k])
      place = run->m->relations[k].place;
  Diag *d = diag_add(run->diags, D_R609, (Span){place.lo, place.hi}, "events accumulate near time %s: %s",
                     text_str(&text), what);
  diag_help(run->diags, d, "two modes may lead back to each other at once: add a hysteresis");
  if (run_slide_crowded(run))
    diag_note(run->diags, d, "a motion can slide along %d surfaces at once; here are more", run_slide_crowded(run));
  return RUN_LIMIT;
}

/* Events that are as near to each other as times can be, of whatever kind: the time does not go on. How long the run is does not count,
 * and whatever is further apart may be meant. */
static RunStatus check_crowd(Run *run, double t) {
  Part *p = run->part;
  if (!p->crowd)
    p->crowd = NEW_ARRAY(run->a, double, CROWD);
  double least = 16 * DBL_EPSILON * fabs(t); /* as in numeric/stepper.c */
  bool crowd = p->n_events >= CROWD && t - p->crowd[p->n_events % CROWD] <= run_tolerances.crowd_span * CROWD * least;
  p->crowd[p->n_events++ % CROWD] = t;
  run->n_events++;
  run->last_event = t;
  return crowd ? tell_crowd(run, t, "the last 1000 events took no time to speak of") : RUN_OK;
}

/* How far relations have been since their last events; z_lo is that of now. */
static void note_reach(Run *run) {
  EACH_RELATION(run, k) {
    double z = fabs(run->z_lo[k]);
    if (!run->m->relations[k].timed && isfinite(z))
      run_note_reach(run, k, z);
  }
}

/* State events whose relations went nowhere since their last ones, again and again: the motion stands still between two modes. One
 * such relation is enough if its events are dense: where a - b and its speed are switched in turn (twisting control) the speed has
 * far to go each time. */
static RunStatus check_narrow(Run *run, double t) {
  bool narrow = true, any = false;
  double since = t;
  Part *p = run->part;
  EACH_RELATION(run, k) {
    RelationState *rs = &run->relations[k];
    if (!run->fired[k])
      continue;
    any = true;
    bool here = rs->reach < run_tolerances.narrow;
    narrow = narrow && here;
    rs->narrow_since = here && rs->narrow ? rs->narrow_since : t;
    rs->narrow = here ? rs->narrow + 1 : 0;
    if (rs->narrow >= CROWD && t - rs->narrow_since < CROWD * run_tolerances.dense * run_pace(run, p))
      p->narrow = CROWD, since = rs->narrow_since;
  }
  if (any && p->narrow < CROWD)
    p->narrow = narrow ? p->narrow + 1 : 0;
  if (p->narrow < CROWD)
    return RUN_OK;
  return tell_crowd(run, since, "before each of the last 1000 events its relation went nowhere");
}

/* Is a sample or a relation of time due? */
static bool is_scheduled(const Run *run) {
  EACH_SAMPLE(run, k)
    if (run->sample_start[k] + (double)run->sample_next[k] * run->sample_interval[k] <= run->d.time)
      return true;
  EACH_RELATION(run, k)
    if (run->m->relations[k].timed && is_due(run, k))
      return true;
  return false;
}

/* Instants of time events follow from parameters and discrete variables, those of state events from the solution; what comes out of
 * a delay from its past. An event where a relation crosses and something is scheduled is of both kinds. */
static void count(Run *run, bool located, bool scheduled, bool delayed) {
  run->state_event = located || (delayed && !scheduled);
  if (run->d.terminal)
    return;
  run->stats.state_events += run->state_event;
  run->stats.time_events += scheduled || !run->state_event;
}

static void exchange_left(Run *run) {
  for (int k = 0; k < run->n_began; k++) {
    Part *p = &run->parts[run->began[k]];
    for (int i = 0; i < p->n && p->has_left; i++) {
      double x = p->stepper->x[i];
      p->stepper->x[i] = p->left[i];
      p->left[i] = x;
    }
  }
}

/* What a relation guards may have no value where the relation has changed: the values of a moment before. */
static int values_left_of(Run *run, double t) {
  exchange_left(run);
  run->current = NULL;
  int code = run_values_at(run, t);
  exchange_left(run);
  run->current = NULL;
  return code;
}

static void take_states(Run *run) {
  for (int k = 0; k < run->n_began; k++) {
    const Part *p = &run->parts[run->began[k]];
    memcpy(run->d.r + p->x, p->stepper->x, (size_t)p->n * sizeof(double));
  }
}

/* The values just before the event, of everything if that is told. */
static RunStatus values_before(Run *run, double t) {
  const Scope *sc = run->scope;
  run->told = !run->options->grid_only || run_on_grid(run, t);
  bool told = run->row_time != t && run->told;
  run->scope = run->told ? &run->whole : sc; /* also if that was a point of the grid: parts have gone on since then */
  int code = run_values_at(run, t);
  bool left = code != NUM_OK || !run_is_finite(run);
  if (left)
    code = values_left_of(run, t);
  RunStatus status = code != NUM_OK ? evaluation_failed(run) : told ? run_row(run, RUN_ROW_BEFORE) : RUN_OK;
  if (left)
    take_states(run);
  run->scope = sc;
  run_skip_grid(run, t);
  return status;
}

RunStatus run_event(Run *run, double t, bool located) {
  RunStatus status = run_check_limits(run);
  if (status == RUN_OK)
    status = check_crowd(run, t);
  if (status == RUN_OK)
    status = values_before(run, t);
  if (status != RUN_OK)
    return status;
  run_watch_begin(run);
  if (run->event)
    run_save(run, run->entry);
  bool scheduled = is_scheduled(run);
  run->changed_mode = false;
  run->n_turns = 0;
  run->n_causes = 0;
  int code = refresh_idle(run);
  if (code == NUM_OK && located) {
    note_reach(run);
    if ((status = check_narrow(run, t)) != RUN_OK)
      return status;
  }
  bool accumulates = (run->slide || run->contact) && run_slide_open(run);
  find_resting(run);
  apply_fired(run);
  remember_entry(run);
  run_trace_relations(run);
  cause_instants(run);
  set_samples(run);
  bool delayed = run_has_delays(run) && run_delays_pass(run);
  if (run_has_delays(run))
    run_transports_pass(run);
  run_commit(run);
  run->in_event = true;
  if (code != NUM_OK)
    return evaluation_failed(run);
  if ((status = run_take_settings(run)) != RUN_OK)
    return status;
  count(run, located || accumulates, scheduled, delayed);
  /* directions lead beyond the end of the run */
  bool directions = run->monitored && !run->d.terminal;
  status = t > run->start ? settle(run, directions) : settle_start(run, directions);
  if (status != RUN_OK)
    return status;
  if (located && (status = run_contact_note(run, t)) != RUN_OK)
    return status;
  if ((run->slide || run->contact) && run_slide_close(run) != NUM_OK)
    return evaluation_failed(run);
  if (run->monitored)
    run_indicators(run, NULL);
  arm(run);
  if ((run_has_delays(run) && run_delays_record(run, true) != NUM_OK) || run_evaluate(run, DS_PART_CHECKS) != NUM_OK)
    return evaluation_failed(run);
  run_trace_mode(run);
  run_invariant_hold(run);
  return run_row(run, RUN_ROW_AFTER);
}

/* ---- time events ---- */

/* Instants that differ by rounding only are one: the last of those that are as near to the first. A sample at 3*0.1 and
 * one at 0.3 happen together. */
static double same_instant(const Run *run, double next) {
  double last = next, end = fmin(next + run_tolerances.together * DBL_EPSILON * fabs(next), run->stop);
  EACH_SAMPLE(run, k) {
    double at = run->sample_start[k] + (double)run->sample_next[k] * run->sample_interval[k];
    if (at < end)
      last = fmax(last, at);
  }
  EACH_RELATION(run, k)
    if (changes_in_time(run, k) && run->instants[k] < end)
      last = fmax(last, run->instants[k]);
  return last;
}

static int read_instants(Run *run) {
  const Scope *sc = run->scope;
  int status = NUM_OK;
  if (sc->all)
    return run->m->instants(&run->d, run->instants);
  for (int k = 0; k < sc->n_parts && status == NUM_OK; k++)
    status = run->m->part_instants(&run->d, sc->parts[k], run->instants);
  return status;
}

double run_next_time(Run *run, bool *found) {
  double t = run->d.time, next = run_has_delays(run) ? run_delays_next(run) : INFINITY;
  EACH_SAMPLE(run, k)
    next = fmin(next, run->sample_start[k] + (double)run->sample_next[k] * run->sample_interval[k]);
  bool timed = false;
  EACH_RELATION(run, k)
    timed = timed || run->m->relations[k].timed;
  for (int k = 0, n = run->scope->all ? run->n_parts : run->scope->n_parts; k < n && run->n_sliding; k++)
    next = fmin(next, run_contact_next(run, &run->parts[run->scope->all ? k : run->scope->parts[k]]));
  run->d.fuel = 1000 * 1000, run->d.top = 0;
  if (timed && read_instants(run) == NUM_OK)
    EACH_RELATION(run, k) {
      if (changes_in_time(run, k) && run->instants[k] > t)
        next = fmin(next, run->instants[k]);
      else if (is_due(run, k))
        next = fmin(next, t);
    }
  *found = isfinite(next);
  return next > t ? same_instant(run, next) : t;
}
