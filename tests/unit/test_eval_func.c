/* tests/unit/test_eval_func.c -- calls of functions: statements, assignments, sizes, recursion,
 * limits, external functions. */
#include "eval_fixture.h"

/* ---- building functions ---- */

static Func *new_func(Bench *b, const char *name, uint32_t n_in, uint32_t n_out, uint32_t n_vars,
                      const FuncVar *vars) {
  Func *f = NEW(b->f->arena, Func);
  *f = (Func){.name = name,
              .n_inputs = n_in,
              .n_outputs = n_out,
              .n_vars = n_vars,
              .n_locals = n_vars + 3,
              .complete = true};
  f->vars = NEW_ARRAY(b->f->arena, FuncVar, n_vars);
  memcpy(f->vars, vars, sizeof *vars * n_vars);
  f->result = n_out == 1 ? vars[n_in].type : NO_TYPE;
  if (n_out > 1) {
    TypeId types[8];
    for (uint32_t i = 0; i < n_out; i++)
      types[i] = vars[n_in + i].type;
    f->result = type_tuple(b->f->p, n_out, types);
  }
  return f;
}
#define FUNC(b, name, n_in, n_out, ...)                                                            \
  new_func((b), (name), (n_in), (n_out),                                                           \
           (uint32_t)(sizeof(FuncVar[]){__VA_ARGS__} / sizeof(FuncVar)), (FuncVar[]){__VA_ARGS__})
#define VAR(n, t)                                                                                  \
  { .name = (n), .type = (t) }
#define VAR_IS(n, t, e)                                                                            \
  { .name = (n), .type = (t), .binding = (e) }
#define VAR_DIM(n, t, e)                                                                           \
  {                                                                                                \
    .name = (n), .type = (t), .dims = (ExprId[]) { (e), (e) }                                      \
  }

static Stmt **list(Bench *b, uint32_t n, Stmt *const *body) {
  Stmt **copy = NEW_ARRAY(b->f->arena, Stmt *, n + 1);
  memcpy(copy, body, sizeof *copy * n);
  return copy;
}
#define LIST(b, ...)                                                                               \
  list((b), (uint32_t)(sizeof(Stmt *[]){__VA_ARGS__} / sizeof(Stmt *)), (Stmt *[]){__VA_ARGS__})
#define N_OF(...) (uint32_t)(sizeof(Stmt *[]){__VA_ARGS__} / sizeof(Stmt *))
#define BODY(b, f, ...)                                                                            \
  do {                                                                                             \
    (f)->body = LIST((b), __VA_ARGS__);                                                            \
    (f)->n_body = N_OF(__VA_ARGS__);                                                               \
  } while (0)

static Stmt *new_stmt(Bench *b, Stmt s) {
  static uint32_t place = 100;
  Stmt *copy = NEW(b->f->arena, Stmt);
  *copy = s;
  copy->span = (Span){place, place + 5};
  place += 10;
  return copy;
}

static Stmt *assign(Bench *b, ExprId target, ExprId value) {
  ExprId *targets = NEW(b->f->arena, ExprId);
  *targets = target;
  return new_stmt(b,
                  (Stmt){.kind = STMT_ASSIGN, .targets = targets, .n_targets = 1, .value = value});
}

static Stmt *assign2(Bench *b, ExprId t1, ExprId t2, ExprId value) {
  ExprId *targets = NEW_ARRAY(b->f->arena, ExprId, 2);
  targets[0] = t1;
  targets[1] = t2;
  return new_stmt(b,
                  (Stmt){.kind = STMT_TUPLE, .targets = targets, .n_targets = 2, .value = value});
}

static Stmt *block(Bench *b, StmtKind kind, ExprId condition, ExprId value, uint32_t iterator,
                   uint32_t n, Stmt *const *body) {
  StmtBranch *branch = NEW(b->f->arena, StmtBranch);
  *branch = (StmtBranch){.condition = condition, .body = list(b, n, body), .n = n};
  return new_stmt(
      b,
      (Stmt){
          .kind = kind, .value = value, .iterator = iterator, .branches = branch, .n_branches = 1});
}
#define IF(b, c, ...)                                                                              \
  block((b), STMT_IF, (c), NO_EXPR, 0, N_OF(__VA_ARGS__), (Stmt *[]){__VA_ARGS__})
#define WHILE(b, c, ...)                                                                           \
  block((b), STMT_WHILE, (c), NO_EXPR, 0, N_OF(__VA_ARGS__), (Stmt *[]){__VA_ARGS__})
#define FOR(b, it, range, ...)                                                                     \
  block((b), STMT_FOR, NO_EXPR, (range), (it), N_OF(__VA_ARGS__), (Stmt *[]){__VA_ARGS__})

static Stmt *jump(Bench *b, StmtKind kind) { return new_stmt(b, (Stmt){.kind = kind}); }
static ExprId local(Bench *b, TypeId t, uint32_t i) { return expr_local(b->f->p, t, i); }
static ExprId num(Bench *b, double x) { return expr_real(b->f->p, x); }
static ExprId whole(Bench *b, int64_t x) { return expr_integer(b->f->p, x); }
#define CALL(b, fn_, type, ...)                                                                    \
  expr_make_ref((b)->f->p, OP_CALL, (type), (fn_),                                                 \
                (uint32_t)(sizeof(ExprId[]){__VA_ARGS__} / sizeof(ExprId)),                        \
                (ExprId[]){__VA_ARGS__})
static ExprId range_to(Bench *b, ExprId n) {
  return MK(b, OP_RANGE, iv_open(b), whole(b, 1), whole(b, 1), n);
}

/* ---- scalars and control flow ---- */

/* f(n) = if n <= 1 then 1 else n*f(n - 1) */
static Func *factorial(Bench *b) {
  TypeId i = b->f->integer;
  Func *f = FUNC(b, "factorial", 1, 1, VAR("n", i), VAR("y", i));
  ExprId n = local(b, i, 0), less = MK(b, OP_SUB, i, n, whole(b, 1));
  ExprId value = MK(b, OP_IF, i, MK(b, OP_LE, b->f->boolean, n, whole(b, 1)), whole(b, 1),
                    MK(b, OP_MUL, i, n, CALL(b, f, i, less)));
  BODY(b, f, assign(b, local(b, i, 1), value));
  return f;
}

static void recursion(void **state) {
  Bench *b = *state;
  Func *f = factorial(b);
  CHECK(b, CALL(b, f, b->f->integer, I(b, 5)), "120");
  CHECK(b, CALL(b, f, b->f->integer, I(b, 20)), "2432902008176640000");
  CHECK(b, CALL(b, f, b->f->integer, I(b, 21)), "!integer overflow");
  assert_int_equal(b->ev.where.lo, f->body[0]->span.lo);
  assert_int_equal(b->ev.fail, EVAL_WRONG);
  CHECK(b, CALL(b, f, b->f->integer, I(b, 5000)), "!function calls are nested more than 1000 deep");
  assert_int_equal(b->ev.fail, EVAL_LIMIT);
  assert_int_equal(b->ev.depth, 0);
  CHECK(b, CALL(b, f, b->f->integer, I(b, 3)), "6");
}

/* 600 levels of calls with three levels of arithmetic in each: the C stack must hold it. */
static void deep_recursion_fits_the_stack(void **state) {
  Bench *b = *state;
  TypeId i = b->f->integer;
  Func *f = FUNC(b, "deep", 1, 1, VAR("n", i), VAR("y", i));
  ExprId n = local(b, i, 0), again = CALL(b, f, i, MK(b, OP_SUB, i, n, whole(b, 1)));
  ExprId value = MK(b, OP_NEG, i, MK(b, OP_SUB, i, whole(b, -1), MK(b, OP_ABS, i, again)));
  BODY(b, f,
       IF(b, MK(b, OP_GT, b->f->boolean, n, whole(b, 0)),
          IF(b, expr_boolean(b->f->p, true), assign(b, local(b, i, 1), value))));
  CHECK(b, CALL(b, f, i, I(b, 600)), "600");
}

/* Newton's iteration for a square root; `while` with break and return. */
static void loops(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, t = b->f->boolean;
  Func *f = FUNC(b, "root", 1, 1, VAR("x", r), VAR_IS("y", r, local(b, r, 0)), VAR("old", r));
  ExprId x = local(b, r, 0), y = local(b, r, 1), old = local(b, r, 2);
  ExprId step = MK(b, OP_DIV, r, MK(b, OP_ADD, r, y, MK(b, OP_DIV, r, x, y)), num(b, 2));
  BODY(b, f,
       WHILE(b, expr_boolean(b->f->p, true), assign(b, old, y), assign(b, y, step),
             IF(b, MK(b, OP_LT, t, MK(b, OP_ABS, r, MK(b, OP_SUB, r, y, old)), num(b, 1e-12)),
                jump(b, STMT_BREAK))));
  CHECK(b, CALL(b, f, r, R(b, 2)), "1.414213562373095");
  CHECK(b, CALL(b, f, r, I(b, 9)), "3.0");
  CHECK(b, CALL(b, f, r, R(b, 0)), "!division by zero");

  /* the first i of 1:10 with i*i > x */
  TypeId i = b->f->integer;
  Func *g = FUNC(b, "first", 1, 1, VAR("x", r), VAR("y", i));
  ExprId it = local(b, i, 3);
  BODY(b, g,
       FOR(b, 3, range_to(b, whole(b, 10)),
           IF(b, MK(b, OP_GT, t, MK(b, OP_CAST, r, MK(b, OP_MUL, i, it, it)), x),
              assign(b, local(b, i, 1), it), jump(b, STMT_RETURN))),
       assign(b, local(b, i, 1), whole(b, -1)));
  CHECK(b, CALL(b, g, i, R(b, 20)), "5");
  CHECK(b, CALL(b, g, i, R(b, 200)), "-1");
}

static void endless_loops_end(void **state) {
  Bench *b = *state;
  TypeId i = b->f->integer;
  Func *f = FUNC(b, "endless", 0, 1, VAR("y", i));
  ExprId y = local(b, i, 0);
  BODY(b, f, WHILE(b, expr_boolean(b->f->p, true), assign(b, y, MK(b, OP_ADD, i, y, whole(b, 1)))));
  b->ev.budget = 1000;
  CHECK(b, expr_make_ref(b->f->p, OP_CALL, i, f, 0, NULL), "!did not end within 1000 steps");
  assert_int_equal(b->ev.fail, EVAL_LIMIT);
  assert_true(b->ev.where.lo != 0);
  Func *g = FUNC(b, "empty", 0, 1, VAR("y", i));
  BODY(b, g,
       FOR(b, 2, range_to(b, whole(b, 2000000000)),
           FOR(b, 3, range_to(b, whole(b, 2000000000)), jump(b, STMT_BREAK))));
  b->ev.budget = 1000;
  CHECK(b, expr_make_ref(b->f->p, OP_CALL, i, g, 0, NULL), "!did not end within 1000 steps");
}

static void asserts(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  Func *f = FUNC(b, "checked", 2, 1, VAR("x", r), VAR("level", b->f->integer),
                 VAR_IS("y", r, local(b, r, 0)));
  ExprId holds = MK(b, OP_GT, b->f->boolean, local(b, r, 0), num(b, 0));
  ExprId text = MK(b, OP_ADD, b->f->string, expr_string(b->f->p, "x must be positive: "),
                   MK(b, OP_STRING_OF, b->f->string, local(b, r, 0)));
  BODY(b, f,
       new_stmt(b, (Stmt){.kind = STMT_ASSERT,
                          .value = holds,
                          .message = text,
                          .level = local(b, b->f->integer, 1)}));
  CHECK(b, CALL(b, f, r, R(b, 1), I(b, 2)), "1.0");
  CHECK(b, CALL(b, f, r, R(b, -1), I(b, 1)), "-1.0");
  CHECK(b, CALL(b, f, r, R(b, -1), I(b, 2)), "!x must be positive: -1");
  assert_int_equal(b->ev.where.lo, f->body[0]->span.lo);
}

/* ---- variables ---- */

static void declarations(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, i = b->f->integer;
  /* y = later + 1, later = 2*x: used before it is declared; input z has a default that needs x */
  ExprId x = local(b, r, 0);
  Func *f = FUNC(b, "order", 2, 1, VAR("x", r), VAR_IS("z", r, MK(b, OP_MUL, r, x, num(b, 10))),
                 VAR_IS("y", r, MK(b, OP_ADD, r, local(b, r, 3), local(b, r, 1))),
                 VAR_IS("later", r, MK(b, OP_MUL, r, x, num(b, 2))));
  CHECK(b, CALL(b, f, r, R(b, 1), R(b, 5)), "7.0");
  CHECK(b, CALL(b, f, r, R(b, 1)), "12.0");
  CHECK(b, CALL(b, f, r, I(b, 1)), "12.0");
  CHECK(b, CALL(b, f, r, NO_EXPR), "!input `x` has no value");
  Func *g = FUNC(b, "circle", 0, 1, VAR_IS("y", r, local(b, r, 1)), VAR_IS("z", r, local(b, r, 0)));
  CHECK(b, expr_make_ref(b->f->p, OP_CALL, r, g, 0, NULL),
        "!the declaration of `y` depends on itself");
  /* sizes from inputs, zero until assigned */
  Func *h = FUNC(b, "sized", 1, 1, VAR("n", i), VAR_DIM("y", rm_open(b), local(b, i, 0)));
  CHECK(b, CALL(b, h, rm_open(b), I(b, 2)), "{{0.0, 0.0}, {0.0, 0.0}}");
  CHECK(b, CALL(b, h, rm_open(b), I(b, 0)), "{}");
  CHECK(b, CALL(b, h, rm_open(b), I(b, -1)), "!an array cannot have size -1");
  /* input A[:, size(A, 1)] */
  Func *k = FUNC(b, "square", 1, 1, {.name = "A", .type = rm_open(b)}, VAR("n", i));
  k->vars[0].dims = (ExprId[]){NO_EXPR, MK(b, OP_SIZE, i, local(b, rm_open(b), 0), whole(b, 1))};
  BODY(b, k, assign(b, local(b, i, 1), MK(b, OP_SIZE, i, local(b, rm_open(b), 0), whole(b, 2))));
  CHECK(b, CALL(b, k, i, RM(b, 2, 2, 1, 2, 3, 4)), "2");
  CHECK(b, CALL(b, k, i, RM(b, 1, 2, 1, 2)), "!`A` needs size [1, 1], not [1, 2]");
}

/* MLS 3.6 section 12.4.5: an array declared with `:` grows. */
static void flexible_sizes(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, v = rv_open(b), i = b->f->integer;
  Func *f = FUNC(b, "positive", 1, 1, VAR("x", v), VAR("y", v));
  ExprId x = local(b, v, 0), y = local(b, v, 1), it = local(b, i, 3),
         item = MK(b, OP_INDEX, r, x, it);
  ExprId slice = MK(b, OP_INDEX, v, x, MK(b, OP_RANGE, iv_open(b), it, whole(b, 1), it));
  BODY(b, f,
       FOR(b, 3, range_to(b, MK(b, OP_SIZE, i, x, whole(b, 1))),
           IF(b, MK(b, OP_GT, b->f->boolean, item, num(b, 0)),
              assign(b, y, MK(b, OP_CAT, v, whole(b, 1), y, slice)))));
  CHECK(b, CALL(b, f, v, RV(b, -1, 2, -3, 4, 5)), "{2.0, 4.0, 5.0}");
  CHECK(b, CALL(b, f, v, RV(b, -1)), "{}");
  /* shrinks to a part of itself */
  Func *g = FUNC(b, "tail", 1, 1, VAR("x", v), VAR_IS("y", v, local(b, v, 0)));
  ExprId from2 = MK(b, OP_RANGE, iv_open(b), whole(b, 2), whole(b, 1),
                    MK(b, OP_SIZE, i, y, whole(b, 1)));
  BODY(b, g, assign(b, y, MK(b, OP_INDEX, v, y, from2)),
       assign(b, y, MK(b, OP_INDEX, v, y, from2)));
  CHECK(b, CALL(b, g, v, RV(b, 1, 2, 3, 4)), "{3.0, 4.0}");
  /* a fixed size stays */
  Func *h = FUNC(b, "fixed", 1, 1, VAR("x", v), VAR("y", array_of(b, r, 1, 3)));
  BODY(b, h, assign(b, local(b, array_of(b, r, 1, 3), 1), x));
  CHECK(b, CALL(b, h, v, RV(b, 1, 2, 3)), "{1.0, 2.0, 3.0}");
  CHECK(b, CALL(b, h, v, RV(b, 1, 2)),
        "!an array of size [2] cannot be assigned to one of size [3]");
}

static void assignments_to_parts(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, i = b->f->integer, v4 = array_of(b, r, 1, 4), m = array_of(b, r, 2, 2, 3);
  ExprId x = local(b, v4, 0), y = local(b, v4, 1);
  Func *f = FUNC(b, "parts", 1, 1, VAR("x", v4), VAR_IS("y", v4, x));
  ExprId y1 = MK(b, OP_INDEX, rv_open(b), y, IV(b, 1, 2, 3)),
         y2 = MK(b, OP_INDEX, rv_open(b), y, IV(b, 2, 3, 4));
  BODY(b, f, assign(b, y2, y1), assign(b, MK(b, OP_INDEX, r, y, whole(b, 4)), num(b, 9)));
  CHECK(b, CALL(b, f, v4, RV(b, 1, 2, 3, 4)), "{1.0, 1.0, 2.0, 9.0}");
  f->body[1] = assign(b, MK(b, OP_INDEX, rv_open(b), y, IV(b, 1, 1)), IV(b, 7, 8));
  CHECK(b, CALL(b, f, v4, RV(b, 1, 2, 3, 4)), "{8.0, 1.0, 2.0, 3.0}");
  f->body[1] = assign(b, MK(b, OP_INDEX, r, y, whole(b, 5)), num(b, 9));
  CHECK(b, CALL(b, f, v4, RV(b, 1, 2, 3, 4)), "!subscript 5 is out of range 1:4");
  assert_int_equal(b->ev.where.lo, f->body[1]->span.lo);
  f->body[1] = assign(b, MK(b, OP_INDEX, rv_open(b), y, IV(b, 1, 2)), RV(b, 1));
  CHECK(b, CALL(b, f, v4, RV(b, 1, 2, 3, 4)),
        "!an array of size [1] cannot be assigned to one of size [2]");
  f->body[1] = assign(b, x, y);
  CHECK(b, CALL(b, f, v4, RV(b, 1, 2, 3, 4)),
        "!only outputs and protected variables can be assigned");
  /* a column, then a row */
  Func *g = FUNC(b, "matrix", 0, 1, VAR("y", m));
  ExprId a = local(b, m, 0);
  BODY(b, g, assign(b, MK(b, OP_INDEX, rv_open(b), a, IV(b, 1, 2), whole(b, 2)), RV(b, 1, 2)),
       assign(b, MK(b, OP_INDEX, rv_open(b), a, whole(b, 2)), RV(b, 7, 8, 9)),
       assign(b, MK(b, OP_INDEX, r, a, whole(b, 1), whole(b, 3)), I(b, 5)));
  CHECK(b, expr_make_ref(b->f->p, OP_CALL, m, g, 0, NULL), "{{0.0, 1.0, 5.0}, {7.0, 8.0, 9.0}}");
  /* a loop over the array that it changes runs over the old items */
  Func *h = FUNC(b, "over", 1, 1, VAR("x", v4), VAR_IS("s", r, num(b, 0)), VAR_IS("y", v4, x));
  ExprId z = local(b, v4, 2);
  BODY(b, h,
       FOR(b, 4, z, assign(b, z, MK(b, OP_MUL, v4, num(b, 0), z)),
           assign(b, local(b, r, 1), MK(b, OP_ADD, r, local(b, r, 1), local(b, r, 4)))));
  CHECK(b, CALL(b, h, r, RV(b, 1, 2, 3, 4)), "10.0");
  (void)i;
}

static TypeId record_type(Bench *b, uint32_t n, const char *const *names, const TypeId *types) {
  TypeDecl *d = NEW(b->f->arena, TypeDecl);
  *d = (TypeDecl){.name = "R",
                  .n = n,
                  .names = NEW_ARRAY(b->f->arena, const char *, n),
                  .types = NEW_ARRAY(b->f->arena, TypeId, n)};
  memcpy(d->names, names, sizeof *names * n);
  memcpy(d->types, types, sizeof *types * n);
  return type_of_decl(b->f->p, TY_RECORD, d);
}

static ExprId field(Bench *b, TypeId type, ExprId record, uint32_t k) {
  return expr_make_index(b->f->p, OP_FIELD, type, k, 0, 1, &record);
}

/* a[i].v[j] := x, fields of a slice, strings that outlive the statement. */
static void records(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, v2 = array_of(b, r, 1, 2), s = b->f->string;
  TypeId rec = record_type(b, 2, (const char *[]){"v", "s"}, (TypeId[]){v2, s}),
         recs = array_of(b, rec, 1, 2);
  Func *f = FUNC(b, "records", 1, 1, VAR("x", r), VAR("a", recs));
  ExprId a = local(b, recs, 1), second = MK(b, OP_INDEX, rec, a, whole(b, 2));
  ExprId text = MK(b, OP_ADD, s, expr_string(b->f->p, "n"), MK(b, OP_STRING_OF, s, local(b, r, 0)));
  BODY(b, f, assign(b, MK(b, OP_INDEX, r, field(b, v2, second, 0), whole(b, 1)), local(b, r, 0)),
       assign(b, field(b, s, second, 1), text),
       assign(b, MK(b, OP_INDEX, rec, a, whole(b, 1)), second),
       assign(b, field(b, array_of(b, s, 1, 2), a, 1),
              MK(b, OP_INDEX, array_of(b, s, 1, 2), field(b, array_of(b, s, 1, 2), a, 1),
                 IV(b, 2, 1))),
       assign(b, field(b, array_of(b, r, 2, 2, 2), a, 0),
              MK(b, OP_MUL, array_of(b, r, 2, 2, 2), num(b, 2),
                 field(b, array_of(b, r, 2, 2, 2), a, 0))));
  CHECK(b, CALL(b, f, recs, R(b, 3)), "{({6.0, 0.0}, \"n3\"), ({6.0, 0.0}, \"n3\")}");
  /* a field declared with `:` takes the size of what is assigned */
  TypeId open = record_type(b, 2, (const char *[]){"v", "s"}, (TypeId[]){rv_open(b), s});
  Func *g = FUNC(b, "open", 1, 1, VAR("x", rv_open(b)), VAR("a", open));
  ExprId c = local(b, open, 1);
  BODY(b, g, assign(b, field(b, rv_open(b), c, 0), local(b, rv_open(b), 0)),
       assign(b, field(b, s, c, 1), expr_string(b->f->p, "t")),
       assign(b, MK(b, OP_INDEX, r, field(b, rv_open(b), c, 0), whole(b, 1)), num(b, 0)));
  CHECK(b, CALL(b, g, open, RV(b, 1, 2, 3)), "({0.0, 2.0, 3.0}, \"t\")");
  /* a record constructor: fields by name, one with a default */
  Func *h = FUNC(b, "R", 1, 1, VAR("v", v2), VAR("result", rec),
                 VAR_IS("s", s, expr_string(b->f->p, "d")));
  h->is_record_constructor = true;
  CHECK(b, CALL(b, h, rec, RV(b, 1, 2)), "({1.0, 2.0}, \"d\")");
}

static void strings_in_loops(void **state) {
  Bench *b = *state;
  TypeId s = b->f->string, i = b->f->integer;
  Func *f = FUNC(b, "repeat", 2, 1, VAR("n", i), VAR("piece", s), VAR("y", s));
  ExprId y = local(b, s, 2);
  BODY(b, f,
       FOR(b, 3, range_to(b, local(b, i, 0)), assign(b, y, MK(b, OP_ADD, s, y, local(b, s, 1)))));
  CHECK(b, CALL(b, f, s, I(b, 5), S(b, "ab")), "\"ababababab\"");
  ExprId nested = CALL(b, f, s, I(b, 2),
                       CALL(b, f, s, I(b, 2), MK(b, OP_ADD, s, S(b, "x"), S(b, "y"))));
  CHECK(b, MK(b, OP_ADD, s, nested, nested), "\"xyxyxyxyxyxyxyxy\"");
  Value v;
  assert_true(eval_expr(&b->ev, CALL(b, f, s, I(b, 3000), S(b, "abc")), &v));
  assert_int_equal(strlen(v.at->string), 9000);
}

/* ---- results ---- */

/* (sum, product, both) of a and c */
static Func *three_results(Bench *b) {
  TypeId r = b->f->real, v2 = array_of(b, r, 1, 2);
  Func *f = FUNC(b, "three", 2, 3, VAR("a", r), VAR("c", r), VAR("sum", r), VAR("product", r),
                 VAR("both", v2));
  ExprId a = local(b, r, 0), c = local(b, r, 1);
  BODY(b, f, assign(b, local(b, r, 2), MK(b, OP_ADD, r, a, c)),
       assign(b, local(b, r, 3), MK(b, OP_MUL, r, a, c)),
       assign(b, local(b, v2, 4), MK(b, OP_ARRAY, v2, a, c)));
  return f;
}

static void several_results(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  Func *f = three_results(b);
  ExprId call = CALL(b, f, f->result, R(b, 2), R(b, 3));
  CHECK(b, call, "(5.0, 6.0, {2.0, 3.0})");
  CHECK(b, CALL(b, f, r, R(b, 2), R(b, 3)), "5.0");
  CHECK(b, field(b, r, call, 1), "6.0");
  CHECK(b, field(b, array_of(b, r, 1, 2), call, 2), "{2.0, 3.0}");
  static const char *const parts[] = {"5.0", "6.0", "2.0", "3.0"};
  for (uint32_t k = 0; k < 4; k++)
    CHECK(b, expr_make_index(b->f->p, OP_PART, r, k, 0, 1, &call), parts[k]);
  Func *g = FUNC(b, "uses", 1, 2, VAR("x", r), VAR("y", r), VAR("z", r));
  ExprId x = local(b, r, 0);
  BODY(b, g, assign2(b, NO_EXPR, local(b, r, 2), CALL(b, f, f->result, x, x)),
       assign2(b, local(b, r, 1), NO_EXPR, CALL(b, f, f->result, x, x)));
  CHECK(b, CALL(b, g, g->result, R(b, 3)), "(6.0, 9.0)");
  Value args[2] = {{r, 1, &(Scalar){.real = 2}}, {r, 1, &(Scalar){.real = 5}}}, results[3];
  assert_true(eval_call(&b->ev, f, args, results));
  assert_string_equal(text_of(b, &results[0]), "7.0");
  assert_string_equal(text_of(b, &results[2]), "{2.0, 5.0}");
}

/* PART nodes of one call evaluate it once. */
static void a_call_is_evaluated_once(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  Func *f = three_results(b);
  ExprId call = CALL(b, f, f->result, R(b, 2), R(b, 3)), sum = num(b, 0);
  for (uint32_t k = 0; k < 4; k++)
    sum = MK(b, OP_ADD, r, sum, expr_make_index(b->f->p, OP_PART, r, k, 0, 1, &call));
  b->lookups = 0;
  CHECK(b, sum, "16.0");
  assert_int_equal(b->lookups, 2);
}

/* ---- functions as values ---- */

static void function_values(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, fn = type_scalar(b->f->p, TY_FUNCTION);
  Func *power = FUNC(b, "power", 2, 1, VAR("x", r), VAR_IS("n", r, num(b, 3)), VAR("y", r));
  BODY(b, power, assign(b, local(b, r, 2), MK(b, OP_POW, r, local(b, r, 0), local(b, r, 1))));
  /* twice(f, x) = f(f(x)) */
  Func *twice = FUNC(b, "twice", 2, 1, VAR("f", fn), VAR("x", r), VAR("y", r));
  ExprId f = local(b, fn, 0), inner = CALL(b, NULL, r, f, local(b, r, 1));
  BODY(b, twice, assign(b, local(b, r, 2), CALL(b, NULL, r, f, inner)));
  ExprId squared = expr_make_ref(b->f->p, OP_FUNCTION, fn, power, 2, (ExprId[]){NO_EXPR, R(b, 2)});
  ExprId of2 = expr_make_ref(b->f->p, OP_FUNCTION, fn, power, 2, (ExprId[]){R(b, 2), NO_EXPR});
  ExprId plain = expr_make_ref(b->f->p, OP_FUNCTION, fn, power, 0, NULL);
  CHECK(b, CALL(b, twice, r, squared, R(b, 3)), "81.0");
  CHECK(b, CALL(b, twice, r, of2, R(b, 3)), "256.0");
  CHECK(b, CALL(b, twice, r, plain, R(b, 2)), "512.0");
  /* binds the rest inside: g(h) = twice(function h(), 1.5) */
  Func *pass = FUNC(b, "pass", 1, 1, VAR("h", fn), VAR("y", r));
  ExprId bound = expr_make_ref(b->f->p, OP_FUNCTION, fn, NULL, 3,
                               (ExprId[]){local(b, fn, 0), NO_EXPR, num(b, 2)});
  BODY(b, pass, assign(b, local(b, r, 1), CALL(b, twice, r, bound, num(b, 1.5))));
  CHECK(b, CALL(b, pass, r, plain), "5.0625");
  CHECK(b, squared, "!a function is not a value");
}

/* ---- what cannot be called; external functions ---- */

static ExprId call_external(Bench *b, const char *name, uint32_t n_in, uint32_t n_out,
                            const FuncVar *vars, const ExprId *args) {
  Func *f = new_func(b, name, n_in, n_out, n_in + n_out, vars);
  f->external = name;
  f->language = "C";
  f->complete = false;
  f->external_args = NEW_ARRAY(b->f->arena, ExprId, n_in + n_out);
  f->n_external_args = n_out == 1 ? n_in : n_in + n_out;
  for (uint32_t i = 0; i < f->n_external_args; i++)
    f->external_args[i] = local(b, vars[i].type, i);
  if (n_out == 1)
    f->external_result = local(b, vars[n_in].type, n_in);
  return expr_make_ref(b->f->p, OP_CALL, f->result, f, n_in, args);
}

static void uncallable_functions(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  Func *f = FUNC(b, "Lib.f", 1, 1, VAR("x", r), VAR("y", r));
  f->impure = true;
  CHECK(b, CALL(b, f, r, R(b, 1)), "!function `Lib.f` is impure");
  assert_int_equal(b->ev.fail, EVAL_UNKNOWN);
  f->impure = false;
  f->complete = false;
  CHECK(b, CALL(b, f, r, R(b, 1)), "!function `Lib.f` is not complete");
  FuncVar vars[] = {VAR("x", r), VAR("y", r)};
  CHECK(b, call_external(b, "dgesv", 1, 1, vars, (ExprId[]){R(b, 1)}),
        "!external function `dgesv` cannot be evaluated at translation");
  assert_int_equal(b->ev.fail, EVAL_UNKNOWN);
  CHECK(b, call_external(b, "ModelicaStrings_length", 1, 1, vars, (ExprId[]){R(b, 1)}),
        "!external function `ModelicaStrings_length` is declared with other arguments than it has");
}

static void external_strings(void **state) {
  Bench *b = *state;
  TypeId s = b->f->string, i = b->f->integer, t = b->f->boolean, r = b->f->real;
  FuncVar si[] = {VAR("string", s), VAR("result", i)},
          siis[] = {VAR("string", s), VAR("a", i), VAR("z", i), VAR("result", s)};
  FuncVar ssb[] = {VAR("string1", s), VAR("string2", s), VAR("caseSensitive", t), VAR("result", i)};
  FuncVar sii[] = {VAR("string", s), VAR("startIndex", i), VAR("nextIndex", i)};
  FuncVar scan_s[] = {VAR("string", s), VAR("startIndex", i), VAR("nextIndex", i), VAR("token", s)};
  FuncVar scan_i[] = {VAR("string", s), VAR("startIndex", i), VAR("unsigned", t),
                      VAR("nextIndex", i), VAR("number", i)};
  FuncVar scan_r[] = {VAR("string", s), VAR("startIndex", i), VAR("unsigned", t),
                      VAR("nextIndex", i), VAR("number", r)};
#define EXT(name, n_in, n_out, vars, ...)                                                          \
  call_external(b, "ModelicaStrings_" name, n_in, n_out, vars, (ExprId[]){__VA_ARGS__})
  CHECK(b, EXT("length", 1, 1, si, S(b, "four")), "4");
  CHECK(b, EXT("hashString", 1, 1, si, S(b, "this is a test")), "1827717433");
  CHECK(b, EXT("hashString", 1, 1, si, S(b, "Controller.noise1")), "-1025762750");
  CHECK(b, EXT("substring", 3, 1, siis, S(b, "This is line 111"), I(b, 9), I(b, 12)), "\"line\"");
  CHECK(b, EXT("substring", 3, 1, siis, S(b, "This"), I(b, 9), I(b, 12)), "\"\"");
  CHECK(b, EXT("substring", 3, 1, siis, S(b, "This"), I(b, 2), I(b, -1)), "\"h\"");
  CHECK(b, EXT("substring", 3, 1, siis, S(b, "This"), I(b, -2), I(b, 99)), "\"This\"");
  CHECK(b, EXT("substring", 3, 1, siis, S(b, "This"), I(b, 3), I(b, 2)), "\"\"");
  CHECK(b, EXT("compare", 3, 1, ssb, S(b, "a"), S(b, "B"), B(b, true)), "3");
  CHECK(b, EXT("compare", 3, 1, ssb, S(b, "a"), S(b, "B"), B(b, false)), "1");
  CHECK(b, EXT("compare", 3, 1, ssb, S(b, "ab"), S(b, "AB"), B(b, false)), "2");
  CHECK(b, EXT("skipWhiteSpace", 2, 1, sii, S(b, "a  \tb"), I(b, 2)), "5");
  CHECK(b, EXT("skipWhiteSpace", 2, 1, sii, S(b, "a  "), I(b, 2)), "4");
  CHECK(b, EXT("skipWhiteSpace", 2, 1, sii, S(b, "a"), I(b, 7)),
        "!position 7 is outside of a string of length 1");
  CHECK(b, EXT("scanIdentifier", 2, 2, scan_s, S(b, "  a_1b+c"), I(b, 1)), "(7, \"a_1b\")");
  CHECK(b, EXT("scanIdentifier", 2, 2, scan_s, S(b, "  1b"), I(b, 1)), "(1, \"\")");
  CHECK(b, EXT("scanString", 2, 2, scan_s, S(b, " \"a\\\"b\" c"), I(b, 1)), "(8, \"a\\\"b\")");
  CHECK(b, EXT("scanString", 2, 2, scan_s, S(b, " \"ab"), I(b, 2)), "(2, \"\")");
  CHECK(b, EXT("scanInteger", 3, 2, scan_i, S(b, " -12x"), I(b, 1), B(b, false)), "(5, -12)");
  CHECK(b, EXT("scanInteger", 3, 2, scan_i, S(b, " -12x"), I(b, 1), B(b, true)), "(1, 0)");
  CHECK(b, EXT("scanInteger", 3, 2, scan_i, S(b, "12.5"), I(b, 1), B(b, false)), "(1, 0)");
  CHECK(b, EXT("scanReal", 3, 2, scan_r, S(b, " -12.5e-1x"), I(b, 1), B(b, false)), "(10, -1.25)");
  CHECK(b, EXT("scanReal", 3, 2, scan_r, S(b, "7."), I(b, 1), B(b, true)), "(3, 7.0)");
  CHECK(b, EXT("scanReal", 3, 2, scan_r, S(b, "1e"), I(b, 1), B(b, true)), "(1, 0.0)");
  CHECK(b, EXT("scanReal", 3, 2, scan_r, S(b, "."), I(b, 1), B(b, true)), "(1, 0.0)");
  FuncVar ss[] = {VAR("name", s), VAR("full", s)};
  CHECK(b,
        call_external(b, "ModelicaInternal_fullPathName", 1, 1, ss,
                      (ExprId[]){S(b, "/nowhere/at/all")}),
        "\"/nowhere/at/all\"");
  CHECK(b, call_external(b, "ModelicaInternal_fullPathName", 1, 1, ss, (ExprId[]){S(b, "/")}),
        "\"/\"");
}

static void builtin_functions(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real;
  Func *f = FUNC(b, "Math.atan2", 2, 1, VAR("u1", r), VAR("u2", r), VAR("y", r));
  f->external = "atan2";
  f->language = "builtin";
  CHECK(b, CALL(b, f, r, R(b, 0), R(b, 1)), "0.0");
  f->n_inputs = 1;
  f->external = "sqrt";
  CHECK(b, CALL(b, f, r, I(b, 9)), "3.0");
  CHECK(b, CALL(b, f, r, R(b, -9)), "!`sqrt` is not defined for -9");
}

/* ---- cost ---- */

/* A long loop with array temporaries holds no more memory than a short one. */
static void loops_do_not_pile_up_memory(void **state) {
  Bench *b = *state;
  TypeId r = b->f->real, i = b->f->integer, m = array_of(b, r, 2, 3, 3), v = array_of(b, r, 1, 3);
  Func *f = FUNC(b, "long", 2, 1, VAR("A", m), VAR("n", i),
                 VAR_IS("x", v, MK(b, OP_FILL, v, num(b, 1), whole(b, 3))));
  ExprId a = local(b, m, 0), x = local(b, v, 2), ax = MK(b, OP_MUL, v, a, x);
  BODY(b, f,
       FOR(b, 3, range_to(b, local(b, i, 1)),
           assign(b, x, MK(b, OP_DIV, v, ax, MK(b, OP_MAX, r, ax)))));
  ExprId matrix = RM(b, 3, 3, 2, 1, 0, 1, 3, 1, 0, 1, 4);
  size_t before = b->f->mem.used;
  CHECK(b, CALL(b, f, v, matrix, I(b, 10)), result(b, CALL(b, f, v, matrix, I(b, 10))));
  assert_true(result(b, CALL(b, f, v, matrix, I(b, 100000)))[0] == '{');
  assert_true(b->f->mem.used - before < 1 << 20);
}

/* The memory budget may run out anywhere; the arenas made on the way are dropped. */
static void memory_may_run_out(void **state) {
  Bench *b = *state;
  Func *f = factorial(b);
  ExprId call = CALL(b, f, b->f->integer, I(b, 400)),
         big = MK(b, OP_FILL, rv_open(b), R(b, 1), I(b, 100000));
  int failed = 0;
  for (size_t k = 1; k < 20; k++) {
    const Arena *mark = b->f->mem.arenas;
    Value v;
    Eval ev = b->ev;
    if (setjmp(b->f->recover)) {
      mem_drop_since(&b->f->mem, mark);
      failed++;
      continue;
    }
    b->f->mem.fail_at = k;
    eval_expr(&ev, k % 2 ? call : big, &v);
    b->f->mem.fail_at = 0;
  }
  assert_true(failed >= 2);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, bench_set_up, bench_tear_down)
  const struct CMUnitTest tests[] = {
      TEST(recursion),
      TEST(deep_recursion_fits_the_stack),
      TEST(loops),
      TEST(endless_loops_end),
      TEST(asserts),
      TEST(declarations),
      TEST(flexible_sizes),
      TEST(assignments_to_parts),
      TEST(records),
      TEST(strings_in_loops),
      TEST(several_results),
      TEST(a_call_is_evaluated_once),
      TEST(function_values),
      TEST(uncallable_functions),
      TEST(external_strings),
      TEST(builtin_functions),
      TEST(loops_do_not_pile_up_memory),
      TEST(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
