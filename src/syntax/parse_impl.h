#pragma once
/* syntax/parse_impl.h -- what the files of the parser share.
 * Errors: the first one of an item is reported and sets `panic`; until the item is left nothing
 * more is reported and nothing is expected. The list that holds the item then calls parse_recover,
 * which skips to the next `;` or to the keyword that closes the surrounding block, and drops the
 * item. So the tree holds complete items only, and one mistake gives one message. Parse functions
 * return no NULL after an error, unless they say so. */
#include "syntax/ast.h"
#include "syntax/token.h"

/* The words of the extensions; ordinary identifiers elsewhere. */
/* clang-format off */
#define PARSE_WORDS(W)                                                                             \
  W(statechart) W(sfc) W(hfss) W(atomic) W(dynamic) W(event) W(state) W(step) W(parallel)          \
  W(transition) W(history) W(deep)                                                                 \
  W(to) W(on) W(priority) W(after) W(entered) W(exited) W(entry) W(exit) W(during) W(action)
/* clang-format on */
/* `do` and `default` are keywords of C */

/* Where a line of the formatted text may begin with a known indentation; written in ascending
 * order. */
typedef struct {
  uint32_t at; /* position of the token */
  uint32_t depth;
  bool closes; /* `end`, `else`, `equation` ...: what stands before it lies one step deeper */
} LayoutMark;

typedef struct {
  LayoutMark *at;
  uint32_t n, room;
} Layout;

/* Classes and blocks that are open, innermost first. */
typedef struct ParseOpen {
  const char *name;  /* of a class; NULL for a block */
  TokenKind keyword; /* of a block: if, for, while, when */
  struct ParseOpen *outer;
} ParseOpen;

typedef struct {
  Lexer lex;
  Token tok;     /* the current one */
  uint32_t last; /* end of the one before */
  TokenKind last_kind;
  Arena *arena;
  Diags *diags;
  Interner *names;
  bool panic;   /* an error was reported in the current item */
  bool stopped; /* nothing is reported any more */
  /* a token of the current item could not be read: that was reported, what follows from it is
   * not */
  bool forgive;
  uint32_t errors;
  uint32_t depth;
  uint32_t height;  /* of the expression read last */
  uint32_t squares; /* matrix brackets that are open: a `;` there ends a row */
  uint32_t panic_squares;
  /* Subscript brackets that are open: `end` is an expression there */
  uint32_t subscripts;
  bool in_atomic, in_chart, in_sfc; /* which words of the extensions count */
  /* An equation or statement stands where a declaration is expected */
  bool misplaced;
  ParseOpen *open;
  /* Position of an `end` that closes an outer block: reported once, then left to that one */
  uint32_t wrong_end;
  Layout *layout; /* NULL: not wanted */
  uint32_t indent;
  struct {
    char *at;
    size_t n, room;
  } list; /* lists being read, innermost on top */
  struct {
#define W(word) const char *word;
    PARSE_WORDS(W)
#undef W
    const char *do_, *default_, *c;
  } word;
} Parser;

/* ---- tokens (parse.c) ---- */

typedef struct {
  Lexer lex;
  Token tok;
  uint32_t last;
} ParsePlace;

void parse_init(Parser *p, const Source *source, Interner *names, Arena *a, Diags *diags);
void parse_next(Parser *p);
ParsePlace parse_place(const Parser *p);
void parse_return(Parser *p, ParsePlace place);
/* The token that follows the current one; parse_next_is: it is this word of an extension. */
Token parse_peek(const Parser *p);

bool parse_next_is(const Parser *p, const char *word);

static inline bool parse_at(const Parser *p, TokenKind kind) { return p->tok.kind == kind; }
static inline bool parse_at_word(const Parser *p, const char *word) {
  return p->tok.kind == TOK_IDENT && p->tok.text == word;
}
static inline bool parse_accept(Parser *p, TokenKind kind) {
  if (p->tok.kind != kind)
    return false;
  parse_next(p);
  return true;
}
static inline bool parse_accept_word(Parser *p, const char *word) {
  return parse_at_word(p, word) && parse_accept(p, TOK_IDENT);
}
static inline Span parse_since(const Parser *p, uint32_t lo) {
  return (Span){lo, p->last > lo ? p->last : lo};
}

/* ---- lists ---- */

/* uint32_t or size_t mark = parse_list(p); LIST_ADD(p, item) ...; LIST_TAKE(p, mark, Type, &n)
 * copies the items, exactly. */
static inline size_t parse_list(const Parser *p) { return p->list.n; }
void parse_list_add(Parser *p, const void *item, size_t size);
void *parse_list_take(Parser *p, size_t mark, size_t size, uint32_t *n);
#define LIST_ADD(p, item) parse_list_add((p), &(item), sizeof(item))
#define LIST_TAKE(p, mark, Type, n) ((Type *)parse_list_take((p), (mark), sizeof(Type), (n)))

/* ---- errors ---- */

/* Reports unless the item already has an error (then NULL). parse_error begins panic, parse_report
 * does not. */
Diag *parse_report(Parser *p, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
Diag *parse_error(Parser *p, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "expected WHAT, found ...". Begins panic. The first is for what continues an item: at the end of
 * the line that should go on; the second for what begins one: at the current token. */
Diag *parse_expected(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
Diag *parse_unexpected(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The current token, as shown in a message. */
const char *parse_found(Parser *p);
/* `where` completes the message: "after the condition"; "" if there is nothing to say. */
bool parse_expect(Parser *p, TokenKind kind, const char *where);
/* The `;` after an item. When it is all that is missing, reading goes on without panic. */
void parse_semicolon(Parser *p, const char *item);
/* The name after `end`, `class` ...: what = "a class name". A keyword is P014. */
const char *parse_ident(Parser *p, const char *what);
/* Ends panic: skips to the next item of the current list. */
void parse_recover(Parser *p);
/* Ends panic in the head of a block: skips to `keyword` in the same statement and eats it, if it is
 * there. */
void parse_recover_head(Parser *p, TokenKind keyword);
/* One level down, false when too deep (P015); every true needs its parse_leave. */
bool parse_enter(Parser *p);
void parse_leave(Parser *p);
void parse_set_height(Parser *p, uint32_t height);

/* The current token begins a line of depth `indent` (+ 0, - 1). */
void parse_mark(Parser *p);
void parse_mark_closing(Parser *p, uint32_t back);

/* ---- the grammar ---- */

AstFile *parse_file(Parser *p);

/* parse_exp.c */
AstExp *parse_expression(Parser *p);
AstExp *parse_simple_expression(Parser *p); /* without `if` at its beginning */
AstExp *parse_primary(Parser *p);
AstRef *parse_name(Parser *p, const char *what); /* [.] a.b.c */
AstRef *parse_ref(Parser *p);                    /* with subscripts */
AstExp **parse_subscripts(Parser *p, uint32_t *n);
AstArg *parse_arguments(Parser *p, uint32_t *n); /* ( ... ) without iterators */
AstIterator *parse_iterators(Parser *p, uint32_t *n);

/* parse_mod.c */
const char *parse_comment(Parser *p); /* description-string; NULL if none */
void parse_description(Parser *p, const char **comment, AstMod **annotation);
AstMod *parse_annotation(Parser *p);                 /* at `annotation` */
AstMod *parse_class_mod(Parser *p, bool in_extends); /* at `(` */
AstMod *parse_modification(Parser *p);               /* NULL if none */
void parse_constraint(Parser *p, AstElement *e);     /* constraining-clause, if there is one */

/* parse_element.c */
void parse_element(Parser *p, AstVisibility visibility); /* adds AstElement * to the current list */
void parse_type_prefix(Parser *p, AstElement *e);
/* type-specifier [ array-subscripts ], the dimensions of the type as the only ones so far */
void parse_type(Parser *p, AstElement *e);
/* IDENT [ array-subscripts ] [ modification ] */
void parse_declaration(Parser *p, AstElement *e);

/* parse_class.c */
bool parse_class_begins(Parser *p, bool in_elements);
AstClass *parse_class(Parser *p, bool short_only);
/* A class with a body is kept after an error, a short one is dropped. */
static inline bool parse_is_long(const AstClass *c) {
  return c->form == FORM_LONG || c->form == FORM_EXTENDS;
}

/* parse_eq.c */
AstEquation *parse_equation(Parser *p, bool hfss); /* with its `;`; NULL after an error */
AstEquation **parse_equations(Parser *p, bool hfss, uint32_t *n);
AstEquation *parse_connect(Parser *p);
/* A list of equations or statements has one more item; skips what cannot be one (`end if` without
 * `if`). */
bool parse_list_goes_on(Parser *p);
/* Reads the head of a block, up to and with its `then` or `loop`; `open` becomes the innermost open
 * block. */
AstExp *parse_condition(Parser *p, TokenKind then);
void parse_open_block(Parser *p, ParseOpen *open, TokenKind keyword);
/* A class that is open, from `open` outwards, has this name. */
bool parse_is_open(const ParseOpen *open, const char *name);
/* `end if` and the like where no such block is open: says so and goes on after it. */
bool parse_stray_end(Parser *p);
/* end KEYWORD of the block that was opened at `opening` */
void parse_close_block(Parser *p, ParseOpen *open, Span opening);

/* parse_stm.c */
AstStatement *parse_statement(Parser *p); /* with its `;`; NULL after an error */
AstStatement **parse_statements(Parser *p, uint32_t *n);

/* parse_chart.c */
bool parse_chart_begins(Parser *p, bool in_elements); /* statechart NAME, sfc NAME */
bool parse_chart_item_begins(Parser *p);
AstChart *parse_chart(Parser *p);
