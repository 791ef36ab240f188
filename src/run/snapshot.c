/* run/snapshot.c -- everything that decides how a run goes on, as one piece of memory, and back.
 * What:  values, memory of relations, samples, delays, transports, starting points of iterations,
 * the solvers with their steps, the phase under way, position in the output grid, random
 * generators, counts. Not what follows from options and parameters alone, nor what only lasts for
 * one evaluation.
 * How:   one walk (base/tape.h) counts, writes and reads; most of it is the block of values.
 * Keep:  a field of Run that one step leaves for the next is walked over here. Texts are kept as
 *        characters: they must outlive their run. External objects belong to the run that made
 *        them. */
#include "run/snapshot.h"
#include "run/bounds.h"
#include "run/code.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/discontinuity.h"
#include "run/evaluate.h"
#include "run/guess.h"
#include "run/initial.h"
#include "run/instant.h"
#include "run/invariant.h"
#include "run/isolate.h"
#include "run/kind.h"
#include "run/linear.h"
#include "run/look.h"
#include "run/memory.h"
#include "run/mode.h"
#include "run/part.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/rows.h"
#include "run/samples.h"
#include "run/scales.h"
#include "run/schedule.h"
#include "run/singular.h"
#include "run/slide.h"
#include "run/solver.h"
#include "run/starts.h"
#include "run/trace.h"
#include "run/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Options that the saved numbers depend on. */
typedef struct {
  double start, stop, rtol, atol_factor, fixed;
  const StepperKind *asked;
  uint32_t intervals;
  bool dae;
} Settings;

struct RunSnapshot {
  const Program *program;
  Settings settings;
  uint64_t run; /* that it was taken from */
  uint32_t n_objects;
  bool begun;
  double time;
  size_t size; /* bytes of `at` but for the texts, which follow */
  size_t all;
  unsigned char at[];
};

static Settings settings_of(const Run *run) {
  const RunOptions *o = run->options;
  return (Settings){.start = run->goal.start,
                    .stop = run->goal.stop,
                    .rtol = run->goal.rtol,
                    .atol_factor = o->atol_factor,
                    .fixed = run->goal.fixed,
                    .asked = run->goal.asked,
                    .intervals = run->goal.intervals,
                    .dae = o->dae};
}

/* field by field: padding has no value */
static bool same_settings(Settings a, Settings b) {
  return a.start == b.start && a.stop == b.stop && a.rtol == b.rtol &&
         a.atol_factor == b.atol_factor && a.fixed == b.fixed && a.asked == b.asked &&
         a.intervals == b.intervals && a.dae == b.dae;
}

/* ---- the walk ---- */

/* A scope by the number of its part; n_parts: of several; -1: none. */
static void walk_current(Run *run, Tape *t, const Scope **scope) {
  /* a scope is one of a part, the whole, or none; addresses mean nothing in another run */
  int number = *scope ? 0 : -1;
  while (*scope && number < run->n_parts && *scope != &run->parts[number].scope)
    number++;
  tape_number(t, &number, -1, run->n_parts + 1);
  *scope = number < 0 ? NULL : number == run->n_parts ? run->whole : &run->parts[number].scope;
}

static void walk_values(Run *run, Tape *t) {
  const DsModel *m = run->m;
  tape_value(t, run->d.time);
  tape_value(t, run->d.initial);
  tape_value(t, run->d.terminal);
  walk_current(run, t, &run->eval.current);
  tape_array(t, run->block, run->block_size);
  tape_array(t, run->starts->given, m->n_variables);
  tape_flag(t, &run->look->on);
  tape_value(t, run->look->shown_time);
  /* a look has values of its own only while it is shown */
  if (!isnan(run->look->shown_time))
    tape_array(t, run->look->shown, run->block_size);
  if (!run->look->on)
    return;
  /* in the middle of a step: also what the run goes on with */
  tape_array(t, run->look->block, run->block_size);
  tape_value(t, run->look->time);
  tape_flag(t, &run->look->failed);
  tape_value(t, run->look->evaluations);
  walk_current(run, t, &run->look->current);
}

static void walk_relation(Tape *t, RelationState *r) {
  /* flags are checked, so that no other byte becomes a bool */
  bool *const flags[] = {&r->inside,  &r->begins,  &r->flipped, &r->crossed,
                         &r->resting, &r->returns, &r->side};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    tape_flag(t, flags[k]);
  /* enumerations go as numbers, checked against their range */
  int position = (int)r->position, path = (int)r->path;
  tape_number(t, &position, 0, SIDE_AWAY + 1);
  tape_number(t, &path, 0, PATH_CONTACT + 1);
  r->position = (SidePosition)position;
  r->path = (SidePath)path;
  tape_value(t, r->excursions);
  tape_value(t, r->entry);
  tape_value(t, r->surface);
  tape_value(t, r->times);
  tape_value(t, r->narrow);
  tape_value(t, r->narrow_since);
  tape_value(t, r->earlier);
  tape_value(t, r->reach);
  tape_value(t, r->excursion);
  tape_value(t, r->width);
}

static void walk_events(Run *run, Tape *t) {
  const DsModel *m = run->m;
  int n = m->n_relations;
  for (int k = 0; k < n; k++)
    walk_relation(t, &run->rel->state[k]);
  tape_flags(t, run->rel->fired, (size_t)n);
  tape_array(t, run->rel->instants, n);
  tape_array(t, run->rel->z_start, n);
  tape_array(t, run->rel->z_before, n);
  tape_array(t, run->rel->side, n);
  tape_array(t, run->rel->size, n);
  tape_array(t, run->rel->terms, n);
  tape_array(t, run->rel->size_past, 2 * n);
  tape_array(t, run->rel->side_a, n);
  tape_array(t, run->rel->side_b, n);
  tape_array(t, run->trace->mode, n + run->trace->n_booleans);
  tape_array(t, run->samples->start, m->n_samples);
  tape_array(t, run->samples->interval, m->n_samples);
  tape_array(t, run->samples->next, m->n_samples);
  tape_number(t, &run->n_sliding, 0, run->n_parts + 1);
  tape_value(t, run->trace->n_events);
  tape_value(t, run->trace->last_event);
  tape_flag(t, &run->stage.underway);
  tape_flag(t, &run->instant->is_event);
  tape_flag(t, &run->stage.terminated);
  tape_value(t, run->out->time);
  tape_value(t, run->instant->step);
  tape_value(t, run->stage.pause);
  tape_value(t, run->out->next_grid);
}

/* Starting points of iterations. */
static void walk_guesses(Run *run, Tape *t) {
  tape_flags(t, run->guess->is_iterated, (size_t)run->m->n_real);
  tape_array(t, run->guess->value, run->m->n_real);
}

static void walk_generators(Run *run, Tape *t) {
  uint32_t n = run->memory->n_random;
  uint32_t aside = run->look->on ? run->look->n_random : 0;
  tape_value(t, n);
  tape_value(t, aside);
  /* a damaged checkpoint must not ask for memory without end */
  if (n > tape_left(t) / sizeof *run->memory->random ||
      aside > tape_left(t) / sizeof *run->memory->random) {
    n = aside = 0;
    t->bad = true;
  }
  if (t->way == TAPE_READ) {
    /* room before the values are read into it */
    run_random_room(run, n);
    run_look_room(run, aside);
  }
  tape_array(t, run->memory->random, n);
  tape_array(t, run->look->random, aside);
  /* places in a ring of 16: no other value may come from a file */
  for (uint32_t k = 0; k < n; k++)
    run->memory->random[k].p &= 15;
  for (uint32_t k = 0; k < aside; k++)
    run->look->random[k].p &= 15;
}

/* A method by its number in the table; -1: none. */
static int number_of(const Stepper *s) {
  int k = 0;
  while (s && stepper_kind_at((size_t)k) != s->kind)
    k++;
  return s ? k : -1;
}

/* places first, then what stands there */
static void walk_slide(const Run *run, Tape *t, Slide *s) {
  int n = run->m->n_relations;
  tape_number(t, &s->k, 0, SLIDE_MOST + 1);
  tape_number(t, &s->n_before, 0, SLIDE_MOST + 1);
  tape_numbers(t, s->surface, (size_t)s->k, 0, n);
  tape_numbers(t, s->before, (size_t)s->n_before, 0, n);
  tape_value(t, s->a);
  tape_value(t, s->now);
  tape_value(t, s->z);
  tape_value(t, s->band);
  tape_value(t, s->entry);
  tape_numbers(t, s->mate, (size_t)s->k, 0, s->k + 1);
  tape_value(t, s->scale);
  tape_value(t, s->limit);
  tape_value(t, s->decisions);
  tape_flag(t, &s->leaves);
  tape_flag(t, &s->placed);
  tape_flag(t, &s->changed);
}

static void walk_contact(const Run *run, Tape *t, Contact *c) {
  tape_number(t, &c->k, 0, CONTACT_MOST + 1);
  tape_numbers(t, c->relation, (size_t)c->k, 0, run->m->n_relations);
  tape_value(t, c->limit);
  tape_value(t, c->force);
  tape_value(t, c->z);
  tape_value(t, c->rate);
  tape_value(t, c->free);
  tape_value(t, c->band);
  tape_value(t, c->entry);
  tape_value(t, c->drift);
  tape_flags(t, c->leaves, CONTACT_MOST);
  tape_flag(t, &c->changed);
}

static void walk_events_of(Run *run, Part *p, Tape *t) {
  tape_value(t, p->phase.until);
  tape_flag(t, &p->phase.timed);
  tape_value(t, p->phase.largest);
  tape_value(t, p->phase.flight);
  tape_value(t, p->phase.in_flight);
  tape_flag(t, &p->phase.in_step);
  tape_value(t, p->phase.theta);
  tape_flag(t, &p->due);
  tape_flag(t, &p->soon);
  tape_flag(t, &p->over);
  run_watch_keep(&p->watch, t);
  tape_value(t, p->h_before);
  tape_value(t, p->hint);
  tape_value(t, p->hint_trial);
  tape_value(t, p->guess_trial);
  tape_value(t, p->rescues);
  tape_number(t, &p->n_iterated, 0, p->most_iterated + 1);
  tape_numbers(t, p->iterated, (size_t)p->n_iterated, 0, run->m->n_real);
  walk_slide(run, t, &p->slide);
  walk_contact(run, t, &p->contact);
  walk_slide(run, t, &p->aside.slide);
  walk_contact(run, t, &p->aside.contact);
  tape_flag(t, &p->aside.has_dense);
  tape_value(t, p->aside.evaluations);
  tape_number(t, &p->aside.n_iterated, 0, p->n_iterated + 1);
  tape_value(t, p->events.n);
  tape_value(t, p->events.narrow);
  tape_value(t, p->events.located);
  tape_value(t, p->events.located_since);
  tape_value(t, p->events.slight);
  tape_number(t, &p->events.n_slight, 0, SLIGHT_EVENTS + 2);
  tape_value(t, p->events.ends);
  tape_number(t, &p->events.ends_by, 0, run->m->n_relations + 1);
  tape_number(t, &p->events.n_motions, 0, MOTIONS + 1);
  /* memory that only parts with such events have */
  if (p->events.n_motions) {
    run_accumulate_room(run, p);
    tape_array(t, p->events.motions, p->events.n_motions * p->n);
  }
  if (p->events.n && !p->events.crowd)
    p->events.crowd = NEW_ARRAY(run->a, double, CROWD);
  tape_array(t, p->events.crowd, p->events.n < CROWD ? p->events.n : CROWD);
}

static void walk_part(Run *run, Part *p, Tape *t) {
  Solver *so = &p->solver;
  walk_events_of(run, p, t);
  tape_value(t, p->h);
  tape_value(t, p->pace);
  tape_value(t, p->tempo);
  tape_value(t, so->used);
  tape_value(t, so->stiff);
  tape_value(t, so->easy);
  tape_value(t, so->calm);
  tape_value(t, so->returns);
  tape_value(t, so->patience);
  tape_flag(t, &so->on_trial);
  tape_value(t, so->cost);
  tape_value(t, so->steps);
  tape_value(t, so->events);
  tape_value(t, so->grid_steps);
  tape_value(t, so->grid);
  tape_value(t, so->look);
  tape_value(t, so->rescue_time);
  tape_value(t, so->rescues);
  int gave_up = number_of(so->gave_up);
  int at_work = number_of(p->stepper);
  int kinds = 0;
  unsigned made = 0;
  /* the methods made, as bits: each has a history of its own */
  for (; stepper_kind_at((size_t)kinds); kinds++)
    made |= so->made[kinds] ? 1u << kinds : 0;
  tape_number(t, &gave_up, -1, kinds);
  tape_number(t, &at_work, -1, kinds);
  tape_value(t, made);
  if (t->bad) /* no method that the run cannot have */
    made = 0;
  /* made here as well, because what it keeps is read into it */
  for (int k = 0; stepper_kind_at((size_t)k); k++) {
    Stepper *s = so->made[k];
    if (made >> k & 1 && t->way == TAPE_READ && !(s = run_solver_of(p, stepper_kind_at((size_t)k))))
      mem_exhausted(arena_memory(run->a));
    if (made >> k & 1)
      stepper_keep(s, t);
    else if (s)
      stepper_forget(s);
  }
  if (t->way != TAPE_READ)
    return;
  /* from numbers back to addresses */
  so->gave_up = gave_up >= 0 ? so->made[gave_up] : NULL;
  p->stepper = at_work >= 0 && made >> at_work & 1 ? so->made[at_work] : NULL;
}

/* Each place is in one list, that of the part which determines it. */
static void check_iterated(Run *run, Tape *t) {
  for (int place = 0; place < run->m->n_real; place++)
    run->guess->is_iterated[place] = run->guess->is_iterated[place] && run->guess->owner[place] < 0;
  for (int k = 0; k < run->n_parts; k++) {
    const Part *p = &run->parts[k];
    /* a place that belongs to another part, or twice to one, is not what a run has written */
    for (int q = 0; q < p->n_iterated; q++) {
      int place = p->iterated[q];
      t->bad = t->bad || run->guess->owner[place] != k || run->guess->is_iterated[place];
      run->guess->is_iterated[place] = true;
    }
  }
}

static void walk_parts(Run *run, Tape *t) {
  run_weights_keep(run, t);
  tape_array(t, run->scales->atol, run->m->nx);
  tape_array(t, run->scales->nominal, run->m->nx);
  for (int k = 0; k < run->n_parts; k++)
    walk_part(run, &run->parts[k], t);
  if (t->way == TAPE_READ)
    check_iterated(run, t);
  tape_numbers(t, run->queue->heap, (size_t)run->n_parts, 0, run->n_parts);
  tape_numbers(t, run->queue->at, (size_t)run->n_parts, 0, run->n_parts);
  for (int k = 0; k < run->n_parts; k++)
    t->bad = t->bad || run->queue->at[run->queue->heap[k]] != k;
  /* what follows from the structure, and from values, is surveyed again */
  if (t->way == TAPE_READ) {
    run_watch_monitor(run);
    isolate_begin(run);
  }
  if (t->way == TAPE_READ && !t->bad)
    run_contact_push(run);
}

/* The code is that of the run which goes on; other texts are made at its end. */
static void walk_stats(Run *run, Tape *t) {
  RunStats *s = &run->stats;
  uint64_t *const counts[] = {
      &s->steps,        &s->rejected_steps, &s->rhs_evaluations, &s->state_events, &s->time_events,
      &s->event_passes, &s->jacobians,      &s->factorizations,  &s->selections,   &s->structures,
      &s->slides,       &s->contacts,       &s->mode_changes,    &s->n_changes};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    tape_value(t, *counts[k]);
  for (uint64_t k = 0; k < s->n_changes && k < RUN_CHANGES; k++) {
    int number = 0, kinds = 0;
    for (; stepper_kind_at((size_t)kinds); kinds++)
      if (s->changes[k].solver &&
          !strcmp(s->changes[k].solver, stepper_kind_at((size_t)kinds)->name))
        number = kinds;
    tape_value(t, s->changes[k].time);
    tape_number(t, &number, 0, kinds);
    s->changes[k].solver = stepper_kind_at((size_t)number)->name;
  }
}

/* What rows hold beside the states. Results know these by number: who has recorded more since then
 * goes on doing so. */
static void walk_singular(Run *run, Tape *t) {
  RunSingular *si = run->singular;
  int n = si->n;
  tape_number(t, &n, 0, run->n_real + 1);
  for (int k = 0; k < n && !t->bad; k++) {
    int place = t->way == TAPE_READ ? 0 : si->place[k];
    tape_number(t, &place, 0, run->n_real);
    if (t->way == TAPE_READ)
      run_record(run, place);
  }
}

static void walk_rest(Run *run, Tape *t) {
  walk_singular(run, t);
  walk_events(run, t);
  run_contact_keep(run, t);
  walk_guesses(run, t);
  walk_generators(run, t);
  run_delays_keep(run, t);
  run_transports_keep(run, t);
  walk_parts(run, t);
  walk_stats(run, t);
}

/* ---- texts ---- */

/* Blocks of values in use: the present ones, those put aside by a look, those of the row at the
 * time of the pause. */
enum { BLOCKS = 3 };
static size_t blocks_of(const Run *run, unsigned char *blocks[BLOCKS]) {
  size_t n = 0;
  blocks[n++] = run->block;
  if (run->look->on)
    blocks[n++] = run->look->block;
  if (!isnan(run->look->shown_time))
    blocks[n++] = run->look->shown;
  return n;
}

/* Characters of the Strings and their pre values. */
static size_t write_texts(const Run *run, unsigned char *to) {
  unsigned char *blocks[BLOCKS];
  size_t n = 0;
  size_t n_blocks = blocks_of(run, blocks);
  size_t texts = 2 * (size_t)run->m->n_string;
  size_t offset = (size_t)((unsigned char *)run->d.s - run->block);
  /* texts are addresses in the block: the characters follow behind all else */
  for (size_t k = 0; k < texts * n_blocks; k++) {
    const char *text;
    memcpy(&text, blocks[k / texts] + offset + (k % texts) * sizeof text, sizeof text);
    size_t length = strlen(text) + 1;
    if (to)
      memcpy(to + n, text, length);
    n += length;
  }
  return n;
}

/* The run gets them as texts of its own, which are empty where there are none. False: there are
 * fewer. */
static bool read_texts(Run *run, const unsigned char *from, const unsigned char *end) {
  unsigned char *blocks[BLOCKS];
  size_t n_blocks = blocks_of(run, blocks);
  size_t texts = 2 * (size_t)run->m->n_string;
  size_t offset = (size_t)((unsigned char *)run->d.s - run->block);
  bool ok = true;
  for (size_t k = 0; k < texts * n_blocks; k++) {
    ok = ok && memchr(from, 0, (size_t)(end - from));
    const char *text = run_keep_text(run, ok ? (const char *)from : "");
    memcpy(blocks[k / texts] + offset + (k % texts) * sizeof text, &text, sizeof text);
    from += ok ? strlen(text) + 1 : 0;
  }
  return ok && from == end;
}

/* ---- taking and putting back ---- */

/* counted first: one piece of memory, of the right size */
RunSnapshot *run_snapshot(Run *run) {
  Tape t = {.way = TAPE_COUNT};
  walk_values(run, &t);
  walk_rest(run, &t);
  size_t all = t.n + write_texts(run, NULL);
  RunSnapshot *s = malloc(sizeof *s + all);
  if (!s)
    return NULL;
  *s = (RunSnapshot){.program = run->program,
                     .settings = settings_of(run),
                     .run = run->serial,
                     .n_objects = run->memory->n_objects,
                     .begun = run->stage.begun,
                     .time = run->d.time,
                     .size = t.n,
                     .all = all};
  /* the same walk again, into the memory */
  t = (Tape){.way = TAPE_WRITE, .at = s->at, .size = t.n};
  walk_values(run, &t);
  walk_rest(run, &t);
  write_texts(run, s->at + t.n);
  return s;
}

double run_snapshot_time(const RunSnapshot *s) { return s->time; }
bool run_snapshot_begun(const RunSnapshot *s) { return s->begun; }
void run_snapshot_free(RunSnapshot *s) { free(s); }

/* May it be put into this run? */
static bool fits(Run *run, const RunSnapshot *s) {
  const char *why = NULL;
  if (s->program != run->program)
    why = "the snapshot belongs to a run of another program";
  else if (!same_settings(s->settings, settings_of(run)))
    why = "the snapshot belongs to a run with other times, tolerances or another solver";
  else if (s->n_objects && s->run != run->serial)
    why = "the snapshot holds external objects, such as tables, that belong to another run";
  if (why)
    diag_add(run->diags, D_A001, (Span){0, 0}, "%s", why);
  return !why;
}

/* The history of a multistep method cannot be put back: it begins anew from the present values.
 * Then so do all parts. */
static RunStatus begin_anew(Run *run, bool anew) {
  bool complete = !anew;
  for (int k = 0; k < run->n_parts; k++)
    complete = complete && (!run->parts[k].stepper || run->parts[k].stepper->kind->keep);
  if (complete || run->stage.terminated)
    return RUN_OK;
  /* what was looked at belongs to a step that is no more */
  run->look->on = false;
  memset(run->rel->fired, 0, (size_t)run->m->n_relations * sizeof *run->rel->fired);
  return run_begin_all(run, run->d.time);
}

/* States of selections are candidates, each another one. */
static bool are_choices(const Run *run, const DsSelection *se, const unsigned char *block) {
  const long long *i = (const long long *)(const void *)(block +
                                                         ((unsigned char *)run->d.i - run->block));
  for (int k = 0; k < se->n_states; k++) {
    long long c = i[se->choices[k]];
    bool ok = c >= 0 && c < se->n;
    for (int q = 0; q < k; q++)
      ok = ok && i[se->choices[q]] != c;
    if (!ok)
      return false;
  }
  return true;
}

static bool check_choices(const Run *run) {
  unsigned char *blocks[BLOCKS];
  bool ok = true;
  /* every block that is read back has choices of its own */
  for (size_t b = blocks_of(run, blocks); b-- > 0;)
    for (int k = 0; k < run->m->n_selections; k++)
      ok = ok && are_choices(run, &run->m->selections[k], blocks[b]);
  return ok;
}

/* Parts that make steps have a method. */
static bool check_steppers(const Run *run) {
  bool ok = true;
  for (int k = 0; k < run->n_parts && run->stage.begun && !run->stage.terminated; k++)
    ok = ok && (run->parts[k].kind != &part_equations || run->parts[k].stepper);
  return ok;
}

/* RUN_USAGE: it is not what a run has written; then the run must not be used any more. */
static RunStatus put_back(Run *run, const RunSnapshot *s, bool anew, RunRowFunction *row,
                          void *user) {
  run->out->row = row;
  run->out->user = user;
  /* nothing of what the run was about */
  run->failure.any = run->warning.any = run->out->stop_asked = false;
  run->eval.bad.time = NAN;
  run->own.settings.n = 0;
  run_forget_matrices(run, run->whole);
  run->out->parameters_set = true;
  if (!run->stage.begun && s->begun)
    run_code_begin(run);
  run->stage.begun = s->begun;
  Tape t = {.way = TAPE_READ, .at = (unsigned char *)(uintptr_t)s->at, .size = s->size};
  /* values first: the structure, and what has room in it, depends on them */
  walk_values(run, &t);
  if (!read_texts(run, s->at + s->size, s->at + s->all) || t.bad)
    return RUN_USAGE;
  /* the walk below reads what the structure of these values has */
  if (run_mode_again(run) != RUN_OK)
    return RUN_FAILED;
  if (s->begun && !check_choices(run))
    return RUN_USAGE;
  /* in another run: what follows from the parameters alone */
  if (s->begun && s->run != run->serial && run_read_tolerances(run) != RUN_OK)
    return RUN_FAILED;
  if (s->begun && s->run != run->serial)
    run_bounds_begin(run);
  /* everything else, into rooms that fit */
  walk_rest(run, &t);
  if (t.bad || t.n != t.size || !check_steppers(run))
    return RUN_USAGE;
  run_invariant_hold(run);
  return begin_anew(run, anew);
}

RunStatus run_restore(Run *run, const RunSnapshot *s, RunRowFunction *row, void *user) {
  return fits(run, s) ? put_back(run, s, false, row, user) : RUN_USAGE;
}

/* ---- checkpoints: snapshots for other processes ---- */

/* In front of the bytes of a checkpoint. */
typedef struct {
  uint64_t print; /* what it depends on */
  uint64_t size, all;
  double time;
  uint32_t n_objects;
} Head;

static uint64_t mix(uint64_t sum, uint64_t value) {
  return (sum ^ value) * 0x100000001b3u;
} /* FNV-1a */

static uint64_t mix_text(uint64_t sum, const char *text) {
  for (const char *c = text; *c; c++)
    sum = mix(sum, (unsigned char)*c);
  return mix(sum, 0);
}

/* A number that is another one for another model or another build of the program, as far as its
 * data have another form. */
static uint64_t print_of(const Run *run) {
  /* to be counted up by whoever changes the order of the walk */
  enum { FORM = 4 }; /* counts changes of the walk that the sizes do not show */
  const DsModel *m = run->program->model;
  const uint64_t sizes[] = {FORM,
                            sizeof(Part),
                            sizeof(Stepper),
                            sizeof(Run),
                            sizeof(RandomState),
                            run->block_size,
                            (uint64_t)m->nx,
                            (uint64_t)m->n_real,
                            (uint64_t)m->n_integer,
                            (uint64_t)m->n_string,
                            (uint64_t)m->n_relations,
                            (uint64_t)m->n_samples,
                            (uint64_t)m->n_delays,
                            (uint64_t)m->n_transports,
                            (uint64_t)run->n_parts,
                            (uint64_t)m->n_conditions};
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    sum = mix(sum, sizes[k]);
  /* variables by name, type and place: another model with equal sizes is another one */
  for (int k = 0; k < m->n_variables; k++) {
    const DsVariable *v = &m->variables[k];
    sum = mix(mix(mix(mix_text(sum, v->name), (uint64_t)v->type), (uint64_t)v->place),
              (uint64_t)v->der);
  }
  return sum;
}

bool run_checkpoint(Run *run, Text *out) {
  RunSnapshot *s = run->stage.terminated ? NULL : run_snapshot(run);
  if (!s)
    return false;
  Head head = {.print = print_of(run),
               .size = s->size,
               .all = s->all,
               .time = run->out->time,
               .n_objects = s->n_objects};
  text_addn(out, (const char *)&head, sizeof head);
  text_addn(out, (const char *)s->at, s->all);
  run_snapshot_free(s);
  return true;
}

/* External objects come from the parameters. Those of foreign libraries may have a memory of their
 * own. */
static bool make_objects(Run *run, uint32_t n) {
  /* objects are made by the parameters, at the start */
  run->d.time = run->goal.start;
  run->d.initial = 1;
  bool ok = !n || (run_evaluate(run, run->whole, DO_PARAMETERS) == NUM_OK &&
                   run->memory->n_objects == n && run_objects_are_native(run));
  run->d.initial = 0;
  return ok;
}

bool run_checkpoint_fits(Run *run, const void *bytes, size_t n) {
  Head head;
  if (n < sizeof head)
    return false;
  memcpy(&head, bytes, sizeof head);
  return head.print == print_of(run) && head.all == n - sizeof head && head.size <= head.all &&
         make_objects(run, head.n_objects);
}

RunStatus run_resume(Run *run, const void *bytes, size_t n, bool anew, RunRowFunction *row,
                     void *user) {
  Head head;
  memcpy(&head, bytes, sizeof head);
  /* a snapshot of this run, with the bytes of the other one */
  RunSnapshot *s = malloc(sizeof *s + head.all);
  if (!s)
    mem_exhausted(arena_memory(run->a));
  *s = (RunSnapshot){
      .program = run->program, .begun = true, .size = head.size, .all = n - sizeof head};
  memcpy(s->at, (const unsigned char *)bytes + sizeof head, s->all);
  RunStatus status = put_back(run, s, anew, row, user);
  run_snapshot_free(s);
  return status;
}
