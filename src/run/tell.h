#pragma once
/* run/tell.h -- failures as diagnostics (tell.c). */
#include "run/rooms.h"

/* The run ends with the event at work */
void run_end_by_model(Run *run, const DsPlace *at, const char *text);
/* Tells why the model ends the run, if that has not been told; the text, and in *place where it
 * stands. NULL: there is nothing to tell */
const char *run_tell_ending(Run *run, const char **place);
void run_tell_absent(Run *run); /* at the beginning: variables that nothing gives a value */
void run_tell_contradiction(Run *run, int k); /* redundant initial condition k */
void run_tell_paths(Run *run);                /* initial values that homotopy() does not lead to */
/* Tells the last failure, or `otherwise` if there was none. */
Diag *run_tell_failure(Run *run, DiagCode otherwise, const char *text);
bool run_is_finite(const Run *run, const Scope *sc); /* the Reals of the scope */
/* The variables are finite; else it is told. */
RunStatus run_check_finite(Run *run, const Scope *sc);
/* The same for discrete Reals only, in the middle of an event */
RunStatus run_check_discrete(Run *run, const Scope *sc);

/* Adds what the solver knows: the states that limit its step, a message of a library. */
void run_tell_solver(Part *p, Diag *d);
