#pragma once
/* run/rows.h -- what comes out: rows at the points of the grid and at events; limits of the run.
 * `Output` lasts for the run, written by rows.c. */
#include "run/failure.h"
#include "run/rooms.h"

struct Output {
  const RunColumn *columns;
  uint32_t n_columns;
  RunRowFunction *row;
  void *user;
  double time; /* of the last row */
  uint32_t next_grid;
  bool parameters_set; /* since the last row */
  bool stop_asked;     /* by the row function */
  double clock_start;  /* s of run_clock */
  Failure ending;      /* what terminate() said, waiting for the row of its pass */
};

/* sc: what may have changed since the row before */
RunStatus run_row(Run *run, const Scope *sc, RunRowKind kind);
/* Rows at the points of the grid up to t, without t itself if an event is there; those after
 * run->stage.pause are left for later. */
RunStatus run_grid_rows(Run *run, double t, bool event);
bool run_on_grid(const Run *run, double t); /* the next point of the grid is at the instant t */
/* Grid points at the instant of an event need no row of their own */
void run_skip_grid(Run *run, double t);
RunStatus run_check_limits(Run *run);
