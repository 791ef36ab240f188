#pragma once
/* structure/lower_section.h -- lowering of what is more than one equation: when-clauses and
 * algorithm sections. */
#include "flat/flat.h"
#include "structure/build.h"

/* lower_when.c */
typedef struct {
  ExprId active; /* an edge of one of the branch's conditions, and no earlier branch active */
  bool initial;  /* the branch holds during initialisation (its condition names initial()) */
} WhenBranch;
/* Reads the conditions of one branch; `before`: some earlier branch is active (NO_EXPR at first),
 * updated. */
WhenBranch when_branch(Lower *lo, ExprId condition, ExprId *before);
void lower_when(Lower *lo, const FlatEquation *eq);

/* lower_algorithm.c */
void lower_algorithm(Lower *lo, const FlatEquation *eq, bool initial_section);

/* assigned.c: per target, does the algorithm need its value from before? */
bool *algorithm_carried(const Structure *s, const SAlgorithm *alg, Stmt *const *statements,
                        Arena *a);
/* May some path assign the variable? */
bool statements_assign(const ExprPool *p, Stmt *const *statements, uint32_t n, uint32_t var);
