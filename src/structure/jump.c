/* structure/jump.c -- what a change to this mode asks of the values before it: equations that bind
 * states, and those through which the pulses act that bring the states there.
 * In:   rows of the simulation after index reduction, before states are selected.   Out: s->jumps.
 * How:  the highest derivatives are matched to the rows that were not differentiated themselves;
 *       components of that system that hold a differentiated row are what can jump: m1*der(v1) =
 *       -F, m2*der(v2) = F, v1 = v2. Of each component the equations as written, E x' + A x + b =
 *       0, with their derivatives by x and x' (numeric/jump.h). Everything else is known there;
 *       components that share unknowns hand pulses on to each other and are one.
 * Keep: a component is a few equations even in a large model: the run works on full matrices. */
#include "structure/jump.h"
#include "structure/build.h"
#include "structure/graph.h"
#include "structure/incidence.h"
#include "structure/index.h"
#include "structure/lowered.h"
#include "structure/match.h"

typedef struct {
  Lower *lo;
  const bool *active;
  IncidenceTable t;
  Matching m;
} Highest;

/* The equation that the user wrote */
static uint32_t written_row(const Lower *lo, uint32_t r) {
  while (lo->s->simulation.rows.at[r].derivative_of)
    r = lo->s->simulation.rows.at[r].derivative_of - 1;
  return r;
}

/* The variable that it is a derivative of */
static uint32_t variable_of(const Lower *lo, uint32_t v) {
  while (lo->s->vars.at[v].kind == SV_DER)
    v = lo->s->vars.at[v].of;
  return v;
}

/* Components of the rows: row -> rows that determine what it holds. */
static uint32_t *components(const Highest *h) {
  Lower *lo = h->lo;
  uint32_t n = lo->s->simulation.rows.n;
  /* only the highest derivatives are unknowns here */
  Links g = {.start = NEW_ARRAY(lo->a, uint32_t, n + 2)};
  for (uint32_t r = 0; r < n; r++) {
    g.start[r] = g.links.n;
    /* rows without unknown determine nothing */
    for (uint32_t k = 0; h->m.var_of[r] != NO_SVAR && k < h->t.rows[r].n; k++) {
      uint32_t other = h->m.row_of[h->t.rows[r].at[k].var];
      if (other != NO_ROW && other != r)
        vec_push(lo->a, &g.links, (Link){other, true});
    }
  }
  g.start[n] = g.links.n;
  return links_components(&g, n, true, lo->a);
}

/* ---- expressions of a component ---- */

typedef struct {
  Lower *lo;
  const uint32_t *number; /* per SVar: unknown of the component + 1 */
} Inner;

/* How fast the rest of an equation moves: unknowns of the component stand still. */
static ExprId outer_derivative(void *user, ExprId e) {
  const Inner *in = user;
  Lower *lo = in->lo;
  uint32_t v;
  if (!lowered_var(lo->p, e, &v))
    return NO_EXPR;
  const SVar *s = &lo->s->vars.at[v];
  /* discrete values have jumped before */
  bool still = s->known || s->discrete || s->der == NO_SVAR || in->number[variable_of(lo, v)];
  return still ? expr_real(lo->p, 0) : svar_expr(lo->s, s->der);
}

/* The variables of an equation. */
typedef struct {
  const Lower *lo;
  uint32_t *stamp, now; /* per SVar: == now if it was met */
  VEC(uint32_t) met;
} Found;

static void find_var(void *user, ExprId e) {
  Found *f = user;
  uint32_t v;
  if (!lowered_var(f->lo->p, e, &v) || f->stamp[v] == f->now)
    return;
  f->stamp[v] = f->now;
  vec_push(f->lo->a, &f->met, v);
}

static Found found_begin(const Lower *lo) {
  return (Found){.lo = lo, .stamp = NEW_ARRAY(lo->a, uint32_t, lo->s->vars.n)};
}

static void find_vars(Found *f, ExprId a, ExprId b) {
  /* stamps instead of sets: many equations are looked at */
  f->now++;
  f->met.n = 0;
  expr_walk(f->lo->p, a, find_var, f);
  if (b.i)
    expr_walk(f->lo->p, b, find_var, f);
}

static bool add_entry(Lower *lo, SJump *j, ExprId f, uint32_t row, uint32_t column, uint32_t var,
                      bool of_rates) {
  ExprId d = expr_diff(lo->p, f, svar_expr(lo->s, var));
  if (!d.i)
    return false;
  if (expr_is_zero(lo->p, d))
    return true;
  SEntry entry = {row, column, d};
  if (of_rates)
    vec_push(lo->a, &j->rates, entry);
  else
    vec_push(lo->a, &j->values, entry);
  return true;
}

/* False: an equation cannot be differentiated. */
static bool describe(Lower *lo, SJump *j, const uint32_t *number) {
  ExprPool *p = lo->p;
  Inner in = {lo, number};
  Found found = found_begin(lo);
  /* the equations as written, and how each depends on values and rates of its unknowns */
  for (uint32_t i = 0; i < j->n; i++) {
    const SRow *row = &lo->s->simulation.rows.at[j->rows[i]];
    ExprId f = expr_to_real(p, expr_binary(p, OP_SUB, row->lhs, row->rhs));
    find_vars(&found, f, NO_EXPR);
    for (uint32_t k = 0; k < j->n; k++) {
      uint32_t v = j->vars[k], der = lo->s->vars.at[v].der;
      bool holds = found.stamp[v] == found.now;
      bool holds_der = der != NO_SVAR && found.stamp[der] == found.now;
      if ((holds && !add_entry(lo, j, f, i, k, v, false)) ||
          (holds_der && !add_entry(lo, j, f, i, k, der, true)))
        return false;
    }
    /* what the rest does in the meantime moves the equation, too */
    const char *why;
    uint32_t n_vars = lo->s->vars.n;
    ExprId moves = expr_diff_total(lo->p, f, outer_derivative, &in, &why);
    j->residuals[i] = f;
    j->moves[i] = moves.i && lo->s->vars.n == n_vars ? expr_to_real(p, moves) : expr_real(p, 0);
    j->spans[i] = row->span;
  }
  return true;
}

/* An equation of one unknown that holds no derivative of it gives it its value and binds
 * nothing. */
static bool binds(const Lower *lo, const SJump *j) {
  return j->n > 1 || j->rates.n || lo->s->vars.at[j->vars[0]].der != NO_SVAR;
}

static void add_component(Highest *h, const uint32_t *component, uint32_t which) {
  Lower *lo = h->lo;
  SJump j = {0};
  /* counted first, for the rooms of the jump */
  uint32_t n = 0;
  uint32_t *number = NEW_ARRAY(lo->a, uint32_t, lo->s->vars.n);
  for (uint32_t r = 0; r < lo->s->simulation.rows.n; r++)
    n += component[r] == which && h->m.var_of[r] != NO_SVAR;
  j.rows = NEW_ARRAY(lo->a, uint32_t, n);
  j.vars = NEW_ARRAY(lo->a, uint32_t, n);
  j.residuals = NEW_ARRAY(lo->a, ExprId, n);
  j.moves = NEW_ARRAY(lo->a, ExprId, n);
  j.spans = NEW_ARRAY(lo->a, Span, n);
  for (uint32_t r = 0; r < lo->s->simulation.rows.n; r++) {
    if (component[r] != which || h->m.var_of[r] == NO_SVAR)
      continue;
    /* equations and variables as written: a jump is about these, whatever was differentiated */
    j.rows[j.n] = written_row(lo, r);
    j.vars[j.n] = variable_of(lo, h->m.var_of[r]);
    number[j.vars[j.n]] = j.n + 1;
    /* only variables of the model jump */
    if (lo->s->vars.at[j.vars[j.n]].kind != SV_VAR)
      return;
    j.n++;
  }
  /* what cannot be described makes no jump */
  if (!describe(lo, &j, number) || !binds(lo, &j))
    return;
  vec_push(lo->a, &lo->s->jumps, j);
  SSystem *sys = &lo->s->simulation;
  for (uint32_t i = 0; i < j.n; i++)
    sys->rows.at[j.rows[i]].of_jump = true;
  for (uint32_t r = 0; r < sys->rows.n;
       r++) /* derivatives stand behind what they are derivatives of */
    if (sys->rows.at[r].derivative_of && sys->rows.at[sys->rows.at[r].derivative_of - 1].of_jump)
      sys->rows.at[r].of_jump = true;
}

/* ---- components that hand pulses on to each other ---- */

static uint32_t root(uint32_t *up, uint32_t k) {
  while (up[k] != k)
    k = up[k] = up[up[k]];
  return k;
}

/* Equations that hold the derivative of what may jump are part of it: their own unknown moves with
 * it. */
static void spread_marks(const Highest *h, const uint32_t *component, bool *marked) {
  Lower *lo = h->lo;
  uint32_t n = lo->s->simulation.rows.n;
  bool *moves = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  Found found = found_begin(lo);
  /* until nothing more moves with what is marked */
  for (bool more = true; more;) {
    more = false;
    for (uint32_t r = 0; r < n; r++)
      if (h->m.var_of[r] != NO_SVAR && marked[component[r]])
        moves[variable_of(lo, h->m.var_of[r])] = true;
    for (uint32_t r = 0; r < n; r++) {
      if (h->m.var_of[r] == NO_SVAR || marked[component[r]])
        continue;
      const SRow *row = &lo->s->simulation.rows.at[written_row(lo, r)];
      find_vars(&found, row->lhs, row->rhs);
      for (uint32_t k = 0; k < found.met.n && !marked[component[r]]; k++)
        more = marked[component[r]] = lo->s->vars.at[found.met.at[k]].kind == SV_DER &&
                                      moves[variable_of(lo, found.met.at[k])];
    }
  }
}

/* Joins the marked components one of which holds an unknown of the other, in whatever
 * derivative. */
static void join(const Highest *h, uint32_t *component, const bool *marked) {
  Lower *lo = h->lo;
  uint32_t n = lo->s->simulation.rows.n, n_vars = lo->s->vars.n;
  uint32_t *up = NEW_ARRAY(lo->a, uint32_t, n + 1);
  uint32_t *home = NEW_ARRAY(lo->a, uint32_t, n_vars);
  for (uint32_t c = 0; c <= n; c++)
    up[c] = c;
  /* each variable has one component that determines it */
  for (uint32_t r = 0; r < n; r++)
    if (h->m.var_of[r] != NO_SVAR && marked[component[r]])
      home[variable_of(lo, h->m.var_of[r])] = component[r] + 1;
  Found found = found_begin(lo);
  for (uint32_t r = 0; r < n; r++) {
    if (h->m.var_of[r] == NO_SVAR || !marked[component[r]])
      continue;
    const SRow *row = &lo->s->simulation.rows.at[written_row(lo, r)];
    find_vars(&found, row->lhs, row->rhs);
    for (uint32_t k = 0; k < found.met.n; k++) {
      uint32_t at = home[variable_of(lo, found.met.at[k])];
      if (at)
        up[root(up, component[r])] = root(up, at - 1);
    }
  }
  for (uint32_t r = 0; r < n; r++)
    component[r] = root(up, component[r]);
}

/* Each component of the highest derivatives in which a differentiated equation stands, with what
 * it moves, is a jump. */
void jumps_find(Lower *lo, const bool *active) {
  SSystem *sys = &lo->s->simulation;
  uint32_t n = sys->rows.n;
  bool *unknown = highest_derivatives(lo), any = false;
  Highest h = {.lo = lo,
               .active = active,
               .t = table_build(lo->s, sys, unknown, false, lo->a),
               .m = matching_new(lo->s, n, lo->a)};
  /* rows that can determine one unknown only come first */
  MatchRows rows = {0};
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t r = 0; r < n; r++)
      if (active[r] && index_counts(lo, &sys->rows.at[r]) &&
          (sys->rows.at[r].only != NO_SVAR) == (pass == 0))
        vec_push(lo->a, &rows, r);
  if (match_rows(lo->s, &h.t, &h.m, &rows, unknown, OCCURS_NONLINEAR, lo->a))
    return;
  /* components of what remains after index reduction; marked: those with a differentiated
   * equation */
  uint32_t *component = components(&h);
  bool *marked = NEW_ARRAY(lo->a, bool, n + 1);
  bool *todo = NEW_ARRAY(lo->a, bool, n + 1);
  for (uint32_t r = 0; r < n; r++)
    if (active[r] && sys->rows.at[r].derivative_of && h.m.var_of[r] != NO_SVAR)
      any = marked[component[r]] = true;
  if (!any)
    return;
  /* what a jump moves by way of derivatives must be part of it */
  spread_marks(&h, component, marked);
  bool *within = NEW_ARRAY(lo->a, bool, n + 1);
  for (uint32_t r = 0; r < n; r++)
    within[r] = h.m.var_of[r] != NO_SVAR && marked[component[r]];
  /* those that share an unknown jump together; in order of evaluation */
  join(&h, component, marked);
  for (uint32_t r = 0; r < n; r++)
    if (within[r])
      todo[component[r]] = true;
  for (uint32_t r = 0; r < n; r++)
    if (h.m.var_of[r] != NO_SVAR && todo[component[r]]) {
      todo[component[r]] = false;
      add_component(&h, component, component[r]);
    }
}
