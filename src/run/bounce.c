/* run/bounce.c -- events of a relation that make states jump: do they accumulate?
 * Of each such relation the last events are kept: when they were, and how large the jumps were. If
 * the times form a geometric sequence (numeric/zeno.c), and the excursions between them have become
 * too small to matter, contact.c holds what bounced. Excursions that are lower than the errors of a
 * step, or shorter than time is fine, need only fade; and what was found too deep in its surface to
 * come out again is over at once.
 * In:   an event, after its passes.   Out: contacts; or the message that there is none.
 * Keep: what the mode determines otherwise is no state that jumps. */
#include "run/contact_impl.h"
#include "run/direction.h"
#include "run/formula.h"
#include "run/instant.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/scales.h"
#include "run/slide.h"
#include "run/spiral.h"
#include "run/steps.h"
#include "run/tolerances.h"
#include "run/values.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Absolute tolerances: jumps below need not be made one by one */
static const double small = 10;
/* Half widths of the band: excursions below need not be followed */
static const double wide = 100;
/* The same with methods that begin anew at each event, with order 1 */
static const double wider = 1e4;
/* Of the least step: flights that are shorter are not followed exactly */
static const double unresolved = 64;
/* Of a state that has not jumped, in units of its last place */
static const double roundings = 1e3;
/* 1: error of the time between two events with a method that begins anew */
static const double rough = 0.01;

/* What the mode determines otherwise has no value in the solver that it could have jumped from. */
static void find_idle(Run *run) {
  bool *idle = contact_work(run)->idle;
  const DsModel *m = run->m;
  memset(idle, 0, (size_t)m->nx * sizeof *idle);
  for (int k = 0; k < m->n_unsaid; k++)
    if (m->unsaid[k] >= m->nx && m->unsaid[k] < 2 * m->nx)
      idle[m->unsaid[k] - m->nx] = true;
}

/* The jump of the states of the part in this event, or of those that it acts on, relative to their
 * tolerances; its direction is kept for relation k. */
static double note_jump(Run *run, const Part *p, int k, const bool *acts) {
  ContactWork *w = contact_work(run);
  double largest = 0, size = 0;
  if (!w->jumps[k])
    w->jumps[k] = NEW_ARRAY(run->a, double, p->n + 1);
  find_idle(run);
  for (int j = 0; j < p->n; j++) {
    /* what moved for other reasons, such as a second leg, is not part of it */
    bool still = (acts && !acts[j]) || w->idle[p->x + j];
    double now = run->d.r[p->x + j], before = p->stepper->x[j];
    double jump = still ? 0 : now - before;
    /* equations that bind states move them by roundings */
    if (fabs(jump) <= roundings * DBL_EPSILON * (fabs(now) + fabs(before)))
      jump = 0;
    w->jumps[k][j] = jump;
    largest = fmax(largest, fabs(jump));
    size = fmax(size, fabs(jump) / run->scales->atol[p->x + j]);
  }
  /* a direction; how long it is has been told to the sequence */
  for (int j = 0; j < p->n && largest > 0; j++)
    w->jumps[k][j] /= largest;
  return size;
}

static void note_bounce(Bounces *b, double t, double size) {
  /* the last ones only: the ratio of a sequence may settle late */
  int last = ZENO_EVENTS - 1;
  if (b->n == ZENO_EVENTS) {
    memmove(b->times, b->times + 1, (size_t)last * sizeof *b->times);
    memmove(b->sizes, b->sizes + 1, (size_t)last * sizeof *b->sizes);
  }
  b->n += b->n < ZENO_EVENTS;
  b->times[b->n - 1] = t;
  b->sizes[b->n - 1] = size;
}

RunStatus run_refuse_zeno(Run *run, int k, double limit) {
  const DsPlace *p = &run->m->relations[k].place;
  Diag *d = diag_add(run->diags, D_R609, (Span){p->lo, p->hi},
                     "events accumulate near time %.9g: this relation changes again and again "
                     "while time stands still",
                     limit);
  if (run->own.contact && run->own.contact->crowded)
    diag_note(run->diags, d, "a part can rest on %d relations at once; here is another",
              CONTACT_MOST);
  diag_help(run->diags, d, "give the model a mode for what follows, such as rest");
  return RUN_LIMIT;
}

/* Is there something that depends on the derivative of a state which relation k makes jump, and
 * would not see the force? */
static bool is_hidden(const Run *run, const Part *p, int k) {
  for (int q = 0; q < run->m->n_pushes; q++) {
    const DsPush *push = &run->m->pushes[q];
    if (push->hidden && push->state >= p->x && push->state < p->x + p->n &&
        run->own.contact->jumps[k][push->state - p->x] != 0)
      return true;
  }
  return false;
}

static RunStatus refuse_hidden(Run *run, int k, double time, bool begins) {
  Text t = {.arena = run->a};
  text_real(&t, time);
  const DsPlace *p = &run->m->relations[k].place;
  Diag *d = diag_add(run->diags, D_R629, (Span){p->lo, p->hi},
                     "%s time %s%s other unknowns are solved together with the acceleration that a "
                     "contact force would change: what they are in contact is not known",
                     begins ? "events accumulate near" : "from", text_str(&t),
                     begins ? ", and" : " on, in another mode,");
  diag_help(
      run->diags, d,
      "give the model a mode for what follows, such as rest, or end there with `--zeno stop`");
  return RUN_LIMIT;
}

/* Is the next excursion, which takes so long, hardly wider than the band of the relation? */
static bool is_flat(Run *run, Part *p, int k, double time) {
  Contact *co = &p->contact, kept = *co;
  double z[CONTACT_MOST], rate[CONTACT_MOST];
  /* only the relation asked about, as if it were the only contact */
  co->k = 1;
  co->relation[0] = k;
  memcpy(run->own.contact->block, run->block, run->block_size);
  /* a flight that begins with z' and takes so long goes z'*time/4 far */
  bool known = contact_rates(run, &p->scope, p, z, rate) == NUM_OK;
  bool flat = fabs(rate[0]) * time / 4 <
              (stepper_is_one_step(p->stepper) ? wide : wider) * co->band[0];
  memcpy(run->block, run->own.contact->block, run->block_size);
  *co = kept;
  return known && flat;
}

/* Of the time of an event. Methods with a history begin anew after each event, with order 1: short
 * flights are not very exact. */
double run_time_error(const Part *p, double t, double before) {
  bool exact = stepper_is_one_step(p->stepper) || before == t;
  return exact ? run_tolerances.instant * DBL_EPSILON * fabs(t) : rough * (t - before);
}

/* Where steps are no more exact than an excursion is high, or time no finer than it is short, its
 * events do not look like a sequence any more: it is enough that each is shorter and slighter than
 * the one before. */
static Zeno fading(const Part *p, const Bounces *b) {
  enum { SEEN = 3 };
  if (b->n < SEEN)
    return (Zeno){0};
  const double *t = b->times + b->n - SEEN, *size = b->sizes + b->n - SEEN;
  double before = t[1] - t[0], last = t[2] - t[1];
  bool rounded = last < unresolved * stepper_least(p->stepper);
  if ((stepper_is_one_step(p->stepper) && !rounded) ||
      !(last > 0 && last < before && size[2] < size[1] && size[1] < size[0]))
    return (Zeno){0};
  double ratio = last / before;
  return (Zeno){.found = true, .ratio = ratio, .limit = t[2] + last * ratio / (1 - ratio)};
}

/* What has bounced does not come out of its surface, by a parabola, or for no longer than a step,
 * or no further than the band: its excursion is lower than the event was exact, no other event
 * would follow, and it would fall on for ever. What the model has stopped there does not move
 * outwards at all. */
static bool is_caught(Run *run, Part *p, int k) {
  const DsRelation *rel = &run->m->relations[k];
  /* the side where the relation has the value that it has now */
  double inside = run_compare(rel->op, 1) == (run->d.relation[k] != 0) ? 1 : -1,
         band = run_band(run, k), rounding = 16 * DBL_EPSILON;
  const double *curve = NULL;
  Jet z = {0};
  if (rel->n_terms == 0 || run->rel->state[k].flipped ||
      !((run->rel->za[k] - run->rel->zb[k]) * inside > -band))
    return false;
  memcpy(run->own.contact->block, run->block, run->block_size);
  if (contact_move(run, &p->scope, p, NULL) == NUM_OK && (curve = run_curves(run, &p->scope)))
    z = formula_along(run->m, &run->d, rel, 1, run->d.r + run->m->nx, curve);
  memcpy(run->block, run->own.contact->block, run->block_size);
  /* d + dd t is 0 at the top, and out of the surface there for as long as follows from its height
   * */
  double high = z.d * z.d - 2 * z.dd * z.v;
  bool brief = 2 * sqrt(fmax(high, 0)) < 4 * stepper_least(p->stepper) * fabs(z.dd);
  bool low = fabs(z.v) <= band && z.d * z.d < 2 * fabs(z.dd) * band;
  return z.d * inside < -rounding * z.d_size && z.dd * inside > 0 && (brief || low);
}

/* The bounces of relation k are over, but for what is left out, at this time. */
static RunStatus end_bounces(Run *run, Part *p, int k, double limit) {
  if (run->options->zeno == NU_ZENO_ERROR)
    return run_refuse_zeno(run, k, limit);
  if (is_hidden(run, p, k) && run->options->zeno != NU_ZENO_STOP)
    return refuse_hidden(run, k, limit, true);
  contact_hold(run, p, k, limit);
  run->own.contact->bounces[k].n = 0;
  return RUN_OK;
}

/* What relation k would do alone is its direction, where the states have jumped for others, too. */
static void take_direction(Run *run, const Part *p, int k) {
  const ContactWork *w = run->own.contact;
  double along = 0, largest = 0;
  for (int j = 0; j < p->n; j++) {
    along += w->ahead[j] * w->jumps[k][j];
    largest = fmax(largest, fabs(w->ahead[j]));
  }
  for (int j = 0; j < p->n && largest > 0; j++)
    w->jumps[k][j] = (along < 0 ? -1 : 1) * w->ahead[j] / largest;
}

/* Relation k has made this event, alone or with others: two legs that touch the ground at once make
 * jumps of their own. */
static RunStatus watch(Run *run, Part *p, int k, bool alone) {
  double t = run->d.time, size = note_jump(run, p, k, NULL);
  /* jumps of relations that fired together are one jump of the states: each has its own part of it
   */
  if (!alone && size > 0 && contact_try_jump(run, p, k) &&
      contact_any(run->own.contact->acts, p->n)) {
    size = note_jump(run, p, k, run->own.contact->acts);
    take_direction(run, p, k);
  }
  Bounces *b = &run->own.contact->bounces[k];
  /* an event without a jump begins a new sequence */
  if (!(size > 0)) {
    b->n = 0;
    return RUN_OK;
  }
  if (b->n == 0)
    b->tempo = run_pace(run, p);
  note_bounce(b, t, size);
  Zeno ze = zeno_estimate(b->times, b->sizes, b->n,
                          run_time_error(p, t, b->n < 2 ? t : b->times[b->n - 2]));
  bool regular = ze.found, caught = is_caught(run, p, k);
  if (caught)
    ze = (Zeno){.found = true, .limit = t};
  else if (!regular)
    ze = fading(p, b);
  if (!ze.found || ze.limit >= run->goal.stop)
    return RUN_OK;
  /* left out is what is too small to matter, too short to be stepped over, or too flat to be seen
   */
  double next = caught ? 0 : ze.ratio * (b->times[b->n - 1] - b->times[b->n - 2]);
  bool slight = caught || (regular && ze.remaining < small) ||
                next < (regular ? 4 : unresolved) * stepper_least(p->stepper);
  if (!slight && !is_flat(run, p, k, next))
    return RUN_OK;
  return end_bounces(run, p, k, ze.limit);
}

/* Has relation k made this event, in a way that a contact may follow? */
static bool has_fired(const Run *run, int k, double t) {
  const RelationState *rs = &run->rel->state[k];
  return !run->m->relations[k].timed && !run->m->relations[k].modal && rs->path == PATH_FREE &&
         rs->times[2] == t;
}

RunStatus run_contact_note(Run *run, double t, bool *moved) {
  RunStatus status = RUN_OK;
  *moved = false;
  for (int k = 0; k < run->instant->n_began && status == RUN_OK; k++) {
    Part *p = &run->parts[run->instant->began[k]];
    bool jumps = false;
    int n_fired = 0, n_held = p->contact.k + p->slide.k;
    /* contacts come from jumps; but a sequence that has begun must see events without them, too */
    for (int j = 0; j < p->n && !jumps; j++)
      jumps = run->d.r[p->x + j] != p->stepper->x[j];
    /* others that make states jump may have done so in a later pass */
    for (int q = 0; q < p->scope.n_relations; q++) {
      int r = p->scope.relations[q];
      n_fired += has_fired(run, r, t) || (run->own.contact && run->own.contact->jumps[r]);
    }
    for (int q = 0; q < p->scope.n_relations && status == RUN_OK; q++)
      if (has_fired(run, p->scope.relations[q], t) && (jumps || run->own.contact))
        status = watch(run, p, p->scope.relations[q], n_fired == 1);
    if (status == RUN_OK)
      status = run_spiral_note(run, p, t);
    *moved = *moved || p->contact.k + p->slide.k != n_held;
    if (status == RUN_OK)
      run_accumulate_note(run, p, t);
  }
  return status;
}

RunStatus run_contact_hold_on(Run *run, const Scope *sc) {
  EACH_PART (run, sc, p)
    for (int i = 0; i < p->contact.k; i++)
      if (is_hidden(run, p, p->contact.relation[i]))
        return refuse_hidden(run, p->contact.relation[i], run->d.time, false);
  return RUN_OK;
}
