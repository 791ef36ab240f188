/* run/isolate.c -- where in the last step does a relation that has a formula first change?
 * a - b is enclosed over any piece of the step (formula.c), and its first change is found however
 * narrow the window is in which the relation has its other value (numeric/first_change.c).
 * Not covered, and left to the looks of locate.c: relations without a formula (through simultaneous
 * equations, functions, delays); that read states of other parts; of a motion that slides, or is in
 * contact, but those that are direct; that are left alone (stuck); and == and <>, which have no
 * side of their own.
 * Keep: nothing of the model is evaluated here. */
#include "run/isolate.h"
#include "run/core.h"
#include "run/formula.h"
#include "run/part.h"
#include "run/relations.h"
#include "run/slide.h"

#include <math.h>

#include "base/limits.h"
#include "numeric/first_change.h"

struct RunIsolation {
  const DsModel *m;   /* the structure that was surveyed */
  bool *has;          /* per relation: it has a formula of states of its own part */
  bool *leaves, *any; /* per part: some relation has none; some has one */
  bool *covered;      /* per relation: by the last isolate_first of its part */
  Affine *affine;     /* per relation: since the last event of its part */
  bool *known;        /* per relation: that is there */
  StepView view;
};

void isolate_allocate(Run *run) {
  RunIsolation *is = run->rel->isolation = NEW(run->a, RunIsolation);
  is->has = NEW_ARRAY(run->a, bool, run->m->n_relations + 1);
  is->covered = NEW_ARRAY(run->a, bool, run->m->n_relations + 1);
  is->leaves = NEW_ARRAY(run->a, bool, run->n_parts + 1);
  is->any = NEW_ARRAY(run->a, bool, run->n_parts + 1);
  is->affine = NEW_ARRAY(run->a, Affine, run->m->n_relations + 1);
  is->known = NEW_ARRAY(run->a, bool, run->m->n_relations + 1);
  is->view.c = arena_alloc(run->a, (size_t)(run->m->nx + 1) * sizeof *is->view.c);
  is->view.made = NEW_ARRAY(run->a, uint64_t, run->m->nx + 1);
}

void isolate_begin(Run *run) { run->rel->isolation->m = NULL; }

void isolate_forget(Run *run, const Scope *sc) {
  EACH_RELATION (sc, k)
    run->rel->isolation->known[k] = false;
}

/* ---- which relations have a formula ---- */

static bool is_own(const Run *run, const Part *p, int k) {
  const DsRelation *rel = &run->m->relations[k];
  /* equality has no side to leave; what other parts move is no polynomial of this step */
  bool own = rel->n_terms > 0 && rel->op != DS_EQ && rel->op != DS_NE;
  for (int i = rel->term; i < rel->term + rel->n_terms && own; i++) {
    const DsTerm *t = &run->m->terms[i];
    own = t->op != DS_TERM_STATE || (t->a >= p->x && t->a < p->x + p->n);
  }
  return own;
}

static const RunIsolation *survey(Run *run) {
  RunIsolation *is = run->rel->isolation;
  /* surveyed once per structure */
  if (is->m == run->m)
    return is;
  is->m = is->view.m = run->m;
  is->view.d = &run->d;
  for (int q = 0; q < run->n_parts; q++) {
    const Part *p = &run->parts[q];
    is->leaves[q] = is->any[q] = false;
    for (int i = 0; i < p->scope.n_relations; i++) {
      int k = p->scope.relations[i];
      is->has[k] = is_own(run, p, k);
      is->known[k] = is->covered[k] = false;
      is->any[q] = is->any[q] || is->has[k];
      /* these are looked at between steps */
      is->leaves[q] = is->leaves[q] || (!is->has[k] && !run->m->relations[k].timed);
    }
  }
  return is;
}

bool isolate_leaves_some(Part *p) {
  Run *run = p->run;
  return survey(run)->leaves[p - run->parts] || run->n_sliding;
}

bool isolate_covers(const Run *run, int k) { return run->rel->isolation->covered[k]; }

static bool may_cover(const Run *run, int k, bool near) {
  const DsRelation *rel = &run->m->relations[k];
  const RelationState *rs = &run->rel->state[k];
  /* what slides or is stuck has another rule for its changes */
  bool plain = !side_is_stuck(rs) && rs->path == PATH_FREE && run->rel->side[k] != 0 &&
               (!near || rel->direct);
  return plain && run->rel->isolation->has[k];
}

/* ---- the first change ---- */

typedef struct {
  StepView *view;
  const DsRelation *rel;
  double side;     /* 1, -1: z is a - b, b - a */
  Enclosure whole; /* over the whole step: if it is a polynomial, that is all that is needed */
} Difference;

static void enclose(void *user, double from, double to, Enclosure *out) {
  const Difference *z = user;
  /* a polynomial over the whole step is only cut; anything else is enclosed anew */
  const Enclosure *w = &z->whole;
  if (w->degree < 0) {
    formula_enclose(z->view, z->rel, from, to, out);
    enclosure_scale(out, z->side, out);
    return;
  }
  out->degree = from == to ? 0 : w->degree;
  if (from == to)
    out->c[0] = bernstein_value(w->c, w->degree, to);
  else
    bernstein_restrict(w->c, w->degree, from, to, out->c);
}

static void enclose_step(RunIsolation *is, int k, Difference *z) {
  /* affine formulas stay until the next event */
  Affine *affine = &is->affine[k];
  if (!is->known[k])
    formula_affine(&is->view, z->rel, z->side, affine);
  is->known[k] = true;
  if (affine->n >= 0) {
    formula_affine_step(&is->view, affine, &z->whole);
    return;
  }
  formula_enclose(&is->view, z->rel, 0, 1, &z->whole);
  enclosure_scale(&z->whole, z->side, &z->whole);
}

static double value_at(const ChangeProblem *p, double theta) {
  Enclosure e;
  p->enclose(p->user, theta, theta, &e);
  Interval v = enclosure_value(&e);
  return v.low + (v.high - v.low) / 2;
}

/* Shrinks a change to the width that the time can tell. */
static void refine(const ChangeProblem *p, Change *c) {
  Bracket b = {.lo = c->from, .hi = c->to, .width = p->width};
  /* where it begins it is not negative, whatever rounding says */
  b.f_lo = fmax(value_at(p, c->from), 0);
  b.f_hi = value_at(p, c->to);
  while (b.hi - b.lo > p->width && b.rounds < MOST_ISOLATE_ROUNDS) {
    double theta = bracket_guess(&b);
    if (!(theta > b.lo && theta < b.hi))
      break;
    double z = value_at(p, theta);
    bracket_move(&b, theta, z, z > 0);
  }
  c->from = b.lo;
  c->to = b.hi;
}

/* Most answers follow from the signs of the coefficients: as many roots as they change, or an even
 * number less. */
static bool is_plain(const Difference *z, const ChangeProblem *p, Change *c, ChangeResult *result) {
  const double *b = z->whole.c;
  /* Bernstein coefficients from the second one on: the curve lies within them */
  int n = z->whole.degree;
  int above = 0;
  int positive = 0;
  int first = 0;
  double limit = c->armed ? 0 : p->band;
  for (int k = 1; k <= n; k++)
    above += b[k] > limit;
  *result = CHANGE_NONE;
  if (c->from > 0 || n < 1)
    return false;
  if (above == n && (b[0] > limit || !c->armed)) /* it stays there, or comes up and does */
    return true;
  if (!c->armed)
    return false;
  /* armed, and it may change: how often do the coefficients? */
  for (int k = 0; k <= n; k++)
    positive += b[k] > 0;
  while (first < n && b[first + 1] > 0)
    first++;
  /* one change of sign, from plus to minus */
  *result = CHANGE_FOUND;
  c->to = 1;
  return b[0] > 0 && positive == first + 1 && p->until == 1;
}

static ChangeResult find(const Difference *z, const ChangeProblem *p, Change *c, double *end) {
  ChangeResult result = CHANGE_NONE;
  if (!is_plain(z, p, c, &result))
    result = change_first(p, c);
  *end = c->to;
  /* with a sign on both ends the root is bracketed */
  if (result == CHANGE_FOUND && z->whole.degree > 0 && value_at(p, c->from) > 0 &&
      value_at(p, c->to) < 0)
    bernstein_root(z->whole.c, z->whole.degree, p->width, &c->from, &c->to);
  else if (result == CHANGE_FOUND)
    refine(p, c);
  return result;
}

static void isolate_one(Run *run, int k, double after, double width, Isolated *out) {
  RunIsolation *is = run->rel->isolation;
  Difference z; /* not set to 0 as a whole: this is done for each relation in each step */
  z.view = &is->view;
  z.rel = &run->m->relations[k];
  z.side = run->rel->side[k];
  enclose_step(is, k, &z);
  ChangeProblem p = {
      .band = run_band(run, k), .until = out->to, .width = width, .user = &z, .enclose = enclose};
  Change c = {.from = after, .armed = side_is_away(&run->rel->state[k])};
  double end;
  /* changes after the first one found so far do not matter */
  ChangeResult result = find(&z, &p, &c, &end);
  is->covered[k] = result != CHANGE_UNKNOWN;
  if (result == CHANGE_FOUND && (out->relation < 0 || c.to < out->to))
    *out = (Isolated){k, c.from, c.to, end};
}

void isolate_first(Part *p, double after, double width, Isolated *out) {
  Run *run = p->run;
  *out = (Isolated){.relation = -1, .to = 1};
  if (!survey(run)->any[p - run->parts])
    return;
  run->rel->isolation->view.s = p->stepper;
  run->rel->isolation->view.x = p->x;
  /* polynomials of states are made when a formula asks for them */
  formula_begin_step(&run->rel->isolation->view);
  bool near = run_slide_seen(run, &p->scope);
  EACH_RELATION (&p->scope, k) {
    /* without a value now it has no side, either */
    run->rel->isolation->covered[k] = may_cover(run, k, near);
    if (run->rel->isolation->covered[k] && !isnan(run->rel->za[k] - run->rel->zb[k]))
      isolate_one(run, k, after, width, out);
  }
}
