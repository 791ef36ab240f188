#pragma once
/* run/relations.h -- what the run knows about relations: their values at the ends of a step, the
 * memory of each, the width of its band. */
#include "run/core.h"
#include "run/side.h"

#include <float.h>
#include <math.h>

/* Arrays: per relation. */
struct Relations {
  RelationState *state;
  bool monitored; /* some relation makes state events */
  bool *fired;
  double *instants; /* of timed ones */
  /* a and b at the last look (run_indicators), a - b = 1 for timed relations; how large they are */
  double *za, *zb, *size, *terms;
  /* a - b at the start of the step, of the step before; at both ends of a search, inside of it */
  double *z_start, *z_before, *z_lo, *z_hi, *z_between;
  double *window; /* five times a - b of all relations: see locate.c */
  double
      *size_past; /* two each: the largest size up to the start of the step, see run_size_lately */
  /* Sign of za - zb that agrees with the value since the last event; 0: more than one does, or
   * none */
  double *side;
  double *side_a, *side_b;        /* its two sides when a pass last compared them */
  struct RunIsolation *isolation; /* isolate.h */
};

/* Half the width of the band around a relation, from the size of what it compares and the sum of
 * its terms (DsModel.sizes). */
static inline double run_band_of(const Run *run, double size, double terms) {
  double rtol = run->goal.rtol > 1e-12 ? run->goal.rtol : 1e-12;
  return run_tolerances.band * rtol * size + run_tolerances.rounding * DBL_EPSILON * terms;
}

/* Where the past of relation k is kept. If what it switches may switch its own sides, volts on one
 * branch of a curve and amperes on the other, each of its values has a past of its own. */
static inline double *run_size_place(const Run *run, int k) {
  const DsRelation *rel = &run->m->relations[k];
  bool by_value = rel->mixed || (run->m->n_conditions && !rel->direct);
  return &run->rel->size_past[2 * k + (by_value && run->d.relation[k])];
}

/* A value that relation k has never had through a step has no past: there its sides are as large as
 * with the other value, unless they are unknowns of a system with it. */
static inline double run_size_before(const Run *run, int k) {
  double *past = run_size_place(run, k);
  return *past > 0 || run->m->relations[k].mixed ? *past
                                                 : run->rel->size_past[2 * k + !run->d.relation[k]];
}

/* The largest size so far: near 0, what is compared is small but not fine. Nothing is forgotten,
 * neither as steps go by, for that would make relations finer the more rows are asked for, nor as
 * modes come and go: where all voltages pass through 0 together, only the past knows how large they
 * are. */
static inline double run_size_lately(const Run *run, int k, double now) {
  return fmax(now, run_size_before(run, k));
}

/* Half the width of the band around relation k where run_indicators has last looked at it. Weights
 * of a motion that slides, and forces of a contact, which stand in place of its sides then, have no
 * past. */
static inline double run_band(const Run *run, int k) {
  double size = run->rel->state[k].path != PATH_FREE ? run->rel->size[k]
                                                     : run_size_lately(run, k, run->rel->size[k]);
  return run_band_of(run, size, run->rel->terms[k]);
}

void run_relations_allocate(Run *run);

/* locate.c */

/* After a good trial step: is there an event in it? Then *theta is where, and run->fired says which
 * relations. */
int run_locate(Part *p, double *theta);
/* |a - b| in that part of the step, in widths of the band; 0: unknown */
double run_side_at(Part *p, int k, double theta);
/* What was found in the step is forgotten: another one is made in its place */
void run_locate_again(Part *p);
bool run_triggered(const Run *run, int k, double a, double b);
/* The first relation that has fired at the present za, zb; -1 if none */
int run_first_triggered(const Run *run, const Scope *sc);
void run_pass_sides(Part *p); /* the end of the step becomes the start of the next */
void run_hold_sides(
    Run *run, const Scope *sc); /* relations have the values that they keep until the next event */
int run_sides(Run *run, const Scope *sc); /* za and zb at the present values */
int run_indicators(Run *run, const Scope *sc,
                   double *z);                   /* the same, how large they are, and z = a - b */
void run_begin_sizes(Run *run, const Scope *sc); /* a step begins here */
