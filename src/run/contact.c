/* run/contact.c -- what stays in contact where events have accumulated.
 * A relation whose events make states jump (reinit), and nothing else that derivatives depend on,
 * is watched (bounce.c). Where its bounces end, the rest of the sequence is left out: the states go
 * to z = 0 and z' = 0, z being the difference of the relation's two sides. From then on
 * x' = f + lambda d, where d is the direction of the last jump and lambda keeps z'' at 0: a contact
 * force, that can push but not pull. The contact ends where lambda would become negative, and where
 * z' jumps, as when the floor is taken away, and where the jumps would not be made any more.
 * How:  z' and z'' along the motion, and their change with a motion along d, from exact derivatives
 *       where these are known (contact_exact.c), else by central differences of order 4, whose
 *       points are so far apart that rounding makes 1e-11 of a force; after each step the states go
 *       back to z = z' = 0, z' along d, z along what a motion along d changes in f.
 * Keep: a contact force acts at second order: where d moves z itself, nothing is decided here. */
#include "run/contact.h"
#include "run/contact_impl.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/linear.h"
#include "run/part.h"
#include "run/pass.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/slide.h"
#include "run/spiral.h"
#include "run/steps.h"
#include "run/tell.h"
#include "run/tolerances.h"
#include "run/trace.h"
#include "run/values.h"
#include "run/workspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* 1: how far states move for a difference, relative to their size */
static const double far = 1e-3;
static const double reach_time = 0.1; /* of the tempo of the part, at most */
/* 1: error of a force by rounding, which changes from point to point */
static const double force_noise = 1e-11;
/* Of a difference of order 4, in lengths; and their weights */
enum { POINTS = 4 };
/* Over 12 lengths */
static const double at_point[POINTS] = {1, -1, 2, -2}, weight[POINTS] = {8, -8, -1, 1};
/* Per tempo: how fast what has left its surface is led back; faster is stiff noise */
static const double slow = 0.1;
/* 1: a direction that changes z' so little, relative to what changes it most, has no effect */
static const double weak = 1e-9;

/* Made with the first jump of a state: most models have none */
ContactWork *contact_work(Run *run) {
  if (run->own.contact)
    return run->own.contact;
  size_t n = (size_t)run->m->n_relations + 1;
  size_t nx = (size_t)run->m->nx + 1;
  ContactWork *w = run->own.contact = NEW(run->a, ContactWork);
  w->bounces = NEW_ARRAY(run->a, Bounces, n);
  w->asked = NEW_ARRAY(run->a, bool, n);
  w->acts = NEW_ARRAY(run->a, bool, nx);
  w->idle = NEW_ARRAY(run->a, bool, nx);
  w->ahead = NEW_ARRAY(run->a, double, nx);
  w->jumps = NEW_ARRAY(run->a, double *, n);
  double **banks[] = {&w->x, &w->x1, &w->f, &w->f1, &w->along, &w->mean};
  for (size_t k = 0; k < sizeof banks / sizeof *banks; k++)
    *banks[k] = NEW_ARRAY(run->a, double, nx);
  for (size_t k = 0; k < CONTACT_MOST; k++)
    w->turns[k] = NEW_ARRAY(run->a, double, nx), w->directions[k] = NEW_ARRAY(run->a, double, nx);
  w->none = NEW_ARRAY(run->a, double, nx);
  w->unit = NEW_ARRAY(run->a, double, nx);
  w->normals = NEW_ARRAY(run->a, double *, n);
  w->za = NEW_ARRAY(run->a, double, n);
  w->zb = NEW_ARRAY(run->a, double, n);
  w->push = NEW_ARRAY(run->a, double, nx);
  w->hidden = NEW_ARRAY(run->a, double, nx);
  w->plain = NEW_ARRAY(run->a, double, nx);
  w->carrier = NEW_ARRAY(run->a, int, nx);
  /* without other places a force is added to the derivative itself */
  for (int k = 0; k < run->m->nx; k++)
    w->carrier[k] = run->m->nx + k;
  for (int k = 0; k < run->m->n_pushes; k++)
    w->carrier[run->m->pushes[k].state] = run->m->pushes[k].place;
  w->block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  w->held = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  return w;
}

/* ---- z' and z'' ---- */

/* The states that z may depend on: those of the part, and of what it reads. */
static int n_seen(const Run *run, const Part *p) { return run->divided ? p->scope.n_seen : 1; }
static Part *seen(const Run *run, Part *p, int k) {
  return run->divided ? &run->parts[p->scope.seen[k]] : p;
}

/* How everything moves at the states stored: slopes into f, unless that is NULL. */
int contact_move(Run *run, const Scope *sc, Part *p, double *f) {
  int status = NUM_OK;
  /* the parts in their order: a source moves before what reads it */
  for (int k = 0; k < n_seen(run, p) && status == NUM_OK; k++) {
    Part *q = seen(run, p, k);
    status = q == p && run->own.contact->frozen ? run_slide_again(run, sc, q, DS_PART_DERIVATIVES)
                                                : run_slide_motion(run, sc, q, DS_PART_DERIVATIVES);
  }
  if (f)
    memcpy(f, run->d.r + run->m->nx, (size_t)run->m->nx * sizeof *f);
  return status;
}

/* x := from + h*along */
static void place(Run *run, Part *p, const double *from, double h, const double *along) {
  for (int k = 0; k < n_seen(run, p); k++) {
    const Part *q = seen(run, p, k);
    for (int j = q->x; j < q->x + q->n; j++)
      run->d.r[j] = from[j] + h * along[j];
  }
}

/* The length of a motion in which no state goes further than a fraction of its size. */
static double length(const Run *run, Part *p, const double *x, const double *along, double part,
                     double most) {
  for (int k = 0; k < n_seen(run, p); k++) {
    const Part *q = seen(run, p, k);
    for (int j = q->x; j < q->x + q->n; j++)
      if (fabs(along[j]) * most > part * (fabs(x[j]) + run->scales->nominal[j]))
        most = part * (fabs(x[j]) + run->scales->nominal[j]) / fabs(along[j]);
  }
  return most;
}

/* The sides of the relations at the states stored. */
static int sides(Run *run, const Scope *sc, Part *p) {
  ContactWork *w = run->own.contact;
  bool direct = true;
  int status = NUM_OK, whole = run->d.whole;
  /* sides that do not follow from the states alone need the motion first */
  for (int i = 0; i < p->contact.k; i++)
    direct = direct && run->m->relations[p->contact.relation[i]].direct;
  if (!direct && (status = contact_move(run, sc, p, NULL)) != NUM_OK)
    return status;
  run->d.fuel = run_fuel;
  run->d.top = 0;
  /* a relation that is held need not matter now */
  run->d.whole = 1;
  status = run->divided ? run->m->part_crossings(&run->d, p->number, w->za, w->zb)
                        : run->m->crossings(&run->d, w->za, w->zb);
  run->d.whole = whole;
  return status;
}

/* z where it is, and the bands: the mean of both sides of a difference would be off by the
 * curvature of a surface that moves. */
static int stand(Run *run, const Scope *sc, Part *p, double *z) {
  Contact *co = &p->contact;
  const ContactWork *w = run->own.contact;
  int status = sides(run, sc, p);
  for (int i = 0; i < co->k && status == NUM_OK; i++) {
    double a = w->za[co->relation[i]], b = w->zb[co->relation[i]];
    z[i] = a - b;
    co->band[i] = run_band_of(run, run_size_lately(run, co->relation[i], fmax(fabs(a), fabs(b))),
                              fmax(fabs(a), fabs(b)));
  }
  return status;
}

/* z and z' of the contacts at the states and the time stored. */
int contact_rates(Run *run, const Scope *sc, Part *p, double *z, double *rate) {
  Contact *co = &p->contact;
  /* states and time move below, and are put back */
  ContactWork *w = run->own.contact;
  double t = run->d.time;
  memcpy(w->x1, run->d.r, (size_t)run->m->nx * sizeof *w->x1);
  int status = contact_move(run, sc, p, w->f1);
  /* along the flow, in time, too: z' is how z changes with the motion, explicit time included */
  double h = length(run, p, w->x1, w->f1, far, reach_time * run_tempo(run, p));
  memset(rate, 0, (size_t)co->k * sizeof *rate);
  for (int q = 0; q < POINTS && status == NUM_OK; q++) {
    place(run, p, w->x1, at_point[q] * h, w->f1);
    run->d.time = t + at_point[q] * h;
    status = sides(run, sc, p);
    for (int i = 0; i < co->k; i++)
      rate[i] += weight[q] * (w->za[co->relation[i]] - w->zb[co->relation[i]]);
  }
  for (int i = 0; i < co->k; i++)
    rate[i] /= 12 * h;
  /* back to where it was */
  place(run, p, w->x1, 0, w->f1);
  run->d.time = t;
  return status == NUM_OK ? stand(run, sc, p, z) : status;
}

/* How z and z' change along w->along from w->x, by the way h takes in time; z_slope may be NULL.
 * What changes in f: into turn, unless it is NULL. */
static int slope_along(Run *run, const Scope *sc, Part *p, double h, double in_time,
                       double *z_slope, double *rate_slope, double *turn) {
  ContactWork *w = run->own.contact;
  double t = run->d.time, z[CONTACT_MOST], rate[CONTACT_MOST], none[CONTACT_MOST];
  double *sum = z_slope ? z_slope : none;
  int k = p->contact.k;
  int nx = turn ? run->m->nx : 0;
  int status = NUM_OK;
  memset(sum, 0, (size_t)k * sizeof *sum);
  memset(rate_slope, 0, (size_t)k * sizeof *rate_slope);
  if (turn)
    memset(turn, 0, (size_t)nx * sizeof *turn);
  /* order 4 in both: z at the points, and z' there, which is a difference itself */
  for (int q = 0; q < POINTS && status == NUM_OK; q++) {
    place(run, p, w->x, at_point[q] * h, w->along);
    run->d.time = t + at_point[q] * h * in_time;
    status = contact_rates(run, sc, p, z, rate);
    for (int i = 0; i < k; i++) {
      sum[i] += weight[q] * z[i];
      rate_slope[i] += weight[q] * rate[i];
    }
    for (int j = 0; j < nx; j++)
      turn[j] += weight[q] * w->f1[j];
  }
  for (int i = 0; i < k; i++) {
    sum[i] /= 12 * h;
    rate_slope[i] /= 12 * h;
  }
  for (int j = 0; j < nx; j++)
    turn[j] /= 12 * h;
  run->d.time = t;
  place(run, p, w->x, 0, w->along);
  return status;
}

/* How z'' of the contacts changes with slopes, in which the part goes along w->along too. */
int contact_curve_along(Run *run, Part *p, double *change) {
  const ContactWork *w = run->own.contact;
  return slope_along(run, &p->scope, p, length(run, p, w->x, w->along, far, INFINITY), 0, NULL,
                     change, NULL);
}

/* The jumps of the contacts as directions of all states. */
void contact_take_jumps(Run *run, const Part *p) {
  ContactWork *w = run->own.contact;
  for (int j = 0; j < p->contact.k; j++) {
    memset(w->directions[j], 0, (size_t)run->m->nx * sizeof *w->along);
    memcpy(w->directions[j] + p->x, w->jumps[p->contact.relation[j]],
           (size_t)p->n * sizeof *w->along);
  }
}

/* Slopes of all states, with the forces of the part that nothing else sees yet. */
void contact_take_slopes(const Run *run, const Part *p, double *to) {
  const double *hidden = run->own.contact->hidden;
  memcpy(to, run->d.r + run->m->nx, (size_t)run->m->nx * sizeof *to);
  for (int q = p->x; q < p->x + p->n; q++)
    to[q] += hidden[q];
}

/* The same as contact_exact.c, by differences. */
static int measure_by_differences(Run *run, const Scope *sc, Part *p) {
  Contact *co = &p->contact;
  ContactWork *w = run->own.contact;
  double slope[CONTACT_MOST], most = reach_time * run_tempo(run, p);
  memcpy(w->x, run->d.r, (size_t)run->m->nx * sizeof *w->x);
  contact_take_slopes(run, p, w->along);
  /* z'' without forces: how z' changes along the motion */
  int status = slope_along(run, sc, p, length(run, p, w->x, w->along, far, most), 1, NULL, co->free,
                           NULL);
  for (int j = 0; j < co->k && status == NUM_OK; j++) {
    /* z'' with a force along jump j: how z' changes along that, at the same time */
    memcpy(w->along, w->directions[j], (size_t)run->m->nx * sizeof *w->along);
    status = slope_along(run, sc, p, length(run, p, w->x, w->along, far, INFINITY), 0,
                         co->drift + j * CONTACT_MOST, slope, w->turns[j]);
    for (int i = 0; i < co->k; i++)
      w->matrix[i * co->k + j] = slope[i];
  }
  return status == NUM_OK ? contact_rates(run, sc, p, co->z, co->rate) : status;
}

/* Everything about the contacts of the part at the states and the slopes stored, with the forces
 * that act in these, and the directions of more: z, z', z'', the matrix. */
static ContactMotion motion_of(ContactWork *w) {
  return (ContactMotion){w->directions, w->turns, w->matrix, w->along, w->none, w->unit, w->f1};
}

int contact_measure(Run *run, const Scope *sc, Part *p) {
  ContactWork *w = run->own.contact;
  ContactMotion cm = motion_of(w);
  return run_contact_exact(run, sc, &cm, &p->contact) ? stand(run, sc, p, p->contact.z)
                                                      : measure_by_differences(run, sc, p);
}

/* Of contacts that hold each other, as two feet of one body */
bool contact_solve(const ContactWork *w, int k, double *b) {
  double a[CONTACT_MOST * CONTACT_MOST], rows[CONTACT_MOST];
  int pivot[CONTACT_MOST], where;
  memcpy(a, w->matrix, (size_t)(k * k) * sizeof *a);
  if (!lu_factor(a, pivot, rows, k, &where))
    return false;
  lu_solve(a, pivot, k, b);
  return true;
}

/* Forces of the part act on its slopes, and on what is computed from them, from the next evaluation
 * on; none: while they are looked for. Until the events have accumulated, what follows from the
 * slopes must not see them: there would be flights. */
void contact_push(Run *run, const Part *p, bool any) {
  const Contact *co = &p->contact;
  ContactWork *w = run->own.contact;
  memset(w->push + p->x, 0, (size_t)p->n * sizeof *w->push);
  memset(w->hidden + p->x, 0, (size_t)p->n * sizeof *w->hidden);
  for (int j = 0; j < co->k && any; j++) {
    const double *jump = w->jumps[co->relation[j]];
    /* until its limit, forces of a contact are added where only its part sees them
     * (run_contact_finish), and speeds of surfaces (speed.c) */
    double *to = isnan(co->limit[j]) ? w->push : w->hidden;
    for (int q = 0; q < p->n && jump; q++)
      if (jump[q] != 0) {
        to[p->x + q] += co->force[j] * jump[q];
        if (to == w->hidden)
          continue;
        /* the states alone do not tell these any more */
        run_record(run, run->m->nx + p->x + q);
        run_record(run, w->carrier[p->x + q]);
      }
  }
}

static bool is_pending(const Part *p) {
  bool any = false;
  for (int j = 0; j < p->contact.k; j++)
    any = any || !isnan(p->contact.limit[j]);
  return any;
}

void run_contact_finish(Run *run, const Scope *sc) {
  double *slope = run->d.r + run->m->nx;
  EACH_SEEN (run, sc, p) {
    /* pending: forces are added here, and what is shown meanwhile (run_contact_show) is the motion
     * without them */
    if (!is_pending(p))
      continue;
    memcpy(run->own.contact->plain + p->x, slope + p->x, (size_t)p->n * sizeof *slope);
    for (int q = p->x; q < p->x + p->n; q++)
      slope[q] += run->own.contact->hidden[q];
  }
}

const double *run_contact_hidden(const Run *run, const Part *p) {
  return is_pending(p) ? run->own.contact->hidden + p->x : NULL;
}

void run_contact_show(Run *run, const Scope *sc) {
  double *slope = run->d.r + run->m->nx;
  EACH_SEEN (run, sc, p)
    if (is_pending(p))
      memcpy(slope + p->x, run->own.contact->plain + p->x, (size_t)p->n * sizeof *slope);
}

void run_contact_push(Run *run) {
  run->d.push = NULL;
  for (int k = 0; k < run->n_parts && run->own.contact; k++) {
    contact_push(run, &run->parts[k], true);
    if (run->parts[k].contact.k)
      run->d.push = run->own.contact->push;
  }
}

/* s: steps were long before the bounces that led to the contacts made them short. */
static double slowest(const Run *run, const Part *p) {
  double tempo = run_tempo(run, p);
  for (int i = 0; i < p->contact.k; i++)
    tempo = fmax(tempo, run->own.contact->bounces[p->contact.relation[i]].tempo);
  return tempo;
}

/* Forces change so that z'' + 2*back*z' + back^2*z = 0 of all contacts: critically damped, so that
 * nothing swings about its surface. False: no forces do that. */
bool contact_add_forces(const Run *run, Contact *co, double back) {
  double more[CONTACT_MOST];
  for (int i = 0; i < co->k; i++)
    more[i] = -co->free[i] - back * (2 * co->rate[i] + back * co->z[i]);
  bool solved = contact_solve(run->own.contact, co->k, more);
  for (int i = 0; i < co->k && solved; i++)
    co->force[i] += more[i];
  return solved;
}

/* Forces that hold the contacts of the part, from its motion without them; then everything with
 * them. */
static int find_forces(Run *run, const Scope *sc, Part *p) {
  Contact *co = &p->contact;
  ContactWork *w = run->own.contact;
  double before[CONTACT_MOST];
  /* methods that keep a history cannot be set back after a step */
  double back = p->stepper && !stepper_is_one_step(p->stepper) ? slow / slowest(run, p) : 0;
  /* differences move the states, and leave values of other places behind */
  memcpy(w->block, run->block, run->block_size);
  memcpy(before, co->force, sizeof before);
  contact_take_jumps(run, p);
  int status = contact_measure(run, sc, p);
  w->frozen = false;
  memcpy(run->block, w->block, run->block_size);
  memset(co->force, 0, sizeof co->force);
  if (status != NUM_OK || !contact_add_forces(run, co, back)) {
    /* they are not known: the step is tried again with the old ones */
    memcpy(co->force, before, sizeof before);
    return contact_push(run, p, true), status != NUM_OK ? status : NUM_RETRY;
  }
  return contact_settle_forces(run, sc, p, back);
}

int run_contact_evaluate(Run *run, const Scope *sc, Part *p) {
  /* forces of the last evaluation must not act on the motion that tells the new ones */
  contact_push(run, p, false);
  /* nor need there be weights that keep that motion on its surfaces: it has those of the last step
   */
  run->own.contact->frozen = p->slide.k > 0;
  memcpy(p->slide.now, p->slide.a, sizeof p->slide.now);
  int status = p->slide.k ? run_slide_again(run, sc, p, DS_PART_DERIVATIVES)
                          : run_slide_motion(run, sc, p, DS_PART_DERIVATIVES);
  status = status == NUM_OK ? find_forces(run, sc, p) : status;
  run->own.contact->frozen = false;
  return status;
}

static RunStatus refuse_turning(Run *run, int k) {
  Text t = {.arena = run->a};
  text_real(&t, run->d.time);
  const DsPlace *p = &run->m->relations[k].place;
  Diag *d = diag_add(run->diags, D_R629, (Span){p->lo, p->hi},
                     "at time %s the surface of a contact has turned: in which direction its force "
                     "acts now is not known",
                     text_str(&t));
  diag_help(
      run->diags, d,
      "give the model a mode for the contact, whose equations bind the motion to the surface");
  return RUN_LIMIT;
}

/* To z = z' = 0, where everything was measured. */
static bool go_back(Run *run, const Part *p, double *x) {
  const Contact *co = &p->contact;
  ContactWork *w = run->own.contact;
  double z[CONTACT_MOST], rate[CONTACT_MOST];
  for (int i = 0; i < co->k; i++) {
    z[i] = -co->z[i];
    rate[i] = -co->rate[i];
  }
  /* the same matrix: how far along d z' changes by so much, and z by as much of what d changes in f
   */
  if (!contact_solve(w, co->k, z) || !contact_solve(w, co->k, rate))
    return false;
  for (int j = 0; j < co->k; j++) {
    const double *along = w->directions[j] + p->x;
    const double *turn = w->turns[j] + p->x;
    for (int q = 0; q < p->n; q++)
      x[q] += z[j] * turn[q] + rate[j] * along[q];
  }
  run->eval.current = NULL;
  return true;
}

void run_contact_correct(Part *p) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  if (p->contact.k && stepper_is_one_step(s) && run_at(p, s->t, s->x) == NUM_OK)
    go_back(run, p, s->x);
}

/* The direction of a contact force is that of the last jump, which is right as long as its surface
 * does not turn: on curved ground the force would do work. Only a jump of several states says how
 * the force would have to turn with it, and the model does not say that between events. */
RunStatus run_contact_check(Part *p) {
  static const double turned = 1e-3; /* rad */
  Run *run = p->run;
  ContactWork *w = run->own.contact;
  for (int i = 0; i < p->contact.k; i++) {
    int k = p->contact.relation[i], several = 0;
    for (int q = 0; q < p->n; q++)
      several += w->jumps[k][q] != 0;
    if (several < 2 || run_at(p, p->stepper->t, p->stepper->x) != NUM_OK)
      continue;
    contact_take_jumps(run, p);
    ContactMotion cm = motion_of(w);
    if (!run_contact_normal(run, &p->scope, &cm, &p->contact, i, w->x1))
      continue;
    bool first = !w->normals[k];
    if (first)
      w->normals[k] = NEW_ARRAY(run->a, double, run->m->nx + 1);
    for (int q = 0; q < run->m->nx; q++) {
      if (!first && fabs(w->x1[q] - w->normals[k][q]) > turned)
        return refuse_turning(run, k);
      w->normals[k][q] = first ? w->x1[q] : w->normals[k][q];
    }
  }
  return RUN_OK;
}

/* Methods without iteration need good Jacobians to keep their order. Newton's method gets by with
 * less, and takes more steps with long differences. */
double run_noise(void *part) {
  const Part *p = part;
  if (!p->stepper || !stepper_is_one_step(p->stepper))
    return 0;
  return p->contact.k ? force_noise : run_slide_noise(p->run, p);
}

/* ---- indicators ---- */

void run_contact_indicators(Run *run, Part *p) {
  Contact *co = &p->contact;
  for (int i = 0; i < co->k; i++) {
    int k = co->relation[i];
    /* the force is what is seen of the relation: positive while it pushes */
    bool up = run_compare(run->m->relations[k].op, 1) == (run->d.relation[k] != 0);
    run->rel->za[k] = up ? co->force[i] : -co->force[i];
    run->rel->zb[k] = 0;
    run->rel->size[k] = run->rel->terms[k] = fabs(co->force[i]);
  }
}

/* ---- what a relation makes jump ---- */

/* A pass, at the values stored: which states of the part are made to jump? */
static int pass_ahead(Run *run, const Scope *sc, const Part *p, bool *jumps) {
  run_forget_matrices(run, sc);
  /* the pass of a part reads what its sources are where they stand */
  int status = run_sources(run, sc);
  if (status == NUM_OK)
    status = run_evaluate(run, sc, DS_PART_EVENTS);
  if (status == NUM_OK)
    status = run_evaluate(run, sc, DS_PART_ACTIONS);
  for (int j = 0; j < p->n; j++) {
    jumps[j] = run->pass->reinit[p->x + j];
    run->own.contact->ahead[j] = jumps[j] ? run->pass->reinit_value[p->x + j] - run->d.r[p->x + j]
                                          : 0;
  }
  /* what was asked for is not meant to happen */
  memset(run->pass->reinit, 0, (size_t)run->m->nx);
  return status;
}

bool contact_any(const bool *jumps, int n) {
  bool any = false;
  for (int j = 0; j < n; j++)
    any = any || jumps[j];
  return any;
}

/* If the relation changed now, alone, in a motion against its jumps: which states would jump, into
 * w->acts? False if that is not known. */
bool contact_try_jump(Run *run, Part *p, int k) {
  ContactWork *w = run->own.contact;
  const Scope *sc = run->eval.scope; /* the values of the event have just been computed in it */
  RelationState *rs = &run->rel->state[k], kept = *rs;
  Failure failure = run->failure;
  int status = NUM_OK;
  memcpy(w->held, run->block, run->block_size);
  run->eval.ahead = true;
  side_follow(rs, PATH_CONTACT); /* it has the value that it is given */
  memset(w->acts, 0, (size_t)p->n * sizeof *w->acts);
  /* from both values: a jump may be made where it becomes true, or where it becomes false */
  for (int from = 0; from < 2 && status == NUM_OK && !contact_any(w->acts, p->n); from++) {
    /* a little into where it came from, so that what else the jump asks for has its sign */
    for (int j = 0; j < p->n; j++)
      run->d.r[p->x + j] -= far * run->scales->nominal[p->x + j] * w->jumps[k][j];
    run->d.relation[k] = from != 0;
    status = pass_ahead(run, sc, p, w->acts);
    /* its old value is what pre() gives */
    run_commit(run, sc);
    run->d.relation[k] = from == 0;
    if (status == NUM_OK)
      status = pass_ahead(run, sc, p, w->acts);
    memcpy(run->block, w->held, run->block_size);
  }
  /* none of this has happened */
  run->eval.ahead = false;
  *rs = kept;
  run->failure = failure;
  run->eval.current = NULL;
  run_forget_matrices(run, sc);
  return status == NUM_OK;
}

/* ---- where a contact ends ---- */

static void let_go(Run *run, Part *p, int i) {
  Contact *co = &p->contact;
  RelationState *rs = &run->rel->state[co->relation[i]];
  /* it begins on the side where the force has left it, not on the band */
  side_follow(rs, PATH_FREE);
  side_set_entry(rs, co->z[i]);
  co->changed = true;
  /* the contacts behind it close ranks */
  for (co->k--; i < co->k; i++) {
    co->relation[i] = co->relation[i + 1];
    co->limit[i] = co->limit[i + 1];
    co->z[i] = co->z[i + 1];
    co->rate[i] = co->rate[i + 1];
    co->free[i] = co->free[i + 1];
    co->force[i] = co->force[i + 1];
    co->band[i] = co->band[i + 1];
    co->leaves[i] = co->leaves[i + 1];
  }
  /* the force that has gone acts on no state any more */
  run_contact_push(run);
  run_slide_count(run);
}

/* A speed that an excursion inside of the band begins with does not count. */
static bool is_over(const Contact *co, int i) {
  /* an excursion that begins with z' goes z'^2/(2*z'') far */
  double least = sqrt(2 * fabs(co->free[i]) * co->band[i]);
  return co->leaves[i] || co->force[i] < 0 || fabs(co->rate[i]) > least ||
         fabs(co->z[i]) > 2 * co->band[i] + fabs(co->entry[i]);
}

/* Has what else the condition of the jump asks for gone, as where the floor has been opened? Once
 * in each event. */
static bool is_open(Run *run, Part *p, int k) {
  bool *asked = &run->own.contact->asked[k];
  if (*asked)
    return false;
  *asked = true;
  return contact_try_jump(run, p, k) && !contact_any(run->own.contact->acts, p->n);
}

bool run_contact_review(Run *run, Part *p) {
  Contact *co = &p->contact;
  bool any = false;
  /* from the last one on, because those behind a contact that goes move up */
  for (int i = co->k; i-- > 0;)
    if (is_over(co, i) || is_open(run, p, co->relation[i])) {
      if (!co->leaves[i])
        run_cause(run, RUN_CAUSE_EXIT, co->relation[i], NAN, NAN);
      let_go(run, p, i);
      any = true;
    }
  return any;
}

/* ---- where a contact begins ---- */

void run_tell_stop(Run *run, int k, double limit) {
  const DsPlace *p = &run->m->relations[k].place;
  diag_add(run->diags, D_R635, (Span){p->lo, p->hi},
           "the run ends where the events of this relation accumulate, at time %.9g, as asked for",
           limit);
}

double run_contact_next(const Run *run, const Part *p) {
  double next = run_spiral_next(p);
  for (int i = 0; i < p->contact.k; i++)
    next = fmin(next, isnan(p->contact.limit[i]) ? INFINITY : p->contact.limit[i]);
  (void)run;
  return next;
}

/* The state that the jumps at a relation move most. */
static int main_state(const Run *run, const Part *p, int relation) {
  const double *jump = run->own.contact->jumps[relation];
  int most = 0;
  for (int k = 1; jump && k < p->n; k++)
    most = fabs(jump[k]) > fabs(jump[most]) ? k : most;
  return p->x + most;
}

bool run_contact_open(Run *run, Part *p) {
  Contact *co = &p->contact;
  bool any = false;
  co->changed = false;
  for (int i = 0; i < co->k; i++) {
    int k = co->relation[i];
    /* asked anew in each event */
    run->own.contact->asked[k] = false;
    /* its force has changed sign; as a relation it has not fired */
    co->leaves[i] = run->rel->fired[k];
    co->entry[i] = co->z[i];
    side_set_surface(&run->rel->state[k], co->z[i]);
    if (run->rel->fired[k])
      run_cause(run, RUN_CAUSE_EXIT, k, co->force[i], NAN);
    run->rel->fired[k] = false;
    /* the rest of the sequence is over now: until here its force was hidden */
    if (!(co->limit[i] <= run->d.time))
      continue;
    any = true;
    co->limit[i] = NAN;
    run_contact_push(run);
    run->stats.contacts++;
    run_trace_rest(run, k, main_state(run, p, k));
    run_cause(run, RUN_CAUSE_CONTACT, k, co->force[i], NAN);
    if (run->options->zeno == NU_ZENO_STOP)
      run_end_by_model(run, &run->m->relations[k].place,
                       "events accumulate here, and the run was to end there");
  }
  return any;
}

/* The jumps lead nowhere but along the surface, or off it at first order: then there is no
 * contact. */
static bool can_hold(const Run *run, const Part *p) {
  const Contact *co = &p->contact;
  const ContactWork *w = run->own.contact;
  int k = co->k;
  double most = 0;
  /* relative to the strongest: what has no effect is not told from rounding otherwise */
  for (int i = 0; i < k * k; i++)
    most = fmax(most, fabs(w->matrix[i]));
  for (int i = 0; i < k; i++)
    if (!(fabs(w->matrix[i * k + i]) > weak * most) ||
        fabs(co->drift[i * CONTACT_MOST + i]) >
            weak * fabs(w->matrix[i * k + i]) * run_tempo(run, p))
      return false;
  return true;
}

/* To the surface: what the last jump moved by so much has no longer way to go, and where it has the
 * direction of the jump is none of this surface. */
static bool go_no_further(Run *run, Part *p, int k) {
  static const double further = 10;
  const ContactWork *w = run->own.contact;
  const Bounces *b = &w->bounces[k];
  double *x = run->d.r + p->x, size = b->n ? b->sizes[b->n - 1] : 0;
  bool near = true;
  memcpy(w->x1, x, (size_t)p->n * sizeof *x);
  if (!go_back(run, p, x))
    return false;
  for (int j = 0; j < p->n; j++)
    near = near && fabs(x[j] - w->x1[j]) <= further * (size + 1) * run->scales->atol[p->x + j];
  if (!near)
    memcpy(x, w->x1, (size_t)p->n * sizeof *x);
  return near;
}

/* The states take the values that the sequence ends in, and the contact holds. */
bool contact_hold(Run *run, Part *p, int k, double limit) {
  Contact *co = &p->contact;
  run->own.contact->crowded = run->own.contact->crowded || co->k == CONTACT_MOST;
  if (co->k == CONTACT_MOST)
    return false;
  int i = co->k++;
  co->relation[i] = k;
  co->limit[i] = limit;
  co->leaves[i] = false;
  co->entry[i] = co->force[i] = 0;
  /* the motion without forces is what tells whether one can hold it */
  contact_push(run, p, false);
  memcpy(run->own.contact->block, run->block, run->block_size);
  run->own.contact->frozen = p->slide.k > 0;
  contact_take_jumps(run, p);
  bool ok = contact_move(run, &p->scope, p, NULL) == NUM_OK &&
            contact_measure(run, &p->scope, p) == NUM_OK && can_hold(run, p);
  run->own.contact->frozen = false;
  memcpy(run->block, run->own.contact->block, run->block_size);
  ok = ok && go_no_further(run, p, k);
  /* a force pushes outwards; the relation has the value from there, so that what pushes against the
   * surface later makes it fire again */
  bool out = ok && run_compare(run->m->relations[k].op,
                               run->own.contact->matrix[i * co->k + i] > 0 ? 1 : -1);
  /* a contact that cannot be held is followed event by event, as before */
  co->k -= !ok;
  run_contact_push(run);
  if (!ok)
    return false;
  side_follow(&run->rel->state[k], PATH_CONTACT);
  run->own.contact->normals[k] = NULL;
  run->d.relation[k] = out;
  co->changed = true;
  p->events.ends = NAN;

  for (size_t q = 0; stepper_kind_at(q); q++)
    if (p->solver.made[q])
      p->solver.made[q]->p.autonomous = false; /* the surface may move */
  run_slide_count(run);
  return true;
}

/* ---- snapshots ---- */

void run_contact_keep(Run *run, Tape *t) {
  bool any = run->own.contact != NULL;
  tape_flag(t, &any);
  if (!any)
    return;
  ContactWork *w = contact_work(run);
  for (int k = 0; k < run->m->n_relations; k++) {
    Bounces *b = &w->bounces[k];
    tape_value(t, b->times);
    tape_value(t, b->sizes);
    tape_number(t, &b->n, 0, ZENO_EVENTS + 1);
    tape_value(t, b->tempo);
  }
  /* those of surfaces are found again */
  if (t->way == TAPE_READ)
    memset(w->normals, 0, (size_t)run->m->n_relations * sizeof *w->normals);
  /* directions exist only for relations that have made a jump */
  for (int p = 0; p < run->n_parts; p++)
    for (int q = 0; q < run->parts[p].scope.n_relations; q++) {
      int k = run->parts[p].scope.relations[q];
      bool has = w->jumps[k] != NULL;
      tape_flag(t, &has);
      if (has && !w->jumps[k])
        w->jumps[k] = NEW_ARRAY(run->a, double, run->parts[p].n + 1);
      if (has)
        tape_array(t, w->jumps[k], run->parts[p].n);
    }
}
