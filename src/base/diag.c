/* base/diag.c -- collects diagnostics; diag_render.c shows them, nearest.c finds the name that was
 * meant.
 * Keep: a Diag never moves once it was added; texts are valid UTF-8 without control characters, so
 *       that they can go to a terminal or into JSON as they are; order is the order of adding. */
#include "base/diag.h"

#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "base/vec.h"

struct Diags {
  Arena *arena;
  const SourceMap *sources;
  VEC(Diag *) all;
  uint32_t errors;
  /* Hash of code, place and message -> index in `all`; entries of rewound diagnostics stay and
   * are checked */
  Map seen;
};

static const struct {
  const char *name, *title;
  Severity severity;
} codes[] = {
#define DIAG(code, severity, title) {#code, title, severity},
#include "base/diag.def"
#undef DIAG
};

Diags *diags_new(Arena *a, const SourceMap *sources) {
  Diags *ds = NEW(a, Diags);
  ds->arena = a;
  ds->sources = sources;
  return ds;
}

static const char *formatted(Diags *ds, const char *format, va_list args) {
  Text clean = {.arena = ds->arena};
  diag_clean(arena_vprintf(ds->arena, format, args), &clean);
  return text_str(&clean);
}

static bool equal(const Diag *a, const Diag *b) {
  return a->code == b->code && a->span.lo == b->span.lo && a->span.hi == b->span.hi &&
         strcmp(a->message, b->message) == 0;
}

/* The index of an equal one, or n after noting that the new one will stand there. */
static uint32_t find_or_note(Diags *ds, const Diag *d) {
  uint64_t key = hash_bytes(d->message, strlen(d->message));
  key = hash_mix(hash_mix(key, (uint64_t)d->code), (uint64_t)d->span.lo << 32 | d->span.hi);
  for (;; key = hash_mix(key, 1)) {
    uint64_t i = 0;
    if (key == UINT64_MAX)
      continue;
    if (!map_get(&ds->seen, key, &i) || i >= ds->all.n)
      break;
    if (equal(ds->all.at[i], d))
      return (uint32_t)i;
  }
  map_put(ds->arena, &ds->seen, key, ds->all.n);
  return ds->all.n;
}

Diag *diag_add(Diags *ds, DiagCode code, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  Diag fresh = {.code = code,
                .severity = codes[code].severity,
                .span = span,
                .message = formatted(ds, format, args)};
  va_end(args);
  uint32_t i = find_or_note(ds, &fresh);
  if (i == ds->all.n) {
    Diag *d = NEW(ds->arena, Diag);
    *d = fresh;
    vec_push(ds->arena, &ds->all, d);
    ds->errors += d->severity == SEV_ERROR;
  }
  return ds->all.at[i];
}

void diag_label(Diags *ds, Diag *d, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = formatted(ds, format, args);
  va_end(args);
  for (uint32_t i = 0; i < d->n_labels; i++)
    if (d->labels[i].span.lo == span.lo && d->labels[i].span.hi == span.hi &&
        strcmp(d->labels[i].text, text) == 0)
      return;
  if (d->n_labels == d->room_labels)
    d->labels = vec_grow(ds->arena, d->labels, d->n_labels, &d->room_labels, sizeof *d->labels);
  d->labels[d->n_labels++] = (DiagLabel){span, text};
}

void diag_note(Diags *ds, Diag *d, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = formatted(ds, format, args);
  va_end(args);
  for (uint32_t i = 0; i < d->n_notes; i++)
    if (strcmp(d->notes[i], text) == 0)
      return;
  if (d->n_notes == d->room_notes)
    d->notes = vec_grow(ds->arena, d->notes, d->n_notes, &d->room_notes, sizeof *d->notes);
  d->notes[d->n_notes++] = text;
}

void diag_help(Diags *ds, Diag *d, const char *format, ...) {
  va_list args;
  va_start(args, format);
  d->help = formatted(ds, format, args);
  va_end(args);
}

void diag_origin(Diags *ds, Diag *d, const char *instance_path) {
  Text clean = {.arena = ds->arena};
  diag_clean(instance_path, &clean);
  d->origin = clean.n ? text_str(&clean) : NULL;
}

uint32_t diags_count(const Diags *ds) { return ds->all.n; }
const Diag *diags_at(const Diags *ds, uint32_t i) { return ds->all.at[i]; }
uint32_t diags_errors(const Diags *ds) { return ds->errors; }
const SourceMap *diags_sources(const Diags *ds) { return ds->sources; }
Memory *diags_memory(const Diags *ds) { return arena_memory(ds->arena); }

void diags_rewind(Diags *ds, uint32_t mark) {
  while (ds->all.n > mark)
    ds->errors -= ds->all.at[--ds->all.n]->severity == SEV_ERROR;
}

void diags_note_since(Diags *ds, uint32_t from, const char *note) {
  for (uint32_t k = from; k < ds->all.n; k++)
    if (ds->all.at[k]->severity == SEV_ERROR)
      diag_note(ds, ds->all.at[k], "%s", note);
}

const char *diag_code_name(DiagCode code) { return codes[code].name; }
const char *diag_code_title(DiagCode code) { return codes[code].title; }

bool diag_code_find(const char *name, DiagCode *code) {
  for (uint32_t i = 0; i < D_COUNT; i++)
    if (strcasecmp(codes[i].name, name) == 0) {
      *code = (DiagCode)i;
      return true;
    }
  return false;
}
