/* structure/solve.c -- how a block is solved: by an assignment, a linear system, or Newton's
 * method.
 * How:  an unknown that occurs linearly (a*x + b, tested structurally so that conditions count)
 *       gives x = -b/a; a component that is linear in all its unknowns together is a linear system,
 *       any other a nonlinear one (see tear.c).
 * In:   rows and unknowns of a block.   Out: its kind, its value or its parts; SVar.vanishes. */
#include "structure/solve.h"
#include "structure/incidence.h"
#include "structure/lowered.h"
#include "structure/name.h"
#include "structure/sorted.h"

typedef struct {
  ExprPool *p;
  const bool *marked;
} Zero;

static ExprId marked_to_zero(void *user, ExprId e) {
  const Zero *z = user;
  const Expr *x = expr_get(z->p, e);
  return x->op == OP_VAR && z->marked[x->index] ? expr_real(z->p, 0) : NO_EXPR;
}

static ExprId residual(const Structure *s, const SRow *row) {
  return expr_binary(s->model->pool, OP_SUB, row->lhs, row->rhs);
}

static Diag *complain(const Structure *s, const SRow *row, uint32_t var, DiagCode code,
                      const char *format, Arena *a, Diags *diags) {
  Text name = {.arena = a};
  structure_name(s, var, &name);
  Diag *d = diag_add(diags, code, row->span, format, text_str(&name)); /* format has one %s */
  diag_origin(diags, d, structure_origin(s->model, row->origin));
  return d;
}

/* Is a branch of it 0, or a limit, or has it an Integer that changes? Then the equation does not
 * always determine its unknown, and a linear system of one, which is solved nearest to the last
 * value, does better than a division. */
static bool may_vanish(const Structure *s, ExprId e) {
  const ExprPool *p = s->model->pool;
  const Expr *x = expr_get(p, e);
  if (x->op == OP_VAR) {
    const SVar *v = &s->vars.at[x->index];
    return !v->known && (v->vanishes || (v->discrete && type_get(p, v->type)->base == TY_INTEGER));
  }
  if (x->op == OP_IF)
    return expr_is_zero(p, x->args[1]) || expr_is_zero(p, x->args[2]) ||
           may_vanish(s, x->args[1]) || may_vanish(s, x->args[2]);
  if (x->op == OP_MIN2 || x->op == OP_MAX2)
    return expr_is_zero(p, x->args[0]) || expr_is_zero(p, x->args[1]);
  if (x->op == OP_NEG || x->op == OP_CAST || (x->op == OP_DIV && x->n == 2))
    return may_vanish(s, x->args[0]);
  return x->op == OP_MUL && x->n == 2 && (may_vanish(s, x->args[0]) || may_vanish(s, x->args[1]));
}

/* x = -f(0)/f', f being linear in x */
static bool solve_linear_one(const Structure *s, const SRow *row, SBlock *b, const bool *marked,
                             Arena *a, Diags *diags) {
  ExprPool *p = s->model->pool;
  ExprId f = residual(s, row);
  ExprId slope = expr_diff(p, f, svar_expr(s, b->unknowns[0]));
  if (!slope.i)
    return false;
  /* f with the unknown at 0 */
  ExprId rest = expr_rewrite(p, f, marked_to_zero, &(Zero){p, marked});
  double c;
  bool literal = expr_as_real(p, slope, &c);
  if (!literal && may_vanish(s, slope))
    return false;
  /* 0 = rest: not about the unknown at all */
  if (literal && c == 0) {
    complain(s, row, b->unknowns[0], D_S103,
             "this equation does not depend on `%s`, which it should determine", a, diags);
    b->value = expr_real(p, 0);
    return true;
  }
  /* no division by 1 */
  if (literal && c == -1)
    b->value = rest;
  else if (literal && c == 1)
    b->value = expr_unary(p, OP_NEG, rest);
  else
    b->value = expr_binary(p, OP_DIV, expr_unary(p, OP_NEG, rest), slope);
  return true;
}

/* a = b/c(x) is c(x) = b/a, a and b being free of x */
static bool denominator(const Structure *s, const SRow *row, const bool *marked, SRow *turned,
                        Arena *a) {
  ExprPool *p = s->model->pool;
  for (int side = 0; side < 2; side++) {
    ExprId other = side ? row->lhs : row->rhs;
    const Expr *q = expr_get(p, side ? row->rhs : row->lhs);
    if (q->op != OP_DIV || !lowered_free(s, other, marked, a) ||
        !lowered_free(s, q->args[0], marked, a) || expr_is_zero(p, other))
      continue;
    *turned = *row;
    turned->lhs = q->args[1];
    turned->rhs = expr_binary(p, OP_DIV, q->args[0], other);
    return true;
  }
  return false;
}

bool solve_one(const Structure *s, const SRow *row, SBlock *b, const bool *marked, Arena *a,
               Diags *diags) {
  const ExprPool *p = s->model->pool;
  uint32_t v;
  /* alone on a side: the other side is its value */
  if (lowered_var(p, row->lhs, &v) && v == b->unknowns[0] && lowered_free(s, row->rhs, marked, a))
    b->value = row->rhs;
  else if (lowered_var(p, row->rhs, &v) && v == b->unknowns[0] &&
           lowered_free(s, row->lhs, marked, a))
    b->value = row->lhs;
  else {
    bool real = type_get(p, s->vars.at[b->unknowns[0]].type)->base == TY_REAL;
    if (!real) {
      complain(s, row, b->unknowns[0], D_D402, "`%s` depends on itself at the same instant", a,
               diags);
      return true;
    }
    SRow turned;
    /* by its slope; and if it stands below a fraction only, with both sides turned over */
    if (lowered_linear(s, residual(s, row), marked, a))
      return solve_linear_one(s, row, b, marked, a, diags);
    return denominator(s, row, marked, &turned, a) && lowered_linear(s, turned.lhs, marked, a) &&
           solve_linear_one(s, &turned, b, marked, a, diags);
  }
  return true;
}

/* Linear in all unknowns together, or not; tearing and derivatives come when all blocks are
 * known. */
static void solve_many(const Structure *s, const SSystem *sys, SBlock *b, const bool *marked,
                       Arena *a) {
  bool linear = true;
  for (uint32_t i = 0; i < b->n && linear; i++)
    linear = lowered_linear(s, residual(s, &sys->rows.at[b->rows[i]]), marked, a);
  b->kind = linear ? BLOCK_LINEAR : BLOCK_NONLINEAR;
}

bool solve_block(Structure *s, const SSystem *sys, SBlock *b, bool *marked, Arena *a,
                 Diags *diags) {
  uint32_t errors = diags_errors(diags);
  const SRow *row = &sys->rows.at[b->rows[0]];
  if (row->kind != ROW_EQUAL) {
    b->kind = row->kind == ROW_RELATION ? BLOCK_RELATION : BLOCK_ALGORITHM;
    return true;
  }
  /* marked while it is solved: lowered_linear asks about these */
  for (uint32_t k = 0; k < b->n; k++)
    marked[b->unknowns[k]] = true;
  b->kind = BLOCK_EXPLICIT;
  if (b->n > 1 || !solve_one(s, row, b, marked, a, diags))
    solve_many(s, sys, b, marked, a);
  for (uint32_t k = 0; k < b->n; k++)
    marked[b->unknowns[k]] = false;
  /* what is made of it may vanish with it */
  if (b->kind == BLOCK_EXPLICIT && b->value.i)
    s->vars.at[b->unknowns[0]].vanishes = may_vanish(s, b->value);
  return diags_errors(diags) == errors;
}
