#pragma once
/* structure/row.h -- the equations before they are sorted: rows, and algorithm sections, of which a
 * row is one target.
 * Keep: rows are never taken out while equations are differentiated: `derivative_of` names one by
 *       its number. Each row of the simulation has one of the initial system, and these stand in
 *       the same order; what is `initial_only` has none, and stands anywhere between them. */
#include "base/source.h"
#include "expr/func.h"

/* A statement sequence that determines its targets as one unit. */
typedef struct {
  Stmt **body;    /* lowered; when became if */
  Stmt **initial; /* the same as it stands during initialisation */
  uint32_t n_body;
  uint32_t *targets, n_targets;
  /* Per target: some path of body, of initial, needs the value from before */
  bool *carried, *carried_initially;
  Span span;
} SAlgorithm;

typedef enum { ROW_EQUAL, ROW_RELATION, ROW_ALGORITHM } SRowKind;

/* One scalar equation (an algorithm has one row per target, all with the same number). */
typedef struct {
  /* ---- what it says ---- */
  SRowKind kind;
  ExprId lhs, rhs; /* EQUAL; RELATION: the operands */
  /* With calls that late.c has put in place; NO_EXPR: there are none */
  ExprId written_lhs, written_rhs;
  uint32_t number; /* RELATION, ALGORITHM */
  uint32_t only;   /* the one unknown it may determine; NO_SVAR: any */
  uint32_t origin;
  Span span;

  /* ---- when it holds: lower.c, modes.c ---- */
  bool initial_only; /* an initial equation, or what stands for one */
  ExprId guard;      /* of conditions: it holds in modes where this is true; NO_EXPR: in all */
  uint32_t choice;   /* number of the if-equation whose branches it joins, + 1; 0: none */

  /* ---- index reduction: index.c, select.c, jump.c ---- */
  uint32_t derivative_of; /* row of the simulation that was differentiated, + 1; 0: as written */
  uint32_t times;         /* how often it was differentiated itself */
  bool invariant; /* a constraint on states that its derivatives keep: no row of the simulation */
  bool of_jump;   /* one of the equations of a jump, or a derivative of one */
} SRow;

#define NO_ROW UINT32_MAX
