/* result/events_structure.c -- what a pass of an event did that changed the structure: modes that
 * were tried, the one that was kept, areas of Dirac pulses, energy.
 * In:   rows of a run, with the conditions as discrete values, and notes (RUN_MODE_...).   Out:
 *       EventStructure of a step. */
#include "result/events_impl.h"
#include "base/limits.h"
#include "structure/name.h"

#include <math.h>
#include <string.h>

void events_conditions(EventList *list) {
  EventBuilder *b = list->own;
  for (uint32_t k = 0; k < b->structure_of->conditions.n; k++) {
    Text t = {.arena = b->a};
    structure_name(b->structure_of, b->structure_of->conditions.at[k].var, &t);
    vec_push(b->a, &list->conditions, causes_plain(text_str(&t), b->a));
  }
}

void events_mode_text(const EventList *list, uint32_t from, uint32_t to, Text *out) {
  const EventBuilder *b = list->own;
  const char *values = list->structures.at[to - 1],
             *before = from ? list->structures.at[from - 1] : NULL;
  uint32_t n = list->conditions.n, shown = 0, left = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (n > MOST_CONDITIONS_SHOWN &&
        ((before && values[k] == before[k]) || shown == MOST_CONDITIONS_SHOWN)) {
      left++;
      continue;
    }
    bool plain = b->structure_of->vars.at[b->structure_of->conditions.at[k].var].kind == SV_VAR,
         no = values[k] == '0';
    text_printf(out, "%s%s%s%s", shown++ ? ", " : "", no ? (plain ? "not " : "not (") : "",
                list->conditions.at[k], no && !plain ? ")" : "");
  }
  if (left)
    text_add(out, shown ? ", ..." : "...");
}

/* Number of the structure with these values of the conditions. */
static uint32_t number_of(EventList *list, const bool *values) {
  EventBuilder *b = list->own;
  uint32_t n = list->conditions.n, k = 0;
  char *bits = NEW_ARRAY(b->a, char, n + 1);
  for (uint32_t q = 0; q < n; q++)
    bits[q] = values[q] ? '1' : '0';
  while (k < list->structures.n && strcmp(list->structures.at[k], bits))
    k++;
  if (k == list->structures.n) {
    vec_push(b->a, &list->structures, bits);
  }
  return k + 1;
}

uint32_t events_structure_now(EventList *list, const DsData *d) {
  const EventBuilder *b = list->own;
  uint32_t n = list->conditions.n;
  if (!n || (int)n != b->m->n_conditions)
    return 0;
  const char *last = b->structure ? list->structures.at[b->structure - 1] : NULL;
  bool equal = last != NULL;
  for (uint32_t k = 0; k < n && equal; k++)
    equal = (d->i[b->m->conditions[k]] != 0) == (last[k] == '1');
  if (equal)
    return b->structure;
  bool *values = NEW_ARRAY(b->a, bool, n);
  for (uint32_t k = 0; k < n; k++)
    values[k] = d->i[b->m->conditions[k]] != 0;
  return number_of(list, values);
}

/* The mode that a note begins: as before the pass, but for the conditions that follow it. */
static uint32_t mode_at(EventList *list, const RunRow *row, uint32_t at) {
  const EventBuilder *b = list->own;
  uint32_t n = list->conditions.n;
  bool *values = NEW_ARRAY(b->a, bool, n);
  for (uint32_t k = 0; k < n; k++)
    values[k] = list->structures.at[b->structure - 1][k] == '1';
  for (uint32_t k = at + 1; k < row->n_notes && row->notes[k].kind == RUN_MODE_CONDITION; k++)
    if (row->notes[k].number >= 0 && (uint32_t)row->notes[k].number < n)
      values[row->notes[k].number] = row->notes[k].a != 0;
  return number_of(list, values);
}

EventStructure *events_structure(EventList *list, const RunRow *row, uint32_t to) {
  EventBuilder *b = list->own;
  if (!to || !b->structure || (to == b->structure && !row->n_notes))
    return NULL;
  EventStructure *out = NEW(b->a, EventStructure);
  VEC(uint32_t) tried = {0};
  VEC(EventArea) areas = {0};
  *out = (EventStructure){.from = b->structure, .to = to, .energy = NAN};
  for (uint32_t k = 0; k < row->n_notes; k++) {
    const RunCause *c = &row->notes[k];
    if (c->kind == RUN_MODE_TRIED)
      vec_push(b->a, &tried, mode_at(list, row, k));
    if (c->kind == RUN_MODE_KEPT)
      out->index = c->number, out->jumped = c->a != 0, out->energy = c->b;
    if (c->kind == RUN_MODE_AREA && c->number >= 0 && c->number < b->m->n_variables)
      vec_push(b->a, &areas, (EventArea){b->m->variables[c->number].name, c->a});
  }
  out->kind = out->jumped ? EVENT_PROJECTION : EVENT_STRUCTURAL;
  out->tried = tried.at, out->n_tried = tried.n;
  out->areas = areas.at, out->n_areas = areas.n;
  return out;
}
