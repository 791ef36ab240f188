/* structure/lower_inside.c -- values that an algorithm computes on its way, as expressions of
 * variables from outside. A relation or event function in an algorithm is about the values at that
 * place (MLS 3.6 section 8.5). What makes the event must be known without the algorithm, so the
 * statements are followed: an assignment gives its target a new expression, after an if each target
 * is an if-expression of what the branches left. Targets begin with pre(v) or their start value
 * (section 11.1.2). An expression that grows long becomes a value of its own, so that the text
 * stays in proportion to the algorithm. The condition of a when-statement that reads targets is
 * computed by the algorithm itself, at its place.
 * Keep: what a loop assigns is not known, inside of it and afterwards. */
#include "structure/lower_inside.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/lower.h"
#include "structure/lower_expr.h"
#include "structure/lower_impl.h"
#include "structure/lower_section.h"
#include "structure/lowered.h"

#include <string.h>

/* ---- which algorithms need that ---- */

typedef struct {
  const Lower *lo;
  bool found;
} Search;

static void find_target(void *user, ExprId e) {
  Search *se = user;
  const Expr *x = expr_get(se->lo->p, e);
  se->found = se->found ||
              (x->op == OP_VAR && x->index < se->lo->m->vars.n && se->lo->mem->internal[x->index]);
}

static void find_event(void *user, ExprId e) {
  /* what would make events if a target stood in it */
  Search *se = user;
  const Expr *x = expr_get(se->lo->p, e);
  bool relation = x->op >= OP_LT && x->op <= OP_NE;
  bool function = x->op == OP_FLOOR || x->op == OP_CEIL || x->op == OP_TO_INTEGER ||
                  x->op == OP_DIVT || x->op == OP_MOD || x->op == OP_REM;
  bool call = x->op == OP_CALL && x->ref &&
              (((const Func *)x->ref)->generate_events ||
               type_get(se->lo->p, x->type)->base != TY_REAL);
  if (!se->found && (relation || function || call))
    expr_walk(se->lo->p, e, find_target, se);
}

bool inside_needed(const Lower *lo, Stmt *const *body, uint32_t n) {
  Search se = {lo, false};
  for (uint32_t k = 0; k < n && !se.found; k++) {
    const Stmt *st = body[k];
    if (st->value.i)
      expr_walk(lo->p, st->value, find_event, &se);
    for (uint32_t b = 0; b < st->n_branches && !se.found; b++) {
      if (st->branches[b].condition.i)
        expr_walk(lo->p, st->branches[b].condition, find_event, &se);
      /* a when has its own events, and its body makes none */
      se.found = se.found || (st->kind != STMT_WHEN &&
                              inside_needed(lo, st->branches[b].body, st->branches[b].n));
    }
  }
  return se.found;
}

/* ---- values ---- */

void inside_begin(Lower *lo, Inside *in, bool initially) {
  lo->mem->inside = in;
  in->initially = initially;
  in->asked = false;
  in->next_own = 0;
  for (uint32_t k = 0; k < in->n; k++) {
    uint32_t v = in->targets[k];
    const SVar *var = &lo->s->vars.at[v];
    /* a discrete target begins with its value from before */
    ExprId first = NO_EXPR;
    if (!var->known)
      first = var->discrete ? svar_expr(lo->s, svar_pre(lo, v)) : lower_default_start(lo, v);
    in->value[v] = first;
  }
}

typedef struct {
  const Lower *lo;
  bool ok;
} Replace;

static ExprId replace(void *user, ExprId e) {
  Replace *r = user;
  const Expr *x = expr_get(r->lo->p, e);
  uint64_t meaning;
  /* a local is known in its function only */
  if (x->op == OP_LOCAL)
    r->ok = false;
  if (x->op == OP_VAR && map_get(&r->lo->mem->inside->meanings, x->index, &meaning))
    return (ExprId){(uint32_t)meaning};
  if (x->op != OP_VAR || x->index >= r->lo->m->vars.n || !r->lo->mem->internal[x->index])
    return NO_EXPR;
  ExprId value = r->lo->mem->inside->value[x->index];
  r->ok &= value.i != 0;
  return value;
}

ExprId inside_expr(Lower *lo, ExprId e) {
  if (!e.i || !lo->mem->inside)
    return NO_EXPR;
  Replace r = {lo, true};
  ExprId out = expr_rewrite(lo->p, e, replace, &r);
  /* from now on changes of values matter to what was lowered */
  lo->mem->inside->asked = true;
  return r.ok ? out : NO_EXPR;
}

/* ---- conditions ---- */

uint32_t inside_condition(Lower *lo, ExprId condition) {
  Inside *in = lo->mem->inside;
  /* conditions of the first walk serve the second one, too */
  if (in->next_own == in->own.n) {
    uint32_t v = svar_add(lo, SV_CONDITION, 0, type_scalar(lo->p, TY_BOOLEAN));
    lo->s->vars.at[v].discrete = true;
    lo->s->vars.at[v].meaning = condition;
    vec_push(lo->a, &in->own, v);
  }
  uint32_t v = in->own.at[in->next_own++];
  Stmt *st = NEW(lo->a, Stmt);
  *st = (Stmt){.kind = STMT_ASSIGN, .n_targets = 1, .value = condition, .span = lo->span};
  st->targets = NEW(lo->a, ExprId);
  st->targets[0] = svar_expr(lo->s, v);
  vec_push(lo->a, &in->pending, st);
  /* what it is worth is known where it stands */
  ExprId known = in->initially ? NO_EXPR : inside_expr(lo, condition);
  if (known.i)
    map_put(lo->a, &in->meanings, v, known.i);
  return v;
}

/* ---- long expressions ---- */

/* Nodes of e as a tree, or more than `most`. */
static uint32_t nodes(const ExprPool *p, ExprId e, uint32_t most) {
  const Expr *x = expr_get(p, e);
  uint32_t n = 1;
  for (uint32_t k = 0; k < x->n && n <= most; k++)
    n += x->args[k].i ? nodes(p, x->args[k], most - n) : 0;
  return n;
}

/* The value of target v, or a variable that holds it and is called by the name of the target. */
static ExprId held(Lower *lo, uint32_t v, ExprId value) {
  if (!value.i || lo->mem->inside->initially ||
      nodes(lo->p, value, MOST_INSIDE_NODES) <= MOST_INSIDE_NODES)
    return value;
  uint64_t known;
  if (lower_known(lo, value.i, &known))
    return svar_expr(lo->s, (uint32_t)known);
  uint32_t var = svar_add(lo, SV_BUFFER, 0, expr_get(lo->p, value)->type);
  lo->s->vars.at[var].discrete = lower_is_discrete(lo, value);
  lo->s->vars.at[var].meaning = svar_expr(lo->s, v);
  lower_note(lo, value.i, var);
  ExprId me = svar_expr(lo->s, var);
  row_add(lo, &lo->s->simulation, ROW_EQUAL, me, value)->only = var;
  row_add(lo, &lo->s->initial, ROW_EQUAL, me, value)->only = var;
  return me;
}

/* ---- statements ---- */

void inside_assign(Lower *lo, uint32_t var, ExprId value) {
  lo->mem->inside->value[var] = held(lo, var, inside_expr(lo, value));
}

void inside_forget(Lower *lo, Stmt *const *body, uint32_t n) {
  /* what the statements assign somewhere has no known value any more */
  for (uint32_t k = 0; k < lo->mem->inside->n; k++)
    if (statements_assign(lo->p, body, n, lo->mem->inside->targets[k]))
      lo->mem->inside->value[lo->mem->inside->targets[k]] = NO_EXPR;
}

ExprId *inside_copy(Lower *lo) {
  const Inside *in = lo->mem->inside;
  ExprId *copy = NEW_ARRAY(lo->a, ExprId, in->n + 1);
  for (uint32_t k = 0; k < in->n; k++)
    copy[k] = in->value[in->targets[k]];
  return copy;
}

void inside_put(Lower *lo, const ExprId *values) {
  Inside *in = lo->mem->inside;
  for (uint32_t k = 0; k < in->n; k++)
    in->value[in->targets[k]] = values[k];
}

void inside_join(Lower *lo, const ExprId *before, const StmtBranch *branches, ExprId *const *after,
                 uint32_t n) {
  Inside *in = lo->mem->inside;
  inside_put(lo, before); /* conditions are about the values before the if */
  ExprId *conditions = NEW_ARRAY(lo->a, ExprId, n + 1);
  for (uint32_t b = 0; b < n; b++)
    conditions[b] = inside_expr(lo, branches[b].condition);
  for (uint32_t k = 0; k < in->n; k++) {
    /* from the last branch to the first; without else the value from before stays */
    ExprId value = before[k];
    for (uint32_t b = n; b-- > 0;) {
      if (!branches[b].condition.i)
        value = after[b][k];
      else if (after[b][k].i != value.i)
        value = conditions[b].i && value.i && after[b][k].i
                    ? expr_if(lo->p, conditions[b], after[b][k], value)
                    : NO_EXPR;
    }
    in->value[in->targets[k]] = held(lo, in->targets[k], value);
  }
}
