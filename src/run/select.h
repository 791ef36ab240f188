#pragma once
/* run/select.h -- which variables are states, where constraints leave no choice that is good for
 * ever. */
#include "run/rooms.h"

void run_select_allocate(Run *run);
void run_select_first(Run *run); /* choices for the start, from start values */
/* Choices for the first values that were found, once the sizes of variables are known */
void run_select_found(Run *run);
/* By the present values; true: states became others, their values are set */
bool run_select(Run *run);
/* Variable of DsSelection.variables that the state is */
int run_select_chosen(const Run *run, int state);
