#pragma once
/* expr/expr_impl.h -- what the files of this folder share and nobody else needs. */
#include "expr/expr.h"

/* Finds or adds exactly this node, without simplification. `key.args` is copied when the node is
 * new. */
ExprId pool_share(ExprPool *p, const Expr *key);
/* Real[2, 3] from Integer[2, 3] */
TypeId pool_array_of_base(ExprPool *p, TypeBase base, const Type *shape);

/* One simplification step at the root; NO_EXPR when no rule applies. */
ExprId simplify_node(ExprPool *p, const Expr *node);
ExprId fold_node(ExprPool *p, const Expr *node); /* all arguments are scalar literals */
/* node->type with unknown dimensions replaced by those that follow from the arguments. */
TypeId refine_type(ExprPool *p, const Expr *node);
/* Length of start:step:stop; DIM_UNKNOWN when one is not a literal. The step may be NO_EXPR. */
int32_t range_length(const ExprPool *p, const ExprId *args);

/* The same node with other arguments, through expr_make. */
ExprId expr_with_args(ExprPool *p, const Expr *like, const ExprId *args);
/* x as a value of scalar type t: Integer becomes Real where t is Real. */
ExprId expr_as_type(ExprPool *p, TypeId t, ExprId x);
ExprId expr_zero_of(ExprPool *p, TypeId t); /* 0 or 0.0 */
TypeId expr_type(const ExprPool *p, ExprId e);
TypeBase expr_base(const ExprPool *p, ExprId e);

/* ---- derivatives of calls: diff_func.c ---- */

/* A call whose arguments have the derivatives da (0: none). NO_EXPR: *why is the function to
 * blame. */
ExprId diff_call(ExprPool *p, const Expr *call, const ExprId *da, bool partial, const char **why);
/* By time: is the derivative of argument k needed? Annotations may exclude it. */
bool diff_call_asks(const ExprPool *p, const Expr *call, uint32_t k);
bool diff_call_excludes(const ExprPool *p, const Expr *call); /* that of a Real one */
/* 0 in the shape of e; what is not Real keeps its value. NO_EXPR if there is no such thing. */
ExprId diff_zero_like(ExprPool *p, ExprId e);
bool type_has_real(const ExprPool *p, TypeId t);
/* Derivatives of functions made so far: for diff_func.c. */
struct Tangent **pool_tangents(ExprPool *p);

/* ---- walking without recursion ---- */

/* Node numbers to 32-bit values; small ones live on the stack. */
enum { IDMAP_INLINE = 64, STACK_INLINE = 64 };
typedef struct {
  uint32_t *keys, *values; /* open addressing; key 0 = empty */
  uint32_t n, room;
  uint32_t inline_keys[IDMAP_INLINE], inline_values[IDMAP_INLINE];
} IdMap;

typedef struct {
  uint32_t id, next; /* node, its first argument not yet looked at */
} WalkFrame;

/* Yields each node reachable from the root once, after those of its arguments that `needs` asks
 * for. The value of a node in `seen` belongs to the user of the walk. */
typedef struct Walk Walk;
struct Walk {
  const ExprPool *pool;
  bool (*needs)(void *user, const Expr *e, uint32_t k); /* NULL: all */
  void *user;
  Arena *scratch; /* NULL until something had to grow; see walk_scratch */
  IdMap seen;
  WalkFrame *stack;
  uint32_t n, room;
  WalkFrame inline_stack[STACK_INLINE];
};
void walk_begin(Walk *w, const ExprPool *p, ExprId root);
ExprId walk_next(Walk *w); /* NO_EXPR at the end */
void walk_end(Walk *w);
Arena *walk_scratch(Walk *w); /* lives until walk_end */
void walk_set(Walk *w, ExprId e, uint32_t value);
uint32_t walk_value(const Walk *w, ExprId e); /* 0 for a node not seen */
