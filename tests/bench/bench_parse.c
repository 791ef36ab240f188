/* tests/bench/bench_parse.c -- how fast are sources read?
 *   bench_parse [DIRECTORY]      default: the directory Modelica* found first along MODELICAPATH
 * Reads all .mo files below it into memory, then parses each one; prints MB, files, ms and MB/s of
 * the parsing alone, and how many files give the same tree after they were printed, and after they
 * were formatted. Exit status 1 if any does not. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/vec.h"
#include "syntax/syntax.h"

typedef struct {
  Arena *arena;
  SourceMap *sources;
  VEC(const Source *) files;
  size_t bytes;
} Bench;

static void add_file(Bench *b, const char *path, size_t size) {
  FILE *file = fopen(path, "rb");
  char *text = arena_alloc(b->arena, size + 1);
  if (!file)
    return;
  size_t n = fread(text, 1, size, file);
  fclose(file);
  const Source *s = sources_add(b->sources, path, text, n);
  if (s) {
    vec_push(b->arena, &b->files, s);
    b->bytes += n;
  }
}

static void add_directory(Bench *b, const char *path) {
  struct dirent **entries;
  int n = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    const char *name = entries[i]->d_name, *dot = strrchr(name, '.');
    char *child = arena_printf(b->arena, "%s/%s", path, name);
    struct stat info;
    if (name[0] != '.' && stat(child, &info) == 0) {
      if (S_ISDIR(info.st_mode))
        add_directory(b, child);
      else if (dot && strcmp(dot, ".mo") == 0)
        add_file(b, child, (size_t)info.st_size);
    }
    free(entries[i]);
  }
  if (n >= 0)
    free(entries);
}

/* The directory Modelica, Modelica 4.1.0 or the like in one of the directories of MODELICAPATH;
 * NULL if there is none. */
static const char *standard_library(Arena *a) {
  const char *path = getenv("MODELICAPATH");
  char *list = arena_strdup(a, path ? path : ""), *rest = NULL;
  for (char *dir = strtok_r(list, ":", &rest); dir; dir = strtok_r(NULL, ":", &rest)) {
    DIR *d = opendir(dir);
    const char *found = NULL;
    for (struct dirent *e; d && (e = readdir(d));)
      if (strcmp(e->d_name, "Modelica") == 0 || strncmp(e->d_name, "Modelica ", 9) == 0)
        found = arena_printf(a, "%s/%s", dir, e->d_name);
    if (d)
      closedir(d);
    if (found)
      return found;
  }
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Parses everything, with one interner as a session has; returns the time in ms. */
static double parse_all(const Bench *b, Memory *mem, uint32_t *errors) {
  Arena *a = arena_new(mem);
  Diags *diags = diags_new(a, b->sources);
  Interner *names = interner_new(a);
  double start = now();
  for (uint32_t i = 0; i < b->files.n; i++)
    syntax_parse(b->files.at[i], names, a, diags);
  double ms = now() - start;
  *errors = diags_errors(diags);
  arena_free(a);
  return ms;
}

/* Is the tree of this text equal to `tree`? */
static bool reads_back(const AstFile *tree, const Text *text, Interner *names, Arena *a) {
  SourceMap *sources = sources_new(a);
  Diags *diags = diags_new(a, sources);
  const Source *again = sources_add(sources, "again", text_str(text), text->n);
  return again && syntax_equal(tree, syntax_parse(again, names, a, diags)) && !diags_errors(diags);
}

static uint32_t round_trips(const Bench *b, Memory *mem) {
  uint32_t same = 0;
  for (uint32_t i = 0; i < b->files.n; i++) {
    Arena *a = arena_new(mem);
    Interner *names = interner_new(a);
    Diags *diags = diags_new(a, b->sources);
    AstFile *tree = syntax_parse(b->files.at[i], names, a, diags);
    Text printed = {.arena = a}, formatted = {.arena = a};
    syntax_print(tree, &printed);
    bool ok = syntax_format(b->files.at[i], names, a, diags, &formatted);
    ok = ok && reads_back(tree, &printed, names, a) && reads_back(tree, &formatted, names, a);
    if (!ok)
      printf("differs: %s\n", b->files.at[i]->name);
    same += ok;
    arena_free(a);
  }
  return same;
}

int main(int argc, char **argv) {
  Memory mem = {0};
  jmp_buf recover;
  mem.recover = &recover;
  if (setjmp(recover)) {
    puts("no memory");
    return 1;
  }
  Bench b = {.arena = arena_new(&mem)};
  b.sources = sources_new(b.arena);
  const char *directory = argc > 1 ? argv[1] : standard_library(b.arena);
  if (!directory) {
    puts("absent: no directory named Modelica along MODELICAPATH");
    return 0;
  }
  add_directory(&b, directory);
  double best = 0;
  uint32_t errors = 0;
  for (int i = 0; i < 3; i++) {
    double ms = parse_all(&b, &mem, &errors);
    best = i == 0 || ms < best ? ms : best;
  }
  double mb = (double)b.bytes * 1e-6;
  printf("%.1f MB in %u files: %.1f ms, %.0f MB/s, %u errors\n", mb, b.files.n, best,
         best > 0 ? mb / best * 1e3 : 0, errors);
  uint32_t same = round_trips(&b, &mem);
  printf("%u of %u files print and format to an equal tree\n", same, b.files.n);
  bool ok = same == b.files.n && !errors;
  mem_drop_since(&mem, NULL);
  return ok ? 0 : 1;
}
