/* syntax/lex.c -- source text -> tokens.
 * In:   a source (bytes, ended by a 0).   Out: one token per call; comments and white space are
 *       skipped.
 * How:  a class per byte decides what begins; identifiers are looked up in a small hash table of
 *       the keywords. Numbers: exact by one multiplication or division where mantissa and power of
 *       ten are exact doubles (Clinger, PLDI 1990), else by strtod without a decimal point, so that
 *       the locale cannot matter.
 * Keep: the text holds no 0 byte (lex_init refuses it), so every scan stops at the 0 after the last
 *       byte. */
#include "syntax/token.h"
#include "base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEYWORD_SLOTS = 256, N_KEYWORDS = TOK_COUNT - TOK_FIRST_KEYWORD };

static const char *const spelling[TOK_COUNT] = {
#define T(name, text) [TOK_##name] = text,
    TOKENS_PUNCTUATION(T) TOKENS_KEYWORD(T)
#undef T
};

const char *token_text(TokenKind kind) { return spelling[kind]; }

/* ---- byte classes ---- */

/* x nothing, w blank, n line end, a letter, d digit, p punctuation, q double quote, i single quote;
 * bytes above 127: x */
static const char byte_class[129] = "xxxxxxxxxwnxxnxxxxxxxxxxxxxxxxxx"
                                    "wxqxxxxippppppppddddddddddpppppx"
                                    "xaaaaaaaaaaaaaaaaaaaaaaaaaapxppa"
                                    "xaaaaaaaaaaaaaaaaaaaaaaaaaapxpxx";

static char class_of(char c) {
  unsigned char u = (unsigned char)c;
  return u < 128 ? byte_class[u] : 'x';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool in_name(char c) {
  char k = class_of(c);
  return k == 'a' || k == 'd';
}

/* ---- keywords ---- */

static uint32_t keyword_hash(const char *text, size_t n) {
  uint32_t first = (unsigned char)text[0], second = (unsigned char)text[1],
           last = (unsigned char)text[n - 1];
  return (first * 7 + second * 31 + last * 3 + (uint32_t)n * 19) & (KEYWORD_SLOTS - 1);
}

static const uint8_t *keyword_table(Arena *a) {
  uint8_t *slots = NEW_ARRAY(a, uint8_t, KEYWORD_SLOTS);
  for (int i = 0; i < N_KEYWORDS; i++) {
    const char *text = spelling[TOK_FIRST_KEYWORD + i];
    uint32_t h = keyword_hash(text, strlen(text));
    while (slots[h])
      h = (h + 1) & (KEYWORD_SLOTS - 1);
    slots[h] = (uint8_t)(i + 1);
  }
  return slots;
}

static TokenKind keyword_of(const Lexer *lx, const char *text, size_t n) {
  if (n < 2)
    return TOK_IDENT;
  for (uint32_t h = keyword_hash(text, n); lx->keywords[h]; h = (h + 1) & (KEYWORD_SLOTS - 1)) {
    int kind = TOK_FIRST_KEYWORD + lx->keywords[h] - 1;
    if (strncmp(spelling[kind], text, n) == 0 && !spelling[kind][n])
      return (TokenKind)kind;
  }
  return TOK_IDENT;
}

/* ---- is it text? ---- */

/* Length of the UTF-8 sequence at p (Unicode 15, table 3-7), 0 if it is not valid. */
static uint32_t utf8_length(const unsigned char *p) {
  uint32_t n = p[0] < 0x80   ? 1
               : p[0] < 0xC2 ? 0
               : p[0] < 0xE0 ? 2
               : p[0] < 0xF0 ? 3
               : p[0] < 0xF5 ? 4
                             : 0;
  for (uint32_t i = 1; i < n; i++)
    if ((p[i] & 0xC0) != 0x80)
      return 0;
  bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
  bool outside = (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF4 && p[1] > 0x8F);
  return overlong || outside ? 0 : n;
}

/* Offset of the first byte that is not valid UTF-8, `length` if there is none. */
static uint32_t first_invalid(const char *text, uint32_t length) {
  uint32_t i = 0;
  while (i < length) {
    uint64_t eight;
    if (length - i >= sizeof eight) {
      memcpy(&eight, text + i, sizeof eight);
      if (!(eight & 0x8080808080808080u)) {
        i += (uint32_t)sizeof eight;
        continue;
      }
    }
    uint32_t n = utf8_length((const unsigned char *)text + i);
    if (!n)
      return i;
    i += n;
  }
  return length;
}

static Span span_at(const Lexer *lx, const char *from, const char *to) {
  return (Span){lx->source->base + (uint32_t)(from - lx->start),
                lx->source->base + (uint32_t)(to - lx->start)};
}

bool lex_init(Lexer *lx, const Source *source, Interner *names, Arena *a, Diags *diags) {
  *lx = (Lexer){.at = source->text,
                .start = source->text,
                .source = source,
                .names = names,
                .arena = a,
                .diags = diags};
  lx->keywords = keyword_table(a);
  const char *zero = memchr(source->text, 0, source->length);
  if (zero) {
    diag_add(diags, D_P001, span_at(lx, zero, zero + 1),
             "a byte with the value 0: this is not a text file");
    lx->broken = true;
  } else {
    uint32_t bad = first_invalid(source->text, source->length);
    if (bad < source->length) {
      Diag *d = diag_add(diags, D_P004, span_at(lx, source->text + bad, source->text + bad + 1),
                         "the byte 0x%02X is not valid UTF-8 here",
                         (unsigned char)source->text[bad]);
      diag_help(diags, d, "save the file in the encoding UTF-8");
      lx->broken = true;
    }
  }
  lx->errors += lx->broken;
  if (strncmp(source->text, "\xEF\xBB\xBF", 3) == 0)
    lx->at += 3;
  return !lx->broken;
}

/* ---- white space and comments ---- */

/* The rest of the text cannot be read: nothing but the end follows. */
static void give_up(Lexer *lx) {
  lx->at = lx->start + lx->source->length;
  lx->broken = true;
  lx->errors++;
}

/* Stands after the opening characters; false if the comment does not end. */
static bool skip_block_comment(Lexer *lx, bool *first) {
  const char *open = lx->at - 2;
  const char *close = strstr(lx->at, "*/");
  if (!close) {
    diag_add(lx->diags, D_P002, span_at(lx, open, open + 2),
             "this comment does not end: `*/` is missing");
    give_up(lx);
    return false;
  }
  *first = *first || memchr(open, '\n', (size_t)(close - open));
  lx->at = close + 2;
  return true;
}

/* Returns whether a line begins on the way. */
static bool skip_blank(Lexer *lx) {
  bool first = lx->at == lx->start;
  for (;;) {
    char k = class_of(*lx->at);
    if (k == 'w') {
      lx->at++;
    } else if (k == 'n') {
      lx->at++;
      first = true;
    } else if (lx->at[0] == '/' && lx->at[1] == '/') {
      lx->at += strcspn(lx->at, "\n\r");
    } else if (lx->at[0] == '/' && lx->at[1] == '*') {
      lx->at += 2;
      if (!skip_block_comment(lx, &first))
        return first;
    } else {
      return first;
    }
  }
}

/* ---- names and strings ---- */

/* The value of the escape sequence \c, 0 if there is none (MLS 3.6 section 2.4.4). */
static char escape_value(char c) {
  static const char letters[] = "'\"?\\abfnrtv", values[] = "'\"?\\\a\b\f\n\r\t\v";
  const char *found = c ? strchr(letters, c) : NULL;
  return found ? values[found - letters] : 0;
}

static void bad_escape(Lexer *lx, const char *at) {
  const char *end = at + 1 + (*at && at[1] ? utf8_length((const unsigned char *)at + 1) : 0);
  Diag *d = diag_add(lx->diags, D_P013, span_at(lx, at, end), "`%.*s` is not an escape sequence",
                     (int)(end - at), at);
  diag_help(lx->diags, d, "a backslash itself is written `\\\\`");
  lx->errors++;
}

/* Decodes the inside of a string. */
static const char *decode(Lexer *lx, const char *from, const char *to) {
  char *out = arena_alloc(lx->arena, (size_t)(to - from) + 1), *o = out;
  for (const char *p = from; p < to; p++) {
    if (p[0] == '\r' && p[1] == '\n')
      continue; /* a line end is \n on every system */
    if (*p != '\\') {
      *o++ = *p == '\r' ? '\n' : *p;
      continue;
    }
    char value = escape_value(p[1]);
    if (!value) {
      bad_escape(lx, p);
      value = p[1];
    }
    *o++ = value;
    p++;
  }
  return intern(lx->names, out, (size_t)(o - out));
}

static void lex_string(Lexer *lx, Token *t) {
  const char *open = lx->at, *p = open + 1;
  bool plain = true;
  for (;;) {
    p += strcspn(p, "\"\\\r");
    if (*p == '"' || !*p)
      break;
    plain = false;
    p += *p == '\\' && p[1] ? 2 : 1;
  }
  if (!*p) {
    diag_add(lx->diags, D_P002, span_at(lx, open, open + 1),
             "this string does not end: `\"` is missing");
    give_up(lx);
    t->kind = TOK_EOF;
    return;
  }
  t->kind = TOK_STRING;
  t->text = plain ? intern(lx->names, open + 1, (size_t)(p - open - 1)) : decode(lx, open + 1, p);
  lx->at = p + 1;
}

/* A quoted identifier that does not end in its line, or has a character that it cannot have (at
 * `bad`). What stands before the next blank or bracket counts as the name. */
static void broken_quoted(Lexer *lx, Token *t, const char *bad) {
  const char *open = lx->at, *p = open + 1;
  uint32_t n = (unsigned char)*bad >= 0x80 ? utf8_length((const unsigned char *)bad) : 0;
  if (n) {
    diag_add(lx->diags, D_P001, span_at(lx, bad, bad + n),
             "`%.*s` cannot be part of a quoted identifier", (int)n, bad);
    p = bad + strcspn(bad, "'\n\r");
    p += *p == '\'';
  } else {
    diag_add(lx->diags, D_P002, span_at(lx, open, open + 1),
             "this quoted identifier does not end: `'` is missing");
    p += strcspn(p, " \t;,()[]{}=\"\r\n");
  }
  lx->errors++;
  lx->at = p;
  t->text = intern(lx->names, "", 0);
}

/* A quoted identifier keeps its quotes and escapes; \? and \" are the same as ? and " (MLS 3.6
 * section 2.3.1). */
static void lex_quoted(Lexer *lx, Token *t) {
  const char *open = lx->at, *p = open + 1;
  while (*p >= ' ' && *p != '\'' && *p != 127)
    p += *p == '\\' && p[1] >= ' ' ? 2 : 1;
  t->kind = TOK_IDENT;
  if (*p != '\'') {
    broken_quoted(lx, t, p);
    return;
  }
  lx->at = p + 1;
  if (!memchr(open, '\\', (size_t)(p - open))) {
    t->text = intern(lx->names, open, (size_t)(p + 1 - open));
    return;
  }
  char *out = arena_alloc(lx->arena, (size_t)(p - open) + 2), *o = out;
  for (const char *q = open; q <= p; q++) {
    if (*q == '\\') {
      if (!escape_value(q[1]))
        bad_escape(lx, q);
      if (q[1] != '?' && q[1] != '"')
        *o++ = *q;
      q++;
    }
    *o++ = *q;
  }
  t->text = intern(lx->names, out, (size_t)(o - out));
}

static void lex_name(Lexer *lx, Token *t) {
  const char *p = lx->at + 1;
  while (in_name(*p))
    p++;
  size_t n = (size_t)(p - lx->at);
  t->kind = keyword_of(lx, lx->at, n);
  t->text = t->kind == TOK_IDENT ? intern(lx->names, lx->at, n) : NULL;
  lx->at = p;
}

/* ---- numbers ---- */

enum { EXACT_POWER = 22, LARGEST_EXPONENT = 99999 };
static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* digits * 10^exponent, where digits may contain one point that counts. */
static double real_value(const Lexer *lx, const char *from, const char *to, long exponent) {
  uint64_t mantissa = 0;
  bool exact = true, fraction = false;
  for (const char *p = from; p < to; p++) {
    if (*p == '.') {
      fraction = true;
      continue;
    }
    exponent -= fraction;
    exact = exact && mantissa < (UINT64_C(1) << 53) / 10;
    mantissa = exact ? mantissa * 10 + (uint64_t)(*p - '0') : mantissa;
  }
  if (exact && exponent >= -EXACT_POWER && exponent <= EXACT_POWER)
    return exponent < 0 ? (double)mantissa / powers[-exponent]
                        : (double)mantissa * powers[exponent];
  Text digits = {.arena = lx->arena};
  for (const char *p = from; p < to; p++)
    if (*p != '.')
      text_char(&digits, *p);
  text_printf(&digits, "e%ld", exponent);
  return strtod(text_str(&digits), NULL);
}

static void bad_number(Lexer *lx, const char *from, const char *why) {
  int n = lx->at - from > 40 ? 40 : (int)(lx->at - from);
  diag_add(lx->diags, D_P003, span_at(lx, from, lx->at), "the number `%.*s%s` %s", n, from,
           lx->at - from > 40 ? "..." : "", why);
  lx->errors++;
}

static void lex_integer(Lexer *lx, Token *t, const char *from) {
  t->kind = TOK_INTEGER;
  t->integer = 0;
  for (const char *p = from; p < lx->at; p++)
    if (__builtin_mul_overflow(t->integer, 10, &t->integer) ||
        __builtin_add_overflow(t->integer, *p - '0', &t->integer)) {
      bad_number(lx, from, "is too large for an Integer");
      t->integer = INT64_MAX;
      return;
    }
}

static void lex_number(Lexer *lx, Token *t) {
  const char *from = lx->at, *p = from;
  bool real = false;
  while (is_digit(*p))
    p++;
  if (*p == '.') {
    real = true;
    for (p++; is_digit(*p); p++)
      ;
  }
  const char *end = p;
  long exponent = 0;
  bool cut = false;
  if (*p == 'e' || *p == 'E') {
    const char *q = p + 1;
    bool negative = *q == '-';
    q += *q == '-' || *q == '+';
    cut = !is_digit(*q);
    for (; is_digit(*q); q++)
      exponent = exponent < LARGEST_EXPONENT ? exponent * 10 + (*q - '0') : exponent;
    exponent = negative ? -exponent : exponent;
    real = true;
    p = q;
  }
  lx->at = p;
  if (!real) {
    lex_integer(lx, t, from);
    return;
  }
  t->kind = TOK_REAL;
  t->real = cut ? 0 : real_value(lx, from, end, exponent);
  if (cut)
    bad_number(lx, from, "has no digits in its exponent");
  if (isinf(t->real)) {
    bad_number(lx, from, "is too large for a Real");
    t->real = 0;
  }
}

/* ---- punctuation ---- */

static TokenKind after_dot(char c) {
  return c == '+'   ? TOK_DOT_PLUS
         : c == '-' ? TOK_DOT_MINUS
         : c == '*' ? TOK_DOT_STAR
         : c == '/' ? TOK_DOT_SLASH
         : c == '^' ? TOK_DOT_CARET
                    : TOK_DOT;
}

/* The longest punctuation token at p. */
static TokenKind punctuation(const char *p) {
  switch (p[0]) {
  case ';': return TOK_SEMICOLON;
  case ',': return TOK_COMMA;
  case ':': return p[1] == '=' ? TOK_ASSIGN : TOK_COLON;
  case '.': return after_dot(p[1]);
  case '=': return p[1] == '=' ? TOK_EQUAL_EQUAL : TOK_EQUALS;
  case '(': return TOK_LPAREN;
  case ')': return TOK_RPAREN;
  case '[': return TOK_LBRACKET;
  case ']': return TOK_RBRACKET;
  case '{': return TOK_LBRACE;
  case '}': return TOK_RBRACE;
  case '+': return TOK_PLUS;
  case '-': return TOK_MINUS;
  case '*': return TOK_STAR;
  case '/': return TOK_SLASH;
  case '^': return TOK_CARET;
  case '<': return p[1] == '=' ? TOK_LESS_EQUAL : p[1] == '>' ? TOK_NOT_EQUAL : TOK_LESS;
  default:
    return p[1] == '=' ? TOK_GREATER_EQUAL : TOK_GREATER; /* '>' is the only one left of class p */
  }
}

/* What other languages and word processors write, and what is meant. */
static const char *meant_by(const char *text) {
  static const char *const table[][2] = {
      {"&&", "`and` is written as a word"},
      {"||", "`or` is written as a word"},
      {"!=", "unequal is written `<>`"},
      {"!", "`not` is written as a word"},
      {"&", "`and` is written as a word"},
      {"|", "`or` is written as a word"},
      {"%", "the rest of a division is `mod(a, b)`"},
      {"\u00d7", "multiplication is written `*`"},
      {"\u00b7", "multiplication is written `*`"},
      {"\u2212", "this is not the minus sign `-` of the keyboard"},
      {"\u2013", "this is not the minus sign `-` of the keyboard"},
      {"\u00b2", "powers are written `x^2`"},
      {"\u00b3", "powers are written `x^3`"},
      {"\u201c", "strings are written with `\"`"},
      {"\u201d", "strings are written with `\"`"},
      {"\u201e", "strings are written with `\"`"},
      {"\u2264", "this relation is written `<=`"},
      {"\u2265", "this relation is written `>=`"},
      {"\u2260", "unequal is written `<>`"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strncmp(text, table[i][0], strlen(table[i][0])) == 0)
      return table[i][1];
  return NULL;
}

/* Reports a run of characters outside of the language and skips it. */
static void skip_foreign(Lexer *lx) {
  const char *from = lx->at;
  uint32_t n = utf8_length((const unsigned char *)from);
  while (*lx->at && class_of(*lx->at) == 'x')
    lx->at++;
  Span span = span_at(lx, from, lx->at);
  unsigned char c = (unsigned char)*from;
  Diag *d = c < ' ' || c == 127
                ? diag_add(lx->diags, D_P001, span,
                           "the control character 0x%02X is not part of the language", c)
                : diag_add(lx->diags, D_P001, span,
                           "the character `%.*s` is not part of the language", (int)n, from);
  const char *meant = meant_by(from);
  if (meant)
    diag_help(lx->diags, d, "%s", meant);
  lx->errors++;
}

void lex_next(Lexer *lx, Token *t) {
  t->first = skip_blank(lx);
  while (*lx->at && class_of(*lx->at) == 'x') {
    skip_foreign(lx);
    if (lx->errors >= MOST_ERRORS)
      give_up(lx);
    t->first = skip_blank(lx) || t->first;
  }
  const char *from = lx->at;
  char k = class_of(*from);
  t->text = NULL;
  if (lx->broken || !*from)
    t->kind = TOK_EOF;
  else if (k == 'a')
    lex_name(lx, t);
  else if (k == 'd' || (*from == '.' && is_digit(from[1])))
    lex_number(lx, t);
  else if (k == 'q')
    lex_string(lx, t);
  else if (k == 'i')
    lex_quoted(lx, t);
  else {
    t->kind = punctuation(from);
    lx->at += strlen(spelling[t->kind]);
  }
  t->span = t->kind == TOK_EOF
                ? span_at(lx, lx->start + lx->source->length, lx->start + lx->source->length)
                : span_at(lx, from, lx->at);
}
