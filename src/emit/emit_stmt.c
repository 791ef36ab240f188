/* emit/emit_stmt.c -- statements of functions and algorithm sections (MLS 3.6 section 11.2).
 * Keep: between two statements nothing is remembered, because variables change; cells that a
 *       statement takes for intermediate values are given back when it ends. */
#include "emit/emit_impl.h"

#include <string.h>

static const Type *type_of(const Emit *em, TypeId t) { return type_get(em->p, t); }

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

/* ---- assignments ---- */

static const CVal *variable(const Emit *em, uint32_t local) {
  uint64_t at;
  bool own = em->func && local >= em->func->n_inputs && local < em->func->n_vars;
  return own && map_get(&em->locals, local, &at) ? (const CVal *)(uintptr_t)at : NULL;
}

void emit_assign_local(Emit *em, uint32_t k, const CVal *value) {
  const CVal *to = variable(em, k);
  if (!to) {
    c_refuse(em, "an assignment to this");
    return;
  }
  if (type_is_scalar(em->p, to->type)) {
    const char *name = arena_printf(em->a, "v%u", k);
    if (strcmp(name, value->at)) /* v := v is no statement of C */
      c_line(em, "%s = %s;", name, value->at);
    return;
  }
  const FuncVar *v = &em->func->vars[k];
  const char *n = c_cell_count(em, value);
  if (!c_is_flexible(em, v) || c_n_dims(em, to->type) != c_n_dims(em, value->type)) {
    c_must_fit_all(em, value, to);
    c_copy(em, to->at, value->at, n);
    return;
  }
  const int32_t *known = c_flat_dims(em, v->type);
  for (uint32_t d = 0; d < c_n_dims(em, v->type); d++)
    if (known[d] >= 0 || (d < type_of(em, v->type)->n_dims && v->dims && v->dims[d].i))
      c_must_fit(em, value->dims[d], to->dims[d]);
  /* the value may be a part of the variable: its cells stay until the function returns */
  const char *from = value->at;
  if (strcmp(n, "0LL") && !strncmp(from, to->at, strlen(to->at))) {
    from = c_temp(em);
    c_line(em, "const DsCell *const %s = %s;", from, value->at);
  }
  c_check(em, arena_printf(em->a, "ds_room(d, &places[%u], &v%u, &v%u_room, %s)",
                           c_place(em, em->span), k, k, n));
  c_copy(em, to->at, from, n);
  for (uint32_t d = 0; d < c_n_dims(em, v->type); d++)
    if (known[d] < 0)
      c_line(em, "%s = %s;", to->dims[d], value->dims[d]);
}

/* The variable of the function and the cells of it that a target names. */
static bool find_target(Emit *em, const Expr *x, const CVal **whole, Select *out) {
  if (x->op == OP_LOCAL) {
    *whole = variable(em, x->index);
    if (*whole)
      *out = (Select){**whole, "0LL", NULL};
    return *whole != NULL;
  }
  Select outer, inner;
  return (x->op == OP_INDEX || x->op == OP_FIELD) &&
         find_target(em, expr_get(em->p, x->args[0]), whole, &outer) &&
         cut_part(em, x, &outer.v, &inner) && cut_inner(em, &outer, &inner, out);
}

/* record.field := value of another size, the field being declared with `:` */
static bool resizes(const Emit *em, const Expr *x) {
  const Expr *of = x->op == OP_FIELD ? expr_get(em->p, x->args[0]) : NULL;
  if (!of || of->op != OP_LOCAL || !variable(em, of->index))
    return false;
  const Type *t = type_of(em, variable(em, of->index)->type);
  return t->base == TY_RECORD && !t->n_dims && !type_is_scalar(em->p, t->decl->types[x->index]) &&
         type_count(em->p, t->decl->types[x->index]) < 0;
}

static void resize_field(Emit *em, const Expr *x, const CVal *value) {
  uint32_t local = expr_get(em->p, x->args[0])->index;
  const CVal *record = variable(em, local);
  const TypeDecl *decl = type_of(em, record->type)->decl;
  CVal *fields = NEW_ARRAY(em->a, CVal, decl->n);
  for (uint32_t k = 0; k < decl->n; k++)
    fields[k] = k == x->index ? *value : c_field(em, record, k);
  CVal whole = emit_record(em, record->type, fields, decl->n);
  /* sizes are variables of the record that change one by one */
  for (uint32_t d = 0; d < c_n_dims(em, whole.type); d++)
    whole.dims[d] = arena_printf(em->a, "%s",
                                 c_own(em, arena_printf(em->a, "(%s)", whole.dims[d])));
  emit_assign_local(em, local, &whole);
}

void emit_store(Emit *em, ExprId target, const CVal *value) {
  const Expr *x = expr_get(em->p, target);
  CVal v = *value;
  if (!c_as_base(em, &v, type_of(em, x->type)->base) || !c_convert(em, &v, x->type))
    return;
  if (x->op == OP_VAR && type_is_scalar(em->p, v.type)) {
    c_line(em, "%s = %s;", c_var(em, x->index), v.at);
    return;
  }
  if (x->op == OP_LOCAL) {
    emit_assign_local(em, x->index, &v);
    return;
  }
  if (resizes(em, x)) {
    resize_field(em, x, &v);
    return;
  }
  const CVal *whole;
  Select s;
  if (find_target(em, x, &whole, &s))
    cut_write(em, whole, &s, &v);
  else
    c_refuse(em, "an assignment to this");
}

static void emit_assign(Emit *em, const Stmt *st) {
  CVal v;
  if (emit_cells(em, st->value, &v))
    emit_store(em, st->targets[0], &v);
}

static void emit_tuple(Emit *em, const Stmt *st) {
  const Expr *x = expr_get(em->p, st->value);
  const CVal *values = NULL;
  if (x->op == OP_CALL) {
    values = emit_call(em, st->value);
  } else if (x->op == OP_TUPLE && x->n >= st->n_targets) {
    CVal *items = NEW_ARRAY(em->a, CVal, x->n + 1);
    for (uint32_t k = 0; k < st->n_targets; k++) {
      if (!st->targets[k].i || !x->args[k].i)
        continue;
      if (!emit_cells(em, x->args[k], &items[k]))
        return;
      if (type_is_scalar(em->p, items[k].type)) { /* before a target changes */
        const char *t = c_temp(em);
        c_line(em, "%s%s = %s;", c_type(type_of(em, items[k].type)->base), t, items[k].at);
        items[k].at = t;
      } else {
        const char *n = c_cell_count(em, &items[k]), *copy = c_cells(em, n);
        c_copy(em, copy, items[k].at, n);
        items[k].at = copy;
      }
    }
    values = items;
  } else
    c_refuse(em, "this form of an assignment with several left sides");
  const Func *f = x->op == OP_CALL ? x->ref : NULL;
  const Type *t = type_of(em, x->type);
  uint32_t n = f ? f->n_outputs : t->base == TY_TUPLE ? t->decl->n : 1;
  for (uint32_t k = 0; values && k < st->n_targets && k < n; k++)
    if (st->targets[k].i)
      emit_store(em, st->targets[k], &values[k]);
}

static void emit_assert(Emit *em, const Stmt *st) {
  const char *condition = emit_value(em, st->value);
  c_open(em, "if (!%s)", condition);
  const char *message = st->message.i ? emit_value(em, st->message) : "\"an assertion failed\"";
  const char *level = st->level.i ? emit_value(em, st->level) : "2";
  c_check(em, arena_printf(em->a, "d->host->violated(d, &places[%u], %s, (int)%s)",
                           c_place(em, st->span), message, level));
  c_close(em);
}

/* ---- control ---- */

/* A loop pass costs fuel. */
static void emit_pass(Emit *em, const StmtBranch *br) {
  c_fail_if(em, "d->fuel-- <= 0", "a loop does not end");
  emit_statements(em, br->body, br->n);
}

static void emit_for(Emit *em, const Stmt *st) {
  uint32_t mark = c_scope_open(em);
  if (!c_loop_open(em, st->iterator, st->value)) {
    c_refuse(em, "a for-loop over this");
    return;
  }
  c_scope_close(em, mark);
  emit_pass(em, &st->branches[0]);
  c_close(em);
}

/* A condition that gives back the cells it takes. */
static const char *condition_of(Emit *em, ExprId e) {
  const char *top = c_temp(em);
  Text before = em->body;
  em->body = (Text){.arena = em->a};
  bool took = em->took_cells;
  em->took_cells = false;
  const char *c = emit_value(em, e);
  bool mine = em->took_cells;
  em->took_cells = took || mine;
  Text own = em->body;
  em->body = before;
  if (mine)
    c_line(em, "const long long %s = d->top;", top);
  text_add(&em->body, text_str(&own));
  if (mine) {
    const char *t = c_temp(em);
    c_line(em, "const int %s = (%s) != 0;", t, c);
    c_line(em, "d->top = %s;", top);
    c = t;
  }
  return c;
}

static void emit_while(Emit *em, const Stmt *st) {
  c_open(em, "for (;;)");
  uint32_t mark = c_scope_open(em);
  const char *c = condition_of(em, st->branches[0].condition);
  c_line(em, "if (!%s)", c);
  c_line(em, "  break;");
  c_scope_close(em, mark);
  emit_pass(em, &st->branches[0]);
  c_close(em);
}

static void emit_if_branches(Emit *em, const Stmt *st, uint32_t b) {
  const StmtBranch *br = &st->branches[b];
  if (!br->condition.i) {
    emit_statements(em, br->body, br->n);
    return;
  }
  uint32_t mark = c_scope_open(em);
  const char *c = emit_value(em, br->condition);
  c_scope_close(em, mark);
  c_open_if(em, c);
  emit_statements(em, br->body, br->n);
  c_close(em);
  if (b + 1 < st->n_branches) {
    c_open(em, "else");
    emit_if_branches(em, st, b + 1);
    c_close(em);
  }
}

static void emit_kind(Emit *em, const Stmt *st) {
  switch (st->kind) {
  case STMT_ASSIGN: emit_assign(em, st); break;
  case STMT_TUPLE: emit_tuple(em, st); break;
  case STMT_CALL:
    if (expr_get(em->p, st->value)->op == OP_CALL)
      emit_call(em, st->value);
    break;
  case STMT_ASSERT: emit_assert(em, st); break;
  case STMT_TERMINATE: {
    const char *message = emit_value(em, st->message);
    c_line(em, "d->host->terminate(d, &places[%u], %s);", c_place(em, st->span), message);
    break;
  }
  case STMT_IF: emit_if_branches(em, st, 0); break;
  case STMT_FOR: emit_for(em, st); break;
  case STMT_WHILE: emit_while(em, st); break;
  case STMT_BREAK: c_line(em, "break;"); break;
  case STMT_RETURN:
    em->uses_mask |= USES_STATUS;
    c_line(em, "goto done;");
    break;
  case STMT_REINIT:
  case STMT_WHEN: c_refuse(em, "this statement"); break;
  }
}

/* A statement that takes cells stands in a block that gives them back. */
static void emit_statement(Emit *em, const Stmt *st) {
  Text before = em->body;
  bool took = em->took_cells;
  em->body = (Text){.arena = em->a};
  em->took_cells = false;
  em->span = st->span;
  emit_kind(em, st);
  Text own = em->body;
  bool mine = em->took_cells;
  em->body = before;
  em->took_cells = took || mine;
  if (mine) {
    const char *top = c_temp(em);
    c_open(em, "%s", "");
    c_line(em, "const long long %s = d->top;", top);
    for (const char *line = text_str(&own), *end; *line; line = end) {
      end = strchr(line, '\n') + 1;
      text_printf(&em->body, "  %.*s", (int)(end - line), line);
    }
    c_line(em, "d->top = %s;", top);
    c_close(em);
  } else
    text_add(&em->body, text_str(&own));
}

void emit_statements(Emit *em, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t mark = c_scope_open(em);
    emit_statement(em, body[k]);
    c_scope_close(em, mark);
  }
}
