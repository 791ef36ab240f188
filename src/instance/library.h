#pragma once
/* instance/library.h -- which classes exist and where their text is (MLS 3.6 chapter 13).
 * Lazy: a file is read when a name in it is first asked for. The tree of LibClass mirrors
 * directories and files; classes written inside another class's text are not in it (they are
 * elements of the syntax tree). */
#include "base/diag.h"
#include "base/intern.h"
#include "syntax/ast.h"

typedef struct Library Library;
typedef struct LibClass LibClass;

struct LibClass {
  const char *name;      /* interned */
  AstClass *ast;         /* never NULL for a class handed out */
  LibClass *parent;      /* NULL at the top */
  const char *directory; /* of its package.mo; NULL if the class is a single file or text */
  const Source *source;
  struct LibPrivate *own;
};

Library *library_new(Arena *a, Interner *names, SourceMap *sources, Diags *diags);
/* Directories separated by `:`, searched in order after everything that was loaded explicitly. */
void library_set_path(Library *lib, const char *modelicapath);
/* A file or package directory named by the user: its classes become visible at the top (with
 * `within A.B;` inside A.B, which is looked for along the path). Syntax errors go to the
 * diagnostics. False when it cannot be read (L001). */
bool library_load(Library *lib, const char *path);
/* The same for text in memory; the text is copied. */
bool library_load_text(Library *lib, const char *name, const char *text, size_t n);
/* The text of a file, without loading its classes. NULL after L001. */
const Source *library_source(Library *lib, const char *path);

/* The classes that library_load brought in, in order of loading. */
uint32_t library_loaded(const Library *lib, LibClass *const **classes);
/* A class at the top: loaded ones first, then along the path: A/package.mo, A.mo, `A
 * <version>/package.mo` (highest version, MLS 18.8.3); once A is found other roots are not tried
 * (13.3). NULL if there is none (no diagnostic). */
LibClass *library_top(Library *lib, const char *name);
/* A class stored in a file or directory of its own below package `parent`. NULL if there is none
 * (no diagnostic); a file that exists but does not fit (L003 within, L004 name) is reported. */
LibClass *library_child(Library *lib, LibClass *parent, const char *name);
/* Names of all classes in files below `parent`, in the order of package.order, then
 * alphabetically. */
uint32_t library_children(Library *lib, LibClass *parent, const char *const **names);
/* Where its names are interned. */
Interner *library_names(const Library *lib);
/* File path of a modelica:// URI; NULL if its package is not found. */
const char *library_resource(Library *lib, const char *uri);
