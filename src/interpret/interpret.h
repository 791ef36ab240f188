#pragma once
/* interpret/interpret.h -- structure -> a model that evaluates its expressions one by one: no
 * machine code, the same bits. */
#include "dsblock.h"
#include "structure/slice.h"
#include "structure/sorted.h"

/* NULL after X001. The model lives in `a`, beside the flat model and the structure, which it refers
 * to; interpret_end before they go. Threads may share it if nothing is added to the pool of the
 * flat model any more. */
const DsModel *interpret_model(const FlatModel *m, const Structure *s, Arena *a, Diags *diags);
/* The same for a slice, as emit_slice makes it. */
const DsModel *interpret_slice(const FlatModel *m, const Structure *s, const SSlice *slice,
                               Arena *a, Diags *diags);
void interpret_end(const DsModel *model); /* NULL is allowed */
