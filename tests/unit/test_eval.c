/* tests/unit/test_eval.c -- values of every operator: scalars, arrays, ranges, iterators, String(),
 * and what has no value. */
#include "eval_fixture.h"

#include <locale.h>

#include "expr/expr_impl.h"

/* ---- scalars ---- */

static void real_arithmetic(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  CHECK(b, MK(b, OP_ADD, r, R(b, 2), R(b, 3)), "5.0");
  CHECK(b, MK(b, OP_SUB, r, R(b, 2), R(b, 3)), "-1.0");
  CHECK(b, MK(b, OP_MUL, r, R(b, 2), R(b, 3)), "6.0");
  CHECK(b, MK(b, OP_DIV, r, R(b, 3), R(b, 2)), "1.5");
  CHECK(b, MK(b, OP_DIV, r, I(b, 3), I(b, 2)), "1.5");
  CHECK(b, MK(b, OP_ADD, r, I(b, 3), R(b, 0.5)), "3.5");
  CHECK(b, MK(b, OP_POW, r, I(b, 2), I(b, -2)), "0.25");
  CHECK(b, MK(b, OP_POW, r, R(b, -2), R(b, 3)), "-8.0");
  CHECK(b, MK(b, OP_NEG, r, R(b, 2)), "-2.0");
  CHECK(b, MK(b, OP_ADD_EL, r, R(b, 2), R(b, 3)), "5.0");
  CHECK(b, MK(b, OP_SUB_EL, r, R(b, 2), R(b, 3)), "-1.0");
  CHECK(b, MK(b, OP_MUL_EL, r, R(b, 2), R(b, 3)), "6.0");
  CHECK(b, MK(b, OP_DIV_EL, r, R(b, 3), R(b, 2)), "1.5");
  CHECK(b, MK(b, OP_POW_EL, r, R(b, 3), R(b, 2)), "9.0");
  CHECK(b, MK(b, OP_CAST, r, I(b, 7)), "7.0");
  CHECK(b, MK(b, OP_DIV, r, R(b, 1), R(b, 0)), "!division by zero");
  CHECK(b, MK(b, OP_POW, r, R(b, 0), R(b, -1)), "!division by zero");
  CHECK(b, MK(b, OP_POW, r, R(b, -2), R(b, 0.5)), "!-2 ^ 0.5 is not defined");
  assert_int_equal(b->ev.fail, EVAL_WRONG);
}

static void integer_arithmetic(void **state) {
  Bench *b = *state;
  TypeId i = b->f->integer;
  CHECK(b, MK(b, OP_ADD, i, I(b, 2), I(b, 3)), "5");
  CHECK(b, MK(b, OP_SUB, i, I(b, 2), I(b, 3)), "-1");
  CHECK(b, MK(b, OP_MUL, i, I(b, 2), I(b, 3)), "6");
  CHECK(b, MK(b, OP_NEG, i, I(b, 2)), "-2");
  CHECK(b, MK(b, OP_ADD, i, I(b, INT64_MAX), I(b, 1)), "!integer overflow");
  CHECK(b, MK(b, OP_SUB, i, I(b, INT64_MIN), I(b, 1)), "!integer overflow");
  CHECK(b, MK(b, OP_MUL, i, I(b, INT64_MAX), I(b, 2)), "!integer overflow");
  CHECK(b, MK(b, OP_NEG, i, I(b, INT64_MIN)), "!integer overflow");
  CHECK(b, MK(b, OP_ABS, i, I(b, INT64_MIN)), "!integer overflow");
  CHECK(b, MK(b, OP_DIVT, i, I(b, -7), I(b, 2)), "-3");
  CHECK(b, MK(b, OP_MOD, i, I(b, -7), I(b, 2)), "1");
  CHECK(b, MK(b, OP_MOD, i, I(b, 7), I(b, -2)), "-1");
  CHECK(b, MK(b, OP_REM, i, I(b, -7), I(b, 2)), "-1");
  CHECK(b, MK(b, OP_REM, i, I(b, INT64_MIN), I(b, -1)), "0");
  CHECK(b, MK(b, OP_DIVT, i, I(b, INT64_MIN), I(b, -1)), "!integer overflow");
  CHECK(b, MK(b, OP_DIVT, i, I(b, 1), I(b, 0)), "!division by zero");
  CHECK(b, MK(b, OP_MOD, i, I(b, 1), I(b, 0)), "!division by zero");
  CHECK(b, MK(b, OP_REM, i, I(b, 1), I(b, 0)), "!division by zero");
  CHECK(b, MK(b, OP_MIN2, i, I(b, 1), I(b, 0)), "0");
  CHECK(b, MK(b, OP_MAX2, i, I(b, 1), I(b, 0)), "1");
  CHECK(b, MK(b, OP_ABS, i, I(b, -4)), "4");
  CHECK(b, MK(b, OP_SIGN, i, I(b, -4)), "-1");
  CHECK(b, MK(b, OP_SIGN, i, R(b, 0.5)), "1");
  CHECK(b, MK(b, OP_TO_INTEGER, i, R(b, -1.5)), "-2");
  CHECK(b, MK(b, OP_TO_INTEGER, i, R(b, 1e30)), "!integer overflow");
  CHECK(b, MK(b, OP_TO_INTEGER, i, R(b, (double)NAN)), "!integer overflow");
}

/* The values are those of the C library, to the last bit. */
static void functions_of_one_number(void **state) {
  Bench *b = *state;
  static const struct {
    Op op;
    double x;
    double (*f)(double);
  } table[] = {
      {OP_SIN, 0.7, sin},   {OP_COS, 0.7, cos},   {OP_TAN, 0.7, tan},   {OP_ASIN, 0.7, asin},
      {OP_ACOS, 0.7, acos}, {OP_ATAN, 0.7, atan}, {OP_SINH, 0.7, sinh}, {OP_COSH, 0.7, cosh},
      {OP_TANH, 0.7, tanh}, {OP_EXP, 0.7, exp},   {OP_LOG, 0.7, log},   {OP_LOG10, 7, log10},
      {OP_SQRT, 0.7, sqrt}, {OP_ABS, -0.7, fabs}, {OP_CEIL, 0.7, ceil}, {OP_FLOOR, -0.7, floor}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    Value v;
    assert_true(eval_expr(&b->ev, MK(b, table[i].op, b->f->real, R(b, table[i].x)), &v));
    assert_memory_equal(&v.at->real, &(double){table[i].f(table[i].x)}, sizeof(double));
  }
  TypeId r = b->f->real;
  CHECK(b, MK(b, OP_SQRT, r, I(b, 4)), "2.0");
  CHECK(b, MK(b, OP_ATAN2, r, R(b, 0), R(b, 1)), "0.0");
  CHECK(b, MK(b, OP_MIN2, r, R(b, 2), I(b, 1)), "1.0");
  CHECK(b, MK(b, OP_MAX2, r, R(b, 2), I(b, 1)), "2.0");
  CHECK(b, MK(b, OP_DIVT, r, R(b, -7.5), R(b, 2)), "-3.0");
  CHECK(b, MK(b, OP_MOD, r, R(b, -3), R(b, 1.5)), "0.0");
  CHECK(b, MK(b, OP_MOD, r, R(b, -4), R(b, 1.5)), "0.5");
  CHECK(b, MK(b, OP_REM, r, R(b, -4), R(b, 1.5)), "-1.0");
  CHECK(b, MK(b, OP_MOD, r, R(b, -4), R(b, 0)), "!division by zero");
  CHECK(b, MK(b, OP_SQRT, r, R(b, -1)), "!`sqrt` is not defined for -1");
  CHECK(b, MK(b, OP_LOG, r, R(b, 0)), "!`log` is not defined for 0");
  CHECK(b, MK(b, OP_LOG10, r, R(b, -2)), "!`log10` is not defined for -2");
  CHECK(b, MK(b, OP_ASIN, r, R(b, 1.5)), "!`asin` is not defined for 1.5");
  CHECK(b, MK(b, OP_ACOS, r, R(b, -1.5)), "!`acos` is not defined for -1.5");
}

static void relations_and_logic(void **state) {
  Bench *b = *state;
  TypeId t = b->f->boolean;
  static const Op ops[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
  static const char *const less[] = {"true", "true", "false", "false", "false", "true"};
  static const char *const same[] = {"false", "true", "false", "true", "true", "false"};
  for (int i = 0; i < 6; i++) {
    CHECK(b, MK(b, ops[i], t, R(b, 1), R(b, 2)), less[i]);
    CHECK(b, MK(b, ops[i], t, I(b, 1), R(b, 1.5)), less[i]);
    CHECK(b, MK(b, ops[i], t, I(b, 1), I(b, 2)), less[i]);
    CHECK(b, MK(b, ops[i], t, I(b, 2), I(b, 2)), same[i]);
    CHECK(b, MK(b, ops[i], t, B(b, false), B(b, true)), less[i]);
    CHECK(b, MK(b, ops[i], t, S(b, "abc"), S(b, "abd")), less[i]);
    CHECK(b, MK(b, ops[i], t, S(b, "abc"), S(b, "abc")), same[i]);
  }
  ExprId wrong = MK(b, OP_LT, t, MK(b, OP_LOG, b->f->real, R(b, 0)), R(b, 1));
  CHECK(b, MK(b, OP_NOT, t, B(b, true)), "false");
  CHECK(b, MK(b, OP_AND, t, B(b, true), B(b, true)), "true");
  CHECK(b, MK(b, OP_AND, t, B(b, false), wrong), "false");
  CHECK(b, MK(b, OP_OR, t, B(b, true), wrong), "true");
  CHECK(b, MK(b, OP_OR, t, B(b, false), B(b, false)), "false");
  CHECK(b, MK(b, OP_OR, t, B(b, false), wrong), "!`log` is not defined for 0");
  CHECK(b, MK(b, OP_AND, array_of(b, t, 1, 3), BV(b, 1, 0, 1), BV(b, 1, 1, 0)),
        "{true, false, false}");
  CHECK(b, MK(b, OP_OR, array_of(b, t, 1, 2), BV(b, 0, 0), BV(b, 1, 0)), "{true, false}");
  CHECK(b, MK(b, OP_NOT, array_of(b, t, 1, 2), BV(b, 0, 1)), "{true, false}");
}

static void conditions_and_transparent_operators(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  ExprId wrong = MK(b, OP_SQRT, r, R(b, -1));
  CHECK(b, MK(b, OP_IF, r, B(b, true), R(b, 1), wrong), "1.0");
  CHECK(b, MK(b, OP_IF, r, B(b, false), wrong, I(b, 2)), "2.0");
  CHECK(b, MK(b, OP_IF, rv_open(b), B(b, false), RV(b, 1), IV(b, 2, 3)), "{2.0, 3.0}");
  CHECK(b, MK(b, OP_NOEVENT, r, R(b, 4)), "4.0");
  CHECK(b, MK(b, OP_NOEVENT, array_of(b, r, 1, 2), RV(b, 4, 5)), "{4.0, 5.0}");
  CHECK(b, MK(b, OP_SMOOTH, r, I(b, 1), R(b, 4)), "4.0");
  CHECK(b, MK(b, OP_HOMOTOPY, r, R(b, 4), wrong), "4.0");
  CHECK(b, MK(b, OP_SEMILINEAR, r, R(b, 2), R(b, 3), R(b, 5)), "6.0");
  CHECK(b, MK(b, OP_SEMILINEAR, r, R(b, -2), R(b, 3), R(b, 5)), "-10.0");
}

static TypeDecl colors = {
    .name = "Colors", .n = 3, .names = (const char *[]){"red", "green", "blue"}};

static void enumerations(void **state) {
  Bench *b = *state;
  TypeId e = type_of_decl(b->f->p, TY_ENUM, &colors);
  ExprId green = operand(b, e, 1, &(Scalar){.integer = 2}),
         blue = operand(b, e, 1, &(Scalar){.integer = 3});
  CHECK(b, green, "green");
  CHECK(b, MK(b, OP_ORDINAL, b->f->integer, green), "2");
  CHECK(b, MK(b, OP_TO_ENUM, e, I(b, 3)), "blue");
  CHECK(b, MK(b, OP_TO_ENUM, e, I(b, 4)), "!4 is not an ordinal of enumeration `Colors`");
  CHECK(b, MK(b, OP_LT, b->f->boolean, green, blue), "true");
  CHECK(b, MK(b, OP_MAX2, e, green, blue), "blue");
  CHECK(b, MK(b, OP_RANGE, array_of(b, e, 1, DIM_UNKNOWN), green, NO_EXPR, blue), "{green, blue}");
  CHECK(b, MK(b, OP_INDEX, b->f->real, RV(b, 5, 6, 7), green), "6.0");
  CHECK(b, MK(b, OP_STRING_OF, b->f->string, green), "\"green\"");
}

static void what_is_not_known(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  static const Op ops[] = {OP_DER,   OP_PRE,     OP_EDGE,    OP_CHANGE,   OP_SAMPLE,
                           OP_DELAY, OP_SPATIAL, OP_IMPULSE, OP_INSTREAM, OP_ACTUALSTREAM};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    CHECK(b, MK(b, ops[i], r, R(b, 1), R(b, 2)), "!");
    assert_int_equal(b->ev.fail, EVAL_UNKNOWN);
  }
  CHECK(b, expr_make(b->f->p, OP_INITIAL, b->f->boolean, 0, NULL), "!");
  CHECK(b, expr_make(b->f->p, OP_TERMINAL, b->f->boolean, 0, NULL), "!");
  CHECK(b, expr_time(b->f->p), "!");
  CHECK(b, expr_var(b->f->p, r, 3), "!");
  CHECK(b, expr_local(b->f->p, r, 3), "!");
  CHECK(b, MK(b, OP_ADD, r, expr_time(b->f->p), R(b, 1)), "!");
  b->ev.lookup = NULL;
  CHECK(b, expr_var(b->f->p, r, 3), "!");
  CHECK(b, expr_real(b->f->p, 3), "3.0");
}

/* ---- arrays ---- */

static void element_by_element(void **state) {
  Bench *b = *state;
  TypeId v = rv_open(b);
  CHECK(b, MK(b, OP_ADD, v, RV(b, 1, 2), RV(b, 3, 4)), "{4.0, 6.0}");
  CHECK(b, MK(b, OP_ADD, v, RV(b, 1, 2), IV(b, 3, 4)), "{4.0, 6.0}");
  CHECK(b, MK(b, OP_SUB, v, RV(b, 1, 2), RV(b, 3, 4)), "{-2.0, -2.0}");
  CHECK(b, MK(b, OP_NEG, v, RV(b, 1, 2)), "{-1.0, -2.0}");
  CHECK(b, MK(b, OP_ADD_EL, v, R(b, 1), RV(b, 3, 4)), "{4.0, 5.0}");
  CHECK(b, MK(b, OP_SUB_EL, v, RV(b, 3, 4), R(b, 1)), "{2.0, 3.0}");
  CHECK(b, MK(b, OP_MUL_EL, v, RV(b, 3, 4), RV(b, 3, 4)), "{9.0, 16.0}");
  CHECK(b, MK(b, OP_DIV_EL, v, R(b, 12), RV(b, 3, 4)), "{4.0, 3.0}");
  CHECK(b, MK(b, OP_POW_EL, v, RV(b, 3, 4), R(b, 2)), "{9.0, 16.0}");
  CHECK(b, MK(b, OP_MUL, v, R(b, 2), RV(b, 3, 4)), "{6.0, 8.0}");
  CHECK(b, MK(b, OP_MUL, v, RV(b, 3, 4), I(b, 2)), "{6.0, 8.0}");
  CHECK(b, MK(b, OP_DIV, v, RV(b, 3, 4), R(b, 2)), "{1.5, 2.0}");
  CHECK(b, MK(b, OP_DIV, v, RV(b, 3, 4), R(b, 0)), "!division by zero");
  CHECK(b, MK(b, OP_ADD, v, RV(b, 1, 2), RV(b, 3)), "!array sizes [2] and [1] do not fit");
  CHECK(b, MK(b, OP_CAST, v, IV(b, 3, 4)), "{3.0, 4.0}");
  CHECK(b, MK(b, OP_SIN, v, RV(b, 0)), "{0.0}");
  TypeId s = array_of(b, b->f->string, 1, 2);
  ExprId words = operand(b, s, 2, (Scalar[]){{.string = "a"}, {.string = "b"}});
  CHECK(b, MK(b, OP_ADD, s, words, words), "{\"aa\", \"bb\"}");
  CHECK(b, MK(b, OP_ADD, b->f->string, S(b, "ab"), S(b, "c")), "\"abc\"");
}

static void products(void **state) {
  Bench *b = *state;
  ExprId m = RM(b, 2, 3, 1, 2, 3, 4, 5, 6);
  CHECK(b, MK(b, OP_MUL, b->f->real, RV(b, 1, 2, 3), RV(b, 4, 5, 6)), "32.0");
  CHECK(b, MK(b, OP_MUL, b->f->integer, IV(b, 1, 2, 3), IV(b, 4, 5, 6)), "32");
  CHECK(b, MK(b, OP_MUL, rv_open(b), m, RV(b, 1, 1, 2)), "{9.0, 21.0}");
  CHECK(b, MK(b, OP_MUL, rv_open(b), RV(b, 1, 2), m), "{9.0, 12.0, 15.0}");
  CHECK(b, MK(b, OP_MUL, rm_open(b), m, MK(b, OP_TRANSPOSE, rm_open(b), m)),
        "{{14.0, 32.0}, {32.0, 77.0}}");
  CHECK(b, MK(b, OP_MUL, rm_open(b), m, m), "!array sizes [2, 3] and [2, 3] do not fit");
  CHECK(b, MK(b, OP_MUL, b->f->integer, IV(b, 9e18, 2), IV(b, 2, 2)), "!integer overflow");
  ExprId none = operand(b, array_of(b, b->f->real, 2, 2, 0), 0, &(Scalar){0});
  ExprId none2 = operand(b, array_of(b, b->f->real, 2, 0, 1), 0, &(Scalar){0});
  CHECK(b, MK(b, OP_MUL, rm_open(b), none, none2), "{{0.0}, {0.0}}");
  ExprId a = IM(b, 2, 2, 1, 1, 1, 0);
  CHECK(b, MK(b, OP_POW, im_open(b), a, I(b, 5)), "{{8, 5}, {5, 3}}");
  CHECK(b, MK(b, OP_POW, rm_open(b), a, I(b, 0)), "{{1.0, 0.0}, {0.0, 1.0}}");
  CHECK(b, MK(b, OP_POW, im_open(b), a, I(b, -1)), "!a matrix has no power -1");
  CHECK(b, MK(b, OP_POW, rm_open(b), m, I(b, 2)),
        "!`^` is not defined for an array of size [2, 3]");
}

static void constructors(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  CHECK(b, MK(b, OP_ARRAY, rv_open(b), R(b, 1), I(b, 2)), "{1.0, 2.0}");
  CHECK(b, MK(b, OP_ARRAY, rm_open(b), RV(b, 1, 2), IV(b, 3, 4)), "{{1.0, 2.0}, {3.0, 4.0}}");
  CHECK(b, MK(b, OP_ARRAY, rm_open(b), RV(b, 1, 2), RV(b, 3)),
        "!array sizes [2] and [1] do not fit");
  CHECK(b, expr_make(b->f->p, OP_ARRAY, array_of(b, r, 2, 0, 3), 0, NULL), "{}");
  CHECK(b, MK(b, OP_IDENTITY, im_open(b), I(b, 2)), "{{1, 0}, {0, 1}}");
  CHECK(b, MK(b, OP_IDENTITY, im_open(b), I(b, -2)), "!an array cannot have size -2");
  CHECK(b, MK(b, OP_DIAGONAL, rm_open(b), RV(b, 5, 6)), "{{5.0, 0.0}, {0.0, 6.0}}");
  CHECK(b, MK(b, OP_DIAGONAL, im_open(b), IV(b, 5, 6)), "{{5, 0}, {0, 6}}");
  CHECK(b, MK(b, OP_FILL, rm_open(b), I(b, 5), I(b, 2), I(b, 1)), "{{5.0}, {5.0}}");
  CHECK(b, MK(b, OP_FILL, rm_open(b), RV(b, 5, 6), I(b, 2)), "{{5.0, 6.0}, {5.0, 6.0}}");
  CHECK(b, MK(b, OP_FILL, rm_open(b), R(b, 5), I(b, 0), I(b, 3)), "{}");
  CHECK(b, MK(b, OP_FILL, rv_open(b), R(b, 5), I(b, -1)), "!an array cannot have size -1");
  CHECK(b, MK(b, OP_FILL, rm_open(b), R(b, 5), I(b, 100000), I(b, 100000)),
        "!did not end within 50000000 steps");
  assert_int_equal(b->ev.fail, EVAL_LIMIT);
  CHECK(b, MK(b, OP_LINSPACE, rv_open(b), R(b, 1), I(b, 2), I(b, 3)), "{1.0, 1.5, 2.0}");
  CHECK(b, MK(b, OP_LINSPACE, rv_open(b), R(b, 1), R(b, 2), I(b, 1)),
        "!`linspace` needs at least 2 points, not 1");
  CHECK(b, MK(b, OP_CAT, rv_open(b), I(b, 1), RV(b, 1), IV(b, 2, 3)), "{1.0, 2.0, 3.0}");
  ExprId m = RM(b, 2, 2, 1, 2, 3, 4), n = RM(b, 2, 1, 5, 6);
  CHECK(b, MK(b, OP_CAT, rm_open(b), I(b, 2), m, n), "{{1.0, 2.0, 5.0}, {3.0, 4.0, 6.0}}");
  CHECK(b, MK(b, OP_CAT, rm_open(b), I(b, 1), m, m),
        "{{1.0, 2.0}, {3.0, 4.0}, {1.0, 2.0}, {3.0, 4.0}}");
  CHECK(b, MK(b, OP_CAT, rm_open(b), I(b, 1), m, n), "!array sizes [2, 2] and [2, 1] do not fit");
  CHECK(b, MK(b, OP_CAT, rm_open(b), I(b, 3), m, m), "!arrays cannot be joined along dimension 3");
}

static void shapes(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, i = b->f->integer;
  ExprId m = RM(b, 2, 3, 1, 2, 3, 4, 5, 6);
  CHECK(b, MK(b, OP_SIZE, i, m, I(b, 2)), "3");
  CHECK(b, MK(b, OP_SIZE, i, m, I(b, 3)), "!dimension 3 is out of range 1:2");
  CHECK(b, MK(b, OP_SIZE, iv_open(b), m), "{2, 3}");
  CHECK(b, MK(b, OP_SIZE, i, MK(b, OP_ADD, rv_open(b), RV(b, 1, 2), RV(b, 1, 2)), I(b, 1)), "2");
  CHECK(b, MK(b, OP_NDIMS, i, m), "2");
  CHECK(b, MK(b, OP_SCALAR, r, RM(b, 1, 1, 7)), "7.0");
  CHECK(b, MK(b, OP_SCALAR, r, m), "!`scalar` is not defined for an array of size [2, 3]");
  CHECK(b, MK(b, OP_VECTOR, rv_open(b), RM(b, 1, 2, 7, 8)), "{7.0, 8.0}");
  CHECK(b, MK(b, OP_VECTOR, rv_open(b), R(b, 7)), "{7.0}");
  CHECK(b, MK(b, OP_VECTOR, rv_open(b), m), "!`vector` is not defined for an array of size [2, 3]");
  CHECK(b, MK(b, OP_MATRIX, rm_open(b), RV(b, 7, 8)), "{{7.0}, {8.0}}");
  CHECK(b, MK(b, OP_MATRIX, rm_open(b), R(b, 7)), "{{7.0}}");
  CHECK(b, MK(b, OP_PROMOTE, array_of(b, r, 3, -1, -1, -1), RV(b, 7, 8), I(b, 3)),
        "{{{7.0}}, {{8.0}}}");
  CHECK(b, MK(b, OP_TRANSPOSE, rm_open(b), m), "{{1.0, 4.0}, {2.0, 5.0}, {3.0, 6.0}}");
  CHECK(b, MK(b, OP_TRANSPOSE, rm_open(b), RV(b, 1)),
        "!`transpose` is not defined for an array of size [1]");
  CHECK(b, MK(b, OP_OUTER, rm_open(b), RV(b, 1, 2), RV(b, 3, 4)), "{{3.0, 4.0}, {6.0, 8.0}}");
  CHECK(b, MK(b, OP_SYMMETRIC, rm_open(b), RM(b, 2, 2, 1, 2, 3, 4)), "{{1.0, 2.0}, {2.0, 4.0}}");
  CHECK(b, MK(b, OP_CROSS, rv_open(b), RV(b, 1, 2, 3), IV(b, 4, 5, 7)), "{-1.0, 5.0, -3.0}");
  CHECK(b, MK(b, OP_CROSS, rv_open(b), RV(b, 1, 2, 3), RV(b, 4, 5)),
        "!`cross` is not defined for an array of size [2]");
  CHECK(b, MK(b, OP_MUL, rv_open(b), MK(b, OP_SKEW, rm_open(b), RV(b, 1, 2, 3)), RV(b, 4, 5, 7)),
        "{-1.0, 5.0, -3.0}");
}

static void reductions_of_arrays(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, i = b->f->integer;
  ExprId m = IM(b, 2, 2, 3, 1, 4, 2), none = operand(b, array_of(b, r, 1, 0), 0, &(Scalar){0});
  CHECK(b, MK(b, OP_SUM, i, m), "10");
  CHECK(b, MK(b, OP_SUM, r, m), "10.0");
  CHECK(b, MK(b, OP_PRODUCT, i, m), "24");
  CHECK(b, MK(b, OP_MIN, i, m), "1");
  CHECK(b, MK(b, OP_MAX, i, m), "4");
  CHECK(b, MK(b, OP_SUM, r, none), "0.0");
  CHECK(b, MK(b, OP_PRODUCT, r, none), "1.0");
  CHECK(b, MK(b, OP_MIN, r, none), "1.7976931348623157e+308");
  CHECK(b, MK(b, OP_MAX, r, none), "-1.7976931348623157e+308");
  CHECK(b, MK(b, OP_MIN, b->f->boolean, BV(b, 1, 0)), "false");
}

/* ---- subscripts and fields ---- */

static void subscripts(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  ExprId v = RV(b, 5, 6, 7), m = RM(b, 2, 3, 1, 2, 3, 4, 5, 6);
  CHECK(b, MK(b, OP_INDEX, r, v, I(b, 2)), "6.0");
  CHECK(b, MK(b, OP_INDEX, r, v, I(b, 5)), "!subscript 5 is out of range 1:3");
  CHECK(b, MK(b, OP_INDEX, r, v, I(b, 0)), "!subscript 0 is out of range 1:3");
  CHECK(b, MK(b, OP_INDEX, r, v, B(b, true)), "6.0");
  CHECK(b, MK(b, OP_INDEX, r, m, I(b, 2), I(b, 3)), "6.0");
  CHECK(b, MK(b, OP_INDEX, r, m, I(b, 2), I(b, 4)), "!subscript 4 is out of range 1:3");
  CHECK(b, MK(b, OP_INDEX, rv_open(b), m, I(b, 2)), "{4.0, 5.0, 6.0}");
  CHECK(b, MK(b, OP_INDEX, rv_open(b), v, IV(b, 3, 1, 1)), "{7.0, 5.0, 5.0}");
  CHECK(b, MK(b, OP_INDEX, rv_open(b), v, IV(b, 3, 4)), "!subscript 4 is out of range 1:3");
  CHECK(b, MK(b, OP_INDEX, rv_open(b), m, IV(b, 1, 2), I(b, 2)), "{2.0, 5.0}");
  CHECK(b, MK(b, OP_INDEX, rm_open(b), m, IV(b, 2), IV(b, 3, 1)), "{{6.0, 4.0}}");
  CHECK(b, MK(b, OP_INDEX, rm_open(b), m, IV(b, 2, 1)), "{{4.0, 5.0, 6.0}, {1.0, 2.0, 3.0}}");
  ExprId cube = cells(b, array_of(b, r, 3, 2, 2, 2), (double[]){1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(b, MK(b, OP_INDEX, rm_open(b), cube, IV(b, 1, 2), I(b, 2)), "{{3.0, 4.0}, {7.0, 8.0}}");
  CHECK(b, MK(b, OP_INDEX, rm_open(b), cube, I(b, 2)), "{{5.0, 6.0}, {7.0, 8.0}}");
  /* of a constructor only the chosen item is evaluated */
  ExprId wrong = MK(b, OP_SQRT, r, R(b, -1)),
         items = MK(b, OP_ARRAY, array_of(b, r, 1, 2), wrong, I(b, 4));
  CHECK(b, MK(b, OP_INDEX, r, items, I(b, 2)), "4.0");
  CHECK(b, MK(b, OP_INDEX, r, items, I(b, 3)), "!subscript 3 is out of range 1:2");
  ExprId rows = MK(b, OP_ARRAY, array_of(b, r, 2, 2, 2), RV(b, 1, 2), RV(b, 3, 4));
  CHECK(b, MK(b, OP_INDEX, r, rows, I(b, 2), I(b, 1)), "3.0");
}

/* record P: Real x, Real v[2], String s */
static TypeId point_type(Bench *b, TypeId v) {
  TypeDecl *d = NEW(b->f->arena, TypeDecl);
  *d = (TypeDecl){.name = "P", .n = 3};
  d->names = NEW_ARRAY(b->f->arena, const char *, 3);
  d->types = NEW_ARRAY(b->f->arena, TypeId, 3);
  memcpy(d->names, (const char *[]){"x", "v", "s"}, sizeof(char *) * 3);
  memcpy(d->types, (TypeId[]){b->f->real, v, b->f->string}, sizeof(TypeId) * 3);
  return type_of_decl(b->f->p, TY_RECORD, d);
}

static ExprId field(Bench *b, TypeId type, ExprId record, uint32_t k) {
  return expr_make_index(b->f->p, OP_FIELD, type, k, 0, 1, &record);
}

static void records(void **state) {
  Bench *b = *state;
  TypeId v2 = array_of(b, b->f->real, 1, 2), p = point_type(b, v2), ps = array_of(b, p, 1, 2);
  ExprId a = MK(b, OP_RECORD, p, I(b, 1), RV(b, 2, 3), S(b, "s")),
         c = MK(b, OP_RECORD, p, R(b, 4), RV(b, 5, 6), S(b, "t"));
  CHECK(b, a, "(1.0, {2.0, 3.0}, \"s\")");
  CHECK(b, MK(b, OP_RECORD, p, R(b, 1), RV(b, 2), S(b, "s")), "!field `v` needs size [2], not [1]");
  ExprId all = MK(b, OP_ARRAY, ps, a, c), one = operand(b, ps, 8,
                                                        (Scalar[]){{.real = 1},
                                                                   {.real = 2},
                                                                   {.real = 3},
                                                                   {.string = "s"},
                                                                   {.real = 4},
                                                                   {.real = 5},
                                                                   {.real = 6},
                                                                   {.string = "t"}});
  CHECK(b, all, "{(1.0, {2.0, 3.0}, \"s\"), (4.0, {5.0, 6.0}, \"t\")}");
  CHECK(b, field(b, v2, one, 0), "{1.0, 4.0}");
  CHECK(b, field(b, array_of(b, b->f->real, 2, 2, 2), one, 1), "{{2.0, 3.0}, {5.0, 6.0}}");
  CHECK(b, field(b, array_of(b, b->f->string, 1, 2), one, 2), "{\"s\", \"t\"}");
  ExprId second = MK(b, OP_INDEX, p, one, I(b, 2));
  CHECK(b, second, "(4.0, {5.0, 6.0}, \"t\")");
  CHECK(b, MK(b, OP_INDEX, b->f->real, field(b, v2, second, 1), I(b, 2)), "6.0");
  CHECK(b, MK(b, OP_INDEX, array_of(b, p, 1, 2), one, IV(b, 2, 1)),
        "{(4.0, {5.0, 6.0}, \"t\"), (1.0, {2.0, 3.0}, \"s\")}");
  /* a field of unknown size takes that of its value */
  TypeId open = point_type(b, rv_open(b));
  CHECK(b, MK(b, OP_RECORD, open, R(b, 1), RV(b, 2, 3, 4), S(b, "s")),
        "(1.0, {2.0, 3.0, 4.0}, \"s\")");
}

static void literals_of_values(void **state) {
  Bench *b = *state;
  TypeId p = point_type(b, array_of(b, b->f->real, 1, 2));
  ExprId list[] = {R(b, 1.5),
                   I(b, 3),
                   B(b, true),
                   S(b, "x"),
                   RM(b, 2, 2, 1, 2, 3, 4),
                   operand(b, array_of(b, b->f->real, 2, 2, 0), 0, &(Scalar){0}),
                   MK(b, OP_RECORD, p, R(b, 1), RV(b, 2, 3), S(b, "s"))};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    Value v;
    assert_true(eval_expr(&b->ev, list[i], &v));
    ExprId e = expr_of_value(b->f->p, &v);
    assert_true(expr_is_literal(b->f->p, e));
    CHECK(b, e, text_of(b, &v));
  }
}

/* ---- ranges and iterators ---- */

static void ranges(void **state) {
  Bench *b = *state;
  TypeId iv = iv_open(b), rv = rv_open(b);
  CHECK(b, MK(b, OP_RANGE, iv, I(b, 1), I(b, 1), I(b, 4)), "{1, 2, 3, 4}");
  CHECK(b, MK(b, OP_RANGE, iv, I(b, 1), NO_EXPR, I(b, 2)), "{1, 2}");
  CHECK(b, MK(b, OP_RANGE, iv, I(b, 7), I(b, -3), I(b, 0)), "{7, 4, 1}");
  CHECK(b, MK(b, OP_RANGE, iv, I(b, 2), I(b, 1), I(b, 1)), "{}");
  CHECK(b, MK(b, OP_RANGE, iv, I(b, 2), I(b, 0), I(b, 1)), "!the step of a range is zero");
  CHECK(b, MK(b, OP_RANGE, iv, I(b, INT64_MIN), I(b, 1), I(b, INT64_MAX)),
        "!a range of more than 2147483647 items is too large");
  CHECK(b, MK(b, OP_RANGE, rv, R(b, 2.7), R(b, 1), R(b, 6.8)), "{2.7, 3.7, 4.7, 5.7, 6.7}");
  CHECK(b, MK(b, OP_RANGE, rv, R(b, 1), R(b, 1.5), R(b, 5.5)), "{1.0, 2.5, 4.0, 5.5}");
  CHECK(b, MK(b, OP_RANGE, rv, I(b, 0), R(b, -0.5), I(b, -1)), "{0.0, -0.5, -1.0}");
  CHECK(b, MK(b, OP_RANGE, rv, R(b, 1), R(b, 1), R(b, 0)), "{}");
  CHECK(b, MK(b, OP_RANGE, rv, R(b, 0), R(b, 0), R(b, 0)), "!the step of a range is zero");
  static const double steps[][4] = {
      {0, 0.1, 0.3, 3}, {0, 0.1, 1, 10}, {0, 0.01, 0.29, 29}, {1, 0.1, 1.7, 7}, {0, 0.3, 1, 3}};
  for (size_t i = 0; i < 5; i++)
    assert_true(eval_range_steps(steps[i][0], steps[i][1], steps[i][2]) == steps[i][3]);
  CHECK(b, MK(b, OP_RANGE, array_of(b, b->f->boolean, 1, -1), B(b, false), NO_EXPR, B(b, true)),
        "{false, true}");
}

static ExprId iterated(Bench *b, Op op, Op by, TypeId type, uint32_t first, uint32_t n,
                       const ExprId *args) {
  return expr_make_index(b->f->p, op, type, first, by, n, args);
}

static void iterators(void **state) {
  Bench *b = *state;
  TypeId i = b->f->integer, r = b->f->real;
  ExprId i1 = expr_local(b->f->p, i, 4), i2 = expr_local(b->f->p, i, 5);
  ExprId to3 = MK(b, OP_RANGE, iv_open(b), I(b, 1), I(b, 1), I(b, 3)),
         to2 = MK(b, OP_RANGE, iv_open(b), I(b, 1), I(b, 1), I(b, 2));
  ExprId none = MK(b, OP_RANGE, iv_open(b), I(b, 1), I(b, 1), I(b, 0));
  ExprId square = MK(b, OP_MUL, i, i1, i1),
         body = MK(b, OP_ADD, i, MK(b, OP_MUL, i, i1, I(b, 10)), i2);
  CHECK(b, iterated(b, OP_COMPREHEND, 0, iv_open(b), 4, 2, (ExprId[]){square, to3}), "{1, 4, 9}");
  CHECK(b, iterated(b, OP_COMPREHEND, 0, iv_open(b), 4, 2, (ExprId[]){square, none}), "{}");
  CHECK(b,
        iterated(b, OP_COMPREHEND, 0, rv_open(b), 4, 2,
                 (ExprId[]){expr_local(b->f->p, r, 4), RV(b, 3, 1)}),
        "{3.0, 1.0}");
  /* {10*i1 + i2 for i1 in 1:3, i2 in 1:2}: the last iterator is the first dimension */
  CHECK(b, iterated(b, OP_COMPREHEND, 0, im_open(b), 4, 3, (ExprId[]){body, to2, to3}),
        "{{11, 21, 31}, {12, 22, 32}}");
  ExprId row = MK(b, OP_ARRAY, array_of(b, i, 1, 2), i1, square);
  CHECK(b, iterated(b, OP_COMPREHEND, 0, im_open(b), 4, 2, (ExprId[]){row, to3}),
        "{{1, 1}, {2, 4}, {3, 9}}");
  CHECK(b, iterated(b, OP_REDUCE, OP_ADD, i, 4, 2, (ExprId[]){square, to3}), "14");
  CHECK(b, iterated(b, OP_REDUCE, OP_MUL, i, 4, 3, (ExprId[]){i1, to2, to3}), "36");
  CHECK(b, iterated(b, OP_REDUCE, OP_MIN2, i, 4, 2, (ExprId[]){square, to3}), "1");
  CHECK(b, iterated(b, OP_REDUCE, OP_MAX2, r, 4, 2, (ExprId[]){square, to3}), "9.0");
  CHECK(b, iterated(b, OP_REDUCE, OP_ADD, array_of(b, i, 1, 2), 4, 2, (ExprId[]){row, to3}),
        "{6, 14}");
  CHECK(b, iterated(b, OP_REDUCE, OP_ADD, array_of(b, i, 1, 2), 4, 2, (ExprId[]){row, none}),
        "{0, 0}");
  CHECK(b, iterated(b, OP_REDUCE, OP_MUL, r, 4, 2, (ExprId[]){square, none}), "1.0");
  /* nested: {product(j for j in 1:i) for i in 0:4} */
  ExprId upto = MK(b, OP_RANGE, iv_open(b), I(b, 1), I(b, 1), i1);
  ExprId fact = iterated(b, OP_REDUCE, OP_MUL, i, 5, 2, (ExprId[]){i2, upto});
  ExprId from0 = MK(b, OP_RANGE, iv_open(b), I(b, 0), I(b, 1), I(b, 4));
  CHECK(b, iterated(b, OP_COMPREHEND, 0, iv_open(b), 4, 2, (ExprId[]){fact, from0}),
        "{1, 1, 2, 6, 24}");
  ExprId word = MK(b, OP_ADD, b->f->string, S(b, "x"), MK(b, OP_STRING_OF, b->f->string, i1));
  CHECK(
      b,
      iterated(b, OP_COMPREHEND, 0, array_of(b, b->f->string, 1, -1), 4, 2, (ExprId[]){word, to3}),
      "{\"x1\", \"x2\", \"x3\"}");
  CHECK(b,
        iterated(b, OP_COMPREHEND, 0, iv_open(b), 4, 2,
                 (ExprId[]){MK(b, OP_DIVT, i, I(b, 1), i1), from0}),
        "!division by zero");
}

/* ---- String() ---- */

static void string_conversion(void **state) {
  Bench *b = *state;
  TypeId s = b->f->string;
#define STRING(...) MK(b, OP_STRING_OF, s, __VA_ARGS__)
  static const struct {
    double x;
    const char *format, *text;
  } reals[] = {{12.3456, "", "12.3456"},
               {0.0123456, "", "0.0123456"},
               {12345678, "", "1.23457e+07"},
               {1.23456e-10, "", "1.23456e-10"},
               {4, "g", "4"},
               {3.14159, ".2f", "3.14"},
               {3.14159, "8.2f", "    3.14"},
               {3.14159, "-8.2f", "3.14    "},
               {3.14159, "+.1e", "+3.1e+00"},
               {3.14159, "08.3f", "0003.142"},
               {-1, "10.4f", "   -1.0000"},
               {2.5, "d", "3"},
               {1e300, "d", "!integer overflow"},
               {2.5, "G", "2.5"},
               {2.5, "#.0f", "2."},
               {2.5, "s", "!\"s\" is not a format for String()"},
               {2.5, "*f", "!\"*f\" is not a format for String()"},
               {2.5, "lf", "!\"lf\" is not a format for String()"},
               {2.5, "%f", "!\"%f\" is not a format for String()"},
               {2.5, "n", "!\"n\" is not a format for String()"},
               {2.5, "5.f%n", "!\"5.f%n\" is not a format for String()"},
               {2.5, "99999999999f", "!\"99999999999f\" is not a format for String()"},
               {2.5, ".99999f", "!\".99999f\" is not a format for String()"},
               {2.5, "5", "!\"5\" is not a format for String()"}};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    bool wrong = *reals[i].text == '!';
    const char *want = wrong ? reals[i].text : arena_printf(b->f->arena, "\"%s\"", reals[i].text);
    CHECK(b,
          *reals[i].format ? STRING(R(b, reals[i].x), S(b, reals[i].format))
                           : STRING(R(b, reals[i].x)),
          want);
  }
  CHECK(b, STRING(R(b, 3.14159), I(b, 3), I(b, 0), B(b, true)), "\"3.14\"");
  CHECK(b, STRING(R(b, 3.14159), I(b, 3), I(b, 7), B(b, true)), "\"3.14   \"");
  CHECK(b, STRING(R(b, 3.14159), I(b, 3), I(b, 7), B(b, false)), "\"   3.14\"");
  CHECK(b, STRING(R(b, 3.14159), I(b, 0), I(b, 7), B(b, false)),
        "!String() cannot give 0 significant digits");
  CHECK(b, STRING(R(b, 3.14159), I(b, 6), I(b, -1), B(b, false)),
        "!String() cannot give a text of length -1");
  CHECK(b, STRING(I(b, -42)), "\"-42\"");
  CHECK(b, STRING(I(b, -42), NO_EXPR, I(b, 6), B(b, false)), "\"   -42\"");
  CHECK(b, STRING(I(b, -42), I(b, 6), I(b, 6), B(b, true)), "\"-42   \"");
  CHECK(b, STRING(I(b, 255), S(b, "x")), "\"ff\"");
  CHECK(b, STRING(I(b, 255), S(b, "#X")), "\"0XFF\"");
  CHECK(b, STRING(I(b, 8), S(b, "o")), "\"10\"");
  CHECK(b, STRING(I(b, 8), S(b, "05i")), "\"00008\"");
  CHECK(b, STRING(I(b, 8), S(b, "u")), "\"8\"");
  CHECK(b, STRING(I(b, 65), S(b, "3c")), "\"  A\"");
  CHECK(b, STRING(I(b, 0), S(b, "c")), "!0 is not the code of a character");
  CHECK(b, STRING(I(b, 4), S(b, ".3f")), "\"4.000\"");
  CHECK(b, STRING(B(b, true)), "\"true\"");
  CHECK(b, STRING(B(b, false), NO_EXPR, I(b, 7), B(b, true)), "\"false  \"");
  CHECK(b, STRING(B(b, false), NO_EXPR, I(b, 7), B(b, false)), "\"  false\"");
  CHECK(b, STRING(B(b, false), S(b, "d")), "!String() takes a format for numbers only");
}

static void strings_know_no_locale(void **state) {
  Bench *b = *state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
    skip();
  CHECK(b, MK(b, OP_STRING_OF, b->f->string, R(b, 2.5)), "\"2.5\"");
  setlocale(LC_NUMERIC, "C");
}

/* ---- size of the work ---- */

/* 2^60 paths, 60 nodes. */
static void shared_nodes_are_computed_once(void **state) {
  Bench *b = *state;
  ExprId e = R(b, 1), m = RM(b, 2, 2, 1, 0, 0, 1);
  for (int i = 0; i < 60; i++)
    e = MK(b, OP_ADD, b->f->real, e, e);
  b->ev.budget = 10000;
  CHECK(b, e, "1.152921504606847e+18");
  e = R(b, 1);
  for (int i = 0; i < 60; i++)
    e = MK(b, OP_SIN, b->f->real, MK(b, OP_ATAN2, b->f->real, e, e));
  assert_true(result(b, e)[0] != '!');
  for (int i = 0; i < 60; i++)
    m = MK(b, OP_MUL, rm_open(b), m, m);
  CHECK(b, m, "{{1.0, 0.0}, {0.0, 1.0}}");
}

static void long_sums_and_deep_nests(void **state) {
  Bench *b = *state;
  ExprId x = R(b, 1), e = x;
  for (int i = 0; i < 100000; i++)
    e = MK(b, OP_ADD, b->f->real, e, x);
  CHECK(b, e, "100001.0");
  for (int i = 0; i < 4000; i++)
    e = MK(b, OP_SIN, b->f->real, e);
  assert_true(result(b, e)[0] != '!');
  for (int i = 0; i < 9000; i++)
    e = MK(b, OP_SIN, b->f->real, e);
  CHECK(b, e, "!the expression is nested too deeply");
  assert_int_equal(b->ev.fail, EVAL_LIMIT);
}

/* The lookup evaluates bindings with the same Eval; a failure there that it hides does no harm. */
typedef struct {
  Bench *b;
  ExprId binding[3];
} Bindings;

static bool lookup_binding(void *user, Eval *ev, ExprId e, Value *out) {
  Bindings *s = user;
  const Expr *x = expr_get(ev->pool, e);
  if (x->op == OP_REF)
    return bench_lookup(s->b, ev, e, out);
  if (x->index == 2) {
    assert_false(eval_expr(ev, s->binding[2], out));
    return eval_expr(ev, expr_real(ev->pool, 7), out);
  }
  return eval_expr(ev, s->binding[x->index], out);
}

static void lookups_may_evaluate(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  Bindings s = {
      b, {R(b, 2), MK(b, OP_MUL, r, expr_var(b->f->p, r, 0), R(b, 3)), MK(b, OP_LOG, r, R(b, 0))}};
  b->ev.lookup = lookup_binding;
  b->ev.user = &s;
  CHECK(b, MK(b, OP_ADD, r, expr_var(b->f->p, r, 1), expr_var(b->f->p, r, 2)), "13.0");
  s.binding[0] = MK(b, OP_LOG, r, R(b, -3));
  CHECK(b, MK(b, OP_ADD, r, expr_var(b->f->p, r, 1), R(b, 1)), "!`log` is not defined for -3");
}

/* A plain node for every operator, with arguments of the wrong kind as well: no crash, and a reason
 * for every error. */
static void every_operator_answers(void **state) {
  Bench *b = *state;
  ExprId sets[][3] = {{R(b, 2), R(b, 3), R(b, 4)},
                      {I(b, 1), I(b, 2), I(b, 3)},
                      {RV(b, 1, 2, 3), RV(b, 1, 2, 3), I(b, 1)},
                      {RM(b, 2, 2, 1, 2, 3, 4), RM(b, 2, 2, 1, 2, 3, 4), RV(b, 1, 2)},
                      {S(b, "a"), S(b, "b"), S(b, "c")},
                      {B(b, true), RV(b, 1), RM(b, 1, 1, 3)}};
  TypeId types[] = {b->f->real, b->f->integer, b->f->boolean, rv_open(b), rm_open(b)};
  for (Op op = OP_NEG; op < OP_COUNT; op++) {
    if (op == OP_CALL || op == OP_PART || op == OP_RECORD || op == OP_TUPLE ||
        op == OP_COMPREHEND || op == OP_REDUCE)
      continue; /* their payload is a pointer or a declaration */
    for (size_t k = 0; k < 6; k++)
      for (size_t t = 0; t < 5; t++)
        for (uint32_t n = 1; n <= 3; n++) {
          if ((op == OP_IF || op == OP_RANGE || op == OP_SEMILINEAR || op == OP_LINSPACE) && n != 3)
            continue;
          if (n < 2 && ((op >= OP_ADD && op <= OP_NE) || op == OP_AND || op == OP_OR ||
                        op == OP_SMOOTH || op == OP_INDEX || op == OP_OUTER || op == OP_CROSS ||
                        op == OP_PROMOTE || op == OP_FILL || op == OP_CAT))
            continue;
          Expr key;
          memset(&key, 0, sizeof key);
          key.op = op;
          key.type = types[t];
          key.n = n;
          key.args = sets[k];
          Value v;
          if (!eval_expr(&b->ev, pool_share(b->f->p, &key), &v))
            assert_true(b->ev.fail != EVAL_OK && (b->ev.why || b->ev.fail == EVAL_UNKNOWN));
        }
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)
  const struct CMUnitTest tests[] = {
      TEST(real_arithmetic),
      TEST(integer_arithmetic),
      TEST(functions_of_one_number),
      TEST(relations_and_logic),
      TEST(conditions_and_transparent_operators),
      TEST(enumerations),
      TEST(what_is_not_known),
      TEST(element_by_element),
      TEST(products),
      TEST(constructors),
      TEST(shapes),
      TEST(reductions_of_arrays),
      TEST(subscripts),
      TEST(records),
      TEST(literals_of_values),
      TEST(ranges),
      TEST(iterators),
      TEST(string_conversion),
      TEST(strings_know_no_locale),
      TEST(shared_nodes_are_computed_once),
      TEST(long_sums_and_deep_nests),
      TEST(lookups_may_evaluate),
      TEST(every_operator_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
