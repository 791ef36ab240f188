#pragma once
/* emit/emit_impl.h -- shared by the files of this folder.
 * A scalar value is a C expression of type double, long long or const char *. Everything else is a
 * pointer to cells (DsCell, row by row, the fields of a record in order) and its sizes.
 * Keep: what is computed inside a C block is forgotten when the block ends; c_line sees to that. */
#include "base/map.h"
#include "describe/describe.h"
#include "emit/emit.h"
#include "structure/slice.h"
#include "structure/sorted.h"

/* Which of the pointers of DsData a C function needs at its top. */
enum {
  USES_R = 1,
  USES_I = 2,
  USES_S = 4,
  USES_R_PRE = 8,
  USES_I_PRE = 16,
  USES_S_PRE = 32,
  USES_RELATION = 64,
  USES_SAMPLE = 128,
  USES_STATUS = 256,
  USES_CELLS = 512,
  USES_OVER = 1024
};

typedef struct {
  TypeId type;
  const char *at; /* of a scalar: its value; else the address of its cells, a name or a sum */
  /* C operands: sizes of its dimensions, then of those of its fields, of theirs ...; literals
   * where known */
  const char **dims;
} CVal;

typedef struct {
  uint32_t expr;
  const CVal *values; /* a call has one per result */
} Kept;

/* A Modelica function as C function f<number>. */
typedef struct {
  const Func *f;
  const bool *given; /* inputs that callers give; the others take their defaults */
} FuncEntry;

/* A function value as C function g<number>. */
typedef struct {
  const Func *f;     /* NULL: more inputs of a function value are bound */
  const bool *bound; /* per input; of the open ones if f is NULL */
  uint32_t n;
} BindEntry;

typedef struct Emit {
  Description *about; /* tables of the model; functions add places and externals to them */
  const FlatModel *m;
  const Structure *s;
  ExprPool *p;
  Arena *a;
  Diags *diags;
  Text code;                  /* finished C functions */
  Text tables;                /* static const data that they use */
  Text prototypes, functions; /* of the model's own functions */
  VEC(FuncEntry) funcs;       /* in order of first call */
  VEC(BindEntry) binds;
  Map lists;      /* address of a list -> name of its C table */
  Map literal_of; /* literal array or record -> table number + 1 */
  uint32_t n_tables;
  const ValueList *list; /* at work */
  bool *zero;            /* per SVar: it counts as 0 in the expressions at work */
  bool by_parts;         /* C functions of equations end where parts do */

  /* the C function at work */
  Text body;
  Text arrays; /* small arrays of its own, declared at its top */
  uint32_t n_array_cells;
  int indent;
  uint32_t uses_mask;
  uint32_t n_temps;
  bool took_cells; /* since somebody set it to false */
  Map uses;        /* expression -> number of uses in this C function */
  Map keep;        /* expression -> index in kept + 1; 0: not kept any more */
  VEC(Kept) kept;
  VEC(uint32_t) open; /* per C block under way: length of kept when it began */
  Map calls_inside;   /* expression -> needs statements of its own? */
  Map locals;         /* LOCAL number -> CVal* */
  const Func *func;   /* the Modelica function at work; NULL in equations */
  const bool *fixed;  /* its variables that refer to the value of their declaration */
  Span span;
} Emit;

/* ---- emit.c: the file as a whole ---- */
Emit emit_begin(Description *about);
/* Puts the text together: what the functions at work wrote, then the description of the model. */
void emit_file(Emit *em, Text *out);

/* ---- emit_model.c: the description ---- */
void emit_places(Emit *em, Text *out); /* before the functions, which refer to them */
void emit_model(Emit *em, Text *out);
/* The name of a C table of these numbers, which is written if it is new. */
const char *c_numbers(Emit *em, Text *out, const char *name, const int *at, int n);

/* ---- emit_text.c: lines, literals, comments ---- */
/* One line. A line that ends in { begins a C block, one that begins with } ends one. */
void c_line(Emit *em, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The head of a block, without { */
void c_open(Emit *em, const char *format, ...) __attribute__((format(printf, 2, 3)));
void c_open_if(Emit *em, const char *condition);
void c_close(Emit *em);
const char *c_real(Emit *em, double value);
const char *c_integer(Emit *em, int64_t value);
/* a C string literal; every unusual byte as an octal escape */
const char *c_string(Emit *em, const char *text);
void c_add_string(Text *out, const char *text);
const char *c_comment(Emit *em, const char *text); /* text that is harmless inside a comment */
const char *c_type(TypeBase base); /* "double ", "long long " ..., to be followed by a name */
uint32_t c_place(Emit *em, Span span);
const char *c_place_text(Emit *em, Span span); /* "Ball.mo:7"; "" if nowhere */
void c_refuse(Emit *em, const char *what);
/* Leaves the C function with a failure at the present place. */
void c_fail_if(Emit *em, const char *condition, const char *message);
void c_check(Emit *em, const char *call); /* leaves unless the call returns DS_OK */
/* A C function: begin, write lines, end. `head` without braces; its status ends up in `status` if
 * USES_STATUS. */
void c_function_begin(Emit *em);
void c_function_end(Emit *em, const char *head);

/* ---- emit_expr.c: scalars ---- */
void c_count(Emit *em, ExprId e);
/* a C operand for a scalar expression; statements go to the body */
const char *emit_value(Emit *em, ExprId e);
/* Integer becomes Real where wanted */
const char *emit_value_as(Emit *em, ExprId e, TypeBase base);
/* Values computed from here on are forgotten by scope_close */
uint32_t c_scope_open(Emit *em);
void c_scope_close(Emit *em, uint32_t mark);
const char *c_var(Emit *em, uint32_t var); /* "r[3]" */
const char *c_temp(Emit *em);
TypeBase c_base(const Emit *em, ExprId e);
bool c_is_scalar(const Emit *em, ExprId e);
void c_remember(Emit *em, ExprId e, const CVal *values);
const CVal *c_recall(const Emit *em, ExprId e);
/* One operator on C operands of type `base`; NULL if it is none that works on scalars. b: NULL for
 * one operand. */
/* At the end of a C function: it fails if one did not fit */
const char *c_over_end(const Emit *em);
/* First arguments of what computes whole numbers: where it is told that one does not fit */
const char *c_over(Emit *em);
const char *c_kernel(Emit *em, Op op, TypeBase base, const char *a, const char *b);
TypeBase c_operands(const Emit *em, const Expr *x); /* the type that operands of x have */

/* ---- emit_cell.c: cells and sizes ---- */
uint32_t c_n_dims(const Emit *em, TypeId type); /* sizes that a CVal of this type has */
const char *c_member(TypeBase base);            /* ".r" */
bool c_known(const char *size, int64_t *n);     /* is it a literal? */
const char *c_times(Emit *em, const char *a, const char *b); /* of sizes; folds literals */
const char *c_plus(Emit *em, const char *a, const char *b);
const char *c_scaled(Emit *em, const char *a, const char *b); /* a*b that cannot be too large */
const char *c_elements(Emit *em, const CVal *v);              /* product of its dimensions */
const char *c_element_cells(Emit *em, const CVal *v);         /* cells of one element */
const char *c_cell_count(Emit *em, const CVal *v);
const char *c_own(Emit *em, const char *text); /* a whole number that is computed once */
const char *c_size(Emit *em, ExprId e);        /* an array size: not negative */
const char *c_cells(Emit *em, const char *count);
void c_copy(Emit *em, const char *to, const char *from, const char *count);
CVal c_fresh(Emit *em, TypeId element, uint32_t n_dims, const char *const *dims,
             const char *const *inner); /* cells not set */
/* Type and sizes without the first dimensions */
CVal c_element(Emit *em, const CVal *v, uint32_t n_subs);
CVal c_typed(Emit *em, TypeId type); /* sizes that the type knows, "0LL" for the others */
/* All sizes, DIM_UNKNOWN where not known */
const int32_t *c_flat_dims(Emit *em, TypeId type);
TypeId c_array_type(Emit *em, TypeId element, uint32_t n_dims, const char *const *dims);
CVal c_scalar(TypeId type, const char *value);
const char *c_read(Emit *em, const CVal *v, const char *index); /* cell number index of v */
void c_store_cell(Emit *em, const char *at, const char *index, TypeBase base, const char *value);
void c_must_fit(Emit *em, const char *a, const char *b); /* fails if sizes differ */
void c_must_fit_all(Emit *em, const CVal *a, const CVal *b);
bool c_as_base(Emit *em, CVal *v, TypeBase base);
bool c_convert(Emit *em, CVal *v, TypeId type); /* cells of another type of equal structure */
void c_set_default(Emit *em, const CVal *v);
bool c_literal(Emit *em, ExprId e, CVal *out);

/* ---- emit_array.c: values of any type ---- */
bool emit_cells(Emit *em, ExprId e, CVal *out); /* false after c_refuse */
bool emit_cells_as(Emit *em, ExprId e, TypeBase base, CVal *out);
/* a scalar that is part or sum of something bigger */
const char *emit_from_array(Emit *em, ExprId e, const Expr *x);
CVal emit_record(Emit *em, TypeId type, const CVal *fields, uint32_t n); /* their cells in a row */

/* ---- emit_index.c: parts of values ---- */
typedef struct {
  CVal v;            /* type and sizes */
  const char *start; /* place of its first cell in the whole */
  /* Address of the places of all its cells, counted from start; NULL: neighbours */
  const char *cells;
} Select;
bool cut_part(Emit *em, const Expr *x, const CVal *whole, Select *out); /* x: INDEX or FIELD */
bool cut_inner(Emit *em, const Select *outer, const Select *inner, Select *out);
CVal cut_read(Emit *em, const CVal *whole, const Select *s);
void cut_write(Emit *em, const CVal *whole, const Select *s, const CVal *value);
bool emit_index(Emit *em, const Expr *x, CVal *out);
bool emit_field(Emit *em, const Expr *x, CVal *out);
CVal c_field(Emit *em, const CVal *record, uint32_t k); /* of one record */

/* ---- emit_iterate.c: ranges, loops, constructors and reductions with iterators ---- */
bool emit_range(Emit *em, const Expr *x, CVal *out);
bool emit_comprehend(Emit *em, const Expr *x, CVal *out);
bool emit_reduce(Emit *em, const Expr *x, CVal *out);
const char *c_of_nothing(Emit *em, Op op, TypeId type); /* ADD, MUL, MIN2, MAX2 of no items */
/* A for-loop over a range or vector with the iterator as LOCAL; close with c_close. */
bool c_loop_open(Emit *em, uint32_t local, ExprId range);

/* ---- emit_call.c: calls and function values ---- */
const CVal *emit_call(Emit *em, ExprId call); /* one value per result; NULL after c_refuse */
const char *emit_part(Emit *em, const Expr *part);
const char *emit_function_value(Emit *em, const Expr *x);
void emit_bind_function(Emit *em, uint32_t k, Text *prototypes, Text *code); /* g<k> */

/* ---- emit_func.c: functions ---- */
void emit_functions(Emit *em); /* those that were called */
bool c_is_flexible(const Emit *em, const FuncVar *v);

/* ---- emit_stmt.c: statements ---- */
void emit_statements(Emit *em, Stmt *const *body, uint32_t n);
void c_count_statements(Emit *em, Stmt *const *body, uint32_t n);
void emit_store(Emit *em, ExprId target, const CVal *value);
void emit_assign_local(Emit *em, uint32_t local, const CVal *value);

/* ---- emit_extern.c: external functions ---- */
void emit_external(Emit *em, const Func *f);
/* An argument that names a variable that is no input */
bool extern_comes_out(const Emit *em, const Func *f, ExprId e, uint32_t *local);
void extern_refuse(Emit *em, const Func *f, const char *why);

/* ---- emit_foreign.c: functions of shared libraries ---- */
void emit_foreign(Emit *em, const Func *f);

/* ---- emit_residual.c: simultaneous equations ---- */
/* The C function, before the one that uses it */
void emit_residual(Emit *em, uint32_t number, const char *name);
/* name_right(d, b): of a linear block */
void emit_right_side(Emit *em, const SBlock *b, const char *name);
/* name_inner(d): the unknowns that follow from the iterated ones */
void emit_inner(Emit *em, const SBlock *b, const char *name);

/* ---- emit_block.c ---- */
typedef struct {
  const char *name; /* of a C function */
  SPhase phase;
  uint32_t mixed; /* see SBlock */
  uint32_t part;  /* NO_PART: none, or the model is one */
} Chunk;
typedef VEC(Chunk) Chunks;
/* Writes the C functions of all blocks of a system, to be called in this order. */
void emit_blocks(Emit *em, const SSystem *sys, bool initial, const char *prefix, Chunks *out);
/* The same for some of them, or for single unknowns. */
void emit_steps(Emit *em, const SSystem *sys, const SStep *steps, uint32_t n, bool initial,
                const char *prefix, Chunks *out);
/* Writes functions name0, name1 ... over pieces 0 .. n-1 and `static int name(...)` that calls
 * them. */
typedef struct {
  const char *name, *params, *args; /* "DsData *d, double *x", "d, x" */
  uint32_t n;
  void (*count)(Emit *em, uint32_t k);
  void (*piece)(Emit *em, uint32_t k);
} Pieces;
void emit_pieces(Emit *em, const Pieces *ps);
/* Those from `first` on, ps->n of them, as one C function; returns its name, "0" if there are
 * none. */
const char *emit_some_pieces(Emit *em, const Pieces *ps, uint32_t first, const char *suffix);
void emit_sequence(Emit *em, const char *name, const char *params, const char *args,
                   const char *const *calls, uint32_t n);

typedef VEC(const char *) Names;
/* Calls for chunks first .. end - 1, in order; a mixed system is one function, which the host calls
 * until its relations agree. */
void emit_calls(Emit *em, const char *name, const Chunks *chunks, uint32_t first, uint32_t end,
                Names *calls);

/* ---- emit_part.c: parts with entry points of their own ---- */
/* What a part has of the lists of the model. */
typedef struct {
  Pieces instants, crossings, actions, checks, sizes;
} PartLists;
void emit_simulation_parts(Emit *em, const Chunks *chunks, const PartLists *lists);
