/* run/mixed.c -- mixed systems of the model: relations that depend on the unknowns of the equations
 * which they switch.
 * How:  numeric/mixed.c searches; here one of its combinations becomes values of relations, and the
 *       sides of these become what it wants to know. Integers and Booleans in the loop follow each
 *       solution. Where no combination agrees, the crossing that made the event may count for one
 *       pass; else the combination with the fewest contradictions is told, and why.
 * Keep: a combination whose linear equations contradict each other is no failure here (see
 *       run->eval.in_mixed). */
#include "run/trials.h"
#include "run/code.h"
#include "run/core.h"
#include "run/instant.h"
#include "run/linear.h"
#include "run/pass.h"
#include "run/relations.h"
#include "run/rows.h"
#include "run/workspace.h"
#include "base/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  Run *run;
  const DsMixed *g;
  int (*f)(DsData *d);
  bool fired_keep; /* relations that made this event have their new side, whatever it leads to */
} System;

/* In such a search: does relation k have the side that it has crossed to? */
static bool keeps(const System *sy, int k) {
  return sy->fired_keep && sy->run->rel->state[sy->g->relations[k]].crossed;
}

/* A number that tells the values of Integers, Booleans and Strings apart. */
static uint64_t hash_wholes(const System *sy) {
  const DsData *d = &sy->run->d;
  uint64_t h = 1469598103934665603u;
  for (int k = 0; k < sy->g->n_integers; k++)
    h = (h ^ (uint64_t)d->i[sy->g->integers[k]]) * 1099511628211u;
  for (int k = 0; k < sy->g->n_strings; k++) {
    const char *text = d->s[sy->g->strings[k]];
    do
      h = (h ^ (unsigned char)*text) * 1099511628211u;
    while (*text++);
  }
  return h;
}

/* How far inside the side `true` the relation is. */
static double side_of(const Run *run, int k) {
  /* the sign says whether the relation agrees, the size by how much */
  double z = run->mixed->a[k] - run->mixed->b[k];
  switch ((DsCompare)run->m->relations[k].op) {
  case DS_LT:
  case DS_LE: return -z;
  case DS_GT:
  case DS_GE: return z;
  case DS_EQ:
  case DS_NE: break;
  }
  return NAN;
}

static int solve(void *user, const unsigned char *m, MixedTrial *t) {
  System *sy = user;
  Run *run = sy->run;
  const DsMixed *g = sy->g;
  uint64_t before = hash_wholes(sy);
  /* the combination on trial is what the equations see */
  for (int k = 0; k < g->n_relations; k++)
    run->d.relation[g->relations[k]] = m[k];
  run->eval.contradiction = run->eval.met_singular = run->failure.any = false;
  /* another combination switches other equations: their factors are not known */
  run_forget_matrices(run, run->eval.scope);
  int status = sy->f(&run->d);
  for (int k = 0; k < g->n_relations && status == DS_OK; k++) {
    int r = g->relations[k];
    t->next[k] = run->d.relation_new[r];
    t->near[k] = run->mixed->near[r];
    t->s[k] = side_of(run, r);
    if (keeps(sy, k))
      t->next[k] = run->mixed->first[k], t->near[k] = false, t->s[k] = NAN;
  }
  t->contradiction = run->eval.contradiction;
  t->singular = run->eval.met_singular;
  t->others = hash_wholes(sy);
  t->moved = t->others != before;
  return status;
}

/* Has the run been cancelled, or its time been used up? Told after the evaluation. */
static bool stop(void *user) {
  const Run *run = ((const System *)user)->run;
  const RunOptions *o = run->options;
  return (o->cancel && atomic_load(o->cancel)) ||
         (o->time_limit > 0 && run_clock() - run->out->clock_start > o->time_limit);
}

/* The relations that the best combination contradicts go with the failure; the first one is its
 * place. */
static int unsettled(System *sy, const unsigned char *m, MixedEnd end) {
  Run *run = sy->run;
  const MixedTrial *t = mixed_trial(run->work->search);
  const DsMixed *g = sy->g;
  Failure f = {.any = true, .code = D_R607, .block = -1, .worst = -1};
  for (int k = 0; k < g->n_relations; k++) {
    /* only those that contradict, as many as are shown */
    if (m[k] == t->next[k] || f.n_flips == SHOWN_FLIPS)
      continue;
    int r = g->relations[k];
    f.flips[f.n_flips++] = (RelationFlip){r, m[k], run->mixed->a[r], run->mixed->b[r]};
  }
  f.place = f.n_flips ? run->m->relations[f.flips[0].relation].place : g->place;
  if (!g->n_relations)
    snprintf(f.text, sizeof f.text,
             "event iteration does not settle: discrete variables and the equations which they "
             "switch change each other again and again");
  else
    snprintf(f.text, sizeof f.text,
             "event iteration does not settle: %s %d relation%s agree%s with the equations that %s "
             "(%llu tried)",
             end == MIXED_STOPPED ? "none of the values tried for" : "no values of", g->n_relations,
             g->n_relations == 1 ? "" : "s", "",
             g->n_relations == 1 ? "it switches" : "they switch",
             (unsigned long long)mixed_solves(run->work->search));
  run->failure = f;
  return DS_RETRY;
}

static MixedEnd try_all(System *sy, unsigned char *m) {
  Run *run = sy->run;
  MixedProblem p = {.n = sy->g->n_relations,
                    .user = sy,
                    .solve = solve,
                    .stop = stop,
                    .most = run->eval.ahead ? MOST_COMBINATIONS_AHEAD : MOST_COMBINATIONS,
                    .rank = run->eval.ahead};
  memcpy(m, run->mixed->first, (size_t)p.n);
  return mixed_solve(run->work->search, &p, m);
}

/* Nothing agrees with the side that a relation of the loop has crossed to, nor with the one before:
 * a torque breaks a clutch loose, and is less than what that takes as soon as the clutch slides;
 * that it slides is what the next pass remembers (pre). So the crossing counts for this pass, and
 * the others agree with it. The next pass must do without that: if this one changes nothing that
 * is remembered there is no next one, and no solution. */
static bool let_fired_keep(System *sy, unsigned char *m) {
  Run *run = sy->run;
  const DsRelation *fired = NULL;
  sy->fired_keep = run->instant && run->instant->is_event && !run->eval.ahead && !run->d.initial;
  for (int k = sy->g->n_relations; k-- > 0;)
    if (keeps(sy, k))
      fired = &run->m->relations[sy->g->relations[k]];
  if (!fired)
    return false;
  MixedEnd end = try_all(sy, m);
  if ((end != MIXED_OK && end != MIXED_LIMIT) || !run_discrete_changed(run->instant))
    return false;
  run->failure.any = false;
  run->pass->taken_back = true;
  if (!run->warning.any)
    run_note(&run->warning, D_R636, &fired->place,
             "what follows from this crossing takes it back; it counts for one pass of the event");
  return true;
}

static int search(DsData *d, int system, int (*f)(DsData *d)) {
  Run *run = d->run;
  System sy = {.run = run, .g = &run->m->mixed[system], .f = f};
  unsigned char *m = run->mixed->values;
  bool outer = run->eval.in_mixed, many = run->eval.many;
  /* the search begins where the system is: the nearest solution is meant */
  for (int k = 0; k < sy.g->n_relations; k++)
    run->mixed->first[k] = d->relation[sy.g->relations[k]];
  /* a contradiction on trial is no failure */
  run->eval.in_mixed = true;
  MixedEnd end = try_all(&sy, m);
  bool none = end == MIXED_NONE || end == MIXED_STOPPED;
  int status = end == MIXED_FATAL                       ? DS_FATAL
               : !none                                  ? DS_OK
               : mixed_trial(run->work->search)->failed ? DS_RETRY
                                                        : unsettled(&sy, m, end);
  Failure failure = run->failure;
  if (none && let_fired_keep(&sy, m))
    status = DS_OK;
  else
    run->failure = failure;
  run->eval.in_mixed = outer;
  run->eval.contradiction = false;
  run->eval.many = many || run->eval.met_singular; /* trials that were given up do not count */
  return status;
}

int run_mixed(DsData *d, int system, int (*f)(DsData *d)) {
  const DsModel *m = ((const Run *)d->run)->m;
  /* the simplified form of the model shows which of several solutions is meant */
  if (d->initial && m->homotopy >= 0) {
    d->r[m->homotopy] = 0;
    search(d, system, f);
    d->r[m->homotopy] = 1;
  }
  return search(d, system, f);
}
