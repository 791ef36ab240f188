/* structure/size.c -- how large is what a relation compares? Its band, within which nothing can be
 * told, follows from that.
 * In:   a sorted system of one mode.   Out: per relation two expressions, evaluated where its
 *       sides are.
 *   terms  sum of the absolute values of all terms that the sides come from: roundings are units of
 *          its last place;
 *   size   the same of the terms that carry errors of the integration, each at least as large as
 *          its variable is declared to be (nominal). Time, parameters, literals and discrete values
 *          are exact: x > time - t0 is no blunter in a year than today.
 * How:  the error of a sum is the sum of the errors; of a product, |x| e(y) + |y| e(x). A variable
 *       stands for the terms of the equation that determines it, some equations deep; an iterated
 *       unknown of a linear system for those of all its rows, as far as it follows from them
 *       (R. D. Skeel, Scaling for numerical stability in Gaussian elimination, J. ACM 26(3), 1979);
 *       of a nonlinear one for those of a residual, over what it is multiplied with.
 * Keep: the simulation and the initial system compute variables in different orders, and an
 *       expression may only read what is computed before: each system has expressions of its own.
 *       Nothing here calls an external or impure function. A term that does is no larger than the
 *       sum and its other terms together; where the sides themselves call one, they are the size
 *       (run/host.c). */
#include "structure/switching.h"
#include "base/limits.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <float.h>

typedef struct {
  Structure *s;
  ExprPool *p;
  const SSystem *sys;
  const uint32_t *block_of; /* SVar -> block of the system + 1; 0: none */
  uint32_t part;            /* of the relation at work */
  uint32_t depth, nodes;
  bool calling; /* the expression at work calls a function that is not to be called here */
  bool *busy;   /* per SVar: it is being looked through */
  Map known;    /* node -> both expressions */
  Arena *scratch;
} Sizes;

typedef struct {
  ExprId size, terms;
} Size;

static Size size_of(Sizes *z, ExprId e);
static Size size_of_sum(Sizes *z, ExprId e, ExprId equal);

static ExprId absolute(Sizes *z, ExprId e) {
  return expr_unary(z->p, OP_ABS, expr_to_real(z->p, e));
}
static ExprId add(Sizes *z, ExprId a, ExprId b) { return expr_binary(z->p, OP_ADD, a, b); }
static ExprId times(Sizes *z, ExprId a, ExprId b) { return expr_binary(z->p, OP_MUL, a, b); }
static ExprId zero(Sizes *z) { return expr_real(z->p, 0); }

static Size plain(Sizes *z, ExprId e) {
  ExprId size = absolute(z, e);
  return (Size){size, size};
}

static Size exact(Sizes *z, ExprId e) { return (Size){zero(z), absolute(z, e)}; }
static Size sum(Sizes *z, Size a, Size b) {
  return (Size){add(z, a.size, b.size), add(z, a.terms, b.terms)};
}
static Size scaled(Sizes *z, Size a, ExprId by) {
  return (Size){times(z, a.size, by), times(z, a.terms, by)};
}

/* Does it do more than compute something? */
static void find_call(void *user, ExprId e) {
  const Sizes *z = ((void **)user)[0];
  bool *found = ((void **)user)[1];
  const Expr *x = expr_get(z->p, e);
  const Func *f = x->op == OP_CALL || x->op == OP_FUNCTION ? x->ref : NULL;
  *found = *found || (f && (f->impure || f->external)) || x->op == OP_SPATIAL;
}

static bool calls(Sizes *z, ExprId e) {
  bool found = false;
  void *user[] = {z, &found};
  expr_walk(z->p, e, find_call, user);
  return found;
}

/* ---- variables ---- */

/* Derivative of unknown or residual k of a block by its iterated unknown j; NO_EXPR: it is not
 * known. */
static ExprId chained(Sizes *z, const SBlock *b, uint32_t k, uint32_t j) {
  ExprId out = zero(z);
  if (++z->nodes > MOST_SIZE_NODES)
    return NO_EXPR;
  for (uint32_t q = 0; q < b->partials[k].n; q++) {
    const SPartial *d = &b->partials[k].at[q];
    ExprId inner = d->of < b->n_tear ? expr_real(z->p, d->of == j) : chained(z, b, d->of, j);
    if (!inner.i || calls(z, d->d))
      return NO_EXPR;
    out = add(z, out, times(z, d->d, inner));
  }
  return out;
}

/* Terms of iterated unknown j by one row: those of a residual, over what the unknown is multiplied
 * with there; the least of these, as some of them may hardly depend on it in this mode. */
static ExprId of_one_row(Sizes *z, const SBlock *b, uint32_t j, const ExprId *rows, ExprId self) {
  ExprId far = expr_real(z->p, DBL_MAX), terms = far;
  for (uint32_t i = 0; b->partials && i < b->n_tear; i++) {
    ExprId pivot = chained(z, b, i, j);
    if (!pivot.i || expr_is_zero(z->p, pivot))
      continue;
    ExprId none = expr_binary(z->p, OP_EQ, pivot, zero(z));
    ExprId over = expr_binary(z->p, OP_DIV, rows[i], absolute(z, pivot));
    terms = expr_binary(z->p, OP_MIN2, terms, expr_if(z->p, none, far, over));
  }
  return expr_if(z->p, expr_binary(z->p, OP_GE, terms, far), self, terms);
}

/* Iterated unknown j of a system: its roundings come from the terms of the residuals, in which all
 * iterated unknowns stand for themselves. In a linear system rows that do not hold it carry
 * roundings into it, too, through the unknowns that they share with others: a torque that is 0 is
 * known as well as the torques are that balance around it. How far, the factors of the matrix say,
 * which the run has; before it has them, and in a nonlinear system, one row must do. Its errors are
 * its own: volts over the resistance of a diode that conducts would be far too many amperes. */
static Size of_rows(Sizes *z, const SBlock *b, uint32_t j, ExprId var) {
  ExprId self = absolute(z, var), args[4 + MOST_SIZE_ROWS], *rows = args + 4;
  if (b->n_tear > MOST_SIZE_ROWS)
    return (Size){self, self};
  for (uint32_t i = 0; i < b->n_tear; i++)
    z->busy[b->unknowns[i]] = true;
  for (uint32_t i = 0; i < b->n_tear; i++)
    rows[i] = size_of_sum(z, b->parts[i], zero(z)).terms;
  for (uint32_t i = 0; i < b->n_tear; i++)
    z->busy[b->unknowns[i]] = false;
  ExprId terms = of_one_row(z, b, j, rows, self);
  if (b->kind == BLOCK_LINEAR && b->n_tear > 1) {
    args[0] = expr_integer(z->p, z->sys == &z->s->initial);
    args[1] = expr_integer(z->p, b - z->sys->blocks.at);
    args[2] = expr_integer(z->p, j);
    args[3] = terms;
    terms = expr_make(z->p, OP_ROUNDING, type_scalar(z->p, TY_REAL), 4 + b->n_tear, args);
  }
  return (Size){self, terms};
}

/* What determines the variable, if it may be looked at. */
static Size looked_through(Sizes *z, uint32_t v, ExprId var) {
  uint32_t at = z->block_of[v];
  if (!at || z->busy[v] || z->depth >= MOST_SIZE_DEPTH || z->nodes > MOST_SIZE_NODES ||
      (z->part != NO_PART && z->s->part_of_block[at - 1] != z->part))
    return plain(z, var);
  const SBlock *b = &z->sys->blocks.at[at - 1];
  ExprId value = NO_EXPR;
  Size out = plain(z, var);
  z->depth++;
  z->busy[v] = true;
  if (b->kind == BLOCK_EXPLICIT)
    value = b->value;
  else if (b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR)
    for (uint32_t k = 0; k < b->n; k++) {
      if (b->unknowns[k] == v && k >= b->n_tear)
        value = b->parts[k];
      else if (b->unknowns[k] == v)
        out = of_rows(z, b, k, var);
    }
  if (value.i)
    out = size_of_sum(z, value, var);
  z->depth--;
  z->busy[v] = false;
  return out;
}

static Size of_variable(Sizes *z, uint32_t v, ExprId var) {
  const SVar *sv = &z->s->vars.at[v];
  bool held = sv->known || sv->discrete || sv->kind == SV_PRE;
  Size out = held                                 ? exact(z, var)
             : sv->state || sv->kind == SV_CHOSEN ? plain(z, var)
                                                  : looked_through(z, v, var);
  ExprId nominal = sv->kind == SV_VAR && !sv->known ? z->s->model->vars.at[v].nominal : NO_EXPR;
  if (nominal.i && !calls(z, nominal))
    out.size = expr_binary(z->p, OP_MAX2, out.size, absolute(z, nominal));
  return out;
}

/* ---- expressions ---- */

static bool is_factor(Sizes *z, ExprId e) { return expr_is_zero(z->p, size_of(z, e).size); }

static Size of_product(Sizes *z, const Expr *x) {
  ExprId a = x->args[0], b = x->args[1];
  if (is_factor(z, a))
    return scaled(z, size_of(z, b), absolute(z, a));
  if (is_factor(z, b))
    return scaled(z, size_of(z, a), absolute(z, b));
  return sum(z, scaled(z, size_of(z, a), absolute(z, b)), scaled(z, size_of(z, b), absolute(z, a)));
}

static Size of_quotient(Sizes *z, ExprId e, const Expr *x) {
  ExprId a = x->args[0], b = x->args[1], by = absolute(z, b);
  Size above = size_of(z, a), below = size_of(z, b);
  Size out = {expr_binary(z->p, OP_DIV, above.size, by),
              expr_binary(z->p, OP_DIV, above.terms, by)};
  if (is_factor(z, b))
    return out;
  ExprId over = expr_binary(z->p, OP_DIV, absolute(z, e), by);
  return sum(z, out, scaled(z, below, over));
}

/* What a function makes of its argument is as large as it is; its roundings also come from those of
 * the argument. */
static Size of_function(Sizes *z, ExprId e, const Expr *x) {
  Size out = plain(z, e);
  if (x->op == OP_SIN || x->op == OP_COS)
    out.terms = add(z, out.terms, size_of(z, x->args[0]).terms);
  return out;
}

static Size of_node(Sizes *z, ExprId e) {
  const Expr *x = expr_get(z->p, e);
  if (x->op == OP_REAL || x->op == OP_TIME || x->op == OP_CAST) /* the last: of an Integer */
    return exact(z, e);
  double least;
  if (x->op == OP_DELAY && expr_as_real(z->p, x->args[2], &least) &&
      least == -DBL_MAX) /* when a jump comes out of it */
    return (Size){zero(z), zero(z)};
  if (x->op == OP_NEG || x->op == OP_ABS)
    return size_of(z, x->args[0]);
  if (x->op == OP_ADD || x->op == OP_SUB)
    return sum(z, size_of(z, x->args[0]), size_of(z, x->args[1]));
  if (x->op == OP_MUL)
    return of_product(z, x);
  if (x->op == OP_DIV)
    return of_quotient(z, e, x);
  if (x->op == OP_MIN2 || x->op == OP_MAX2) {
    Size a = size_of(z, x->args[0]), b = size_of(z, x->args[1]);
    return (Size){expr_binary(z->p, OP_MAX2, a.size, b.size),
                  expr_binary(z->p, OP_MAX2, a.terms, b.terms)};
  }
  if (x->op == OP_IF) {
    Size a = size_of(z, x->args[1]), b = size_of(z, x->args[2]);
    return (Size){expr_if(z->p, x->args[0], a.size, b.size),
                  expr_if(z->p, x->args[0], a.terms, b.terms)};
  }
  return of_function(z, e, x);
}

static bool is_sum(const Expr *x) { return x->op == OP_ADD || x->op == OP_SUB || x->op == OP_NEG; }

static Size fresh_size(Sizes *z, ExprId e) {
  const Expr *x = expr_get(z->p, e);
  uint32_t v;
  if (z->calling && !is_sum(x) && calls(z, e))
    return (Size){zero(z), zero(z)};
  if (type_get(z->p, x->type)->base != TY_REAL)
    return exact(z, e);
  if (lowered_var(z->p, e, &v))
    return of_variable(z, v, e);
  return ++z->nodes > MOST_SIZE_NODES ? plain(z, e) : of_node(z, e);
}

static Size size_of(Sizes *z, ExprId e) {
  uint64_t known;
  if (map_get(&z->known, e.i, &known))
    return (Size){{(uint32_t)(known >> 32)}, {(uint32_t)known}};
  Size out = fresh_size(z, e);
  map_put(z->scratch, &z->known, e.i, (uint64_t)out.size.i << 32 | out.terms.i);
  return out;
}

/* Of what equals a variable, or is 0: terms that are not to be computed again are at most as large
 * as that and the others together. */
static Size size_of_sum(Sizes *z, ExprId e, ExprId equal) {
  bool outer = z->calling;
  z->calling = calls(z, e);
  Size out = size_of(z, e);
  if (z->calling)
    out = sum(z, out, plain(z, equal));
  z->calling = outer;
  return out;
}

/* ---- relations ---- */

static const uint32_t *blocks_of(const Structure *s, const SSystem *sys, Arena *scratch) {
  uint32_t *out = NEW_ARRAY(scratch, uint32_t, s->vars.n + 1);
  for (uint32_t b = 0; b < sys->blocks.n; b++)
    for (uint32_t k = 0; k < sys->blocks.at[b].n; k++)
      out[sys->blocks.at[b].unknowns[k]] = b + 1;
  return out;
}

static void find_in(Structure *s, bool initial, Arena *scratch) {
  const SSystem *sys = initial ? &s->initial : &s->simulation;
  const uint32_t *block_of = blocks_of(s, sys, scratch);
  bool *busy = NEW_ARRAY(scratch, bool, s->vars.n + 1);
  for (uint32_t k = 0; k < s->relations.n; k++) {
    SRelation *r = &s->relations.at[k];
    uint32_t at = block_of[r->var];
    Sizes z = {.s = s,
               .sys = sys,
               .p = s->model->pool,
               .block_of = block_of,
               .busy = busy,
               .scratch = scratch,
               .part = !initial && s->parts.n && at ? s->part_of_block[at - 1] : NO_PART};
    if (r->timed || calls(&z, r->a) || calls(&z, r->b))
      continue;
    Size both = sum(&z, size_of(&z, r->a), size_of(&z, r->b));
    ExprId size = expr_to_real(z.p, both.size), terms = expr_to_real(z.p, both.terms);
    if (initial)
      r->size_initially = size, r->terms_initially = terms;
    else
      r->size = size, r->terms = terms;
  }
}

void sizes_find(Structure *s, Arena *scratch) {
  find_in(s, false, scratch);
  if (s->initial.blocks.n)
    find_in(s, true, scratch);
}
