/* flat/collect.c -- which functions and types the flat model uses, in order of first use, callees
 * after their callers. */
#include "flat/flatten_impl.h"

typedef struct {
  Flattener *fl;
  Map seen; /* Func* and TypeDecl* */
} Collector;

static void visit(void *user, ExprId e);

static void add_type(Collector *c, TypeId t) {
  const Type *type = type_get(c->fl->w->pool, t);
  if (!type->decl || map_get_ptr(&c->seen, type->decl))
    return;
  map_put_ptr(c->fl->arena, &c->seen, type->decl, c);
  for (uint32_t i = 0; type->decl->types && i < type->decl->n; i++)
    add_type(c, type->decl->types[i]);
  if (type->base == TY_ENUM || type->base == TY_RECORD)
    vec_push(c->fl->arena, &c->fl->m->types, type->decl);
}

static void walk(Collector *c, ExprId e) {
  if (e.i)
    expr_walk(c->fl->w->pool, e, visit, c);
}

static void statements(Collector *c, Stmt **body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const Stmt *s = body[i];
    for (uint32_t k = 0; k < s->n_targets; k++)
      walk(c, s->targets[k]);
    walk(c, s->value);
    walk(c, s->message);
    walk(c, s->level);
    for (uint32_t k = 0; k < s->n_branches; k++) {
      walk(c, s->branches[k].condition);
      statements(c, s->branches[k].body, s->branches[k].n);
    }
  }
}

/* The derivative named in an annotation is typed now; one that cannot be typed is as if it were not
 * there. */
static void add_derivatives(Collector *c, Func *f) {
  World *w = c->fl->w;
  for (uint32_t i = 0; i < f->n_derivatives; i++) {
    Element *e = (Element *)(uintptr_t)f->derivatives[i].source;
    uint32_t mark = diags_count(w->diags);
    f->derivatives[i].function = e ? function_get(w, class_view(w, e)) : NULL;
    if (!f->derivatives[i].function)
      diags_rewind(w->diags, mark);
  }
}

static void add_function(Collector *c, Func *f) {
  if (map_get_ptr(&c->seen, f))
    return;
  map_put_ptr(c->fl->arena, &c->seen, f, c);
  vec_push(c->fl->arena, &c->fl->m->functions, f);
  add_derivatives(c, f);
  for (uint32_t i = 0; i < f->n_vars; i++) {
    add_type(c, f->vars[i].type);
    walk(c, f->vars[i].binding);
    for (uint32_t d = 0; f->vars[i].dims && d < type_get(c->fl->w->pool, f->vars[i].type)->n_dims;
         d++)
      walk(c, f->vars[i].dims[d]);
  }
  statements(c, f->body, f->n_body);
  for (uint32_t i = 0; i < f->n_derivatives; i++)
    if (f->derivatives[i].function)
      add_function(c, f->derivatives[i].function);
}

static void visit(void *user, ExprId e) {
  Collector *c = user;
  const Expr *x = expr_get(c->fl->w->pool, e);
  add_type(c, x->type);
  if ((x->op == OP_CALL || x->op == OP_FUNCTION) && x->ref)
    add_function(c, (Func *)(uintptr_t)x->ref);
}

static void equations(Collector *c, FlatEquation *const *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const FlatEquation *eq = list[i];
    walk(c, eq->lhs);
    walk(c, eq->rhs);
    walk(c, eq->level);
    for (uint32_t k = 0; k < eq->n_targets; k++)
      walk(c, eq->targets[k]);
    statements(c, eq->body, eq->n_body);
    for (uint32_t k = 0; k < eq->n_branches; k++) {
      walk(c, eq->branches[k].condition);
      equations(c, eq->branches[k].body, eq->branches[k].n);
    }
  }
}

void flatten_collect(Flattener *fl) {
  Collector c = {.fl = fl};
  for (uint32_t i = 0; i < fl->m->vars.n; i++) {
    const FlatVar *v = &fl->m->vars.at[i];
    add_type(&c, v->type);
    walk(&c, v->binding);
    walk(&c, v->start);
    walk(&c, v->fixed);
    walk(&c, v->min);
    walk(&c, v->max);
    walk(&c, v->nominal);
  }
  equations(&c, fl->m->equations.at, fl->m->equations.n);
  equations(&c, fl->m->initial.at, fl->m->initial.n);
}
