/* instance/mod.c -- modifications: made from the syntax tree, merged outer over inner, distributed
 * to array elements. MLS 3.6 sections 7.2 (modification) and 7.2.5 (modifications of arrays).
 * Keep: a Mod is never changed after it was handed out; merging makes new nodes and shares what it
 *       can. */
#include "instance/inst.h"

static Mod *mod_new(World *w, const char *name, Span span) {
  Mod *m = NEW(w->arena, Mod);
  m->name = name;
  m->span = m->name_span = span;
  return m;
}

bool mod_has_value(const Mod *m) { return m && (m->value || m->typed.i); }

Mod *mod_find(const Mod *m, const char *name) {
  for (uint32_t i = 0; m && i < m->n_subs; i++)
    if (m->subs[i]->name == name)
      return m->subs[i];
  return NULL;
}

/* Adds `sub` to a list; parts of one element written apart (a.b = 1, a.c = 2) are joined. */
static void add_sub(World *w, Mod *m, Mod *sub) {
  for (uint32_t i = 0; i < m->n_subs; i++)
    if (m->subs[i]->name == sub->name) {
      if ((mod_has_value(m->subs[i]) && mod_has_value(sub)) ||
          (m->subs[i]->redeclare && sub->redeclare)) {
        Diag *d = diag_add(w->diags, D_M003, sub->name_span, "`%s` is modified twice here",
                           sub->name);
        diag_label(w->diags, d, m->subs[i]->name_span, "first modification");
      }
      m->subs[i] = mod_merge(w, sub, m->subs[i]);
      return;
    }
  Mod **more = NEW_ARRAY(w->arena, Mod *, m->n_subs + 1);
  for (uint32_t i = 0; i < m->n_subs; i++)
    more[i] = m->subs[i];
  more[m->n_subs++] = sub;
  m->subs = more;
}

static const char *element_name(const AstElement *e) {
  return e->kind == AST_CLASS_DEF ? e->class_def->name : e->name;
}

/* One argument of a modification list. */
static Mod *argument(World *w, const AstMod *ast, Class *scope) {
  if (ast->element) {
    const AstElement *el = ast->element;
    Mod *m = mod_new(w, element_name(el),
                     el->kind == AST_CLASS_DEF ? el->class_def->name_span : el->span);
    m->redeclare = ast->element;
    m->redeclare_scope = scope;
    m->own = mod_of_ast(w,
                        el->kind == AST_COMPONENT           ? el->mod
                        : el->class_def->form == FORM_SHORT ? el->class_def->mod
                                                            : NULL,
                        scope);
    m->final = el->final || ast->final;
    m->each = ast->each;
    return m;
  }
  Mod *inner = mod_of_ast(w, ast, scope);
  inner->name = ast->ref->parts[ast->ref->n - 1].name;
  inner->name_span = ast->ref->parts[ast->ref->n - 1].span;
  inner->each = ast->each;
  inner->final = ast->final;
  /* a.b.c = v means a(b(c = v)) */
  for (uint32_t i = ast->ref->n - 1; i-- > 0;) {
    Mod *outer = mod_new(w, ast->ref->parts[i].name, ast->ref->parts[i].span);
    add_sub(w, outer, inner);
    inner = outer;
  }
  return inner;
}

Mod *mod_of_ast(World *w, const AstMod *ast, Class *scope) {
  if (!ast)
    return NULL;
  Mod *m = mod_new(w, NULL, ast->span);
  m->value = ast->value;
  m->scope = scope;
  if (ast->value)
    m->span = ast->value->span;
  for (uint32_t i = 0; i < ast->n_subs; i++)
    add_sub(w, m, argument(w, ast->subs[i], scope));
  return m;
}

static bool says_something(const Mod *m) { return mod_has_value(m) || m->redeclare || m->n_subs; }

Mod *mod_merge(World *w, Mod *outer, Mod *inner) {
  if (!outer || !says_something(outer))
    return inner ? inner : outer;
  if (!inner)
    return outer;
  if (inner->final && inner->name) {
    Diag *d = diag_add(w->diags, D_M002, outer->name_span, "`%s` is final and cannot be modified",
                       inner->name);
    diag_label(w->diags, d, inner->name_span, "made final here");
  }
  Mod *m = mod_new(w, outer->name ? outer->name : inner->name, outer->name_span);
  if (outer->redeclare) { /* it hides what is said below, up to what redeclare.c takes over */
    *m = *outer;
    m->final = outer->final || inner->final;
    m->below = mod_merge(w, outer->below, inner);
    return m;
  }
  const Mod *value = mod_has_value(outer) ? outer : inner;
  m->value = value->value;
  m->typed = value->typed;
  m->scope = value->scope;
  m->index = value->index;
  m->n_index = value->n_index;
  m->each = value->each;
  m->span = value->span;
  m->final = outer->final || inner->final;
  m->redeclare = inner->redeclare;
  m->redeclare_scope = inner->redeclare_scope;
  m->own = inner->own;
  m->below = inner->below;
  m->subs = NEW_ARRAY(w->arena, Mod *, outer->n_subs + inner->n_subs);
  for (uint32_t i = 0; i < outer->n_subs; i++)
    m->subs[m->n_subs++] = mod_merge(w, outer->subs[i], mod_find(inner, outer->subs[i]->name));
  for (uint32_t i = 0; i < inner->n_subs; i++)
    if (!mod_find(outer, inner->subs[i]->name))
      m->subs[m->n_subs++] = inner->subs[i];
  return m;
}

Mod *mod_plain(World *w, Mod *m) {
  if (!m || !m->redeclare)
    return m;
  Mod *plain = NEW(w->arena, Mod);
  *plain = *m;
  plain->redeclare = NULL;
  plain->own = plain->below = NULL;
  return plain;
}

Mod *mod_item(World *w, Mod *m, const int64_t *index, uint32_t n) {
  if (!m || m->each)
    return m;
  Mod *item = NEW(w->arena, Mod);
  *item = *m;
  if (mod_has_value(m)) {
    int64_t *longer = NEW_ARRAY(w->arena, int64_t, n + m->n_index);
    for (uint32_t i = 0; i < m->n_index; i++) /* arrays further out were crossed before */
      longer[i] = m->index[i];
    for (uint32_t i = 0; i < n; i++)
      longer[m->n_index + i] = index[i];
    item->index = longer;
    item->n_index = n + m->n_index;
  }
  item->own = mod_item(w, m->own, index, n);
  item->below = mod_item(w, m->below, index, n);
  item->subs = NEW_ARRAY(w->arena, Mod *, m->n_subs);
  for (uint32_t i = 0; i < m->n_subs; i++)
    item->subs[i] = mod_item(w, m->subs[i], index, n);
  return item;
}
