/* run/follow.c -- relations on their band take the side that they move to, when the passes of an
 * event have settled: no step of 1e-15 is needed to find out.
 * How:  their ways come from exact derivatives of the motion (direction.c), or from a trial step
 *       (probe.c). Those that switch a field only, and would go back as soon as they have changed,
 *       are slid upon (slide.c). Those of mixed systems change all together. */
#include "run/direction.h"
#include "run/core.h"
#include "run/instant.h"
#include "run/relations.h"
#include "run/slide.h"
#include "run/values.h"

#include <math.h>

/* Where relations are, and the sides that they keep as long as no jump moves them. */
void run_remember_entry(Instant *in) {
  Run *run = in->run;
  EACH_RELATION (in->scope, k)
    side_enter(run, k);
}

bool run_on_band(const Run *run, int k) {
  return !run->m->relations[k].timed && fabs(run->rel->za[k] - run->rel->zb[k]) <= run_band(run, k);
}

/* Others that compare the same sides later in this instant go the same way: x <= b - 1 after x > b
 * has made b grow by 1. */
static void note_turn(Run *run, int k, bool side) {
  RunTurn turn = {run->rel->side_a[k], run->rel->side_b[k],
                  run_compare(run->m->relations[k].op, 1) == side ? 1 : -1};
  vec_push(run->a, &run->instant->turns, turn);
}

/* Relation k, on its band, takes this side. It does so once, so that this ends, and again when
 * states have jumped since: a body that this made bounce moves the other way. */
bool run_take_side(Run *run, int k, bool side) {
  const RelationState *rs = &run->rel->state[k];
  bool again = rs->flipped && rs->jumps == run->instant->jumps;
  if (side_is_stuck(rs) || again || side == (run->d.relation[k] != 0))
    return false;
  note_turn(run, k, side);
  side_turn(run, k, side);
  return true;
}

bool run_may_slide(const Run *run, int k) {
  return !run->m->relations[k].mixed && run_slide_may(run, k);
}

/* ---- following ---- */

/* Relations that switch a field only, and would go back: does the motion slide along them? */
static bool find_sliding(Instant *in, bool *changed) {
  Run *run = in->run;
  bool any = false;
  EACH_RELATION (in->scope, k) {
    Way way = run_way(run, k);
    bool back = (way == WAY_UP || way == WAY_DOWN) &&
                run_compare(run->m->relations[k].op, way) != (run->d.relation[k] != 0) &&
                run_slide_may(run, k);
    side_returns(&run->rel->state[k], back);
    any = any || back;
  }
  return any && run_slide_decide(run, in->scope, changed);
}

/* Relations of mixed systems that are on their band: do they stay on their sides? */
static bool mixed_stay(Instant *in) {
  const Run *run = in->run;
  bool stay = !run->eval.many;
  EACH_RELATION (in->scope, k) {
    if (!run->m->relations[k].mixed || !run_on_band(run, k))
      continue;
    Way way = run_way(run, k);
    bool turns = way != WAY_NONE &&
                 run_compare(run->m->relations[k].op, way) != (run->d.relation[k] != 0);
    stay = stay && way != WAY_UNKNOWN && !turns;
  }
  return stay;
}

/* Those whose way nobody knows yet. */
static bool some_unknown(const Instant *in) {
  const Run *run = in->run;
  EACH_RELATION (in->scope, k)
    if (run_way(run, k) == WAY_UNKNOWN && (!run->m->relations[k].mixed || run_slide_may(run, k)))
      return true;
  return false;
}

/* The side that relation k, on its band, takes now. One that has just begun to matter and stays for
 * good has the value of its sides. */
static bool side_to_take(const Run *run, int k) {
  int op = run->m->relations[k].op;
  Way way = run_way(run, k);
  bool stays = run->rel->state[k].begin == BEGIN_HERE && run_direction_stands(run, k) &&
               run_on_band(run, k);
  if (stays && way == WAY_NONE)
    return run_compare(op, run->rel->za[k] - run->rel->zb[k]);
  bool moves = (way == WAY_UP || way == WAY_DOWN) && !run->m->relations[k].mixed;
  return moves ? run_compare(op, way) : run->d.relation[k] != 0;
}

/* Sets relations on their band to the side that they move to; true if one changed. *again: the
 * motion has become another one. */
static bool follow_once(Instant *in, int *status, bool *again) {
  Run *run = in->run;
  bool any = false, mixed = false, near = false;
  *again = false;
  if (run_slide_seen(run, in->scope) &&
      ((*status = run_slide_refresh(run, in->scope, &any)) != NUM_OK || any))
    return any;
  if ((*status = run_indicators(run, in->scope, run->rel->z_lo)) != NUM_OK)
    return false;
  run_remember_entry(in);
  EACH_RELATION (in->scope, k)
    if (run_on_band(run, k))
      near = true, mixed = mixed || run->m->relations[k].mixed;
  /* where there are many solutions now there may be none a moment later */
  if (!near && !run->eval.many)
    return false;
  run_save(run, in->scope, run->cells.spare); /* also for trace.c */
  run_directions(in, run->rel->z_lo);
  if ((mixed || run->eval.many) && !mixed_stay(in) && run_probe_mixed(in))
    return true;
  /* a point that cannot be evaluated says nothing about directions */
  if (some_unknown(in) && !run_probe_ways(in))
    return false;
  if (run->own.slide && find_sliding(in, &any)) {
    *status = run_slide_refused(run) ? NUM_FATAL : NUM_OK;
    *again = *status == NUM_OK;
    return any && *again;
  }
  EACH_RELATION (in->scope, k)
    any = run_take_side(run, k, side_to_take(run, k)) || any;
  return any;
}

bool run_follow(Instant *in, int *status) {
  bool any = false;
  for (bool again = true; again && !any;)
    any = follow_once(in, status, &again);
  return any;
}
