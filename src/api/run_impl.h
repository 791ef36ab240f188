#pragma once
/* api/run_impl.h -- what the files about runs share. */
#include <stdio.h>

#include "api/api_impl.h"
#include "result/events.h"
#include "result/filter.h"
#include "result/result.h"
#include "result/store.h"
#include "run/run.h"

/* Which calls are allowed: see the table in nusim.h. */
typedef enum { RUN_IS_NEW, RUN_IS_ON, RUN_IS_BROKEN, RUN_IS_OVER } RunState;

struct NuRun {
  const NuProgram *p;
  Memory mem;
  Arena *arena;
  Diags *diags;
  RunOptions options; /* the run refers to it */
  Run *run;
  atomic_int cancel;
  RowFilter filter;
  NuRowSink *row;
  void *row_user;
  NuProgress *progress;
  void *progress_user;
  const RunColumn *columns;
  const char **names; /* of the columns */
  uint32_t n_columns;
  double *values; /* of one row */
  ResultFiles files;
  StoreWriter *store; /* NULL: none */
  EventList *events;  /* NULL: not kept */
  const DsData *data; /* NULL before the first row */
  uint64_t rows;
  double time, run_time;
  RunStats stats;
  bool busy;   /* inside of a call that simulates: none of the functions that call it may make it go on */
  RunState state;
  RunStatus status; /* of the last call that simulated */
};

/* As api_call, with the memory of the run. */
typedef NuStatus RunWork(NuRun *r, void *args);
NuStatus api_run_call(NuRun *r, RunWork *work, void *args);
/* Is the run in one of these states (bits by RunState)? Else A004 tells what `call` needs. */
bool api_run_allowed(NuRun *r, unsigned states, const char *call);
/* Notes where the run is after a part of it, which began at that processor time. */
NuStatus api_run_passed(NuRun *r, RunStatus status, double begun);
bool api_take_row(void *user, const RunRow *row); /* a RunRowFunction; user: the NuRun */
