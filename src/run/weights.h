#pragma once
/* run/weights.h -- absolute tolerances of the states for the error control of the steps. */
#include "base/tape.h"
#include "run/rooms.h"

void run_weights_allocate(Run *run);
void run_weights_begin(Run *run); /* the states have their initial values */
void run_weights_step(Part *p);   /* the part at work has accepted a step */
/* State k has become another variable, run->atol[k] is what its declaration asks for. */
void run_weights_select(Run *run, int k);
const double *run_weights(const Run *run); /* per state: changes as the run goes on */
const double *run_small(const Run *run);   /* per state: below this it is nearly 0 */
/* The array that the weights live in from now on; its first entries become theirs. */
void run_weights_move(Run *run, double *to);
void run_weights_keep(Run *run, Tape *t);
