/* emit/emit_func.c -- Modelica functions and statements as C.
 * Function number n becomes `static int f<n>(d, inputs, &outputs)` with a status; its variables are v0, v1, ...; arrays come
 * as a pointer and their sizes v<k>_d0, ... Results that are arrays stay in the host's cells until the equation that called
 * is done.
 * Keep: between two statements nothing is kept, because variables change. */
#include "emit/emit_impl.h"

#include <string.h>

uint32_t c_func_number(Emit *em, const Func *f) {
  uint64_t n;
  if (map_get(&em->func_of, (uint64_t)(uintptr_t)f, &n))
    return (uint32_t)n;
  vec_push(em->a, &em->funcs, f);
  map_put(em->a, &em->func_of, (uint64_t)(uintptr_t)f, em->funcs.n - 1);
  return em->funcs.n - 1;
}

/* ---- calls ---- */

/* The functions of the C library that an external function may name. */
static bool is_known_external(const Func *f) {
  static const char *const known[] = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
                                      "exp", "log", "log10", "sqrt", "pow", "fabs", "floor", "ceil"};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(f->external, known[k]))
      return true;
  return false;
}

/* A leaf of a result: the variable, and its address as an argument. */
static void declare_result(Emit *em, const char *name, TypeId type, void *user) {
  Text *args = user;
  const Type *t = type_get(em->p, type);
  const char *space = t->base == TY_STRING ? "" : " ";
  c_line(em, "%s%s%s%s = 0;", c_type(t->base), space, t->n_dims ? "*" : "", name);
  text_printf(args, ", &%s", name);
  for (uint32_t d = 0; d < t->n_dims; d++) {
    c_line(em, "long long %s_d%u = 0;", name, d);
    text_printf(args, ", &%s_d%u", name, d);
  }
}

static void pass_leaf(Emit *em, const char *name, TypeId type, void *user) {
  Text *args = user;
  text_printf(args, ", %s", name);
  for (uint32_t d = 0; d < type_get(em->p, type)->n_dims; d++)
    text_printf(args, ", %s_d%u", name, d);
}

static void pass_argument(Emit *em, ExprId e, Text *args) {
  const Type *t = type_get(em->p, expr_get(em->p, e)->type);
  const char *name;
  ArrayVal v;
  if (t->base == TY_RECORD && !t->n_dims) {
    if (emit_record(em, e, &name))
      c_leaves(em, name, expr_get(em->p, e)->type, pass_leaf, args);
  } else if (!c_leaves(em, "", expr_get(em->p, e)->type, NULL, NULL)) {
    return;
  } else if (!t->n_dims) {
    text_printf(args, ", %s", emit_value(em, e));
  } else if (emit_array(em, e, &v)) {
    text_printf(args, ", %s", v.at);
    for (uint32_t d = 0; d < v.n_dims; d++)
      text_printf(args, ", %s", v.dims[d]);
  }
}

const char *emit_call(Emit *em, ExprId call) {
  const char *kept = c_recall(em, call);
  if (kept)
    return kept;
  const Expr *x = expr_get(em->p, call);
  const Func *f = x->ref;
  Text args = {.arena = em->a};
  for (uint32_t k = 0; k < x->n; k++) {
    if (x->args[k].i)
      pass_argument(em, x->args[k], &args);
    else
      c_refuse(em, "a call without one of its arguments");
  }
  const char *prefix = arena_printf(em->a, "c%u", em->n_temps++);
  for (uint32_t k = 0; k < f->n_outputs; k++)
    c_leaves(em, arena_printf(em->a, "%s_%u", prefix, k), f->vars[f->n_inputs + k].type, declare_result, &args);
  em->uses_mask |= USES_STATUS | USES_CELLS;
  c_line(em, "if ((status = f%u(d%s)) != DS_OK)", c_func_number(em, f), text_str(&args));
  c_line(em, "  goto done;");
  c_remember(em, call, prefix);
  return prefix;
}

/* Searches the scalar with a given number among the leaves of the results. */
typedef struct {
  int64_t rest;
  const char *found; /* C operand */
  bool unknown;
} PartSearch;

static void search_leaf(Emit *em, const char *name, TypeId type, void *user) {
  PartSearch *ps = user;
  int64_t n = type_count(em->p, type);
  const Type *t = type_get(em->p, type);
  if (ps->found || ps->unknown)
    return;
  if (n < 0)
    ps->unknown = true;
  else if (ps->rest >= n)
    ps->rest -= n;
  else if (!t->n_dims)
    ps->found = name;
  else {
    ArrayVal v = c_named_array(em, name, t);
    c_line(em, "if (%s != %lldLL) {", c_array_count(em, &v), (long long)n);
    c_line(em, "  status = d->host->fail(d, &places[%u], \"a function returned an array of another size\");", c_place(em, em->span));
    c_line(em, "  goto done;");
    c_line(em, "}");
    ps->found = arena_printf(em->a, "%s[%lld]", name, (long long)ps->rest);
  }
}

const char *emit_part(Emit *em, const Expr *part) {
  const Expr *call = expr_get(em->p, part->args[0]);
  if (call->op != OP_CALL) {
    c_refuse(em, "this part of a value");
    return "0";
  }
  const Func *f = call->ref;
  const char *prefix = emit_call(em, part->args[0]);
  const Type *t = type_get(em->p, call->type);
  PartSearch ps = {.rest = part->index};
  /* the sizes are those of the call's type: the function may leave them open */
  for (uint32_t k = 0; k < f->n_outputs; k++)
    c_leaves(em, arena_printf(em->a, "%s_%u", prefix, k), t->base == TY_TUPLE ? t->decl->types[k] : call->type, search_leaf, &ps);
  if (!ps.found)
    c_refuse(em, "a result of unknown size");
  return ps.found ? ps.found : "0";
}

/* ---- statements ---- */

void c_count_statements(Emit *em, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = body[k];
    for (uint32_t t = 0; t < st->n_targets; t++)
      c_count(em, st->targets[t]);
    c_count(em, st->value), c_count(em, st->message), c_count(em, st->level);
    for (uint32_t b = 0; b < st->n_branches; b++) {
      c_count(em, st->branches[b].condition);
      c_count_statements(em, st->branches[b].body, st->branches[b].n);
    }
  }
}

static void check_sizes(Emit *em, const ArrayVal *to, const ArrayVal *from) {
  for (uint32_t d = 0; d < to->n_dims; d++) {
    em->uses_mask |= USES_STATUS;
    c_line(em, "if (%s != %s) {", to->dims[d], from->dims[d]);
    c_line(em, "  status = d->host->fail(d, &places[%u], \"an array of another size is assigned\");", c_place(em, em->span));
    c_line(em, "  goto done;");
    c_line(em, "}");
  }
}

static void store_array(Emit *em, const ArrayVal *to, const ArrayVal *from) {
  check_sizes(em, to, from);
  c_array_copy(em, to->at, from->at, c_array_count(em, to), to->base);
}

/* A variable, or a field of one, that is an array. */
static bool variable_array(Emit *em, const Expr *x, ArrayVal *out) {
  if (x->op == OP_LOCAL)
    return c_local_array(em, x->index, out);
  const char *name = x->op == OP_FIELD ? c_field(em, x) : NULL;
  if (name)
    *out = c_named_array(em, name, type_get(em->p, x->type));
  return name != NULL;
}

/* Copies one leaf of a record. */
typedef struct {
  const char *from;
  size_t skip;
} CopyRecord;

static void copy_leaf(Emit *em, const char *name, TypeId type, void *user) {
  const CopyRecord *cr = user;
  const Type *t = type_get(em->p, type);
  const char *from = arena_printf(em->a, "%s%s", cr->from, name + cr->skip);
  if (!t->n_dims) {
    c_line(em, "%s = %s;", name, from);
    return;
  }
  ArrayVal a = c_named_array(em, name, t), b = c_named_array(em, from, t);
  store_array(em, &a, &b);
}

static void store_record(Emit *em, ExprId target, const char *from) {
  const Expr *x = expr_get(em->p, target);
  const char *name;
  if (x->op != OP_LOCAL && x->op != OP_FIELD)
    c_refuse(em, "an assignment to this part of an array or record");
  else if (emit_record(em, target, &name))
    c_leaves(em, name, x->type, copy_leaf, &(CopyRecord){from, strlen(name)});
}

/* to[subscripts] := from, some subscripts being vectors */
static void store_selection(Emit *em, const ArrayVal *to, const Expr *x, const ArrayVal *from) {
  Selection s;
  if (!c_select(em, to, x->args + 1, x->n - 1, &s) || s.shape.n_dims != from->n_dims) {
    c_refuse(em, "an assignment to this part of an array or record");
    return;
  }
  check_sizes(em, &s.shape, from);
  c_select_copy(em, &s, from->at, true);
}

/* target := the scalar `value`, or the array `from` if value is NULL */
static void store(Emit *em, ExprId target, const char *value, const ArrayVal *from) {
  const Expr *x = expr_get(em->p, target);
  ArrayVal to;
  if (x->op == OP_FIELD) {
    const char *name = c_field(em, x);
    to = c_named_array(em, name ? name : "", type_get(em->p, x->type));
    if (name && value)
      c_line(em, "%s = %s;", name, value);
    else if (name && to.n_dims == from->n_dims)
      store_array(em, &to, from);
    return;
  }
  if (x->op == OP_VAR && value) {
    c_line(em, "%s = %s;", c_var(em, x->index), value);
    return;
  }
  if (x->op == OP_LOCAL && value) {
    c_line(em, "v%u = %s;", x->index, value);
    return;
  }
  if (x->op == OP_LOCAL && c_local_array(em, x->index, &to) && from->n_dims == to.n_dims) {
    store_array(em, &to, from);
    return;
  }
  const Expr *base = x->op == OP_INDEX ? expr_get(em->p, x->args[0]) : NULL;
  bool scalars = base && variable_array(em, base, &to) && x->n - 1 <= to.n_dims;
  bool selectable = scalars && !value;
  for (uint32_t k = 1; k < x->n && scalars; k++)
    scalars = type_is_scalar(em->p, expr_get(em->p, x->args[k])->type);
  if (selectable && !scalars) {
    store_selection(em, &to, x, from);
    return;
  }
  if (!scalars || (value && x->n - 1 != to.n_dims) || (!value && from->n_dims != to.n_dims + 1 - x->n)) {
    c_refuse(em, "an assignment to this part of an array or record");
    return;
  }
  const char *offset = c_array_offset(em, &to, x->args + 1, x->n - 1);
  if (value) {
    c_line(em, "%s[%s] = %s;", to.at, offset, value);
    return;
  }
  ArrayVal part = {.at = arena_printf(em->a, "%s + %s", to.at, offset), .n_dims = from->n_dims, .base = to.base};
  for (uint32_t d = 0; d < part.n_dims; d++)
    part.dims[d] = to.dims[x->n - 1 + d];
  store_array(em, &part, from);
}

static void emit_assign(Emit *em, const Stmt *st) {
  ArrayVal v;
  const Type *t = type_get(em->p, expr_get(em->p, st->value)->type);
  const char *record;
  if (t->base == TY_RECORD && !t->n_dims) {
    if (emit_record(em, st->value, &record))
      store_record(em, st->targets[0], record);
  } else if (type_is_scalar(em->p, expr_get(em->p, st->value)->type))
    store(em, st->targets[0], emit_value(em, st->value), NULL);
  else if (emit_array(em, st->value, &v))
    store(em, st->targets[0], NULL, &v);
}

static void emit_tuple(Emit *em, const Stmt *st) {
  const Expr *x = expr_get(em->p, st->value);
  if (x->op != OP_CALL) {
    c_refuse(em, "this form of an assignment with several left sides");
    return;
  }
  const Func *f = x->ref;
  const char *prefix = emit_call(em, st->value);
  for (uint32_t k = 0; k < st->n_targets && k < f->n_outputs; k++) {
    if (!st->targets[k].i)
      continue;
    const Type *t = type_get(em->p, f->vars[f->n_inputs + k].type);
    const char *at = arena_printf(em->a, "%s_%u", prefix, k);
    ArrayVal v = c_named_array(em, at, t);
    if (t->base == TY_RECORD && !t->n_dims)
      store_record(em, st->targets[k], at);
    else
      store(em, st->targets[k], t->n_dims ? NULL : at, &v);
  }
}

static void emit_assert(Emit *em, const Stmt *st) {
  const char *condition = emit_value(em, st->value);
  c_line(em, "if (!%s) {", condition);
  em->indent++;
  const char *message = emit_value(em, st->message), *level = st->level.i ? emit_value(em, st->level) : "2";
  em->uses_mask |= USES_STATUS;
  c_line(em, "if ((status = d->host->violated(d, &places[%u], %s, (int)%s)) != DS_OK)", c_place(em, st->span), message, level);
  c_line(em, "  goto done;");
  em->indent--;
  c_line(em, "}");
}

/* A loop pass costs fuel, and gives back the cells that it took. */
static void emit_pass(Emit *em, const StmtBranch *br) {
  const char *top = c_temp(em);
  em->uses_mask |= USES_STATUS;
  c_line(em, "const long long %s = d->top;", top);
  c_line(em, "if (d->fuel-- <= 0) {");
  c_line(em, "  status = d->host->fail(d, &places[%u], \"a loop does not end\");", c_place(em, em->span));
  c_line(em, "  goto done;");
  c_line(em, "}");
  emit_statements(em, br->body, br->n);
  c_line(em, "d->top = %s;", top);
}

static void emit_for(Emit *em, const Stmt *st) {
  if (!c_loop_open(em, st->iterator, st->value)) {
    c_refuse(em, "a for-loop over this");
    return;
  }
  emit_pass(em, &st->branches[0]);
  c_loop_close(em);
}

static void emit_while(Emit *em, const Stmt *st) {
  c_line(em, "for (;;) {");
  em->indent++;
  uint32_t mark = c_scope_open(em);
  c_line(em, "if (!%s)", emit_value(em, st->branches[0].condition));
  c_line(em, "  break;");
  c_scope_close(em, mark);
  emit_pass(em, &st->branches[0]);
  em->indent--;
  c_line(em, "}");
}

static void emit_if_branches(Emit *em, const Stmt *st, uint32_t b) {
  const StmtBranch *br = &st->branches[b];
  if (!br->condition.i) {
    emit_statements(em, br->body, br->n);
    return;
  }
  uint32_t mark = c_scope_open(em);
  c_line(em, "if (%s) {", emit_value(em, br->condition));
  c_scope_close(em, mark);
  em->indent++;
  emit_statements(em, br->body, br->n);
  em->indent--;
  if (b + 1 < st->n_branches) {
    c_line(em, "} else {");
    em->indent++;
    emit_if_branches(em, st, b + 1);
    em->indent--;
  }
  c_line(em, "}");
}

static void emit_statement(Emit *em, const Stmt *st) {
  em->span = st->span;
  switch (st->kind) {
  case STMT_ASSIGN: emit_assign(em, st); break;
  case STMT_TUPLE: emit_tuple(em, st); break;
  case STMT_CALL:
    if (expr_get(em->p, st->value)->op == OP_CALL)
      emit_call(em, st->value);
    break;
  case STMT_ASSERT: emit_assert(em, st); break;
  case STMT_TERMINATE:
    c_line(em, "d->host->terminate(d, &places[%u], %s);", c_place(em, st->span), emit_value(em, st->message));
    break;
  case STMT_IF: emit_if_branches(em, st, 0); break;
  case STMT_FOR: emit_for(em, st); break;
  case STMT_WHILE: emit_while(em, st); break;
  case STMT_BREAK: c_line(em, "break;"); break;
  case STMT_RETURN:
    em->uses_mask |= USES_STATUS;
    c_line(em, "goto done;");
    break;
  case STMT_REINIT: case STMT_WHEN: c_refuse(em, "this statement"); break;
  }
}

void emit_statements(Emit *em, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t mark = c_scope_open(em);
    emit_statement(em, body[k]);
    c_scope_close(em, mark);
  }
}

/* ---- functions ---- */

static void head_input(Emit *em, const char *name, TypeId type, void *user) {
  Text *t = user;
  const Type *ty = type_get(em->p, type);
  bool text = ty->base == TY_STRING;
  const char *before = ty->n_dims && !text ? "const " : "", *star = !ty->n_dims ? "" : text ? "const *" : "*";
  text_printf(t, ", %s%s%s%s%s", before, c_type(ty->base), text ? "" : " ", star, name);
  for (uint32_t d = 0; d < ty->n_dims; d++)
    text_printf(t, ", long long %s_d%u", name, d);
}

static void head_output(Emit *em, const char *name, TypeId type, void *user) {
  Text *t = user;
  const Type *ty = type_get(em->p, type);
  text_printf(t, ", %s%s*%so%s", c_type(ty->base), ty->base == TY_STRING ? "" : " ", ty->n_dims ? "*" : "", name);
  for (uint32_t d = 0; d < ty->n_dims; d++)
    text_printf(t, ", long long *o%s_d%u", name, d);
}

static const char *variable_name(Emit *em, uint32_t k) { return arena_printf(em->a, "v%u", k); }

static const char *function_head(Emit *em, const Func *f, uint32_t number) {
  Text t = {.arena = em->a};
  text_printf(&t, "static int f%u(DsData *d", number);
  for (uint32_t k = 0; k < f->n_inputs + f->n_outputs; k++)
    c_leaves(em, variable_name(em, k), f->vars[k].type, k < f->n_inputs ? head_input : head_output, &t);
  text_add(&t, ")");
  return text_str(&t);
}

/* An array variable: its sizes, and cells set to `value`. */
static void declare_array(Emit *em, const char *name, const Type *t, const ExprId *dims, const char *value) {
  for (uint32_t d = 0; d < t->n_dims; d++) {
    const char *n = NULL;
    if (dims && dims[d].i)
      n = emit_value(em, dims[d]);
    else if (t->dims[d] >= 0)
      n = c_integer(em, t->dims[d]);
    if (!n)
      c_refuse(em, "an array in a function whose size is not given");
    c_line(em, "const long long %s_d%u = ds_max_i(0, %s);", name, d, n ? n : "0");
  }
  ArrayVal to = c_named_array(em, name, t);
  const char *count = c_array_count(em, &to), *at = c_cells(em, t->base, count), *q = c_temp(em);
  c_line(em, "%s%s*const %s = %s;", c_type(t->base), t->base == TY_STRING ? "" : " ", name, at);
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", q, q, count, q);
  c_line(em, "  %s[%s] = %s;", name, q, value);
}

static const char *nothing(TypeBase base) { return base == TY_STRING ? "\"\"" : base == TY_ENUM ? "1" : "0"; }

static void declare_field(Emit *em, const char *name, TypeId type, void *user) {
  const Type *t = type_get(em->p, type);
  (void)user;
  if (t->n_dims)
    declare_array(em, name, t, NULL, nothing(t->base));
  else
    c_line(em, "%s%s%s = %s;", c_type(t->base), t->base == TY_STRING ? "" : " ", name, nothing(t->base));
}

static void declare_variable(Emit *em, const Func *f, uint32_t k) {
  const FuncVar *v = &f->vars[k];
  const Type *t = type_get(em->p, v->type);
  const char *name = variable_name(em, k), *record;
  em->span = v->span;
  uint32_t mark = c_scope_open(em);
  if (t->base == TY_RECORD) {
    c_leaves(em, name, v->type, declare_field, NULL);
    if (v->binding.i && emit_record(em, v->binding, &record))
      c_leaves(em, name, v->type, copy_leaf, &(CopyRecord){record, strlen(name)});
  } else if (!c_leaves(em, name, v->type, NULL, NULL)) {
    /* refused */
  } else if (!t->n_dims) {
    const char *value = v->binding.i ? emit_value(em, v->binding) : nothing(t->base);
    c_line(em, "%s%s%s = %s;", c_type(t->base), t->base == TY_STRING ? "" : " ", name, value);
  } else {
    bool whole = v->binding.i && !type_is_scalar(em->p, expr_get(em->p, v->binding)->type);
    declare_array(em, name, t, v->dims, v->binding.i && !whole ? emit_value(em, v->binding) : nothing(t->base));
    ArrayVal to = c_named_array(em, name, t), from;
    if (whole && emit_array(em, v->binding, &from))
      store_array(em, &to, &from);
  }
  c_scope_close(em, mark);
}

static void emit_external(Emit *em, const Func *f) {
  em->span = f->span;
  if (!is_known_external(f) || !f->external_result.i) {
    c_refuse(em, arena_printf(em->a, "the external function `%s`", f->external));
    return;
  }
  Text args = {.arena = em->a};
  for (uint32_t k = 0; k < f->n_external_args; k++)
    text_printf(&args, "%s%s", k ? ", " : "", emit_value(em, f->external_args[k]));
  store(em, f->external_result, arena_printf(em->a, "%s(%s)", f->external, text_str(&args)), NULL);
}

/* A record constructor has no body: its inputs are the fields. */
static void emit_constructor(Emit *em, const Func *f) {
  const Type *t = type_get(em->p, f->vars[f->n_inputs].type);
  for (uint32_t k = 0; k < f->n_inputs && k < t->decl->n; k++) {
    const char *field = arena_printf(em->a, "v%u_f%u", f->n_inputs, k);
    c_leaves(em, field, t->decl->types[k], copy_leaf, &(CopyRecord){variable_name(em, k), strlen(field)});
  }
}

static void use_leaf(Emit *em, const char *name, TypeId type, void *user) {
  (void)em, (void)type;
  text_printf(user, "  (void)%s;\n", name);
}

static void return_leaf(Emit *em, const char *name, TypeId type, void *user) {
  Text *code = user;
  text_printf(code, "    *o%s = %s;\n", name, name);
  for (uint32_t d = 0; d < type_get(em->p, type)->n_dims; d++)
    text_printf(code, "    *o%s_d%u = %s_d%u;\n", name, d, name, d);
}

static void note_array(Emit *em, const char *name, TypeId type, void *user) {
  (void)name;
  if (type_get(em->p, type)->n_dims)
    *(bool *)user = true;
}

static void emit_body(Emit *em, const Func *f) {
  c_count_statements(em, f->body, f->n_body);
  for (uint32_t k = f->n_inputs; k < f->n_vars; k++)
    declare_variable(em, f, k);
  if (f->external)
    emit_external(em, f);
  else if (f->is_record_constructor)
    emit_constructor(em, f);
  else if (!f->complete)
    c_refuse(em, "a function without a body");
  else
    emit_statements(em, f->body, f->n_body);
}

static void emit_function(Emit *em, const Func *f, uint32_t number, Text *code) {
  em->func = f, em->span = f->span;
  c_function_begin(em);
  emit_body(em, f);
  text_printf(code, "/* function %s */\n%s {\n  int status = DS_OK;\n", c_comment(em, f->name), function_head(em, f, number));
  text_add(code, "  const long long top = d->top;\n");
  for (uint32_t k = 0; k < f->n_inputs; k++)
    c_leaves(em, variable_name(em, k), f->vars[k].type, use_leaf, code);
  text_printf(code, "  if (d->depth >= 500) {\n    return d->host->fail(d, &places[%u], \"functions call each other too deeply\");\n  }\n  d->depth++;\n",
              c_place(em, f->span));
  text_add(code, text_str(&em->body));
  text_add(code, em->uses_mask & USES_STATUS ? "done:\n  if (status == DS_OK) {\n" : "  {\n");
  bool arrays = false;
  for (uint32_t k = f->n_inputs; k < f->n_inputs + f->n_outputs; k++) {
    c_leaves(em, variable_name(em, k), f->vars[k].type, return_leaf, code);
    c_leaves(em, "", f->vars[k].type, note_array, &arrays);
  }
  text_printf(code, "  }\n  d->depth--;\n  %s\n  return status;\n}\n\n", arrays ? "(void)top;" : "d->top = top;");
  em->func = NULL;
}

void emit_functions(Emit *em, Text *prototypes, Text *code) {
  /* bodies may call further functions, which join the list */
  for (uint32_t k = 0; k < em->funcs.n; k++) {
    const Func *f = em->funcs.at[k];
    text_printf(prototypes, "%s;\n", function_head(em, f, k));
    emit_function(em, f, k, code);
  }
}
