/* numeric/jump.c -- jump and Dirac areas of a linear descriptor system, as matrices that are
 * computed once.
 * How:  in the separated form (descriptor.h) x2 = Z2'x is continuous. The infinite part follows it
 *       and b: x1 = R x2 + y with A1 R + A12 = (E1 R + E12) F, F = E2^-1 A2, E1 y' + A1 y + (Q1' -
 *       L Q2') b = 0, L = (E1 R + E12) E2^-1. E1 is strictly upper triangular by blocks and A1
 *       triangular, so both are solved from the last row up, without powers of F. In y = sum Y_k
 *       b^(k): Y_0 = -A1^-1 (Q1' - L Q2'), Y_k = N Y_(k-1), N = -A1^-1 E1. The pulses balance E1
 *       times the jump: area_1 = N (x1+ - x1-), area_(k+1) = N area_k (Trenn, in: Surveys in
 *       Differential-Algebraic Equations I, 2013, section 5: the initial trajectory problem).
 * Keep: everything that depends on x- does so through E x-, so that columns of p and g of algebraic
 *       unknowns are exactly 0. */
#include "numeric/jump.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* 1: entries of s below this part of the largest are rounding */
static const double entering = 1e-10;
/* 1: relative error of values before the jump if none is given */
static const double rounding = 1e-10;

typedef struct {
  const Descriptor *d;
  int n, n1, n2;
  double *r; /* n1 by n2 */
  double *t; /* n1 by n2: E1 R + E12 */
  double *f; /* n2 by n2: E2^-1 A2 */
  double *k; /* n2 by n: E2^-1 Q2' */
  double *h; /* n by n2: Z1 R + Z2 */
  double *y; /* n1 by n */
} Work;

static double at(const double *matrix, int rows, int i, int j) {
  return matrix[(size_t)j * (size_t)rows + (size_t)i];
}
static double *cell(double *matrix, int rows, int i, int j) {
  return matrix + (size_t)j * (size_t)rows + (size_t)i;
}

/* Upper triangle of `matrix` (n by n) from `first` on, of `size` rows: x becomes its inverse times
 * x. */
static void solve_triangle(const double *matrix, int n, int first, int size, double *x) {
  for (int j = size; j-- > 0;) {
    const double *column = matrix + (size_t)(first + j) * (size_t)n + first;
    double value = x[j] /= column[j];
    for (int i = 0; value != 0 && i < j; i++)
      x[i] -= column[i] * value;
  }
}

/* F and K, column by column. */
static void find_dynamic(Work *w) {
  for (int j = 0; j < w->n2; j++) {
    for (int i = 0; i < w->n2; i++)
      *cell(w->f, w->n2, i, j) = at(w->d->a, w->n, w->n1 + i, w->n1 + j);
    solve_triangle(w->d->e, w->n, w->n1, w->n2, cell(w->f, w->n2, 0, j));
  }
  for (int j = 0; j < w->n; j++) {
    for (int i = 0; i < w->n2; i++)
      *cell(w->k, w->n2, i, j) = at(w->d->qt, w->n, w->n1 + i, j);
    solve_triangle(w->d->e, w->n, w->n1, w->n2, cell(w->k, w->n2, 0, j));
  }
}

/* R and T, from the last row up: what a row of R is known for goes into the rows above at once.
 * cells: n. */
static void find_slaved(Work *w, double *cells) {
  for (int j = 0; j < w->n2; j++)
    for (int i = 0; i < w->n1; i++) {
      *cell(w->t, w->n1, i, j) = at(w->d->e, w->n, i, w->n1 + j);
      *cell(w->r, w->n1, i, j) = -at(w->d->a, w->n, i, w->n1 + j);
    }
  for (int l = w->n1; l-- > 0;) {
    const double *e = w->d->e + (size_t)l * (size_t)w->n, *a = w->d->a + (size_t)l * (size_t)w->n;
    for (int j = 0; j < w->n2; j++)
      cells[j] = at(w->t, w->n1, l, j);
    for (int j = 0; j < w->n2; j++) {
      double *r = cell(w->r, w->n1, 0, j), *t = cell(w->t, w->n1, 0, j), sum = r[l];
      for (int k = 0; k < w->n2; k++)
        sum += cells[k] * at(w->f, w->n2, k, j);
      sum = r[l] = sum / a[l];
      for (int i = 0; sum != 0 && i < l; i++) {
        t[i] += e[i] * sum;
        r[i] -= a[i] * sum;
      }
    }
  }
}

/* Y_0. */
static void find_forced(Work *w) {
  for (int j = 0; j < w->n; j++) {
    double *y = cell(w->y, w->n1, 0, j);
    for (int i = 0; i < w->n1; i++)
      y[i] = -at(w->d->qt, w->n, i, j);
    for (int l = 0; l < w->n2; l++) {
      double factor = at(w->k, w->n2, l, j);
      for (int i = 0; factor != 0 && i < w->n1; i++)
        y[i] += at(w->t, w->n1, i, l) * factor;
    }
    solve_triangle(w->d->a, w->n, 0, w->n1, y);
  }
}

/* m (n1 by columns) becomes N m. */
static void apply_nilpotent(const Work *w, double *m, int columns) {
  for (int j = 0; j < columns; j++) {
    double *x = cell(m, w->n1, 0, j);
    for (int l = 0; l < w->n1; l++) { /* x[l] goes to rows above only */
      const double *e = w->d->e + (size_t)l * (size_t)w->n;
      double value = x[l];
      x[l] = 0;
      for (int i = 0; value != 0 && i < l; i++)
        x[i] -= e[i] * value;
    }
    solve_triangle(w->d->a, w->n, 0, w->n1, x);
  }
}

/* out (n by n) = C left right, left: n by inner, right: inner by n. */
static void product(const Work *w, const double *left, const double *right, int inner,
                    double *out) {
  for (int j = 0; j < w->n; j++) {
    double *x = cell(out, w->n, 0, j);
    memset(x, 0, (size_t)w->n * sizeof *x);
    for (int l = 0; l < inner; l++) {
      const double *from = left + (size_t)l * (size_t)w->n;
      double factor = at(right, inner, l, j);
      for (int i = 0; factor != 0 && i < w->n; i++)
        x[i] += from[i] * factor;
    }
    for (int i = 0; i < w->n; i++)
      x[i] *= w->d->column[i];
  }
}

/* Columns of a matrix that is applied to b or to x, in the units of the model. */
static void columns_of_b(const Work *w, double *m) {
  for (int j = 0; j < w->n; j++)
    for (int i = 0; i < w->n; i++)
      *cell(m, w->n, i, j) *= w->d->row[j];
}

static void columns_of_x(const Work *w, double *m) {
  for (int j = 0; j < w->n; j++)
    for (int i = 0; i < w->n; i++)
      *cell(m, w->n, i, j) *= w->d->differential[j] ? 1 / w->d->column[j] : 0;
}

/* rows first .. first + count - 1 of Z', count by n. */
static void rows_of_z(const Work *w, int first, int count, double *out) {
  for (int j = 0; j < w->n; j++)
    for (int i = 0; i < count; i++)
      *cell(out, count, i, j) = at(w->d->z, w->n, j, first + i);
}

/* p, rate, rate_b. cells: n by n. */
static void fill_dynamic(const Work *w, Jump *out, double *cells) {
  for (int j = 0; j < w->n2; j++) {
    double *h = cell(w->h, w->n, 0, j);
    memcpy(h, w->d->z + (size_t)(w->n1 + j) * (size_t)w->n, (size_t)w->n * sizeof *h);
    for (int l = 0; l < w->n1; l++) {
      double factor = at(w->r, w->n1, l, j);
      for (int i = 0; factor != 0 && i < w->n; i++)
        h[i] += at(w->d->z, w->n, i, l) * factor;
    }
  }
  rows_of_z(w, w->n1, w->n2, cells);
  product(w, w->h, cells, w->n2, out->p);
  for (int j = 0; j < w->n; j++) /* cells becomes -F Z2' */
    for (int i = 0; i < w->n2; i++) {
      double sum = 0;
      for (int l = 0; l < w->n2; l++)
        sum -= at(w->f, w->n2, i, l) * at(w->d->z, w->n, j, w->n1 + l);
      *cell(cells, w->n2, i, j) = sum;
    }
  product(w, w->h, cells, w->n2, out->rate);
  for (int k = 0; k < w->n2 * w->n; k++)
    cells[k] = -w->k[k];
  product(w, w->h, cells, w->n2, out->rate_b);
  columns_of_x(w, out->p);
  columns_of_x(w, out->rate);
  columns_of_b(w, out->rate_b);
}

/* s and g. cells: n by n. */
static void fill_infinite(const Work *w, Jump *out, double *cells) {
  size_t square = (size_t)w->n * (size_t)w->n;
  for (int k = 0; k < out->orders; k++) {
    if (k > 0)
      apply_nilpotent(w, w->y, w->n);
    product(w, w->d->z, w->y, w->n1, out->s + (size_t)k * square);
  }
  rows_of_z(w, 0, w->n1, cells);
  for (int k = 0; k < out->pulses; k++) {
    apply_nilpotent(w, cells, w->n);
    product(w, w->d->z, cells, w->n1, out->g + (size_t)k * square);
    columns_of_x(w, out->g + (size_t)k * square);
  }
}

/* While s is in scaled units (its columns are not yet those of b): which derivatives of which
 * equations matter? */
static void find_entering(const Work *w, Jump *out) {
  size_t square = (size_t)w->n * (size_t)w->n;
  double largest = 0;
  for (size_t k = 0; k < (size_t)out->orders * square; k++)
    largest = fmax(largest, fabs(out->s[k]) / w->d->column[k % (size_t)w->n]);
  for (int j = 0; j < w->n; j++) {
    out->enters[j] = -1;
    for (int k = 0; k < out->orders; k++)
      for (int i = 0; i < w->n; i++)
        if (fabs(at(out->s + (size_t)k * square, w->n, i, j)) / w->d->column[i] >
            entering * largest)
          out->enters[j] = k;
  }
  for (int k = 0; k < out->orders; k++)
    columns_of_b(w, out->s + (size_t)k * square);
}

Jump *jump_prepare(Arena *arena, int m, int n, const double *e, const double *a,
                   const DescriptorOptions *options) {
  Jump *out = NEW(arena, Jump);
  const Descriptor *d = out->form = descriptor_new(arena, m, n, e, a, options);
  out->n = n;
  if (d->end != DESCRIPTOR_OK)
    return out;
  size_t square = (size_t)n * (size_t)n;
  out->orders = d->index > 1 ? d->index : 1, out->pulses = out->orders - 1;
  out->use = NEW_ARRAY(arena, int, n + 1), out->enters = NEW_ARRAY(arena, int, n + 1);
  for (int j = 0; j < n; j++)
    if (d->differential[j])
      out->use[out->used++] = j;
  out->p = NEW_ARRAY(arena, double, square + 1), out->rate = NEW_ARRAY(arena, double, square + 1);
  out->rate_b = NEW_ARRAY(arena, double, square + 1);
  out->s = NEW_ARRAY(arena, double, (size_t)out->orders *square + 1);
  out->g = NEW_ARRAY(arena, double, (size_t)out->pulses *square + 1);
  Arena *scratch = arena_new(arena_memory(arena));
  Work w = {.d = d, .n = n, .n1 = n - d->dynamic, .n2 = d->dynamic};
  double **parts[] = {&w.r, &w.t, &w.f, &w.k, &w.h, &w.y};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    *parts[k] = NEW_ARRAY(scratch, double, square + 1);
  double *cells = NEW_ARRAY(scratch, double, square + 1);
  find_dynamic(&w);
  find_slaved(&w, cells);
  find_forced(&w);
  fill_dynamic(&w, out, cells);
  fill_infinite(&w, out, cells);
  find_entering(&w, out);
  arena_free(scratch);
  return out;
}

/* ---- at the jump ---- */

/* y += matrix x, for the columns of `list` (NULL: all). */
static void add_product(const double *matrix, int n, const int *list, int count, const double *x,
                        double *y) {
  for (int k = 0; k < count; k++) {
    int j = list ? list[k] : k;
    const double *column = matrix + (size_t)j * (size_t)n;
    double factor = x[j];
    for (int i = 0; factor != 0 && i < n; i++)
      y[i] += factor * column[i];
  }
}

static bool all_finite(const double *v, int n) {
  double sum = 0; /* stays 0 unless a product is none */
  for (int k = 0; k < n; k++)
    sum += 0 * v[k];
  return sum == 0;
}

/* Errors of the differential unknowns: as given, or rounding relative to the largest value in
 * scaled units. */
static void find_errors(const Jump *j, const JumpInput *in, const double *after, double *error) {
  const double *size = j->form->column;
  double largest = 0;
  for (int k = 0; k < j->used; k++) {
    int i = j->use[k];
    largest = fmax(largest, fmax(fabs(in->x[i]), fabs(after[i])) / size[i]);
  }
  for (int k = 0; k < j->used; k++) {
    int i = j->use[k];
    error[i] = in->error ? in->error[i] : rounding * largest * size[i];
  }
}

/* Does the pulse of order k count? area: its coefficients; those that errors alone could make
 * become 0. */
static bool counts(const Jump *j, const double *g, double *area, const double *error, int *worst) {
  double most = 1;
  *worst = -1;
  for (int i = 0; i < j->n; i++) {
    if (area[i] == 0)
      continue;
    double noise = DBL_MIN;
    for (int l = 0; l < j->used; l++)
      noise += fabs(at(g, j->n, i, j->use[l])) * error[j->use[l]];
    if (fabs(area[i]) > most * noise)
      most = fabs(area[i]) / noise, *worst = i;
    else if (fabs(area[i]) <= noise)
      area[i] = 0;
  }
  return *worst >= 0;
}

/* Areas from the change of x; sets order and worst. */
static void find_pulses(const Jump *j, const double *change, const double *error, JumpOutput *out) {
  size_t square = (size_t)j->n * (size_t)j->n;
  out->order = 0, out->worst = -1;
  for (int k = 0; k < j->pulses; k++) {
    double *area = out->area + (size_t)k * (size_t)j->n;
    const double *g = j->g + (size_t)k * square;
    int worst;
    memset(area, 0, (size_t)j->n * sizeof *area);
    add_product(g, j->n, j->use, j->used, change, area);
    if (counts(j, g, area, error, &worst))
      out->order = k + 1, out->worst = worst;
  }
}

size_t jump_work(const Jump *j) { return 3 * (size_t)j->n; }

JumpEnd jump_apply(const Jump *j, const JumpInput *in, JumpOutput *out, double *work) {
  int n = j->n, given = in->given < j->orders ? in->given : j->orders;
  size_t square = (size_t)n * (size_t)n;
  double *after = work, *change = work + n, *error = work + 2 * n;
  memset(after, 0, (size_t)n * sizeof *after);
  add_product(j->p, n, j->use, j->used, in->x, after);
  for (int k = 0; k < given; k++)
    add_product(j->s + (size_t)k * square, n, NULL, n, in->b + (size_t)k * (size_t)n, after);
  if (!all_finite(after, n))
    return JUMP_NOT_FINITE;
  if (out->rate) {
    memset(out->rate, 0, (size_t)n * sizeof *out->rate);
    add_product(j->rate, n, j->use, j->used, in->x, out->rate);
    if (in->given > 0)
      add_product(j->rate_b, n, NULL, n, in->b, out->rate);
    for (int k = 0; k < j->orders && k + 1 < in->given; k++)
      add_product(j->s + (size_t)k * square, n, NULL, n, in->b + (size_t)(k + 1) * (size_t)n,
                  out->rate);
  }
  find_errors(j, in, after, error);
  bool moved = false;
  for (int k = 0; k < j->used; k++) {
    int i = j->use[k];
    change[i] = after[i] - in->x[i];
    moved |= fabs(change[i]) > error[i];
  }
  find_pulses(j, change, error, out);
  memcpy(out->x, after, (size_t)n * sizeof *after);
  if (out->order > 0)
    return out->order > 1 ? JUMP_INFINITE : JUMP_DIRAC;
  return moved ? JUMP_FINITE : JUMP_NONE;
}
