/* structure/lower_delay.c -- delay(expression, time): MLS 3.6 section 3.7.4.1.
 * In:   DELAY(value, time, most).   Out: an SDelay, two SVars with their rows.
 * The expression becomes a variable of its own, which the run records; another one holds the
 * delayed value, DELAY(number, time, delay). During initialisation the two are equal. A jump comes
 * out at an instant that is known if the delay does not vary between events; else time - delay is
 * compared with the time of the next jump, DELAY(number, time, -DBL_MAX), like in any relation. */
#include "structure/lower_special.h"
#include "structure/build.h"
#include "structure/lower.h"
#include "structure/lower_expr.h"
#include "structure/lowered.h"

#include <float.h>

static uint32_t auxiliary(Lower *lo) {
  return svar_add(lo, SV_BUFFER, 0, type_scalar(lo->p, TY_REAL));
}

static void both(Lower *lo, uint32_t var, ExprId simulation, ExprId initial) {
  row_add(lo, &lo->s->simulation, ROW_EQUAL, svar_expr(lo->s, var), simulation)->only = var;
  row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, var), initial)->only = var;
}

ExprId lower_delay(Lower *lo, const Expr *x, const ExprId *args) {
  ExprPool *p = lo->p;
  ExprId value = expr_to_real(p, args[0]);
  ExprId delay = expr_to_real(p, args[1]);
  ExprId most = x->n > 2 && args[2].i ? expr_to_real(p, args[2]) : delay;
  ExprId node = expr_make(p, OP_DELAY, type_scalar(p, TY_REAL), 2, (ExprId[]){value, delay});
  uint64_t known;
  if (expr_is_zero(p, delay))
    return value;
  if (lower_known(lo, node.i, &known))
    return svar_expr(lo->s, (uint32_t)known);
  uint32_t number = lo->s->delays.n;
  uint32_t in = auxiliary(lo);
  uint32_t out = auxiliary(lo);
  lo->s->vars.at[in].meaning = value;
  lo->s->vars.at[out].meaning = node;
  lower_note(lo, node.i, out);
  vec_push(lo->a, &lo->s->delays,
           (SDelay){in, delay, most, !lower_is_discrete(lo, delay), lo->span});
  ExprId past = expr_make(p, OP_DELAY, type_scalar(p, TY_REAL), 3,
                          (ExprId[]){expr_integer(p, number), expr_time(p), delay});
  both(lo, in, value, value);
  both(lo, out, past, svar_expr(lo->s, in));
  if (lo->s->delays.at[number].varies) {
    ExprId jump = expr_make(
        p, OP_DELAY, type_scalar(p, TY_REAL), 3,
        (ExprId[]){expr_integer(p, number), expr_time(p), expr_real(p, -DBL_MAX)});
    lower_relation_var(lo, OP_GE, expr_binary(p, OP_SUB, expr_time(p), delay), jump);
  }
  return svar_expr(lo->s, out);
}
