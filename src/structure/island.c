/* structure/island.c -- parts of the model that do not influence each other, or only one way, or
 * only through events.
 * In:   who reads whom among the sorted blocks of the simulation and the actions (graph.c).
 * Out:  s->islands, s->states (ordered by island), s->island_of_block, s->influences.
 * How:  an edge is continuous if it passes values on that move while time passes. Strongly
 *       connected components of the continuous edges are parts. Where one part acts on another
 *       continuously and the other acts back through events, the two are joined: each event of the
 *       second would restart the first anyway (height and speed of a ball that bounces). A part
 *       with states is an island; other blocks belong to the one island that they read from, else
 *       to the one that reads them, else to none.
 * Keep: linear in the number of edges but for the influences, which have a budget. An island comes
 *       after those that act on it continuously, else in the order in which states are declared. */
#include "structure/partition.h"
#include "base/limits.h"
#include "structure/graph.h"
#include "structure/sorted.h"

#include <string.h>

typedef struct {
  Structure *s;
  BlockGraph *g;
  Arena *a; /* scratch */
  uint32_t n;
  uint32_t *part;   /* per node: continuous component, then the root of what it was joined with */
  uint32_t *island; /* per node: number or NOBODY */
} Islands;

typedef struct {
  uint32_t node, next;
} Frame;

/* ---- parts ---- */

static uint32_t root_of(uint32_t *up, uint32_t k) {
  while (up[k] != k)
    k = up[k] = up[up[k]];
  return k;
}

static void find_parts(Islands *is) {
  /* parts that influence each other between events */
  const Links *readers = &is->g->readers;
  uint32_t *own = links_components(readers, is->n, false, is->a);
  uint32_t *with_events = links_components(readers, is->n, true, is->a);
  uint32_t *up = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  /* the root of each is the least of its numbers */
  for (uint32_t k = 0; k < is->n; k++)
    up[k] = k;
  for (uint32_t node = 0; node < is->n; node++)
    for (uint32_t k = readers->start[node]; k < readers->start[node + 1]; k++) {
      Link e = readers->links.at[k];
      /* a continuous influence that comes back, if only by way of events: one island */
      if (!e.strong || with_events[node] != with_events[e.to])
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
  /* 0xff: NOBODY */
  memset(number, 0xff, (is->n + 1) * sizeof *number);
  for (uint32_t v = 0; v < s->vars.n; v++) {
    if (!s->vars.at[v].state)
      continue;
    uint32_t part = is->part[is->g->node_of[v]];
    if (number[part] == NOBODY) {
      number[part] = s->islands.n;
      vec_push(is->a, &s->islands, (SIsland){0});
    }
    s->islands.at[number[part]].n++;
  }
  for (uint32_t k = 0; k < is->n; k++)
    is->island[k] = is->g->core[k] = number[is->part[k]];
}

/* ---- blocks without states ---- */

/* Blocks come in order of evaluation: what a block reads stands before it. */
static void place_others(Islands *is) {
  uint32_t *from = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  uint32_t *to = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  memcpy(from, is->island, is->n * sizeof *from);
  /* downwards from islands, as in structure/part.c */
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] == NOBODY)
      from[k] = home_of_reads(is->g, k, from);
  memcpy(to, is->island, is->n * sizeof *to);
  /* and upwards from those who read it */
  for (uint32_t k = is->n; k-- > 0;)
    if (is->island[k] == NOBODY)
      to[k] = home_of_readers(is->g, k, to);
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] == NOBODY)
      is->island[k] = from[k] < SEVERAL ? from[k] : to[k] < SEVERAL ? to[k] : NOBODY;
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
  const Links *readers = &is->g->readers;
  for (uint32_t k = readers->start[node]; k < readers->start[node + 1]; k++, se->visits++) {
    /* events are counted in the second round only */
    Link e = readers->links.at[k];
    if ((!all && !e.strong) || se->stamp[e.to] == se->now)
      continue;
    se->stamp[e.to] = se->now;
    uint32_t other = is->island[e.to];
    if (other == NOBODY)
      vec_push(is->a, &se->work, e.to);
    else if (other != self && se->met[other] < 2 * self + 1) {
      se->met[other] = 2 * self + 1 + all;
      vec_push(is->a, &is->s->influences, (SInfluence){self, other, all});
    }
  }
}

/* Islands that island `i` acts on: continuously, then by events only. */
static void search_from(Search *se, uint32_t i) {
  /* continuous influences first: what they reach needs no event to be reached */
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
  /* counted, then filled */
  uint32_t *first = NEW_ARRAY(is->a, uint32_t, s->islands.n + 2);
  uint32_t *nodes = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] != NOBODY)
      first[is->island[k] + 1]++;
  for (uint32_t i = 0; i < s->islands.n; i++)
    first[i + 1] += first[i];
  uint32_t *next = NEW_ARRAY(is->a, uint32_t, s->islands.n + 1);
  memcpy(next, first, s->islands.n * sizeof *next);
  for (uint32_t k = 0; k < is->n; k++)
    if (is->island[k] != NOBODY)
      nodes[next[is->island[k]]++] = k;
  Search se = {.is = is, .first = first, .nodes = nodes};
  se.stamp = NEW_ARRAY(is->a, uint32_t, is->n + 1);
  se.met = NEW_ARRAY(is->a, uint32_t, s->islands.n + 1);
  for (uint32_t i = 0; i < s->islands.n && se.visits < MOST_ISLAND_VISITS; i++)
    search_from(&se, i);
  /* a list that is not complete would be wrong where it says nothing */
  s->influences_known = se.visits < MOST_ISLAND_VISITS;
  if (!s->influences_known)
    s->influences.n = 0;
}

/* ---- order ---- */

typedef struct {
  uint32_t *start, *from; /* per island: those that act on it continuously */
} Leaders;

static Leaders leaders_of(const Islands *is) {
  const Structure *s = is->s;
  Leaders l = {NEW_ARRAY(is->a, uint32_t, s->islands.n + 2),
               NEW_ARRAY(is->a, uint32_t, s->influences.n + 1)};
  /* continuous ones only: events make nobody wait */
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
  uint32_t n = is->s->islands.n;
  uint32_t count = 0;
  uint32_t *place = NEW_ARRAY(is->a, uint32_t, n + 1);
  Leaders l = leaders_of(is);
  bool *seen = NEW_ARRAY(is->a, bool, n + 1);
  VEC(Frame) frames = {0};
  /* by hand, not by recursion: chains may be long */
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

/* Copies everything into the arena of the structure, under the final numbers; states stand island
 * by island. */
static void keep(Islands *is, Arena *a) {
  Structure *s = is->s;
  uint32_t *place = order_islands(is);
  uint32_t n_blocks = s->simulation.blocks.n;
  uint32_t n = 0;
  SIsland *islands = NEW_ARRAY(a, SIsland, s->islands.n + 1);
  for (uint32_t i = 0; i < s->islands.n; i++)
    islands[place[i]] = s->islands.at[i];
  /* states of an island stand together */
  for (uint32_t i = 0; i < s->islands.n; i++) {
    islands[i].first = n;
    n += islands[i].n;
  }
  s->islands.at = islands;
  for (uint32_t k = 0; k < is->n; k++)
    is->g->core[k] = is->g->core[k] == NOBODY ? NOBODY : place[is->g->core[k]];
  s->island_of_block = NEW_ARRAY(a, uint32_t, n_blocks + 1);
  for (uint32_t b = 0; b < n_blocks; b++) {
    uint32_t i = is->island[b] == NOBODY ? NO_ISLAND : place[is->island[b]];
    s->island_of_block[b] = i;
    if (i != NO_ISLAND)
      islands[i].blocks++;
  }
  s->states.at = NEW_ARRAY(a, uint32_t, n + 1);
  s->states.n = s->states.room = n;
  uint32_t *next = NEW_ARRAY(is->a, uint32_t, s->islands.n + 1);
  /* within an island in the order of declaration */
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state) {
      uint32_t i = place[is->island[is->g->node_of[v]]];
      s->states.at[islands[i].first + next[i]++] = v;
    }
  SInfluence *influences = NEW_ARRAY(a, SInfluence, s->influences.n + 1);
  for (uint32_t k = 0; k < s->influences.n; k++) {
    SInfluence f = s->influences.at[k];
    influences[k] = (SInfluence){place[f.from], place[f.to], f.events_only};
  }
  s->influences.at = influences;
}

void islands_find(Structure *s, BlockGraph *g, Arena *a) {
  Arena *scratch = arena_new(arena_memory(a));
  Islands is = {.s = s, .g = g, .a = scratch, .n = g->n};
  is.part = NEW_ARRAY(scratch, uint32_t, is.n + 1);
  is.island = NEW_ARRAY(scratch, uint32_t, is.n + 1);
  find_parts(&is);
  number_islands(&is);
  place_others(&is);
  find_influences(&is);
  keep(&is, a);
  arena_free(scratch);
}
