#pragma once
/* result/events.h -- the events of a run as a list: every pass over the equations with what made it
 * necessary and what it changed.
 *   EventList *list = events_new(&setup);
 *   rows of a run, or read from a store, to events_row; then events_text, events_json
 * A mode is the vector of the values of all relations; modes are numbered from 1 in order of
 * appearance. Structures, too: these are the modes that differ in their equations. */
#include "result/store.h"

/* BOTH: of state and of time */
typedef enum { EVENT_INITIAL, EVENT_TIME, EVENT_STATE, EVENT_BOTH, EVENT_TERMINAL } EventKind;

/* The motion begins to slide along the surface of a relation, leaves it, or stays in contact with
 * it. */
static inline bool event_is_slide(RunCauseKind kind) {
  return kind == RUN_CAUSE_SLIDE || kind == RUN_CAUSE_EXIT || kind == RUN_CAUSE_CONTACT;
}
static inline bool event_is_relation(RunCauseKind kind) {
  return kind == RUN_CAUSE_RELATION || kind == RUN_CAUSE_TIME || kind == RUN_CAUSE_DEPARTURE;
}

typedef struct {
  RunCauseKind kind;
  int number;        /* as in RunCause */
  const char *text;  /* "h <= 0" */
  const char *place; /* "Ball.mo:9"; "" if unknown */
  DsCompare op;      /* of a relation */
  bool value;        /* of a relation: what it became */
  double a, b;       /* as in RunCause */
} EventCause;

typedef struct {
  DsType type;
  double r;
  long long i;
  const char *s; /* String; ENUMERATION: name of the literal, NULL if it has none */
} EventValue;

typedef struct {
  const char *name;
  EventValue before, after;
} EventChange;

/* How the structure changed in a sub-step. PINNACLE: it changed again in the same instant. */
/* PROJECTION: states jumped */
typedef enum { EVENT_STRUCTURAL, EVENT_PROJECTION, EVENT_PINNACLE } EventStructureKind;

typedef struct {
  const char *name;
  double area;
} EventArea;

typedef struct {
  EventStructureKind kind;
  uint32_t from, to;      /* numbers of EventList.structures, + 1 */
  const uint32_t *tried;  /* modes that were tried and left: mythical ones */
  const EventArea *areas; /* of Dirac pulses */
  uint32_t n_tried, n_areas;
  int index;     /* of the equations that bind states; 0: there are none */
  bool jumped;   /* states did */
  double energy; /* lost; NAN: not known */
} EventStructure;

/* A sub-step of an instant. */
typedef struct {
  double time;
  uint32_t k; /* number in the instant */
  EventKind kind;
  /* The last pass of its event: it changed nothing that makes another one necessary */
  bool settled;
  uint32_t mode_from, mode_to;
  const EventCause *causes;
  const EventChange *changes; /* of discrete variables */
  const EventChange *jumps;   /* of states */
  uint32_t n_causes, n_changes, n_jumps;
  EventStructure *structure;    /* NULL: it stayed */
  const char *ended, *ended_at; /* as in RunRow */
} EventStep;

typedef struct {
  const char *class_name;
  double start, stop;
  uint32_t n_relations;
  VEC(EventStep) steps;
  VEC(const char *) modes; /* mode number - 1: values of the relations as text of 0 and 1 */
  /* In order of appearance, values of the conditions: text of 0 and 1; none: it never changes */
  VEC(const char *) structures;
  VEC(const char *) conditions; /* "x > 0" */
  const StoreCause *causes;
  uint32_t n_causes;
  struct EventBuilder *own;
} EventList;

/* Everything is needed as long as the list. */
typedef struct {
  const DsModel *model;
  const Structure *structure;
  const char *class_name;
  const StoreCause *causes; /* by kind and number */
  uint32_t n_causes;
  double start, stop;
} EventSetup;

/* Constraints of another structure take errors of the integration out of states: that is no jump to
 * speak of. */
bool events_is_error(const EventChange *c);
/* "contact, not (x > 0)": a structure, of many conditions those that are others than in structure
 * `from`. Numbers; from: or 0. */
void events_mode_text(const EventList *list, uint32_t from, uint32_t to, Text *out);

const char *events_kind_text(EventKind kind);                    /* "state" */
const char *events_structure_kind_text(EventStructureKind kind); /* "projection" */
const char *events_cause_text(const EventCause *c, Arena *a);    /* "h <= 0  (0 <= 0)" */

EventList *events_new(const EventSetup *setup, Arena *a);
/* a RunRowFunction: all rows of a run with RunOptions.passes, in order */
bool events_row(void *list, const RunRow *row);
/* Rows from the points of a store: discrete values and relations; `whole`: also states and causes.
 * False after F002. */
typedef struct {
  bool whole;
  RunRowFunction *row; /* what it returns does not matter */
  void *user;
} EventRows;
bool events_rows(const EventRows *rows, Store *store, const DsModel *m, Arena *a, Diags *diags);
/* All points of a store of the model; memory for the reading from `a`. False after F002. */
bool events_read(EventList *list, Store *store, const DsModel *m, Arena *a, Diags *diags);

/* A table. Lines of passes that only confirm are left out, long lists of changes are cut. */
void events_text(const EventList *list, Text *out);
void events_json(const EventList *list, Text *out); /* all of it, schema nusim.events/1 */
