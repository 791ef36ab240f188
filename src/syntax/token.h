#pragma once
/* syntax/token.h -- the lexical units of Modelica (MLS 3.6, chapter 2 and appendix A.1).
 * One list feeds the enum, the keyword table and the messages. The words of the extensions are not
 * here: they are ordinary identifiers, and the parser recognises them where its grammar expects
 * them. */
#include "base/diag.h"
#include "base/intern.h"

/* clang-format off */
#define TOKENS_PUNCTUATION(T)                                                                      \
  T(SEMICOLON, ";") T(COMMA, ",") T(COLON, ":") T(DOT, ".") T(ASSIGN, ":=") T(EQUALS, "=")         \
  T(LPAREN, "(") T(RPAREN, ")") T(LBRACKET, "[") T(RBRACKET, "]") T(LBRACE, "{") T(RBRACE, "}")    \
  T(PLUS, "+") T(MINUS, "-") T(STAR, "*") T(SLASH, "/") T(CARET, "^")                              \
  T(DOT_PLUS, ".+") T(DOT_MINUS, ".-") T(DOT_STAR, ".*") T(DOT_SLASH, "./") T(DOT_CARET, ".^")     \
  T(LESS, "<") T(LESS_EQUAL, "<=") T(GREATER, ">") T(GREATER_EQUAL, ">=")                          \
  T(EQUAL_EQUAL, "==") T(NOT_EQUAL, "<>")

#define TOKENS_KEYWORD(T)                                                                          \
  T(ALGORITHM, "algorithm") T(AND, "and") T(ANNOTATION, "annotation") T(BLOCK, "block")            \
  T(BREAK, "break")                                                                                \
  T(CLASS, "class") T(CONNECT, "connect") T(CONNECTOR, "connector") T(CONSTANT, "constant")        \
  T(CONSTRAINEDBY, "constrainedby") T(DER, "der") T(DISCRETE, "discrete") T(EACH, "each")          \
  T(ELSE, "else")                                                                                  \
  T(ELSEIF, "elseif") T(ELSEWHEN, "elsewhen") T(ENCAPSULATED, "encapsulated") T(END, "end")        \
  T(ENUMERATION, "enumeration") T(EQUATION, "equation") T(EXPANDABLE, "expandable")                \
  T(EXTENDS, "extends")                                                                            \
  T(EXTERNAL, "external") T(FALSE, "false") T(FINAL, "final") T(FLOW, "flow") T(FOR, "for")        \
  T(FUNCTION, "function")                                                                          \
  T(IF, "if") T(IMPORT, "import") T(IMPURE, "impure") T(IN, "in") T(INITIAL, "initial")            \
  T(INNER, "inner")                                                                                \
  T(INPUT, "input") T(LOOP, "loop") T(MODEL, "model") T(NOT, "not") T(OPERATOR, "operator")        \
  T(OR, "or")                                                                                      \
  T(OUTER, "outer") T(OUTPUT, "output") T(PACKAGE, "package") T(PARAMETER, "parameter")            \
  T(PARTIAL, "partial")                                                                            \
  T(PROTECTED, "protected") T(PUBLIC, "public") T(PURE, "pure") T(RECORD, "record")                \
  T(REDECLARE, "redeclare")                                                                        \
  T(REPLACEABLE, "replaceable") T(RETURN, "return") T(STREAM, "stream") T(THEN, "then")            \
  T(TRUE, "true")                                                                                  \
  T(TYPE, "type") T(WHEN, "when") T(WHILE, "while") T(WITHIN, "within")
/* clang-format on */

typedef enum {
  TOK_EOF,
  TOK_IDENT,
  TOK_STRING,
  TOK_INTEGER,
  TOK_REAL,
#define T(name, text) TOK_##name,
  TOKENS_PUNCTUATION(T) TOKENS_KEYWORD(T)
#undef T
      TOK_COUNT,
  TOK_FIRST_KEYWORD = TOK_ALGORITHM
} TokenKind;

typedef struct {
  TokenKind kind;
  bool first; /* first of its line */
  Span span;
  union {
    const char *text; /* IDENT: the name; STRING: its value, escapes decoded. Interned. */
    int64_t integer;
    double real;
  };
} Token;

/* A place in a source. Copying it saves the place: looking ahead is reading from a copy. */
typedef struct {
  const char *at;    /* the next byte */
  const char *start; /* of the text */
  const Source *source;
  Interner *names;
  Arena *arena;
  Diags *diags;
  const uint8_t *keywords; /* hash table of keyword numbers */
  uint32_t errors;         /* reported by the lexer so far */
  /* Something did not end: only TOK_EOF follows, and that is no error of its own */
  bool broken;
} Lexer;

/* False if the source is no text at all (P001, P004 are then reported); only TOK_EOF follows. */
bool lex_init(Lexer *lx, const Source *source, Interner *names, Arena *a, Diags *diags);
void lex_next(Lexer *lx, Token *t);
/* How the token is spelled; NULL for EOF, names and literals. */
const char *token_text(TokenKind kind);
