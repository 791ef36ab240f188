/* result/store_read.c -- a store as points again.
 * Keep: a file may be damaged or forged. Only tables of ours are accepted, no part of the file is
 *       executed or trusted: every count, place and length is checked against the sizes that the
 *       file itself begins with, every row has a check sum, rows come in order (a forged tree could
 *       yield them for ever).
 *       Whatever is wrong is one diagnostic (F002), never a wrong number. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "result/column.h"
#include "base/limits.h"
#include "result/store_impl.h"

const StoreTable store_tables[STORE_TABLES] = {
    {"about", "CREATE TABLE about(key TEXT PRIMARY KEY, value, crc INTEGER) WITHOUT ROWID"},
    {"recorded", "CREATE TABLE recorded(id INTEGER PRIMARY KEY, track INTEGER, place INTEGER, "
                 "since INTEGER, name TEXT, crc INTEGER)"},
    {"segment", "CREATE TABLE segment(id INTEGER PRIMARY KEY, points INTEGER, start REAL, stop "
                "REAL, crc INTEGER, data BLOB)"},
    {"cause", "CREATE TABLE cause(kind INTEGER, number INTEGER, text TEXT, place TEXT, crc "
              "INTEGER, PRIMARY KEY(kind, number)) WITHOUT ROWID"},
    {"event", "CREATE TABLE event(point INTEGER, ordinal INTEGER, kind INTEGER, number INTEGER, a "
              "REAL, b REAL, crc INTEGER, PRIMARY KEY(point, ordinal)) WITHOUT ROWID"},
    {"checkpoint",
     "CREATE TABLE checkpoint(point INTEGER PRIMARY KEY, time REAL, crc INTEGER, data BLOB)"}};

const char *const store_status[RUN_CANCELLED + 1] = {[RUN_OK] = "done",
                                                     [RUN_USAGE] = "refused",
                                                     [RUN_INIT_FAILED] = "no initial values",
                                                     [RUN_FAILED] = "failed",
                                                     [RUN_LIMIT] = "limit",
                                                     [RUN_OUTPUT] = "stopped",
                                                     [RUN_CANCELLED] = "interrupted"};

int store_pragma(sqlite3 *db, const char *name) {
  char sql[64];
  sqlite3_stmt *s = NULL;
  snprintf(sql, sizeof sql, "PRAGMA %s", name);
  int value = -1;
  if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
    value = sqlite3_column_int(s, 0);
  sqlite3_finalize(s);
  return value;
}

/* Sizes beyond which a file is not believed. */
static const uint64_t most_values = 1u << 28, most_start = (uint64_t)1 << 32,
                      most_changes = (uint64_t)1 << 31;

/* ---- messages ---- */

static bool refuse(const Store *s, Diags *diags, const char *why) {
  diag_add(diags, D_F002, (Span){0, 0}, "cannot read `%s`: %s", s->path, why);
  return false;
}

static bool damaged(const Store *s, Diags *diags, const char *what) {
  sqlite3 *db = s->own->db;
  int code = db ? sqlite3_errcode(db) & 255 : SQLITE_OK;
  if (code == SQLITE_NOMEM)
    return refuse(s, diags, "not enough memory");
  bool busy = code == SQLITE_BUSY || code == SQLITE_LOCKED,
       broken = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR;
  Diag *d = diag_add(diags, D_F002, (Span){0, 0},
                     busy ? "cannot read `%s`: %s is being written"
                          : "`%s` is damaged: %s is not as it was written",
                     s->path, what);
  if (broken)
    diag_note(diags, d, "SQLite: %s", sqlite3_errmsg(db));
  return false;
}

/* ---- opening ---- */

/* Is it a file of ours that this version can read? */
static bool accept(Store *s, Diags *diags) {
  sqlite3 *db = s->own->db;
  int id = store_pragma(db, "application_id"), version = store_pragma(db, "user_version");
  if (id == -1 && (sqlite3_errcode(db) & 255) == SQLITE_CANTOPEN)
    return refuse(s, diags, "it cannot be opened; is its directory writable while a run goes on?");
  if (id == -1)
    return (sqlite3_errcode(db) & 255) == SQLITE_NOTADB
               ? refuse(s, diags, "it is not a result of NuSim")
               : damaged(s, diags, "its head");
  if (id != STORE_ID)
    return refuse(s, diags, "it is not a result of NuSim");
  if (version > STORE_VERSION)
    return refuse(
        s, diags,
        arena_printf(s->own->a,
                     "it was written by a newer NuSim (format %d; this one knows up to %d)",
                     version, STORE_VERSION));
  if (version < 1)
    return damaged(s, diags, "its version");
  return true;
}

/* Exactly our tables: no views, triggers or others. */
static bool check_tables(Store *s, Diags *diags) {
  uint32_t expected = store_pragma(s->own->db, "user_version") >= STORE_WITH_CHECKPOINTS
                          ? STORE_TABLES
                          : STORE_TABLES_BEFORE;
  sqlite3_stmt *q = NULL;
  uint32_t found = 0, others = 0;
  int code = sqlite3_prepare_v2(s->own->db, "SELECT name, sql FROM sqlite_schema", -1, &q, NULL);
  while (code == SQLITE_OK && !others && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(q, 0),
               *sql = (const char *)sqlite3_column_text(q, 1);
    bool ours = false;
    for (size_t k = 0; k < STORE_TABLES && name && sql; k++)
      ours = ours || (!strcmp(name, store_tables[k].name) && !strcmp(sql, store_tables[k].sql));
    found += ours, others += !ours;
    code = SQLITE_OK;
  }
  sqlite3_finalize(q);
  return (code == SQLITE_DONE && found == expected && !others) ||
         damaged(s, diags, "its list of tables");
}

/* A connection by which nothing in the file can act. */
static bool connect(StoreOwn *o, const char *name, int flags) {
  sqlite3_close(o->db);
  if (sqlite3_open_v2(name, &o->db, flags, NULL) != SQLITE_OK)
    return false;
  sqlite3_busy_timeout(o->db, STORE_BUSY_MS);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL); /* see tidy */
  return sqlite3_exec(o->db, "PRAGMA cell_size_check=ON; PRAGMA query_only=ON", NULL, NULL, NULL) ==
         SQLITE_OK;
}

/* A path that begins with `/` or `./` as a name of SQLite's that says: nobody writes this file. */
static const char *uri(const char *path, Arena *a) {
  Text t = {.arena = a};
  text_add(&t, *path == '/' ? "file://" : "file:");
  for (const char *c = path; *c; c++)
    text_printf(&t, strchr("%?#", *c) ? "%%%02X" : "%c", (unsigned char)*c);
  text_add(&t, "?immutable=1");
  return text_str(&t);
}

static bool open_database(Store *s, Diags *diags) {
  StoreOwn *o = s->own;
  struct stat st, log;
  if (stat(s->path, &st))
    return refuse(s, diags, strerror(errno));
  if (!S_ISREG(st.st_mode))
    return refuse(s, diags, S_ISDIR(st.st_mode) ? "it is a directory" : "it is not a file");
  if (st.st_size == 0)
    return refuse(s, diags, "it is empty");
  const char *name = arena_printf(o->a, "%s%s", *s->path == '/' ? "" : "./", s->path);
  /* writable, so that the log of a killed run can be put in order; if that is not allowed, as it
   * is */
  bool ok = connect(o, name, SQLITE_OPEN_READWRITE) && store_pragma(o->db, "application_id") != -1;
  if (!ok)
    ok = connect(o, name, SQLITE_OPEN_READONLY) && store_pragma(o->db, "application_id") != -1;
  /* a result without a log in a directory where none can be made */
  int code = o->db ? sqlite3_errcode(o->db) & 255 : SQLITE_NOMEM;
  bool logged = stat(store_beside(s->path, "wal", o->a), &log) == 0 && log.st_size > 0;
  if (!ok && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !logged)
    o->plain = connect(o, uri(name, o->a), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (!o->db)
    return refuse(s, diags, "not enough memory");
  return accept(s, diags) && check_tables(s, diags);
}

/* ---- what it is about ---- */

static sqlite3_stmt *ask(const Store *s, const char *key) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(s->own->db, "SELECT key, value, crc FROM about WHERE key = ?1", -1, &q,
                         NULL) == SQLITE_OK) {
    sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(q) == SQLITE_ROW && store_sound(q, 2))
      return q;
  }
  sqlite3_finalize(q);
  return NULL;
}

/* Into `a`. */
static const char *about_text(const Store *s, const char *key, Arena *a) {
  sqlite3_stmt *q = ask(s, key);
  const char *text = q && sqlite3_column_type(q, 1) == SQLITE_TEXT
                         ? (const char *)sqlite3_column_text(q, 1)
                         : NULL;
  const char *out = text ? arena_strdup(a, text) : NULL;
  sqlite3_finalize(q);
  return out;
}

static double about_real(const Store *s, const char *key) {
  sqlite3_stmt *q = ask(s, key);
  double out = q && sqlite3_column_type(q, 1) == SQLITE_FLOAT ? sqlite3_column_double(q, 1) : NAN;
  sqlite3_finalize(q);
  return out;
}

static bool about_number(const Store *s, const char *key, uint64_t most, uint64_t *out) {
  sqlite3_stmt *q = ask(s, key);
  bool ok = q && sqlite3_column_type(q, 1) == SQLITE_INTEGER && sqlite3_column_int64(q, 1) >= 0;
  *out = ok ? (uint64_t)sqlite3_column_int64(q, 1) : 0;
  sqlite3_finalize(q);
  return ok && *out <= most;
}

/* A run that has ended tells how much there must be. */
static bool read_status(Store *s) {
  sqlite3_stmt *q = ask(s, "status");
  const char *status = q && sqlite3_column_type(q, 1) == SQLITE_TEXT
                           ? (const char *)sqlite3_column_text(q, 1)
                           : "";
  bool running = !strcmp(status, "running");
  s->ended = false;
  for (RunStatus k = RUN_OK; k <= RUN_CANCELLED; k++)
    if (!strcmp(status, store_status[k]))
      s->ended = true, s->status = k;
  sqlite3_finalize(q);
  uint64_t points, set;
  s->set = about_number(s, "set", 1, &set) && set;
  return running ||
         (s->ended && about_number(s, "points", INT64_MAX, &points) && points == s->own->points);
}

/* Names, each with a newline behind it. */
static const char **split_names(Arena *a, const char *names, uint32_t *n_names) {
  uint32_t n = 0;
  for (const char *c = names; *c; c++)
    n += *c == '\n';
  const char **out = NEW_ARRAY(a, const char *, n + 1);
  *n_names = 0;
  for (const char *c = names, *stop; (stop = strchr(c, '\n')) != NULL; c = stop + 1)
    out[(*n_names)++] = arena_strndup(a, c, (size_t)(stop - c));
  return out;
}

static bool read_about(Store *s, Diags *diags) {
  Arena *a = s->own->a;
  uint64_t intervals;
  s->class_name = about_text(s, "class", a);
  s->version = about_text(s, "program", a);
  s->solver = about_text(s, "solver", a);
  s->model = about_text(s, "model", a);
  s->start = about_real(s, "start"), s->stop = about_real(s, "stop"),
  s->rtol = about_real(s, "rtol");
  const char *names = about_text(s, "selected", a), *quoted = about_text(s, "quoted", a);
  if (!s->class_name || !s->version || !s->solver || !names || !quoted || !isfinite(s->start) ||
      !(s->stop >= s->start && isfinite(s->stop)) || !(s->rtol > 0) ||
      !about_number(s, "intervals", UINT32_MAX, &intervals))
    return damaged(s, diags, "the description of the run");
  if (!s->model)
    return damaged(s, diags, "the text of the model");
  s->options = about_text(s, "options", a);
  s->intervals = (uint32_t)intervals;
  s->selected = split_names(a, names, &s->n_selected);
  s->quoted = split_names(a, quoted, &s->n_quoted);
  return true;
}

/* ---- values at the first point ---- */

static const void *take(const unsigned char **at, const unsigned char *end, uint64_t n,
                        size_t size) {
  if ((uint64_t)(end - *at) / size < n)
    return NULL;
  const void *out = *at;
  *at += n * size;
  return out;
}

static bool unpack_start(Store *s, const unsigned char *at, const unsigned char *end) {
  Arena *a = s->own->a;
  uint64_t sizes[4];
  for (int k = 0; k < 4; k++)
    if (!column_get_number(&at, end, &sizes[k]) || sizes[k] > most_values)
      return false;
  const void *r = take(&at, end, sizes[0], 8), *i = r ? take(&at, end, sizes[1], 8) : NULL,
             *rel = i ? take(&at, end, sizes[3], 1) : NULL;
  if (!rel)
    return false;
  s->n_real = (uint32_t)sizes[0], s->n_integer = (uint32_t)sizes[1],
  s->n_string = (uint32_t)sizes[2], s->n_relations = (uint32_t)sizes[3];
  if (sizes[2] > (uint64_t)(end - at))
    return false;
  s->r = NEW_ARRAY(a, double, s->n_real + 1);
  s->i = NEW_ARRAY(a, int64_t, s->n_integer + 1);
  s->s = NEW_ARRAY(a, const char *, s->n_string + 1);
  unsigned char *relation = NEW_ARRAY(a, unsigned char, s->n_relations + 1);
  memcpy(s->r, r, s->n_real * sizeof *s->r);
  memcpy(s->i, i, s->n_integer * sizeof *s->i);
  memcpy(relation, rel, s->n_relations);
  s->relation = relation;
  for (uint32_t k = 0; k < s->n_string; k++) {
    const unsigned char *stop = memchr(at, 0, (size_t)(end - at));
    if (!stop)
      return false;
    s->s[k] = arena_strdup(a, (const char *)at);
    at = stop + 1;
  }
  return at == end;
}

/* There are none before the first point. */
static bool read_start(Store *s, Diags *diags) {
  if (s->r || !s->own->points)
    return true;
  sqlite3_stmt *q = ask(s, "values");
  const unsigned char *at = q && sqlite3_column_type(q, 1) == SQLITE_BLOB
                                ? sqlite3_column_blob(q, 1)
                                : NULL;
  const unsigned char *end = at ? at + sqlite3_column_bytes(q, 1) : NULL;
  size_t n = 0;
  const unsigned char *raw = at ? column_unpack(s->own->coder, &at, end, most_start, &n) : NULL;
  bool ok = raw && at == end && unpack_start(s, raw, raw + n);
  sqlite3_finalize(q);
  if (!ok)
    s->r = NULL;
  return ok || damaged(s, diags, "the values at the start");
}

/* ---- lists ---- */

static sqlite3_stmt *query(const Store *s, const char *sql, sqlite3_int64 from) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(s->own->db, sql, -1, &q, NULL) != SQLITE_OK ||
      sqlite3_bind_int64(q, 1, from) != SQLITE_OK) {
    sqlite3_finalize(q);
    return NULL;
  }
  return q;
}

/* Columns are only ever added. */
static bool read_columns(Store *s, Diags *diags) {
  sqlite3_stmt *q = query(
      s, "SELECT id, track, place, since, name, crc FROM recorded WHERE id >= ?1 ORDER BY id",
      s->columns.n);
  int code = SQLITE_ERROR;
  bool ok = q != NULL;
  while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
    sqlite3_int64 id = sqlite3_column_int64(q, 0), track = sqlite3_column_int64(q, 1),
                  place = sqlite3_column_int64(q, 2), since = sqlite3_column_int64(q, 3);
    const char *name = (const char *)sqlite3_column_text(q, 4);
    ok = store_sound(q, 5) && id == s->columns.n && track >= 0 && track < STORE_MOST_TRACKS &&
         place >= 0 && place < (sqlite3_int64)most_values && since >= 0 && name;
    if (ok)
      vec_push(s->own->a, &s->columns,
               (StoreColumn){(uint32_t)track, (uint32_t)place, (uint64_t)since,
                             arena_strdup(s->own->a, name)});
    if (ok && (uint32_t)track >= s->own->n_tracks)
      s->own->n_tracks = (uint32_t)track + 1;
  }
  sqlite3_finalize(q);
  return (ok && code == SQLITE_DONE) || damaged(s, diags, "the list of columns");
}

static bool read_causes(Store *s, Diags *diags) {
  sqlite3_stmt *q = query(
      s, "SELECT kind, number, text, place, crc FROM cause WHERE kind >= ?1 ORDER BY kind, number",
      INT64_MIN);
  int code = SQLITE_ERROR;
  bool ok = q != NULL;
  while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
    sqlite3_int64 kind = sqlite3_column_int64(q, 0), number = sqlite3_column_int64(q, 1);
    const char *text = (const char *)sqlite3_column_text(q, 2),
               *place = (const char *)sqlite3_column_text(q, 3);
    const StoreCause *last = s->causes.n ? &vec_last(&s->causes) : NULL;
    ok = store_sound(q, 4) && kind >= 0 && (kind <= RUN_CAUSE_SET || kind == RUN_NOTE_END) &&
         number >= 0 && number < INT_MAX && text && place &&
         (!last || (int)last->kind < kind || ((int)last->kind == kind && last->number < number));
    if (ok)
      vec_push(s->own->a, &s->causes,
               (StoreCause){(RunCauseKind)kind, (uint32_t)number, arena_strdup(s->own->a, text),
                            arena_strdup(s->own->a, place)});
  }
  sqlite3_finalize(q);
  return (ok && code == SQLITE_DONE) || damaged(s, diags, "the list of causes");
}

/* Pieces follow each other without a gap. Only the last one can have become longer since the last
 * look. */
static bool read_pieces(Store *s, Diags *diags) {
  StoreOwn *o = s->own;
  if (o->pieces.n)
    o->points = o->pieces.at[--o->pieces.n].first;
  sqlite3_int64 before = -1;
  sqlite3_stmt *q = query(
      s, "SELECT id, points, start, stop, crc FROM segment WHERE id >= ?1 ORDER BY id",
      o->points ? (sqlite3_int64)o->points * STORE_MOST_TRACKS : INT64_MIN);
  int code = SQLITE_ERROR;
  bool ok = q != NULL;
  while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
    sqlite3_int64 id = sqlite3_column_int64(q, 0), n = sqlite3_column_int64(q, 1);
    double start = sqlite3_column_double(q, 2), stop = sqlite3_column_double(q, 3);
    if (!store_sound(q, 4))
      ok = false;
    else if (before < 0 || id % STORE_MOST_TRACKS == 0) {
      ok = id == (sqlite3_int64)o->points * STORE_MOST_TRACKS && n > 0 && n <= COLUMN_MOST &&
           isfinite(start) && isfinite(stop);
      if (ok)
        vec_push(o->a, &o->pieces, (StorePiece){o->points, (uint32_t)n, start, stop});
      o->points += ok ? (uint64_t)n : 0;
    } else
      ok = id == before + 1 && n == vec_last(&o->pieces).n;
    before = id;
  }
  sqlite3_finalize(q);
  return (ok && code == SQLITE_DONE) || damaged(s, diags, "the list of segments");
}

/* Everything but numbers, in one state of the file. */
static bool look(Store *s, Diags *diags) {
  StoreOwn *o = s->own;
  bool ok = sqlite3_exec(o->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
  ok = ok ? read_columns(s, diags) && read_pieces(s, diags) && read_start(s, diags)
          : damaged(s, diags, "its log");
  for (uint32_t k = 0; ok && k < s->columns.n && o->points; k++)
    ok = s->columns.at[k].place < s->n_real || damaged(s, diags, "the list of columns");
  ok = ok && (read_status(s) || damaged(s, diags, "the description of the run"));
  sqlite3_exec(o->db, "COMMIT", NULL, NULL, NULL);
  return ok;
}

/* Connection and everything that can be said of the run. */
static bool open_all(Store *s, Diags *diags) {
  StoreOwn *o = s->own;
  if (!(o->coder = column_coder_new(o->a)))
    return refuse(s, diags, "not enough memory");
  if (!open_database(s, diags) || !read_about(s, diags) || !look(s, diags) ||
      !read_causes(s, diags))
    return false;
  o->segment = query(s, "SELECT id, points, start, stop, crc, data FROM segment WHERE id = ?1", 0);
  o->event = query(s,
                   "SELECT point, ordinal, kind, number, a, b, crc FROM event WHERE point >= ?1 "
                   "ORDER BY point, ordinal",
                   0);
  return (o->segment && o->event) || damaged(s, diags, "its list of tables");
}

Store *store_open(const char *path, Arena *a, Diags *diags) {
  Store *s = NEW(a, Store);
  StoreOwn *o = s->own = NEW(a, StoreOwn);
  Memory *mem = arena_memory(a);
  jmp_buf here, *const before = mem->recover;
  o->a = a;
  o->n_tracks = 1;
  mem->recover = &here;
  if (setjmp(here)) { /* memory is short: what is not in the arena */
    mem->recover = before;
    store_close(s);
    mem_exhausted(mem);
  }
  s->path = arena_strdup(a, path);
  o->lock_name = store_beside(path, "lock", a);
  o->new_name = store_beside(path, "new", a); /* a run was killed before it had made its file */
  o->words = NEW_ARRAY(a, uint64_t, COLUMN_MOST);
  bool ok = open_all(s, diags);
  mem->recover = before;
  if (ok)
    return s;
  store_close(s);
  return NULL;
}

/* One plain file of what a killed run has left, or one that ended while it was read. Nobody else
 * may be about to write it. */
static void tidy(StoreOwn *o, bool ended) {
  enum { TRIES = 5, PAUSE_US = 10000 };
  bool busy = false;
  int lock = store_lock(o->lock_name, &busy);
  for (int k = 0; k < TRIES && lock < 0 && busy && ended; k++) {
    usleep(PAUSE_US);
    lock = store_lock(o->lock_name, &busy);
  }
  if (lock < 0)
    return;
  sqlite3_busy_timeout(o->db, 0);
  if (!store_moved(o->db))
    sqlite3_exec(o->db, "PRAGMA query_only=OFF; PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
  unlink(o->new_name);
  store_unlock(o->lock_name, lock);
}

/* Is there a log beside it, or the lock of a run? */
static bool untidy(StoreOwn *o) {
  sqlite3_stmt *q = NULL;
  bool log = sqlite3_prepare_v2(o->db, "PRAGMA journal_mode", -1, &q, NULL) == SQLITE_OK &&
             sqlite3_step(q) == SQLITE_ROW &&
             !strcmp((const char *)sqlite3_column_text(q, 0), "wal");
  sqlite3_finalize(q);
  return log || access(o->lock_name, F_OK) == 0;
}

void store_close(Store *s) {
  if (!s)
    return;
  StoreOwn *o = s->own;
  bool ours = o->segment && o->event;
  sqlite3_finalize(o->segment);
  sqlite3_finalize(o->event);
  if (ours && !o->plain && !sqlite3_db_readonly(o->db, "main") && untidy(o))
    tidy(o, s->ended);
  sqlite3_close(o->db);
  column_coder_free(o->coder);
}

bool store_refresh(Store *s, Diags *diags) { return look(s, diags); }

const StorePiece *store_pieces(const Store *s, uint32_t *n) {
  *n = s->own->pieces.n;
  return s->own->pieces.at;
}

uint64_t store_points(const Store *s) { return s->own->points; }

double store_time_before(const Store *s, double time) {
  double start = NAN;
  for (uint32_t k = 0; k < s->own->pieces.n && s->own->pieces.at[k].start <= time; k++)
    start = s->own->pieces.at[k].start;
  return start;
}

/* ---- points ---- */

static bool parse_change(const Store *s, const unsigned char **at, const unsigned char *end,
                         StoreChange *c) {
  const uint32_t sizes[] = {[STORE_REAL] = s->n_real,
                            [STORE_INTEGER] = s->n_integer,
                            [STORE_STRING] = s->n_string,
                            [STORE_RELATION] = s->n_relations};
  uint64_t number;
  if (!column_get_number(at, end, &number))
    return false;
  c->bank = (StoreBank)(number & 3);
  if (number >> 2 >= sizes[c->bank])
    return false;
  c->place = (uint32_t)(number >> 2);
  const unsigned char *stop;
  switch (c->bank) {
  case STORE_REAL:
    if (end - *at < 8)
      return false;
    memcpy(&c->value.r, *at, 8);
    *at += 8;
    return true;
  case STORE_INTEGER:
    if (!column_get_number(at, end, &number))
      return false;
    c->value.i = column_unfold(number);
    return true;
  case STORE_STRING:
    if (!(stop = memchr(*at, 0, (size_t)(end - *at))))
      return false;
    c->value.s = arena_strdup(s->own->piece, (const char *)*at);
    *at = stop + 1;
    return true;
  case STORE_RELATION:
    if (*at == end || **at > 1)
      return false;
    c->value.i = *(*at)++;
    return true;
  }
  return false;
}

/* Those of the first `wanted` of the points. */
static bool parse_changes(Store *s, const unsigned char *at, size_t n, uint32_t points,
                          uint32_t wanted) {
  StoreOwn *o = s->own;
  const unsigned char *end = at + n;
  uint64_t point = 0, ahead;
  o->changes.n = 0;
  while (at < end) {
    StoreChange c;
    if (!column_get_number(&at, end, &ahead) || ahead >= points || (point += ahead) >= points ||
        !parse_change(s, &at, end, &c))
      return false;
    c.point = (uint32_t)point;
    if (point < wanted)
      vec_push(o->piece, &o->changes, c);
  }
  return true;
}

/* Time, kinds and changes at the front of track 0. There may be more points by now than when the
 * list of pieces was read. */
static bool parse_front(Store *s, const unsigned char **at, const unsigned char *end,
                        const StorePiece *p) {
  StoreOwn *o = s->own;
  size_t size;
  if (!column_decode(o->coder, at, end, o->words, p->n) ||
      column_to_real(o->words[0]) != p->start || column_to_real(o->words[p->n - 1]) != p->stop)
    return false;
  for (uint32_t k = 0; k < o->at.n; k++)
    if (isnan(o->at.time[k] = column_to_real(o->words[k])))
      return false;
  if (!column_decode(o->coder, at, end, o->words, p->n))
    return false;
  for (uint32_t k = 0; k < p->n; k++) {
    if (o->words[k] >> 2 > UINT32_MAX)
      return false;
    if (k >= o->at.n)
      continue;
    o->at.kind[k] = (RunRowKind)(o->words[k] & 3);
    o->at.step[k] = (uint32_t)(o->words[k] >> 2);
  }
  const unsigned char *bytes = column_unpack(o->coder, at, end, most_changes, &size);
  return bytes && parse_changes(s, bytes, size, p->n, o->at.n);
}

static bool parse_columns(Store *s, uint32_t track, const unsigned char *at,
                          const unsigned char *end, uint32_t n, const bool *wanted) {
  StoreOwn *o = s->own;
  while (at < end) {
    uint64_t id;
    uint32_t length;
    if (!column_get_number(&at, end, &id) || id >= s->columns.n ||
        s->columns.at[id].track != track || end - at < 4)
      return false;
    memcpy(&length, at, sizeof length);
    at += sizeof length;
    if (length > (size_t)(end - at))
      return false;
    const unsigned char *stop = at + length;
    if (o->at.columns[id])
      return false;
    if (!wanted || wanted[id]) {
      if (!column_decode(o->coder, &at, stop, o->words, n) || at != stop)
        return false;
      double *out = NEW_ARRAY(o->piece, double, o->at.n);
      for (uint32_t k = 0; k < o->at.n; k++)
        out[k] = column_to_real(o->words[k]);
      o->at.columns[id] = out;
    }
    at = stop;
  }
  return true;
}

/* One track of a piece; what belongs to the row is what the sum of its bytes begins with. */
static bool parse_track(Store *s, const StorePiece *p, uint32_t track, const bool *wanted) {
  sqlite3_stmt *q = s->own->segment;
  sqlite3_int64 n = sqlite3_column_int64(q, 1);
  StorePiece now = {p->first, (uint32_t)n, sqlite3_column_double(q, 2),
                    sqlite3_column_double(q, 3)};
  const unsigned char *at = sqlite3_column_type(q, 5) == SQLITE_BLOB ? sqlite3_column_blob(q, 5)
                                                                     : NULL;
  const unsigned char *end = at ? at + sqlite3_column_bytes(q, 5) : NULL;
  uint32_t sum;
  if (!at || !store_sound(q, 4) || end - at < (ptrdiff_t)sizeof sum || n < p->n || n > COLUMN_MOST)
    return false;
  memcpy(&sum, at, sizeof sum);
  at += sizeof sum;
  return sum == crc32_z((uint32_t)sqlite3_column_int64(q, 4), at, (size_t)(end - at)) &&
         (track || parse_front(s, &at, end, &now)) &&
         parse_columns(s, track, at, end, now.n, wanted);
}

static bool read_track(Store *s, const StorePiece *p, uint32_t track, const bool *wanted) {
  sqlite3_stmt *q = s->own->segment;
  bool ok = sqlite3_bind_int64(q, 1, (sqlite3_int64)(p->first * STORE_MOST_TRACKS + track)) ==
                SQLITE_OK &&
            sqlite3_step(q) == SQLITE_ROW && parse_track(s, p, track, wanted);
  sqlite3_reset(q);
  return ok;
}

/* Every wanted column is there if it was recorded then, and only then. */
static bool complete(const Store *s, const StorePiece *p, const bool *wanted) {
  for (uint32_t c = 0; c < s->columns.n; c++)
    if ((!wanted || wanted[c]) &&
        (s->columns.at[c].since <= p->first) != (s->own->at.columns[c] != NULL))
      return false;
  return true;
}

bool store_read(Store *s, uint32_t k, const bool *wanted, StorePoints *out, Diags *diags) {
  StoreOwn *o = s->own;
  const StorePiece *p = &o->pieces.at[k];
  bool tracks[STORE_MOST_TRACKS] = {true}, ok = true;
  arena_free(o->piece);
  o->piece = NULL;
  o->piece = arena_new(arena_memory(o->a));
  o->changes.at = NULL, o->changes.n = o->changes.room = 0;
  o->at = (StorePoints){.n = p->n,
                        .time = NEW_ARRAY(o->piece, double, p->n),
                        .kind = NEW_ARRAY(o->piece, RunRowKind, p->n),
                        .step = NEW_ARRAY(o->piece, uint32_t, p->n),
                        .columns = NEW_ARRAY(o->piece, double *, s->columns.n + 1)};
  for (uint32_t c = 0; c < s->columns.n; c++)
    tracks[s->columns.at[c].track] = tracks[s->columns.at[c].track] || !wanted || wanted[c];
  for (uint32_t t = 0; t < o->n_tracks && ok; t++)
    ok = !tracks[t] || read_track(s, p, t, wanted);
  if (!ok || !complete(s, p, wanted))
    return damaged(s, diags,
                   arena_printf(o->piece, "what it holds of time %.9g to %.9g", p->start, p->stop));
  o->at.changes = o->changes.at;
  o->at.n_changes = o->changes.n;
  *out = o->at;
  return true;
}

/* NULL kinds: NaN. */
static double side(sqlite3_stmt *q, int column) {
  return sqlite3_column_type(q, column) == SQLITE_FLOAT ? sqlite3_column_double(q, column) : NAN;
}

bool store_events(Store *s, uint64_t from, StoreEvent *out, uint32_t most, uint32_t *n,
                  Diags *diags) {
  sqlite3_stmt *q = s->own->event;
  sqlite3_int64 last = -1, ordinal = -1;
  int code = SQLITE_DONE;
  bool ok = sqlite3_bind_int64(q, 1, (sqlite3_int64)from) == SQLITE_OK;
  *n = 0;
  while (ok && *n < most && (code = sqlite3_step(q)) == SQLITE_ROW) {
    sqlite3_int64 point = sqlite3_column_int64(q, 0), k = sqlite3_column_int64(q, 1),
                  kind = sqlite3_column_int64(q, 2), number = sqlite3_column_int64(q, 3);
    ok = store_sound(q, 6) && (point > last || (point == last && k > ordinal)) && kind >= 0 &&
         kind <= RUN_NOTE_END && number >= -1 && number <= INT_MAX;
    if (!ok || (uint64_t)point >= s->own->points) /* of points that came after the last look */
      break;
    last = point, ordinal = k;
    out[(*n)++] = (StoreEvent){(uint64_t)point, (RunCauseKind)kind, (int)number, side(q, 4),
                               side(q, 5)};
  }
  ok = ok && (code == SQLITE_DONE || code == SQLITE_ROW);
  if (!ok)
    damaged(s, diags, "the list of events");
  sqlite3_reset(q);
  return ok;
}
