/* numeric/energy.c -- the energy that a jump takes out of what is stored.
 * In:   E x' + A x + b = 0 of the new structure, its jump, values before and after, areas of
 *       pulses.
 * Out:  the energy that is lost, or NAN where the equations do not tell.
 * How:  rows through which pulses act are balances, m v' = -F. With M the rows of E, each behind
 *       the unknown that it belongs to, x'Mx/2 is stored before and after. That is an energy if M
 *       is symmetric and the pulses do no work in whatever moves freely afterwards: the projection
 *       p is orthogonal, M p symmetric. It is so for balances as they are written, or else with
 *       each divided by the coefficient of its pulses: v' = -F/m.
 * Keep: one balance alone is always orthogonal; its scale is that of its constraint, if the pulse
 *       and the constraint agree. */
#include "numeric/jump.h"

#include <math.h>

/* Relative difference of coefficients that are meant to be equal */
static const double SAME = 1e-9;

typedef struct {
  const JumpEnergy *in;
  /* balances, each with the unknown that it belongs to */
  int n, *rows, *unknowns;
  double *scale;
} Balances;

static double entry(const double *matrix, int n, int i, int j) {
  return matrix[(size_t)i * (size_t)n + (size_t)j];
}

static bool same(double a, double b) { return fabs(a - b) <= SAME * (fabs(a) + fabs(b)); }

/* The pulse in a row. */
static double pulse(const JumpEnergy *in, int row) {
  double sum = 0;
  for (int j = 0; j < in->jump->n; j++)
    sum += entry(in->a, in->jump->n, row, j) * in->area[j];
  return sum;
}

/* The free unknown with the largest entry of the row in E; -1: none. */
static int unknown_of(const Balances *b, int row) {
  int n = b->in->jump->n, best = -1;
  for (int j = 0; j < n; j++) {
    bool taken = false;
    for (int k = 0; k < b->n; k++)
      taken = taken || b->unknowns[k] == j;
    double size = fabs(entry(b->in->e, n, row, j));
    if (!taken && size > (best < 0 ? 0 : fabs(entry(b->in->e, n, row, best))))
      best = j;
  }
  return best;
}

static int entries_in(const JumpEnergy *in, int row) {
  int count = 0;
  for (int j = 0; j < in->jump->n; j++)
    count += entry(in->e, in->jump->n, row, j) != 0;
  return count;
}

/* Rows of one derivative first. False: they have no unknowns of their own. */
static bool find_balances(Balances *b) {
  const JumpEnergy *in = b->in;
  for (int several = 0; several < 2; several++)
    for (int i = 0; i < in->jump->n; i++) {
      int count = entries_in(in, i);
      if (!count || (count > 1) != several || pulse(in, i) == 0)
        continue;
      int unknown = unknown_of(b, i);
      if (unknown < 0)
        return false;
      b->rows[b->n] = i, b->unknowns[b->n++] = unknown;
    }
  return true;
}

/* M[k][l], with a positive diagonal. */
static double inertia(const Balances *b, int k, int l) {
  int n = b->in->jump->n;
  double own = entry(b->in->e, n, b->rows[k], b->unknowns[k]),
         value = entry(b->in->e, n, b->rows[k], b->unknowns[l]);
  return b->scale[k] * (own < 0 ? -value : value);
}

/* (M p)[k][l] */
static double inertia_after(const Balances *b, int k, int l) {
  const Jump *j = b->in->jump;
  double sum = 0;
  for (int q = 0; q < b->n; q++)
    sum += inertia(b, k, q) * j->p[(size_t)b->unknowns[l] * (size_t)j->n + (size_t)b->unknowns[q]];
  return sum;
}

/* Do the balances hold derivatives of their own unknowns only, and is x'Mx/2 an energy? */
static bool is_energy(const Balances *b) {
  for (int k = 0; k < b->n; k++) {
    int own = 0;
    for (int l = 0; l < b->n; l++)
      own += inertia(b, k, l) != 0;
    if (own != entries_in(b->in, b->rows[k]))
      return false;
    for (int l = 0; l < k; l++) {
      double size = sqrt(inertia(b, k, k) * inertia(b, l, l));
      if (fabs(inertia(b, k, l) - inertia(b, l, k)) > SAME * size ||
          fabs(inertia_after(b, k, l) - inertia_after(b, l, k)) > SAME * size)
        return false;
    }
  }
  return true;
}

/* Is there, for each unknown with a pulse, a constraint with its coefficients? Then power is pulse
 * times constraint, as written. */
static bool is_dual(const Balances *b) {
  const JumpEnergy *in = b->in;
  int n = in->jump->n;
  for (int j = 0; j < n; j++) {
    bool found = in->area[j] == 0;
    for (int i = 0; i < n && !found; i++) {
      bool fits = !entries_in(in, i);
      for (int k = 0; k < b->n && fits; k++)
        fits = same(fabs(b->scale[k] * entry(in->a, n, b->rows[k], j)),
                    fabs(entry(in->a, n, i, b->unknowns[k])));
      found = fits;
    }
    if (!found)
      return false;
  }
  return true;
}

/* Each balance with pulses of coefficient 1, if they have the same in it. */
static void divide(Balances *b) {
  const JumpEnergy *in = b->in;
  int n = in->jump->n;
  for (int k = 0; k < b->n; k++) {
    double first = 0;
    bool equal = true;
    for (int j = 0; j < n; j++) {
      double value = in->area[j] != 0 ? fabs(entry(in->a, n, b->rows[k], j)) : 0;
      equal = equal && (value == 0 || first == 0 || same(value, first));
      first = first == 0 ? value : first;
    }
    b->scale[k] = equal && first != 0 ? 1 / first : 1;
  }
}

static double lost(const Balances *b) {
  double sum = 0;
  for (int k = 0; k < b->n; k++)
    for (int l = 0; l < b->n; l++) {
      int i = b->unknowns[k], j = b->unknowns[l];
      sum += inertia(b, k, l) * (b->in->before[i] - b->in->after[i]) *
             (b->in->before[j] + b->in->after[j]) / 2;
    }
  return sum;
}

static double energy_lost(const JumpEnergy *in, bool *touched, Arena *scratch) {
  size_t n = (size_t)in->jump->n;
  Balances written = {.in = in,
                      .rows = NEW_ARRAY(scratch, int, n),
                      .unknowns = NEW_ARRAY(scratch, int, n),
                      .scale = NEW_ARRAY(scratch, double, n)};
  if (!find_balances(&written))
    return NAN;
  for (int k = 0; k < written.n; k++) {
    written.scale[k] = 1;
    touched[written.unknowns[k]] = true;
  }
  Balances divided = written;
  divided.scale = NEW_ARRAY(scratch, double, n);
  divide(&divided);
  bool first = is_energy(&written), second = is_energy(&divided);
  if (first && second)
    second = is_dual(&divided) && !is_dual(&written);
  return second ? lost(&divided) : first ? lost(&written) : NAN;
}

double jump_energy_lost(const JumpEnergy *in, bool *touched) {
  Arena *scratch = arena_new(in->memory);
  double out = energy_lost(in, touched, scratch);
  arena_free(scratch);
  return out;
}
