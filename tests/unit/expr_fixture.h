#pragma once
/* tests/unit/expr_fixture.h -- shared by the tests of src/expr: a pool, named variables, a small
 * reader and a small evaluator. Variables: a ... h Real, i ... n Integer, p ... s Boolean, t ... v
 * String; number = letter - 'a'. Further VAR numbers belong to arrays: element k of array "x" is
 * x1, x2, ... */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/func.h"

typedef struct {
  const char *name;
  uint32_t first, n; /* VAR numbers of its scalars */
} ArrayVar;

typedef struct {
  Memory mem;
  jmp_buf recover;
  Arena *arena;
  ExprPool *p;
  TypeId real, integer, boolean, string;
  uint32_t n_vars;
  VEC(ArrayVar *) arrays;
} Fix;

static inline Fix *fix_new(void) {
  Fix *f = calloc(1, sizeof *f);
  f->mem.recover = &f->recover;
  f->arena = arena_new(&f->mem);
  f->p = pool_new(f->arena);
  f->real = type_scalar(f->p, TY_REAL);
  f->integer = type_scalar(f->p, TY_INTEGER);
  f->boolean = type_scalar(f->p, TY_BOOLEAN);
  f->string = type_scalar(f->p, TY_STRING);
  f->n_vars = 26;
  return f;
}

static inline void fix_free(Fix *f) {
  mem_drop_since(&f->mem, NULL);
  assert_int_equal(f->mem.used, 0);
  free(f);
}

static inline TypeId letter_type(Fix *f, char c) {
  return c < 'i' ? f->real : c < 'o' ? f->integer : c < 't' ? f->boolean : f->string;
}

static inline ExprId letter(Fix *f, char c) {
  return expr_var(f->p, letter_type(f, c), (uint32_t)(c - 'a'));
}

/* ---- text ---- */

static inline void fix_name(void *user, const Expr *e, Text *out) {
  const Fix *f = user;
  if (e->op == OP_VAR && e->index < 26)
    text_char(out, (char)('a' + e->index));
  else if (e->op == OP_LOCAL)
    text_printf(out, "L%u", e->index);
  else if (e->op == OP_REF)
    text_add(out, ((const ArrayVar *)e->ref)->name);
  else if (e->op == OP_CALL || e->op == OP_FUNCTION)
    text_add(out, ((const Func *)e->ref)->name);
  else
    for (uint32_t i = 0; i < f->arrays.n; i++) {
      const ArrayVar *a = f->arrays.at[i];
      if (e->index >= a->first && e->index < a->first + a->n)
        text_printf(out, "%s%u", a->name, e->index - a->first + 1);
    }
}

static inline const char *show(Fix *f, ExprId e) {
  Text out = {.arena = f->arena};
  expr_print(&(ExprPrinter){.pool = f->p, .name = fix_name, .user = f}, e, &out);
  return text_str(&out);
}

/* ---- reader: MLS 3.6 A.2.6 for variables, literals, operators and functions of the table ---- */

typedef struct {
  Fix *f;
  const char *at;
} Reader;

static ExprId read_any(Reader *r);

static inline bool took(Reader *r, const char *token) {
  while (*r->at == ' ')
    r->at++;
  size_t n = strlen(token);
  if (strncmp(r->at, token, n) != 0 ||
      (isalpha((unsigned char)token[0]) && isalnum((unsigned char)r->at[n])))
    return false;
  r->at += n;
  return true;
}

static inline ExprId read_call(Reader *r) {
  static const struct {
    const char *name;
    Op op;
  } table[] = {{"abs", OP_ABS},         {"sign", OP_SIGN},       {"sqrt", OP_SQRT},
               {"sinh", OP_SINH},       {"sin", OP_SIN},         {"cosh", OP_COSH},
               {"cos", OP_COS},         {"tanh", OP_TANH},       {"tan", OP_TAN},
               {"asin", OP_ASIN},       {"acos", OP_ACOS},       {"atan2", OP_ATAN2},
               {"atan", OP_ATAN},       {"exp", OP_EXP},         {"log10", OP_LOG10},
               {"log", OP_LOG},         {"min", OP_MIN2},        {"max", OP_MAX2},
               {"div", OP_DIVT},        {"mod", OP_MOD},         {"rem", OP_REM},
               {"ceil", OP_CEIL},       {"floor", OP_FLOOR},     {"integer", OP_TO_INTEGER},
               {"der", OP_DER},         {"pre", OP_PRE},         {"edge", OP_EDGE},
               {"noEvent", OP_NOEVENT}, {"smooth", OP_SMOOTH},   {"homotopy", OP_HOMOTOPY},
               {"delay", OP_DELAY},     {"String", OP_STRING_OF}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (took(r, table[i].name)) {
      assert_true(took(r, "("));
      ExprId a = read_any(r);
      ExprId e = took(r, ",") ? expr_binary(r->f->p, table[i].op, a, read_any(r))
                              : expr_unary(r->f->p, table[i].op, a);
      assert_true(took(r, ")"));
      return e;
    }
  return NO_EXPR;
}

static inline ExprId read_primary(Reader *r) {
  ExprPool *p = r->f->p;
  if (took(r, "(")) {
    ExprId e = read_any(r);
    assert_true(took(r, ")"));
    return e;
  }
  if (took(r, "true"))
    return expr_boolean(p, true);
  if (took(r, "false"))
    return expr_boolean(p, false);
  if (took(r, "time"))
    return expr_time(p);
  if (*r->at == '"') {
    const char *end = strchr(r->at + 1, '"');
    ExprId e = expr_string(p, arena_strndup(r->f->arena, r->at + 1, (size_t)(end - r->at - 1)));
    r->at = end + 1;
    return e;
  }
  if (isdigit((unsigned char)*r->at)) {
    size_t n = strspn(r->at, "0123456789");
    bool real = r->at[n] == '.' || r->at[n] == 'e';
    char *end;
    ExprId e = real ? expr_real(p, strtod(r->at, &end)) : expr_integer(p, strtoll(r->at, &end, 10));
    r->at = end;
    return e;
  }
  ExprId call = read_call(r);
  if (call.i)
    return call;
  if (!islower((unsigned char)*r->at))
    fail_msg("cannot read '%s'", r->at);
  return letter(r->f, *r->at++);
}

/* Operators of one level, left to right. */
static inline Op took_of(Reader *r, const char *const *texts, const Op *ops) {
  for (int i = 0; texts[i]; i++)
    if (took(r, texts[i]))
      return ops[i];
  return OP_COUNT;
}

static inline ExprId read_term(Reader *r) {
  ExprId left = NO_EXPR;
  Op op = OP_COUNT;
  do {
    ExprId factor = read_primary(r);
    if (took(r, "^"))
      factor = expr_binary(r->f->p, OP_POW, factor, read_primary(r));
    left = left.i ? expr_binary(r->f->p, op, left, factor) : factor;
    op = took_of(r, (const char *const[]){"*", "/", NULL}, (Op[]){OP_MUL, OP_DIV});
  } while (op != OP_COUNT);
  return left;
}

static inline ExprId read_sum(Reader *r) {
  ExprId left = took(r, "-") ? expr_unary(r->f->p, OP_NEG, read_term(r)) : read_term(r);
  for (;;) {
    Op op = took_of(r, (const char *const[]){"+", "-", NULL}, (Op[]){OP_ADD, OP_SUB});
    if (op == OP_COUNT)
      return left;
    left = expr_binary(r->f->p, op, left, read_term(r));
  }
}

static inline ExprId read_logical_factor(Reader *r) {
  if (took(r, "not")) {
    ExprId inner = read_logical_factor(r);
    return expr_unary(r->f->p, OP_NOT, inner);
  }
  ExprId left = read_sum(r);
  Op op = took_of(r, (const char *const[]){"<=", "<>", "<", ">=", ">", "==", NULL},
                  (Op[]){OP_LE, OP_NE, OP_LT, OP_GE, OP_GT, OP_EQ});
  return op == OP_COUNT ? left : expr_binary(r->f->p, op, left, read_sum(r));
}

static inline ExprId read_logical(Reader *r) {
  ExprId any = NO_EXPR;
  do {
    ExprId all = read_logical_factor(r);
    while (took(r, "and"))
      all = expr_binary(r->f->p, OP_AND, all, read_logical_factor(r));
    any = any.i ? expr_binary(r->f->p, OP_OR, any, all) : all;
  } while (took(r, "or"));
  return any;
}

static inline ExprId read_any(Reader *r) {
  if (!took(r, "if"))
    return read_logical(r);
  ExprId condition = read_any(r);
  assert_true(took(r, "then"));
  ExprId then = read_any(r);
  assert_true(took(r, "else"));
  return expr_if(r->f->p, condition, then, read_any(r));
}

static inline ExprId rd(Fix *f, const char *text) {
  Reader r = {f, text};
  ExprId e = read_any(&r);
  if (*r.at)
    fail_msg("'%s' is left over of '%s'", r.at, text);
  return e;
}

/* ---- evaluator of scalars: all values as double ---- */

static inline double value(const ExprPool *p, ExprId id, const double *vars, double time);

static inline double value_call(Op op, double a, double b) {
  switch ((int)op) {
  case OP_ABS: return fabs(a);
  case OP_SIGN: return (a > 0) - (a < 0);
  case OP_SQRT: return sqrt(a);
  case OP_SIN: return sin(a);
  case OP_COS: return cos(a);
  case OP_TAN: return tan(a);
  case OP_ASIN: return asin(a);
  case OP_ACOS: return acos(a);
  case OP_ATAN: return atan(a);
  case OP_ATAN2: return atan2(a, b);
  case OP_SINH: return sinh(a);
  case OP_COSH: return cosh(a);
  case OP_TANH: return tanh(a);
  case OP_EXP: return exp(a);
  case OP_LOG: return log(a);
  case OP_LOG10: return log10(a);
  case OP_MIN2: return a < b ? a : b;
  case OP_MAX2: return a > b ? a : b;
  case OP_DIVT: return trunc(a / b);
  case OP_MOD: return a - floor(a / b) * b;
  case OP_REM: return a - trunc(a / b) * b;
  case OP_CEIL: return ceil(a);
  case OP_FLOOR:
  case OP_TO_INTEGER: return floor(a);
  case OP_NEG: return -a;
  case OP_ADD: return a + b;
  case OP_SUB: return a - b;
  case OP_MUL: return a * b;
  case OP_DIV: return a / b;
  case OP_POW: return pow(a, b);
  case OP_LT: return a < b;
  case OP_LE: return a <= b;
  case OP_GT: return a > b;
  case OP_GE: return a >= b;
  case OP_EQ: return a == b;
  case OP_NE: return a != b;
  case OP_NOT: return a == 0;
  case OP_AND: return a != 0 && b != 0;
  case OP_OR: return a != 0 || b != 0;
  case OP_CAST:
  case OP_NOEVENT:
  case OP_HOMOTOPY: return a;
  case OP_SMOOTH: return b;
  default: fail_msg("operator %d has no value here", (int)op); return NAN;
  }
}

static inline double value(const ExprPool *p, ExprId id, const double *vars, double time) {
  const Expr *e = expr_get(p, id);
  switch ((int)e->op) {
  case OP_REAL: return e->real;
  case OP_INTEGER:
  case OP_BOOLEAN: return (double)e->integer;
  case OP_TIME: return time;
  case OP_VAR: return vars[e->index];
  case OP_IF: return value(p, e->args[value(p, e->args[0], vars, time) != 0 ? 1 : 2], vars, time);
  case OP_SEMILINEAR: {
    double x = value(p, e->args[0], vars, time);
    return x * value(p, e->args[x >= 0 ? 1 : 2], vars, time);
  }
  case OP_INDEX: {
    const Expr *array = expr_get(p, e->args[0]);
    return value(p, array->args[(int)value(p, e->args[1], vars, time) - 1], vars, time);
  }
  default:
    return value_call(e->op, value(p, e->args[0], vars, time),
                      e->n > 1 ? value(p, e->args[1], vars, time) : 0);
  }
}

/* ---- arrays ---- */

/* A REF node of the given element type and dimensions; its scalars are new VARs. */
static inline ExprId array_ref(Fix *f, const char *name, TypeId type) {
  ArrayVar *a = NEW(f->arena, ArrayVar);
  a->name = name;
  a->first = f->n_vars;
  a->n = (uint32_t)type_count(f->p, type);
  f->n_vars += a->n;
  vec_push(f->arena, &f->arrays, a);
  return expr_make_ref(f->p, OP_REF, type, a, 0, NULL);
}
