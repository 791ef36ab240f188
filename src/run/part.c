/* run/part.c -- the parts of a model (see DsPart): what belongs to each, where each stands at a
 * time, what an event may touch. A model without parts is one part. Work is always about a scope:
 * one part while it makes a step; the parts that an event may touch, by what they read from each
 * other; or everything, at the start, at the end, and where variables are set from outside.
 * Keep: the states of a part at a time between the ends of its step come from the dense output of
 *       its solver, and nowhere else. */
#include "run/part.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/guess.h"
#include "run/instant.h"
#include "run/kind.h"
#include "run/slide.h"
#include "run/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scopes ---- */

enum { RANGES = 13 }; /* of one part */

typedef struct {
  RunRange *at;
  int n;
} Ranges;

/* One more stretch; joined with the last one if it goes on from there. */
static void add_range(Ranges *out, const Run *run, const void *from, size_t n) {
  /* stretches are places in the block, so that they hold for copies of it, too */
  size_t at = (size_t)((const unsigned char *)from - run->block);
  if (!n)
    return;
  if (out->n && out->at[out->n - 1].at + out->at[out->n - 1].n == at)
    out->at[out->n - 1].n += n;
  else
    out->at[out->n++] = (RunRange){at, n};
}

/* What parts determine, bank by bank, so that neighbours make one stretch. */
static int find_ranges(const Run *run, const int *parts, int n, RunRange *at) {
  const DsData *d = &run->d;
  Ranges out = {at, 0};
  for (int bank = 0; bank < RANGES; bank++)
    for (int k = 0; k < n; k++) {
      const DsPart *p = &run->m->parts[parts[k]];
      size_t x = (size_t)p->n_x * sizeof(double);
      size_t r = (size_t)p->n_r * sizeof(double);
      size_t i = (size_t)p->n_i * sizeof *d->i;
      size_t s = (size_t)p->n_s * sizeof *d->s;
      switch (bank) {
      case 0: add_range(&out, run, d->r + p->x, x); break;
      case 1: add_range(&out, run, d->r + run->m->nx + p->x, x); break;
      case 2: add_range(&out, run, d->r + p->r, r); break;
      case 3: add_range(&out, run, d->r_pre + p->x, x); break;
      case 4: add_range(&out, run, d->r_pre + run->m->nx + p->x, x); break;
      case 5: add_range(&out, run, d->r_pre + p->r, r); break;
      case 6: add_range(&out, run, d->i + p->i, i); break;
      case 7: add_range(&out, run, d->i_pre + p->i, i); break;
      case 8: add_range(&out, run, d->s + p->s, s); break;
      case 9: add_range(&out, run, d->s_pre + p->s, s); break;
      case 10: add_range(&out, run, d->relation + p->relation, (size_t)p->n_relations); break;
      case 11: add_range(&out, run, d->relation_new + p->relation, (size_t)p->n_relations); break;
      case 12: add_range(&out, run, d->sample + p->sample, (size_t)p->n_samples); break;
      }
    }
  return out.n;
}

/* k at place k: lists of everything, and, from any place on, of what follows each other */
static const int *identity(Run *run) {
  const DsModel *m = run->m;
  int n = m->n_relations > m->n_samples ? m->n_relations : m->n_samples;
  n = m->nx > n ? m->nx : n;
  n = m->n_parts > n ? m->n_parts : n;
  int *out = NEW_ARRAY(run->a, int, n + 1);
  for (int k = 0; k < n; k++)
    out[k] = k;
  return out;
}

static Scope make_whole(Run *run, const int *numbers) {
  /* the whole is one stretch, and evaluates everything in one call */
  const DsModel *m = run->m;
  RunRange *range = NEW(run->a, RunRange);
  *range = (RunRange){0, run->block_size};
  return (Scope){.all = true,
                 .n_parts = m->n_parts,
                 .n_seen = m->n_parts,
                 .parts = numbers,
                 .seen = numbers,
                 .n_relations = m->n_relations,
                 .n_samples = m->n_samples,
                 .n_discrete = m->n_discrete_reals,
                 .n_pre_reads = m->n_pre_reads,
                 .n_states = m->nx,
                 .relations = numbers,
                 .samples = numbers,
                 .discrete = m->discrete_reals,
                 .pre_reads = m->pre_reads,
                 .states = numbers,
                 .n_ranges = 1,
                 .ranges = range};
}

/* Follows from the lists of parts what else belongs to the scope. The lists have room for
 * everything. */
static void fill(const Run *run, EventScope *es) {
  const DsModel *m = run->m;
  Scope *sc = &es->scope;
  sc->n_relations = sc->n_samples = sc->n_discrete = sc->n_pre_reads = sc->n_states = 0;
  for (int k = 0; k < sc->n_parts; k++) {
    /* parts in order: what they have stands in order, too */
    const DsPart *p = &m->parts[sc->parts[k]];
    for (int q = 0; q < p->n_relations; q++)
      es->relations[sc->n_relations++] = p->relation + q;
    for (int q = 0; q < p->n_samples; q++)
      es->samples[sc->n_samples++] = p->sample + q;
    for (int q = 0; q < p->n_discrete; q++)
      es->discrete[sc->n_discrete++] = m->discrete_reals[p->discrete + q];
    /* pre values are read by place, which the model does not list by part */
    for (int q = 0; q < run->parts[sc->parts[k]].scope.n_pre_reads; q++)
      es->pre_reads[sc->n_pre_reads++] = run->parts[sc->parts[k]].scope.pre_reads[q];
    for (int q = 0; q < p->n_x; q++)
      es->states[sc->n_states++] = p->x + q;
  }
  sc->n_ranges = find_ranges(run, sc->seen, sc->n_seen, es->ranges);
}

static EventScope *new_event_scope(Run *run) {
  const DsModel *m = run->m;
  EventScope *es = NEW(run->a, EventScope);
  es->parts = NEW_ARRAY(run->a, int, m->n_parts);
  es->seen = NEW_ARRAY(run->a, int, m->n_parts);
  es->relations = NEW_ARRAY(run->a, int, m->n_relations + 1);
  es->samples = NEW_ARRAY(run->a, int, m->n_samples + 1);
  es->discrete = NEW_ARRAY(run->a, int, m->n_discrete_reals + 1);
  es->states = NEW_ARRAY(run->a, int, m->nx + 1);
  es->pre_reads = NEW_ARRAY(run->a, int, m->n_pre_reads + 1);
  /* as many as all parts alone */
  es->ranges = NEW_ARRAY(run->a, RunRange, RANGES * (size_t)m->n_parts);
  es->scope = (Scope){.parts = es->parts,
                      .seen = es->seen,
                      .relations = es->relations,
                      .samples = es->samples,
                      .discrete = es->discrete,
                      .pre_reads = es->pre_reads,
                      .states = es->states,
                      .ranges = es->ranges};
  return es;
}

/* ---- what reads what ---- */

/* A search among the parts. */
struct PartSearch {
  uint32_t *met, now; /* per part: the last search that met it; the one at work */
};

/* Appends parts[k] to a list unless it is there. */
static void meet(Run *run, int part, int *list, int *n) {
  /* a stamp, so that no search clears what the one before has met */
  if (run->own.search->met[part] == run->own.search->now)
    return;
  run->own.search->met[part] = run->own.search->now;
  list[(*n)++] = part;
}

/* The parts of a list, and all whose moving values they need: for their equations, at events only
 * if asked so. */
static int see(Run *run, const int *parts, int n, bool event, int *seen) {
  int total = 0;
  run->own.search->now++;
  for (int k = 0; k < n; k++)
    meet(run, parts[k], seen, &total);
  /* the list grows while it is gone through: sources of sources */
  for (int k = 0; k < total; k++) {
    const DsPart *p = &run->m->parts[seen[k]];
    for (int q = 0, most = event && k < n ? p->n_reads : p->n_moving; q < most; q++)
      meet(run, p->reads[q], seen, &total);
  }
  /* in the order of evaluation, which is that of their numbers */
  qsort(seen, (size_t)total, sizeof *seen, scope_ascending);
  return total;
}

void run_touch(Run *run) {
  Instant *in = run->instant;
  EventScope *es = in->room;
  /* the first that makes steps: what is asked of the part at work is asked of it */
  in->part = &run->parts[in->began[0]];
  for (int k = 0; k < in->n_began && !in->part->kind->steps; k++)
    in->part = &run->parts[in->began[k]];
  in->scope = es ? &es->scope : run->whole;
  /* a model of one part has one scope */
  if (!es)
    return;
  int n = 0;
  run->own.search->now++;
  /* all that reads what may jump, directly or not */
  for (int k = 0; k < in->n_began; k++)
    meet(run, in->began[k], es->parts, &n);
  for (int k = 0; k < n; k++) {
    const Part *p = &run->parts[es->parts[k]];
    for (int q = 0; q < p->n_readers; q++)
      meet(run, p->readers[q], es->parts, &n);
  }
  qsort(es->parts, (size_t)n, sizeof *es->parts, scope_ascending);
  es->scope.n_parts = n;
  /* and what these read, to be evaluated with them */
  es->scope.n_seen = see(run, es->parts, n, true, es->seen);
  fill(run, es);
}

/* ---- making ---- */

static void make_part(Run *run, Part *p, const int *numbers, int *cells) {
  const DsPart *dp = &run->m->parts[p->number];
  p->x = dp->x;
  p->n = dp->n_x;
  RunRange *ranges = NEW_ARRAY(run->a, RunRange, RANGES);
  p->scope = (Scope){.n_parts = 1,
                     .n_seen = 1,
                     .parts = numbers + p->number,
                     .seen = numbers + p->number,
                     .n_relations = dp->n_relations,
                     .n_samples = dp->n_samples,
                     .n_discrete = dp->n_discrete,
                     .n_states = dp->n_x,
                     .relations = numbers + dp->relation,
                     .samples = numbers + dp->sample,
                     .discrete = run->m->discrete_reals + dp->discrete,
                     .states = numbers + dp->x,
                     .ranges = ranges,
                     .n_ranges = find_ranges(run, &p->number, 1, ranges)};
  /* sources that stand still need no evaluation */
  if (dp->n_moving) {
    p->scope.n_seen = see(run, &p->number, 1, false, cells);
    int *seen = NEW_ARRAY(run->a, int, p->scope.n_seen);
    memcpy(seen, cells, (size_t)p->scope.n_seen * sizeof *seen);
    p->scope.seen = seen;
  }
  /* states, their derivatives, other Reals */
  p->most_iterated = 2 * dp->n_x + dp->n_r + 1;
  p->iterated = NEW_ARRAY(run->a, int, p->most_iterated);
  for (int k = 0; k < dp->n_x; k++)
    run->guess->owner[dp->x + k] = run->guess->owner[run->m->nx + dp->x + k] = p->number;
  for (int k = 0; k < dp->n_r; k++)
    run->guess->owner[dp->r + k] = p->number;
  /* every place belongs to one part, or to none */
  int *pre_reads = NEW_ARRAY(run->a, int, run->m->n_pre_reads + 1);
  for (int k = 0; k < run->m->n_pre_reads; k++)
    if (run->guess->owner[run->m->pre_reads[k]] == p->number)
      pre_reads[p->scope.n_pre_reads++] = run->m->pre_reads[k];
  p->scope.pre_reads = pre_reads;
}

static void make_readers(Run *run) {
  const DsModel *m = run->m;
  /* counted, then filled */
  for (int k = 0; k < m->n_parts; k++)
    for (int q = 0; q < m->parts[k].n_reads; q++)
      run->parts[m->parts[k].reads[q]].n_readers++;
  for (int k = 0; k < m->n_parts; k++) {
    run->parts[k].readers = NEW_ARRAY(run->a, int, run->parts[k].n_readers + 1);
    run->parts[k].n_readers = 0;
  }
  for (int k = 0; k < m->n_parts; k++)
    for (int q = 0; q < m->parts[k].n_reads; q++) {
      Part *of = &run->parts[m->parts[k].reads[q]];
      of->readers[of->n_readers++] = k;
    }
}

/* Methods that have one step for everything, or the whole as one system, work on the whole. */
static bool is_divided(const Run *run) {
  return run->m->n_parts && !run->options->dae && !run->options->together &&
         !(run->goal.asked && run->goal.asked->fixed) && !run->m->n_selections;
}

/* What a part has decides what it is. */
static const PartKind *kind_of(const Part *p) {
  const Run *run = p->run;
  if (!run->divided)
    return &part_equations;
  const DsPart *dp = &run->m->parts[p->number];
  /* discrete parts have events at times that are known ahead, and nothing to integrate */
  bool events = dp->n_relations || dp->n_samples, timed = true;
  EACH_RELATION (&p->scope, k)
    timed = timed && run->m->relations[k].timed;
  if (!dp->n_x && !dp->delays && !events)
    return &part_follower;
  return dp->n_x || dp->delays || dp->n_blocks || !timed ? &part_equations : &part_discrete;
}

/* One part at least makes steps: between those the run can rest, for a checkpoint. */
static void give_kinds(Run *run) {
  bool steps = false;
  for (int k = 0; k < run->n_parts; k++) {
    Part *p = &run->parts[k];
    p->kind = kind_of(p);
    steps = steps || p->kind->steps;
  }
  /* none does: the first discrete part is stepped as one with equations */
  for (int k = 0; k < run->n_parts && !steps; k++)
    if (run->parts[k].kind == &part_discrete) {
      run->parts[k].kind = &part_equations;
      steps = true;
    }
}

void run_parts_make(Run *run) {
  const DsModel *m = run->m;
  const int *numbers = identity(run);
  Instant *in = run->instant;
  run->divided = is_divided(run);
  run->n_parts = run->divided ? m->n_parts : 1;
  run->parts = NEW_ARRAY(run->a, Part, run->n_parts);
  in->run = run;
  /* a part to begin with, where nothing asks for another */
  in->part = run->parts;
  in->began = NEW_ARRAY(run->a, int, run->n_parts);
  run->guess->owner = NEW_ARRAY(run->a, int, m->n_real + 1);
  for (int k = 0; k < run->n_parts; k++)
    run->parts[k] = (Part){.run = run, .number = k, .solver.patience = 1, .events.ends = NAN};
  /* one part is the whole, with its scope */
  if (!run->divided) {
    run->parts->n = m->nx;
    run->parts->scope = make_whole(run, numbers);
    run->whole = &run->parts->scope;
    run->parts->most_iterated = m->n_real + 1;
    run->parts->iterated = NEW_ARRAY(run->a, int, run->parts->most_iterated);
  } else {
    /* 0xff: -1, of no part */
    memset(run->guess->owner, 0xff, (size_t)m->n_real * sizeof *run->guess->owner);
    run->own.search = NEW(run->a, PartSearch);
    run->own.search->met = NEW_ARRAY(run->a, uint32_t, run->n_parts);
    Scope *whole = NEW(run->a, Scope);
    *whole = make_whole(run, numbers);
    run->whole = whole;
    in->room = new_event_scope(run);
    in->entry = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
    for (int k = 0; k < run->n_parts; k++)
      make_part(run, &run->parts[k], numbers, in->room->seen);
    make_readers(run);
  }
  in->scope = run->whole;
  give_kinds(run);
  run_watch_monitor(run);
}

/* ---- values ---- */

void run_save(Run *run, const Scope *sc, unsigned char *to) {
  for (int k = 0; k < sc->n_ranges; k++)
    memcpy(to + sc->ranges[k].at, run->block + sc->ranges[k].at, sc->ranges[k].n);
}

void run_unsave(Run *run, const Scope *sc, const unsigned char *from) {
  for (int k = 0; k < sc->n_ranges; k++)
    memcpy(run->block + sc->ranges[k].at, from + sc->ranges[k].at, sc->ranges[k].n);
}

bool run_has_delays(const Run *run, const Scope *sc) {
  if (!run->m->n_delays && !run->m->n_transports)
    return false;
  bool any = sc->all;
  for (int k = 0; k < sc->n_parts && !any; k++)
    any = run->m->parts[sc->parts[k]].delays != 0;
  return any;
}

bool run_begin_seen(Run *run, const Scope *sc, int part, int what) {
  /* lists are ascending, see scope.h */
  bool is_own = bsearch(&part, sc->parts, (size_t)sc->n_parts, sizeof part, scope_ascending);
  if (!is_own && what == DS_PART_DERIVATIVES && run->instant->room &&
      sc == &run->instant->room->scope)
    run_take_guess(&run->parts[part]);
  return is_own;
}

/* What is at work, and what it reads, in order of evaluation. */
static int evaluate_seen(Run *run, const Scope *sc, int what, bool own_too) {
  int status = DS_OK;
  /* sources stand before their readers */
  for (int k = 0; k < sc->n_seen && status == DS_OK; k++)
    if (!run_begin_seen(run, sc, sc->seen[k], what) || own_too)
      status = run->m->part(&run->d, sc->seen[k], what);
  return status;
}

int run_divided(Run *run, const Scope *sc, int what) {
  if (what == DS_PART_DERIVATIVES || what == DS_PART_OUTPUTS)
    return evaluate_seen(run, sc, what, true);
  int status = DS_OK;
  for (int k = 0; k < sc->n_parts && status == DS_OK; k++)
    status = run->m->part(&run->d, sc->parts[k], what);
  return status;
}

int run_sources(Run *run, const Scope *sc) {
  /* what slides is an average, which is made for everything at once */
  if (run_slide_seen(run, sc) && !sc->all)
    return run_evaluate(run, sc, DS_PART_DERIVATIVES);
  run_begin_evaluation(run);
  return sc->all ? DS_OK : evaluate_seen(run, sc, DS_PART_DERIVATIVES, false);
}

bool run_place(Run *run, Part *p, double t) {
  Stepper *s = p->stepper;
  /* at the end of its step, or within it; without a step where it stands */
  size_t bytes = (size_t)p->n * sizeof(double);
  const double *x = s->x;
  if (s->t1 > s->t && t != s->t) {
    stepper_dense(s, (t - s->t) / (s->t1 - s->t), run->cells.placed);
    x = run->cells.placed;
  }
  bool same = !memcmp(run->d.r + p->x, x, bytes);
  memcpy(run->d.r + p->x, x, bytes);
  return same;
}

int run_values_at(Run *run, const Scope *sc, double t) {
  bool there = !run->divided;
  run->eval.rescue = true; /* there is no other point to go to */
  for (int k = 0; k < (sc->all ? run->n_parts : sc->n_seen); k++) {
    Part *p = &run->parts[sc->all ? k : sc->seen[k]];
    /* iterations begin where the part has been, not where its readers left them */
    if (run->divided)
      run_take_guess(p);
    there = (!p->n || run_place(run, p, t)) && there;
  }
  /* computed already, for this time and these states */
  there = there && run->eval.current && run->d.time == t;
  run->d.time = t;
  int status = there ? NUM_OK : run_evaluate(run, sc, DS_PART_DERIVATIVES);
  run->stats.rhs_evaluations += !there;
  if (status == NUM_OK)
    status = run_evaluate(run, sc, DS_PART_OUTPUTS);
  run->eval.rescue = false;
  return status;
}
