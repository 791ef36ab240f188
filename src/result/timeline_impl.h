#pragma once
/* result/timeline_impl.h -- tracks while they are made. */
#include "base/map.h"
#include "result/timeline.h"

/* Something that a track shows the value of. */
typedef enum { SOURCE_WHOLE, SOURCE_RELATION } SourceKind;
typedef struct {
  SourceKind kind;
  uint32_t place; /* WHOLE: in i; RELATION: its number */
  /* Relation that the motion may slide along or be in contact with, and that this is; -1: none */
  int surface;
  const char *text;                  /* "x > 0", "valve.open" */
  bool plain;                        /* the text is the name of a variable */
  const DsVariable *variable;        /* NULL: a condition or a relation */
  const struct Constants *constants; /* of an Integer, that name its values; NULL: none */
} TrackSource;

typedef enum {
  GROUP_STRUCTURE,
  GROUP_CONDITIONS,
  GROUP_PHASES,
  GROUP_VARIABLE,
  GROUP_RELATIONS
} GroupKind;

/* Values of the sources; a relation that is slid along or in contact has a value above 1. */
enum { VALUE_SLIDES = 2, VALUE_CONTACT = 3 };

typedef struct {
  GroupKind kind;
  const char *name;
  const char *component; /* "" for the model itself */
  const TrackSource *sources;
  uint32_t n;
  bool minor;
  bool counts;    /* an Integer that is set to what it was before, plus or minus something */
  long long *now; /* per source */
  double since;
  VEC(const long long *) keys; /* values that it has had */
  Map numbers;                 /* hash -> number of the key */
  VEC(TimeSpan) spans;
} Group;

typedef VEC(Group) Groups;

typedef struct {
  const DsModel *m;
  const Structure *s;
  const EventList *events;
  const Store *store; /* for values of constants */
  Arena *a;
} GroupSetup;

/* timeline_marks.c: marks and pulses from the events */
void timeline_marks(Timeline *t, Arena *a);

/* Where the last identifier of a name begins: behind the last dot that is not in quotes or
 * brackets. */
size_t name_last_part(const char *name);
void group_add(Groups *out, GroupKind kind, const TrackSource *sources, uint32_t n, Arena *a);

/* timeline_variables.c: those of Boolean, enumeration and Integer variables that are not conditions
 * of `out` */
void groups_of_variables(const GroupSetup *setup, Groups *out);
/* What a value of such a group is called. */
const char *variable_text(const GroupSetup *setup, const Group *g, long long value);
/* Is it more than a counter? */
bool variable_is_mode(const Group *g);

/* timeline_groups.c: the tracks that a model may have; `used`: per relation, it was slid along or
 * in contact. */
void groups_find(const GroupSetup *setup, const bool *used, Groups *out);
/* What a value of a group is called. */
const char *group_text(const GroupSetup *setup, const Group *g, const long long *key);
