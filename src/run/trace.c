/* run/trace.c -- what a run tells about its events: a row for each pass that changed something, what made each pass necessary,
 * and whether an event has left another mode behind.
 * Keep: nothing here changes the run or evaluates the model, so that a run with passes told gives the same bits as one without. */
#include "run/run_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- modes ---- */

static void find_booleans(Run *run) {
  const DsModel *m = run->m;
  run->booleans = NEW_ARRAY(run->a, int, m->n_variables + 1);
  for (int k = 0; k < m->n_variables; k++) {
    const DsVariable *v = &m->variables[k];
    if (v->type == DS_BOOLEAN && v->variability != DS_PARAMETER && v->variability != DS_CONSTANT)
      run->booleans[run->n_booleans++] = v->place;
  }
  qsort(run->booleans, (size_t)run->n_booleans, sizeof *run->booleans, run_ascending);
}

/* The first of the Booleans of part k of the scope, and the end of the places of its Integers. */
static int first_boolean(const Run *run, int k) {
  int from = run->scope->all ? 0 : run->m->parts[run->scope->parts[k]].i, lo = 0, hi = run->n_booleans;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    *(run->booleans[mid] < from ? &lo : &hi) = run->booleans[mid] < from ? mid + 1 : mid;
  }
  return lo;
}

static int end_of_integers(const Run *run, int k) {
  const DsPart *p = run->scope->all ? NULL : &run->m->parts[run->scope->parts[k]];
  return p ? p->i + p->n_i : run->m->n_integer;
}

/* Writes the present mode down; true if it is another one. */
static bool take_mode(Run *run) {
  bool other = false;
  EACH_RELATION(run, k) {
    other = other || run->mode[k] != run->d.relation[k];
    run->mode[k] = run->d.relation[k];
  }
  unsigned char *rest = run->mode + run->m->n_relations;
  for (int k = 0; k < (run->scope->all ? 1 : run->scope->n_parts); k++)
    for (int q = first_boolean(run, k); q < run->n_booleans && run->booleans[q] < end_of_integers(run, k); q++) {
      unsigned char value = run->d.i[run->booleans[q]] != 0;
      other = other || rest[q] != value;
      rest[q] = value;
    }
  return other;
}

void run_trace_begin(Run *run) {
  take_mode(run);
  run->step = 0;
}

void run_trace_mode(Run *run) { run->stats.mode_changes += take_mode(run); }

/* ---- what stays where it is ---- */

void run_trace_rest(Run *run, int relation, int state) {
  for (uint32_t k = 0; k < run->rests.n; k++)
    if (run->rests.at[k].relation == relation && run->rests.at[k].contact == (state >= 0)) {
      run->rests.at[k].count++;
      return;
    }
  vec_push(run->a, &run->rests, ((RunRest){state >= 0, relation, state, run->d.time, 1}));
}

const RunRest *run_rests(const Run *run, uint32_t *n) {
  *n = run->rests.n;
  return run->rests.at;
}

/* ---- causes ---- */

void run_trace_allocate(Run *run) {
  const DsModel *m = run->m;
  size_t n = (size_t)m->n_relations + 1;
  find_booleans(run);
  run->mode = NEW_ARRAY(run->a, unsigned char, n + (size_t)run->n_booleans);
  run->side_a = NEW_ARRAY(run->a, double, n);
  run->side_b = NEW_ARRAY(run->a, double, n);
  run->relation_was = NEW_ARRAY(run->a, unsigned char, n);
  run->relation_next = NEW_ARRAY(run->a, unsigned char, n);
  run->relation_later = NEW_ARRAY(run->a, unsigned char, n);
  /* at most one per sample, delay and state, four per relation, and one without a number */
  run->causes = NEW_ARRAY(run->a, RunCause, 4 * n + (size_t)(m->n_samples + m->n_delays + m->nx));
}

void run_cause(Run *run, RunCauseKind kind, int number, double a, double b) {
  if (run->options->passes)
    run->causes[run->n_causes++] = (RunCause){kind, number, a, b};
}

/* Relations whose value is no longer the one in `was`; those of variables are causes of that kind. */
static void changed_relations(Run *run, const unsigned char *was, RunCauseKind kind) {
  EACH_RELATION(run, k)
    if (run->d.relation[k] != was[k])
      run_cause(run, run->m->relations[k].timed ? RUN_CAUSE_TIME : kind, k, run->side_a[k], run->side_b[k]);
}

void run_trace_relations(Run *run) { run_copy_relations(run, run->relation_was, run->d.relation); }

/* ---- passes ---- */

/* Passes of the initialisation are not told. */
static bool silent(const Run *run) { return !run->options->passes || !run->in_event; }

RunStatus run_trace_pass(Run *run) {
  if (silent(run))
    return RUN_OK;
  RunStatus status = run_row(run, RUN_ROW_STEP);
  run->n_causes = run->notes.n = 0;
  changed_relations(run, run->relation_was, RUN_CAUSE_RELATION);
  EACH_STATE(run, k)
    if (run->reinit[k] && run->d.r[k] != run->reinit_value[k])
      run_cause(run, RUN_CAUSE_REINIT, k, run->d.r[k], run->reinit_value[k]);
  if (!run->n_causes)
    run_cause(run, RUN_CAUSE_DISCRETE, -1, NAN, NAN);
  run_trace_relations(run);
  return status;
}

RunStatus run_trace_turn(Run *run, bool begins) {
  if (!begins && silent(run))
    return RUN_OK;
  const unsigned char *old = run->spare + (run->d.relation - run->block);
  run_copy_relations(run, run->relation_next, run->d.relation);
  run_copy_relations(run, run->d.relation, old);
  if (begins)
    run_trace_mode(run);
  RunStatus status = silent(run) ? RUN_OK : run_row(run, RUN_ROW_STEP);
  run_copy_relations(run, run->d.relation, run->relation_next);
  if (silent(run))
    return RUN_OK;
  run->n_causes = 0;
  changed_relations(run, old, begins ? RUN_CAUSE_DEPARTURE : RUN_CAUSE_RELATION);
  run_trace_relations(run);
  return status;
}
