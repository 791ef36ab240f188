/* run/locate.c -- is there a state event in the last trial step, and where?
 * A relation that was outside of its band since its last change (armed) fires when a - b changes
 * sign; one that still is on its band fires when it leaves it on the other side, and the event is
 * then moved back to the last sign change, if there is one in this step. The event is at the right
 * end of a bracket of a few units in the last place, so that the relation has its new value there
 * as it stands (MLS 3.6 section 8.5).
 * A relation may also change and change back inside the step. Those that have a formula are
 * enclosed over the whole of it (isolate.c), and the first change is found. Of the others the
 * stages of one-step methods show some for nothing; and where a - b comes so near to 0 that it
 * could get there, as fast as it moved in the last two steps, the middle of the
 * step is looked at, and the top of the parabola through three values. In parts without states they
 * are looked at as often as it takes to know them. */
#include "run/core.h"
#include "run/evaluate.h"
#include "run/isolate.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/slide.h"
#include "run/steps.h"
#include "run/tolerances.h"
#include "run/values.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Values of a op b where a - b is negative, 0, positive: bits 0 to 2. */
static const unsigned char sides[] = {
    [DS_LT] = 1, [DS_LE] = 3, [DS_GT] = 4, [DS_GE] = 6, [DS_EQ] = 2, [DS_NE] = 5};

static inline bool triggered(const Run *run, int k, double a, double b) {
  const DsRelation *rel = &run->m->relations[k];
  double z = a - b;
  bool value = sides[rel->op] >> ((z > 0) + (z >= 0)) & 1;
  if (value == (run->d.relation[k] != 0) || rel->timed || isnan(z))
    return false;
  return side_is_away(&run->rel->state[k]) || fabs(z) > run_band(run, k);
}

bool run_triggered(const Run *run, int k, double a, double b) { return triggered(run, k, a, b); }

/* z = a - b. The relations of the whole, or of a part, stand together. */
static void differences(const Run *run, const Scope *sc, double *z) {
  int first = sc->n_relations ? *sc->relations : 0;
  if (sc->all || sc->n_parts == 1)
    root_differences(run->rel->za + first, run->rel->zb + first, sc->n_relations, z + first);
  else
    EACH_RELATION (sc, k)
      z[k] = run->rel->za[k] - run->rel->zb[k];
}

/* What matters on one side of a surface only matters on it, too: to a part that slides and to its
 * readers. The event with which that begins is theirs, and brings their relations up to date. To
 * others a relation that does not matter has no side that is known. */
static int see_whole(const Run *run, int whole, const Part *p) {
  return whole ? whole : run_slide_seen(run, &p->scope);
}

typedef int OfModel(DsData *d, double *a, double *b);
typedef int OfPart(DsData *d, int part, double *a, double *b);

/* Part by part. */
static int ask_parts(Run *run, const Scope *sc, OfPart *part, double *a, double *b) {
  int status = NUM_OK, whole = run->d.whole;
  for (int k = 0; k < sc->n_parts && status == NUM_OK; k++) {
    run->d.whole = see_whole(run, whole, &run->parts[sc->parts[k]]);
    status = part(&run->d, sc->parts[k], a, b);
  }
  run->d.whole = whole;
  return status;
}

/* Two numbers per relation of the scope. */
static inline int ask(Run *run, const Scope *sc, OfModel *model, OfPart *part, double *a,
                      double *b) {
  run->d.fuel = run_fuel, run->d.top = 0;
  if (run->divided)
    return ask_parts(run, sc, part, a, b);
  int whole = run->d.whole;
  run->d.whole = see_whole(run, whole, run->parts);
  int status = model(&run->d, a, b);
  run->d.whole = whole;
  return status;
}

/* How large the sides are; where it is not known, as large as they are. */
static int sizes(Run *run, const Scope *sc) {
  int status = ask(run, sc, run->m->sizes, run->m->part_sizes, run->rel->size, run->rel->terms);
  EACH_RELATION (sc, k) {
    bool known = run->rel->size[k] >= 0 && run->rel->terms[k] >= 0 && isfinite(run->rel->size[k]) &&
                 isfinite(run->rel->terms[k]);
    if (!known || status != NUM_OK)
      run->rel->size[k] = run->rel->terms[k] = fmax(fabs(run->rel->za[k]), fabs(run->rel->zb[k]));
  }
  return status == NUM_FATAL ? NUM_FATAL : NUM_OK;
}

void run_begin_sizes(Run *run, const Scope *sc) {
  EACH_RELATION (sc, k)
    if (run->rel->state[k].path == PATH_FREE)
      *run_size_place(run, k) = fmax(*run_size_place(run, k), run->rel->size[k]);
}

static int look_at_sides(Run *run, const Scope *sc, bool sized) {
  int status = ask(run, sc, run->m->crossings, run->m->part_crossings, run->rel->za, run->rel->zb);
  if (sized && status == NUM_OK)
    status = sizes(run, sc);
  if (run->n_sliding && status == NUM_OK)
    run_slide_indicators(run, sc);
  return status;
}

int run_sides(Run *run, const Scope *sc) { return look_at_sides(run, sc, false); }

int run_indicators(Run *run, const Scope *sc, double *z) {
  int status = look_at_sides(run, sc, true);
  if (z)
    differences(run, sc, z);
  return status;
}

void run_hold_sides(Run *run, const Scope *sc) {
  isolate_forget(run, sc);
  EACH_RELATION (sc, k) {
    const DsRelation *rel = &run->m->relations[k];
    bool held = run->d.relation[k] != 0, below = (sides[rel->op] & 1) == held,
         above = (sides[rel->op] >> 2 & 1) == held;
    run->rel->side[k] = rel->timed ? 1 : above - below;
  }
}

int run_first_triggered(const Run *run, const Scope *sc) {
  const double *a = run->rel->za, *b = run->rel->zb;
  int first = sc->n_relations ? *sc->relations : 0;
  if (!root_crossed(run->rel->side + first, a + first, b + first, sc->n_relations))
    return -1;
  EACH_RELATION (sc, k)
    if (triggered(run, k, a[k], b[k]))
      return k;
  return -1;
}

static void copy_sides(const Scope *sc, double *to, const double *from) {
  EACH_RELATION (sc, k)
    to[k] = from[k];
}

static int look_at(Part *p, double theta, double *z) {
  Run *run = p->run;
  const Stepper *s = p->stepper;
  /* far from 0 the time is rounded: the states are those of the time that is meant */
  double t = theta < 1 ? s->t + theta * (s->t1 - s->t) : s->t1;
  stepper_dense(p->stepper, theta < 1 && t < s->t1 ? (t - s->t) / (s->t1 - s->t) : 1,
                run->cells.trial);
  p->looked = theta;
  int status = run_at(p, t, run->cells.trial);
  return status == NUM_OK ? run_indicators(run, &p->scope, z) : status;
}

/* What the bracket works on: a - b, shifted to the far side of the band if the relation is not
 * armed. */
static double aim(const Run *run, int k, double z) {
  if (side_is_away(&run->rel->state[k]))
    return z;
  bool far_is_positive = run_compare(run->m->relations[k].op, 1) != (run->d.relation[k] != 0);
  return far_is_positive ? z - run_band(run, k) : z + run_band(run, k);
}

static double least_width(const Part *p) {
  const Stepper *s = p->stepper;
  double ulp = DBL_EPSILON * fmax(fabs(s->t), fabs(s->t1));
  return fmax(run_tolerances.instant * ulp / (s->t1 - s->t), run_tolerances.instant * DBL_EPSILON);
}

/* [lo, hi] with no relation fired at lo and relation k fired at hi: to the right end of a tiny
 * bracket. */
static int narrow(Part *p, double lo, double *hi, int k) {
  Run *run = p->run;
  double width = least_width(p);
  Bracket br = {.lo = lo, .hi = *hi, .width = width};
  br.f_lo = aim(run, k, run->rel->z_lo[k]);
  br.f_hi = aim(run, k, run->rel->z_hi[k]);
  while (br.hi - br.lo > width && br.rounds < 300) {
    double theta = bracket_guess(&br);
    if (!(theta > br.lo && theta < br.hi))
      break;
    int status = look_at(p, theta, run->rel->z_lo);
    if (status != NUM_OK)
      return status;
    int q = run_first_triggered(run, &p->scope);
    if (q >= 0 && q != k && !run_triggered(run, k, run->rel->za[k], run->rel->zb[k])) {
      /* another one is earlier: go on with that */
      k = q;
      br.has_third = false;
      br.f_lo = -aim(run, k, run->rel->z_lo[k]);
    }
    bracket_move(&br, theta, aim(run, k, run->rel->z_lo[k]), q < 0);
  }
  *hi = br.hi;
  return NUM_OK;
}

/* Relation k left its band although it was not armed: the last place in (0, hi) where it was still
 * on its own side. */
static int last_change(Part *p, int k, double *hi) {
  Run *run = p->run;
  const DsRelation *rel = &run->m->relations[k];
  bool held = run->d.relation[k] != 0;
  double inside = 0;
  for (double theta = *hi / 2; theta > least_width(p) && inside == 0; theta /= 2) {
    int status = look_at(p, theta, run->rel->z_lo);
    if (status != NUM_OK)
      return status;
    if (run->rel->z_lo[k] != 0 && run_compare(rel->op, run->rel->z_lo[k]) == held) {
      inside = theta;
      /* did it leave its band? */
      side_seen_away(&run->rel->state[k], fabs(run->rel->z_lo[k]) > run_band(run, k));
    }
  }
  if (inside == 0)
    return NUM_OK;
  int status = look_at(p, *hi, run->rel->z_hi);
  Bracket br = {.lo = inside,
                .hi = *hi,
                .f_lo = run->rel->z_lo[k],
                .f_hi = run->rel->z_hi[k],
                .width = least_width(p)};
  while (status == NUM_OK && br.hi - br.lo > least_width(p) && br.rounds < 300) {
    double theta = bracket_guess(&br);
    if (!(theta > br.lo && theta < br.hi))
      break;
    status = look_at(p, theta, run->rel->z_lo);
    bracket_move(&br, theta, run->rel->z_lo[k], run_compare(rel->op, run->rel->z_lo[k]) == held);
  }
  *hi = br.hi;
  return status;
}

/* Relation k fired at hi and is not armed: a look further to the left, where it may have left its
 * band on its own side. Then it is armed from there on. z_lo stays that of lo. */
static int arm_inside(Part *p, double *lo, double *hi, int *k) {
  Run *run = p->run;
  enum { LOOKS = 3 };
  const DsRelation *rel = &run->m->relations[*k];
  bool held = run->d.relation[*k] != 0;
  for (int looks = 0; looks < LOOKS && !side_is_away(&run->rel->state[*k]); looks++) {
    double theta = *hi / 2;
    int status = look_at(p, theta, run->rel->z_between), q = run_first_triggered(run, &p->scope);
    if (status != NUM_OK)
      return status;
    if (q >= 0) {
      *hi = theta;
      copy_sides(&p->scope, run->rel->z_hi, run->rel->z_between);
      if (q != *k && !run_triggered(run, *k, run->rel->za[*k], run->rel->zb[*k]))
        return *k = q, NUM_OK;
    } else if (run_compare(rel->op, run->rel->z_between[*k]) == held &&
               fabs(run->rel->z_between[*k]) > run_band(run, *k)) {
      side_seen_away(&run->rel->state[*k], true);
      *lo = theta;
      copy_sides(&p->scope, run->rel->z_lo, run->rel->z_between);
    } else
      break;
  }
  return NUM_OK;
}

/* Which relations change at theta. */
static int mark_fired(Part *p, double theta, int also) {
  Run *run = p->run;
  bool there = p->looked == theta;
  int status = there ? NUM_OK : look_at(p, theta, run->rel->z_hi);
  if (status != NUM_OK)
    return status;
  if (there)
    differences(run, &p->scope, run->rel->z_hi);
  EACH_RELATION (&p->scope, k)
    run->rel->fired[k] = k == also || run_triggered(run, k, run->rel->za[k], run->rel->zb[k]);
  return NUM_OK;
}

/* Does its change belong to those of others? Two diodes in one loop change at once. */
static bool goes_with_others(const Run *run, int k) {
  const DsRelation *rel = &run->m->relations[k];
  bool together = rel->mixed || run->m->n_conditions;
  return together && !rel->timed && !run->rel->fired[k] && side_is_away(&run->rel->state[k]);
}

/* Relations that should change at once may do so some roundings apart: if one that has not fired at
 * *hi moves so fast that it may fire a little later, and does, while those that fired stay so, the
 * event is there. Others change one after the other, however near to each other that is: what the
 * first event changes may decide about the second. */
static int join(Part *p, double *hi) {
  Run *run = p->run;
  double later = fmin(*hi + run_tolerances.joined / run_tolerances.instant * least_width(p), 1);
  bool near = false, more = false, lost = false;
  EACH_RELATION (&p->scope, k) {
    double moves = fabs(run->rel->z_hi[k] - run->rel->z_start[k]) * (later - *hi);
    near = near || (goes_with_others(run, k) && fabs(run->rel->z_hi[k]) * *hi <= moves);
  }
  if (!near || later <= *hi)
    return NUM_OK;
  int status = look_at(p, later, run->rel->z_lo);
  if (status != NUM_OK)
    return status;
  EACH_RELATION (&p->scope, k) {
    bool fires = run_triggered(run, k, run->rel->za[k], run->rel->zb[k]);
    more = more || (fires && !run->rel->fired[k]);
    lost = lost || (run->rel->fired[k] && !fires);
  }
  if (more && !lost)
    *hi = later;
  return mark_fired(p, *hi, -1);
}

void run_relations_allocate(Run *run) {
  const DsModel *m = run->m;
  Relations *rel = run->rel;
  size_t n = (size_t)m->n_relations + 1;
  rel->state = NEW_ARRAY(run->a, RelationState, n);
  double **banks[] = {&rel->za,       &rel->zb,      &rel->z_lo,     &rel->z_hi,
                      &rel->instants, &rel->z_start, &rel->z_before, &rel->z_between,
                      &rel->side,     &rel->size,    &rel->terms};
  for (size_t k = 0; k < sizeof banks / sizeof *banks; k++)
    *banks[k] = NEW_ARRAY(run->a, double, n);
  rel->window = NEW_ARRAY(run->a, double, 5 * n);
  rel->size_past = NEW_ARRAY(run->a, double, 2 * n);
  rel->fired = NEW_ARRAY(run->a, bool, n);
  for (int k = 0; k < m->n_relations; k++)
    rel->za[k] = m->relations[k].timed;
}

/* ---- there and back inside the step ---- */

void run_pass_sides(Part *p) {
  Run *run = p->run;
  copy_sides(&p->scope, run->rel->z_before, run->rel->z_start);
  copy_sides(&p->scope, run->rel->z_start, run->rel->z_hi);
  run_begin_sizes(run, &p->scope);
  p->h_before = p->stepper->t1 - p->stepper->t;
}

/* Could a - b have been 0 between the ends? before: how much longer than the step before that is.
 */
static bool in_reach(const Run *run, int k, double before) {
  double z0 = run->rel->z_start[k], z1 = run->rel->z_hi[k], reach = fabs(z1 - z0);
  if (isnan(reach) || run->m->relations[k].timed || side_is_stuck(&run->rel->state[k]) ||
      isolate_covers(run, k))
    return false;
  if (before > 0)
    reach = fmax(reach, fabs(z0 - run->rel->z_before[k]) * before);
  return fabs(z0) < 0.5 * reach || fabs(z1) < 0.5 * reach;
}

/* Where the parabola through the start, the middle and the end comes nearest to 0; 0 if it stays
 * away. */
static double nearest_to_zero(double z0, double zm, double z1) {
  double c = 2 * (z0 + z1 - 2 * zm), b = z1 - z0 - c, theta = c != 0 ? -b / (2 * c) : 0;
  if (!(theta > 0 && theta < 1))
    return 0;
  double z = z0 + theta * (b + theta * c), side = z1 > 0 ? 1 : -1,
         size = fmax(fabs(z0), fmax(fabs(zm), fabs(z1)));
  return z * side < 0.1 * size ? theta : 0;
}

/* Looks at the middle, and at tops of parabolas, up to *end, whose sides are in z_hi; *found: a
 * relation that has fired, *end is where; or -1. */
static int look_between(Part *p, double *end, int *found) {
  Run *run = p->run;
  const Scope *sc = &p->scope;
  double length = *end * (p->stepper->t1 - p->stepper->t), last = *end;
  double before = p->h_before > 0 ? length / p->h_before : 0;
  int first = sc->n_relations ? *sc->relations : 0;
  bool near = root_reached(run->rel->z_before + first, run->rel->z_start + first,
                           run->rel->z_hi + first, sc->n_relations, before),
       any = false;
  for (int k = first; near && !any && k < first + sc->n_relations; k++)
    any = in_reach(run, k, before);
  if (!any)
    return NUM_OK;
  int status = look_at(p, *end = 0.5 * last, run->rel->z_between);
  *found = status == NUM_OK ? run_first_triggered(run, &p->scope) : -1;
  int tops = 0;
  EACH_RELATION (&p->scope, k) {
    if (status != NUM_OK || *found >= 0 || tops == MOST_TOPS)
      break;
    double theta = in_reach(run, k, before)
                       ? nearest_to_zero(run->rel->z_start[k], run->rel->z_between[k],
                                         run->rel->z_hi[k])
                       : 0;
    if (theta == 0)
      continue;
    tops++;
    status = look_at(p, *end = theta * last, NULL);
    *found = status == NUM_OK ? run_first_triggered(run, &p->scope) : -1;
  }
  /* nothing: the values are again those of the end */
  return status == NUM_OK && *found < 0 ? look_at(p, *end = last, run->rel->z_hi) : status;
}

/* ---- parts without states ---- */

/* The last five points, 1/n of the step apart, at which relations were looked at; point j is in row
 * j % 5 of run->rel->window. */
static const double *window(const Run *run, int j) {
  return run->rel->window + (size_t)(j % 5) * (size_t)run->m->n_relations;
}

/* Does a cubic through its neighbours tell the middle one of the last five points, j of n being the
 * last? And so well that, with an error as large, none of those inside of the step comes near 0? */
static bool is_smooth(const Run *run, int k, int j, int n) {
  /* 1: a cubic errs by 0.14 of that between the points, 1 % of what is compared */
  const double rough = 0.07, safe = 4;
  double u[5], size = 0, nearest = INFINITY;
  for (int i = 0; i < 5; i++) {
    u[i] = window(run, j - 4 + i)[k], size = fmax(size, fabs(u[i]));
    if (j - 4 + i > 0 && j - 4 + i < n)
      nearest = fmin(nearest, fabs(u[i]));
  }
  double error = fabs((4 * (u[1] + u[3]) - (u[0] + u[4])) / 6 - u[2]), band = run_band(run, k);
  return run->m->relations[k].timed || isnan(size) || size <= band ||
         (error <= rough * size && error <= fmax(nearest / safe, band));
}

/* Looks at n - 1 points between the start and *end, whose sides are in z_hi. If a relation fires at
 * one of them, that is the new end, and *found. *smooth: between the points there is nothing to be
 * seen. */
static int look_at_points(Part *p, int n, double *end, int *found, bool *smooth) {
  Run *run = p->run;
  int status = NUM_OK;
  *smooth = true;
  for (int j = 0; j <= n && status == NUM_OK; j++) {
    double *z = run->rel->window + (size_t)(j % 5) * (size_t)run->m->n_relations,
           theta = *end * j / n;
    int q = -1;
    if (j == 0 || j == n)
      copy_sides(&p->scope, z, j ? run->rel->z_hi : run->rel->z_start);
    else if ((status = look_at(p, theta, z)) == NUM_OK)
      q = run_first_triggered(run, &p->scope);
    if (q >= 0) {
      copy_sides(&p->scope, run->rel->z_hi, z);
      *found = q, *end = theta, *smooth = false;
      break;
    }
    EACH_RELATION (&p->scope, k)
      *smooth = *smooth && (j < 4 || isolate_covers(run, k) || is_smooth(run, k, j, n));
  }
  return status;
}

/* Nothing controls the error of steps without states: they are as long as they are asked for. What
 * is compared is looked at so often that nothing can be between the looks, up to the first
 * change. */
static int look_closely(Part *p, double *hi, int *found) {
  Run *run = p->run;
  enum { LEAST = 4 };
  bool smooth = true;
  int status = NUM_OK;
  EACH_RELATION (&p->scope, k)
    smooth = smooth && (run->m->relations[k].timed || side_is_stuck(&run->rel->state[k]) ||
                        isolate_covers(run, k));
  if (smooth)
    return NUM_OK;
  for (int n = LEAST; n <= MOST_LOOKS && !smooth && *hi > least_width(p) && status == NUM_OK;) {
    double before = *hi;
    status = look_at_points(p, n, hi, found, &smooth);
    n = *hi < before ? 2 * LEAST : 2 * n;
  }
  return status == NUM_OK ? look_at(p, *hi, run->rel->z_hi) : status;
}

/* ---- relations that have a formula ---- */

/* Relation k changes in [*lo, *hi], by its formula, which differs from the model by some roundings:
 * the ends are moved apart until the model says so. *found: a relation that has fired at *hi and
 * not at *lo; -1: k has not by `end`, either. */
static int confirm(Part *p, int k, double *lo, double *hi, double end, int *found) {
  Run *run = p->run;
  double width = least_width(p), right = *hi;
  int status = NUM_OK, q = -1;
  enum { WIDER = 64 };
  for (double apart = width;; apart *= WIDER) {
    if (*lo > 0)
      status = look_at(p, *lo, run->rel->z_lo), q = run_first_triggered(run, &p->scope);
    else
      copy_sides(&p->scope, run->rel->z_lo, run->rel->z_start), q = -1;
    if (status != NUM_OK || q < 0)
      break;
    *hi = *lo, *lo = fmax(*lo - apart, 0);
    copy_sides(&p->scope, run->rel->z_hi, run->rel->z_lo);
    k = q;
  }
  for (double apart = width; status == NUM_OK; apart *= WIDER) {
    status = look_at(p, *hi, run->rel->z_hi);
    *found = run_first_triggered(run, &p->scope);
    if (*found >= 0 || *hi >= end)
      break;
    *hi = fmin(right + apart, end);
  }
  if (status == NUM_OK && *found >= 0 && run_triggered(run, k, run->rel->za[k], run->rel->zb[k]))
    *found = k;
  return status;
}

/* The first change of a relation that has a formula; *found as above, the values are those at *hi,
 * or at the end again. */
static int isolated(Part *p, double *lo, double *hi, int *found) {
  Run *run = p->run;
  Isolated is = {.end = 0};
  int status = NUM_OK;
  *found = -1;
  for (int alarms = 0; alarms < MOST_ALARMS && is.end < 1; alarms++) {
    isolate_first(p, is.end, least_width(p), &is);
    if (is.relation < 0)
      break;
    RelationState *rs = &run->rel->state[is.relation];
    bool arms = !side_is_away(rs);
    side_seen_away(rs, true);
    *lo = is.from, *hi = is.to;
    status = confirm(p, is.relation, lo, hi, is.end, found);
    if (status != NUM_OK || *found >= 0)
      return status;
    if (arms)
      side_forget_inside(rs);
    if ((status = look_at(p, 1, run->rel->z_hi)) != NUM_OK)
      return status;
  }
  *lo = 0, *hi = 1;
  return status;
}

/* Relations that have no formula, up to *end, at which one that has fires if `known`: what stages
 * saw, and looks between the ends. */
static int look_for_others(Part *p, bool known, double *end, int *found) {
  Run *run = p->run;
  int status = NUM_OK;
  if (!p->n)
    status = look_closely(p, end, found);
  if (status == NUM_OK && *found < 0 && !known)
    *found = run_first_triggered(run, &p->scope);
  if (status == NUM_OK && *found < 0 && p->hint > 0 && p->hint < *end &&
      p->hint_trial == p->stepper->trials) {
    double last = *end;
    status = look_at(p, *end = p->hint, run->rel->z_hi);
    *found = run_first_triggered(run, &p->scope);
    if (status == NUM_OK && *found < 0)
      status = look_at(p, *end = last, run->rel->z_hi);
  }
  return status == NUM_OK && *found < 0 ? look_between(p, end, found) : status;
}

/* Dense output that needs a slope inside of the step comes first: afterwards the values are again
 * those of its end. */
static int look_at_end(Part *p) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  if (s->kind->lifts && !s->has_dense) {
    stepper_dense(s, 0.5, run->cells.trial);
    s->at_end = false;
  }
  /* with most methods the last evaluation was at the end of the step */
  return s->at_end ? run_indicators(run, &p->scope, run->rel->z_hi) : look_at(p, 1, run->rel->z_hi);
}

int run_locate(Part *p, double *theta) {
  Run *run = p->run;
  *theta = 0;
  if (!p->monitored)
    return NUM_OK;
  double hi = 1, lo = 0;
  p->looked = NAN;
  int k = -1, other = -1, status = look_at_end(p);
  if (status == NUM_OK)
    status = isolated(p, &lo, &hi, &k);
  if (status == NUM_OK)
    status = look_for_others(p, k >= 0, &hi, &other);
  if (status != NUM_OK || (k < 0 && other < 0))
    return status;
  if (other >= 0) {
    k = other, lo = 0;
    copy_sides(&p->scope, run->rel->z_lo, run->rel->z_start);
    status = arm_inside(p, &lo, &hi, &k);
  }
  if (status == NUM_OK)
    status = narrow(p, lo, &hi, k);
  if (status == NUM_OK)
    status = mark_fired(p, hi, -1);
  if (status == NUM_OK)
    status = join(p, &hi);
  /* one that was not armed is moved back to where it changed sign */
  EACH_RELATION (&p->scope, q)
    if (status == NUM_OK && run->rel->fired[q] && !side_is_away(&run->rel->state[q])) {
      status = last_change(p, q, &hi);
      if (status == NUM_OK)
        status = mark_fired(p, hi, q);
      break;
    }
  *theta = hi;
  return status;
}

double run_side_at(Part *p, int k, double theta) {
  Run *run = p->run;
  if (look_at(p, theta, run->rel->z_between) != NUM_OK)
    return 0;
  return fabs(run->rel->z_between[k]) / run_band(run, k);
}

void run_locate_again(Part *p) {
  Run *run = p->run;
  EACH_RELATION (&p->scope, k) {
    side_forget_inside(&run->rel->state[k]);
    run->rel->fired[k] = false;
  }
}
