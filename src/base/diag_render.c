/* base/diag_render.c -- a diagnostic as text for people and as JSON for programs.
 *   Ball.mo:9:3: warning[U201]: left side is [m/s], right side is [m]
 *    9 |   v = e*h;
 *      |   ^   --- e [1] * h [m]
 *      = help: ...
 * How:  every place of the diagnostic is a mark on one source line; lines are printed file by file,
 *       ascending, each followed by one row of underlines (^ the place itself, - labelled places)
 *       and the labels. Columns on the screen are counted from the text: tabs widen, East Asian
 *       characters take two, combining ones none.
 * Keep: nothing that could steer a terminal leaves this file; long lines are cropped, so output
 *       stays small. */
#include "base/diag.h"
#include "base/limits.h"

#include <stdio.h>
#include <string.h>

enum { TAB = 4, BEFORE_MARK = 60, DOTS = 3, BAD = 0xFFFD };

static const char *const severity_names[] = {"error", "warning", "note"};
static const char *const severity_colors[] = {"\033[1;31m", "\033[1;33m", "\033[1;36m"};
static const char BLUE[] = "\033[1;34m", BOLD[] = "\033[1m", RESET[] = "\033[0m";

/* The character at s (n > 0 bytes are left) and its bytes; BAD, 1 byte, where the text is not
 * UTF-8. */
static uint32_t decode(const char *s, size_t n, size_t *bytes) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = (unsigned char)s[0];
  size_t length = first < 0x80   ? 1
                  : first < 0xC0 ? 0
                  : first < 0xE0 ? 2
                  : first < 0xF0 ? 3
                  : first < 0xF8 ? 4
                                 : 0;
  *bytes = 1;
  if (length == 1)
    return first;
  if (length == 0 || length > n)
    return BAD;
  uint32_t c = first & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    if (((unsigned char)s[i] & 0xC0) != 0x80)
      return BAD;
    c = c << 6 | ((unsigned char)s[i] & 0x3F);
  }
  if (c < smallest[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
    return BAD;
  *bytes = length;
  return c;
}

/* Control characters and those that reorder text. */
static bool unsafe(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == BAD;
}

static uint32_t width(uint32_t c, uint32_t column) {
  if (c == '\t')
    return TAB - column % TAB;
  if (c < 0x300)
    return 1;
  if (c < 0x370 || (c >= 0x200B && c <= 0x200F) || (c >= 0x20D0 && c <= 0x20FF) ||
      (c >= 0xFE00 && c <= 0xFE0F))
    return 0;
  bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
              (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
              (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
              (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

static void clean(const char *text, bool one_line, Text *out) {
  size_t n = strlen(text), bytes = 0;
  for (size_t i = 0; i < n; i += bytes) {
    uint32_t c = decode(text + i, n - i, &bytes);
    if (c == '\t' || (c == '\n' && one_line))
      text_char(out, ' ');
    else if (c != '\n' && unsafe(c))
      text_add(out, "\uFFFD");
    else
      text_addn(out, text + i, bytes);
  }
}

void diag_clean(const char *text, Text *out) { clean(text, false, out); }

typedef struct {
  const Source *source;
  uint32_t line;
  uint32_t from, to; /* columns on the screen from 0, [from, to), not empty */
  const char *text;  /* NULL or the label */
  bool primary;
} Mark;

static uint32_t screen_column(const char *line, size_t end) {
  uint32_t column = 0;
  size_t bytes = 0;
  for (size_t i = 0; i < end; i += bytes)
    column += width(decode(line + i, end - i, &bytes), column);
  return column;
}

/* False when the span is nowhere. A span over several lines is marked on its first only. */
static bool mark_span(const SourceMap *sources, Span span, Mark *mark) {
  Place place = source_place(sources, span.lo);
  if (!place.source)
    return false;
  size_t length = 0;
  const char *line = source_line(place.source, place.line, &length);
  size_t from = span.lo - place.source->base - (size_t)(line - place.source->text);
  size_t to = from + (span.hi > span.lo ? span.hi - span.lo : 0);
  mark->source = place.source;
  mark->line = place.line;
  mark->from = screen_column(line, from < length ? from : length);
  mark->to = screen_column(line, to < length ? to : length);
  if (mark->to <= mark->from)
    mark->to = mark->from + 1;
  return true;
}

typedef struct {
  Text *out;
  bool color;
  const char *severity_color;
  int gutter; /* width of the line numbers */
  const Mark *marks;
  uint32_t n;
} Excerpt;

static void paint(const Excerpt *e, const char *color) {
  if (e->color)
    text_add(e->out, color);
}

static void gutter_of(const Excerpt *e, const char *number) {
  paint(e, BLUE);
  text_printf(e->out, "%*s |", e->gutter, number);
  paint(e, RESET);
}

static void spaces(Text *out, uint32_t n) { text_printf(out, "%*s", (int)n, ""); }

/* The columns [from, to) of a line; dots stand where something was cut off. */
static void source_text(Text *out, const char *line, size_t length, uint32_t from, uint32_t to) {
  uint32_t end = screen_column(line, length), column = 0;
  uint32_t lo = from > 0 ? from + DOTS : from, hi = end > to ? to - DOTS : to;
  size_t bytes = 0;
  if (from > 0)
    text_add(out, "...");
  for (size_t i = 0; i < length && column < hi; i += bytes) {
    uint32_t c = decode(line + i, length - i, &bytes), w = width(c, column);
    uint32_t first = column < lo ? lo : column, last = column + w > hi ? hi : column + w;
    column += w;
    if (column < lo || (w && column == lo))
      continue;
    if (unsafe(c) && c != '\t')
      text_add(out, "\uFFFD");
    else if (c == '\t' || last - first < w)
      spaces(out, last - first);
    else
      text_addn(out, line + i, bytes);
  }
  if (end > to)
    text_add(out, "...");
}

/* One row: the underlines of all marks of the line, then the label of a mark that ends it. Returns
 * that mark. */
static const Mark *underline_row(const Excerpt *e, const Source *s, uint32_t line, uint32_t from) {
  char row[MOST_SOURCE_COLUMNS] = {0};
  uint32_t end = 0, primary_lo = 0, primary_hi = 0;
  const Mark *last = NULL;
  for (uint32_t i = 0; i < e->n; i++) {
    const Mark *m = &e->marks[i];
    if (m->source != s || m->line != line || m->from < from ||
        m->from >= from + MOST_SOURCE_COLUMNS)
      continue;
    uint32_t lo = m->from - from,
             hi = m->to - from < MOST_SOURCE_COLUMNS ? m->to - from : MOST_SOURCE_COLUMNS;
    for (uint32_t k = lo; k < hi; k++)
      row[k] = m->primary || row[k] == '^' ? '^' : '-';
    if (m->primary) {
      primary_lo = lo;
      primary_hi = hi;
    }
    if (hi > end || (hi == end && m->text && (!last || !last->text)))
      last = m;
    end = hi > end ? hi : end;
  }
  if (!end)
    return NULL;
  gutter_of(e, "");
  text_char(e->out, ' ');
  for (uint32_t k = 0; k < end; k++) {
    if (k == primary_lo && primary_hi)
      paint(e, e->severity_color);
    else if (k == 0 || k == primary_hi)
      paint(e, BLUE);
    text_char(e->out, row[k] ? row[k] : ' ');
  }
  if (last->text) {
    text_char(e->out, ' ');
    clean(last->text, true, e->out);
  }
  paint(e, RESET);
  text_char(e->out, '\n');
  return last;
}

/* A source line with everything that is said about it. */
static void excerpt_line(const Excerpt *e, const Source *s, uint32_t line) {
  size_t length = 0;
  const char *text = source_line(s, line, &length);
  const Mark *first = NULL;
  for (uint32_t i = 0; i < e->n; i++)
    if (e->marks[i].source == s && e->marks[i].line == line && (!first || e->marks[i].primary))
      first = &e->marks[i];
  bool crop = screen_column(text, length) > MOST_SOURCE_COLUMNS;
  uint32_t from = crop && first->from > MOST_SOURCE_COLUMNS - BEFORE_MARK
                      ? first->from - BEFORE_MARK
                      : 0;
  char number[16];
  snprintf(number, sizeof number, "%u", line);
  gutter_of(e, number);
  if (length) {
    text_char(e->out, ' ');
    source_text(e->out, text, length, from, from + MOST_SOURCE_COLUMNS);
  }
  text_char(e->out, '\n');
  const Mark *told = underline_row(e, s, line, from);
  for (uint32_t i = 0; i < e->n; i++) {
    const Mark *m = &e->marks[i];
    if (m->source != s || m->line != line || !m->text || m == told)
      continue;
    gutter_of(e, "");
    text_char(e->out, ' ');
    paint(e, BLUE);
    spaces(e->out, m->from > from ? (m->from - from < MOST_SOURCE_COLUMNS ? m->from - from
                                                                          : MOST_SOURCE_COLUMNS)
                                  : 0);
    clean(m->text, true, e->out);
    paint(e, RESET);
    text_char(e->out, '\n');
  }
}

/* All marked lines of one file, ascending. */
static void excerpt_file(const Excerpt *e, const Source *s) {
  for (uint32_t last = 0, next; last != UINT32_MAX; last = next) {
    next = UINT32_MAX;
    for (uint32_t i = 0; i < e->n; i++)
      if (e->marks[i].source == s && e->marks[i].line > last && e->marks[i].line < next)
        next = e->marks[i].line;
    if (next != UINT32_MAX)
      excerpt_line(e, s, next);
  }
}

static void excerpt(const Excerpt *e, const SourceMap *sources, const Diag *d) {
  for (uint32_t i = 0; i < e->n; i++) {
    bool done = false;
    for (uint32_t k = 0; k < i && !done; k++)
      done = e->marks[k].source == e->marks[i].source;
    if (done)
      continue;
    if (i > 0 || !source_place(sources, d->span.lo).source) {
      paint(e, BLUE);
      text_printf(e->out, "%*s--> ", e->gutter, "");
      paint(e, RESET);
      clean(e->marks[i].source->name, true, e->out);
      text_printf(e->out, ":%u\n", e->marks[i].line);
    }
    excerpt_file(e, e->marks[i].source);
  }
}

/* `   = note: text`, further lines of the text below its first. */
static void remark(const Excerpt *e, const char *kind, const char *text) {
  paint(e, BLUE);
  text_printf(e->out, "%*s = ", e->gutter, "");
  paint(e, RESET);
  paint(e, BOLD);
  text_printf(e->out, "%s:", kind);
  paint(e, RESET);
  text_char(e->out, ' ');
  for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
    text_addn(e->out, text, (size_t)(end - text));
    text_printf(e->out, "\n%*s", e->gutter + 5 + (int)strlen(kind), "");
  }
  text_add(e->out, text);
  text_char(e->out, '\n');
}

static void headline(const Excerpt *e, const SourceMap *sources, const Diag *d) {
  Place place = source_place(sources, d->span.lo);
  if (place.source) {
    paint(e, BOLD);
    clean(place.source->name, true, e->out);
    text_printf(e->out, ":%u:%u: ", place.line, place.column);
    paint(e, RESET);
  }
  paint(e, e->severity_color);
  text_printf(e->out, "%s[%s]:", severity_names[d->severity], diag_code_name(d->code));
  paint(e, RESET);
  text_char(e->out, ' ');
  paint(e, BOLD);
  text_add(e->out, d->message);
  paint(e, RESET);
  text_char(e->out, '\n');
}

void diag_render(const Diags *ds, const Diag *d, bool color, Text *out) {
  const SourceMap *sources = diags_sources(ds);
  Mark *marks = NEW_ARRAY(out->arena, Mark, d->n_labels + 1);
  uint32_t n = 0, largest = 0;
  if (mark_span(sources, d->span, &marks[n]))
    marks[n++].primary = true;
  for (uint32_t i = 0; i < d->n_labels; i++)
    if (mark_span(sources, d->labels[i].span, &marks[n]))
      marks[n++].text = d->labels[i].text[0] ? d->labels[i].text : NULL;
  for (uint32_t i = 0; i < n; i++)
    largest = marks[i].line > largest ? marks[i].line : largest;
  int gutter = snprintf(NULL, 0, "%u", largest);
  Excerpt e = {out, color, severity_colors[d->severity], gutter < 2 ? 2 : gutter, marks, n};

  headline(&e, sources, d);
  excerpt(&e, sources, d);
  for (uint32_t i = 0; i < d->n_labels; i++)
    if (!source_place(sources, d->labels[i].span.lo).source)
      remark(&e, "note", d->labels[i].text);
  for (uint32_t i = 0; i < d->n_notes; i++)
    remark(&e, "note", d->notes[i]);
  if (d->help)
    remark(&e, "help", d->help);
  if (d->origin)
    remark(&e, "origin", d->origin);
}

/* "file": ..., "line": ... "end_column": ...; the end is the place after the last character; null
 * when nowhere. */
static void json_span(const SourceMap *sources, Span span, Text *out) {
  Place from = source_place(sources, span.lo);
  if (!from.source) {
    text_add(out,
             "\"file\":null,\"line\":null,\"column\":null,\"end_line\":null,\"end_column\":null");
    return;
  }
  uint32_t last = from.source->base + from.source->length;
  Place to = source_place(sources, span.hi < span.lo ? span.lo : span.hi > last ? last : span.hi);
  Text name = {.arena = out->arena};
  clean(from.source->name, true, &name);
  text_add(out, "\"file\":");
  text_json(out, text_str(&name));
  text_printf(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u", from.line,
              from.column, to.line, to.column);
}

static void json_text(const char *text, Text *out) {
  if (text)
    text_json(out, text);
  else
    text_add(out, "null");
}

void diag_json(const Diags *ds, const Diag *d, Text *out) {
  const SourceMap *sources = diags_sources(ds);
  text_printf(out, "{\"code\":\"%s\",\"severity\":\"%s\",\"message\":", diag_code_name(d->code),
              severity_names[d->severity]);
  text_json(out, d->message);
  text_char(out, ',');
  json_span(sources, d->span, out);
  text_add(out, ",\"labels\":[");
  for (uint32_t i = 0; i < d->n_labels; i++) {
    text_add(out, i ? ",{" : "{");
    json_span(sources, d->labels[i].span, out);
    text_add(out, ",\"text\":");
    text_json(out, d->labels[i].text);
    text_char(out, '}');
  }
  text_add(out, "],\"notes\":[");
  for (uint32_t i = 0; i < d->n_notes; i++) {
    text_add(out, i ? "," : "");
    text_json(out, d->notes[i]);
  }
  text_add(out, "],\"help\":");
  json_text(d->help, out);
  text_add(out, ",\"origin\":");
  json_text(d->origin, out);
  text_char(out, '}');
}
