/* expr/diff_func.c -- derivatives of function calls: by annotation, else of the body, statement by
 * statement.
 * In:   a call and the derivatives of its arguments.   Out: a call of a function that gives the
 *       derivatives of the results.
 * How:  a derivative annotation whose conditions hold is taken first (MLS 3.6 section 12.7.1). Else
 *       forward differentiation of the algorithm (Wengert, Commun. ACM 7(8), 1964): every variable
 *       v that depends on an argument with a derivative gets a companion v', and before each
 *       assignment v := e stands v' := e'. Conditions, subscripts and loops stay as they are. The
 *       new function takes the old inputs and the companions of those that vary, and gives
 *       companions of all outputs in the types of these; what is not Real in them means nothing. It
 *       is an ordinary function, so that it can be differentiated again.
 * Keep: one derivative per function and set of varying inputs, made once per pool. External
 *       functions have none. */
#include "expr/expr_impl.h"
#include "expr/func.h"

#include <string.h>

typedef struct Tangent Tangent;
struct Tangent {
  const Func *f;
  const bool *mask; /* per input: it varies */
  Func *derivative;
  bool failed;
  const char *why;
  Tangent *next;
};

typedef struct {
  ExprPool *p;
  Arena *a;
  const Func *f;
  Func *g;
  uint32_t *at;   /* old LOCAL -> new */
  uint32_t *mate; /* new LOCAL -> its companion + 1; 0: none */
  bool *varies;   /* old variable */
  const char *why;
  bool failed;
} Build;

typedef VEC(Stmt *) Body;

bool type_has_real(const ExprPool *p, TypeId t) {
  const Type *type = type_get(p, t);
  bool real = type->base == TY_REAL;
  for (uint32_t k = 0; type->base == TY_RECORD && k < type->decl->n; k++)
    real |= type_has_real(p, type->decl->types[k]);
  return real;
}

/* ---- zeros ---- */

ExprId diff_zero_like(ExprPool *p, ExprId e) {
  TypeId t = expr_type(p, e);
  const Type *y = type_get(p, t);
  ExprId zero = expr_real(p, 0);
  if (y->base == TY_RECORD && !y->n_dims) {
    ExprId *items = NEW_ARRAY(pool_arena(p), ExprId, y->decl->n);
    for (uint32_t k = 0; k < y->decl->n; k++) {
      ExprId field = expr_make_index(p, OP_FIELD, y->decl->types[k], k, 0, 1, &e);
      items[k] = type_has_real(p, y->decl->types[k]) ? diff_zero_like(p, field) : field;
      if (!items[k].i)
        return NO_EXPR;
    }
    return expr_make(p, OP_RECORD, t, y->decl->n, items);
  }
  if (y->base != TY_REAL && y->base != TY_INTEGER)
    return type_has_real(p, t) ? NO_EXPR : e;
  if (!y->n_dims)
    return zero;
  /* fill(0, size(e, 1), ...) */
  ExprId *args = NEW_ARRAY(pool_arena(p), ExprId, y->n_dims + 1);
  args[0] = zero;
  for (uint32_t k = 0; k < y->n_dims; k++)
    args[k + 1] = expr_make(p, OP_SIZE, type_scalar(p, TY_INTEGER), 2,
                            (ExprId[]){e, expr_integer(p, k + 1)});
  return expr_make(p, OP_FILL, type_array(p, type_scalar(p, TY_REAL), y->n_dims, y->dims),
                   y->n_dims + 1, args);
}

/* A value of type t that is 0 wherever it is Real. dims: sizes that the type does not know; may be
 * NULL. */
static ExprId zero_of(Build *b, TypeId t, const ExprId *dims) {
  const Type *y = type_get(b->p, t);
  ExprId one = NO_EXPR;
  TypeId scalar = type_element(b->p, t, y->n_dims);
  switch (y->base) {
  case TY_REAL: one = expr_real(b->p, 0); break;
  case TY_INTEGER: one = expr_integer(b->p, 0); break;
  case TY_BOOLEAN: one = expr_boolean(b->p, false); break;
  case TY_STRING: one = expr_string(b->p, ""); break;
  case TY_ENUM: one = expr_enum(b->p, scalar, 1); break;
  case TY_RECORD: {
    ExprId *items = NEW_ARRAY(b->a, ExprId, y->decl->n);
    for (uint32_t k = 0; k < y->decl->n; k++) {
      items[k] = zero_of(b, y->decl->types[k], NULL);
      if (!items[k].i)
        return NO_EXPR;
    }
    one = expr_make(b->p, OP_RECORD, scalar, y->decl->n, items);
    break;
  }
  case TY_NONE:
  case TY_CLOCK:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: return NO_EXPR;
  }
  if (!y->n_dims)
    return one;
  ExprId *args = NEW_ARRAY(b->a, ExprId, y->n_dims + 1);
  args[0] = one;
  for (uint32_t k = 0; k < y->n_dims; k++) {
    args[k + 1] = y->dims[k] != DIM_UNKNOWN ? expr_integer(b->p, y->dims[k])
                  : dims                    ? dims[k]
                                            : NO_EXPR;
    if (!args[k + 1].i)
      return NO_EXPR;
  }
  return expr_make(b->p, OP_FILL, t, y->n_dims + 1, args);
}

/* ---- expressions of the body ---- */

static ExprId renumber_node(void *user, ExprId e) {
  const Build *b = user;
  const Expr *x = expr_get(b->p, e);
  if (x->op == OP_LOCAL)
    return expr_local(b->p, x->type, b->at[x->index]);
  if (x->op == OP_COMPREHEND || x->op == OP_REDUCE)
    return expr_make_index(b->p, x->op, x->type, b->at[x->index], x->payload2, x->n, x->args);
  return NO_EXPR;
}

static ExprId renumber(Build *b, ExprId e) {
  return e.i ? expr_rewrite(b->p, e, renumber_node, b) : NO_EXPR;
}

static ExprId companion(void *user, ExprId e) {
  const Build *b = user;
  const Expr *x = expr_get(b->p, e);
  bool has = x->op == OP_LOCAL && b->mate[x->index];
  return has ? expr_local(b->p, x->type, b->mate[x->index] - 1) : expr_real(b->p, 0);
}

/* Derivative of a renumbered expression, in its shape. */
static ExprId derive(Build *b, ExprId e) {
  const char *why = NULL;
  ExprId d = expr_diff_total(b->p, e, companion, b, &why);
  if (d.i && expr_is_zero(b->p, d))
    d = diff_zero_like(b->p, e);
  if (!d.i) {
    b->failed = true;
    b->why = why ? why : b->why;
  }
  return d.i ? expr_to_real(b->p, d) : d;
}

/* The companion of a renumbered target; NO_EXPR if it has none. */
static ExprId mate_of(Build *b, ExprId target) {
  const Expr *x = expr_get(b->p, target);
  if (x->op == OP_LOCAL)
    return b->mate[x->index] ? expr_local(b->p, x->type, b->mate[x->index] - 1) : NO_EXPR;
  if (x->op != OP_INDEX && x->op != OP_FIELD)
    return NO_EXPR;
  ExprId *args = NEW_ARRAY(b->a, ExprId, x->n);
  for (uint32_t k = 0; k < x->n; k++)
    args[k] = k ? x->args[k] : mate_of(b, x->args[0]);
  if (!args[0].i)
    return NO_EXPR;
  return x->op == OP_FIELD ? expr_make_index(b->p, OP_FIELD, x->type, x->index, 0, x->n, args)
                           : expr_make(b->p, OP_INDEX, x->type, x->n, args);
}

/* ---- which variables vary ---- */

typedef struct {
  const Build *b;
  bool found;
} Reading;

static void note_reading(void *user, ExprId e) {
  Reading *r = user;
  const Expr *x = expr_get(r->b->p, e);
  r->found |= x->op == OP_LOCAL && x->index < r->b->f->n_vars && r->b->varies[x->index];
}

static bool reads_varying(const Build *b, ExprId e) {
  Reading r = {b, false};
  if (e.i)
    expr_walk(b->p, e, note_reading, &r);
  return r.found;
}

static bool mark_target(Build *b, ExprId target) {
  const Expr *x = expr_get(b->p, target);
  while (x->op == OP_INDEX || x->op == OP_FIELD)
    x = expr_get(b->p, x->args[0]);
  if (x->op != OP_LOCAL || x->index >= b->f->n_vars || b->varies[x->index] ||
      !type_has_real(b->p, b->f->vars[x->index].type))
    return false;
  return b->varies[x->index] = true;
}

static bool mark_body(Build *b, Stmt *const *body, uint32_t n) {
  bool more = false;
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *s = body[k];
    bool varying = (s->kind == STMT_ASSIGN || s->kind == STMT_TUPLE) && reads_varying(b, s->value);
    for (uint32_t i = 0; varying && i < s->n_targets; i++)
      if (s->targets[i].i)
        more |= mark_target(b, s->targets[i]);
    for (uint32_t i = 0; i < s->n_branches; i++)
      more |= mark_body(b, s->branches[i].body, s->branches[i].n);
  }
  return more;
}

static void mark_varying(Build *b, const bool *mask) {
  const Func *f = b->f;
  for (uint32_t k = 0; k < f->n_inputs; k++)
    b->varies[k] = mask[k];
  for (bool more = true; more;) {
    more = mark_body(b, f->body, f->n_body);
    for (uint32_t k = f->n_inputs; k < f->n_vars; k++)
      if (!b->varies[k] && type_has_real(b->p, f->vars[k].type) &&
          reads_varying(b, f->vars[k].binding))
        b->varies[k] = more = true;
  }
}

/* ---- statements ---- */

static void derive_body(Build *b, Stmt *const *body, uint32_t n, Body *out);

static void add_assignment(Build *b, Span span, ExprId target, ExprId value, Body *out) {
  Stmt *s = NEW(b->a, Stmt);
  *s = (Stmt){.kind = STMT_ASSIGN, .span = span, .n_targets = 1, .value = value};
  s->targets = NEW_ARRAY(b->a, ExprId, 1);
  s->targets[0] = target;
  vec_push(b->a, out, s);
}

static void derive_assign(Build *b, const Stmt *s, const Stmt *same, Body *out) {
  ExprId mate = type_has_real(b->p, expr_type(b->p, s->targets[0])) ? mate_of(b, same->targets[0])
                                                                    : NO_EXPR;
  if (!mate.i)
    return;
  ExprId value = derive(b, same->value);
  if (value.i)
    add_assignment(b, s->span, mate, value, out);
}

/* (v', ...) := f'(...) */
static void derive_tuple(Build *b, const Stmt *s, const Stmt *same, Body *out) {
  ExprId *mates = NEW_ARRAY(b->a, ExprId, s->n_targets);
  bool any = false;
  for (uint32_t k = 0; k < s->n_targets; k++) {
    if (s->targets[k].i && type_has_real(b->p, expr_type(b->p, s->targets[k])))
      mates[k] = mate_of(b, same->targets[k]);
    any |= mates[k].i != 0;
  }
  const char *why = NULL;
  ExprId value = any ? expr_diff_total(b->p, same->value, companion, b, &why) : NO_EXPR;
  if (any && !value.i) {
    b->failed = true;
    b->why = why ? why : b->why;
  }
  if (!value.i)
    return;
  if (!expr_is_zero(b->p, value)) {
    Stmt *d = NEW(b->a, Stmt);
    *d = *same;
    d->targets = mates;
    d->value = value;
    vec_push(b->a, out, d);
    return;
  }
  for (uint32_t k = 0; k < s->n_targets; k++)
    if (mates[k].i)
      add_assignment(b, s->span, mates[k], diff_zero_like(b->p, mates[k]), out);
}

static Stmt *copy(Build *b, const Stmt *s) {
  Stmt *c = NEW(b->a, Stmt);
  *c = *s;
  c->targets = NEW_ARRAY(b->a, ExprId, s->n_targets + 1);
  for (uint32_t k = 0; k < s->n_targets; k++)
    c->targets[k] = renumber(b, s->targets[k]);
  c->value = renumber(b, s->value);
  if (s->kind == STMT_FOR)
    c->iterator = b->at[s->iterator];
  c->branches = NEW_ARRAY(b->a, StmtBranch, s->n_branches + 1);
  for (uint32_t k = 0; k < s->n_branches; k++) {
    Body inner = {0};
    derive_body(b, s->branches[k].body, s->branches[k].n, &inner);
    c->branches[k] = (StmtBranch){renumber(b, s->branches[k].condition), inner.at, inner.n};
  }
  return c;
}

static void derive_body(Build *b, Stmt *const *body, uint32_t n, Body *out) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *s = body[k];
    /* what has no result was done, and what is asserted was checked, by the function itself */
    if (s->kind == STMT_ASSERT || s->kind == STMT_CALL)
      continue;
    if (s->kind == STMT_WHEN || s->kind == STMT_REINIT || s->kind == STMT_TERMINATE) {
      b->failed = true;
      return;
    }
    Stmt *same = copy(b, s);
    if (s->kind == STMT_ASSIGN)
      derive_assign(b, s, same, out);
    else if (s->kind == STMT_TUPLE)
      derive_tuple(b, s, same, out);
    vec_push(b->a, out, same);
  }
}

/* ---- functions ---- */

static FuncVar variable(Build *b, const FuncVar *v, bool mate) {
  FuncVar out = *v;
  uint32_t n = type_get(b->p, v->type)->n_dims;
  out.binding = mate ? NO_EXPR : renumber(b, v->binding);
  out.name = mate ? arena_printf(b->a, "der %s", v->name) : v->name;
  out.dims = v->dims ? NEW_ARRAY(b->a, ExprId, n + 1) : NULL;
  for (uint32_t k = 0; v->dims && k < n; k++)
    out.dims[k] = renumber(b, v->dims[k]);
  return out;
}

/* Inputs, companions of inputs, companions of outputs, outputs, protected variables, their
 * companions, iterators. */
static void number_variables(Build *b) {
  const Func *f = b->f;
  Func *g = b->g;
  uint32_t most = 2 * f->n_locals + f->n_vars + 1, next = f->n_inputs;
  b->at = NEW_ARRAY(b->a, uint32_t, f->n_locals + 1);
  b->mate = NEW_ARRAY(b->a, uint32_t, most);
  for (uint32_t k = 0; k < f->n_inputs; k++) {
    b->at[k] = k;
    if (b->varies[k])
      b->mate[k] = ++next;
  }
  g->n_inputs = next;
  uint32_t outputs = next;
  g->n_outputs = f->n_outputs;
  next += f->n_outputs;
  for (uint32_t k = f->n_inputs; k < f->n_vars; k++)
    b->at[k] = next++;
  for (uint32_t k = 0; k < f->n_outputs; k++)
    b->mate[b->at[f->n_inputs + k]] = outputs + k + 1;
  for (uint32_t k = f->n_inputs + f->n_outputs; k < f->n_vars; k++)
    if (b->varies[k])
      b->mate[b->at[k]] = ++next;
  g->n_vars = next;
  for (uint32_t k = f->n_vars; k < f->n_locals; k++)
    b->at[k] = next++;
  g->n_locals = next;
  g->vars = NEW_ARRAY(b->a, FuncVar, g->n_vars + 1);
  for (uint32_t k = 0; k < f->n_vars; k++) {
    g->vars[b->at[k]] = variable(b, &f->vars[k], false);
    if (b->mate[b->at[k]])
      g->vars[b->mate[b->at[k]] - 1] = variable(b, &f->vars[k], true);
  }
}

/* Companions start with the derivative of the binding, or with 0. */
static void initialise(Build *b, Body *out) {
  for (uint32_t k = b->f->n_inputs; k < b->f->n_vars; k++) {
    uint32_t mate = b->mate[b->at[k]];
    if (!mate)
      continue;
    const FuncVar *v = &b->g->vars[mate - 1];
    ExprId binding = b->g->vars[b->at[k]].binding, value;
    bool real = type_has_real(b->p, v->type);
    value = binding.i && real ? derive(b, binding) : zero_of(b, v->type, v->dims);
    if (value.i)
      add_assignment(b, v->span, expr_local(b->p, v->type, mate - 1), value, out);
  }
}

static void build(Build *b, const bool *mask) {
  const Func *f = b->f;
  b->varies = NEW_ARRAY(b->a, bool, f->n_vars + 1);
  mark_varying(b, mask);
  number_variables(b);
  Body body = {0};
  initialise(b, &body);
  derive_body(b, f->body, f->n_body, &body);
  b->g->body = body.at;
  b->g->n_body = body.n;
  b->g->complete = !b->failed;
}

/* The derivative of f by the inputs of the mask, made when it is first asked for. */
static const Tangent *tangent_of(ExprPool *p, const Func *f, const bool *mask) {
  Tangent **all = pool_tangents(p);
  for (Tangent *t = *all; t; t = t->next)
    if (t->f == f && !memcmp(t->mask, mask, f->n_inputs * sizeof *mask))
      return t;
  Arena *a = pool_arena(p);
  Tangent *t = NEW(a, Tangent);
  *t = (Tangent){.f = f, .mask = mask, .why = f->name, .next = *all};
  *all = t;
  t->failed = !f->complete || f->no_body || f->impure || f->external || f->is_record_constructor;
  if (t->failed)
    return t;
  Func *g = t->derivative = NEW(a, Func);
  *g = (Func){.name = arena_printf(a, "derivative of %s", f->name),
              .span = f->span,
              .result = f->result,
              .smooth_order = -1};
  Build b = {.p = p, .a = a, .f = f, .g = g, .why = f->name};
  build(&b, mask);
  t->failed = b.failed;
  t->why = b.why;
  return t;
}

/* ---- calls ---- */

/* Inputs whose rates the derivative takes: Reals that it does not exclude. */
static bool takes_rate(const ExprPool *p, const Func *f, const FuncDerivative *fd, uint32_t k) {
  return type_has_real(p, f->vars[k].type) && !fd->no_derivative[k] && !fd->zero_derivative[k];
}

/* Can the derivative be called with the inputs of f and their rates? Of order n > 1: f is itself
 * the derivative of order n - 1, and its last inputs are the rates, then the rates of these, and so
 * on (MLS 3.6 section 12.7.1). */
static bool fits(const ExprPool *p, const Func *f, const FuncDerivative *fd) {
  const Func *g = fd->function;
  uint32_t n = f->n_inputs, rates = 0;
  if (!g || !g->complete || g->n_outputs != f->n_outputs || g->n_inputs < n || fd->order < 1)
    return false;
  uint32_t more = g->n_inputs - n, of_rates = (uint32_t)(fd->order - 1);
  if (of_rates > n || more > n || of_rates * more > n)
    return false;
  uint32_t base = n - of_rates * more;
  for (uint32_t k = 0; k < base; k++)
    rates += takes_rate(p, f, fd, k);
  return rates == more;
}

bool diff_call_asks(const ExprPool *p, const Expr *call, uint32_t k) {
  const Func *f = call->ref;
  bool any = false;
  for (uint32_t q = 0; f && k < f->n_inputs && q < f->n_derivatives; q++) {
    if (!fits(p, f, &f->derivatives[q]))
      continue;
    if (!f->derivatives[q].no_derivative[k])
      return true;
    any = true;
  }
  return !any;
}

bool diff_call_excludes(const ExprPool *p, const Expr *call) {
  const Func *f = call->ref;
  for (uint32_t k = 0; f && k < f->n_inputs; k++)
    if (type_has_real(p, f->vars[k].type) && !diff_call_asks(p, call, k))
      return true;
  return false;
}

/* Does this call hold rates where a derivative of higher order has them? Then only the rates of the
 * last ones are added: ders keeps just them. */
static bool higher_order(const ExprPool *p, const Expr *call, const FuncDerivative *fd,
                         ExprId *ders) {
  const Func *f = call->ref;
  uint32_t n = f->n_inputs, more = fd->function->n_inputs - n,
           base = n - (uint32_t)(fd->order - 1) * more, at = base;
  for (uint32_t k = 0; k < base; k++)
    if (takes_rate(p, f, fd, k) && ders[k].i != call->args[at++].i)
      return false;
  for (uint32_t k = base; k + more < n; k++)
    if (ders[k].i != call->args[k + more].i)
      return false;
  for (uint32_t k = 0; k < n - more; k++)
    ders[k] = NO_EXPR;
  return true;
}

/* Along one variable: rates that the derivative excludes must not be all there is. */
static bool follows(const Func *f, const FuncDerivative *fd, const bool *varies, bool partial) {
  bool kept = !partial;
  for (uint32_t k = 0; k < f->n_inputs; k++) {
    if (fd->zero_derivative[k] && varies[k])
      return false;
    kept = kept || (varies[k] && !fd->no_derivative[k]);
  }
  return kept;
}

/* f_der(args, der(args)) by the first annotation whose conditions hold. */
static ExprId by_annotation(ExprPool *p, const Expr *call, const ExprId *da, const bool *varies,
                            bool partial) {
  const Func *f = call->ref;
  uint32_t n = f->n_inputs;
  Arena *a = pool_arena(p);
  ExprId *ders = NEW_ARRAY(a, ExprId, n + 1), *rates = NEW_ARRAY(a, ExprId, n + 1),
         *args = NEW_ARRAY(a, ExprId, 2 * n + 1);
  for (uint32_t k = 0; k < n && f->n_derivatives; k++) {
    if (k >= call->n || !call->args[k].i)
      return NO_EXPR;
    args[k] = call->args[k];
    if (type_has_real(p, f->vars[k].type))
      ders[k] = varies[k] ? da[k] : diff_zero_like(p, call->args[k]);
  }
  for (uint32_t q = 0; q < f->n_derivatives; q++) {
    const FuncDerivative *fd = &f->derivatives[q];
    for (uint32_t k = 0; k < n; k++)
      rates[k] = ders[k];
    if (!fits(p, f, fd) || (fd->order > 1 && !higher_order(p, call, fd, rates)) ||
        !follows(f, fd, varies, partial))
      continue;
    uint32_t at = n;
    for (uint32_t k = 0; k < n && at < fd->function->n_inputs; k++)
      if (rates[k].i && takes_rate(p, f, fd, k))
        args[at++] = rates[k];
    if (at == fd->function->n_inputs)
      return expr_make_ref(p, OP_CALL, call->type, fd->function, at, args);
  }
  return NO_EXPR;
}

ExprId diff_call(ExprPool *p, const Expr *call, const ExprId *da, bool partial, const char **why) {
  const Func *f = call->ref;
  if (!f) {
    *why = "a function";
    return NO_EXPR;
  }
  bool *varies = NEW_ARRAY(pool_arena(p), bool, f->n_inputs + 1), any = false;
  ExprId *args = NEW_ARRAY(pool_arena(p), ExprId, 2 * f->n_inputs + 1);
  uint32_t at = f->n_inputs;
  for (uint32_t k = 0; k < f->n_inputs && k < call->n; k++) {
    args[k] = call->args[k];
    varies[k] = args[k].i && type_has_real(p, f->vars[k].type) && !expr_is_zero(p, da[k]);
    any = any || varies[k];
    if (varies[k])
      args[at++] = da[k];
  }
  bool excludes = !partial && diff_call_excludes(p, call);
  if (!any && !excludes)
    return expr_real(p, 0);
  ExprId annotated = by_annotation(p, call, da, varies, partial);
  if (annotated.i)
    return annotated;
  if (excludes) { /* rates that nobody asked for could only be left out */
    *why = f->name;
    return NO_EXPR;
  }
  const Tangent *t = tangent_of(p, f, varies);
  if (t->failed) {
    *why = t->why;
    return NO_EXPR;
  }
  return expr_make_ref(p, OP_CALL, call->type, t->derivative, at, args);
}
