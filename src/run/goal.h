#pragma once
/* run/goal.h -- what the run was asked for (options.c), and how far it has come (run.c). Both last
 * for the run. */
#include "numeric/stepper.h"

#include <stdbool.h>
#include <stdint.h>

/* What the run was asked for: does not change after run_new. */
typedef struct {
  double start, stop, interval; /* s; interval: of the output grid */
  double rtol;
  uint32_t intervals;       /* of the output grid */
  const StepperKind *asked; /* method; NULL: auto */
  double fixed;             /* s; step size asked for; 0: the output interval */
} RunGoal;

/* How far the run has come. */
typedef struct {
  bool begun;    /* run_begin was called */
  bool underway; /* the initialisation is over */
  bool terminated;
  double pause; /* until then the run goes */
} RunStage;
