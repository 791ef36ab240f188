/* structure/diff.c -- time derivatives of lowered expressions, calls of functions included.
 * How:  before the ordinary differentiation every call that depends on something varying is replaced by a fresh leaf whose
 *       derivative is a call of the function named by the derivative annotation (MLS 3.6 section 12.7.1), with the derivatives
 *       of the varying Real arguments appended.
 * Keep: NO_EXPR when a function has no usable derivative; the caller says which equation it was. */
#include "structure/structure_impl.h"

typedef struct {
  Lower *lo;
  ExprId (*der_of)(void *user, ExprId var);
  void *user;
  const char *why; /* the function that has no derivative */
} Diff;

static ExprId diff(Diff *d, ExprId e);

/* Derivative of a call leaf, or of anything else through the caller. */
static ExprId leaf_derivative(void *user, ExprId e) {
  Diff *d = user;
  const Expr *x = expr_get(d->lo->p, e);
  if (x->op != OP_CALL && x->op != OP_PART)
    return d->der_of(d->user, e);
  return diff(d, e);
}

static bool has_real(const ExprPool *p, TypeId t) {
  const Type *type = type_get(p, t);
  bool real = type->base == TY_REAL;
  for (uint32_t k = 0; type->base == TY_RECORD && k < type->decl->n; k++)
    real |= has_real(p, type->decl->types[k]);
  return real;
}

/* The derivative of an argument, scalar by scalar: arrays and records are constructors of scalars here. */
static ExprId argument(Diff *d, ExprId e) {
  ExprPool *p = d->lo->p;
  const Expr *x = expr_get(p, e);
  if (x->op != OP_ARRAY && x->op != OP_RECORD)
    return type_is_scalar(p, x->type) ? diff(d, e) : NO_EXPR;
  ExprId *items = NEW_ARRAY(d->lo->a, ExprId, x->n);
  for (uint32_t k = 0; k < x->n; k++) {
    items[k] = argument(d, x->args[k]);
    if (!items[k].i)
      return NO_EXPR;
    items[k] = expr_to_real(p, items[k]);
  }
  return expr_make(p, x->op, x->type, x->n, items);
}

static bool is_zero(const ExprPool *p, ExprId e) {
  const Expr *x = expr_get(p, e);
  bool zero = expr_is_zero(p, e);
  for (uint32_t k = 0; !zero && (x->op == OP_ARRAY || x->op == OP_RECORD) && k < x->n; k++)
    if (!is_zero(p, x->args[k]))
      return false;
  return zero || x->op == OP_ARRAY || x->op == OP_RECORD;
}

/* A derivative of order 2 belongs to a function that is itself a derivative: its last inputs are the rates of the Reals before
 * them. If that holds for this call, only the rates of those rates are added: ders keeps just them (MLS 3.6 section 12.7.1). */
static bool second_order(const Expr *call, const FuncDerivative *fd, ExprId *ders) {
  const Func *f = call->ref;
  uint32_t n = f->n_inputs, more = fd->function->n_inputs - n, rate = n - more;
  if (fd->order != 2 || fd->function->n_inputs <= n || 2 * more > n)
    return false;
  for (uint32_t k = 0; k < n - more; k++) {
    if (!ders[k].i || fd->no_derivative[k] || fd->zero_derivative[k])
      continue;
    if (rate == n || ders[k].i != call->args[rate++].i)
      return false;
  }
  if (rate != n)
    return false;
  for (uint32_t k = 0; k < n - more; k++)
    ders[k] = NO_EXPR;
  return true;
}

/* f_der(args, der(args)) by the first annotation whose conditions hold. */
static ExprId call_derivative(Diff *d, const Expr *call, bool *constant) {
  ExprPool *p = d->lo->p;
  const Func *f = call->ref;
  uint32_t n = f ? f->n_inputs : 0;
  ExprId *ders = NEW_ARRAY(d->lo->a, ExprId, n + 1);
  *constant = true;
  for (uint32_t k = 0; k < n && k < call->n; k++) {
    ders[k] = has_real(p, f->vars[k].type) ? argument(d, call->args[k]) : NO_EXPR;
    if (has_real(p, f->vars[k].type) && !ders[k].i)
      return NO_EXPR;
    *constant &= !ders[k].i || is_zero(p, ders[k]);
  }
  if (*constant || !f)
    return NO_EXPR;
  for (uint32_t q = 0; q < f->n_derivatives; q++) {
    const FuncDerivative *fd = &f->derivatives[q];
    bool usable = fd->function && fd->function->complete && (fd->order == 1 || second_order(call, fd, ders));
    for (uint32_t k = 0; usable && k < n; k++)
      usable = !fd->zero_derivative[k] || !ders[k].i || is_zero(p, ders[k]);
    if (!usable)
      continue;
    ExprId *args = NEW_ARRAY(d->lo->a, ExprId, 2 * n + 1);
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++)
      args[at++] = call->args[k];
    for (uint32_t k = 0; k < n; k++)
      if (ders[k].i && !fd->zero_derivative[k] && !fd->no_derivative[k])
        args[at++] = ders[k];
    if (at == fd->function->n_inputs)
      return expr_make_ref(p, OP_CALL, call->type, fd->function, at, args);
  }
  return NO_EXPR;
}

static ExprId diff(Diff *d, ExprId e) {
  ExprPool *p = d->lo->p;
  const Expr *x = expr_get(p, e);
  const Expr *call = x->op == OP_PART ? expr_get(p, x->args[0]) : x;
  if ((x->op != OP_CALL && x->op != OP_PART) || call->op != OP_CALL)
    return expr_diff_time(p, e, leaf_derivative, d);
  bool constant;
  ExprId der = call_derivative(d, call, &constant);
  if (constant)
    return expr_real(p, 0);
  if (!der.i) {
    d->why = call->ref ? ((const Func *)call->ref)->name : "a function";
    return NO_EXPR;
  }
  return x->op == OP_PART ? expr_make_index(p, OP_PART, x->type, x->index, 0, 1, &der) : der;
}

ExprId lowered_derivative(Lower *lo, ExprId e, ExprId (*der_of)(void *user, ExprId var), void *user, const char **why) {
  Diff d = {.lo = lo, .der_of = der_of, .user = user};
  ExprId out = diff(&d, e);
  *why = d.why;
  return out;
}
