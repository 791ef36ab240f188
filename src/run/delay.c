/* run/delay.c -- the past of delayed expressions.
 * Recorded are points of each accepted step and both sides of each event, where a piece ends; a
 * jump makes an event again when the delay has passed.
 * Between points of one piece a cubic through the four nearest gives the value; a step has as many
 * points as the cubic needs to be right within the tolerance, because the solver controls the error
 * of states only. Steps are not longer than the shortest delay, so that what is asked for has been
 * recorded; at most the last point is extended.
 * Where the delay varies between events, a relation of the model says when a jump comes out
 * (structure/lower_delay.c). Before the first delay has passed it is the value at the start, after
 * all that happens in that instant: no jump is recorded there.
 * Keep: at a jump the value before it holds until the event for it has begun. */
#include "run/core.h"
#include "run/evaluate.h"
#include "run/part.h"
#include "run/past.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/steps.h"
#include "run/trace.h"
#include "base/limits.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  FIRST_ROOM = 256,
  LEAST_POINTS = 4,   /* of a step; a multiple of 4 */
  DOUBTED_POINTS = 8, /* if so many do not do, they may be noise */
};
static const double same_instant = 8; /* roundings of the time */
/* 1: distance of a point from its neighbour, of that on the other side. A cubic through points that
 * are nearer multiplies the rounding of their values by the inverse. */
static const double too_near = 1e-4;

struct DelayBuffer {
  double *t, *u; /* room each: points, ascending; two with equal time: a jump */
  int n, room;
  int passed; /* the second point of the last jump that has had its event; 0: none */
  /* now: the expression, its delay, and the longest one that will be asked for */
  double value, delay, most;
  bool varies; /* the delay, between events */
  int next;    /* if it does: the second point of the next jump; 0: none */
};

/* ---- recording ---- */

static void make_room(Run *run, DelayBuffer *b) {
  /* some points before the oldest that can be asked for stay, because a cubic needs neighbours */
  int old = 0;
  while (old + 8 < b->n && b->t[old + 4] < run->d.time - b->most)
    old++;
  /* more than a quarter is old: room enough without more memory */
  if (old > b->n / 4) {
    memmove(b->t, b->t + old, (size_t)(b->n - old) * sizeof *b->t);
    memmove(b->u, b->u + old, (size_t)(b->n - old) * sizeof *b->u);
    b->n -= old;
    b->passed = b->passed > old ? b->passed - old : 0;
    return;
  }
  double *t = NEW_ARRAY(run->a, double, 2 * b->room);
  double *u = NEW_ARRAY(run->a, double, 2 * b->room);
  memcpy(t, b->t, (size_t)b->n * sizeof *t);
  memcpy(u, b->u, (size_t)b->n * sizeof *u);
  b->t = t;
  b->u = u;
  b->room *= 2;
}

static int read_now(Run *run) {
  run->d.fuel = run_fuel;
  run->d.top = 0;
  int n = run->m->n_delays;
  int status = run->m->delays(&run->d, run->past->delay_values);
  for (int k = 0; k < n && status == NUM_OK; k++) {
    const double *v = run->past->delay_values + 4 * k;
    DelayBuffer *b = &run->past->delays[k];
    b->value = v[0];
    /* a delay that is negative by rounding is none */
    b->delay = fmax(v[1], 0);
    b->most = fmax(v[2], b->delay);
    b->varies = v[3] != 0;
  }
  return status;
}

/* Second point of the first jump after point k; 0 if there is none. An event that changes nothing
 * but the slope ends a piece, too, but makes no event when it comes out. */
static int next_jump(const DelayBuffer *b, int k) {
  for (k = k + 1; k < b->n; k++)
    if (b->t[k] == b->t[k - 1] && b->u[k] != b->u[k - 1])
      return k;
  return 0;
}

static void find_next(DelayBuffer *b) { b->next = b->varies ? next_jump(b, b->passed) : 0; }

/* The time of a new point. An event may be a few roundings later than the end of the step before
 * it: it is the same instant, and a jump must not become a slope. */
static double time_of_point(const Run *run, const DelayBuffer *b, bool event) {
  double t = run->d.time, last = b->n ? b->t[b->n - 1] : -INFINITY;
  /* events that were found in a step stand beside its end by rounding */
  return event && fabs(t - last) <= same_instant * DBL_EPSILON * fabs(t) ? last : t;
}

/* Is the last point inside of its piece, and of no use once the next one is at t? A step that ends
 * some roundings before an event is followed by one that is as short. */
static bool is_useless(const DelayBuffer *b, double t) {
  double before = b->n > 1 ? b->t[b->n - 1] - b->t[b->n - 2] : 0;
  double after = t - b->t[b->n - 1];
  return before > 0 && fmin(before, after) < too_near * fmax(before, after);
}

/* At an event also the value that is there already, for the piece that begins. */
static void append(Run *run, DelayBuffer *b, double t, double u, bool event) {
  bool there = b->n && b->t[b->n - 1] == t && (b->u[b->n - 1] == u || !event);
  /* a point that is there needs no second one, but where it ends a piece that began in it */
  if (there && !(event && b->n > 1 && b->t[b->n - 2] < t))
    return;
  if (!event && b->n && is_useless(b, t))
    b->n--;
  /* three values at one instant: the one between did not last */
  if (b->n > 1 && b->t[b->n - 2] == t)
    b->n--;
  if (b->n == b->room)
    make_room(run, b);
  b->t[b->n] = t;
  b->u[b->n++] = u;
  find_next(b);
}

int run_delays_record(Run *run, bool event) {
  int status = run->m->n_delays ? read_now(run) : NUM_OK;
  for (int k = 0; k < run->m->n_delays && status == NUM_OK; k++) {
    DelayBuffer *b = &run->past->delays[k];
    append(run, b, time_of_point(run, b, event), b->value, event);
  }
  return status == NUM_OK ? run_transports_record(run, event) : status;
}

int run_delays_first(Run *run, int *changed) {
  int status = run->m->n_delays ? read_now(run) : NUM_OK;
  *changed = -1;
  for (int k = 0; k < run->m->n_delays && status == NUM_OK; k++) {
    DelayBuffer *b = &run->past->delays[k];
    /* the first that has changed, for the message about what depends on itself */
    if (*changed < 0 && (b->n != 1 || b->u[0] != b->value))
      *changed = k;
    b->t[0] = run->d.time;
    b->u[0] = b->value;
    b->n = 1;
    b->passed = b->next = 0;
  }
  return status;
}

void run_delays_begin(Run *run) {
  for (int k = 0; k < run->m->n_delays; k++) {
    DelayBuffer *b = &run->past->delays[k];
    b->n = b->passed = b->next = 0;
  }
}

void run_delays_allocate(Run *run) {
  run->past->delays = NEW_ARRAY(run->a, DelayBuffer, run->m->n_delays + 1);
  run->past->delay_values = NEW_ARRAY(run->a, double, 4 * (size_t)run->m->n_delays + 1);
  for (int k = 0; k < run->m->n_delays; k++) {
    run->past->delays[k].room = FIRST_ROOM;
    run->past->delays[k].t = NEW_ARRAY(run->a, double, FIRST_ROOM);
    run->past->delays[k].u = NEW_ARRAY(run->a, double, FIRST_ROOM);
  }
}

void run_delays_keep(Run *run, Tape *t) {
  for (int k = 0; k < run->m->n_delays; k++) {
    DelayBuffer *b = &run->past->delays[k];
    size_t most = tape_left(t) / (2 * sizeof *b->t);
    /* sizes first: what they say is checked before memory is asked for */
    tape_number(t, &b->n, 0, most < INT_MAX ? (int)most + 1 : INT_MAX);
    tape_number(t, &b->passed, 0, b->n + 1);
    tape_number(t, &b->next, 0, b->n + 1);
    tape_value(t, b->value);
    tape_value(t, b->delay);
    tape_value(t, b->most);
    tape_flag(t, &b->varies);
    if (b->n > b->room) {
      b->room = b->n;
      b->t = NEW_ARRAY(run->a, double, b->room);
      b->u = NEW_ARRAY(run->a, double, b->room);
    }
    tape_array(t, b->t, b->n);
    tape_array(t, b->u, b->n);
  }
}

/* The equations at a point of the last step; 1 is its end. */
static int evaluate_inside(Part *p, double theta) {
  Run *run = p->run;
  Stepper *s = p->stepper;
  stepper_dense(s, theta, run->cells.trial);
  return run_at(p, theta < 1 ? s->t + theta * (s->t1 - s->t) : s->t1, run->cells.trial);
}

/* What is recorded: delayed expressions, and what may enter at both ends of transports. */
static int n_recorded(const Run *run) { return run->m->n_delays + 2 * run->m->n_transports; }

/* The present values of all that is recorded, each `apart` behind the one before. */
static int read_recorded(Run *run, double *to, int apart) {
  int nd = run->m->n_delays, status = nd ? read_now(run) : NUM_OK;
  for (int j = 0; j < nd; j++)
    to[j * apart] = run->past->delays[j].value;
  return status == NUM_OK ? run_transports_entering(run, to + nd * apart, apart) : status;
}

/* Times and values of all that is recorded at points 1 .. n up to theta; for delays point 0 is what
 * was recorded last. */
static int sample_step(Part *p, double theta, int n) {
  Run *run = p->run;
  int nd = run->m->n_delays, status = NUM_OK;
  if (n > run->past->points) {
    run->past->points = n;
    run->past->samples = NEW_ARRAY(run->a, double, (size_t)(n + 1) * ((size_t)n_recorded(run) + 1));
  }
  double *t = run->past->samples, *u = t + n + 1;
  /* transports have no last record that could stand for point 0 */
  for (int k = run->m->n_transports ? 0 : 1; k <= n && status == NUM_OK; k++) {
    status = evaluate_inside(p, theta * k / n);
    status = status == NUM_OK ? read_recorded(run, u + k, n + 1) : status;
    t[k] = run->d.time;
  }
  /* what was recorded last is exact, even if it was a jump */
  for (int j = 0; j < nd; j++)
    u[j * (n + 1)] = run->past->delays[j].u[run->past->delays[j].n - 1];
  return status;
}

/* The states of the part at work, and of those that it reads, as far away as their absolute
 * tolerances allow, up or down; what is recorded then, into to. pattern: which ones go up. */
static int read_aside(Part *p, double theta, int pattern, double *to) {
  Run *run = p->run;
  int status = evaluate_inside(p, theta);
  EACH_SEEN (run, &p->scope, q)
    for (int j = q->x; j < q->x + q->n; j++)
      run->d.r[j] += (j + 1) >> pattern & 1 ? run->scales->atol[j] : -run->scales->atol[j];
  if (status == NUM_OK)
    status = run_evaluate(run, &p->scope, DS_PART_DERIVATIVES);
  return status == NUM_OK ? read_recorded(run, to, 1) : status;
}

/* How far what is recorded may be off because the states are known within their absolute tolerances
 * only. Any two states go the same way in one pattern and not in another, so that neither their sum
 * nor their difference seems to be known better. */
static int find_unsure(Part *p, double theta) {
  Run *run = p->run;
  int n = n_recorded(run), patterns = 1;
  if (!run->past->unsure)
    run->past->unsure = NEW_ARRAY(run->a, double, 3 * (size_t)n + 1);
  double *unsure = run->past->unsure, *here = unsure + n, *aside = here + n;
  while (run->m->nx >> (patterns - 1))
    patterns++; /* the last one: all down */
  memset(unsure, 0, (size_t)n * sizeof *unsure);
  int status = evaluate_inside(p, theta);
  status = status == NUM_OK ? read_recorded(run, here, 1) : status;
  for (int k = 0; k < patterns && status == NUM_OK; k++) {
    /* where it has no value aside nothing is known of its errors */
    bool known = read_aside(p, theta, k, aside) == NUM_OK;
    for (int j = 0; j < n && known; j++)
      if (isfinite(aside[j]))
        unsure[j] = fmax(unsure[j], fabs(aside[j] - here[j]));
  }
  /* others begin with the values of the end */
  return status == NUM_OK ? evaluate_inside(p, theta) : status;
}

/* Does the cubic through four points tell each fifth one, in their middle? There it errs by h^4/6
 * times the fourth derivative for points h apart, and by 0.14 of that at worst where it is used.
 * unsure: errors that do not matter, one each; NULL: none. */
static bool cubic_fits(const Run *run, int n, const double *unsure) {
  const double share = 0.14;
  for (int j = 0; j < n_recorded(run); j++) {
    const double *u = run->past->samples + (j + 1) * (n + 1);
    double size = 0;
    for (int k = 0; k <= n; k++)
      size = fmax(size, fabs(u[k]));
    for (int k = 0; k < n; k += 4) {
      /* what a cubic through the other four says of the one between */
      double middle = (4 * (u[k + 1] + u[k + 3]) - (u[k] + u[k + 4])) / 6;
      if (share * fabs(middle - u[k + 2]) > run->goal.rtol * size + (unsure ? unsure[j] : 0))
        return false;
    }
  }
  return true;
}

int run_delays_step(Part *p, double theta) {
  Run *run = p->run;
  int n = LEAST_POINTS, status;
  const double *unsure = NULL;
  /* twice as many points, until what lies between them is known */
  while ((status = sample_step(p, theta, n)) == NUM_OK && !cubic_fits(run, n, unsure) &&
         n < MOST_DELAY_POINTS) {
    /* no number of points tells what is noise, as of a motion that rests where it has been put */
    if (n >= DOUBTED_POINTS && !unsure) {
      if ((status = find_unsure(p, theta)) != NUM_OK)
        return status;
      unsure = run->past->unsure;
      if (cubic_fits(run, n, unsure))
        break;
    }
    n *= 2;
  }
  for (int j = 0; j < run->m->n_delays && status == NUM_OK; j++)
    for (int k = 1; k <= n; k++)
      append(run, &run->past->delays[j], run->past->samples[k],
             run->past->samples[(j + 1) * (n + 1) + k], false);
  for (int k = 1; k <= n && status == NUM_OK && run->m->n_transports; k++) {
    status = evaluate_inside(p, theta * k / n);
    status = status == NUM_OK ? run_transports_record(run, false) : status;
  }
  return status;
}

/* ---- events ---- */

double run_delays_next(const Run *run) {
  double next = INFINITY;
  for (int k = 0; k < run->m->n_delays; k++) {
    const DelayBuffer *b = &run->past->delays[k];
    /* where the delay varies a relation says when */
    int jump = b->varies ? 0 : next_jump(b, b->passed);
    if (jump)
      next = fmin(next, b->t[jump] + b->delay);
  }
  return next;
}

bool run_delays_pass(Run *run) {
  bool any = false;
  bool known = !run->m->n_delays || read_now(run) == NUM_OK;
  for (int k = 0; k < run->m->n_delays && known; k++) {
    DelayBuffer *b = &run->past->delays[k];
    int passed = b->passed;
    /* events of a varying delay are located with a band in time */
    double near = b->varies ? 2 * run_band_of(run, fabs(b->delay), fabs(run->d.time)) : 0;
    /* several jumps may come out at once */
    for (int jump; (jump = next_jump(b, b->passed)) && b->t[jump] + b->delay <= run->d.time + near;)
      b->passed = jump;
    find_next(b);
    if (b->passed != passed) {
      run_cause(run, RUN_CAUSE_DELAY, k, NAN, NAN);
      any = true;
    }
  }
  run->past->at_event = true;
  return any;
}

double run_delays_shortest(const Run *run) {
  double least = INFINITY;
  for (int k = 0; k < run->m->n_delays; k++)
    least = fmin(least, run->past->delays[k].delay > 0 ? run->past->delays[k].delay : INFINITY);
  return least;
}

/* ---- values ---- */

/* Last point at or before t; at a jump the side that holds now. */
static int find(const DelayBuffer *b, double t, double now) {
  int lo = 0, hi = b->n;
  while (hi - lo > 1) {
    /* bisection: the last point at or before t */
    int mid = lo + (hi - lo) / 2;
    *(b->t[mid] <= t ? &lo : &hi) = mid;
  }
  double same = same_instant * DBL_EPSILON * fmax(fabs(now), fabs(t));
  /* at a jump two points have this time, and rounding decides nothing */
  for (int k = lo; k <= lo + 2 && k < b->n; k++)
    if (k > 0 && b->t[k] == b->t[k - 1] && fabs(b->t[k] - t) <= same)
      return k <= b->passed ? k : k - 1;
  return lo;
}

/* The polynomial through points first .. last; exactly constant where they are equal. */
static double interpolate(const DelayBuffer *b, int first, int last, double t) {
  double sum = b->u[first];
  for (int i = first + 1; i <= last; i++) {
    double w = b->u[i] - b->u[first];
    for (int j = first; j <= last; j++)
      w *= j == i ? 1 : (t - b->t[j]) / (b->t[i] - b->t[j]);
    sum += w;
  }
  return sum;
}

double run_delay(DsData *d, int k, double delay) {
  const Run *run = d->run;
  const DelayBuffer *b = &run->past->delays[k];
  double t = d->time - fmax(delay, 0);
  if (delay == -DBL_MAX) /* where there is none: later than is asked for */
    return b->next ? b->t[b->next] : d->time + 1;
  if (b->next && t >= b->t[b->next] && !run->past->at_event)
    return b->u[b->next - 1];
  if (!b->n || t < b->t[0])
    return b->n ? b->u[0] : 0;
  int at = find(b, t, d->time);
  int first = at;
  int last = at;
  if (b->t[at] == t)
    return b->u[at];
  /* points of the same piece, two on each side if there are so many */
  while (first > 0 && first > at - 1 && b->t[first - 1] < b->t[first])
    first--;
  while (last + 1 < b->n && last < at + 2 && b->t[last + 1] > b->t[last])
    last++;
  while (first > 0 && last - first < 3 && b->t[first - 1] < b->t[first])
    first--;
  if (last == at) /* beyond the last point of the piece: extended by a line */
    first = at > 0 && b->t[at - 1] < b->t[at] ? at - 1 : at;
  return interpolate(b, first, last, t);
}
