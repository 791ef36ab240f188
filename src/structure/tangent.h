#pragma once
/* structure/tangent.h -- partial derivatives of the equations between events. */
#include "base/vec.h"
#include "structure/sorted.h"

/* Partial derivatives of the equations that the derivatives come from. Nodes: states, time, then
 * per step its unknowns (iterated ones first); rows: per step those of the unknowns that are not
 * iterated, then the residuals. Entry q of row i, start[i] <= q < start[i + 1], is the derivative
 * of the row by a node. The steps of relations follow those that the derivatives need: each is the
 * assignment of a - b, after what that follows from. */
#define NO_NODE UINT32_MAX
#define UNKNOWN_NODE (UINT32_MAX - 1)
typedef struct {
  uint32_t node;
  ExprId d;
} STangentEntry;
typedef struct {
  uint32_t n, n_tear;  /* n_tear 0: an assignment */
  const SBlock *block; /* NULL: a - b of a relation, of this number */
  uint32_t relation;
} STangentStep;
typedef struct {
  /* Entries that are difference quotients, because of functions without derivative */
  uint32_t n_nodes, n_quotients;
  VEC(STangentStep) steps;
  VEC(uint32_t) start;
  VEC(STangentEntry) entries;
  uint32_t *der;          /* per state: node of its derivative; NO_NODE: it does not move */
  uint32_t n_slope_steps; /* those that the derivatives need */
  /* Per relation: node of a - b; NO_NODE; UNKNOWN_NODE: it cannot be differentiated */
  uint32_t *relation;
} STangent;
/* False: some part cannot be differentiated. */
bool structure_tangent(const Structure *s, Arena *a, STangent *out);
