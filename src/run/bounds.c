/* run/bounds.c -- declared min and max: of parameters and start values before the run, of variables
 * while it goes.
 * In:   the values of the run.   Out: V005 for what was given outside of its bounds; R630 (R631
 *       with `--bounds error`) for a variable that leaves them, once, with the time of the first
 *       point at which that is seen.
 * When: parameters when they have their values, and again when some are set; start values before
 * they are used; all variables in each row of the result but those inside of an event; states also
 * at the end of each step.
 * Keep: nothing here changes a value or evaluates the model. What is told leaves the list; a run
 *       without violations pays two comparisons per variable and row, in a loop without
 * branches. */
#include "run/bounds.h"
#include "run/blame.h"
#include "run/core.h"
#include "run/part.h"
#include "run/scales.h"
#include "run/starts.h"
#include "run/tolerances.h"

#include <math.h>
#include <stdlib.h>

#include "base/limits.h"
#include "structure/structure.h"

enum {
  /* Variables that are told one by one; the others, and further elements of an array, together
   * at the end */
  SIZE_ROWS = 16 /* sizes of variables are looked at in one row of so many */
};

/* A variable with bounds. */
typedef struct {
  int variable, place;
  bool whole; /* an Integer or enumeration: its place is in i */
  double low, high;
  /* Its largest absolute value in the rows looked at, for what is a matter of tolerance */
  double size;
} Bound;

struct RunBounds {
  Bound *at; /* Reals by place, so that states come first; then whole numbers */
  int n, n_real, n_states;
  int *place; /* of the Reals, as their bounds: the same once more, for the fast loop */
  double *low, *high;
  uint32_t rows;
  uint32_t n_told, n_more;
  int told[MOST_BOUNDS_TOLD];          /* one by one */
  const char *more[MOST_BOUNDS_NAMED]; /* the first of the others */
};

/* ---- words ---- */

/* as the user would write it */
static const char *value_text(Run *run, const DsVariable *v, double x) {
  Text t = {.arena = run->a};
  if (v->type == DS_ENUMERATION && x >= 1 && x <= v->n_literals)
    text_add(&t, v->literals[(int)x - 1]);
  else if (v->type == DS_REAL)
    text_real(&t, x);
  else
    text_integer(&t, (long long)x);
  return text_str(&t);
}

const char *run_bound_text(Run *run, int variable, double x, double low, double high) {
  const DsVariable *v = &run->m->variables[variable];
  return arena_printf(run->a, "%s is %s than its %s = %s", value_text(run, v, x),
                      x < low ? "less" : "more", x < low ? "min" : "max",
                      value_text(run, v, x < low ? low : high));
}

void run_bound_note(Run *run, Diag *d, int variable, double low, double high) {
  const DsVariable *v = &run->m->variables[variable];
  if (isfinite(low) && isfinite(high))
    diag_note(run->diags, d, "its values lie between %s and %s", value_text(run, v, low),
              value_text(run, v, high));
}

Span run_declared_at(const Run *run, int variable) {
  const Structure *s = run->options->structure;
  return s ? s->model->vars.at[variable].span : (Span){0, 0};
}

/* ---- parameters and start values ---- */

static double value_of(const Run *run, const DsVariable *v) {
  return v->type == DS_REAL ? run->d.r[v->place] : (double)run->d.i[v->place];
}

/* How far a value may lie outside because of roundings and of the error of the solver. */
static double allowance(const Run *run, const Bound *b, double bound) {
  double nominal = b->whole ? 0 : run->scales->nominals[b->place];
  double absolute = (run->options->atol_factor > 0 ? run->options->atol_factor : 0.01) *
                    (nominal > 0 ? nominal : 1);
  /* whole numbers have no rounding */
  return b->whole
             ? 0
             : run_tolerances.outside * run->goal.rtol * (fmax(b->size, fabs(bound)) + absolute);
}

static bool is_outside(const Run *run, const Bound *b, double x) {
  return x < b->low ? b->low - x > allowance(run, b, b->low)
                    : x > b->high && x - b->high > allowance(run, b, b->high);
}

/* What was given is taken as it is: only roundings of what it was computed from are allowed. */
static bool is_given_outside(const Bound *b, double x) {
  double least = b->low - run_tolerances.redundant * fabs(b->low);
  double most = b->high + run_tolerances.redundant * fabs(b->high);
  return isfinite(x) && (x < least || x > most);
}

static bool has_bounds(Run *run, int variable, Bound *b) {
  const DsVariable *v = &run->m->variables[variable];
  const FlatVar *fv = &run->options->structure->model->vars.at[variable];
  /* Booleans and texts have no order */
  if ((!fv->min.i && !fv->max.i) || v->type == DS_BOOLEAN || v->type == DS_STRING)
    return false;
  *b = (Bound){.variable = variable, .place = v->place, .whole = v->type != DS_REAL};
  run_limits(run, variable, &b->low, &b->high);
  return isfinite(b->low) || isfinite(b->high);
}

static RunStatus tell_given(Run *run, const Bound *b, const char *what, double x) {
  const char *name = run->m->variables[b->variable].name;
  Diag *d = diag_add(run->diags, D_V005, run_declared_at(run, b->variable), "%s`%s` = %s", what,
                     name, run_bound_text(run, b->variable, x, b->low, b->high));
  run_bound_note(run, d, b->variable, b->low, b->high);
  return RUN_USAGE;
}

static bool is_off(const Run *run) {
  return run->options->bounds == NU_BOUNDS_OFF || !run->options->structure;
}

RunStatus run_bounds_parameters(Run *run, bool solved) {
  RunStatus status = RUN_OK;
  Bound b;
  if (is_off(run))
    return RUN_OK;
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    /* solved ones are not known before the initialisation */
    bool wanted = v->variability >= DS_PARAMETER &&
                  (!(v->flags & DS_SOLVED) || run->starts->given[k] || solved);
    if (wanted && has_bounds(run, k, &b) && is_given_outside(&b, value_of(run, v)))
      status = tell_given(run, &b, "", value_of(run, v));
  }
  return status;
}

RunStatus run_bounds_starts(Run *run) {
  RunStatus status = RUN_OK;
  Bound b;
  if (is_off(run))
    return RUN_OK;
  for (int k = 0; k < run->m->n_variables; k++) {
    const DsVariable *v = &run->m->variables[k];
    /* without a start value nothing was given */
    bool wanted = v->variability < DS_PARAMETER &&
                  (run->starts->given[k] || v->flags & DS_HAS_START);
    if (wanted && has_bounds(run, k, &b) && is_given_outside(&b, value_of(run, v)))
      status = tell_given(run, &b, "the start value of ", value_of(run, v));
  }
  return status;
}

/* ---- the variables that are looked at ---- */

static bool same_bounds(Run *run, const Bound *b, uint32_t of, bool negated) {
  /* the negative of a variable has its bounds turned round */
  Bound other;
  return has_bounds(run, (int)of, &other) &&
         (negated ? other.low == -b->high && other.high == -b->low
                  : other.low == b->low && other.high == b->high);
}

/* Equal to another variable, which has the same bounds? One of the two is enough. */
static bool is_repeated(Run *run, const Bound *b) {
  uint32_t of;
  bool negated;
  return structure_alias(run->options->structure, (uint32_t)b->variable, &of, &negated) &&
         of != (uint32_t)b->variable && of < run->options->structure->model->vars.n &&
         same_bounds(run, b, of, negated);
}

static int by_place(const void *a, const void *b) {
  const Bound *x = a, *y = b;
  /* Reals first, each list by place */
  return x->whole != y->whole ? x->whole - y->whole : x->place - y->place;
}

/* The variable is looked at, unless another one stands for it. */
static void watch(Run *run, const Bound *b) {
  RunBounds *all = run->own.bounds;
  if (!is_repeated(run, b))
    all->at[all->n++] = *b;
}

/* What the fast loop needs, from `at`. */
static void lay_out(Run *run) {
  RunBounds *all = run->own.bounds;
  all->n_real = all->n_states = 0;
  for (int k = 0; k < all->n && !all->at[k].whole; k++) {
    const Bound *b = &all->at[k];
    all->place[k] = b->place;
    all->low[k] = b->low;
    all->high[k] = b->high;
    all->n_real++;
    all->n_states += b->place < run->m->nx;
  }
}

void run_bounds_begin(Run *run) {
  RunBounds *all = run->own.bounds = NEW(run->a, RunBounds);
  Bound b;
  if (is_off(run))
    return;
  size_t n = (size_t)run->m->n_variables + 1;
  all->at = NEW_ARRAY(run->a, Bound, n);
  all->place = NEW_ARRAY(run->a, int, n);
  all->low = NEW_ARRAY(run->a, double, n);
  /* room for all; most models have few with bounds */
  all->high = NEW_ARRAY(run->a, double, n);
  for (int k = 0; k < run->m->n_variables; k++)
    if (run->m->variables[k].variability < DS_PARAMETER && has_bounds(run, k, &b))
      watch(run, &b);
  qsort(all->at, (size_t)all->n, sizeof *all->at, by_place);
  lay_out(run);
}

/* ---- while it runs ---- */

/* Are there enough messages, or was another element of the same array told? */
static bool is_one_of_many(const Run *run, int variable) {
  const RunBounds *all = run->own.bounds;
  const DsVariable *vars = run->m->variables;
  /* elements of one array are declared at one place */
  Span at = run_declared_at(run, variable);
  for (uint32_t k = 0; k < all->n_told; k++) {
    Span other = run_declared_at(run, all->told[k]);
    if (other.lo == at.lo && other.hi == at.hi &&
        vars[all->told[k]].component == vars[variable].component)
      return true;
  }
  return all->n_told >= MOST_BOUNDS_TOLD;
}

static RunStatus tell_left(Run *run, const Bound *b, double t, double x) {
  RunBounds *all = run->own.bounds;
  const char *name = run->m->variables[b->variable].name;
  bool error = run->options->bounds == NU_BOUNDS_ERROR;
  if (!error && is_one_of_many(run, b->variable)) {
    if (all->n_more < MOST_BOUNDS_NAMED)
      all->more[all->n_more] = name;
    all->n_more++;
    return RUN_OK;
  }
  if (!error)
    all->told[all->n_told++] = b->variable;
  Text time = {.arena = run->a};
  text_real(&time, t);
  Diag *d = diag_add(run->diags, error ? D_R631 : D_R630, run_declared_at(run, b->variable),
                     "at time %s: `%s` = %s", text_str(&time), name,
                     run_bound_text(run, b->variable, x, b->low, b->high));
  run_bound_note(run, d, b->variable, b->low, b->high);
  return !error ? RUN_OK : run->stage.underway ? RUN_FAILED : RUN_INIT_FAILED;
}

/* The order of the others stays: they are searched by place */
static void drop(Run *run, int k) {
  RunBounds *all = run->own.bounds;
  all->n--;
  for (; k < all->n; k++)
    all->at[k] = all->at[k + 1];
  lay_out(run);
}

/* One more value of a variable; true if it is no longer looked at. */
static bool look_at(Run *run, int k, double t, double x, RunStatus *status) {
  Bound *b = &run->own.bounds->at[k];
  b->size = fabs(x) > b->size ? fabs(x) : b->size;
  /* allowance costs more than the two comparisons, and is rarely needed */
  if ((x >= b->low && x <= b->high) || !is_outside(run, b, x) ||
      run->m->variables[b->variable].flags & DS_ABSENT)
    return false;
  *status = tell_left(run, b, t, x);
  drop(run, k);
  return true;
}

/* Is one of the Reals outside? x: the values from place `first` on. */
static bool any_outside(const RunBounds *all, int from, int end, const double *x, int first) {
  /* no branch: the loop is made of vector instructions */
  int bad = 0;
  for (int k = from; k < end; k++) {
    double value = x[all->place[k] - first];
    bad |= (value < all->low[k]) | (value > all->high[k]);
  }
  return bad;
}

RunStatus run_bounds_row(Run *run) {
  RunBounds *all = run->own.bounds;
  RunStatus status = RUN_OK;
  if (!all)
    return RUN_OK;
  /* sizes need a full look now and then, whatever is outside */
  bool closer = all->rows++ % SIZE_ROWS == 0 || any_outside(all, 0, all->n_real, run->d.r, 0);
  for (int k = closer ? 0 : all->n_real; k < all->n && status == RUN_OK;) {
    const Bound *b = &all->at[k];
    k += !look_at(run, k, run->d.time, b->whole ? (double)run->d.i[b->place] : run->d.r[b->place],
                  &status);
  }
  return status;
}

/* The first of the states whose place is not before x. */
static int first_state(const RunBounds *all, int x) {
  int lo = 0, hi = all->n_states;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    *(all->place[mid] < x ? &lo : &hi) = all->place[mid] < x ? mid + 1 : mid;
  }
  return lo;
}

RunStatus run_bounds_step(Part *p) {
  Run *run = p->run;
  RunBounds *all = run->own.bounds;
  RunStatus status = RUN_OK;
  if (!all || !all->n_states)
    return RUN_OK;
  /* states are the first of the list, in order of place */
  int from = first_state(all, p->x);
  if (!any_outside(all, from, first_state(all, p->x + p->n), p->stepper->x, p->x))
    return RUN_OK;
  for (int k = from; k < first_state(all, p->x + p->n) && status == RUN_OK;)
    k += !look_at(run, k, p->stepper->t, p->stepper->x[all->place[k] - p->x], &status);
  return status;
}

void run_bounds_end(Run *run) {
  const RunBounds *all = run->own.bounds;
  uint32_t n = all ? all->n_more : 0;
  if (!n)
    return;
  Text names = {.arena = run->a};
  for (uint32_t k = 0; k < n && k < MOST_BOUNDS_NAMED; k++)
    text_printf(&names, "%s`%s`", k ? ", " : "", all->more[k]);
  Diag *d = diag_add(run->diags, D_R630, (Span){0, 0}, "%u more variable%s left %s bounds: %s%s", n,
                     n == 1 ? "" : "s", n == 1 ? "its" : "their", text_str(&names),
                     n > MOST_BOUNDS_NAMED ? " ..." : "");
  diag_help(run->diags, d, "with `--bounds error` the run ends at the first one");
}
