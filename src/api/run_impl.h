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

/* A variable that has another value from a time on. */
typedef struct {
  double time; /* s */
  RunSetting setting;
} ApiChange;

struct NuRun {
  const NuProgram *p;
  Memory mem;
  Arena *arena;
  Diags *diags;
  uint32_t delivered;                /* of them, in the call at work or before */
  const struct Structure *structure; /* a view of that of the program */
  RunOptions options;                /* the run refers to it */
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
  NuRest *rests;      /* known when it has ended */
  uint32_t n_rests;
  const DsData *data; /* NULL before the first row */
  uint64_t rows;
  double time, run_time;
  RunStats stats;
  /* Inside of a call that simulates: none of the functions that call it may make it go on */
  bool busy;
  RunState state;
  RunStatus status; /* of the last call that simulated */
  /* a run that goes on from a result */
  Store *past;                /* NULL: it begins at its start, or has gone on */
  StoreCheckpoint checkpoint; /* n 0: none */
  double resume_at;           /* s; NAN: where it was interrupted */
  bool resumes, resume_anew;  /* anew: its stop time is another one */
  bool damaged;               /* the checkpoint was */
  VEC(ApiChange) changes;     /* in order of time; those of the run that goes on come first */
  uint32_t n_changed;         /* that have happened */
};

/* As api_call, with the memory of the run. */
typedef NuStatus RunWork(NuRun *r, void *args);
NuStatus api_run_call(NuRun *r, RunWork *work, void *args);
/* Is the run in one of these states (bits by RunState)? Else A004 tells what `call` needs. */
bool api_run_allowed(NuRun *r, unsigned states, const char *call);
/* Notes where the run is after a part of it, which began at that processor time. */
NuStatus api_run_passed(NuRun *r, RunStatus status, double begun);
bool api_take_row(void *user, const RunRow *row); /* a RunRowFunction; user: the NuRun */

/* "name=value", a text of the run's arena. False after A001. */
bool api_setting(NuRun *r, const char *text, RunSetting *out);
/* The relative tolerance: asked for, else of the model, else the default. */
double api_rtol(const NuRun *r, const NuRunOptions *o);

/* ---- option.c ---- */

const NuOption *api_option_find(const char *field);           /* NULL: there is none */
void api_option_forget(const NuOption *row, NuRunOptions *o); /* it is not given */
bool api_option_given(const NuOption *row, const NuRunOptions *o);
/* A flag, number or choice as a number; of texts, how many. */
double api_option_number(const NuOption *row, const NuRunOptions *o);
bool api_option_set(const NuOption *row, NuRunOptions *o, double x); /* false: not allowed */
/* Copies the texts, so that those of the caller may go. */
void api_options_keep(NuRunOptions *o, Arena *a);
/* False after A001 for each number that is not allowed. */
bool api_options_check(const NuRunOptions *o, Diags *diags);

/* ---- resume.c ---- */

/* What a resumed run needs to know: all options that are not free, as text. */
const char *api_options_text(const NuRun *r, const NuRunOptions *o);
/* Opens the result to go on from; `o` gets the options of its run. A status after a diagnostic. */
NuStatus api_resume_options(NuRun *r, NuRunOptions *o);
/* a checkpoint that can be used; without one `past` is closed. A status after a diagnostic */
NuStatus api_resume_find(NuRun *r);
RunStatus api_resume(NuRun *r);     /* in the place of run_begin */
bool api_checkpoint_due(void *run); /* RunOptions.due, .checkpoint */
void api_checkpoint(void *run);
