/* plot/curves.c -- a plot in its box: grid, curves with their jumps, axes, legend. */
#include <math.h>
#include <string.h>

#include "plot/layout.h"
#include "base/limits.h"

static const double GRAIN = 0.24; /* pt; less is not seen at 300 dots per inch */
static const double SNAP = 64;    /* places are multiples of 1/64 pt */
static const double TICK = 3, MINOR_TICK = 1.6;
static const double END_MARK = 1.5; /* radius */

/* Colours that people with any kind of colour vision tell apart (Okabe & Ito, 2008), and dashes for
 * print without colours. */
DrawStroke layout_stroke(uint32_t style) {
  static const DrawColor colors[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                     0x000000, 0xe69f00, 0x56b4e9};
  enum { COLORS = sizeof colors / sizeof *colors };
  return (DrawStroke){colors[style % COLORS], CURVE_WIDTH,
                      (DrawDash)((style + style / DASHES) % DASHES)};
}

TraceScale layout_x(const Frame *f) {
  return (TraceScale){f->plot->x.lo, f->plot->x.hi, f->box.x0, f->box.x1, f->plot->x.log};
}

TraceScale layout_y(const Frame *f, bool right) {
  const ChartAxis *axis = right ? &f->plot->y2 : &f->plot->y;
  return (TraceScale){axis->lo, axis->hi, f->box.y1, f->box.y0, axis->log};
}

/* ---- grid and axes ---- */

static void draw_grid(Layout *l, const Frame *f) {
  const Ticks *y = f->plot->has_left ? &f->y : &f->y2;
  TraceScale sx = layout_x(f), sy = layout_y(f, !f->plot->has_left);
  DrawStroke minor = {GREY_MINOR, 0.4, DASH_NONE}, major = {GREY_GRID, 0.5, DASH_NONE};
  for (uint32_t k = 0; k < f->x.n_minor; k++)
    draw_segment(l->d, trace_place(&sx, f->x.minor[k]), f->box.y0, trace_place(&sx, f->x.minor[k]),
                 f->box.y1, minor);
  for (uint32_t k = 0; k < y->n_minor; k++)
    draw_segment(l->d, f->box.x0, trace_place(&sy, y->minor[k]), f->box.x1,
                 trace_place(&sy, y->minor[k]), minor);
  for (uint32_t k = 0; k < f->x.n_major; k++)
    draw_segment(l->d, trace_place(&sx, f->x.major[k].at), f->box.y0,
                 trace_place(&sx, f->x.major[k].at), f->box.y1, major);
  for (uint32_t k = 0; k < y->n_major; k++)
    draw_segment(l->d, f->box.x0, trace_place(&sy, y->major[k].at), f->box.x1,
                 trace_place(&sy, y->major[k].at), major);
}

const char *layout_number(const char *label, Arena *a) {
  return label[0] == '-' ? arena_printf(a, "\xE2\x88\x92%s", label + 1) : label;
}

static void draw_side(Layout *l, const Frame *f, bool right) {
  const ChartAxis *axis = right ? &f->plot->y2 : &f->plot->y;
  const Ticks *t = right ? &f->y2 : &f->y;
  TraceScale s = layout_y(f, right);
  double edge = right ? f->box.x1 : f->box.x0, in = right ? -1 : 1;
  DrawStroke stroke = {GREY_FRAME, THIN, DASH_NONE};
  DrawFont font = {
      .size = FONT_SIZE, .anchor = right ? ANCHOR_START : ANCHOR_END, .color = GREY_TEXT};
  Arena *a = l->d->arena;
  for (uint32_t k = 0; k < t->n_minor; k++)
    draw_segment(l->d, edge, trace_place(&s, t->minor[k]), edge + in * MINOR_TICK,
                 trace_place(&s, t->minor[k]), stroke);
  for (uint32_t k = 0; k < t->n_major; k++) {
    double y = trace_place(&s, t->major[k].at);
    draw_segment(l->d, edge, y, edge + in * TICK, y, stroke);
    draw_text(l->d, edge - in * 4, y + 0.36 * FONT_SIZE, layout_number(t->major[k].label, a), font);
  }
  const char *label = draw_text_fit(chart_axis_label(axis, t, false, a), FONT_SIZE, false,
                                    f->box.y1 - f->box.y0 + 2 * LINE_HEIGHT, a);
  draw_text(l->d, right ? l->right_label : l->left_label, (f->box.y0 + f->box.y1) / 2, label,
            (DrawFont){.size = FONT_SIZE, .anchor = ANCHOR_MIDDLE, .upward = true});
}

static void draw_bottom(Layout *l, const Frame *f, double edge) {
  TraceScale s = layout_x(f);
  DrawStroke stroke = {GREY_FRAME, THIN, DASH_NONE};
  Arena *a = l->d->arena;
  for (uint32_t k = 0; k < f->x.n_minor; k++)
    draw_segment(l->d, trace_place(&s, f->x.minor[k]), f->box.y1, trace_place(&s, f->x.minor[k]),
                 f->box.y1 - MINOR_TICK, stroke);
  for (uint32_t k = 0; k < f->x.n_major; k++) {
    double x = trace_place(&s, f->x.major[k].at);
    draw_segment(l->d, x, f->box.y1, x, f->box.y1 - TICK, stroke);
    if (f->shows_x)
      draw_text(l->d, x, edge + 3 + FONT_SIZE, layout_number(f->x.major[k].label, a),
                (DrawFont){.size = FONT_SIZE, .anchor = ANCHOR_MIDDLE, .color = GREY_TEXT});
  }
  if (f->shows_x)
    draw_text(l->d, (f->box.x0 + f->box.x1) / 2, edge + 5 + FONT_SIZE + LINE_HEIGHT,
              chart_axis_label(&f->plot->x, &f->x, false, a),
              (DrawFont){.size = FONT_SIZE, .anchor = ANCHOR_MIDDLE});
}

/* ---- curves ---- */

static DrawPoint snapped(DrawPoint p) {
  return (DrawPoint){round(p.x * SNAP) / SNAP, round(p.y * SNAP) / SNAP};
}

/* From the left limit, a ring, to the right limit, a dot. */
static void draw_jump(Layout *l, const TracePiece *p, DrawStroke stroke, bool steps, bool ends) {
  DrawStroke thin = {stroke.color, THIN, steps ? DASH_NONE : DASH_FINE},
             ring = {stroke.color, THIN, DASH_NONE};
  DrawPoint a = snapped(p->points[0]), b = snapped(p->points[1]);
  draw_segment(l->d, a.x, a.y, b.x, b.y, thin);
  if (ends && p->left_seen)
    draw_circle(l->d, a, END_MARK, DRAW_WHITE, ring);
  if (ends && p->right_seen)
    draw_circle(l->d, b, END_MARK, stroke.color, ring);
}

static void draw_piece(Layout *l, const TracePiece *p, DrawStroke stroke) {
  bool dot = p->n == 2 && p->points[0].x == p->points[1].x && p->points[0].y == p->points[1].y;
  if (dot) {
    draw_circle(l->d, p->points[0], stroke.width, stroke.color, (DrawStroke){0});
    return;
  }
  DrawPoint *points = NEW_ARRAY(l->d->arena, DrawPoint, p->n);
  for (uint32_t k = 0; k < p->n; k++)
    points[k] = snapped(p->points[k]);
  draw_line(l->d, points, p->n, stroke);
}

static Trace trace_of(const Layout *l, const Frame *f, const ChartCurve *c) {
  Trace t = {.arena = l->d->arena, .x = layout_x(f), .y = layout_y(f, c->right), .grain = GRAIN};
  trace_curve(&t, &(TraceData){c->time, c->x, c->y, c->n, c->steps, c->ordered});
  return t;
}

static void draw_curve(Layout *l, const ChartCurve *c, const Trace *t, bool ends) {
  DrawStroke stroke = layout_stroke(c->style);
  draw_group(l->d, *c->legend && strcmp(c->legend, c->name) != 0
                       ? arena_printf(l->d->arena, "%s (%s)", c->name, c->legend)
                       : c->name);
  for (uint32_t k = 0; k < t->pieces.n; k++)
    if (t->pieces.at[k].kind == TRACE_LINE)
      draw_piece(l, &t->pieces.at[k], stroke);
  for (uint32_t k = 0; k < t->pieces.n; k++)
    if (t->pieces.at[k].kind == TRACE_JUMP)
      draw_jump(l, &t->pieces.at[k], stroke, c->steps, ends && !c->steps);
  draw_end(l->d);
}

static void draw_curves(Layout *l, const Frame *f) {
  const ChartPlot *p = f->plot;
  Trace *traces = NEW_ARRAY(l->d->arena, Trace, p->n + 1);
  uint32_t jumps = 0;
  for (uint32_t k = 0; k < p->n; k++) {
    traces[k] = trace_of(l, f, &p->curves[k]);
    jumps = !p->curves[k].steps && traces[k].jumps > jumps ? traces[k].jumps : jumps;
  }
  for (uint32_t k = 0; k < p->n; k++)
    draw_curve(l, &p->curves[k], &traces[k], jumps <= MOST_END_MARKS);
}

static void draw_legend(Layout *l, const Frame *f) {
  double bottom = f->box.y0 - 4 - (f == l->frames ? l->lane : 0);
  for (uint32_t k = 0; k < f->n_legend; k++) {
    const LegendEntry *e = &f->legend[k];
    const ChartCurve *c = &f->plot->curves[e->curve];
    double y = bottom - (f->legend_rows - 1 - e->row) * LINE_HEIGHT, x = f->box.x0 + e->x;
    draw_segment(l->d, x, y - 0.33 * FONT_SIZE, x + 22, y - 0.33 * FONT_SIZE,
                 layout_stroke(c->style));
    const char *text = draw_text_fit(layout_legend(f->plot, c, l->d->arena), FONT_SIZE, false,
                                     f->box.x1 - x - 26, l->d->arena);
    draw_text(l->d, x + 26, y, text, (DrawFont){.size = FONT_SIZE});
  }
  if (*f->plot->title)
    draw_text(l->d, f->box.x0, bottom - f->legend_rows * LINE_HEIGHT, f->plot->title,
              (DrawFont){.size = FONT_SIZE, .bold = true});
}

void layout_plot(Layout *l, const Frame *f) {
  bool last = f == &l->frames[l->chart->n - 1];
  draw_grid(l, f);
  layout_marks(l, f);
  draw_curves(l, f);
  layout_pulses(l, f);
  layout_path_marks(l, f);
  draw_rectangle(l->d, f->box, DRAW_NONE, (DrawStroke){GREY_FRAME, THIN, DASH_NONE});
  if (f->plot->has_left)
    draw_side(l, f, false);
  if (f->plot->has_right)
    draw_side(l, f, true);
  draw_bottom(l, f, f->box.y1 + (last ? l->strips : 0));
  draw_legend(l, f);
}
