/* run/weights.c -- absolute tolerances of the states for the error control of the steps.
 * In:   run->scales->atol, what the declared nominal values ask for; 1 where none is declared.
 * Out:  the absolute part of the weight rtol*|x| + atol of each state.
 * How:  1 is a good measure for states without a declared nominal value that get to 0.1 or more.
 *       Before
 *       they do, the largest absolute value counts in its place that the state, or another one with
 *       the
 *       same unit, has had so far: its tenfold, and no less than rounding allows. A flux of 1e-4 Wb
 *       is
 *       integrated as well as the same flux in mWb; with 1 for all, its error might be 1e-3 of
 *       itself in
 *       each step at a tolerance of 1e-5. Simulink's automatic absolute tolerances follow the
 *       largest
 *       value so far, too. Each state by itself was tried: then the cold end of a rod that heat has
 *       not
 *       reached yet is followed digit by digit, at 2 to 4 times the steps.
 *       Nor are states that are rounding and nothing else, such as the sum of three balanced
 *       currents.
 * Keep: tolerances grow only, so that what decays is not followed down into its rounding. */
#include "run/weights.h"
#include "run/core.h"
#include "run/part.h"
#include "run/scales.h"
#include "run/tolerances.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct RunWeights {
  double *atol;  /* per state */
  double *small; /* per state: a tenth of its nominal value, see Stepper.small */
  bool *open;    /* per state: no nominal value is declared */
  int *like;     /* per state: the first one with the same unit */
  /* Per state that is such a first one: the largest absolute value of all of them so far */
  double *most;
};

const double *run_weights(const Run *run) { return run->own.weights->atol; }
const double *run_small(const Run *run) { return run->own.weights->small; }

/* ---- which states are alike ---- */

/* Per state: the unit of its variable, "" if there is none. */
static const char **units(Run *run) {
  const DsModel *m = run->m;
  const char **unit = NEW_ARRAY(run->a, const char *, m->nx + 1);
  /* a state without a variable is like all others without unit */
  for (int k = 0; k < m->nx; k++)
    unit[k] = "";
  for (int v = 0; v < m->n_variables; v++) {
    int state = m->variables[v].der - m->nx;
    if (state >= 0 && state < m->nx && m->variables[v].unit)
      unit[state] = m->variables[v].unit;
  }
  return unit;
}

static void find_alike(Run *run) {
  int *like = run->own.weights->like;
  int *firsts = NEW_ARRAY(run->a, int, run->m->nx + 1);
  int n = 0;
  const char *const *unit = units(run);
  for (int k = 0; k < run->m->nx; k++) {
    int q = 0;
    while (q < n && strcmp(unit[firsts[q]], unit[k]) != 0)
      q++;
    /* the first of its unit */
    if (q == n)
      firsts[n++] = k;
    like[k] = firsts[q];
  }
}

void run_weights_allocate(Run *run) {
  RunWeights *w = run->own.weights = NEW(run->a, RunWeights);
  size_t n = (size_t)run->m->nx + 1;
  w->atol = NEW_ARRAY(run->a, double, n);
  w->small = NEW_ARRAY(run->a, double, n);
  w->open = NEW_ARRAY(run->a, bool, n);
  w->like = NEW_ARRAY(run->a, int, n);
  w->most = NEW_ARRAY(run->a, double, n);
  find_alike(run);
}

/* Which variable a state is may change: then its declaration counts, or 1. */
static void mark_selected(Run *run) {
  for (int k = 0; k < run->m->n_selections; k++)
    for (int q = 0; q < run->m->selections[k].n_states; q++)
      run->own.weights->open[run->m->selections[k].states[q]] = false;
}

/* ---- sizes ---- */

/* States from `first` on have these values. */
static void note_sizes(Run *run, int first, int n, const double *x) {
  RunWeights *w = run->own.weights;
  /* a value of a tenth counts as a full 1 */
  const double scale = 1 / run_tolerances.small_state;
  const double least = run_tolerances.least_atol * DBL_EPSILON;
  for (int k = 0; k < n; k++) {
    double *most = &w->most[w->like[first + k]], size = fabs(x[k]);
    *most = size > *most ? size : *most;
  }
  /* also where the largest value is that of another state */
  for (int k = first; k < first + n; k++)
    if (w->open[k] && w->atol[k] < run->scales->atol[k])
      w->atol[k] = fmin(fmax(w->most[w->like[k]] * scale * run->scales->atol[k], least),
                        run->scales->atol[k]);
}

void run_weights_begin(Run *run) {
  RunWeights *w = run->own.weights;
  /* a tolerance that was asked for counts as it is */
  for (int k = 0; k < run->m->nx; k++)
    w->open[k] = run->scales->nominals[k] == 0 && !(run->options->atol_factor > 0);
  mark_selected(run);
  for (int k = 0; k < run->m->nx; k++) {
    w->most[k] = 0;
    /* 0, so that the first sizes count */
    w->atol[k] = w->open[k] ? 0 : run->scales->atol[k];
    w->small[k] = 0.1 * run->scales->atol[k] / run->goal.rtol;
  }
  note_sizes(run, 0, run->m->nx, run->d.r);
}

void run_weights_step(Part *p) {
  Run *run = p->run;
  note_sizes(run, p->x, p->n, p->stepper->x);
}

/* what it stands for has sizes of its own */
void run_weights_select(Run *run, int k) {
  run->own.weights->atol[k] = run->scales->atol[k];
  run->own.weights->small[k] = 0.1 * run->scales->atol[k] / run->goal.rtol;
}

/* in other memory: solvers hold the address of what they were given */
void run_weights_move(Run *run, double *to) {
  RunWeights *w = run->own.weights;
  for (int k = 0; k < run->m->nx; k++)
    to[k] = w->atol[k];
  w->atol = to;
}

void run_weights_keep(Run *run, Tape *t) {
  RunWeights *w = run->own.weights;
  size_t n = (size_t)run->m->nx;
  tape_array(t, w->atol, n);
  tape_array(t, w->most, n);
  tape_array(t, w->small, n);
  tape_flags(t, w->open, n);
}
