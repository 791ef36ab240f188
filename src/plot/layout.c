/* plot/layout.c -- a chart on paper: margins that hold every label, plots of one width below each
 * other, legends above the curves and never over them. */
#include "plot/layout.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

static const double CM = 72 / 2.54, WIDTH = 16, HEIGHT = 10, HEIGHT_MORE = 4, TALLEST = 24,
                    HEIGHT_LEAST = 2.5;                          /* cm */
static const double X_TICK = 52, Y_TICK = 26;                    /* about that far apart */
static const double SAMPLE = 22, SAMPLE_GAP = 4, ENTRY_GAP = 14; /* of a legend */
static const double TICK_GAP = 4, BOX_GAP = 9, LEAST_BOX = 20;

/* ---- marks along the axes ---- */

static uint32_t how_many(double length, double each) {
  double n = floor(length / each);
  return n < 2 ? 2 : n > 12 ? 12 : (uint32_t)n;
}

static double widest(const Ticks *t, Arena *a) {
  double w = 0;
  for (uint32_t k = 0; k < t->n_major; k++)
    w = fmax(w, draw_text_width(layout_number(t->major[k].label, a), FONT_SIZE, false));
  return w;
}

/* As many as have room beside each other. */
static Ticks x_ticks(const ChartAxis *axis, double length, Arena *a) {
  for (uint32_t n = how_many(length, X_TICK);; n--) {
    Ticks t = chart_ticks(axis, n, a);
    if (n <= 1 || t.n_major < 2 || (widest(&t, a) + FONT_SIZE) * t.n_major <= length)
      return t;
  }
}

static double side_room(const ChartAxis *axis, const Ticks *t, Arena *a) {
  double label = *chart_axis_label(axis, t, false, a) ? LINE_HEIGHT + 3 : 0;
  return TICK_GAP + widest(t, a) + label;
}

/* ---- sizes ---- */

static double page_height(const Chart *c, const NuFigureOptions *o) {
  if (o->height > 0)
    return o->height * CM;
  double sum = HEIGHT - HEIGHT_MORE;
  for (uint32_t k = 0; k < c->n; k++)
    sum += HEIGHT_MORE * (c->common_x ? c->plots[k].weight : 1.5);
  return fmin(sum + strip_count(c) * 0.48, fmax(TALLEST, HEIGHT_LEAST * c->n)) * CM;
}

static bool is_in_legend(const ChartCurve *c) { return *c->legend; }

const char *layout_legend(const ChartPlot *p, const ChartCurve *c, Arena *a) {
  return c->right && p->has_left ? arena_printf(a, "%s \xE2\x86\x92", c->legend) : c->legend;
}

static void place_legend(Frame *f, double width, Arena *a) {
  const ChartPlot *p = f->plot;
  double x = 0;
  f->legend = NEW_ARRAY(a, LegendEntry, p->n + 1);
  for (uint32_t k = 0; k < p->n; k++) {
    /* in the order in which they were named, not that of drawing */
    uint32_t curve = 0;
    while (p->curves[curve].style != k)
      curve++;
    if (!is_in_legend(&p->curves[curve]))
      continue;
    double need = SAMPLE + SAMPLE_GAP +
                  draw_text_width(layout_legend(p, &p->curves[curve], a), FONT_SIZE, false);
    if (x > 0 && x + need > width) {
      f->legend_rows++;
      x = 0;
    }
    f->legend[f->n_legend++] = (LegendEntry){curve, f->legend_rows, x};
    x += need + ENTRY_GAP;
  }
  f->legend_rows += f->n_legend > 0;
}

/* Plots below each other often tell apart the same results. */
static bool same_legend(const ChartPlot *a, const ChartPlot *b) {
  bool same = a->n == b->n && a->has_left == b->has_left && a->has_right == b->has_right;
  for (uint32_t k = 0; same && k < a->n; k++)
    same = strcmp(a->curves[k].legend, b->curves[k].legend) == 0 &&
           a->curves[k].style == b->curves[k].style && a->curves[k].right == b->curves[k].right;
  return same;
}

/* What stands above and below the box of a plot. */
static double above(const Layout *l, uint32_t k) {
  const Frame *f = &l->frames[k];
  double h = f->legend_rows * LINE_HEIGHT + (*f->plot->title ? LINE_HEIGHT + 2 : 0);
  h += h > 0 ? 3 : 0;
  return h + (k == 0 ? l->lane : BOX_GAP);
}

static double below(const Layout *l, uint32_t k) {
  const Frame *f = &l->frames[k];
  double h = k + 1 == l->chart->n ? l->strips : 0;
  return h + (f->shows_x ? TICK_GAP + 2 * LINE_HEIGHT + 2 : 0);
}

/* ---- captions ---- */

typedef VEC(const char *) Lines;

/* Breaks a text at blanks; line ends stay. */
static Lines break_lines(const char *text, double width, Arena *a) {
  Lines lines = {0};
  for (const char *at = text; *at;) {
    const char *end = at, *next = at;
    while (*next && *next != '\n') {
      size_t word = strspn(next, " ") + strcspn(next + strspn(next, " "), " \n");
      if (end > at && draw_text_width(arena_strndup(a, at, (size_t)(next - at) + word), FONT_SIZE,
                                      false) > width)
        break;
      end = next += word;
    }
    vec_push(a, &lines, arena_strndup(a, at, (size_t)(end - at)));
    at = end + strspn(end, " ");
    at += *at == '\n';
  }
  return lines;
}

static double draw_caption(Layout *l) {
  Drawing *d = l->d;
  Lines lines = break_lines(l->chart->caption, d->width - 2 * EDGE, d->arena);
  for (uint32_t k = 0; k < lines.n; k++)
    draw_text(d, EDGE, d->height - EDGE - 3 - (lines.n - 1 - k) * LINE_HEIGHT, lines.at[k],
              (DrawFont){.size = FONT_SIZE, .color = GREY_TEXT});
  return lines.n ? lines.n * LINE_HEIGHT + 4 : 0;
}

/* ---- places ---- */

static void choose_ticks(Layout *l, double height) {
  double weights = 0, left = 0, right = 0, half = 0;
  Arena *a = l->d->arena;
  for (uint32_t k = 0; k < l->chart->n; k++)
    weights += l->chart->plots[k].weight;
  for (uint32_t k = 0; k < l->chart->n; k++) {
    Frame *f = &l->frames[k];
    uint32_t n = how_many(height * f->plot->weight / weights, Y_TICK);
    f->y = f->plot->has_left ? chart_ticks(&f->plot->y, n, a) : (Ticks){0};
    f->y2 = f->plot->has_right ? chart_ticks(&f->plot->y2, n, a) : (Ticks){0};
    left = f->plot->has_left ? fmax(left, side_room(&f->plot->y, &f->y, a)) : left;
    right = f->plot->has_right ? fmax(right, side_room(&f->plot->y2, &f->y2, a)) : right;
  }
  l->left = EDGE + fmax(left, l->names);
  for (uint32_t k = 0; k < l->chart->n; k++) {
    Frame *f = &l->frames[k];
    f->x = x_ticks(&f->plot->x, l->d->width - l->left - EDGE - right, a);
    f->shows_x = !l->chart->common_x || k + 1 == l->chart->n;
    half = fmax(half, widest(&f->x, a) / 2);
  }
  l->left = fmax(l->left, EDGE + half);
  l->right = l->d->width - EDGE - fmax(right, half);
  l->left_label = l->left - left + FONT_SIZE - 1;
  l->right_label = l->right + right - 2;
}

/* Returns how much the paper is too short. */
static double place_boxes(Layout *l, double top, double bottom) {
  double room = bottom - top, weights = 0, y = top;
  const Chart *c = l->chart;
  for (uint32_t k = 0; k < c->n; k++) {
    room -= above(l, k) + below(l, k);
    weights += c->plots[k].weight;
  }
  for (uint32_t k = 0; k < c->n; k++) {
    double height = fmax(LEAST_BOX, room * c->plots[k].weight / weights);
    y += above(l, k);
    l->frames[k].box = (DrawBox){l->left, y, l->right, y + height};
    y += height + below(l, k);
  }
  return y - bottom;
}

/* Where both axes of a plot are lengths, or the like, a circle shall look like one if that costs
 * little room. */
static bool equal_scales(const Frame *f, ChartPlot *p) {
  static const double most = 3;
  double wide = f->box.x1 - f->box.x0, high = f->box.y1 - f->box.y0, x = (p->x.hi - p->x.lo) / wide,
         y = (p->y.hi - p->y.lo) / high;
  ChartAxis *axis = x < y ? &p->x : &p->y;
  double middle = (axis->lo + axis->hi) / 2, half = fmax(x, y) * (x < y ? wide : high) / 2;
  if (p->over_time || !p->has_left || p->has_right || p->x.log || p->y.log || p->fixed ||
      !*p->x.unit || strcmp(p->x.unit, p->y.unit) != 0 || fmax(x, y) > most * fmin(x, y))
    return false;
  axis->lo = middle - half;
  axis->hi = middle + half;
  return true;
}

static void describe(Drawing *d, const Chart *c) {
  Text text = {.arena = d->arena};
  for (uint32_t k = 0; k < c->n; k++) {
    const ChartPlot *p = &c->plots[k];
    text_add(&text, k ? "; " : "");
    for (uint32_t i = 0; i < p->n; i++)
      text_printf(&text, "%s%s", i ? ", " : "", p->curves[i].name);
    text_printf(&text, " over %s", *p->x.label ? p->x.label : "x");
  }
  d->title = draw_clean(*c->title ? c->title : text_str(&text), d->arena);
  d->description = draw_clean(text_str(&text), d->arena);
}

/* Margins first, which follow from the numbers at the axes, then the boxes. */
static void place_all(Layout *l, double top, double caption) {
  const Chart *c = l->chart;
  choose_ticks(l, l->d->height - 60);
  layout_measure_key(l);
  for (uint32_t k = 0; k < c->n; k++) {
    l->frames[k].n_legend = l->frames[k].legend_rows = 0;
    if (k == 0 || !same_legend(&c->plots[k], &c->plots[k - 1]))
      place_legend(&l->frames[k], l->right - l->left, l->d->arena);
  }
  l->bottom = l->d->height - EDGE - caption - l->key_height;
  l->lack = place_boxes(l, top, l->bottom);
}

static bool make_scales_equal(Layout *l, ChartPlot *plots) {
  bool any = false;
  for (uint32_t k = 0; k < l->chart->n; k++)
    any = equal_scales(&l->frames[k], &plots[k]) || any;
  return any;
}

static void draw_title(Layout *l, double top) {
  Drawing *d = l->d;
  const char *title = draw_text_fit(l->chart->title, TITLE_SIZE, true, d->width - 2 * EDGE,
                                    d->arena);
  double half = draw_text_width(title, TITLE_SIZE, true) / 2, middle = (l->left + l->right) / 2;
  middle = fmin(fmax(middle, EDGE + half), d->width - EDGE - half);
  draw_text(d, middle, top + TITLE_SIZE, title,
            (DrawFont){.size = TITLE_SIZE, .bold = true, .anchor = ANCHOR_MIDDLE});
}

/* lack: how much the paper is too short; about: height of what is not part of the plots */
static Drawing *lay_out(const Chart *chart, double width, double height, double *lack,
                        double *about, Arena *a) {
  Drawing *d = NEW(a, Drawing);
  *d = (Drawing){.arena = a, .width = width, .height = height};
  describe(d, chart);
  ChartPlot *plots = NEW_ARRAY(a, ChartPlot, chart->n + 1);
  Layout l = {.d = d, .chart = chart, .frames = NEW_ARRAY(a, Frame, chart->n + 1)};
  for (uint32_t k = 0; k < chart->n; k++) {
    plots[k] = chart->plots[k];
    l.frames[k].plot = &plots[k];
  }
  draw_rectangle(d, (DrawBox){0, 0, d->width, d->height}, DRAW_WHITE, (DrawStroke){0});
  layout_measure_marks(&l);
  layout_measure_strips(&l);
  double caption = draw_caption(&l), top = EDGE + (*chart->title ? TITLE_SIZE + 7 : 0);
  place_all(&l, top, caption);
  if (make_scales_equal(&l, plots))
    place_all(&l, top, caption);
  if (*chart->title)
    draw_title(&l, EDGE);
  for (uint32_t k = 0; k < chart->n; k++)
    layout_plot(&l, &l.frames[k]);
  if (l.strips > 0)
    layout_strips(&l, &l.frames[chart->n - 1]);
  layout_key(&l, l.bottom);
  *lack = l.lack;
  *about = l.key_height + caption;
  return d;
}

/* A paper on which the plots have no room becomes longer, and so does one of no given height for a
 * caption and a key. */
Drawing *plot_layout(const Chart *chart, const NuFigureOptions *o, Arena *a) {
  static const double rounding = 0.01;
  double width = (o->width > 0 ? o->width : WIDTH) * CM, height = page_height(chart, o), lack,
         about;
  Drawing *d = lay_out(chart, width, height, &lack, &about, a);
  double more = fmax(lack, o->height > 0 ? 0 : about);
  return more > rounding ? lay_out(chart, width, height + more, &lack, &about, a) : d;
}
