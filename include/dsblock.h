/* dsblock.h -- the model interface: what generated C, C written by hand and the runtime agree on.
 * A DSblock is one function, dsblock(), that returns a description with tables and entry points. The runtime owns all data
 * of a run (DsData); a model owns nothing that changes, so many runs may share it, also between threads.
 *
 * Which entry point may be called when (time frozen in the first five, running in the last three):
 *   parameters, start      once, in this order, before everything else
 *   initial                until the relations settle; afterwards the run begins
 *   events, actions        at each pass of an event: all equations, then reinit, terminate and assertions of when-clauses
 *   samples, instants      after the parameters are known / after each event: the next time events
 *   derivatives            continuous phase: from time, x, u to xdot and to what the indicators need
 *   crossings, outputs     after derivatives: the two sides of each relation; the remaining variables
 *   checks                 after outputs: assertions
 * To set arguments (setArg) is to store into DsData: time, x = r[0 .. nx), inputs at their places. Derivatives appear in
 * r[nx .. 2 nx). Every function returns DS_OK, DS_RETRY (a trial point was bad: a smaller step may help) or DS_FATAL.
 *
 * This header includes nothing, so that it compiles without a C library at hand; it is also the first part of the text that
 * the in-memory compiler sees, hence the classic include guard. */
#ifndef DSBLOCK_H
#define DSBLOCK_H

#define DS_VERSION 1

enum { DS_OK = 0, DS_RETRY = 1, DS_FATAL = 2 };

typedef enum { DS_REAL, DS_INTEGER, DS_BOOLEAN, DS_ENUMERATION, DS_STRING } DsType;
typedef enum { DS_CONTINUOUS, DS_DISCRETE, DS_PARAMETER, DS_CONSTANT } DsVariability;
typedef enum { DS_LOCAL, DS_INPUT, DS_OUTPUT } DsAccess;
typedef enum {
  DS_KNOWN,     /* parameter, constant, input */
  DS_STATE,     /* its derivative is `der` places in r */
  DS_EXPLICIT,  /* computed by an assignment */
  DS_IMPLICIT,  /* solved together with others */
  DS_DISCRETE_STATE /* keeps its value between events */
} DsProperty;

enum { DS_FIXED = 1, DS_STRUCTURAL = 2, DS_FINAL = 4, DS_IS_PROTECTED = 8, DS_FLOW = 16, DS_HAS_START = 32, DS_SOLVED = 64 };

/* A component of the model: the inner nodes of the variable tree. */
typedef struct {
  const char *name; /* full path; "" for the model itself */
  const char *class_name;
  int parent;
} DsComponent;

typedef struct {
  const char *name;                        /* full name, as the user writes it */
  const char *unit, *display_unit, *quantity, *comment; /* "" if not given */
  const char *const *literals;             /* of an enumeration, from ordinal 1; else 0 */
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

typedef enum { DS_LT, DS_LE, DS_GT, DS_GE, DS_EQ, DS_NE } DsCompare;

/* A relation a op b that makes events. `timed`: it only depends on time and on discrete values; then it is a time event at
 * the instant that `instants` gives, and `rising` tells whether a-b grows with time. `mixed`: it stands in a loop with the
 * unknowns it depends on: its new value is proposed in relation_new and settled by iteration. */
typedef struct {
  unsigned char op, timed, rising, mixed;
  DsPlace place;
} DsRelation;

/* One block of simultaneous equations, for messages. */
typedef struct {
  int n;
  const int *variables; /* n unknowns: index in DsModel.variables, or -1 - index for the derivative of one */
  const int *places;    /* n equations: index in DsModel.places */
} DsBlock;

typedef struct DsData DsData;
typedef struct DsModel DsModel;

/* Residuals f and, if a is not 0, the Jacobian a (row by row) of a nonlinear block at the values stored in r. */
typedef int DsResidual(DsData *d, double *f, double *a);

/* What the runtime does for a model. */
typedef struct {
  /* Solves a z = b with the n*n matrix a (row by row, destroyed); z replaces b. */
  int (*linear)(DsData *d, int block, int n, double *a, double *b);
  /* Finds r[places] with f = 0, starting from what is there. exact: the function gives the Jacobian. */
  int (*newton)(DsData *d, int block, int n, const int *places, DsResidual *f, int exact);
  /* Compares a and b for relation k by the rules of the phase and stores the result; for a timed one a is the time and b
   * its instant. */
  void (*relation)(DsData *d, int k, double a, double b);
  void (*reinit)(DsData *d, int state, double value);
  void (*terminate)(DsData *d, const DsPlace *at, const char *message);
  /* A violated assertion (level 1: warning, DS_OK is returned) or another failure while evaluating. */
  int (*violated)(DsData *d, const DsPlace *at, const char *message, int level);
  int (*fail)(DsData *d, const DsPlace *at, const char *message);
  /* n cells of 8 bytes, valid until d->top is set back; 0 when there is no room. */
  void *(*cells)(DsData *d, long long n);
  /* Texts live as long as the run. */
  const char *(*text_real)(DsData *d, double value, long long digits, long long width, int left);
  const char *(*text_integer)(DsData *d, long long value, long long width, int left);
  const char *(*text_join)(DsData *d, const char *a, const char *b);
} DsHost;

/* All data of a run. The runtime keeps r ... sample in one block of memory. */
struct DsData {
  const DsHost *host;
  void *run;            /* the runtime's own */
  double time;
  double *r;            /* x (nx), xdot (nx), then all other Reals */
  long long *i;         /* Integers, Booleans, enumerations */
  const char **s;       /* Strings */
  double *r_pre;        /* the same before the current pass of the event: pre() */
  long long *i_pre;
  const char **s_pre;
  unsigned char *relation;     /* values held since the last event */
  unsigned char *relation_new; /* proposals of mixed relations */
  unsigned char *sample;       /* sample k fires in this pass */
  const unsigned char *given;  /* per variable: its value (start value) was set from outside, keep it */
  double *work;         /* n_work cells for the blocks */
  long long top;        /* of the cells in use */
  long long fuel;       /* loop passes left in this evaluation */
  int depth;            /* of function calls */
  int initial, terminal;
};

struct DsModel {
  int version; /* DS_VERSION */
  const char *name, *comment;
  int nx, n_real, n_integer, n_string, n_relations, n_samples, n_work;
  int n_variables, n_components, n_blocks, n_places;
  const DsVariable *variables;
  const DsComponent *components;
  const DsRelation *relations;
  const DsPlace *places;
  const DsBlock *blocks;
  const int *discrete_reals; /* places in r that keep their value between events */
  int n_discrete_reals;
  int has_terminal; /* terminal() is used: a last event at the end is needed */
  double start_time, stop_time, tolerance, interval; /* of the experiment; NaN where not given */

  int (*parameters)(DsData *d);
  int (*start)(DsData *d);
  int (*nominal)(DsData *d, double *x); /* nominal values of the states */
  int (*initial)(DsData *d);
  int (*events)(DsData *d);
  int (*actions)(DsData *d);
  int (*samples)(DsData *d, double *start, double *interval);
  int (*instants)(DsData *d, double *at); /* per relation; written for timed ones only */
  int (*derivatives)(DsData *d);
  int (*crossings)(DsData *d, double *a, double *b); /* per relation; written for those that are not timed */
  int (*outputs)(DsData *d);
  int (*checks)(DsData *d);
};

/* The only symbol that a model defines for the outside. */
const DsModel *dsblock(void);

/* ---- the functions that a model may call beside those of its host ---- */
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), atan2(double, double);
double sinh(double), cosh(double), tanh(double), exp(double), log(double), log10(double), sqrt(double), pow(double, double);
double fabs(double), floor(double), ceil(double), trunc(double);
int strcmp(const char *, const char *);

static inline double ds_min(double a, double b) { return a < b ? a : b; }
static inline double ds_max(double a, double b) { return a > b ? a : b; }
static inline long long ds_min_i(long long a, long long b) { return a < b ? a : b; }
static inline long long ds_max_i(long long a, long long b) { return a > b ? a : b; }
static inline long long ds_abs_i(long long a) { return a < 0 ? (long long)(0 - (unsigned long long)a) : a; }
static inline double ds_sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
static inline double ds_square(double a) { return a * a; }
/* Whole numbers wrap around on overflow, like the processor does. */
static inline long long ds_add_i(long long a, long long b) { return (long long)((unsigned long long)a + (unsigned long long)b); }
static inline long long ds_sub_i(long long a, long long b) { return (long long)((unsigned long long)a - (unsigned long long)b); }
static inline long long ds_mul_i(long long a, long long b) { return (long long)((unsigned long long)a * (unsigned long long)b); }
/* floor of a as a whole number; what does not fit becomes the nearest that does, NaN becomes 0 */
static inline long long ds_integer(double a) {
  const double limit = (double)(1LL << 62);
  a = floor(a);
  return a != a ? 0 : a >= limit ? (1LL << 62) : a <= -limit ? -(1LL << 62) : (long long)a;
}
/* b is not 0: the caller has checked it */
static inline long long ds_div_i(long long a, long long b) { return b == -1 ? ds_sub_i(0, a) : a / b; }
static inline long long ds_rem_i(long long a, long long b) { return b == -1 ? 0 : a % b; }
static inline long long ds_mod_i(long long a, long long b) {
  const long long m = ds_rem_i(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
static inline double ds_mod(double a, double b) { return a - floor(a / b) * b; }
static inline double ds_rem(double a, double b) { return a - trunc(a / b) * b; }

#endif
