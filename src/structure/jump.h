#pragma once
/* structure/jump.h -- what binds states when a mode begins, and the areas of pulses. */
#include "structure/build.h"

/* jump.c: active: per row, it was not differentiated itself */
void jumps_find(Lower *lo, const bool *active);
/* pulse.c: false after a diagnostic */
bool pulses_find(Lower *lo);
