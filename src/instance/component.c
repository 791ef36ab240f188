/* instance/component.c -- a component gets its condition, type, dimensions and class instances;
 * bindings and values. Each is computed on demand, once; STATE_BUSY marks work under way, so that a
 * size that depends on itself is found. MLS 3.6 sections 4.4 (components), 4.8 (predefined types),
 * 5.4 (inner/outer), 7.2 (modification), 10.1 (arrays). */
#include <string.h>

#include "instance/inst.h"
#include "base/limits.h"

static Elab scope_of(World *w, Class *scope) {
  return (Elab){.w = w, .scope = scope, .function = class_self(scope)->func};
}

const char *element_path(World *w, const Element *e) {
  Class *self = class_self(e->owner);
  return *self->path ? arena_printf(w->arena, "%s.%s", self->path, e->name) : e->name;
}

Class *element_item(World *w, Element *e) {
  if (!element_resolve(w, e) || e->absent)
    return NULL;
  e = element_actual(w, e);
  return e->n_items ? e->items[0] : e->sample;
}

/* ---- prefixes ---- */

static void take_prefixes(Element *e) {
  const AstElement *ast = e->ast, *old = e->original;
  e->variability = ast->has_variability || !old ? ast->variability : old->variability;
  e->direction = ast->direction != DIR_NONE || !old ? ast->direction : old->direction;
  e->flow = ast->flow != FLOW_NONE || !old ? ast->flow : old->flow;
  e->is_inner = ast->inner || (old && old->inner);
  e->is_outer = ast->outer || (old && old->outer);
  /* a component inside a record or connector takes over what is said of the whole */
  const Element *whole = class_self(e->owner)->component;
  if (whole) {
    if (whole->variability > e->variability && whole->variability >= VAR_PARAMETER)
      e->variability = whole->variability;
    if (whole->direction != DIR_NONE)
      e->direction = whole->direction;
    if (whole->flow != FLOW_NONE)
      e->flow = whole->flow;
  }
}

/* annotation(Evaluate = true) */
static bool annotated_true(World *w, const AstMod *annotation, const char *name) {
  const char *wanted = intern_str(w->names, name);
  for (uint32_t i = 0; annotation && i < annotation->n_subs; i++) {
    const AstMod *m = annotation->subs[i];
    if (m->ref && m->ref->n == 1 && m->ref->parts[0].name == wanted && m->value)
      return m->value->kind == AST_BOOLEAN && m->value->integer;
  }
  return false;
}

/* ---- condition ---- */

static bool condition_holds(World *w, Element *e, bool *holds) {
  const AstExp *condition = e->ast->condition;
  Class *scope = e->scope;
  if (!condition && e->original && e->original->condition) {
    condition = e->original->condition;
    scope = e->original_scope;
  }
  *holds = true;
  if (!condition)
    return true;
  Elab el = scope_of(w, scope);
  ExprId c = elab_as(&el, condition, type_scalar(w->pool, TY_BOOLEAN),
                     "the condition of a component");
  Value v;
  if (!c.i || !elab_evaluate(&el, c, condition->span, &v))
    return false;
  *holds = v.at[0].integer != 0;
  return true;
}

/* ---- dimensions ---- */

typedef VEC(int32_t) Dims;

/* One dimension: a number, Boolean, an enumeration, or unknown (`:`). */
static bool size_value(World *w, const AstExp *size, Class *scope, const char *of, int64_t *n) {
  Elab el = scope_of(w, scope);
  ExprId x = elab_as(&el, size, type_scalar(w->pool, TY_INTEGER), "an array size");
  Value v;
  el.quiet = true;
  bool known = x.i && elab_evaluate(&el, x, size->span, &v);
  el.quiet = false;
  if (known)
    *n = v.at[0].integer;
  else if (x.i && elab_variability(w, x) < VAR_PARAMETER) {
    elab_error(&el, D_T307, size->span, "the size of `%s` is %s, which is known only at run time",
               of, elab_written(&el, size->span));
    elab_help(&el, "let it depend on parameters and constants only");
  } else if (x.i) {
    elab_evaluate(&el, x, size->span, &v); /* once more, to tell why it fails */
  }
  return known;
}

static bool one_dim(World *w, const AstExp *size, Class *scope, const char *of, int32_t *out,
                    TypeId *index) {
  *out = DIM_UNKNOWN;
  *index = NO_TYPE;
  if (size->kind == AST_COLON)
    return true;
  Elab el = scope_of(w, scope);
  Element *e = size->kind == AST_REF ? lookup_type_name(w, scope, size->ref) : NULL;
  TypeBase base = e ? class_primitive(w, e) : TY_NONE;
  if (base == TY_BOOLEAN || base == TY_ENUM) {
    *out = base == TY_BOOLEAN ? 2 : (int32_t)e->prim_decl->n;
    *index = base == TY_BOOLEAN ? type_scalar(w->pool, TY_BOOLEAN)
                                : type_of_decl(w->pool, TY_ENUM, e->prim_decl);
    return true;
  }
  int64_t n;
  if (!size_value(w, size, scope, of, &n))
    return false;
  if (n < 0 || n > INT32_MAX) {
    elab_error(&el, n < 0 ? D_T307 : D_K001, size->span,
               n < 0 ? "the size of `%s` is negative: %lld" : "the size of `%s` is too large: %lld",
               of, (long long)n);
    return false;
  }
  *out = (int32_t)n;
  return true;
}

/* A size in a function may depend on its inputs: then it is kept as an expression. */
static bool function_dim(World *w, Element *e, uint32_t i, const AstExp *size, Class *scope,
                         int32_t *out, TypeId *index) {
  *out = DIM_UNKNOWN;
  *index = NO_TYPE;
  if (size->kind == AST_COLON)
    return true;
  Elab el = scope_of(w, scope);
  uint32_t mark = diags_count(w->diags);
  ExprId n = elab_exp(&el, size);
  TypeBase base = n.i ? type_get(w->pool, expr_get(w->pool, n)->type)->base : TY_NONE;
  if (base != TY_INTEGER) { /* perhaps an enumeration or Boolean as a size */
    diags_rewind(w->diags, mark);
    return one_dim(w, size, scope, e->name, out, index);
  }
  int64_t known;
  Value v;
  el.quiet = true;
  if (expr_as_integer(w->pool, n, &known))
    *out = (int32_t)known;
  else if (elab_variability(w, n) >= VAR_PARAMETER && elab_evaluate(&el, n, size->span, &v))
    *out = (int32_t)v.at[0].integer;
  else
    e->dim_exprs[i] = n;
  return true;
}

static void add_dim(World *w, Element *e, Dims *dims, int32_t n, TypeId index) {
  vec_push(w->arena, dims, n);
  if (!index.i && !e->dim_index)
    return;
  TypeId *longer = NEW_ARRAY(w->arena, TypeId, dims->n);
  for (uint32_t i = 0; e->dim_index && i + 1 < dims->n; i++)
    longer[i] = e->dim_index[i];
  longer[dims->n - 1] = index;
  e->dim_index = longer;
}

static bool own_dims(World *w, Element *e, Dims *out) {
  const AstElement *ast = e->ast;
  Class *scope = e->scope;
  if (!ast->n_dims && e->original && e->original->kind == AST_COMPONENT) {
    ast = e->original;
    scope = e->original_scope;
  }
  if (e->local)
    e->dim_exprs = NEW_ARRAY(w->arena, ExprId, ast->n_dims + 8);
  for (uint32_t i = 0; i < ast->n_dims; i++) {
    int32_t n;
    TypeId index;
    if (e->local ? !function_dim(w, e, i, ast->dims[i], scope, &n, &index)
                 : !one_dim(w, ast->dims[i], scope, e->name, &n, &index))
      return false;
    add_dim(w, e, out, n, index);
  }
  return true;
}

static bool type_dims(World *w, Element *e, const Element *type, Dims *out) {
  for (uint32_t i = 0; i < type->prim_dims.n; i++) {
    int32_t n;
    TypeId index;
    if (!one_dim(w, type->prim_dims.at[i].size, type->prim_dims.at[i].scope, e->name, &n, &index))
      return false;
    add_dim(w, e, out, n, index);
  }
  return true;
}

static ExprId mod_value(World *w, Element *e, const Mod *m);

/* Sizes written as `:` come from the binding, or else from the start value. */
static bool dims_of_binding(World *w, Element *e, Dims *dims) {
  bool open = false;
  for (uint32_t i = 0; i < dims->n; i++)
    open |= dims->at[i] == DIM_UNKNOWN;
  if (!open || e->local || class_self(e->owner)->is_function)
    return true;
  uint32_t errors = diags_errors(w->diags);
  e->type = NO_TYPE; /* any: element_binding does not convert yet */
  ExprId b = element_binding(w, e);
  e->binding_state = STATE_NEW;
  const Mod *start = b.i ? NULL : mod_find(e->attributes, intern_str(w->names, "start"));
  if (mod_has_value(start) && !start->each)
    b = mod_value(w, e, start);
  const Type *t = b.i ? type_get(w->pool, expr_get(w->pool, b)->type) : NULL;
  if (!t || t->n_dims < dims->n) {
    if (!e->mod_failed && diags_errors(w->diags) == errors)
      diag_add(w->diags, D_T307, e->ast->span,
               "the size of `%s` is unknown: it has no value that would give it", e->name);
    return false;
  }
  for (uint32_t i = 0; i < dims->n; i++)
    if (dims->at[i] == DIM_UNKNOWN) {
      if (t->dims[i] == DIM_UNKNOWN) {
        Value v;
        Elab el = scope_of(w, e->scope);
        if (!elab_evaluate(&el, b, e->ast->span, &v))
          return false;
        t = type_get(w->pool, v.type);
      }
      dims->at[i] = t->dims[i];
    }
  return true;
}

/* ---- limits ---- */

static int64_t count_items(const Dims *dims) {
  int64_t n = 1;
  for (uint32_t i = 0; i < dims->n; i++)
    n = dims->at[i] < 0 || n > MOST_SCALARS ? n : n * dims->at[i];
  return n;
}

static bool small_enough(World *w, const Element *e, const Dims *dims, int32_t most) {
  if (dims->n > MOST_DIMS)
    diag_add(w->diags, D_K001, e->ast->span,
             "`%s` has %u dimensions; more than %d are not possible", e->name, dims->n, MOST_DIMS);
  else if (!e->local && count_items(dims) > most)
    diag_add(w->diags, D_K001, e->ast->span, "`%s` has more than %d elements", e->name, most);
  else
    return true;
  return false;
}

/* ---- type ---- */

/* A size in a function may refer to the array itself, Real A[:, size(A, 1)]: its type with open
 * sizes serves meanwhile. */
static void open_type(World *w, Element *e, TypeId element, uint32_t more) {
  const AstElement *ast = e->ast->n_dims || !e->original ? e->ast : e->original;
  e->n_dims = (ast->kind == AST_COMPONENT ? ast->n_dims : 0) + more;
  e->dims = NEW_ARRAY(w->arena, int32_t, e->n_dims + 1);
  for (uint32_t i = 0; i < e->n_dims; i++)
    e->dims[i] = DIM_UNKNOWN;
  e->type = type_array(w->pool, element, e->n_dims, e->dims);
}

/* The same in a model: the sizes come from the value. */
static void sizes_of_value(World *w, Element *e, TypeId element, uint32_t more) {
  const AstElement *ast = e->ast->n_dims || !e->original ? e->ast : e->original;
  bool open = false, computed = false;
  for (uint32_t i = 0; ast->kind == AST_COMPONENT && i < ast->n_dims; i++) {
    open |= ast->dims[i]->kind == AST_COLON;
    computed |= ast->dims[i]->kind == AST_CALL;
  }
  if (!open || !computed)
    return;
  ExprId b = element_binding(w, e);
  e->binding_state = STATE_NEW;
  const Type *t = b.i ? type_get(w->pool, expr_get(w->pool, b)->type) : NULL;
  if (t && t->n_dims == ast->n_dims + more && type_count(w->pool, expr_get(w->pool, b)->type) >= 0)
    e->type = type_array(w->pool, element, t->n_dims, t->dims);
}

static bool resolve_primitive(World *w, Element *e, Element *type) {
  e->attributes = mod_merge(w, e->mod, type->prim_mod);
  if (e->direction == DIR_NONE)
    e->direction = type->prim_direction;
  if (e->flow == FLOW_NONE)
    e->flow = type->prim_flow;
  e->is_connector = type->prim_kind == CLASS_CONNECTOR;
  e->class_kind = type->prim_kind;
  TypeId element = type->prim_base == TY_ENUM ? type_of_decl(w->pool, TY_ENUM, type->prim_decl)
                                              : type_scalar(w->pool, type->prim_base);
  if (e->local)
    open_type(w, e, element, type->prim_dims.n);
  else
    sizes_of_value(w, e, element, type->prim_dims.n);
  Dims dims = {0};
  if (!own_dims(w, e, &dims) || !type_dims(w, e, type, &dims) || !dims_of_binding(w, e, &dims) ||
      !small_enough(w, e, &dims, MOST_SCALARS))
    return false;
  e->n_dims = dims.n;
  e->dims = dims.at;
  restrict_attributes(w, e, type->prim_base);
  e->type = type_array(w->pool, element, e->n_dims, e->dims);
  return true;
}

static bool contains_itself(const Class *around, const AstClass *def) {
  /* a function's variables are no parts */
  for (const Class *c = around; c && !c->is_function; c = c->instance_parent) {
    for (const Class *b = c; b; b = b->derived)
      if (b->ast == def && b->component)
        return true;
  }
  return false;
}

/* The class instances of all array elements. */
static void make_items(World *w, Element *e, Element *type) {
  Class *around = class_self(e->owner);
  e->items = NEW_ARRAY(w->arena, Class *, e->n_items);
  int64_t index[MOST_DIMS] = {0};
  for (uint32_t k = 0; k < e->n_items; k++) {
    uint32_t rest = k;
    for (uint32_t d = e->n_dims; d-- > 0;) {
      index[d] = rest % (uint32_t)e->dims[d] + 1;
      rest /= (uint32_t)e->dims[d];
    }
    Mod *m = e->n_dims ? mod_item(w, e->mod, index, e->n_dims) : e->mod;
    e->items[k] = class_new(w, type, m, around, e, k);
  }
  if (!e->n_items)
    e->sample = class_new(w, type, e->mod, around, e, 0);
}

static bool resolve_class(World *w, Element *e, Element *type) {
  Class *around = class_self(e->owner);
  if (type->def && contains_itself(around, type->def)) {
    diag_add(w->diags, D_N003, e->ast->span,
             "component `%s` of class `%s` is part of itself without end", e->name, type->name);
    return false;
  }
  if (around->depth > MOST_COMPONENT_DEPTH) {
    diag_add(w->diags, D_P015, e->ast->span,
             "components are inside each other over more than %d levels", MOST_COMPONENT_DEPTH);
    return false;
  }
  Dims dims = {0};
  if (!own_dims(w, e, &dims))
    return false;
  if (!small_enough(w, e, &dims, MOST_ITEMS))
    return false;
  /* records: the size may come from the value; a trial instance tells the type */
  bool open = false;
  for (uint32_t i = 0; i < dims.n; i++)
    open |= dims.at[i] == DIM_UNKNOWN;
  if (open && !dims_of_binding(w, e, &dims))
    return false;
  if (!small_enough(w, e, &dims, MOST_ITEMS))
    return false;
  for (uint32_t i = 0; open && !e->local && i < dims.n; i++)
    open = dims.at[i] == DIM_UNKNOWN;
  e->n_dims = dims.n;
  e->dims = dims.at;
  e->n_items = open || e->local ? 0 : (uint32_t)count_items(&dims);
  make_items(w, e, type);
  Class *shape = e->n_items ? e->items[0] : e->sample;
  if (!class_expand(w, shape))
    return false;
  restrict_mods(w, e, shape);
  bool no_component = shape->kind == CLASS_PACKAGE || shape->kind == CLASS_OPERATOR ||
                      (shape->is_function && !class_self(e->owner)->is_function);
  if (no_component) {
    diag_add(w->diags, D_N004, e->ast->path->span,
             "`%s` is a %s and cannot be the class of a component", type->name,
             class_kind_text(shape->kind));
    return false;
  }
  e->class_kind = shape->kind;
  e->is_connector = shape->kind == CLASS_CONNECTOR || shape->kind == CLASS_EXPANDABLE;
  if (shape->ast && shape->ast->form == FORM_SHORT) { /* connector X = input R */
    if (e->direction == DIR_NONE)
      e->direction = shape->ast->direction;
    if (e->flow == FLOW_NONE)
      e->flow = shape->ast->flow;
  }
  TypeId t = class_type(w, shape);
  e->type = t.i ? type_array(w->pool, t, e->n_dims, e->dims) : NO_TYPE;
  return true;
}

/* ---- all of it ---- */

Element *element_actual(World *w, Element *e) {
  element_resolve(w, e);
  return e->inner ? e->inner : e;
}

Element *element_meant(World *w, Element *e) {
  element_resolve(w, e);
  return e->around ? e->around : element_actual(w, e);
}

static bool resolve(World *w, Element *e) {
  take_prefixes(e);
  e->evaluate = annotated_true(w, e->ast->annotation, "Evaluate");
  /* From a flat text */
  e->structural |= annotated_true(w, e->ast->annotation, "__NuSim_structural");
  bool holds;
  if (!condition_holds(w, e, &holds))
    return false;
  if (!holds) {
    e->absent = true;
    return true;
  }
  if (e->is_outer && !e->is_inner)
    return (e->inner = outer_component(w, e, true)) != NULL;
  if (e->is_outer)
    e->around = outer_component(w, e, false);
  if (e->ast->dynamic || e->ast->event) {
    Elab el = scope_of(w, e->scope);
    elab_extension(&el, e->ast->span,
                   e->ast->dynamic ? "dynamic components" : "event inputs and outputs");
    return false;
  }
  Element *type = lookup_class(w, e->scope, e->ast->path);
  if (!type)
    return false;
  e->type_class = type;
  return class_primitive(w, type) != TY_NONE ? resolve_primitive(w, e, type)
                                             : resolve_class(w, e, type);
}

bool element_resolve(World *w, Element *e) {
  switch (e->state) {
  case STATE_DONE: return true;
  case STATE_FAILED: return false;
  case STATE_BUSY:
    if (e->type.i)
      return true; /* its sizes are being computed and refer to the array itself */
    diag_add(w->diags, D_V003, e->ast->span, "the size or type of `%s` depends on itself", e->name);
    return false;
  case STATE_NEW: break;
  }
  e->state = STATE_BUSY;
  bool ok = resolve(w, e);
  e->state = ok ? STATE_DONE : STATE_FAILED;
  if (ok && !e->absent && !e->inner)
    restrict_component(w, e);
  return ok;
}

/* ---- bindings ---- */

/* value[i, j], with a hint when the value is not an array */
static ExprId index_value(World *w, Element *e, ExprId value, const Mod *m, uint32_t n) {
  const Type *t = type_get(w->pool, expr_get(w->pool, value)->type);
  if (t->n_dims < n) {
    Diag *d = diag_add(
        w->diags, D_T302, m->span,
        "the value of `%s` must be an array here: it modifies an array of components", e->name);
    diag_help(w->diags, d, "write `each %s = ...` to give every element the same value", e->name);
    return NO_EXPR;
  }
  ExprId *args = NEW_ARRAY(w->arena, ExprId, n + 1);
  args[0] = value;
  for (uint32_t i = 0; i < n; i++) {
    if (t->dims[i] != DIM_UNKNOWN && m->index[i] > t->dims[i]) {
      Diag *d = diag_add(
          w->diags, D_T302, m->span,
          "this value has %d element%s, too few for the array of components whose `%s` it sets",
          t->dims[i], t->dims[i] == 1 ? "" : "s", e->name);
      const Element *array = class_self(e->owner)->component;
      if (array)
        diag_label(w->diags, d, array->ast->span, "the array `%s`", array->name);
      return NO_EXPR;
    }
    args[1 + i] = expr_integer(w->pool, m->index[i]);
  }
  return expr_make(w->pool, OP_INDEX, type_element(w->pool, expr_get(w->pool, value)->type, n),
                   n + 1, args);
}

static ExprId mod_value(World *w, Element *e, const Mod *m) {
  Elab el = scope_of(w, m->scope);
  ExprId value = m->typed.i ? m->typed : elab_exp(&el, m->value);
  if (value.i && m->n_index)
    value = index_value(w, e, value, m, m->n_index);
  return value;
}

/* The item that r[2, 1] or r names; NULL if the expression is not of that form. */
static Class *item_of(World *w, const Expr *x) {
  const Expr *base = x->op == OP_INDEX ? expr_get(w->pool, x->args[0]) : x;
  if (base->op != OP_REF)
    return NULL;
  const Element *r = base->ref;
  if (r->n_dims != x->n - (x->op == OP_INDEX) || !r->n_items)
    return NULL;
  uint32_t item = 0;
  for (uint32_t d = 0; d < r->n_dims; d++) {
    int64_t k;
    if (!expr_as_integer(w->pool, x->args[d + 1], &k) || k < 1 || k > r->dims[d])
      return NULL;
    item = item * (uint32_t)r->dims[d] + (uint32_t)(k - 1);
  }
  return r->items[item];
}

/* value.field, pushed down to the component that holds it: its other fields need not have
 * values. */
static ExprId field_expr(World *w, ExprId value, uint32_t field) {
  const Expr *x = expr_get(w->pool, value);
  const Type *t = type_get(w->pool, x->type);
  TypeId type = t->decl->types[field];
  if (x->op == OP_IF) {
    ExprId args[3] = {x->args[0], field_expr(w, x->args[1], field),
                      field_expr(w, x->args[2], field)};
    return expr_make(w->pool, OP_IF, type, 3, args);
  }
  Class *item = item_of(w, x);
  Element *part = item ? lookup_in(w, item, t->decl->names[field]) : NULL;
  if (part && element_resolve(w, part) && !part->absent && part->type.i)
    return expr_make_ref(w->pool, OP_REF, part->type, part, 0, NULL);
  return expr_make_index(w->pool, OP_FIELD, type, field, 0, 1, &value);
}

/* The part of a record's value that belongs to its field `e`. */
static ExprId field_of_whole(World *w, Element *e) {
  Class *self = class_self(e->owner);
  Element *whole = self->component;
  if (!whole || !self->is_record || whole->binding_state == STATE_BUSY)
    return NO_EXPR;
  if (e->ast->variability == VAR_CONSTANT && mod_has_value(e->mod))
    return NO_EXPR; /* a constant of the record class is the same in every value */
  ExprId value = element_binding(w, whole);
  if (!value.i)
    return NO_EXPR;
  const Type *t = type_get(w->pool, expr_get(w->pool, value)->type);
  if (t->n_dims) {
    ExprId args[MOST_DIMS + 1] = {value};
    uint32_t rest = self->item;
    for (uint32_t d = whole->n_dims; d-- > 0;) {
      args[1 + d] = expr_integer(w->pool, rest % (uint32_t)whole->dims[d] + 1);
      rest /= (uint32_t)whole->dims[d];
    }
    value = expr_make(w->pool, OP_INDEX,
                      type_element(w->pool, expr_get(w->pool, value)->type, whole->n_dims),
                      whole->n_dims + 1, args);
    t = type_get(w->pool, expr_get(w->pool, value)->type);
  }
  for (uint32_t i = 0; t->decl && i < t->decl->n; i++)
    if (t->decl->names[i] == e->name)
      return field_expr(w, value, i);
  return NO_EXPR;
}

static ExprId find_binding(World *w, Element *e) {
  ExprId value = field_of_whole(w, e);
  if (value.i)
    return value;
  return mod_has_value(e->mod) ? mod_value(w, e, e->mod) : NO_EXPR;
}

ExprId element_binding(World *w, Element *e) {
  if (e->binding_state == STATE_BUSY) {
    diag_add(w->diags, D_V003, e->mod ? e->mod->span : e->ast->span,
             "the value of `%s` depends on itself", e->name);
    return NO_EXPR;
  }
  if (e->binding_state != STATE_NEW)
    return e->binding;
  e->binding_state = STATE_BUSY;
  uint32_t errors = diags_errors(w->diags);
  ExprId value = find_binding(w, e);
  if (value.i && e->type.i) {
    Elab el = scope_of(w, e->scope);
    Span span = mod_has_value(e->mod) ? e->mod->span : e->ast->span;
    value = elab_convert(&el, value, e->type, span,
                         arena_printf(w->arena, "the value of `%s`", e->name));
  }
  e->mod_failed |= diags_errors(w->diags) > errors || (!value.i && mod_has_value(e->mod));
  e->binding = value;
  e->binding_state = STATE_DONE;
  return value;
}

ExprId element_attribute(World *w, Element *e, const char *name, TypeBase base) {
  Mod *m = mod_find(e->attributes, intern_str(w->names, name));
  if (!mod_has_value(m))
    return NO_EXPR;
  Elab el = scope_of(w, m->scope);
  ExprId value = m->typed.i ? m->typed : elab_exp(&el, m->value);
  if (!value.i)
    return NO_EXPR;
  if (!e->local && elab_variability(w, value) < VAR_PARAMETER)
    return elab_error(&el, D_V001, m->span, "attribute `%s` of `%s` cannot depend on a variable",
                      name, e->name);
  bool alone = !m->each && !m->n_index && e->ast->n_dims && mod_find(e->mod, m->name) == m;
  if (alone && !type_get(w->pool, expr_get(w->pool, value)->type)->n_dims) {
    elab_error(&el, D_T302, m->span, "attribute `%s` of the array `%s` needs one value per element",
               name, e->name);
    elab_help(&el, "write `each %s = ...` to give every element the same value", name);
    return NO_EXPR;
  }
  if (m->n_index) {
    const Type *t = type_get(w->pool, expr_get(w->pool, value)->type);
    value = index_value(w, e, value, m, t->n_dims < m->n_index && t->n_dims == 0 ? 0 : m->n_index);
    if (!value.i)
      return NO_EXPR;
  }
  TypeId wanted = base == TY_ENUM   ? type_of_decl(w->pool, TY_ENUM, w->state_select)
                  : base == TY_NONE ? type_element(w->pool, e->type, e->n_dims)
                                    : type_scalar(w->pool, base);
  if (type_get(w->pool, expr_get(w->pool, value)->type)->n_dims)
    wanted = type_array(w->pool, wanted, e->n_dims, e->dims);
  return elab_convert(&el, value, wanted, m->span,
                      arena_printf(w->arena, "attribute `%s` of `%s`", name, e->name));
}

/* ---- values ---- */

/* A record without a value of its own: the values of its parts. */
static bool value_of_parts(World *w, Element *e, Value *out, const char **why) {
  int64_t n = type_count(w->pool, e->type);
  *out = (Value){
      .type = e->type, .n = (uint32_t)n, .at = NEW_ARRAY(w->arena, Scalar, n < 0 ? 0 : n)};
  uint32_t at = 0;
  for (uint32_t k = 0; k < e->n_items; k++) {
    class_expand(w, e->items[k]);
    for (uint32_t i = 0; i < e->items[k]->elements.n; i++) {
      Element *part = e->items[k]->elements.at[i];
      Value v;
      if (part->kind != ELEMENT_COMPONENT)
        continue;
      if (!element_value(w, part, &v, why))
        return false;
      for (uint32_t j = 0; j < v.n && at < out->n; j++)
        out->at[at++] = v.at[j];
    }
  }
  return at == out->n;
}

static bool find_value(World *w, Element *e, Value *out, const char **why) {
  if (e->variability < VAR_PARAMETER) {
    e->fault = FAULT_VARIES;
    *why = arena_printf(w->arena, "`%s` is not a parameter or constant", e->name);
    return false;
  }
  ExprId b = element_binding(w, e);
  if (!b.i && e->items)
    return value_of_parts(w, e, out, why);
  if (!b.i && !e->mod_failed)
    b = element_attribute(w, e, "start", TY_NONE);
  if (!b.i) {
    e->fault = e->mod_failed ? FAULT_TOLD : FAULT_MISSING;
    *why = arena_printf(w->arena, "`%s` has no value", e->name);
    return false;
  }
  ExprId fixed = e->variability == VAR_PARAMETER && !e->items
                     ? element_attribute(w, e, "fixed", TY_BOOLEAN)
                     : NO_EXPR;
  int64_t is_fixed = 1;
  if (fixed.i && expr_as_integer(w->pool, fixed, &is_fixed) && !is_fixed) {
    e->fault = FAULT_LATE;
    *why = arena_printf(w->arena, "`%s` is computed at initialisation (fixed = false)", e->name);
    return false;
  }
  Elab el = {.w = w, .scope = e->scope, .quiet = true};
  if (!elab_evaluate(&el, b, e->ast->span, out)) {
    *why = el.why;
    if (el.endless && !w->culprit)
      e->fault = FAULT_ENDLESS;
    return false;
  }
  /* one start value for all elements of an array */
  int64_t n = type_count(w->pool, e->type);
  if (out->n == 1 && n > 1) {
    Scalar one = out->at[0];
    *out = (Value){.type = e->type, .n = (uint32_t)n, .at = NEW_ARRAY(w->arena, Scalar, n)};
    for (int64_t i = 0; i < n; i++)
      out->at[i] = one;
  }
  return true;
}

/* a -> b -> a */
static const char *circle_text(World *w, const Element *e) {
  Text t = {.arena = w->arena};
  text_printf(&t, "the value of `%s` depends on itself: ", e->name);
  bool inside = false;
  for (uint32_t i = 0; i < w->evaluated.n; i++) {
    inside |= w->evaluated.at[i] == e;
    if (inside)
      text_printf(&t, "%s -> ", w->evaluated.at[i]->name);
  }
  text_add(&t, e->name);
  return text_str(&t);
}

static void compute_value(World *w, Element *e) {
  uint32_t errors = diags_errors(w->diags);
  const char *why = NULL;
  w->culprit = NULL;
  e->value_state = STATE_BUSY;
  vec_push(w->arena, &w->evaluated, e);
  bool ok = find_value(w, e, &e->value, &why);
  w->evaluated.n--;
  e->value_state = ok ? STATE_DONE : STATE_FAILED;
  if (ok)
    return;
  e->culprit = w->culprit && e->fault == FAULT_NONE ? w->culprit : e;
  e->why = e->fault == FAULT_CIRCLE ? e->why : why;
  if (e->culprit == e && e->fault == FAULT_NONE)
    e->fault = FAULT_FAILS;
  if (diags_errors(w->diags) > errors)
    e->culprit->fault = FAULT_TOLD;
}

bool element_value(World *w, Element *e, Value *out, const char **why) {
  const char *unused;
  why = why ? why : &unused;
  if (!element_resolve(w, e))
    return false;
  e = element_actual(w, e);
  if (e->value_state == STATE_BUSY) {
    e->fault = FAULT_CIRCLE;
    e->why = *why = circle_text(w, e);
    w->culprit = e;
    return false;
  }
  if (e->value_state == STATE_NEW)
    compute_value(w, e);
  if (e->value_state == STATE_FAILED) {
    *why = e->why;
    w->culprit = e->culprit;
    return false;
  }
  if (e->variability == VAR_PARAMETER)
    e->structural = true;
  *out = e->value;
  return true;
}
