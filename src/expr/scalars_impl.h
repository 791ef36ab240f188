#pragma once
/* expr/scalars_impl.h -- shared by scalars.c (walk, operators), scalars_select.c (subscripts,
 * fields) and scalars_array.c (array functions). */
#include "expr/expr_impl.h"

/* The scalars of a node. */
typedef struct {
  const ExprId *at; /* NULL: just `one` */
  ExprId one;
  uint32_t n;
} Cells;

typedef struct {
  Scalarizer *s;
  ExprPool *pool;
  Walk walk;
  /* Of nodes that are not one scalar; the walk's value of such a node is LIST | index */
  VEC(Cells) lists;
} Expansion;

static inline ExprId cell(const Cells *c, uint32_t k) { return c->at ? c->at[k] : c->one; }

Cells cells_of(Expansion *x, ExprId arg);
/* Room for the scalars of a node. */
ExprId *cells_new(Expansion *x, uint32_t n);
bool cells_done(Expansion *x, ExprId node, const ExprId *cells, uint32_t n); /* always true */
bool cells_fail(Expansion *x, const char *why);                              /* always false */
/* Number of scalars of a type; fails on unknown dimensions. */
bool cells_count(Expansion *x, TypeId t, uint32_t *n);

/* Types of the scalars of t, in order; returns how many. */
uint32_t flat_types(ExprPool *p, TypeId t, TypeId *out);
TypeId element_type(ExprPool *p, TypeId t); /* without all dimensions */
/* Array and record constructors around scalars. */
ExprId pack(Expansion *x, TypeId t, const Cells *cells, uint32_t *at);

bool expand_index(Expansion *x, ExprId id);
bool expand_field(Expansion *x, ExprId id);
/* Whether node e is a block of consecutive scalars of a leaf that the caller can deliver by
 * itself. */
bool selects_part(Expansion *x, const Expr *e);

bool expand_array_function(Expansion *x, ExprId id);
bool expand_product(Expansion *x, ExprId id);
bool expand_power(Expansion *x, ExprId id); /* square matrix ^ Integer */
/* out[k] = c[k] op c[k + m] op ...: m values at a time. Fails on an empty list without neutral
 * element. */
bool reduce_cells(Expansion *x, Op op, TypeId t, const Cells *c, uint32_t m, ExprId *out);
