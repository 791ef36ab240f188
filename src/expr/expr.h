#pragma once
/* expr/expr.h -- typed expressions as a DAG: equal expressions are one node.
 * A pool owns types and nodes; both are named by index, so they print, compare and survive growth.
 * Index 0 is "none". Nodes are built by expr_make, which folds constants and applies the rules of
 * simplify.c, then shares. Source positions are not part of nodes (an expression may come from many
 * places): equations and statements carry them. */
#include "base/text.h"
#include "base/vec.h"

typedef struct {
  uint32_t i;
} ExprId;
typedef struct {
  uint32_t i;
} TypeId;

#define NO_EXPR ((ExprId){0})
#define NO_TYPE ((TypeId){0})

typedef enum {
#define OP(name, text, shape, precedence) OP_##name,
#include "expr/ops.def"
#undef OP
  OP_COUNT
} Op;

/* ---- types ---- */

typedef enum {
  TY_NONE, /* the type of an erroneous expression, and of a call without result */
  TY_REAL,
  TY_INTEGER,
  TY_BOOLEAN,
  TY_STRING,
  TY_ENUM,
  TY_CLOCK,
  TY_RECORD,
  TY_EXTERNAL, /* an ExternalObject handle */
  TY_FUNCTION,
  TY_TUPLE
} TypeBase;

enum { DIM_UNKNOWN = -1 };

/* What stands behind an enumeration, record, external object or tuple. Made once by its maker;
 * types compare it by address. */
typedef struct TypeDecl {
  const char *name;   /* full class name; "" for tuples */
  uint32_t n;         /* literals, fields or tuple members */
  const char **names; /* of literals or fields; NULL for tuples */
  TypeId *types;      /* of fields or tuple members; NULL for enumerations */
  const char **units; /* of fields: unit or NULL; may be NULL */
  const void *owner;  /* for the stage that made it */
} TypeDecl;

typedef struct {
  TypeBase base;
  uint32_t n_dims;
  const int32_t *dims;  /* DIM_UNKNOWN where not known */
  const TypeDecl *decl; /* ENUM, RECORD, EXTERNAL, TUPLE; else NULL */
} Type;

/* ---- nodes ---- */

typedef struct {
  Op op;
  TypeId type;
  uint32_t n; /* number of args */
  const ExprId *args;
  uint32_t payload2;
  union {
    double real;
    int64_t integer;
    const char *string;
    uint32_t index;
    const void *ref;
  };
} Expr;

typedef struct ExprPool ExprPool;
ExprPool *pool_new(Arena *a);
/* A pool that begins with all that `base` holds now, under the same ids. Threads may share `base`
 * if nothing is added to it any more: each has a pool of its own on it. `base` lives longer. */
ExprPool *pool_on(const ExprPool *base, Arena *a);
Arena *pool_arena(const ExprPool *p);
/* All node ids are below; arrays indexed by ExprId need this room */
uint32_t pool_size(const ExprPool *p);

/* Types are shared: equal types have equal ids. */
TypeId type_scalar(ExprPool *p, TypeBase base);
TypeId type_of_decl(ExprPool *p, TypeBase base, const TypeDecl *decl);
/* Dims in front of those of element */
TypeId type_array(ExprPool *p, TypeId element, uint32_t n_dims, const int32_t *dims);
/* Without the first n_subs dimensions */
TypeId type_element(ExprPool *p, TypeId array, uint32_t n_subs);
TypeId type_tuple(ExprPool *p, uint32_t n, const TypeId *types);
const Type *type_get(const ExprPool *p, TypeId t);
/* One value: no dimensions, not a record, tuple or TY_NONE */
bool type_is_scalar(const ExprPool *p, TypeId t);
bool type_is_numeric(const ExprPool *p, TypeId t); /* Real or Integer base */
/* Number of scalars: product of dims times that of a record's fields or a tuple's members; 0 for
 * TY_NONE; -1 when a dimension is unknown. */
int64_t type_count(const ExprPool *p, TypeId t);
void type_print(const ExprPool *p, TypeId t, Text *out); /* "Real[3, :]" */

/* The pointer stays valid for the life of the pool */
const Expr *expr_get(const ExprPool *p, ExprId e);
static inline bool expr_same(ExprId a, ExprId b) { return a.i == b.i; }

/* Builds a node of an operator without payload; `type` is its type as found by the caller. Scalars
 * are folded and simplified.*/
ExprId expr_make(ExprPool *p, Op op, TypeId type, uint32_t n, const ExprId *args);
/* The same with payload (FIELD, PART, COMPREHEND ...). */
ExprId expr_make_index(ExprPool *p, Op op, TypeId type, uint32_t index, uint32_t payload2,
                       uint32_t n, const ExprId *args);
ExprId expr_make_ref(ExprPool *p, Op op, TypeId type, const void *ref, uint32_t n,
                     const ExprId *args); /* REF, CALL, FUNCTION */
ExprId expr_real(ExprPool *p, double value);
ExprId expr_integer(ExprPool *p, int64_t value);
ExprId expr_boolean(ExprPool *p, bool value);
ExprId expr_string(ExprPool *p, const char *value);
ExprId expr_enum(ExprPool *p, TypeId type, int64_t ordinal);
ExprId expr_time(ExprPool *p);
ExprId expr_var(ExprPool *p, TypeId type, uint32_t index);
ExprId expr_local(ExprPool *p, TypeId type, uint32_t index);

/* Convenience for scalars: the type follows from the operands (Integer with Integer stays Integer
 * but for DIV and POW; else Integer operands are cast to Real). */
ExprId expr_unary(ExprPool *p, Op op, ExprId a);
ExprId expr_binary(ExprPool *p, Op op, ExprId a, ExprId b);
ExprId expr_if(ExprPool *p, ExprId condition, ExprId then, ExprId otherwise);
ExprId expr_to_real(ExprPool *p, ExprId a); /* CAST where needed; also arrays */

/* Literals (also of enumerations) and arrays/records of literals only. */
bool expr_is_literal(const ExprPool *p, ExprId e);
bool expr_is_zero(const ExprPool *p, ExprId e);
bool expr_as_real(const ExprPool *p, ExprId e, double *value); /* numeric literal */
/* Integer, Boolean or enumeration literal */
bool expr_as_integer(const ExprPool *p, ExprId e, int64_t *value);

/* Calls `visit` once per node reachable from e, arguments first. */
void expr_walk(const ExprPool *p, ExprId e, void (*visit)(void *user, ExprId e), void *user);
/* Rebuilds e bottom up; `replace` may return a substitute for a node whose arguments are already
 * rebuilt, or NO_EXPR to keep the rebuilt node. Shared nodes are rebuilt once. */
ExprId expr_rewrite(ExprPool *p, ExprId e, ExprId (*replace)(void *user, ExprId rebuilt),
                    void *user);

/* Expands an expression of known dimensions into its scalars, row by row, record fields in order.
 * `leaf` expands what only the caller knows (REF nodes; n is type_count of the node) and returns
 * false on failure. CALL results become PART nodes; DER, PRE and the like are applied element by
 * element. Returns false when a dimension is unknown or the leaf failed; *why says it. */
typedef struct {
  ExprPool *pool;
  bool (*leaf)(void *user, ExprId e, uint32_t n, ExprId *out);
  void *user;
  const char *why; /* set on failure */
  /* Optional: scalars first .. first+n-1 of a leaf, so that x[3] of a large x need not expand all
   * of x. */
  bool (*part)(void *user, ExprId e, uint32_t first, uint32_t n, ExprId *out);
} Scalarizer;
bool expr_scalars(Scalarizer *s, ExprId e, ExprId *out); /* out has room for type_count(e) */

/* Partial derivative of an expression by variable `var` (VAR node), holding all others; relations
 * and discrete parts count as constant. NO_EXPR when the expression cannot be differentiated. `var`
 * may also be a LOCAL or a der(x) node. */
ExprId expr_diff(ExprPool *p, ExprId e, ExprId var);
/* Total time derivative: `der_of` gives the derivative of a VAR node (for a parameter: 0) and of
 * REF, LOCAL and DER nodes where they occur; it is asked only about Reals and records outside of
 * conditions and may answer NO_EXPR. Calls are differentiated by their derivative annotations (MLS
 * 3.6 section 12.7.1), else through their bodies. NO_EXPR as above. The literal 0 stands for the
 * derivative of anything that does not vary, arrays and records included. */
ExprId expr_diff_time(ExprPool *p, ExprId e, ExprId (*der_of)(void *user, ExprId var), void *user);
/* The same; *why: after NO_EXPR the function to blame, NULL if it is none. */
ExprId expr_diff_total(ExprPool *p, ExprId e, ExprId (*der_of)(void *user, ExprId var), void *user,
                       const char **why);

/* Modelica text that reads back. `name` gives the text of VAR, REF, LOCAL, CALL and FUNCTION
 * payloads; iterators come to it as LOCAL nodes without type. Two forms are for the eye only:
 * PART(call, k) prints as a selection, (f(x))[2], (f(x)).re, or with the name of one of several
 * results (f(x)).y[2]; subscripts and fields of other than names likewise, ({a, b})[i]. */
typedef struct {
  const ExprPool *pool;
  void (*name)(void *user, const Expr *e, Text *out);
  void *user;
  /* Of enumerations and records; NULL: full name, quoted */
  void (*type_name)(void *user, const TypeDecl *d, Text *out);
} ExprPrinter;
void expr_print(const ExprPrinter *pr, ExprId e, Text *out);
