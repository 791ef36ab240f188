/* expr/partial.c -- constants through function bodies: what follows when only some arguments are
 * known.
 * In:   a function and arguments, literals where they are known.   Out: its outputs, literals where
 *       they follow.
 * How:  the statements are carried out on expressions. Every variable holds a scalar or a
 *       constructor of scalars; a scalar that is no literal becomes a fresh leaf, so that nothing
 *       grows. 0*x and 0/x are 0 whatever x is. Where a condition is not known all branches are
 *       carried out, and what differs between them becomes unknown (constant propagation: Kildall,
 *       POPL 1973, on the syntax tree).
 * The same machine writes out a call as expressions (func_written_out): then a scalar stays what it
 * is, and what differs between branches becomes an if. Functions that make no events stay calls.
 * Keep: loops and returns whose conditions are not known are given up. */
#include "expr/expr_impl.h"
#include "base/limits.h"
#include "expr/partial.h"

enum { FIRST_UNKNOWN = 1 << 30 };

typedef enum { GO_ON, LEAVE_LOOP, LEAVE, GIVE_UP } Flow;

typedef struct {
  ExprPool *p;
  Arena *a;
  uint32_t steps, unknowns;
  uint32_t depth, most; /* calls inside each other: under way, followed */
  bool exact;           /* scalars stay expressions; what cannot be written so is given up */
} Partial;

typedef struct {
  Partial *pa;
  const Func *f;
  /* Per LOCAL; NO_EXPR: not known as a whole, not even its size, or bound by an iterator */
  ExprId *values;
} State;

static bool call(Partial *pa, const Func *f, uint32_t n, const ExprId *args, ExprId *results);

/* ---- values ---- */

static ExprId unknown_scalar(Partial *pa, TypeId t) {
  return expr_var(pa->p, t, FIRST_UNKNOWN + pa->unknowns++);
}

/* The constructor of a value of type t from its scalars, taken from *at on. NULL: unknown ones. */
static ExprId construct(Partial *pa, TypeId t, const ExprId **at) {
  const Type *y = type_get(pa->p, t);
  bool record = y->base == TY_RECORD || y->base == TY_TUPLE;
  if (!y->n_dims && !record) {
    ExprId e = at ? *(*at)++ : NO_EXPR;
    if (e.i && (pa->exact || expr_is_literal(pa->p, e)))
      return y->base == TY_REAL ? expr_to_real(pa->p, e) : e;
    return unknown_scalar(pa, t);
  }
  uint32_t n = y->n_dims ? (uint32_t)y->dims[0] : y->decl->n;
  ExprId *items = NEW_ARRAY(pa->a, ExprId, n);
  for (uint32_t k = 0; k < n; k++)
    items[k] = construct(pa, y->n_dims ? type_element(pa->p, t, 1) : y->decl->types[k], at);
  return expr_make(pa->p,
                   y->n_dims              ? OP_ARRAY
                   : y->base == TY_RECORD ? OP_RECORD
                                          : OP_TUPLE,
                   t, n, items);
}

/* NO_EXPR if its size is not known. */
static ExprId unknown(Partial *pa, TypeId t) {
  return type_count(pa->p, t) >= 0 ? construct(pa, t, NULL) : NO_EXPR;
}

static bool no_leaf(void *user, ExprId e, uint32_t n, ExprId *out) {
  (void)user, (void)e, (void)n, (void)out;
  return false;
}

/* An expression free of this function's variables as a value. */
static ExprId settle(Partial *pa, ExprId e) {
  TypeId t = expr_type(pa->p, e);
  int64_t n = type_count(pa->p, t);
  if (n < 0 || n > MOST_PARTIAL_STEPS)
    return NO_EXPR;
  if (type_is_scalar(pa->p, t) && expr_is_literal(pa->p, e))
    return e;
  ExprId *cells = NEW_ARRAY(pa->a, ExprId, (size_t)n);
  Scalarizer sc = {.pool = pa->p, .leaf = no_leaf};
  const ExprId *at = cells;
  return expr_scalars(&sc, e, cells) ? construct(pa, t, &at) : pa->exact ? NO_EXPR : unknown(pa, t);
}

/* ---- expressions ---- */

/* A call as its only result, or all of them. NO_EXPR: nothing is known. */
static ExprId call_value(State *st, const Expr *x) {
  Partial *pa = st->pa;
  const Func *f = x->ref;
  if (!f || (pa->exact && !f->generate_events))
    return NO_EXPR;
  ExprId *results = NEW_ARRAY(pa->a, ExprId, f->n_outputs + 1);
  if (!call(pa, f, x->n, x->args, results))
    return NO_EXPR;
  bool tuple = type_get(pa->p, x->type)->base == TY_TUPLE;
  for (uint32_t k = 0; k < f->n_outputs; k++)
    if (!results[k].i)
      return NO_EXPR;
  return tuple ? expr_make(pa->p, OP_TUPLE, x->type, f->n_outputs, results) : results[0];
}

static ExprId replace(void *user, ExprId e) {
  State *st = user;
  const Expr *x = expr_get(st->pa->p, e);
  if (x->op == OP_LOCAL)
    return x->index < st->f->n_locals ? st->values[x->index] : NO_EXPR;
  if (x->op == OP_CALL)
    return call_value(st, x);
  if (x->op == OP_DIV && type_is_scalar(st->pa->p, x->type) && expr_is_zero(st->pa->p, x->args[0]))
    return expr_real(st->pa->p, 0);
  return NO_EXPR;
}

static ExprId value_of(State *st, ExprId e) {
  return e.i ? settle(st->pa, expr_rewrite(st->pa->p, e, replace, st)) : NO_EXPR;
}

/* ---- assignment ---- */

/* `whole` with the part that the target names replaced. NO_EXPR if the part is not known. */
static ExprId with_part(State *st, ExprId whole, const Expr *target, uint32_t sub, ExprId value) {
  ExprPool *p = st->pa->p;
  const Expr *w = expr_get(p, whole);
  int64_t k = target->op == OP_FIELD ? (int64_t)target->index : -1;
  if (target->op == OP_INDEX) {
    ExprId s = value_of(st, target->args[sub]);
    if (!s.i || !type_is_scalar(p, expr_type(p, s)) || !expr_as_integer(p, s, &k))
      return NO_EXPR;
    k -= expr_get(p, s)->op != OP_BOOLEAN;
  }
  if ((w->op != OP_ARRAY && w->op != OP_RECORD) || k < 0 || k >= w->n)
    return NO_EXPR;
  ExprId *items = NEW_ARRAY(st->pa->a, ExprId, w->n);
  for (uint32_t i = 0; i < w->n; i++)
    items[i] = w->args[i];
  bool inner = target->op == OP_INDEX && sub + 1 < target->n;
  items[k] = inner ? with_part(st, items[k], target, sub + 1, value) : value;
  return items[k].i ? expr_make(p, w->op, w->type, w->n, items) : NO_EXPR;
}

static bool assign(State *st, ExprId target, ExprId value) {
  Partial *pa = st->pa;
  const Expr *x = expr_get(pa->p, target);
  if (x->op == OP_LOCAL) {
    bool real = value.i && type_get(pa->p, x->type)->base == TY_REAL;
    st->values[x->index] = real ? expr_to_real(pa->p, value) : value;
    return true;
  }
  if (x->op != OP_INDEX && x->op != OP_FIELD)
    return false;
  /* the value of what stands under the subscript or field, changed, goes to it */
  ExprId base = x->args[0], old = value_of(st, base);
  if (value.i && type_get(pa->p, x->type)->base == TY_REAL)
    value = expr_to_real(pa->p, value);
  if (!value.i)
    value = unknown(pa, x->type);
  ExprId now = old.i && value.i ? with_part(st, old, x, 1, value) : NO_EXPR;
  return assign(st, base, now.i ? now : old.i ? unknown(pa, expr_type(pa->p, old)) : NO_EXPR);
}

/* One of several results of a call that stays. */
static ExprId result_of(Partial *pa, ExprId call, uint32_t k) {
  const Type *t = type_get(pa->p, expr_type(pa->p, call));
  if (expr_get(pa->p, call)->op != OP_CALL || t->base != TY_TUPLE || k >= t->decl->n)
    return NO_EXPR;
  return settle(pa, expr_make_index(pa->p, OP_FIELD, t->decl->types[k], k, 0, 1, &call));
}

static bool assign_tuple(State *st, const Stmt *s) {
  ExprId value = expr_rewrite(st->pa->p, s->value, replace, st);
  const Expr *x = expr_get(st->pa->p, value);
  bool ok = true;
  for (uint32_t k = 0; k < s->n_targets; k++)
    if (s->targets[k].i) {
      ExprId part = x->op == OP_TUPLE && k < x->n ? settle(st->pa, x->args[k])
                    : st->pa->exact               ? result_of(st->pa, value, k)
                                    : unknown(st->pa, expr_type(st->pa->p, s->targets[k]));
      ok = (part.i || !st->pa->exact) && assign(st, s->targets[k], part) && ok;
    }
  return ok;
}

/* ---- statements ---- */

static Flow run(State *st, Stmt *const *body, uint32_t n);

/* a if c, else b. */
static ExprId merge(Partial *pa, ExprId c, ExprId a, ExprId b) {
  if (!a.i || !b.i || expr_same(a, b))
    return a.i && b.i ? a : NO_EXPR;
  const Expr *x = expr_get(pa->p, a), *y = expr_get(pa->p, b);
  bool built = (x->op == OP_ARRAY || x->op == OP_RECORD) && y->op == x->op;
  if (!built && pa->exact)
    return type_is_scalar(pa->p, x->type) && type_is_scalar(pa->p, y->type)
               ? expr_if(pa->p, c, a, b)
               : NO_EXPR;
  if (!built)
    return type_is_scalar(pa->p, x->type) ? unknown_scalar(pa, x->type) : NO_EXPR;
  if (x->n != y->n)
    return NO_EXPR;
  ExprId *items = NEW_ARRAY(pa->a, ExprId, x->n);
  for (uint32_t k = 0; k < x->n; k++) {
    items[k] = merge(pa, c, x->args[k], y->args[k]);
    if (!items[k].i)
      return NO_EXPR;
  }
  return expr_make(pa->p, x->op, x->type, x->n, items);
}

/* Branch b on, none before it having been taken for certain. */
static Flow run_if(State *st, const Stmt *s, uint32_t b) {
  if (b == s->n_branches)
    return GO_ON;
  const StmtBranch *br = &s->branches[b];
  ExprId c = br->condition.i ? value_of(st, br->condition) : expr_boolean(st->pa->p, true);
  int64_t known;
  if (c.i && expr_as_integer(st->pa->p, c, &known))
    return known ? run(st, br->body, br->n) : run_if(st, s, b + 1);
  if (!c.i && st->pa->exact)
    return GIVE_UP;
  uint32_t n = st->f->n_locals;
  State other = {st->pa, st->f, NEW_ARRAY(st->pa->a, ExprId, n)};
  for (uint32_t k = 0; k < n; k++)
    other.values[k] = st->values[k];
  if (run(st, br->body, br->n) != GO_ON || run_if(&other, s, b + 1) != GO_ON)
    return GIVE_UP;
  for (uint32_t k = 0; k < n; k++)
    st->values[k] = merge(st->pa, c, st->values[k], other.values[k]);
  return GO_ON;
}

static Flow run_for(State *st, const Stmt *s) {
  ExprId range = value_of(st, s->value);
  const Expr *x = range.i ? expr_get(st->pa->p, range) : NULL;
  if (!x || x->op != OP_ARRAY)
    return GIVE_UP;
  for (uint32_t k = 0; k < x->n; k++) {
    st->values[s->iterator] = x->args[k];
    Flow f = run(st, s->branches[0].body, s->branches[0].n);
    if (f != GO_ON)
      return f == LEAVE_LOOP ? GO_ON : f;
  }
  st->values[s->iterator] = NO_EXPR;
  return GO_ON;
}

static Flow run_while(State *st, const Stmt *s) {
  for (;;) {
    ExprId c = value_of(st, s->branches[0].condition);
    int64_t known;
    if (!c.i || !expr_as_integer(st->pa->p, c, &known))
      return GIVE_UP;
    if (!known)
      return GO_ON;
    Flow f = run(st, s->branches[0].body, s->branches[0].n);
    if (f != GO_ON)
      return f == LEAVE_LOOP ? GO_ON : f;
  }
}

static Flow step(State *st, const Stmt *s) {
  if (++st->pa->steps > MOST_PARTIAL_STEPS)
    return GIVE_UP;
  switch (s->kind) {
  case STMT_ASSIGN: {
    ExprId value = value_of(st, s->value);
    return (value.i || !st->pa->exact) && assign(st, s->targets[0], value) ? GO_ON : GIVE_UP;
  }
  case STMT_TUPLE: return assign_tuple(st, s) ? GO_ON : GIVE_UP;
  case STMT_IF: return run_if(st, s, 0);
  case STMT_FOR: return run_for(st, s);
  case STMT_WHILE: return run_while(st, s);
  case STMT_BREAK: return LEAVE_LOOP;
  case STMT_RETURN: return LEAVE;
  case STMT_CALL:
  case STMT_ASSERT:
  case STMT_TERMINATE: return st->pa->exact ? GIVE_UP : GO_ON;
  case STMT_REINIT:
  case STMT_WHEN: return GIVE_UP;
  }
  return GIVE_UP;
}

static Flow run(State *st, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    Flow f = step(st, body[k]);
    if (f != GO_ON)
      return f;
  }
  return GO_ON;
}

/* ---- calls ---- */

/* A variable without value: its size may follow from what is known. */
static ExprId fresh(State *st, const FuncVar *v) {
  Partial *pa = st->pa;
  const Type *y = type_get(pa->p, v->type);
  if (type_count(pa->p, v->type) >= 0 || !v->dims)
    return unknown(pa, v->type);
  int32_t dims[MOST_DIMS];
  for (uint32_t k = 0; k < y->n_dims; k++) {
    int64_t size = y->dims[k];
    ExprId e = size == DIM_UNKNOWN ? value_of(st, v->dims[k]) : NO_EXPR;
    if (size == DIM_UNKNOWN && (!e.i || !expr_as_integer(pa->p, e, &size)))
      return NO_EXPR;
    if (size < 0 || size > MOST_PARTIAL_STEPS)
      return NO_EXPR;
    dims[k] = (int32_t)size;
  }
  return unknown(pa, type_array(pa->p, type_element(pa->p, v->type, y->n_dims), y->n_dims, dims));
}

static bool call(Partial *pa, const Func *f, uint32_t n, const ExprId *args, ExprId *results) {
  bool opaque = !f->complete || f->no_body || f->impure || f->external || pa->depth >= pa->most;
  State st = {pa, f, NEW_ARRAY(pa->a, ExprId, f->n_locals + 1)};
  if ((f->is_record_constructor && !f->n_body) || (opaque && pa->exact))
    return false;
  pa->depth++;
  for (uint32_t k = 0; k < f->n_vars; k++) {
    ExprId given = k < f->n_inputs && k < n && args[k].i ? settle(pa, args[k]) : NO_EXPR;
    if (!given.i)
      given = f->vars[k].binding.i ? value_of(&st, f->vars[k].binding) : fresh(&st, &f->vars[k]);
    if (given.i && type_get(pa->p, f->vars[k].type)->base == TY_REAL)
      given = expr_to_real(pa->p, given);
    st.values[k] = given;
  }
  Flow flow = opaque ? GO_ON : run(&st, f->body, f->n_body);
  pa->depth--;
  for (uint32_t k = 0; k < f->n_outputs; k++)
    results[k] = opaque ? unknown(pa, f->vars[f->n_inputs + k].type) : st.values[f->n_inputs + k];
  return flow == GO_ON || flow == LEAVE;
}

/* The function that f calls first, with its own arguments; NULL if there is none. */
static const Func *hands_on(const ExprPool *p, const Func *f) {
  const Stmt *first = f->n_body ? f->body[0] : NULL;
  if (!first || (first->kind != STMT_ASSIGN && first->kind != STMT_TUPLE))
    return NULL;
  const Expr *x = expr_get(p, first->value);
  bool own = x->op == OP_CALL && x->n == f->n_inputs;
  for (uint32_t k = 0; k < x->n && own; k++) {
    const Expr *given = x->args[k].i ? expr_get(p, x->args[k]) : NULL;
    own = given && given->op == OP_LOCAL && given->index == k;
  }
  return own ? x->ref : NULL;
}

/* Who hands on does not count among the calls inside each other: a printed flat model takes results
 * apart in a function around the one that computes them (flat/print_part.c), and when it is read
 * back, as much must be known. A circle of such functions ends here, too. */
static Partial partial(ExprPool *p, Arena *a, const Func *f) {
  Partial pa = {.p = p, .a = a, .most = MOST_PARTIAL_CALLS};
  while (pa.most < 2 * MOST_PARTIAL_CALLS && (f = hands_on(p, f)))
    pa.most++;
  return pa;
}

bool func_partial(ExprPool *p, Arena *a, const Func *f, uint32_t n_args, const ExprId *args,
                  ExprId *results) {
  Partial pa = partial(p, a, f);
  return call(&pa, f, n_args, args, results);
}

typedef struct {
  const ExprPool *p;
  bool found;
} Open;

static void search_open(void *user, ExprId e) {
  Open *o = user;
  const Expr *x = expr_get(o->p, e);
  o->found = o->found || x->op == OP_LOCAL || (x->op == OP_VAR && x->index >= FIRST_UNKNOWN);
}

bool func_written_out(ExprPool *p, Arena *a, const Func *f, uint32_t n_args, const ExprId *args,
                      ExprId *results) {
  Partial pa = partial(p, a, f);
  pa.exact = true;
  if (!call(&pa, f, n_args, args, results))
    return false;
  Open open = {p, false};
  for (uint32_t k = 0; k < f->n_outputs; k++) {
    if (!results[k].i)
      return false;
    expr_walk(p, results[k], search_open, &open);
  }
  return !open.found;
}
