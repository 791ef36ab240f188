/* run/locate.c -- is there a state event in the last trial step, and where?
 * A relation that was outside of its band since its last change (armed) fires when a - b changes sign; one that still is on
 * its band fires when it leaves it on the other side, and the event is then moved back to the last sign change, if there is
 * one in this step. The event is at the right end of a bracket of a few units in the last place, so that the relation has
 * its new value there as it stands (MLS 3.6 section 8.5).
 * Besides the end of the step the stages of the method are looked at: they cost nothing and show most double crossings. */
#include "run/run_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool run_triggered(const Run *run, int k, double a, double b) {
  const DsRelation *rel = &run->m->relations[k];
  double z = a - b;
  if (rel->timed || run_compare(rel->op, z) == (run->d.relation[k] != 0))
    return false;
  return run->relations[k].armed || fabs(z) > run_band(run, a, b);
}

int run_indicators(Run *run, double *z) {
  run->d.fuel = 1000 * 1000, run->d.top = 0;
  int status = run->m->crossings(&run->d, run->za, run->zb);
  for (int k = 0; k < run->m->n_relations && z; k++)
    z[k] = run->m->relations[k].timed ? 0 : run->za[k] - run->zb[k];
  return status;
}

/* The first relation that has fired at the present za, zb; -1 if none. */
static int first_triggered(const Run *run) {
  for (int k = 0; k < run->m->n_relations; k++)
    if (run_triggered(run, k, run->za[k], run->zb[k]))
      return k;
  return -1;
}

static int look_at(Run *run, double theta, double *z) {
  rk_dense(&run->rk, theta, run->rk.trial);
  int status = run_at(run, run->rk.t + theta * run->rk.h, run->rk.trial);
  return status == NUM_OK ? run_indicators(run, z) : status;
}

/* What the bracket works on: a - b, shifted to the far side of the band if the relation is not armed. */
static double aim(const Run *run, int k, double z, double a, double b) {
  if (run->relations[k].armed)
    return z;
  bool far_is_positive = run_compare(run->m->relations[k].op, 1) != (run->d.relation[k] != 0);
  return far_is_positive ? z - run_band(run, a, b) : z + run_band(run, a, b);
}

static double least_width(const Run *run) {
  double ulp = DBL_EPSILON * fmax(fabs(run->rk.t), fabs(run->rk.t + run->rk.h));
  return fmax(run_tolerances.instant * ulp / run->rk.h, run_tolerances.instant * DBL_EPSILON);
}

/* [lo, hi] with no relation fired at lo and relation k fired at hi: to the right end of a tiny bracket. */
static int narrow(Run *run, double lo, double *hi, int k) {
  double width = least_width(run);
  Bracket br = {.lo = lo, .hi = *hi};
  br.f_lo = aim(run, k, run->z_lo[k], run->za[k], run->zb[k]);
  br.f_hi = aim(run, k, run->z_hi[k], run->za[k], run->zb[k]);
  while (br.hi - br.lo > width && br.rounds < 300) {
    double theta = bracket_guess(&br);
    if (!(theta > br.lo && theta < br.hi))
      break;
    int status = look_at(run, theta, run->z_lo);
    if (status != NUM_OK)
      return status;
    int q = first_triggered(run);
    if (q >= 0 && q != k && !run_triggered(run, k, run->za[k], run->zb[k])) {
      /* another one is earlier: go on with that */
      k = q;
      br.side = 0;
      br.f_lo = -aim(run, k, run->z_lo[k], run->za[k], run->zb[k]);
    }
    bracket_move(&br, theta, aim(run, k, run->z_lo[k], run->za[k], run->zb[k]), q < 0);
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
      run->relations[k].armed = fabs(run->z_lo[k]) > run_band(run, run->za[k], run->zb[k]); /* it did leave its band */
    }
  }
  if (inside == 0)
    return NUM_OK;
  int status = look_at(run, *hi, run->z_hi);
  Bracket br = {.lo = inside, .hi = *hi, .f_lo = run->z_lo[k], .f_hi = run->z_hi[k]};
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

/* Which relations change at theta. */
static int mark_fired(Run *run, double theta, int also) {
  int status = look_at(run, theta, run->z_hi);
  for (int k = 0; k < run->m->n_relations && status == NUM_OK; k++)
    run->fired[k] = k == also || run_triggered(run, k, run->za[k], run->zb[k]);
  return status;
}

int run_locate(Run *run, double *theta) {
  *theta = 0;
  if (!run->monitored)
    return NUM_OK;
  double hi = 1;
  /* the last stage was at the end of the step */
  int status = run_indicators(run, run->z_hi), k = first_triggered(run);
  if (status == NUM_OK && k < 0 && run->hint > 0) {
    hi = run->hint;
    status = look_at(run, hi, run->z_hi);
    k = first_triggered(run);
    if (status == NUM_OK && k < 0)
      status = look_at(run, 1, run->z_hi);
  }
  if (status != NUM_OK || k < 0)
    return status;
  status = look_at(run, 0, run->z_lo);
  if (status == NUM_OK)
    status = narrow(run, 0, &hi, k);
  if (status == NUM_OK)
    status = mark_fired(run, hi, -1);
  /* one that was not armed is moved back to where it changed sign */
  for (int q = 0; q < run->m->n_relations && status == NUM_OK; q++)
    if (run->fired[q] && !run->relations[q].armed) {
      status = last_change(run, q, &hi);
      if (status == NUM_OK)
        status = mark_fired(run, hi, q);
      break;
    }
  *theta = hi;
  return status;
}
