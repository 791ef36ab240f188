/* instance/redeclare.c -- redeclarations: what an element becomes and what it keeps (MLS 3.6
 * section 7.3).
 * A redeclared element takes over the modifications of the constraining type (that of the clause,
 * or of the original declaration when it has none) and what was said of the element from outside;
 * never those of a redeclaration in between.
 * Keep: names only; whether the new type fits its constraint is checked later (restrict.c), when
 *       types may be looked up. */
#include "instance/inst.h"

void element_declare(Element *e, AstElement *ast, Class *scope) {
  e->ast = ast;
  e->scope = scope;
  e->kind = ast->kind == AST_CLASS_DEF ? ELEMENT_CLASS : ELEMENT_COMPONENT;
  e->def = ast->class_def;
  e->is_final = ast->final;
  e->is_replaceable = ast->replaceable;
}

/* What a declaration hands on to those that replace it. */
static Mod *handed_on(World *w, const Element *e) {
  const AstElement *ast = e->ast;
  if (e->kept_known)
    return e->kept;
  if (!ast)
    return NULL;
  if (!ast->replaceable && ast->kind == AST_COMPONENT)
    return e->mod; /* the same type again: only sizes or variability change */
  if (ast->constraint)
    return mod_of_ast(w, ast->constraint_mod, e->scope);
  AstMod *own = ast->kind == AST_COMPONENT             ? ast->mod
                : e->def && e->def->form == FORM_SHORT ? e->def->mod
                                                       : NULL;
  Mod *m = mod_of_ast(w, own, e->scope);
  if (m) { /* a value belongs to the old declaration only */
    m->value = NULL;
    m->span = ast->span;
  }
  return m;
}

static const char *kind_text(const Element *e) {
  return e->kind == ELEMENT_CLASS ? "class" : "component";
}

/* The same type again, with other sizes or less variability: allowed without `replaceable` (MLS
 * 7.3.3). */
static bool same_type(const AstElement *a, const AstElement *b) {
  if (a->kind != AST_COMPONENT || b->kind != AST_COMPONENT || a->path->n != b->path->n)
    return false;
  for (uint32_t i = 0; i < a->path->n; i++)
    if (a->path->parts[i].name != b->path->parts[i].name)
      return false;
  return true;
}

static bool is_constant(const Element *e) {
  const AstElement *ast = e->ast && e->ast->has_variability ? e->ast : e->original;
  return e->kind == ELEMENT_COMPONENT && ast && ast->variability == VAR_CONSTANT;
}

/* May `e` become what `ast` declares? */
static void check_allowed(World *w, const Element *e, const AstElement *ast) {
  Diag *d = NULL;
  if (e->is_final)
    d = diag_add(w->diags, D_M002, ast->span, "`%s` is final and cannot be redeclared", e->name);
  else if (is_constant(e))
    d = diag_add(w->diags, D_M004, ast->span, "`%s` is a constant and cannot be redeclared",
                 e->name);
  else if (!e->is_replaceable && !(e->ast && same_type(e->ast, ast)))
    d = diag_add(w->diags, D_M004, ast->span, "`%s` is not replaceable", e->name);
  if (!d)
    return;
  if (e->ast)
    diag_label(w->diags, d, e->ast->span, "declared here");
  if (d->code == D_M004 && !is_constant(e))
    diag_help(w->diags, d,
              e->original ? "write `redeclare replaceable` where it was redeclared before"
                          : "declare it as `replaceable`");
}

/* Keeps the first declaration and the constraint in force. */
static void take_over(Element *e, const Element *old, AstElement *fresh, Class *scope) {
  e->original = old->original ? old->original : old->ast;
  e->original_scope = old->original ? old->original_scope : old->scope;
  bool own = fresh->constraint != NULL;
  e->constraint = own ? fresh : old->constraint ? old->constraint : old->ast;
  e->constraint_scope = own ? scope : old->constraint ? old->constraint_scope : old->scope;
  e->wider = own ? (old->constraint ? old->constraint : old->ast) : old->wider;
  e->wider_scope = own ? (old->constraint ? old->constraint_scope : old->scope) : old->wider_scope;
  e->kept_known = true;
}

void redeclare_by_mod(World *w, Element *e, Mod *m) {
  Element old = *e;
  Mod *kept = handed_on(w, e);
  if (m->below) {
    if (m->below->redeclare) {
      redeclare_by_mod(w, e, m->below);
      old = *e;
      kept = e->kept;
    }
    kept = mod_merge(w, mod_plain(w, m->below), kept);
  }
  AstElement *fresh = m->redeclare;
  check_allowed(w, e, fresh);
  element_declare(e, fresh, m->redeclare_scope);
  if (e->kind != old.kind) {
    diag_add(w->diags, D_M004, fresh->span, "`%s` is a %s and cannot become a %s", e->name,
             kind_text(&old), kind_text(e));
    *e = old;
    return;
  }
  if (fresh->constraint)
    kept = mod_merge(w, mod_of_ast(w, fresh->constraint_mod, m->redeclare_scope), kept);
  take_over(e, &old, fresh, m->redeclare_scope);
  e->kept = kept;
  bool short_class = e->kind == ELEMENT_CLASS && e->def->form == FORM_SHORT;
  e->own = short_class ? m->own : NULL;
  e->under = short_class ? kept : NULL;
  e->mod = short_class ? NULL : mod_merge(w, m->own, kept);
  e->is_final = false;
}

void redeclare_inherited(World *w, Element *old, Element *own) {
  check_allowed(w, old, own->ast);
  if (own->is_protected != old->is_protected) {
    Diag *d = diag_add(w->diags, D_M004, own->ast->span,
                       "`%s` is %s and cannot become %s by its redeclaration", own->name,
                       old->is_protected ? "protected" : "public",
                       own->is_protected ? "protected" : "public");
    if (old->ast)
      diag_label(w->diags, d, old->ast->span, "declared here");
  }
  Element *previous = NEW(w->arena, Element);
  *previous = *old;
  Mod *kept = handed_on(w, old);
  *old = *own;
  if (own->ast->constraint)
    kept = mod_merge(w, mod_of_ast(w, own->ast->constraint_mod, own->scope), kept);
  take_over(old, previous, own->ast, own->scope);
  old->kept = kept;
  old->is_protected = previous->is_protected;
  if (own->def && own->def->form == FORM_EXTENDS)
    old->previous = previous;
  else if (own->def && own->def->form == FORM_SHORT)
    old->under = kept;
  else
    old->mod = mod_merge(w, own->mod, kept);
}
