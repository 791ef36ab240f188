/* structure/incidence.c -- which unknowns occur in a row, and how easily the row can be solved for
 * each.
 * In:   the rows of a system; which SVars are unknown.   Out: an IncidenceTable.
 * How:  one bottom-up reading per expression node, kept for the whole system: a sorted list of
 *       (unknown, occurrence). A sum takes the lists of its terms, a product makes what stands in
 *       both factors nonlinear and the factor of a linear one as constant as the other factor is.
 * Keep: unknowns of a row ascend. */
#include "structure/incidence.h"
#include "structure/lowered.h"
#include "structure/sorted.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  IncidenceRow list;
  /* What multiplying by this node does to a linear occurrence; the node being free of unknowns */
  Occurrence factor;
} Node;

typedef struct {
  const Structure *s;
  const ExprPool *p;
  const bool *unknown;
  Arena *a;
  Map seen; /* expression -> number in nodes */
  VEC(Node) nodes;
  IncidenceRow **algorithms; /* per algorithm; NULL: not read yet */
} Reader;

static Occurrence worse(Occurrence a, Occurrence b) { return a > b ? a : b; }

/* Union of two lists; what occurs in both gets at least `both`, what occurs in one at least `x` or
 * `y`. */
static IncidenceRow merge(Reader *rd, IncidenceRow x, IncidenceRow y, Occurrence at_x,
                          Occurrence at_y, Occurrence both) {
  /* most lists are empty: nothing to copy */
  if (!x.n && at_y == OCCURS_LITERAL)
    return y;
  if (!y.n && at_x == OCCURS_LITERAL)
    return x;
  IncidenceRow out = {NEW_ARRAY(rd->a, Incidence, x.n + y.n), 0};
  /* both ascending by variable */
  uint32_t i = 0, k = 0;
  while (i < x.n || k < y.n) {
    if (k == y.n || (i < x.n && x.at[i].var < y.at[k].var)) {
      out.at[out.n++] = (Incidence){x.at[i].var, worse(x.at[i].how, at_x)};
      i++;
    } else if (i == x.n || y.at[k].var < x.at[i].var) {
      out.at[out.n++] = (Incidence){y.at[k].var, worse(y.at[k].how, at_y)};
      k++;
    } else {
      out.at[out.n++] = (Incidence){x.at[i].var, worse(worse(x.at[i].how, y.at[k].how), both)};
      i++;
      k++;
    }
  }
  return out;
}

static Node read_leaf(Reader *rd, const Expr *x) {
  Node out = {{NULL, 0}, OCCURS_LITERAL};
  if (x->op == OP_VAR) {
    const SVar *v = &rd->s->vars.at[x->index];
    /* a parameter has one value in a run, and may be 0 in another */
    bool parameter = v->known && v->kind == SV_VAR &&
                     rd->s->model->vars.at[v->of].variability >= FLAT_PARAMETER;
    out.factor = parameter ? OCCURS_PARAMETER : OCCURS_LINEAR;
    if (rd->unknown[x->index]) {
      out.list = (IncidenceRow){NEW_ARRAY(rd->a, Incidence, 1), 1};
      out.list.at[0] = (Incidence){x->index, OCCURS_LITERAL};
    }
  } else if (x->op == OP_TIME || x->op == OP_LOCAL)
    out.factor = OCCURS_LINEAR;
  return out;
}

static Node read_expr(Reader *rd, ExprId e);

/* How an unknown stands in a*b or a/b: as it stands in one of them, times what the other one is. */
static Node read_product(Reader *rd, const Expr *x) {
  /* of a product each side has the other one as its factor */
  Node a = read_expr(rd, x->args[0]);
  Node b = read_expr(rd, x->args[1]);
  bool div = x->op == OP_DIV;
  Occurrence at_a = b.list.n ? OCCURS_LINEAR : b.factor;
  Occurrence at_b = div ? OCCURS_NONLINEAR : a.list.n ? OCCURS_LINEAR : a.factor;
  return (Node){merge(rd, a.list, b.list, at_a, at_b, OCCURS_NONLINEAR), worse(a.factor, b.factor)};
}

static Node read_node(Reader *rd, const Expr *x) {
  if (!x->n)
    return read_leaf(rd, x);
  if (x->n == 2 && (x->op == OP_MUL || x->op == OP_DIV))
    return read_product(rd, x);
  /* casts keep what they hold */
  bool sum = x->op == OP_ADD || x->op == OP_SUB || x->op == OP_NEG || x->op == OP_CAST;
  Node out = {{NULL, 0}, OCCURS_LITERAL};
  for (uint32_t k = 0; k < x->n; k++) {
    if (!x->args[k].i)
      continue;
    Node arg = read_expr(rd, x->args[k]);
    /* in a branch it counts while that is taken */
    Occurrence least = sum                       ? OCCURS_LITERAL
                       : x->op == OP_IF && k > 0 ? OCCURS_LINEAR
                                                 : OCCURS_NONLINEAR;
    out.list = merge(rd, out.list, arg.list, OCCURS_LITERAL, least, worse(least, OCCURS_LINEAR));
    out.factor = worse(out.factor, arg.factor);
  }
  return out;
}

static Node read_expr(Reader *rd, ExprId e) {
  /* shared parts are read once */
  uint64_t known;
  if (map_get(&rd->seen, e.i, &known))
    return rd->nodes.at[known];
  Node out = read_node(rd, expr_get(rd->p, e));
  map_put(rd->a, &rd->seen, e.i, rd->nodes.n);
  vec_push(rd->a, &rd->nodes, out);
  return out;
}

typedef struct {
  Reader *rd;
  VEC(Incidence) found;
} Found;

static void note_var(void *user, ExprId e) {
  Found *f = user;
  const Expr *x = expr_get(f->rd->p, e);
  if (x->op == OP_VAR && f->rd->unknown[x->index])
    vec_push(f->rd->a, &f->found, (Incidence){x->index, OCCURS_NONLINEAR});
}

static int by_var(const void *a, const void *b) {
  const Incidence *x = a, *y = b;
  return x->var < y->var ? -1 : x->var > y->var;
}

/* What an algorithm reads from outside. */
static IncidenceRow read_algorithm(Reader *rd, const SAlgorithm *alg, bool initial) {
  Found f = {.rd = rd};
  stmts_vars(rd->p, initial ? alg->initial : alg->body, alg->n_body, note_var, &f);
  Map own = {0};
  /* a target that keeps its value reads the one from before */
  for (uint32_t k = 0; k < alg->n_targets; k++) {
    map_put(rd->a, &own, alg->targets[k], k);
    uint32_t pre = rd->s->vars.at[alg->targets[k]].pre;
    if (pre != NO_SVAR && rd->unknown[pre] && (initial ? alg->carried_initially : alg->carried)[k])
      vec_push(rd->a, &f.found, (Incidence){pre, OCCURS_NONLINEAR});
  }
  /* once each, and not the targets themselves */
  if (f.found.n)
    qsort(f.found.at, f.found.n, sizeof *f.found.at, by_var);
  IncidenceRow out = {NEW_ARRAY(rd->a, Incidence, f.found.n + 1), 0};
  for (uint32_t k = 0; k < f.found.n; k++) {
    uint64_t target;
    if (!map_get(&own, f.found.at[k].var, &target) &&
        (!out.n || out.at[out.n - 1].var != f.found.at[k].var))
      out.at[out.n++] = f.found.at[k];
  }
  return out;
}

/* Once for all targets: there may be as many as the algorithm reads variables. */
static IncidenceRow algorithm_row(Reader *rd, const SRow *row, bool initial) {
  if (!rd->algorithms)
    rd->algorithms = NEW_ARRAY(rd->a, IncidenceRow *, rd->s->algorithms.n);
  IncidenceRow **known = &rd->algorithms[row->number];
  if (!*known) {
    *known = NEW(rd->a, IncidenceRow);
    **known = read_algorithm(rd, &rd->s->algorithms.at[row->number], initial);
  }
  return **known;
}

/* ---- rows ---- */

static IncidenceRow with_var(Reader *rd, IncidenceRow list, uint32_t var) {
  IncidenceRow one = {NEW_ARRAY(rd->a, Incidence, 1), 1};
  one.at[0] = (Incidence){var, OCCURS_LITERAL};
  return merge(rd, list, one, OCCURS_LITERAL, OCCURS_LITERAL, OCCURS_LITERAL);
}

static IncidenceRow read_row(Reader *rd, const SRow *row, bool initial) {
  IncidenceRow list;
  if (row->kind == ROW_ALGORITHM)
    list = algorithm_row(rd, row, initial);
  else {
    Node a = read_expr(rd, row->lhs), b = read_expr(rd, row->rhs);
    Occurrence least = row->kind == ROW_RELATION ? OCCURS_NONLINEAR : OCCURS_LITERAL;
    /* on both sides an unknown may cancel */
    list = merge(rd, a.list, b.list, least, least, worse(least, OCCURS_LINEAR));
  }
  /* it determines this one even if the equation does not show it */
  if (row->only != NO_SVAR && rd->unknown[row->only])
    list = with_var(rd, list, row->only);
  return list;
}

IncidenceTable table_build(const Structure *s, const SSystem *sys, const bool *unknown,
                           bool initial, Arena *a) {
  Reader rd = {.s = s, .p = s->model->pool, .unknown = unknown, .a = a};
  IncidenceTable t = {sys, NEW_ARRAY(a, IncidenceRow, sys->rows.n)};
  for (uint32_t r = 0; r < sys->rows.n; r++)
    t.rows[r] = read_row(&rd, &sys->rows.at[r], initial);
  return t;
}

bool row_may_solve(const Structure *s, const SRow *row, uint32_t var) {
  if (row->only != NO_SVAR)
    return row->only == var;
  const ExprPool *p = s->model->pool;
  /* an equation of Reals can be turned around; one of whole numbers gives what stands alone on a
   * side */
  bool real = type_get(p, expr_get(p, row->lhs)->type)->base == TY_REAL;
  if (real)
    return type_get(p, s->vars.at[var].type)->base == TY_REAL;
  uint32_t v;
  return (lowered_var(p, row->lhs, &v) && v == var) || (lowered_var(p, row->rhs, &v) && v == var);
}

/* ---- linearity in several unknowns at once ---- */

typedef struct {
  const ExprPool *p;
  const bool *marked;
  Arena *a;
  Map seen; /* 0 free, 1 linear, 2 not linear */
} Degree;

static uint64_t degree(Degree *dg, ExprId e) {
  /* 1 for what is marked, and the most of what is below */
  const Expr *x = expr_get(dg->p, e);
  if (x->op == OP_VAR)
    return dg->marked[x->index];
  if (!x->n)
    return 0;
  uint64_t out = 0;
  if (map_get(&dg->seen, e.i, &out))
    return out;
  if (x->op == OP_MUL && x->n == 2) {
    /* degrees of factors add up */
    uint64_t a = degree(dg, x->args[0]), b = degree(dg, x->args[1]);
    out = a + b > 2 ? 2 : a + b;
  } else {
    bool sum = x->op == OP_ADD || x->op == OP_SUB || x->op == OP_NEG || x->op == OP_CAST;
    for (uint32_t k = 0; k < x->n; k++) {
      if (!x->args[k].i)
        continue;
      uint64_t d = degree(dg, x->args[k]);
      /* a divisor and a condition are no factors */
      bool linear = sum || (x->op == OP_DIV && k == 0) || (x->op == OP_IF && k > 0);
      d = d && !linear ? 2 : d;
      out = d > out ? d : out;
    }
  }
  map_put(dg->a, &dg->seen, e.i, out);
  return out;
}

bool lowered_linear(const Structure *s, ExprId e, const bool *marked, Arena *a) {
  return degree(&(Degree){.p = s->model->pool, .marked = marked, .a = a}, e) < 2;
}

bool lowered_free(const Structure *s, ExprId e, const bool *marked, Arena *a) {
  return degree(&(Degree){.p = s->model->pool, .marked = marked, .a = a}, e) == 0;
}
