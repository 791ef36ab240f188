/* run/side.c -- the side of a relation (side.h): the writer of its memory.
 * Others say what they have seen, or decided; what follows from it for the relation stands here. */
#include "run/side.h"
#include "run/core.h"
#include "run/direction.h"
#include "run/instant.h"
#include "run/relations.h"
#include "run/tolerances.h"
#include "run/values.h"

#include <math.h>

void side_start(Run *run, int k) {
  RelationState *rs = &run->rel->state[k];
  side_enter(run, k);
  rs->times[0] = rs->times[1] = rs->times[2] = rs->earlier[0] = rs->earlier[1] = run->goal.start;
}

/* ---- in a step ---- */

void side_seen_away(RelationState *rs, bool away) {
  if (rs->position != SIDE_AWAY)
    rs->inside = away;
}

void side_forget_inside(RelationState *rs) { rs->inside = false; }

void side_note_reach(Run *run, int k, double away) {
  RelationState *rs = &run->rel->state[k];
  /* a band that has been wide stays the measure: what is narrow against it was never far */
  rs->width = fmax(rs->width, run_band(run, k));
  rs->reach = fmax(rs->reach, away / rs->width);
}

bool side_leaves(Run *run, int k, double away) {
  RelationState *rs = &run->rel->state[k];
  side_note_reach(run, k, away);
  /* it stays stuck: an event has to free it */
  if (side_is_stuck(rs))
    return false;
  rs->position = SIDE_AWAY;
  rs->excursions = 0;
  return true;
}

/* ---- in an event ---- */

void side_enter(Run *run, int k) {
  RelationState *rs = &run->rel->state[k];
  /* of a timed relation the side is a matter of time only */
  if (!run->m->relations[k].timed)
    rs->entry = run->rel->za[k] - run->rel->zb[k];
  rs->side = run->d.relation[k] != 0;
}

void side_set_entry(RelationState *rs, double z) { rs->entry = z; }
void side_rests(RelationState *rs, bool rests) { rs->resting = rests; }

void side_matters(RelationState *rs) { rs->begin = BEGIN_BEFORE; }

void side_idle(Run *run, int k, double z) {
  RelationState *rs = &run->rel->state[k];
  /* without conditions nothing waits, and away from its band nothing has to */
  bool waits = run->m->n_conditions && fabs(z) <= run_band(run, k) && run_may_move(run, k);
  rs->begin = waits ? BEGIN_WAITS : BEGIN_NOT_YET;
  if (!isnan(z))
    run->d.relation[k] = waits ? false : run_compare(run->m->relations[k].op, z);
}

void side_begins(Run *run, int k) {
  side_enter(run, k);
  run->rel->state[k].begin = BEGIN_HERE;
}

void side_returns(RelationState *rs, bool returns) { rs->returns = returns; }
void side_unflip(RelationState *rs) { rs->flipped = false; }

/* It makes an event now. */
static void note_event(RelationState *rs, double t) {
  rs->earlier[0] = rs->earlier[1];
  rs->earlier[1] = rs->times[0];
  rs->times[0] = rs->times[1];
  rs->times[1] = rs->times[2];
  rs->times[2] = t;
  rs->excursion = rs->reach;
  rs->reach = 0;
}

/* One that only makes excursions inside its band is left alone in future. */
void side_crosses(RelationState *rs, bool fired, double t) {
  rs->crossed = fired;
  rs->turns = 0;
  if (!fired)
    return;
  /* it has fired although it never left its band */
  bool excursion = rs->position == SIDE_TURNED && !rs->inside;
  rs->excursions = excursion ? rs->excursions + 1 : 0;
  if (rs->position == SIDE_TURNED)
    rs->position = rs->excursions < run_tolerances.micro ? SIDE_ON_BAND : SIDE_STUCK;
  note_event(rs, t);
}

bool side_is_narrow(RelationState *rs, double t) {
  bool here = rs->reach < run_tolerances.narrow;
  rs->narrow_since = here && rs->narrow ? rs->narrow_since : t;
  rs->narrow = here ? rs->narrow + 1 : 0;
  return here;
}

void side_turn(Run *run, int k, bool value) {
  RelationState *rs = &run->rel->state[k];
  bool turns = value != (run->d.relation[k] != 0);
  /* departing: it stood on its band, and turns because of what has happened */
  run->instant->departed = run->instant->departed || (rs->resting && turns);
  run->d.relation[k] = rs->side = value;
  rs->flipped = true;
  rs->jumps = run->instant->jumps;
  rs->turns += turns;
  /* there and back: a body that others made bounce has bounced */
  if (rs->turns == 2 && !rs->crossed)
    note_event(rs, run->d.time);
}

void side_settled(Run *run, int k) {
  RelationState *rs = &run->rel->state[k];
  double gap = fabs(run->rel->za[k] - run->rel->zb[k]);
  bool away = gap > run_band(run, k);
  /* one that begins to matter in this event, or that it moved, need not be seen there again: one
   * step may lead to its crossing */
  if (away && isfinite(gap))
    side_note_reach(run, k, gap);
  bool turned = rs->position == SIDE_TURNED || rs->flipped;
  /* what is stuck stays so, whatever an event makes of it */
  if (!side_is_stuck(rs))
    rs->position = away ? SIDE_AWAY : turned ? SIDE_TURNED : SIDE_ON_BAND;
  rs->inside = rs->flipped = false;
}

void side_begin_later(RelationState *rs) { rs->begins = true; }

void side_watch(Run *run, int k, bool known) {
  RelationState *rs = &run->rel->state[k];
  rs->begins = false;
  if (known)
    run->d.relation[k] = rs->side = run_compare(run->m->relations[k].op,
                                                run->rel->za[k] - run->rel->zb[k]);
}

/* ---- paths ---- */

void side_follow(RelationState *rs, SidePath path) {
  rs->path = path;
  if (path == PATH_FREE)
    return;
  /* the path begins in this event */
  rs->surface = NAN;
  if (path == PATH_SLIDING) {
    rs->flipped = true;
    return;
  }
  rs->excursions = 0;
  /* contact is what a stuck relation was waiting for */
  rs->position = side_is_stuck(rs) ? SIDE_ON_BAND : rs->position;
}

void side_set_surface(RelationState *rs, double z) { rs->surface = z; }
