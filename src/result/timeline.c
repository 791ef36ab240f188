/* result/timeline.c -- points of a store -> tracks: spans of time in which the mode of a switching
 * group did not change.
 * In:   rows with discrete values and relations; the list of events, which tells where the motion
 *       slides or stays in contact.
 * How:  values count from the last pass of an instant on, so that what only holds in an instant
 *       makes no span.
 * Keep: the spans of a track fill the time from the first point to the last, without gaps. */
#include "result/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "result/timeline_impl.h"

typedef struct {
  GroupSetup in;
  Groups groups;
  const EventList *events;
  uint32_t next;        /* event step that the next pass is */
  unsigned char *phase; /* per relation: 0, VALUE_SLIDES or VALUE_CONTACT */
  const DsModel *m;
  long long *whole; /* values at the last row */
  unsigned char *relation;
  double start, end;
  bool begun;
} Reader;

/* ---- spans ---- */

static uint32_t number_of(Reader *r, Group *g, const long long *values) {
  size_t size = g->n * sizeof *values;
  uint64_t key = hash_bytes(values, size) >> 2, at;
  for (; map_get(&g->numbers, key, &at); key++)
    if (!memcmp(g->keys.at[at], values, size))
      return (uint32_t)at;
  long long *copy = NEW_ARRAY(r->in.a, long long, g->n);
  memcpy(copy, values, size);
  map_put(r->in.a, &g->numbers, key, g->keys.n);
  vec_push(r->in.a, &g->keys, copy);
  return g->keys.n - 1;
}

/* The values of a group have held until now. */
static void end_span(Reader *r, Group *g, double time) {
  if (!(time > g->since))
    return;
  uint32_t value = number_of(r, g, g->now);
  if (g->spans.n && vec_last(&g->spans).value == value)
    vec_last(&g->spans).to = time;
  else
    vec_push(r->in.a, &g->spans, (TimeSpan){g->since, time, value});
}

static long long value_of(const Reader *r, const TrackSource *s, const DsData *d) {
  int surface = s->surface;
  if (surface >= 0 && surface < r->m->n_relations && r->phase[surface])
    return r->phase[surface];
  return s->kind == SOURCE_RELATION ? d->relation[s->place] != 0 : d->i[s->place];
}

static void look_at_group(Reader *r, Group *g, const RunRow *row) {
  bool equal = r->begun;
  for (uint32_t k = 0; k < g->n && equal; k++)
    equal = g->now[k] == value_of(r, &g->sources[k], row->data);
  if (equal)
    return;
  if (r->begun)
    end_span(r, g, row->time);
  for (uint32_t k = 0; k < g->n; k++)
    g->now[k] = value_of(r, &g->sources[k], row->data);
  g->since = row->time;
}

/* ---- sliding and contact ---- */

static unsigned char phase_after(const EventCause *c, unsigned char now) {
  if (c->kind == RUN_CAUSE_SLIDE)
    return VALUE_SLIDES;
  return c->kind == RUN_CAUSE_CONTACT ? VALUE_CONTACT : c->kind == RUN_CAUSE_EXIT ? 0 : now;
}

static bool take_phases(Reader *r) {
  bool changed = false;
  if (r->next >= r->events->steps.n)
    return false;
  const EventStep *step = &r->events->steps.at[r->next++];
  for (uint32_t k = 0; k < step->n_causes; k++) {
    int n = step->causes[k].number;
    if (!event_is_slide(step->causes[k].kind) || n < 0 || n >= r->m->n_relations)
      continue;
    unsigned char now = phase_after(&step->causes[k], r->phase[n]);
    changed = changed || now != r->phase[n];
    r->phase[n] = now;
  }
  return changed;
}

static bool *relations_used(const EventList *list, const DsModel *m, Arena *a) {
  bool *used = NEW_ARRAY(a, bool, m->n_relations + 1);
  for (uint32_t k = 0; k < list->steps.n; k++)
    for (uint32_t c = 0; c < list->steps.at[k].n_causes; c++) {
      const EventCause *cause = &list->steps.at[k].causes[c];
      if (event_is_slide(cause->kind) && cause->number >= 0 && cause->number < m->n_relations)
        used[cause->number] = true;
    }
  return used;
}

/* ---- rows ---- */

static bool take_row(void *user, const RunRow *row) {
  Reader *r = user;
  size_t n_whole = (size_t)r->m->n_integer * sizeof *r->whole,
         n_relations = (size_t)r->m->n_relations;
  bool pass = !r->begun || row->kind == RUN_ROW_STEP || row->kind == RUN_ROW_AFTER;
  bool changed = (pass && take_phases(r)) || !r->begun || memcmp(r->whole, row->data->i, n_whole) ||
                 memcmp(r->relation, row->data->relation, n_relations);
  for (uint32_t k = 0; k < r->groups.n && changed; k++)
    look_at_group(r, &r->groups.at[k], row);
  memcpy(r->whole, row->data->i, n_whole);
  memcpy(r->relation, row->data->relation, n_relations);
  r->start = r->begun ? r->start : row->time;
  r->end = row->time;
  r->begun = true;
  return true;
}

/* ---- which tracks tell something ---- */

/* Is the value of `of` known whenever that of `by` is? */
static bool follows(const Group *of, const Group *by, Arena *a) {
  uint32_t *value = NEW_ARRAY(a, uint32_t, by->keys.n + 1), p = 0, q = 0;
  while (p < of->spans.n && q < by->spans.n) {
    const TimeSpan *x = &of->spans.at[p], *y = &by->spans.at[q];
    if (value[y->value] && value[y->value] != x->value + 1)
      return false;
    value[y->value] = x->value + 1;
    p += x->to <= y->to, q += y->to <= x->to;
  }
  return true;
}

static DsType type_of(const Group *g) {
  return g->kind == GROUP_VARIABLE ? (DsType)g->sources[0].variable->type : DS_BOOLEAN;
}

/* Groups that others of the same component may follow from. */
typedef struct {
  const char *component;
  VEC(const Group *) at;
} Masters;
typedef VEC(Masters) Components;

static Masters *masters_of(Components *all, Map *known, const char *component, Arena *a) {
  uint64_t key = hash_bytes(component, strlen(component)) >> 2, at;
  for (; map_get(known, key, &at); key++)
    if (!strcmp(all->at[at].component, component))
      return &all->at[at];
  map_put(a, known, key, all->n);
  vec_push(a, all, (Masters){.component = component});
  return &vec_last(all);
}

/* Enumerations and Integers tell more than the Booleans that follow from them. */
static void find_followers(Reader *r) {
  static const DsType types[] = {DS_ENUMERATION, DS_INTEGER, DS_BOOLEAN};
  Components components = {0};
  Map known = {0};
  for (size_t pass = 0; pass < sizeof types / sizeof *types; pass++)
    for (uint32_t k = 0; k < r->groups.n; k++) {
      Group *g = &r->groups.at[k];
      bool variable = g->kind == GROUP_VARIABLE;
      if (type_of(g) != types[pass] || (!variable && g->kind != GROUP_CONDITIONS) || g->minor ||
          !variable_is_mode(g))
        continue;
      Masters *by = masters_of(&components, &known, g->component, r->in.a);
      for (uint32_t q = 0; q < by->at.n && variable && !g->minor && q < MOST_TRACKS_COMPARED; q++)
        g->minor = follows(g, by->at.at[q], r->in.a);
      if (!g->minor)
        vec_push(r->in.a, &by->at, g);
    }
}

static void rank(Reader *r) {
  for (uint32_t k = 0; k < r->groups.n; k++) {
    Group *g = &r->groups.at[k];
    bool still = g->spans.n < 2 && (g->kind == GROUP_VARIABLE || g->kind == GROUP_RELATIONS);
    g->minor = g->minor || still;
  }
  find_followers(r);
}

/* ---- out ---- */

/* Values in ascending order, so that they do not depend on which came first; new number of each. */
static uint32_t *order_values(const Group *g, Arena *a) {
  uint32_t n = g->keys.n, *place = NEW_ARRAY(a, uint32_t, n + 1);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t q = 0; q < n; q++) {
      uint32_t at = 0;
      while (at + 1 < g->n && g->keys.at[q][at] == g->keys.at[k][at])
        at++;
      place[k] += g->keys.at[q][at] < g->keys.at[k][at];
    }
  return place;
}

static void name_values(const Reader *r, const Group *g, const uint32_t *place, TimeTrack *t) {
  t->values.at = NEW_ARRAY(r->in.a, const char *, g->keys.n + 1);
  t->values.n = t->values.room = g->keys.n;
  for (uint32_t k = 0; k < g->keys.n; k++)
    t->values.at[place[k]] = group_text(&r->in, g, g->keys.at[k]);
  for (uint32_t k = 1; k < g->keys.n; k++)
    for (uint32_t q = 0; q < k && g->n > 1; q++)
      if (!strcmp(t->values.at[q], t->values.at[k])) {
        t->values.at[k] = arena_printf(r->in.a, "%s #%u", t->values.at[k], k + 1);
        break;
      }
}

static void add_track(Reader *r, const Group *g, Timeline *out) {
  TimeTrack t = {.name = g->name, .minor = g->minor};
  const uint32_t *place = order_values(g, r->in.a);
  name_values(r, g, place, &t);
  for (uint32_t k = 0; k < g->spans.n; k++)
    vec_push(r->in.a, &t.spans,
             (TimeSpan){g->spans.at[k].from, g->spans.at[k].to, place[g->spans.at[k].value]});
  vec_push(r->in.a, &out->tracks, t);
}

Timeline *timeline_read(Store *store, const EventSetup *setup, Arena *a, Diags *diags) {
  Timeline *out = NEW(a, Timeline);
  const DsModel *m = setup->model;
  out->events = events_new(setup, a);
  if (!events_read(out->events, store, m, a, diags))
    return NULL;
  timeline_marks(out, a);
  Reader r = {.in = {m, setup->structure, out->events, store, a},
              .events = out->events,
              .m = m,
              .start = NAN,
              .end = NAN};
  r.phase = NEW_ARRAY(a, unsigned char, m->n_relations + 1);
  r.whole = NEW_ARRAY(a, long long, m->n_integer + 1);
  r.relation = NEW_ARRAY(a, unsigned char, m->n_relations + 1);
  groups_find(&r.in, relations_used(out->events, m, a), &r.groups);
  if (!events_rows(&(EventRows){.row = take_row, .user = &r}, store, m, a, diags))
    return NULL;
  for (uint32_t k = 0; k < r.groups.n; k++)
    end_span(&r, &r.groups.at[k], r.end);
  rank(&r);
  out->start = r.start, out->end = r.end;
  for (int minor = 0; minor < 2; minor++)
    for (int kind = GROUP_STRUCTURE; kind <= GROUP_RELATIONS; kind++)
      for (uint32_t k = 0; k < r.groups.n; k++)
        if (r.groups.at[k].minor == minor && (int)r.groups.at[k].kind == kind &&
            r.groups.at[k].spans.n && variable_is_mode(&r.groups.at[k]))
          add_track(&r, &r.groups.at[k], out);
  return out;
}
