/* run/pause.c -- a run that stops for a while, in the middle of a step of its solver.
 * The step that was made stays as it is, so that where one stops decides nothing. The values at the present time come from the dense
 * output of the step; what the run goes on with is put aside meanwhile.
 * Keep: run_look, then run_look_away, leaves every number of the run as it was: starting points of iterations, counts that `auto`
 *       looks at, random generators. */
#include "run/run_impl.h"

#include <math.h>
#include <string.h>

void run_pause_allocate(Run *run) {
  run->look.block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  run->look.shown = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
  run->look.shown_time = NAN;
}

void run_note_row(Run *run) {
  if (run->d.time != run->pause)
    return;
  memcpy(run->look.shown, run->block, run->block_size);
  run->look.shown_time = run->d.time;
}

void run_look_room(Run *run, uint32_t n_random) {
  Look *l = &run->look;
  if (n_random > l->room_random) {
    l->random = NEW_ARRAY(run->a, RandomState, n_random);
    l->room_random = n_random;
  }
  l->n_random = n_random;
}

static void put_aside(Run *run) {
  Look *l = &run->look;
  memcpy(l->block, run->block, run->block_size);
  l->time = run->d.time;
  l->current = run->current;
  l->failed = run->failure.any;
  l->has_dense = run->stepper->has_dense;
  l->n_iterated = run->n_iterated;
  l->evaluations = run->stats.rhs_evaluations;
  l->slopes = run->stepper->stats.evaluations;
  run_look_room(run, run->n_random);
  if (run->n_random)
    memcpy(l->random, run->random, run->n_random * sizeof *run->random);
  l->on = true;
}

void run_look_away(Run *run) {
  Look *l = &run->look;
  if (!l->on)
    return;
  l->on = false;
  memcpy(run->block, l->block, run->block_size);
  run->d.time = l->time;
  run->current = l->current;
  run->failure.any = l->failed;
  run->stepper->has_dense = l->has_dense;
  while (run->n_iterated > l->n_iterated)
    run->is_iterated[run->iterated[--run->n_iterated]] = false;
  run->stats.rhs_evaluations = l->evaluations;
  run->stepper->stats.evaluations = l->slopes;
  run->n_random = l->n_random;
  if (l->n_random)
    memcpy(run->random, l->random, l->n_random * sizeof *run->random);
}

/* The part of the step at work up to the pause. */
static double part(const Run *run) {
  const Stepper *s = run->stepper;
  return run->phase.in_step && s->t1 > s->t ? (run->pause - s->t) / (s->t1 - s->t) : 0;
}

RunStatus run_look(Run *run) {
  Look *l = &run->look;
  put_aside(run);
  if (l->shown_time == run->pause) {
    memcpy(run->block, l->shown, run->block_size);
    run->d.time = run->pause;
    run->current = false;
    return RUN_OK;
  }
  stepper_dense(run->stepper, part(run), run->trial);
  if (run_values_at(run, run->pause, run->trial) == NUM_OK)
    return RUN_OK;
  run_tell_failure(run, D_R604, "the model cannot be evaluated");
  return RUN_FAILED;
}

RunStatus run_cut(Run *run) {
  Stepper *s = run->stepper;
  run_look_away(run);
  run->phase.open = false;
  if (!run->phase.in_step)
    return RUN_OK;
  double theta = part(run);
  if (run_delays_step(run, theta) != NUM_OK) {
    run_tell_failure(run, D_R604, "the model cannot be evaluated");
    return RUN_FAILED;
  }
  stepper_dense(s, theta, run->trial);
  memcpy(s->x, run->trial, (size_t)s->p.n * sizeof(double));
  s->t = s->t1 = run->pause;
  run->stats.steps++;
  run->phase.in_step = false;
  memset(run->fired, 0, (size_t)run->m->n_relations * sizeof *run->fired);
  return RUN_OK;
}
