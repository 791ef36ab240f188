/* flat/print_func.c -- the classes nested in a printed flat model: enumerations, records, external
 * objects, functions with their statements and annotations. */
#include <stdlib.h>
#include <string.h>

#include "flat/check_impl.h"
#include "flat/print_impl.h"

/* ---- scopes ---- */

void flat_print_scope(Printer *p, const Func *f) {
  p->func = f;
  p->iterators.n = p->n_iterators = 0;
  p->taken = (Map){0};
  uint32_t n = f ? f->n_vars : p->m->vars.n;
  for (uint32_t i = 0; i < n; i++) {
    const char *name = f ? f->vars[i].name : p->m->vars.at[i].name;
    map_put(p->a, &p->taken, hash_bytes(name, strlen(name)) >> 1, 1);
  }
}

/* A variable of the function, or an iterator: i1, i2 ... in order of use, with underscores when a
 * variable has that name. */
void flat_print_iterator(Printer *p, uint32_t local, Text *out) {
  uint32_t n_vars = p->func ? p->func->n_vars : 0;
  if (local < n_vars) {
    flat_print_identifier(out, p->func->vars[local].name);
    return;
  }
  uint32_t number = local - n_vars;
  while (p->iterators.n <= number)
    vec_push(p->a, &p->iterators, NULL);
  if (!p->iterators.at[number]) {
    char *name = arena_printf(p->a, "i%u", ++p->n_iterators);
    for (uint64_t unused = 0; map_get(&p->taken, hash_bytes(name, strlen(name)) >> 1, &unused);)
      name = arena_printf(p->a, "%s_", name);
    p->iterators.at[number] = name;
  }
  text_add(out, p->iterators.at[number]);
}

/* ---- statements ---- */

void flat_print_assert(Printer *p, ExprId condition, ExprId message, ExprId level) {
  int64_t number = 0;
  text_add(p->out, "assert(");
  flat_print_expr(p, condition);
  text_add(p->out, ", ");
  flat_print_expr(p, message);
  if (level.i && expr_as_integer(p->m->pool, level, &number)) {
    text_add(p->out, number == 1 ? ", AssertionLevel.warning" : "");
  } else if (level.i) {
    bool integer = type_get(p->m->pool, expr_get(p->m->pool, level)->type)->base == TY_INTEGER;
    text_add(p->out, integer ? ", if (" : ", ");
    flat_print_expr(p, level);
    text_add(p->out, integer ? ") == 1 then AssertionLevel.warning else AssertionLevel.error" : "");
  }
  text_char(p->out, ')');
}

static void print_assign(Printer *p, const Stmt *s) {
  const Expr *x = expr_get(p->m->pool, s->value);
  bool second = x->op == OP_SPATIAL && !expr_is_zero(p->m->pool, x->args[0]); /* of two results */
  text_add(p->out, second ? "(, " : "");
  flat_print_expr(p, s->targets[0]);
  text_add(p->out, second ? ") := " : " := ");
  flat_print_expr(p, s->value);
  text_char(p->out, ';');
}

static void print_statement_tuple(Printer *p, const Stmt *s) {
  uint32_t n = s->n_targets;
  while (n && !s->targets[n - 1].i)
    n--;
  for (uint32_t i = 0; i < n; i++) {
    text_add(p->out, i ? ", " : n > 1 ? "(" : "");
    if (s->targets[i].i)
      flat_print_expr(p, s->targets[i]);
  }
  text_add(p->out, n > 1 ? ") := " : n ? " := " : "");
  flat_print_expr(p, s->value);
  text_char(p->out, ';');
}

static void print_branches(Printer *p, const Stmt *s, const char *word) {
  for (uint32_t k = 0; k < s->n_branches; k++) {
    const StmtBranch *b = &s->branches[k];
    if (k)
      flat_print_line(p);
    if (b->condition.i) {
      text_printf(p->out, "%s%s ", k ? "else" : "", word);
      flat_print_expr(p, b->condition);
      text_add(p->out, " then");
    } else {
      text_add(p->out, "else");
    }
    p->indent++;
    flat_print_statements(p, b->body, b->n);
    p->indent--;
  }
  flat_print_line(p);
  text_printf(p->out, "end %s;", word);
}

static void print_loop(Printer *p, const Stmt *s) {
  bool is_for = s->kind == STMT_FOR;
  text_add(p->out, is_for ? "for " : "while ");
  if (is_for) {
    flat_print_iterator(p, s->iterator, p->out);
    text_add(p->out, " in ");
  }
  flat_print_expr(p, is_for ? s->value : s->branches[0].condition);
  text_add(p->out, " loop");
  p->indent++;
  flat_print_statements(p, s->branches[0].body, s->branches[0].n);
  p->indent--;
  flat_print_line(p);
  text_add(p->out, is_for ? "end for;" : "end while;");
}

static void print_call_of(Printer *p, const char *name, ExprId a, ExprId b) {
  text_printf(p->out, "%s(", name);
  flat_print_expr(p, a);
  if (b.i) {
    text_add(p->out, ", ");
    flat_print_expr(p, b);
  }
  text_add(p->out, ");");
}

static void print_statement(Printer *p, const Stmt *s) {
  switch (s->kind) {
  case STMT_ASSIGN: print_assign(p, s); return;
  case STMT_TUPLE: print_statement_tuple(p, s); return;
  case STMT_CALL:
    flat_print_expr(p, s->value);
    text_char(p->out, ';');
    return;
  case STMT_ASSERT:
    flat_print_assert(p, s->value, s->message, s->level);
    text_char(p->out, ';');
    return;
  case STMT_TERMINATE: print_call_of(p, "terminate", s->message, NO_EXPR); return;
  case STMT_REINIT: print_call_of(p, "reinit", s->targets[0], s->value); return;
  case STMT_IF: print_branches(p, s, "if"); return;
  case STMT_WHEN: print_branches(p, s, "when"); return;
  case STMT_FOR:
  case STMT_WHILE: print_loop(p, s); return;
  case STMT_BREAK: text_add(p->out, "break;"); return;
  case STMT_RETURN: text_add(p->out, "return;"); return;
  }
}

/* The call of which the statement takes a part, if it is one with several results. */
static ExprId parted_call(const Printer *p, const Stmt *s) {
  const ExprPool *pool = p->m->pool;
  const Expr *x = s->kind == STMT_ASSIGN ? expr_get(pool, s->value) : NULL;
  const Expr *call = x && x->op == OP_PART ? expr_get(pool, x->args[0]) : NULL;
  bool tuple = call && call->op == OP_CALL && call->ref &&
               type_get(pool, call->type)->base == TY_TUPLE;
  return tuple && expr_get(pool, s->targets[0])->op == OP_VAR ? x->args[0] : NO_EXPR;
}

/* How many statements from the first one on are a := part(f(x), i); b := part(f(x), j) ... with i <
 * j < ...:
 * one statement (a, b) := f(x), if f(x) reads none of what they assign. */
static uint32_t parts_together(const Printer *p, Stmt *const *body, uint32_t n) {
  const ExprPool *pool = p->m->pool;
  ExprId call = parted_call(p, body[0]);
  uint32_t k = 0, next = 0;
  Reader r;
  if (!call.i)
    return 0;
  reader_init(&r, p->m, p->a);
  reader_start(&r);
  reader_add(&r, call, READ_CURRENT);
  for (; k < n && parted_call(p, body[k]).i == call.i; k++) {
    uint32_t part = expr_get(pool, body[k]->value)->index,
             to = expr_get(pool, body[k]->targets[0])->index;
    if (part < next || r.var_seen[to] == r.stamp)
      break;
    next = part + 1;
  }
  return k;
}

static void print_together(Printer *p, Stmt *const *body, uint32_t n) {
  const ExprPool *pool = p->m->pool;
  const Expr *call = expr_get(pool, expr_get(pool, body[0]->value)->args[0]);
  uint32_t last = expr_get(pool, body[n - 1]->value)->index;
  Stmt all = {
      .kind = STMT_TUPLE, .n_targets = last + 1, .targets = NEW_ARRAY(p->a, ExprId, last + 1)};
  for (uint32_t k = 0; k < n; k++)
    all.targets[expr_get(pool, body[k]->value)->index] = body[k]->targets[0];
  all.value = flat_print_scalar_call(p, call);
  print_statement_tuple(p, &all);
}

void flat_print_statements(Printer *p, Stmt *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n;) {
    uint32_t parts = parts_together(p, body + i, n - i);
    flat_print_line(p);
    if (parts > 1)
      print_together(p, body + i, parts);
    else
      print_statement(p, body[i]);
    i += parts > 1 ? parts : 1;
  }
}

/* ---- types ---- */

static bool is_predefined(const TypeDecl *d) {
  return strcmp(d->name, "StateSelect") == 0 || strcmp(d->name, "AssertionLevel") == 0;
}

/* [3, :] of a type; `dims`: expressions where they are known, may be NULL. */
static void print_dims(Printer *p, TypeId type, const ExprId *dims) {
  const Type *t = type_get(p->m->pool, type);
  for (uint32_t i = 0; i < t->n_dims; i++) {
    text_add(p->out, i ? ", " : "[");
    if (dims && dims[i].i)
      flat_print_expr(p, dims[i]);
    else if (t->dims[i] == DIM_UNKNOWN)
      text_char(p->out, ':');
    else
      text_printf(p->out, "%d", t->dims[i]);
  }
  text_add(p->out, t->n_dims ? "]" : "");
}

static void print_enumeration(Printer *p, const TypeDecl *d) {
  text_printf(p->out, "type %s = enumeration(", flat_print_local_name(p, d, d->name));
  for (uint32_t i = 0; i < d->n; i++) {
    text_add(p->out, i ? ", " : "");
    flat_print_identifier(p->out, d->names[i]);
  }
  text_add(p->out, ");");
}

static void print_record(Printer *p, const TypeDecl *d) {
  const char *name = flat_print_local_name(p, d, d->name);
  text_printf(p->out, "record %s", name);
  p->indent++;
  for (uint32_t i = 0; i < d->n; i++) {
    flat_print_line(p);
    flat_print_type(p, d->types[i]);
    text_char(p->out, ' ');
    flat_print_identifier(p->out, d->names[i]);
    print_dims(p, d->types[i], NULL);
    if (d->units && d->units[i]) {
      text_add(p->out, type_is_scalar(p->m->pool, d->types[i]) ? "(unit = " : "(each unit = ");
      flat_print_string(p->out, d->units[i]);
      text_char(p->out, ')');
    }
    text_char(p->out, ';');
  }
  p->indent--;
  flat_print_line(p);
  text_printf(p->out, "end %s;", name);
}

typedef struct {
  const char *name;
  const TypeDecl *decl;
} NamedType;

static int by_type_name(const void *a, const void *b) {
  return strcmp(((const NamedType *)a)->name, ((const NamedType *)b)->name);
}

void flat_print_types(Printer *p) {
  VEC(NamedType) all = {0};
  for (uint32_t i = 0; i < p->m->types.n; i++)
    if (!is_predefined(p->m->types.at[i]))
      vec_push(p->a, &all,
               (NamedType){flat_print_local_name(p, p->m->types.at[i], p->m->types.at[i]->name),
                           p->m->types.at[i]});
  if (all.n)
    /* The order of first use may change when the text is read back */
    qsort(all.at, all.n, sizeof *all.at, by_type_name);
  for (uint32_t i = 0; i < all.n; i++) {
    const TypeDecl *d = all.at[i].decl;
    flat_print_line(p);
    if (d->types)
      print_record(p, d);
    else
      print_enumeration(p, d);
  }
}

/* ---- functions ---- */

typedef struct {
  const ExprPool *pool;
  bool found;
} Refs;

static void look_for_refs(void *user, ExprId e) {
  Refs *r = user;
  r->found |= expr_get(r->pool, e)->op == OP_REF;
}

/* A default that reads a variable of the instance tree is left out: calls in a flat model give all
 * such arguments. */
static void print_func_var(Printer *p, const Func *f, uint32_t i) {
  const FuncVar *v = &f->vars[i];
  bool function = type_get(p->m->pool, v->type)->base == TY_FUNCTION;
  Func *signature = function ? flat_print_signature(p, f, i) : NULL;
  flat_print_line(p);
  text_add(p->out, i < f->n_inputs ? "input " : i < f->n_inputs + f->n_outputs ? "output " : "");
  if (signature)
    text_add(p->out, flat_print_local_name(p, signature, signature->name));
  else
    flat_print_type(p, v->type);
  text_char(p->out, ' ');
  flat_print_identifier(p->out, v->name);
  print_dims(p, v->type, v->dims);
  Refs refs = {p->m->pool, false};
  if (v->binding.i)
    expr_walk(p->m->pool, v->binding, look_for_refs, &refs);
  if (v->binding.i && !refs.found) {
    text_add(p->out, " = ");
    flat_print_expr(p, v->binding);
  }
  text_char(p->out, ';');
}

static void print_func_vars(Printer *p, const Func *f) {
  for (uint32_t i = 0; i < f->n_vars; i++) {
    if (i == f->n_inputs + f->n_outputs) {
      p->indent--;
      flat_print_line(p);
      text_add(p->out, "protected");
      p->indent++;
    }
    print_func_var(p, f, i);
  }
}

static void print_strings(Printer *p, const char **before, const char *name,
                          const char *const *items, uint32_t n) {
  if (!n)
    return;
  text_printf(p->out, "%s%s = %s", *before, name, n > 1 ? "{" : "");
  for (uint32_t i = 0; i < n; i++) {
    text_add(p->out, i ? ", " : "");
    flat_print_string(p->out, items[i]);
  }
  text_add(p->out, n > 1 ? "}" : "");
  *before = ", ";
}

/* external "C" y = f(a, size(a, 1)) annotation(Library = "m"); */
static void print_external(Printer *p, const Func *f) {
  flat_print_line(p);
  text_add(p->out, "external ");
  flat_print_string(p->out, f->language ? f->language : "C");
  text_char(p->out, ' ');
  if (f->external_result.i) {
    flat_print_expr(p, f->external_result);
    text_add(p->out, " = ");
  }
  text_printf(p->out, "%s(", f->external);
  for (uint32_t i = 0; i < f->n_external_args; i++) {
    text_add(p->out, i ? ", " : "");
    flat_print_expr(p, f->external_args[i]);
  }
  text_char(p->out, ')');
  const char *before = " annotation(";
  print_strings(p, &before, "Library", f->libraries, f->n_libraries);
  print_strings(p, &before, "Include", f->includes, f->n_includes);
  print_strings(p, &before, "IncludeDirectory", f->include_dirs, f->n_include_dirs);
  print_strings(p, &before, "LibraryDirectory", f->library_dirs, f->n_library_dirs);
  text_add(p->out, before[0] == ',' ? ");" : ";");
}

static bool is_printed(const Printer *p, const Func *f) {
  for (uint32_t i = 0; i < p->m->functions.n; i++)
    if (p->m->functions.at[i] == f)
      return true;
  for (uint32_t i = 0; i < p->helpers.n; i++)
    if (p->helpers.at[i] == f)
      return true;
  return false;
}

static void print_marked_inputs(Printer *p, const Func *f, const bool *marks, const char *word,
                                const char **before) {
  for (uint32_t i = 0; marks && i < f->n_inputs; i++) {
    if (!marks[i])
      continue;
    text_printf(p->out, "%s%s = ", *before, word);
    flat_print_identifier(p->out, f->vars[i].name);
    *before = ", ";
  }
}

static void print_derivative(Printer *p, const Func *f, const FuncDerivative *d) {
  const char *before = "(";
  text_add(p->out, "derivative");
  if (d->order > 1) {
    text_printf(p->out, "(order = %d", d->order);
    before = ", ";
  }
  print_marked_inputs(p, f, d->zero_derivative, "zeroDerivative", &before);
  print_marked_inputs(p, f, d->no_derivative, "noDerivative", &before);
  text_printf(p->out, "%s = %s", before[0] == ',' ? ")" : "",
              flat_print_local_name(p, d->function, d->function->name));
}

static void print_annotations(Printer *p, const Func *f) {
  Text *whole = p->out, inner = {.arena = p->a};
  p->out = &inner;
  if (f->inline_)
    text_add(&inner, "Inline = true");
  if (f->generate_events)
    text_printf(&inner, "%sGenerateEvents = true", inner.n ? ", " : "");
  if (f->smooth_order > 0)
    text_printf(&inner, "%ssmoothOrder = %d", inner.n ? ", " : "", f->smooth_order);
  for (uint32_t i = 0; i < f->n_derivatives; i++) {
    if (!f->derivatives[i].function || !is_printed(p, f->derivatives[i].function))
      continue;
    text_add(&inner, inner.n ? ", " : "");
    print_derivative(p, f, &f->derivatives[i]);
  }
  p->out = whole;
  if (!inner.n)
    return;
  flat_print_line(p);
  text_printf(whole, "annotation(%s);", text_str(&inner));
}

static void print_function(Printer *p, const Func *f, const char *name) {
  flat_print_scope(p, f);
  flat_print_line(p);
  text_printf(p->out, "%sfunction %s",
              f->impure                      ? "impure "
              : !f->complete && !f->external ? "partial "
                                             : "",
              name);
  p->indent++;
  print_func_vars(p, f);
  p->indent--;
  if (f->external) {
    print_external(p, f);
  } else if (f->complete) {
    flat_print_line(p);
    text_add(p->out, "algorithm");
  }
  p->indent++;
  flat_print_statements(p, f->body, f->n_body);
  print_annotations(p, f);
  p->indent--;
  flat_print_line(p);
  text_printf(p->out, "end %s;", name);
}

/* The constructor or destructor of an external object; NULL if the model has none. */
static const Func *member_of(const Printer *p, const TypeDecl *d, const char *member) {
  const char *name = arena_printf(p->a, "%s.%s", d->name, member);
  for (uint32_t i = 0; i < p->m->functions.n; i++)
    if (strcmp(p->m->functions.at[i]->name, name) == 0)
      return p->m->functions.at[i];
  return NULL;
}

static void print_external_object(Printer *p, const TypeDecl *d) {
  static const char *const members[] = {"constructor", "destructor"};
  const char *name = flat_print_local_name(p, d, d->name);
  flat_print_line(p);
  text_printf(p->out, "class %s", name);
  p->indent++;
  flat_print_line(p);
  text_add(p->out, "extends ExternalObject;");
  for (uint32_t k = 0; k < 2; k++) {
    const Func *f = member_of(p, d, members[k]);
    if (f) {
      print_function(p, f, members[k]);
    } else {
      flat_print_line(p);
      text_printf(p->out, "// its %s is not part of the flat model", members[k]);
    }
  }
  p->indent--;
  flat_print_line(p);
  text_printf(p->out, "end %s;", name);
}

static bool is_member(const Printer *p, const Func *f) {
  for (uint32_t i = 0; i < p->externals.n; i++)
    if (member_of(p, p->externals.at[i], "constructor") == f ||
        member_of(p, p->externals.at[i], "destructor") == f)
      return true;
  return false;
}

typedef struct {
  const char *name; /* quoted or not */
  const char *text;
} Printed;

static int by_name(const void *x, const void *y) {
  const char *a = ((const Printed *)x)->name, *b = ((const Printed *)y)->name;
  return strcmp(a + (*a == '\''), b + (*b == '\''));
}

static Printed printed(Printer *p, const Func *f) {
  Text *whole = p->out, own = {.arena = p->a};
  Printed r = {flat_print_local_name(p, f, f->name), NULL};
  p->out = &own;
  print_function(p, f, r.name);
  p->out = whole;
  r.text = text_str(&own);
  return r;
}

/* In order of names: the order of first use changes when helpers become functions of a text that is
 * read back. */
void flat_print_functions(Printer *p) {
  VEC(Printed) all = {0};
  for (uint32_t i = 0; i < p->externals.n; i++)
    print_external_object(p, p->externals.at[i]);
  for (uint32_t i = 0; i < p->m->functions.n; i++) {
    const Func *f = p->m->functions.at[i];
    if (!f->is_record_constructor && !is_member(p, f))
      vec_push(p->a, &all, printed(p, f));
  }
  for (uint32_t i = 0; i < p->helpers.n; i++) /* printing one may ask for another */
    vec_push(p->a, &all, printed(p, p->helpers.at[i]));
  if (all.n)
    qsort(all.at, all.n, sizeof *all.at, by_name);
  for (uint32_t i = 0; i < all.n; i++)
    text_add(p->out, all.at[i].text);
}
