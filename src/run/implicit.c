/* run/implicit.c -- the formulation `dae`: F(t, X, X') = 0 for an implicit solver, as the DSblock
 * interface hands a model to DASSL: X holds the states, then the iterated unknowns of the blocks of
 * simultaneous equations that the derivatives come from. Rows of F: X' - f for states whose
 * derivative is assigned, the residuals of the blocks for states whose derivative is itself
 * iterated in a block, and for the iterated unknowns.
 * How:  the model is evaluated as ever, but with a host that, asked to solve a block, takes the
 *       values from X and X' and hands the residuals out. So events, rows and indicators, which ask
 *       the ordinary host, see the same model.
 * Keep: with exact derivatives only blocks that they know are opened; the others are solved inside,
 *       as in the formulation `ode`. */
#include "run/core.h"
#include "run/host.h"
#include "run/part.h"
#include "run/scales.h"
#include "run/solver.h"
#include "run/steps.h"
#include "run/weights.h"

#include <math.h>
#include <string.h>

struct Implicit {
  int n, n_opened; /* components of X; iterated unknowns of opened blocks */
  int *first;      /* per block: number of its first iterated unknown; -1: solved inside */
  int *column;     /* per iterated unknown: its component, of X' if is_der */
  int *row;        /* per iterated unknown: row of F of the residual of the same number */
  bool *is_der;
  bool *assigned;              /* per state: row X' - f */
  bool *differential;          /* per component */
  int *places;                 /* per component: in r */
  double *atol, *x;            /* per component */
  double *residuals;           /* of one block */
  const double *now, *now_der; /* X and X' while F is evaluated */
  double *out;
  DsHost host;
  Tangent *tangent;            /* NULL: no exact derivatives */
  int *tear_column, *tear_row; /* per iterated unknown in the order of the tangent's steps */
  bool *tear_is_der;
  TangentImplicit table;
};

/* ---- the host that opens blocks ---- */

static double value_of(const Implicit *im, int k) {
  return (im->is_der[k] ? im->now_der : im->now)[im->column[k]];
}

static int open_newton(DsData *d, int block, int n, const int *places, DsResidual *f, int exact) {
  Implicit *im = ((Run *)d->run)->own.implicit;
  int k = im->first[block];
  /* a block that derivatives do not need is solved as ever */
  if (k < 0)
    return run_host.newton(d, block, n, places, f, exact);
  /* the solver says what the unknowns are; the residual goes to its row */
  for (int i = 0; i < n; i++)
    d->r[places[i]] = value_of(im, k + i);
  int status = f(d, im->residuals, 0);
  for (int i = 0; i < n; i++)
    im->out[im->row[k + i]] = im->residuals[i];
  return status;
}

/* a z - b, and z as the answer */
static int open_linear(DsData *d, int block, int n, const int *places, double *a, double *b) {
  Implicit *im = ((Run *)d->run)->own.implicit;
  int k = im->first[block];
  if (k < 0)
    return run_host.linear(d, block, n, places, a, b);
  /* a z - b by hand: no factors are needed */
  for (int i = 0; i < n; i++) {
    double sum = -b[i];
    for (int j = 0; j < n; j++)
      sum += a[(size_t)i * (size_t)n + (size_t)j] * value_of(im, k + j);
    im->out[im->row[k + i]] = sum;
  }
  for (int i = 0; i < n; i++)
    b[i] = value_of(im, k + i);
  return DS_OK;
}

static int residual(void *user, double t, const double *x, const double *dx, double *out) {
  Part *p = user;
  Run *run = p->run;
  Implicit *im = run->own.implicit;
  DsData *d = &run->d;
  int nx = run->m->nx;
  im->now = x;
  im->now_der = dx;
  im->out = out;
  /* unknowns of opened blocks are components behind the states */
  for (int k = nx; k < im->n; k++)
    d->r[im->places[k]] = x[k];
  d->host = &im->host;
  int status = run_at(p, t, x);
  d->host = &run_host;
  /* what was computed is a residual, and no solution */
  run->eval.current = NULL;
  for (int j = 0; j < nx; j++)
    if (im->assigned[j])
      out[j] = dx[j] - d->r[nx + j];
  return status;
}

static int jacobian(void *user, double t, const double *x, const double *dx, double c,
                    double *values) {
  Run *run = ((const Part *)user)->run;
  Implicit *im = run->own.implicit;
  /* residuals are by-products: the point must be evaluated with opened blocks */
  int status = residual(user, t, x, dx, im->x);
  if (status == NUM_OK)
    status = run_evaluate_partials(run, tangent_entries(im->tangent));
  if (status == NUM_OK)
    tangent_evaluate(im->tangent, c, values);
  return status;
}

/* ---- making ---- */

/* Which blocks are opened: all that the derivatives need, as far as their derivatives are known if
 * any are. */
static void choose_blocks(Run *run, Implicit *im) {
  const DsModel *m = run->m;
  im->first = NEW_ARRAY(run->a, int, m->n_blocks + 1);
  bool *open = NEW_ARRAY(run->a, bool, m->n_blocks + 1);
  /* without derivatives all of these; with them those that they know */
  for (int k = 0; k < m->n_blocks; k++)
    open[k] = !m->tangent && m->blocks[k].solved == DS_SOLVED_BY_DERIVATIVES;
  for (int s = 0; m->tangent && s < m->tangent->n_slope_steps; s++)
    if (m->tangent->steps[3 * s + 2] >= 0)
      open[m->tangent->steps[3 * s + 2]] = true;
  for (int k = 0; k < m->n_blocks; k++) {
    im->first[k] = open[k] ? im->n_opened : -1;
    im->n_opened += open[k] ? m->blocks[k].n_iterated : 0;
  }
}

/* Components and rows. */
static void lay_out(Run *run, Implicit *im) {
  const DsModel *m = run->m;
  size_t n = (size_t)m->nx + (size_t)im->n_opened + 1;
  im->column = NEW_ARRAY(run->a, int, n);
  im->row = NEW_ARRAY(run->a, int, n);
  im->places = NEW_ARRAY(run->a, int, n);
  im->is_der = NEW_ARRAY(run->a, bool, n);
  im->assigned = NEW_ARRAY(run->a, bool, n);
  im->differential = NEW_ARRAY(run->a, bool, n);
  im->atol = NEW_ARRAY(run->a, double, n);
  im->x = NEW_ARRAY(run->a, double, n);
  im->residuals = NEW_ARRAY(run->a, double, n);
  im->n = m->nx;
  /* states and their derivatives first */
  for (int j = 0; j < m->nx; j++) {
    im->places[j] = j;
    im->assigned[j] = im->differential[j] = true;
    im->atol[j] = run->scales->atol[j];
  }
  double factor = run->options->atol_factor > 0 ? run->options->atol_factor : 0.01;
  for (int k = 0; k < m->n_blocks; k++)
    for (int i = 0; im->first[k] >= 0 && i < m->blocks[k].n_iterated; i++) {
      int z = im->first[k] + i, place = m->blocks[k].iterated[i];
      /* a derivative that a block gives is X' itself: it needs no row x' - f */
      im->is_der[z] = place >= m->nx && place < 2 * m->nx;
      im->column[z] = im->row[z] = im->is_der[z] ? place - m->nx : im->n;
      if (im->is_der[z]) {
        im->assigned[place - m->nx] = false;
        continue;
      }
      double nominal = fabs(run->scales->nominals[place]);
      im->atol[im->n] = factor * run->goal.rtol * (nominal > 0 && isfinite(nominal) ? nominal : 1);
      im->places[im->n++] = place;
    }
}

/* The exact Jacobian, whose steps name the blocks. */
static void make_tangent(Run *run, Implicit *im) {
  const DsTangent *dt = run->m->tangent;
  if (!dt)
    return;
  /* the tangent counts unknowns in the order of its steps */
  im->tear_column = NEW_ARRAY(run->a, int, im->n_opened + 1);
  im->tear_row = NEW_ARRAY(run->a, int, im->n_opened + 1);
  im->tear_is_der = NEW_ARRAY(run->a, bool, im->n_opened + 1);
  for (int s = 0, z = 0; s < dt->n_slope_steps; s++)
    for (int i = 0; i < dt->steps[3 * s + 1]; i++, z++) {
      int k = im->first[dt->steps[3 * s + 2]] + i;
      im->tear_column[z] = im->column[k];
      im->tear_row[z] = im->row[k];
      im->tear_is_der[z] = im->is_der[k];
    }
  im->table = (TangentImplicit){im->n, im->tear_column, im->tear_row, im->tear_is_der};
  TangentTable t = run_tangent_table(run->m);
  im->tangent = tangent_new_implicit(&t, &im->table, run->a);
  if (im->tangent)
    memcpy(tangent_entries(im->tangent), dt->literal, (size_t)dt->n_entries * sizeof(double));
}

void run_implicit_problem(Run *run, StepProblem *p) {
  if (!run->own.implicit) {
    Implicit *im = run->own.implicit = NEW(run->a, Implicit);
    choose_blocks(run, im);
    lay_out(run, im);
    make_tangent(run, im);
    im->host = run_host;
    im->host.newton = open_newton;
    im->host.linear = open_linear;
    run->cells.trial = NEW_ARRAY(run->a, double, im->n + 1);
    run->cells.placed = NEW_ARRAY(run->a, double, im->n + 1);
  }
  Implicit *im = run->own.implicit;
  p->n = im->n;
  run_weights_move(run, im->atol);
  p->small = p->low = p->high = NULL;
  p->atol = im->atol;
  p->residual = residual;
  p->differential = im->differential;
  p->pattern = im->tangent ? tangent_pattern(im->tangent) : NULL;
  p->implicit_jacobian = im->tangent ? jacobian : NULL;
}

const double *run_components(Part *p) {
  Run *run = p->run;
  Implicit *im = run->own.implicit;
  for (int k = 0; im && k < im->n; k++)
    im->x[k] = run->d.r[im->places[k]];
  return im ? im->x : run->d.r + p->x;
}
