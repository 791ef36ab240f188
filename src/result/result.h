#pragma once
/* result/result.h -- results of runs as files.
 * A file takes rows one by one and does not know whether they come from a run or from a replay. At
 * an event there is one row before and one after it, with equal time.
 * CSV: first line "time" and the names in quotes; one line per row. Numbers have the fewest digits
 * that read back exactly; Booleans are 1 and 0, enumerations whole numbers, Strings quoted.
 * MAT: version 4, the matrices Aclass, name, description, dataInfo, data_1 and data_2 of other
 * Modelica tools; Strings are left out. */
#include <stdio.h>

#include "run/run.h"

/* ---- files ---- */

/* What a format must know before the first row. */
typedef struct {
  const RunColumn *columns;
  uint32_t n;
  bool all;   /* nothing was selected: MAT has all parameters and constants, too */
  bool steps; /* the number of the pass stands behind the time */
  const DsModel *model;
  const struct Structure *structure; /* tells variables that are equal up to sign; may be NULL */
  double start, stop;                /* s; of the run */
} ResultShape;

typedef struct ResultFormat ResultFormat;

/* A file that is being written; the formats' own structures begin with it. */
typedef struct {
  const ResultFormat *format;
  const char *path;
  const char *why; /* what went wrong first; NULL: nothing */
} ResultFile;

/* The functions return false when something went wrong, and `why` says what. */
struct ResultFormat {
  ResultFile *(*make)(const ResultShape *shape, Arena *a); /* takes all memory; no file yet */
  /* Creates the file and writes what stands before the rows */
  bool (*open)(ResultFile *f);
  bool (*row)(ResultFile *f, const RunRow *row);
  bool (*end)(ResultFile *f); /* everything is in the file afterwards */
  void (*close)(ResultFile *f);
};

extern const ResultFormat csv_format, mat_format;

enum { RESULT_CSV, RESULT_MAT, RESULT_FORMATS };

/* The files of one run, at most one of each format. Zero is none. */
typedef struct {
  ResultFile *at[RESULT_FORMATS];
  uint32_t n;
} ResultFiles;

/* Makes those whose path is not NULL. False after a diagnostic (F001). */
bool results_open(ResultFiles *all, const char *const paths[RESULT_FORMATS],
                  const ResultShape *shape, Arena *a, Diags *diags);
bool results_row(void *files, const RunRow *row); /* a RunRowFunction */
/* False after a diagnostic (F001) for each file that is not whole */
bool results_end(ResultFiles *all, Diags *diags);
void results_close(ResultFiles *all); /* also after a failure */

/* ---- writing CSV to an open file ---- */

typedef struct {
  FILE *file;
  const RunColumn *columns;
  uint32_t n;
  bool steps; /* a second column `k` has RunRow.step */
  Text line;  /* reused */
  bool failed;
} CsvWriter;

/* Writes the header. The file stays the caller's. */
void csv_begin(CsvWriter *w, FILE *file, const RunColumn *columns, uint32_t n, bool steps,
               Arena *a);
bool csv_row(void *writer, const RunRow *row); /* a RunRowFunction */
bool csv_end(CsvWriter *w);                    /* flushes; false if anything could not be written */

/* ---- reading ---- */

typedef struct {
  const char **names; /* n columns; the first is "time" */
  double **columns;   /* [column][row]; NaN where empty or a text */
  uint32_t n, rows;
  const char **units; /* of the columns, "" where nothing is said; NULL: none */
} CsvTable;

typedef struct {
  const char *path, *data;
  size_t length;
} MatSource;

/* Does it begin like a trajectory in a MATLAB file of version 4? */
bool mat_is_trajectory(const char *data, size_t length);
/* Names of all its variables, the first is "time"; and which of them vary. NULL after F002. */
const char **mat_trajectory_names(const MatSource *from, Arena *a, Diags *diags, uint32_t *n,
                                  const bool **varying);
/* Reads the time and the variables of these names (none: all that vary) of such a file. NULL after
 * a diagnostic (F002). */
CsvTable *mat_read_trajectory(const MatSource *from, const char *const *names, size_t n, Arena *a,
                              Diags *diags);

/* Reads a whole CSV text. NULL after a diagnostic (F002) that names the line. */
CsvTable *csv_read(const char *name, const char *text, size_t length, Arena *a, Diags *diags);
