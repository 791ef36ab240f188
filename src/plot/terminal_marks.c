/* plot/terminal_marks.c -- what happened, as text: a line of signs above the first plot, a line of
 * words for each switching group. */
#include <math.h>
#include <string.h>

#include "plot/layout.h"
#include "base/limits.h"
#include "plot/terminal.h"

/* Signs of the kinds of events, in the order of marks.c. */
static const char *const signs[] = {"\xE2\x96\xBD", "\xE2\x96\xA1", "\xE2\x96\xA0", "\xE2\x97\x87",
                                    "\xE2\x96\xB2", "\xE2\x96\xBC", "\xE2\x97\x86", "\xE2\x89\x88",
                                    "\xE2\x97\x8B", "\xE2\x8A\xA5"};
static const char ascii_signs[] = "v#B?^!S~o_";
enum { N_SIGNS = sizeof ascii_signs - 1 };

static void add_sign(Text *out, int kind, bool ascii) {
  if (ascii)
    text_char(out, ascii_signs[kind % N_SIGNS]);
  else
    text_add(out, signs[kind % N_SIGNS]);
}

/* Of several kinds in a column the one that comes last in the key, which tells most. */
static int kind_of(unsigned kinds) {
  int kind = -1;
  for (int k = 0; mark_name(k); k++)
    kind = kinds >> k & 1 ? k : kind;
  return kind;
}

void term_print_events(const TermPlot *p, Text *out) {
  MarkInstant *at;
  Arena *a = p->t->arena;
  if (!p->t->chart->marks || !p->plot->over_time)
    return;
  uint32_t n = mark_instants(p->t->chart, p->plot, &at, a);
  unsigned *columns = NEW_ARRAY(a, unsigned, p->columns + 1);
  for (uint32_t k = 0; k < n; k++)
    columns[term_column(p, at[k].at)] |= at[k].kinds;
  term_blanks(out, p->t->left + 2);
  for (size_t k = 0; k < p->columns; k++)
    if (columns[k])
      add_sign(out, kind_of(columns[k]), p->t->o->ascii);
    else
      text_char(out, ' ');
  term_line_end(out);
}

void term_print_key(const Term *t, Text *out) {
  MarkInstant *at;
  unsigned shown = 0;
  if (!t->chart->marks || !t->chart->n || !t->chart->plots[0].over_time)
    return;
  uint32_t n = mark_instants(t->chart, &t->chart->plots[0], &at, t->arena);
  for (uint32_t k = 0; k < n; k++)
    shown |= at[k].kinds;
  if (!shown)
    return;
  term_blanks(out, t->left + 2);
  for (int k = 0; mark_name(k); k++)
    if (shown >> k & 1) {
      add_sign(out, k, t->o->ascii);
      text_printf(out, " %s   ", mark_name(k));
    }
  term_line_end(out);
}

/* ---- modes ---- */

/* The value at the middle of each column; -1: none. */
static void values_of(const TermPlot *p, const NuModeTrack *t, int *values) {
  double second = p->t->chart->second, lo = p->plot->x.lo, hi = p->plot->x.hi;
  size_t span = 0;
  for (size_t k = 0; k < p->columns; k++) {
    double part = (double)k / (double)(p->columns > 1 ? p->columns - 1 : 1);
    double time = (p->plot->x.log ? lo * pow(hi / lo, part) : lo + part * (hi - lo)) / second;
    while (span + 1 < t->n_spans && t->spans[span].to <= time)
      span++;
    bool inside = t->n_spans && time >= t->spans[span].from && time <= t->spans[span].to;
    values[k] = inside ? (int)t->spans[span].value : -1;
  }
}

size_t term_names_width(const Term *t) {
  size_t width = 0;
  uint32_t n = strip_count(t->chart);
  for (uint32_t k = 0; k < n; k++) {
    size_t own = term_width(strip_track(t->chart, k)->name) + 2;
    width = own > width ? own : width;
  }
  return width < MOST_STRIP_NAME ? width : MOST_STRIP_NAME;
}

static void print_track(const TermPlot *p, const NuModeTrack *t, Text *out) {
  static const char fill[] = " -=~.:";
  Arena *a = p->t->arena;
  int *values = NEW_ARRAY(a, int, p->columns + 1);
  values_of(p, t, values);
  term_blanks(out, p->t->left + 1);
  text_add(out, p->t->o->ascii ? "|" : "\xE2\x94\x82");
  for (size_t k = 0, end; k < p->columns; k = end) {
    for (end = k + 1; end < p->columns && values[end] == values[k]; end++)
      ;
    const char *text = values[k] < 0 ? "" : draw_clean(t->values[values[k]], a);
    size_t room = end - k - (end < p->columns ? 1 : 0), n = term_width(text);
    char with = values[k] < 0 ? ' ' : fill[(size_t)values[k] % (sizeof fill - 1)];
    bool fits = n && n <= room;
    for (size_t i = 0; i < room; i++) {
      if (fits && i == (room - n) / 2) {
        text_add(out, text);
        i += n - 1;
      } else {
        text_char(out, with);
      }
    }
    if (end < p->columns)
      text_add(out, p->t->o->ascii ? "|" : "\xE2\x94\x82");
  }
  const char *name = draw_clean(t->name, a);
  if (term_width(name) + 2 <= MOST_STRIP_NAME)
    text_printf(out, "  %s", name);
  else
    text_printf(out, "  %.*s...", MOST_STRIP_NAME - 5, name);
  term_line_end(out);
}

void term_print_modes(const TermPlot *p, Text *out) {
  if (!p->plot->over_time)
    return;
  uint32_t n = strip_count(p->t->chart);
  for (uint32_t k = 0; k < n; k++)
    print_track(p, strip_track(p->t->chart, k), out);
  uint32_t left = strips_left(p->t->chart);
  if (!left)
    return;
  term_blanks(out, p->t->left + 2);
  text_printf(out, "%u more modes are not shown", left);
  term_line_end(out);
}
