/* flat/connect.c -- connect-clauses -> connection sets -> equations (MLS 3.6 sections 9.1 to 9.3).
 * Every scalar of a connector is a node of a union-find forest; flow variables have two nodes, one
 * seen from inside of the component that owns the connector (outside connector) and one seen from
 * around it (inside connector). A set of potentials gives equalities, a set of flows a sum to zero;
 * a flow that nobody connects is zero. */
#include "flat/flatten_impl.h"

#include <string.h>

typedef struct {
  uint32_t var;
  bool outside;
  bool flow;
  uint32_t parent; /* union-find */
  Span span;       /* the connect that brought it into its set */
  uint32_t origin;
} Node;

struct ConnectSets {
  Signals *signals;
  VEC(Node) nodes;
  Map by_key;           /* var * 2 + outside -> node */
  VEC(uint32_t) counts; /* how often each connector is connected */
  Map by_element;       /* Element* -> the first of its counts + 1 */
};

ConnectSets *connect_new(Flattener *fl) {
  ConnectSets *s = NEW(fl->arena, ConnectSets);
  s->signals = signals_new(fl);
  return s;
}

/* ---- union-find ---- */

static uint32_t find(ConnectSets *s, uint32_t i) {
  while (s->nodes.at[i].parent != i) {
    s->nodes.at[i].parent = s->nodes.at[s->nodes.at[i].parent].parent;
    i = s->nodes.at[i].parent;
  }
  return i;
}

static uint32_t node(Flattener *fl, uint32_t var, bool outside, bool flow) {
  ConnectSets *s = fl->connects;
  uint64_t key = (uint64_t)var * 2 + (flow && outside), found;
  if (map_get(&s->by_key, key, &found))
    return (uint32_t)found;
  uint32_t fresh = s->nodes.n;
  vec_push(fl->arena, &s->nodes,
           (Node){.var = var, .outside = outside, .flow = flow, .parent = fresh});
  map_put(fl->arena, &s->by_key, key, fresh);
  return fresh;
}

static void link_nodes(Flattener *fl, uint32_t a, uint32_t b, Span span) {
  ConnectSets *s = fl->connects;
  uint32_t ra = find(s, a), rb = find(s, b);
  Node *from = &s->nodes.at[a], *to = &s->nodes.at[b];
  if (!to->span.lo) {
    to->span = span;
    to->origin = fl->origin;
  }
  if (!from->span.lo) {
    from->span = span;
    from->origin = fl->origin;
  }
  if (ra < rb) /* the oldest node leads: equal models give equal sets */
    s->nodes.at[rb].parent = ra;
  else
    s->nodes.at[ra].parent = rb;
}

/* ---- what a reference names ---- */

typedef VEC(uint32_t) Items;

/* Item numbers that the subscripts of one part select, in order. */
static bool select_items(Elab *el, Element *e, const AstRefPart *part, Items *out) {
  World *w = el->w;
  if (part->n_subs > e->n_dims) {
    elab_error(el, D_T302, part->span, "%u subscripts, but `%s` has %u dimensions", part->n_subs,
               e->name, e->n_dims);
    return false;
  }
  vec_push(w->arena, out, 0);
  for (uint32_t d = 0; d < e->n_dims; d++) {
    Value v = {0};
    bool all = d >= part->n_subs || part->subs[d]->kind == AST_COLON;
    if (!all) {
      Elab inner = *el;
      ExprPool *p = w->pool;
      /* `end` is the size of the dimension */
      ExprId size[2] = {expr_integer(p, 1), expr_integer(p, e->dims[d])};
      inner.end_of = expr_make(p, OP_FILL,
                               type_array(p, type_scalar(p, TY_INTEGER), 1, &e->dims[d]), 2, size);
      inner.end_dim = 0;
      ExprId s = elab_exp(&inner, part->subs[d]);
      if (!s.i || !elab_evaluate(el, s, part->subs[d]->span, &v))
        return false;
      if (type_get(p, v.type)->base == TY_BOOLEAN)
        for (uint32_t k = 0; k < v.n; k++)
          v.at[k].integer++;
    }
    uint32_t n = all ? (uint32_t)e->dims[d] : v.n;
    Items next = {0};
    for (uint32_t i = 0; i < out->n; i++)
      for (uint32_t k = 0; k < n; k++) {
        int64_t number = all ? (int64_t)k : v.at[k].integer - 1;
        if (number < 0 || number >= e->dims[d]) {
          elab_error(el, D_T303, part->subs[d]->span, "subscript %lld is out of range 1:%d",
                     (long long)number + 1, e->dims[d]);
          return false;
        }
        vec_push(w->arena, &next, out->at[i] * (uint32_t)e->dims[d] + (uint32_t)number);
      }
    *out = next;
  }
  return true;
}

typedef struct {
  Flattener *fl;
  Elab *el;
  const AstRef *ref;
  bool connectors;
  Ends *out;
  bool *absent;
  MissingElement *missing; /* NULL: every name must exist */
} Search;

static bool find_ends(Search *s, Element *e, uint32_t i, bool outside) {
  Flattener *fl = s->fl;
  Elab *el = s->el;
  const AstRef *ref = s->ref;
  World *w = fl->w;
  const AstRefPart *part = &ref->parts[i];
  if (e->kind != ELEMENT_COMPONENT) {
    elab_error(el, D_C002, part->span, "`%s` is a class, not a connector", part->name);
    return false;
  }
  if (!element_resolve(w, e))
    return false;
  e = element_meant(w, e);
  if (e->absent) {
    *s->absent = true;
    return true;
  }
  if (i == 0)
    outside = e->is_connector;
  Items items = {0};
  if (!select_items(el, e, part, &items))
    return false;
  bool last = i + 1 == ref->n;
  /* All parts of a bus are connectors */
  bool is_connector = e->is_connector || class_self(e->owner)->kind == CLASS_EXPANDABLE;
  if (i && !last && s->connectors && !is_connector) {
    elab_error(el, D_C002, ref->span,
               "`%s` is inside of a component: only connectors of this class and of its components "
               "can be connected",
               part->name);
    return false;
  }
  if (last && s->connectors && !is_connector) {
    bool named = e->type_class && e->type_class->predefined == TY_NONE;
    Diag *d = diag_add(fl->diags, D_C002, ref->span, "`%s` is not a connector%s%s%s", part->name,
                       named ? ", but of class `" : "", named ? e->type_class->name : "",
                       named ? "`" : "");
    diag_label(fl->diags, d, e->ast->span, "declared here");
    return false;
  }
  for (uint32_t k = 0; k < items.n; k++) {
    if (last) {
      vec_push(fl->arena, s->out, (End){e, items.at[k], outside});
      continue;
    }
    Element *next = e->items ? lookup_in(w, e->items[items.at[k]], ref->parts[i + 1].name) : NULL;
    if (!next && s->missing && i + 2 == ref->n && e->items &&
        e->items[items.at[k]]->kind == CLASS_EXPANDABLE) {
      *s->missing = (MissingElement){e->items[items.at[k]], &ref->parts[i + 1]};
      return true;
    }
    if (!next) {
      lookup_report(w, e->items ? NULL : el->scope, e->items ? e->items[items.at[k]] : NULL,
                    ref->parts[i + 1].name, ref->parts[i + 1].span, "connector");
      return false;
    }
    if (next->is_protected) {
      elab_error(el, D_N005, ref->parts[i + 1].span, "`%s` is protected in `%s`", next->name,
                 class_full_name(e->items[items.at[k]]));
      return false;
    }
    if (!find_ends(s, next, i + 1, outside))
      return false;
  }
  return true;
}

bool connect_ends(Flattener *fl, Elab *el, const AstRef *ref, bool connectors, Ends *out,
                  bool *absent) {
  Element *e = lookup_simple(fl->w, el->scope, ref->parts[0].name);
  if (!e) {
    lookup_report(fl->w, el->scope, NULL, ref->parts[0].name, ref->parts[0].span, "connector");
    return false;
  }
  if (!reach_enclosing(fl->w, el->scope, e, ref->parts[0].span))
    return false;
  Search s = {fl, el, ref, connectors, out, absent, NULL};
  return find_ends(&s, e, 0, false);
}

bool connect_ends_or_missing(Flattener *fl, Elab *el, const AstRef *ref, Ends *out, bool *absent,
                             MissingElement *missing) {
  Element *e = lookup_simple(fl->w, el->scope, ref->parts[0].name);
  Search s = {fl, el, ref, true, out, absent, missing};
  return e && find_ends(&s, e, 0, false);
}

/* ---- pairs ---- */

typedef struct {
  Flattener *fl;
  Elab *el;
  const AstEquation *eq;
} Pairing;

static void mismatch(Pairing *p, const Element *a, const Element *b, const char *why) {
  Diag *d = diag_add(p->fl->diags, D_C001, p->eq->span, "these connectors do not fit: %s", why);
  diag_label(p->fl->diags, d, a->ast->span, "`%s`", a->name);
  diag_label(p->fl->diags, d, b->ast->span, "`%s`", b->name);
  diag_origin(p->fl->diags, d, class_self(p->el->scope)->path);
}

static void pair(Pairing *p, End a, End b);

/* Does the value come from this end: an output of a component, or a public input of the class whose
 * text it is? */
static bool is_source(End end) {
  bool hidden = false;
  for (const Element *e = end.e; e && end.outside && e->is_connector;
       e = class_self(e->owner)->component)
    hidden |= e->is_protected;
  return !hidden && end.e->direction == (end.outside ? DIR_INPUT : DIR_OUTPUT);
}

/* Parameters meet parameters, constants meet constants, and their values must be the same (MLS
 * 9.3). */
static void pair_fixed(Pairing *p, End a, End b, uint32_t ka, uint32_t kb) {
  Flattener *fl = p->fl;
  if (a.e->variability != b.e->variability) {
    mismatch(p, a.e, b.e,
             "parameters can only be connected with parameters, constants with constants");
    return;
  }
  bool structural = a.e->variability == VAR_CONSTANT || (a.e->structural && b.e->structural);
  Value x, y;
  if (structural && element_value(fl->w, a.e, &x, NULL) && element_value(fl->w, b.e, &y, NULL) &&
      ka < x.n && kb < y.n) {
    ExprId one = expr_of_value(
        fl->w->pool, &(Value){type_element(fl->w->pool, x.type, a.e->n_dims), 1, &x.at[ka]});
    ExprId other = expr_of_value(
        fl->w->pool, &(Value){type_element(fl->w->pool, y.type, b.e->n_dims), 1, &y.at[kb]});
    if (!expr_same(one, other))
      mismatch(p, a.e, b.e, "their values differ");
    return;
  }
  if (!a.e->first_var || !b.e->first_var)
    return;
  ExprPool *pool = fl->w->pool;
  ExprId both[2] = {flat_var_expr(fl->m, a.e->first_var - 1 + ka),
                    flat_var_expr(fl->m, b.e->first_var - 1 + kb)};
  FlatEquation *eq = flat_equation(fl->arena, FEQ_ASSERT, p->eq->span);
  eq->from = FROM_CONNECT;
  eq->origin = fl->origin;
  eq->lhs = expr_make(pool, OP_EQ, type_scalar(pool, TY_BOOLEAN), 2, both);
  eq->rhs = expr_string(pool,
                        arena_printf(fl->arena, "the connected parameters `%s` and `%s` differ",
                                     fl->m->vars.at[a.e->first_var - 1 + ka].name,
                                     fl->m->vars.at[b.e->first_var - 1 + kb].name));
  eq->level = expr_integer(pool, 2);
  vec_push(fl->arena, &fl->m->equations, eq);
}

/* A signal comes from one place, also along several connections. */
static bool one_source(Pairing *p, End a, End b, uint32_t ka, uint32_t kb) {
  Flattener *fl = p->fl;
  SignalEnd x = {a.e->first_var - 1 + ka, a.outside, is_source(a)},
            y = {b.e->first_var - 1 + kb, b.outside, is_source(b)};
  uint32_t sources[2];
  if (signals_link(fl, fl->connects->signals, &x, &y, sources))
    return true;
  elab_error(p->el, D_C001, p->eq->span,
             "this connection joins two sources of one signal, `%s` and `%s`",
             fl->m->vars.at[sources[0]].name, fl->m->vars.at[sources[1]].name);
  return false;
}

static bool refuse_switch(Pairing *p, const char *what) {
  if (what)
    elab_error(p->el, D_X001, p->eq->span,
               "a connection of %s under a condition that changes in time is not supported yet",
               what);
  return what != NULL;
}

/* Potentials and flows of two connectors that are connected from time to time. */
static void pair_switched(Pairing *p, End a, End b, uint32_t ka, uint32_t kb) {
  Flattener *fl = p->fl;
  uint32_t x = a.e->first_var - 1 + ka, y = b.e->first_var - 1 + kb;
  if (refuse_switch(p, switch_refuses(fl, a.e)) || refuse_switch(p, switch_refuses(fl, b.e)))
    return;
  if (a.e->flow != FLOW_FLOW) {
    switch_potential(fl, x, y);
    return;
  }
  uint32_t through = switch_flow(fl, x, y, p->eq->span);
  uint32_t from = node(fl, x, a.outside, true), to = node(fl, y, b.outside, true);
  link_nodes(fl, from, node(fl, through, false, true), p->eq->span);
  link_nodes(fl, to, node(fl, through, true, true), p->eq->span);
}

static void pair_scalars(Pairing *p, End a, End b, uint32_t ka, uint32_t kb) {
  Flattener *fl = p->fl;
  World *w = fl->w;
  const Type *ta = type_get(w->pool, a.e->type), *tb = type_get(w->pool, b.e->type);
  if (ta->base != tb->base || ta->decl != tb->decl) {
    mismatch(p, a.e, b.e,
             arena_printf(fl->arena, "one is %s, the other %s", elab_type_text(p->el, a.e->type),
                          elab_type_text(p->el, b.e->type)));
    return;
  }
  if (a.e->flow != b.e->flow) {
    mismatch(p, a.e, b.e, "one is a flow variable, the other is not");
    return;
  }
  bool bus = class_self(a.e->owner)->kind == CLASS_EXPANDABLE ||
             class_self(b.e->owner)->kind == CLASS_EXPANDABLE;
  if (!bus && (a.e->direction == DIR_NONE) != (b.e->direction == DIR_NONE)) {
    mismatch(p, a.e, b.e, "one is an input or output, the other is neither");
    return;
  }
  if (a.e->variability >= VAR_PARAMETER || b.e->variability >= VAR_PARAMETER) {
    pair_fixed(p, a, b, ka, kb);
    return;
  }
  if (is_source(a) && is_source(b)) {
    mismatch(
        p, a.e, b.e,
        arena_printf(fl->arena, "both are %s", a.outside ? "inputs of this class" : "outputs"));
    return;
  }
  if (!a.e->first_var || !b.e->first_var)
    return; /* part of a component that has errors */
  if (fl->guard) {
    pair_switched(p, a, b, ka, kb);
    return;
  }
  if (a.e->direction != DIR_NONE && !one_source(p, a, b, ka, kb))
    return;
  bool flow = a.e->flow == FLOW_FLOW;
  uint32_t na = node(fl, a.e->first_var - 1 + ka, a.outside, flow),
           nb = node(fl, b.e->first_var - 1 + kb, b.outside, flow);
  link_nodes(fl, na, nb, p->eq->span);
}

/* Elements of composite connectors correspond by name. */
static void pair_parts(Pairing *p, End a, End b) {
  World *w = p->fl->w;
  Class *ca = a.e->items[a.item], *cb = b.e->items[b.item];
  if (p->fl->guard && ca->kind == CLASS_EXPANDABLE && refuse_switch(p, "an expandable connector"))
    return;
  if ((ca->kind == CLASS_EXPANDABLE) != (cb->kind == CLASS_EXPANDABLE)) {
    mismatch(p, a.e, b.e, "an expandable connector can only be connected with another one");
    return;
  }
  for (uint32_t i = 0; i < ca->elements.n; i++) {
    Element *x = ca->elements.at[i];
    if (x->kind != ELEMENT_COMPONENT || !element_resolve(w, x) || x->absent)
      continue;
    Element *y = lookup_in(w, cb, x->name);
    if (!y || y->kind != ELEMENT_COMPONENT || !element_resolve(w, y) || y->absent) {
      mismatch(p, a.e, b.e,
               arena_printf(p->fl->arena, "`%s` has `%s`, `%s` has no such element", a.e->name,
                            x->name, b.e->name));
      return;
    }
    uint32_t nx = x->items ? x->n_items : (uint32_t)type_count(w->pool, x->type);
    uint32_t ny = y->items ? y->n_items : (uint32_t)type_count(w->pool, y->type);
    if (nx != ny) {
      mismatch(p, x, y, "their sizes differ");
      return;
    }
    bool node = roots_is_node(p->fl, x);
    if (p->fl->guard && node && refuse_switch(p, "an overconstrained connector"))
      return;
    for (uint32_t k = 0; k < (node && !x->items ? 1 : nx); k++) {
      End from = {x, k, a.outside}, to = {y, k, b.outside};
      if (node)
        roots_connect(p->fl, p->el, p->eq, from, to);
      else
        pair(p, from, to);
    }
  }
  for (uint32_t i = 0; i < cb->elements.n; i++) {
    Element *y = cb->elements.at[i];
    if (y->kind == ELEMENT_COMPONENT && element_resolve(w, y) && !y->absent &&
        !lookup_in(w, ca, y->name)) {
      mismatch(p, a.e, b.e,
               arena_printf(p->fl->arena, "`%s` has `%s`, `%s` has no such element", b.e->name,
                            y->name, a.e->name));
      return;
    }
  }
}

static void pair(Pairing *p, End a, End b) {
  if (!a.e->items && !b.e->items)
    pair_scalars(p, a, b, a.item, b.item);
  else if (a.e->items && b.e->items)
    pair_parts(p, a, b);
  else
    mismatch(p, a.e, b.e, "one is composite, the other is not");
}

void connect_pair(Flattener *fl, Elab *el, const AstEquation *eq, End a, End b) {
  Pairing p = {fl, el, eq};
  if (a.e->items) {
    pair(&p, a, b);
    return;
  }
  for (int64_t k = 0; k < type_count(fl->w->pool, a.e->type);
       k++) /* an array that is linked as a whole */
    pair_scalars(&p, a, b, (uint32_t)k, (uint32_t)k);
}

/* ---- how often a connector is connected ---- */

static uint32_t *count_of(Flattener *fl, End end) {
  ConnectSets *s = fl->connects;
  uint64_t first = 0;
  if (!map_get(&s->by_element, (uint64_t)(uintptr_t)end.e, &first)) {
    first = s->counts.n + 1;
    map_put(fl->arena, &s->by_element, (uint64_t)(uintptr_t)end.e, first);
    uint32_t items = end.e->items ? end.e->n_items : (uint32_t)type_count(fl->w->pool, end.e->type);
    for (uint32_t k = 0; k < (items ? items : 1); k++)
      vec_push(fl->arena, &s->counts, 0);
  }
  return &s->counts.at[first - 1 + end.item];
}

ExprId connect_answer(void *user, Elab *el, const AstExp *call) {
  Flattener *fl = user;
  const AstExp *arg = call->n ? call->args[0].value : NULL;
  const char *name = call->function->parts[call->function->n - 1].name;
  if (!arg || arg->kind != AST_REF)
    return elab_error(el, D_T304, call->span, "`%s` needs a connector or a part of one", name);
  Ends ends = {0};
  bool absent = false;
  if (!connect_ends(fl, el, arg->ref, false, &ends, &absent))
    return NO_EXPR;
  if (absent || ends.n != 1)
    return elab_error(el, D_T304, arg->span, "`%s` needs one connector that exists", name);
  if (strcmp(name, "cardinality") == 0 && !ends.at[0].e->is_connector)
    return elab_error(el, D_C002, arg->span, "`%s` is not a connector", ends.at[0].e->name);
  if (strcmp(name, "cardinality") == 0)
    return expr_integer(fl->w->pool, *count_of(fl, ends.at[0]));
  if (strcmp(name, "isRoot") == 0)
    return expr_boolean(fl->w->pool, roots_is_root(fl, ends.at[0]));
  if (strcmp(name, "rooted") == 0)
    return expr_boolean(fl->w->pool, roots_is_rooted(fl, ends.at[0]));
  return elab_error(el, D_X001, call->span, "`Connections.%s` is not supported yet", name);
}

void connect_add(Flattener *fl, Elab *el, const AstEquation *eq) {
  Ends a = {0}, b = {0};
  bool absent = false;
  if (!connect_ends(fl, el, eq->from, true, &a, &absent) ||
      !connect_ends(fl, el, eq->to, true, &b, &absent) || absent)
    return;
  if (a.n != b.n) {
    elab_error(el, D_C001, eq->span, "%s is %u connector%s, %s is %u",
               elab_written(el, eq->from->span), a.n, a.n == 1 ? "" : "s",
               elab_written(el, eq->to->span), b.n);
    return;
  }
  Pairing p = {fl, el, eq};
  for (uint32_t i = 0; i < a.n; i++) {
    uint32_t errors = diags_errors(fl->diags);
    ++*count_of(fl, a.at[i]);
    ++*count_of(fl, b.at[i]);
    if (fl->guard)
      switch_start(fl);
    pair(&p, a.at[i], b.at[i]);
    if (diags_errors(fl->diags) > errors)
      return;
    if (fl->guard)
      switch_end(fl, el, eq);
  }
}

/* ---- equations ---- */

uint32_t connect_leader(Flattener *fl, uint32_t potential) {
  ConnectSets *s = fl->connects;
  uint32_t member = node(fl, potential, false, false); /* may move the nodes */
  uint32_t leader = find(s, member);
  return s->nodes.at[leader].var;
}

static void flow_equation(Flattener *fl, const uint32_t *members, uint32_t n) {
  ConnectSets *s = fl->connects;
  ExprPool *p = fl->w->pool;
  const Node *first = &s->nodes.at[members[0]];
  FlatEquation *eq = flat_equation(fl->arena, FEQ_EQUAL, first->span);
  eq->from = n == 1 ? FROM_FLOW_ZERO : FROM_FLOW_SUM;
  eq->origin = first->span.lo ? first->origin : fl->m->vars.at[first->var].origin;
  if (!eq->span.lo)
    eq->span = fl->m->vars.at[first->var].span;
  ExprId sum = NO_EXPR;
  for (uint32_t i = 0; i < n; i++) {
    const Node *x = &s->nodes.at[members[i]];
    ExprId v = flat_var_expr(fl->m, x->var);
    if (!sum.i)
      sum = x->outside ? expr_unary(p, OP_NEG, v) : v;
    else
      sum = expr_binary(p, x->outside ? OP_SUB : OP_ADD, sum, v);
  }
  eq->lhs = sum;
  eq->rhs = expr_real(p, 0);
  vec_push(fl->arena, &fl->m->equations, eq);
}

static void potential_equations(Flattener *fl, const uint32_t *members, uint32_t n) {
  ConnectSets *s = fl->connects;
  for (uint32_t i = 1; i < n; i++) {
    const Node *x = &s->nodes.at[members[i]];
    if (x->var == s->nodes.at[members[0]].var)
      continue;
    FlatEquation *eq = flat_equation(fl->arena, FEQ_EQUAL, x->span);
    eq->from = FROM_CONNECT;
    eq->origin = x->origin;
    eq->lhs = flat_var_expr(fl->m, s->nodes.at[members[0]].var);
    eq->rhs = flat_var_expr(fl->m, x->var);
    vec_push(fl->arena, &fl->m->equations, eq);
  }
}

void connect_equations(Flattener *fl) {
  ConnectSets *s = fl->connects;
  switch_equations(fl);
  /* a flow seen from around its component is in some set, be it alone */
  for (uint32_t v = 0; v < fl->m->vars.n; v++)
    if (fl->m->vars.at[v].is_flow && fl->m->vars.at[v].variability < FLAT_PARAMETER)
      node(fl, v, false, true);
  /* members of each set, in order of their first mention */
  uint32_t n = s->nodes.n;
  uint32_t *count = NEW_ARRAY(fl->arena, uint32_t, n + 1),
           *start = NEW_ARRAY(fl->arena, uint32_t, n + 1);
  uint32_t *members = NEW_ARRAY(fl->arena, uint32_t, n), at = 0;
  for (uint32_t i = 0; i < n; i++)
    count[find(s, i)]++;
  for (uint32_t i = 0; i < n; i++) {
    start[i] = at;
    at += count[i];
    count[i] = 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t root = find(s, i);
    members[start[root] + count[root]++] = i;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!count[i])
      continue;
    if (s->nodes.at[i].flow)
      flow_equation(fl, members + start[i], count[i]);
    else
      potential_equations(fl, members + start[i], count[i]);
  }
}
