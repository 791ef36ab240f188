#pragma once
/* run/isolate.h -- state events of relations that have a formula (DsTerm): none is missed. */
#include "run/rooms.h"

typedef struct RunIsolation RunIsolation;

void isolate_allocate(Run *run);
void isolate_begin(Run *run); /* everything may be other than before: a snapshot was put back */
void isolate_forget(Run *run,
                    const Scope *sc); /* what the scope holds between events may have changed */
/* Is there a relation of the part at work that has no formula here? */
bool isolate_leaves_some(Part *p);
/* Was relation k looked at over the whole of the last step by isolate_first? */
bool isolate_covers(const Run *run, int k);

/* The first change of a relation in the step of the part at work. */
typedef struct {
  int relation; /* -1: there is none */
  /* Fractions of the step: the relation is outside of its band before, on its side up to `from`,
   * and not at `to`, but for rounding */
  double from, to;
  double end; /* the same is true up to here, as far as it is known */
} Isolated;
/* Changes after `after`. The values of DsData, za, zb and the bands are those of the end of the
 * step, and stay so. */
void isolate_first(Part *p, double after, double width, Isolated *out);
