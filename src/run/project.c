/* run/project.c -- back onto the constraints after each step, for methods that step states which
 * constraints bind.
 * In:   the end of an accepted step.   Out: the nearest point, in units of the tolerances, where
 *       the invariants hold.
 * How:  Newton's method for the smallest correction: dx = -W G' (G W G')^-1 g. Ascher and Petzold,
 *       "Computer Methods for Ordinary Differential Equations and Differential-Algebraic
 *       Equations", SIAM 1998, section 9.3.3.
 * Keep: methods that remember earlier steps keep their own states until an event stops them: errors
 *       of constraints are those of the method up to there. */
#include "run/core.h"
#include "run/evaluate.h"
#include "run/mode.h"
#include "run/part.h"
#include "run/scales.h"
#include "run/values.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

/* Relative to the terms of an invariant: it is as good as rounding lets it be */
static const double HOLDS = 1e-14;

struct Projection {
  double *values; /* what DsModel.invariants gives */
  double *matrix; /* cells of the projection */
  int *pivot;
  size_t room, room_entries; /* invariants and entries that there is room for */
};

void run_project_allocate(Run *run) {
  const DsModel *m = run->m;
  size_t n = (size_t)m->n_invariants;
  size_t entries = (size_t)m->n_invariant_entries;
  if (!run->own.projection)
    run->own.projection = NEW(run->a, Projection);
  Projection *pr = run->own.projection;
  /* modes have other invariants; the room is that of the largest so far */
  if (n > pr->room || entries > pr->room_entries) {
    pr->values = NEW_ARRAY(run->a, double, n + entries + 1);
    pr->matrix = NEW_ARRAY(run->a, double, n *n + 4 * n + 1);
    pr->pivot = NEW_ARRAY(run->a, int, n + 1);
    pr->room = n;
    pr->room_entries = entries;
  }
}

/* How far the invariants are from 0, relative to how far the states could be moved by an error of
 * one tolerance. */
static double distance(const Run *run, const double *g, const double *d, const double *w) {
  const DsModel *m = run->m;
  double most = 0;
  for (int i = 0; i < m->n_invariants; i++) {
    double size = 0;
    for (int q = 0; q < m->n_invariant_entries; q++)
      if (m->invariant_rows[q] == i)
        size += fabs(d[q]) * w[m->invariant_columns[q]];
    if (size > 0)
      most = fmax(most, fabs(g[i]) / size);
  }
  return most;
}

static bool correct(Run *run, double *x) {
  const DsModel *m = run->m;
  int n = m->n_invariants, where;
  const Projection *pr = run->own.projection;
  double *g = pr->values;
  double *d = g + n;
  double *a = pr->matrix;
  double *y = a + n * n;
  double *rows = y + n;
  /* G W G', entry by entry: each pair in one column */
  memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
  for (int p = 0; p < m->n_invariant_entries; p++)
    for (int q = 0; q < m->n_invariant_entries; q++) {
      int k = m->invariant_columns[p];
      if (k == m->invariant_columns[q]) {
        double w = run->goal.rtol * fabs(x[k]) + run->scales->atol[k];
        a[m->invariant_rows[p] * n + m->invariant_rows[q]] += d[p] * w * w * d[q];
      }
    }
  /* invariants that depend on each other: nobody knows which one to obey */
  if (!lu_factor(a, pr->pivot, rows, n, &where))
    return false;
  memcpy(y, g, (size_t)n * sizeof *y);
  lu_solve(a, pr->pivot, n, y);
  for (int q = 0; q < m->n_invariant_entries; q++) {
    int k = m->invariant_columns[q];
    double w = run->goal.rtol * fabs(x[k]) + run->scales->atol[k];
    x[k] -= w * w * d[q] * y[m->invariant_rows[q]];
  }
  return true;
}

/* True: the states have moved. */
static bool project(Part *p) {
  Run *run = p->run;
  const DsModel *m = run->m;
  Stepper *s = p->stepper;
  bool moved = false;
  /* memory for trials is free between steps */
  double *values = run->own.projection->values;
  double *w = run->cells.trial;
  for (int round = 0; round < MOST_PROJECT_ROUNDS; round++) {
    memcpy(run->d.r, s->x, (size_t)m->nx * sizeof *s->x);
    run->d.time = s->t;
    /* the values are on their way: none is current */
    run->eval.current = NULL;
    run_begin_evaluation(run);
    /* what cannot be evaluated there stays as the step has left it */
    if (m->invariants(&run->d, values) != NUM_OK ||
        !run_all_finite(values, m->n_invariants + m->n_invariant_entries))
      break;
    for (int k = 0; k < m->nx; k++)
      w[k] = fabs(s->x[k]) + run->scales->atol[k];
    if (distance(run, values, values + m->n_invariants, w) <= HOLDS || !correct(run, s->x))
      break;
    moved = true;
  }
  return moved;
}

/* The slopes that a method has kept are those of where it was: differences from there would be
 * errors of the Jacobian, however small the correction. */
void run_project(Part *p, bool stops) {
  Stepper *s = p->stepper;
  if (p->run->m->n_invariants && (stops || stepper_is_one_step(s)) && project(p) && !stops)
    stepper_slope(s, s->t, s->x, s->dx);
}
