/* syntax/parse_element.c -- imports, extends clauses and component declarations (MLS 3.6 appendix
 * A.2.2 to A.2.4). Extensions: `dynamic` before the type of a component, `event` after `input` or
 * `output`. */
#include "syntax/parse_impl.h"

#include <string.h>

/* ---- imports and extends ---- */

/* import-list : IDENT { "," IDENT }, in braces */
static void import_list(Parser *p, AstElement *e) {
  size_t list = parse_list(p);
  parse_next(p);
  do {
    AstRefPart part = {.span = p->tok.span};
    part.name = parse_ident(p, "the name of an imported class");
    LIST_ADD(p, part);
  } while (!p->panic && parse_accept(p, TOK_COMMA));
  if (!p->panic && !parse_accept(p, TOK_RBRACE))
    parse_expected(p, "`,` or `}` in this import");
  e->imports = LIST_TAKE(p, list, AstRefPart, &e->n_imports);
}

/* name [ ".*" | "." ( "*" | "{" import-list "}" ) ], the first part read already */
static void import_path(Parser *p, AstElement *e, AstRefPart part) {
  AstRef *r = e->path = NEW(p->arena, AstRef);
  size_t list = parse_list(p);
  LIST_ADD(p, part);
  while (!p->panic && parse_accept(p, TOK_DOT)) {
    if (parse_at(p, TOK_LBRACE) || parse_at(p, TOK_STAR))
      break;
    part = (AstRefPart){.span = p->tok.span};
    part.name = parse_ident(p, "a name");
    LIST_ADD(p, part);
  }
  r->parts = LIST_TAKE(p, list, AstRefPart, &r->n);
  r->span = parse_since(p, r->parts[0].span.lo);
  if (parse_at(p, TOK_LBRACE))
    import_list(p, e);
  else
    e->import_all = parse_accept(p, TOK_DOT_STAR) || parse_accept(p, TOK_STAR);
}

/* import-clause : import ( IDENT "=" name | name ... ) description */
static void import_clause(Parser *p, AstElement *e) {
  e->kind = AST_IMPORT;
  parse_next(p);
  AstRefPart first = {.span = p->tok.span};
  bool global = parse_accept(p, TOK_DOT); /* imports are global anyway */
  first.name = parse_ident(p, "the name of an imported class");
  if (!global && !p->panic && parse_accept(p, TOK_EQUALS)) {
    e->name = first.name;
    e->path = parse_name(p, "the name of an imported class");
  } else if (!p->panic) {
    import_path(p, e, first);
    e->path->global = global;
  }
  parse_description(p, &e->comment, &e->annotation);
}

/* extends-clause : extends type-specifier [ class-or-inheritance-modification ] [ annotation-clause
 * ] */
static void extends_clause(Parser *p, AstElement *e) {
  e->kind = AST_EXTENDS;
  parse_next(p);
  e->path = parse_name(p, "the name of the base class");
  if (parse_at(p, TOK_LPAREN) && !p->panic)
    e->mod = parse_class_mod(p, true);
  if (parse_at(p, TOK_ANNOTATION) && !p->panic)
    e->annotation = parse_annotation(p);
}

/* ---- components ---- */

/* An extension word before a type: `dynamic A x`, `dynamic A.B x`, `dynamic A[3] x`; not `dynamic
 * x;`, where it is a type. */
static bool prefix_word(Parser *p, const char *word) {
  if (!parse_at_word(p, word))
    return false;
  Lexer ahead = p->lex;
  Token t;
  lex_next(&ahead, &t);
  if (t.kind != TOK_IDENT)
    return false;
  lex_next(&ahead, &t);
  if (t.kind == TOK_LBRACKET) {
    for (int open = 1; open && t.kind != TOK_EOF && t.kind != TOK_SEMICOLON;) {
      lex_next(&ahead, &t);
      open += (t.kind == TOK_LBRACKET) - (t.kind == TOK_RBRACKET);
    }
    if (t.kind == TOK_RBRACKET)
      lex_next(&ahead, &t);
  }
  if (t.kind != TOK_IDENT && t.kind != TOK_DOT)
    return false;
  parse_next(p);
  return true;
}

/* type-prefix : [ flow | stream ] [ discrete | parameter | constant ] [ input | output ] */
void parse_type_prefix(Parser *p, AstElement *e) {
  e->dynamic = prefix_word(p, p->word.dynamic);
  if (parse_accept(p, TOK_FLOW))
    e->flow = FLOW_FLOW;
  else if (parse_accept(p, TOK_STREAM))
    e->flow = FLOW_STREAM;
  e->has_variability = parse_at(p, TOK_DISCRETE) || parse_at(p, TOK_PARAMETER) ||
                       parse_at(p, TOK_CONSTANT);
  if (parse_accept(p, TOK_DISCRETE))
    e->variability = VAR_DISCRETE;
  else if (parse_accept(p, TOK_PARAMETER))
    e->variability = VAR_PARAMETER;
  else if (parse_accept(p, TOK_CONSTANT))
    e->variability = VAR_CONSTANT;
  if (parse_accept(p, TOK_INPUT))
    e->direction = DIR_INPUT;
  else if (parse_accept(p, TOK_OUTPUT))
    e->direction = DIR_OUTPUT;
  e->event = e->direction && prefix_word(p, p->word.event);
}

static bool is_prefix(TokenKind kind) {
  return kind == TOK_FLOW || kind == TOK_STREAM || kind == TOK_DISCRETE || kind == TOK_PARAMETER ||
         kind == TOK_CONSTANT || kind == TOK_INPUT || kind == TOK_OUTPUT || kind == TOK_REDECLARE ||
         kind == TOK_FINAL || kind == TOK_INNER || kind == TOK_OUTER || kind == TOK_REPLACEABLE;
}

void parse_type(Parser *p, AstElement *e) {
  if (is_prefix(p->tok.kind)) {
    Diag *d = parse_unexpected(p, "a type");
    if (d)
      diag_help(
          p->diags, d,
          "the order of the prefixes is: redeclare final inner outer replaceable, flow or stream, "
          "discrete or parameter or constant, input or output");
  } else if (!parse_at(p, TOK_IDENT) && !parse_at(p, TOK_DOT)) {
    parse_unexpected(p, "a declaration");
  }
  if (p->panic)
    return;
  e->path = parse_name(p, "a type");
  if (parse_at(p, TOK_LBRACKET) && !p->panic)
    e->dims = parse_subscripts(p, &e->n_dims);
  e->n_type_dims = e->n_dims;
}

void parse_declaration(Parser *p, AstElement *e) {
  e->name = parse_ident(p, "the name of a component");
  if (parse_at(p, TOK_LBRACKET) && !p->panic) {
    uint32_t n;
    AstExp **own = parse_subscripts(p, &n);
    if (!e->n_type_dims) {
      e->dims = own;
      e->n_dims = n;
    } else {
      AstExp **all = NEW_ARRAY(p->arena, AstExp *, n + e->n_type_dims);
      memcpy(all, own, n * sizeof *all);
      memcpy(all + n, e->dims, e->n_type_dims * sizeof *all);
      e->dims = all;
      e->n_dims = n + e->n_type_dims;
    }
  }
  if (!p->panic)
    e->mod = parse_modification(p);
}

/* What stands after a type that makes it look like the beginning of an equation or statement
 * instead. */
static bool looks_like_equation(const Parser *p) {
  TokenKind k = p->tok.kind;
  return k == TOK_EQUALS || k == TOK_ASSIGN || k == TOK_LPAREN ||
         (k >= TOK_PLUS && k <= TOK_DOT_CARET);
}

/* component-clause : type-prefix type-specifier [ array-subscripts ] component-declaration { ","
 * component-declaration } component-declaration : declaration [ condition-attribute ]
 * description */
static void component_clause(Parser *p, const AstElement *head) {
  AstElement clause = *head;
  clause.kind = AST_COMPONENT;
  bool bare = parse_at(p, TOK_IDENT) && !head->replaceable && !head->redeclare && !head->final &&
              !head->inner && !head->outer;
  parse_type_prefix(p, &clause);
  parse_type(p, &clause);
  if (bare && !p->panic && looks_like_equation(p)) {
    p->misplaced = true;
    return;
  }
  size_t list = parse_list(p);
  for (bool first = true; first || (!p->panic && parse_accept(p, TOK_COMMA)); first = false) {
    AstElement *e = NEW(p->arena, AstElement);
    *e = clause;
    e->first_of_clause = first;
    e->span = p->tok.span;
    parse_declaration(p, e);
    if (!p->panic && parse_accept(p, TOK_IF))
      e->condition = parse_expression(p);
    parse_description(p, &e->comment, &e->annotation);
    e->span = parse_since(p, e->span.lo);
    LIST_ADD(p, e);
  }
  if (p->panic) {
    p->list.n = list;
    return;
  }
  if (head->replaceable && parse_at(p, TOK_CONSTRAINEDBY)) {
    parse_constraint(p, &clause);
    parse_description(p, &clause.constraint_comment, &clause.constraint_annotation);
    for (size_t at = list; at < p->list.n; at += sizeof(AstElement *)) {
      AstElement *e;
      memcpy(&e, p->list.at + at, sizeof e);
      e->constraint = clause.constraint;
      e->constraint_mod = clause.constraint_mod;
      e->constraint_comment = clause.constraint_comment;
      e->constraint_annotation = clause.constraint_annotation;
    }
  }
}

/* ---- elements ---- */

/* element : import-clause | extends-clause
 *   | [ redeclare ] [ final ] [ inner ] [ outer ] [ replaceable ] ( class-definition |
 *   component-clause ) [ constraining-clause
 * ] */
void parse_element(Parser *p, AstVisibility visibility) {
  AstElement head = {.visibility = visibility, .first_of_clause = true, .span = p->tok.span};
  if (parse_at(p, TOK_IMPORT) || parse_at(p, TOK_EXTENDS)) {
    if (parse_at(p, TOK_IMPORT))
      import_clause(p, &head);
    else
      extends_clause(p, &head);
  } else {
    head.redeclare = parse_accept(p, TOK_REDECLARE);
    head.final = parse_accept(p, TOK_FINAL);
    head.inner = parse_accept(p, TOK_INNER);
    head.outer = parse_accept(p, TOK_OUTER);
    head.replaceable = parse_accept(p, TOK_REPLACEABLE);
    if (!parse_class_begins(p, true)) {
      component_clause(p, &head);
      return;
    }
    head.kind = AST_CLASS_DEF;
    head.class_def = parse_class(p, false);
    head.name = head.class_def->name;
    if (head.replaceable && parse_at(p, TOK_CONSTRAINEDBY) && !p->panic) {
      parse_constraint(p, &head);
      parse_description(p, &head.constraint_comment, &head.constraint_annotation);
    }
  }
  if (p->panic && !(head.class_def && parse_is_long(head.class_def)))
    return;
  head.span = parse_since(p, head.span.lo);
  AstElement *e = NEW(p->arena, AstElement);
  *e = head;
  LIST_ADD(p, e);
}
