#pragma once
/* base/vec.h -- growable arrays in an arena.
 *   VEC(int) v = {0};  vec_push(arena, &v, 3);  for (uint32_t i = 0; i < v.n; i++) use(v.at[i]);
 * Old storage is left to the arena, so at most half of the memory is waste.
 * Keep: no pointer into a vector, nor `v.at` itself, is held over a push; in `v.at[f(x)]` f must
 *       not push to v, because C may read v.at before it calls f. In hostile builds (make V=asan,
 *       V=hostile) a vector with room for at most 64 items moves at every push, and what it leaves
 *       must not be read. */
#include "base/memory.h"

#define VEC(type)                                                                                  \
  struct {                                                                                         \
    type *at;                                                                                      \
    uint32_t n, room;                                                                              \
  }

/* Makes room for one more and returns the new storage. */
void *vec_grow(Arena *a, void *at, uint32_t n, uint32_t *room, size_t item);
/* The same for storage that is in the arena and that nobody may read afterwards. */
void *vec_move(Arena *a, void *at, uint32_t n, uint32_t *room, size_t item);

#ifdef NUSIM_HOSTILE
#define VEC_MOVES(v) ((v)->room <= 64)
#else
#define VEC_MOVES(v) 0
#endif

/* The item is evaluated first: what it calls may push to the same vector. */
#define vec_push(arena, v, ...)                                                                    \
  do {                                                                                             \
    __typeof__(*(v)->at) vec_item_ = __VA_ARGS__;                                                  \
    if ((v)->n == (v)->room || VEC_MOVES(v))                                                       \
      (v)->at = vec_move((arena), (v)->at, (v)->n, &(v)->room, sizeof *(v)->at);                   \
    (v)->at[(v)->n++] = vec_item_;                                                                 \
  } while (0)
#define vec_last(v) ((v)->at[(v)->n - 1])
