#pragma once
/* base/diag.h -- diagnostics as data: one record feeds the terminal, JSON and every other view.
 *   Diag *d = diag_add(diags, D_N001, span, "`%s` is not declared here", name);
 *   diag_label(diags, d, other_span, "declared here");  diag_help(diags, d, "did you mean `%s`?",
 *   near);
 * Messages use names that the user wrote. Codes live in diag.def, are stable for ever, and have a
 * page in docs/errors. */
#include "base/source.h"
#include "base/text.h"

typedef enum {
#define DIAG(code, severity, title) D_##code,
#include "base/diag.def"
#undef DIAG
  D_COUNT
} DiagCode;

typedef enum { SEV_ERROR, SEV_WARNING, SEV_NOTE } Severity;

typedef struct {
  Span span;
  const char *text;
} DiagLabel;

typedef struct Diag {
  DiagCode code;
  Severity severity;
  Span span; /* {0,0}: the message has no place */
  const char *message;
  DiagLabel *labels; /* further places, in the order added */
  uint32_t n_labels, room_labels;
  const char **notes;
  uint32_t n_notes, room_notes;
  const char *help;   /* what to do; NULL if nothing to say */
  const char *origin; /* instance path; NULL if it does not apply */
} Diag;

typedef struct Diags Diags;
Diags *diags_new(Arena *a, const SourceMap *sources);
/* Equal code, place and message as an earlier one: returns the earlier one, nothing is added. */
Diag *diag_add(Diags *ds, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_label(Diags *ds, Diag *d, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_note(Diags *ds, Diag *d, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_help(Diags *ds, Diag *d, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_origin(Diags *ds, Diag *d, const char *instance_path);

/* The same note for each error added after the count was `from`. */
void diags_note_since(Diags *ds, uint32_t from, const char *note);
uint32_t diags_count(const Diags *ds);
const Diag *diags_at(const Diags *ds, uint32_t i);
uint32_t diags_errors(const Diags *ds); /* number of errors so far */
/* Forgets everything added after the count was `mark` (used by trial evaluations). */
void diags_rewind(Diags *ds, uint32_t mark);
const SourceMap *diags_sources(const Diags *ds);
Memory *diags_memory(const Diags *ds); /* that they take their memory from */

const char *diag_code_name(DiagCode code);  /* "S101" */
const char *diag_code_title(DiagCode code); /* one line */
bool diag_code_find(const char *name, DiagCode *code);

/* Text with source excerpt and caret; `color` uses ANSI escapes. */
void diag_render(const Diags *ds, const Diag *d, bool color, Text *out);
/* One JSON object. */
void diag_json(const Diags *ds, const Diag *d, Text *out);

/* Adds `text` as valid UTF-8 that is safe on a terminal: what is neither becomes U+FFFD; line ends
 * stay. */
void diag_clean(const char *text, Text *out);

/* The candidates nearest to `name` (edit distance, at most a third of its length), best first;
 * returns how many. */
uint32_t nearest_names(const char *name, const char *const *candidates, uint32_t n,
                       const char **best, uint32_t most);
