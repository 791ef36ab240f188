/* result/csv_read.c -- a CSV text with a header line -> columns of numbers.
 * Fields may be quoted, quotes inside are doubled; lines end in LF or CR LF; empty lines do not
 * count. Columns are separated by commas, or, if the header has one of these outside of quotes, by
 * tabs or semicolons; then numbers may have decimal commas. In the header commas in brackets
 * separate nothing: a[1,2]. A last line without an end that has too few fields is one that was not
 * written to its end, by a run that goes on or was killed.
 * Keep: what is no table of numbers over time is refused, with the line and the reason. */
#include "result/result.h"

#include "base/vec.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  const char *name, *at, *end;
  uint32_t line;
  char separator;
  bool header; /* brackets count */
  bool quoted; /* the last field was */
  bool broken; /* a quoted field does not end */
  Text text;   /* of the field, used again */
  locale_t c;
  Arena *a;
  Diags *diags;
} Reader;

static bool complain(const Reader *rd, uint32_t line, const char *what, const char *help) {
  Diag *d = diag_add(rd->diags, D_F002, (Span){0, 0}, "%s:%u: %s", rd->name, line, what);
  if (help)
    diag_help(rd->diags, d, "%s", help);
  return false;
}

/* ---- fields ---- */

static void quoted_part(Reader *rd) {
  for (rd->at++;; rd->at++) {
    if (rd->at == rd->end) {
      rd->broken = true;
      return;
    }
    if (*rd->at == '"' && (++rd->at == rd->end || *rd->at != '"'))
      return;
    if (*rd->at == '\n')
      rd->line++;
    text_char(&rd->text, *rd->at);
  }
}

/* One field, until the next is read; *last: it ended its line. */
static const char *field(Reader *rd, bool *last) {
  int depth = 0;
  rd->text.n = 0;
  rd->quoted = rd->at < rd->end && *rd->at == '"';
  if (rd->quoted)
    quoted_part(rd);
  for (; rd->at < rd->end && *rd->at != '\n' && (*rd->at != rd->separator || depth > 0); rd->at++) {
    depth += rd->header ? (*rd->at == '[') - (*rd->at == ']') : 0;
    if (*rd->at != '\r')
      text_char(&rd->text, *rd->at);
  }
  *last = rd->at == rd->end || *rd->at == '\n';
  if (rd->at < rd->end)
    rd->at++;
  return rd->text.n ? rd->text.at : "";
}

static double number(const Reader *rd, const char *text) {
  char *end, *comma = rd->separator == ',' ? NULL : strchr(text, ',');
  if (comma)
    *comma = '.';
  double v = strtod_l(text, &end, rd->c);
  if (comma)
    *comma = ',';
  while (*end == ' ')
    end++;
  if (*text && !*end && end != text)
    return v;
  return !strcmp(text, "true") ? 1 : !strcmp(text, "false") ? 0 : NAN;
}

/* ---- rows ---- */

typedef VEC(const char *) Names;
typedef VEC(double) Numbers;

static bool is_decimal_comma(const char *text) {
  size_t head = strspn(text, "+-0123456789"),
         tail = text[head] == ',' ? strspn(text + head + 1, "0123456789eE+-") : 0;
  return head && tail && !text[head + 1 + tail];
}

static bool wrong_count(const Reader *rd, uint32_t line, uint32_t k, uint32_t n) {
  const char *what = arena_printf(rd->a, "%u field%s, but the header names %u column%s", k,
                                  k == 1 ? "" : "s", n, n == 1 ? "" : "s");
  bool commas = rd->separator == ',' && k > n;
  return complain(rd, line, what,
                  commas ? "numbers with decimal commas need semicolons between the columns"
                         : NULL);
}

/* A line with its fields; *k: how many; 0: it is empty. False after F002. */
static bool read_row(Reader *rd, uint32_t n, Numbers *out, uint32_t *k) {
  bool last = false;
  for (*k = 0; !last;) {
    uint32_t line = rd->line;
    const char *text = field(rd, &last);
    if (last && !*k && !*text && !rd->quoted)
      break;
    if (rd->separator == ',' && rd->quoted && is_decimal_comma(text))
      return complain(rd, line, arena_printf(rd->a, "`%s` has a decimal comma", text),
                      "write a decimal point, or semicolons between the columns");
    double value = number(rd, text);
    if (!*k && isnan(value) && strcasecmp(text, "nan"))
      return complain(
          rd, line,
          arena_printf(rd->a, "`%.40s` is no time: the first column must hold numbers", text),
          NULL);
    if (++*k <= n)
      vec_push(rd->a, out, value);
  }
  return true;
}

/* Rows of exactly n fields, all numbers in one list. */
static bool read_rows(Reader *rd, uint32_t n, Numbers *out) {
  while (rd->at < rd->end) {
    uint32_t k, line = rd->line, before = out->n;
    if (!read_row(rd, n, out, &k))
      return false;
    bool cut = rd->at == rd->end && rd->end[-1] != '\n' && (k < n || rd->broken);
    if (cut && before) {
      out->n = before;
      return true;
    }
    if (rd->broken)
      return complain(rd, line, "a quoted field does not end", NULL);
    if (k && k != n)
      return wrong_count(rd, line, k, n);
    rd->line++;
  }
  return true;
}

/* ---- the beginning ---- */

/* What a file that is no text may be; NULL: it looks like text. */
static const char *other_kind(const char *text, size_t length) {
  static const struct {
    const char *head, *what;
  } kinds[] = {
      {"MATLAB 5.0", "it is a MATLAB file of version 5 or later; trajectories have version 4"},
      {"\x89HDF", "it is an HDF5 file (MATLAB 7.3, SDF)"},
      {"SQLite format 3", "it is a database"},
      {"PK\x03\x04", "it is a ZIP archive, such as a spreadsheet or an FMU"},
      {"\xff\xfe", "it is UTF-16 text; save it as UTF-8"},
      {"\xfe\xff", "it is UTF-16 text; save it as UTF-8"}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (length >= strlen(kinds[k].head) && !memcmp(text, kinds[k].head, strlen(kinds[k].head)))
      return kinds[k].what;
  return memchr(text, 0, length < 4096 ? length : 4096)
             ? "it is no text, and no other kind of result that is known"
             : NULL;
}

static char separator_of(const Reader *rd) {
  bool quoted = false, semicolon = false, tab = false;
  for (const char *at = rd->at; at < rd->end && (quoted || *at != '\n'); at++) {
    quoted ^= *at == '"';
    semicolon = semicolon || (!quoted && *at == ';');
    tab = tab || (!quoted && *at == '\t');
  }
  return tab ? '\t' : semicolon ? ';' : ',';
}

/* Names of the columns; false after F002. */
static bool read_header(Reader *rd, Names *names) {
  bool last = rd->at == rd->end;
  rd->separator = separator_of(rd);
  rd->header = true;
  while (!last) {
    const char *text = field(rd, &last);
    if (!names->n && !rd->quoted && *text && !isnan(number(rd, text)) && strcasecmp(text, "nan"))
      return complain(rd, 1,
                      arena_printf(rd->a,
                                   "the file begins with the number `%.40s`: a first line with the "
                                   "names of the columns is missing",
                                   text),
                      NULL);
    vec_push(rd->a, names, arena_strdup(rd->a, text));
  }
  rd->header = false;
  rd->line++;
  if (!names->n || rd->broken || !*names->at[0])
    return complain(rd, 1, "this is no CSV file with a header line", NULL);
  return true;
}

static CsvTable *table_of(const Names *names, const Numbers *numbers, Arena *a) {
  CsvTable *t = NEW(a, CsvTable);
  t->names = names->at;
  t->n = names->n;
  t->rows = numbers->n / names->n;
  t->columns = NEW_ARRAY(a, double *, t->n);
  for (uint32_t k = 0; k < t->n; k++) {
    t->columns[k] = NEW_ARRAY(a, double, t->rows + 1);
    for (uint32_t r = 0; r < t->rows; r++)
      t->columns[k][r] = numbers->at[(size_t)r * t->n + k];
  }
  return t;
}

CsvTable *csv_read(const char *name, const char *text, size_t length, Arena *a, Diags *diags) {
  static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
  size_t skip = length >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
  Reader rd = {.name = name,
               .at = text + skip,
               .end = text + length,
               .line = 1,
               .text = {.arena = a},
               .a = a,
               .diags = diags};
  Names names = {0};
  Numbers numbers = {0};
  const char *other = other_kind(text, length);
  if (other) {
    diag_add(diags, D_F002, (Span){0, 0}, "cannot read `%s`: %s", name, other);
    return NULL;
  }
  rd.c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  bool ok = rd.c && read_header(&rd, &names) && read_rows(&rd, names.n, &numbers);
  if (rd.c)
    freelocale(rd.c);
  return ok ? table_of(&names, &numbers, a) : NULL;
}
