/* flat/signal.c -- connection sets of inputs and outputs: each has at most one source (MLS 3.6
 * section 9.3).
 * A source is an output of a component or a public input of the class that connects it. The same
 * variable seen from inside and from around its component is two members, so that the sets of
 * different levels stay apart. */
#include "flat/flatten_impl.h"

typedef struct {
  uint32_t parent; /* union-find */
  uint32_t source; /* of the set, at its root: variable + 1; 0 if there is none */
} Member;

struct Signals {
  VEC(Member) members;
  Map by_key; /* variable * 2 + outside -> member */
};

Signals *signals_new(Flattener *fl) { return NEW(fl->arena, Signals); }

static uint32_t root_of(const Signals *s, uint32_t i) {
  while (s->members.at[i].parent != i)
    i = s->members.at[i].parent;
  return i;
}

static uint32_t member(Flattener *fl, Signals *s, const SignalEnd *end) {
  uint64_t key = (uint64_t)end->var * 2 + end->outside, found;
  if (map_get(&s->by_key, key, &found))
    return root_of(s, (uint32_t)found);
  uint32_t fresh = s->members.n;
  vec_push(fl->arena, &s->members, (Member){fresh, end->source ? end->var + 1 : 0});
  map_put(fl->arena, &s->by_key, key, fresh);
  return fresh;
}

bool signals_link(Flattener *fl, Signals *s, const SignalEnd *a, const SignalEnd *b,
                  uint32_t sources[2]) {
  uint32_t x = member(fl, s, a), y = member(fl, s, b);
  if (x == y)
    return true;
  Member *to = &s->members.at[x], *from = &s->members.at[y];
  from->parent = x;
  sources[0] = to->source - 1;
  sources[1] = from->source - 1;
  bool two = to->source && from->source && to->source != from->source;
  to->source = to->source ? to->source : from->source;
  return !two;
}
