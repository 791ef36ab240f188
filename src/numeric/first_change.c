/* numeric/first_change.c -- where in a step does a function first change its side?
 * How:  from left to right over pieces of the step; one whose enclosure leaves several answers is
 *       halved. A piece on which z stays on its side has no change; one on which it is monotone has
 *       at most one, which its ends show; one that is as short as the time can tell, or on which z
 *       stays inside its band, is judged by its end.
 * From: Moore, Kearfott and Cloud, Introduction to Interval Analysis, 2009, chapter 8.
 * Keep: a change is never passed over, but for those that are undone inside the band or inside the
 *       shortest piece. */
#include "numeric/first_change.h"
#include "base/limits.h"

#include <math.h>

/* What is known of one piece. */
typedef struct {
  Interval z;
  bool monotone;
  double to, end; /* where it ends, and z there: NAN if that is not known yet */
} Look;

typedef enum { STAYS, CHANGES, HALVE } Answer;

static Look look(const ChangeProblem *p, double from, double to) {
  Enclosure e;
  p->enclose(p->user, from, to, &e);
  Interval slope = enclosure_slope(&e);
  bool monotone = slope.low >= 0 || slope.high <= 0;
  return (Look){enclosure_value(&e), monotone, to, e.degree >= 0 ? e.c[e.degree] : NAN};
}

static double end_of(const ChangeProblem *p, const Look *l) {
  if (!isnan(l->end))
    return l->end;
  Enclosure e;
  p->enclose(p->user, l->to, l->to, &e);
  Interval at = enclosure_value(&e);
  return at.low + (at.high - at.low) / 2;
}

static bool inside(Interval z, double band) { return z.low >= -band && z.high <= band; }

/* Armed: z > 0 where the piece begins. */
static Answer judge_armed(const ChangeProblem *p, const Look *l, bool shortest, Change *c) {
  if (l->z.low > 0)
    return STAYS;
  bool near = inside(l->z, p->band);
  if (!near && !l->monotone && !shortest)
    return HALVE;
  if (!(end_of(p, l) > 0))
    return CHANGES;
  c->grazes += !l->monotone;
  return STAYS;
}

/* Not armed: z has not been above the band yet. */
static Answer judge_unarmed(const ChangeProblem *p, const Look *l, bool shortest, Change *c) {
  if (!(l->z.high > p->band))
    return STAYS;
  if (!(l->z.low > p->band) && !l->monotone && !shortest)
    return HALVE;
  c->armed = end_of(p, l) > p->band;
  return STAYS;
}

ChangeResult change_first(const ChangeProblem *p, Change *c) {
  /* ends of the pieces that wait, the next one last: each is half as long as the one before it */
  double ends[MOST_CHANGE_DEPTH] = {p->until};
  int n = 1;
  for (int pieces = 0; n > 0; pieces++) {
    double to = ends[n - 1], middle = c->from + (to - c->from) / 2;
    bool shortest = to - c->from <= p->width || n == MOST_CHANGE_DEPTH ||
                    !(middle > c->from && middle < to);
    if (pieces == MOST_CHANGE_PIECES)
      return CHANGE_UNKNOWN;
    Look l = look(p, c->from, to);
    if (shortest && !(isfinite(l.z.low) && isfinite(l.z.high)))
      return CHANGE_UNKNOWN;
    Answer answer = (c->armed ? judge_armed : judge_unarmed)(p, &l, shortest, c);
    if (answer == HALVE) {
      ends[n++] = middle;
      continue;
    }
    c->to = to;
    if (answer == CHANGES)
      return CHANGE_FOUND;
    c->from = to;
    n--;
  }
  return CHANGE_NONE;
}
