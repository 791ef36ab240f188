/* flat/check_match.c -- give as many equations as possible an unknown of their own.
 * How:  first what each equation is written for (`x = ...` gives x), then Hopcroft & Karp, SIAM J.
 *       Comput. 2(4), 1973.
 * Keep: rows and columns are visited in ascending order, so equal models give equal matchings. */
#include "flat/check_impl.h"

typedef struct {
  Incidence *in;
  uint32_t *level; /* of rows, from the unmatched ones; NONE: not reached */
  uint32_t *next;  /* of rows: the first column not yet tried */
  uint32_t *queue; /* rows */
} Search;

static void join(Incidence *in, uint32_t row, uint32_t col) {
  in->row_match[row] = col;
  in->col_match[col] = row;
  in->n_matched++;
}

static void match_as_written(Incidence *in, bool connections) {
  for (uint32_t r = 0; r < in->rows.n; r++) {
    const Row *row = &in->rows.at[r];
    bool connection = row->eq->from == FROM_CONNECT || row->eq->from == FROM_FLOW_SUM;
    if (connection == connections && in->row_match[r] == NONE && row->written != NONE &&
        in->col_match[row->written] == NONE)
      join(in, r, row->written);
  }
}

/* Levels of the alternating paths from unmatched rows; false when none reaches an unmatched
 * column. */
static bool layer(Search *s) {
  Incidence *in = s->in;
  uint32_t n = 0;
  bool reached = false;
  for (uint32_t r = 0; r < in->rows.n; r++) {
    s->level[r] = in->row_match[r] == NONE ? 0 : NONE;
    s->next[r] = 0;
    if (s->level[r] == 0)
      s->queue[n++] = r;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t r = s->queue[i];
    for (uint32_t k = 0; k < in->rows.at[r].n; k++) {
      uint32_t follower = in->col_match[in->rows.at[r].cols[k]];
      if (follower == NONE) {
        reached = true;
      } else if (s->level[follower] == NONE) {
        s->level[follower] = s->level[r] + 1;
        s->queue[n++] = follower;
      }
    }
  }
  return reached;
}

/* Goes one step from the row on top of the path; returns the column taken, NONE if there is none
 * left. */
static uint32_t step(Search *s, uint32_t row) {
  Incidence *in = s->in;
  while (s->next[row] < in->rows.at[row].n) {
    uint32_t col = in->rows.at[row].cols[s->next[row]++], follower = in->col_match[col];
    if (follower == NONE || s->level[follower] == s->level[row] + 1)
      return col;
  }
  return NONE;
}

/* An augmenting path from `start` along rising levels; `path` holds rows, `taken` the column chosen
 * in each. */
static bool augment(Search *s, uint32_t start, uint32_t *path, uint32_t *taken) {
  Incidence *in = s->in;
  uint32_t n = 0;
  path[n++] = start;
  while (n) {
    uint32_t row = path[n - 1], col = step(s, row);
    if (col == NONE) {
      s->level[row] = NONE; /* a dead end for this phase */
      n--;
      continue;
    }
    taken[n - 1] = col;
    if (in->col_match[col] != NONE) {
      path[n++] = in->col_match[col];
      continue;
    }
    for (uint32_t i = 0; i < n; i++) {
      in->row_match[path[i]] = taken[i];
      in->col_match[taken[i]] = path[i];
    }
    in->n_matched++;
    return true;
  }
  return false;
}

/* Rows that have an unknown keep one. */
static void improve(Arena *a, Incidence *in) {
  uint32_t n_rows = in->rows.n;
  Search s = {in, NEW_ARRAY(a, uint32_t, n_rows + 1), NEW_ARRAY(a, uint32_t, n_rows + 1),
              NEW_ARRAY(a, uint32_t, n_rows + 1)};
  uint32_t *path = NEW_ARRAY(a, uint32_t, n_rows + 1), *taken = NEW_ARRAY(a, uint32_t, n_rows + 1);
  while (layer(&s))
    for (uint32_t r = 0; r < n_rows; r++)
      if (in->row_match[r] == NONE)
        augment(&s, r, path, taken);
}

void incidence_match(Arena *a, Incidence *in) {
  uint32_t n_rows = in->rows.n;
  in->row_match = NEW_ARRAY(a, uint32_t, n_rows + 1);
  in->col_match = NEW_ARRAY(a, uint32_t, in->n_cols + 1);
  for (uint32_t r = 0; r < n_rows; r++)
    in->row_match[r] = NONE;
  for (uint32_t c = 0; c < in->n_cols; c++)
    in->col_match[c] = NONE;
  in->n_matched = 0;
  match_as_written(in, false);
  match_as_written(in, true);
  improve(a, in);
}

void incidence_add(Arena *a, Incidence *in, const uint32_t *cols, uint32_t n) {
  uint32_t before = in->rows.n, *match = NEW_ARRAY(a, uint32_t, before + n + 1);
  for (uint32_t r = 0; r < before + n; r++)
    match[r] = r < before ? in->row_match[r] : NONE;
  in->row_match = match;
  for (uint32_t k = 0; k < n; k++)
    vec_push(a, &in->rows, (Row){.cols = &cols[k], .n = 1, .written = cols[k]});
  improve(a, in);
}
