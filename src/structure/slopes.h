#pragma once
/* structure/slopes.h -- which derivatives inside of a block are not zero. emit, interpret and
 * describe go through them in this one order. */
#include "structure/block.h"

/* Is the matrix of the block given by its entries, not as a whole (see DsBlock)? */
bool structure_by_entries(const SBlock *b);
/* Derivatives (slopes) of the parts of a block by its iterated unknowns: of part k by of[start[k]]
 * .. of[start[k] + n[k] - 1], ascending. Inner parts come first, then the residuals, so that the
 * matrix is what stands from start[0] on. */
typedef struct {
  uint32_t *start, *n, *of, total;
  bool by_entries; /* structure_by_entries */
} SSlopes;
SSlopes *structure_slopes(const SBlock *b, Arena *a); /* NULL: they must be differenced */
/* The parts in order of evaluation: inner ones, then residuals */
uint32_t slopes_part(const SBlock *b, uint32_t k);
uint32_t slopes_entries(const SBlock *b, const SSlopes *sl); /* of the matrix */
