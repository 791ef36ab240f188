#pragma once
/* structure/structure.h -- flat hybrid DAE -> sorted blocks.
 * Every value that equations talk about becomes an SVar: the variables of the flat model under
 * their own numbers, then derivatives, pre values, relations, when-conditions, samples and the
 * buffers of floor, ceil, div ... Expressions here are lowered: they contain no DER, PRE, EDGE,
 * CHANGE, NOEVENT, SMOOTH, HOMOTOPY, SAMPLE; a VAR node names an SVar, and a relation that is still
 * a relation is evaluated as it stands, without an event.
 * Two systems are sorted: one for initialisation, one for everything after it. */
#include "base/map.h"
#include "flat/flat.h"

#define NO_SVAR UINT32_MAX

typedef enum {
  SV_VAR,
  SV_DER,
  SV_PRE,
  SV_RELATION,
  SV_CONDITION,
  SV_BUFFER,
  SV_SAMPLE,
  SV_LAMBDA,
  SV_CHOSEN,
  SV_CHOICE,
  SV_IMPULSE
} SVarKind;
typedef enum {
  BANK_REAL,
  BANK_INTEGER,
  BANK_STRING,
  BANK_REAL_PRE,
  BANK_INTEGER_PRE,
  BANK_STRING_PRE,
  BANK_RELATION,
  BANK_SAMPLE
} SBank;

typedef struct {
  SVarKind kind;
  /* VAR: its own number; DER, PRE: the SVar under the operator; RELATION, SAMPLE: number; CHOSEN,
   * CHOICE: number of the selection; IMPULSE: the SVar whose pulse it is; else a running number */
  uint32_t of;
  TypeId type;
  ExprId expr;    /* its VAR node */
  ExprId meaning; /* CONDITION, BUFFER: what it holds */
  ExprId alias;   /* what it was found equal to: a variable up to sign; NO_EXPR if nothing */
  ExprId always;  /* the same, if it holds in all modes */
  bool known;     /* parameter, constant or input */
  bool discrete;  /* keeps its value between events */
  bool state;     /* a VAR whose derivative occurs */
  bool free;      /* a state, or a parameter, whose initial value equations may determine */
  bool vanishes;  /* what determines it may be exactly 0 in some mode */
  bool absent;    /* nothing in this mode says anything about it: it keeps its value */
  /* DER: reinit acts on the state, so that events may accumulate and a contact force act on it */
  bool pushed;
  /* See push.c; the second of a state: something does not see the force */
  bool push_negated, push_hidden;
  /* Number of the state + 1 whose contact force is added to it, or taken away; 0: none */
  uint32_t push_of;
  /* a parameter whose value 0 shaped the structure: a change needs a new translation */
  bool shapes;
  uint32_t der, pre; /* SVars; NO_SVAR if none */
  uint32_t pulse;    /* SVar of its impulse(); 0: none */
  uint32_t dormant;  /* its derivative, that does not occur in this mode; 0: none */
  SBank bank;
  uint32_t place; /* in its bank */
  Span span;
} SVar;

/* Relation a op b outside of noEvent whose operands vary between events. */
typedef struct {
  Op op;
  ExprId a, b;
  ExprId left, right; /* the same as written: before anything was replaced */
  uint32_t var;       /* its SVar */
  bool timed;         /* depends on time and discrete values only, affine in time */
  bool rising;        /* timed: a-b grows with time */
  ExprId instant;     /* timed: where a-b = 0 */
  bool mixed;         /* in a loop with unknowns that its operands depend on */
  ExprId guard;       /* it matters only while this holds; NO_EXPR: always */
  ExprId area;        /* of the pulse in a - b; NO_EXPR: there is none in this mode */
  ExprId size, terms; /* how large what it compares is, see size.c; NO_EXPR: not known */
  bool field;         /* only continuous Reals depend on it */
  bool modal;         /* derivatives depend on it, directly or by way of discrete variables */
  /* Its operands follow from states, time and values that are held, without equations */
  bool direct;
  bool swapped;          /* it compares the sides of its surface the other way round */
  uint32_t surface;      /* number of the first relation between the same two sides */
  unsigned char chatter; /* DsChatter of dsblock.h, as its equation asks for */
  /* It stands under noEvent: the SVar, + 1, that says whether it makes events all the same; 0:
   * none */
  uint32_t watch;
  /* It stands for sign() of this, in the flat model; NO_EXPR: it was written as it is */
  ExprId sign;
  Span span;
} SRelation;

typedef struct {
  ExprId start, interval;
  uint32_t var;
  Span span;
} SSample;

/* delay(): what is recorded, how long, and how long at most. */
typedef struct {
  uint32_t in; /* SVar of the expression */
  ExprId delay, most;
  bool varies; /* the delay, between events */
  Span span;
} SDelay;

/* spatialDistribution(): what is recorded, and the initial distribution. */
typedef struct {
  uint32_t recorded[4]; /* SVars: in0, in1, x, 1 if the velocity is positive else 0 */
  uint32_t n;           /* points */
  ExprId *points, *values;
  Span span;
} STransport;

/* A statement sequence that determines its targets as one unit. */
typedef struct {
  Stmt **body;    /* lowered; when became if */
  Stmt **initial; /* the same as it stands during initialisation */
  uint32_t n_body;
  uint32_t *targets, n_targets;
  /* Per target: some path of body, of initial, needs the value from before */
  bool *carried, *carried_initially;
  Span span;
} SAlgorithm;

typedef enum { ROW_EQUAL, ROW_RELATION, ROW_ALGORITHM } SRowKind;

/* One scalar equation (an algorithm has one row per target, all with the same number). */
typedef struct {
  SRowKind kind;
  ExprId lhs, rhs; /* EQUAL; RELATION: the operands */
  /* With calls that late.c has put in place; NO_EXPR: there are none */
  ExprId written_lhs, written_rhs;
  uint32_t number;        /* RELATION, ALGORITHM */
  uint32_t only;          /* the one unknown it may determine; NO_SVAR: any */
  bool initial_only;      /* an initial equation, or what stands for one */
  uint32_t derivative_of; /* row of the simulation that was differentiated, + 1; 0: as written */
  uint32_t times;         /* how often it was differentiated itself */
  ExprId guard;           /* of conditions: it holds in modes where this is true; NO_EXPR: in all */
  uint32_t choice;        /* number of the if-equation whose branches it joins, + 1; 0: none */
  bool invariant; /* a constraint on states that its derivatives keep: no row of the simulation */
  bool of_jump;   /* one of the equations of a jump, or a derivative of one */
  uint32_t origin;
  Span span;
} SRow;

typedef enum {
  BLOCK_EXPLICIT,
  BLOCK_LINEAR,
  BLOCK_NONLINEAR,
  BLOCK_RELATION,
  BLOCK_ALGORITHM
} SBlockKind;
/* events only; for derivatives and indicators; the rest. Keep: in the order of DsSolved */
typedef enum { PHASE_DISCRETE, PHASE_DYNAMIC, PHASE_OUTPUT } SPhase;

/* Derivative of a part of a block by the block's unknown number `of`. */
typedef struct {
  uint32_t of;
  ExprId d;
} SPartial;
typedef VEC(SPartial) SPartials;

/* LINEAR and NONLINEAR blocks: the first n_tear unknowns are iterated (or solved for at once), the
 * others follow from them in order: unknown k = parts[k] for k >= n_tear. parts[k] for k < n_tear
 * are the residuals. */
typedef struct {
  SBlockKind kind;
  SPhase phase;
  uint32_t n;
  uint32_t mixed; /* number of its mixed system + 1; 0: none */
  bool cut;       /* of a mixed system: its unknown is held while the other blocks are solved */
  /* Discrete and continuous Reals at an event; the continuous ones are determined again by
   * blocks that follow */
  bool joint;
  uint32_t *rows, *unknowns; /* n each; row k determines unknown k */
  ExprId value;              /* EXPLICIT: of the unknown */
  uint32_t n_tear;
  ExprId *parts;
  /* Per part, by all unknowns of the block; NULL if they must be differenced */
  SPartials *partials;
} SBlock;

/* Blocks that are solved for held values of relations and of Boolean or Integer unknowns, until
 * these agree with the result. */
typedef struct {
  VEC(uint32_t) relations; /* numbers */
  VEC(uint32_t) discrete;  /* SVars but for Strings */
  VEC(uint32_t) strings;   /* SVars */
  Span span;               /* of an equation for one of them */
} SMixed;

typedef struct {
  VEC(SRow) rows;
  uint32_t *match;    /* row -> SVar */
  VEC(SBlock) blocks; /* in order of evaluation */
} SSystem;

typedef enum { ACTION_REINIT, ACTION_ASSERT, ACTION_TERMINATE, ACTION_CALL } SActionKind;

/* What happens beside equations. `guard` NO_EXPR: always. In `checks`: asserts and calls outside of
 * when; in `actions`: in when, and calls among the initial equations. */
typedef struct {
  SActionKind kind;
  ExprId guard;
  uint32_t state; /* REINIT */
  ExprId value;   /* REINIT: new value; ASSERT: condition; CALL: the call */
  ExprId message, level;
  Span span;
} SAction;

/* An initial equation for which nothing was left to determine. */
typedef struct {
  ExprId lhs, rhs;
  const char *others; /* fixed states that it competes with; "" if unknown */
  Span span;
} SRedundant;

/* States that depend on each other while time passes, alone or by way of events: states.at[first ..
 * first + n). */
typedef struct {
  uint32_t first, n;
  uint32_t blocks; /* of the simulation, that belong to it */
} SIsland;
#define NO_ISLAND UINT32_MAX

/* Island `from` acts on island `to`. */
typedef struct {
  uint32_t from, to;
  bool events_only;
} SInfluence;

/* What may be evaluated, stepped and have events on its own (DsPart in dsblock.h). Everything that
 * is listed here stands together: first and number of each. */
typedef struct {
  uint32_t block, n_blocks; /* of the simulation */
  uint32_t action, n_actions, check, n_checks;
  uint32_t relation, n_relations, sample, n_samples;
  uint32_t x, n_x, r, n_r, i, n_i, s, n_s; /* places */
  uint32_t discrete, n_discrete;           /* in the list of structure_discrete */
  bool delays;
  /* Parts whose values it reads: n_moving that move between events, then the others; both
   * ascending */
  const uint32_t *reads;
  uint32_t n_moving, n_reads;
} SPart;
#define NO_PART UINT32_MAX

/* Variables that constraints tie to each other, none of which can be a state all the time: their
 * states are CHOSEN variables, each equal to the candidate that its CHOICE names, which the run
 * changes when another candidate becomes the better one. */
typedef struct {
  uint32_t n, n_rows;   /* candidates; constraints: n - n_rows states */
  uint32_t *candidates; /* SVars */
  double *weights;      /* per candidate: how gladly it is no state; 1 for StateSelect.default */
  uint32_t *states, *choices, *first; /* SVars, SVars, number of the first candidate */
  uint32_t entry, n_entries;          /* in Structure.entries */
  Span span;
} SSelection;

/* Derivative of constraint `row` by candidate `column`. */
typedef struct {
  uint32_t row, column;
  ExprId d;
} SEntry;

/* A Boolean that decides which equations hold. The values of all of them are the mode. */
typedef struct {
  uint32_t var; /* SVar */
  bool value;   /* in the mode of this structure */
  /* Number of the relation that it is and that nothing else depends on, + 1; 0: none */
  uint32_t relation;
  bool negated; /* it is the contrary of the relation */
  Span span;
} SCondition;

/* Equations that bind states when the mode begins, and through which pulses act: E x' + A x + b = 0
 * of n unknowns x, as written. */
typedef struct {
  uint32_t n;
  uint32_t *rows; /* of the simulation, when it was made */
  uint32_t *vars; /* SVars of x */
  /* Of E and A: derivative of residual `row` by der(x), by x, number `column` */
  VEC(SEntry) rates, values;
  ExprId *residuals; /* n */
  ExprId *moves;     /* n: derivative of the residual with respect to time while x stands still */
  Span *spans;       /* n */
} SJump;

typedef struct Structure {
  const FlatModel *model;
  VEC(SCondition) conditions; /* none: the structure never changes */
  /* SVars whose derivative occurs in some mode, and these derivatives */
  VEC(uint32_t) common_states, common_ders;
  /* Equations of the mode that repeat others: as many unknowns are left open */
  uint32_t n_repeated;
  /* SVars 0 .. n_common - 1 are the same in all modes, and have the same places */
  uint32_t n_common;
  /* How the model was read: per if-equation, as far as it is known, whether its branches are kept
   * apart; and conditions of if-expressions that are treated likewise. */
  const bool *divides;
  const ExprId *splits;
  uint32_t n_divides, n_splits;
  /* Algorithm sections, by number, that stand in loops with equations; found by sorting */
  Map *looped;
  /* Arguments of sign(), in the flat model, whose relations would be in a loop with themselves */
  const Map *literal_signs;
  VEC(SVar) vars;
  VEC(SRelation) relations;
  VEC(SSample) samples;
  VEC(SDelay) delays;
  VEC(STransport) transports;
  VEC(SAlgorithm) algorithms;
  VEC(SMixed) mixed; /* of both systems */
  VEC(SAction) actions, checks;
  VEC(SAction) guards;      /* asserts about parameters alone, checked once when these are known */
  VEC(uint32_t) parameters; /* SVars with bindings in order of evaluation */
  ExprId *bindings;         /* per flat variable: lowered; NO_EXPR if none */
  ExprId *starts;           /* per flat variable: lowered start; NO_EXPR if none */
  VEC(uint32_t) states;     /* SVars part by part, island by island; place = index in x */
  SSystem simulation, initial;
  VEC(SJump) jumps; /* in order of evaluation */
  /* Constraints that hold by themselves once they hold, but for errors of the integration */
  VEC(SRow) invariants;
  SSystem pulses;       /* areas of pulses, from those that the jumps give */
  VEC(SIsland) islands; /* an island stands behind those that act on it between events */
  /* Per block of the simulation; NO_ISLAND: read by several, or by none that has states */
  uint32_t *island_of_block;
  VEC(SInfluence) influences;
  bool influences_known; /* false: there would be too many */
  VEC(SPart) parts;      /* in order of evaluation; none: the whole is one */
  /* Per block of the simulation; NO_PART: it only reads; NULL without parts */
  uint32_t *part_of_block;
  VEC(SSelection) selections;
  VEC(SEntry) entries;                  /* of all selections */
  VEC(SRedundant) redundant;            /* checked after initialisation */
  uint32_t n_real, n_integer, n_string; /* sizes of the banks */
  uint32_t lambda; /* SVar of the homotopy parameter; NO_SVAR if there is none */
  bool has_terminal;
  /* For runs that come to this mode after their start: no equations for initial values, no start
   * values */
  bool later;
} Structure;

/* NULL if errors were added. The result lives in `a`. */
Structure *structure_build(const FlatModel *m, Arena *a, Diags *diags);
/* The same with a pool of its own for expressions that are added, in `a` (pool_on): threads that
 * share a structure have a view each. */
const Structure *structure_view(const Structure *s, Arena *a);
/* The same model in another mode: with these values of s->conditions. `initial`: also what a run
 * needs that begins in it. */
Structure *structure_in_mode(const Structure *s, const bool *values, bool initial, Arena *a,
                             Diags *diags);
/* "`contact`, not (`x > 0`)": the mode of the structure, or that with the values. */
void structure_mode_text(const Structure *s, const bool *values, Text *out);
/* Which derivatives depend on which states between events, by states: state j acts on the
 * derivatives of the states rows[start[j] .. start[j + 1]), ascending. */
typedef struct {
  uint32_t n;
  uint32_t *start, *rows;
  bool autonomous; /* no derivative depends on time itself */
} SPattern;
/* False: it is too large to be worked out. */
bool structure_pattern(const Structure *s, Arena *a, SPattern *out);
/* Partial derivatives of the equations that the derivatives come from. Nodes: states, time, then
 * per step its unknowns (iterated ones first); rows: per step those of the unknowns that are not
 * iterated, then the residuals. Entry q of row i, start[i] <= q < start[i + 1], is the derivative
 * of the row by a node. The steps of relations follow those that the derivatives need: each is the
 * assignment of a - b, after what that follows from. */
#define NO_NODE UINT32_MAX
#define UNKNOWN_NODE (UINT32_MAX - 1)
typedef struct {
  uint32_t node;
  ExprId d;
} STangentEntry;
typedef struct {
  uint32_t n, n_tear;  /* n_tear 0: an assignment */
  const SBlock *block; /* NULL: a - b of a relation, of this number */
  uint32_t relation;
} STangentStep;
typedef struct {
  /* Entries that are difference quotients, because of functions without derivative */
  uint32_t n_nodes, n_quotients;
  VEC(STangentStep) steps;
  VEC(uint32_t) start;
  VEC(STangentEntry) entries;
  uint32_t *der;          /* per state: node of its derivative; NO_NODE: it does not move */
  uint32_t n_slope_steps; /* those that the derivatives need */
  uint32_t *relation;     /* per relation: node of a - b; NO_NODE; UNKNOWN_NODE: it cannot be
                         differentiated */
} STangent;
/* False: some part cannot be differentiated. */
bool structure_tangent(const Structure *s, Arena *a, STangent *out);
/* Is the matrix of the block given by its entries, not as a whole (see DsBlock)? */
bool structure_by_entries(const SBlock *b);
/* Derivatives (slopes) of the parts of a block by its iterated unknowns: of part k by of[start[k]]
 * .. of[start[k] + n[k] - 1], ascending. Inner parts come first, then the residuals, so that the
 * matrix is what stands from start[0] on. */
typedef struct {
  uint32_t *start, *n, *of, total;
  bool by_entries; /* structure_by_entries */
} SSlopes;
SSlopes *structure_slopes(const SBlock *b, Arena *a); /* NULL: they must be differenced */
/* The parts in order of evaluation: inner ones, then residuals */
uint32_t slopes_part(const SBlock *b, uint32_t k);
uint32_t slopes_entries(const SBlock *b, const SSlopes *sl); /* of the matrix */

/* What a record of a run must hold of the continuous Real unknowns of a block, so that all of them
 * can be computed again to the last bit. Discrete variables, Integers and Strings are always
 * recorded. */
typedef enum {
  KEEP_NOTHING,
  KEEP_SINGULAR, /* the iterated ones, from when its full matrix was singular for the first time */
  KEEP_ITERATED, /* the iterated ones */
  KEEP_ALL       /* it must not be evaluated again, or depends on what is not recorded */
} SKeep;
/* Per block of the simulation; KEEP_NOTHING where events only count */
SKeep *structure_keep(const Structure *s, Arena *a);

/* A place in r that is recorded at every point. */
typedef struct {
  uint32_t place;
  uint32_t island;  /* NO_ISLAND: of none alone */
  const char *name; /* structure_name */
} SColumn;
typedef struct {
  uint32_t n_columns, n_changes;
  const SColumn *columns; /* the states, then the others by place */
  /* Places in r whose values jump if they change at all: discrete Reals, inputs; ascending */
  const uint32_t *changes;
} SRecord;
SRecord structure_recorded(const Structure *s, Arena *a);
/* Places of discrete Reals, ascending. */
uint32_t *structure_discrete(const Structure *s, Arena *a, uint32_t *n);
/* Places of continuous Reals whose pre values are read, ascending. */
uint32_t *structure_pre_reads(const Structure *s, Arena *a, uint32_t *n);
/* The variable at a place in r; NO_SVAR if there is none. */
uint32_t structure_at_place(const Structure *s, uint32_t place);

/* A slice: what must be computed, and nothing else, to get the values of some variables at a point
 * whose record is known. */
#define WHOLE_BLOCK UINT32_MAX
typedef struct {
  uint32_t block; /* of the simulation */
  /* The unknown to compute, of a block whose iterated unknowns are recorded; or WHOLE_BLOCK */
  uint32_t part;
} SStep;
typedef struct {
  uint32_t n_steps, n_reads;
  const SStep *steps; /* in order of evaluation */
  /* Recorded places in r that it needs, those that are wanted themselves included; ascending */
  const uint32_t *reads;
  /* It needs values that change at events: discrete ones, inputs, relations, pre */
  bool discrete;
  uint32_t missing; /* after false: an SVar that cannot be computed and is not recorded */
} SSlice;
/* wanted: numbers of flat variables, or -1 - number for the derivative of one; recorded: per place
 * in r. */
bool structure_slice(const Structure *s, const int *wanted, uint32_t n, const bool *recorded,
                     Arena *a, SSlice *out);

/* Invariants that hold states alone: see DsModel.invariants. Column: place in x. */
typedef struct {
  uint32_t n, n_entries;
  ExprId *residuals;
  Span *spans; /* of the residuals */
  SEntry *entries;
} SInvariants;
SInvariants structure_invariants(const Structure *s, Arena *a);

/* Relations as formulas of states, time and values that are held: see DsTerm in dsblock.h. */
typedef struct {
  int op, a, b, c; /* op: DsTermOp */
} STerm;
typedef struct {
  VEC(STerm) terms;
  VEC(double) numbers;
  uint32_t *first, *n; /* per relation: of its terms; n 0: it has no formula */
} SFormulas;
SFormulas structure_formulas(const Structure *s, Arena *a);

/* Areas of pulses: see DsPulse in dsblock.h. */
typedef struct {
  uint32_t place;
  int variable, state;
} SPulse;
SPulse *structure_pulses(const Structure *s, Arena *a, uint32_t *n);

/* At an event at which no state jumps: would a second pass over all equations find the values of
 * the first? False: it is not known. */
bool structure_one_pass(const Structure *s);

/* Text for `nusim dump --structure`. */
void structure_dump(const Structure *s, const Diags *diags, Text *out);
/* Modelica-like name: x, der(x), pre(x), "x > 0" for a relation ... */
void structure_name(const Structure *s, uint32_t var, Text *out);
/* The variable of the flat model that an SVar is about, for messages: its number, or -1 - number
 * for a derivative of it. */
int structure_variable(const Structure *s, uint32_t var);
/* Place in r of the derivative of a flat variable that is a state, in some mode at least; -1 if it
 * is none. */
int structure_watch(const Structure *s, uint32_t relation); /* DsRelation.watch */
int structure_der_place(const Structure *s, uint32_t var);
/* Places of derivatives of which this mode says nothing, because their variables follow from others
 * there. */
uint32_t *structure_unsaid(const Structure *s, Arena *a, uint32_t *n);
/* Does the block depend on the parameter of homotopy()? */
bool structure_has_homotopy(const Structure *s, const SBlock *b);
/* Is a variable equal to another one, or to its negative, in all modes? */
bool structure_alias(const Structure *s, uint32_t var, uint32_t *of, bool *negated);
/* Modelica text of a lowered expression. */
void structure_print(const Structure *s, ExprId e, Text *out);
