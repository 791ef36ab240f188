#pragma once
/* numeric/jump_impl.h -- a descriptor system without what is plainly algebraic in it
 * (jump_cut.c). */
#include "numeric/jump.h"

typedef struct {
  int at; /* an equation or an unknown */
  double factor;
} JumpCutTerm;

/* A system without the equations and unknowns that are plainly algebraic. */
typedef struct {
  int n, rest;            /* unknowns of the whole, and of what is left */
  int *rows, *columns;    /* rest: equations and unknowns that are left, ascending */
  double *e, *a;          /* rest * rest, row by row */
  int cuts;               /* the others, in order: */
  int *row, *column;      /* equation, and the unknown that it determines */
  double *pivot;          /* its factor there */
  int *down_end, *up_end; /* ends of their lists: */
  /* Equations from which it is subtracted so many times; other unknowns in it, in units of the
   * pivot */
  JumpCutTerm *down, *up;
} JumpCut;

/* e, a: n by n, row by row. NULL: nothing can be cut, or equations nearly depend on each other: see
 * jump_prepare for the whole. */
JumpCut *jump_cut(Arena *arena, int n, const double *e, const double *a);
/* b (n) of the whole becomes that of what is left, at `rows`. */
void jump_cut_down(const JumpCut *c, double *b);
/* The unknowns that were cut, from the others in x (n). b: as jump_cut_down leaves it; NULL: areas,
 * where b has no part. */
void jump_cut_up(const JumpCut *c, const double *b, double *x);
