#pragma once
/* structure/lower_impl.h -- what lowering remembers from one equation to the next. Nothing here
 * outlives an attempt, and no other room reads it. */
#include "base/map.h"
#include "structure/build.h"

typedef struct LowerMemory {
  Map memo[2];    /* expression -> lowered, with events / without */
  Map discrete;   /* lowered expression -> varies only at events? */
  Map relations;  /* lowered relation node -> number */
  Map conditions; /* key of lower_known -> SVar */
  Map samples;    /* sample node -> number */
  /* Relation under noEvent -> SVar that says whether it makes events all the same */
  Map watches;
  uint32_t depth; /* of lower_expr */

  /* ---- the algorithm at work ---- */
  /* Per SVar: one of its targets; NULL outside of algorithms. The memory is emptied at both ends of
   * an algorithm */
  const bool *internal;
  /* Per flat variable: all false outside of algorithms; NULL before the first one */
  bool *internal_room;
  ExprId *inside_room;   /* per flat variable: values of Inside */
  struct Inside *inside; /* lower_inside.h; NULL outside of algorithms */

  /* ---- what is known about values ---- */
  /* Per SVar: continuous, but follows from parameters and discrete variables; NULL while it is
   * not known (steady.c) */
  bool *steady;
  /* Per flat variable: what is known about its value at translation; NULL before anybody asked
   * (settled.c) */
  unsigned char *value_state;
  ExprId *values; /* per flat variable: that value; NO_EXPR if it has none */
} LowerMemory;
