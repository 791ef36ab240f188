#pragma once
/* api/api_impl.h -- what the files of this folder share: the session and the frame around every
 * public function. */
#include "base/diag.h"
#include "base/intern.h"
#include "flat/flat.h"
#include "instance/library.h"
#include "load/load.h"
#include "nusim.h"
#include "run/run.h"

struct NuSession {
  Memory mem;
  Arena *arena; /* everything that lives as long as the session */
  Interner *names;
  SourceMap *sources;
  Diags *diags; /* of the library: texts that were loaded, by the user or on demand */
  Library *lib;
  uint32_t delivered; /* how many of `diags` went to the sink */
  NuSink *sink;
  void *sink_user;
  double time_limit; /* s, of a translation; 0: none */
  bool has_path;     /* a library path was given */
  bool exhausted;    /* memory or time was short once: structures may be half made */
};

/* Any number of threads may have runs of one program.
 * Const:   everything below once nu_compile has returned, but for what has a lock. Who needs more
 *          expressions, types or texts than there are adds them to a view of the structure, in
 *          memory of its own: a run, a new structure, an evaluation without machine code.
 * Learned: structures of modes that a run was the first to come to (`modes`, lock in api/mode.c);
 *          better machine code (Program.later, lock in load/later.c).
 * Lent:    workspaces of evaluations (lock in interpret/work.c); libtcc (lock in load/load.c).
 * Each lock is taken in the file named here only, none while another one is held, and none by who
 * analyses, compiles (but libtcc, which has global variables) or evaluates anything.
 * Of the session, a run uses the sink alone: sources and their lines are those of the program. */
struct NuProgram {
  NuSession *s;
  Program *own;
  const DsModel *interpreted; /* a model without machine code, in `mem`; NULL: none */
  NuProgramInfo info;
  Memory mem; /* of what it was made from, kept for messages of runs */
  const SourceMap *sources;
  const struct Structure *structure;
  struct ApiModes *modes;  /* further structures */
  const NuFigure *figures; /* in `mem` */
  /* The file that the model comes from, if nobody answers for it; NULL: somebody does */
  const char *distrusted;
};

/* One call of a public function. */
typedef struct {
  NuSession *s;
  Arena *arena; /* dropped when the function returns */
  Diags *diags; /* of this call; go to the sink when it ends */
} Call;

/* Runs `work` with a recovery point for exhausted memory, then delivers the diagnostics. */
typedef NuStatus Work(Call *c, void *args);
NuStatus api_call(NuSession *s, Work *work, void *args);

/* Delivers the diagnostics from number `from` on; memory for the views comes from `mem`. */
void api_deliver(NuSession *s, Memory *mem, const Diags *ds, uint32_t from);
/* K001 and R610, which need no memory. */
void api_deliver_exhausted(NuSession *s, size_t limit);
void api_deliver_late(NuSession *s);

/* The status that fits the first error among the diagnostics from number `from` on; NU_OK if there
 * is none. */
NuStatus api_status(const Diags *ds, uint32_t from);
/* The same for a whole call: what the library reported since `from`, then the call's own. */
NuStatus api_call_status(const Call *c, uint32_t from);

/* A copy for the caller (nu_free). */
NuStatus api_give_text(const Text *text, char **out);

/* Full name of the class that a target means; NULL after L005. */
const char *api_class_name(Call *c, const NuTarget *target);
/* The flat model of a target; NULL after a diagnostic. */
FlatModel *api_flatten(Call *c, const NuTarget *target);

/* The status of a run that ended so. */
NuStatus api_run_status(RunStatus status);
/* A value as a number; NaN for a String. */
double api_value(const DsData *d, DsType type, int place);
/* Variable number i of a model; false when i is past the end. */
bool api_variable(const DsModel *m, size_t i, NuVariable *v);

/* read_back.c. All of a regular file; the reason why not in *why. No file is open while memory is
 * taken. */
const char *api_read_whole(Arena *a, const char *path, size_t *length, const char **why);
bool api_is_store(const char *path);
/* The first bytes of a regular file; how many there are. */
size_t api_read_head(const char *path, char *head, size_t most);
/* The time and these variables of a stored result; none: those that were asked for when it was
 * run. */
NuStatus api_table_of(NuSession *s, NuResult *r, const char *const *names, size_t n,
                      NuTable *table);

/* annotation.c: what a flat model says should be drawn, in `a`. */
const NuFigure *api_figures(const FlatModel *m, Arena *a);
const char *api_plot_label(size_t k, Arena *a); /* of plot number k of a figure: "(a)" */

/* Are all functions outside of the model that its code calls allowed? F004 if not. */
bool api_may_call(const NuProgram *p, const DsModel *m, Diags *diags);

/* ---- mode.c ---- */

typedef struct ApiModes ApiModes;
ApiModes *api_modes_new(void); /* NULL when memory is short */
void api_modes_free(ApiModes *modes);
/* The structure of the program with these values of its conditions, see RunOptions.mode; user: the
 * NuProgram. */
const DsModel *api_mode(void *user, const bool *values, bool initial, Diags *diags);
/* Structures that runs have made. */
uint32_t api_modes_made(const NuProgram *p);

/* Processor time of this thread, s. */
double api_cpu_time(void);
