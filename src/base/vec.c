/* base/vec.c -- see vec.h. */
#include "base/vec.h"

#include <string.h>

#ifdef NUSIM_HOSTILE
#include <sanitizer/asan_interface.h>
#endif

void *vec_grow(Arena *a, void *at, uint32_t n, uint32_t *room, size_t item) {
  if (n > UINT32_MAX / 2)
    mem_exhausted(arena_memory(a));
  uint32_t more = n < *room ? *room : *room ? *room * 2 : 4;
  void *fresh = arena_alloc(a, item * more);
  if (n)
    memcpy(fresh, at, item * n);
  *room = more;
  return fresh;
}

/* Whoever still reads what a vector left is stopped there by the address sanitizer, or by what it
 * reads. */
void *vec_move(Arena *a, void *at, uint32_t n, uint32_t *room, size_t item) {
  void *fresh = vec_grow(a, at, n, room, item);
#ifdef NUSIM_HOSTILE
  if (n) {
    memset(at, 0xa5, item * n);
    ASAN_POISON_MEMORY_REGION(at, item * n);
  }
#endif
  return fresh;
}
