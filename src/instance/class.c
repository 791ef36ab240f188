/* instance/class.c -- expansion of a class: its own elements, then those of its bases,
 * modifications handed down.
 * MLS 3.6 chapter 7. Own names are entered first, so that the names of base classes can be found
 * among them; then each base is expanded as a class of its own that shares its elements with this
 * one.
 * Keep: redeclarations change the inherited Element in place, so the base's own text sees them,
 *       too. */
#include "instance/inst.h"
#include "base/limits.h"
#include "syntax/syntax.h"

const char *class_full_name(const Class *c) { return c->full_name ? c->full_name : ""; }

static const char *full_name_below(World *w, const Class *parent, const char *name) {
  if (!parent || !parent->full_name || !*parent->full_name)
    return name;
  return arena_printf(w->arena, "%s.%s", parent->full_name, name);
}

/* a.b[2,1] for the class of a component */
static const char *item_path(World *w, const Class *around, const Element *component,
                             uint32_t item) {
  Text t = {.arena = w->arena};
  if (around->path && *around->path)
    text_printf(&t, "%s.", around->path);
  text_add(&t, component->name);
  uint32_t rest = item, size = component->n_items;
  for (uint32_t i = 0; i < component->n_dims; i++) {
    size = size / (uint32_t)(component->dims[i] ? component->dims[i] : 1);
    text_printf(&t, "%s%u", i ? "," : "[", rest / (size ? size : 1) + 1);
    rest = size ? rest % size : 0;
  }
  if (component->n_dims)
    text_char(&t, ']');
  return text_str(&t);
}

Class *class_new(World *w, Element *e, Mod *mod, Class *around, Element *component, uint32_t item) {
  Class *c = NEW(w->arena, Class);
  c->element = e;
  c->ast = e->def;
  c->lib = e->lib;
  c->parent = e->scope;
  c->predefined = e->predefined;
  c->mod = mod_merge(w, mod, e->mod);
  c->full_name = full_name_below(w, e->scope, e->name);
  c->kind = e->def ? e->def->kind : CLASS_TYPE;
  c->instance_parent = around;
  c->component = component;
  c->depth = around ? around->depth + 1 : 0;
  c->item = item;
  c->path = component ? item_path(w, class_self(around), component, item) : c->full_name;
  return c;
}

/* ---- elements of the own text ---- */

/* What the declaration says of the element, over what its constraining type says (MLS 7.3.2). */
static void take_own_mod(World *w, Class *c, Element *e) {
  Mod *constraint = e->ast->constraint ? mod_of_ast(w, e->ast->constraint_mod, c) : NULL;
  if (e->kind == ELEMENT_COMPONENT)
    e->mod = mod_merge(w, mod_of_ast(w, e->ast->mod, c), constraint);
  else if (e->def->form == FORM_SHORT)
    e->under = constraint;
  else
    e->mod = constraint;
}

static Element *own_element(World *w, Class *c, AstElement *ast) {
  Element *e = NEW(w->arena, Element);
  element_declare(e, ast, c);
  e->name = e->kind == ELEMENT_CLASS ? ast->class_def->name : ast->name;
  e->owner = class_self(c);
  e->is_protected = ast->visibility == VIS_PROTECTED;
  take_own_mod(w, c, e);
  Mod *outer = mod_find(c->mod, e->name);
  if (!outer)
    return e;
  if (ast->final && !outer->redeclare && (mod_has_value(outer) || outer->n_subs)) {
    Diag *d = diag_add(w->diags, D_M002, outer->name_span, "`%s` is final and cannot be modified",
                       e->name);
    diag_label(w->diags, d, ast->span, "declared final here");
    return e;
  }
  if (outer->redeclare)
    redeclare_by_mod(w, e, outer);
  Mod *plain = NEW(w->arena, Mod);
  *plain = *mod_plain(w, outer);
  plain->each = false; /* it was for the array around */
  /* a final class: not what its components say of it */
  plain->final &= e->kind == ELEMENT_COMPONENT;
  e->mod = mod_merge(w, plain, e->mod);
  return e;
}

static Span declared_at(const Element *e) {
  return e->kind == ELEMENT_CLASS ? e->def->name_span : e->ast->span;
}

static void enter(World *w, Class *c, Element *e) {
  Element *before = map_get_ptr(&c->table, e->name);
  if (before) {
    Diag *d = diag_add(w->diags, D_N002, declared_at(e), "`%s` is declared twice", e->name);
    diag_label(w->diags, d, before->ast ? declared_at(before) : (Span){0}, "first declaration");
    return;
  }
  map_put_ptr(w->arena, &c->table, e->name, e);
}

static void push_import(World *w, Class *c, Import im) {
  for (uint32_t i = 0; im.name && i < c->imports.n; i++)
    if (c->imports.at[i].name == im.name) {
      Diag *d = diag_add(w->diags, D_N002, im.span, "`%s` is imported twice", im.name);
      diag_label(w->diags, d, c->imports.at[i].span, "first import");
    }
  vec_push(w->arena, &c->imports, im);
}

static void add_import(World *w, Class *c, AstElement *ast) {
  if (ast->n_imports) {
    for (uint32_t i = 0; i < ast->n_imports; i++)
      push_import(w, c,
                  (Import){.name = ast->imports[i].name,
                           .path = ast->path,
                           .last = ast->imports[i].name,
                           .span = ast->imports[i].span});
    return;
  }
  const char *name = ast->import_all ? NULL
                     : ast->name     ? ast->name
                                     : ast->path->parts[ast->path->n - 1].name;
  push_import(w, c, (Import){.name = name, .path = ast->path, .span = ast->path->span});
}

/* ---- bases ---- */

static bool extends_itself(const Class *c, const AstClass *base) {
  for (; c; c = c->derived)
    if (c->ast == base)
      return true;
  return false;
}

static uint32_t levels_of(const Class *c) {
  uint32_t n = 0;
  for (; c; c = c->derived)
    n++;
  return n;
}

/* The base `e` of c under the modification of the extends-clause; expanded. NULL after an error. */
static Class *add_base(World *w, Class *c, Element *e, Mod *own, AstElement *ast, Span span) {
  if (e->def && extends_itself(c, e->def)) {
    diag_add(w->diags, D_N003, span, "class `%s` extends itself", e->name);
    c->lookup_failed = true;
    return NULL;
  }
  if (levels_of(c) > MOST_EXTENDS) {
    diag_add(w->diags, D_P015, span, "classes extend each other over more than %d levels",
             MOST_EXTENDS);
    c->lookup_failed = true;
    return NULL;
  }
  Class *b = class_new(w, e, mod_merge(w, c->mod, own), NULL, NULL, c->item);
  b->derived = c;
  b->instance_parent = c->instance_parent;
  b->component = c->component;
  b->path = c->path;
  b->depth = c->depth;
  if (!class_expand(w, b))
    c->lookup_failed = true;
  c->lookup_failed |= b->lookup_failed;
  c->is_external_object |= b->is_external_object;
  if (b->predefined != TY_NONE)
    c->predefined = b->predefined;
  for (uint32_t i = 0; own && i < own->n_subs; i++)
    if (!b->lookup_failed && b->predefined == TY_NONE &&
        !map_get_ptr(&b->table, own->subs[i]->name))
      lookup_report(w, NULL, b, own->subs[i]->name, own->subs[i]->name_span, "to modify");
  vec_push(w->arena, &c->bases, (Base){b, ast});
  return b;
}

/* Takes over the elements of a base. */
static void inherit(World *w, Class *c, Class *b, bool is_protected) {
  for (uint32_t i = 0; i < b->elements.n; i++) {
    Element *e = b->elements.at[i];
    Element *own = map_get_ptr(&c->table, e->name);
    if (own == e)
      continue; /* from two bases that share it */
    if (own && own->ast && (own->ast->redeclare || (own->def && own->def->form == FORM_EXTENDS)) &&
        own->scope == c) {
      redeclare_inherited(w, e, own);
      map_put_ptr(w->arena, &c->table, e->name, e);
    } else if (own) {
      /* Declared identically here or in an earlier base: the first one counts (MLS 7.1) */
      e->same = own;
      if (own->ast && e->ast && own->ast != e->ast && !syntax_equal_element(own->ast, e->ast)) {
        Diag *d = diag_add(w->diags, D_N002, own->ast->span,
                           "`%s` is inherited, too, with another declaration", e->name);
        diag_label(w->diags, d, e->ast->span, "inherited declaration");
      }
      continue;
    } else {
      map_put_ptr(w->arena, &c->table, e->name, e);
    }
    e->is_inherited = true;
    e->is_protected |= is_protected;
    vec_push(w->arena, &c->elements, e);
  }
}

/* The name of a base must not depend on what is inherited or replaced (MLS 5.6.1.4, 7.1.4). */
static void check_base_name(World *w, Class *c, const AstRef *path, const Element *e) {
  const Element *first = path->global ? NULL : map_get_ptr(&c->table, path->parts[0].name);
  if (first && first->is_inherited)
    diag_add(w->diags, D_N013, path->span,
             "`%s` is inherited itself and cannot be used to name a base class", first->name);
  if (e->is_replaceable) {
    Diag *d = diag_add(w->diags, D_N011, path->span,
                       "`%s` is replaceable and cannot be a base class", e->name);
    diag_label(w->diags, d, e->ast->span, "declared here");
    diag_help(w->diags, d, "extend the class that it stands for, or use `redeclare class extends`");
  }
}

static void expand_base(World *w, Class *c, AstElement *ast) {
  Element *e = lookup_class(w, c, ast->path);
  if (!e) {
    c->lookup_failed = true;
    return;
  }
  check_base_name(w, c, ast->path, e);
  Class *b = add_base(w, c, e, mod_of_ast(w, ast->mod, c), ast, ast->path->span);
  if (b)
    inherit(w, c, b, ast->visibility == VIS_PROTECTED);
}

static void expand_long(World *w, Class *c) {
  AstClass *ast = c->ast;
  for (uint32_t i = 0; i < ast->n_elements; i++) {
    AstElement *el = ast->elements[i];
    if (el->kind == AST_IMPORT)
      add_import(w, c, el);
    else if (el->kind != AST_EXTENDS)
      enter(w, c, own_element(w, c, el));
  }
  if (ast->form == FORM_EXTENDS && c->element->previous) {
    Class *b = add_base(w, c, c->element->previous, mod_of_ast(w, ast->mod, c), NULL,
                        ast->name_span);
    if (b)
      inherit(w, c, b, false);
  } else if (ast->form == FORM_EXTENDS) {
    diag_add(w->diags, D_N001, ast->name_span, "there is no inherited class `%s` to extend",
             ast->name);
  }
  for (uint32_t i = 0; i < ast->n_elements; i++) {
    AstElement *el = ast->elements[i];
    if (el->kind == AST_EXTENDS)
      expand_base(w, c, el);
    else if (el->kind != AST_IMPORT) {
      Element *e = map_get_ptr(&c->table,
                               el->kind == AST_CLASS_DEF ? el->class_def->name : el->name);
      if (e && !e->is_inherited && e->scope && (e->ast == el || e->original == el))
        vec_push(w->arena, &c->elements, e);
    }
  }
  for (uint32_t i = 0; !c->lookup_failed && i < ast->n_elements; i++) {
    const AstElement *el = ast->elements[i];
    const char *name = el->kind == AST_CLASS_DEF ? el->class_def->name : el->name;
    const Element *e = el->redeclare ? map_get_ptr(&c->table, name) : NULL;
    if (e && !e->is_inherited)
      diag_add(w->diags, D_M004, el->span, "there is no inherited `%s` to redeclare", name);
  }
}

/* What a short class says of its base. */
static Mod *short_mod(World *w, const Element *e) {
  return mod_merge(w, e->own ? e->own : mod_of_ast(w, e->def->mod, e->scope), e->under);
}

static void expand_short(World *w, Class *c) {
  Element *e = lookup_class(w, c->parent, c->ast->base);
  if (!e) {
    c->lookup_failed = true;
    return;
  }
  Class *b = add_base(w, c, e, short_mod(w, c->element), NULL, c->ast->base->span);
  if (!b)
    return;
  inherit(w, c, b, false);
  c->is_record = b->is_record;
  if (c->kind == CLASS_CLASS || c->kind == CLASS_MODEL || c->kind == CLASS_TYPE)
    c->kind = b->kind == CLASS_CLASS ? c->kind : b->kind;
}

/* Every modification must have something to modify. */
static void check_modified(World *w, Class *c) {
  if (c->lookup_failed || c->predefined != TY_NONE || !c->mod)
    return;
  for (uint32_t i = 0; i < c->mod->n_subs; i++)
    if (!map_get_ptr(&c->table, c->mod->subs[i]->name) &&
        !(c->lib && library_child(w->lib, c->lib, c->mod->subs[i]->name)))
      lookup_report(w, NULL, c, c->mod->subs[i]->name, c->mod->subs[i]->name_span, "to modify");
}

bool class_expand(World *w, Class *c) {
  if (c->state != STATE_NEW)
    return c->state != STATE_FAILED;
  c->state = STATE_BUSY;
  uint32_t errors = diags_errors(w->diags);
  if (c->element && c->element->predefined == TY_EXTERNAL)
    c->is_external_object = true;
  if (c->ast)
    switch (c->ast->form) {
    case FORM_LONG:
    case FORM_EXTENDS: expand_long(w, c); break;
    case FORM_SHORT: expand_short(w, c); break;
    case FORM_ENUM: c->predefined = TY_ENUM; break;
    case FORM_DER:
      diag_add(w->diags, D_X001, c->ast->span,
               "a function defined as a derivative (`der(...)`) is not supported yet");
      break;
    }
  c->is_record |= c->kind == CLASS_RECORD || c->kind == CLASS_OPERATOR_RECORD;
  c->is_function = c->kind == CLASS_FUNCTION || c->kind == CLASS_OPERATOR_FUNCTION;
  c->state = diags_errors(w->diags) > errors ? STATE_FAILED : STATE_DONE;
  if (!c->derived)
    check_modified(w, c); /* a modification of nothing leaves the class sound */
  if (c->ast)
    restrict_class(w, c);
  return c->state == STATE_DONE;
}

bool class_is_partial(const Class *c) {
  if (!c->ast || c->ast->partial)
    return c->ast != NULL;
  return c->ast->form == FORM_SHORT && c->bases.n && class_is_partial(c->bases.at[0].cls);
}

bool class_is_a(World *w, Class *c, AstClassKind kind) {
  class_expand(w, c);
  if (c->kind == kind)
    return true;
  for (uint32_t i = 0; i < c->bases.n; i++)
    if (class_is_a(w, c->bases.at[i].cls, kind))
      return true;
  return false;
}

void class_texts(Class *c, void (*visit)(void *user, Class *text), void *user) {
  for (uint32_t i = 0; i < c->bases.n; i++)
    class_texts(c->bases.at[i].cls, visit, user);
  if (c->ast)
    visit(user, c);
}

/* ---- predefined types ---- */

/* The one base of a class without elements of its own: type T extends Real; end T. NULL if it is
 * not of that form. */
static const AstElement *only_extends(const AstClass *def) {
  const AstElement *only = NULL;
  for (uint32_t i = 0; i < def->n_elements; i++) {
    const AstElement *el = def->elements[i];
    if (el->kind == AST_COMPONENT)
      return NULL;
    if (el->kind != AST_EXTENDS)
      continue;
    only = el; /* several: icons and the real base; the last one decides, checked by the caller */
  }
  return only;
}

static void take_primitive(World *w, Element *e, Element *base, Mod *own) {
  e->prim_base = class_primitive(w, base);
  if (e->prim_base == TY_NONE)
    return;
  e->prim_decl = base->prim_decl;
  e->prim_mod = mod_merge(w, e->mod, mod_merge(w, own, base->prim_mod));
  e->prim_direction = e->def->direction != DIR_NONE ? e->def->direction : base->prim_direction;
  e->prim_flow = e->def->flow != FLOW_NONE ? e->def->flow : base->prim_flow;
  bool connector = e->def->kind == CLASS_CONNECTOR || base->prim_kind == CLASS_CONNECTOR;
  e->prim_kind = connector ? CLASS_CONNECTOR : CLASS_TYPE;
  for (uint32_t i = 0; i < e->def->n_dims; i++)
    vec_push(w->arena, &e->prim_dims, (TypeDim){e->def->dims[i], e->scope});
  for (uint32_t i = 0; i < base->prim_dims.n; i++)
    vec_push(w->arena, &e->prim_dims, base->prim_dims.at[i]);
}

TypeBase class_primitive(World *w, Element *e) {
  if (e->prim_known)
    return e->prim_base;
  e->prim_known = true;
  e->prim_base = TY_NONE;
  e->prim_kind = CLASS_TYPE;
  if (e->predefined != TY_NONE) {
    e->prim_base = e->predefined == TY_EXTERNAL ? TY_NONE : e->predefined;
  } else if (!e->def) {
    return TY_NONE;
  } else if (e->def->form == FORM_ENUM) {
    e->prim_base = TY_ENUM;
    e->prim_decl = class_decl(w, class_view(w, e));
    e->prim_mod = e->mod;
  } else if (e->def->form == FORM_SHORT) {
    Element *base = lookup_class(w, e->scope, e->def->base);
    if (base)
      take_primitive(w, e, base, short_mod(w, e));
  } else if (e->def->kind == CLASS_TYPE || e->def->kind == CLASS_CONNECTOR ||
             e->def->kind == CLASS_CLASS) {
    const AstElement *ext = only_extends(e->def);
    Class *view = ext ? class_view(w, e) : NULL;
    Element *base = ext ? lookup_class(w, view, ext->path) : NULL;
    if (base)
      take_primitive(w, e, base, mod_of_ast(w, ext->mod, view));
  }
  return e->prim_base;
}
