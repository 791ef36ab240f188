/* base/vec.c -- see vec.h. */
#include "base/vec.h"

#include <string.h>

void *vec_grow(Arena *a, void *at, uint32_t n, uint32_t *room, size_t item) {
  if (n > UINT32_MAX / 2)
    mem_exhausted(arena_memory(a));
  uint32_t more = *room ? *room * 2 : 4;
  void *fresh = arena_alloc(a, item * more);
  if (n)
    memcpy(fresh, at, item * n);
  *room = more;
  return fresh;
}
