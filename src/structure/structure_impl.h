#pragma once
/* structure/structure_impl.h -- shared by the files of this folder. */
#include "base/map.h"
#include "expr/eval.h"
#include "structure/structure.h"

/* What the statements so far have made of the targets of the algorithm at work. */
typedef struct {
  const uint32_t *targets; /* SVars */
  uint32_t n;              /* 0: nothing has to be followed */
  ExprId *value;  /* per flat variable: in terms of variables from outside; NO_EXPR: not known */
  bool initially; /* the body as it stands during initialisation: comparisons are literal */
  bool asked;     /* since lowered expressions were last forgotten */
  /* Conditions of when-statements that read targets belong to the algorithm: it computes them where
   * they stand. */
  VEC(uint32_t) own;   /* SVars, in order of writing */
  uint32_t next_own;   /* of those, the first that this pass has not met */
  VEC(Stmt *) pending; /* assignments to them in front of the statement at work */
  Map meanings;        /* of `own`, in terms of variables from outside, where it is known */
} Inside;

/* An if-equation: the conditions of its branches but for `else`, lowered. */
typedef struct {
  ExprId *conditions;
  uint32_t n;
  uint32_t end; /* behind the last one inside it */
  bool kept;    /* its branches are kept apart */
  bool unlike;  /* its branches hold different variables */
} LowerIf;

typedef struct Lower {
  const FlatModel *m;
  Structure *s;
  ExprPool *p;
  Arena *a;
  Diags *diags;
  Map memo[2];    /* expression -> lowered, with events / without */
  Map discrete;   /* lowered expression -> varies only at events? */
  Map relations;  /* lowered relation node -> number */
  Map conditions; /* lowered condition -> SVar */
  Map samples;    /* sample node -> number */
  Span span;      /* of the equation at work */
  uint32_t origin;
  const bool *internal; /* per SVar: a target of the algorithm at work; NULL outside of algorithms.
                            The memory is emptied at both ends of an algorithm */
  /* Per flat variable: all false outside of algorithms; NULL before the first one */
  bool *internal_room;
  ExprId *inside_room; /* per flat variable: values of Inside */
  Inside *inside;      /* NULL outside of algorithms */
  /* Per SVar: continuous, but follows from parameters and discrete variables; NULL while it is
   * not known */
  bool *steady;
  uint32_t depth; /* of lower_expr */
  /* Per flat variable: what is known about its value at translation; NULL before anybody asked */
  unsigned char *value_state;
  ExprId *values;   /* per flat variable: that value; NO_EXPR if it has none */
  VEC(LowerIf) ifs; /* in order of writing, inner ones behind outer ones */
  /* Per if-equation, as far as it is known: its branches are kept apart */
  const bool *divides;
  uint32_t n_divides;
  const ExprId *splits; /* conditions of if-expressions that decide about the structure */
  uint32_t n_splits;
  Map split;                /* those, as a set */
  const bool *mode;         /* per Structure.conditions; NULL: one that is likely at the start */
  bool later;               /* no run begins in this mode */
  const Map *literal_signs; /* arguments of sign() that make no events */
  bool quiet;               /* what stands under noEvent makes none under any circumstances */
  /* Relation under noEvent -> SVar that says whether it makes events all the same */
  Map watches;
  struct Repeats *repeats; /* constraints to be left out; those that are found are added */
  uint32_t n_written;      /* SVars before equations were differentiated */
} Lower;

/* lower_expr.c */
enum { LOWER_EVENTS = 0, LOWER_NO_EVENTS = 1 };
ExprId lower_expr(Lower *lo, ExprId e, int mode);
bool lower_is_discrete(Lower *lo, ExprId lowered);
/* It reads iterators, or targets of the algorithm at work */
bool lower_is_internal(const Lower *lo, ExprId lowered);
/* lower_quiet.c: of an equation, lowered: steps under noEvent can be monitored */
ExprId lower_quiet(Lower *lo, ExprId e);
/* a relation that makes events; operands are lowered */
ExprId lower_relation_var(Lower *lo, Op op, ExprId a, ExprId b);
uint32_t svar_add(Lower *lo, SVarKind kind, uint32_t of, TypeId type);
uint32_t svar_pre(Lower *lo, uint32_t var);
/* Its value before the event: an input may be set there, a parameter stays */
ExprId svar_before(Lower *lo, uint32_t var);
uint32_t svar_der(Lower *lo, uint32_t var);
ExprId svar_expr(const Structure *s, uint32_t var);
SRow *row_add(Lower *lo, SSystem *sys, SRowKind kind, ExprId lhs, ExprId rhs);
ExprId lower_default_start(Lower *lo, uint32_t var); /* start value as lowered expression */
/* A relation that is affine in time, and otherwise constant between events, happens at an instant
 * known beforehand. */
void find_instant(Lower *lo, SRelation *r);
Diag *lower_refuse(Lower *lo, const char *what); /* X001 at the equation at work */
const char *lower_origin(const FlatModel *m, uint32_t origin);
/* Is it a VAR node? Then *var is its number. */
bool lowered_var(const ExprPool *p, ExprId e, uint32_t *var);
ExprId logic_and(ExprPool *p, ExprId a, ExprId b);
ExprId logic_or(ExprPool *p, ExprId a, ExprId b);
ExprId logic_not(ExprPool *p, ExprId a);

/* lower_inside.c: an expression of the algorithm at work in terms of variables that it does not
 * assign. */
bool inside_needed(const Lower *lo, Stmt *const *body, uint32_t n);
void inside_begin(Lower *lo, Inside *in, bool initially);
void inside_assign(Lower *lo, uint32_t var, ExprId value);
void inside_forget(Lower *lo, Stmt *const *body, uint32_t n); /* what a loop assigns */
ExprId *inside_copy(Lower *lo);                               /* the values of all targets */
void inside_put(Lower *lo, const ExprId *values);
/* After an if: of each branch the condition (NO_EXPR: else) and the values that it leaves. */
void inside_join(Lower *lo, const ExprId *before, const StmtBranch *branches, ExprId *const *after,
                 uint32_t n);
ExprId inside_expr(Lower *lo, ExprId e); /* NO_EXPR: not known */
/* An SVar that the algorithm sets to it at this place */
uint32_t inside_condition(Lower *lo, ExprId condition);

/* switched.c: blocks of Reals read relations instead of Booleans, Integers and enumerations that
 * are defined by them. */
void switched_write_out(Structure *s, Arena *scratch);

/* settled.c: the literal value of a variable that cannot change any more; NO_EXPR if it has
 * none. */
ExprId settled_value(Lower *lo, uint32_t v);

/* lower_delay.c */
ExprId lower_delay(Lower *lo, const Expr *x, const ExprId *args);

/* lower_call.c: calls of functions with GenerateEvents = true */
bool lower_makes_events(const Lower *lo, const Expr *x);
ExprId lower_written_out(Lower *lo, const Expr *x, int mode);
/* A call, or a part of its result, whose arguments have become literals: what it is; NO_EXPR: not
 * known. */
ExprId lower_settled_call(Lower *lo, const Expr *x, const ExprId *args);
ExprId lower_settled_part(Lower *lo, const Expr *x, const ExprId *args);
/* Integers, Booleans and enumerations that vary between events: the same as a value that changes at
 * events. Else e itself. */
/* shared: by all that watch the same expression */
ExprId lower_watched(Lower *lo, ExprId e, bool shared);

/* lower_spatial.c */
ExprId lower_spatial(Lower *lo, const Expr *x, const ExprId *args);

/* steady.c: relations of time with variables that do not vary between events. */
void steady_instants(Lower *lo);

/* homotopy.c */
ExprId lower_homotopy(Lower *lo, ExprId actual, ExprId simplified);
/* Takes the simplified forms out of everything but the initial system */
void homotopy_actual(Lower *lo);

/* lower.c */
bool lower_model(Lower *lo);
/* After the states are chosen: fixed start values, and what may only be said of states. */
bool lower_fixed(Lower *lo);

/* modes.c: equations that hold in some modes only. */
/* Its value, that decides which equations hold; a literal stays one */
ExprId condition_decides(Lower *lo, ExprId condition);
void modes_choose(Lower *lo); /* leaves the rows that hold in the mode */
/* After the simulation was matched: marks if-equations one of whose branches leaves nothing to
 * determine; true if there are any. */
bool modes_needed(Lower *lo, bool *divides);
/* The same for conditions of if-expressions: adds them to the list */
typedef VEC(ExprId) Splits;
bool modes_split(Lower *lo, Splits *splits);
/* Equations that say the same as others in this mode (two diodes that both want a capacitor to be
 * empty) are left out. As many unknowns stay open (how the current divides): for these, marked, a
 * row whose coefficients are 0 makes a singular system, whose solution the run takes nearest to the
 * values before. */
void modes_drop_repeated(Lower *lo);
/* Per row of the simulation, before anything was differentiated */
void modes_drop_rows(Lower *lo, const bool *drop);
void modes_leave_open(Lower *lo, const bool *open);
void modes_say(Lower *lo, uint32_t from); /* names the mode in what was said since then */

/* zeros.c: factors whose value is 0, found in earlier attempts to build the structure. */
typedef struct {
  Map factors;      /* expression -> 1 */
  VEC(ExprId) list; /* the same, in order */
  /* SVar -> 1: a parameter behind one of them, or a variable that follows from parameters */
  Map marked;
  VEC(uint32_t) parameters;
} Zeros;
/* The finished structure divides by 0: true if entries were added */
bool zeros_needed(Lower *lo, Zeros *zs);
/* There was no structure: adds what the rows hold; true if there is something */
bool zeros_all(Lower *lo, Zeros *zs);
void zeros_write(Lower *lo, const Zeros *zs);
void zeros_guard(Lower *lo); /* parameters that equations were divided by must not become 0 */

/* point.c: numbers at translation. point 0: of parameters alone; else what varies has numbers, too,
 * others at each point. */
typedef struct {
  Lower *lo;
  Eval ev;
  Map known;       /* SVar, or call expression << 32 -> number in `kept` + 1; 0: no value */
  VEC(Value) kept; /* of parameters */
  uint32_t point;  /* below 64 */
  bool any;        /* parameters vary, too: what holds at a point holds whatever they are */
} PointEval;
PointEval *point_new(Lower *lo);
bool point_value(PointEval *pe, ExprId e, Value *out);
bool point_real(PointEval *pe, ExprId e, double *out); /* finite */

/* rank.c: derivatives of rows of the simulation by some SVars in them. */
typedef struct {
  uint32_t column;    /* number of the SVar; n_columns + i: the part that row i has in it */
  double value, size; /* size: of the terms that it is the sum of */
  ExprId d, bound;    /* the same as expressions: as read, and later only if they are wanted */
} RankCell;
typedef VEC(RankCell) RankRow; /* columns ascend */
typedef struct {
  Lower *lo;
  uint32_t n, n_columns;
  const uint32_t *which, *columns; /* rows, SVars */
  RankRow *rows;
  uint32_t *pivot; /* per row: its column; NO_SVAR */
  double *largest; /* per row: of its entries as read */
  bool assumes;    /* entries are not all literals */
  bool symbolic;   /* expressions are wanted */
} RankBlock;
/* NULL: an entry is not known. */
RankBlock *rank_new(Lower *lo, PointEval *at, const uint32_t *rows, uint32_t n,
                    const uint32_t *columns, uint32_t n_columns);
/* Once per block; returns the rank */
uint32_t rank_choose(RankBlock *b, const uint32_t *order, uint32_t n_order, bool *taken);
/* a fresh block, regular, of parameters and literals: the run checks that it is regular */
void rank_assume(RankBlock *b);
/* Of a linear block: singular wherever one looks */
bool rank_is_open(Lower *lo, PointEval *at, const SBlock *b);
/* A row without pivot, and the rows as they were written: do they say the same, or never agree? */
typedef enum { RANK_UNKNOWN, RANK_REPEATS, RANK_CONTRADICTS } RankSays;
RankSays rank_says(const RankBlock *b, uint32_t row, const uint32_t *origin, PointEval *at);

/* Constraints that say what others say, found in earlier attempts to build the structure: they are
 * left out. */
typedef struct {
  uint32_t row;       /* of the simulation, before it is differentiated */
  const Span *others; /* the equations that say the same */
  uint32_t n_others;
  const uint32_t *parameters; /* SVars: it says the same because of their values */
  uint32_t n_parameters;
} Repeat;
typedef struct Repeats {
  VEC(Repeat) list;
} Repeats;
void repeats_drop(Lower *lo); /* select.c; tells it */

/* constant.c */
void constants_eliminate(Lower *lo);

/* alias.c */
void alias_eliminate(Lower *lo);

/* section.c: the rows of an algorithm section become equations. False: it is one that must stay, as
 * the first one says. */
bool section_is_function(Lower *lo, uint32_t number);
bool section_as_equations(Lower *lo, uint32_t number);

/* derive.c: time derivative; NO_EXPR if there is none, *why: the function to blame, NULL if it is
 * none. */
ExprId lowered_derivative(Lower *lo, ExprId e, ExprId (*der_of)(void *user, ExprId var), void *user,
                          const char **why);

/* index.c: false after a diagnostic. */
/* late.c: functions of one expression that have a derivative of their own */
void late_rows(Lower *lo);
void late_row(Lower *lo, SRow *row);
bool index_reduce(Lower *lo);
bool index_counts(Lower *lo, const SRow *row); /* it says something about continuous variables */
/* jump.c: active: per row, it was not differentiated itself */
void jumps_find(Lower *lo, const bool *active);
/* pulse.c: false after a diagnostic */
bool pulses_find(Lower *lo);
uint32_t svar_impulse(Lower *lo, uint32_t var);
/* Per SVar: a highest derivative, or a continuous unknown without one */
bool *highest_derivatives(const Lower *lo);

/* prefer.c: gives derivatives to variables that shall be states and follow from states; true if
 * there are any. Per row: it was not differentiated itself. */
bool prefer_states(Lower *lo, const bool *active);

/* moved.c: tells which variables follow others that are reinitialised. */
void moved_tell(Lower *lo);

/* select.c: states, when equations were differentiated. Per row: the row it is the derivative of
 * (NO_ROW), and whether it was not differentiated itself. */
bool select_states(Lower *lo, const uint32_t *parent, const bool *active);

/* lower_when.c */
uint32_t condition_var(Lower *lo, ExprId condition); /* an SVar that holds its value */
typedef struct {
  ExprId active; /* an edge of one of the branch's conditions, and no earlier branch active */
  bool initial;  /* the branch holds during initialisation (its condition names initial()) */
} WhenBranch;
/* Reads the conditions of one branch; `before`: some earlier branch is active (NO_EXPR at first),
 * updated. */
WhenBranch when_branch(Lower *lo, ExprId condition, ExprId *before);
void lower_when(Lower *lo, const FlatEquation *eq);

/* lower_algorithm.c */
void lower_algorithm(Lower *lo, const FlatEquation *eq, bool initial_section);

/* assigned.c: per target, does the algorithm need its value from before? */
bool *algorithm_carried(const Structure *s, const SAlgorithm *alg, Stmt *const *statements,
                        Arena *a);
/* May some path assign the variable? */
bool statements_assign(const ExprPool *p, Stmt *const *statements, uint32_t n, uint32_t var);

/* incidence.c: which unknowns a row contains, and how. */
typedef enum { OCCURS_LITERAL, OCCURS_PARAMETER, OCCURS_LINEAR, OCCURS_NONLINEAR } Occurrence;
typedef struct {
  uint32_t var;
  Occurrence how; /* linear with a literal / parameter / varying factor, or not linear */
} Incidence;
typedef struct {
  Incidence *at;
  uint32_t n;
} IncidenceRow;
typedef struct {
  const SSystem *sys;
  IncidenceRow *rows;
} IncidenceTable;
/* `unknown` per SVar. */
IncidenceTable table_build(const Structure *s, const SSystem *sys, const bool *unknown,
                           bool initial, Arena *a);
bool row_may_solve(const Structure *s, const SRow *row, uint32_t var);
/* Jointly linear in the marked SVars. */
bool lowered_linear(const Structure *s, ExprId e, const bool *marked, Arena *a);
bool lowered_free(const Structure *s, ExprId e, const bool *marked, Arena *a);
void stmts_vars(const ExprPool *p, Stmt *const *body, uint32_t n,
                void (*visit)(void *user, ExprId e), void *user);

/* match.c */
typedef struct {
  uint32_t row, next; /* next place in its incidence to try */
} MatchStep;
typedef struct {
  uint32_t *row_of; /* per SVar: row that determines it; NO_ROW */
  uint32_t *var_of; /* per row */
  /* Per SVar: == now if the search at work, or one in vain since now changed, met it */
  uint32_t *stamp, now;
  VEC(uint32_t) met;   /* SVars that the search at work has met */
  uint64_t work;       /* SVars that successful searches have met */
  bool hasty;          /* they stay met */
  VEC(MatchStep) path; /* rows of the search at work */
  VEC(uint32_t) vars;  /* vars.at[k]: taken from path row k towards row k + 1 */
} Matching;
#define NO_ROW UINT32_MAX
Matching matching_new(const Structure *s, uint32_t n_rows, Arena *a);
/* Tries to match row r along an augmenting path; `allowed` per SVar; `limit`: the least good
 * occurrence that may be used. */
bool match_row(const Structure *s, const IncidenceTable *t, Matching *m, uint32_t r,
               const bool *allowed, Occurrence limit, Arena *a);
/* The same for all rows of the list that have none yet, in this order; returns how many stay
 * without. */
typedef VEC(uint32_t) MatchRows;
uint32_t match_rows(const Structure *s, const IncidenceTable *t, Matching *m, const MatchRows *rows,
                    const bool *allowed, Occurrence limit, Arena *a);
/* Marks rows and unknowns reachable from unmatched rows (over) or unknowns (under) along
 * alternating paths. */
void match_over(const Structure *s, const IncidenceTable *t, const Matching *m, bool *rows,
                Arena *a);
void match_under(const Structure *s, const IncidenceTable *t, const Matching *m,
                 const bool *unknown, bool *vars, Arena *a);

/* sort.c */
/* Orders a fully matched system into blocks (of rows and unknowns only). Returns false after a
 * diagnostic. */
bool sort_system(Structure *s, SSystem *sys, const IncidenceTable *t, const Matching *m,
                 bool initial, Arena *a, Diags *diags);

/* phases.c: phases of the sorted blocks of the simulation, and an order in which these stand
 * together. */
void schedule_blocks(const Structure *s, SSystem *sys, const IncidenceTable *t, const Matching *m,
                     Arena *a);

/* tear.c: chooses iteration variables of a LINEAR or NONLINEAR block; derivatives of its parts. */
typedef struct {
  bool *marked;    /* per SVar, all false; left so */
  uint32_t *local; /* per SVar, all 0; left so */
} BlockScratch;
void tear_block(const Structure *s, const SSystem *sys, const IncidenceTable *t, SBlock *b,
                BlockScratch *scratch, Arena *a, Diags *diags);
void block_partials(const Structure *s, SBlock *b, BlockScratch *scratch, Arena *a);

/* Linear blocks that are singular wherever one looks are solved as a whole */
void untear_open(Lower *lo, SSystem *sys);

/* solve.c: fills kind and value of a block. `marked`: per SVar, all false; left so. */
/* Solves one row for the unknown of a block of one, if that is possible by an assignment. */
bool solve_one(const Structure *s, const SRow *row, SBlock *b, const bool *marked, Arena *a,
               Diags *diags);
bool solve_block(Structure *s, const SSystem *sys, SBlock *b, bool *marked, Arena *a, Diags *diags);

/* system.c */
bool system_simulation(Lower *lo);
bool *system_unknowns(const Structure *s, Arena *a); /* per SVar: unknown in the simulation */
/* Matches the rows that are (not) initial_only; returns how many stay without an unknown. */
uint32_t system_match(const Lower *lo, const IncidenceTable *t, Matching *m, const bool *allowed,
                      bool initial_only);
const char *system_names(Lower *lo, const bool *vars, uint32_t except); /* "`a`, `b` and 3 more" */
/* Per SVar: a state in the marked rows */
bool *system_states_in(Lower *lo, const SSystem *sys, const bool *rows);
void system_report_over(Lower *lo, const SSystem *sys, const IncidenceTable *t, const Matching *m,
                        const bool *unknown);
/* initial.c */
bool system_initial(Lower *lo);
/* guard.c */
void guards_find(Lower *lo);
/* graph.c: who reads whom. Nodes: blocks of the simulation, actions, samples. */
typedef struct {
  uint32_t to;
  bool instant; /* the value of this instant is needed */
  bool moving;  /* it moves between events, and is read then */
} GraphEdge;
typedef struct {
  uint32_t to;
  bool strong;
} Link;
typedef struct {
  uint32_t *start; /* those of node k: links.at[start[k] .. start[k + 1]) */
  VEC(Link) links;
} Links;
/* AT_START: asks for initial() */
enum { READS_TIME = 1, READS_INPUT = 2, HAS_ORDER = 4, HAS_DELAY = 8, AT_START = 16 };
typedef struct Calls Calls;
typedef struct {
  uint32_t n_blocks, first_sample, n;
  uint32_t *node_of; /* per SVar: the block that determines it, or its derivative; NO_NODE */
  bool *varies;      /* per SVar: between events */
  uint32_t *start;   /* node k reads edges.at[start[k] .. start[k + 1]) */
  VEC(GraphEdge) edges;
  unsigned char *flags; /* per node */
  bool *moves;          /* per node: it determines something that varies between events */
  Links readers;        /* strong: between events, for something that varies, too */
  /* Per node, from islands_find: the island whose states it is tied to; NO_NODE */
  uint32_t *core;
  Calls *calls;
} BlockGraph;
BlockGraph *graph_build(const Structure *s, Arena *a);
/* field.c: relations that switch a field only: true if there are any; without those that do not act
 * on their own sides: true if there were any. And which are about the same surface, when they have
 * their numbers. */
bool fields_find(const Structure *s, const BlockGraph *g, Arena *a);
bool fields_drop(const Structure *s, const BlockGraph *g, Arena *a);
void pushes_find(Structure *s, Arena *a); /* push.c: where contact forces act */
/* Where equations change: conditions that are relations switch a field, too */
void fields_of_modes(Structure *s, const BlockGraph *g);
void surfaces_find(Structure *s, Arena *a);

/* size.c: how large what relations compare is. Parts are known. */
void sizes_find(Structure *s, Arena *scratch);
/* The check becomes node n, for the time being. False: it has effects. */
bool graph_read_check(BlockGraph *g, const Structure *s, const SAction *check, Arena *a);
/* The home of all nodes that a node reads, or that read it: NO_NODE, one or SEVERAL; what moves
 * between events counts first. */
#define SEVERAL (UINT32_MAX - 1)
uint32_t home_of_reads(const BlockGraph *g, uint32_t node, const uint32_t *home);
uint32_t home_of_readers(const BlockGraph *g, uint32_t node, const uint32_t *home);
/* Per node the number of its strongly connected component, along strong links or all. */
uint32_t *links_components(const Links *g, uint32_t n, bool all, Arena *a);
/* island.c: also puts the states in order. */
void islands_find(Structure *s, BlockGraph *g, Arena *a);
/* part.c: what may be evaluated and stepped on its own; needs the islands. */
void parts_find(Structure *s, BlockGraph *g, Arena *a);
/* part_order.c: blocks, actions, checks, relations, samples and states in the order of their
 * parts. */
typedef struct {
  uint32_t n; /* parts */
  /* Per each of them: its part; NO_PART: none */
  const uint32_t *blocks, *actions, *checks, *samples;
} PartsFound;
void parts_arrange(Structure *s, const PartsFound *found, Arena *a);
/* layout.c */
void layout_places(Structure *s, Arena *a);
void layout_common(Structure *s, Arena *a); /* of a model whose structure changes */
/* parameters.c */
bool order_parameters(Lower *lo);
/* keep.c: is the function one whose calls must stay in order, because it has effects or a
 * memory? */
Calls *calls_new(const Structure *s, Arena *a);
bool calls_have_order(Calls *calls, const Func *f);
/* Does a record hold the variable in any case, as a change? Does it never change? */
bool keep_is_change(const SVar *v);
bool keep_is_constant(const Structure *s, const SVar *v);
