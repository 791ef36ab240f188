/* numeric/descriptor_scale.c -- units of equations and unknowns chosen so that the entries of E are
 * near 1.
 * How:  the logarithms of the factors minimise the squares of the logarithms of the scaled entries
 *       (Curtis and Reid, J. Inst. Maths Applics 10, 1972), by conjugate gradients. The entries of
 *       A have small weights: they decide only where E does not, first those of algebraic unknowns
 *       in algebraic equations, then others of algebraic equations, so that a stiff system (A large
 *       in some rows) keeps matrices whose ranks are plain.
 * Keep: factors are powers of 2, so that scaling is exact. */
#include "numeric/descriptor_impl.h"

#include <math.h>

/* 1: of entries of A against 1 for E, by whether the rows and the columns of E are 0 there */
static const double weight_of_a[2][2] = {{1e-3, 1e-3}, {1e-2, 1e-1}};
/* log2: entries below this part of their row and their column are rounding */
static const double noise = -43;
static const double accuracy = 1e-6;     /* 1: of the logarithms to base 2, times their weight */
static const double most_exponent = 300; /* of a factor */

enum { PASSES = 3 };

/* An entry of E or of A that is not 0. */
typedef struct {
  int row, column; /* column: m + its number, as in all vectors of m + n cells here */
  bool of_a, used;
  double log, weight;
} Entry;

typedef struct {
  int m, n, count;
  Entry *entry;
} Fit;

static void collect(Fit *f, const double *matrix, bool of_a) {
  for (int j = 0; j < f->n; j++)
    for (int i = 0; i < f->m; i++) {
      double size = fabs(matrix[(size_t)j * (size_t)f->m + (size_t)i]);
      if (size > 0)
        f->entry[f->count++] = (Entry){i, f->m + j, of_a, false, log2(size), 1};
    }
}

/* differential: m + n cells, has E an entry there? */
static void weigh(Fit *f, bool *differential) {
  for (int k = 0; k < f->count; k++)
    if (!f->entry[k].of_a)
      differential[f->entry[k].row] = differential[f->entry[k].column] = true;
  for (int k = 0; k < f->count; k++) {
    Entry *e = &f->entry[k];
    if (e->of_a)
      e->weight = weight_of_a[!differential[e->row]][!differential[e->column]];
  }
}

/* Which entries are not rounding in the units x? peak: 2 (m + n) cells. True: others than
 * before. */
static bool choose(Fit *f, const double *x, double *peak) {
  int all = f->m + f->n;
  bool changed = false;
  for (int k = 0; k < 2 * all; k++)
    peak[k] = -INFINITY;
  for (int k = 0; k < f->count; k++) {
    const Entry *e = &f->entry[k];
    double size = e->log + x[e->row] + x[e->column], *own = peak + e->of_a * all;
    own[e->row] = fmax(own[e->row], size), own[e->column] = fmax(own[e->column], size);
  }
  for (int k = 0; k < f->count; k++) {
    Entry *e = &f->entry[k];
    double size = e->log + x[e->row] + x[e->column], *own = peak + e->of_a * all;
    bool used = size > own[e->row] + noise || size > own[e->column] + noise;
    changed |= used != e->used;
    e->used = used;
  }
  return changed;
}

/* y = normal matrix times x. */
static void multiply(const Fit *f, const double *x, double *y) {
  for (int k = 0; k < f->m + f->n; k++)
    y[k] = 0;
  for (int k = 0; k < f->count; k++) {
    const Entry *e = &f->entry[k];
    double sum = e->used ? e->weight * (x[e->row] + x[e->column]) : 0;
    y[e->row] += sum;
    y[e->column] += sum;
  }
}

static double product(const double *x, const double *y, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[k] * y[k];
  return sum;
}

/* Conjugate gradients with the diagonal as preconditioner, from 0. work: 5 (m + n) cells. */
static void solve(const Fit *f, double *x, double *work) {
  int n = f->m + f->n;
  double *r = work, *d = work + n, *ad = work + 2 * n, *s = work + 3 * n, *diagonal = work + 4 * n;
  for (int k = 0; k < n; k++)
    x[k] = r[k] = diagonal[k] = 0;
  for (int k = 0; k < f->count; k++) {
    const Entry *e = &f->entry[k];
    double weight = e->used ? e->weight : 0;
    diagonal[e->row] += weight, diagonal[e->column] += weight;
    r[e->row] -= weight * e->log, r[e->column] -= weight * e->log;
  }
  for (int k = 0; k < n; k++)
    d[k] = s[k] = diagonal[k] > 0 ? r[k] / diagonal[k] : 0;
  double rs = product(r, s, n);
  for (int step = 0; step < 4 * n && rs > 0; step++) {
    multiply(f, d, ad);
    double curve = product(d, ad, n), most = 0;
    if (!(curve > 0))
      break;
    for (int k = 0; k < n; k++) {
      x[k] += rs / curve * d[k];
      r[k] -= rs / curve * ad[k];
      s[k] = diagonal[k] > 0 ? r[k] / diagonal[k] : 0;
      most = fmax(most, fabs(s[k]));
    }
    double next = product(r, s, n);
    if (most < accuracy)
      break;
    for (int k = 0; k < n; k++)
      d[k] = s[k] + next / rs * d[k];
    rs = next;
  }
}

static double power_of_2(double exponent) {
  return exp2(round(fmax(-most_exponent, fmin(most_exponent, exponent))));
}

/* Columns are given: each row by its largest entry in E, or in A if it has none there. */
static void fit_rows(const Pencil *p, const double *column, double *row) {
  for (int i = 0; i < p->m; i++) {
    double e = 0, a = 0;
    for (int j = 0; j < p->n; j++) {
      size_t k = (size_t)j * (size_t)p->m + (size_t)i;
      e = fmax(e, fabs(p->e[k]) * column[j]);
      a = fmax(a, fabs(p->a[k]) * column[j]);
    }
    double largest = e > 0 ? e : a;
    row[i] = largest > 0 ? power_of_2(-log2(largest)) : 1;
  }
}

static void fit_both(const Pencil *p, double *row, double *column, Arena *scratch) {
  int m = p->m, n = p->n;
  Fit f = {m, n, 0, NEW_ARRAY(scratch, Entry, 2 * (size_t)m * (size_t)n + 1)};
  double *work = NEW_ARRAY(scratch, double, 6 * (m + n) + 1), *x = work + 5 * (m + n);
  collect(&f, p->e, false);
  collect(&f, p->a, true);
  weigh(&f, NEW_ARRAY(scratch, bool, m + n + 1));
  /* what looks like rounding in the given units may not be in better ones */
  for (int pass = 0; pass < PASSES && choose(&f, x, work); pass++)
    solve(&f, x, work);
  for (int i = 0; i < m; i++)
    row[i] = power_of_2(x[i]);
  for (int j = 0; j < n; j++)
    column[j] = power_of_2(x[m + j]);
}

void pencil_scale(Pencil *p, const double *size, double *row, double *column, Arena *scratch) {
  if (size) {
    for (int j = 0; j < p->n; j++)
      column[j] = size[j] > 0 && isfinite(size[j]) ? power_of_2(log2(size[j])) : 1;
    fit_rows(p, column, row);
  } else {
    fit_both(p, row, column, scratch);
  }
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++) {
      size_t k = (size_t)j * (size_t)p->m + (size_t)i;
      p->e[k] *= row[i] * column[j];
      p->a[k] *= row[i] * column[j];
    }
}
