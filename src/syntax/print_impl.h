#pragma once
/* syntax/print_impl.h -- what the files of the printer share. */
#include "syntax/syntax.h"

typedef struct {
  Text *out;
  uint32_t indent;
} Printer;

/* print_exp.c */
void print_exp(Printer *pr, const AstExp *e);
void print_simple_exp(Printer *pr, const AstExp *e); /* in parentheses if it is an if-expression */
void print_ref(Printer *pr, const AstRef *r);
void print_string(Printer *pr, const char *value);
void print_subscripts(Printer *pr, AstExp *const *subs, uint32_t n); /* nothing if there are none */
void print_arguments(Printer *pr, const AstArg *args, uint32_t n);   /* with the parentheses */
void print_iterators(Printer *pr, const AstIterator *iterators, uint32_t n);
const char *print_op(AstOp op);

/* print_class.c */
void print_description(Printer *pr, const char *comment, const AstMod *annotation);
void print_elements(Printer *pr, AstElement *const *elements, uint32_t n);
void print_class(Printer *pr, const AstClass *c); /* without the `;` */

/* print_eq.c */
void print_connect(Printer *pr, const AstEquation *e);
void print_equations(Printer *pr, AstEquation *const *equations, uint32_t n);
void print_statements(Printer *pr, AstStatement *const *statements, uint32_t n);
void print_chart(Printer *pr, const AstChart *c);

/* A new line, indented; every construct begins with one. */
void print_line(Printer *pr);
