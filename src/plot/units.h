#pragma once
/* plot/units.h -- units that axes are shown in. */
#include "plot/plot.h"

/* Can both be shown on one axis? Units that cannot be read agree with themselves only. */
bool units_agree(const char *a, const char *b);
/* shown = value*factor + shift */
typedef struct {
  double factor, shift;
} UnitChange;
UnitChange units_change(const char *from,
                        const char *to); /* of units that agree; "": nothing is changed */

/* Does a name match a pattern with * and ?? */
bool units_matches(const char *pattern, const char *name);

/* The unit that --unit asks for this name; NULL: none. False after G003 if it does not fit. */
typedef struct {
  const char *const *words; /* "v=km/h", "time=ms", "km/h" */
  size_t n;
  bool *used; /* [n] */
} UnitWishes;
bool units_wished(const UnitWishes *w, const char *name, const char *unit, const char **wish,
                  Diags *diags);
/* "m/s2" -> "m/s²", "N.m" -> "N·m" */
const char *units_pretty(const char *unit, Arena *a);
