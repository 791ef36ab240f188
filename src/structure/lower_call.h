#pragma once
/* structure/lower_call.h -- calls of functions: those that make events, those that are literals,
 * and those whose results are watched. */
#include "structure/build.h"

/* Functions with GenerateEvents = true */
bool lower_makes_events(const Lower *lo, const Expr *x);
ExprId lower_written_out(Lower *lo, const Expr *x, int mode);
/* A call, or a part of its result, whose arguments have become literals: what it is; NO_EXPR: not
 * known. */
ExprId lower_settled_call(Lower *lo, const Expr *x, const ExprId *args);
ExprId lower_settled_part(Lower *lo, const Expr *x, const ExprId *args);
/* Integers, Booleans and enumerations that vary between events: the same as a value that changes at
 * events. Else e itself. `shared`: by all that watch the same expression. */
ExprId lower_watched(Lower *lo, ExprId e, bool shared);
