/* run/host.c -- what the runtime does for a model while it is evaluated (DsHost).
 * Keep: these functions are called from generated code. They do not allocate from arenas; what goes
 *       wrong is written down in run->failure or run->warning and told when the model is no longer
 *       on the stack. */
#include "run/host.h"
#include "run/core.h"
#include "run/direction.h"
#include "run/evaluate.h"
#include "run/external.h"
#include "run/guess.h"
#include "run/instant.h"
#include "run/linear.h"
#include "run/memory.h"
#include "run/trials.h"
#include "run/part.h"
#include "run/pass.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/starts.h"
#include "run/tell.h"
#include "run/tolerances.h"
#include "run/values.h"
#include "run/workspace.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that the code may need before anything settles: see RunTolerances. */
const RunTolerances run_tolerances = {.band = 1e-4,
                                      .rounding = 8,
                                      .same = 16,
                                      .instant = 8,
                                      .left = 2,
                                      .joined = 1000,
                                      .probe = 1e-4,
                                      .first = 2e-3,
                                      .micro = 3,
                                      .narrow = 4,
                                      .dense = 0.01,
                                      .crowd_span = 4,
                                      .most_passes = 1000 * 1000,
                                      .together = 8,
                                      .redundant = 1e-6,
                                      .outside = 10,
                                      .small_state = 0.1,
                                      .least_atol = 1000,
                                      .contradiction = 1e-8};

const long long run_fuel = MOST_RUN_STEPS;
static const double strict_noise = 1e-11; /* 1: see NewtonOptions */
/* Unknowns below this part of their nominal value, or of 1, count as small */
static const double small_part = 1e-4;

static Run *run_of(DsData *d) { return d->run; }

void run_note(Failure *f, DiagCode code, const DsPlace *place, const char *text) {
  /* not all of it: mixed systems come here in every trial that contradicts itself */
  f->any = true, f->code = code, f->block = f->worst = -1, f->residual = 0;
  f->place = place ? *place : (DsPlace){0};
  memset(f->start, 0, sizeof f->start), memset(f->last, 0, sizeof f->last),
      memset(f->size, 0, sizeof f->size);
  size_t n = text ? strnlen(text, sizeof f->text - 1) : 0;
  memcpy(f->text, text ? text : "", n);
  f->text[n] = 0;
}

int run_evaluate_partials(Run *run, double *p) {
  run_begin_evaluation(run);
  int status = run->m->tangent->evaluate(&run->d, p);
  run_end_evaluation(run);
  return status;
}

bool run_all_finite(const double *v, int n) {
  /* four sums that do not wait for each other */
  double sum[4] = {0};
  int k = 0;
  for (; k + 4 <= n; k += 4)
    for (int q = 0; q < 4; q++)
      sum[q] += 0 * v[k + q];
  for (; k < n; k++)
    sum[0] += 0 * v[k];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

void run_commit(Run *run, const Scope *sc) {
  DsData *d = &run->d;
  run_forget_matrices(run, sc);
  if (!sc || sc->all) {
    memcpy(d->r_pre, d->r, (size_t)run->m->n_real * sizeof *d->r);
    memcpy(d->i_pre, d->i, (size_t)run->m->n_integer * sizeof *d->i);
    memcpy(d->s_pre, d->s, (size_t)run->m->n_string * sizeof *d->s);
    return;
  }
  for (int k = 0; k < sc->n_seen; k++) {
    const DsPart *p = &run->m->parts[sc->seen[k]];
    memcpy(d->r_pre + p->x, d->r + p->x, (size_t)p->n_x * sizeof *d->r);
    memcpy(d->r_pre + run->m->nx + p->x, d->r + run->m->nx + p->x, (size_t)p->n_x * sizeof *d->r);
    memcpy(d->r_pre + p->r, d->r + p->r, (size_t)p->n_r * sizeof *d->r);
    memcpy(d->i_pre + p->i, d->i + p->i, (size_t)p->n_i * sizeof *d->i);
    memcpy(d->s_pre + p->s, d->s + p->s, (size_t)p->n_s * sizeof *d->s);
  }
}

/* ---- systems of equations ---- */

typedef struct {
  DsData *d;
  const int *places;
  int n;
  DsResidual *f;
} Residual;

static int residual(void *user, const double *z, double *f, double *a) {
  const Residual *r = user;
  for (int k = 0; k < r->n; k++)
    r->d->r[r->places[k]] = z[k];
  return r->f(r->d, f, a);
}

static const char *newton_text(NewtonResult r) {
  switch (r) {
  case NEWTON_OK: break;
  case NEWTON_SINGULAR: return "a nonlinear system of equations has a singular Jacobian";
  case NEWTON_STUCK:
    return "Newton's method finds no solution of a nonlinear system of equations: no step reduces "
           "its error";
  case NEWTON_TOO_LONG:
    return "Newton's method does not converge on a nonlinear system of equations";
  case NEWTON_BAD_POINT:
    return "a nonlinear system of equations cannot be evaluated at its starting point";
  case NEWTON_FATAL: return "a nonlinear system of equations cannot be evaluated";
  }
  return "";
}

static void set_lambda(void *user, double lambda) {
  DsData *d = ((const Residual *)user)->d;
  d->r[run_of(d)->m->homotopy] = lambda;
}

/* The model's own homotopy, if it has one: it says which of several solutions is meant. Where it
 * leads to none, that is remembered until a later pass finds its way (run_tell_paths). */
static NewtonResult along_path(Run *run, int block, const NewtonProblem *p, const NewtonOptions *o,
                               double *z) {
  NewtonProblem open = *p;
  open.low = open.high = NULL, open.set_lambda = set_lambda;
  NewtonResult r = path_solve(&open, o, PATH_MODEL, z, run->work->newton);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < run->starts->off_path.n; k++)
    if (run->starts->off_path.at[k] != block)
      run->starts->off_path.at[kept++] = run->starts->off_path.at[k];
  run->starts->off_path.n = kept;
  if (r != NEWTON_OK)
    vec_push(run->a, &run->starts->off_path, block);
  return r;
}

static NewtonResult rescue(Run *run, const NewtonProblem *p, const int *places, int block,
                           bool homotopy, const double *start, double *z) {
  int n = p->n;
  double *size = run->work->lsq, *low = size + n, *high = low + n;
  for (int k = 0; k < n; k++) {
    double nominal = run->scales->nominals[places[k]];
    size[k] = nominal != 0 && isfinite(nominal) ? fabs(nominal) : 1;
    low[k] = run->scales->low[places[k]], high[k] = run->scales->high[places[k]];
  }
  NewtonProblem wide = *p;
  wide.size = size, wide.low = low, wide.high = high;
  /* near a corner a point may look like a solution within rounding; that is only believed when
   * nothing else is found */
  NewtonOptions strict = newton_defaults;
  strict.noise = strict_noise;
  if (homotopy && along_path(run, block, &wide, &strict, z) == NEWTON_OK)
    return NEWTON_OK;
  for (int k = 0; k < n && homotopy; k++)
    z[k] = start[k];
  NewtonResult r = rescue_solve(&wide, &strict, z, run->work->newton);
  if (r == NEWTON_OK || r == NEWTON_FATAL)
    return r;
  memcpy(high, z, (size_t)n * sizeof *z);
  for (int k = 0; k < n; k++)
    z[k] = start[k];
  if (newton_solve(p, &newton_defaults, z, run->work->newton) == NEWTON_OK)
    return NEWTON_OK;
  memcpy(z, high, (size_t)n * sizeof *z);
  p->f(p->user, z, run->work->newton, NULL);
  return r;
}

static void note_newton(Run *run, int block, NewtonResult result, const NewtonProblem *p,
                        const double *start, const double *z) {
  Failure *f = &run->failure;
  run_note(f, D_R606, NULL,
           run->eval.rescue
               ? "no method finds a solution of a nonlinear system of equations (Newton, "
                 "least squares, homotopy)"
               : newton_text(result));
  f->block = block;
  f->worst = newton_worst(run->work->newton, p->n);
  f->residual = run->work->newton[f->worst];
  for (int k = 0; k < p->n && k < SHOWN_UNKNOWNS; k++)
    f->start[k] = start[k], f->last[k] = z[k], f->size[k] = p->scale[k];
}

void run_keep_guess(Part *p) {
  Run *run = p->run;
  for (int k = 0; k < p->n_iterated; k++)
    run->guess->value[p->iterated[k]] = run->d.r[p->iterated[k]];
}

void run_take_guess(const Part *p) {
  const Run *run = p->run;
  for (int k = 0; k < p->n_iterated; k++)
    run->d.r[p->iterated[k]] = run->guess->value[p->iterated[k]];
}

static void remember_place(Run *run, int place) {
  if (run->guess->is_iterated[place])
    return;
  run->guess->is_iterated[place] = true;
  if (run->guess->owner[place] < 0)
    return;
  Part *p = &run->parts[run->guess->owner[place]];
  run->guess->value[place] = run->d.r[place];
  p->iterated[p->n_iterated++] = place;
}

static int newton(DsData *d, int block, int n, const int *places, DsResidual *f, int exact) {
  Run *run = run_of(d);
  double *z = d->work, *scale = d->work + n, *keep = d->work + 2 * n;
  for (int k = 0; k < n; k++) {
    double nominal = run->scales->nominals[places[k]];
    /* what is solved at events only is no guess for the time between them, but a value that holds
     * there */
    if (run->m->blocks[block].solved != DS_SOLVED_AT_EVENTS)
      remember_place(run, places[k]);
    z[k] = keep[k] = d->r[places[k]];
    scale[k] = nominal != 0 && isfinite(nominal) ? fmin(fabs(nominal), 1) * small_part : small_part;
  }
  Residual r = {d, places, n, f};
  NewtonProblem p = {.n = n, .f = residual, .user = &r, .exact = exact != 0, .scale = scale};
  /* where the model says how to get to the solution that is meant, that way comes first */
  bool homotopy = d->initial && run->m->blocks[block].homotopy && d->r[run->m->homotopy] == 1;
  NewtonResult result = homotopy ? NEWTON_STUCK
                                 : newton_solve(&p, &newton_defaults, z, run->work->newton);
  if (result != NEWTON_OK && result != NEWTON_FATAL && run->eval.rescue) {
    memcpy(z, keep, (size_t)n * sizeof *z);
    result = rescue(run, &p, places, block, homotopy, keep, z);
  }
  bool ok = result == NEWTON_OK;
  if (!ok && (!run->failure.any || result != NEWTON_BAD_POINT))
    note_newton(run, block, result, &p, keep, z);
  if (ok)
    run_open_newton(run, block, &p, z);
  for (int k = 0; k < n; k++)
    d->r[places[k]] = ok ? z[k] : keep[k];
  /* what the function computes on its way belongs to the solution, too */
  if (ok)
    return f(d, run->work->newton, 0);
  return result == NEWTON_FATAL ? DS_FATAL : DS_RETRY;
}

/* ---- relations ---- */

bool run_compare(int op, double z) {
  switch (op) {
  case DS_LT: return z < 0;
  case DS_LE: return z <= 0;
  case DS_GT: return z > 0;
  case DS_GE: return z >= 0;
  case DS_EQ: return z == 0;
  case DS_NE: return z != 0;
  }
  return false;
}

/* Which way do these two sides go, if their direction was looked at in this instant? The last look
 * counts: a jump of a speed may have turned them. 0: it was not. */
static int turned(const Run *run, double a, double b, double rounding) {
  for (uint32_t k = run->instant->turns.n; k-- > 0;) {
    const RunTurn *t = &run->instant->turns.at[k];
    if (fabs(t->a - a) <= rounding && fabs(t->b - b) <= rounding)
      return t->sign;
    if (fabs(t->a - b) <= rounding && fabs(t->b - a) <= rounding)
      return -t->sign;
  }
  return 0;
}

/* The two sides of a relation, and how large what they come from is. */
typedef struct {
  double a, b, size, terms;
} Sides;

static Sides sides_of(double a, double b, double size, double terms) {
  bool known = size >= 0 && terms >= 0 && isfinite(size) && isfinite(terms);
  double most = fmax(fabs(a), fabs(b));
  return known ? (Sides){a, b, size, terms} : (Sides){a, b, most, most};
}

/* Where equations change, errors of the integration are in what was 0 before, or is 0 in another
 * mode. */
static double event_band(const Run *run, int k, const Sides *s) {
  bool wide = run->m->n_conditions && (run->instant->changed_mode || run->rel->state[k].crossed);
  double size = run_size_lately(run, k, s->size), band = run_band_of(run, size, s->terms);
  return wide ? fmax(band, run->goal.rtol * size) : band;
}

/* At an event: as it stands, but a relation on its band that no jump has moved keeps its side,
 * unless it left it for a while in this instant. In a mixed system the value on trial stays there,
 * because its sign is noise. During initialisation: as it stands, sides that differ by rounding
 * being equal. A time event gives the time and
 * its instant as a and b; in an event at or after the instant it counts as passed. */
static bool compare(DsData *d, int k, const Sides *s, bool mixed) {
  double a = s->a, b = s->b;
  const Run *run = run_of(d);
  const DsRelation *rel = &run->m->relations[k];
  /* a Dirac pulse in the difference of its sides decides */
  if (run->pass->has_pulses && run->pass->relation_area[k] != 0)
    return run_compare(rel->op, run->pass->relation_area[k]);
  double z = rel->timed && !rel->rising ? b - a : a - b,
         rounding = run_tolerances.same * DBL_EPSILON * s->terms;
  /* at the start nothing says which side of its limit it came from: rounding must not */
  bool equal = d->initial && !rel->timed && fabs(z) <= rounding,
       value = run_compare(rel->op, equal ? 0 : z);
  if (run->instant->is_event && rel->timed) {
    bool passed = d->terminal ? a > b : a >= b; /* what is due at the very end does not happen */
    value = run_compare(rel->op, passed == (rel->rising != 0) ? 1 : -1);
  } else if (!d->initial && !rel->timed) {
    const RelationState *rs = &run->rel->state[k];
    double band = event_band(run, k, s);
    /* a motion that slides is on the surface, however the last digits are, until a jump leads
     * away */
    if (rs->path != PATH_FREE && (isnan(rs->surface) || fabs(z - rs->surface) <= band))
      return d->relation[k] != 0;
    if (!(fabs(z) <= band))
      return value;
    if (run->m->n_conditions && run->instant->is_event)
      /* Its sides may be others in each mode: where nothing can be told nothing changes */
      return d->relation[k] != 0;
    if (rs->begin == BEGIN_WAITS && run->instant->is_event)
      return d->relation[k] != 0;
    /* in a mixed system the sides that it was turned to make values of their own */
    bool still = fabs(z - rs->entry) <= rounding || (rs->flipped && rel->mixed);
    if (still)
      return mixed || (d->relation[k] != 0) == rs->side ? d->relation[k] != 0 : value;
    int way = mixed || run->eval.ahead ? 0 : turned(run, a, b, rounding);
    return way ? run_compare(rel->op, way) : value;
  }
  return value;
}

static void keep_sides(Run *run, int k, double a, double b) {
  if (!run->eval.ahead)
    run->rel->side_a[k] = a, run->rel->side_b[k] = b;
}

static void relation(DsData *d, int k, double a, double b, double size, double terms) {
  keep_sides(run_of(d), k, a, b);
  Sides s = sides_of(a, b, size, terms);
  d->relation[k] = compare(d, k, &s, false);
}

static void propose(DsData *d, int k, double a, double b, double size, double terms) {
  Run *run = run_of(d);
  keep_sides(run, k, a, b);
  Sides s = sides_of(a, b, size, terms);
  d->relation_new[k] = compare(d, k, &s, true);
  run->mixed->a[k] = a, run->mixed->b[k] = b;
  double band = run_band_of(run, run_size_lately(run, k, s.size), s.terms);
  run->mixed->near[k] = !run->m->relations[k].timed && fabs(a - b) <= band;
}

/* ---- actions ---- */

static void reinit(DsData *d, int state, double value) {
  Run *run = run_of(d);
  if (d->initial)
    return;
  run->pass->reinit[state] = 1;
  run->pass->reinit_value[state] = value;
}

static void terminate(DsData *d, const DsPlace *at, const char *message) {
  if (!run_of(d)->eval.ahead) /* a look ahead is no event */
    run_end_by_model(run_of(d), at, message);
}

static int violated(DsData *d, const DsPlace *at, const char *message, int level) {
  Run *run = run_of(d);
  if (level == 1) {
    if (!run->warning.any)
      run_note(&run->warning, D_R608, at, message);
    return DS_OK;
  }
  run_note(&run->failure, D_R605, at, message);
  return DS_RETRY;
}

static int fail(DsData *d, const DsPlace *at, const char *message) {
  run_note(&run_of(d)->failure, D_R606, at, message);
  return DS_RETRY;
}

static int overflow(DsData *d, const DsPlace *at) {
  run_note(&run_of(d)->failure, D_R626, at, "an Integer does not fit into 64 bits");
  return DS_RETRY;
}

static int out_of_range(DsData *d, const DsPlace *at, long long i, long long n) {
  char text[100];
  snprintf(text, sizeof text, "subscript %lld is out of range 1:%lld", i, n);
  return fail(d, at, text);
}

static int misfit(DsData *d, const DsPlace *at, long long a, long long b) {
  char text[100];
  snprintf(text, sizeof text, "array sizes %lld and %lld do not fit", a, b);
  return fail(d, at, text);
}

const DsHost run_host = {
    .linear = run_linear,
    .newton = newton,
    .relation = relation,
    .propose = propose,
    .mixed = run_mixed,
    .delay = run_delay,
    .transport = run_transport,
    .reinit = reinit,
    .terminate = terminate,
    .violated = violated,
    .fail = fail,
    .cells = run_cells,
    .text_real = run_text_real,
    .text_integer = run_text_integer,
    .text_join = run_text_join,
    .room = run_room,
    .out_of_range = out_of_range,
    .misfit = misfit,
    .format_real = run_format_real,
    .format_integer = run_format_integer,
    .text_pad = run_text_pad,
    .object = run_add_object,
    .object_at = run_object,
    .foreign = run_foreign,
    .overflow = overflow,
    .rounding = run_rounding,
};
