/* structure/part.c -- parts of the model that can have steps and events of their own.
 * In:   who reads whom (graph.c), islands.   Out: s->parts with what each reads, everything in
 *       their order.
 * How:  observers, which only follow from others, belong to no part. Common blocks, which depend on
 *       time and parameters alone, connect nobody. Among the rest, what is connected and has at
 *       most one island is one part. Otherwise each island is the core of a part; other blocks go
 *       where they read from or where they are read, those that read several parts and are read by
 *       several make parts of their own. Then parts are joined that gain little by being apart
 *       (moved by one other part alone, and no events of their own, or events at times that are
 *       known ahead), would take each other's steps (cascades), or must be together: what a
 *       relation compares, and parts that need each other in the same instant or between events.
 * Keep: nearly linear in the number of edges. Equal models have equal parts: they come in the order
 *       of their first variables, but after those that they depend on in the same instant or
 *       between events. */
#include "structure/partition.h"
#include "base/limits.h"
#include "structure/graph.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <stdlib.h>
#include <string.h>

/* As many blocks are worth being left out at events */
enum { MANY_OBSERVERS = 16 };

typedef struct {
  Structure *s;
  BlockGraph *g;
  Arena *a; /* scratch */
  uint32_t n;
  bool *counts;      /* per node: no observer */
  bool *common;      /* per node */
  bool *late;        /* per node: only events need it, and it makes a part without steps */
  uint32_t *up;      /* per node: towards the least of what it was joined with */
  uint32_t *cluster; /* the same for all that is connected */
  uint32_t *number;  /* per node: part */
  uint32_t n_parts;
} Parts;

/* Union and find: paths are halved on the way, and the least node of a set is its root, so that the
 * roots do not depend on the order in which it grew */
static uint32_t top(uint32_t *up, uint32_t k) {
  while (up[k] != k)
    k = up[k] = up[up[k]];
  return k;
}

static bool join_in(uint32_t *up, uint32_t a, uint32_t b) {
  uint32_t x = top(up, a), y = top(up, b);
  up[x > y ? x : y] = x > y ? y : x;
  return x != y;
}

static uint32_t root_of(const Parts *pt, uint32_t k) { return top(pt->up, k); }
static bool join(Parts *pt, uint32_t a, uint32_t b) { return join_in(pt->up, a, b); }

static const SBlock *block_at(const Parts *pt, uint32_t node) {
  return node < pt->g->n_blocks ? &pt->s->simulation.blocks.at[node] : NULL;
}

/* Those that determine something, or do something, as parts count. */
static bool is_member(const Parts *pt, uint32_t node) {
  return pt->counts[node] && !pt->common[node];
}

/* ---- observers, common blocks ---- */

/* Everything that events, derivatives, relations and actions need. */
static void find_counting(Parts *pt) {
  const BlockGraph *g = pt->g;
  VEC(uint32_t) work = {0};
  for (uint32_t k = 0; k < pt->n; k++) {
    const SBlock *b = block_at(pt, k);
    /* an output matters to others if it is solved with something, has effects in order, or is
     * recorded */
    pt->counts[k] = !b || b->phase != PHASE_OUTPUT || b->mixed ||
                    (g->flags[k] & (HAS_ORDER | HAS_DELAY));
    if (pt->counts[k])
      vec_push(pt->a, &work, k);
  }
  /* and all that these read, directly or not */
  while (work.n) {
    uint32_t k = work.at[--work.n];
    for (uint32_t q = g->start[k]; q < g->start[k + 1]; q++)
      if (!pt->counts[g->edges.at[q].to]) {
        pt->counts[g->edges.at[q].to] = true;
        vec_push(pt->a, &work, g->edges.at[q].to);
      }
  }
}

static bool is_common(const Parts *pt, uint32_t node) {
  const BlockGraph *g = pt->g;
  /* it has no events, and no effects */
  const SBlock *b = block_at(pt, node);
  if (!pt->counts[node] || b->mixed || b->joint || b->kind == BLOCK_RELATION ||
      (g->flags[node] & ~(READS_TIME | AT_START)))
    return false;
  /* what is kept, recorded or integrated belongs to somebody */
  for (uint32_t k = 0; k < b->n; k++) {
    const SVar *v = &pt->s->vars.at[b->unknowns[k]];
    if (v->pre != NO_SVAR || v->kind == SV_BUFFER || v->push_of ||
        (v->kind == SV_DER && pt->s->vars.at[v->of].state))
      return false;
  }
  /* what it reads is common itself; blocks come in the order of evaluation */
  for (uint32_t k = g->start[node]; k < g->start[node + 1]; k++)
    if (!g->edges.at[k].instant || !pt->common[g->edges.at[k].to])
      return false;
  return true;
}

/* ---- what must not be taken apart ---- */

/* The node of what is recorded for delay() and spatialDistribution(), by a running number; NOBODY:
 * a constant. */
static uint32_t recorded_node(const Parts *pt, uint32_t k) {
  const Structure *s = pt->s;
  return pt->g->node_of[k < s->delays.n ? s->delays.at[k].in
                                        : s->transports.at[(k - s->delays.n) / 4]
                                              .recorded[(k - s->delays.n) % 4]];
}

static void join_blocks(Parts *pt) {
  const Structure *s = pt->s;
  /* a model has its delays in one part: whoever records or reads one is in it */
  uint32_t *mixed = NEW_ARRAY(pt->a, uint32_t, s->mixed.n + 1);
  uint32_t delayed = NOBODY;
  for (uint32_t k = 0; k < pt->g->n_blocks; k++) {
    const SBlock *b = block_at(pt, k);
    /* a mixed system is solved in one piece */
    if (b->mixed && mixed[b->mixed - 1])
      join(pt, k, mixed[b->mixed - 1] - 1);
    else if (b->mixed)
      mixed[b->mixed - 1] = k + 1;
    /* discrete and continuous unknowns of one system are solved together */
    for (uint32_t q = 0; q < b->n && b->joint; q++)
      join(pt, k, pt->g->node_of[b->unknowns[q]]);
    if (pt->g->flags[k] & HAS_DELAY)
      join(pt, k, delayed = delayed == NOBODY ? k : delayed);
  }
  for (uint32_t k = 0; k < s->delays.n + 4 * s->transports.n && delayed != NOBODY; k++)
    if (recorded_node(pt, k) != NOBODY)
      join(pt, delayed, recorded_node(pt, k));
}

/* Relations of one surface take weights together where the motion slides along it. */
static void join_surfaces(Parts *pt) {
  const Structure *s = pt->s;
  uint32_t *first = NEW_ARRAY(pt->a, uint32_t, s->relations.n + 1);
  for (uint32_t k = 0; k < s->relations.n; k++) {
    const SRelation *r = &s->relations.at[k];
    if (!r->field)
      continue;
    if (first[r->surface])
      join(pt, pt->g->node_of[r->var], first[r->surface] - 1);
    else
      first[r->surface] = pt->g->node_of[r->var] + 1;
  }
}

static void join_units(Parts *pt) {
  const Structure *s = pt->s;
  const BlockGraph *g = pt->g;
  uint32_t ordered = NOBODY;
  join_blocks(pt);
  join_surfaces(pt);
  /* the order of calls with effects is known within one part only */
  for (uint32_t k = 0; k < g->first_sample; k++)
    if (g->flags[k] & HAS_ORDER)
      join(pt, k, ordered = ordered == NOBODY ? k : ordered);
  for (uint32_t k = 0; k < s->actions.n; k++) {
    uint32_t node = g->n_blocks + k;
    if (s->actions.at[k].kind == ACTION_REINIT)
      join(pt, node, g->node_of[s->actions.at[k].state]);
  }
  /* a contact force is found where the derivative of its state is */
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].push_of)
      join(pt, g->node_of[v], g->node_of[s->vars.at[v].push_of - 1]);
  /* an island has one step size */
  for (uint32_t k = 0; k < s->islands.n; k++)
    for (uint32_t q = 1; q < s->islands.at[k].n; q++)
      join(pt, g->node_of[s->states.at[s->islands.at[k].first]],
           g->node_of[s->states.at[s->islands.at[k].first + q]]);
}

static void find_clusters(Parts *pt) {
  const BlockGraph *g = pt->g;
  /* what was joined as a unit is connected to begin with */
  for (uint32_t k = 0; k < pt->n; k++)
    join_in(pt->cluster, k, root_of(pt, k));
  for (uint32_t k = 0; k < pt->n; k++)
    for (uint32_t q = g->start[k]; q < g->start[k + 1] && is_member(pt, k); q++)
      if (!pt->common[g->edges.at[q].to])
        join_in(pt->cluster, k, g->edges.at[q].to);
}

/* ---- cores and what surrounds them ---- */

/* What is for events and results only ties nothing together. */
static bool is_core(const Parts *pt, uint32_t node) {
  const SBlock *b = block_at(pt, node);
  return is_member(pt, node) && pt->g->core[node] != NOBODY && !(b && b->phase == PHASE_OUTPUT);
}

/* Per node the island that it goes to: NOBODY, one or SEVERAL. Blocks come in order of evaluation.
 */
static uint32_t *find_homes(Parts *pt) {
  const BlockGraph *g = pt->g;
  uint32_t *from = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  uint32_t *to = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  for (uint32_t k = 0; k < pt->n; k++)
    from[k] = to[k] = is_core(pt, k) ? g->core[k] : NOBODY;
  /* downwards from what a block reads: its sources have their homes already */
  for (uint32_t k = 0; k < pt->n; k++)
    if (from[k] == NOBODY && is_member(pt, k))
      from[k] = home_of_reads(g, k, from);
  /* and upwards from its readers, for what reads nothing with a home */
  for (uint32_t k = pt->n; k-- > 0;)
    if (to[k] == NOBODY && is_member(pt, k))
      to[k] = home_of_readers(g, k, to);
  for (uint32_t k = 0; k < pt->n; k++) {
    const SBlock *b = block_at(pt, k);
    if (!is_member(pt, k) || is_core(pt, k))
      continue;
    /* what nobody needs between events should not tie the parts that it reads to those that want it
     * at events */
    if (b && b->phase == PHASE_OUTPUT && from[k] != NOBODY && from[k] != to[k]) {
      from[k] = NOBODY;
      pt->late[k] = true;
    } else
      from[k] = from[k] < SEVERAL ? from[k] : to[k];
  }
  return from;
}

/* What has no home is joined with its neighbours of the same kind. */
static void join_homeless(Parts *pt, const uint32_t *home) {
  const BlockGraph *g = pt->g;
  /* per root, + 1: the first block that it wants at events only; the others of these go with that
   */
  uint32_t *late_of = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  /* Needs values of a part in the same instant */
  bool *follows = NEW_ARRAY(pt->a, bool, pt->n + 1);
  /* a block that needs something at once may not be joined with one that does not: they would wait
   * for each other */
  for (uint32_t k = 0; k < pt->n; k++)
    for (uint32_t q = g->start[k]; q < g->start[k + 1]; q++)
      follows[k] = follows[k] || (g->edges.at[q].instant && (home[g->edges.at[q].to] < SEVERAL ||
                                                             follows[g->edges.at[q].to]));
  for (uint32_t k = 0; k < pt->n; k++)
    for (uint32_t q = g->start[k]; q < g->start[k + 1] && is_member(pt, k); q++) {
      uint32_t to = g->edges.at[q].to;
      if (pt->late[to] && late_of[root_of(pt, k)])
        join(pt, to, late_of[root_of(pt, k)] - 1);
      else if (pt->late[to])
        late_of[root_of(pt, k)] = to + 1;
      else if (is_member(pt, to) && to < g->first_sample && home[k] >= SEVERAL &&
               home[to] >= SEVERAL && !pt->late[k] && follows[k] == follows[to])
        join(pt, k, to);
    }
}

static void surround_cores(Parts *pt) {
  const BlockGraph *g = pt->g;
  const Structure *s = pt->s;
  uint32_t *home = find_homes(pt);
  for (uint32_t k = 0; k < g->first_sample; k++)
    if (is_member(pt, k) && home[k] < SEVERAL && pt->s->islands.at[home[k]].n)
      join(pt, k, g->node_of[s->states.at[s->islands.at[home[k]].first]]);
  join_homeless(pt, home);
  /* actions go to the first that they read; reinit has gone to its state */
  for (uint32_t k = 0; k < s->actions.n; k++) {
    uint32_t node = g->n_blocks + k;
    if (s->actions.at[k].kind != ACTION_REINIT && g->start[node] < g->start[node + 1] &&
        is_member(pt, g->edges.at[g->start[node]].to))
      join(pt, node, g->edges.at[g->start[node]].to);
  }
}

/* ---- facts about parts under way; by root ---- */

typedef struct {
  bool *states, *events; /* it has some */
  bool *compares;        /* it has relations of values that move */
  bool *steps;           /* it has states, relations, samples or delays */
} Facts;

/* A relation of values that move between events. */
static bool compares(const Parts *pt, uint32_t node) {
  const BlockGraph *g = pt->g;
  const SBlock *b = block_at(pt, node);
  if (!b || b->kind != BLOCK_RELATION ||
      pt->s->relations.at[pt->s->simulation.rows.at[b->rows[0]].number].timed)
    return false;
  /* also by itself, with time */
  bool moves = g->flags[node] != 0;
  for (uint32_t q = g->start[node]; q < g->start[node + 1]; q++)
    moves = moves || g->edges.at[q].moving;
  return moves;
}

static Facts facts_of(const Parts *pt) {
  const BlockGraph *g = pt->g;
  uint32_t n = pt->n + 1;
  Facts f = {NEW_ARRAY(pt->a, bool, n), NEW_ARRAY(pt->a, bool, n), NEW_ARRAY(pt->a, bool, n),
             NEW_ARRAY(pt->a, bool, n)};
  for (uint32_t k = 0; k < pt->n; k++) {
    if (!is_member(pt, k))
      continue;
    const SBlock *b = block_at(pt, k);
    uint32_t root = root_of(pt, k);
    bool relation = b && b->kind == BLOCK_RELATION;
    f.events[root] |= !b || b->phase == PHASE_DISCRETE;
    f.compares[root] |= compares(pt, k);
    f.steps[root] |= relation || (g->flags[k] & HAS_DELAY);
    for (uint32_t q = g->start[k]; q < g->start[k + 1]; q++)
      f.steps[root] |= g->edges.at[q].to >= g->first_sample;
  }
  /* states come with steps; islands do not matter here */
  for (uint32_t k = 0; k < pt->s->states.n; k++)
    f.states[root_of(pt, g->node_of[pt->s->states.at[k]])] = f.steps[root_of(
        pt, g->node_of[pt->s->states.at[k]])] = true;
  return f;
}

/* Nodes of each part, or of each root: nodes[first[i] .. first[i + 1]). */
typedef struct {
  uint32_t *first, *nodes;
} Members;

static Members group(const uint32_t *part, uint32_t n, uint32_t n_parts, Arena *a) {
  Members m = {NEW_ARRAY(a, uint32_t, n_parts + 2), NEW_ARRAY(a, uint32_t, n + 1)};
  /* counted, then filled: nodes of a part stay in their order */
  for (uint32_t k = 0; k < n; k++)
    if (part[k] != NO_PART)
      m.first[part[k] + 1]++;
  for (uint32_t i = 0; i < n_parts; i++)
    m.first[i + 1] += m.first[i];
  uint32_t *next = NEW_ARRAY(a, uint32_t, n_parts + 1);
  memcpy(next, m.first, n_parts * sizeof *next);
  for (uint32_t k = 0; k < n; k++)
    if (part[k] != NO_PART)
      m.nodes[next[part[k]]++] = k;
  return m;
}

/* ---- what gains nothing by being apart ---- */

typedef struct {
  uint32_t *root;   /* per node, before anything was joined here */
  uint32_t *reader; /* per root: the one that it moves, NOBODY or SEVERAL */
  Members members;  /* of each root */
} Moved;

static Moved find_moved(const Parts *pt) {
  const BlockGraph *g = pt->g;
  Moved mv = {NEW_ARRAY(pt->a, uint32_t, pt->n + 1), NEW_ARRAY(pt->a, uint32_t, pt->n + 1), {0}};
  /* 0xff: NOBODY */
  memset(mv.reader, 0xff, (pt->n + 1) * sizeof *mv.reader);
  for (uint32_t k = 0; k < pt->n; k++)
    mv.root[k] = is_member(pt, k) ? root_of(pt, k) : NO_PART;
  for (uint32_t k = 0; k < pt->n; k++)
    for (uint32_t q = g->start[k]; q < g->start[k + 1] && is_member(pt, k); q++) {
      uint32_t to = mv.root[g->edges.at[q].to];
      if (g->edges.at[q].moving && to != NO_PART && to != mv.root[k])
        mv.reader[to] = mv.reader[to] == NOBODY || mv.reader[to] == mv.root[k] ? mv.root[k]
                                                                               : SEVERAL;
    }
  mv.members = group(mv.root, pt->n, pt->n, pt->a);
  return mv;
}

/* The one other part that part `own` reads; NOBODY or SEVERAL if there is not one, or if it is not
 * moved by it. */
static uint32_t leader_of(const Parts *pt, const Members *m, uint32_t own) {
  const BlockGraph *g = pt->g;
  uint32_t other = NOBODY;
  bool moving = false;
  for (uint32_t k = m->first[own]; k < m->first[own + 1]; k++)
    for (uint32_t q = g->start[m->nodes[k]]; q < g->start[m->nodes[k] + 1]; q++) {
      uint32_t to = g->edges.at[q].to;
      /* common blocks are evaluated where they are needed, samples have their instants ahead */
      if (pt->common[to] || to >= g->first_sample || root_of(pt, to) == root_of(pt, own))
        continue;
      other = other == NOBODY || other == root_of(pt, to) ? root_of(pt, to) : SEVERAL;
      moving = moving || g->edges.at[q].moving;
    }
  return moving ? other : NOBODY;
}

/* Parts without events; and those that alone are moved by another one, if the times of their events
 * are known ahead. */
static void join_followers(Parts *pt) {
  const Structure *s = pt->s;
  Facts f = facts_of(pt);
  Moved mv = find_moved(pt);
  bool *done = NEW_ARRAY(pt->a, bool, pt->n + 1);
  for (uint32_t i = 0; i < s->islands.n; i++) {
    uint32_t own = mv.root[pt->g->node_of[s->states.at[s->islands.at[i].first]]];
    /* one that compares has events at times that nobody knows ahead */
    if (done[own] || f.compares[own])
      continue;
    done[own] = true;
    uint32_t other = leader_of(pt, &mv.members, own);
    /* without events it can take the other's steps at no loss; with them, if the other one moves
     * nothing else */
    if (other < SEVERAL && (!f.events[own] || (f.states[other] && mv.reader[other] == own)))
      join(pt, own, other);
  }
}

/* ---- cascades ---- */

/* A part that reads a moving one takes all of its steps, and evaluates it in each. What reads along
 * a chain, or several parts, takes the steps of all of them: more than the whole would. So parts
 * only read parts that read none, and as few as possible. Parts by root, those that are read
 * first: */
typedef struct {
  Parts *pt;
  Members members;     /* of the roots when it began */
  bool *states;        /* per root: it has some */
  bool *eventful;      /* per root: it has events of its own */
  uint32_t *depth;     /* per root: parts that stand one behind the other before it */
  uint32_t *met, turn; /* per root: the last search that met it */
  VEC(uint32_t) eventful_sources, quiet_sources;
} Cascade;

static void join_in_cascade(Cascade *ca, uint32_t a, uint32_t b) {
  /* facts of the new root are those of both */
  uint32_t x = root_of(ca->pt, a), y = root_of(ca->pt, b);
  join(ca->pt, x, y);
  uint32_t now = root_of(ca->pt, x);
  ca->states[now] = ca->states[x] || ca->states[y];
  ca->eventful[now] = ca->eventful[x] || ca->eventful[y];
  ca->depth[now] = ca->depth[x] > ca->depth[y] ? ca->depth[x] : ca->depth[y];
}

/* The parts with states that part `own` is moved by. */
static void find_sources(Cascade *ca, uint32_t own) {
  Parts *pt = ca->pt;
  const BlockGraph *g = pt->g;
  ca->eventful_sources.n = ca->quiet_sources.n = 0;
  ca->met[root_of(pt, own)] = ++ca->turn;
  for (uint32_t k = ca->members.first[own]; k < ca->members.first[own + 1]; k++)
    for (uint32_t q = g->start[ca->members.nodes[k]]; q < g->start[ca->members.nodes[k] + 1]; q++) {
      GraphEdge e = g->edges.at[q];
      if (!e.moving || pt->common[e.to] || e.to >= g->first_sample)
        continue;
      uint32_t to = root_of(pt, e.to);
      /* sources without states make no steps that one would have to follow */
      if (ca->met[to] == ca->turn || !ca->states[to])
        continue;
      ca->met[to] = ca->turn;
      if (ca->eventful[to])
        vec_push(pt->a, &ca->eventful_sources, to);
      else
        vec_push(pt->a, &ca->quiet_sources, to);
    }
}

/* The one source that reads others itself; NOBODY or SEVERAL. */
static uint32_t deep_source(const Cascade *ca) {
  uint32_t deep = NOBODY;
  for (uint32_t k = 0; k < ca->eventful_sources.n; k++)
    if (ca->depth[ca->eventful_sources.at[k]])
      deep = deep == NOBODY ? ca->eventful_sources.at[k] : SEVERAL;
  for (uint32_t k = 0; k < ca->quiet_sources.n; k++)
    if (ca->depth[ca->quiet_sources.at[k]])
      deep = deep == NOBODY ? ca->quiet_sources.at[k] : SEVERAL;
  return deep;
}

static void join_sources(Cascade *ca, uint32_t own) {
  find_sources(ca, own);
  /* sources without events lose nothing by having one step */
  for (uint32_t k = 1; k < ca->quiet_sources.n; k++)
    join_in_cascade(ca, ca->quiet_sources.at[0], ca->quiet_sources.at[k]);
  ca->quiet_sources.n = ca->quiet_sources.n ? 1 : 0;
  if (ca->quiet_sources.n)
    ca->quiet_sources.at[0] = root_of(ca->pt, ca->quiet_sources.at[0]);
  uint32_t deep = deep_source(ca), n = ca->eventful_sources.n;
  bool quiet = !ca->eventful[root_of(ca->pt, own)];
  /* without events of its own it begins anew with what it reads in any case */
  if (quiet && n == 1)
    join_in_cascade(ca, own, ca->eventful_sources.at[0]);
  else if (quiet && !n && ca->quiet_sources.n)
    join_in_cascade(ca, own, ca->quiet_sources.at[0]);
  else if (deep < SEVERAL)
    join_in_cascade(ca, own, deep);
  /* joining has changed who the sources are */
  find_sources(ca, own);
  uint32_t root = root_of(ca->pt, own);
  for (uint32_t k = 0; k < ca->eventful_sources.n; k++)
    if (ca->depth[root] <= ca->depth[ca->eventful_sources.at[k]])
      ca->depth[root] = ca->depth[ca->eventful_sources.at[k]] + 1;
  for (uint32_t k = 0; k < ca->quiet_sources.n; k++)
    if (ca->depth[root] <= ca->depth[ca->quiet_sources.at[k]])
      ca->depth[root] = ca->depth[ca->quiet_sources.at[k]] + 1;
}

/* Roots in an order in which what is read stands first. */
static uint32_t *roots_in_order(const Parts *pt, const uint32_t *root, const Members *m) {
  const BlockGraph *g = pt->g;
  Links links = {NEW_ARRAY(pt->a, uint32_t, pt->n + 2), {0}};
  for (uint32_t i = 0; i < pt->n; i++) {
    links.start[i] = links.links.n;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
      for (uint32_t q = g->start[m->nodes[k]]; q < g->start[m->nodes[k] + 1]; q++)
        if (g->edges.at[q].moving && root[g->edges.at[q].to] != NO_PART &&
            root[g->edges.at[q].to] != i)
          vec_push(pt->a, &links.links, (Link){root[g->edges.at[q].to], true});
  }
  links.start[pt->n] = links.links.n;
  uint32_t *component = links_components(&links, pt->n, true, pt->a);
  return group(component, pt->n, pt->n, pt->a).nodes;
}

static void join_cascades(Parts *pt) {
  Facts f = facts_of(pt);
  uint32_t *root = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  uint32_t n = pt->n + 1;
  for (uint32_t k = 0; k < pt->n; k++)
    root[k] = is_member(pt, k) ? root_of(pt, k) : NO_PART;
  Cascade ca = {.pt = pt,
                .states = f.states,
                .members = group(root, pt->n, pt->n, pt->a),
                .eventful = NEW_ARRAY(pt->a, bool, n)};
  ca.depth = NEW_ARRAY(pt->a, uint32_t, n);
  ca.met = NEW_ARRAY(pt->a, uint32_t, n);
  /* a part has events if it makes some, or compares what moves */
  for (uint32_t k = 0; k < pt->n; k++)
    ca.eventful[k] = f.events[k] || f.compares[k];
  uint32_t *order = roots_in_order(pt, root, &ca.members);
  /* each part once, when all that it reads has been looked at */
  for (uint32_t k = 0; k < pt->n; k++)
    if (root[order[k]] == order[k] && f.states[order[k]])
      join_sources(&ca, order[k]);
}

/* A cluster with one part that has states, or without events, is one part. */
static void join_clusters(Parts *pt) {
  Facts f = facts_of(pt);
  uint32_t *n_states = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  bool *events = NEW_ARRAY(pt->a, bool, pt->n + 1);
  for (uint32_t k = 0; k < pt->n; k++) {
    uint32_t cluster = top(pt->cluster, k);
    n_states[cluster] += root_of(pt, k) == k && f.states[k];
    events[cluster] |= f.events[k];
  }
  /* taking a cluster apart is worth it if several of its parts make steps, and events interrupt
   * them */
  for (uint32_t k = 0; k < pt->n; k++) {
    uint32_t cluster = top(pt->cluster, k);
    if (is_member(pt, k) && (n_states[cluster] < 2 || !events[cluster]))
      join(pt, k, cluster);
  }
}

/* ---- what must be together ---- */

/* Must the part of the reader come after the other one? */
static bool waits(const Parts *pt, const Facts *f, uint32_t node, GraphEdge e) {
  return e.instant || (e.moving && !(pt->late[node] && !f->steps[root_of(pt, node)]));
}

/* A part without states that compares moving values goes with what it compares; a relation with
 * what it reads. */
static bool join_compared(Parts *pt) {
  const BlockGraph *g = pt->g;
  Facts f = facts_of(pt);
  bool more = false;
  for (uint32_t k = 0; k < pt->n; k++) {
    const SBlock *b = block_at(pt, k);
    uint32_t root = root_of(pt, k);
    /* a relation is located where the values move that it compares */
    bool all = (f.compares[root] && !f.states[root]) || (b && b->kind == BLOCK_RELATION);
    for (uint32_t q = g->start[k]; q < g->start[k + 1] && all && is_member(pt, k); q++)
      if (g->edges.at[q].moving && !pt->common[g->edges.at[q].to])
        more |= join(pt, k, g->edges.at[q].to);
  }
  return more;
}

/* Parts that wait for each other. */
static bool join_circles(Parts *pt) {
  const BlockGraph *g = pt->g;
  Facts f = facts_of(pt);
  Links links = {NEW_ARRAY(pt->a, uint32_t, pt->n + 2), {0}};
  uint32_t *root = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  for (uint32_t k = 0; k < pt->n; k++)
    root[k] = is_member(pt, k) ? root_of(pt, k) : NO_PART;
  Members m = group(root, pt->n, pt->n, pt->a);
  for (uint32_t i = 0; i < pt->n; i++) {
    links.start[i] = links.links.n;
    for (uint32_t k = m.first[i]; k < m.first[i + 1]; k++)
      for (uint32_t q = g->start[m.nodes[k]]; q < g->start[m.nodes[k] + 1]; q++) {
        GraphEdge e = g->edges.at[q];
        if (!pt->common[e.to] && root[e.to] != i && waits(pt, &f, m.nodes[k], e))
          vec_push(pt->a, &links.links, (Link){root[e.to], true});
      }
  }
  links.start[pt->n] = links.links.n;
  /* parts of one component wait for each other: they are joined with the first of it */
  uint32_t *component = links_components(&links, pt->n, true, pt->a);
  uint32_t *first = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  bool more = false;
  for (uint32_t i = 0; i < pt->n; i++) {
    if (root[i] != i)
      continue;
    if (first[component[i]])
      more |= join(pt, i, first[component[i]] - 1);
    else
      first[component[i]] = i + 1;
  }
  return more;
}

/* A sample that one part reads belongs to it. */
static void join_samples(Parts *pt) {
  const BlockGraph *g = pt->g;
  for (uint32_t k = g->first_sample; k < pt->n; k++) {
    uint32_t one = NOBODY;
    /* its instants are known ahead: only who reads it takes part in them */
    for (uint32_t q = g->readers.start[k]; q < g->readers.start[k + 1]; q++) {
      uint32_t root = root_of(pt, g->readers.links.at[q].to);
      if (is_member(pt, g->readers.links.at[q].to))
        one = one == NOBODY || one == root ? root : SEVERAL;
    }
    if (one < SEVERAL)
      join(pt, k, one);
  }
}

/* A common block that one part reads goes there; the others are joined with those that they read.
 * Readers stand behind. */
static void join_common(Parts *pt) {
  const BlockGraph *g = pt->g;
  uint32_t *owner = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  memset(owner, 0xff, (pt->n + 1) * sizeof *owner);
  /* from the last reader back, so that owners of readers are known */
  for (uint32_t k = pt->n; k-- > 0;) {
    uint32_t own = pt->common[k] ? owner[k] : root_of(pt, k);
    for (uint32_t q = g->start[k]; q < g->start[k + 1] && pt->counts[k]; q++) {
      uint32_t to = g->edges.at[q].to;
      if (pt->common[to])
        owner[to] = owner[to] == NOBODY || owner[to] == own ? own : SEVERAL;
    }
  }
  for (uint32_t k = 0; k < g->n_blocks; k++) {
    if (!pt->common[k])
      continue;
    /* one part reads it: it goes there; else it is joined with what it reads */
    if (owner[k] < SEVERAL)
      join(pt, k, owner[k]);
    for (uint32_t q = g->start[k]; q < g->start[k + 1] && owner[k] >= SEVERAL; q++)
      join(pt, k, g->edges.at[q].to);
  }
}

/* Does the block keep the values from before unless an event of some condition sets them? */
static bool is_when(const Parts *pt, const SBlock *b) {
  const ExprPool *p = pt->s->model->pool;
  uint32_t var;
  /* when-clauses become ifs whose last branch is what was before */
  if (b->kind == BLOCK_ALGORITHM) {
    const SAlgorithm *alg = &pt->s->algorithms.at[pt->s->simulation.rows.at[b->rows[0]].number];
    bool all = true;
    for (uint32_t k = 0; k < alg->n_body; k++)
      all = all && alg->body[k]->kind == STMT_IF;
    return all;
  }
  /* down the else branches: does the last one keep the value? */
  ExprId e = b->kind == BLOCK_EXPLICIT ? b->value : NO_EXPR;
  while (e.i && expr_get(p, e)->op == OP_IF)
    e = expr_get(p, e)->args[2];
  return e.i && lowered_var(p, e, &var) && pt->s->vars.at[var].kind == SV_PRE;
}

/* A discrete variable that follows from moving values without an event of its own: every event of
 * the model matters to it. */
static bool floats(const Parts *pt, uint32_t node) {
  const BlockGraph *g = pt->g;
  const SBlock *b = block_at(pt, node);
  if (!b || b->phase != PHASE_DISCRETE || (g->flags[node] & AT_START) || is_when(pt, b))
    return false;
  /* a value of time, or of something that moves, without a moment of its own to be looked at */
  bool found = g->flags[node] & READS_TIME;
  for (uint32_t q = g->start[node]; q < g->start[node + 1] && !found; q++)
    found = g->moves[g->edges.at[q].to];
  return found;
}

/* Clusters that have neither states nor events, and nothing to do with common blocks, go where
 * something else is. False: the model must stay in one piece. */
static bool join_idle(Parts *pt) {
  const BlockGraph *g = pt->g;
  Facts f = facts_of(pt);
  bool *busy = NEW_ARRAY(pt->a, bool, pt->n + 1);
  /* a cluster is busy if it has steps, or is tied to something common or to another one */
  for (uint32_t k = 0; k < pt->n; k++) {
    busy[root_of(pt, k)] |= pt->counts[k] && (pt->common[k] || k >= g->first_sample || f.steps[k]);
    for (uint32_t q = g->start[k]; q < g->start[k + 1] && pt->counts[k]; q++)
      if (root_of(pt, g->edges.at[q].to) != root_of(pt, k))
        busy[root_of(pt, g->edges.at[q].to)] = busy[root_of(pt, k)] = true;
  }
  /* the first of those: where nothing asks for it, an idle one does no harm */
  uint32_t home = 0;
  while (home < pt->n && (!pt->counts[home] || !busy[root_of(pt, home)]))
    home++;
  for (uint32_t k = 0; k < pt->n; k++) {
    uint32_t root = root_of(pt, k);
    if (!pt->counts[k] || f.steps[root])
      continue;
    if (floats(pt, k))
      return false;
    if (busy[root])
      continue;
    busy[root] = true;
    if (home < pt->n) {
      join(pt, root, home);
      busy[root_of(pt, home)] = true;
    }
  }
  return true;
}

/* ---- order ---- */

/* Numbers by first variables. */
static void number_parts(Parts *pt) {
  uint32_t *number = NEW_ARRAY(pt->a, uint32_t, pt->n + 1);
  memset(number, 0xff, (pt->n + 1) * sizeof *number);
  /* in the order of variables, as the user wrote them */
  for (uint32_t v = 0; v < pt->s->vars.n; v++) {
    uint32_t node = pt->g->node_of[v];
    if (node != NOBODY && pt->counts[node] && number[root_of(pt, node)] == NOBODY)
      number[root_of(pt, node)] = pt->n_parts++;
  }
  /* then what determines none, such as actions */
  for (uint32_t k = 0; k < pt->n; k++)
    if (pt->counts[k] && number[root_of(pt, k)] == NOBODY)
      number[root_of(pt, k)] = pt->n_parts++;
  for (uint32_t k = 0; k < pt->n; k++)
    pt->number[k] = pt->counts[k] ? number[root_of(pt, k)] : NO_PART;
}

typedef struct {
  uint32_t part, member, edge;
} Frame;

/* The next part that part f->part must wait for; NOBODY when there are no more. */
static uint32_t next_leader(const Parts *pt, const Facts *facts, const Members *m, Frame *f) {
  for (; f->member < m->first[f->part + 1]; f->member++, f->edge = 0) {
    uint32_t node = m->nodes[f->member];
    while (pt->g->start[node] + f->edge < pt->g->start[node + 1]) {
      GraphEdge e = pt->g->edges.at[pt->g->start[node] + f->edge++];
      if (pt->number[e.to] != f->part && waits(pt, facts, node, e))
        return pt->number[e.to];
    }
  }
  return NOBODY;
}

/* How many parts stand one behind the other before each: one more than before any part that it must
 * wait for. */
static uint32_t *levels(Parts *pt, uint32_t *most) {
  Facts facts = facts_of(pt);
  Members m = group(pt->number, pt->n, pt->n_parts, pt->a);
  uint32_t *level = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1);
  /* by hand, not by recursion: a chain of parts may be as long as the model */
  bool *seen = NEW_ARRAY(pt->a, bool, pt->n_parts + 1);
  VEC(Frame) frames = {0};
  for (uint32_t i = 0; i < pt->n_parts; i++) {
    if (seen[i])
      continue;
    seen[i] = true;
    vec_push(pt->a, &frames, (Frame){i, m.first[i], 0});
    while (frames.n) {
      uint32_t own = vec_last(&frames).part;
      uint32_t q = next_leader(pt, &facts, &m, &vec_last(&frames));
      if (q == NOBODY) {
        /* all that it waits for is known: whoever waits for it comes after */
        frames.n--;
        *most = level[own] > *most ? level[own] : *most;
        uint32_t above = frames.n ? vec_last(&frames).part : own;
        level[above] = frames.n && level[above] <= level[own] ? level[own] + 1 : level[above];
      } else if (!seen[q]) {
        seen[q] = true;
        vec_push(pt->a, &frames, (Frame){q, m.first[q], 0});
      } else if (level[own] <= level[q])
        level[own] = level[q] + 1;
    }
  }
  return level;
}

/* Leaders first, else by number: the order in which blocks happen to be sorted does not count,
 * because results are read with a structure that is made again from the flat text. */
static void order_parts(Parts *pt) {
  /* counted per level, then placed: within a level by number */
  uint32_t most = 0;
  uint32_t *level = levels(pt, &most);
  uint32_t *next = NEW_ARRAY(pt->a, uint32_t, most + 2);
  uint32_t *place = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1);
  for (uint32_t i = 0; i < pt->n_parts; i++)
    next[level[i] + 1]++;
  for (uint32_t k = 0; k < most; k++)
    next[k + 1] += next[k];
  for (uint32_t i = 0; i < pt->n_parts; i++)
    place[i] = next[level[i]]++;
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
  Members m = group(pt->number, pt->n, pt->n_parts, pt->a);
  uint32_t *any = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1);
  uint32_t *moving = NEW_ARRAY(pt->a, uint32_t, pt->n_parts + 1);
  VEC(uint32_t) found = {0};
  for (uint32_t i = 0; i < pt->n_parts; i++) {
    SPart *part = &pt->s->parts.at[i];
    found.n = 0;
    for (uint32_t k = m.first[i]; k < m.first[i + 1]; k++)
      for (uint32_t q = pt->g->start[m.nodes[k]]; q < pt->g->start[m.nodes[k] + 1]; q++) {
        uint32_t to = pt->number[pt->g->edges.at[q].to];
        if (to == i)
          continue;
        /* stamps instead of sets: i + 1 marks what was found for this part */
        if (any[to] != i + 1)
          vec_push(pt->a, &found, to);
        any[to] = i + 1;
        moving[to] = pt->g->edges.at[q].moving ? i + 1 : moving[to];
      }
    if (!found.n)
      continue;
    qsort(found.at, found.n, sizeof *found.at, ascending);
    uint32_t *reads = NEW_ARRAY(a, uint32_t, found.n);
    /* first those that move while it goes on; readers ask for these in each evaluation */
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
  uint32_t part = NOBODY;
  bool harmless = graph_read_check(pt->g, pt->s, check, pt->a);
  /* a check of one part runs with its events; one of several, or of common blocks only, with all */
  for (uint32_t k = pt->g->start[pt->n]; k < pt->g->start[pt->n + 1]; k++) {
    uint32_t to = pt->number[pt->g->edges.at[k].to];
    part = to == NO_PART || (part != NOBODY && part != to) ? SEVERAL : to;
  }
  return part < SEVERAL && harmless ? part : NO_PART;
}

static void keep(Parts *pt, Arena *a) {
  Structure *s = pt->s;
  uint32_t *checks = NEW_ARRAY(pt->a, uint32_t, s->checks.n + 1);
  for (uint32_t k = 0; k < s->checks.n; k++)
    checks[k] = part_of_check(pt, &s->checks.at[k]);
  s->parts.at = NEW_ARRAY(a, SPart, pt->n_parts);
  s->parts.n = s->parts.room = pt->n_parts;
  find_reads(pt, a);
  for (uint32_t k = 0; k < s->delays.n + 4 * s->transports.n; k++)
    if (recorded_node(pt, k) != NOBODY)
      s->parts.at[pt->number[recorded_node(pt, k)]].delays = true;
  parts_arrange(s,
                &(PartsFound){pt->n_parts, pt->number, pt->number + pt->g->n_blocks, checks,
                              pt->number + pt->g->first_sample},
                a);
}

/* Is there more than one part that has steps, or much that events need not know? */
static bool is_worth_it(const Parts *pt) {
  Facts f = facts_of(pt);
  uint32_t n = 0, observers = 0;
  for (uint32_t k = 0; k < pt->n; k++) {
    /* every root with steps makes one part */
    n += f.steps[k];
    observers += !pt->counts[k];
  }
  return (n > 1 || (n == 1 && observers >= MANY_OBSERVERS)) && pt->n_parts <= MOST_PARTS;
}

static Parts begin(Structure *s, BlockGraph *g, Arena *a) {
  Parts pt = {.s = s, .g = g, .a = a, .n = g->n};
  pt.counts = NEW_ARRAY(a, bool, pt.n + 1);
  pt.common = NEW_ARRAY(a, bool, pt.n + 1);
  pt.late = NEW_ARRAY(a, bool, pt.n + 1);
  pt.up = NEW_ARRAY(a, uint32_t, pt.n + 1);
  pt.cluster = NEW_ARRAY(a, uint32_t, pt.n + 1);
  pt.number = NEW_ARRAY(a, uint32_t, pt.n + 1);
  for (uint32_t k = 0; k < pt.n; k++)
    pt.up[k] = pt.cluster[k] = k;
  return pt;
}

void parts_find(Structure *s, BlockGraph *g, Arena *a) {
  if (s->selections.n)
    return;
  Arena *scratch = arena_new(arena_memory(a));
  Parts pt = begin(s, g, scratch);
  find_counting(&pt);
  for (uint32_t k = 0; k < g->n_blocks; k++)
    pt.common[k] = is_common(&pt, k);
  /* first what is one thing, then what gains nothing by being apart; what must wait for each other
   * last, because that depends on the parts that were found */
  join_units(&pt);
  find_clusters(&pt);
  surround_cores(&pt);
  join_followers(&pt);
  join_cascades(&pt);
  join_clusters(&pt);
  /* one may make the other necessary again */
  while (join_compared(&pt) | join_circles(&pt))
    ;
  join_samples(&pt);
  join_common(&pt);
  bool divided = join_idle(&pt);
  number_parts(&pt);
  if (divided && is_worth_it(&pt)) {
    order_parts(&pt);
    keep(&pt, a);
  }
  arena_free(scratch);
}
