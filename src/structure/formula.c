/* structure/formula.c -- relations as formulas of states, time and what is held between events.
 * The run encloses them over whole steps, so that no crossing is missed (run/isolate.c).
 * In:   the sorted simulation with its places.
 * Out:  per relation the terms of a - b, if it has a formula.
 * How:  a variable that an assignment determines stands for what it is assigned. A relation has no
 *       formula if it depends on simultaneous equations, algorithms, calls of functions or delays,
 *       or needs too many terms.
 * Keep: equal expressions are one term. Nothing is simplified: a - b is computed as the model
 * does. */
#include "structure/formula.h"
#include "base/limits.h"
#include "dsblock.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

enum { NO_TERM = -1 };
_Static_assert((int)MOST_FORMULA_TERMS <= (int)DS_MOST_TERMS, "the run has room for them");

typedef struct {
  const Structure *s;
  const ExprPool *p;
  Arena *a;
  SFormulas *out;
  const uint32_t
      *block_of; /* SVar -> block of the simulation that assigns it between events, + 1; 0: none */
  Map known;     /* expression -> formula, term */
  uint32_t relation, first; /* at work; number of its first term */
  uint32_t depth;
} Formulas;

/* Operators of the expression DAG that have a term of their own, + 1. */
/* clang-format off */
static const unsigned char terms[OP_COUNT] = {
    [OP_NEG] = DS_TERM_NEG + 1, [OP_ADD] = DS_TERM_ADD + 1, [OP_SUB] = DS_TERM_SUB + 1,
    [OP_MUL] = DS_TERM_MUL + 1, [OP_DIV] = DS_TERM_DIV + 1, [OP_POW] = DS_TERM_POW + 1,
    [OP_LT] = DS_TERM_LT + 1, [OP_LE] = DS_TERM_LE + 1, [OP_GT] = DS_TERM_GT + 1,
    [OP_GE] = DS_TERM_GE + 1, [OP_EQ] = DS_TERM_EQ + 1, [OP_NE] = DS_TERM_NE + 1,
    [OP_NOT] = DS_TERM_NOT + 1, [OP_AND] = DS_TERM_AND + 1, [OP_OR] = DS_TERM_OR + 1,
    [OP_IF] = DS_TERM_IF + 1, [OP_ABS] = DS_TERM_ABS + 1, [OP_SIGN] = DS_TERM_SIGN + 1,
    [OP_MIN2] = DS_TERM_MIN + 1, [OP_MAX2] = DS_TERM_MAX + 1, [OP_SQRT] = DS_TERM_SQRT + 1,
    [OP_SIN] = DS_TERM_SIN + 1, [OP_COS] = DS_TERM_COS + 1, [OP_TAN] = DS_TERM_TAN + 1,
    [OP_ASIN] = DS_TERM_ASIN + 1, [OP_ACOS] = DS_TERM_ACOS + 1, [OP_ATAN] = DS_TERM_ATAN + 1,
    [OP_ATAN2] = DS_TERM_ATAN2 + 1, [OP_SINH] = DS_TERM_SINH + 1, [OP_COSH] = DS_TERM_COSH + 1,
    [OP_TANH] = DS_TERM_TANH + 1, [OP_EXP] = DS_TERM_EXP + 1, [OP_LOG] = DS_TERM_LOG + 1,
    [OP_LOG10] = DS_TERM_LOG10 + 1};
/* clang-format on */

static int term_of(Formulas *f, ExprId e);

static int add(Formulas *f, int op, int a, int b, int c) {
  uint32_t n = f->out->terms.n - f->first;
  if (n >= MOST_FORMULA_TERMS)
    return NO_TERM;
  vec_push(f->a, &f->out->terms, ((STerm){op, a, b, c}));
  return (int)n;
}

static int number(Formulas *f, double value) {
  vec_push(f->a, &f->out->numbers, value);
  return add(f, DS_TERM_NUMBER, (int)f->out->numbers.n - 1, 0, 0);
}

/* ---- variables ---- */

/* Its value at its place, which stays as it is between events. */
static int held(Formulas *f, const SVar *v) {
  switch (v->bank) {
  case BANK_REAL: return add(f, DS_TERM_REAL, (int)v->place, 0, 0);
  case BANK_REAL_PRE: return add(f, DS_TERM_REAL_PRE, (int)v->place, 0, 0);
  case BANK_INTEGER: return add(f, DS_TERM_INTEGER, (int)v->place, 0, 0);
  case BANK_INTEGER_PRE: return add(f, DS_TERM_INTEGER_PRE, (int)v->place, 0, 0);
  case BANK_RELATION: return add(f, DS_TERM_RELATION, (int)v->place, 0, 0);
  case BANK_STRING:
  case BANK_STRING_PRE:
  case BANK_SAMPLE: break;
  }
  return NO_TERM;
}

static int of_variable(Formulas *f, uint32_t k) {
  const SVar *v = &f->s->vars.at[k];
  if (v->state || v->kind == SV_CHOSEN)
    return add(f, DS_TERM_STATE, (int)v->place, 0, 0);
  if (v->known || v->discrete || v->kind == SV_PRE || v->kind == SV_RELATION)
    return held(f, v);
  if (!f->block_of[k])
    return NO_TERM;
  const SBlock *b = &f->s->simulation.blocks.at[f->block_of[k] - 1];
  return b->kind == BLOCK_EXPLICIT ? term_of(f, b->value) : NO_TERM;
}

/* ---- expressions ---- */

static int of_operator(Formulas *f, const Expr *x) {
  enum { OPERANDS = 3 };
  int operands[OPERANDS] = {0};
  if (!terms[x->op] || x->n > OPERANDS)
    return NO_TERM;
  for (uint32_t k = 0; k < x->n; k++)
    if ((operands[k] = term_of(f, x->args[k])) == NO_TERM)
      return NO_TERM;
  return add(f, terms[x->op] - 1, operands[0], operands[1], operands[2]);
}

static int fresh_term(Formulas *f, ExprId e) {
  const Expr *x = expr_get(f->p, e);
  uint32_t v;
  if (lowered_var(f->p, e, &v))
    return of_variable(f, v);
  switch (x->op) {
  case OP_REAL: return number(f, x->real);
  case OP_INTEGER:
  case OP_BOOLEAN:
  case OP_ENUM: return number(f, (double)x->integer);
  case OP_TIME: return add(f, DS_TERM_TIME, 0, 0, 0);
  case OP_CAST: return term_of(f, x->args[0]);
  default: return of_operator(f, x);
  }
}

static int term_of(Formulas *f, ExprId e) {
  uint64_t known;
  if (map_get(&f->known, e.i, &known) && known >> 32 == f->relation)
    return (int)(uint32_t)known;
  if (f->depth >= MOST_FORMULA_DEPTH)
    return NO_TERM;
  f->depth++;
  int out = fresh_term(f, e);
  f->depth--;
  map_put(f->a, &f->known, e.i, (uint64_t)f->relation << 32 | (uint32_t)out);
  return out;
}

/* ---- relations ---- */

static const uint32_t *assigned_by(const Structure *s, Arena *a) {
  uint32_t *out = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++)
    for (uint32_t k = 0; k < s->simulation.blocks.at[b].n; k++)
      if (s->simulation.blocks.at[b].phase != PHASE_DISCRETE)
        out[s->simulation.blocks.at[b].unknowns[k]] = b + 1;
  return out;
}

static bool has_formula(Formulas *f, const SRelation *r) {
  if (r->timed)
    return false;
  int a = term_of(f, r->a);
  int b = a == NO_TERM ? NO_TERM : term_of(f, r->b);
  return b != NO_TERM && add(f, DS_TERM_SUB, a, b, 0) != NO_TERM;
}

SFormulas structure_formulas(const Structure *s, Arena *a) {
  SFormulas out = {.first = NEW_ARRAY(a, uint32_t, s->relations.n + 1),
                   .n = NEW_ARRAY(a, uint32_t, s->relations.n + 1)};
  Formulas f = {.s = s, .p = s->model->pool, .a = a, .out = &out, .block_of = assigned_by(s, a)};
  for (uint32_t k = 0; k < s->relations.n; k++) {
    uint32_t numbers = out.numbers.n;
    f.relation = k + 1;
    out.first[k] = f.first = out.terms.n;
    if (has_formula(&f, &s->relations.at[k]))
      out.n[k] = out.terms.n - f.first;
    else {
      out.terms.n = f.first;
      out.numbers.n = numbers;
    }
  }
  return out;
}
