/* instance/compat.c -- does one class offer everything that another one does? (MLS 3.6 section 6.4)
 * Used for redeclarations against their constraining type and for inner against outer elements. A
 * class that extends the wanted one fits; otherwise the public elements are compared by name, kind,
 * type and number of dimensions, recursively. Array sizes, final and replaceable are left aside:
 * what matters of them is noticed where the element is used. */
#include "instance/inst.h"

#include <string.h>

#include "base/limits.h"

/* One comparison. A pair of classes is compared once: what depends on itself fits. */
typedef struct {
  World *w;
  Map seen;        /* class -> Map of the classes that it is compared with */
  uint32_t level;  /* of components inside each other */
  const char *why; /* it does not fit */
} Comparison;

static bool fits(Comparison *c, Element *actual, Element *wanted);

static bool no(Comparison *c, const char *format, const char *a, const char *b) {
  c->why = arena_printf(c->w->arena, "%s %s %s", a, format, b);
  return false;
}

static const char *quoted(World *w, const char *name) {
  return arena_printf(w->arena, "`%s`", name);
}

static bool extends(const Class *c, const AstClass *def) {
  if (c->ast == def)
    return true;
  for (uint32_t i = 0; i < c->bases.n; i++)
    if (extends(c->bases.at[i].cls, def))
      return true;
  return false;
}

/* Kinds that can stand for each other; 0 fits everywhere. */
static int group_of(AstClassKind kind) {
  switch (kind) {
  case CLASS_CLASS:
  case CLASS_OPERATOR: return 0;
  case CLASS_FUNCTION:
  case CLASS_OPERATOR_FUNCTION: return 1;
  case CLASS_PACKAGE: return 2;
  case CLASS_CONNECTOR:
  case CLASS_EXPANDABLE: return 3;
  case CLASS_MODEL:
  case CLASS_BLOCK:
  case CLASS_ATOMIC: return 4;
  case CLASS_TYPE:
  case CLASS_RECORD:
  case CLASS_OPERATOR_RECORD: return 5;
  }
  return 0;
}

static Element *type_of(World *w, const Element *e) {
  return e->ast->path ? lookup_type_name(w, e->scope, e->ast->path) : NULL;
}

static uint32_t dims_of(const Element *e, const Element *type) {
  const AstElement *ast = e->ast->n_dims || !e->original ? e->ast : e->original;
  return (ast->kind == AST_COMPONENT ? ast->n_dims : 0) +
         (type->prim_known ? type->prim_dims.n : 0);
}

static AstDirection direction_of(const Element *e, const Element *type) {
  AstDirection d = e->ast->direction != DIR_NONE || !e->original ? e->ast->direction
                                                                 : e->original->direction;
  return d != DIR_NONE || !type->def ? d : type->def->direction;
}

static bool component_fits(Comparison *c, Element *x, Element *y) {
  World *w = c->w;
  Element *wanted = type_of(w, x), *actual = type_of(w, y);
  if (!wanted || !actual)
    return true; /* reported elsewhere */
  if (!fits(c, actual, wanted)) {
    c->why = arena_printf(w->arena, "`%s` differs: %s", x->name, c->why);
    return false;
  }
  if (dims_of(x, wanted) != dims_of(y, actual)) {
    c->why = arena_printf(w->arena, "`%s` has %u dimensions instead of %u", x->name,
                          dims_of(y, actual), dims_of(x, wanted));
    return false;
  }
  if (direction_of(x, wanted) != direction_of(y, actual) || x->ast->flow != y->ast->flow) {
    c->why = arena_printf(w->arena, "`%s` has another prefix", x->name);
    return false;
  }
  return true;
}

static bool elements_fit(Comparison *c, Class *a, Class *b) {
  World *w = c->w;
  for (uint32_t i = 0; i < b->elements.n; i++) {
    Element *x = b->elements.at[i];
    if (x->is_protected || !x->ast)
      continue;
    Element *y = lookup_in(w, a, x->name);
    if (!y || y->is_protected)
      return no(c, y ? "hides" : "has no", quoted(w, class_full_name(a)),
                arena_printf(w->arena, "`%s`, which `%s` demands", x->name, class_full_name(b)));
    if (y->kind != x->kind)
      return no(c, "is", quoted(w, x->name),
                x->kind == ELEMENT_CLASS ? "a component instead of a class"
                                         : "a class instead of a component");
    if (x->kind == ELEMENT_COMPONENT && y->ast && !component_fits(c, x, y))
      return false;
  }
  return true;
}

static bool primitives_fit(Comparison *c, const Element *a, const Element *b) {
  World *w = c->w;
  if (a->prim_base != b->prim_base)
    return no(c, "is no", quoted(w, a->name), quoted(w, b->name));
  if (a->prim_dims.n != b->prim_dims.n)
    return no(c, "has another number of dimensions than", quoted(w, a->name), quoted(w, b->name));
  const TypeDecl *x = a->prim_decl, *y = b->prim_decl;
  if (a->prim_base != TY_ENUM || x == y || (b->def && b->def->enum_open))
    return true;
  bool same = x && y && x->n == y->n;
  for (uint32_t i = 0; same && i < x->n; i++)
    same = x->names[i] == y->names[i];
  return same || no(c, "has other literals than", quoted(w, a->name), quoted(w, b->name));
}

static bool is_new(Comparison *c, const Element *actual, const Element *wanted) {
  Arena *a = c->w->arena;
  Map *with = map_get_ptr(&c->seen, actual);
  if (!with)
    map_put_ptr(a, &c->seen, actual, with = NEW(a, Map));
  bool fresh = !map_get_ptr(with, wanted);
  map_put_ptr(a, with, wanted, c);
  return fresh;
}

static bool classes_fit(Comparison *c, Element *actual, Element *wanted) {
  World *w = c->w;
  Class *a = class_view(w, actual), *b = class_view(w, wanted);
  if (!class_expand(w, a) || !class_expand(w, b) || a->lookup_failed || b->lookup_failed ||
      extends(a, b->ast))
    return true;
  int ga = group_of(a->kind), gb = group_of(b->kind);
  if (ga && gb && ga != gb)
    return no(c,
              arena_printf(w->arena, "is a %s, not a %s like", class_kind_text(a->kind),
                           class_kind_text(b->kind)),
              quoted(w, class_full_name(a)), quoted(w, class_full_name(b)));
  return elements_fit(c, a, b);
}

static bool fits(Comparison *c, Element *actual, Element *wanted) {
  if (actual == wanted || (actual->def && actual->def == wanted->def))
    return true;
  TypeBase pa = class_primitive(c->w, actual), pb = class_primitive(c->w, wanted);
  if (pa != TY_NONE || pb != TY_NONE)
    return primitives_fit(c, actual, wanted);
  /* components inside each other more deeply are refused as such */
  if (c->level > MOST_COMPONENT_DEPTH || !is_new(c, actual, wanted))
    return true;
  c->level++;
  bool fit = classes_fit(c, actual, wanted);
  c->level--;
  return fit;
}

bool compat_fits(World *w, Element *actual, Element *wanted, const char **why) {
  Comparison c = {.w = w};
  bool fit = fits(&c, actual, wanted);
  *why = fit ? *why : c.why;
  return fit;
}

/* ---- where it matters ---- */

static Element *constraint_of(World *w, const AstElement *ast, Class *scope) {
  if (ast->constraint)
    return lookup_type_name(w, scope, ast->constraint);
  if (ast->kind == AST_COMPONENT)
    return lookup_type_name(w, scope, ast->path);
  return ast->class_def->form == FORM_SHORT ? lookup_type_name(w, scope, ast->class_def->base)
                                            : NULL;
}

static bool seen_before(World *w, const void *key) {
  if (map_get_ptr(&w->compared, key))
    return true;
  map_put_ptr(w->arena, &w->compared, key, w);
  return false;
}

/* The type that stands in a declaration: of a component, or the class of a short definition; else
 * the class itself. */
static Element *declared_type(World *w, Element *e) {
  if (e->kind == ELEMENT_COMPONENT)
    return type_of(w, e);
  return e->def->form == FORM_SHORT ? lookup_type_name(w, e->scope, e->def->base) : e;
}

void compat_check(World *w, Element *e) {
  AstElement *ast = e->constraint ? e->constraint : e->ast;
  Class *scope = e->constraint ? e->constraint_scope : e->scope;
  bool redeclared = e->original != NULL;
  if (!ast || (!redeclared && !ast->constraint) || (e->def && e->def->form == FORM_EXTENDS) ||
      seen_before(w, redeclared ? e->ast : ast))
    return;
  Element *wanted = constraint_of(w, ast, scope), *actual = declared_type(w, e);
  Element *wider = e->wider ? constraint_of(w, e->wider, e->wider_scope) : NULL;
  const char *why = NULL;
  bool fit = !wanted || !actual ||
             (compat_fits(w, actual, wanted, &why) &&
              (!wider || compat_fits(w, wanted, wider, &why)));
  if (fit)
    return;
  Diag *d = diag_add(w->diags, D_M005, e->ast->span, "%s", why);
  diag_label(w->diags, d, ast->span, "the constraint of `%s`", e->name);
  diag_origin(w->diags, d, element_path(w, e));
}

/* Why the sizes of an outer array are not those of its inner one; NULL if they are, as far as
 * known. */
static const char *sizes_differ(World *w, const Element *e, const Element *wanted,
                                const Element *actual) {
  const Element *inner = e->inner;
  if (dims_of(e, wanted) != dims_of(inner, actual))
    return arena_printf(w->arena, "it has %u dimensions instead of %u", dims_of(inner, actual),
                        dims_of(e, wanted));
  Elab el = {.w = w, .scope = e->scope, .quiet = true};
  for (uint32_t i = 0; i < e->ast->n_dims && i < inner->n_dims; i++) {
    int64_t size;
    if (e->ast->dims[i]->kind == AST_INTEGER &&
        elab_integer(&el, e->ast->dims[i], &size, "an array size") && size != inner->dims[i])
      return arena_printf(w->arena, "dimension %u has size %d instead of %lld", i + 1,
                          inner->dims[i], (long long)size);
  }
  return NULL;
}

void compat_check_outer(World *w, Element *e) {
  if (seen_before(w, e->ast) && !e->inner->is_added)
    return;
  Element *wanted = type_of(w, e), *actual = type_of(w, e->inner);
  const char *why = NULL;
  if (!wanted || !actual)
    return;
  if (e->inner->is_added && wanted->def != actual->def)
    why = arena_printf(w->arena, "`%s` was added as `%s` for another outer element", e->name,
                       actual->name);
  else if (compat_fits(w, actual, wanted, &why))
    why = sizes_differ(w, e, wanted, actual);
  if (!why)
    return;
  Diag *d = diag_add(w->diags, D_N008, e->ast->span, "the inner element of `%s` does not fit: %s",
                     e->name, why);
  diag_label(w->diags, d, e->inner->ast->span, "the inner element");
  diag_origin(w->diags, d, element_path(w, e));
}
