/* base/map.c -- linear probing, at most 3/4 full. Hash: the finaliser of splitmix64 (Steele, Lea,
 * Flood, OOPSLA 2014). */
#include "base/map.h"

uint64_t hash_mix(uint64_t h, uint64_t x) {
  x += h + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t hash_bytes(const void *data, size_t n) {
  const unsigned char *p = data;
  uint64_t h = 0xcbf29ce484222325u; /* FNV-1a, then mixed */
  for (size_t i = 0; i < n; i++)
    h = (h ^ p[i]) * 0x100000001b3u;
  return hash_mix(h, n);
}

static uint32_t slot_of(const Map *m, uint64_t stored) {
  uint32_t i = (uint32_t)hash_mix(0, stored) & (m->room - 1);
  while (m->keys[i] && m->keys[i] != stored)
    i = (i + 1) & (m->room - 1);
  return i;
}

static void grow(Arena *a, Map *m) {
  Map old = *m;
  m->room = old.room ? old.room * 2 : 8;
  m->keys = NEW_ARRAY(a, uint64_t, m->room);
  m->values = NEW_ARRAY(a, uint64_t, m->room);
  for (uint32_t i = 0; i < old.room; i++)
    if (old.keys[i]) {
      uint32_t j = slot_of(m, old.keys[i]);
      m->keys[j] = old.keys[i];
      m->values[j] = old.values[i];
    }
}

void map_put(Arena *a, Map *m, uint64_t key, uint64_t value) {
  if ((m->n + 1) * 4 > m->room * 3)
    grow(a, m);
  uint32_t i = slot_of(m, key + 1);
  m->n += !m->keys[i];
  m->keys[i] = key + 1;
  m->values[i] = value;
}

bool map_get(const Map *m, uint64_t key, uint64_t *value) {
  if (!m->n)
    return false;
  uint32_t i = slot_of(m, key + 1);
  if (!m->keys[i])
    return false;
  *value = m->values[i];
  return true;
}
