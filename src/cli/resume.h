#pragma once
/* cli/resume.h -- `run --resume FILE.nus` and `run --from FILE.nus@T`: what to go on from, and
 * where the result goes. */
#include "cli/options.h"
#include "cli/outputs.h"
#include "nusim.h"

typedef struct {
  char *path;     /* NULL: the run begins at its start */
  double at;      /* s; NaN: where it was interrupted */
  char *own_name; /* of the result, made here */
} Resume;

/* False after a message about the options. */
bool resume_choose(Resume *r, const Args *args);
/* The result has to be a store; without a name it is that of the run which goes on, or a new one
 * beside it. */
void resume_output(Resume *r, Outputs *outputs);
/* Other formats have the whole run, from its store. */
NuStatus resume_extract(NuSession *s, const Args *args, const Outputs *outputs);
void resume_free(Resume *r);
