/* structure/switched.c -- Booleans, Integers and enumerations that are nothing but what relations
 * make of them.
 * `pos = v > 0` names a relation, and `der(v) = if pos then -1 else 1` is switched by it, as if it
 * stood there itself. Only what a relation switches directly can be evaluated on both of its sides
 * (run/slide.c), so equations of Reals read the definition instead of the name. The variable keeps
 * its equation, and its value between events.
 * In:   sorted blocks.   Out: the same, those of Reals with expressions of relations in the place
 *       of such variables.
 * Keep: what has a memory (pre, when, sample) stays a variable, and so does what is long: every
 *       evaluation would compute it. */
#include "structure/switching.h"
#include "base/limits.h"
#include "structure/sorted.h"

enum { NOT_ASKED, BUSY, MEMORY, SWITCHED };

typedef struct {
  const Structure *s;
  ExprPool *p;
  ExprId *define;       /* per SVar: what it is equal to; NO_EXPR: it is not such a variable */
  unsigned char *state; /* per SVar */
  ExprId *meaning;      /* per SVar that is SWITCHED */
  uint32_t depth;       /* of names of names */
} Switched;

/* ---- what a definition holds ---- */

typedef struct {
  Switched *sw;
  bool relations, memory;
  uint32_t nodes;
} Content;

static bool is_switched(Switched *sw, uint32_t v);

static void look_at(void *user, ExprId e) {
  Content *c = user;
  const Structure *s = c->sw->s;
  const Expr *x = expr_get(c->sw->p, e);
  c->nodes++;
  c->memory = c->memory || x->op == OP_CALL || x->op == OP_INITIAL || x->op == OP_TERMINAL;
  if (x->op != OP_VAR || x->index >= s->vars.n)
    return;
  const SVar *v = &s->vars.at[x->index];
  if (v->kind == SV_RELATION)
    c->relations = c->relations || !s->relations.at[v->of].timed;
  else if (v->kind == SV_PRE || v->kind == SV_SAMPLE || v->kind == SV_BUFFER ||
           !(v->known || v->discrete))
    c->memory = true;
  else if (!v->known)
    c->relations = is_switched(c->sw, x->index) || c->relations;
}

static ExprId by_meaning(void *user, ExprId e) {
  const Switched *sw = user;
  const Expr *x = expr_get(sw->p, e);
  return x->op == OP_VAR && x->index < sw->s->vars.n && sw->state[x->index] == SWITCHED
             ? sw->meaning[x->index]
             : NO_EXPR;
}

/* A discrete variable that follows from relations in the same instant. */
static bool is_switched(Switched *sw, uint32_t v) {
  if (sw->state[v] != NOT_ASKED || !sw->define[v].i || sw->depth >= MOST_SWITCHED_NODES)
    return sw->state[v] == SWITCHED;
  sw->state[v] = BUSY;
  Content c = {.sw = sw};
  sw->depth++;
  expr_walk(sw->p, sw->define[v], look_at, &c);
  sw->depth--;
  bool good = c.relations && !c.memory && c.nodes <= MOST_SWITCHED_NODES;
  if (good) {
    sw->meaning[v] = expr_rewrite(sw->p, sw->define[v], by_meaning, sw);
    Content whole = {.sw = sw};
    expr_walk(sw->p, sw->meaning[v], look_at, &whole);
    good = whole.nodes <= MOST_SWITCHED_NODES;
  }
  sw->state[v] = good ? SWITCHED : MEMORY;
  return good;
}

/* ---- blocks ---- */

/* The definition of a discrete variable that is no Real. */
static void note_definition(Switched *sw, const SBlock *b) {
  const SVar *v = &sw->s->vars.at[b->unknowns[0]];
  TypeBase base = type_get(sw->p, v->type)->base;
  if (b->kind == BLOCK_EXPLICIT && b->phase == PHASE_DISCRETE && !b->mixed && !b->joint &&
      base != TY_REAL && base != TY_STRING)
    sw->define[b->unknowns[0]] = b->value;
}

static void ask(void *user, ExprId e) {
  Switched *sw = user;
  const Expr *x = expr_get(sw->p, e);
  if (x->op == OP_VAR && x->index < sw->s->vars.n)
    is_switched(sw, x->index);
}

static void write_out(Switched *sw, ExprId *e) {
  if (!e->i)
    return;
  expr_walk(sw->p, *e, ask, sw);
  *e = expr_rewrite(sw->p, *e, by_meaning, sw);
}

static void write_out_block(Switched *sw, SBlock *b) {
  bool system = b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR;
  if (b->kind == BLOCK_EXPLICIT)
    write_out(sw, &b->value);
  for (uint32_t k = 0; k < b->n && system; k++) {
    write_out(sw, &b->parts[k]);
    for (uint32_t i = 0; b->partials && i < b->partials[k].n; i++)
      write_out(sw, &b->partials[k].at[i].d);
  }
}

void switched_write_out(Structure *s, Arena *a) {
  Switched sw = {.s = s,
                 .p = s->model->pool,
                 .define = NEW_ARRAY(a, ExprId, s->vars.n),
                 .meaning = NEW_ARRAY(a, ExprId, s->vars.n)};
  sw.state = NEW_ARRAY(a, unsigned char, s->vars.n);
  for (uint32_t k = 0; k < s->simulation.blocks.n; k++)
    note_definition(&sw, &s->simulation.blocks.at[k]);
  for (uint32_t k = 0; k < s->simulation.blocks.n; k++)
    if (s->simulation.blocks.at[k].phase != PHASE_DISCRETE)
      write_out_block(&sw, &s->simulation.blocks.at[k]);
}
