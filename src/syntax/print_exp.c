/* syntax/print_exp.c -- expressions and names as Modelica text.
 * How:  parentheses stand where they were written, and where the tree needs them (MLS 3.6 section
 *       3.2).
 * Keep: reading the text again gives the same tree: a Real literal stays one, an elementwise
 *       operator has blanks around it. */
#include <stdio.h>
#include <string.h>

#include "syntax/print_impl.h"

/* Binding strength of an expression, weakest first. */
typedef enum {
  BIND_IF,
  BIND_RANGE,
  BIND_OR,
  BIND_AND,
  BIND_NOT,
  BIND_RELATION,
  BIND_ADD,
  BIND_MUL,
  BIND_POWER,
  BIND_PRIMARY
} Bind;

static const struct {
  const char *text;
  Bind bind;
} ops[] = {
    [AST_ADD] = {"+", BIND_ADD},      [AST_SUB] = {"-", BIND_ADD},
    [AST_MUL] = {"*", BIND_MUL},      [AST_DIV] = {"/", BIND_MUL},
    [AST_POW] = {"^", BIND_POWER},    [AST_ADD_EL] = {".+", BIND_ADD},
    [AST_SUB_EL] = {".-", BIND_ADD},  [AST_MUL_EL] = {".*", BIND_MUL},
    [AST_DIV_EL] = {"./", BIND_MUL},  [AST_POW_EL] = {".^", BIND_POWER},
    [AST_LT] = {"<", BIND_RELATION},  [AST_LE] = {"<=", BIND_RELATION},
    [AST_GT] = {">", BIND_RELATION},  [AST_GE] = {">=", BIND_RELATION},
    [AST_EQ] = {"==", BIND_RELATION}, [AST_NE] = {"<>", BIND_RELATION},
    [AST_AND] = {"and", BIND_AND},    [AST_OR] = {"or", BIND_OR},
    [AST_NOT] = {"not", BIND_NOT},    [AST_NEG] = {"-", BIND_ADD},
    [AST_PLUS] = {"+", BIND_ADD},     [AST_NEG_EL] = {".-", BIND_ADD},
    [AST_PLUS_EL] = {".+", BIND_ADD},
};

const char *print_op(AstOp op) { return ops[op].text; }

static Bind bind_of(const AstExp *e) {
  switch (e->kind) {
  case AST_IF: return BIND_IF;
  case AST_RANGE: return BIND_RANGE;
  case AST_UNARY:
  case AST_BINARY: return ops[e->op].bind;
  case AST_INTEGER: return e->integer < 0 ? BIND_ADD : BIND_PRIMARY;
  case AST_REAL: return e->real < 0 ? BIND_ADD : BIND_PRIMARY;
  case AST_STRING:
  case AST_BOOLEAN:
  case AST_REF:
  case AST_END:
  case AST_COLON:
  case AST_CALL:
  case AST_REDUCE:
  case AST_ARRAY:
  case AST_MATRIX:
  case AST_TUPLE:
  case AST_PARTIAL: return BIND_PRIMARY;
  }
  return BIND_PRIMARY;
}

static void bound(Printer *pr, const AstExp *e, Bind least);

void print_string(Printer *pr, const char *value) {
  static const char codes[] = "\"\\\a\b\f\r\v", letters[] = "\"\\abfrv";
  text_char(pr->out, '"');
  for (const char *p = value; *p;) {
    size_t n = strcspn(p, codes);
    text_addn(pr->out, p, n);
    p += n;
    if (*p) {
      text_char(pr->out, '\\');
      text_char(pr->out, letters[strchr(codes, *p) - codes]);
      p++;
    }
  }
  text_char(pr->out, '"');
}

static void real(Printer *pr, double value) {
  size_t from = pr->out->n;
  text_real(pr->out, value);
  if (!strpbrk(pr->out->at + from, ".en"))
    text_add(pr->out, ".0");
}

static void items(Printer *pr, AstExp *const *list, uint32_t n, const char *between) {
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      text_add(pr->out, between);
    if (list[i])
      print_exp(pr, list[i]);
  }
}

void print_subscripts(Printer *pr, AstExp *const *subs, uint32_t n) {
  if (!n)
    return;
  text_char(pr->out, '[');
  items(pr, subs, n, ", ");
  text_char(pr->out, ']');
}

void print_ref(Printer *pr, const AstRef *r) {
  for (uint32_t i = 0; i < r->n; i++) {
    if (i || r->global)
      text_char(pr->out, '.');
    text_add(pr->out, r->parts[i].name);
    print_subscripts(pr, r->parts[i].subs, r->parts[i].n_subs);
  }
}

void print_arguments(Printer *pr, const AstArg *args, uint32_t n) {
  text_char(pr->out, '(');
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      text_add(pr->out, ", ");
    if (args[i].name) {
      text_add(pr->out, args[i].name);
      text_char(pr->out, '=');
    }
    print_exp(pr, args[i].value);
  }
  text_char(pr->out, ')');
}

void print_iterators(Printer *pr, const AstIterator *iterators, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      text_add(pr->out, ", ");
    text_add(pr->out, iterators[i].name);
    if (iterators[i].range) {
      text_add(pr->out, " in ");
      print_exp(pr, iterators[i].range);
    }
  }
}

static void binary(Printer *pr, const AstExp *e) {
  Bind bind = ops[e->op].bind;
  bool chains = bind != BIND_RELATION && bind != BIND_POWER;
  bool tight = e->op == AST_MUL || e->op == AST_DIV || e->op == AST_POW;
  bound(pr, e->a, chains ? bind : bind + 1);
  text_printf(pr->out, tight ? "%s" : " %s ", ops[e->op].text);
  bound(pr, e->b, bind + 1);
}

/* if a then b { elseif c then d } else e */
static void if_expression(Printer *pr, const AstExp *e) {
  const char *word = "if ";
  for (; e->kind == AST_IF && (word[0] == 'i' || !e->parenthesised); e = e->c) {
    text_add(pr->out, word);
    print_exp(pr, e->a);
    text_add(pr->out, " then ");
    print_exp(pr, e->b);
    word = " elseif ";
  }
  text_add(pr->out, " else ");
  print_exp(pr, e);
}

static void reduction(Printer *pr, const AstExp *e) {
  if (e->function)
    print_ref(pr, e->function);
  text_char(pr->out, e->function ? '(' : '{');
  print_exp(pr, e->body);
  text_add(pr->out, " for ");
  print_iterators(pr, e->iterators, e->n);
  text_char(pr->out, e->function ? ')' : '}');
}

static void matrix(Printer *pr, const AstExp *e) {
  text_char(pr->out, '[');
  for (uint32_t i = 0; i < e->n; i++) {
    if (i)
      text_add(pr->out, "; ");
    items(pr, e->items[i]->items, e->items[i]->n, ", ");
  }
  text_char(pr->out, ']');
}

static void bare(Printer *pr, const AstExp *e) {
  Text *out = pr->out;
  switch (e->kind) {
  case AST_INTEGER: text_printf(out, "%lld", (long long)e->integer); break;
  case AST_REAL: real(pr, e->real); break;
  case AST_STRING: print_string(pr, e->string); break;
  case AST_BOOLEAN: text_add(out, e->integer ? "true" : "false"); break;
  case AST_REF: print_ref(pr, e->ref); break;
  case AST_END: text_add(out, "end"); break;
  case AST_COLON: text_char(out, ':'); break;
  case AST_UNARY:
    text_add(out, ops[e->op].text);
    if (e->op == AST_NOT)
      text_char(out, ' ');
    bound(pr, e->a, ops[e->op].bind + 1);
    break;
  case AST_BINARY: binary(pr, e); break;
  case AST_IF: if_expression(pr, e); break;
  case AST_RANGE:
    bound(pr, e->a, BIND_OR);
    if (e->b) {
      text_char(out, ':');
      bound(pr, e->b, BIND_OR);
    }
    text_char(out, ':');
    bound(pr, e->c, BIND_OR);
    break;
  case AST_PARTIAL: text_add(out, "function "); /* fall through */
  case AST_CALL:
    print_ref(pr, e->function);
    print_arguments(pr, e->args, e->n);
    break;
  case AST_REDUCE: reduction(pr, e); break;
  case AST_ARRAY:
    text_char(out, '{');
    items(pr, e->items, e->n, ", ");
    text_char(out, '}');
    break;
  case AST_MATRIX: matrix(pr, e); break;
  case AST_TUPLE:
    text_char(out, '(');
    items(pr, e->items, e->n, ", ");
    text_char(out, ')');
    break;
  }
}

/* In parentheses if it binds weaker than `least`. */
static void bound(Printer *pr, const AstExp *e, Bind least) {
  bool parentheses = e->parenthesised || bind_of(e) < least;
  if (parentheses)
    text_char(pr->out, '(');
  bare(pr, e);
  if (parentheses)
    text_char(pr->out, ')');
}

void print_exp(Printer *pr, const AstExp *e) { bound(pr, e, BIND_IF); }

void print_simple_exp(Printer *pr, const AstExp *e) { bound(pr, e, BIND_RANGE); }

void syntax_print_exp(const AstExp *e, Text *out) { print_exp(&(Printer){.out = out}, e); }

void syntax_print_ref(const AstRef *r, Text *out) { print_ref(&(Printer){.out = out}, r); }
