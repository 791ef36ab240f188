/* run/look.c -- a run that stops for a while, in the middle of a step of its solver.
 * The step that was made stays as it is, so that where one stops decides nothing. The values at the
 * present time come from the dense output of the step; what the run goes on with is put aside
 * meanwhile.
 * Keep: run_look, then run_look_away, leaves every number of the run as it was: starting points of
 *       iterations, counts that `auto` looks at, random generators. */
#include "run/look.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/guess.h"
#include "run/memory.h"
#include "run/part.h"
#include "run/tell.h"
#include "run/values.h"

#include <math.h>
#include <string.h>

void run_pause_allocate(Run *run) {
  run->look->block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  run->look->shown = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  run->look->shown_time = NAN;
}

void run_note_row(Run *run) {
  /* a row at the time of the pause has all values already: no evaluation could give better ones */
  if (run->d.time != run->stage.pause)
    return;
  memcpy(run->look->shown, run->block, run->block_size);
  run->look->shown_time = run->d.time;
}

void run_look_room(Run *run, uint32_t n_random) {
  Look *l = run->look;
  /* room only grows; what is kept lies below n_random */
  if (n_random > l->room_random) {
    l->random = NEW_ARRAY(run->a, RandomState, n_random);
    l->room_random = n_random;
  }
  l->n_random = n_random;
}

void run_look_aside(Run *run) {
  Look *l = run->look;
  memcpy(l->block, run->block, run->block_size);
  l->time = run->d.time;
  /* whether values are computed, and what was counted, is part of how the run goes on */
  l->current = run->eval.current;
  l->failed = run->failure.any;
  l->evaluations = run->stats.rhs_evaluations;
  for (int k = 0; k < run->n_parts; k++) {
    Part *p = &run->parts[k];
    p->aside.n_iterated = p->n_iterated;
    p->aside.slide = p->slide;
    p->aside.contact = p->contact;
    if (p->stepper) {
      p->aside.has_dense = p->stepper->has_dense;
      p->aside.evaluations = p->stepper->stats.evaluations;
    }
  }
  /* generators that the look makes, or moves, are forgotten with it */
  run_look_room(run, run->memory->n_random);
  if (run->memory->n_random)
    memcpy(l->random, run->memory->random, run->memory->n_random * sizeof *run->memory->random);
  l->on = true;
}

void run_look_away(Run *run) {
  Look *l = run->look;
  if (!l->on)
    return;
  l->on = false;
  memcpy(run->block, l->block, run->block_size);
  run->d.time = l->time;
  run->eval.current = l->current;
  run->failure.any = l->failed;
  run->stats.rhs_evaluations = l->evaluations;
  for (int k = 0; k < run->n_parts; k++) {
    Part *p = &run->parts[k];
    p->slide = p->aside.slide;
    p->contact = p->aside.contact;
    /* places that became iterated during the look are so no more */
    while (p->n_iterated > p->aside.n_iterated)
      run->guess->is_iterated[p->iterated[--p->n_iterated]] = false;
    if (p->stepper) {
      p->stepper->has_dense = p->aside.has_dense;
      p->stepper->stats.evaluations = p->aside.evaluations;
    }
  }
  /* forces on the slopes follow from the contacts */
  run_contact_push(run);
  run->memory->n_random = l->n_random;
  if (l->n_random)
    memcpy(run->memory->random, l->random, l->n_random * sizeof *run->memory->random);
}

RunStatus run_look(Run *run) {
  Look *l = run->look;
  run_look_aside(run);
  if (l->shown_time == run->stage.pause) {
    memcpy(run->block, l->shown, run->block_size);
    run->d.time = run->stage.pause;
    run->eval.current = NULL;
    return RUN_OK;
  }
  if (run_values_at(run, run->whole, run->stage.pause) == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R604, "the model cannot be evaluated");
  return RUN_FAILED;
}
