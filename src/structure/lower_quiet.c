/* structure/lower_quiet.c -- steps under noEvent that the run may monitor after all.
 * `noEvent(if v > 0 then 1 else -1)` makes no event, and is evaluated as it stands. Where a motion
 * is driven back to its jump from both sides, no step is short enough: there the run may say that
 * the relation makes events from now on, so that the motion slides (run/collapse.c). For that the
 * step becomes `if watch then (if r then 1 else -1) else (if v > 0 then 1 else -1)`, with a
 * relation r that matters only while `watch` holds, which keeps its value unless the run changes
 * it.
 * In:   a side of an equation, lowered.   Out: the same with such steps.
 * Keep: only steps: values that are constant between events and jumps. What a relation under
 *       noEvent guards (a square root, a division) is never evaluated on the wrong side. */
#include "structure/lower.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/lower_expr.h"
#include "structure/lower_impl.h"
#include "structure/lowered.h"

static bool is_order(Op op) { return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE; }

static bool is_real(const Lower *lo, ExprId e) {
  const ExprPool *p = lo->p;
  TypeId t = expr_get(p, e)->type;
  return type_is_scalar(p, t) && type_get(p, t)->base == TY_REAL;
}

static void search_moving(void *user, ExprId e) {
  void **both = user;
  const Lower *lo = both[0];
  bool *found = both[1];
  const Expr *x = expr_get(lo->p, e);
  *found = *found || (x->op == OP_VAR && !lo->s->vars.at[x->index].known &&
                      !lo->s->vars.at[x->index].discrete);
}

/* Does it depend on a variable that moves between events? A relation of time alone is known ahead.
 */
static bool moves(Lower *lo, ExprId e) {
  bool found = false;
  expr_walk(lo->p, e, search_moving, (void *[]){lo, &found});
  return found;
}

static bool is_sign(Lower *lo, const Expr *x) {
  return x->op == OP_SIGN && is_real(lo, x->args[0]) && moves(lo, x->args[0]);
}

/* Constant between events, or between jumps: branches of dry friction, `if v > 0 then c elseif
 * v < 0 then -c else 0`, are steps themselves. */
static bool is_flat(Lower *lo, ExprId e, int depth) {
  const Expr *x = expr_get(lo->p, e);
  /* branches may be steps themselves */
  if (lower_is_discrete(lo, e) || is_sign(lo, x))
    return true;
  return x->op == OP_IF && depth < MOST_STEPS_INSIDE &&
         (lower_is_discrete(lo, x->args[0]) || is_order(expr_get(lo->p, x->args[0])->op)) &&
         is_flat(lo, x->args[1], depth + 1) && is_flat(lo, x->args[2], depth + 1);
}

static bool is_step(Lower *lo, const Expr *x) {
  if (x->op != OP_IF || !type_is_scalar(lo->p, x->type))
    return false;
  const Expr *c = expr_get(lo->p, x->args[0]);
  return is_order(c->op) && is_real(lo, c->args[0]) && is_real(lo, c->args[1]) &&
         x->args[1].i != x->args[2].i && moves(lo, x->args[0]) && is_flat(lo, x->args[1], 0) &&
         is_flat(lo, x->args[2], 0);
}

/* ---- what says whether it makes events ---- */

/* Relations of the same two sides, v > 0 and v < 0 of dry friction, begin together: with one of
 * them alone the motion would go to and fro between an event and a jump. */
static uint32_t watch_for(Lower *lo, ExprId relation) {
  ExprPool *p = lo->p;
  /* the two sides, whichever way round, name the watch */
  const Expr *x = expr_get(p, relation);
  ExprId low = x->args[x->args[0].i > x->args[1].i];
  ExprId high = x->args[x->args[0].i <= x->args[1].i];
  uint32_t key = expr_binary(p, OP_LT, low, high).i;
  uint64_t known;
  if (map_get(&lo->mem->watches, key, &known))
    return (uint32_t)known;
  uint32_t var = svar_add(lo, SV_BUFFER, 0, type_scalar(p, TY_REAL));
  lo->s->vars.at[var].discrete = true;
  lo->s->vars.at[var].meaning = expr_make(p, OP_NOEVENT, expr_get(p, relation)->type, 1,
                                          &relation); /* for the eye */
  map_put(lo->a, &lo->mem->watches, key, var);
  /* 0 until the run says 1, and 1 from then on */
  ExprId me = svar_expr(lo->s, var);
  ExprId before = svar_expr(lo->s, svar_pre(lo, var));
  ExprId kept = expr_if(p, expr_binary(p, OP_GT, before, expr_real(p, 0.5)), expr_real(p, 1),
                        expr_real(p, 0));
  row_add(lo, &lo->s->simulation, ROW_EQUAL, me, kept)->only = var;
  row_add(lo, &lo->s->initial, ROW_EQUAL, me, expr_real(p, 0))->only = var;
  return var;
}

/* Does a relation that is written outside of noEvent, too, make the events? */
static bool is_known(Lower *lo, Op op, ExprId a, ExprId b) {
  uint64_t known;
  ExprId node = expr_binary(lo->p, op, a, b);
  return map_get(&lo->mem->relations, node.i, &known) && !lo->s->relations.at[known].watch;
}

/* The relation; NO_EXPR: it makes events anyway, and the step stays as it is. */
static ExprId watched(Lower *lo, Op op, ExprId a, ExprId b, uint32_t watch) {
  uint32_t known = lo->s->relations.n, var;
  ExprId r = lower_relation_var(lo, op, a, b);
  if (!lowered_var(lo->p, r, &var))
    return NO_EXPR;
  SRelation *rel = &lo->s->relations.at[lo->s->vars.at[var].of];
  if (lo->s->relations.n > known)
    rel->watch = watch + 1;
  return rel->watch && !rel->timed ? r : NO_EXPR;
}

static ExprId is_on(const Lower *lo, uint32_t watch) {
  return expr_binary(lo->p, OP_GT, svar_expr(lo->s, watch), expr_real(lo->p, 0.5));
}

/* ---- steps ---- */

static ExprId step(Lower *lo, ExprId e, const Expr *x) {
  Expr c = *expr_get(lo->p, x->args[0]);
  ExprId then = x->args[1], otherwise = x->args[2];
  /* an event is there anyway: nothing is hidden */
  if (is_known(lo, c.op, c.args[0], c.args[1]))
    return NO_EXPR;
  uint32_t watch = watch_for(lo, x->args[0]);
  ExprId r = watched(lo, c.op, c.args[0], c.args[1], watch);
  return r.i ? expr_if(lo->p, is_on(lo, watch), expr_if(lo->p, r, then, otherwise), e) : NO_EXPR;
}

static ExprId sign_value(const Lower *lo, TypeId type, int value) {
  return type_get(lo->p, type)->base == TY_REAL ? expr_real(lo->p, value)
                                                : expr_integer(lo->p, value);
}

static ExprId sign(Lower *lo, ExprId e, const Expr *x) {
  ExprId a = x->args[0], zero = expr_real(lo->p, 0);
  TypeId type = x->type;
  if (is_known(lo, OP_GT, a, zero) || is_known(lo, OP_LT, a, zero))
    return NO_EXPR;
  uint32_t watch = watch_for(lo, expr_binary(lo->p, OP_GT, a, zero));
  ExprId above = watched(lo, OP_GT, a, zero, watch);
  ExprId below = watched(lo, OP_LT, a, zero, watch);
  if (!above.i || !below.i)
    return NO_EXPR;
  ExprId low = expr_if(lo->p, below, sign_value(lo, type, -1), sign_value(lo, type, 0));
  return expr_if(lo->p, is_on(lo, watch), expr_if(lo->p, above, sign_value(lo, type, 1), low), e);
}

static ExprId replace(void *user, ExprId e) {
  Lower *lo = user;
  /* within a loop nobody could say which round is meant */
  Expr x = *expr_get(lo->p, e);
  bool fits = is_step(lo, &x) || is_sign(lo, &x);
  if (!fits || lower_is_internal(lo, e))
    return NO_EXPR;
  return x.op == OP_SIGN ? sign(lo, e, &x) : step(lo, e, &x);
}

typedef struct {
  Lower *lo;
  bool any;
} Steps;

static void search(void *user, ExprId e) {
  Steps *st = user;
  const Expr *x = expr_get(st->lo->p, e);
  st->any = st->any || is_step(st->lo, x) || is_sign(st->lo, x);
}

bool lower_watches(const Lower *lo) { return lo->mem->watches.n != 0; }

ExprId lower_quiet(Lower *lo, ExprId e) {
  /* most equations have no step: they are not rewritten */
  Steps st = {lo, false};
  if (!lo->quiet)
    expr_walk(lo->p, e, search, &st);
  return st.any ? expr_rewrite(lo->p, e, replace, lo) : e;
}
