#pragma once
/* result/events_impl.h -- a list of events while it is made. */
#include "base/map.h"
#include "result/events.h"

typedef struct EventBuilder {
  Arena *a;
  const DsModel *m;
  const Structure *structure_of;
  const char **states; /* names of the states */
  /* Per discrete Real, place in i, place in s: the first variable there; NULL: none */
  const DsVariable **r, **i, **s;
  /* values at the last row */
  double *x, *discrete;
  long long *whole;
  const char **texts;
  unsigned char *relation;
  unsigned char *held;      /* values of relations when the last pass began */
  uint32_t mode, structure; /* numbers; 0: the structure never changes */
  uint32_t last_change;     /* number of the last step with another structure, + 1 */
  Map modes;
  bool begun;  /* there was a row */
  bool within; /* the last row was that of a pass which changed something */
  EventKind kind;
} EventBuilder;

/* events_structure.c */
void events_conditions(EventList *list); /* their names */
/* Its number; 0: it never changes */
uint32_t events_structure_now(EventList *list, const DsData *d);
/* What the pass did with it; NULL: it stayed */
EventStructure *events_structure(EventList *list, const RunRow *row, uint32_t to);
