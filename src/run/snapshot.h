#pragma once
/* run/snapshot.h -- a run that is taken up again: in this process, or from a checkpoint in another
 * one (snapshot.c). */
#include "base/text.h"
#include "run/run.h"

/* Everything that decides how a run goes on. It may outlive the run, but not the program. */
typedef struct RunSnapshot RunSnapshot;
/* Before run_begin, or between two calls of run_advance. NULL: not enough memory. */
RunSnapshot *run_snapshot(Run *run);
/* Back, as often as one likes, into the same run or another one of the program with equal times,
 * tolerances and solver; rows go to `row` from then on. The run then goes on bit for bit as the
 * first one did, but for multistep methods, which begin anew at order 1. RUN_USAGE: it does not
 * fit, nothing has changed; external objects belong to one run. */
RunStatus run_restore(Run *run, const RunSnapshot *s, RunRowFunction *row, void *user);
double run_snapshot_time(const RunSnapshot *s);
bool run_snapshot_begun(const RunSnapshot *s); /* it was taken after run_begin */
void run_snapshot_free(RunSnapshot *s);        /* NULL is allowed */

/* The same as bytes, for another process: in RunOptions.checkpoint, or where run_snapshot can be
 * called. Appends them; false: there can be none now. */
bool run_checkpoint(Run *run, Text *out);
/* May a run that has not begun go on from there? No: the bytes come from another model, or from
 * another build of the program, or there are external objects of libraries. */
bool run_checkpoint_fits(Run *run, const void *bytes, size_t n);
/* Then it does, as by run_restore; `anew`: its stop time is another one, so that all steps begin
 * anew. RUN_USAGE: they are damaged, and the run must not be used any more. */
RunStatus run_resume(Run *run, const void *bytes, size_t n, bool anew, RunRowFunction *row,
                     void *user);
