/* run/jump.c -- values after a change of structure, and the Dirac pulses that bring them about.
 * In:   the values before the change; the new structure.   Out: states that fit its constraints;
 *       areas of pulses at their places in r (DsPulse), and of relations.
 * How:  each group of equations that binds states (DsJump) is E x' + A x + b = 0: what E x
 *       conserves is conserved, the rest of the model gives b (numeric/jump.h). Values outside of a
 *       group, and coefficients that depend on values, are those after the jump: the equations are
 *       evaluated and the groups solved again, always from the values before, until nothing moves.
 *       Where E depends on x it is the mean along the straight way from before to after, so that
 *       what E x' is the derivative of is conserved; where it is the derivative of nothing that is
 *       said.
 * Keep: matrices that come again are not prepared again. */
#include "run/core.h"
#include "run/evaluate.h"
#include "run/linear.h"
#include "run/mode.h"
#include "run/pass.h"
#include "run/scales.h"
#include "run/tell.h"
#include "run/workspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "numeric/jump.h"

enum { LARGE = 24 }; /* unknowns: where cutting pays */
/* Relative change of the states between two rounds that no longer counts */
static const double SETTLED = 1e-12;
static const double LOOSE = 1e-6; /* the same after MOST_JUMP_ROUNDS */
/* Part of a conserved quantity that may depend on the way of the jump */
static const double WAY = 1e-6;
static const double ERROR = 10; /* what is below that many tolerances is no jump */

/* One DsJump at work. */
struct RunJump {
  const DsJump *of;
  double *entries; /* that `prepared` was made from; first the entries of E, then those of A */
  Jump *prepared;  /* NULL: not yet */
  Arena *arena;    /* of prepared */
  double *e, *a;   /* n*n */
  double *before, *after, *b, *area, *error, *work; /* b: 2 n, area: orders * n */
  size_t room_area, room_work;
  bool *touched; /* n: for energy_of */
  JumpEnd end;
  int order;
};

void run_jumps_allocate(Run *run, RunJumps *out) {
  const DsModel *m = run->m;
  *out = (RunJumps){.n = m->n_jumps, .at = NEW_ARRAY(run->a, RunJump, m->n_jumps + 1)};
  size_t values = 1;
  for (int k = 0; k < m->n_jumps; k++) {
    const DsJump *of = &m->jumps[k];
    RunJump *j = &out->at[k];
    size_t n = (size_t)of->n;
    j->of = of;
    j->entries = NEW_ARRAY(run->a, double, of->n_rates + of->n_values + 1);
    j->e = NEW_ARRAY(run->a, double, n *n);
    j->a = NEW_ARRAY(run->a, double, n *n);
    j->before = NEW_ARRAY(run->a, double, 5 * n);
    j->after = j->before + n;
    j->b = j->after + n;
    j->error = j->b + 2 * n;
    j->touched = NEW_ARRAY(run->a, bool, n + 1);
    /* entries, residuals, and the derivatives of these with respect to time */
    values += (size_t)(of->n_rates + of->n_values) + 2 * n;
  }
  out->n_values = values;
  out->values = NEW_ARRAY(run->a, double, values);
  out->mean = NEW_ARRAY(run->a, double, values);
  out->trial = NEW_ARRAY(run->a, double, values);
}

/* ---- messages ---- */

static const char *variable_name(const Run *run, const DsJump *of, int k) {
  return run->m->variables[of->variables[k]].name;
}

static Diag *tell(Run *run, const DsJump *of, int equation, const char *what) {
  Text time = {.arena = run->a};
  text_real(&time, run->d.time);
  DsPlace at = run->m->places[of->equations[equation >= 0 ? equation : 0]];
  Diag *d = diag_add(run->diags, D_R621, (Span){at.lo, at.hi}, "%s at time %s", what,
                     text_str(&time));
  Text mode = {.arena = run->a};
  run_mode_text(run, &mode);
  diag_note(run->diags, d, "in the mode: %s", text_str(&mode));
  return d;
}

static void label_equations(Run *run, Diag *d, const DsJump *of, const int *which, int n,
                            const char *text) {
  for (int k = 0; k < n && k < 6; k++) {
    DsPlace at = run->m->places[of->equations[which ? which[k] : k]];
    diag_label(run->diags, d, (Span){at.lo, at.hi}, "%s", text);
  }
}

static void name_unknowns(Run *run, Diag *d, const DsJump *of, const int *which, int n,
                          const char *before) {
  Text t = {.arena = run->a};
  for (int k = 0; k < n && k < 6; k++)
    text_printf(&t, "%s`%s`", k ? ", " : "", variable_name(run, of, which ? which[k] : k));
  if (n)
    diag_note(run->diags, d, "%s %s%s", before, text_str(&t), n > 6 ? ", ..." : "");
}

static RunStatus tell_singular(Run *run, const RunJump *j) {
  const Descriptor *f = j->prepared->form;
  /* the first of the equations that depend on each other, if they are known */
  Diag *d = tell(run, j->of, f->bound_equations ? f->bound_equation[0] : -1,
                 f->end == DESCRIPTOR_NOT_FINITE
                     ? "the equations that bind states have coefficients that are not finite"
                     : "the equations of the new mode do not determine what happens");
  name_unknowns(run, d, j->of, f->free_unknown, f->free_unknowns, "nothing determines");
  label_equations(run, d, j->of, f->bound_equation, f->bound_equations,
                  "these depend on each other");
  return RUN_FAILED;
}

static RunStatus tell_infinite(Run *run, const RunJump *j, int worst) {
  Diag *d = tell(
      run, j->of, -1,
      "the change of mode takes infinite energy: it would need the derivative of a Dirac pulse");
  if (worst >= 0)
    diag_note(run->diags, d, "it would be in `%s`", variable_name(run, j->of, worst));
  label_equations(run, d, j->of, NULL, j->of->n, "bound by this");
  diag_help(run->diags, d,
            "a position cannot jump: let the mode begin where its constraint holds, or set the "
            "states with reinit; `--pulses any` allows it");
  return RUN_FAILED;
}

/* ---- one group ---- */

static void assemble(RunJump *j) {
  const DsJump *of = j->of;
  size_t n = (size_t)of->n;
  memset(j->e, 0, n * n * sizeof *j->e);
  memset(j->a, 0, n * n * sizeof *j->a);
  /* the entries of E stand first */
  for (int q = 0; q < of->n_rates + of->n_values; q++)
    (q < of->n_rates ? j->e
                     : j->a)[(size_t)of->rows[q] * n + (size_t)of->columns[q]] = j->entries[q];
}

static RunStatus prepare(Run *run, RunJump *j, const double *entries) {
  size_t n = (size_t)(j->of->n_rates + j->of->n_values);
  /* a mode that is entered again often has the same coefficients */
  if (j->prepared && !memcmp(j->entries, entries, n * sizeof *entries))
    return j->prepared->form->end == DESCRIPTOR_OK ? RUN_OK : tell_singular(run, j);
  memcpy(j->entries, entries, n * sizeof *entries);
  assemble(j);
  if (j->arena)
    arena_free(j->arena);
  j->prepared = NULL;
  j->arena = NULL; /* memory may be exhausted below */
  j->arena = arena_new(arena_memory(run->a));
  j->prepared = j->of->n > LARGE ? jump_prepare_large(j->arena, j->of->n, j->e, j->a)
                                 : jump_prepare(j->arena, j->of->n, j->of->n, j->e, j->a, NULL);
  if (j->prepared->form->end != DESCRIPTOR_OK)
    return tell_singular(run, j);
  if (j->prepared->form->doubtful) {
    Text mode = {.arena = run->a};
    run_mode_text(run, &mode);
    Diag *d = diag_add(run->diags, D_R622, (Span){0, 0},
                       "it is not certain which equations of a mode depend on each other");
    diag_note(run->diags, d, "in the mode: %s", text_str(&mode));
  }
  size_t area = (size_t)(j->prepared->pulses + 1) * (size_t)j->of->n;
  size_t work = jump_work(j->prepared);
  if (area > j->room_area) {
    j->area = NEW_ARRAY(run->a, double, area);
    j->room_area = area;
  }
  if (work > j->room_work) {
    j->work = NEW_ARRAY(run->a, double, work);
    j->room_work = work;
  }
  return RUN_OK;
}

/* b = f - E x' - A x at the present values, so that it is right for every x if the equations are
 * linear, else near these. */
static void find_b(Run *run, RunJump *j, const double *values) {
  const DsJump *of = j->of;
  const double *entries = values;
  const double *f = values + of->n_rates + of->n_values;
  const double *r = run->d.r;
  for (int i = 0; i < of->n; i++) {
    j->b[i] = f[i];
    j->b[of->n + i] = f[of->n + i];
  }
  for (int q = 0; q < of->n_rates + of->n_values; q++) {
    int column = of->columns[q];
    /* an unknown without derivative in the model has none here */
    j->b[of->rows[q]] -= entries[q] * (q >= of->n_rates        ? r[of->places[column]]
                                       : of->ders[column] >= 0 ? r[of->ders[column]]
                                                               : 0);
  }
}

/* An unknown with a pulse whose derivative occurs in other equations; -1: none. */
static int differentiated_pulse(const RunJump *j) {
  for (int i = 0; i < j->of->n && j->order > 0; i++)
    if (j->of->areas[j->of->n + i] >= 0 && j->area[i] != 0)
      return i;
  return -1;
}

/* `mean`: the entries, with those of E along the way. */
static RunStatus solve(Run *run, RunJump *j, const double *values, const double *mean) {
  const DsJump *of = j->of;
  RunStatus status = prepare(run, j, mean);
  if (status != RUN_OK)
    return status;
  find_b(run, j, values);
  for (int i = 0; i < of->n; i++) {
    int place = of->places[i];
    bool state = place < run->m->nx;
    /* states begin where the old mode left them, other unknowns where they stand */
    j->before[i] = state ? run->pass->before_jump[place] : run->d.r[place];
    j->error[i] = ERROR * (run->goal.rtol * fabs(j->before[i]) +
                           (state ? run->scales->atol[place] : run->goal.rtol));
  }
  int pulses = j->prepared->pulses;
  /* a prepared group has room for pulses of every order that it can have */
  memset(j->area, 0, (size_t)(pulses + 1) * (size_t)of->n * sizeof *j->area);
  JumpInput in = {.x = j->before, .b = j->b, .given = 2, .error = j->error};
  JumpOutput out = {.x = j->after, .area = j->area};
  j->end = jump_apply(j->prepared, &in, &out, j->work);
  j->order = out.order;
  if (j->end == JUMP_NOT_FINITE) {
    tell(run, of, -1, "values that the change of mode depends on are not finite");
    return RUN_FAILED;
  }
  /* infinite energy: a pulse that the group finds, or one that others would differentiate */
  int worst = j->end == JUMP_INFINITE ? out.worst : differentiated_pulse(j);
  if (worst >= 0 && !run->options->any_pulses)
    return tell_infinite(run, j, worst);
  return RUN_OK;
}

/* ---- all groups ---- */

/* The states after the jump, and areas; how far the states are from those of the round before,
 * relative. */
static double take(Run *run, RunJump *j) {
  const DsJump *of = j->of;
  double *r = run->d.r, moved = 0;
  for (int i = 0; i < of->n; i++) {
    int place = of->places[i];
    bool state = place < run->m->nx;
    /* no pulse in this jump: areas of the last one are gone */
    if (of->areas[i] >= 0)
      r[of->areas[i]] = j->order > 0 && j->prepared->pulses > 0 ? j->area[i] : 0;
    double step = j->after[i] - j->before[i];
    /* what the group leaves free jumps, too, if its derivative matters to equations elsewhere
     * only */
    if (of->areas[of->n + i] >= 0)
      r[of->areas[of->n + i]] = j->end == JUMP_NONE && fabs(step) <= j->error[i] ? 0 : step;
    if (!state)
      continue;
    double *last = &run->pass->after_jump[place];
    moved = fmax(moved, fabs(j->after[i] - *last) /
                            (fabs(j->after[i]) + fabs(j->before[i]) + run->scales->atol[place]));
    *last = j->after[i];
  }
  return moved;
}

/* States beyond the groups, whose derivatives have pulses. */
static double step_states(Run *run) {
  double moved = 0;
  for (int k = 0; k < run->m->n_pulses; k++) {
    const DsPulse *p = &run->m->pulses[k];
    if (p->state < 0)
      continue;
    double after = run->pass->before_jump[p->state] + run->d.r[p->place];
    double *last = &run->pass->after_jump[p->state];
    moved = fmax(moved,
                 fabs(after - *last) / (fabs(after) + fabs(run->pass->before_jump[p->state]) +
                                        run->scales->atol[p->state]));
    *last = after;
  }
  return moved;
}

static RunStatus check_areas(Run *run) {
  for (int k = 0; k < run->m->n_pulses; k++) {
    const DsPulse *p = &run->m->pulses[k];
    if (fabs(run->d.r[p->place]) < DBL_MAX / 2)
      continue;
    int v = p->variable < 0 ? -1 - p->variable : p->variable;
    Text time = {.arena = run->a};
    text_real(&time, run->d.time);
    Diag *d = diag_add(
        run->diags, D_R621, (Span){0, 0},
        "`%s` is a nonlinear function of a Dirac pulse, which has no meaning, at time %s",
        run->m->variables[v].name, text_str(&time));
    Text mode = {.arena = run->a};
    run_mode_text(run, &mode);
    diag_note(run->diags, d, "in the mode: %s", text_str(&mode));
    return RUN_FAILED;
  }
  return RUN_OK;
}

static RunStatus evaluation_failed(Run *run) {
  run_tell_failure(run, D_R604, "the model cannot be evaluated where its mode changes");
  return RUN_FAILED;
}

/* singular systems are no failure here: the right point may still be ahead */
static int evaluate(Run *run) {
  run->failure.any = false;
  run->eval.rescue = true;
  run_forget_matrices(run, run->whole);
  int code = run_evaluate(run, run->whole, DS_PART_EVENTS);
  run->eval.rescue = false;
  return code;
}

static int size_of(const DsJump *of) { return of->n_rates + of->n_values + 2 * of->n; }

/* Adds to `sum`, for each entry of E, its integral along a straight way in units of the whole:
 * states go from `from` to `to`. */
static bool integrate(Run *run, RunJumps *js, const double *from, const double *to, double *sum) {
  enum { PANELS = 8 };
  static const double point[] = {0.112701665379258311, 0.5, 0.887298334620741689},
                      weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  DsData *d = &run->d;
  /* Gauss, three points in each panel: exact for inertias of degree 5 */
  for (int p = 0; p < 3 * PANELS; p++) {
    double theta = (p / 3 + point[p % 3]) / PANELS;
    for (int k = 0; k < run->m->nx; k++)
      d->r[k] = from[k] + theta * (to[k] - from[k]);
    run_begin_evaluation(run);
    if (run->m->jump(d, js->trial) != NUM_OK)
      return false;
    size_t at = 0;
    for (int k = 0; k < js->n; at += (size_t)size_of(js->at[k++].of))
      for (int q = 0; q < js->at[k].of->n_rates; q++)
        sum[at + (size_t)q] += weight[p % 3] / PANELS * js->trial[at + (size_t)q];
  }
  return true;
}

/* js->mean: js->values, with the entries of E replaced by their mean along the way of the jump if
 * they vary. The states are those after the jump, and are so again at the end. */
static bool average(Run *run, RunJumps *js) {
  size_t bytes = (size_t)run->m->nx * sizeof *run->d.r, at = 0;
  memcpy(js->mean, js->values, js->n_values * sizeof *js->mean);
  if (!js->curved || !memcmp(run->pass->before_jump, run->pass->after_jump, bytes))
    return true;
  for (int k = 0; k < js->n; at += (size_t)size_of(js->at[k++].of))
    memset(js->mean + at, 0, (size_t)js->at[k].of->n_rates * sizeof *js->mean);
  bool ok = integrate(run, js, run->pass->before_jump, run->pass->after_jump, js->mean);
  memcpy(run->d.r, run->pass->after_jump, bytes);
  return ok;
}

/* Is what E x' is the derivative of the same whichever way the states go? Another way: every other
 * state first. */
static void check_way(Run *run, RunJumps *js) {
  int nx = run->m->nx;
  size_t bytes = (size_t)nx * sizeof *run->d.r;
  double *corner = NEW_ARRAY(run->a, double, nx + 1);
  double *first = NEW_ARRAY(run->a, double, 2 * js->n_values);
  double *second = first + js->n_values;
  for (int k = 0; k < nx; k++)
    corner[k] = k % 2 ? run->pass->before_jump[k] : run->pass->after_jump[k];
  bool ok = integrate(run, js, run->pass->before_jump, corner, first) &&
            integrate(run, js, corner, run->pass->after_jump, second);
  memcpy(run->d.r, run->pass->after_jump, bytes);
  size_t at = 0;
  double most = 0;
  for (int k = 0; k < js->n && ok; at += (size_t)size_of(js->at[k++].of)) {
    const DsJump *of = js->at[k].of;
    for (int row = 0; row < of->n; row++) {
      double straight = 0;
      double other = 0;
      double size = 0;
      for (int q = 0; q < of->n_rates; q++) {
        int i = of->columns[q], place = of->places[i];
        if (of->rows[q] != row || place >= nx)
          continue;
        double step = run->pass->after_jump[place] - run->pass->before_jump[place];
        double term = js->mean[at + (size_t)q] * step;
        straight += term;
        size += fabs(term);
        other += (place % 2 ? second : first)[at + (size_t)q] * step;
      }
      most = size > 0 ? fmax(most, fabs(straight - other) / size) : most;
    }
  }
  if (!(most > WAY))
    return;
  Text mode = {.arena = run->a};
  run_mode_text(run, &mode);
  DsPlace place = run->m->places[js->at[0].of->equations[0]];
  Diag *d = diag_add(run->diags, D_R622, (Span){place.lo, place.hi},
                     "what is conserved in this change of mode depends on the way: nothing is the "
                     "integral of its derivatives");
  diag_note(run->diags, d, "in the mode: %s", text_str(&mode));
  diag_help(run->diags, d,
            "write the conserved quantity itself: der(m*v) = F in place of m*der(v) = F with an m "
            "that jumps, too");
}

/* Do entries of E depend on the states? Asked once, at two points that are far enough apart. */
static void look_for_curves(Run *run, RunJumps *js) {
  DsData *d = &run->d;
  int nx = run->m->nx;
  js->looked = true;
  js->curved = false;
  /* to no point in particular: coefficients that vary agree there by accident only */
  for (int k = 0; k < nx; k++)
    d->r[k] = run->pass->after_jump[k] +
              0.37 * (1 + fabs(run->pass->after_jump[k])) * (1 + 0.1 * k);
  run_begin_evaluation(run);
  bool ok = run->m->jump(d, js->trial) == NUM_OK;
  memcpy(d->r, run->pass->after_jump, (size_t)nx * sizeof *d->r);
  size_t at = 0;
  for (int k = 0; k < js->n; at += (size_t)size_of(js->at[k++].of))
    for (int q = 0; q < js->at[k].of->n_rates && !js->curved; q++)
      js->curved = !ok || js->trial[at + (size_t)q] != js->values[at + (size_t)q];
}

/* One round: equations at the present states, then all groups. */
static RunStatus jump_once(Run *run, RunJumps *js, double *moved) {
  DsData *d = &run->d;
  /* equations are those of the states after the jump, as far as the last round knows them */
  memcpy(d->r, run->pass->after_jump, (size_t)run->m->nx * sizeof *d->r);
  evaluate(run); /* what cannot be evaluated here may be so after the jump */
  /* the evaluation may have moved states that follow from others */
  memcpy(d->r, run->pass->after_jump, (size_t)run->m->nx * sizeof *d->r);
  run_begin_evaluation(run);
  if (run->m->jump(d, js->values) != NUM_OK)
    return evaluation_failed(run);
  if (!js->looked)
    look_for_curves(run, js);
  if (!average(run, js))
    return evaluation_failed(run);
  const double *values = js->values, *mean = js->mean;
  *moved = 0;
  for (int k = 0; k < js->n; k++) {
    /* each group jumps from the same values; what couples them comes with the next round */
    RunJump *j = &js->at[k];
    RunStatus status = solve(run, j, values, mean);
    if (status != RUN_OK)
      return status;
    *moved = fmax(*moved, take(run, j));
    values += size_of(j->of);
    mean += size_of(j->of);
  }
  /* areas beyond the groups follow from those inside */
  run_begin_evaluation(run);
  if (run->m->spread(d) != NUM_OK)
    return evaluation_failed(run);
  *moved = fmax(*moved, step_states(run));
  return check_areas(run);
}

void run_clear_pulses(Run *run) {
  for (int k = 0; k < run->m->n_pulses; k++)
    run->d.r[run->m->pulses[k].place] = 0;
  if (run->pass->relation_area)
    memset(run->pass->relation_area, 0,
           (size_t)run->m->n_relations * sizeof *run->pass->relation_area);
  run->pass->has_pulses = false;
}

RunStatus run_jump(Run *run, RunJumps *js) {
  run_clear_pulses(run);
  if (!js->n)
    return RUN_OK;
  DsData *d = &run->d;
  size_t bytes = (size_t)run->m->nx * sizeof *d->r;
  memcpy(run->pass->before_jump, d->r, bytes);
  memcpy(run->pass->after_jump, d->r, bytes);
  double moved = INFINITY;
  /* nothing moves any more: what was assumed about the jump agrees with it */
  for (int round = 0; round < MOST_JUMP_ROUNDS && moved > SETTLED; round++) {
    RunStatus status = jump_once(run, js, &moved);
    if (status != RUN_OK)
      return status;
  }
  memcpy(d->r, run->pass->after_jump, bytes);
  if (moved > LOOSE) {
    tell(run, js->at[0].of, -1, "the values after a change of mode cannot be found");
    return RUN_FAILED;
  }
  /* only where E varies there is more than one way */
  if (js->curved && memcmp(run->pass->before_jump, run->pass->after_jump, bytes))
    check_way(run, js);
  for (int k = 0; k < run->m->n_pulses && !run->pass->has_pulses; k++)
    run->pass->has_pulses = d->r[run->m->pulses[k].place] != 0;
  run_begin_evaluation(run);
  return !run->pass->has_pulses || run->m->relation_areas(d, run->pass->relation_area) == NUM_OK
             ? RUN_OK
             : evaluation_failed(run);
}

/* ---- what it did ---- */

/* Units of which half the square, times a coefficient, is an energy; no unit may be one. */
static bool may_store(const char *unit) {
  static const char *const units[] = {"", "m/s", "rad/s", "V", "A", "Pa", "m3/s"};
  for (size_t k = 0; k < sizeof units / sizeof *units; k++)
    if (!strcmp(unit, units[k]))
      return true;
  return false;
}

static bool states_jumped(const RunJump *j) {
  /* an unknown that follows from others loses no energy by jumping */
  for (int i = 0; i < j->of->n && j->end != JUMP_NONE; i++)
    if (j->prepared->form->differential[i] && fabs(j->after[i] - j->before[i]) > j->error[i])
      return true;
  return false;
}

static double energy_of(const Run *run, const RunJump *j) {
  if (j->end != JUMP_DIRAC)
    return NAN;
  memset(j->touched, 0, (size_t)j->of->n * sizeof *j->touched);
  double lost = jump_energy_lost(
      &(JumpEnergy){j->prepared, j->e, j->a, j->before, j->after, j->area, arena_memory(run->a)},
      j->touched);
  /* half the square of another unit is no energy: better no number than a wrong one */
  for (int i = 0; i < j->of->n; i++)
    if (j->touched[i] && !may_store(run->m->variables[j->of->variables[i]].unit))
      return NAN;
  return lost;
}

RunJumped run_jumped(const Run *run, const RunJumps *js) {
  RunJumped out = {0};
  for (int k = 0; k < js->n; k++) {
    const RunJump *j = &js->at[k];
    if (j->prepared->form->index > out.index)
      out.index = j->prepared->form->index;
    if (!states_jumped(j))
      continue;
    out.jumped = true;
    /* Inertias that vary say nothing about energy */
    out.energy += js->curved ? NAN : energy_of(run, j);
  }
  for (int k = 0; k < run->m->n_pulses; k++) {
    const DsPulse *p = &run->m->pulses[k];
    if (p->state < 0 || run->d.r[p->place] == 0)
      continue;
    out.jumped = true;
    out.energy = NAN; /* of what is beyond the groups nobody knows the inertia */
  }
  return out;
}
