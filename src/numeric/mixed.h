#pragma once
/* numeric/mixed.h -- switches that depend on the solution of the equations which they switch, and
 * the linear complementarity problems that many of these are. */
#include "base/memory.h"

#include <stdint.h>

/* ---- lemke.c ---- */

typedef enum {
  LEMKE_OK,
  /* The path leads to infinity: for many matrices, but not for all, there is no solution then */
  LEMKE_RAY,
  LEMKE_LOST /* more exchanges than rounding errors allow to believe in */
} LemkeResult;

/* z >= 0 with w = q + m z >= 0 and w'z = 0. m: n by n, row by row. basic: n, is z[k] in the last
 * basis? work: lemke_work(n) cells, names: n cells. `round` chooses the covering vector: 0 is all
 * ones, others differ at random. */
LemkeResult lemke_solve(const double *m, const double *q, int n, int round, double *z,
                        unsigned char *basic, double *work, int *names);
size_t lemke_work(int n);

/* ---- mixed.c ---- */

/* What the equations say for one combination of the switches. */
typedef struct {
  unsigned char *next; /* n: the values that the solution gives the switches */
  bool *near;          /* n: the switch is at its limit, where each value is right */
  /* n: how far inside the side `true` the solution is, negative on the other side; NaN: there
   * are no two sides */
  double *s;
  /* There is no solution; what least squares propose may show the way, but is not accepted */
  bool contradiction;
  bool singular; /* the solution is one of many */
  /* It could not be evaluated, and nothing of this is known (set by the search) */
  bool failed;
  /* Other discrete values followed the solution: it has to be computed again */
  bool moved;
  uint64_t others; /* a hash of these */
} MixedTrial;

typedef struct {
  int n;
  void *user;
  /* Solves for the values m. NUM_RETRY: this combination cannot be evaluated. */
  int (*solve)(void *user, const unsigned char *m, MixedTrial *t);
  bool (*stop)(void *user); /* asked now and then: shall a long search end? NULL: never */
  uint64_t most;            /* combinations that a search through all of them may try */
  bool rank;                /* of several solutions, one with no switch at its limit is preferred */
} MixedProblem;

typedef enum {
  MIXED_OK,
  MIXED_LIMIT,   /* solved, but for switches at their limit that say otherwise */
  MIXED_NONE,    /* all combinations contradict themselves */
  MIXED_STOPPED, /* no solution was found among those tried */
  MIXED_FATAL
} MixedEnd;

/* How far the search had to go. */
typedef enum {
  MIXED_LAST,
  MIXED_FIXED_POINT,
  MIXED_LEAST_INDEX,
  MIXED_LEMKE,
  MIXED_ALL,
  MIXED_STAGES
} MixedStage;

typedef struct MixedSearch MixedSearch;
MixedSearch *mixed_new(Arena *a, int n); /* for problems of up to n switches */
/* m: n, values to begin with; the result replaces them. The last combination solved is the result,
 * or where there is none the one with the fewest contradictions, whose trial is mixed_trial. */
MixedEnd mixed_solve(MixedSearch *se, const MixedProblem *p, unsigned char *m);
const MixedTrial *mixed_trial(const MixedSearch *se);
uint64_t mixed_solves(const MixedSearch *se);  /* of the last problem */
MixedStage mixed_stage(const MixedSearch *se); /* that found its solution */
