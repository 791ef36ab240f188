/* plot/marks.c -- what happened, on paper: a thin line through the plots for each event, with a
 * sign of its kind above the first plot; arrows for Dirac pulses; the key to the signs. Where there
 * are more than can be told apart, some are left out, and the key says so. */
#include <math.h>
#include <string.h>

#include "plot/layout.h"
#include "base/limits.h"
#include "plot/units.h"

/* pt */
static const double SIGN = 2.4, SIGN_ROW = 7, SIGN_APART = 5.5, LINE_APART = 2.5, ARROW_APART = 1.5;
static const double ARROW = 0.3; /* of the height of a plot: the longest */
/* Of the time axis: what lies closer falls together on paper */
static const double SAME_INSTANT = 1e-3;
enum { GREY_EVENT = 0x9a9a9a };

/* In the order of the key. */
static const char *const kinds[] = {"state",      "time",       "both",    "mythical", "pinnacle",
                                    "projection", "structural", "sliding", "exit",     "contact"};
enum {
  KIND_STATE,
  KIND_TIME,
  KIND_BOTH,
  KIND_MYTHICAL,
  KIND_PINNACLE,
  KIND_PROJECTION,
  KIND_STRUCTURAL,
  KIND_SLIDING,
  KIND_EXIT,
  KIND_CONTACT,
  KINDS
};

int mark_kind(const char *kind) {
  for (int k = 0; k < KINDS; k++)
    if (strcmp(kinds[k], kind) == 0)
      return k;
  return -1;
}

const char *mark_name(int kind) {
  return kind >= KINDS ? NULL : kind == KIND_BOTH ? "state and time" : kinds[kind];
}

/* ---- instants ---- */

/* That it was an event of this or that kind goes without saying if more is told. */
static void leave_plain(MarkInstant *at) {
  const unsigned plain = 1u << KIND_STATE | 1u << KIND_TIME | 1u << KIND_BOTH;
  if (at->kinds & ~plain)
    at->kinds &= ~plain;
}

uint32_t mark_instants(const Chart *c, const ChartPlot *p, MarkInstant **out, Arena *a) {
  const NuModes *m = c->marks;
  *out = NULL;
  if (!m)
    return 0;
  double lo = p->over_time ? p->x.lo : fmax(c->from, m->start) * c->second,
         hi = p->over_time ? p->x.hi : fmin(c->to, m->end) * c->second;
  double apart = p->over_time && p->x.log ? 0 : (hi - lo) * SAME_INSTANT;
  VEC(MarkInstant) all = {0};
  for (size_t k = 0; k < m->n_marks; k++) {
    int kind = mark_kind(m->marks[k].kind);
    double at = m->marks[k].time * c->second;
    if (kind < 0 || at < lo || at > hi)
      continue;
    if (!all.n || at - vec_last(&all).at > apart)
      vec_push(a, &all, (MarkInstant){at, 0});
    vec_last(&all).kinds |= 1u << kind;
  }
  for (uint32_t k = 0; k < all.n; k++)
    leave_plain(&all.at[k]);
  *out = all.at;
  return all.n;
}

/* Instants whose signs would lie over each other are told together. */
static uint32_t clusters(const Chart *c, const ChartPlot *p, double left, double right,
                         MarkInstant **out, Arena *a) {
  MarkInstant *at;
  uint32_t n = mark_instants(c, p, &at, a), kept = 0;
  TraceScale s = {p->x.lo, p->x.hi, left, right, p->x.log};
  for (uint32_t k = 0; k < n; k++) {
    bool joins = kept && trace_place(&s, at[k].at) - trace_place(&s, at[kept - 1].at) < SIGN_APART;
    if (joins)
      at[kept - 1].kinds |= at[k].kinds;
    else
      at[kept++] = at[k];
  }
  for (uint32_t k = 0; k < kept; k++)
    leave_plain(&at[k]);
  *out = at;
  return kept;
}

static uint32_t kinds_in(unsigned set) {
  uint32_t n = 0;
  for (int k = 0; k < KINDS; k++)
    n += set >> k & 1;
  return n;
}

static uint32_t rows_of(unsigned set) {
  uint32_t n = kinds_in(set);
  return n < MOST_SIGN_ROWS ? n : MOST_SIGN_ROWS;
}

/* ---- signs ---- */

void mark_sign(Drawing *d, int kind, double x, double y) {
  const double s = SIGN, r = s * 0.8;
  const DrawStroke pen = {DRAW_BLACK, 0.6, DASH_NONE}, none = {0};
  DrawPoint down[] = {{x - s, y - r}, {x + s, y - r}, {x, y + s}},
            up[] = {{x - s, y + r}, {x + s, y + r}, {x, y - s}};
  DrawPoint diamond[] = {{x, y - s}, {x + s, y}, {x, y + s}, {x - s, y}};
  switch (kind) {
  case KIND_STATE: draw_polygon(d, down, 3, DRAW_WHITE, pen); break;
  case KIND_TIME: draw_rectangle(d, (DrawBox){x - r, y - r, x + r, y + r}, DRAW_WHITE, pen); break;
  case KIND_BOTH: draw_rectangle(d, (DrawBox){x - r, y - r, x + r, y + r}, DRAW_BLACK, none); break;
  case KIND_MYTHICAL: draw_polygon(d, diamond, 4, DRAW_WHITE, pen); break;
  case KIND_PINNACLE: draw_polygon(d, up, 3, DRAW_BLACK, none); break;
  case KIND_PROJECTION: draw_polygon(d, down, 3, DRAW_BLACK, none); break;
  case KIND_STRUCTURAL: draw_polygon(d, diamond, 4, DRAW_BLACK, none); break;
  case KIND_SLIDING:
    for (int k = -1; k <= 1; k += 2) {
      DrawPoint *wave = NEW_ARRAY(d->arena, DrawPoint, 4);
      for (int i = 0; i < 4; i++)
        wave[i] = (DrawPoint){x - s + i * s * 2 / 3, y + k * 1.2 + (i % 2 ? 0.8 : -0.8)};
      draw_line(d, wave, 4, pen);
    }
    break;
  case KIND_EXIT: draw_circle(d, (DrawPoint){x, y}, r, DRAW_WHITE, pen); break;
  case KIND_CONTACT:
    draw_segment(d, x, y - s, x, y + r, pen);
    draw_segment(d, x - s, y + r, x + s, y + r, (DrawStroke){DRAW_BLACK, 1.1, DASH_NONE});
    break;
  }
}

void layout_measure_marks(Layout *l) {
  MarkInstant *at;
  uint32_t rows = 0;
  if (!l->chart->marks || !l->chart->plots[0].over_time)
    return;
  /* the boxes are narrower than the paper: what meets there meets in them */
  uint32_t n = clusters(l->chart, &l->chart->plots[0], 0, l->d->width * 0.6, &at, l->d->arena);
  for (uint32_t k = 0; k < n; k++)
    rows = rows_of(at[k].kinds) > rows ? rows_of(at[k].kinds) : rows;
  l->lane = rows * SIGN_ROW + (rows ? 2 : 0);
}

static void draw_signs(Layout *l, const Frame *f) {
  MarkInstant *at;
  TraceScale s = layout_x(f);
  uint32_t n = clusters(l->chart, f->plot, f->box.x0, f->box.x1, &at, l->d->arena);
  for (uint32_t i = 0; i < n; i++) {
    double x = trace_place(&s, at[i].at), y = f->box.y0 - SIGN_ROW / 2 - 1;
    for (int k = 0, row = 0; k < KINDS && row < MOST_SIGN_ROWS; k++)
      if (at[i].kinds >> k & 1)
        mark_sign(l->d, k, x, y - row++ * SIGN_ROW);
  }
}

/* ---- pulses ---- */

/* Where an arrow begins: the limit of the curve at this time that lies farther in its direction. */
static double base_at(const ChartCurve *c, const NuPulse *p) {
  size_t from = 0, to = c->n; /* the first point that is not earlier */
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (c->time[middle] < p->time)
      from = middle + 1;
    else
      to = middle;
  }
  double base = NAN;
  for (size_t k = from; k < c->n && c->time[k] == p->time; k++)
    base = isnan(base) ? c->y[k] : p->area > 0 ? fmax(base, c->y[k]) : fmin(base, c->y[k]);
  return isnan(base) && from ? c->y[from - 1] : base;
}

/* Four digits. */
static double rounded(double v) {
  double unit = v != 0 ? power_of_ten((int)floor(log10(fabs(v))) - 3) : 1;
  return unit < 1 ? round(v / unit) / round(1 / unit) : round(v / unit) * unit;
}

static const char *area_text(const ChartAxis *axis, double area, Arena *a) {
  Text out = {.arena = a};
  text_real(&out, rounded(area * units_change(axis->source_unit, axis->unit).factor));
  text_add(&out, *axis->unit ? " " : "");
  text_add(&out, units_pretty(axis->unit, a));
  text_add(&out, *axis->unit ? "\xC2\xB7s" : "");
  return text_str(&out);
}

typedef struct {
  double biggest; /* area */
  uint32_t n;
  double last; /* place of the arrow before */
} PulseScale;

/* Does a curve run through a box? */
static bool is_crossed(const Frame *f, const DrawBox *box) {
  TraceScale sx = layout_x(f);
  for (uint32_t k = 0; k < f->plot->n; k++) {
    const ChartCurve *c = &f->plot->curves[k];
    TraceScale sy = layout_y(f, c->right);
    for (size_t i = 1; i < c->n; i++) {
      DrawPoint a = {trace_place(&sx, c->x[i - 1]), trace_place(&sy, c->y[i - 1])},
                b = {trace_place(&sx, c->x[i]), trace_place(&sy, c->y[i])};
      if (b.x >= box->x0 && a.x <= box->x1 && isfinite(a.y + b.y) && trace_clip(box, &a, &b))
        return true;
    }
  }
  return false;
}

static void draw_arrow(Layout *l, const Frame *f, const ChartCurve *c, const NuPulse *p,
                       PulseScale *scale) {
  TraceScale sx = layout_x(f), sy = layout_y(f, c->right);
  const ChartAxis *axis = c->right ? &f->plot->y2 : &f->plot->y;
  DrawStroke stroke = {layout_stroke(c->style).color, 1.4, DASH_NONE};
  double x = trace_place(&sx, p->time * l->chart->second), y = trace_place(&sy, base_at(c, p)),
         up = p->area > 0 ? -1 : 1;
  if (!isfinite(x) || x < f->box.x0 || x > f->box.x1 || x - scale->last < ARROW_APART)
    return;
  scale->last = x;
  y = isfinite(y) ? fmin(fmax(y, f->box.y0), f->box.y1) : f->box.y1;
  double room = up < 0 ? y - f->box.y0 : f->box.y1 - y, height = f->box.y1 - f->box.y0;
  double length = fmin(height * ARROW * fmax(0.35, fabs(p->area) / scale->biggest),
                       fmax(room - 3, 12)),
         tip = y + up * length;
  draw_segment(l->d, x, y, x, tip - up * 4, stroke);
  draw_polygon(l->d, (DrawPoint[]){{x - 2.4, tip - up * 5}, {x + 2.4, tip - up * 5}, {x, tip}}, 3,
               stroke.color, (DrawStroke){0});
  if (scale->n > MOST_AREAS_SHOWN)
    return;
  const char *text = area_text(axis, p->area, l->d->arena);
  double width = draw_text_width(text, FONT_SIZE - 1, false),
         line = fmin(fmax(tip + (up < 0 ? 5 : 1), f->box.y0 + FONT_SIZE), f->box.y1 - 2);
  DrawBox right_box = {x + 4, line - FONT_SIZE, x + 4 + width, line + 2},
          left_box = {x - 4 - width, line - FONT_SIZE, x - 4, line + 2};
  bool left = right_box.x1 > f->box.x1 ||
              (left_box.x0 > f->box.x0 && is_crossed(f, &right_box) && !is_crossed(f, &left_box));
  draw_text(l->d, x + (left ? -4 : 4), line, text,
            (DrawFont){.size = FONT_SIZE - 1,
                       .anchor = left ? ANCHOR_END : ANCHOR_START,
                       .color = stroke.color});
}

void layout_pulses(Layout *l, const Frame *f) {
  const NuModes *m = l->chart->marks;
  if (!m || !f->plot->over_time)
    return;
  for (uint32_t k = 0; k < f->plot->n; k++) {
    const ChartCurve *c = &f->plot->curves[k];
    PulseScale scale = {0, 0, -INFINITY};
    for (size_t i = 0; i < m->n_pulses; i++)
      if (strcmp(m->pulses[i].variable, c->name) == 0 && isfinite(m->pulses[i].area)) {
        scale.biggest = fmax(scale.biggest, fabs(m->pulses[i].area));
        scale.n++;
      }
    for (size_t i = 0; i < m->n_pulses && scale.biggest > 0; i++)
      if (strcmp(m->pulses[i].variable, c->name) == 0 && isfinite(m->pulses[i].area) &&
          m->pulses[i].area != 0)
        draw_arrow(l, f, c, &m->pulses[i], &scale);
  }
}

/* ---- lines ---- */

void layout_marks(Layout *l, const Frame *f) {
  MarkInstant *at;
  if (!l->chart->marks || !f->plot->over_time)
    return;
  uint32_t n = mark_instants(l->chart, f->plot, &at, l->d->arena);
  TraceScale s = layout_x(f);
  double last = -INFINITY;
  for (uint32_t k = 0; k < n; k++) {
    double x = trace_place(&s, at[k].at);
    if (x - last < LINE_APART)
      continue;
    draw_segment(l->d, x, f->box.y0, x, f->box.y1, (DrawStroke){GREY_EVENT, 0.4, DASH_LONG});
    last = x;
  }
  if (f == l->frames)
    draw_signs(l, f);
}

/* ---- for the key ---- */

unsigned layout_marks_shown(const Layout *l, bool *thinned) {
  MarkInstant *at;
  const ChartPlot *p = &l->chart->plots[0];
  unsigned shown = 0;
  *thinned = false;
  if (!l->chart->marks)
    return 0;
  if (!p->over_time) { /* signs are on the curve (paths.c) */
    uint32_t n = mark_instants(l->chart, p, &at, l->d->arena);
    for (uint32_t k = 0; k < n; k++)
      shown |= at[k].kinds;
    return shown;
  }
  uint32_t all = mark_instants(l->chart, p, &at, l->d->arena),
           n = clusters(l->chart, p, l->left, l->right, &at, l->d->arena);
  for (uint32_t k = 0; k < n; k++)
    shown |= at[k].kinds;
  *thinned = all > n + 2 + n / 10; /* two lines on one spot need no word */
  for (uint32_t k = 0; k < n; k++)
    *thinned = *thinned || kinds_in(at[k].kinds) > MOST_SIGN_ROWS;
  return shown;
}
