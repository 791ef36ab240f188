/* run/speed.c -- how fast the fields of a part move the surfaces that it may slide along.
 * How:  relations that have a formula are evaluated along each field (numeric/jet.h), exactly.
 *       Others by central differences along the field, over a moment in which no state moves
 *       further than a small part of its size; what they compare is solved at both ends.
 * Keep: all values are those from before afterwards. */
#include "run/speed.h"
#include "run/blend.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/formula.h"
#include "run/part.h"
#include "run/scales.h"
#include "run/values.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* 1: how far states move for the speed of a surface, relative to their size */
static const double reach = 1e-5;
static const double reach_time = 1e-3; /* of the tempo of the part, at most */

struct SpeedWork {
  double *za, *zb; /* per relation */
  double *x;       /* per state: kept, or slopes */
  unsigned char *block;
};

static SpeedWork *work(Run *run) {
  if (!run->own.speed) {
    SpeedWork *w = run->own.speed = NEW(run->a, SpeedWork);
    w->za = NEW_ARRAY(run->a, double, run->m->n_relations + 1);
    w->zb = NEW_ARRAY(run->a, double, run->m->n_relations + 1);
    w->x = NEW_ARRAY(run->a, double, run->m->nx + 1);
  }
  return run->own.speed;
}

/* Parts whose states move while this one works. */
static int moving(const Run *run, const Part *p, int k) {
  return run->divided ? p->scope.seen[k] : p->number;
}
static int n_moving(const Run *run, const Part *p) { return run->divided ? p->scope.n_seen : 1; }

/* The moment for differences: in it, no state moves further than a small part of its size in any
 * field. */
static double moment(const Run *run, const Part *p, int k) {
  double h = reach_time * run_tempo(run, p);
  const double *fields = run_blend_fields(run, p);
  size_t n = run_blend_width(run, p->number);
  /* in the fastest of the fields */
  for (int j = 0; j < p->n; j++) {
    double fastest = 0;
    double size = fabs(run->d.r[p->x + j]) + run->scales->nominal[p->x + j];
    for (int c = 0; c < 1 << k; c++)
      fastest = fmax(fastest, fabs(fields[(size_t)c * n + (size_t)j]));
    if (fastest * h > reach * size)
      h = reach * size / fastest;
  }
  return h;
}

/* States go on from w->x along the field of a corner. */
static void go_along(Run *run, const Part *p, const double *field, double t, double h) {
  double *x = run->d.r;
  for (int k = 0; k < n_moving(run, p); k++) {
    const Part *q = &run->parts[moving(run, p, k)];
    /* other parts move as they do, whatever the field */
    const double *slope = q == p ? field : x + run->m->nx + q->x;
    const double *hidden = run_contact_hidden(run, q);
    for (int j = 0; j < q->n; j++)
      x[q->x + j] = run->own.speed->x[q->x + j] + h * (slope[j] + (hidden ? hidden[j] : 0));
  }
  run->d.time = t + h;
}

/* The two sides of the surfaces at the present states. */
static int sides(Run *run, const Part *p, bool direct) {
  SpeedWork *w = work(run);
  int status = NUM_OK;
  /* sides that do not follow from the states alone need the derivatives first */
  for (int k = 0; k < n_moving(run, p) && !direct && status == NUM_OK; k++)
    status = run_slide_plainly(run, moving(run, p, k));
  if (status != NUM_OK)
    return status;
  int whole = run->d.whole;
  run->d.fuel = run_fuel;
  run->d.top = 0;
  /* a surface need not matter on this side of others */
  run->d.whole = 1;
  status = run->divided ? run->m->part_crossings(&run->d, p->number, w->za, w->zb)
                        : run->m->crossings(&run->d, w->za, w->zb);
  run->d.whole = whole;
  return status;
}

/* Slopes of all states with these of the part; a contact that nothing else sees yet holds its
 * states all the same. */
static const double *slopes_of(Run *run, const Part *p, const double *field) {
  const double *slope = run->d.r + run->m->nx;
  if (!run->divided && !run_contact_hidden(run, p))
    return field;
  double *all = work(run)->x;
  for (int q = 0; q < n_moving(run, p); q++) {
    const Part *o = &run->parts[moving(run, p, q)];
    const double *hidden = run_contact_hidden(run, o);
    memcpy(all + o->x, o == p ? field : slope + o->x, (size_t)o->n * sizeof *all);
    for (int j = 0; j < o->n && hidden; j++)
      all[o->x + j] += hidden[j];
  }
  return all;
}

/* How fast each field moves each surface, where all have formulas: exactly. */
static void find_exactly(Run *run, const Part *p, int k, const int *surface, double *z,
                         double *unsure) {
  size_t n = run_blend_width(run, p->number);
  double *speeds = run_blend_speeds(run, p);
  for (int c = 0; c < 1 << k; c++) {
    const double *slope = slopes_of(run, p, run_blend_fields(run, p) + (size_t)c * n);
    for (int i = 0; i < k; i++) {
      Jet jet = formula_along(run->m, &run->d, &run->m->relations[surface[i]], 1, slope, NULL);
      speeds[c * k + i] = jet.d;
      z[i] = jet.v;
      /* roundings of the largest terms, of all fields */
      unsure[i] = fmax(c ? unsure[i] : 0, DBL_EPSILON * (jet.d_size + DBL_MIN));
    }
  }
}

/* The same by central differences. */
static int find_by_differences(Run *run, const Part *p, int k, const int *surface, double *z,
                               double *unsure) {
  SpeedWork *w = work(run);
  double t = run->d.time;
  double h = moment(run, p, k);
  double *fields = run_blend_fields(run, p);
  double *speeds = run_blend_speeds(run, p);
  size_t n = run_blend_width(run, p->number);
  bool direct = true;
  int status = NUM_OK;
  for (int i = 0; i < k; i++)
    direct = direct && run->m->relations[surface[i]].direct;
  if (!direct && !w->block)
    w->block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  /* evaluations leave other values behind */
  if (!direct)
    memcpy(w->block, run->block, run->block_size);
  for (int q = 0; q < n_moving(run, p); q++) {
    const Part *o = &run->parts[moving(run, p, q)];
    memcpy(w->x + o->x, run->d.r + o->x, (size_t)o->n * sizeof(double));
  }
  /* both ways, in each field: order 2 */
  for (int c = 0; c < 1 << k && status == NUM_OK; c++)
    for (int way = 1; way >= -1 && status == NUM_OK; way -= 2) {
      go_along(run, p, fields + (size_t)c * n, t, way * h);
      status = sides(run, p, direct);
      for (int i = 0; i < k; i++) {
        double a = w->za[surface[i]];
        double b = w->zb[surface[i]];
        double *speed = &speeds[c * k + i];
        *speed = way > 0 ? a - b : (*speed - (a - b)) / (2 * h);
        /* the mean of both is the distance here, up to the curvature */
        z[i] = way > 0 ? (a - b) / 2 : z[i] + (a - b) / 2;
        unsure[i] = DBL_EPSILON * (fmax(fabs(a), fabs(b)) + DBL_MIN) / h;
      }
      if (!direct)
        memcpy(run->block, w->block, run->block_size);
    }
  /* back to where it was */
  go_along(run, p, fields, t, 0);
  run->d.time = t;
  return status;
}

int run_speeds(Run *run, const Part *p, int k, const int *surface, double *z, double *unsure) {
  bool exact = true;
  for (int i = 0; i < k; i++)
    exact = exact && run->m->relations[surface[i]].n_terms > 0;
  if (!exact)
    return find_by_differences(run, p, k, surface, z, unsure);
  find_exactly(run, p, k, surface, z, unsure);
  return NUM_OK;
}
