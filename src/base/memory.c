/* base/memory.c -- bump allocation in blocks that double up to 1 MB.
 * Keep: every byte handed out is zero; `used` counts whole blocks, so the limit holds for what the
 *       machine really gives. */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20, ALIGN = 16 };

typedef struct Block {
  struct Block *next;
  size_t size; /* of the whole block */
} Block;

struct Arena {
  Memory *mem;
  Arena *older, *newer; /* list of mem->arenas */
  Block *blocks;
  char *at, *end; /* free part of the newest block */
  size_t next_size;
};

_Noreturn void mem_exhausted(Memory *mem) { longjmp(*mem->recover, 1); }

double mem_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool mem_late(const Memory *mem) { return mem->deadline > 0 && mem_clock() > mem->deadline; }

static void *take(Memory *mem, size_t size) {
  bool fails = mem->fail_at && --mem->fail_at == 0;
  if (fails || mem_late(mem) ||
      (mem->limit && size > mem->limit - (mem->used < mem->limit ? mem->used : mem->limit)))
    mem_exhausted(mem);
  void *p = calloc(1, size);
  if (!p)
    mem_exhausted(mem);
  mem->used += size;
  return p;
}

Arena *arena_new(Memory *mem) {
  Arena *a = take(mem, sizeof *a);
  a->mem = mem;
  a->next_size = FIRST_BLOCK;
  a->older = mem->arenas;
  if (a->older)
    a->older->newer = a;
  mem->arenas = a;
  return a;
}

void arena_free(Arena *a) {
  if (!a)
    return;
  for (Block *b = a->blocks, *next; b; b = next) {
    next = b->next;
    a->mem->used -= b->size;
    free(b);
  }
  if (a->newer)
    a->newer->older = a->older;
  else
    a->mem->arenas = a->older;
  if (a->older)
    a->older->newer = a->newer;
  a->mem->used -= sizeof *a;
  free(a);
}

void mem_drop_since(Memory *mem, const Arena *mark) {
  while (mem->arenas && mem->arenas != mark)
    arena_free(mem->arenas);
}

Memory *arena_memory(const Arena *a) { return a->mem; }

void *arena_alloc(Arena *a, size_t size) {
  if (size > SIZE_MAX / 4)
    mem_exhausted(a->mem);
  size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (!a->at || size > (size_t)(a->end - a->at)) {
    size_t header = (sizeof(Block) + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    size_t want = size + header > a->next_size ? size + header : a->next_size;
    Block *b = take(a->mem, want);
    b->size = want;
    b->next = a->blocks;
    a->blocks = b;
    a->at = (char *)b + header;
    a->end = (char *)b + want;
    if (a->next_size < LARGEST_BLOCK)
      a->next_size *= 2;
  }
  void *p = a->at;
  a->at += size;
  return p;
}

char *arena_strndup(Arena *a, const char *text, size_t n) {
  char *copy = arena_alloc(a, n + 1);
  if (n)
    memcpy(copy, text, n);
  return copy;
}

char *arena_strdup(Arena *a, const char *text) { return arena_strndup(a, text, strlen(text)); }

char *arena_vprintf(Arena *a, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
  if (n > 0)
    vsnprintf(text, (size_t)n + 1, format, args);
  return text;
}

char *arena_printf(Arena *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = arena_vprintf(a, format, args);
  va_end(args);
  return text;
}
