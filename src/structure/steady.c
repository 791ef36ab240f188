/* structure/steady.c -- events in time that hide behind variables: time < T where T = sqrt(a)
 * follows from parameters.
 * In:   all rows, just lowered.   Out: relations that are affine in time become events in time.
 * How:  a variable is steady if a row gives it a value by parameters, discrete and steady variables
 *       alone. A row waits for the variables in it one after the other, so that each row is looked
 *       at once per variable.
 * Keep: time, delays, derivatives and impure functions are never steady. */
#include "structure/lower.h"
#include "structure/build.h"
#include "structure/lower_expr.h"
#include "structure/lower_impl.h"
#include "structure/lowered.h"

typedef VEC(uint32_t) Numbers;

typedef struct {
  Lower *lo;
  Numbers *waiting; /* per SVar: rows that go on when it is found steady */
  Numbers fresh;    /* steady variables whose rows were not told yet */
  uint32_t blocker; /* of the expression at work: a variable that may vary; NO_SVAR: none */
  bool never;       /* it varies, whatever its variables do */
} Steady;

static void search(void *user, ExprId e) {
  Steady *st = user;
  const Expr *x = expr_get(st->lo->p, e);
  switch ((int)x->op) {
  case OP_VAR: {
    const SVar *v = &st->lo->s->vars.at[x->index];
    if (!v->known && !v->discrete && !st->lo->mem->steady[x->index])
      st->blocker = x->index;
    st->never = st->never || (v->kind == SV_DER);
    break;
  }
  case OP_CALL: st->never = st->never || !x->ref || ((const Func *)x->ref)->impure; break;
  case OP_TIME:
  case OP_DELAY:
  case OP_SPATIAL:
  case OP_LOCAL:
  case OP_REF:
  case OP_FUNCTION: st->never = true; break;
  }
}

/* v = e: v is steady, or the row waits for what it needs. */
static void try_side(Steady *st, uint32_t row, ExprId side, ExprId e) {
  Lower *lo = st->lo;
  uint32_t v;
  if (!lowered_var(lo->p, side, &v))
    return;
  const SVar *sv = &lo->s->vars.at[v];
  if (sv->kind != SV_VAR || sv->known || sv->discrete || sv->state || lo->mem->steady[v])
    return;
  st->blocker = NO_SVAR;
  st->never = false;
  expr_walk(lo->p, e, search, st);
  if (st->never)
    return;
  if (st->blocker != NO_SVAR) {
    vec_push(lo->a, &st->waiting[st->blocker], row);
    return;
  }
  lo->mem->steady[v] = true;
  vec_push(lo->a, &st->fresh, v);
}

static void try_row(Steady *st, uint32_t k) {
  const SRow *row = &st->lo->s->simulation.rows.at[k];
  if (row->kind != ROW_EQUAL || row->only != NO_SVAR)
    return;
  ExprId lhs = row->lhs, rhs = row->rhs;
  try_side(st, k, lhs, rhs);
  try_side(st, k, rhs, lhs);
}

/* Is there a relation that could become one of time? */
static bool any_left(const Structure *s) {
  for (uint32_t k = 0; k < s->relations.n; k++)
    if (!s->relations.at[k].timed)
      return true;
  return false;
}

void steady_instants(Lower *lo) {
  Structure *s = lo->s;
  if (!any_left(s))
    return;
  Steady st = {.lo = lo, .waiting = NEW_ARRAY(lo->a, Numbers, s->vars.n)};
  lo->mem->steady = NEW_ARRAY(lo->a, bool, s->vars.n);
  for (uint32_t k = 0; k < s->simulation.rows.n; k++)
    try_row(&st, k);
  while (st.fresh.n) {
    uint32_t v = vec_last(&st.fresh);
    st.fresh.n--;
    for (uint32_t k = 0; k < st.waiting[v].n; k++)
      try_row(&st, st.waiting[v].at[k]);
  }
  for (uint32_t k = 0; k < s->relations.n; k++)
    if (!s->relations.at[k].timed)
      find_instant(lo, &s->relations.at[k]);
}
