/* run/probe.c -- which way relations go, by a trial step: where no exact derivatives tell
 * (direction.c).
 * How:  the states go on for a moment along their slopes, and everything is evaluated there. For
 *       relations of mixed systems, which depend on what they switch, the values are sought that
 *       agree there, all together.
 * Keep: the values are those of now again afterwards. A point that cannot be evaluated says
 *       nothing. */
#include "run/direction.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/kind.h"
#include "run/linear.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/steps.h"
#include "run/tolerances.h"
#include "run/trials.h"
#include "run/values.h"

#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- the moment ---- */

static double pace_of(const Part *p) {
  double pace = run_pace(p->run, p);
  return p->h > 0 ? fmin(p->h, pace) : pace;
}

/* A moment for the solution where the event began; or, where nothing makes steps there, for those
 * that it touches. */
double run_moment(const Instant *in) {
  double pace = pace_of(in->part);
  if (in->part->kind != &part_equations)
    EACH_PART (in->run, in->scope, p)
      if (p->kind == &part_equations)
        pace = fmin(pace, pace_of(p));
  return run_tolerances.probe * pace;
}

/* The states of the scope, and of what it reads, go on along their slopes. */
static void move_states(Instant *in, double step) {
  Run *run = in->run;
  const Scope *sc = in->scope;
  double *x = run->d.r, *dx = x + run->m->nx;
  for (int k = 0; k < (sc->all ? run->n_parts : sc->n_seen); k++) {
    const Part *p = &run->parts[sc->all ? k : sc->seen[k]];
    for (int q = p->x; q < p->x + p->n; q++)
      x[q] += step * dx[q];
  }
}

/* The derivatives a moment later; the values are those of then. */
static int derivatives_ahead(Instant *in, double t, double step) {
  Run *run = in->run;
  move_states(in, step);
  run->d.time = t + step;
  run->stats.rhs_evaluations++;
  return run_evaluate(run, in->scope, DS_PART_DERIVATIVES);
}

/* The same along the mean of the slopes now and then: where equations change, a relation may begin
 * to move as slowly as the tangent of a circle leaves it. run->cells.spare has the values of
 * now. */
static int derivatives_ahead_again(Instant *in, double step) {
  Run *run = in->run;
  const double *r = (const double *)(const void *)(run->cells.spare +
                                                   ((const unsigned char *)run->d.r - run->block));
  int nx = run->m->nx;
  for (int k = 0; k < nx; k++)
    run->d.r[k] = r[k] + step / 2 * (r[nx + k] + run->d.r[nx + k]);
  run->stats.rhs_evaluations++;
  return run_evaluate(run, in->scope, DS_PART_DERIVATIVES);
}

static void back_to(Instant *in, double t) {
  Run *run = in->run;
  run_unsave(run, in->scope, run->cells.spare);
  run->d.time = t;
}

/* The values that relations have a moment later, all equations being solved there: in
 * run->instant->next. */
typedef struct {
  bool ok;    /* they could be */
  bool other; /* relations change that are not on their band */
  int near;   /* relations of mixed systems that are on their band there */
} Ahead;

static Ahead evaluate_ahead(Instant *in, double t, double step) {
  Run *run = in->run;
  DsData *d = &run->d;
  Ahead ahead = {0};
  move_states(in, step);
  d->time = t + step;
  const unsigned char *held = (const unsigned char *)run->cells.spare +
                              ((const char *)d->relation - (const char *)run->block);
  run->eval.ahead = true;
  run_forget_matrices(run, in->scope);
  ahead.ok = run_sources(run, in->scope) == NUM_OK &&
             run_evaluate(run, in->scope, DS_PART_EVENTS) == NUM_OK;
  run->eval.ahead = false;
  EACH_RELATION (in->scope, k) {
    ahead.other = ahead.other || (ahead.ok && d->relation[k] != held[k] && !run_on_band(run, k));
    ahead.near += ahead.ok && run->m->relations[k].mixed && run->mixed->near[k];
    in->next[k] = d->relation[k];
  }
  back_to(in, t);
  run_forget_matrices(run, in->scope);
  return ahead;
}

/* The same for a moment that is short enough: if others change there it may be too late a moment,
 * and a shorter one is tried, unless more relations are still on their band then, where nothing can
 * be told. */
static Ahead evaluate_soon(Instant *in, double t, double step) {
  enum { SHORTER = 64 };
  Ahead ahead = evaluate_ahead(in, t, step);
  for (int k = 0; k < MOST_SOONER && ahead.ok && ahead.other &&
                  step / SHORTER > run_tolerances.same * DBL_EPSILON * fabs(t);
       k++) {
    scope_copy_relations(in->scope, in->later, in->next);
    Ahead sooner = evaluate_ahead(in, t, step /= SHORTER);
    if (sooner.ok && sooner.near <= ahead.near) {
      ahead = sooner;
      continue;
    }
    scope_copy_relations(in->scope, in->next, in->later);
    break;
  }
  return ahead;
}

/* For relations that depend on each other: which sides agree a moment later? Those on their band
 * take them. All relations of mixed systems do, as values to begin with, if the present sides have
 * no solution there (two diodes that short a source at its zero), or if others change there,
 * however soon: then the solution jumps (an amplifier with positive feedback that leaves its limit
 * goes to the other one). A point that cannot be evaluated says nothing. Where a motion may slide,
 * the sides a moment later do not decide. */
bool run_probe_mixed(Instant *in) {
  Run *run = in->run;
  double t = run->d.time, step = run_moment(in);
  run_save(run, in->scope, run->cells.spare);
  bool lasts = derivatives_ahead(in, t, step) == NUM_OK, any = false;
  back_to(in, t);
  Ahead ahead = lasts ? evaluate_soon(in, t, step) : evaluate_ahead(in, t, step);
  bool all = !lasts || ahead.other;
  EACH_RELATION (in->scope, k) {
    bool open = run_on_band(run, k) && !run->rel->state[k].crossed && !run_may_slide(run, k);
    if (ahead.ok && (open || (all && run->m->relations[k].mixed)))
      any = run_take_side(run, k, in->next[k]) || any;
  }
  return any;
}

/* ---- relations that do not depend on what they switch ---- */

/* z_hi - z_lo, if that is more than rounding. */
static Way way_of_trial(const Run *run, int k) {
  double moved = run->rel->z_hi[k] - run->rel->z_lo[k],
         size = fmax(fabs(run->rel->za[k]), fabs(run->rel->zb[k]));
  if (!(fabs(moved) > 4 * DBL_EPSILON * size))
    return WAY_NONE;
  return moved > 0 ? WAY_UP : WAY_DOWN;
}

bool run_probe_ways(Instant *in) {
  Run *run = in->run;
  double t = run->d.time, step = run_moment(in);
  run_save(run, in->scope, run->cells.spare);
  bool ok = derivatives_ahead(in, t, step) == NUM_OK &&
            (!run->m->n_conditions || derivatives_ahead_again(in, step) == NUM_OK) &&
            run_indicators(run, in->scope, run->rel->z_hi) == NUM_OK;
  back_to(in, t);
  EACH_RELATION (in->scope, k)
    if (ok && run_way(run, k) == WAY_UNKNOWN)
      run_set_way(run, k, way_of_trial(run, k));
  return ok;
}
