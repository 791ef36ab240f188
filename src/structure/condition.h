#pragma once
/* structure/condition.h -- models whose equations change: how the model was read, what its mode
 * consists of, and what binds states when a mode begins.
 * modes.c chooses the rows of a mode, jump.c finds the jumps. */
#include "base/map.h"
#include "base/source.h"
#include "base/vec.h"
#include "expr/expr.h"
#include "structure/selection.h"

/* How equations became rows. It is found by trying (structure.c), and is the same in all modes. */
typedef struct {
  /* Per if-equation, as far as it is known, whether its branches are kept apart */
  const bool *divides;
  /* Conditions of if-expressions that are treated likewise */
  const ExprId *splits;
  uint32_t n_divides, n_splits;
  /* Arguments of sign(), in the flat model, whose relations would be in a loop with themselves */
  const Map *literal_signs;
} SReading;

/* A Boolean that decides which equations hold. The values of all of them are the mode. */
typedef struct {
  uint32_t var; /* SVar */
  bool value;   /* in the mode of this structure */
  /* Number of the relation that it is and that nothing else depends on, + 1; 0: none */
  uint32_t relation;
  bool negated; /* it is the contrary of the relation */
  Span span;
} SCondition;

/* Equations that bind states when the mode begins, and through which pulses act: E x' + A x + b = 0
 * of n unknowns x, as written. */
typedef struct {
  uint32_t n;
  uint32_t *rows; /* of the simulation, when it was made */
  uint32_t *vars; /* SVars of x */
  /* Of E and A: derivative of residual `row` by der(x), by x, number `column` */
  VEC(SEntry) rates, values;
  ExprId *residuals; /* n */
  ExprId *moves;     /* n: derivative of the residual with respect to time while x stands still */
  Span *spans;       /* n */
} SJump;

/* What has the same number, and the same place, in all modes. */
typedef struct {
  uint32_t n; /* SVars 0 .. n - 1 */
  /* SVars whose derivative occurs in some mode, and these derivatives */
  VEC(uint32_t) states, ders;
} SCommon;
