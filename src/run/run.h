#pragma once
/* run/run.h -- one run of a program: initialise, then alternate continuous and discrete phases
 * until the stop time.
 *   Run *run = run_new(program, &options, arena, diags);
 *   RunStatus s = run_simulate(run, row, user, &stats);
 * A run owns everything that changes; runs do not know of each other. Nothing is allocated after
 * run_new but diagnostics. */
#include <stdatomic.h>

#include "base/diag.h"
#include "dsblock.h"
#include "load/load.h"
#include "nusim.h"
#include "run/outcome.h"

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
