#pragma once
/* run/host.h -- what a model may ask of the runtime (DsHost); values before and after a step. */
#include "run/core.h"

extern const DsHost run_host;
int run_evaluate_partials(Run *run, double *p); /* DsTangent.evaluate */
bool run_compare(int op, double z);             /* a op b for z = a - b */
bool run_all_finite(const double *v, int n);
void run_note(Failure *f, DiagCode code, const DsPlace *place, const char *text);
void run_commit(Run *run, const Scope *sc); /* pre := present values */
void run_keep_guess(Part *p); /* the present values are where the next trial step begins */
void run_take_guess(const Part *p);
