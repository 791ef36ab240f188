/* flat/linear.c -- rows of whole numbers that depend on each other.
 * In:   sparse rows.   Out: combinations in which every column cancels.
 * How:  (1) peel: a row with a column of its own takes part in no combination; away with it, and
 *       again. Almost every legal model is gone after that. (2) Gaussian elimination of the rest,
 *       short rows first, modulo the prime 2^61 - 1, keeping for each row the combination that made
 *       it. (3) a row that vanishes is checked with whole numbers.
 * Keep: work is bounded; giving up only means that nothing is reported. */
#include "flat/linear_impl.h"
#include "base/limits.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t P = ((uint64_t)1 << 61) - 1;
enum { FACTOR_BITS = 40 };

/* ---- numbers modulo P ---- */

static uint64_t mod_mul(uint64_t x, uint64_t y) {
  __extension__ unsigned __int128 z = (unsigned __int128)x * y;
  uint64_t r = (uint64_t)(z & P) + (uint64_t)(z >> 61);
  return r >= P ? r - P : r;
}

static uint64_t mod_add(uint64_t x, uint64_t y) {
  uint64_t r = x + y;
  return r >= P ? r - P : r;
}

static uint64_t mod_neg(uint64_t x) { return x ? P - x : 0; }

static uint64_t mod_of(int64_t x) { return x < 0 ? mod_neg((uint64_t)-x % P) : (uint64_t)x % P; }

/* Fermat: x^(P-2). */
static uint64_t mod_inverse(uint64_t x) {
  uint64_t r = 1;
  for (uint64_t e = P - 2; e; e >>= 1, x = mod_mul(x, x))
    if (e & 1)
      r = mod_mul(r, x);
  return r;
}

/* ---- sparse vectors modulo P ---- */

typedef struct {
  uint32_t at;
  uint64_t value;
} Entry;

typedef struct {
  Entry *entries;
  uint32_t n;
} Sparse;

/* A vector under work: values by index and the list of indices touched. */
typedef struct {
  uint64_t *value;
  bool *touched;
  VEC(uint32_t) list;
} Work;

typedef struct {
  Arena *a;
  const LinearRow *rows;
  uint32_t n_rows, n_cols;
  bool *alive;        /* rows left after peeling */
  uint32_t *count;    /* of columns: rows alive that contain it */
  uint32_t *pivot_of; /* of columns: number of the pivot row + 1; 0 if none */
  /* Normalised rows (1 in the pivot column), and the rows they are made of */
  VEC(Sparse) pivots, made_of;
  Work row, parts;
  VEC(uint32_t) heap; /* pivots that the row under work contains, least first */
  uint64_t work;
} Linear;

static void work_init(Work *w, Arena *a, uint32_t n) {
  w->value = NEW_ARRAY(a, uint64_t, n + 1);
  w->touched = NEW_ARRAY(a, bool, n + 1);
}

static void work_add(Work *w, Arena *a, uint32_t at, uint64_t value) {
  if (!w->touched[at]) {
    w->touched[at] = true;
    vec_push(a, &w->list, at);
  }
  w->value[at] = mod_add(w->value[at], value);
}

static int by_index(const void *x, const void *y) {
  uint32_t i = ((const Entry *)x)->at, j = ((const Entry *)y)->at;
  return (i > j) - (i < j);
}

/* The vector times `factor`, sorted; the work is cleared. */
static Sparse work_take(Work *w, Arena *a, uint64_t factor) {
  Sparse s = {NEW_ARRAY(a, Entry, w->list.n + 1), 0};
  for (uint32_t i = 0; i < w->list.n; i++) {
    uint32_t at = w->list.at[i];
    if (w->value[at])
      s.entries[s.n++] = (Entry){at, mod_mul(w->value[at], factor)};
    w->value[at] = 0;
    w->touched[at] = false;
  }
  w->list.n = 0;
  qsort(s.entries, s.n, sizeof *s.entries, by_index);
  return s;
}

/* ---- peeling ---- */

static void peel(Linear *l) {
  uint32_t *first = NEW_ARRAY(l->a, uint32_t, l->n_cols + 2), total = 0, n = 0;
  for (uint32_t r = 0; r < l->n_rows; r++)
    for (uint32_t k = 0; k < l->rows[r].n; k++, total++)
      first[l->rows[r].terms[k].col + 1]++;
  for (uint32_t c = 0; c < l->n_cols; c++) {
    l->count[c] = first[c + 1];
    first[c + 1] += first[c];
  }
  uint32_t *rows_of = NEW_ARRAY(l->a, uint32_t, total + 1),
           *at = NEW_ARRAY(l->a, uint32_t, l->n_cols + 1);
  uint32_t *queue = NEW_ARRAY(l->a, uint32_t, l->n_cols + total + 1);
  for (uint32_t r = 0; r < l->n_rows; r++) {
    l->alive[r] = true;
    for (uint32_t k = 0; k < l->rows[r].n; k++) {
      uint32_t c = l->rows[r].terms[k].col;
      rows_of[first[c] + at[c]++] = r;
    }
  }
  for (uint32_t c = 0; c < l->n_cols; c++)
    if (l->count[c] == 1)
      queue[n++] = c;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = first[queue[i]]; k < first[queue[i] + 1]; k++) {
      uint32_t r = rows_of[k];
      if (!l->alive[r])
        continue;
      l->alive[r] = false;
      for (uint32_t t = 0; t < l->rows[r].n; t++)
        if (--l->count[l->rows[r].terms[t].col] == 1)
          queue[n++] = l->rows[r].terms[t].col;
    }
}

/* ---- elimination ---- */

static void heap_push(Linear *l, uint32_t pivot) {
  vec_push(l->a, &l->heap, pivot);
  uint32_t i = l->heap.n - 1;
  for (; i && l->heap.at[(i - 1) / 2] > pivot; i = (i - 1) / 2)
    l->heap.at[i] = l->heap.at[(i - 1) / 2];
  l->heap.at[i] = pivot;
}

static uint32_t heap_pop(Linear *l) {
  uint32_t least = l->heap.at[0], last = l->heap.at[--l->heap.n], i = 0;
  for (uint32_t child; (child = 2 * i + 1) < l->heap.n; i = child) {
    child += child + 1 < l->heap.n && l->heap.at[child + 1] < l->heap.at[child];
    if (l->heap.at[child] >= last)
      break;
    l->heap.at[i] = l->heap.at[child];
  }
  if (l->heap.n)
    l->heap.at[i] = last;
  return least;
}

static void row_add(Linear *l, uint32_t col, uint64_t value) {
  bool fresh = !l->row.touched[col];
  work_add(&l->row, l->a, col, value);
  if (fresh && l->pivot_of[col])
    heap_push(l, l->pivot_of[col] - 1);
  l->work++;
}

/* Reduces by the pivots, oldest first: a pivot row contains no older pivot's column, so none comes
 * back. */
static void reduce(Linear *l, uint32_t r, const uint32_t *pivot_col) {
  const LinearRow *row = &l->rows[r];
  for (uint32_t k = 0; k < row->n; k++)
    row_add(l, row->terms[k].col, mod_of(row->terms[k].factor));
  work_add(&l->parts, l->a, r, 1);
  while (l->heap.n) {
    uint32_t p = heap_pop(l);
    uint64_t value = l->row.value[pivot_col[p]];
    if (!value)
      continue;
    uint64_t factor = mod_neg(value);
    for (uint32_t k = 0; k < l->pivots.at[p].n; k++)
      row_add(l, l->pivots.at[p].entries[k].at, mod_mul(factor, l->pivots.at[p].entries[k].value));
    for (uint32_t k = 0; k < l->made_of.at[p].n; k++, l->work++)
      work_add(&l->parts, l->a, l->made_of.at[p].entries[k].at,
               mod_mul(factor, l->made_of.at[p].entries[k].value));
  }
}

/* ---- exact check ---- */

/* x modulo P as a small signed number; false if it is none. */
static bool small(uint64_t x, int64_t *out) {
  *out = x > P / 2 ? -(int64_t)(P - x) : (int64_t)x;
  return *out < ((int64_t)1 << FACTOR_BITS) && *out > -((int64_t)1 << FACTOR_BITS);
}

/* Whole-number factors of a combination, if a small multiple of it has them. */
static bool whole(Linear *l, const Sparse *s, LinearZero *out) {
  out->parts = NEW_ARRAY(l->a, LinearPart, s->n + 1);
  for (uint64_t scale = 1; scale <= MOST_LINEAR_SCALE; scale++) {
    uint32_t k = 0;
    for (; k < s->n; k++) {
      out->parts[k].row = s->entries[k].at;
      if (!small(mod_mul(s->entries[k].value, scale), &out->parts[k].factor))
        break;
    }
    out->n = k;
    if (k == s->n)
      return true;
  }
  return false;
}

__extension__ typedef __int128 Wide;

/* Factors and coefficients have at most 41 bits and there are fewer than 2^32 of them: the sums
 * fit. */
static bool vanishes(Linear *l, const LinearZero *z, Wide *sum) {
  bool zero = true;
  for (int pass = 0; pass < 3; pass++) /* clear, add, test */
    for (uint32_t i = 0; i < z->n; i++) {
      const LinearRow *row = &l->rows[z->parts[i].row];
      for (uint32_t k = 0; k < row->n; k++) {
        Wide *s = &sum[row->terms[k].col];
        if (pass == 0)
          *s = 0;
        else if (pass == 1)
          *s += (Wide)z->parts[i].factor * row->terms[k].factor;
        else
          zero &= *s == 0;
      }
    }
  return zero;
}

/* The rows alive, short ones first, else in their order (counting sort). */
static uint32_t order_rows(Linear *l, uint32_t *order) {
  uint32_t *start = NEW_ARRAY(l->a, uint32_t, l->n_cols + 2), n = 0;
  for (uint32_t r = 0; r < l->n_rows; r++)
    if (l->alive[r])
      start[l->rows[r].n + 1]++, n++;
  for (uint32_t k = 0; k < l->n_cols; k++)
    start[k + 1] += start[k];
  for (uint32_t r = 0; r < l->n_rows; r++)
    if (l->alive[r])
      order[start[l->rows[r].n]++] = r;
  return n;
}

/* Keeps the reduced row as a pivot row; its pivot is the column that fewest rows contain. */
static uint32_t keep_pivot(Linear *l) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < l->row.list.n; i++) {
    uint32_t c = l->row.list.at[i];
    if (l->row.value[c] && (best == UINT32_MAX || l->count[c] < l->count[best] ||
                            (l->count[c] == l->count[best] && c < best)))
      best = c;
  }
  uint64_t factor = mod_inverse(l->row.value[best]);
  vec_push(l->a, &l->pivots, work_take(&l->row, l->a, factor));
  vec_push(l->a, &l->made_of, work_take(&l->parts, l->a, factor));
  l->pivot_of[best] = l->pivots.n;
  return best;
}

static bool row_is_zero(const Linear *l) {
  for (uint32_t i = 0; i < l->row.list.n; i++)
    if (l->row.value[l->row.list.at[i]])
      return false;
  return true;
}

void linear_zeros(Arena *a, const LinearRow *rows, uint32_t n_rows, uint32_t n_cols, uint32_t most,
                  LinearZeros *out) {
  Linear l = {.a = a, .rows = rows, .n_rows = n_rows, .n_cols = n_cols};
  l.alive = NEW_ARRAY(a, bool, n_rows + 1);
  l.count = NEW_ARRAY(a, uint32_t, n_cols + 1);
  peel(&l);
  uint32_t *order = NEW_ARRAY(a, uint32_t, n_rows + 1), n = order_rows(&l, order);
  if (!n)
    return;
  l.pivot_of = NEW_ARRAY(a, uint32_t, n_cols + 1);
  work_init(&l.row, a, n_cols);
  work_init(&l.parts, a, n_rows);
  uint32_t *pivot_col = NEW_ARRAY(a, uint32_t, n + 1);
  Wide *sum = NEW_ARRAY(a, Wide, n_cols + 1);
  for (uint32_t i = 0; i < n && out->n < most && l.work < MOST_LINEAR_WORK; i++) {
    reduce(&l, order[i], pivot_col);
    if (!row_is_zero(&l)) {
      uint32_t col = keep_pivot(&l);
      pivot_col[l.pivots.n - 1] = col;
      continue;
    }
    work_take(&l.row, a, 1);
    Sparse parts = work_take(&l.parts, a, 1);
    LinearZero zero = {0};
    if (whole(&l, &parts, &zero) && vanishes(&l, &zero, sum))
      vec_push(a, out, zero);
  }
}
