#pragma once
/* structure/selection.h -- states that the run chooses, when no variable can be a state all the
 * time (select.c). */
#include "base/source.h"
#include "expr/expr.h"

/* Derivative of constraint `row` by candidate `column`. */
typedef struct {
  uint32_t row, column;
  ExprId d;
} SEntry;

/* Variables that constraints tie to each other, none of which can be a state all the time: their
 * states are CHOSEN variables, each equal to the candidate that its CHOICE names, which the run
 * changes when another candidate becomes the better one. */
typedef struct {
  uint32_t n, n_rows;   /* candidates; constraints: n - n_rows states */
  uint32_t *candidates; /* SVars */
  double *weights;      /* per candidate: how gladly it is no state; 1 for StateSelect.default */
  uint32_t *states, *choices, *first; /* SVars, SVars, number of the first candidate */
  uint32_t entry, n_entries;          /* in Structure.entries */
  Span span;
} SSelection;
