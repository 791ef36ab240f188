/* structure/island.c -- parts of the model that do not influence each other, or only one way, or only through events.
 * In:   the sorted blocks of the simulation and the reinit actions.
 * Out:  s->islands, s->states (ordered by island), s->island_of_block, s->influences.
 * How:  a graph of blocks: each reads the blocks that determine its variables; reading a state is reading the block of its
 *       derivative. An edge is continuous if it passes values on while time passes; relations and discrete variables are held
 *       then. Strongly connected components of the continuous edges (Tarjan, SIAM J. Comput. 1(2), 1972) are parts. Where one
 *       part acts on another continuously and the other acts back through events, the two are joined: each event of the
 *       second would restart the first anyway (height and speed of a ball that bounces). A part with states is an island;
 *       other blocks belong to the one island that they read from, else to the one that reads them, else to none.
 * Keep: linear in the number of edges but for the influences, which have a budget. An island comes after those that act on it
 *       continuously, else in the order in which states are declared. */
#include "structure/structure_impl.h"

#include <string.h>

enum { MOST_VISITS = 1 << 23 }; /* edges that the search for influences may follow */
#define NONE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

typedef struct {
  uint32_t to;
  bool continuous;
} Edge;

/* Node k reads edges.at[start[k] .. start[k + 1]); blocks first, then actions. */
typedef struct {
  uint32_t *start;
  VEC(Edge) edges;
} Graph;

typedef struct {
  Structure *s;
  Arena *a; /* scratch */
  uint32_t n;
  uint32_t *node_of; /* per SVar: the block that determines it, or its derivative; NONE */
  Graph reads, readers;
  uint32_t *part;   /* per node: continuous component, then the root of what it was joined with */
  uint32_t *island; /* per node: number or NONE */
} Islands;

/* ---- the graph ---- */

static bool held(const SVar *v) { return v->discrete || v->kind == SV_RELATION || v->kind == SV_CONDITION || v->kind == SV_PRE || v->kind == SV_SAMPLE; }

static void read_var(Islands *is, uint32_t var, bool continuous) {
  const SVar *v = &is->s->vars.at[var];
  uint32_t base = v->kind == SV_PRE ? v->of : var;
  if (is->node_of[base] == NONE)
    return;
  vec_push(is->a, &is->reads.edges, (Edge){is->node_of[base], continuous && !held(v)});
}

/* Does the block determine something that moves between events? */
static bool moves(const Structure *s, const SBlock *b) {
  for (uint32_t k = 0; k < b->n && !b->joint; k++)
    if (!held(&s->vars.at[b->unknowns[k]]))
      return true;
  return false;
}

/* What delay() hands out follows from what it recorded. */
static void read_delay(Islands *is, const SRow *row) {
  const ExprPool *p = is->s->model->pool;
  if (row->kind != ROW_EQUAL)
    return;
  const Expr *x = expr_get(p, row->rhs);
  int64_t number;
  if (x->op == OP_DELAY && x->n == 3 && expr_as_integer(p, x->args[0], &number))
    read_var(is, is->s->delays.at[number].in, true);
}

typedef struct {
  Islands *is;
} Visit;

static void read_node(void *user, ExprId e) {
  Islands *is = ((Visit *)user)->is;
  uint32_t v;
  if (lowered_var(is->s->model->pool, e, &v))
    read_var(is, v, false);
}

static void read_action(Islands *is, const SAction *act) {
  const ExprPool *p = is->s->model->pool;
  Visit visit = {is};
  if (act->guard.i)
    expr_walk(p, act->guard, read_node, &visit);
  expr_walk(p, act->value, read_node, &visit);
}

static void build_graph(Islands *is) {
  const Structure *s = is->s;
  const SSystem *sys = &s->simulation;
  bool *all = NEW_ARRAY(is->a, bool, s->vars.n + 1);
  for (uint32_t v = 0; v < s->vars.n; v++)
    all[v] = !s->vars.at[v].known;
  IncidenceTable t = table_build(s, sys, all, false, is->a);
  is->reads.start = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  uint32_t node = 0;
  for (; node < sys->blocks.n; node++) {
    const SBlock *b = &sys->blocks.at[node];
    bool continuous = moves(s, b);
    is->reads.start[node] = is->reads.edges.n;
    for (uint32_t k = 0; k < b->n; k++) {
      const IncidenceRow *in = &t.rows[b->rows[k]];
      for (uint32_t q = 0; q < in->n; q++)
        read_var(is, in->at[q].var, continuous);
      read_delay(is, &sys->rows.at[b->rows[k]]);
    }
  }
  for (uint32_t k = 0; k < s->actions.n; k++, node++) {
    is->reads.start[node] = is->reads.edges.n;
    if (s->actions.at[k].kind == ACTION_REINIT)
      read_action(is, &s->actions.at[k]);
  }
  is->reads.start[node] = is->reads.edges.n;
}

/* The block of a reinitialised state reads the action, too: such edges come from the other side. */
static void turn_graph(Islands *is) {
  const Structure *s = is->s;
  uint32_t *start = NEW_ARRAY(is->a, uint32_t, is->n + 2), n_blocks = s->simulation.blocks.n;
  for (uint32_t k = 0; k < is->reads.edges.n; k++)
    start[is->reads.edges.at[k].to + 1]++;
  for (uint32_t k = 0; k < s->actions.n; k++)
    start[n_blocks + k + 1]++;
  for (uint32_t k = 0; k < is->n; k++)
    start[k + 1] += start[k];
  uint32_t *next = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  memcpy(next, start, is->n * sizeof *next);
  is->readers.edges.at = NEW_ARRAY(is->a, Edge, start[is->n] + 1);
  is->readers.edges.n = start[is->n];
  for (uint32_t node = 0; node < is->n; node++)
    for (uint32_t k = is->reads.start[node]; k < is->reads.start[node + 1]; k++) {
      Edge e = is->reads.edges.at[k];
      is->readers.edges.at[next[e.to]++] = (Edge){node, e.continuous};
    }
  for (uint32_t k = 0; k < s->actions.n; k++) {
    bool sets = s->actions.at[k].kind == ACTION_REINIT;
    is->readers.edges.at[next[n_blocks + k]++] = (Edge){sets ? is->node_of[s->actions.at[k].state] : n_blocks + k, false};
  }
  is->readers.start = start;
}

/* ---- strongly connected components along readers ---- */

typedef struct {
  uint32_t node, next;
} Frame;

typedef struct {
  const Graph *g;
  bool all; /* edges through events, too */
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

/* Per node the number of its component. */
static uint32_t *components(const Graph *g, uint32_t n, bool all, Arena *a) {
  Tarjan t = {.g = g, .all = all, .a = a};
  t.low = NEW_ARRAY(a, uint32_t, n + 1), t.index = NEW_ARRAY(a, uint32_t, n + 1), t.component = NEW_ARRAY(a, uint32_t, n + 1);
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
      Edge e = g->edges.at[f->next++];
      if (!all && !e.continuous)
        continue;
      if (!t.index[e.to])
        open_node(&t, e.to);
      else if (t.component[e.to] == NONE && t.index[e.to] < t.low[f->node])
        t.low[f->node] = t.index[e.to];
    }
  }
  return t.component;
}

/* ---- parts ---- */

static uint32_t root_of(uint32_t *up, uint32_t k) {
  while (up[k] != k)
    k = up[k] = up[up[k]];
  return k;
}

static void find_parts(Islands *is) {
  uint32_t *own = components(&is->readers, is->n, false, is->a), *with_events = components(&is->readers, is->n, true, is->a);
  uint32_t *up = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  for (uint32_t k = 0; k < is->n; k++)
    up[k] = k;
  for (uint32_t node = 0; node < is->n; node++)
    for (uint32_t k = is->readers.start[node]; k < is->readers.start[node + 1]; k++) {
      Edge e = is->readers.edges.at[k];
      if (!e.continuous || with_events[node] != with_events[e.to])
        continue;
      uint32_t x = root_of(up, own[node]), y = root_of(up, own[e.to]);
      up[x > y ? x : y] = x > y ? y : x;
    }
  for (uint32_t k = 0; k < is->n; k++)
    is->part[k] = root_of(up, own[k]);
}

/* Numbers the parts that hold states in the order of declaration. */
static void number_islands(Islands *is) {
  Structure *s = is->s;
  uint32_t *number = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  memset(number, 0xff, (is->n + 1) * sizeof *number);
  for (uint32_t v = 0; v < s->vars.n; v++) {
    if (!s->vars.at[v].state)
      continue;
    uint32_t part = is->part[is->node_of[v]];
    if (number[part] == NONE) {
      number[part] = s->islands.n;
      vec_push(is->a, &s->islands, (SIsland){0});
    }
    s->islands.at[number[part]].n++;
  }
  for (uint32_t k = 0; k < is->n; k++)
    is->island[k] = number[is->part[k]];
}

/* ---- blocks without states ---- */

static uint32_t join(uint32_t a, uint32_t b) { return a == NONE || a == b ? b : b == NONE ? a : SEVERAL; }

/* The island of all nodes at the other end of a node's edges: NONE, one or SEVERAL. Continuous edges count first. */
static uint32_t around(const Graph *g, uint32_t node, const uint32_t *island) {
  uint32_t continuous = NONE, all = NONE;
  for (uint32_t k = g->start[node]; k < g->start[node + 1]; k++) {
    Edge e = g->edges.at[k];
    if (e.to == node)
      continue;
    all = join(all, island[e.to]);
    continuous = e.continuous ? join(continuous, island[e.to]) : continuous;
  }
  return continuous != NONE ? continuous : all;
}

/* Blocks come in order of evaluation: what a block reads stands before it. */
static void place_others(Islands *is) {
  uint32_t *from = NEW_ARRAY(is->a, uint32_t, is->n + 1), *to = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  memcpy(from, is->island, is->n * sizeof *from);
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] == NONE)
      from[k] = around(&is->reads, k, from);
  memcpy(to, is->island, is->n * sizeof *to);
  for (uint32_t k = is->n; k-- > 0;)
    if (is->island[k] == NONE)
      to[k] = around(&is->readers, k, to);
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] == NONE)
      is->island[k] = from[k] < SEVERAL ? from[k] : to[k] < SEVERAL ? to[k] : NONE;
}

/* ---- influences ---- */

typedef struct {
  Islands *is;
  const uint32_t *first, *nodes; /* nodes of island i: nodes[first[i] .. first[i + 1]) */
  uint32_t *stamp, now;          /* per node */
  uint32_t *met;                 /* per island: the last search that reached it */
  VEC(uint32_t) work;
  uint64_t visits;
} Search;

/* Follows the readers of one node; islands end the search, what belongs to none passes it on. */
static void follow(Search *se, uint32_t node, uint32_t self, bool all) {
  const Islands *is = se->is;
  for (uint32_t k = is->readers.start[node]; k < is->readers.start[node + 1]; k++, se->visits++) {
    Edge e = is->readers.edges.at[k];
    if ((!all && !e.continuous) || se->stamp[e.to] == se->now)
      continue;
    se->stamp[e.to] = se->now;
    uint32_t other = is->island[e.to];
    if (other == NONE)
      vec_push(is->a, &se->work, e.to);
    else if (other != self && se->met[other] < 2 * self + 1) {
      se->met[other] = 2 * self + 1 + all;
      vec_push(is->a, &is->s->influences, (SInfluence){self, other, all});
    }
  }
}

/* Islands that island `i` acts on: continuously, then by events only. */
static void search_from(Search *se, uint32_t i) {
  for (int all = 0; all < 2; all++) {
    se->now++;
    se->work.n = 0;
    for (uint32_t k = se->first[i]; k < se->first[i + 1]; k++)
      follow(se, se->nodes[k], i, all);
    while (se->work.n)
      follow(se, se->work.at[--se->work.n], i, all);
  }
}

static void find_influences(Islands *is) {
  Structure *s = is->s;
  uint32_t *first = NEW_ARRAY(is->a, uint32_t, s->islands.n + 2), *nodes = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] != NONE)
      first[is->island[k] + 1]++;
  for (uint32_t i = 0; i < s->islands.n; i++)
    first[i + 1] += first[i];
  uint32_t *next = NEW_ARRAY(is->a, uint32_t, s->islands.n + 1);
  memcpy(next, first, s->islands.n * sizeof *next);
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] != NONE)
      nodes[next[is->island[k]]++] = k;
  Search se = {.is = is, .first = first, .nodes = nodes};
  se.stamp = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  se.met = NEW_ARRAY(is->a, uint32_t, s->islands.n + 1);
  for (uint32_t i = 0; i < s->islands.n && se.visits < MOST_VISITS; i++)
    search_from(&se, i);
  s->influences_known = se.visits < MOST_VISITS;
  if (!s->influences_known)
    s->influences.n = 0;
}

/* ---- order ---- */

typedef struct {
  uint32_t *start, *from; /* per island: those that act on it continuously */
} Leaders;

static Leaders leaders_of(const Islands *is) {
  const Structure *s = is->s;
  Leaders l = {NEW_ARRAY(is->a, uint32_t, s->islands.n + 2), NEW_ARRAY(is->a, uint32_t, s->influences.n + 1)};
  for (uint32_t k = 0; k < s->influences.n; k++)
    l.start[s->influences.at[k].to + 1] += !s->influences.at[k].events_only;
  for (uint32_t i = 0; i < s->islands.n; i++)
    l.start[i + 1] += l.start[i];
  uint32_t *next = NEW_ARRAY(is->a, uint32_t, s->islands.n + 1);
  memcpy(next, l.start, s->islands.n * sizeof *next);
  for (uint32_t k = 0; k < s->influences.n; k++)
    if (!s->influences.at[k].events_only)
      l.from[next[s->influences.at[k].to]++] = s->influences.at[k].from;
  return l;
}

/* Per island its place in an order in which leaders come first. */
static uint32_t *order_islands(const Islands *is) {
  uint32_t n = is->s->islands.n, count = 0, *place = NEW_ARRAY(is->a, uint32_t, n + 1);
  Leaders l = leaders_of(is);
  bool *seen = NEW_ARRAY(is->a, bool, n + 1);
  VEC(Frame) frames = {0};
  for (uint32_t i = 0; i < n; i++) {
    if (seen[i])
      continue;
    seen[i] = true;
    vec_push(is->a, &frames, (Frame){i, l.start[i]});
    while (frames.n) {
      Frame *f = &vec_last(&frames);
      if (f->next == l.start[f->node + 1]) {
        place[f->node] = count++;
        frames.n--;
        continue;
      }
      uint32_t q = l.from[f->next++];
      if (!seen[q]) {
        seen[q] = true;
        vec_push(is->a, &frames, (Frame){q, l.start[q]});
      }
    }
  }
  return place;
}

/* Copies everything into the arena of the structure, under the final numbers; states stand island by island. */
static void keep(Islands *is, Arena *a) {
  Structure *s = is->s;
  uint32_t *place = order_islands(is), n_blocks = s->simulation.blocks.n, n = 0;
  SIsland *islands = NEW_ARRAY(a, SIsland, s->islands.n + 1);
  for (uint32_t i = 0; i < s->islands.n; i++)
    islands[place[i]] = s->islands.at[i];
  for (uint32_t i = 0; i < s->islands.n; i++)
    islands[i].first = n, n += islands[i].n;
  s->islands.at = islands;
  s->island_of_block = NEW_ARRAY(a, uint32_t, n_blocks + 1);
  for (uint32_t b = 0; b < n_blocks; b++) {
    uint32_t i = is->island[b] == NONE ? NO_ISLAND : place[is->island[b]];
    s->island_of_block[b] = i;
    if (i != NO_ISLAND)
      islands[i].blocks++;
  }
  s->states.at = NEW_ARRAY(a, uint32_t, n + 1);
  s->states.n = s->states.room = n;
  uint32_t *next = NEW_ARRAY(is->a, uint32_t, s->islands.n + 1);
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state) {
      uint32_t i = place[is->island[is->node_of[v]]];
      s->states.at[islands[i].first + next[i]++] = v;
    }
  SInfluence *influences = NEW_ARRAY(a, SInfluence, s->influences.n + 1);
  for (uint32_t k = 0; k < s->influences.n; k++) {
    SInfluence f = s->influences.at[k];
    influences[k] = (SInfluence){place[f.from], place[f.to], f.events_only};
  }
  s->influences.at = influences;
}

void islands_find(Structure *s, Arena *a) {
  Arena *scratch = arena_new(arena_memory(a));
  Islands is = {.s = s, .a = scratch, .n = s->simulation.blocks.n + s->actions.n};
  is.node_of = NEW_ARRAY(scratch, uint32_t, s->vars.n + 1);
  memset(is.node_of, 0xff, s->vars.n * sizeof *is.node_of);
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++)
      is.node_of[s->simulation.blocks.at[b].unknowns[k]] = b;
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state)
      is.node_of[v] = is.node_of[s->vars.at[v].der];
  is.part = NEW_ARRAY(scratch, uint32_t, is.n + 1);
  is.island = NEW_ARRAY(scratch, uint32_t, is.n + 1);
  build_graph(&is);
  turn_graph(&is);
  find_parts(&is);
  number_islands(&is);
  place_others(&is);
  find_influences(&is);
  keep(&is, a);
  arena_free(scratch);
}
