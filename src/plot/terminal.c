/* plot/terminal.c -- a chart as lines of text: curves in braille patterns or ASCII, axes with
 * marks, the modes as words on a line. Several curves in a plot have letters of their own, which
 * the legend tells. */
#include <math.h>
#include <string.h>

#include "plot/canvas.h"
#include "base/limits.h"
#include "plot/terminal.h"
#include "plot/trace.h"

enum { WIDTH = 80, LINES = 12, LEAST_COLUMNS = 8, LETTER_EVERY = 13 };

/* Signs of curves in ASCII. */
static const char signs[] = "*+ox#@%&";

/* ---- text ---- */

size_t term_width(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

void term_blanks(Text *out, size_t n) {
  while (n--)
    text_char(out, ' ');
}

void term_line_end(Text *out) {
  while (out->n && out->at[out->n - 1] == ' ')
    out->at[--out->n] = 0;
  text_char(out, '\n');
}

static void right_aligned(Text *out, const char *text, size_t width) {
  size_t n = term_width(text);
  term_blanks(out, n < width ? width - n : 0);
  text_add(out, text);
}

static void centred(Text *out, const char *text, size_t width) {
  size_t n = term_width(text);
  term_blanks(out, n < width ? (width - n) / 2 : 0);
  text_add(out, text);
}

/* ---- curves ---- */

static char sign_of(const ChartCurve *c, bool several) {
  return several ? signs[c->style % (sizeof signs - 1)] : signs[0];
}
static char letter_of(const ChartCurve *c) { return (char)('a' + c->style % 26); }

static void draw_curve(const TermPlot *p, Canvas *c, const ChartCurve *curve, bool several) {
  const ChartAxis *axis = curve->right ? &p->plot->y2 : &p->plot->y;
  Trace t = {.arena = p->t->arena,
             .x = {p->plot->x.lo, p->plot->x.hi, 0, canvas_width(c) - 1, p->plot->x.log},
             .y = {axis->lo, axis->hi, canvas_height(c) - 1, 0, axis->log},
             .grain = 0.5};
  trace_curve(
      &t, &(TraceData){curve->time, curve->x, curve->y, curve->n, curve->steps, curve->ordered});
  for (uint32_t k = 0; k < t.pieces.n; k++) {
    const TracePiece *piece = &t.pieces.at[k];
    for (uint32_t i = 1; i < piece->n; i++)
      canvas_line(c, piece->points[i - 1].x, piece->points[i - 1].y, piece->points[i].x,
                  piece->points[i].y, sign_of(curve, several),
                  piece->kind == TRACE_JUMP && !curve->steps);
  }
}

/* Letters along a curve, at columns of its own. */
static void put_letters(const Canvas *alone, Canvas *c, const ChartCurve *curve, uint32_t n) {
  size_t every = LETTER_EVERY * (n > 2 ? 2 : 1);
  for (size_t column = 3 + curve->style * every / n; column < c->columns; column += every) {
    long line = canvas_find(alone, column);
    if (line >= 0)
      canvas_letter(c, column, (size_t)line, letter_of(curve));
  }
}

static Canvas draw_curves(const TermPlot *p) {
  const ChartPlot *plot = p->plot;
  bool several = plot->n > 1, ascii = p->t->o->ascii;
  Canvas c = canvas_new(p->columns, p->lines, ascii, p->t->arena);
  for (uint32_t k = 0; k < plot->n; k++)
    draw_curve(p, &c, &plot->curves[k], several);
  for (uint32_t k = 0; k < plot->n && several && !ascii; k++) {
    Canvas alone = canvas_new(p->columns, p->lines, ascii, p->t->arena);
    draw_curve(p, &alone, &plot->curves[k], several);
    put_letters(&alone, &c, &plot->curves[k], plot->n);
  }
  return c;
}

/* ---- axes ---- */

/* The mark of a line of the picture; NULL: none. */
static const char *mark_at(const ChartAxis *axis, const Ticks *t, size_t line, size_t lines) {
  TraceScale s = {axis->lo, axis->hi, (double)lines - 1, 0, axis->log};
  for (uint32_t k = 0; k < t->n_major; k++)
    if (llround(trace_place(&s, t->major[k].at)) == (long long)line)
      return t->major[k].label;
  return NULL;
}

static size_t widest(const Ticks *t) {
  size_t n = 0;
  for (uint32_t k = 0; k < t->n_major; k++)
    n = term_width(t->major[k].label) > n ? term_width(t->major[k].label) : n;
  return n;
}

static void print_line(const TermPlot *p, const Canvas *c, size_t line, Text *out) {
  bool ascii = p->t->o->ascii, left = p->plot->has_left, right = p->plot->has_right;
  const char *mark = left ? mark_at(&p->plot->y, &p->y, line, p->lines) : NULL;
  right_aligned(out, mark ? mark : "", p->t->left);
  text_add(out, ascii ? (mark ? " +" : " |") : mark ? " \xE2\x94\xA4" : " \xE2\x94\x82");
  size_t before = out->n;
  canvas_print(c, line, out);
  if (right) {
    size_t used = term_width(out->at + before);
    mark = mark_at(&p->plot->y2, &p->y2, line, p->lines);
    term_blanks(out, p->columns - used);
    text_add(out, ascii ? (mark ? "+ " : "| ") : mark ? "\xE2\x94\x9C " : "\xE2\x94\x82 ");
    text_add(out, mark ? mark : "");
  }
  term_line_end(out);
}

size_t term_column(const TermPlot *p, double x) {
  TraceScale s = {p->plot->x.lo, p->plot->x.hi, 0, (double)p->columns - 1, p->plot->x.log};
  double at = trace_place(&s, x);
  return at >= 0 && at <= (double)p->columns - 0.5 ? (size_t)(at + 0.5) : p->columns;
}

/* The line below the picture. */
static void print_edge(const TermPlot *p, Text *out) {
  bool ascii = p->t->o->ascii;
  term_blanks(out, p->t->left + 1);
  text_add(out, ascii ? "+" : "\xE2\x94\x94");
  for (size_t i = 0; i < p->columns; i++) {
    bool mark = false;
    for (uint32_t k = 0; k < p->x.n_major; k++)
      mark = mark || term_column(p, p->x.major[k].at) == i;
    text_add(out, ascii ? (mark ? "+" : "-") : mark ? "\xE2\x94\xAC" : "\xE2\x94\x80");
  }
  if (p->plot->has_right)
    text_add(out, ascii ? "+" : "\xE2\x94\x98");
  term_line_end(out);
}

/* Numbers below their marks, as far as there is room, then what the axis is. */
void term_print_x(const TermPlot *p, Text *out) {
  size_t column = 0, free_from = 0, start = p->t->left + 2;
  for (uint32_t k = 0; k < p->x.n_major; k++) {
    const char *label = p->x.major[k].label;
    size_t n = term_width(label), middle = start + term_column(p, p->x.major[k].at),
           from = middle > n / 2 ? middle - n / 2 : 0;
    if (from < free_from)
      continue;
    term_blanks(out, from - column);
    text_add(out, label);
    column = from + n;
    free_from = column + 2;
  }
  term_line_end(out);
  const char *label = chart_axis_label(&p->plot->x, &p->x, p->t->o->ascii, p->t->arena);
  if (*label) {
    term_blanks(out, start);
    centred(out, label, p->columns);
    term_line_end(out);
  }
}

/* Label of the axis, legend, label of the second axis. */
static void print_head(const TermPlot *p, Text *out) {
  const ChartPlot *plot = p->plot;
  bool ascii = p->t->o->ascii;
  Arena *a = p->t->arena;
  size_t from = out->n;
  if (*plot->title) {
    term_blanks(out, p->t->left + 2);
    text_add(out, draw_clean(plot->title, a));
    term_line_end(out);
    from = out->n;
  }
  const char *left = plot->has_left ? chart_axis_label(&plot->y, &p->y, ascii, a) : "",
             *right = plot->has_right ? chart_axis_label(&plot->y2, &p->y2, ascii, a) : "";
  term_blanks(out, p->t->left + 2);
  text_add(out, draw_clean(left, a));
  for (uint32_t k = 0; k < plot->n; k++) {
    uint32_t i = 0;
    while (plot->curves[i].style != k)
      i++;
    const ChartCurve *c = &plot->curves[i];
    if (*c->legend)
      text_printf(out, "   %c %s%s", ascii ? sign_of(c, plot->n > 1) : letter_of(c),
                  draw_clean(c->legend, a), c->right && plot->has_left ? " ->" : "");
  }
  if (*right) {
    size_t used = term_width(out->at + from), end = p->t->left + 3 + p->columns + widest(&p->y2),
           n = term_width(right);
    term_blanks(out, used + n + 3 < end ? end - used - n : 3);
    text_add(out, draw_clean(right, a));
  }
  term_line_end(out);
}

/* ---- plots ---- */

static size_t lines_of(const Term *t, const ChartPlot *p) {
  size_t lines = t->o->lines     ? t->o->lines
                 : p->weight < 1 ? (size_t)fmax(3, LINES * p->weight)
                                 : LINES;
  return lines < MOST_TERMINAL_LINES ? lines : MOST_TERMINAL_LINES;
}

static uint32_t few(double n, uint32_t least, uint32_t most) {
  return n < least ? least : n > most ? most : (uint32_t)n;
}

static Ticks ticks_of(const Term *t, const ChartAxis *axis, uint32_t most) {
  Ticks ticks = chart_ticks(axis, most, t->arena);
  if (t->o->ascii && axis->log)
    ticks_to_ascii(&ticks, t->arena);
  return ticks;
}

static void prepare(Term *t, TermPlot *plots) {
  size_t right = 0, width = t->o->columns ? t->o->columns : WIDTH;
  for (uint32_t k = 0; k < t->chart->n; k++) {
    TermPlot *p = &plots[k];
    *p = (TermPlot){.t = t, .plot = &t->chart->plots[k], .lines = lines_of(t, &t->chart->plots[k])};
    uint32_t n = few((double)p->lines / 3, 1, 8);
    p->y = p->plot->has_left ? ticks_of(t, &p->plot->y, n) : (Ticks){0};
    p->y2 = p->plot->has_right ? ticks_of(t, &p->plot->y2, n) : (Ticks){0};
    t->left = widest(&p->y) > t->left ? widest(&p->y) : t->left;
    right = p->plot->has_right && widest(&p->y2) + 2 > right ? widest(&p->y2) + 2 : right;
  }
  t->left = t->left < 6 ? 6 : t->left;
  right = term_names_width(t) > right ? term_names_width(t) : right;
  size_t used = t->left + 2 + right + 1;
  for (uint32_t k = 0; k < t->chart->n; k++) {
    TermPlot *p = &plots[k];
    p->columns = width > used + LEAST_COLUMNS ? width - used : LEAST_COLUMNS;
    p->columns = p->columns < MOST_TERMINAL_COLUMNS ? p->columns : MOST_TERMINAL_COLUMNS;
    p->x = ticks_of(t, &p->plot->x, few((double)p->columns / 14, 1, 10));
  }
}

/* What the model or the user calls by other letters. */
static void make_ascii(Text *out, size_t from) {
  size_t n = from;
  for (size_t k = from; k < out->n; k++)
    if (((unsigned char)out->at[k] & 0xC0) != 0x80)
      out->at[n++] = (unsigned char)out->at[k] < 0x80 ? out->at[k] : '?';
  out->n = n;
  if (out->at)
    out->at[n] = 0;
}

void plot_terminal(const Chart *chart, const NuFigureOptions *o, Text *out) {
  size_t before = out->n;
  Term t = {.chart = chart, .o = o, .arena = out->arena};
  TermPlot *plots = NEW_ARRAY(t.arena, TermPlot, chart->n + 1);
  prepare(&t, plots);
  if (*chart->title) {
    term_blanks(out, t.left + 2);
    centred(out, draw_clean(chart->title, t.arena), chart->n ? plots[0].columns : 0);
    term_line_end(out);
  }
  for (uint32_t k = 0; k < chart->n; k++) {
    const TermPlot *p = &plots[k];
    bool last = k + 1 == chart->n;
    print_head(p, out);
    if (k == 0)
      term_print_events(p, out);
    Canvas c = draw_curves(p);
    for (size_t line = 0; line < p->lines; line++)
      print_line(p, &c, line, out);
    print_edge(p, out);
    if (last)
      term_print_modes(p, out);
    if (last || !chart->common_x)
      term_print_x(p, out);
  }
  term_print_key(&t, out);
  if (*chart->caption)
    text_printf(out, "%s\n", draw_clean(chart->caption, t.arena));
  if (o->ascii)
    make_ascii(out, before);
}
