/* numeric/descriptor_scale.c -- units of equations and unknowns chosen so that the entries of E are near 1.
 * How:  the logarithms of the factors minimise the squares of the logarithms of the scaled entries (Curtis and Reid, J. Inst. Maths
 *       Applics 10, 1972), by conjugate gradients. The entries of A have small weights: they decide only where E does not, first
 *       those of algebraic unknowns in algebraic equations, then others of algebraic equations, so that a stiff system (A large
 *       in some rows) keeps matrices whose ranks are plain.
 * Keep: factors are powers of 2, so that scaling is exact. */
#include "numeric/descriptor_impl.h"

#include <math.h>
#include <string.h>

/* 1: of entries of A against 1 for E, by whether the rows and the columns of E are 0 there */
static const double weight_of_a[2][2] = {{1e-3, 1e-3}, {1e-2, 1e-1}};
static const double noise = 1e-13;        /* 1: entries below this part of their row and their column are rounding */
static const double accuracy = 1e-6;      /* 1: of the logarithms to base 2, times their weight */
static const double most_exponent = 300;  /* of a factor */

enum { PASSES = 3 };

typedef struct {
  int m, n;
  double *weight; /* m by n: 0, that of A, that of E or both */
  double *right;  /* m + n: right side of the normal equations */
} Fit;

static size_t at(const Fit *f, int i, int j) { return (size_t)j * (size_t)f->m + (size_t)i; }

static double scaled(const Fit *f, const double *a, const double *x, int i, int j) {
  double size = fabs(a[at(f, i, j)]);
  return size > 0 ? exp2(log2(size) + x[i] + x[f->m + j]) : 0;
}

/* The largest entry of each row and of each column, scaled by these logarithms: m + n cells. */
static void find_peaks(const Fit *f, const double *a, const double *x, double *peak) {
  for (int k = 0; k < f->m + f->n; k++)
    peak[k] = 0;
  for (int j = 0; j < f->n; j++)
    for (int i = 0; i < f->m; i++) {
      double size = scaled(f, a, x, i, j);
      peak[i] = fmax(peak[i], size);
      peak[f->m + j] = fmax(peak[f->m + j], size);
    }
}

/* Adds the entries of one matrix that are not rounding in the units x. peak_e: of E, if it is A, else NULL. */
static void add_entries(Fit *f, const double *a, const double *x, const double *peak, const double *peak_e) {
  for (int j = 0; j < f->n; j++)
    for (int i = 0; i < f->m; i++) {
      double size = scaled(f, a, x, i, j);
      if (size == 0 || (size < noise * peak[i] && size < noise * peak[f->m + j]))
        continue;
      double weight = peak_e ? weight_of_a[peak_e[i] == 0][peak_e[f->m + j] == 0] : 1;
      double part = weight * log2(fabs(a[at(f, i, j)]));
      f->weight[at(f, i, j)] += weight;
      f->right[i] -= part;
      f->right[f->m + j] -= part;
    }
}

/* y = normal matrix times x. */
static void multiply(const Fit *f, const double *x, double *y) {
  for (int k = 0; k < f->m + f->n; k++)
    y[k] = 0;
  for (int j = 0; j < f->n; j++)
    for (int i = 0; i < f->m; i++) {
      double w = f->weight[at(f, i, j)], sum = w * (x[i] + x[f->m + j]);
      y[i] += sum;
      y[f->m + j] += sum;
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
    x[k] = 0, r[k] = f->right[k], diagonal[k] = 0;
  for (int j = 0; j < f->n; j++)
    for (int i = 0; i < f->m; i++) {
      diagonal[i] += f->weight[at(f, i, j)];
      diagonal[f->m + j] += f->weight[at(f, i, j)];
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

static double power_of_2(double exponent) { return exp2(round(fmax(-most_exponent, fmin(most_exponent, exponent)))); }

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
  Fit f = {m, n, NEW_ARRAY(scratch, double, (size_t)m * (size_t)n), NEW_ARRAY(scratch, double, m + n)};
  double *work = NEW_ARRAY(scratch, double, 6 * (m + n)), *x = work + 5 * (m + n);
  double *peak_e = work, *peak_a = work + (m + n);
  for (int pass = 0; pass < PASSES; pass++) { /* what looks like rounding in the given units may not be in better ones */
    memset(f.weight, 0, (size_t)m * (size_t)n * sizeof *f.weight);
    memset(f.right, 0, (size_t)(m + n) * sizeof *f.right);
    find_peaks(&f, p->e, x, peak_e);
    find_peaks(&f, p->a, x, peak_a);
    add_entries(&f, p->e, x, peak_e, NULL);
    add_entries(&f, p->a, x, peak_a, peak_e);
    solve(&f, x, work);
  }
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
