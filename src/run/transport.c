/* run/transport.c -- what spatialDistribution() carries along (MLS 3.6 section 3.7.4.2).
 * The distribution moves with x and keeps its shape: a point at place y when the way was x has the
 * fixed coordinate s = y - x, so that ends 0 and 1 are at s = -x and s = 1 - x. Points are added
 * where the flow enters: in the order of s on the left while x grows, on the right while it falls;
 * what has left is forgotten when the flow turns. Recorded are points of each accepted step and
 * both sides of each event.
 * How:  each point has the time when it entered; what is at s is found by the time at which the end
 *       was there, with cubics in time through the four nearest points of the same piece, which
 *       stay good where the flow comes to rest and turns. Pieces end at two points with equal s. If
 *       their values differ, that is a jump; it makes an event when it reaches an end. Where x
 *       itself jumps the gap is filled by a straight line, as in the text of the specification.
 * Keep: between events a jump does not come out: its near side holds until its event has begun. A
 *       step moves x by 1 at most, so that what comes out has been recorded. */
#include "run/core.h"
#include "run/evaluate.h"
#include "run/part.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/steps.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { FIRST_POINTS = 256, AHEAD = 2, IN0 = 0, PLACE = 2, POSITIVE = 3, N_VALUES = 4 };

struct Transport {
  /* Room each; points first .. first + n - 1, by s: time of entry, coordinate, value */
  double *t, *s, *u;
  int first, n, room;
  double x, time;   /* of the last record */
  double speed;     /* |dx/dt| between the last two */
  int inflow;       /* the end where the flow enters */
  double gone[2];   /* jumps up to here (end 0), from here on (end 1) have come out */
  bool has_jump[2]; /* the next one for each end: where it is, and its side towards that end */
  double jump[2], near[2];
};

static double sign_of(int end) { return end ? 1 : -1; }

/* Two places that are one for events. */
static double same_place(const Run *run, double x) {
  return 2 * run_band_of(run, fabs(x) + 2, fabs(x));
}

/* ---- points ---- */

/* Other room, for the same first n points in its middle. */
static void new_room(Run *run, Transport *b, int room, int n) {
  /* room on both sides, because the flow may turn */
  int first = (room - n) / 2;
  double **banks[] = {&b->t, &b->s, &b->u};
  for (int k = 0; k < 3; k++) {
    double *to = NEW_ARRAY(run->a, double, room);
    if (n)
      memcpy(to + first, *banks[k] + b->first, (size_t)n * sizeof(double));
    *banks[k] = to;
  }
  b->room = room;
  b->first = first;
}

/* At both ends. */
static void make_room(Run *run, Transport *b) {
  /* in the middle again, if that gives room enough */
  int needed = 2 * b->n + FIRST_POINTS;
  int first = (b->room - b->n) / 2;
  double *banks[] = {b->t, b->s, b->u};
  if (needed > b->room) {
    new_room(run, b, 2 * needed, b->n);
    return;
  }
  for (int k = 0; k < 3; k++)
    memmove(banks[k] + first, banks[k] + b->first, (size_t)b->n * sizeof(double));
  b->first = first;
}

static void push(Run *run, Transport *b, int end, const double point[3]) {
  if (end ? b->first + b->n == b->room : b->first == 0)
    make_room(run, b);
  int k = end ? b->first + b->n : --b->first;
  b->t[k] = point[0];
  b->s[k] = point[1];
  b->u[k] = point[2];
  b->n++;
}

static void drop(Transport *b, int end) { b->first += !end, b->n--; }

/* Number of the k-th point from an end. */
static int from(const Transport *b, int end, int k) {
  return end ? b->first + b->n - 1 - k : b->first + k;
}

/* ---- values ---- */

/* Polynomials through points first .. last at time t; exactly constant where values are equal. */
static void at_time(const Transport *b, int first, int last, double t, double *s, double *u) {
  *s = b->s[first];
  *u = b->u[first];
  for (int i = first + 1; i <= last; i++) {
    double w = 1;
    for (int j = first; j <= last; j++)
      w *= j == i ? 1 : (t - b->t[j]) / (b->t[i] - b->t[j]);
    *s += w * (b->s[i] - b->s[first]);
    *u += w * (b->u[i] - b->u[first]);
  }
}

/* Time of entry and value at s, between points k and k + 1. */
static void between(const Transport *b, int k, double s, double *t, double *u) {
  int first = k;
  int last = k + 1;
  int end = b->first + b->n - 1;
  double lo = b->s[k];
  double hi = b->s[k + 1];
  double part = (s - lo) / (hi - lo);
  /* points of the same piece, two on each side */
  while (first > b->first && first > k - 1 && b->s[first - 1] < b->s[first])
    first--;
  while (last < end && last < k + 2 && b->s[last] < b->s[last + 1])
    last++;
  *t = b->t[k] + part * (b->t[k + 1] - b->t[k]);
  *u = b->u[k] + part * (b->u[k + 1] - b->u[k]);
  /* a line has no other time to look for, and ends are exact */
  if (last == first + 1 || s == lo || s == hi) {
    *u = s == hi ? b->u[k + 1] : *u;
    return;
  }
  /* the cubic gives s by time: the time at s has to be found */
  bool rising = b->t[k + 1] > b->t[k];
  Bracket br = {.lo = rising ? b->t[k] : b->t[k + 1], .hi = rising ? b->t[k + 1] : b->t[k]};
  br.f_lo = (rising ? lo : hi) - s;
  br.f_hi = (rising ? hi : lo) - s;
  br.width = 4 * DBL_EPSILON * fmax(fabs(br.lo), fabs(br.hi));
  double there = 0, value = *u;
  while (br.hi - br.lo > br.width && br.rounds < 100) {
    double guess = bracket_guess(&br);
    if (!(guess > br.lo && guess < br.hi))
      break;
    at_time(b, first, last, guess, &there, &value);
    *t = guess;
    *u = value;
    if (there == s)
      break;
    bracket_move(&br, guess, there - s, (there < s) == rising);
  }
}

/* At s, of two points there the one that is further inside as seen from this end. */
static void value_at(const Transport *b, int end, double s, double *t, double *u) {
  int lo = b->first - 1, hi = b->first + b->n; /* point lo is left of s, or at it if it must be */
  while (hi - lo > 1) {
    int mid = lo + (hi - lo) / 2;
    *((end ? b->s[mid] < s : b->s[mid] <= s) ? &lo : &hi) = mid;
  }
  /* beyond the ends the outermost value holds */
  if (lo < b->first || lo == b->first + b->n - 1) {
    int k = lo < b->first ? b->first : lo;
    *t = b->t[k];
    *u = b->u[k];
  } else
    between(b, lo, s, t, u);
}

/* ---- jumps ---- */

/* The next jump for an end when the way is x: the nearest one that has not come out. One that is at
 * this very end has just entered there, or comes out now; x may have jumped over those that are
 * further away. */
static bool next_jump(const Run *run, const Transport *b, int end, double x, double *at,
                      double *near) {
  double edge = end - x;
  double same = same_place(run, x);
  double least = end == b->inflow ? same : -same;
  double side = sign_of(end);
  for (int k = 1; k < b->n; k++) {
    int outer = from(b, end, k - 1), inner = from(b, end, k);
    if (b->s[outer] != b->s[inner] || b->u[outer] == b->u[inner])
      continue;
    if (side * (edge - b->s[inner]) > least && side * (b->gone[end] - b->s[inner]) > 0)
      return *at = b->s[inner], *near = b->u[outer], true;
  }
  return false;
}

static void find_jumps(const Run *run, Transport *b) {
  for (int end = 0; end < 2; end++)
    b->has_jump[end] = next_jump(run, b, end, b->x, &b->jump[end], &b->near[end]);
}

/* Value at an end when the way is x, and since when it is on the way. */
static double out_of(const Run *run, const Transport *b, int end, double x, double *t) {
  double s = end - x;
  double side = sign_of(end);
  double at = b->jump[end];
  double near = b->near[end];
  double u = 0;
  bool has = b->has_jump[end];
  if (!b->n)
    return 0;
  if (run->past->at_event) /* x may have jumped */
    has = next_jump(run, b, end, x, &at, &near);
  else if (has && side * (at - s) >= 0)
    return near;
  if (side * (s - b->gone[end]) > 0)
    s = b->gone[end];
  value_at(b, end, s, t, &u);
  return u;
}

double run_transport(DsData *d, int k, int what, double x) {
  const Run *run = d->run;
  const Transport *b = &run->past->transports[k];
  int end = what & 1;
  double t, at = b->jump[end], near;
  if (what < 2)
    return out_of(run, b, end, x, &t);
  bool has = run->past->at_event ? next_jump(run, b, end, x, &at, &near) : b->has_jump[end];
  return has ? end - at : x + 2 * sign_of(end);
}

/* ---- recording ---- */

/* At the end where the flow enters, what lies outside is gone for ever. */
static void cut(Run *run, Transport *b, int end) {
  double edge = end - b->x;
  double side = sign_of(end);
  double t = b->time;
  if (!(side * (b->s[from(b, end, 0)] - edge) > 0))
    return;
  double u = out_of(run, b, end, b->x, &t);
  while (b->n && side * (b->s[from(b, end, 0)] - edge) >= 0)
    drop(b, end);
  push(run, b, end, (double[]){t, edge, u});
}

static void record(Run *run, Transport *b, const double *now, bool event) {
  double t = run->d.time, x = now[PLACE];
  bool forward = x > b->x || (x == b->x && now[POSITIVE] != 0);
  int end = forward ? 0 : 1;
  double u = now[IN0 + end], s = end - x;
  cut(run, b, end);
  if (end != b->inflow) /* the flow has turned: what is at the other end leaves at once */
    b->gone[!end] = !end - b->x;
  b->gone[end] = sign_of(end) * INFINITY;
  b->inflow = end;
  int last = from(b, end, 0), before = from(b, end, 1);
  if (s == b->s[last] && b->n > 1 && b->s[before] == s) {
    b->t[last] = t;
    b->u[last] = u; /* three values at one place: the one between did not last */
  } else {
    if (event && s != b->s[last]) { /* x has jumped */
      push(run, b, end, (double[]){0, b->s[last], b->u[last]});
      push(run, b, end, (double[]){1, s, u});
    }
    push(run, b, end, (double[]){t, s, u});
  }
  /* where it leaves, some points further on are kept for the cubics */
  while (b->n > AHEAD + 2 && sign_of(!end) * (b->s[from(b, !end, AHEAD)] - (!end - x)) > 0)
    drop(b, !end);
  if (t > b->time)
    b->speed = fabs(x - b->x) / (t - b->time);
  b->x = x;
  b->time = t;
  find_jumps(run, b);
}

static int read_now(Run *run) {
  run->d.fuel = run_fuel;
  run->d.top = 0;
  return run->m->transports(&run->d, run->past->transport_values);
}

int run_transports_entering(Run *run, double *to, int apart) {
  int n = run->m->n_transports;
  int status = n ? read_now(run) : NUM_OK;
  for (int k = 0; k < 2 * n && status == NUM_OK; k++)
    to[k * apart] = run->past->transport_values[N_VALUES * (k / 2) + IN0 + k % 2];
  return status;
}

int run_transports_record(Run *run, bool event) {
  int n = run->m->n_transports;
  int status = n ? read_now(run) : NUM_OK;
  for (int k = 0; k < n && status == NUM_OK; k++)
    record(run, &run->past->transports[k], run->past->transport_values + N_VALUES * k, event);
  run->past->at_event = false;
  return status;
}

/* The initial distribution, as pieces of straight lines. */
static void begin(Run *run, Transport *b, const double *now, const double *points,
                  const double *values, int n) {
  double x = b->x = now[PLACE];
  b->n = 0;
  b->first = b->room / 2;
  b->time = run->d.time;
  b->speed = 0;
  b->inflow = now[POSITIVE] != 0 ? 0 : 1;
  b->gone[b->inflow] = sign_of(b->inflow) * INFINITY;
  b->gone[!b->inflow] = !b->inflow - x;
  if (points[0] > 0)
    push(run, b, 1, (double[]){0, 0 - x, values[0]});
  for (int k = 0; k < n; k++) {
    const double point[] = {points[k], points[k] - x, values[k]};
    bool inside = (k > 0 || points[0] > 0) && (k < n - 1 || points[k] < 1);
    bool corner = k == 0 || points[k] > points[k - 1];
    push(run, b, 1, point);
    if (inside && corner && !(k < n - 1 && points[k + 1] == points[k]))
      push(run, b, 1, point);
  }
  if (points[n - 1] < 1)
    push(run, b, 1, (double[]){1, 1 - x, values[n - 1]});
  find_jumps(run, b);
}

int run_transports_begin(Run *run) {
  int n = run->m->n_transports;
  int status = n ? read_now(run) : NUM_OK;
  if (!n || status != NUM_OK)
    return status;
  status = run->m->profiles(&run->d, run->past->profiles);
  const double *at = run->past->profiles;
  for (int k = 0; k < n && status == NUM_OK; k++) {
    int points = run->m->transport_points[k];
    begin(run, &run->past->transports[k], run->past->transport_values + N_VALUES * k, at,
          at + points, points);
    at += 2 * points;
  }
  return status;
}

void run_transports_allocate(Run *run) {
  size_t points = 0, n = (size_t)run->m->n_transports;
  run->past->transports = NEW_ARRAY(run->a, Transport, n + 1);
  run->past->transport_values = NEW_ARRAY(run->a, double, N_VALUES *n + 1);
  for (size_t k = 0; k < n; k++)
    points += 2 * (size_t)run->m->transport_points[k];
  run->past->profiles = NEW_ARRAY(run->a, double, points + 1);
}

void run_transports_keep(Run *run, Tape *t) {
  for (int k = 0; k < run->m->n_transports; k++) {
    Transport *b = &run->past->transports[k];
    size_t most = tape_left(t) / (3 * sizeof *b->t);
    tape_number(t, &b->n, 0, most < INT_MAX ? (int)most + 1 : INT_MAX);
    tape_number(t, &b->inflow, 0, 2);
    tape_value(t, b->x);
    tape_value(t, b->time);
    tape_value(t, b->speed);
    tape_value(t, b->gone);
    tape_flags(t, b->has_jump, 2);
    tape_value(t, b->jump);
    tape_value(t, b->near);
    if (t->way == TAPE_READ) {
      int n = b->n;
      if (b->room < n)
        new_room(run, b, n + FIRST_POINTS, 0);
      b->n = n;
      b->first = (b->room - n) / 2;
    }
    double *banks[] = {b->t, b->s, b->u};
    for (int q = 0; q < 3; q++)
      tape_array(t, b->n ? banks[q] + b->first : banks[q], b->n);
  }
}

/* ---- steps and events ---- */

double run_transports_longest(const Run *run) {
  double least = INFINITY;
  for (int k = 0; k < run->m->n_transports; k++)
    if (run->past->transports[k].speed > 0)
      least = fmin(least, 0.5 / run->past->transports[k].speed);
  return least;
}

int run_transports_check(Part *p, double theta) {
  Run *run = p->run;
  int n = run->m->n_transports;
  const Stepper *s = p->stepper;
  if (!n || s->kind->fixed)
    return NUM_OK;
  stepper_dense(p->stepper, theta, run->cells.trial);
  int status = run_at(p, theta < 1 ? s->t + theta * (s->t1 - s->t) : s->t1, run->cells.trial);
  if (status == NUM_OK)
    status = read_now(run);
  for (int k = 0; k < n && status == NUM_OK; k++)
    if (fabs(run->past->transport_values[N_VALUES * k + PLACE] - run->past->transports[k].x) > 1)
      status = NUM_RETRY;
  return status;
}

void run_transports_pass(Run *run) {
  int n = run->m->n_transports;
  if (!n || read_now(run) != NUM_OK)
    return;
  for (int k = 0; k < n; k++) {
    Transport *b = &run->past->transports[k];
    double x = run->past->transport_values[N_VALUES * k + PLACE];
    double same = same_place(run, x);
    for (int end = 0; end < 2; end++)
      while (b->has_jump[end] && sign_of(end) * (b->jump[end] - (end - x)) >= -same) {
        b->gone[end] = b->jump[end];
        find_jumps(run, b);
      }
  }
}
