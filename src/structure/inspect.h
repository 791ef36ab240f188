#pragma once
/* structure/inspect.h -- facts about a structure, as text for people or as JSON for programs. */
#include "base/source.h"
#include "structure/pattern.h"
#include "structure/sorted.h"

typedef struct {
  const Structure *s;
  const SourceMap *sources;
  const SPattern *pattern; /* of the state Jacobian; NULL: too large to be worked out */
  uint32_t colors;         /* of its columns: evaluations that a differenced Jacobian costs */
  bool all;                /* text: no list is cut */
  Arena *a;
} Inspect;

/* Counts, states and why they are, constraints, blocks, islands, parts. */
void inspect_structure_text(const Inspect *in, Text *out);
void inspect_structure_json(const Inspect *in, Text *out); /* an object */
/* What determines each initial value; the blocks of the initial system. */
void inspect_initial_text(const Inspect *in, Text *out);
void inspect_initial_json(const Inspect *in, Text *out);
/* What each mode makes of the model; modes are built for it, and what is wrong with one is told as
 * part of the text. */
void inspect_modes_text(const Inspect *in, Diags *diags, Text *out);
void inspect_modes_json(const Inspect *in, Diags *diags, Text *out);
/* The variables of the flat model. */
void inspect_variables_text(const Inspect *in, Text *out);
void inspect_variables_json(const Inspect *in, Text *out); /* an array */
