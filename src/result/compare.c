/* result/compare.c -- two trajectories in a tube.
 * In:   points of both, the half width and half height of the tube.   Out: the largest deviation
 *       and where it is.
 * How:  one curve is asked at its points, and where the boundary of the other's tube bends: at the
 *       times of the other's points moved by the half width to both sides. The other one answers
 *       with the range of its values within the half width. Both go through time once: the range is
 *       kept in two queues (Lemire, Nordic J. Computing 13(4), 2006), discrete values in a table of
 *       their last places. Then the two change roles.
 * Keep: nothing is interpolated across points of equal time. Every number is the same whichever
 *       file has more points than needed. */
#include "result/compare.h"

#include <math.h>
#include <string.h>

#include "base/map.h"

/* ---- the curve that answers: its values within the half width ---- */

/* Places of points whose values descend (or ascend); the first is the extreme one. */
typedef struct {
  size_t *at, first, end;
} Queue;

typedef struct {
  const CompareCurve *c;
  size_t in, out;  /* points [out, in) are inside */
  Queue low, high; /* of those with a value */
  size_t gaps;     /* of those without */
  Map last;        /* discrete: value -> place of the last one of that value */
  bool discrete;
  Arena *a;
} Window;

typedef struct {
  double low, high; /* low > high: no value */
  bool gap;         /* somewhere it has no value */
} Range;

static Window window_new(const CompareCurve *c, bool discrete, Arena *a) {
  Window w = {.c = c, .discrete = discrete, .a = a};
  w.low.at = NEW_ARRAY(a, size_t, c->n + 1);
  w.high.at = NEW_ARRAY(a, size_t, c->n + 1);
  return w;
}

static uint64_t key_of(double value) {
  uint64_t bits;
  value += 0.0; /* zero has no sign */
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void queue_push(Queue *q, const double *v, size_t k, double sign) {
  while (q->end > q->first && sign * v[q->at[q->end - 1]] >= sign * v[k])
    q->end--;
  q->at[q->end++] = k;
}

static void window_push(Window *w) {
  const double *v = w->c->value;
  size_t k = w->in++;
  if (isnan(v[k])) {
    w->gaps++;
    return;
  }
  queue_push(&w->low, v, k, 1);
  queue_push(&w->high, v, k, -1);
  if (w->discrete)
    map_put(w->a, &w->last, key_of(v[k]), k);
}

static void window_pop(Window *w) {
  size_t k = w->out++;
  w->gaps -= isnan(w->c->value[k]) ? 1 : 0;
  Queue *both[] = {&w->low, &w->high};
  for (int q = 0; q < 2; q++)
    if (both[q]->first < both[q]->end && both[q]->at[both[q]->first] == k)
      both[q]->first++;
}

static void widen(Range *r, double value) {
  if (isnan(value)) {
    r->gap = true;
  } else {
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
  }
}

static double between(const CompareCurve *c, size_t k, double time) {
  double u = (time - c->time[k]) / (c->time[k + 1] - c->time[k]), a = c->value[k],
         b = c->value[k + 1];
  return a == b ? a : (1 - u) * a + u * b;
}

/* What the curve may be at a time between points k and k + 1. */
static void widen_between(const Window *w, Range *r, size_t k, double time) {
  const double *v = w->c->value;
  if (w->discrete || w->c->sampled || !isfinite(v[k]) || !isfinite(v[k + 1])) {
    widen(r, v[k]);
    widen(r, v[k + 1]);
  } else {
    widen(r, between(w->c, k, time));
  }
}

/* Does the edge of the window lie between points k - 1 and k? */
static bool edge_before(const CompareCurve *c, size_t k, double edge) {
  return k > 0 && k < c->n && c->time[k - 1] < edge && edge < c->time[k];
}

static Range window_move(Window *w, double from, double to) {
  const CompareCurve *c = w->c;
  while (w->in < c->n && c->time[w->in] <= to)
    window_push(w);
  while (w->out < w->in && c->time[w->out] < from)
    window_pop(w);
  Range r = {INFINITY, -INFINITY, w->gaps > 0};
  if (w->low.first < w->low.end) {
    r.low = c->value[w->low.at[w->low.first]];
    r.high = c->value[w->high.at[w->high.first]];
  }
  if (edge_before(c, w->out, from))
    widen_between(w, &r, w->out - 1, from);
  if (edge_before(c, w->in, to))
    widen_between(w, &r, w->in - 1, to);
  return r;
}

/* Does a discrete signal have this value there? After window_move. */
static bool window_has(const Window *w, double value, double from, double to) {
  const CompareCurve *c = w->c;
  uint64_t place;
  if (map_get(&w->last, key_of(value), &place) && place >= w->out)
    return true;
  bool before = edge_before(c, w->out, from) &&
                (c->value[w->out - 1] == value || c->value[w->out] == value);
  return before ||
         (edge_before(c, w->in, to) && (c->value[w->in - 1] == value || c->value[w->in] == value));
}

/* ---- how far a straight line may be from what was sampled ---- */

/* Three points of a curve from k on, backwards (step -1) or forwards (1), up to an event. */
typedef struct {
  size_t n;           /* how many there are: 1 to 3 */
  double slope, bend; /* divided differences of the first two, of all three; 0: there are too few */
  double next;        /* s; time of the second */
} Side;

static Side side_of(const CompareCurve *c, size_t k, int step) {
  const double *t = c->time, *v = c->value;
  size_t i = k + (size_t)step, j = i + (size_t)step; /* before the first point they are huge */
  if (i >= c->n || t[i] == t[k])
    return (Side){.n = 1};
  Side s = {2, (v[i] - v[k]) / (t[i] - t[k]), 0, t[i]};
  if (j < c->n && t[j] != t[i]) {
    s.n = 3;
    s.bend = ((v[j] - v[i]) / (t[j] - t[i]) - s.slope) / (t[j] - t[k]);
  }
  return s;
}

/* Between points k and k + 1. With points on both sides: the distances from the line to the two
 * curves that continue them, about twice the error of the line where the curve is smooth, and
 * enough for a corner. Beside an event, twice what the bend of the only side makes of it: what the
 * points of the line itself say is believed. */
static double uncertainty(const CompareCurve *c, size_t k, double time) {
  const double *t = c->time, *v = c->value;
  Side before = side_of(c, k, -1), after = side_of(c, k + 1, 1);
  double line = between(c, k, time), x = time - t[k], y = time - t[k + 1], off;
  if (before.n > 1 && after.n > 1)
    off = fabs(v[k] + x * (before.slope + before.bend * (time - before.next)) - line) +
          fabs(v[k + 1] + y * (after.slope + after.bend * (time - after.next)) - line);
  else
    off = 2 * fabs(x * y) * (fabs(before.bend) + fabs(after.bend));
  return isfinite(off) ? off : 0;
}

/* A place on a curve that moves on. */
typedef struct {
  const CompareCurve *c;
  size_t k; /* the last point that is not later; 0 before the first */
} Place;

/* Is it strictly between two points? */
static bool place_move(Place *p, double time) {
  while (p->k + 1 < p->c->n && p->c->time[p->k + 1] <= time)
    p->k++;
  return p->k + 1 < p->c->n && p->c->time[p->k] < time;
}

/* ---- the ends ---- */

/* A jump within the width of an end may lie behind that end in the other file: what is between them
 * is not compared. */
typedef struct {
  /* At `begin` only limits from the right count, if there is a jump; at `end` those from the
   * left */
  double begin, end;
  bool jump_begin, jump_end;
} Part;

static void part_narrow(Part *p, const CompareCurve *c, const CompareTube *tube) {
  for (size_t k = 0; k + 1 < c->n; k++) {
    double t = c->time[k];
    bool same = c->value[k] == c->value[k + 1] || (isnan(c->value[k]) && isnan(c->value[k + 1]));
    if (t != c->time[k + 1] || same || t < tube->from || t > tube->to)
      continue;
    if (t - tube->from <= tube->width && t >= p->begin)
      p->begin = t, p->jump_begin = true;
    if (tube->to - t <= tube->width && t <= p->end)
      p->end = t, p->jump_end = true;
  }
}

static bool part_has(const Part *p, const CompareCurve *c, size_t k) {
  double t = c->time[k];
  bool last = k + 1 == c->n || c->time[k + 1] > t, first = k == 0 || c->time[k - 1] < t;
  return t >= p->begin && t <= p->end && (t > p->begin || !p->jump_begin || last) &&
         (t < p->end || !p->jump_end || first);
}

/* ---- one curve in the tube of another ---- */

typedef struct {
  const CompareCurve *asked;
  Window window;
  Place asked_at, answer_at;
  const CompareTube *tube;
  Part part;
  bool turned; /* the curve that is asked is the reference */
  CompareOutcome *out;
} Check;

static double nearest(Range r, double value) {
  return r.low > r.high ? (double)NAN : isnan(value) ? r.low : fmin(fmax(value, r.low), r.high);
}

/* Has the curve that answers no value at this very time? */
static bool absent(const Place *p, double time) {
  const double *v = p->c->value;
  return isnan(v[p->k]) || (p->c->time[p->k] < time && p->k + 1 < p->c->n && isnan(v[p->k + 1]));
}

static double deviation(const Check *c, Range r, double time, double value, double slack) {
  const CompareTube *tube = c->tube;
  if (isnan(value))
    return r.gap ? 0 : (double)INFINITY;
  if (r.low > r.high)
    return INFINITY;
  if (r.gap && absent(&c->answer_at, time))
    return 0; /* its gap is shifted */
  if (tube->discrete && window_has(&c->window, value, time - tube->width, time + tube->width))
    return 0;
  double off = value < r.low ? r.low - value : value > r.high ? value - r.high : 0;
  if (tube->discrete)
    return 2 * fmax(off, 1);
  return off == 0 ? 0 : isfinite(off) ? off / (tube->height + slack) : (double)INFINITY;
}

static void check_point(Check *c, double time, double value, double slack) {
  Range r = window_move(&c->window, time - c->tube->width, time + c->tube->width);
  if (place_move(&c->answer_at, time))
    slack += uncertainty(c->answer_at.c, c->answer_at.k, time);
  double d = deviation(c, r, time, value, slack);
  double other = c->tube->discrete && d > 0 ? c->answer_at.c->value[c->answer_at.k]
                                            : nearest(r, value);
  c->out->points++;
  c->out->outside += d > 1;
  if (d > c->out->deviation || isnan(c->out->time)) {
    c->out->deviation = d;
    c->out->time = time;
    c->out->result = c->turned ? other : value;
    c->out->reference = c->turned ? value : other;
  }
}

/* Between two points of the curve that is asked. */
static void check_between(Check *c, double time) {
  const CompareCurve *a = c->asked;
  size_t k = c->asked_at.k;
  bool known = isfinite(a->value[k]) && isfinite(a->value[k + 1]) && !a->sampled &&
               (!c->tube->discrete || a->value[k] == a->value[k + 1]);
  if (known && time > c->part.begin && time < c->part.end)
    check_point(c, time, between(a, k, time), uncertainty(a, k, time));
}

static double time_at(const CompareCurve *c, size_t k, double shift) {
  return k < c->n ? c->time[k] + shift : (double)INFINITY;
}

static void check_curve(Check *c) {
  const CompareCurve *a = c->asked, *b = c->window.c;
  double width = c->tube->width;
  for (size_t own = 0, early = 0, late = 0;;) {
    double t = fmin(time_at(a, own, 0), fmin(time_at(b, early, -width), time_at(b, late, width)));
    if (!(t <= c->part.end))
      return;
    bool on_point = time_at(a, own, 0) == t;
    for (; time_at(a, own, 0) == t; own++)
      if (part_has(&c->part, a, own))
        check_point(c, t, a->value[own], 0);
    while (time_at(b, early, -width) == t)
      early++;
    while (time_at(b, late, width) == t)
      late++;
    if (!on_point && place_move(&c->asked_at, t))
      check_between(c, t);
  }
}

CompareOutcome compare_curves(const CompareCurve *result, const CompareCurve *reference,
                              const CompareTube *tube, Arena *a) {
  CompareOutcome out = {.time = NAN, .result = NAN, .reference = NAN};
  Part part = {.begin = tube->from, .end = tube->to};
  part_narrow(&part, result, tube);
  part_narrow(&part, reference, tube);
  for (int turned = 0; turned < 2; turned++) {
    const CompareCurve *asked = turned ? reference : result, *answers = turned ? result : reference;
    Check c = {
        asked, window_new(answers, tube->discrete, a), {asked, 0}, {answers, 0}, tube, part, turned,
        &out};
    check_curve(&c);
  }
  return out;
}

/* ---- about curves ---- */

bool compare_range(const CompareCurve *c, double from, double to, double *low, double *high) {
  *low = INFINITY, *high = -INFINITY;
  for (size_t k = 0; k < c->n; k++) {
    bool inside = c->time[k] >= from && c->time[k] <= to && isfinite(c->value[k]);
    if (inside) {
      *low = fmin(*low, c->value[k]);
      *high = fmax(*high, c->value[k]);
    }
    const double ends[] = {from, to};
    for (int e = 0; e < 2; e++)
      if (edge_before(c, k, ends[e]) && isfinite(c->value[k - 1]) && isfinite(c->value[k])) {
        *low = fmin(*low, between(c, k - 1, ends[e]));
        *high = fmax(*high, between(c, k - 1, ends[e]));
      }
  }
  return *low <= *high;
}

bool compare_is_whole(const CompareCurve *c) {
  size_t lines = 0, constant = 0;
  for (size_t k = 0; k < c->n; k++) {
    if (!isnan(c->value[k]) && !(isfinite(c->value[k]) && c->value[k] == rint(c->value[k])))
      return false;
    bool line = k && c->time[k] > c->time[k - 1];
    lines += line;
    constant += line && c->value[k] == c->value[k - 1];
  }
  return 2 * constant >= lines;
}

/* ---- events ---- */

size_t compare_events(const double *time, size_t n, double from, double to, double *events) {
  size_t found = 0;
  for (size_t k = 1; k < n; k++) {
    bool again = k > 1 && time[k - 2] == time[k];
    if (time[k] != time[k - 1] || again || time[k] == time[0] || time[k] < from || time[k] > to)
      continue;
    if (events)
      events[found] = time[k];
    found++;
  }
  return found;
}

double compare_first_event(const double *a, size_t n, const double *b, size_t m, double width) {
  size_t i = 0, j = 0;
  for (; i < n && j < m; i++, j++)
    if (fabs(a[i] - b[j]) > width)
      return fmin(a[i], b[j]);
  return i < n ? a[i] : j < m ? b[j] : (double)NAN;
}
