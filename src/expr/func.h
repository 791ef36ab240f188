#pragma once
/* expr/func.h -- typed functions and statements: what algorithm sections and function bodies
 * become.
 * A function's variables are numbered: inputs, then outputs, then protected ones; expressions in it
 * refer to them as LOCAL nodes. Iterators of for-loops and comprehensions inside the function take
 * further LOCAL numbers. In an algorithm section of a model, variables are VAR or REF nodes and
 * only iterators are LOCAL.
 * Functions as values (MLS 3.6 section 12.4.2): a FUNCTION node has the Func as payload and one
 * argument per input, bound or NO_EXPR where it stays open (no arguments at all: everything is
 * open). A call of an input of function type is a CALL with payload NULL: args[0] is the function
 * value, the others fill its open inputs in order. A FUNCTION with payload NULL binds open inputs
 * of the function value args[0] in the same way. In any CALL a missing or NO_EXPR argument takes
 * the input's default. A CALL of a function with several results whose type is not a tuple stands
 * for the first result. */
#include "base/source.h"
#include "expr/expr.h"

typedef struct Stmt Stmt;
typedef struct Func Func;

typedef enum {
  STMT_ASSIGN,    /* targets[0] := value; target is VAR, LOCAL, INDEX or FIELD of one */
  STMT_TUPLE,     /* (targets...) := value, a CALL; NO_EXPR targets are ignored results */
  STMT_CALL,      /* value: a CALL without used result */
  STMT_ASSERT,    /* value: condition, message, level (an Integer: 1 warning, 2 error) */
  STMT_TERMINATE, /* message */
  STMT_REINIT,    /* targets[0], value (only in when-equations) */
  STMT_IF,
  STMT_WHEN,  /* branches */
  STMT_FOR,   /* iterator, value: range or vector; body in branches[0] */
  STMT_WHILE, /* branches[0] */
  STMT_BREAK,
  STMT_RETURN
} StmtKind;

typedef struct {
  ExprId condition; /* NO_EXPR: else, or the body of a for */
  Stmt **body;
  uint32_t n;
} StmtBranch;

struct Stmt {
  StmtKind kind;
  Span span;
  ExprId *targets;
  uint32_t n_targets;
  ExprId value;
  ExprId message, level; /* ASSERT, TERMINATE */
  uint32_t iterator;     /* FOR: LOCAL number */
  StmtBranch *branches;
  uint32_t n_branches;
};

typedef struct {
  const char *name;
  TypeId type;  /* DIM_UNKNOWN where `:` or not constant */
  ExprId *dims; /* n_dims of type: size expressions in terms of earlier LOCALs; NO_EXPR for `:` */
  /* Default of an input, start of an output or protected variable; NO_EXPR if none */
  ExprId binding;
  Span span;
} FuncVar;

typedef struct {
  Func *function;     /* the derivative; NULL until it is typed */
  const void *source; /* for the stage that types it */
  int order;
  bool *zero_derivative, *no_derivative; /* per input of the original */
} FuncDerivative;

struct Func {
  const char *name; /* full name */
  Span span;
  FuncVar *vars; /* inputs, outputs, protected */
  uint32_t n_inputs, n_outputs, n_vars;
  uint32_t n_locals; /* n_vars plus iterators */
  TypeId result;     /* NO_TYPE without outputs, the output's type with one, else a tuple */
  Stmt **body;
  uint32_t n_body;
  bool complete; /* body is there (false while a recursive function is being typed) */
  bool no_body;  /* neither algorithm nor external: only its type can be used */
  bool impure;
  bool is_record_constructor;
  /* external function: body is empty */
  const char *external; /* name of the C function; NULL if none */
  const char *language; /* "C", "FORTRAN 77", "builtin" */
  ExprId *external_args;
  uint32_t n_external_args;
  ExprId external_result; /* LOCAL that takes the result; NO_EXPR if none */
  const char **libraries, **include_dirs, **library_dirs, **includes; /* annotations, as written */
  uint32_t n_libraries, n_include_dirs, n_library_dirs, n_includes;
  const char **library_paths; /* where to look for libraries */
  uint32_t n_library_paths;
  /* annotations */
  FuncDerivative *derivatives;
  uint32_t n_derivatives;
  int smooth_order; /* -1 if not given */
  bool inline_;     /* Inline or LateInline = true */
  bool generate_events;
  const void *owner; /* for the stage that made it */
  /* Of a constructor of external objects: what ends them; NULL if there is none */
  Func *destructor;
};

/* Arguments of an external function that the runtime has itself, as natives.def writes them; NULL
 * if it has none of that name. */
const char *native_signature(const char *name);
/* One argument of a signature. */
typedef struct {
  char letter; /* small */
  bool array, out, result;
} NativeSlot;
/* The next one; false at the end. */
bool native_next_slot(const char **signature, NativeSlot *slot);
bool native_is_pure(const char *name); /* its results follow from its arguments alone */
/* Number of Real arguments of a function of the C library with a Real result; 0 if it is none that
 * a model may call. */
uint32_t native_plain_arguments(const char *name);
