/* run/direction.c -- the ways of relations that are on their band, from exact derivatives.
 * How:  a relation with a formula is evaluated with the first two derivatives along the motion
 *       (numeric/jet.h): the slopes of the states are there, their second derivatives are only made
 *       if the first ones do not tell. Those of other relations, and second derivatives of the
 *       states, follow from the partial derivatives of the structure (numeric/along.h).
 *       Sums that cancel to a part of the tolerance are errors of the integration: there the second
 *       derivative tells by which side of its band a - b leaves that.
 * Keep: nothing of the model is evaluated anew here, and no step is tried. What remains unknown is
 *       left to probe.c. */
#include "run/direction.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/formula.h"
#include "run/memory.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/slide.h"
#include "run/solver.h"
#include "run/workspace.h"

#include "base/limits.h"
#include "numeric/along.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FEW_STATES = 200, LEAST_SHARE = 8 }; /* as in jacobian.c */

/* A derivative below so many roundings of what it comes from is none. */
static const double rounding = 16;
/* rtol of what is compared: excursions below may be hidden by the errors of steps */
static const double hidden = 100;

/* Partial derivatives of one structure, and how fast all moves. */
struct Motion {
  TangentTable table;
  bool refused;           /* it has a block too large for this */
  double *entries, *work; /* partial derivatives; cells */
  double *curve;          /* per state: second derivative */
  Along *of;              /* per node */
};

/* What is known of the motion at the present values. */
typedef enum { MOTION_SLOPES, MOTION_CURVES, MOTION_RELATIONS, MOTION_UNKNOWN } MotionKnown;

struct Directions {
  signed char *way; /* per relation: a Way */
  bool *stands;     /* per relation */
  MotionKnown known;
  double moment; /* s: in which mixed relations go somewhere */
};

void run_direction_allocate(Run *run) {
  Directions *di = run->own.directions = NEW(run->a, Directions);
  di->way = NEW_ARRAY(run->a, signed char, run->m->n_relations + 1);
  di->stands = NEW_ARRAY(run->a, bool, run->m->n_relations + 1);
}

Way run_way(const Run *run, int k) { return (Way)run->own.directions->way[k]; }
void run_set_way(Run *run, int k, Way way) { run->own.directions->way[k] = (signed char)way; }
bool run_may_move(const Run *run, int k) {
  const DsModel *m = run->m;
  const DsRelation *rel = &m->relations[k];
  for (int i = rel->term; i < rel->term + rel->n_terms; i++)
    if (m->terms[i].op == DS_TERM_STATE || m->terms[i].op == DS_TERM_TIME)
      return true;
  return !rel->timed && rel->n_terms == 0 && !(m->tangent && m->tangent->relation[k] == -1);
}

bool run_direction_stands(const Run *run, int k) { return run->own.directions->stands[k]; }

/* ---- the motion ---- */

static Motion *make_motion(Run *run) {
  const DsModel *m = run->m;
  const DsTangent *dt = m->tangent;
  Motion *mo = NEW(run->a, Motion);
  mo->table = run_tangent_table(m);
  mo->table.n_steps = dt->n_steps;
  for (int k = 0; k < dt->n_steps; k++)
    mo->refused = mo->refused || dt->steps[3 * k + 1] > MOST_DIRECTION_BLOCK;
  if (mo->refused)
    return mo;
  mo->entries = NEW_ARRAY(run->a, double, dt->n_entries + 1);
  memcpy(mo->entries, dt->literal, (size_t)dt->n_entries * sizeof *mo->entries);
  mo->work = NEW_ARRAY(run->a, double, along_work(&mo->table, 0, dt->n_steps));
  mo->of = NEW_ARRAY(run->a, Along, dt->n_nodes + 1);
  mo->curve = NEW_ARRAY(run->a, double, m->nx + 1);
  return mo;
}

/* NULL: there are no partial derivatives; or those are of the whole, for an event of a small part
 * of it. */
static Motion *motion_of(Run *run, const Scope *sc) {
  const DsModel *m = run->m;
  bool few = m->nx > FEW_STATES && sc->n_states * LEAST_SHARE < m->nx;
  if (!m->tangent || few)
    return NULL;
  if (!run->work->motion)
    run->work->motion = make_motion(run);
  return run->work->motion->refused ? NULL : run->work->motion;
}

static int evaluate_entries(Run *run, int (*entries)(DsData *d, double *p), double *p) {
  run_begin_evaluation(run);
  int status = entries(&run->d, p);
  run_end_evaluation(run);
  return status;
}

/* How all slopes change along this motion of the states and of time, by the entries at hand. */
static void follow_slopes(Run *run, Motion *mo, double in_time, const double *along,
                          double *change) {
  const DsModel *m = run->m;
  for (int j = 0; j < m->nx; j++)
    mo->of[j] = (Along){along[j], fabs(along[j])};
  mo->of[m->nx] = (Along){in_time, fabs(in_time)};
  along_steps(&mo->table, 0, m->tangent->n_slope_steps, mo->entries, mo->of, mo->work);
  for (int j = 0; j < m->nx; j++)
    change[j] = m->tangent->der[j] < 0 ? 0 : mo->of[m->tangent->der[j]].d;
}

/* Second derivatives of the states. */
static bool find_curves(Run *run, const Scope *sc, Directions *di) {
  const DsModel *m = run->m;
  if (di->known != MOTION_SLOPES)
    return di->known != MOTION_UNKNOWN;
  di->known = MOTION_UNKNOWN;
  Motion *mo = motion_of(run, sc);
  if (!mo || evaluate_entries(run, m->tangent->evaluate, mo->entries) != NUM_OK)
    return false;
  follow_slopes(run, mo, 1, run->d.r + m->nx, mo->curve);
  di->known = MOTION_CURVES;
  return true;
}

/* First derivatives of what relations compare. */
static bool find_rates(Run *run, const Scope *sc, Directions *di) {
  const DsTangent *dt = run->m->tangent;
  if (!find_curves(run, sc, di) || di->known == MOTION_RELATIONS)
    return di->known == MOTION_RELATIONS;
  Motion *mo = run->work->motion;
  if (evaluate_entries(run, dt->evaluate_relations, mo->entries) != NUM_OK)
    return false;
  along_steps(&mo->table, dt->n_slope_steps, dt->n_steps, mo->entries, mo->of, mo->work);
  di->known = MOTION_RELATIONS;
  return true;
}

/* ---- one relation ---- */

static Way sign_of(double d) { return d > 0 ? WAY_UP : d < 0 ? WAY_DOWN : WAY_NONE; }

/* By which end d s + dd s^2/2, s > 0, leaves a band of this half width. */
static Way way_of_parabola(double d, double dd, double band) {
  bool turns = (d < 0) != (dd < 0) && d != 0 && dd != 0;
  if (turns)
    return sign_of(d * d > 2 * fabs(dd) * band ? d : dd);
  return sign_of(d + dd);
}

/* More than what errors of the integration make of a sum. */
static bool is_certain(const Run *run, double d, double size) {
  return fabs(d) > fmax(run->goal.rtol, rounding * DBL_EPSILON) * size;
}

/* A relation of a mixed system depends on what it switches, and its slopes are solutions with
 * errors of their own: what leads out of the band in a moment matters. Those that stay keep their
 * sides, and are seen later where they cross. */
static Way way_of_mixed(const Run *run, int k, const Jet *z, bool curved) {
  double span = run->own.directions->moment,
         there = (z->d + (curved ? z->dd : 0) * span / 2) * span;
  return fabs(there) > run_band(run, k) ? sign_of(there) : WAY_NONE;
}

/* From a jet whose second derivative may be unknown. */
static Way way_of_jet(const Run *run, int k, const Jet *z) {
  bool mixed = run->m->relations[k].mixed;
  double moment = run->own.directions->moment;
  if (is_certain(run, z->d, z->d_size) && (!mixed || fabs(z->d) * moment > run_band(run, k)))
    return sign_of(z->d);
  if (isnan(z->dd) || isnan(z->d))
    return WAY_UNKNOWN;
  Jet sure = *z;
  sure.d = fabs(z->d) > rounding * DBL_EPSILON * z->d_size ? z->d : 0;
  bool curved = is_certain(run, z->dd, z->dd_size);
  if (mixed)
    return way_of_mixed(run, k, &sure, curved);
  return curved ? way_of_parabola(sure.d, z->dd, run_band(run, k)) : WAY_NONE;
}

static bool has_curves(const Directions *di) {
  return di->known == MOTION_CURVES || di->known == MOTION_RELATIONS;
}

static Way way_by_formula(Run *run, const Scope *sc, int k) {
  Directions *di = run->own.directions;
  const DsRelation *rel = &run->m->relations[k];
  const double *slope = run->d.r + run->m->nx,
               *curve = has_curves(di) ? run->work->motion->curve : NULL;
  Jet z = formula_along(run->m, &run->d, rel, 1, slope, curve);
  Way way = way_of_jet(run, k, &z);
  if (way == WAY_UNKNOWN && !curve && find_curves(run, sc, di)) {
    z = formula_along(run->m, &run->d, rel, 1, slope, run->work->motion->curve);
    way = way_of_jet(run, k, &z);
  }
  di->stands[k] = z.d_size == 0 && z.dd_size == 0;
  return way;
}

/* Where the first derivative does not tell, nobody knows the second one. */
static Way way_by_tangent(Run *run, const Scope *sc, int k) {
  Directions *di = run->own.directions;
  if (!run->m->tangent || run->m->tangent->relation[k] < -1 || !find_rates(run, sc, di))
    return WAY_UNKNOWN;
  int node = run->m->tangent->relation[k];
  di->stands[k] = node < 0;
  if (node < 0)
    return WAY_NONE;
  const Along *z = &run->work->motion->of[node];
  di->stands[k] = z->size == 0;
  Jet jet = {.d = z->d, .d_size = z->size, .dd = NAN};
  return way_of_jet(run, k, &jet);
}

void run_directions(Instant *in, const double *z) {
  Run *run = in->run;
  Directions *di = run->own.directions;
  di->known = MOTION_SLOPES;
  di->moment = run_moment(in);
  EACH_RELATION (in->scope, k) {
    const DsRelation *rel = &run->m->relations[k];
    di->way[k] = WAY_NONE, di->stands[k] = false;
    if (rel->timed || !(fabs(z[k]) <= run_band(run, k)))
      continue;
    bool path = run->rel->state[k].path != PATH_FREE || run_slide_seen(run, in->scope);
    Way way = path               ? WAY_UNKNOWN
              : rel->n_terms > 0 ? way_by_formula(run, in->scope, k)
                                 : way_by_tangent(run, in->scope, k);
    di->way[k] = (signed char)way;
  }
}

/* ---- flights ---- */

/* z = d t + dd t^2/2 is 0 again after 2 |d/dd|, having been d^2/(2 |dd|) away. */
static double flight_of(const Run *run, int k, const Jet *z) {
  bool returns = (z->d < 0) != (z->dd < 0) && z->d != 0 && z->dd != 0 && !isnan(z->dd);
  double away = z->d * z->d / (2 * fabs(z->dd));
  return returns && away < hidden / run_tolerances.band * run_band(run, k) ? 2 * fabs(z->d / z->dd)
                                                                           : INFINITY;
}

double run_flight(Run *run, const Scope *sc) {
  Directions *di = run->own.directions;
  double shortest = INFINITY;
  di->known = MOTION_SLOPES;
  /* partial derivatives are those of one side, and without forces */
  if (run_slide_seen(run, sc))
    return INFINITY;
  EACH_RELATION (sc, k) {
    const DsRelation *rel = &run->m->relations[k];
    const RelationState *rs = &run->rel->state[k];
    if (rel->timed || rel->n_terms == 0 || rs->path != PATH_FREE || rs->times[2] != run->d.time ||
        !find_curves(run, sc, di))
      continue;
    Jet z = formula_along(run->m, &run->d, rel, 1, run->d.r + run->m->nx, run->work->motion->curve);
    shortest = fmin(shortest, flight_of(run, k, &z));
  }
  return shortest;
}

/* ---- for contacts ---- */

const double *run_curves(Run *run, const Scope *sc) {
  run->own.directions->known = MOTION_SLOPES;
  /* along surfaces the motion is an average, of which there are no partial derivatives */
  EACH_SEEN (run, sc, p)
    if (p->slide.k)
      return NULL;
  return find_curves(run, sc, run->own.directions) ? run->work->motion->curve : NULL;
}

void run_slopes_along(Run *run, const double *along, double *change) {
  /* the entries are those of run_curves; derivatives of relations are not asked for before others
   * */
  follow_slopes(run, run->work->motion, 0, along, change);
}
