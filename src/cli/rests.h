#pragma once
/* cli/rests.h -- where the motion of a run stayed: contact, rest and sliding, in words and as
 * JSON. */
#include "nusim.h"

typedef struct {
  NuRest *at; /* texts and all belong to it */
  size_t n;
} Rests;

void rests_take(Rests *r, const NuRun *run);
void rests_text(const Rests *r); /* to stderr, a line each; many are cut */
void rests_json(const Rests *r); /* to stdout, an array */
void rests_free(Rests *r);
