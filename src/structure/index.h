#pragma once
/* structure/index.h -- index reduction: which equations are differentiated, and what follows for
 * the variables in them. */
#include "structure/build.h"

/* index.c: false after a diagnostic */
bool index_reduce(Lower *lo);
bool index_counts(Lower *lo, const SRow *row); /* it says something about continuous variables */
/* Per SVar: a highest derivative, or a continuous unknown without one */
bool *highest_derivatives(const Lower *lo);

/* prefer.c: gives derivatives to variables that shall be states and follow from states; true if
 * there are any. Per row: it was not differentiated itself. */
bool prefer_states(Lower *lo, const bool *active);

/* moved.c: tells which variables follow others that are reinitialised. */
void moved_tell(Lower *lo);
