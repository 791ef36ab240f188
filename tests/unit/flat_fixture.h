#pragma once
/* tests/unit/flat_fixture.h -- flat models from short texts, for the tests of the checks and the
 * printer in src/flat. One item per line:   Real x unit=m   parameter Real p = 2   discrete Real
 * d   flow Real i unit=A   Boolean b   Integer n x = a + 2*der(b)   alias a.v = b.v   sum a.i + b.i
 * = 0   zero a.i = 0
 *                      when c ... elsewhen c ... end   if c ... else ... end   reinit x e
 * Declarations carry the span of the name, everything else that of its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat/flat_build.h"

typedef VEC(FlatEquation *) EquationList;

typedef struct {
  Memory mem;
  jmp_buf recover;
  Arena *arena;
  Diags *diags;
  ExprPool *pool;
  FlatModel *m;
  const char *at; /* of the expression reader */
  const char *text;
  uint32_t base;
} FlatFix;

static inline FlatFix *flat_fix_new(void) {
  FlatFix *f = calloc(1, sizeof *f);
  f->mem.recover = &f->recover;
  f->arena = arena_new(&f->mem);
  f->diags = diags_new(f->arena, sources_new(f->arena));
  f->pool = pool_new(f->arena);
  f->m = flat_new(f->arena, f->pool, "Test");
  return f;
}

static inline void flat_fix_free(FlatFix *f) {
  mem_drop_since(&f->mem, NULL);
  assert_int_equal(f->mem.used, 0);
  free(f);
}

static inline TypeId real_type(FlatFix *f) { return type_scalar(f->pool, TY_REAL); }

/* ---- expressions ---- */

static inline bool is_name_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '[' || c == ']';
}

static inline void skip_space(FlatFix *f) {
  while (*f->at == ' ')
    f->at++;
}

static inline bool take(FlatFix *f, const char *word) {
  size_t n = strlen(word);
  skip_space(f);
  if (strncmp(f->at, word, n) != 0 ||
      (isalpha((unsigned char)word[n - 1]) && is_name_char(f->at[n])))
    return false;
  f->at += n;
  return true;
}

static inline uint32_t find_var(const FlatFix *f, const char *name, size_t n) {
  for (uint32_t i = 0; i < f->m->vars.n; i++)
    if (strlen(f->m->vars.at[i].name) == n && memcmp(f->m->vars.at[i].name, name, n) == 0)
      return i;
  fail_msg("no variable %.*s", (int)n, name);
  return 0;
}

static inline ExprId read_expr(FlatFix *f, int level);

static inline ExprId read_function(FlatFix *f, Op op) {
  assert_true(take(f, "("));
  ExprId args[3];
  uint32_t n = 0;
  while (!take(f, ")")) {
    args[n++] = read_expr(f, 0);
    take(f, ",");
  }
  TypeId type = op == OP_EDGE || op == OP_SAMPLE || op == OP_CHANGE
                    ? type_scalar(f->pool, TY_BOOLEAN)
                    : expr_get(f->pool, args[n - 1])->type;
  return expr_make(f->pool, op, type, n, args);
}

static inline ExprId read_primary(FlatFix *f) {
  static const struct {
    const char *name;
    Op op;
  } functions[] = {{"der", OP_DER},       {"pre", OP_PRE},       {"edge", OP_EDGE},
                   {"change", OP_CHANGE}, {"sample", OP_SAMPLE}, {"noEvent", OP_NOEVENT},
                   {"sin", OP_SIN},       {"exp", OP_EXP},       {"sqrt", OP_SQRT},
                   {"abs", OP_ABS}};
  skip_space(f);
  if (take(f, "(")) {
    ExprId e = read_expr(f, 0);
    assert_true(take(f, ")"));
    return e;
  }
  if (take(f, "not"))
    return expr_unary(f->pool, OP_NOT, read_primary(f));
  if (take(f, "-"))
    return expr_unary(f->pool, OP_NEG, read_primary(f));
  if (take(f, "true"))
    return expr_boolean(f->pool, true);
  if (take(f, "time"))
    return expr_time(f->pool);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (take(f, functions[i].name))
      return read_function(f, functions[i].op);
  char *end;
  if (isdigit((unsigned char)*f->at)) {
    double value = strtod(f->at, &end);
    bool integer = !memchr(f->at, '.', (size_t)(end - f->at)) && value == (double)(int64_t)value;
    f->at = end;
    return integer ? expr_integer(f->pool, (int64_t)value) : expr_real(f->pool, value);
  }
  const char *name = f->at;
  while (is_name_char(*f->at))
    f->at++;
  return flat_var_expr(f->m, find_var(f, name, (size_t)(f->at - name)));
}

static inline ExprId read_expr(FlatFix *f, int level) {
  static const struct {
    const char *text;
    Op op;
    int level;
  } ops[] = {{"or", OP_OR, 1}, {"and", OP_AND, 2}, {"<=", OP_LE, 3}, {">=", OP_GE, 3},
             {"<", OP_LT, 3},  {">", OP_GT, 3},    {"+", OP_ADD, 4}, {"-", OP_SUB, 4},
             {"*", OP_MUL, 5}, {"/", OP_DIV, 5},   {"^", OP_POW, 6}};
  ExprId left = read_primary(f);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops && !more; i++) {
      if (ops[i].level <= level || !take(f, ops[i].text))
        continue;
      left = expr_binary(f->pool, ops[i].op, left, read_expr(f, ops[i].level));
      more = true;
    }
  }
  return left;
}

static inline ExprId expr_of(FlatFix *f, const char *text) {
  f->at = text;
  return read_expr(f, 0);
}

/* ---- lines ---- */

static inline void read_declaration(FlatFix *f, const char *line) {
  FlatVar v = {.type = real_type(f), .select = SELECT_DEFAULT};
  f->at = line;
  for (;;) {
    if (take(f, "parameter"))
      v.variability = FLAT_PARAMETER;
    else if (take(f, "discrete"))
      v.variability = FLAT_DISCRETE;
    else if (take(f, "flow"))
      v.is_flow = true;
    else if (take(f, "input"))
      v.causality = CAUSE_INPUT;
    else
      break;
  }
  TypeBase base = take(f, "Real")      ? TY_REAL
                  : take(f, "Integer") ? TY_INTEGER
                  : take(f, "Boolean") ? TY_BOOLEAN
                                       : TY_NONE;
  assert_true(base != TY_NONE);
  v.type = type_scalar(f->pool, base);
  if (base != TY_REAL && !v.variability)
    v.variability = FLAT_DISCRETE;
  skip_space(f);
  const char *name = f->at;
  while (is_name_char(*f->at))
    f->at++;
  v.name = arena_strndup(f->arena, name, (size_t)(f->at - name));
  v.span = (Span){f->base + (uint32_t)(name - f->text), f->base + (uint32_t)(f->at - f->text)};
  if (take(f, "unit=")) {
    const char *unit = f->at;
    while (*f->at && *f->at != '\n' && *f->at != ' ')
      f->at++;
    v.unit = arena_strndup(f->arena, unit, (size_t)(f->at - unit));
  }
  if (take(f, "="))
    v.binding = expr_to_real(f->pool, read_expr(f, 0));
  vec_push(f->arena, &f->m->vars, v);
}

static inline void note_derivatives(void *user, ExprId e) {
  FlatFix *f = user;
  const Expr *x = expr_get(f->pool, e);
  if (x->op == OP_DER)
    f->m->vars.at[expr_get(f->pool, x->args[0])->index].has_der = true;
}

static inline FlatEquation *read_equation(FlatFix *f, const char *line, Span span) {
  f->at = line;
  FlatEquation *eq = flat_equation(f->arena, FEQ_EQUAL, span);
  if (take(f, "reinit")) {
    eq->kind = FEQ_REINIT;
    eq->lhs = read_primary(f);
    eq->rhs = read_expr(f, 0);
    return eq;
  }
  eq->from = take(f, "alias")  ? FROM_CONNECT
             : take(f, "sum")  ? FROM_FLOW_SUM
             : take(f, "zero") ? FROM_FLOW_ZERO
                               : FROM_EQUATION;
  eq->lhs = read_expr(f, 0);
  assert_true(take(f, "="));
  eq->rhs = read_expr(f, 0);
  if (type_get(f->pool, expr_get(f->pool, eq->lhs)->type)->base == TY_REAL)
    eq->rhs = expr_to_real(f->pool, eq->rhs);
  expr_walk(f->pool, eq->lhs, note_derivatives, f);
  expr_walk(f->pool, eq->rhs, note_derivatives, f);
  return eq;
}

static inline bool starts_with(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

static inline bool is_declaration(const char *line) {
  static const char *const words[] = {"Real ",     "Integer ", "Boolean ", "parameter ",
                                      "discrete ", "flow ",    "input "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (starts_with(line, words[i]))
      return true;
  return false;
}

static inline void add_branch(FlatFix *f, FlatEquation *block, const char *condition) {
  FlatBranch *grown = NEW_ARRAY(f->arena, FlatBranch, block->n_branches + 1);
  if (block->n_branches)
    memcpy(grown, block->branches, block->n_branches * sizeof *grown);
  grown[block->n_branches].condition = condition ? expr_of(f, condition) : NO_EXPR;
  grown[block->n_branches].body = NEW_ARRAY(f->arena, FlatEquation *, 16);
  block->branches = grown;
  block->n_branches++;
}

/* Reads the whole text as the source Test.mo. */
static inline void read_model(FlatFix *f, const char *text) {
  const Source *source = sources_add((SourceMap *)(uintptr_t)diags_sources(f->diags), "Test.mo",
                                     text, strlen(text));
  FlatEquation *block = NULL; /* when or if that is open */
  f->text = text;
  f->base = source->base;
  for (const char *line = text; *line;) {
    const char *end = strchr(line, '\n');
    end = end ? end : line + strlen(line);
    const char *first = line;
    while (*first == ' ')
      first++;
    Span span = {f->base + (uint32_t)(first - text), f->base + (uint32_t)(end - text)};
    char *copy = arena_strndup(f->arena, first, (size_t)(end - first));
    if (is_declaration(first)) {
      read_declaration(f, first);
    } else if (starts_with(copy, "when ") || starts_with(copy, "if ")) {
      bool when = *copy == 'w';
      block = flat_equation(f->arena, when ? FEQ_WHEN : FEQ_IF, span);
      add_branch(f, block, copy + (when ? 5 : 3));
      vec_push(f->arena, &f->m->equations, block);
    } else if (starts_with(copy, "else")) {
      add_branch(f, block, starts_with(copy, "elsewhen ") ? copy + 9 : NULL);
    } else if (strcmp(copy, "end") == 0) {
      block = NULL;
    } else if (*copy) {
      FlatEquation *eq = read_equation(f, copy, span);
      if (block)
        block->branches[block->n_branches - 1]
            .body[block->branches[block->n_branches - 1].n++] = eq;
      else
        vec_push(f->arena, &f->m->equations, eq);
    }
    line = *end ? end + 1 : end;
  }
}

static inline const Diag *find_code(const FlatFix *f, DiagCode code) {
  for (uint32_t i = 0; i < diags_count(f->diags); i++)
    if (diags_at(f->diags, i)->code == code)
      return diags_at(f->diags, i);
  return NULL;
}

static inline const char *rendered(FlatFix *f) {
  Text t = {.arena = f->arena};
  for (uint32_t i = 0; i < diags_count(f->diags); i++)
    diag_render(f->diags, diags_at(f->diags, i), false, &t);
  return text_str(&t);
}

static inline uint32_t line_of(const FlatFix *f, Span span) {
  return source_place(diags_sources(f->diags), span.lo).line;
}
