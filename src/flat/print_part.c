/* flat/print_part.c -- forms of expressions that the language cannot write, turned into calls of
 * helper functions.
 *   PART(f(x), k)     a scalar of f's results: 'f.y[2]'(x), a function that calls f and returns
 *                     y[2]
 *   {a, b, c}[i]      a subscript after something that is no name:
 *                     'item of Real[:] by Integer'({a, b, c}, i)
 *   f(x).re           a field likewise: 'field re of Complex'(f(x))
 * The helpers are ordinary functions and are printed with the others. A helper for a part of f has
 * derivatives when f has. */
#include <string.h>

#include "flat/print_impl.h"

/* ---- building functions ---- */

static uint64_t key_of(const char *name) { return hash_bytes(name, strlen(name)) >> 1; }

static Func *find_helper(const Printer *p, const char *name) {
  uint64_t at = 0;
  return map_get(&p->helper_of, key_of(name), &at) ? (Func *)(uintptr_t)at : NULL;
}

/* Helpers outlive the printing, because nodes of the pool refer to them. */
static Arena *keep(const Printer *p) { return pool_arena(p->m->pool); }

static Func *new_helper(Printer *p, const char *name, uint32_t n_inputs, uint32_t n_outputs,
                        uint32_t n_vars) {
  Func *f = NEW(keep(p), Func);
  f->name = arena_strdup(keep(p), name);
  f->vars = NEW_ARRAY(keep(p), FuncVar, n_vars + 1);
  f->n_inputs = n_inputs;
  f->n_outputs = n_outputs;
  f->n_vars = f->n_locals = n_vars;
  f->complete = true;
  f->smooth_order = -1;
  vec_push(p->a, &p->helpers, f);
  map_put(p->a, &p->helper_of, key_of(name), (uint64_t)(uintptr_t)f);
  return f;
}

static ExprId local(const Printer *p, const Func *f, uint32_t i) {
  return expr_local(p->m->pool, f->vars[i].type, i);
}

static Stmt *statement(const Printer *p, StmtKind kind, uint32_t n_targets, ExprId value) {
  Stmt *s = NEW(keep(p), Stmt);
  s->kind = kind;
  s->targets = NEW_ARRAY(keep(p), ExprId, n_targets + 1);
  s->n_targets = n_targets;
  s->value = value;
  return s;
}

static void add_statement(const Printer *p, Func *f, uint32_t room, Stmt *s) {
  if (!f->body)
    f->body = NEW_ARRAY(keep(p), Stmt *, room);
  f->body[f->n_body++] = s;
}

typedef struct {
  const ExprPool *pool;
  uint32_t limit;
  bool beyond;
} LocalLimit;

static void look_for_locals(void *user, ExprId e) {
  LocalLimit *l = user;
  const Expr *x = expr_get(l->pool, e);
  l->beyond |= x->op == OP_LOCAL && x->index >= l->limit;
}

/* A result of f as a protected variable of a helper with the same inputs; sizes that depend on
 * other than inputs stay open. */
static FuncVar copy_output(const Printer *p, const Func *f, uint32_t output) {
  const FuncVar *from = &f->vars[f->n_inputs + output];
  const Type *t = type_get(p->m->pool, from->type);
  FuncVar v = {.name = from->name, .type = from->type, .span = from->span};
  v.dims = NEW_ARRAY(keep(p), ExprId, t->n_dims + 1);
  for (uint32_t i = 0; from->dims && i < t->n_dims; i++) {
    LocalLimit l = {p->m->pool, f->n_inputs, false};
    if (from->dims[i].i)
      expr_walk(p->m->pool, from->dims[i], look_for_locals, &l);
    v.dims[i] = l.beyond ? NO_EXPR : from->dims[i];
  }
  return v;
}

static ExprId call_with_inputs(const Printer *p, const Func *helper, const Func *f) {
  ExprId *args = NEW_ARRAY(p->a, ExprId, f->n_inputs + 1);
  for (uint32_t i = 0; i < f->n_inputs; i++)
    args[i] = local(p, helper, i);
  return expr_make_ref(p->m->pool, OP_CALL, f->result, f, f->n_inputs, args);
}

/* The same type with all dimensions open. */
static TypeId open_type(Printer *p, TypeId type) {
  const Type *t = type_get(p->m->pool, type);
  uint32_t n = t->n_dims;
  int32_t *open = NEW_ARRAY(p->a, int32_t, n + 1);
  for (uint32_t i = 0; i < n; i++)
    open[i] = DIM_UNKNOWN;
  return n ? type_array(p->m->pool, type_element(p->m->pool, type, n), n, open) : type;
}

/* ---- paths ---- */

/* Follows scalar k of a value of type `type`; extends text and selection. */
static ExprId follow(Printer *p, TypeId type, int64_t k, ExprId from, Text *text) {
  ExprPool *pool = p->m->pool;
  const Type *t = type_get(pool, type);
  if (t->n_dims) {
    TypeId element = type_element(pool, type, t->n_dims);
    int64_t rest = type_count(pool, type);
    ExprId *args = NEW_ARRAY(p->a, ExprId, t->n_dims + 1);
    args[0] = from;
    for (uint32_t i = 0; i < t->n_dims; i++) {
      rest /= t->dims[i];
      args[i + 1] = expr_integer(pool, k / rest + 1);
      text_printf(text, "%s%lld", i ? "," : "[", (long long)(k / rest + 1));
      k %= rest;
    }
    text_char(text, ']');
    return follow(p, element, k, expr_make(pool, OP_INDEX, element, t->n_dims + 1, args), text);
  }
  if (t->base != TY_RECORD)
    return from;
  for (uint32_t i = 0; i < t->decl->n; i++) {
    int64_t n = type_count(pool, t->decl->types[i]);
    if (k < n) {
      text_printf(text, ".%s", t->decl->names[i]);
      return follow(p, t->decl->types[i], k,
                    expr_make_index(pool, OP_FIELD, t->decl->types[i], i, 0, 1, &from), text);
    }
    k -= n;
  }
  return from;
}

/* The output that holds scalar *k of the results, and its type in this call; *k becomes its number
 * there. */
static uint32_t output_of(const Printer *p, TypeId result, int64_t *k, TypeId *type) {
  const Type *t = type_get(p->m->pool, result);
  *type = result;
  if (t->base != TY_TUPLE)
    return 0;
  for (uint32_t i = 0; i < t->decl->n; i++) {
    int64_t n = type_count(p->m->pool, t->decl->types[i]);
    *type = t->decl->types[i];
    if (*k < n)
      return i;
    *k -= n;
  }
  return 0;
}

/* ---- parts of calls ---- */

static Func *part_of(Printer *p, const Func *f, uint32_t output, TypeId type, int64_t k);

/* The derivatives of a part are the parts of the derivatives, if all results are Real. */
static void add_derivatives(Printer *p, Func *helper, const Func *f, uint32_t output, TypeId type,
                            int64_t k) {
  for (uint32_t i = 0; i < f->n_outputs; i++)
    if (type_get(p->m->pool, f->vars[f->n_inputs + i].type)->base != TY_REAL)
      return;
  helper->derivatives = NEW_ARRAY(keep(p), FuncDerivative, f->n_derivatives + 1);
  for (uint32_t i = 0; i < f->n_derivatives; i++) {
    const Func *g = f->derivatives[i].function;
    if (!g || g->n_outputs != f->n_outputs)
      continue;
    FuncDerivative d = f->derivatives[i];
    d.function = part_of(p, g, output, type, k);
    helper->derivatives[helper->n_derivatives++] = d;
  }
}

/* `wish`, with underscores when an input or output of f has that name. */
static const char *unused_name(const Printer *p, const Func *f, const char *wish) {
  for (uint32_t i = 0; i < f->n_inputs + f->n_outputs; i++)
    if (strcmp(f->vars[i].name, wish) == 0)
      return unused_name(p, f, arena_printf(keep(p), "%s_", wish));
  return wish;
}

static Func *part_of(Printer *p, const Func *f, uint32_t output, TypeId type, int64_t k) {
  Text path = {.arena = p->a};
  const FuncVar *from = &f->vars[f->n_inputs + output];
  bool scalar = type_is_scalar(p->m->pool, type) && type_get(p->m->pool, type)->base != TY_RECORD;
  uint32_t n = f->n_inputs;
  text_printf(&path, "%s.%s", f->name, from->name);
  ExprId value = follow(p, type, k, expr_local(p->m->pool, type, n + 1), &path);
  Func *helper = find_helper(p, text_str(&path));
  if (helper)
    return helper;
  helper = new_helper(p, text_str(&path), n, 1, scalar ? n + 1 : n + 2);
  memcpy(helper->vars, f->vars, n * sizeof *f->vars);
  TypeId part = scalar ? type : expr_get(p->m->pool, value)->type;
  const char *name = scalar ? from->name : unused_name(p, f, "part");
  helper->vars[n] = (FuncVar){.name = name, .type = part, .span = from->span};
  if (!scalar)
    helper->vars[n + 1] = copy_output(p, f, output);
  helper->result = part;
  helper->impure = f->impure;
  helper->generate_events = f->generate_events;
  helper->smooth_order = f->smooth_order;

  /* y := f(x) or ( , y) := f(x), then part := y[2] */
  Stmt *call = statement(p, output ? STMT_TUPLE : STMT_ASSIGN, output + 1,
                         call_with_inputs(p, helper, f));
  call->targets[output] = local(p, helper, scalar ? n : n + 1);
  add_statement(p, helper, 2, call);
  if (!scalar) {
    Stmt *select = statement(p, STMT_ASSIGN, 1, value);
    select->targets[0] = local(p, helper, n);
    add_statement(p, helper, 2, select);
  }
  add_derivatives(p, helper, f, output, type, k);
  return helper;
}

/* A type as part of the name of a helper: called as in this text, without quotes, so that the text
 * reads back to itself. */
static void add_type_name(Printer *p, TypeId type, Text *out) {
  Text plain = {.arena = p->a};
  type_print(p->m->pool, type, &plain);
  const Type *t = type_get(p->m->pool, type);
  bool named = t->decl && (t->base == TY_ENUM || t->base == TY_RECORD || t->base == TY_EXTERNAL);
  const char *rest = named ? text_str(&plain) + strlen(t->decl->name) : text_str(&plain);
  const char *name = named ? flat_print_local_name(p, t->decl, t->decl->name) : "";
  size_t n = strlen(name), quoted = n > 1 && name[0] == '\'';
  text_addn(out, name + quoted, n - 2 * quoted);
  text_add(out, rest);
}

Func *flat_print_scalars_of(Printer *p, const Func *f, TypeId result) {
  ExprPool *pool = p->m->pool;
  Text name = {.arena = p->a};
  text_printf(&name, "%s: ", f->name);
  add_type_name(p, result, &name);
  Func *helper = find_helper(p, text_str(&name));
  if (helper)
    return helper;
  uint32_t n = f->n_inputs, count = (uint32_t)type_count(pool, result), n_wide = f->n_outputs;
  helper = new_helper(p, text_str(&name), n, count, n + count + n_wide);
  memcpy(helper->vars, f->vars, n * sizeof *f->vars);
  helper->impure = f->impure;
  helper->generate_events = f->generate_events;
  helper->result = result;

  /* (y, z) := f(x), where y is a result or a protected copy, then 'y[1]' := y[1] ... */
  Stmt *call = statement(p, f->n_outputs > 1 ? STMT_TUPLE : STMT_ASSIGN, f->n_outputs,
                         call_with_inputs(p, helper, f));
  uint32_t wide = n + count;
  add_statement(p, helper, count + 1, call);
  for (uint32_t k = 0; k < count; k++) {
    TypeId type;
    int64_t rest = k;
    Text path = {.arena = keep(p)};
    uint32_t output = output_of(p, result, &rest, &type);
    const FuncVar *from = &f->vars[n + output];
    text_add(&path, from->name);
    ExprId value = follow(p, type, rest, expr_local(pool, type, wide), &path);
    bool scalar = strcmp(text_str(&path), from->name) == 0;
    if (!scalar && rest == 0) { /* the first scalar of a wide result: note the copy */
      helper->vars[wide] = copy_output(p, f, output);
      call->targets[output] = local(p, helper, wide);
    }
    helper->vars[n + k] = (FuncVar){
        .name = text_str(&path), .type = expr_get(pool, value)->type, .span = from->span};
    if (scalar) {
      call->targets[output] = local(p, helper, n + k);
    } else {
      Stmt *select = statement(p, STMT_ASSIGN, 1, value);
      select->targets[0] = local(p, helper, n + k);
      add_statement(p, helper, count + 1, select);
      wide += rest + 1 == type_count(pool, type);
    }
  }
  helper->n_vars = helper->n_locals = wide;
  return helper;
}

/* ---- functions as arguments ---- */

typedef struct {
  const Func *f;
  uint32_t input;
} Passed;

/* Where an input is called: functions hand it on to others, in circles, too. */
typedef struct {
  Printer *p;
  uint32_t input;      /* of the function at work */
  VEC(Passed) visited; /* the inputs that it is handed on to */
  Func *found;
} Signature;

static void look_in_function(Signature *s, const Func *f, uint32_t input);

/* partial function 'function(Real) Real' input Real u1; output Real y; */
static Func *signature_of_call(Printer *p, const Expr *call) {
  ExprPool *pool = p->m->pool;
  Text name = {.arena = p->a};
  for (uint32_t i = 1; i < call->n; i++) {
    text_add(&name, i > 1 ? ", " : "function(");
    add_type_name(p, open_type(p, expr_get(pool, call->args[i])->type), &name);
  }
  text_add(&name, call->n > 1 ? ") " : "function() ");
  add_type_name(p, open_type(p, call->type), &name);
  Func *f = find_helper(p, text_str(&name));
  if (f)
    return f;
  uint32_t n = call->n - 1;
  f = new_helper(p, text_str(&name), n, 1, n + 1);
  f->complete = false;
  f->result = open_type(p, call->type);
  for (uint32_t i = 0; i < n; i++)
    f->vars[i] = (FuncVar){.name = arena_printf(keep(p), "u%u", i + 1),
                           .type = open_type(p, expr_get(pool, call->args[i + 1])->type)};
  f->vars[n] = (FuncVar){.name = "y", .type = f->result};
  return f;
}

static void look_for_use(void *user, ExprId e) {
  Signature *s = user;
  const ExprPool *pool = s->p->m->pool;
  const Expr *x = expr_get(pool, e);
  for (uint32_t i = 0; x->op == OP_CALL && i < x->n && !s->found; i++) {
    const Expr *arg = x->args[i].i ? expr_get(pool, x->args[i]) : NULL;
    if (!arg || arg->op != OP_LOCAL || arg->index != s->input)
      continue;
    if (!x->ref && i == 0)
      s->found = signature_of_call(s->p, x);
    else if (x->ref)
      look_in_function(s, x->ref, i);
  }
}

static void look_in_statements(Signature *s, Stmt *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (body[i]->value.i)
      expr_walk(s->p->m->pool, body[i]->value, look_for_use, s);
    for (uint32_t k = 0; k < body[i]->n_branches; k++) {
      if (body[i]->branches[k].condition.i)
        expr_walk(s->p->m->pool, body[i]->branches[k].condition, look_for_use, s);
      look_in_statements(s, body[i]->branches[k].body, body[i]->branches[k].n);
    }
  }
}

static void look_in_function(Signature *s, const Func *f, uint32_t input) {
  uint32_t outer = s->input;
  for (uint32_t k = 0; k < s->visited.n; k++)
    if (s->visited.at[k].f == f && s->visited.at[k].input == input)
      return;
  vec_push(s->p->a, &s->visited, (Passed){f, input});
  s->input = input;
  look_in_statements(s, f->body, f->n_body);
  s->input = outer;
}

Func *flat_print_signature(Printer *p, const Func *f, uint32_t input) {
  Signature s = {.p = p};
  look_in_function(&s, f, input);
  return s.found;
}

/* ---- selections from other than names ---- */

/* A name, with fields and at most one list of subscripts after each part. */
static bool is_reference(const ExprPool *pool, ExprId e) {
  const Expr *x = expr_get(pool, e);
  for (bool index = true; x->op == OP_INDEX || x->op == OP_FIELD || x->op == OP_CAST;
       x = expr_get(pool, x->args[0])) {
    if (x->op == OP_INDEX && index)
      return false;
    index = x->op == OP_INDEX;
  }
  return x->op == OP_VAR || x->op == OP_REF || x->op == OP_LOCAL;
}

/* May e be followed by [ ], or by a field? */
static bool takes_selection(const ExprPool *pool, ExprId e, Op selection) {
  const Expr *x = expr_get(pool, e);
  return is_reference(pool, x->op == OP_INDEX && selection == OP_FIELD ? x->args[0] : e);
}

/* function 'item of Real[:] by Integer' input Real a[:]; input Integer i1; output Real item;
 * algorithm item := a[i1]; */
static Func *item_of(Printer *p, const Expr *index) {
  ExprPool *pool = p->m->pool;
  uint32_t n = index->n - 1;
  TypeId array = open_type(p, expr_get(pool, index->args[0])->type),
         item = open_type(p, index->type);
  Text name = {.arena = p->a};
  text_add(&name, "item of ");
  add_type_name(p, array, &name);
  for (uint32_t i = 0; i < n; i++) {
    text_add(&name, i ? ", " : " by ");
    add_type_name(p, open_type(p, expr_get(pool, index->args[i + 1])->type), &name);
  }
  Func *f = find_helper(p, text_str(&name));
  if (f)
    return f;
  f = new_helper(p, text_str(&name), n + 1, 1, n + 2);
  f->result = item;
  f->vars[0] = (FuncVar){.name = "a", .type = array};
  ExprId *args = NEW_ARRAY(p->a, ExprId, n + 1);
  args[0] = local(p, f, 0);
  for (uint32_t i = 1; i <= n; i++) {
    TypeId type = open_type(p, expr_get(pool, index->args[i])->type);
    f->vars[i] = (FuncVar){.name = arena_printf(keep(p), "i%u", i), .type = type};
    args[i] = local(p, f, i);
  }
  f->vars[n + 1] = (FuncVar){.name = "item", .type = item};
  Stmt *s = statement(p, STMT_ASSIGN, 1, expr_make(pool, OP_INDEX, item, n + 1, args));
  s->targets[0] = local(p, f, n + 1);
  add_statement(p, f, 1, s);
  return f;
}

/* function 'field re of Complex' input Complex r; output Real field; algorithm field := r.re; */
static Func *field_of(Printer *p, const Expr *field) {
  ExprPool *pool = p->m->pool;
  TypeId record = open_type(p, expr_get(pool, field->args[0])->type),
         type = open_type(p, field->type);
  Text name = {.arena = p->a};
  text_printf(&name, "field %s of ", type_get(pool, record)->decl->names[field->index]);
  add_type_name(p, record, &name);
  Func *f = find_helper(p, text_str(&name));
  if (f)
    return f;
  f = new_helper(p, text_str(&name), 1, 1, 2);
  f->result = type;
  f->vars[0] = (FuncVar){.name = "r", .type = record};
  f->vars[1] = (FuncVar){.name = "field", .type = type};
  ExprId r = local(p, f, 0);
  Stmt *s = statement(p, STMT_ASSIGN, 1,
                      expr_make_index(pool, OP_FIELD, type, field->index, 0, 1, &r));
  s->targets[0] = local(p, f, 1);
  add_statement(p, f, 1, s);
  return f;
}

/* ---- rewriting ---- */

static ExprId call_of(Printer *p, TypeId type, const Func *f, uint32_t n, const ExprId *args) {
  return expr_make_ref(p->m->pool, OP_CALL, type, f, n, args);
}

static ExprId plain_part(Printer *p, const Expr *e) {
  const Expr *call = expr_get(p->m->pool, e->args[0]);
  TypeId type;
  int64_t k = e->index;
  if (call->op != OP_CALL || !call->ref)
    return NO_EXPR;
  uint32_t output = output_of(p, call->type, &k, &type);
  /* The first result is what a call in an expression means */
  bool first = output == 0 && type.i == e->type.i;
  return call_of(p, e->type, first ? call->ref : part_of(p, call->ref, output, type, k), call->n,
                 call->args);
}

static ExprId plain_field(Printer *p, const Expr *e) {
  const Expr *from = expr_get(p->m->pool, e->args[0]);
  if (type_get(p->m->pool, from->type)->base == TY_TUPLE) { /* one of several results */
    if (from->op != OP_CALL || !from->ref)
      return NO_EXPR;
    return call_of(p, e->type, e->index ? part_of(p, from->ref, e->index, e->type, 0) : from->ref,
                   from->n, from->args);
  }
  return takes_selection(p->m->pool, e->args[0], OP_FIELD)
             ? NO_EXPR
             : call_of(p, e->type, field_of(p, e), 1, e->args);
}

/* promote(x, n) is no function of the language; matrix(x) and {x} are what it does to scalars and
 * vectors. */
static ExprId plain_promote(Printer *p, const Expr *e) {
  ExprPool *pool = p->m->pool;
  int64_t n = 0;
  uint32_t has = type_get(pool, expr_get(pool, e->args[0])->type)->n_dims;
  if (!expr_as_integer(pool, e->args[1], &n) || n > 2)
    return NO_EXPR;
  if (n <= has)
    return e->args[0];
  return expr_make(pool, n == 2 ? OP_MATRIX : OP_ARRAY, e->type, 1, e->args);
}

static ExprId plain_node(void *user, ExprId id) {
  Printer *p = user;
  const Expr *e = expr_get(p->m->pool, id);
  if (e->op == OP_PART)
    return plain_part(p, e);
  if (e->op == OP_FIELD)
    return plain_field(p, e);
  if (e->op == OP_PROMOTE)
    return plain_promote(p, e);
  if (e->op == OP_INDEX && !takes_selection(p->m->pool, e->args[0], OP_INDEX))
    return call_of(p, e->type, item_of(p, e), e->n, e->args);
  return NO_EXPR;
}

typedef struct {
  const ExprPool *pool;
  bool found;
} Odd;

static void look_for_odd(void *user, ExprId e) {
  Odd *o = user;
  const Expr *x = expr_get(o->pool, e);
  bool selects = x->op == OP_INDEX || x->op == OP_FIELD;
  o->found |= x->op == OP_PART || x->op == OP_PROMOTE ||
              (selects && !takes_selection(o->pool, x->args[0], x->op));
}

ExprId flat_print_plain(Printer *p, ExprId e) {
  Odd odd = {p->m->pool, false};
  expr_walk(p->m->pool, e, look_for_odd, &odd);
  return odd.found ? expr_rewrite(p->m->pool, e, plain_node, p) : e;
}
