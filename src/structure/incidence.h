#pragma once
/* structure/incidence.h -- which unknowns a row contains, and how. */
#include "structure/sorted.h"

typedef enum { OCCURS_LITERAL, OCCURS_PARAMETER, OCCURS_LINEAR, OCCURS_NONLINEAR } Occurrence;
typedef struct {
  uint32_t var;
  Occurrence how; /* linear with a literal / parameter / varying factor, or not linear */
} Incidence;
typedef struct {
  Incidence *at;
  uint32_t n;
} IncidenceRow;
typedef struct {
  const SSystem *sys;
  IncidenceRow *rows;
} IncidenceTable;
/* `unknown` per SVar. */
IncidenceTable table_build(const Structure *s, const SSystem *sys, const bool *unknown,
                           bool initial, Arena *a);
bool row_may_solve(const Structure *s, const SRow *row, uint32_t var);
/* Jointly linear in the marked SVars. */
bool lowered_linear(const Structure *s, ExprId e, const bool *marked, Arena *a);
bool lowered_free(const Structure *s, ExprId e, const bool *marked, Arena *a);
