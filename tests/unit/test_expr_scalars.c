/* tests/unit/test_expr_scalars.c -- expansion of array expressions, against results worked out by
 * hand. */
#include "expr_fixture.h"

#include "expr/eval.h"

/* ---- scaffolding ---- */

typedef struct {
  Fix *f;
  uint32_t whole, parts; /* calls of leaf and of part */
} Leaves;

static bool leaf_cells(void *user, ExprId e, uint32_t n, ExprId *out) {
  Leaves *l = user;
  Fix *f = l->f;
  const Expr *x = expr_get(f->p, e);
  if (x->op != OP_REF)
    return false;
  const ArrayVar *a = x->ref;
  l->whole++;
  assert_int_equal(a->n, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = expr_var(f->p, f->real, a->first + k);
  return true;
}

static bool leaf_part(void *user, ExprId e, uint32_t first, uint32_t n, ExprId *out) {
  Leaves *l = user;
  Fix *f = l->f;
  const ArrayVar *a = expr_get(f->p, e)->ref;
  l->parts++;
  assert_true(first + n <= a->n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = expr_var(f->p, f->real, a->first + first + k);
  return true;
}

static const char *expand_with(Fix *f, Scalarizer *s, ExprId e) {
  int64_t n = type_count(f->p, expr_get(f->p, e)->type);
  ExprId *out = NEW_ARRAY(f->arena, ExprId, n < 1 ? 1 : n);
  if (!expr_scalars(s, e, out))
    return s->why;
  Text text = {.arena = f->arena};
  for (int64_t k = 0; k < n; k++) {
    text_add(&text, k ? "; " : "");
    text_add(&text, show(f, out[k]));
  }
  return text_str(&text);
}

/* The scalars of e joined by "; ", or why there are none. */
static const char *expand(Fix *f, ExprId e) {
  Leaves l = {f, 0, 0};
  Scalarizer s = {.pool = f->p, .leaf = leaf_cells, .user = &l};
  return expand_with(f, &s, e);
}

static TypeId dims1(Fix *f, TypeId t, int32_t n) { return type_array(f->p, t, 1, &n); }
static TypeId dims2(Fix *f, TypeId t, int32_t n, int32_t m) {
  return type_array(f->p, t, 2, (int32_t[]){n, m});
}
static ExprId op1(Fix *f, Op op, TypeId t, ExprId a) { return expr_make(f->p, op, t, 1, &a); }
static ExprId op2(Fix *f, Op op, TypeId t, ExprId a, ExprId b) {
  return expr_make(f->p, op, t, 2, (ExprId[]){a, b});
}
static ExprId op3(Fix *f, Op op, TypeId t, ExprId a, ExprId b, ExprId c) {
  return expr_make(f->p, op, t, 3, (ExprId[]){a, b, c});
}
static ExprId num(Fix *f, int64_t k) { return expr_integer(f->p, k); }
static ExprId range(Fix *f, int64_t from, int64_t to) {
  return op3(f, OP_RANGE, dims1(f, f->integer, DIM_UNKNOWN), num(f, from), num(f, 1), num(f, to));
}

/* Vectors x, y of 2, w of 3; matrices A 2x2, B 2x3; scalar s. */
typedef struct {
  Fix *f;
  TypeId v2, v3, m22, m23;
  ExprId x, y, w, A, B, s;
} World;

static World world_new(void) {
  Fix *f = fix_new();
  World o = {.f = f,
             .v2 = dims1(f, f->real, 2),
             .v3 = dims1(f, f->real, 3),
             .m22 = dims2(f, f->real, 2, 2),
             .m23 = dims2(f, f->real, 2, 3),
             .s = letter(f, 'a')};
  o.x = array_ref(f, "x", o.v2);
  o.y = array_ref(f, "y", o.v2);
  o.w = array_ref(f, "w", o.v3);
  o.A = array_ref(f, "A", o.m22);
  o.B = array_ref(f, "B", o.m23);
  return o;
}

/* ---- operators ---- */

static void test_element_wise(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  assert_string_equal(expand(f, o.A), "A1; A2; A3; A4");
  assert_string_equal(expand(f, op2(f, OP_ADD, o.v2, o.x, o.y)), "x1 + y1; x2 + y2");
  assert_string_equal(expand(f, op2(f, OP_SUB, o.v2, o.x, o.y)), "x1 - y1; x2 - y2");
  assert_string_equal(expand(f, op1(f, OP_NEG, o.v2, o.x)), "-x1; -x2");
  assert_string_equal(expand(f, op2(f, OP_DIV, o.v2, o.x, o.s)), "x1/a; x2/a");
  assert_string_equal(expand(f, op2(f, OP_MUL, o.v2, o.s, o.x)), "a*x1; a*x2");
  assert_string_equal(expand(f, op2(f, OP_MUL, o.v2, o.x, o.s)), "x1*a; x2*a");
  assert_string_equal(expand(f, op2(f, OP_MUL_EL, o.v2, o.x, o.y)), "x1*y1; x2*y2");
  assert_string_equal(expand(f, op2(f, OP_ADD_EL, o.v2, o.s, o.x)), "a + x1; a + x2");
  assert_string_equal(expand(f, op2(f, OP_SUB_EL, o.v2, o.x, o.s)), "x1 - a; x2 - a");
  assert_string_equal(expand(f, op2(f, OP_DIV_EL, o.v2, o.s, o.x)), "a/x1; a/x2");
  assert_string_equal(expand(f, op2(f, OP_POW_EL, o.v2, o.x, expr_real(f->p, 2))),
                      "x1^2.0; x2^2.0");
  ExprId c = rd(f, "p");
  assert_string_equal(expand(f, op3(f, OP_IF, o.v2, c, o.x, o.y)),
                      "if p then x1 else y1; if p then x2 else y2");
  assert_string_equal(expand(f, op1(f, OP_SIN, o.v2, o.x)), "sin(x1); sin(x2)");
  TypeId i2 = dims1(f, f->integer, 2);
  ExprId ints = op2(f, OP_ARRAY, i2, rd(f, "i"), rd(f, "j + 1"));
  const Expr *cast = expr_get(f->p, op1(f, OP_CAST, o.v2, ints));
  assert_int_equal(cast->op, OP_ARRAY);
  fix_free(f);
}

static void test_products(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  assert_string_equal(expand(f, op2(f, OP_MUL, f->real, o.x, o.y)), "x1*y1 + x2*y2");
  assert_string_equal(expand(f, op2(f, OP_MUL, o.v2, o.A, o.x)), "A1*x1 + A2*x2; A3*x1 + A4*x2");
  assert_string_equal(expand(f, op2(f, OP_MUL, o.v2, o.x, o.A)), "x1*A1 + x2*A3; x1*A2 + x2*A4");
  assert_string_equal(expand(f, op2(f, OP_MUL, o.v2, o.B, o.w)),
                      "B1*w1 + B2*w2 + B3*w3; B4*w1 + B5*w2 + B6*w3");
  assert_string_equal(
      expand(f, op2(f, OP_MUL, o.m23, o.A, o.B)),
      "A1*B1 + A2*B4; A1*B2 + A2*B5; A1*B3 + A2*B6; A3*B1 + A4*B4; A3*B2 + A4*B5; A3*B3 + A4*B6");
  assert_string_equal(expand(f, op2(f, OP_POW, o.m22, o.A, num(f, 2))),
                      "A1*A1 + A2*A3; A1*A2 + A2*A4; A3*A1 + A4*A3; A3*A2 + A4*A4");
  assert_string_equal(expand(f, op2(f, OP_POW, o.m22, o.A, num(f, 1))), "A1; A2; A3; A4");
  assert_string_equal(expand(f, op2(f, OP_POW, o.m22, o.A, num(f, 0))), "1.0; 0.0; 0.0; 1.0");
  assert_string_equal(expand(f, op2(f, OP_POW, o.m22, o.A, rd(f, "i"))),
                      "the exponent of a matrix must be an Integer constant that is not negative");
  assert_string_equal(expand(f, op2(f, OP_MUL, o.v2, o.A, o.w)), "factors differ in size");
  /* powers of numbers: {{1, 1}, {1, 0}}^7 holds Fibonacci numbers */
  TypeId i2 = dims1(f, f->integer, 2), im = dims2(f, f->integer, 2, 2);
  ExprId fib = op2(f, OP_ARRAY, im, op2(f, OP_ARRAY, i2, num(f, 1), num(f, 1)),
                   op2(f, OP_ARRAY, i2, num(f, 1), num(f, 0)));
  assert_string_equal(expand(f, op2(f, OP_POW, im, fib, num(f, 7))), "21; 13; 13; 8");
  fix_free(f);
}

/* ---- selection ---- */

static void test_subscripts(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  ExprId i = rd(f, "i");
  assert_string_equal(expand(f, op3(f, OP_INDEX, f->real, o.B, num(f, 2), num(f, 3))), "B6");
  assert_string_equal(expand(f, op2(f, OP_INDEX, o.v3, o.B, num(f, 2))), "B4; B5; B6");
  assert_string_equal(expand(f, op3(f, OP_INDEX, o.v2, o.B, range(f, 1, 2), num(f, 2))), "B2; B5");
  assert_string_equal(expand(f, op3(f, OP_INDEX, o.v2, o.B, num(f, 1), range(f, 2, 3))), "B2; B3");
  assert_string_equal(expand(f, op2(f, OP_INDEX, f->real, o.x, i)), "({x1, x2})[i]");
  assert_string_equal(expand(f, op3(f, OP_INDEX, f->real, o.B, i, num(f, 2))), "({B2, B5})[i]");
  assert_string_equal(expand(f, op3(f, OP_INDEX, f->real, o.B, i, rd(f, "j"))),
                      "({{B1, B2, B3}, {B4, B5, B6}})[i, j]");
  assert_string_equal(expand(f, op2(f, OP_INDEX, o.v3, o.B, i)),
                      "({B1, B4})[i]; ({B2, B5})[i]; ({B3, B6})[i]");
  TypeId i2 = dims1(f, f->integer, 2);
  ExprId list = op2(f, OP_ARRAY, i2, num(f, 3), i);
  assert_string_equal(expand(f, op2(f, OP_INDEX, o.v2, o.w, list)), "w3; ({w1, w2, w3})[i]");
  assert_string_equal(expand(f, op2(f, OP_INDEX, f->real, o.x, expr_boolean(f->p, false))), "x1");
  assert_string_equal(expand(f, op2(f, OP_INDEX, f->real, o.x, rd(f, "p"))), "({x1, x2})[p]");
  TypeDecl d = {"E", 2, (const char *[]){"one", "two"}, NULL, NULL, NULL};
  ExprId two = expr_enum(f->p, type_of_decl(f->p, TY_ENUM, &d), 2);
  assert_string_equal(expand(f, op2(f, OP_INDEX, f->real, o.x, two)), "x2");
  assert_string_equal(expand(f, op2(f, OP_INDEX, f->real, o.x, num(f, 3))),
                      "a subscript is out of range");
  assert_string_equal(expand(f, op2(f, OP_INDEX, f->real, o.x, num(f, 0))),
                      "a subscript is out of range");
  /* subscripts of other than names */
  assert_string_equal(
      expand(f, op2(f, OP_INDEX, f->real, op2(f, OP_ADD, o.v2, o.x, o.y), num(f, 2))), "x2 + y2");
  fix_free(f);
}

static void test_records(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  TypeDecl inner = {"In", 2, (const char *[]){"u", "v"}, (TypeId[]){f->real, o.v2}, NULL, NULL};
  TypeId in = type_of_decl(f->p, TY_RECORD, &inner);
  TypeDecl outer = {"Out", 2, (const char *[]){"s", "q"}, (TypeId[]){f->real, in}, NULL, NULL};
  TypeId out = type_of_decl(f->p, TY_RECORD, &outer);
  ExprId r = array_ref(f, "r", out), R = array_ref(f, "R", dims1(f, out, 2));
  assert_string_equal(expand(f, r), "r1; r2; r3; r4");
  ExprId q = expr_make_index(f->p, OP_FIELD, in, 1, 0, 1, &r);
  assert_string_equal(expand(f, q), "r2; r3; r4");
  ExprId v = expr_make_index(f->p, OP_FIELD, o.v2, 1, 0, 1, &q);
  assert_string_equal(show(f, v), "r.q.v");
  assert_string_equal(expand(f, v), "r3; r4");
  /* a field of an array of records is an array of that field */
  ExprId Q = expr_make_index(f->p, OP_FIELD, dims1(f, in, 2), 1, 0, 1, &R);
  ExprId V = expr_make_index(f->p, OP_FIELD, o.m22, 1, 0, 1, &Q);
  assert_string_equal(expand(f, V), "R3; R4; R7; R8");
  ExprId S = expr_make_index(f->p, OP_FIELD, o.v2, 0, 0, 1, &R);
  assert_string_equal(expand(f, S), "R1; R5");
  assert_string_equal(expand(f, op2(f, OP_INDEX, out, R, num(f, 2))), "R5; R6; R7; R8");
  ExprId Ri = op2(f, OP_INDEX, out, R, rd(f, "i"));
  assert_string_equal(expand(f, expr_make_index(f->p, OP_FIELD, f->real, 0, 0, 1, &Ri)),
                      "({R1, R5})[i]");
  ExprId made = op2(f, OP_RECORD, in, o.s, o.x);
  assert_string_equal(expand(f, made), "a; x1; x2");
  assert_string_equal(expand(f, op3(f, OP_IF, in, rd(f, "p"), made, q)),
                      "if p then a else r2; if p then x1 else r3; if p then x2 else r4");
  assert_string_equal(expand(f, op2(f, OP_ARRAY, dims1(f, in, 2), made, q)),
                      "a; x1; x2; r2; r3; r4");
  ExprId none = NO_EXPR;
  TypeId pair = type_tuple(f->p, 2, (TypeId[]){o.v2, f->real});
  assert_string_equal(expand(f, op2(f, OP_TUPLE, pair, none, o.s)), "; ; a");
  fix_free(f);
}

/* x[3] of a large x asks for one scalar only. */
static void test_part_of_leaf(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  TypeDecl inner = {"In", 2, (const char *[]){"u", "v"}, (TypeId[]){f->real, o.m23}, NULL, NULL};
  TypeId in = type_of_decl(f->p, TY_RECORD, &inner);
  ExprId R = array_ref(f, "R", dims2(f, in, 100, 100));
  Leaves l = {f, 0, 0};
  Scalarizer s = {.pool = f->p, .leaf = leaf_cells, .user = &l, .part = leaf_part};
  ExprId element = op3(f, OP_INDEX, in, R, num(f, 2), num(f, 3));
  ExprId v = expr_make_index(f->p, OP_FIELD, o.m23, 1, 0, 1, &element);
  /* 7 scalars per record; element (2, 3) is record 102 */
  assert_string_equal(expand_with(f, &s, op2(f, OP_INDEX, o.v3, v, num(f, 2))), "R719; R720; R721");
  assert_int_equal(l.whole, 0);
  assert_int_equal(l.parts, 1);
  assert_string_equal(expand_with(f, &s, op2(f, OP_INDEX, o.v2, o.w, range(f, 2, 3))), "w2; w3");
  assert_int_equal(l.whole, 1);
  fix_free(f);
}

/* ---- functions ---- */

static void test_array_functions(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  TypeId m32 = dims2(f, f->real, 3, 2), m33 = dims2(f, f->real, 3, 3);
  assert_string_equal(expand(f, op1(f, OP_TRANSPOSE, m32, o.B)), "B1; B4; B2; B5; B3; B6");
  assert_string_equal(expand(f, op2(f, OP_OUTER, o.m23, o.x, o.w)),
                      "x1*w1; x1*w2; x1*w3; x2*w1; x2*w2; x2*w3");
  assert_string_equal(expand(f, op1(f, OP_SYMMETRIC, o.m22, o.A)), "A1; A2; A2; A4");
  ExprId u = array_ref(f, "u", o.v3);
  assert_string_equal(expand(f, op2(f, OP_CROSS, o.v3, o.w, u)),
                      "w2*u3 - w3*u2; w3*u1 - w1*u3; w1*u2 - w2*u1");
  assert_string_equal(expand(f, op1(f, OP_SKEW, m33, o.w)),
                      "0.0; -w3; w2; w3; 0.0; -w1; -w2; w1; 0.0");
  assert_string_equal(expand(f, op1(f, OP_IDENTITY, dims2(f, f->integer, 2, 2), num(f, 2))),
                      "1; 0; 0; 1");
  assert_string_equal(expand(f, op1(f, OP_DIAGONAL, o.m22, o.x)), "x1; 0.0; 0.0; x2");
  assert_string_equal(expand(f, op3(f, OP_FILL, o.m22, o.s, num(f, 2), num(f, 2))), "a; a; a; a");
  assert_string_equal(expand(f, op3(f, OP_LINSPACE, o.v3, num(f, 1), num(f, 2), num(f, 3))),
                      "1.0; 1.5; 2.0");
  assert_string_equal(expand(f, op3(f, OP_CAT, dims1(f, f->real, 5), num(f, 1), o.x, o.w)),
                      "x1; x2; w1; w2; w3");
  TypeId m25 = dims2(f, f->real, 2, 5), m42 = dims2(f, f->real, 4, 2);
  assert_string_equal(expand(f, op3(f, OP_CAT, m25, num(f, 2), o.A, o.B)),
                      "A1; A2; B1; B2; B3; A3; A4; B4; B5; B6");
  assert_string_equal(expand(f, op3(f, OP_CAT, m42, num(f, 1), o.A, o.A)),
                      "A1; A2; A3; A4; A1; A2; A3; A4");
  assert_string_equal(expand(f, op2(f, OP_PROMOTE, dims2(f, f->real, 2, 1), o.x, num(f, 2))),
                      "x1; x2");
  ExprId C = array_ref(f, "C", dims2(f, f->real, 1, 3));
  assert_string_equal(expand(f, op1(f, OP_VECTOR, o.v3, C)), "C1; C2; C3");
  assert_string_equal(expand(f, op1(f, OP_VECTOR, dims1(f, f->real, 4), o.A)),
                      "vector needs an array with all sizes but one equal to 1");
  assert_string_equal(expand(f, op1(f, OP_MATRIX, dims2(f, f->real, 2, 1), o.x)), "x1; x2");
  ExprId one = op1(f, OP_ARRAY, dims1(f, f->real, 1), o.s);
  assert_string_equal(expand(f, op1(f, OP_SCALAR, f->real, one)), "a");
  assert_string_equal(expand(f, op1(f, OP_SCALAR, f->real, o.x)),
                      "scalar needs an array of one element");
  assert_string_equal(expand(f, op1(f, OP_SUM, f->real, o.w)), "w1 + w2 + w3");
  assert_string_equal(expand(f, op1(f, OP_PRODUCT, f->real, o.w)), "w1*w2*w3");
  assert_string_equal(expand(f, op1(f, OP_MIN, f->real, o.w)), "min(min(w1, w2), w3)");
  assert_string_equal(expand(f, op1(f, OP_MAX, f->real, o.A)), "max(max(max(A1, A2), A3), A4)");
  ExprId empty = expr_make(f->p, OP_ARRAY, dims1(f, f->real, 0), 0, NULL);
  assert_string_equal(expand(f, op1(f, OP_SUM, f->real, empty)), "0.0");
  assert_string_equal(expand(f, op1(f, OP_PRODUCT, f->real, empty)), "1.0");
  assert_string_equal(expand(f, op2(f, OP_SIZE, f->integer, o.B, rd(f, "i"))), "({2, 3})[i]");
  TypeId open = dims1(f, f->real, DIM_UNKNOWN);
  assert_string_equal(expand(f, op1(f, OP_SUM, f->real, expr_local(f->p, open, 0))),
                      "an array size is not known");
  fix_free(f);
}

static void test_hybrid_operators(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  TypeId b2 = dims1(f, f->boolean, 2);
  assert_string_equal(expand(f, op1(f, OP_DER, o.v2, o.x)), "der(x1); der(x2)");
  assert_string_equal(expand(f, op1(f, OP_PRE, o.v2, o.x)), "pre(x1); pre(x2)");
  assert_string_equal(expand(f, op1(f, OP_CHANGE, b2, o.x)), "change(x1); change(x2)");
  assert_string_equal(expand(f, op1(f, OP_EDGE, b2, o.x)), "edge(x1); edge(x2)");
  assert_string_equal(expand(f, op1(f, OP_NOEVENT, o.v2, o.x)), "noEvent(x1); noEvent(x2)");
  assert_string_equal(expand(f, op2(f, OP_SMOOTH, o.v2, num(f, 1), o.x)),
                      "smooth(1, x1); smooth(1, x2)");
  assert_string_equal(expand(f, op2(f, OP_HOMOTOPY, o.v2, o.x, o.y)),
                      "homotopy(x1, y1); homotopy(x2, y2)");
  assert_string_equal(expand(f, op2(f, OP_DELAY, o.v2, o.x, o.s)), "delay(x1, a); delay(x2, a)");
  assert_string_equal(expand(f, op3(f, OP_SEMILINEAR, o.v2, o.s, o.x, o.y)),
                      "semiLinear(a, x1, y1); semiLinear(a, x2, y2)");
  assert_string_equal(expand(f, op1(f, OP_INSTREAM, o.v2, o.x)), "inStream(x1); inStream(x2)");
  assert_string_equal(expand(f, op1(f, OP_ACTUALSTREAM, o.v2, o.x)),
                      "actualStream(x1); actualStream(x2)");
  assert_string_equal(expand(f, expr_make(f->p, OP_INITIAL, f->boolean, 0, NULL)), "initial()");
  /* shared scalars are shared after expansion, too */
  ExprId d = op1(f, OP_SUM, f->real, op2(f, OP_MUL_EL, o.v2, o.x, o.x)), out;
  Leaves l = {f, 0, 0};
  Scalarizer s = {.pool = f->p, .leaf = leaf_cells, .user = &l};
  assert_true(expr_scalars(&s, op2(f, OP_MUL, f->real, d, d), &out));
  assert_int_equal(l.whole, 1);
  assert_int_equal(expr_get(f->p, out)->args[0].i, expr_get(f->p, out)->args[1].i);
  fix_free(f);
}

static void test_calls(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  FuncVar vars[] = {{.name = "u"}, {.name = "y"}, {.name = "z"}};
  Func fn = {.name = "fn", .vars = vars, .n_inputs = 1, .n_outputs = 2, .n_vars = 3};
  ExprId sum = op2(f, OP_ADD, o.v2, o.x, o.y);
  ExprId call = expr_make_ref(f->p, OP_CALL, o.v2, &fn, 1, &sum);
  assert_string_equal(expand(f, call), "(fn({x1 + y1, x2 + y2}))[1]; (fn({x1 + y1, x2 + y2}))[2]");
  ExprId scalar = expr_make_ref(f->p, OP_CALL, f->real, &fn, 1, &o.B);
  assert_string_equal(expand(f, scalar), "fn({{B1, B2, B3}, {B4, B5, B6}})");
  TypeId both = type_tuple(f->p, 2, (TypeId[]){f->real, o.v2});
  ExprId pair = expr_make_ref(f->p, OP_CALL, both, &fn, 1, &o.s);
  assert_string_equal(expand(f, pair), "(fn(a)).y; (fn(a)).z[1]; (fn(a)).z[2]");
  ExprId part = expr_make_index(f->p, OP_PART, f->real, 2, 0, 1, &pair);
  assert_string_equal(expand(f, part), "(fn(a)).z[2]");
  assert_string_equal(expand(f, op2(f, OP_INDEX, f->real, call, num(f, 2))),
                      "(fn({x1 + y1, x2 + y2}))[2]");
  TypeDecl inner = {"In", 2, (const char *[]){"u", "v"}, (TypeId[]){f->real, o.v2}, NULL, NULL};
  ExprId r = array_ref(f, "r", type_of_decl(f->p, TY_RECORD, &inner));
  assert_string_equal(expand(f, expr_make_ref(f->p, OP_CALL, f->real, &fn, 1, &r)),
                      "fn(In(r1, {r2, r3}))");
  TypeId open = dims1(f, f->real, DIM_UNKNOWN);
  ExprId unknown = expr_make_ref(f->p, OP_CALL, open, &fn, 1, &o.s);
  assert_string_equal(expand(f, op1(f, OP_SUM, f->real, unknown)), "an array size is not known");
  fix_free(f);
}

/* ---- ranges and iterators ---- */

static void test_iterators(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  ExprPool *p = f->p;
  assert_string_equal(expand(f, range(f, 2, 4)), "2; 3; 4");
  ExprId half[3] = {expr_real(p, 0), expr_real(p, 0.5), expr_real(p, 1)};
  assert_string_equal(expand(f, expr_make(p, OP_RANGE, dims1(f, f->real, DIM_UNKNOWN), 3, half)),
                      "0.0; 0.5; 1.0");
  TypeDecl d = {"E", 3, (const char *[]){"one", "two", "three"}, NULL, NULL, NULL};
  TypeId en = type_of_decl(p, TY_ENUM, &d);
  assert_string_equal(expand(f, op3(f, OP_RANGE, dims1(f, en, DIM_UNKNOWN), expr_enum(p, en, 2),
                                    NO_EXPR, expr_enum(p, en, 3))),
                      "E.two; E.three");
  ExprId run = op3(f, OP_RANGE, dims1(f, f->integer, 3), rd(f, "i"), num(f, 1), rd(f, "i + 2"));
  assert_string_equal(expand(f, run), "i; i + 1; i + 2");
  /* {x[i]*j for i in 1:2, j in 1:3}: the last iterator is the first dimension */
  ExprId i = expr_local(p, f->integer, 7), j = expr_local(p, f->integer, 8);
  ExprId body = expr_binary(p, OP_MUL, op2(f, OP_INDEX, f->real, o.x, i), j);
  ExprId table = expr_make_index(p, OP_COMPREHEND, dims2(f, f->real, 3, 2), 7, 0, 3,
                                 (ExprId[]){body, range(f, 1, 3), range(f, 1, 2)});
  assert_string_equal(expand(f, table), "x1; x2; x1*2.0; x2*2.0; x1*3.0; x2*3.0");
  /* an inner range may use the outer iterator, and rows of the body stay together */
  ExprId inner = op3(f, OP_RANGE, dims1(f, f->integer, DIM_UNKNOWN), num(f, 1), num(f, 1), j);
  ExprId triangle = expr_make_index(p, OP_REDUCE, f->integer, 7, OP_ADD, 3,
                                    (ExprId[]){i, range(f, 1, 3), inner});
  assert_string_equal(expand(f, triangle), "10");
  ExprId rows = expr_make_index(
      p, OP_COMPREHEND, dims2(f, f->real, 2, 2), 7, 0, 2,
      (ExprId[]){op2(f, OP_MUL, o.v2, expr_to_real(p, i), o.x), range(f, 1, 2)});
  assert_string_equal(expand(f, rows), "x1; x2; 2.0*x1; 2.0*x2");
  /* values need not be literals */
  ExprId over = expr_make_index(
      p, OP_REDUCE, f->real, 7, OP_MAX2, 2,
      (ExprId[]){expr_binary(p, OP_MUL, expr_local(p, f->real, 7), o.s), o.w});
  assert_string_equal(expand(f, over), "max(max(w1*a, w2*a), w3*a)");
  /* a body whose size depends on the iterator */
  ExprId part = op1(f, OP_SUM, f->integer,
                    op3(f, OP_RANGE, dims1(f, f->integer, DIM_UNKNOWN), num(f, 1), num(f, 1), i));
  ExprId sums = expr_make_index(p, OP_COMPREHEND, dims1(f, f->integer, 4), 7, 0, 2,
                                (ExprId[]){part, range(f, 1, 4)});
  assert_string_equal(expand(f, sums), "1; 3; 6; 10");
  ExprId none = expr_make_index(p, OP_REDUCE, f->real, 7, OP_MUL, 2,
                                (ExprId[]){o.s, range(f, 1, 0)});
  assert_string_equal(expand(f, none), "1.0");
  fix_free(f);
}

/* A condition that the leaves decide hides the branch that is not taken. */
static bool leaf_true(void *user, ExprId e, uint32_t n, ExprId *out) {
  Fix *f = user;
  (void)e;
  assert_int_equal(n, 1);
  *out = expr_boolean(f->p, true);
  return true;
}

static void test_dead_branch(void **state) {
  (void)state;
  Fix *f = fix_new();
  Scalarizer s = {.pool = f->p, .leaf = leaf_true, .user = f};
  ExprId c = array_ref(f, "c", f->boolean);
  ExprId pair = op2(f, OP_ARRAY, dims1(f, f->real, 2), letter(f, 'a'), letter(f, 'b'));
  ExprId bad = op2(f, OP_INDEX, f->real, pair, num(f, 3)), out;
  assert_true(expr_scalars(&s, op3(f, OP_IF, f->real, c, letter(f, 'd'), bad), &out));
  assert_string_equal(show(f, out), "d");
  assert_false(expr_scalars(&s, op3(f, OP_IF, f->real, c, bad, letter(f, 'd')), &out));
  assert_string_equal(s.why, "a subscript is out of range");
  fix_free(f);
}

/* Running out of memory in the middle returns to the caller and leaves nothing behind. */
static void expand_without_memory(Fix *f, size_t fail_at) {
  TypeId big = dims1(f, f->real, 3000);
  ExprId g = array_ref(f, "G", big), out;
  ExprId sum = op1(f, OP_SUM, f->real, op2(f, OP_MUL_EL, big, g, g));
  Leaves l = {f, 0, 0};
  Scalarizer s = {.pool = f->p, .leaf = leaf_cells, .user = &l};
  f->mem.fail_at = fail_at;
  if (!setjmp(f->recover))
    assert_true(expr_scalars(&s, sum, &out));
}

static void test_memory_fails(void **state) {
  (void)state;
  for (size_t k = 1; k < 40; k++) {
    Fix *f = fix_new();
    expand_without_memory(f, k);
    fix_free(f);
  }
}

/* ---- against the evaluator, bit for bit ---- */

static ExprId literal_array(Fix *f, TypeId t, double *next) {
  const Type *y = type_get(f->p, t);
  if (y->n_dims == 0)
    return expr_real(f->p, *next = fmod(*next * 1.7 + 0.313, 3.1));
  ExprId items[8];
  for (int32_t i = 0; i < y->dims[0]; i++)
    items[i] = literal_array(f, type_element(f->p, t, 1), next);
  return expr_make(f->p, OP_ARRAY, t, (uint32_t)y->dims[0], items);
}

static bool no_value(void *user, Eval *ev, ExprId e, Value *out) {
  (void)user, (void)ev, (void)e, (void)out;
  return false;
}

static void same_bits(Fix *f, ExprId e) {
  Eval ev = {.pool = f->p, .arena = f->arena, .lookup = no_value};
  Scalarizer s = {.pool = f->p};
  Value v;
  ExprId cells[64];
  if (!eval_expr(&ev, e, &v))
    fail_msg("%s has no value: %s", show(f, e), ev.why ? ev.why : "?");
  if (!expr_scalars(&s, e, cells))
    fail_msg("%s does not expand: %s", show(f, e), s.why);
  assert_int_equal(v.n, type_count(f->p, expr_get(f->p, e)->type));
  for (uint32_t k = 0; k < v.n; k++) {
    double x = NAN;
    assert_true(expr_as_real(f->p, cells[k], &x));
    bool real = type_get(f->p, v.type)->base == TY_REAL;
    double y = real ? v.at[k].real : (double)v.at[k].integer;
    if (x != y)
      fail_msg("%s: scalar %u is %.17g, the evaluator says %.17g", show(f, e), k, x, y);
  }
}

static void test_same_as_evaluator(void **state) {
  (void)state;
  World o = world_new();
  Fix *f = o.f;
  double seed = 1;
  TypeId m33 = dims2(f, f->real, 3, 3), m32 = dims2(f, f->real, 3, 2);
  for (int round = 0; round < 5; round++) {
    ExprId x = literal_array(f, o.v2, &seed), y = literal_array(f, o.v2, &seed),
           w = literal_array(f, o.v3, &seed);
    ExprId A = literal_array(f, o.m22, &seed), B = literal_array(f, o.m23, &seed),
           r = literal_array(f, f->real, &seed);
    ExprId all[] = {
        op2(f, OP_ADD, o.v2, x, y),
        op2(f, OP_SUB, o.m22, A, A),
        op1(f, OP_NEG, o.m23, B),
        op2(f, OP_MUL, f->real, x, y),
        op2(f, OP_MUL, o.v2, A, x),
        op2(f, OP_MUL, o.v2, x, A),
        op2(f, OP_MUL, o.m23, A, B),
        op2(f, OP_MUL, o.v3, r, w),
        op2(f, OP_DIV, o.v3, w, r),
        op2(f, OP_POW, o.m22, A, num(f, round)),
        op2(f, OP_ADD_EL, o.v3, r, w),
        op2(f, OP_MUL_EL, o.v2, x, y),
        op2(f, OP_DIV_EL, o.v2, x, y),
        op2(f, OP_POW_EL, o.v2, x, y),
        op1(f, OP_TRANSPOSE, m32, B),
        op2(f, OP_OUTER, o.m23, x, w),
        op1(f, OP_SYMMETRIC, o.m22, A),
        op2(f, OP_CROSS, o.v3, w, w),
        op1(f, OP_SKEW, m33, w),
        op1(f, OP_IDENTITY, dims2(f, f->integer, 3, 3), num(f, 3)),
        op1(f, OP_DIAGONAL, o.m22, x),
        op3(f, OP_FILL, o.m23, r, num(f, 2), num(f, 3)),
        op3(f, OP_LINSPACE, dims1(f, f->real, 7), r, num(f, 5), num(f, 7)),
        op3(f, OP_CAT, dims2(f, f->real, 2, 5), num(f, 2), A, B),
        op2(f, OP_PROMOTE, dims2(f, f->real, 2, 1), x, num(f, 2)),
        op1(f, OP_VECTOR, o.v3, op1(f, OP_MATRIX, dims2(f, f->real, 3, 1), w)),
        op1(f, OP_MATRIX, dims2(f, f->real, 3, 1), w),
        op1(f, OP_SUM, f->real, B),
        op1(f, OP_PRODUCT, f->real, B),
        op1(f, OP_MIN, f->real, B),
        op1(f, OP_MAX, f->real, B),
        op3(f, OP_INDEX, o.v2, B, range(f, 1, 2), num(f, 2)),
        op2(f, OP_INDEX, o.v3, B, num(f, 2)),
        op3(f, OP_RANGE, dims1(f, f->real, DIM_UNKNOWN), r, expr_real(f->p, 0.3),
            expr_real(f->p, 4)),
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
      same_bits(f, all[i]);
    ExprId i = expr_local(f->p, f->integer, 7), j = expr_local(f->p, f->integer, 8);
    ExprId body = expr_binary(f->p, OP_MUL, op3(f, OP_INDEX, f->real, B, i, j),
                              expr_binary(f->p, OP_SUB, i, j));
    ExprId args[3] = {body, range(f, 1, 3), range(f, 1, 2)};
    same_bits(f, expr_make_index(f->p, OP_COMPREHEND, m32, 7, 0, 3, args));
    same_bits(f, expr_make_index(f->p, OP_REDUCE, f->real, 7, OP_ADD, 3, args));
    same_bits(f, expr_make_index(f->p, OP_REDUCE, f->real, 7, OP_MIN2, 3, args));
  }
  fix_free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_element_wise),     cmocka_unit_test(test_products),
      cmocka_unit_test(test_subscripts),       cmocka_unit_test(test_records),
      cmocka_unit_test(test_part_of_leaf),     cmocka_unit_test(test_array_functions),
      cmocka_unit_test(test_hybrid_operators), cmocka_unit_test(test_calls),
      cmocka_unit_test(test_iterators),        cmocka_unit_test(test_dead_branch),
      cmocka_unit_test(test_memory_fails),     cmocka_unit_test(test_same_as_evaluator),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
