#pragma once
/* result/filter.h -- which points of a run become rows of a result. */
#include "run/run.h"

/* At an event: a row before and one after it; none; or one for each pass as well. */
typedef enum { ROWS_BOTH, ROWS_NONE, ROWS_ALL } RowChoice;

typedef struct {
  RowChoice choice;
  double start, stop; /* s; of the run */
  uint32_t intervals; /* of the output grid */
  double last;        /* time of the last row taken; -INFINITY before the first */
} RowFilter;

/* Is it a row of the result? If so it is the last one from now on. */
bool filter_takes(RowFilter *f, const RunRow *row);
