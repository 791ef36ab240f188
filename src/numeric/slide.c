/* numeric/slide.c -- the motion where switching surfaces meet.
 * How:  the speeds of the surfaces are multilinear in a (slide.h). Possible motions are the stable
 *       rest points of the fast motion a_i' = w_i(a) in the box [0, 1]^k, that a continuous switch
 *       of small width would perform: inside a face of the box the surfaces of its free directions
 *       are slid upon, the others are left. All faces are searched: a box without change of sign at
 *       its corners holds no solution, because a multilinear function takes its extremes at
 *       corners; a box where the Jacobian, after scaling by its inverse in the middle, is
 *       diagonally dominant at all corners holds at most one (Gale and Nikaido, Math. Ann. 159,
 *       1965), which Newton's method finds; any other box is halved.
 * Keep: faces and halves are visited in a fixed order. */
#include "numeric/slide.h"
#include "base/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CORNERS = 1 << SLIDE_MOST, HALVINGS = 12, NEWTON_STEPS = 40 };
static const double default_tolerance = 1e-10; /* 1: of speeds */
/* 1: a closer to 0 or 1 than this is at it; solutions closer than this are equal */
static const double edge = 1e-9;
static const double fast_step = 0.05; /* of the fast motion; its speeds are at most 1 */
/* 1: distance at which a stable rest point has caught the fast motion */
static const double caught = 0.02;
enum { FAST_STEPS = 4000 };

typedef struct {
  int k;
  double tolerance;
  double w[CORNERS * SLIDE_MOST]; /* each surface's speeds scaled to a largest of 1 */
  SlideResult motion[MOST_MOTIONS];
  int found;
  bool lost;
  /* the face that is searched */
  int s, free[SLIDE_MOST];           /* its directions: surfaces */
  int fixed;                         /* corner: sides of the other surfaces */
  double face[CORNERS * SLIDE_MOST]; /* 2^s * s: speeds of the free surfaces at its corners */
  double *levels;                    /* corner values of the boxes, per depth */
  int boxes;
} Search;

/* w at a, and its derivatives (k by k, row by row) if jacobian is not NULL. */
static void evaluate(int k, const double *w, const double *a, double *value, double *jacobian) {
  memset(value, 0, (size_t)k * sizeof *value);
  if (jacobian)
    memset(jacobian, 0, (size_t)(k * k) * sizeof *jacobian);
  for (int c = 0; c < 1 << k; c++) {
    double lambda = 1;
    for (int i = 0; i < k; i++)
      lambda *= c >> i & 1 ? a[i] : 1 - a[i];
    for (int i = 0; i < k; i++)
      value[i] += lambda * w[c * k + i];
    for (int j = 0; jacobian && j < k; j++) {
      double slope = c >> j & 1 ? 1 : -1;
      for (int i = 0; i < k; i++)
        slope *= i == j ? 1 : c >> i & 1 ? a[i] : 1 - a[i];
      for (int i = 0; i < k; i++)
        jacobian[i * k + j] += slope * w[c * k + i];
    }
  }
}

/* a for w(a) = 0; false: none near the start. */
static bool newton(int k, const double *w, double *a) {
  double f[SLIDE_MOST], jacobian[SLIDE_MOST * SLIDE_MOST], rows[SLIDE_MOST];
  int pivot[SLIDE_MOST], where;
  for (int step = 0; step < NEWTON_STEPS; step++) {
    evaluate(k, w, a, f, jacobian);
    if (!lu_factor(jacobian, pivot, rows, k, &where))
      return false;
    lu_solve(jacobian, pivot, k, f);
    double most = 0;
    for (int i = 0; i < k; i++) {
      a[i] -= f[i];
      most = fmax(most, isfinite(f[i]) ? fabs(f[i]) : INFINITY);
      if (fabs(a[i]) > 1e3)
        return false;
    }
    if (most < 8 * DBL_EPSILON || (step > 5 && most < edge / 100))
      return true;
  }
  return false;
}

/* ---- is a rest point stable? ---- */

/* Characteristic polynomial lambda^k + c[1] lambda^(k-1) + ... (Faddeev and Le Verrier). */
static void characteristic(const double *m, int k, double *c) {
  double power[SLIDE_MOST * SLIDE_MOST] = {0}, next[SLIDE_MOST * SLIDE_MOST];
  c[0] = 1;
  for (int order = 1; order <= k; order++) {
    for (int i = 0; i < k; i++)
      power[i * k + i] += c[order - 1];
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) {
        next[i * k + j] = 0;
        for (int l = 0; l < k; l++)
          next[i * k + j] += m[i * k + l] * power[l * k + j];
      }
    c[order] = 0;
    for (int i = 0; i < k; i++)
      c[order] -= next[i * k + i] / order;
    memcpy(power, next, sizeof next);
  }
}

/* Have all eigenvalues negative real parts? (Routh) */
static bool stable(const double *m, int k) {
  double c[SLIDE_MOST + 1], rows[2][SLIDE_MOST + 2] = {{0}};
  characteristic(m, k, c);
  for (int j = 0; j <= k; j++)
    rows[j % 2][j / 2] = c[j];
  for (int step = 0; step < k; step++) {
    double *upper = rows[step % 2], *lower = rows[(step + 1) % 2];
    if (!(lower[0] > 0))
      return false;
    double ratio = upper[0] / lower[0];
    for (int j = 0; j + 1 < SLIDE_MOST + 2; j++)
      upper[j] = upper[j + 1] - ratio * lower[j + 1];
  }
  return true;
}

/* Is it only certain for some speeds of the switches relative to each other? */
static bool is_fragile(const double *m, int k) {
  bool by_rows = true, by_columns = true, negative = true;
  for (int i = 0; i < k; i++) {
    double row = 0, column = 0;
    for (int j = 0; j < k; j++)
      if (j != i)
        row += fabs(m[i * k + j]), column += fabs(m[j * k + i]);
    negative &= m[i * k + i] <= 0;
    by_rows &= -m[i * k + i] > row;
    by_columns &= -m[i * k + i] > column;
  }
  return k > 2 ? !by_rows && !by_columns : !negative;
}

/* ---- solutions inside a face ---- */

/* A rest point of the face; a: of its free directions. */
static void consider(Search *se, const double *a) {
  SlideResult motion = {.sliding = se->s};
  int k = se->k;
  for (int i = 0; i < k; i++)
    motion.a[i] = se->fixed >> i & 1, motion.side[i] = se->fixed >> i & 1 ? 1 : -1;
  for (int i = 0; i < se->s; i++) {
    if (!(a[i] > edge && a[i] < 1 - edge))
      return;
    motion.a[se->free[i]] = a[i], motion.side[se->free[i]] = 0;
  }
  double value[SLIDE_MOST], jacobian[SLIDE_MOST * SLIDE_MOST];
  evaluate(k, se->w, motion.a, value, NULL);
  for (int i = 0; i < k; i++) {
    if (motion.side[i] * value[i] < -se->tolerance)
      return;
    motion.tangent |= motion.side[i] != 0 && fabs(value[i]) <= se->tolerance;
  }
  evaluate(se->s, se->face, a, value, jacobian);
  if (!stable(jacobian, se->s))
    return;
  motion.fragile = se->s > 1 && is_fragile(jacobian, se->s);
  for (int m = 0; m < se->found; m++) {
    double apart = 0;
    for (int i = 0; i < k; i++)
      apart = fmax(apart, fabs(se->motion[m].a[i] - motion.a[i]));
    if (apart <= edge)
      return;
  }
  if (se->found == MOST_MOTIONS)
    se->lost = true;
  else
    se->motion[se->found++] = motion;
}

static bool sign_change(const double *corners, int s) {
  for (int i = 0; i < s; i++) {
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 1 << s; c++)
      low = fmin(low, corners[c * s + i]), high = fmax(high, corners[c * s + i]);
    if (low > 0 || high < 0)
      return false;
  }
  return true;
}

/* Can the box hold one solution at most? */
static bool at_most_one(const double *corners, int s) {
  double middle[SLIDE_MOST], value[SLIDE_MOST], jacobian[SLIDE_MOST * SLIDE_MOST], rows[SLIDE_MOST],
      g[CORNERS * SLIDE_MOST];
  int pivot[SLIDE_MOST], where;
  for (int i = 0; i < s; i++)
    middle[i] = 0.5;
  evaluate(s, corners, middle, value, jacobian);
  if (!lu_factor(jacobian, pivot, rows, s, &where))
    return false;
  memcpy(g, corners, (size_t)((1 << s) * s) * sizeof *g);
  for (int c = 0; c < 1 << s; c++)
    lu_solve(jacobian, pivot, s, g + c * s);
  for (int i = 0; i < s; i++) {
    double least = INFINITY, others = 0;
    for (int j = 0; j < s; j++) {
      double most = 0;
      for (int c = 0; c < 1 << s; c++) {
        double slope = c >> j & 1 ? g[c * s + i] - g[(c ^ 1 << j) * s + i] : 0;
        most = fmax(most, fabs(slope));
        if (c >> j & 1 && j == i)
          least = fmin(least, slope);
      }
      others += j == i ? 0 : most;
    }
    if (!(least > others))
      return false;
  }
  return true;
}

/* Searches the box of the corner values at this depth; low: its lower corner, width: per
 * direction. */
static void search_box(Search *se, int depth, const double *low, const double *width) {
  int s = se->s, count = (1 << s) * s;
  const double *corners = se->levels + (size_t)depth * (size_t)count;
  if (se->lost || !sign_change(corners, s))
    return;
  if (++se->boxes > MOST_SLIDE_BOXES) {
    se->lost = true;
    return;
  }
  double a[SLIDE_MOST], half[SLIDE_MOST];
  if (at_most_one(corners, s)) {
    for (int i = 0; i < s; i++)
      a[i] = low[i] + width[i] / 2;
    bool inside = newton(s, se->face, a);
    for (int i = 0; i < s; i++)
      inside &= a[i] >= low[i] - edge && a[i] <= low[i] + width[i] + edge;
    if (inside)
      consider(se, a);
    return;
  }
  if (depth == HALVINGS * s) {
    se->lost = true;
    return;
  }
  int axis = depth % s, bit = 1 << axis;
  double *child = se->levels + (size_t)(depth + 1) * (size_t)count;
  memcpy(a, low, (size_t)s * sizeof *a);
  memcpy(half, width, (size_t)s * sizeof *half);
  half[axis] /= 2;
  for (int upper = 0; upper < 2; upper++) {
    for (int c = 0; c < 1 << s; c++)
      for (int i = 0; i < s; i++) {
        double here = corners[c * s + i];
        bool kept = (c & bit) ? upper : !upper;
        child[c * s + i] = kept ? here : (here + corners[(c ^ bit) * s + i]) / 2;
      }
    a[axis] = low[axis] + upper * half[axis];
    search_box(se, depth + 1, a, half);
  }
}

/* The face whose free directions are the bits of `mask`, at the sides `fixed` of the others. */
static void search_face(Search *se, int mask, int fixed) {
  int k = se->k;
  se->s = 0, se->fixed = fixed, se->boxes = 0;
  for (int i = 0; i < k; i++)
    if (mask >> i & 1)
      se->free[se->s++] = i;
  for (int c = 0; c < 1 << se->s; c++) {
    int corner = fixed;
    for (int i = 0; i < se->s; i++)
      corner |= (c >> i & 1) << se->free[i];
    for (int i = 0; i < se->s; i++)
      se->face[c * se->s + i] = se->w[corner * k + se->free[i]];
  }
  if (se->s == 0) {
    consider(se, se->face);
    return;
  }
  double low[SLIDE_MOST] = {0}, width[SLIDE_MOST];
  for (int i = 0; i < se->s; i++)
    width[i] = 1;
  memcpy(se->levels, se->face, (size_t)((1 << se->s) * se->s) * sizeof *se->levels);
  search_box(se, 0, low, width);
}

/* ---- choice ---- */

static int nearest(const Search *se, const double *a, double *distance) {
  int best = 0;
  *distance = INFINITY;
  for (int m = 0; m < se->found; m++) {
    double apart = 0;
    for (int i = 0; i < se->k; i++)
      apart = fmax(apart, fabs(se->motion[m].a[i] - a[i]));
    if (apart < *distance)
      best = m, *distance = apart;
  }
  return best;
}

/* Follows the fast motion from where the point comes. */
static int choose(const Search *se, const double *from) {
  double a[SLIDE_MOST], value[SLIDE_MOST], distance;
  for (int i = 0; i < se->k; i++)
    a[i] = from ? fmin(1, fmax(0, from[i])) : 0.5;
  int best = nearest(se, a, &distance);
  for (int step = 0; step < FAST_STEPS && distance > caught; step++) {
    evaluate(se->k, se->w, a, value, NULL);
    for (int i = 0; i < se->k; i++)
      a[i] = fmin(1, fmax(0, a[i] + fast_step * value[i]));
    best = nearest(se, a, &distance);
  }
  return best;
}

size_t slide_work(int k) { return (size_t)(HALVINGS * k + 1) * (size_t)k << k; }

static bool scale_speeds(Search *se, const double *w, bool *nodal) {
  int k = se->k;
  *nodal = true;
  for (int i = 0; i < k; i++) {
    double most = 0;
    for (int c = 0; c < 1 << k; c++) {
      if (!isfinite(w[c * k + i]))
        return false;
      most = fmax(most, fabs(w[c * k + i]));
      *nodal &= (c >> i & 1 ? -1 : 1) * w[c * k + i] > 0;
    }
    for (int c = 0; c < 1 << k; c++)
      se->w[c * k + i] = most > 0 ? w[c * k + i] / most : 0;
  }
  return true;
}

SlideEnd slide_solve(const SlideProblem *p, SlideResult *out, double *work) {
  Search se = {
      .k = p->k, .levels = work, .tolerance = p->tolerance > 0 ? p->tolerance : default_tolerance};
  bool nodal;
  *out = (SlideResult){0};
  if (p->k < 1 || p->k > SLIDE_MOST || !scale_speeds(&se, p->w, &nodal))
    return SLIDE_LOST;
  bool lost = false;
  for (int mask = 0; mask < 1 << p->k; mask++)
    for (int fixed = 0; fixed < 1 << p->k; fixed++)
      if (!(mask & fixed)) {
        search_face(&se, mask, fixed);
        lost |= se.lost;
        se.lost = false;
      }
  if (se.found == 0)
    return lost ? SLIDE_LOST : SLIDE_NONE;
  *out = se.motion[se.found > 1 ? choose(&se, p->from) : 0];
  out->found = se.found;
  out->nodal = nodal;
  return se.found > 1 || lost ? SLIDE_SEVERAL : SLIDE_OK;
}

/* ---- while sliding ---- */

SlideKind slide_kind(double plus, double minus, double bend_plus, double bend_minus, double zero) {
  bool up_above = fabs(plus) > zero ? plus > 0 : bend_plus >= 0;
  bool up_below = fabs(minus) > zero ? minus > 0 : bend_minus > 0;
  if (up_above)
    return up_below ? SLIDE_UP : SLIDE_REPULSIVE;
  return up_below ? SLIDE_ATTRACTIVE : SLIDE_DOWN;
}

int slide_follow(int k, const double *w, double *a) {
  double next[SLIDE_MOST];
  memcpy(next, a, (size_t)k * sizeof *next);
  if (!newton(k, w, next))
    return NUM_RETRY;
  memcpy(a, next, (size_t)k * sizeof *next);
  return NUM_OK;
}

void slide_weights(int k, const double *a, double *lambda) {
  for (int c = 0; c < 1 << k; c++) {
    lambda[c] = 1;
    for (int i = 0; i < k; i++)
      lambda[c] *= c >> i & 1 ? a[i] : 1 - a[i];
  }
}

void slide_combine(int k, int n, const double *fields, const double *a, double *x_dot) {
  double lambda[CORNERS];
  slide_weights(k, a, lambda);
  for (int j = 0; j < n; j++) {
    x_dot[j] = 0;
    for (int c = 0; c < 1 << k; c++)
      x_dot[j] += lambda[c] * fields[(size_t)c * (size_t)n + (size_t)j];
  }
}

int slide_exit(int k, const double *a, int *side) {
  int worst = -1;
  double most = 0;
  for (int i = 0; i < k; i++) {
    double outside = fmax(-a[i], a[i] - 1);
    if (outside >= 0 && (worst < 0 || outside > most))
      worst = i, most = outside, *side = a[i] < 0.5 ? -1 : 1;
  }
  return worst;
}

/* dx = -D G' (G D G')^-1 z with D = size^2. */
bool slide_correction(int k, int n, const double *z, const double *gradient, const double *size,
                      double *dx) {
  double gram[SLIDE_MOST * SLIDE_MOST], y[SLIDE_MOST], rows[SLIDE_MOST];
  int pivot[SLIDE_MOST], where;
  if (k > SLIDE_MOST)
    return false;
  for (int i = 0; i < k; i++)
    for (int l = 0; l < k; l++) {
      gram[i * k + l] = 0;
      for (int j = 0; j < n; j++) {
        double weight = size ? size[j] * size[j] : 1;
        gram[i * k + l] += weight * gradient[(size_t)i * (size_t)n + (size_t)j] *
                           gradient[(size_t)l * (size_t)n + (size_t)j];
      }
    }
  memcpy(y, z, (size_t)k * sizeof *y);
  if (!lu_factor(gram, pivot, rows, k, &where))
    return false;
  lu_solve(gram, pivot, k, y);
  for (int j = 0; j < n; j++) {
    dx[j] = 0;
    for (int i = 0; i < k; i++)
      dx[j] -= (size ? size[j] * size[j] : 1) * gradient[(size_t)i * (size_t)n + (size_t)j] * y[i];
  }
  return true;
}
