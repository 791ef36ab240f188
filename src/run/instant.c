/* run/instant.c -- the discrete phase: time stands still, passes over all equations until nothing
 * changes any more.
 * One pass: all equations with pre values fixed, mixed systems being settled inside (mixed.c); then
 * reinit, then pre := present values (MLS 3.6 appendix B). A repeated state is a cycle and is
 * reported. Afterwards a relation on its band whose sides move apart is set to the side it moves
 * to, so that no step of 1e-15 is needed to find out; relations of mixed systems are asked a moment
 * ahead all together. */
#include "run/instant.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/cycle.h"
#include "run/direction.h"
#include "run/discontinuity.h"
#include "run/evaluate.h"
#include "run/invariant.h"
#include "run/linear.h"
#include "run/mode.h"
#include "run/part.h"
#include "run/pass.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/rows.h"
#include "run/samples.h"
#include "run/set.h"
#include "run/slide.h"
#include "run/steps.h"
#include "run/tell.h"
#include "run/tolerances.h"
#include "run/trace.h"
#include "run/values.h"

#include "base/limits.h"
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

static Wholes wholes_of(const Instant *in, int k) {
  const Run *run = in->run;
  const Scope *sc = in->scope;
  if (sc->all)
    return (Wholes){0, run->m->n_integer, 0, run->m->n_string};
  const DsPart *p = &run->m->parts[sc->parts[k]];
  return (Wholes){p->i, p->n_i, p->s, p->n_s};
}

/* Everything that decides how the instant goes on: what equations, relations and pre() read. */
static uint64_t hash_state(const Instant *in) {
  const Run *run = in->run;
  const Scope *sc = in->scope;
  uint64_t h = 1469598103934665603u;
  EACH_RELATION (in->scope, k)
    h = mix(h, &run->d.relation[k], 1);
  EACH_STATE (in->scope, k)
    h = mix(h, &run->d.r[k], sizeof(double));
  for (int k = 0; k < sc->n_discrete; k++)
    h = mix(h, &run->d.r[sc->discrete[k]], sizeof(double));
  for (int k = 0; k < sc->n_pre_reads; k++)
    h = mix(h, &run->d.r[sc->pre_reads[k]], sizeof(double));
  for (int k = 0; k < (sc->all ? 1 : sc->n_parts); k++) {
    Wholes w = wholes_of(in, k);
    h = mix(h, run->d.i + w.i, (size_t)w.n_i * sizeof *run->d.i);
    for (int q = w.s; q < w.s + w.n_s; q++)
      h = mix(h, run->d.s[q], strlen(run->d.s[q]) + 1);
  }
  return h;
}

/* ---- messages ---- */

static RunStatus evaluation_failed(Run *run) {
  run_tell_failure(run, run->d.initial ? D_I501 : D_R604,
                   run->d.initial ? "the equations cannot be evaluated"
                                  : "the model cannot be evaluated");
  return run->d.initial ? RUN_INIT_FAILED : RUN_FAILED;
}

/* ---- relations that begin to matter ---- */

/* a - b of all, also of those that do not matter. */
static int look_at_all(Instant *in, double *z) {
  Run *run = in->run;
  run->d.whole = 1;
  int status = run_indicators(run, in->scope, z);
  run->d.whole = 0;
  return status;
}

/* When the event begins. */
static int find_idle(Instant *in) {
  Run *run = in->run;
  bool idle = false;
  /* NaN below: it stands where it does not matter now */
  int status = run_indicators(run, in->scope, run->rel->z_lo);
  EACH_RELATION (in->scope, k) {
    side_matters(&run->rel->state[k]);
    idle = idle || isnan(run->rel->z_lo[k]);
  }
  if (!idle || !run->rel->monitored || status != NUM_OK)
    return status;
  status = look_at_all(in, run->rel->z_hi);
  EACH_RELATION (in->scope, k)
    if (status == NUM_OK && isnan(run->rel->z_lo[k]))
      side_idle(run, k, run->rel->z_hi[k]);
  return status;
}

static bool some_wait(const Instant *in) {
  bool any = false;
  EACH_RELATION (in->scope, k)
    any = any || in->run->rel->state[k].begin == BEGIN_WAITS;
  return any;
}

/* Does a relation that waits begin with true? One that is true where its sides are equal, and moves
 * to where it is true. Others begin false; if they move they change in an event of their own, when
 * this one has settled. */
static bool begins_true(const Run *run, int k) {
  int op = run->m->relations[k].op;
  Way way = run_way(run, k);
  return (way == WAY_UP || way == WAY_DOWN) && run_compare(op, 0) && run_compare(op, way);
}

/* After a pass: those that wait and have begun to matter; and, as the next pass may ask for them,
 * which way the others go by what this one has computed. A diode that has just been switched on
 * asks for a current that is 0 and grows. What nobody asks for need not have a value. */
static void begin_waiting(Instant *in) {
  Run *run = in->run;
  if (!some_wait(in) || run->pass->jumps ||
      run_indicators(run, in->scope, run->rel->z_lo) != NUM_OK)
    return;
  EACH_RELATION (in->scope, k)
    if (run->rel->state[k].begin == BEGIN_WAITS && !isnan(run->rel->z_lo[k]))
      side_begins(run, k);
  run->failure.any = false;
  /* a value that does not exist beyond its guard is no failure of this event */
  if (!some_wait(in) || look_at_all(in, run->rel->z_hi) != NUM_OK)
    return;
  run_directions(in, run->rel->z_hi);
  EACH_RELATION (in->scope, k)
    if (run->rel->state[k].begin == BEGIN_WAITS && begins_true(run, k))
      run->d.relation[k] = true;
}

/* ---- one pass ---- */

RunStatus run_equations(Run *run, const Scope *sc, int what) {
  run->failure.any = false;
  run->eval.rescue = true;
  run_forget_matrices(run, sc);
  int status = run_evaluate(run, sc, what);
  run->eval.rescue = false;
  return status == NUM_OK ? RUN_OK : evaluation_failed(run);
}

static bool reinit_changes(const Instant *in) {
  const Run *run = in->run;
  EACH_STATE (in->scope, k)
    if (run->pass->reinit[k] && run->d.r[k] != run->pass->reinit_value[k])
      return true;
  return false;
}

void run_apply_reinit(Instant *in) {
  Run *run = in->run;
  EACH_STATE (in->scope, k)
    if (run->pass->reinit[k]) {
      run->d.r[k] = run->pass->reinit_value[k];
      run->pass->reinit[k] = 0;
    }
}

bool run_discrete_changed(const Instant *in) {
  const Run *run = in->run;
  const DsData *d = &run->d;
  const Scope *sc = in->scope;
  for (int k = 0; k < sc->n_discrete; k++) {
    int p = sc->discrete[k];
    if (d->r[p] != d->r_pre[p] && !(isnan(d->r[p]) && isnan(d->r_pre[p])))
      return true;
  }
  for (int k = 0; k < (sc->all ? 1 : sc->n_parts); k++) {
    Wholes w = wholes_of(in, k);
    if (memcmp(d->i + w.i, d->i_pre + w.i, (size_t)w.n_i * sizeof *d->i))
      return true;
    for (int q = w.s; q < w.s + w.n_s; q++)
      if (strcmp(d->s[q], d->s_pre[q]))
        return true;
  }
  return false;
}

RunStatus run_one_pass(Instant *in, bool *changed) {
  Run *run = in->run;
  run->stats.event_passes++;
  run->pass->taken_back = false;
  EACH_STATE (in->scope, k)
    run->pass->reinit[k] = 0;
  RunStatus status = run_equations_in_mode(run, in->scope);
  if (status == RUN_OK)
    status = run_check_discrete(run, in->scope);
  if (status != RUN_OK)
    return status;
  if (run_evaluate(run, in->scope, DS_PART_ACTIONS) != NUM_OK)
    return evaluation_failed(run);
  /* a reinit to the value that the state has is none: it would ask for passes without end */
  run->pass->jumps = reinit_changes(in);
  *changed = run->pass->jumps || run->pass->mode_changed || run_discrete_changed(in);
  return RUN_OK;
}

/* Will pre() of a continuous variable have another value in the next pass? One that is iterated may
 * differ by roundings for ever. */
static bool pre_changes(const Instant *in) {
  const Run *run = in->run;
  const Scope *sc = in->scope;
  for (int k = 0; k < sc->n_pre_reads; k++) {
    double now = run->d.r[sc->pre_reads[k]];
    double before = run->d.r_pre[sc->pre_reads[k]];
    bool same = now == before || (isnan(now) && isnan(before)) ||
                fabs(now - before) <=
                    run_tolerances.same * DBL_EPSILON * fmax(fabs(now), fabs(before));
    if (!same)
      return true;
  }
  return false;
}

RunStatus run_passes(Instant *in) {
  Run *run = in->run;
  enum { LOOK_AT_LIMITS = 1024 };
  Cycle cycle = {0};
  bool samples = false, changed = false;
  EACH_SAMPLE (in->scope, k)
    samples = samples || run->d.sample[k];
  for (uint64_t pass = 1;; pass++) {
    in->step++;
    RunStatus status = run_one_pass(in, &changed);
    /* sides that were set by a direction may change again after that */
    in->jumps += run->pass->jumps || run->pass->mode_changed;
    /* samples are false again in the next pass, and what reads them must see that */
    changed = changed || samples;
    if (status == RUN_OK && changed)
      status = run_trace_pass(run, in->scope);
    /* one event may take longer than the whole run is allowed to */
    if (status == RUN_OK && pass % LOOK_AT_LIMITS == 0)
      status = run_check_limits(run);
    if (status != RUN_OK)
      return status;
    if (run->m->n_conditions && run->pass->jumps && (status = run_reinit_in_mode(run)) != RUN_OK)
      return status;
    run_apply_reinit(in);
    bool again = changed || pre_changes(in);
    /* the hash has no samples: a state with them is not the same as one without */
    uint64_t length = again && !samples ? run_cycle_length(&cycle, hash_state(in)) : 0;
    if (length)
      return run_tell_cycle(in, length);
    if (pass >= run_tolerances.most_passes)
      return run_tell_endless(run, pass);
    if (in->is_event)
      begin_waiting(in);
    run_commit(run, in->scope);
    EACH_SAMPLE (in->scope, k)
      run->d.sample[k] = 0;
    samples = false;
    if (!again)
      return RUN_OK;
    /* nothing reads a pre value that has changed in this pass (structure/passes.c) */
    if (run->m->one_pass && in->is_event && !run->pass->jumps && !run->pass->taken_back) {
      in->step++; /* the pass that would find nothing new */
      return RUN_OK;
    }
  }
}

/* ---- directions ---- */

/* Relations have taken the sides that they move to. In a state event that is what a crossing does;
 * one that lay on its limit before, or finds itself there at a scheduled instant, makes another
 * event, at the same time. */
static bool begins_event(Run *run) {
  bool begins = run->instant->is_event && !run->d.terminal &&
                (!run->instant->is_state_event || run->instant->departed);
  run->stats.state_events += begins;
  run->instant->is_state_event = run->instant->is_state_event || begins;
  return begins;
}

/* Passes until nothing changes, also with the sides that relations move to. */
static RunStatus settle(Instant *in, bool directions) {
  Run *run = in->run;
  int code = NUM_OK;
  run->eval.many = in->departed = false;
  RunStatus status = run_passes(in);
  /* sides that relations move to may make others move: until none does */
  while (status == RUN_OK && directions && run_follow(in, &code)) {
    status = run_trace_turn(run, in->scope, begins_event(run));
    in->departed = false;
    if (status == RUN_OK)
      status = run_passes(in);
  }
  return status != RUN_OK || code == NUM_OK ? status : evaluation_failed(run);
}

static RunStatus tell_start_loop(Run *run, int delay) {
  const Structure *s = run->options->structure;
  Span span = s && (uint32_t)delay < s->delays.n ? s->delays.at[delay].span : (Span){0, 0};
  Diag *d = diag_add(
      run->diags, D_R607, span,
      "event iteration does not settle at time %g: what is delayed depends on itself", run->d.time);
  diag_note(run->diags, d,
            "at the start delay() has the value of this instant, not one of the past");
  diag_help(run->diags, d,
            "let nothing happen at the start that changes the loop, such as sample(%g, ...)",
            run->d.time);
  return RUN_FAILED;
}

/* The same at the start, where what is delayed is the value of this instant, too: until both
 * agree. */
static RunStatus settle_start(Instant *in, bool directions) {
  Run *run = in->run;
  RunStatus status = settle(in, directions);
  for (int round = 1, changed = 0;
       status == RUN_OK && changed >= 0 && run_has_delays(run, in->scope); round++) {
    if (run_delays_first(run, &changed) != NUM_OK)
      return evaluation_failed(run);
    if (changed >= 0)
      status = round > MOST_START_ROUNDS ? tell_start_loop(run, changed) : settle(in, directions);
  }
  return status;
}

RunStatus run_settle_initially(Instant *in) {
  Run *run = in->run;
  in->turns.n = 0;
  bool mixed = false;
  /* only what a system decides together begins where it moves to; others begin by their values */
  EACH_RELATION (in->scope, k)
    mixed = mixed || run->m->relations[k].mixed;
  RunStatus status = settle_start(in, mixed);
  EACH_RELATION (in->scope, k)
    side_unflip(&run->rel->state[k]);
  return status;
}

/* Where the event leaves relations. */
static void settle_sides(Instant *in) {
  EACH_RELATION (in->scope, k)
    if (!in->run->m->relations[k].timed)
      side_settled(in->run, k);
}

/* ---- the event ---- */

/* The value of a timed relation after its instant. */
static bool value_after(const DsRelation *rel) {
  return run_compare(rel->op, rel->rising ? 1 : -1);
}

/* A timed relation that changes at its instant; time > stop changes just after the end. */
static bool changes_in_time(const Run *run, int k) {
  const DsRelation *rel = &run->m->relations[k];
  return rel->timed && (!(run->rel->instants[k] >= run->goal.stop) ||
                        run_compare(rel->op, 0) == value_after(rel));
}

/* Its instant has come, and it still has its old value. */
static bool is_due(const Run *run, int k) {
  return changes_in_time(run, k) && !(run->rel->instants[k] > run->d.time) &&
         value_after(&run->m->relations[k]) != (run->d.relation[k] != 0);
}

/* Relations of time that make this event, and change in its first pass; and its being the last
 * one. */
static void cause_instants(Instant *in) {
  Run *run = in->run;
  EACH_RELATION (in->scope, k)
    if (!run->d.terminal && run->options->passes && is_due(run, k)) {
      run_cause(run, RUN_CAUSE_TIME, k, run->d.time, run->rel->instants[k]);
      in->was[k] = !run->d.relation[k];
    }
  if (run->d.terminal)
    run_cause(run, RUN_CAUSE_TERMINAL, -1, NAN, NAN);
}

/* Did a relation fire that compares the same values? */
static bool crosses_too(const Instant *in, int k) {
  const Run *run = in->run;
  EACH_RELATION (in->scope, q) {
    if (!run->rel->fired[q])
      continue;
    bool same = run->rel->za[q] == run->rel->za[k] && run->rel->zb[q] == run->rel->zb[k];
    bool swapped = run->rel->za[q] == run->rel->zb[k] && run->rel->zb[q] == run->rel->za[k];
    if (same || swapped)
      return true;
  }
  return false;
}

/* Relations that lie on their band, rather than cross it now. */
static void find_resting(Instant *in) {
  Run *run = in->run;
  bool any = false;
  EACH_RELATION (in->scope, k)
    any = any || run->rel->fired[k];
  EACH_RELATION (in->scope, k)
    side_rests(&run->rel->state[k], !side_is_away(&run->rel->state[k]) && run_on_band(run, k) &&
                                        !(any && crosses_too(in, k)));
}

/* Relations that fired take their new side. */
static void apply_fired(Instant *in) {
  Run *run = in->run;
  EACH_RELATION (in->scope, k) {
    bool fired = run->rel->fired[k];
    run->rel->fired[k] = false;
    if (fired) {
      run_cause(run, RUN_CAUSE_RELATION, k, run->rel->za[k], run->rel->zb[k]);
      run->d.relation[k] = !run->d.relation[k];
    }
    side_crosses(&run->rel->state[k], fired, run->d.time);
  }
}

static void set_samples(Instant *in) {
  Run *run = in->run;
  EACH_SAMPLE (in->scope, k) {
    double t = run->samples->start[k] + (double)run->samples->next[k] * run->samples->interval[k];
    run->d.sample[k] = t <= run->d.time && !run->d.terminal;
    if (!run->d.sample[k])
      continue;
    run->samples->next[k]++;
    run_cause(run, RUN_CAUSE_SAMPLE, k, NAN, NAN);
  }
}

static RunStatus tell_crowd(Instant *in, double t, const char *what) {
  Run *run = in->run;
  Text text = {.arena = run->a};
  text_real(&text, t);
  DsPlace place = {0, 0, ""};
  EACH_RELATION (in->scope, k)
    if (run->rel->fired[k])
      place = run->m->relations[k].place;
  int most = run_slide_crowded(run);
  if (most)
    what = arena_printf(
        run->a, "a motion can slide along %d surfaces at once, and here it meets more", most);
  Diag *d = diag_add(run->diags, D_R609, (Span){place.lo, place.hi},
                     "events accumulate near time %s: %s", text_str(&text), what);
  diag_help(run->diags, d,
            most ? "give this relation a hysteresis; motions in parts of the model that do not "
                   "depend on each other do not count together"
                 : "two modes may lead back to each other at once: add a hysteresis");
  return RUN_LIMIT;
}

/* Events that are as near to each other as times can be, of whatever kind: the time does not go on.
 * How long the run is does not count, and whatever is further apart may be meant. */
static RunStatus check_crowd(Instant *in, double t) {
  Run *run = in->run;
  Part *p = in->part;
  if (!p->events.crowd)
    p->events.crowd = NEW_ARRAY(run->a, double, CROWD);
  double least = 16 * DBL_EPSILON * fabs(t); /* as in numeric/stepper.c */
  bool crowd = p->events.n >= CROWD && t - p->events.crowd[p->events.n % CROWD] <=
                                           run_tolerances.crowd_span * CROWD * least;
  p->events.crowd[p->events.n++ % CROWD] = t;
  run->trace->n_events++;
  run->trace->last_event = t;
  return crowd ? tell_crowd(in, t, "the last 1000 events took no time to speak of") : RUN_OK;
}

/* How far relations have been since their last events; z_lo is that of now. */
static void note_reach(Instant *in) {
  Run *run = in->run;
  EACH_RELATION (in->scope, k) {
    double z = fabs(run->rel->z_lo[k]);
    if (!run->m->relations[k].timed && isfinite(z))
      side_note_reach(run, k, z);
  }
}

/* State events whose relations went nowhere since their last ones, again and again: the motion
 * stands still between two modes. One such relation is enough if its events are dense: where a - b
 * and its speed are switched in turn (twisting control) the speed has far to go each time. */
static RunStatus check_narrow(Instant *in, double t) {
  Run *run = in->run;
  bool narrow = true, any = false;
  double since = t;
  Part *p = in->part;
  EACH_RELATION (in->scope, k) {
    RelationState *rs = &run->rel->state[k];
    if (!run->rel->fired[k])
      continue;
    any = true;
    narrow = side_is_narrow(rs, t) && narrow;
    /* dense by the time in which the part moves, whatever its unit is */
    if (rs->narrow >= CROWD &&
        t - rs->narrow_since < CROWD * run_tolerances.dense * run_pace(run, p)) {
      p->events.narrow = CROWD;
      since = rs->narrow_since;
    }
  }
  if (any && p->events.narrow < CROWD)
    p->events.narrow = narrow ? p->events.narrow + 1 : 0;
  if (p->events.narrow < CROWD)
    return RUN_OK;
  return tell_crowd(in, since, "before each of the last 1000 events its relation went nowhere");
}

/* A great many state events that, at their pace, would become so many more before the run ends that
 * it never does: near a point where everything is 0 nothing else tells what goes nowhere. */
static RunStatus check_pace(Instant *in, double t) {
  static const double hopeless = 1e12; /* events */
  PartEvents *e = &in->part->events;
  if (++e->located % EVENTS_IN_A_ROW)
    return RUN_OK;
  double passed = t - e->located_since;
  double left = in->run->goal.stop - t;
  double since = e->located_since;
  e->located_since = t;
  /* when the first of all these began is not known */
  if (e->located == EVENTS_IN_A_ROW || passed * hopeless > left * EVENTS_IN_A_ROW)
    return RUN_OK;
  char *what = arena_printf(
      in->run->a, "the last %d events took %.3g s; at this pace the run would need %.0e more",
      EVENTS_IN_A_ROW, passed, left / passed * EVENTS_IN_A_ROW);
  return tell_crowd(in, since, what);
}

/* Is a sample or a relation of time due? */
static bool is_scheduled(const Instant *in) {
  const Run *run = in->run;
  EACH_SAMPLE (in->scope, k)
    if (run->samples->start[k] + (double)run->samples->next[k] * run->samples->interval[k] <=
        run->d.time)
      return true;
  EACH_RELATION (in->scope, k)
    if (run->m->relations[k].timed && is_due(run, k))
      return true;
  return false;
}

/* Instants of time events follow from parameters and discrete variables, those of state events from
 * the solution; what comes out of a delay from its past. An event where a relation crosses and
 * something is scheduled is of both kinds. */
static void count(Run *run, bool located, bool scheduled, bool delayed) {
  run->instant->is_state_event = located || (delayed && !scheduled);
  if (run->d.terminal)
    return;
  run->stats.state_events += run->instant->is_state_event;
  run->stats.time_events += scheduled || !run->instant->is_state_event;
}

static void exchange_left(Run *run) {
  for (int k = 0; k < run->instant->n_began; k++) {
    Part *p = &run->parts[run->instant->began[k]];
    for (int i = 0; i < p->n && p->has_left; i++) {
      double x = p->stepper->x[i];
      p->stepper->x[i] = p->left[i];
      p->left[i] = x;
    }
  }
}

/* What a relation guards may have no value where the relation has changed: the values of a moment
 * before. */
static int values_left_of(Instant *in, double t) {
  Run *run = in->run;
  exchange_left(run);
  run->eval.current = NULL;
  int code = run_values_at(run, in->scope, t);
  exchange_left(run);
  run->eval.current = NULL;
  return code;
}

static void take_states(Run *run) {
  for (int k = 0; k < run->instant->n_began; k++) {
    const Part *p = &run->parts[run->instant->began[k]];
    if (p->n)
      memcpy(run->d.r + p->x, p->stepper->x, (size_t)p->n * sizeof(double));
  }
}

/* The values just before the event, of everything if that is told. */
static RunStatus values_before(Instant *in, double t) {
  Run *run = in->run;
  const Scope *sc = in->scope;
  in->told = !run->options->grid_only || run_on_grid(run, t);
  bool told = run->out->time != t && in->told;
  /* Also if that was a point of the grid: parts have gone on since then */
  in->scope = in->told ? run->whole : sc;
  int code = run_values_at(run, in->scope, t);
  bool left = code != NUM_OK || !run_is_finite(run, in->scope);
  if (left)
    code = values_left_of(in, t);
  RunStatus status = code != NUM_OK ? evaluation_failed(run)
                     : told         ? run_row(run, in->scope, RUN_ROW_BEFORE)
                                    : RUN_OK;
  if (left)
    take_states(run);
  in->scope = sc;
  run_skip_grid(run, t);
  return status;
}

bool run_event_holds(Instant *in, double t) {
  Run *run = in->run;
  const Scope *sc = in->scope;
  if (!run->m->n_invariants || run->n_sliding || run_has_delays(run, sc) ||
      run_values_at(run, sc, t) != NUM_OK || run_indicators(run, sc, run->rel->z_lo) != NUM_OK)
    return true;
  /* what is scheduled makes this an event, whatever its relations do */
  bool any = is_scheduled(in);
  EACH_RELATION (sc, k) {
    double z = run->rel->z_lo[k];
    bool held = run->d.relation[k] != 0;
    bool back = fabs(z) > run_band(run, k) && run_compare(run->m->relations[k].op, z) == held;
    run->rel->fired[k] = run->rel->fired[k] && !back;
    any = any || run->rel->fired[k];
  }
  return any;
}

RunStatus run_event(Instant *in, double t, bool located) {
  Run *run = in->run;
  RunStatus status = run_check_limits(run);
  if (status == RUN_OK)
    status = check_crowd(in, t);
  if (status == RUN_OK)
    status = values_before(in, t);
  if (status != RUN_OK)
    return status;
  run_watch_begin(run, in->scope);
  if (in->room)
    run_save(run, in->scope, in->entry);
  /* asked before samples go on to their next instants */
  bool scheduled = is_scheduled(in);
  in->changed_mode = false;
  in->turns.n = 0;
  in->n_causes = in->jumps = 0;
  int code = find_idle(in);
  if (code == NUM_OK && located) {
    note_reach(in);
    if ((status = check_narrow(in, t)) != RUN_OK || (status = check_pace(in, t)) != RUN_OK)
      return status;
  }
  /* first, because a weight that has reached its limit fires in the name of its relation */
  bool accumulates = (run->own.slide || run->own.contact) && run_slide_open(run, in->scope);
  find_resting(in);
  apply_fired(in);
  run_remember_entry(in);
  run_trace_relations(run, in->scope);
  cause_instants(in);
  set_samples(in);
  bool delayed = run_has_delays(run, in->scope) && run_delays_pass(run);
  if (run_has_delays(run, in->scope))
    run_transports_pass(run);
  run_commit(run, in->scope);
  in->is_event = true;
  if (code != NUM_OK)
    return evaluation_failed(run);
  if ((status = run_take_settings(run)) != RUN_OK)
    return status;
  /* counted here: in its passes further state events may begin at the same instant */
  count(run, located || accumulates, scheduled, delayed);
  /* directions lead beyond the end of the run */
  bool directions = run->rel->monitored && !run->d.terminal;
  status = t > run->goal.start ? settle(in, directions) : settle_start(in, directions);
  if (status != RUN_OK)
    return status;
  if (in->changed_mode && (status = run_contact_hold_on(run, in->scope)) != RUN_OK)
    return status;
  bool moved = false;
  if (located && (status = run_contact_note(run, t, &moved)) != RUN_OK)
    return status;
  /* a jump like any other: what was slid along may be left by it, and relations may change */
  if (moved && (status = settle(in, directions)) != RUN_OK)
    return status;
  if ((run->own.slide || run->own.contact) && run_slide_close(run, in->scope) != NUM_OK)
    return evaluation_failed(run);
  if (run->rel->monitored)
    run_indicators(run, in->scope, NULL);
  settle_sides(in);
  if ((run_has_delays(run, in->scope) && run_delays_record(run, true) != NUM_OK) ||
      run_evaluate(run, in->scope, DS_PART_CHECKS) != NUM_OK)
    return evaluation_failed(run);
  run_trace_mode(run, in->scope);
  run_invariant_hold(run);
  return run_row(run, in->scope, RUN_ROW_AFTER);
}

/* ---- time events ---- */

/* Instants that differ by rounding only are one: the last of those that are as near to the first. A
 * sample at 3*0.1 and one at 0.3 happen together. */
static double same_instant(const Run *run, const Scope *sc, double next) {
  double last = next;
  double end = fmin(next + run_tolerances.together * DBL_EPSILON * fabs(next), run->goal.stop);
  EACH_SAMPLE (sc, k) {
    double at = run->samples->start[k] + (double)run->samples->next[k] * run->samples->interval[k];
    if (at < end)
      last = fmax(last, at);
  }
  EACH_RELATION (sc, k)
    if (changes_in_time(run, k) && run->rel->instants[k] < end)
      last = fmax(last, run->rel->instants[k]);
  return last;
}

static int read_instants(Run *run, const Scope *sc) {
  int status = NUM_OK;
  if (sc->all)
    return run->m->instants(&run->d, run->rel->instants);
  for (int k = 0; k < sc->n_parts && status == NUM_OK; k++)
    status = run->m->part_instants(&run->d, sc->parts[k], run->rel->instants);
  return status;
}

double run_next_time(Run *run, const Scope *sc, bool *found) {
  double t = run->d.time;
  double next = run_has_delays(run, sc) ? run_delays_next(run) : INFINITY;
  EACH_SAMPLE (sc, k)
    next = fmin(next,
                run->samples->start[k] + (double)run->samples->next[k] * run->samples->interval[k]);
  bool timed = false;
  EACH_RELATION (sc, k)
    timed = timed || run->m->relations[k].timed;
  for (int k = 0, n = sc->all ? run->n_parts : sc->n_parts; k < n && run->n_sliding; k++)
    next = fmin(next, run_contact_next(run, &run->parts[sc->all ? k : sc->parts[k]]));
  /* these times are computed by functions, too, which must end */
  run->d.fuel = run_fuel;
  run->d.top = 0;
  if (timed && read_instants(run, sc) == NUM_OK)
    EACH_RELATION (sc, k) {
      if (changes_in_time(run, k) && run->rel->instants[k] > t)
        next = fmin(next, run->rel->instants[k]);
      else if (is_due(run, k))
        next = fmin(next, t);
    }
  *found = isfinite(next);
  return next > t ? same_instant(run, sc, next) : t;
}
