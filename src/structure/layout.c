/* structure/layout.c -- where each value lives at run time (see DsData in dsblock.h).
 * Reals: x, xdot (both part by part, island by island), then all others: what each part determines
 * stands together, the rest follows; whole numbers, Booleans and enumerations share one bank; pre
 * values mirror the banks.
 * In:   states, parts and their blocks in order.   Out: SVar.bank and .place, the ranges of each
 *       part, the sizes of the banks.
 * Keep: a part is a range of each bank. In a model whose structure changes a common SVar has the
 *       same place in all modes. */
#include "structure/partition.h"
#include "structure/sorted.h"
#include "structure/tables.h"

static SBank bank_of(const Structure *s, TypeId t) {
  TypeBase base = type_get(s->model->pool, t)->base;
  return base == TY_REAL ? BANK_REAL : base == TY_STRING ? BANK_STRING : BANK_INTEGER;
}

static void place(Structure *s, SVar *v) {
  v->bank = bank_of(s, v->type);
  /* whole numbers and Booleans share a bank */
  uint32_t *next = v->bank == BANK_REAL     ? &s->n_real
                   : v->bank == BANK_STRING ? &s->n_string
                                            : &s->n_integer;
  v->place = (*next)++;
}

/* Places of their own for values that are neither states nor derivatives of states. */
static void place_any(Structure *s, uint32_t k) {
  SVar *v = &s->vars.at[k];
  switch (v->kind) {
  case SV_VAR:
    if (!v->state)
      place(s, v);
    break;
  case SV_CONDITION:
  case SV_BUFFER:
  case SV_LAMBDA:
  case SV_CHOICE:
  case SV_IMPULSE: place(s, v); break;
  case SV_RELATION: v->bank = BANK_RELATION, v->place = v->of; break;
  case SV_SAMPLE: v->bank = BANK_SAMPLE, v->place = v->of; break;
  case SV_DER: /* of a state: placed before; else solved for like any other */
    if (!s->vars.at[v->of].state || s->vars.at[v->of].der != k)
      place(s, v);
    break;
  case SV_PRE:
  case SV_CHOSEN: break;
  }
}

/* The values that parts determine; the order of blocks does not count (see order_parts). */
static void place_parts(Structure *s, Arena *a, bool *placed) {
  uint32_t n = s->parts.n;
  uint32_t *owner = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  uint32_t *first = NEW_ARRAY(a, uint32_t, n + 2);
  /* what a block determines goes where its part stands */
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t b = s->parts.at[i].block; b < s->parts.at[i].block + s->parts.at[i].n_blocks; b++)
      for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++) {
        uint32_t v = s->simulation.blocks.at[b].unknowns[k];
        if (!placed[v]) {
          owner[v] = i;
          first[i + 1]++;
        }
        placed[v] = true;
      }
  for (uint32_t i = 0; i < n; i++)
    first[i + 1] += first[i];
  /* counted, then filled: within a part by number of variable */
  uint32_t *vars = NEW_ARRAY(a, uint32_t, first[n] + 1);
  uint32_t *next = NEW_ARRAY(a, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++)
    next[i] = first[i];
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (placed[v])
      vars[next[owner[v]]++] = v;
  /* a part has one stretch in each bank */
  for (uint32_t i = 0; i < n; i++) {
    SPart *part = &s->parts.at[i];
    part->r = s->n_real;
    part->i = s->n_integer;
    part->s = s->n_string;
    for (uint32_t k = first[i]; k < first[i + 1]; k++)
      place_any(s, vars[k]);
    part->n_r = s->n_real - part->r;
    part->n_i = s->n_integer - part->i;
    part->n_s = s->n_string - part->s;
  }
}

/* pre(v) is at the place of v, in the bank of old values. */
static void place_pre(Structure *s) {
  for (uint32_t k = 0; k < s->vars.n; k++) {
    SVar *v = &s->vars.at[k];
    if (v->kind != SV_PRE)
      continue;
    const SVar *of = &s->vars.at[v->of];
    v->bank = of->bank == BANK_REAL     ? BANK_REAL_PRE
              : of->bank == BANK_STRING ? BANK_STRING_PRE
                                        : BANK_INTEGER_PRE;
    v->place = of->place;
  }
}

static bool is_discrete(const SVar *v) {
  return (v->kind == SV_VAR || v->kind == SV_BUFFER) && v->discrete && !v->known;
}
static bool is_read_before(const SVar *v) { return v->pre != NO_SVAR && !v->discrete && !v->known; }

/* Places in r of such variables, ascending. */
static uint32_t *places_of(const Structure *s, Arena *a, bool (*wanted)(const SVar *v),
                           uint32_t *n) {
  bool *found = NEW_ARRAY(a, bool, s->n_real + 1);
  uint32_t *out = NEW_ARRAY(a, uint32_t, s->n_real + 1);
  for (uint32_t k = 0; k < s->vars.n; k++)
    if (s->vars.at[k].bank == BANK_REAL && wanted(&s->vars.at[k]))
      found[s->vars.at[k].place] = true;
  *n = 0;
  for (uint32_t k = 0; k < s->n_real; k++)
    if (found[k])
      out[(*n)++] = k;
  return out;
}

uint32_t *structure_discrete(const Structure *s, Arena *a, uint32_t *n) {
  return places_of(s, a, is_discrete, n);
}
uint32_t *structure_pre_reads(const Structure *s, Arena *a, uint32_t *n) {
  return places_of(s, a, is_read_before, n);
}

/* Places of discrete Reals ascend like parts: each part has a range of their list. */
static void count_discrete(Structure *s, Arena *a) {
  /* places of a part are one stretch, so that its discrete ones are one, too */
  uint32_t n, at = 0, *places = structure_discrete(s, a, &n);
  for (uint32_t i = 0; i < s->parts.n; i++) {
    SPart *part = &s->parts.at[i];
    for (part->discrete = at; at < n && places[at] < part->r + part->n_r; at++)
      part->n_discrete++;
  }
}

void layout_places(Structure *s, Arena *a) {
  /* states, then their derivatives: solvers see both as vectors */
  for (uint32_t k = 0; k < s->states.n; k++) {
    SVar *x = &s->vars.at[s->states.at[k]], *d = &s->vars.at[x->der];
    x->bank = d->bank = BANK_REAL;
    x->place = k;
    d->place = s->states.n + k;
  }
  s->n_real = 2 * s->states.n;
  bool *placed = NEW_ARRAY(a, bool, s->vars.n + 1);
  place_parts(s, a, placed);
  for (uint32_t k = 0; k < s->vars.n; k++)
    if (!placed[k])
      place_any(s, k);
  place_pre(s);
  count_discrete(s, a);
}

/* Everything but states and their derivatives, whether or not they are that in this mode. */
static void place_common(Structure *s, uint32_t k) {
  SVar *v = &s->vars.at[k];
  if (v->kind == SV_VAR || v->kind == SV_DER)
    place(s, v);
  else
    place_any(s, k);
}

/* A model whose structure changes: each variable whose derivative occurs in some mode has a place
 * in x; where it is no state its equation gives it its value there. Behind what all modes have in
 * common is room for what a mode has of its own. */
void layout_common(Structure *s, Arena *a) {
  uint32_t nx = s->common.states.n;
  s->states.at = s->common.states.at;
  s->states.n = s->states.room = nx;
  bool *placed = NEW_ARRAY(a, bool, s->vars.n + 1);
  for (uint32_t k = 0; k < nx; k++) {
    uint32_t v = s->common.states.at[k], der = s->common.ders.at[k];
    s->vars.at[v].bank = s->vars.at[der].bank = BANK_REAL;
    s->vars.at[v].place = k;
    s->vars.at[der].place = nx + k;
    placed[v] = placed[der] = true;
  }
  s->n_real = 2 * nx;
  for (uint32_t k = 0; k < s->common.n; k++)
    if (!placed[k])
      place_common(s, k);
  /* for values that a mode has of its own, so that most modes have vectors of one length */
  uint32_t room = 2 * s->n_real + 64;
  for (uint32_t k = s->common.n; k < s->vars.n; k++)
    place_common(s, k);
  s->n_real = s->n_real > room ? s->n_real : room;
  place_pre(s);
}

/* ---- single places ---- */

int structure_watch(const Structure *s, uint32_t relation) {
  const SRelation *r = &s->relations.at[relation];
  return r->watch && r->guard.i ? (int)s->vars.at[r->watch - 1].place : -1;
}

int structure_der_place(const Structure *s, uint32_t var) {
  const SVar *v = &s->vars.at[var];
  bool state = s->conditions.n ? v->bank == BANK_REAL && v->place < s->states.n : v->state;
  return state ? (int)(s->states.n + v->place) : -1;
}

uint32_t *structure_unsaid(const Structure *s, Arena *a, uint32_t *n) {
  uint32_t *places = NEW_ARRAY(a, uint32_t, s->common.states.n + 1);
  *n = 0;
  for (uint32_t k = 0; k < s->common.states.n && s->conditions.n; k++) {
    const SVar *v = &s->vars.at[s->common.states.at[k]];
    if (v->dormant && !v->absent) /* what is absent keeps its value: 0 is right */
      places[(*n)++] = s->vars.at[v->dormant].place;
  }
  return places;
}
