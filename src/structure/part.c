/* structure/part.c -- parts of the model that can have steps and events of their own.
 * In:   sorted blocks of the simulation, actions, checks, islands.   Out: s->parts with what each reads, everything in their order.
 * How:  a graph of blocks, actions and samples: each reads the blocks that determine its variables; reading a state, or what a
 *       variable was before an event, is no dependency in the same instant. Blocks that only follow others and that nothing
 *       depends on are observers and belong to no part. Blocks that depend on time and parameters alone are common: they connect
 *       nobody. What else is connected is one part.
 * Keep: linear in the number of edges. Equal models have equal parts: they come in the order of their first variables, but after
 *       those that they depend on in the same instant or between events. */
#include "structure/structure_impl.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 100000 };
#define NONE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

enum { READS_TIME = 1, READS_INPUT = 2, HAS_ORDER = 4, HAS_DELAY = 8 };

typedef struct {
  uint32_t to;
  bool instant; /* the value of this instant is needed */
  bool moving;  /* it varies between events, and so does what it is read for */
} Edge;

typedef struct {
  Structure *s;
  Arena *a; /* scratch */
  Calls *calls;
  uint32_t n_blocks, first_sample, n; /* nodes: blocks, actions, samples */
  uint32_t *node_of; /* per SVar: the block that determines it, or its derivative; NONE */
  bool *varies;      /* per SVar: between events */
  uint32_t *start;   /* node k reads edges.at[start[k] .. start[k + 1]) */
  VEC(Edge) edges;
  unsigned char *flags; /* per node: READS_... */
  bool *counts;         /* per node: no observer */
  bool *common;         /* per node */
  uint32_t *up;         /* per node: towards the least of what it was joined with */
  uint32_t *number;     /* per node: part */
  uint32_t n_parts;

  uint32_t node;    /* at work */
  bool between;     /* it is evaluated between events */
  bool moves;       /* it has read something that varies there */
} Parts;

static uint32_t root_of(Parts *pt, uint32_t k) {
  while (pt->up[k] != k)
    k = pt->up[k] = pt->up[pt->up[k]];
  return k;
}

static void join(Parts *pt, uint32_t a, uint32_t b) {
  uint32_t x = root_of(pt, a), y = root_of(pt, b);
  pt->up[x > y ? x : y] = x > y ? y : x;
}

/* ---- what nodes read ---- */

static bool held(const SVar *v) { return v->discrete || v->kind == SV_RELATION || v->kind == SV_CONDITION || v->kind == SV_PRE || v->kind == SV_SAMPLE; }

static bool is_input(const Structure *s, const SVar *v) { return v->known && v->kind == SV_VAR && s->model->vars.at[v->of].variability < FLAT_PARAMETER; }

static void add_edge(Parts *pt, uint32_t to, bool instant, bool moving) {
  if (to != pt->node)
    vec_push(pt->a, &pt->edges, (Edge){to, instant, moving});
}

static void read_var(Parts *pt, uint32_t var, bool instant) {
  const SVar *v = &pt->s->vars.at[var];
  uint32_t base = v->kind == SV_PRE ? v->of : var;
  if (v->kind == SV_SAMPLE) {
    add_edge(pt, pt->first_sample + v->of, instant, false);
    return;
  }
  if (pt->node_of[base] == NONE) {
    pt->flags[pt->node] |= is_input(pt->s, &pt->s->vars.at[base]) ? READS_INPUT : 0;
    return;
  }
  bool varies = !held(v) && pt->varies[base];
  pt->moves = pt->moves || varies;
  add_edge(pt, pt->node_of[base], instant && v->kind != SV_PRE && !v->state, varies && pt->between);
}

static void read_node(void *user, ExprId e) {
  Parts *pt = user;
  const Expr *x = expr_get(pt->s->model->pool, e);
  if (x->op == OP_TIME)
    pt->flags[pt->node] |= READS_TIME;
  else if (x->op == OP_DELAY)
    pt->flags[pt->node] |= HAS_DELAY;
  else if (x->op == OP_VAR)
    read_var(pt, x->index, pt->node < pt->n_blocks);
  else if ((x->op == OP_CALL || x->op == OP_FUNCTION) && x->ref && calls_have_order(pt->calls, x->ref))
    pt->flags[pt->node] |= HAS_ORDER;
}

static void read_expr(Parts *pt, ExprId e) {
  if (e.i)
    expr_walk(pt->s->model->pool, e, read_node, pt);
}

static void read_targets(Parts *pt, Stmt *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t q = 0; q < body[k]->n_targets; q++)
      read_expr(pt, body[k]->targets[q]);
    for (uint32_t q = 0; q < body[k]->n_branches; q++)
      read_targets(pt, body[k]->branches[q].body, body[k]->branches[q].n);
  }
}

static void read_algorithm(Parts *pt, const SAlgorithm *alg) {
  stmts_vars(pt->s->model->pool, alg->body, alg->n_body, read_node, pt);
  read_targets(pt, alg->body, alg->n_body);
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    const SVar *v = &pt->s->vars.at[alg->targets[k]];
    if (alg->carried[k] && !(v->discrete && v->pre != NO_SVAR) && alg->targets[k] < pt->s->model->vars.n)
      read_expr(pt, pt->s->starts[alg->targets[k]]);
  }
}

static void read_relation(Parts *pt, const SRelation *r) {
  pt->between = !r->timed;
  if (r->timed)
    read_expr(pt, r->instant);
  else
    read_expr(pt, r->a), read_expr(pt, r->b);
  /* the guard is asked for after the event */
  uint32_t first = pt->edges.n;
  read_expr(pt, r->guard);
  for (uint32_t k = first; k < pt->edges.n; k++)
    pt->edges.at[k].instant = pt->edges.at[k].moving = false;
}

static void read_block(Parts *pt, const SBlock *b) {
  const SRow *row = &pt->s->simulation.rows.at[b->rows[0]];
  pt->between = b->phase != PHASE_DISCRETE;
  pt->moves = false;
  switch (b->kind) {
  case BLOCK_EXPLICIT: read_expr(pt, b->value); break;
  case BLOCK_RELATION: read_relation(pt, &pt->s->relations.at[row->number]); break;
  case BLOCK_ALGORITHM: read_algorithm(pt, &pt->s->algorithms.at[row->number]); break;
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR:
    for (uint32_t k = 0; k < b->n; k++)
      read_expr(pt, b->parts[k]);
    break;
  }
  bool moves = pt->moves || pt->flags[pt->node];
  for (uint32_t k = 0; k < b->n; k++)
    pt->varies[b->unknowns[k]] = moves && !held(&pt->s->vars.at[b->unknowns[k]]);
}

static void read_action(Parts *pt, const SAction *act) {
  pt->between = false;
  read_expr(pt, act->guard), read_expr(pt, act->value), read_expr(pt, act->message), read_expr(pt, act->level);
}

/* What delay() hands out follows from what it recorded. */
static void read_delays(Parts *pt) {
  for (uint32_t k = 0; k < pt->s->delays.n; k++)
    if (pt->node_of[pt->s->delays.at[k].in] == pt->node)
      read_expr(pt, pt->s->delays.at[k].delay), read_expr(pt, pt->s->delays.at[k].most);
}

static void build_graph(Parts *pt) {
  const Structure *s = pt->s;
  for (pt->node = 0; pt->node < pt->n_blocks; pt->node++) {
    pt->start[pt->node] = pt->edges.n;
    read_block(pt, &s->simulation.blocks.at[pt->node]);
    if (pt->flags[pt->node] & HAS_DELAY)
      read_delays(pt);
  }
  for (uint32_t k = 0; k < s->actions.n; k++, pt->node++) {
    pt->start[pt->node] = pt->edges.n;
    read_action(pt, &s->actions.at[k]);
  }
  for (; pt->node <= pt->n; pt->node++)
    pt->start[pt->node] = pt->edges.n;
}

/* ---- observers, common blocks ---- */

/* Everything that events, derivatives, relations and actions need. */
static void find_counting(Parts *pt) {
  VEC(uint32_t) work = {0};
  for (uint32_t k = 0; k < pt->n; k++) {
    const SBlock *b = k < pt->n_blocks ? &pt->s->simulation.blocks.at[k] : NULL;
    pt->counts[k] = !b || b->phase != PHASE_OUTPUT || b->mixed || (pt->flags[k] & (HAS_ORDER | HAS_DELAY));
    if (pt->counts[k])
      vec_push(pt->a, &work, k);
  }
  while (work.n) {
    uint32_t k = work.at[--work.n];
    for (uint32_t q = pt->start[k]; q < pt->start[k + 1]; q++)
      if (!pt->counts[pt->edges.at[q].to]) {
        pt->counts[pt->edges.at[q].to] = true;
        vec_push(pt->a, &work, pt->edges.at[q].to);
      }
  }
}

static bool is_common(const Parts *pt, uint32_t node) {
  const SBlock *b = &pt->s->simulation.blocks.at[node];
  if (!pt->counts[node] || b->mixed || b->joint || b->kind == BLOCK_RELATION || (pt->flags[node] & ~READS_TIME))
    return false;
  for (uint32_t k = 0; k < b->n; k++) {
    const SVar *v = &pt->s->vars.at[b->unknowns[k]];
    if (v->pre != NO_SVAR || v->kind == SV_BUFFER || (v->kind == SV_DER && pt->s->vars.at[v->of].state))
      return false;
  }
  for (uint32_t k = pt->start[node]; k < pt->start[node + 1]; k++)
    if (!pt->edges.at[k].instant || !pt->common[pt->edges.at[k].to])
      return false;
  return true;
}

/* ---- what belongs together ---- */

/* Whatever must not be taken apart. */
static void join_units(Parts *pt) {
  const Structure *s = pt->s;
  uint32_t ordered = NONE, delayed = NONE, *mixed = NEW_ARRAY(pt->a, uint32_t, s->mixed.n + 1);
  for (uint32_t k = 0; k < pt->n_blocks; k++) {
    const SBlock *b = &s->simulation.blocks.at[k];
    if (b->mixed && mixed[b->mixed - 1])
      join(pt, k, mixed[b->mixed - 1] - 1);
    else if (b->mixed)
      mixed[b->mixed - 1] = k + 1;
    for (uint32_t q = 0; q < b->n && b->joint; q++)
      join(pt, k, pt->node_of[b->unknowns[q]]);
    if (pt->flags[k] & HAS_DELAY)
      join(pt, k, delayed = delayed == NONE ? k : delayed);
  }
  for (uint32_t k = 0; k < s->delays.n && delayed != NONE; k++)
    join(pt, delayed, pt->node_of[s->delays.at[k].in]);
  for (uint32_t k = 0; k < pt->first_sample; k++)
    if (pt->flags[k] & HAS_ORDER)
      join(pt, k, ordered = ordered == NONE ? k : ordered);
  for (uint32_t k = 0; k < s->actions.n; k++) {
    uint32_t node = pt->n_blocks + k;
    if (s->actions.at[k].kind == ACTION_REINIT)
      join(pt, node, pt->node_of[s->actions.at[k].state]);
    else if (pt->start[node] < pt->start[node + 1])
      join(pt, node, pt->edges.at[pt->start[node]].to);
  }
  for (uint32_t k = 0; k < s->islands.n; k++)
    for (uint32_t q = 1; q < s->islands.at[k].n; q++)
      join(pt, pt->node_of[s->states.at[s->islands.at[k].first]], pt->node_of[s->states.at[s->islands.at[k].first + q]]);
}

static void join_clusters(Parts *pt) {
  for (uint32_t k = 0; k < pt->n; k++)
    for (uint32_t q = pt->start[k]; q < pt->start[k + 1] && pt->counts[k] && !pt->common[k]; q++)
      if (!pt->common[pt->edges.at[q].to])
        join(pt, k, pt->edges.at[q].to);
}

/* A common block that one part reads goes there; the others are joined with those that they read. Readers stand behind. */
static void join_common(Parts *pt) {
  uint32_t *owner = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  memset(owner, 0xff, (pt->n + 1) * sizeof *owner);
  for (uint32_t k = pt->n; k-- > 0;) {
    uint32_t own = pt->common[k] ? owner[k] : root_of(pt, k);
    for (uint32_t q = pt->start[k]; q < pt->start[k + 1] && pt->counts[k]; q++) {
      uint32_t to = pt->edges.at[q].to;
      if (pt->common[to])
        owner[to] = owner[to] == NONE || owner[to] == own ? own : SEVERAL;
    }
  }
  for (uint32_t k = 0; k < pt->n_blocks; k++) {
    if (!pt->common[k])
      continue;
    if (owner[k] < SEVERAL)
      join(pt, k, owner[k]);
    for (uint32_t q = pt->start[k]; q < pt->start[k + 1] && owner[k] >= SEVERAL; q++)
      join(pt, k, pt->edges.at[q].to);
  }
}

/* Nodes that have neither states nor events nor readers elsewhere go where something else is. */
static void join_idle(Parts *pt) {
  const Structure *s = pt->s;
  bool *busy = NEW_ARRAY(pt->a, bool, pt->n + 1);
  for (uint32_t k = 0; k < pt->n; k++) {
    bool own = k >= pt->first_sample || pt->common[k];
    if (k < pt->n_blocks)
      own = own || s->simulation.blocks.at[k].kind == BLOCK_RELATION || (pt->flags[k] & (HAS_ORDER | HAS_DELAY | READS_INPUT));
    busy[root_of(pt, k)] |= own && pt->counts[k];
    for (uint32_t q = pt->start[k]; q < pt->start[k + 1] && pt->counts[k]; q++)
      if (root_of(pt, pt->edges.at[q].to) != root_of(pt, k))
        busy[root_of(pt, pt->edges.at[q].to)] = busy[root_of(pt, k)] = true;
  }
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state)
      busy[root_of(pt, pt->node_of[v])] = true;
  uint32_t home = 0;
  while (home < pt->n && (!pt->counts[home] || !busy[root_of(pt, home)]))
    home++;
  for (uint32_t k = 0; k < pt->n; k++) {
    uint32_t root = root_of(pt, k);
    if (!pt->counts[k] || busy[root])
      continue;
    busy[root] = true;
    if (home < pt->n)
      join(pt, root, home), busy[root_of(pt, home)] = true;
  }
}

/* ---- order ---- */

/* Numbers by first variables. */
static void number_parts(Parts *pt) {
  uint32_t *number = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  memset(number, 0xff, (pt->n + 1) * sizeof *number);
  for (uint32_t v = 0; v < pt->s->vars.n; v++) {
    uint32_t node = pt->node_of[v];
    if (node != NONE && pt->counts[node] && number[root_of(pt, node)] == NONE)
      number[root_of(pt, node)] = pt->n_parts++;
  }
  for (uint32_t k = 0; k < pt->n; k++)
    if (pt->counts[k] && number[root_of(pt, k)] == NONE)
      number[root_of(pt, k)] = pt->n_parts++;
  for (uint32_t k = 0; k < pt->n; k++)
    pt->number[k] = pt->counts[k] ? number[root_of(pt, k)] : NO_PART;
}

/* Nodes of part i: nodes[first[i] .. first[i + 1]). */
typedef struct {
  uint32_t *first, *nodes;
} Members;

static Members members_of(const Parts *pt) {
  Members m = {NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 2), NEW_ARRAY(pt->a, uint32_t, pt->n + 1)};
  for (uint32_t k = 0; k < pt->n; k++)
    if (pt->number[k] != NO_PART)
      m.first[pt->number[k] + 1]++;
  for (uint32_t i = 0; i < pt->n_parts; i++)
    m.first[i + 1] += m.first[i];
  uint32_t *next = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1);
  memcpy(next, m.first, pt->n_parts * sizeof *next);
  for (uint32_t k = 0; k < pt->n; k++)
    if (pt->number[k] != NO_PART)
      m.nodes[next[pt->number[k]]++] = k;
  return m;
}

typedef struct {
  uint32_t part, member, edge;
} Frame;

/* The next part that part f->part must wait for; NONE when there are no more. */
static uint32_t next_leader(const Parts *pt, const Members *m, Frame *f) {
  for (; f->member < m->first[f->part + 1]; f->member++, f->edge = 0) {
    uint32_t node = m->nodes[f->member];
    while (pt->start[node] + f->edge < pt->start[node + 1]) {
      Edge e = pt->edges.at[pt->start[node] + f->edge++];
      if ((e.instant || e.moving) && pt->number[e.to] != f->part)
        return pt->number[e.to];
    }
  }
  return NONE;
}

/* Leaders first. */
static void order_parts(Parts *pt) {
  Members m = members_of(pt);
  uint32_t *place = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1), count = 0;
  bool *seen = NEW_ARRAY(pt->a, bool, pt->n_parts + 1);
  VEC(Frame) frames = {0};
  for (uint32_t i = 0; i < pt->n_parts; i++) {
    if (seen[i])
      continue;
    seen[i] = true;
    vec_push(pt->a, &frames, (Frame){i, m.first[i], 0});
    while (frames.n) {
      uint32_t q = next_leader(pt, &m, &vec_last(&frames));
      if (q == NONE) {
        place[vec_last(&frames).part] = count++;
        frames.n--;
      } else if (!seen[q]) {
        seen[q] = true;
        vec_push(pt->a, &frames, (Frame){q, m.first[q], 0});
      }
    }
  }
  for (uint32_t k = 0; k < pt->n; k++)
    if (pt->number[k] != NO_PART)
      pt->number[k] = place[pt->number[k]];
}

/* ---- results ---- */

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Which parts each part reads, into the arena of the structure. */
static void find_reads(Parts *pt, Arena *a) {
  Members m = members_of(pt);
  uint32_t *any = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1), *moving = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1);
  VEC(uint32_t) found = {0};
  for (uint32_t i = 0; i < pt->n_parts; i++) {
    SPart *part = &pt->s->parts.at[i];
    found.n = 0;
    for (uint32_t k = m.first[i]; k < m.first[i + 1]; k++)
      for (uint32_t q = pt->start[m.nodes[k]]; q < pt->start[m.nodes[k] + 1]; q++) {
        uint32_t to = pt->number[pt->edges.at[q].to];
        if (to == i)
          continue;
        if (any[to] != i + 1)
          vec_push(pt->a, &found, to);
        any[to] = i + 1;
        moving[to] = pt->edges.at[q].moving ? i + 1 : moving[to];
      }
    if (!found.n)
      continue;
    qsort(found.at, found.n, sizeof *found.at, ascending);
    uint32_t *reads = NEW_ARRAY(a, uint32_t, found.n);
    for (uint32_t k = 0; k < found.n; k++)
      if (moving[found.at[k]] == i + 1)
        reads[part->n_moving++] = found.at[k];
    part->n_reads = part->n_moving;
    for (uint32_t k = 0; k < found.n; k++)
      if (moving[found.at[k]] != i + 1)
        reads[part->n_reads++] = found.at[k];
    part->reads = reads;
  }
}

/* The one part that a check reads; NO_PART if it is not one. */
static uint32_t part_of_check(Parts *pt, const SAction *check) {
  uint32_t part = NONE, first = pt->edges.n;
  pt->node = pt->n;
  pt->flags[pt->n] = 0;
  read_action(pt, check);
  for (uint32_t k = first; k < pt->edges.n; k++) {
    uint32_t to = pt->number[pt->edges.at[k].to];
    part = to == NO_PART || (part != NONE && part != to) ? SEVERAL : to;
  }
  pt->edges.n = first;
  return part < SEVERAL && !(pt->flags[pt->n] & HAS_ORDER) ? part : NO_PART;
}

static void keep(Parts *pt, Arena *a) {
  Structure *s = pt->s;
  uint32_t *checks = NEW_ARRAY(pt->a, uint32_t, s->checks.n + 1);
  for (uint32_t k = 0; k < s->checks.n; k++)
    checks[k] = part_of_check(pt, &s->checks.at[k]);
  s->parts.at = NEW_ARRAY(a, SPart, pt->n_parts);
  s->parts.n = s->parts.room = pt->n_parts;
  find_reads(pt, a);
  for (uint32_t k = 0; k < s->delays.n; k++)
    s->parts.at[pt->number[pt->node_of[s->delays.at[k].in]]].delays = true;
  parts_arrange(s, &(PartsFound){pt->n_parts, pt->number, pt->number + pt->n_blocks, checks, pt->number + pt->first_sample}, a);
}

static Parts begin(Structure *s, Arena *a) {
  Parts pt = {.s = s, .a = a, .calls = calls_new(s, a), .n_blocks = s->simulation.blocks.n};
  pt.first_sample = pt.n_blocks + s->actions.n;
  pt.n = pt.first_sample + s->samples.n;
  pt.node_of = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  memset(pt.node_of, 0xff, s->vars.n * sizeof *pt.node_of);
  for (uint32_t b = 0; b < pt.n_blocks; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++)
      pt.node_of[s->simulation.blocks.at[b].unknowns[k]] = b;
  pt.varies = NEW_ARRAY(a, bool, s->vars.n + 1);
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state) {
      pt.node_of[v] = pt.node_of[s->vars.at[v].der];
      pt.varies[v] = true;
    }
  pt.start = NEW_ARRAY(a, uint32_t, pt.n + 2);
  pt.flags = NEW_ARRAY(a, unsigned char, pt.n + 1);
  pt.counts = NEW_ARRAY(a, bool, pt.n + 1);
  pt.common = NEW_ARRAY(a, bool, pt.n + 1);
  pt.up = NEW_ARRAY(a, uint32_t, pt.n + 1);
  pt.number = NEW_ARRAY(a, uint32_t, pt.n + 1);
  for (uint32_t k = 0; k < pt.n; k++)
    pt.up[k] = k;
  return pt;
}

void parts_find(Structure *s, Arena *a) {
  if (s->selections.n)
    return;
  Arena *scratch = arena_new(arena_memory(a));
  Parts pt = begin(s, scratch);
  build_graph(&pt);
  find_counting(&pt);
  for (uint32_t k = 0; k < pt.n_blocks; k++)
    pt.common[k] = is_common(&pt, k);
  join_units(&pt);
  join_clusters(&pt);
  join_common(&pt);
  join_idle(&pt);
  number_parts(&pt);
  if (pt.n_parts > 1 && pt.n_parts <= MOST_PARTS) {
    order_parts(&pt);
    keep(&pt, a);
  }
  arena_free(scratch);
}
