/* syntax/parse_stm.c -- statements (MLS 3.6 appendix A.2.6). */
#include "syntax/parse_impl.h"

/* if expression then { statement ";" } { elseif ... } [ else ... ] end if, and when ... elsewhen
 * ... end when */
static void branches(Parser *p, AstStatement *s) {
  Span opening = p->tok.span;
  TokenKind keyword = p->tok.kind, again = keyword == TOK_IF ? TOK_ELSEIF : TOK_ELSEWHEN;
  ParseOpen open;
  size_t list = parse_list(p);
  s->kind = keyword == TOK_IF ? STM_IF : STM_WHEN;
  parse_open_block(p, &open, keyword);
  for (bool more = true; more;) {
    AstStatementBranch b = {.condition = parse_condition(p, TOK_THEN)};
    p->indent++;
    b.body = parse_statements(p, &b.n);
    p->indent--;
    LIST_ADD(p, b);
    parse_mark_closing(p, 0);
    more = parse_accept(p, again);
  }
  if (keyword == TOK_IF && parse_accept(p, TOK_ELSE)) {
    AstStatementBranch b = {0};
    p->indent++;
    b.body = parse_statements(p, &b.n);
    p->indent--;
    LIST_ADD(p, b);
  }
  s->branches = LIST_TAKE(p, list, AstStatementBranch, &s->n_branches);
  parse_close_block(p, &open, opening);
}

/* for for-indices loop { statement ";" } end for */
static void for_statement(Parser *p, AstStatement *s) {
  Span opening = p->tok.span;
  ParseOpen open;
  s->kind = STM_FOR;
  parse_open_block(p, &open, TOK_FOR);
  s->iterators = parse_iterators(p, &s->n_iterators);
  parse_expect(p, TOK_LOOP, "after the iterators");
  if (p->panic)
    parse_recover_head(p, TOK_LOOP);
  p->indent++;
  s->body = parse_statements(p, &s->n_body);
  p->indent--;
  parse_close_block(p, &open, opening);
}

/* while expression loop { statement ";" } end while */
static void while_statement(Parser *p, AstStatement *s) {
  Span opening = p->tok.span;
  ParseOpen open;
  s->kind = STM_WHILE;
  s->n_branches = 1;
  s->branches = NEW(p->arena, AstStatementBranch);
  parse_open_block(p, &open, TOK_WHILE);
  s->branches[0].condition = parse_condition(p, TOK_LOOP);
  p->indent++;
  s->branches[0].body = parse_statements(p, &s->branches[0].n);
  p->indent--;
  parse_close_block(p, &open, opening);
}

/* component-reference ( ":=" expression | function-call-args )
 * | "(" output-expression-list ")" ":=" component-reference function-call-args */
static void simple_statement(Parser *p, AstStatement *s) {
  AstExp *left = parse_primary(p);
  if (p->panic)
    return;
  if (left->kind == AST_CALL && !left->parenthesised && !parse_at(p, TOK_ASSIGN) &&
      !parse_at(p, TOK_EQUALS)) {
    s->kind = STM_CALL;
    s->call = left;
    return;
  }
  if (left->kind != AST_REF && left->kind != AST_TUPLE) {
    parse_error(p, D_P010, left->span, "a statement assigns to a variable; this is an expression");
    return;
  }
  if (!parse_accept(p, TOK_ASSIGN)) {
    Diag *d = parse_expected(p, "`:=` in this statement");
    if (d && parse_at(p, TOK_EQUALS))
      diag_help(p->diags, d, "a statement assigns with `:=`; `=` belongs to equations");
    return;
  }
  s->kind = STM_ASSIGN;
  s->lhs = left;
  s->rhs = parse_expression(p);
  bool several = left->kind == AST_TUPLE || left->parenthesised;
  if (several && s->rhs->kind != AST_CALL && !p->panic)
    parse_error(p, D_P010, s->rhs->span,
                "expected a function call: only that gives the results for `(...) :=`");
}

static void statement_kind(Parser *p, AstStatement *s) {
  if (parse_at(p, TOK_IF) || parse_at(p, TOK_WHEN))
    branches(p, s);
  else if (parse_at(p, TOK_FOR))
    for_statement(p, s);
  else if (parse_at(p, TOK_WHILE))
    while_statement(p, s);
  else if (parse_accept(p, TOK_BREAK))
    s->kind = STM_BREAK;
  else if (parse_accept(p, TOK_RETURN))
    s->kind = STM_RETURN;
  else if (parse_at(p, TOK_IDENT) || parse_at(p, TOK_DOT) || parse_at(p, TOK_LPAREN))
    simple_statement(p, s);
  else
    parse_unexpected(p, "a statement");
}

AstStatement *parse_statement(Parser *p) {
  AstStatement *s = NEW(p->arena, AstStatement);
  uint32_t lo = p->tok.span.lo;
  parse_mark(p);
  if (parse_enter(p)) {
    statement_kind(p, s);
    parse_description(p, &s->comment, &s->annotation);
    parse_leave(p);
  }
  s->span = parse_since(p, lo);
  parse_semicolon(p, "statement");
  if (!p->panic)
    return s;
  parse_recover(p);
  return NULL;
}

/* { statement ";" } */
AstStatement **parse_statements(Parser *p, uint32_t *n) {
  size_t list = parse_list(p);
  while (parse_list_goes_on(p)) {
    AstStatement *s = parse_statement(p);
    if (s)
      LIST_ADD(p, s);
  }
  return LIST_TAKE(p, list, AstStatement *, n);
}
