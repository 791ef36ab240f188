/* result/store_write.c -- points of a run into a store.
 * How:  points wait in columns until a piece is full or a second has passed; then each track
 *       becomes one row of the table `segment`. A piece that is not full is written again, longer,
 *       a second later. The file comes into being whole, with everything but points, under another
 *       name (-new), and takes its own by rename: at any time there is the older result or one that
 *       can be read. One transaction is always open; it is committed about once a second, and a
 *       process that is killed leaves everything up to then (SQLite's write-ahead log). The end
 *       makes it one plain file.
 * Keep: after an error nothing is written any more and the row function says false: what was
 *       committed stays. */
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "result/column.h"
#include "base/limits.h"
#include "result/store.h"
#include "result/store_impl.h"
#include "structure/keep.h"
#include "structure/sorted.h"

static const double commit_interval = 1; /* s of real time */
enum { PIECE_BYTES = 4 << 20, PIECE_LEAST = 16 };

double store_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- SQLite ---- */

/* Why the last call failed: errno was 0 before it, SQLite does not always keep what the system
 * said. */
static const char *reason(Arena *a, sqlite3 *db) {
  int system = errno, code = db ? sqlite3_errcode(db) & 255 : SQLITE_NOMEM;
  if (code == SQLITE_FULL)
    system = ENOSPC;
  else if (db && sqlite3_system_errno(db))
    system = sqlite3_system_errno(db);
  bool known = system && (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_CANTOPEN);
  return arena_strdup(a, known ? strerror(system) : db ? sqlite3_errmsg(db) : "not enough memory");
}

bool store_check(StoreWriter *w, bool ok) {
  if (!ok && !w->error)
    w->error = reason(w->a, w->db);
  return !w->error;
}

bool store_execute(StoreWriter *w, const char *sql) {
  errno = 0;
  return !w->error && store_check(w, sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static bool prepare(StoreWriter *w, const char *sql, sqlite3_stmt **out) {
  return !w->error && store_check(w, sqlite3_prepare_v3(w->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                                        out, NULL) == SQLITE_OK);
}

/* The row is complete. */
void store_finish(StoreWriter *w, StoreEntry *e) {
  if (w->error)
    return;
  errno = 0;
  store_add_sum(e);
  store_check(w, store_put(e));
}

static StoreEntry about(StoreWriter *w, const char *key) {
  StoreEntry e = store_entry(w->put_about);
  store_add_text(&e, key);
  return e;
}

static void about_text(StoreWriter *w, const char *key, const char *value) {
  StoreEntry e = about(w, key);
  store_add_text(&e, value);
  store_finish(w, &e);
}

static void about_real(StoreWriter *w, const char *key, double value) {
  StoreEntry e = about(w, key);
  store_add_real(&e, value);
  store_finish(w, &e);
}

static void about_number(StoreWriter *w, const char *key, uint64_t value) {
  StoreEntry e = about(w, key);
  store_add_integer(&e, (int64_t)value);
  store_finish(w, &e);
}

static void about_bytes(StoreWriter *w, const char *key, const Text *value) {
  StoreEntry e = about(w, key);
  store_add_bytes(&e, text_str(value), value->n, true);
  store_finish(w, &e);
}

/* ---- the file ---- */

/* Why the file may not be replaced; NULL if it is no file, empty, or a result. */
static const char *obstacle(StoreWriter *w) {
  static const char *const other = "it exists and is not a result of NuSim";
  struct stat st;
  sqlite3 *db = NULL;
  if (lstat(w->path, &st) || (S_ISREG(st.st_mode) && st.st_size == 0))
    return NULL;
  if (stat(w->path, &st) || !S_ISREG(st.st_mode))
    return other;
  errno = 0;
  bool ok = sqlite3_open_v2(w->path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
  int id = ok ? store_pragma(db, "application_id") : -1, code = sqlite3_errcode(db) & 255;
  bool unread = id == -1 &&
                (code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_NOMEM);
  const char *why = id == STORE_ID ? NULL : unread ? reason(w->a, db) : other;
  sqlite3_close(db);
  return why;
}

/* The right to write this name. False with w->error. */
static bool claim(StoreWriter *w) {
  bool busy;
  w->lock_name = store_beside(w->path, "lock", w->a);
  w->lock = store_lock(w->lock_name, &busy);
  if (w->lock < 0)
    w->error = busy ? "another run is writing it" : arena_strdup(w->a, strerror(errno));
  else
    w->error = obstacle(w);
  return !w->error;
}

static bool open_file(StoreWriter *w, const char *path, int flags) {
  errno = 0;
  return store_check(w, sqlite3_open_v2(path, &w->db, SQLITE_OPEN_READWRITE | flags, NULL) ==
                            SQLITE_OK);
}

static bool prepare_all(StoreWriter *w) {
  return prepare(w, "INSERT OR REPLACE INTO about VALUES(?1, ?2, ?3)", &w->put_about) &&
         prepare(w, "INSERT OR REPLACE INTO segment VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                 &w->put_segment) &&
         prepare(w, "INSERT INTO event VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", &w->put_event) &&
         prepare(w, "INSERT INTO recorded VALUES(?1, ?2, ?3, ?4, ?5, ?6)", &w->put_recorded) &&
         prepare(w, "INSERT OR REPLACE INTO checkpoint VALUES(?1, ?2, ?3, ?4)", &w->put_checkpoint);
}

static void close_file(StoreWriter *w) {
  sqlite3_stmt **const all[] = {&w->put_segment, &w->put_event, &w->put_about, &w->put_recorded,
                                &w->put_checkpoint};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    sqlite3_finalize(*all[k]);
    *all[k] = NULL;
  }
  sqlite3_close(w->db);
  w->db = NULL;
}

/* An empty store under another name, in one transaction that is open. */
static bool begin_new(StoreWriter *w, const char *fresh) {
  unlink(fresh);
  bool ok = open_file(w, fresh, SQLITE_OPEN_CREATE) &&
            store_execute(w, "PRAGMA page_size=32768; PRAGMA journal_mode=OFF; PRAGMA "
                             "synchronous=OFF; BEGIN EXCLUSIVE") &&
            store_execute(w, arena_printf(w->a, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                                          STORE_ID, STORE_VERSION));
  for (size_t k = 0; ok && k < STORE_TABLES; k++)
    ok = store_execute(w, store_tables[k].sql);
  return ok && prepare_all(w);
}

/* It takes its name, and what belonged to an older one goes first: a log would be taken for one of
 * the new file. Readers may look at it from then on, so it gets its log before: that takes a lock
 * that a reader would refuse. */
static bool install(StoreWriter *w, const char *fresh) {
  static const char *const parts[] = {"wal", "shm", "journal"};
  bool ok = store_execute(w, "COMMIT; PRAGMA journal_mode=MEMORY; PRAGMA journal_mode=WAL");
  close_file(w);
  for (size_t k = 0; ok && k < sizeof parts / sizeof *parts; k++)
    unlink(store_beside(w->path, parts[k], w->a));
  if (ok && rename(fresh, w->path))
    w->error = arena_strdup(w->a, strerror(errno));
  if (w->error || !open_file(w, w->path, 0))
    return false;
  /* the first to look at a log locks it for a moment */
  sqlite3_busy_timeout(w->db, STORE_BUSY_MS);
  ok = store_execute(w, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE") && prepare_all(w);
  sqlite3_busy_timeout(w->db, 0);
  return ok;
}

bool store_commit(StoreWriter *w) {
  bool ok = store_execute(w, "COMMIT; BEGIN IMMEDIATE");
  if (ok && store_moved(w->db))
    w->error = "it was removed or renamed while the run went on";
  w->committed = store_now();
  return !w->error;
}

/* ---- what is recorded ---- */

void store_add_column(StoreWriter *w, uint32_t track, uint32_t place, const char *name) {
  StoreEntry e = store_entry(w->put_recorded);
  store_add_integer(&e, w->columns.n);
  store_add_integer(&e, track);
  store_add_integer(&e, place);
  store_add_integer(&e, (int64_t)w->first);
  store_add_text(&e, name);
  store_finish(w, &e);
  vec_push(w->a, &w->columns, (StoreKept){track, place});
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
    store_add_column(w, c->island == NO_ISLAND ? 0 : track[c->island], c->place, c->name);
  }
}

static void allocate(StoreWriter *w) {
  uint32_t columns = w->columns.n + 2, most = PIECE_BYTES / (uint32_t)sizeof(uint64_t) / columns;
  w->most = most > MOST_PIECE_ROWS ? MOST_PIECE_ROWS : most < PIECE_LEAST ? PIECE_LEAST : most;
  w->time = NEW_ARRAY(w->a, double, w->most);
  w->meta = NEW_ARRAY(w->a, uint64_t, w->most);
  w->words = NEW_ARRAY(w->a, uint64_t, w->most);
  w->rows = NEW_ARRAY(w->a, double, (size_t)w->most * w->columns.n + 1);
  w->changes.arena = w->bytes.arena = w->a;
}

/* Memory for what changes are found by. */
static void watch(StoreWriter *w, const SRecord *record) {
  const DsModel *m = w->m;
  w->watched = record->changes;
  w->n_watched = record->n_changes;
  w->watched_last = NEW_ARRAY(w->a, double, w->n_watched + 1);
  w->i_last = NEW_ARRAY(w->a, long long, m->n_integer + 1);
  w->s_last = NEW_ARRAY(w->a, Text, m->n_string + 1);
  w->relation_last = NEW_ARRAY(w->a, unsigned char, m->n_relations + 1);
}

static void describe(StoreWriter *w, const StoreSetup *o) {
  Text model = {.arena = w->a}, names = {.arena = w->a};
  flat_print(o->structure->model, o->sources, false, &model);
  about_text(w, "program", arena_printf(w->a, "nusim %s", o->version));
  about_text(w, "class", w->m->name);
  about_text(w, "model", text_str(&model));
  about_real(w, "start", o->start);
  about_real(w, "stop", o->stop);
  about_real(w, "rtol", o->rtol);
  about_number(w, "intervals", o->intervals);
  about_text(w, "solver", o->solver);
  for (uint32_t k = 0; k < o->n_selected; k++)
    text_printf(&names, "%s\n", o->selected[k]);
  about_text(w, "selected", text_str(&names));
  names.n = 0;
  for (uint32_t k = 0; k < o->structure->model->vars.n; k++)
    if (flat_keep_quoted(o->structure->model->vars.at[k].name))
      text_printf(&names, "%s\n", o->structure->model->vars.at[k].name);
  about_text(w, "quoted", names.n ? text_str(&names) : "");
  about_text(w, "options", o->options ? o->options : "");
  about_text(w, "status", "running");
  sqlite3_stmt *put_cause = NULL;
  prepare(w, "INSERT INTO cause VALUES(?1, ?2, ?3, ?4, ?5)", &put_cause);
  for (uint32_t k = 0; k < o->n_causes && !w->error; k++) {
    StoreEntry e = store_entry(put_cause);
    store_add_integer(&e, o->causes[k].kind);
    store_add_integer(&e, o->causes[k].number);
    store_add_text(&e, o->causes[k].text);
    store_add_text(&e, o->causes[k].place);
    store_finish(w, &e);
  }
  sqlite3_finalize(put_cause);
}

/* False with w->error. */
static bool make_file(StoreWriter *w, const StoreSetup *o) {
  if (!w->coder)
    w->error = "not enough memory";
  if (w->error || !claim(w))
    return false;
  const char *fresh = store_beside(w->path, "new", w->a);
  if (begin_new(w, fresh)) {
    SRecord record = structure_recorded(o->structure, w->a);
    choose_columns(w, &record, o->structure);
    watch(w, &record);
    allocate(w);
    describe(w, o);
    if (o->past)
      store_take_over(w, *o->past, o->at);
  }
  if (o->past) { /* its log must not go when the new file has one of that name */
    store_close(*o->past);
    *o->past = NULL;
  }
  bool ok = install(w, fresh);
  if (!ok)
    unlink(fresh);
  w->committed = w->checked = store_now();
  return ok;
}

StoreWriter *store_create(const StoreSetup *o, Arena *a, Diags *diags) {
  StoreWriter *w = NEW(a, StoreWriter);
  Memory *mem = arena_memory(a);
  jmp_buf here, *const before = mem->recover;
  w->a = a;
  w->m = o->model;
  w->lock = -1;
  w->stride = 1;
  w->check_interval = o->checkpoint > 0 ? o->checkpoint : o->checkpoint == 0 ? 0 : commit_interval;
  mem->recover = &here;
  if (setjmp(here)) { /* memory is short: what is not in the arena */
    mem->recover = before;
    store_writer_free(w);
    mem_exhausted(mem);
  }
  /* Never a name that SQLite takes for something else */
  w->path = arena_printf(a, "%s%s", *o->path == '/' ? "" : "./", o->path);
  w->name = arena_strdup(a, o->path);
  w->coder = column_coder_new(a);
  bool ok = make_file(w, o);
  mem->recover = before;
  if (ok)
    return w;
  diag_add(diags, D_F001, (Span){0, 0}, "cannot write `%s`: %s", w->name, w->error);
  store_writer_free(w);
  return NULL;
}

/* ---- points ---- */

static void keep_text(StoreWriter *w, int k, const char *value) {
  w->s_last[k].arena = w->a;
  w->s_last[k].n = 0;
  text_addn(&w->s_last[k], value, strlen(value));
}

/* All values of the first point, to which changes refer. */
static void put_start(StoreWriter *w, const DsData *d) {
  const DsModel *m = w->m;
  Text raw = {.arena = w->a}, packed = {.arena = w->a};
  const uint64_t sizes[] = {(uint64_t)m->n_real, (uint64_t)m->n_integer, (uint64_t)m->n_string,
                            (uint64_t)m->n_relations};
  for (int k = 0; k < 4; k++)
    column_put_number(&raw, sizes[k]);
  text_addn(&raw, (const char *)d->r, (size_t)m->n_real * sizeof *d->r);
  text_addn(&raw, (const char *)d->i, (size_t)m->n_integer * sizeof *d->i);
  text_addn(&raw, (const char *)d->relation, (size_t)m->n_relations);
  for (int k = 0; k < m->n_string; k++)
    text_addn(&raw, d->s[k], strlen(d->s[k]) + 1);
  column_pack(w->coder, text_str(&raw), raw.n, &packed);
  about_bytes(w, "values", &packed);
  for (uint32_t k = 0; k < w->n_watched; k++)
    w->watched_last[k] = d->r[w->watched[k]];
  memcpy(w->i_last, d->i, (size_t)m->n_integer * sizeof *d->i);
  memcpy(w->relation_last, d->relation, (size_t)m->n_relations);
  for (int k = 0; k < m->n_string; k++)
    keep_text(w, k, d->s[k]);
}

/* Point (as distance from the last change), bank, place; the value follows. */
void store_put_change(StoreWriter *w, StoreBank bank, uint32_t place) {
  column_put_number(&w->changes, w->n - w->changed);
  column_put_number(&w->changes, (uint64_t)place << 2 | bank);
  w->changed = w->n;
}

/* Parameters that were set while the run was under way. */
static void put_parameters(StoreWriter *w, const DsData *d) {
  for (int k = 0; k < w->m->n_variables; k++) {
    const DsVariable *v = &w->m->variables[k];
    if (v->type != DS_REAL || v->variability != DS_PARAMETER)
      continue;
    store_put_change(w, STORE_REAL, (uint32_t)v->place);
    text_addn(&w->changes, (const char *)&d->r[v->place], sizeof *d->r);
  }
}

static void put_changes(StoreWriter *w, const DsData *d) {
  const DsModel *m = w->m;
  for (uint32_t k = 0; k < w->n_watched; k++) {
    const double *now_value = &d->r[w->watched[k]];
    if (!memcmp(now_value, &w->watched_last[k], sizeof *now_value))
      continue;
    store_put_change(w, STORE_REAL, w->watched[k]);
    text_addn(&w->changes, (const char *)now_value, sizeof *now_value);
    w->watched_last[k] = *now_value;
  }
  bool whole = memcmp(w->i_last, d->i, (size_t)m->n_integer * sizeof *d->i) != 0;
  for (int k = 0; whole && k < m->n_integer; k++)
    if (w->i_last[k] != d->i[k]) {
      store_put_change(w, STORE_INTEGER, (uint32_t)k);
      column_put_number(&w->changes, column_fold(d->i[k]));
      w->i_last[k] = d->i[k];
    }
  for (int k = 0; k < m->n_string; k++)
    if (strcmp(text_str(&w->s_last[k]), d->s[k])) {
      store_put_change(w, STORE_STRING, (uint32_t)k);
      text_addn(&w->changes, d->s[k], strlen(d->s[k]) + 1);
      keep_text(w, k, d->s[k]);
    }
  bool relations = memcmp(w->relation_last, d->relation, (size_t)m->n_relations) != 0;
  for (int k = 0; relations && k < m->n_relations; k++)
    if (w->relation_last[k] != d->relation[k]) {
      store_put_change(w, STORE_RELATION, (uint32_t)k);
      text_char(&w->changes, (char)d->relation[k]);
      w->relation_last[k] = d->relation[k];
    }
}

/* ---- pieces ---- */

static void put_track(StoreWriter *w, uint32_t track) {
  Text *out = &w->bytes;
  uint32_t sum = 0; /* of what follows, begun with that of the columns in front */
  out->n = 0;
  text_addn(out, (const char *)&sum, sizeof sum);
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
    for (uint32_t q = 0; q < w->n; q++)
      w->words[q] = column_of_real(w->rows[(size_t)q * w->columns.n + k]);
    column_encode(w->coder, w->words, w->n, out);
    uint32_t length = (uint32_t)(out->n - at - 4);
    memcpy(out->at + at, &length, sizeof length);
  }
  StoreEntry e = store_entry(w->put_segment);
  store_add_integer(&e, (int64_t)(w->first * STORE_MOST_TRACKS + track));
  store_add_integer(&e, w->n);
  store_add_real(&e, w->time[0]);
  store_add_real(&e, w->time[w->n - 1]);
  store_add_sum(&e);
  sum = (uint32_t)crc32_z(e.sum, (const unsigned char *)out->at + sizeof sum, out->n - sizeof sum);
  memcpy(out->at, &sum, sizeof sum);
  store_add_bytes(&e, out->at, out->n, false);
  errno = 0;
  if (!w->error)
    store_check(w, store_put(&e));
}

/* What waits is written; it still waits unless the piece is over. */
void store_put_piece(StoreWriter *w, bool over) {
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
  if (w->error || store_now() - w->committed < commit_interval)
    return !w->error;
  store_put_piece(w, false);
  store_commit(w);
  /* a run that takes so long is worth waiting for the disk */
  if (!w->safe && !w->error && sqlite3_get_autocommit(w->db) == 0)
    w->safe = store_execute(w, "COMMIT; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE");
  return !w->error;
}

/* Unknowns of linear systems that have been singular are recorded from now on. */
static void add_singular(StoreWriter *w, const RunRow *row) {
  store_put_piece(w, true);
  for (; w->n_singular < row->n_singular; w->n_singular++) {
    uint32_t place = (uint32_t)row->singular[w->n_singular], k = 0;
    while (k < w->columns.n && w->columns.at[k].place != place)
      k++;
    if (k < w->columns.n)
      continue;
    store_add_column(w, 0, place, "");
  }
  w->rows = NEW_ARRAY(w->a, double, (size_t)w->most * w->columns.n + 1);
}

/* What terminate() said is the text of a cause that no model has beforehand. */
static void put_ending(StoreWriter *w, const RunRow *row, uint32_t ordinal) {
  sqlite3_stmt *put = NULL;
  if (!prepare(w, "INSERT OR REPLACE INTO cause VALUES(?1, ?2, ?3, ?4, ?5)", &put))
    return;
  StoreEntry c = store_entry(put);
  store_add_integer(&c, RUN_NOTE_END);
  store_add_integer(&c, 0);
  store_add_text(&c, row->ended);
  store_add_text(&c, row->ended_at);
  store_finish(w, &c);
  sqlite3_finalize(put);
  StoreEntry e = store_entry(w->put_event);
  store_add_integer(&e, (int64_t)(w->first + w->n));
  store_add_integer(&e, ordinal);
  store_add_integer(&e, RUN_NOTE_END);
  store_add_integer(&e, 0);
  store_add_real(&e, NAN);
  store_add_real(&e, NAN);
  store_finish(w, &e);
  w->n_events++;
}

static void put_events(StoreWriter *w, const RunRow *row) {
  for (uint32_t k = 0; k < row->n_causes + row->n_notes && !w->error; k++) {
    const RunCause *c = k < row->n_causes ? &row->causes[k] : &row->notes[k - row->n_causes];
    StoreEntry e = store_entry(w->put_event);
    store_add_integer(&e, (int64_t)(w->first + w->n));
    store_add_integer(&e, k);
    store_add_integer(&e, c->kind);
    store_add_integer(&e, c->number);
    store_add_real(&e, c->a);
    store_add_real(&e, c->b);
    store_finish(w, &e);
    w->n_events++;
  }
  if (row->ended && !w->error)
    put_ending(w, row, row->n_causes + row->n_notes);
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
  if (row->parameters)
    put_parameters(w, row->data);
  put_events(w, row);
  w->time[w->n] = w->last_time = row->time;
  w->meta[w->n] = (uint64_t)row->step << 2 | row->kind;
  double *values = w->rows + (size_t)w->n * w->columns.n;
  for (uint32_t k = 0; k < w->columns.n; k++)
    values[k] = row->data->r[w->columns.at[k].place];
  w->n++;
  if (w->n == w->most || w->changes.n > PIECE_BYTES)
    store_put_piece(w, true);
  return store_tick(w);
}

void store_was_set(StoreWriter *w) { about_number(w, "set", 1); }

/* ---- the end ---- */

static void count(StoreWriter *w, const RunStats *s) {
  const struct {
    const char *name;
    uint64_t value;
  } counts[] = {{"points", w->first + w->n},
                {"events", w->n_events},
                {"steps", s->steps},
                {"rejected_steps", s->rejected_steps},
                {"rhs_evaluations", s->rhs_evaluations},
                {"jacobians", s->jacobians},
                {"state_events", s->state_events},
                {"time_events", s->time_events}};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    about_number(w, counts[k].name, counts[k].value);
  if (s->solver)
    about_text(w, "solver", s->solver);
}

/* One plain file. If somebody reads it just now, the end of that reader does it. */
static void settle(StoreWriter *w) {
  if (w->error || !store_execute(w, "COMMIT"))
    return;
  if (store_moved(w->db))
    w->error = "it was removed or renamed while the run went on";
  errno = 0;
  int code = sqlite3_exec(w->db, "PRAGMA journal_mode=MEMORY", NULL, NULL, NULL) & 255;
  store_check(w, code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED);
}

bool store_end(StoreWriter *w, RunStatus status, const RunStats *stats, Diags *diags) {
  store_put_piece(w, true);
  count(w, stats);
  about_text(w, "status", store_status[status]);
  settle(w);
  if (w->error)
    diag_add(diags, D_F001, (Span){0, 0}, "cannot write all of `%s`: %s", w->name, w->error);
  return !w->error;
}

void store_writer_free(StoreWriter *w) {
  if (!w)
    return;
  close_file(w);
  store_unlock(w->lock_name, w->lock);
  column_coder_free(w->coder);
}
