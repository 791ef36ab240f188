/* plot/trace.c -- from the points of a result to lines.
 * How:  points with equal time are limits on both sides of an event: their connection is a jump, a
 *       piece of its own. A value that is absent ends a line. Of the points that fall into one
 *       column of the picture the first, the lowest, the highest and the last stay, in their order,
 *       so that no peak is lost; where x goes to and fro, those stay that are apart from the one
 *       before. Lines are cut at the box (Liang & Barsky, ACM TOG 3(1), 1984). */
#include "plot/trace.h"
#include "base/limits.h"

#include <math.h>
#include <string.h>

double trace_place(const TraceScale *s, double v) {
  double part = s->log ? (v > 0 ? (log(v) - log(s->lo)) / (log(s->hi) - log(s->lo)) : NAN)
                       : (v - s->lo) / (s->hi - s->lo);
  return isfinite(part) ? s->from + part * (s->to - s->from) : NAN;
}

/* ---- cutting ---- */

/* One side of the box: p*u <= q must hold for the part u of the segment. */
static bool cut(double p, double q, double *u0, double *u1) {
  if (p == 0)
    return q >= 0;
  double u = q / p;
  if (p < 0) {
    if (u > *u1)
      return false;
    *u0 = fmax(*u0, u);
  } else {
    if (u < *u0)
      return false;
    *u1 = fmin(*u1, u);
  }
  return true;
}

bool trace_clip(const DrawBox *box, DrawPoint *a, DrawPoint *b) {
  double dx = b->x - a->x, dy = b->y - a->y, u0 = 0, u1 = 1;
  if (!cut(-dx, a->x - box->x0, &u0, &u1) || !cut(dx, box->x1 - a->x, &u0, &u1) ||
      !cut(-dy, a->y - box->y0, &u0, &u1) || !cut(dy, box->y1 - a->y, &u0, &u1))
    return false;
  DrawPoint from = *a;
  if (u1 < 1)
    *b = (DrawPoint){from.x + u1 * dx, from.y + u1 * dy};
  if (u0 > 0)
    *a = (DrawPoint){from.x + u0 * dx, from.y + u0 * dy};
  return true;
}

static DrawBox box_of(const Trace *t) {
  return (DrawBox){fmin(t->x.from, t->x.to), fmin(t->y.from, t->y.to), fmax(t->x.from, t->x.to),
                   fmax(t->y.from, t->y.to)};
}

static bool within(const DrawBox *b, DrawPoint p) {
  return p.x >= b->x0 && p.x <= b->x1 && p.y >= b->y0 && p.y <= b->y1;
}

typedef VEC(DrawPoint) Points;

static void give(Trace *t, Points *line) {
  if (line->n > 1)
    vec_push(t->arena, &t->pieces,
             (TracePiece){.kind = TRACE_LINE, .points = line->at, .n = line->n});
  *line = (Points){0};
}

/* What is inside of the box, maybe in several pieces. */
static void give_line(Trace *t, const Points *all) {
  Points line = {0};
  DrawBox box = box_of(t);
  if (all->n == 1 && within(&box, all->at[0])) { /* a value of its own: a dot */
    vec_push(t->arena, &line, all->at[0]);
    vec_push(t->arena, &line, all->at[0]);
    give(t, &line);
  }
  for (uint32_t k = 1; k < all->n; k++) {
    DrawPoint a = all->at[k - 1], b = all->at[k];
    if (!trace_clip(&box, &a, &b)) {
      give(t, &line);
      continue;
    }
    bool joined = line.n && memcmp(&line.at[line.n - 1], &a, sizeof a) == 0;
    if (!joined) {
      give(t, &line);
      vec_push(t->arena, &line, a);
    }
    vec_push(t->arena, &line, b);
  }
  give(t, &line);
}

static void give_jump(Trace *t, DrawPoint a, DrawPoint b) {
  DrawBox box = box_of(t);
  bool left = within(&box, a), right = within(&box, b);
  if (!trace_clip(&box, &a, &b))
    return;
  DrawPoint *ends = NEW_ARRAY(t->arena, DrawPoint, 2);
  ends[0] = a, ends[1] = b;
  vec_push(t->arena, &t->pieces, (TracePiece){TRACE_JUMP, ends, 2, left, right});
}

/* ---- leaving out what cannot be seen ---- */

/* The points of one column that stay. */
typedef struct {
  double column;
  uint32_t n;
  DrawPoint first, low, high, last;
  uint32_t at_low, at_high; /* their numbers among the n */
} Column;

typedef struct {
  Trace *t;
  const TraceData *data;
  Points line;
  Column column;
} Tracer;

static void keep(Tracer *r, DrawPoint p) {
  Points *l = &r->line;
  if (!l->n || l->at[l->n - 1].x != p.x || l->at[l->n - 1].y != p.y)
    vec_push(r->t->arena, l, p);
}

static void end_column(Tracer *r) {
  Column *c = &r->column;
  if (c->n) {
    bool low_first = c->at_low <= c->at_high;
    keep(r, c->first);
    keep(r, low_first ? c->low : c->high);
    keep(r, low_first ? c->high : c->low);
    keep(r, c->last);
  }
  c->n = 0;
}

static void add_ordered(Tracer *r, DrawPoint p) {
  Column *c = &r->column;
  double column = floor(p.x / r->t->grain);
  if (c->n && column != c->column)
    end_column(r);
  if (!c->n)
    *c = (Column){column, 0, p, p, p, p, 0, 0};
  if (p.y < c->low.y)
    c->low = p, c->at_low = c->n;
  if (p.y > c->high.y)
    c->high = p, c->at_high = c->n;
  c->last = p;
  c->n++;
}

static void add_point(Tracer *r, DrawPoint p) {
  if (r->data->ordered) {
    add_ordered(r, p);
    return;
  }
  /* the last one waits, so that the end of the line is exact */
  Points *l = &r->line;
  if (l->n > 1 && hypot(l->at[l->n - 1].x - l->at[l->n - 2].x,
                        l->at[l->n - 1].y - l->at[l->n - 2].y) < r->t->grain)
    l->n--;
  keep(r, p);
}

static void end_line(Tracer *r) {
  end_column(r);
  if (r->line.n)
    give_line(r->t, &r->line);
  r->line = (Points){0};
}

/* ---- the curve ---- */

static bool is_far(const Trace *t, DrawPoint a, DrawPoint b) {
  return hypot(a.x - b.x, a.y - b.y) > t->grain;
}

static DrawPoint place(const Trace *t, const TraceData *d, size_t i) {
  return (DrawPoint){trace_place(&t->x, d->x[i]), trace_place(&t->y, d->y[i])};
}

static bool is_there(DrawPoint p) { return isfinite(p.x) && isfinite(p.y); }

/* Between points i-1 and i. */
static bool jumps(const TraceData *d, size_t i, bool *held) {
  *held = d->steps && d->y[i] != d->y[i - 1];
  return d->time[i] == d->time[i - 1] ? d->y[i] != d->y[i - 1] || d->x[i] != d->x[i - 1] : *held;
}

static void count_jumps(Trace *t, const TraceData *d) {
  bool held;
  t->jumps = 0;
  for (size_t i = 1; i < d->n; i++)
    if (jumps(d, i, &held) && is_far(t, place(t, d, i - 1), place(t, d, i)))
      t->jumps++;
}

static void add_jump(Tracer *r, DrawPoint a, DrawPoint b) {
  if (r->t->jumps > MOST_JUMPS_DRAWN || !is_far(r->t, a, b)) {
    add_point(r, b);
    return;
  }
  end_line(r);
  give_jump(r->t, a, b);
  add_point(r, b);
}

void trace_curve(Trace *t, const TraceData *d) {
  Tracer r = {.t = t, .data = d};
  DrawPoint before = {NAN, NAN};
  count_jumps(t, d);
  for (size_t i = 0; i < d->n; i++) {
    DrawPoint p = place(t, d, i);
    bool held = false;
    if (!is_there(p)) {
      end_line(&r);
    } else if (i && is_there(before) && jumps(d, i, &held)) {
      DrawPoint left = held && d->time[i] != d->time[i - 1] ? (DrawPoint){p.x, before.y} : before;
      if (left.x != before.x)
        add_point(&r, left);
      add_jump(&r, left, p);
    } else {
      add_point(&r, p);
    }
    before = p;
  }
  end_line(&r);
}
