/* numeric/mixed.c -- mixed systems: switches whose values follow from the solution of the equations
 * which they switch.
 * How:  the equations are solved for given values, which gives new ones. If these differ, in this
 *       order:
 *       all wrong ones change; if a combination repeats, or nothing gets better in ten rounds, only
 *       the first wrong one, until fewer are wrong than ever before (Judice and Pires, 1992, after
 *       Murty, Opsearch 11, 1974: finite for P-matrices); then a linear complementarity problem by
 *       Lemke's method; then all combinations by their distance from the first one. Where none
 *       agrees, one is taken that only switches at their limit contradict: two elements that hold
 *       each other there.
 * The complementarity problem is measured: in a regular combination r let w be the distances from
 * the limits; with switch k changed they are w + M_k v_k, and 0 + v_k on the other side of k
 * itself. Its solution is believed when the equations agree.
 * Keep: a combination whose equations contradict each other is never accepted, but what its
 *       least-squares solution proposes shows the way. Nothing is allocated during a search; equal
 *       problems take equal ways. */
#include "numeric/mixed.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "numeric/numeric.h"

enum {
  ROUNDS_WITHOUT_PROGRESS = 10,
  LEMKE_ROUNDS = 6,
  STOP_EVERY = 1024,
};
/* 1: of the largest distance; a smaller one tells nothing about a column of M */
static const double least_part = 1e-9;

struct MixedSearch {
  const MixedProblem *p;
  unsigned char *m; /* n: on trial */
  /* n each: where the search began, the best combination, one at its limits */
  unsigned char *first, *best, *limit, *reference;
  MixedTrial t;
  MixedStage stage;
  uint64_t solves;
  int wrong, lowest; /* switches that the last trial contradicts; the least number so far */
  int best_wrong;    /* that of `best` */
  bool settled;      /* it agrees with itself */
  bool has_limit, stopped, fatal;
  /* To solve for the first combination again, others being as they were, would give the same */
  bool first_is_sure;
  uint64_t others; /* after the first combination */
  int *choice;
  uint64_t seen[MOST_MIXED_SEEN];
  int n_seen;
  double *matrix, *q, *z, *work; /* of the complementarity problem */
  unsigned char *basic;
  int *names;
};

MixedSearch *mixed_new(Arena *a, int n) {
  size_t cells = (size_t)n + 1, small = (size_t)(n < MOST_LEMKE ? n : MOST_LEMKE) + 1;
  MixedSearch *se = NEW(a, MixedSearch);
  unsigned char **bytes[] = {&se->first,     &se->best,  &se->limit,
                             &se->reference, &se->basic, &se->t.next};
  for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++)
    *bytes[k] = NEW_ARRAY(a, unsigned char, cells);
  se->t.near = NEW_ARRAY(a, bool, cells);
  se->t.s = NEW_ARRAY(a, double, cells);
  se->choice = NEW_ARRAY(a, int, cells);
  se->names = NEW_ARRAY(a, int, cells);
  se->q = NEW_ARRAY(a, double, small);
  se->z = NEW_ARRAY(a, double, small);
  se->matrix = NEW_ARRAY(a, double, small *small);
  se->work = NEW_ARRAY(a, double, lemke_work((int)small));
  return se;
}

const MixedTrial *mixed_trial(const MixedSearch *se) { return &se->t; }
uint64_t mixed_solves(const MixedSearch *se) { return se->solves; }
MixedStage mixed_stage(const MixedSearch *se) { return se->stage; }

/* ---- trials ---- */

static bool is_wrong(const MixedSearch *se, int k) { return se->m[k] != se->t.next[k]; }

static void keep(MixedSearch *se, unsigned char *where) { memcpy(where, se->m, (size_t)se->p->n); }
static void take(MixedSearch *se, const unsigned char *from) {
  memcpy(se->m, from, (size_t)se->p->n);
}

static bool at_limits(const MixedSearch *se) {
  for (int k = 0; k < se->p->n; k++)
    if (is_wrong(se, k) && !se->t.near[k])
      return false;
  return true;
}

/* Solves for the values on trial; true as long as the search may go on. */
static bool solve(MixedSearch *se) {
  const MixedProblem *p = se->p;
  se->t.contradiction = se->t.singular = se->t.moved = false;
  int status = p->solve(p->user, se->m, &se->t);
  se->t.failed = status != NUM_OK;
  se->fatal = status == NUM_FATAL;
  se->wrong = 0;
  for (int k = 0; k < p->n && !se->t.failed; k++)
    se->wrong += is_wrong(se, k);
  bool solved = !se->t.failed && !se->t.moved && !se->t.contradiction;
  se->settled = solved && !se->wrong;
  if (solved && !se->has_limit && at_limits(se)) {
    se->has_limit = true;
    keep(se, se->limit);
  }
  if (solved && se->wrong < se->best_wrong) {
    se->best_wrong = se->wrong;
    keep(se, se->best);
  }
  if (++se->solves % STOP_EVERY == 0 && p->stop && p->stop(p->user))
    se->stopped = true;
  return !se->fatal && !se->stopped;
}

static bool is_open(const MixedSearch *se) { return !se->settled && !se->fatal && !se->stopped; }

static bool repeated(MixedSearch *se) {
  uint64_t h = 1469598103934665603u ^ se->t.others;
  for (int k = 0; k < se->p->n; k++)
    h = (h ^ se->m[k]) * 1099511628211u;
  for (int k = 0; k < se->n_seen; k++)
    if (se->seen[k] == h)
      return true;
  if (se->n_seen < MOST_MIXED_SEEN)
    se->seen[se->n_seen++] = h;
  return false;
}

static bool better(MixedSearch *se) {
  if (se->t.failed || se->wrong >= se->lowest)
    return false;
  se->lowest = se->wrong;
  return true;
}

/* ---- the switches show the way ---- */

/* All wrong ones change, until something repeats or nothing is gained. */
static void flip_all(MixedSearch *se) {
  se->n_seen = 0;
  for (int idle = 0;
       is_open(se) && !se->t.failed && idle < ROUNDS_WITHOUT_PROGRESS && !repeated(se);) {
    if (!se->wrong && !se->t.moved)
      break; /* a contradiction that shows no way */
    take(se, se->t.next);
    solve(se);
    idle = better(se) ? 0 : idle + 1;
  }
}

/* The first wrong one changes, until fewer are wrong than ever before. */
static void flip_first(MixedSearch *se, int most) {
  while (is_open(se) && !se->t.failed && se->wrong && most-- > 0) {
    int k = 0;
    while (!is_wrong(se, k))
      k++;
    se->m[k] ^= 1;
    solve(se);
    if (better(se))
      break;
  }
}

static void follow(MixedSearch *se) {
  /* where the rule of the first wrong one is sure to end, it meets no combination twice */
  int n = se->p->n, most = n < 10 ? 1 << n : 50 * n + 1000;
  se->lowest = se->t.failed ? n + 1 : se->wrong;
  se->stage = MIXED_FIXED_POINT;
  while (is_open(se) && !se->t.failed) {
    int lowest = se->lowest;
    flip_all(se);
    if (is_open(se) && !se->t.failed)
      se->stage = MIXED_LEAST_INDEX;
    flip_first(se, most);
    if (se->lowest >= lowest)
      break;
  }
}

/* ---- a complementarity problem ---- */

/* How far the solution on trial is on the side that switch k has in the reference. */
static double distance(const MixedSearch *se, int k) {
  return se->reference[k] ? se->t.s[k] : -se->t.s[k];
}

static bool is_regular(MixedSearch *se) {
  return solve(se) && !se->t.failed && !se->t.contradiction && !se->t.singular && !se->t.moved;
}

/* q and M from n + 1 solutions around the reference; false: they do not give it. */
static bool measure(MixedSearch *se) {
  int n = se->p->n;
  double most = 0;
  take(se, se->reference);
  if (!is_regular(se))
    return false;
  for (int k = 0; k < n; k++) {
    se->q[k] = distance(se, k);
    if (!isfinite(se->q[k]))
      return false;
    most = fmax(most, fabs(se->q[k]));
  }
  for (int k = 0; k < n; k++) {
    se->m[k] ^= 1;
    if (!is_regular(se))
      return false;
    double v = -distance(se, k);
    if (!(fabs(v) > least_part * most))
      return false;
    for (int i = 0; i < n; i++)
      se->matrix[(size_t)i * (size_t)n + (size_t)k] = ((i == k ? 0 : distance(se, i)) - se->q[i]) /
                                                      v;
    se->m[k] ^= 1;
  }
  return true;
}

/* The solution of the problem that was measured is put to the test. */
static void try_measured(MixedSearch *se) {
  int n = se->p->n;
  for (int round = 0; round < LEMKE_ROUNDS; round++) {
    if (lemke_solve(se->matrix, se->q, n, round, se->z, se->basic, se->work, se->names) != LEMKE_OK)
      continue;
    for (int k = 0; k < n; k++)
      se->m[k] = se->reference[k] ^ se->basic[k];
    solve(se);
    return;
  }
}

/* Around the first combination, the best one, and those with all switches equal. */
static void complement(MixedSearch *se) {
  int n = se->p->n;
  if (n == 1 || n > MOST_LEMKE) /* of one there is but one other value */
    return;
  se->stage = MIXED_LEMKE;
  for (int k = 0; k < 4 && is_open(se); k++) {
    if (k == 1 && se->best_wrong > n)
      continue;
    if (k < 2)
      memcpy(se->reference, k ? se->best : se->first, (size_t)n);
    else
      memset(se->reference, k == 2, (size_t)n);
    if (measure(se)) {
      try_measured(se);
      return;
    }
  }
}

/* ---- all combinations ---- */

/* The next way to choose m of n, in lexical order. */
static bool next_choice(int *at, int m, int n) {
  int k = m - 1;
  while (k >= 0 && at[k] == n - m + k)
    k--;
  if (k < 0)
    return false;
  at[k]++;
  for (k++; k < m; k++)
    at[k] = at[k - 1] + 1;
  return true;
}

/* Those next to the first one first; not so many where one at its limits would do. False: there are
 * more of them. */
static bool try_all(MixedSearch *se) {
  int n = se->p->n, *at = se->choice;
  uint64_t most = se->has_limit && se->p->most > MOST_MIXED_BESIDE ? MOST_MIXED_BESIDE
                                                                   : se->p->most,
           end = se->solves + most;
  se->stage = MIXED_ALL;
  for (int m = se->first_is_sure && se->others == se->t.others; m <= n; m++) {
    for (int k = 0; k < m; k++)
      at[k] = k;
    do {
      if (se->solves >= end)
        return false;
      take(se, se->first);
      for (int k = 0; k < m; k++)
        se->m[at[k]] ^= 1;
      if (!solve(se) || se->settled)
        return !se->stopped;
    } while (next_choice(at, m, n));
  }
  return true;
}

/* ---- several solutions ---- */

/* Switches at their limit, at most `most` of them. */
static int near_ones(const MixedSearch *se, int *at, int most) {
  int found = 0;
  for (int k = 0; k < se->p->n && found < most; k++)
    if (se->t.near[k])
      at[found++] = k;
  return found;
}

/* A solution with a switch at its limit: is there another one beside it that has none? */
static void rank(MixedSearch *se) {
  int at[MOST_MIXED_RANKED], found = near_ones(se, at, MOST_MIXED_RANKED), any;
  if (!found)
    return;
  keep(se, se->best);
  for (unsigned set = 1; set < 1u << found; set++) {
    take(se, se->best);
    for (int k = 0; k < found; k++)
      se->m[at[k]] = (unsigned char)(se->m[at[k]] ^ (set >> k & 1));
    if (!solve(se))
      return;
    if (se->settled && !near_ones(se, &any, 1))
      return;
  }
  take(se, se->best);
  solve(se);
}

/* ---- the search ---- */

static MixedEnd settle(MixedSearch *se) {
  bool all = true;
  if (solve(se))
    se->stage = MIXED_LAST;
  se->first_is_sure = !se->t.moved;
  se->others = se->t.others;
  if (is_open(se))
    follow(se);
  if (is_open(se) && se->p->n)
    complement(se);
  if (is_open(se))
    all = try_all(se);
  if (se->fatal || se->settled)
    return se->fatal ? MIXED_FATAL : MIXED_OK;
  bool stopped = se->stopped || !all;
  take(se, se->has_limit ? se->limit : se->best_wrong <= se->p->n ? se->best : se->first);
  solve(se);
  if (se->fatal)
    return MIXED_FATAL;
  return se->has_limit ? MIXED_LIMIT : stopped ? MIXED_STOPPED : MIXED_NONE;
}

MixedEnd mixed_solve(MixedSearch *se, const MixedProblem *p, unsigned char *m) {
  se->p = p, se->m = m;
  se->solves = 0;
  se->has_limit = se->stopped = false;
  se->best_wrong = p->n + 1;
  keep(se, se->first);
  MixedEnd end = settle(se);
  if (end == MIXED_OK && p->rank)
    rank(se);
  return se->fatal ? MIXED_FATAL : end;
}
