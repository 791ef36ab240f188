/* result/store_write.c -- points of a run into a store.
 * How:  points wait in columns until a piece is full or a second has passed; then each track becomes one row of the table
 *       `segment`. A piece that is not full is written again, longer, a second later. One transaction is always open, so a
 *       second run cannot take the same file; it is committed about once a second, and a process that is killed leaves
 *       everything up to then (SQLite's write-ahead log). The end makes it one plain file.
 * Keep: after an error nothing is written any more and the row function says false: what was committed stays. */
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "result/column.h"
#include "result/store.h"
#include "result/store_impl.h"

static const double commit_interval = 1; /* s of real time */
enum { PIECE_BYTES = 4 << 20, PIECE_MOST = 4096, PIECE_LEAST = 16 };

typedef struct {
  uint32_t track, place;
  uint64_t *values; /* of the points that wait */
} Column;

struct StoreWriter {
  Arena *a;
  sqlite3 *db;
  sqlite3_stmt *put_segment, *put_event, *put_about, *put_recorded;
  const char *path;
  const DsModel *m;
  ColumnCoder *coder;
  VEC(Column) columns;
  uint32_t n_tracks;
  uint32_t most, n;   /* points of a piece: room, waiting */
  uint32_t saved;     /* of those waiting: already written */
  uint64_t first;     /* number of the first that waits */
  double *time;
  uint64_t *words, *meta;
  const uint32_t *watched; /* places in r that are recorded as changes */
  uint32_t n_watched;
  double *watched_last;
  long long *i_last;
  const char **s_last;
  unsigned char *relation_last;
  Text changes, bytes;
  uint32_t changed;   /* point of the last change */
  uint32_t n_singular;
  double committed;   /* when, s */
  bool safe;          /* the disk is waited for */
  const char *error;  /* why writing ended; NULL: it goes on */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- SQLite ---- */

static const char *reason(Arena *a, sqlite3 *db) {
  int system = db ? sqlite3_system_errno(db) : 0;
  int code = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
  if (code == SQLITE_FULL)
    return strerror(ENOSPC);
  return arena_strdup(a, system ? strerror(system) : sqlite3_errmsg(db));
}

static bool check(StoreWriter *w, bool ok) {
  if (!ok && !w->error)
    w->error = reason(w->a, w->db);
  return !w->error;
}

static bool execute(StoreWriter *w, const char *sql) { return !w->error && check(w, sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK); }

static bool prepare(StoreWriter *w, const char *sql, sqlite3_stmt **out) {
  return check(w, sqlite3_prepare_v3(w->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) == SQLITE_OK);
}

static bool step(StoreWriter *w, sqlite3_stmt *s) {
  bool ok = sqlite3_step(s) == SQLITE_DONE;
  check(w, ok);
  sqlite3_reset(s);
  return ok;
}

static void about_text(StoreWriter *w, const char *key, const char *value) {
  sqlite3_bind_text(w->put_about, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_text(w->put_about, 2, value, -1, SQLITE_STATIC);
  step(w, w->put_about);
}

static void about_real(StoreWriter *w, const char *key, double value) {
  sqlite3_bind_text(w->put_about, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_double(w->put_about, 2, value);
  step(w, w->put_about);
}

static void about_number(StoreWriter *w, const char *key, uint64_t value) {
  sqlite3_bind_text(w->put_about, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_int64(w->put_about, 2, (sqlite3_int64)value);
  step(w, w->put_about);
}

static void about_blob(StoreWriter *w, const char *key, const Text *value) {
  sqlite3_bind_text(w->put_about, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_blob64(w->put_about, 2, text_str(value), value->n, SQLITE_STATIC);
  step(w, w->put_about);
}

/* ---- the file ---- */

/* May the file be replaced? It is no file, empty, or a result that no run is writing. False after a diagnostic. */
static bool may_replace(const char *path, Diags *diags) {
  struct stat st;
  sqlite3 *db = NULL;
  if (stat(path, &st) || (S_ISREG(st.st_mode) && st.st_size == 0))
    return true;
  const char *why = "it exists and is not a result of NuSim";
  if (S_ISREG(st.st_mode) && sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK && store_pragma(db, "application_id") == STORE_ID)
    why = sqlite3_exec(db, "BEGIN IMMEDIATE; ROLLBACK", NULL, NULL, NULL) == SQLITE_BUSY ? "another run is writing it" : NULL;
  sqlite3_close(db);
  if (why)
    diag_add(diags, D_F001, (Span){0, 0}, "cannot write `%s`: %s", path, why);
  return !why;
}

static bool make_file(StoreWriter *w, Diags *diags) {
  static const char *const parts[] = {"", "-wal", "-shm", "-journal"};
  if (!may_replace(w->path, diags))
    return false;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    unlink(arena_printf(w->a, "%s%s", w->path, parts[k]));
  bool ok = sqlite3_open_v2(w->path, &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK;
  sqlite3_extended_result_codes(w->db, 1);
  ok = check(w, ok) && execute(w, "PRAGMA page_size=32768; PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; BEGIN IMMEDIATE");
  ok = ok && execute(w, arena_printf(w->a, "PRAGMA application_id=%d; PRAGMA user_version=%d", STORE_ID, STORE_VERSION));
  for (size_t k = 0; ok && k < STORE_TABLES; k++)
    ok = execute(w, store_tables[k].sql);
  return ok && prepare(w, "INSERT OR REPLACE INTO about VALUES(?1, ?2)", &w->put_about) &&
         prepare(w, "INSERT OR REPLACE INTO segment VALUES(?1, ?2, ?3, ?4, ?5)", &w->put_segment) &&
         prepare(w, "INSERT OR REPLACE INTO event VALUES(?1, ?2, ?3, ?4, ?5, ?6)", &w->put_event) &&
         prepare(w, "INSERT INTO recorded VALUES(?1, ?2, ?3, ?4, ?5)", &w->put_recorded);
}

static bool commit(StoreWriter *w) {
  w->committed = now();
  return execute(w, "COMMIT; BEGIN IMMEDIATE");
}

/* ---- what is recorded ---- */

static void add_column(StoreWriter *w, uint32_t track, uint32_t place, const char *name) {
  sqlite3_bind_int64(w->put_recorded, 1, w->columns.n);
  sqlite3_bind_int64(w->put_recorded, 2, track);
  sqlite3_bind_int64(w->put_recorded, 3, place);
  sqlite3_bind_int64(w->put_recorded, 4, (sqlite3_int64)w->first);
  sqlite3_bind_text(w->put_recorded, 5, name, -1, SQLITE_STATIC);
  step(w, w->put_recorded);
  vec_push(w->a, &w->columns, (Column){track, place, NULL});
}

/* Islands share a track until it has its part of the states. */
static uint32_t *tracks_of_islands(const Structure *s, Arena *a, uint32_t *n_tracks) {
  uint32_t *track = NEW_ARRAY(a, uint32_t, s->islands.n + 1), states = 0, n = 0;
  uint32_t enough = s->states.n / (STORE_MOST_TRACKS - 1) + 1;
  for (uint32_t k = 0; k < s->islands.n; k++) {
    if (k == 0 || states >= enough)
      n++, states = 0;
    track[k] = n;
    states += s->islands.at[k].n;
  }
  *n_tracks = n + 1;
  return track;
}

static void choose_columns(StoreWriter *w, const SRecord *record, const Structure *s) {
  uint32_t *track = tracks_of_islands(s, w->a, &w->n_tracks);
  for (uint32_t k = 0; k < record->n_columns; k++) {
    const SColumn *c = &record->columns[k];
    add_column(w, c->island == NO_ISLAND ? 0 : track[c->island], c->place, c->name);
  }
}

static void allocate(StoreWriter *w) {
  uint32_t columns = w->columns.n + 2, most = PIECE_BYTES / (uint32_t)sizeof(uint64_t) / columns;
  w->most = most > PIECE_MOST ? PIECE_MOST : most < PIECE_LEAST ? PIECE_LEAST : most;
  w->time = NEW_ARRAY(w->a, double, w->most);
  w->meta = NEW_ARRAY(w->a, uint64_t, w->most);
  w->words = NEW_ARRAY(w->a, uint64_t, w->most);
  for (uint32_t k = 0; k < w->columns.n; k++)
    w->columns.at[k].values = NEW_ARRAY(w->a, uint64_t, w->most);
  w->changes.arena = w->bytes.arena = w->a;
}

/* Memory for what changes are found by. */
static void watch(StoreWriter *w, const SRecord *record) {
  const DsModel *m = w->m;
  w->watched = record->changes;
  w->n_watched = record->n_changes;
  w->watched_last = NEW_ARRAY(w->a, double, w->n_watched + 1);
  w->i_last = NEW_ARRAY(w->a, long long, m->n_integer + 1);
  w->s_last = NEW_ARRAY(w->a, const char *, m->n_string + 1);
  w->relation_last = NEW_ARRAY(w->a, unsigned char, m->n_relations + 1);
}

static void describe(StoreWriter *w, const StoreSetup *o) {
  Text model = {.arena = w->a}, names = {.arena = w->a};
  flat_print(o->structure->model, o->sources, false, &model);
  about_text(w, "program", arena_printf(w->a, "nusim %s", o->version));
  about_text(w, "class", w->m->name);
  about_text(w, "model", text_str(&model));
  about_number(w, "model_crc", crc32(0, (const unsigned char *)text_str(&model), (uInt)model.n));
  about_real(w, "start", o->start);
  about_real(w, "stop", o->stop);
  about_real(w, "rtol", o->rtol);
  about_number(w, "intervals", o->intervals);
  about_text(w, "solver", o->solver);
  for (uint32_t k = 0; k < o->n_selected; k++)
    text_printf(&names, "%s\n", o->selected[k]);
  about_text(w, "selected", text_str(&names));
  about_text(w, "status", "running");
  sqlite3_stmt *put = NULL;
  if (!prepare(w, "INSERT INTO cause VALUES(?1, ?2, ?3, ?4)", &put))
    return;
  for (uint32_t k = 0; k < o->n_causes && !w->error; k++) {
    sqlite3_bind_int(put, 1, (int)o->causes[k].kind);
    sqlite3_bind_int64(put, 2, o->causes[k].number);
    sqlite3_bind_text(put, 3, o->causes[k].text, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 4, o->causes[k].place, -1, SQLITE_STATIC);
    step(w, put);
  }
  sqlite3_finalize(put);
}

StoreWriter *store_create(const StoreSetup *o, Arena *a, Diags *diags) {
  StoreWriter *w = NEW(a, StoreWriter);
  w->a = a;
  w->m = o->model;
  w->path = arena_strdup(a, o->path);
  w->coder = column_coder_new(a);
  uint32_t errors = diags_errors(diags);
  if (w->coder && make_file(w, diags)) {
    SRecord record = structure_recorded(o->structure, a);
    choose_columns(w, &record, o->structure);
    watch(w, &record);
    allocate(w);
    describe(w, o);
    commit(w);
  }
  if (w->coder && w->db && !w->error)
    return w;
  if (diags_errors(diags) == errors)
    diag_add(diags, D_F001, (Span){0, 0}, "cannot write `%s`: %s", w->path, w->error ? w->error : "not enough memory");
  store_writer_free(w);
  return NULL;
}

/* ---- points ---- */

/* All values of the first point, to which changes refer. */
static void put_start(StoreWriter *w, const DsData *d) {
  const DsModel *m = w->m;
  Text raw = {.arena = w->a}, packed = {.arena = w->a};
  const uint64_t sizes[] = {(uint64_t)m->n_real, (uint64_t)m->n_integer, (uint64_t)m->n_string, (uint64_t)m->n_relations};
  for (int k = 0; k < 4; k++)
    column_put_number(&raw, sizes[k]);
  text_addn(&raw, (const char *)d->r, (size_t)m->n_real * sizeof *d->r);
  text_addn(&raw, (const char *)d->i, (size_t)m->n_integer * sizeof *d->i);
  text_addn(&raw, (const char *)d->relation, (size_t)m->n_relations);
  for (int k = 0; k < m->n_string; k++)
    text_addn(&raw, d->s[k], strlen(d->s[k]) + 1);
  uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)text_str(&raw), (uInt)raw.n);
  text_addn(&packed, (const char *)&crc, sizeof crc);
  column_pack(w->coder, text_str(&raw), raw.n, &packed);
  about_blob(w, "values", &packed);
  for (uint32_t k = 0; k < w->n_watched; k++)
    w->watched_last[k] = d->r[w->watched[k]];
  memcpy(w->i_last, d->i, (size_t)m->n_integer * sizeof *d->i);
  memcpy(w->relation_last, d->relation, (size_t)m->n_relations);
  for (int k = 0; k < m->n_string; k++)
    w->s_last[k] = arena_strdup(w->a, d->s[k]);
}

/* Point (as distance from the last change), bank, place; the value follows. */
static void put_change(StoreWriter *w, StoreBank bank, uint32_t place) {
  column_put_number(&w->changes, w->n - w->changed);
  column_put_number(&w->changes, (uint64_t)place << 2 | bank);
  w->changed = w->n;
}

static void put_changes(StoreWriter *w, const DsData *d) {
  const DsModel *m = w->m;
  for (uint32_t k = 0; k < w->n_watched; k++) {
    const double *now_value = &d->r[w->watched[k]];
    if (!memcmp(now_value, &w->watched_last[k], sizeof *now_value))
      continue;
    put_change(w, STORE_REAL, w->watched[k]);
    text_addn(&w->changes, (const char *)now_value, sizeof *now_value);
    w->watched_last[k] = *now_value;
  }
  bool whole = memcmp(w->i_last, d->i, (size_t)m->n_integer * sizeof *d->i) != 0;
  for (int k = 0; whole && k < m->n_integer; k++)
    if (w->i_last[k] != d->i[k]) {
      put_change(w, STORE_INTEGER, (uint32_t)k);
      column_put_number(&w->changes, column_fold(d->i[k]));
      w->i_last[k] = d->i[k];
    }
  for (int k = 0; k < m->n_string; k++)
    if (strcmp(w->s_last[k], d->s[k])) {
      put_change(w, STORE_STRING, (uint32_t)k);
      text_addn(&w->changes, d->s[k], strlen(d->s[k]) + 1);
      w->s_last[k] = arena_strdup(w->a, d->s[k]);
    }
  bool relations = memcmp(w->relation_last, d->relation, (size_t)m->n_relations) != 0;
  for (int k = 0; relations && k < m->n_relations; k++)
    if (w->relation_last[k] != d->relation[k]) {
      put_change(w, STORE_RELATION, (uint32_t)k);
      text_char(&w->changes, (char)d->relation[k]);
      w->relation_last[k] = d->relation[k];
    }
}

/* ---- pieces ---- */

static void put_track(StoreWriter *w, uint32_t track) {
  Text *out = &w->bytes;
  uint32_t crc = 0;
  out->n = 0;
  text_addn(out, (const char *)&crc, sizeof crc);
  if (track == 0) {
    for (uint32_t k = 0; k < w->n; k++)
      w->words[k] = column_of_real(w->time[k]);
    column_encode(w->coder, w->words, w->n, out);
    column_encode(w->coder, w->meta, w->n, out);
    column_pack(w->coder, text_str(&w->changes), w->changes.n, out);
  }
  for (uint32_t k = 0; k < w->columns.n; k++) {
    if (w->columns.at[k].track != track)
      continue;
    column_put_number(out, k);
    size_t at = out->n; /* room for the length, so that a reader can go on to the next */
    text_addn(out, "\0\0\0\0", 4);
    column_encode(w->coder, w->columns.at[k].values, w->n, out);
    uint32_t length = (uint32_t)(out->n - at - 4);
    memcpy(out->at + at, &length, sizeof length);
  }
  crc = (uint32_t)crc32(0, (const unsigned char *)out->at + sizeof crc, (uInt)(out->n - sizeof crc));
  memcpy(out->at, &crc, sizeof crc);
  sqlite3_bind_int64(w->put_segment, 1, (sqlite3_int64)(w->first * STORE_MOST_TRACKS + track));
  sqlite3_bind_int64(w->put_segment, 2, w->n);
  sqlite3_bind_double(w->put_segment, 3, w->time[0]);
  sqlite3_bind_double(w->put_segment, 4, w->time[w->n - 1]);
  sqlite3_bind_blob64(w->put_segment, 5, out->at, out->n, SQLITE_STATIC);
  step(w, w->put_segment);
}

/* What waits is written; it still waits unless the piece is over. */
static void put_piece(StoreWriter *w, bool over) {
  if (w->n > w->saved)
    for (uint32_t t = 0; t < w->n_tracks && !w->error; t++)
      put_track(w, t);
  w->saved = w->n;
  if (!over)
    return;
  w->first += w->n;
  w->n = w->saved = w->changed = 0;
  w->changes.n = 0;
}

bool store_tick(StoreWriter *w) {
  if (w->error || now() - w->committed < commit_interval)
    return !w->error;
  put_piece(w, false);
  commit(w);
  /* a run that takes so long is worth waiting for the disk */
  if (!w->safe && !w->error && sqlite3_get_autocommit(w->db) == 0)
    w->safe = execute(w, "COMMIT; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE");
  return !w->error;
}

/* Unknowns of linear systems that have been singular are recorded from now on. */
static void add_singular(StoreWriter *w, const RunRow *row) {
  put_piece(w, true);
  for (; w->n_singular < row->n_singular; w->n_singular++) {
    uint32_t place = (uint32_t)row->singular[w->n_singular], k = 0;
    while (k < w->columns.n && w->columns.at[k].place != place)
      k++;
    if (k < w->columns.n)
      continue;
    add_column(w, 0, place, "");
    vec_last(&w->columns).values = NEW_ARRAY(w->a, uint64_t, w->most);
  }
}

static void put_events(StoreWriter *w, const RunRow *row) {
  for (uint32_t k = 0; k < row->n_causes && !w->error; k++) {
    const RunCause *c = &row->causes[k];
    sqlite3_bind_int64(w->put_event, 1, (sqlite3_int64)(w->first + w->n));
    sqlite3_bind_int64(w->put_event, 2, k);
    sqlite3_bind_int(w->put_event, 3, (int)c->kind);
    sqlite3_bind_int(w->put_event, 4, c->number);
    sqlite3_bind_double(w->put_event, 5, c->a);
    sqlite3_bind_double(w->put_event, 6, c->b);
    step(w, w->put_event);
  }
}

bool store_row(void *writer, const RunRow *row) {
  StoreWriter *w = writer;
  if (w->error)
    return false;
  if (w->first + w->n == 0)
    put_start(w, row->data);
  if (row->n_singular > w->n_singular)
    add_singular(w, row);
  put_changes(w, row->data);
  put_events(w, row);
  w->time[w->n] = row->time;
  w->meta[w->n] = (uint64_t)row->step << 2 | row->kind;
  for (uint32_t k = 0; k < w->columns.n; k++)
    w->columns.at[k].values[w->n] = column_of_real(row->data->r[w->columns.at[k].place]);
  w->n++;
  if (w->n == w->most)
    put_piece(w, true);
  return store_tick(w);
}

/* ---- the end ---- */

static void count(StoreWriter *w, const RunStats *s) {
  const struct {
    const char *name;
    uint64_t value;
  } counts[] = {{"steps", s->steps},           {"rejected_steps", s->rejected_steps}, {"rhs_evaluations", s->rhs_evaluations},
                {"state_events", s->state_events}, {"time_events", s->time_events},   {"jacobians", s->jacobians}};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    about_number(w, counts[k].name, counts[k].value);
  if (s->solver)
    about_text(w, "solver", s->solver);
}

bool store_end(StoreWriter *w, RunStatus status, const RunStats *stats, Diags *diags) {
  put_piece(w, true);
  count(w, stats);
  about_text(w, "status", store_status[status]);
  execute(w, "COMMIT");
  if (w->error) {
    diag_add(diags, D_F001, (Span){0, 0}, "cannot write all of `%s`: %s", w->path, w->error);
    return false;
  }
  /* one plain file; if somebody reads it just now, that reader's end will do it */
  sqlite3_exec(w->db, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
  return true;
}

void store_writer_free(StoreWriter *w) {
  if (!w)
    return;
  sqlite3_stmt *const all[] = {w->put_segment, w->put_event, w->put_about, w->put_recorded};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    sqlite3_finalize(all[k]);
  sqlite3_close(w->db);
  column_coder_free(w->coder);
}
