#pragma once
/* flat/flatten_impl.h -- shared by the files that make a flat model from the instance tree. */
#include "flat/flat_build.h"
#include "flat/flatten.h"
#include "instance/inst.h"

typedef struct ConnectSets ConnectSets;
typedef struct RootGraph RootGraph;
typedef struct Switches Switches;
/* An if-equation around a connection whose condition changes in time. */
typedef struct Guard {
  const ExprId *conditions; /* of its branches; NO_EXPR at the end: else */
  uint32_t branch;          /* the connection stands in this one */
  const struct Guard *around;
} Guard;
typedef struct {
  FlatEquation *eq; /* the algorithm */
  ExprId var;
} PartialArray;
typedef enum { PASS_EXPAND, PASS_CONNECT, PASS_EQUATIONS } FlattenPass;

typedef struct {
  World *w;
  Arena *arena;
  Diags *diags;
  FlatModel *m;
  ConnectSets *connects;
  RootGraph *roots;
  Switches *switches;
  const Guard *guard; /* PASS_CONNECT: the innermost if-equation around; NULL: it holds always */
  VEC(Class *) buses; /* instances of expandable connectors */
  bool expanded;      /* PASS_EXPAND added an element or found one in use */
  /* Elements that an algorithm does not assign, of arrays of which it assigns others */
  VEC(PartialArray) partial;
  FlattenPass pass;
  uint32_t origin; /* of the component whose text is being flattened */
  uint32_t n_kept; /* variables of algorithms that keep what an assignment reads and changes */
  bool initially;  /* in an initial algorithm */
  bool failed;
} Flattener;

typedef VEC(FlatEquation *) Equations;

/* ---- whole.c ---- */
void flatten_whole_arrays(Flattener *fl);

/* ---- variables.c ---- */
/* Numbers the scalars of all components of a class instance, depth first. */
void flatten_variables(Flattener *fl, Class *c);
/* Attributes, bindings and binding equations of all components. */
void flatten_bindings(Flattener *fl, Class *c);
/* Marks the parameters whose values were asked for until now: they shaped the model. */
void flatten_structural(Flattener *fl, Class *c);
/* The scalars of a typed expression; false after an error (reported at `span`). */
bool flatten_scalars(Flattener *fl, ExprId e, Span span, uint32_t *n, ExprId **out);

/* A call that stands as a statement or equation: its arguments as scalars; NO_EXPR after an
 * error. */
ExprId flatten_call(Flattener *fl, ExprId call, Span span);

/* ---- equations.c ---- */
/* The sections of a class instance and of all its components: first what adds to expandable
 * connectors (PASS_EXPAND), then only what connects (PASS_CONNECT), because the answers of
 * cardinality, isRoot and rooted depend on all of it; then the equations and algorithms. */
void flatten_equations(Flattener *fl, Class *c, FlattenPass pass);

/* ---- algorithm.c ---- */
/* Typed statements with arrays -> scalar statements; appends VAR nodes that are assigned to
 * `targets`. */
typedef VEC(ExprId) ExprList;
bool flatten_statements(Flattener *fl, Stmt **body, uint32_t n, Stmt ***out, uint32_t *n_out,
                        ExprList *targets);
/* The elements of all arrays of which some statement assigns one by its subscripts. */
bool flatten_array_targets(Flattener *fl, Stmt *const *body, uint32_t n, ExprList *out);

/* ---- connect.c ---- */
ConnectSets *connect_new(Flattener *fl);
void connect_add(Flattener *fl, Elab *el, const AstEquation *eq);
/* The same variable for all of its set */
uint32_t connect_leader(Flattener *fl, uint32_t potential);
/* Adds the equations of all connection sets (MLS 9.2). */
void connect_equations(Flattener *fl);
/* The elements that a reference names; with `connectors` each must be one. An absent component sets
 * *absent. */
typedef struct {
  Element *e;
  uint32_t item;
  bool outside; /* a connector of the class whose text it is */
} End;
typedef VEC(End) Ends;
bool connect_ends(Flattener *fl, Elab *el, const AstRef *ref, bool connectors, Ends *out,
                  bool *absent);
/* The same where the last name may be one that an expandable connector does not have yet: then bus
 * and name are set. */
typedef struct {
  Class *bus;
  const AstRefPart *name;
} MissingElement;
bool connect_ends_or_missing(Flattener *fl, Elab *el, const AstRef *ref, Ends *out, bool *absent,
                             MissingElement *missing);
/* Links all scalars of two ends of equal structure. */
void connect_pair(Flattener *fl, Elab *el, const AstEquation *eq, End a, End b);
/* Answers cardinality, isRoot and rooted (World.ask_connections; user is the Flattener). */
ExprId connect_answer(void *user, Elab *el, const AstExp *call);

/* ---- switch.c: connections under a condition that changes in time (fl->guard) ---- */
Switches *switch_new(Flattener *fl);
/* One connection of two connectors: begin, all of its scalars, end. */
void switch_start(Flattener *fl);
/* What it cannot connect so; NULL if it can */
const char *switch_refuses(const Flattener *fl, const Element *e);
void switch_potential(Flattener *fl, uint32_t a, uint32_t b);
/* The variable that flows out of the set of a into that of b */
uint32_t switch_flow(Flattener *fl, uint32_t a, uint32_t b, Span span);
void switch_end(Flattener *fl, Elab *el, const AstEquation *eq);
/* Adds the if-equations; after the attributes of variables are known. */
void switch_equations(Flattener *fl);

/* ---- roots.c: overconstrained connectors (MLS 9.4) ---- */
RootGraph *roots_new(Flattener *fl);
/* Connections.root, potentialRoot, branch; false if the call is none of them. */
bool roots_call(Flattener *fl, Elab *el, const AstEquation *eq);
/* Is this element of a connector of an overdetermined type (one with a function
 * equalityConstraint)? */
bool roots_is_node(Flattener *fl, Element *e);
void roots_connect(Flattener *fl, Elab *el, const AstEquation *eq, End a, End b);
/* Finds the spanning trees; connections in a tree become equalities, the others constraints. */
void roots_solve(Flattener *fl);
bool roots_is_root(Flattener *fl, End a);
bool roots_is_rooted(Flattener *fl, End a);

/* ---- signal.c ---- */
typedef struct Signals Signals;
typedef struct {
  uint32_t var;
  bool outside, source;
} SignalEnd;
Signals *signals_new(Flattener *fl);
/* Joins the sets of two ends; false if that gives a set with two sources, which are returned. */
bool signals_link(Flattener *fl, Signals *s, const SignalEnd *a, const SignalEnd *b,
                  uint32_t sources[2]);

/* ---- expand.c: expandable connectors (MLS 9.1.3) ---- */
/* What one connect adds to expandable connectors (PASS_EXPAND). */
void expand_connect(Flattener *fl, Elab *el, const AstEquation *eq);
/* Repeats PASS_EXPAND until nothing is added; elements that nobody connects disappear. */
void expand_connectors(Flattener *fl, Class *model);

/* ---- figures.c ---- */
/* Figure annotations of the model; when its variables and their derivatives are known. */
void flatten_figures(Flattener *fl, const Class *c);

/* ---- collect.c ---- */
/* Fills functions and types of the flat model with what its equations use. */
void flatten_collect(Flattener *fl);
