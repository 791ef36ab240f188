/* result/store_read.c -- a store as points again.
 * Keep: a file may be damaged or forged. Only tables of ours are accepted, no part of the file is executed or trusted: every
 *       count, place and length is checked against the sizes that the file itself begins with, every piece has a check sum.
 *       Whatever is wrong is one diagnostic (F002), never a wrong number. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "result/column.h"
#include "result/store_impl.h"

const StoreTable store_tables[STORE_TABLES] = {
    {"about", "CREATE TABLE about(key TEXT PRIMARY KEY, value) WITHOUT ROWID"},
    {"recorded", "CREATE TABLE recorded(id INTEGER PRIMARY KEY, track INTEGER, place INTEGER, since INTEGER, name TEXT)"},
    {"segment", "CREATE TABLE segment(id INTEGER PRIMARY KEY, points INTEGER, start REAL, stop REAL, data BLOB)"},
    {"cause", "CREATE TABLE cause(kind INTEGER, number INTEGER, text TEXT, place TEXT, PRIMARY KEY(kind, number)) WITHOUT ROWID"},
    {"event", "CREATE TABLE event(point INTEGER, ordinal INTEGER, kind INTEGER, number INTEGER, a REAL, b REAL, PRIMARY KEY(point, ordinal)) WITHOUT ROWID"}};

const char *const store_status[RUN_CANCELLED + 1] = {[RUN_OK] = "done",        [RUN_USAGE] = "refused",     [RUN_INIT_FAILED] = "no initial values",
                                                     [RUN_FAILED] = "failed",  [RUN_LIMIT] = "limit",       [RUN_OUTPUT] = "stopped",
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
static const uint64_t most_values = 1u << 28, most_start = (uint64_t)1 << 32, most_changes = (uint64_t)1 << 31;

typedef struct StoreOwn {
  Arena *a;
  sqlite3 *db;
  sqlite3_stmt *segment, *event;
  ColumnCoder *coder;
  VEC(StorePiece) pieces;
  uint64_t points;
  uint32_t n_tracks;
  Arena *piece; /* memory of the piece that was read last */
  uint64_t *words; /* COLUMN_MOST */
  StorePoints at;
  VEC(StoreChange) changes;
} StoreOwn;

/* ---- messages ---- */

static bool refuse(const Store *s, Diags *diags, const char *why) {
  diag_add(diags, D_F002, (Span){0, 0}, "cannot read `%s`: %s", s->path, why);
  return false;
}

static bool damaged(const Store *s, Diags *diags, const char *what) {
  sqlite3 *db = s->own->db;
  int code = db ? sqlite3_errcode(db) & 255 : SQLITE_OK;
  bool busy = code == SQLITE_BUSY || code == SQLITE_LOCKED, broken = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR;
  Diag *d = diag_add(diags, D_F002, (Span){0, 0}, busy ? "cannot read `%s`: %s is being written" : "`%s` is damaged: %s is not as it was written", s->path, what);
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
    return (sqlite3_errcode(db) & 255) == SQLITE_NOTADB ? refuse(s, diags, "it is not a result of NuSim") : damaged(s, diags, "its head");
  if (id != STORE_ID)
    return refuse(s, diags, "it is not a result of NuSim");
  if (version > STORE_VERSION)
    return refuse(s, diags, arena_printf(s->own->a, "it was written by a newer NuSim (format %d; this one knows up to %d)", version, STORE_VERSION));
  if (version < 1)
    return damaged(s, diags, "its version");
  return true;
}

/* Exactly our tables: no views, triggers or others. */
static bool check_tables(Store *s, Diags *diags) {
  sqlite3_stmt *q = NULL;
  uint32_t found = 0, others = 0;
  int code = sqlite3_prepare_v2(s->own->db, "SELECT name, sql FROM sqlite_schema", -1, &q, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(q, 0), *sql = (const char *)sqlite3_column_text(q, 1);
    bool ours = false;
    for (size_t k = 0; k < STORE_TABLES && name && sql; k++)
      ours = ours || (!strcmp(name, store_tables[k].name) && !strcmp(sql, store_tables[k].sql));
    found += ours, others += !ours;
    code = SQLITE_OK;
  }
  sqlite3_finalize(q);
  return (code == SQLITE_DONE && found == STORE_TABLES && !others) || damaged(s, diags, "its list of tables");
}

static bool open_database(Store *s, Diags *diags) {
  StoreOwn *o = s->own;
  FILE *file = fopen(s->path, "rb");
  if (!file)
    return refuse(s, diags, strerror(errno));
  bool empty = fgetc(file) == EOF;
  fclose(file);
  if (empty)
    return refuse(s, diags, "it is empty");
  /* writable, so that the log of a killed run can be put in order; if that is not allowed, as it is */
  int code = sqlite3_open_v2(s->path, &o->db, SQLITE_OPEN_READWRITE, NULL);
  if (code != SQLITE_OK) {
    sqlite3_close(o->db);
    code = sqlite3_open_v2(s->path, &o->db, SQLITE_OPEN_READONLY, NULL);
  }
  if (code != SQLITE_OK)
    return refuse(s, diags, o->db ? sqlite3_errmsg(o->db) : "not enough memory");
  sqlite3_busy_timeout(o->db, 2000);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(o->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_exec(o->db, "PRAGMA cell_size_check=ON; PRAGMA query_only=ON", NULL, NULL, NULL);
  return accept(s, diags) && check_tables(s, diags);
}

/* ---- what it is about ---- */

static sqlite3_stmt *ask(const Store *s, const char *key) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(s->own->db, "SELECT value FROM about WHERE key = ?1", -1, &q, NULL) == SQLITE_OK) {
    sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(q) == SQLITE_ROW)
      return q;
  }
  sqlite3_finalize(q);
  return NULL;
}

static const char *about_text(const Store *s, const char *key) {
  sqlite3_stmt *q = ask(s, key);
  const char *text = q && sqlite3_column_type(q, 0) == SQLITE_TEXT ? (const char *)sqlite3_column_text(q, 0) : NULL;
  const char *out = text ? arena_strdup(s->own->a, text) : NULL;
  sqlite3_finalize(q);
  return out;
}

static double about_real(const Store *s, const char *key) {
  sqlite3_stmt *q = ask(s, key);
  double out = q && sqlite3_column_type(q, 0) == SQLITE_FLOAT ? sqlite3_column_double(q, 0) : NAN;
  sqlite3_finalize(q);
  return out;
}

static bool about_number(const Store *s, const char *key, uint64_t most, uint64_t *out) {
  sqlite3_stmt *q = ask(s, key);
  bool ok = q && sqlite3_column_type(q, 0) == SQLITE_INTEGER && sqlite3_column_int64(q, 0) >= 0;
  *out = ok ? (uint64_t)sqlite3_column_int64(q, 0) : 0;
  sqlite3_finalize(q);
  return ok && *out <= most;
}

static bool read_status(Store *s) {
  const char *status = about_text(s, "status");
  s->ended = false;
  for (RunStatus k = RUN_OK; status && k <= RUN_CANCELLED; k++)
    if (!strcmp(status, store_status[k]))
      s->ended = true, s->status = k;
  return status && (s->ended || !strcmp(status, "running"));
}

static bool read_about(Store *s, Diags *diags) {
  uint64_t crc, intervals;
  s->class_name = about_text(s, "class");
  s->version = about_text(s, "program");
  s->solver = about_text(s, "solver");
  s->model = about_text(s, "model");
  s->start = about_real(s, "start"), s->stop = about_real(s, "stop"), s->rtol = about_real(s, "rtol");
  const char *names = about_text(s, "selected");
  bool ok = s->class_name && s->version && s->solver && s->model && names && isfinite(s->start) && isfinite(s->stop) && s->rtol > 0 &&
            about_number(s, "intervals", UINT32_MAX, &intervals) && about_number(s, "model_crc", UINT32_MAX, &crc) && read_status(s);
  if (!ok || s->stop < s->start || crc != crc32(0, (const unsigned char *)s->model, (uInt)strlen(s->model)))
    return damaged(s, diags, ok ? "the text of the model" : "the description of the run");
  s->intervals = (uint32_t)intervals;
  uint32_t n = 0;
  for (const char *c = names; *c; c++)
    n += *c == '\n';
  s->selected = NEW_ARRAY(s->own->a, const char *, n + 1);
  for (const char *c = names, *stop; (stop = strchr(c, '\n')) != NULL; c = stop + 1)
    s->selected[s->n_selected++] = arena_strndup(s->own->a, c, (size_t)(stop - c));
  return true;
}

/* ---- values at the first point ---- */

static const void *take(const unsigned char **at, const unsigned char *end, uint64_t n, size_t size) {
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
  const void *r = take(&at, end, sizes[0], 8), *i = r ? take(&at, end, sizes[1], 8) : NULL, *rel = i ? take(&at, end, sizes[3], 1) : NULL;
  if (!rel)
    return false;
  s->n_real = (uint32_t)sizes[0], s->n_integer = (uint32_t)sizes[1], s->n_string = (uint32_t)sizes[2], s->n_relations = (uint32_t)sizes[3];
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

static bool check_sum(const unsigned char *at, size_t n) {
  uint32_t crc;
  if (n < sizeof crc || n > UINT32_MAX)
    return false;
  memcpy(&crc, at, sizeof crc);
  return crc == crc32(0, at + sizeof crc, (uInt)(n - sizeof crc));
}

/* There are none before the first point. */
static bool read_start(Store *s, Diags *diags) {
  if (s->r || !s->own->points)
    return true;
  sqlite3_stmt *q = ask(s, "values");
  const unsigned char *at = q ? sqlite3_column_blob(q, 0) : NULL, *end = at ? at + sqlite3_column_bytes(q, 0) : NULL;
  size_t n = 0;
  bool ok = at && end - at > 4;
  uint32_t crc = 0;
  if (ok)
    memcpy(&crc, at, sizeof crc), at += sizeof crc;
  const unsigned char *raw = ok ? column_unpack(s->own->coder, &at, end, most_start, &n) : NULL;
  ok = raw && crc == crc32(0, raw, (uInt)n) && unpack_start(s, raw, raw + n);
  sqlite3_finalize(q);
  return ok || damaged(s, diags, "the values at the start");
}

/* ---- lists ---- */

static bool read_columns(Store *s, Diags *diags) {
  sqlite3_stmt *q = NULL;
  s->columns.n = 0;
  int code = sqlite3_prepare_v2(s->own->db, "SELECT id, track, place, since, name FROM recorded ORDER BY id", -1, &q, NULL);
  bool ok = code == SQLITE_OK;
  while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
    sqlite3_int64 id = sqlite3_column_int64(q, 0), track = sqlite3_column_int64(q, 1), place = sqlite3_column_int64(q, 2), since = sqlite3_column_int64(q, 3);
    const char *name = (const char *)sqlite3_column_text(q, 4);
    ok = id == s->columns.n && track >= 0 && track < STORE_MOST_TRACKS && place >= 0 && place < (sqlite3_int64)most_values && since >= 0 && name;
    if (ok)
      vec_push(s->own->a, &s->columns, (StoreColumn){(uint32_t)track, (uint32_t)place, (uint64_t)since, arena_strdup(s->own->a, name)});
    if (ok && (uint32_t)track >= s->own->n_tracks)
      s->own->n_tracks = (uint32_t)track + 1;
  }
  sqlite3_finalize(q);
  return (ok && code == SQLITE_DONE) || damaged(s, diags, "the list of columns");
}

static bool read_causes(Store *s, Diags *diags) {
  sqlite3_stmt *q = NULL;
  int code = sqlite3_prepare_v2(s->own->db, "SELECT kind, number, text, place FROM cause ORDER BY kind, number", -1, &q, NULL);
  bool ok = code == SQLITE_OK;
  while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
    sqlite3_int64 kind = sqlite3_column_int64(q, 0), number = sqlite3_column_int64(q, 1);
    const char *text = (const char *)sqlite3_column_text(q, 2), *place = (const char *)sqlite3_column_text(q, 3);
    ok = kind >= 0 && kind <= RUN_CAUSE_TIME && number >= 0 && number < INT_MAX && text && place;
    if (ok)
      vec_push(s->own->a, &s->causes, (StoreCause){(RunCauseKind)kind, (uint32_t)number, arena_strdup(s->own->a, text), arena_strdup(s->own->a, place)});
  }
  sqlite3_finalize(q);
  return (ok && code == SQLITE_DONE) || damaged(s, diags, "the list of causes");
}

/* Pieces follow each other without a gap, and so do their times. */
static bool read_pieces(Store *s, Diags *diags) {
  StoreOwn *o = s->own;
  sqlite3_stmt *q = NULL;
  o->pieces.n = 0;
  o->points = 0;
  int code = sqlite3_prepare_v2(o->db, "SELECT id, points, start, stop FROM segment ORDER BY id", -1, &q, NULL);
  bool ok = code == SQLITE_OK;
  sqlite3_int64 before = -1;
  double time = -INFINITY;
  while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
    sqlite3_int64 id = sqlite3_column_int64(q, 0), n = sqlite3_column_int64(q, 1);
    if (id % STORE_MOST_TRACKS == 0) {
      double start = sqlite3_column_double(q, 2), stop = sqlite3_column_double(q, 3);
      ok = id / STORE_MOST_TRACKS == (sqlite3_int64)o->points && n > 0 && n <= COLUMN_MOST && start >= time && stop >= start;
      time = stop;
      if (ok)
        vec_push(o->a, &o->pieces, (StorePiece){o->points, (uint32_t)n, start, stop});
      o->points += ok ? (uint64_t)n : 0;
    } else
      ok = id == before + 1 && o->pieces.n && n == vec_last(&o->pieces).n;
    before = id;
  }
  sqlite3_finalize(q);
  return (ok && code == SQLITE_DONE) || damaged(s, diags, "the list of segments");
}

/* Everything but numbers, in one state of the file. */
static bool look(Store *s, Diags *diags) {
  StoreOwn *o = s->own;
  bool ok = sqlite3_exec(o->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
  ok = ok ? read_columns(s, diags) && read_pieces(s, diags) && read_start(s, diags) : damaged(s, diags, "its log");
  for (uint32_t k = 0; ok && k < s->columns.n && o->points; k++)
    ok = s->columns.at[k].place < s->n_real || damaged(s, diags, "the list of columns");
  ok = ok && (read_status(s) || damaged(s, diags, "the description of the run"));
  sqlite3_exec(o->db, "COMMIT", NULL, NULL, NULL);
  return ok;
}

Store *store_open(const char *path, Arena *a, Diags *diags) {
  Store *s = NEW(a, Store);
  StoreOwn *o = s->own = NEW(a, StoreOwn);
  s->path = arena_strdup(a, path);
  o->a = a;
  o->coder = column_coder_new(a);
  o->words = NEW_ARRAY(a, uint64_t, COLUMN_MOST);
  o->n_tracks = 1;
  if (!o->coder)
    refuse(s, diags, "not enough memory");
  bool ok = o->coder && open_database(s, diags) && read_about(s, diags) && look(s, diags) && read_causes(s, diags);
  ok = ok && sqlite3_prepare_v2(o->db, "SELECT data FROM segment WHERE id = ?1", -1, &o->segment, NULL) == SQLITE_OK &&
       sqlite3_prepare_v2(o->db, "SELECT point, kind, number, a, b FROM event WHERE point >= ?1 ORDER BY point, ordinal", -1, &o->event, NULL) == SQLITE_OK;
  if (ok)
    return s;
  store_close(s);
  return NULL;
}

void store_close(Store *s) {
  if (!s)
    return;
  sqlite3_finalize(s->own->segment);
  sqlite3_finalize(s->own->event);
  sqlite3_close(s->own->db);
  column_coder_free(s->own->coder);
}

bool store_refresh(Store *s, Diags *diags) { return look(s, diags); }

const StorePiece *store_pieces(const Store *s, uint32_t *n) {
  *n = s->own->pieces.n;
  return s->own->pieces.at;
}

uint64_t store_points(const Store *s) { return s->own->points; }

/* ---- points ---- */

static bool parse_change(const Store *s, const unsigned char **at, const unsigned char *end, StoreChange *c) {
  const uint32_t sizes[] = {[STORE_REAL] = s->n_real, [STORE_INTEGER] = s->n_integer, [STORE_STRING] = s->n_string, [STORE_RELATION] = s->n_relations};
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

static bool parse_changes(Store *s, const unsigned char *at, size_t n, uint32_t points) {
  StoreOwn *o = s->own;
  const unsigned char *end = at + n;
  uint64_t point = 0, ahead;
  o->changes.n = 0;
  while (at < end) {
    StoreChange c;
    if (!column_get_number(&at, end, &ahead) || ahead >= points || (point += ahead) >= points || !parse_change(s, &at, end, &c))
      return false;
    c.point = (uint32_t)point;
    vec_push(o->piece, &o->changes, c);
  }
  return true;
}

/* Time, kinds and changes at the front of track 0. */
static bool parse_front(Store *s, const unsigned char **at, const unsigned char *end, const StorePiece *p) {
  StoreOwn *o = s->own;
  uint32_t n = p->n;
  size_t size;
  if (!column_decode(o->coder, at, end, o->words, n))
    return false;
  for (uint32_t k = 0; k < n; k++) {
    o->at.time[k] = column_to_real(o->words[k]);
    if (!(o->at.time[k] >= (k ? o->at.time[k - 1] : p->start)) || o->at.time[k] > p->stop)
      return false;
  }
  if (!column_decode(o->coder, at, end, o->words, n))
    return false;
  for (uint32_t k = 0; k < n; k++) {
    o->at.kind[k] = (RunRowKind)(o->words[k] & 3);
    if (o->words[k] >> 2 > UINT32_MAX)
      return false;
    o->at.step[k] = (uint32_t)(o->words[k] >> 2);
  }
  const unsigned char *bytes = column_unpack(o->coder, at, end, most_changes, &size);
  return bytes && parse_changes(s, bytes, size, n);
}

static bool parse_columns(Store *s, uint32_t track, const unsigned char *at, const unsigned char *end, uint32_t n, const bool *wanted) {
  StoreOwn *o = s->own;
  while (at < end) {
    uint64_t id;
    uint32_t length;
    if (!column_get_number(&at, end, &id) || id >= s->columns.n || s->columns.at[id].track != track || end - at < 4)
      return false;
    memcpy(&length, at, sizeof length);
    at += sizeof length;
    if (length > (size_t)(end - at))
      return false;
    const unsigned char *stop = at + length;
    if (!wanted || wanted[id]) {
      if (!column_decode(o->coder, &at, stop, o->words, n) || at != stop)
        return false;
      double *out = NEW_ARRAY(o->piece, double, n);
      for (uint32_t k = 0; k < n; k++)
        out[k] = column_to_real(o->words[k]);
      o->at.columns[id] = out;
    }
    at = stop;
  }
  return true;
}

/* One track of a piece. */
static bool read_track(Store *s, const StorePiece *p, uint32_t track, const bool *wanted) {
  StoreOwn *o = s->own;
  sqlite3_bind_int64(o->segment, 1, (sqlite3_int64)(p->first * STORE_MOST_TRACKS + track));
  bool ok = sqlite3_step(o->segment) == SQLITE_ROW && sqlite3_column_type(o->segment, 0) == SQLITE_BLOB;
  const unsigned char *at = ok ? sqlite3_column_blob(o->segment, 0) : NULL, *end = at ? at + sqlite3_column_bytes(o->segment, 0) : NULL;
  ok = at && check_sum(at, (size_t)(end - at));
  if (ok)
    at += sizeof(uint32_t);
  ok = ok && (track || parse_front(s, &at, end, p)) && parse_columns(s, track, at, end, p->n, wanted);
  sqlite3_reset(o->segment);
  return ok;
}

/* Every wanted column that was recorded then is there. */
static bool complete(const Store *s, const StorePiece *p, const bool *wanted) {
  for (uint32_t c = 0; c < s->columns.n; c++)
    if ((!wanted || wanted[c]) && s->columns.at[c].since <= p->first && !s->own->at.columns[c])
      return false;
  return true;
}

bool store_read(Store *s, uint32_t k, const bool *wanted, StorePoints *out, Diags *diags) {
  StoreOwn *o = s->own;
  const StorePiece *p = &o->pieces.at[k];
  bool tracks[STORE_MOST_TRACKS] = {true}, ok = true;
  arena_free(o->piece);
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
    return damaged(s, diags, arena_printf(o->piece, "what it holds of time %.9g to %.9g", p->start, p->stop));
  o->at.changes = o->changes.at;
  o->at.n_changes = o->changes.n;
  *out = o->at;
  return true;
}

uint32_t store_events(Store *s, uint64_t from, StoreEvent *out, uint32_t most) {
  sqlite3_stmt *q = s->own->event;
  uint32_t n = 0;
  sqlite3_bind_int64(q, 1, (sqlite3_int64)from);
  while (n < most && sqlite3_step(q) == SQLITE_ROW) {
    sqlite3_int64 point = sqlite3_column_int64(q, 0), kind = sqlite3_column_int64(q, 1), number = sqlite3_column_int64(q, 2);
    if (point < 0 || (uint64_t)point >= s->own->points || kind < 0 || kind > RUN_CAUSE_TIME || number < -1 || number > INT_MAX)
      continue;
    bool a = sqlite3_column_type(q, 3) == SQLITE_FLOAT, b = sqlite3_column_type(q, 4) == SQLITE_FLOAT;
    out[n++] = (StoreEvent){(uint64_t)point, (RunCauseKind)kind, (int)number, a ? sqlite3_column_double(q, 3) : NAN, b ? sqlite3_column_double(q, 4) : NAN};
  }
  sqlite3_reset(q);
  return n;
}
