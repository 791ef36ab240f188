#pragma once
/* structure/keep.h -- what a run must record, so that everything else follows from it. */
#include "structure/sorted.h"

/* What a record of a run must hold of the continuous Real unknowns of a block, so that all of them
 * can be computed again to the last bit. Discrete variables, Integers and Strings are always
 * recorded. */
typedef enum {
  KEEP_NOTHING,
  KEEP_SINGULAR, /* the iterated ones, from when its full matrix was singular for the first time */
  KEEP_ITERATED, /* the iterated ones */
  KEEP_ALL       /* it must not be evaluated again, or depends on what is not recorded */
} SKeep;
/* Per block of the simulation; KEEP_NOTHING where events only count */
SKeep *structure_keep(const Structure *s, Arena *a);

/* A place in r that is recorded at every point. */
typedef struct {
  uint32_t place;
  uint32_t island;  /* NO_ISLAND: of none alone */
  const char *name; /* structure_name */
} SColumn;
typedef struct {
  uint32_t n_columns, n_changes;
  const SColumn *columns; /* the states, then the others by place */
  /* Places in r whose values jump if they change at all: discrete Reals, inputs; ascending */
  const uint32_t *changes;
} SRecord;
SRecord structure_recorded(const Structure *s, Arena *a);
/* The variable at a place in r; NO_SVAR if there is none. */
uint32_t structure_at_place(const Structure *s, uint32_t place);
/* Does a record hold the variable in any case, as a change? Does it never change? */
bool keep_is_change(const SVar *v);
bool keep_is_constant(const Structure *s, const SVar *v);
