#pragma once
/* structure/rank.h -- which columns of a group of rows are independent of each other. */
#include "base/vec.h"
#include "structure/build.h"
#include "structure/point.h"

/* Derivatives of rows of the simulation by some SVars in them. */
typedef struct {
  uint32_t column;    /* number of the SVar; n_columns + i: the part that row i has in it */
  double value, size; /* size: of the terms that it is the sum of */
  ExprId d, bound;    /* the same as expressions: as read, and later only if they are wanted */
} RankCell;
typedef VEC(RankCell) RankRow; /* columns ascend */
typedef struct {
  Lower *lo;
  uint32_t n, n_columns;
  const uint32_t *which, *columns; /* rows, SVars */
  RankRow *rows;
  uint32_t *pivot; /* per row: its column; NO_SVAR */
  double *largest; /* per row: of its entries as read */
  bool assumes;    /* entries are not all literals */
  bool symbolic;   /* expressions are wanted */
} RankBlock;
/* NULL: an entry is not known. */
RankBlock *rank_new(Lower *lo, PointEval *at, const uint32_t *rows, uint32_t n,
                    const uint32_t *columns, uint32_t n_columns);
/* Once per block; returns the rank */
uint32_t rank_choose(RankBlock *b, const uint32_t *order, uint32_t n_order, bool *taken);
/* a fresh block, regular, of parameters and literals: the run checks that it is regular */
void rank_assume(RankBlock *b);
/* Of a linear block: singular wherever one looks */
bool rank_is_open(Lower *lo, PointEval *at, const SBlock *b);
/* A row without pivot, and the rows as they were written: do they say the same, or never agree? */
typedef enum { RANK_UNKNOWN, RANK_REPEATS, RANK_CONTRADICTS } RankSays;
RankSays rank_says(const RankBlock *b, uint32_t row, const uint32_t *origin, PointEval *at);
