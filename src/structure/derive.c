/* structure/derive.c -- time derivatives of lowered expressions, calls of functions included.
 * Keep: NO_EXPR when a function has no usable derivative; the caller says which equation it was. */
#include "structure/structure_impl.h"

ExprId lowered_derivative(Lower *lo, ExprId e, ExprId (*der_of)(void *user, ExprId var), void *user,
                          const char **why) {
  return expr_diff_total(lo->p, e, der_of, user, why);
}
