#pragma once
/* run/tolerances.h -- numbers that decide about events, in one place, each with its unit and
 * reason. */
#include <stdint.h>

typedef struct {
  /* Half width of the band around a relation, per rtol and size of what it compares: see
   * run_band */
  double band;
  /* The same in units of the last place of the terms that its sides come from */
  double rounding;
  /* a relation has not been moved by a jump if it changed less than this many roundings of its
   * operands */
  double same;
  /* a located event is known to this many units of the last place of the time */
  double instant;
  double left; /* so many smallest steps before it, its relations are on their old sides */
  /* Relations of mixed systems that change within so many of these units are one event */
  double joined;
  /* Length of the probe for the direction of relations, in steps of the solver, or paces: see
   * run_pace */
  double probe;
  /* The pace before the first step, in times in which a state moves by its size */
  double first;
  /* Excursions inside the band in a row before a relation is left where it is */
  int micro;
  /* Half widths of the band: a relation that goes no further between two events goes nowhere */
  double narrow;
  double dense;      /* paces: events of one relation closer than this leave no room for steps */
  double crowd_span; /* smallest steps: events that are no further apart on average take no time */
  uint64_t most_passes; /* passes of one event before giving up although no state repeats */
  double together;      /* instants of time events that differ by so many roundings are one */
  double redundant;     /* two values that should be equal may differ by this share of their size */
  /* a variable is outside of its bounds by more than this many tolerances of its size */
  double outside;
  /* States of a unit that stay below this are small: 1 is no measure for them, see weights.c */
  double small_state;
  /* Roundings of 1: absolute tolerance of a state whose nominal value is not declared, at least */
  double least_atol;
  /* Residual of a singular linear system, relative to its terms, from which on it has no
   * solution */
  double contradiction;
} RunTolerances;
extern const RunTolerances run_tolerances;
