/* run/mixed.c -- mixed systems: relations that depend on the unknowns of the equations which they switch.
 * How:  the equations are solved for held values of the relations, which gives new ones. If these differ, in this order:
 *       all wrong ones change; if a combination repeats, or nothing gets better in ten rounds, only the first wrong one,
 *       until fewer are wrong than ever before (Judice and Pires, 1992, after Murty, Opsearch 11, 1974: finite for P-matrices);
 *       then all combinations by their distance from the first one. Integers and Booleans in the loop follow each solution.
 *       Where none agrees, one is taken whose wrong relations have equal sides: two elements that hold each other at the limit.
 * Keep: a combination whose equations contradict each other is never accepted, but what its least-squares solution proposes
 *       shows the way. Nothing is allocated here. */
#include "run/run_impl.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SEEN = 1024, ROUNDS_WITHOUT_PROGRESS = 10, MOST_SOLVES = 6000 };

typedef struct {
  Run *run;
  const DsMixed *g;
  int (*f)(DsData *d);
  unsigned char *relation, *proposed;
  bool failed;  /* the last trial could not be evaluated: it proposes nothing */
  bool settled; /* the last trial agrees with itself */
  int wrong;    /* relations that the last trial contradicts */
  bool at_limit; /* these have equal sides */
  bool has_last; /* such a combination was met: run->mixed_last */
  int lowest;   /* least number of these so far */
  int solves;
  uint64_t seen[MOST_SEEN];
  int n_seen;
} Search;

static uint64_t hash(const Search *se) {
  uint64_t h = 1469598103934665603u;
  for (int k = 0; k < se->g->n_relations; k++)
    h = (h ^ se->relation[se->g->relations[k]]) * 1099511628211u;
  for (int k = 0; k < se->g->n_integers; k++)
    h = (h ^ (uint64_t)se->run->d.i[se->g->integers[k]]) * 1099511628211u;
  return h;
}

static bool repeated(Search *se) {
  uint64_t h = hash(se);
  for (int k = 0; k < se->n_seen; k++)
    if (se->seen[k] == h)
      return true;
  if (se->n_seen < MOST_SEEN)
    se->seen[se->n_seen++] = h;
  return false;
}

static bool is_wrong(const Search *se, int k) { return se->relation[se->g->relations[k]] != se->proposed[se->g->relations[k]]; }

/* Solves for the values held. Only DS_FATAL is passed on. */
static int solve(Search *se) {
  Run *run = se->run;
  uint64_t before = se->g->n_integers ? hash(se) : 0;
  run->contradiction = false;
  se->solves++;
  int status = se->f(&run->d);
  se->failed = status != DS_OK;
  se->wrong = 0;
  se->at_limit = true;
  for (int k = 0; k < se->g->n_relations && !se->failed; k++) {
    se->wrong += is_wrong(se, k);
    se->at_limit = se->at_limit && (!is_wrong(se, k) || run->near[se->g->relations[k]]);
  }
  bool same = !se->g->n_integers || hash(se) == before;
  bool solved = !se->failed && same && !run->contradiction;
  se->settled = solved && !se->wrong;
  if (solved && se->at_limit && !se->has_last) {
    se->has_last = true;
    for (int k = 0; k < se->g->n_relations; k++)
      run->mixed_last[k] = se->relation[se->g->relations[k]];
  }
  return status == DS_FATAL ? DS_FATAL : DS_OK;
}

static bool better(Search *se) {
  if (se->failed || se->wrong >= se->lowest)
    return false;
  se->lowest = se->wrong;
  return true;
}

/* All wrong relations change, until something repeats or nothing is gained. */
static int flip_all(Search *se) {
  int status = DS_OK;
  for (int idle = 0; status == DS_OK && !se->settled && !se->failed && idle < ROUNDS_WITHOUT_PROGRESS && !repeated(se);) {
    for (int k = 0; k < se->g->n_relations; k++)
      se->relation[se->g->relations[k]] = se->proposed[se->g->relations[k]];
    status = solve(se);
    idle = better(se) ? 0 : idle + 1;
  }
  return status;
}

/* The first wrong relation changes, until fewer are wrong than ever before. */
static int flip_first(Search *se, int most) {
  int status = DS_OK;
  while (status == DS_OK && !se->settled && !se->failed && se->wrong && most-- > 0) {
    int k = 0;
    while (!is_wrong(se, k))
      k++;
    se->relation[se->g->relations[k]] ^= 1;
    status = solve(se);
    if (better(se))
      break;
  }
  return status;
}

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

static void restore(Search *se) {
  for (int k = 0; k < se->g->n_relations; k++)
    se->relation[se->g->relations[k]] = se->run->mixed_first[k];
}

/* All combinations, those next to the first one first. */
static int try_all(Search *se) {
  int n = se->g->n_relations, *at = se->run->mixed_choice;
  for (int m = 0; m <= n; m++) {
    for (int k = 0; k < m; k++)
      at[k] = k;
    do {
      restore(se);
      for (int k = 0; k < m; k++)
        se->relation[se->g->relations[at[k]]] ^= 1;
      if (solve(se) == DS_FATAL)
        return DS_FATAL;
    } while (!se->settled && se->solves < MOST_SOLVES && next_choice(at, m, n));
    if (se->settled || se->solves >= MOST_SOLVES)
      break;
  }
  return DS_OK;
}

/* The combination that only equal sides contradict. */
static int take_last(Search *se) {
  for (int k = 0; k < se->g->n_relations; k++)
    se->relation[se->g->relations[k]] = se->run->mixed_last[k];
  return solve(se);
}

static int unsettled(Search *se) {
  Run *run = se->run;
  if (se->has_last)
    return take_last(se);
  restore(se);
  int status = solve(se);
  if (status == DS_FATAL || (se->failed && run->failure.any))
    return status == DS_FATAL ? DS_FATAL : DS_RETRY;
  int k = 0;
  while (k + 1 < se->g->n_relations && !is_wrong(se, k))
    k++;
  run->failure = (Failure){.any = true, .code = D_R607, .block = -1, .worst = -1};
  if (se->g->n_relations)
    run->failure.place = run->m->relations[se->g->relations[k]].place;
  snprintf(run->failure.text, sizeof run->failure.text,
           "event iteration does not settle: no values of %d relations agree with the equations that they switch (%d tried)",
           se->g->n_relations, se->solves);
  return DS_RETRY;
}

static int search(DsData *d, int system, int (*f)(DsData *d)) {
  Run *run = d->run;
  Search se; /* without `seen`, which is long */
  se.run = run, se.g = &run->m->mixed[system], se.f = f, se.relation = d->relation, se.proposed = d->relation_new;
  se.failed = se.settled = se.at_limit = se.has_last = false;
  se.wrong = se.lowest = se.solves = se.n_seen = 0;
  bool outer = run->in_mixed;
  for (int k = 0; k < se.g->n_relations; k++)
    run->mixed_first[k] = d->relation[se.g->relations[k]];
  run->in_mixed = true;
  int status = solve(&se);
  se.lowest = se.failed ? se.g->n_relations + 1 : se.wrong;
  while (status == DS_OK && !se.settled && !se.failed && se.solves < MOST_SOLVES) {
    int lowest = se.lowest;
    se.n_seen = 0;
    status = flip_all(&se);
    if (status == DS_OK && !se.settled && !se.failed)
      status = flip_first(&se, 50 * se.g->n_relations + 100);
    if (se.lowest >= lowest)
      break;
  }
  if (status == DS_OK && !se.settled)
    status = try_all(&se);
  if (status == DS_OK && !se.settled)
    status = unsettled(&se);
  run->in_mixed = outer;
  run->contradiction = false;
  return status;
}

int run_mixed(DsData *d, int system, int (*f)(DsData *d)) {
  const DsModel *m = ((const Run *)d->run)->m;
  /* the simplified form of the model shows which of several solutions is meant */
  if (d->initial && m->homotopy >= 0) {
    d->r[m->homotopy] = 0;
    search(d, system, f);
    d->r[m->homotopy] = 1;
  }
  return search(d, system, f);
}
