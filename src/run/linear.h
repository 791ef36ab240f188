#pragma once
/* run/linear.h -- linear systems of the present structure (linear.c), and what they leave open
 * (open.c). */
#include "numeric/numeric.h"
#include "run/rooms.h"

/* linear.c */
void run_linear_allocate(Run *run);
void run_linear_free(Run *run);
int run_linear(DsData *d, int block, int n, const int *places, double *a, double *b);
/* DsHost.rounding */
double run_rounding(DsData *d, int block, int j, int n, const double *terms, double by_row);
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
