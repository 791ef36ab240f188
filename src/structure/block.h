#pragma once
/* structure/block.h -- the equations after they were sorted: blocks, mixed systems, and a system
 * from its rows to its blocks.
 * sort.c makes the blocks, solve.c and tear.c say how each is solved, phases.c in which phase. */
#include "base/source.h"
#include "base/vec.h"
#include "structure/row.h"

typedef enum {
  BLOCK_EXPLICIT,
  BLOCK_LINEAR,
  BLOCK_NONLINEAR,
  BLOCK_RELATION,
  BLOCK_ALGORITHM
} SBlockKind;
/* events only; for derivatives and indicators; the rest. Keep: in the order of DsSolved */
typedef enum { PHASE_DISCRETE, PHASE_DYNAMIC, PHASE_OUTPUT } SPhase;

/* Derivative of a part of a block by the block's unknown number `of`. */
typedef struct {
  uint32_t of;
  ExprId d;
} SPartial;
typedef VEC(SPartial) SPartials;

/* LINEAR and NONLINEAR blocks: the first n_tear unknowns are iterated (or solved for at once), the
 * others follow from them in order: unknown k = parts[k] for k >= n_tear. parts[k] for k < n_tear
 * are the residuals. */
typedef struct {
  SBlockKind kind;
  SPhase phase;
  uint32_t n;
  uint32_t mixed; /* number of its mixed system + 1; 0: none */
  bool cut;       /* of a mixed system: its unknown is held while the other blocks are solved */
  /* Discrete and continuous Reals at an event; the continuous ones are determined again by
   * blocks that follow */
  bool joint;
  uint32_t *rows, *unknowns; /* n each; row k determines unknown k */
  ExprId value;              /* EXPLICIT: of the unknown */
  uint32_t n_tear;
  ExprId *parts;
  /* Per part, by all unknowns of the block; NULL if they must be differenced */
  SPartials *partials;
} SBlock;

/* Blocks that are solved for held values of relations and of Boolean or Integer unknowns, until
 * these agree with the result. */
typedef struct {
  VEC(uint32_t) relations; /* numbers */
  VEC(uint32_t) discrete;  /* SVars but for Strings */
  VEC(uint32_t) strings;   /* SVars */
  Span span;               /* of an equation for one of them */
} SMixed;

typedef struct {
  VEC(SRow) rows;
  uint32_t *match;    /* row -> SVar */
  VEC(SBlock) blocks; /* in order of evaluation */
} SSystem;
