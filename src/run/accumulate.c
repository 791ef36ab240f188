/* run/accumulate.c -- events that accumulate, and no contact follows.
 * In two tanks with one tap, which always serves the one that has run empty, the tap changes ever
 * faster until both are empty. Times of events in geometric sequence, or many events in a row that
 * come ever faster, after excursions that hardly leave the bands of their relations, announce the
 * instant. What happens there the model may say: a ball that stays on the floor from its last,
 * unmeasurable bounce on. It has said nothing if the motion beyond the instant is one of those
 * before it: then the run ends.
 * Keep: relations that switch a field only are left to slide.c, those in contact to contact.c, and
 *       those of mixed systems, which change in groups some moments apart (diodes of a bridge), to
 *       mixed.c. */
#include "run/contact.h"
#include "run/core.h"
#include "run/kind.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/steps.h"

#include <math.h>
#include <string.h>

/* Half widths of the band: the next excursion of a geometric sequence that is over soon */
static const double slight = 30;
/* Half widths of the band: excursions of events that may accumulate without an order */
static const double rush_width = 1e3;
/* 1: the later half of so many events takes less than this fraction of the earlier one */
static const double rushing = 0.5;
/* Half widths of the band: motions after wider excursions need not be remembered */
static const double kept_width = 1e6;
/* Half widths of the band: a relation that is so far away makes no event there any more */
static const double beyond = 8;
/* 1: slopes that differ less, relative to the largest of both, are those of one motion */
static const double alike = 1e-3;

/* Does it make events of its own, and no motion along it? */
static bool is_watched(const Run *run, int k) {
  /* what may slide has another way to end its events */
  const DsRelation *rel = &run->m->relations[k];
  return !rel->timed && !rel->mixed && run->rel->state[k].path == PATH_FREE &&
         !(run->own.slide && rel->field);
}

/* ---- what announces an accumulation ---- */

/* This event ends excursions that were slight, or another: if many of them in a row come ever
 * faster, in whatever order, they accumulate. How slowly a motion comes to rest does not count: its
 * events keep their distance. */
static bool is_rush(Part *p, double t, bool narrow, double *limit) {
  int n = SLIGHT_EVENTS;
  if (!narrow)
    p->events.n_slight = 0;
  /* the oldest one gives way: times of as many events, and of the one before them */
  if (p->events.n_slight > n) {
    memmove(p->events.slight, p->events.slight + 1, (size_t)n * sizeof *p->events.slight);
    p->events.n_slight = n;
  }
  p->events.slight[p->events.n_slight++] = t;
  /* both halves of the list, by what they took */
  double before = p->events.slight[n / 2] - p->events.slight[0];
  double later = t - p->events.slight[n / 2];
  *limit = t + later;
  return p->events.n_slight > n && before > 0 && later < rushing * before;
}

static bool is_geometric(const Part *p, const RelationState *rs, double *limit) {
  const double times[ZENO_EVENTS] = {rs->earlier[0], rs->earlier[1], rs->times[0], rs->times[1],
                                     rs->times[2]};
  Zeno ze = zeno_estimate(times, NULL, ZENO_EVENTS, run_time_error(p, rs->times[2], rs->times[1]));
  *limit = ze.limit;
  return ze.found && ze.ratio * rs->excursion < slight;
}

/* ---- motions after the last events ---- */

void run_accumulate_room(Run *run, Part *p) {
  if (!p->events.motions)
    p->events.motions = NEW_ARRAY(run->a, double, (size_t)MOTIONS *(size_t)p->n + 1);
}

static void keep_motion(Run *run, Part *p) {
  run_accumulate_room(run, p);
  size_t n = (size_t)p->n;
  /* the last one first */
  memmove(p->events.motions + n, p->events.motions, (MOTIONS - 1) * n * sizeof(double));
  memcpy(p->events.motions, run->d.r + run->m->nx + p->x, n * sizeof(double));
  p->events.n_motions += p->events.n_motions < MOTIONS;
}

/* Is the motion after the last event like one after an event before it? */
static bool goes_on_alike(const Run *run, const Part *p) {
  const double *nominal = run->scales->nominal + p->x;
  for (int k = 1; k < p->events.n_motions; k++) {
    /* relative to sizes: no unit counts */
    const double *now = p->events.motions;
    const double *then = p->events.motions + (size_t)k * (size_t)p->n;
    double largest = 0, differ = 0;
    for (int i = 0; i < p->n; i++) {
      largest = fmax(largest, fmax(fabs(now[i]), fabs(then[i])) / nominal[i]);
      differ = fmax(differ, fabs(now[i] - then[i]) / nominal[i]);
    }
    if (differ <= alike * largest)
      return true;
  }
  return false;
}

/* ---- events and steps ---- */

void run_accumulate_note(Run *run, Part *p, double t) {
  double widest = 0, limit, end = NAN;
  int last = -1;
  for (int q = 0; q < p->scope.n_relations; q++) {
    int k = p->scope.relations[q];
    const RelationState *rs = &run->rel->state[k];
    /* relations of this event only */
    if (!is_watched(run, k) || rs->times[2] != t)
      continue;
    last = k;
    widest = fmax(widest, rs->excursion);
    if (is_geometric(p, rs, &limit))
      end = limit;
  }
  if (last < 0)
    return;
  /* an order that is known says more than mere haste */
  if (is_rush(p, t, widest < rush_width, &limit) && isnan(end))
    end = limit;
  /* motions after wide excursions tell nothing about the end */
  if (widest < kept_width)
    keep_motion(run, p);
  else
    p->events.n_motions = 0;
  /* one that was announced comes, unless events become wide again */
  if (!isnan(end) || p->events.n_motions == 0) {
    p->events.ends = end;
    p->events.ends_by = last;
  }
}

/* At the end of the step, or, if that is an event, before it: is the relation where it makes no
 * more of these events? */
static bool is_beyond(Part *p) {
  const Run *run = p->run;
  int k = p->events.ends_by;
  /* in the middle of what comes before an event it is furthest away */
  if (p->phase.theta > 0)
    return run_side_at(p, k, p->phase.theta / 2) * run_band(run, k) >
           beyond * run->rel->state[k].width;
  return fabs(run->rel->za[k] - run->rel->zb[k]) > beyond * run->rel->state[k].width;
}

/* A last event may come late, when a relation leaves its band. */
RunStatus run_accumulate_pass(Part *p) {
  Run *run = p->run;
  const Stepper *s = p->stepper;
  if (!p->n || p->kind->next(p).t < p->events.ends || !is_beyond(p))
    return RUN_OK;
  double limit = p->events.ends;
  p->events.ends = NAN;
  /* the motion has been like that before, so that it will go on like that for ever */
  if (!goes_on_alike(run, p) || run_at(p, s->t, s->x) != NUM_OK)
    return RUN_OK;
  if (run->options->zeno != NU_ZENO_STOP)
    return run_refuse_zeno(run, p->events.ends_by, limit);
  run_tell_stop(run, p->events.ends_by, limit);
  run->stage.terminated = true;
  return RUN_OK;
}
