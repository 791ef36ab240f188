/* run/contact_exact.c -- how contacts move, and what forces change in that, from exact derivatives.
 * In:   relations with formulas, directions of forces, values and slopes without forces.
 * Out:  z', z'' of each; by a force along direction d: how z moves, how z' does, how slopes do.
 * How:  along the motion x' = f a formula gives z' and z'' = q(f) + z_x x'' (numeric/jet.h), where
 *       q is what its curvature adds. A force changes z' by z_x (f_x d), and by what the curvature
 *       adds along both f and d: (q(f + d) - q(f) - q(d))/2.
 * Keep: nothing is moved and nothing of the model evaluated but its partial derivatives. Where
 *       these are not known, contact.c takes differences. */
#include "run/contact.h"
#include "run/core.h"
#include "run/direction.h"
#include "run/formula.h"

#include <math.h>
#include <string.h>

/* Along a motion without second derivatives: z' and q. */
static Jet straight(const Run *run, int k, double in_time, const double *along,
                    const double *none) {
  return formula_along(run->m, &run->d, &run->m->relations[k], in_time, along, none);
}

static bool is_known(const Jet *z) { return !isnan(z->d) && !isnan(z->dd); }

/* How a motion along d, which changes the slopes by `turn`, changes z' of relation k. */
static double rate_by(const Run *run, const ContactMotion *cm, int k, const double *d,
                      const double *turn) {
  const double *f = run->d.r + run->m->nx;
  for (int q = 0; q < run->m->nx; q++)
    cm->both[q] = f[q] + d[q];
  Jet along_f = straight(run, k, 1, f, cm->none), along_d = straight(run, k, 0, d, cm->none),
      along_both = straight(run, k, 1, cm->both, cm->none),
      turned = straight(run, k, 0, turn, cm->none);
  return turned.d + (along_both.dd - along_f.dd - along_d.dd) / 2;
}

/* What a force along direction j does to all contacts. */
static bool act(Run *run, const ContactMotion *cm, Contact *co, int j) {
  const double *d = cm->directions[j];
  bool known = true;
  run_slopes_along(run, d, cm->turns[j]);
  /* what follows from a singular system is no number */
  for (int q = 0; q < run->m->nx && known; q++)
    known = isfinite(cm->turns[j][q]);
  for (int i = 0; i < co->k && known; i++) {
    int k = co->relation[i];
    Jet along_d = straight(run, k, 0, d, cm->none);
    co->drift[j * CONTACT_MOST + i] = along_d.d;
    cm->matrix[i * co->k + j] = rate_by(run, cm, k, d, cm->turns[j]);
    known = is_known(&along_d) && !isnan(cm->matrix[i * co->k + j]);
  }
  return known;
}

bool run_contact_normal(Run *run, const Scope *sc, const ContactMotion *cm, const Contact *co,
                        int i, double *normal) {
  int k = co->relation[i], nx = run->m->nx;
  const double *d = cm->directions[i];
  double largest = 0;
  if (run->m->relations[k].n_terms == 0 || !run_curves(run, sc))
    return false;
  for (int q = 0; q < nx; q++) {
    normal[q] = 0;
    if (d[q] == 0)
      continue;
    cm->unit[q] = 1;
    run_slopes_along(run, cm->unit, cm->turn);
    normal[q] = rate_by(run, cm, k, cm->unit, cm->turn);
    cm->unit[q] = 0;
    largest = fmax(largest, fabs(normal[q]));
  }
  for (int q = 0; q < nx && largest > 0; q++)
    normal[q] /= largest;
  return largest > 0 && isfinite(largest);
}

bool run_contact_exact(Run *run, const Scope *sc, const ContactMotion *cm, Contact *co) {
  for (int i = 0; i < co->k; i++)
    if (run->m->relations[co->relation[i]].n_terms == 0)
      return false;
  const double *curve = run_curves(run, sc);
  bool known = curve != NULL;
  for (int i = 0; i < co->k && known; i++) {
    Jet z = formula_along(run->m, &run->d, &run->m->relations[co->relation[i]], 1,
                          run->d.r + run->m->nx, curve);
    co->rate[i] = z.d, co->free[i] = z.dd;
    known = is_known(&z);
  }
  for (int j = 0; j < co->k && known; j++)
    known = act(run, cm, co, j);
  return known;
}
