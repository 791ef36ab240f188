#pragma once
/* flat/linear_impl.h -- equations with whole-number coefficients, and the search for combinations
 * of them that vanish. */
#include "base/memory.h"
#include "base/vec.h"

typedef struct {
  uint32_t col;
  int64_t factor;
} LinearTerm;

typedef struct {
  LinearTerm *terms; /* ascending columns, no zero factors */
  uint32_t n;
} LinearRow;

/* A combination of rows in which every column cancels: sum of factor * row = 0. */
typedef struct {
  uint32_t row;
  int64_t factor;
} LinearPart;
typedef struct {
  LinearPart *parts; /* ascending rows, no zero factors */
  uint32_t n;
} LinearZero;
typedef struct {
  LinearZero *at;
  uint32_t n, room;
} LinearZeros;

/* Independent combinations that vanish, at most `most`; none of them is reported unless it vanishes
 * exactly. */
void linear_zeros(Arena *a, const LinearRow *rows, uint32_t n_rows, uint32_t n_cols, uint32_t most,
                  LinearZeros *out);
