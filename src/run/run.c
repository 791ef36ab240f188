/* run/run.c -- one run: memory, its beginning and end; schedule.c says what happens between. */
#include "run/invariant.h"
#include "run/isolate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* All values in one block: r, r_pre, i, i_pre, s, s_pre, then bytes. */
void run_lay_out(Run *run) {
  const DsModel *m = run->m;
  DsData *d = &run->d;
  size_t reals = (size_t)m->n_real, wholes = (size_t)m->n_integer, texts = (size_t)m->n_string;
  size_t bytes = 2 * (size_t)m->n_relations + (size_t)m->n_samples;
  run->block_size = 2 * 8 * (reals + wholes + texts) + bytes;
  run->block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  unsigned char *at = run->block;
  d->r = (double *)(void *)at, at += 8 * reals;
  d->r_pre = (double *)(void *)at, at += 8 * reals;
  d->i = (long long *)(void *)at, at += 8 * wholes;
  d->i_pre = (long long *)(void *)at, at += 8 * wholes;
  d->s = (const char **)(void *)at, at += 8 * texts;
  d->s_pre = (const char **)(void *)at, at += 8 * texts;
  d->relation = at, at += m->n_relations;
  d->relation_new = at, at += m->n_relations;
  d->sample = at;
  for (int k = 0; k < m->n_string; k++)
    d->s[k] = d->s_pre[k] = "";
}

void run_allocate_blocks(Run *run) {
  const DsModel *m = run->m;
  Arena *a = run->a;
  int largest = 1, most = 0;
  for (int k = 0; k < m->n_blocks; k++)
    largest = !m->blocks[k].start && m->blocks[k].n_iterated > largest ? m->blocks[k].n_iterated : largest;
  for (int k = 0; k < m->n_mixed; k++)
    most = m->mixed[k].n_relations > most ? m->mixed[k].n_relations : most;
  run_linear_allocate(run);
  run_open_allocate(run);
  run->d.work = NEW_ARRAY(a, double, m->n_work + 1);
  run->newton = NEW_ARRAY(a, double, rescue_work(largest));
  run->pivot = NEW_ARRAY(a, int, largest);
  run->lsq = NEW_ARRAY(a, double, (size_t)largest * (size_t)largest + 2 * (size_t)largest + lsq_work(largest));
  run->mixed = mixed_new(a, most);
}

static void allocate(Run *run) {
  const DsModel *m = run->m;
  Arena *a = run->a;
  run_lay_out(run);
  run_allocate_blocks(run);
  run->n_real = m->n_real;
  run->spare = NEW_ARRAY(a, unsigned char, run->block_size + 8);
  run->bad = NEW_ARRAY(a, unsigned char, run->block_size + 8);
  run->bad_time = NAN;
  run->given = NEW_ARRAY(a, unsigned char, m->n_variables + 1);
  run->d.given = run->given;
  run->nominals = NEW_ARRAY(a, double, m->n_real + 1);
  run->low = NEW_ARRAY(a, double, m->n_real + 1);
  run->high = NEW_ARRAY(a, double, m->n_real + 1);
  run->is_iterated = NEW_ARRAY(a, bool, m->n_real + 1);
  run->guess = NEW_ARRAY(a, double, m->n_real + 1);
  run->singular = NEW_ARRAY(a, int, m->n_real + 1);
  run->is_singular = NEW_ARRAY(a, bool, m->n_real + 1);
  for (int k = 0; k < m->n_discrete_reals; k++)
    run->is_singular[m->discrete_reals[k]] = true;
  run->redundant = NEW_ARRAY(a, double, 2 * (size_t)m->n_redundant + 1);
  run->near = NEW_ARRAY(a, bool, m->n_relations + 1);
  run->mixed_a = NEW_ARRAY(a, double, m->n_relations + 1);
  run->mixed_b = NEW_ARRAY(a, double, m->n_relations + 1);
  run->mixed_values = NEW_ARRAY(a, unsigned char, m->n_relations + 1);
  run_pause_allocate(run);
  run_delays_allocate(run);
  run_transports_allocate(run);
  run_select_allocate(run);
  size_t n = (size_t)m->n_relations + 1;
  run->relations = NEW_ARRAY(a, RelationState, n);
  double **banks[] = {&run->za, &run->zb, &run->z_lo, &run->z_hi, &run->instants, &run->z_start, &run->z_before, &run->z_between, &run->side,
                      &run->size, &run->terms};
  for (size_t k = 0; k < sizeof banks / sizeof *banks; k++)
    *banks[k] = NEW_ARRAY(a, double, n);
  run->z_window = NEW_ARRAY(a, double, 5 * n);
  run->size_past = NEW_ARRAY(a, double, 2 * n);
  for (int k = 0; k < m->n_relations; k++)
    run->za[k] = m->relations[k].timed;
  run->fired = NEW_ARRAY(a, bool, n);
  run->sample_start = NEW_ARRAY(a, double, m->n_samples + 1);
  run->sample_interval = NEW_ARRAY(a, double, m->n_samples + 1);
  run->sample_next = NEW_ARRAY(a, uint64_t, m->n_samples + 1);
  run->reinit = NEW_ARRAY(a, unsigned char, m->nx + 1);
  run->reinit_value = NEW_ARRAY(a, double, m->nx + 1);
  run->atol = NEW_ARRAY(a, double, m->nx + 1);
  run_weights_allocate(run);
  run->nominal = NEW_ARRAY(a, double, m->nx + 1);
  run->trial = NEW_ARRAY(a, double, m->nx + 1);
  run->placed = NEW_ARRAY(a, double, m->nx + 1);
  run_trace_allocate(run);
}

Run *run_new(const Program *program, const RunOptions *options, Arena *a, Diags *diags) {
  Run *run = NEW(a, Run);
  RunOptions *copy = NEW(a, RunOptions);
  *copy = *options;
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
  run_modes_begin(run);
  for (int k = 0; k < run->m->n_relations; k++)
    run->monitored = run->monitored || (!run->m->relations[k].timed && run->m->relations[k].watch < 0);
  run->d.external = run_find_externals(run, run->m);
  if (!run->d.external || !run_read_options(run))
    return NULL;
  run_parts_make(run);
  run_slide_allocate(run);
  isolate_allocate(run);
  run_schedule_make(run);
  return run;
}

const RunColumn *run_columns(const Run *run, uint32_t *n) {
  *n = run->n_columns;
  return run->columns;
}

void run_free(Run *run) {
  if (!run)
    return;
  run_code_end(run);
  run_solver_free(run);
  run_modes_free(run);
  run_release(run);
}

bool run_terminated(const Run *run) { return run->terminated; }
const DsData *run_data(const Run *run) { return &run->d; }
double run_stop_time(const Run *run) { return run->stop; }
double run_start_time(const Run *run) { return run->start; }
uint32_t run_intervals(const Run *run) { return run->intervals; }
double run_rtol(const Run *run) { return run->rtol; }

/* ---- the supervisor ---- */

/* An event that is due at the start comes before the first row: nothing was there before it. */
static RunStatus first_row(Run *run) {
  bool found;
  double next = run_next_time(run, &found);
  run->row_time = run->start;
  if (found && next <= run->start && run->start < run->stop)
    return run->options->passes ? run_row(run, RUN_ROW_STEP) : RUN_OK;
  return run_row(run, RUN_ROW_GRID);
}

RunStats run_stats(const Run *run) {
  RunStats out = run->stats;
  out.end_time = run->d.time;
  return out;
}

RunStatus run_begin(Run *run, RunRowFunction *row, void *user) {
  run->row = row;
  run->row_user = user;
  run->pause = run->start;
  run->begun = true;
  run_code_begin(run);
  int n_guesses;
  const RunValue *guesses = run_guesses(run, &n_guesses);
  RunStatus status = run_initialise(run);
  if (status == RUN_OK) {
    run_tell_guesses(run, guesses, n_guesses);
    run_tell_absent(run);
    run_trace_begin(run);
    run_invariant_hold(run);
    status = first_row(run);
  }
  run->next_grid = 1;
  if (status == RUN_OK)
    status = run_begin_all(run, run->start);
  return status == RUN_OK ? run_advance(run, run->start) : status;
}

/* Up to run->pause; values are those at that time then. */
static RunStatus go_to_pause(Run *run) {
  RunStatus status = run_go_on(run);
  return status == RUN_OK && !run->terminated ? run_look(run) : status;
}

RunStatus run_settle(Run *run) {
  if (!run->settings.n)
    return RUN_OK;
  run_look_away(run);
  RunStatus status = run_happen_to_all(run, run->pause);
  return status == RUN_OK && !run->terminated ? go_to_pause(run) : status;
}

RunStatus run_advance(Run *run, double until) {
  RunStatus status = run_settle(run);
  if (status != RUN_OK || run->terminated)
    return status;
  run_look_away(run);
  run->pause = fmin(until, run->stop);
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
  run_bounds_end(run);
  run_tell_discontinuities(run);
  if (run->underway)
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
    status = run_advance(run, run->stop);
  return run_end(run, status, stats);
}
