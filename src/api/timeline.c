/* api/timeline.c -- the timeline of a result: modes, marks, pulses. What is given out has a memory
 * of its own, so that it may outlive the result. */
#include "result/timeline.h"

#include <math.h>
#include <stdlib.h>

#include "api/result_impl.h"

static NuModeTrack give_track(const TimeTrack *t, Arena *a) {
  NuModeSpan *spans = NEW_ARRAY(a, NuModeSpan, t->spans.n);
  const char **values = NEW_ARRAY(a, const char *, t->values.n);
  for (uint32_t k = 0; k < t->spans.n; k++)
    spans[k] = (NuModeSpan){t->spans.at[k].from, t->spans.at[k].to, t->spans.at[k].value};
  for (uint32_t k = 0; k < t->values.n; k++)
    values[k] = arena_strdup(a, t->values.at[k]);
  return (NuModeTrack){arena_strdup(a, t->name), values, t->values.n, spans, t->spans.n, t->minor};
}

static void give(const Timeline *t, Arena *a, NuModes *out) {
  NuModeTrack *tracks = NEW_ARRAY(a, NuModeTrack, t->tracks.n);
  NuMark *marks = NEW_ARRAY(a, NuMark, t->marks.n);
  NuPulse *pulses = NEW_ARRAY(a, NuPulse, t->pulses.n);
  for (uint32_t k = 0; k < t->tracks.n; k++)
    tracks[k] = give_track(&t->tracks.at[k], a);
  for (uint32_t k = 0; k < t->marks.n; k++) {
    const TimeMark *m = &t->marks.at[k];
    marks[k] = (NuMark){m->time, (int)m->k, m->kind, arena_strdup(a, m->text)};
  }
  for (uint32_t k = 0; k < t->pulses.n; k++)
    pulses[k] = (NuPulse){t->pulses.at[k].time, arena_strdup(a, t->pulses.at[k].variable),
                          t->pulses.at[k].area};
  out->tracks = tracks, out->n_tracks = t->tracks.n;
  out->marks = marks, out->n_marks = t->marks.n;
  out->pulses = pulses, out->n_pulses = t->pulses.n;
  out->start = t->start, out->end = t->end;
}

static NuStatus read_modes(NuResult *r, void *args) {
  NuModes *out = args;
  Memory *own = out->own;
  Arena *a = arena_new(&r->mem);
  EventSetup setup = api_event_setup(r);
  const Timeline *t = timeline_read(r->store, &setup, a, r->diags);
  own->recover = r->mem.recover;
  if (t)
    give(t, arena_new(own), out);
  own->recover = NULL;
  arena_free(a);
  return t ? NU_OK : NU_FILE;
}

NuStatus nu_result_modes(NuResult *r, NuModes *out) {
  Memory *own = calloc(1, sizeof *own);
  *out = (NuModes){.start = NAN, .end = NAN, .own = own};
  if (!own)
    return NU_MEMORY;
  own->limit = r->mem.limit;
  NuStatus status = api_result_call(r, read_modes, out);
  if (status != NU_OK)
    nu_modes_free(out);
  return status;
}

void nu_modes_free(NuModes *m) {
  if (m->own)
    mem_drop_since(m->own, NULL);
  free(m->own);
  *m = (NuModes){.start = NAN, .end = NAN};
}
