#pragma once
/* base/limits.h -- the limits of the program, one constant per row of limits.def, which says what
 * happens beyond each of them. Every folder may include this, programs, too.
 * With NUSIM_SMALL (make V=hostile) limits that have a slower way are so small that the tests go
 * that way. */

#ifdef NUSIM_SMALL
#define SLOWER(name, value, small, ...) name = (small),
#else
#define SLOWER(name, value, small, ...) name = (value),
#endif
#define REFUSED(name, value, ...) name = (value),
#define SHOWN(name, value, ...) name = (value),

enum {
#include "base/limits.def"
};

#undef SLOWER
#undef REFUSED
#undef SHOWN
