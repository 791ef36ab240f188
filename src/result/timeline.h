#pragma once
/* result/timeline.h -- what a run was in when: a track per switching group, each a sequence of
 * spans of time in which its mode did not change, and the events of the run.
 *   Timeline *t = timeline_read(store, &setup, arena, diags);
 * A switching group is
 * - the conditions of one if-equation whose branches are different equations; and the whole, if
 * there are several of these, - a Boolean, enumeration or Integer that the model determines,
 * - the relations of one equation whose coefficients change with them, and relations that the
 * motion slides along or is in contact with. */
#include "result/events.h"

typedef struct {
  double from, to; /* s; to > from */
  uint32_t value;  /* of TimeTrack.values */
} TimeSpan;

typedef struct {
  const char *name;
  /* It never changes, or follows from another track of its component, or from time alone */
  bool minor;
  VEC(const char *) values;
  VEC(TimeSpan) spans; /* without gaps; neighbours have different values */
} TimeTrack;

/* An event, or what happened in one: sliding, contact, exit, mythical, structural, projection,
 * pinnacle. */
typedef struct {
  double time;
  uint32_t k; /* number of the pass in its instant */
  const char *kind, *text;
} TimeMark;

typedef struct {
  double time;
  const char *variable;
  double area; /* of the Dirac pulse */
} TimePulse;

typedef struct {
  double start, end; /* s; of the points there are. NAN: none */
  EventList *events;
  VEC(TimeMark) marks;   /* in order of superdense time */
  VEC(TimePulse) pulses; /* the same */
  VEC(TimeTrack) tracks; /* those that tell most first; all minor ones behind the others */
} Timeline;

/* All points of a store; everything lives in `a`. NULL after F002. */
Timeline *timeline_read(Store *store, const EventSetup *setup, Arena *a, Diags *diags);
