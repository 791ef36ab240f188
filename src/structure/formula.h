#pragma once
/* structure/formula.h -- relations as formulas that can be enclosed over a whole step. */
#include "base/vec.h"
#include "structure/sorted.h"

/* Relations as formulas of states, time and values that are held: see DsTerm in dsblock.h. */
typedef struct {
  int op, a, b, c; /* op: DsTermOp */
} STerm;
typedef struct {
  VEC(STerm) terms;
  VEC(double) numbers;
  uint32_t *first, *n; /* per relation: of its terms; n 0: it has no formula */
} SFormulas;
SFormulas structure_formulas(const Structure *s, Arena *a);
