/* structure/settled.c -- the literal values of constants, and of parameters that nobody can change
 * any more.
 * A parameter that is final or shaped the model is as good as a literal: a factor 0 must be seen as
 * such.
 * How:  a value follows from those that its binding names; these are worked out first, with a stack
 *       of our own, because chains may be as long as the model. In a circle nobody has a value. */
#include "structure/lower_special.h"
#include "structure/build.h"
#include "structure/lower_expr.h"
#include "structure/lower_impl.h"

enum { VALUE_NEW, VALUE_BUSY, VALUE_DONE };

static bool is_settled(const Lower *lo, uint32_t v) {
  const FlatVar *f = &lo->m->vars.at[v];
  int64_t fixed = 1;
  return (f->variability == FLAT_CONSTANT ||
          (f->variability == FLAT_PARAMETER && (f->is_final || f->structural))) &&
         f->binding.i && !(f->fixed.i && (!expr_as_integer(lo->p, f->fixed, &fixed) || !fixed));
}

typedef struct {
  Lower *lo;
  VEC(uint32_t) work; /* variables to be worked out; one that is busy has its needs above it */
} Values;

static void note_need(void *user, ExprId e) {
  Values *va = user;
  const Expr *x = expr_get(va->lo->p, e);
  if (x->op == OP_VAR && x->index < va->lo->m->vars.n &&
      va->lo->mem->value_state[x->index] == VALUE_NEW && is_settled(va->lo, x->index))
    vec_push(va->lo->a, &va->work, x->index);
}

static ExprId value_of(Lower *lo, uint32_t v) {
  const FlatVar *f = &lo->m->vars.at[v];
  ExprId value = lower_expr(lo, f->binding, LOWER_NO_EVENTS);
  if (!expr_is_literal(lo->p, value) || !type_is_scalar(lo->p, f->type))
    return NO_EXPR;
  return type_get(lo->p, f->type)->base == TY_REAL ? expr_to_real(lo->p, value) : value;
}

ExprId settled_value(Lower *lo, uint32_t v) {
  if (!lo->mem->value_state) {
    lo->mem->value_state = NEW_ARRAY(lo->a, unsigned char, lo->m->vars.n);
    lo->mem->values = NEW_ARRAY(lo->a, ExprId, lo->m->vars.n);
  }
  if (lo->mem->value_state[v] != VALUE_NEW || !is_settled(lo, v))
    return lo->mem->values[v];
  Values va = {.lo = lo};
  vec_push(lo->a, &va.work, v);
  while (va.work.n) {
    uint32_t w = vec_last(&va.work);
    if (lo->mem->value_state[w] == VALUE_NEW) {
      lo->mem->value_state[w] = VALUE_BUSY;
      expr_walk(lo->p, lo->m->vars.at[w].binding, note_need, &va);
      continue;
    }
    va.work.n--;
    if (lo->mem->value_state[w] == VALUE_BUSY)
      lo->mem->values[w] = value_of(lo, w);
    lo->mem->value_state[w] = VALUE_DONE;
  }
  return lo->mem->values[v];
}
