/* result/store_file.c -- rows with check sums, and the lock of a store.
 * The lock is a file of its own beside the store (-lock): a lock on the store itself would be lost
 * when any part of this process closes that file (fcntl(2)), and SQLite's own are given up for a
 * moment between two transactions. Whoever has it may replace the store, write it, or make one
 * plain file of what a killed run left. The kernel takes it from a process that dies. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "result/store_impl.h"

/* ---- rows ---- */

StoreEntry store_entry(sqlite3_stmt *s) { return (StoreEntry){.s = s, .ok = s != NULL}; }

/* Kind and bytes of a value. */
static uint32_t sum_up(uint32_t sum, int kind, const void *bytes, size_t n) {
  unsigned char head[9] = {(unsigned char)kind};
  uint64_t size = n;
  memcpy(head + 1, &size, sizeof size);
  sum = (uint32_t)crc32_z(sum, head, sizeof head);
  return n ? (uint32_t)crc32_z(sum, bytes, n) : sum;
}

/* SQLite does not keep the sign of zero. */
static uint32_t sum_real(uint32_t sum, double value) {
  value = value == 0 ? 0 : value;
  return sum_up(sum, SQLITE_FLOAT, &value, sizeof value);
}

void store_add_integer(StoreEntry *e, int64_t value) {
  e->sum = sum_up(e->sum, SQLITE_INTEGER, &value, sizeof value);
  e->ok = e->ok && sqlite3_bind_int64(e->s, ++e->n, value) == SQLITE_OK;
}

void store_add_real(StoreEntry *e, double value) {
  e->sum = isnan(value) ? sum_up(e->sum, SQLITE_NULL, NULL, 0) : sum_real(e->sum, value);
  e->ok = e->ok && sqlite3_bind_double(e->s, ++e->n, value) == SQLITE_OK;
}

void store_add_text(StoreEntry *e, const char *value) {
  size_t n = strlen(value);
  e->sum = sum_up(e->sum, SQLITE_TEXT, value, n);
  e->ok = e->ok &&
          sqlite3_bind_text64(e->s, ++e->n, value, n, SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
}

void store_add_bytes(StoreEntry *e, const void *bytes, size_t n, bool summed) {
  if (summed)
    e->sum = sum_up(e->sum, SQLITE_BLOB, bytes, n);
  e->ok = e->ok && sqlite3_bind_blob64(e->s, ++e->n, bytes, n, SQLITE_STATIC) == SQLITE_OK;
}

void store_add_sum(StoreEntry *e) {
  e->ok = e->ok && sqlite3_bind_int64(e->s, ++e->n, e->sum) == SQLITE_OK;
}

bool store_put(StoreEntry *e) {
  bool ok = e->ok && sqlite3_step(e->s) == SQLITE_DONE;
  return sqlite3_reset(e->s) == SQLITE_OK && ok;
}

bool store_sound(sqlite3_stmt *s, int n) {
  uint32_t sum = 0;
  for (int k = 0; k < n; k++) {
    int kind = sqlite3_column_type(s, k);
    int64_t whole = sqlite3_column_int64(s, k);
    if (kind == SQLITE_INTEGER)
      sum = sum_up(sum, kind, &whole, sizeof whole);
    else if (kind == SQLITE_FLOAT)
      sum = sum_real(sum, sqlite3_column_double(s, k));
    else if (kind == SQLITE_NULL)
      sum = sum_up(sum, kind, NULL, 0);
    else { /* text or bytes */
      const void *bytes = sqlite3_column_blob(s, k);
      sum = sum_up(sum, kind, bytes, bytes ? (size_t)sqlite3_column_bytes(s, k) : 0);
    }
  }
  return sqlite3_column_type(s, n) == SQLITE_INTEGER &&
         sqlite3_column_int64(s, n) == (sqlite3_int64)sum;
}

/* ---- the lock ---- */

const char *store_beside(const char *path, const char *end, Arena *a) {
  return arena_printf(a, "%s-%s", path, end);
}

/* Is it still the file of that name? Another process may have removed it between opening and
 * locking. */
static bool same(int file, const char *path) {
  struct stat a, b;
  return fstat(file, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

int store_lock(const char *name, bool *busy) {
  enum { TRIES = 100 };
  *busy = false;
  for (int k = 0; k < TRIES; k++) {
    int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file < 0)
      return -1;
    /* where files cannot be locked, there is no protection */
    bool refused = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!refused && same(file, name))
      return file;
    close(file);
    *busy = refused;
    if (refused)
      return -1;
  }
  *busy = true;
  return -1;
}

void store_unlock(const char *name, int lock) {
  if (lock < 0)
    return;
  unlink(name);
  close(lock);
}

bool store_moved(sqlite3 *db) {
  int moved = 0;
  return sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}
