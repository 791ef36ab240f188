#pragma once
/* numeric/descriptor.h -- what a linear descriptor system  E x' + A x + b(t) = 0  determines: its
 * index, the dimension of its dynamic part, the unknowns that are algebraic; or why it determines
 * nothing.
 *
 * E and A are the derivatives of the residuals of a block by x' and by x; b is the rest of the
 * residuals. E may be singular. The system is brought to the form
 *
 *     Q'(R E C)Z = [E1 E12; 0 E2],   Q'(R A C)Z = [A1 A12; 0 A2]
 *
 * with diagonal R and C (powers of 2), orthogonal Z, regular Q, A1 and E2 upper triangular and
 * regular, E1 strictly upper triangular by blocks. The first part belongs to the infinite
 * eigenvalues (algebraic unknowns and constraints), the second is the dynamic part: Z2'C^-1 x is
 * what is continuous when the system starts from any value (jump.h).
 *
 * A Descriptor is not changed once made; threads may share it. */
#include "base/memory.h"

typedef struct {
  double rank; /* 1: singular values below this part of the largest are zero */
  /* 1: a rank is doubtful if (largest value dropped)/(smallest kept) is above this */
  double doubt;
  const double *size; /* n: what the unknowns are expected to be like; NULL: found from E and A */
} DescriptorOptions;
extern const DescriptorOptions descriptor_defaults;

typedef enum {
  DESCRIPTOR_OK,
  /* Fewer equations than unknowns; the equations do not contradict each other */
  DESCRIPTOR_UNDER,
  DESCRIPTOR_OVER, /* more equations than unknowns; the unknowns would be determined */
  /* Some equations depend on each other for every E x' + A x, and some unknowns are free */
  DESCRIPTOR_SINGULAR,
  DESCRIPTOR_NOT_FINITE /* E or A holds an infinite value or none, or they span hundreds of orders
                           of magnitude */
} DescriptorEnd;

/* The least certain of the decisions about ranks. */
typedef struct {
  /* 1: 0 is certain; above options.doubt the result must not be trusted without a warning */
  double measure;
  /* 1: singular values on both sides of the decision, relative to the largest; 0: there is none */
  double kept, dropped;
  int step; /* in which step of the separation, from 0; -1: no decision was needed */
  /* That the doubtful direction touches most; -1: it is an equation that nearly depends on
   * others */
  int unknown;
} RankDoubt;

typedef struct {
  DescriptorEnd end;
  int m, n; /* equations, unknowns */
  /* 0: E is regular; 1: E x' + A x has algebraic unknowns; 2 and more: hidden constraints */
  int index;
  int dynamic; /* dimension of the dynamic part: number of states */
  int *step;   /* index + 1, [k]: unknowns separated before step k; step[index] = n - dynamic */
  RankDoubt doubt;
  bool doubtful;      /* doubt.measure > options.doubt */
  bool *differential; /* n: its column of E is not zero, so that its value before a jump matters */

  /* Only if end is UNDER, OVER or SINGULAR, in ascending order: */
  int free_unknowns, *free_unknown; /* unknowns that nothing determines */
  /* Equations that depend on each other (they contradict or repeat each other) */
  int bound_equations, *bound_equation;
  /* Combinations of equations in which neither x' nor x is left: 0 = y'b */
  int silents;
  double *silent; /* silents * m: y, one after the other */

  /* Only if end is OK; n by n, column after column. */
  double *e, *a;        /* Q'(R E C)Z and Q'(R A C)Z */
  double *qt, *z;       /* Q' and Z */
  double *row, *column; /* n: R and C */
} Descriptor;

/* e, a: m by n, row by row. The result is in the arena. options: NULL for the defaults. */
Descriptor *descriptor_new(Arena *arena, int m, int n, const double *e, const double *a,
                           const DescriptorOptions *options);

/* Only if end is UNDER, OVER or SINGULAR: do equations contradict each other for this b (m), in a
 * combination without x' and x? False: they repeat each other, or it takes derivatives of b to
 * tell. */
bool descriptor_contradicts(const Descriptor *d, const double *b);
