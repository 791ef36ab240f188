#pragma once
/* run/values.h -- values of a scope: copied and put back, at another time, before an event. */
#include "run/rooms.h"

/* part.c */
/* The values of the scope, into a copy of the block; and back */
void run_save(Run *run, const Scope *sc, unsigned char *to);
void run_unsave(Run *run, const Scope *sc, const unsigned char *from);
bool run_place(Run *run, Part *p, double t); /* its states at t; false: they were others */
/* All continuous variables of the scope, and of what it reads */
int run_values_at(Run *run, const Scope *sc, double t);

/* host.c */
void run_commit(Run *run, const Scope *sc); /* pre := present values */
bool run_all_finite(const double *v, int n);
bool run_compare(int op, double z); /* a op b for z = a - b */
