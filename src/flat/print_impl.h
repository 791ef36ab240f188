#pragma once
/* flat/print_impl.h -- what the files of flat_print share. */
#include "base/map.h"
#include "flat/flat.h"

typedef struct {
  const FlatModel *m;
  const Diags *diags;
  Arena *a; /* scratch */
  Text *out;
  int indent;
  const Func *func; /* whose LOCAL nodes are printed; NULL in the model itself */
  /* Names of the LOCAL numbers beyond the variables of `func`; NULL where not yet chosen */
  VEC(const char *) iterators;
  uint32_t n_iterators; /* how many have a name */
  Map taken;            /* hashes of the variable names of the scope */
  Map names;            /* Func or TypeDecl -> local name as printed */
  Map classes;          /* hashes of the local names given so far */
  Map hiding;           /* hashes of the names of all variables, in functions, too */
  /* Functions that the text needs and the model does not have (print_part.c), in order of first
   * use */
  VEC(Func *) helpers;
  Map helper_of;                   /* hash of its name -> helper */
  VEC(const TypeDecl *) externals; /* external objects used */
} Printer;

/* ---- print.c ---- */
void flat_print_line(Printer *p); /* a new line, indented */
/* Quoted unless it is an identifier already */
void flat_print_identifier(Text *out, const char *name);
void flat_print_string(Text *out, const char *value);
void flat_print_expr(Printer *p, ExprId e);
/* A call whose results are all scalars, as in (a, b) = f(x). */
ExprId flat_print_scalar_call(Printer *p, const Expr *call);
/* Of a function or type */
const char *flat_print_local_name(Printer *p, const void *owner, const char *full);
void flat_print_type(Printer *p, TypeId type); /* without dimensions */
void flat_print_comment(Printer *p, const char *comment);

/* ---- figures_print.c ---- */
void flat_print_figures(Printer *p); /* Documentation(figures = {...}) */

/* ---- print_func.c ---- */
void flat_print_scope(Printer *p, const Func *f); /* LOCAL numbers mean those of f from now on */
void flat_print_statements(Printer *p, Stmt *const *body, uint32_t n);
void flat_print_types(Printer *p);     /* enumerations and records */
void flat_print_functions(Printer *p); /* external objects, functions, helpers */
void flat_print_iterator(Printer *p, uint32_t local, Text *out);
void flat_print_assert(Printer *p, ExprId condition, ExprId message, ExprId level);

/* ---- print_part.c ---- */
/* The expression without forms that the language lacks: parts of calls and selections from other
 * than names become calls of helper functions. */
ExprId flat_print_plain(Printer *p, ExprId e);
/* A function like f that returns all scalars of its results one by one. */
Func *flat_print_scalars_of(Printer *p, const Func *f, TypeId result);
/* A partial function that says how f calls its input of function type; NULL if f never does. */
Func *flat_print_signature(Printer *p, const Func *f, uint32_t input);
