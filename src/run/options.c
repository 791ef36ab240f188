/* run/options.c -- options of a run against the model: times, settings by name. */
#include "run/core.h"
#include "run/memory.h"
#include "run/rows.h"
#include "run/set.h"
#include "run/solver.h"
#include "run/starts.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

RunOptions run_defaults(void) {
  return (RunOptions){
#define RUN_OPTION(type, field, ...)                                                               \
  .field = _Generic((type){0}, double : NAN, default : (type){0}),
#include "run/options.def"
  };
}

/* ---- names ---- */

static bool is_parameter(const DsVariable *v) { return v->variability == DS_PARAMETER; }

/* ---- values ---- */

/* A number with a decimal point, whatever the locale. */
static bool read_number(const char *text, double *value) {
  locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (!c)
    return false;
  char *end;
  *value = strtod_l(text, &end, c);
  freelocale(c);
  return end != text && !*end && isfinite(*value);
}

static bool read_whole(const DsVariable *v, const char *text, long long *value) {
  if (v->type == DS_BOOLEAN && (!strcmp(text, "true") || !strcmp(text, "false"))) {
    *value = text[0] == 't';
    return true;
  }
  for (int k = 0; v->type == DS_ENUMERATION && k < v->n_literals; k++) {
    const char *dot = strrchr(text, '.');
    if (!strcmp(v->literals[k], dot ? dot + 1 : text)) {
      *value = k + 1;
      return true;
    }
  }
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  if (errno || end == text || *end)
    return false;
  return v->type == DS_INTEGER || (v->type == DS_BOOLEAN && (*value == 0 || *value == 1)) ||
         (v->type == DS_ENUMERATION && *value >= 1 && *value <= v->n_literals);
}

bool run_read_value(Run *run, int k, const char *text, RunValue *out) {
  static const char *const wanted[] = {"a number", "a whole number", "true or false",
                                       "a literal of its enumeration", "a text"};
  const DsVariable *v = &run->m->variables[k];
  bool ok = true;
  *out = (RunValue){.variable = k};
  switch ((DsType)v->type) {
  case DS_REAL: ok = read_number(text, &out->r); break;
  case DS_INTEGER:
  case DS_BOOLEAN:
  case DS_ENUMERATION: ok = read_whole(v, text, &out->i); break;
  case DS_STRING: out->s = run_keep_text(run, text); break;
  }
  if (!ok)
    diag_add(run->diags, D_A001, (Span){0, 0}, "`%s` needs %s, not `%s`", v->name, wanted[v->type],
             text);
  return ok;
}

void run_store_value(Run *run, const RunValue *value) {
  const DsVariable *v = &run->m->variables[value->variable];
  switch ((DsType)v->type) {
  case DS_REAL: run->d.r[v->place] = value->r; break;
  case DS_INTEGER:
  case DS_BOOLEAN:
  case DS_ENUMERATION: run->d.i[v->place] = value->i; break;
  case DS_STRING: run->d.s[v->place] = value->s; break;
  }
}

static bool set_value(Run *run, int k, const char *text) {
  RunValue value;
  if (!run_read_value(run, k, text, &value))
    return false;
  run_store_value(run, &value);
  run->starts->given[k] = 1;
  return true;
}

static bool set_parameter(Run *run, const RunSetting *s) {
  int k = run_find_variable(run->m, s->name);
  if (k < 0 || !is_parameter(&run->m->variables[k])) {
    Diag *d = NULL;
    if (k < 0)
      run_unknown_name(run->m, "parameter", s->name, run->a, run->diags);
    else
      d = diag_add(run->diags, D_A002, (Span){0, 0}, "`%s` is not a parameter", s->name);
    if (d)
      diag_help(run->diags, d, "start values of variables are set with -x");
    return false;
  }
  int flags = run->m->variables[k].flags;
  if (flags & (DS_STRUCTURAL | DS_FINAL)) {
    diag_add(run->diags, D_A001, (Span){0, 0},
             flags & DS_FINAL
                 ? "`%s` is final and cannot be changed"
                 : "`%s` shapes the model: it cannot be changed without translating again",
             s->name);
    return false;
  }
  return set_value(run, k, s->value);
}

static bool set_start(Run *run, const RunSetting *s) {
  int k = run_find_variable(run->m, s->name);
  if (k < 0) {
    run_unknown_name(run->m, "variable", s->name, run->a, run->diags);
    return false;
  }
  if (run->m->variables[k].variability >= DS_PARAMETER) {
    Diag *d = diag_add(run->diags, D_A002, (Span){0, 0},
                       "`%s` is a parameter and has no start value", s->name);
    diag_help(run->diags, d, "parameters are set with -p");
    return false;
  }
  return set_value(run, k, s->value);
}

/* ---- numbers ---- */

static double choose(double asked, double experiment, double otherwise) {
  return !isnan(asked) ? asked : !isnan(experiment) ? experiment : otherwise;
}

static bool read_times(Run *run) {
  const RunOptions *o = run->options;
  const DsModel *m = run->m;
  run->goal.start = choose(o->start, m->start_time, 0);
  run->goal.stop = choose(o->stop, m->stop_time, fmax(1, run->goal.start + 1));
  run->goal.rtol = choose(o->rtol, m->tolerance, 1e-6);
  double interval = o->intervals ? NAN : m->interval;
  run->goal.intervals = o->intervals ? o->intervals : 500;
  if (interval > 0 && run->goal.stop > run->goal.start)
    run->goal.intervals = (uint32_t)fmin(
        1e8, fmax(1, round((run->goal.stop - run->goal.start) / interval)));
  run->goal.interval = (run->goal.stop - run->goal.start) / run->goal.intervals;
  if (!isfinite(run->goal.start) || !isfinite(run->goal.stop) || run->goal.stop < run->goal.start) {
    diag_add(run->diags, D_A001, (Span){0, 0}, "the stop time must not be before the start time");
    return false;
  }
  if (!(run->goal.rtol > 0 && run->goal.rtol < 1)) {
    diag_add(run->diags, D_A001, (Span){0, 0}, "the relative tolerance must lie between 0 and 1");
    return false;
  }
  run->goal.rtol = fmax(run->goal.rtol, 1e-14);
  return true;
}

static bool read_solver(Run *run) {
  const char *name = run->options->solver;
  const char *known[STEPPERS + 2] = {"auto", "dassl"};
  const char *best;
  double step = run->options->solver_step;
  uint32_t n = 2;
  run->goal.fixed = isnan(step) ? 0 : step;
  if (run->options->dae && run->m->n_conditions) {
    diag_add(
        run->diags, D_A001, (Span){0, 0},
        "the formulation `dae` cannot be used for a model whose equations change with the mode");
    return false;
  }
  if (!name || !strcmp(name, "auto")) {
    run->goal.asked = run->options->dae ? &stepper_ida : NULL;
    return true;
  }
  run->goal.asked = stepper_kind(name);
  if (run->goal.asked && run->options->dae && run->goal.asked != &stepper_ida) {
    Diag *d = diag_add(run->diags, D_A001, (Span){0, 0},
                       "the solver `%s` cannot integrate the formulation `dae`", name);
    diag_help(run->diags, d, "use the solver ida, or the formulation ode");
    return false;
  }
  if (run->goal.asked)
    return true;
  if (!strcmp(name, "qss2")) {
    diag_add(run->diags, D_A001, (Span){0, 0}, "the solver `qss2` is not available yet; use auto");
    return false;
  }
  for (; stepper_kind_at(n - 2); n++)
    known[n] = stepper_kind_at(n - 2)->name;
  Diag *d = diag_add(run->diags, D_A001, (Span){0, 0}, "there is no solver `%s`", name);
  if (nearest_names(name, known, n, &best, 1))
    diag_help(run->diags, d, "did you mean `%s`?", best);
  else
    diag_help(run->diags, d, "use auto");
  return false;
}

bool run_read_options(Run *run) {
  const RunOptions *o = run->options;
  bool ok = read_times(run);
  ok = read_solver(run) && ok;
  for (uint32_t k = 0; k < o->n_parameters; k++)
    ok = set_parameter(run, &o->parameters[k]) && ok;
  for (uint32_t k = 0; k < o->n_starts; k++)
    ok = set_start(run, &o->starts[k]) && ok;
  return run_select_columns(run->m, o->select, o->n_select, run->a, run->diags, &run->out->columns,
                            &run->out->n_columns) &&
         ok;
}
