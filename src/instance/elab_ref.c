/* instance/elab_ref.c -- component references: a.b[2].c to typed expressions (MLS 3.6 sections 5.3,
 * 10.6.9).
 * The path is walked along the instance tree: an array of components is an array of instances, so
 * r[2].R is another element than r[1].R, and r.R is the array {r[1].R, r[2].R}. Where the tree ends
 * (predefined types, records, function variables), the rest of the path becomes INDEX and FIELD
 * nodes. */
#include "instance/inst.h"

#include <string.h>

static ExprId walk(Elab *el, Element *e, const AstRef *ref, uint32_t i);

/* Subscripts and fields on a typed value: the rest of the path from part i on; `i` names the value
 * itself. */
static ExprId typed_path(Elab *el, ExprId value, const AstRef *ref, uint32_t i) {
  for (;; i++) {
    value = elab_index(el, value, ref->parts[i].n_subs, ref->parts[i].subs, ref->parts[i].span);
    if (!value.i || i + 1 == ref->n)
      return value;
    const Type *t = elab_type_get(el, value);
    const AstRefPart *next = &ref->parts[i + 1];
    uint32_t k = 0;
    if (t->base != TY_RECORD)
      return elab_error(el, D_N001, next->span, "`%s` is %s and has no element `%s`",
                        ref->parts[i].name, elab_type_text(el, elab_type(el, value)), next->name);
    while (k < t->decl->n && t->decl->names[k] != next->name)
      k++;
    if (k == t->decl->n) {
      const char *best[1];
      elab_error(el, D_N001, next->span, "record `%s` has no element `%s`", t->decl->name,
                 next->name);
      if (nearest_names(next->name, t->decl->names, t->decl->n, best, 1))
        elab_help(el, "did you mean `%s`?", best[0]);
      return NO_EXPR;
    }
    TypeId type = type_array(el->w->pool, t->decl->types[k], t->n_dims, t->dims);
    value = expr_make_index(el->w->pool, OP_FIELD, type, k, 0, 1, &value);
  }
}

/* ---- arrays of components ---- */

/* How the items of an array are chosen along one dimension. */
typedef struct {
  bool one;       /* a single item: the dimension disappears */
  ExprId dynamic; /* a subscript known only at run time: all items are taken, then indexed */
  uint32_t n;
  const Scalar *at; /* chosen numbers, from 1; NULL: all */
  Scalar single;
} Choice;

static bool choose(Elab *el, Element *e, uint32_t d, const AstExp *sub, Choice *c) {
  *c = (Choice){.n = (uint32_t)e->dims[d]};
  if (!sub || sub->kind == AST_COLON)
    return true;
  Elab inner = *el;
  ExprPool *p = el->w->pool;
  /* `end` means the size of this dimension */
  ExprId *ones = NEW_ARRAY(el->w->arena, ExprId, e->dims[d]);
  for (int32_t i = 0; i < e->dims[d]; i++)
    ones[i] = expr_integer(p, 1);
  inner.end_of = expr_make(p, OP_ARRAY, type_array(p, type_scalar(p, TY_INTEGER), 1, &e->dims[d]),
                           (uint32_t)e->dims[d], ones);
  inner.end_dim = 0;
  ExprId s = elab_exp(&inner, sub);
  if (!s.i)
    return false;
  const Type *t = elab_type_get(el, s);
  if ((t->base != TY_INTEGER && t->base != TY_ENUM && t->base != TY_BOOLEAN) || t->n_dims > 1) {
    elab_error(el, D_T301, sub->span, "a subscript must be Integer, this is %s",
               elab_type_text(el, elab_type(el, s)));
    return false;
  }
  c->one = t->n_dims == 0;
  s = elab_fixed_index(el, s);
  Value v;
  Elab quiet = *el;
  quiet.quiet = true;
  if (!elab_evaluate(&quiet, s, sub->span, &v)) {
    c->dynamic = s;
    return true;
  }
  c->n = v.n;
  c->at = v.at;
  for (uint32_t i = 0; i < v.n; i++) {
    if (t->base == TY_BOOLEAN)
      v.at[i].integer += 1;
    if (v.at[i].integer < 1 || v.at[i].integer > e->dims[d]) {
      elab_error(el, D_T303, sub->span, "subscript %lld is out of range 1:%d",
                 (long long)v.at[i].integer, e->dims[d]);
      return false;
    }
  }
  return true;
}

static ExprId walk_item(Elab *el, Class *item, const AstRef *ref, uint32_t i) {
  const AstRefPart *next = &ref->parts[i + 1];
  Element *child = lookup_in(el->w, item, next->name);
  if (!child) {
    if (!el->quiet)
      lookup_report(el->w, NULL, item, next->name, next->span, "");
    return NO_EXPR;
  }
  if (child->kind != ELEMENT_COMPONENT)
    return elab_error(el, D_N004, next->span, "`%s` is a class, a component is needed here",
                      next->name);
  return walk(el, child, ref, i + 1);
}

/* The array of what the chosen items give, dimension by dimension; `item` counts from the first
 * dimension on. */
static ExprId walk_items(Elab *el, Element *e, const AstRef *ref, uint32_t i, const Choice *choices,
                         uint32_t d, uint32_t item) {
  if (d == e->n_dims)
    return walk_item(el, e->items[item], ref, i);
  const Choice *c = &choices[d];
  if (c->one && !c->dynamic.i)
    return walk_items(el, e, ref, i, choices, d + 1,
                      item * (uint32_t)e->dims[d] + (uint32_t)(c->at[0].integer - 1));
  ExprPool *p = el->w->pool;
  ExprId *parts = NEW_ARRAY(el->w->arena, ExprId, c->n ? c->n : 1);
  for (uint32_t k = 0; k < c->n; k++) {
    uint32_t number = c->at ? (uint32_t)(c->at[k].integer - 1) : k;
    parts[k] = walk_items(el, e, ref, i, choices, d + 1, item * (uint32_t)e->dims[d] + number);
    if (!parts[k].i)
      return NO_EXPR;
  }
  if (c->n)
    return elab_array(el, c->n, parts, ref->span);
  /* no items: the type comes from the sample */
  Class *shape = e->n_items ? e->items[0] : e->sample;
  ExprId like = walk_item(el, shape, ref, i);
  if (!like.i)
    return NO_EXPR;
  int32_t zero = 0;
  return expr_make(p, OP_ARRAY, type_array(p, elab_type(el, like), 1, &zero), 0, parts);
}

static ExprId walk_array(Elab *el, Element *e, const AstRef *ref, uint32_t i) {
  const AstRefPart *part = &ref->parts[i];
  ExprPool *p = el->w->pool;
  if (part->n_subs > e->n_dims)
    return elab_error(el, D_T302, part->span, "%u subscripts, but `%s` has %u dimensions",
                      part->n_subs, part->name, e->n_dims);
  Choice *choices = NEW_ARRAY(el->w->arena, Choice, e->n_dims);
  bool dynamic = false;
  for (uint32_t d = 0; d < e->n_dims; d++) {
    if (!choose(el, e, d, d < part->n_subs ? part->subs[d] : NULL, &choices[d]))
      return NO_EXPR;
    dynamic |= choices[d].dynamic.i != 0;
  }
  ExprId all = walk_items(el, e, ref, i, choices, 0, 0);
  if (!all.i || !dynamic)
    return all;
  /* dynamic subscripts on what was collected */
  ExprId *args = NEW_ARRAY(el->w->arena, ExprId, e->n_dims + 1);
  uint32_t n = 0, at = 0;
  int32_t dims[32];
  uint32_t kept = 0;
  args[n++] = all;
  for (uint32_t d = 0; d < e->n_dims; d++) {
    if (choices[d].one && !choices[d].dynamic.i)
      continue;
    int32_t size = elab_type_get(el, all)->dims[at++];
    if (choices[d].dynamic.i) {
      args[n++] = choices[d].dynamic;
      const Type *t = elab_type_get(el, choices[d].dynamic);
      if (t->n_dims)
        dims[kept++] = t->dims[0];
      continue;
    }
    ExprId *numbers = NEW_ARRAY(el->w->arena, ExprId, size);
    for (int32_t k = 0; k < size; k++)
      numbers[k] = expr_integer(p, k + 1);
    args[n++] = expr_make(p, OP_ARRAY, type_array(p, type_scalar(p, TY_INTEGER), 1, &size),
                          (uint32_t)size, numbers);
    dims[kept++] = size;
  }
  return expr_make(p, OP_INDEX, type_array(p, type_element(p, elab_type(el, all), at), kept, dims),
                   n, args);
}

/* ---- one component ---- */

/* A constant is its value. */
static ExprId constant_value(Elab *el, Element *e, const char **why) {
  World *w = el->w;
  if (e->literal.i)
    return e->literal;
  Value v;
  if (element_value(w, e, &v, why))
    e->literal = expr_of_value(w->pool, &v);
  return e->literal;
}

/* Inside a package (not in a component of the model) an element has no variable: only its value can
 * be used. */
static bool in_package(const Element *e) {
  const Class *self = class_self(e->owner);
  return !self->component && !self->is_function && *self->path && !e->local;
}

static ExprId absent_component(Elab *el, const Element *e, Span span) {
  const AstExp *condition = e->ast->condition ? e->ast->condition
                            : e->original     ? e->original->condition
                                              : NULL;
  elab_error(el, D_N007, span, "`%s` does not exist, because its condition%s%s is false", e->name,
             condition ? " " : "", condition ? elab_written(el, condition->span) : "");
  if (condition)
    elab_label(el, condition->span, "its condition");
  elab_help(el, "only connections to it disappear with it; use it where the condition holds");
  return NO_EXPR;
}

/* An outer element shows only what its own class declares, whatever the inner one has more (MLS
 * 5.4). */
static bool outer_has(Elab *el, const Element *e, const AstRef *ref, uint32_t i) {
  Element *type = e->inner && i + 1 < ref->n ? lookup_type_name(el->w, e->scope, e->ast->path)
                                             : NULL;
  Class *c = type && class_primitive(el->w, type) == TY_NONE ? class_view(el->w, type) : NULL;
  if (!c || !class_expand(el->w, c) || lookup_in(el->w, c, ref->parts[i + 1].name))
    return true;
  if (!el->quiet)
    lookup_report(el->w, NULL, c, ref->parts[i + 1].name, ref->parts[i + 1].span, "");
  return false;
}

static ExprId walk(Elab *el, Element *e, const AstRef *ref, uint32_t i) {
  World *w = el->w;
  if (!element_resolve(w, e) || !outer_has(el, e, ref, i))
    return NO_EXPR;
  e = element_meant(w, e);
  const AstRefPart *part = &ref->parts[i];
  if (!e->absent && (e->ast->condition || (e->original && e->original->condition)))
    return elab_error(
        el, D_N007, part->span,
        "`%s` is declared with a condition: it can be connected, but not used in expressions",
        e->name);
  if (e->absent)
    return absent_component(el, e, part->span);
  if (e->is_protected && i > 0 && !class_self(e->owner)->is_function && !el->quiet &&
      class_self(e->owner) != class_self(el->scope))
    diag_add(w->diags, D_N005, part->span, "`%s` is protected in `%s`", e->name,
             class_full_name(class_self(e->owner)));
  const char *unused = NULL;
  bool fixed_in_function = e->local && e->variability == VAR_CONSTANT &&
                           constant_value(el, e, &unused).i; /* constant Integer m = 3; */
  if (e->local && !fixed_in_function)
    return typed_path(el, expr_local(w->pool, e->type, e->local - 1), ref, i);
  bool last = i + 1 == ref->n;
  /* annotation(Evaluate = true): the value shapes the equations (MLS 18.3) */
  bool known = e->variability == VAR_CONSTANT ||
               (e->variability == VAR_PARAMETER && (in_package(e) || e->evaluate));
  /* a field of a constant record: only that field is needed */
  if (known && (last || !e->items || e->n_dims)) {
    const char *why = NULL;
    ExprId value = constant_value(el, e, &why);
    if (value.i)
      return typed_path(el, value, ref, i);
    if (in_package(e))
      return elab_error(el, D_V002, part->span, "constant `%s` has no value: %s", e->name,
                        why ? why : "it is not a constant expression");
  }
  if (!e->items || last) {
    if (!e->type.i)
      return elab_error(el, D_T301, ref->span, "`%s` of class `%s` is not a value", part->name,
                        element_item(w, e) ? class_full_name(element_item(w, e)) : "");
    return typed_path(el, expr_make_ref(w->pool, OP_REF, e->type, e, 0, NULL), ref, i);
  }
  if (e->n_dims)
    return walk_array(el, e, ref, i);
  if (part->n_subs)
    return elab_error(el, D_T302, part->span, "`%s` is not an array", part->name);
  return walk_item(el, e->items[0], ref, i);
}

/* ---- the first name ---- */

static ExprId enumeration_literal(Elab *el, Element *e, const AstRef *ref, uint32_t i) {
  const TypeDecl *decl = e->prim_decl;
  const AstRefPart *part = &ref->parts[i];
  for (uint32_t k = 0; k < decl->n; k++)
    if (decl->names[k] == part->name && i + 1 == ref->n)
      return expr_enum(el->w->pool, type_of_decl(el->w->pool, TY_ENUM, decl), k + 1);
  elab_error(el, D_N001, part->span, "enumeration `%s` has no literal `%s`", e->name, part->name);
  const char *best[1];
  if (nearest_names(part->name, decl->names, decl->n, best, 1))
    elab_help(el, "did you mean `%s`?", best[0]);
  return NO_EXPR;
}

/* The name of a function as a value: an argument of another function (MLS 12.4.2). */
static ExprId function_value(Elab *el, Element *e, const AstRef *ref) {
  World *w = el->w;
  Class *c = class_primitive(w, e) == TY_NONE ? class_view(w, e) : NULL;
  if (!c || !class_expand(w, c) || !c->is_function)
    return elab_error(el, D_N004, ref->span, "`%s` is a class, a value is needed here", e->name);
  Func *f = function_get(w, c);
  return f ? expr_make_ref(w->pool, OP_FUNCTION, type_scalar(w->pool, TY_FUNCTION), f, 0, NULL)
           : NO_EXPR;
}

/* Models and blocks know the time; functions get it as an argument (MLS 3.6.7). */
static ExprId time_variable(Elab *el, Span span) {
  const Class *c = class_self(el->scope);
  if (!el->function && !c->is_record && c->kind != CLASS_CONNECTOR)
    return expr_time(el->w->pool);
  elab_error(el, D_N013, span, "`time` is not available in a %s",
             class_kind_text(el->function ? CLASS_FUNCTION : c->kind));
  elab_help(el, "hand it over: as an argument or in a modification");
  return NO_EXPR;
}

ExprId elab_ref(Elab *el, const AstRef *ref) {
  World *w = el->w;
  const char *name = ref->parts[0].name;
  if (!ref->global)
    for (Binder *b = el->binders; b; b = b->next)
      if (b->name == name)
        return typed_path(el, b->value, ref, 0);
  if (ref->n == 1 && !ref->global && strcmp(name, "time") == 0)
    return time_variable(el, ref->span);
  Element *e = ref->global ? lookup_in(w, w->root, name) : lookup_simple(w, el->scope, name);
  if (!e) {
    if (!el->quiet)
      lookup_report(w, el->scope, NULL, name, ref->parts[0].span,
                    ref->n > 1 ? "component or class" : "variable");
    return NO_EXPR;
  }
  uint32_t i = 0;
  while (e->kind == ELEMENT_CLASS) {
    if (i + 1 == ref->n)
      return function_value(el, e, ref);
    i++;
    if (class_primitive(w, e) == TY_ENUM)
      return enumeration_literal(el, e, ref, i);
    Class *view = class_view(w, e);
    Element *next = lookup_in(w, view, ref->parts[i].name);
    if (!next) {
      if (!el->quiet)
        lookup_report(w, NULL, view, ref->parts[i].name, ref->parts[i].span, "");
      return NO_EXPR;
    }
    if (!el->quiet && !reach_element(w, view, next, ref->parts[i].span))
      return NO_EXPR;
    if (next->kind == ELEMENT_COMPONENT && class_is_partial(view) && !el->function)
      return elab_error(el, D_M006, ref->parts[i].span,
                        "`%s` is partial: its constants cannot be used", e->name);
    e = next;
  }
  if (!i && !el->quiet && !reach_enclosing(w, el->scope, e, ref->parts[0].span))
    return NO_EXPR;
  return walk(el, e, ref, i);
}
