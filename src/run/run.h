#pragma once
/* run/run.h -- one run of a program: initialise, then alternate continuous and discrete phases
 * until the stop time.
 *   Run *run = run_new(program, &options, arena, diags);
 *   RunStatus s = run_simulate(run, row, user, &stats);
 * A run owns everything that changes; runs do not know of each other. Nothing is allocated after
 * run_new but diagnostics. */
#include <stdatomic.h>

#include "base/diag.h"
#include "base/text.h"
#include "dsblock.h"
#include "load/load.h"
#include "nusim.h"

typedef enum {
  RUN_OK,
  RUN_USAGE,       /* an option, parameter or variable name is wrong */
  RUN_INIT_FAILED, /* no consistent initial values */
  RUN_FAILED,      /* integration or an assertion failed */
  RUN_LIMIT,       /* a limit was reached, or events accumulate */
  RUN_OUTPUT,      /* the row function asked to stop */
  RUN_CANCELLED
} RunStatus;

typedef struct {
  const char *name, *value; /* as typed: -p name=value */
} RunSetting;

/* From run_defaults, then set what matters. */
typedef struct {
  /* As NuRunOptions says: start, stop, solver, rtol, chatter ... */
#define RUN_OPTION(type, field, ...) type field;
#include "run/options.def"
  uint32_t intervals; /* 0: experiment, else 500 */
  double atol_factor; /* atol = factor*rtol*nominal; 0: 0.01 */
  /* The solver gets the unknowns of simultaneous equations as well; only ida can do that */
  bool dae;
  const RunSetting *parameters, *starts;
  uint32_t n_parameters, n_starts;
  const char *const *select; /* names, or patterns with * and ?; none: all that vary with time */
  uint32_t n_select;
  bool passes;                  /* rows of kind RUN_ROW_STEP and causes are wanted */
  bool grid_only;               /* no rows of events are wanted */
  void (*progress)(void *user); /* called at each step and event; may be NULL */
  /* Shall there be a checkpoint? Asked between steps; may be NULL */
  bool (*due)(void *user);
  void (*checkpoint)(void *user); /* then: run_checkpoint can be called */
  void (*tell)(void *user);       /* there are diagnostics that must not wait; may be NULL */
  void *progress_user;            /* of all four */
  const atomic_int *cancel;       /* becomes non-zero: stop soon; may be NULL */
  /* What the program was made from, for messages; expressions are added to it, so that it is a view
   * of this run alone. May be NULL */
  const struct Structure *structure;
  /* Of a model whose equations change: that with these values of its conditions; `initial`: with
   * equations for initial values, which it else need not have. NULL after a diagnostic. */
  const DsModel *(*mode)(void *user, const bool *values, bool initial, Diags *diags);
  void *mode_user;
} RunOptions;
RunOptions run_defaults(void);

/* One column of the result. */
typedef struct {
  const char *name;
  int variable; /* index in DsModel.variables; -1 - index: its derivative */
  DsType type;
  int place; /* in the bank of its type */
} RunColumn;

/* A point of the output grid; rows of an event, with equal time: before it, after each pass that
 * changed something, after it. The row of a pass has the values at the end of its equations: before
 * reinit, and before relations take the side that they move to. Events that follow each other at
 * one time go on counting passes and have no second row before them. A row after the event at the
 * start time is the first row of all but for one of kind STEP and number 0: the values that the
 * initialisation found. */
typedef enum { RUN_ROW_GRID, RUN_ROW_BEFORE, RUN_ROW_STEP, RUN_ROW_AFTER } RunRowKind;

/* What made a pass of an event necessary. */
typedef enum {
  RUN_CAUSE_RELATION, /* it changed its value, in the continuous phase or in the pass before */
  RUN_CAUSE_SAMPLE,
  RUN_CAUSE_DELAY,    /* a jump has had its delay */
  RUN_CAUSE_REINIT,   /* number: of the state */
  RUN_CAUSE_DISCRETE, /* nothing but discrete variables changed in the pass before; number: -1 */
  RUN_CAUSE_TERMINAL, /* the end of the run; number: -1 */
  RUN_CAUSE_TIME,     /* a relation that is an event in time changed its value */
  /* Variables were set from outside; number: of the first, in DsModel.variables */
  RUN_CAUSE_SET,
  RUN_CAUSE_DEPARTURE, /* a relation on its limit begins to move: another event at the same time */
  RUN_CAUSE_SLIDE,     /* the motion begins to slide along the surface of a relation */
  RUN_CAUSE_EXIT,      /* it leaves it */
  RUN_CAUSE_CONTACT,   /* events of a relation have accumulated: what bounced stays in contact */
  /* no causes: what a pass did that changed the structure (RunRow.notes), in this order, but for
   * CONDITION */
  RUN_MODE_TRIED, /* a mode that was tried and left; number: -1 */
  /* The mode that the pass ended in; number: index of what binds states there; a: 1 if states
   * jumped, else 0; b: the energy that was lost, NAN if that is not known */
  RUN_MODE_KEPT,
  /* Condition `number`, a: 1 or 0, of the mode told before this: other than before the pass */
  RUN_MODE_CONDITION,
  RUN_MODE_AREA, /* a: area of the Dirac pulse in variable `number` of DsModel.variables */
  RUN_NOTE_END   /* in stores only: RunRow.ended */
} RunCauseKind;
typedef struct {
  RunCauseKind kind;
  int number; /* of the relation, sample, delay or state */
  /* RELATION, DEPARTURE: its two sides; REINIT: value before and after; SLIDE, EXIT: weight of
   * the positive side (NAN: it leaves because of something else that happened), NAN; TIME: the
   * time and its instant; else NAN */
  double a, b;
} RunCause;

typedef struct {
  double time;
  RunRowKind kind;
  uint32_t step;      /* number of the pass in this instant; 0: before all, or no event */
  const DsData *data; /* valid during the call, as is what follows */
  const RunCause *causes;
  const RunCause *notes;
  uint32_t n_causes, n_notes;
  bool parameters; /* some may have been set since the row before */
  const char *ended,
      *ended_at; /* the model ends the run: text of terminate(), "Ball.mo:9" or ""; else NULL */
  /* Places in r of the unknowns of full linear systems that have been singular so far */
  const int *singular;
  uint32_t n_singular;
} RunRow;
typedef bool RunRowFunction(void *user, const RunRow *row); /* false: stop */

/* A state that keeps the steps small, and its mean part of the squared error of a step. */
enum { RUN_LIMITING = 3 };
typedef struct {
  const char *name; /* lives as long as the program */
  double share;
} RunLimiting;

/* A change of the method by auto. */
enum { RUN_CHANGES = 8 };
typedef struct {
  double time;
  const char *solver; /* from then on; a static text */
} RunChange;

typedef struct {
  /* An event may be of both kinds */
  uint64_t steps, rejected_steps, rhs_evaluations, state_events, time_events, event_passes;
  uint64_t jacobians, factorizations;
  uint64_t selections; /* how often other variables became states */
  uint64_t structures; /* that the run made or took over, beyond the first */
  uint64_t slides;     /* surfaces that the motion began to slide on */
  uint64_t contacts;   /* accumulations of events after which something stayed in contact */
  /* Events after which relations or discrete Booleans have other values than before */
  uint64_t mode_changes;
  double end_time;
  const char *solver;    /* methods used; a static text */
  const char *code;      /* that the run began with: "tcc", "cc" or "eval" */
  double cc_from;        /* s; when code of the C compiler took over; NAN: never */
  const char *code_note; /* why it will never; NULL: nothing to say. Lives as long as the program */
  RunLimiting limiting[RUN_LIMITING]; /* name NULL: no more */
  const char *jacobian; /* how Jacobians were made: "symbolic", "differences" or both; NULL if there
                           were none; a static text */
  uint64_t n_changes;   /* of the method */
  RunChange changes[RUN_CHANGES]; /* the first of them */
} RunStats;

/* Where the motion stayed on the surface of a relation. */
typedef struct {
  bool contact; /* after events that accumulated; else it slides */
  int relation;
  int state;   /* contact: the one that stopped jumping, place in x; else -1 */
  double time; /* when that began first */
  uint64_t count;
} RunRest;

/* The variable of that name; -1 if there is none. */
int run_find_variable(const DsModel *m, const char *name);
/* Says that there is no variable, or parameter (`what`), of that name, and which are near. */
void run_unknown_name(const DsModel *m, const char *what, const char *name, Arena *a, Diags *diags);
/* Only * and ? are special. */
bool run_name_matches(const char *pattern, const char *name);
/* Columns by names, or patterns with * and ?; none: all that vary with time. False after a
 * diagnostic. */
bool run_select_columns(const DsModel *m, const char *const *select, uint32_t n, Arena *a,
                        Diags *diags, const RunColumn **columns, uint32_t *n_columns);

typedef struct Run Run;
/* NULL after a diagnostic (names that do not exist, values that do not fit, an unknown solver). */
Run *run_new(const Program *program, const RunOptions *options, Arena *a, Diags *diags);
const RunColumn *run_columns(const Run *run, uint32_t *n);
double run_stop_time(const Run *run);
double run_start_time(const Run *run);
uint32_t run_intervals(const Run *run); /* of the output grid */
double run_rtol(const Run *run);
/* In steps: consistent initial values and what happens at the start; then everything up to `until`
 * or the stop time, as often as one likes; then the end (status: of the last call), after which the
 * run can only be freed. Where one stops decides nothing. */
RunStatus run_begin(Run *run, RunRowFunction *row, void *user);
RunStatus run_advance(Run *run, double until);
RunStatus run_end(Run *run, RunStatus status, RunStats *stats);
bool run_terminated(const Run *run); /* by the model */
/* Between run_begin and run_end: the eigenvalues, 1/s, of the model linearised at the present
 * values, as many as it has states; in the arena of the run. NULL: a part of the model has too many
 * states, or its derivatives cannot be computed. */
const double _Complex *run_rates(Run *run, uint32_t *n);
/* Values at the present time, valid until the run goes on */
const DsData *run_data(const Run *run);
/* All of that at once: from the start to the end, once per run. `row` may be NULL. */
RunStatus run_simulate(Run *run, RunRowFunction *row, void *user, RunStats *stats);
/* While it simulates: steps, evaluations and events so far, end_time is the present time. */
RunStats run_stats(const Run *run);
/* Surfaces that the motion stayed on, in order of appearance. */
const RunRest *run_rests(const Run *run, uint32_t *n);
const char *run_state_name(const Run *run, int state);
/* What a run holds outside of its arena; the arena may be dropped afterwards. NULL is allowed. */
void run_free(Run *run);

/* ---- set.c ---- */

typedef enum { RUN_VALUE, RUN_START } RunAttribute;
/* Sets a variable, from a text or, if that is NULL, a number: before run_begin or between two calls
 * of run_advance; see nu_run_set. RUN_USAGE after a diagnostic: unknown name, not to be set now,
 * wrong type, outside of min and max. */
RunStatus run_set(Run *run, const char *name, RunAttribute attribute, const char *text,
                  double number);
/* What was set takes effect, as an event at the present time; nothing happens if nothing was set.
 * run_advance does it, too. */
RunStatus run_settle(Run *run);

/* ---- snapshot.c ---- */

/* Everything that decides how a run goes on. It may outlive the run, but not the program. */
typedef struct RunSnapshot RunSnapshot;
/* Before run_begin, or between two calls of run_advance. NULL: not enough memory. */
RunSnapshot *run_snapshot(Run *run);
/* Back, as often as one likes, into the same run or another one of the program with equal times,
 * tolerances and solver; rows go to `row` from then on. The run then goes on bit for bit as the
 * first one did, but for multistep methods, which begin anew at order 1. RUN_USAGE: it does not
 * fit, nothing has changed; external objects belong to one run. */
RunStatus run_restore(Run *run, const RunSnapshot *s, RunRowFunction *row, void *user);
double run_snapshot_time(const RunSnapshot *s);
bool run_snapshot_begun(const RunSnapshot *s); /* it was taken after run_begin */
void run_snapshot_free(RunSnapshot *s);        /* NULL is allowed */

/* The same as bytes, for another process: in RunOptions.checkpoint, or where run_snapshot can be
 * called. Appends them; false: there can be none now. */
bool run_checkpoint(Run *run, Text *out);
/* May a run that has not begun go on from there? No: the bytes come from another model, or from
 * another build of the program, or there are external objects of libraries. */
bool run_checkpoint_fits(Run *run, const void *bytes, size_t n);
/* Then it does, as by run_restore; `anew`: its stop time is another one, so that all steps begin
 * anew. RUN_USAGE: they are damaged, and the run must not be used any more. */
RunStatus run_resume(Run *run, const void *bytes, size_t n, bool anew, RunRowFunction *row,
                     void *user);
