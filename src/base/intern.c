/* base/intern.c -- open addressing over the texts; never shrinks. */
#include "base/intern.h"

#include <string.h>

#include "base/map.h"

struct Interner {
  Arena *arena;
  struct Entry {
    uint64_t hash;
    const char *text;
    size_t length;
  } * entries;
  uint32_t n, room; /* room: power of two */
};

enum { FIRST_ROOM = 4096 };

Interner *interner_new(Arena *a) {
  Interner *in = NEW(a, Interner);
  in->arena = a;
  in->room = FIRST_ROOM;
  in->entries = NEW_ARRAY(a, struct Entry, in->room);
  return in;
}

static void grow(Interner *in) {
  struct Entry *old = in->entries;
  uint32_t old_room = in->room;
  in->room *= 2;
  in->entries = NEW_ARRAY(in->arena, struct Entry, in->room);
  for (uint32_t i = 0; i < old_room; i++)
    if (old[i].text) {
      uint32_t j = (uint32_t)old[i].hash & (in->room - 1);
      while (in->entries[j].text)
        j = (j + 1) & (in->room - 1);
      in->entries[j] = old[i];
    }
}

const char *intern(Interner *in, const char *text, size_t n) {
  if ((in->n + 1) * 4 > in->room * 3)
    grow(in);
  uint64_t hash = hash_bytes(text, n);
  uint32_t i = (uint32_t)hash & (in->room - 1);
  for (; in->entries[i].text; i = (i + 1) & (in->room - 1))
    if (in->entries[i].hash == hash && in->entries[i].length == n &&
        memcmp(in->entries[i].text, text, n) == 0)
      return in->entries[i].text;
  in->entries[i] = (struct Entry){hash, arena_strndup(in->arena, text, n), n};
  in->n++;
  return in->entries[i].text;
}

const char *intern_str(Interner *in, const char *text) { return intern(in, text, strlen(text)); }
