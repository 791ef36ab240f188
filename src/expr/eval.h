#pragma once
/* expr/eval.h -- values of expressions: constant folding, structural parameters, calls of pure
 * functions.
 * The same evaluator is the oracle for machine code. It interprets function bodies; each evaluation
 * has a step budget, so that an endless loop in a function becomes an error and not a hang. */
#include "expr/func.h"

/* A value of any type: `n` = number of scalars (type_count), row by row, record fields in order.
 * Exactly one array is used per scalar kind: every scalar occupies one Scalar cell. */
typedef union {
  double real;
  int64_t integer; /* Integer, Boolean (0/1), enumeration ordinal */
  const char *string;
  void *object; /* external object; not used in constants */
} Scalar;

typedef struct {
  TypeId type; /* all dimensions known */
  uint32_t n;
  Scalar *at;
} Value;

/* Why an evaluation failed. */
typedef enum {
  EVAL_OK,
  /* There is no value at translation (lookup, der, impure or external function): no error by
   * itself */
  EVAL_UNKNOWN,
  /* The expression has no value at all: division by zero, subscript out of range, failed assert
   * ... */
  EVAL_WRONG,
  EVAL_LIMIT /* the step budget or the depth limit was reached */
} EvalFail;

typedef struct Eval Eval;

/* What an evaluation in place of machine code may ask for: then it gives the values that machine
 * code gives, infinities and what is no number among them, may call impure functions and change
 * variables of the model. */
typedef struct {
  bool (*store)(void *user, Eval *ev, const Expr *var, Scalar value); /* an assignment to a VAR */
  bool (*hybrid)(void *user, Eval *ev, const Expr *x, Scalar *out);   /* INITIAL, TERMINAL, DELAY */
  /* An assertion; false: leave */
  bool (*violated)(void *user, Eval *ev, Span at, const char *message, int64_t level);
  void (*terminate)(void *user, Eval *ev, Span at, const char *message);
  /* An external function: arguments as written, those that come out to be filled in; result: NULL
   * if there is none. */
  bool (*external)(void *user, Eval *ev, const Func *f, Value *args, uint32_t n_args,
                   Value *result);
} EvalMachine;

/* A scalar operator that takes one of several ways by the values of its operands: a relation, sign,
 * abs, min, max, or a function with whole results; and every other one, which takes no way. */
typedef struct {
  ExprId e;
  const Scalar *operands;
  TypeBase base;  /* of the operands */
  const Func *in; /* the function that it stands in; NULL: none */
  Span at;        /* its statement there; {0, 0}: none */
} EvalDecision;

struct Eval {
  ExprPool *pool;
  Arena *arena; /* results and temporaries */
  /* Gives the value of a VAR, REF or TIME node, and of a LOCAL that no function or iterator binds;
   * false if it has none (then the evaluation fails). It may call eval_expr with the same Eval. The
   * value is only read, and must last as long as `ev`. */
  bool (*lookup)(void *user, Eval *ev, ExprId e, Value *out);
  void *user;
  const EvalMachine *machine; /* NULL: evaluation at translation */
  /* Is told of each scalar operator; NULL: nobody is */
  void (*decides)(void *user, const EvalDecision *d);
  uint64_t budget; /* steps left; 0: 50 million for each evaluation, and it stays 0 */
  uint32_t depth;  /* of function calls; internal */
  /* After a failure: the reason in the user's terms; NULL when a lookup gave up silently */
  const char *why;
  Span where;              /* after a failure inside a function: the statement; else {0,0} */
  EvalFail fail;           /* after a failure: its kind */
  bool overflowed;         /* after a failure: an Integer did not fit */
  struct EvalRun *run;     /* internal: the evaluation under way */
  struct EvalSized *sized; /* internal: records whose fields got their sizes from values */
};

/* The value is in ev->arena. What and, or, if and a subscripted {...} do not need is not
 * evaluated. */
bool eval_expr(Eval *ev, ExprId e, Value *out);
/* Calls a function with argument values; results: one Value per output. Fails for impure and
 * unknown external functions. */
bool eval_call(Eval *ev, const Func *f, const Value *args, Value *results);
/* A scalar expression as a number of type `base` (Integer becomes Real where wanted). */
bool eval_scalar(Eval *ev, ExprId e, TypeBase base, Scalar *out);
/* Statements of an algorithm section; `n_locals`: its iterators are LOCALs below this number. */
bool eval_statements(Eval *ev, Stmt **body, uint32_t n, uint32_t n_locals);
/* Steps of the Real range start:step:stop, one less than its items (below 0: none), with an
 * allowance for rounding so that 0:0.1:0.3 has 3. Whoever needs the length of a Real range asks
 * here. */
double eval_range_steps(double start, double step, double stop);
/* The literal expression (ARRAY/RECORD of literals) of a value; NO_EXPR if it holds an external
 * object. */
ExprId expr_of_value(ExprPool *p, const Value *v);
