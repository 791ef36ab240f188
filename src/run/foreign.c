/* run/foreign.c -- shared libraries of models: loading, guarded calls, and the functions that they
 * may call (MLS 3.6 section 12.9.6). The program exports those by name (src/run/exports); a program
 * that links libnusim.a itself must do likewise. Why a long jump: ModelicaError does not return,
 * and nothing but the library is between it and the guard. A call that ends so is a failed
 * evaluation; a smaller step may do better.
 * Keep: texts for the model come from the memory of the evaluation and end with it; outside of a
 *       call there is only malloc. */
#include "run/external.h"
#include "run/memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

typedef void AnyFunction(void);

static bool line_of(const char **next, const char **line, size_t *n) {
  *line = *next;
  *n = strcspn(*next, "\n");
  *next += *n + ((*next)[*n] == '\n');
  return *n > 0;
}

/* Says which files were tried. */
static void tell_missing(Diags *diags, const DsExternal *x, const char *loaded, const char *why) {
  const char *next = x->library, *line;
  size_t n;
  Diag *d = loaded ? diag_add(diags, D_X001, (Span){x->place.lo, x->place.hi},
                              "the library `%s` has no function `%s`", loaded, x->name)
                   : diag_add(diags, D_X001, (Span){x->place.lo, x->place.hi},
                              "no library for the external function `%s` can be loaded", x->name);
  if (!loaded && *why)
    diag_note(diags, d, "%s", why);
  while (!loaded && line_of(&next, &line, &n))
    diag_note(diags, d, "tried `%.*s`", (int)n, line);
  if (!loaded)
    diag_help(diags, d,
              "put the library into the first folder, or give its place by the annotation "
              "LibraryDirectory");
}

/* Each line of x->library is a file to try. Libraries stay loaded: other runs may use them. */
AnyFunction *run_find_foreign(const DsExternal *x, Arena *a, Diags *diags) {
  const char *next = x->library;
  const char *line;
  const char *loaded = NULL;
  const char *why = "";
  size_t n;
  while (line_of(&next, &line, &n)) {
    const char *file = arena_strndup(a, line, n);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *reason = library ? NULL : dlerror();
    void *symbol = library ? dlsym(library, x->name) : NULL;
    AnyFunction *f;
    memcpy(&f, &symbol, sizeof f);
    if (f)
      return f;
    if (library && !loaded)
      loaded = file;
    /* a file that is there and cannot be loaded is worth a word */
    if (reason && !strstr(reason, "No such file"))
      why = arena_strdup(a, reason);
  }
  tell_missing(diags, x, loaded, why);
  return NULL;
}

/* ---- calls ---- */

typedef struct Call Call;
struct Call {
  Call *around;
  DsData *d; /* NULL: an object ends, there is no evaluation */
  const DsPlace *at;
  jmp_buf out;
  char text[400];
};

static _Thread_local Call *under_way;

/* False if the call was left by ModelicaError. */
static bool guarded(Call *c, void (*what)(const void *user), const void *user) {
  c->around = under_way;
  under_way = c;
  bool ok = setjmp(c->out) == 0;
  if (ok)
    what(user);
  under_way = c->around;
  return ok;
}

typedef struct {
  DsForeign *call;
  AnyFunction *f;
  DsCell *a;
} Request;

static void make_call(const void *user) {
  const Request *r = user;
  r->call(r->f, r->a);
}

int run_foreign(DsData *d, const DsPlace *at, DsForeign *call, AnyFunction *f, DsCell *a) {
  Call c = {.d = d, .at = at};
  Request r = {call, f, a};
  return guarded(&c, make_call, &r) ? DS_OK : d->host->fail(d, at, c.text);
}

typedef struct {
  void (*end)(void *object);
  void *object;
} Ending;

static void end_object(const void *user) {
  const Ending *e = user;
  e->end(e->object);
}

void run_end_foreign(Run *run, void (*end)(void *object), void *object) {
  (void)run;
  Call c = {.d = NULL};
  Ending e = {end, object};
  guarded(&c, end_object, &e);
}

/* ---- what libraries may call ---- */

#define EXPORTED __attribute__((visibility("default"), used))
#define FORMAT(n) __attribute__((format(printf, n, n + 1)))

EXPORTED void ModelicaMessage(const char *text);
EXPORTED void ModelicaFormatMessage(const char *format, ...) FORMAT(1);
EXPORTED void ModelicaVFormatMessage(const char *format, va_list args);
EXPORTED void ModelicaWarning(const char *text);
EXPORTED void ModelicaFormatWarning(const char *format, ...) FORMAT(1);
EXPORTED void ModelicaVFormatWarning(const char *format, va_list args);
EXPORTED _Noreturn void ModelicaError(const char *text);
EXPORTED _Noreturn void ModelicaFormatError(const char *format, ...) FORMAT(1);
EXPORTED _Noreturn void ModelicaVFormatError(const char *format, va_list args);
EXPORTED char *ModelicaAllocateString(size_t n);
EXPORTED char *ModelicaAllocateStringWithErrorReturn(size_t n);
EXPORTED char *ModelicaDuplicateString(const char *text);
EXPORTED char *ModelicaDuplicateStringWithErrorReturn(const char *text);
EXPORTED void xerbla_(const char *name, const int *argument, size_t length);

static void trim(char *text) {
  size_t n = strlen(text);
  while (n && strchr(" \r\n", text[n - 1]))
    text[--n] = 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void ModelicaVFormatMessage(const char *format, va_list args) {
  char text[2000];
  vsnprintf(text, sizeof text, format, args);
  trim(text);
  if (under_way && under_way->d)
    run_message(under_way->d->run, text);
}

void ModelicaVFormatWarning(const char *format, va_list args) {
  char text[2000];
  vsnprintf(text, sizeof text, format, args);
  trim(text);
  if (under_way && under_way->d)
    under_way->d->host->violated(under_way->d, under_way->at, text, 1);
}

/* Outside of a guarded call there is nothing to go back to: it is a thread of the library, and only
 * that ends. */
void ModelicaVFormatError(const char *format, va_list args) {
  Call *c = under_way;
  if (!c)
    pthread_exit(NULL);
  vsnprintf(c->text, sizeof c->text, format, args);
  trim(c->text);
  longjmp(c->out, 1);
}
#pragma GCC diagnostic pop

/* The same with the values themselves. */
void ModelicaFormatMessage(const char *format, ...) {
  va_list args;
  va_start(args, format);
  ModelicaVFormatMessage(format, args);
  va_end(args);
}

void ModelicaFormatWarning(const char *format, ...) {
  va_list args;
  va_start(args, format);
  ModelicaVFormatWarning(format, args);
  va_end(args);
}

void ModelicaFormatError(const char *format, ...) {
  va_list args;
  va_start(args, format);
  ModelicaVFormatError(format, args);
}

void ModelicaMessage(const char *text) { ModelicaFormatMessage("%s", text); }
void ModelicaWarning(const char *text) { ModelicaFormatWarning("%s", text); }
void ModelicaError(const char *text) { ModelicaFormatError("%s", text); }

/* n characters and a 0. */
char *ModelicaAllocateStringWithErrorReturn(size_t n) {
  if (under_way && under_way->d)
    return run_text(under_way->d->run, n);
  char *room = malloc(n + 1);
  if (room)
    room[n] = 0;
  return room;
}

char *ModelicaAllocateString(size_t n) {
  char *room = ModelicaAllocateStringWithErrorReturn(n);
  if (!room)
    ModelicaError("not enough memory for a text");
  return room;
}

char *ModelicaDuplicateStringWithErrorReturn(const char *text) {
  size_t n = strlen(text);
  char *copy = ModelicaAllocateStringWithErrorReturn(n);
  return copy ? memcpy(copy, text, n) : NULL;
}

char *ModelicaDuplicateString(const char *text) {
  char *copy = ModelicaDuplicateStringWithErrorReturn(text);
  if (!copy)
    ModelicaError("not enough memory for a text");
  return copy;
}

/* LAPACK and BLAS report arguments that cannot be, then would end the program. */
void xerbla_(const char *name, const int *argument, size_t length) {
  if (under_way)
    ModelicaFormatError("%.*s: argument %d has an illegal value", (int)(length < 32 ? length : 32),
                        name, *argument);
}
