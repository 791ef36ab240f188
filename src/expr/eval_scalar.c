/* expr/eval_scalar.c -- one kernel per scalar operator and kind of operand, found by table.
 * Real functions are the calls of the C library that machine code makes. What has no value
 * (division by zero, a square root of a negative number, an Integer that does not fit) is a
 * failure, not an infinity. */
#include <math.h>
#include <string.h>

#include "expr/eval_impl.h"

static const char *const op_texts[OP_COUNT] = {
#define OP(name, text, shape, precedence) [OP_##name] = text,
#include "expr/ops.def"
#undef OP
};

const char *ev_op_text(Op op) {
  const char *text = op_texts[op];
  return *text ? text : "?";
}

/* ---- failures ---- */

static const char *number(Eval *ev, double x) {
  Text t = {.arena = ev->arena};
  text_real(&t, x);
  return text_str(&t);
}

static bool outside(Eval *ev, Op op, double x) {
  return ev_fail(ev, "`%s` is not defined for %s", op_texts[op], number(ev, x));
}

static bool overflow(Eval *ev) {
  ev->overflowed = true;
  return ev_fail(ev, "integer overflow");
}
static bool by_zero(Eval *ev) { return ev_fail(ev, "division by zero"); }

/* ---- kernels ---- */

#define KERNEL(name) static bool name(Eval *ev, const Scalar *a, Scalar *out)
#define REAL_1(name, value)                                                                        \
  KERNEL(name) {                                                                                   \
    (void)ev;                                                                                      \
    double x = a[0].real;                                                                          \
    out->real = (value);                                                                           \
    return true;                                                                                   \
  }
#define REAL_2(name, value)                                                                        \
  KERNEL(name) {                                                                                   \
    (void)ev;                                                                                      \
    double x = a[0].real, y = a[1].real;                                                           \
    out->real = (value);                                                                           \
    return true;                                                                                   \
  }
#define REAL_WITHIN(name, op, wrong, value)                                                        \
  KERNEL(name) {                                                                                   \
    double x = a[0].real;                                                                          \
    if (wrong)                                                                                     \
      return outside(ev, op, x);                                                                   \
    out->real = (value);                                                                           \
    return true;                                                                                   \
  }
#define REAL_DIVISION(name, value)                                                                 \
  KERNEL(name) {                                                                                   \
    double x = a[0].real, y = a[1].real;                                                           \
    if (y == 0)                                                                                    \
      return by_zero(ev);                                                                          \
    out->real = (value);                                                                           \
    return true;                                                                                   \
  }
#define INTEGER_2(name, value)                                                                     \
  KERNEL(name) {                                                                                   \
    (void)ev;                                                                                      \
    int64_t x = a[0].integer, y = a[1].integer;                                                    \
    out->integer = (value);                                                                        \
    return true;                                                                                   \
  }
#define INTEGER_CHECKED(name, builtin)                                                             \
  KERNEL(name) { return !builtin(a[0].integer, a[1].integer, &out->integer) || overflow(ev); }
#define COMPARISON(name, left, sign, right)                                                        \
  KERNEL(name) {                                                                                   \
    (void)ev;                                                                                      \
    out->integer = (left)sign(right);                                                              \
    return true;                                                                                   \
  }
#define RELATION(name, sign)                                                                       \
  COMPARISON(name##_real, a[0].real, sign, a[1].real)                                              \
  COMPARISON(name##_integer, a[0].integer, sign, a[1].integer)                                     \
  COMPARISON(name##_string, strcmp(a[0].string, a[1].string), sign, 0)

REAL_1(real_neg, -x)
REAL_2(real_add, x + y)
REAL_2(real_sub, x - y)
REAL_2(real_mul, x *y)
REAL_DIVISION(real_div, x / y)
INTEGER_CHECKED(integer_add, __builtin_add_overflow)
INTEGER_CHECKED(integer_sub, __builtin_sub_overflow)
INTEGER_CHECKED(integer_mul, __builtin_mul_overflow)

KERNEL(integer_neg) {
  return !__builtin_sub_overflow((int64_t)0, a[0].integer, &out->integer) || overflow(ev);
}

KERNEL(string_add) {
  size_t n = strlen(a[0].string), m = strlen(a[1].string);
  if (!ev_charge(ev, (n + m) / 4))
    return false;
  char *text = ev_push(ev, &ev->run->temps, n + m + 1);
  memcpy(text, a[0].string, n);
  memcpy(text + n, a[1].string, m + 1);
  out->string = text;
  return true;
}

/* As ds_power of dsblock.h. */
static double power(double x, double y) {
  return y == 2 ? x * x : y == 3 ? x * x * x : y == 4 ? (x * x) * (x * x) : pow(x, y);
}

/* MLS 3.6 section 10.6.8. */
KERNEL(real_pow) {
  double x = a[0].real, y = a[1].real;
  if (x == 0 && y < 0)
    return by_zero(ev);
  if (x < 0 && y != floor(y))
    return ev_fail(ev, "%s ^ %s is not defined", number(ev, x), number(ev, y));
  /* as machine code does: ds_power in dsblock.h */
  out->real = power(x, y);
  return true;
}

RELATION(lt, <)
RELATION(le, <=)
RELATION(gt, >)
RELATION(ge, >=)
RELATION(eq, ==)
RELATION(ne, !=)

KERNEL(logic_not) {
  (void)ev;
  out->integer = !a[0].integer;
  return true;
}
INTEGER_2(logic_and, x &&y)
INTEGER_2(logic_or, x || y)

REAL_1(real_abs, fabs(x))
KERNEL(integer_abs) {
  if (a[0].integer < 0)
    return integer_neg(ev, a, out);
  *out = a[0];
  return true;
}
KERNEL(real_sign) {
  (void)ev;
  out->integer = (a[0].real > 0) - (a[0].real < 0);
  return true;
}
KERNEL(integer_sign) {
  (void)ev;
  out->integer = (a[0].integer > 0) - (a[0].integer < 0);
  return true;
}

REAL_WITHIN(real_sqrt, OP_SQRT, x < 0, sqrt(x))
REAL_1(real_sin, sin(x))
REAL_1(real_cos, cos(x))
REAL_1(real_tan, tan(x))
REAL_WITHIN(real_asin, OP_ASIN, x<-1 || x> 1, asin(x))
REAL_WITHIN(real_acos, OP_ACOS, x<-1 || x> 1, acos(x))
REAL_1(real_atan, atan(x))
REAL_2(real_atan2, atan2(x, y))
REAL_1(real_sinh, sinh(x))
REAL_1(real_cosh, cosh(x))
REAL_1(real_tanh, tanh(x))
REAL_1(real_exp, exp(x))
REAL_WITHIN(real_log, OP_LOG, x <= 0, log(x))
REAL_WITHIN(real_log10, OP_LOG10, x <= 0, log10(x))
REAL_2(real_min, x < y ? x : y)
REAL_2(real_max, x > y ? x : y)
INTEGER_2(integer_min, x < y ? x : y)
INTEGER_2(integer_max, x > y ? x : y)

/* MLS 3.6 section 3.7.2: mod by floor, div and rem by truncation. */
REAL_DIVISION(real_divt, trunc(x / y))
REAL_DIVISION(real_mod, x - floor(x / y) * y)
REAL_DIVISION(real_rem, x - trunc(x / y) * y)
KERNEL(integer_divt) {
  if (!a[1].integer)
    return by_zero(ev);
  if (a[1].integer == -1)
    return integer_neg(ev, a, out);
  out->integer = a[0].integer / a[1].integer;
  return true;
}
KERNEL(integer_rem) {
  if (!a[1].integer)
    return by_zero(ev);
  out->integer = a[1].integer == -1 ? 0 : a[0].integer % a[1].integer;
  return true;
}
KERNEL(integer_mod) {
  if (!integer_rem(ev, a, out))
    return false;
  if (out->integer && (out->integer < 0) != (a[1].integer < 0))
    out->integer += a[1].integer;
  return true;
}

REAL_1(real_ceil, ceil(x))
REAL_1(real_floor, floor(x))
KERNEL(real_integer) {
  double x = floor(a[0].real);
  if (!(x >= -0x1p63 && x < 0x1p63))
    return overflow(ev);
  out->integer = (int64_t)x;
  return true;
}
KERNEL(same) {
  (void)ev;
  *out = a[0];
  return true;
}

/* ---- as machine code has it (dsblock.h): infinities, what is no number ---- */

REAL_2(machine_div, x / y)
REAL_2(machine_pow, power(x, y))
REAL_2(machine_divt, trunc(x / y))
REAL_2(machine_mod, x - floor(x / y) * y)
REAL_2(machine_rem, x - trunc(x / y) * y)
REAL_1(machine_sqrt, sqrt(x))
REAL_1(machine_asin, asin(x))
REAL_1(machine_acos, acos(x))
REAL_1(machine_log, log(x))
REAL_1(machine_log10, log10(x))

/* NULL: as at translation. */
static Kernel machine_kernel(Op op, bool real) {
  static const struct {
    Kernel real, integer;
  } own[OP_COUNT] = {[OP_DIV] = {machine_div, NULL},     [OP_DIV_EL] = {machine_div, NULL},
                     [OP_POW] = {machine_pow, NULL},     [OP_POW_EL] = {machine_pow, NULL},
                     [OP_SQRT] = {machine_sqrt, NULL},   [OP_ASIN] = {machine_asin, NULL},
                     [OP_ACOS] = {machine_acos, NULL},   [OP_LOG] = {machine_log, NULL},
                     [OP_LOG10] = {machine_log10, NULL}, [OP_DIVT] = {machine_divt, NULL},
                     [OP_MOD] = {machine_mod, NULL},     [OP_REM] = {machine_rem, NULL}};
  return real ? own[op].real : own[op].integer;
}

/* ---- the table ---- */

typedef enum {
  OPERANDS_NONE,
  OPERANDS_RESULT, /* of the type of the result */
  OPERANDS_REAL,
  OPERANDS_COMMON /* Real if one is Real, else as the first */
} Operands;

typedef struct {
  uint8_t n;
  Operands operands;
  Kernel real, integer, string; /* integer: also Boolean and enumerations */
} Rule;

#define MATH(op, kernel) [OP_##op] = {1, OPERANDS_REAL, kernel, NULL, NULL}
#define COMPARE(op, name)                                                                          \
  [OP_##op] = {2, OPERANDS_COMMON, name##_real, name##_integer, name##_string}
static const Rule rules[OP_COUNT] = {
    [OP_NEG] = {1, OPERANDS_RESULT, real_neg, integer_neg, NULL},
    [OP_ADD] = {2, OPERANDS_RESULT, real_add, integer_add, string_add},
    [OP_SUB] = {2, OPERANDS_RESULT, real_sub, integer_sub, NULL},
    [OP_MUL] = {2, OPERANDS_RESULT, real_mul, integer_mul, NULL},
    [OP_DIV] = {2, OPERANDS_REAL, real_div, NULL, NULL},
    [OP_POW] = {2, OPERANDS_REAL, real_pow, NULL, NULL},
    [OP_ADD_EL] = {2, OPERANDS_RESULT, real_add, integer_add, string_add},
    [OP_SUB_EL] = {2, OPERANDS_RESULT, real_sub, integer_sub, NULL},
    [OP_MUL_EL] = {2, OPERANDS_RESULT, real_mul, integer_mul, NULL},
    [OP_DIV_EL] = {2, OPERANDS_REAL, real_div, NULL, NULL},
    [OP_POW_EL] = {2, OPERANDS_REAL, real_pow, NULL, NULL},
    COMPARE(LT, lt),
    COMPARE(LE, le),
    COMPARE(GT, gt),
    COMPARE(GE, ge),
    COMPARE(EQ, eq),
    COMPARE(NE, ne),
    [OP_NOT] = {1, OPERANDS_RESULT, NULL, logic_not, NULL},
    [OP_AND] = {2, OPERANDS_RESULT, NULL, logic_and, NULL},
    [OP_OR] = {2, OPERANDS_RESULT, NULL, logic_or, NULL},
    [OP_ABS] = {1, OPERANDS_RESULT, real_abs, integer_abs, NULL},
    [OP_SIGN] = {1, OPERANDS_COMMON, real_sign, integer_sign, NULL},
    MATH(SQRT, real_sqrt),
    MATH(SIN, real_sin),
    MATH(COS, real_cos),
    MATH(TAN, real_tan),
    MATH(ASIN, real_asin),
    MATH(ACOS, real_acos),
    MATH(ATAN, real_atan),
    [OP_ATAN2] = {2, OPERANDS_REAL, real_atan2, NULL, NULL},
    MATH(SINH, real_sinh),
    MATH(COSH, real_cosh),
    MATH(TANH, real_tanh),
    MATH(EXP, real_exp),
    MATH(LOG, real_log),
    MATH(LOG10, real_log10),
    [OP_MIN2] = {2, OPERANDS_RESULT, real_min, integer_min, NULL},
    [OP_MAX2] = {2, OPERANDS_RESULT, real_max, integer_max, NULL},
    [OP_DIVT] = {2, OPERANDS_RESULT, real_divt, integer_divt, NULL},
    [OP_MOD] = {2, OPERANDS_RESULT, real_mod, integer_mod, NULL},
    [OP_REM] = {2, OPERANDS_RESULT, real_rem, integer_rem, NULL},
    MATH(CEIL, real_ceil),
    MATH(FLOOR, real_floor),
    MATH(TO_INTEGER, real_integer),
    [OP_ORDINAL] = {1, OPERANDS_COMMON, NULL, same, NULL},
};

static bool is_whole(TypeBase base) {
  return base == TY_INTEGER || base == TY_BOOLEAN || base == TY_ENUM;
}

Kernel ev_kernel_of(const Eval *ev, Op op, TypeBase operands) {
  const Rule *r = &rules[op];
  Kernel own = ev->machine ? machine_kernel(op, operands == TY_REAL) : NULL;
  if (own && (operands == TY_REAL || is_whole(operands)))
    return own;
  return operands == TY_REAL     ? r->real
         : operands == TY_STRING ? r->string
         : is_whole(operands)    ? r->integer
                                 : NULL;
}

Kernel ev_kernel(Eval *ev, const Expr *x, TypeBase *operands) {
  const Rule *r = &rules[x->op];
  TypeBase base = TY_REAL;
  if (r->operands == OPERANDS_RESULT) {
    base = ev_type(ev, x->type)->base;
  } else if (r->operands == OPERANDS_COMMON && x->n) {
    base = ev_base(ev, x->args[0]);
    if (x->n > 1 && ev_base(ev, x->args[1]) == TY_REAL)
      base = TY_REAL;
  }
  *operands = base;
  Kernel k = x->n == r->n ? ev_kernel_of(ev, x->op, base) : NULL;
  if (!k)
    ev_fail(ev, "`%s` is not defined for these operands", ev_op_text(x->op));
  return k;
}

bool ev_builtin(const char *name, uint32_t n_args, Op *op) {
  static const Op known[] = {OP_ABS,  OP_SIGN, OP_SQRT, OP_SIN,   OP_COS,  OP_TAN,
                             OP_ASIN, OP_ACOS, OP_ATAN, OP_ATAN2, OP_SINH, OP_COSH,
                             OP_TANH, OP_EXP,  OP_LOG,  OP_LOG10, OP_CEIL, OP_FLOOR,
                             OP_MIN2, OP_MAX2, OP_DIVT, OP_MOD,   OP_REM};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (rules[known[i]].n == n_args && !strcmp(op_texts[known[i]], name)) {
      *op = known[i];
      return true;
    }
  return false;
}
