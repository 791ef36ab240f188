/* structure/index.c -- differential index reduction: which equations must be differentiated, which states remain.
 * In:   rows and SVars of a model whose derivatives may not follow from the equations as written.
 * Out:  further rows (derivatives of rows), further SVars (derivatives), and for every differentiated row one derivative that
 *       is no longer integrated but solved for (a dummy derivative): its variable is no state.
 * How:  Pantelides, SIAM J. Sci. Stat. Comput. 9(2), 1988: rows that compete for too few unknowns are differentiated until the
 *       highest derivatives can be matched. Mattsson and Soederlind, SIAM J. Sci. Comput. 14(3), 1993: from the highest order
 *       down, each differentiated row takes a dummy among the derivatives one order above those taken before; StateSelect and
 *       constant coefficients decide which.
 * Keep: rows of both systems grow together. */
#include "structure/structure_impl.h"

enum { MOST_ROUNDS = 12 }; /* differentiation order; mechanics needs 2, the limit catches singular models */

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
  uint32_t *parent = NEW_ARRAY(ix->lo->a, uint32_t, room);
  bool *active = NEW_ARRAY(ix->lo->a, bool, room);
  for (uint32_t r = 0; r < room; r++) {
    parent[r] = r < ix->room ? ix->parent[r] : NO_ROW;
    active[r] = r < ix->room ? ix->active[r] : true;
  }
  ix->parent = parent, ix->active = active, ix->room = room;
}

/* ---- differentiation ---- */

static ExprId derivative_of(void *user, ExprId e) {
  Lower *lo = user;
  uint32_t v;
  if (!lowered_var(lo->p, e, &v))
    return NO_EXPR;
  const SVar *s = &lo->s->vars.at[v];
  bool input = s->kind == SV_VAR && s->known && lo->m->vars.at[v].causality == CAUSE_INPUT;
  if (input)
    return NO_EXPR;
  if (s->known || s->discrete || s->kind == SV_PRE || s->kind == SV_SAMPLE)
    return expr_real(lo->p, 0);
  return svar_expr(lo->s, svar_der(lo, v));
}

static bool differentiate(Index *ix, uint32_t r) {
  Lower *lo = ix->lo;
  SRow row = lo->s->simulation.rows.at[r];
  lo->span = row.span, lo->origin = row.origin;
  bool real = row.kind == ROW_EQUAL && type_get(lo->p, expr_get(lo->p, row.lhs)->type)->base == TY_REAL;
  const char *why_left = NULL, *why_right = NULL;
  ExprId lhs = real ? lowered_derivative(lo, row.lhs, derivative_of, lo, &why_left) : NO_EXPR;
  ExprId rhs = real ? lowered_derivative(lo, row.rhs, derivative_of, lo, &why_right) : NO_EXPR;
  if (!lhs.i || !rhs.i) {
    const char *function = why_left ? why_left : why_right;
    Diag *d = diag_add(lo->diags, D_S106, row.span, "this equation constrains states and would have to be differentiated, which is not possible");
    if (function)
      diag_note(lo->diags, d, "function `%s` has no derivative", function);
    else
      diag_note(lo->diags, d, "%s", real ? "it holds an input, whose derivative is not known" : "it is not an equation of Reals");
    diag_origin(lo->diags, d, lower_origin(lo->m, row.origin));
    return false;
  }
  uint32_t fresh = lo->s->simulation.rows.n;
  row_add(lo, &lo->s->simulation, ROW_EQUAL, expr_to_real(lo->p, lhs), expr_to_real(lo->p, rhs))->derivative_of = r + 1;
  row_add(lo, &lo->s->initial, ROW_EQUAL, expr_to_real(lo->p, lhs), expr_to_real(lo->p, rhs))->derivative_of = r + 1;
  if (row.only != NO_SVAR) { /* an alias row: its derivative gives the derivative of the replaced variable */
    uint32_t der = svar_der(lo, row.only);
    vec_last(&lo->s->simulation.rows).only = der;
    vec_last(&lo->s->initial.rows).only = der;
  }
  grow(ix, fresh + 1);
  ix->parent[fresh] = r;
  ix->active[fresh] = true;
  ix->active[r] = false;
  return true;
}

/* ---- Pantelides ---- */

/* The highest derivatives and everything that has none. Discrete variables are constant while time passes. */
static bool *highest(const Lower *lo) {
  const Structure *s = lo->s;
  bool *unknown = NEW_ARRAY(lo->a, bool, s->vars.n);
  for (uint32_t v = 0; v < s->vars.n; v++) {
    const SVar *sv = &s->vars.at[v];
    bool kind = sv->kind == SV_DER || sv->kind == SV_VAR || sv->kind == SV_BUFFER;
    unknown[v] = kind && !sv->known && !sv->discrete && sv->der == NO_SVAR;
  }
  return unknown;
}

/* Does the row say something about continuous variables? */
static bool is_continuous(const Lower *lo, const SRow *row) {
  if (row->kind == ROW_RELATION)
    return false;
  if (row->only != NO_SVAR)
    return !lo->s->vars.at[row->only].discrete;
  return row->kind == ROW_EQUAL && type_get(lo->p, expr_get(lo->p, row->lhs)->type)->base == TY_REAL;
}

/* Matches the active rows; marks what can be reached from those left over. Returns how many these are. */
static uint32_t over_determined(Index *ix, const bool *unknown, bool *rows) {
  Lower *lo = ix->lo;
  SSystem *sys = &lo->s->simulation;
  IncidenceTable t = table_build(lo->s, sys, unknown, false, lo->a);
  Matching m = matching_new(lo->s, sys->rows.n, lo->a);
  uint32_t left = 0;
  for (uint32_t pass = 0; pass < 2; pass++) /* rows with one possible unknown first */
    for (uint32_t r = 0; r < sys->rows.n; r++)
      if (ix->active[r] && is_continuous(lo, &sys->rows.at[r]) && (sys->rows.at[r].only != NO_SVAR) == (pass == 0))
        left += !match_row(lo->s, &t, &m, r, unknown, OCCURS_NONLINEAR, lo->a);
  VEC(uint32_t) work = {0};
  for (uint32_t r = 0; r < sys->rows.n; r++)
    if (ix->active[r] && is_continuous(lo, &sys->rows.at[r]) && m.var_of[r] == NO_SVAR) {
      rows[r] = true;
      vec_push(lo->a, &work, r);
    }
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

/* Differentiates until the highest derivatives can be matched. *reduced: something was differentiated. */
static bool pantelides(Index *ix, bool *reduced) {
  Lower *lo = ix->lo;
  for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
    uint32_t n = lo->s->simulation.rows.n;
    grow(ix, n + 1);
    bool *rows = NEW_ARRAY(lo->a, bool, n + 1), *unknown = highest(lo);
    if (!over_determined(ix, unknown, rows))
      return true;
    /* without a state in it nothing is gained: the model is singular, and the ordinary matching says so */
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
    for (uint32_t r = 0; r < n; r++)
      if (rows[r] && !differentiate(ix, r))
        return false;
    *reduced = true;
  }
  return true;
}

/* ---- dummy derivatives ---- */

/* How readily the derivative `d` becomes a dummy; higher first. */
static int readiness(const Lower *lo, uint32_t d) {
  const Structure *s = lo->s;
  uint32_t v = s->vars.at[d].of;
  if (s->vars.at[v].kind == SV_DER)
    return 20; /* a second derivative is never integrated */
  const FlatVar *f = &lo->m->vars.at[v];
  int64_t fixed = 0;
  bool is_fixed = f->fixed.i && expr_as_integer(lo->p, f->fixed, &fixed) && fixed;
  for (uint32_t k = 0; k < s->actions.n; k++)
    if (s->actions.at[k].kind == ACTION_REINIT && s->actions.at[k].state == v)
      return 0; /* what is reinitialised stays a state */
  return 3 * (SELECT_ALWAYS - (int)f->select) + (is_fixed ? 0 : f->start.i ? 1 : 2) + 1;
}

enum { MOST_READY = 20 };

/* A factor that varies may vanish while the model runs, and then the choice was wrong: the run must stop there and say so. A
 * row that shares its candidates with others is left to the solver of their block, which finds its matrix singular. */
static void guard_choice(Index *ix, const IncidenceTable *t, const Matching *m, const bool *rows, uint32_t r) {
  Lower *lo = ix->lo;
  ExprPool *p = lo->p;
  const SRow *row = &lo->s->simulation.rows.at[r];
  const IncidenceRow *in = &t->rows[r];
  for (uint32_t q = 0; q < lo->s->simulation.rows.n; q++)
    for (uint32_t i = 0; rows[q] && q != r && i < t->rows[q].n; i++)
      for (uint32_t k = 0; k < in->n; k++)
        if (in->at[k].var == t->rows[q].at[i].var)
          return;
  ExprId f = expr_binary(p, OP_SUB, row->lhs, row->rhs), own = NO_EXPR, others = NO_EXPR;
  for (uint32_t k = 0; k < in->n; k++) {
    ExprId d = expr_diff(p, f, svar_expr(lo->s, in->at[k].var));
    if (!d.i || (in->at[k].var == m->var_of[r] && expr_is_literal(p, d)))
      return;
    d = expr_unary(p, OP_ABS, d);
    if (in->at[k].var == m->var_of[r])
      own = d;
    else
      others = others.i ? expr_binary(p, OP_MAX2, others, d) : d;
  }
  if (!own.i || !others.i)
    return;
  ExprId limit = expr_binary(p, OP_MUL, expr_real(p, 1e-3), others); /* a choice a thousand times worse than another */
  const char *name = lo->m->vars.at[lo->s->vars.at[m->var_of[r]].of < lo->m->vars.n ? lo->s->vars.at[m->var_of[r]].of : 0].name;
  SAction act = {.kind = ACTION_ASSERT, .value = expr_binary(p, OP_GE, own, limit), .span = row->span};
  act.message = expr_string(p, arena_printf(lo->a, "here `%s` no longer follows from the states that were selected; selecting states while a model runs is not supported yet", name));
  act.level = expr_integer(p, 2);
  vec_push(lo->a, &lo->s->checks, act);
}

/* Gives every marked row a dummy among the candidates. */
static bool choose(Index *ix, const bool *rows, const bool *candidate, bool *dummy) {
  Lower *lo = ix->lo;
  SSystem *sys = &lo->s->simulation;
  IncidenceTable t = table_build(lo->s, sys, candidate, false, lo->a);
  Matching m = matching_new(lo->s, sys->rows.n, lo->a);
  bool *allowed = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  for (int level = MOST_READY; level >= 0; level--) {
    for (uint32_t v = 0; v < lo->s->vars.n; v++)
      allowed[v] = allowed[v] || (candidate[v] && readiness(lo, v) >= level);
    for (Occurrence limit = OCCURS_PARAMETER; limit <= OCCURS_NONLINEAR; limit += 2)
      for (uint32_t r = 0; r < sys->rows.n; r++)
        if (rows[r] && m.var_of[r] == NO_SVAR)
          match_row(lo->s, &t, &m, r, allowed, limit, lo->a);
  }
  bool all = true;
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    if (rows[r] && m.var_of[r] != NO_SVAR)
      dummy[m.var_of[r]] = true;
    all = all && (!rows[r] || m.var_of[r] != NO_SVAR);
    if (rows[r] && m.var_of[r] != NO_SVAR)
      guard_choice(ix, &t, &m, rows, r);
  }
  return all;
}

static bool select_states(Index *ix) {
  Lower *lo = ix->lo;
  Structure *s = lo->s;
  uint32_t n = s->simulation.rows.n;
  bool *rows = NEW_ARRAY(lo->a, bool, n + 1), *candidate = highest(lo);
  bool *dummy = NEW_ARRAY(lo->a, bool, s->vars.n);
  for (uint32_t v = 0; v < s->vars.n; v++)
    candidate[v] = candidate[v] && s->vars.at[v].kind == SV_DER;
  for (uint32_t r = 0; r < n; r++)
    rows[r] = ix->active[r] && ix->parent[r] != NO_ROW;
  for (bool more = true; more;) {
    bool *taken = NEW_ARRAY(lo->a, bool, s->vars.n);
    if (!choose(ix, rows, candidate, taken))
      return false;
    /* one order lower: the rows these came from, as far as they are derivatives, and the variables of the dummies */
    bool *lower_rows = NEW_ARRAY(lo->a, bool, n + 1), *lower = NEW_ARRAY(lo->a, bool, s->vars.n);
    more = false;
    for (uint32_t r = 0; r < n; r++)
      if (rows[r] && ix->parent[ix->parent[r]] != NO_ROW)
        lower_rows[ix->parent[r]] = more = true;
    for (uint32_t v = 0; v < s->vars.n; v++) {
      dummy[v] = dummy[v] || taken[v];
      if (taken[v] && s->vars.at[s->vars.at[v].of].kind == SV_DER)
        lower[s->vars.at[v].of] = true;
    }
    rows = lower_rows, candidate = lower;
  }
  for (uint32_t v = 0; v < s->vars.n; v++)
    s->vars.at[v].state = s->vars.at[v].der != NO_SVAR && !dummy[s->vars.at[v].der];
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state && s->vars.at[v].kind != SV_VAR)
      return false;
  return true;
}

bool index_reduce(Lower *lo) {
  Index ix = {.lo = lo};
  bool reduced = false;
  if (!pantelides(&ix, &reduced))
    return false;
  if (!reduced || select_states(&ix))
    return true;
  diag_add(lo->diags, D_S106, lo->s->simulation.rows.at[0].span, "no set of states could be selected for this model");
  return false;
}
