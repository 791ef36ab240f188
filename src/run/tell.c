/* run/tell.c -- failures of a run as diagnostics: the names that the user wrote, the time, the
 * numbers. */
#include "run/tell.h"
#include "run/blame.h"
#include "run/bounds.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/mode.h"
#include "run/part.h"
#include "run/rows.h"
#include "run/scales.h"
#include "run/starts.h"
#include "run/trace.h"
#include "run/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "structure/structure.h"

/* a point at most so many smallest steps ahead explains why a step failed */
enum { NEAR_STEPS = 1000 };

static Span span_of(DsPlace p) { return (Span){p.lo, p.hi}; }

static const char *number(Run *run, double v) {
  Text t = {.arena = run->a};
  text_real(&t, v);
  return text_str(&t);
}

void run_tell_warning(Run *run) {
  if (!run->warning.any)
    return;
  Failure w = run->warning;
  run->warning.any = false;
  Span at = span_of(w.place);
  for (uint32_t k = 0; k < diags_count(run->diags); k++) {
    const Diag *d = diags_at(run->diags, k);
    if (d->code == w.code && d->span.lo == at.lo && d->span.hi == at.hi)
      return; /* once per assertion is enough */
  }
  diag_add(run->diags, w.code, at, "at time %s: %s", number(run, run->d.time), w.text);
}

void run_end_by_model(Run *run, const DsPlace *at, const char *text) {
  char *said = run->out->ending.text;
  size_t n = strlen(said), most = sizeof run->out->ending.text - 1;
  run->stage.terminated = true;
  /* the first reason is kept; others join it while there is room */
  if (!run->out->ending.any)
    run_note(&run->out->ending, D_R633, at, text);
  else if (!strstr(said, text) &&
           n + 2 < most) /* several at once; one is asked for in each pass over the equations */
    snprintf(said + n, most - n, "; %s", text);
}

const char *run_tell_ending(Run *run, const char **place) {
  Failure *e = &run->out->ending;
  if (!e->any)
    return NULL;
  e->any = false;
  Place at = source_place(diags_sources(run->diags), e->place.lo);
  *place = e->place.hi && at.source ? arena_printf(run->a, "%s:%u", at.source->name, at.line) : "";
  diag_add(run->diags, D_R633, span_of(e->place), "the model ends the run at time %s: %s",
           number(run, run->d.time), e->text);
  return arena_strdup(run->a, e->text);
}

static const char *unknown_name(Run *run, int v) {
  const char *name = run->m->variables[v < 0 ? -1 - v : v].name;
  return v < 0 ? arena_printf(run->a, "der(%s)", name) : name;
}

/* An unknown that is this far from what it should be like deserves a remark. */
static const double far_off = 1e3;

/* The unknowns of a linear block with their values. */
static void tell_linear(Run *run, Diag *d, const DsBlock *b) {
  for (int k = 0; k < b->n && k < SHOWN_UNKNOWNS; k++) {
    const DsVariable
        *var = &run->m->variables[b->variables[k] < 0 ? -1 - b->variables[k] : b->variables[k]];
    if (var->type == DS_REAL)
      diag_note(run->diags, d, "unknown `%s`, last value %s", unknown_name(run, b->variables[k]),
                number(run, run->d.r[b->variables[k] < 0 ? var->der : var->place]));
  }
}

/* The iteration variables of a nonlinear block: where they began and ended, and what they should be
 * like. */
static void tell_nonlinear(Run *run, Diag *d, const DsBlock *b) {
  const Failure *f = &run->failure;
  diag_note(run->diags, d,
            "block %d of %d: %d iteration variable%s for %d unknowns; residual %s in this equation",
            f->block + 1, run->m->n_blocks, b->n_iterated, b->n_iterated == 1 ? "" : "s", b->n,
            number(run, f->residual));
  /* begun and ended: far off shows in both */
  for (int k = 0; k < b->n_iterated && k < SHOWN_UNKNOWNS; k++) {
    int v = b->variables[k];
    const DsVariable *var = &run->m->variables[v < 0 ? -1 - v : v];
    double nominal = run->scales->nominals[v < 0 ? var->der : var->place];
    /* without a nominal value 1 is what it should be like */
    double size = nominal != 0 ? fabs(nominal) : 1;
    bool given = v >= 0 && (var->flags & DS_HAS_START || run->starts->given[v]);
    Text t = {.arena = run->a};
    text_printf(&t, "`%s`: start %s%s, last %s", unknown_name(run, v), number(run, f->start[k]),
                run->d.initial && !given ? " (default)" : "", number(run, f->last[k]));
    if (nominal != 0)
      text_printf(&t, ", nominal %s", number(run, nominal));
    if (fabs(f->last[k]) > far_off * size || (f->last[k] != 0 && fabs(f->last[k]) * far_off < size))
      text_printf(&t, "; value/nominal %s: scaling", number(run, f->last[k] / size));
    diag_note(run->diags, d, "%s", text_str(&t));
  }
  if (run->d.initial)
    diag_help(run->diags, d,
              "set `start` of the iteration variables near to the solution, and `nominal` where "
              "sizes differ widely");
}

static void tell_block(Run *run, Diag *d, int block) {
  const DsBlock *b = &run->m->blocks[block];
  if (run->failure.worst >= 0)
    tell_nonlinear(run, d, b);
  else
    tell_linear(run, d, b);
  for (int k = 0; k < b->n && k < SHOWN_UNKNOWNS; k++)
    if (k != run->failure.worst && (k || run->failure.worst >= 0))
      diag_label(run->diags, d, span_of(run->m->places[b->places[k]]), "part of the system");
}

/* The variables, from `first` on, that neither an equation of the present mode nor a start value
 * nor an initial equation says anything about. */
static int next_absent(const Run *run, int first) {
  while (first < run->m->n_variables &&
         (!(run->m->variables[first].flags & DS_ABSENT) ||
          run->m->variables[first].flags & (DS_HAS_START | DS_SOLVED) || run->starts->given[first]))
    first++;
  return first;
}

void run_tell_absent(Run *run) {
  int k = next_absent(run, 0), n = 0;
  if (k >= run->m->n_variables)
    return;
  Text mode = {.arena = run->a}, others = {.arena = run->a};
  run_mode_text(run, &mode);
  const DsVariable *v = &run->m->variables[k];
  double value = v->type == DS_REAL     ? run->d.r[v->place]
                 : v->type == DS_STRING ? NAN
                                        : (double)run->d.i[v->place];
  Diag *d = diag_add(run->diags, D_R632, run_declared_at(run, k),
                     "`%s` has no equation in the mode that the run begins in, and no start value: "
                     "it shows %s there",
                     v->name, number(run, value));
  diag_note(run->diags, d, "in the mode: %s", text_str(&mode));
  /* only what is shown needs names */
  while ((k = next_absent(run, k + 1)) < run->m->n_variables)
    if (n++ < SHOWN_UNKNOWNS)
      text_printf(&others, "%s`%s`", n > 1 ? ", " : "", run->m->variables[k].name);
  if (n)
    diag_note(run->diags, d,
              n > SHOWN_UNKNOWNS ? "neither have %d others: %s ..." : "neither have %d others: %s",
              n, text_str(&others));
  diag_help(run->diags, d, "give it a start value if it keeps that, or an equation for this mode");
}

void run_tell_contradiction(Run *run, int k) {
  const DsRedundant *r = &run->m->redundant[k];
  const char *left = number(run, run->starts->redundant[2 * k]);
  const char *right = number(run, run->starts->redundant[2 * k + 1]);
  Diag *d = *r->right_text
                ? diag_add(run->diags, D_I501, span_of(r->place),
                           "initial conditions contradict each other: `%s` is %s, but `%s` is %s",
                           r->left_text, left, r->right_text, right)
                : diag_add(run->diags, D_I501, span_of(r->place),
                           "initial conditions contradict each other: `%s` is %s instead of %s",
                           r->left_text, left, right);
  if (*r->others)
    diag_note(run->diags, d,
              "the values follow from the other initial conditions, among them the fixed start "
              "values of %s",
              r->others);
  diag_help(run->diags, d, "remove one of them");
}

void run_tell_paths(Run *run) {
  for (uint32_t k = 0; k < run->starts->off_path.n; k++) {
    const DsBlock *b = &run->m->blocks[run->starts->off_path.at[k]];
    int v = b->variables[0];
    Diag *d = diag_add(
        run->diags, D_I505, span_of(run->m->places[b->places[0]]),
        "homotopy() does not lead to a solution: one near the start values is taken");
    diag_note(run->diags, d,
              "from the simplified form on there is no path to `%s%s%s` and the other unknowns of "
              "these equations",
              v < 0 ? "der(" : "", run->m->variables[v < 0 ? -1 - v : v].name, v < 0 ? ")" : "");
    diag_help(run->diags, d,
              "if there are several solutions, check that it is the one that is meant");
  }
}

/* The first variable with a value that is not finite. */
static const DsVariable *not_finite(const Run *run) {
  /* variables first, because they have names of their own */
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    if (v->type == DS_REAL && !isfinite(run->d.r[v->place]))
      return v;
  }
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    if (v->der >= 0 && !isfinite(run->d.r[v->der]))
      return v;
  }
  return NULL;
}

/* As run_blame, at the last point that failed if it lies just ahead. */
static bool blame(Run *run, RunBlame *b) {
  const Stepper *s = run->eval.bad.part ? run->eval.bad.part->stepper : NULL;
  /* a failure further away has other causes */
  if (!s || !(fabs(run->eval.bad.time - s->t) <= NEAR_STEPS * stepper_least(s)))
    return run_blame(run, b);
  double t = run->d.time;
  memcpy(run->cells.spare, run->block, run->block_size);
  memcpy(run->block, run->eval.bad.block, run->block_size);
  run->d.time = run->eval.bad.time;
  bool found = run_blame(run, b);
  run->d.time = t;
  memcpy(run->block, run->cells.spare, run->block_size);
  return found;
}

/* Values without a number: the expression that made them, if it is found, else the first
 * variable. */
static Diag *tell_not_finite(Run *run, DiagCode code, const char *text) {
  RunBlame b;
  if (blame(run, &b)) {
    Diag *d = diag_add(run->diags, code, b.span, "at time %s: %s", number(run, run->d.time),
                       b.text);
    for (uint32_t k = 0; k < b.n_notes; k++)
      diag_note(run->diags, d, "%s", b.notes[k]);
    return d;
  }
  Diag *d = diag_add(run->diags, code, (Span){0, 0}, "%s at time %s", text,
                     number(run, run->d.time));
  const DsVariable *v = not_finite(run);
  if (v)
    diag_note(run->diags, d, "`%s` or its derivative is not a number", v->name);
  return d;
}

/* Why a value of a relation is not right. */
static void tell_flip(Run *run, Diag *d, const RelationFlip *f) {
  static const char *const ops[] = {
      [DS_LT] = "<", [DS_LE] = "<=", [DS_GT] = ">", [DS_GE] = ">=", [DS_EQ] = "==", [DS_NE] = "<>"};
  const DsRelation *rel = &run->m->relations[f->relation];
  const Structure *s = run->options->structure;
  Text name = {.arena = run->a};
  if (s && (uint32_t)f->relation < s->relations.n)
    structure_name(s, s->relations.at[f->relation].var, &name);
  diag_label(run->diags, d, span_of(rel->place),
             "if %s is %s, the equations give %s %s %s, which is %s",
             name.n ? arena_printf(run->a, "`%s`", text_str(&name)) : "this relation",
             f->held ? "true" : "false", number(run, f->a), ops[rel->op], number(run, f->b),
             f->held ? "false" : "true");
}

static Diag *tell_noted(Run *run) {
  const Failure *f = &run->failure;
  Span at = span_of(f->place);
  /* the equation with the largest residual, or the first */
  if (f->block >= 0)
    at = span_of(run->m->places[run->m->blocks[f->block].places[f->worst >= 0 ? f->worst : 0]]);
  Diag *d = diag_add(run->diags, run->d.initial ? D_I501 : f->code, at,
                     run->d.initial ? "no consistent initial values at time %s: %s"
                                    : "at time %s: %s",
                     number(run, run->d.time), f->text);
  for (int k = 0; k < f->n_flips; k++)
    tell_flip(run, d, &f->flips[k]);
  if (f->n_flips)
    diag_help(run->diags, d,
              "the fewest contradictions that were found are shown; with the other values there "
              "are others");
  RunBlame b;
  if (f->block >= 0) {
    tell_block(run, d, f->block);
    if (!isfinite(f->residual) && blame(run, &b))
      diag_note(run->diags, d, "%s", b.text);
  }
  return d;
}

static void tell_last_event(Run *run, Diag *d) {
  if (run->trace->n_events)
    diag_note(run->diags, d, "last event at time %s", number(run, run->trace->last_event));
}

Diag *run_tell_failure(Run *run, DiagCode otherwise, const char *text) {
  Diag *d = run->failure.any ? tell_noted(run) : tell_not_finite(run, otherwise, text);
  tell_last_event(run, d);
  return d;
}

static RunStatus tell_bad_variable(Run *run, const DsVariable *v) {
  bool initial = !run->stage.underway;
  Diag *d = tell_not_finite(run, initial ? D_I501 : D_R604,
                            arena_printf(run->a, "`%s` is not a number", v->name));
  tell_last_event(run, d);
  return initial ? RUN_INIT_FAILED : RUN_FAILED;
}

bool run_is_finite(const Run *run, const Scope *sc) {
  const double *r = run->d.r;
  bool finite = !sc->all || run_all_finite(r, run->m->n_real);
  for (int k = 0; k < sc->n_parts && finite && !sc->all; k++) {
    /* of parts only their own values: others may be on their way */
    const DsPart *p = &run->m->parts[sc->parts[k]];
    finite = run_all_finite(r + p->x, p->n_x) && run_all_finite(r + run->m->nx + p->x, p->n_x) &&
             run_all_finite(r + p->r, p->n_r);
  }
  return finite;
}

RunStatus run_check_finite(Run *run, const Scope *sc) {
  if (run_is_finite(run, sc))
    return RUN_OK;
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    if (v->type == DS_REAL && !isfinite(run->d.r[v->place]))
      return tell_bad_variable(run, v);
  }
  return RUN_OK; /* a place that is not shown */
}

RunStatus run_check_discrete(Run *run, const Scope *sc) {
  for (int k = 0; k < sc->n_discrete; k++)
    if (!isfinite(run->d.r[sc->discrete[k]]))
      return run_check_finite(run, sc);
  return RUN_OK;
}

void run_tell_solver(Part *p, Diag *d) {
  Run *run = p->run;
  /* the method that gave up knows more than the one that came to help */
  bool rescued = p->solver.gave_up && p->solver.rescue_time == p->stepper->t;
  const Stepper *s = rescued ? p->solver.gave_up : p->stepper;
  int states[RUN_LIMITING], n = stepper_limiting(s->error, p->n, states, RUN_LIMITING);
  double sum = 0;
  for (int k = 0; k < p->n; k++)
    sum += s->error[k] * s->error[k];
  Text t = {.arena = run->a};
  for (int k = 0; k < n; k++) {
    double part = s->error[states[k]] * s->error[states[k]] / sum;
    text_printf(&t, "%s`%s`", k ? ", " : "", run_state_name(run, p->x + states[k]));
    if (isfinite(part))
      text_printf(&t, " (%.0f %%)", 100 * part);
  }
  if (n)
    diag_note(run->diags, d, "states with the largest part of the error: %s", text_str(&t));
  diag_note(run->diags, d, "solver %s, last step tried %s s", s->kind->name,
            number(run, s->t1 - s->t));
  if (s->message[0])
    diag_note(run->diags, d, "%s", s->message);
}
