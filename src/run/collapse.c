/* run/collapse.c -- steps that collapse: is it a discontinuity that makes no event?
 * At a jump of the slopes that nobody monitors (a relation under noEvent, an `if` in a function, a
 * table) no step that leads across is good until it is tiny; where the motion chatters about the
 * jump all steps are. The watch sees that trials are rejected in a row, or that many steps are far
 * below the pace of the part, and then looks ahead along the present slope: between two points
 * whose slopes differ the half with the larger difference is taken again and again. A continuous
 * function differs less and less, a jump stays; a function so steep that the tolerance cannot tell
 * it from a jump is told, too. What jumps is told once, with what it cost (R634):
 * as soon as that is much, since such a run may never come to its end, or else at the end.
 * Keep: a look leaves all values as they are. Steps that are as long as ever pay a few comparisons.
 */
#include "run/contact.h"
#include "run/core.h"
#include "run/discontinuity.h"
#include "run/guess.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/slide.h"
#include "run/steps.h"
#include "run/values.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double far_below = 1e-3; /* paces: a step that is shorter has collapsed */
static const double forgotten = 0.9;  /* 1: what is left of the rejected trials with each step */
static const double in_a_row = 6;     /* rejected trials of late: the step is about to collapse */
static const double
    matters = 10; /* tolerances: what a jump of slopes makes of a pace; below it limits nothing */
static const double
    stays = 0.1; /* 1: share of the difference that is left after many halvings, if it is a jump */
static const double near = 1e-2;  /* tolerances: points that are no further apart are one */
static const double costly = 0.2; /* 1: share of all trials; what cost less is not told */
enum {
  SMALL_STEPS = 32, /* in a row are a collapse */
  FIRST_LOOKS = 16, /* collapses that are looked at one by one; later ones whenever their number has
                       doubled */
  MORE_LOOKS = 256, /* the same, if the last look has found a jump */
  LEAST_HALVINGS = 12,
  FURTHER = 4,         /* how much further ahead each look goes */
  LEAST_TRIALS = 100,  /* what cost less is not told */
  MANY_TRIALS = 10000, /* what cost more is told at once */
};

typedef struct {
  RunJumpPlace what;
  double first;    /* time */
  uint64_t trials; /* in steps that it limited */
  bool told;
} Limit;

struct Discontinuities {
  Limit places[MOST_JUMP_PLACES];
  int n;
  RunNaming naming;
  RunPoint points[5];   /* of the search */
  double *x;            /* states at a point */
  double *start;        /* those at the start of the step, then their slopes */
  unsigned char *block; /* what the run goes on with */
};

/* ---- points ahead ---- */

/* made with the first look: smooth models have none */
static Discontinuities *work(Run *run) {
  if (run->own.discontinuities)
    return run->own.discontinuities;
  Discontinuities *w = run->own.discontinuities = NEW(run->a, Discontinuities);
  for (int k = 0; k < 5; k++)
    w->points[k].r = NEW_ARRAY(run->a, double, run->n_real + 1);
  w->x = NEW_ARRAY(run->a, double, run->m->nx + 1);
  w->start = NEW_ARRAY(run->a, double, 2 * run->m->nx + 1);
  w->block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  return w;
}

/* A way ahead of the start of the step, along the slope there; 0: the start itself. */
typedef struct {
  Part *part;
  const double *start, *slope;
  double ways[5]; /* of the points */
} Ahead;

static bool go_ahead(Ahead *a, int k, double way) {
  Part *p = a->part;
  Run *run = p->run;
  Discontinuities *w = run->own.discontinuities;
  RunPoint *to = &w->points[k];
  for (int i = 0; i < p->n; i++)
    w->x[i] = a->start[i] + (way > 0 ? way * a->slope[i] : 0);
  /* iterations begin as in the step, not where the last point has led them */
  run_take_guess(p);
  a->ways[k] = way;
  to->time = p->stepper->t + way;
  if (run_at(p, to->time, w->x) != NUM_OK || !run_all_finite(run->d.r + run->m->nx + p->x, p->n))
    return false;
  memcpy(to->r, run->d.r, (size_t)run->n_real * sizeof(double));
  return true;
}

/* What the difference of slopes makes of a pace, in tolerances; *state: of which one. */
static double difference(const Part *p, const RunPoint *a, const RunPoint *b, int *state) {
  const Run *run = p->run;
  double pace = run_pace(run, p), most = 0;
  for (int i = p->x; i < p->x + p->n; i++) {
    /* relative to tolerances: a jump below them limits no step */
    double weight = run->goal.rtol * fabs(a->r[i]) + run->scales->atol[i];
    double d = fabs(a->r[run->m->nx + i] - b->r[run->m->nx + i]) * pace / weight;
    if (d > most) {
      most = d;
      *state = i;
    }
  }
  return most;
}

static bool is_same(const Part *p, const RunPoint *a, const RunPoint *b) {
  return a->time == b->time && !memcmp(a->r + p->x, b->r + p->x, (size_t)p->n * sizeof(double));
}

/* Points between which the tolerance tells nothing. */
static bool are_near(const Part *p, const RunPoint *a, const RunPoint *b) {
  const Run *run = p->run;
  for (int i = p->x; i < p->x + p->n; i++) {
    double weight = run->goal.rtol * fabs(a->r[i]) + run->scales->atol[i];
    if (fabs(a->r[i] - b->r[i]) > near * weight)
      return false;
  }
  return true;
}

/* What is between two points. A continuous function that changes as much between points that are
 * one for the tolerance is steep: it limits explicit steps as a jump does, but methods for stiff
 * systems may pass it. */
typedef enum { GAP_NONE, GAP_STEEP, GAP_JUMP } GapKind;

/* Between points 0 and 1; these are next to each other then, and 3, 4 where they were. */
static GapKind narrow(Ahead *a, int *state) {
  const Part *p = a->part;
  RunPoint *at = p->run->own.discontinuities->points;
  double first = difference(p, &at[0], &at[1], state);
  size_t bytes = (size_t)p->run->n_real * sizeof(double);
  if (!(first > matters))
    return GAP_NONE;
  for (int k = 0; k < 2; k++) {
    memcpy(at[3 + k].r, at[k].r, bytes);
    at[3 + k].time = at[k].time;
  }
  double now = first;
  int halvings = 0;
  bool steep = false;
  /* until the two points are next to each other, or it turns out to be no jump */
  for (; halvings < MOST_JUMP_HALVINGS && now > stays * first; halvings++) {
    if (!go_ahead(a, 2, (a->ways[0] + a->ways[1]) / 2))
      return GAP_NONE;
    if (is_same(p, &at[2], &at[0]) || is_same(p, &at[2], &at[1]))
      break;
    steep = steep || (halvings >= LEAST_HALVINGS && are_near(p, &at[0], &at[1]));
    /* the half with the larger difference goes on */
    int left = 0, right = 0;
    double d0 = difference(p, &at[0], &at[2], &left);
    double d1 = difference(p, &at[2], &at[1], &right);
    int drop = d0 > d1 ? 1 : 0;
    RunPoint was = at[drop];
    at[drop] = at[2];
    at[2] = was;
    a->ways[drop] = a->ways[2];
    now = fmax(d0, d1);
    *state = d0 > d1 ? left : right;
  }
  /* a difference that was there from the beginning is no proof */
  return halvings >= LEAST_HALVINGS && now > stays * first ? GAP_JUMP
         : steep                                           ? GAP_STEEP
                                                           : GAP_NONE;
}

/* The nearest one ahead, as far as a pace. */
static GapKind find_gap(Ahead *a, RunGap *gap) {
  const Part *p = a->part;
  const Stepper *s = p->stepper;
  const Discontinuities *w = p->run->own.discontinuities;
  double furthest = run_pace(p->run, p);
  /* a jump that is further away than a pace limits no step yet */
  for (double way = s->t1 - s->t; way <= furthest; way *= FURTHER) {
    if (!go_ahead(a, 0, 0) || !go_ahead(a, 1, way))
      return GAP_NONE;
    GapKind kind = narrow(a, &gap->state);
    if (kind == GAP_NONE)
      continue;
    for (int k = 0; k < 4; k++)
      gap->at[k] = w->points[k < 2 ? k : k + 1];
    return kind;
  }
  return GAP_NONE;
}

/* ---- places ---- */

static int place_of(Run *run, const RunJumpPlace *what, double t) {
  /* the same expression may limit many steps */
  Discontinuities *w = run->own.discontinuities;
  for (int k = 0; k < w->n; k++) {
    const RunJumpPlace *known = &w->places[k].what;
    if (known->span.lo == what->span.lo && known->span.hi == what->span.hi &&
        !strcmp(known->text, what->text))
      return k;
  }
  if (w->n == MOST_JUMP_PLACES)
    return -1;
  w->places[w->n] = (Limit){.what = *what, .first = t};
  return w->n++;
}

/* ---- relations under noEvent ---- */

/* Values that the relations of the part have at a point, those under noEvent included. */
static bool sides_at(Part *p, const RunPoint *at) {
  Run *run = p->run;
  int whole = run->d.whole;
  memcpy(run->d.r, at->r, (size_t)run->n_real * sizeof(double));
  run->d.time = at->time;
  /* 2: those under noEvent, too */
  run->d.whole = 2;
  bool known = run_sides(run, &p->scope) == NUM_OK;
  run->d.whole = whole;
  return known;
}

/* How far a - b of relation k would go in a pace: nobody has looked how large it was. */
static void size_quiet(Part *p, int k, const double *z, double passed) {
  Run *run = p->run;
  double size = fabs(z[1] - z[0]) / passed * run_pace(run, p);
  for (int side = 0; side < 2 && isfinite(size); side++)
    run->rel->size_past[2 * k + side] = fmax(run->rel->size_past[2 * k + side], size);
}

/* A step under noEvent that changes between the points, and along which the motion may slide, makes
 * events from now on. That takes a row of small steps: a crossing alone is no chatter. */
static void find_quiet(Part *p, const RunGap *gap, StepWatch *watch) {
  Run *run = p->run;
  const Scope *sc = &p->scope;
  double *z[4] = {run->rel->z_between, run->rel->z_lo, run->rel->z_hi, run->rel->z_before};
  for (int i = 0; i < 4; i++) {
    if (!run->own.slide || !sides_at(p, &gap->at[i]))
      return;
    EACH_RELATION (sc, k)
      if (run->m->relations[k].watch >= 0 && !(run->d.r[run->m->relations[k].watch] > 0.5))
        z[i][k] = run->rel->za[k] - run->rel->zb[k];
  }
  EACH_RELATION (sc, k) {
    const DsRelation *rel = &run->m->relations[k];
    bool quiet = rel->watch >= 0 && !(run->d.r[rel->watch] > 0.5) && run_slide_may(run, k);
    /* only one that has changed can have made the jump */
    if (!quiet || run_compare(rel->op, z[0][k]) == run_compare(rel->op, z[1][k]))
      continue;
    watch->begins = true;
    /* those of sign() begin together */
    EACH_RELATION (sc, q)
      if (run->m->relations[q].watch == rel->watch)
        side_begin_later(&run->rel->state[q]);
  }
  EACH_RELATION (sc, k)
    if (run->rel->state[k].begins)
      size_quiet(p, k, (double[]){z[2][k], z[3][k]}, gap->at[3].time - gap->at[2].time);
}

void run_watch_monitor(Run *run) {
  run->rel->monitored = false;
  for (int p = 0; p < run->n_parts; p++) {
    bool *monitored = &run->parts[p].monitored;
    *monitored = false;
    EACH_RELATION (&run->parts[p].scope, k) {
      const DsRelation *rel = &run->m->relations[k];
      bool quiet = rel->watch >= 0 && !(run->d.r[rel->watch] > 0.5);
      *monitored = *monitored || (!rel->timed && !quiet);
    }
    run->rel->monitored = run->rel->monitored || *monitored;
  }
}

void run_watch_begin(Run *run, const Scope *sc) {
  bool any = false;
  EACH_RELATION (sc, k)
    any = any || run->rel->state[k].begins;
  if (!any)
    return;
  int whole = run->d.whole;
  /* of the last moment without them: they begin with the values that they have here */
  run->d.whole = 2;
  bool known = run_sides(run, sc) == NUM_OK;
  run->d.whole = whole;
  EACH_RELATION (sc, k) {
    const DsRelation *rel = &run->m->relations[k];
    if (!run->rel->state[k].begins)
      continue;
    side_watch(run, k, known);
    if (!known)
      continue;
    /* the model reads there whether it makes events */
    run->d.r[rel->watch] = 1;
  }
  run_watch_monitor(run);
}

/* A look ahead of the step. */
static void look(Part *p, StepWatch *watch) {
  Run *run = p->run;
  Discontinuities *w = work(run);
  RunGap gap;
  RunJumpPlace what;
  Slide slide = p->slide;
  /* evaluations change what slides, too */
  Contact contact = p->contact;
  const Scope *current = run->eval.current;
  double time = run->d.time;
  Failure failure = run->failure;
  memcpy(w->block, run->block, run->block_size);
  double *start = w->start;
  memcpy(start, p->stepper->x, (size_t)p->n * sizeof *start);
  Ahead ahead = {.part = p, .start = start, .slope = start + p->n};
  bool known = go_ahead(&ahead, 0, 0);
  memcpy(start + p->n, run->d.r + run->m->nx + p->x, (size_t)p->n * sizeof *start);
  GapKind kind = known ? find_gap(&ahead, &gap) : GAP_NONE;
  watch->jumps = kind == GAP_JUMP;
  /* nameless jumps limit steps all the same */
  watch->place = kind != GAP_NONE && run_jump_place(run, &gap, &w->naming, &what)
                     ? place_of(run, &what, gap.at[0].time)
                     : -1;
  if (watch->jumps && watch->small >= SMALL_STEPS)
    find_quiet(p, &gap, watch);
  if (watch->begins && watch->place >= 0)
    w->places[watch->place].trials = 0; /* it limits nothing any more */
  /* everything as it was */
  memcpy(run->block, w->block, run->block_size);
  run->d.time = time;
  run->eval.current = current;
  run->failure = failure;
  p->slide = slide;
  p->contact = contact;
}

/* ---- after each step ---- */

/* Trials of all parts and methods. */
static uint64_t all_trials(const Run *run) {
  uint64_t n = 0;
  for (int p = 0; p < run->n_parts; p++)
    for (size_t k = 0; stepper_kind_at(k); k++) {
      const Stepper *s = run->parts[p].solver.made[k];
      n += s ? s->stats.steps + s->stats.rejected : 0;
    }
  return n;
}

static bool is_power_of_two(uint64_t n) { return n && !(n & (n - 1)); }

/* That the place limits the step, if it has cost enough; true: told now. */
static bool tell(Run *run, Limit *pl, uint64_t least, const char *until) {
  /* what costs little is no matter for the user, who may have meant it */
  uint64_t all = all_trials(run);
  if (pl->told || pl->trials < least || (double)pl->trials < costly * (double)all)
    return false;
  pl->told = true;
  Diag *d = diag_add(run->diags, D_R634, pl->what.span,
                     "the step is limited by a jump of `%s`, which makes no event", pl->what.text);
  diag_note(run->diags, d, "it took %llu of %llu trial steps%s, from time %.7g on",
            (unsigned long long)pl->trials, (unsigned long long)all, until, pl->first);
  if (pl->what.note)
    diag_note(run->diags, d, "%s", pl->what.note);
  if (pl->what.help)
    diag_help(run->diags, d, "%s", pl->what.help);
  return true;
}

/* The step at work was limited by the place. */
static void count_trials(Run *run, Limit *pl, uint64_t trials) {
  char until[64];
  pl->trials += trials;
  snprintf(until, sizeof until, " up to time %.7g", run->d.time);
  if (pl->trials >= MANY_TRIALS && tell(run, pl, MANY_TRIALS, until) && run->options->tell)
    run->options->tell(run->options->progress_user);
}

void run_watch_step(Part *p, uint64_t rejected) {
  Run *run = p->run;
  StepWatch *w = &p->watch;
  const Stepper *s = p->stepper;
  w->fails = w->fails * forgotten + (double)rejected;
  w->small = fmax(s->t1 - s->t, s->next) < far_below * p->pace ? w->small + 1 : 0;
  bool before = w->collapsed;
  w->collapsed = w->fails >= in_a_row || w->small >= SMALL_STEPS;
  if (!w->collapsed || s->kind->fixed || p->n == 0)
    return;
  bool anew = !before || (double)rejected >= in_a_row;
  w->collapses += anew;
  bool first = anew && (w->collapses <= (w->jumps ? MORE_LOOKS : FIRST_LOOKS) ||
                        is_power_of_two(w->collapses));
  if (first || (w->small >= SMALL_STEPS && is_power_of_two(w->small)))
    look(p, w);
  if (w->place >= 0 && run->own.discontinuities && (rejected || w->small))
    count_trials(run, &run->own.discontinuities->places[w->place], rejected + 1);
}

bool run_step_jumps(const Part *p) { return p->watch.collapsed && p->watch.jumps; }

void run_watch_keep(StepWatch *w, Tape *t) {
  tape_value(t, w->fails);
  tape_value(t, w->small);
  tape_value(t, w->collapses);
  tape_flag(t, &w->collapsed);
  tape_flag(t, &w->jumps);
  tape_flag(t, &w->begins);
  if (t->way == TAPE_READ)
    w->place = -1; /* names belong to one run */
}

/* ---- the end ---- */

void run_tell_discontinuities(Run *run) {
  Discontinuities *w = run->own.discontinuities;
  for (int k = 0; w && k < w->n; k++)
    tell(run, &w->places[k], LEAST_TRIALS, "");
}
