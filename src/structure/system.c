/* structure/system.c -- the system of the simulation: which SVars are unknown, matching, and what
 * to say when it fails. Unknown are der(x), algebraic and discrete variables, and relations.
 * initial.c adds what initialisation needs.
 * In:   rows after index reduction.   Out: s->simulation, matched and sorted; or a message about
 *       the part of it that is over- or under-determined (match.c). */
#include "structure/system.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/match.h"
#include "structure/modes.h"
#include "structure/name.h"
#include "structure/solve.h"
#include "structure/sort.h"

bool *system_unknowns(const Structure *s, Arena *a) {
  bool *unknown = NEW_ARRAY(a, bool, s->vars.n);
  for (uint32_t v = 0; v < s->vars.n; v++) {
    const SVar *sv = &s->vars.at[v];
    switch (sv->kind) {
    case SV_VAR: unknown[v] = !sv->known && !sv->state; break;
    case SV_DER: unknown[v] = !sv->known; break;
    case SV_RELATION:
    case SV_CONDITION:
    case SV_BUFFER: unknown[v] = true; break;
    case SV_PRE:
    case SV_SAMPLE:
    case SV_LAMBDA:
    case SV_CHOSEN:
    case SV_CHOICE:
    case SV_IMPULSE: break;
    }
  }
  return unknown;
}

uint32_t system_match(const Lower *lo, const IncidenceTable *t, Matching *m, const bool *allowed,
                      bool initial_only) {
  const SSystem *sys = t->sys;
  uint32_t left = 0;
  /* rows that can only determine one unknown come first: nothing may take it from them */
  MatchRows first = {0}, all = {0};
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    if (sys->rows.at[r].initial_only != initial_only)
      continue;
    vec_push(lo->a, &all, r);
    if (sys->rows.at[r].only != NO_SVAR)
      vec_push(lo->a, &first, r);
  }
  match_rows(lo->s, t, m, &first, allowed, OCCURS_NONLINEAR, lo->a);
  for (Occurrence limit = OCCURS_LITERAL; limit <= OCCURS_NONLINEAR; limit++)
    left = match_rows(lo->s, t, m, &all, allowed, limit, lo->a);
  return left;
}

/* ---- messages ---- */

static void list_rows(Lower *lo, Diag *d, const SSystem *sys, const bool *rows, uint32_t except,
                      const char *text) {
  uint32_t shown = 0;
  for (uint32_t r = 0; r < sys->rows.n && shown < 6; r++)
    if (rows[r] && r != except && sys->rows.at[r].span.hi) {
      diag_label(lo->diags, d, sys->rows.at[r].span, "%s", text);
      shown++;
    }
}

const char *system_names(Lower *lo, const bool *vars, uint32_t except) {
  Text names = {.arena = lo->a};
  uint32_t n = 0;
  for (uint32_t v = 0; v < lo->s->vars.n; v++) {
    if (!vars[v] || v == except)
      continue;
    if (n < 6) {
      text_add(&names, n ? ", `" : "`");
      structure_name(lo->s, v, &names);
      text_add(&names, "`");
    }
    n++;
  }
  if (n > 6)
    text_printf(&names, " and %u more", n - 6);
  return text_str(&names);
}

/* Two rows that can only determine the same variable. */
static bool report_double(Lower *lo, const SSystem *sys, const Matching *m, uint32_t r) {
  const SRow *row = &sys->rows.at[r];
  uint32_t other = row->only == NO_SVAR ? NO_ROW : m->row_of[row->only];
  if (other == NO_ROW || sys->rows.at[other].only != row->only)
    return false;
  Text name = {.arena = lo->a};
  structure_name(lo->s, row->only, &name);
  Diag *d = diag_add(lo->diags, D_S104, row->span,
                     "`%s` is determined by two when-clauses or algorithms", text_str(&name));
  diag_label(lo->diags, d, sys->rows.at[other].span, "determined here, too");
  diag_origin(lo->diags, d, structure_origin(lo->m, row->origin));
  return true;
}

/* States that occur in the marked rows. */
bool *system_states_in(Lower *lo, const SSystem *sys, const bool *rows) {
  bool *is_state = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  bool *found = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  for (uint32_t v = 0; v < lo->s->vars.n; v++)
    is_state[v] = lo->s->vars.at[v].state;
  IncidenceTable t = table_build(lo->s, sys, is_state, sys == &lo->s->initial, lo->a);
  for (uint32_t r = 0; r < sys->rows.n; r++)
    for (uint32_t k = 0; k < t.rows[r].n; k++)
      if (rows[r])
        found[t.rows[r].at[k].var] = true;
  return found;
}

/* Would the rows be enough if states could be determined, too? Then equations must be
 * differentiated first. */
static bool high_index(Lower *lo, const SSystem *sys, const bool *unknown) {
  bool *wider = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  for (uint32_t v = 0; v < lo->s->vars.n; v++)
    wider[v] = unknown[v] || lo->s->vars.at[v].state;
  IncidenceTable t = table_build(lo->s, sys, wider, false, lo->a);
  Matching m = matching_new(lo->s, sys->rows.n, lo->a);
  return system_match(lo, &t, &m, wider, false) == 0;
}

static uint32_t count(const bool *flags, uint32_t n) {
  uint32_t out = 0;
  for (uint32_t k = 0; k < n; k++)
    out += flags[k];
  return out;
}

void system_report_over(Lower *lo, const SSystem *sys, const IncidenceTable *t, const Matching *m,
                        const bool *unknown) {
  bool *over = NEW_ARRAY(lo->a, bool, sys->rows.n + 1);
  match_over(lo->s, t, m, over, lo->a);
  uint32_t first = 0;
  while (m->var_of[first] != NO_SVAR)
    first++;
  const SRow *row = &sys->rows.at[first];
  Diag *d;
  bool balanced = sys->rows.n <= count(unknown, lo->s->vars.n);
  if (balanced && high_index(lo, sys, unknown)) {
    d = diag_add(lo->diags, D_S106, row->span,
                 "equations constrain the states %s, so that their derivatives do not follow from "
                 "the equations as written",
                 system_names(lo, system_states_in(lo, sys, over), NO_SVAR));
    list_rows(lo, d, sys, over, first, "together with this equation");
    diag_note(lo->diags, d,
              "the constraint would have to be differentiated (differential index above 1)");
    diag_help(lo->diags, d,
              "choose coordinates in which the constraint holds by itself, such as the angle of a "
              "pendulum");
  } else {
    d = diag_add(lo->diags, D_S103, row->span,
                 "there is nothing left for this equation to determine: its unknowns follow from "
                 "other equations");
    list_rows(lo, d, sys, over, first, "competes with it");
  }
  diag_origin(lo->diags, d, structure_origin(lo->m, row->origin));
}

/* The first unknown that nothing determines, and which equations it lost to others. */
static void report_under(Lower *lo, const SSystem *sys, const IncidenceTable *t, const Matching *m,
                         const bool *unknown) {
  bool *under = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  /* what has no row, and what could take its place */
  match_under(lo->s, t, m, unknown, under, lo->a);
  uint32_t first = 0;
  while (!unknown[first] || m->row_of[first] != NO_ROW)
    first++;
  Text name = {.arena = lo->a};
  structure_name(lo->s, first, &name);
  const SVar *v = &lo->s->vars.at[first];
  Diag *d = diag_add(lo->diags, D_S101, v->span,
                     "nothing determines `%s` (%u equations, %u unknowns)", text_str(&name),
                     sys->rows.n, count(unknown, lo->s->vars.n));
  const char *others = system_names(lo, under, first);
  if (*others)
    diag_note(lo->diags, d, "it competes with %s for the same equations", others);
  bool *rows = NEW_ARRAY(lo->a, bool, sys->rows.n + 1);
  for (uint32_t k = 0; k < lo->s->vars.n; k++)
    if (under[k] && m->row_of[k] != NO_ROW)
      rows[m->row_of[k]] = true;
  list_rows(lo, d, sys, rows, NO_ROW, "already determines another unknown");
  if (v->kind == SV_VAR)
    diag_origin(lo->diags, d, structure_origin(lo->m, lo->m->vars.at[first].origin));
}

/* ---- simulation ---- */

bool system_simulation(Lower *lo) {
  SSystem *sys = &lo->s->simulation;
  bool *unknown = system_unknowns(lo->s, lo->a);
  IncidenceTable t = table_build(lo->s, sys, unknown, false, lo->a);
  Matching m = matching_new(lo->s, sys->rows.n, lo->a);
  uint32_t left = system_match(lo, &t, &m, unknown, false);
  /* rows that repeat others were left out: what they leave open gets a row with coefficients 0 */
  if (!left && lo->s->n_repeated &&
      count(unknown, lo->s->vars.n) == sys->rows.n + lo->s->n_repeated) {
    bool *open = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
    match_under(lo->s, &t, &m, unknown, open, lo->a);
    modes_leave_open(lo, open);
    return system_simulation(lo);
  }
  /* two clauses for one variable are said as such, not as a part that is over-determined */
  bool said = false;
  for (uint32_t r = 0; r < sys->rows.n && left; r++)
    if (m.var_of[r] == NO_SVAR && report_double(lo, sys, &m, r))
      said = true;
  /* one message for one mistake */
  if (said)
    return false;
  if (left)
    system_report_over(lo, sys, &t, &m, unknown);
  else if (count(unknown, lo->s->vars.n) > sys->rows.n)
    report_under(lo, sys, &t, &m, unknown);
  else {
    sys->match = m.var_of;
    if (!sort_system(lo->s, sys, &t, &m, false, lo->a, lo->diags))
      return false;
    untear_open(lo, sys);
    return true;
  }
  return false;
}
