/* instance/reach.c -- what a dotted name may go through (MLS 3.6 sections 4.1, 5.3 and 13.2).
 * Inside a package everything public is found; inside any other class only encapsulated elements
 * are, unless the class has nothing but classes and constants; from a component only its
 * components, and its functions in a call. */
#include "instance/inst.h"

static void has_section(void *user, Class *text) {
  bool *found = user;
  *found |= text->ast->n_sections > 0 || text->ast->external;
}

bool reach_is_package(World *w, Class *c) {
  if (c == w->root || c->kind == CLASS_PACKAGE || c->kind == CLASS_OPERATOR)
    return true;
  class_expand(w, c);
  if (c->state == STATE_BUSY || c->lookup_failed)
    return true; /* too early to tell, or a message was given */
  for (uint32_t i = 0; i < c->elements.n; i++)
    if (c->elements.at[i]->kind == ELEMENT_COMPONENT &&
        c->elements.at[i]->ast->variability != VAR_CONSTANT)
      return false;
  bool sections = false;
  class_texts(c, has_section, &sections);
  return !sections;
}

bool reach_element(World *w, Class *from, const Element *next, Span span) {
  if (next->is_protected) {
    Diag *d = diag_add(w->diags, D_N005, span, "`%s` is protected in `%s`", next->name,
                       class_full_name(from));
    if (next->ast)
      diag_label(w->diags, d, next->ast->span, "declared here");
    return false;
  }
  if ((next->def && next->def->encapsulated) || reach_is_package(w, from))
    return true;
  Diag *d = diag_add(w->diags, D_N013, span,
                     "`%s` cannot be reached through `%s`, which is no package", next->name,
                     class_full_name(from));
  if (next->ast)
    diag_label(w->diags, d, next->ast->span, "declared here");
  if (next->kind == ELEMENT_CLASS)
    diag_help(w->diags, d, "declare `%s` as encapsulated, or put it into a package", next->name);
  return false;
}

bool reach_enclosing(World *w, Class *scope, const Element *e, Span span) {
  const AstElement *ast = e->ast && !e->ast->has_variability && e->original ? e->original : e->ast;
  if (e->kind != ELEMENT_COMPONENT || class_self(e->owner) == class_self(scope) ||
      ast->variability == VAR_CONSTANT)
    return true;
  Diag *d = diag_add(
      w->diags, D_N013, span,
      "`%s` belongs to the enclosing class `%s`: only constants can be used from there", e->name,
      class_full_name(class_self(e->owner)));
  diag_label(w->diags, d, e->ast->span, "declared here");
  diag_help(w->diags, d, "hand it over as a parameter or through a modification");
  return false;
}
