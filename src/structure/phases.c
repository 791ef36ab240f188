/* structure/phases.c -- the blocks of the simulation in an order in which those of one phase
 * stand together.
 * In:   blocks in an order of evaluation; the blocks of a mixed system follow each other.
 * How:  what derivatives and indicators need is dynamic, the rest output. Then a list schedule over
 *       units (a block, or a mixed system as a whole) that stays in one phase as long as a unit of
 *       it is ready.
 * Keep: ties are broken by block number. */
#include "structure/sort.h"
#include "structure/incidence.h"
#include "structure/match.h"
#include "structure/sorted.h"

typedef VEC(uint32_t) Numbers;

/* Blocks first .. first + n - 1, taken together. */
typedef struct {
  uint32_t first, n, waits;
  Numbers followers;
  SPhase phase;
} Unit;

typedef struct {
  const Structure *s;
  SSystem *sys;
  const IncidenceTable *t;
  const Matching *m;
  Arena *a;
  uint32_t *block_of; /* per row: the block that determines its unknown */
  uint32_t *unit_of;  /* per block */
  VEC(Unit) units;
} Schedule;

static bool is_unknown_of(const SBlock *b, uint32_t var) {
  for (uint32_t k = 0; k < b->n; k++)
    if (b->unknowns[k] == var)
      return true;
  return false;
}

/* The block that a block waits for because of this unknown; its own number if it waits for none. */
static uint32_t waits_for(const Schedule *sc, uint32_t b, uint32_t var) {
  uint32_t r = sc->m->row_of[var];
  /* a joint block finds its continuous unknowns itself, though others determine them afterwards */
  if (r == NO_ROW || (sc->sys->blocks.at[b].joint && is_unknown_of(&sc->sys->blocks.at[b], var)))
    return b;
  return sc->block_of[r];
}

/* Derivatives and event indicators, and what they need in the same instant. */
static void mark_dynamic(Schedule *sc) {
  Numbers work = {0};
  SBlock *blocks = sc->sys->blocks.at;
  for (uint32_t b = 0; b < sc->sys->blocks.n; b++) {
    /* roots: what the solver and the search for events ask for */
    SBlock *bl = &blocks[b];
    bool root = bl->kind == BLOCK_RELATION;
    for (uint32_t k = 0; k < bl->n; k++)
      /* continuous buffers belong to delay(), which records them */
      root = root || sc->s->vars.at[bl->unknowns[k]].kind == SV_DER ||
             (sc->s->vars.at[bl->unknowns[k]].kind == SV_BUFFER &&
              !sc->s->vars.at[bl->unknowns[k]].discrete);
    if (root)
      vec_push(sc->a, &work, b);
    if (root && bl->phase == PHASE_OUTPUT)
      bl->phase = PHASE_DYNAMIC;
  }
  /* and what these need, in the same instant */
  while (work.n) {
    uint32_t b = work.at[--work.n];
    for (uint32_t k = 0; k < blocks[b].n; k++) {
      const IncidenceRow *in = &sc->t->rows[blocks[b].rows[k]];
      for (uint32_t q = 0; q < in->n; q++) {
        uint32_t other = waits_for(sc, b, in->at[q].var);
        if (blocks[other].phase != PHASE_OUTPUT)
          continue;
        blocks[other].phase = PHASE_DYNAMIC;
        vec_push(sc->a, &work, other);
      }
    }
  }
}

/* A unit is dynamic if one of its blocks is. */
static void make_units(Schedule *sc) {
  const SBlock *blocks = sc->sys->blocks.at;
  for (uint32_t b = 0; b < sc->sys->blocks.n; b++) {
    /* the blocks of a mixed system follow each other */
    bool same = b && blocks[b].mixed && blocks[b].mixed == blocks[b - 1].mixed;
    if (!same)
      vec_push(sc->a, &sc->units, (Unit){.first = b, .phase = blocks[b].phase});
    Unit *u = &vec_last(&sc->units);
    u->n++;
    if (blocks[b].phase == PHASE_DYNAMIC)
      u->phase = PHASE_DYNAMIC;
    sc->unit_of[b] = sc->units.n - 1;
  }
}

/* Who waits for whom; an unknown that stands in several rows counts on both sides each time. */
static void link_units(Schedule *sc) {
  for (uint32_t b = 0; b < sc->sys->blocks.n; b++) {
    const SBlock *bl = &sc->sys->blocks.at[b];
    for (uint32_t k = 0; k < bl->n; k++) {
      const IncidenceRow *in = &sc->t->rows[bl->rows[k]];
      for (uint32_t q = 0; q < in->n; q++) {
        uint32_t from = sc->unit_of[waits_for(sc, b, in->at[q].var)];
        uint32_t to = sc->unit_of[b];
        if (from == to)
          continue;
        sc->units.at[to].waits++;
        vec_push(sc->a, &sc->units.at[from].followers, to);
      }
    }
  }
}

/* The order found before is right, too, only not grouped: it stays if this one should not be
 * complete. */
static void arrange(Schedule *sc) {
  Numbers ready[3] = {{0}};
  uint32_t head[3] = {0};
  uint32_t done = 0;
  uint32_t n = sc->sys->blocks.n;
  uint32_t phase = PHASE_DISCRETE;
  SBlock *sorted = NEW_ARRAY(sc->a, SBlock, n + 1);
  for (uint32_t u = 0; u < sc->units.n; u++)
    if (!sc->units.at[u].waits)
      vec_push(sc->a, &ready[sc->units.at[u].phase], u);
  /* a unit is taken as soon as all that it waits for is done */
  while (done < n) {
    /* stay in the phase as long as it has something ready */
    for (uint32_t tries = 0; tries < 3 && head[phase] == ready[phase].n; tries++)
      phase = (phase + 1) % 3;
    /* a circle: the order found by sorting stays */
    if (head[phase] == ready[phase].n)
      return;
    /* a unit is done: those that waited for it alone are ready */
    const Unit *u = &sc->units.at[ready[phase].at[head[phase]++]];
    for (uint32_t k = 0; k < u->n; k++)
      sorted[done++] = sc->sys->blocks.at[u->first + k];
    for (uint32_t k = 0; k < u->followers.n; k++) {
      Unit *next = &sc->units.at[u->followers.at[k]];
      if (!--next->waits)
        vec_push(sc->a, &ready[next->phase], u->followers.at[k]);
    }
  }
  sc->sys->blocks.at = sorted;
  sc->sys->blocks.room = n + 1;
}

void schedule_blocks(const Structure *s, SSystem *sys, const IncidenceTable *t, const Matching *m,
                     Arena *a) {
  Schedule sc = {.s = s, .sys = sys, .t = t, .m = m, .a = a};
  sc.block_of = NEW_ARRAY(a, uint32_t, sys->rows.n + 1);
  sc.unit_of = NEW_ARRAY(a, uint32_t, sys->blocks.n + 1);
  for (uint32_t b = 0; b < sys->blocks.n; b++)
    for (uint32_t k = 0; k < sys->blocks.at[b].n; k++)
      sc.block_of[sys->blocks.at[b].rows[k]] = b;
  mark_dynamic(&sc);
  make_units(&sc);
  link_units(&sc);
  arrange(&sc);
}
