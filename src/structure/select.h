#pragma once
/* structure/select.h -- which variables remain states after index reduction. */
#include "base/vec.h"
#include "structure/build.h"

/* Constraints that say what others say, found in earlier attempts to build the structure: they are
 * left out. */
typedef struct {
  uint32_t row;       /* of the simulation, before it is differentiated */
  const Span *others; /* the equations that say the same */
  uint32_t n_others;
  const uint32_t *parameters; /* SVars: it says the same because of their values */
  uint32_t n_parameters;
} Repeat;
typedef struct Repeats {
  VEC(Repeat) list;
} Repeats;
void repeats_drop(Lower *lo); /* tells it */

/* States, when equations were differentiated. Per row: the row it is the derivative of (NO_ROW),
 * and whether it was not differentiated itself. */
bool select_states(Lower *lo, const uint32_t *parent, const bool *active);
