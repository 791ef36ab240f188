/* structure/slopes.c -- which derivatives of the parts of a block by its iterated unknowns are not
 * zero.
 * In:   a torn block with its partial derivatives.   Out: SSlopes.
 * How:  along the inner unknowns in order: a part depends on what its partial derivatives name, and
 *       on what those depend on.
 * Keep: the lists are ascending. emit and interpret share them, so that matrices and sums have one
 *       order. */
#include "structure/slopes.h"

#include <stdlib.h>

enum { BY_ENTRIES_FROM = 50 }; /* iterated unknowns of a linear block */

bool structure_by_entries(const SBlock *b) {
  return b->kind == BLOCK_LINEAR && b->n_tear >= BY_ENTRIES_FROM;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

typedef struct {
  Arena *a;
  uint32_t *stamp; /* per iterated unknown: last part that met it, + 1 */
  VEC(uint32_t) of;
} Lister;

static void meet(Lister *li, uint32_t part, uint32_t j) {
  if (li->stamp[j] == part + 1)
    return;
  li->stamp[j] = part + 1;
  vec_push(li->a, &li->of, j);
}

uint32_t slopes_part(const SBlock *b, uint32_t k) {
  return k < b->n - b->n_tear ? b->n_tear + k : k - (b->n - b->n_tear);
}

SSlopes *structure_slopes(const SBlock *b, Arena *a) {
  if (!b->partials)
    return NULL;
  SSlopes *sl = NEW(a, SSlopes);
  sl->by_entries = structure_by_entries(b);
  sl->start = NEW_ARRAY(a, uint32_t, b->n + 1);
  sl->n = NEW_ARRAY(a, uint32_t, b->n + 1);
  Lister li = {.a = a, .stamp = NEW_ARRAY(a, uint32_t, b->n_tear + 1)};
  for (uint32_t k = 0; k < b->n; k++) {
    uint32_t part = slopes_part(b, k);
    uint32_t first = sl->start[part] = li.of.n;
    for (uint32_t q = 0; q < b->partials[part].n; q++) {
      uint32_t of = b->partials[part].at[q].of;
      if (of < b->n_tear)
        meet(&li, part, of);
      for (uint32_t i = 0; of >= b->n_tear && i < sl->n[of]; i++)
        meet(&li, part, li.of.at[sl->start[of] + i]);
    }
    sl->n[part] = li.of.n - first;
    if (sl->n[part] > 1)
      qsort(li.of.at + first, sl->n[part], sizeof *li.of.at, ascending);
  }
  sl->of = li.of.at;
  sl->total = li.of.n;
  return sl;
}

uint32_t slopes_entries(const SBlock *b, const SSlopes *sl) {
  return sl->total - (b->n > b->n_tear ? sl->start[0] : 0);
}
