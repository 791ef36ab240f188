/* run/initial.c -- values at the start: parameters, start values, the initial system, then passes
 * until pre(v) = v. MLS 3.6 section 8.6: what fixed start values and initial equations leave free
 * keeps its start value. */
#include "run/initial.h"
#include "run/bounds.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/mode.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/rows.h"
#include "run/samples.h"
#include "run/scales.h"
#include "run/select.h"
#include "run/slide.h"
#include "run/starts.h"
#include "run/tell.h"
#include "run/tolerances.h"
#include "run/values.h"
#include "run/weights.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

static RunStatus read_samples(Run *run) {
  run->d.fuel = run_fuel;
  run->d.top = 0;
  if (run->m->samples(&run->d, run->samples->start, run->samples->interval) != NUM_OK)
    return RUN_INIT_FAILED;
  for (int k = 0; k < run->m->n_samples; k++) {
    double t0 = run->samples->start[k];
    double dt = run->samples->interval[k];
    if (!(dt > 0) || !isfinite(t0)) {
      diag_add(run->diags, D_I501, (Span){0, 0}, "sample() has an interval that is not positive");
      return RUN_INIT_FAILED;
    }
    /* the first one not before the start */
    double n = ceil((run->goal.start - t0) / dt);
    run->samples->next[k] = n > 0 ? (uint64_t)n : 0;
    /* and no rounding may lose the one at the start */
    while (run->samples->next[k] &&
           t0 + (double)(run->samples->next[k] - 1) * dt >= run->goal.start)
      run->samples->next[k]--;
  }
  return RUN_OK;
}

RunStatus run_read_tolerances(Run *run) {
  run->d.fuel = run_fuel;
  run->d.top = 0;
  if (run->m->nominal(&run->d, run->scales->nominal) != NUM_OK)
    return RUN_INIT_FAILED;
  double factor = run->options->atol_factor > 0 ? run->options->atol_factor : 0.01;
  /* 1 where nothing is declared */
  for (int k = 0; k < run->m->nx; k++)
    run->scales->atol[k] = factor * run->goal.rtol *
                           (run->scales->nominal[k] > 0 && isfinite(run->scales->nominal[k])
                                ? run->scales->nominal[k]
                                : 1);
  /* what the model says nothing about has no bounds */
  for (int k = 0; k < run->m->n_real; k++) {
    run->scales->nominals[k] = 0;
    run->scales->low[k] = -INFINITY;
    run->scales->high[k] = INFINITY;
  }
  run->d.fuel = run_fuel;
  run->d.top = 0;
  if (run->m->bounds(&run->d, run->scales->nominals, run->scales->low, run->scales->high) != NUM_OK)
    return RUN_INIT_FAILED;
  return RUN_OK;
}

static RunStatus failed(Run *run) {
  run_tell_failure(run, D_I501, "no consistent initial values");
  return RUN_INIT_FAILED;
}

/* Initial conditions beyond those that were needed must hold, too. */
static RunStatus check_redundant(Run *run) {
  int n = run->m->n_redundant;
  run->d.fuel = run_fuel;
  run->d.top = 0;
  if (n && run->m->redundancy(&run->d, run->starts->redundant) != NUM_OK)
    return failed(run);
  RunStatus status = RUN_OK;
  for (int k = 0; k < n; k++) {
    double a = run->starts->redundant[2 * k];
    double b = run->starts->redundant[2 * k + 1];
    if (fabs(a - b) <=
        run_tolerances.redundant * (fmax(fabs(a), fabs(b)) + run_tolerances.redundant))
      continue;
    run_tell_contradiction(run, k);
    status = RUN_INIT_FAILED;
  }
  return status;
}

/* The conditions are what they were before the start, and the first pass finds out where they
 * lead. */
static void hold_conditions(Run *run) {
  for (int k = 0; k < run->m->n_conditions; k++)
    run->d.i[run->m->conditions[k]] = run->m->mode[k];
}

/* In the present structure; `changed`: the values found want another one; NULL: that is the mode
 * from before the start. */
static RunStatus initialise(Run *run, bool *changed) {
  DsData *d = &run->d;
  d->time = run->goal.start;
  d->initial = 1;
  run->stage.terminated = run->out->ending.any = false; /* in a mode that was given up */
  /* the actual form, unless somebody asks for the simplified one */
  if (run->m->homotopy >= 0)
    d->r[run->m->homotopy] = 1;
  if (run_evaluate(run, run->whole, DO_PARAMETERS) != NUM_OK ||
      run_evaluate(run, run->whole, DO_START) != NUM_OK)
    return failed(run);
  /* pre values begin with the start values */
  run_commit(run, run->whole);
  RunStatus status = run_read_tolerances(run);
  if (status != RUN_OK)
    return run->failure.any ? failed(run) : status;
  status = run_bounds_parameters(run, false);
  if (status == RUN_OK)
    status = run_bounds_starts(run);
  if (status != RUN_OK)
    return status;
  /* the choice among candidates needs start values, and the system needs the choice */
  run_select_first(run);
  run_starts_note(run);
  run->starts->off_path.n = 0;
  status = run_equations(run, run->whole, DO_INITIAL);
  /* the values found may want another mode: then all begins again in that */
  if (status == RUN_OK && changed)
    status = run_initial_in_mode(run, changed);
  if (status != RUN_OK || (changed && *changed))
    return status;
  if (changed)
    run_starts_project(run);
  else
    hold_conditions(run);
  run_tell_paths(run);
  if (!run_all_finite(d->r, 2 * run->m->nx))
    return failed(run);
  status = check_redundant(run);
  /* parameters that the initial equations determine are known now, also to what depends on them */
  if (status == RUN_OK && (run_read_tolerances(run) != RUN_OK || read_samples(run) != RUN_OK))
    status = run->failure.any ? failed(run) : RUN_INIT_FAILED;
  if (status == RUN_OK)
    run_select_found(run);
  if (status == RUN_OK)
    status = run_bounds_parameters(run, true);
  if (status == RUN_OK)
    run_bounds_begin(run);
  if (status != RUN_OK)
    return status;
  /* reinit and the like of initial() act once */
  if (run_evaluate(run, run->whole, DS_PART_ACTIONS) != NUM_OK)
    return failed(run);
  run_commit(run, run->whole);
  d->initial = 0;
  /* the past begins here, before the first pass reads it */
  run_delays_begin(run);
  if (run_transports_begin(run) != NUM_OK || run_delays_record(run, true) != NUM_OK)
    return failed(run);
  if (run->rel->monitored && run_indicators(run, run->whole, run->rel->z_lo) != NUM_OK)
    return failed(run);
  for (int k = 0; k < run->m->n_relations; k++)
    side_start(run, k);
  status = run_settle_initially(run->instant);
  if (status != RUN_OK)
    return status;
  /* the pass may have changed what is delayed */
  if (run_delays_record(run, true) != NUM_OK ||
      (run->rel->monitored && run_indicators(run, run->whole, run->rel->z_lo) != NUM_OK))
    return failed(run);
  if (run->own.slide && run_slide_begin(run, run->whole) != NUM_OK)
    return failed(run);
  for (int k = 0; k < run->m->n_relations; k++)
    if (!run->m->relations[k].timed)
      side_settled(run, k);
  if (run_evaluate(run, run->whole, DS_PART_CHECKS) != NUM_OK)
    return failed(run);
  run_weights_begin(run);
  return RUN_OK;
}

/* From the present structure on, until the values found belong to the one that they were found
 * in. */
static RunStatus initialise_from_here(Run *run) {
  bool changed = true;
  RunStatus status = RUN_OK;
  run->starts->modes.n = 0;
  while (status == RUN_OK && changed)
    status = initialise(run, &changed);
  return status;
}

/* The mode to begin with is a guess. Where it leads nowhere others are tried: those with one
 * condition otherwise, two, ... */
RunStatus run_initialise(Run *run) {
  uint32_t mark = diags_count(run->diags);
  run_mode_first(run);
  int n = run->m->n_conditions < MOST_MODES_VARIED ? run->m->n_conditions : MOST_MODES_VARIED;
  RunStatus status = initialise_from_here(run);
  uint32_t told = diags_count(run->diags);
  if (status == RUN_INIT_FAILED && run_mode_before(run)) {
    RunStatus before = initialise(run, NULL);
    diags_rewind(run->diags, before == RUN_OK ? mark : told);
    if (before == RUN_OK)
      run_starts_tell(run);
    if (before == RUN_OK)
      return RUN_OK;
  }
  for (int flips = 1; flips <= n; flips++)
    for (unsigned bits = 1; bits < 1u << n && status == RUN_INIT_FAILED; bits++) {
      /* an attempt that fails leaves no messages */
      uint32_t now = diags_count(run->diags);
      if (__builtin_popcount(bits) != flips || !run_mode_begin(run, bits))
        continue;
      RunStatus other = initialise_from_here(run);
      diags_rewind(run->diags, other == RUN_OK ? mark : now);
      if (other == RUN_OK)
        return RUN_OK;
    }
  return status;
}
