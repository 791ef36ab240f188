#pragma once
/* result/store.h -- what a run remembers: one SQLite file (.nus) that holds of each point only what
 * cannot be computed from the rest. docs/formats.md describes the file. result/recompute.h gives
 * everything else.
 *
 * A point has a number, from 0. Of each point there are: time, kind and pass (RunRow); the recorded
 * Reals (states and what cannot be recomputed to the bit), in tracks: track 0 for all, then those
 * of the islands; and the changes of discrete values. */
#include "run/run.h"
#include "structure/sorted.h"

enum {
  STORE_ID = 0x4e755369,
  STORE_VERSION = 3,
  STORE_WITH_CHECKPOINTS = 3,
};

/* ---- writing ---- */

/* What a pass of an event can be caused by, as text. */
typedef struct {
  RunCauseKind kind;
  uint32_t number;
  const char *text;  /* "h <= 0" */
  const char *place; /* "Ball.mo:9"; "" if unknown */
} StoreCause;

/* All that a model has; numbers are those of RunCause. */
const StoreCause *causes_of(const Structure *s, const SourceMap *sources, Arena *a, uint32_t *n);
const char *causes_plain(const char *text, Arena *a); /* "h <= 0.0" as somebody writes it: h <= 0 */

/* Where a run can go on: what its store begins with, and bytes of run_checkpoint. */
typedef struct {
  uint64_t point;                   /* number of points that come before it */
  double time;                      /* s; of the last of them */
  const unsigned char *bytes, *run; /* all of them, and those of the run */
  size_t n, n_run;
} StoreCheckpoint;

/* All of it is only needed during store_create, but model and structure. */
typedef struct {
  const char *path;
  const Structure *structure;
  const DsModel *model;
  const Diags *sources;
  double start, stop, rtol;
  uint32_t intervals;
  const char *version, *solver;
  const char *const *selected; /* names of the columns that were asked for; none: all that vary */
  uint32_t n_selected;
  const StoreCause *causes;
  uint32_t n_causes;
  const char *options; /* of the run, for who resumes it; NULL: "" */
  double checkpoint;   /* s of real time from one checkpoint to the next; NAN: 1 */
  /* It goes on from there, and has its points up to `at`, too; closed, then NULL. NULL: none */
  struct Store **past;
  const StoreCheckpoint *at;
} StoreSetup;

typedef struct StoreWriter StoreWriter;
/* NULL after F001. An older result of that name is replaced; another file is not. */
StoreWriter *store_create(const StoreSetup *setup, Arena *a, Diags *diags);
/* a RunRowFunction; false: the file cannot be written */
bool store_row(void *writer, const RunRow *row);
/* Now and then, so that what is known is committed about once a second */
bool store_tick(StoreWriter *w);
/* Is it time for a checkpoint? Then one can be made of the bytes of run_checkpoint; it also commits
 * what is known. */
bool store_wants_checkpoint(const StoreWriter *w);
bool store_has_checkpoint(const StoreWriter *w); /* there is one */
/* Variables were set from outside: the run cannot be repeated from its options alone */
void store_was_set(StoreWriter *w);
void store_checkpoint(StoreWriter *w, const void *bytes, size_t n);
/* The run has ended. False after F001. */
bool store_end(StoreWriter *w, RunStatus status, const RunStats *stats, Diags *diags);
/* NULL is allowed; without store_end the file looks like that of a killed run */
void store_writer_free(StoreWriter *w);

/* ---- reading ---- */

typedef struct {
  uint32_t track, place; /* place in r */
  uint64_t since;        /* number of the first point that has it */
  const char *name;
} StoreColumn;

typedef struct {
  uint64_t point;
  RunCauseKind kind;
  int number;
  double a, b;
} StoreEvent;

typedef struct Store {
  const char *path, *class_name, *version, *solver, *model; /* model: flat Modelica text */
  const char *options; /* see StoreSetup; NULL: of an older version */
  double start, stop, rtol;
  uint32_t intervals;
  bool ended;
  bool set;         /* see store_was_set */
  RunStatus status; /* if it has ended */
  /* Columns asked for; variables that flat_restore_names must leave alone */
  const char **selected, **quoted;
  uint32_t n_selected, n_quoted;
  /* all values at the first point */
  double *r;
  int64_t *i;
  const char **s;
  uint32_t n_real, n_integer, n_string, n_relations;
  const unsigned char *relation;
  VEC(StoreColumn) columns;
  VEC(StoreCause) causes;
  struct StoreOwn *own;
} Store;

/* NULL after F002: no such file, not a result, damaged, of a newer version. */
Store *store_open(const char *path, Arena *a, Diags *diags);
void store_close(Store *s); /* NULL is allowed */
/* What was committed since the last look. False after F002. */
bool store_refresh(Store *s, Diags *diags);

/* Pieces of consecutive points, in order of time. */
typedef struct {
  uint64_t first;
  uint32_t n;
  double start, stop; /* times of the first and the last point */
} StorePiece;
const StorePiece *store_pieces(const Store *s, uint32_t *n);
uint64_t store_points(const Store *s);
/* Start of the piece that holds the last point not later than `time`; NAN if there is none. */
double store_time_before(const Store *s, double time);

/* A value that became another one at a point. */
typedef enum { STORE_REAL, STORE_INTEGER, STORE_STRING, STORE_RELATION } StoreBank;
typedef struct {
  uint32_t point; /* in the piece */
  StoreBank bank;
  uint32_t place;
  union {
    double r;
    int64_t i;
    const char *s;
  } value;
} StoreChange;

typedef struct {
  uint32_t n;
  double *time;
  RunRowKind *kind;
  uint32_t *step;
  double **columns;     /* per column of Store.columns; NULL: not wanted, or not recorded then */
  StoreChange *changes; /* in order of points */
  uint32_t n_changes;
} StorePoints;
/* Reads piece k into memory that the next call uses again. wanted: per column; NULL: all. False
 * after F002. */
bool store_read(Store *s, uint32_t k, const bool *wanted, StorePoints *out, Diags *diags);
/* Events from a point on, at most `most`; *n says how many. False after F002. */
bool store_events(Store *s, uint64_t from, StoreEvent *out, uint32_t most, uint32_t *n,
                  Diags *diags);
/* The last checkpoint of which no point is later than `time`, in memory of `a`. False: there is
 * none, or after F002. */
bool store_checkpoint_before(Store *s, double time, Arena *a, StoreCheckpoint *out, Diags *diags);
