/* expr/pool.c -- storage of types and nodes, each kept once (hash consing).
 * How:  nodes and types lie in chunks that never move; a table of indices with open addressing
 *       finds equal ones. Hashes mix addresses of declarations, but only the order of creation is
 *       visible, so equal input gives equal ids. A pool on another one shares its chunks, and
 *       begins a chunk of its own; what the other one gets later has ids that it does not see.
 * Keep: the arguments of a node have smaller ids than the node itself. A pool never writes to the
 *       one that it stands on. */
#include "expr/expr_impl.h"

#include <string.h>

#include "base/map.h"

enum {
  NODE_BITS = 10,
  NODE_CHUNK = 1 << NODE_BITS,
  TYPE_BITS = 7,
  TYPE_CHUNK = 1 << TYPE_BITS,
  ARGS_CHUNK = 4096,
  FIRST_ROOM = 1024 /* of either table; power of two */
};

/* Indices of nodes or types by hash; 0 = empty. */
typedef struct {
  uint32_t *slots, *hashes;
  uint32_t n, room;
} Table;

struct ExprPool {
  const ExprPool *base; /* that it stands on, with so many nodes and types of it; NULL: none */
  uint32_t base_nodes, base_types;
  void **nodes, **types; /* chunks of Expr and of Type, those of `base` among them */
  Arena *arena;
  uint32_t n_nodes, n_types;         /* index 0 counts */
  uint32_t node_chunks, type_chunks; /* room of the chunk lists */
  Table node_table, type_table;
  ExprId *free_args;
  uint32_t n_free_args;
  TypeId scalars[TY_TUPLE + 1]; /* types without declaration and dimensions */
  struct Tangent *tangents;     /* diff_func.c */
};

/* ---- table ---- */

static void table_insert(Table *t, uint32_t hash, uint32_t index) {
  uint32_t i = hash & (t->room - 1);
  while (t->slots[i])
    i = (i + 1) & (t->room - 1);
  t->slots[i] = index;
  t->hashes[i] = hash;
  t->n++;
}

static void table_add(Table *t, Arena *a, uint32_t hash, uint32_t index) {
  if ((uint64_t)(t->n + 1) * 4 > (uint64_t)t->room * 3) {
    Table old = *t;
    if (old.room > UINT32_MAX / 4)
      mem_exhausted(arena_memory(a));
    t->room = old.room ? old.room * 2 : FIRST_ROOM;
    t->n = 0;
    t->slots = NEW_ARRAY(a, uint32_t, t->room);
    t->hashes = NEW_ARRAY(a, uint32_t, t->room);
    for (uint32_t i = 0; i < old.room; i++)
      if (old.slots[i])
        table_insert(t, old.hashes[i], old.slots[i]);
  }
  table_insert(t, hash, index);
}

/* ---- pool ---- */

/* Room for item `n` of a chunked list. */
static void *chunk_place(Arena *a, void ***chunks, uint32_t *room, uint32_t n, uint32_t bits,
                         size_t item) {
  uint32_t c = n >> bits;
  if (c >= *room) {
    uint32_t more = *room ? *room * 2 : 16;
    void **fresh = NEW_ARRAY(a, void *, more);
    if (*room)
      memcpy(fresh, *chunks, sizeof(void *) * *room);
    *chunks = fresh;
    *room = more;
  }
  if (!(*chunks)[c])
    (*chunks)[c] = arena_alloc(a, item << bits);
  return (char *)(*chunks)[c] + item * (n & ((1u << bits) - 1));
}

ExprPool *pool_new(Arena *a) {
  ExprPool *p = NEW(a, ExprPool);
  p->arena = a;
  Expr *none = chunk_place(a, &p->nodes, &p->node_chunks, p->n_nodes++, NODE_BITS, sizeof(Expr));
  none->op = OP_COUNT;
  Type *no_type = chunk_place(a, &p->types, &p->type_chunks, p->n_types++, TYPE_BITS, sizeof(Type));
  no_type->base = TY_NONE;
  for (TypeBase b = TY_REAL; b <= TY_TUPLE; b++)
    p->scalars[b] = type_of_decl(p, b, NULL);
  return p;
}

static void **copy_chunks(Arena *a, void *const *chunks, uint32_t room) {
  void **copy = NEW_ARRAY(a, void *, room);
  memcpy(copy, chunks, sizeof(void *) * room);
  return copy;
}

/* The first index of a chunk that nothing is in yet. */
static uint32_t next_chunk(uint32_t n, uint32_t bits) {
  uint64_t next = ((((uint64_t)n - 1) >> bits) + 1) << bits;
  return next < UINT32_MAX ? (uint32_t)next : UINT32_MAX;
}

ExprPool *pool_on(const ExprPool *base, Arena *a) {
  ExprPool *p = NEW(a, ExprPool);
  *p = (ExprPool){.base = base,
                  .base_nodes = base->n_nodes,
                  .base_types = base->n_types,
                  .nodes = copy_chunks(a, base->nodes, base->node_chunks),
                  .types = copy_chunks(a, base->types, base->type_chunks),
                  .arena = a,
                  .n_nodes = next_chunk(base->n_nodes, NODE_BITS),
                  .n_types = next_chunk(base->n_types, TYPE_BITS),
                  .node_chunks = base->node_chunks,
                  .type_chunks = base->type_chunks,
                  .tangents = base->tangents};
  memcpy(p->scalars, base->scalars, sizeof p->scalars);
  return p;
}

Arena *pool_arena(const ExprPool *p) { return p->arena; }
uint32_t pool_size(const ExprPool *p) { return p->n_nodes; }

/* ---- types ---- */

static uint32_t type_hash(const Type *t) {
  uint64_t h = hash_mix(t->base, t->n_dims);
  for (uint32_t i = 0; i < t->n_dims; i++)
    h = hash_mix(h, (uint64_t)(uint32_t)t->dims[i]);
  if (t->base != TY_TUPLE || !t->decl)
    return (uint32_t)hash_mix(h, (uint64_t)(uintptr_t)t->decl);
  for (uint32_t i = 0; i < t->decl->n; i++)
    h = hash_mix(h, t->decl->types[i].i);
  return (uint32_t)h;
}

/* Tuples compare by their members, all else by address. */
static bool decl_equal(TypeBase base, const TypeDecl *a, const TypeDecl *b) {
  if (a == b || base != TY_TUPLE || !a || !b)
    return a == b;
  return a->n == b->n && (a->n == 0 || memcmp(a->types, b->types, sizeof(TypeId) * a->n) == 0);
}

static bool type_equal(const Type *a, const Type *b) {
  return a->base == b->base && a->n_dims == b->n_dims && decl_equal(a->base, a->decl, b->decl) &&
         (a->n_dims == 0 || memcmp(a->dims, b->dims, sizeof(int32_t) * a->n_dims) == 0);
}

static TypeId find_type(const ExprPool *p, uint32_t hash, const Type *key) {
  const Table *t = &p->type_table;
  for (uint32_t i = hash & (t->room - 1); t->room && t->slots[i]; i = (i + 1) & (t->room - 1))
    if (t->hashes[i] == hash && type_equal(type_get(p, (TypeId){t->slots[i]}), key))
      return (TypeId){t->slots[i]};
  return NO_TYPE;
}

/* `key->dims` is copied; a tuple's declaration is copied when `key` is new. */
static TypeId share_type(ExprPool *p, const Type *key) {
  uint32_t hash = type_hash(key);
  uint32_t end = UINT32_MAX;
  for (const ExprPool *in = p; in; end = in->base_types, in = in->base) {
    TypeId known = find_type(in, hash, key);
    if (known.i && known.i < end)
      return known;
  }
  TypeId id = {p->n_types};
  Type *fresh = chunk_place(p->arena, &p->types, &p->type_chunks, p->n_types++, TYPE_BITS,
                            sizeof(Type));
  *fresh = *key;
  if (key->n_dims) {
    int32_t *dims = NEW_ARRAY(p->arena, int32_t, key->n_dims);
    memcpy(dims, key->dims, sizeof(int32_t) * key->n_dims);
    fresh->dims = dims;
  }
  table_add(&p->type_table, p->arena, hash, id.i);
  return id;
}

TypeId type_scalar(ExprPool *p, TypeBase base) { return p->scalars[base]; }

TypeId type_of_decl(ExprPool *p, TypeBase base, const TypeDecl *decl) {
  return share_type(p, &(Type){.base = base, .decl = decl});
}

TypeId type_array(ExprPool *p, TypeId element, uint32_t n_dims, const int32_t *dims) {
  if (!n_dims || !element.i)
    return element;
  Type key = *type_get(p, element);
  uint32_t n = n_dims + key.n_dims;
  int32_t small[8], *all = n <= 8 ? small : NEW_ARRAY(p->arena, int32_t, n);
  memcpy(all, dims, sizeof(int32_t) * n_dims);
  if (key.n_dims)
    memcpy(all + n_dims, key.dims, sizeof(int32_t) * key.n_dims);
  key.n_dims = n;
  key.dims = all;
  return share_type(p, &key);
}

TypeId type_element(ExprPool *p, TypeId array, uint32_t n_subs) {
  Type key = *type_get(p, array);
  if (n_subs > key.n_dims)
    n_subs = key.n_dims;
  if (n_subs == 0)
    return array;
  key.n_dims -= n_subs;
  key.dims = key.n_dims ? key.dims + n_subs : NULL;
  return share_type(p, &key);
}

TypeId pool_array_of_base(ExprPool *p, TypeBase base, const Type *shape) {
  return type_array(p, type_scalar(p, base), shape->n_dims, shape->dims);
}

TypeId type_tuple(ExprPool *p, uint32_t n, const TypeId *types) {
  TypeDecl *d = NEW(p->arena, TypeDecl);
  d->name = "";
  d->n = n;
  d->types = NEW_ARRAY(p->arena, TypeId, n);
  if (n)
    memcpy(d->types, types, sizeof(TypeId) * n);
  return type_of_decl(p, TY_TUPLE, d);
}

const Type *type_get(const ExprPool *p, TypeId t) {
  return (const Type *)p->types[t.i >> TYPE_BITS] + (t.i & (TYPE_CHUNK - 1));
}

bool type_is_scalar(const ExprPool *p, TypeId t) {
  const Type *y = type_get(p, t);
  return y->n_dims == 0 && y->base != TY_NONE && y->base != TY_RECORD && y->base != TY_TUPLE;
}

bool type_is_numeric(const ExprPool *p, TypeId t) {
  TypeBase b = type_get(p, t)->base;
  return b == TY_REAL || b == TY_INTEGER;
}

int64_t type_count(const ExprPool *p, TypeId t) {
  const Type *y = type_get(p, t);
  int64_t n = y->base != TY_NONE;
  if (y->base == TY_RECORD || y->base == TY_TUPLE) {
    n = 0;
    for (uint32_t i = 0; y->decl && i < y->decl->n; i++) {
      int64_t m = type_count(p, y->decl->types[i]);
      if (m < 0 || __builtin_add_overflow(n, m, &n))
        return -1;
    }
  }
  for (uint32_t i = 0; i < y->n_dims; i++)
    if (y->dims[i] < 0 || __builtin_mul_overflow(n, (int64_t)y->dims[i], &n))
      return -1;
  return n;
}

struct Tangent **pool_tangents(ExprPool *p) {
  return &p->tangents;
}

/* ---- nodes ---- */

const Expr *expr_get(const ExprPool *p, ExprId e) {
  return (const Expr *)p->nodes[e.i >> NODE_BITS] + (e.i & (NODE_CHUNK - 1));
}

static uint64_t payload_bits(const Expr *e) {
  uint64_t bits;
  _Static_assert(sizeof bits == sizeof e->real, "payload is 64 bits");
  memcpy(&bits, &e->integer, sizeof bits);
  return bits;
}

static bool payload_equal(const Expr *a, const Expr *b) {
  return a->op == OP_STRING ? !strcmp(a->string, b->string) : payload_bits(a) == payload_bits(b);
}

static uint32_t node_hash(const Expr *e) {
  uint64_t payload = e->op == OP_STRING ? hash_bytes(e->string, strlen(e->string))
                                        : payload_bits(e);
  uint64_t h = hash_mix(((uint64_t)e->op << 32) | e->type.i, payload);
  h = hash_mix(h, ((uint64_t)e->payload2 << 32) | e->n);
  for (uint32_t i = 0; i < e->n; i++)
    h = hash_mix(h, e->args[i].i);
  return (uint32_t)h;
}

static bool node_equal(const Expr *a, const Expr *b) {
  return a->op == b->op && a->type.i == b->type.i && a->n == b->n && a->payload2 == b->payload2 &&
         payload_equal(a, b) && (a->n == 0 || memcmp(a->args, b->args, sizeof(ExprId) * a->n) == 0);
}

static const ExprId *copy_args(ExprPool *p, const ExprId *args, uint32_t n) {
  if (n == 0)
    return NULL;
  if (n > p->n_free_args) {
    uint32_t room = n > ARGS_CHUNK ? n : ARGS_CHUNK;
    p->free_args = NEW_ARRAY(p->arena, ExprId, room);
    p->n_free_args = room;
  }
  ExprId *copy = p->free_args;
  memcpy(copy, args, sizeof(ExprId) * n);
  p->free_args += n;
  p->n_free_args -= n;
  return copy;
}

static ExprId find_node(const ExprPool *p, uint32_t hash, const Expr *key) {
  const Table *t = &p->node_table;
  for (uint32_t i = hash & (t->room - 1); t->room && t->slots[i]; i = (i + 1) & (t->room - 1))
    if (t->hashes[i] == hash && node_equal(expr_get(p, (ExprId){t->slots[i]}), key))
      return (ExprId){t->slots[i]};
  return NO_EXPR;
}

ExprId pool_share(ExprPool *p, const Expr *key) {
  uint32_t hash = node_hash(key);
  uint32_t end = UINT32_MAX;
  for (const ExprPool *in = p; in; end = in->base_nodes, in = in->base) {
    ExprId known = find_node(in, hash, key);
    if (known.i && known.i < end)
      return known;
  }
  if (p->n_nodes == UINT32_MAX)
    mem_exhausted(arena_memory(p->arena));
  ExprId id = {p->n_nodes};
  Expr *fresh = chunk_place(p->arena, &p->nodes, &p->node_chunks, p->n_nodes++, NODE_BITS,
                            sizeof(Expr));
  *fresh = *key;
  fresh->args = copy_args(p, key->args, key->n);
  if (key->op == OP_STRING)
    fresh->string = arena_strdup(p->arena, key->string);
  table_add(&p->node_table, p->arena, hash, id.i);
  return id;
}
