/* plot/strips.c -- modes below the curves: a strip for each switching group, each value with a
 * shade or hatching of its own and its text where there is room; the others are told by the key. */
#include <math.h>
#include <string.h>

#include "plot/layout.h"
#include "base/limits.h"

static const double STRIP = 11, STRIP_GAP = 2.5, NARROW = 0.6, NAME_WIDTH = 96; /* pt */
static const double SMALL = FONT_SIZE - 1;
enum { GREY_MIXED = 0x8c8c8c };

typedef struct {
  DrawColor fill;
  int lines; /* hatching: 1 rising, 2 falling, 3 both, 4 upright */
} Pattern;

static Pattern pattern_of(uint32_t value) {
  static const Pattern all[] = {{DRAW_WHITE, 0}, {0xd9d9d9, 0},   {DRAW_WHITE, 1},
                                {0xb8b8b8, 0},   {DRAW_WHITE, 2}, {DRAW_WHITE, 3},
                                {0xd9d9d9, 1},   {DRAW_WHITE, 4}, {0xd9d9d9, 2}};
  return all[value % (sizeof all / sizeof *all)];
}

static uint32_t main_tracks(const Chart *c) {
  uint32_t n = 0;
  for (size_t k = 0; c->modes && k < c->modes->n_tracks; k++)
    n += !c->modes->tracks[k].minor;
  return n;
}

uint32_t strip_count(const Chart *c) {
  uint32_t n = main_tracks(c);
  if (!n && c->modes && c->modes->n_tracks)
    n = 1; /* better one that tells little than none */
  return n < MOST_STRIPS ? n : MOST_STRIPS;
}

uint32_t strips_left(const Chart *c) {
  uint32_t n = main_tracks(c);
  return n > MOST_STRIPS ? n - MOST_STRIPS : 0;
}

const NuModeTrack *strip_track(const Chart *c, uint32_t number) {
  uint32_t n = 0;
  for (size_t k = 0; k < c->modes->n_tracks; k++)
    if (!c->modes->tracks[k].minor && n++ == number)
      return &c->modes->tracks[k];
  return &c->modes->tracks[number];
}

/* In how many strips a text is a value; *first: the number of the first of them. */
static uint32_t strips_with(const Chart *c, const char *text, uint32_t *first) {
  uint32_t n = strip_count(c), found = 0;
  for (uint32_t k = 0; k < n; k++) {
    const NuModeTrack *t = strip_track(c, k);
    for (size_t v = 0; v < t->n_values && v < MOST_SHADES_SHARED; v++)
      if (strcmp(t->values[v], text) == 0) {
        *first = found ? *first : k;
        found++;
        break;
      }
  }
  return found;
}

/* The same text has the same shade in all strips; texts that several strips share come first, so
 * that theirs are simple. */
static uint32_t shade_of(const Chart *c, const NuModeTrack *t, uint32_t value) {
  uint32_t n = strip_count(c), shade = 0, first;
  const char *text = t->values[value];
  if (value >= MOST_SHADES_SHARED)
    return value;
  bool shared = strips_with(c, text, &first) > 1;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t k = 0; k < n; k++)
      for (size_t v = 0; v < strip_track(c, k)->n_values && v < MOST_SHADES_SHARED; v++) {
        const char *other = strip_track(c, k)->values[v];
        if ((strips_with(c, other, &first) > 1) != (pass == 0) || first != k)
          continue;
        if (shared == (pass == 0) && strcmp(other, text) == 0)
          return shade;
        shade++;
      }
  return shade;
}

void layout_measure_strips(Layout *l) {
  uint32_t n = strip_count(l->chart);
  for (uint32_t k = 0; k < n; k++)
    l->names = fmax(
        l->names,
        fmin(NAME_WIDTH, draw_text_width(strip_track(l->chart, k)->name, SMALL, false)) + 4);
  l->strips = n ? n * (STRIP + STRIP_GAP) + 2 : 0;
}

/* ---- hatching ---- */

/* Lines y = x*slope + c through the box. */
static void hatch(Drawing *d, DrawBox b, int lines) {
  const DrawStroke pen = {0x6e6e6e, 0.4, DASH_NONE};
  static const double apart = 3.2;
  double height = b.y1 - b.y0;
  for (double x = floor((b.x0 - height) / apart) * apart; x < b.x1; x += apart)
    for (int way = 1; way <= 2; way++) {
      DrawPoint from = {x, way == 1 ? b.y1 : b.y0}, to = {x + height, way == 1 ? b.y0 : b.y1};
      if ((lines & way) && trace_clip(&b, &from, &to))
        draw_segment(d, from.x, from.y, to.x, to.y, pen);
    }
  for (double x = ceil(b.x0 / apart) * apart; x < b.x1 && lines == 4; x += apart)
    draw_segment(d, x, b.y0, x, b.y1, pen);
}

void strip_swatch(Drawing *d, DrawBox b, uint32_t value) {
  Pattern p = pattern_of(value);
  draw_rectangle(d, b, p.fill, (DrawStroke){0});
  if (p.lines)
    hatch(d, b, p.lines);
  draw_rectangle(d, b, DRAW_NONE, (DrawStroke){GREY_FRAME, 0.4, DASH_NONE});
}

/* ---- strips ---- */

typedef struct {
  Layout *l;
  const Frame *f;
  const NuModeTrack *track;
  double y0, y1;
  uint32_t *shades; /* of its values */
} Strip;

static bool has_room(const char *text, double width) {
  return draw_text_width(text, SMALL, false) + 4 <= width;
}

static void draw_span(const Strip *s, DrawBox b, uint32_t value) {
  Drawing *d = s->l->d;
  const char *text = s->track->values[value];
  double width = draw_text_width(text, SMALL, false);
  uint32_t shade = s->shades[value];
  strip_swatch(d, b, shade);
  if (!has_room(text, b.x1 - b.x0))
    return;
  double middle = (b.x0 + b.x1) / 2;
  if (pattern_of(shade).lines)
    draw_rectangle(d, (DrawBox){middle - width / 2 - 1, b.y0 + 1, middle + width / 2 + 1, b.y1 - 1},
                   pattern_of(shade).fill, (DrawStroke){0});
  draw_text(d, middle, b.y1 - 3, text, (DrawFont){.size = SMALL, .anchor = ANCHOR_MIDDLE});
}

/* Spans that are too short to be seen alone become one grey block. */
static void draw_strip(const Strip *s) {
  Drawing *d = s->l->d;
  TraceScale sx = layout_x(s->f);
  double mixed = NAN; /* where such a block begins */
  double second = s->l->chart->second;
  for (size_t k = 0; k <= s->track->n_spans; k++) {
    bool end = k == s->track->n_spans;
    const NuModeSpan *span = &s->track->spans[end ? k - 1 : k];
    double x0 = fmax(s->f->box.x0, trace_place(&sx, span->from * second)),
           x1 = fmin(s->f->box.x1, trace_place(&sx, span->to * second));
    bool wide = !end && x1 - x0 >= NARROW;
    if (!end && !(x1 > x0))
      continue;
    if (!end && !wide) {
      mixed = isnan(mixed) ? x0 : mixed;
      continue;
    }
    if (!isnan(mixed))
      draw_rectangle(d, (DrawBox){mixed, s->y0, fmax(end ? x1 : x0, mixed + 0.3), s->y1},
                     GREY_MIXED, (DrawStroke){0});
    mixed = NAN;
    if (wide)
      draw_span(s, (DrawBox){x0, s->y0, x1, s->y1}, span->value);
  }
  draw_rectangle(d, (DrawBox){s->f->box.x0, s->y0, s->f->box.x1, s->y1}, DRAW_NONE,
                 (DrawStroke){GREY_FRAME, THIN, DASH_NONE});
}

void layout_strips(Layout *l, const Frame *f) {
  uint32_t n = strip_count(l->chart);
  for (uint32_t k = 0; k < n; k++) {
    const NuModeTrack *t = strip_track(l->chart, k);
    double y0 = f->box.y1 + 4 + k * (STRIP + STRIP_GAP);
    Strip s = {l, f, t, y0, y0 + STRIP, NEW_ARRAY(l->d->arena, uint32_t, t->n_values + 1)};
    for (uint32_t v = 0; v < t->n_values; v++)
      s.shades[v] = shade_of(l->chart, t, v);
    draw_group(l->d, t->name);
    draw_strip(&s);
    draw_text(
        l->d, f->box.x0 - 4, s.y1 - 3,
        draw_text_fit(t->name, SMALL, false, fmin(f->box.x0 - EDGE - 4, NAME_WIDTH), l->d->arena),
        (DrawFont){.size = SMALL, .anchor = ANCHOR_END, .color = GREY_TEXT});
    draw_end(l->d);
  }
}

/* ---- the key ---- */

static bool is_in_key(const Layout *l, const char *text) {
  for (uint32_t k = 0; k < l->key.n; k++)
    if (strcmp(l->key.at[k].text, text) == 0)
      return true;
  return false;
}

/* Values that are seen in a strip while their text has room nowhere. */
static void untold(Layout *l, const NuModeTrack *t) {
  const ChartPlot *p = &l->chart->plots[l->chart->n - 1];
  TraceScale sx = {p->x.lo, p->x.hi, l->left, l->right, p->x.log};
  Arena *a = l->d->arena;
  bool *seen = NEW_ARRAY(a, bool, t->n_values + 1), *told = NEW_ARRAY(a, bool, t->n_values + 1);
  for (size_t k = 0; k < t->n_spans; k++) {
    const NuModeSpan *span = &t->spans[k];
    double x0 = fmax(l->left, trace_place(&sx, span->from * l->chart->second)),
           x1 = fmin(l->right, trace_place(&sx, span->to * l->chart->second));
    seen[span->value] = seen[span->value] || x1 - x0 >= NARROW;
    told[span->value] = told[span->value] || has_room(t->values[span->value], x1 - x0);
  }
  for (uint32_t v = 0; v < t->n_values; v++)
    if (seen[v] && !told[v] && !is_in_key(l, t->values[v]))
      layout_key_add(l, (KeyEntry){.value = shade_of(l->chart, t, v), .text = t->values[v]});
}

void layout_strips_key(Layout *l) {
  uint32_t n = strip_count(l->chart);
  for (uint32_t k = 0; k < n; k++)
    untold(l, strip_track(l->chart, k));
  uint32_t left = strips_left(l->chart);
  if (left)
    layout_key_add(
        l, (KeyEntry){.kind = KEY_NOTE,
                      .text = arena_printf(l->d->arena, "%u more modes are not shown", left)});
}
