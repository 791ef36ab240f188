/* expr/eval_stack.c -- the evaluator's stacks, its failures, and types that follow from values. */
#include <stdlib.h>
#include <string.h>

#include "expr/eval_impl.h"

/* ---- failures ---- */

static void set_failure(Eval *ev, EvalFail kind, const char *format, va_list args) {
  if (!ev->why)
    ev->why = arena_vprintf(ev->arena, format, args);
  if (!ev->fail)
    ev->fail = kind;
}

#define FAILURE(name, kind)                                                                        \
  bool name(Eval *ev, const char *format, ...) {                                                   \
    va_list args;                                                                                  \
    va_start(args, format);                                                                        \
    set_failure(ev, kind, format, args);                                                           \
    va_end(args);                                                                                  \
    return false;                                                                                  \
  }
FAILURE(ev_fail, EVAL_WRONG)
FAILURE(ev_unknown, EVAL_UNKNOWN)
FAILURE(ev_limit, EVAL_LIMIT)

bool ev_charge(Eval *ev, uint64_t steps) {
  if (steps < ev->budget) {
    ev->budget -= steps;
    return true;
  }
  ev->budget = 1; /* none left; 0 would mean the default */
  return ev_limit(ev, "did not end within %llu steps", (unsigned long long)ev->run->total);
}

/* ---- stacks ---- */

enum { CHUNK = 16 * 1024, LARGEST_CHUNK = 1 << 20 };

/* Under AddressSanitizer what has been cut off must not be touched. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

/* The next chunk with room for `bytes`: one left from before, or a new one. */
static Chunk *next_chunk(Eval *ev, Stack *s, size_t bytes) {
  Chunk *next = s->top->next;
  if (!next || next->size < bytes) {
    size_t size = s->top->size * 2;
    size = size < CHUNK ? CHUNK : size > LARGEST_CHUNK ? LARGEST_CHUNK : size;
    if (size < bytes)
      size = bytes;
    if (!ev->run->work)
      ev->run->work = arena_new(arena_memory(ev->arena));
    Chunk *fresh = arena_alloc(ev->run->work, sizeof(Chunk) + size);
    fresh->size = size;
    fresh->next = next;
    s->top->next = fresh;
    next = fresh;
  }
  next->used = 0;
  return next;
}

void *ev_push(Eval *ev, Stack *s, size_t bytes) {
  bytes = (bytes + 7) & ~(size_t)7;
  if (s->top->size - s->top->used < bytes)
    s->top = next_chunk(ev, s, bytes);
  void *p = s->top->data + s->top->used;
  ASAN_UNPOISON_MEMORY_REGION(p, bytes);
  s->top->used += bytes;
  return p;
}

Scalar *ev_cells(Eval *ev, uint64_t n) {
  if (!ev_charge(ev, n))
    return NULL;
  if (n > UINT32_MAX) {
    ev_limit(ev, "an array of %llu elements is too large", (unsigned long long)n);
    return NULL;
  }
  return ev_push(ev, &ev->run->temps, sizeof(Scalar) * (n ? n : 1));
}

Mark ev_mark(const Stack *s) { return (Mark){s->top, s->top->used}; }

void ev_release(Stack *s, Mark m) {
  s->top = m.chunk;
  s->top->used = m.used;
  ASAN_POISON_MEMORY_REGION(s->top->data + m.used, s->top->size - m.used);
}

void ev_stack_init(Stack *s, void *room, size_t size) {
  Chunk *c = room;
  *c = (Chunk){.next = NULL, .size = size - sizeof(Chunk), .used = 0};
  *s = (Stack){c, c};
}

void ev_stack_end(Stack *s) { ASAN_UNPOISON_MEMORY_REGION(s->first->data, s->first->size); }

bool ev_on_stack(const Stack *s, const void *p) {
  for (const Chunk *c = s->first;; c = c->next) {
    if ((uintptr_t)p - (uintptr_t)c->data < c->used)
      return true;
    if (c == s->top)
      return false;
  }
}

/* ---- types ---- */

bool ev_sized(const Eval *ev, TypeId t) {
  const Type *y = ev_type(ev, t);
  if (ev_is_scalar(y))
    return true;
  return type_count(ev->pool, t) >= 0;
}

TypeId ev_cell_type(Eval *ev, TypeId t) {
  const Type *y = ev_type(ev, t);
  return y->n_dims ? type_element(ev->pool, t, y->n_dims) : t;
}

TypeId ev_shape(Eval *ev, TypeId like, uint32_t n_dims, const int32_t *dims) {
  const Type *y = ev_type(ev, like);
  if (y->n_dims == n_dims && (!n_dims || !memcmp(y->dims, dims, sizeof *dims * n_dims)))
    return like;
  TypeId cell = ev_cell_type(ev, like);
  return n_dims ? type_array(ev->pool, cell, n_dims, dims) : cell;
}

bool ev_same_dims(const Type *a, const Type *b) {
  return a->n_dims == b->n_dims &&
         (!a->n_dims || !memcmp(a->dims, b->dims, sizeof *a->dims * a->n_dims));
}

const char *ev_dims_text(Eval *ev, TypeId t) {
  const Type *y = ev_type(ev, t);
  Text text = {.arena = ev->arena};
  for (uint32_t i = 0; i < y->n_dims; i++)
    text_printf(&text, "%s%d", i ? ", " : "[", y->dims[i]);
  text_add(&text, y->n_dims ? "]" : "[]");
  return text_str(&text);
}

/* Visits the cells of `n` that hold strings. */
void ev_each_string(Eval *ev, TypeId t, Scalar *at, uint32_t n,
                    void (*visit)(Eval *ev, Scalar *at)) {
  const Type *y = ev_type(ev, t);
  for (uint32_t i = 0; i < n && y->base == TY_STRING; i++)
    visit(ev, &at[i]);
  bool record = y->base == TY_RECORD || y->base == TY_TUPLE;
  for (uint32_t k = 0, i = 0; record && k < n; i = (i + 1) % y->decl->n) {
    uint32_t m = (uint32_t)type_count(ev->pool, y->decl->types[i]);
    ev_each_string(ev, y->decl->types[i], at + k, m, visit);
    k += m;
  }
}

/* Record types with sizes that came from values, each made once. */
struct EvalSized {
  struct EvalSized *next;
  const TypeDecl *open; /* with unknown dimensions */
  TypeDecl *sized;
};

TypeId ev_sized_record(Eval *ev, TypeId record, const TypeId *fields) {
  const Type *y = ev_type(ev, record);
  const TypeDecl *open = y->decl;
  struct EvalSized **at = &ev->sized;
  for (; *at; at = &(*at)->next)
    if ((*at)->open == open && !memcmp((*at)->sized->types, fields, sizeof *fields * open->n))
      break;
  if (!*at) {
    Arena *a = pool_arena(ev->pool);
    struct EvalSized *fresh = NEW(a, struct EvalSized);
    fresh->open = open;
    fresh->sized = NEW(a, TypeDecl);
    *fresh->sized = *open;
    fresh->sized->types = NEW_ARRAY(a, TypeId, open->n);
    memcpy(fresh->sized->types, fields, sizeof *fields * open->n);
    *at = fresh;
  }
  TypeId t = type_of_decl(ev->pool, y->base, (*at)->sized);
  return y->n_dims ? type_array(ev->pool, t, y->n_dims, y->dims) : t;
}
