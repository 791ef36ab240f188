/* structure/lower.c -- flat model -> SVars and rows of both systems.
 * In:   the flat model.   Out: s->vars, s->simulation.rows, s->initial.rows, actions, checks.
 * How:  first all variables and what is known about them, then equation by equation. An if-equation
 *       becomes equations of if-expressions: those that set the same variable in all branches are
 *       joined, the others in order of writing. Where the branches determine different things
 *       (modes.c) each row keeps a guard that says when it holds.
 * Keep: a row of the simulation has its counterpart in the initial system; initial equations come
 *       after all of these. */
#include "structure/lower.h"
#include "structure/build.h"
#include "structure/lower_call.h"
#include "structure/lower_expr.h"
#include "structure/lower_impl.h"
#include "structure/lower_section.h"
#include "structure/lowered.h"
#include "structure/modes.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  ExprId lhs, rhs;
  Span span;
  ExprId guard; /* see SRow */
  uint32_t choice;
} Item;
typedef VEC(Item) Items;

/* ---- variables ---- */

static bool fixed_of(Lower *lo, const FlatVar *v, bool otherwise) {
  int64_t value;
  if (!v->fixed.i)
    return otherwise;
  if (expr_as_integer(lo->p, v->fixed, &value))
    return value != 0;
  lo->span = v->span;
  lower_refuse(lo, "`fixed` with a value that is not a literal");
  return otherwise;
}

static void add_variable(Lower *lo, uint32_t n) {
  const FlatVar *v = &lo->m->vars.at[n];
  lo->span = v->span;
  lo->origin = v->origin;
  svar_add(lo, SV_VAR, n, v->type);
  /* svar_add may move the list */
  SVar *s = &lo->s->vars.at[n];
  const Type *t = type_get(lo->p, v->type);
  s->known = v->variability >= FLAT_PARAMETER || v->causality == CAUSE_INPUT;
  /* discrete also if a when assigns it somewhere */
  s->discrete = t->base != TY_REAL || v->variability != FLAT_CONTINUOUS || v->in_when;
  if (v->variability == FLAT_PARAMETER)
    s->free = !fixed_of(lo, v, true);
  if (t->base == TY_NONE || t->base == TY_CLOCK ||
      (t->base >= TY_RECORD && t->base != TY_EXTERNAL) || t->n_dims)
    lower_refuse(lo, "a variable of this type");
}

/* What a when assigns is discrete, whether the variable says so or not. */
static void mark_discrete(Lower *lo, ExprId target) {
  uint32_t v;
  if (target.i && lowered_var(lo->p, target, &v) && v < lo->m->vars.n)
    lo->s->vars.at[v].discrete = true;
}

static void mark_when_body(Lower *lo, FlatEquation *const *body, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const FlatEquation *e = body[k];
    if (e->kind == FEQ_EQUAL)
      mark_discrete(lo, e->lhs);
    for (uint32_t t = 0; t < e->n_targets; t++)
      mark_discrete(lo, e->targets[t]);
    for (uint32_t b = 0; b < e->n_branches; b++)
      mark_when_body(lo, e->branches[b].body, e->branches[b].n);
  }
}

static void mark_when_statements(Lower *lo, Stmt *const *body, uint32_t n, bool in_when) {
  for (uint32_t k = 0; k < n; k++) {
    const Stmt *st = body[k];
    /* in a when of an algorithm, at any depth */
    for (uint32_t t = 0; t < st->n_targets && in_when; t++)
      mark_discrete(lo, st->targets[t]);
    for (uint32_t b = 0; b < st->n_branches; b++)
      mark_when_statements(lo, st->branches[b].body, st->branches[b].n,
                           in_when || st->kind == STMT_WHEN);
  }
}

static void add_variables(Lower *lo) {
  const FlatModel *m = lo->m;
  Structure *s = lo->s;
  for (uint32_t k = 0; k < m->vars.n; k++)
    add_variable(lo, k);
  /* before expressions are lowered: what is discrete makes no relations */
  for (uint32_t k = 0; k < m->equations.n; k++) {
    const FlatEquation *e = m->equations.at[k];
    if (e->kind == FEQ_WHEN)
      for (uint32_t b = 0; b < e->n_branches; b++)
        mark_when_body(lo, e->branches[b].body, e->branches[b].n);
    if (e->kind == FEQ_ALGORITHM)
      mark_when_statements(lo, e->body, e->n_body, false);
  }
  /* starts and bindings make no events */
  s->starts = NEW_ARRAY(lo->a, ExprId, m->vars.n);
  s->bindings = NEW_ARRAY(lo->a, ExprId, m->vars.n);
  for (uint32_t k = 0; k < m->vars.n; k++) {
    const FlatVar *v = &m->vars.at[k];
    lo->span = v->span;
    lo->origin = v->origin;
    bool real = type_get(lo->p, v->type)->base == TY_REAL;
    if (v->start.i)
      s->starts[k] = lower_expr(lo, v->start, LOWER_NO_EVENTS);
    if (v->binding.i && v->variability >= FLAT_PARAMETER)
      s->bindings[k] = lower_expr(lo, v->binding, LOWER_NO_EVENTS);
    if (real && s->starts[k].i)
      s->starts[k] = expr_to_real(lo->p, s->starts[k]);
    if (real && s->bindings[k].i)
      s->bindings[k] = expr_to_real(lo->p, s->bindings[k]);
  }
}

/* ---- equations ---- */

static ExprId guarded(Lower *lo, ExprId guard, ExprId condition) {
  return guard.i ? logic_and(lo->p, guard, condition) : condition;
}

/* One equation of the flat model, as items of two sides each. */
static void collect(Lower *lo, const FlatEquation *eq, ExprId guard, int mode, Items *out);

/* The results of a function that makes events, each as an expression. */
static bool collect_written_out(Lower *lo, const FlatEquation *eq, int mode, Items *out) {
  for (uint32_t k = 0; k < eq->n_targets; k++) {
    if (!eq->targets[k].i)
      continue;
    ExprId part = expr_make_index(lo->p, OP_PART, expr_get(lo->p, eq->targets[k])->type, k, 0, 1,
                                  &eq->rhs);
    /* only if all results can be written out */
    if (mode != LOWER_EVENTS || !lower_makes_events(lo, expr_get(lo->p, part)))
      return false;
    ExprId target = lower_expr(lo, eq->targets[k], mode);
    ExprId value = lower_expr(lo, part, mode);
    vec_push(lo->a, out, (Item){.lhs = target, .rhs = value, .span = eq->span});
  }
  return true;
}

/* The side of an equation between whole numbers. In a branch of an if-equation it counts while that
 * holds, and only then can it be computed. */
static ExprId watched_side(Lower *lo, ExprId e, ExprId guard, int mode) {
  ExprPool *p = lo->p;
  TypeBase base = type_get(p, expr_get(p, e)->type)->base;
  /* what is discrete changes with events anyway */
  if (mode == LOWER_NO_EVENTS || !type_is_scalar(p, expr_get(p, e)->type) ||
      lower_is_discrete(lo, e))
    return e;
  if (guard.i && !expr_is_literal(p, guard) && base == TY_INTEGER)
    e = expr_if(p, guard, e, expr_integer(p, 0));
  else if (guard.i && !expr_is_literal(p, guard) && base == TY_BOOLEAN)
    e = logic_and(p, guard, e);
  return lower_watched(lo, e, false);
}

static void collect_tuple(Lower *lo, const FlatEquation *eq, ExprId guard, int mode, Items *out) {
  /* then each result is an equation of its own */
  if (collect_written_out(lo, eq, mode, out))
    return;
  ExprId call = lower_expr(lo, eq->rhs, mode);
  Op op = expr_get(lo->p, call)->op;
  if (op != OP_CALL) {
    lower_refuse(lo, "this form of an equation with several left sides");
    return;
  }
  /* results that nobody takes are left out */
  for (uint32_t k = 0; k < eq->n_targets; k++) {
    if (!eq->targets[k].i)
      continue;
    ExprId target = lower_expr(lo, eq->targets[k], mode);
    ExprId part = expr_make_index(lo->p, OP_PART, expr_get(lo->p, target)->type, k, 0, 1, &call);
    vec_push(lo->a, out,
             (Item){.lhs = target, .rhs = watched_side(lo, part, guard, mode), .span = eq->span});
  }
}

/* The item of a branch that goes with item `k` of the first one: the same variable on the left,
 * else the same place. */
static uint32_t partner(const Lower *lo, const Items *branch, const bool *used, ExprId lhs) {
  uint32_t v, w;
  /* by name first: branches may have another order */
  if (lowered_var(lo->p, lhs, &v))
    for (uint32_t k = 0; k < branch->n; k++)
      if (!used[k] && lowered_var(lo->p, branch->at[k].lhs, &w) && w == v)
        return k;
  for (uint32_t k = 0; k < branch->n; k++)
    if (!used[k])
      return k;
  return 0;
}

typedef VEC(uint32_t) Vars;
typedef struct {
  const Lower *lo;
  Vars found;
} Holds;

static void note_unknown(void *user, ExprId e) {
  Holds *h = user;
  uint32_t v;
  if (lowered_var(h->lo->p, e, &v) && !h->lo->s->vars.at[v].discrete)
    vec_push(h->lo->a, &h->found, v);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The continuous variables of an equation, each once, ascending. */
static Vars unknowns_in(Lower *lo, const Item *it) {
  Holds h = {.lo = lo};
  expr_walk(lo->p, it->lhs, note_unknown, &h);
  expr_walk(lo->p, it->rhs, note_unknown, &h);
  /* sorted, then each once */
  if (h.found.n)
    qsort(h.found.at, h.found.n, sizeof *h.found.at, by_number);
  uint32_t n = 0;
  for (uint32_t k = 0; k < h.found.n; k++)
    if (!k || h.found.at[k] != h.found.at[k - 1])
      h.found.at[n++] = h.found.at[k];
  h.found.n = n;
  return h.found;
}

static bool holds_same(Lower *lo, const Item *a, const Item *b) {
  Vars x = unknowns_in(lo, a), y = unknowns_in(lo, b);
  return x.n == y.n && (!x.n || !memcmp(x.at, y.at, x.n * sizeof *x.at));
}

static void join_branches(Lower *lo, const FlatEquation *eq, uint32_t number,
                          const ExprId *conditions, Items *branches, Items *out) {
  uint32_t last = eq->n_branches - 1, n = branches[0].n;
  bool **used = NEW_ARRAY(lo->a, bool *, eq->n_branches);
  for (uint32_t b = 0; b <= last; b++)
    used[b] = NEW_ARRAY(lo->a, bool, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    ExprId first = branches[0].at[k].lhs;
    Item joined = {.span = branches[0].at[k].span, .choice = number + 1};
    /* from the last branch to the first: if c1 then e1 elseif c2 then e2 else ... */
    for (uint32_t b = last + 1; b-- > 0;) {
      /* the equation of the first branch looks for its partner in the others */
      uint32_t q = b ? partner(lo, &branches[b], used[b], first) : k;
      used[b][q] = true;
      Item it = branches[b].at[q];
      /* branches with other variables may determine other things */
      lo->ifs.at[number].unlike = lo->ifs.at[number].unlike ||
                                  !holds_same(lo, &branches[0].at[k], &it);
      /* equal left sides stay as they are */
      joined.lhs = joined.lhs.i && !expr_same(joined.lhs, it.lhs)
                       ? expr_if(lo->p, conditions[b], it.lhs, joined.lhs)
                       : it.lhs;
      joined.rhs = joined.rhs.i ? expr_if(lo->p, conditions[b], it.rhs, joined.rhs) : it.rhs;
    }
    vec_push(lo->a, out, joined);
  }
}

/* Each branch keeps its equations, which hold in the modes that take it. */
static void keep_branches(Lower *lo, const FlatEquation *eq, const ExprId *conditions,
                          const Items *branches, Items *out) {
  ExprPool *p = lo->p;
  ExprId none = expr_boolean(p, true); /* no earlier branch was taken */
  /* guards exclude each other: the first condition that is true counts */
  for (uint32_t b = 0; b < eq->n_branches; b++) {
    ExprId condition = eq->branches[b].condition.i ? condition_decides(lo, conditions[b])
                                                   : expr_boolean(p, true);
    ExprId here = logic_and(p, none, condition);
    none = logic_and(p, none, logic_not(p, condition));
    for (uint32_t k = 0; k < branches[b].n; k++) {
      Item it = branches[b].at[k];
      it.guard = it.guard.i ? logic_and(p, here, it.guard) : here;
      it.choice = 0;
      vec_push(lo->a, out, it);
    }
  }
}

/* Do the branches determine different things, as far as can be seen here? Then they must be kept
 * apart. */
static bool differ(const Lower *lo, const FlatEquation *eq, uint32_t number,
                   const Items *branches) {
  /* without else there is a mode without these equations */
  bool out = eq->branches[eq->n_branches - 1].condition.i ||
             (number < lo->how.n_divides && lo->how.divides[number]);
  for (uint32_t b = 0; b < eq->n_branches; b++) {
    out = out || branches[b].n != branches[0].n;
    for (uint32_t k = 0; k < branches[b].n; k++)
      out = out || branches[b].at[k].guard.i;
  }
  return out;
}

typedef struct {
  Lower *lo;
  FlatChatter chatter;
} Chatter;

static void set_chatter(void *user, ExprId e) {
  const Chatter *c = user;
  const Expr *x = expr_get(c->lo->p, e);
  Structure *s = c->lo->s;
  if (x->op == OP_VAR && x->index < s->vars.n && s->vars.at[x->index].kind == SV_RELATION)
    /* In the order of DsChatter */
    s->relations.at[s->vars.at[x->index].of].chatter = (unsigned char)c->chatter;
}

/* Relations of the equation chatter as it says. */
static void take_chatter(Lower *lo, const FlatEquation *eq, ExprId lowered) {
  if (eq->chatter && lowered.i)
    expr_walk(lo->p, lowered, set_chatter, &(Chatter){lo, eq->chatter});
}

/* An if-equation: the items of its branches, joined or under guards. */
static void collect_if(Lower *lo, const FlatEquation *eq, ExprId guard, int mode, Items *out) {
  Items *branches = NEW_ARRAY(lo->a, Items, eq->n_branches);
  ExprId *conditions = NEW_ARRAY(lo->a, ExprId, eq->n_branches);
  ExprId none = guard; /* holds when no earlier branch was taken */
  /* its number comes before those of if-equations inside of it */
  uint32_t number = lo->ifs.n, n_conditions = 0;
  vec_push(lo->a, &lo->ifs, (LowerIf){0});
  for (uint32_t b = 0; b < eq->n_branches; b++) {
    const FlatBranch *br = &eq->branches[b];
    /* under the conditions of all branches before it */
    ExprId here = none;
    if (br->condition.i) {
      conditions[b] = lower_expr(lo, br->condition, mode);
      take_chatter(lo, eq, conditions[b]);
      here = guarded(lo, none, conditions[b]);
      none = guarded(lo, none, logic_not(lo->p, conditions[b]));
      n_conditions++;
    }
    for (uint32_t k = 0; k < br->n; k++)
      collect(lo, br->body[k], here, mode, &branches[b]);
    lo->span = eq->span;
  }
  uint32_t n = 0;
  for (uint32_t b = 0; b < eq->n_branches; b++)
    n += branches[b].n;
  /* nothing in it: no number is needed */
  if (!n)
    return;
  /* joined to if-expressions if the branches fit, else each under its own guard */
  bool kept = differ(lo, eq, number, branches);
  lo->ifs.at[number] = (LowerIf){
      .conditions = conditions, .n = n_conditions, .end = lo->ifs.n, .kept = kept};
  if (!kept)
    join_branches(lo, eq, number, conditions, branches, out);
  else if (mode == LOWER_EVENTS)
    keep_branches(lo, eq, conditions, branches, out);
  else
    lower_refuse(lo, "an if-equation whose branches have different numbers of equations, among the "
                     "initial equations,");
}

static void collect(Lower *lo, const FlatEquation *eq, ExprId guard, int mode, Items *out) {
  lo->span = eq->span;
  switch (eq->kind) {
  case FEQ_EQUAL: {
    ExprId lhs = lower_expr(lo, eq->lhs, mode);
    ExprId rhs = lower_expr(lo, eq->rhs, mode);
    if (mode == LOWER_EVENTS) {
      lhs = lower_quiet(lo, lhs);
      rhs = lower_quiet(lo, rhs);
    }
    take_chatter(lo, eq, lhs);
    take_chatter(lo, eq, rhs);
    lhs = watched_side(lo, lhs, guard, mode);
    rhs = watched_side(lo, rhs, guard, mode);
    vec_push(lo->a, out, (Item){.lhs = lhs, .rhs = rhs, .span = eq->span});
    break;
  }
  case FEQ_TUPLE: collect_tuple(lo, eq, guard, mode, out); break;
  case FEQ_IF: collect_if(lo, eq, guard, mode, out); break;
  case FEQ_ASSERT: {
    SAction act = {.kind = ACTION_ASSERT, .guard = guard, .span = eq->span};
    act.value = lower_expr(lo, eq->lhs, LOWER_NO_EVENTS);
    act.message = lower_expr(lo, eq->rhs, LOWER_NO_EVENTS);
    act.level = eq->level.i ? lower_expr(lo, eq->level, LOWER_NO_EVENTS) : NO_EXPR;
    vec_push(lo->a, &lo->s->checks, act);
    break;
  }
  case FEQ_TERMINATE: lower_refuse(lo, "terminate() outside of a when-clause"); break;
  case FEQ_REINIT: lower_refuse(lo, "reinit() outside of a when-clause"); break;
  case FEQ_CALL: {
    SAction act = {.kind = ACTION_CALL,
                   .guard = guard,
                   .value = lower_expr(lo, eq->rhs, LOWER_NO_EVENTS),
                   .span = eq->span};
    vec_push(lo->a, &lo->s->checks, act);
    break;
  }
  case FEQ_WHEN: lower_refuse(lo, "a when-clause inside an if-equation"); break;
  case FEQ_ALGORITHM: lower_refuse(lo, "an algorithm inside an if-equation"); break;
  }
}

static void add_rows(Lower *lo, const Items *items, bool initial_only) {
  ExprPool *p = lo->p;
  for (uint32_t k = 0; k < items->n; k++) {
    Item it = items->at[k];
    if (type_is_numeric(p, expr_get(p, it.lhs)->type)) {
      /* Real on one side makes it a Real equation */
      bool real = type_get(p, expr_get(p, it.lhs)->type)->base == TY_REAL ||
                  type_get(p, expr_get(p, it.rhs)->type)->base == TY_REAL;
      if (real) {
        it.lhs = expr_to_real(p, it.lhs);
        it.rhs = expr_to_real(p, it.rhs);
      }
    }
    lo->span = it.span;
    if (!initial_only) {
      SRow *row = row_add(lo, &lo->s->simulation, ROW_EQUAL, it.lhs, it.rhs);
      row->guard = it.guard;
      row->choice = it.choice;
    }
    /* the initial system has all equations of the simulation */
    SRow *row = row_add(lo, &lo->s->initial, ROW_EQUAL, it.lhs, it.rhs);
    row->initial_only = initial_only;
    row->guard = it.guard;
  }
}

/* Calls among the initial equations, collected as checks from number `first` on, are made once. */
static void call_initially(Lower *lo, uint32_t first) {
  ExprPool *p = lo->p;
  ExprId initial = expr_make(p, OP_INITIAL, type_scalar(p, TY_BOOLEAN), 0, NULL);
  uint32_t kept = first;
  /* asserts stay checks */
  for (uint32_t k = first; k < lo->s->checks.n; k++) {
    SAction act = lo->s->checks.at[k];
    if (act.kind != ACTION_CALL) {
      lo->s->checks.at[kept++] = act;
      continue;
    }
    act.guard = act.guard.i ? logic_and(p, initial, act.guard) : initial;
    vec_push(lo->a, &lo->s->actions, act);
  }
  lo->s->checks.n = kept;
}

static void add_equation(Lower *lo, const FlatEquation *eq, bool initial_only) {
  lo->span = eq->span;
  lo->origin = eq->origin;
  if (eq->kind == FEQ_WHEN) {
    if (initial_only)
      lower_refuse(lo, "a when-clause among the initial equations");
    else
      lower_when(lo, eq);
  } else if (eq->kind == FEQ_ALGORITHM) {
    lower_algorithm(lo, eq, initial_only);
  } else {
    Items items = {0};
    uint32_t n_checks = lo->s->checks.n;
    collect(lo, eq, NO_EXPR, initial_only ? LOWER_NO_EVENTS : LOWER_EVENTS, &items);
    add_rows(lo, &items, initial_only);
    if (initial_only)
      call_initially(lo, n_checks);
  }
}

/* A variable that is no state but has a fixed start value adds an initial equation. States keep
 * theirs without one, and so does what keeps its value in this mode. */
static void add_fixed(Lower *lo) {
  for (uint32_t k = 0; k < lo->m->vars.n; k++) {
    const FlatVar *v = &lo->m->vars.at[k];
    SVar *s = &lo->s->vars.at[k];
    if (s->known && !s->absent)
      continue;
    bool fixed = fixed_of(lo, v, false);
    /* what a fixed start value says about a state needs no equation */
    if (s->state || s->absent)
      s->free = !fixed;
    else if (fixed && !s->discrete) {
      lo->span = v->span;
      lo->origin = v->origin;
      row_add(lo, &lo->s->initial, ROW_EQUAL, s->alias.i ? s->alias : svar_expr(lo->s, k),
              lower_default_start(lo, k))
          ->initial_only = true;
    }
  }
}

bool lower_model(Lower *lo) {
  uint32_t errors = diags_errors(lo->diags);
  lo->mem = NEW(lo->a, LowerMemory);
  add_variables(lo);
  /* in the order of the text: numbers of relations follow it */
  for (uint32_t k = 0; k < lo->m->equations.n; k++)
    add_equation(lo, lo->m->equations.at[k], false);
  for (uint32_t k = 0; k < lo->m->initial.n; k++)
    add_equation(lo, lo->m->initial.at[k], true);
  return diags_errors(lo->diags) == errors;
}

/* A state in another mode. */
static bool is_common_state(const Structure *s, uint32_t var) {
  for (uint32_t k = 0; k < s->common.states.n && s->conditions.n; k++)
    if (s->common.states.at[k] == var)
      return true;
  return false;
}

bool lower_fixed(Lower *lo) {
  uint32_t errors = diags_errors(lo->diags);
  add_fixed(lo);
  for (uint32_t k = 0; k < lo->s->actions.n; k++) {
    const SAction *act = &lo->s->actions.at[k];
    /* what jumps may come to rest in contact, held by a force (run/contact.c) */
    if (act->kind == ACTION_REINIT && lo->s->vars.at[act->state].der != NO_SVAR)
      lo->s->vars.at[lo->s->vars.at[act->state].der].pushed = true;
    /* in another mode it may be one */
    if (act->kind == ACTION_REINIT && !lo->s->vars.at[act->state].state &&
        !is_common_state(lo->s, act->state))
      diag_add(lo->diags, D_D404, act->span,
               "reinit of `%s`, which is no state: its derivative does not occur",
               lo->m->vars.at[act->state].name);
  }
  return diags_errors(lo->diags) == errors;
}
