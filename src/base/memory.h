#pragma once
/* base/memory.h -- where all compile-time memory comes from: arenas drawn from one budget.
 * A stage allocates its whole result in an arena and frees it by dropping the arena. Allocation
 * never returns NULL: when the budget or the machine is exhausted, control returns to the recovery
 * point set by the public function that was called (mem_recover), which drops every arena made
 * since. Only frames of this library lie in between, and they own nothing that is not in an arena:
 * files are read whole before they are used. Work that must end in time ends the same way: whatever
 * takes long needs memory now and then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;

/* One budget per model or run; not shared between threads. */
typedef struct Memory {
  size_t limit;     /* bytes that may be held at once; 0 = no limit */
  size_t used;      /* bytes held now */
  size_t fail_at;   /* tests: the n-th block request from now fails; 0 = never */
  double deadline;  /* of mem_clock: block requests fail from then on; 0 = never */
  Arena *arenas;    /* all arenas alive, newest first */
  jmp_buf *recover; /* where exhausted memory returns to; NULL only outside of public functions */
} Memory;

Arena *arena_new(Memory *mem);
void arena_free(Arena *a);                /* NULL is allowed */
void *arena_alloc(Arena *a, size_t size); /* zeroed, aligned for any type */
char *arena_strndup(Arena *a, const char *text, size_t n);
char *arena_strdup(Arena *a, const char *text);
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
Memory *arena_memory(const Arena *a);

/* Drops all arenas that are newer than `mark` (a value of mem->arenas). */
void mem_drop_since(Memory *mem, const Arena *mark);
double mem_clock(void); /* s of the processor that this thread has used */
bool mem_late(const Memory *mem);
/* Gives up: returns to the recovery point. */
_Noreturn void mem_exhausted(Memory *mem);

#define NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define NEW_ARRAY(arena, type, n) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(n)))
