/* plot/paths.c -- events on curves that are not drawn over time: a sign where the curve is when it
 * happens, and its number. */
#include <math.h>

#include "plot/layout.h"
#include "base/limits.h"

static const double SIGNS_APART = 4; /* pt */

/* The last point of a curve that is not later, on paper; false if it cannot be seen. */
static bool place_at(const Frame *f, const ChartCurve *c, double time, DrawPoint *out) {
  TraceScale sx = layout_x(f), sy = layout_y(f, c->right);
  size_t k = 0, end = c->n;
  while (k < end) { /* times ascend */
    size_t middle = (k + end) / 2;
    if (c->time[middle] <= time)
      k = middle + 1;
    else
      end = middle;
  }
  if (!k)
    return false;
  *out = (DrawPoint){trace_place(&sx, c->x[k - 1]), trace_place(&sy, c->y[k - 1])};
  return isfinite(out->x) && isfinite(out->y) && out->x >= f->box.x0 && out->x <= f->box.x1 &&
         out->y >= f->box.y0 && out->y <= f->box.y1;
}

static void draw_number(Layout *l, const Frame *f, DrawPoint p, uint32_t number) {
  const char *text = arena_printf(l->d->arena, "%u", number);
  bool left = p.x + 12 > f->box.x1, below = p.y - 12 < f->box.y0;
  draw_text(l->d, p.x + (left ? -4 : 4), p.y + (below ? FONT_SIZE + 2 : -4), text,
            (DrawFont){
                .size = FONT_SIZE, .anchor = left ? ANCHOR_END : ANCHOR_START, .color = GREY_TEXT});
}

void layout_path_marks(Layout *l, const Frame *f) {
  MarkInstant *at;
  if (!l->chart->marks || f->plot->over_time)
    return;
  uint32_t n = mark_instants(l->chart, f->plot, &at, l->d->arena);
  for (uint32_t k = 0; k < f->plot->n; k++) {
    const ChartCurve *c = &f->plot->curves[k];
    DrawPoint p, last = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < n && c->source == 0; i++) {
      if (!place_at(f, c, at[i].at / l->chart->second, &p) ||
          hypot(p.x - last.x, p.y - last.y) < SIGNS_APART)
        continue;
      for (int kind = 0; mark_name(kind); kind++)
        if (at[i].kinds >> kind & 1)
          mark_sign(l->d, kind, p.x, p.y);
      if (n <= MOST_PATH_NUMBERS)
        draw_number(l, f, p, i + 1);
      last = p;
    }
  }
}
