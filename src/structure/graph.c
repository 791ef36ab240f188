/* structure/graph.c -- who reads whom: blocks of the simulation, actions and samples.
 * In:   sorted blocks, actions.   Out: a BlockGraph: per node the nodes that determine what it
 *       reads, and how.
 * How:  one walk over what is evaluated. Reading a state is reading the block of its derivative,
 *       but no dependency in the same instant; nor is reading what a variable was before the event.
 *       Values move between events if they follow from states, time, inputs or calls whose results
 *       are not known; relations and discrete variables are held then. Components: Tarjan, SIAM J.
 *       Comput. 1(2), 1972, without recursion.
 * Keep: linear in the size of the expressions. */
#include "structure/graph.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <string.h>

typedef struct {
  BlockGraph *g;
  const Structure *s;
  Arena *a;
  Calls *calls;
  uint32_t node; /* at work */
  bool between;  /* it is evaluated between events */
  bool moves;    /* it has read something that moves there */
} Reader;

/* A relation along which the motion may slide counts as one that moves: what it switches does
 * then. */
static bool held(const Structure *s, const SVar *v) {
  if (v->kind == SV_RELATION)
    return !s->relations.at[v->of].field;
  return v->discrete || v->kind == SV_CONDITION || v->kind == SV_PRE || v->kind == SV_SAMPLE;
}

static bool is_input(const Structure *s, const SVar *v) {
  return v->known && v->kind == SV_VAR && s->model->vars.at[v->of].variability < FLAT_PARAMETER;
}

static void add_edge(Reader *rd, uint32_t to, bool instant, bool moving) {
  /* what it reads from itself is no edge */
  if (to != rd->node)
    vec_push(rd->a, &rd->g->edges, (GraphEdge){to, instant, moving});
}

static void read_var(Reader *rd, uint32_t var) {
  BlockGraph *g = rd->g;
  const SVar *v = &rd->s->vars.at[var];
  /* pre(x) is x of the event before: determined where x is */
  uint32_t base = v->kind == SV_PRE ? v->of : var;
  bool instant = rd->node < g->n_blocks;
  if (v->kind == SV_SAMPLE) {
    add_edge(rd, g->first_sample + v->of, instant, false);
    return;
  }
  /* nobody determines it: a parameter, or an input, which moves from outside */
  if (g->node_of[base] == NOBODY) {
    g->flags[rd->node] |= is_input(rd->s, &rd->s->vars.at[base]) ? READS_INPUT : 0;
    return;
  }
  bool moves = !held(rd->s, v) && g->varies[base];
  rd->moves = rd->moves || moves;
  /* states have values of their own, that no equation has to give first */
  add_edge(rd, g->node_of[base], instant && v->kind != SV_PRE && !v->state, moves && rd->between);
}

static void read_recorded(Reader *rd, uint32_t var) {
  uint32_t in = rd->g->node_of[var];
  /* what was recorded is of the past: no instant */
  if (in != NOBODY)
    add_edge(rd, in, false, rd->between);
}

/* What delay() and spatialDistribution() hand out follows from what they recorded. */
static void read_past(Reader *rd, const Expr *x) {
  int64_t number;
  rd->g->flags[rd->node] |= HAS_DELAY;
  if (x->n != 3 || !expr_as_integer(rd->s->model->pool, x->args[0], &number))
    return;
  if (x->op == OP_DELAY)
    read_recorded(rd, rd->s->delays.at[number].in);
  for (int k = 0; k < 4 && x->op == OP_SPATIAL; k++)
    read_recorded(rd, rd->s->transports.at[number].recorded[k]);
}

static void read_node(void *user, ExprId e) {
  Reader *rd = user;
  const Expr *x = expr_get(rd->s->model->pool, e);
  if (x->op == OP_TIME)
    rd->g->flags[rd->node] |= READS_TIME;
  else if (x->op == OP_INITIAL)
    rd->g->flags[rd->node] |= AT_START;
  else if (x->op == OP_DELAY || x->op == OP_SPATIAL)
    read_past(rd, x);
  else if (x->op == OP_VAR)
    read_var(rd, x->index);
  else if ((x->op == OP_CALL || x->op == OP_FUNCTION) && x->ref &&
           calls_have_order(rd->calls, x->ref))
    rd->g->flags[rd->node] |= HAS_ORDER;
}

static void read_expr(Reader *rd, ExprId e) {
  if (e.i)
    expr_walk(rd->s->model->pool, e, read_node, rd);
}

/* Targets may have subscripts. */
static void read_targets(Reader *rd, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t q = 0; q < body[k]->n_targets; q++)
      read_expr(rd, body[k]->targets[q]);
    for (uint32_t q = 0; q < body[k]->n_branches; q++)
      read_targets(rd, body[k]->branches[q].body, body[k]->branches[q].n);
  }
}

static void read_algorithm(Reader *rd, const SAlgorithm *alg) {
  stmts_vars(rd->s->model->pool, alg->body, alg->n_body, read_node, rd);
  read_targets(rd, alg->body, alg->n_body);
  /* a target that keeps its value reads what it begins with */
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    const SVar *v = &rd->s->vars.at[alg->targets[k]];
    if (alg->carried[k] && !(v->discrete && v->pre != NO_SVAR) &&
        alg->targets[k] < rd->s->model->vars.n)
      read_expr(rd, rd->s->starts[alg->targets[k]]);
  }
}

/* The guard is asked for after the event. */
static void read_guard(Reader *rd, ExprId guard) {
  uint32_t first = rd->g->edges.n;
  read_expr(rd, guard);
  /* it only says whether the relation is asked for */
  for (uint32_t k = first; k < rd->g->edges.n; k++)
    rd->g->edges.at[k].instant = rd->g->edges.at[k].moving = false;
}

static void read_relation(Reader *rd, const SRelation *r) {
  rd->between = !r->timed;
  if (r->timed)
    read_expr(rd, r->instant);
  else {
    read_expr(rd, r->a);
    read_expr(rd, r->b);
  }
  read_guard(rd, r->guard);
}

static void read_block(Reader *rd, const SBlock *b) {
  const SRow *row = &rd->s->simulation.rows.at[b->rows[0]];
  rd->between = b->phase != PHASE_DISCRETE;
  rd->moves = false;
  switch (b->kind) {
  case BLOCK_EXPLICIT: read_expr(rd, b->value); break;
  /* a timed relation reads its instant, which moves with events only */
  case BLOCK_RELATION: read_relation(rd, &rd->s->relations.at[row->number]); break;
  case BLOCK_ALGORITHM: read_algorithm(rd, &rd->s->algorithms.at[row->number]); break;
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    for (uint32_t k = 0; k < b->n; k++)
      read_expr(rd, b->parts[k]);
    break;
  }
  /* time, inputs, delays and impure calls move as much as what was read */
  bool moves = rd->moves || (rd->g->flags[rd->node] & ~AT_START);
  for (uint32_t k = 0; k < b->n; k++)
    /* By a force that is not in its equation */
    moves = moves || rd->s->vars.at[b->unknowns[k]].push_of;
  for (uint32_t k = 0; k < b->n; k++) {
    bool varies = moves && !held(rd->s, &rd->s->vars.at[b->unknowns[k]]);
    rd->g->varies[b->unknowns[k]] = varies;
    rd->g->moves[rd->node] = rd->g->moves[rd->node] || (varies && !b->joint);
  }
}

static void read_action(Reader *rd, const SAction *act) {
  rd->between = false;
  read_expr(rd, act->guard);
  read_expr(rd, act->value);
  read_expr(rd, act->message);
  read_expr(rd, act->level);
}

static BlockGraph *begin(const Structure *s, Arena *a) {
  BlockGraph *g = NEW(a, BlockGraph);
  g->n_blocks = s->simulation.blocks.n;
  g->first_sample = g->n_blocks + s->actions.n;
  g->n = g->first_sample + s->samples.n;
  g->node_of = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  g->varies = NEW_ARRAY(a, bool, s->vars.n + 1);
  memset(g->node_of, 0xff, s->vars.n * sizeof *g->node_of);
  for (uint32_t b = 0; b < g->n_blocks; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++)
      g->node_of[s->simulation.blocks.at[b].unknowns[k]] = b;
  /* a state is determined where its derivative is */
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state) {
      g->node_of[v] = g->node_of[s->vars.at[v].der];
      g->varies[v] = true;
    }
  g->start = NEW_ARRAY(a, uint32_t, g->n + 2);
  g->flags = NEW_ARRAY(a, unsigned char, g->n + 1);
  g->moves = NEW_ARRAY(a, bool, g->n + 1);
  g->core = NEW_ARRAY(a, uint32_t, g->n + 1);
  g->calls = calls_new(s, a);
  return g;
}

/* Who reads each node. The block of a reinitialised state reads the action, too. */
static void turn(BlockGraph *g, const Structure *s, Arena *a) {
  uint32_t *start = NEW_ARRAY(a, uint32_t, g->n + 2);
  uint32_t *next = NEW_ARRAY(a, uint32_t, g->n + 1);
  /* how many readers, then where they begin, then who they are */
  for (uint32_t k = 0; k < g->edges.n; k++)
    start[g->edges.at[k].to + 1]++;
  for (uint32_t k = 0; k < s->actions.n; k++)
    start[g->n_blocks + k + 1] += s->actions.at[k].kind == ACTION_REINIT;
  for (uint32_t k = 0; k < g->n; k++)
    start[k + 1] += start[k];
  memcpy(next, start, g->n * sizeof *next);
  g->readers.links.at = NEW_ARRAY(a, Link, start[g->n] + 1);
  g->readers.links.n = start[g->n];
  for (uint32_t node = 0; node < g->n; node++)
    for (uint32_t k = g->start[node]; k < g->start[node + 1]; k++) {
      GraphEdge e = g->edges.at[k];
      g->readers.links.at[next[e.to]++] = (Link){node, e.moving && g->moves[node]};
    }
  for (uint32_t k = 0; k < s->actions.n; k++)
    if (s->actions.at[k].kind == ACTION_REINIT)
      g->readers.links.at[next[g->n_blocks + k]++] = (Link){g->node_of[s->actions.at[k].state],
                                                            false};
  g->readers.start = start;
}

BlockGraph *graph_build(const Structure *s, Arena *a) {
  /* nodes in order: blocks, actions, samples */
  BlockGraph *g = begin(s, a);
  Reader rd = {.g = g, .s = s, .a = a, .calls = g->calls};
  for (; rd.node < g->n_blocks; rd.node++) {
    g->start[rd.node] = g->edges.n;
    read_block(&rd, &s->simulation.blocks.at[rd.node]);
  }
  for (uint32_t k = 0; k < s->actions.n; k++, rd.node++) {
    g->start[rd.node] = g->edges.n;
    read_action(&rd, &s->actions.at[k]);
  }
  /* samples read nothing */
  for (; rd.node <= g->n; rd.node++)
    g->start[rd.node] = g->edges.n;
  turn(g, s, a);
  return g;
}

bool graph_read_check(BlockGraph *g, const Structure *s, const SAction *check, Arena *a) {
  Reader rd = {.g = g, .s = s, .a = a, .calls = g->calls, .node = g->n};
  g->flags[g->n] = 0;
  /* in place of what the check before has read */
  g->edges.n = g->start[g->n];
  read_action(&rd, check);
  g->start[g->n + 1] = g->edges.n;
  return !(g->flags[g->n] & HAS_ORDER);
}

/* ---- where a node belongs ---- */

static uint32_t one_of(uint32_t a, uint32_t b) {
  return a == NOBODY || a == b ? b : b == NOBODY ? a : SEVERAL;
}

uint32_t home_of_reads(const BlockGraph *g, uint32_t node, const uint32_t *home) {
  /* what moves ties more than what is asked for at events */
  uint32_t moving = NOBODY, all = NOBODY;
  for (uint32_t k = g->start[node]; k < g->start[node + 1]; k++) {
    uint32_t other = home[g->edges.at[k].to];
    all = one_of(all, other);
    moving = g->edges.at[k].moving && g->moves[node] ? one_of(moving, other) : moving;
  }
  return moving != NOBODY ? moving : all;
}

uint32_t home_of_readers(const BlockGraph *g, uint32_t node, const uint32_t *home) {
  uint32_t moving = NOBODY, all = NOBODY;
  for (uint32_t k = g->readers.start[node]; k < g->readers.start[node + 1]; k++) {
    uint32_t other = home[g->readers.links.at[k].to];
    all = one_of(all, other);
    moving = g->readers.links.at[k].strong ? one_of(moving, other) : moving;
  }
  return moving != NOBODY ? moving : all;
}

/* ---- strongly connected components ---- */

typedef struct {
  uint32_t node, next;
} Frame;

typedef struct {
  const Links *g;
  Arena *a;
  uint32_t *low, *index, counter, *component, n_components;
  VEC(uint32_t) stack;
  VEC(Frame) frames;
} Tarjan;

static void open_node(Tarjan *t, uint32_t node) {
  t->low[node] = t->index[node] = ++t->counter;
  vec_push(t->a, &t->stack, node);
  vec_push(t->a, &t->frames, (Frame){node, t->g->start[node]});
}

static void close_node(Tarjan *t, uint32_t node) {
  t->frames.n--;
  if (t->frames.n && t->low[node] < t->low[vec_last(&t->frames).node])
    t->low[vec_last(&t->frames).node] = t->low[node];
  if (t->low[node] != t->index[node])
    return;
  uint32_t q;
  do {
    q = t->stack.at[--t->stack.n];
    t->component[q] = t->n_components;
  } while (q != node);
  t->n_components++;
}

uint32_t *links_components(const Links *g, uint32_t n, bool all, Arena *a) {
  Tarjan t = {.g = g, .a = a};
  t.low = NEW_ARRAY(a, uint32_t, n + 1);
  t.index = NEW_ARRAY(a, uint32_t, n + 1);
  t.component = NEW_ARRAY(a, uint32_t, n + 1);
  memset(t.component, 0xff, n * sizeof *t.component);
  for (uint32_t root = 0; root < n; root++) {
    if (t.index[root])
      continue;
    open_node(&t, root);
    while (t.frames.n) {
      Frame *f = &vec_last(&t.frames);
      if (f->next == g->start[f->node + 1]) {
        close_node(&t, f->node);
        continue;
      }
      Link e = g->links.at[f->next++];
      if (!all && !e.strong)
        continue;
      if (!t.index[e.to])
        open_node(&t, e.to);
      else if (t.component[e.to] == NOBODY && t.index[e.to] < t.low[f->node])
        t.low[f->node] = t.index[e.to];
    }
  }
  return t.component;
}
