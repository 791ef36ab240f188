#pragma once
/* cli/ideal.h -- `run --ideal`: elements made ideal, and the time constants that go with it. */
#include "cli/report.h"

typedef struct {
  NuLevel *levels; /* those that were chosen */
  size_t n;
  const char **overrides; /* of the target, with those that make them ideal */
  bool known;             /* both models could be linearised at the start */
  double *dropped;        /* s, ascending: time constants that the model has without --ideal only */
  size_t n_dropped;
} Ideal;

/* Finds the elements that the names mean; the target of `w` has them ideal from now on. */
NuStatus ideal_choose(Ideal *i, Work *w, const Args *args);
/* Compares the model with what it was without. */
void ideal_compare(Ideal *i, Work *w, const NuProgram *program, const NuRunOptions *options);
void ideal_text(const Ideal *i);
void ideal_json(const Ideal *i); /* a member, with a comma before it */
void ideal_free(Ideal *i, Work *w);
