/* instance/function.c -- functions, record constructors and external objects: class -> Func (MLS
 * 3.6 chapter 12).
 * The variables are typed first, so that a recursive call finds the signature; then the body.
 * Keep: variables are numbered inputs, outputs, protected, each in order of the text with inherited
 *       ones first. */
#include "instance/inst.h"

#include <string.h>

/* ---- types of classes ---- */

static const TypeDecl *shared_decl(World *w, Class *c, TypeDecl *d) {
  for (uint32_t i = 0; i < w->decls.n; i++) {
    const TypeDecl *old = w->decls.at[i];
    bool same = old->owner == d->owner && old->n == d->n &&
                (old->types == NULL) == (d->types == NULL) && strcmp(old->name, d->name) == 0;
    for (uint32_t k = 0; same && k < d->n; k++)
      same = old->names[k] == d->names[k] && (!d->types || old->types[k].i == d->types[k].i);
    if (same)
      return old;
  }
  TypeDecl *fresh = NEW(w->arena, TypeDecl);
  *fresh = *d;
  vec_push(w->arena, &w->decls, fresh);
  vec_push(w->arena, &w->decl_classes, c);
  return fresh;
}

static const AstClass *enumeration_text(const Class *c) {
  while (c && !(c->ast && c->ast->form == FORM_ENUM))
    c = c->bases.n ? c->bases.at[0].cls : NULL;
  return c ? c->ast : NULL;
}

const TypeDecl *class_decl(World *w, Class *c) {
  if (c->decl)
    return c->decl;
  if (!class_expand(w, c))
    return NULL;
  TypeDecl d = {.name = class_full_name(c), .owner = c->ast};
  const AstClass *text = c->predefined == TY_ENUM ? enumeration_text(c) : NULL;
  if (text) {
    d.n = text->n_literals;
    d.names = NEW_ARRAY(w->arena, const char *, d.n);
    for (uint32_t i = 0; i < d.n; i++)
      d.names[i] = text->literals[i].name;
  } else if (!c->is_external_object) {
    d.names = NEW_ARRAY(w->arena, const char *, c->elements.n);
    d.types = NEW_ARRAY(w->arena, TypeId, c->elements.n);
    for (uint32_t i = 0; i < c->elements.n; i++) {
      Element *e = c->elements.at[i];
      if (e->kind != ELEMENT_COMPONENT)
        continue;
      if (!element_resolve(w, e))
        return NULL;
      if (e->absent)
        continue;
      d.names[d.n] = e->name;
      d.types[d.n++] = e->type;
    }
  }
  return c->decl = shared_decl(w, c, &d);
}

TypeId class_type(World *w, Class *c) {
  if (!class_expand(w, c))
    return NO_TYPE;
  if (c->is_external_object)
    return type_of_decl(w->pool, TY_EXTERNAL, class_decl(w, c));
  if (c->is_function)
    return type_scalar(w->pool, TY_FUNCTION);
  if (c->predefined == TY_ENUM)
    return type_of_decl(w->pool, TY_ENUM, class_decl(w, c));
  if (c->predefined != TY_NONE)
    return type_scalar(w->pool, c->predefined);
  if (c->is_record) {
    const TypeDecl *d = class_decl(w, c);
    return d ? type_of_decl(w->pool, TY_RECORD, d) : NO_TYPE;
  }
  return NO_TYPE;
}

/* ---- variables ---- */

typedef VEC(Element *) Variables;

/* Of the declaration, of what it redeclares, or of its type: type In = input Real. */
static AstDirection direction_of(World *w, const Element *e) {
  AstDirection d = e->ast->direction != DIR_NONE || !e->original ? e->ast->direction
                                                                 : e->original->direction;
  Element *type = d == DIR_NONE ? lookup_type_name(w, e->scope, e->ast->path) : NULL;
  return type && class_primitive(w, type) != TY_NONE ? type->prim_direction : d;
}

static void collect(World *w, Class *c, Func *f, Variables *out) {
  bool record = f->is_record_constructor;
  for (uint32_t pass = 0; pass < 3; pass++)
    for (uint32_t i = 0; i < c->elements.n; i++) {
      Element *e = c->elements.at[i];
      if (e->kind != ELEMENT_COMPONENT)
        continue;
      AstDirection d = record ? DIR_INPUT : direction_of(w, e);
      uint32_t group = d == DIR_INPUT ? 0 : d == DIR_OUTPUT ? 1 : 2;
      if (group != pass)
        continue;
      vec_push(w->arena, out, e);
      e->local = out->n;
      f->n_inputs += group == 0;
      f->n_outputs += group == 1;
    }
  f->n_vars = f->n_locals = out->n;
}

/* All public components of a function are inputs or outputs (MLS 12.2). */
static void check_formal(World *w, const Element *e, bool local) {
  if (!local || e->is_protected)
    return;
  Diag *d = diag_add(w->diags, D_N010, e->ast->span,
                     "`%s` is public in a function, but neither input nor output", e->name);
  diag_help(w->diags, d, "move it below `protected`");
}

static bool type_variables(World *w, Func *f, const Variables *vars) {
  f->vars = NEW_ARRAY(w->arena, FuncVar, f->n_vars);
  bool ok = true;
  for (uint32_t i = 0; i < f->n_vars; i++)
    f->vars[i].name = vars->at[i]->name;
  for (uint32_t i = 0; i < f->n_vars; i++) {
    Element *e = vars->at[i];
    if (!element_resolve(w, e)) {
      ok = false;
      continue;
    }
    if (!e->type.i) {
      diag_add(w->diags, D_T301, e->ast->span,
               "`%s` of this class cannot be a variable of a function", e->name);
      ok = false;
    }
    f->vars[i].type = e->type;
    f->vars[i].dims = e->dim_exprs;
    f->vars[i].span = e->ast->span;
    check_formal(w, e, i >= f->n_inputs + f->n_outputs);
  }
  return ok;
}

static ExprId zero_of(World *w, TypeId type) {
  const Type *t = type_get(w->pool, type);
  switch (t->n_dims ? TY_NONE : t->base) {
  case TY_REAL: return expr_real(w->pool, 0);
  case TY_INTEGER: return expr_integer(w->pool, 0);
  case TY_BOOLEAN: return expr_boolean(w->pool, false);
  case TY_STRING: return expr_string(w->pool, "");
  case TY_ENUM: return expr_enum(w->pool, type, 1);
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return NO_EXPR;
}

/* A record variable starts from what is said of its fields: output Complex c(re = x, im = y). */
static ExprId record_default(World *w, Element *e) {
  if (!e->sample || !e->sample->is_record || e->n_dims)
    return NO_EXPR;
  const TypeDecl *d = class_decl(w, e->sample);
  ExprId *fields = NEW_ARRAY(w->arena, ExprId, d->n);
  bool given = false;
  for (uint32_t i = 0; i < d->n; i++) {
    Element *field = lookup_in(w, e->sample, d->names[i]);
    fields[i] = element_binding(w, field);
    given |= fields[i].i != 0;
    if (!fields[i].i)
      fields[i] = zero_of(w, d->types[i]);
    if (!fields[i].i)
      return NO_EXPR;
  }
  return given ? expr_make(w->pool, OP_RECORD, e->type, d->n, fields) : NO_EXPR;
}

static bool type_defaults(World *w, Func *f, const Variables *vars) {
  bool ok = true;
  for (uint32_t i = 0; i < f->n_vars; i++) {
    f->vars[i].binding = element_binding(w, vars->at[i]);
    if (!f->vars[i].binding.i && i >= f->n_inputs)
      f->vars[i].binding = record_default(w, vars->at[i]);
    ok = ok && !vars->at[i]->mod_failed;
  }
  return ok;
}

/* ---- annotations ---- */

static const AstMod *annotation_named(const AstMod *annotation, const char *name) {
  for (uint32_t i = 0; annotation && i < annotation->n_subs; i++) {
    const AstMod *m = annotation->subs[i];
    if (m->ref && m->ref->n == 1 && strcmp(m->ref->parts[0].name, name) == 0)
      return m;
  }
  return NULL;
}

static bool annotation_true(const AstMod *annotation, const char *name) {
  const AstMod *m = annotation_named(annotation, name);
  return m && m->value && m->value->kind == AST_BOOLEAN && m->value->integer;
}

/* "a" or {"a", "b"} */
static const char **string_list(World *w, const AstMod *annotation, const char *name, uint32_t *n) {
  const AstMod *m = annotation_named(annotation, name);
  *n = 0;
  if (!m || !m->value)
    return NULL;
  uint32_t most = m->value->kind == AST_ARRAY ? m->value->n : 1;
  const char **list = NEW_ARRAY(w->arena, const char *, most);
  for (uint32_t i = 0; i < most; i++) {
    const AstExp *e = m->value->kind == AST_ARRAY ? m->value->items[i] : m->value;
    if (e->kind == AST_STRING)
      list[(*n)++] = e->string;
  }
  return list;
}

static void mark_inputs(const Func *f, const AstMod *m, bool *marks) {
  const AstRef *r = m->value && m->value->kind == AST_REF ? m->value->ref : NULL;
  for (uint32_t i = 0; r && i < f->n_inputs; i++)
    if (f->vars[i].name == r->parts[0].name)
      marks[i] = true;
}

/* derivative(order = 2, noDerivative = x) = f_der */
static void add_derivative(World *w, Class *c, Func *f, const AstMod *m, FuncDerivative *d) {
  d->order = 1;
  d->zero_derivative = NEW_ARRAY(w->arena, bool, f->n_inputs);
  d->no_derivative = NEW_ARRAY(w->arena, bool, f->n_inputs);
  for (uint32_t i = 0; i < m->n_subs; i++) {
    const char *name = m->subs[i]->ref ? m->subs[i]->ref->parts[0].name : "";
    if (strcmp(name, "order") == 0 && m->subs[i]->value && m->subs[i]->value->kind == AST_INTEGER)
      d->order = (int)m->subs[i]->value->integer;
    else if (strcmp(name, "zeroDerivative") == 0)
      mark_inputs(f, m->subs[i], d->zero_derivative);
    else if (strcmp(name, "noDerivative") == 0)
      mark_inputs(f, m->subs[i], d->no_derivative);
  }
  if (m->value && m->value->kind == AST_REF) {
    uint32_t mark = diags_count(w->diags);
    d->source = lookup_class(w, c, m->value->ref);
    if (!d->source)
      diags_rewind(w->diags, mark);
  }
}

static void take_annotations(World *w, Class *c, Func *f) {
  const AstMod *a = c->ast ? c->ast->annotation : NULL;
  f->smooth_order = -1;
  f->inline_ = annotation_true(a, "Inline") || annotation_true(a, "LateInline");
  f->generate_events = annotation_true(a, "GenerateEvents");
  const AstMod *smooth = annotation_named(a, "smoothOrder");
  if (smooth && smooth->value && smooth->value->kind == AST_INTEGER)
    f->smooth_order = (int)smooth->value->integer;
  uint32_t n = 0;
  for (uint32_t i = 0; a && i < a->n_subs; i++)
    n += a->subs[i]->ref && strcmp(a->subs[i]->ref->parts[0].name, "derivative") == 0;
  f->derivatives = NEW_ARRAY(w->arena, FuncDerivative, n);
  for (uint32_t i = 0; a && i < a->n_subs; i++)
    if (a->subs[i]->ref && strcmp(a->subs[i]->ref->parts[0].name, "derivative") == 0)
      add_derivative(w, c, f, a->subs[i], &f->derivatives[f->n_derivatives++]);
}

/* ---- body ---- */

/* Where none is given: the directory of the library (MLS 3.6 section 12.9.4). */
static void find_paths(World *w, Func *f) {
  f->library_paths = NEW_ARRAY(w->arena, const char *, f->n_library_dirs + 1);
  const char *usual = arena_printf(w->arena, "modelica://%.*s/Resources/Library",
                                   (int)strcspn(f->name, "."), f->name);
  for (uint32_t i = 0; i < f->n_library_dirs || i == 0; i++) {
    const char *given = f->n_library_dirs ? f->library_dirs[i] : usual,
               *path = library_resource(w->lib, given);
    if (path || f->n_library_dirs)
      f->library_paths[f->n_library_paths++] = path ? path : given;
  }
}

static bool type_external(Elab *el, Func *f, const AstExternal *x, const AstMod *class_annotation) {
  World *w = el->w;
  f->language = x->language;
  f->external = x->name ? x->name : el->scope->ast->name;
  f->external_args = NEW_ARRAY(w->arena, ExprId, x->n_args + f->n_inputs + f->n_outputs);
  bool ok = true;
  if (x->has_call) {
    for (uint32_t i = 0; i < x->n_args; i++) {
      f->external_args[i] = elab_exp(el, x->args[i]);
      ok = ok && f->external_args[i].i;
    }
    f->n_external_args = x->n_args;
    if (x->result)
      f->external_result = elab_ref(el, x->result);
  } else { /* all variables in order; one scalar output is the result (MLS 12.9.1) */
    bool returns = f->n_outputs == 1 && type_is_scalar(w->pool, f->vars[f->n_inputs].type);
    for (uint32_t i = 0; i < f->n_inputs + f->n_outputs; i++) {
      ExprId v = expr_local(w->pool, f->vars[i].type, i);
      if (i >= f->n_inputs && returns)
        f->external_result = v;
      else
        f->external_args[f->n_external_args++] = v;
    }
  }
  const AstMod *a = x->annotation ? x->annotation : class_annotation;
  f->libraries = string_list(w, a, "Library", &f->n_libraries);
  f->includes = string_list(w, a, "Include", &f->n_includes);
  f->include_dirs = string_list(w, a, "IncludeDirectory", &f->n_include_dirs);
  f->library_dirs = string_list(w, a, "LibraryDirectory", &f->n_library_dirs);
  find_paths(w, f);
  return ok;
}

typedef struct {
  World *w;
  Class *c;
  Func *f;
  bool ok, found;
} Body;

static void type_text(void *user, Class *text) {
  Body *b = user;
  Elab el = {.w = b->w, .scope = text, .function = b->f, .function_class = b->c};
  if (text->ast->external) {
    b->found = true;
    b->ok = type_external(&el, b->f, text->ast->external, text->ast->annotation) && b->ok;
  }
  for (uint32_t i = 0; i < text->ast->n_sections; i++) {
    const AstSection *s = &text->ast->sections[i];
    if (text->ast->external && s->kind == SECTION_ALGORITHM) {
      diag_add(b->w->diags, D_N010, s->span,
               "a function is external or has an algorithm, not both");
      b->ok = false;
      continue;
    }
    if (s->kind != SECTION_ALGORITHM || s->initial || i) {
      diag_add(b->w->diags, D_N010, s->span,
               i && s->kind == SECTION_ALGORITHM ? "a function has one algorithm only"
                                                 : "a function has an algorithm, no equations");
      b->ok = false;
      continue;
    }
    if (b->found && b->f->n_body)
      continue; /* a redeclared body replaces none: the first algorithm counts */
    b->found = true;
    b->ok = elab_statements(&el, s->statements, s->n, &b->f->body, &b->f->n_body) && b->ok;
  }
}

/* Is variable `i` assigned somewhere? */
static bool assigns(const ExprPool *p, Stmt *const *body, uint32_t n, uint32_t i) {
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t t = 0; t < body[k]->n_targets; t++) {
      const Expr *x = body[k]->targets[t].i ? expr_get(p, body[k]->targets[t]) : NULL;
      while (x && (x->op == OP_INDEX || x->op == OP_FIELD))
        x = expr_get(p, x->args[0]);
      if (x && x->op == OP_LOCAL && x->index == i)
        return true;
    }
    for (uint32_t b = 0; b < body[k]->n_branches; b++)
      if (assigns(p, body[k]->branches[b].body, body[k]->branches[b].n, i))
        return true;
  }
  return false;
}

static void check_outputs(World *w, const Class *c, const Func *f) {
  for (uint32_t i = f->n_inputs; i < f->n_inputs + f->n_outputs; i++) {
    const Type *t = type_get(w->pool, f->vars[i].type);
    bool empty = type_count(w->pool, f->vars[i].type) == 0;
    if (f->vars[i].binding.i || empty || t->base == TY_RECORD ||
        assigns(w->pool, f->body, f->n_body, i))
      continue;
    Diag *d = diag_add(w->diags, D_T309, f->vars[i].span,
                       "output `%s` of function `%s` never gets a value", f->vars[i].name,
                       c->element->name);
    diag_help(w->diags, d, "assign it in the algorithm, or give it a default");
  }
}

static Func *new_func(World *w, Class *c) {
  Func *f = NEW(w->arena, Func);
  f->name = class_full_name(c);
  for (uint32_t i = 0; i < w->funcs.n; i++)
    /* The same function with other constants around it */
    if (strcmp(w->funcs.at[i]->name, f->name) == 0) {
      f->name = arena_printf(w->arena, "%s#%u", class_full_name(c), w->funcs.n);
      break;
    }
  f->span = c->ast ? c->ast->name_span : (Span){0};
  f->owner = c;
  f->is_record_constructor = c->is_record;
  f->impure = c->ast && c->ast->purity == PURITY_IMPURE;
  c->func = f;
  vec_push(w->arena, &w->funcs, f);
  return f;
}

static void set_result(World *w, Class *c, Func *f) {
  if (f->is_record_constructor)
    f->result = class_type(w, c);
  else if (f->n_outputs == 1)
    f->result = f->vars[f->n_inputs].type;
  else if (f->n_outputs > 1) {
    TypeId *types = NEW_ARRAY(w->arena, TypeId, f->n_outputs);
    for (uint32_t i = 0; i < f->n_outputs; i++)
      types[i] = f->vars[f->n_inputs + i].type;
    f->result = type_tuple(w->pool, f->n_outputs, types);
  } else {
    f->result = type_scalar(w->pool, TY_NONE);
  }
}

static bool type_function(World *w, Class *c) {
  if (c->is_external_object) { /* its constructor makes it */
    Element *make = lookup_in(w, c, intern_str(w->names, "constructor"));
    Element *end = lookup_in(w, c, intern_str(w->names, "destructor"));
    c->func = make && make->kind == ELEMENT_CLASS ? function_get(w, class_view(w, make)) : NULL;
    if (c->func && end && end->kind == ELEMENT_CLASS)
      c->func->destructor = function_get(w, class_view(w, end));
    return c->func != NULL;
  }
  if (!c->is_function && !c->is_record) {
    diag_add(w->diags, D_N004, c->ast ? c->ast->name_span : (Span){0}, "`%s` is not a function",
             class_full_name(c));
    return false;
  }
  Func *f = new_func(w, c);
  Variables vars = {0};
  collect(w, c, f, &vars);
  bool ok = type_variables(w, f, &vars);
  if (!ok)
    return false;
  set_result(w, c, f);
  take_annotations(w, c, f);
  ok = type_defaults(w, f, &vars);
  if (f->is_record_constructor) {
    f->complete = true;
    return ok && f->result.i;
  }
  c->func_state = STATE_DONE; /* the signature is there: recursive calls may use it */
  Body b = {w, c, f, ok, false};
  class_texts(c, type_text, &b);
  if (!b.found && !(c->ast && c->ast->partial) && !f->external) {
    f->complete = false;
    f->no_body = true; /* only its type can be used */
    return b.ok;
  }
  f->complete = b.ok;
  if (b.ok && !f->external && !class_is_partial(c))
    check_outputs(w, c, f);
  return b.ok;
}

Func *function_get(World *w, Class *c) {
  if (c->func_state == STATE_NEW) {
    c->func_state = STATE_BUSY;
    bool ok = class_expand(w, c) && type_function(w, c);
    c->func_state = ok ? STATE_DONE : STATE_FAILED;
  }
  return c->func_state == STATE_FAILED ? NULL : c->func;
}
