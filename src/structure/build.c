/* structure/build.c -- how the steps that build a structure add values and rows.
 * Keep: each value has at most one derivative and one pre value; the number of a value or row that
 *       was added stays. A derivative that slept in the mode before (`dormant`) is woken, so that
 *       it keeps its number and its place in all modes. */
#include "structure/build.h"
#include "structure/lowered.h"

/* ---- values ---- */

uint32_t svar_add(Lower *lo, SVarKind kind, uint32_t of, TypeId type) {
  Structure *s = lo->s;
  uint32_t number = s->vars.n;
  vec_push(lo->a, &s->vars,
           (SVar){.kind = kind,
                  .of = of,
                  .type = type,
                  .expr = expr_var(lo->p, type, number),
                  .der = NO_SVAR,
                  .pre = NO_SVAR,
                  .span = lo->span});
  return number;
}

uint32_t svar_pre(Lower *lo, uint32_t var) {
  if (lo->s->vars.at[var].pre == NO_SVAR) {
    uint32_t pre = svar_add(lo, SV_PRE, var, lo->s->vars.at[var].type);
    lo->s->vars.at[pre].discrete = true;
    lo->s->vars.at[pre].span = lo->s->vars.at[var].span;
    lo->s->vars.at[var].pre = pre;
  }
  return lo->s->vars.at[var].pre;
}

ExprId svar_before(Lower *lo, uint32_t v) {
  const SVar *var = &lo->s->vars.at[v];
  bool fixed = var->known &&
               !(var->kind == SV_VAR && lo->s->model->vars.at[v].variability < FLAT_PARAMETER);
  return svar_expr(lo->s, fixed ? v : svar_pre(lo, v));
}

uint32_t svar_der(Lower *lo, uint32_t var) {
  if (lo->s->vars.at[var].der == NO_SVAR && lo->s->vars.at[var].dormant) {
    uint32_t der = lo->s->vars.at[var].dormant;
    lo->s->vars.at[der].known = false;
    lo->s->vars.at[var].der = der;
    lo->s->vars.at[var].state = true;
  }
  if (lo->s->vars.at[var].der == NO_SVAR) {
    uint32_t der = svar_add(lo, SV_DER, var, lo->s->vars.at[var].type);
    lo->s->vars.at[der].span = lo->s->vars.at[var].span;
    lo->s->vars.at[var].der = der;
    lo->s->vars.at[var].state = true;
  }
  return lo->s->vars.at[var].der;
}

/* ---- rows ---- */

SRow *row_add(Lower *lo, SSystem *sys, SRowKind kind, ExprId lhs, ExprId rhs) {
  vec_push(lo->a, &sys->rows,
           (SRow){.kind = kind,
                  .lhs = lhs,
                  .rhs = rhs,
                  .only = NO_SVAR,
                  .origin = lo->origin,
                  .span = lo->span});
  return &vec_last(&sys->rows);
}

uint32_t *rows_initially(const Lower *lo) {
  const SSystem *sys = &lo->s->initial;
  uint32_t n = lo->s->simulation.rows.n, k = 0;
  uint32_t *out = NEW_ARRAY(lo->a, uint32_t, n + 1);
  /* initial equations stand anywhere among them */
  for (uint32_t r = 0; r < sys->rows.n && k < n; r++)
    if (!sys->rows.at[r].initial_only)
      out[k++] = r;
  return out;
}

ExprId lower_default_start(Lower *lo, uint32_t var) {
  ExprId e = lo->s->starts[var];
  if (e.i)
    return e;
  TypeId t = lo->s->vars.at[var].type;
  switch (type_get(lo->p, t)->base) {
  case TY_REAL: return expr_real(lo->p, 0);
  case TY_INTEGER: return expr_integer(lo->p, 0);
  case TY_BOOLEAN: return expr_boolean(lo->p, false);
  case TY_STRING: return expr_string(lo->p, "");
  case TY_ENUM: return expr_enum(lo->p, t, 1);
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return NO_EXPR;
}
