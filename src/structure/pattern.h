#pragma once
/* structure/pattern.h -- which derivatives depend on which states. */
#include "structure/sorted.h"

/* Which derivatives depend on which states between events, by states: state j acts on the
 * derivatives of the states rows[start[j] .. start[j + 1]), ascending. */
typedef struct {
  uint32_t n;
  uint32_t *start, *rows;
  bool autonomous; /* no derivative depends on time itself */
} SPattern;
/* False: it is too large to be worked out. */
bool structure_pattern(const Structure *s, Arena *a, SPattern *out);
