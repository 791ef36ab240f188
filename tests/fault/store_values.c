/* tests/fault/store_values.c -- all values of a stored result as CSV, by the public interface.
 *   store_values x.nus OUT.csv              once
 *   store_values x.nus OUT.csv watch        again and again while its run goes on: each time the
 *   rows must begin as before, and prints how often it looked and how many rows there were in the
 *   end */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nusim.h"

static void show(void *user, const NuDiagnostic *d) {
  char *text = nu_diagnostic_text(d, false);
  (void)user;
  fputs(text ? text : d->message, stderr);
  nu_free(text);
}

/* ---- watching ---- */

/* Rows so far, each as a check sum of its values. */
typedef struct {
  uint64_t *at;
  size_t n, room, next; /* next: row of this look */
  size_t columns;
  bool differs;
} Rows;

static bool take(void *user, double time, const double *values) {
  Rows *r = user;
  uint64_t sum = 1469598103934665603u, bits;
  for (size_t k = 0; k <= r->columns; k++) {
    memcpy(&bits, k ? &values[k - 1] : &time, sizeof bits);
    sum = (sum ^ bits) * 1099511628211u;
  }
  if (r->next == r->room) {
    r->room = 2 * r->room + 1000;
    r->at = realloc(r->at, r->room * sizeof *r->at);
  }
  if (r->next < r->n && r->at[r->next] != sum)
    r->differs = true;
  r->at[r->next++] = sum;
  return !r->differs;
}

static NuStatus look(NuResult *r, Rows *rows) {
  NuExtract what = nu_extract();
  const char *const *names;
  what.event_rows = NU_ROWS_ALL;
  what.row = take;
  what.row_user = rows;
  rows->next = 0;
  NuStatus status = nu_result_columns(r, &what, &names, &rows->columns);
  status = status ? status : nu_result_extract(r, &what);
  if (status == NU_OK &&
      (rows->differs || rows->next < rows->n || rows->next != nu_result_info(r).points)) {
    fprintf(stderr, "rows changed: %zu, before %zu, points %" PRIu64 "\n", rows->next, rows->n,
            nu_result_info(r).points);
    return NU_RUN_FAILED;
  }
  rows->n = rows->next;
  return status;
}

/* Every fourth time with a new reader. */
static NuStatus watch(NuSession *s, const char *path, NuResult **r) {
  Rows rows = {0};
  NuStatus status = NU_OK;
  unsigned looks = 0;
  while (status == NU_OK) {
    if (looks % 4 == 0) {
      nu_result_free(*r);
      status = nu_result_open(s, path, r);
    } else
      status = nu_result_refresh(*r);
    bool ended = status == NU_OK && nu_result_info(*r).ended;
    status = status ? status : look(*r, &rows);
    looks++;
    if (ended)
      break;
    usleep(1000);
  }
  printf("%u looks, %zu rows\n", looks, rows.n);
  free(rows.at);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  NuSessionOptions so = nu_session_options();
  so.sink = show;
  so.memory_limit = (size_t)1 << 30;
  NuSession *s = NULL;
  NuResult *r = NULL;
  NuExtract what = nu_extract();
  what.csv = argv[2];
  what.event_rows = NU_ROWS_ALL;
  NuStatus status = nu_session_new(&so, &s);
  if (status == NU_OK && argc == 4)
    status = watch(s, argv[1], &r);
  else
    status = status ? status : nu_result_open(s, argv[1], &r);
  status = status ? status : nu_result_extract(r, &what);
  nu_result_free(r);
  nu_session_free(s);
  return nu_exit_code(status);
}
