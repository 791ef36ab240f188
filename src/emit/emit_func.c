/* emit/emit_func.c -- Modelica functions as C functions (see emit_call.c for how they are called).
 * Variable k is v<k>; of an array or record that is the address of its cells, and v<k>_<j> are the
 * sizes that its type leaves open. Inputs belong to the caller and are only read. All others own
 * cells that last until the function returns; those declared with `:` take the size of what is
 * assigned to them as a whole, v<k>_room says how many cells they may hold (MLS 3.6 section
 * 12.4.5).
 * Keep: variables are set in order, or earlier when another declaration needs them, so the order of
 *       declarations is free. */
#include "emit/emit_impl.h"

#include <string.h>

static const Type *type_of(const Emit *em, TypeId t) { return type_get(em->p, t); }

bool c_is_flexible(const Emit *em, const FuncVar *v) {
  const Type *t = type_of(em, v->type);
  for (uint32_t d = 0; d < t->n_dims; d++)
    if (t->dims[d] < 0 && (!v->dims || !v->dims[d].i))
      return true;
  return t->base == TY_RECORD && type_count(em->p, type_element(em->p, v->type, t->n_dims)) < 0;
}

/* ---- variables that never change: they refer to the value of their declaration, without a copy
 * ---- */

static void mark_target(const Emit *em, ExprId e, bool *changes) {
  const Expr *x = e.i ? expr_get(em->p, e) : NULL;
  while (x && (x->op == OP_INDEX || x->op == OP_FIELD))
    x = expr_get(em->p, x->args[0]);
  if (x && x->op == OP_LOCAL)
    changes[x->index] = true;
}

static void mark_changes(const Emit *em, Stmt *const *body, uint32_t n, bool *changes) {
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t t = 0; t < body[k]->n_targets; t++)
      mark_target(em, body[k]->targets[t], changes);
    for (uint32_t b = 0; b < body[k]->n_branches; b++)
      mark_changes(em, body[k]->branches[b].body, body[k]->branches[b].n, changes);
  }
}

typedef struct {
  const Emit *em;
  const bool *changes;
  bool found;
} Search;

static void search_changing(void *user, ExprId e) {
  Search *s = user;
  const Expr *x = expr_get(s->em->p, e);
  s->found = s->found ||
             (x->op == OP_LOCAL && !type_is_scalar(s->em->p, x->type) && s->changes[x->index]);
}

static const bool *find_fixed(Emit *em, const Func *f) {
  bool *changes = NEW_ARRAY(em->a, bool, f->n_locals + f->n_vars + 1),
       *fixed = NEW_ARRAY(em->a, bool, f->n_vars + 1);
  mark_changes(em, f->body, f->n_body, changes);
  for (uint32_t k = 0; k < f->n_vars; k++) {
    const FuncVar *v = &f->vars[k];
    Search s = {em, changes, false};
    if (!v->binding.i || changes[k] || f->external || !f->n_body || type_is_scalar(em->p, v->type))
      continue;
    expr_walk(em->p, v->binding, search_changing, &s);
    fixed[k] = !s.found;
  }
  return fixed;
}

/* ---- heads ---- */

static bool is_parameter(const FuncEntry *e, uint32_t k) {
  return k < e->f->n_inputs && e->given[k];
}

static const char *function_head(Emit *em, const FuncEntry *e, uint32_t number) {
  const Func *f = e->f;
  Text t = {.arena = em->a};
  text_printf(&t, "static int f%u(DsData *d", number);
  for (uint32_t k = 0; k < f->n_inputs + f->n_outputs; k++) {
    TypeId type = f->vars[k].type;
    const char *scalar = type_is_scalar(em->p, type) ? c_type(type_of(em, type)->base) : NULL;
    const int32_t *known = c_flat_dims(em, type);
    bool output = k >= f->n_inputs;
    if (!output && !e->given[k])
      continue;
    text_printf(&t, ", %s%s%u",
                scalar   ? scalar
                : output ? "DsCell *"
                         : "const DsCell *",
                output ? "*o" : "v", k);
    for (uint32_t d = 0; d < c_n_dims(em, type); d++)
      if (known[d] < 0)
        text_printf(&t, output ? ", long long *o%u_%u" : ", long long v%u_%u", k, d);
  }
  text_add(&t, ")");
  return text_str(&t);
}

/* ---- variables ---- */

static const CVal *bind_variable(Emit *em, const Func *f, uint32_t k) {
  CVal *v = NEW(em->a, CVal);
  *v = c_typed(em, f->vars[k].type);
  v->at = arena_printf(em->a, "v%u", k);
  const int32_t *known = c_flat_dims(em, v->type);
  for (uint32_t d = 0; d < c_n_dims(em, v->type); d++)
    if (known[d] < 0)
      v->dims[d] = arena_printf(em->a, "v%u_%u", k, d);
  map_put(em->a, &em->locals, k, (uint64_t)(uintptr_t)v);
  return v;
}

/* A value of few cells is an array of the C function. */
static bool is_small(const Emit *em, TypeId type) {
  enum { SMALL = 64 };
  int64_t n = type_count(em->p, type);
  return n >= 0 && n <= SMALL;
}

/* Sizes that nobody asks for are no reason for a warning. */
static void declare_sizes(Emit *em, const FuncVar *v, uint32_t k, bool given, Text *out) {
  const int32_t *known = c_flat_dims(em, v->type);
  for (uint32_t d = 0; d < c_n_dims(em, v->type); d++) {
    if (known[d] < 0 && !given)
      text_printf(out, "  long long v%u_%u = 0;\n", k, d);
    if (known[d] < 0)
      text_printf(out, "  (void)v%u_%u;\n", k, d);
  }
}

/* The C variables, so that leaving early finds them all set. */
static void declare(Emit *em, const FuncEntry *e, uint32_t k, Text *out) {
  const FuncVar *v = &e->f->vars[k];
  TypeBase base = type_of(em, v->type)->base;
  if (is_parameter(e, k)) {
    text_printf(out, "  (void)v%u;\n", k);
    declare_sizes(em, v, k, true, out);
    return;
  }
  if (type_is_scalar(em->p, v->type)) {
    text_printf(out, "  %sv%u = %s;\n", c_type(base), k,
                base == TY_STRING ? "\"\""
                : base == TY_ENUM ? "1"
                                  : "0");
  } else if (em->fixed[k]) {
    text_printf(out, "  const DsCell *v%u = 0;\n", k);
    declare_sizes(em, v, k, false, out);
  } else if (is_small(em, v->type)) {
    int64_t n = type_count(em->p, v->type);
    text_printf(out, "  DsCell v%u[%d];\n", k, n ? (int)n : 1);
  } else {
    text_printf(out, "  DsCell *v%u = 0;\n  long long v%u_room = 0;\n", k, k);
    declare_sizes(em, v, k, false, out);
  }
  text_printf(out, "  (void)v%u;\n", k);
}

/* Sizes that the declaration gives by expressions: computed (variables) or checked (inputs). */
static void set_sizes(Emit *em, const FuncVar *v, const CVal *var, bool check) {
  const Type *t = type_of(em, v->type);
  for (uint32_t d = 0; d < t->n_dims; d++) {
    if (t->dims[d] >= 0 || !v->dims || !v->dims[d].i)
      continue;
    if (check)
      c_must_fit(em, var->dims[d], c_own(em, emit_value(em, v->dims[d])));
    else
      c_line(em, "%s = %s;", var->dims[d], c_size(em, v->dims[d]));
  }
}

static void take_room(Emit *em, uint32_t k, const CVal *var) {
  if (is_small(em, var->type))
    return;
  const char *n = c_cell_count(em, var);
  c_check(em, arena_printf(em->a, "ds_room(d, &places[%u], &v%u, &v%u_room, %s)",
                           c_place(em, em->span), k, k, n));
}

static void set_from_binding(Emit *em, const FuncVar *v, uint32_t k, const CVal *var) {
  CVal value;
  if (!emit_cells_as(em, v->binding, type_of(em, v->type)->base, &value) ||
      !c_convert(em, &value, v->type))
    return;
  if (type_is_scalar(em->p, v->type)) {
    c_line(em, "v%u = %s;", k, value.at);
    return;
  }
  uint32_t n = c_n_dims(em, v->type);
  if (n != c_n_dims(em, value.type)) {
    c_refuse(em, "a start value with another number of dimensions");
    return;
  }
  const int32_t *known = c_flat_dims(em, v->type);
  for (uint32_t d = 0; d < n; d++) {
    bool open = known[d] < 0 && (d >= type_of(em, v->type)->n_dims || !v->dims || !v->dims[d].i);
    if (open)
      c_line(em, "%s = %s;", var->dims[d], value.dims[d]);
    else
      c_must_fit(em, value.dims[d], var->dims[d]);
  }
  if (em->fixed[k]) {
    c_line(em, "v%u = %s;", k, value.at);
    return;
  }
  take_room(em, k, var);
  c_copy(em, var->at, value.at, c_cell_count(em, var));
}

static void initialise(Emit *em, const Func *f, uint32_t k) {
  const FuncVar *v = &f->vars[k];
  uint64_t at;
  em->span = v->span.hi ? v->span : f->span;
  map_get(&em->locals, k, &at);
  const CVal *var = (const CVal *)(uintptr_t)at;
  uint32_t mark = c_scope_open(em);
  set_sizes(em, v, var, false);
  if (v->binding.i) {
    set_from_binding(em, v, k, var);
  } else if (!type_is_scalar(em->p, v->type)) {
    take_room(em, k, var);
    c_set_default(em, var);
  }
  c_scope_close(em, mark);
}

/* ---- order of declarations ---- */

typedef struct {
  Emit *em;
  const FuncEntry *e;
  unsigned char *state; /* 0 new, 1 under way, 2 done */
} Order;

static void visit(Order *o, uint32_t k);

static void visit_node(void *user, ExprId e) {
  Order *o = user;
  const Expr *x = expr_get(o->em->p, e);
  if (x->op == OP_LOCAL && x->index < o->e->f->n_vars)
    visit(o, x->index);
}

static void visit(Order *o, uint32_t k) {
  const FuncVar *v = &o->e->f->vars[k];
  if (o->state[k] == 1) {
    o->em->span = v->span;
    c_refuse(o->em, "a declaration that depends on itself");
  }
  if (o->state[k])
    return;
  o->state[k] = 1;
  for (uint32_t d = 0; v->dims && d < type_of(o->em, v->type)->n_dims; d++)
    if (v->dims[d].i)
      expr_walk(o->em->p, v->dims[d], visit_node, o);
  if (v->binding.i)
    expr_walk(o->em->p, v->binding, visit_node, o);
  o->state[k] = 2;
  initialise(o->em, o->e->f, k);
}

static void set_variables(Emit *em, const FuncEntry *e) {
  const Func *f = e->f;
  Order o = {em, e, NEW_ARRAY(em->a, unsigned char, f->n_vars + 1)};
  for (uint32_t k = 0; k < f->n_inputs; k++)
    o.state[k] = e->given[k] ? 2 : 0;
  for (uint32_t k = 0; k < f->n_inputs; k++) {
    em->span = f->vars[k].span.hi ? f->vars[k].span : f->span;
    if (!e->given[k] && !f->vars[k].binding.i)
      c_refuse(em, "an input without a value");
    else
      visit(&o, k);
  }
  for (uint32_t k = 0; k < f->n_inputs; k++) {
    uint64_t at;
    uint32_t mark = c_scope_open(em);
    for (uint32_t q = 0; e->given[k] && f->vars[k].dims && q < type_of(em, f->vars[k].type)->n_dims;
         q++)
      if (f->vars[k].dims[q].i)
        expr_walk(em->p, f->vars[k].dims[q], visit_node, &o);
    em->span = f->vars[k].span.hi ? f->vars[k].span : f->span;
    if (e->given[k] && map_get(&em->locals, k, &at))
      set_sizes(em, &f->vars[k], (const CVal *)(uintptr_t)at, true);
    c_scope_close(em, mark);
  }
  for (uint32_t k = f->n_inputs; k < f->n_vars; k++)
    visit(&o, k);
}

/* ---- bodies ---- */

/* A record constructor: each field is the variable of its name. */
static void construct(Emit *em, const Func *f) {
  uint32_t out = f->n_inputs;
  const TypeDecl *decl = f->n_outputs == 1 ? type_of(em, f->vars[out].type)->decl : NULL;
  if (!decl)
    return;
  CVal *fields = NEW_ARRAY(em->a, CVal, decl->n + 1);
  for (uint32_t k = 0; k < decl->n; k++) {
    uint32_t i = 0;
    uint64_t at;
    while (i < f->n_vars && (i == out || strcmp(f->vars[i].name, decl->names[k])))
      i++;
    if (i == f->n_vars || !map_get(&em->locals, i, &at)) {
      c_refuse(em, arena_printf(em->a, "a record without a value for `%s`", decl->names[k]));
      return;
    }
    fields[k] = *(const CVal *)(uintptr_t)at;
    if (!c_convert(em, &fields[k], decl->types[k]))
      return;
  }
  CVal whole = emit_record(em, f->vars[out].type, fields, decl->n);
  emit_assign_local(em, out, &whole);
}

static void emit_body(Emit *em, const Func *f) {
  em->span = f->span;
  if (f->external)
    emit_external(em, f);
  else if (f->is_record_constructor && !f->n_body)
    construct(em, f);
  else if (!f->complete)
    c_refuse(em, "a function without a body");
  else
    emit_statements(em, f->body, f->n_body);
}

/* Results go to cells of the caller. */
static void hand_over(Emit *em, const Func *f, Text *code) {
  for (uint32_t k = f->n_inputs; k < f->n_inputs + f->n_outputs; k++) {
    TypeId type = f->vars[k].type;
    if (type_is_scalar(em->p, type)) {
      text_printf(code, "    *o%u = v%u;\n", k, k);
      continue;
    }
    uint64_t at;
    map_get(&em->locals, k, &at);
    em->body = (Text){.arena = em->a};
    const char *n = c_cell_count(em, (const CVal *)(uintptr_t)at);
    text_add(code, text_str(&em->body));
    text_printf(code,
                "    if (status == DS_OK)\n      status = ds_give(d, &places[%u], v%u, %s, o%u);\n",
                c_place(em, f->span), k, n, k);
    const int32_t *known = c_flat_dims(em, type);
    for (uint32_t d = 0; d < c_n_dims(em, type); d++)
      if (known[d] < 0)
        text_printf(code, "    *o%u_%u = v%u_%u;\n", k, d, k, d);
  }
}

static void emit_function(Emit *em, const FuncEntry *e, uint32_t number, Text *code) {
  const Func *f = e->f;
  Text variables = {.arena = em->a};
  em->func = f, em->span = f->span;
  c_function_begin(em);
  em->fixed = find_fixed(em, f);
  for (uint32_t k = 0; k < f->n_vars; k++) {
    bind_variable(em, f, k);
    declare(em, e, k, &variables);
  }
  c_count_statements(em, f->body, f->n_body);
  set_variables(em, e);
  emit_body(em, f);
  const char *body = text_str(&em->body);
  text_printf(code, "/* function %s */\n%s {\n  const long long top = d->top, vars = d->vars;\n",
              c_comment(em, f->name), function_head(em, e, number));
  text_printf(code,
              "  int status = ds_enter(d, &places[%u], &top);\n  if (status != DS_OK)\n    return "
              "status;\n%s%s%s%s",
              c_place(em, f->span), em->uses_mask & USES_OVER ? "  const DsPlace *over = 0;\n" : "",
              text_str(&variables), text_str(&em->arrays), body);
  text_printf(code, "%s%s  d->depth--;\n  d->top = top;\n  if (status == DS_OK) {\n",
              em->uses_mask & USES_STATUS ? "done:\n" : "", c_over_end(em));
  hand_over(em, f, code);
  text_add(code, "  }\n  d->vars = vars;\n  return status;\n}\n\n");
  em->func = NULL;
}

void emit_functions(Emit *em) {
  /* bodies may call further functions and hand others on, which join the lists */
  for (uint32_t k = 0, b = 0; k < em->funcs.n || b < em->binds.n;) {
    if (b < em->binds.n) {
      emit_bind_function(em, b++, &em->prototypes, &em->functions);
      continue;
    }
    const FuncEntry e = em->funcs.at[k];
    text_printf(&em->prototypes, "%s;\n", function_head(em, &e, k));
    emit_function(em, &e, k++, &em->functions);
  }
}
