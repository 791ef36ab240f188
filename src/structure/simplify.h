#pragma once
/* structure/simplify.h -- rows as simple as they can be before they are matched: literals, equal
 * variables, sections and functions that are expressions. */
#include "structure/build.h"

/* constant.c */
void constants_eliminate(Lower *lo);

/* alias.c */
void alias_eliminate(Lower *lo);

/* section.c: the rows of an algorithm section become equations. False: it is one that must stay, as
 * the first one says. */
bool section_is_function(Lower *lo, uint32_t number);
bool section_as_equations(Lower *lo, uint32_t number);

/* late.c: functions of one expression that have a derivative of their own */
void late_rows(Lower *lo);
void late_row(Lower *lo, SRow *row);
