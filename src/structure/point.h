#pragma once
/* structure/point.h -- numbers at translation: what an expression is with the parameters, or at a
 * point that nobody would think of. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/eval.h"
#include "structure/build.h"

/* point 0: of parameters alone; else what varies has numbers, too, others at each point. */
typedef struct {
  Lower *lo;
  Eval ev;
  Map known;       /* SVar, or call expression << 32 -> number in `kept` + 1; 0: no value */
  VEC(Value) kept; /* of parameters */
  uint32_t point;  /* below 64 */
  bool any;        /* parameters vary, too: what holds at a point holds whatever they are */
} PointEval;
PointEval *point_new(Lower *lo);
bool point_value(PointEval *pe, ExprId e, Value *out);
bool point_real(PointEval *pe, ExprId e, double *out); /* finite */
