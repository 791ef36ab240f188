/* instance/elab_spatial.c -- spatialDistribution(in0, in1, x, positiveVelocity, initialPoints,
 * initialValues): MLS 3.6 section 3.7.4.2.
 * In:   the call.   Out: a pair of values, each of them a node of its own per element: SPATIAL(end,
 *       in0, in1, x, positiveVelocity, points..., values...) is what is at end 0 or 1. Nodes that
 *       differ in their end only share one distribution (structure).
 * How:  in0 and in1 may be vectors of equal size; the points and values are then those of each
 *       element, or rows of a matrix. */
#include "instance/inst.h"

#include <string.h>

enum { IN0, IN1, X, POSITIVE, POINTS, VALUES, N_ARGUMENTS };

static const char *const names[N_ARGUMENTS] = {
    "in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"};

typedef struct {
  Elab *el;
  const AstExp *e;
  ExprId args[N_ARGUMENTS];
  Span spans[N_ARGUMENTS];
} Spatial;

static ExprId pair(Elab *el, double a, double b) {
  ExprPool *p = el->w->pool;
  ExprId items[2] = {expr_real(p, a), expr_real(p, b)};
  return expr_make(p, OP_ARRAY, type_array(p, type_scalar(p, TY_REAL), 1, (int32_t[]){2}), 2,
                   items);
}

/* Arguments in the order of their names. */
static bool read_arguments(Spatial *sp) {
  const AstExp *e = sp->e;
  for (uint32_t i = 0; i < e->n; i++) {
    uint32_t k = i;
    for (k = e->args[i].name ? 0 : k;
         e->args[i].name && k < N_ARGUMENTS && strcmp(e->args[i].name, names[k]);)
      k++;
    if (k >= N_ARGUMENTS || sp->args[k].i)
      return elab_error(sp->el, D_T304, e->args[i].span,
                        "`spatialDistribution` has no further argument like this one")
          .i;
    sp->spans[k] = e->args[i].span;
    if (!(sp->args[k] = elab_exp(sp->el, e->args[i].value)).i)
      return false;
  }
  for (uint32_t k = 0; k < POINTS; k++)
    if (!sp->args[k].i)
      return elab_error(sp->el, D_T304, e->span, "`spatialDistribution` needs its argument `%s`",
                        names[k])
          .i;
  for (uint32_t k = POINTS; k < N_ARGUMENTS; k++)
    if (!sp->args[k].i)
      sp->args[k] = pair(sp->el, 0, k == POINTS), sp->spans[k] = e->span;
  return true;
}

static bool wrong(Spatial *sp, uint32_t k, const char *needs) {
  return elab_error(sp->el, D_T304, sp->spans[k],
                    "`%s` of `spatialDistribution` must be %s, this is %s", names[k], needs,
                    elab_type_text(sp->el, elab_type(sp->el, sp->args[k])))
      .i;
}

/* Numbers become Reals. */
static bool check_types(Spatial *sp) {
  ExprPool *p = sp->el->w->pool;
  for (uint32_t k = 0; k < N_ARGUMENTS; k++) {
    const Type *t = elab_type_get(sp->el, sp->args[k]);
    if (k == POSITIVE && (t->base != TY_BOOLEAN || t->n_dims))
      return wrong(sp, k, "a Boolean");
    if (k == POSITIVE)
      continue;
    if (!type_is_numeric(p, elab_type(sp->el, sp->args[k])) || (k == X && t->n_dims) ||
        (k < X && t->n_dims > 1))
      return wrong(sp, k, k == X ? "a number" : "a number, or a vector of them");
    for (uint32_t q = 0; q < t->n_dims; q++)
      if (t->dims[q] == DIM_UNKNOWN)
        return wrong(sp, k, "an array of known size");
    sp->args[k] = expr_to_real(p, sp->args[k]);
    if (k >= POINTS && elab_variability(sp->el->w, sp->args[k]) < VAR_PARAMETER)
      return elab_error(sp->el, D_V001, sp->spans[k],
                        "`%s` of `spatialDistribution` must be a parameter expression", names[k])
          .i;
  }
  return true;
}

/* Elements of the vectors (-1: they are scalars), and points of each distribution. */
static bool check_sizes(Spatial *sp, int32_t *elements, int32_t *points) {
  const Type *a = elab_type_get(sp->el, sp->args[IN0]), *b = elab_type_get(sp->el, sp->args[IN1]);
  *elements = a->n_dims ? a->dims[0] : -1;
  if (a->n_dims != b->n_dims || (a->n_dims && a->dims[0] != b->dims[0]))
    return elab_error(sp->el, D_T302, sp->spans[IN1],
                      "`in0` and `in1` of `spatialDistribution` must have the same size")
        .i;
  for (uint32_t k = POINTS; k < N_ARGUMENTS; k++) {
    const Type *t = elab_type_get(sp->el, sp->args[k]);
    bool rows = t->n_dims == 2 && t->dims[0] == *elements;
    if (t->n_dims != 1 && !rows)
      return wrong(sp, k, "a vector, or a matrix with a row per element of `in0`");
    int32_t n = t->dims[t->n_dims - 1];
    if (k == VALUES && n != *points)
      return elab_error(sp->el, D_T302, sp->spans[k], "%d initial points, but %d initial values",
                        *points, n)
          .i;
    *points = n;
  }
  return *points > 0 || elab_error(sp->el, D_T302, sp->spans[POINTS],
                                   "`spatialDistribution` needs at least one initial point")
                            .i;
}

static ExprId element(Spatial *sp, uint32_t k, int32_t i, int32_t j) {
  ExprPool *p = sp->el->w->pool;
  const Type *t = elab_type_get(sp->el, sp->args[k]);
  ExprId args[3] = {sp->args[k], expr_integer(p, t->n_dims == 2 || k < X ? i + 1 : j + 1),
                    expr_integer(p, j + 1)};
  return t->n_dims ? expr_make(p, OP_INDEX, type_scalar(p, TY_REAL), t->n_dims + 1, args)
                   : sp->args[k];
}

/* What is at one end of element i. */
static ExprId end_of(Spatial *sp, int end, int32_t i, int32_t points) {
  ExprPool *p = sp->el->w->pool;
  uint32_t n = 5 + 2 * (uint32_t)points;
  ExprId *args = NEW_ARRAY(sp->el->w->arena, ExprId, n);
  args[0] = expr_integer(p, end);
  args[1] = element(sp, IN0, i, 0), args[2] = element(sp, IN1, i, 0);
  args[3] = sp->args[X], args[4] = sp->args[POSITIVE];
  for (int32_t j = 0; j < points; j++)
    args[5 + j] = element(sp, POINTS, i, j), args[5 + points + j] = element(sp, VALUES, i, j);
  return expr_make(p, OP_SPATIAL, type_scalar(p, TY_REAL), n, args);
}

ExprId elab_spatial(Elab *el, const AstExp *e) {
  Spatial sp = {.el = el, .e = e};
  ExprPool *p = el->w->pool;
  int32_t elements, points = 0;
  if (!read_arguments(&sp) || !check_types(&sp) || !check_sizes(&sp, &elements, &points))
    return NO_EXPR;
  TypeId real = type_scalar(p, TY_REAL),
         type = elements < 0 ? real : type_array(p, real, 1, &elements);
  ExprId ends[2];
  for (int end = 0; end < 2; end++) {
    ExprId *items = NEW_ARRAY(el->w->arena, ExprId, elements < 0 ? 1 : elements + 1);
    for (int32_t i = 0; i < (elements < 0 ? 1 : elements); i++)
      items[i] = end_of(&sp, end, i, points);
    ends[end] = elements < 0 ? items[0] : expr_make(p, OP_ARRAY, type, (uint32_t)elements, items);
  }
  return expr_make(p, OP_TUPLE, type_tuple(p, 2, (TypeId[]){type, type}), 2, ends);
}
