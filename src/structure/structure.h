#pragma once
/* structure/structure.h -- the door of the stage: flat hybrid DAE -> sorted blocks.
 * What comes out is a Structure (sorted.h). What else can be asked about one has a header of its
 * own, as README.md lists them: places and tables, patterns, tangents, slices, records, texts. */
#include "base/diag.h"
#include "flat/flat.h"
#include "structure/name.h"
#include "structure/sorted.h"

/* NULL if errors were added. The result lives in `a`. */
Structure *structure_build(const FlatModel *m, Arena *a, Diags *diags);
/* The same with a pool of its own for expressions that are added, in `a` (pool_on): threads that
 * share a structure have a view each. */
const Structure *structure_view(const Structure *s, Arena *a);
/* The same model in another mode: with these values of s->conditions. `initial`: also what a run
 * needs that begins in it. */
Structure *structure_in_mode(const Structure *s, const bool *values, bool initial, Arena *a,
                             Diags *diags);
