/* structure/prefer.c -- variables that shall be states though their derivatives do not occur.
 * In:   rows that were differentiated as far as the equations need it (index.c), StateSelect.
 * Out:  variables that got a derivative; index.c differentiates the rows that give them, and
 *       select.c
 *       may choose them as states.
 * How:  the highest derivatives are matched to the rows. What follows from states alone, row after
 *       row, by sums with literal factors, may take the place of one of these states: v_rel =
 *       der(s_rel) = der(s2) - der(s1) = v2 - v1. Such rows always have a derivative, and a choice
 *       among such variables is good for the whole run. What follows in another way (media: h of T)
 *       would make a selection that the run must watch, or a division by a parameter that may be 0:
 *       it stays what it is.
 * Keep: what changes at events is no part of it: a state would keep its value where the variable
 *       jumps. */
#include "structure/index.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/lowered.h"
#include "structure/match.h"

typedef struct {
  Lower *lo;
  const bool *unknown;
  IncidenceTable t; /* states, and what is unknown */
  Matching m;
  char *follows; /* per SVar: see Follows */
} Prefer;

enum Follows { NOT_ASKED, ASKED, FOLLOWS, NEVER };

/* ---- rows that always have a derivative ---- */

typedef struct {
  const Lower *lo;
  bool plain;
} Plain;

/* Sums of states, unknowns and parameters, and products of them. */
static void find_other(void *user, ExprId e) {
  Plain *pl = user;
  const Lower *lo = pl->lo;
  const Expr *x = expr_get(lo->p, e);
  uint32_t v;
  if (lowered_var(lo->p, e, &v)) {
    const SVar *s = &lo->s->vars.at[v];
    bool known = s->kind == SV_VAR && s->known;
    bool parameter = known && lo->m->vars.at[v].variability >= FLAT_PARAMETER;
    bool moves = (s->kind == SV_VAR || s->kind == SV_DER) && !s->known && !s->discrete;
    pl->plain = pl->plain && (parameter || moves);
    return;
  }
  bool sum = x->op == OP_ADD || x->op == OP_SUB || x->op == OP_NEG || x->op == OP_CAST;
  bool product = x->op == OP_MUL || x->op == OP_DIV;
  pl->plain = pl->plain && (sum || product || expr_is_literal(lo->p, e));
}

static bool is_plain(const Prefer *pr, uint32_t r) {
  const SRow *row = &pr->lo->s->simulation.rows.at[r];
  bool late = row->written_lhs.i || row->written_rhs.i; /* its derivative is another one */
  Plain pl = {pr->lo, row->kind == ROW_EQUAL && !row->guard.i && !late};
  for (uint32_t k = 0; k < pr->t.rows[r].n; k++)
    pl.plain = pl.plain && pr->t.rows[r].at[k].how == OCCURS_LITERAL;
  if (pl.plain)
    expr_walk(pr->lo->p, row->lhs, find_other, &pl);
  if (pl.plain)
    expr_walk(pr->lo->p, row->rhs, find_other, &pl);
  return pl.plain;
}

/* ---- what follows from states ---- */

static bool follows(Prefer *pr, uint32_t v) {
  uint32_t r = pr->m.row_of[v];
  if (pr->follows[v] != NOT_ASKED)
    return pr->follows[v] == FOLLOWS; /* being asked: it is in a loop */
  pr->follows[v] = ASKED;
  bool all = r != NO_ROW && is_plain(pr, r), any = false;
  for (uint32_t k = 0; all && k < pr->t.rows[r].n; k++) {
    uint32_t other = pr->t.rows[r].at[k].var;
    all = other == v || !pr->unknown[other] || follows(pr, other);
    any = any || other != v;
  }
  pr->follows[v] = all && any ? FOLLOWS : NEVER;
  return all && any;
}

static bool shall_be_state(const Lower *lo, uint32_t v) {
  const SVar *s = &lo->s->vars.at[v];
  bool own = s->kind == SV_VAR && !s->known && !s->discrete && !s->alias.i;
  return own && s->der == NO_SVAR && lo->m->vars.at[v].select >= SELECT_PREFER;
}

/* Which row gives which highest derivative. False: some give none. */
static bool match_highest(Prefer *pr, const bool *active) {
  Lower *lo = pr->lo;
  SSystem *sys = &lo->s->simulation;
  bool *both = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  for (uint32_t v = 0; v < lo->s->vars.n; v++)
    both[v] = pr->unknown[v] || lo->s->vars.at[v].der != NO_SVAR;
  pr->t = table_build(lo->s, sys, both, false, lo->a);
  pr->m = matching_new(lo->s, sys->rows.n, lo->a);
  MatchRows rows = {0};
  for (int single = 1; single >= 0; single--) /* rows with one possible unknown first */
    for (uint32_t r = 0; r < sys->rows.n; r++) {
      const SRow *row = &sys->rows.at[r];
      if (active[r] && (row->only != NO_SVAR) == single && index_counts(lo, row))
        vec_push(lo->a, &rows, r);
    }
  return !match_rows(lo->s, &pr->t, &pr->m, &rows, pr->unknown, OCCURS_NONLINEAR, lo->a);
}

bool prefer_states(Lower *lo, const bool *active) {
  uint32_t n_vars = lo->s->vars.n;
  bool wanted = false, any = false;
  for (uint32_t v = 0; v < n_vars && !wanted; v++)
    wanted = shall_be_state(lo, v);
  if (!wanted || lo->s->conditions.n)
    return false;
  Prefer pr = {.lo = lo, .unknown = highest_derivatives(lo)};
  pr.follows = NEW_ARRAY(lo->a, char, n_vars);
  if (!match_highest(&pr, active))
    return false;
  for (uint32_t v = 0; v < n_vars; v++)
    if (shall_be_state(lo, v) && follows(&pr, v)) {
      svar_der(lo, v);
      any = true;
    }
  return any;
}
