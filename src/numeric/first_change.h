#pragma once
/* numeric/first_change.h -- where in a step does a function z(theta) first change its side?
 * The function is given by what encloses it over any piece of the step, and by its values. It is on
 * its own side where z > 0. It changes where that ends, if it is armed: it was further away than
 * `band` before. One that is not armed becomes so where z > band; before that nothing is a change.
 */
#include "numeric/enclosure.h"

typedef struct {
  double band;  /* half the width of what cannot be told from 0 */
  double until; /* where the search ends */
  double width; /* pieces that are not longer are not divided */
  void *user;
  /* z over [from, to] */
  void (*enclose)(void *user, double from, double to, Enclosure *out);
} ChangeProblem;

typedef enum {
  CHANGE_NONE,   /* there is none */
  CHANGE_FOUND,  /* none before `from`, one between `from` and `to` */
  CHANGE_UNKNOWN /* the enclosure is infinite, or too wide for too many pieces */
} ChangeResult;

typedef struct {
  double from, to; /* begins at `from`: where the search goes on */
  bool armed;      /* there */
  int grazes;      /* pieces that come so near that a change cannot be told from none, and that were
                      taken for none */
} Change;

ChangeResult change_first(const ChangeProblem *p, Change *out);
