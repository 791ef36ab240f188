/* syntax/parse_mod.c -- modifications, redeclarations, annotations, descriptions (MLS 3.6 appendix
 * A.2.3, A.2.5).
 * An annotation has the form of a modification and is read as one. */
#include "syntax/parse_impl.h"

#include <string.h>

static AstMod *new_mod(Parser *p, uint32_t lo) {
  AstMod *m = NEW(p->arena, AstMod);
  m->span = (Span){lo, lo};
  return m;
}

/* ---- descriptions ---- */

/* description-string : [ STRING { "+" STRING } ] */
const char *parse_comment(Parser *p) {
  if (!parse_at(p, TOK_STRING) || p->panic)
    return NULL;
  const char *comment = p->tok.text;
  parse_next(p);
  if (!parse_at(p, TOK_PLUS))
    return comment;
  Text joined = {.arena = p->arena};
  text_add(&joined, comment);
  while (parse_accept(p, TOK_PLUS)) {
    if (!parse_at(p, TOK_STRING)) {
      parse_expected(p, "a string after `+`");
      break;
    }
    text_add(&joined, p->tok.text);
    parse_next(p);
  }
  return intern(p->names, text_str(&joined), joined.n);
}

/* annotation-clause : annotation class-modification */
AstMod *parse_annotation(Parser *p) {
  uint32_t lo = p->tok.span.lo;
  parse_next(p);
  if (!parse_at(p, TOK_LPAREN) && !p->panic)
    parse_expected(p, "`(` after `annotation`");
  if (p->panic)
    return NULL;
  AstMod *m = parse_class_mod(p, false);
  m->span.lo = lo;
  return m;
}

/* description : description-string [ annotation-clause ] */
void parse_description(Parser *p, const char **comment, AstMod **annotation) {
  if (p->panic)
    return;
  *comment = parse_comment(p);
  if (parse_at(p, TOK_ANNOTATION) && !p->panic)
    *annotation = parse_annotation(p);
}

/* ---- redeclarations ---- */

/* constraining-clause : constrainedby type-specifier [ class-modification ] */
void parse_constraint(Parser *p, AstElement *e) {
  if (p->panic || !parse_accept(p, TOK_CONSTRAINEDBY))
    return;
  e->constraint = parse_name(p, "the name of the constraining class");
  if (parse_at(p, TOK_LPAREN) && !p->panic)
    e->constraint_mod = parse_class_mod(p, false);
}

/* short-class-definition | type-prefix type-specifier declaration description */
static AstElement *redeclared(Parser *p, bool redeclare) {
  AstElement *e = NEW(p->arena, AstElement);
  uint32_t lo = p->tok.span.lo;
  e->redeclare = redeclare;
  e->replaceable = parse_accept(p, TOK_REPLACEABLE);
  e->first_of_clause = true;
  if (parse_class_begins(p, true)) {
    e->kind = AST_CLASS_DEF;
    e->class_def = parse_class(p, true);
    e->name = e->class_def->name;
  } else {
    e->kind = AST_COMPONENT;
    parse_type_prefix(p, e);
    parse_type(p, e);
    lo = p->tok.span.lo; /* like any component: without its type */
    if (!p->panic) {
      parse_declaration(p, e);
      parse_description(p, &e->comment, &e->annotation);
    }
  }
  if (e->replaceable)
    parse_constraint(p, e);
  e->span = parse_since(p, lo);
  return e;
}

/* ---- modifications ---- */

/* inheritance-modification : break ( connect-equation | IDENT ) */
static void removal(Parser *p, AstMod *m) {
  m->removes = true;
  if (parse_at(p, TOK_CONNECT))
    m->removed_connect = parse_connect(p);
  else
    m->ref = parse_name(p, "a name or `connect` after `break`");
}

/* The part after the name: class-modification [ "=" expression ] | "=" expression | ":="
 * expression */
static void modification(Parser *p, AstMod *m) {
  if (parse_at(p, TOK_LPAREN)) {
    AstMod *inner = parse_class_mod(p, false);
    m->has_parens = true;
    m->subs = inner->subs;
    m->n_subs = inner->n_subs;
  }
  if (p->panic || !(parse_accept(p, TOK_EQUALS) || parse_accept(p, TOK_ASSIGN)))
    return;
  m->break_value = parse_accept(p, TOK_BREAK);
  if (!m->break_value)
    m->value = parse_expression(p);
}

/* argument : redeclare ... | [ each ] [ final ] ( name [ modification ] description-string |
 * replaceable ... ) */
static AstMod *argument(Parser *p, bool in_extends) {
  AstMod *m = new_mod(p, p->tok.span.lo);
  if (in_extends && parse_accept(p, TOK_BREAK)) {
    removal(p, m);
  } else {
    bool redeclare = parse_accept(p, TOK_REDECLARE);
    m->each = parse_accept(p, TOK_EACH);
    m->final = parse_accept(p, TOK_FINAL);
    if (redeclare || parse_at(p, TOK_REPLACEABLE)) {
      m->element = redeclared(p, redeclare);
    } else {
      m->ref = parse_name(p, "the name of what is modified");
      if (!p->panic)
        modification(p, m);
      m->comment = parse_comment(p);
    }
  }
  m->span = parse_since(p, m->span.lo);
  return m;
}

/* class-modification : "(" [ argument { "," argument } ] ")" */
AstMod *parse_class_mod(Parser *p, bool in_extends) {
  AstMod *m = new_mod(p, p->tok.span.lo);
  m->has_parens = true;
  if (!parse_enter(p))
    return m;
  size_t list = parse_list(p);
  parse_next(p);
  if (!parse_accept(p, TOK_RPAREN)) {
    do {
      AstMod *sub = argument(p, in_extends);
      LIST_ADD(p, sub);
    } while (!p->panic && parse_accept(p, TOK_COMMA));
    if (!p->panic && !parse_accept(p, TOK_RPAREN))
      parse_expected(p, "`,` or `)` after this modification");
  }
  m->subs = LIST_TAKE(p, list, AstMod *, &m->n_subs);
  m->span = parse_since(p, m->span.lo);
  parse_leave(p);
  return m;
}

AstMod *parse_modification(Parser *p) {
  if (!parse_at(p, TOK_LPAREN) && !parse_at(p, TOK_EQUALS) && !parse_at(p, TOK_ASSIGN))
    return NULL;
  AstMod *m = new_mod(p, p->tok.span.lo);
  modification(p, m);
  m->span = parse_since(p, m->span.lo);
  return m;
}
