#pragma once
/* run/evaluation.h -- one evaluation: what it is about, what it may do, and what it has met.
 * evaluate.h begins it; those who ask for trials set what is allowed, and put it back. */
#include "run/rooms.h"

typedef struct {
  const Scope *scope; /* what it is about */
  /* The last one was that of the derivatives of this scope, and succeeded; NULL: it was another */
  const Scope *current;
  /* what it may do */
  bool rescue;   /* no smaller step can be tried: nonlinear systems are solved at any cost */
  bool in_mixed; /* trial values of relations: a contradiction is no failure */
  bool ahead;    /* the equations are asked a moment ahead: that is no pass */
  /* what it has met */
  bool many;          /* a linear system had many solutions since this was cleared */
  bool met_singular;  /* a linear system had many solutions in the trial at work */
  bool contradiction; /* a linear system had no solution in the trial at work */
  struct {
    unsigned char *block; /* a copy from when a derivative was last not finite */
    double time;          /* when that was; NaN: never */
    const Part *part;     /* whose it was */
  } bad;
} RunEvaluation;
