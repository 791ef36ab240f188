/* expr/eval.c -- values of nodes: dispatch, scalars, and the public functions.
 * Scalars are computed without any allocation; everything else goes through `array_node`. Outside
 * of functions and iterators the values of shared nodes are kept once an evaluation has become
 * long, so that a DAG costs its nodes and not its paths.
 * Keep: recursion is bounded by MOST_NESTING and EVAL_STACK, work by ev->budget. */
#include "expr/eval_impl.h"
#include "base/limits.h"

#include <string.h>

static const uint64_t default_budget = 50u * 1000 * 1000;

/* ---- the two kinds of node: scalar, and all others ---- */

static bool scalar_node(Eval *ev, ExprId e, const Expr *x, Scalar *out);
static bool array_node(Eval *ev, ExprId e, const Expr *x, Value *out);

/* Every call is followed by a decrement of `nesting`. */
static bool enter(Eval *ev) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), start = ev->run->stack;
  if (++ev->run->nesting > MOST_NESTING ||
      (here < start ? start - here : here - start) > EVAL_STACK)
    return ev_limit(ev, "the expression is nested too deeply");
  return ev_charge(ev, 1);
}

/* Values may be kept where nothing but the lookup binds names. */
static bool keeps(const Eval *ev, const Expr *x) {
  const EvalRun *run = ev->run;
  return x->n && !run->frame && !run->iters && (ev->budget < run->memo_below || x->op == OP_CALL);
}

static bool kept_scalar(Eval *ev, ExprId e, const Expr *x, Scalar *out) {
  uint64_t bits;
  if (map_get(&ev->run->scalars, e.i, &bits)) {
    memcpy(out, &bits, sizeof bits);
    return true;
  }
  if (!scalar_node(ev, e, x, out))
    return false;
  memcpy(&bits, out, sizeof bits);
  TypeBase base = ev_type(ev, x->type)->base;
  if (base != TY_STRING && base != TY_FUNCTION) /* those point to temps */
    map_put(ev->arena, &ev->run->scalars, e.i, bits);
  return true;
}

bool ev_scalar(Eval *ev, ExprId e, Scalar *out) {
  const Expr *x = expr_get(ev->pool, e);
  const EvalFrame *frame = ev->run->frame;
  if (x->op == OP_REAL) {
    out->real = x->real;
    return true;
  }
  if (x->op == OP_INTEGER || x->op == OP_BOOLEAN || x->op == OP_ENUM) {
    out->integer = x->integer;
    return true;
  }
  if (x->op == OP_LOCAL && frame && x->index < frame->n && frame->locals[x->index].type.i) {
    *out = frame->locals[x->index].at[0];
    return true;
  }
  bool ok = enter(ev) && (keeps(ev, x) ? kept_scalar(ev, e, x, out) : scalar_node(ev, e, x, out));
  ev->run->nesting--;
  return ok;
}

static bool kept_value(Eval *ev, ExprId e, const Expr *x, Value *out) {
  const Value *old = map_get_ptr(&ev->run->values, (void *)(uintptr_t)e.i);
  if (old) {
    *out = *old;
    return true;
  }
  if (!array_node(ev, e, x, out))
    return false;
  Value *kept = NEW(ev->arena, Value);
  *kept = *out;
  kept->at = NEW_ARRAY(ev->arena, Scalar, out->n ? out->n : 1);
  if (out->n)
    memcpy(kept->at, out->at, sizeof(Scalar) * out->n);
  map_put_ptr(ev->arena, &ev->run->values, (void *)(uintptr_t)e.i, kept);
  return true;
}

/* A value with strings on temps must not outlive them. */
static bool has_strings(const Eval *ev, TypeId t) {
  const Type *y = ev_type(ev, t);
  if (y->base == TY_STRING)
    return true;
  if (y->base == TY_RECORD || y->base == TY_TUPLE)
    for (uint32_t i = 0; i < y->decl->n; i++)
      if (has_strings(ev, y->decl->types[i]))
        return true;
  return false;
}

bool ev_value(Eval *ev, ExprId e, Value *out) {
  const Expr *x = expr_get(ev->pool, e);
  if (x->op == OP_LOCAL) {
    Value *v = ev_local(ev, x->index);
    if (v) {
      *out = *v;
      return true;
    }
    return !ev->fail && ev_lookup(ev, e, out);
  }
  if (ev_is_scalar(ev_type(ev, x->type)) && x->op != OP_CALL) {
    *out = (Value){x->type, 1, ev_cells(ev, 1)};
    return out->at && ev_scalar(ev, e, out->at);
  }
  bool ok = enter(ev);
  if (ok)
    ok = keeps(ev, x) && !has_strings(ev, x->type) ? kept_value(ev, e, x, out)
                                                   : array_node(ev, e, x, out);
  ev->run->nesting--;
  return ok;
}

bool ev_scalar_as(Eval *ev, ExprId e, TypeBase base, Scalar *out) {
  if (!ev_scalar(ev, e, out))
    return false;
  if (base == TY_REAL && ev_base(ev, e) == TY_INTEGER)
    out->real = (double)out->integer;
  return true;
}

bool ev_integer(Eval *ev, ExprId e, int64_t *out) {
  Scalar s;
  if (!ev_scalar(ev, e, &s))
    return false;
  *out = s.integer;
  return true;
}

bool ev_value_as(Eval *ev, ExprId e, TypeBase base, Value *out) {
  if (!ev_value(ev, e, out))
    return false;
  const Type *t = ev_type(ev, out->type);
  if (base != TY_REAL || t->base != TY_INTEGER)
    return true;
  Scalar *cells = ev_cells(ev, out->n);
  if (!cells)
    return false;
  for (uint32_t i = 0; i < out->n; i++)
    cells[i].real = (double)out->at[i].integer;
  out->type = type_array(ev->pool, type_scalar(ev->pool, TY_REAL), t->n_dims, t->dims);
  out->at = cells;
  return true;
}

/* ---- names ---- */

Value *ev_local(Eval *ev, uint32_t index) {
  EvalFrame *frame = ev->run->frame;
  if (frame && index < frame->n) {
    if (frame->locals[index].type.i || (index < frame->f->n_vars && func_init_local(ev, index)))
      return &frame->locals[index];
    if (ev->fail)
      return NULL;
  }
  for (EvalIter *it = ev->run->iters; it; it = it->outer)
    if (index - it->first < it->n)
      return &it->values[index - it->first];
  return NULL;
}

bool ev_lookup(Eval *ev, ExprId e, Value *out) {
  if (!ev->lookup || !ev->lookup(ev->user, ev, e, out)) {
    if (!ev->fail)
      ev->fail = EVAL_UNKNOWN;
    return false;
  }
  /* an evaluation inside of the lookup may have failed without harm */
  ev->fail = EVAL_OK;
  ev->why = NULL;
  ev->overflowed = false;
  ev->where = (Span){0, 0};
  return true;
}

static bool leaf_scalar(Eval *ev, ExprId e, const Expr *x, Scalar *out) {
  Value v, *local = x->op == OP_LOCAL ? ev_local(ev, x->index) : NULL;
  if (local)
    v = *local;
  else if (ev->fail || !ev_lookup(ev, e, &v))
    return false;
  if (v.n != 1)
    return ev_fail(ev, "a scalar was expected, not an array of size %s", ev_dims_text(ev, v.type));
  *out = v.at[0];
  return true;
}

/* ---- scalars ---- */

static void tell_decision(Eval *ev, ExprId e, const Scalar *operands, TypeBase base) {
  const EvalRun *run = ev->run;
  const Func *in = run->frame ? run->frame->f : NULL;
  EvalDecision d = {.e = e, .operands = operands, .base = base, .in = in, .at = run->at};
  ev->decides(ev->user, &d);
}

static bool kernel_scalar(Eval *ev, ExprId e, const Expr *x, Scalar *out) {
  TypeBase base;
  Kernel kernel = ev_kernel(ev, x, &base);
  Scalar a[2];
  if (!kernel)
    return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!ev_scalar_as(ev, x->args[i], base, &a[i]))
      return false;
  if (!kernel(ev, a, out))
    return false;
  if (ev->decides)
    tell_decision(ev, e, a, base);
  if (x->op == OP_SIGN && ev_type(ev, x->type)->base == TY_REAL)
    out->real = (double)out->integer;
  return true;
}

/* A long sum or product leans to the left: a + b + c + ... is walked along its spine, so that its
 * length does not count as nesting. */
static bool leans(const Eval *ev, const Expr *x) {
  bool chain = x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL || x->op == OP_DIV;
  return chain && x->n == 2 && ev_is_scalar(ev_type(ev, x->type)) &&
         !ev_type(ev, expr_get(ev->pool, x->args[0])->type)->n_dims;
}

static bool spine(Eval *ev, const Expr *x, uint32_t n, Scalar *out) {
  Mark mark = ev_mark(&ev->run->temps);
  TypeBase result = ev_type(ev, x->type)->base, base;
  const Expr **nodes = ev_push(ev, &ev->run->temps, sizeof *nodes * n);
  for (uint32_t i = n; i-- > 0; x = expr_get(ev->pool, x->args[0]))
    nodes[i] = x;
  if (!ev_charge(ev, n) || !ev_scalar(ev, nodes[0]->args[0], out))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    Kernel kernel = ev_kernel(ev, nodes[i], &base);
    Scalar a[2] = {*out};
    if (base == TY_REAL && ev_base(ev, nodes[i]->args[0]) == TY_INTEGER)
      a[0].real = (double)out->integer;
    if (!kernel || !ev_scalar_as(ev, nodes[i]->args[1], base, &a[1]) || !kernel(ev, a, out))
      return false;
    if (keeps(ev, nodes[i]) && i + 1 < n && base != TY_STRING) {
      uint64_t bits;
      memcpy(&bits, out, sizeof bits);
      map_put(ev->arena, &ev->run->scalars, nodes[i + 1]->args[0].i, bits);
    }
  }
  if (result != TY_STRING)
    ev_release(&ev->run->temps, mark);
  return true;
}

static bool chain_scalar(Eval *ev, ExprId e, const Expr *x, Scalar *out) {
  uint32_t n = 1; /* nodes of the spine, down to a value that is known */
  bool memo = keeps(ev, x);
  uint64_t known;
  for (const Expr *y = x;; n++) {
    if (memo && map_get(&ev->run->scalars, y->args[0].i, &known))
      break;
    y = expr_get(ev->pool, y->args[0]);
    if (!leans(ev, y))
      break;
  }
  return n > 1 ? spine(ev, x, n, out) : kernel_scalar(ev, e, x, out);
}

/* A scalar that is part or sum of something bigger. */
static bool through_array(Eval *ev, ExprId e, const Expr *x, Scalar *out) {
  Mark mark = ev_mark(&ev->run->temps);
  TypeBase base = ev_type(ev, x->type)->base;
  Value v;
  if (!array_node(ev, e, x, &v))
    return false;
  if (v.n != 1)
    return ev_fail(ev, "a scalar was expected, not an array of size %s", ev_dims_text(ev, v.type));
  *out = v.at[0];
  if (base == TY_REAL && ev_type(ev, v.type)->base == TY_INTEGER)
    out->real = (double)out->integer;
  if (base != TY_STRING && base != TY_FUNCTION)
    ev_release(&ev->run->temps, mark);
  return true;
}

static bool logic(Eval *ev, const Expr *x, Scalar *out) {
  bool stop = x->op == OP_OR; /* the value that decides */
  if (!ev_scalar(ev, x->args[0], out))
    return false;
  return (out->integer != 0) == stop || ev_scalar(ev, x->args[1], out);
}

/* The branch of an if-expression that counts; NO_EXPR on failure. */
static ExprId branch(Eval *ev, const Expr *x) {
  Scalar condition;
  if (!ev_scalar(ev, x->args[0], &condition))
    return NO_EXPR;
  return x->args[condition.integer ? 1 : 2];
}

static bool to_enum(Eval *ev, const Expr *x, Scalar *out) {
  const TypeDecl *decl = ev_type(ev, x->type)->decl;
  if (!ev_scalar(ev, x->args[0], out))
    return false;
  if (out->integer < 1 || !decl || out->integer > decl->n)
    return ev_fail(ev, "%lld is not an ordinal of enumeration `%s`", (long long)out->integer,
                   decl ? decl->name : "?");
  return true;
}

/* MLS 3.6 section 3.7.4: if x >= 0 then positive*x else negative*x. */
static bool semi_linear(Eval *ev, const Expr *x, Scalar *out) {
  Scalar s, slope;
  if (!ev_scalar_as(ev, x->args[0], TY_REAL, &s) ||
      !ev_scalar_as(ev, x->args[s.real >= 0 ? 1 : 2], TY_REAL, &slope))
    return false;
  out->real = slope.real * s.real;
  return true;
}

/* k-th scalar of the results of a call. */
static bool part(Eval *ev, const Expr *x, Scalar *out) {
  Value all;
  if (!ev_value(ev, x->args[0], &all))
    return false;
  if (x->index >= all.n)
    return ev_fail(ev, "result %u is out of range 1:%u", x->index + 1, all.n);
  *out = all.at[x->index];
  return true;
}

static bool dimension_count(Eval *ev, const Expr *x, Scalar *out) {
  out->integer = ev_type(ev, expr_get(ev->pool, x->args[0])->type)->n_dims;
  return true;
}

/* The argument that stands for the whole: noEvent(x), smooth(p, x), homotopy(x, simplified). */
static ExprId inner(const Expr *x) { return x->args[x->op == OP_SMOOTH]; }

static bool scalar_node(Eval *ev, ExprId e, const Expr *x, Scalar *out) {
  ExprId chosen;
  switch (x->op) {
  case OP_REAL:
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_ENUM:
  case OP_STRING: memcpy(out, &x->integer, sizeof *out); return true;
  case OP_TIME:
  case OP_VAR:
  case OP_REF:
  case OP_LOCAL: return leaf_scalar(ev, e, x, out);
  case OP_FUNCTION: return func_value(ev, x, out);
  case OP_MUL:
    if (ev_type(ev, expr_get(ev->pool, x->args[0])->type)->n_dims)
      return through_array(ev, e, x, out);
    return chain_scalar(ev, e, x, out);
  case OP_ADD:
  case OP_SUB:
  case OP_DIV: return chain_scalar(ev, e, x, out);
  case OP_NEG:
  case OP_POW:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_DIV_EL:
  case OP_POW_EL:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
  case OP_NOT:
  case OP_ABS:
  case OP_SIGN:
  case OP_SQRT:
  case OP_SIN:
  case OP_COS:
  case OP_TAN:
  case OP_ASIN:
  case OP_ACOS:
  case OP_ATAN:
  case OP_ATAN2:
  case OP_SINH:
  case OP_COSH:
  case OP_TANH:
  case OP_EXP:
  case OP_LOG:
  case OP_LOG10:
  case OP_MIN2:
  case OP_MAX2:
  case OP_DIVT:
  case OP_MOD:
  case OP_REM:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_ORDINAL: return kernel_scalar(ev, e, x, out);
  case OP_AND:
  case OP_OR: return logic(ev, x, out);
  case OP_IF:
    chosen = branch(ev, x);
    return chosen.i && ev_scalar_as(ev, chosen, ev_type(ev, x->type)->base, out);
  case OP_CAST: return ev_scalar_as(ev, x->args[0], ev_type(ev, x->type)->base, out);
  case OP_NOEVENT:
  case OP_SMOOTH:
  case OP_HOMOTOPY: return ev_scalar_as(ev, inner(x), ev_type(ev, x->type)->base, out);
  case OP_SEMILINEAR: return semi_linear(ev, x, out);
  case OP_TO_ENUM: return to_enum(ev, x, out);
  case OP_STRING_OF: return string_of(ev, x, out);
  case OP_PART: return part(ev, x, out);
  case OP_NDIMS: return dimension_count(ev, x, out);
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_DELAY:
  case OP_SPATIAL:
  case OP_ROUNDING:
    return ev->machine ? ev->machine->hybrid(ev->user, ev, x, out) : through_array(ev, e, x, out);
  case OP_INDEX:
  case OP_FIELD:
  case OP_CALL:
  case OP_REDUCE:
  case OP_SIZE:
  case OP_SCALAR:
  case OP_SUM:
  case OP_PRODUCT:
  case OP_MIN:
  case OP_MAX:
  case OP_ARRAY:
  case OP_RANGE:
  case OP_RECORD:
  case OP_TUPLE:
  case OP_COMPREHEND:
  case OP_VECTOR:
  case OP_MATRIX:
  case OP_PROMOTE:
  case OP_TRANSPOSE:
  case OP_OUTER:
  case OP_SYMMETRIC:
  case OP_CROSS:
  case OP_SKEW:
  case OP_IDENTITY:
  case OP_DIAGONAL:
  case OP_FILL:
  case OP_LINSPACE:
  case OP_CAT:
  case OP_DER:
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_SAMPLE:
  case OP_IMPULSE:
  case OP_INSTREAM:
  case OP_ACTUALSTREAM:
  case OP_COUNT: return through_array(ev, e, x, out);
  }
  return false;
}

/* ---- arrays, records, tuples ---- */

static bool tuple(Eval *ev, const Expr *x, Value *out) {
  Value *members = ev_push(ev, &ev->run->temps, sizeof(Value) * (x->n + 1));
  for (uint32_t i = 0; i < x->n; i++)
    if (!ev_value(ev, x->args[i], &members[i]))
      return false;
  return array_tuple(ev, members, x->n, x->type, out);
}

static bool array_node(Eval *ev, ExprId e, const Expr *x, Value *out) {
  ExprId chosen;
  switch (x->op) {
  case OP_TIME:
  case OP_VAR:
  case OP_REF:
  case OP_LOCAL: return ev_lookup(ev, e, out);
  case OP_MUL: return array_multiply(ev, x, out);
  case OP_POW: return array_power(ev, x, out);
  case OP_NEG:
  case OP_ADD:
  case OP_SUB:
  case OP_DIV:
  case OP_ADD_EL:
  case OP_SUB_EL:
  case OP_MUL_EL:
  case OP_DIV_EL:
  case OP_POW_EL:
  case OP_LT:
  case OP_LE:
  case OP_GT:
  case OP_GE:
  case OP_EQ:
  case OP_NE:
  case OP_NOT:
  case OP_AND:
  case OP_OR:
  case OP_ABS:
  case OP_SIGN:
  case OP_SQRT:
  case OP_SIN:
  case OP_COS:
  case OP_TAN:
  case OP_ASIN:
  case OP_ACOS:
  case OP_ATAN:
  case OP_ATAN2:
  case OP_SINH:
  case OP_COSH:
  case OP_TANH:
  case OP_EXP:
  case OP_LOG:
  case OP_LOG10:
  case OP_MIN2:
  case OP_MAX2:
  case OP_DIVT:
  case OP_MOD:
  case OP_REM:
  case OP_CEIL:
  case OP_FLOOR:
  case OP_TO_INTEGER:
  case OP_ORDINAL: return array_elementwise(ev, x, out);
  case OP_IF:
    chosen = branch(ev, x);
    return chosen.i && ev_value_as(ev, chosen, ev_type(ev, x->type)->base, out);
  case OP_NOEVENT:
  case OP_SMOOTH:
  case OP_HOMOTOPY: return ev_value_as(ev, inner(x), ev_type(ev, x->type)->base, out);
  case OP_CAST: return array_cast(ev, x, out);
  case OP_ARRAY: return array_items(ev, x, out);
  case OP_INDEX: return index_value(ev, x, out);
  case OP_RANGE: return iterate_range(ev, e, out);
  case OP_RECORD: return array_record(ev, x, out);
  case OP_FIELD: return field_value(ev, x, out);
  case OP_TUPLE: return tuple(ev, x, out);
  case OP_CALL: return func_call_node(ev, x, out);
  case OP_COMPREHEND: return iterate_comprehend(ev, x, out);
  case OP_REDUCE: return iterate_reduce(ev, x, out);
  case OP_SIZE: return array_size(ev, x, out);
  case OP_SCALAR:
  case OP_VECTOR:
  case OP_MATRIX:
  case OP_PROMOTE: return array_reshape(ev, x, out);
  case OP_TRANSPOSE: return array_transpose(ev, x, out);
  case OP_OUTER: return array_outer(ev, x, out);
  case OP_SYMMETRIC: return array_symmetric(ev, x, out);
  case OP_CROSS: return array_cross(ev, x, out);
  case OP_SKEW: return array_skew(ev, x, out);
  case OP_IDENTITY:
  case OP_DIAGONAL: return array_diagonal(ev, x, out);
  case OP_FILL: return array_fill(ev, x, out);
  case OP_LINSPACE: return array_linspace(ev, x, out);
  case OP_CAT: return array_cat(ev, x, out);
  case OP_SUM:
  case OP_PRODUCT:
  case OP_MIN:
  case OP_MAX: return array_reduce(ev, x, out);
  case OP_REAL:
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_ENUM:
  case OP_STRING:
  case OP_FUNCTION:
  case OP_SEMILINEAR:
  case OP_TO_ENUM:
  case OP_STRING_OF:
  case OP_PART:
  case OP_NDIMS: return ev_fail(ev, "`%s` is defined for scalars only", ev_op_text(x->op));
  case OP_DER:
  case OP_PRE:
  case OP_EDGE:
  case OP_CHANGE:
  case OP_INITIAL:
  case OP_TERMINAL:
  case OP_SAMPLE:
  case OP_DELAY:
  case OP_SPATIAL:
  case OP_ROUNDING:
  case OP_IMPULSE:
  case OP_INSTREAM:
  case OP_ACTUALSTREAM:
  case OP_COUNT: ev->fail = EVAL_UNKNOWN; return false;
  }
  return false;
}

/* ---- public ---- */

static void settle_string(Eval *ev, Scalar *at) {
  at->string = arena_strdup(ev->arena, at->string);
}

/* A result moves to ev->arena. */
static void settle(Eval *ev, const Value *in, Value *out) {
  Scalar *at = NEW_ARRAY(ev->arena, Scalar, in->n ? in->n : 1);
  if (in->n)
    memcpy(at, in->at, sizeof(Scalar) * in->n);
  ev_each_string(ev, in->type, at, in->n, settle_string);
  *out = (Value){in->type, in->n, at};
}

typedef struct {
  const Func *f; /* NULL: evaluate e */
  const Value *args;
  ExprId e;
  Scalar *scalar; /* where a scalar goes; NULL: the result is a Value */
  TypeBase base;  /* its type */
  Stmt **body;    /* statements to execute; NULL: none */
  uint32_t n_body, n_locals;
} Task;

static uint32_t results_of(const Task *t) {
  return t->scalar || t->body ? 0 : t->f ? t->f->n_outputs : 1;
}

static bool perform(Eval *ev, const Task *t, Value *results) {
  if (t->body)
    return func_statements(ev, t->body, t->n_body, t->n_locals);
  if (t->scalar) {
    bool ok = ev_scalar_as(ev, t->e, t->base, t->scalar);
    if (ok && t->base == TY_STRING)
      settle_string(ev, t->scalar);
    return ok;
  }
  return t->f ? func_call(ev, t->f, t->args, t->f->n_inputs, results)
              : ev_value(ev, t->e, &results[0]);
}

/* One evaluation within a run: names of the enclosing one are out of sight, and come back
 * afterwards. */
static bool evaluate(Eval *ev, const Task *t, Value *out) {
  EvalRun *run = ev->run, saved = *run;
  uint32_t depth = ev->depth;
  Mark temps = ev_mark(&run->temps), vars = ev_mark(&run->vars);
  run->frame = NULL;
  run->iters = NULL;
  run->scalars = run->values = (Map){0};
  run->nesting += LOOKUP_NESTING;
  run->memo_below = ev->budget > MEMO_AFTER ? ev->budget - MEMO_AFTER : 0;
  ev->why = NULL;
  ev->overflowed = false;
  ev->where = (Span){0, 0};
  ev->fail = EVAL_OK;
  Value *results = ev_push(ev, &run->temps, sizeof(Value) * (results_of(t) + 1));
  bool ok = perform(ev, t, results);
  if (ok && !t->f && results_of(t) && ev_type(ev, results[0].type)->base == TY_FUNCTION)
    ok = ev_unknown(ev, "a function is not a value");
  for (uint32_t i = 0; ok && i < results_of(t); i++)
    settle(ev, &results[i], &out[i]);
  ev_release(&run->temps, temps);
  ev_release(&run->vars, vars);
  run->frame = saved.frame;
  run->iters = saved.iters;
  run->scalars = saved.scalars;
  run->values = saved.values;
  run->nesting = saved.nesting;
  run->memo_below = saved.memo_below;
  ev->depth = depth;
  return ok;
}

/* The first chunk of each stack is here, so that small evaluations allocate nothing but their
 * result. */
static bool evaluate_first(Eval *ev, const Task *t, Value *out) {
  alignas(16) char temps[FIRST_CHUNK], vars[FIRST_CHUNK];
  EvalRun run = {.stack = (uintptr_t)__builtin_frame_address(0)};
  ev_stack_init(&run.temps, temps, sizeof temps);
  ev_stack_init(&run.vars, vars, sizeof vars);
  bool by_default = !ev->budget;
  if (by_default)
    ev->budget = default_budget;
  run.total = ev->budget;
  ev->run = &run;
  ev->depth = 0;
  bool ok = evaluate(ev, t, out);
  ev_stack_end(&run.temps);
  ev_stack_end(&run.vars);
  arena_free(run.work);
  ev->run = NULL;
  if (by_default)
    ev->budget = 0;
  return ok;
}

static bool run_task(Eval *ev, const Task *t, Value *out) {
  return ev->run ? evaluate(ev, t, out) : evaluate_first(ev, t, out);
}

bool eval_expr(Eval *ev, ExprId e, Value *out) { return run_task(ev, &(Task){.e = e}, out); }

bool eval_scalar(Eval *ev, ExprId e, TypeBase base, Scalar *out) {
  return run_task(ev, &(Task){.e = e, .scalar = out, .base = base}, NULL);
}

bool eval_statements(Eval *ev, Stmt **body, uint32_t n, uint32_t n_locals) {
  return !n || run_task(ev, &(Task){.body = body, .n_body = n, .n_locals = n_locals}, NULL);
}

bool eval_call(Eval *ev, const Func *f, const Value *args, Value *results) {
  return run_task(ev, &(Task){.f = f, .args = args}, results);
}

/* ---- values as expressions ---- */

static ExprId scalar_literal(ExprPool *p, TypeId t, Scalar s) {
  switch (type_get(p, t)->base) {
  case TY_REAL: return expr_real(p, s.real);
  case TY_INTEGER: return expr_integer(p, s.integer);
  case TY_BOOLEAN: return expr_boolean(p, s.integer != 0);
  case TY_STRING: return expr_string(p, s.string);
  case TY_ENUM: return expr_enum(p, t, s.integer);
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: return NO_EXPR;
  }
  return NO_EXPR;
}

ExprId expr_of_value(ExprPool *p, const Value *v) {
  const Type *t = type_get(p, v->type);
  bool record = t->base == TY_RECORD || t->base == TY_TUPLE;
  if (!t->n_dims && !record)
    return scalar_literal(p, v->type, v->at[0]);
  uint32_t n = t->n_dims ? (uint32_t)t->dims[0] : t->decl->n;
  TypeId item = t->n_dims ? type_element(p, v->type, 1) : NO_TYPE;
  ExprId small[16], *items = n <= 16 ? small : NEW_ARRAY(pool_arena(p), ExprId, n);
  const Scalar *at = v->at;
  for (uint32_t i = 0; i < n; i++) {
    Value part_i = {.type = t->n_dims ? item : t->decl->types[i], .at = (Scalar *)(uintptr_t)at};
    part_i.n = (uint32_t)type_count(p, part_i.type);
    items[i] = expr_of_value(p, &part_i);
    if (!items[i].i)
      return NO_EXPR;
    at += part_i.n;
  }
  return expr_make(p,
                   t->n_dims              ? OP_ARRAY
                   : t->base == TY_RECORD ? OP_RECORD
                                          : OP_TUPLE,
                   v->type, n, items);
}
