/* result/recompute.c -- rows of a run from its store.
 * How:  pieces in order; at each point its changes, then its recorded columns are put into the data
 *       of a replay, which computes the slice. Columns are only ever added while a run goes on, so
 *       that their number tells the slice that is needed.
 * Keep: points of an event count even if they are not wanted, because of pre values. */
#include "result/recompute.h"

#include <math.h>
#include <string.h>

#include "emit/emit.h"
#include "interpret/interpret.h"
#include "run/replay.h"
#include "structure/keep.h"
#include "structure/name.h"
#include "structure/slice.h"
#include "structure/sorted.h"

typedef struct {
  Store *s;
  const StoreModel *m;
  const RecomputeRows *what;
  Arena *a;
  Diags *diags;
  Replay *replay;
  DsData *d;
  uint32_t n_known; /* columns that the slice at work counts on; UINT32_MAX: none is at work */
  SSlice slice;
  Program *program;
  const DsModel *interpreted;
  bool *wanted;    /* per column: its numbers are needed */
  uint32_t *reads; /* those columns */
  uint32_t n_reads;
} Work;

bool recompute_fits(const Store *s, const StoreModel *m, Arena *a, Diags *diags) {
  SRecord record = structure_recorded(m->structure, a);
  const Structure *st = m->structure;
  bool fits = s->columns.n >= record.n_columns;
  for (uint32_t k = 0; fits && k < s->columns.n; k++)
    fits = k >= record.n_columns || (s->columns.at[k].place == record.columns[k].place &&
                                     !strcmp(s->columns.at[k].name, record.columns[k].name));
  if (store_points(s))
    fits = fits && s->n_real == st->n_real && s->n_integer == st->n_integer &&
           s->n_string == st->n_string && s->n_relations == st->relations.n;
  if (!fits)
    diag_add(diags, D_F002, (Span){0, 0},
             "cannot read `%s`: its records do not fit its model; it was written by %s", s->path,
             s->version);
  return fits;
}

/* ---- the slice ---- */

static void drop_slice(Program *program, const DsModel *interpreted) {
  program_free(program);
  interpret_end(interpreted);
}

static bool find_slice(Work *w, uint32_t n_known) {
  const Store *s = w->s;
  bool *recorded = NEW_ARRAY(w->a, bool, w->m->structure->n_real + 1);
  int *variables = NEW_ARRAY(w->a, int, w->what->n_columns + 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < n_known; k++)
    recorded[s->columns.at[k].place] = true;
  for (uint32_t k = 0; k < w->what->n_columns; k++)
    if (w->what->columns[k].type == DS_REAL)
      variables[n++] = w->what->columns[k].variable;
  if (!structure_slice(w->m->structure, variables, n, recorded, w->a, &w->slice)) {
    Text name = {.arena = w->a};
    structure_name(w->m->structure, w->slice.missing, &name);
    diag_add(w->diags, D_F002, (Span){0, 0},
             "cannot read `%s`: `%s` cannot be computed from what it holds", s->path,
             text_str(&name));
    return false;
  }
  bool *reads = NEW_ARRAY(w->a, bool, w->m->structure->n_real + 1);
  for (uint32_t k = 0; k < w->slice.n_reads; k++)
    reads[w->slice.reads[k]] = true;
  w->n_reads = 0;
  for (uint32_t k = 0; k < s->columns.n; k++) {
    w->wanted[k] = k < n_known && reads[s->columns.at[k].place];
    if (w->wanted[k])
      w->reads[w->n_reads++] = k;
  }
  return true;
}

static bool compile_slice(Work *w) {
  const StoreModel *m = w->m;
  if (m->evaluate || !load_may_execute()) {
    w->interpreted = interpret_slice(m->flat, m->structure, &w->slice, w->a, w->diags);
    w->program = w->interpreted ? program_of_model(w->interpreted, NULL) : NULL;
  } else {
    Text code = {.arena = w->a};
    if (emit_slice(m->flat, m->structure, &w->slice, w->diags, &code))
      w->program = load_program(text_str(&code), CODE_TCC, w->diags);
  }
  return w->program != NULL;
}

/* The values at the first point. */
static void begin_values(Work *w) {
  const Store *s = w->s;
  DsData *d = w->d;
  memcpy(d->r, s->r, s->n_real * sizeof *d->r);
  memcpy(d->i, s->i, s->n_integer * sizeof *d->i);
  memcpy(d->s, s->s, s->n_string * sizeof *d->s);
  memcpy(d->relation, s->relation, s->n_relations);
  /* Pre values of those that follow, also if this point is left out */
  replay_pass(w->replay, RUN_ROW_AFTER);
}

/* The slice for pieces that have this many columns. */
static bool take_slice(Work *w, uint32_t n_known) {
  if (n_known == w->n_known)
    return true;
  Program *program = w->program;
  const DsModel *interpreted = w->interpreted;
  w->n_known = n_known;
  w->program = NULL, w->interpreted = NULL;
  bool ok = find_slice(w, n_known) && compile_slice(w);
  if (ok && w->replay)
    replay_use(w->replay, w->program);
  else if (ok && (w->replay = replay_new(w->program, w->a, w->diags)) != NULL) {
    w->d = replay_data(w->replay);
    begin_values(w);
  }
  drop_slice(program, interpreted);
  return ok && w->replay;
}

/* ---- points ---- */

static void apply(Work *w, const StoreChange *c) {
  DsData *d = w->d;
  switch (c->bank) {
  case STORE_REAL: d->r[c->place] = c->value.r; break;
  case STORE_INTEGER: d->i[c->place] = c->value.i; break;
  case STORE_STRING: d->s[c->place] = arena_strdup(w->a, c->value.s); break;
  case STORE_RELATION: d->relation[c->place] = (unsigned char)c->value.i; break;
  }
}

static RecomputeStatus point(Work *w, const StorePoints *p, uint32_t k, bool first) {
  DsData *d = w->d;
  d->time = p->time[k];
  for (uint32_t q = 0; q < w->n_reads; q++)
    d->r[w->s->columns.at[w->reads[q]].place] = p->columns[w->reads[q]][k];
  if (!replay_evaluate(w->replay, p->kind[k], first))
    return RECOMPUTE_FAILED;
  RunRow row = {.time = d->time, .kind = p->kind[k], .step = p->step[k], .data = d};
  return w->what->row(w->what->user, &row) ? RECOMPUTE_OK : RECOMPUTE_STOPPED;
}

static RecomputeStatus piece(Work *w, uint32_t number, uint64_t first) {
  StorePoints p;
  if (!store_read(w->s, number, w->wanted, &p, w->diags))
    return RECOMPUTE_FAILED;
  RecomputeStatus status = RECOMPUTE_OK;
  for (uint32_t k = 0, c = 0; k < p.n && status == RECOMPUTE_OK; k++) {
    for (; c < p.n_changes && p.changes[c].point == k; c++)
      apply(w, &p.changes[c]);
    if (p.time[k] > w->what->to)
      return RECOMPUTE_OK;
    if (p.time[k] >= w->what->from)
      status = point(w, &p, k, first + k == 0);
    else
      replay_pass(w->replay, p.kind[k]);
  }
  return status;
}

RecomputeStatus recompute_rows(Store *s, const StoreModel *m, const RecomputeRows *what, Arena *a,
                               Diags *diags) {
  Work w = {.s = s, .m = m, .what = what, .a = a, .diags = diags, .n_known = UINT32_MAX};
  w.wanted = NEW_ARRAY(a, bool, s->columns.n + 1);
  w.reads = NEW_ARRAY(a, uint32_t, s->columns.n + 1);
  RecomputeStatus status = RECOMPUTE_OK;
  uint32_t n, n_known = 0;
  const StorePiece *pieces = store_pieces(s, &n);
  for (uint32_t k = 0; k < n && status == RECOMPUTE_OK && pieces[k].start <= what->to; k++) {
    while (n_known < s->columns.n && s->columns.at[n_known].since <= pieces[k].first)
      n_known++;
    status = take_slice(&w, n_known) ? piece(&w, k, pieces[k].first) : RECOMPUTE_FAILED;
  }
  replay_free(w.replay);
  drop_slice(w.program, w.interpreted);
  return status;
}
