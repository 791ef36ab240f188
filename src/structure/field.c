/* structure/field.c -- which relations switch a field and nothing else, and which of them are about
 * the same surface? A relation whose value only continuous Reals depend on has no memory: where
 * both of its fields lead back to its surface, the solution slides along it (run/slide.c). One that
 * a discrete variable, another relation, the condition of a when-clause or a reinit depends on,
 * directly or by way of algebraic variables, may be meant to change again and again; a discrete
 * variable that only names a relation, whose readers have the relation itself in its place
 * (switched.c), has no memory either. One that does not act on its own sides, by way of states,
 * cannot lead back to its surface; but if another one of the same sides does, what it switches is
 * an average, too.
 * In:   sorted blocks and what they read.   Out: SRelation.field, .direct, .modal, .surface,
 *       .swapped.
 * How:  backwards along the order of evaluation: what a discrete block reads in the same instant is
 *       watched, and so is what a watched continuous block reads. States end the search: they do
 *       not jump when a relation changes. */
#include "structure/switching.h"
#include "base/map.h"
#include "structure/graph.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

typedef struct {
  const Structure *s;
  const BlockGraph *g;
  bool *watched; /* per block */
  bool memory;   /* something that belongs to an earlier instant, or to one alone, was read */
  bool direct;   /* only states, time and what keeps its value between events was read */
} Watch;

static void watch_var(void *user, ExprId e) {
  Watch *w = user;
  const Expr *x = expr_get(w->s->model->pool, e);
  if (x->op == OP_DELAY || x->op == OP_SPATIAL)
    w->direct = false;
  if (x->op != OP_VAR || x->index >= w->s->vars.n)
    return;
  const SVar *v = &w->s->vars.at[x->index];
  uint32_t base = v->kind == SV_PRE ? v->of : x->index;
  /* states have their values before any block is evaluated */
  if (w->s->vars.at[base].state || w->g->node_of[base] == NOBODY)
    return;
  w->direct = w->direct && (v->discrete || v->kind == SV_PRE);
  w->watched[w->g->node_of[base]] = true;
}

static void watch(Watch *w, ExprId e) {
  if (e.i)
    expr_walk(w->s->model->pool, e, watch_var, w);
}

static bool has_discrete(const Structure *s, const SBlock *b) {
  bool any = b->phase == PHASE_DISCRETE || b->mixed || b->joint;
  for (uint32_t k = 0; k < b->n && !any; k++)
    any = s->vars.at[b->unknowns[k]].discrete;
  return any;
}

static void find_memory(void *user, ExprId e) {
  Watch *w = user;
  const Expr *x = expr_get(w->s->model->pool, e);
  if (x->op == OP_VAR && x->index < w->s->vars.n)
    w->memory = w->memory || w->s->vars.at[x->index].kind == SV_PRE ||
                w->s->vars.at[x->index].kind == SV_SAMPLE;
}

/* Per node: is it read by what is evaluated between events? */
static bool *read_between(const Structure *s, const BlockGraph *g, Arena *a) {
  bool *read = NEW_ARRAY(a, bool, g->n + 1);
  for (uint32_t k = 0; k < s->simulation.blocks.n; k++) {
    bool between = s->simulation.blocks.at[k].phase != PHASE_DISCRETE;
    for (uint32_t i = g->start[k]; i < g->start[k + 1] && between; i++)
      read[g->edges.at[i].to] = true;
  }
  return read;
}

/* A discrete variable that follows from relations of this instant, and that only other discrete
 * ones read. */
static bool is_name(Watch *w, const SBlock *b, bool read) {
  const SVar *v = &w->s->vars.at[b->unknowns[0]];
  bool plain = b->kind == BLOCK_EXPLICIT && b->phase == PHASE_DISCRETE && !b->mixed && !b->joint &&
               !read;
  if (!plain || type_get(w->s->model->pool, v->type)->base == TY_REAL)
    return false;
  w->memory = false;
  expr_walk(w->s->model->pool, b->value, find_memory, w);
  return !w->memory;
}

static void watch_block(Watch *w, const SBlock *b) {
  const SRow *row = &w->s->simulation.rows.at[b->rows[0]];
  switch (b->kind) {
  case BLOCK_EXPLICIT: watch(w, b->value); break;
  case BLOCK_RELATION: {
    SRelation *r = &w->s->relations.at[row->number];
    w->direct = true;
    watch(w, r->a);
    watch(w, r->b);
    r->direct = w->direct;
    break;
  }
  case BLOCK_ALGORITHM: {
    const SAlgorithm *alg = &w->s->algorithms.at[row->number];
    stmts_vars(w->s->model->pool, alg->body, alg->n_body, watch_var, w);
    break;
  }
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    for (uint32_t k = 0; k < b->n; k++)
      watch(w, b->parts[k]);
    break;
  }
}

/* Relations that act on what derivatives come from, by way of discrete variables, too: events at
 * which they change may lead to other modes. */
static void modal_find(const Structure *s, const BlockGraph *g, Arena *a) {
  /* from the last block back, twice: what a watched block reads is watched */
  Watch w = {.s = s, .g = g, .watched = NEW_ARRAY(a, bool, g->n + 1)};
  for (uint32_t turn = 0, n = s->simulation.blocks.n; turn < 2 * n; turn++) {
    uint32_t k = n - 1 - turn % n;
    const SBlock *b = &s->simulation.blocks.at[k];
    if (w.watched[k] || b->phase == PHASE_DYNAMIC)
      watch_block(&w, b);
  }
  for (uint32_t k = 0; k < s->relations.n; k++) {
    uint32_t node = g->node_of[s->relations.at[k].var];
    s->relations.at[k].modal = node == NOBODY || w.watched[node];
  }
}

bool fields_find(const Structure *s, const BlockGraph *g, Arena *a) {
  bool any = false;
  modal_find(s, g, a);
  Watch w = {.s = s, .g = g, .watched = NEW_ARRAY(a, bool, g->n + 1)};
  for (uint32_t k = 0; k < s->actions.n; k++) {
    const SAction *act = &s->actions.at[k];
    watch(&w, act->guard);
    watch(&w, act->value);
  }
  const bool *read = read_between(s, g, a);
  /* twice: pre values may be read before they are computed */
  for (uint32_t turn = 0, n = s->simulation.blocks.n; turn < 2 * n; turn++) {
    uint32_t k = n - 1 - turn % n;
    const SBlock *b = &s->simulation.blocks.at[k];
    if (w.watched[k] || (has_discrete(s, b) && !is_name(&w, b, read[k])))
      watch_block(&w, b);
  }
  for (uint32_t k = 0; k < s->relations.n; k++) {
    SRelation *r = &s->relations.at[k];
    /* a surface switches derivatives and nothing else */
    uint32_t node = g->node_of[r->var];
    r->field = !r->timed && !r->mixed && r->op != OP_EQ && r->op != OP_NE && node != NOBODY &&
               !w.watched[node];
    any = any || r->field;
  }
  return any;
}

bool fields_drop(const Structure *s, const BlockGraph *g, Arena *a) {
  const uint32_t *component = links_components(&g->readers, g->n, false, a);
  uint32_t *size = NEW_ARRAY(a, uint32_t, g->n + 1);
  bool any = false;
  bool *slides = NEW_ARRAY(a, bool, s->relations.n + 1); /* per surface */
  /* a component of one block cannot act on its own relation */
  for (uint32_t k = 0; k < g->n; k++)
    size[component[k]]++;
  for (uint32_t k = 0; k < s->relations.n; k++) {
    const SRelation *r = &s->relations.at[k];
    slides[r->surface] = slides[r->surface] ||
                         (r->field && size[component[g->node_of[r->var]]] > 1);
  }
  for (uint32_t k = 0; k < s->relations.n; k++) {
    SRelation *r = &s->relations.at[k];
    any = any || (r->field && !slides[r->surface]);
    r->field = r->field && slides[r->surface];
  }
  return any;
}

void surfaces_find(Structure *s, Arena *a) {
  Map known = {0};
  for (uint32_t k = 0; k < s->relations.n; k++) {
    SRelation *r = &s->relations.at[k];
    /* a > b and b < a compare the same sides */
    uint64_t as_is = (uint64_t)r->a.i << 32 | r->b.i;
    uint64_t turned = (uint64_t)r->b.i << 32 | r->a.i;
    uint64_t first = k;
    /* the first relation of a surface names it */
    r->surface = k;
    r->swapped = false;
    if (map_get(&known, as_is, &first))
      r->surface = (uint32_t)first;
    else if (map_get(&known, turned, &first)) {
      r->surface = (uint32_t)first;
      r->swapped = true;
    } else
      map_put(a, &known, as_is, k);
  }
}

/* ---- conditions of modes ---- */

/* The relation that a condition is, or the negation of which it is; NO_SVAR: something else. */
static uint32_t relation_behind(const Structure *s, uint32_t var, bool *negated) {
  const ExprPool *p = s->model->pool;
  ExprId e = s->vars.at[var].kind == SV_CONDITION ? s->vars.at[var].meaning : NO_EXPR;
  /* a variable of the model: what its equation says */
  for (uint32_t r = 0; r < s->simulation.rows.n && !e.i; r++) {
    const SRow *row = &s->simulation.rows.at[r];
    uint32_t v;
    if (row->kind == ROW_EQUAL && lowered_var(p, row->lhs, &v) && v == var)
      e = row->rhs;
  }
  uint32_t v;
  *negated = e.i && expr_get(p, e)->op == OP_NOT;
  bool is_var = e.i && lowered_var(p, *negated ? expr_get(p, e)->args[0] : e, &v);
  return is_var && s->vars.at[v].kind == SV_RELATION ? v : NO_SVAR;
}

static uint32_t n_readers(const BlockGraph *g, uint32_t node) {
  return g->readers.start[node + 1] - g->readers.start[node];
}

void fields_of_modes(Structure *s, const BlockGraph *g) {
  for (uint32_t k = 0; k < s->relations.n; k++)
    /* Its sides are the same in all modes */
    s->relations.at[k].field = s->relations.at[k].field && s->relations.at[k].direct;
  for (uint32_t k = 0; k < s->conditions.n; k++) {
    SCondition *c = &s->conditions.at[k];
    uint32_t v = relation_behind(s, c->var, &c->negated);
    if (v == NO_SVAR || g->node_of[v] == NOBODY || g->node_of[c->var] == NOBODY)
      continue;
    SRelation *r = &s->relations.at[s->vars.at[v].of];
    /* the condition reads the relation, and nobody reads the condition: only the mode follows
     * from it */
    bool alone = n_readers(g, g->node_of[v]) == 1 && n_readers(g, g->node_of[c->var]) == 0;
    if (!alone || !r->direct || r->timed || r->mixed || r->op == OP_EQ || r->op == OP_NE)
      continue;
    r->field = true;
    c->relation = s->vars.at[v].of + 1;
  }
}
