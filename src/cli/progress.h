#pragma once
/* cli/progress.h -- a line on the terminal that tells how far a run is. */
#include "nusim.h"

typedef struct {
  bool enabled;        /* stderr is a terminal, and the user wants to hear something */
  bool shown;          /* there is a line to be erased */
  double begun, drawn; /* s of the clock */
} Progress;

/* A progress function of NuRunOptions; `user`: a Progress. */
void progress_tick(void *user, const NuRun *run);
/* Starts the clock. */
void progress_begin(Progress *p);
/* Erases the line. */
void progress_end(Progress *p);
/* s; for differences. */
double progress_clock(void);
