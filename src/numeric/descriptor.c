/* numeric/descriptor.c -- separates the infinite part of a linear descriptor system.
 * How:  step by step, on the part that is left. Its unknowns are turned so that the null space of E
 *       comes first (algebraic unknowns), its equations so that those without E come first
 *       (algebraic equations). Algebraic unknowns that algebraic equations determine are eliminated
 *       by these, which leaves E as it is, whatever the time constants; the others (forces of
 *       constraints) by turning the differential equations. What they take is separated, and
 *       algebraic equations that are left over become constraints of the rest. When E is regular
 *       the rest is the dynamic part; the number of steps is the index (the staircase of Van
 *       Dooren, Lin. Alg. Appl. 27, 1979; the null spaces grow as the Wong sequence, Berger,
 *       Ilchmann, Trenn, Lin. Alg. Appl. 436, 2012). Columns of A that depend on each other there
 *       show a singular pencil. Eigenvalues from the QZ method do not do: those that are infinite
 *       in chains of length k come out as large as eps^(-1/k).
 * Keep: E is only turned, so that its rank is judged relative to the whole of it. Algebraic
 *       equations are scaled to length 1. */
#include "numeric/descriptor_impl.h"
#include "numeric/svd.h"

#include <float.h>
#include <math.h>
#include <string.h>

const DescriptorOptions descriptor_defaults = {.rank = 1e-9, .doubt = 1e-3};

/* 1: of the scaled matrices: squares of products stay finite */
static const double largest_entry = 1e100;
static const double few = 16; /* 1: roundings of a row per equation */
/* 1: a value within 10 of the limit is as doubtful as a ratio of 1e-3 */
static const double near_limit = 1e-2;

typedef struct {
  const DescriptorOptions *o;
  Descriptor *d;
  int n;
  int done;                          /* unknowns separated so far */
  double *e, *a, *qt, *z;            /* n by n */
  double *block, *v, *sigma, *cells; /* n*n, n*n, n, n*n */
  double e_size;                     /* largest singular value of E */
  double *length;                    /* n: of the rows of A as given, scaled */
  /* n: the largest of these that rounding of a row of A now may have come from */
  double *reach;
} Work;

static double *column(const Work *w, double *matrix, int j) {
  return matrix + (size_t)j * (size_t)w->n;
}

/* ---- decisions ---- */

/* Which unknown does column j of v (size by size), in the unknowns from `begin` on, touch most? */
static int touched_most(const Work *w, const double *v, int size, int j, int begin) {
  int best = 0;
  double most = -1;
  for (int i = 0; i < w->n; i++) {
    double sum = 0;
    for (int k = 0; k < size; k++)
      sum += column(w, w->z, begin + k)[i] * v[(size_t)j * (size_t)size + (size_t)k];
    if (fabs(sum) > most)
      best = i, most = fabs(sum);
  }
  return best;
}

/* Takes note of a decision about singular values. True: it is the least certain so far. */
static bool note(Work *w, double kept, double dropped) {
  RankDoubt *worst = &w->d->doubt;
  double limit = w->o->rank, measure = near_limit * dropped / limit;
  if (kept > 0)
    measure = fmax(measure, fmax(near_limit * limit, dropped) / kept);
  if (worst->step >= 0 && measure <= worst->measure)
    return false;
  *worst = (RankDoubt){measure, kept, dropped, w->d->index, -1};
  return true;
}

/* The rank of `size` values, relative to `largest`. v: their vectors, in the unknowns from `begin`
 * on. */
static void judge(Work *w, int rank, int size, double largest, const double *v, int begin) {
  double kept = rank > 0 && largest > 0 ? w->sigma[rank - 1] / largest : 0;
  double dropped = rank < size && largest > 0 ? w->sigma[rank] / largest : 0, limit = w->o->rank;
  if (size == 0 || !note(w, kept, dropped))
    return;
  bool blame_dropped = rank == 0 || (rank < size && dropped * kept > limit * limit);
  w->d->doubt.unknown = touched_most(w, v, size, blame_dropped ? rank : rank - 1, begin);
}

static int count_above(const double *sigma, int n, double limit) {
  int count = 0;
  while (count < n && sigma[count] > limit)
    count++;
  return count;
}

/* ---- transformations ---- */

/* Columns done.. of the matrix are multiplied by v, whose last `null` columns come first. */
static void turn_columns(Work *w, double *matrix, int size, int null) {
  for (int j = 0; j < size; j++) {
    const double *v = w->v + (size_t)((j + size - null) % size) * (size_t)size;
    double *to = w->cells + (size_t)j * (size_t)w->n;
    memset(to, 0, (size_t)w->n * sizeof *to);
    for (int k = 0; k < size; k++) {
      const double *from = column(w, matrix, w->done + k);
      for (int i = 0; v[k] != 0 && i < w->n; i++)
        to[i] += v[k] * from[i];
    }
  }
  memcpy(column(w, matrix, w->done), w->cells, (size_t)size * (size_t)w->n * sizeof *matrix);
}

/* Rows first .. end - 1 of all columns: I - tau u u'. */
static void reflect_rows(const Work *w, double *matrix, int first, int end, const double *u,
                         double tau) {
  for (int j = 0; j < w->n; j++) {
    double *x = column(w, matrix, j), sum = 0;
    for (int i = first; i < end; i++)
      sum += u[i] * x[i];
    sum *= tau;
    for (int i = first; sum != 0 && i < end; i++)
      x[i] -= sum * u[i];
  }
}

/* Rows that a reflection mixes share their rounding. */
static void spread_rounding(Work *w, int first, int end, const double *u, double tau) {
  double *before = w->sigma;
  memcpy(before + first, w->reach + first, (size_t)(end - first) * sizeof *before);
  for (int i = first; i < end; i++)
    for (int k = first; k < end; k++)
      w->reach[i] = fmax(w->reach[i], fmin(1, fabs(tau * u[i] * u[k])) * before[k]);
}

static void swap_rows(Work *w, int i, int k) {
  double *matrices[] = {w->e, w->a, w->qt};
  for (int m = 0; m < 3 && i != k; m++)
    for (int j = 0; j < w->n; j++) {
      double *x = column(w, matrices[m], j), t = x[i];
      x[i] = x[k], x[k] = t;
    }
  double t = w->reach[i];
  w->reach[i] = w->reach[k], w->reach[k] = t;
}

/* Reflections of the rows first .. end - 1 make `count` columns of the matrix, from `begin` on,
 * upper triangular there. The largest entry comes first: where it is the only one there is no
 * rounding, and rows of different size do not suffer. */
static void make_triangular(Work *w, double *matrix, int begin, int count, int first, int end) {
  double *u = w->cells;
  for (int k = 0; k < count && first + k < end; k++) {
    int top = first + k, largest = top;
    double *x = column(w, matrix, begin + k), square = 0;
    for (int i = top + 1; i < end; i++)
      largest = fabs(x[i]) > fabs(x[largest]) ? i : largest;
    swap_rows(w, top, largest);
    for (int i = top + 1; i < end; i++)
      square += x[i] * x[i];
    if (square == 0)
      continue;
    double beta = -copysign(sqrt(x[top] * x[top] + square), x[top]);
    memcpy(u, x, (size_t)w->n * sizeof *u);
    u[top] -= beta;
    double tau = -1 / (beta * u[top]);
    reflect_rows(w, w->e, top, end, u, tau);
    reflect_rows(w, w->a, top, end, u, tau);
    reflect_rows(w, w->qt, top, end, u, tau);
    spread_rounding(w, top, end, u, tau);
    x[top] = beta;
    for (int i = top + 1; i < end; i++)
      x[i] = 0;
  }
}

/* The last `count` of `size` cells come first. */
static void last_first(double *x, int size, int count, double *cells) {
  memcpy(cells, x, (size_t)size * sizeof *x);
  for (int i = 0; i < size; i++)
    x[(i + count) % size] = cells[i];
}

/* The same for rows first .. n - 1. */
static void last_rows_first(Work *w, int first, int count) {
  double *matrices[] = {w->e, w->a, w->qt};
  for (int m = 0; m < 3; m++)
    for (int j = 0; j < w->n; j++)
      last_first(column(w, matrices[m], j) + first, w->n - first, count, w->cells);
  last_first(w->reach + first, w->n - first, count, w->cells);
}

/* ---- the steps ---- */

/* The rest of E. Returns its rank; v and sigma are set. */
static int rank_of_e(Work *w) {
  int size = w->n - w->done;
  for (int j = 0; j < size; j++)
    memcpy(w->block + (size_t)j * (size_t)size, column(w, w->e, w->done + j) + w->done,
           (size_t)size * sizeof *w->block);
  svd_columns(w->block, size, size, w->v, w->sigma);
  if (w->done == 0 && size > 0)
    w->e_size = w->sigma[0];
  int rank = count_above(w->sigma, size, w->o->rank * w->e_size);
  judge(w, rank, size, w->e_size, w->v, w->done);
  return rank;
}

/* The null space of E first, the equations without E first. */
static void turn_algebraic(Work *w, int null) {
  int size = w->n - w->done, rank = size - null;
  turn_columns(w, w->e, size, null);
  turn_columns(w, w->a, size, null);
  turn_columns(w, w->z, size, null);
  for (int j = w->done; j < w->done + null; j++)
    memset(column(w, w->e, j) + w->done, 0, (size_t)size * sizeof(double));
  make_triangular(w, w->e, w->done + null, rank, w->done, w->n);
  for (int j = w->done; j < w->n; j++)
    memset(column(w, w->e, j) + w->done + rank, 0, (size_t)null * sizeof(double));
  last_rows_first(w, w->done, null);
}

/* Length of row i of the rest of A; 0 if it is what rounding leaves of the equations that it is
 * combined from. */
static double row_length(Work *w, int i) {
  double square = 0, terms = 0; /* terms: what it would measure if nothing cancelled */
  for (int j = 0; j < w->n; j++) {
    double a = j >= w->done ? column(w, w->a, j)[i] : 0;
    square += a * a;
    terms += fabs(column(w, w->qt, j)[i]) * w->length[j];
  }
  double length = sqrt(square), rounding = w->n * few * DBL_EPSILON * w->reach[i],
         limit = w->o->rank;
  if (terms == 0 || length <= rounding)
    return 0;
  bool zero = length <= limit * terms;
  note(w, zero ? 0 : fmin(length / terms, limit * length / rounding), zero ? length / terms : 0);
  return zero ? 0 : length;
}

/* A part of A in block: `rows` from first on, `columns` from begin on, each row of A scaled to
 * length 1. */
static void copy_scaled(Work *w, int first, int rows, int begin, int columns) {
  for (int i = 0; i < rows; i++) {
    double length = row_length(w, first + i), factor = length > 0 ? 1 / length : 0;
    for (int j = 0; j < columns; j++)
      w->block[(size_t)j * (size_t)rows + (size_t)i] = factor *
                                                       column(w, w->a, begin + j)[first + i];
  }
}

/* Which algebraic unknowns do the algebraic equations determine? These come first, with their
 * equations. Returns how many. */
static int pair_algebraic(Work *w, int null) {
  int o = w->done;
  copy_scaled(w, o, null, o, null);
  svd_columns(w->block, null, null, w->v, w->sigma);
  int pairs = count_above(w->sigma, null, w->o->rank);
  judge(w, pairs, null, 1, w->v, o);
  turn_columns(w, w->e, null, 0);
  turn_columns(w, w->a, null, 0);
  turn_columns(w, w->z, null, 0);
  for (int i = o; i < o + null; i++) { /* algebraic equations of length 1: E is 0 there */
    double length = row_length(w, i), factor = length > 0 ? 1 / length : 1;
    for (int j = 0; j < w->n; j++)
      column(w, w->a, j)[i] *= factor, column(w, w->qt, j)[i] *= factor;
    w->reach[i] *= factor;
  }
  for (int j = o + pairs; j < o + null; j++)
    memset(column(w, w->a, j) + o, 0, (size_t)null * sizeof(double));
  make_triangular(w, w->a, o, pairs, o, o + null);
  return pairs;
}

/* Takes the first `pairs` unknowns out of the rows from `first` on, by the equations paired with
 * them. */
static void eliminate(Work *w, int pairs, int first) {
  for (int p = w->done; p < w->done + pairs; p++) {
    double *factor = w->cells, *own = column(w, w->a, p);
    for (int i = first; i < w->n; i++) {
      factor[i] = own[i] / own[p];
      w->reach[i] = fmax(w->reach[i], fabs(factor[i]) * w->reach[p]);
    }
    for (int j = 0; j < w->n; j++) {
      double *a = column(w, w->a, j), *q = column(w, w->qt, j);
      for (int i = first; i < w->n; i++) {
        if (j > p)
          a[i] -= factor[i] * a[p];
        q[i] -= factor[i] * q[p];
      }
    }
    memset(own + first, 0, (size_t)(w->n - first) * sizeof *own);
  }
}

/* The algebraic unknowns that are left, `count` from o on, need differential equations: `rows` from
 * o on. Returns how many of these unknowns nothing determines. */
static int bind_forces(Work *w, int o, int count, int rows) {
  if (count == 0)
    return 0;
  copy_scaled(w, o, rows, o, count);
  svd_columns(w->block, rows, count, w->v, w->sigma);
  int bound = count_above(w->sigma, count, w->o->rank);
  judge(w, bound, count, 1, w->v, o);
  if (bound < count)
    return count - bound;
  make_triangular(w, w->a, o, count, o, o + rows);
  return 0;
}

/* Returns how many directions nothing determines: 0 is well. */
static int separate(Work *w) {
  Descriptor *d = w->d;
  for (;;) {
    d->step[d->index] = w->done;
    int size = w->n - w->done, rank = rank_of_e(w), null = size - rank;
    if (null == 0)
      break;
    turn_algebraic(w, null);
    int pairs = pair_algebraic(w, null);
    eliminate(w, pairs, w->done + null);
    last_rows_first(w, w->done + pairs, rank); /* constraints to the end */
    int lacking = bind_forces(w, w->done + pairs, null - pairs, rank);
    if (lacking > 0)
      return lacking;
    w->done += null;
    d->index++;
  }
  make_triangular(w, w->e, w->done, w->n - w->done, w->done, w->n);
  d->dynamic = w->n - w->done;
  return 0;
}

static bool all_within(const double *v, size_t n, double limit) {
  for (size_t k = 0; k < n; k++)
    if (!(fabs(v[k]) <= limit))
      return false;
  return true;
}

static double *columns_of(Arena *arena, const double *rows, int m, int n) {
  double *out = NEW_ARRAY(arena, double, (size_t)m *(size_t)n + 1);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      out[(size_t)j * (size_t)m + (size_t)i] = rows[(size_t)i * (size_t)n + (size_t)j];
  return out;
}

static double *identity(Arena *arena, int n) {
  double *out = NEW_ARRAY(arena, double, (size_t)n *(size_t)n + 1);
  for (int k = 0; k < n; k++)
    out[(size_t)k * (size_t)n + (size_t)k] = 1;
  return out;
}

static double *copy_of(Arena *arena, const double *from, size_t n) {
  double *out = NEW_ARRAY(arena, double, n + 1);
  memcpy(out, from, n * sizeof *out);
  return out;
}

static void find_differential(Descriptor *d, const double *e, Arena *arena) {
  d->differential = NEW_ARRAY(arena, bool, d->n + 1);
  for (int j = 0; j < d->n; j++)
    for (int i = 0; i < d->m; i++)
      d->differential[j] |= e[(size_t)i * (size_t)d->n + (size_t)j] != 0;
}

Descriptor *descriptor_new(Arena *arena, int m, int n, const double *e, const double *a,
                           const DescriptorOptions *options) {
  Descriptor *d = NEW(arena, Descriptor);
  const DescriptorOptions *o = options ? options : &descriptor_defaults;
  size_t most = (size_t)n * (size_t)n + 1;
  d->m = m, d->n = n, d->doubt.step = -1;
  d->step = NEW_ARRAY(arena, int, n + 2);
  find_differential(d, e, arena);
  Pencil p = {m, n, columns_of(arena, e, m, n), columns_of(arena, a, m, n)};
  size_t cells = (size_t)m * (size_t)n;
  d->end = DESCRIPTOR_NOT_FINITE;
  if (!all_within(p.e, cells, DBL_MAX) || !all_within(p.a, cells, DBL_MAX))
    return d;
  d->row = NEW_ARRAY(arena, double, m + 1), d->column = NEW_ARRAY(arena, double, n + 1);
  Arena *scratch = arena_new(arena_memory(arena));
  pencil_scale(&p, o->size, d->row, d->column, scratch);
  if (!all_within(p.e, cells, largest_entry) || !all_within(p.a, cells, largest_entry)) {
    arena_free(scratch);
    return d;
  }
  d->end = DESCRIPTOR_OK;
  Pencil scaled = {m, n, copy_of(scratch, p.e, cells), copy_of(scratch, p.a, cells)};
  int lacking = 0;
  if (m == n) {
    d->e = p.e, d->a = p.a, d->qt = identity(arena, n), d->z = identity(arena, n);
    Work w = {.o = o, .d = d, .n = n, .e = d->e, .a = d->a, .qt = d->qt, .z = d->z};
    w.block = NEW_ARRAY(scratch, double, most), w.v = NEW_ARRAY(scratch, double, most);
    w.sigma = NEW_ARRAY(scratch, double, n + 1), w.cells = NEW_ARRAY(scratch, double, most);
    w.length = NEW_ARRAY(scratch, double, n + 1);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        w.length[i] = hypot(w.length[i], column(&w, w.a, j)[i]);
    w.reach = copy_of(scratch, w.length, (size_t)n);
    lacking = separate(&w);
  }
  if (m != n || lacking > 0)
    pencil_explain(&scaled, o->rank, lacking, d, arena);
  d->doubtful = d->doubt.measure > o->doubt;
  arena_free(scratch);
  return d;
}
