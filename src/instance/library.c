/* instance/library.c -- finds classes in files and directories (MLS 3.6 chapter 13 and section
 * 18.8.3).
 * In:   files named by the user, texts, the library path.   Out: a tree of LibClass, grown as names
 *       are asked for.
 * How:  a directory is listed once, a file parsed once; what was not found is remembered, too. The
 *       classes of a file that says `within A.B;` are hung below A.B. If A.B is written inside the
 *       text of A it gets a LibClass with the tree found there, so that it can have children.
 * Keep: nothing depends on the order in which the file system lists names. */
#include "instance/library.h"

#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "base/vec.h"
#include "instance/library_impl.h"
#include "syntax/syntax.h"

typedef struct LibPrivate {
  Map children;            /* interned name -> LibClass, or `absent` */
  VEC(const char *) added; /* names brought in by `within`, in order */
  PathList files;          /* of `directory` */
  bool listed;             /* `files` is known */
  const char **names;      /* answer of library_children; NULL when it must be made anew */
  uint32_t n_names;
} LibPrivate;

typedef struct {
  const char *directory;
  PathList files;
  bool listed;
} Root;

struct Library {
  Arena *arena;
  Interner *names;
  SourceMap *sources;
  Diags *diags;
  /* Interned name -> LibClass: explicitly loaded, or the package around such a file */
  Map loaded_top;
  Map found_top; /* interned name -> LibClass or `absent`: along the path */
  VEC(LibClass *) loaded;
  VEC(const char *) loaded_files; /* absolute paths */
  VEC(Root) roots;
};

static LibClass absent; /* stands in maps for "looked for, not there" */
static const Span nowhere = {0, 0};

Library *library_new(Arena *a, Interner *names, SourceMap *sources, Diags *diags) {
  Library *lib = NEW(a, Library);
  lib->arena = a;
  lib->names = names;
  lib->sources = sources;
  lib->diags = diags;
  return lib;
}

void library_set_path(Library *lib, const char *modelicapath) {
  lib->roots.n = 0;
  lib->found_top = (Map){0};
  for (const char *from = modelicapath ? modelicapath : ""; *from;) {
    size_t n = strcspn(from, ":");
    if (n)
      vec_push(lib->arena, &lib->roots, (Root){.directory = arena_strndup(lib->arena, from, n)});
    from += n + (from[n] == ':');
  }
}

/* ---- classes ---- */

static LibClass *new_class(Library *lib, AstClass *ast, LibClass *parent, const char *directory,
                           const Source *source) {
  LibClass *c = NEW(lib->arena, LibClass);
  *c = (LibClass){
      .name = ast->name, .ast = ast, .parent = parent, .directory = directory, .source = source};
  c->own = NEW(lib->arena, LibPrivate);
  return c;
}

static const char *full_name(Library *lib, const LibClass *c) {
  return c->parent ? arena_printf(lib->arena, "%s.%s", full_name(lib, c->parent), c->name)
                   : c->name;
}

static const char *ref_text(Library *lib, const AstRef *ref) {
  Text text = {.arena = lib->arena};
  if (ref)
    syntax_print_ref(ref, &text);
  return text_str(&text);
}

/* Tells why a path cannot be read, with a name in its directory that looks like it. */
static void refuse(Library *lib, const char *path, const char *why) {
  Diag *d = diag_add(lib->diags, D_L001, nowhere, "cannot read `%s`: %s", path, why);
  const char *parent = path_parent(lib->arena, path), *best = NULL;
  PathList near = path_list(lib->arena, parent);
  if (path_last(path)[0] && nearest_names(path_last(path), near.at, near.n, &best, 1) &&
      strcmp(best, path_last(path)) != 0)
    diag_help(lib->diags, d, "did you mean `%s`?", best);
}

const Source *library_source(Library *lib, const char *path) {
  const char *why = NULL;
  size_t length = 0;
  const char *text = path_read(lib->arena, path, &length, &why);
  const Source *source = text ? sources_add_file(lib->sources, arena_strdup(lib->arena, path), text,
                                                 length)
                              : NULL;
  if (!source)
    refuse(lib, path, why ? why : "all sources together are larger than 4 GB");
  return source;
}

/* Parses a file; NULL after L001. */
static AstFile *read_file(Library *lib, const char *path) {
  const Source *source = library_source(lib, path);
  return source ? syntax_parse(source, lib->names, lib->arena, lib->diags) : NULL;
}

static bool within_is(const AstFile *file, const LibClass *parent) {
  uint32_t n = file->within ? file->within->n : 0;
  for (; parent && n; parent = parent->parent, n--)
    if (file->within->parts[n - 1].name != parent->name)
      return false;
  return !parent && !n;
}

/* MLS 3.6 section 13.4.3. */
static void check_within(Library *lib, const AstFile *file, const AstClass *ast,
                         const LibClass *parent) {
  if (within_is(file, parent))
    return;
  Span span = file->within ? file->within->span : ast->name_span;
  const char *want = parent ? full_name(lib, parent) : "";
  Diag *d = NULL;
  if (!parent)
    d = diag_add(lib->diags, D_L003, span,
                 "this file lies at the top of a library path, but says `within %s`",
                 ref_text(lib, file->within));
  else if (!file->within)
    d = diag_add(lib->diags, D_L003, span, "this file lies in `%s`, but does not say `within`",
                 want);
  else
    d = diag_add(lib->diags, D_L003, span, "this file lies in `%s`, but says `within %s`", want,
                 ref_text(lib, file->within));
  diag_help(lib->diags, d, "write `within%s%s;`", *want ? " " : "", want);
}

/* The class of a file that stands for exactly one class (section 13.4.2); NULL after a
 * diagnostic. */
static AstClass *class_of_file(Library *lib, const AstFile *file, const char *name) {
  AstClass *match = NULL;
  for (uint32_t i = 0; i < file->n_classes && !match; i++)
    if (file->classes[i]->name == name)
      match = file->classes[i];
  Span start = {file->source->base, file->source->base};
  Span span = file->n_classes ? file->classes[0]->name_span : start;
  if (file->n_classes == 0)
    diag_add(lib->diags, D_L004, span, "expected the class `%s` in this file, found none", name);
  else if (!match)
    diag_add(lib->diags, D_L004, span, "expected the class `%s` here, found `%s`", name,
             file->classes[0]->name);
  else if (file->n_classes > 1)
    diag_add(lib->diags, D_L004, file->classes[file->classes[0] == match]->name_span,
             "expected only the class `%s` in this file, found another one", name);
  return match;
}

/* Reads the file of the class `name` at its place in the tree; NULL if it does not define it. */
static LibClass *open_class(Library *lib, LibClass *parent, const char *name, const char *path,
                            const char *directory) {
  uint32_t errors = diags_errors(lib->diags);
  AstFile *file = read_file(lib, path);
  if (!file || (file->n_classes == 0 && diags_errors(lib->diags) > errors))
    return NULL;
  AstClass *ast = class_of_file(lib, file, name);
  if (!ast)
    return NULL;
  check_within(lib, file, ast, parent);
  return new_class(lib, ast, parent, directory, file->source);
}

static const char *package_file(Library *lib, const char *directory) {
  return path_join(lib->arena, directory, "package.mo");
}

/* ---- the top ---- */

/* The entry of a root that holds `name`: directory, file, then the highest version of either. NULL
 * if none. */
static const char *entry_for(Library *lib, const Root *root, const char *name, bool *is_directory) {
  const char *best = NULL, *best_version = NULL;
  for (uint32_t i = 0; i < root->files.n; i++) {
    const char *entry = root->files.at[i];
    bool directory = path_is_class(entry, name, true), file = path_is_class(entry, name, false);
    if (!directory && !file)
      continue;
    const char *path = path_join(lib->arena, root->directory, entry);
    if (file && !path_is_file(path)) /* `A 1.mo` could be a directory, too */
      file = false;
    if (!file && !path_is_file(package_file(lib, path)))
      continue;
    if (strcmp(entry, name) == 0) {
      *is_directory = true;
      return entry;
    }
    const char *version = path_version(lib->arena, entry);
    bool better = !best || (*version == 0 && *best_version) ||
                  (*version && *best_version && path_compare_versions(version, best_version) > 0);
    if (better) {
      best = entry;
      best_version = version;
      *is_directory = !file;
    }
  }
  return best;
}

static LibClass *find_top(Library *lib, const char *name) {
  for (uint32_t i = 0; i < lib->roots.n; i++) {
    Root *root = &lib->roots.at[i];
    if (!root->listed) {
      root->files = path_list(lib->arena, root->directory);
      root->listed = true;
    }
    bool is_directory = false;
    const char *entry = entry_for(lib, root, name, &is_directory);
    if (!entry)
      continue;
    const char *path = path_join(lib->arena, root->directory, entry);
    return open_class(lib, NULL, name, is_directory ? package_file(lib, path) : path,
                      is_directory ? path : NULL);
  }
  return NULL;
}

LibClass *library_top(Library *lib, const char *name) {
  name = intern_str(lib->names, name);
  LibClass *c = map_get_ptr(&lib->loaded_top, name);
  if (c)
    return c;
  c = map_get_ptr(&lib->found_top, name);
  if (!c) {
    c = find_top(lib, name);
    map_put_ptr(lib->arena, &lib->found_top, name, c ? c : &absent);
  }
  return c == &absent ? NULL : c;
}

/* ---- below a package ---- */

static void list_package(Library *lib, LibClass *parent) {
  if (parent->own->listed || !parent->directory)
    return;
  parent->own->files = path_list(lib->arena, parent->directory);
  parent->own->listed = true;
}

/* Path of the file that holds child `name` of a directory; NULL if none. Sets its directory if it
 * has one. */
static const char *child_file(Library *lib, LibClass *parent, const char *name,
                              const char **directory) {
  *directory = NULL;
  if (!parent->directory || strcmp(name, "package") == 0)
    return NULL;
  list_package(lib, parent);
  if (path_has(&parent->own->files, name)) {
    *directory = path_join(lib->arena, parent->directory, name);
    const char *path = package_file(lib, *directory);
    if (path_is_file(path))
      return path;
    *directory = NULL;
  }
  const char *file = arena_printf(lib->arena, "%s.mo", name);
  const char *path = path_join(lib->arena, parent->directory, file);
  return path_has(&parent->own->files, file) && path_is_file(path) ? path : NULL;
}

LibClass *library_child(Library *lib, LibClass *parent, const char *name) {
  name = intern_str(lib->names, name);
  LibClass *c = map_get_ptr(&parent->own->children, name);
  if (!c) {
    const char *directory = NULL, *path = child_file(lib, parent, name, &directory);
    c = path ? open_class(lib, parent, name, path, directory) : NULL;
    map_put_ptr(lib->arena, &parent->own->children, name, c ? c : &absent);
  }
  return c == &absent ? NULL : c;
}

static bool is_identifier(const char *s, size_t n) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  if (n > 2 && s[0] == '\'')
    return s[n - 1] == '\'';
  return n > 0 && !(s[0] >= '0' && s[0] <= '9') && strspn(s, letters) >= n;
}

/* The lines of package.order, interned. */
static void read_order(Library *lib, const LibClass *parent, PathList *order) {
  if (!path_has(&parent->own->files, "package.order"))
    return;
  const char *why = NULL;
  size_t length = 0;
  const char *text = path_read(
      lib->arena, path_join(lib->arena, parent->directory, "package.order"), &length, &why);
  if (!text)
    return;
  VEC(const char *) lines = {0};
  for (const char *end; *text; text = end + (*end != 0)) {
    end = text + strcspn(text, "\n");
    size_t n = (size_t)(end - text);
    while (n && (text[n - 1] == '\r' || text[n - 1] == ' ' || text[n - 1] == '\t'))
      n--;
    if (n)
      vec_push(lib->arena, &lines, intern(lib->names, text, n));
  }
  *order = (PathList){lines.at, lines.n};
}

/* Names of the files and directories below a package that can hold classes, interned, sorted. */
static PathList stored_names(Library *lib, LibClass *parent) {
  VEC(const char *) names = {0};
  Map seen = {0};
  for (uint32_t i = 0; i < parent->own->files.n; i++) {
    const char *entry = parent->own->files.at[i], *directory = NULL;
    size_t n = strlen(entry);
    bool file = n > 3 && strcmp(entry + n - 3, ".mo") == 0;
    n -= file ? 3 : 0;
    if (!is_identifier(entry, n))
      continue;
    const char *name = intern(lib->names, entry, n);
    if (map_get_ptr(&seen, name) || !child_file(lib, parent, name, &directory))
      continue;
    map_put_ptr(lib->arena, &seen, name, &absent);
    vec_push(lib->arena, &names, name);
  }
  return (PathList){names.at, names.n};
}

uint32_t library_children(Library *lib, LibClass *parent, const char *const **names) {
  LibPrivate *own = parent->own;
  if (!own->names) {
    list_package(lib, parent);
    PathList stored = stored_names(lib, parent), order = {0};
    read_order(lib, parent, &order);
    enum { STORED = 1, DONE };
    Map state = {0};
    VEC(const char *) all = {0};
    for (uint32_t i = 0; i < stored.n; i++)
      map_put(lib->arena, &state, (uint64_t)(uintptr_t)stored.at[i], STORED);
    for (uint32_t i = 0; i < order.n + stored.n + own->added.n; i++) {
      bool added = i >= order.n + stored.n;
      const char *name = i < order.n ? order.at[i]
                         : added     ? own->added.at[i - order.n - stored.n]
                                     : stored.at[i - order.n];
      uint64_t s = 0, key = (uint64_t)(uintptr_t)name;
      map_get(&state, key, &s);
      if (s == DONE || (s != STORED && !added))
        continue;
      map_put(lib->arena, &state, key, DONE);
      vec_push(lib->arena, &all, name);
    }
    own->n_names = all.n;
    own->names = all.n ? all.at : NEW_ARRAY(lib->arena, const char *, 1);
  }
  *names = (const char *const *)own->names;
  return own->n_names;
}

/* ---- loading ---- */

/* A class written in the text of `parent`, as a LibClass, so that files can be hung below it. */
static LibClass *class_in_text(Library *lib, LibClass *parent, const char *name) {
  for (uint32_t i = 0; i < parent->ast->n_elements; i++) {
    AstElement *e = parent->ast->elements[i];
    if (e->kind != AST_CLASS_DEF || e->class_def->name != name)
      continue;
    LibClass *c = new_class(lib, e->class_def, parent, NULL, parent->source);
    map_put_ptr(lib->arena, &parent->own->children, name, c);
    return c;
  }
  return NULL;
}

/* The outermost package directory around `directory` becomes a class at the top if its name is
 * `name`. */
static LibClass *top_around(Library *lib, const char *directory, const char *name) {
  const char *at = path_absolute(lib->arena, directory), *outermost = NULL;
  while (at && path_is_file(package_file(lib, at))) {
    outermost = at;
    at = strcmp(at, "/") == 0 ? NULL : path_parent(lib->arena, at);
  }
  if (!outermost || !path_is_class(path_last(outermost), name, true))
    return NULL;
  LibClass *c = open_class(lib, NULL, name, package_file(lib, outermost), outermost);
  if (c)
    map_put_ptr(lib->arena, &lib->loaded_top, name, c);
  return c;
}

/* The package that a `within` clause names; NULL after L003. `around` is the directory of the file,
 * NULL for a text. */
static LibClass *find_within(Library *lib, const AstRef *within, const char *around) {
  LibClass *c = map_get_ptr(&lib->loaded_top, within->parts[0].name);
  if (!c && around)
    c = top_around(lib, around, within->parts[0].name);
  if (!c)
    c = library_top(lib, within->parts[0].name);
  for (uint32_t i = 1; c && i < within->n; i++) {
    LibClass *child = library_child(lib, c, within->parts[i].name);
    c = child ? child : class_in_text(lib, c, within->parts[i].name);
  }
  if (!c) {
    Diag *d = diag_add(lib->diags, D_L003, within->span, "the package `%s` is not found",
                       ref_text(lib, within));
    diag_help(lib->diags, d, "add the directory that holds `%s` to MODELICAPATH, or load it first",
              within->parts[0].name);
  } else if (c->ast->form == FORM_SHORT || c->ast->form == FORM_ENUM || c->ast->form == FORM_DER) {
    diag_add(lib->diags, D_L003, within->span, "`%s` is a short class; nothing can be put into it",
             ref_text(lib, within));
    return NULL;
  }
  return c;
}

static bool same_file(Library *lib, const LibClass *a, const LibClass *b) {
  const char *pa = path_absolute(lib->arena, a->source->name),
             *pb = path_absolute(lib->arena, b->source->name);
  return pa && pb && strcmp(pa, pb) == 0;
}

/* Hangs a loaded class below its parent or at the top. */
static void add_loaded(Library *lib, LibClass *c) {
  Map *place = c->parent ? &c->parent->own->children : &lib->loaded_top;
  LibClass *old = map_get_ptr(place, c->name);
  old = old == &absent ? NULL : old;
  if (old && old->source != c->source && same_file(lib, old, c)) { /* a lookup has read it before */
    vec_push(lib->arena, &lib->loaded, old);
    return;
  }
  if (old) {
    Diag *d = diag_add(lib->diags, D_N002, c->ast->name_span, "`%s` is already declared",
                       full_name(lib, c));
    diag_label(lib->diags, d, old->ast->name_span, "first declared here");
    return;
  }
  map_put_ptr(lib->arena, place, c->name, c);
  if (c->parent) {
    vec_push(lib->arena, &c->parent->own->added, c->name);
    c->parent->own->names = NULL;
  }
  vec_push(lib->arena, &lib->loaded, c);
}

static void add_file(Library *lib, const AstFile *file, const char *around, const char *directory) {
  LibClass *parent = file->within && file->within->n ? find_within(lib, file->within, around)
                                                     : NULL;
  for (uint32_t i = 0; i < file->n_classes; i++)
    add_loaded(lib, new_class(lib, file->classes[i], parent, directory, file->source));
}

static bool loaded_already(Library *lib, const char *absolute) {
  for (uint32_t i = 0; i < lib->loaded_files.n; i++)
    if (strcmp(lib->loaded_files.at[i], absolute) == 0)
      return true;
  vec_push(lib->arena, &lib->loaded_files, absolute);
  return false;
}

bool library_load(Library *lib, const char *path) {
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/')
    n--;
  path = arena_strndup(lib->arena, path, n);
  /* A package is named by its directory or by its package.mo. */
  const char *directory = NULL, *file_path = path;
  if (path_is_directory(path)) {
    directory = path;
    file_path = package_file(lib, path);
    if (!path_is_file(file_path)) {
      refuse(lib, path, "it is a directory without package.mo");
      return false;
    }
  } else if (strcmp(path_last(path), "package.mo") == 0) {
    directory = path_parent(lib->arena, path);
  }
  const char *absolute = path_absolute(lib->arena, file_path);
  if (absolute && loaded_already(lib, absolute))
    return true;
  AstFile *file = read_file(lib, file_path);
  if (!file)
    return false;
  const char *around = path_parent(lib->arena, absolute ? absolute : file_path);
  add_file(lib, file, directory ? path_parent(lib->arena, around) : around, directory);
  return true;
}

bool library_load_text(Library *lib, const char *name, const char *text, size_t n) {
  const Source *source = sources_add(lib->sources, arena_strdup(lib->arena, name),
                                     arena_strndup(lib->arena, text, n), n);
  if (!source) {
    diag_add(lib->diags, D_L001, nowhere,
             "cannot read `%s`: all sources together are larger than 4 GB", name);
    return false;
  }
  add_file(lib, syntax_parse(source, lib->names, lib->arena, lib->diags), NULL, NULL);
  return true;
}

uint32_t library_loaded(const Library *lib, LibClass *const **classes) {
  *classes = lib->loaded.at;
  return lib->loaded.n;
}

/* ---- resources ---- */

/* Does a path stay below the place where it starts? */
static bool stays_below(const char *path) {
  int depth = 0;
  while (*path) {
    size_t n = strcspn(path, "/");
    if (n == 2 && strncmp(path, "..", 2) == 0)
      depth--;
    else if (n && !(n == 1 && *path == '.'))
      depth++;
    if (depth < 0)
      return false;
    path += n + (path[n] == '/');
  }
  return true;
}

/* MLS 3.6 section 13.5: modelica://A.B/C.jpg is B/C.jpg in the directory of A, however A.B is
 * stored. */
const char *library_resource(Library *lib, const char *uri) {
  static const char modelica[] = "modelica://", file[] = "file://";
  Arena *a = lib->arena;
  if (strncasecmp(uri, file, strlen(file)) == 0)
    return path_decode(a, uri + strlen(file), strlen(uri + strlen(file)));
  if (strncasecmp(uri, modelica, strlen(modelica)) != 0)
    return NULL;
  uri += strlen(modelica);
  size_t n = strcspn(uri, "/");
  const char *package = path_decode(a, uri, n), *rest = path_decode(a, uri + n, strlen(uri + n));
  LibClass *top = NULL;
  Text path = {.arena = a};
  if (strchr(package, '/'))
    return NULL;
  while (*package) {
    size_t part = *package == '\'' && strchr(package + 1, '\'')
                      ? (size_t)(strchr(package + 1, '\'') + 1 - package)
                      : 0;
    part += strcspn(package + part, ".");
    const char *name = intern(lib->names, package, part);
    if (!top) {
      top = library_top(lib, name);
      if (!top)
        return NULL;
      text_add(&path, top->directory ? top->directory : path_parent(a, top->source->name));
    } else {
      text_printf(&path, "/%s", name);
    }
    package += part + (package[part] == '.');
  }
  if (!top || !stays_below(rest))
    return NULL;
  text_add(&path, rest);
  return text_str(&path);
}

Interner *library_names(const Library *lib) { return lib->names; }
