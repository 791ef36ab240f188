/* run/contact_slide.c -- contacts in a part that slides: forces change the weights of surfaces that
 * they move, and what weights change in the motion changes the forces.
 * In:   forces that hold the contacts with the weights of the last step.
 * Out:  forces with which z'' of the contacts is 0 while the motion stays on its surfaces; and for
 *       decisions about surfaces, fields of all their sides, each with the forces that hold there.
 * How:  a force along d moves the motion along d, and along what the weights change so that no
 *       surface is left. With these directions in place of d, Newton's method (contact.c has z''):
 *       one round for one surface. A side of a surface has the forces of now, and more by what its
 *       field changes in z'': the mean of all sides by their weights holds the contacts, too.
 * Keep: what is found depends on the values in DsData and on the weights of the last step alone. */
#include "run/blend.h"
#include "run/contact_impl.h"
#include "run/core.h"
#include "run/part.h"
#include "run/scales.h"
#include "run/slide.h"

#include <math.h>
#include <string.h>

/* 1: slopes that agree so far with what is linear in forces are that, but for differences */
static const double linear = 1e-9;

/* Where the motion slides a force moves the surfaces, too, and weights change with it, so that it
 * stays on them: what both together change in the slopes. */
static int find_directions(Run *run, const Scope *sc, Part *p) {
  Contact *co = &p->contact;
  ContactWork *w = run->own.contact;
  double before[SLIDE_MOST], after[SLIDE_MOST], tempo = run_tempo(run, p);
  int status = run_slide_keep(run, sc, p, before);
  contact_take_slopes(run, p, w->mean);
  for (int j = 0; j < co->k && status == NUM_OK; j++) {
    double *d = w->directions[j], force = co->force[j], unit = 0;
    /* as much as moves states by their sizes, for rounding; the slopes are linear in it */
    for (int q = p->x; q < p->x + p->n; q++)
      if (w->jumps[co->relation[j]][q - p->x] != 0)
        unit = fmax(unit, fabs(w->mean[q]) + run->scales->nominal[q] / tempo);
    co->force[j] += unit;
    contact_push(run, p, true);
    status = run_slide_keep(run, sc, p, after);
    contact_take_slopes(run, p, d);
    co->force[j] = force;
    for (int q = 0; q < run->m->nx; q++)
      d[q] = q >= p->x && q < p->x + p->n ? (d[q] - w->mean[q]) / unit : 0;
    for (int i = 0; i < p->slide.k; i++)
      after[i] = (after[i] - before[i]) / unit;
    run_slide_undo(run, p, after, d + p->x);
  }
  contact_push(run, p, true);
  return status;
}

/* Are the slopes of the part others than w->mean, by more than rounding of what forces make of
 * them? */
static bool is_other(const Run *run, const Part *p) {
  const Contact *co = &p->contact;
  const ContactWork *w = run->own.contact;
  bool any = false;
  for (int q = p->x; q < p->x + p->n; q++) {
    double here = run->d.r[run->m->nx + q] + w->hidden[q], size = fabs(here);
    for (int j = 0; j < co->k; j++)
      size += fabs(co->force[j] * w->directions[j][q]);
    any = any || fabs(here - w->mean[q]) > linear * size;
  }
  return any;
}

/* Better forces, where the part slides with those that it has; and the slopes that it should have
 * with them, if they were linear in them, in w->mean. */
static int improve_forces(Run *run, const Scope *sc, Part *p, double back) {
  Contact *co = &p->contact;
  ContactWork *w = run->own.contact;
  double before[CONTACT_MOST], free[CONTACT_MOST];
  memcpy(before, co->force, sizeof before);
  memcpy(free, co->free, sizeof free);
  memcpy(w->block, run->block, run->block_size);
  int status = find_directions(run, sc, p);
  memcpy(run->block, w->block, run->block_size);
  if (status == NUM_OK)
    status = contact_measure(run, sc, p);
  memcpy(run->block, w->block, run->block_size);
  bool better = status == NUM_OK && contact_add_forces(run, co, back);
  /* others ask for the one without forces */
  memcpy(co->free, free, sizeof free);
  if (!better)
    return status != NUM_OK ? status : NUM_RETRY;
  contact_take_slopes(run, p, w->mean);
  for (int j = 0; j < co->k; j++)
    for (int q = p->x; q < p->x + p->n; q++)
      w->mean[q] += (co->force[j] - before[j]) * w->directions[j][q];
  return NUM_OK;
}

/* The same for a part that slides with its new forces: weights follow from forces, and forces from
 * weights. Linear for one surface. */
int contact_settle_forces(Run *run, const Scope *sc, Part *p, double back) {
  contact_push(run, p, true);
  int status = run_slide_motion(run, sc, p, DS_PART_DERIVATIVES);
  for (int round = 0; status == NUM_OK && p->slide.k; round++) {
    if (round > 0 && !is_other(run, p))
      break;
    status = round < MOST_FORCE_ROUNDS ? improve_forces(run, sc, p, back) : NUM_RETRY;
    contact_push(run, p, true);
    if (status == NUM_OK)
      status = run_slide_motion(run, sc, p, DS_PART_DERIVATIVES);
  }
  return status;
}

/* What the forces on all sides of k surfaces are more than those of now: CONTACT_MOST numbers each.
 * fields: slopes of the part there, all with the forces of now, which hold the contacts in the
 * slopes w->mean. */
static int find_more(Run *run, Part *p, int k, const double *fields, double *more) {
  Contact *co = &p->contact;
  ContactWork *w = run->own.contact;
  double change[CONTACT_MOST];
  int status = NUM_OK;
  memcpy(w->x, run->d.r, (size_t)run->m->nx * sizeof *w->x);
  memset(more, 0, ((size_t)CONTACT_MOST << k) * sizeof *more);
  contact_take_jumps(run, p);
  for (int j = 0; j < co->k && status == NUM_OK; j++) {
    memcpy(w->along, w->directions[j], (size_t)run->m->nx * sizeof *w->along);
    status = contact_curve_along(run, p, change);
    for (int i = 0; i < co->k; i++)
      w->matrix[i * co->k + j] = change[i];
  }
  for (int c = 0; c < 1 << k && status == NUM_OK; c++, fields += p->n, more += CONTACT_MOST) {
    bool any = false;
    memset(w->along, 0, (size_t)run->m->nx * sizeof *w->along);
    for (int q = 0; q < p->n; q++) {
      w->along[p->x + q] = fields[q] - w->mean[p->x + q];
      any = any || fields[q] != w->mean[p->x + q];
    }
    if (any)
      status = contact_curve_along(run, p, more);
    for (int i = 0; i < co->k; i++)
      more[i] = -more[i];
    if (status == NUM_OK && !contact_solve(w, co->k, more))
      status = NUM_RETRY;
  }
  return status;
}

/* Slopes of the part in its fields on all sides of k surfaces, without gaps. */
static double *take_fields(Run *run, const Part *p, int k) {
  ContactWork *w = run->own.contact;
  size_t n = (size_t)p->n, width = run_blend_width(run, p->number);
  if (w->fields_room < n << k)
    w->fields = NEW_ARRAY(run->a, double, w->fields_room = n << k);
  for (size_t c = 0; c < (size_t)1 << k; c++)
    memcpy(w->fields + c * n, run_blend_fields(run, p) + c * width, n * sizeof *w->fields);
  return w->fields;
}

int run_contact_corners(Run *run, Part *p, int k, const int *surface) {
  ContactWork *w = run->own.contact;
  size_t n = (size_t)p->n, width = run_blend_width(run, p->number);
  double more[CONTACT_MOST << SLIDE_MOST];
  const Slide slide = p->slide;
  bool known = run_contact_evaluate(run, &p->scope, p) == NUM_OK;
  memcpy(w->mean, run->d.r + run->m->nx, (size_t)run->m->nx * sizeof *w->mean);
  int status = run_blend_corners(run, &p->scope, p->number, k, surface, DS_PART_DERIVATIVES);
  /* where no forces hold now, those of before are as good as any */
  if (known && status == NUM_OK) {
    double *fields = take_fields(run, p, k);
    memcpy(w->block, run->block, run->block_size);
    known = find_more(run, p, k, fields, more) == NUM_OK;
    memcpy(run->block, w->block, run->block_size);
    /* what was looked at has taken the place of the fields */
    status = run_blend_corners(run, &p->scope, p->number, k, surface, DS_PART_DERIVATIVES);
  }
  p->slide = slide;
  for (size_t c = 0; c < (size_t)1 << k && known && status == NUM_OK; c++)
    for (int j = 0; j < p->contact.k; j++)
      for (size_t q = 0; q < n; q++)
        run_blend_fields(run, p)[c * width + q] += more[c * CONTACT_MOST + (size_t)j] *
                                                   w->directions[j][(size_t)p->x + q];
  return status;
}
