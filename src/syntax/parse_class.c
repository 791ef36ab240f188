/* syntax/parse_class.c -- class definitions (MLS 3.6 appendix A.2.2). Extension: `atomic` as a kind
 * of class, with hfss sections; statechart and sfc sections. */
#include "syntax/parse_impl.h"

#include <string.h>

#include "base/vec.h"

/* ---- the head ---- */

static bool is_class_keyword(TokenKind kind) {
  static const bool begins[TOK_COUNT] = {
      [TOK_ENCAPSULATED] = true, [TOK_PARTIAL] = true,   [TOK_CLASS] = true,
      [TOK_MODEL] = true,        [TOK_OPERATOR] = true,  [TOK_RECORD] = true,
      [TOK_BLOCK] = true,        [TOK_CONNECTOR] = true, [TOK_TYPE] = true,
      [TOK_EXPANDABLE] = true,   [TOK_PACKAGE] = true,   [TOK_PURE] = true,
      [TOK_IMPURE] = true,       [TOK_FUNCTION] = true};
  return begins[kind];
}

/* At `atomic`: is it the kind of a class? Among elements `atomic x;` and the like declare a
 * component of type `atomic`. */
static bool atomic_begins(const Parser *p, bool in_elements) {
  Lexer ahead = p->lex;
  Token t;
  lex_next(&ahead, &t);
  if (t.kind == TOK_EXTENDS)
    return true;
  if (t.kind != TOK_IDENT)
    return false;
  if (!in_elements)
    return true;
  do /* a description may follow either */
    lex_next(&ahead, &t);
  while (t.kind == TOK_STRING || t.kind == TOK_PLUS);
  return t.kind != TOK_SEMICOLON && t.kind != TOK_COMMA && t.kind != TOK_EQUALS &&
         t.kind != TOK_LPAREN && t.kind != TOK_LBRACKET && t.kind != TOK_IF &&
         t.kind != TOK_ANNOTATION && t.kind != TOK_CONSTRAINEDBY && t.kind != TOK_RPAREN &&
         t.kind != TOK_ASSIGN && t.kind != TOK_DOT;
}

bool parse_class_begins(Parser *p, bool in_elements) {
  return is_class_keyword(p->tok.kind) ||
         (parse_at_word(p, p->word.atomic) && atomic_begins(p, in_elements));
}

/* class-prefixes, after [ encapsulated ] [ partial ] */
static AstClassKind class_kind(Parser *p, AstClass *c) {
  static const struct {
    TokenKind token;
    AstClassKind kind;
  } kinds[] = {{TOK_CLASS, CLASS_CLASS},     {TOK_MODEL, CLASS_MODEL},
               {TOK_RECORD, CLASS_RECORD},   {TOK_BLOCK, CLASS_BLOCK},
               {TOK_TYPE, CLASS_TYPE},       {TOK_CONNECTOR, CLASS_CONNECTOR},
               {TOK_PACKAGE, CLASS_PACKAGE}, {TOK_FUNCTION, CLASS_FUNCTION}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (parse_accept(p, kinds[i].token))
      return kinds[i].kind;
  if (parse_accept(p, TOK_EXPANDABLE)) {
    parse_expect(p, TOK_CONNECTOR, "after `expandable`");
    return CLASS_EXPANDABLE;
  }
  if (parse_at(p, TOK_PURE) || parse_at(p, TOK_IMPURE)) {
    c->purity = parse_at(p, TOK_PURE) ? PURITY_PURE : PURITY_IMPURE;
    parse_next(p);
    bool is_operator = parse_accept(p, TOK_OPERATOR);
    parse_expect(p, TOK_FUNCTION, c->purity == PURITY_PURE ? "after `pure`" : "after `impure`");
    return is_operator ? CLASS_OPERATOR_FUNCTION : CLASS_FUNCTION;
  }
  if (parse_accept(p, TOK_OPERATOR))
    return parse_accept(p, TOK_RECORD)     ? CLASS_OPERATOR_RECORD
           : parse_accept(p, TOK_FUNCTION) ? CLASS_OPERATOR_FUNCTION
                                           : CLASS_OPERATOR;
  if (parse_accept_word(p, p->word.atomic))
    return CLASS_ATOMIC;
  parse_expected(p, "`class`, `model`, `block` or another kind of class");
  return CLASS_CLASS;
}

/* ---- short classes ---- */

/* enumeration "(" ( [ enum-list ] | ":" ) ")" */
static void enumeration(Parser *p, AstClass *c) {
  c->form = FORM_ENUM;
  parse_next(p);
  parse_expect(p, TOK_LPAREN, "after `enumeration`");
  size_t list = parse_list(p);
  if (parse_accept(p, TOK_COLON)) {
    c->enum_open = true;
  } else if (!parse_at(p, TOK_RPAREN)) {
    do {
      AstEnumLiteral literal = {.span = p->tok.span};
      literal.name = parse_ident(p, "an enumeration literal");
      parse_description(p, &literal.comment, &literal.annotation);
      literal.span = parse_since(p, literal.span.lo);
      LIST_ADD(p, literal);
    } while (!p->panic && parse_accept(p, TOK_COMMA));
  }
  if (!p->panic && !parse_accept(p, TOK_RPAREN))
    parse_expected(p, "`,` or `)` in this enumeration");
  c->literals = LIST_TAKE(p, list, AstEnumLiteral, &c->n_literals);
}

/* der "(" type-specifier "," IDENT { "," IDENT } ")" */
static void der_class(Parser *p, AstClass *c) {
  c->form = FORM_DER;
  parse_next(p);
  parse_expect(p, TOK_LPAREN, "after `der`");
  c->base = parse_name(p, "the name of a function");
  size_t list = parse_list(p);
  while (!p->panic && parse_accept(p, TOK_COMMA)) {
    const char *name = parse_ident(p, "the name of an input");
    LIST_ADD(p, name);
  }
  c->der_names = LIST_TAKE(p, list, const char *, &c->n_der_names);
  if (!p->panic && (!c->n_der_names || !parse_accept(p, TOK_RPAREN)))
    parse_expected(p, c->n_der_names ? "`,` or `)`" : "`,` and the name of an input");
}

/* "=" base-prefix type-specifier [ array-subscripts ] [ class-modification ] description | "="
 * enumeration ... | "=" der ... */
static void short_class(Parser *p, AstClass *c) {
  parse_next(p);
  if (parse_at(p, TOK_ENUMERATION)) {
    enumeration(p, c);
  } else if (parse_at(p, TOK_DER)) {
    der_class(p, c);
  } else {
    c->form = FORM_SHORT;
    AstElement prefix = {0};
    if (parse_accept(p, TOK_FLOW)) /* before MLS 3.4 */
      c->flow = FLOW_FLOW;
    else if (parse_accept(p, TOK_STREAM))
      c->flow = FLOW_STREAM;
    if (parse_accept(p, TOK_INPUT))
      c->direction = DIR_INPUT;
    else if (parse_accept(p, TOK_OUTPUT))
      c->direction = DIR_OUTPUT;
    parse_type(p, &prefix);
    c->base = prefix.path;
    c->dims = prefix.dims;
    c->n_dims = prefix.n_dims;
    if (parse_at(p, TOK_LPAREN) && !p->panic)
      c->mod = parse_class_mod(p, false);
  }
  parse_description(p, &c->comment, &c->annotation);
}

/* ---- the body ---- */

/* external [ STRING ] [ [ component-reference "=" ] IDENT "(" [ expression-list ] ")" ] [
 * annotation-clause ] ";" */
static void external(Parser *p, AstClass *c) {
  AstExternal *x = NEW(p->arena, AstExternal);
  uint32_t lo = p->tok.span.lo;
  parse_next(p);
  x->language = parse_at(p, TOK_STRING) ? p->tok.text : p->word.c;
  parse_accept(p, TOK_STRING);
  if (parse_at(p, TOK_IDENT) || parse_at(p, TOK_DOT)) {
    x->has_call = true;
    AstRef *r = parse_ref(p);
    if (!p->panic && parse_accept(p, TOK_EQUALS)) {
      x->result = r;
      x->name = parse_ident(p, "the name of the external function");
    } else if (!p->panic) {
      x->name = r->parts[0].name;
      if (r->n > 1 || r->global || r->parts[0].n_subs)
        parse_expected(p, "`=` after the result of the external function");
    }
    uint32_t n = 0;
    AstArg *args = p->panic ? NULL : parse_arguments(p, &n);
    x->args = NEW_ARRAY(p->arena, AstExp *, n);
    for (; x->n_args < n; x->n_args++) {
      x->args[x->n_args] = args[x->n_args].value;
      if (args[x->n_args].name)
        parse_error(p, D_P010, args[x->n_args].span,
                    "the arguments of an external function have no names");
    }
  }
  if (parse_at(p, TOK_ANNOTATION) && !p->panic)
    x->annotation = parse_annotation(p);
  x->span = parse_since(p, lo);
  parse_semicolon(p, "external function");
  if (p->panic)
    parse_recover(p);
  else
    c->external = x;
}

typedef VEC(AstSection) Sections;

/* A section that begins at the current token; false if none does. */
static bool section(Parser *p, Sections *sections) {
  AstSection s = {.span = p->tok.span};
  TokenKind next = parse_at(p, TOK_INITIAL) ? parse_peek(p).kind : p->tok.kind;
  bool hfss = p->in_atomic && parse_at_word(p, p->word.hfss);
  bool chart = !hfss && parse_chart_begins(p, true);
  if (next != TOK_EQUATION && next != TOK_ALGORITHM && !hfss && !chart)
    return false;
  parse_mark_closing(p, 1);
  if (chart) {
    p->indent--;
    s.kind = SECTION_CHART;
    s.chart = parse_chart(p);
    p->indent++;
  } else {
    s.initial = parse_accept(p, TOK_INITIAL);
    s.kind = hfss ? SECTION_HFSS : next == TOK_EQUATION ? SECTION_EQUATION : SECTION_ALGORITHM;
    parse_next(p);
    if (s.kind == SECTION_ALGORITHM)
      s.statements = parse_statements(p, &s.n);
    else
      s.equations = parse_equations(p, hfss, &s.n);
  }
  s.span = parse_since(p, s.span.lo);
  vec_push(p->arena, sections, s);
  return true;
}

/* An equation or statement among the declarations: read and dropped. One message per class, as a
 * keyword may be missing. */
static void misplaced(Parser *p, bool statement, bool *told) {
  Diag *d = *told ? NULL
                  : parse_report(p, D_P010, p->tok.span, "expected a declaration, found %s",
                                 statement ? "a statement" : "an equation");
  if (d)
    diag_help(p->diags, d, "%s",
              statement ? "statements follow the keyword `algorithm`"
                        : "equations follow the keyword `equation`");
  *told = true;
  if (statement)
    parse_statement(p);
  else
    parse_equation(p, false);
}

static void element(Parser *p, AstVisibility visibility, bool *told) {
  ParsePlace start = parse_place(p);
  TokenKind k = p->tok.kind;
  if (k == TOK_IF || k == TOK_FOR || k == TOK_WHEN || k == TOK_CONNECT || k == TOK_DER ||
      k == TOK_LPAREN) {
    misplaced(p, false, told);
    return;
  }
  parse_element(p, visibility);
  if (p->misplaced) {
    bool statement = parse_at(p, TOK_ASSIGN);
    p->misplaced = false;
    parse_return(p, start);
    misplaced(p, statement, told);
    return;
  }
  parse_semicolon(p, "declaration");
  if (p->panic)
    parse_recover(p);
}

static void class_annotation(Parser *p, AstClass *c) {
  Span span = p->tok.span;
  if (c->annotation) {
    Diag *d = parse_report(p, D_P010, span,
                           "a class has one annotation of its own, this is the second");
    if (d)
      diag_label(p->diags, d, c->annotation->span, "the first");
  }
  AstMod *m = parse_annotation(p);
  parse_semicolon(p, "annotation");
  if (p->panic)
    parse_recover(p);
  else
    c->annotation = m;
}

/* composition, up to `end`. Elements may also follow sections without `public` or `protected` where
 * that is clear. */
static void composition(Parser *p, AstClass *c) {
  size_t list = parse_list(p);
  Sections sections = {0};
  AstVisibility visibility = VIS_PUBLIC;
  bool told = false;
  p->indent++;
  while (!parse_at(p, TOK_EOF)) {
    if (parse_at(p, TOK_END)) {
      if (parse_stray_end(p))
        continue;
      break;
    }
    if (parse_at(p, TOK_PUBLIC) || parse_at(p, TOK_PROTECTED)) {
      parse_mark_closing(p, 1);
      visibility = parse_at(p, TOK_PUBLIC) ? VIS_PUBLIC : VIS_PROTECTED;
      parse_next(p);
    } else if (parse_at(p, TOK_EXTERNAL)) {
      parse_mark(p);
      external(p, c);
    } else if (parse_at(p, TOK_ANNOTATION)) {
      parse_mark(p);
      class_annotation(p, c);
    } else if (!section(p, &sections)) {
      parse_mark(p);
      element(p, visibility, &told);
    }
  }
  p->indent--;
  c->elements = LIST_TAKE(p, list, AstElement *, &c->n_elements);
  c->sections = sections.at;
  c->n_sections = sections.n;
}

/* end IDENT */
static void class_end(Parser *p, const AstClass *c, const ParseOpen *open) {
  if (p->stopped)
    return;
  parse_mark_closing(p, 0);
  if (!parse_at(p, TOK_END)) {
    Diag *d = parse_expected(p, "`end%s%s`", *c->name ? " " : "", c->name);
    if (d)
      diag_label(p->diags, d, c->name_span, "this class is not closed");
    return;
  }
  ParsePlace before = parse_place(p);
  parse_next(p);
  const char *name = parse_at(p, TOK_IDENT) ? p->tok.text : NULL;
  if (!name && p->tok.kind >= TOK_FIRST_KEYWORD)
    /* Of a class whose name is a keyword: P014 was reported */
    name = intern_str(p->names, token_text(p->tok.kind));
  if (!name) {
    Diag *d = parse_report(p, parse_at(p, TOK_EOF) ? D_P012 : D_P010, (Span){p->last, p->last},
                           "expected `%s` after `end`, found %s", c->name, parse_found(p));
    if (d)
      diag_label(p->diags, d, c->name_span, "the class begins here");
    return;
  }
  if (name == c->name || !*c->name || !*name) {
    parse_next(p);
    return;
  }
  if (p->wrong_end != before.tok.span.lo) {
    Diag *d = parse_report(p, D_P011, p->tok.span, "expected `end %s`, found `end %s`", c->name,
                           name);
    if (d)
      diag_label(p->diags, d, c->name_span, "the class begins here");
  }
  if (parse_is_open(open->outer, name)) { /* the end of this one is missing */
    p->wrong_end = before.tok.span.lo;
    parse_return(p, before);
    p->panic = true;
  } else {
    parse_next(p);
  }
}

/* long-class-specifier : IDENT description-string composition end IDENT | extends IDENT [
 * class-modification ] ... */
static void long_class(Parser *p, AstClass *c) {
  bool atomic = p->in_atomic, chart = p->in_chart, sfc = p->in_sfc;
  ParseOpen open = {.name = c->name, .keyword = TOK_EOF, .outer = p->open};
  if (!parse_enter(p))
    return;
  p->in_atomic = c->kind == CLASS_ATOMIC;
  p->in_chart = p->in_sfc = false;
  p->open = &open;
  c->comment = parse_comment(p);
  composition(p, c);
  class_end(p, c, &open);
  p->open = open.outer;
  p->in_atomic = atomic;
  p->in_chart = chart;
  p->in_sfc = sfc;
  parse_leave(p);
}

/* class-definition : [ encapsulated ] class-prefixes class-specifier */
AstClass *parse_class(Parser *p, bool short_only) {
  AstClass *c = NEW(p->arena, AstClass);
  c->span = p->tok.span;
  c->encapsulated = parse_accept(p, TOK_ENCAPSULATED);
  c->partial = parse_accept(p, TOK_PARTIAL);
  c->kind = class_kind(p, c);
  bool extends = !p->panic && !short_only && parse_accept(p, TOK_EXTENDS);
  c->name_span = p->tok.span;
  c->name = parse_ident(p, "the name of the class");
  c->name_span = parse_since(p, c->name_span.lo);
  if (p->panic && !p->stopped && !short_only) { /* go on without a name, so that the body is read */
    p->panic = false;
    if (!p->tok.first)
      parse_next(p);
    if (!p->tok.first && parse_at(p, TOK_IDENT))
      c->name = parse_ident(p, "");
  }
  if (p->panic) {
    c->form = FORM_SHORT;
  } else if (extends) {
    c->form = FORM_EXTENDS;
    if (parse_at(p, TOK_LPAREN))
      c->mod = parse_class_mod(p, false);
    if (p->panic)
      parse_recover(p);
    long_class(p, c);
  } else if (parse_at(p, TOK_EQUALS)) {
    short_class(p, c);
  } else if (short_only) {
    parse_expected(p, "`=` after the name of the class");
  } else {
    long_class(p, c);
  }
  c->span = parse_since(p, c->span.lo);
  return c;
}
