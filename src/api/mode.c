/* api/mode.c -- structures of a model whose equations change, made when a run comes to a mode for
 * the first time and kept for all runs of the program.
 * How:  who finds no entry for a mode adds one, makes its structure without any lock, and tells the
 *       others; who finds an entry that is not ready waits. A structure that cannot be made leaves
 *       the list, and each run that waits for it tries for itself, so that it is told the reason.
 * Keep: no way out of here, exhausted memory included, leaves an entry that nobody works on. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_impl.h"
#include "emit/emit.h"
#include "interpret/interpret.h"
#include "structure/structure.h"

typedef struct ApiMode ApiMode;
struct ApiMode {
  ApiMode *next;
  const DsModel *model; /* NULL: somebody makes it */
  Program *own;         /* NULL: `interpreted` */
  const DsModel *interpreted;
  Memory mem;    /* of what it was made from; kept where it is evaluated */
  bool initial;  /* runs can begin in it */
  bool values[]; /* of the conditions */
};

struct ApiModes {
  pthread_mutex_t lock; /* of what follows, and of ApiMode.model */
  pthread_cond_t made;  /* a structure is ready, or could not be made */
  ApiMode *list;
  size_t used; /* bytes that they hold */
};

ApiModes *api_modes_new(void) {
  ApiModes *modes = calloc(1, sizeof *modes);
  if (!modes)
    return NULL;
  if (!pthread_mutex_init(&modes->lock, NULL)) {
    if (!pthread_cond_init(&modes->made, NULL))
      return modes;
    pthread_mutex_destroy(&modes->lock);
  }
  free(modes);
  return NULL;
}

static void mode_free(ApiMode *mode) {
  program_free(mode->own);
  interpret_end(mode->interpreted);
  mem_drop_since(&mode->mem, NULL);
  free(mode);
}

void api_modes_free(ApiModes *modes) {
  for (ApiMode *mode = modes->list, *next; mode; mode = next) {
    next = mode->next;
    mode_free(mode);
  }
  pthread_cond_destroy(&modes->made);
  pthread_mutex_destroy(&modes->lock);
  free(modes);
}

/* ---- making ---- */

/* Machine code needs nothing of what it was made from; what is evaluated keeps its structure. NULL
 * after a diagnostic. */
static const DsModel *prepare(const NuProgram *p, ApiMode *mode, Diags *diags) {
  Arena *a = arena_new(&mode->mem);
  const Structure *s = structure_in_mode(structure_view(p->structure, a), mode->values,
                                         mode->initial, a, diags);
  if (!s)
    return NULL;
  const DsModel *model = NULL;
  if (p->own->code == CODE_EVAL)
    model = mode->interpreted = interpret_model(s->model, s, a, diags);
  else {
    Text code = {.arena = a};
    if (emit_c(s->model, s, diags, &code))
      mode->own = load_program(text_str(&code), p->own->code, diags);
    model = mode->own ? mode->own->model : NULL;
    arena_free(a);
  }
  return model && api_may_call(p, model, diags) ? model : NULL;
}

/* The same with a recovery point for the memory of the mode and for that of the run; false: one of
 * them is exhausted. */
static bool make(const NuProgram *p, ApiMode *mode, Diags *diags, const DsModel **model) {
  Memory *run = diags_memory(diags);
  jmp_buf here, *const outer = run->recover;
  mode->mem.recover = run->recover = &here;
  bool enough = setjmp(here) == 0;
  if (enough)
    *model = prepare(p, mode, diags);
  mode->mem.recover = NULL;
  run->recover = outer;
  return enough;
}

/* ---- the list; the lock is held ---- */

static ApiMode *find(const NuProgram *p, const bool *values, bool initial) {
  size_t n = p->structure->conditions.n;
  for (ApiMode *mode = p->modes->list; mode; mode = mode->next)
    if ((mode->initial || !initial) && !memcmp(mode->values, values, n * sizeof *values))
      return mode;
  return NULL;
}

/* An entry for who makes it; NULL when memory is short. */
static ApiMode *claim(const NuProgram *p, const bool *values, bool initial) {
  size_t n = p->structure->conditions.n, used = p->mem.used + p->modes->used;
  ApiMode *mode = calloc(1, sizeof *mode + n * sizeof *values);
  if (!mode)
    return NULL;
  memcpy(mode->values, values, n * sizeof *values);
  mode->initial = initial;
  /* 0 would be no limit */
  mode->mem.limit = p->mem.limit > used ? p->mem.limit - used : p->mem.limit != 0;
  mode->next = p->modes->list;
  return p->modes->list = mode;
}

/* ---- for runs ---- */

/* The entry is ready, or, without a model, never will be. */
static void finish(ApiModes *modes, ApiMode *mode, const DsModel *model) {
  pthread_mutex_lock(&modes->lock);
  ApiMode **at = &modes->list;
  while (*at != mode)
    at = &(*at)->next;
  if (model)
    mode->model = model, modes->used += mode->mem.used;
  else
    *at = mode->next;
  pthread_cond_broadcast(&modes->made);
  pthread_mutex_unlock(&modes->lock);
  if (!model)
    mode_free(mode);
}

const DsModel *api_mode(void *user, const bool *values, bool initial, Diags *diags) {
  const NuProgram *p = user;
  ApiMode *mode, *mine = NULL;
  pthread_mutex_lock(&p->modes->lock);
  while ((mode = find(p, values, initial)) && !mode->model)
    pthread_cond_wait(&p->modes->made, &p->modes->lock);
  if (!mode)
    mine = claim(p, values, initial);
  const DsModel *model = mode ? mode->model : NULL;
  pthread_mutex_unlock(&p->modes->lock);
  if (mode)
    return model;
  bool enough = mine && make(p, mine, diags, &model);
  if (mine)
    finish(p->modes, mine, model);
  if (!enough)
    diag_add(diags, D_K001, (Span){0, 0}, "memory is exhausted while a new mode is prepared");
  return model;
}

uint32_t api_modes_made(const NuProgram *p) {
  uint32_t n = 0;
  pthread_mutex_lock(&p->modes->lock);
  for (const ApiMode *mode = p->modes->list; mode; mode = mode->next)
    n += mode->model != NULL;
  pthread_mutex_unlock(&p->modes->lock);
  return n;
}
