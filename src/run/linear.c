/* run/linear.c -- linear systems of a model: full matrices, whose factors are kept as long as they
 * may come again, and matrices given by their entries.
 * How:  between events most matrices stay as they are; then the model asks for the factors
 *       themselves (DsData.factors), and hands over right sides only. Modes of ideal elements have
 *       a few matrices that come again and again: FACTORS_KEPT of each block. A singular matrix has
 *       its solutions of least squares, the nearest to the values before the event: z = before +
 *       inverse (b - a before).
 * Keep: a solution has the same bits whether its matrix was handed over or known. */
#include "run/linear.h"
#include "run/core.h"
#include "run/scales.h"
#include "run/singular.h"
#include "run/tolerances.h"
#include "run/values.h"
#include "run/workspace.h"
#include "base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- factors ---- */

/* A matrix of a block, and what was made of it. */
struct RunFactors {
  bool known, singular;
  /* Lsq holds the factors of a singular matrix, and inverse, rest what follows from them */
  bool has_lsq;
  bool has_inverse;        /* that of a matrix that is not singular; made when it is asked for */
  bool has_grown;          /* likewise, for the solution `grown_at` */
  double *given, *factors; /* n*n each */
  int *pivot, *order;      /* order: which row of the matrix is row k of the factors */
  Lsq lsq;
  double *weight;          /* of lsq */
  double *open;            /* per unknown: how much of it lies in the null space */
  double *inverse, *rest;  /* n*n each; see lsq_invert */
  double *before, *image;  /* the values before the event, and the matrix times these */
  double *terms, *largest; /* per row: sum of its terms, largest entry (1 if all are 0) */
  double size;             /* largest sum of terms in units of the largest entry */
  /* Per row of the matrix: what elimination made of its terms, |L| |U| |z|, at the solution z */
  double *grown, *grown_at;
};

/* one piece of memory for all, with the reals before the whole numbers */
static RunFactors *factors_new(int n) {
  size_t m = (size_t)n, reals = 5 * m * m + 11 * m;
  RunFactors *f = calloc(1, sizeof *f + reals * sizeof(double) + 3 * m * sizeof(int));
  if (!f)
    return NULL;
  double *at = (double *)(void *)(f + 1);
  int *ints = (int *)(void *)(at + reals);
  f->given = at;
  f->factors = at + m * m;
  f->inverse = at + 3 * m * m;
  f->rest = at + 4 * m * m;
  f->weight = at + 5 * m * m;
  f->before = f->weight + 4 * m;
  f->image = f->before + m;
  f->terms = f->image + m;
  f->largest = f->terms + m;
  f->open = f->largest + m;
  f->grown = f->open + m;
  f->grown_at = f->grown + m;
  f->pivot = ints;
  f->order = ints + 2 * n;
  f->lsq = (Lsq){.n = n,
                 .a = at + 2 * m * m,
                 .rows = f->weight + m,
                 .tau = f->weight + 2 * m,
                 .fold = f->weight + 3 * m,
                 .weight = f->weight,
                 .column = ints + n};
  return f;
}

/* Those of the matrix a, or the ones to be used for it; NULL: they are not kept. */
static RunFactors *factors_of(Run *run, int block, int n, const double *a) {
  /* only whole systems in full form are worth it */
  if (n > MOST_FACTORS_ROWS || n != run->m->blocks[block].n_iterated || run->m->blocks[block].start)
    return NULL;
  RunFactors **kept = run->work->factors + (size_t)block * FACTORS_KEPT, *f;
  size_t bytes = (size_t)n * (size_t)n * sizeof *a;
  int k = 0;
  /* the last one used comes first */
  while (k < FACTORS_KEPT && kept[k] && !(kept[k]->known && !memcmp(kept[k]->given, a, bytes)))
    k++;
  if (k == 0 && kept[0])
    return kept[0];
  /* the oldest one gives way */
  k = k < FACTORS_KEPT ? k : FACTORS_KEPT - 1;
  f = kept[k] ? kept[k] : factors_new(n);
  if (!f)
    return NULL;
  /* it may be the matrix that was looked for, or memory of another one */
  f->known = f->known && !memcmp(f->given, a, bytes);
  memmove(kept + 1, kept, (size_t)k * sizeof *kept);
  return kept[0] = f;
}

void run_linear_allocate(Run *run) {
  size_t n = (size_t)run->m->n_blocks;
  run->work->sparse = NEW_ARRAY(run->a, SparseLu *, n + 1);
  run->work->factors = NEW_ARRAY(run->a, RunFactors *, n * FACTORS_KEPT + 1);
  run->d.factors = run->work->held = NEW_ARRAY(run->a, DsFactors, n + 1);
  run->work->held_blocks = NEW_ARRAY(run->a, int, n + 1);
  run->work->is_listed = NEW_ARRAY(run->a, bool, n + 1);
  run->work->loose = NEW_ARRAY(run->a, int, n + 1);
  run->work->is_owned = NEW_ARRAY(run->a, bool, n + 1);
  /* what belongs to no part must be forgotten with all of them */
  for (int k = 0; k < run->m->n_parts; k++)
    for (int q = 0; q < run->m->parts[k].n_blocks; q++)
      run->work->is_owned[run->m->parts[k].blocks[q]] = true;
}

void run_linear_free(Run *run) {
  for (int k = 0; k < run->m->n_blocks; k++)
    sparse_free(run->work->sparse[k]);
  for (int k = 0; k < run->m->n_blocks * FACTORS_KEPT; k++)
    free(run->work->factors[k]);
}

/* ---- matrices that stay ---- */

static void forget(Run *run, int block) {
  if (run->work->held[block].known)
    run->work->held[block] = (DsFactors){0};
}

void run_forget_matrices(Run *run, const Scope *sc) {
  if (!run->work->n_held)
    return;
  /* everything: nobody has a known matrix any more */
  if (sc->all) {
    for (int k = 0; k < run->work->n_held; k++) {
      forget(run, run->work->held_blocks[k]);
      run->work->is_listed[run->work->held_blocks[k]] = false;
    }
    run->work->n_held = run->work->n_loose = 0;
    return;
  }
  for (int k = 0; k < sc->n_seen; k++)
    for (int q = 0; q < run->m->parts[sc->seen[k]].n_blocks; q++)
      forget(run, run->m->parts[sc->seen[k]].blocks[q]);
  /* what belongs to no part may depend on any */
  for (int k = 0; k < run->work->n_loose; k++)
    forget(run, run->work->loose[k]);
}

/* The matrix of the block is that of f until it is forgotten. In the formulation `dae` blocks are
 * not always solved. */
static void hold(Run *run, int block, const RunFactors *f) {
  DsFactors *held = &run->work->held[block];
  if (run->options->dae || run->d.initial)
    return;
  /* each block once, however often it is solved */
  if (!run->work->is_listed[block]) {
    run->work->held_blocks[run->work->n_held++] = block;
    run->work->is_listed[block] = true;
    if (!run->work->is_owned[block])
      run->work->loose[run->work->n_loose++] = block;
  }
  if (f->singular)
    *held = (DsFactors){.known = 1,
                        .inverse = f->inverse,
                        .before = f->before,
                        .image = f->image,
                        .rest = f->rest,
                        .n_rest = f->lsq.n - f->lsq.rank,
                        .most = run_tolerances.contradiction * f->size};
  else
    *held = (DsFactors){.known = 1, .lu = f->factors, .order = f->order};
}

/* ---- singular matrices ---- */

/* From now on rows say that the unknowns of this system do not follow from its equations alone. */
static void remember_singular(Run *run, int block, int n, const int *places) {
  if (run->d.initial || run->m->blocks[block].start)
    return;
  for (int k = 0; k < n; k++)
    if (!run->singular->is[places[k]]) {
      run->singular->is[places[k]] = true;
      run->singular->place[run->singular->n++] = places[k];
    }
}

static double weight_of(const Run *run, int place) {
  double nominal = run->scales->nominals[place];
  return nominal != 0 && isfinite(nominal) ? fabs(nominal) : 1;
}

/* No solution: in a trial of a mixed system that is only written down. */
static int contradict(Run *run, int block) {
  run->eval.contradiction = true;
  if (run->eval.in_mixed)
    return DS_OK;
  run_note(&run->failure, D_R606, NULL,
           "a linear system of equations is singular and has no solution");
  run->failure.block = block;
  return DS_RETRY;
}

static void take_before(const Run *run, RunFactors *f, int n, const int *places) {
  f->size = 0;
  /* a value that is not finite says nothing about which solution is near */
  for (int j = 0; j < n; j++) {
    double z = run->d.r_pre[places[j]];
    f->before[j] = isfinite(z) ? z : 0;
  }
  for (int i = 0; i < n; i++) {
    const double *row = f->given + (size_t)i * (size_t)n;
    double most = 0;
    double sum = 0;
    double size = 0;
    for (int j = 0; j < n; j++) {
      double c = row[j], term = c * f->before[j];
      sum += term;
      size += fabs(term);
      most = fabs(c) > most ? fabs(c) : most;
    }
    f->image[i] = sum;
    f->terms[i] = size;
    f->largest[i] = most > 0 ? most : 1;
    f->size = fmax(f->size, size / f->largest[i]);
  }
}

static void prepare_singular(Run *run, RunFactors *f, int n, const int *places) {
  size_t m = (size_t)n;
  /* weights decide which solution is the nearest */
  bool same = f->has_lsq;
  for (int j = 0; j < n; j++) {
    double w = weight_of(run, places[j]);
    same = same && f->weight[j] == w;
    f->weight[j] = w;
  }
  if (!same) {
    memcpy(f->lsq.a, f->given, m * m * sizeof(double));
    lsq_factor(&f->lsq, run->work->newton);
    lsq_invert(&f->lsq, f->inverse, f->rest, run->work->newton);
    lsq_open(&f->lsq, f->open, run->work->newton);
    f->has_lsq = true;
  }
  take_before(run, f, n, places);
}

/* What is left of b, where no z brings it about, is nothing beside the terms of the equations. */
static bool agrees(const RunFactors *f, int n, const double *b, const double *difference) {
  /* rows that no unknown can change */
  double left = 0, size = 0;
  for (int k = 0; k < n - f->lsq.rank; k++) {
    const double *row = f->rest + (size_t)k * (size_t)n;
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += row[j] * difference[j];
    left = fabs(sum) > left ? fabs(sum) : left;
  }
  /* the right side may be larger than what the unknowns make of it */
  if (left <= run_tolerances.contradiction * f->size)
    return true;
  for (int i = 0; i < n; i++)
    size = fmax(size, (fabs(b[i]) + f->terms[i]) / f->largest[i]);
  return left <= run_tolerances.contradiction * size;
}

/* The solution nearest to the values before the event. */
static int apply_singular(Run *run, int block, const RunFactors *f, int n, double *b) {
  double *difference = run->work->newton;
  run->eval.many = run->eval.met_singular = true;
  run_open_found(run, block, f->open);
  /* from the values before the event: only the difference is distributed */
  for (int i = 0; i < n; i++)
    difference[i] = b[i] - f->image[i];
  if (!agrees(f, n, b, difference)) {
    int status = contradict(run, block);
    if (status != DS_OK)
      return status;
  }
  const double *row = f->inverse;
  for (int i = 0; i < n; i++, row += n) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += row[j] * difference[j];
    b[i] = f->before[i] + sum;
  }
  return DS_OK;
}

/* The same for a matrix (in run->work->lsq) whose factors are not kept. */
static int singular(Run *run, int block, int n, const int *places, double *b) {
  double *a = run->work->lsq;
  double *rest = run->work->lsq + (size_t)n * (size_t)n;
  double *weight = rest + n;
  double *before = run->work->newton;
  double size = 0;
  double residual;
  run->eval.many = run->eval.met_singular = true;
  for (int j = 0; j < n; j++) {
    double z = run->d.r_pre[places[j]];
    before[j] = isfinite(z) ? z : 0;
    weight[j] = weight_of(run, places[j]);
  }
  for (int i = 0; i < n; i++) {
    const double *row = a + (size_t)i * (size_t)n;
    double most = 0, sum = fabs(b[i]);
    rest[i] = b[i];
    for (int j = 0; j < n; j++) {
      double c = row[j], term = c * before[j];
      rest[i] -= term;
      sum += fabs(term);
      most = fabs(c) > most ? fabs(c) : most;
    }
    sum = most > 0 ? sum / most : sum;
    size = sum > size ? sum : size;
  }
  double *work = weight + n;
  Lsq q = {.n = n,
           .a = a,
           .rows = work + n,
           .tau = work + 2 * n,
           .fold = work + 3 * n,
           .weight = weight,
           .column = run->work->pivot};
  lsq_factor(&q, work);
  residual = lsq_apply(&q, rest, work);
  if (!(residual <= run_tolerances.contradiction * size)) {
    int status = contradict(run, block);
    if (status != DS_OK)
      return status;
  }
  for (int j = 0; j < n; j++)
    b[j] = rest[j] + before[j];
  lsq_open(&q, rest, before); /* these two are no longer needed */
  run_open_found(run, block, rest);
  return DS_OK;
}

/* ---- full matrices ---- */

static void order_rows(RunFactors *f, int n) {
  for (int k = 0; k < n; k++)
    f->order[k] = k;
  for (int k = 0; k < n; k++) {
    int t = f->order[k];
    f->order[k] = f->order[f->pivot[k]];
    f->order[f->pivot[k]] = t;
  }
}

static void factorise(Run *run, RunFactors *f, int n, const double *a) {
  size_t bytes = (size_t)n * (size_t)n * sizeof *a;
  int where = 0;
  memcpy(f->given, a, bytes);
  memcpy(f->factors, a, bytes);
  f->known = true;
  f->has_lsq = f->has_inverse = f->has_grown = false;
  f->singular = !lu_factor(f->factors, f->pivot, run->work->newton, n, &where);
  if (!f->singular)
    order_rows(f, n);
}

/* A matrix too large for its factors to be kept. */
static int linear_once(Run *run, int block, int n, const int *places, double *a, double *b) {
  int where = 0;
  if (!run_all_finite(a, n * n) || !run_all_finite(b, n))
    return DS_RETRY;
  memcpy(run->work->lsq, a, (size_t)n * (size_t)n * sizeof *a);
  if (!lu_factor(a, run->work->pivot, run->work->newton, n, &where)) {
    remember_singular(run, block, n, places);
    return singular(run, block, n, places, b);
  }
  run_open_closed(run, block);
  lu_solve(a, run->work->pivot, n, b);
  return DS_OK;
}

static int linear_full(Run *run, int block, int n, const int *places, double *a, double *b) {
  RunFactors *f = a ? factors_of(run, block, n, a)
                    : run->work->factors[(size_t)block * FACTORS_KEPT];
  if (!f)
    return linear_once(run, block, n, places, a, b);
  if (!run_all_finite(b, n) || (!f->known && !run_all_finite(a, n * n)))
    return DS_RETRY; /* blame.c finds out why */
  if (!f->known)
    factorise(run, f, n, a);
  if (f->singular && a) {
    remember_singular(run, block, n, places);
    prepare_singular(run, f, n, places);
  }
  if (a)
    hold(run, block, f);
  if (f->singular)
    return apply_singular(run, block, f, n, b);
  run_open_closed(run, block);
  lu_solve(f->factors, f->pivot, n, b);
  return DS_OK;
}

/* ---- matrices given by their entries ---- */

/* Nearly singular: judged and solved as a full matrix, in memory of its own. */
static int linear_entries(Run *run, const DsBlock *bl, int block, const int *places,
                          const double *a, double *b) {
  size_t n = (size_t)bl->n_iterated;
  double *full = n <= MOST_SINGULAR_ROWS
                     ? calloc(n * n * 2 + 3 * n + lsq_work((int)n), sizeof *full)
                     : NULL;
  int *pivot = malloc(n * sizeof *pivot);
  int status = DS_RETRY;
  if (full && pivot) {
    double *keep_lsq = run->work->lsq;
    double *keep_newton = run->work->newton;
    int *keep_pivot = run->work->pivot;
    run->work->newton = full + n * n;
    run->work->lsq = full + n * n + n;
    run->work->pivot = pivot;
    for (size_t i = 0; i < n; i++)
      for (int k = bl->start[i]; k < bl->start[i + 1]; k++)
        full[i * n + (size_t)bl->columns[k]] = a[k];
    status = linear_once(run, block, (int)n, places, full, b);
    run->work->newton = keep_newton;
    run->work->lsq = keep_lsq;
    run->work->pivot = keep_pivot;
  } else {
    run_note(&run->failure, D_R606, NULL, "a large linear system of equations is singular");
    run->failure.block = block;
  }
  free(full);
  free(pivot);
  return status;
}

int run_linear(DsData *d, int block, int n, const int *places, double *a, double *b) {
  Run *run = d->run;
  const DsBlock *bl = &run->m->blocks[block];
  if (!bl->start)
    return linear_full(run, block, n, places, a, b);
  if (!run_all_finite(a, bl->start[n]) || !run_all_finite(b, n))
    return DS_RETRY; /* blame.c finds out why */
  if (!run->work->sparse[block])
    run->work->sparse[block] = sparse_new(n, bl->start, bl->columns);
  if (run->work->sparse[block] && sparse_solve(run->work->sparse[block], a, b)) {
    run_open_closed(run, block);
    return DS_OK;
  }
  return linear_entries(run, bl, block, places, a, b);
}

/* ---- roundings ---- */

/* Column by column; `before` is that of singular matrices. */
static void invert(RunFactors *f, int n) {
  double *column = f->before;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      column[i] = i == j;
    lu_solve(f->factors, f->pivot, n, column);
    for (int i = 0; i < n; i++)
      f->inverse[(size_t)i * (size_t)n + (size_t)j] = column[i];
  }
  f->has_inverse = true;
}

/* What elimination made of the terms of each row, at the present solution: |L| |U| |z|. It may be
 * far more than what the row itself has: torques that a row does not know go into it and cancel.
 * All unknowns of a solution are asked about in turn. */
static void find_grown(const Run *run, int block, RunFactors *f, int n) {
  const int *places = run->m->blocks[block].iterated;
  bool same = f->has_grown;
  for (int m = 0; m < n; m++) {
    double z = run->d.r[places[m]];
    same = same && f->grown_at[m] == z;
    f->grown_at[m] = z;
  }
  if (same)
    return;
  double *upper = f->image; /* of singular matrices alone */
  for (int i = 0; i < n; i++) {
    const double *row = f->factors + (size_t)i * (size_t)n;
    double sum = 0, grown = 0;
    for (int m = i; m < n; m++)
      sum += fabs(row[m] * f->grown_at[m]);
    upper[i] = sum;
    for (int m = 0; m < i; m++)
      grown += fabs(row[m]) * upper[m];
    f->grown[f->order[i]] = grown + sum;
  }
  f->has_grown = true;
}

/* |inverse| (|L| |U| |z| + terms), row j. */
double run_rounding(DsData *d, int block, int j, int n, const double *terms, double by_row) {
  const Run *run = d->run;
  RunFactors *f = run->work->factors[(size_t)block * FACTORS_KEPT];
  /* not solved yet, or not by factors that are kept */
  if (!f || !f->known || (f->singular && !f->has_lsq))
    return by_row;
  if (!f->singular && !f->has_inverse)
    invert(f, n);
  const double *row = f->inverse + (size_t)j * (size_t)n;
  double sum = 0;
  if (!f->singular)
    find_grown(run, block, f, n);
  for (int i = 0; i < n; i++)
    sum += fabs(row[i]) * (terms[i] + (f->singular ? 0 : f->grown[i]));
  return isfinite(sum) ? sum : by_row;
}
