/* run/run.c -- one run: memory, its beginning and end; schedule.c says what happens between. */
#include "run/bounds.h"
#include "run/code.h"
#include "run/core.h"
#include "run/direction.h"
#include "run/discontinuity.h"
#include "run/guess.h"
#include "run/host.h"
#include "run/initial.h"
#include "run/instant.h"
#include "run/invariant.h"
#include "run/isolate.h"
#include "run/linear.h"
#include "run/look.h"
#include "run/memory.h"
#include "run/trials.h"
#include "run/mode.h"
#include "run/part.h"
#include "run/pass.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/rows.h"
#include "run/samples.h"
#include "run/scales.h"
#include "run/schedule.h"
#include "run/select.h"
#include "run/set.h"
#include "run/singular.h"
#include "run/slide.h"
#include "run/solver.h"
#include "run/starts.h"
#include "run/tell.h"
#include "run/trace.h"
#include "run/weights.h"
#include "run/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* All values in one block: r, r_pre, i, i_pre, s, s_pre, then bytes. */
void run_lay_out(Run *run) {
  const DsModel *m = run->m;
  DsData *d = &run->d;
  size_t reals = (size_t)m->n_real;
  size_t wholes = (size_t)m->n_integer;
  size_t texts = (size_t)m->n_string;
  size_t bytes = 2 * (size_t)m->n_relations + (size_t)m->n_samples;
  /* texts and their pre values are addresses of 8 bytes */
  run->block_size = 2 * 8 * (reals + wholes + texts) + bytes;
  run->block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  unsigned char *at = run->block;
  d->r = (double *)(void *)at;
  at += 8 * reals;
  d->r_pre = (double *)(void *)at;
  at += 8 * reals;
  d->i = (long long *)(void *)at;
  at += 8 * wholes;
  d->i_pre = (long long *)(void *)at;
  at += 8 * wholes;
  d->s = (const char **)(void *)at;
  at += 8 * texts;
  d->s_pre = (const char **)(void *)at;
  at += 8 * texts;
  d->relation = at;
  at += m->n_relations;
  d->relation_new = at;
  at += m->n_relations;
  d->sample = at;
  /* no text is NULL */
  for (int k = 0; k < m->n_string; k++)
    d->s[k] = d->s_pre[k] = "";
}

void run_allocate_blocks(Run *run) {
  const DsModel *m = run->m;
  Workspace *w = run->work;
  int largest = 1, most = 0;
  /* sparse systems have memory of their own */
  for (int k = 0; k < m->n_blocks; k++)
    largest = !m->blocks[k].start && m->blocks[k].n_iterated > largest ? m->blocks[k].n_iterated
                                                                       : largest;
  for (int k = 0; k < m->n_mixed; k++)
    most = m->mixed[k].n_relations > most ? m->mixed[k].n_relations : most;
  size_t n = (size_t)largest;
  run_linear_allocate(run);
  run_open_allocate(run);
  run->d.work = w->cells = NEW_ARRAY(run->a, double, m->n_work + 1);
  w->newton = NEW_ARRAY(run->a, double, rescue_work(largest));
  w->pivot = NEW_ARRAY(run->a, int, n);
  w->lsq = NEW_ARRAY(run->a, double, n *n + 2 * n + lsq_work(largest));
  w->search = mixed_new(run->a, most);
}

/* Empty rooms. */
static void make_rooms(Run *run) {
  Arena *a = run->a;
  run->rel = NEW(a, Relations);
  run->samples = NEW(a, RunSamples);
  run->guess = NEW(a, RunGuess);
  run->scales = NEW(a, RunScales);
  run->singular = NEW(a, RunSingular);
  run->starts = NEW(a, RunStarts);
  run->mixed = NEW(a, MixedTrials);
  run->memory = NEW(a, RunMemory);
  run->past = NEW(a, Past);
  run->queue = NEW(a, Queue);
  run->trace = NEW(a, Trace);
  run->instant = NEW(a, Instant);
  run->pass = NEW(a, Pass);
  run->out = NEW(a, Output);
  run->look = NEW(a, Look);
}

/* What has a cell per Real, or per state. */
static void allocate_reals(Run *run) {
  const DsModel *m = run->m;
  Arena *a = run->a;
  size_t reals = (size_t)m->n_real + 1, states = (size_t)m->nx + 1;
  run->n_real = m->n_real;
  *run->scales = (RunScales){.atol = NEW_ARRAY(a, double, states),
                             .nominal = NEW_ARRAY(a, double, states),
                             .nominals = NEW_ARRAY(a, double, reals),
                             .low = NEW_ARRAY(a, double, reals),
                             .high = NEW_ARRAY(a, double, reals)};
  run->guess->is_iterated = NEW_ARRAY(a, bool, reals);
  run->guess->value = NEW_ARRAY(a, double, reals);
  run->singular->place = NEW_ARRAY(a, int, reals);
  run->singular->is = NEW_ARRAY(a, bool, reals);
  /* discrete Reals are recorded in any case */
  for (int k = 0; k < m->n_discrete_reals; k++)
    run->singular->is[m->discrete_reals[k]] = true;
  run->pass->reinit = NEW_ARRAY(a, unsigned char, states);
  run->pass->reinit_value = NEW_ARRAY(a, double, states);
  run->cells.trial = NEW_ARRAY(a, double, states);
  run->cells.placed = NEW_ARRAY(a, double, states);
}

static void allocate(Run *run) {
  const DsModel *m = run->m;
  Arena *a = run->a;
  size_t relations = (size_t)m->n_relations + 1;
  size_t samples = (size_t)m->n_samples + 1;
  make_rooms(run);
  run_lay_out(run);
  /* values before an event, a trial, or a failure */
  run->cells.spare = NEW_ARRAY(a, unsigned char, run->block_size + 8);
  run->eval.bad.block = NEW_ARRAY(a, unsigned char, run->block_size + 8);
  run->eval.bad.time = NAN;
  run->d.given = run->starts->given = NEW_ARRAY(a, unsigned char, m->n_variables + 1);
  run->starts->redundant = NEW_ARRAY(a, double, 2 * (size_t)m->n_redundant + 1);
  *run->mixed = (MixedTrials){.near = NEW_ARRAY(a, bool, relations),
                              .first = NEW_ARRAY(a, unsigned char, relations),
                              .a = NEW_ARRAY(a, double, relations),
                              .b = NEW_ARRAY(a, double, relations),
                              .values = NEW_ARRAY(a, unsigned char, relations)};
  *run->samples = (RunSamples){.start = NEW_ARRAY(a, double, samples),
                               .interval = NEW_ARRAY(a, double, samples),
                               .next = NEW_ARRAY(a, uint64_t, samples)};
  allocate_reals(run);
  run_relations_allocate(run);
  run_pause_allocate(run);
  run_delays_allocate(run);
  run_transports_allocate(run);
  run_select_allocate(run);
  run_weights_allocate(run);
  run_jacobian_allocate(run);
  run_direction_allocate(run);
  run_trace_allocate(run);
}

Run *run_new(const Program *program, const RunOptions *options, Arena *a, Diags *diags) {
  Run *run = NEW(a, Run);
  RunOptions *copy = NEW(a, RunOptions);
  *copy = *options;
  /* a number that is never used again, so that code and objects of another run are known as such */
  static atomic_uint_least64_t serials;
  run->serial = atomic_fetch_add(&serials, 1) + 1;
  run->program = program;
  run->m = run->d.model = program->model;
  run->options = copy;
  run->a = a;
  run->diags = diags;
  run->d.host = &run_host;
  run->d.run = run;
  allocate(run);
  if (!run_modes_begin(run) || !run_read_options(run))
    return NULL;
  run_parts_make(run);
  run_slide_allocate(run);
  isolate_allocate(run);
  run_schedule_make(run);
  return run;
}

const RunColumn *run_columns(const Run *run, uint32_t *n) {
  *n = run->out->n_columns;
  return run->out->columns;
}

void run_free(Run *run) {
  if (!run)
    return;
  /* the code of a program is made for all its runs: this one no longer waits for it */
  run_code_end(run);
  run_solver_free(run);
  run_modes_free(run);
  run_release(run);
}

bool run_terminated(const Run *run) { return run->stage.terminated; }
const DsData *run_data(const Run *run) { return &run->d; }
double run_stop_time(const Run *run) { return run->goal.stop; }
double run_start_time(const Run *run) { return run->goal.start; }
uint32_t run_intervals(const Run *run) { return run->goal.intervals; }
double run_rtol(const Run *run) { return run->goal.rtol; }

/* ---- the supervisor ---- */

/* An event that is due at the start comes before the first row: nothing was there before it. */
static RunStatus first_row(Run *run) {
  bool found;
  /* delays and samples may want an event at the very start */
  double next = run_next_time(run, run->whole, &found);
  run->out->time = run->goal.start;
  /* what is there before that event is only a row if events are told */
  if (found && next <= run->goal.start && run->goal.start < run->goal.stop)
    return run->options->passes ? run_row(run, run->whole, RUN_ROW_STEP) : RUN_OK;
  return run_row(run, run->whole, RUN_ROW_GRID);
}

RunStats run_stats(const Run *run) {
  RunStats out = run->stats;
  out.end_time = run->d.time;
  return out;
}

RunStatus run_begin(Run *run, RunRowFunction *row, void *user) {
  run->out->row = row;
  run->out->user = user;
  run->stage.pause = run->goal.start;
  run->stage.begun = true;
  run_code_begin(run);
  /* before the initialisation takes them */
  int n_guesses;
  const RunValue *guesses = run_guesses(run, &n_guesses);
  RunStatus status = run_initialise(run);
  if (status == RUN_OK) {
    run_tell_guesses(run, guesses, n_guesses);
    run_tell_absent(run);
    run_trace_begin(run, run->whole);
    run_invariant_hold(run);
    status = first_row(run);
  }
  run->out->next_grid = 1;
  if (status == RUN_OK)
    status = run_begin_all(run, run->goal.start);
  return status == RUN_OK ? run_advance(run, run->goal.start) : status;
}

/* Up to run->stage.pause; values are those at that time then. */
static RunStatus go_to_pause(Run *run) {
  RunStatus status = run_go_on(run);
  return status == RUN_OK && !run->stage.terminated ? run_look(run) : status;
}

RunStatus run_settle(Run *run) {
  /* nothing was set from outside */
  if (!run->own.settings.n)
    return RUN_OK;
  run_look_away(run);
  RunStatus status = run_happen_to_all(run, run->stage.pause);
  return status == RUN_OK && !run->stage.terminated ? go_to_pause(run) : status;
}

RunStatus run_advance(Run *run, double until) {
  RunStatus status = run_settle(run);
  if (status != RUN_OK || run->stage.terminated)
    return status;
  /* from where the run is, not from where the caller has looked */
  run_look_away(run);
  run->stage.pause = fmin(until, run->goal.stop);
  return go_to_pause(run);
}

RunStatus run_end(Run *run, RunStatus status, RunStats *stats) {
  if (status == RUN_OK)
    status = run_settle(run);
  /* terminal() becomes true once, at the very end */
  if (status == RUN_OK && run->m->has_terminal) {
    double t = run->d.time;
    run_look_away(run);
    run->d.terminal = 1;
    status = run_happen_to_all(run, t);
  }
  /* what has waited to be told */
  run_bounds_end(run);
  run_tell_discontinuities(run);
  if (run->stage.underway)
    run_tell_inputs(run);
  const char *place;
  run_tell_ending(run, &place);
  run_code_end(run);
  run_release_memory(run);
  run->stats.end_time = run->d.time;
  run_solver_totals(run);
  run_solver_free(run);
  if (stats)
    *stats = run->stats;
  return status;
}

RunStatus run_simulate(Run *run, RunRowFunction *row, void *user, RunStats *stats) {
  RunStatus status = run_begin(run, row, user);
  if (status == RUN_OK)
    status = run_advance(run, run->goal.stop);
  return run_end(run, status, stats);
}
