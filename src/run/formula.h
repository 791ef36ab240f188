#pragma once
/* run/formula.h -- a - b of a relation over the last step, from its formula (DsTerm). */
#include "numeric/enclosure.h"
#include "numeric/jet.h"
#include "numeric/stepper.h"
#include "dsblock.h"

/* Polynomials of states over the step of one part, each made when it is first asked for. */
typedef struct {
  const DsModel *m;
  const DsData *d;
  Stepper *s;
  int x;                           /* place of the first state of the part */
  double (*c)[STEPPER_DEGREE + 1]; /* per state of the model: Bernstein coefficients */
  uint64_t *made, now;             /* per state: the step they belong to; the present one */
  int degree;                      /* of those of the present step; 0: there are none yet */
} StepView;
void formula_begin_step(StepView *v);

/* The sum of factor[i] * x[state[i]], and a constant; state -1: time. As long as nothing that is
 * held changes. */
typedef struct {
  int n; /* -1: the formula is not of this form */
  int state[AFFINE_MOST];
  double factor[AFFINE_MOST], constant;
} Affine;
void formula_affine(const StepView *v, const DsRelation *rel, double sign,
                    Affine *out); /* sign (a - b) */

/* Over the whole step. */
void formula_affine_step(StepView *v, const Affine *a, Enclosure *out);
/* Over the piece from `from` to `to`; equal: the value there. */
void formula_enclose(StepView *v, const DsRelation *rel, double from, double to, Enclosure *out);

/* At the present values, along a motion. slope, curve: first and second derivatives of the states;
 * curve NULL: not known. in_time: how fast time goes on, 1 along the solution. */
Jet formula_along(const DsModel *m, const DsData *d, const DsRelation *rel, double in_time,
                  const double *slope, const double *curve);
