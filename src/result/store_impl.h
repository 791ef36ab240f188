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
