#pragma once
/* nusim.h -- the public interface of NuSim, whole and only.
 *
 *   NuSessionOptions so = nu_session_options();
 *   so.sink = show;                                   (called with every diagnostic)
 *   NuSession *s;
 *   if (nu_session_new(&so, &s) == NU_OK && nu_load_file(s, "Ball.mo") == NU_OK) {
 *     NuTarget t = {.class_name = "Ball"};
 *     NuProgram *p;
 *     if (nu_compile(s, &t, &p) == NU_OK) {
 *       NuRunOptions ro = nu_run_options();
 *       ro.csv = "Ball.csv";
 *       NuRun *r;
 *       if (nu_run_new(p, &ro, &r) == NU_OK)
 *         nu_run_simulate(r);
 *       nu_run_free(r);
 *     }
 *     nu_program_free(p);
 *   }
 *   nu_session_free(s);
 *
 * Rules
 * - A function that can fail returns a NuStatus; what went wrong goes to the sink as data. Nothing
 * here prints or exits. - On failure every out parameter is NULL or zero; all *_free functions
 * accept NULL.
 * - Texts returned as `char *` belong to the caller: nu_free. Texts returned as `const char *` live
 * as long as their object. - Objects depend on each other: session <- program <- run. Free them in
 * reverse order.
 * - A session is used by one thread at a time, also while runs of its programs work in others. A
 * program does not change; each run of it may have a thread of its own. The sink is called by the
 * thread that a message belongs to, so that several may call it at once.
 * - Strings are UTF-8. Structures are filled by their default function first, so that new fields do
 * no harm. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NU_API __attribute__((visibility("default")))

/* "0.1.0" */
NU_API const char *nu_version(void);

/* ---- status ---- */

typedef enum {
  NU_OK,
  NU_MODEL_ERROR, /* the model is wrong: text, types, structure */
  NU_USAGE,       /* the call is wrong: unknown name, value out of range, order of calls */
  NU_INIT_FAILED, /* no consistent initial values */
  NU_RUN_FAILED,  /* integration failed or an assertion is violated */
  NU_LIMIT,       /* stopped by a limit of the run options; a translation: as NU_MEMORY */
  NU_FILE,        /* a file cannot be read or written */
  NU_INTERRUPTED, /* nu_run_interrupt */
  NU_MEMORY /* the memory limit or the memory of the machine is reached; the session can only be
               freed now */
} NuStatus;

/* The exit code of a program that ends with this status: 0 ok, 1 model error, 2 usage, 3
 * initialisation, 4 run, 5 limit or memory, 6 file, 130 interrupted. */
NU_API int nu_exit_code(NuStatus status);
NU_API const char *nu_status_name(NuStatus status); /* "model error" */

/* ---- diagnostics ---- */

typedef enum { NU_ERROR, NU_WARNING, NU_NOTE } NuSeverity;

typedef struct {
  const char *file;              /* NULL: no place; then the rest is 0 */
  uint32_t line, column;         /* from 1; columns count characters */
  uint32_t end_line, end_column; /* the place after the last character */
} NuPlace;

typedef struct {
  NuPlace place;
  const char *text;
} NuLabel;

/* Valid while the sink runs. */
typedef struct {
  const char *code; /* "S101", explained by nu_explain */
  NuSeverity severity;
  const char *message;
  NuPlace place;
  const NuLabel *labels; /* further places */
  size_t n_labels;
  const char *const *notes;
  size_t n_notes;
  const char *help;   /* what to do; NULL if there is nothing to say */
  const char *origin; /* instance path; NULL if it does not apply */
  const void *own;    /* for nu_diagnostic_text and nu_diagnostic_json */
} NuDiagnostic;

/* Called at the end of the function that found something, in the order of finding; while a run is
 * under way for what must not wait (R634). It may call nu_diagnostic_*, nothing else of this
 * header. */
typedef void NuSink(void *user, const NuDiagnostic *d);

/* Text with source excerpt and caret, ending in a line end; `color` uses ANSI escapes. NULL when
 * memory is short. */
NU_API char *nu_diagnostic_text(const NuDiagnostic *d, bool color);
/* One JSON object without line end. NULL when memory is short. */
NU_API char *nu_diagnostic_json(const NuDiagnostic *d);

/* Markdown page about a code; NULL if there is no such code. */
NU_API const char *nu_explain(const char *code);
/* One line about each code in order: "S101", "too few equations: ..."; false when i is past the
 * end. */
NU_API bool nu_code(size_t i, const char **code, const char **title);
/* The candidates that look most like `name`, best first; returns how many were written to
 * `best`. */
NU_API size_t nu_nearest(const char *name, const char *const *candidates, size_t n,
                         const char **best, size_t most);
NU_API void nu_free(void *text);

/* ---- session: loaded texts and libraries ---- */

typedef struct NuSession NuSession;

typedef struct {
  size_t memory_limit; /* bytes for everything but runs; 0 = no limit */
  double time_limit;   /* s of the processor for a translation; 0 = no limit */
  const char *path;    /* library directories separated by `:` (MODELICAPATH); NULL = none */
  const char *own;     /* directory of NuSim's own library, searched after `path`; NULL = none */
  NuSink *sink;        /* NULL: diagnostics are lost */
  void *sink_user;
} NuSessionOptions;

NU_API NuSessionOptions nu_session_options(void); /* 4 GB, no paths, no sink */
NU_API NuStatus nu_session_new(const NuSessionOptions *options, NuSession **session);
NU_API void nu_session_free(NuSession *s);

/* A .mo file or a package directory. NU_FILE if it cannot be read, NU_MODEL_ERROR if its text has
 * errors. */
NU_API NuStatus nu_load_file(NuSession *s, const char *path);
/* The same for text in memory; `name` stands in diagnostics. */
NU_API NuStatus nu_load_text(NuSession *s, const char *name, const char *text, size_t length);
/* What a command line names: a file or directory, which is loaded, or a class along the path, whose
 * name is then given in *class_name (else NULL). */
NU_API NuStatus nu_load_target(NuSession *s, const char *target, const char **class_name);

/* File number i of those that were read so far: what was loaded, and classes of libraries that
 * models needed. False when i is past the end. */
NU_API bool nu_source_file(const NuSession *s, size_t i, const char **path);

/* ---- models ---- */

/* What computes a model. All give the same bits. */
typedef enum {
  /* The built-in compiler, for long runs the C compiler in the background; no machine code where
   * it is forbidden */
  NU_CODE_AUTO,
  NU_CODE_TCC, /* the built-in compiler */
  NU_CODE_CC,  /* the C compiler ($NUSIM_CC, else cc), before the run begins */
  NU_CODE_EVAL /* no machine code: the equations are evaluated one by one */
} NuCode;

/* Which class, and how. Zero is a good default. */
typedef struct {
  const char *class_name; /* full name; NULL: the last model with an experiment annotation among the
                             loaded classes, else the last model */
  const char *const *overrides; /* "name=value": modifications of the model, such as "wheel.r=0.3"
                                   or "h.start=2" */
  size_t n_overrides;
  /* Report extensions of Modelica: X003; those that cannot be translated yet are errors (X002) */
  bool strict;
  bool units;  /* nu_check reports units that do not agree */
  NuCode code; /* of nu_compile */
} NuTarget;

typedef struct {
  const char *class_name; /* full name; lives as long as the session */
  bool counted;           /* the numbers below are known: the model could be flattened */
  uint32_t equations, unknowns, states_declared, parameters, relations, when_clauses;
} NuCheck;

/* Is the model right: text, types, balance, structure, and all that nu_compile would refuse?
 * Libraries of functions are looked for when a run begins, other modes than a first one are judged
 * when a run comes to them. */
NU_API NuStatus nu_check(NuSession *s, const NuTarget *target, NuCheck *check);

/* The flat hybrid model as Modelica text; with `origin` each equation is followed by its component
 * and source line. */
NU_API NuStatus nu_flatten(NuSession *s, const NuTarget *target, bool origin, char **text);

typedef enum {
  NU_DUMP_TOKENS,
  NU_DUMP_AST,
  NU_DUMP_INSTANCE,
  NU_DUMP_FLAT,
  NU_DUMP_STRUCTURE,
  NU_DUMP_C
} NuDump;
/* An intermediate form of a model: instance tree, flat text, sorted blocks, generated C. */
NU_API NuStatus nu_dump(NuSession *s, const NuTarget *target, NuDump form, char **text);
/* Tokens or syntax tree of a source. `source` NULL: the file `name` is read. */
NU_API NuStatus nu_dump_source(NuSession *s, const char *name, const char *source, NuDump form,
                               char **text);
/* A source in the house layout. `source` NULL: the file `name` is read. */
NU_API NuStatus nu_format(NuSession *s, const char *name, const char *source, char **text);

/* What to tell about the structure of a model. */
typedef struct {
  /* counts, states and why they are, constraints, blocks of equations in order, islands, parts */
  bool structure;
  bool init;      /* what determines the initial values, blocks of the initial system */
  bool variables; /* all variables with type, kind, unit, value or start, comment */
  bool json;      /* one JSON object with a member for each part; else text */
  bool all;       /* text: long lists and equations are not cut */
  bool modes;     /* of a model whose equations change: what each mode makes of it */
} NuInspection;

NU_API NuStatus nu_inspect(NuSession *s, const NuTarget *target, const NuInspection *what,
                           char **text);

/* An element of a model that has levels of abstraction: a parameter whose enumeration has a literal
 * `Ideal` selects one. */
typedef struct {
  const char *component; /* "bridge.d1"; "" for the model itself */
  const char *parameter; /* "bridge.d1.level" */
  const char *level;     /* the level it has: "PiecewiseLinear"; NULL: not known before the run */
  const char *ideal;     /* for NuTarget.overrides: "bridge.d1.level=NuSim.Level.Ideal" */
} NuLevel;

/* Elements with levels whose components have one of these names, or match one of them with * and ?;
 * without names: all. The texts live as long as the session, the array belongs to the caller
 * (nu_free). NU_USAGE after a diagnostic: a name that is no component of the model (A002), or a
 * component without levels (A005). */
NU_API NuStatus nu_levels(NuSession *s, const NuTarget *target, const char *const *names,
                          size_t n_names, NuLevel **levels, size_t *n);

/* ---- programs: models that can be run ---- */

typedef struct NuProgram NuProgram;

/* Translates and compiles. The program does not change afterwards. */
NU_API NuStatus nu_compile(NuSession *s, const NuTarget *target, NuProgram **program);
/* The same for the model inside of a stored result (.nus), in a session that has nothing else
 * loaded. It may only call functions of libraries or of the system if it is trusted (F004). */
NU_API NuStatus nu_compile_result(NuSession *s, const char *path, NuCode code, bool trusted,
                                  NuProgram **program);
NU_API void nu_program_free(NuProgram *p);

typedef struct {
  const char *class_name;
  size_t n_variables, n_states;
  uint32_t structures; /* sorted systems of equations that were compiled */
  /* Of the experiment annotation; NaN where it says nothing */
  double start, stop, tolerance, interval;
  /* s of processor time: text to C, C to machine code (by the C compiler: real time) */
  double translate_time, compile_time;
} NuProgramInfo;

NU_API NuProgramInfo nu_program_info(const NuProgram *p);

typedef enum { NU_REAL, NU_INTEGER, NU_BOOLEAN, NU_ENUMERATION, NU_STRING } NuType;
typedef enum { NU_CONTINUOUS, NU_DISCRETE, NU_PARAMETER, NU_CONSTANT } NuVariability;
typedef enum { NU_LOCAL, NU_INPUT, NU_OUTPUT } NuCausality;

typedef struct {
  const char *name;                                     /* as the user writes it: tank[2].level */
  const char *unit, *display_unit, *quantity, *comment; /* "" if not given */
  NuType type;
  NuVariability variability;
  NuCausality causality;
  /* structural: its value shaped the equations; a change needs nu_compile */
  bool is_state, is_protected, is_structural;
  const char *const *literals; /* of an enumeration, whose values are 1 ... n_literals; else NULL */
  size_t n_literals;
} NuVariable;

/* Variable number i; false when i is past the end. */
NU_API bool nu_program_variable(const NuProgram *p, size_t i, NuVariable *v);
/* Number of a variable; false if there is none of that name. */
NU_API bool nu_program_find(const NuProgram *p, const char *name, size_t *i);

/* ---- runs ---- */

typedef struct NuRun NuRun;

/* Rows at an event: one before and one after it; none; or one before, one for each pass over the
 * equations, one after it. In CSV the last has a second column `k`: number of the row among those
 * with equal time. */
typedef enum { NU_ROWS_BOTH, NU_ROWS_NONE, NU_ROWS_ALL } NuEventRows;

/* A point of the result: `values` in the order of the columns, Booleans 1 or 0, enumerations by
 * number, Strings NaN. Returns false to stop the run. */
typedef bool NuRowSink(void *user, double time, const double *values);

/* May ask nu_run_stats how far the run is. */
typedef void NuProgress(void *user, const NuRun *run);

typedef enum {
  NU_FORM_ODE,
  NU_FORM_DAE
} NuFormulation; /* what the solver integrates: states, or also the unknowns of
                  * simultaneous equations (solver ida only) */

/* Where both fields of a relation lead to its surface, so that it would change again and again: the
 * motion slides along the surface; each change is an event; the run ends with R613. An annotation
 * of an equation decides for its own relations. */
typedef enum { NU_CHATTER_SLIDE, NU_CHATTER_KEEP, NU_CHATTER_ERROR } NuChatter;
/* Where events accumulate, as those of a ball that bounces ever lower: what bounced stays in
 * contact; the run ends there, as by terminate(); the run ends there with R609. */
typedef enum { NU_ZENO_PROJECT, NU_ZENO_STOP, NU_ZENO_ERROR } NuZeno;
/* Declared min and max. A parameter or start value outside of them is refused (V005); a variable
 * that leaves them during the run, by more than the tolerance explains, is told once (R630), or
 * ends the run (R631). Off: nobody looks at either. */
typedef enum { NU_BOUNDS_WARN, NU_BOUNDS_ERROR, NU_BOUNDS_OFF } NuBounds;

typedef struct {
  double start, stop; /* s; NaN: experiment annotation, else 0 and 1 */
  double step;        /* s between output points; must divide the time span; NaN: see `intervals` */
  uint64_t intervals; /* number of output intervals; 0: experiment annotation, else 500 */
  double rtol;        /* relative tolerance; NaN: experiment annotation, else 1e-6 */
  double atol;        /* absolute tolerance for a state of nominal value 1; NaN: 0.01 * rtol */
  const char *solver; /* NULL: "auto"; nu_solver lists the names */
  double solver_step; /* s; of solvers with a fixed step; NaN: the output interval */
  NuFormulation formulation;
  NuEventRows event_rows;
  const char *const *parameters; /* "name=value": of parameters that are not structural */
  size_t n_parameters;
  const char *const *starts; /* "name=value": start values */
  size_t n_starts;
  /* columns: names, or patterns with * and ?; none: all that vary with time */
  const char *const *variables;
  size_t n_variables;
  const char *store; /* result files: .nus, from which any variable can be had later; NULL: none */
  const char *csv;
  const char *mat; /* MATLAB version 4, as other Modelica tools write it */
  NuRowSink *row;  /* NULL: none */
  void *row_user;
  NuProgress *progress; /* called now and then, at least once per step; NULL: none */
  void *progress_user;
  uint64_t max_events; /* 0: no limit */
  double time_limit;   /* s of computing; NaN: no limit */
  bool events;         /* keep the events in memory, for nu_run_events */
  /* a jump at a change of mode ends where a relation of states changes on its way */
  bool jump_path;
  /* a change of mode may take derivatives of Dirac pulses, with infinite energy */
  bool any_pulses;
  /* One step size for everything, also for parts of the model that could have steps of their own */
  bool together;
  NuChatter chatter;
  NuZeno zeno;
  NuBounds bounds;
  /* s of real time from one checkpoint of `store` to the next; NaN: 1; 0: one per step */
  double checkpoint;
  /* A result (.nus) of the same model that the run goes on from; NULL: none. All that decides how a
   * run goes is then as it was in the run that wrote it, but for `stop`, which may be another point
   * of its output grid. `store`, which may be the same file, has the whole run; other results have
   * rows from there on. */
  const char *resume;
  /* s; NaN: where that run was interrupted; else from there on `parameters` have their values,
   * as by nu_run_set */
  double resume_at;
} NuRunOptions;

NU_API NuRunOptions nu_run_options(void); /* nothing is given */
/* Names of integration methods; false when i is past the end. */
NU_API bool nu_solver(size_t i, const char **name, const char **summary);

/* The options of a run as a table, for command lines, forms and scripts: all fields of NuRunOptions
 * but those that say where results go, who is called, and what is resumed. */
typedef enum {
  NU_OPTION_FLAG,   /* bool */
  NU_OPTION_REAL,   /* double; NaN: not given */
  NU_OPTION_COUNT,  /* uint64_t; 0: not given */
  NU_OPTION_CHOICE, /* an enumeration; its first value unless another is given */
  NU_OPTION_TEXT,   /* const char *; NULL: not given */
  NU_OPTION_TEXTS   /* const char *const *, and how many there are */
} NuOptionKind;

/* What a run with NuRunOptions.resume does about an option. */
typedef enum {
  NU_RESUME_FREE, /* each run has its own */
  NU_RESUME_KEPT, /* it has that of the run that it goes on with, unless another is given */
  NU_RESUME_FIXED /* it has that of the run that it goes on with, always */
} NuOptionResume;

typedef struct {
  const char *name; /* on a command line: "solver-step" */
  char letter;      /* there, too: 't'; 0: none */
  NuOptionKind kind;
  const char *field; /* of NuRunOptions: "solver_step" */
  size_t at;         /* its offset */
  size_t count_at;   /* texts: offset of their number */
  /* What stands for its value in help: "T". A choice, and a flag that is written as one of two
   * words: the words by their values, "slide|keep|error". NULL: a flag without value */
  const char *value;
  double least, most;  /* numbers that are allowed */
  const char *expects; /* these in words: "a positive number"; NULL: it is no number */
  NuOptionResume resume;
  const char *help; /* "stop after S seconds of computing" */
} NuOption;

/* Option number i, in the order of help; NULL when i is past the end. */
NU_API const NuOption *nu_run_option(size_t i);

/* Checks the options and makes everything ready; texts and names of the options are not needed
 * afterwards. NU_USAGE after A001: a number that its option does not allow. */
NU_API NuStatus nu_run_new(const NuProgram *p, const NuRunOptions *options, NuRun **run);
/* Names of the columns of the result behind `time`. */
NU_API size_t nu_run_columns(const NuRun *r, const char *const **names);
/* What may be called when; another order is NU_USAGE with A004. From functions that a run calls,
 * such as a row sink: only nu_run_stats, nu_run_columns and nu_run_interrupt.
 *
 *                                     new   started  failed  ended
 *   nu_run_start, nu_run_simulate      x
 *   nu_run_advance                              x
 *   nu_run_end                                  x       x
 *   nu_run_snapshot                    x        x
 *   nu_run_restore                     x        x       x
 *   nu_run_set, nu_run_set_text        x        x
 *   nu_run_rates                                x
 *   nu_run_get, nu_run_get_text                 x       x       x
 *   nu_run_stats, nu_run_columns       x        x       x       x
 * */
/* Finds consistent initial values; then come the events at the start time and the first row. */
NU_API NuStatus nu_run_start(NuRun *r);
/* Simulates up to `until`, or the stop time, or the end that the model makes by terminate():
 * everything with a time not later has happened and is in the result, the values are those at this
 * time. *reached (may be NULL): where it is then. The steps of the solver run ahead, so where one
 * stops decides nothing: the rows are those of nu_run_simulate, bit for bit. */
NU_API NuStatus nu_run_advance(NuRun *r, double until, double *reached);
/* The last event (terminal() becomes true), statistics, the end of result files. Without it files
 * look like those of a run that was killed. */
NU_API NuStatus nu_run_end(NuRun *r);
/* Start, advance to the stop time, end. Rows that were written stay, whatever the status. */
NU_API NuStatus nu_run_simulate(NuRun *r);
/* Ends nu_run_start, nu_run_advance or nu_run_simulate soon, with NU_INTERRUPTED. May be called
 * from any thread and from a signal handler. */
NU_API void nu_run_interrupt(NuRun *r);
NU_API void nu_run_free(NuRun *r);

enum { NU_LIMITING = 3, NU_CHANGES = 8 };

typedef struct {
  double start, stop; /* s */
  double time;        /* s; where the run is */
  uint64_t rows;      /* of the result */
  /* An instant may be both kinds of event */
  uint64_t steps, rhs_evaluations, state_events, time_events;
  uint64_t slides;   /* surfaces that the motion began to slide on */
  uint64_t contacts; /* accumulations of events after which something stayed in contact */
  /* Events after which relations or discrete Booleans have other values than before */
  uint64_t mode_changes;
  /* Systems of equations that it has used: more than one if the equations change with the mode */
  uint64_t structures;
  /* known when the run has ended */
  uint64_t rejected_steps;
  uint64_t jacobians, factorizations; /* of stiff solvers */
  uint64_t selections;                /* how often other variables became states */
  double run_time;                    /* s of processor time */
  const char *solver;                 /* those that were used: "rk45+cvode" */
  const char *code;                   /* what the run began with: "tcc", "cc" or "eval" */
  double cc_from;                     /* s; when code of the C compiler took over; NaN: never */
  /* Why it did not; NULL: nothing to say. Lives as long as the program */
  const char *code_note;
  /* States that kept the steps small; NULL: no more. They live as long as the program */
  const char *limiting[NU_LIMITING];
  double limiting_share[NU_LIMITING]; /* mean part of the error of a step, 0 to 1 */
  const char *jacobian;    /* how Jacobians were made: "symbolic", "differences", "symbolic,
                              differences"; NULL: there were none */
  uint64_t solver_changes; /* by auto; the first of them: when, and which solver went on */
  double change_time[NU_CHANGES];
  const char *change_solver[NU_CHANGES];
} NuRunStats;

/* May be called by a row sink and by a progress function. */
NU_API NuRunStats nu_run_stats(const NuRun *r);
/* Where the motion of a run that has ended stayed on the surface of a relation. The texts live as
 * long as the run. */
typedef struct {
  /* Events accumulated, and what bounced stayed in contact; else it slides along the surface */
  bool contact;
  const char *state;    /* contact: what came to rest, "v"; else NULL */
  const char *relation; /* "h <= 0" */
  const char *place;    /* "Ball.mo:9"; "" if unknown */
  double time;          /* s; when that began first */
  uint64_t count;       /* how often */
} NuRest;
/* Number i in order of appearance; false when i is past the end, or the run has not ended. */
NU_API bool nu_run_rest(const NuRun *r, size_t i, NuRest *rest);
/* The events of a run with NuRunOptions.events, as nu_result_events tells them of a stored one. */
NU_API NuStatus nu_run_events(NuRun *r, bool json, char **text);
/* Value of any variable at the present time, or of a derivative, "der(x)": a number, see NuRowSink.
 * NU_USAGE if there is none of that name. */
NU_API NuStatus nu_run_get(NuRun *r, const char *name, double *value);
/* The same as text: numbers with the digits that read back, true, false, literals of enumerations,
 * Strings. */
NU_API NuStatus nu_run_get_text(NuRun *r, const char *name, char **text);

/* An eigenvalue of the model linearised at the present values, 1/s. 1/|re + i*im| is a time
 * constant of the model there. */
typedef struct {
  double re, im;
} NuRate;
/* All of them, as many as there are states, the slowest first; the array belongs to the caller
 * (nu_free). NU_RUN_FAILED: there are too many states (300 in a part of the model), or derivatives
 * cannot be computed. The run goes on as if nothing had been asked. */
NU_API NuStatus nu_run_rates(NuRun *r, NuRate **rates, size_t *n);

typedef enum { NU_VALUE, NU_START } NuAttribute;
/* Sets a variable; Booleans 1 or 0, enumerations by number. What can be set:
 *                                            before nu_run_start   between two nu_run_advance
 *   NU_START of variables                              x
 *   NU_VALUE of inputs                                 x                       x
 *   NU_VALUE of parameters, not structural             x                       x
 *   NU_VALUE of states                                                         x
 * Between two parts all that was set takes effect together, at the latest with the next call: the
 * run has an event at the present time, with rows before and after it, other parameters follow
 * those that were set, the solver begins anew. Parameters that the initialisation has found stay
 * what they are, as do sample times, min, max and nominal values; external objects are made anew.
 * NU_USAGE: no variable of that name, not to be set now, wrong type, outside of min and max. */
NU_API NuStatus nu_run_set(NuRun *r, const char *name, NuAttribute attribute, double value);
/* The same from text, as nu_run_get_text gives it; for Strings, too. */
NU_API NuStatus nu_run_set_text(NuRun *r, const char *name, NuAttribute attribute,
                                const char *text);

/* Everything that decides how a run goes on: values, memory of events, delays, solver, random
 * generators, output grid. */
typedef struct NuSnapshot NuSnapshot;
NU_API NuStatus nu_run_snapshot(NuRun *r, NuSnapshot **snapshot);
/* The run goes on from there, as often as one likes; also a run that has failed, and another run of
 * the program with equal times, tolerances and solver, whose parameters it then replaces. One-step
 * solvers repeat every bit; cvode and ida begin anew at order 1, so that the results agree within
 * the tolerance. NU_USAGE, and nothing has changed:
 * - the snapshot does not fit; one that holds external objects, such as tables, only fits the run
 * it was taken from; - rows later than the snapshot are in a result (NuRunOptions.store, csv, mat,
 * events) already. A row sink is just called again. */
NU_API NuStatus nu_run_restore(NuRun *r, const NuSnapshot *snapshot);
NU_API void nu_snapshot_free(NuSnapshot *s); /* before the program */

/* ---- results ---- */

/* What a run stored (.nus). A result may be read while its run goes on, and without the model's
 * source: variables that were not stored are computed from the states. */
typedef struct NuResult NuResult;

/* NU_FILE if it is none, is damaged or was written by a newer version. */
NU_API NuStatus nu_result_open(NuSession *s, const char *path, NuResult **result);
NU_API void nu_result_free(NuResult *r); /* before the session */

typedef struct {
  const char *class_name, *solver, *version; /* version: of the program that wrote it */
  bool ended;                                /* false: the run goes on, or was killed */
  NuStatus status;                           /* of nu_run_simulate, if it has ended */
  double start, stop;                        /* s */
  double end;                                /* s; of the last point */
  double rtol;
  uint64_t intervals; /* of the output grid */
  uint64_t points;    /* grid points, and those of events */
  size_t n_variables;
} NuResultInfo;

NU_API NuResultInfo nu_result_info(const NuResult *r);
NU_API bool nu_result_variable(const NuResult *r, size_t i, NuVariable *v);
NU_API bool nu_result_find(const NuResult *r, const char *name, size_t *i);
/* Takes over what the run has written since the result was opened. */
NU_API NuStatus nu_result_refresh(NuResult *r);

/* Which values to take out of a result, and where to. */
typedef struct {
  /* names, or patterns with * and ?; none: the columns that were asked for when it was run */
  const char *const *variables;
  size_t n_variables;
  NuEventRows event_rows;
  double from, to; /* s; NaN: all */
  const char *csv, *mat;
  NuRowSink *row;
  void *row_user;
} NuExtract;

NU_API NuExtract nu_extract(void); /* everything, nowhere */
/* Rows as the run would have written them, bit for bit. */
NU_API NuStatus nu_result_extract(NuResult *r, const NuExtract *what);
/* Names of the columns that an extraction has behind `time`; they live as long as the result. */
NU_API NuStatus nu_result_columns(NuResult *r, const NuExtract *what, const char *const **names,
                                  size_t *n);
/* All columns of an extraction at a time: values of the last point that is not later, and its time
 * (NaN: there is none). */
NU_API NuStatus nu_result_at(NuResult *r, const NuExtract *what, double time, double *point,
                             double *values);
/* A variable at a time: the last point that is not later. NU_USAGE if there is none. */
NU_API NuStatus nu_result_get(NuResult *r, const char *name, double time, double *value);

/* Every sub-step of every event: what fired, the relation and its sides, what changed. Text, or one
 * JSON document. */
NU_API NuStatus nu_result_events(NuResult *r, bool json, char **text);

/* A result that was read from a file: CSV, MATLAB version 4 or a store. */
typedef struct {
  size_t n_columns, n_rows;
  const char *const *names;     /* of the columns; the first is the time */
  const double *const *columns; /* [column][row]; NaN where a cell is empty or no number */
  void *own;
  const char *const *units; /* of the columns, "" where nothing is said; NULL: the file has none */
} NuTable;

NU_API NuStatus nu_table_read(NuSession *s, const char *path, NuTable *table);
/* Only the columns of these names, in any order, behind the time (of a CSV file always all).
 * NU_USAGE if there is none of a name. */
NU_API NuStatus nu_table_read_some(NuSession *s, const char *path, const char *const *names,
                                   size_t n, NuTable *table);
NU_API void nu_table_free(NuTable *table); /* before the session */

/* ---- the timeline of a result ---- */

/* A span of time in which a mode did not change. */
typedef struct {
  double from, to; /* s; to > from */
  uint32_t value;  /* of NuModeTrack.values */
} NuModeSpan;

/* A switching group: conditions that decide about the same equations, a Boolean, enumeration or
 * Integer that the model determines, or relations that change an equation. */
typedef struct {
  const char *name; /* "d1.off", "brake.mode", "x > 0"; "structure": all conditions that decide
                       about equations */
  const char *const *values; /* "off", "not off", "Stuck", "x > 0, not (p > 1)", "sliding along x >
                                0", "in contact, h <= 0" */
  size_t n_values;
  /* From the first point to the last without gaps; neighbours have different values */
  const NuModeSpan *spans;
  size_t n_spans;
  /* It never changes, follows from another track of its component, or from time alone */
  bool minor;
} NuModeTrack;

/* An event (kind: "state", "time", "both" or "terminal"), or what happened in one: "sliding",
 * "contact", "exit", "mythical", "structural", "projection", "pinnacle"; see docs/events.md. */
typedef struct {
  double time;
  int k; /* number of the pass in its instant */
  const char *kind;
  const char *text; /* what fired, "x >= 1  (1 >= 1)", or the mode */
} NuMark;

/* A Dirac pulse. */
typedef struct {
  double time;
  const char *variable;
  double area;
} NuPulse;

/* Tracks that tell most come first, minor ones last; marks and pulses in order of superdense
 * time. */
typedef struct {
  size_t n_tracks, n_marks, n_pulses;
  const NuModeTrack *tracks;
  const NuMark *marks;
  const NuPulse *pulses;
  double start, end; /* s; of the points there are; NaN: none */
  void *own;
} NuModes;

NU_API NuStatus nu_result_modes(NuResult *r, NuModes *out);
NU_API void nu_modes_free(NuModes *m); /* may be called again, and after the result was freed */

/* ---- figures ---- */

/* What the Figure annotations of a class and of its base classes say (MLS 3.6 section 18.2.2), and
 * what nusim plot draws. Names are those of variables, or "der(x)". Titles, labels, legends and
 * captions may hold markup: %{x} is the value of x at the end of the run, %% a percent sign;
 * captions also have links, %(variable:x), %(plot:identifier), %[text](address), and line ends
 * between paragraphs. */
typedef struct {
  const char *x, *y;  /* x NULL: time */
  const char *legend; /* NULL: to be chosen; "": none */
  bool right;         /* belongs to axis y2 (annotation: __NuSim_right = true) */
  /* Curves of larger numbers are drawn over those of smaller ones, else in their order */
  int z_order;
  size_t result; /* number of the result it is of; 0 in annotations */
} NuCurve;

typedef struct {
  double min, max;   /* in `unit`; NaN: to be chosen */
  const char *unit;  /* NULL: each variable has its own */
  const char *label; /* NULL: to be chosen; "": none */
  bool log;
} NuAxis;

typedef struct {
  const char *title, *identifier; /* "" if not given */
  NuAxis x, y, y2;
  const NuCurve *curves;
  size_t n_curves;
} NuPlot;

/* If any of its plots has an identifier, all are marked (a), (b) ..., by which %(plot:identifier)
 * names them. */
typedef struct {
  const char *title;                        /* never empty */
  const char *identifier, *group, *caption; /* "" if not given */
  bool preferred;                           /* to be shown when a run has ended */
  const NuPlot *plots;
  size_t n_plots;
} NuFigure;

/* In the order of the class, then of its base classes; they live as long as the program or result.
 * Returns how many. */
NU_API size_t nu_program_figures(const NuProgram *p, const NuFigure **figures);
/* Those of the class when it was run */
NU_API size_t nu_result_figures(const NuResult *r, const NuFigure **figures);
/* A title, label, legend or caption (figure->caption itself) of a figure without markup, with
 * values and units of variables and with marks of plots. Paragraphs end with a line end. `figure`
 * may be NULL. */
NU_API NuStatus nu_figure_markup(NuResult *r, const NuFigure *figure, const char *text,
                                 char **plain);

/* ---- comparing results ---- */

/* Two results, of any formats, signal by signal in a tube round the reference that is wide in time
 * and in value: docs/diff.md. */
typedef struct {
  const char *const *variables; /* names, or patterns with * and ?; none: all that both have */
  size_t n_variables;
  /* Half width of the tube over the time span, half height over the range of the signal; 0 to
   * 0.5 */
  double tolerance;
  /* The least range of a signal that counts, over its nominal value (1 if none is known) */
  double nominal;
  double from, to; /* s; NaN: all that both cover */
  bool strict;     /* signals that only one has, and other numbers of events, are differences */
} NuCompareOptions;

NU_API NuCompareOptions nu_compare_options(void); /* everything; 2e-3, 1e-3 */

typedef struct {
  const char *name;
  /* Boolean, Integer, enumeration, or what looks so in both files: values must be equal */
  bool discrete;
  double height; /* half height of the tube; 0 if discrete */
  /* The largest, in units of the half height: above 1 is outside; INFINITY: only one has a value
   * there */
  double deviation;
  double time;              /* s; where that is, */
  double result, reference; /* and the values there; NaN: none */
  uint64_t points, outside; /* of both files: compared, and outside of the tube */
} NuDifference;

typedef struct {
  bool same;       /* no signal leaves its tube (and what `strict` adds) */
  double from, to; /* s; what was compared */
  bool part;       /* one of the files covers more than that, though nobody asked for a part */
  double width;    /* s; half width of the tube */
  const NuDifference *signals; /* the worst first */
  size_t n_signals, n_outside; /* n_outside: how many leave their tubes */
  const char *const *only_result, *const *only_reference; /* signals that only one has */
  size_t n_only_result, n_only_reference;
  bool result_events_known, reference_events_known; /* false: the file has no rows at events */
  uint64_t result_events, reference_events;         /* instants with events after the start */
  /* s; the first event that the other one has not within the width; NaN: there is none */
  double first_event;
  void *own;
} NuComparison;

/* NU_OK also if they differ. NU_USAGE after a diagnostic: a name that one of them does not have
 * (A002), no time or no signal that both have; NU_FILE: a file that cannot be read. */
NU_API NuStatus nu_compare(NuSession *s, const char *result, const char *reference,
                           const NuCompareOptions *options, NuComparison *out);
NU_API void nu_comparison_free(NuComparison *c); /* before the session */

/* What to draw of which results, and how. */
typedef struct {
  const char *const *results; /* files: .nus, .csv, .mat; drawn over each other */
  size_t n_results;
  /* "y", "y vs x", "y @right" for the second axis; "a, b" are two curves in one plot. Others share
   * a plot if they have the same unit. None: the figures that the first result brings along, else
   * its first columns. */
  const char *const *curves;
  size_t n_curves;
  /* Identifier or title of the one to draw among those of the result; NULL: all */
  const char *figure;
  const char *title; /* NULL: that of the figure */
  bool log_x, log_y;
  double from, to;          /* s; NaN: all */
  const char *const *units; /* units to show: "v=km/h", "time=ms", "bar" for all pressures */
  size_t n_units;
  bool events;           /* marks where something happened, arrows for Dirac pulses */
  bool modes;            /* a strip for each group of equations that switch together */
  double width, height;  /* cm, of a file; NaN: 16, and 10 for one plot */
  size_t columns, lines; /* of text: of the picture, of each plot; 0: 80, 12 */
  bool ascii;            /* text without braille patterns */
} NuFigureOptions;

NU_API NuFigureOptions nu_figure_options(void);
/* Draws to a file whose name ends in .svg, .png or .pdf. Figures of the caller, or those that the
 * options name (NULL). Several figures are pages of a PDF file; in the other formats they are files
 * NAME.svg, NAME-2.svg and so on. No file is left half written. NU_USAGE after A001, A002, G001 ...
 * G003: nothing was written. */
NU_API NuStatus nu_figure_write(NuSession *s, const NuFigure *figures, size_t n,
                                const NuFigureOptions *options, const char *path);
/* The same as lines of text. */
NU_API NuStatus nu_figure_text(NuSession *s, const NuFigure *figures, size_t n,
                               const NuFigureOptions *options, char **text);

#ifdef __cplusplus
}
#endif
