/* describe/describe_extern.c -- external functions: under which name, and where, the runtime finds
 * them. */
#include "describe/describe_impl.h"

#include <string.h>
#include <strings.h>

bool describe_is_fortran(const Func *f) {
  return f->language && !strcmp(f->language, "FORTRAN 77");
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Compilers of FORTRAN write names in small letters and add a line. */
static const char *symbol_of(Description *d, const Func *f) {
  if (!describe_is_fortran(f))
    return f->external;
  char *name = arena_printf(d->a, "%s_", f->external);
  for (char *p = name; *p; p++)
    *p = lower(*p);
  return name;
}

/* The files to try, one per line: the library in the directories of the annotation, then wherever
 * the system looks. LAPACK is also there when no development files are. */
static const char *files_of(Description *d, const Func *f) {
  Text t = {.arena = d->a};
  if (native_signature(f->external))
    return "";
  for (uint32_t k = 0; k < f->n_libraries; k++) {
    const char *name = f->libraries[k];
    if (strchr(name, '/') || strchr(name, '\n'))
      continue; /* a name, no path */
    for (uint32_t q = 0; q < f->n_library_paths; q++)
      if (!strchr(f->library_paths[q], '\n'))
        text_printf(&t, "%s/linux64/lib%s.so\n%s/lib%s.so\n", f->library_paths[q], name,
                    f->library_paths[q], name);
    if (!strcasecmp(name, "lapack"))
      text_add(&t, "liblapack.so.3\nlibopenblas.so.0\n");
    text_printf(&t, "lib%s.so\n", name);
  }
  return text_str(&t);
}

/* Libraries of different names may have functions of the same name. */
static bool same_function(const DsExternal *a, const DsExternal *b) {
  return !strcmp(a->name, b->name) && !strcmp(a->library, b->library);
}

uint32_t describe_external(Description *d, const Func *f) {
  const DsExternal x = {symbol_of(d, f), files_of(d, f), describe_where(d, f->span)};
  uint32_t k = 0;
  while (k < d->externals.n && !same_function(&d->externals.at[k], &x))
    k++;
  if (k == d->externals.n)
    vec_push(d->a, &d->externals, x);
  d->model.externals = d->externals.at, d->model.n_externals = (int)d->externals.n;
  return k;
}
