#pragma once
/* run/replay.h -- values computed again at the points of a record, by a slice of the equations
 * (emit_slice, interpret_slice). Replay *re = replay_new(slice, arena, diags);   DsData *d =
 * replay_data(re);
 *   per point: store time, recorded places of d->r and whatever changed; replay_evaluate; read the
 *   wanted places of d->r.
 * Nothing outside is touched: no library is looked for, functions that are not pure cannot be
 * called. */
#include "dsblock.h"
#include "load/load.h"
#include "run/run.h"

typedef struct Replay Replay;
Replay *replay_new(const Program *slice, Arena *a, Diags *diags);
/* Goes on with another slice of the same model; values stay. */
void replay_use(Replay *re, const Program *slice);
DsData *replay_data(Replay *re); /* all banks, of the sizes of the run; Strings are the caller's */
/* At a point of this kind, the first of the run or not. False after R612. Also keeps pre values:
 * those of a point inside an event are the values of the point before. */
bool replay_evaluate(Replay *re, RunRowKind kind, bool first);
/* A point of this kind is left out: only its values count, for what follows. */
void replay_pass(Replay *re, RunRowKind kind);
/* What it holds outside of its arena. NULL is allowed. */
void replay_free(Replay *re);
