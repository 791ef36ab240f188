#pragma once
/* instance/library_impl.h -- what library.c needs of the file system (library_path.c). */
#include "base/diag.h"
#include "base/memory.h"

/* The names in a directory, sorted by bytes, hidden ones left out. Comparing with them keeps names
 * case-sensitive on every file system. */
typedef struct {
  const char **at;
  uint32_t n;
} PathList;

/* Everything in a file, followed by a 0. NULL with a reason when it cannot be had. */
const char *path_read(Arena *a, const char *path, size_t *length, const char **why);
PathList path_list(Arena *a, const char *directory);
bool path_has(const PathList *list, const char *name);
bool path_is_file(const char *path);
bool path_is_directory(const char *path);
const char *path_join(Arena *a, const char *directory, const char *name);
const char *path_parent(Arena *a, const char *path); /* "." when there is none */
const char *path_last(const char *path);             /* the part after the last slash */
/* Symbolic links resolved; NULL if there is no such file */
const char *path_absolute(Arena *a, const char *path);
/* Is the file name the class name (of a directory, or with .mo)? */
bool path_is_class(const char *file, const char *class_name, bool directory);
/* Version in `A <version>` or `A <version>.mo`; "" if there is none. */
const char *path_version(Arena *a, const char *file);
/* Order of versions (MLS 3.6 section 18.8.1): numbers part by part, a pre-release before its
 * release. */
int path_compare_versions(const char *a, const char *b);
/* Percent signs resolved. */
char *path_decode(Arena *a, const char *text, size_t n);
