/* structure/pattern.c -- which states, and whether time itself, each derivative depends on between
 * events.
 * In:   the sorted simulation.   Out: an SPattern: what a differenced Jacobian is colored by.
 * How:  one pass over the sorted blocks; the unknowns of a block depend on what its rows read:
 *       states, or earlier unknowns and thereby their states. Relations and discrete variables are
 *       held between events and pass nothing on.
 * Keep: lists are ascending. */
#include "structure/pattern.h"
#include "base/limits.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <stdlib.h>

typedef struct {
  const uint32_t *at; /* places of states, ascending; the number of states stands for time */
  uint32_t n;
} Depends;

typedef struct {
  const Structure *s;
  Arena *a;
  Depends *of;          /* per SVar */
  uint32_t *stamp, now; /* per state, and time: the last block that met it */
  VEC(uint32_t) found;
  const Depends *only; /* the one list that was read, if nothing else was */
  bool several;
  uint64_t total;
} Reader;

static void meet(Reader *rd, uint32_t state) {
  if (rd->stamp[state] == rd->now)
    return;
  rd->stamp[state] = rd->now;
  vec_push(rd->a, &rd->found, state);
}

static void read_node(void *user, ExprId e) {
  Reader *rd = user;
  const Expr *x = expr_get(rd->s->model->pool, e);
  if (x->op == OP_TIME) {
    rd->several = true;
    meet(rd, rd->s->states.n);
  }
  if (x->op != OP_VAR)
    return;
  const SVar *v = &rd->s->vars.at[x->index];
  const Depends *d = &rd->of[x->index];
  if (v->state && v->kind != SV_DER) {
    rd->several = true;
    meet(rd, v->place);
  } else if (d->n && d != rd->only) {
    rd->several = rd->several || rd->only;
    rd->only = d;
    for (uint32_t k = 0; k < d->n; k++)
      meet(rd, d->at[k]);
  }
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void read_block(Reader *rd, const SSystem *sys, const SBlock *b) {
  const ExprPool *p = rd->s->model->pool;
  rd->now++;
  rd->found.n = 0;
  rd->only = NULL;
  rd->several = false;
  for (uint32_t k = 0; k < b->n; k++) {
    const SRow *row = &sys->rows.at[b->rows[k]];
    if (row->kind == ROW_EQUAL) {
      expr_walk(p, row->lhs, read_node, rd);
      expr_walk(p, row->rhs, read_node, rd);
    } else if (row->kind == ROW_ALGORITHM && k == 0) {
      const SAlgorithm *alg = &rd->s->algorithms.at[row->number];
      stmts_vars(p, alg->body, alg->n_body, read_node, rd);
    }
  }
  /* a block that only passes on shares the list of what it reads: chains stay linear */
  Depends out = {NULL, rd->found.n};
  if (rd->only && !rd->several)
    out = *rd->only;
  else if (out.n) {
    uint32_t *list = NEW_ARRAY(rd->a, uint32_t, out.n);
    for (uint32_t k = 0; k < out.n; k++)
      list[k] = rd->found.at[k];
    qsort(list, out.n, sizeof *list, ascending);
    out.at = list;
    rd->total += out.n;
  }
  for (uint32_t k = 0; k < b->n; k++)
    if (!rd->s->vars.at[b->unknowns[k]].discrete)
      rd->of[b->unknowns[k]] = out;
}

/* Rows by columns from the lists per derivative. */
static void transpose(const Reader *rd, SPattern *out) {
  uint32_t n = rd->s->states.n;
  uint32_t *start = NEW_ARRAY(rd->a, uint32_t, n + 2);
  uint32_t *next = NEW_ARRAY(rd->a, uint32_t, n + 1);
  out->n = n;
  out->autonomous = true;
  for (uint32_t i = 0; i < n; i++) {
    const Depends *d = &rd->of[rd->s->vars.at[rd->s->states.at[i]].der];
    for (uint32_t k = 0; k < d->n; k++) {
      start[d->at[k] + 1]++;
      out->autonomous = out->autonomous && d->at[k] < n;
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    next[j] = start[j];
    start[j + 1] += start[j];
  }
  out->start = start;
  out->rows = NEW_ARRAY(rd->a, uint32_t, start[n] + 1);
  for (uint32_t i = 0; i < n; i++) {
    const Depends *d = &rd->of[rd->s->vars.at[rd->s->states.at[i]].der];
    for (uint32_t k = 0; k < d->n && d->at[k] < n; k++)
      out->rows[next[d->at[k]]++] = i;
  }
}

bool structure_pattern(const Structure *s, Arena *a, SPattern *out) {
  if (s->conditions.n)
    return false; /* what is a state changes */
  Reader rd = {.s = s, .a = a};
  rd.of = NEW_ARRAY(a, Depends, s->vars.n + 1);
  rd.stamp = NEW_ARRAY(a, uint32_t, s->states.n + 1);
  for (uint32_t b = 0; b < s->simulation.blocks.n && rd.total < MOST_PATTERN_ENTRIES; b++)
    if (s->simulation.blocks.at[b].phase == PHASE_DYNAMIC)
      read_block(&rd, &s->simulation, &s->simulation.blocks.at[b]);
  if (rd.total >= MOST_PATTERN_ENTRIES)
    return false;
  transpose(&rd, out);
  return true;
}
