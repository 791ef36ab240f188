#pragma once
/* run/blend.h -- what motions that slide, and those who read them, see on the surface: averages of
 * its sides. A unit is a part, by its number, or what belongs to none: n_parts. */
#include "run/rooms.h"

void run_blend_allocate(Run *run);
void run_blend_forget(Run *run); /* nothing slides any more */
/* Continuous Reals that it determines: slopes first */
size_t run_blend_width(const Run *run, int unit);
bool run_blend_depends(Run *run, int unit); /* it reads something that slides */
void run_blend_plain(Run *run, int unit);   /* it does not, nor does it slide */
/* All sides of k surfaces of its own, and of those that it reads from; relations keep their
 * values. */
int run_blend_corners(Run *run, const Scope *sc, int unit, int k, const int *surface, int what);
/* The corners of its own surfaces after that: 2^k rows */
double *run_blend_fields(const Run *run, const Part *p);
/* Room for how fast they move its surfaces */
double *run_blend_speeds(const Run *run, const Part *p);
/* The averages become the values; a: weights of its own surfaces */
void run_blend_average(Run *run, int unit, const double *a);
