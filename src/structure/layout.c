/* structure/layout.c -- where each value lives at run time (see DsData in dsblock.h).
 * Reals: x, xdot (both island by island), then all others; whole numbers, Booleans and enumerations share one bank; pre values mirror the banks. */
#include "structure/structure_impl.h"

static SBank bank_of(const Structure *s, TypeId t) {
  TypeBase base = type_get(s->model->pool, t)->base;
  return base == TY_REAL ? BANK_REAL : base == TY_STRING ? BANK_STRING : BANK_INTEGER;
}

static void place(Structure *s, SVar *v) {
  v->bank = bank_of(s, v->type);
  uint32_t *next = v->bank == BANK_REAL ? &s->n_real : v->bank == BANK_STRING ? &s->n_string : &s->n_integer;
  v->place = (*next)++;
}

void layout_places(Structure *s) {
  for (uint32_t k = 0; k < s->states.n; k++) {
    SVar *x = &s->vars.at[s->states.at[k]], *d = &s->vars.at[x->der];
    x->bank = d->bank = BANK_REAL;
    x->place = k;
    d->place = s->states.n + k;
  }
  s->n_real = 2 * s->states.n;
  for (uint32_t k = 0; k < s->vars.n; k++) {
    SVar *v = &s->vars.at[k];
    switch (v->kind) {
    case SV_VAR:
      if (!v->state)
        place(s, v);
      break;
    case SV_CONDITION: case SV_BUFFER: case SV_LAMBDA: case SV_CHOICE: place(s, v); break;
    case SV_RELATION: v->bank = BANK_RELATION, v->place = v->of; break;
    case SV_SAMPLE: v->bank = BANK_SAMPLE, v->place = v->of; break;
    case SV_DER: /* of a state: placed above; else solved for like any other */
      if (!s->vars.at[v->of].state || s->vars.at[v->of].der != k)
        place(s, v);
      break;
    case SV_PRE: case SV_CHOSEN: break;
    }
  }
  for (uint32_t k = 0; k < s->vars.n; k++) {
    SVar *v = &s->vars.at[k];
    if (v->kind != SV_PRE)
      continue;
    const SVar *of = &s->vars.at[v->of];
    v->bank = of->bank == BANK_REAL ? BANK_REAL_PRE : of->bank == BANK_STRING ? BANK_STRING_PRE : BANK_INTEGER_PRE;
    v->place = of->place;
  }
}
