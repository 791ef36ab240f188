/* structure/lower_expr.c -- rewrite expressions of the flat model in terms of SVars.
 * How:  bottom up with memory, once with events and once without (inside noEvent and bodies of
 *       when). What makes an event becomes an SVar with a row of its own: a relation is a Boolean;
 *       floor(x) is a buffer b with the relations x < b and x >= b + 1 that say when it must be
 *       computed anew (MLS 3.6 section 8.5 and 3.7.2).
 * Keep: SVar 0 .. n-1 are the variables of the flat model. Equal relations share one SVar. */
#include "structure/lower_expr.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/lower.h"
#include "structure/lower_call.h"
#include "structure/lower_impl.h"
#include "structure/lower_inside.h"
#include "structure/lower_special.h"
#include "structure/lowered.h"
#include "structure/name.h"

/* ---- what all of lowering asks ---- */

Diag *lower_refuse(Lower *lo, const char *what) {
  Diag *d = diag_add(lo->diags, D_X001, lo->span, "%s is not supported yet", what);
  diag_origin(lo->diags, d, structure_origin(lo->m, lo->origin));
  return d;
}

bool lower_known(const Lower *lo, uint64_t key, uint64_t *var) {
  return map_get(&lo->mem->conditions, key, var);
}

void lower_note(Lower *lo, uint64_t key, uint32_t var) {
  map_put(lo->a, &lo->mem->conditions, key, var);
}

static TypeBase base_of(const Lower *lo, ExprId e) {
  return type_get(lo->p, expr_get(lo->p, e)->type)->base;
}

/* ---- does it vary between events? ---- */

bool lower_is_discrete(Lower *lo, ExprId e) {
  /* discrete variables change at events only */
  const Expr *x = expr_get(lo->p, e);
  if (x->op == OP_VAR)
    return lo->s->vars.at[x->index].known || lo->s->vars.at[x->index].discrete;
  if (x->op == OP_TIME)
    return false;
  /* literals, and what else has no operands */
  if (!x->n)
    return true;
  /* shared parts are looked at once */
  uint64_t found;
  if (map_get(&lo->mem->discrete, e.i, &found))
    return found != 0;
  bool all = true;
  for (uint32_t k = 0; k < x->n && all; k++)
    all = lower_is_discrete(lo, x->args[k]);
  map_put(lo->a, &lo->mem->discrete, e.i, all);
  return all;
}

typedef struct {
  const Lower *lo;
  bool found;
} Search;

static void search_internal(void *user, ExprId e) {
  Search *se = user;
  const Expr *x = expr_get(se->lo->p, e);
  if (x->op == OP_LOCAL || (x->op == OP_VAR && se->lo->mem->internal &&
                            x->index < se->lo->m->vars.n && se->lo->mem->internal[x->index]))
    se->found = true;
}

/* Does it contain iterators of a loop, or variables that the algorithm at work assigns? */
bool lower_is_internal(const Lower *lo, ExprId e) {
  Search se = {lo, false};
  expr_walk(lo->p, e, search_internal, &se);
  return se.found;
}

static bool any_internal(const Lower *lo, uint32_t n, const ExprId *args) {
  bool any = false;
  for (uint32_t k = 0; k < n && !any; k++)
    any = lower_is_internal(lo, args[k]);
  return any;
}

static void search_varying(void *user, ExprId e) {
  Search *se = user;
  const Expr *x = expr_get(se->lo->p, e);
  if (x->op != OP_VAR)
    return;
  /* steady: constant between events by what its equations say */
  const SVar *v = &se->lo->s->vars.at[x->index];
  se->found = se->found ||
              !(v->known || v->discrete || (se->lo->mem->steady && se->lo->mem->steady[x->index]));
}

static bool varies_with_var(const Lower *lo, ExprId e) {
  Search se = {lo, false};
  expr_walk(lo->p, e, search_varying, &se);
  return se.found;
}

/* ---- relations ---- */

static ExprId zero_derivative(void *user, ExprId e) {
  return expr_get(user, e)->op == OP_VAR ? expr_real(user, 0) : NO_EXPR; /* a call may hold time */
}

typedef struct {
  ExprPool *p;
} TimeZero;

static ExprId time_to_zero(void *user, ExprId e) {
  ExprPool *p = ((TimeZero *)user)->p;
  return expr_get(p, e)->op == OP_TIME ? expr_real(p, 0) : NO_EXPR;
}

static void search_time(void *user, ExprId e) {
  Search *se = user;
  se->found = se->found || expr_get(se->lo->p, e)->op == OP_TIME;
}

static bool has_time(const Lower *lo, ExprId e) {
  Search se = {lo, false};
  expr_walk(lo->p, e, search_time, &se);
  return se.found;
}

void find_instant(Lower *lo, SRelation *r) {
  if (varies_with_var(lo, r->a) || varies_with_var(lo, r->b))
    return;
  ExprId z = expr_binary(lo->p, OP_SUB, r->a, r->b);
  /* a constant slope in time has one instant */
  ExprId slope = expr_diff_time(lo->p, z, zero_derivative, lo->p);
  double c;
  if (!slope.i || !expr_as_real(lo->p, slope, &c) || c == 0)
    return;
  /* time on one side alone: the other side is the instant, without rounding */
  const Expr *a = expr_get(lo->p, r->a);
  const Expr *b = expr_get(lo->p, r->b);
  if (a->op == OP_TIME && !has_time(lo, r->b))
    r->instant = r->b;
  else if (b->op == OP_TIME && !has_time(lo, r->a))
    r->instant = r->a;
  else {
    ExprId at0 = expr_rewrite(lo->p, z, time_to_zero, &(TimeZero){lo->p});
    r->instant = expr_binary(lo->p, OP_DIV, at0, expr_real(lo->p, -c));
  }
  r->timed = true;
  r->rising = c > 0;
}

ExprId lower_relation_var(Lower *lo, Op op, ExprId a, ExprId b) {
  ExprPool *p = lo->p;
  a = expr_to_real(p, a);
  b = expr_to_real(p, b);
  /* equal relations are one, wherever they stand */
  ExprId node = expr_binary(p, op, a, b);
  uint64_t known;
  if (map_get(&lo->mem->relations, node.i, &known))
    return svar_expr(lo->s, lo->s->relations.at[known].var);
  uint32_t number = lo->s->relations.n;
  uint32_t var = svar_add(lo, SV_RELATION, number, type_scalar(p, TY_BOOLEAN));
  lo->s->vars.at[var].discrete = true;
  SRelation r = {.op = op, .a = a, .b = b, .left = a, .right = b, .var = var, .span = lo->span};
  find_instant(lo, &r);
  vec_push(lo->a, &lo->s->relations, r);
  map_put(lo->a, &lo->mem->relations, node.i, number);
  /* the relation is a row of both systems, so that it is sorted with them */
  SRow *row = row_add(lo, &lo->s->simulation, ROW_RELATION, a, b);
  row->number = number;
  row->only = var;
  row = row_add(lo, &lo->s->initial, ROW_RELATION, a, b);
  row->number = number;
  row->only = var;
  return svar_expr(lo->s, var);
}

/* A relation of values that an algorithm computes on its way. */
static ExprId internal_relation(Lower *lo, Op op, ExprId a, ExprId b, ExprId plain) {
  if (lo->mem->inside && lo->mem->inside->initially)
    return plain;
  ExprId a_now = inside_expr(lo, a), b_now = inside_expr(lo, b);
  if (a_now.i && b_now.i)
    return lower_relation_var(lo, op, a_now, b_now);
  lower_refuse(lo, "a relation between values that a loop of an algorithm computes, outside of "
                   "`noEvent` and `when`,");
  return plain;
}

static ExprId lower_relation(Lower *lo, Op op, ExprId a, ExprId b, int mode) {
  ExprId plain = expr_binary(lo->p, op, a, b);
  TypeBase base = base_of(lo, a);
  bool numeric = base == TY_REAL || base == TY_INTEGER;
  /* whole numbers of discrete values change at events only */
  if (mode == LOWER_NO_EVENTS || !numeric || expr_is_literal(lo->p, plain) ||
      (lower_is_discrete(lo, a) && lower_is_discrete(lo, b)))
    return plain;
  return lower_is_internal(lo, plain) ? internal_relation(lo, op, a, b, plain)
                                      : lower_relation_var(lo, op, a, b);
}

/* ---- sign ---- */

static ExprId sign_relation(Lower *lo, Op op, ExprId a, ExprId argument) {
  uint32_t known = lo->s->relations.n, var;
  ExprId e = lower_relation_var(lo, op, a, expr_real(lo->p, 0));
  /* one that was written as it is stays so */
  if (lowered_var(lo->p, e, &var) && lo->s->vars.at[var].of >= known)
    lo->s->relations.at[lo->s->vars.at[var].of].sign = argument;
  return e;
}

static ExprId sign_value(const Lower *lo, TypeId type, int value) {
  bool real = type_get(lo->p, type)->base == TY_REAL;
  return real ? expr_real(lo->p, value) : expr_integer(lo->p, value);
}

/* sign(a) switches: if a > 0 then 1 elseif a < 0 then -1 else 0. It keeps its value between events,
 * and a motion may slide along a = 0. Its relations must not be in a loop with what they switch:
 * there it is a function like others (structure.c). */
static ExprId lower_sign(Lower *lo, const Expr *x, ExprId a, int mode) {
  /* where nothing moves it is a function like others */
  uint64_t literal;
  bool held = mode == LOWER_EVENTS && base_of(lo, a) == TY_REAL && !lower_is_discrete(lo, a) &&
              !lower_is_internal(lo, a) &&
              !(lo->how.literal_signs && map_get(lo->how.literal_signs, x->args[0].i, &literal));
  if (!held)
    return expr_make(lo->p, OP_SIGN, x->type, 1, &a);
  ExprId above = sign_relation(lo, OP_GT, a, x->args[0]);
  ExprId below = sign_relation(lo, OP_LT, a, x->args[0]);
  ExprId otherwise = expr_if(lo->p, below, sign_value(lo, x->type, -1), sign_value(lo, x->type, 0));
  return expr_if(lo->p, above, sign_value(lo, x->type, 1), otherwise);
}

/* ---- event functions ---- */

/* The buffer of floor(x) or ceil(x), x Real: a discrete variable that is computed anew when x
 * leaves its interval. */
static ExprId buffered(Lower *lo, ExprId x, bool up) {
  ExprPool *p = lo->p;
  Op op = up ? OP_CEIL : OP_FLOOR;
  TypeId real = type_scalar(p, TY_REAL);
  ExprId plain = expr_make(p, op, real, 1, &x);
  if (lower_is_discrete(lo, x))
    return plain;
  if (lower_is_internal(lo, x)) {
    bool initially = lo->mem->inside && lo->mem->inside->initially;
    ExprId now = initially ? NO_EXPR : inside_expr(lo, x);
    if (now.i)
      return buffered(lo, now, up);
    if (!initially)
      lower_refuse(lo, "an event function of values that a loop of an algorithm computes, outside "
                       "of `noEvent` and `when`,");
    return plain;
  }
  uint64_t known;
  if (lower_known(lo, plain.i, &known))
    return svar_expr(lo->s, (uint32_t)known);
  uint32_t var = svar_add(lo, SV_BUFFER, 0, real);
  lo->s->vars.at[var].discrete = true;
  lo->s->vars.at[var].meaning = plain;
  lower_note(lo, plain.i, var);
  /* the interval of the value before the event: leaving it is the event */
  ExprId b = svar_expr(lo->s, svar_pre(lo, var));
  ExprId one = expr_real(p, 1);
  ExprId below = up ? lower_relation_var(lo, OP_LE, x, expr_binary(p, OP_SUB, b, one))
                    : lower_relation_var(lo, OP_LT, x, b);
  ExprId above = up ? lower_relation_var(lo, OP_GT, x, b)
                    : lower_relation_var(lo, OP_GE, x, expr_binary(p, OP_ADD, b, one));
  ExprId me = svar_expr(lo->s, var);
  /* at the very instant the value itself may still be rounded to the old side: the relations
   * decide */
  ExprId up_one = expr_binary(p, OP_MAX2, plain, expr_binary(p, OP_ADD, b, one));
  ExprId down_one = expr_binary(p, OP_MIN2, plain, expr_binary(p, OP_SUB, b, one));
  row_add(lo, &lo->s->simulation, ROW_EQUAL, me,
          expr_if(p, above, up_one, expr_if(p, below, down_one, b)))
      ->only = var;
  row_add(lo, &lo->s->initial, ROW_EQUAL, me, plain)->only = var;
  return me;
}

/* div(x, y): towards zero, so up or down by the sign of the quotient. */
static ExprId buffered_div(Lower *lo, ExprId x, ExprId y) {
  ExprPool *p = lo->p;
  ExprId q = expr_binary(p, OP_DIV, x, y);
  ExprId zero = expr_real(p, 0);
  ExprId positive = lower_is_internal(lo, q)
                        ? internal_relation(lo, OP_GE, q, zero, expr_binary(p, OP_GE, q, zero))
                        : lower_relation_var(lo, OP_GE, q, zero);
  return expr_if(p, positive, buffered(lo, q, false), buffered(lo, q, true));
}

static bool is_event_function(Op op) {
  return op == OP_FLOOR || op == OP_CEIL || op == OP_TO_INTEGER || op == OP_DIVT || op == OP_MOD ||
         op == OP_REM;
}

static ExprId lower_event_function(Lower *lo, const Expr *x, const ExprId *args, int mode) {
  ExprPool *p = lo->p;
  bool steady = mode == LOWER_NO_EVENTS;
  if (!steady) {
    steady = true;
    for (uint32_t k = 0; k < x->n; k++)
      steady = steady && lower_is_discrete(lo, args[k]);
  }
  ExprId plain = expr_make(p, x->op, x->type, x->n, args);
  if (steady || base_of(lo, args[0]) == TY_INTEGER)
    return plain;
  if (x->op == OP_FLOOR || x->op == OP_CEIL)
    return buffered(lo, args[0], x->op == OP_CEIL);
  if (x->op == OP_TO_INTEGER) {
    ExprId b = buffered(lo, args[0], false);
    return expr_make(p, OP_TO_INTEGER, x->type, 1, &b);
  }
  if (x->op == OP_DIVT)
    return buffered_div(lo, args[0], args[1]);
  /* mod(x, y) = x - floor(x/y)*y, rem(x, y) = x - div(x, y)*y */
  ExprId whole = x->op == OP_MOD ? buffered(lo, expr_binary(p, OP_DIV, args[0], args[1]), false)
                                 : buffered_div(lo, args[0], args[1]);
  return expr_binary(p, OP_SUB, args[0], expr_binary(p, OP_MUL, whole, args[1]));
}

/* ---- hybrid operators ---- */

static ExprId derivative_of(void *user, ExprId var) {
  Lower *lo = user;
  uint32_t v;
  if (!lowered_var(lo->p, var, &v))
    return NO_EXPR;
  const SVar *sv = &lo->s->vars.at[v];
  if (sv->known || sv->discrete)
    return expr_real(lo->p, 0);
  return svar_expr(lo->s, svar_der(lo, v));
}

static ExprId lower_der(Lower *lo, ExprId arg) {
  uint32_t v;
  if (lowered_var(lo->p, arg, &v)) {
    const SVar *sv = &lo->s->vars.at[v];
    if (sv->kind == SV_DER)
      lower_refuse(lo, "a second derivative written as der(der(x))");
    else if (sv->known && lo->m->vars.at[v].causality == CAUSE_INPUT)
      lower_refuse(lo, "the derivative of an input");
  }
  const char *function;
  ExprId d = expr_diff_total(lo->p, arg, derivative_of, lo, &function);
  if (d.i)
    return d;
  lower_refuse(lo, function ? arena_printf(lo->a, "the derivative of function `%s`", function)
                            : "the derivative of this expression");
  return expr_real(lo->p, 0);
}

static ExprId lower_pre(Lower *lo, ExprId arg) {
  uint32_t v;
  if (!lowered_var(lo->p, arg, &v)) {
    if (!expr_is_literal(lo->p, arg))
      lower_refuse(lo, "pre, edge or change of something that is not a variable");
    return arg;
  }
  return svar_before(lo, v);
}

static ExprId lower_impulse(Lower *lo, ExprId arg) {
  uint32_t v;
  if (expr_is_literal(lo->p, arg))
    return expr_real(lo->p, 0);
  if (!lowered_var(lo->p, arg, &v))
    return lower_refuse(lo, "impulse() of something that is not a variable"), expr_real(lo->p, 0);
  return svar_expr(lo->s, svar_impulse(lo, v));
}

static ExprId lower_sample(Lower *lo, const Expr *x, const ExprId *args) {
  ExprPool *p = lo->p;
  ExprId node = expr_make(p, OP_SAMPLE, x->type, x->n, args);
  uint64_t known;
  if (map_get(&lo->mem->samples, node.i, &known))
    return svar_expr(lo->s, lo->s->samples.at[known].var);
  if (x->n != 2 || base_of(lo, args[1]) == TY_CLOCK || base_of(lo, args[0]) == TY_CLOCK) {
    lower_refuse(lo, "this form of sample()");
    return expr_boolean(p, false);
  }
  uint32_t number = lo->s->samples.n;
  uint32_t var = svar_add(lo, SV_SAMPLE, number, type_scalar(p, TY_BOOLEAN));
  lo->s->vars.at[var].discrete = lo->s->vars.at[var].known = true;
  vec_push(lo->a, &lo->s->samples,
           (SSample){expr_to_real(p, args[0]), expr_to_real(p, args[1]), var, lo->span});
  map_put(lo->a, &lo->mem->samples, node.i, number);
  return svar_expr(lo->s, var);
}

/* Operators that have no meaning outside of a model: NO_EXPR, it is none of them. */
static ExprId lower_hybrid(Lower *lo, const Expr *x, const ExprId *args, int mode) {
  ExprPool *p = lo->p;
  if (x->op == OP_DER)
    return lower_der(lo, args[0]);
  if (x->op == OP_PRE)
    return lower_pre(lo, args[0]);
  if (x->op == OP_IMPULSE)
    return lower_impulse(lo, args[0]);
  if (x->op == OP_EDGE)
    return logic_and(p, args[0], logic_not(p, lower_pre(lo, args[0])));
  if (x->op == OP_CHANGE)
    return expr_binary(p, OP_NE, args[0], lower_pre(lo, args[0]));
  if (x->op == OP_SAMPLE)
    return lower_sample(lo, x, args);
  if (x->op == OP_NOEVENT)
    return args[0];
  if (x->op == OP_HOMOTOPY)
    return lower_homotopy(lo, args[0], x->n > 1 ? args[1] : NO_EXPR);
  if (x->op == OP_SMOOTH)
    return args[1];
  if (x->op == OP_DELAY && !lower_is_internal(lo, args[0]) && !lower_is_internal(lo, args[1]))
    return lower_delay(lo, x, args);
  if (x->op == OP_DELAY)
    return lower_refuse(lo, "delay() of values that an algorithm computes on its way"), args[0];
  if (x->op == OP_SPATIAL && !any_internal(lo, x->n, args))
    return lower_spatial(lo, x, args);
  if (x->op == OP_SPATIAL)
    return lower_refuse(lo,
                        "spatialDistribution() of values that an algorithm computes on its way"),
           args[1];
  if (x->op == OP_SEMILINEAR) {
    ExprId positive = lower_relation(lo, OP_GE, args[0], expr_real(p, 0), mode);
    return expr_if(p, positive, expr_binary(p, OP_MUL, args[0], args[1]),
                   expr_binary(p, OP_MUL, args[0], args[2]));
  }
  return NO_EXPR;
}

static const char *unsupported(Op op) {
  if (op == OP_INSTREAM || op == OP_ACTUALSTREAM)
    return "a stream connector";
  if (op == OP_REF)
    return "a whole array or record in this place";
  return NULL;
}

/* The same node over lowered operands. */
static ExprId rebuild(Lower *lo, const Expr *x, const ExprId *args) {
  if (x->op == OP_CALL || x->op == OP_FUNCTION)
    return expr_make_ref(lo->p, x->op, x->type, x->ref, x->n, args);
  if (x->op == OP_FIELD || x->op == OP_PART || x->op == OP_COMPREHEND || x->op == OP_REDUCE)
    return expr_make_index(lo->p, x->op, x->type, x->index, x->payload2, x->n, args);
  return expr_make(lo->p, x->op, x->type, x->n, args);
}

static ExprId lower_node(Lower *lo, const Expr *x, int mode) {
  enum { SMALL = 8 };
  if (mode == LOWER_EVENTS && lower_makes_events(lo, x))
    return lower_written_out(lo, x, mode);
  ExprId small[SMALL], *args = x->n <= SMALL ? small : NEW_ARRAY(lo->a, ExprId, x->n);
  int inner = x->op == OP_NOEVENT ? LOWER_NO_EVENTS : mode;
  for (uint32_t k = 0; k < x->n; k++)
    /* the simplified form of homotopy() makes no events */
    args[k] = x->args[k].i
                  ? lower_expr(lo, x->args[k], x->op == OP_HOMOTOPY && k ? LOWER_NO_EVENTS : inner)
                  : NO_EXPR;
  const char *what = unsupported(x->op);
  if (what)
    return lower_refuse(lo, what), expr_real(lo->p, 0);
  ExprId hybrid = lower_hybrid(lo, x, args, mode);
  if (hybrid.i)
    return hybrid;
  bool scalar = type_is_scalar(lo->p, x->type);
  /* what makes events */
  if (scalar && x->op >= OP_LT && x->op <= OP_NE)
    return lower_relation(lo, x->op, args[0], args[1], mode);
  if (scalar && x->op == OP_SIGN)
    return lower_sign(lo, x, args[0], mode);
  if (scalar && is_event_function(x->op))
    return lower_event_function(lo, x, args, mode);
  if (x->op == OP_TERMINAL)
    lo->s->has_terminal = true;
  /* calls of literals are literals */
  ExprId settled = x->op == OP_CALL   ? lower_settled_call(lo, x, args)
                   : x->op == OP_PART ? lower_settled_part(lo, x, args)
                                      : NO_EXPR;
  return settled.i ? settled : rebuild(lo, x, args);
}

/* ---- long sums ---- */

enum { LONG_CHAIN = 64 };

/* The next link of a chain of sums, of products, or of one logical operator; NO_EXPR at its end. */
static ExprId chain_next(const Lower *lo, const Expr *x, bool sum, Op op) {
  bool fits = sum ? x->op == OP_ADD || x->op == OP_SUB : x->op == op;
  return fits && x->n == 2 && type_is_scalar(lo->p, x->type) ? x->args[0] : NO_EXPR;
}

/* a + b - c ... with so many terms that each pass over it would go that deep: the same terms as a
 * tree of least height. False if it is no such chain. */
static bool lower_chain(Lower *lo, ExprId e, int mode, ExprId *out) {
  ExprPool *p = lo->p;
  const Expr *top = expr_get(p, e);
  TypeBase base = type_get(p, top->type)->base;
  bool sum = top->op == OP_ADD || top->op == OP_SUB;
  bool logical = top->op == OP_AND || top->op == OP_OR;
  if (!((sum || top->op == OP_MUL) && base == TY_REAL) && !(logical && base == TY_BOOLEAN))
    return false;
  uint32_t n = 1;
  for (ExprId k = e, next; (next = chain_next(lo, expr_get(p, k), sum, top->op)).i; k = next)
    n++;
  if (n <= LONG_CHAIN)
    return false;
  ExprId *terms = NEW_ARRAY(lo->a, ExprId, n), k = e;
  for (uint32_t i = n; i-- > 1; k = expr_get(p, k)->args[0]) {
    const Expr *x = expr_get(p, k);
    terms[i] = lower_expr(lo, x->args[1], mode);
    if (x->op == OP_SUB)
      terms[i] = expr_unary(p, OP_NEG, terms[i]);
  }
  terms[0] = lower_expr(lo, k, mode);
  for (; n > 1; n = (n + 1) / 2) {
    for (uint32_t i = 0; i + 1 < n; i += 2)
      terms[i / 2] = expr_binary(p, sum ? OP_ADD : top->op, terms[i], terms[i + 1]);
    if (n % 2)
      terms[n / 2] = terms[n - 1];
  }
  *out = base == TY_REAL ? expr_to_real(p, terms[0]) : terms[0];
  return true;
}

/* ---- all ---- */

ExprId lower_expr(Lower *lo, ExprId e, int mode) {
  const Expr *x = expr_get(lo->p, e);
  if (x->op == OP_VAR && x->index < lo->m->vars.n) {
    ExprId value = settled_value(lo, x->index);
    return value.i ? value : e;
  }
  if (!x->n && x->op != OP_TERMINAL && x->op != OP_REF)
    return e;
  uint64_t known;
  if (map_get(&lo->mem->memo[mode], e.i, &known))
    return (ExprId){(uint32_t)known};
  if (lo->mem->depth >= MOST_LOWER_DEPTH)
    return lower_refuse(lo, "an expression nested this deeply"), expr_real(lo->p, 0);
  lo->mem->depth++;
  ExprId out;
  if (!lower_chain(lo, e, mode, &out))
    out = lower_node(lo, x, mode);
  lo->mem->depth--;
  map_put(lo->a, &lo->mem->memo[mode], e.i, out.i);
  return out;
}
