#pragma once
/* flat/flatten_impl.h -- shared by the files that make a flat model from the instance tree. */
#include "flat/flat_build.h"
#include "flat/flatten.h"
#include "instance/inst.h"

typedef struct ConnectSets ConnectSets;

typedef struct {
  World *w;
  Arena *arena;
  Diags *diags;
  FlatModel *m;
  ConnectSets *connects;
  uint32_t origin; /* of the component whose text is being flattened */
  bool failed;
} Flattener;

typedef VEC(FlatEquation *) Equations;

/* ---- variables.c ---- */
/* Numbers the scalars of all components of a class instance, depth first. */
void flatten_variables(Flattener *fl, Class *c);
/* Attributes, bindings and binding equations of all components. */
void flatten_bindings(Flattener *fl, Class *c);
/* The scalars of a typed expression; false after an error (reported at `span`). */
bool flatten_scalars(Flattener *fl, ExprId e, Span span, uint32_t *n, ExprId **out);

/* ---- equations.c ---- */
/* The equations and algorithms of a class instance and of all its components. */
void flatten_equations(Flattener *fl, Class *c);

/* ---- algorithm.c ---- */
/* Typed statements with arrays -> scalar statements; appends VAR nodes that are assigned to `targets`. */
typedef VEC(ExprId) ExprList;
bool flatten_statements(Flattener *fl, Stmt **body, uint32_t n, Stmt ***out, uint32_t *n_out, ExprList *targets);

/* ---- connect.c ---- */
ConnectSets *connect_new(Flattener *fl);
void connect_add(Flattener *fl, Elab *el, const AstEquation *eq);
/* Adds the equations of all connection sets (MLS 9.2). */
void connect_equations(Flattener *fl);

/* ---- collect.c ---- */
/* Fills functions and types of the flat model with what its equations use. */
void flatten_collect(Flattener *fl);
