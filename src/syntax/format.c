/* syntax/format.c -- a source in the house layout.
 * In:   a source without syntax errors.   Out: the same tokens and comments, on the same lines.
 * How:  the parser marks the tokens at which a line has a known depth (LayoutMark); a line that
 *       begins elsewhere continues an item and lies one step deeper than the item or than the line
 *       that opened the innermost bracket. Blanks between two tokens depend on the two only.
 * Keep: nothing but white space changes, so the tree stays the same; what is written depends on
 *       tokens and line ends only, so formatting twice changes nothing. */
#include <string.h>

#include "base/vec.h"
#include "syntax/parse_impl.h"
#include "syntax/syntax.h"

enum { STEP = 2 };

typedef struct {
  const Source *source;
  Text *out;
  Layout marks;
  uint32_t next_mark;
  uint32_t depth;         /* of the item that is being written */
  uint32_t line_indent;   /* of the line that is being written */
  VEC(uint32_t) brackets; /* that are open: the indentation of the line on which each was opened */
  Arena *arena;
  Token last;     /* TOK_EOF before the first */
  bool last_sign; /* the last token is a sign, not an operator */
  bool in_import; /* up to the `;` */
} Format;

/* ---- blanks between tokens ---- */

static bool is_tight(TokenKind k) {
  return k == TOK_STAR || k == TOK_SLASH || k == TOK_CARET || k == TOK_COLON;
}

static bool ends_operand(TokenKind k) {
  return (k >= TOK_IDENT && k <= TOK_REAL) || k == TOK_RPAREN || k == TOK_RBRACKET ||
         k == TOK_RBRACE || k == TOK_TRUE || k == TOK_FALSE || k == TOK_END;
}

static bool is_sign(const Format *f, TokenKind k) {
  return (k == TOK_PLUS || k == TOK_MINUS || k == TOK_DOT_PLUS || k == TOK_DOT_MINUS) &&
         !ends_operand(f->last.kind);
}

static bool blank_before_parenthesis(TokenKind last) {
  return !(last == TOK_IDENT || last == TOK_RBRACKET || last == TOK_DER || last == TOK_INITIAL ||
           last == TOK_PURE || last == TOK_CONNECT || last == TOK_ENUMERATION ||
           last == TOK_ANNOTATION);
}

/* A blank between the last token and one of kind k? */
static bool blank_before(const Format *f, TokenKind k) {
  TokenKind last = f->last.kind;
  if (last == TOK_EOF || last == TOK_LPAREN || last == TOK_LBRACKET || last == TOK_LBRACE ||
      last == TOK_DOT || f->last_sign)
    return false;
  if (k == TOK_SEMICOLON || k == TOK_COMMA || k == TOK_RPAREN || k == TOK_RBRACKET ||
      k == TOK_RBRACE)
    return false;
  if (is_tight(k) || is_tight(last))
    return false;
  if (f->brackets.n && (k == TOK_EQUALS || last == TOK_EQUALS))
    return false;
  if (k == TOK_DOT)
    return last != TOK_IDENT && last != TOK_RBRACKET;
  if (k == TOK_DOT_STAR && f->in_import)
    return false;
  if (k == TOK_LPAREN)
    return blank_before_parenthesis(last);
  if (k == TOK_LBRACKET)
    return last != TOK_IDENT && last != TOK_RBRACKET;
  return true;
}

/* ---- lines ---- */

static bool is_closer(TokenKind k) {
  return k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE;
}
static bool is_opener(TokenKind k) {
  return k == TOK_LPAREN || k == TOK_LBRACKET || k == TOK_LBRACE;
}

/* The mark of the token at this position, NULL if it has none. */
static const LayoutMark *mark_at(Format *f, uint32_t position) {
  while (f->next_mark < f->marks.n && f->marks.at[f->next_mark].at < position)
    f->next_mark++;
  bool found = f->next_mark < f->marks.n && f->marks.at[f->next_mark].at == position;
  return found ? &f->marks.at[f->next_mark] : NULL;
}

/* The indentation of a line that begins with this token. */
static uint32_t indent_of(const Format *f, const Token *t, const LayoutMark *mark) {
  if (t->kind == TOK_EOF)
    return 0;
  if (mark)
    return mark->depth * STEP;
  if (f->brackets.n)
    return vec_last(&f->brackets) + (is_closer(t->kind) ? 0 : STEP);
  return (f->depth + 1) * STEP;
}

static void begin_line(Format *f, uint32_t breaks, uint32_t indent) {
  if (f->out->n) {
    text_char(f->out, '\n');
    if (breaks > 1)
      text_char(f->out, '\n');
  }
  for (uint32_t i = 0; i < indent; i++)
    text_char(f->out, ' ');
  f->line_indent = indent;
}

/* Text as it is, with line ends \n. */
static void verbatim(Format *f, const char *from, const char *to) {
  for (const char *p = from; p < to; p++)
    if (!(p[0] == '\r' && p[1] == '\n'))
      text_char(f->out, *p == '\r' ? '\n' : *p);
}

/* ---- what stands between two tokens ---- */

/* The end of the comment at p, without the blanks at its end. */
static const char *comment_end(const char *p, const char *end) {
  if (p[1] == '*')
    return strstr(p + 2, "*/") + 2;
  const char *e = p + strcspn(p, "\r\n");
  e = e < end ? e : end;
  while (e[-1] == ' ' || e[-1] == '\t')
    e--;
  return e;
}

/* Writes the comments from p to end; returns the number of line ends after the last of them. */
static uint32_t comments(Format *f, const char *p, const char *end, uint32_t indent, bool *any) {
  uint32_t breaks = 0;
  while (p < end) {
    if (*p != '/') {
      breaks += *p == '\n' || (*p == '\r' && p[1] != '\n');
      p++;
      continue;
    }
    const char *e = comment_end(p, end);
    if (breaks || !f->out->n)
      begin_line(f, breaks, indent);
    else if (f->last.kind != TOK_EOF || *any)
      text_char(f->out, ' ');
    verbatim(f, p, e);
    *any = true;
    breaks = 0;
    p = e;
  }
  return breaks;
}

static const char *text_at(const Format *f, uint32_t position) {
  return f->source->text + (position - f->source->base);
}

static void write_token(Format *f, const Token *t) {
  const LayoutMark *mark = mark_at(f, t->span.lo);
  const char *gap = f->last.kind == TOK_EOF ? f->source->text : text_at(f, f->last.span.hi);
  if (strncmp(gap, "\xEF\xBB\xBF", 3) == 0 && gap == f->source->text)
    gap += 3;
  uint32_t indent = indent_of(f, t, mark);
  bool deeper = (mark && mark->closes) || (!mark && f->brackets.n && is_closer(t->kind));
  bool any = false;
  uint32_t breaks = comments(f, gap, text_at(f, t->span.lo), indent + (deeper ? STEP : 0), &any);
  if (t->kind == TOK_EOF)
    return;
  bool sign = is_sign(f, t->kind);
  if (breaks || !f->out->n)
    begin_line(f, breaks, indent);
  else if (any || blank_before(f, t->kind))
    text_char(f->out, ' ');
  verbatim(f, text_at(f, t->span.lo), text_at(f, t->span.hi));
  if (mark)
    f->depth = mark->depth;
  if (is_opener(t->kind))
    vec_push(f->arena, &f->brackets, f->line_indent);
  else if (is_closer(t->kind) && f->brackets.n)
    f->brackets.n--;
  f->in_import = t->kind == TOK_IMPORT || (f->in_import && t->kind != TOK_SEMICOLON);
  f->last_sign = sign;
  f->last = *t;
}

bool syntax_format(const Source *source, Interner *names, Arena *a, Diags *diags, Text *out) {
  Parser p;
  Layout marks = {0};
  parse_init(&p, source, names, a, diags);
  p.layout = &marks;
  parse_file(&p);
  if (p.errors || p.lex.errors || p.stopped)
    return false;
  Text formatted = {.arena = a};
  Format f = {.source = source, .out = &formatted, .marks = marks, .arena = a};
  Lexer lx;
  Token t;
  lex_init(&lx, source, names, a, diags);
  do {
    lex_next(&lx, &t);
    write_token(&f, &t);
  } while (t.kind != TOK_EOF);
  if (formatted.n)
    text_char(&formatted, '\n');
  text_addn(out, text_str(&formatted), formatted.n);
  return true;
}
