/* result/filter.c -- which points of a run become rows of a result. */
#include "result/filter.h"

#include <math.h>

static const double grid_fit = 1e-9; /* 1: how exactly times must fit the output grid, relative */

/* Time in output intervals since the start. */
static double grid_place(const RowFilter *f, double time) {
  return (time - f->start) / (f->stop - f->start) * f->intervals;
}

/* An event on the grid replaces the grid row; then the values after it are taken. */
static bool on_grid(const RowFilter *f, const RunRow *row) {
  double place = grid_place(f, row->time), fit = grid_fit * fmax(1, place);
  return row->kind == RUN_ROW_AFTER && fabs(place - round(place)) <= fit &&
         place > grid_place(f, f->last) + fit;
}

bool filter_takes(RowFilter *f, const RunRow *row) {
  bool takes = row->kind == RUN_ROW_GRID;
  switch (f->choice) {
  case ROWS_ALL: takes = true; break;
  case ROWS_BOTH: takes = row->kind != RUN_ROW_STEP; break;
  case ROWS_NONE: takes = takes || on_grid(f, row); break;
  }
  if (takes)
    f->last = row->time;
  return takes;
}
