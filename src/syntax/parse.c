/* syntax/parse.c -- the core of the parser: tokens, lists, errors and recovery; files.
 * How:  recursive descent with one token, and a copy of the lexer where more must be seen (MLS 3.6
 *       appendix A is nearly LL(1)).
 * Keep: every loop eats a token or stops; after an error only parse_recover ends panic. */
#include "syntax/syntax.h"

#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "syntax/parse_impl.h"

/* ---- tokens ---- */

void parse_init(Parser *p, const Source *source, Interner *names, Arena *a, Diags *diags) {
  *p = (Parser){.arena = a, .diags = diags, .names = names};
  p->stopped = !lex_init(&p->lex, source, names, a, diags);
#define W(w) p->word.w = intern_str(names, #w);
  PARSE_WORDS(W)
#undef W
  p->word.do_ = intern_str(names, "do");
  p->word.default_ = intern_str(names, "default");
  p->word.c = intern_str(names, "C");
  p->last = source->base;
  lex_next(&p->lex, &p->tok);
}

/* Reads nothing more. */
static void stop(Parser *p) {
  p->lex.at = p->lex.start + p->lex.source->length;
  p->lex.broken = true;
  lex_next(&p->lex, &p->tok);
  p->panic = p->stopped = true;
}

void parse_next(Parser *p) {
  uint32_t errors = p->lex.errors;
  p->last = p->tok.span.hi;
  p->last_kind = p->tok.kind;
  lex_next(&p->lex, &p->tok);
  p->forgive = p->forgive || p->lex.errors > errors;
  if (p->lex.broken)
    p->stopped = true; /* what is missing at the end is no error of its own */
  else if (p->lex.errors + p->errors >= MOST_ERRORS)
    stop(p);
}

ParsePlace parse_place(const Parser *p) { return (ParsePlace){p->lex, p->tok, p->last}; }

void parse_return(Parser *p, ParsePlace place) {
  if (p->stopped)
    return;
  p->lex = place.lex;
  p->tok = place.tok;
  p->last = place.last;
}

Token parse_peek(const Parser *p) {
  Lexer ahead = p->lex;
  Token t;
  lex_next(&ahead, &t);
  return t;
}

bool parse_next_is(const Parser *p, const char *word) {
  Token next = parse_peek(p);
  return next.kind == TOK_IDENT && next.text == word;
}

/* ---- lists ---- */

void parse_list_add(Parser *p, const void *item, size_t size) {
  if (p->list.n + size > p->list.room) {
    size_t room = p->list.room ? p->list.room * 2 : 1024;
    char *fresh = arena_alloc(p->arena, room);
    if (p->list.n)
      memcpy(fresh, p->list.at, p->list.n);
    p->list.at = fresh;
    p->list.room = room;
  }
  memcpy(p->list.at + p->list.n, item, size);
  p->list.n += size;
}

void *parse_list_take(Parser *p, size_t mark, size_t size, uint32_t *n) {
  size_t bytes = p->list.n - mark;
  *n = (uint32_t)(bytes / size);
  p->list.n = mark;
  if (!bytes)
    return NULL;
  void *items = arena_alloc(p->arena, bytes);
  memcpy(items, p->list.at + mark, bytes);
  return items;
}

/* ---- errors ---- */

static Diag *report(Parser *p, DiagCode code, Span span, const char *format, va_list args) {
  if (p->panic || p->stopped)
    return NULL;
  p->panic_squares = p->squares;
  if (p->forgive)
    return NULL;
  Diag *d = diag_add(p->diags, code, span, "%s", arena_vprintf(p->arena, format, args));
  p->errors++;
  return d;
}

/* After a report: the file has too many errors, or the text is at its end. */
static void stop_if_hopeless(Parser *p) {
  if (p->lex.errors + p->errors >= MOST_ERRORS || parse_at(p, TOK_EOF))
    stop(p);
}

Diag *parse_report(Parser *p, DiagCode code, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  Diag *d = report(p, code, span, format, args);
  va_end(args);
  stop_if_hopeless(p);
  return d;
}

Diag *parse_error(Parser *p, DiagCode code, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  Diag *d = report(p, code, span, format, args);
  va_end(args);
  p->panic = true;
  stop_if_hopeless(p);
  return d;
}

const char *parse_found(Parser *p) {
  if (parse_at(p, TOK_EOF))
    return "the end of the text";
  if (parse_at(p, TOK_STRING))
    return "a string";
  uint32_t from = p->tok.span.lo - p->lex.source->base, n = p->tok.span.hi - p->tok.span.lo;
  return arena_printf(p->arena, "`%.*s%s`", (int)(n > 60 ? 60 : n), p->lex.start + from,
                      n > 60 ? "..." : "");
}

/* What is missing before a token of the next line is missing at the end of this one. */
static Span missing_at(const Parser *p) {
  return p->tok.first || parse_at(p, TOK_EOF) ? (Span){p->last, p->last} : p->tok.span;
}

Diag *parse_expected(Parser *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(p->arena, format, args);
  va_end(args);
  return parse_error(p, parse_at(p, TOK_EOF) ? D_P012 : D_P010, missing_at(p),
                     "expected %s, found %s", what, parse_found(p));
}

Diag *parse_unexpected(Parser *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *what = arena_vprintf(p->arena, format, args);
  va_end(args);
  Span span = parse_at(p, TOK_EOF) ? missing_at(p) : p->tok.span;
  return parse_error(p, parse_at(p, TOK_EOF) ? D_P012 : D_P010, span, "expected %s, found %s", what,
                     parse_found(p));
}

bool parse_expect(Parser *p, TokenKind kind, const char *where) {
  if (parse_accept(p, kind))
    return true;
  if (!p->panic)
    parse_expected(p, "`%s`%s%s", token_text(kind), *where ? " " : "", where);
  return false;
}

/* Keywords that begin a section: they never stand inside an item. */
static bool section_begins(TokenKind kind) {
  return kind == TOK_EQUATION || kind == TOK_ALGORITHM || kind == TOK_PUBLIC ||
         kind == TOK_PROTECTED || kind == TOK_EXTERNAL;
}

/* The token cannot belong to a simple item, so the item has ended. */
static bool closes_item(TokenKind kind) {
  return section_begins(kind) || kind == TOK_END || kind == TOK_ELSE || kind == TOK_ELSEIF ||
         kind == TOK_ELSEWHEN;
}

void parse_semicolon(Parser *p, const char *item) {
  if (p->panic)
    return;
  if (parse_at(p, TOK_SEMICOLON)) {
    p->forgive = false;
    parse_next(p);
    return;
  }
  bool only_missing = p->tok.first || closes_item(p->tok.kind);
  bool at_end = parse_at(p, TOK_EOF);
  parse_report(p, at_end ? D_P012 : D_P010, (Span){p->last, p->last},
               "expected `;` after this %s, found %s", item, parse_found(p));
  p->panic = p->panic || !only_missing;
}

/* A keyword here was meant as a name if what follows it could follow a name. */
static bool meant_as_name(const Parser *p) {
  TokenKind next = parse_peek(p).kind;
  static const bool after_name[TOK_COUNT] = {
      [TOK_SEMICOLON] = true, [TOK_EQUALS] = true, [TOK_COMMA] = true,     [TOK_LPAREN] = true,
      [TOK_LBRACKET] = true,  [TOK_STRING] = true, [TOK_RPAREN] = true,    [TOK_DOT] = true,
      [TOK_IN] = true,        [TOK_ASSIGN] = true, [TOK_ANNOTATION] = true};
  return after_name[next] || (!p->tok.first && (next == TOK_IDENT || next >= TOK_FIRST_KEYWORD));
}

/* `extends extends A` */
static bool is_repeated(const Parser *p) {
  Token next = parse_peek(p);
  return p->tok.kind >= TOK_FIRST_KEYWORD && p->tok.kind == p->last_kind &&
         next.kind == TOK_IDENT && !next.first;
}

const char *parse_ident(Parser *p, const char *what) {
  const char *name = p->tok.text;
  if (parse_accept(p, TOK_IDENT))
    return name;
  if (p->panic)
    return "";
  if (is_repeated(p)) {
    parse_report(p, D_P010, p->tok.span, "`%s` stands here twice", token_text(p->tok.kind));
    parse_next(p);
    return parse_ident(p, what);
  }
  if (p->tok.kind >= TOK_FIRST_KEYWORD && meant_as_name(p)) {
    name = intern_str(p->names, token_text(p->tok.kind));
    Diag *d = parse_report(p, D_P014, p->tok.span, "`%s` is a keyword and cannot be used as %s",
                           name, what);
    if (d)
      diag_help(p->diags, d, "take another name, or quote it: `'%s'`", name);
    parse_next(p);
    return name;
  }
  parse_expected(p, "%s", what);
  return "";
}

/* ---- recovery ---- */

/* At `end`: does it close a block or class, rather than stand in a subscript? */
static bool end_closes(const Parser *p) {
  TokenKind next = parse_peek(p).kind;
  return next == TOK_IDENT || next == TOK_IF || next == TOK_FOR || next == TOK_WHEN ||
         next == TOK_WHILE || (next == TOK_SEMICOLON && p->tok.first);
}

/* At a `;` while a matrix bracket was open: is it closed in what follows, before anything that
 * cannot be in a matrix? */
static bool matrix_goes_on(const Parser *p) {
  Lexer ahead = p->lex;
  Token t;
  int open = 1;
  do {
    lex_next(&ahead, &t);
    open += (t.kind == TOK_LBRACKET) - (t.kind == TOK_RBRACKET);
  } while (open && t.kind != TOK_EOF && t.kind != TOK_EQUALS && t.kind != TOK_ASSIGN &&
           t.kind != TOK_EQUATION);
  return !open;
}

void parse_recover(Parser *p) {
  if (p->stopped)
    return;
  uint32_t squares = p->panic_squares;
  for (; !parse_at(p, TOK_EOF); parse_next(p)) {
    if (parse_at(p, TOK_LBRACKET)) {
      squares++;
    } else if (parse_at(p, TOK_RBRACKET)) {
      squares -= squares > 0;
    } else if (parse_at(p, TOK_SEMICOLON) && !(squares && matrix_goes_on(p))) {
      p->forgive = false;
      parse_next(p);
      break;
    } else if (section_begins(p->tok.kind) || (parse_at(p, TOK_END) && end_closes(p))) {
      p->forgive = false;
      break;
    }
  }
  p->squares = p->subscripts = 0;
  p->panic = p->stopped;
}

void parse_recover_head(Parser *p, TokenKind keyword) {
  if (p->stopped)
    return;
  while (!parse_at(p, keyword) && !parse_at(p, TOK_SEMICOLON) && !parse_at(p, TOK_EOF) &&
         !(closes_item(p->tok.kind) && (!parse_at(p, TOK_END) || end_closes(p))))
    parse_next(p);
  p->forgive = false;
  if (!parse_accept(p, keyword))
    parse_accept(p, TOK_SEMICOLON);
  p->squares = p->subscripts = 0;
  p->panic = p->stopped;
}

static void too_deep(Parser *p, const char *what, int limit) {
  Diag *d = parse_error(p, D_P015, p->tok.span, "%s: more than %d levels", what, limit);
  if (d)
    diag_help(p->diags, d, "split it into parts that have names");
  stop(p);
}

bool parse_enter(Parser *p) {
  if (p->depth < MOST_PARSE_DEPTH) {
    p->depth++;
    return true;
  }
  too_deep(p, "this is nested too deeply", MOST_PARSE_DEPTH);
  return false;
}

void parse_leave(Parser *p) { p->depth--; }

void parse_set_height(Parser *p, uint32_t height) {
  p->height = height;
  if (height > MOST_TREE_HEIGHT)
    too_deep(p, "this expression is too long", MOST_TREE_HEIGHT);
}

/* ---- layout ---- */

static void mark(Parser *p, uint32_t depth, bool closes) {
  if (p->layout && !(p->layout->n && vec_last(p->layout).at == p->tok.span.lo))
    vec_push(p->arena, p->layout, (LayoutMark){p->tok.span.lo, depth, closes});
}

void parse_mark(Parser *p) { mark(p, p->indent, false); }

void parse_mark_closing(Parser *p, uint32_t back) { mark(p, p->indent - back, true); }

/* ---- files ---- */

/* After an error between classes: skips to the beginning of a class on a line of its own. */
static void recover_file(Parser *p) {
  while (!parse_at(p, TOK_EOF) &&
         !(p->tok.first && (parse_at(p, TOK_FINAL) || parse_class_begins(p, false))))
    parse_next(p);
  p->panic = p->stopped;
}

/* stored-definition: [ within [ name ] ";" ] { [ final ] class-definition ";" } */
AstFile *parse_file(Parser *p) {
  AstFile *f = NEW(p->arena, AstFile);
  f->source = p->lex.source;
  parse_mark(p);
  if (parse_accept(p, TOK_WITHIN)) {
    f->has_within = true;
    if (!parse_at(p, TOK_SEMICOLON))
      f->within = parse_name(p, "a package name");
    parse_semicolon(p, "within clause");
    if (p->panic)
      recover_file(p);
  }
  VEC(AstClass *) classes = {0};
  VEC(bool) finals = {0};
  while (!parse_at(p, TOK_EOF)) {
    parse_mark(p);
    bool final = parse_accept(p, TOK_FINAL);
    if (!parse_class_begins(p, false)) {
      if (!p->panic)
        parse_unexpected(p, "a class definition");
      parse_next(p);
      recover_file(p);
      continue;
    }
    AstClass *c = parse_class(p, false);
    parse_semicolon(p, "class");
    if (!p->panic || parse_is_long(c)) {
      vec_push(p->arena, &classes, c);
      vec_push(p->arena, &finals, final);
    }
    if (p->panic)
      recover_file(p);
  }
  f->classes = classes.at;
  f->finals = finals.at;
  f->n_classes = classes.n;
  return f;
}

AstFile *syntax_parse(const Source *source, Interner *names, Arena *a, Diags *diags) {
  Parser p;
  parse_init(&p, source, names, a, diags);
  return parse_file(&p);
}

AstExp *syntax_parse_expression(const Source *source, Interner *names, Arena *a, Diags *diags) {
  Parser p;
  parse_init(&p, source, names, a, diags);
  if (p.stopped)
    return NULL;
  AstExp *e = parse_expression(&p);
  if (!p.panic && !parse_at(&p, TOK_EOF))
    parse_expected(&p, "the end of the expression");
  return p.errors + p.lex.errors || p.stopped ? NULL : e;
}
