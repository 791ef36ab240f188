#pragma once
/* structure/partition.h -- islands of states, parts that run on their own, and places in memory. */
#include "structure/graph.h"
#include "structure/sorted.h"

/* island.c: also puts the states in order. */
void islands_find(Structure *s, BlockGraph *g, Arena *a);
/* part.c: what may be evaluated and stepped on its own; needs the islands. */
void parts_find(Structure *s, BlockGraph *g, Arena *a);
/* part_order.c: blocks, actions, checks, relations, samples and states in the order of their
 * parts. */
typedef struct {
  uint32_t n; /* parts */
  /* Per each of them: its part; NO_PART: none */
  const uint32_t *blocks, *actions, *checks, *samples;
} PartsFound;
void parts_arrange(Structure *s, const PartsFound *found, Arena *a);
/* layout.c */
void layout_places(Structure *s, Arena *a);
void layout_common(Structure *s, Arena *a); /* of a model whose structure changes */
