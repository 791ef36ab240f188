/* run/formula.c -- a - b of a relation over the last step, or along a motion, from its formula.
 * States of the part at work are polynomials over its step, time is one, everything else in a
 * formula is held. Formulas that are affine in states and time, as most are, are multiplied out
 * once and for all until the next event.
 * Keep: nothing of the model is evaluated here. */
#include "run/formula.h"

#include <math.h>

_Static_assert((int)ENCLOSE_LOG10 == DS_TERM_LOG10 - DS_TERM_NEG,
               "terms and operators stand in the same order");

static double held(const DsModel *m, const DsData *d, const DsTerm *t) {
  switch (t->op) {
  case DS_TERM_NUMBER: return m->numbers[t->a];
  case DS_TERM_REAL: return d->r[t->a];
  case DS_TERM_REAL_PRE: return d->r_pre[t->a];
  case DS_TERM_INTEGER: return (double)d->i[t->a];
  case DS_TERM_INTEGER_PRE: return (double)d->i_pre[t->a];
  default: return d->relation[t->a];
  }
}

/* ---- affine formulas ---- */

/* One term: constant + sum of factor[i] * (what stands at i in Affine.state). */
typedef struct {
  bool moves;
  double constant, factor[AFFINE_MOST];
} AffineTerm;

static bool moving_leaf(Affine *a, int state, AffineTerm *out) {
  /* each state once; time stands among them as -1 */
  int i = 0;
  while (i < a->n && a->state[i] != state)
    i++;
  if (i == AFFINE_MOST)
    return false;
  a->state[i] = state;
  a->n = i == a->n ? i + 1 : a->n;
  *out = (AffineTerm){.moves = true};
  out->factor[i] = 1;
  return true;
}

/* p a + q b */
static void combine(const AffineTerm *a, double p, const AffineTerm *b, double q, AffineTerm *out) {
  AffineTerm sum = {.moves = a->moves || b->moves, .constant = p * a->constant + q * b->constant};
  for (int i = 0; i < AFFINE_MOST; i++)
    sum.factor[i] = p * a->factor[i] + q * b->factor[i];
  *out = sum;
}

static bool divide(const AffineTerm *a, double by, AffineTerm *out) {
  *out = *a;
  out->constant /= by;
  for (int i = 0; i < AFFINE_MOST; i++)
    out->factor[i] /= by;
  return by != 0;
}

/* An operator of numbers, by the arithmetic of enclosures, so that both agree to the last digit. */
static bool fold(int op, double a, double b, AffineTerm *out) {
  Enclosure p = enclosure_number(a), q = enclosure_number(b), e;
  enclosure_apply((EncloseOp)(op - DS_TERM_NEG), &p, &q, &e);
  *out = (AffineTerm){.constant = e.c[0]};
  return enclosure_is_number(&e);
}

static bool affine_operator(const DsTerm *t, const AffineTerm *terms, AffineTerm *out) {
  const AffineTerm *a = &terms[t->a], *b = &terms[t->b];
  bool binary = t->op >= DS_TERM_ADD && t->op <= DS_TERM_DIV;
  /* a condition that moves has no affine value */
  if (t->op == DS_TERM_IF) {
    *out = a->constant != 0 ? *b : terms[t->c];
    return !a->moves;
  }
  if (!a->moves && !b->moves)
    return fold(t->op, a->constant, b->constant, out);
  if (t->op == DS_TERM_NEG)
    return combine(a, -1, a, 0, out), true;
  /* sums and multiples of what moves are affine, and nothing else is */
  if (t->op == DS_TERM_ADD || t->op == DS_TERM_SUB)
    return combine(a, 1, b, t->op == DS_TERM_ADD ? 1 : -1, out), true;
  if (t->op == DS_TERM_DIV && !b->moves)
    return divide(a, b->constant, out);
  if (!binary || t->op != DS_TERM_MUL || (a->moves && b->moves))
    return false;
  const AffineTerm *factor = a->moves ? b : a;
  const AffineTerm *of = a->moves ? a : b;
  return combine(of, factor->constant, of, 0, out), true;
}

void formula_affine(const StepView *v, const DsRelation *rel, double sign, Affine *out) {
  AffineTerm terms[DS_MOST_TERMS]; /* those that are used are set */
  int n = rel->n_terms;
  out->n = 0;
  /* a missing operand is term 0 */
  terms[0].constant = 0;
  for (int k = 0; k < n; k++) {
    const DsTerm *t = &v->m->terms[rel->term + k];
    bool ok = true;
    if (t->op == DS_TERM_STATE || t->op == DS_TERM_TIME)
      ok = moving_leaf(out, t->op == DS_TERM_TIME ? -1 : t->a, &terms[k]);
    else if (t->op >= DS_TERM_IF)
      ok = affine_operator(t, terms, &terms[k]);
    else
      terms[k] = (AffineTerm){.constant = held(v->m, v->d, t)};
    /* not affine: enclosed step by step */
    if (!ok) {
      out->n = -1;
      return;
    }
  }
  const AffineTerm *z = &terms[n - 1];
  out->constant = sign * z->constant;
  for (int i = 0; i < out->n; i++)
    out->factor[i] = sign * z->factor[i];
}

/* ---- over the step ---- */

void formula_begin_step(StepView *v) {
  v->now++;
  v->degree = 0;
}

static const double *polynomial(StepView *v, int state) {
  /* made once in a step, however many relations read it */
  if (v->made[state] != v->now) {
    v->degree = stepper_polynomial(v->s, state - v->x, v->c[state]);
    v->made[state] = v->now;
  }
  return v->c[state];
}

static void enclose_state(StepView *v, int state, double from, double to, Enclosure *out) {
  const double *c = polynomial(v, state);
  /* at one point a polynomial is a number */
  out->degree = from == to ? 0 : v->degree;
  if (from == to)
    out->c[0] = bernstein_value(c, v->degree, to);
  else
    bernstein_restrict(c, v->degree, from, to, out->c);
}

static void enclose_time(const StepView *v, double from, double to, Enclosure *out) {
  const Stepper *s = v->s;
  out->degree = from == to ? 0 : 1;
  out->c[0] = s->t + from * (s->t1 - s->t);
  /* the end exactly, not by rounding */
  out->c[1] = to < 1 ? s->t + to * (s->t1 - s->t) : s->t1;
}

void formula_affine_step(StepView *v, const Affine *a, Enclosure *out) {
  int degree = a->n > 0 ? 1 : 0;
  /* all states have the degree of the method */
  for (int i = 0; i < a->n; i++)
    if (a->state[i] >= 0) {
      polynomial(v, a->state[i]);
      degree = v->degree;
    }
  out->degree = degree;
  for (int k = 0; k <= degree; k++)
    out->c[k] = a->constant;
  for (int i = 0; i < a->n; i++) {
    double time[STEPPER_DEGREE + 1], factor = a->factor[i];
    /* time as a polynomial of that degree */
    for (int k = 0; k <= degree && a->state[i] < 0; k++)
      time[k] = degree ? v->s->t + k * (v->s->t1 - v->s->t) / degree : v->s->t;
    const double *c = a->state[i] < 0 ? time : v->c[a->state[i]];
    for (int k = 0; k <= degree; k++)
      out->c[k] += factor * c[k];
  }
}

void formula_enclose(StepView *v, const DsRelation *rel, double from, double to, Enclosure *out) {
  /* terms in order: operands stand before what reads them */
  Enclosure value[DS_MOST_TERMS];
  for (int k = 0; k < rel->n_terms; k++) {
    const DsTerm *t = &v->m->terms[rel->term + k];
    if (t->op >= DS_TERM_NEG)
      enclosure_apply((EncloseOp)(t->op - DS_TERM_NEG), &value[t->a], &value[t->b], &value[k]);
    else if (t->op == DS_TERM_STATE)
      enclose_state(v, t->a, from, to, &value[k]);
    else if (t->op == DS_TERM_TIME)
      enclose_time(v, from, to, &value[k]);
    else if (t->op == DS_TERM_IF)
      enclosure_if(&value[t->a], &value[t->b], &value[t->c], &value[k]);
    else {
      value[k].degree = 0;
      value[k].c[0] = held(v->m, v->d, t);
    }
  }
  *out = value[rel->n_terms - 1];
}

/* ---- along a motion ---- */

Jet formula_along(const DsModel *m, const DsData *d, const DsRelation *rel, double in_time,
                  const double *slope, const double *curve) {
  Jet value[DS_MOST_TERMS]; /* those that are used are set */
  for (int k = 0; k < rel->n_terms; k++) {
    const DsTerm *t = &m->terms[rel->term + k];
    if (t->op >= DS_TERM_NEG)
      value[k] = jet_apply((EncloseOp)(t->op - DS_TERM_NEG), &value[t->a], &value[t->b]);
    else if (t->op == DS_TERM_STATE)
      value[k] = jet_of(d->r[t->a], slope[t->a], curve ? curve[t->a] : NAN);
    else if (t->op == DS_TERM_TIME)
      value[k] = jet_of(d->time, in_time, 0);
    else if (t->op == DS_TERM_IF)
      value[k] = jet_if(&value[t->a], &value[t->b], &value[t->c]);
    else
      value[k] = jet_number(held(m, d, t));
  }
  return value[rel->n_terms - 1];
}
