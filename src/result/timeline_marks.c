/* result/timeline_marks.c -- list of events -> marks on the axis of time: one per event with what
 * fired, and one for each thing of note in it; Dirac pulses. */
#include "result/timeline_impl.h"
#include "base/limits.h"

static const char *phase_kind(RunCauseKind kind) {
  return kind == RUN_CAUSE_SLIDE ? "sliding" : kind == RUN_CAUSE_CONTACT ? "contact" : "exit";
}

/* The first pass of an event tells why there was one. */
static void mark_event(Timeline *t, const EventStep *s, Arena *a) {
  Text text = {.arena = a};
  uint32_t shown = 0, left = 0;
  for (uint32_t k = 0; k < s->n_causes; k++) {
    if (shown == MOST_CAUSES_SHOWN) {
      left++;
      continue;
    }
    text_printf(&text, "%s%s", shown++ ? ", " : "", events_cause_text(&s->causes[k], a));
  }
  if (left)
    text_printf(&text, " and %u more", left);
  vec_push(a, &t->marks, (TimeMark){s->time, s->k, events_kind_text(s->kind), text_str(&text)});
}

static void mark_structure(Timeline *t, const EventStep *s, Arena *a) {
  const EventStructure *how = s->structure;
  for (uint32_t k = 0; k <= how->n_tried; k++) {
    bool kept = k == how->n_tried;
    Text text = {.arena = a};
    events_mode_text(t->events, how->from, kept ? how->to : how->tried[k], &text);
    vec_push(a, &t->marks,
             (TimeMark){s->time, s->k, kept ? events_structure_kind_text(how->kind) : "mythical",
                        text_str(&text)});
  }
  for (uint32_t k = 0; k < how->n_areas; k++)
    vec_push(a, &t->pulses, (TimePulse){s->time, how->areas[k].name, how->areas[k].area});
}

void timeline_marks(Timeline *t, Arena *a) {
  const EventList *list = t->events;
  for (uint32_t k = 0; k < list->steps.n; k++) {
    const EventStep *s = &list->steps.at[k];
    if (k && list->steps.at[k - 1].settled)
      mark_event(t, s, a);
    for (uint32_t c = 0; c < s->n_causes; c++)
      if (event_is_slide(s->causes[c].kind))
        vec_push(a, &t->marks,
                 (TimeMark){s->time, s->k, phase_kind(s->causes[c].kind),
                            events_cause_text(&s->causes[c], a)});
    if (s->structure)
      mark_structure(t, s, a);
  }
}
