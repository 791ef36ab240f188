/* tests/unit/test_expr.c -- pool, folding, simplification, printing, walking, derivatives. */
#include "expr_fixture.h"

/* ---- pool ---- */

static void test_types_are_shared(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprPool *p = f->p;
  TypeId v3 = type_array(p, f->real, 1, (int32_t[]){3});
  TypeId m23 = type_array(p, v3, 1, (int32_t[]){2});
  assert_int_equal(m23.i, type_array(p, f->real, 2, (int32_t[]){2, 3}).i);
  assert_int_equal(type_element(p, m23, 1).i, v3.i);
  assert_int_equal(type_element(p, m23, 2).i, f->real.i);
  assert_int_equal(type_count(p, m23), 6);
  assert_int_equal(type_array(p, f->real, 0, NULL).i, f->real.i);
  assert_int_equal(type_tuple(p, 2, (TypeId[]){v3, f->real}).i,
                   type_tuple(p, 2, (TypeId[]){v3, f->real}).i);
  assert_int_not_equal(type_tuple(p, 2, (TypeId[]){v3, f->real}).i,
                       type_tuple(p, 2, (TypeId[]){f->real, v3}).i);
  TypeDecl complex = {"Complex", 2,   (const char *[]){"re", "im"}, (TypeId[]){f->real, v3},
                      NULL,      NULL};
  TypeId c = type_of_decl(p, TY_RECORD, &complex);
  TypeId c5 = type_array(p, c, 1, (int32_t[]){5});
  assert_int_equal(type_count(p, c5), 20);
  assert_int_equal(type_count(p, type_array(p, f->real, 1, (int32_t[]){DIM_UNKNOWN})), -1);
  assert_int_equal(type_count(p, NO_TYPE), 0);
  assert_false(type_is_scalar(p, c));
  assert_true(type_is_scalar(p, f->string));
  Text out = {.arena = f->arena};
  type_print(p, type_array(p, f->real, 2, (int32_t[]){3, DIM_UNKNOWN}), &out);
  text_add(&out, " ");
  type_print(p, type_tuple(p, 2, (TypeId[]){c5, f->boolean}), &out);
  assert_string_equal(text_str(&out), "Real[3, :] (Complex[5], Boolean)");
  fix_free(f);
}

static void test_nodes_are_shared(void **state) {
  (void)state;
  Fix *f = fix_new();
  assert_int_equal(rd(f, "sin(a + b)*c").i, rd(f, "sin(a + b) * c").i);
  assert_int_not_equal(rd(f, "a + b").i, rd(f, "b + a").i);
  assert_int_not_equal(expr_real(f->p, 0.0).i, expr_real(f->p, -0.0).i);
  assert_int_not_equal(expr_real(f->p, 1).i, expr_integer(f->p, 1).i);
  assert_int_equal(expr_string(f->p, "xy").i, expr_string(f->p, "xy").i);
  /* pointers stay valid while the pool grows */
  const Expr *first = expr_get(f->p, letter(f, 'a'));
  for (uint32_t i = 0; i < 100000; i++)
    expr_integer(f->p, i);
  assert_ptr_equal(first, expr_get(f->p, letter(f, 'a')));
  assert_int_equal(expr_integer(f->p, 77777).i, expr_integer(f->p, 77777).i);
  assert_true(pool_size(f->p) > 100000);
  fix_free(f);
}

/* Two pools on one: what it holds has the same ids in both, what they add they do not see of each
 * other, nor what it gets later; and they leave it as it was. */
static void test_pool_on(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprId old = rd(f, "sin(a + b)"), text = expr_string(f->p, "xy");
  TypeId v3 = type_array(f->p, f->real, 1, (int32_t[]){3});
  uint32_t size = pool_size(f->p);
  ExprPool *one = pool_on(f->p, f->arena), *two = pool_on(f->p, f->arena),
           *more = pool_on(one, f->arena);
  assert_int_equal(expr_string(one, "xy").i, text.i);
  assert_int_equal(type_array(one, f->real, 1, (int32_t[]){3}).i, v3.i);
  for (uint32_t i = 0; i < 5000; i++) {
    ExprId e = expr_integer(one, 100 + i), other = expr_real(two, i);
    assert_true(e.i >= size && other.i >= size);
    assert_int_equal(expr_get(one, e)->integer, 100 + i);
    assert_true(expr_get(two, other)->real == i);
  }
  assert_int_equal(pool_size(f->p), size);
  ExprId late = expr_string(f->p, "late"), own = expr_string(one, "late");
  assert_int_not_equal(late.i, own.i);
  assert_string_equal(expr_get(one, own)->string, "late");
  ExprId sum = expr_unary(more, OP_NEG, expr_make(more, OP_SIN, f->real, 1, (ExprId[]){old}));
  assert_int_equal(expr_get(more, expr_get(more, expr_get(more, sum)->args[0])->args[0])->op,
                   expr_get(f->p, old)->op);
  TypeId fresh = type_array(more, v3, 1, (int32_t[]){7});
  assert_int_equal(type_count(more, fresh), 21);
  assert_int_equal(type_array(more, f->real, 2, (int32_t[]){7, 3}).i, fresh.i);
  fix_free(f);
}

/* ---- folding and simplification: text in, text out ---- */

static void test_simplify(void **state) {
  (void)state;
  static const char *const table[][2] = {
      /* Integer and Real literals */
      {"2 + 3", "5"},
      {"2*3 - 7", "-1"},
      {"7/2", "3.5"},
      {"2.0*3", "6.0"},
      {"2^3", "8.0"},
      {"0^0", "1.0"},
      {"2 - 2.0", "0.0"},
      {"9223372036854775807 + 1", "9223372036854775807 + 1"},
      {"-9223372036854775807 - 2", "-9223372036854775807 - 2"},
      {"4611686018427387904*2", "4611686018427387904*2"},
      {"-9223372036854775807 - 1", "-9223372036854775807 - 1"},
      {"1/0", "1.0/0.0"},
      {"(-8)^(1/3)", "(-8.0)^0.3333333333333333"},
      {"(-8)^3", "-512.0"},
      {"0^(-1)", "0.0^(-1.0)"},
      {"1e200*1e200", "1e+200*1e+200"},
      {"exp(1000)", "exp(1000.0)"},
      {"-(3)", "-3"},
      {"-(2.5)", "-2.5"},
      /* functions */
      {"abs(-3)", "3"},
      {"abs(-3.5)", "3.5"},
      {"sign(-2.0)", "-1"},
      {"sqrt(9)", "3.0"},
      {"sqrt(-1)", "sqrt(-1.0)"},
      {"log(0)", "log(0.0)"},
      {"log10(1000)", "3.0"},
      {"asin(2)", "asin(2.0)"},
      {"acos(1)", "0.0"},
      {"cos(0)", "1.0"},
      {"min(2, 3)", "2"},
      {"max(2, 3.5)", "3.5"},
      {"div(7, 2)", "3"},
      {"div(-7, 2)", "-3"},
      {"mod(-7, 2)", "1"},
      {"mod(7, -2)", "-1"},
      {"rem(-7, 2)", "-1"},
      {"mod(3, 1.4)", "0.20000000000000018"},
      {"mod(-3, 1.4)", "1.1999999999999993"},
      {"div(1, 0)", "div(1, 0)"},
      {"mod(1.5, 0)", "mod(1.5, 0.0)"},
      {"ceil(1.2)", "2.0"},
      {"floor(-1.2)", "-2.0"},
      {"integer(-1.2)", "-2"},
      {"integer(1e30)", "integer(1e+30)"},
      {"atan2(0, 1)", "0.0"},
      /* relations and logic */
      {"2 < 3", "true"},
      {"2.5 <= 2", "false"},
      {"\"ab\" < \"b\"", "true"},
      {"\"ab\" == \"ab\"", "true"},
      {"1 <> 1", "false"},
      {"true > false", "true"},
      {"not true", "false"},
      {"not not p", "p"},
      {"p and true", "p"},
      {"true and p", "p"},
      {"false and p", "false"},
      {"p and false", "false"},
      {"p or false", "p"},
      {"false or p", "p"},
      {"p or true", "true"},
      {"p and p", "p"},
      {"p or p", "p"},
      {"\"a\" + \"b\"", "\"ab\""},
      {"t + \"\"", "t + \"\""},
      /* if */
      {"if true then a else b", "a"},
      {"if 1 > 2 then a else 1", "1.0"},
      {"if p then a else a", "a"},
      {"if p then true else false", "p"},
      {"if p then false else true", "not p"},
      {"if false then a else i", "i"},
      {"if p then 1 else 2.0", "if p then 1.0 else 2.0"},
      /* neutral elements */
      {"a + 0", "a"},
      {"0 + a", "a"},
      {"a - 0", "a"},
      {"a*1", "a"},
      {"1*a", "a"},
      {"a*0", "0.0"},
      {"0*i", "0"},
      {"a/1", "a"},
      {"0/a", "0.0/a"},
      {"0/2", "0.0"},
      {"-(-a)", "a"},
      {"a^1", "a"},
      {"a^2", "a^2.0"},
      {"a^0", "1.0"},
      {"a - a", "0.0"},
      {"i - i", "0"},
      {"a - (-b)", "a + b"},
      {"a + (-b)", "a - b"},
      {"0 - a", "-a"},
      {"-1*a", "-a"},
      {"a*(-1)", "-a"},
      {"i/1", "i"},
      {"i + 0.0", "i"},
      {"-(-i + 0.0)", "i"},
      {"a - (-i)", "a + i"},
      {"min(a, a)", "a"},
      /* operands keep their order */
      {"b + a", "b + a"},
      {"b*a", "b*a"},
      {"1 + a + 2", "1.0 + a + 2.0"},
      /* hybrid operators */
      {"noEvent(3)", "3"},
      {"smooth(1, 2.5)", "2.5"},
      {"pre(true)", "true"},
      {"der(3.0)", "0.0"},
      {"edge(true)", "false"},
      {"homotopy(a, a)", "a"},
      {"noEvent(a > b)", "noEvent(a > b)"},
  };
  Fix *f = fix_new();
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    assert_string_equal(show(f, rd(f, table[i][0])), table[i][1]);
  fix_free(f);
}

static void test_simplify_types(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprPool *p = f->p;
  /* i + 0.0 is Real: a cast remains */
  const Expr *cast = expr_get(p, rd(f, "i + 0.0"));
  assert_int_equal(cast->op, OP_CAST);
  assert_int_equal(cast->type.i, f->real.i);
  /* a Real if whose chosen branch is Integer */
  ExprId args[3] = {expr_boolean(p, true), expr_integer(p, 4), letter(f, 'a')};
  assert_int_equal(expr_make(p, OP_IF, f->real, 3, args).i, expr_real(p, 4).i);
  /* a dot product of zero-like operands is not scalar arithmetic */
  TypeId v2 = type_array(p, f->real, 1, (int32_t[]){2});
  ExprId x = array_ref(f, "x", v2);
  assert_int_equal(expr_get(p, expr_make(p, OP_MUL, f->real, 2, (ExprId[]){x, x}))->op, OP_MUL);
  /* casts go into array constructors */
  ExprId items[2] = {expr_integer(p, 1), expr_integer(p, 2)};
  ExprId ints = expr_make(p, OP_ARRAY, type_array(p, f->integer, 1, (int32_t[]){2}), 2, items);
  assert_string_equal(show(f, expr_to_real(p, ints)), "{1.0, 2.0}");
  assert_true(expr_is_literal(p, ints));
  fix_free(f);
}

static void test_select_size_field(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprPool *p = f->p;
  TypeId v2 = type_array(p, f->real, 1, (int32_t[]){2}), m22 = type_array(p, v2, 1, (int32_t[]){2});
  ExprId ab = expr_make(p, OP_ARRAY, v2, 2, (ExprId[]){letter(f, 'a'), letter(f, 'b')});
  ExprId cd = expr_make(p, OP_ARRAY, v2, 2, (ExprId[]){letter(f, 'c'), letter(f, 'd')});
  ExprId m = expr_make(p, OP_ARRAY, m22, 2, (ExprId[]){ab, cd});
  ExprId one = expr_integer(p, 1), two = expr_integer(p, 2), three = expr_integer(p, 3),
         i = letter(f, 'i');
  assert_string_equal(show(f, expr_make(p, OP_INDEX, f->real, 3, (ExprId[]){m, two, one})), "c");
  assert_string_equal(show(f, expr_make(p, OP_INDEX, v2, 2, (ExprId[]){m, two})), "{c, d}");
  assert_string_equal(
      show(f, expr_make(p, OP_INDEX, f->real, 2, (ExprId[]){ab, expr_boolean(p, true)})), "b");
  assert_string_equal(show(f, expr_make(p, OP_INDEX, f->real, 2, (ExprId[]){ab, three})),
                      "({a, b})[3]");
  assert_string_equal(show(f, expr_make(p, OP_INDEX, f->real, 3, (ExprId[]){m, two, i})),
                      "({c, d})[i]");
  ExprId x = array_ref(f, "x", m22);
  ExprId row = expr_make(p, OP_INDEX, v2, 2, (ExprId[]){x, i});
  assert_string_equal(show(f, expr_make(p, OP_INDEX, f->real, 2, (ExprId[]){row, one})), "x[i, 1]");
  assert_string_equal(show(f, expr_make(p, OP_SIZE, f->integer, 2, (ExprId[]){x, two})), "2");
  TypeId i2 = type_array(p, f->integer, 1, (int32_t[]){2});
  assert_string_equal(show(f, expr_make(p, OP_SIZE, i2, 1, &x)), "{2, 2}");
  assert_string_equal(show(f, expr_make(p, OP_NDIMS, f->integer, 1, &x)), "2");
  TypeId open = type_array(p, f->real, 1, (int32_t[]){DIM_UNKNOWN});
  ExprId y = expr_local(p, open, 0);
  assert_string_equal(show(f, expr_make(p, OP_SIZE, f->integer, 2, (ExprId[]){y, one})),
                      "size(L0, 1)");
  TypeDecl d = {"A.Pair", 2,   (const char *[]){"re", "im"}, (TypeId[]){f->real, f->real},
                NULL,     NULL};
  TypeId pair = type_of_decl(p, TY_RECORD, &d);
  ExprId r = expr_make(p, OP_RECORD, pair, 2, (ExprId[]){letter(f, 'a'), letter(f, 'b')});
  assert_string_equal(show(f, r), "'A.Pair'(a, b)");
  assert_string_equal(show(f, expr_make_index(p, OP_FIELD, f->real, 1, 0, 1, &r)), "b");
  fix_free(f);
}

static void test_enumerations(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprPool *p = f->p;
  TypeDecl d = {"M.Color", 3, (const char *[]){"red", "green", "'dark blue'"}, NULL, NULL, NULL};
  TypeId color = type_of_decl(p, TY_ENUM, &d);
  ExprId red = expr_enum(p, color, 1), blue = expr_enum(p, color, 3);
  assert_string_equal(show(f, blue), "'M.Color'.'dark blue'");
  assert_string_equal(show(f, expr_binary(p, OP_LT, red, blue)), "true");
  assert_string_equal(show(f, expr_binary(p, OP_MAX2, red, blue)), "'M.Color'.'dark blue'");
  assert_string_equal(show(f, expr_unary(p, OP_ORDINAL, blue)), "3");
  ExprId two = expr_integer(p, 2), nine = expr_integer(p, 9);
  assert_string_equal(show(f, expr_make(p, OP_TO_ENUM, color, 1, &two)), "'M.Color'.green");
  assert_string_equal(show(f, expr_make(p, OP_TO_ENUM, color, 1, &nine)), "'M.Color'(9)");
  fix_free(f);
}

/* Open dimensions close when the arguments get known. */
static void test_dimensions_follow(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprPool *p = f->p;
  TypeId open = type_array(p, f->integer, 1, (int32_t[]){DIM_UNKNOWN});
  ExprId one = expr_integer(p, 1);
  ExprId range = expr_make(p, OP_RANGE, open, 3, (ExprId[]){one, one, expr_integer(p, 4)});
  assert_int_equal(type_count(p, expr_get(p, range)->type), 4);
  ExprId twice = expr_make(p, OP_MUL, open, 2, (ExprId[]){expr_integer(p, 2), range});
  assert_int_equal(type_count(p, expr_get(p, twice)->type), 4);
  static const int64_t cases[][4] = {{1, 1, 0, 0}, {5, -2, 1, 3}, {5, -2, 2, 2},
                                     {1, 3, 9, 3}, {2, 1, 2, 1},  {1, -1, 2, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ExprId ends[3] = {expr_integer(p, cases[i][0]), expr_integer(p, cases[i][1]),
                      expr_integer(p, cases[i][2])};
    assert_int_equal(type_count(p, expr_get(p, expr_make(p, OP_RANGE, open, 3, ends))->type),
                     cases[i][3]);
  }
  fix_free(f);
}

/* ---- printing ---- */

/* Each text reads and prints as itself. */
static void test_print_reads_back(void **state) {
  (void)state;
  static const char *const table[] = {
      "a - (b - c)",
      "a - b - c",
      "a + (b + c)",
      "a/(b*c)",
      "a/b*c",
      "a*(b/c)",
      "a*(b*c)",
      "-(a + b)",
      "-a + b",
      "a*(-b)",
      "(-a)*b",
      "-a*b",
      "(-a)^b",
      "-a^b",
      "a^(-b)",
      "(a^b)^c",
      "a^(b^c)",
      "a - (-3.0)",
      "(-3.0)*a",
      "-3.0 + a",
      "2.5*a",
      "(if p then a else b) + 1.0",
      "if p then a else b + 1.0",
      "if p then a else if q then b else c",
      "if if p then q else r then a else b",
      "not (p and q)",
      "not p and q",
      "p and (q or r)",
      "p and q or r",
      "p or (q or r)",
      "p and (q and r)",
      "(a < b) == (c < d)",
      "not a < b",
      "a < b and c >= d",
      "(not p) == q",
      "sin(a + b)*exp(-a)",
      "min(a, b)",
      "time*a",
      "\"x\" + t",
      "(a + b)*(c - d)",
      "der(a)",
      "pre(p)",
      "edge(p)",
      "noEvent(if a > b then c else d)",
      "smooth(1, a)",
      "a^2.0",
      "1e-300*a",
      "1.5e+20*a",
      "i*j - i/j",
      "0.1*a",
      "-(a - b)",
      "a - b*c",
      "(a - b)*c",
      "a <> b",
      "a == b",
      "i/(j + 1.0)",
  };
  Fix *f = fix_new();
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    assert_string_equal(show(f, rd(f, table[i])), table[i]);
  fix_free(f);
}

static uint32_t seed = 1;
static uint32_t roll(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static bool with_integers;
static ExprId random_boolean(Fix *f, int depth);

static ExprId random_number(Fix *f, int depth) {
  ExprPool *p = f->p;
  static const Op binary[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POW, OP_MIN2, OP_MAX2, OP_ATAN2};
  static const Op unary[] = {OP_NEG, OP_SIN, OP_EXP, OP_ABS, OP_NEG};
  if (depth == 0)
    return roll(4)                    ? letter(f, (char)('a' + roll(with_integers ? 14 : 8)))
           : with_integers && roll(2) ? expr_integer(p, (int64_t)roll(7) - 3)
                                      : expr_real(p, roll(9) / 2.0 - 2);
  switch (roll(6)) {
  case 0: {
    Op op = unary[roll(5)];
    return expr_unary(p, op, random_number(f, depth - 1));
  }
  case 1: {
    ExprId c = random_boolean(f, depth - 1), a = random_number(f, depth - 1);
    return expr_if(p, c, a, random_number(f, depth - 1));
  }
  default: {
    Op op = binary[roll(8)];
    ExprId a = random_number(f, depth - 1);
    return expr_binary(p, op, a, random_number(f, depth - 1));
  }
  }
}

static ExprId random_boolean(Fix *f, int depth) {
  ExprPool *p = f->p;
  if (depth == 0)
    return letter(f, (char)('p' + roll(4)));
  switch (roll(4)) {
  case 0: return expr_unary(p, OP_NOT, random_boolean(f, depth - 1));
  case 1: {
    Op op = (Op)(OP_LT + roll(4));
    ExprId a = random_number(f, depth - 1);
    return expr_binary(p, op, a, random_number(f, depth - 1));
  }
  default: {
    Op op = roll(2) ? OP_AND : OP_OR;
    ExprId a = random_boolean(f, depth - 1);
    return expr_binary(p, op, a, random_boolean(f, depth - 1));
  }
  }
}

/* Casts do not print, so with Integer variables the place of a cast may move; the text must
 * stay. */
static void test_random_reads_back(void **state) {
  (void)state;
  Fix *f = fix_new();
  for (int i = 0; i < 4000; i++) {
    with_integers = i >= 2000;
    ExprId e = roll(4) ? random_number(f, 1 + (int)roll(5)) : random_boolean(f, 1 + (int)roll(5));
    const char *text = show(f, e);
    ExprId back = rd(f, text);
    if (with_integers ? strcmp(show(f, back), text) != 0 : back.i != e.i)
      fail_msg("%s read back as %s", text, show(f, back));
  }
  fix_free(f);
}

/* An expression together with the value that its operators give without any simplification; NaN
 * when a part has none. */
typedef struct {
  ExprId e;
  double value;
} Pair;

static double value_or_none(Op op, double a, double b) {
  double r = isfinite(a) && isfinite(b) ? value_call(op, a, b) : NAN;
  return isfinite(r) ? r : NAN;
}

static Pair random_pair(Fix *f, const double *vars, int depth) {
  static const Op binary[] = {OP_ADD,  OP_SUB,  OP_MUL, OP_DIV, OP_POW,
                              OP_MIN2, OP_MAX2, OP_MOD, OP_REM, OP_DIVT};
  static const Op unary[] = {OP_NEG, OP_ABS, OP_SIGN, OP_FLOOR, OP_NOEVENT, OP_SQRT, OP_TO_INTEGER};
  if (depth == 0) {
    char c = (char)('a' + roll(14));
    int64_t k = (int64_t)roll(5) - 2;
    return roll(3)
               ? (Pair){letter(f, c), vars[c - 'a']}
               : (Pair){roll(2) ? expr_integer(f->p, k) : expr_real(f->p, (double)k), (double)k};
  }
  Pair x = random_pair(f, vars, depth - 1);
  if (roll(5) == 0) {
    Op op = unary[roll(7)];
    return (Pair){expr_unary(f->p, op, x.e), value_or_none(op, x.value, 0)};
  }
  Pair y = roll(6) ? random_pair(f, vars, depth - 1) : x;
  if (roll(5) == 0) {
    Op op = (Op)(OP_LT + roll(6));
    ExprId c = expr_binary(f->p, op, x.e, y.e);
    double holds = value_or_none(op, x.value, y.value);
    return (Pair){expr_if(f->p, c, x.e, y.e), isnan(holds) ? NAN : holds != 0 ? x.value : y.value};
  }
  Op op = binary[roll(10)];
  return (Pair){expr_binary(f->p, op, x.e, y.e), value_or_none(op, x.value, y.value)};
}

static void test_random_values(void **state) {
  (void)state;
  Fix *f = fix_new();
  double vars[26];
  uint32_t compared = 0;
  for (int i = 0; i < 5000; i++) {
    for (int k = 0; k < 26; k++)
      vars[k] = k < 8 ? (double)roll(13) / 2 - 3 : (double)roll(7) - 3;
    Pair r = random_pair(f, vars, 1 + (int)roll(4));
    double got = value(f->p, r.e, vars, 0);
    if (isnan(r.value))
      continue;
    compared++;
    if (got != r.value)
      fail_msg("%s is %.17g, expected %.17g", show(f, r.e), got, r.value);
  }
  assert_true(compared > 2500);
  fix_free(f);
}

static void test_print_forms(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprPool *p = f->p;
  assert_string_equal(show(f, expr_string(p, "a\"b\\c\n")), "\"a\\\"b\\\\c\\n\"");
  assert_string_equal(show(f, expr_real(p, 3)), "3.0");
  assert_string_equal(show(f, expr_real(p, -0.0)), "-0.0");
  TypeId i3 = type_array(p, f->integer, 1, (int32_t[]){3});
  ExprId one = expr_integer(p, 1), three = expr_integer(p, 3), two = expr_integer(p, 2);
  ExprId range = expr_make(p, OP_RANGE, i3, 3, (ExprId[]){one, one, three});
  ExprId odd = expr_make(p, OP_RANGE, i3, 3, (ExprId[]){one, two, expr_integer(p, 5)});
  assert_string_equal(show(f, range), "1:3");
  assert_string_equal(show(f, expr_make(p, OP_MUL, i3, 2, (ExprId[]){two, odd})), "2*(1:2:5)");
  assert_string_equal(show(f, expr_make(p, OP_SUM, f->integer, 1, &range)), "sum(1:3)");
  TypeId v0 = type_array(p, f->real, 2, (int32_t[]){2, 0});
  assert_string_equal(show(f, expr_make(p, OP_ARRAY, v0, 0, NULL)), "fill(0.0, 2, 0)");
  /* iterators: the range of the last one comes first */
  TypeId m = type_array(p, f->integer, 2, (int32_t[]){3, 3});
  ExprId body = expr_binary(p, OP_ADD, expr_local(p, f->integer, 4), expr_local(p, f->integer, 5));
  assert_string_equal(
      show(f, expr_make_index(p, OP_COMPREHEND, m, 4, 0, 3, (ExprId[]){body, odd, range})),
      "{L4 + L5 for L4 in 1:3, L5 in 1:2:5}");
  assert_string_equal(
      show(f, expr_make_index(p, OP_REDUCE, f->integer, 4, OP_MUL, 2, (ExprId[]){body, range})),
      "product(L4 + L5 for L4 in 1:3)");
  /* calls and their parts */
  TypeId v2 = type_array(p, f->real, 1, (int32_t[]){2});
  FuncVar vars[] = {{.name = "u"}, {.name = "y1"}, {.name = "y2"}};
  Func fn = {.name = "fn", .vars = vars, .n_inputs = 1, .n_outputs = 2, .n_vars = 3};
  ExprId a = letter(f, 'a');
  ExprId vector = expr_make_ref(p, OP_CALL, v2, &fn, 1, &a);
  assert_string_equal(show(f, expr_make_index(p, OP_PART, f->real, 1, 0, 1, &vector)),
                      "(fn(a))[2]");
  ExprId both = expr_make_ref(p, OP_CALL, type_tuple(p, 2, (TypeId[]){f->real, v2}), &fn, 1, &a);
  assert_string_equal(show(f, expr_make_index(p, OP_PART, f->real, 0, 0, 1, &both)), "(fn(a)).y1");
  assert_string_equal(show(f, expr_make_index(p, OP_PART, f->real, 2, 0, 1, &both)),
                      "(fn(a)).y2[2]");
  TypeId function = type_scalar(p, TY_FUNCTION);
  assert_string_equal(show(f, expr_make_ref(p, OP_FUNCTION, function, &fn, 1, &a)),
                      "function fn(u = a)");
  assert_string_equal(show(f, expr_make_ref(p, OP_FUNCTION, function, &fn, 0, NULL)), "fn");
  ExprId format[4] = {a, expr_integer(p, 6), expr_integer(p, 0), expr_boolean(p, true)};
  assert_string_equal(show(f, expr_make(p, OP_STRING_OF, f->string, 4, format)),
                      "String(a, significantDigits = 6, minimumLength = 0, leftJustified = true)");
  format[0] = letter(f, 'i');
  assert_string_equal(show(f, expr_make(p, OP_STRING_OF, f->string, 4, format)),
                      "String(i, minimumLength = 0, leftJustified = true)");
  fix_free(f);
}

/* ---- walking ---- */

static void count_visit(void *user, ExprId e) {
  uint32_t *ids = user;
  ids[++ids[0]] = e.i;
}

static ExprId a_to_2b(void *user, ExprId e) {
  Fix *f = user;
  return expr_same(e, letter(f, 'a')) ? rd(f, "2*b") : NO_EXPR;
}

static void test_walk_rewrite(void **state) {
  (void)state;
  Fix *f = fix_new();
  uint32_t ids[32] = {0};
  ExprId e = rd(f, "(a + b)*(a + b) + sin(a)");
  expr_walk(f->p, e, count_visit, ids);
  assert_int_equal(ids[0], 6); /* a, b, a + b, the product, sin(a), the sum */
  assert_int_equal(ids[1], letter(f, 'a').i);
  assert_int_equal(ids[6], e.i);
  assert_string_equal(show(f, expr_rewrite(f->p, e, a_to_2b, f)),
                      "(2.0*b + b)*(2.0*b + b) + sin(2.0*b)");
  assert_int_equal(expr_rewrite(f->p, rd(f, "b + c"), a_to_2b, f).i, rd(f, "b + c").i);
  fix_free(f);
}

/* A sum of 10,000 terms and a chain of 100,000 functions. */
static ExprId one_for_each(void *user, ExprId var) {
  (void)var;
  return expr_real(((Fix *)user)->p, 1);
}

static void visit_none(void *user, ExprId e) {
  (void)e;
  ++*(uint32_t *)user;
}

static void deep(Fix *f, ExprId e, uint32_t nodes, size_t text_length) {
  uint32_t n = 0;
  expr_walk(f->p, e, visit_none, &n);
  assert_int_equal(n, nodes);
  assert_int_equal(strlen(show(f, e)), text_length);
  assert_int_not_equal(expr_rewrite(f->p, e, a_to_2b, f).i, e.i);
  Scalarizer s = {.pool = f->p};
  ExprId out;
  assert_true(expr_scalars(&s, e, &out));
  assert_int_equal(out.i, e.i);
}

static void test_deep(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprId a = letter(f, 'a'), sum = a, chain = a;
  for (int i = 1; i < 10000; i++)
    sum = expr_binary(f->p, OP_ADD, sum, a);
  deep(f, sum, 10000, 1 + 4 * 9999);
  assert_string_equal(show(f, expr_diff(f->p, sum, a)), "10000.0");
  assert_string_equal(show(f, expr_diff_time(f->p, sum, one_for_each, f)), "10000.0");
  for (int i = 0; i < 100000; i++)
    chain = expr_unary(f->p, OP_SIN, chain);
  deep(f, chain, 100001, 1 + 5 * 100000);
  fix_free(f);
}

/* ---- derivatives ---- */

static const char *const smooth_cases[] = {
    "a + b",
    "a - b",
    "-a",
    "a*b",
    "a/b",
    "a*a*a",
    "a^2",
    "a^(-1.5)",
    "a^b",
    "b^a",
    "2^a",
    "a^c",
    "sqrt(a)",
    "sin(a*b)",
    "cos(a)",
    "tan(a)",
    "asin(a/4)",
    "acos(a/4)",
    "atan(a)",
    "atan2(a, b)",
    "atan2(b, a)",
    "sinh(a)",
    "cosh(a)",
    "tanh(a)",
    "exp(-a)",
    "log(a)",
    "log10(a*b)",
    "abs(a)",
    "abs(-a*b)",
    "min(a, b)",
    "max(a, b*2)",
    "if a > b then a^2 else a*b",
    "if p then a else b",
    "mod(a, b)",
    "rem(a, b)",
    "mod(10*a, a)",
    "floor(a) + a",
    "ceil(3*a)*a",
    "sign(a)*a",
    "div(a, b)*a",
    "noEvent(a*a)",
    "smooth(2, a^3)",
    "homotopy(a*b, a)",
    "(a + b)/(a - 3*b)",
    "sin(a)^2 + cos(a)^2",
    "exp(a*log(b))",
    "i*a",
    "i/a",
    "integer(a)*a",
    "time*a",
    "(if a > 0 then 1 else 2)*a",
    "der(c)*a",
    "pre(d)*a",
    "a/2",
    "2/a",
    "(a*b)^3",
    "a*a/(b*b)",
};

static void test_partial(void **state) {
  (void)state;
  Fix *f = fix_new();
  double vars[26];
  for (size_t c = 0; c < sizeof smooth_cases / sizeof smooth_cases[0]; c++) {
    ExprId e = rd(f, smooth_cases[c]);
    for (char x = 'a'; x <= 'b'; x++) {
      ExprId d = expr_diff(f->p, e, letter(f, x));
      assert_int_not_equal(d.i, 0);
      if (strstr(smooth_cases[c], "der(") || strstr(smooth_cases[c], "pre("))
        continue; /* no value here; the form is checked below */
      for (int k = 0; k < 26; k++)
        vars[k] = 0.7 + 0.31 * k;
      double *v = &vars[x - 'a'], at = *v, h = 1e-6;
      double exact = value(f->p, d, vars, 0.4);
      *v = at + h;
      double up = value(f->p, e, vars, 0.4);
      *v = at - h;
      double difference = (up - value(f->p, e, vars, 0.4)) / (2 * h);
      if (!(fabs(exact - difference) <= 1e-7 * (1 + fabs(exact))))
        fail_msg("d(%s)/d%c = %s is %g, difference %g", smooth_cases[c], x, show(f, d), exact,
                 difference);
    }
  }
  assert_string_equal(show(f, expr_diff(f->p, rd(f, "der(c)*a"), letter(f, 'a'))), "der(c)");
  assert_string_equal(show(f, expr_diff(f->p, rd(f, "der(c)*a"), rd(f, "der(c)"))), "a");
  assert_string_equal(show(f, expr_diff(f->p, rd(f, "pre(a)*a"), letter(f, 'a'))), "pre(a)");
  assert_string_equal(show(f, expr_diff(f->p, rd(f, "a^2 + 3*a + b"), letter(f, 'a'))),
                      "2.0*a + 3.0");
  assert_string_equal(show(f, expr_diff(f->p, rd(f, "b*c"), letter(f, 'a'))), "0.0");
  fix_free(f);
}

/* a(t) = 0.7 + t, b(t) = 1.3 + t^2, c parameter. */
static ExprId rate(void *user, ExprId var) {
  Fix *f = user;
  if (expr_same(var, letter(f, 'a')))
    return expr_real(f->p, 1);
  return expr_same(var, letter(f, 'b')) ? rd(f, "2*time") : expr_real(f->p, 0);
}

static double at_time(Fix *f, ExprId e, double t) {
  double vars[26];
  for (int k = 0; k < 26; k++)
    vars[k] = 0.5 + k;
  vars[0] = 0.7 + t;
  vars[1] = 1.3 + t * t;
  return value(f->p, e, vars, t);
}

static void test_total(void **state) {
  (void)state;
  Fix *f = fix_new();
  for (size_t c = 0; c < sizeof smooth_cases / sizeof smooth_cases[0]; c++) {
    if (strstr(smooth_cases[c], "der(") || strstr(smooth_cases[c], "pre("))
      continue;
    ExprId e = rd(f, smooth_cases[c]), d = expr_diff_time(f->p, e, rate, f);
    double h = 1e-6, t = 0.37, exact = at_time(f, d, t);
    double difference = (at_time(f, e, t + h) - at_time(f, e, t - h)) / (2 * h);
    if (!(fabs(exact - difference) <= 1e-7 * (1 + fabs(exact))))
      fail_msg("%s: %s is %g, difference %g", smooth_cases[c], show(f, d), exact, difference);
  }
  ExprId late = expr_make(f->p, OP_DELAY, f->real, 2, (ExprId[]){rd(f, "a*c"), rd(f, "c")});
  assert_string_equal(show(f, expr_diff_time(f->p, late, rate, f)), "delay(c, c)");
  fix_free(f);
}

static ExprId no_rate(void *user, ExprId var) {
  (void)user, (void)var;
  return NO_EXPR;
}

static ExprId counted_rate(void *user, ExprId var) {
  (void)var;
  return ++*(int *)user, NO_EXPR;
}

static void test_not_differentiable(void **state) {
  (void)state;
  Fix *f = fix_new();
  ExprPool *p = f->p;
  ExprId a = letter(f, 'a'), b = letter(f, 'b');
  FuncVar input = {.name = "u", .type = f->real};
  Func fn = {.name = "fn", .vars = &input, .n_inputs = 1, .n_vars = 1};
  ExprId call = expr_make_ref(p, OP_CALL, f->real, &fn, 1, &b), e = expr_binary(p, OP_MUL, a, call);
  assert_string_equal(show(f, expr_diff(p, e, a)), "fn(b)");
  assert_int_equal(expr_diff(p, e, b).i, 0);
  assert_int_equal(expr_diff_time(p, rd(f, "a + b"), no_rate, NULL).i, 0);
  /* variables in conditions are not asked about */
  int asked = 0;
  assert_string_equal(
      show(f, expr_diff_time(p, rd(f, "if a > b then time else i"), counted_rate, &asked)),
      "if a > b then 1.0 else 0.0");
  assert_int_equal(asked, 0);
  /* an array with a running subscript */
  TypeId v2 = type_array(p, f->real, 1, (int32_t[]){2});
  ExprId items[2] = {rd(f, "a^2"), b},
         pick[2] = {expr_make(p, OP_ARRAY, v2, 2, items), letter(f, 'i')};
  assert_string_equal(show(f, expr_diff(p, expr_make(p, OP_INDEX, f->real, 2, pick), a)),
                      "({2.0*a, 0.0})[i]");
  ExprId semi[3] = {a, b, letter(f, 'c')};
  assert_string_equal(show(f, expr_diff(p, expr_make(p, OP_SEMILINEAR, f->real, 3, semi), a)),
                      "if a >= 0.0 then b else c");
  fix_free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types_are_shared),
      cmocka_unit_test(test_nodes_are_shared),
      cmocka_unit_test(test_pool_on),
      cmocka_unit_test(test_simplify),
      cmocka_unit_test(test_simplify_types),
      cmocka_unit_test(test_select_size_field),
      cmocka_unit_test(test_enumerations),
      cmocka_unit_test(test_dimensions_follow),
      cmocka_unit_test(test_print_reads_back),
      cmocka_unit_test(test_random_reads_back),
      cmocka_unit_test(test_random_values),
      cmocka_unit_test(test_print_forms),
      cmocka_unit_test(test_walk_rewrite),
      cmocka_unit_test(test_deep),
      cmocka_unit_test(test_partial),
      cmocka_unit_test(test_total),
      cmocka_unit_test(test_not_differentiable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
