#pragma once
/* numeric/tangent.h -- Jacobians from partial derivatives: the chain rule along assignments, the
 * implicit function theorem in blocks of simultaneous equations.
 * Nodes 0 .. nx - 1 are the states, nx is time; then come the unknowns of each step. Row i has the
 * entries start[i] .. start[i + 1]: its derivative by node nodes[q] is p[q]. See DsTangent in
 * dsblock.h, whose tables these are. */
#include "base/memory.h"
#include "numeric/jacobian.h"

typedef struct {
  int nx, n_nodes, n_steps, n_rows, n_entries;
  /* Three numbers each: n, n_iterated (0: an assignment), a number for the caller */
  const int *steps;
  const int *start, *nodes;
  const int *der; /* per state: node of its derivative, or -1 */
} TangentTable;

typedef struct Tangent Tangent;

/* xdot = f(t, x): blocks are solved. NULL: too large. */
Tangent *tangent_new(const TangentTable *t, Arena *a);
/* F(t, X, X') = 0: iterated unknowns are components of X, or derivatives of states. column: per
 * iterated unknown, in order of the steps, the component; is_der: it stands for the derivative of
 * that component. row: per residual, the row of F that it is. States whose derivative is no
 * iterated unknown have the row X'[j] - f[j]. n: components. */
typedef struct {
  int n;
  const int *column, *row;
  const bool *is_der;
} TangentImplicit;
Tangent *tangent_new_implicit(const TangentTable *t, const TangentImplicit *im, Arena *a);

/* Entries that may differ from 0, the diagonal among them. */
const Pattern *tangent_pattern(const Tangent *t);
double *tangent_entries(Tangent *t); /* p, to be filled by the caller */
/* From p to the values of the Jacobian in the order of the pattern: df/dx, or dF/dX + c dF/dX'.
 * False: a block is singular. */
bool tangent_evaluate(Tangent *t, double c, double *values);
/* df/dt of the last evaluation. */
void tangent_time(const Tangent *t, double *ft);
