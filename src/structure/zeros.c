/* structure/zeros.c -- factors that are 0 with the parameter values of this translation.
 * In:   a finished structure.   Out: more entries of Zeros, if a block can only be solved by
 *       dividing by a factor that is 0.
 * How:  the parts of a block in which such factors stand are left out; if its rows can no longer be
 *       matched with its unknowns, all factors 0 of the block join Zeros, and the structure is
 *       built again with 0 written in their place, so that alias elimination, index reduction and
 *       sorting see the model as it is. A factor may be a parameter
 *       expression, or a variable, or the result of a function that is 0 whatever varies
 *       (expr/partial.h).
 * Keep: a parameter whose value 0 was used is marked: it shapes the structure and cannot change
 *       without a new translation. Factors that do no harm (the damping 0 of d*v = f) are left as
 *       they are, so that their parameters stay free. */
#include "structure/zeros.h"
#include "base/limits.h"
#include "expr/partial.h"
#include "structure/build.h"
#include "structure/lowered.h"
#include "structure/name.h"
#include "structure/point.h"

typedef VEC(ExprId) Factors;

enum { NOT_ASKED, BUSY, VARIES, SETTLED };

typedef struct {
  Lower *lo;
  Structure *s;
  ExprPool *p;
  Arena *a;
  /* Per SVar: a parameter's binding, or the other side of a row v = e; NO_EXPR if there is none */
  ExprId *define;
  unsigned char *state;  /* per SVar */
  ExprId *literal;       /* per SVar: SETTLED to this */
  Map calls;             /* call expression -> number in `results` + 1 */
  VEC(ExprId *) results; /* scalars of all outputs; NULL: nothing is known */
  Map zero;              /* factor -> is it 0? */
  PointEval *values;     /* of parameters */
  uint32_t depth;
} Zeroing;

/* ---- values of parameters ---- */

static bool is_parameter(const Zeroing *z, uint32_t v) {
  const SVar *sv = &z->s->vars.at[v];
  return sv->kind == SV_VAR && sv->known && !sv->free &&
         z->lo->m->vars.at[v].variability >= FLAT_PARAMETER;
}

/* ---- values that hold whatever else varies ---- */

static ExprId settle(Zeroing *z, ExprId e);

static ExprId settle_var(Zeroing *z, ExprId e, uint32_t v) {
  if (z->state[v] == SETTLED)
    return z->literal[v];
  /* a variable that is asked for while it is looked at follows from itself */
  if (z->state[v] != NOT_ASKED || !z->define[v].i)
    return NO_EXPR;
  z->state[v] = BUSY;
  Value value;
  /* a parameter has the value of this translation */
  if (is_parameter(z, v))
    z->literal[v] = point_value(z->values, e, &value) ? expr_of_value(z->p, &value) : NO_EXPR;
  else if (z->depth < MOST_ZERO_NESTED)
    z->literal[v] = settle(z, z->define[v]);
  bool literal = z->literal[v].i && expr_is_literal(z->p, z->literal[v]);
  z->state[v] = literal ? SETTLED : VARIES;
  if (literal && type_get(z->p, z->s->vars.at[v].type)->base == TY_REAL)
    z->literal[v] = expr_to_real(z->p, z->literal[v]);
  return literal ? z->literal[v] : NO_EXPR;
}

/* The scalars of all results of a call; NULL if nothing is known. */
static ExprId *results_of(Zeroing *z, ExprId e, const Expr *call) {
  uint64_t known;
  /* a call under way has no results yet: recursion ends here */
  if (map_get(&z->calls, e.i, &known))
    return known ? z->results.at[known - 1] : NULL;
  map_put(z->a, &z->calls, e.i, 0);
  const Func *f = call->ref;
  ExprId *outputs = f ? NEW_ARRAY(z->a, ExprId, f->n_outputs + 1) : NULL;
  if (!f || !func_partial(z->p, z->a, f, call->n, call->args, outputs))
    return NULL;
  /* scalars of all outputs, one after the other, as OP_PART counts them */
  VEC(ExprId) cells = {0};
  Scalarizer sc = {.pool = z->p};
  for (uint32_t k = 0; k < f->n_outputs; k++) {
    int64_t n = outputs[k].i ? type_count(z->p, expr_get(z->p, outputs[k])->type) : -1;
    ExprId *part = n >= 0 ? NEW_ARRAY(z->a, ExprId, (size_t)n + 1) : NULL;
    if (!part || !expr_scalars(&sc, outputs[k], part))
      return NULL;
    for (int64_t i = 0; i < n; i++)
      vec_push(z->a, &cells, part[i]);
  }
  vec_push(z->a, &cells, NO_EXPR); /* the end */
  vec_push(z->a, &z->results, cells.at);
  map_put(z->a, &z->calls, e.i, z->results.n);
  return cells.at;
}

static ExprId settle_node(void *user, ExprId e) {
  Zeroing *z = user;
  const Expr *x = expr_get(z->p, e);
  if (x->op == OP_VAR)
    return x->index < z->s->vars.n ? settle_var(z, e, x->index) : NO_EXPR;
  /* 0/x is 0 wherever the equation means anything */
  if (x->op == OP_DIV && type_is_scalar(z->p, x->type) && expr_is_zero(z->p, x->args[0]))
    return expr_real(z->p, 0);
  bool part = x->op == OP_PART;
  bool scalar = x->op == OP_CALL && type_is_scalar(z->p, x->type);
  if (!part && !scalar)
    return NO_EXPR;
  ExprId call = part ? x->args[0] : e;
  ExprId *results = expr_get(z->p, call)->op == OP_CALL ? results_of(z, call, expr_get(z->p, call))
                                                        : NULL;
  /* result number x->index, if there are that many */
  uint32_t k = 0;
  while (results && results[k].i && k < (part ? x->index : 0))
    k++;
  bool literal = results && results[k].i && expr_is_literal(z->p, results[k]);
  return literal ? results[k] : NO_EXPR;
}

/* e with everything in it that is known; a literal if all of it is. */
static ExprId settle(Zeroing *z, ExprId e) {
  z->depth++;
  ExprId out = expr_rewrite(z->p, e, settle_node, z);
  z->depth--;
  return out;
}

static bool is_zero_factor(Zeroing *z, ExprId e) {
  uint64_t known;
  /* a literal 0 has been written out already */
  if (expr_is_literal(z->p, e) || !type_is_scalar(z->p, expr_get(z->p, e)->type))
    return false;
  if (map_get(&z->zero, e.i, &known))
    return known != 0;
  bool zero = expr_is_zero(z->p, settle(z, e));
  map_put(z->a, &z->zero, e.i, zero);
  return zero;
}

/* A row v = e, v being an unknown that keeps no value of its own. */
static void read_definition(Zeroing *z, const SRow *row) {
  ExprId sides[2] = {row->lhs, row->rhs};
  /* both sides may be a variable: each follows from the other */
  for (int k = 0; row->kind == ROW_EQUAL && k < 2; k++) {
    uint32_t v;
    if (!lowered_var(z->p, sides[k], &v) || (row->only != NO_SVAR && row->only != v))
      continue;
    const SVar *sv = &z->s->vars.at[v];
    if (sv->kind == SV_VAR && !sv->known && !sv->discrete && !sv->state && !z->define[v].i)
      z->define[v] = sides[1 - k];
  }
}

static void begin(Zeroing *z, Lower *lo) {
  Structure *s = lo->s;
  *z = (Zeroing){.lo = lo, .s = s, .p = lo->p, .a = lo->a};
  z->define = NEW_ARRAY(lo->a, ExprId, s->vars.n);
  z->literal = NEW_ARRAY(lo->a, ExprId, s->vars.n);
  z->state = NEW_ARRAY(lo->a, unsigned char, s->vars.n);
  z->values = point_new(lo);
  /* a parameter without binding has its start value */
  for (uint32_t v = 0; v < lo->m->vars.n; v++)
    if (is_parameter(z, v))
      z->define[v] = s->bindings[v].i ? s->bindings[v] : lower_default_start(lo, v);
  for (uint32_t r = 0; r < s->simulation.rows.n; r++)
    read_definition(z, &s->simulation.rows.at[r]);
}

/* ---- factors in rows ---- */

typedef struct {
  Zeroing *z;
  Factors *found;
} Search;

static void note_factor(void *user, ExprId e) {
  Search *se = user;
  const Expr *x = expr_get(se->z->p, e);
  if ((x->op != OP_MUL && x->op != OP_DIV) || x->n != 2)
    return;
  /* of a quotient only what is divided can take the term away */
  for (uint32_t k = 0; k < (x->op == OP_MUL ? 2u : 1u); k++)
    if (is_zero_factor(se->z, x->args[k]))
      vec_push(se->z->a, se->found, x->args[k]);
}

static Factors factors_of(Zeroing *z, const SRow *row) {
  Factors out = {0};
  Search se = {z, &out};
  if (row->kind == ROW_EQUAL) {
    expr_walk(z->p, row->lhs, note_factor, &se);
    expr_walk(z->p, row->rhs, note_factor, &se);
  }
  return out;
}

static ExprId without(void *user, ExprId e) {
  Zeroing *z = user;
  const Expr *x = expr_get(z->p, e);
  if ((x->op != OP_MUL && x->op != OP_DIV) || x->n != 2)
    return NO_EXPR;
  bool zero = is_zero_factor(z, x->args[0]) || (x->op == OP_MUL && is_zero_factor(z, x->args[1]));
  return zero ? expr_real(z->p, 0) : NO_EXPR;
}

/* ---- blocks ---- */

typedef struct {
  bool *entry; /* n x n: row i holds unknown k even so */
  uint32_t n;
  uint32_t *row_of; /* per unknown: row + 1 */
  bool *tried;
} Block;

typedef struct {
  const ExprPool *p;
  const uint32_t *local;
  bool *entry;
} Entries;

static void note_entry(void *user, ExprId e) {
  const Entries *en = user;
  uint32_t v;
  if (lowered_var(en->p, e, &v) && en->local[v])
    en->entry[en->local[v] - 1] = true;
}

/* augmenting paths, as in match.c: blocks are small */
static bool augment(Block *bl, uint32_t row) {
  for (uint32_t k = 0; k < bl->n; k++) {
    if (!bl->entry[(size_t)row * bl->n + k] || bl->tried[k])
      continue;
    bl->tried[k] = true;
    if (!bl->row_of[k] || augment(bl, bl->row_of[k] - 1)) {
      bl->row_of[k] = row + 1;
      return true;
    }
  }
  return false;
}

/* Can the block be solved where its factors 0 stand? `local`: per SVar, all 0; left so. */
static bool solvable(Zeroing *z, const SSystem *sys, const SBlock *b, uint32_t *local) {
  Block bl = {NEW_ARRAY(z->a, bool, (size_t)b->n * b->n), b->n, NEW_ARRAY(z->a, uint32_t, b->n),
              NEW_ARRAY(z->a, bool, b->n)};
  /* numbers within the block while it is looked at */
  for (uint32_t k = 0; k < b->n; k++)
    local[b->unknowns[k]] = k + 1;
  for (uint32_t i = 0; i < b->n; i++) {
    const SRow *row = &sys->rows.at[b->rows[i]];
    Entries en = {z->p, local, &bl.entry[(size_t)i * b->n]};
    /* unknowns that the rows still hold without these terms */
    expr_walk(z->p, expr_rewrite(z->p, row->lhs, without, z), note_entry, &en);
    expr_walk(z->p, expr_rewrite(z->p, row->rhs, without, z), note_entry, &en);
  }
  for (uint32_t k = 0; k < b->n; k++)
    local[b->unknowns[k]] = 0;
  bool all = true;
  for (uint32_t i = 0; i < b->n && all; i++) {
    for (uint32_t k = 0; k < b->n; k++)
      bl.tried[k] = false;
    all = augment(&bl, i);
  }
  return all;
}

/* Was an unknown found by dividing by such a factor? Tearing does not look at values. */
static bool divides_by_zero(Zeroing *z, const SBlock *b) {
  for (uint32_t k = 0; k < b->n; k++) {
    ExprId value = b->kind == BLOCK_EXPLICIT    ? b->value
                   : b->parts && k >= b->n_tear ? b->parts[k]
                                                : NO_EXPR;
    /* solved for by a quotient: its divisor is the factor */
    const Expr *x = value.i ? expr_get(z->p, value) : NULL;
    if (x && x->op == OP_DIV && is_zero_factor(z, x->args[1]))
      return true;
  }
  return false;
}

/* ---- Zeros ---- */

static bool add_factor(Zeros *zs, Zeroing *z, ExprId factor) {
  uint64_t known;
  if (map_get(&zs->factors, factor.i, &known))
    return false;
  map_put(z->a, &zs->factors, factor.i, 1);
  vec_push(z->a, &zs->list, factor);
  uint32_t v, of;
  if (!lowered_var(z->p, factor, &v))
    return true;
  /* before alias elimination it went by other names */
  for (uint32_t k = 0; k < z->s->vars.n; k++) {
    ExprId alias = z->s->vars.at[k].alias;
    const Expr *x = alias.i ? expr_get(z->p, alias) : NULL;
    if (x && lowered_var(z->p, x->op == OP_NEG ? x->args[0] : alias, &of) && of == v)
      add_factor(zs, z, svar_expr(z->s, k));
  }
  return true;
}

typedef struct {
  Zeros *zs;
  Zeroing *z;
} Marking;

/* Every parameter behind the factor. */
static void mark_parameter(void *user, ExprId e) {
  /* parameters behind parameters, too */
  Marking *mk = user;
  uint32_t v;
  uint64_t known;
  if (!lowered_var(mk->z->p, e, &v) || !mk->z->define[v].i || map_get(&mk->zs->marked, v, &known))
    return;
  map_put(mk->z->a, &mk->zs->marked, v, 1);
  if (mk->z->s->vars.at[v].known)
    vec_push(mk->z->a, &mk->zs->parameters, v);
  expr_walk(mk->z->p, mk->z->define[v], mark_parameter, mk);
}

static bool take(Zeros *zs, Zeroing *z, const Factors *factors) {
  bool more = false;
  for (uint32_t k = 0; k < factors->n; k++) {
    if (!add_factor(zs, z, factors->at[k]))
      continue;
    more = true;
    expr_walk(z->p, factors->at[k], mark_parameter, &(Marking){zs, z});
  }
  return more;
}

bool zeros_needed(Lower *lo, Zeros *zs) {
  Zeroing z;
  begin(&z, lo);
  uint32_t *local = NEW_ARRAY(lo->a, uint32_t, lo->s->vars.n);
  const SSystem *systems[] = {&lo->s->simulation, &lo->s->initial};
  bool more = false;
  for (int q = 0; q < 2; q++)
    for (uint32_t k = 0; k < systems[q]->blocks.n; k++) {
      const SBlock *b = &systems[q]->blocks.at[k];
      Factors factors = {0};
      /* factors of large blocks are left to the solver */
      for (uint32_t i = 0; i < b->n && b->n <= MOST_ZERO_ROWS; i++) {
        Factors own = factors_of(&z, &systems[q]->rows.at[b->rows[i]]);
        for (uint32_t j = 0; j < own.n; j++)
          vec_push(lo->a, &factors, own.at[j]);
      }
      /* only where it does harm */
      if (factors.n && (divides_by_zero(&z, b) || !solvable(&z, systems[q], b, local)))
        more |= take(zs, &z, &factors);
    }
  return more;
}

bool zeros_all(Lower *lo, Zeros *zs) {
  Zeroing z;
  begin(&z, lo);
  bool more = false;
  for (uint32_t r = 0; r < lo->s->simulation.rows.n; r++) {
    Factors own = factors_of(&z, &lo->s->simulation.rows.at[r]);
    more |= take(zs, &z, &own);
  }
  return more;
}

/* ---- writing 0 ---- */

typedef struct {
  const Zeros *zs;
  ExprPool *p;
} Writing;

static ExprId write_zero(void *user, ExprId e) {
  const Writing *w = user;
  const Expr *x = expr_get(w->p, e);
  uint64_t known;
  if ((x->op != OP_MUL && x->op != OP_DIV) || x->n != 2)
    return NO_EXPR;
  bool zero = map_get(&w->zs->factors, x->args[0].i, &known) ||
              (x->op == OP_MUL && map_get(&w->zs->factors, x->args[1].i, &known));
  return zero ? expr_real(w->p, 0) : NO_EXPR;
}

void zeros_write(Lower *lo, const Zeros *zs) {
  Writing w = {zs, lo->p};
  SSystem *systems[] = {&lo->s->simulation, &lo->s->initial};
  for (int q = 0; q < 2 && zs->list.n; q++)
    for (uint32_t r = 0; r < systems[q]->rows.n; r++) {
      SRow *row = &systems[q]->rows.at[r];
      if (row->kind != ROW_EQUAL)
        continue;
      row->lhs = expr_rewrite(lo->p, row->lhs, write_zero, &w);
      row->rhs = expr_rewrite(lo->p, row->rhs, write_zero, &w);
    }
  for (uint32_t k = 0; k < zs->parameters.n; k++)
    lo->s->vars.at[zs->parameters.at[k]].shapes = true;
}

/* ---- factors that are not 0 now ---- */

typedef struct {
  const Lower *lo;
  bool parameters; /* nothing but parameters so far */
} Content;

static void note_content(void *user, ExprId e) {
  Content *c = user;
  const Expr *x = expr_get(c->lo->p, e);
  const SVar *v = x->op == OP_VAR ? &c->lo->s->vars.at[x->index] : NULL;
  bool parameter = v && v->kind == SV_VAR && v->known && !v->free &&
                   c->lo->m->vars.at[x->index].variability >= FLAT_PARAMETER;
  c->parameters = c->parameters && x->op != OP_CALL && (x->n || parameter || x->op <= OP_ENUM);
}

/* The run may give a parameter another value; 0 needs another structure. */
static void guard(Lower *lo, const SRow *row, const SBlock *b, Map *known) {
  ExprPool *p = lo->p;
  const Expr *x = expr_get(p, b->value);
  uint64_t seen;
  /* an equation that the user has written as a quotient is his to guard */
  bool own = row->kind == ROW_EQUAL && !expr_same(row->lhs, b->value) &&
             !expr_same(row->rhs, b->value);
  if (!own || x->op != OP_DIV || expr_is_literal(p, x->args[1]) ||
      map_get(known, x->args[1].i, &seen))
    return;
  Content c = {lo, true};
  /* other factors vary in the run, and are looked at there */
  expr_walk(p, x->args[1], note_content, &c);
  if (!c.parameters)
    return;
  map_put(lo->a, known, x->args[1].i, 1);
  Text factor = {.arena = lo->a}, name = {.arena = lo->a};
  structure_print(lo->s, x->args[1], &factor);
  structure_name(lo->s, b->unknowns[0], &name);
  SAction act = {.kind = ACTION_ASSERT,
                 .value = expr_binary(p, OP_NE, x->args[1], expr_real(p, 0)),
                 .span = row->span};
  act.message = expr_string(
      p, arena_printf(lo->a,
                      "`%s` is 0, and this equation was solved for `%s` by dividing by it: with "
                      "this value the model is singular, or must be translated again",
                      text_str(&factor), text_str(&name)));
  act.level = expr_integer(p, 2);
  vec_push(lo->a, &lo->s->guards, act);
}

/* a value of 0 in the run, which the structure does not know */
void zeros_guard(Lower *lo) {
  const SSystem *systems[] = {&lo->s->simulation, &lo->s->initial};
  Map known = {0};
  for (int q = 0; q < 2; q++)
    for (uint32_t k = 0; k < systems[q]->blocks.n; k++)
      if (systems[q]->blocks.at[k].kind == BLOCK_EXPLICIT)
        guard(lo, &systems[q]->rows.at[systems[q]->blocks.at[k].rows[0]], &systems[q]->blocks.at[k],
              &known);
}
