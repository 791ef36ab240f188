/* structure/initial.c -- the system of the initialisation (MLS 3.6 section 8.6).
 * Unknown is what is unknown later, too, and as far as initial equations need them start values
 * that are not fixed, parameters with fixed = false and pre values. What they leave free keeps its
 * start value: a note lists these states. Initial equations for which nothing is left do not take
 * part; they are checked when values have been found.
 * In:   the rows of initialisation, the sorted simulation.   Out: s->initial, sorted; s->redundant.
 * How:  what may be determined is opened level by level (parameters, states without a start value,
 *       states with one, pre values), and each initial equation takes from the first level that
 *       has something for it. Constraints that are invariants first look for what they can be
 *       solved for at the start values.
 * Keep: rows are tried in order of writing, so equal models leave the same states free. */
#include "structure/system.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/lowered.h"
#include "structure/match.h"
#include "structure/modes.h"
#include "structure/name.h"
#include "structure/solve.h"
#include "structure/sort.h"

#include <math.h>

enum { LEVEL_NEVER, LEVEL_PARAMETER, LEVEL_STATE, LEVEL_STATE_WITH_START, LEVEL_PRE, N_LEVELS };

/* ---- start values ---- */

typedef struct {
  const Structure *s;
  bool found;
} FreeParameter;

static void find_free(void *user, ExprId e) {
  FreeParameter *f = user;
  uint32_t v;
  f->found = f->found || (lowered_var(f->s->model->pool, e, &v) && f->s->vars.at[v].known &&
                          f->s->vars.at[v].free);
}

/* What the start value of v is a value of: the state, or what keeps its value in this mode, or
 * pre(v) if v is discrete, if that follows from such parameters; else NO_SVAR. */
static uint32_t derived_start(const Lower *lo, uint32_t v) {
  const Structure *s = lo->s;
  const SVar *sv = &s->vars.at[v];
  FreeParameter f = {s, false};
  /* pre(v) of a discrete variable is what its start value is about */
  uint32_t of = sv->state || sv->absent ? v : sv->discrete ? sv->pre : NO_SVAR;
  if ((sv->known && !sv->absent) || sv->alias.i || !s->starts[v].i || of == NO_SVAR)
    return NO_SVAR;
  expr_walk(lo->p, s->starts[v], find_free, &f);
  return f.found ? of : NO_SVAR;
}

/* Is the start value of v, which is discrete, one of pre(v) that no equation may change? */
static bool fixes_pre(const Lower *lo, uint32_t v) {
  const FlatVar *fv = v < lo->m->vars.n ? &lo->m->vars.at[v] : NULL;
  /* one that follows from free parameters is an equation, and fixes nothing */
  int64_t fixed = 0;
  return fv && fv->fixed.i && expr_as_integer(lo->p, fv->fixed, &fixed) && fixed &&
         derived_start(lo, v) == NO_SVAR;
}

/* ---- what initial equations may determine ---- */

/* How soon an initial equation may determine this SVar; lower comes first. */
static int optional_level(const Lower *lo, uint32_t v) {
  const SVar *sv = &lo->s->vars.at[v];
  /* what a fixed start value says no equation may determine */
  if (sv->kind == SV_PRE)
    return lo->s->vars.at[sv->of].kind == SV_VAR && !fixes_pre(lo, sv->of) ? LEVEL_PRE
                                                                           : LEVEL_NEVER;
  if (sv->kind == SV_CHOSEN)
    return LEVEL_STATE;
  if (sv->kind != SV_VAR || !sv->free)
    return LEVEL_NEVER;
  /* what keeps its value in this mode has one to begin with, as a state has */
  if (sv->known && !sv->absent)
    return LEVEL_PARAMETER;
  return lo->s->starts[v].i ? LEVEL_STATE_WITH_START : LEVEL_STATE;
}

static bool match_levels(const Lower *lo, const IncidenceTable *t, Matching *m, uint32_t r,
                         bool *const *allowed) {
  /* the fewest first: an initial equation should leave states with start values free; and of these
   * first what has a constant coefficient */
  for (int level = LEVEL_PARAMETER; level <= LEVEL_PRE; level++)
    for (Occurrence limit = OCCURS_PARAMETER; limit <= OCCURS_NONLINEAR; limit += 2)
      if (match_row(lo->s, t, m, r, allowed[level], limit, lo->a))
        return true;
  return false;
}

/* 1: what is so much smaller than the largest derivative of its row is 0 but for rounding */
static const double VANISHES = 1e-9;

/* How much a row depends on v with start values; 0 if that cannot be told. */
static double slope_at_start(Lower *lo, const SRow *row, uint32_t v) {
  ExprPool *p = lo->p;
  ExprId f = expr_to_real(p, expr_binary(p, OP_SUB, row->lhs, row->rhs));
  ExprId d = modes_at_start(lo, expr_diff(p, f, svar_expr(lo->s, v)));
  double value = 0;
  return d.i && expr_as_real(p, d, &value) && isfinite(value) ? fabs(value) : 0;
}

/* Of an invariant: what it can be solved for with start values, which for x^2 + y^2 = 1 is not x if
 * x begins with 0. Derivatives begin with 0, so that the constraint on speeds does not take a
 * place. */
static IncidenceRow solvable_at_start(Lower *lo, const SRow *row, const IncidenceRow *all) {
  IncidenceRow out = {NEW_ARRAY(lo->a, Incidence, all->n + 1), 0};
  double *slopes = NEW_ARRAY(lo->a, double, all->n + 1), most = 0;
  for (uint32_t k = 0; k < all->n; k++) {
    slopes[k] = slope_at_start(lo, row, all->at[k].var);
    most = fmax(most, slopes[k]);
  }
  for (uint32_t k = 0; k < all->n; k++)
    if (slopes[k] > VANISHES * most)
      out.at[out.n++] = all->at[k];
  return out;
}

/* Gives an initial equation something to determine. */
static bool match_initial_row(Lower *lo, const IncidenceTable *t, Matching *m, uint32_t r,
                              bool *const *allowed) {
  const SRow *row = &t->sys->rows.at[r];
  if (row->invariant) {
    IncidenceRow all = t->rows[r];
    t->rows[r] = solvable_at_start(lo, row, &all);
    bool ok = match_levels(lo, t, m, r, allowed);
    t->rows[r] = all;
    if (ok)
      return true;
  }
  return match_levels(lo, t, m, r, allowed);
}

/* ---- too many ---- */

/* Fixed start values in the marked rows: of states, and of discrete variables, which are those of
 * pre(v). */
static bool *fixed_starts_in(Lower *lo, const IncidenceTable *t, const bool *rows) {
  Structure *s = lo->s;
  bool *fixed = NEW_ARRAY(lo->a, bool, s->vars.n);
  bool *found = NEW_ARRAY(lo->a, bool, s->vars.n);
  for (uint32_t v = 0; v < s->vars.n; v++) {
    const SVar *sv = &s->vars.at[v];
    fixed[v] = ((sv->state || sv->absent) && !sv->free) ||
               (sv->kind == SV_PRE && fixes_pre(lo, sv->of));
  }
  IncidenceTable in = table_build(s, t->sys, fixed, true, lo->a);
  for (uint32_t r = 0; r < t->sys->rows.n; r++)
    for (uint32_t k = 0; k < in.rows[r].n && rows[r]; k++) {
      uint32_t v = in.rows[r].at[k].var;
      found[s->vars.at[v].kind == SV_PRE ? s->vars.at[v].of : v] = true;
    }
  return found;
}

/* What the row competes with: other initial equations and fixed start values. */
static const char *competitors(Lower *lo, const IncidenceTable *t, const Matching *m) {
  bool *over = NEW_ARRAY(lo->a, bool, t->sys->rows.n + 1);
  match_over(lo->s, t, m, over, lo->a);
  return system_names(lo, fixed_starts_in(lo, t, over), NO_SVAR);
}

/* Values that are no numbers are compared as they are. */
static SRedundant redundant_row(Lower *lo, const SRow *row, const char *others) {
  if (type_is_numeric(lo->p, expr_get(lo->p, row->lhs)->type))
    return (SRedundant){row->lhs, row->rhs, others, row->span};
  ExprId equal = expr_binary(lo->p, OP_EQ, row->lhs, row->rhs);
  return (SRedundant){equal, expr_boolean(lo->p, true), others, row->span};
}

/* Takes the unmatched initial equations out of the system. An algorithm cannot be checked like an
 * equation: false. */
static bool set_aside(Lower *lo, const IncidenceTable *t, const Matching *m) {
  SSystem *sys = &lo->s->initial;
  const char *others = competitors(lo, t, m);
  uint32_t kept = 0;
  bool ok = true;
  /* an equation may say what holds already: the run checks that */
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    const SRow *row = &sys->rows.at[r];
    if (m->var_of[r] != NO_SVAR) {
      sys->rows.at[kept++] = *row;
      continue;
    }
    if (row->kind == ROW_EQUAL) {
      vec_push(lo->a, &lo->s->redundant, redundant_row(lo, row, others));
      continue;
    }
    ok = false;
    Diag *d = diag_add(
        lo->diags, D_I501, row->span,
        "too many initial conditions: nothing is left free for this one to determine");
    if (*others)
      diag_note(lo->diags, d, "it competes with the fixed start value of %s", others);
    diag_help(lo->diags, d,
              "remove it, or remove `fixed = true` from one of the variables it contains");
    diag_origin(lo->diags, d, structure_origin(lo->m, row->origin));
  }
  sys->rows.n = kept;
  return ok;
}

/* ---- too few ---- */

/* States of a selection are what they are at first. */
static void find_chosen(const Lower *lo, const Matching *m, bool *free) {
  for (uint32_t k = 0; k < lo->s->selections.n; k++) {
    const SSelection *se = &lo->s->selections.at[k];
    /* the candidates that the states are at first */
    for (uint32_t q = 0; q < se->n - se->n_rows; q++)
      if (m->row_of[se->states[q]] == NO_ROW)
        free[se->candidates[se->first[q]]] = true;
  }
}

static void note_free_states(Lower *lo, const Matching *m) {
  bool *free = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  uint32_t n = 0, first = 0;
  find_chosen(lo, m, free);
  /* from the last to the first, which is where the message points */
  for (uint32_t v = lo->s->vars.n; v-- > 0;) {
    const SVar *sv = &lo->s->vars.at[v];
    free[v] = free[v] || (sv->kind == SV_VAR && sv->state && sv->free && m->row_of[v] == NO_ROW);
    n += free[v];
    first = free[v] ? v : first;
  }
  if (!n)
    return;
  Diag *d = diag_add(lo->diags, D_I502, lo->s->vars.at[first].span,
                     "the initial conditions leave %u state%s free: start values are used", n,
                     n > 1 ? "s" : "");
  diag_note(lo->diags, d, "%s", system_names(lo, free, NO_SVAR));
}

/* ---- parameters ---- */

/* Parameters whose values follow from those with fixed = false are found together with them, and
 * nowhere else: before, what constructors of external objects and functions read is not known.
 * Their own start values are where iterations begin. */
static void derive_parameters(Lower *lo, bool *required) {
  Structure *s = lo->s;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->parameters.n; k++) {
    uint32_t p = s->parameters.at[k];
    const FlatVar *fv = &lo->m->vars.at[p];
    FreeParameter f = {s, false};
    if (!s->vars.at[p].free && fv->binding.i)
      expr_walk(lo->p, s->bindings[p], find_free, &f);
    /* objects are made after the initial system, by what it has found */
    if (!f.found || type_get(lo->p, fv->type)->base != TY_EXTERNAL)
      s->parameters.at[kept++] = p;
    if (!f.found)
      continue;
    /* required: its row must determine something */
    s->vars.at[p].free = required[p] = true;
    lo->span = fv->span;
    lo->origin = fv->origin;
    row_add(lo, &s->initial, ROW_EQUAL, svar_expr(s, p), s->bindings[p]);
    s->bindings[p] = lower_default_start(lo, p);
  }
  s->parameters.n = kept;
}

static void add_start(Lower *lo, uint32_t v, uint32_t of) {
  const FlatVar *fv = &lo->m->vars.at[v];
  lo->span = fv->span;
  lo->origin = fv->origin;
  row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, of), lo->s->starts[v])
      ->initial_only = true;
}

/* A fixed start value that follows from such parameters is an equation. */
static void derive_starts(Lower *lo) {
  for (uint32_t v = 0; v < lo->m->vars.n; v++) {
    SVar *sv = &lo->s->vars.at[v];
    const FlatVar *fv = &lo->m->vars.at[v];
    int64_t fixed = 0;
    uint32_t of = derived_start(lo, v);
    if (of == NO_SVAR || !fv->fixed.i || !expr_as_integer(lo->p, fv->fixed, &fixed) || !fixed)
      continue;
    sv->free = sv->free || sv->state || sv->absent;
    add_start(lo, v, of);
  }
}

/* One that is not fixed is an equation where all others leave free what it belongs to; false: there
 * is none. */
static bool derive_free_starts(Lower *lo, const Matching *m) {
  /* each gives what it belongs to one more equation */
  uint32_t rows = lo->s->initial.rows.n;
  for (uint32_t v = 0; v < lo->m->vars.n; v++) {
    uint32_t of = derived_start(lo, v);
    if (of != NO_SVAR && m->row_of[of] == NO_ROW)
      add_start(lo, v, of);
  }
  return lo->s->initial.rows.n > rows;
}

/* ---- the system ---- */

bool system_initial(Lower *lo) {
  Structure *s = lo->s;
  SSystem *sys = &s->initial;
  bool *required = system_unknowns(s, lo->a), *allowed[N_LEVELS];
  derive_parameters(lo, required);
  derive_starts(lo);
  /* a structure for later begins in the middle of a run */
  if (lo->later) {
    *sys = (SSystem){0};
    return true;
  }
  /* each level may determine what the ones before it may, and more */
  for (int level = LEVEL_NEVER; level < N_LEVELS; level++) {
    allowed[level] = NEW_ARRAY(lo->a, bool, s->vars.n);
    for (uint32_t v = 0; v < s->vars.n; v++)
      allowed[level][v] = required[v] ||
                          (optional_level(lo, v) != LEVEL_NEVER && optional_level(lo, v) <= level);
  }
  /* again without what was set aside, and with starts that are equations */
  for (bool noted = false;;) {
    IncidenceTable t = table_build(s, sys, allowed[LEVEL_PRE], true, lo->a);
    Matching m = matching_new(s, sys->rows.n, lo->a);
    /* first what must be determined, by rows that hold at any time */
    if (system_match(lo, &t, &m, required, false)) {
      system_report_over(lo, sys, &t, &m, required);
      return false;
    }
    /* then the initial equations, each from the least level that has something for it */
    uint32_t left = 0;
    for (uint32_t r = 0; r < sys->rows.n; r++)
      left += sys->rows.at[r].initial_only && !match_initial_row(lo, &t, &m, r, allowed);
    if (!left) {
      if (!noted)
        note_free_states(lo, &m);
      if (!noted && derive_free_starts(lo, &m)) {
        noted = true;
        continue;
      }
      sys->match = m.var_of;
      if (!sort_system(s, sys, &t, &m, true, lo->a, lo->diags))
        return false;
      untear_open(lo, sys);
      return true;
    }
    if (!set_aside(lo, &t, &m))
      return false;
  }
}
