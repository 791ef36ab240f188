/* expr/walk.c -- visiting and rebuilding expressions without recursion: a sum of ten thousand terms
 * is as deep as it is long.
 * How:  depth first with a stack of our own; a node comes out after the arguments that were asked
 *       for, each node once. */
#include "expr/expr_impl.h"

#include <string.h>

/* ---- map from node numbers ---- */

static uint32_t slot_of(const IdMap *m, uint32_t key) {
  uint32_t h = key * 0x9e3779b1u, i = (h ^ h >> 16) & (m->room - 1);
  while (m->keys[i] && m->keys[i] != key)
    i = (i + 1) & (m->room - 1);
  return i;
}

static void idmap_grow(Arena *a, IdMap *m) {
  uint32_t old_room = m->room, *keys = m->keys, *values = m->values;
  if (old_room > UINT32_MAX / 4)
    mem_exhausted(arena_memory(a));
  m->room = old_room * 4;
  m->keys = NEW_ARRAY(a, uint32_t, m->room);
  m->values = NEW_ARRAY(a, uint32_t, m->room);
  for (uint32_t i = 0; i < old_room; i++)
    if (keys[i]) {
      uint32_t j = slot_of(m, keys[i]);
      m->keys[j] = keys[i];
      m->values[j] = values[i];
    }
}

void walk_set(Walk *w, ExprId e, uint32_t value) {
  IdMap *m = &w->seen;
  uint32_t i = slot_of(m, e.i);
  if (!m->keys[i]) {
    if ((m->n + 1) * 4 > m->room * 3) {
      idmap_grow(walk_scratch(w), m);
      i = slot_of(m, e.i);
    }
    m->n++;
  }
  m->keys[i] = e.i;
  m->values[i] = value;
}

uint32_t walk_value(const Walk *w, ExprId e) {
  uint32_t i = slot_of(&w->seen, e.i);
  return w->seen.keys[i] ? w->seen.values[i] : 0;
}

static bool seen(const Walk *w, uint32_t id) { return w->seen.keys[slot_of(&w->seen, id)] != 0; }

/* ---- walk ---- */

Arena *walk_scratch(Walk *w) {
  if (!w->scratch)
    w->scratch = arena_new(arena_memory(pool_arena(w->pool)));
  return w->scratch;
}

static void push(Walk *w, ExprId e) {
  if (w->n == w->room)
    w->stack = vec_grow(walk_scratch(w), w->stack, w->n, &w->room, sizeof *w->stack);
  w->stack[w->n++] = (WalkFrame){e.i, 0};
}

void walk_begin(Walk *w, const ExprPool *p, ExprId root) {
  w->pool = p;
  w->needs = NULL;
  w->user = NULL;
  w->scratch = NULL;
  w->seen.n = 0;
  w->seen.room = IDMAP_INLINE;
  w->seen.keys = w->seen.inline_keys;
  w->seen.values = w->seen.inline_values;
  memset(w->seen.inline_keys, 0, sizeof w->seen.inline_keys);
  w->stack = w->inline_stack;
  w->n = 0;
  w->room = STACK_INLINE;
  if (root.i)
    push(w, root);
}

void walk_end(Walk *w) { arena_free(w->scratch); }

ExprId walk_next(Walk *w) {
  while (w->n) {
    WalkFrame *top = &w->stack[w->n - 1];
    const Expr *e = expr_get(w->pool, (ExprId){top->id});
    ExprId deeper = NO_EXPR;
    while (top->next < e->n && !deeper.i) {
      uint32_t k = top->next++;
      if (e->args[k].i && !seen(w, e->args[k].i) && (!w->needs || w->needs(w->user, e, k)))
        deeper = e->args[k];
    }
    if (deeper.i) {
      push(w, deeper);
      continue;
    }
    ExprId done = {top->id};
    w->n--;
    walk_set(w, done, 0);
    return done;
  }
  return NO_EXPR;
}

void expr_walk(const ExprPool *p, ExprId e, void (*visit)(void *user, ExprId e), void *user) {
  Walk w;
  walk_begin(&w, p, e);
  for (ExprId x = walk_next(&w); x.i; x = walk_next(&w))
    visit(user, x);
  walk_end(&w);
}

/* ---- rewrite ---- */

static ExprId rebuild(Walk *w, ExprPool *p, ExprId id) {
  const Expr *e = expr_get(p, id);
  ExprId small[16], *args = e->n <= 16 ? small : NEW_ARRAY(walk_scratch(w), ExprId, e->n);
  bool changed = false;
  for (uint32_t i = 0; i < e->n; i++) {
    args[i] = e->args[i].i ? (ExprId){walk_value(w, e->args[i])} : NO_EXPR;
    changed |= args[i].i != e->args[i].i;
  }
  return changed ? expr_with_args(p, e, args) : id;
}

ExprId expr_rewrite(ExprPool *p, ExprId e, ExprId (*replace)(void *user, ExprId rebuilt),
                    void *user) {
  Walk w;
  walk_begin(&w, p, e);
  for (ExprId x = walk_next(&w); x.i; x = walk_next(&w)) {
    ExprId fresh = rebuild(&w, p, x);
    ExprId other = replace(user, fresh);
    walk_set(&w, x, other.i ? other.i : fresh.i);
  }
  ExprId result = e.i ? (ExprId){walk_value(&w, e)} : NO_EXPR;
  walk_end(&w);
  return result;
}
