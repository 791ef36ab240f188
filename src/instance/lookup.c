/* instance/lookup.c -- names to elements (MLS 3.6 chapter 5 and section 13.2 for imports).
 * A simple name is looked for in the class, among its imports, then in the class around it, up to
 * the root, where libraries are loaded; `encapsulated` stops the ascent. Predefined types come
 * first, so that no library can hide them. */
#include "instance/inst.h"

#include <string.h>

static Element *new_class_element(World *w, const char *name, AstClass *def, LibClass *lib,
                                  Class *scope) {
  Element *e = NEW(w->arena, Element);
  e->kind = ELEMENT_CLASS;
  e->name = name;
  e->def = def;
  e->lib = lib;
  e->scope = scope;
  e->owner = scope;
  return e;
}

/* ---- the world ---- */

static void add_predefined(World *w, const char *name, TypeBase base) {
  Element *e = new_class_element(w, intern_str(w->names, name), NULL, NULL, w->predefined);
  e->predefined = base;
  map_put_ptr(w->arena, &w->predefined->table, e->name, e);
}

static AstClass *enumeration(World *w, const char *name, uint32_t n, const char *const *literals) {
  AstClass *def = NEW(w->arena, AstClass);
  def->kind = CLASS_TYPE;
  def->form = FORM_ENUM;
  def->name = intern_str(w->names, name);
  def->n_literals = n;
  def->literals = NEW_ARRAY(w->arena, AstEnumLiteral, n);
  for (uint32_t i = 0; i < n; i++)
    def->literals[i].name = intern_str(w->names, literals[i]);
  return def;
}

static const TypeDecl *add_enumeration(World *w, const char *name, uint32_t n,
                                       const char *const *literals) {
  AstClass *def = enumeration(w, name, n, literals);
  Element *e = new_class_element(w, def->name, def, NULL, w->predefined);
  map_put_ptr(w->arena, &w->predefined->table, e->name, e);
  return class_decl(w, class_view(w, e));
}

World *world_new(Library *lib, Interner *names, Arena *a, Diags *diags) {
  World *w = NEW(a, World);
  w->arena = a;
  w->frugal = 1;
  w->names = names;
  w->lib = lib;
  w->diags = diags;
  w->pool = pool_new(a);
  w->root = NEW(a, Class);
  w->root->full_name = w->root->path = "";
  w->root->state = STATE_DONE;
  w->predefined = NEW(a, Class);
  w->predefined->full_name = w->predefined->path = "";
  w->predefined->state = STATE_DONE;
  add_predefined(w, "Real", TY_REAL);
  add_predefined(w, "Integer", TY_INTEGER);
  add_predefined(w, "Boolean", TY_BOOLEAN);
  add_predefined(w, "String", TY_STRING);
  add_predefined(w, "Clock", TY_CLOCK);
  add_predefined(w, "ExternalObject", TY_EXTERNAL);
  w->state_select = add_enumeration(
      w, "StateSelect", 5, (const char *const[]){"never", "avoid", "default", "prefer", "always"});
  w->assertion_level = add_enumeration(w, "AssertionLevel", 2,
                                       (const char *const[]){"warning", "error"});
  elab_init_builtins(w);
  return w;
}

/* ---- inside a class ---- */

Class *class_view(World *w, Element *e) {
  if (!e->view) {
    e->view = class_new(w, e, NULL, NULL, NULL, 0);
    /* a package inside a component's class belongs to that component: its constants may depend on
     * it */
    if (e->scope && class_self(e->scope)->component)
      e->view->instance_parent = class_self(e->scope);
  }
  return e->view;
}

/* Classes with a file of their own, below a package that is a directory. */
static Element *in_library(World *w, Class *c, const char *name) {
  if ((c != w->root && !c->lib) || map_get_ptr(&c->missing, name))
    return NULL;
  LibClass *found = c == w->root ? library_top(w->lib, name) : library_child(w->lib, c->lib, name);
  if (!found) {
    map_put_ptr(w->arena, &c->missing, name, w);
    return NULL;
  }
  Element *e = new_class_element(w, name, found->ast, found, c);
  Mod *outer = mod_find(c->mod, name);
  if (outer)
    e->mod = outer;
  e->owner = class_self(c);
  map_put_ptr(w->arena, &c->table, name, e);
  vec_push(w->arena, &c->elements, e);
  return e;
}

Element *lookup_in(World *w, Class *c, const char *name) {
  class_expand(w, c);
  Element *e = map_get_ptr(&c->table, name);
  while (e && e->same)
    e = e->same;
  if (!e)
    e = in_library(w, c, name);
  /* a directory package that is a base: its files are elements, too */
  for (uint32_t i = 0; !e && i < c->bases.n; i++) {
    e = lookup_in(w, c->bases.at[i].cls, name);
    if (e)
      map_put_ptr(w->arena, &c->table, name, e);
  }
  return e && e->kind == ELEMENT_CLASS ? outer_class(w, e) : e;
}

/* ---- imports ---- */

/* One step of an import; at its end stands a package or an element of one. */
static Element *import_step(World *w, Element *e, const char *name, Span span, bool last) {
  Class *c = e->kind == ELEMENT_CLASS ? class_view(w, e) : NULL;
  Element *next = c ? lookup_in(w, c, name) : NULL;
  if (next && last && !reach_is_package(w, c) && !(next->def && next->def->kind == CLASS_PACKAGE)) {
    diag_add(w->diags, D_N006, span, "`%s` cannot be imported from `%s`, which is no package", name,
             class_full_name(c));
    return NULL;
  }
  return next && reach_element(w, c, next, span) ? next : NULL;
}

static void import_nothing(World *w, const Import *im) {
  Text t = {.arena = w->arena};
  for (uint32_t i = 0; i < im->path->n; i++)
    text_printf(&t, "%s%s", i ? "." : "", im->path->parts[i].name);
  diag_add(w->diags, D_N006, im->span, "import finds nothing named `%s%s%s`", text_str(&t),
           im->last ? "." : "", im->last ? im->last : "");
}

static Element *imported(World *w, Import *im) {
  if (im->found || im->busy || im->failed)
    return im->found;
  im->busy = true;
  uint32_t errors = diags_errors(w->diags);
  const AstRef *path = im->path;
  Element *e = lookup_in(w, w->root, path->parts[0].name);
  for (uint32_t i = 1; e && i < path->n; i++)
    e = import_step(w, e, path->parts[i].name, path->parts[i].span, i + 1 == path->n && !im->last);
  if (e && im->last)
    e = import_step(w, e, im->last, im->span, true);
  if (!e && diags_errors(w->diags) == errors)
    import_nothing(w, im);
  im->busy = false;
  im->failed = !e;
  return im->found = e;
}

/* The one name that import A.* and the like bring in; two different ones are an error. */
static Element *in_open_imports(World *w, Class *c, const char *name) {
  Element *found = NULL;
  for (uint32_t i = 0; i < c->imports.n; i++) {
    Import *im = &c->imports.at[i];
    Element *package = im->name ? NULL : imported(w, im);
    Element *e = package && package->kind == ELEMENT_CLASS
                     ? lookup_in(w, class_view(w, package), name)
                     : NULL;
    if (!e || e->is_protected)
      continue;
    if (!reach_is_package(w, class_view(w, package)))
      diag_add(w->diags, D_N006, im->span, "nothing can be imported from `%s`, which is no package",
               package->name);
    if (found && found != e)
      diag_add(w->diags, D_N006, im->span, "`%s` is imported from several packages", name);
    found = found ? found : e;
  }
  return found;
}

void lookup_check_imports(World *w, Class *c) {
  for (uint32_t i = 0; i < c->imports.n; i++)
    imported(w, &c->imports.at[i]);
}

static Element *in_imports(World *w, Class *c, const char *name) {
  for (uint32_t i = 0; i < c->imports.n; i++)
    if (c->imports.at[i].name == name)
      return imported(w, &c->imports.at[i]);
  return in_open_imports(w, c, name);
}

/* ---- from a place in the text ---- */

Element *lookup_here(World *w, Class *c, const char *name) {
  Element *e = lookup_in(w, c, name);
  return e ? e : in_imports(w, c, name);
}

/* Real, Integer, Boolean and String cannot be hidden; StateSelect and the like can (MLS 4.8,
 * 4.9). */
static bool is_reserved(const Element *e) {
  return e && e->predefined != TY_NONE && e->predefined != TY_CLOCK && e->predefined != TY_EXTERNAL;
}

Element *lookup_simple(World *w, Class *scope, const char *name) {
  Element *predefined = map_get_ptr(&w->predefined->table, name);
  if (is_reserved(predefined))
    return predefined;
  for (Class *c = scope; c; c = c->parent) {
    Element *e = lookup_here(w, c, name);
    if (e)
      return e;
    if (c->ast && c->ast->encapsulated)
      break;
  }
  return predefined;
}

static const char *ref_text(World *w, const AstRef *ref, uint32_t n) {
  Text t = {.arena = w->arena};
  for (uint32_t i = 0; i < n; i++)
    text_printf(&t, "%s%s", i ? "." : "", ref->parts[i].name);
  return text_str(&t);
}

Element *lookup_type_name(World *w, Class *scope, const AstRef *ref) {
  Element *e = ref->global ? lookup_in(w, w->root, ref->parts[0].name)
                           : lookup_simple(w, scope, ref->parts[0].name);
  for (uint32_t i = 1; e && i < ref->n; i++)
    e = e->kind == ELEMENT_CLASS ? lookup_in(w, class_view(w, e), ref->parts[i].name) : NULL;
  return e && e->kind == ELEMENT_CLASS ? e : NULL;
}

/* One step of a dotted class name; NULL after an error. */
static Element *class_step(World *w, Element *e, const AstRef *ref, uint32_t i, bool call) {
  const AstRefPart *part = &ref->parts[i];
  if (e->kind == ELEMENT_COMPONENT && !element_resolve(w, e))
    return NULL;
  Class *c = e->kind == ELEMENT_CLASS ? class_view(w, e) : element_item(w, element_meant(w, e));
  Element *next = c ? lookup_in(w, c, part->name) : NULL;
  if (!next) {
    lookup_report(w, NULL, c, part->name, part->span, "class");
    return NULL;
  }
  if (e->kind == ELEMENT_CLASS)
    return next->kind == ELEMENT_COMPONENT || reach_element(w, c, next, part->span) ? next : NULL;
  const char *why = !call
                        ? "only functions can be reached through a component, and only to call them"
                    : ref->parts[i - 1].n_subs < e->n_dims ? "it is an array: choose one element"
                                                           : NULL;
  if (why && next->kind == ELEMENT_CLASS) {
    diag_add(w->diags, D_N013, part->span, "`%s` cannot be reached through component `%s`: %s",
             next->name, e->name, why);
    return NULL;
  }
  if (next->is_protected) {
    diag_add(w->diags, D_N005, part->span, "`%s` is protected in `%s`", next->name,
             class_full_name(c));
    return NULL;
  }
  if (e->ast->condition) {
    diag_add(w->diags, D_N007, ref->parts[i - 1].span,
             "`%s` is declared with a condition: it can be connected, but not used in expressions",
             e->name);
    return NULL;
  }
  return next;
}

static Element *dotted_class(World *w, Class *scope, const AstRef *ref, bool call) {
  Element *e = ref->global ? lookup_in(w, w->root, ref->parts[0].name)
                           : lookup_simple(w, scope, ref->parts[0].name);
  if (!e)
    lookup_report(w, ref->global ? w->root : scope, NULL, ref->parts[0].name, ref->parts[0].span,
                  "class");
  bool in_class = e && e->kind == ELEMENT_CLASS;
  for (uint32_t i = 1; e && i < ref->n; i++) {
    e = class_step(w, e, ref, i, call);
    if (e && in_class && e->kind == ELEMENT_COMPONENT)
      break;
    in_class = e && e->kind == ELEMENT_CLASS;
  }
  if (e && e->kind != ELEMENT_CLASS) {
    Diag *d = diag_add(w->diags, D_N004, ref->span, "`%s` is a component, a class is needed here",
                       ref_text(w, ref, ref->n));
    if (e->ast)
      diag_label(w->diags, d, e->ast->span, "declared here");
    return NULL;
  }
  return e;
}

Element *lookup_class(World *w, Class *scope, const AstRef *ref) {
  return dotted_class(w, scope, ref, false);
}

Element *lookup_function(World *w, Class *scope, const AstRef *ref) {
  return dotted_class(w, scope, ref, true);
}

size_t lookup_first_name(const char *name) {
  if (*name != '\'')
    return strcspn(name, ".");
  size_t n = 1;
  while (name[n] && name[n] != '\'')
    n += name[n] == '\\' && name[n + 1] ? 2 : 1;
  return n + (name[n] == '\'');
}

Element *lookup_full_name(World *w, const char *name) {
  Class *c = w->root;
  Element *e = NULL;
  while (*name) {
    size_t n = lookup_first_name(name);
    e = lookup_in(w, c, intern(w->names, name, n));
    if (!e || e->kind != ELEMENT_CLASS)
      return NULL;
    c = class_view(w, e);
    name += n;
    if (*name == '.')
      name++;
  }
  return e;
}

/* ---- messages ---- */

typedef VEC(const char *) Names;

/* What was meant: the word that names it in messages. */
typedef enum { WANT_ANY, WANT_CLASS, WANT_COMPONENT } Wanted;

static Wanted wanted_of(const char *what) {
  return strcmp(what, "class") == 0 || strcmp(what, "function") == 0       ? WANT_CLASS
         : strcmp(what, "variable") == 0 || strcmp(what, "connector") == 0 ? WANT_COMPONENT
                                                                           : WANT_ANY;
}

static void collect(World *w, Class *c, Wanted wanted, Names *out) {
  for (uint32_t i = 0; i < c->elements.n; i++)
    if (wanted == WANT_ANY || (wanted == WANT_CLASS) == (c->elements.at[i]->kind == ELEMENT_CLASS))
      vec_push(w->arena, out, c->elements.at[i]->name);
  if (c->lib) {
    const char *const *files = NULL;
    uint32_t n = library_children(w->lib, c->lib, &files);
    for (uint32_t i = 0; i < n; i++)
      vec_push(w->arena, out, files[i]);
  }
  for (uint32_t i = 0; i < c->imports.n; i++)
    if (c->imports.at[i].name)
      vec_push(w->arena, out, c->imports.at[i].name);
}

/* The first part of A.B: the name of a package. */
static bool is_library_name(World *w, Span span) {
  const Source *s = sources_find(diags_sources(w->diags), span.lo);
  return s && span.hi - s->base < s->length && s->text[span.hi - s->base] == '.';
}

/* A base is missing: nobody knows which names it would have brought. */
static bool is_incomplete(const Class *c) {
  for (; c; c = c->parent)
    if (c->lookup_failed)
      return true;
  return false;
}

/* Was the name to come from an import that failed? Then everything is said. */
static bool import_failed(const Class *scope, const char *name) {
  for (; scope; scope = scope->parent)
    for (uint32_t i = 0; i < scope->imports.n; i++)
      if (scope->imports.at[i].name == name && scope->imports.at[i].failed)
        return true;
  return false;
}

void lookup_report(World *w, Class *scope, Class *c, const char *name, Span span,
                   const char *what) {
  if (!c && import_failed(scope, name))
    return;
  Names names = {0};
  Diag *d;
  if (diags_errors(w->diags) && is_incomplete(c ? c : scope))
    return;
  Wanted wanted = wanted_of(what);
  if (c) {
    const char *where = c->component ? c->component->name : class_full_name(c);
    bool modify = strcmp(what, "to modify") == 0;
    d = diag_add(w->diags, modify ? D_M001 : D_N001, span,
                 modify ? "there is no `%s` in `%s` to modify" : "`%s` is not declared in `%s`",
                 name, modify || !c->component ? class_full_name(c) : where);
    collect(w, c, wanted, &names);
  } else {
    d = diag_add(w->diags, D_N001, span, "%s `%s` is not declared", what, name);
    for (Class *s = scope; s; s = s->parent)
      collect(w, s, wanted, &names);
    if (strcmp(what, "function") == 0)
      for (uint32_t i = 0; elab_builtin_name(i); i++)
        vec_push(w->arena, &names, elab_builtin_name(i));
    else if (wanted == WANT_CLASS)
      for (const char *const *p =
               (const char *const[]){"Real", "Integer", "Boolean", "String", NULL};
           *p; p++)
        vec_push(w->arena, &names, *p);
    else
      vec_push(w->arena, &names, "time");
  }
  const char *best[3];
  uint32_t n = nearest_names(name, names.at, names.n, best, 3);
  if (n == 1)
    diag_help(w->diags, d, "did you mean `%s`?", best[0]);
  else if (n == 2)
    diag_help(w->diags, d, "did you mean `%s` or `%s`?", best[0], best[1]);
  else if (n)
    diag_help(w->diags, d, "did you mean `%s`, `%s` or `%s`?", best[0], best[1], best[2]);
  else if (!c && is_library_name(w, span))
    diag_help(w->diags, d, "if it is a library, add the directory that holds it to MODELICAPATH");
}
