#pragma once
/* result/compare.h -- two trajectories of a signal, compared in a tube that is wide in time and in
 * value. docs/diff.md has the definition. */
#include "base/memory.h"

/* Points in order of time; of equal time: limits from the left and from the right, and what lies
 * between. */
typedef struct {
  const double *time, *value; /* n */
  size_t n;
  bool sampled; /* known at its points only: it has no points at events, though there are some */
} CompareCurve;

typedef struct {
  double from, to;      /* s; what is compared */
  double width, height; /* s, unit of the signal: half of the tube's */
  bool discrete;        /* values must be equal; height is not used */
} CompareTube;

typedef struct {
  /* The largest: distance in value over height, 1 is the edge; INFINITY: one has a value where
   * the other has none */
  double deviation;
  /* where; NaN: no value. The second one is the nearest that there is within the width */
  double time, result, reference;
  uint64_t points, outside;
} CompareOutcome;

/* Each curve must lie in the tube of the other one. Time proportional to the number of points. */
CompareOutcome compare_curves(const CompareCurve *result, const CompareCurve *reference,
                              const CompareTube *tube, Arena *a);

/* Largest and smallest finite value between two times, also those of straight lines; false: there
 * is none. */
bool compare_range(const CompareCurve *c, double from, double to, double *low, double *high);
/* Whole numbers only, or no value; and mostly constant between points of different time. */
bool compare_is_whole(const CompareCurve *c);

/* Instants with events: two points of equal time, later than the first point. */
/* events: NULL or room for n */
size_t compare_events(const double *time, size_t n, double from, double to, double *events);
/* The first event that has no partner within the width; NaN: there is none. */
double compare_first_event(const double *a, size_t n, const double *b, size_t m, double width);
