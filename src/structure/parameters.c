/* structure/parameters.c -- parameters and constants in an order in which their values can be computed.
 * How:  depth-first over the bindings, parameters in order of declaration; a circle is an error. */
#include "structure/structure_impl.h"

enum { NEW_PARAMETER, OPEN_PARAMETER, DONE_PARAMETER };

typedef struct {
  Lower *lo;
  unsigned char *mark;
  VEC(uint32_t) path;
} Order;

static void visit(Order *o, uint32_t v);

static void visit_node(void *user, ExprId e) {
  Order *o = user;
  const Expr *x = expr_get(o->lo->p, e);
  if (x->op == OP_VAR && x->index < o->lo->m->vars.n && o->lo->m->vars.at[x->index].variability >= FLAT_PARAMETER)
    visit(o, x->index);
}

static void report_circle(Order *o, uint32_t v) {
  Lower *lo = o->lo;
  Text names = {.arena = lo->a};
  bool inside = false;
  for (uint32_t k = 0; k < o->path.n; k++) {
    inside = inside || o->path.at[k] == v;
    if (inside)
      text_printf(&names, "`%s` -> ", lo->m->vars.at[o->path.at[k]].name);
  }
  const FlatVar *fv = &lo->m->vars.at[v];
  Diag *d = diag_add(lo->diags, D_V003, fv->span, "the value of `%s` depends on itself: %s`%s`", fv->name, text_str(&names), fv->name);
  diag_origin(lo->diags, d, lower_origin(lo->m, fv->origin));
}

static void visit(Order *o, uint32_t v) {
  Lower *lo = o->lo;
  if (o->mark[v] == OPEN_PARAMETER)
    report_circle(o, v);
  if (o->mark[v] != NEW_PARAMETER)
    return;
  o->mark[v] = OPEN_PARAMETER;
  vec_push(lo->a, &o->path, v);
  ExprId value = lo->s->bindings[v];
  if (!value.i)
    value = lo->s->bindings[v] = lower_default_start(lo, v);
  if (value.i)
    expr_walk(lo->p, value, visit_node, o);
  o->path.n--;
  o->mark[v] = DONE_PARAMETER;
  vec_push(lo->a, &lo->s->parameters, v);
}

bool order_parameters(Lower *lo) {
  uint32_t errors = diags_errors(lo->diags);
  Order o = {.lo = lo, .mark = NEW_ARRAY(lo->a, unsigned char, lo->m->vars.n + 1)};
  for (uint32_t v = 0; v < lo->m->vars.n; v++)
    if (lo->m->vars.at[v].variability >= FLAT_PARAMETER)
      visit(&o, v);
  return diags_errors(lo->diags) == errors;
}
