/* numeric/enclosure.c -- arithmetic of values over a piece of a step: polynomials as long as that
 * is exact, then intervals of value and slope.
 * From: Moore, Kearfott and Cloud, Introduction to Interval Analysis, 2009, chapters 2 and 6.
 * Keep: intervals are not rounded outwards: what they decide is coarser by orders of magnitude than
 *       rounding (the band of a relation). What is not a number becomes the infinite interval. */
#include "numeric/enclosure.h"

#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;

/* ---- intervals ---- */

static Interval make(double low, double high) {
  return isnan(low) || isnan(high) ? (Interval){-INFINITY, INFINITY} : (Interval){low, high};
}

static Interval all(void) { return (Interval){-INFINITY, INFINITY}; }
static Interval plus(Interval a, Interval b) { return make(a.low + b.low, a.high + b.high); }
static Interval minus(Interval a, Interval b) { return make(a.low - b.high, a.high - b.low); }
static Interval negated(Interval a) { return (Interval){-a.high, -a.low}; }
static Interval hull(Interval a, Interval b) {
  return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

/* 0 times infinity is 0 here: one of them is a factor that vanishes. */
static double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static Interval times(Interval a, Interval b) {
  double p = product(a.low, b.low), q = product(a.low, b.high);
  double r = product(a.high, b.low), s = product(a.high, b.high);
  return make(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static Interval inverse(Interval a) {
  return a.low > 0 || a.high < 0 ? make(1 / a.high, 1 / a.low) : all();
}

static Interval absolute(Interval a) {
  if (a.low >= 0)
    return a;
  return a.high <= 0 ? negated(a) : (Interval){0, fmax(-a.low, a.high)};
}

/* f is monotone. */
static Interval rising(double (*f)(double), Interval a) { return make(f(a.low), f(a.high)); }
static Interval falling(double (*f)(double), Interval a) { return make(f(a.high), f(a.low)); }

/* Is there a whole k with low <= at + k*period <= high? */
static bool meets(Interval a, double at, double period) {
  return floor((a.high - at) / period) >= ceil((a.low - at) / period);
}

static Interval wave(double (*f)(double), Interval a, double top) {
  if (!(a.high - a.low < 2 * pi))
    return (Interval){-1, 1};
  double p = f(a.low), q = f(a.high);
  bool up = meets(a, top, 2 * pi), down = meets(a, top + pi, 2 * pi);
  return make(down ? -1 : fmin(p, q), up ? 1 : fmax(p, q));
}

static Interval sines(Interval a) { return wave(sin, a, pi / 2); }
static Interval cosines(Interval a) { return wave(cos, a, 0); }

/* ---- enclosures ---- */

Enclosure enclosure_number(double value) { return (Enclosure){.degree = 0, .c = {value}}; }

bool enclosure_is_number(const Enclosure *e) { return e->degree == 0; }

Interval enclosure_value(const Enclosure *e) {
  if (e->degree < 0)
    return e->value;
  Interval out;
  bernstein_range(e->c, e->degree, &out.low, &out.high);
  return make(out.low, out.high);
}

Interval enclosure_slope(const Enclosure *e) {
  if (e->degree < 0)
    return e->slope;
  Interval out;
  bernstein_slopes(e->c, e->degree, &out.low, &out.high);
  return make(out.low, out.high);
}

static void set(Enclosure *out, Interval value, Interval slope) {
  out->degree = -1;
  out->value = value;
  out->slope = slope;
}

/* A function that jumps. */
static void set_jumping(Enclosure *out, Interval value) {
  if (value.low == value.high)
    *out = enclosure_number(value.low);
  else
    set(out, value, all());
}

/* f(a) with f' in `factor` */
static void chain(const Enclosure *a, Interval value, Interval factor, Enclosure *out) {
  set(out, value, times(factor, enclosure_slope(a)));
}

/* ---- sums and products ---- */

/* out := a + sign b, polynomials. */
static void add_polynomials(const Enclosure *a, const Enclosure *b, double sign, Enclosure *out) {
  Enclosure elevated;
  if (b->degree == 0) {
    double number = sign * b->c[0];
    out->degree = a->degree;
    for (int k = 0; k <= a->degree; k++)
      out->c[k] = a->c[k] + number;
    return;
  }
  if (a->degree != b->degree) {
    const Enclosure *low = a->degree < b->degree ? a : b;
    int degree = low == a ? b->degree : a->degree;
    elevated = *low;
    bernstein_elevate(elevated.c, low->degree, degree - low->degree);
    elevated.degree = degree;
    *(low == a ? &a : &b) = &elevated;
  }
  out->degree = a->degree;
  for (int k = 0; k <= a->degree; k++)
    out->c[k] = a->c[k] + sign * b->c[k];
}

static void add(const Enclosure *a, const Enclosure *b, double sign, Enclosure *out) {
  if (a->degree >= 0 && b->degree >= 0) {
    add_polynomials(a, b, sign, out);
    return;
  }
  Interval va = enclosure_value(a), vb = enclosure_value(b), sa = enclosure_slope(a),
           sb = enclosure_slope(b);
  set(out, sign > 0 ? plus(va, vb) : minus(va, vb), sign > 0 ? plus(sa, sb) : minus(sa, sb));
}

void enclosure_scale(const Enclosure *a, double by, Enclosure *out) {
  Interval one = {by, by};
  if (a->degree < 0) {
    set(out, times(one, a->value), times(one, a->slope));
    return;
  }
  out->degree = a->degree;
  for (int k = 0; k <= a->degree; k++)
    out->c[k] = by * a->c[k];
}

static void multiply(const Enclosure *a, const Enclosure *b, Enclosure *out) {
  if (enclosure_is_number(a) || enclosure_is_number(b)) {
    bool first = enclosure_is_number(a);
    enclosure_scale(first ? b : a, first ? a->c[0] : b->c[0], out);
    return;
  }
  if (a->degree > 0 && b->degree > 0 && a->degree + b->degree <= BERNSTEIN_MOST) {
    Enclosure both = {.degree = a->degree + b->degree};
    bernstein_multiply(a->c, a->degree, b->c, b->degree, both.c);
    *out = both;
    return;
  }
  Interval va = enclosure_value(a), vb = enclosure_value(b);
  Interval slope = plus(times(enclosure_slope(a), vb), times(va, enclosure_slope(b)));
  set(out, times(va, vb), slope);
}

/* 1/a */
static void invert(const Enclosure *a, Enclosure *out) {
  Interval v = inverse(enclosure_value(a));
  chain(a, v, negated(times(v, v)), out);
}

static void divide(const Enclosure *a, const Enclosure *b, Enclosure *out) {
  Enclosure over;
  if (enclosure_is_number(b) && b->c[0] != 0) {
    /* each coefficient is divided: its inverse would be rounded once more */
    Enclosure quotient = *a;
    for (int k = 0; k <= a->degree; k++)
      quotient.c[k] = a->c[k] / b->c[0];
    if (a->degree < 0)
      enclosure_scale(a, 1 / b->c[0], &quotient);
    *out = quotient;
    return;
  }
  invert(b, &over);
  multiply(a, &over, out);
}

/* ---- powers ---- */

static Interval powers(Interval a, double n) {
  double p = pow(a.low, n), q = pow(a.high, n);
  bool whole = n == floor(n), even = whole && fmod(n, 2) == 0;
  if (a.low < 0 && !whole)
    return all();
  if (n < 0 && a.low <= 0 && a.high >= 0)
    return all();
  if (even && a.low < 0 && a.high > 0)
    return make(0, fmax(p, q));
  return make(fmin(p, q), fmax(p, q));
}

/* a^n with a whole n that polynomials can do */
static bool multiply_out(const Enclosure *a, double n, Enclosure *out) {
  if (a->degree < 1 || n != floor(n) || n < 1 || n * a->degree > BERNSTEIN_MOST)
    return false;
  Enclosure product_ = *a;
  for (int k = 1; k < (int)n; k++)
    multiply(&product_, a, &product_);
  *out = product_;
  return true;
}

static void power(const Enclosure *a, const Enclosure *b, Enclosure *out) {
  Interval va = enclosure_value(a);
  if (enclosure_is_number(a) && enclosure_is_number(b)) {
    *out = enclosure_number(pow(a->c[0], b->c[0]));
    return;
  }
  if (!enclosure_is_number(b)) {
    /* exp(b log a) */
    Enclosure exponent;
    enclosure_apply(ENCLOSE_LOG, a, NULL, &exponent);
    multiply(b, &exponent, &exponent);
    enclosure_apply(ENCLOSE_EXP, &exponent, NULL, out);
    return;
  }
  double n = b->c[0];
  if (multiply_out(a, n, out))
    return;
  Interval factor = times((Interval){n, n}, powers(va, n - 1));
  chain(a, powers(va, n), factor, out);
}

/* ---- relations and logic: 1 and 0 ---- */

static Interval compare(EncloseOp op, const Enclosure *a, const Enclosure *b) {
  static const Interval no = {0, 0}, yes = {1, 1}, maybe = {0, 1};
  Enclosure difference;
  add(a, b, -1, &difference);
  Interval z = enclosure_value(&difference);
  bool point = z.low == z.high;
  switch (op) {
  case ENCLOSE_LT: return z.high < 0 ? yes : z.low >= 0 ? no : maybe;
  case ENCLOSE_LE: return z.high <= 0 ? yes : z.low > 0 ? no : maybe;
  case ENCLOSE_GT: return z.low > 0 ? yes : z.high <= 0 ? no : maybe;
  case ENCLOSE_GE: return z.low >= 0 ? yes : z.high < 0 ? no : maybe;
  case ENCLOSE_EQ: return point && z.low == 0 ? yes : z.low > 0 || z.high < 0 ? no : maybe;
  default: return point && z.low == 0 ? no : z.low > 0 || z.high < 0 ? yes : maybe;
  }
}

static Interval logic(EncloseOp op, Interval a, Interval b) {
  if (op == ENCLOSE_AND)
    return (Interval){fmin(a.low, b.low), fmin(a.high, b.high)};
  return (Interval){fmax(a.low, b.low), fmax(a.high, b.high)};
}

void enclosure_if(const Enclosure *condition, const Enclosure *a, const Enclosure *b,
                  Enclosure *out) {
  if (enclosure_is_number(condition)) {
    *out = condition->c[0] != 0 ? *a : *b;
    return;
  }
  set_jumping(out, hull(enclosure_value(a), enclosure_value(b)));
}

/* ---- functions ---- */

static void least(const Enclosure *a, const Enclosure *b, Enclosure *out) {
  Interval va = enclosure_value(a), vb = enclosure_value(b);
  if (va.high <= vb.low || vb.high <= va.low) {
    *out = va.high <= vb.low ? *a : *b;
    return;
  }
  Interval value = {fmin(va.low, vb.low), fmin(va.high, vb.high)};
  set(out, value, hull(enclosure_slope(a), enclosure_slope(b)));
}

static void largest(const Enclosure *a, const Enclosure *b, Enclosure *out) {
  Enclosure p, q;
  enclosure_scale(a, -1, &p), enclosure_scale(b, -1, &q);
  least(&p, &q, &p);
  enclosure_scale(&p, -1, out);
}

static void magnitude(const Enclosure *a, Enclosure *out) {
  Interval v = enclosure_value(a), s = enclosure_slope(a);
  if (v.low >= 0 || v.high <= 0)
    enclosure_scale(a, v.low >= 0 ? 1 : -1, out);
  else
    set(out, absolute(v), hull(s, negated(s)));
}

static double inverse_root(double u) { return 1 / sqrt(1 - u * u); }
static double inverse_square(double u) { return 1 / (1 + u * u); }
static double tanh_slope(double u) { return 1 - tanh(u) * tanh(u); }
static double half_root(double u) { return 0.5 / sqrt(u); }
static double over(double u) { return 1 / u; }
static double over_ten(double u) { return 1 / (log(10) * u); }

/* Value and derivative of f over v. */
typedef struct {
  Interval value, factor;
} Function;

static Function tangents(Interval v) {
  if (!(v.high - v.low < pi) || meets(v, pi / 2, pi))
    return (Function){all(), all()};
  Interval t = rising(tan, v), squares = absolute(t);
  return (Function){t, plus((Interval){1, 1}, times(squares, squares))};
}

static Function roots(Interval v) {
  /* it has no value below 0: what counts is the part where it has one */
  v.low = v.high >= 0 ? fmax(v.low, 0) : v.low;
  return (Function){rising(sqrt, v), falling(half_root, v)};
}

static Function function(EncloseOp op, Interval v) {
  Interval size = absolute(v);
  switch (op) {
  case ENCLOSE_SQRT: return roots(v);
  case ENCLOSE_SIN: return (Function){sines(v), cosines(v)};
  case ENCLOSE_COS: return (Function){cosines(v), negated(sines(v))};
  case ENCLOSE_TAN: return tangents(v);
  case ENCLOSE_ASIN: return (Function){rising(asin, v), rising(inverse_root, size)};
  case ENCLOSE_ACOS: return (Function){falling(acos, v), negated(rising(inverse_root, size))};
  case ENCLOSE_ATAN: return (Function){rising(atan, v), falling(inverse_square, size)};
  case ENCLOSE_SINH: return (Function){rising(sinh, v), rising(cosh, size)};
  case ENCLOSE_COSH: return (Function){rising(cosh, size), rising(sinh, v)};
  case ENCLOSE_TANH: return (Function){rising(tanh, v), falling(tanh_slope, size)};
  case ENCLOSE_EXP: return (Function){rising(exp, v), rising(exp, v)};
  case ENCLOSE_LOG: return (Function){rising(log, v), v.low > 0 ? falling(over, v) : all()};
  case ENCLOSE_LOG10: return (Function){rising(log10, v), v.low > 0 ? falling(over_ten, v) : all()};
  default: return (Function){all(), all()};
  }
}

static Interval signs(Interval v) {
  return (Interval){(v.low > 0) - (v.low < 0), (v.high > 0) - (v.high < 0)};
}

/* atan2(a, b): by atan where the quotient is bounded and the angle does not jump. */
static void angle(const Enclosure *a, const Enclosure *b, Enclosure *out) {
  Interval va = enclosure_value(a), vb = enclosure_value(b);
  Enclosure quotient, turned;
  if (vb.low > 0) {
    divide(a, b, &quotient);
    enclosure_apply(ENCLOSE_ATAN, &quotient, NULL, out);
  } else if (va.low > 0 || va.high < 0) {
    divide(b, a, &quotient);
    enclosure_apply(ENCLOSE_ATAN, &quotient, NULL, &turned);
    Enclosure right = enclosure_number(va.low > 0 ? pi / 2 : -pi / 2);
    add(&right, &turned, -1, out);
  } else {
    set(out, (Interval){-pi, pi}, all());
  }
}

static void apply_function(EncloseOp op, const Enclosure *a, Enclosure *out) {
  Function f = function(op, enclosure_value(a));
  if (enclosure_is_number(a) && isfinite(f.value.low) && f.value.low == f.value.high)
    *out = enclosure_number(f.value.low);
  else
    chain(a, f.value, f.factor, out);
}

void enclosure_apply(EncloseOp op, const Enclosure *a, const Enclosure *b, Enclosure *out) {
  switch (op) {
  case ENCLOSE_NEG: enclosure_scale(a, -1, out); return;
  case ENCLOSE_ADD: add(a, b, 1, out); return;
  case ENCLOSE_SUB: add(a, b, -1, out); return;
  case ENCLOSE_MUL: multiply(a, b, out); return;
  case ENCLOSE_DIV: divide(a, b, out); return;
  case ENCLOSE_POW: power(a, b, out); return;
  case ENCLOSE_LT:
  case ENCLOSE_LE:
  case ENCLOSE_GT:
  case ENCLOSE_GE:
  case ENCLOSE_EQ:
  case ENCLOSE_NE: set_jumping(out, compare(op, a, b)); return;
  case ENCLOSE_NOT: {
    Interval v = enclosure_value(a);
    set_jumping(out, (Interval){1 - v.high, 1 - v.low});
    return;
  }
  case ENCLOSE_AND:
  case ENCLOSE_OR: set_jumping(out, logic(op, enclosure_value(a), enclosure_value(b))); return;
  case ENCLOSE_ABS: magnitude(a, out); return;
  case ENCLOSE_SIGN: set_jumping(out, signs(enclosure_value(a))); return;
  case ENCLOSE_MIN: least(a, b, out); return;
  case ENCLOSE_MAX: largest(a, b, out); return;
  case ENCLOSE_ATAN2: angle(a, b, out); return;
  case ENCLOSE_SQRT:
  case ENCLOSE_SIN:
  case ENCLOSE_COS:
  case ENCLOSE_TAN:
  case ENCLOSE_ASIN:
  case ENCLOSE_ACOS:
  case ENCLOSE_ATAN:
  case ENCLOSE_SINH:
  case ENCLOSE_COSH:
  case ENCLOSE_TANH:
  case ENCLOSE_EXP:
  case ENCLOSE_LOG:
  case ENCLOSE_LOG10: apply_function(op, a, out); return;
  }
}
