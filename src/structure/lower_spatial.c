/* structure/lower_spatial.c -- spatialDistribution(): MLS 3.6 section 3.7.4.2.
 * In:   SPATIAL(end, in0, in1, x, positiveVelocity, points..., values...).
 * Out:  what flows in, x and the direction become variables of their own, which the run records
 *       (STransport). What comes out at an end is SPATIAL(number, end, x), where the flow comes
 *       from is what flows in: z(0, t) = in0 if v >= 0. A jump reaches an end when x reaches
 *       SPATIAL(number, 2 + end, x), which is a relation like any other, so that the run finds the
 *       instant. During initialisation the ends are those of the initial distribution.
 * Keep: nodes that differ in the end only are one transport. */
#include "structure/lower_special.h"
#include "structure/build.h"
#include "structure/lower_expr.h"
#include "structure/lowered.h"

static uint32_t recorded(Lower *lo, ExprId value) {
  uint32_t var = svar_add(lo, SV_BUFFER, 0, type_scalar(lo->p, TY_REAL));
  lo->s->vars.at[var].meaning = value;
  row_add(lo, &lo->s->simulation, ROW_EQUAL, svar_expr(lo->s, var), value)->only = var;
  row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, var), value)->only = var;
  return var;
}

static void must_hold(Lower *lo, ExprId condition, const char *text) {
  if (expr_get(lo->p, condition)->op == OP_BOOLEAN && expr_get(lo->p, condition)->integer)
    return;
  vec_push(lo->a, &lo->s->guards,
           (SAction){.kind = ACTION_ASSERT,
                     .value = condition,
                     .message = expr_string(lo->p, text),
                     .span = lo->span});
}

/* Points lie between 0 and 1, in order. */
static void check_points(Lower *lo, const STransport *tr) {
  ExprPool *p = lo->p;
  must_hold(lo, expr_binary(p, OP_GE, tr->points[0], expr_real(p, 0)),
            "initial points of spatialDistribution must not be below 0");
  must_hold(lo, expr_binary(p, OP_LE, tr->points[tr->n - 1], expr_real(p, 1)),
            "initial points of spatialDistribution must not be above 1");
  for (uint32_t k = 1; k < tr->n; k++)
    must_hold(lo, expr_binary(p, OP_LE, tr->points[k - 1], tr->points[k]),
              "initial points of spatialDistribution must not descend");
}

static uint32_t transport_of(Lower *lo, const Expr *x, const ExprId *args) {
  ExprPool *p = lo->p;
  ExprId key = expr_make(p, OP_SPATIAL, type_scalar(p, TY_REAL), x->n - 1, args + 1);
  uint64_t known;
  if (lower_known(lo, key.i, &known))
    return (uint32_t)known;
  uint32_t number = lo->s->transports.n;
  lower_note(lo, key.i, number);
  STransport tr = {.n = (x->n - 5) / 2, .span = lo->span};
  tr.points = NEW_ARRAY(lo->a, ExprId, tr.n);
  tr.values = NEW_ARRAY(lo->a, ExprId, tr.n);
  for (uint32_t k = 0; k < tr.n; k++) {
    tr.points[k] = expr_to_real(p, args[5 + k]);
    tr.values[k] = expr_to_real(p, args[5 + tr.n + k]);
  }
  for (int k = 0; k < 3; k++)
    tr.recorded[k] = recorded(lo, expr_to_real(p, args[1 + k]));
  tr.recorded[3] = recorded(lo, expr_if(p, args[4], expr_real(p, 1), expr_real(p, 0)));
  check_points(lo, &tr);
  vec_push(lo->a, &lo->s->transports, tr);
  return number;
}

/* The initial distribution at an end; of several points there the one inside. */
static ExprId at_first(Lower *lo, const STransport *tr, int end) {
  ExprPool *p = lo->p;
  ExprId out = tr->values[end ? tr->n - 1 : 0];
  for (uint32_t k = 1; k < tr->n; k++) {
    uint32_t q = end ? tr->n - 1 - k : k;
    ExprId there = expr_binary(p, end ? OP_GE : OP_LE, tr->points[q], expr_real(p, end));
    out = expr_if(p, there, tr->values[q], out);
  }
  return out;
}

static ExprId ask(Lower *lo, uint32_t number, int what, ExprId x) {
  return expr_make(lo->p, OP_SPATIAL, type_scalar(lo->p, TY_REAL), 3,
                   (ExprId[]){expr_integer(lo->p, number), expr_integer(lo->p, what), x});
}

ExprId lower_spatial(Lower *lo, const Expr *x, const ExprId *args) {
  ExprPool *p = lo->p;
  int64_t end = 0;
  expr_as_integer(p, args[0], &end);
  uint32_t number = transport_of(lo, x, args);
  const STransport *tr = &lo->s->transports.at[number];
  ExprId place = svar_expr(lo->s, tr->recorded[2]);
  ExprId inflow = svar_expr(lo->s, tr->recorded[end]);
  ExprId outflow = ask(lo, number, (int)end, place);
  uint64_t known;
  if (lower_known(lo, outflow.i, &known))
    return svar_expr(lo->s, (uint32_t)known);
  ExprId enters = end ? logic_not(p, args[4]) : args[4];
  uint32_t out = svar_add(lo, SV_BUFFER, 0, type_scalar(p, TY_REAL));
  lo->s->vars.at[out].meaning = outflow;
  lower_note(lo, outflow.i, out);
  ExprId me = svar_expr(lo->s, out);
  row_add(lo, &lo->s->simulation, ROW_EQUAL, me, expr_if(p, enters, inflow, outflow))->only = out;
  row_add(lo, &lo->s->initial, ROW_EQUAL, me,
          expr_if(p, enters, inflow, at_first(lo, tr, (int)end)))
      ->only = out;
  lower_relation_var(lo, end ? OP_GE : OP_LE, place, ask(lo, number, 2 + (int)end, place));
  return me;
}
