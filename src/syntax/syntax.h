#pragma once
/* syntax/syntax.h -- what the other folders see of this one: text -> tree, tree -> text. */
#include "base/diag.h"
#include "base/intern.h"
#include "syntax/ast.h"

/* Reads a stored definition. Errors go to `diags`; the tree then holds what could be read. Never
 * NULL. Recovers at `;` and `end`, so that independent errors are all reported. */
AstFile *syntax_parse(const Source *source, Interner *names, Arena *a, Diags *diags);
/* Reads one expression that must fill the whole source (command line values). NULL after an
 * error. */
AstExp *syntax_parse_expression(const Source *source, Interner *names, Arena *a, Diags *diags);

/* Modelica text of a tree. Reading it again gives the same tree (spans aside). */
void syntax_print(const AstFile *file, Text *out);
void syntax_print_exp(const AstExp *e, Text *out);
void syntax_print_ref(const AstRef *r, Text *out);
/* Two trees are the same apart from spans. */
bool syntax_equal(const AstFile *a, const AstFile *b);
/* Two declarations have the same type, sizes, prefixes and value (MLS 7.1: inherited twice).
 * Attributes, modifications of elements, comments and annotations may differ: libraries in use
 * count on it. */
bool syntax_equal_element(const AstElement *a, const AstElement *b);

/* Views for people and tests. */
void syntax_dump_tokens(const Source *source, Interner *names, Arena *a, Diags *diags, Text *out);
void syntax_dump(const AstFile *file, Text *out);
/* The source in the house layout: indentation, spaces, one blank line at most; comments and line
 * structure kept; idempotent. Nothing is written when the source has syntax errors (returns
 * false). */
bool syntax_format(const Source *source, Interner *names, Arena *a, Diags *diags, Text *out);
