#pragma once
/* structure/lower.h -- lowering, as the rest of the folder asks for it: the flat model in terms of
 * SVars, its relations, and what holds during initialisation only. */
#include "structure/build.h"

/* lower.c */
bool lower_model(Lower *lo);
/* After the states are chosen: fixed start values, and what may only be said of states. */
bool lower_fixed(Lower *lo);
/* lower_expr.c: does it vary at events only? */
bool lower_is_discrete(Lower *lo, ExprId lowered);
/* lower_quiet.c: are there steps under noEvent that can be monitored? */
bool lower_watches(const Lower *lo);
/* steady.c: relations of time with variables that do not vary between events. */
void steady_instants(Lower *lo);
/* homotopy.c: takes the simplified forms out of everything but the initial system */
void homotopy_actual(Lower *lo);
/* lower_when.c */
uint32_t condition_var(Lower *lo, ExprId condition); /* an SVar that holds its value */
