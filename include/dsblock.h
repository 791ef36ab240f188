/* dsblock.h -- the model interface: what generated C, C written by hand and the runtime agree on.
 * A DSblock is one function, dsblock(), that returns a description with tables and entry points.
 * The runtime owns all data of a run (DsData); a model owns nothing that changes, so many runs may
 * share it, also between threads.
 *
 * Which entry point may be called when (time frozen in the first five, running in the last three):
 *   parameters, start      once, in this order, before everything else
 *   initial                until the relations settle; afterwards the run begins
 *   events, actions        at each pass of an event: all equations, then reinit, terminate and
 *                          assertions of when-clauses
 *   samples, instants      after the parameters are known / after each event: the next time events
 *   derivatives            continuous phase: from time, x, u to xdot and to what the indicators
 *                          need
 *   crossings, outputs     after derivatives: the two sides of each relation; the remaining
 *                          variables
 *   checks                 after outputs: assertions
 * To set arguments (setArg) is to store into DsData: time, x = r[0 .. nx), inputs at their places.
 * Derivatives appear in r[nx .. 2 nx). Every function returns DS_OK, DS_RETRY (a trial point was
 * bad: a smaller step may help) or DS_FATAL.
 *
 * This header includes nothing, so that it compiles without a C library at hand; it is also the
 * first part of the text that the in-memory compiler sees, hence the classic include guard. */
#ifndef DSBLOCK_H
#define DSBLOCK_H

#define DS_VERSION 5

enum { DS_OK = 0, DS_RETRY = 1, DS_FATAL = 2 };

typedef enum { DS_REAL, DS_INTEGER, DS_BOOLEAN, DS_ENUMERATION, DS_STRING } DsType;
typedef enum { DS_CONTINUOUS, DS_DISCRETE, DS_PARAMETER, DS_CONSTANT } DsVariability;
typedef enum { DS_LOCAL, DS_INPUT, DS_OUTPUT } DsAccess;
typedef enum {
  DS_KNOWN,         /* parameter, constant, input */
  DS_STATE,         /* its derivative is `der` places in r */
  DS_EXPLICIT,      /* computed by an assignment */
  DS_IMPLICIT,      /* solved together with others */
  DS_DISCRETE_STATE /* keeps its value between events */
} DsProperty;

enum {
  DS_FIXED = 1,
  DS_STRUCTURAL = 2,
  DS_FINAL = 4,
  DS_IS_PROTECTED = 8,
  DS_FLOW = 16,
  DS_HAS_START = 32,
  DS_SOLVED = 64,
  DS_ABSENT = 128 /* no equation of this structure says anything about it: it keeps its value */
};

/* A component of the model: the inner nodes of the variable tree. */
typedef struct {
  const char *name; /* full path; "" for the model itself */
  const char *class_name;
  int parent;
} DsComponent;

typedef struct {
  const char *name;                                     /* full name, as the user writes it */
  const char *unit, *display_unit, *quantity, *comment; /* "" if not given */
  const char *const *literals; /* of an enumeration, from ordinal 1; else 0 */
  int n_literals;
  int component; /* index in DsModel.components */
  int place;     /* Real: in r; Integer, Boolean (0/1), enumeration (ordinal): in i; String: in s */
  int der;       /* place in r of its derivative; -1 if it is no state */
  unsigned char type, variability, access, property, flags;
} DsVariable;

/* Where an equation comes from: [lo, hi) are positions of the session that translated the model. */
typedef struct {
  unsigned lo, hi;
  const char *where; /* "File.mo:12"; "" if unknown */
} DsPlace;

/* What becomes of events without end where both fields of a relation lead to its surface; DS_ANY:
 * as the run decides. */
typedef enum { DS_ANY, DS_SLIDE, DS_KEEP, DS_ERROR } DsChatter;
typedef enum { DS_LT, DS_LE, DS_GT, DS_GE, DS_EQ, DS_NE } DsCompare;

/* a - b of a relation as a formula of states, time and what is held between events, so that the run
 * can tell where it lies over a whole step. Its terms stand in order of evaluation; operands a, b,
 * c are numbers of terms of the same formula, counted from 0. */
typedef enum {
  DS_TERM_NUMBER, /* DsModel.numbers[a] */
  DS_TERM_TIME,
  DS_TERM_STATE, /* x[a] */
  /* held: r[a], r_pre[a], i[a] ... */
  DS_TERM_REAL,
  DS_TERM_REAL_PRE,
  DS_TERM_INTEGER,
  DS_TERM_INTEGER_PRE,
  DS_TERM_RELATION,
  DS_TERM_IF, /* if a then b else c; conditions are 0 or 1 */
  DS_TERM_NEG,
  DS_TERM_ADD,
  DS_TERM_SUB,
  DS_TERM_MUL,
  DS_TERM_DIV,
  DS_TERM_POW,
  DS_TERM_LT,
  DS_TERM_LE,
  DS_TERM_GT,
  DS_TERM_GE,
  DS_TERM_EQ,
  DS_TERM_NE,
  DS_TERM_NOT,
  DS_TERM_AND,
  DS_TERM_OR,
  DS_TERM_ABS,
  DS_TERM_SIGN,
  DS_TERM_MIN,
  DS_TERM_MAX,
  DS_TERM_SQRT,
  DS_TERM_SIN,
  DS_TERM_COS,
  DS_TERM_TAN,
  DS_TERM_ASIN,
  DS_TERM_ACOS,
  DS_TERM_ATAN,
  DS_TERM_ATAN2,
  DS_TERM_SINH,
  DS_TERM_COSH,
  DS_TERM_TANH,
  DS_TERM_EXP,
  DS_TERM_LOG,
  DS_TERM_LOG10
} DsTermOp;
enum { DS_MOST_TERMS = 64 }; /* of one formula */
typedef struct {
  int op, a, b, c;
} DsTerm;

/* A relation a op b that makes events. `timed`: it only depends on time and on discrete values;
 * then it is a time event at the instant that `instants` gives, and `rising` tells whether a-b
 * grows with time. `mixed`: it stands in a loop with the unknowns it depends on: its new value is
 * proposed in relation_new and settled by iteration (see DsMixed). `field`: only continuous Reals
 * depend on it, so that the solution may slide along its surface. `direct`: a and b follow from
 * time, states and discrete values without equations. `surface`: the first relation between the
 * same two sides, `swapped` if b and a there. `modal`: derivatives depend on it, directly or by way
 * of discrete values. */
typedef struct {
  unsigned char op, timed, rising, mixed;
  unsigned char field, direct, swapped, modal, chatter; /* chatter: DsChatter */
  int surface;
  /* It stands under noEvent: place in r that is above 0 if it makes events all the same; -1: it
   * always does */
  int watch;
  DsPlace place;
  int term, n_terms; /* its formula: first in DsModel.terms, and how many; 0: there is none */
} DsRelation;

/* When a block is solved: at the start or at events only; by `derivatives`; by `outputs`, that is,
 * else. */
typedef enum { DS_SOLVED_AT_EVENTS, DS_SOLVED_BY_DERIVATIVES, DS_SOLVED_BY_OUTPUTS } DsSolved;

/* One block of simultaneous equations, for messages. */
typedef struct {
  /* The first n_iterated unknowns are solved for, the others follow from them */
  int n, n_iterated;
  /* n unknowns: index in DsModel.variables, or -1 - index for the derivative of one */
  const int *variables;
  const int *places;   /* n equations: index in DsModel.places */
  int homotopy;        /* homotopy() occurs in it */
  int solved;          /* DsSolved */
  const int *iterated; /* n_iterated places in r */
  /* A linear block whose matrix is given by its entries: those of row i have the columns
   * columns[start[i]] .. columns[start[i + 1] - 1]. 0: the matrix is full. */
  const int *start, *columns;
} DsBlock;

/* A mixed system: equations that are solved for held values of some relations, and of some
 * Integers, Booleans and Strings, which themselves depend on the solution. */
typedef struct {
  int n_relations, n_integers, n_strings;
  const int *relations; /* numbers */
  const int *integers;  /* places in i */
  const int *strings;   /* places in s */
  DsPlace place;        /* of an equation for one of them */
} DsMixed;

/* An initial condition beyond those that were needed: it must hold when values have been found. */
typedef struct {
  const char *left_text, *right_text; /* its two sides; the right one is empty if it is a number */
  const char *others;                 /* what it competes with; "" if unknown */
  DsPlace place;
} DsRedundant;

/* Variables that constraints tie to each other, none of which can be a state all the time: state k
 * is the candidate number i[choices[k]], and the runtime changes the choices. */
typedef struct {
  int n, n_states, n_entries;
  const int *candidates; /* n places in r */
  /* n: index in DsModel.variables, or -1 - index for the derivative of one */
  const int *variables;
  const double *weights;     /* n: how gladly each is no state */
  const int *states;         /* places in x */
  const int *choices;        /* places in i */
  const int *first;          /* choices to begin with */
  const int *rows, *columns; /* of the entries: derivative of a constraint by a candidate */
} DsSelection;

/* Equations that bind states when a mode begins, E x' + A x + b = 0 of n unknowns: what may jump,
 * and pulses. Of each `jump` (see DsModel) gives the entries of E, those of A, the residuals, and
 * the derivatives of these with respect to time while x stands still: n_rates + n_values + 2 n
 * numbers. */
typedef struct {
  int n, n_rates, n_values;
  const int *places;         /* n: of x in r */
  const int *ders;           /* n: of der(x) in r; -1: it does not occur */
  const int *areas;          /* n: of the area of the pulse in x; n: of that in der(x), or -1 */
  const int *variables;      /* n: index in DsModel.variables */
  const int *equations;      /* n: index in DsModel.places */
  const int *rows, *columns; /* of the entries of E, then of A */
} DsJump;

/* Where a contact force acts on a state that reinit acts on (ds_push); hidden: not everything that
 * depends on it sees it. */
typedef struct {
  int state, place;
  int hidden;
} DsPush;

/* The area of the Dirac pulse in a variable; 0 but while an event brings one. */
typedef struct {
  int place;    /* in r */
  int variable; /* index in DsModel.variables; -1 - index: its derivative */
  /* Place in x of what moves by it: the pulse is in its derivative, and no DsJump holds it; -1:
   * none */
  int state;
} DsPulse;

enum { DS_PART_EVENTS, DS_PART_ACTIONS, DS_PART_DERIVATIVES, DS_PART_OUTPUTS, DS_PART_CHECKS };

/* A part of the model with steps and events of its own. What it determines stands together. */
typedef struct {
  int x, n_x;                /* states x[x .. x + n_x); their derivatives are at nx + x */
  int r, n_r;                /* other Reals: places in r */
  int i, n_i, s, n_s;        /* Integers, Booleans, enumerations; Strings: places */
  int relation, n_relations; /* numbers, as are those of samples */
  int sample, n_samples;
  int discrete, n_discrete; /* of DsModel.discrete_reals */
  int delays;               /* all delay() of the model belong to it */
  /* Parts whose values it reads, never itself: first those whose values move between events and
   * that its derivatives, relations or algebraic variables read; each group ascending. */
  const int *reads;
  int n_moving, n_reads;
  const int *blocks; /* of simultaneous equations: numbers in DsModel.blocks */
  int n_blocks;
} DsPart;

typedef struct DsData DsData;
typedef struct DsModel DsModel;

/* Partial derivatives of the equations that the derivatives come from, one list of entries per row.
 * Nodes are numbered: states, time (number nx), then the unknowns of each step in order. A step is
 * an assignment (one unknown, one row) or a block of n simultaneous equations: its first n_iterated
 * unknowns solve it, the others are assigned from them; its rows are first those assignments, then
 * the n_iterated residuals. Entry q of row i, start[i] <= q < start[i + 1], is the derivative of
 * the row by node nodes[q]. `evaluate` stores those of the first n_slope_steps steps that are not
 * literals, at the values of the last call of `derivatives`; from those steps all derivatives of
 * states follow. The others lead to a - b of relations; `evaluate_relations` stores theirs. */
typedef struct {
  int n_nodes, n_steps, n_slope_steps, n_rows, n_entries;
  int n_quotients; /* entries that are difference quotients of one expression */
  /* Three numbers each: n, n_iterated (0: an assignment), number of the block or -1 */
  const int *steps;
  const int *start, *nodes;
  /* Per state: node of its derivative; -1: it does not depend on states or time */
  const int *der;
  const int *relation;   /* per relation: node of a - b; -1: it does not move; -2: not known */
  const double *literal; /* per entry; 0 where a function stores a value */
  int (*evaluate)(DsData *d, double *p);
  int (*evaluate_relations)(DsData *d, double *p);
} DsTangent;

/* One scalar of an array or record. Cells lie row by row, the fields of a record in order. */
typedef union DsCell DsCell;
union DsCell {
  double r;
  /* Integer, Boolean (0/1), enumeration (ordinal), handle of an external object (0: none) */
  long long i;
  const char *s;
  /* Of an array handed on as one value: its cells' address, followed by its sizes */
  const DsCell *p;
  DsCell *o; /* cells that come out */
  /* of a function handed on as one value, in its first cell; `own`: those cells, bound inputs
   * follow */
  int (*f)(DsData *d, const DsCell *own, const DsCell *args, int n_args, DsCell *results);
};

/* An external function that the runtime knows: one cell per argument of the C function that goes in
 * (`in`) or comes out (`out`, the result last); an array as p, the address of two cells: where its
 * own are (p or o), and how many (i). */
typedef int DsNative(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out);

/* Calls function f of a library with arguments from cells a[1] ...; its result goes to a[0]. */
typedef void DsForeign(void (*f)(void), DsCell *a);

/* An external function of a model. */
typedef struct {
  const char *name;    /* of the C function */
  const char *library; /* file names and directories to look for it, each ended by a newline; "" for
                          one that the runtime has */
  DsPlace place;
} DsExternal;

/* Residuals f and, if a is not 0, the Jacobian a (row by row) of a nonlinear block at the values
 * stored in r. */
typedef int DsResidual(DsData *d, double *f, double *a);

/* What the runtime does for a model. */
typedef struct {
  /* Solves a z = b for r[places], with the n*n matrix a (row by row, destroyed; or its entries, see
   * DsBlock; 0: see DsFactors); z replaces b. */
  int (*linear)(DsData *d, int block, int n, const int *places, double *a, double *b);
  /* Finds r[places] with f = 0, starting from what is there. exact: the function gives the
   * Jacobian. */
  int (*newton)(DsData *d, int block, int n, const int *places, DsResidual *f, int exact);
  /* Compares a and b for relation k by the rules of the phase and stores the result; for a timed
   * one a is the time and b its instant. size and terms as in DsModel.sizes; -1: not known. */
  void (*relation)(DsData *d, int k, double a, double b, double size, double terms);
  /* The same for a relation of a mixed system: the result is proposed in relation_new. */
  void (*propose)(DsData *d, int k, double a, double b, double size, double terms);
  /* Solves mixed system k: f solves its equations for the values held and proposes new ones. */
  int (*mixed)(DsData *d, int k, int (*f)(DsData *d));
  /* What the expression of delay k was that long ago; -DBL_MAX: the time of its next jump that has
   * not come out yet. */
  double (*delay)(DsData *d, int k, double delay);
  /* Transport k, moved to x: what comes out at end 0 or 1 (what: 0, 1); the x at which a jump comes
   * out there (2, 3). */
  double (*transport)(DsData *d, int k, int what, double x);
  void (*reinit)(DsData *d, int state, double value);
  void (*terminate)(DsData *d, const DsPlace *at, const char *message);
  /* A violated assertion (level 1: warning, DS_OK is returned) or another failure while
   * evaluating. */
  int (*violated)(DsData *d, const DsPlace *at, const char *message, int level);
  int (*fail)(DsData *d, const DsPlace *at, const char *message);
  /* n cells for intermediate values, valid until d->top is set back; 0 when there is no room. */
  DsCell *(*cells)(DsData *d, long long n);
  /* Texts live until the evaluation ends; those in s longer. */
  const char *(*text_real)(DsData *d, double value, long long digits, long long width, int left);
  const char *(*text_integer)(DsData *d, long long value, long long width, int left);
  const char *(*text_join)(DsData *d, const char *a, const char *b);
  /* n cells for variables of functions, valid until d->vars is set back; 0 when there is no
   * room. */
  DsCell *(*room)(DsData *d, long long n);
  /* subscript i is not in 1 .. n; sizes a and b should be equal */
  int (*out_of_range)(DsData *d, const DsPlace *at, long long i, long long n);
  int (*misfit)(DsData *d, const DsPlace *at, long long a, long long b);
  /* String(value, format); 0 if the format is none. */
  const char *(*format_real)(DsData *d, double value, const char *format);
  const char *(*format_integer)(DsData *d, long long value, const char *format);
  const char *(*text_pad)(DsData *d, const char *text, long long width, int left);
  /* An external object made by a function from outside, with what ends it; returns its handle. And
   * back: 0 if there is none. */
  long long (*object)(DsData *d, void *object, void (*end)(void *object));
  void *(*object_at)(DsData *d, long long handle);
  /* Makes a call of a function from outside. ModelicaError in it is a failure. */
  int (*foreign)(DsData *d, const DsPlace *at, DsForeign *call, void (*f)(void), DsCell *a);
  /* An Integer does not fit into its 64 bits. */
  int (*overflow)(DsData *d, const DsPlace *at);
  /* Terms that the roundings of iterated unknown j of a linear block come from, if those of its n
   * rows have these sums; by_row: what to say as long as its matrix is not known. */
  double (*rounding)(DsData *d, int block, int j, int n, const double *terms, double by_row);
} DsHost;

/* A linear block whose matrix depends on discrete values and parameters only: what is kept of it
 * between events. */
typedef struct {
  /* The matrix is that of the last solution: it need not be handed over (a = 0 in DsHost.linear) */
  int known;
  /* Its factors, row by row: L below the diagonal, U from there on; 0 if it is singular */
  const double *lu;
  const int *order; /* row k of the factors is that row of the matrix */
  /* A singular matrix: z = before + inverse (b - image), if no row of rest times (b - image) is
   * larger than `most`; else the host looks closer. 0 if it is not singular. */
  const double *inverse, *before, *image, *rest;
  int n_rest;
  double most;
} DsFactors;

/* All data of a run. The runtime keeps r ... sample in one block of memory. */
struct DsData {
  const DsHost *host;
  const DsModel *model; /* whose functions are called */
  void *run;            /* the runtime's own */
  double time;
  double *r;      /* x (nx), xdot (nx), then all other Reals */
  long long *i;   /* Integers, Booleans, enumerations */
  const char **s; /* Strings */
  double *r_pre;  /* the same before the current pass of the event: pre() */
  long long *i_pre;
  const char **s_pre;
  unsigned char *relation;     /* values held since the last event */
  unsigned char *relation_new; /* proposals of mixed relations */
  unsigned char *sample;       /* sample k fires in this pass */
  /* Per variable: its value (start value) was set from outside, keep it */
  const unsigned char *given;
  double *work;   /* n_work cells for the blocks */
  long long top;  /* of the cells in use */
  long long fuel; /* loop passes left in this evaluation */
  int depth;      /* of function calls */
  int initial, terminal;
  long long vars;    /* top of the cells of functions' variables */
  const char *stack; /* where the C stack was when the evaluation began; 0: not known */
  /* The functions of DsModel.externals: DsNative, or as the library has them */
  void (*const *external)(void);
  const DsFactors *factors; /* per block */
  /* Crossings also of relations that do not matter now; above 1: and of those under noEvent */
  int whole;
  const double *push; /* per state: what is added to its derivative by contacts; 0: nothing */
};

struct DsModel {
  int version; /* DS_VERSION */
  const char *name, *comment;
  int nx, n_real, n_integer, n_string, n_relations, n_samples, n_work;
  int n_variables, n_components, n_blocks, n_places, n_mixed, n_redundant, n_delays;
  const DsVariable *variables;
  const DsComponent *components;
  const DsRelation *relations;
  const DsPlace *places;
  const DsBlock *blocks;
  const DsMixed *mixed;
  const DsRedundant *redundant;
  const int *discrete_reals; /* places in r that keep their value between events */
  int n_discrete_reals;
  int has_terminal; /* terminal() is used: a last event at the end is needed */
  /* Place in r of the parameter of homotopy(): 1 but in between; -1 if it is not used */
  int homotopy;
  double start_time, stop_time, tolerance, interval; /* of the experiment; NaN where not given */

  int (*parameters)(DsData *d);
  int (*start)(DsData *d);
  int (*nominal)(DsData *d, double *x); /* nominal values of the states */
  /* Per place in r; written where declared */
  int (*bounds)(DsData *d, double *nominal, double *low, double *high);
  int (*initial)(DsData *d);
  /* Left and right side of each redundant initial condition */
  int (*redundancy)(DsData *d, double *sides);
  /* Of each delay(): the expression, its delay, the longest delay; 1: the delay varies between
   * events, else 0 */
  int (*delays)(DsData *d, double *values);
  int (*events)(DsData *d);
  int (*actions)(DsData *d);
  int (*samples)(DsData *d, double *start, double *interval);
  int (*instants)(DsData *d, double *at); /* per relation; written for timed ones only */
  int (*derivatives)(DsData *d);
  /* Per relation; written for those that are not timed. NaN: it does not matter now (see
   * DsData.whole) */
  int (*crossings)(DsData *d, double *a, double *b);
  int (*outputs)(DsData *d);
  int (*checks)(DsData *d);

  /* Parts in order of evaluation; 0: the model is one. Each phase of all parts in turn, then of
   * what belongs to none and only reads, is the same as the function for the whole. A sample that
   * several parts read belongs to one without equations. */
  int n_parts;
  const DsPart *parts;
  int (*part)(DsData *d, int part, int phase); /* part n_parts: what belongs to none */
  /* Written for its relations only */
  int (*part_crossings)(DsData *d, int part, double *a, double *b);
  int (*part_instants)(DsData *d, int part, double *at);

  int n_externals;
  const DsExternal *externals;

  /* Which derivatives depend on which states: state j acts on those in
   * jacobian_rows[jacobian_start[j] .. jacobian_start[j + 1]), ascending. 0: not known. autonomous:
   * the derivatives do not depend on time itself. */
  const int *jacobian_start, *jacobian_rows;
  int autonomous;
  const DsTangent *tangent; /* 0: not known */

  /* Per relation that is not timed, after crossings: the sum of the absolute values of the terms
   * that its sides come from, and the same of those that carry errors of the integration, as large
   * as they are declared to be. -1: not known; the sides are. */
  int (*sizes)(DsData *d, double *size, double *terms);
  int (*part_sizes)(DsData *d, int part, double *size, double *terms); /* 0 without parts */

  int n_selections;
  const DsSelection *selections;
  /* Of all selections, one after the other; after derivatives */
  int (*selection)(DsData *d, double *entries);
  /* Continuous Reals whose pre values the equations read: as long as these change in an event it is
   * not over. */
  const int *pre_reads; /* places in r */
  int n_pre_reads;
  int one_pass; /* an event at which no state jumps is over after one pass over all equations */
  /* Of each spatialDistribution(): the number of its initial points; in0, in1, x, 1 if the velocity
   * is positive else 0; the points, then their values, of one after the other. */
  int n_transports;
  const int *transport_points;
  int (*transports)(DsData *d, double *values);
  int (*profiles)(DsData *d, double *values);
  /* Booleans that decide which equations hold: places in i, and the values for which this structure
   * was made. 0: it never changes. All structures of a model have the same variables, relations and
   * samples, at the same places. */
  int n_conditions;
  const int *conditions;
  const unsigned char *mode;
  /* Number + 1 of the relation that the condition is, and nothing else depends on; negative: of
   * which it is the contrary; 0: none */
  const int *condition_relations;
  int n_jumps, n_pulses;
  const DsJump *jumps; /* in order of evaluation */
  const DsPulse *pulses;
  int (*jump)(DsData *d, double *values); /* of all jumps, one after the other */
  int (*spread)(DsData *d); /* areas of all other variables, from those that the jumps gave */
  /* Per relation: of the pulse in the difference of its sides; written where there may be one */
  int (*relation_areas)(DsData *d, double *areas);
  /* Constraints on states that hold by themselves once they hold, but for errors of the
   * integration: residuals, then their derivatives by states: entry q is that of residual
   * invariant_rows[q] by x[invariant_columns[q]]. */
  int n_invariants, n_invariant_entries;
  const int *invariant_rows, *invariant_columns;
  int (*invariants)(DsData *d, double *values);
  int n_pushes;
  const DsPush *pushes; /* of each state that reinit acts on */
  const DsTerm *terms;  /* formulas of relations, one after the other */
  const double *numbers;
  /* Places of derivatives whose variables are no states in this mode, and of which it says nothing:
   * 0 for the integration, no number in the result. */
  int n_unsaid;
  const int *unsaid;
  const void *own; /* of whoever made the model */
};

/* The only symbol that a model defines for the outside. */
const DsModel *dsblock(void);

/* ---- the functions that a model may call beside those of its host; DS_OWN_MATH: macros of these
 * names are there already ---- */
#ifndef DS_OWN_MATH
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double),
    atan2(double, double);
double sinh(double), cosh(double), tanh(double), exp(double), log(double), log10(double),
    sqrt(double), pow(double, double);
double fabs(double), floor(double), ceil(double), trunc(double), round(double);
int strcmp(const char *, const char *);
#endif

static inline double ds_min(double a, double b) { return a < b ? a : b; }
static inline double ds_max(double a, double b) { return a > b ? a : b; }
static inline long long ds_min_i(long long a, long long b) { return a < b ? a : b; }
static inline long long ds_max_i(long long a, long long b) { return a > b ? a : b; }
static inline double ds_sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
static inline long long ds_sign_i(long long a) { return (a > 0) - (a < 0); }
static inline double ds_square(double a) { return a * a; }
static inline double ds_cube(double a) { return a * a * a; }
static inline double ds_fourth(double a) { return (a * a) * (a * a); }
static inline double ds_power(double a, double b) {
  return b == 2 ? ds_square(a) : b == 3 ? ds_cube(a) : b == 4 ? ds_fourth(a) : pow(a, b);
}
/* Whole numbers that do not fit wrap around, and *over becomes the place: the function that
 * computes them fails when it ends. */
static inline long long ds_add_i(const DsPlace **over, const DsPlace *at, long long a,
                                 long long b) {
  const long long sum = (long long)((unsigned long long)a + (unsigned long long)b);
  if (((a ^ sum) & (b ^ sum)) < 0)
    *over = at;
  return sum;
}
static inline long long ds_sub_i(const DsPlace **over, const DsPlace *at, long long a,
                                 long long b) {
  const long long difference = (long long)((unsigned long long)a - (unsigned long long)b);
  if (((a ^ b) & (a ^ difference)) < 0)
    *over = at;
  return difference;
}
static inline long long ds_mul_i(const DsPlace **over, const DsPlace *at, long long a,
                                 long long b) {
  const long long product = (long long)((unsigned long long)a * (unsigned long long)b),
                  small = 1LL << 31;
  if ((a < -small || a > small || b < -small || b > small) && a != 0) {
    /* the quotient gives b back; the smallest number by -1 cannot be divided */
    if ((a == -1 && product == b && b != 0) || (a != -1 && product / a != b))
      *over = at;
  }
  return product;
}
static inline long long ds_abs_i(const DsPlace **over, const DsPlace *at, long long a) {
  return a < 0 ? ds_sub_i(over, at, 0, a) : a;
}
/* floor of a as a whole number */
static inline long long ds_integer(const DsPlace **over, const DsPlace *at, double a) {
  const double limit = 0x1p63;
  a = floor(a);
  if (!(a >= -limit && a < limit)) {
    *over = at;
    return 0;
  }
  return (long long)a;
}
/* b is not 0: the caller has checked it */
static inline long long ds_div_i(const DsPlace **over, const DsPlace *at, long long a,
                                 long long b) {
  return b == -1 ? ds_sub_i(over, at, 0, a) : a / b;
}
static inline long long ds_rem_i(long long a, long long b) { return b == -1 ? 0 : a % b; }
static inline long long ds_mod_i(long long a, long long b) {
  const long long m = ds_rem_i(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
static inline double ds_mod(double a, double b) { return a - floor(a / b) * b; }
static inline double ds_rem(double a, double b) { return a - trunc(a / b) * b; }

/* ---- contacts ---- */

/* The derivative of a state that reinit acts on, or what it is set equal to, has been computed in
 * r[place]: a contact force acts on it, too. Everything that is computed from it afterwards sees
 * the sum. */
static inline void ds_push(DsData *d, int place, int state, int sign) {
  if (d->push && d->push[state] != 0)
    d->r[place] += sign * d->push[state];
}

/* ---- arrays and records ---- */

#define DS_MOST_CELLS (1LL << 40) /* more than any memory has; sizes above are not told apart */
enum { DS_MOST_CALLS = 1000, DS_MOST_STACK = 4 << 20 };

/* A function begins: not too deep, not too often. `here` is the address of one of its variables. */
static inline int ds_enter(DsData *d, const DsPlace *at, const void *here) {
  const long long used = d->stack ? d->stack - (const char *)here : 0;
  if (d->depth >= DS_MOST_CALLS || used > DS_MOST_STACK || used < -DS_MOST_STACK)
    return (d->host->fail)(d, at, "functions call each other too deeply");
  if (d->fuel-- <= 0)
    return (d->host->fail)(d, at, "a function does not end");
  d->depth++;
  return DS_OK;
}

/* Product of two sizes. */
static inline long long ds_times(long long a, long long b) {
  return a && b > DS_MOST_CELLS / a ? DS_MOST_CELLS : a * b;
}

/* Both may overlap. Whole cells are copied as numbers: some compilers call a function to copy a
 * union. */
static inline void ds_copy(DsCell *to, const DsCell *from, long long n) {
  if (to <= from)
    for (long long k = 0; k < n; k++)
      to[k].i = from[k].i;
  else
    while (n-- > 0)
      to[n].i = from[n].i;
}

/* Room for n cells in a variable whose size may change; the cells are not set. */
static inline int ds_room(DsData *d, const DsPlace *at, DsCell **v, long long *room, long long n) {
  if (*v && n <= *room)
    return DS_OK;
  /* twice the room when it grows, so that growing step by step stays cheap */
  const long long wanted = *v ? 2 * n : n;
  DsCell *cells = d->host->room(d, wanted);
  if (!cells)
    return (d->host->fail)(d, at, "an array needs too much memory");
  *v = cells;
  *room = wanted;
  return DS_OK;
}

/* Hands a result over to the caller. */
static inline int ds_give(DsData *d, const DsPlace *at, const DsCell *v, long long n,
                          DsCell **out) {
  *out = d->host->cells(d, n);
  if (!*out)
    return (d->host->fail)(d, at, "an array needs too much memory");
  ds_copy(*out, v, n);
  return DS_OK;
}

static inline void ds_clear(DsCell *to, long long n) {
  for (long long k = 0; k < n; k++)
    to[k].i = 0;
}
/* n copies of a value of `width` cells */
static inline void ds_repeat(DsCell *to, const DsCell *value, long long width, long long n) {
  for (long long k = 0; k < n; k++)
    ds_copy(to + k * width, value, width);
}
static inline void ds_gather(DsCell *to, const DsCell *from, const DsCell *at, long long n) {
  for (long long k = 0; k < n; k++)
    to[k].i = from[at[k].i].i;
}
static inline void ds_scatter(DsCell *to, const DsCell *at, const DsCell *from, long long n) {
  for (long long k = 0; k < n; k++)
    to[at[k].i].i = from[k].i;
}
static inline void ds_to_real(DsCell *to, const DsCell *from, long long n) {
  for (long long k = 0; k < n; k++)
    to[k].r = (double)from[k].i;
}

/* What a subscript selects: n positions, at[k] + first from 0 on, or first, first + 1 ... */
typedef struct {
  const DsCell *at;
  long long n, first;
} DsAlong;

/* Place of the first position outside of 0 .. size-1; -1 if there is none. */
static inline long long ds_outside(const DsAlong *a, long long size) {
  for (long long k = 0; k < a->n; k++)
    if (a->at[k].i + a->first < 0 || a->at[k].i + a->first >= size)
      return k;
  return -1;
}

/* Offsets of the selected cells of an array with these sizes and `width` cells per element; to:
 * room for all of them. */
static inline void ds_select(DsCell *to, const DsAlong *along, const long long *sizes, int n_dims,
                             long long width) {
  long long n = 1;
  to[0].i = 0;
  for (int d = 0; d < n_dims; d++) {
    /* from the last to the first, because each offset makes room for several */
    for (long long k = n; k-- > 0;) {
      const long long base = to[k].i * sizes[d];
      for (long long q = along[d].n; q-- > 0;)
        to[k * along[d].n + q].i = base + along[d].first + (along[d].at ? along[d].at[q].i : q);
    }
    n *= along[d].n;
  }
  for (long long k = n; k-- > 0;) {
    const long long base = to[k].i * width;
    for (long long q = width; q-- > 0;)
      to[k * width + q].i = base + q;
  }
}
/* Offsets of a field of n records: `width` cells from `before` on, of `all` cells per record */
static inline void ds_fields(DsCell *to, long long n, long long before, long long width,
                             long long all) {
  for (long long k = 0; k < n; k++)
    for (long long q = 0; q < width; q++)
      to[k * width + q].i = k * all + before + q;
}

/* to = a b with a of size l, m and b of size m, n */
static inline void ds_multiply(DsCell *to, const DsCell *a, const DsCell *b, long long l,
                               long long m, long long n) {
  for (long long i = 0; i < l; i++)
    for (long long j = 0; j < n; j++) {
      double sum = m ? a[i * m].r * b[j].r : 0;
      for (long long k = 1; k < m; k++)
        sum += a[i * m + k].r * b[k * n + j].r;
      to[i * n + j].r = sum;
    }
}
static inline void ds_multiply_i(const DsPlace **over, const DsPlace *at, DsCell *to,
                                 const DsCell *a, const DsCell *b, long long l, long long m,
                                 long long n) {
  for (long long i = 0; i < l; i++)
    for (long long j = 0; j < n; j++) {
      long long sum = 0;
      for (long long k = 0; k < m; k++)
        sum = ds_add_i(over, at, sum, ds_mul_i(over, at, a[i * m + k].i, b[k * n + j].i));
      to[i * n + j].i = sum;
    }
}
static inline void ds_transpose(DsCell *to, const DsCell *from, long long n, long long m,
                                long long width) {
  for (long long i = 0; i < n; i++)
    for (long long j = 0; j < m; j++)
      ds_copy(to + (j * n + i) * width, from + (i * m + j) * width, width);
}
static inline void ds_symmetric(DsCell *to, const DsCell *from, long long n) {
  for (long long i = 0; i < n; i++)
    for (long long j = 0; j < n; j++)
      to[i * n + j].i = i <= j ? from[i * n + j].i : from[j * n + i].i;
}
/* n x n, zero but for the diagonal; of: n cells */
static inline void ds_diagonal(DsCell *to, const DsCell *of, long long n) {
  ds_clear(to, n * n);
  for (long long i = 0; i < n; i++)
    to[i * n + i].i = of[i].i;
}
static inline void ds_cross(DsCell *to, const DsCell *a, const DsCell *b) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    to[i].r = a[j].r * b[k].r - a[k].r * b[j].r;
  }
}
static inline void ds_skew(DsCell *to, const DsCell *a) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    to[i * 3 + i].r = 0;
    to[i * 3 + j].r = -a[k].r;
    to[i * 3 + k].r = a[j].r;
  }
}
static inline void ds_linspace(DsCell *to, double from, double until, long long n) {
  for (long long i = 0; i < n; i++)
    to[i].r = from + (until - from) * (double)i / (double)(n - 1);
}
/* Joins a part of width b[r] per row into rows of width all, at offset `at`. */
static inline void ds_join(DsCell *to, long long all, long long at, const DsCell *part,
                           long long width, long long rows) {
  for (long long r = 0; r < rows; r++)
    ds_copy(to + r * all + at, part + r * width, width);
}

/* Number of items of start:step:stop; step is not 0. */
static inline long long ds_range_i(long long start, long long step, long long stop) {
  if (step > 0 ? start > stop : start < stop)
    return 0;
  const unsigned long long span = step > 0 ? (unsigned long long)stop - (unsigned long long)start
                                           : (unsigned long long)start - (unsigned long long)stop;
  const unsigned long long n = span /
                               (step > 0 ? (unsigned long long)step : 0 - (unsigned long long)step);
  return n >= DS_MOST_CELLS ? DS_MOST_CELLS : (long long)n + 1;
}
/* The same with an allowance of a few units in the last place, so that 0:0.1:0.3 has 4; -1: not
 * finite */
static inline long long ds_range(double start, double step, double stop) {
  const double few_ulps = 0x1p-50, quotient = (stop - start) / step, whole = round(quotient);
  const double scale = ds_max(fabs(quotient), (fabs(start) + fabs(stop)) / fabs(step));
  const double n = fabs(quotient - whole) <= few_ulps * scale ? whole : floor(quotient);
  return n != n ? -1 : n < 0 ? 0 : n >= (double)DS_MOST_CELLS ? DS_MOST_CELLS : (long long)n + 1;
}

#endif
