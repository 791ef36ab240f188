/* result/events_read.c -- points of a store -> rows -> list of events. Of each point only states,
 * discrete values and relations are needed, and these are recorded. */
#include <string.h>

#include "result/events.h"

enum { FIRST_CAUSES = 1024 };

/* Causes of the points to come, some at a time. */
typedef struct {
  Store *store;
  Arena *a;
  StoreEvent *at;
  RunCause *out;
  uint32_t n, next, room;
  bool full; /* there may be more */
  bool failed;
  Diags *diags;
} CauseReader;

/* The causes of points from `point` on; those of the last point are left for the next time if they
 * may not be all. */
static void refill(CauseReader *r, uint64_t point) {
  for (;;) {
    if (!r->room || (r->full && !r->n)) {
      r->room = r->room ? 2 * r->room : FIRST_CAUSES;
      r->at = NEW_ARRAY(r->a, StoreEvent, r->room);
      r->out = NEW_ARRAY(r->a, RunCause, r->room);
    }
    r->next = 0;
    r->failed = r->failed || !store_events(r->store, point, r->at, r->room, &r->n, r->diags);
    r->full = r->n == r->room && !r->failed;
    uint64_t last = r->n ? r->at[r->n - 1].point : 0;
    while (r->full && r->n && r->at[r->n - 1].point == last)
      r->n--;
    if (!r->full || r->n)
      return;
  }
}

/* Those of a point, notes behind causes: all of them; *notes says how many are notes. */
static uint32_t causes_at(CauseReader *r, uint64_t point, uint32_t *notes) {
  uint32_t n = 0;
  if (!r->room || (r->next == r->n && r->full))
    refill(r, point);
  while (r->next < r->n && r->at[r->next].point < point)
    r->next++;
  for (; r->next < r->n && r->at[r->next].point == point; r->next++) {
    const StoreEvent *e = &r->at[r->next];
    r->out[n++] = (RunCause){e->kind, e->number, e->a, e->b};
    *notes = e->kind >= RUN_MODE_TRIED ? *notes + 1 : 0;
  }
  return n;
}

/* The last note may be that the model ends the run. */
static void take_ending(const Store *s, RunRow *row) {
  if (!row->n_notes || row->notes[row->n_notes - 1].kind != RUN_NOTE_END)
    return;
  row->n_notes--;
  for (uint32_t k = 0; k < s->causes.n; k++)
    if (s->causes.at[k].kind == RUN_NOTE_END)
      row->ended = s->causes.at[k].text, row->ended_at = s->causes.at[k].place;
}

static void begin_values(DsData *d, const Store *s, Arena *a) {
  d->r = NEW_ARRAY(a, double, s->n_real + 1);
  d->i = NEW_ARRAY(a, long long, s->n_integer + 1);
  d->s = NEW_ARRAY(a, const char *, s->n_string + 1);
  d->relation = NEW_ARRAY(a, unsigned char, s->n_relations + 1);
  memcpy(d->r, s->r, s->n_real * sizeof *d->r);
  memcpy(d->relation, s->relation, s->n_relations);
  for (uint32_t k = 0; k < s->n_integer; k++)
    d->i[k] = s->i[k];
  for (uint32_t k = 0; k < s->n_string; k++)
    d->s[k] = s->s[k];
}

static void apply_change(DsData *d, const StoreChange *c, Arena *a) {
  switch (c->bank) {
  case STORE_REAL: d->r[c->place] = c->value.r; break;
  case STORE_INTEGER: d->i[c->place] = c->value.i; break;
  case STORE_STRING: d->s[c->place] = arena_strdup(a, c->value.s); break;
  case STORE_RELATION: d->relation[c->place] = c->value.i != 0; break;
  }
}

static void read_points(const EventRows *rows, CauseReader *causes, DsData *d, const StorePoints *p,
                        uint64_t first) {
  const Store *s = causes->store;
  for (uint32_t k = 0, change = 0; k < p->n; k++) {
    for (; change < p->n_changes && p->changes[change].point == k; change++)
      apply_change(d, &p->changes[change], causes->a);
    for (uint32_t c = 0; c < s->columns.n; c++)
      if (p->columns[c])
        d->r[s->columns.at[c].place] = p->columns[c][k];
    RunRow row = {.time = p->time[k], .kind = p->kind[k], .step = p->step[k], .data = d};
    if (rows->whole && (row.kind == RUN_ROW_STEP || row.kind == RUN_ROW_AFTER || first + k == 0))
      row.n_causes = causes_at(causes, first + k, &row.n_notes);
    row.n_causes -= row.n_notes;
    row.causes = causes->out;
    row.notes = causes->out ? causes->out + row.n_causes : NULL;
    take_ending(s, &row);
    rows->row(rows->user, &row);
  }
}

bool events_rows(const EventRows *rows, Store *store, const DsModel *m, Arena *a, Diags *diags) {
  CauseReader causes = {.store = store, .a = a, .diags = diags};
  DsData d = {0};
  uint32_t n;
  const StorePiece *pieces = store_pieces(store, &n);
  if (!n)
    return true;
  bool fits = (int)store->n_real == m->n_real && (int)store->n_integer == m->n_integer &&
              (int)store->n_string == m->n_string && (int)store->n_relations == m->n_relations;
  if (!fits) {
    diag_add(diags, D_F002, (Span){0, 0}, "`%s` is damaged: its values do not fit its model",
             store->path);
    return false;
  }
  bool *wanted = NEW_ARRAY(a, bool, store->columns.n + 1);
  for (uint32_t c = 0; c < store->columns.n; c++)
    wanted[c] = rows->whole && (int)store->columns.at[c].place < m->nx;
  begin_values(&d, store, a);
  for (uint32_t k = 0; k < n; k++) {
    StorePoints points;
    if (!store_read(store, k, wanted, &points, diags))
      return false;
    read_points(rows, &causes, &d, &points, pieces[k].first);
    if (causes.failed)
      return false;
  }
  return true;
}

bool events_read(EventList *list, Store *store, const DsModel *m, Arena *a, Diags *diags) {
  return events_rows(&(EventRows){.whole = true, .row = events_row, .user = list}, store, m, a,
                     diags);
}
