/* run/native_file.c -- files as Modelica.Utilities.Streams and Files document them: lines of text,
 * matrices, and the Fourier transform.
 * Files are opened and closed by each call: nothing stays open between them. */
#include "run/mat_file.h"
#include "run/memory.h"
#include "run/native.h"
#include "run/table_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "numeric/fft.h"

static int cannot(DsData *d, const DsPlace *at, const char *what, const char *file) {
  return native_fail(d, at, "the file `%s` cannot be %s: %s", file, what, strerror(errno));
}

/* ---- text ---- */

int native_print_text(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  if (!*in[1].s) {
    run_message(d->run, in[0].s);
    return DS_OK;
  }
  FILE *f = fopen(in[1].s, "a");
  if (!f)
    return cannot(d, at, "written", in[1].s);
  bool ok = fprintf(f, "%s\n", in[0].s) >= 0;
  ok = fclose(f) == 0 && ok;
  return ok ? DS_OK : cannot(d, at, "written", in[1].s);
}

/* One line without its end; false at the end of the file. *line is reused. */
static bool next_line(FILE *f, char **line, size_t *room, size_t *n) {
  ssize_t length = getline(line, room, f);
  if (length < 0)
    return false;
  *n = (size_t)length;
  while (*n && strchr("\r\n", (*line)[*n - 1]))
    (*line)[--*n] = 0;
  return true;
}

int native_read_line(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  FILE *f = fopen(in[0].s, "r");
  char *line = NULL;
  size_t room = 0, n = 0;
  if (!f)
    return cannot(d, at, "read", in[0].s);
  bool found = in[1].i >= 1;
  for (long long k = 0; k < in[1].i && found; k++)
    found = next_line(f, &line, &room, &n);
  fclose(f);
  out[0].i = !found;
  out[1].s = found ? run_text_of(d->run, line, n) : "";
  free(line);
  return out[1].s ? DS_OK : native_fail(d, at, "not enough memory for a text");
}

int native_read_file(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  FILE *f = fopen(in[0].s, "r");
  char *line = NULL;
  size_t room = 0, n = 0;
  long long k = 0;
  bool ok = true;
  if (!f)
    return cannot(d, at, "read", in[0].s);
  for (; k < out[0].p[1].i && ok && next_line(f, &line, &room, &n); k++) {
    const char *text = run_text_of(d->run, line, n);
    ok = text != NULL;
    out[0].p[0].o[k].s = ok ? text : "";
  }
  fclose(f);
  free(line);
  if (!ok)
    return native_fail(d, at, "not enough memory for a text");
  return k == out[0].p[1].i ? DS_OK
                            : native_fail(d, at, "the file `%s` has fewer than %lld lines", in[0].s,
                                          out[0].p[1].i);
}

int native_count_lines(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  FILE *f = fopen(in[0].s, "r");
  char *line = NULL;
  size_t room = 0, n = 0;
  if (!f)
    return cannot(d, at, "read", in[0].s);
  for (out[0].i = 0; next_line(f, &line, &room, &n);)
    out[0].i++;
  fclose(f);
  free(line);
  return DS_OK;
}

int native_close_file(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)d, (void)at, (void)in, (void)out;
  return DS_OK;
}

int native_remove_file(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)out;
  struct stat s;
  if (stat(in[0].s, &s) != 0)
    return DS_OK; /* nothing to remove */
  if (!S_ISREG(s.st_mode))
    return native_fail(d, at, "`%s` is not a file that could be removed", in[0].s);
  return unlink(in[0].s) == 0 ? DS_OK : cannot(d, at, "removed", in[0].s);
}

int native_file_kind(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  (void)d, (void)at;
  struct stat s;
  bool found = stat(in[0].s, &s) == 0;
  /* Types.FileType: NoFile, RegularFile, Directory, SpecialFile */
  out[0].i = !found ? 1 : S_ISREG(s.st_mode) ? 2 : S_ISDIR(s.st_mode) ? 3 : 4;
  return DS_OK;
}

/* ---- matrices ---- */

static double *read_matrix(DsData *d, const DsPlace *at, const DsCell *in, size_t *rows,
                           size_t *columns) {
  char why[300];
  double *m = table_read(&(TableSource){.file = in[0].s, .name = in[1].s}, rows, columns, why,
                         sizeof why);
  if (!m)
    native_fail(d, at, "%s", why);
  return m;
}

int native_matrix_sizes(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  size_t rows, columns;
  if (out[0].p[1].i != 2)
    return native_fail(d, at, "the sizes of a matrix are two numbers");
  double *m = read_matrix(d, at, in, &rows, &columns);
  if (!m)
    return DS_RETRY;
  free(m);
  out[0].p[0].o[0].i = (long long)rows;
  out[0].p[0].o[1].i = (long long)columns;
  return DS_OK;
}

int native_matrix_read(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  size_t rows, columns;
  double *m = read_matrix(d, at, in, &rows, &columns);
  if (!m)
    return DS_RETRY;
  bool fits = (unsigned long long)in[2].i == rows && (unsigned long long)in[3].i == columns &&
              (unsigned long long)out[0].p[1].i == rows * columns;
  for (size_t k = 0; fits && k < rows * columns; k++)
    out[0].p[0].o[k].r = m[k];
  free(m);
  return fits ? DS_OK
              : native_fail(d, at, "the matrix `%s` has %zu rows and %zu columns", in[1].s, rows,
                            columns);
}

int native_matrix_write(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  long long rows = in[3].i, columns = in[4].i, cells = in[2].p[1].i;
  const double *m = (const double *)(const void *)in[2].p[0].p;
  const char *format = in[6].s, *why;
  out[0].i = 0;
  if (strlen(format) != 1 || !strchr("467", *format))
    return native_fail(
        d, at, "matrices are written to MATLAB files of version 4, 6 or 7, not \"%s\"", format);
  if (rows < 0 || columns < 0 || (rows && columns > cells / rows) || rows * columns != cells)
    return native_fail(d, at, "the sizes given for a matrix are not its own");
  out[0].i = mat_write(in[0].s, in[1].s, m, (size_t)rows, (size_t)columns, *format - '0',
                       in[5].i != 0, &why);
  if (!out[0].i && why)
    return native_fail(d, at, "the matrix `%s` cannot be added to the file `%s`: %s", in[1].s,
                       in[0].s, why);
  return out[0].i ? DS_OK : cannot(d, at, "written", in[0].s);
}

/* ---- Fourier transform ---- */

/* Amplitudes are |U|/(n/2 + 1), as the C function of the Modelica Standard Library has them: a sine
 * of amplitude 1 gives n/(n + 2). What the library computes from them relies on it. */
int native_fourier(DsData *d, const DsPlace *at, const DsCell *in, DsCell *out) {
  long long n = in[0].p[1].i, half = n / 2 + 1;
  double *room = NULL;
  if (out[1].p[1].i != half || out[2].p[1].i != half)
    return native_fail(d, at, "a transform of %lld samples has %lld amplitudes and phases", n,
                       half);
  out[3].i = n % 2 || n < 2 ? 1 : 0;
  if (out[3].i)
    return DS_OK;
  room = malloc((size_t)(n + 2 * half) * sizeof *room);
  double *u = room;
  double *amplitude = u + (room ? n : 0);
  double *phase = amplitude + (room ? half : 0);
  for (long long k = 0; room && k < n; k++)
    u[k] = in[0].p[0].p[k].r;
  if (!room || !fft_real(u, (size_t)n, amplitude, phase)) {
    free(room);
    return native_fail(d, at, "not enough memory for a Fourier transform");
  }
  for (long long k = 0; k < half; k++) {
    out[1].p[0].o[k].r = amplitude[k] / (double)half;
    out[2].p[0].o[k].r = phase[k];
  }
  free(room);
  return DS_OK;
}
