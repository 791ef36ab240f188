/* structure/pulse.c -- how Dirac pulses go on from the equations where they arise: areas of
 * everything else at that instant.
 * In:   the jumps and the sorted simulation of the mode.   Out: s->pulses, a system of rows for
 *       areas; areas of relations.
 * How:  the area of a sum is the sum of areas; finite terms have none; a factor without pulse
 *       stays; abs, max, min and if work on areas as on values. A product of two pulses, or another
 *       function of one, has no meaning: its area is DBL_MAX, which the run refuses.
 * Keep: areas of integrals are steps: where der(y) has a pulse the run moves y by its area. */
#include "structure/jump.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/lower_special.h"
#include "structure/lowered.h"
#include "structure/match.h"
#include "structure/name.h"
#include "structure/sort.h"
#include "structure/tables.h"

#include <float.h>

typedef struct {
  Lower *lo;
  bool *may;  /* per SVar: it may have a pulse */
  uint32_t n; /* SVars that there were at first */
  Map areas;  /* expression -> its area */
} Pulses;

uint32_t svar_impulse(Lower *lo, uint32_t var) {
  if (!lo->s->vars.at[var].pulse) {
    uint32_t pulse = svar_add(lo, SV_IMPULSE, var, type_scalar(lo->p, TY_REAL));
    lo->s->vars.at[pulse].known = lo->s->vars.at[pulse].discrete = true;
    lo->s->vars.at[pulse].span = lo->s->vars.at[var].span;
    lo->s->vars.at[var].pulse = pulse;
  }
  return lo->s->vars.at[var].pulse;
}

static ExprId area(Pulses *ps, ExprId e);

static bool has(Pulses *ps, ExprId e) { return !expr_is_zero(ps->lo->p, area(ps, e)); }

/* It has no meaning if there is a pulse in one of them: then the largest number stands for it. */
static ExprId no_area(Pulses *ps, const Expr *x) {
  ExprPool *p = ps->lo->p;
  ExprId sum = expr_real(p, 0);
  for (uint32_t k = 0; k < x->n; k++)
    if (x->args[k].i && type_get(p, expr_get(p, x->args[k])->type)->base == TY_REAL &&
        has(ps, x->args[k]))
      sum = expr_binary(p, OP_ADD, sum, expr_unary(p, OP_ABS, area(ps, x->args[k])));
  ExprId zero = expr_real(p, 0);
  return expr_is_zero(p, sum)
             ? zero
             : expr_if(p, expr_binary(p, OP_NE, sum, zero), expr_real(p, DBL_MAX), zero);
}

static ExprId area_of_node(Pulses *ps, ExprId e) {
  ExprPool *p = ps->lo->p;
  const Expr *x = expr_get(p, e);
  ExprId zero = expr_real(p, 0);
  uint32_t v;
  /* a variable that may have a pulse has an area in its place */
  if (lowered_var(p, e, &v))
    return v < ps->n && ps->may[v] ? svar_expr(ps->lo->s, svar_impulse(ps->lo, v)) : zero;
  if (!x->n)
    return zero;
  if (x->op == OP_ADD || x->op == OP_SUB)
    return expr_binary(p, x->op, area(ps, x->args[0]), area(ps, x->args[1]));
  if (x->op == OP_NEG || x->op == OP_ABS)
    return expr_unary(p, x->op, area(ps, x->args[0]));
  /* the larger of both is the one with the larger pulse */
  if (x->op == OP_MAX2 || x->op == OP_MIN2)
    return expr_binary(p, x->op, area(ps, x->args[0]), area(ps, x->args[1]));
  if (x->op == OP_IF)
    return expr_if(p, x->args[0], area(ps, x->args[1]), area(ps, x->args[2]));
  /* a factor without pulse stays what it is at that instant */
  if (x->op == OP_MUL && !has(ps, x->args[1]))
    return expr_binary(p, OP_MUL, area(ps, x->args[0]), x->args[1]);
  if (x->op == OP_MUL && !has(ps, x->args[0]))
    return expr_binary(p, OP_MUL, x->args[0], area(ps, x->args[1]));
  if (x->op == OP_DIV && !has(ps, x->args[1]))
    return expr_binary(p, OP_DIV, area(ps, x->args[0]), x->args[1]);
  return no_area(ps, x);
}

static ExprId area(Pulses *ps, ExprId e) {
  uint64_t known;
  /* equal expressions have one area */
  if (map_get(&ps->areas, e.i, &known))
    return (ExprId){(uint32_t)known};
  ExprId out = area_of_node(ps, e);
  map_put(ps->lo->a, &ps->areas, e.i, out.i);
  return out;
}

typedef struct {
  const Pulses *ps;
  bool found;
} Seek;

static void seek(void *user, ExprId e) {
  Seek *s = user;
  uint32_t v;
  s->found = s->found || (lowered_var(s->ps->lo->p, e, &v) && v < s->ps->n && s->ps->may[v]);
}

static bool reads_pulse(const Pulses *ps, ExprId e) {
  Seek s = {ps, false};
  if (e.i)
    expr_walk(ps->lo->p, e, seek, &s);
  return s.found;
}

/* Where pulses arise. */
static void mark_jumps(Pulses *ps) {
  Structure *s = ps->lo->s;
  for (uint32_t k = 0; k < s->jumps.n; k++)
    for (uint32_t i = 0; i < s->jumps.at[k].n; i++) {
      uint32_t v = s->jumps.at[k].vars[i];
      /* it may have a pulse, and so may its derivatives */
      for (; v != NO_SVAR && v < ps->n; v = s->vars.at[v].der)
        ps->may[v] = true;
    }
}

/* Blocks in order of evaluation: what reads a pulse may have one. */
static void spread(Pulses *ps) {
  const SSystem *sys = &ps->lo->s->simulation;
  for (uint32_t b = 0; b < sys->blocks.n; b++) {
    const SBlock *bl = &sys->blocks.at[b];
    bool reads = false;
    /* rows of jumps give their areas themselves */
    for (uint32_t k = 0; k < bl->n && !reads; k++) {
      const SRow *row = &sys->rows.at[bl->rows[k]];
      reads = row->kind == ROW_EQUAL && !row->of_jump &&
              (reads_pulse(ps, row->lhs) || reads_pulse(ps, row->rhs));
    }
    for (uint32_t k = 0; k < bl->n && reads; k++) {
      /* whole numbers have no pulses */
      const SVar *v = &ps->lo->s->vars.at[bl->unknowns[k]];
      if (!v->discrete && type_get(ps->lo->p, v->type)->base == TY_REAL)
        ps->may[bl->unknowns[k]] = true;
    }
  }
}

/* Rows of areas, each for the unknown whose row it comes from; those of jumps give their areas
 * themselves. */
static bool add_rows(Pulses *ps) {
  Lower *lo = ps->lo;
  Structure *s = lo->s;
  uint32_t n = s->simulation.rows.n;
  VEC(uint32_t) vars = {0};
  for (uint32_t r = 0; r < n; r++) {
    /* a row of areas for each variable that may have a pulse */
    SRow row = s->simulation.rows.at[r];
    uint32_t v = s->simulation.match[r];
    if (row.kind != ROW_EQUAL || row.of_jump || v == NO_SVAR || v >= ps->n || !ps->may[v])
      continue;
    row.lhs = expr_to_real(lo->p, area(ps, row.lhs));
    row.rhs = expr_to_real(lo->p, area(ps, row.rhs));
    row.only = NO_SVAR;
    row.derivative_of = 0;
    vec_push(lo->a, &s->pulses.rows, row);
    vec_push(lo->a, &vars, svar_impulse(lo, v));
  }
  for (uint32_t k = 0; k < s->relations.n; k++) {
    SRelation *r = &s->relations.at[k];
    if (!r->timed && (reads_pulse(ps, r->a) || reads_pulse(ps, r->b)))
      r->area = expr_to_real(lo->p, expr_binary(lo->p, OP_SUB, area(ps, r->a), area(ps, r->b)));
  }
  bool *unknown = NEW_ARRAY(lo->a, bool, s->vars.n + 1);
  Matching m = matching_new(s, s->pulses.rows.n, lo->a);
  /* each area follows from the row that its variable follows from */
  for (uint32_t k = 0; k < vars.n; k++) {
    unknown[vars.at[k]] = true;
    m.var_of[k] = vars.at[k];
    m.row_of[vars.at[k]] = k;
  }
  IncidenceTable t = table_build(s, &s->pulses, unknown, true, lo->a);
  s->pulses.match = m.var_of;
  return sort_system(s, &s->pulses, &t, &m, true, lo->a, lo->diags);
}

bool pulses_find(Lower *lo) {
  Structure *s = lo->s;
  Pulses ps = {.lo = lo, .n = s->vars.n, .may = NEW_ARRAY(lo->a, bool, s->vars.n + 1)};
  if (!s->jumps.n)
    return true;
  mark_jumps(&ps);
  for (uint32_t v = 0; v < ps.n; v++)
    if (ps.may[v])
      svar_impulse(lo, v);
  spread(&ps);
  return add_rows(&ps);
}

SPulse *structure_pulses(const Structure *s, Arena *a, uint32_t *n) {
  SPulse *out = NEW_ARRAY(a, SPulse, s->vars.n + 1);
  /* states within jumps get their values there */
  bool *jumps = NEW_ARRAY(a, bool, s->vars.n + 1);
  for (uint32_t k = 0; k < s->jumps.n; k++)
    for (uint32_t i = 0; i < s->jumps.at[k].n; i++)
      jumps[s->jumps.at[k].vars[i]] = true;
  *n = 0;
  for (uint32_t v = 0; v < s->vars.n; v++) {
    if (s->vars.at[v].kind != SV_IMPULSE)
      continue;
    const SVar *of = &s->vars.at[s->vars.at[v].of];
    bool moves = of->kind == SV_DER && !jumps[of->of] && s->vars.at[of->of].place < s->states.n;
    out[(*n)++] = (SPulse){s->vars.at[v].place, structure_variable(s, v),
                           moves ? (int)s->vars.at[of->of].place : -1};
  }
  return out;
}
