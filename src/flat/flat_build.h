#pragma once
/* flat/flat_build.h -- small helpers to make a FlatModel (used by flattening and by tests). */
#include "flat/flat.h"

FlatModel *flat_new(Arena *a, ExprPool *pool, const char *name);
/* Adds a variable with defaults (Real, continuous, SELECT_DEFAULT, no attributes) and returns its
 * number. */
uint32_t flat_add_var(FlatModel *m, Arena *a, const char *name, TypeId type);
FlatEquation *flat_equation(Arena *a, FlatEquationKind kind, Span span); /* not yet in any list */
ExprId flat_var_expr(FlatModel *m, uint32_t var);
