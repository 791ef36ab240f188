/* api/mode.c -- structures of a model whose equations change, made when a run comes to a mode for the first time and kept for all
 * runs of the program. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_impl.h"
#include "emit/emit.h"
#include "interpret/interpret.h"
#include "structure/structure.h"

struct ApiMode {
  ApiMode *next;
  bool *values;
  bool initial; /* runs can begin in it */
  const DsModel *model;
  Program *own;               /* NULL: `interpreted` */
  const DsModel *interpreted;
};

/* Modes are made by one run at a time: they share the expressions of the model. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* Machine code needs nothing of what it was made from; what is evaluated keeps its structure. */
static bool prepare(NuProgram *p, ApiMode *mode, Arena *a, Diags *diags) {
  const Structure *first = p->structure;
  Structure *s = structure_in_mode(first, mode->values, mode->initial, a, diags);
  if (!s)
    return false;
  if (p->own->code == CODE_EVAL) {
    mode->model = mode->interpreted = interpret_model(first->model, s, a, diags);
  } else {
    Text code = {.arena = a};
    mode->own = emit_c(first->model, s, diags, &code) ? load_program(text_str(&code), p->own->code, diags) : NULL;
    mode->model = mode->own ? mode->own->model : NULL;
  }
  return mode->model && api_may_call(p, mode->model, diags);
}

static void unload(const ApiMode *mode) {
  program_free(mode->own);
  if (mode->interpreted)
    interpret_end(mode->interpreted);
}

static const DsModel *make(NuProgram *p, const bool *values, bool initial, Arena *a, Diags *diags) {
  uint32_t n = p->structure->conditions.n;
  Arena *keep = p->own->code == CODE_EVAL ? a : arena_new(&p->mem);
  ApiMode *mode = NEW(keep, ApiMode);
  mode->values = NEW_ARRAY(keep, bool, n);
  memcpy(mode->values, values, n * sizeof *values);
  mode->initial = initial;
  bool made = prepare(p, mode, a, diags);
  if (made)
    mode->next = p->modes, p->modes = mode;
  const DsModel *model = mode->model;
  if (!made)
    unload(mode);
  if (!made || keep != a)
    arena_free(a);
  if (!made && keep != a)
    arena_free(keep);
  return made ? model : NULL;
}

const DsModel *api_mode(void *user, const bool *values, bool initial, Diags *diags) {
  NuProgram *p = user;
  size_t n = p->structure->conditions.n;
  pthread_mutex_lock(&making);
  for (const ApiMode *mode = p->modes; mode; mode = mode->next)
    if ((mode->initial || !initial) && !memcmp(mode->values, values, n * sizeof *values)) {
      pthread_mutex_unlock(&making);
      return mode->model;
    }
  const DsModel *out = NULL;
  const Arena *mark = p->mem.arenas;
  jmp_buf here, *outer = p->mem.recover;
  p->mem.recover = &here;
  if (setjmp(here) == 0)
    out = make(p, values, initial, arena_new(&p->mem), diags);
  else
    mem_drop_since(&p->mem, mark), diag_add(diags, D_K001, (Span){0, 0}, "memory is exhausted while a new mode is prepared");
  p->mem.recover = outer;
  pthread_mutex_unlock(&making);
  return out;
}

uint32_t api_modes_made(const NuProgram *p) {
  uint32_t n = 0;
  pthread_mutex_lock(&making);
  for (const ApiMode *mode = p->modes; mode; mode = mode->next)
    n++;
  pthread_mutex_unlock(&making);
  return n;
}

void api_modes_free(NuProgram *p) {
  for (const ApiMode *mode = p->modes; mode; mode = mode->next)
    unload(mode);
}
