#pragma once
/* run/guess.h -- where iterations of nonlinear systems begin: at the values of the last step that
 * counts, so that trial steps leave no trace. Last for the run. */
#include "run/rooms.h"

/* Arrays: per place in r. */
struct RunGuess {
  bool *is_iterated; /* Newton's method has been asked for it */
  int *owner;        /* number of the part that determines it; -1: none */
  double *value;     /* at the last step that counts, where a trial step begins */
};

/* host.c */
void run_keep_guess(Part *p); /* the present values are where the next trial step begins */
void run_take_guess(const Part *p);
