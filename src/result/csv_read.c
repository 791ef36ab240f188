/* result/csv_read.c -- a CSV text with a header line -> columns of numbers.
 * Fields may be quoted, quotes inside are doubled; lines end in LF or CR LF; a line may be empty at the end. */
#include "result/result.h"

#include "base/vec.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
  const char *at, *end;
  uint32_t line;
  Arena *a;
  bool broken; /* a quoted field does not end */
} Reader;

/* One field; *last: it ended its line. */
static const char *field(Reader *rd, bool *last) {
  Text t = {.arena = rd->a};
  bool quotes = rd->at < rd->end && *rd->at == '"';
  if (quotes) {
    for (rd->at++;; rd->at++) {
      if (rd->at == rd->end) {
        rd->broken = true;
        break;
      }
      if (*rd->at == '"' && (++rd->at == rd->end || *rd->at != '"'))
        break;
      if (*rd->at == '\n')
        rd->line++;
      text_char(&t, *rd->at);
    }
  }
  while (rd->at < rd->end && *rd->at != ',' && *rd->at != '\n') {
    if (*rd->at != '\r')
      text_char(&t, *rd->at);
    rd->at++;
  }
  *last = rd->at == rd->end || *rd->at == '\n';
  if (rd->at < rd->end)
    rd->at++;
  return text_str(&t);
}

static void complain(Diags *diags, const char *name, uint32_t line, const char *what) {
  diag_add(diags, D_F002, (Span){0, 0}, "%s:%u: %s", name, line, what);
}

static double number(const char *text, locale_t c) {
  char *end;
  double v = strtod_l(text, &end, c);
  return *text && !*end ? v : NAN;
}

typedef VEC(const char *) Names;
typedef VEC(double) Numbers;

/* Rows of exactly n fields, all numbers in one list. */
static bool read_rows(Reader *rd, uint32_t n, Numbers *out, const char *name, Diags *diags, locale_t c) {
  while (rd->at < rd->end) {
    uint32_t k = 0, line = rd->line;
    bool last = false;
    while (!last) {
      const char *text = field(rd, &last);
      if (last && !k && !*text)
        break; /* an empty line */
      if (++k <= n)
        vec_push(rd->a, out, number(text, c));
    }
    rd->line++;
    if (rd->broken || (k && k != n)) {
      complain(diags, name, line, rd->broken ? "a quoted field does not end" : "the number of fields differs from that of the header");
      return false;
    }
  }
  return true;
}

CsvTable *csv_read(const char *name, const char *text, size_t length, Arena *a, Diags *diags) {
  Reader rd = {text, text + length, 1, a, false};
  Names names = {0};
  Numbers numbers = {0};
  bool last = length == 0;
  while (!last)
    vec_push(a, &names, field(&rd, &last));
  rd.line++;
  if (!names.n || rd.broken || !*names.at[0]) {
    complain(diags, name, 1, "this is no CSV file with a header line");
    return NULL;
  }
  locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  bool ok = c && read_rows(&rd, names.n, &numbers, name, diags, c);
  if (c)
    freelocale(c);
  if (!ok)
    return NULL;
  CsvTable *t = NEW(a, CsvTable);
  t->names = names.at;
  t->n = names.n;
  t->rows = numbers.n / names.n;
  t->columns = NEW_ARRAY(a, double *, t->n);
  for (uint32_t k = 0; k < t->n; k++) {
    t->columns[k] = NEW_ARRAY(a, double, t->rows + 1);
    for (uint32_t r = 0; r < t->rows; r++)
      t->columns[k][r] = numbers.at[r * t->n + k];
  }
  return t;
}
