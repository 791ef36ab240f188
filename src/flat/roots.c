/* flat/roots.c -- overconstrained connectors: which connections are equalities and which would say
 * too much (MLS 3.6 9.4). Nodes are the parts of connectors whose type has a function
 * equalityConstraint. Connections.branch gives edges that stay, connect gives edges that may be
 * broken. Trees grow from all definite roots at once; a connect that would join two rooted trees or
 * close a loop is broken: it becomes equalityConstraint(a, b) = 0. */
#include "flat/flatten_impl.h"

#include <string.h>

enum { NO_ROOT = INT32_MAX };

typedef struct {
  End end;
  uint32_t parent;  /* union-find */
  bool definite;    /* Connections.root */
  int64_t priority; /* of a potential root; NO_ROOT if it is none */
  bool is_root;
  uint32_t distance; /* edges to the root of its tree */
} RootNode;

typedef struct {
  uint32_t a, b;
  bool optional, broken;
  End from, to; /* of a connect: with the sides they are seen from */
  Class *scope;
  const AstEquation *eq;
  uint32_t origin;
} RootEdge;

struct RootGraph {
  VEC(RootNode) nodes;
  VEC(RootEdge) edges;
  Map by_element; /* Element* -> its first node + 1 */
};

RootGraph *roots_new(Flattener *fl) { return NEW(fl->arena, RootGraph); }

static Func *constraint_of(Flattener *fl, Element *e, bool *has) {
  World *w = fl->w;
  Class *view = e->items                              ? e->items[0]
                : e->type_class && e->type_class->def ? class_view(w, e->type_class)
                                                      : NULL;
  Element *f = view ? lookup_in(w, view, intern_str(w->names, "equalityConstraint")) : NULL;
  *has = f && f->kind == ELEMENT_CLASS;
  return *has ? function_get(w, class_view(w, f)) : NULL;
}

bool roots_is_node(Flattener *fl, Element *e) {
  if (!e->type_class || !e->type_class->def || (!e->items && e->type_class->def->form == FORM_ENUM))
    return false;
  bool has;
  constraint_of(fl, e, &has);
  return has;
}

static uint32_t node_of(Flattener *fl, End end) {
  RootGraph *g = fl->roots;
  uint64_t first = 0;
  if (!map_get(&g->by_element, (uint64_t)(uintptr_t)end.e, &first)) {
    first = g->nodes.n + 1;
    map_put(fl->arena, &g->by_element, (uint64_t)(uintptr_t)end.e, first);
    for (uint32_t k = 0; k < (end.e->n_items ? end.e->n_items : 1); k++) {
      uint32_t fresh = g->nodes.n;
      vec_push(fl->arena, &g->nodes,
               (RootNode){.end = {end.e, k, false},
                          .parent = fresh,
                          .priority = NO_ROOT,
                          .distance = UINT32_MAX});
    }
  }
  return (uint32_t)first - 1 + (end.e->n_items ? end.item : 0);
}

static uint32_t tree_of(RootGraph *g, uint32_t i) {
  while (g->nodes.at[i].parent != i)
    i = g->nodes.at[i].parent = g->nodes.at[g->nodes.at[i].parent].parent;
  return i;
}

static bool one_end(Flattener *fl, Elab *el, const AstExp *arg, End *out, bool *absent) {
  Ends ends = {0};
  if (arg->kind != AST_REF) {
    elab_error(el, D_T304, arg->span, "a part of a connector is needed here");
    return false;
  }
  if (!connect_ends(fl, el, arg->ref, false, &ends, absent) || *absent)
    return false;
  if (!ends.n || !roots_is_node(fl, ends.at[0].e)) {
    elab_error(el, D_T304, arg->span, "this has no type with a function equalityConstraint");
    return false;
  }
  *out = ends.at[0];
  return true;
}

bool roots_call(Flattener *fl, Elab *el, const AstEquation *eq) {
  const AstExp *call = eq->call;
  const char *name = call->function->parts[1].name;
  RootGraph *g = fl->roots;
  bool absent = false;
  End a, b;
  if (!call->n || !one_end(fl, el, call->args[0].value, &a, &absent))
    return true;
  uint32_t n = node_of(fl, a);
  if (strcmp(name, "root") == 0) {
    g->nodes.at[n].definite = true;
  } else if (strcmp(name, "potentialRoot") == 0) {
    int64_t priority = 0;
    if (call->n > 1 && !elab_integer(el, call->args[1].value, &priority, "a priority"))
      return true;
    g->nodes.at[n].priority = priority;
  } else if (strcmp(name, "branch") == 0 && call->n == 2) {
    if (one_end(fl, el, call->args[1].value, &b, &absent)) {
      uint32_t to = node_of(fl, b);
      vec_push(fl->arena, &g->edges,
               (RootEdge){.a = n, .b = to, .eq = eq, .scope = el->scope, .origin = fl->origin});
    }
  } else {
    elab_error(el, D_X001, call->span, "`Connections.%s` is not supported yet", name);
  }
  return true;
}

void roots_connect(Flattener *fl, Elab *el, const AstEquation *eq, End a, End b) {
  uint32_t from = node_of(fl, a), to = node_of(fl, b);
  vec_push(fl->arena, &fl->roots->edges,
           (RootEdge){.a = from,
                      .b = to,
                      .optional = true,
                      .from = a,
                      .to = b,
                      .scope = el->scope,
                      .eq = eq,
                      .origin = fl->origin});
}

/* ---- trees ---- */

static void join(Flattener *fl, RootEdge *e) {
  RootGraph *g = fl->roots;
  uint32_t a = tree_of(g, e->a), b = tree_of(g, e->b);
  bool two_roots = g->nodes.at[a].definite && g->nodes.at[b].definite;
  if (a == b || two_roots) {
    e->broken = e->optional;
    if (!e->optional)
      diag_add(fl->diags, D_C003, e->eq->span,
               a == b ? "this branch closes a loop of branches" : "this branch joins two roots");
    return;
  }
  uint32_t first = a < b ? a : b, second = a < b ? b : a;
  g->nodes.at[second].parent = first;
  g->nodes.at[first].definite |= g->nodes.at[second].definite;
}

/* Trees without a definite root take the potential root of lowest priority, the first of
 * several. */
static void choose_roots(RootGraph *g, const bool *definite) {
  for (uint32_t i = 0; i < g->nodes.n; i++)
    if (definite[i]) {
      g->nodes.at[i].is_root = true;
      g->nodes.at[i].distance = 0;
    }
  for (uint32_t tree = 0; tree < g->nodes.n; tree++) {
    if (tree_of(g, tree) != tree || g->nodes.at[tree].definite)
      continue;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < g->nodes.n; i++)
      if (tree_of(g, i) == tree && g->nodes.at[i].priority != NO_ROOT &&
          (best == UINT32_MAX || g->nodes.at[i].priority < g->nodes.at[best].priority))
        best = i;
    if (best == UINT32_MAX)
      continue;
    g->nodes.at[best].is_root = true;
    g->nodes.at[best].distance = 0;
  }
}

/* Distances from the roots, by rounds over the edges that stay. */
static void measure(RootGraph *g) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < g->edges.n; i++) {
      const RootEdge *e = &g->edges.at[i];
      if (e->broken)
        continue;
      uint32_t *da = &g->nodes.at[e->a].distance, *db = &g->nodes.at[e->b].distance;
      if (*da != UINT32_MAX && *da + 1 < *db) {
        *db = *da + 1;
        changed = true;
      } else if (*db != UINT32_MAX && *db + 1 < *da) {
        *da = *db + 1;
        changed = true;
      }
    }
  }
}

/* equalityConstraint(a, b) = 0 */
static void constrain(Flattener *fl, const RootEdge *e) {
  World *w = fl->w;
  bool has;
  Func *f = constraint_of(fl, e->from.e, &has);
  if (!f)
    return;
  Elab el = {.w = w, .scope = e->scope};
  ExprId args[2];
  const End *ends[2] = {&e->from, &e->to};
  for (uint32_t i = 0; i < 2; i++) {
    Element *x = ends[i]->e;
    args[i] = expr_make_ref(w->pool, OP_REF, x->type, x, 0, NULL);
    if (x->n_dims && x->items) {
      ExprId sub[2] = {args[i], expr_integer(w->pool, ends[i]->item + 1)};
      args[i] = expr_make(w->pool, OP_INDEX, type_element(w->pool, x->type, 1), 2, sub);
    }
  }
  ExprId residue = elab_apply(&el, f, 2, args, e->eq->span);
  uint32_t n;
  ExprId *parts;
  if (!residue.i || !flatten_scalars(fl, residue, e->eq->span, &n, &parts))
    return;
  for (uint32_t k = 0; k < n; k++) {
    FlatEquation *eq = flat_equation(fl->arena, FEQ_EQUAL, e->eq->span);
    eq->from = FROM_CONNECT;
    eq->origin = e->origin;
    eq->lhs = parts[k];
    eq->rhs = expr_real(w->pool, 0);
    vec_push(fl->arena, &fl->m->equations, eq);
  }
}

void roots_solve(Flattener *fl) {
  RootGraph *g = fl->roots;
  bool *definite = NEW_ARRAY(fl->arena, bool, g->nodes.n + 1);
  for (uint32_t i = 0; i < g->nodes.n; i++)
    definite[i] = g->nodes.at[i].definite;
  for (uint32_t i = 0; i < g->edges.n; i++)
    if (!g->edges.at[i].optional)
      join(fl, &g->edges.at[i]);
  for (uint32_t i = 0; i < g->edges.n; i++)
    if (g->edges.at[i].optional)
      join(fl, &g->edges.at[i]);
  choose_roots(g, definite);
  measure(g);
  for (uint32_t i = 0; i < g->edges.n; i++) {
    const RootEdge *e = &g->edges.at[i];
    if (!e->optional)
      continue;
    Elab el = {.w = fl->w, .scope = e->scope};
    uint32_t before = fl->origin;
    fl->origin = e->origin;
    if (e->broken)
      constrain(fl, e);
    else
      connect_pair(fl, &el, e->eq, e->from, e->to);
    fl->origin = before;
  }
}

bool roots_is_root(Flattener *fl, End a) {
  uint32_t n = node_of(fl, a);
  return fl->roots->nodes.at[n].is_root;
}

/* Nearer to the root than the other end of its branch. */
bool roots_is_rooted(Flattener *fl, End a) {
  RootGraph *g = fl->roots;
  uint32_t n = node_of(fl, a);
  for (uint32_t i = 0; i < g->edges.n; i++) {
    const RootEdge *e = &g->edges.at[i];
    if (!e->optional && (e->a == n || e->b == n))
      return g->nodes.at[n].distance < g->nodes.at[e->a == n ? e->b : e->a].distance;
  }
  return g->nodes.at[n].is_root;
}
