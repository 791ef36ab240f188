#pragma once
/* base/vec.h -- growable arrays in an arena.
 *   VEC(int) v = {0};  vec_push(arena, &v, 3);  for (uint32_t i = 0; i < v.n; i++) use(v.at[i]);
 * Old storage is left to the arena, so at most half of the memory is waste. */
#include "base/memory.h"

#define VEC(type)                                                                                                              \
  struct {                                                                                                                     \
    type *at;                                                                                                                  \
    uint32_t n, room;                                                                                                          \
  }

/* Makes room for one more and returns the new storage. */
void *vec_grow(Arena *a, void *at, uint32_t n, uint32_t *room, size_t item);

#define vec_push(arena, v, ...)                                                                                                \
  do {                                                                                                                         \
    if ((v)->n == (v)->room)                                                                                                   \
      (v)->at = vec_grow((arena), (v)->at, (v)->n, &(v)->room, sizeof *(v)->at);                                               \
    (v)->at[(v)->n++] = __VA_ARGS__;                                                                                           \
  } while (0)
#define vec_last(v) ((v)->at[(v)->n - 1])
