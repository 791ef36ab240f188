/* expr/print.c -- expressions and types as Modelica text that reads back to the same expression.
 * How:  a stack of pieces (texts and expressions) instead of recursion, so that depth does not
 *       matter. Each expression comes with the loosest binding that may stand there without
 *       parentheses; levels follow the grammar of MLS 3.6 A.2.6. Forms of our own: a part of a call
 *       prints as a selection from it, (f(x))[2] or (f(x)).re, where a result of a function with
 *       several is named like a field; a cast prints as its argument; an array without elements
 *       prints as fill. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "expr/expr_impl.h"
#include "expr/func.h"

/* What may stand in a place: an expression of this level or a higher one. */
enum {
  LEVEL_ANY,
  LEVEL_RANGE,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_RELATION,
  LEVEL_SUM = 7,
  LEVEL_TERM,
  LEVEL_FACTOR,
  LEVEL_PRIMARY
};

typedef enum { SHAPE_LEAF, SHAPE_PREFIX, SHAPE_INFIX, SHAPE_CALL, SHAPE_FORM } Shape;

static const struct {
  const char *text;
  Shape shape;
  int precedence;
} ops[] = {
#define OP(name, text, shape, precedence) [OP_##name] = {text, SHAPE_##shape, precedence},
#include "expr/ops.def"
#undef OP
    [OP_COUNT] = {"", SHAPE_LEAF, 0},
};

typedef struct {
  const char *text; /* printed when not NULL */
  ExprId e;         /* else this */
  int level;        /* loosest binding that needs no parentheses here */
} Piece;

typedef struct {
  const ExprPrinter *pr;
  const ExprPool *pool;
  Text *out;
  Arena *scratch;
  VEC(Piece) stack;
  VEC(Piece) row; /* pieces of the current node, in order */
} Printer;

static void say(Printer *t, const char *text) {
  vec_push(t->scratch, &t->row, (Piece){text, NO_EXPR, 0});
}
static void put(Printer *t, ExprId e, int level) {
  vec_push(t->scratch, &t->row, (Piece){NULL, e, level});
}

/* ---- leaves ---- */

static bool is_identifier(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_')
    return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_')
      return false;
  return true;
}

/* Names with dots and other signs are quoted; those that are quoted already stay. */
static void print_name(Text *out, const char *name) {
  if (is_identifier(name) || *name == '\'') {
    text_add(out, name);
    return;
  }
  text_char(out, '\'');
  for (; *name; name++) {
    if (*name == '\'' || *name == '\\')
      text_char(out, '\\');
    text_char(out, *name);
  }
  text_char(out, '\'');
}

static void print_real(Text *out, double value) {
  size_t from = out->n;
  text_real(out, value);
  if (isfinite(value) && !strpbrk(out->at + from, ".eE"))
    text_add(out, ".0");
}

/* The smallest Integer has no literal of its own. */
static void print_integer(Text *out, int64_t value) {
  if (value == INT64_MIN)
    text_add(out, "-9223372036854775807 - 1");
  else
    text_printf(out, "%lld", (long long)value);
}

static void print_string(Text *out, const char *s) {
  static const char plain[] = "\a\b\f\n\r\t\v\"\\", letter[] = "abfnrtv\"\\";
  text_char(out, '"');
  for (; *s; s++) {
    const char *special = strchr(plain, *s);
    if (special) {
      text_char(out, '\\');
      text_char(out, letter[special - plain]);
    } else
      text_char(out, *s);
  }
  text_char(out, '"');
}

static void print_type_name(const ExprPrinter *pr, Text *out, const TypeDecl *d) {
  if (pr->type_name)
    pr->type_name(pr->user, d, out);
  else
    print_name(out, d->name);
}

static void print_enum(const ExprPrinter *pr, Text *out, const TypeDecl *d, int64_t ordinal) {
  if (!d || ordinal < 1 || ordinal > d->n) {
    text_printf(out, "%lld", (long long)ordinal);
    return;
  }
  print_type_name(pr, out, d);
  text_char(out, '.');
  print_name(out, d->names[ordinal - 1]);
}

static void print_leaf(Printer *t, const Expr *e) {
  switch ((int)e->op) {
  case OP_REAL: print_real(t->out, e->real); break;
  case OP_INTEGER: print_integer(t->out, e->integer); break;
  case OP_BOOLEAN: text_add(t->out, e->integer ? "true" : "false"); break;
  case OP_STRING: print_string(t->out, e->string); break;
  case OP_ENUM: print_enum(t->pr, t->out, type_get(t->pool, e->type)->decl, e->integer); break;
  case OP_TIME: text_add(t->out, "time"); break;
  case OP_COUNT: break;
  default: t->pr->name(t->pr->user, e, t->out); break;
  }
}

/* ---- levels ---- */

/* How tightly a node binds. */
static int level_of(const Expr *e) {
  if (e->op == OP_REAL)
    return signbit(e->real) ? LEVEL_SUM : LEVEL_PRIMARY;
  if (e->op == OP_INTEGER)
    return e->integer < 0 ? LEVEL_SUM : LEVEL_PRIMARY;
  if (e->op == OP_IF)
    return LEVEL_ANY;
  if (e->op == OP_RANGE)
    return LEVEL_RANGE;
  return ops[e->op].precedence ? ops[e->op].precedence : LEVEL_PRIMARY;
}

/* Left-associative, but relations and powers take no equals. */
static void infix(Printer *t, const Expr *e) {
  int level = ops[e->op].precedence;
  bool strict = level == LEVEL_RELATION || level == LEVEL_FACTOR;
  bool tight = level == LEVEL_TERM || level == LEVEL_FACTOR; /* a*b, but a + b and a .* b */
  bool spaced = !tight || ops[e->op].text[0] == '.';
  put(t, e->args[0], strict ? level + 1 : level);
  say(t, spaced ? " " : "");
  say(t, ops[e->op].text);
  say(t, spaced ? " " : "");
  put(t, e->args[1], level + 1);
}

/* ---- forms ---- */

static void list(Printer *t, const ExprId *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      say(t, ", ");
    put(t, args[i], LEVEL_ANY);
  }
}

static const char *named(Printer *t, const char *name) {
  Text text = {.arena = t->scratch};
  print_name(&text, name);
  return text_str(&text);
}

static const char *payload_name(Printer *t, const Expr *e) {
  Text text = {.arena = t->scratch};
  t->pr->name(t->pr->user, e, &text);
  return text_str(&text);
}

static const char *decl_name(Printer *t, TypeId type) {
  const TypeDecl *d = type_get(t->pool, type)->decl;
  Text text = {.arena = t->scratch};
  if (d)
    print_type_name(t->pr, &text, d);
  return text_str(&text);
}

/* fill(0.0, 2, 0): arrays without elements have no constructor in the language. */
static void empty_array(Printer *t, const Type *y) {
  Text text = {.arena = t->scratch};
  text_add(&text, "fill(");
  switch (y->base) {
  case TY_INTEGER: text_add(&text, "0"); break;
  case TY_BOOLEAN: text_add(&text, "false"); break;
  case TY_STRING: text_add(&text, "\"\""); break;
  case TY_ENUM: print_enum(t->pr, &text, y->decl, 1); break;
  case TY_NONE:
  case TY_REAL:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_EXTERNAL:
  case TY_FUNCTION:
  case TY_TUPLE: text_add(&text, "0.0"); break;
  }
  for (uint32_t i = 0; i < y->n_dims; i++)
    text_printf(&text, ", %d", y->dims[i] < 0 ? 0 : y->dims[i]);
  text_char(&text, ')');
  say(t, text_str(&text));
}

static void array(Printer *t, const Expr *e) {
  if (e->n == 0 || type_count(t->pool, e->type) == 0) {
    empty_array(t, type_get(t->pool, e->type));
    return;
  }
  say(t, "{");
  list(t, e->args, e->n);
  say(t, "}");
}

/* Names, and selections from names, may be followed by [ ] and . */
static bool is_reference(const ExprPool *p, ExprId id) {
  const Expr *e = expr_get(p, id);
  while (e->op == OP_INDEX || e->op == OP_FIELD || e->op == OP_CAST)
    e = expr_get(p, e->args[0]);
  return e->op == OP_VAR || e->op == OP_REF || e->op == OP_LOCAL;
}

static void base(Printer *t, ExprId e) {
  bool plain = is_reference(t->pool, e);
  say(t, plain ? "" : "(");
  put(t, e, plain ? LEVEL_PRIMARY : LEVEL_ANY);
  say(t, plain ? "" : ")");
}

static void field(Printer *t, const Expr *e) {
  const TypeDecl *d = type_get(t->pool, expr_type(t->pool, e->args[0]))->decl;
  /* The first of several results is what the call itself means */
  if (d && !d->names && e->index == 0) {
    put(t, e->args[0], LEVEL_PRIMARY);
    return;
  }
  base(t, e->args[0]);
  say(t, ".");
  say(t, d && d->names && e->index < d->n ? named(t, d->names[e->index]) : "?");
}

/* body for i in r1, j in r2: ranges are stored from the last to the first. */
static void iterators(Printer *t, const Expr *e) {
  put(t, e->args[0], LEVEL_ANY);
  say(t, " for ");
  for (uint32_t k = 1; k < e->n; k++) {
    ExprId values = e->args[e->n - k];
    Expr local = {.op = OP_LOCAL, .index = e->index + k - 1};
    say(t, k > 1 ? ", " : "");
    say(t, payload_name(t, &local));
    say(t, " in ");
    put(t, values, LEVEL_ANY);
  }
}

static void reduction(Printer *t, const Expr *e) {
  Op op = (Op)e->payload2;
  say(t, op == OP_ADD ? "sum" : op == OP_MUL ? "product" : op == OP_MIN2 ? "min" : "max");
  say(t, "(");
  iterators(t, e);
  say(t, ")");
}

/* A function as an argument; inputs that are bound print by name, in order of the inputs. */
static void function(Printer *t, const Expr *e) {
  const Func *f = e->ref;
  say(t, e->n ? "function " : "");
  say(t, payload_name(t, e));
  const char *before = "(";
  for (uint32_t i = 0; i < e->n; i++) {
    if (!e->args[i].i)
      continue;
    say(t, before);
    before = ", ";
    if (f && i < f->n_inputs) {
      say(t, named(t, f->vars[i].name));
      say(t, " = ");
    }
    put(t, e->args[i], LEVEL_ANY);
  }
  say(t, e->n ? *before == '(' ? "()" : ")" : "");
}

/* ---- parts of calls ---- */

/* Appends what selects scalar k of a value of type y: [2, 3], .re, or the name of a result. */
static void part_path(Printer *t, Text *out, const Func *f, TypeId type, int64_t k) {
  const Type *y = type_get(t->pool, type);
  if (y->n_dims) {
    int64_t rest = type_count(t->pool, type);
    for (uint32_t i = 0; i < y->n_dims && rest > 0; i++) {
      rest /= y->dims[i];
      text_printf(out, "%s%lld", i ? ", " : "[", (long long)(k / rest + 1));
      k %= rest;
    }
    text_char(out, ']');
  }
  if (y->base != TY_RECORD && y->base != TY_TUPLE)
    return;
  for (uint32_t i = 0; i < y->decl->n; i++) {
    int64_t n = type_count(t->pool, y->decl->types[i]);
    if (n < 0)
      return;
    if (k >= n) {
      k -= n;
      continue;
    }
    text_char(out, '.');
    if (y->decl->names)
      print_name(out, y->decl->names[i]);
    else if (f && i < f->n_outputs)
      print_name(out, f->vars[f->n_inputs + i].name);
    else
      text_printf(out, "%u", i + 1);
    part_path(t, out, NULL, y->decl->types[i], k);
    return;
  }
}

static void part(Printer *t, const Expr *e) {
  const Expr *call = expr_get(t->pool, e->args[0]);
  Text path = {.arena = t->scratch};
  part_path(t, &path, call->op == OP_CALL ? call->ref : NULL, call->type, e->index);
  base(t, e->args[0]);
  say(t, text_str(&path));
}

/* ---- dispatch ---- */

/* String(x, significantDigits = ...): formats print by name, because their places differ with the
 * type of x. */
static void string_of(Printer *t, const Expr *e) {
  static const char *const names[] = {
      ", significantDigits = ", ", minimumLength = ", ", leftJustified = "};
  bool real = expr_base(t->pool, e->args[0]) == TY_REAL;
  say(t, "String(");
  put(t, e->args[0], LEVEL_ANY);
  if (e->n == 2) {
    bool format = expr_base(t->pool, e->args[1]) == TY_STRING;
    say(t, format ? ", format = " : names[0]);
    put(t, e->args[1], LEVEL_ANY);
  }
  for (uint32_t i = real ? 1 : 2; e->n > 2 && i < e->n && i <= 3; i++) {
    say(t, names[i - 1]);
    put(t, e->args[i], LEVEL_ANY);
  }
  say(t, ")");
}

static void call(Printer *t, const char *name, const Expr *e) {
  say(t, name);
  say(t, "(");
  list(t, e->args, e->n);
  say(t, ")");
}

/* f(a, b), or of a function value; behind an argument that is left out the others print by name. */
static void function_call(Printer *t, const Expr *e) {
  const Func *f = e->ref;
  bool gap = false;
  const char *before = "";
  if (f)
    say(t, payload_name(t, e));
  else
    put(t, e->args[0], LEVEL_PRIMARY);
  say(t, "(");
  for (uint32_t i = f ? 0 : 1; i < e->n; i++) {
    if (!e->args[i].i) {
      gap = true;
      continue;
    }
    say(t, before);
    before = ", ";
    if (gap && f && i < f->n_inputs) {
      say(t, named(t, f->vars[i].name));
      say(t, " = ");
    }
    put(t, e->args[i], LEVEL_ANY);
  }
  say(t, ")");
}

static void range(Printer *t, const Expr *e) {
  double step = 1;
  bool plain = !e->args[1].i || (expr_as_real(t->pool, e->args[1], &step) && step == 1);
  put(t, e->args[0], LEVEL_OR);
  say(t, ":");
  if (!plain) {
    put(t, e->args[1], LEVEL_OR);
    say(t, ":");
  }
  put(t, e->args[2], LEVEL_OR);
}

/* The first result of the operator; whoever prints the other one has to say so. */
static void spatial(Printer *t, const Expr *e) {
  uint32_t points = (e->n - 5) / 2;
  say(t, "spatialDistribution(");
  list(t, e->args + 1, 4);
  say(t, ", {");
  list(t, e->args + 5, points);
  say(t, "}, {");
  list(t, e->args + 5 + points, points);
  say(t, "})");
}

static void form(Printer *t, const Expr *e) {
  switch ((int)e->op) {
  case OP_IF:
    say(t, "if ");
    put(t, e->args[0], LEVEL_ANY);
    say(t, " then ");
    put(t, e->args[1], LEVEL_ANY);
    say(t, " else ");
    put(t, e->args[2], LEVEL_ANY);
    break;
  case OP_ARRAY: array(t, e); break;
  case OP_INDEX:
    base(t, e->args[0]);
    say(t, "[");
    list(t, e->args + 1, e->n - 1);
    say(t, "]");
    break;
  case OP_RANGE: range(t, e); break;
  case OP_RECORD:
  case OP_TO_ENUM: call(t, decl_name(t, e->type), e); break;
  case OP_FIELD: field(t, e); break;
  case OP_TUPLE: call(t, "", e); break;
  case OP_CALL: function_call(t, e); break;
  case OP_PART: part(t, e); break;
  case OP_COMPREHEND:
    say(t, "{");
    iterators(t, e);
    say(t, "}");
    break;
  case OP_REDUCE: reduction(t, e); break;
  default: break;
  }
}

static void node(Printer *t, const Expr *e) {
  switch (ops[e->op].shape) {
  case SHAPE_LEAF:
    if (e->op == OP_FUNCTION)
      function(t, e);
    else
      print_leaf(t, e);
    break;
  case SHAPE_PREFIX:
    say(t, ops[e->op].text);
    put(t, e->args[0], ops[e->op].precedence + 1);
    break;
  case SHAPE_INFIX: infix(t, e); break;
  case SHAPE_CALL:
    if (e->op == OP_STRING_OF)
      string_of(t, e);
    else if (e->op == OP_SPATIAL && e->n > 5)
      spatial(t, e);
    else
      call(t, ops[e->op].text, e);
    break;
  case SHAPE_FORM: form(t, e); break;
  }
}

void expr_print(const ExprPrinter *pr, ExprId e, Text *out) {
  Printer t = {.pr = pr, .pool = pr->pool, .out = out};
  t.scratch = arena_new(arena_memory(pool_arena(pr->pool)));
  vec_push(t.scratch, &t.stack, (Piece){NULL, e, LEVEL_ANY});
  while (t.stack.n) {
    Piece top = t.stack.at[--t.stack.n];
    if (top.text) {
      text_add(out, top.text);
      continue;
    }
    const Expr *x = expr_get(pr->pool, top.e);
    while (x->op == OP_CAST)
      x = expr_get(pr->pool, x->args[0]);
    bool wrap = level_of(x) < top.level;
    t.row.n = 0;
    if (wrap)
      text_char(out, '(');
    node(&t, x);
    if (wrap)
      say(&t, ")");
    while (t.row.n)
      vec_push(t.scratch, &t.stack, t.row.at[--t.row.n]);
  }
  arena_free(t.scratch);
}

/* ---- types ---- */

void type_print(const ExprPool *p, TypeId id, Text *out) {
  static const char *const names[] = {
      [TY_NONE] = "none",         [TY_REAL] = "Real",     [TY_INTEGER] = "Integer",
      [TY_BOOLEAN] = "Boolean",   [TY_STRING] = "String", [TY_ENUM] = "enumeration",
      [TY_CLOCK] = "Clock",       [TY_RECORD] = "record", [TY_EXTERNAL] = "ExternalObject",
      [TY_FUNCTION] = "function", [TY_TUPLE] = "()"};
  const Type *t = type_get(p, id);
  if (t->base == TY_TUPLE && t->decl) {
    for (uint32_t i = 0; i < t->decl->n; i++) {
      text_add(out, i ? ", " : "(");
      type_print(p, t->decl->types[i], out);
    }
    text_add(out, t->decl->n ? ")" : "()");
  } else
    text_add(out, t->decl && t->decl->name && *t->decl->name ? t->decl->name : names[t->base]);
  for (uint32_t i = 0; i < t->n_dims; i++) {
    text_add(out, i ? ", " : "[");
    if (t->dims[i] == DIM_UNKNOWN)
      text_char(out, ':');
    else
      text_printf(out, "%d", t->dims[i]);
  }
  if (t->n_dims)
    text_char(out, ']');
}
