#pragma once
/* run/set.h -- values from outside: options of the run (options.c), variables that are set while it
 * stands still (set.c). */
#include "run/rooms.h"

/* A value for a variable, of its type. */
typedef struct RunValue {
  int variable;
  double r;
  long long i;
  const char *s;
} RunValue;

/* False after a diagnostic */
bool run_read_value(Run *run, int variable, const char *text, RunValue *out);
void run_store_value(Run *run, const RunValue *value);
bool run_read_options(Run *run);

/* set.c */
/* Parameters that were set, and that the initialisation may find otherwise: as they were set; then
 * what became of them. */
RunValue *run_guesses(Run *run, int *n);
void run_tell_guesses(Run *run, const RunValue *guesses, int n);
void run_tell_inputs(Run *run);        /* at the end: those of the model that have never been set */
RunStatus run_take_settings(Run *run); /* in an event, after its pre values are known */
