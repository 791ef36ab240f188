#pragma once
/* run/failure.h -- what went wrong while the model was evaluated, kept until it is told. */
#include "base/diag.h"
#include "base/limits.h"
#include "dsblock.h"

#include <stdbool.h>

/* A relation that the solution for its value contradicts. */
typedef struct {
  int relation;
  bool held;   /* the value */
  double a, b; /* its two sides in the solution */
} RelationFlip;

/* What went wrong last while evaluating; told only if it persists. */
typedef struct {
  bool any;
  DiagCode code;
  DsPlace place;
  int block;       /* -1: none */
  int worst;       /* equation of the block with the largest residual; -1: unknown */
  double residual; /* of that equation */
  /* Of the first unknowns of a nonlinear block */
  double start[SHOWN_UNKNOWNS], last[SHOWN_UNKNOWNS], size[SHOWN_UNKNOWNS];
  RelationFlip flips[SHOWN_FLIPS]; /* of a mixed system without a solution */
  int n_flips;
  char text[400];
} Failure;

/* host.c: the text is cut */
void run_note(Failure *f, DiagCode code, const DsPlace *place, const char *text);
