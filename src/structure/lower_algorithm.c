/* structure/lower_algorithm.c -- algorithm sections: statements in terms of SVars, when-statements
 * as if-statements. The section is one unit that determines all its targets (MLS 3.6 section
 * 11.1.1); it has one row per target.
 * In:   an algorithm section.   Out: an SAlgorithm, its rows in both systems.
 * How:  the statements are lowered twice: as they run at any time, and as they run during
 *       initialisation, where only when-branches with initial() are taken.
 * Keep: an expression that reads targets means something else after each assignment, so what
 *       lowering remembers is forgotten when it was asked about their values. */
#include "structure/lower_section.h"
#include "structure/build.h"
#include "structure/lower.h"
#include "structure/lower_call.h"
#include "structure/lower_expr.h"
#include "structure/lower_impl.h"
#include "structure/lower_inside.h"
#include "structure/lowered.h"

static Stmt **lower_body(Lower *lo, Stmt *const *body, uint32_t n, int mode, bool initial);

static ExprId lower_opt(Lower *lo, ExprId e, int mode) {
  return e.i ? lower_expr(lo, e, mode) : NO_EXPR;
}

/* What was lowered so far was about other values of the targets */
static void forget(Lower *lo) { lo->mem->memo[0] = lo->mem->memo[1] = (Map){0}; }

static void lower_targets(Lower *lo, const Stmt *st, Stmt *out) {
  out->targets = NEW_ARRAY(lo->a, ExprId, st->n_targets);
  for (uint32_t k = 0; k < st->n_targets; k++) {
    uint32_t v;
    if (!st->targets[k].i)
      continue;
    out->targets[k] = lower_expr(lo, st->targets[k], LOWER_NO_EVENTS);
    if (!lowered_var(lo->p, out->targets[k], &v) || v >= lo->m->vars.n)
      lower_refuse(
          lo, "an assignment to something other than a scalar variable in an algorithm section");
  }
}

/* The values of targets are no longer those that lowered expressions were about. */
static void values_change(Lower *lo) {
  if (lo->mem->inside->asked)
    forget(lo);
  lo->mem->inside->asked = false;
}

/* One branch; returns the values that it leaves, and goes back to those before. */
static ExprId *lower_branch(Lower *lo, const StmtBranch *from, StmtBranch *to, int mode,
                            bool initial) {
  /* branches begin with the same values */
  ExprId *before = inside_copy(lo);
  to->n = from->n;
  to->body = lower_body(lo, from->body, from->n, mode, initial);
  ExprId *after = inside_copy(lo);
  inside_put(lo, before);
  values_change(lo);
  return after;
}

/* if true then (the conditions of a when-statement are computed) (the statement) end if */
static void put_conditions_before(Lower *lo, Stmt *out) {
  Inside *in = lo->mem->inside;
  uint32_t n = in->pending.n;
  Stmt *when = NEW(lo->a, Stmt);
  /* the conditions stand in front of the statement that reads them */
  Stmt **body = NEW_ARRAY(lo->a, Stmt *, n + 1);
  *when = *out;
  for (uint32_t k = 0; k < n; k++)
    body[k] = in->pending.at[k];
  body[n] = when;
  in->pending.n = 0;
  out->branches = NEW(lo->a, StmtBranch);
  out->branches[0] = (StmtBranch){expr_boolean(lo->p, true), body, n + 1};
  out->n_branches = 1;
}

/* when-statement -> if-statement over edges; during initialisation only branches with initial() are
 * taken. */
static void lower_when_statement(Lower *lo, const Stmt *st, Stmt *out, bool initial) {
  ExprId before = NO_EXPR;
  ExprId *values = inside_copy(lo);
  ExprId **after = NEW_ARRAY(lo->a, ExprId *, st->n_branches);
  out->kind = STMT_IF;
  /* all conditions are about the values in front of the statement */
  for (uint32_t b = 0; b < st->n_branches; b++) {
    lo->span = st->span;
    WhenBranch w = when_branch(lo, st->branches[b].condition, &before);
    out->branches[b].condition = initial ? expr_boolean(lo->p, w.initial) : w.active;
  }
  for (uint32_t b = 0; b < st->n_branches; b++)
    after[b] = lower_branch(lo, &st->branches[b], &out->branches[b], LOWER_NO_EVENTS, initial);
  inside_join(lo, values, out->branches, after, st->n_branches);
  if (lo->mem->inside->pending.n)
    put_conditions_before(lo, out);
  values_change(lo);
}

/* Whole numbers change at events only: what they take from continuous values is watched. */
static ExprId watched_value(Lower *lo, ExprId value, int mode) {
  if (!value.i || mode == LOWER_NO_EVENTS || lo->mem->inside->initially ||
      lower_is_discrete(lo, value))
    return value;
  ExprId now = lower_is_internal(lo, value) ? inside_expr(lo, value) : value;
  if (!now.i)
    lower_refuse(lo, "an Integer or Boolean that a loop of an algorithm computes from continuous "
                     "values, outside of `when`,");
  return now.i ? lower_watched(lo, now, false) : value;
}

static bool is_whole(const Lower *lo, ExprId target) {
  TypeBase base = type_get(lo->p, expr_get(lo->p, target)->type)->base;
  return base == TY_INTEGER || base == TY_BOOLEAN || base == TY_ENUM;
}

static bool assigns_wholes(const Lower *lo, Stmt *const *body, uint32_t n) {
  bool any = false;
  for (uint32_t k = 0; k < n && !any; k++) {
    any = body[k]->kind == STMT_ASSIGN && is_whole(lo, body[k]->targets[0]);
    for (uint32_t b = 0; b < body[k]->n_branches && !any; b++)
      any = assigns_wholes(lo, body[k]->branches[b].body, body[k]->branches[b].n);
  }
  return any;
}

static void lower_if_statement(Lower *lo, const Stmt *st, Stmt *out, int mode, bool initial) {
  ExprId *values = inside_copy(lo);
  ExprId **after = NEW_ARRAY(lo->a, ExprId *, st->n_branches);
  bool wholes = false;
  for (uint32_t b = 0; b < st->n_branches; b++)
    wholes = wholes || assigns_wholes(lo, st->branches[b].body, st->branches[b].n);
  for (uint32_t b = 0; b < st->n_branches; b++) {
    lo->span = st->span;
    ExprId condition = lower_opt(lo, st->branches[b].condition, mode);
    out->branches[b].condition = wholes ? watched_value(lo, condition, mode) : condition;
    after[b] = lower_branch(lo, &st->branches[b], &out->branches[b], mode, initial);
  }
  inside_join(lo, values, out->branches, after, st->n_branches);
  values_change(lo);
}

/* A statement and what it does to the values of targets, in order of execution. */
static Stmt *lower_statement(Lower *lo, const Stmt *st, int mode, bool initial) {
  Stmt *out = NEW(lo->a, Stmt);
  *out = *st;
  lo->span = st->span;
  lower_targets(lo, st, out);
  if (st->kind == STMT_REINIT)
    lower_refuse(lo, "reinit() in an algorithm");
  /* an assertion makes no events: it is looked at, not switched */
  if (st->kind == STMT_ASSERT)
    mode = LOWER_NO_EVENTS;
  out->value = lower_opt(lo, st->value, mode);
  out->message = lower_opt(lo, st->message, LOWER_NO_EVENTS);
  out->level = lower_opt(lo, st->level, LOWER_NO_EVENTS);
  out->branches = NEW_ARRAY(lo->a, StmtBranch, st->n_branches);
  /* what branches do to the values of targets is joined behind them */
  if (st->kind == STMT_WHEN) {
    lower_when_statement(lo, st, out, initial);
    return out;
  }
  /* an assignment changes what the target is worth from here on */
  uint32_t v;
  if (st->kind == STMT_IF) {
    lower_if_statement(lo, st, out, mode, initial);
    return out;
  }
  if (st->kind == STMT_ASSIGN && is_whole(lo, out->targets[0]))
    out->value = watched_value(lo, out->value, mode);
  if (lo->mem->inside->n && st->kind == STMT_ASSIGN && lowered_var(lo->p, out->targets[0], &v) &&
      v < lo->m->vars.n) {
    inside_assign(lo, v, out->value);
    values_change(lo);
  }
  for (uint32_t b = 0; b < st->n_branches; b++) {
    lo->span = st->span;
    const StmtBranch *br = &st->branches[b];
    /* a loop: what it assigns is known in none of its rounds */
    inside_forget(lo, br->body, br->n);
    values_change(lo);
    out->branches[b] = (StmtBranch){lower_opt(lo, br->condition, mode),
                                    lower_body(lo, br->body, br->n, mode, initial), br->n};
  }
  if (st->n_branches) /* a loop: what it assigns is not known afterwards either */
    inside_forget(lo, st->branches[0].body, st->branches[0].n);
  return out;
}

static Stmt **lower_body(Lower *lo, Stmt *const *body, uint32_t n, int mode, bool initial) {
  Stmt **out = NEW_ARRAY(lo->a, Stmt *, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = lower_statement(lo, body[k], mode, initial);
  return out;
}

/* An algorithm that assigns nothing runs for its assertions and calls: rows need an unknown, so it
 * gets one of its own. */
static void add_without_target(Lower *lo, SAlgorithm *alg, bool initial_section) {
  ExprId zero = expr_real(lo->p, 0);
  uint32_t var = svar_add(lo, SV_BUFFER, 0, type_scalar(lo->p, TY_REAL));
  lo->s->vars.at[var].meaning = zero;
  alg->targets = NEW(lo->a, uint32_t);
  alg->targets[alg->n_targets++] = var;
  /* It keeps the value 0 that nobody reads */
  alg->carried = alg->carried_initially = NEW(lo->a, bool);
  SRow *row = row_add(lo, &lo->s->initial, ROW_ALGORITHM, NO_EXPR, NO_EXPR);
  row->number = lo->s->algorithms.n;
  row->only = var;
  row = row_add(lo, &lo->s->simulation, initial_section ? ROW_EQUAL : ROW_ALGORITHM,
                initial_section ? svar_expr(lo->s, var) : NO_EXPR,
                initial_section ? zero : NO_EXPR);
  row->number = lo->s->algorithms.n;
  row->only = var;
}

/* The conditions that the algorithm computes itself are targets like others. */
static void add_own_targets(Lower *lo, const Inside *in, SAlgorithm *alg) {
  uint32_t *all = NEW_ARRAY(lo->a, uint32_t, alg->n_targets + in->own.n + 1);
  /* behind its own targets: their numbers stay */
  for (uint32_t k = 0; k < alg->n_targets; k++)
    all[k] = alg->targets[k];
  for (uint32_t k = 0; k < in->own.n; k++)
    all[alg->n_targets + k] = in->own.at[k];
  alg->targets = all;
  alg->n_targets += in->own.n;
}

void lower_algorithm(Lower *lo, const FlatEquation *eq, bool initial_section) {
  SAlgorithm alg = {.n_body = eq->n_body, .n_targets = 0, .span = eq->span};
  alg.targets = NEW_ARRAY(lo->a, uint32_t, eq->n_targets);
  /* made with the first section: most models have none */
  if (!lo->mem->internal_room) {
    lo->mem->internal_room = NEW_ARRAY(lo->a, bool, lo->m->vars.n);
    lo->mem->inside_room = NEW_ARRAY(lo->a, ExprId, lo->m->vars.n);
  }
  for (uint32_t k = 0; k < eq->n_targets; k++) {
    uint32_t v;
    if (lowered_var(lo->p, eq->targets[k], &v) && v < lo->m->vars.n) {
      lo->mem->internal_room[v] = true;
      alg.targets[alg.n_targets++] = v;
    }
  }
  forget(lo);
  lo->mem->internal = lo->mem->internal_room;
  /* the values of targets are followed only if an event is about them */
  bool follow = inside_needed(lo, eq->body, eq->n_body);
  Inside in = {
      .targets = alg.targets, .n = follow ? alg.n_targets : 0, .value = lo->mem->inside_room};
  inside_begin(lo, &in, false);
  /* an initial section runs at the start only */
  if (!initial_section)
    alg.body = lower_body(lo, eq->body, eq->n_body, LOWER_EVENTS, false);
  forget(lo);
  inside_begin(lo, &in, true);
  alg.initial = lower_body(lo, eq->body, eq->n_body,
                           initial_section ? LOWER_NO_EVENTS : LOWER_EVENTS, true);
  /* the section is done: its targets are variables like others again */
  lo->mem->internal = NULL;
  lo->mem->inside = NULL;
  for (uint32_t k = 0; k < alg.n_targets; k++) {
    lo->mem->internal_room[alg.targets[k]] = false;
    lo->mem->inside_room[alg.targets[k]] = NO_EXPR;
  }
  forget(lo);
  add_own_targets(lo, &in, &alg);
  alg.carried = alg.body ? algorithm_carried(lo->s, &alg, alg.body, lo->a) : NULL;
  alg.carried_initially = algorithm_carried(lo->s, &alg, alg.initial, lo->a);
  lo->span = eq->span;
  uint32_t number = lo->s->algorithms.n;
  for (uint32_t k = 0; k < alg.n_targets; k++) {
    uint32_t v = alg.targets[k];
    bool discrete = lo->s->vars.at[v].discrete;
    if (discrete && !lo->s->vars.at[v].known)
      svar_pre(lo, v);
    /* what only whens assign that sleep during initialisation is v = pre(v): an equation, which may
     * also determine pre(v) */
    bool kept = discrete && !lo->s->vars.at[v].known &&
                !statements_assign(lo->p, alg.initial, alg.n_body, v);
    for (int initial = initial_section; initial < 2; initial++) {
      if (initial && kept) {
        alg.carried_initially[k] = false;
        row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, v),
                svar_expr(lo->s, svar_pre(lo, v)));
        continue;
      }
      SRow *row = row_add(lo, initial ? &lo->s->initial : &lo->s->simulation, ROW_ALGORITHM,
                          NO_EXPR, NO_EXPR);
      row->number = number;
      row->only = v;
      row->initial_only = initial_section;
    }
  }
  if (!alg.n_targets)
    add_without_target(lo, &alg, initial_section);
  vec_push(lo->a, &lo->s->algorithms, alg);
}
