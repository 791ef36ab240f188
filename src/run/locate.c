/* run/locate.c -- is there a state event in the last trial step, and where?
 * A relation that was outside of its band since its last change (armed) fires when a - b changes sign; one that still is on
 * its band fires when it leaves it on the other side, and the event is then moved back to the last sign change, if there is
 * one in this step. The event is at the right end of a bracket of a few units in the last place, so that the relation has
 * its new value there as it stands (MLS 3.6 section 8.5).
 * A relation may also change and change back inside the step. Those that have a formula are enclosed over the whole of it
 * (isolate.c), and the first change is found. Of the others the stages of one-step methods show some for nothing; and where a - b
 * comes so near to 0 that it could get there, as fast as it moved in the last two steps, the middle of the
 * step is looked at, and the top of the parabola through three values. In parts without states they are looked at as often as it
 * takes to know them. */
#include "run/isolate.h"
#include "run/run_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Values of a op b where a - b is negative, 0, positive: bits 0 to 2. */
static const unsigned char sides[] = {[DS_LT] = 1, [DS_LE] = 3, [DS_GT] = 4, [DS_GE] = 6, [DS_EQ] = 2, [DS_NE] = 5};

static inline bool triggered(const Run *run, int k, double a, double b) {
  const DsRelation *rel = &run->m->relations[k];
  double z = a - b;
  bool value = sides[rel->op] >> ((z > 0) + (z >= 0)) & 1;
  if (value == (run->d.relation[k] != 0) || rel->timed || isnan(z))
    return false;
  return run->relations[k].armed || fabs(z) > run_band(run, k);
}

bool run_triggered(const Run *run, int k, double a, double b) { return triggered(run, k, a, b); }

/* z = a - b. The relations of the whole, or of a part, stand together. */
static void differences(const Run *run, double *z) {
  const Scope *sc = run->scope;
  int first = sc->n_relations ? *sc->relations : 0;
  if (sc->all || sc->n_parts == 1)
    root_differences(run->za + first, run->zb + first, sc->n_relations, z + first);
  else
    EACH_RELATION(run, k)
      z[k] = run->za[k] - run->zb[k];
}

/* How large the sides are; where it is not known, as large as they are. */
static int sizes(Run *run) {
  const Scope *sc = run->scope;
  int status = NUM_OK;
  run->d.fuel = 1000 * 1000, run->d.top = 0;
  if (sc->all)
    status = run->m->sizes(&run->d, run->size, run->terms);
  for (int k = 0; k < sc->n_parts && status == NUM_OK && !sc->all; k++)
    status = run->m->part_sizes(&run->d, sc->parts[k], run->size, run->terms);
  EACH_RELATION(run, k) {
    bool known = run->size[k] >= 0 && run->terms[k] >= 0 && isfinite(run->size[k]) && isfinite(run->terms[k]);
    if (!known || status != NUM_OK)
      run->size[k] = run->terms[k] = fmax(fabs(run->za[k]), fabs(run->zb[k]));
  }
  return status == NUM_FATAL ? NUM_FATAL : NUM_OK;
}

void run_begin_sizes(Run *run) {
  EACH_RELATION(run, k)
    if (!run->relations[k].slides)
      *run_size_place(run, k) = fmax(*run_size_place(run, k), run->size[k]);
}

static int look_at_sides(Run *run, bool sized) {
  run->d.fuel = 1000 * 1000, run->d.top = 0;
  const Scope *sc = run->scope;
  int status = NUM_OK, whole = run->d.whole;
  run->d.whole = whole > 1 ? whole : whole || run->n_sliding; /* what matters on one side of a surface only matters on it, too */
  if (sc->all)
    status = run->m->crossings(&run->d, run->za, run->zb);
  for (int k = 0; k < sc->n_parts && status == NUM_OK && !sc->all; k++)
    status = run->m->part_crossings(&run->d, sc->parts[k], run->za, run->zb);
  if (sized && status == NUM_OK)
    status = sizes(run);
  run->d.whole = whole;
  if (run->n_sliding && status == NUM_OK)
    run_slide_indicators(run);
  return status;
}

int run_sides(Run *run) { return look_at_sides(run, false); }

int run_indicators(Run *run, double *z) {
  int status = look_at_sides(run, true);
  if (z)
    differences(run, z);
  return status;
}

void run_hold_sides(Run *run) {
  isolate_forget(run);
  EACH_RELATION(run, k) {
    const DsRelation *rel = &run->m->relations[k];
    bool held = run->d.relation[k] != 0, below = (sides[rel->op] & 1) == held, above = (sides[rel->op] >> 2 & 1) == held;
    run->side[k] = rel->timed ? 1 : above - below;
  }
}

int run_first_triggered(const Run *run) {
  const double *a = run->za, *b = run->zb;
  const Scope *sc = run->scope;
  int first = sc->n_relations ? *sc->relations : 0;
  if (!root_crossed(run->side + first, a + first, b + first, sc->n_relations))
    return -1;
  EACH_RELATION(run, k)
    if (triggered(run, k, a[k], b[k]))
      return k;
  return -1;
}

static void copy_sides(const Run *run, double *to, const double *from) {
  EACH_RELATION(run, k)
    to[k] = from[k];
}

static int look_at(Run *run, double theta, double *z) {
  const Stepper *s = run->part->stepper;
  /* far from 0 the time is rounded: the states are those of the time that is meant */
  double t = theta < 1 ? s->t + theta * (s->t1 - s->t) : s->t1;
  stepper_dense(run->part->stepper, theta < 1 && t < s->t1 ? (t - s->t) / (s->t1 - s->t) : 1, run->trial);
  run->part->looked = theta;
  int status = run_at(run, t, run->trial);
  return status == NUM_OK ? run_indicators(run, z) : status;
}

/* What the bracket works on: a - b, shifted to the far side of the band if the relation is not armed. */
static double aim(const Run *run, int k, double z) {
  if (run->relations[k].armed)
    return z;
  bool far_is_positive = run_compare(run->m->relations[k].op, 1) != (run->d.relation[k] != 0);
  return far_is_positive ? z - run_band(run, k) : z + run_band(run, k);
}

static double least_width(const Run *run) {
  const Stepper *s = run->part->stepper;
  double ulp = DBL_EPSILON * fmax(fabs(s->t), fabs(s->t1));
  return fmax(run_tolerances.instant * ulp / (s->t1 - s->t), run_tolerances.instant * DBL_EPSILON);
}

/* [lo, hi] with no relation fired at lo and relation k fired at hi: to the right end of a tiny bracket. */
static int narrow(Run *run, double lo, double *hi, int k) {
  double width = least_width(run);
  Bracket br = {.lo = lo, .hi = *hi, .width = width};
  br.f_lo = aim(run, k, run->z_lo[k]);
  br.f_hi = aim(run, k, run->z_hi[k]);
  while (br.hi - br.lo > width && br.rounds < 300) {
    double theta = bracket_guess(&br);
    if (!(theta > br.lo && theta < br.hi))
      break;
    int status = look_at(run, theta, run->z_lo);
    if (status != NUM_OK)
      return status;
    int q = run_first_triggered(run);
    if (q >= 0 && q != k && !run_triggered(run, k, run->za[k], run->zb[k])) {
      /* another one is earlier: go on with that */
      k = q;
      br.has_third = false;
      br.f_lo = -aim(run, k, run->z_lo[k]);
    }
    bracket_move(&br, theta, aim(run, k, run->z_lo[k]), q < 0);
  }
  *hi = br.hi;
  return NUM_OK;
}

/* Relation k left its band although it was not armed: the last place in (0, hi) where it was still on its own side. */
static int last_change(Run *run, int k, double *hi) {
  const DsRelation *rel = &run->m->relations[k];
  bool held = run->d.relation[k] != 0;
  double inside = 0;
  for (double theta = *hi / 2; theta > least_width(run) && inside == 0; theta /= 2) {
    int status = look_at(run, theta, run->z_lo);
    if (status != NUM_OK)
      return status;
    if (run->z_lo[k] != 0 && run_compare(rel->op, run->z_lo[k]) == held) {
      inside = theta;
      /* did it leave its band? */
      run->relations[k].armed = run->relations[k].armed_inside = fabs(run->z_lo[k]) > run_band(run, k);
    }
  }
  if (inside == 0)
    return NUM_OK;
  int status = look_at(run, *hi, run->z_hi);
  Bracket br = {.lo = inside, .hi = *hi, .f_lo = run->z_lo[k], .f_hi = run->z_hi[k], .width = least_width(run)};
  while (status == NUM_OK && br.hi - br.lo > least_width(run) && br.rounds < 300) {
    double theta = bracket_guess(&br);
    if (!(theta > br.lo && theta < br.hi))
      break;
    status = look_at(run, theta, run->z_lo);
    bracket_move(&br, theta, run->z_lo[k], run_compare(rel->op, run->z_lo[k]) == held);
  }
  *hi = br.hi;
  return status;
}

/* Relation k fired at hi and is not armed: a look further to the left, where it may have left its band on its own side. Then it is armed
 * from there on. z_lo stays that of lo. */
static int arm_inside(Run *run, double *lo, double *hi, int *k) {
  enum { LOOKS = 3 };
  const DsRelation *rel = &run->m->relations[*k];
  bool held = run->d.relation[*k] != 0;
  for (int looks = 0; looks < LOOKS && !run->relations[*k].armed; looks++) {
    double theta = *hi / 2;
    int status = look_at(run, theta, run->z_between), q = run_first_triggered(run);
    if (status != NUM_OK)
      return status;
    if (q >= 0) {
      *hi = theta;
      copy_sides(run, run->z_hi, run->z_between);
      if (q != *k && !run_triggered(run, *k, run->za[*k], run->zb[*k]))
        return *k = q, NUM_OK;
    } else if (run_compare(rel->op, run->z_between[*k]) == held && fabs(run->z_between[*k]) > run_band(run, *k)) {
      run->relations[*k].armed = run->relations[*k].armed_inside = true;
      *lo = theta;
      copy_sides(run, run->z_lo, run->z_between);
    } else
      break;
  }
  return NUM_OK;
}

/* Which relations change at theta. */
static int mark_fired(Run *run, double theta, int also) {
  bool there = run->part->looked == theta;
  int status = there ? NUM_OK : look_at(run, theta, run->z_hi);
  if (status != NUM_OK)
    return status;
  if (there)
    differences(run, run->z_hi);
  EACH_RELATION(run, k)
    run->fired[k] = k == also || run_triggered(run, k, run->za[k], run->zb[k]);
  return NUM_OK;
}

/* Does its change belong to those of others? Two diodes in one loop change at once. */
static bool goes_with_others(const Run *run, int k) {
  const DsRelation *rel = &run->m->relations[k];
  bool together = rel->mixed || run->m->n_conditions;
  return together && !rel->timed && !run->fired[k] && run->relations[k].armed;
}

/* Relations that should change at once may do so some roundings apart: if one that has not fired at
 * *hi moves so fast that it may fire a little later, and does, while those that fired stay so, the
 * event is there. Others change one after the other, however near to each other that is: what the
 * first event changes may decide about the second. */
static int join(Run *run, double *hi) {
  double later = fmin(*hi + run_tolerances.joined / run_tolerances.instant * least_width(run), 1);
  bool near = false, more = false, lost = false;
  EACH_RELATION(run, k) {
    double moves = fabs(run->z_hi[k] - run->z_start[k]) * (later - *hi);
    near = near || (goes_with_others(run, k) && fabs(run->z_hi[k]) * *hi <= moves);
  }
  if (!near || later <= *hi)
    return NUM_OK;
  int status = look_at(run, later, run->z_lo);
  if (status != NUM_OK)
    return status;
  EACH_RELATION(run, k) {
    bool fires = run_triggered(run, k, run->za[k], run->zb[k]);
    more = more || (fires && !run->fired[k]);
    lost = lost || (run->fired[k] && !fires);
  }
  if (more && !lost)
    *hi = later;
  return mark_fired(run, *hi, -1);
}

/* ---- there and back inside the step ---- */

void run_pass_sides(Run *run) {
  copy_sides(run, run->z_before, run->z_start);
  copy_sides(run, run->z_start, run->z_hi);
  run_begin_sizes(run);
  run->part->h_before = run->part->stepper->t1 - run->part->stepper->t;
}

/* Could a - b have been 0 between the ends? */
static bool in_reach(const Run *run, int k) {
  double z0 = run->z_start[k], z1 = run->z_hi[k], reach = fabs(z1 - z0), before = 0;
  if (isnan(reach) || run->m->relations[k].timed || run->relations[k].stuck || isolate_covers(run, k))
    return false;
  if (run->part->h_before > 0)
    before = fabs(z0 - run->z_before[k]) * (run->part->stepper->t1 - run->part->stepper->t) / run->part->h_before;
  reach = before > reach ? before : reach;
  return fabs(z0) < 0.5 * reach || fabs(z1) < 0.5 * reach;
}

/* Where the parabola through the start, the middle and the end comes nearest to 0; 0 if it stays away. */
static double nearest_to_zero(double z0, double zm, double z1) {
  double c = 2 * (z0 + z1 - 2 * zm), b = z1 - z0 - c, theta = c != 0 ? -b / (2 * c) : 0;
  if (!(theta > 0 && theta < 1))
    return 0;
  double z = z0 + theta * (b + theta * c), side = z1 > 0 ? 1 : -1, size = fmax(fabs(z0), fmax(fabs(zm), fabs(z1)));
  return z * side < 0.1 * size ? theta : 0;
}

/* Looks at the middle, and at tops of parabolas; *found: a relation that has fired at *hi, or -1. */
static int look_between(Run *run, double *hi, int *found) {
  const Part *p = run->part;
  const Scope *sc = &p->scope;
  double before = p->h_before > 0 ? (p->stepper->t1 - p->stepper->t) / p->h_before : 0;
  int first = sc->n_relations ? *sc->relations : 0;
  bool near = root_reached(run->z_before + first, run->z_start + first, run->z_hi + first, sc->n_relations, before), any = false;
  for (int k = first; near && !any && k < first + sc->n_relations; k++)
    any = in_reach(run, k);
  if (!any)
    return NUM_OK;
  int status = look_at(run, *hi = 0.5, run->z_between);
  *found = status == NUM_OK ? run_first_triggered(run) : -1;
  enum { MOST_TOPS = 3 };
  int tops = 0;
  EACH_RELATION(run, k) {
    if (status != NUM_OK || *found >= 0 || tops == MOST_TOPS)
      break;
    double theta = in_reach(run, k) ? nearest_to_zero(run->z_start[k], run->z_between[k], run->z_hi[k]) : 0;
    if (theta == 0)
      continue;
    tops++;
    status = look_at(run, *hi = theta, NULL);
    *found = status == NUM_OK ? run_first_triggered(run) : -1;
  }
  /* nothing: the values are again those of the end */
  return status == NUM_OK && *found < 0 ? look_at(run, 1, run->z_hi) : status;
}

/* ---- parts without states ---- */

/* The last five points, 1/n of the step apart, at which relations were looked at; point j is in row j % 5 of run->z_window. */
static const double *window(const Run *run, int j) { return run->z_window + (size_t)(j % 5) * (size_t)run->m->n_relations; }

/* Does a cubic through its neighbours tell the middle one of the last five points, j being the last? */
static bool is_smooth(const Run *run, int k, int j) {
  const double rough = 0.07; /* 1: a cubic errs by 0.14 of that between the points, 1 % of what is compared */
  double u[5], size = 0;
  for (int i = 0; i < 5; i++)
    u[i] = window(run, j - 4 + i)[k], size = fmax(size, fabs(u[i]));
  double middle = (4 * (u[1] + u[3]) - (u[0] + u[4])) / 6;
  return run->m->relations[k].timed || isnan(size) || size <= run_band(run, k) || fabs(middle - u[2]) <= rough * size;
}

/* Looks at n - 1 points between the start and *end, whose sides are in z_hi. If a relation fires at one of them, that is the new end,
 * and *found. *smooth: between the points there is nothing to be seen. */
static int look_at_points(Run *run, int n, double *end, int *found, bool *smooth) {
  int status = NUM_OK;
  *smooth = true;
  for (int j = 0; j <= n && status == NUM_OK; j++) {
    double *z = run->z_window + (size_t)(j % 5) * (size_t)run->m->n_relations, theta = *end * j / n;
    int q = -1;
    if (j == 0 || j == n)
      copy_sides(run, z, j ? run->z_hi : run->z_start);
    else if ((status = look_at(run, theta, z)) == NUM_OK)
      q = run_first_triggered(run);
    if (q >= 0) {
      copy_sides(run, run->z_hi, z);
      *found = q, *end = theta, *smooth = false;
      break;
    }
    EACH_RELATION(run, k)
      *smooth = *smooth && (j < 4 || isolate_covers(run, k) || is_smooth(run, k, j));
  }
  return status;
}

/* Nothing controls the error of steps without states: they are as long as they are asked for. What is compared is looked at so often
 * that nothing can be between the looks, up to the first change. */
static int look_closely(Run *run, double *hi, int *found) {
  enum { LEAST = 4, MOST = 64 };
  bool smooth = true;
  int status = NUM_OK;
  EACH_RELATION(run, k)
    smooth = smooth && (run->m->relations[k].timed || run->relations[k].stuck || isolate_covers(run, k));
  if (smooth)
    return NUM_OK;
  for (int n = LEAST; n <= MOST && !smooth && status == NUM_OK;) {
    double before = *hi;
    status = look_at_points(run, n, hi, found, &smooth);
    n = *hi < before ? 2 * LEAST : 2 * n;
  }
  return status == NUM_OK ? look_at(run, *hi, run->z_hi) : status;
}

/* ---- relations that have a formula ---- */

/* Relation k changes in [*lo, *hi], by its formula, which differs from the model by some roundings: the ends are moved apart until the
 * model says so. *found: a relation that has fired at *hi and not at *lo; -1: k has not by `end`, either. */
static int confirm(Run *run, int k, double *lo, double *hi, double end, int *found) {
  double width = least_width(run), right = *hi;
  int status = NUM_OK, q = -1;
  enum { WIDER = 64 };
  for (double apart = width;; apart *= WIDER) {
    if (*lo > 0)
      status = look_at(run, *lo, run->z_lo), q = run_first_triggered(run);
    else
      copy_sides(run, run->z_lo, run->z_start), q = -1;
    if (status != NUM_OK || q < 0)
      break;
    *hi = *lo, *lo = fmax(*lo - apart, 0);
    copy_sides(run, run->z_hi, run->z_lo);
    k = q;
  }
  for (double apart = width; status == NUM_OK; apart *= WIDER) {
    status = look_at(run, *hi, run->z_hi);
    *found = run_first_triggered(run);
    if (*found >= 0 || *hi >= end)
      break;
    *hi = fmin(right + apart, end);
  }
  if (status == NUM_OK && *found >= 0 && run_triggered(run, k, run->za[k], run->zb[k]))
    *found = k;
  return status;
}

/* The first change of a relation that has a formula; *found as above, the values are those at *hi, or at the end again. */
static int isolated(Run *run, double *lo, double *hi, int *found) {
  enum { MOST_ALARMS = 8 };
  Isolated is = {.end = 0};
  int status = NUM_OK;
  *found = -1;
  for (int alarms = 0; alarms < MOST_ALARMS && is.end < 1; alarms++) {
    isolate_first(run, is.end, least_width(run), &is);
    if (is.relation < 0)
      break;
    RelationState *rs = &run->relations[is.relation];
    bool arms = !rs->armed;
    rs->armed = rs->armed || arms, rs->armed_inside = rs->armed_inside || arms;
    *lo = is.from, *hi = is.to;
    status = confirm(run, is.relation, lo, hi, is.end, found);
    if (status != NUM_OK || *found >= 0)
      return status;
    rs->armed = rs->armed && !arms, rs->armed_inside = rs->armed_inside && !arms;
    if ((status = look_at(run, 1, run->z_hi)) != NUM_OK)
      return status;
  }
  *lo = 0, *hi = 1;
  return status;
}

/* Relations that have no formula: what stages saw, and looks between the ends. */
static int look_for_others(Run *run, double *hi, int *found) {
  const Part *p = run->part;
  int status = NUM_OK;
  if (p->hint > 0 && p->hint_trial == p->stepper->trials) {
    *hi = p->hint;
    status = look_at(run, *hi, run->z_hi);
    *found = run_first_triggered(run);
    if (status == NUM_OK && *found < 0)
      status = look_at(run, *hi = 1, run->z_hi);
  }
  return status == NUM_OK && *found < 0 ? look_between(run, hi, found) : status;
}

/* Dense output that needs a slope inside of the step comes first: afterwards the values are again those of its end. */
static int look_at_end(Run *run) {
  Stepper *s = run->part->stepper;
  if (s->kind->lifts && !s->has_dense) {
    stepper_dense(s, 0.5, run->trial);
    s->at_end = false;
  }
  /* with most methods the last evaluation was at the end of the step */
  return s->at_end ? run_indicators(run, run->z_hi) : look_at(run, 1, run->z_hi);
}

int run_locate(Run *run, double *theta) {
  *theta = 0;
  if (!run->part->monitored)
    return NUM_OK;
  double hi = 1, lo = 0;
  run->part->looked = NAN;
  int k = -1, status = look_at_end(run);
  if (status == NUM_OK)
    status = isolated(run, &lo, &hi, &k);
  bool known = k >= 0;
  if (status == NUM_OK && k < 0 && !run->part->n)
    status = look_closely(run, &hi, &k);
  if (status == NUM_OK && k < 0)
    k = run_first_triggered(run);
  if (status == NUM_OK && k < 0)
    status = look_for_others(run, &hi, &k);
  if (status != NUM_OK || k < 0)
    return status;
  if (!known) {
    copy_sides(run, run->z_lo, run->z_start);
    status = arm_inside(run, &lo, &hi, &k);
  }
  if (status == NUM_OK)
    status = narrow(run, lo, &hi, k);
  if (status == NUM_OK)
    status = mark_fired(run, hi, -1);
  if (status == NUM_OK)
    status = join(run, &hi);
  /* one that was not armed is moved back to where it changed sign */
  EACH_RELATION(run, q)
    if (status == NUM_OK && run->fired[q] && !run->relations[q].armed) {
      status = last_change(run, q, &hi);
      if (status == NUM_OK)
        status = mark_fired(run, hi, q);
      break;
    }
  *theta = hi;
  return status;
}

double run_side_at(Run *run, int k, double theta) {
  if (look_at(run, theta, run->z_between) != NUM_OK)
    return 0;
  return fabs(run->z_between[k]) / run_band(run, k);
}

void run_locate_again(Run *run) {
  EACH_RELATION(run, k) {
    RelationState *rs = &run->relations[k];
    rs->armed = rs->armed && !rs->armed_inside;
    rs->armed_inside = run->fired[k] = false;
  }
}
