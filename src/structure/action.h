#pragma once
/* structure/action.h -- what is no equation: actions of when-clauses, asserts, calls, and initial
 * equations that are only checked. */
#include "base/source.h"
#include "expr/expr.h"

typedef enum { ACTION_REINIT, ACTION_ASSERT, ACTION_TERMINATE, ACTION_CALL } SActionKind;

/* What happens beside equations. `guard` NO_EXPR: always. In `checks`: asserts and calls outside of
 * when; in `actions`: in when, and calls among the initial equations. */
typedef struct {
  SActionKind kind;
  ExprId guard;
  uint32_t state; /* REINIT */
  ExprId value;   /* REINIT: new value; ASSERT: condition; CALL: the call */
  ExprId message, level;
  Span span;
} SAction;

/* An initial equation for which nothing was left to determine. */
typedef struct {
  ExprId lhs, rhs;
  const char *others; /* fixed states that it competes with; "" if unknown */
  Span span;
} SRedundant;
