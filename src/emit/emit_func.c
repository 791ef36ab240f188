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

static bool plain_type(Emit *em, TypeId type) {
  const Type *t = type_get(em->p, type);
  if (t->base == TY_REAL || t->base == TY_INTEGER || t->base == TY_BOOLEAN || t->base == TY_ENUM || t->base == TY_STRING)
    return t->n_dims <= MAX_DIMS;
  c_refuse(em, t->base == TY_RECORD ? "a record as argument or result of a function" : "an argument or result of this type");
  return false;
}

/* The functions of the C library that an external function may name. */
static bool is_known_external(const Func *f) {
  static const char *const known[] = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
                                      "exp", "log", "log10", "sqrt", "pow", "fabs", "floor", "ceil"};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(f->external, known[k]))
      return true;
  return false;
}

static void declare_results(Emit *em, const Func *f, const char *prefix, Text *args) {
  for (uint32_t k = 0; k < f->n_outputs; k++) {
    const FuncVar *v = &f->vars[f->n_inputs + k];
    if (!plain_type(em, v->type))
      continue;
    const Type *t = type_get(em->p, v->type);
    c_line(em, "%s %s%s_%u = 0;", c_type(t->base), t->n_dims ? "*" : "", prefix, k);
    text_printf(args, ", &%s_%u", prefix, k);
    for (uint32_t d = 0; d < t->n_dims; d++) {
      c_line(em, "long long %s_%u_d%u = 0;", prefix, k, d);
      text_printf(args, ", &%s_%u_d%u", prefix, k, d);
    }
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
    ArrayVal v;
    if (!x->args[k].i || !plain_type(em, expr_get(em->p, x->args[k])->type)) {
      text_add(&args, ", 0");
    } else if (type_is_scalar(em->p, expr_get(em->p, x->args[k])->type)) {
      text_printf(&args, ", %s", emit_value(em, x->args[k]));
    } else if (emit_array(em, x->args[k], &v)) {
      text_printf(&args, ", %s", v.at);
      for (uint32_t d = 0; d < v.n_dims; d++)
        text_printf(&args, ", %s", v.dims[d]);
    }
  }
  const char *prefix = arena_printf(em->a, "c%u", em->n_temps++);
  declare_results(em, f, prefix, &args);
  em->uses_mask |= USES_STATUS | USES_CELLS;
  c_line(em, "if ((status = f%u(d%s)) != DS_OK)", c_func_number(em, f), text_str(&args));
  c_line(em, "  goto done;");
  c_remember(em, call, prefix);
  return prefix;
}

/* Scalars of output `k` of a call; its array sizes were checked against this by emit_part. */
static int64_t output_count(const Emit *em, const Expr *call, uint32_t k) {
  const Type *t = type_get(em->p, call->type);
  return t->base == TY_TUPLE ? type_count(em->p, t->decl->types[k]) : type_count(em->p, call->type);
}

const char *emit_part(Emit *em, const Expr *part) {
  const Expr *call = expr_get(em->p, part->args[0]);
  if (call->op != OP_CALL) {
    c_refuse(em, "this part of a value");
    return "0";
  }
  const Func *f = call->ref;
  const char *prefix = emit_call(em, part->args[0]);
  int64_t rest = part->index;
  for (uint32_t k = 0; k < f->n_outputs; k++) {
    int64_t n = output_count(em, call, k);
    if (n < 0)
      break;
    if (rest >= n) {
      rest -= n;
      continue;
    }
    const Type *t = type_get(em->p, f->vars[f->n_inputs + k].type);
    if (!t->n_dims)
      return arena_printf(em->a, "%s_%u", prefix, k);
    ArrayVal v = {.n_dims = t->n_dims};
    for (uint32_t d = 0; d < t->n_dims; d++)
      v.dims[d] = arena_printf(em->a, "%s_%u_d%u", prefix, k, d);
    c_line(em, "if (%s != %lldLL) {", c_array_count(em, &v), (long long)n);
    c_line(em, "  status = d->host->fail(d, &places[%u], \"a function returned an array of another size\");", c_place(em, em->span));
    c_line(em, "  goto done;");
    c_line(em, "}");
    return arena_printf(em->a, "%s_%u[%lld]", prefix, k, (long long)rest);
  }
  c_refuse(em, "a result of unknown size");
  return "0";
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

static void store_array(Emit *em, const ArrayVal *to, const ArrayVal *from) {
  for (uint32_t d = 0; d < to->n_dims; d++) {
    em->uses_mask |= USES_STATUS;
    c_line(em, "if (%s != %s) {", to->dims[d], from->dims[d]);
    c_line(em, "  status = d->host->fail(d, &places[%u], \"an array of another size is assigned\");", c_place(em, em->span));
    c_line(em, "  goto done;");
    c_line(em, "}");
  }
  c_array_copy(em, to->at, from->at, c_array_count(em, to), to->base);
}

/* target := the scalar `value`, or the array `from` if value is NULL */
static void store(Emit *em, ExprId target, const char *value, const ArrayVal *from) {
  const Expr *x = expr_get(em->p, target);
  ArrayVal to;
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
  bool scalars = base && base->op == OP_LOCAL && c_local_array(em, base->index, &to) && x->n - 1 <= to.n_dims;
  for (uint32_t k = 1; k < x->n && scalars; k++)
    scalars = type_is_scalar(em->p, expr_get(em->p, x->args[k])->type);
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
  if (type_is_scalar(em->p, expr_get(em->p, st->value)->type))
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
    ArrayVal v = {.at = at, .n_dims = t->n_dims, .base = t->base};
    for (uint32_t d = 0; d < t->n_dims; d++)
      v.dims[d] = arena_printf(em->a, "%s_d%u", at, d);
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

static const char *function_head(Emit *em, const Func *f, uint32_t number) {
  Text t = {.arena = em->a};
  text_printf(&t, "static int f%u(DsData *d", number);
  for (uint32_t k = 0; k < f->n_inputs + f->n_outputs; k++) {
    const Type *ty = type_get(em->p, f->vars[k].type);
    bool input = k < f->n_inputs, array = ty->n_dims > 0;
    const char *space = ty->base == TY_STRING ? "" : " ";
    if (input)
      text_printf(&t, ", %s%s%s%sv%u", array && ty->base != TY_STRING ? "const " : "", c_type(ty->base), space, array ? ty->base == TY_STRING ? "const *" : "*" : "", k);
    else
      text_printf(&t, ", %s%s*%so%u", c_type(ty->base), space, array ? "*" : "", k);
    for (uint32_t d = 0; d < ty->n_dims; d++)
      text_printf(&t, input ? ", long long v%u_d%u" : ", long long *o%u_d%u", k, d);
  }
  text_add(&t, ")");
  return text_str(&t);
}

static void declare_array(Emit *em, const FuncVar *v, const Type *t, uint32_t k) {
  ArrayVal to;
  for (uint32_t d = 0; d < t->n_dims; d++) {
    const char *n = NULL;
    if (v->dims && v->dims[d].i)
      n = emit_value(em, v->dims[d]);
    else if (t->dims[d] >= 0)
      n = c_integer(em, t->dims[d]);
    if (!n)
      c_refuse(em, "an array in a function whose size is not given");
    c_line(em, "const long long v%u_d%u = ds_max_i(0, %s);", k, d, n ? n : "0");
  }
  c_local_array(em, k, &to);
  const char *count = c_array_count(em, &to), *at = c_cells(em, t->base, count), *q = c_temp(em);
  c_line(em, "%s *const v%u = %s;", c_type(t->base), k, at);
  ArrayVal from;
  if (v->binding.i && !type_is_scalar(em->p, expr_get(em->p, v->binding)->type)) {
    if (emit_array(em, v->binding, &from))
      store_array(em, &to, &from);
    return;
  }
  const char *value = v->binding.i ? emit_value(em, v->binding) : t->base == TY_STRING ? "\"\"" : "0";
  c_line(em, "for (long long %s = 0; %s < %s; %s++)", q, q, count, q);
  c_line(em, "  v%u[%s] = %s;", k, q, value);
}

static void declare_variable(Emit *em, const Func *f, uint32_t k) {
  const FuncVar *v = &f->vars[k];
  const Type *t = type_get(em->p, v->type);
  em->span = v->span;
  if (!plain_type(em, v->type))
    return;
  uint32_t mark = c_scope_open(em);
  if (t->n_dims)
    declare_array(em, v, t, k);
  else {
    const char *none = t->base == TY_STRING ? "\"\"" : t->base == TY_ENUM ? "1" : "0";
    c_line(em, "%s v%u = %s;", c_type(t->base), k, v->binding.i ? emit_value(em, v->binding) : none);
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

static void emit_function(Emit *em, const Func *f, uint32_t number, Text *code) {
  em->func = f, em->span = f->span;
  c_function_begin(em);
  bool arrays = false;
  for (uint32_t k = 0; k < f->n_inputs; k++)
    plain_type(em, f->vars[k].type);
  c_count_statements(em, f->body, f->n_body);
  for (uint32_t k = f->n_inputs; k < f->n_vars; k++)
    declare_variable(em, f, k);
  if (f->external)
    emit_external(em, f);
  else if (!f->complete)
    c_refuse(em, "a function without a body");
  else
    emit_statements(em, f->body, f->n_body);
  text_printf(code, "/* function %s */\n%s {\n  int status = DS_OK;\n", c_comment(em, f->name), function_head(em, f, number));
  text_add(code, "  const long long top = d->top;\n");
  for (uint32_t k = 0; k < f->n_inputs; k++)
    text_printf(code, "  (void)v%u;\n", k);
  text_printf(code, "  if (d->depth >= 500) {\n    return d->host->fail(d, &places[%u], \"functions call each other too deeply\");\n  }\n  d->depth++;\n",
              c_place(em, f->span));
  text_add(code, text_str(&em->body));
  text_add(code, em->uses_mask & USES_STATUS ? "done:\n  if (status == DS_OK) {\n" : "  {\n");
  for (uint32_t k = f->n_inputs; k < f->n_inputs + f->n_outputs; k++) {
    const Type *t = type_get(em->p, f->vars[k].type);
    text_printf(code, "    *o%u = v%u;\n", k, k);
    arrays = arrays || t->n_dims;
    for (uint32_t d = 0; d < t->n_dims; d++)
      text_printf(code, "    *o%u_d%u = v%u_d%u;\n", k, d, k, d);
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
