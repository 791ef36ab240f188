/* run/table_file.c -- matrices from files: text ("#1" then `double name(2,3)` and numbers), values
 * separated by a character, and MATLAB files (mat_file.c).
 * Keep: sizes in a file are checked against what the file holds before anything is allocated for
 *       them. */
#include "run/table_file.h"
#include "run/mat_file.h"

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

static double *missing(Reader *r) {
  return complain(r, "the file `%s` has no matrix `%s`", r->s->file, r->s->name);
}

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
      return complain(
          r, "the file `%s` is no table: `double name(rows,columns)` is expected at character %zu",
          r->s->file, (size_t)(p - r->text) + 1);
    bool found = !strcmp(name, r->s->name);
    /* each number takes two characters at least */
    bool fits = *columns <= r->length && *rows <= r->length / *columns;
    double *to = found && fits ? malloc(*rows * *columns * sizeof *to) : NULL;
    if (!fits || !read_numbers(r, &p, to, *rows * *columns)) {
      free(to);
      return complain(r, "the matrix `%s` of the file `%s` has fewer than %zu numbers", name,
                      r->s->file, *rows * *columns);
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

/* ---- MATLAB ---- */

static double *read_mat(Reader *r, size_t *rows, size_t *columns) {
  const char *why;
  double *m = mat_read(r->text, r->length, r->s->name, rows, columns, &why);
  return m     ? m
         : why ? complain(r, "the file `%s` cannot be read: %s", r->s->file, why)
               : missing(r);
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
    matrix = ends_in(s->file, ".csv")   ? read_csv(&r, rows, columns)
             : ends_in(s->file, ".mat") ? read_mat(&r, rows, columns)
                                        : read_text(&r, rows, columns);
  free(r.text);
  freelocale(r.plain);
  return matrix;
}
