/* syntax/parse_eq.c -- equations, and what blocks of equations and statements share (MLS 3.6
 * appendix A.2.6). Extension: `initial v = e` and `transition ... end transition` in an hfss
 * section. */
#include "syntax/parse_impl.h"

/* ---- lists and blocks ---- */

/* An extension word that begins a section or item here, not an equation or statement of that
 * name. */
static bool word_begins(Parser *p) {
  if (p->in_atomic && parse_at_word(p, p->word.hfss)) {
    TokenKind next = parse_peek(p).kind;
    return next == TOK_IDENT || next >= TOK_FIRST_KEYWORD;
  }
  return parse_chart_begins(p, false) || (p->in_chart && parse_chart_item_begins(p));
}

/* The list ends at the current token. */
static bool list_ends(Parser *p) {
  static const bool ends[TOK_COUNT] = {
      [TOK_EOF] = true,       [TOK_END] = true,      [TOK_ELSE] = true,      [TOK_ELSEIF] = true,
      [TOK_ELSEWHEN] = true,  [TOK_EQUATION] = true, [TOK_ALGORITHM] = true, [TOK_PUBLIC] = true,
      [TOK_PROTECTED] = true, [TOK_EXTERNAL] = true, [TOK_ANNOTATION] = true};
  if (parse_at(p, TOK_IDENT))
    return word_begins(p);
  if (parse_at(p, TOK_INITIAL)) {
    TokenKind next = parse_peek(p).kind;
    return next == TOK_EQUATION || next == TOK_ALGORITHM ||
           (p->in_chart && parse_chart_item_begins(p));
  }
  return ends[p->tok.kind];
}

AstExp *parse_condition(Parser *p, TokenKind then) {
  AstExp *e = parse_expression(p);
  parse_expect(p, then, "after the condition");
  if (p->panic)
    parse_recover_head(p, then);
  return e;
}

void parse_open_block(Parser *p, ParseOpen *open, TokenKind keyword) {
  *open = (ParseOpen){.keyword = keyword, .outer = p->open};
  p->open = open;
  parse_next(p);
}

/* A block of this keyword is open further out. */
static bool is_open(const ParseOpen *open, TokenKind keyword) {
  for (; open && !open->name; open = open->outer)
    if (open->keyword == keyword)
      return true;
  return false;
}

bool parse_stray_end(Parser *p) {
  bool block_open = p->open && !p->open->name;
  TokenKind next = parse_at(p, TOK_END) && !block_open && !p->stopped ? parse_peek(p).kind
                                                                      : TOK_EOF;
  if (next != TOK_IF && next != TOK_FOR && next != TOK_WHEN && next != TOK_WHILE)
    return false;
  parse_report(p, D_P010, p->tok.span, "`end %s` without an open `%s`", token_text(next),
               token_text(next));
  parse_next(p);
  parse_next(p);
  parse_accept(p, TOK_SEMICOLON);
  return true;
}

bool parse_list_goes_on(Parser *p) {
  while (list_ends(p))
    if (!parse_stray_end(p))
      return false;
  return true;
}

bool parse_is_open(const ParseOpen *open, const char *name) {
  for (; open; open = open->outer)
    if (open->name && open->name == name)
      return true;
  return false;
}

/* After `end`, at a word that does not close the block: says so. */
static void wrong_end(Parser *p, const char *keyword, Span opening, ParsePlace before) {
  TokenKind found = p->tok.kind;
  const char *word = found == TOK_IDENT ? p->tok.text : token_text(found);
  if (p->wrong_end != before.tok.span.lo) {
    Diag *d = parse_report(p, D_P010, p->tok.span, "expected `end %s`, found `end%s%s`", keyword,
                           word ? " " : "", word ? word : "");
    if (d)
      diag_label(p->diags, d, opening, "to close this `%s`", keyword);
  }
  bool block = found == TOK_IF || found == TOK_FOR || found == TOK_WHEN || found == TOK_WHILE;
  bool outer = block ? is_open(p->open, found) : found != TOK_IDENT || parse_is_open(p->open, word);
  if (!outer) {
    parse_next(p); /* the wrong word, but surely meant for this block */
  } else {
    p->wrong_end = before.tok.span.lo;
    parse_return(p, before);
    p->panic = true;
  }
}

void parse_close_block(Parser *p, ParseOpen *open, Span opening) {
  const char *keyword = token_text(open->keyword);
  p->open = open->outer;
  if (p->panic)
    return;
  parse_mark_closing(p, 0);
  ParsePlace before = parse_place(p);
  if (parse_accept(p, TOK_END)) {
    if (!parse_accept(p, open->keyword))
      wrong_end(p, keyword, opening, before);
    return;
  }
  Diag *d = parse_expected(p, "`end %s`", keyword);
  if (d)
    diag_label(p->diags, d, opening, "to close this `%s`", keyword);
}

/* ---- the kinds of equations ---- */

/* connect "(" component-reference "," component-reference ")" */
AstEquation *parse_connect(Parser *p) {
  AstEquation *e = NEW(p->arena, AstEquation);
  uint32_t lo = p->tok.span.lo;
  e->kind = EQN_CONNECT;
  parse_next(p);
  parse_expect(p, TOK_LPAREN, "after `connect`");
  e->from = parse_ref(p);
  parse_expect(p, TOK_COMMA, "between the connectors");
  e->to = parse_ref(p);
  parse_expect(p, TOK_RPAREN, "after the second connector");
  e->span = parse_since(p, lo);
  return e;
}

/* if expression then { equation ";" } { elseif ... } [ else ... ] end if, and when ... elsewhen ...
 * end when */
static void branches(Parser *p, AstEquation *e) {
  Span opening = p->tok.span;
  TokenKind keyword = p->tok.kind, again = keyword == TOK_IF ? TOK_ELSEIF : TOK_ELSEWHEN;
  ParseOpen open;
  size_t list = parse_list(p);
  e->kind = keyword == TOK_IF ? EQN_IF : EQN_WHEN;
  parse_open_block(p, &open, keyword);
  for (bool more = true; more;) {
    AstEquationBranch b = {.condition = parse_condition(p, TOK_THEN)};
    p->indent++;
    b.body = parse_equations(p, false, &b.n);
    p->indent--;
    LIST_ADD(p, b);
    parse_mark_closing(p, 0);
    more = parse_accept(p, again);
  }
  if (keyword == TOK_IF && parse_accept(p, TOK_ELSE)) {
    AstEquationBranch b = {0};
    p->indent++;
    b.body = parse_equations(p, false, &b.n);
    p->indent--;
    LIST_ADD(p, b);
  }
  e->branches = LIST_TAKE(p, list, AstEquationBranch, &e->n_branches);
  parse_close_block(p, &open, opening);
}

/* for for-indices loop { equation ";" } end for */
static void for_equation(Parser *p, AstEquation *e) {
  Span opening = p->tok.span;
  ParseOpen open;
  e->kind = EQN_FOR;
  parse_open_block(p, &open, TOK_FOR);
  e->iterators = parse_iterators(p, &e->n_iterators);
  parse_expect(p, TOK_LOOP, "after the iterators");
  if (p->panic)
    parse_recover_head(p, TOK_LOOP);
  p->indent++;
  e->body = parse_equations(p, false, &e->n_body);
  p->indent--;
  parse_close_block(p, &open, opening);
}

/* simple-expression "=" expression | component-reference function-call-args */
static void simple_equation(Parser *p, AstEquation *e) {
  AstExp *left = parse_simple_expression(p);
  if (p->panic)
    return;
  if (parse_accept(p, TOK_EQUALS)) {
    e->kind = EQN_EQUAL;
    e->lhs = left;
    e->rhs = parse_expression(p);
  } else if (left->kind == AST_CALL && !left->parenthesised && !parse_at(p, TOK_ASSIGN)) {
    e->kind = EQN_CALL;
    e->call = left;
  } else {
    Diag *d = parse_expected(p, "`=` in this equation");
    if (d && parse_at(p, TOK_ASSIGN))
      diag_help(p->diags, d, "an equation is written with `=`; `:=` belongs to algorithms");
  }
}

/* transition { statement ";" } end transition */
static void hfss_transition(Parser *p, AstEquation *e) {
  Span opening = p->tok.span;
  e->kind = EQN_HFSS;
  e->hfss = HFSS_TRANSITION;
  parse_next(p);
  p->indent++;
  e->hfss_body = parse_statements(p, &e->n_hfss_body);
  p->indent--;
  parse_mark_closing(p, 0);
  if (parse_at(p, TOK_END) && parse_next_is(p, p->word.transition)) {
    parse_next(p);
    parse_next(p);
    return;
  }
  Diag *d = parse_expected(p, "`end transition`");
  if (d)
    diag_label(p->diags, d, opening, "to close this `transition`");
}

/* An item that only an hfss section has; false if none begins. */
static bool hfss_equation(Parser *p, AstEquation *e) {
  TokenKind next = parse_peek(p).kind;
  if (parse_at(p, TOK_INITIAL) && next == TOK_IDENT) {
    parse_next(p);
    e->kind = EQN_HFSS;
    e->hfss = HFSS_INITIAL;
    e->hfss_lhs = parse_primary(p);
    parse_expect(p, TOK_EQUALS, "in this equation");
    e->hfss_rhs = parse_expression(p);
    return true;
  }
  if (parse_at_word(p, p->word.transition) && (next == TOK_IDENT || next >= TOK_FIRST_KEYWORD)) {
    hfss_transition(p, e);
    return true;
  }
  return false;
}

static AstEquation *equation(Parser *p, bool hfss) {
  if (parse_at(p, TOK_CONNECT))
    return parse_connect(p);
  AstEquation *e = NEW(p->arena, AstEquation);
  if (parse_at(p, TOK_IF) || parse_at(p, TOK_WHEN))
    branches(p, e);
  else if (parse_at(p, TOK_FOR))
    for_equation(p, e);
  else if (!hfss || !hfss_equation(p, e))
    simple_equation(p, e);
  return e;
}

AstEquation *parse_equation(Parser *p, bool hfss) {
  uint32_t lo = p->tok.span.lo;
  AstEquation *e = NULL;
  parse_mark(p);
  if (parse_enter(p)) {
    e = equation(p, hfss);
    parse_description(p, &e->comment, &e->annotation);
    e->span = parse_since(p, lo);
    parse_leave(p);
  }
  parse_semicolon(p, "equation");
  if (!p->panic)
    return e;
  parse_recover(p);
  return NULL;
}

/* { equation ";" } */
AstEquation **parse_equations(Parser *p, bool hfss, uint32_t *n) {
  size_t list = parse_list(p);
  while (parse_list_goes_on(p)) {
    AstEquation *e = parse_equation(p, hfss);
    if (e)
      LIST_ADD(p, e);
  }
  return LIST_TAKE(p, list, AstEquation *, n);
}
