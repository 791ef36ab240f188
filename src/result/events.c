/* result/events.c -- rows of a run -> list of events.
 * A pass is compared with the row before it. Its event began behind a row that is not one of a pass
 * that changed something, or with a relation that began to move; what the causes of that first pass
 * are tells the kind of the event.
 * Keep: places without a name (conditions of when-clauses, buffers) change silently. */
#include "result/events_impl.h"
#include "structure/name.h"
#include "structure/sorted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const DsVariable **first_names(EventBuilder *b, int n, bool texts) {
  const DsVariable **out = NEW_ARRAY(b->a, const DsVariable *, n + 1);
  for (int k = 0; k < b->m->n_variables; k++) {
    const DsVariable *v = &b->m->variables[k];
    if (v->type != DS_REAL && (v->type == DS_STRING) == texts && v->place < n && !out[v->place])
      out[v->place] = v;
  }
  return out;
}

static const DsVariable **names_of_reals(EventBuilder *b) {
  const DsVariable **at = NEW_ARRAY(b->a, const DsVariable *, b->m->n_real + 1),
                   **out = NEW_ARRAY(b->a, const DsVariable *, b->m->n_discrete_reals + 1);
  for (int k = b->m->n_variables; k-- > 0;)
    if (b->m->variables[k].type == DS_REAL)
      at[b->m->variables[k].place] = &b->m->variables[k];
  for (int k = 0; k < b->m->n_discrete_reals; k++)
    out[k] = at[b->m->discrete_reals[k]];
  return out;
}

static const char **names_of_states(EventBuilder *b, const Structure *s) {
  const char **out = NEW_ARRAY(b->a, const char *, s->states.n + 1);
  for (uint32_t k = 0; k < s->states.n; k++) {
    Text t = {.arena = b->a};
    structure_name(s, s->states.at[k], &t);
    out[k] = text_str(&t);
  }
  return out;
}

EventList *events_new(const EventSetup *setup, Arena *a) {
  EventList *list = NEW(a, EventList);
  EventBuilder *b = list->own = NEW(a, EventBuilder);
  const DsModel *m = b->m = setup->model;
  b->a = a;
  b->structure_of = setup->structure;
  b->states = names_of_states(b, setup->structure);
  b->r = names_of_reals(b);
  b->i = first_names(b, m->n_integer, false);
  b->s = first_names(b, m->n_string, true);
  b->x = NEW_ARRAY(a, double, m->nx + 1);
  b->discrete = NEW_ARRAY(a, double, m->n_discrete_reals + 1);
  b->whole = NEW_ARRAY(a, long long, m->n_integer + 1);
  b->texts = NEW_ARRAY(a, const char *, m->n_string + 1);
  b->relation = NEW_ARRAY(a, unsigned char, m->n_relations + 1);
  b->held = NEW_ARRAY(a, unsigned char, m->n_relations + 1);
  list->class_name = setup->class_name;
  list->start = setup->start, list->stop = setup->stop;
  list->n_relations = (uint32_t)m->n_relations;
  list->causes = setup->causes;
  list->n_causes = setup->n_causes;
  events_conditions(list);
  return list;
}

/* ---- modes ---- */

/* Number of the mode that these values of relations are. */
static uint32_t mode_of(EventList *list, const unsigned char *relation) {
  EventBuilder *b = list->own;
  size_t n = list->n_relations;
  if (list->modes.n && !memcmp(relation, b->relation, n))
    return b->mode;
  char *bits = NEW_ARRAY(b->a, char, n + 1);
  for (size_t k = 0; k < n; k++)
    bits[k] = relation[k] ? '1' : '0';
  uint64_t key = hash_bytes(bits, n) >> 2, at;
  while (map_get(&b->modes, key, &at)) {
    if (!strcmp(list->modes.at[at], bits))
      return (uint32_t)at + 1;
    key++;
  }
  map_put(b->a, &b->modes, key, list->modes.n);
  vec_push(b->a, &list->modes, bits);
  return list->modes.n;
}

/* ---- causes ---- */

static int by_number(const void *left, const void *right) {
  const StoreCause *a = left, *b = right;
  return a->kind != b->kind      ? (a->kind < b->kind ? -1 : 1)
         : a->number < b->number ? -1
                                 : a->number > b->number;
}

static bool is_relation(const EventList *list, const RunCause *c) {
  return event_is_relation(c->kind) && c->number >= 0 && (uint32_t)c->number < list->n_relations;
}

/* The value of a relation that made a pass necessary: the one it got in the pass before; else,
 * because it fired or turned after that, the other one. */
static bool became(const EventBuilder *b, int k) {
  bool changed = b->within && b->relation[k] != b->held[k];
  return changed ? b->relation[k] != 0 : b->relation[k] == 0;
}

static EventCause cause_of(const EventList *list, const RunCause *c) {
  bool relation = c->kind == RUN_CAUSE_DEPARTURE || event_is_slide(c->kind);
  StoreCause key = {.kind = relation ? RUN_CAUSE_RELATION : c->kind,
                    .number = c->number < 0 ? 0 : (uint32_t)c->number};
  const StoreCause *known = c->number >= 0 && list->n_causes
                                ? bsearch(&key, list->causes, list->n_causes, sizeof key, by_number)
                                : NULL;
  EventCause out = {
      c->kind, c->number, known ? known->text : "", known ? known->place : "", DS_EQ, false,
      c->a,    c->b};
  if (is_relation(list, c)) {
    out.op = (DsCompare)list->own->m->relations[c->number].op;
    out.value = became(list->own, c->number);
  }
  if (c->kind == RUN_CAUSE_REINIT && !known && c->number >= 0 && c->number < list->own->m->nx)
    out.text = list->own->states[c->number];
  if (c->kind == RUN_CAUSE_DISCRETE)
    out.text = "discrete variables";
  if (c->kind == RUN_CAUSE_SET && c->number >= 0 && c->number < list->own->m->n_variables)
    out.text = arena_printf(list->own->a, "set: %s", list->own->m->variables[c->number].name);
  if (c->kind == RUN_CAUSE_TERMINAL)
    out.text = "terminal()";
  return out;
}

/* All of a pass. From now on relations have the values that made it necessary. */
static const EventCause *causes_of_pass(EventList *list, const RunRow *row) {
  EventBuilder *b = list->own;
  EventCause *out = NEW_ARRAY(b->a, EventCause, row->n_causes);
  for (uint32_t k = 0; k < row->n_causes; k++)
    out[k] = cause_of(list, &row->causes[k]);
  memcpy(b->held, b->relation, list->n_relations);
  for (uint32_t k = 0; k < row->n_causes; k++)
    if (is_relation(list, &row->causes[k]))
      b->held[out[k].number] = out[k].value;
  return out;
}

static bool has_cause(const RunRow *row, RunCauseKind kind) {
  for (uint32_t k = 0; k < row->n_causes; k++)
    if (row->causes[k].kind == kind)
      return true;
  return false;
}

/* A surface was left because a weight reached its limit, not because of something else. */
static bool leaves_by_itself(const RunRow *row) {
  for (uint32_t k = 0; k < row->n_causes; k++)
    if (row->causes[k].kind == RUN_CAUSE_EXIT && !isnan(row->causes[k].a))
      return true;
  return false;
}

/* By the first pass; the statistics of the run count in the same way (run/instant.c). */
static EventKind kind_of(const RunRow *row) {
  bool scheduled = has_cause(row, RUN_CAUSE_SAMPLE) || has_cause(row, RUN_CAUSE_TIME);
  if (has_cause(row, RUN_CAUSE_TERMINAL))
    return EVENT_TERMINAL;
  if (has_cause(row, RUN_CAUSE_RELATION) || leaves_by_itself(row) ||
      has_cause(row, RUN_CAUSE_CONTACT))
    return scheduled ? EVENT_BOTH : EVENT_STATE;
  return has_cause(row, RUN_CAUSE_DEPARTURE) || (has_cause(row, RUN_CAUSE_DELAY) && !scheduled)
             ? EVENT_STATE
             : EVENT_TIME;
}

/* ---- changes ---- */

typedef VEC(EventChange) Changes;

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || a == b; }

static EventValue whole_value(const DsVariable *v, long long i) {
  bool literal = v->type == DS_ENUMERATION && i >= 1 && i <= v->n_literals;
  return (EventValue){.type = (DsType)v->type, .i = i, .s = literal ? v->literals[i - 1] : NULL};
}

static EventValue real_value(double r) { return (EventValue){.type = DS_REAL, .r = r}; }
static EventValue text_value(const char *s) { return (EventValue){.type = DS_STRING, .s = s}; }

static void find_changes(EventBuilder *b, const DsData *d, Changes *out) {
  for (int k = 0; k < b->m->n_integer; k++)
    if (b->i[k] && d->i[k] != b->whole[k])
      vec_push(b->a, out,
               (EventChange){b->i[k]->name, whole_value(b->i[k], b->whole[k]),
                             whole_value(b->i[k], d->i[k])});
  for (int k = 0; k < b->m->n_discrete_reals; k++) {
    double now = d->r[b->m->discrete_reals[k]];
    if (b->r[k] && !same(now, b->discrete[k]))
      vec_push(b->a, out,
               (EventChange){b->r[k]->name, real_value(b->discrete[k]), real_value(now)});
  }
  for (int k = 0; k < b->m->n_string; k++)
    if (b->s[k] && strcmp(d->s[k], b->texts[k]))
      vec_push(b->a, out,
               (EventChange){b->s[k]->name, text_value(b->texts[k]),
                             text_value(arena_strdup(b->a, d->s[k]))});
}

static void find_jumps(EventBuilder *b, const DsData *d, Changes *out) {
  for (int k = 0; k < b->m->nx; k++)
    if (!same(d->r[k], b->x[k]))
      vec_push(b->a, out, (EventChange){b->states[k], real_value(b->x[k]), real_value(d->r[k])});
}

static void keep_values(EventBuilder *b, const DsData *d) {
  memcpy(b->x, d->r, (size_t)b->m->nx * sizeof *b->x);
  memcpy(b->whole, d->i, (size_t)b->m->n_integer * sizeof *b->whole);
  memcpy(b->relation, d->relation, (size_t)b->m->n_relations);
  for (int k = 0; k < b->m->n_discrete_reals; k++)
    b->discrete[k] = d->r[b->m->discrete_reals[k]];
  for (int k = 0; k < b->m->n_string; k++)
    if (!b->texts[k] || strcmp(b->texts[k], d->s[k]))
      b->texts[k] = arena_strdup(b->a, d->s[k]);
}

bool events_is_error(const EventChange *c) {
  return fabs(c->after.r - c->before.r) <= 1e-9 * (fabs(c->before.r) + fabs(c->after.r));
}

/* What was a state may be determined by an equation now: it jumps without a pulse. */
static void look_at_jumps(EventStructure *how, const RunRow *row, const Changes *jumps) {
  for (uint32_t k = 0; k < jumps->n && !how->jumped && !has_cause(row, RUN_CAUSE_REINIT); k++)
    if (!events_is_error(&jumps->at[k])) {
      how->jumped = true, how->kind = EVENT_PROJECTION;
      how->energy = NAN;
    }
}

/* ---- rows ---- */

static void add_pass(EventList *list, const RunRow *row) {
  EventBuilder *b = list->own;
  Changes changes = {0}, jumps = {0};
  bool begins = has_cause(row, RUN_CAUSE_DEPARTURE);
  if (begins && b->within)
    list->steps.at[list->steps.n - 1].settled = true;
  b->kind = b->within && !begins ? b->kind : kind_of(row);
  const EventCause *causes = causes_of_pass(list, row);
  find_changes(b, row->data, &changes);
  find_jumps(b, row->data, &jumps);
  uint32_t mode = mode_of(list, row->data->relation),
           structure = events_structure_now(list, row->data);
  EventStructure *how = events_structure(list, row, structure);
  if (how)
    look_at_jumps(how, row, &jumps);
  vec_push(b->a, &list->steps,
           (EventStep){row->time, row->step, b->kind, row->kind == RUN_ROW_AFTER, b->mode, mode,
                       causes, changes.at, jumps.at, row->n_causes, changes.n, jumps.n, how,
                       row->ended, row->ended_at});
  EventStep *last = b->last_change ? &list->steps.at[b->last_change - 1] : NULL;
  if (how && last && last->time == row->time)
    last->structure->kind = EVENT_PINNACLE;
  b->last_change = how ? list->steps.n : b->last_change;
  b->mode = mode, b->structure = structure;
}

bool events_row(void *user, const RunRow *row) {
  EventList *list = user;
  EventBuilder *b = list->own;
  if (!b->begun) {
    b->mode = mode_of(list, row->data->relation);
    b->structure = events_structure_now(list, row->data);
    const EventCause *causes = causes_of_pass(list, row);
    vec_push(b->a, &list->steps,
             (EventStep){.time = row->time,
                         .k = row->step,
                         .kind = EVENT_INITIAL,
                         .settled = true,
                         .mode_from = b->mode,
                         .mode_to = b->mode,
                         .causes = causes,
                         .n_causes = row->n_causes,
                         .ended = row->ended,
                         .ended_at = row->ended_at});
  } else if (row->kind == RUN_ROW_STEP || row->kind == RUN_ROW_AFTER)
    add_pass(list, row);
  else
    b->mode = mode_of(list, row->data->relation),
    b->structure = events_structure_now(list, row->data);
  b->within = b->begun && row->kind == RUN_ROW_STEP;
  b->begun = true;
  keep_values(b, row->data);
  return true;
}
