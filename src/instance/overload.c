/* instance/overload.c -- operators of operator records: which function a + b means (MLS 3.6 chapter
 * 14).
 * The candidates are the functions of the operator in the classes of both operands. The one whose
 * first inputs take the operands is called; if there is none, an operand that is no record is
 * turned into one by the other's 'constructor'. Arrays are handled element by element, products of
 * vectors and matrices by sums of products. */
#include "instance/inst.h"

#include <string.h>

typedef VEC(Func *) Candidates; /* NULL: a function with errors, which were told */

static Class *class_of_type(World *w, const Type *t) {
  for (uint32_t i = 0; t->base == TY_RECORD && i < w->decls.n; i++)
    if (w->decls.at[i] == t->decl)
      return w->decl_classes.at[i];
  return NULL;
}

/* The functions of operator `name` in a record class: one operator function, or all functions of an
 * operator. */
static void add_candidates(World *w, Class *c, const char *name, Candidates *out) {
  Element *e = c ? lookup_in(w, c, intern_str(w->names, arena_printf(w->arena, "'%s'", name)))
                 : NULL;
  if (!e || e->kind != ELEMENT_CLASS)
    return;
  Class *view = class_view(w, e);
  class_expand(w, view);
  if (view->is_function) {
    vec_push(w->arena, out, function_get(w, view));
    return;
  }
  for (uint32_t i = 0; i < view->elements.n; i++) {
    Element *part = view->elements.at[i];
    if (part->kind == ELEMENT_CLASS)
      vec_push(w->arena, out, function_get(w, class_view(w, part)));
  }
}

static bool has_failed(const Candidates *all) {
  for (uint32_t i = 0; i < all->n; i++)
    if (!all->at[i])
      return true;
  return false;
}

/* Takes n arguments of these types; further inputs have defaults. `exact`: records must be
 * records. */
static bool takes(Elab *el, const Func *f, uint32_t n, const TypeId *types) {
  if (f->n_inputs < n)
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (!elab_convertible(el, types[i], f->vars[i].type))
      return false;
  for (uint32_t i = n; i < f->n_inputs; i++)
    if (!f->vars[i].binding.i)
      return false;
  return true;
}

static Func *best(Elab *el, const Candidates *all, uint32_t n, const TypeId *types) {
  for (uint32_t i = 0; i < all->n; i++)
    if (all->at[i] && takes(el, all->at[i], n, types))
      return all->at[i];
  return NULL;
}

/* A number as a record of class c, by its constructor. */
static ExprId construct(Elab *el, Class *c, ExprId e, Span span) {
  Candidates all = {0};
  add_candidates(el->w, c, "constructor", &all);
  TypeId type = elab_type(el, e);
  Func *f = best(el, &all, 1, &type);
  return f ? elab_apply_first(el, f, 1, &e, span) : NO_EXPR;
}

typedef struct {
  const char *op;
} Operator;

static ExprId scalar_binary(Elab *el, const void *user, uint32_t n, const ExprId *args, Span span) {
  World *w = el->w;
  const char *op = ((const Operator *)user)->op;
  ExprId operands[2] = {args[0], args[1]};
  for (uint32_t attempt = 0; attempt < 2; attempt++) {
    TypeId types[2] = {elab_type(el, operands[0]), elab_type(el, operands[1])};
    Class *ca = class_of_type(w, type_get(w->pool, types[0])),
          *cb = class_of_type(w, type_get(w->pool, types[1]));
    Candidates all = {0};
    add_candidates(w, ca, op, &all);
    if (cb != ca)
      add_candidates(w, cb, op, &all);
    Func *f = best(el, &all, n, types);
    if (f)
      return elab_apply_first(el, f, n, operands, span);
    if (has_failed(&all))
      return NO_EXPR;
    if (ca && cb)
      break;
    uint32_t other = ca ? 1 : 0; /* the operand that is no record */
    operands[other] = construct(el, ca ? ca : cb, operands[other], span);
    if (!operands[other].i)
      break;
  }
  return elab_error(el, D_T301, span, "`%s` is not defined for %s and %s", op,
                    elab_type_text(el, elab_type(el, args[0])),
                    elab_type_text(el, elab_type(el, args[1])));
}

static ExprId at(Elab *el, ExprId array, uint32_t n, const int32_t *index) {
  ExprId args[3] = {array};
  for (uint32_t i = 0; i < n; i++)
    args[i + 1] = expr_integer(el->w->pool, index[i] + 1);
  return n ? expr_make(el->w->pool, OP_INDEX, type_element(el->w->pool, elab_type(el, array), n),
                       n + 1, args)
           : array;
}

/* Row i of a times column j of b. */
static ExprId dot(Elab *el, ExprId a, ExprId b, int32_t i, int32_t j, Span span) {
  const Type *ta = elab_type_get(el, a), *tb = elab_type_get(el, b);
  int32_t n = ta->dims[ta->n_dims - 1];
  static const Operator times = {"*"}, plus = {"+"};
  ExprId sum = NO_EXPR;
  for (int32_t k = 0; k < n; k++) {
    int32_t left[2] = {ta->n_dims == 2 ? i : k, k}, right[2] = {k, j};
    ExprId pair[2] = {at(el, a, ta->n_dims, left), at(el, b, tb->n_dims, right)};
    ExprId product = scalar_binary(el, &times, 2, pair, span);
    if (!product.i)
      return NO_EXPR;
    ExprId terms[2] = {sum, product};
    sum = sum.i ? scalar_binary(el, &plus, 2, terms, span) : product;
  }
  return sum;
}

static ExprId product(Elab *el, ExprId a, ExprId b, Span span) {
  const Type *ta = elab_type_get(el, a), *tb = elab_type_get(el, b);
  int32_t inner = ta->dims[ta->n_dims - 1];
  if (ta->n_dims > 2 || tb->n_dims > 2 || inner != tb->dims[0] || inner <= 0)
    return elab_error(el, D_T302, span, "`*` cannot be applied to %s and %s",
                      elab_type_text(el, elab_type(el, a)), elab_type_text(el, elab_type(el, b)));
  int32_t rows = ta->n_dims == 2 ? ta->dims[0] : 1, columns = tb->n_dims == 2 ? tb->dims[1] : 1;
  ExprId *lines = NEW_ARRAY(el->w->arena, ExprId, rows),
         *cells = NEW_ARRAY(el->w->arena, ExprId, columns);
  for (int32_t i = 0; i < rows; i++) {
    for (int32_t j = 0; j < columns; j++) {
      cells[j] = dot(el, a, b, i, j, span);
      if (!cells[j].i)
        return NO_EXPR;
    }
    lines[i] = tb->n_dims == 2 ? elab_array(el, (uint32_t)columns, cells, span) : cells[0];
  }
  return ta->n_dims == 2 ? elab_array(el, (uint32_t)rows, lines, span) : lines[0];
}

ExprId elab_overload_binary(Elab *el, const char *op, ExprId a, ExprId b, Span span) {
  uint32_t na = elab_type_get(el, a)->n_dims, nb = elab_type_get(el, b)->n_dims;
  if (op[0] == '.') /* element by element */
    op++;
  else if (strcmp(op, "*") == 0 && na && nb)
    return product(el, a, b, span);
  Operator which = {op};
  ExprId args[2] = {a, b};
  uint32_t own[2] = {0, 0};
  return elab_vectorize(el, scalar_binary, &which, na > nb ? na : nb, 2, args, own, span);
}

static ExprId scalar_unary(Elab *el, const void *user, uint32_t n, const ExprId *args, Span span) {
  World *w = el->w;
  const char *op = ((const Operator *)user)->op;
  Candidates all = {0};
  TypeId type = elab_type(el, args[0]);
  add_candidates(w, class_of_type(w, type_get(w->pool, type)), op, &all);
  for (uint32_t i = 0; i < all.n; i++)
    if (all.at[i] && all.at[i]->n_inputs == 1 && takes(el, all.at[i], 1, &type))
      return elab_apply_first(el, all.at[i], n, args, span);
  if (has_failed(&all))
    return NO_EXPR;
  return elab_error(el, D_T301, span, "`%s` is not defined for %s", op, elab_type_text(el, type));
}

ExprId elab_overload_unary(Elab *el, const char *op, ExprId a, Span span) {
  Operator which = {op};
  uint32_t own = 0;
  return elab_vectorize(el, scalar_unary, &which, elab_type_get(el, a)->n_dims, 1, &a, &own, span);
}

bool elab_overload_constructor(Elab *el, Class *c, const AstExp *e, ExprId *out) {
  World *w = el->w;
  class_expand(w, c);
  if (!c->is_record)
    return false;
  Candidates all = {0};
  add_candidates(w, c, "constructor", &all);
  for (uint32_t i = 0; i < all.n; i++) {
    /* the last candidate may complain: it is as good as any */
    uint32_t mark = diags_count(w->diags);
    *out = all.at[i] ? elab_call_function(el, all.at[i], e) : NO_EXPR;
    if (out->i || i + 1 == all.n)
      return true;
    diags_rewind(w->diags, mark);
  }
  return false;
}
