/* structure/tangent.c -- derivatives of the equations between events, row by row, by what each row
 * reads.
 * In:   sorted blocks.   Out: a list of steps (one assignment, or one block of simultaneous
 *       equations) whose rows carry their partial derivatives by states, time and unknowns of
 *       earlier steps: all that the chain rule and the implicit function theorem need to make d(der
 *       x)/dx and d(der x)/dt of them (numeric/tangent.c). Further steps follow for what relations
 *       compare, which tell how fast it moves (numeric/along.c).
 * How:  backwards, which unknowns the derivatives need at all; forwards, which of them move with
 *       states or time; each row of those is differentiated symbolically. Where that is not
 *       possible because of a call, the entry is a difference quotient of this one expression.
 * Keep: relations and discrete values are held. Nodes are numbered: states, time, then unknowns and
 *       residuals as they come. */
#include "structure/tangent.h"
#include "base/limits.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

typedef struct {
  const Structure *s;
  ExprPool *p;
  Arena *a;
  STangent *out;
  bool *needed;         /* per SVar */
  uint32_t *node_of;    /* per SVar: node + 1; 0: it does not move */
  bool *unknown;        /* per SVar: it moves, and cannot be differentiated */
  bool *done;           /* per block: it has been looked at */
  uint32_t *stamp, now; /* per SVar: the last expression that met it */
  VEC(uint32_t) reads;  /* SVars of the expression at work that move */
  bool reads_time, reads_unknown;
  uint32_t nodes_met;
} Tangent;

/* ---- what is needed ---- */

static void need(void *user, ExprId e) {
  const Tangent *t = user;
  uint32_t v;
  if (lowered_var(t->p, e, &v))
    t->needed[v] = true;
}

static void need_block(Tangent *t, const SBlock *b) {
  /* a block is needed as a whole */
  bool any = false;
  for (uint32_t k = 0; k < b->n; k++)
    any = any || t->needed[b->unknowns[k]];
  if (!any)
    return;
  const SSystem *sys = &t->s->simulation;
  for (uint32_t k = 0; k < b->n; k++) {
    const SRow *row = &sys->rows.at[b->rows[k]];
    if (row->kind == ROW_EQUAL) {
      expr_walk(t->p, row->lhs, need, t);
      expr_walk(t->p, row->rhs, need, t);
    } else if (row->kind == ROW_ALGORITHM && k == 0) {
      const SAlgorithm *alg = &t->s->algorithms.at[row->number];
      stmts_vars(t->p, alg->body, alg->n_body, need, t);
    }
  }
}

/* ---- what an expression reads ---- */

static void read_node(void *user, ExprId e) {
  Tangent *t = user;
  uint32_t v;
  t->nodes_met++;
  t->reads_time = t->reads_time || expr_get(t->p, e)->op == OP_TIME;
  if (!lowered_var(t->p, e, &v))
    return;
  t->reads_unknown = t->reads_unknown || t->unknown[v];
  /* each once per expression */
  if (!t->node_of[v] || t->stamp[v] == t->now)
    return;
  t->stamp[v] = t->now;
  vec_push(t->a, &t->reads, v);
}

static void read_begin(Tangent *t) {
  t->now++;
  t->reads.n = 0;
  t->reads_time = t->reads_unknown = false;
  t->nodes_met = 0;
}

/* ---- entries ---- */

typedef struct {
  ExprPool *p;
  ExprId var, moved;
} Move;

static ExprId move(void *user, ExprId e) {
  const Move *m = user;
  return expr_same(e, m->var) ? m->moved : NO_EXPR;
}

/* (e(v + h) - e(v))/h, with h a part of v that balances truncation and rounding */
static ExprId quotient(ExprPool *p, ExprId e, ExprId v) {
  const double part = 0x1p-26, least = 1e-3;
  ExprId size = expr_binary(p, OP_MAX2, expr_unary(p, OP_ABS, v), expr_real(p, least));
  ExprId h = expr_binary(p, OP_MUL, expr_real(p, part), size);
  Move m = {p, v, expr_binary(p, OP_ADD, v, h)};
  ExprId there = expr_rewrite(p, e, move, &m);
  return expr_binary(p, OP_DIV, expr_binary(p, OP_SUB, there, e), h);
}

/* One entry of the row at work. */
static void enter(Tangent *t, ExprId e, ExprId v, uint32_t node) {
  ExprId d = expr_diff(t->p, e, v);
  if (!d.i) {
    d = quotient(t->p, e, v);
    t->out->n_quotients++;
  }
  if (!expr_is_zero(t->p, d))
    vec_push(t->a, &t->out->entries, (STangentEntry){node, d});
}

/* Entries of e by all that moves; false if that is too much work. */
static bool enter_all(Tangent *t, ExprId e) {
  read_begin(t);
  expr_walk(t->p, e, read_node, t);
  /* what reads an unknown derivative has none */
  if (t->reads_unknown || (uint64_t)t->reads.n * t->nodes_met > MOST_TANGENT_WORK)
    return false;
  if (t->reads_time)
    enter(t, e, expr_time(t->p), t->s->states.n);
  for (uint32_t k = 0; k < t->reads.n; k++)
    enter(t, e, svar_expr(t->s, t->reads.at[k]), t->node_of[t->reads.at[k]] - 1);
  return true;
}

static void end_row(Tangent *t) { vec_push(t->a, &t->out->start, t->out->entries.n); }

/* ---- steps ---- */

static bool assignment(Tangent *t, const SBlock *b) {
  STangent *out = t->out;
  uint32_t before = out->entries.n;
  if (!enter_all(t, b->value))
    return false;
  /* nothing that moves: no node */
  if (out->entries.n == before)
    return true;
  t->node_of[b->unknowns[0]] = ++out->n_nodes;
  end_row(t);
  vec_push(t->a, &out->steps, (STangentStep){1, 0, b, 0});
  return true;
}

/* Unknowns that are iterated, those that follow from them, residuals. */
static bool simultaneous(Tangent *t, const SBlock *b) {
  STangent *out = t->out;
  read_begin(t);
  for (uint32_t k = 0; k < b->n; k++)
    expr_walk(t->p, b->parts[k], read_node, t);
  /* a system of things that stand still stands still */
  if (!t->reads.n && !t->reads_time && !t->reads_unknown)
    return true;
  /* known before their rows are made: residuals hold them */
  for (uint32_t k = 0; k < b->n; k++) {
    if (t->s->vars.at[b->unknowns[k]].bank != BANK_REAL)
      return false;
    t->node_of[b->unknowns[k]] = ++out->n_nodes;
  }
  for (uint32_t k = 0; k < b->n; k++) {
    /* inner rows first, then residuals, as the steps are carried out */
    uint32_t row = k + b->n_tear < b->n ? k + b->n_tear : k + b->n_tear - b->n;
    if (!enter_all(t, b->parts[row]))
      return false;
    end_row(t);
  }
  vec_push(t->a, &out->steps, (STangentStep){b->n, b->n_tear, b, 0});
  return true;
}

static bool held(const Tangent *t, const SBlock *b) {
  const SVar *v = &t->s->vars.at[b->unknowns[0]];
  return b->n == 1 && (v->discrete || v->bank != BANK_REAL);
}

/* Whatever an algorithm computes must not move. */
static bool algorithm(Tangent *t, const SBlock *b) {
  const SAlgorithm *alg = &t->s->algorithms.at[t->s->simulation.rows.at[b->rows[0]].number];
  read_begin(t);
  stmts_vars(t->p, alg->body, alg->n_body, read_node, t);
  return !t->reads.n && !t->reads_time && !t->reads_unknown;
}

static bool step(Tangent *t, const SBlock *b) {
  if (held(t, b))
    return true;
  switch (b->kind) {
  case BLOCK_EXPLICIT: return assignment(t, b);
  case BLOCK_LINEAR:
  case BLOCK_NONLINEAR: return simultaneous(t, b);
  case BLOCK_RELATION: return true;
  case BLOCK_ALGORITHM: return algorithm(t, b);
  }
  return false;
}

static bool is_needed(const Tangent *t, const SBlock *b) {
  bool any = false;
  for (uint32_t k = 0; k < b->n; k++)
    any = any || t->needed[b->unknowns[k]];
  return any;
}

/* The step, or none: then nobody knows how its unknowns move. */
static void step_or_none(Tangent *t, const SBlock *b) {
  STangent *out = t->out;
  /* what a step has added so far */
  uint32_t nodes = out->n_nodes;
  uint32_t entries = out->entries.n;
  uint32_t start = out->start.n;
  if (step(t, b))
    return;
  out->n_nodes = nodes;
  out->entries.n = entries;
  out->start.n = start;
  for (uint32_t k = 0; k < b->n; k++) {
    t->node_of[b->unknowns[k]] = 0;
    t->unknown[b->unknowns[k]] = true;
  }
}

/* Steps of all blocks that what is needed follows from, as far as they have not been made. False:
 * one cannot be; `some`: then it is left out. */
static bool make_steps(Tangent *t, bool some) {
  const SSystem *sys = &t->s->simulation;
  /* from the last block back: who is needed needs what it reads */
  for (uint32_t k = sys->blocks.n; k-- > 0;)
    if (sys->blocks.at[k].phase == PHASE_DYNAMIC && !t->done[k])
      need_block(t, &sys->blocks.at[k]);
  for (uint32_t k = 0; k < sys->blocks.n; k++) {
    const SBlock *b = &sys->blocks.at[k];
    if (b->phase != PHASE_DYNAMIC || t->done[k] || !is_needed(t, b))
      continue;
    t->done[k] = true;
    if (some)
      step_or_none(t, b);
    else if (!step(t, b))
      return false;
  }
  return true;
}

/* ---- relations ---- */

/* The row of a - b. */
static uint32_t relation_node(Tangent *t, uint32_t number) {
  const SRelation *r = &t->s->relations.at[number];
  STangent *out = t->out;
  uint32_t before = out->entries.n;
  ExprId difference = expr_binary(t->p, OP_SUB, r->a, r->b);
  /* entries of an attempt that failed are taken back */
  if (r->timed || !enter_all(t, difference)) {
    out->entries.n = before;
    return UNKNOWN_NODE;
  }
  if (out->entries.n == before)
    return NO_NODE;
  end_row(t);
  vec_push(t->a, &out->steps, (STangentStep){1, 0, NULL, number});
  return out->n_nodes++;
}

static void add_relations(Tangent *t) {
  const Structure *s = t->s;
  t->out->relation = NEW_ARRAY(t->a, uint32_t, s->relations.n + 1);
  for (uint32_t k = 0; k < s->relations.n; k++) {
    expr_walk(t->p, s->relations.at[k].a, need, t);
    expr_walk(t->p, s->relations.at[k].b, need, t);
  }
  /* relations may do without: their directions are then found by a trial step */
  make_steps(t, true);
  for (uint32_t k = 0; k < s->relations.n; k++)
    t->out->relation[k] = relation_node(t, k);
}

/* In the mode of this structure. */
static bool is_state(const Structure *s, uint32_t v) {
  return s->vars.at[v].state || s->vars.at[v].kind == SV_CHOSEN;
}

bool structure_tangent(const Structure *s, Arena *a, STangent *out) {
  *out = (STangent){.n_nodes = s->states.n + 1};
  Tangent t = {.s = s, .p = s->model->pool, .a = a, .out = out};
  t.needed = NEW_ARRAY(a, bool, s->vars.n + 1);
  t.unknown = NEW_ARRAY(a, bool, s->vars.n + 1);
  t.done = NEW_ARRAY(a, bool, s->simulation.blocks.n + 1);
  t.node_of = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  t.stamp = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  /* nodes of states come first; 0 is none */
  for (uint32_t k = 0; k < s->states.n; k++)
    if (is_state(s, s->states.at[k])) {
      t.needed[s->vars.at[s->states.at[k]].der] = true;
      t.node_of[s->states.at[k]] = k + 1;
    }
  vec_push(a, &out->start, 0);
  if (!make_steps(&t, false))
    return false;
  out->der = NEW_ARRAY(a, uint32_t, s->states.n + 1);
  for (uint32_t k = 0; k < s->states.n; k++) {
    uint32_t v = s->states.at[k];
    uint32_t node = is_state(s, v) ? t.node_of[s->vars.at[v].der] : 0;
    out->der[k] = node ? node - 1 : NO_NODE;
  }
  out->n_slope_steps = out->steps.n;
  add_relations(&t);
  return true;
}
