/* numeric/descriptor_singular.c -- which equations and unknowns are to blame when a pencil is not
 * regular.
 * How:  the rank of s E + A is the same for all s but some; at an s chosen without regard to the
 *       model its null vectors touch exactly the unknowns that are not determined, and those of its
 *       transpose the equations that depend on each other. Two values of s are tried, for the case
 *       that one of them is an eigenvalue. */
#include "numeric/descriptor_impl.h"
#include "numeric/svd.h"

#include <math.h>

enum { SAMPLES = 2 };
/* Of s: no model has these */
static const double samples[SAMPLES] = {0.7390851332151607, -1.5707288124612183};
/* 1: what is left of a sum that should be 0, relative to its terms */
static const double contradiction = 1e-9;
/* 1: a null vector touches entries above this part of its largest */
static const double touched = 1e-6;

typedef struct {
  int rank;
  bool *unknown, *equation; /* touched by null vectors */
} Sample;

/* s E + A, rows scaled to length 1, or its transpose. */
static void combine(const Pencil *p, double s, bool transposed, double *out) {
  for (int i = 0; i < p->m; i++) {
    double square = 0;
    for (int j = 0; j < p->n; j++) {
      size_t from = (size_t)j * (size_t)p->m + (size_t)i;
      double value = s * p->e[from] + p->a[from];
      square += value * value;
    }
    double factor = square > 0 ? 1 / sqrt(square) : 0;
    for (int j = 0; j < p->n; j++) {
      size_t from = (size_t)j * (size_t)p->m + (size_t)i, to = (size_t)i * (size_t)p->n + (size_t)j;
      out[transposed ? to : from] = factor * (s * p->e[from] + p->a[from]);
    }
  }
}
/* Rows of [v_first .. v_n-1] that are not zero. */
static void touch(const double *v, int n, int first, bool *mark) {
  double largest = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n; i++) {
      double size = 0;
      for (int j = first; j < n; j++)
        size = fmax(size, fabs(v[(size_t)j * (size_t)n + (size_t)i]));
      largest = pass ? largest : fmax(largest, size);
      mark[i] = pass && size > touched * largest;
    }
}

static int count_rank(const double *sigma, int n, double rank) {
  int count = 0;
  while (count < n && sigma[count] > rank * sigma[0])
    count++;
  return count;
}

static Sample look_at(const Pencil *p, double s, double rank, int lacking, Arena *scratch) {
  int m = p->m, n = p->n, most = m > n ? m : n, least = m < n ? m : n;
  Sample out = {0, NEW_ARRAY(scratch, bool, n), NEW_ARRAY(scratch, bool, m)};
  double *matrix = NEW_ARRAY(scratch, double, (size_t)m *(size_t)n),
         *sigma = NEW_ARRAY(scratch, double, most);
  double *v = NEW_ARRAY(scratch, double, (size_t)most *(size_t)most);
  combine(p, s, false, matrix);
  svd_columns(matrix, m, n, v, sigma);
  out.rank = count_rank(sigma, least, rank);
  if (out.rank > least - lacking)
    out.rank = least - lacking;
  if (out.rank < n)
    touch(v, n, out.rank, out.unknown);
  combine(p, s, true, matrix);
  svd_columns(matrix, n, m, v, sigma);
  if (out.rank < m)
    touch(v, m, out.rank, out.equation);
  return out;
}

static int collect(const bool *mark, int n, int **list, Arena *arena) {
  int count = 0;
  *list = NEW_ARRAY(arena, int, n);
  for (int k = 0; k < n; k++)
    if (mark[k])
      (*list)[count++] = k;
  return count;
}

/* Combinations of equations in which neither x' nor x is left: null vectors of [E A]', rows scaled
 * to length 1. */
static void find_silent(const Pencil *p, double rank, Descriptor *d, Arena *arena, Arena *scratch) {
  size_t m = (size_t)p->m, n = (size_t)p->n;
  double *matrix = NEW_ARRAY(scratch, double, 2 * m * n + 1),
         *v = NEW_ARRAY(scratch, double, m *m + 1);
  double *sigma = NEW_ARRAY(scratch, double, m + 1), *factor = NEW_ARRAY(scratch, double, m + 1);
  for (size_t i = 0; i < m; i++) {
    double square = 0;
    for (size_t j = 0; j < n; j++)
      square += p->e[j * m + i] * p->e[j * m + i] + p->a[j * m + i] * p->a[j * m + i];
    factor[i] = square > 0 ? 1 / sqrt(square) : 1;
    for (size_t j = 0; j < n; j++) {
      matrix[i * 2 * n + j] = factor[i] * p->e[j * m + i];
      matrix[i * 2 * n + n + j] = factor[i] * p->a[j * m + i];
    }
  }
  svd_columns(matrix, 2 * p->n, p->m, v, sigma);
  int first = 0;
  while (first < p->m && sigma[first] > rank)
    first++;
  d->silents = p->m - first;
  d->silent = NEW_ARRAY(arena, double, (size_t)d->silents *m + 1);
  for (int k = 0; k < d->silents; k++)
    for (size_t i = 0; i < m; i++)
      d->silent[(size_t)k * m + i] = v[(size_t)(first + k) * m + i] * factor[i] * d->row[i];
}

bool descriptor_contradicts(const Descriptor *d, const double *b) {
  for (int k = 0; k < d->silents; k++) {
    double sum = 0, size = 0;
    for (int i = 0; i < d->m; i++) {
      double term = d->silent[(size_t)k * (size_t)d->m + (size_t)i] * b[i];
      sum += term, size += fabs(term);
    }
    if (fabs(sum) > contradiction * size)
      return true;
  }
  return false;
}

void pencil_explain(const Pencil *p, double rank, int lacking, Descriptor *d, Arena *arena) {
  Arena *scratch = arena_new(arena_memory(arena));
  Sample best = look_at(p, samples[0], rank, lacking, scratch);
  for (int k = 1; k < SAMPLES; k++) {
    Sample other = look_at(p, samples[k], rank, lacking, scratch);
    if (other.rank > best.rank)
      best = other;
  }
  d->free_unknowns = collect(best.unknown, p->n, &d->free_unknown, arena);
  d->bound_equations = collect(best.equation, p->m, &d->bound_equation, arena);
  if (best.rank == p->m && best.rank < p->n)
    d->end = DESCRIPTOR_UNDER;
  else if (best.rank == p->n && best.rank < p->m)
    d->end = DESCRIPTOR_OVER;
  else
    d->end = DESCRIPTOR_SINGULAR;
  find_silent(p, rank, d, arena, scratch);
  arena_free(scratch);
}
