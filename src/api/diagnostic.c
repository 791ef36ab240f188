/* api/diagnostic.c -- diagnostics on their way to the caller.
 * Keep: a sink never runs inside a recovery point; K001, and R610 of a translation, need no memory
 *       at all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_impl.h"
#include "base/explain.h"

/* What NuDiagnostic.own points to. */
typedef struct {
  /* For views; with a session it also takes the line tables of sources, with a run they are made
   * already */
  Memory *mem;
  const Diags *diags;
  const Diag *diag;
} Own;

static NuPlace place_of(const SourceMap *sources, Span span) {
  Place from = source_place(sources, span.lo);
  if (!from.source)
    return (NuPlace){0};
  uint32_t last = from.source->base + from.source->length;
  Place to = source_place(sources, span.hi < span.lo ? span.lo : span.hi > last ? last : span.hi);
  return (NuPlace){from.source->name, from.line, from.column, to.line, to.column};
}

static void fill(const Own *own, Arena *a, NuDiagnostic *out) {
  const Diag *d = own->diag;
  const SourceMap *sources = diags_sources(own->diags);
  NuLabel *labels = NEW_ARRAY(a, NuLabel, d->n_labels);
  for (uint32_t i = 0; i < d->n_labels; i++)
    labels[i] = (NuLabel){place_of(sources, d->labels[i].span), d->labels[i].text};
  static const NuSeverity severities[] = {
      [SEV_ERROR] = NU_ERROR, [SEV_WARNING] = NU_WARNING, [SEV_NOTE] = NU_NOTE};
  *out = (NuDiagnostic){.code = diag_code_name(d->code),
                        .severity = severities[d->severity],
                        .message = d->message,
                        .place = place_of(sources, d->span),
                        .labels = labels,
                        .n_labels = d->n_labels,
                        .notes = d->notes,
                        .n_notes = d->n_notes,
                        .help = d->help,
                        .origin = d->origin,
                        .own = own};
}

typedef void View(const Own *own, Arena *a, void *out);

/* Makes a view of a diagnostic in an arena of its own; NULL when memory is short. */
static Arena *make_view(const Own *own, View *view, void *out) {
  const Arena *const mark = own->mem->arenas;
  jmp_buf here, *const outer = own->mem->recover;
  Arena *volatile arena = NULL;
  own->mem->recover = &here;
  if (setjmp(here) == 0) {
    arena = arena_new(own->mem);
    view(own, arena, out);
  } else {
    mem_drop_since(own->mem, mark);
    arena = NULL;
  }
  own->mem->recover = outer;
  return arena;
}

static void view_struct(const Own *own, Arena *a, void *out) { fill(own, a, out); }

void api_deliver(NuSession *s, Memory *mem, const Diags *ds, uint32_t from) {
  for (uint32_t i = from; s->sink && i < diags_count(ds); i++) {
    Own own = {mem, ds, diags_at(ds, i)};
    NuDiagnostic d = {0};
    Arena *a = make_view(&own, view_struct, &d);
    if (!a) {
      api_deliver_exhausted(s, mem->limit);
      return;
    }
    s->sink(s->sink_user, &d);
    arena_free(a);
  }
}

void api_deliver_exhausted(NuSession *s, size_t limit) {
  char message[80] = "the memory of the machine is exhausted";
  if (limit)
    snprintf(message, sizeof message, "the memory limit of %zu MB is reached", limit >> 20);
  NuDiagnostic d = {.code = diag_code_name(D_K001), .severity = NU_ERROR, .message = message};
  if (s->sink)
    s->sink(s->sink_user, &d);
}

void api_deliver_late(NuSession *s) {
  char message[120];
  snprintf(message, sizeof message,
           "the translation was stopped because its computing time of %g s is used up",
           s->time_limit);
  NuDiagnostic d = {.code = diag_code_name(D_R610), .severity = NU_ERROR, .message = message};
  if (s->sink)
    s->sink(s->sink_user, &d);
}

typedef struct {
  char **text;
  bool color;
} TextView;

static void view_text(const Own *own, Arena *a, void *out) {
  const TextView *view = out;
  Text text = {.arena = a};
  diag_render(own->diags, own->diag, view->color, &text);
  api_give_text(&text, view->text);
}

static void view_json(const Own *own, Arena *a, void *out) {
  const TextView *view = out;
  Text text = {.arena = a};
  diag_json(own->diags, own->diag, &text);
  api_give_text(&text, view->text);
}

char *nu_diagnostic_text(const NuDiagnostic *d, bool color) {
  char *text = NULL;
  TextView view = {&text, color};
  if (d->own)
    arena_free(make_view(d->own, view_text, &view));
  else if (asprintf(&text, "%serror[%s]:%s %s\n", color ? "\033[1;31m" : "", d->code,
                    color ? "\033[0m" : "", d->message) < 0)
    text = NULL;
  return text;
}

char *nu_diagnostic_json(const NuDiagnostic *d) {
  char *text = NULL;
  TextView view = {&text, false};
  if (d->own)
    arena_free(make_view(d->own, view_json, &view));
  else if (asprintf(&text,
                    "{\"code\":\"%s\",\"severity\":\"error\",\"message\":\"%s\",\"file\":null,"
                    "\"line\":null,\"column\":null,"
                    "\"end_line\":null,\"end_column\":null,\"labels\":[],\"notes\":[],\"help\":"
                    "null,\"origin\":null}",
                    d->code, d->message) < 0)
    text = NULL;
  return text;
}

const char *nu_explain(const char *code) { return nu_error_page(code); }

bool nu_code(size_t i, const char **code, const char **title) {
  if (i >= D_COUNT)
    return false;
  *code = diag_code_name((DiagCode)i);
  *title = diag_code_title((DiagCode)i);
  return true;
}

size_t nu_nearest(const char *name, const char *const *candidates, size_t n, const char **best,
                  size_t most) {
  return nearest_names(name, candidates, (uint32_t)n, best, (uint32_t)most);
}
