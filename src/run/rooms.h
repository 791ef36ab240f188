#pragma once
/* run/rooms.h -- names of the rooms that a run consists of. A room is a struct of its own with a
 * header of its own; who does not include that header cannot look inside, and who does not include
 * core.h does not see which rooms a run has. Rooms by lifetime:
 *   run          goal.h, scales.h, samples.h, starts.h, guess.h, singular.h; past.h, memory.h,
 *                trace.h, rows.h (Output), look.h; relations.h with side.h for each relation
 *   part         part.h, with its solver, slide and contact; the queue of them (schedule.h)
 *   structure    workspace.h: what belongs to the blocks of one structure
 *   instant      instant.h: everything that lives for one event; Pass: for one pass of it
 *   evaluation   evaluation.h, failure.h; MixedTrials (workspace.h) */
#include "run/run.h"
#include "run/scope.h"

/* the run */
typedef struct Relations Relations;
typedef struct RunSamples RunSamples;
typedef struct RunGuess RunGuess;
typedef struct RunScales RunScales;
typedef struct RunSingular RunSingular;
typedef struct RunStarts RunStarts;
typedef struct RunMemory RunMemory;
typedef struct Past Past;
typedef struct Trace Trace;
typedef struct Output Output;
typedef struct Look Look;
/* parts */
typedef struct Part Part;
typedef struct Queue Queue;
/* the structure */
typedef struct Workspace Workspace;
/* an event */
typedef struct Instant Instant;
typedef struct Pass Pass;
/* an evaluation */
typedef struct MixedTrials MixedTrials;
