/* structure/part_order.c -- everything in the order of the parts that it belongs to.
 * In:   the part of each block, action, check and sample.   Out: the lists of the structure in that
 *       order, s->part_of_block, and where each part has its own in them; relations, samples,
 *       states and islands under new numbers.
 * Keep: what belongs to one part keeps its order; what belongs to none comes last. */
#include "structure/partition.h"
#include "structure/sorted.h"

#include <string.h>

typedef struct {
  uint32_t *first; /* per part; those of none begin at first[n_parts] */
  uint32_t *old;   /* per new number */
  uint32_t *fresh; /* per old number */
} Order;

/* A stable order by part: counted, then placed. */
static Order order_by_part(const uint32_t *part, uint32_t n, uint32_t n_parts, Arena *a) {
  Order o = {NEW_ARRAY(a, uint32_t, n_parts + 2), NEW_ARRAY(a, uint32_t, n + 1),
             NEW_ARRAY(a, uint32_t, n + 1)};
  uint32_t *next = NEW_ARRAY(a, uint32_t, n_parts + 2);
  for (uint32_t k = 0; k < n; k++)
    if (part[k] != NO_PART)
      o.first[part[k] + 1]++;
  for (uint32_t i = 0; i < n_parts; i++)
    o.first[i + 1] += o.first[i];
  memcpy(next, o.first, (n_parts + 1) * sizeof *next);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = next[part[k] == NO_PART ? n_parts : part[k]]++;
    o.old[at] = k;
    o.fresh[k] = at;
  }
  return o;
}

/* Items of a VEC in their new order. */
#define ARRANGE(list, order, type, a)                                                              \
  do {                                                                                             \
    type *arranged = NEW_ARRAY((a), type, (list)->n + 1);                                          \
    for (uint32_t q = 0; q < (list)->n; q++)                                                       \
      arranged[q] = (list)->at[(order)->old[q]];                                                   \
    (list)->at = arranged;                                                                         \
    (list)->room = (list)->n + 1;                                                                  \
  } while (0)

static void arrange_blocks(Structure *s, const PartsFound *f, Arena *a) {
  uint32_t n = s->simulation.blocks.n;
  uint32_t *islands = NEW_ARRAY(a, uint32_t, n + 1);
  Order o = order_by_part(f->blocks, n, f->n, a);
  ARRANGE(&s->simulation.blocks, &o, SBlock, a);
  s->part_of_block = NEW_ARRAY(a, uint32_t, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    islands[k] = s->island_of_block[o.old[k]];
    s->part_of_block[k] = f->blocks[o.old[k]];
  }
  s->island_of_block = islands;
  for (uint32_t i = 0; i < f->n; i++) {
    s->parts.at[i].block = o.first[i];
    s->parts.at[i].n_blocks = o.first[i + 1] - o.first[i];
  }
}

static void arrange_actions(Structure *s, const PartsFound *f, Arena *a) {
  Order actions = order_by_part(f->actions, s->actions.n, f->n, a);
  Order checks = order_by_part(f->checks, s->checks.n, f->n, a);
  ARRANGE(&s->actions, &actions, SAction, a);
  ARRANGE(&s->checks, &checks, SAction, a);
  for (uint32_t i = 0; i < f->n; i++) {
    SPart *p = &s->parts.at[i];
    p->action = actions.first[i];
    p->n_actions = actions.first[i + 1] - actions.first[i];
    p->check = checks.first[i];
    p->n_checks = checks.first[i + 1] - checks.first[i];
  }
}

static void renumber_rows(SSystem *sys, const Order *o) {
  for (uint32_t r = 0; r < sys->rows.n; r++)
    if (sys->rows.at[r].kind == ROW_RELATION)
      sys->rows.at[r].number = o->fresh[sys->rows.at[r].number];
}

/* A relation belongs to the part of its block. The blocks stand in order already. */
static void arrange_relations(Structure *s, const PartsFound *f, Arena *a) {
  /* NO_PART where no block evaluates it */
  uint32_t *part = NEW_ARRAY(a, uint32_t, s->relations.n + 1);
  memset(part, 0xff, (s->relations.n + 1) * sizeof *part);
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    if (s->simulation.blocks.at[b].kind == BLOCK_RELATION)
      part[s->simulation.rows.at[s->simulation.blocks.at[b].rows[0]].number] = s->part_of_block[b];
  Order o = order_by_part(part, s->relations.n, f->n, a);
  ARRANGE(&s->relations, &o, SRelation, a);
  renumber_rows(&s->simulation, &o);
  renumber_rows(&s->initial, &o);
  for (uint32_t k = 0; k < s->relations.n; k++)
    s->vars.at[s->relations.at[k].var].of = k;
  /* everything that names a relation by its number */
  for (uint32_t k = 0; k < s->mixed.n; k++)
    for (uint32_t q = 0; q < s->mixed.at[k].relations.n; q++)
      s->mixed.at[k].relations.at[q] = o.fresh[s->mixed.at[k].relations.at[q]];
  for (uint32_t i = 0; i < f->n; i++) {
    s->parts.at[i].relation = o.first[i];
    s->parts.at[i].n_relations = o.first[i + 1] - o.first[i];
  }
}

static void arrange_samples(Structure *s, const PartsFound *f, Arena *a) {
  Order o = order_by_part(f->samples, s->samples.n, f->n, a);
  ARRANGE(&s->samples, &o, SSample, a);
  for (uint32_t k = 0; k < s->samples.n; k++)
    s->vars.at[s->samples.at[k].var].of = k;
  for (uint32_t i = 0; i < f->n; i++) {
    s->parts.at[i].sample = o.first[i];
    s->parts.at[i].n_samples = o.first[i + 1] - o.first[i];
  }
}

/* Whole islands; `part` per SVar of a derivative. */
static void arrange_states(Structure *s, const uint32_t *part, Arena *a) {
  uint32_t *part_of = NEW_ARRAY(a, uint32_t, s->islands.n + 1);
  uint32_t *states = NEW_ARRAY(a, uint32_t, s->states.n + 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < s->islands.n; k++)
    part_of[k] = part[s->vars.at[s->states.at[s->islands.at[k].first]].der];
  Order o = order_by_part(part_of, s->islands.n, s->parts.n, a);
  ARRANGE(&s->islands, &o, SIsland, a);
  for (uint32_t k = 0; k < s->islands.n; k++) {
    SIsland *island = &s->islands.at[k];
    memcpy(states + n, s->states.at + island->first, island->n * sizeof *states);
    island->first = n;
    n += island->n;
  }
  s->states.at = states;
  s->states.room = s->states.n + 1;
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    if (s->island_of_block[b] != NO_ISLAND)
      s->island_of_block[b] = o.fresh[s->island_of_block[b]];
  for (uint32_t k = 0; k < s->influences.n; k++) {
    s->influences.at[k].from = o.fresh[s->influences.at[k].from];
    s->influences.at[k].to = o.fresh[s->influences.at[k].to];
  }
  /* the states of a part are those of its islands, one after the other */
  for (uint32_t i = 0, x = 0; i < s->parts.n; x += s->parts.at[i++].n_x) {
    s->parts.at[i].x = x;
    for (uint32_t k = o.first[i]; k < o.first[i + 1]; k++)
      s->parts.at[i].n_x += s->islands.at[k].n;
  }
}

void parts_arrange(Structure *s, const PartsFound *f, Arena *a) {
  arrange_blocks(s, f, a);
  arrange_actions(s, f, a);
  arrange_relations(s, f, a);
  arrange_samples(s, f, a);
  uint32_t *part = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++)
      part[s->simulation.blocks.at[b].unknowns[k]] = s->part_of_block[b];
  arrange_states(s, part, a);
}
