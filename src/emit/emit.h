#pragma once
/* emit/emit.h -- structure -> C text of a DSblock (include/dsblock.h). */
#include "structure/slice.h"
#include "structure/sorted.h"

/* Adds the text of a whole C file to `out`. Returns false after a diagnostic (X001: a function that
 * cannot be compiled). */
bool emit_c(const FlatModel *m, const Structure *s, Diags *diags, Text *out);
/* The same for a slice: a DSblock with the layout of the whole model and one entry point, outputs,
 * which computes the slice from what is recorded (run/replay.h); it has no variables, no relations
 * and no other entry points. */
bool emit_slice(const FlatModel *m, const Structure *s, const SSlice *slice, Diags *diags,
                Text *out);
