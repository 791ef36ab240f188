/* run/open.c -- systems of equations whose equations do not determine all of their unknowns: which
 * ones, told once (R624).
 * How:  whoever solves a system says whether its matrix was singular, and how much of each unknown
 *       lies in the null space. That is told when a row of the result holds the values, not when
 *       they are on trial.
 * Keep: called from generated code, nothing here allocates but run_open_allocate and
 * run_open_tell. */
#include "run/core.h"
#include "run/linear.h"
#include "run/singular.h"
#include "run/values.h"
#include "run/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1: of an unknown, in units of its weight, that lies in the null space of a matrix of 1 */
static const double least_share = 1e-6;

struct RunOpen {
  /* Per block: its unknowns did not follow from its equations when it was solved last */
  bool *now;
  bool *tested; /* per block: nonlinear, and its matrix was looked at */
  bool **moved; /* per block: which of its iterated unknowns */
  int n_now;
};

void run_open_allocate(Run *run) {
  const DsModel *m = run->m;
  RunOpen *op = run->work->open = NEW(run->a, RunOpen);
  op->now = NEW_ARRAY(run->a, bool, m->n_blocks + 1);
  op->tested = NEW_ARRAY(run->a, bool, m->n_blocks + 1);
  op->moved = NEW_ARRAY(run->a, bool *, m->n_blocks + 1);
  for (int k = 0; k < m->n_blocks; k++)
    op->moved[k] = NEW_ARRAY(run->a, bool, m->blocks[k].n_iterated + 1);
  /* one list for all structures: a variable is told once in a run */
  if (!run->singular->told)
    run->singular->told = NEW_ARRAY(run->a, bool, 2 * (size_t)m->n_variables + 1);
}

void run_open_closed(Run *run, int block) {
  if (run->work->open->now[block]) {
    run->work->open->now[block] = false;
    run->work->open->n_now--;
  }
}

void run_open_found(Run *run, int block, const double *parts) {
  RunOpen *op = run->work->open;
  bool any = false;
  /* a small part is rounding of the null vector */
  for (int k = 0; k < run->m->blocks[block].n_iterated; k++)
    any |= op->moved[block][k] = parts[k] > least_share;
  if (any && !op->now[block]) {
    op->now[block] = true;
    op->n_now++;
  }
}

/* ---- nonlinear systems ---- */

typedef struct {
  Lsq q;
  int *pivot;
  double *a, *f, *next, *null, *parts, *trial; /* a: n*n; else n each */
} NullLook;

/* From a point along the null vector there is a way back to a solution that is none to the first
 * one: so it is no double root. */
static bool goes_on(const NewtonProblem *p, const double *z, const NullLook *l) {
  /* 1: of the size of an unknown; of what the slopes of an equation make of that */
  static const double away = 1e-3, holds = 1e-6;
  enum { CORRECTIONS = 4 }; /* each leaves a part `away` of the error */
  double step = 0;
  bool there = false;
  /* along the null vector, as far as unknowns are large */
  for (int k = 0; k < p->n; k++) {
    double by = away * l->null[k] * fmax(fabs(z[k]), 1);
    l->trial[k] = z[k] + by;
    step = fmax(step, fabs(by));
  }
  /* Newton's method with the factors at z: what was open comes back to another point */
  for (int round = 0; round <= CORRECTIONS && !there; round++) {
    if (p->f(p->user, l->trial, l->f, NULL) != NUM_OK)
      return false;
    there = true;
    for (int k = 0; k < p->n; k++)
      there = there && fabs(l->f[k]) <= holds * l->q.rows[k] * step;
    lsq_apply(&l->q, l->f, l->next);
    for (int k = 0; k < p->n && !there; k++)
      l->trial[k] -= l->f[k];
  }
  /* back at z it was a double root */
  double left = 0;
  for (int k = 0; k < p->n; k++)
    left = fmax(left, fabs(l->trial[k] - z[k]));
  return there && left >= step / 2;
}

/* The null vectors of the Jacobian along which nothing happens. */
static void look(Run *run, int block, const NewtonProblem *p, double *z, NullLook *l) {
  size_t n = (size_t)p->n, bytes = n * n * sizeof *l->a;
  int where = 0;
  if (newton_evaluate(p, z, l->f, l->a, l->next) != NUM_OK || !run_all_finite(l->a, (int)(n * n)))
    return;
  /* the matrix may be regular: then everything is known */
  memcpy(l->q.a, l->a, bytes);
  if (lu_factor(l->a, l->pivot, l->next, p->n, &where))
    return;
  lsq_factor(&l->q, l->next);
  /* one by one: along some of them the way goes on, along others it does not */
  for (int k = l->q.rank; k < p->n; k++) {
    lsq_null(&l->q, k, l->next);
    for (size_t j = 0; j < n; j++)
      l->null[l->q.column[j]] = l->next[j];
    bool open = goes_on(p, z, l);
    for (size_t j = 0; j < n && open; j++)
      l->parts[j] = fmax(l->parts[j], fabs(l->null[j]));
  }
  run_open_found(run, block, l->parts);
}

/* Once per block: the matrix may be singular at the solution without Newton's method having met
 * it. */
void run_open_newton(Run *run, int block, const NewtonProblem *p, double *z) {
  size_t n = (size_t)p->n;
  if (run->work->open->tested[block])
    return;
  run->work->open->tested[block] = true;
  double *at = calloc(2 * n * n + 9 * n, sizeof *at);
  int *ints = calloc(2 * n, sizeof *ints);
  /* a look is no failure of the model */
  Failure failure = run->failure, warning = run->warning;
  if (at && ints) {
    double *v = at + 2 * n * n, *weight = v + 5 * n;
    for (size_t k = 0; k < n; k++)
      weight[k] = 1;
    Lsq q = {.n = p->n,
             .a = at,
             .weight = weight,
             .rows = weight + n,
             .tau = weight + 2 * n,
             .fold = weight + 3 * n,
             .column = ints + n};
    NullLook l = {q, ints, at + n * n, v, v + n, v + 2 * n, v + 3 * n, v + 4 * n};
    look(run, block, p, z, &l);
  }
  run->failure = failure;
  run->warning = warning;
  free(at);
  free(ints);
}

/* ---- telling ---- */

/* derivatives have places of their own in the list */
static bool *told_of(Run *run, int variable) {
  return &run->singular->told[variable >= 0 ? 2 * variable : 2 * (-1 - variable) + 1];
}

static void add_name(const Run *run, Text *t, int variable, int count) {
  const char *name = run->m->variables[variable < 0 ? -1 - variable : variable].name;
  text_printf(t, variable < 0 ? "%s`der(%s)`" : "%s`%s`", count ? ", " : "", name);
}

static void tell(Run *run, int block) {
  enum { SHOWN = 6 };
  const DsBlock *b = &run->m->blocks[block];
  const bool *moved = run->work->open->moved[block];
  Text open = {.arena = run->a};
  Text others = {.arena = run->a};
  Text time = {.arena = run->a};
  int n = 0, n_others = 0;
  bool fresh = false;
  /* nothing new is told of unknowns that were told before */
  for (int k = 0; k < b->n_iterated; k++) {
    if (!moved[k])
      continue;
    fresh = fresh || !*told_of(run, b->variables[k]);
    *told_of(run, b->variables[k]) = true;
    if (n < SHOWN)
      add_name(run, &open, b->variables[k], n);
    n++;
  }
  if (!fresh)
    return;
  if (n > SHOWN)
    text_printf(&open, " and %d more", n - SHOWN);
  /* those that follow in the same system */
  for (int k = b->n_iterated; k < b->n && n_others < SHOWN; k++)
    add_name(run, &others, b->variables[k], n_others++);
  text_real(&time, run->d.time);
  DsPlace at = run->m->places[b->places[0]];
  Diag *d = diag_add(run->diags, D_R624, (Span){at.lo, at.hi},
                     "at time %s the equations have many solutions: they do not determine %s; the "
                     "values nearest to those before are taken",
                     text_str(&time), text_str(&open));
  for (int k = 1; k < b->n && k < SHOWN; k++)
    diag_label(run->diags, d,
               (Span){run->m->places[b->places[k]].lo, run->m->places[b->places[k]].hi},
               "part of the system");
  if (n_others)
    diag_note(run->diags, d, "%s%s follow%s from these in the same system", text_str(&others),
              b->n - b->n_iterated > SHOWN ? ", ..." : "", n_others == 1 ? "s" : "");
}

void run_open_tell(Run *run) {
  for (int k = 0; run->work->open->n_now && k < run->m->n_blocks; k++)
    if (run->work->open->now[k])
      tell(run, k);
}
