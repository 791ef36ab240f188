/* flat/equations.c -- equation and algorithm sections -> scalar equations (MLS 3.6 chapter 8).
 * for-equations are unrolled, if-equations with a parameter condition are decided, arrays and
 * records become scalars. */
#include "flat/flatten_impl.h"

#include <stdlib.h>
#include <string.h>

static void equations(Flattener *fl, Elab *el, AstEquation **body, uint32_t n, Equations *out);

static FlatEquation *add(Flattener *fl, Equations *out, FlatEquationKind kind, Span span) {
  FlatEquation *eq = flat_equation(fl->arena, kind, span);
  eq->origin = fl->origin;
  vec_push(fl->arena, out, eq);
  return eq;
}

/* ---- equality ---- */

/* (a, , b) = f(x) */
static void tuple_equation(Flattener *fl, Elab *el, const AstEquation *ast, const AstExp *left,
                           const AstExp *right, Equations *out) {
  World *w = fl->w;
  ExprId value = right->kind == AST_CALL ? elab_call(el, right) : elab_exp(el, right);
  if (!value.i)
    return;
  const Type *t = elab_type_get(el, value);
  uint32_t results = t->base == TY_TUPLE ? t->decl->n : 1;
  if (left->n > results) {
    elab_error(el, D_T304, ast->span, "%u results are taken, %s gives %u", left->n,
               elab_written(el, right->kind == AST_CALL ? right->function->span : right->span),
               results);
    return;
  }
  ExprList targets = {0};
  for (uint32_t i = 0; i < results; i++) {
    TypeId type = t->base == TY_TUPLE ? t->decl->types[i] : elab_type(el, value);
    int64_t count = type_count(w->pool, type);
    if (i >= left->n || !left->items[i]) {
      for (int64_t k = 0; k < count; k++)
        vec_push(fl->arena, &targets, NO_EXPR);
      continue;
    }
    ExprId target = elab_exp(el, left->items[i]);
    if (!target.i)
      return;
    if (!elab_common(el, elab_type(el, target), type).i) {
      elab_error(el, D_T301, left->items[i]->span, "result %u has type %s, this is %s", i + 1,
                 elab_type_text(el, type), elab_type_text(el, elab_type(el, target)));
      return;
    }
    uint32_t n;
    ExprId *scalars;
    if (!flatten_scalars(fl, target, left->items[i]->span, &n, &scalars))
      return;
    for (uint32_t k = 0; k < n; k++)
      vec_push(fl->arena, &targets, scalars[k]);
  }
  uint32_t n;
  ExprId *parts;
  if (!flatten_scalars(fl, value, ast->span, &n, &parts))
    return;
  const Expr *part = n ? expr_get(w->pool, parts[0]) : NULL;
  if (!part || part->op != OP_PART || n != targets.n) { /* the call was computed: plain equations */
    for (uint32_t k = 0; k < n && k < targets.n; k++)
      if (targets.at[k].i) {
        FlatEquation *eq = add(fl, out, FEQ_EQUAL, ast->span);
        eq->lhs = targets.at[k];
        eq->rhs = parts[k];
      }
    return;
  }
  FlatEquation *eq = add(fl, out, FEQ_TUPLE, ast->span);
  eq->targets = targets.at;
  eq->n_targets = targets.n;
  eq->rhs = part->args[0];
}

static void equality(Flattener *fl, Elab *el, const AstEquation *ast, Equations *out) {
  if (ast->lhs->kind == AST_TUPLE || ast->rhs->kind == AST_TUPLE) {
    bool left = ast->lhs->kind == AST_TUPLE;
    tuple_equation(fl, el, ast, left ? ast->lhs : ast->rhs, left ? ast->rhs : ast->lhs, out);
    return;
  }
  ExprId a = elab_exp(el, ast->lhs), b = elab_exp(el, ast->rhs);
  if (!a.i || !b.i)
    return;
  TypeId ta = elab_type(el, a), tb = elab_type(el, b);
  TypeId common = elab_common(el, ta, tb);
  if (!common.i) {
    TypeId x = type_element(fl->w->pool, ta, type_get(fl->w->pool, ta)->n_dims),
           y = type_element(fl->w->pool, tb, type_get(fl->w->pool, tb)->n_dims);
    elab_error(el, elab_common(el, x, y).i ? D_T302 : D_T301, ast->span,
               "the left side is %s, the right side is %s", elab_type_text(el, ta),
               elab_type_text(el, tb));
    return;
  }
  uint32_t n, m;
  ExprId *left, *right;
  if (!flatten_scalars(fl, a, ast->span, &n, &left) ||
      !flatten_scalars(fl, b, ast->span, &m, &right))
    return;
  for (uint32_t k = 0; k < n && k < m; k++) {
    FlatEquation *eq = add(fl, out, FEQ_EQUAL, ast->span);
    TypeBase base = type_get(fl->w->pool, common)->base;
    eq->lhs = base == TY_REAL ? expr_to_real(fl->w->pool, left[k]) : left[k];
    eq->rhs = base == TY_REAL ? expr_to_real(fl->w->pool, right[k]) : right[k];
  }
}

/* ---- if, for, when ---- */

static bool branch(Flattener *fl, Elab *el, const AstEquationBranch *ast, ExprId condition,
                   FlatEquation *to) {
  uint32_t errors = diags_errors(fl->diags);
  Equations body = {0};
  equations(fl, el, ast->body, ast->n, &body);
  to->branches[to->n_branches++] = (FlatBranch){condition, body.at, body.n};
  return diags_errors(fl->diags) == errors;
}

static bool decided(Elab *el, ExprId condition, bool *holds) {
  Value v;
  Elab quiet = *el;
  quiet.quiet = true;
  if (elab_variability(el->w, condition) < VAR_PARAMETER ||
      !elab_evaluate(&quiet, condition, (Span){0}, &v))
    return false;
  *holds = v.at[0].integer != 0;
  return true;
}

static bool scalar_condition(Flattener *fl, Elab *el, const AstExp *ast, ExprId *out) {
  *out = elab_as(el, ast, type_scalar(fl->w->pool, TY_BOOLEAN), "`if`");
  return out->i != 0;
}

static void if_equation(Flattener *fl, Elab *el, const AstEquation *ast, Equations *out) {
  FlatEquation *to = flat_equation(fl->arena, FEQ_IF, ast->span);
  to->origin = fl->origin;
  to->branches = NEW_ARRAY(fl->arena, FlatBranch, ast->n_branches);
  bool changes = false;
  for (uint32_t i = 0; i < ast->n_branches; i++) {
    const AstEquationBranch *b = &ast->branches[i];
    ExprId condition = NO_EXPR;
    bool holds = true;
    if (b->condition) {
      if (!scalar_condition(fl, el, b->condition, &condition))
        return;
      changes |= elab_variability(fl->w, condition) < VAR_PARAMETER;
      bool known = decided(el, condition, &holds);
      if (known && !holds)
        continue;
      if (known)
        condition = NO_EXPR;
    }
    if (!condition.i && !to->n_branches) { /* always */
      equations(fl, el, b->body, b->n, out);
      return;
    }
    if (condition.i) {
      uint32_t n;
      ExprId *scalar;
      if (!flatten_scalars(fl, condition, b->condition->span, &n, &scalar))
        return;
      condition = scalar[0];
    }
    Elab inner = *el;
    inner.in_branch |= changes;
    if (!branch(fl, &inner, b, condition, to))
      return;
    if (!condition.i)
      break;
  }
  bool empty = true; /* it only connects */
  for (uint32_t i = 0; i < to->n_branches; i++)
    empty &= !to->branches[i].n;
  if (!empty)
    vec_push(fl->arena, out, to);
}

/* The conditions of the branches that may come to hold, decided as far as that is possible; returns
 * how many, UINT32_MAX after an error. A condition that is known to hold is the last and becomes
 * NO_EXPR. */
static uint32_t open_branches(Flattener *fl, Elab *el, const AstEquation *ast, ExprId *conditions,
                              const AstEquationBranch **branches) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < ast->n_branches; i++) {
    const AstEquationBranch *b = &ast->branches[i];
    ExprId condition = NO_EXPR, *scalar;
    bool holds = true;
    uint32_t one;
    if (b->condition && !scalar_condition(fl, el, b->condition, &condition))
      return UINT32_MAX;
    if (condition.i && decided(el, condition, &holds))
      condition = NO_EXPR;
    if (!holds)
      continue;
    if (condition.i && fl->pass == PASS_CONNECT) {
      if (!flatten_scalars(fl, condition, b->condition->span, &one, &scalar))
        return UINT32_MAX;
      condition = scalar[0];
    }
    conditions[n] = condition;
    branches[n++] = b;
    if (!condition.i)
      break;
  }
  return n;
}

/* Connections under a condition: one that is not known now makes switches of them. */
static void connections_if(Flattener *fl, Elab *el, const AstEquation *ast) {
  ExprId *conditions = NEW_ARRAY(fl->arena, ExprId, ast->n_branches);
  const AstEquationBranch **branches = NEW_ARRAY(fl->arena, const AstEquationBranch *,
                                                 ast->n_branches);
  uint32_t n = open_branches(fl, el, ast, conditions, branches);
  if (n == UINT32_MAX)
    return;
  const Guard *around = fl->guard;
  for (uint32_t k = 0; k < n; k++) {
    Guard g = {conditions, k, around};
    if (n > 1 || conditions[0].i)
      fl->guard = &g;
    equations(fl, el, branches[k]->body, branches[k]->n, NULL);
    fl->guard = around;
  }
}

static void for_equation(Flattener *fl, Elab *el, const AstEquation *ast, uint32_t level,
                         Equations *out) {
  if (level == ast->n_iterators) {
    equations(fl, el, ast->body, ast->n_body, out);
    return;
  }
  Value v;
  LoopBody body = {.equations = ast->body, .n = ast->n_body};
  if (!elab_loop_values(el, &ast->iterators[level], &body, &v))
    return;
  TypeId item = type_element(fl->w->pool, v.type, 1);
  uint32_t errors = diags_errors(fl->diags);
  for (uint32_t k = 0;
       k < v.n && diags_errors(fl->diags) == errors && elab_one_round(el, ast->span); k++) {
    Value one = {.type = item, .n = 1, .at = &v.at[k]};
    Binder binder = {ast->iterators[level].name, expr_of_value(fl->w->pool, &one), el->binders};
    Elab inner = *el;
    inner.binders = &binder;
    for_equation(fl, &inner, ast, level + 1, out);
  }
}

static void when_equation(Flattener *fl, Elab *el, const AstEquation *ast, Equations *out) {
  if (el->in_when || el->in_initial || el->in_branch) {
    elab_error(el, D_D403, ast->span, "`when` is not allowed %s",
               el->in_when      ? "inside another `when`"
               : el->in_initial ? "in an initial equation section"
                                : "in an `if` whose condition changes in time");
    return;
  }
  FlatEquation *to = flat_equation(fl->arena, FEQ_WHEN, ast->span);
  to->origin = fl->origin;
  to->branches = NEW_ARRAY(fl->arena, FlatBranch, ast->n_branches);
  for (uint32_t i = 0; i < ast->n_branches; i++) {
    ExprId condition = elab_when_condition(el, ast->branches[i].condition);
    uint32_t n;
    ExprId *scalars;
    if (!condition.i ||
        !flatten_scalars(fl, condition, ast->branches[i].condition->span, &n, &scalars))
      return;
    int32_t size = (int32_t)n;
    condition = n == 1 ? scalars[0]
                       : expr_make(fl->w->pool, OP_ARRAY,
                                   type_array(fl->w->pool, type_scalar(fl->w->pool, TY_BOOLEAN), 1,
                                              &size),
                                   n, scalars);
    Elab inner = *el;
    inner.in_when = true;
    if (!branch(fl, &inner, &ast->branches[i], condition, to))
      return;
  }
  vec_push(fl->arena, out, to);
}

/* ---- calls ---- */

static void assert_equation(Flattener *fl, Elab *el, const AstEquation *ast, Equations *out) {
  ExprId parts[3];
  if (!elab_assert(el, ast->call, &parts[0], &parts[1], &parts[2]))
    return;
  int64_t known;
  if (expr_as_integer(fl->w->pool, parts[0], &known) && known)
    return; /* always true */
  ExprId scalars[3];
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t n;
    ExprId *s;
    if (!flatten_scalars(fl, parts[i], ast->span, &n, &s))
      return;
    scalars[i] = s[0];
  }
  if (expr_as_integer(fl->w->pool, scalars[0], &known) && known)
    return;
  FlatEquation *eq = add(fl, out, FEQ_ASSERT, ast->span);
  eq->lhs = scalars[0];
  eq->rhs = scalars[1];
  eq->level = scalars[2];
}

static void reinit_equation(Flattener *fl, Elab *el, const AstEquation *ast, Equations *out) {
  const AstExp *call = ast->call;
  if (!el->in_when) {
    elab_error(el, D_D404, ast->span, "`reinit` is only allowed in a when-equation");
    return;
  }
  if (call->n != 2) {
    elab_error(el, D_T304, ast->span, "`reinit` takes a state and its new value");
    return;
  }
  ExprId x = elab_exp(el, call->args[0].value),
         value = x.i ? elab_as(el, call->args[1].value, elab_type(el, x), "the new value")
                     : NO_EXPR;
  uint32_t n, m;
  ExprId *left, *right;
  if (!value.i || !flatten_scalars(fl, x, ast->span, &n, &left) ||
      !flatten_scalars(fl, value, ast->span, &m, &right))
    return;
  for (uint32_t k = 0; k < n && k < m; k++) {
    if (expr_get(fl->w->pool, left[k])->op != OP_VAR) {
      elab_error(el, D_D404, call->args[0].span, "`reinit` needs a variable");
      return;
    }
    FlatEquation *eq = add(fl, out, FEQ_REINIT, ast->span);
    eq->lhs = left[k];
    eq->rhs = right[k];
  }
}

static void call_equation(Flattener *fl, Elab *el, const AstEquation *ast, Equations *out) {
  const char *name = elab_call_name(ast->call);
  if (elab_is_connections(ast->call)) {
    if (el->in_when)
      elab_error(el, D_D403, ast->span, "Connections.%s is not allowed in a when-equation",
                 ast->call->function->parts[1].name);
    return; /* done in the first pass */
  }
  if (strcmp(name, "assert") == 0) {
    assert_equation(fl, el, ast, out);
  } else if (strcmp(name, "reinit") == 0) {
    reinit_equation(fl, el, ast, out);
  } else if (strcmp(name, "terminate") == 0 && ast->call->n == 1) {
    ExprId message = elab_as(el, ast->call->args[0].value, type_scalar(fl->w->pool, TY_STRING),
                             "the message");
    uint32_t n;
    ExprId *s;
    if (message.i && flatten_scalars(fl, message, ast->span, &n, &s))
      add(fl, out, FEQ_TERMINATE, ast->span)->rhs = s[0];
  } else {
    ExprId call = elab_call(el, ast->call);
    if (!call.i)
      return;
    const Expr *x = expr_get(fl->w->pool, call);
    if (x->op != OP_CALL)
      return;
    ExprId scalar = flatten_call(fl, call, ast->span);
    if (scalar.i)
      add(fl, out, FEQ_CALL, ast->span)->rhs = scalar;
  }
}

/* Does it hold connections, however deep? */
static bool connects(const AstEquation *ast) {
  if (ast->kind == EQN_CONNECT || (ast->kind == EQN_CALL && elab_is_connections(ast->call)))
    return true;
  for (uint32_t i = 0; ast->kind == EQN_IF && i < ast->n_branches; i++)
    for (uint32_t k = 0; k < ast->branches[i].n; k++)
      if (connects(ast->branches[i].body[k]))
        return true;
  for (uint32_t i = 0; ast->kind == EQN_FOR && i < ast->n_body; i++)
    if (connects(ast->body[i]))
      return true;
  return false;
}

static void connection(Flattener *fl, Elab *el, const AstEquation *ast) {
  switch (ast->kind) {
  case EQN_CONNECT:
    if (fl->pass == PASS_EXPAND)
      expand_connect(fl, el, ast);
    else
      connect_add(fl, el, ast);
    break;
  case EQN_CALL:
    if (fl->pass == PASS_CONNECT && fl->guard)
      elab_error(el, D_X001, ast->span,
                 "an overconstrained connector under a condition that changes in time is not "
                 "supported yet");
    else if (fl->pass == PASS_CONNECT)
      roots_call(fl, el, ast);
    break;
  case EQN_IF: connections_if(fl, el, ast); break;
  case EQN_FOR: for_equation(fl, el, ast, 0, NULL); break;
  case EQN_EQUAL:
  case EQN_WHEN:
  case EQN_HFSS: break;
  }
}

static FlatChatter chatter_of(Flattener *fl, const AstMod *annotation) {
  static const char *const names[] = {"", "slide", "keep", "error"};
  FlatChatter out = FLAT_CHATTER_ANY;
  for (uint32_t i = 0; annotation && i < annotation->n_subs; i++) {
    const AstMod *m = annotation->subs[i];
    if (!m->ref || m->ref->n != 1 || strcmp(m->ref->parts[0].name, "__NuSim_chatter") != 0)
      continue;
    bool text = m->value && m->value->kind == AST_STRING;
    for (int k = FLAT_CHATTER_SLIDE; text && k <= FLAT_CHATTER_ERROR; k++)
      out = strcmp(m->value->string, names[k]) == 0 ? (FlatChatter)k : out;
    if (out == FLAT_CHATTER_ANY)
      diag_add(fl->diags, D_V006, m->span,
               "`__NuSim_chatter` has no effect: it can be \"slide\", \"keep\" or \"error\"");
  }
  return out;
}

static void equation(Flattener *fl, Elab *el, const AstEquation *ast, Equations *out) {
  if (fl->pass != PASS_EQUATIONS) {
    if (connects(ast))
      connection(fl, el, ast);
    return;
  }
  uint32_t first = out->n;
  switch (ast->kind) {
  case EQN_EQUAL: equality(fl, el, ast, out); break;
  case EQN_CONNECT:
    if (el->in_when)
      elab_error(el, D_D403, ast->span, "connect is not allowed in a when-equation");
    break;
  case EQN_IF: if_equation(fl, el, ast, out); break;
  case EQN_FOR: for_equation(fl, el, ast, 0, out); break;
  case EQN_WHEN: when_equation(fl, el, ast, out); break;
  case EQN_CALL: call_equation(fl, el, ast, out); break;
  case EQN_HFSS: elab_extension(el, ast->span, "atomic classes (hfss sections)"); break;
  }
  FlatChatter chatter = chatter_of(fl, ast->annotation);
  for (uint32_t k = first; k < out->n && chatter; k++)
    out->at[k]->chatter = chatter;
}

static void equations(Flattener *fl, Elab *el, AstEquation **body, uint32_t n, Equations *out) {
  for (uint32_t i = 0; i < n; i++)
    equation(fl, el, body[i], out);
}

/* ---- sections ---- */

static int by_index(const void *a, const void *b) {
  const ExprId *x = a, *y = b;
  return x->i < y->i ? -1 : x->i > y->i;
}

/* Elements beside those that the algorithm assigns: it may be that nothing else determines them. */
static void note_partial_arrays(Flattener *fl, FlatEquation *eq, Stmt *const *body, uint32_t n) {
  ExprList cells = {0};
  if (!flatten_array_targets(fl, body, n, &cells) || !cells.n)
    return;
  qsort(cells.at, cells.n, sizeof *cells.at, by_index);
  for (uint32_t i = 0; i < cells.n; i++) {
    bool again = i && cells.at[i].i == cells.at[i - 1].i;
    if (!again && !bsearch(&cells.at[i], eq->targets, eq->n_targets, sizeof *eq->targets, by_index))
      vec_push(fl->arena, &fl->partial, (PartialArray){eq, cells.at[i]});
  }
}

static void algorithm(Flattener *fl, Elab *el, const AstSection *s, Equations *out) {
  Stmt **body;
  uint32_t n;
  if (!elab_statements(el, s->statements, s->n, &body, &n))
    return;
  FlatEquation *eq = flat_equation(fl->arena, FEQ_ALGORITHM, s->span);
  eq->origin = fl->origin;
  ExprList targets = {0};
  fl->initially = el->in_initial;
  if (!flatten_statements(fl, body, n, &eq->body, &eq->n_body, &targets))
    return;
  if (targets.n)
    qsort(targets.at, targets.n, sizeof *targets.at, by_index);
  for (uint32_t i = 0; i < targets.n; i++)
    if (!i || targets.at[i].i != targets.at[i - 1].i)
      targets.at[eq->n_targets++] = targets.at[i];
  eq->targets = targets.at;
  vec_push(fl->arena, out, eq);
  if (!el->in_initial)
    note_partial_arrays(fl, eq, body, n);
}

static void text_sections(void *user, Class *text) {
  Flattener *fl = user;
  if (fl->pass == PASS_CONNECT)
    lookup_check_imports(fl->w, text);
  for (uint32_t i = 0; i < text->ast->n_sections; i++) {
    const AstSection *s = &text->ast->sections[i];
    Elab el = {.w = fl->w, .scope = text, .in_initial = s->initial};
    Equations list = {0};
    if (fl->pass != PASS_EQUATIONS && s->kind != SECTION_EQUATION)
      continue;
    switch (s->kind) {
    case SECTION_EQUATION: equations(fl, &el, s->equations, s->n, &list); break;
    case SECTION_ALGORITHM: algorithm(fl, &el, s, &list); break;
    case SECTION_HFSS: elab_extension(&el, s->span, "atomic classes (hfss sections)"); break;
    case SECTION_CHART:
      elab_extension(&el, s->span, s->chart->is_sfc ? "sequential function charts" : "statecharts");
      break;
    }
    for (uint32_t k = 0; k < list.n; k++)
      if (s->initial)
        vec_push(fl->arena, &fl->m->initial, list.at[k]);
      else
        vec_push(fl->arena, &fl->m->equations, list.at[k]);
  }
}

void flatten_equations(Flattener *fl, Class *c, FlattenPass pass) {
  fl->pass = pass;
  uint32_t before = fl->origin;
  if (c->origin)
    fl->origin = c->origin - 1;
  for (uint32_t i = 0; i < c->elements.n; i++) {
    Element *e = c->elements.at[i];
    if (e->kind != ELEMENT_COMPONENT || e->state != STATE_DONE || e->absent || e->inner ||
        !e->items)
      continue;
    if (e->type.i && type_get(fl->w->pool, e->type)->base != TY_RECORD)
      continue;
    for (uint32_t k = 0; k < e->n_items; k++)
      flatten_equations(fl, e->items[k], pass);
  }
  class_texts(c, text_sections, fl);
  fl->origin = before;
}
