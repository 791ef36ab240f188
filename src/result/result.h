#pragma once
/* result/result.h -- results of runs as CSV.
 * First line: "time" and the names in quotes. One line per row; at an event one before and one after it, with equal time.
 * Numbers have the fewest digits that read back exactly; Booleans are 1 and 0, enumerations whole numbers, Strings quoted. */
#include <stdio.h>

#include "run/run.h"

/* ---- writing ---- */

typedef struct {
  FILE *file;
  const RunColumn *columns;
  uint32_t n;
  bool steps; /* a second column `k` has RunRow.step */
  Text line; /* reused */
  bool failed;
} CsvWriter;

/* Writes the header. The file stays the caller's. */
void csv_begin(CsvWriter *w, FILE *file, const RunColumn *columns, uint32_t n, bool steps, Arena *a);
bool csv_row(void *writer, const RunRow *row); /* a RunRowFunction */
bool csv_end(CsvWriter *w); /* flushes; false if anything could not be written */

/* ---- reading ---- */

typedef struct {
  const char **names; /* n columns; the first is "time" */
  double **columns;   /* [column][row]; NaN where empty or a text */
  uint32_t n, rows;
} CsvTable;

/* Reads a whole CSV text. NULL after a diagnostic (F002) that names the line. */
CsvTable *csv_read(const char *name, const char *text, size_t length, Arena *a, Diags *diags);
