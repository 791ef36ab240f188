#pragma once
/* structure/match.h -- which row determines which unknown. */
#include "base/vec.h"
#include "structure/incidence.h"
#include "structure/sorted.h"

typedef struct {
  uint32_t row, next; /* next place in its incidence to try */
} MatchStep;
typedef struct {
  uint32_t *row_of; /* per SVar: row that determines it; NO_ROW */
  uint32_t *var_of; /* per row */
  /* Per SVar: == now if the search at work, or one in vain since now changed, met it */
  uint32_t *stamp, now;
  VEC(uint32_t) met;   /* SVars that the search at work has met */
  uint64_t work;       /* SVars that successful searches have met */
  bool hasty;          /* they stay met */
  VEC(MatchStep) path; /* rows of the search at work */
  VEC(uint32_t) vars;  /* vars.at[k]: taken from path row k towards row k + 1 */
} Matching;
Matching matching_new(const Structure *s, uint32_t n_rows, Arena *a);
/* Tries to match row r along an augmenting path; `allowed` per SVar; `limit`: the least good
 * occurrence that may be used. */
bool match_row(const Structure *s, const IncidenceTable *t, Matching *m, uint32_t r,
               const bool *allowed, Occurrence limit, Arena *a);
/* The same for all rows of the list that have none yet, in this order; returns how many stay
 * without. */
typedef VEC(uint32_t) MatchRows;
uint32_t match_rows(const Structure *s, const IncidenceTable *t, Matching *m, const MatchRows *rows,
                    const bool *allowed, Occurrence limit, Arena *a);
/* Marks rows and unknowns reachable from unmatched rows (over) or unknowns (under) along
 * alternating paths. */
void match_over(const Structure *s, const IncidenceTable *t, const Matching *m, bool *rows,
                Arena *a);
void match_under(const Structure *s, const IncidenceTable *t, const Matching *m,
                 const bool *unknown, bool *vars, Arena *a);
