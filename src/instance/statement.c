/* instance/statement.c -- algorithm statements -> typed statements (MLS 3.6 chapter 11).
 * In functions a for-loop stays a loop with a LOCAL iterator; in models its range is known, and it
 * is unrolled, so that components can be addressed in it. A loop that is left by `break` or runs
 * over a variable stays a loop there, too. */
#include "instance/inst.h"

#include <string.h>

typedef VEC(Stmt *) Stmts;

static bool statements(Elab *el, AstStatement **body, uint32_t n, Stmts *out);

const char *elab_call_name(const AstExp *call) {
  return call->function && call->function->n == 1 ? call->function->parts[0].name : "";
}

static Stmt *add(Elab *el, Stmts *out, StmtKind kind, Span span) {
  Stmt *s = NEW(el->w->arena, Stmt);
  s->kind = kind;
  s->span = span;
  vec_push(el->w->arena, out, s);
  return s;
}

/* ---- calls as statements ---- */

bool elab_assert(Elab *el, const AstExp *call, ExprId *condition, ExprId *message, ExprId *level) {
  ExprPool *p = el->w->pool;
  static const char *const names[] = {"condition", "message", "level"};
  ExprId parts[3] = {NO_EXPR, NO_EXPR, expr_integer(p, 2)};
  TypeId types[3] = {type_scalar(p, TY_BOOLEAN), type_scalar(p, TY_STRING),
                     type_of_decl(p, TY_ENUM, el->w->assertion_level)};
  for (uint32_t i = 0; i < call->n; i++) {
    uint32_t k = i;
    if (call->args[i].name)
      for (k = 0; k < 3 && strcmp(names[k], call->args[i].name) != 0; k++)
        ;
    if (k > 2) {
      elab_error(el, D_T304, call->args[i].span, "`assert` takes condition, message and level");
      return false;
    }
    parts[k] = elab_as(el, call->args[i].value, types[k], names[k]);
    if (!parts[k].i)
      return false;
  }
  if (!parts[0].i || !parts[1].i) {
    elab_error(el, D_T304, call->span, "`assert` needs a condition and a message");
    return false;
  }
  *condition = parts[0];
  *message = parts[1];
  *level = parts[2];
  return true;
}

static bool call_statement(Elab *el, const AstStatement *s, Stmts *out) {
  const char *name = elab_call_name(s->call);
  if (strcmp(name, "assert") == 0) {
    Stmt *a = add(el, out, STMT_ASSERT, s->span);
    return elab_assert(el, s->call, &a->value, &a->message, &a->level);
  }
  if (strcmp(name, "terminate") == 0) {
    if (s->call->n != 1)
      return elab_error(el, D_T304, s->span, "`terminate` takes a message").i;
    Stmt *t = add(el, out, STMT_TERMINATE, s->span);
    t->message = elab_as(el, s->call->args[0].value, type_scalar(el->w->pool, TY_STRING),
                         "the message");
    return t->message.i != 0;
  }
  if (strcmp(name, "reinit") == 0)
    return elab_error(el, D_D404, s->span, "`reinit` is only allowed in when-equations").i;
  ExprId value = elab_call(el, s->call);
  if (!value.i)
    return false;
  if (expr_get(el->w->pool, value)->op == OP_CALL)
    add(el, out, STMT_CALL, s->span)->value = value;
  return true; /* a call that was computed has no effect */
}

/* ---- assignments ---- */

static bool is_target(Elab *el, ExprId e) {
  const Expr *x = expr_get(el->w->pool, e);
  while (x->op == OP_INDEX || x->op == OP_FIELD)
    x = expr_get(el->w->pool, x->args[0]);
  return x->op == OP_REF || x->op == OP_VAR || x->op == OP_LOCAL;
}

static ExprId target(Elab *el, const AstExp *lhs) {
  ExprId t = elab_exp(el, lhs);
  if (!t.i)
    return t;
  const Expr *x = expr_get(el->w->pool, t);
  if (x->op == OP_ARRAY) {
    bool all = x->n > 0;
    for (uint32_t i = 0; i < x->n; i++)
      all = all && is_target(el, x->args[i]);
    if (all)
      return t;
  }
  if (!is_target(el, t))
    return elab_error(el, D_T301, lhs->span, "this cannot be assigned to");
  const Expr *root = x;
  while (root->op == OP_INDEX || root->op == OP_FIELD)
    root = expr_get(el->w->pool, root->args[0]);
  if (root->op == OP_LOCAL && el->function && root->index < el->function->n_inputs)
    return elab_error(el, D_V001, lhs->span, "input `%s` of a function cannot be assigned to",
                      el->function->vars[root->index].name);
  if (root->op == OP_REF && ((const Element *)root->ref)->variability >= VAR_PARAMETER &&
      !el->in_initial)
    return elab_error(el, D_V001, lhs->span,
                      "`%s` is a parameter or constant and cannot be assigned to",
                      ((const Element *)root->ref)->name);
  return t;
}

static bool assign(Elab *el, const AstStatement *s, Stmts *out) {
  ExprId t = target(el, s->lhs);
  if (!t.i)
    return elab_exp(el, s->rhs).i && false; /* errors of both sides */
  ExprId value = elab_exp(el, s->rhs);
  if (!value.i)
    return false;
  value = elab_convert(el, value, elab_type(el, t), s->rhs->span, "this assignment");
  if (!value.i)
    return false;
  Stmt *a = add(el, out, STMT_ASSIGN, s->span);
  a->targets = NEW(el->w->arena, ExprId);
  a->targets[0] = t;
  a->n_targets = 1;
  a->value = value;
  return true;
}

static bool assign_tuple(Elab *el, const AstStatement *s, Stmts *out) {
  ExprId value = s->rhs->kind == AST_CALL ? elab_call(el, s->rhs) : elab_exp(el, s->rhs);
  if (!value.i)
    return false;
  const Type *type = elab_type_get(el, value);
  uint32_t results = type->base == TY_TUPLE ? type->decl->n : 1;
  if (s->lhs->n > results)
    return elab_error(el, D_T304, s->span, "%u results are taken, the function has %u", s->lhs->n,
                      results)
        .i;
  ExprId *targets = NEW_ARRAY(el->w->arena, ExprId, results);
  for (uint32_t i = 0; i < s->lhs->n; i++) {
    if (!s->lhs->items[i])
      continue;
    targets[i] = target(el, s->lhs->items[i]);
    if (!targets[i].i)
      return false;
    TypeId wanted = type->base == TY_TUPLE ? type->decl->types[i] : elab_type(el, value);
    TypeId common = elab_common(el, elab_type(el, targets[i]), wanted);
    if (!common.i)
      return elab_error(el, D_T301, s->lhs->items[i]->span, "result %u has type %s, this is %s",
                        i + 1, elab_type_text(el, wanted),
                        elab_type_text(el, elab_type(el, targets[i])))
          .i;
  }
  bool single = type->base != TY_TUPLE;
  if (single && !targets[0].i)
    return true;
  Stmt *m = add(el, out, single ? STMT_ASSIGN : STMT_TUPLE, s->span);
  m->targets = targets;
  m->n_targets = results;
  m->value = value;
  return true;
}

/* ---- control ---- */

ExprId elab_when_condition(Elab *el, const AstExp *e) {
  ExprId c = elab_exp(el, e);
  if (!c.i)
    return c;
  const Type *t = elab_type_get(el, c);
  if (t->base != TY_BOOLEAN || t->n_dims > 1)
    return elab_convert(el, c, type_scalar(el->w->pool, TY_BOOLEAN), e->span, "`when`");
  return c;
}

static bool branches(Elab *el, const AstStatement *s, Stmt *to) {
  to->branches = NEW_ARRAY(el->w->arena, StmtBranch, s->n_branches);
  bool ok = true;
  for (uint32_t i = 0; i < s->n_branches; i++) {
    const AstStatementBranch *b = &s->branches[i];
    StmtBranch *out = &to->branches[to->n_branches++];
    Elab inner = *el;
    inner.in_when |= s->kind == STM_WHEN;
    inner.in_loop |= s->kind == STM_WHILE;
    if (b->condition) {
      out->condition = s->kind == STM_WHEN
                           ? elab_when_condition(el, b->condition)
                           : elab_as(el, b->condition, type_scalar(el->w->pool, TY_BOOLEAN),
                                     "a condition");
      ok = ok && out->condition.i;
    }
    Stmts body = {0};
    ok = statements(&inner, b->body, b->n, &body) && ok;
    out->body = body.at;
    out->n = body.n;
  }
  return ok;
}

/* if-statements with a known condition keep only what can be reached: the rest may not even be
 * typable */
static bool if_statement(Elab *el, const AstStatement *s, Stmts *out) {
  Stmt *to = NEW(el->w->arena, Stmt);
  to->kind = STMT_IF;
  to->span = s->span;
  to->branches = NEW_ARRAY(el->w->arena, StmtBranch, s->n_branches);
  bool ok = true;
  for (uint32_t i = 0; i < s->n_branches; i++) {
    const AstStatementBranch *b = &s->branches[i];
    StmtBranch branch = {0};
    if (b->condition) {
      branch.condition = elab_as(el, b->condition, type_scalar(el->w->pool, TY_BOOLEAN),
                                 "a condition");
      if (!branch.condition.i) {
        ok = false;
        continue;
      }
      int64_t known;
      if (expr_as_integer(el->w->pool, elab_fixed_index(el, branch.condition), &known)) {
        if (!known)
          continue;
        branch.condition = NO_EXPR;
      }
    }
    Stmts body = {0};
    Elab inner = *el;
    inner.in_branch |= branch.condition.i || to->n_branches;
    ok = statements(&inner, b->body, b->n, &body) && ok;
    branch.body = body.at;
    branch.n = body.n;
    if (!branch.condition.i && !to->n_branches) { /* always taken */
      for (uint32_t k = 0; k < body.n; k++)
        vec_push(el->w->arena, out, body.at[k]);
      return ok;
    }
    to->branches[to->n_branches++] = branch;
    if (!branch.condition.i)
      break;
  }
  if (to->n_branches)
    vec_push(el->w->arena, out, to);
  return ok;
}

static bool for_loop(Elab *el, const AstStatement *s, uint32_t level, Stmts *out);

static bool for_unrolled(Elab *el, const AstStatement *s, uint32_t level, Stmts *out) {
  if (level == s->n_iterators)
    return statements(el, s->body, s->n_body, out);
  const AstIterator *it = &s->iterators[level];
  LoopBody body = {.statements = s->body, .n = s->n_body};
  ExprId range = elab_loop_range(el, it, &body);
  if (!range.i)
    return false;
  if (elab_variability(el->w, range) < VAR_PARAMETER)
    return for_loop(el, s, level, out);
  Value v;
  if (!elab_evaluate(el, range, it->range ? it->range->span : it->span, &v))
    return false;
  TypeId item = type_element(el->w->pool, v.type, 1);
  for (uint32_t k = 0; k < v.n; k++) {
    Value one = {.type = item, .n = 1, .at = &v.at[k]};
    Binder binder = {it->name, expr_of_value(el->w->pool, &one), el->binders};
    Elab inner = *el;
    inner.binders = &binder;
    if (!elab_one_round(el, s->span) || !for_unrolled(&inner, s, level + 1, out))
      return false;
  }
  return true;
}

static bool for_loop(Elab *el, const AstStatement *s, uint32_t level, Stmts *out) {
  if (level == s->n_iterators)
    return statements(el, s->body, s->n_body, out);
  ExprPool *p = el->w->pool;
  LoopBody all = {.statements = s->body, .n = s->n_body};
  ExprId range = elab_loop_range(el, &s->iterators[level], &all);
  if (!range.i)
    return false;
  Stmt *loop = add(el, out, STMT_FOR, s->span);
  loop->iterator = el->function ? el->function->n_locals++ : el->w->n_iterators++;
  loop->value = range;
  Binder binder = {s->iterators[level].name,
                   expr_local(p, type_element(p, elab_type(el, range), 1), loop->iterator),
                   el->binders};
  Elab inner = *el;
  inner.binders = &binder;
  inner.in_loop = true;
  Stmts body = {0};
  bool ok = for_loop(&inner, s, level + 1, &body);
  loop->branches = NEW(el->w->arena, StmtBranch);
  loop->branches[0] = (StmtBranch){NO_EXPR, body.at, body.n};
  loop->n_branches = 1;
  return ok;
}

/* Is there a `break` that leaves the loop around this body? */
static bool breaks(AstStatement *const *body, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const AstStatement *s = body[i];
    if (s->kind == STM_BREAK)
      return true;
    for (uint32_t k = 0; s->kind == STM_IF && k < s->n_branches; k++)
      if (breaks(s->branches[k].body, s->branches[k].n))
        return true;
  }
  return false;
}

static bool statement(Elab *el, const AstStatement *s, Stmts *out) {
  switch (s->kind) {
  case STM_ASSIGN: return s->lhs->kind == AST_TUPLE ? assign_tuple(el, s, out) : assign(el, s, out);
  case STM_CALL: return call_statement(el, s, out);
  case STM_IF: return if_statement(el, s, out);
  case STM_FOR:
    return el->function || breaks(s->body, s->n_body) ? for_loop(el, s, 0, out)
                                                      : for_unrolled(el, s, 0, out);
  case STM_WHILE: {
    Stmt *to = NEW(el->w->arena, Stmt);
    to->kind = STMT_WHILE;
    to->span = s->span;
    bool ok = branches(el, s, to);
    vec_push(el->w->arena, out, to);
    return ok;
  }
  case STM_WHEN: {
    const char *where = el->function     ? "in a function"
                        : el->in_when    ? "inside another `when`"
                        : el->in_initial ? "in an initial algorithm"
                        : el->in_loop    ? "in a loop"
                        : el->in_branch  ? "in an `if`"
                                         : NULL;
    if (where)
      return elab_error(el, D_D403, s->span, "`when` is not allowed %s", where).i;
    Stmt *to = NEW(el->w->arena, Stmt);
    to->kind = STMT_WHEN;
    to->span = s->span;
    bool ok = branches(el, s, to);
    vec_push(el->w->arena, out, to);
    return ok;
  }
  case STM_BREAK:
    if (!el->in_loop)
      return elab_error(el, D_T308, s->span, "`break` is only allowed in a loop").i;
    add(el, out, STMT_BREAK, s->span);
    return true;
  case STM_RETURN:
    if (!el->function)
      return elab_error(el, D_T308, s->span, "`return` is only allowed in a function").i;
    add(el, out, STMT_RETURN, s->span);
    return true;
  }
  return false;
}

static bool statements(Elab *el, AstStatement **body, uint32_t n, Stmts *out) {
  bool ok = true;
  for (uint32_t i = 0; i < n; i++)
    ok = statement(el, body[i], out) && ok;
  return ok;
}

bool elab_statements(Elab *el, AstStatement **body, uint32_t n, Stmt ***out, uint32_t *n_out) {
  Stmts list = {0};
  bool ok = statements(el, body, n, &list);
  *out = list.at;
  *n_out = list.n;
  return ok;
}
