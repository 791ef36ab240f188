#pragma once
/* run/side.h -- the side of a relation: where it is between events, and how that changes.
 *
 *   position     leads to     when
 *   AWAY         AWAY         it crosses and is outside of its band after the event
 *                ON_BAND      it crosses, or an event leaves it on its band
 *   ON_BAND      AWAY         a step, or an event, leaves it outside of its band
 *                TURNED       its direction sets its side while it is on the band
 *   TURNED       AWAY         as ON_BAND
 *                ON_BAND      it fires without having left its band: an excursion
 *                STUCK        the same, RunTolerances.micro times in a row
 *   STUCK        ON_BAND      contact begins; else it is left alone, and the run ends (R609) when a
 *                             step leads out of its band
 *
 *   path         leads to     when
 *   FREE         SLIDING      it switches a field only, and both fields lead back to it
 *                CONTACT      the events that it makes accumulate
 *   SLIDING      FREE         a weight of its surface reaches 0 or 1, or a jump leads off it
 *   CONTACT      FREE         its force reaches 0, or its jumps would not be made any more
 *
 * A relation fires when it changes while AWAY, and on its band only when it leaves that on the
 * other side. On the paths SLIDING and CONTACT weights or forces stand in place of its two sides,
 * and have a position themselves.
 *
 * Keep: side.c alone writes RelationState; snapshot.c puts it back. */
#include "run/rooms.h"
#include "run/tolerances.h"

typedef enum {
  SIDE_ON_BAND, /* it has not left its band since its last change */
  SIDE_TURNED,  /* the same, and its direction has set its side */
  SIDE_STUCK,   /* it only makes excursions inside of its band */
  SIDE_AWAY     /* it has been outside of its band since its last change */
} SidePosition;

/* A relation that begins to matter in an event begins with the value of its sides. On its band,
 * where equations change with the mode, it begins false, so that the guard of a mode that has just
 * been entered does not lead out of it at once; but for >= and <= that move to where they are
 * true. */
typedef enum {
  BEGIN_BEFORE,  /* it mattered when the event began */
  BEGIN_NOT_YET, /* it does not matter, and is outside of its band */
  BEGIN_WAITS,   /* it does not matter, and is on its band */
  BEGIN_HERE     /* it has begun to matter, on its band, in this event */
} SideBegin;

typedef enum { PATH_FREE, PATH_SLIDING, PATH_CONTACT } SidePath;

/* Memory of one relation. */
typedef struct {
  SidePosition position;
  SidePath path;
  bool inside;    /* it was seen away in the middle of the step at work */
  int excursions; /* in a row that stayed inside the band */
  bool begins;    /* it stands under noEvent, and makes events from the next one on */
  /* of the instant at work */
  bool flipped;    /* its side was set by its direction */
  uint32_t jumps;  /* Instant.jumps when it was */
  int turns;       /* how often it was, to another value */
  bool crossed;    /* it fired */
  bool resting;    /* on its band when the event began, and not crossing it there */
  SideBegin begin; /* did it matter when the event began? */
  bool returns;    /* it has changed, and moves back at once */
  bool side;       /* its value when the event began, as far as it did not make it */
  double entry;    /* a - b when the event began */
  double surface;  /* of a path: a - b when the event began; NAN: it began in it */
  /* of its last events */
  double times[3], earlier[2]; /* when they were; and those before */
  /* Half widths of its band: how far a - b has been from 0 since the last one, as far as steps
   * and events show */
  double reach;
  double excursion;    /* the same between the last two */
  int narrow;          /* those before which it went nowhere, in a row */
  double narrow_since; /* when the first of these was */
  /* Half the largest width of its band so far: a mode that begins anew does not make excursions
   * wider */
  double width;
} RelationState;

static inline bool side_is_away(const RelationState *rs) {
  return rs->position == SIDE_AWAY || rs->inside;
}
static inline bool side_is_stuck(const RelationState *rs) { return rs->position == SIDE_STUCK; }

/* The run begins. */
void side_start(Run *run, int k);

/* ---- in a step ---- */
void side_seen_away(RelationState *rs, bool away); /* in the middle of it */
void side_forget_inside(RelationState *rs);        /* the step is made anew */
/* Its end is outside of the band; false: it must not be, on its own side */
bool side_leaves(Run *run, int k, double away);
void side_note_reach(Run *run, int k, double away);

/* ---- in an event ---- */
void side_enter(Run *run, int k);                 /* where it is as the event, or a pass, begins */
void side_set_entry(RelationState *rs, double z); /* where it is as a path ends */
void side_rests(RelationState *rs, bool rests);
void side_matters(RelationState *rs);
void side_idle(Run *run, int k,
               double z);          /* it does not matter; the value that it would begin with */
void side_begins(Run *run, int k); /* to matter, with the value that it has */
void side_crosses(RelationState *rs, bool fired, double t); /* fired: it takes its other side */
bool side_is_narrow(RelationState *rs, double t); /* it fires again without having gone anywhere */
void side_returns(RelationState *rs, bool returns);
/* Takes this value by its direction; it departs if it was resting. */
void side_turn(Run *run, int k, bool value);
void side_settled(Run *run, int k);           /* the event is over: where it is now */
void side_unflip(RelationState *rs);          /* directions of the start do not count as turns */
void side_begin_later(RelationState *rs);     /* relations under noEvent */
void side_watch(Run *run, int k, bool known); /* from now on: it takes the value that it has */

/* ---- paths ---- */
void side_follow(RelationState *rs, SidePath path); /* FREE: it leaves the path */
void side_set_surface(RelationState *rs, double z);
