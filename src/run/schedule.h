#pragma once
/* run/schedule.h -- which part goes on next. The queue lasts for the run. */
#include "run/rooms.h"

/* Parts as a heap: the one that goes on next stands first. */
struct Queue {
  int *heap; /* parts */
  int *at;   /* per part: where it stands there */
};

void run_schedule_make(Run *run);
RunStatus run_go_on(Run *run);               /* until run->stage.pause */
RunStatus run_begin_all(Run *run, double t); /* solvers, from the present values */
/* An event that may change anything; every step ends there */
RunStatus run_happen_to_all(Run *run, double t);
