#pragma once
/* run/spiral.h -- where switches of two surfaces accumulate: the motion comes to rest on both
 * (spiral.c). What a part remembers of it is in Slide. */
#include "run/slide.h"

/* Surfaces whose weights are unknown, by their places, and the one whose speed each of them has to
 * keep at 0: its own, or where the motion has spiralled in that of its mate, times the scale. */
typedef struct {
  int n, place[SLIDE_MOST], kept[SLIDE_MOST];
  double scale[SLIDE_MOST];
} SlideUnknowns;

/* Of k surfaces, the first of which are those that the part slides on */
SlideUnknowns run_spiral_unknowns(const Slide *sl, int k);
bool run_spiral_is_mate(const Slide *sl, int j);
/* Speeds of what the unknown weights keep, at all sides of their surfaces: 2^n*n */
void run_spiral_reduce(const SlideUnknowns *u, int k, const double *w, double *out);
/* Weights of the k surfaces that the part slides on, for speeds of these; false: there are none */
bool run_slide_weights(const Part *p, const double *w, double *a);
void run_spiral_correct(Run *run, Part *p, double *x); /* after a step, and after slide.c */
/* After an event of the part; where the run begins; when a spiral ends, if one does; at
 * that event */
RunStatus run_spiral_note(Run *run, Part *p, double t);
RunStatus run_spiral_begin(Run *run, Part *p);
double run_spiral_next(const Part *p);
bool run_spiral_open(Run *run, Part *p);
bool run_spiral_is_pending(const Slide *sl, int i); /* surface i is in a spiral that ends later */
