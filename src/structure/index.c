/* structure/index.c -- differential index reduction: which equations must be differentiated, which
 * states remain.
 * In:   rows and SVars of a model whose derivatives may not follow from the equations as written.
 * Out:  further rows (derivatives of rows) and SVars (derivatives); select.c then says which
 *       variables remain states.
 * How:  Pantelides, SIAM J. Sci. Stat. Comput. 9(2), 1988: rows that compete for too few unknowns
 *       are differentiated until the highest derivatives can be matched.
 * Keep: rows of both systems grow together. */
#include "structure/index.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/jump.h"
#include "structure/lower.h"
#include "structure/lowered.h"
#include "structure/match.h"
#include "structure/name.h"
#include "structure/select.h"
#include "structure/simplify.h"
#include "structure/system.h"
#include "structure/tables.h"

typedef struct {
  Lower *lo;
  uint32_t *parent; /* per row: the row it is the derivative of; NO_ROW */
  bool *active;     /* per row: not differentiated itself */
  uint32_t room;
} Index;

static void grow(Index *ix, uint32_t n) {
  if (n <= ix->room)
    return;
  uint32_t room = n * 2;
  /* rows that were not there yet are active */
  uint32_t *parent = NEW_ARRAY(ix->lo->a, uint32_t, room);
  bool *active = NEW_ARRAY(ix->lo->a, bool, room);
  for (uint32_t r = 0; r < room; r++) {
    parent[r] = r < ix->room ? ix->parent[r] : NO_ROW;
    active[r] = r < ix->room ? ix->active[r] : true;
  }
  ix->parent = parent;
  ix->active = active;
  ix->room = room;
}

/* ---- differentiation ---- */

static ExprId derivative_of(void *user, ExprId e) {
  Lower *lo = user;
  uint32_t v;
  if (!lowered_var(lo->p, e, &v))
    return NO_EXPR;
  const SVar *s = &lo->s->vars.at[v];
  /* nobody knows the derivative of an input */
  bool input = s->kind == SV_VAR && s->known && lo->m->vars.at[v].causality == CAUSE_INPUT;
  if (input)
    return NO_EXPR;
  if (s->known || s->discrete || s->kind == SV_PRE || s->kind == SV_SAMPLE)
    return expr_real(lo->p, 0);
  /* one variable for each derivative, whoever asks for it */
  return svar_expr(lo->s, svar_der(lo, v));
}

/* Adds the derivative of row r to both systems; false after a diagnostic that names the
 * constraint. */
static bool differentiate(Index *ix, uint32_t r) {
  Lower *lo = ix->lo;
  SRow row = lo->s->simulation.rows.at[r];
  lo->span = row.span;
  lo->origin = row.origin;
  bool real = row.kind == ROW_EQUAL &&
              type_get(lo->p, expr_get(lo->p, row.lhs)->type)->base == TY_REAL;
  const char *why_left = NULL, *why_right = NULL;
  bool late = row.written_lhs.i != 0; /* functions have their annotations there */
  ExprId lhs = real ? expr_diff_total(lo->p, late ? row.written_lhs : row.lhs, derivative_of, lo,
                                      &why_left)
                    : NO_EXPR;
  ExprId rhs = real ? expr_diff_total(lo->p, late ? row.written_rhs : row.rhs, derivative_of, lo,
                                      &why_right)
                    : NO_EXPR;
  /* no derivative: say which constraint it is, which states it ties, and what would help */
  if (!lhs.i || !rhs.i) {
    const char *function = why_left ? why_left : why_right;
    Diag *d = diag_add(lo->diags, D_S106, row.span,
                       "this equation constrains states and would have to be differentiated, which "
                       "is not possible");
    bool *rows = NEW_ARRAY(lo->a, bool, lo->s->simulation.rows.n + 1);
    rows[r] = true;
    diag_note(lo->diags, d, "it constrains %s",
              system_names(lo, system_states_in(lo, &lo->s->simulation, rows), NO_SVAR));
    if (function) {
      diag_note(lo->diags, d, "function `%s` has no derivative", function);
      diag_help(lo->diags, d,
                "give the function a derivative (annotation `derivative` or `smoothOrder`), or "
                "write the constraint without it");
    } else if (real)
      diag_help(lo->diags, d,
                "let the input act through a force, a flow or a filter instead of prescribing a "
                "state by it");
    if (row.kind == ROW_ALGORITHM)
      diag_note(lo->diags, d,
                "an algorithm section is differentiated if it assigns continuous Reals only, "
                "without `when`, "
                "assertions, delays and impure functions");
    else if (!function)
      diag_note(lo->diags, d, "%s",
                real ? "it holds an input, whose derivative is not known"
                     : "it is not an equation of Reals");
    diag_origin(lo->diags, d, structure_origin(lo->m, row.origin));
    return false;
  }
  /* the new row holds in both systems, where the old one does */
  uint32_t fresh = lo->s->simulation.rows.n;
  SRow *added = row_add(lo, &lo->s->simulation, ROW_EQUAL, expr_to_real(lo->p, lhs),
                        expr_to_real(lo->p, rhs));
  added->derivative_of = r + 1;
  added->guard = row.guard;
  row_add(lo, &lo->s->initial, ROW_EQUAL, expr_to_real(lo->p, lhs), expr_to_real(lo->p, rhs))
      ->derivative_of = r + 1;
  /* An alias row: its derivative gives the derivative of the replaced variable */
  if (row.only != NO_SVAR) {
    uint32_t der = svar_der(lo, row.only);
    vec_last(&lo->s->simulation.rows).only = der;
    vec_last(&lo->s->initial.rows).only = der;
  }
  late_row(lo, &vec_last(&lo->s->simulation.rows));
  late_row(lo, &vec_last(&lo->s->initial.rows));
  /* the new row takes the place of the old one among those that may determine something */
  grow(ix, fresh + 1);
  ix->parent[fresh] = r;
  ix->active[fresh] = true;
  ix->active[r] = false;
  /* how often each of its ancestors was differentiated by now */
  uint32_t times = 1;
  for (uint32_t up = r; up != NO_ROW; up = ix->parent[up], times++)
    if (lo->s->simulation.rows.at[up].times < times)
      lo->s->simulation.rows.at[up].times = times;
  return true;
}

/* ---- Pantelides ---- */

/* The highest derivatives and everything that has none. Discrete variables are constant while time
 * passes. */
bool *highest_derivatives(const Lower *lo) {
  const Structure *s = lo->s;
  bool *unknown = NEW_ARRAY(lo->a, bool, s->vars.n);
  for (uint32_t v = 0; v < s->vars.n; v++) {
    const SVar *sv = &s->vars.at[v];
    bool kind = sv->kind == SV_DER || sv->kind == SV_VAR || sv->kind == SV_BUFFER;
    unknown[v] = kind && !sv->known && !sv->discrete && sv->der == NO_SVAR;
  }
  return unknown;
}

bool index_counts(Lower *lo, const SRow *row) {
  if (row->kind == ROW_RELATION)
    return false;
  if (row->only != NO_SVAR)
    return !lo->s->vars.at[row->only].discrete;
  bool real = row->kind == ROW_EQUAL &&
              type_get(lo->p, expr_get(lo->p, row->lhs)->type)->base == TY_REAL;
  return real && !(lower_is_discrete(lo, row->lhs) && lower_is_discrete(lo, row->rhs));
}

/* Matches the active rows; marks what can be reached from those left over. Returns how many these
 * are. */
static uint32_t over_determined(Index *ix, const bool *unknown, bool *rows) {
  Lower *lo = ix->lo;
  SSystem *sys = &lo->s->simulation;
  IncidenceTable t = table_build(lo->s, sys, unknown, false, lo->a);
  Matching m = matching_new(lo->s, sys->rows.n, lo->a);
  MatchRows all = {0};
  for (uint32_t pass = 0; pass < 2; pass++) /* rows with one possible unknown first */
    for (uint32_t r = 0; r < sys->rows.n; r++)
      if (ix->active[r] && index_counts(lo, &sys->rows.at[r]) &&
          (sys->rows.at[r].only != NO_SVAR) == (pass == 0))
        vec_push(lo->a, &all, r);
  uint32_t left = match_rows(lo->s, &t, &m, &all, unknown, OCCURS_NONLINEAR, lo->a);
  VEC(uint32_t) work = {0};
  for (uint32_t r = 0; r < sys->rows.n; r++)
    if (ix->active[r] && index_counts(lo, &sys->rows.at[r]) && m.var_of[r] == NO_SVAR) {
      rows[r] = true;
      vec_push(lo->a, &work, r);
    }
  /* along what competes for the same unknowns */
  while (work.n) {
    uint32_t r = work.at[--work.n];
    for (uint32_t k = 0; k < t.rows[r].n; k++) {
      uint32_t v = t.rows[r].at[k].var, other = m.row_of[v];
      if (other != NO_ROW && !rows[other]) {
        rows[other] = true;
        vec_push(lo->a, &work, other);
      }
    }
  }
  return left;
}

/* Algorithm sections among the marked rows become equations, which may also determine what they
 * read.
 * True if there were any. */
static bool open_sections(Lower *lo, const bool *rows, uint32_t n) {
  bool any = false;
  for (uint32_t r = 0; r < n; r++) {
    const SRow *row = &lo->s->simulation.rows.at[r];
    /* rows of one section become several */
    if (rows[r] && row->kind == ROW_ALGORITHM)
      any = section_as_equations(lo, row->number) || any;
  }
  return any;
}

/* Differentiates until the highest derivatives can be matched. *reduced: something was
 * differentiated. */
static bool pantelides(Index *ix, bool *reduced) {
  Lower *lo = ix->lo;
  for (uint32_t round = 0; round < MOST_INDEX;) {
    uint32_t n = lo->s->simulation.rows.n;
    grow(ix, n + 1);
    /* marked rows are those that say too much together */
    bool *rows = NEW_ARRAY(lo->a, bool, n + 1);
    bool *unknown = highest_derivatives(lo);
    if (!over_determined(ix, unknown, rows))
      return true;
    /* without a state in it nothing is gained: the model is singular, and the ordinary matching
     * says so */
    IncidenceTable states = {0};
    bool *has_der = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
    for (uint32_t v = 0; v < lo->s->vars.n; v++)
      has_der[v] = lo->s->vars.at[v].der != NO_SVAR;
    states = table_build(lo->s, &lo->s->simulation, has_der, false, lo->a);
    bool dynamic = false;
    for (uint32_t r = 0; r < n; r++)
      dynamic |= rows[r] && states.rows[r].n;
    if (!dynamic)
      return true;
    /* an algorithm section among them becomes equations, and all is tried again */
    if (open_sections(lo, rows, n))
      continue;
    /* all of them, as Pantelides has it: some of them alone would not do */
    for (uint32_t r = 0; r < n; r++)
      if (rows[r] && !differentiate(ix, r))
        return false;
    *reduced = true;
    round++;
  }
  return true;
}

/* Constraints that follow from their derivatives do not take part in the simulation. */
static void set_aside(Lower *lo) {
  SSystem *sys = &lo->s->simulation;
  /* numbers of rows change: who names one is renamed */
  uint32_t n = sys->rows.n;
  uint32_t kept = 0;
  uint32_t *fresh = NEW_ARRAY(lo->a, uint32_t, n + 1);
  for (uint32_t r = 0; r < n; r++) {
    SRow row = sys->rows.at[r];
    uint32_t parent = row.derivative_of;
    if (row.invariant) {
      vec_push(lo->a, &lo->s->invariants, row);
      fresh[r] = 0;
      continue;
    }
    row.derivative_of = parent ? fresh[parent - 1] : 0;
    sys->rows.at[kept++] = row;
    fresh[r] = kept;
  }
  sys->rows.n = kept;
}

bool index_reduce(Lower *lo) {
  Index ix = {.lo = lo};
  bool reduced = false;
  lo->n_written = lo->s->vars.n;
  late_rows(lo);
  /* variables that shall be states may need more rows to be differentiated */
  if (!pantelides(&ix, &reduced) || (prefer_states(lo, ix.active) && !pantelides(&ix, &reduced)))
    return false;
  if (reduced && lo->s->conditions.n)
    jumps_find(lo, ix.active);
  if (!reduced)
    return true;
  uint32_t mark = diags_count(lo->diags);
  if (select_states(lo, ix.parent, ix.active)) {
    set_aside(lo);
    return true;
  }
  if (diags_count(lo->diags) > mark)
    return false;
  diag_add(lo->diags, D_S106, lo->s->simulation.rows.at[0].span,
           "no set of states could be selected for this model");
  return false;
}

typedef struct {
  const Structure *s;
  bool *states; /* per SVar: found */
  bool others;  /* something else that moves was found */
} Kinds;

static void find_kinds(void *user, ExprId e) {
  Kinds *k = user;
  uint32_t v;
  if (!lowered_var(k->s->model->pool, e, &v))
    return;
  const SVar *sv = &k->s->vars.at[v];
  bool state = sv->kind == SV_VAR && sv->state;
  k->states[v] = k->states[v] || state;
  k->others = k->others || !(state || sv->known || sv->discrete);
}

/* Per SVar: the state that it equals, if it is a derivative: der(x) = vx. */
static ExprId *find_rates(const Structure *s, Arena *a) {
  const ExprPool *p = s->model->pool;
  ExprId *rates = NEW_ARRAY(a, ExprId, s->vars.n + 1);
  for (uint32_t r = 0; r < s->simulation.rows.n; r++) {
    const SRow *row = &s->simulation.rows.at[r];
    /* only a plain equation der(x) = v says it */
    uint32_t v, w;
    if (row->kind != ROW_EQUAL || !lowered_var(p, row->lhs, &v) || !lowered_var(p, row->rhs, &w))
      continue;
    if (s->vars.at[v].kind == SV_DER && s->vars.at[w].state)
      rates[v] = row->rhs;
    if (s->vars.at[w].kind == SV_DER && s->vars.at[v].state)
      rates[w] = row->lhs;
  }
  return rates;
}

typedef struct {
  const ExprPool *p;
  const ExprId *rates;
} Rates;

static ExprId rate_of(void *user, ExprId e) {
  const Rates *r = user;
  uint32_t v;
  return lowered_var(r->p, e, &v) ? r->rates[v] : NO_EXPR;
}

SInvariants structure_invariants(const Structure *s, Arena *a) {
  ExprPool *p = s->model->pool;
  Rates rates = {p, find_rates(s, a)};
  SInvariants out = {.residuals = NEW_ARRAY(a, ExprId, s->invariants.n + 1),
                     .spans = NEW_ARRAY(a, Span, s->invariants.n + 1)};
  VEC(SEntry) entries = {0};
  for (uint32_t r = 0; r < s->invariants.n; r++) {
    /* with der(x) replaced by vx the constraint holds states only */
    const SRow *row = &s->invariants.at[r];
    ExprId f = expr_rewrite(p, expr_to_real(p, expr_binary(p, OP_SUB, row->lhs, row->rhs)), rate_of,
                            &rates);
    Kinds k = {.s = s, .states = NEW_ARRAY(a, bool, s->vars.n)};
    uint32_t first = entries.n;
    expr_walk(p, f, find_kinds, &k);
    /* anything else that moves cannot be put right by states */
    for (uint32_t v = 0; v < s->vars.n && !k.others; v++) {
      ExprId d = k.states[v] ? expr_diff(p, f, svar_expr(s, v)) : expr_real(p, 0);
      k.others = !d.i;
      if (d.i && !expr_is_zero(p, d))
        vec_push(a, &entries, (SEntry){out.n, s->vars.at[v].place, d});
    }
    if (k.others)
      entries.n = first;
    else {
      out.spans[out.n] = row->span;
      out.residuals[out.n++] = f;
    }
  }
  out.entries = entries.at;
  out.n_entries = entries.n;
  return out;
}
