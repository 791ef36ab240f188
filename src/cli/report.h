#pragma once
/* cli/report.h -- what the commands have in common: a session with its messages, JSON, reading
 * standard input. */
#include "cli/options.h"
#include "cli/progress.h"
#include "nusim.h"

enum { EXIT_USAGE = 2, EXIT_FILE = 6 };

/* Where diagnostics go: text to stderr at once, or JSON kept for the document. */
typedef struct {
  bool json, color;
  unsigned errors, warnings, hidden;
  Progress *progress; /* its line gives way to messages; NULL: there is none */
  char **items;       /* JSON objects */
  size_t n_items;
} Report;

/* A session with the target of a command loaded. */
typedef struct {
  Report report;
  NuSession *session;
  NuTarget target;
  char **overrides; /* owned */
} Work;

/* Opens a session and loads the first plain argument (`-`: standard input). The status is that of
 * loading. */
NuStatus work_open(Work *w, const Args *args);
/* Opens a session without loading anything. */
NuStatus work_open_empty(Work *w, const Args *args);
void work_close(Work *w);
/* Says how many diagnostics were not shown. */
void report_finish(const Report *r);

/* "error[A001]: ..." to stderr, then the nearest of the candidates, if any. Returns EXIT_USAGE. */
int usage_error(const char *name, const char *const *candidates, size_t n, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "error[CODE]: ..." to stderr. */
void complain(const char *code, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool use_color(Color option, FILE *out);
/* Memory or the end of the program. */
void *must_alloc(void *old, size_t size);
/* All of a stream, with a 0 behind it. */
char *read_all(FILE *in, size_t *length);

void json_string(FILE *out, const char *text);     /* NULL gives null */
void json_number(FILE *out, double value);         /* not finite: null */
void json_diagnostics(FILE *out, const Report *r); /* the array */
