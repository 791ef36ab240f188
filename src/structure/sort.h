#pragma once
/* structure/sort.h -- matched rows -> blocks in order of evaluation. */
#include "base/diag.h"
#include "structure/incidence.h"
#include "structure/match.h"
#include "structure/sorted.h"

/* sort.c: orders a fully matched system into blocks (of rows and unknowns only). False after a
 * diagnostic. */
bool sort_system(Structure *s, SSystem *sys, const IncidenceTable *t, const Matching *m,
                 bool initial, Arena *a, Diags *diags);

/* phases.c: phases of the sorted blocks of the simulation, and an order in which these stand
 * together. */
void schedule_blocks(const Structure *s, SSystem *sys, const IncidenceTable *t, const Matching *m,
                     Arena *a);
