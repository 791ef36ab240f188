#pragma once
/* expr/eval_impl.h -- what the files of the evaluator share.
 * Working values live on two stacks that are cut back, never freed piece by piece: `temps` holds
 * intermediate results and is cut back after every statement; `vars` holds the variables of the
 * functions under way and is cut back when a call returns.
 * Keep: a Value from ev_value may be a view into a variable or into a value of the caller, so only
 *       its maker writes to it. Strings are never changed in place. A String result may lie on
 *       `temps`: who cuts `temps` back copies or drops it first. */
#include <stdalign.h>

#include "base/limits.h"
#include "base/map.h"
#include "expr/eval.h"

enum {
  LOOKUP_NESTING = 5, /* what an evaluation inside of a lookup counts for */
  MEMO_AFTER = 256,   /* steps of one evaluation after which values of shared nodes are kept */
  FIRST_CHUNK = 2048, /* bytes of each stack that need no allocation */
};

/* The C stack of one evaluation: half of what a thread has by default. Sanitizers make frames
 * larger. */
#ifdef __SANITIZE_ADDRESS__
enum { EVAL_STACK = MOST_STACK + MOST_STACK / 2 };
#else
enum { EVAL_STACK = MOST_STACK };
#endif

typedef struct Chunk {
  struct Chunk *next;
  size_t size, used;
  alignas(16) char data[];
} Chunk;

typedef struct {
  Chunk *first, *top;
} Stack;

typedef struct {
  Chunk *chunk;
  size_t used;
} Mark;

/* The variables of a function under way. */
typedef struct EvalFrame {
  const Func *f;
  Value *locals;  /* type NO_TYPE: not yet initialised */
  uint32_t *room; /* cells that each may hold; ROOM_BUSY while its declaration is evaluated */
  uint32_t n;
} EvalFrame;
#define ROOM_BUSY UINT32_MAX

/* Iterators outside of functions. */
typedef struct EvalIter {
  uint32_t first, n; /* LOCAL numbers */
  Value *values;
  struct EvalIter *outer;
} EvalIter;

typedef struct EvalRun {
  Stack temps, vars;
  Arena *work; /* chunks of the stacks; NULL until needed */
  EvalFrame *frame;
  EvalIter *iters;
  Span at; /* the statement under way */
  uint32_t nesting;
  uintptr_t stack;     /* where the C stack was at the start */
  uint64_t total;      /* budget at the start */
  uint64_t memo_below; /* values are kept once the budget is below this */
  Map scalars, values; /* by node, outside of functions and iterators: Scalar, Value* */
} EvalRun;

/* A function value. */
typedef struct {
  const Func *f;
  const Value *bound; /* per input; type NO_TYPE: open */
} FuncValue;

/* Failures: set why (the first one stays) and return false. */
bool ev_fail(Eval *ev, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ev_unknown(Eval *ev, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ev_limit(Eval *ev, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ev_charge(Eval *ev, uint64_t steps);

/* Stacks; the memory is not cleared. */
void ev_stack_init(Stack *s, void *room, size_t size); /* room: the first chunk */
void ev_stack_end(Stack *s);
void *ev_push(Eval *ev, Stack *s, size_t bytes);
Scalar *ev_cells(Eval *ev, uint64_t n); /* on temps; charged; NULL on failure */
Mark ev_mark(const Stack *s);
void ev_release(Stack *s, Mark m);
bool ev_on_stack(const Stack *s, const void *p);

/* Types. */
static inline const Type *ev_type(const Eval *ev, TypeId t) { return type_get(ev->pool, t); }
static inline TypeBase ev_base(const Eval *ev, ExprId e) {
  return type_get(ev->pool, expr_get(ev->pool, e)->type)->base;
}
static inline bool ev_is_scalar(const Type *t) {
  return !t->n_dims && t->base != TY_RECORD && t->base != TY_TUPLE;
}
bool ev_sized(const Eval *ev, TypeId t); /* all dimensions known */
TypeId ev_cell_type(Eval *ev, TypeId t); /* without any dimension */
/* Element of `like` with these dimensions */
TypeId ev_shape(Eval *ev, TypeId like, uint32_t n_dims, const int32_t *dims);
/* The record with sized fields */
TypeId ev_sized_record(Eval *ev, TypeId record, const TypeId *fields);
bool ev_same_dims(const Type *a, const Type *b);
void ev_each_string(Eval *ev, TypeId t, Scalar *at, uint32_t n,
                    void (*visit)(Eval *ev, Scalar *at));
const char *ev_dims_text(Eval *ev, TypeId t); /* "[2, 3]" */

/* Evaluation of nodes. */
bool ev_scalar(Eval *ev, ExprId e, Scalar *out); /* the node's type is scalar */
/* Integer becomes Real where wanted */
bool ev_scalar_as(Eval *ev, ExprId e, TypeBase base, Scalar *out);
bool ev_integer(Eval *ev, ExprId e, int64_t *out);
bool ev_value(Eval *ev, ExprId e, Value *out);
bool ev_value_as(Eval *ev, ExprId e, TypeBase base, Value *out);
bool ev_lookup(Eval *ev, ExprId e, Value *out);
Value *ev_local(Eval *ev, uint32_t index); /* NULL: not bound here, or failed (why or fail set) */
void ev_cast(Eval *ev, TypeId from, TypeId to, const Scalar *in, Scalar *out, uint32_t n);

/* Scalar operators (eval_scalar.c): the kernel of an operator for the type of its operands. */
typedef bool (*Kernel)(Eval *ev, const Scalar *a, Scalar *out);
Kernel ev_kernel(Eval *ev, const Expr *x, TypeBase *operands); /* NULL after ev_fail */
Kernel ev_kernel_of(const Eval *ev, Op op, TypeBase operands); /* NULL if there is none */
bool ev_builtin(const char *name, uint32_t n_args, Op *op);
const char *ev_op_text(Op op);

/* Array operators (eval_array.c); results on temps. */
bool array_elementwise(Eval *ev, const Expr *x, Value *out);
bool array_multiply(Eval *ev, const Expr *x, Value *out);
bool array_power(Eval *ev, const Expr *x, Value *out);
bool array_cast(Eval *ev, const Expr *x, Value *out);
bool array_items(Eval *ev, const Expr *x, Value *out);
bool array_record(Eval *ev, const Expr *x, Value *out);
/* type: a record or tuple of them */
bool array_join(Eval *ev, const Value *members, uint32_t n, TypeId type, Value *out);
bool array_tuple(Eval *ev, const Value *members, uint32_t n, TypeId type, Value *out);
bool array_size(Eval *ev, const Expr *x, Value *out);
bool array_reshape(Eval *ev, const Expr *x, Value *out); /* SCALAR VECTOR MATRIX PROMOTE */
bool array_transpose(Eval *ev, const Expr *x, Value *out);
bool array_outer(Eval *ev, const Expr *x, Value *out);
bool array_symmetric(Eval *ev, const Expr *x, Value *out);
bool array_cross(Eval *ev, const Expr *x, Value *out);
bool array_skew(Eval *ev, const Expr *x, Value *out);
bool array_diagonal(Eval *ev, const Expr *x, Value *out); /* and IDENTITY */
bool array_fill(Eval *ev, const Expr *x, Value *out);
bool array_linspace(Eval *ev, const Expr *x, Value *out);
bool array_cat(Eval *ev, const Expr *x, Value *out);
bool array_reduce(Eval *ev, const Expr *x, Value *out); /* SUM PRODUCT MIN MAX of an array */

/* Ranges and iterators (eval_iterate.c). */
typedef struct {
  TypeId type; /* of an item */
  TypeBase base;
  uint32_t n, width;   /* items; cells per item */
  Scalar start, step;  /* of a range */
  const Scalar *items; /* NULL for a range */
} Sequence;
bool sequence_of(Eval *ev, ExprId e, Sequence *s);
Scalar sequence_at(const Sequence *s, uint32_t i); /* of a range */
bool iterate_range(Eval *ev, ExprId e, Value *out);
bool iterate_comprehend(Eval *ev, const Expr *x, Value *out);
bool iterate_reduce(Eval *ev, const Expr *x, Value *out);
/* ADD MUL MIN2 MAX2 of nothing; type scalar */
bool reduce_empty(Eval *ev, Op op, TypeId type, Scalar *out);

/* Parts of values (eval_index.c). */
typedef struct {
  TypeId type;
  uint32_t n, start;
  const uint32_t *cells; /* NULL: start, start + 1, ... */
} Selection;
bool select_part(Eval *ev, const Expr *x, TypeId whole, Selection *s); /* x: INDEX or FIELD */
bool select_inner(Eval *ev, const Selection *outer, const Selection *inner, Selection *s);
bool index_value(Eval *ev, const Expr *x, Value *out);
bool field_value(Eval *ev, const Expr *x, Value *out);

/* Functions (eval_func.c). */
bool func_call_node(Eval *ev, const Expr *x, Value *out);
bool func_value(Eval *ev, const Expr *x, Scalar *out);
/* Results on temps */
bool func_call(Eval *ev, const Func *f, const Value *args, uint32_t n_args, Value *results);
bool func_init_local(Eval *ev, uint32_t index);
bool func_statements(Eval *ev, Stmt **body, uint32_t n, uint32_t n_locals);
bool native_call(Eval *ev, const Func *f, Value *locals);

/* String() (eval_string.c). */
bool string_of(Eval *ev, const Expr *x, Scalar *out);
