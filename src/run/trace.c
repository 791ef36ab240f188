/* run/trace.c -- what a run tells about its events: a row for each pass that changed something,
 * what made each pass necessary, and whether an event has left another mode behind.
 * Keep: nothing here changes the run or evaluates the model, so that a run with passes told gives
 *       the same bits as one without. */
#include "run/trace.h"
#include "run/core.h"
#include "run/instant.h"
#include "run/pass.h"
#include "run/relations.h"
#include "run/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- modes ---- */

static void find_booleans(Run *run) {
  const DsModel *m = run->m;
  run->trace->booleans = NEW_ARRAY(run->a, int, m->n_variables + 1);
  for (int k = 0; k < m->n_variables; k++) {
    const DsVariable *v = &m->variables[k];
    if (v->type == DS_BOOLEAN && v->variability != DS_PARAMETER && v->variability != DS_CONSTANT)
      run->trace->booleans[run->trace->n_booleans++] = v->place;
  }
  /* by place, as parts have them */
  qsort(run->trace->booleans, (size_t)run->trace->n_booleans, sizeof *run->trace->booleans,
        scope_ascending);
}

/* The first of the Booleans of part k of the scope, and the end of the places of its Integers. */
static int first_boolean(const Run *run, const Scope *sc, int k) {
  /* the list is ascending: bisection */
  int from = sc->all ? 0 : run->m->parts[sc->parts[k]].i;
  int lo = 0;
  int hi = run->trace->n_booleans;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    *(run->trace->booleans[mid] < from ? &lo : &hi) = run->trace->booleans[mid] < from ? mid + 1
                                                                                       : mid;
  }
  return lo;
}

static int end_of_integers(const Run *run, const Scope *sc, int k) {
  const DsPart *p = sc->all ? NULL : &run->m->parts[sc->parts[k]];
  return p ? p->i + p->n_i : run->m->n_integer;
}

/* Writes the present mode down; true if it is another one. */
static bool take_mode(Run *run, const Scope *sc) {
  bool other = false;
  EACH_RELATION (sc, k) {
    other = other || run->trace->mode[k] != run->d.relation[k];
    run->trace->mode[k] = run->d.relation[k];
  }
  unsigned char *rest = run->trace->mode + run->m->n_relations;
  /* Booleans of a part are those between its Integers */
  for (int k = 0; k < (sc->all ? 1 : sc->n_parts); k++)
    for (int q = first_boolean(run, sc, k);
         q < run->trace->n_booleans && run->trace->booleans[q] < end_of_integers(run, sc, k); q++) {
      unsigned char value = run->d.i[run->trace->booleans[q]] != 0;
      other = other || rest[q] != value;
      rest[q] = value;
    }
  return other;
}

void run_trace_begin(Run *run, const Scope *sc) {
  take_mode(run, sc);
  run->instant->step = 0;
}

void run_trace_mode(Run *run, const Scope *sc) { run->stats.mode_changes += take_mode(run, sc); }

/* ---- what stays where it is ---- */

void run_trace_rest(Run *run, int relation, int state) {
  /* counted as one, however often it happens */
  for (uint32_t k = 0; k < run->trace->rests.n; k++)
    if (run->trace->rests.at[k].relation == relation &&
        run->trace->rests.at[k].contact == (state >= 0)) {
      run->trace->rests.at[k].count++;
      return;
    }
  vec_push(run->a, &run->trace->rests, ((RunRest){state >= 0, relation, state, run->d.time, 1}));
}

const RunRest *run_rests(const Run *run, uint32_t *n) {
  *n = run->trace->rests.n;
  return run->trace->rests.at;
}

/* ---- causes ---- */

void run_trace_allocate(Run *run) {
  const DsModel *m = run->m;
  size_t n = (size_t)m->n_relations + 1;
  find_booleans(run);
  run->trace->mode = NEW_ARRAY(run->a, unsigned char, n + (size_t)run->trace->n_booleans);
  run->rel->side_a = NEW_ARRAY(run->a, double, n);
  run->rel->side_b = NEW_ARRAY(run->a, double, n);
  run->instant->was = NEW_ARRAY(run->a, unsigned char, n);
  run->instant->next = NEW_ARRAY(run->a, unsigned char, n);
  run->instant->later = NEW_ARRAY(run->a, unsigned char, n);
  /* at most one per sample, delay and state, four per relation, and one without a number */
  run->instant->causes = NEW_ARRAY(run->a, RunCause,
                                   4 * n + (size_t)(m->n_samples + m->n_delays + m->nx));
}

void run_cause(Run *run, RunCauseKind kind, int number, double a, double b) {
  if (run->options->passes)
    run->instant->causes[run->instant->n_causes++] = (RunCause){kind, number, a, b};
}

/* Relations whose value is no longer the one in `was`; those of variables are causes of that
 * kind. */
static void changed_relations(Run *run, const Scope *sc, const unsigned char *was,
                              RunCauseKind kind) {
  /* a relation of time is a cause of its own kind */
  EACH_RELATION (sc, k)
    if (run->d.relation[k] != was[k])
      run_cause(run, run->m->relations[k].timed ? RUN_CAUSE_TIME : kind, k, run->rel->side_a[k],
                run->rel->side_b[k]);
}

void run_trace_relations(Run *run, const Scope *sc) {
  scope_copy_relations(sc, run->instant->was, run->d.relation);
}

/* ---- passes ---- */

/* Passes of the initialisation are not told. */
static bool silent(const Run *run) { return !run->options->passes || !run->instant->is_event; }

RunStatus run_trace_pass(Run *run, const Scope *sc) {
  if (silent(run))
    return RUN_OK;
  /* the row of the pass before, whose causes these were */
  RunStatus status = run_row(run, sc, RUN_ROW_STEP);
  run->instant->n_causes = run->pass->notes.n = 0;
  changed_relations(run, sc, run->instant->was, RUN_CAUSE_RELATION);
  EACH_STATE (sc, k)
    if (run->pass->reinit[k] && run->d.r[k] != run->pass->reinit_value[k])
      run_cause(run, RUN_CAUSE_REINIT, k, run->d.r[k], run->pass->reinit_value[k]);
  /* a pass without a cause of its own follows from discrete variables */
  if (!run->instant->n_causes)
    run_cause(run, RUN_CAUSE_DISCRETE, -1, NAN, NAN);
  run_trace_relations(run, sc);
  return status;
}

RunStatus run_trace_turn(Run *run, const Scope *sc, bool begins) {
  if (!begins && silent(run))
    return RUN_OK;
  /* the row shows relations as they were before they turned */
  const unsigned char *old = run->cells.spare + (run->d.relation - run->block);
  scope_copy_relations(sc, run->instant->next, run->d.relation);
  scope_copy_relations(sc, run->d.relation, old);
  if (begins)
    run_trace_mode(run, sc);
  RunStatus status = silent(run) ? RUN_OK : run_row(run, sc, RUN_ROW_STEP);
  scope_copy_relations(sc, run->d.relation, run->instant->next);
  if (silent(run))
    return RUN_OK;
  run->instant->n_causes = 0;
  changed_relations(run, sc, old, begins ? RUN_CAUSE_DEPARTURE : RUN_CAUSE_RELATION);
  run_trace_relations(run, sc);
  return status;
}
