#pragma once
/* numeric/enclosure.h -- where does an expression lie while its operands move over a piece of a
 * step? A value over the piece is a polynomial, exactly, as long as sums, products of low degree
 * and functions of constants make it; else an interval that it never leaves, and one of its slope
 * (by theta, which goes from 0 to 1 over the piece). Unknown values have infinite intervals. */
#include "numeric/bernstein.h"

#include <stdbool.h>

typedef struct {
  double low, high;
} Interval;

typedef struct {
  int degree; /* of the polynomial; -1: there are intervals only */
  double c[BERNSTEIN_MOST + 1];
  Interval value, slope; /* degree -1 */
} Enclosure;

Enclosure enclosure_number(double value);
/* The intervals, also of a polynomial. */
Interval enclosure_value(const Enclosure *e);
Interval enclosure_slope(const Enclosure *e);
void enclosure_scale(const Enclosure *a, double by, Enclosure *out); /* out may be a */
bool enclosure_is_number(const Enclosure *e);

/* The operators. Those of three operands have functions of their own. */
typedef enum {
  ENCLOSE_NEG,
  ENCLOSE_ADD,
  ENCLOSE_SUB,
  ENCLOSE_MUL,
  ENCLOSE_DIV,
  ENCLOSE_POW,
  ENCLOSE_LT,
  ENCLOSE_LE,
  ENCLOSE_GT,
  ENCLOSE_GE,
  ENCLOSE_EQ,
  ENCLOSE_NE,
  ENCLOSE_NOT,
  ENCLOSE_AND,
  ENCLOSE_OR,
  ENCLOSE_ABS,
  ENCLOSE_SIGN,
  ENCLOSE_MIN,
  ENCLOSE_MAX,
  ENCLOSE_SQRT,
  ENCLOSE_SIN,
  ENCLOSE_COS,
  ENCLOSE_TAN,
  ENCLOSE_ASIN,
  ENCLOSE_ACOS,
  ENCLOSE_ATAN,
  ENCLOSE_ATAN2,
  ENCLOSE_SINH,
  ENCLOSE_COSH,
  ENCLOSE_TANH,
  ENCLOSE_EXP,
  ENCLOSE_LOG,
  ENCLOSE_LOG10
} EncloseOp;
/* b: not used by operators of one operand, may be NULL for them. out may be one of them. */
void enclosure_apply(EncloseOp op, const Enclosure *a, const Enclosure *b, Enclosure *out);
void enclosure_if(const Enclosure *condition, const Enclosure *a, const Enclosure *b,
                  Enclosure *out);
