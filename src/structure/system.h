#pragma once
/* structure/system.h -- the systems of the simulation and of the initialisation, from matching to
 * sorted blocks, with the messages when there is no matching; parameters in their order. */
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/match.h"

/* system.c: false after a diagnostic */
bool system_simulation(Lower *lo);
bool *system_unknowns(const Structure *s, Arena *a); /* per SVar: unknown in the simulation */
/* Matches the rows that are (not) initial_only; returns how many stay without an unknown. */
uint32_t system_match(const Lower *lo, const IncidenceTable *t, Matching *m, const bool *allowed,
                      bool initial_only);
const char *system_names(Lower *lo, const bool *vars, uint32_t except); /* "`a`, `b` and 3 more" */
/* Per SVar: a state in the marked rows */
bool *system_states_in(Lower *lo, const SSystem *sys, const bool *rows);
void system_report_over(Lower *lo, const SSystem *sys, const IncidenceTable *t, const Matching *m,
                        const bool *unknown);
/* initial.c: false after a diagnostic */
bool system_initial(Lower *lo);
/* parameters.c: false after a diagnostic */
bool order_parameters(Lower *lo);
