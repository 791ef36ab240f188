/* instance/outer.c -- what an outer element stands for (MLS 3.6 section 5.4).
 * The inner element is looked for along the components around; when there is none, one of the
 * outer's class is added to the model, once, with a warning. Outer classes find their inner class
 * in the same way. */
#include "instance/inst.h"

static bool is_inner(const Element *e) {
  return e->ast && (e->ast->inner || (e->original && e->original->inner));
}

static Element *enclosing(World *w, const Element *e) {
  for (Class *c = class_self(e->owner)->instance_parent; c; c = class_self(c)->instance_parent) {
    Element *found = lookup_in(w, class_self(c), e->name);
    if (found && found != e && found->kind == e->kind && is_inner(found))
      return found;
  }
  return NULL;
}

static void report_missing(World *w, const Element *e) {
  Diag *d = diag_add(w->diags, D_N008, e->ast->span,
                     "`%s` is declared outer, but no enclosing component declares it inner",
                     e->name);
  diag_origin(w->diags, d, class_self(e->owner)->path);
  if (e->ast->path)
    diag_help(w->diags, d, "add `inner %s %s;` to the model",
              e->ast->path->parts[e->ast->path->n - 1].name, e->name);
}

static const char *missing_message(World *w, const Element *type) {
  const char *wanted = intern_str(w->names, "missingInnerMessage");
  const AstMod *annotation = type->def ? type->def->annotation : NULL;
  for (uint32_t i = 0; annotation && i < annotation->n_subs; i++) {
    const AstMod *m = annotation->subs[i];
    if (m->ref && m->ref->n == 1 && m->ref->parts[0].name == wanted && m->value &&
        m->value->kind == AST_STRING)
      return m->value->string;
  }
  return NULL;
}

/* Adds `inner T name` to the model for an outer element whose class can stand alone. */
static Element *add_inner(World *w, const Element *e) {
  Class *model = w->model;
  Element *type = model && !lookup_in(w, model, e->name) ? lookup_class(w, e->scope, e->ast->path)
                                                         : NULL;
  if (!type || !type->def || type->def->partial || class_primitive(w, type) != TY_NONE)
    return NULL;
  AstElement *ast = NEW(w->arena, AstElement);
  *ast = *e->ast;
  ast->inner = true;
  ast->outer = false;
  Element *added = NEW(w->arena, Element);
  element_declare(added, ast, e->scope);
  added->name = e->name;
  added->owner = model;
  added->is_added = true;
  map_put_ptr(w->arena, &model->table, added->name, added);
  vec_push(w->arena, &model->elements, added);
  Diag *d = diag_add(w->diags, D_N009, e->ast->span,
                     "nothing around declares `%s` as inner: `inner %s %s` is added to the model",
                     e->name, class_full_name(class_view(w, type)), e->name);
  const char *message = missing_message(w, type);
  if (message)
    diag_note(w->diags, d, "%s", message);
  diag_origin(w->diags, d, class_self(e->owner)->path);
  return added;
}

Element *outer_component(World *w, Element *e, bool required) {
  Element *found = enclosing(w, e);
  if (!found && required)
    found = add_inner(w, e);
  if (!found && required)
    report_missing(w, e);
  return found && element_resolve(w, found) ? found : NULL;
}

Element *outer_class(World *w, Element *e) {
  if (!e->ast || !e->ast->outer || e->ast->inner || !class_self(e->owner)->component)
    return e;
  Element *found = enclosing(w, e);
  if (!found)
    report_missing(w, e);
  return found ? found : e;
}
