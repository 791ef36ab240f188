#pragma once
/* run/workspace.h -- what belongs to the blocks of one structure: matrices, factors, cells; linear
 * systems (linear.c), what they leave open (open.c), relations that depend on what they switch
 * (mixed.c). */
#include "numeric/mixed.h"
#include "run/core.h"
#include "run/external.h"

typedef struct RunFactors RunFactors;
typedef struct RunOpen RunOpen;
typedef struct Motion Motion;
typedef struct RunJump RunJump;
typedef struct {
  RunJump *at;
  int n;
  double *values; /* what DsModel.jump gives */
  double *mean;   /* the same with the entries of E along the way of the jump */
  double *trial;
  size_t n_values;
  bool looked, curved; /* entries of E depend on the states */
} RunJumps;
enum { FACTORS_KEPT = 4 };

/* A change of structure exchanges it. */
struct Workspace {
  const DsModel *m;
  Workspace *next;       /* of all that the run has been in */
  bool initial;          /* it has equations for initial values */
  RunExternals external; /* the functions of its own table */
  double *cells;         /* DsData.work */

  /* Linear systems. FACTORS_KEPT per block of full ones, the last one used first; NULL: not yet */
  RunFactors **factors;
  DsFactors *held;          /* per block: d.factors */
  int *held_blocks, n_held; /* those that may have a known matrix */
  bool *is_listed;          /* per block: it is one of them */
  bool *is_owned;           /* per block: a part has it */
  int *loose, n_loose;      /* of held_blocks: those of no part, which may read any of them */
  /* Per block: of those whose matrix is given by its entries; NULL before the first use */
  SparseLu **sparse;
  int *pivot;
  RunOpen *open; /* systems that have many solutions */

  double *newton;      /* cells of newton_solve */
  double *lsq;         /* copy of a linear system, and cells of lsq_solve */
  MixedSearch *search; /* cells of the search for sides of relations */
  RunJumps jumps;
  Motion *motion; /* direction.c; NULL before the first use */
};

/* Relations of mixed systems at the last trial. Arrays: per relation. */
struct MixedTrials {
  bool *near;            /* its two sides were equal */
  double *a, *b;         /* these are the sides */
  unsigned char *values; /* on trial */
};

void run_allocate_blocks(Run *run); /* what belongs to the blocks of the model */

/* linear.c */
void run_linear_allocate(Run *run);
void run_linear_free(Run *run);
int run_linear(DsData *d, int block, int n, const int *places, double *a, double *b);
/* Discrete values or those before an event may have changed: no matrix is known any more */
void run_forget_matrices(Run *run, const Scope *sc);

/* open.c: systems that do not determine all of their unknowns. parts: per iterated unknown, how
 * much of it lies in the null space. */
void run_open_allocate(Run *run);
void run_open_closed(Run *run, int block);
void run_open_found(Run *run, int block, const double *parts);
/* At a solution; changes what p->f changes */
void run_open_newton(Run *run, int block, const NewtonProblem *p, double *z);
void run_open_tell(Run *run); /* of the values as they are */

/* mixed.c */
int run_mixed(DsData *d, int system, int (*f)(DsData *d));
