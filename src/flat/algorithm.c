/* flat/algorithm.c -- typed statements of a model's algorithm section -> statements on scalar
 * variables (MLS 3.6 chapter 11). An assignment to an array becomes one assignment per element; one
 * to a[i] with a subscript known only at run time becomes a[k] := if i == k then value else a[k]
 * for every k.
 * Keep: all values of an assignment are computed before any of its targets changes: (a, b) := f(a),
 * m := m*m. Where a later value reads an earlier target, a variable of its own keeps what that was:
 * 'a.before' := a; (a, b) := f('a.before'). */
#include "flat/check_impl.h"
#include "flat/flatten_impl.h"

typedef VEC(Stmt *) Stmts;

static bool statements(Flattener *fl, Stmt **body, uint32_t n, Stmts *out, ExprList *targets);

static Stmt *copy_of(Flattener *fl, const Stmt *s, Stmts *out) {
  Stmt *c = NEW(fl->arena, Stmt);
  *c = *s;
  vec_push(fl->arena, out, c);
  return c;
}

static bool one_scalar(Flattener *fl, ExprId e, Span span, ExprId *out) {
  if (!e.i) {
    *out = e;
    return true;
  }
  uint32_t n;
  ExprId *s;
  if (!flatten_scalars(fl, e, span, &n, &s) || !n)
    return false;
  *out = s[0];
  return true;
}

static void assign_one(Flattener *fl, const Stmt *s, ExprId target, ExprId value, Stmts *out,
                       ExprList *targets) {
  Stmt *a = copy_of(fl, s, out);
  a->kind = STMT_ASSIGN;
  a->targets = NEW(fl->arena, ExprId);
  a->targets[0] = target;
  a->n_targets = 1;
  a->value = value;
  vec_push(fl->arena, targets, target);
}

/* ---- what an assignment reads and changes ---- */

/* A protected variable that has the value of `e` from here on. */
static ExprId kept_value(Flattener *fl, const Stmt *s, ExprId e, const char *name, Stmts *out,
                         ExprList *targets) {
  ExprPool *p = fl->w->pool;
  uint32_t var = flat_add_var(fl->m, fl->arena, name, expr_get(p, e)->type);
  FlatVar *v = &fl->m->vars.at[var];
  v->is_protected = true;
  v->origin = fl->origin;
  v->span = s->span;
  if (fl->initially) {
    v->variability = FLAT_PARAMETER;
    v->fixed = expr_boolean(p, false);
  }
  assign_one(fl, s, flat_var_expr(fl->m, var), e, out, targets);
  return flat_var_expr(fl->m, var);
}

/* 'a.before', and a number behind it from the second one on. */
static const char *name_before(Flattener *fl, ExprId var) {
  const char *of = fl->m->vars.at[expr_get(fl->w->pool, var)->index].name;
  fl->n_kept++;
  return arena_printf(fl->arena, fl->n_kept > 1 ? "%s.before%u" : "%s.before", of, fl->n_kept);
}

/* The targets of one assignment. */
typedef struct {
  ExprPool *p;
  const ExprId *targets;
  ExprId *kept; /* per target: what stands for its value from before, if that is read */
  Map at;       /* variable -> place in targets */
  uint32_t n;   /* those before this one have changed */
  bool found;   /* one of them is read */
} Changed;

static Changed changed_by(Flattener *fl, const ExprId *targets, uint32_t n) {
  Changed c = {fl->w->pool, targets, NEW_ARRAY(fl->arena, ExprId, n + 1), {0}, n, false};
  for (uint32_t k = 0; k < n && n > 1; k++)
    if (expr_get(c.p, targets[k])->op == OP_VAR)
      map_put(fl->arena, &c.at, expr_get(c.p, targets[k])->index, k);
  return c;
}

/* The place of a variable among the targets that have changed, else n. */
static uint32_t changed_place(const Changed *c, uint32_t var) {
  uint64_t k;
  return map_get(&c->at, var, &k) && k < c->n ? (uint32_t)k : c->n;
}

static void look_for_changed(void *user, ExprId e) {
  Changed *c = user;
  const Expr *x = expr_get(c->p, e);
  c->found |= x->op == OP_VAR && changed_place(c, x->index) < c->n;
}

/* pre(a) is not changed by an assignment to a: its argument is put back. */
static ExprId replace_changed(void *user, ExprId e) {
  Changed *c = user;
  const Expr *x = expr_get(c->p, e);
  uint32_t k = x->op == OP_VAR ? changed_place(c, x->index) : c->n;
  if (k < c->n)
    return c->kept[k];
  for (uint32_t i = 0; x->op == OP_PRE && i < c->n; i++)
    if (c->kept[i].i == x->args[0].i)
      return expr_make(c->p, OP_PRE, x->type, 1, &c->targets[i]);
  return NO_EXPR;
}

/* Keeps the targets that later values read as they are now, other than by pre(). */
static void keep_read(Flattener *fl, const Stmt *s, Changed *c, const ExprId *values, Stmts *out,
                      ExprList *targets) {
  Arena *a = arena_new(arena_memory(fl->arena));
  uint32_t n = c->n;
  bool *read = NEW_ARRAY(a, bool, n);
  Reader r;
  reader_init(&r, fl->m, a);
  for (c->n = 1; c->n < n; c->n++) {
    reader_start(&r);
    reader_add(&r, values[c->n], READ_CURRENT);
    for (uint32_t i = 0; i < r.found.n; i++)
      read[changed_place(c, r.found.at[i])] |= changed_place(c, r.found.at[i]) < c->n;
  }
  for (uint32_t k = 0; k < n; k++)
    if (read[k])
      c->kept[k] = kept_value(fl, s, c->targets[k], name_before(fl, c->targets[k]), out, targets);
  arena_free(a);
}

/* targets[k] := values[k], as if at once. */
static void assign_at_once(Flattener *fl, const Stmt *s, uint32_t n, const ExprId *left,
                           ExprId *values, Stmts *out, ExprList *targets) {
  Changed c = changed_by(fl, left, n);
  for (c.n = 1; c.n < n; c.n++)
    expr_walk(c.p, values[c.n], look_for_changed, &c);
  if (c.found)
    keep_read(fl, s, &c, values, out, targets);
  /* all values alike, so that parts of one call stay parts of one call */
  for (uint32_t k = 0; k < n && c.found; k++)
    values[k] = expr_rewrite(c.p, values[k], replace_changed, &c);
  for (uint32_t k = 0; k < n; k++)
    assign_one(fl, s, left[k], values[k], out, targets);
}

/* A subscript that reads elements of the array it selects from is computed once, before they
 * change. */
static ExprId steady_subscript(Flattener *fl, const Stmt *s, ExprId sub, const ExprId *cells,
                               uint32_t n, Stmts *out, ExprList *targets) {
  Changed c = changed_by(fl, cells, n);
  expr_walk(c.p, sub, look_for_changed, &c);
  if (!c.found)
    return sub;
  return kept_value(fl, s, sub, name_before(fl, cells[0]), out, targets);
}

/* target is INDEX(ARRAY(of variables), subscripts known at run time) */
static bool assign_dynamic(Flattener *fl, const Stmt *s, ExprId target, ExprId value, Stmts *out,
                           ExprList *targets) {
  ExprPool *p = fl->w->pool;
  const Expr *index = expr_get(p, target);
  uint32_t n;
  ExprId *cells;
  if (!flatten_scalars(fl, index->args[0], s->span, &n, &cells))
    return false;
  const Type *t = type_get(p, expr_get(p, index->args[0])->type);
  ExprId *subs = NEW_ARRAY(fl->arena, ExprId, t->n_dims + 1);
  for (uint32_t d = 0; d < t->n_dims; d++)
    subs[d] = steady_subscript(fl, s, index->args[d + 1], cells, n, out, targets);
  for (uint32_t k = 0; k < n; k++) {
    ExprId here = expr_boolean(p, true);
    uint32_t rest = k;
    for (uint32_t d = t->n_dims; d-- > 0;) {
      ExprId sub = subs[d];
      TypeBase base = type_get(p, expr_get(p, sub)->type)->base;
      if (base == TY_ENUM)
        sub = expr_make(p, OP_ORDINAL, type_scalar(p, TY_INTEGER), 1, &sub);
      int64_t number = rest % (uint32_t)t->dims[d] + 1;
      rest /= (uint32_t)t->dims[d];
      ExprId number_expr = base == TY_BOOLEAN ? expr_boolean(p, number == 2)
                                              : expr_integer(p, number);
      ExprId args[2] = {sub, number_expr};
      ExprId equal = expr_make(p, OP_EQ, type_scalar(p, TY_BOOLEAN), 2, args);
      here = expr_binary(p, OP_AND, equal, here);
    }
    assign_one(fl, s, cells[k], expr_if(p, here, value, cells[k]), out, targets);
  }
  return true;
}

static bool assign(Flattener *fl, const Stmt *s, Stmts *out, ExprList *targets) {
  uint32_t n, m;
  ExprId *left, *right;
  if (!flatten_scalars(fl, s->targets[0], s->span, &n, &left) ||
      !flatten_scalars(fl, s->value, s->span, &m, &right))
    return false;
  ExprPool *p = fl->w->pool;
  n = n < m ? n : m;
  for (uint32_t k = 0; k < n; k++) {
    right[k] = type_get(p, expr_get(p, left[k])->type)->base == TY_REAL ? expr_to_real(p, right[k])
                                                                        : right[k];
    if (expr_get(p, left[k])->op == OP_INDEX) {
      if (n > 1) {
        diag_add(
            fl->diags, D_X001, s->span,
            "an assignment to a slice with subscripts known only at run time is not supported yet");
        return false;
      }
      return assign_dynamic(fl, s, left[k], right[k], out, targets);
    }
    if (expr_get(p, left[k])->op != OP_VAR) {
      diag_add(fl->diags, D_T301, s->span, "this cannot be assigned to");
      return false;
    }
  }
  assign_at_once(fl, s, n, left, right, out, targets);
  return true;
}

static bool assign_tuple(Flattener *fl, const Stmt *s, Stmts *out, ExprList *targets) {
  ExprPool *p = fl->w->pool;
  uint32_t n, at = 0;
  ExprId *parts;
  ExprList left = {0}, right = {0};
  if (!flatten_scalars(fl, s->value, s->span, &n, &parts))
    return false;
  const Type *t = type_get(p, expr_get(p, s->value)->type);
  for (uint32_t i = 0; i < s->n_targets; i++) {
    int64_t count = type_count(p, t->decl->types[i]);
    uint32_t m = 0;
    ExprId *to = NULL;
    if (s->targets[i].i && !flatten_scalars(fl, s->targets[i], s->span, &m, &to))
      return false;
    for (uint32_t k = 0; k < m && k < count; k++) {
      vec_push(fl->arena, &left, to[k]);
      vec_push(fl->arena, &right, parts[at + k]);
    }
    at += (uint32_t)count;
  }
  assign_at_once(fl, s, left.n, left.at, right.at, out, targets);
  return true;
}

static bool with_branches(Flattener *fl, const Stmt *s, Stmts *out, ExprList *targets) {
  Stmt *c = copy_of(fl, s, out);
  c->branches = NEW_ARRAY(fl->arena, StmtBranch, s->n_branches);
  ExprPool *p = fl->w->pool;
  for (uint32_t i = 0; i < s->n_branches; i++) {
    const StmtBranch *b = &s->branches[i];
    StmtBranch *to = &c->branches[i];
    if (b->condition.i) {
      uint32_t n;
      ExprId *scalars;
      if (!flatten_scalars(fl, b->condition, s->span, &n, &scalars))
        return false;
      int32_t size = (int32_t)n;
      to->condition = n == 1 ? scalars[0]
                             : expr_make(p, OP_ARRAY,
                                         type_array(p, type_scalar(p, TY_BOOLEAN), 1, &size), n,
                                         scalars);
    }
    Stmts body = {0};
    if (!statements(fl, b->body, b->n, &body, targets))
      return false;
    to->body = body.at;
    to->n = body.n;
  }
  return true;
}

/* A loop that is left by `break`: its range is a vector of scalars. */
static bool for_loop(Flattener *fl, const Stmt *s, Stmts *out, ExprList *targets) {
  if (!with_branches(fl, s, out, targets))
    return false;
  ExprPool *p = fl->w->pool;
  uint32_t n;
  ExprId *values;
  if (!flatten_scalars(fl, s->value, s->span, &n, &values))
    return false;
  int32_t size = (int32_t)n;
  TypeId item = type_element(p, expr_get(p, s->value)->type, 1);
  vec_last(out)->value = expr_make(p, OP_ARRAY, type_array(p, item, 1, &size), n, values);
  return true;
}

static bool call(Flattener *fl, const Stmt *s, Stmts *out) {
  Stmt *c = copy_of(fl, s, out);
  c->value = flatten_call(fl, s->value, s->span);
  return c->value.i != 0;
}

static bool statement(Flattener *fl, const Stmt *s, Stmts *out, ExprList *targets) {
  switch (s->kind) {
  case STMT_ASSIGN: return assign(fl, s, out, targets);
  case STMT_TUPLE: return assign_tuple(fl, s, out, targets);
  case STMT_CALL: return call(fl, s, out);
  case STMT_ASSERT:
  case STMT_TERMINATE: {
    Stmt *c = copy_of(fl, s, out);
    return one_scalar(fl, s->value, s->span, &c->value) &&
           one_scalar(fl, s->message, s->span, &c->message) &&
           one_scalar(fl, s->level, s->span, &c->level);
  }
  case STMT_IF:
  case STMT_WHEN:
  case STMT_WHILE: return with_branches(fl, s, out, targets);
  case STMT_FOR: return for_loop(fl, s, out, targets);
  case STMT_BREAK: copy_of(fl, s, out); return true;
  case STMT_RETURN:
    diag_add(fl->diags, D_X001, s->span,
             "`return` in an algorithm of a model is not supported yet");
    return false;
  case STMT_REINIT: break;
  }
  return false;
}

static bool statements(Flattener *fl, Stmt **body, uint32_t n, Stmts *out, ExprList *targets) {
  bool ok = true;
  for (uint32_t i = 0; i < n; i++)
    ok = statement(fl, body[i], out, targets) && ok;
  return ok;
}

bool flatten_statements(Flattener *fl, Stmt **body, uint32_t n, Stmt ***out, uint32_t *n_out,
                        ExprList *targets) {
  Stmts list = {0};
  bool ok = statements(fl, body, n, &list, targets);
  *out = list.at;
  *n_out = list.n;
  return ok;
}

/* ---- arrays that are assigned in part ---- */

static bool array_of_target(Flattener *fl, ExprId target, Span span, ExprList *out) {
  const Expr *x = target.i ? expr_get(fl->w->pool, target) : NULL;
  if (!x || x->op != OP_INDEX)
    return true;
  uint32_t n;
  ExprId *cells;
  if (!flatten_scalars(fl, x->args[0], span, &n, &cells))
    return false;
  for (uint32_t k = 0; k < n; k++)
    if (expr_get(fl->w->pool, cells[k])->op == OP_VAR)
      vec_push(fl->arena, out, cells[k]);
  return true;
}

bool flatten_array_targets(Flattener *fl, Stmt *const *body, uint32_t n, ExprList *out) {
  bool ok = true;
  for (uint32_t i = 0; i < n && ok; i++) {
    const Stmt *s = body[i];
    bool assigns = s->kind == STMT_ASSIGN || s->kind == STMT_TUPLE;
    for (uint32_t k = 0; k < s->n_targets && assigns && ok; k++)
      ok = array_of_target(fl, s->targets[k], s->span, out);
    for (uint32_t k = 0; k < s->n_branches && ok; k++)
      ok = flatten_array_targets(fl, s->branches[k].body, s->branches[k].n, out);
  }
  return ok;
}
