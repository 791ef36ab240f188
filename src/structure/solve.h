#pragma once
/* structure/solve.h -- how a block is solved: assignment, linear system, Newton; and which of its
 * unknowns are iterated. */
#include "base/diag.h"
#include "structure/build.h"
#include "structure/incidence.h"

/* tear.c: chooses iteration variables of a LINEAR or NONLINEAR block; derivatives of its parts. */
typedef struct {
  bool *marked;    /* per SVar, all false; left so */
  uint32_t *local; /* per SVar, all 0; left so */
} BlockScratch;
void tear_block(const Structure *s, const SSystem *sys, const IncidenceTable *t, SBlock *b,
                BlockScratch *scratch, Arena *a, Diags *diags);
void block_partials(const Structure *s, SBlock *b, BlockScratch *scratch, Arena *a);

/* Linear blocks that are singular wherever one looks are solved as a whole */
void untear_open(Lower *lo, SSystem *sys);

/* solve.c: fills kind and value of a block. `marked`: per SVar, all false; left so. */
bool solve_block(Structure *s, const SSystem *sys, SBlock *b, bool *marked, Arena *a, Diags *diags);
/* Solves one row for the unknown of a block of one, if that is possible by an assignment. */
bool solve_one(const Structure *s, const SRow *row, SBlock *b, const bool *marked, Arena *a,
               Diags *diags);
