#pragma once
/* base/map.h -- hash map from 64-bit keys (ids, interned pointers) to 64-bit values, in an arena.
 * There is no iteration: what must be listed is kept in a Vec beside the map, in order of creation,
 * so that equal input gives equal output. */
#include "base/memory.h"

typedef struct {
  uint64_t *keys, *values; /* open addressing; key slot 0 means empty, keys are stored + 1 */
  uint32_t n, room;        /* room: power of two */
} Map;

void map_put(Arena *a, Map *m, uint64_t key, uint64_t value); /* key != UINT64_MAX; replaces */
bool map_get(const Map *m, uint64_t key, uint64_t *value);

static inline void map_put_ptr(Arena *a, Map *m, const void *key, void *value) {
  map_put(a, m, (uint64_t)(uintptr_t)key, (uint64_t)(uintptr_t)value);
}
/* NULL if absent. */
static inline void *map_get_ptr(const Map *m, const void *key) {
  uint64_t v = 0;
  return map_get(m, (uint64_t)(uintptr_t)key, &v) ? (void *)(uintptr_t)v : NULL;
}

uint64_t hash_mix(uint64_t h, uint64_t x);
uint64_t hash_bytes(const void *data, size_t n);
