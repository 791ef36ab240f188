/* instance/iterate.c -- what a loop runs over: a vector, all values of a type, or the subscripts
 * that the iterator is used for. MLS 3.6 sections 8.3.2 (for-equations), 10.4.1 (array constructors
 * with iterators) and 11.2.2 (for-statements). */
#include "instance/inst.h"
#include "base/limits.h"

/* ---- values of a type ---- */

static ExprId all_values(Elab *el, TypeId type, int32_t n) {
  ExprPool *p = el->w->pool;
  TypeBase base = type_get(p, type)->base;
  ExprId *items = NEW_ARRAY(el->w->arena, ExprId, n ? n : 1);
  for (int32_t i = 0; i < n; i++)
    items[i] = base == TY_BOOLEAN ? expr_boolean(p, i > 0)
               : base == TY_ENUM  ? expr_enum(p, type, i + 1)
                                  : expr_integer(p, i + 1);
  return expr_make(p, OP_ARRAY, type_array(p, type, 1, &n), (uint32_t)n, items);
}

/* for e in Color, for b in Boolean; false if the reference is no such type. */
static bool range_of_type(Elab *el, const AstExp *e, ExprId *out) {
  if (e->kind != AST_REF)
    return false;
  World *w = el->w;
  Element *found = lookup_type_name(w, el->scope, e->ref);
  TypeBase base = found ? class_primitive(w, found) : TY_NONE;
  if (base != TY_BOOLEAN && base != TY_ENUM)
    return false;
  *out = base == TY_BOOLEAN ? all_values(el, type_scalar(w->pool, TY_BOOLEAN), 2)
                            : all_values(el, type_of_decl(w->pool, TY_ENUM, found->prim_decl),
                                         (int32_t)found->prim_decl->n);
  return true;
}

/* ---- an iterator without a range ---- */

typedef struct {
  Elab *el;
  const AstIterator *it;
  ExprId range; /* of the first use */
  int32_t size;
  TypeId type;       /* of the subscript */
  const char *first; /* the array of the first use */
  bool failed;
} Deduction;

/* The component that parts 0 .. last of a reference name, whatever the subscripts; NULL if there is
 * none. */
static Element *component_named(Elab *el, const AstRef *ref, uint32_t last) {
  World *w = el->w;
  Element *e = ref->global ? NULL : lookup_simple(w, el->scope, ref->parts[0].name);
  for (uint32_t i = 1; e && i <= last; i++) {
    Class *c = e->kind == ELEMENT_CLASS ? class_view(w, e) : element_item(w, element_meant(w, e));
    e = c ? lookup_in(w, c, ref->parts[i].name) : NULL;
  }
  if (!e || e->kind != ELEMENT_COMPONENT || !element_resolve(w, e))
    return NULL;
  return element_meant(w, e);
}

/* 1:size(a, d) for an array whose size is known only at run time */
static ExprId open_range(Elab *el, const AstRef *ref, uint32_t last, uint32_t dim) {
  ExprPool *p = el->w->pool;
  AstRef prefix = *ref;
  prefix.n = last + 1;
  prefix.parts = NEW_ARRAY(el->w->arena, AstRefPart, prefix.n);
  for (uint32_t i = 0; i <= last; i++)
    prefix.parts[i] = ref->parts[i];
  prefix.parts[last].n_subs = 0;
  ExprId size[2] = {elab_ref(el, &prefix), expr_integer(p, dim + 1)};
  if (!size[0].i)
    return NO_EXPR;
  int32_t unknown = DIM_UNKNOWN;
  TypeId integer = type_scalar(p, TY_INTEGER);
  ExprId range[3] = {expr_integer(p, 1), expr_integer(p, 1),
                     expr_make(p, OP_SIZE, integer, 2, size)};
  return expr_make(p, OP_RANGE, type_array(p, integer, 1, &unknown), 3, range);
}

/* The iterator is subscript `dim` of part `last`. */
static void used_as_subscript(Deduction *d, const AstRef *ref, uint32_t last, uint32_t dim) {
  Elab *el = d->el;
  Element *e = component_named(el, ref, last);
  if (!e || dim >= e->n_dims)
    return; /* reported where the reference itself is typed */
  TypeId type = e->dim_index && e->dim_index[dim].i ? e->dim_index[dim]
                                                    : type_scalar(el->w->pool, TY_INTEGER);
  int32_t size = e->dims[dim];
  if (!d->first) {
    d->first = e->name;
    d->size = size;
    d->type = type;
    d->range = size == DIM_UNKNOWN ? open_range(el, ref, last, dim) : all_values(el, type, size);
    d->failed = !d->range.i;
    return;
  }
  if (!d->failed &&
      (type.i != d->type.i || (size != d->size && size != DIM_UNKNOWN && d->size != DIM_UNKNOWN))) {
    elab_error(el, D_T302, ref->parts[last].span,
               "`%s` runs over a dimension of `%s` and one of `%s`, which differ in size or type",
               d->it->name, d->first, e->name);
    d->failed = true;
  }
}

static void in_exp(Deduction *d, const AstExp *e);

static void in_ref(Deduction *d, const AstRef *ref) {
  for (uint32_t i = 0; i < ref->n; i++)
    for (uint32_t k = 0; k < ref->parts[i].n_subs; k++) {
      const AstExp *sub = ref->parts[i].subs[k];
      if (sub->kind == AST_REF && sub->ref->n == 1 && sub->ref->parts[0].name == d->it->name &&
          !sub->ref->parts[0].n_subs)
        used_as_subscript(d, ref, i, k);
      else
        in_exp(d, sub);
    }
}

static bool hides(const Deduction *d, const AstIterator *its, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (its[i].name == d->it->name)
      return true;
  return false;
}

static void in_exp(Deduction *d, const AstExp *e) {
  if (!e)
    return;
  switch (e->kind) {
  case AST_REF: in_ref(d, e->ref); break;
  case AST_UNARY: in_exp(d, e->a); break;
  case AST_BINARY:
    in_exp(d, e->a);
    in_exp(d, e->b);
    break;
  case AST_IF:
  case AST_RANGE:
    in_exp(d, e->a);
    in_exp(d, e->b);
    in_exp(d, e->c);
    break;
  case AST_CALL:
  case AST_PARTIAL:
    for (uint32_t i = 0; i < e->n; i++)
      in_exp(d, e->args[i].value);
    break;
  case AST_REDUCE:
    if (!hides(d, e->iterators, e->n))
      in_exp(d, e->body);
    for (uint32_t i = 0; i < e->n; i++)
      in_exp(d, e->iterators[i].range);
    break;
  case AST_ARRAY:
  case AST_MATRIX:
  case AST_TUPLE:
    for (uint32_t i = 0; i < e->n; i++)
      in_exp(d, e->items[i]);
    break;
  case AST_INTEGER:
  case AST_REAL:
  case AST_STRING:
  case AST_BOOLEAN:
  case AST_END:
  case AST_COLON: break;
  }
}

static void in_equations(Deduction *d, AstEquation *const *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const AstEquation *eq = list[i];
    switch (eq->kind) {
    case EQN_EQUAL:
      in_exp(d, eq->lhs);
      in_exp(d, eq->rhs);
      break;
    case EQN_CONNECT:
      in_ref(d, eq->from);
      in_ref(d, eq->to);
      break;
    case EQN_CALL: in_exp(d, eq->call); break;
    case EQN_IF:
    case EQN_WHEN:
      for (uint32_t k = 0; k < eq->n_branches; k++) {
        in_exp(d, eq->branches[k].condition);
        in_equations(d, eq->branches[k].body, eq->branches[k].n);
      }
      break;
    case EQN_FOR:
      for (uint32_t k = 0; k < eq->n_iterators; k++)
        in_exp(d, eq->iterators[k].range);
      if (!hides(d, eq->iterators, eq->n_iterators))
        in_equations(d, eq->body, eq->n_body);
      break;
    case EQN_HFSS: break;
    }
  }
}

static void in_statements(Deduction *d, AstStatement *const *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const AstStatement *s = list[i];
    switch (s->kind) {
    case STM_ASSIGN:
      in_exp(d, s->lhs);
      in_exp(d, s->rhs);
      break;
    case STM_CALL: in_exp(d, s->call); break;
    case STM_IF:
    case STM_WHEN:
    case STM_WHILE:
      for (uint32_t k = 0; k < s->n_branches; k++) {
        in_exp(d, s->branches[k].condition);
        in_statements(d, s->branches[k].body, s->branches[k].n);
      }
      break;
    case STM_FOR:
      for (uint32_t k = 0; k < s->n_iterators; k++)
        in_exp(d, s->iterators[k].range);
      if (!hides(d, s->iterators, s->n_iterators))
        in_statements(d, s->body, s->n_body);
      break;
    case STM_BREAK:
    case STM_RETURN: break;
    }
  }
}

static ExprId deduced_range(Elab *el, const AstIterator *it, const LoopBody *body) {
  Deduction d = {.el = el, .it = it};
  in_exp(&d, body->exp);
  in_equations(&d, body->equations, body->equations ? body->n : 0);
  in_statements(&d, body->statements, body->statements ? body->n : 0);
  if (d.failed)
    return NO_EXPR;
  if (!d.first)
    return elab_error(el, D_T307, it->span,
                      "the range of `%s` is unknown: it is not used as the subscript of an array",
                      it->name);
  return d.range;
}

/* ---- all kinds ---- */

ExprId elab_loop_range(Elab *el, const AstIterator *it, const LoopBody *body) {
  if (!it->range)
    return deduced_range(el, it, body);
  ExprId r;
  if (range_of_type(el, it->range, &r))
    return r;
  r = elab_exp(el, it->range);
  if (r.i && elab_type_get(el, r)->n_dims != 1)
    return elab_error(el, D_T301, it->range->span, "a loop runs over a vector, this is %s",
                      elab_type_text(el, elab_type(el, r)));
  return r;
}

bool elab_one_round(Elab *el, Span span) {
  if (el->w->n_rounds < MOST_LOOP_ROUNDS / el->w->frugal) {
    el->w->n_rounds++;
    return true;
  }
  elab_error(el, D_K001, span, "the loops of this model have more than %d rounds in all",
             MOST_LOOP_ROUNDS);
  return false;
}

bool elab_loop_values(Elab *el, const AstIterator *it, const LoopBody *body, Value *out) {
  ExprId r = elab_loop_range(el, it, body);
  return r.i && elab_evaluate(el, r, it->range ? it->range->span : it->span, out);
}
