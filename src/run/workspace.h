#pragma once
/* run/workspace.h -- what belongs to the blocks of one structure: matrices, factors, cells. Kept
 * until the run ends; another one is at work after each change of structure (mode.c). */
#include "numeric/mixed.h"
#include "numeric/numeric.h"
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

void run_allocate_blocks(Run *run); /* what belongs to the blocks of the model */
