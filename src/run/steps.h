#pragma once
/* run/steps.h -- the continuous phase: steps of the part at work. */
#include "run/rooms.h"

/* A good step of the part at work, and the place of the event in it */
RunStatus run_make_step(Part *p);
RunStatus run_pass_step(Part *p);           /* it is accepted */
RunStatus run_stop_step(Part *p, double t); /* it ends at t, inside of it */
double run_largest_step(const Part *p);
/* The time in which its solution moves by about one step; > 0 */
double run_pace(const Run *run, const Part *p);
int run_at(Part *p, double t, const double *x); /* derivatives of the part at work at (t, x) */
int run_rhs(void *user, double t, const double *x, double *dx);
