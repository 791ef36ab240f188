#pragma once
/* flat/flat.h -- the flat hybrid DAE: scalar variables, equations, when-clauses, algorithms; no
 * classes, no components. Expressions in it are scalar (but for arguments of calls) and refer to
 * variables by VAR nodes; functions keep arrays inside. It prints as Modelica with quoted names
 * (flat_print) and reads back through the ordinary front end. */
#include "base/diag.h"
#include "expr/func.h"
#include "flat/figure.h"

/* ascending: varies less */
typedef enum { FLAT_CONTINUOUS, FLAT_DISCRETE, FLAT_PARAMETER, FLAT_CONSTANT } FlatVariability;
/* Of the top-level model only */
typedef enum { CAUSE_NONE, CAUSE_INPUT, CAUSE_OUTPUT } FlatCausality;
typedef enum {
  SELECT_NEVER = 1,
  SELECT_AVOID,
  SELECT_DEFAULT,
  SELECT_PREFER,
  SELECT_ALWAYS
} FlatStateSelect;

/* One scalar variable; VAR node `index` is its place in FlatModel.vars. */
typedef struct {
  const char *name; /* as the user would write it: a.b[2].c */
  TypeId type;      /* scalar: Real, Integer, Boolean, String, enumeration or external object */
  FlatVariability variability;
  FlatCausality causality;
  bool is_flow, is_protected, is_final;
  bool is_input;   /* declared so, at any level */
  bool structural; /* a parameter whose value shaped the model: a change needs a new translation */
  bool has_der;    /* der() of it occurs */
  bool in_when;    /* assigned in a when-clause or in an algorithm's when */
  /* parameters, constants: value; NO_EXPR if none (then start, or an initial equation). A
   * variable's binding is an equation */
  ExprId binding;
  ExprId start, fixed, min, max, nominal; /* NO_EXPR if not given */
  FlatStateSelect select;
  const char *unit, *display_unit, *quantity; /* NULL if not given */
  const char *comment;                        /* NULL if none */
  uint32_t origin; /* index in FlatModel.origins: the component that declares it */
  Span span;       /* declaration */
} FlatVar;

typedef enum {
  FEQ_EQUAL, /* lhs = rhs */
  /* (targets...) = rhs, a CALL with several results or a record/array result: targets are the
   * flattened scalars; NO_EXPR where ignored */
  FEQ_TUPLE,
  /* Branches with equal or different numbers of equations; conditions are not parameter
   * expressions */
  FEQ_IF,
  /* branches: when, elsewhen...; bodies hold EQUAL, TUPLE, REINIT, ASSERT, TERMINATE, CALL, IF */
  FEQ_WHEN,
  FEQ_ASSERT,    /* condition = lhs, message = rhs, level */
  FEQ_TERMINATE, /* message = rhs */
  FEQ_REINIT,    /* lhs: VAR, rhs: new value (in when only) */
  FEQ_CALL,      /* rhs: a call without result */
  FEQ_ALGORITHM  /* body: statements; a vector equation for the variables it assigns (`targets`) */
} FlatEquationKind;

typedef enum {
  FROM_EQUATION,
  FROM_BINDING,
  FROM_CONNECT,
  FROM_FLOW_SUM,
  FROM_FLOW_ZERO
} FlatSourceKind;

/* annotation(__NuSim_chatter = "slide") of an equation: what becomes of relations that would change
 * again and again on the spot */
typedef enum {
  FLAT_CHATTER_ANY,
  FLAT_CHATTER_SLIDE,
  FLAT_CHATTER_KEEP,
  FLAT_CHATTER_ERROR
} FlatChatter;

typedef struct FlatEquation FlatEquation;
typedef struct {
  /* NO_EXPR: else. In a WHEN several conditions {a, b} stand as an ARRAY node of scalars */
  ExprId condition;
  FlatEquation **body;
  uint32_t n;
} FlatBranch;

struct FlatEquation {
  FlatEquationKind kind;
  FlatSourceKind from;
  ExprId lhs, rhs, level;
  ExprId *targets; /* TUPLE, ALGORITHM (VAR nodes, sorted by index) */
  uint32_t n_targets;
  FlatBranch *branches;
  uint32_t n_branches;
  Stmt **body; /* ALGORITHM */
  uint32_t n_body;
  uint32_t origin;
  Span span;
  FlatChatter chatter; /* EQUAL, IF: of the relations in it */
};

typedef struct {
  double start, stop, tolerance, interval; /* NaN where not given */
  bool all_modes; /* __NuSim_modes = "all": each condition whose branches hold different variables
                     decides about the structure */
  bool given;
} FlatExperiment;

/* Component instances, so that messages can say `origin: Plant.pump1`, and connectors for the
 * ground check. */
typedef struct {
  const char *path;       /* "" for the model itself */
  const char *class_name; /* full name */
  uint32_t parent;
} FlatOrigin;

typedef struct FlatModel {
  const char *name; /* full class name */
  const char *comment;
  ExprPool *pool;
  VEC(FlatVar) vars;
  VEC(FlatEquation *) equations;
  VEC(FlatEquation *) initial; /* initial equations and algorithms */
  VEC(Func *) functions;       /* in order of first use; callees included */
  VEC(const TypeDecl *) types; /* enumerations and records used */
  VEC(FlatOrigin) origins;
  FlatExperiment experiment;
  VEC(FlatFigure) figures; /* of the class, then of its base classes */
} FlatModel;

/* Modelica text; with `origin` each equation is followed by a comment naming its component and
 * source line. */
void flat_print(const FlatModel *m, const Diags *diags, bool origin, Text *out);
/* In such text a.b[2] is the identifier 'a.b[2]'. After it was read: variables get the names back
 * that they had. Those in `keep` were quoted identifiers with a dot or bracket before
 * (flat_keep_quoted). */
void flat_restore_names(FlatModel *m, const char *const *keep, uint32_t n_keep, Arena *a);
/* Would flat_restore_names give a variable of that name another one? */
bool flat_keep_quoted(const char *name);

/* Sizes as `nusim check` reports them. An if-equation counts its first branch, a when-equation the
 * variables it assigns, an algorithm its targets. */
typedef struct {
  uint32_t equations, unknowns, states_declared, parameters, relations, when_clauses;
} FlatCounts;
FlatCounts flat_count(const FlatModel *m);

/* Static checks of the whole: balance with named missing and superfluous equations, double when,
 * discrete loops. Returns whether no error was added. */
bool flat_check(const FlatModel *m, Arena *a, Diags *diags);
/* The same for the text of a result: equations of records are those of their fields by then, and an
 * Integer in a record may follow what its other fields follow. */
bool flat_check_stored(const FlatModel *m, Arena *a, Diags *diags);
/* Extensions of Modelica that it uses (warning X003 each). */
void flat_check_standard(const FlatModel *m, Arena *a, Diags *diags);
/* Unit consistency (warnings U201, U202). */
void flat_check_units(const FlatModel *m, Arena *a, Diags *diags);
