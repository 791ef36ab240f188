/* expr/eval_func.c -- calls of functions: variables, statements, assignments (MLS 3.6 sections 11.2
 * and 12.4).
 * Inputs are views of the arguments (they cannot be assigned); all other variables own cells on the
 * stack `vars`. Variables are initialised in order, or earlier when another declaration asks for
 * them, so the order of declarations does not matter. A variable declared with `:` takes the size
 * of what is assigned to it as a whole (MLS 3.6 section 12.4.5). */
#include <string.h>

#include "expr/eval_impl.h"
#include "base/limits.h"

/* ---- cells of variables ---- */

/* Moves a string from temps to vars: what a variable holds must outlive the statement. */
static void keep_string(Eval *ev, Scalar *at) {
  if (!ev_on_stack(&ev->run->temps, at->string))
    return;
  size_t bytes = strlen(at->string) + 1;
  at->string = memcpy(ev_push(ev, &ev->run->vars, bytes), at->string, bytes);
}

/* What a variable holds before it is assigned: 0, false, "", the first literal. */
static void set_default(Eval *ev, TypeId t, Scalar *at, uint32_t n) {
  const Type *y = ev_type(ev, t);
  if (n)
    memset(at, 0, sizeof *at * n);
  for (uint32_t i = 0; i < n && y->base == TY_STRING; i++)
    at[i].string = "";
  for (uint32_t i = 0; i < n && y->base == TY_ENUM; i++)
    at[i].integer = 1;
  for (uint32_t k = 0, i = 0; k < n && y->base == TY_RECORD; i = (i + 1) % y->decl->n) {
    uint32_t m = (uint32_t)type_count(ev->pool, y->decl->types[i]);
    set_default(ev, y->decl->types[i], at + k, m);
    k += m;
  }
}

/* Gives a variable its type and room for it; the cells are not set. */
static bool reserve(Eval *ev, uint32_t i, TypeId type) {
  EvalFrame *frame = ev->run->frame;
  int64_t n = type_count(ev->pool, type);
  if (n < 0 || n >= UINT32_MAX)
    return ev_limit(ev, "variable `%s` is too large", frame->f->vars[i].name);
  if (!ev_charge(ev, (uint64_t)n))
    return false;
  Value *v = &frame->locals[i];
  if (!v->at || frame->room[i] == ROOM_BUSY || frame->room[i] < n) {
    /* twice the room when a variable grows, so that growing step by step stays cheap */
    uint64_t room = (uint64_t)n + (v->at ? (uint64_t)n : 0);
    v->at = ev_push(ev, &ev->run->vars, sizeof(Scalar) * (room ? room : 1));
    frame->room[i] = room < ROOM_BUSY ? (uint32_t)room : ROOM_BUSY - 1;
  }
  v->type = type;
  v->n = (uint32_t)n;
  return true;
}

static bool misfit(Eval *ev, TypeId to, TypeId from) {
  return ev_fail(ev, "an array of size %s cannot be assigned to one of size %s",
                 ev_dims_text(ev, from), ev_dims_text(ev, to));
}

/* Whether an assignment of the whole may change the size. */
static bool is_flexible(Eval *ev, const FuncVar *var) {
  const Type *t = ev_type(ev, var->type);
  for (uint32_t d = 0; d < t->n_dims; d++)
    if (t->dims[d] < 0 && (!var->dims || !var->dims[d].i))
      return true;
  return t->base == TY_RECORD && !ev_sized(ev, ev_cell_type(ev, var->type));
}

static void copy_value(Eval *ev, const Value *from, Value *to) {
  Scalar *source = from->at;
  /* a part of itself */
  if (source != to->at && source < to->at + to->n && to->at < source + from->n) {
    source = ev_push(ev, &ev->run->temps, sizeof *source * from->n);
    memcpy(source, from->at, sizeof *source * from->n);
  }
  if (source != to->at)
    ev_cast(ev, from->type, to->type, source, to->at, to->n);
  ev_each_string(ev, to->type, to->at, to->n, keep_string);
}

/* variable := value */
static bool assign_local(Eval *ev, uint32_t i, const Value *v) {
  EvalFrame *frame = ev->run->frame;
  const FuncVar *var = &frame->f->vars[i];
  Value *to = &frame->locals[i];
  const Type *a = ev_type(ev, to->type), *b = ev_type(ev, v->type);
  bool fits = v->n == to->n && ev_same_dims(a, b) &&
              (a->base != TY_RECORD || !is_flexible(ev, var));
  if (!fits) {
    if (!is_flexible(ev, var) || a->n_dims != b->n_dims)
      return misfit(ev, to->type, v->type);
    TypeId type = a->base == TY_RECORD ? v->type : ev_shape(ev, to->type, b->n_dims, b->dims);
    if (v->at >= to->at && v->at < to->at + to->n)
      to->at = NULL; /* a part of itself: fresh cells */
    if (!reserve(ev, i, type))
      return false;
  }
  copy_value(ev, v, to);
  return true;
}

/* ---- initial values ---- */

/* A type for a variable before its first assignment: dimensions nobody gives are 0. */
static TypeId closed_type(Eval *ev, TypeId t) {
  const Type *y = ev_type(ev, t);
  if (y->base == TY_RECORD && !ev_sized(ev, ev_cell_type(ev, t))) {
    TypeId *fields = ev_push(ev, &ev->run->temps, sizeof *fields * y->decl->n);
    for (uint32_t i = 0; i < y->decl->n; i++)
      fields[i] = closed_type(ev, y->decl->types[i]);
    t = ev_sized_record(ev, t, fields);
    y = ev_type(ev, t);
  }
  int32_t dims[MOST_DIMS];
  for (uint32_t d = 0; d < y->n_dims && d < MOST_DIMS; d++)
    dims[d] = y->dims[d] < 0 ? 0 : y->dims[d];
  return ev_shape(ev, t, y->n_dims < MOST_DIMS ? y->n_dims : MOST_DIMS, dims);
}

/* The declared dimensions of variable i, those left open taken from `v` (NULL: 0). */
static bool declared_dims(Eval *ev, const FuncVar *var, const Type *v, int32_t *dims) {
  const Type *t = ev_type(ev, var->type);
  if (t->n_dims > MOST_DIMS || (v && v->n_dims != t->n_dims))
    return ev_fail(ev, "`%s` needs a value of %u dimensions", var->name, t->n_dims);
  for (uint32_t d = 0; d < t->n_dims; d++) {
    int64_t size = t->dims[d];
    bool open = size < 0 && (!var->dims || !var->dims[d].i);
    if (open)
      size = v ? v->dims[d] : 0;
    else if (size < 0 && !ev_integer(ev, var->dims[d], &size))
      return false;
    if (size < 0 || size > INT32_MAX)
      return ev_fail(ev, "an array cannot have size %lld", (long long)size);
    dims[d] = (int32_t)size;
  }
  return true;
}

static bool check_dims(Eval *ev, const FuncVar *var, TypeId type) {
  const Type *t = ev_type(ev, type);
  int32_t dims[MOST_DIMS];
  if (!ev_type(ev, var->type)->n_dims && !t->n_dims)
    return true;
  if (!declared_dims(ev, var, t, dims))
    return false;
  if (memcmp(dims, t->dims, sizeof *dims * t->n_dims))
    return ev_fail(ev, "`%s` needs size %s, not %s", var->name,
                   ev_dims_text(ev, ev_shape(ev, var->type, t->n_dims, dims)),
                   ev_dims_text(ev, type));
  return true;
}

/* An output or protected variable, or an input that takes its default. */
static bool init_from_declaration(Eval *ev, uint32_t i) {
  const FuncVar *var = &ev->run->frame->f->vars[i];
  const Type *t = ev_type(ev, var->type);
  Value start = {0};
  int32_t dims[MOST_DIMS];
  if (var->binding.i) {
    if (!ev_value_as(ev, var->binding, t->base, &start) || !check_dims(ev, var, start.type))
      return false;
    TypeId type = start.type;
    if (t->base != TY_RECORD && t->base != TY_FUNCTION)
      type = ev_shape(ev, var->type, t->n_dims, ev_type(ev, start.type)->dims);
    if (!reserve(ev, i, type))
      return false;
    copy_value(ev, &start, &ev->run->frame->locals[i]);
    return true;
  }
  if (i < ev->run->frame->f->n_inputs)
    return ev_fail(ev, "input `%s` has no value", var->name);
  if (!declared_dims(ev, var, NULL, dims))
    return false;
  TypeId type = closed_type(ev, ev_shape(ev, var->type, t->n_dims, dims));
  if (!reserve(ev, i, type))
    return false;
  Value *v = &ev->run->frame->locals[i];
  set_default(ev, type, v->at, v->n);
  return true;
}

bool func_init_local(Eval *ev, uint32_t i) {
  EvalFrame *frame = ev->run->frame;
  if (frame->room[i] == ROOM_BUSY)
    return ev_fail(ev, "the declaration of `%s` depends on itself", frame->f->vars[i].name);
  Mark mark = ev_mark(&ev->run->temps);
  frame->room[i] = ROOM_BUSY;
  bool ok = init_from_declaration(ev, i);
  if (!ok) {
    frame->locals[i].type = NO_TYPE;
    if (!ev->where.hi)
      ev->where = frame->f->vars[i].span;
  }
  if (ok && ev_type(ev, frame->locals[i].type)->base != TY_FUNCTION)
    ev_release(&ev->run->temps, mark);
  return ok;
}

static bool bind_inputs(Eval *ev, const Func *f, const Value *args, uint32_t n_args) {
  EvalFrame *frame = ev->run->frame;
  for (uint32_t i = 0; i < f->n_inputs && i < n_args; i++) {
    frame->locals[i] = args[i];
    const Type *want = ev_type(ev, f->vars[i].type);
    if (!args[i].type.i || want->base != TY_REAL || ev_type(ev, args[i].type)->base != TY_INTEGER)
      continue;
    const Type *have = ev_type(ev, args[i].type);
    frame->locals[i].at = NULL;
    if (!reserve(ev, i, ev_shape(ev, f->vars[i].type, have->n_dims, have->dims)))
      return false;
    copy_value(ev, &args[i], &frame->locals[i]);
  }
  for (uint32_t i = 0; i < f->n_inputs; i++) {
    bool given = frame->locals[i].type.i != 0;
    if (!given && !func_init_local(ev, i))
      return false;
    if (given && !check_dims(ev, &f->vars[i], frame->locals[i].type))
      return false;
  }
  return true;
}

/* ---- assignment ---- */

/* The variable and the cells of it that a target names. */
static bool find_target(Eval *ev, ExprId e, uint32_t *local, Selection *s) {
  const Expr *x = expr_get(ev->pool, e);
  if (x->op == OP_LOCAL) {
    EvalFrame *frame = ev->run->frame;
    if (x->index >= frame->f->n_vars || x->index < frame->f->n_inputs)
      return ev_fail(ev, "only outputs and protected variables can be assigned");
    const Value *v = &frame->locals[x->index];
    *local = x->index;
    *s = (Selection){.type = v->type, .n = v->n};
    return true;
  }
  if (x->op != OP_INDEX && x->op != OP_FIELD) {
    ev_unknown(ev, "a variable outside of the function cannot be assigned");
    return false;
  }
  Selection whole, here;
  return find_target(ev, x->args[0], local, &whole) && select_part(ev, x, whole.type, &here) &&
         select_inner(ev, &whole, &here, s);
}

/* record.field := value of another size, where the field is declared with `:` */
static bool resize_field(Eval *ev, const Expr *target, uint32_t local, const Value *v) {
  const Value *old = &ev->run->frame->locals[local];
  const Type *t = ev_type(ev, old->type), *open = ev_type(ev, ev->run->frame->f->vars[local].type);
  bool whole = target->op == OP_FIELD && expr_get(ev->pool, target->args[0])->op == OP_LOCAL &&
               !t->n_dims;
  if (!whole || ev_sized(ev, open->decl->types[target->index]))
    return misfit(ev, ev_type(ev, target->type)->n_dims ? target->type : old->type, v->type);
  Value *fields = ev_push(ev, &ev->run->temps, sizeof *fields * t->decl->n), record;
  TypeId *types = ev_push(ev, &ev->run->temps, sizeof *types * t->decl->n);
  Scalar *at = old->at;
  for (uint32_t k = 0; k < t->decl->n; k++) {
    uint32_t n = (uint32_t)type_count(ev->pool, t->decl->types[k]);
    fields[k] = k == target->index ? *v : (Value){t->decl->types[k], n, at};
    types[k] = fields[k].type;
    at += n;
  }
  TypeId type = ev_sized_record(ev, ev->run->frame->f->vars[local].type, types);
  return array_join(ev, fields, t->decl->n, type, &record) && assign_local(ev, local, &record);
}

/* A variable of the model, whose algorithm section is executed. */
static bool store(Eval *ev, const Expr *x, const Scalar *value, TypeBase from) {
  Scalar v = *value;
  if (ev_type(ev, x->type)->base == TY_REAL && from == TY_INTEGER)
    v.real = (double)value->integer;
  return ev->machine->store(ev->user, ev, x, v);
}

static bool assign(Eval *ev, ExprId target, const Value *v) {
  const Expr *x = expr_get(ev->pool, target);
  uint32_t i;
  if (x->op == OP_VAR && ev->machine && v->n == 1)
    return store(ev, x, v->at, ev_type(ev, v->type)->base);
  Selection s;
  if (!find_target(ev, target, &i, &s))
    return false;
  if (x->op == OP_LOCAL)
    return assign_local(ev, i, v);
  if (v->n != s.n || !ev_same_dims(ev_type(ev, s.type), ev_type(ev, v->type)))
    return x->op == OP_FIELD ? resize_field(ev, x, i, v) : misfit(ev, s.type, v->type);
  Scalar *base = ev->run->frame->locals[i].at;
  if (!s.cells) {
    Value to = {s.type, s.n, base + s.start};
    copy_value(ev, v, &to);
    return true;
  }
  /* through a copy: the value may be a view of the same variable */
  Scalar *copy = ev_cells(ev, s.n);
  if (!copy)
    return false;
  ev_cast(ev, v->type, s.type, v->at, copy, s.n);
  ev_each_string(ev, s.type, copy, s.n, keep_string);
  for (uint32_t k = 0; k < s.n; k++)
    base[s.cells[k]] = copy[k];
  return true;
}

static bool assign_expr(Eval *ev, ExprId target, ExprId value) {
  const Expr *x = expr_get(ev->pool, target);
  const Type *t = ev_type(ev, x->type);
  if (!ev_is_scalar(t)) {
    Value v;
    return ev_value_as(ev, value, t->base, &v) && assign(ev, target, &v);
  }
  Scalar s;
  if (!ev_scalar_as(ev, value, t->base, &s))
    return false;
  if (x->op == OP_VAR && ev->machine)
    return store(ev, x, &s, t->base);
  const EvalFrame *frame = ev->run->frame;
  if (x->op == OP_LOCAL && t->base != TY_STRING && x->index >= frame->f->n_inputs &&
      x->index < frame->f->n_vars) {
    frame->locals[x->index].at[0] = s;
    return true;
  }
  return assign(ev, target, &(Value){x->type, 1, &s});
}

/* ---- calls ---- */

/* Arguments of a call, placed at the function's inputs; `bound` are those that a function value
 * brings along. */
static bool place_args(Eval *ev, const Func *f, const Value *bound, const ExprId *args, uint32_t n,
                       Value *placed) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < f->n_inputs; i++) {
    placed[i] = bound ? bound[i] : (Value){0};
    if (placed[i].type.i || k >= n)
      continue;
    ExprId e = args[k++];
    if (e.i && !ev_value(ev, e, &placed[i]))
      return false;
  }
  return k == n || ev_fail(ev, "function `%s` is called with too many arguments", f->name);
}

/* The function of a CALL or FUNCTION node with all inputs that are known. */
static bool resolve(Eval *ev, const Expr *x, FuncValue *out) {
  FuncValue base = {.f = x->ref};
  uint32_t skip = 0;
  if (!base.f) {
    Scalar s;
    if (!x->n || !ev_scalar(ev, x->args[0], &s))
      return false;
    if (!s.object)
      return ev_unknown(ev, "a function value is missing");
    base = *(const FuncValue *)s.object;
    skip = 1;
  }
  Value *placed = ev_push(ev, &ev->run->temps, sizeof *placed * (base.f->n_inputs + 1));
  *out = (FuncValue){base.f, placed};
  return place_args(ev, base.f, base.bound, x->args + skip, x->n - skip, placed);
}

bool func_value(Eval *ev, const Expr *x, Scalar *out) {
  FuncValue *v = ev_push(ev, &ev->run->temps, sizeof *v);
  out->object = v;
  return resolve(ev, x, v);
}

static bool call_results(Eval *ev, const Expr *x, uint32_t *n, Value **results) {
  FuncValue v;
  if (!resolve(ev, x, &v))
    return false;
  *n = v.f->n_outputs;
  *results = ev_push(ev, &ev->run->temps, sizeof(Value) * (*n + 1));
  return func_call(ev, v.f, v.bound, v.f->n_inputs, *results);
}

bool func_call_node(Eval *ev, const Expr *x, Value *out) {
  uint32_t n;
  Value *results;
  if (!call_results(ev, x, &n, &results))
    return false;
  if (n > 1 && ev_type(ev, x->type)->base == TY_TUPLE)
    return array_tuple(ev, results, n, x->type, out);
  *out = n ? results[0] : (Value){0};
  return true;
}

/* ---- statements ---- */

typedef enum { FLOW_NEXT, FLOW_BREAK, FLOW_RETURN, FLOW_FAIL } Flow;

static Flow exec(Eval *ev, const Stmt *s);

static Flow flow_of(bool ok) { return ok ? FLOW_NEXT : FLOW_FAIL; }

static Flow exec_block(Eval *ev, const StmtBranch *b) {
  Flow flow = FLOW_NEXT;
  for (uint32_t i = 0; i < b->n && flow == FLOW_NEXT; i++)
    flow = exec(ev, b->body[i]);
  return flow;
}

static bool assign_tuple(Eval *ev, const Stmt *s) {
  const Expr *x = expr_get(ev->pool, s->value);
  uint32_t n = x->n;
  Value *results;
  if (x->op == OP_CALL) {
    if (!call_results(ev, x, &n, &results))
      return false;
  } else {
    results = ev_push(ev, &ev->run->temps, sizeof *results * (n + 1));
    for (uint32_t i = 0; i < n; i++)
      if (x->op != OP_TUPLE || !ev_value(ev, x->args[i], &results[i]))
        return false;
  }
  if (s->n_targets > n)
    return ev_fail(ev, "%u results where %u are expected", n, s->n_targets);
  for (uint32_t i = 0; i < s->n_targets; i++)
    if (s->targets[i].i && !assign(ev, s->targets[i], &results[i]))
      return false;
  return true;
}

static bool exec_assert(Eval *ev, const Stmt *s) {
  Scalar holds, text;
  int64_t level = 2;
  if (!ev_scalar(ev, s->value, &holds))
    return false;
  if (holds.integer)
    return true;
  if (s->level.i && !ev_integer(ev, s->level, &level))
    return false;
  if (level < 2 && !ev->machine)
    return true;
  text.string = "an assertion failed";
  if (s->message.i && !ev_scalar(ev, s->message, &text))
    return false;
  return ev->machine ? ev->machine->violated(ev->user, ev, s->span, text.string, level)
                     : ev_fail(ev, "%s", text.string);
}

static bool exec_terminate(Eval *ev, const Stmt *s) {
  Scalar text;
  if (!ev_scalar(ev, s->message, &text))
    return false;
  if (!ev->machine)
    return ev_fail(ev, "%s", text.string);
  ev->machine->terminate(ev->user, ev, s->span, text.string);
  return true;
}

static Flow exec_if(Eval *ev, const Stmt *s) {
  for (uint32_t i = 0; i < s->n_branches; i++) {
    const StmtBranch *b = &s->branches[i];
    Scalar holds = {.integer = 1};
    if (b->condition.i && !ev_scalar(ev, b->condition, &holds))
      return FLOW_FAIL;
    if (holds.integer)
      return exec_block(ev, b);
  }
  return FLOW_NEXT;
}

static Flow exec_for(Eval *ev, const Stmt *s) {
  EvalFrame *frame = ev->run->frame;
  Sequence q;
  if (s->iterator >= frame->n || !sequence_of(ev, s->value, &q))
    return s->iterator >= frame->n ? flow_of(ev_fail(ev, "the loop variable has no place"))
                                   : FLOW_FAIL;
  if (q.items) { /* the loop may change what it runs over */
    Scalar *copy = ev_cells(ev, (uint64_t)q.n * q.width);
    if (!copy)
      return FLOW_FAIL;
    memcpy(copy, q.items, sizeof *copy * q.n * q.width);
    q.items = copy;
  }
  Value *v = &frame->locals[s->iterator], saved = *v;
  Scalar *cell = ev_cells(ev, 1);
  Flow flow = flow_of(cell != NULL);
  for (uint32_t i = 0; i < q.n && flow == FLOW_NEXT; i++) {
    *v = (Value){q.type, q.width,
                 q.items ? (Scalar *)(uintptr_t)(q.items + (size_t)i * q.width) : cell};
    if (!q.items)
      *cell = sequence_at(&q, i);
    flow = ev_charge(ev, 1) ? exec_block(ev, &s->branches[0]) : FLOW_FAIL;
  }
  *v = saved;
  return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

static Flow exec_while(Eval *ev, const Stmt *s) {
  Mark mark = ev_mark(&ev->run->temps);
  for (;;) {
    Scalar holds;
    if (!ev_charge(ev, 1) || !ev_scalar(ev, s->branches[0].condition, &holds))
      return FLOW_FAIL;
    ev_release(&ev->run->temps, mark);
    if (!holds.integer)
      return FLOW_NEXT;
    Flow flow = exec_block(ev, &s->branches[0]);
    if (flow != FLOW_NEXT)
      return flow == FLOW_BREAK ? FLOW_NEXT : flow;
  }
}

static Flow exec_kind(Eval *ev, const Stmt *s) {
  Value v;
  switch (s->kind) {
  case STMT_ASSIGN: return flow_of(assign_expr(ev, s->targets[0], s->value));
  case STMT_TUPLE: return flow_of(assign_tuple(ev, s));
  case STMT_CALL: return flow_of(ev_value(ev, s->value, &v));
  case STMT_ASSERT: return flow_of(exec_assert(ev, s));
  case STMT_TERMINATE: return flow_of(exec_terminate(ev, s));
  case STMT_IF: return exec_if(ev, s);
  case STMT_FOR: return exec_for(ev, s);
  case STMT_WHILE: return exec_while(ev, s);
  case STMT_BREAK: return FLOW_BREAK;
  case STMT_RETURN: return FLOW_RETURN;
  case STMT_WHEN:
  case STMT_REINIT: return flow_of(ev_unknown(ev, "when-statements have no meaning in a function"));
  }
  return FLOW_FAIL;
}

static Flow exec(Eval *ev, const Stmt *s) {
  Mark mark = ev_mark(&ev->run->temps);
  Span outer = ev->run->at;
  ev->run->at = s->span;
  Flow flow = ev_charge(ev, 1) ? exec_kind(ev, s) : FLOW_FAIL;
  ev->run->at = outer;
  if (flow == FLOW_FAIL && !ev->where.hi)
    ev->where = s->span;
  ev_release(&ev->run->temps, mark);
  return flow;
}

/* ---- one call ---- */

static bool may_call(Eval *ev, const Func *f) {
  if (f->impure && !ev->machine)
    return ev_unknown(ev, "function `%s` is impure", f->name);
  if (!f->complete && !f->external && !f->is_record_constructor)
    return ev_unknown(ev, "function `%s` is not complete", f->name);
  if (ev->depth >= MOST_CALLS)
    return ev_limit(ev, "function calls are nested more than %d deep", MOST_CALLS);
  return true;
}

/* A record constructor: each field is the variable of its name. */
static bool construct(Eval *ev, const Func *f) {
  if (f->n_outputs != 1)
    return true;
  uint32_t out = f->n_inputs;
  const TypeDecl *decl = ev_type(ev, f->vars[out].type)->decl;
  Value *fields = ev_push(ev, &ev->run->temps, sizeof *fields * (decl->n + 1));
  TypeId *types = ev_push(ev, &ev->run->temps, sizeof *types * (decl->n + 1));
  for (uint32_t k = 0; k < decl->n; k++) {
    uint32_t i = 0;
    while (i < f->n_vars && (i == out || strcmp(f->vars[i].name, decl->names[k])))
      i++;
    const Value *v = i < f->n_vars ? ev_local(ev, i) : NULL;
    if (!v)
      return ev->fail
                 ? false
                 : ev_fail(ev, "record `%s` has no value for `%s`", decl->name, decl->names[k]);
    fields[k] = *v;
    types[k] = v->type;
  }
  TypeId type = f->vars[out].type;
  if (!ev_sized(ev, type))
    type = ev_sized_record(ev, type, types);
  Value whole;
  if (!array_join(ev, fields, decl->n, type, &whole) || !reserve(ev, out, type))
    return false;
  copy_value(ev, &whole, &ev->run->frame->locals[out]);
  return true;
}

static bool run_body(Eval *ev, const Func *f, const Value *args, uint32_t n_args) {
  if (!bind_inputs(ev, f, args, n_args))
    return false;
  if (f->is_record_constructor && !f->n_body)
    return construct(ev, f);
  for (uint32_t i = f->n_inputs; i < f->n_vars; i++)
    if (!ev->run->frame->locals[i].type.i && !func_init_local(ev, i))
      return false;
  if (f->external) {
    Value *locals = ev->run->frame->locals;
    bool ok = native_call(ev, f, locals);
    for (uint32_t i = f->n_inputs; ok && i < f->n_vars; i++)
      ev_each_string(ev, locals[i].type, locals[i].at, locals[i].n, keep_string);
    return ok;
  }
  Flow flow = exec_block(ev, &(StmtBranch){.body = f->body, .n = f->n_body});
  return flow != FLOW_FAIL;
}

/* A string on vars moves to temps. */
static void hand_over_string(Eval *ev, Scalar *at) {
  if (!ev_on_stack(&ev->run->vars, at->string))
    return;
  size_t bytes = strlen(at->string) + 1;
  at->string = memcpy(ev_push(ev, &ev->run->temps, bytes), at->string, bytes);
}

/* Copies the outputs to temps, where the caller expects them; vars is cut back afterwards. */
static bool hand_over(Eval *ev, const Func *f, Value *results) {
  for (uint32_t i = 0; i < f->n_outputs; i++) {
    const Value *v = &ev->run->frame->locals[f->n_inputs + i];
    results[i] = (Value){v->type, v->n, ev_cells(ev, v->n)};
    if (!results[i].at)
      return false;
    if (v->n)
      memcpy(results[i].at, v->at, sizeof(Scalar) * v->n);
    ev_each_string(ev, v->type, results[i].at, v->n, hand_over_string);
  }
  return true;
}

bool func_call(Eval *ev, const Func *f, const Value *args, uint32_t n_args, Value *results) {
  EvalRun *run = ev->run;
  if (!may_call(ev, f) || !ev_charge(ev, 1 + f->n_locals))
    return false;
  Mark vars = ev_mark(&run->vars), temps = ev_mark(&run->temps);
  EvalFrame frame = {.f = f, .n = f->n_locals > f->n_vars ? f->n_locals : f->n_vars},
            *outer = run->frame;
  EvalIter *iters = run->iters;
  frame.locals = ev_push(ev, &run->vars, sizeof(Value) * (frame.n + 1));
  frame.room = ev_push(ev, &run->vars, sizeof(uint32_t) * (frame.n + 1));
  memset(frame.locals, 0, sizeof(Value) * (frame.n + 1));
  memset(frame.room, 0, sizeof(uint32_t) * (frame.n + 1));
  run->frame = &frame;
  run->iters = NULL;
  ev->depth++;
  bool ok = run_body(ev, f, args, n_args);
  ev_release(&run->temps, temps);
  ok = ok && hand_over(ev, f, results);
  ev->depth--;
  run->frame = outer;
  run->iters = iters;
  ev_release(&run->vars, vars);
  return ok;
}

/* An algorithm section has no variables of its own but iterators. */
bool func_statements(Eval *ev, Stmt **body, uint32_t n, uint32_t n_locals) {
  static const Func section = {.name = "algorithm", .complete = true};
  EvalRun *run = ev->run;
  EvalFrame frame = {.f = &section, .n = n_locals}, *outer = run->frame;
  frame.locals = ev_push(ev, &run->vars, sizeof(Value) * (n_locals + 1));
  frame.room = ev_push(ev, &run->vars, sizeof(uint32_t) * (n_locals + 1));
  memset(frame.locals, 0, sizeof(Value) * (n_locals + 1));
  memset(frame.room, 0, sizeof(uint32_t) * (n_locals + 1));
  run->frame = &frame;
  Flow flow = exec_block(ev, &(StmtBranch){.body = body, .n = n});
  run->frame = outer;
  return flow != FLOW_FAIL;
}
