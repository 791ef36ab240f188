#pragma once
/* structure/tables.h -- what describe/ puts into the tables of a model and no field of a Structure
 * says: small questions, each answered by the file that knows. */
#include "structure/sorted.h"

/* ---- layout.c: places ---- */

/* Places of discrete Reals, ascending. */
uint32_t *structure_discrete(const Structure *s, Arena *a, uint32_t *n);
/* Places of continuous Reals whose pre values are read, ascending. */
uint32_t *structure_pre_reads(const Structure *s, Arena *a, uint32_t *n);
int structure_watch(const Structure *s, uint32_t relation); /* DsRelation.watch */
/* Place in r of the derivative of a flat variable that is a state, in some mode at least; -1 if it
 * is none. */
int structure_der_place(const Structure *s, uint32_t var);
/* Places of derivatives of which this mode says nothing, because their variables follow from others
 * there. */
uint32_t *structure_unsaid(const Structure *s, Arena *a, uint32_t *n);

/* ---- index.c, pulse.c ---- */

/* Invariants that hold states alone: see DsModel.invariants. Column: place in x. */
typedef struct {
  uint32_t n, n_entries;
  ExprId *residuals;
  Span *spans; /* of the residuals */
  SEntry *entries;
} SInvariants;
SInvariants structure_invariants(const Structure *s, Arena *a);

/* Areas of pulses: see DsPulse in dsblock.h. */
typedef struct {
  uint32_t place;
  int variable, state;
} SPulse;
SPulse *structure_pulses(const Structure *s, Arena *a, uint32_t *n);

/* ---- passes.c, homotopy.c ---- */

/* At an event at which no state jumps: would a second pass over all equations find the values of
 * the first? False: it is not known. */
bool structure_one_pass(const Structure *s);
/* Does the block depend on the parameter of homotopy()? */
bool structure_has_homotopy(const Structure *s, const SBlock *b);
