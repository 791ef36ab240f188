#pragma once
/* tests/bench/pair.h -- hybrid systems as one programs them by hand: what measurements compare
 * NuSim with.
 * A problem is an ordinary differential equation of at most PAIR_MOST states with a few functions
 * that end a phase when they become negative, and the time of the next event that is known
 * beforehand. */
#include <stdbool.h>

enum { PAIR_MOST = 100 };

typedef struct {
  int n, n_roots; /* each at most PAIR_MOST */
  double rtol, atol, stop;
  int rows; /* points of the output grid behind the start; no step is longer than their distance */
  void (*slope)(void *user, double t, const double *x, double *dx);
  /* a phase ends where one becomes negative */
  void (*roots)(void *user, double t, const double *x, double *g);
  /* g: roots just behind it, NULL: its time had come */
  void (*event)(void *user, double t, double *x, const double *g);
  /* Time of the next event of that kind */
  double (*next)(void *user);
  void *user;
} PairProblem;

typedef struct {
  long steps, evaluations, events, rows;
  double x[PAIR_MOST];
  double sum; /* of all rows, so that they are needed */
} PairResult;

/* The explicit pair 5(4) of Dormand and Prince with its dense output; roots by regula falsi on
 * it. */
void pair_solve(const PairProblem *p, const double *start, PairResult *out);
/* The same by CVODE (BDF, full Jacobian by differences) with its own root finding. False if it
 * fails. */
bool pair_cvode(const PairProblem *p, const double *start, PairResult *out);
