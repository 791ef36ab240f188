/* syntax/parse_exp.c -- expressions, names and references (MLS 3.6 appendix A.2.7).
 * How:  precedence climbing over the table `binary_ops`. Signs and `not` may begin an operand of
 *       their own level only: a*-b is not Modelica. Relations and powers do not chain.
 * Keep: `height` of the parser is that of the expression just read, so that every tree stays below
 *       MOST_TREE_HEIGHT. */
#include "syntax/parse_impl.h"

static AstExp *new_exp(Parser *p, AstExpKind kind, uint32_t lo) {
  AstExp *e = NEW(p->arena, AstExp);
  e->kind = kind;
  e->span = parse_since(p, lo);
  return e;
}

/* Stands for what could not be read; its item is dropped. */
static AstExp *missing(Parser *p) {
  p->height = 1;
  return new_exp(p, AST_TUPLE, p->tok.span.lo);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* ---- names ---- */

/* name : IDENT { "." IDENT }, type-specifier : ["."] name */
AstRef *parse_name(Parser *p, const char *what) {
  AstRef *r = NEW(p->arena, AstRef);
  uint32_t lo = p->tok.span.lo;
  size_t list = parse_list(p);
  r->global = parse_accept(p, TOK_DOT);
  do {
    AstRefPart part = {.span = p->tok.span};
    part.name = parse_ident(p, what);
    LIST_ADD(p, part);
    what = "a name";
  } while (!p->panic && parse_accept(p, TOK_DOT));
  r->parts = LIST_TAKE(p, list, AstRefPart, &r->n);
  r->span = parse_since(p, lo);
  return r;
}

/* array-subscripts : "[" subscript { "," subscript } "]"; subscript : ":" | expression */
AstExp **parse_subscripts(Parser *p, uint32_t *n) {
  size_t list = parse_list(p);
  uint32_t height = 0;
  parse_expect(p, TOK_LBRACKET, "");
  p->subscripts++;
  do {
    uint32_t lo = p->tok.span.lo;
    AstExp *e;
    if (parse_accept(p, TOK_COLON)) {
      e = new_exp(p, AST_COLON, lo);
      p->height = 1;
    } else {
      e = parse_expression(p);
    }
    height = larger(height, p->height);
    LIST_ADD(p, e);
  } while (!p->panic && parse_accept(p, TOK_COMMA));
  p->subscripts -= p->subscripts > 0;
  if (!p->panic && !parse_accept(p, TOK_RBRACKET))
    parse_expected(p, "`,` or `]` in the subscripts");
  parse_set_height(p, height + 1);
  return LIST_TAKE(p, list, AstExp *, n);
}

/* component-reference : [ "." ] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] } */
AstRef *parse_ref(Parser *p) {
  AstRef *r = NEW(p->arena, AstRef);
  uint32_t lo = p->tok.span.lo, height = 1;
  size_t list = parse_list(p);
  r->global = parse_accept(p, TOK_DOT);
  do {
    AstRefPart part = {.span = p->tok.span};
    part.name = parse_ident(p, "a name");
    if (parse_at(p, TOK_LBRACKET)) {
      part.subs = parse_subscripts(p, &part.n_subs);
      height = larger(height, p->height);
    }
    LIST_ADD(p, part);
  } while (!p->panic && parse_accept(p, TOK_DOT));
  r->parts = LIST_TAKE(p, list, AstRefPart, &r->n);
  r->span = parse_since(p, lo);
  p->height = height;
  return r;
}

/* ---- calls ---- */

/* for-indices : for-index { "," for-index }; for-index : IDENT [ in expression ] */
AstIterator *parse_iterators(Parser *p, uint32_t *n) {
  size_t list = parse_list(p);
  uint32_t height = 0;
  do {
    AstIterator it = {.span = p->tok.span};
    it.name = parse_ident(p, "the name of an iterator");
    if (!p->panic && parse_accept(p, TOK_IN)) {
      it.range = parse_expression(p);
      height = larger(height, p->height);
    }
    it.span = parse_since(p, it.span.lo);
    LIST_ADD(p, it);
  } while (!p->panic && parse_accept(p, TOK_COMMA));
  p->height = height;
  return LIST_TAKE(p, list, AstIterator, n);
}

/* function-partial-application : function type-specifier "(" [ named-arguments ] ")" */
static AstExp *partial_application(Parser *p) {
  uint32_t lo = p->tok.span.lo;
  if (!parse_enter(p))
    return missing(p);
  parse_next(p);
  AstExp *e = new_exp(p, AST_PARTIAL, lo);
  e->function = parse_name(p, "the name of a function");
  e->args = parse_arguments(p, &e->n);
  for (uint32_t i = 0; i < e->n && !p->panic; i++)
    if (!e->args[i].name)
      parse_error(p, D_P010, e->args[i].span,
                  "the arguments of a partial function application have names");
  e->span = parse_since(p, lo);
  parse_leave(p);
  return e;
}

static AstExp *argument_value(Parser *p) {
  return parse_at(p, TOK_FUNCTION) ? partial_application(p) : parse_expression(p);
}

static bool is_plain_name(const AstExp *e) {
  return e->kind == AST_REF && !e->parenthesised && !e->ref->global && e->ref->n == 1 &&
         !e->ref->parts[0].n_subs;
}

/* function-argument | IDENT "=" function-argument */
static AstArg argument(Parser *p) {
  AstArg arg = {.span = p->tok.span};
  arg.value = argument_value(p);
  if (parse_at(p, TOK_EQUALS) && is_plain_name(arg.value)) {
    parse_next(p);
    arg.name = arg.value->ref->parts[0].name;
    arg.value = argument_value(p);
  }
  arg.span = parse_since(p, arg.span.lo);
  return arg;
}

/* The arguments up to the closing parenthesis, the first of them read already. */
static AstArg *arguments_after(Parser *p, size_t list, AstArg arg, uint32_t *n) {
  uint32_t height = p->height;
  bool named = arg.name;
  LIST_ADD(p, arg);
  while (!p->panic && parse_accept(p, TOK_COMMA)) {
    arg = argument(p);
    if (named && !arg.name && !p->panic)
      parse_error(p, D_P010, arg.span, "an argument without a name cannot follow one with a name");
    named = named || arg.name;
    height = larger(height, p->height);
    LIST_ADD(p, arg);
  }
  if (!p->panic && !parse_accept(p, TOK_RPAREN))
    parse_expected(p, "`,` or `)` after this argument");
  parse_set_height(p, height + 1);
  return LIST_TAKE(p, list, AstArg, n);
}

AstArg *parse_arguments(Parser *p, uint32_t *n) {
  size_t list = parse_list(p);
  *n = 0;
  p->height = 1;
  if (!parse_expect(p, TOK_LPAREN, "before the arguments") || parse_accept(p, TOK_RPAREN))
    return NULL;
  return arguments_after(p, list, argument(p), n);
}

/* for for-indices, after the body of a reduction or array constructor */
static void reduction(Parser *p, AstExp *e, AstExp *body, TokenKind close) {
  uint32_t height = p->height;
  parse_next(p);
  e->kind = AST_REDUCE;
  e->body = body;
  e->iterators = parse_iterators(p, &e->n);
  if (!p->panic && !parse_accept(p, close))
    parse_expected(p, "`,` or `%s` after this iterator", token_text(close));
  parse_set_height(p, larger(height, p->height) + 1);
}

/* function-call-args, at `(` */
static AstExp *call(Parser *p, AstRef *function) {
  size_t list = parse_list(p);
  AstExp *e = new_exp(p, AST_CALL, function->span.lo);
  e->function = function;
  parse_expect(p, TOK_LPAREN, "");
  if (!p->panic && !parse_accept(p, TOK_RPAREN)) {
    AstArg first = argument(p);
    if (!p->panic && parse_at(p, TOK_FOR) && !first.name && first.value->kind != AST_PARTIAL)
      reduction(p, e, first.value, TOK_RPAREN);
    else
      e->args = arguments_after(p, list, first, &e->n);
  } else {
    p->height = 1;
  }
  e->span = parse_since(p, function->span.lo);
  return e;
}

/* ---- primaries ---- */

static AstExp *read_integer(Parser *p) {
  uint32_t lo = p->tok.span.lo;
  int64_t value = p->tok.integer;
  parse_next(p);
  AstExp *e = new_exp(p, AST_INTEGER, lo);
  e->integer = value;
  return e;
}

static AstExp *read_real(Parser *p) {
  uint32_t lo = p->tok.span.lo;
  double value = p->tok.real;
  parse_next(p);
  AstExp *e = new_exp(p, AST_REAL, lo);
  e->real = value;
  return e;
}

static AstExp *read_string(Parser *p) {
  uint32_t lo = p->tok.span.lo;
  const char *value = p->tok.text;
  parse_next(p);
  AstExp *e = new_exp(p, AST_STRING, lo);
  e->string = value;
  return e;
}

static AstExp *read_boolean(Parser *p) {
  uint32_t lo = p->tok.span.lo;
  bool value = parse_at(p, TOK_TRUE);
  parse_next(p);
  AstExp *e = new_exp(p, AST_BOOLEAN, lo);
  e->integer = value;
  return e;
}

static AstExp *read_end(Parser *p) {
  if (!p->subscripts) {
    Diag *d = parse_expected(p, "an expression");
    if (d && !p->tok.first)
      diag_note(p->diags, d, "`end` is an expression in subscripts only");
    return missing(p);
  }
  uint32_t lo = p->tok.span.lo;
  parse_next(p);
  return new_exp(p, AST_END, lo);
}

static AstExp *read_ref(Parser *p) {
  AstRef *r = parse_ref(p);
  if (parse_at(p, TOK_LPAREN) && !p->panic)
    return call(p, r);
  AstExp *e = new_exp(p, AST_REF, r->span.lo);
  e->ref = r;
  return e;
}

/* der(...), initial(...), pure(...) */
static AstExp *read_keyword_call(Parser *p) {
  AstRef *r = NEW(p->arena, AstRef);
  r->parts = NEW(p->arena, AstRefPart);
  r->n = 1;
  r->span = r->parts[0].span = p->tok.span;
  r->parts[0].name = intern_str(p->names, token_text(p->tok.kind));
  parse_next(p);
  if (!parse_at(p, TOK_LPAREN)) {
    parse_expected(p, "`(` after `%s`", r->parts[0].name);
    return missing(p);
  }
  return call(p, r);
}

/* "(" output-expression-list ")" */
static AstExp *read_parentheses(Parser *p) {
  uint32_t lo = p->tok.span.lo, height = 0;
  size_t list = parse_list(p);
  bool single = true;
  AstExp *item = NULL;
  parse_next(p);
  do {
    item = NULL;
    if (!parse_at(p, TOK_COMMA) && !parse_at(p, TOK_RPAREN)) {
      item = parse_expression(p);
      height = larger(height, p->height);
    }
    LIST_ADD(p, item);
    single = single && !parse_at(p, TOK_COMMA);
  } while (!p->panic && parse_accept(p, TOK_COMMA));
  if (!p->panic && !parse_accept(p, TOK_RPAREN))
    parse_expected(p, single ? "`)`" : "`,` or `)`");
  uint32_t n;
  AstExp **items = LIST_TAKE(p, list, AstExp *, &n);
  if (single && item) {
    item->parenthesised = true;
    item->span = parse_since(p, lo);
    p->height = height;
    return item;
  }
  AstExp *e = new_exp(p, AST_TUPLE, lo);
  e->n = single ? 0 : n;
  e->items = items;
  parse_set_height(p, height + 1);
  return e;
}

/* "{" array-arguments "}"; an empty array is accepted, as tools do */
static AstExp *read_braces(Parser *p) {
  uint32_t lo = p->tok.span.lo, height = 0;
  size_t list = parse_list(p);
  AstExp *e = new_exp(p, AST_ARRAY, lo);
  parse_next(p);
  if (!parse_accept(p, TOK_RBRACE)) {
    AstExp *item = parse_expression(p);
    if (!p->panic && parse_at(p, TOK_FOR)) {
      reduction(p, e, item, TOK_RBRACE);
      e->span = parse_since(p, lo);
      return e;
    }
    LIST_ADD(p, item);
    height = p->height;
    while (!p->panic && parse_accept(p, TOK_COMMA)) {
      item = parse_expression(p);
      height = larger(height, p->height);
      LIST_ADD(p, item);
    }
    if (!p->panic && !parse_accept(p, TOK_RBRACE))
      parse_expected(p, "`,` or `}` in this array");
  }
  e->items = LIST_TAKE(p, list, AstExp *, &e->n);
  e->span = parse_since(p, lo);
  parse_set_height(p, height + 1);
  return e;
}

/* One row of a matrix: expression-list */
static AstExp *matrix_row(Parser *p) {
  uint32_t lo = p->tok.span.lo, height = 0;
  size_t list = parse_list(p);
  AstExp *row = new_exp(p, AST_ARRAY, lo);
  do {
    AstExp *item = parse_expression(p);
    height = larger(height, p->height);
    LIST_ADD(p, item);
  } while (!p->panic && parse_accept(p, TOK_COMMA));
  row->items = LIST_TAKE(p, list, AstExp *, &row->n);
  row->span = parse_since(p, lo);
  p->height = height + 1;
  return row;
}

/* "[" expression-list { ";" expression-list } "]" */
static AstExp *read_matrix(Parser *p) {
  uint32_t lo = p->tok.span.lo, height = 0;
  size_t list = parse_list(p);
  AstExp *e = new_exp(p, AST_MATRIX, lo);
  parse_next(p);
  p->squares++;
  do {
    AstExp *row = matrix_row(p);
    height = larger(height, p->height);
    LIST_ADD(p, row);
  } while (!p->panic && parse_accept(p, TOK_SEMICOLON));
  if (!p->panic && !parse_accept(p, TOK_RBRACKET))
    parse_expected(p, "`,`, `;` or `]` in this matrix");
  p->squares -= p->squares > 0;
  e->items = LIST_TAKE(p, list, AstExp *, &e->n);
  e->span = parse_since(p, lo);
  parse_set_height(p, height + 1);
  return e;
}

/* primary */
AstExp *parse_primary(Parser *p) {
  static AstExp *(*const readers[TOK_COUNT])(Parser *) = {
      [TOK_IDENT] = read_ref,         [TOK_DOT] = read_ref,
      [TOK_INTEGER] = read_integer,   [TOK_REAL] = read_real,
      [TOK_STRING] = read_string,     [TOK_TRUE] = read_boolean,
      [TOK_FALSE] = read_boolean,     [TOK_LPAREN] = read_parentheses,
      [TOK_LBRACE] = read_braces,     [TOK_LBRACKET] = read_matrix,
      [TOK_DER] = read_keyword_call,  [TOK_INITIAL] = read_keyword_call,
      [TOK_PURE] = read_keyword_call, [TOK_END] = read_end};
  AstExp *(*reader)(Parser *) = readers[p->tok.kind];
  p->height = 1;
  if (!reader) {
    Diag *d = parse_expected(p, "an expression");
    if (d && parse_at(p, TOK_IF))
      diag_help(p->diags, d, "put the if-expression in parentheses");
    return missing(p);
  }
  return reader(p);
}

/* ---- operators ---- */

/* Binding strength, weakest first; 0: no operator. */
typedef enum {
  LEVEL_NONE,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_RELATION,
  LEVEL_ADD,
  LEVEL_MUL,
  LEVEL_POWER
} Level;

static const struct {
  Level level;
  AstOp op;
} binary_ops[TOK_COUNT] = {
    [TOK_OR] = {LEVEL_OR, AST_OR},
    [TOK_AND] = {LEVEL_AND, AST_AND},
    [TOK_LESS] = {LEVEL_RELATION, AST_LT},
    [TOK_LESS_EQUAL] = {LEVEL_RELATION, AST_LE},
    [TOK_GREATER] = {LEVEL_RELATION, AST_GT},
    [TOK_GREATER_EQUAL] = {LEVEL_RELATION, AST_GE},
    [TOK_EQUAL_EQUAL] = {LEVEL_RELATION, AST_EQ},
    [TOK_NOT_EQUAL] = {LEVEL_RELATION, AST_NE},
    [TOK_PLUS] = {LEVEL_ADD, AST_ADD},
    [TOK_MINUS] = {LEVEL_ADD, AST_SUB},
    [TOK_DOT_PLUS] = {LEVEL_ADD, AST_ADD_EL},
    [TOK_DOT_MINUS] = {LEVEL_ADD, AST_SUB_EL},
    [TOK_STAR] = {LEVEL_MUL, AST_MUL},
    [TOK_SLASH] = {LEVEL_MUL, AST_DIV},
    [TOK_DOT_STAR] = {LEVEL_MUL, AST_MUL_EL},
    [TOK_DOT_SLASH] = {LEVEL_MUL, AST_DIV_EL},
    [TOK_CARET] = {LEVEL_POWER, AST_POW},
    [TOK_DOT_CARET] = {LEVEL_POWER, AST_POW_EL},
};

static const struct {
  Level level;
  AstOp op;
} unary_ops[TOK_COUNT] = {
    [TOK_NOT] = {LEVEL_NOT, AST_NOT},          [TOK_MINUS] = {LEVEL_ADD, AST_NEG},
    [TOK_PLUS] = {LEVEL_ADD, AST_PLUS},        [TOK_DOT_MINUS] = {LEVEL_ADD, AST_NEG_EL},
    [TOK_DOT_PLUS] = {LEVEL_ADD, AST_PLUS_EL},
};

static AstExp *binary(Parser *p, Level level);

/* A sign or `not` and its operand. */
static AstExp *unary(Parser *p, Level level) {
  TokenKind sign = p->tok.kind;
  uint32_t lo = p->tok.span.lo;
  if (level > unary_ops[sign].level) {
    Diag *d = parse_error(p, D_P010, p->tok.span, "`%s` cannot follow an operator directly",
                          token_text(sign));
    if (d)
      diag_help(p->diags, d, "put the operand in parentheses: `(%s...)`", token_text(sign));
    return missing(p);
  }
  parse_next(p);
  AstExp *a = binary(p, unary_ops[sign].level + 1);
  AstExp *e = new_exp(p, AST_UNARY, lo);
  e->op = unary_ops[sign].op;
  e->a = a;
  parse_set_height(p, p->height + 1);
  return e;
}

/* The operators of `level` and stronger ones. */
static AstExp *binary(Parser *p, Level level) {
  uint32_t lo = p->tok.span.lo;
  AstExp *left = unary_ops[p->tok.kind].level ? unary(p, level) : parse_primary(p);
  while (!p->panic) {
    TokenKind kind = p->tok.kind;
    Level here = binary_ops[kind].level;
    if (!here || here < level)
      break;
    uint32_t height = p->height;
    parse_next(p);
    AstExp *right = binary(p, here + 1);
    AstExp *e = new_exp(p, AST_BINARY, lo);
    e->op = binary_ops[kind].op;
    e->a = left;
    e->b = right;
    left = e;
    parse_set_height(p, larger(height, p->height) + 1);
    bool chains = here != LEVEL_RELATION && here != LEVEL_POWER;
    if (!chains && binary_ops[p->tok.kind].level == here && !p->panic) {
      Diag *d = parse_error(p, D_P010, p->tok.span, "`%s` cannot follow `%s` without parentheses",
                            token_text(p->tok.kind), token_text(kind));
      if (d)
        diag_help(p->diags, d,
                  here == LEVEL_RELATION ? "join two relations with `and`"
                                         : "write `(a^b)^c` or `a^(b^c)`, as you mean it");
    }
  }
  return left;
}

/* simple-expression : logical-expression [ ":" logical-expression [ ":" logical-expression ] ] */
AstExp *parse_simple_expression(Parser *p) {
  uint32_t lo = p->tok.span.lo;
  if (!parse_enter(p))
    return missing(p);
  AstExp *e = binary(p, LEVEL_OR);
  if (parse_at(p, TOK_COLON) && !p->panic) {
    uint32_t height = p->height;
    parse_next(p);
    AstExp *range = new_exp(p, AST_RANGE, lo);
    range->a = e;
    range->c = binary(p, LEVEL_OR);
    height = larger(height, p->height);
    if (!p->panic && parse_accept(p, TOK_COLON)) {
      range->b = range->c;
      range->c = binary(p, LEVEL_OR);
    }
    range->span = parse_since(p, lo);
    e = range;
    parse_set_height(p, larger(height, p->height) + 1);
  }
  parse_leave(p);
  return e;
}

/* if expression then expression { elseif expression then expression } else expression */
static AstExp *if_expression(Parser *p) {
  uint32_t height = 0, n = 0;
  AstExp *root = NULL, **slot = &root;
  if (!parse_enter(p))
    return missing(p);
  do {
    AstExp *e = new_exp(p, AST_IF, p->tok.span.lo);
    *slot = e;
    slot = &e->c;
    parse_next(p);
    e->a = parse_expression(p);
    height = larger(height, p->height);
    parse_expect(p, TOK_THEN, "after the condition");
    e->b = p->panic ? missing(p) : parse_expression(p);
    height = larger(height, p->height);
    parse_set_height(p, height + ++n);
  } while (!p->panic && parse_at(p, TOK_ELSEIF));
  if (!p->panic && !parse_at(p, TOK_ELSE)) {
    Diag *d = parse_expected(p, "`else`");
    if (d)
      diag_note(p->diags, d, "an if-expression has a value in every case, so it needs an `else`");
  }
  parse_accept(p, TOK_ELSE);
  *slot = p->panic ? missing(p) : parse_expression(p);
  parse_set_height(p, larger(height, p->height) + n);
  for (AstExp *e = root; e->kind == AST_IF && n--; e = e->c)
    e->span = parse_since(p, e->span.lo);
  parse_leave(p);
  return root;
}

/* expression : simple-expression | if ... */
AstExp *parse_expression(Parser *p) {
  return parse_at(p, TOK_IF) ? if_expression(p) : parse_simple_expression(p);
}
