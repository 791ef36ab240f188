#pragma once
/* structure/modes.h -- equations that hold in some modes only: which of them are kept apart, and
 * the rows of one mode. */
#include "structure/build.h"

/* Its value, that decides which equations hold; a literal stays one */
ExprId condition_decides(Lower *lo, ExprId condition);
void modes_choose(Lower *lo); /* leaves the rows that hold in the mode */
/* With start values in place of variables, and 0 for derivatives: a literal if that can be told */
ExprId modes_at_start(Lower *lo, ExprId e);
/* After the simulation was matched: marks if-equations one of whose branches leaves nothing to
 * determine; true if there are any. */
bool modes_needed(Lower *lo, bool *divides);
/* The same for conditions of if-expressions: adds them to the list */
typedef VEC(ExprId) Splits;
bool modes_split(Lower *lo, Splits *splits);
/* Equations that say the same as others in this mode (two diodes that both want a capacitor to be
 * empty) are left out. As many unknowns stay open (how the current divides): for these, marked, a
 * row whose coefficients are 0 makes a singular system, whose solution the run takes nearest to the
 * values before. */
void modes_drop_repeated(Lower *lo);
/* Per row of the simulation, before anything was differentiated */
void modes_drop_rows(Lower *lo, const bool *drop);
void modes_leave_open(Lower *lo, const bool *open);
void modes_say(Lower *lo, uint32_t from); /* names the mode in what was said since then */
