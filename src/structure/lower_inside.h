#pragma once
/* structure/lower_inside.h -- values that an algorithm computes on its way, in terms of variables
 * that it does not assign. */
#include "base/map.h"
#include "base/vec.h"
#include "structure/build.h"

/* What the statements so far have made of the targets of the algorithm at work. */
typedef struct Inside {
  const uint32_t *targets; /* SVars */
  uint32_t n;              /* 0: nothing has to be followed */
  ExprId *value;  /* per flat variable: in terms of variables from outside; NO_EXPR: not known */
  bool initially; /* the body as it stands during initialisation: comparisons are literal */
  bool asked;     /* since lowered expressions were last forgotten */
  /* Conditions of when-statements that read targets belong to the algorithm: it computes them where
   * they stand. */
  VEC(uint32_t) own;   /* SVars, in order of writing */
  uint32_t next_own;   /* of those, the first that this pass has not met */
  VEC(Stmt *) pending; /* assignments to them in front of the statement at work */
  Map meanings;        /* of `own`, in terms of variables from outside, where it is known */
} Inside;

bool inside_needed(const Lower *lo, Stmt *const *body, uint32_t n);
void inside_begin(Lower *lo, Inside *in, bool initially);
void inside_assign(Lower *lo, uint32_t var, ExprId value);
void inside_forget(Lower *lo, Stmt *const *body, uint32_t n); /* what a loop assigns */
ExprId *inside_copy(Lower *lo);                               /* the values of all targets */
void inside_put(Lower *lo, const ExprId *values);
/* After an if: of each branch the condition (NO_EXPR: else) and the values that it leaves. */
void inside_join(Lower *lo, const ExprId *before, const StmtBranch *branches, ExprId *const *after,
                 uint32_t n);
ExprId inside_expr(Lower *lo, ExprId e); /* NO_EXPR: not known */
/* An SVar that the algorithm sets to it at this place */
uint32_t inside_condition(Lower *lo, ExprId condition);
