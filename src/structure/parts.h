#pragma once
/* structure/parts.h -- how a sorted simulation falls apart: islands of states, and parts that have
 * steps and events of their own.
 * island.c and part.c find them; part_order.c puts everything in their order, so that a part is a
 * range of each list. */
#include <stdbool.h>
#include <stdint.h>

/* States that depend on each other while time passes, alone or by way of events: states.at[first ..
 * first + n). */
typedef struct {
  uint32_t first, n;
  uint32_t blocks; /* of the simulation, that belong to it */
} SIsland;
#define NO_ISLAND UINT32_MAX

/* Island `from` acts on island `to`. */
typedef struct {
  uint32_t from, to;
  bool events_only;
} SInfluence;

/* What may be evaluated, stepped and have events on its own (DsPart in dsblock.h). Everything that
 * is listed here stands together: first and number of each. */
typedef struct {
  uint32_t block, n_blocks; /* of the simulation */
  uint32_t action, n_actions, check, n_checks;
  uint32_t relation, n_relations, sample, n_samples;
  uint32_t x, n_x, r, n_r, i, n_i, s, n_s; /* places */
  uint32_t discrete, n_discrete;           /* in the list of structure_discrete */
  bool delays;
  /* Parts whose values it reads: n_moving that move between events, then the others; both
   * ascending */
  const uint32_t *reads;
  uint32_t n_moving, n_reads;
} SPart;
#define NO_PART UINT32_MAX
