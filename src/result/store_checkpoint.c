/* result/store_checkpoint.c -- where a run can go on: written now and then, read, and taken over by
 * the store of the run that goes on. What: bytes of the run (run_checkpoint), behind those of the
 * writer: the values to which its next changes refer.
 * How:  a row of the table `checkpoint` in the transaction that has the points in front of it. The
 *       last one replaces the one before, but every so many stay, so that there are a few dozen
 *       from the whole run.
 *       A run that goes on writes a new file, which begins with the points of the old one up to the
 *       checkpoint and takes its name only when it is whole: at any time there is one that can be
 *       read.
 * Keep: the points in front of a checkpoint are those that the run had made then, to the last
 * one. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/tape.h"
#include "base/limits.h"
#include "result/store_impl.h"

static const double most_cost = 0.05; /* part of the time that may go into checkpoints */
static const uint64_t most_raw = (uint64_t)1 << 32;

/* ---- writing ---- */

bool store_wants_checkpoint(const StoreWriter *w) {
  double passed = store_now() - w->checked;
  return !w->error && passed >= w->check_interval &&
         (w->check_interval == 0 || passed * most_cost >= w->check_cost);
}

bool store_has_checkpoint(const StoreWriter *w) { return w->checks.n > 0; }

/* What the writer itself needs to go on. Texts follow, each with a 0. */
static void walk(StoreWriter *w, Tape *t, uint32_t *n_columns) {
  tape_value(t, w->n_singular), tape_value(t, *n_columns), tape_value(t, w->n_events);
  tape_array(t, w->watched_last, w->n_watched);
  tape_array(t, w->i_last, w->m->n_integer), tape_array(t, w->relation_last, w->m->n_relations);
}

static void drop(StoreWriter *w, uint32_t k) {
  store_execute(w, arena_printf(w->a, "DELETE FROM checkpoint WHERE point = %llu",
                                (unsigned long long)w->checks.at[k].point));
  memmove(&w->checks.at[k], &w->checks.at[k + 1], (w->checks.n - k - 1) * sizeof *w->checks.at);
  w->checks.n--;
}

/* Room for another one. */
static void thin_out(StoreWriter *w, uint64_t point, size_t size) {
  if (w->checks.n && (w->since_kept > 0 || vec_last(&w->checks).point == point))
    drop(w, w->checks.n - 1);
  w->since_kept = w->since_kept + 1 >= w->stride ? 0 : w->since_kept + 1;
  size_t all = size;
  for (uint32_t k = 0; k < w->checks.n; k++)
    all += w->checks.at[k].size;
  if (w->checks.n < MOST_CHECKPOINTS && all <= MOST_CHECKPOINT_BYTES)
    return;
  for (uint32_t k = 0; k < w->checks.n; k++)
    drop(w, k);
  w->stride *= 2;
}

static size_t put_row(StoreWriter *w, uint64_t point, const Text *raw, Arena *a) {
  Text data = {.arena = a};
  uint32_t sum = 0;
  /* Of what follows, begun with that of the columns in front */
  text_addn(&data, (const char *)&sum, sizeof sum);
  column_pack(w->coder, text_str(raw), raw->n, &data);
  StoreEntry e = store_entry(w->put_checkpoint);
  store_add_integer(&e, (int64_t)point);
  store_add_real(&e, w->last_time);
  store_add_sum(&e);
  sum = (uint32_t)crc32_z(e.sum, (const unsigned char *)data.at + sizeof sum, data.n - sizeof sum);
  memcpy(data.at, &sum, sizeof sum);
  store_add_bytes(&e, data.at, data.n, false);
  errno = 0;
  if (!w->error)
    store_check(w, store_put(&e));
  return data.n;
}

/* Numbers of bytes in front: those of the writer, and of its texts. */
void store_checkpoint(StoreWriter *w, const void *bytes, size_t n) {
  if (w->error)
    return;
  double begun = store_now();
  uint64_t point = w->first + w->n;
  uint32_t columns = w->columns.n;
  Arena *a = arena_new(arena_memory(w->a));
  Text raw = {.arena = a};
  Tape t = {.way = TAPE_COUNT};
  walk(w, &t, &columns);
  unsigned char *own = NEW_ARRAY(a, unsigned char, t.n + 1);
  t = (Tape){.way = TAPE_WRITE, .at = own, .size = t.n};
  walk(w, &t, &columns);
  column_put_number(&raw, t.n);
  text_addn(&raw, (const char *)own, t.n);
  for (int k = 0; k < w->m->n_string; k++)
    text_addn(&raw, text_str(&w->s_last[k]), strlen(text_str(&w->s_last[k])) + 1);
  text_addn(&raw, bytes, n);
  thin_out(w, point, raw.n);
  size_t size = put_row(w, point, &raw, a);
  vec_push(w->a, &w->checks, ((StoreCheck){point, size}));
  store_put_piece(w, false);
  store_commit(w);
  arena_free(a);
  w->checked = store_now();
  w->check_cost = w->checked - begun;
}

/* ---- reading ---- */

static bool unpack(Store *s, sqlite3_stmt *q, Arena *a, StoreCheckpoint *out) {
  const unsigned char *at = sqlite3_column_type(q, 3) == SQLITE_BLOB ? sqlite3_column_blob(q, 3)
                                                                     : NULL;
  const unsigned char *end = at ? at + sqlite3_column_bytes(q, 3) : NULL;
  uint32_t sum;
  size_t n;
  if (!at || !store_sound(q, 2) || end - at < (ptrdiff_t)sizeof sum)
    return false;
  memcpy(&sum, at, sizeof sum);
  at += sizeof sum;
  if (sum != crc32_z((uint32_t)sqlite3_column_int64(q, 2), at, (size_t)(end - at)))
    return false;
  const unsigned char *raw = column_unpack(s->own->coder, &at, end, most_raw, &n);
  if (!raw || at != end)
    return false;
  unsigned char *copy = NEW_ARRAY(a, unsigned char, n + 1);
  memcpy(copy, raw, n);
  *out = (StoreCheckpoint){.point = (uint64_t)sqlite3_column_int64(q, 0),
                           .time = sqlite3_column_double(q, 1),
                           .bytes = copy,
                           .n = n};
  return true;
}

/* Where the bytes of the run begin: behind the numbers and texts of the writer. */
static bool find_run(const Store *s, StoreCheckpoint *c) {
  const unsigned char *at = c->bytes, *end = at + c->n;
  uint64_t size;
  if (!column_get_number(&at, end, &size) || size > (uint64_t)(end - at))
    return false;
  at += size;
  for (uint32_t k = 0; k < s->n_string && at; k++) {
    at = memchr(at, 0, (size_t)(end - at));
    at = at ? at + 1 : NULL;
  }
  c->run = at;
  c->n_run = at ? (size_t)(end - at) : 0;
  return at != NULL;
}

bool store_checkpoint_before(Store *s, double time, Arena *a, StoreCheckpoint *out, Diags *diags) {
  sqlite3_stmt *q = NULL;
  if (store_pragma(s->own->db, "user_version") < STORE_WITH_CHECKPOINTS)
    return false;
  bool ok = sqlite3_prepare_v2(s->own->db,
                               "SELECT point, time, crc, data FROM checkpoint WHERE time <= ?1 AND "
                               "point <= ?2 ORDER BY point DESC LIMIT 1",
                               -1, &q, NULL) == SQLITE_OK &&
            sqlite3_bind_double(q, 1, time) == SQLITE_OK &&
            sqlite3_bind_int64(q, 2, (sqlite3_int64)s->own->points) == SQLITE_OK;
  int code = ok ? sqlite3_step(q) : SQLITE_ERROR;
  bool found = code == SQLITE_ROW, sound = found && unpack(s, q, a, out) && find_run(s, out);
  sqlite3_finalize(q);
  if (sound || code == SQLITE_DONE)
    return sound;
  diag_add(diags, D_F002, (Span){0, 0}, "`%s` is damaged: its checkpoint is not as it was written",
           s->path);
  return false;
}

/* ---- taking over ---- */

static bool read_own(StoreWriter *w, const StoreCheckpoint *c, uint32_t *n_columns) {
  const unsigned char *at = c->bytes;
  uint64_t size = 0;
  column_get_number(&at, c->bytes + c->n, &size);
  Tape t = {.way = TAPE_READ, .at = (unsigned char *)(uintptr_t)at, .size = (size_t)size};
  walk(w, &t, n_columns);
  const char *text = (const char *)at + size;
  for (int k = 0; k < w->m->n_string; k++) {
    w->s_last[k] = (Text){.arena = w->a};
    text_addn(&w->s_last[k], text, strlen(text));
    text += strlen(text) + 1;
  }
  return !t.bad && t.n == t.size;
}

/* Rows of a table as they are, with their sums. */
static bool copy_rows(StoreWriter *w, Store *past, const char *from, const char *to, int columns) {
  sqlite3_stmt *in = NULL, *out = NULL;
  int code = SQLITE_ERROR;
  if (sqlite3_prepare_v2(past->own->db, from, -1, &in, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(w->db, to, -1, &out, NULL) == SQLITE_OK)
    code = SQLITE_OK;
  while (code == SQLITE_OK && (code = sqlite3_step(in)) == SQLITE_ROW) {
    code = SQLITE_OK;
    for (int k = 0; k < columns && code == SQLITE_OK; k++)
      code = sqlite3_bind_value(out, k + 1, sqlite3_column_value(in, k));
    if (code == SQLITE_OK)
      code = sqlite3_step(out) == SQLITE_DONE ? sqlite3_reset(out) : SQLITE_ERROR;
  }
  sqlite3_finalize(in);
  store_check(w, code == SQLITE_DONE || sqlite3_errcode(w->db) == SQLITE_OK ||
                     sqlite3_errcode(w->db) == SQLITE_DONE);
  sqlite3_finalize(out);
  return code == SQLITE_DONE;
}

static bool copy_tables(StoreWriter *w, Store *past, uint64_t pieces, const StoreCheckpoint *at) {
  Arena *a = w->a;
  unsigned long long first = (unsigned long long)pieces * STORE_MOST_TRACKS,
                     point = (unsigned long long)at->point;
  return copy_rows(w, past, "SELECT key, value, crc FROM about WHERE key IN ('values', 'set')",
                   "INSERT OR REPLACE INTO about VALUES(?1, ?2, ?3)", 3) &&
         copy_rows(w, past,
                   arena_printf(a,
                                "SELECT id, points, start, stop, crc, data FROM segment WHERE id < "
                                "%llu ORDER BY id",
                                first),
                   "INSERT INTO segment VALUES(?1, ?2, ?3, ?4, ?5, ?6)", 6) &&
         copy_rows(w, past,
                   arena_printf(a,
                                "SELECT point, ordinal, kind, number, a, b, crc FROM event WHERE "
                                "point < %llu ORDER BY point, ordinal",
                                point),
                   "INSERT INTO event VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", 7) &&
         copy_rows(
             w, past,
             arena_printf(
                 a,
                 "SELECT point, time, crc, data FROM checkpoint WHERE point <= %llu ORDER BY point",
                 point),
             "INSERT INTO checkpoint VALUES(?1, ?2, ?3, ?4)", 4);
}

static void put_again(StoreWriter *w, const StoreChange *c) {
  store_put_change(w, c->bank, c->place);
  switch (c->bank) {
  case STORE_REAL: text_addn(&w->changes, (const char *)&c->value.r, sizeof c->value.r); break;
  case STORE_INTEGER: column_put_number(&w->changes, column_fold(c->value.i)); break;
  case STORE_STRING: text_addn(&w->changes, c->value.s, strlen(c->value.s) + 1); break;
  case STORE_RELATION: text_char(&w->changes, (char)c->value.i); break;
  }
}

/* The first n points of a piece wait again. */
static bool wait_again(StoreWriter *w, Store *past, uint32_t piece, uint32_t n) {
  StorePoints p;
  Diags *unheard = diags_new(w->a, NULL);
  if (n > w->most || !store_read(past, piece, NULL, &p, unheard))
    return false;
  for (uint32_t k = 0, c = 0; k < n; k++, w->n++) {
    for (; c < p.n_changes && p.changes[c].point == k; c++)
      put_again(w, &p.changes[c]);
    w->time[k] = p.time[k];
    w->meta[k] = (uint64_t)p.step[k] << 2 | p.kind[k];
    for (uint32_t q = 0; q < w->columns.n; q++)
      w->rows[(size_t)k * w->columns.n + q] = p.columns[q] ? p.columns[q][k] : 0;
  }
  return true;
}

/* Unknowns that were recorded later, since a linear system was singular. */
static bool add_columns(StoreWriter *w, const Store *past, uint32_t n) {
  if (n < w->columns.n || n > past->columns.n)
    return false;
  for (uint32_t k = w->columns.n; k < n; k++) {
    w->first = past->columns.at[k].since;
    store_add_column(w, past->columns.at[k].track, past->columns.at[k].place,
                     past->columns.at[k].name);
  }
  w->rows = NEW_ARRAY(w->a, double, (size_t)w->most * w->columns.n + 1);
  return true;
}

static void list_checkpoints(StoreWriter *w) {
  sqlite3_stmt *q = NULL;
  if (sqlite3_prepare_v2(w->db, "SELECT point, length(data) FROM checkpoint ORDER BY point", -1, &q,
                         NULL) == SQLITE_OK)
    while (sqlite3_step(q) == SQLITE_ROW)
      vec_push(
          w->a, &w->checks,
          ((StoreCheck){(uint64_t)sqlite3_column_int64(q, 0), (size_t)sqlite3_column_int64(q, 1)}));
  sqlite3_finalize(q);
  while (w->stride * MOST_CHECKPOINTS < w->checks.n)
    w->stride *= 2;
}

void store_take_over(StoreWriter *w, Store *past, const StoreCheckpoint *at) {
  uint32_t n = 0, piece = 0, columns = 0;
  const StorePiece *pieces = store_pieces(past, &n);
  while (piece < n && pieces[piece].first + pieces[piece].n <= at->point)
    piece++;
  uint64_t first = piece < n ? pieces[piece].first : at->point;
  bool ok = read_own(w, at, &columns) && add_columns(w, past, columns) &&
            copy_tables(w, past, first, at);
  w->first = first;
  ok = ok && (first == at->point || wait_again(w, past, piece, (uint32_t)(at->point - first)));
  if (!ok && !w->error)
    w->error = "what it goes on from is damaged";
  w->last_time = at->time;
  list_checkpoints(w);
  store_put_piece(w, false);
}
