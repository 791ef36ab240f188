#pragma once
/* structure/lower_special.h -- expressions and operators whose lowering has a file of its own; all
 * of them are met by lower_expr.c. */
#include "structure/build.h"

/* settled.c: the literal value of a variable that cannot change any more; NO_EXPR if it has
 * none. */
ExprId settled_value(Lower *lo, uint32_t v);

/* lower_delay.c */
ExprId lower_delay(Lower *lo, const Expr *x, const ExprId *args);

/* lower_spatial.c */
ExprId lower_spatial(Lower *lo, const Expr *x, const ExprId *args);

/* homotopy.c */
ExprId lower_homotopy(Lower *lo, ExprId actual, ExprId simplified);

/* pulse.c: the SVar of impulse(var) */
uint32_t svar_impulse(Lower *lo, uint32_t var);
