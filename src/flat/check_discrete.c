/* flat/check_discrete.c -- when-clauses and discrete equations that contradict or need themselves.
 * D401: a when whose condition needs the new value of what it assigns; followed through discrete
 * equations and other whens. D402: a circle of equations between Booleans, Integers, enumerations
 * and Strings only (appendix B: these are evaluated, not solved). Strongly connected components
 * after Tarjan, SIAM J. Comput. 1(2), 1972.
 * Keep: what goes through a continuous equation or an algorithm is left to the structure stage. */
#include "flat/check_impl.h"
#include "base/limits.h"

/* ---- what a discrete variable needs ---- */

typedef struct {
  Check *c;
  Reader reader;
} Needs;

static bool is_discrete_type(const Check *c, uint32_t var) {
  return type_get(c->m->pool, c->m->vars.at[var].type)->base != TY_REAL;
}

/* The equation that determines the variable; NULL if none, or if it is none of those that are
 * followed. */
static const FlatEquation *definition(const Check *c, uint32_t var) {
  uint32_t col = c->in.col_of_var[var], row = col == NONE ? NONE : c->in.col_match[col];
  if (row == NONE)
    return NULL;
  const FlatEquation *eq = c->in.rows.at[row].eq;
  bool followed = eq->kind == FEQ_WHEN || (eq->kind != FEQ_ALGORITHM && is_discrete_type(c, var));
  return followed ? eq : NULL;
}

/* What one equation without branches needs for `var`. */
static void read_simple(Needs *n, uint32_t var, const FlatEquation *eq) {
  const Expr *lhs = eq->kind == FEQ_EQUAL ? expr_get(n->c->m->pool, eq->lhs) : NULL;
  if (eq->kind == FEQ_TUPLE || (lhs && lhs->op == OP_VAR && lhs->index == var))
    reader_add(&n->reader, eq->rhs, READ_CURRENT);
  else
    reader_add(&n->reader, eq->lhs, READ_CURRENT); /* the variable stands alone on the right */
}

/* Reads what the new value of `var` needs; `when_too`: also the conditions of its when. The result
 * is in reader.found. */
static void read_needs(Needs *n, uint32_t var, const FlatEquation *eq, bool when_too) {
  reader_start(&n->reader);
  if (!eq->n_branches) {
    read_simple(n, var, eq);
    return;
  }
  for (uint32_t k = 0; k < eq->n_branches && (when_too || eq->kind == FEQ_IF); k++)
    reader_add(&n->reader, eq->branches[k].condition, READ_CURRENT);
  WhenTargets targets = {0};
  when_targets(n->c->m, n->c->a, eq, &targets);
  for (uint32_t k = 0; k < targets.n; k++)
    if (targets.at[k].var == var)
      read_simple(n, var, targets.at[k].eq);
}

/* ---- D401 ---- */

typedef struct {
  ExprPool *pool;
  uint32_t var;
  bool edges; /* it stands in edge() or change(), where pre() does not help */
} PreOf;

static ExprId with_pre(void *user, ExprId rebuilt) {
  PreOf *p = user;
  const Expr *e = expr_get(p->pool, rebuilt);
  if (e->op == OP_VAR && e->index == p->var)
    return expr_make(p->pool, OP_PRE, e->type, 1, &rebuilt);
  if (e->op == OP_PRE && expr_get(p->pool, e->args[0])->op == OP_PRE)
    return e->args[0];
  p->edges |= (e->op == OP_EDGE || e->op == OP_CHANGE) &&
              expr_get(p->pool, e->args[0])->op == OP_PRE;
  return NO_EXPR;
}

/* The condition (of a vector: the element) that reads `var`, in a branch of the when; NO_EXPR if
 * none does. */
static ExprId reading_condition(Needs *n, const FlatEquation *when, uint32_t var) {
  for (uint32_t k = 0; k < when->n_branches; k++) {
    ExprId condition = when->branches[k].condition;
    const Expr *e = condition.i ? expr_get(n->c->m->pool, condition) : NULL;
    uint32_t items = e && e->op == OP_ARRAY ? e->n : 1;
    for (uint32_t i = 0; e && i < items; i++) {
      ExprId item = e->op == OP_ARRAY ? e->args[i] : condition;
      reader_start(&n->reader);
      reader_add(&n->reader, item, READ_CURRENT);
      for (uint32_t f = 0; f < n->reader.found.n; f++)
        if (n->reader.found.at[f] == var)
          return item;
    }
  }
  return NO_EXPR;
}

/* `assigned` is what the when assigns; `via` leads from it to a variable that the condition
 * reads. */
static void report_own_condition(Needs *n, const FlatEquation *when, uint32_t assigned,
                                 const uint32_t *via) {
  Check *c = n->c;
  Text loop = {.arena = c->a};
  uint32_t v = assigned;
  text_add(&loop, "condition -> ");
  for (; via[v] != NONE; v = via[v])
    text_printf(&loop, "%s -> ", c->m->vars.at[v].name);
  text_printf(&loop, "%s -> condition", c->m->vars.at[v].name);

  Diag *d = diag_add(c->diags, D_D401, when->span,
                     "this `when` changes its own condition in the same instant");
  diag_label(c->diags, d, when->span, "reads `%s`", c->m->vars.at[v].name);
  WhenTargets targets = {0};
  when_targets(c->m, c->a, when, &targets);
  for (uint32_t k = 0; k < targets.n; k++)
    if (targets.at[k].var == assigned)
      diag_label(c->diags, d, targets.at[k].eq->span, "assigns `%s`", c->m->vars.at[assigned].name);
  diag_note(c->diags, d, "loop: %s", text_str(&loop));
  ExprId condition = reading_condition(n, when, v);
  PreOf pre = {c->m->pool, v, false};
  ExprId better = condition.i ? expr_rewrite(c->m->pool, condition, with_pre, &pre) : NO_EXPR;
  if (better.i && !pre.edges)
    diag_help(c->diags, d, "use the value from before the event: `%s`",
              check_text(c->m, c->a, better));
  diag_origin(c->diags, d, check_origin(c->m, c->a, when->origin));
}

typedef struct {
  /* Per variable: number of the search that met it; from where; queue of variables */
  uint32_t *mark, *via, *queue;
  uint32_t *assigned; /* per variable: number of the search whose when assigns it */
  uint32_t n, search;
} Follow;

static void follow_found(Needs *n, Follow *f, uint32_t from) {
  for (uint32_t k = 0; k < n->reader.found.n; k++) {
    uint32_t v = n->reader.found.at[k];
    if (f->mark[v] == f->search || !flat_is_unknown(n->c->m, v))
      continue;
    f->mark[v] = f->search;
    f->via[v] = from;
    f->queue[f->n++] = v;
  }
}

static void check_own_condition(Needs *n, Follow *f, const FlatEquation *when) {
  WhenTargets targets = {0};
  when_targets(n->c->m, n->c->a, when, &targets);
  f->search++;
  f->n = 0;
  for (uint32_t k = 0; k < targets.n; k++)
    if (targets.at[k].var != NONE)
      f->assigned[targets.at[k].var] = f->search;
  reader_start(&n->reader);
  for (uint32_t k = 0; k < when->n_branches; k++)
    reader_add(&n->reader, when->branches[k].condition, READ_CURRENT);
  follow_found(n, f, NONE);
  for (uint32_t i = 0; i < f->n; i++) {
    uint32_t v = f->queue[i];
    if (f->assigned[v] == f->search) {
      report_own_condition(n, when, v, f->via);
      return;
    }
    const FlatEquation *eq = definition(n->c, v);
    if (!eq)
      continue;
    read_needs(n, v, eq, true);
    follow_found(n, f, v);
  }
}

void check_conditions(Check *c) {
  uint32_t n_vars = c->m->vars.n + 1;
  Needs n = {.c = c};
  reader_init(&n.reader, c->m, c->a);
  Follow f = {NEW_ARRAY(c->a, uint32_t, n_vars),
              NEW_ARRAY(c->a, uint32_t, n_vars),
              NEW_ARRAY(c->a, uint32_t, n_vars),
              NEW_ARRAY(c->a, uint32_t, n_vars),
              0,
              0};
  for (uint32_t i = 0; i < c->m->equations.n; i++)
    if (c->m->equations.at[i]->kind == FEQ_WHEN)
      check_own_condition(&n, &f, c->m->equations.at[i]);
}

/* ---- D402 ---- */

typedef struct {
  uint32_t var, next; /* next: first need not yet looked at */
} Frame;

typedef struct {
  Check *c;
  uint32_t **needs, *n_needs;              /* per variable; only discrete ones that are followed */
  uint32_t *number, *low, *number_of_part; /* Tarjan; 0 = not visited; part 0 = open */
  uint32_t *open, n_open, counter, parts;
  Frame *frames;
} Loops;

static void collect_needs(Loops *l) {
  Check *c = l->c;
  Needs n = {.c = c};
  reader_init(&n.reader, c->m, c->a);
  for (uint32_t v = 0; v < c->m->vars.n; v++) {
    const FlatEquation *eq = is_discrete_type(c, v) ? definition(c, v) : NULL;
    if (!eq)
      continue;
    read_needs(&n, v, eq, false);
    l->needs[v] = NEW_ARRAY(c->a, uint32_t, n.reader.found.n + 1);
    for (uint32_t k = 0; k < n.reader.found.n; k++) {
      uint32_t w = n.reader.found.at[k];
      if (is_discrete_type(c, w) && definition(c, w))
        l->needs[v][l->n_needs[v]++] = w;
    }
  }
}

static void open_var(Loops *l, uint32_t v, uint32_t *depth) {
  l->number[v] = l->low[v] = ++l->counter;
  l->open[l->n_open++] = v;
  l->frames[(*depth)++] = (Frame){v, 0};
}

/* One search from `root`; number_of_part tells the component of each variable afterwards. */
static void tarjan(Loops *l, uint32_t root) {
  uint32_t depth = 0;
  open_var(l, root, &depth);
  while (depth) {
    Frame *f = &l->frames[depth - 1];
    uint32_t v = f->var;
    if (f->next < l->n_needs[v]) {
      uint32_t w = l->needs[v][f->next++];
      if (!l->number[w])
        open_var(l, w, &depth);
      else if (!l->number_of_part[w] && l->number[w] < l->low[v])
        l->low[v] = l->number[w];
      continue;
    }
    depth--;
    if (depth && l->low[v] < l->low[l->frames[depth - 1].var])
      l->low[l->frames[depth - 1].var] = l->low[v];
    if (l->low[v] == l->number[v]) {
      l->parts++;
      uint32_t w;
      do {
        w = l->open[--l->n_open];
        l->number_of_part[w] = l->parts;
      } while (w != v);
    }
  }
}

/* The shortest circle through `start` inside its component, as a list that begins with `start`; 0
 * if there is none. */
static uint32_t shortest_circle(Loops *l, uint32_t start, uint32_t *via, uint32_t *queue) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < l->c->m->vars.n; v++)
    via[v] = NONE;
  queue[n++] = start;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < l->n_needs[queue[i]]; k++) {
      uint32_t w = l->needs[queue[i]][k];
      if (w == start) {
        uint32_t length = 0, at = queue[i], *circle = queue; /* the queue is no longer needed */
        uint32_t *reversed = NEW_ARRAY(l->c->a, uint32_t, n + 1);
        for (; at != start; at = via[at])
          reversed[length++] = at;
        circle[0] = start;
        for (uint32_t j = 0; j < length; j++)
          circle[1 + j] = reversed[length - 1 - j];
        return length + 1;
      }
      if (via[w] == NONE && l->number_of_part[w] == l->number_of_part[start]) {
        via[w] = queue[i];
        queue[n++] = w;
      }
    }
  return 0;
}

/* The equation for the variable; in a when-clause the one of its body. */
static Span definition_span(Check *c, uint32_t var) {
  const FlatEquation *eq = definition(c, var);
  WhenTargets targets = {0};
  if (eq->kind == FEQ_WHEN)
    when_targets(c->m, c->a, eq, &targets);
  for (uint32_t k = 0; k < targets.n; k++)
    if (targets.at[k].var == var)
      return targets.at[k].eq->span;
  return eq->span;
}

static void report_circle(Loops *l, const uint32_t *circle, uint32_t n) {
  Check *c = l->c;
  Text t = {.arena = c->a};
  for (uint32_t i = 0; i < n && i < MOST_CIRCLE_SHOWN; i++)
    text_printf(&t, "%s -> ", c->m->vars.at[circle[i]].name);
  text_printf(&t, "%s%s", n > MOST_CIRCLE_SHOWN ? "... -> " : "", c->m->vars.at[circle[0]].name);
  const FlatEquation *eq = definition(c, circle[0]);
  Span span = definition_span(c, circle[0]);
  Diag *d = n == 1 ? diag_add(c->diags, D_D402, span,
                              "the discrete variable `%s` depends on itself in the same instant",
                              c->m->vars.at[circle[0]].name)
                   : diag_add(c->diags, D_D402, span,
                              "these discrete variables depend on each other: %s", text_str(&t));
  for (uint32_t i = 0; i < n && i < MOST_CIRCLE_SHOWN; i++)
    diag_label(c->diags, d, definition_span(c, circle[i]), "`%s` needs `%s`",
               c->m->vars.at[circle[i]].name, c->m->vars.at[circle[(i + 1) % n]].name);
  const char *last = c->m->vars.at[circle[1 % n]].name;
  diag_help(c->diags, d,
            n == 1 ? "use the value from before the event: `pre(%s)`"
                   : "let one of them use the value from before the event, such as `pre(%s)`",
            last);
  diag_origin(c->diags, d, check_origin(c->m, c->a, eq->origin));
}

void check_loops(Check *c) {
  uint32_t n = c->m->vars.n + 1;
  Loops l = {.c = c};
  l.needs = NEW_ARRAY(c->a, uint32_t *, n);
  l.n_needs = NEW_ARRAY(c->a, uint32_t, n);
  l.number = NEW_ARRAY(c->a, uint32_t, n);
  l.low = NEW_ARRAY(c->a, uint32_t, n);
  l.number_of_part = NEW_ARRAY(c->a, uint32_t, n);
  l.open = NEW_ARRAY(c->a, uint32_t, n);
  l.frames = NEW_ARRAY(c->a, Frame, n);
  collect_needs(&l);
  for (uint32_t v = 0; v + 1 < n; v++)
    if (l.n_needs[v] && !l.number[v])
      tarjan(&l, v);

  bool *reported = NEW_ARRAY(c->a, bool, l.parts + 1);
  uint32_t *size = NEW_ARRAY(c->a, uint32_t, l.parts + 1);
  uint32_t *via = NEW_ARRAY(c->a, uint32_t, n), *queue = NEW_ARRAY(c->a, uint32_t, n);
  for (uint32_t v = 0; v + 1 < n; v++)
    size[l.number_of_part[v]]++;
  for (uint32_t v = 0; v + 1 < n; v++) {
    uint32_t part = l.number_of_part[v];
    bool self = false;
    for (uint32_t k = 0; k < l.n_needs[v]; k++)
      self |= l.needs[v][k] == v;
    if (!part || reported[part] || (size[part] < 2 && !self))
      continue;
    reported[part] = true;
    uint32_t length = shortest_circle(&l, v, via, queue);
    if (length)
      report_circle(&l, queue, length);
  }
}
