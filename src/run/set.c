/* run/set.c -- variables that are set from outside: before the run begins, and between its parts.
 * Before: parameters, inputs, start values. Between: inputs, parameters that do not shape the
 * model, states. What was set since the last part takes effect together, as one event at the
 * present time: the rows show the values before and after it.
 * Keep: parameters that the initialisation has found, and those that follow from them, stay what
 *       they are; so do sample times, nominal values and the random generators. */
#include "run/set.h"
#include "run/blame.h"
#include "run/bounds.h"
#include "run/core.h"
#include "run/evaluate.h"
#include "run/instant.h"
#include "run/memory.h"
#include "run/rows.h"
#include "run/starts.h"
#include "run/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "structure/structure.h"

static bool is_input(const DsVariable *v) {
  return v->access == DS_INPUT && v->property == DS_KNOWN && v->variability < DS_PARAMETER;
}
static bool is_state(const Run *run, const DsVariable *v) {
  return v->property == DS_STATE && v->der >= 0 && v->place < run->m->nx;
}

/* Why the variable cannot be set so; NULL if it can. The text has a place for its name. */
static const char *refusal(const Run *run, const DsVariable *v, RunAttribute attribute) {
  bool parameter = v->variability == DS_PARAMETER;
  if (v->variability == DS_CONSTANT)
    return "`%s` is a constant";
  if (attribute == RUN_START)
    return parameter          ? "`%s` is a parameter and has no start value"
           : run->stage.begun ? "the start value of `%s` can only be set before the run begins"
                              : NULL;
  if (parameter && v->flags & DS_FINAL)
    return "`%s` is final and cannot be changed";
  if (parameter && v->flags & DS_STRUCTURAL)
    return "`%s` shapes the model: it cannot be changed without translating again";
  if (parameter)
    return run->stage.begun && v->flags & DS_SOLVED
               ? "`%s` was found by the initialisation: it can only be set before the run begins"
               : NULL;
  if (is_input(v))
    return NULL;
  if (!is_state(run, v))
    return "`%s` is computed by the model: only parameters, inputs and states can be set";
  return run->stage.begun ? NULL : "`%s` has no value before the run begins: set its start value";
}

static bool read_number(Run *run, int k, double number, RunValue *out) {
  const DsVariable *v = &run->m->variables[k];
  *out = (RunValue){.variable = k, .r = number};
  const double most = v->type == DS_BOOLEAN       ? 1
                      : v->type == DS_ENUMERATION ? v->n_literals
                                                  : 0x1p62;
  const double least = v->type == DS_BOOLEAN ? 0 : v->type == DS_ENUMERATION ? 1 : -0x1p62;
  bool ok = isfinite(number);
  if (v->type != DS_REAL && v->type != DS_STRING && ok) {
    ok = number == floor(number) && number >= least && number <= most;
    out->i = ok ? (long long)number : 0;
  }
  if (v->type == DS_STRING)
    diag_add(run->diags, D_A001, (Span){0, 0}, "`%s` needs a text, not a number", v->name);
  else if (!ok)
    diag_add(run->diags, D_A001, (Span){0, 0}, "`%s` cannot be %g: it is %s", v->name, number,
             v->type == DS_REAL      ? "a Real"
             : v->type == DS_INTEGER ? "an Integer"
             : v->type == DS_BOOLEAN ? "a Boolean"
                                     : "an enumeration");
  return ok && v->type != DS_STRING;
}

/* Within min and max? */
static bool within(Run *run, const RunValue *value) {
  const DsVariable *v = &run->m->variables[value->variable];
  double low, high, x = v->type == DS_REAL ? value->r : (double)value->i;
  if (v->type == DS_BOOLEAN || v->type == DS_STRING)
    return true;
  run_limits(run, value->variable, &low, &high);
  if ((x >= low && x <= high) || run->options->bounds == NU_BOUNDS_OFF)
    return true;
  Diag *d = diag_add(run->diags, D_A001, run_declared_at(run, value->variable), "`%s` = %s",
                     v->name, run_bound_text(run, value->variable, x, low, high));
  run_bound_note(run, d, value->variable, low, high);
  return false;
}

static void add(Run *run, const RunValue *value) {
  /* the last value that was set counts */
  for (uint32_t k = 0; k < run->own.settings.n; k++)
    if (run->own.settings.at[k].variable == value->variable) {
      run->own.settings.at[k] = *value;
      return;
    }
  vec_push(run->a, &run->own.settings, *value);
}

RunStatus run_set(Run *run, const char *name, RunAttribute attribute, const char *text,
                  double number) {
  int k = run_find_variable(run->m, name);
  if (k < 0) {
    run_unknown_name(run->m, "variable", name, run->a, run->diags);
    return RUN_USAGE;
  }
  const char *why = run->stage.terminated
                        ? "`%s` cannot be set any more: the model has ended the run"
                        : refusal(run, &run->m->variables[k], attribute);
  /* the name stands in the middle of the text */
  if (why) {
    const char *place = strstr(why, "%s");
    diag_add(run->diags, D_A001, (Span){0, 0}, "%.*s%s%s", (int)(place - why), why, name,
             place + 2);
    return RUN_USAGE;
  }
  RunValue value;
  if (!(text ? run_read_value(run, k, text, &value) : read_number(run, k, number, &value)) ||
      !within(run, &value))
    return RUN_USAGE;
  /* before the run begins there is nothing that an event could interrupt */
  if (run->stage.begun)
    add(run, &value);
  else {
    run_store_value(run, &value);
    run->starts->given[k] = 1;
  }
  return RUN_OK;
}

/* ---- parameters that were set, and that the initialisation finds ---- */

/* The value that was given to a parameter which the initialisation finds: set for this run, or by
 * its declaration or a modification. */
static bool guess_of(const Run *run, int k, double *value) {
  const DsVariable *v = &run->m->variables[k];
  const Structure *s = run->options->structure;
  if (v->type != DS_REAL || v->variability != DS_PARAMETER || !(v->flags & DS_SOLVED))
    return false;
  *value = run->d.r[v->place];
  if (run->starts->given[k] || !s || (uint32_t)k >= s->model->vars.n)
    return run->starts->given[k];
  ExprId binding = s->model->vars.at[k].binding;
  return binding.i && expr_is_literal(s->model->pool, binding) &&
         expr_as_real(s->model->pool, binding, value);
}

RunValue *run_guesses(Run *run, int *n) {
  /* counted, then filled */
  double value;
  *n = 0;
  for (int k = 0; k < run->m->n_variables; k++)
    *n += guess_of(run, k, &value);
  RunValue *out = NEW_ARRAY(run->a, RunValue, *n + 1);
  for (int k = 0, to = 0; k < run->m->n_variables; k++)
    if (guess_of(run, k, &value))
      out[to++] = (RunValue){.variable = k, .r = value};
  return out;
}

void run_tell_guesses(Run *run, const RunValue *guesses, int n) {
  for (int k = 0; k < n; k++) {
    const DsVariable *v = &run->m->variables[guesses[k].variable];
    double asked = guesses[k].r, found = run->d.r[v->place];
    /* a guess that is right is no news */
    if (fabs(found - asked) <= run->goal.rtol * fmax(fabs(asked), fabs(found)))
      continue;
    Text a = {.arena = run->a}, b = {.arena = run->a};
    text_real(&a, asked);
    text_real(&b, found);
    Diag *d = diag_add(run->diags, D_I506, run_declared_at(run, guesses[k].variable),
                       "`%s` was given the value %s, but initial equations determine it: it is %s",
                       v->name, text_str(&a), text_str(&b));
    diag_help(run->diags, d, "the value was a guess; with fixed = true it holds");
  }
}

/* ---- inputs that nobody sets ---- */

static void add_value(const Run *run, const DsVariable *v, Text *out) {
  if (v->type == DS_REAL)
    text_real(out, run->d.r[v->place]);
  else if (v->type == DS_BOOLEAN)
    text_add(out, run->d.i[v->place] ? "true" : "false");
  else if (v->type == DS_ENUMERATION && run->d.i[v->place] >= 1 &&
           run->d.i[v->place] <= v->n_literals)
    text_add(out, v->literals[run->d.i[v->place] - 1]);
  else if (v->type == DS_STRING)
    text_json(out, run->d.s[v->place]);
  else
    text_integer(out, run->d.i[v->place]);
}

void run_tell_inputs(Run *run) {
  int first = -1, n = 0;
  Text list = {.arena = run->a};
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    if (!is_input(v) || run->starts->given[k])
      continue;
    /* named as far as they can be shown, counted all */
    first = n ? first : k;
    if (n++ >= SHOWN_UNKNOWNS)
      continue;
    text_printf(&list, "%s`%s` = ", n > 1 ? ", " : "", v->name);
    add_value(run, v, &list);
  }
  if (n > SHOWN_UNKNOWNS)
    text_printf(&list, " and %d more", n - SHOWN_UNKNOWNS);
  if (n)
    diag_add(run->diags, D_S109, run_declared_at(run, first),
             n == 1 ? "nothing gave the input %s a value: it kept its start value"
                    : "nothing gave the inputs %s a value: they kept their start values",
             text_str(&list));
}

/* ---- what was set takes effect ---- */

/* Parameters that depend on others follow them. */
static RunStatus follow_parameters(Run *run) {
  enum { HELD = 2 };
  /* parameters are computed again, but random numbers of the run go on where they were */
  uint32_t n = run->memory->n_random;
  RandomState *random = n ? malloc(n * sizeof *random) : NULL;
  if (n && !random)
    mem_exhausted(arena_memory(run->a));
  if (n)
    memcpy(random, run->memory->random, n * sizeof *random);
  /* what the initialisation has found stays, and is not computed anew */
  for (int k = 0; k < run->m->n_variables; k++)
    if (run->m->variables[k].flags & DS_SOLVED && !run->starts->given[k])
      run->starts->given[k] = HELD;
  RunStatus status = run_equations(run, run->whole, DO_PARAMETERS);
  for (int k = 0; k < run->m->n_variables; k++)
    if (run->starts->given[k] == HELD)
      run->starts->given[k] = 0;
  if (n)
    memcpy(run->memory->random, random, n * sizeof *random);
  free(random);
  return status == RUN_OK ? run_bounds_parameters(run, true) : status;
}

RunStatus run_take_settings(Run *run) {
  bool parameters = false;
  for (uint32_t k = 0; k < run->own.settings.n; k++) {
    const RunValue *value = &run->own.settings.at[k];
    run_store_value(run, value);
    const DsVariable *v = &run->m->variables[value->variable];
    parameters = parameters || v->variability == DS_PARAMETER;
    /* an input that was set once has a value from somebody */
    if (v->variability == DS_PARAMETER || is_input(v))
      run->starts->given[value->variable] = 1;
  }
  if (run->own.settings.n)
    run_cause(run, RUN_CAUSE_SET, run->own.settings.at[0].variable, NAN, NAN);
  run->own.settings.n = 0;
  run->out->parameters_set = run->out->parameters_set || parameters;
  return parameters ? follow_parameters(run) : RUN_OK;
}
