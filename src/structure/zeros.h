#pragma once
/* structure/zeros.h -- factors that are 0 with the parameters of this translation. */
#include "base/map.h"
#include "base/vec.h"
#include "structure/build.h"

/* Those that were found in earlier attempts to build the structure. */
typedef struct {
  Map factors;      /* expression -> 1 */
  VEC(ExprId) list; /* the same, in order */
  /* SVar -> 1: a parameter behind one of them, or a variable that follows from parameters */
  Map marked;
  VEC(uint32_t) parameters;
} Zeros;
/* The finished structure divides by 0: true if entries were added */
bool zeros_needed(Lower *lo, Zeros *zs);
/* There was no structure: adds what the rows hold; true if there is something */
bool zeros_all(Lower *lo, Zeros *zs);
void zeros_write(Lower *lo, const Zeros *zs);
void zeros_guard(Lower *lo); /* parameters that equations were divided by must not become 0 */
