#pragma once
/* result/store_impl.h -- shared by writer and reader of stores. */
#include <sqlite3.h>

#include "result/store.h"

/* The tables of the file. A reader takes a file with exactly these, so that nothing else in it can act. */
enum { STORE_TABLES = 5 };
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
/* The right to write a store or to put it in order, by the file `name` ("x.nus-lock"): a descriptor; -1: *busy says whether
 * somebody else has it, else errno why. */
int store_lock(const char *name, bool *busy);
void store_unlock(const char *name, int lock); /* -1 is allowed */
bool store_moved(sqlite3 *db); /* the name no longer means this file */
