#pragma once
/* run/bounds.h -- declared min and max, before and during the run. */
#include "run/rooms.h"

/* solved: also those that the initialisation finds */
RunStatus run_bounds_parameters(Run *run, bool solved);
RunStatus run_bounds_starts(Run *run); /* the values are those to start with */
void run_bounds_begin(Run *run);       /* which variables are looked at from now on */
RunStatus run_bounds_row(Run *run);    /* the present values are accepted */
RunStatus run_bounds_step(Part *p);    /* states at the end of the step of the part at work */
void run_bounds_end(Run *run);         /* those that were not told one by one */
Span run_declared_at(const Run *run, int variable);
/* "7 is more than its max = 1"; and between which values it lies, if both are known */
const char *run_bound_text(Run *run, int variable, double x, double low, double high);
void run_bound_note(Run *run, Diag *d, int variable, double low, double high);
