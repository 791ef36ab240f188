/* run/rows.c -- what comes out of a run: rows of the whole at the points of the output grid and at
 * events; limits of the run.
 * Keep: a row leaves no trace. Values that have no meaning in the present structure are no numbers
 *       in it, and 0 for the equations. */
#include "run/rows.h"
#include "run/bounds.h"
#include "run/code.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/invariant.h"
#include "run/linear.h"
#include "run/look.h"
#include "run/pass.h"
#include "run/singular.h"
#include "run/slide.h"
#include "run/tell.h"
#include "run/trace.h"
#include "run/values.h"

#include <float.h>
#include <math.h>

/* ---- rows ---- */

/* What belongs to no part follows the parts that an event has changed. In the middle of it, values
 * of what slides are those of one side. */
static RunStatus observe(Run *run, const Scope *sc, bool over) {
  if (!run->divided)
    return RUN_OK;
  run_begin_evaluation(run);
  int status = over ? run_slide_observe(run, sc)
                    : run->m->part(&run->d, run->n_parts, DS_PART_OUTPUTS);
  if (status == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R604, "the model cannot be evaluated");
  return RUN_FAILED;
}

/* Derivatives that nothing in this mode determines are no numbers in the row, and 0 for all
 * others. */
static bool give_row(Run *run, const RunRow *row) {
  const DsModel *m = run->m;
  for (int k = 0; k < m->n_unsaid; k++)
    run->d.r[m->unsaid[k]] = NAN;
  bool taken = run->out->row(run->out->user, row);
  for (int k = 0; k < m->n_unsaid; k++)
    run->d.r[m->unsaid[k]] = 0;
  return taken;
}

RunStatus run_row(Run *run, const Scope *sc, RunRowKind kind) {
  bool first = run->out->next_grid == 0; /* what it says begins with the run */
  /* rows inside of an event are only written if all of it is told */
  bool event = kind == RUN_ROW_STEP || kind == RUN_ROW_AFTER;
  bool told = kind == RUN_ROW_GRID || kind == RUN_ROW_BEFORE || run->instant->told ||
              !run->instant->is_event;
  /* in the middle of an event values may still be on their way */
  RunStatus status = kind == RUN_ROW_STEP ? RUN_OK : run_check_finite(run, sc);
  /* what belongs to no part is not touched by events, and follows now */
  if (status == RUN_OK && event && told)
    status = observe(run, sc, kind != RUN_ROW_STEP);
  if (status == RUN_OK && told && kind != RUN_ROW_STEP)
    status = run_bounds_row(run);
  if (status != RUN_OK || !told)
    return status;
  /* open systems are told where their values are */
  if (kind != RUN_ROW_STEP)
    run_open_tell(run);
  run->out->time = run->d.time;
  run->instant->step = event ? run->instant->step : 0;
  RunRow row = {.time = run->d.time,
                .kind = kind,
                .step = run->instant->step,
                .data = &run->d,
                .causes = run->instant->causes,
                .n_causes = event || first ? run->instant->n_causes : 0,
                .notes = run->pass->notes.at,
                .n_notes = event ? run->pass->notes.n : 0,
                .parameters = run->out->parameters_set,
                .singular = run->singular->place,
                .n_singular = (uint32_t)run->singular->n};
  /* causes belong to rows of events, and to the first one */
  if (event || first)
    row.ended = run_tell_ending(run, &row.ended_at);
  run->out->parameters_set = false;
  status = run_invariant_row(run, kind);
  if (status != RUN_OK)
    return status;
  run_note_row(run);
  if (run->out->row && !give_row(run, &row)) {
    run->out->stop_asked = true;
    return RUN_OUTPUT;
  }
  return RUN_OK;
}

static double grid_time(const Run *run, uint32_t k) {
  return k >= run->goal.intervals
             ? run->goal.stop
             : run->goal.start + (run->goal.stop - run->goal.start) * k / run->goal.intervals;
}

static RunStatus checked(Run *run) {
  if (run_evaluate(run, run->whole, DS_PART_CHECKS) == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R605, "an assertion is violated");
  return RUN_FAILED;
}

RunStatus run_grid_rows(Run *run, double end, bool event) {
  /* the row at the time of an event is written with the event */
  double same = 16 * DBL_EPSILON * fmax(fabs(end), run->goal.stop - run->goal.start);
  while (run->out->next_grid <= run->goal.intervals) {
    double t = grid_time(run, run->out->next_grid);
    if (t > end || (event && t > end - same) || t > run->stage.pause)
      break;
    /* all parts at this time, wherever they are in their steps */
    if (run_values_at(run, run->whole, t) != NUM_OK) {
      run_tell_failure(run, D_R604, "the model cannot be evaluated");
      return RUN_FAILED;
    }
    RunStatus status = checked(run);
    if (status == RUN_OK)
      status = run_row(run, run->whole, RUN_ROW_GRID);
    if (status != RUN_OK)
      return status;
    run->out->next_grid++;
  }
  return RUN_OK;
}

bool run_on_grid(const Run *run, double t) {
  double same = 16 * DBL_EPSILON * fmax(fabs(t), run->goal.stop - run->goal.start);
  return run->out->next_grid <= run->goal.intervals &&
         grid_time(run, run->out->next_grid) <= t + same;
}

void run_skip_grid(Run *run, double t) {
  while (run_on_grid(run, t))
    run->out->next_grid++;
}

/* ---- limits ---- */

RunStatus run_check_limits(Run *run) {
  const RunOptions *o = run->options;
  /* looked at first: it costs nothing */
  if (o->progress)
    o->progress(o->progress_user);
  if (o->cancel && atomic_load(o->cancel))
    return RUN_CANCELLED;
  if (!(o->time_limit > 0) && !o->max_events)
    return RUN_OK;
  Text t = {.arena = run->a};
  if (o->time_limit > 0) {
    /* the clock begins with the first look, not with the translation */
    if (run->out->clock_start == 0)
      run->out->clock_start = run_clock();
    if (run_clock() - run->out->clock_start > o->time_limit) {
      text_real(&t, run->d.time);
      diag_add(run->diags, D_R610, (Span){0, 0},
               "the run was stopped at time %s because its computing time is used up",
               text_str(&t));
      return RUN_LIMIT;
    }
  }
  if (o->max_events && run->trace->n_events >= o->max_events) {
    text_real(&t, run->d.time);
    diag_add(run->diags, D_R610, (Span){0, 0},
             "the run was stopped at time %s after %llu events, as asked for", text_str(&t),
             (unsigned long long)run->trace->n_events);
    return RUN_LIMIT;
  }
  return RUN_OK;
}
