#pragma once
/* result/store_impl.h -- shared by writer and reader of stores. */
#include <sqlite3.h>

#include "result/column.h"
#include "result/store.h"

/* The tables of the file. A reader takes a file with exactly these, so that nothing else in it can
 * act. */
enum { STORE_TABLES = 6, STORE_TABLES_BEFORE = 5 }; /* formats 1 and 2 have no checkpoints */
/* So long may the end of a run keep a reader waiting, or a reader the beginning of a run. */
enum { STORE_BUSY_MS = 10000 };

typedef struct {
  const char *name, *sql;
} StoreTable;
extern const StoreTable store_tables[STORE_TABLES];

extern const char *const store_status[RUN_CANCELLED + 1]; /* how a run ended */
int store_pragma(sqlite3 *db, const char *name);          /* -1 if it cannot be had */

/* ---- rows of tables: each has a check sum over the columns in front of it ---- */

typedef struct {
  sqlite3_stmt *s;
  int n;        /* columns so far */
  uint32_t sum; /* of them */
  bool ok;
} StoreEntry;

StoreEntry store_entry(sqlite3_stmt *s); /* an INSERT whose parameters are the columns in order */
void store_add_integer(StoreEntry *e, int64_t value);
void store_add_real(StoreEntry *e, double value); /* NaN is kept as NULL */
/* Texts and bytes must live until store_put. */
void store_add_text(StoreEntry *e, const char *value);
void store_add_bytes(StoreEntry *e, const void *bytes, size_t n, bool summed);
void store_add_sum(StoreEntry *e);
bool store_put(StoreEntry *e);
/* Is column n the sum of the columns in front of it? */
bool store_sound(sqlite3_stmt *s, int n);

/* ---- the file and those beside it ---- */

const char *store_beside(const char *path, const char *end, Arena *a); /* "x.nus-wal" */
/* The right to write a store or to put it in order, by the file `name` ("x.nus-lock"): a
 * descriptor; -1: *busy says whether somebody else has it, else errno why. */
int store_lock(const char *name, bool *busy);
void store_unlock(const char *name, int lock); /* -1 is allowed */
bool store_moved(sqlite3 *db);                 /* the name no longer means this file */

/* ---- writing ---- */

/* A checkpoint in the file. */
typedef struct {
  uint64_t point; /* number of points in front of it */
  size_t size;
} StoreCheck;

/* A column of points. */
typedef struct {
  uint32_t track, place;
} StoreKept;

struct StoreWriter {
  Arena *a;
  sqlite3 *db;
  sqlite3_stmt *put_segment, *put_event, *put_about, *put_recorded, *put_checkpoint;
  const char *name; /* as the caller wrote it */
  const char *path, *lock_name;
  int lock; /* -1: none */
  const DsModel *m;
  ColumnCoder *coder;
  VEC(StoreKept) columns;
  uint32_t n_tracks;
  uint32_t most, n; /* points of a piece: room, waiting */
  uint32_t saved;   /* of those waiting: already written */
  uint64_t first;   /* number of the first that waits */
  double *time;
  double last_time; /* s; of the last point */
  double *rows;     /* values of the columns, point by point */
  uint64_t *words, *meta;
  const uint32_t *watched; /* places in r that are recorded as changes */
  uint32_t n_watched;
  double *watched_last;
  long long *i_last;
  Text *s_last;
  unsigned char *relation_last;
  Text changes, bytes;
  uint32_t changed; /* point of the last change */
  uint32_t n_singular;
  uint64_t n_events;
  double committed;  /* when, s */
  bool safe;         /* the disk is waited for */
  const char *error; /* why writing ended; NULL: it goes on */
  /* checkpoints */
  double checked, check_cost; /* when the last one was made, and how long that took, s */
  double check_interval;
  VEC(StoreCheck) checks; /* those in the file, the last of them behind */
  /* Every so many stay; so many were made since the last of these: the last stays if 0 */
  uint32_t stride, since_kept;
};

double store_now(void); /* s of real time */
/* no: notes why the last call failed. Can writing go on? */
bool store_check(StoreWriter *w, bool ok);
bool store_execute(StoreWriter *w, const char *sql);
void store_finish(StoreWriter *w, StoreEntry *e); /* the row is complete but for its sum */
bool store_commit(StoreWriter *w);
void store_add_column(StoreWriter *w, uint32_t track, uint32_t place, const char *name);
/* Point (as distance from the last change), bank, place; the value follows. */
void store_put_change(StoreWriter *w, StoreBank bank, uint32_t place);
/* What waits is written; it still waits unless the piece is over. */
void store_put_piece(StoreWriter *w, bool over);
/* store_checkpoint.c: points and checkpoints of an older result up to one of these, into a file
 * that has none. */
void store_take_over(StoreWriter *w, Store *past, const StoreCheckpoint *at);

/* ---- reading ---- */

typedef struct StoreOwn {
  Arena *a;
  sqlite3 *db;
  sqlite3_stmt *segment, *event;
  ColumnCoder *coder;
  const char *lock_name, *new_name;
  bool plain; /* nothing beside the file is looked at, nor is it put in order */
  VEC(StorePiece) pieces;
  uint64_t points;
  uint32_t n_tracks;
  Arena *piece;    /* memory of the piece that was read last */
  uint64_t *words; /* COLUMN_MOST */
  StorePoints at;
  VEC(StoreChange) changes;
} StoreOwn;
