#pragma once
/* structure/sorted.h -- what the stage makes: a Structure, one mode of a model in sorted blocks.
 * Expressions in it are lowered: they contain no DER, PRE, EDGE, CHANGE, NOEVENT, SMOOTH, HOMOTOPY,
 * SAMPLE; a VAR node names an SVar, and a relation that is still a relation is evaluated as it
 * stands, without an event.
 * Two systems are sorted: one for initialisation, one for everything after it.
 * Keep: after structure_build nothing in it changes; threads share it. */
#include "base/map.h"
#include "base/vec.h"
#include "flat/flat.h"
#include "structure/action.h"
#include "structure/block.h"
#include "structure/condition.h"
#include "structure/parts.h"
#include "structure/relation.h"
#include "structure/row.h"
#include "structure/selection.h"
#include "structure/svar.h"

typedef struct Structure {
  const FlatModel *model;

  /* ---- the mode ---- */
  VEC(SCondition) conditions; /* none: the structure never changes */
  SReading how;
  SCommon common;
  /* For runs that come to this mode after their start: no equations for initial values, no start
   * values */
  bool later;
  /* Equations of the mode that repeat others: as many unknowns are left open */
  uint32_t n_repeated;
  /* Algorithm sections, by number, that stand in loops with equations; found by sorting */
  Map *looped;

  /* ---- values and what is said about them: lowering, index reduction ---- */
  VEC(SVar) vars;
  VEC(SRelation) relations;
  VEC(SSample) samples;
  VEC(SDelay) delays;
  VEC(STransport) transports;
  VEC(SAlgorithm) algorithms;
  VEC(SAction) actions, checks;
  VEC(SAction) guards;      /* asserts about parameters alone, checked once when these are known */
  VEC(uint32_t) parameters; /* SVars with bindings in order of evaluation */
  ExprId *bindings;         /* per flat variable: lowered; NO_EXPR if none */
  ExprId *starts;           /* per flat variable: lowered start; NO_EXPR if none */
  uint32_t lambda;          /* SVar of the homotopy parameter; NO_SVAR if there is none */
  bool has_terminal;

  /* ---- the systems: sorting ---- */
  SSystem simulation, initial;
  VEC(SMixed) mixed;         /* of both systems */
  VEC(SRedundant) redundant; /* checked after initialisation */
  VEC(SJump) jumps;          /* in order of evaluation */
  SSystem pulses;            /* areas of pulses, from those that the jumps give */
  /* Constraints that hold by themselves once they hold, but for errors of the integration */
  VEC(SRow) invariants;
  VEC(SSelection) selections;
  VEC(SEntry) entries; /* of all selections */

  /* ---- what may run on its own, and places: after sorting ---- */
  VEC(uint32_t) states; /* SVars part by part, island by island; place = index in x */
  VEC(SIsland) islands; /* an island stands behind those that act on it between events */
  /* Per block of the simulation; NO_ISLAND: read by several, or by none that has states */
  uint32_t *island_of_block;
  VEC(SInfluence) influences;
  bool influences_known; /* false: there would be too many */
  VEC(SPart) parts;      /* in order of evaluation; none: the whole is one */
  /* Per block of the simulation; NO_PART: it only reads; NULL without parts */
  uint32_t *part_of_block;
  uint32_t n_real, n_integer, n_string; /* sizes of the banks */
} Structure;
