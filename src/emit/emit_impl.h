#pragma once
/* emit/emit_impl.h -- shared by the files of this folder. */
#include "base/map.h"
#include "emit/emit.h"

/* Which of the pointers of DsData a C function needs at its top. */
enum { USES_R = 1, USES_I = 2, USES_S = 4, USES_R_PRE = 8, USES_I_PRE = 16, USES_S_PRE = 32, USES_RELATION = 64, USES_SAMPLE = 128,
       USES_STATUS = 256, USES_CELLS = 512 };

typedef struct {
  uint32_t expr;
  const char *text; /* C operand that holds its value */
} Kept;

typedef struct {
  const SSystem *sys;
  const SBlock *block;
} BlockEntry;

typedef struct Emit {
  const FlatModel *m;
  const Structure *s;
  ExprPool *p;
  Arena *a;
  Diags *diags;
  Text code;    /* finished C functions */
  Text tables;  /* static const data that they use */
  VEC(Span) places; /* DsPlace table */
  Map place_of;
  Map func_of; /* Func* -> number + 1 */
  VEC(const Func *) funcs; /* in order of first call */
  uint32_t n_tables;
  uint32_t n_work; /* cells that blocks need */
  VEC(BlockEntry) blocks; /* linear and nonlinear ones, for the table of blocks */

  /* the C function at work */
  Text body;
  int indent;
  uint32_t uses_mask;
  uint32_t n_temps;
  Map uses;  /* expression -> number of uses in this C function */
  Map keep;  /* expression -> index in kept + 1; 0: not kept any more */
  VEC(Kept) kept;
  Map calls_inside; /* expression -> needs statements of its own? */
  const Func *func; /* the Modelica function at work; NULL in equations */
  Span span;
  const char *const *locals; /* per LOCAL: C text, where it is not v<number>; may be NULL */
} Emit;

/* ---- emit_text.c: lines, literals, comments ---- */
void c_line(Emit *em, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *c_real(Emit *em, double value);
const char *c_integer(Emit *em, int64_t value);
const char *c_string(Emit *em, const char *text); /* a C string literal; every unusual byte as an octal escape */
const char *c_comment(Emit *em, const char *text); /* text that is harmless inside a comment */
const char *c_type(TypeBase base); /* "double", "long long" ... */
uint32_t c_place(Emit *em, Span span);
const char *c_place_text(Emit *em, Span span); /* "Ball.mo:7"; "" if nowhere */
void c_refuse(Emit *em, const char *what);
/* A C function: begin, write lines, end. `head` without braces; its status ends up in `status` if USES_STATUS. */
void c_function_begin(Emit *em);
void c_function_end(Emit *em, const char *head);

/* ---- emit_expr.c ---- */
void c_count(Emit *em, ExprId e);
const char *emit_value(Emit *em, ExprId e); /* a C operand for a scalar expression; statements go to the body */
uint32_t c_scope_open(Emit *em);              /* values computed from here on are forgotten by scope_close */
void c_scope_close(Emit *em, uint32_t mark);
const char *c_var(Emit *em, uint32_t var); /* "r[3]" */
const char *c_temp(Emit *em);
TypeBase c_base(const Emit *em, ExprId e);
void c_remember(Emit *em, ExprId e, const char *text);
const char *c_recall(const Emit *em, ExprId e);

/* ---- emit_array.c ---- */
enum { MAX_DIMS = 8 };
typedef struct {
  const char *at; /* C pointer to the elements, row by row */
  uint32_t n_dims;
  const char *dims[MAX_DIMS]; /* C operands */
  TypeBase base;
} ArrayVal;
bool emit_array(Emit *em, ExprId e, ArrayVal *out);
const char *c_array_count(Emit *em, const ArrayVal *v); /* number of elements */
/* Address of the element (or sub-array) that all-scalar subscripts select, with range checks. */
const char *c_array_offset(Emit *em, const ArrayVal *v, const ExprId *subs, uint32_t n);
/* Which elements subscripts select, some of them vectors or missing. */
typedef struct {
  ArrayVal of;
  const char *fixed[MAX_DIMS]; /* scalar subscript; NULL: a vector, or all */
  ArrayVal vectors[MAX_DIMS];  /* at NULL: all */
  ArrayVal shape;              /* dimensions of the selection; no elements */
} Selection;
bool c_select(Emit *em, const ArrayVal *of, const ExprId *subs, uint32_t n, Selection *out);
/* Copies the selected elements to `other`, or from it if `store`. */
void c_select_copy(Emit *em, const Selection *s, const char *other, bool store);
const char *emit_array_scalar(Emit *em, const Expr *x); /* SIZE, SUM, INDEX ...: scalar result of an array operand */
void c_array_copy(Emit *em, const char *to, const char *from, const char *count, TypeBase base);
const char *c_cells(Emit *em, TypeBase base, const char *count);
bool c_local_array(Emit *em, uint32_t local, ArrayVal *out);
/* `for` over a range or vector, with the iterator as local variable; close with c_loop_close. */
bool c_loop_open(Emit *em, uint32_t local, ExprId range);
void c_loop_close(Emit *em);

/* ---- emit_record.c ---- */
typedef void LeafFunction(Emit *em, const char *name, TypeId type, void *user);
/* Calls f for each scalar or array that a value of this type consists of; false after a refusal. f may be NULL. */
bool c_leaves(Emit *em, const char *name, TypeId type, LeafFunction *f, void *user);
ArrayVal c_named_array(Emit *em, const char *name, const Type *t); /* name, name_d0 ... */
bool emit_record(Emit *em, ExprId e, const char **name); /* name of the C variables: name_f0 ... */
bool c_rebind(Emit *em, const char *name, const char *from, TypeId type); /* leaf by leaf, arrays by reference */
const char *c_field(Emit *em, const Expr *x); /* name of a field; NULL after a refusal */

/* ---- emit_func.c ---- */
uint32_t c_func_number(Emit *em, const Func *f);
const char *emit_call(Emit *em, ExprId call); /* calls; returns the prefix of the names of its results: prefix_0 ... */
const char *emit_part(Emit *em, const Expr *part);
void emit_statements(Emit *em, Stmt *const *body, uint32_t n);
void c_count_statements(Emit *em, Stmt *const *body, uint32_t n);
void emit_functions(Emit *em, Text *prototypes, Text *code);

/* ---- emit_block.c ---- */
typedef struct {
  const char *name; /* of a C function */
  SPhase phase;
} Chunk;
typedef VEC(Chunk) Chunks;
/* Writes the C functions of all blocks of a system, to be called in this order. */
void emit_blocks(Emit *em, const SSystem *sys, bool initial, const char *prefix, Chunks *out);
/* Writes functions name0, name1 ... over pieces 0 .. n-1 and `static int name(...)` that calls them. */
typedef struct {
  const char *name, *params, *args; /* "DsData *d, double *x", "d, x" */
  uint32_t n;
  void (*count)(Emit *em, uint32_t k);
  void (*piece)(Emit *em, uint32_t k);
} Pieces;
void emit_pieces(Emit *em, const Pieces *ps);
void emit_sequence(Emit *em, const char *name, const char *params, const char *args, const char *const *calls, uint32_t n);
