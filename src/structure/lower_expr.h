#pragma once
/* structure/lower_expr.h -- expressions of the flat model in terms of SVars, for the files that
 * lower what contains them. */
#include "structure/build.h"

enum { LOWER_EVENTS = 0, LOWER_NO_EVENTS = 1 };
ExprId lower_expr(Lower *lo, ExprId e, int mode);
/* It reads iterators, or targets of the algorithm at work */
bool lower_is_internal(const Lower *lo, ExprId lowered);
/* a relation that makes events; operands are lowered */
ExprId lower_relation_var(Lower *lo, Op op, ExprId a, ExprId b);
/* A relation that is affine in time, and otherwise constant between events, happens at an instant
 * known beforehand. */
void find_instant(Lower *lo, SRelation *r);
Diag *lower_refuse(Lower *lo, const char *what); /* X001 at the equation at work */
/* The SVar that was added for a key, an expression or more, so that equal ones share it */
bool lower_known(const Lower *lo, uint64_t key, uint64_t *var);
void lower_note(Lower *lo, uint64_t key, uint32_t var);
/* lower_quiet.c: of an equation, lowered: steps under noEvent can be monitored */
ExprId lower_quiet(Lower *lo, ExprId e);
