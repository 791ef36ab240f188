/* run/spiral.c -- motions that spiral into the place where two surfaces meet.
 * Under twisting control, x'' = -a*sign(x) - b*sign(x') with a > b > 0, both relations change in
 * turn, infinitely often in finite time: no field moves the surface x = 0 but by way of its speed,
 * and that is 0 where the other surface is. At their intersection x'' is 0 for some weights of the
 * fields: the motion slides on both surfaces from then on (sliding of second order; A. Levant, Int.
 * J. Control 58(6), 1993).
 * How:  let z be the distance from the first surface, and y its speed, which is proportional to the
 *       distance from the second one. Near the intersection z'' is constant on each of the four
 *       sides: +-in where the motion comes back to z = 0, +-out where it goes away. A turn makes y
 *       smaller by the root of (in/out)(in/out) of both sides of z, and how long all turns take is
 *       a geometric series. When the next excursion has become too small to matter (as in
 *       contact.c) the rest of the turns is left out; they end when they would have ended.
 *       Then the weight of the second surface stays 1/2: z'' = 0 determines one weight only.
 * Keep: nothing changes unless the states fit on both surfaces. */
#include "run/spiral.h"
#include "run/blend.h"
#include "run/contact.h"
#include "run/core.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/slide.h"
#include "run/tell.h"
#include "run/trace.h"

#include <math.h>
#include <string.h>

/* Half widths of the band: excursions below need not be followed; with methods that begin anew at
 * each event, with order 1 */
static const double wide = 100, wider = 1e4;
/* Half widths of the band: after wider excursions nobody looks */
static const double near = 1e6;
/* 1: a turn makes the speed smaller by more than that, or the turns end nobody knows when */
static const double shrinks = 1e-4;
static const double
    turn_reach = 1e-3; /* how far states move for differences, relative to their size */
static const double round_off = 1e-9; /* 1: by which speeds of all fields may differ */

/* Surface i, or one that it goes with, has not come to rest yet */
bool run_spiral_is_pending(const Slide *sl, int i) {
  for (int q = 0; q < sl->k; q++)
    if (sl->mate[q] && (q == i || sl->mate[q] == i + 1) && !isnan(sl->limit[q]))
      return true;
  return false;
}

double run_spiral_next(const Part *p) {
  double next = INFINITY;
  for (int i = 0; i < p->slide.k; i++)
    if (p->slide.mate[i] && !isnan(p->slide.limit[i]))
      next = fmin(next, p->slide.limit[i]);
  return next;
}

static void tell_surface(Run *run, const Slide *sl, int i) {
  run->stats.slides++;
  run_trace_rest(run, sl->surface[i], -1);
  run_cause(run, RUN_CAUSE_SLIDE, sl->surface[i], sl->now[i], NAN);
}

bool run_spiral_open(Run *run, Part *p) {
  Slide *sl = &p->slide;
  bool any = false;
  for (int i = 0; i < sl->k; i++) {
    /* an ordinary surface, or one of a spiral that goes on */
    if (!sl->mate[i] || !(sl->limit[i] <= run->d.time))
      continue;
    any = true;
    sl->limit[i] = NAN;
    tell_surface(run, sl, i);
    tell_surface(run, sl, sl->mate[i] - 1);
    if (run->options->zeno == NU_ZENO_STOP)
      run_end_by_model(run, &run->m->relations[sl->surface[i]].place,
                       "events accumulate here, and the run was to end there");
  }
  return any;
}

struct SpiralWork {
  unsigned char *block; /* kept */
  double *x;            /* per state */
  double *along;        /* two per state: a direction, and what it changes in slopes */
};

/* made with the first look: few models have two such surfaces */
static SpiralWork *work(Run *run) {
  if (!run->own.spiral) {
    run->own.spiral = NEW(run->a, SpiralWork);
    run->own.spiral->block = NEW_ARRAY(run->a, unsigned char, run->block_size + 8);
    run->own.spiral->along = NEW_ARRAY(run->a, double, 2 * run->m->nx + 1);
    run->own.spiral->x = NEW_ARRAY(run->a, double, run->m->nx + 1);
  }
  return run->own.spiral;
}

/* ---- weights that are not free ---- */

bool run_spiral_is_mate(const Slide *sl, int j) {
  for (int i = 0; i < sl->k; i++)
    if (sl->mate[i] == j + 1)
      return true;
  return false;
}

SlideUnknowns run_spiral_unknowns(const Slide *sl, int k) {
  SlideUnknowns u = {0};
  for (int i = 0; i < k; i++) {
    bool spiral = i < sl->k && sl->mate[i];
    /* the weight of a mate is not sought: it stays 1/2 */
    if (run_spiral_is_mate(sl, i))
      continue;
    u.place[u.n] = i;
    u.kept[u.n] = spiral ? sl->mate[i] - 1 : i;
    u.scale[u.n++] = spiral ? sl->scale[i] : 1;
  }
  return u;
}

void run_spiral_reduce(const SlideUnknowns *u, int k, const double *w, double *out) {
  double a[SLIDE_MOST], lambda[1 << SLIDE_MOST];
  /* weights that are not free stay 1/2 */
  for (int i = 0; i < k; i++)
    a[i] = 0.5;
  /* corners of the free ones only: the others are averaged */
  for (int c = 0; c < 1 << u->n; c++) {
    for (int q = 0; q < u->n; q++)
      a[u->place[q]] = c >> q & 1;
    slide_weights(k, a, lambda);
    for (int q = 0; q < u->n; q++) {
      double sum = 0;
      for (int corner = 0; corner < 1 << k; corner++)
        sum += lambda[corner] * w[corner * k + u->kept[q]];
      out[c * u->n + q] = u->scale[q] * sum;
    }
  }
}

bool run_slide_weights(const Part *p, const double *w, double *a) {
  const Slide *sl = &p->slide;
  SlideUnknowns u = run_spiral_unknowns(sl, sl->k);
  double speeds[(1 << SLIDE_MOST) * SLIDE_MOST], free[SLIDE_MOST];
  run_spiral_reduce(&u, sl->k, w, speeds);
  /* weights that are not free stay 1/2 */
  for (int i = 0; i < sl->k; i++)
    a[i] = 0.5;
  for (int q = 0; q < u.n; q++)
    free[q] = sl->a[u.place[q]];
  bool found = slide_follow(u.n, speeds, free) == NUM_OK;
  for (int q = 0; q < u.n; q++)
    a[u.place[q]] = free[q];
  return found;
}

/* ---- directions ---- */

/* A length for differences along d; 0: it leads nowhere. */
static double length_along(const Run *run, const Part *p, const double *d) {
  const double *x = run->d.r + p->x;
  double h = INFINITY;
  /* the shortest: no state goes further than a part of its size */
  for (int q = 0; q < p->n; q++)
    if (d[q] != 0)
      h = fmin(h, turn_reach * (fabs(x[q]) + run->scales->nominal[p->x + q]) / fabs(d[q]));
  return isfinite(h) ? h : 0;
}

/* What the weight of surface i changes in the fields of k, at these weights of the others. */
static void difference_of(Run *run, const Part *p, int k, int i, const double *a, double *d) {
  size_t n = run_blend_width(run, p->number);
  for (int q = 0; q < p->n; q++) {
    const double *field = run_blend_fields(run, p) + q;
    d[q] = run_slide_at_side(k, field, n, a, i, 1) - run_slide_at_side(k, field, n, a, i, 0);
  }
}

/* The states go a little along what the weight of surface i of these k changes; false: nowhere */
static bool shift(Run *run, Part *p, int k, int i) {
  double a[SLIDE_MOST], *d = work(run)->along;
  /* what is not slid on yet stands between its sides */
  for (int q = 0; q < k; q++)
    a[q] = q < p->slide.k ? p->slide.now[q] : 0.5;
  difference_of(run, p, k, i, a, d);
  double h = length_along(run, p, d);
  for (int q = 0; q < p->n; q++)
    run->d.r[p->x + q] += h * d[q];
  return h > 0;
}

/* What a motion along d changes in the slopes of one side, by central differences; false: not
 * known. */
static bool turn_of(Run *run, Part *p, const double *d, double *turn) {
  SpiralWork *w = work(run);
  double *x = run->d.r + p->x;
  double *slope = x + run->m->nx;
  double h = length_along(run, p, d);
  memcpy(w->block, run->block, run->block_size);
  bool known = h > 0;
  for (int way = 1; way >= -1 && known; way -= 2) {
    for (int q = 0; q < p->n; q++)
      x[q] += way * h * d[q];
    known = run_slide_plainly(run, p->number) == NUM_OK;
    for (int q = 0; q < p->n && known; q++)
      turn[q] = way > 0 ? slope[q] : (turn[q] - slope[q]) / (2 * h);
    memcpy(run->block, w->block, run->block_size);
  }
  return known;
}

/* Where the motion has spiralled in it drifts off the first surface all the same: back onto it by
 * what a motion towards its mate changes in the slopes. */
void run_spiral_correct(Run *run, Part *p, double *x) {
  const Slide *sl = &p->slide;
  int k = sl->k;
  double *d = work(run)->along, *turn = d + p->n;
  for (int i = 0; i < k; i++) {
    if (!sl->mate[i])
      continue;
    /* the speed of the mate tells how far the weight leads */
    const double *speeds = run_blend_speeds(run, p) + sl->mate[i] - 1;
    double change = sl->scale[i] * (run_slide_at_side(k, speeds, (size_t)k, sl->now, i, 1) -
                                    run_slide_at_side(k, speeds, (size_t)k, sl->now, i, 0));
    difference_of(run, p, k, i, sl->now, d);
    if (change == 0 || !turn_of(run, p, d, turn))
      continue;
    for (int q = 0; q < p->n; q++)
      x[q] -= sl->z[i] / change * turn[q];
    run->eval.current = NULL;
  }
}

/* ---- the four sides ---- */

/* What is known of a part near two surfaces. */
typedef struct {
  double y;        /* speed of the first one */
  double away;     /* distance from the second one */
  double w2[2][2]; /* speeds of the second surface by the sides of both */
} Sides;

/* Where the part stands; its other surfaces are slid along meanwhile. */
static bool measure(Run *run, Part *p, const int *pair, Sides *s) {
  int others = p->slide.k, k = others + 2, surface[SLIDE_MOST];
  double z[SLIDE_MOST], unsure[SLIDE_MOST], a[SLIDE_MOST], lambda[1 << SLIDE_MOST];
  memcpy(surface, p->slide.surface, (size_t)others * sizeof *surface);
  surface[others] = pair[0];
  surface[others + 1] = pair[1];
  const double *w = run_slide_speeds(run, p, k, surface, z, unsure);
  if (!w)
    return false;
  /* the speed of the first surface is the same in all fields, or there is no spiral of this kind */
  double low = INFINITY;
  double high = -INFINITY;
  double part[(1 << SLIDE_MOST) * SLIDE_MOST];
  for (int c = 0; c < 1 << k; c++) {
    low = fmin(low, w[c * k + others]);
    high = fmax(high, w[c * k + others]);
  }
  s->y = (low + high) / 2;
  s->away = z[others + 1];
  if (run_slide_moved(w, k, others, unsure) && high - low > round_off * fabs(s->y))
    return false;
  /* on each of the four sides the other surfaces are slid along with weights of their own */
  for (int side = 0; side < 4; side++) {
    const double *here = w + (side << others) * k;
    for (int c = 0; c < 1 << others; c++)
      memcpy(part + c * others, here + c * k, (size_t)others * sizeof *part);
    if (others && !run_slide_weights(p, part, a))
      return false;
    slide_weights(others, a, lambda);
    double *sum = &s->w2[side & 1][side >> 1];
    *sum = 0;
    for (int c = 0; c < 1 << others; c++)
      *sum += lambda[c] * here[c * k + others + 1];
  }
  return true;
}

/* A spiral that begins at z = 0 with speed y. */
typedef struct {
  double time;   /* s; until it ends */
  double widest; /* z */
  double least;  /* of the accelerations away from z = 0, which end an excursion */
  double weight; /* of the first surface, at the end */
} Spiral;

/* scale: y over the distance from the second surface. False: it does not end. */
static bool follow(const Sides *s, double scale, Spiral *out) {
  double in[2], off[2];
  for (int side = 0; side < 2; side++) {
    int up = scale > 0;
    double back = side ? -1 : 1; /* the sign of accelerations towards z = 0 */
    /* y has the sign of the distance from the second surface if scale is positive: the sides follow
     * from that */
    off[side] = back * scale * s->w2[side][side ? up : !up];
    in[side] = back * scale * s->w2[side][side ? !up : up];
  }
  out->least = fmin(off[0], off[1]);
  /* accelerations that do not lead back make no turns */
  if (!(out->least > 0) || !(in[0] > 0) || !(in[1] > 0))
    return false;
  int side = s->y > 0;
  /* after both half turns the speed is this part of what it was */
  double v = fabs(s->y);
  double shrink = sqrt(in[0] / off[0] * in[1] / off[1]);
  out->widest = v * v / (2 * off[side]);
  out->time = 0;
  /* two half turns, one on each side of z = 0: away from it, and back */
  for (int half = 0; half < 2; half++, side = !side) {
    out->time += v / off[side] + v / sqrt(in[side] * off[side]);
    v *= sqrt(in[side] / off[side]);
  }
  /* a geometric series of full turns */
  out->time /= 1 - shrink;
  /* the weight with which z'' is 0 */
  double below = in[0] + off[0], above = in[1] + off[1];
  out->weight = below / (below + above);
  return 1 - shrink > shrinks;
}

/* ---- where it ends ---- */

/* Is the part on both surfaces, but for the widths of their bands? Then the first one must stand
 * still. */
static bool is_there(Run *run, Part *p, const int *pair, double width, const Spiral *sp) {
  Sides s;
  return measure(run, p, pair, &s) && fabs(s.y) <= sqrt(2 * sp->least * width);
}

/* The part has changed sides of surface pair[0], after it had changed sides of pair[1]: does it
 * soon come to rest on both? Then its states are there. */
static bool comes_to_rest(Run *run, Part *p, const int *pair, double width, double *scale,
                          Spiral *sp) {
  double limit = p->stepper->kind->keep ? wide : wider;
  Sides here;
  /* on the second surface the scale is not known */
  if (!measure(run, p, pair, &here) || here.away == 0)
    return false;
  *scale = here.y / here.away;
  if (!follow(&here, *scale, sp) || !(sp->widest < limit * width) ||
      run->d.time + sp->time >= run->goal.stop)
    return false;
  /* the states go to the end of the series, if they fit there */
  run_slide_place(run, p, pair, sp->weight, *scale);
  return is_there(run, p, pair, width, sp);
}

/* The part is on the bands of both: does it rest there? */
static bool rests(Run *run, Part *p, const int *pair, double width, double *scale, Spiral *sp) {
  int k = p->slide.k + 2;
  double *x = run->own.spiral->x;
  Sides here, there;
  memcpy(x, run->d.r + p->x, (size_t)p->n * sizeof *x);
  /* how the speed changes along what the weight changes */
  if (!measure(run, p, pair, &here) || !shift(run, p, k, k - 2) || !measure(run, p, pair, &there))
    return false;
  *scale = (there.y - here.y) / (there.away - here.away);
  memcpy(run->d.r + p->x, x, (size_t)p->n * sizeof *x);
  if (!isfinite(*scale) || *scale == 0 || !follow(&here, *scale, sp) || !(sp->widest <= width) ||
      !is_there(run, p, pair, width, sp))
    return false;
  /* it rests already: no time passes until the end */
  sp->time = NAN;
  run_slide_place(run, p, pair, sp->weight, *scale);
  return true;
}

static RunStatus hold(Run *run, Part *p, const int *pair, double scale, const Spiral *sp) {
  double end = run->d.time + sp->time;
  if (!isnan(end) && run->options->zeno == NU_ZENO_ERROR)
    return run_refuse_zeno(run, pair[0], end);
  /* where sliding is an error it is told, and the run ends */
  if (run_slide_must_not(run, pair[0]) || run_slide_must_not(run, pair[1])) {
    run_tell_failure(run, D_R613, "the model cannot be evaluated");
    return RUN_FAILED;
  }
  run_slide_hold(run, p, pair, sp->weight, scale, end > run->d.time ? end : NAN);
  p->events.ends = NAN;
  return RUN_OK;
}

typedef bool Test(Run *run, Part *p, const int *pair, double width, double *scale, Spiral *sp);

/* Nothing has changed if the look finds no rest. */
static RunStatus try_pair(Run *run, Part *p, const int *pair, double width, Test *test) {
  /* a look moves states, weights and values */
  SpiralWork *w = work(run);
  Slide before = p->slide;
  double scale;
  Spiral sp;
  memcpy(w->block, run->block, run->block_size);
  bool found = test(run, p, pair, width, &scale, &sp);
  memcpy(w->x, run->d.r + p->x, (size_t)p->n * sizeof *w->x);
  memcpy(run->block, w->block, run->block_size);
  run->eval.current = NULL;
  p->slide = before;
  if (!found)
    return RUN_OK;
  /* the states that the look has found stay; nothing else does */
  memcpy(run->d.r + p->x, w->x, (size_t)p->n * sizeof *w->x);
  return hold(run, p, pair, scale, &sp);
}

/* ---- which surfaces ---- */

/* May the motion stay on the surface of relation k, which it is free to leave? */
static bool may_stay(const Run *run, int k) {
  return run->rel->state[k].path == PATH_FREE && run_slide_could(run, k);
}

/* At the last passes of the event: what was looked at since may be a moment ahead. */
static bool is_on_band(const Run *run, int k) {
  return fabs(run->rel->z_lo[k]) <= run_band(run, k);
}

/* Relation k has just changed: with which other one does the motion come to rest? */
static RunStatus try_all(Run *run, Part *p, int k) {
  const RelationState *rs = &run->rel->state[k];
  RunStatus status = RUN_OK;
  int from = p->slide.k, s = run_slide_surface(run, k);
  for (int j = 0; j < p->scope.n_relations && status == RUN_OK && p->slide.k == from; j++) {
    int q = p->scope.relations[j], o = run_slide_surface(run, q);
    /* two relations of one surface do not meet, and there is room for two surfaces more */
    if (o == s || from + 2 > SLIDE_MOST || !may_stay(run, q))
      continue;
    /* on both bands it may rest; else the other one must have changed in between, as in a turn */
    if (is_on_band(run, q) && is_on_band(run, k))
      status = try_pair(run, p, (int[]){o, s}, run_band(run, q), rests);
    else if (run->rel->state[q].times[2] > rs->times[1])
      status = try_pair(run, p, (int[]){s, o}, run_band(run, k), comes_to_rest);
  }
  return status;
}

RunStatus run_spiral_note(Run *run, Part *p, double t) {
  RunStatus status = RUN_OK;
  for (int i = 0; i < p->scope.n_relations && run->own.slide && status == RUN_OK; i++) {
    int k = p->scope.relations[i];
    const RelationState *rs = &run->rel->state[k];
    /* wide excursions are no end of a spiral: nobody pays for a look */
    if (rs->times[2] == t && rs->excursion < near && may_stay(run, k))
      status = try_all(run, p, k);
  }
  return status;
}

/* Distances in run->rel->z_lo are those of the start. */
RunStatus run_spiral_begin(Run *run, Part *p) {
  RunStatus status = RUN_OK;
  for (int i = 0; i < p->scope.n_relations && status == RUN_OK; i++) {
    int k = p->scope.relations[i];
    /* both orders: either surface may be the one whose speed is the other */
    for (int j = 0; j < p->scope.n_relations && status == RUN_OK; j++) {
      int q = p->scope.relations[j];
      int pair[2] = {run_slide_surface(run, k), run_slide_surface(run, q)};
      bool meet = pair[0] != pair[1] && may_stay(run, k) && may_stay(run, q) &&
                  is_on_band(run, k) && is_on_band(run, q) && p->slide.k + 2 <= SLIDE_MOST;
      if (meet)
        status = try_pair(run, p, pair, run_band(run, k), rests);
    }
  }
  return status;
}
