/* run/table_file.c -- matrices from files: text ("#1" then `double name(2,3)` and numbers), values separated by a character, and
 * MATLAB version 4 (20-byte headers, numbers column by column).
 * Keep: sizes in a file are checked against what the file holds before anything is allocated for them. */
#include "run/table_file.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  const TableSource *s;
  char *text; /* the whole file and a 0 */
  size_t length;
  char *why;
  size_t room;
  locale_t plain; /* numbers with points */
} Reader;

static double *complain(Reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static double *complain(Reader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->why, r->room, format, args);
  va_end(args);
  return NULL;
}

static bool read_file(Reader *r) {
  enum { PIECE = 1 << 16 };
  FILE *f = fopen(r->s->file, "rb");
  size_t room = 0;
  if (!f) {
    complain(r, "the file `%s` cannot be read: %s", r->s->file, strerror(errno));
    return false;
  }
  for (size_t n = 1; n;) {
    if (room - r->length < PIECE + 1) {
      room = 2 * room + PIECE + 1;
      char *more = realloc(r->text, room);
      if (!more) {
        complain(r, "not enough memory for the file `%s`", r->s->file);
        fclose(f);
        return false;
      }
      r->text = more;
    }
    n = fread(r->text + r->length, 1, PIECE, f);
    r->length += n;
  }
  bool bad = ferror(f) != 0;
  fclose(f);
  r->text[r->length] = 0;
  if (bad)
    complain(r, "the file `%s` cannot be read", r->s->file);
  return !bad;
}

static double *missing(Reader *r) { return complain(r, "the file `%s` has no matrix `%s`", r->s->file, r->s->name); }

/* ---- text ---- */

/* White space, separators and comments. */
static char *skip(char *p) {
  for (;;) {
    p += strspn(p, " \t\r\n,;");
    if (*p != '#')
      return p;
    p += strcspn(p, "\n");
  }
}

/* n numbers at *p; NULL destination: they are passed over. */
static bool read_numbers(Reader *r, char **p, double *to, size_t n) {
  for (size_t k = 0; k < n; k++) {
    char *end;
    *p = skip(*p);
    double v = strtod_l(*p, &end, r->plain);
    if (end == *p)
      return false;
    if (to)
      to[k] = v;
    *p = end;
  }
  return true;
}

/* `double name(rows,columns)`; false if something else stands there. */
static bool read_head(char **p, char *name, size_t room, size_t *rows, size_t *columns) {
  char *q = *p;
  size_t n = strcspn(q, " \t\r\n");
  if (!(n == 6 && !strncmp(q, "double", n)) && !(n == 5 && !strncmp(q, "float", n)))
    return false;
  q += n;
  q += strspn(q, " \t");
  n = strcspn(q, " \t\r\n,()");
  if (!n || n >= room)
    return false;
  memcpy(name, q, n);
  name[n] = 0;
  q += n;
  q += strspn(q, " \t");
  unsigned long long a, b;
  int used = 0;
  if (sscanf(q, "( %llu , %llu )%n", &a, &b, &used) != 2 || !used)
    return false;
  *rows = (size_t)a;
  *columns = (size_t)b;
  *p = q + used;
  return true;
}

static double *read_text(Reader *r, size_t *rows, size_t *columns) {
  char *p = r->text, name[256];
  p += !strncmp(p, "\xEF\xBB\xBF", 3) ? 3 : 0;
  if (strncmp(p, "#1", 2))
    return complain(r, "the file `%s` is no table: it does not begin with #1", r->s->file);
  for (p = skip(p); *p; p = skip(p)) {
    if (!read_head(&p, name, sizeof name, rows, columns) || !*rows || !*columns)
      return complain(r, "the file `%s` is no table: `double name(rows,columns)` is expected at character %zu", r->s->file, (size_t)(p - r->text) + 1);
    bool found = !strcmp(name, r->s->name);
    /* each number takes two characters at least */
    bool fits = *columns <= r->length && *rows <= r->length / *columns;
    double *to = found && fits ? malloc(*rows * *columns * sizeof *to) : NULL;
    if (!fits || !read_numbers(r, &p, to, *rows * *columns)) {
      free(to);
      return complain(r, "the matrix `%s` of the file `%s` has fewer than %zu numbers", name, r->s->file, *rows * *columns);
    }
    if (found)
      return to ? to : complain(r, "not enough memory for the matrix `%s`", name);
  }
  return missing(r);
}

/* ---- separated values ---- */

/* Numbers of a line, separated by the delimiter; -1 if something is no number. */
static long long count_values(Reader *r, const char *line, double *to) {
  long long n = 0;
  for (const char *p = line;; n++) {
    char *end;
    p += strspn(p, " \t");
    double v = strtod_l(p, &end, r->plain);
    if (end == p)
      return -1;
    if (to)
      to[n] = v;
    p = end + (r->s->delimiter == ' ' || r->s->delimiter == '\t' ? 0 : strspn(end, " \t"));
    if (*p == '\n' || *p == '\r' || !*p)
      return n + 1;
    if (*p != r->s->delimiter)
      return -1;
    p++;
  }
}

static char *next_line(char *p) {
  p += strcspn(p, "\n");
  return *p ? p + 1 : p;
}

static bool is_blank(const char *line) { return strchr("\r\n", line[strspn(line, " \t")]) != NULL; }

static double *read_csv(Reader *r, size_t *rows, size_t *columns) {
  char *first = r->text;
  first += !strncmp(first, "\xEF\xBB\xBF", 3) ? 3 : 0;
  for (long long k = 0; k < r->s->header_lines; k++)
    first = next_line(first);
  *rows = *columns = 0;
  for (char *p = first; *p; p = next_line(p)) {
    if (is_blank(p))
      continue;
    long long n = count_values(r, p, NULL);
    if (n < 0 || (*rows && (size_t)n != *columns))
      return complain(r, "row %zu of the file `%s` is not like the others", *rows + 1, r->s->file);
    *columns = (size_t)n;
    ++*rows;
  }
  if (!*rows)
    return complain(r, "the file `%s` has no values", r->s->file);
  double *to = malloc(*rows * *columns * sizeof *to), *at = to;
  if (!to)
    return complain(r, "not enough memory for the file `%s`", r->s->file);
  for (char *p = first; *p; p = next_line(p))
    if (!is_blank(p)) {
      count_values(r, p, at);
      at += *columns;
    }
  return to;
}

/* ---- MATLAB version 4 ---- */

typedef struct {
  uint32_t type, rows, columns, imaginary, name_length;
} MatHead;

static uint32_t swapped(uint32_t v) { return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24; }

/* One number of the file's type: 0 double, 1 float, 2 int32, 3 int16, 4 uint16, 5 uint8. */
static double mat_number(const char *at, uint32_t type, bool swap) {
  static const size_t sizes[] = {8, 4, 4, 2, 2, 1};
  unsigned char b[8] = {0};
  for (size_t k = 0; k < sizes[type]; k++)
    b[k] = (unsigned char)at[swap ? sizes[type] - 1 - k : k];
  union {
    double r;
    float f;
    int32_t i;
    int16_t s;
    uint16_t u;
    unsigned char bytes[8];
  } v;
  memcpy(v.bytes, b, sizeof b);
  switch (type) {
  case 0: return v.r;
  case 1: return (double)v.f;
  case 2: return v.i;
  case 3: return v.s;
  case 4: return v.u;
  default: return v.bytes[0];
  }
}

static double *read_mat(Reader *r, size_t *rows, size_t *columns) {
  static const size_t sizes[] = {8, 4, 4, 2, 2, 1};
  for (size_t at = 0; at < r->length;) {
    MatHead h;
    if (r->length - at < sizeof h)
      break;
    memcpy(&h, r->text + at, sizeof h);
    bool swap = h.type > 9999; /* numbers of the other byte order */
    if (swap)
      h = (MatHead){swapped(h.type), swapped(h.rows), swapped(h.columns), swapped(h.imaginary), swapped(h.name_length)};
    uint32_t type = h.type / 10 % 10;
    at += sizeof h;
    uint64_t rest = r->length - at, cells = (uint64_t)h.rows * h.columns;
    if (h.type > 5000 || type > 5 || h.imaginary > 1 || !h.name_length || h.name_length > rest)
      return complain(r, "the file `%s` is no MATLAB file of version 4, the only one that can be read", r->s->file);
    const char *name = r->text + at;
    at += h.name_length;
    rest -= h.name_length;
    if (cells > rest / sizes[type] || (h.imaginary && 2 * cells > rest / sizes[type]))
      return complain(r, "the file `%s` ends too early", r->s->file);
    if (!strncmp(name, r->s->name, h.name_length) && strlen(r->s->name) < h.name_length && h.type % 10 == 0 && cells) {
      double *to = malloc((size_t)cells * sizeof *to);
      *rows = h.rows;
      *columns = h.columns;
      for (size_t i = 0; to && i < h.rows; i++)
        for (size_t j = 0; j < h.columns; j++)
          to[i * h.columns + j] = mat_number(r->text + at + (j * h.rows + i) * sizes[type], type, swap);
      return to ? to : complain(r, "not enough memory for the matrix `%s`", r->s->name);
    }
    at += (size_t)cells * sizes[type] * (1 + h.imaginary);
  }
  return missing(r);
}

/* ---- by name ---- */

static bool ends_in(const char *name, const char *ending) {
  size_t n = strlen(name), m = strlen(ending);
  return n >= m && !strcasecmp(name + n - m, ending);
}

double *table_read(const TableSource *s, size_t *rows, size_t *columns, char *why, size_t room) {
  Reader r = {.s = s, .why = why, .room = room, .plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  double *matrix = NULL;
  if (read_file(&r))
    matrix = ends_in(s->file, ".csv") ? read_csv(&r, rows, columns) : ends_in(s->file, ".mat") ? read_mat(&r, rows, columns) : read_text(&r, rows, columns);
  free(r.text);
  freelocale(r.plain);
  return matrix;
}
