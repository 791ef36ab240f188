/* numeric/jet.c -- Taylor arithmetic of degree two (Griewank and Walther, Evaluating Derivatives,
 * chapter 13).
 * Keep: sizes are those of the same formulas with absolute values. */
#include "numeric/jet.h"

#include <math.h>

Jet jet_of(double v, double d, double dd) { return (Jet){v, d, dd, fabs(d), fabs(dd)}; }

static bool stands(const Jet *a) { return a->d_size == 0 && a->dd_size == 0; }

static Jet unknown(double v) { return (Jet){v, NAN, NAN, NAN, NAN}; }

/* p a + q b, |p| = |q| = 1 */
static Jet sum(const Jet *a, const Jet *b, double q) {
  return (Jet){a->v + q * b->v, a->d + q * b->d, a->dd + q * b->dd, a->d_size + b->d_size,
               a->dd_size + b->dd_size};
}

static Jet product(const Jet *a, const Jet *b) {
  double p = fabs(a->v), q = fabs(b->v);
  return (Jet){a->v * b->v, a->d * b->v + a->v * b->d,
               a->dd * b->v + 2 * a->d * b->d + a->v * b->dd, a->d_size * q + p * b->d_size,
               a->dd_size * q + 2 * a->d_size * b->d_size + p * b->dd_size};
}

/* f(a), with f' and f'' there. */
static Jet chain(const Jet *a, double f, double f1, double f2) {
  if (stands(a))
    return jet_number(f);
  double p = fabs(f1), q = fabs(f2);
  return (Jet){f, f1 * a->d, f1 * a->dd + f2 * a->d * a->d, p * a->d_size,
               p * a->dd_size + q * a->d_size * a->d_size};
}

static Jet inverse(const Jet *a) {
  double f = 1 / a->v;
  return chain(a, f, -f * f, 2 * f * f * f);
}

static Jet logarithm(const Jet *a, double base) {
  return chain(a, log(a->v) / base, 1 / a->v / base, -1 / (a->v * a->v) / base);
}

/* Exponents 0, 1 and 2 leave no power of 0 that does not exist. */
static double power_term(double factor, double v, double exponent) {
  return factor == 0 ? 0 : factor * pow(v, exponent);
}

static Jet power(const Jet *a, const Jet *b) {
  double n = b->v;
  if (stands(b))
    return chain(a, pow(a->v, n), power_term(n, a->v, n - 1), power_term(n * (n - 1), a->v, n - 2));
  Jet log_a = logarithm(a, 1), exponent = product(b, &log_a);
  double f = pow(a->v, n);
  return chain(&exponent, f, f, f);
}

static Jet angle(const Jet *y, const Jet *x) {
  double r2 = x->v * x->v + y->v * y->v, turn = x->v * y->d - y->v * x->d,
         size = fabs(x->v) * y->d_size + fabs(y->v) * x->d_size,
         r2_d = 2 * (x->v * x->d + y->v * y->d);
  return (Jet){atan2(y->v, x->v), turn / r2,
               (x->v * y->dd - y->v * x->dd) / r2 - turn * r2_d / (r2 * r2), size / r2,
               (fabs(x->v) * y->dd_size + fabs(y->v) * x->dd_size) / r2 +
                   size * 2 * (fabs(x->v) * x->d_size + fabs(y->v) * y->d_size) / (r2 * r2)};
}

/* A value that jumps where two others meet. */
static Jet compared(const Jet *a, const Jet *b, bool value) {
  bool certain = a->v != b->v || (stands(a) && stands(b));
  return certain ? jet_number(value) : unknown(value);
}

/* The lesser one of two, or the greater one. */
static Jet selected(const Jet *a, const Jet *b, bool greater) {
  bool same = a->v == b->v && a->d == b->d && a->dd == b->dd;
  if (a->v == b->v && !same)
    return unknown(a->v);
  return (a->v > b->v) == greater ? *a : *b;
}

static Jet absolute(const Jet *a) {
  if (a->v == 0 && !stands(a))
    return unknown(0);
  return chain(a, fabs(a->v), a->v < 0 ? -1 : 1, 0);
}

static Jet tangent(const Jet *a) {
  double f = tan(a->v), f1 = 1 + f * f;
  return chain(a, f, f1, 2 * f * f1);
}

static Jet hyperbolic_tangent(const Jet *a) {
  double f = tanh(a->v), f1 = 1 - f * f;
  return chain(a, f, f1, -2 * f * f1);
}

static Jet arc_sine(const Jet *a, double sign, double f) {
  double w = 1 - a->v * a->v;
  return chain(a, f, sign / sqrt(w), sign * a->v / (w * sqrt(w)));
}

static Jet arc_tangent(const Jet *a) {
  double w = 1 / (1 + a->v * a->v);
  return chain(a, atan(a->v), w, -2 * a->v * w * w);
}

static Jet root(const Jet *a) {
  double f = sqrt(a->v);
  return chain(a, f, 0.5 / f, -0.25 / (f * a->v));
}

static Jet divided(const Jet *a, const Jet *b) {
  Jet i = inverse(b);
  return product(a, &i);
}

/* Operators of truth values, which are 0 or 1 and stand, or are unknown. */
static Jet logical(EncloseOp op, const Jet *a, const Jet *b) {
  bool p = a->v != 0, q = b && b->v != 0,
       value = op == ENCLOSE_NOT   ? !p
               : op == ENCLOSE_AND ? p && q
                                   : p || q;
  bool certain = stands(a) && (op == ENCLOSE_NOT || stands(b));
  return certain ? jet_number(value) : unknown(value);
}

Jet jet_apply(EncloseOp op, const Jet *a, const Jet *b) {
  double v = a->v;
  switch (op) {
  case ENCLOSE_NEG: return chain(a, -v, -1, 0);
  case ENCLOSE_ADD: return sum(a, b, 1);
  case ENCLOSE_SUB: return sum(a, b, -1);
  case ENCLOSE_MUL: return product(a, b);
  case ENCLOSE_DIV: return divided(a, b);
  case ENCLOSE_POW: return power(a, b);
  case ENCLOSE_LT: return compared(a, b, v < b->v);
  case ENCLOSE_LE: return compared(a, b, v <= b->v);
  case ENCLOSE_GT: return compared(a, b, v > b->v);
  case ENCLOSE_GE: return compared(a, b, v >= b->v);
  case ENCLOSE_EQ: return compared(a, b, v == b->v);
  case ENCLOSE_NE: return compared(a, b, v != b->v);
  case ENCLOSE_NOT:
  case ENCLOSE_AND:
  case ENCLOSE_OR: return logical(op, a, b);
  case ENCLOSE_ABS: return absolute(a);
  case ENCLOSE_SIGN: return v != 0 || stands(a) ? jet_number((v > 0) - (v < 0)) : unknown(0);
  case ENCLOSE_MIN: return selected(a, b, false);
  case ENCLOSE_MAX: return selected(a, b, true);
  case ENCLOSE_SQRT: return root(a);
  case ENCLOSE_SIN: return chain(a, sin(v), cos(v), -sin(v));
  case ENCLOSE_COS: return chain(a, cos(v), -sin(v), -cos(v));
  case ENCLOSE_TAN: return tangent(a);
  case ENCLOSE_ASIN: return arc_sine(a, 1, asin(v));
  case ENCLOSE_ACOS: return arc_sine(a, -1, acos(v));
  case ENCLOSE_ATAN: return arc_tangent(a);
  case ENCLOSE_ATAN2: return angle(a, b);
  case ENCLOSE_SINH: return chain(a, sinh(v), cosh(v), sinh(v));
  case ENCLOSE_COSH: return chain(a, cosh(v), sinh(v), cosh(v));
  case ENCLOSE_TANH: return hyperbolic_tangent(a);
  case ENCLOSE_EXP: return chain(a, exp(v), exp(v), exp(v));
  case ENCLOSE_LOG: return logarithm(a, 1);
  case ENCLOSE_LOG10: return logarithm(a, log(10));
  }
  return unknown(NAN);
}

Jet jet_if(const Jet *condition, const Jet *a, const Jet *b) {
  if (!stands(condition))
    return unknown(condition->v != 0 ? a->v : b->v);
  return condition->v != 0 ? *a : *b;
}
