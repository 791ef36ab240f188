/* tests/fuzz/fuzz_store.c -- any bytes as a stored result: opening it and reading everything must
 * be safe and end soon. The first byte says how the others are used: 0, they are the file; else
 * they are parts that replace those of a sound file, with right check sums, so that the readers
 * behind the sums are tried: what (1 byte), length (2 bytes), bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "nusim.h"
#include "result/store_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_LIMIT = 256 << 20, LONGEST = 100000, POINTS = 28 };

static const char sound_model[] = "model F\n  Real x(start = 1.0, fixed = true);\n  Real y(start = "
                                  "1.0, fixed = true);\n  Real z;\n"
                                  "  Integer n(start = 0, fixed = true);\n  String s(start = \"\", "
                                  "fixed = true);\nequation\n  z = x + n;\n"
                                  "  der(x) = -x;\n  der(y) = if n > 1 then 1 else -2;\n  when {y "
                                  "< 0.5, x < 0.3} then\n    n = pre(n) + 1;\n"
                                  "    s = \"n\" + String(n, minimumLength = 0, leftJustified = "
                                  "true);\n    reinit(y, 1.0);\n  end when;\nend F;\n";

/* ---- the file ---- */

static const char *file_name(void) {
  static char name[64];
  if (!*name)
    snprintf(name, sizeof name, "%s/fuzz_store.%ld.nus",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (long)getpid());
  return name;
}

static void clear(void) {
  static const char *const ends[] = {"", "-wal", "-shm", "-journal", "-lock"};
  char name[100];
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    snprintf(name, sizeof name, "%s%s", file_name(), ends[k]);
    unlink(name);
  }
}

static bool write_file(const uint8_t *bytes, size_t n) {
  FILE *f = fopen(file_name(), "wb");
  bool ok = f && fwrite(bytes, 1, n, f) == n;
  return f && fclose(f) == 0 && ok;
}

typedef enum {
  PART_VALUES,
  PART_DATA,
  PART_DATA_1,
  PART_DATA_2,
  PART_MODEL,
  PART_EVENT,
  PART_RECORDED,
  PART_SEGMENT,
  PARTS
} Part;

static sqlite3_stmt *insert(sqlite3 *db, const char *table, int columns) {
  char sql[100];
  sqlite3_stmt *s = NULL;
  int n = snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO %s VALUES(?1", table);
  for (int k = 2; k <= columns; k++)
    n += snprintf(sql + n, sizeof sql - (size_t)n, ", ?%d", k);
  snprintf(sql + n, sizeof sql - (size_t)n, ")");
  sqlite3_prepare_v2(db, sql, -1, &s, NULL);
  return s;
}

static void put(StoreEntry *e) {
  store_add_sum(e);
  store_put(e);
  sqlite3_finalize(e->s);
}

static void about(sqlite3 *db, const char *key, const char *text, const uint8_t *bytes, size_t n) {
  StoreEntry e = store_entry(insert(db, "about", 3));
  store_add_text(&e, key);
  if (text)
    store_add_text(&e, text);
  else
    store_add_bytes(&e, bytes, n, true);
  put(&e);
}

static void about_number(sqlite3 *db, const char *key, double real, int64_t whole) {
  StoreEntry e = store_entry(insert(db, "about", 3));
  store_add_text(&e, key);
  if (whole < 0)
    store_add_real(&e, real);
  else
    store_add_integer(&e, whole);
  put(&e);
}

static void segment(sqlite3 *db, int64_t id, int64_t points, double start, double stop,
                    const uint8_t *bytes, size_t n) {
  StoreEntry e = store_entry(insert(db, "segment", 6));
  store_add_integer(&e, id);
  store_add_integer(&e, points);
  store_add_real(&e, start);
  store_add_real(&e, stop);
  store_add_sum(&e);
  uint8_t *data = malloc(n + 4);
  uint32_t sum = (uint32_t)crc32_z(e.sum, bytes, n);
  memcpy(data, &sum, 4);
  if (n)
    memcpy(data + 4, bytes, n);
  store_add_bytes(&e, data, n + 4, false);
  store_put(&e);
  sqlite3_finalize(e.s);
  free(data);
}

/* Whole numbers from bytes, 0 when there are no more. */
static int64_t number(const uint8_t **at, const uint8_t *end) {
  int64_t value = 0;
  if (*at >= end)
    return 0;
  uint8_t head = *(*at)++;
  if (head < 250)
    return head;
  for (int k = 0; k < 8 && *at < end; k++)
    value = (int64_t)((uint64_t)value << 8 | *(*at)++);
  return value;
}

static void row_part(sqlite3 *db, Part part, const uint8_t *at, const uint8_t *end) {
  static const char *const tables[PARTS] = {[PART_EVENT] = "event", [PART_RECORDED] = "recorded"};
  if (part == PART_SEGMENT) {
    int64_t id = number(&at, end), n = number(&at, end);
    double start = (double)number(&at, end), stop = (double)number(&at, end);
    segment(db, id, n, start, stop, at, (size_t)(end - at));
    return;
  }
  StoreEntry e = store_entry(insert(db, tables[part], part == PART_EVENT ? 7 : 6));
  for (int k = 0; k < 4; k++)
    store_add_integer(&e, number(&at, end));
  char *name = strndup((const char *)at, (size_t)(end - at));
  if (part == PART_EVENT)
    store_add_real(&e, (double)number(&at, end)), store_add_real(&e, (double)number(&at, end));
  else
    store_add_text(&e, name);
  put(&e);
  free(name);
}

static void recorded(sqlite3 *db, int64_t id, int64_t track, const char *name) {
  StoreEntry e = store_entry(insert(db, "recorded", 6));
  store_add_integer(&e, id);
  store_add_integer(&e, track);
  store_add_integer(&e, id);
  store_add_integer(&e, 0);
  store_add_text(&e, name);
  put(&e);
}

static void describe(sqlite3 *db) {
  about(db, "program", "nusim", NULL, 0);
  about(db, "class", "F", NULL, 0);
  about(db, "solver", "rk45", NULL, 0);
  about(db, "model", sound_model, NULL, 0);
  about(db, "selected", "", NULL, 0);
  about(db, "quoted", "", NULL, 0);
  about(db, "status", "running", NULL, 0);
  about_number(db, "start", 0, -1);
  about_number(db, "stop", 1, -1);
  about_number(db, "rtol", 1e-6, -1);
  about_number(db, "intervals", 0, 20);
  recorded(db, 0, 1, "x");
  recorded(db, 1, 2, "y");
}

static bool write_parts(const uint8_t *at, const uint8_t *end) {
  sqlite3 *db = NULL;
  char text[200];
  if (sqlite3_open(file_name(), &db) != SQLITE_OK)
    return false;
  snprintf(text, sizeof text,
           "PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; PRAGMA "
           "application_id=%d; PRAGMA user_version=%d",
           STORE_ID, STORE_VERSION);
  sqlite3_exec(db, text, NULL, NULL, NULL);
  for (size_t k = 0; k < STORE_TABLES; k++)
    sqlite3_exec(db, store_tables[k].sql, NULL, NULL, NULL);
  describe(db);
  while (end - at >= 3) {
    Part part = (Part)(at[0] % PARTS);
    size_t n = (size_t)at[1] | (size_t)at[2] << 8;
    at += 3;
    n = n < (size_t)(end - at) ? n : (size_t)(end - at);
    if (part == PART_VALUES)
      about(db, "values", NULL, at, n);
    else if (part <= PART_DATA_2)
      segment(db, (int64_t)part - PART_DATA, POINTS, 0, 1, at, n);
    else if (part == PART_MODEL) {
      char *model = strndup((const char *)at, n);
      about(db, "model", model, NULL, 0);
      free(model);
    } else
      row_part(db, part, at, at + n);
    at += n;
  }
  sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  return sqlite3_close(db) == SQLITE_OK;
}

/* ---- reading ---- */

static unsigned said;
static void hear(void *user, const NuDiagnostic *d) {
  (void)user;
  char *text = nu_diagnostic_text(d, false);
  said += text && d->severity == NU_ERROR;
  nu_free(text);
}

static bool take(void *user, double time, const double *values) {
  (void)time, (void)values;
  return ++*(unsigned *)user < 100000;
}

/* Whatever is not OK has been said. */
static void told(NuStatus status) {
  if (status != NU_OK && status != NU_INTERRUPTED && !said)
    abort();
}

/* Spans follow each other, and name values that there are. */
static void look_at_modes(NuResult *r) {
  NuModes modes;
  NuStatus status = nu_result_modes(r, &modes);
  told(status);
  for (size_t k = 0; status == NU_OK && k < modes.n_tracks; k++)
    for (size_t i = 0; i < modes.tracks[k].n_spans; i++) {
      const NuModeSpan *s = &modes.tracks[k].spans[i];
      if (!(s->to > s->from) || s->value >= modes.tracks[k].n_values || (i && s[-1].to != s->from))
        abort();
    }
  nu_modes_free(&modes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > LONGEST)
    return 0;
  clear();
  if (data[0] ? !write_parts(data + 1, data + size) : !write_file(data + 1, size - 1))
    return 0;
  NuSessionOptions so = nu_session_options();
  NuSession *s = NULL;
  NuResult *r = NULL;
  char *text = NULL;
  unsigned rows = 0;
  said = 0;
  so.sink = hear;
  so.memory_limit = MEMORY_LIMIT;
  NuStatus status = nu_session_new(&so, &s);
  status = status ? status : nu_result_open(s, file_name(), &r);
  told(status);
  if (status == NU_OK) {
    NuExtract what = nu_extract();
    what.event_rows = NU_ROWS_ALL;
    what.row = take;
    what.row_user = &rows;
    told(nu_result_extract(r, &what));
    told(nu_result_refresh(r));
    told(nu_result_events(r, true, &text));
    look_at_modes(r);
  }
  nu_free(text);
  nu_result_free(r);
  nu_session_free(s);
  clear();
  return 0;
}
