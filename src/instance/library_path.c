/* instance/library_path.c -- files and directories as the library sees them.
 * Keep: no file or directory stays open while memory is taken from the arena, because that may not
 *       return. */
#include "instance/library_impl.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/vec.h"

const char *path_read(Arena *a, const char *path, size_t *length, const char **why) {
  struct stat info;
  if (stat(path, &info) != 0) {
    *why = strerror(errno);
    return NULL;
  }
  if (!S_ISREG(info.st_mode)) {
    *why = S_ISDIR(info.st_mode) ? "it is a directory" : "it is not a regular file";
    return NULL;
  }
  if (info.st_size > MOST_FILE_BYTES) {
    *why = "it is larger than 200 MB";
    return NULL;
  }
  size_t size = (size_t)info.st_size;
  char *text = arena_alloc(a, size + 1);
  FILE *f = fopen(path, "rb");
  if (!f) {
    *why = strerror(errno);
    return NULL;
  }
  *length = fread(text, 1, size, f);
  text[*length] = 0;
  bool failed = ferror(f) != 0;
  int error = errno;
  fclose(f);
  *why = failed ? strerror(error) : NULL;
  return failed ? NULL : text;
}

static bool wanted(const struct dirent *e) { return e->d_name[0] != '.'; }

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

PathList path_list(Arena *a, const char *directory) {
  PathList list = {0};
  size_t bytes = 0, room = 0;
  /* Measure, take the memory, then read: nothing is open in between. */
  DIR *d = opendir(directory);
  if (!d)
    return list;
  for (struct dirent *e; (e = readdir(d));)
    if (wanted(e)) {
      room++;
      bytes += strlen(e->d_name) + 1;
    }
  closedir(d);
  list.at = NEW_ARRAY(a, const char *, room + 1);
  char *text = arena_alloc(a, bytes + 1);
  d = opendir(directory);
  if (!d)
    return list;
  for (struct dirent *e; list.n < room && (e = readdir(d));) {
    size_t n = strlen(e->d_name) + 1;
    if (!wanted(e) || n > bytes)
      continue;
    memcpy(text, e->d_name, n);
    list.at[list.n++] = text;
    text += n;
    bytes -= n;
  }
  closedir(d);
  if (list.n)
    qsort(list.at, list.n, sizeof *list.at, compare_names);
  return list;
}

bool path_has(const PathList *list, const char *name) {
  return list->n && bsearch(&name, list->at, list->n, sizeof *list->at, compare_names);
}

bool path_is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool path_is_directory(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char *path_join(Arena *a, const char *directory, const char *name) {
  size_t n = strlen(directory);
  return arena_printf(a, "%s%s%s", directory, n && directory[n - 1] == '/' ? "" : "/", name);
}

const char *path_last(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_parent(Arena *a, const char *path) {
  const char *last = path_last(path);
  if (last == path)
    return ".";
  size_t n = (size_t)(last - path);
  return arena_strndup(a, path, n > 1 ? n - 1 : 1);
}

const char *path_absolute(Arena *a, const char *path) {
  char buffer[PATH_MAX];
  return realpath(path, buffer) ? arena_strdup(a, buffer) : NULL;
}

bool path_is_class(const char *file, const char *class_name, bool directory) {
  size_t n = strlen(class_name);
  if (strncmp(file, class_name, n) != 0)
    return false;
  const char *rest = file + n;
  if (*rest == ' ') { /* a version follows */
    size_t length = strlen(rest);
    return length > 1 && (directory || (length > 4 && strcmp(rest + length - 3, ".mo") == 0));
  }
  return strcmp(rest, directory ? "" : ".mo") == 0;
}

const char *path_version(Arena *a, const char *file) {
  const char *space = strchr(file, ' ');
  if (!space)
    return "";
  size_t n = strlen(space + 1);
  if (n > 3 && strcmp(space + 1 + n - 3, ".mo") == 0)
    n -= 3;
  return arena_strndup(a, space + 1, n);
}

static bool digit(char c) { return c >= '0' && c <= '9'; }

/* Takes a run of digits off both and compares their values, of any size. */
static int compare_numbers(const char **a, const char **b) {
  while (**a == '0' && digit((*a)[1]))
    ++*a;
  while (**b == '0' && digit((*b)[1]))
    ++*b;
  int order = 0, length = 0;
  for (; digit(**a) && digit(**b); ++*a, ++*b)
    if (!order)
      order = **a - **b;
  for (; digit(**a); ++*a)
    length = 1;
  for (; digit(**b); ++*b)
    length = -1;
  return length ? length : order;
}

int path_compare_versions(const char *a, const char *b) {
  if (digit(*a) != digit(*b))
    return digit(*a) ? 1 : -1;
  while (digit(*a) && digit(*b)) {
    int order = compare_numbers(&a, &b);
    if (order)
      return order;
    bool more_a = *a == '.' && digit(a[1]), more_b = *b == '.' && digit(b[1]);
    a += more_a;
    b += more_b;
    if (more_a != more_b)
      return more_a ? 1 : -1;
  }
  if (!*a || !*b) /* 3.0 comes after 3.0 Beta */
    return *a ? -1 : *b ? 1 : 0;
  return strcmp(a, b);
}

static int hex(char c) {
  if (digit(c))
    return c - '0';
  char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

char *path_decode(Arena *a, const char *text, size_t n) {
  char *out = arena_alloc(a, n + 1);
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    bool escape = text[i] == '%' && i + 2 < n && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
    int value = escape ? hex(text[i + 1]) * 16 + hex(text[i + 2]) : 0;
    if (escape && value) {
      out[k++] = (char)value;
      i += 2;
    } else {
      out[k++] = text[i];
    }
  }
  out[k] = 0;
  return out;
}
