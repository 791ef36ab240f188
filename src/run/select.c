/* run/select.c -- which variables are the states of a selection (see DsSelection), at this moment.
 * How:  given the states, the constraints determine the other candidates; how strongly these depend
 *       on the states says whether the choice is still a good one. A choice that another one beats
 *       by a factor of `exchange` is changed, state by state; the margin keeps it from going back
 *       and forth.
 * Keep: only the names of things change here, never a value: the states take over what the
 *       candidates are. */
#include "run/select.h"
#include "run/core.h"
#include "run/scales.h"
#include "run/weights.h"

#include <math.h>
#include <string.h>

/* 1: factor by which candidates may depend on the states */
static const double exchange = 2;
/* The same for start values, which need not be consistent */
static const double exchange_first = 1000;

/* Of all selections. */
struct Selection {
  double *entries;       /* of all, one after the other */
  double *basis, *sizes; /* matrix and sizes of the one at work */
  bool *in_basis;
  int *cells;
};

void run_select_allocate(Run *run) {
  const DsModel *m = run->m;
  size_t entries = 0;
  size_t cells = 0;
  size_t columns = 0;
  for (int k = 0; k < m->n_selections; k++) {
    const DsSelection *se = &m->selections[k];
    size_t n = (size_t)se->n, rows = n - (size_t)se->n_states;
    entries += (size_t)se->n_entries;
    /* one matrix serves all selections */
    cells = rows * n > cells ? rows * n : cells;
    columns = n > columns ? n : columns;
  }
  Selection *sel = run->own.selection = NEW(run->a, Selection);
  sel->entries = NEW_ARRAY(run->a, double, entries + 1);
  sel->basis = NEW_ARRAY(run->a, double, cells + 1);
  sel->sizes = NEW_ARRAY(run->a, double, columns + 1);
  sel->in_basis = NEW_ARRAY(run->a, bool, columns + 1);
  sel->cells = NEW_ARRAY(run->a, int, 2 * columns + 1);
}

static double nominal_of(const Run *run, int place) {
  double nominal = fabs(run->scales->nominals[place]);
  return nominal > 0 && isfinite(nominal) ? nominal : 1;
}

/* State k of the selection becomes candidate c. */
static void become(Run *run, const DsSelection *se, int k, int c) {
  int state = se->states[k];
  double nominal = nominal_of(run, se->candidates[c]);
  /* pre values, too: a choice is no event */
  run->d.i[se->choices[k]] = run->d.i_pre[se->choices[k]] = c;
  run->d.r[state] = run->d.r_pre[state] = run->d.r[se->candidates[c]];
  /* tolerances are those of the variable that the state is now */
  run->scales->atol[state] *= nominal /
                              (run->scales->nominal[state] > 0 ? run->scales->nominal[state] : 1);
  run->scales->nominal[state] = nominal;
  run_weights_select(run, state);
}

/* States that are no candidate to solve for keep their place; the others take what is left, in
 * order. */
static bool take_over(Run *run, const DsSelection *se) {
  Selection *sel = run->own.selection;
  bool changed = false;
  bool *solved = sel->in_basis;
  for (int k = 0; k < se->n_states; k++)
    if (!solved[run->d.i[se->choices[k]]])
      solved[run->d.i[se->choices[k]]] = true; /* taken */
    else
      sel->cells[k] = -1;
  int next = 0;
  for (int k = 0; k < se->n_states; k++) {
    if (sel->cells[k] >= 0)
      continue;
    while (solved[next])
      next++;
    solved[next] = true;
    become(run, se, k, next);
    changed = true;
  }
  return changed;
}

static bool improve(Run *run, const DsSelection *se, const double *entries, double most) {
  Selection *sel = run->own.selection;
  int n = se->n, rows = n - se->n_states;
  memset(sel->basis, 0, (size_t)rows * (size_t)n * sizeof *sel->basis);
  for (int k = 0; k < se->n_entries; k++)
    sel->basis[se->rows[k] * n + se->columns[k]] = entries[k];
  for (int k = 0; k < n; k++) {
    sel->sizes[k] = se->weights[k] * nominal_of(run, se->candidates[k]);
    sel->in_basis[k] = true;
  }
  /* the basis is what the constraints determine: all but the states */
  for (int k = 0; k < se->n_states; k++)
    sel->in_basis[run->d.i[se->choices[k]]] = false;
  if (!basis_improve(sel->basis, sel->sizes, rows, n, most, sel->in_basis, sel->cells,
                     sel->cells + n))
    return false;
  /* 0: the state has kept its candidate */
  memset(sel->cells, 0, (size_t)se->n_states * sizeof *sel->cells);
  return take_over(run, se);
}

static bool improve_all(Run *run, double most) {
  bool any = false;
  const double *entries = run->own.selection->entries;
  for (int k = 0; k < run->m->n_selections; k++) {
    any = improve(run, &run->m->selections[k], entries, most) || any;
    entries += run->m->selections[k].n_entries;
  }
  return any;
}

static bool evaluate(Run *run) {
  /* entries may be computed by functions, which must end */
  run->d.fuel = 1000 * 1000;
  run->d.top = 0;
  if (run->m->selection(&run->d, run->own.selection->entries) != NUM_OK)
    return false;
  int n = 0;
  for (int k = 0; k < run->m->n_selections; k++)
    n += run->m->selections[k].n_entries;
  for (int k = 0; k < n; k++)
    if (!isfinite(run->own.selection->entries[k]))
      return false;
  return true;
}

/* The first choice comes from the model; start values may want another one */
void run_select_first(Run *run) {
  const DsModel *m = run->m;
  for (int k = 0; k < m->n_selections; k++)
    for (int q = 0; q < m->selections[k].n_states; q++)
      become(run, &m->selections[k], q, m->selections[k].first[q]);
  if (m->n_selections && evaluate(run))
    improve_all(run, exchange_first);
  run->failure.any = false;
}

/* Values of the initial system may be far from the start values; and sizes that were read since are
 * those of states as such, whatever they stand for. */
void run_select_found(Run *run) {
  const DsModel *m = run->m;
  for (int k = 0; k < m->n_selections; k++)
    for (int q = 0; q < m->selections[k].n_states; q++)
      become(run, &m->selections[k], q, (int)run->d.i[m->selections[k].choices[q]]);
  if (m->n_selections && evaluate(run))
    improve_all(run, exchange);
  run->failure.any = false;
}

bool run_select(Run *run) {
  if (!run->m->n_selections || !evaluate(run) || !improve_all(run, exchange))
    return false;
  run->stats.selections++;
  return true;
}

int run_select_chosen(const Run *run, int state) {
  for (int k = 0; k < run->m->n_selections; k++)
    for (int q = 0; q < run->m->selections[k].n_states; q++)
      if (run->m->selections[k].states[q] == state) {
        int v = run->m->selections[k].variables[run->d.i[run->m->selections[k].choices[q]]];
        return v >= 0 ? v : -1 - v;
      }
  return -1;
}
