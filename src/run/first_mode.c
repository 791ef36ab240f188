/* run/first_mode.c -- the first instant of a model whose equations change with the mode.
 * Start values that are not fixed are those from before the first instant: if the mode that holds
 * from the start on binds them, they change as at any other instant, by conservation (jump.c). The
 * initial system is then solved again from there, so that fixed values and initial equations hold
 * as they stand; where these leave nothing to conserve they decide.
 * If the first mode contradicts fixed values, and Booleans that choose the mode have fixed start
 * values, too, the run begins in the mode of these, and the first event leads on: a collision that
 * begins in touch.
 * Keep: what moves is told, variable by variable (I503). */
#include "run/core.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/mode.h"
#include "run/pass.h"
#include "run/scales.h"
#include "run/starts.h"
#include "run/values.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "structure/structure.h"

/* ---- which start values count ---- */

static bool has_start(const Run *run, int k) {
  int v = run->starts->variables[k];
  return v >= 0 && (run->starts->given[v] || run->m->variables[v].flags & DS_HAS_START);
}

static bool is_fixed(const Run *run, int k) {
  int v = run->starts->variables[k];
  return v >= 0 && run->m->variables[v].flags & DS_FIXED;
}

/* Two values of state k differ; what is below the tolerances of the run does not count. */
static bool differ(const Run *run, int k, double a, double b) {
  return fabs(a - b) > run->goal.rtol * fmax(fabs(a), fabs(b)) + run->scales->atol[k];
}

/* It has not kept its start value. */
static bool is_other(const Run *run, int k) {
  return differ(run, k, run->d.r[k], run->starts->states[k]);
}

/* ---- the projection ---- */

void run_starts_note(Run *run) {
  if (!run->m->n_conditions)
    return;
  memcpy(run->starts->states, run->d.r, (size_t)run->m->nx * sizeof(double));
  for (int k = 0; k < run->m->nx; k++)
    run->starts->variables[k] = -1;
  /* of several names of one state the first one speaks for it */
  for (int v = run->m->n_variables; v-- > 0;) {
    const DsVariable *of = &run->m->variables[v];
    if (of->type == DS_REAL && of->place >= 0 && of->place < run->m->nx)
      run->starts->variables[of->place] = v;
  }
}

/* The values from before the first instant: start values that are not fixed, and what else the
 * initial system has found. */
static void set_before(Run *run) {
  for (int k = 0; k < run->m->nx; k++)
    if (has_start(run, k) && !is_fixed(run, k))
      run->d.r[k] = run->starts->states[k];
}

/* The jump from there moves state k. */
static bool is_bound(const Run *run, int k) {
  return differ(run, k, run->pass->before_jump[k], run->pass->after_jump[k]);
}

/* From the start values over the jump to values with which the initial system holds. False: there
 * is no such way, or the mode binds states that have no start value, so that nothing is said about
 * what was before. */
static bool project(Run *run) {
  set_before(run);
  bool ok = run_jump_in_mode(run) == RUN_OK;
  run_clear_pulses(run);
  /* the look at the jump leaves nothing behind but where it led */
  run_unsave(run, run->whole, run->pass->before);
  for (int k = 0; k < run->m->nx && ok; k++)
    ok = !is_bound(run, k) || has_start(run, k) || is_fixed(run, k);
  /* fixed start values hold against the jump */
  for (int k = 0; k < run->m->nx && ok; k++)
    if (is_bound(run, k) && !is_fixed(run, k))
      run->d.r[k] = run->pass->after_jump[k];
  return ok && run_equations(run, run->whole, DO_INITIAL) == RUN_OK &&
         run_all_finite(run->d.r, 2 * run->m->nx) && run_mode_agrees(run);
}

/* ---- what is told ---- */

static Span declared(const Run *run, int variable) {
  const Structure *s = run->options->structure;
  return s && (uint32_t)variable < s->model->vars.n ? s->model->vars.at[variable].span
                                                    : (Span){0, 0};
}

typedef struct {
  Diag *d;
  int n;
} Told;

static void tell(Run *run, Told *told, int k) {
  int v = run->starts->variables[k];
  Text from = {.arena = run->a}, to = {.arena = run->a};
  text_real(&from, run->starts->states[k]);
  text_real(&to, run->d.r[k]);
  if (!told->d)
    told->d = diag_add(
        run->diags, D_I503, declared(run, v),
        "start values change in the first instant, because of the mode that it leads to");
  if (told->n++ < MOST_STARTS_TOLD)
    diag_note(run->diags, told->d, "`%s` begins with %s in place of %s", run->m->variables[v].name,
              text_str(&to), text_str(&from));
}

static void end_telling(Run *run, const Told *told) {
  if (told->n > MOST_STARTS_TOLD)
    diag_note(run->diags, told->d, "and %d more", told->n - MOST_STARTS_TOLD);
}

/* Those that the jump has moved, or any. */
static void tell_moved(Run *run, bool any) {
  Told told = {0};
  for (int k = 0; k < run->m->nx; k++)
    if (has_start(run, k) && is_other(run, k) && (any || is_bound(run, k)))
      tell(run, &told, k);
  end_telling(run, &told);
}

void run_starts_tell(Run *run) { tell_moved(run, true); }

void run_starts_project(Run *run) {
  bool moved = false;
  for (int k = 0; k < run->m->nx && run->m->n_jumps && !moved; k++)
    moved = is_other(run, k) && has_start(run, k) && !is_fixed(run, k);
  if (!moved)
    return;
  uint32_t mark = diags_count(run->diags);
  run_save(run, run->whole, run->pass->before);
  bool ok = project(run);
  if (!ok) { /* what the initial system has found stays */
    diags_rewind(run->diags, mark);
    run->failure.any = false;
    run_unsave(run, run->whole, run->pass->before);
  }
  tell_moved(run, !ok);
}
