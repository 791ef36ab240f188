#pragma once
/* tests/unit/eval_fixture.h -- shared by the tests of the evaluator: operands that cannot be
 * folded, and values as text. An operand is a REF node whose payload is its Value; the lookup hands
 * it out. */
#include "expr/eval.h"
#include "expr_fixture.h"

typedef struct {
  Fix *f;
  Eval ev;
  int lookups;
} Bench;

static inline bool bench_lookup(void *user, Eval *ev, ExprId e, Value *out) {
  Bench *b = user;
  const Expr *x = expr_get(ev->pool, e);
  b->lookups++;
  if (x->op != OP_REF || !x->ref)
    return false;
  *out = *(const Value *)x->ref;
  return true;
}

static inline int bench_set_up(void **state) {
  Bench *b = calloc(1, sizeof *b);
  b->f = fix_new();
  b->ev = (Eval){.pool = b->f->p, .arena = b->f->arena, .lookup = bench_lookup, .user = b};
  *state = b;
  return 0;
}

static inline int bench_tear_down(void **state) {
  Bench *b = *state;
  fix_free(b->f);
  free(b);
  return 0;
}

/* ---- operands ---- */

static inline ExprId operand(Bench *b, TypeId type, uint32_t n, const Scalar *at) {
  Value *v = NEW(b->f->arena, Value);
  *v = (Value){type, n, NEW_ARRAY(b->f->arena, Scalar, n + 1)};
  memcpy(v->at, at, sizeof *at * n);
  return expr_make_ref(b->f->p, OP_REF, type, v, 0, NULL);
}

static inline ExprId R(Bench *b, double x) {
  return operand(b, b->f->real, 1, &(Scalar){.real = x});
}
static inline ExprId I(Bench *b, int64_t x) {
  return operand(b, b->f->integer, 1, &(Scalar){.integer = x});
}
static inline ExprId B(Bench *b, bool x) {
  return operand(b, b->f->boolean, 1, &(Scalar){.integer = x});
}
static inline ExprId S(Bench *b, const char *x) {
  return operand(b, b->f->string, 1, &(Scalar){.string = x});
}

/* The type of n_dims dimensions; the rest are the dimensions. */
static inline TypeId array_of(Bench *b, TypeId element, int n_dims, ...) {
  int32_t dims[8];
  va_list args;
  va_start(args, n_dims);
  for (int i = 0; i < n_dims; i++)
    dims[i] = va_arg(args, int);
  va_end(args);
  return type_array(b->f->p, element, (uint32_t)n_dims, dims);
}

/* An array operand from its cells; RV: Real vector, RM: Real matrix, IV, IM, BV alike. */
static inline ExprId cells(Bench *b, TypeId type, const double *x) {
  Scalar at[64];
  uint32_t n = (uint32_t)type_count(b->f->p, type);
  for (uint32_t i = 0; i < n; i++) {
    if (type_get(b->f->p, type)->base == TY_REAL)
      at[i].real = x[i];
    else
      at[i].integer = (int64_t)x[i];
  }
  return operand(b, type, n, at);
}
#define COUNT(...) (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double))
#define RV(b, ...)                                                                                 \
  cells((b), array_of((b), (b)->f->real, 1, COUNT(__VA_ARGS__)), (double[]){__VA_ARGS__})
#define IV(b, ...)                                                                                 \
  cells((b), array_of((b), (b)->f->integer, 1, COUNT(__VA_ARGS__)), (double[]){__VA_ARGS__})
#define BV(b, ...)                                                                                 \
  cells((b), array_of((b), (b)->f->boolean, 1, COUNT(__VA_ARGS__)), (double[]){__VA_ARGS__})
#define RM(b, n, m, ...)                                                                           \
  cells((b), array_of((b), (b)->f->real, 2, (n), (m)), (double[]){__VA_ARGS__})
#define IM(b, n, m, ...)                                                                           \
  cells((b), array_of((b), (b)->f->integer, 2, (n), (m)), (double[]){__VA_ARGS__})

/* A node from its arguments. */
#define MK(b, op, type, ...)                                                                       \
  expr_make((b)->f->p, (op), (type), (uint32_t)(sizeof(ExprId[]){__VA_ARGS__} / sizeof(ExprId)),   \
            (ExprId[]){__VA_ARGS__})

static inline TypeId rv_open(Bench *b) { return array_of(b, b->f->real, 1, DIM_UNKNOWN); }
static inline TypeId rm_open(Bench *b) {
  return array_of(b, b->f->real, 2, DIM_UNKNOWN, DIM_UNKNOWN);
}
static inline TypeId iv_open(Bench *b) { return array_of(b, b->f->integer, 1, DIM_UNKNOWN); }
static inline TypeId im_open(Bench *b) {
  return array_of(b, b->f->integer, 2, DIM_UNKNOWN, DIM_UNKNOWN);
}

/* ---- values as text ---- */

static inline const Scalar *value_text(ExprPool *p, TypeId t, const Scalar *at, Text *out) {
  const Type *y = type_get(p, t);
  bool record = y->base == TY_RECORD || y->base == TY_TUPLE;
  if (y->n_dims || record) {
    int32_t n = y->n_dims ? y->dims[0] : (int32_t)y->decl->n;
    text_add(out, y->n_dims ? "{" : "(");
    for (int32_t i = 0; i < n; i++) {
      text_add(out, i ? ", " : "");
      at = value_text(p, y->n_dims ? type_element(p, t, 1) : y->decl->types[i], at, out);
    }
    text_add(out, y->n_dims ? "}" : ")");
    return at;
  }
  if (y->base == TY_REAL) {
    text_real(out, at->real);
    text_add(out, at->real == floor(at->real) && fabs(at->real) < 1e15 ? ".0" : "");
  } else if (y->base == TY_STRING) {
    text_printf(out, "\"%s\"", at->string);
  } else if (y->base == TY_ENUM) {
    text_add(out, y->decl->names[at->integer - 1]);
  } else if (y->base == TY_BOOLEAN) {
    text_add(out, at->integer ? "true" : "false");
  } else {
    text_printf(out, "%lld", (long long)at->integer);
  }
  return at + 1;
}

static inline const char *text_of(Bench *b, const Value *v) {
  Text out = {.arena = b->f->arena};
  const Scalar *end = value_text(b->f->p, v->type, v->at, &out);
  assert_int_equal(end - v->at, v->n);
  return text_str(&out);
}

/* Evaluates; the result as text, or "!" and the reason. */
static inline const char *result(Bench *b, ExprId e) {
  Value v;
  assert_true(e.i);
  if (!eval_expr(&b->ev, e, &v))
    return arena_printf(b->f->arena, "!%s", b->ev.why ? b->ev.why : "");
  assert_null(b->ev.why);
  return text_of(b, &v);
}

#define CHECK(b, e, expected) assert_string_equal(result((b), (e)), (expected))
