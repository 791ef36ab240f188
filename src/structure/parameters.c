/* structure/parameters.c -- parameters and constants in an order in which their values can be
 * computed.
 * In:   bindings of parameters and constants.   Out: s->parameters.
 * How:  depth-first over the bindings, parameters in order of declaration, with a stack of our own:
 *       chains may be as long as the model. A circle is an error. */
#include "structure/system.h"
#include "structure/build.h"
#include "structure/name.h"

enum { NEW_PARAMETER, OPEN_PARAMETER, DONE_PARAMETER };

/* A parameter under way; it waits for needs[next], needs[next + 1] ... up to those of the parameter
 * that it waits for. */
typedef struct {
  uint32_t var, next, end;
} Frame;

typedef struct {
  Lower *lo;
  unsigned char *mark;
  VEC(Frame) path;
  VEC(uint32_t) needs; /* of all parameters under way, one after the other */
} Order;

static void note_need(void *user, ExprId e) {
  Order *o = user;
  const Expr *x = expr_get(o->lo->p, e);
  if (x->op == OP_VAR && x->index < o->lo->m->vars.n &&
      o->lo->m->vars.at[x->index].variability >= FLAT_PARAMETER)
    vec_push(o->lo->a, &o->needs, x->index);
}

static void report_circle(Order *o, uint32_t v) {
  Lower *lo = o->lo;
  Text names = {.arena = lo->a};
  bool inside = false;
  for (uint32_t k = 0; k < o->path.n; k++) {
    inside = inside || o->path.at[k].var == v;
    if (inside)
      text_printf(&names, "`%s` -> ", lo->m->vars.at[o->path.at[k].var].name);
  }
  const FlatVar *fv = &lo->m->vars.at[v];
  Diag *d = diag_add(lo->diags, D_V003, fv->span, "the value of `%s` depends on itself: %s`%s`",
                     fv->name, text_str(&names), fv->name);
  diag_origin(lo->diags, d, structure_origin(lo->m, fv->origin));
}

/* Its needs go on the stack; one without binding has its start value. */
static void open_parameter(Order *o, uint32_t v) {
  Lower *lo = o->lo;
  uint32_t first = o->needs.n;
  o->mark[v] = OPEN_PARAMETER;
  ExprId value = lo->s->bindings[v];
  if (!value.i)
    value = lo->s->bindings[v] = lower_default_start(lo, v);
  if (value.i)
    expr_walk(lo->p, value, note_need, o);
  vec_push(lo->a, &o->path, (Frame){v, first, o->needs.n});
}

static void visit(Order *o, uint32_t start) {
  open_parameter(o, start);
  while (o->path.n) {
    Frame *f = &vec_last(&o->path);
    /* what it still needs comes first */
    if (f->next < f->end) {
      uint32_t v = o->needs.at[f->next++];
      if (o->mark[v] == OPEN_PARAMETER)
        report_circle(o, v);
      else if (o->mark[v] == NEW_PARAMETER)
        open_parameter(o, v);
      continue;
    }
    o->mark[f->var] = DONE_PARAMETER;
    vec_push(o->lo->a, &o->lo->s->parameters, f->var);
    o->path.n--;
    /* the needs of the one above begin where those of this one did */
    o->needs.n = o->path.n ? vec_last(&o->path).end : 0;
  }
}

bool order_parameters(Lower *lo) {
  uint32_t errors = diags_errors(lo->diags);
  Order o = {.lo = lo, .mark = NEW_ARRAY(lo->a, unsigned char, lo->m->vars.n + 1)};
  for (uint32_t v = 0; v < lo->m->vars.n; v++)
    if (lo->m->vars.at[v].variability >= FLAT_PARAMETER && o.mark[v] == NEW_PARAMETER)
      visit(&o, v);
  return diags_errors(lo->diags) == errors;
}
