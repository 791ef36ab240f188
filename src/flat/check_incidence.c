/* flat/check_incidence.c -- rows and columns of the balance check: which equation may determine
 * which unknown.
 * In:   flat model.   Out: one row per scalar equation, one column per unknown (x and der(x) are
 *       one column).
 * How:  an equation between Reals may be solved for every Real that it contains outside of
 *       conditions, relations and pre(); one between Booleans, Integers, enumerations or Strings
 *       only for a variable that stands alone on a side (MLS 3.6 appendix B); a when-clause for
 *       what it assigns; an algorithm for its results or, as a vector equation, its inputs.
 * Keep: an equation is never denied an unknown that a legal model could solve it for. */
#include "flat/check_impl.h"

#include <string.h>

typedef struct {
  const FlatModel *m;
  Arena *a;
  Incidence *in;
  Reader reader;
  bool most;
  uint32_t depth;   /* of if-equations around */
  uint8_t *in_when; /* per variable: a when-equation outside of if-equations gave it a row */
} Build;

typedef struct {
  Row *at;
  uint32_t n, room;
} Rows;

static TypeBase base_of(const Build *b, TypeId t) { return type_get(b->m->pool, t)->base; }

bool flat_is_unknown(const FlatModel *m, uint32_t var) {
  const FlatVar *v = &m->vars.at[var];
  return v->variability < FLAT_PARAMETER && v->causality != CAUSE_INPUT &&
         type_get(m->pool, v->type)->base != TY_EXTERNAL;
}

/* The column of a VAR node or of the derivative of one; NONE for everything else. */
static uint32_t column_of(const Build *b, ExprId e) {
  const Expr *x = e.i ? expr_get(b->m->pool, e) : NULL;
  if (x && x->op == OP_DER)
    x = expr_get(b->m->pool, x->args[0]);
  return x && x->op == OP_VAR ? b->in->col_of_var[x->index] : NONE;
}

/* The columns of what the reader found; `real`: only Reals (a Real equation determines nothing
 * else), else only others. */
static const uint32_t *columns(Build *b, bool real, uint32_t *n) {
  uint32_t kept = 0, found = 0;
  uint32_t *vars = reader_sorted(&b->reader, &found);
  for (uint32_t i = 0; i < found; i++) {
    uint32_t col = b->in->col_of_var[vars[i]];
    if (col != NONE && (base_of(b, b->m->vars.at[vars[i]].type) == TY_REAL) == real)
      vars[kept++] = col; /* columns ascend with variables */
  }
  *n = kept;
  return vars;
}

static void add_row(Build *b, Rows *out, const FlatEquation *eq, const uint32_t *cols, uint32_t n,
                    uint32_t written) {
  vec_push(b->a, out, (Row){eq, cols, n, written});
}

static void add_single(Build *b, Rows *out, const FlatEquation *eq, uint32_t col) {
  uint32_t *cols = NEW(b->a, uint32_t);
  *cols = col;
  add_row(b, out, eq, cols, col != NONE, col);
}

static TypeBase type_base(const Build *b, ExprId e) {
  return e.i ? base_of(b, expr_get(b->m->pool, e)->type) : TY_NONE;
}

/* Boolean, Integer, enumeration, String: what stands alone on a side. */
static void discrete_equation(Build *b, const FlatEquation *eq, Rows *out) {
  uint32_t left = column_of(b, eq->lhs), right = column_of(b, eq->rhs);
  if (left != NONE && right != NONE && left != right) {
    uint32_t *cols = NEW_ARRAY(b->a, uint32_t, 2);
    cols[0] = left < right ? left : right;
    cols[1] = left < right ? right : left;
    add_row(b, out, eq, cols, 2, left);
  } else if (left != NONE || right != NONE) {
    add_single(b, out, eq, left != NONE ? left : right);
  } else {
    reader_start(&b->reader);
    reader_add_equation(&b->reader, eq, READ_CURRENT);
    uint32_t n = 0;
    const uint32_t *cols = columns(b, false, &n);
    add_row(b, out, eq, cols, n, NONE);
  }
}

static void equal_rows(Build *b, const FlatEquation *eq, Rows *out) {
  TypeBase left = type_base(b, eq->lhs), right = type_base(b, eq->rhs);
  if (left == TY_EXTERNAL || right == TY_EXTERNAL)
    return;
  if (left != TY_REAL && right != TY_REAL) {
    discrete_equation(b, eq, out);
    return;
  }
  reader_start(&b->reader);
  reader_add_equation(&b->reader, eq, READ_SOLVABLE);
  uint32_t n = 0;
  const uint32_t *cols = columns(b, true, &n);
  add_row(b, out, eq, cols, n, left == TY_REAL ? column_of(b, eq->lhs) : NONE);
}

static void tuple_rows(Build *b, const FlatEquation *eq, Rows *out) {
  for (uint32_t k = 0; k < eq->n_targets; k++) {
    if (!eq->targets[k].i)
      continue;
    if (type_base(b, eq->targets[k]) != TY_REAL) {
      add_single(b, out, eq, column_of(b, eq->targets[k]));
      continue;
    }
    reader_start(&b->reader);
    reader_add(&b->reader, eq->targets[k], READ_SOLVABLE);
    reader_add(&b->reader, eq->rhs, READ_SOLVABLE);
    uint32_t n = 0;
    const uint32_t *cols = columns(b, true, &n);
    add_row(b, out, eq, cols, n, column_of(b, eq->targets[k]));
  }
}

/* A variable that a second when-clause assigns gets no second row: S104 speaks of it. */
static void when_rows(Build *b, const FlatEquation *eq, Rows *out) {
  WhenTargets targets = {0};
  when_targets(b->m, b->a, eq, &targets);
  for (uint32_t k = 0; k < targets.n; k++) {
    uint32_t var = targets.at[k].var;
    if (var != NONE && b->in_when[var] && !b->depth)
      continue;
    if (var != NONE)
      b->in_when[var] = 1;
    add_single(b, out, eq, var == NONE ? NONE : b->in->col_of_var[var]);
  }
}

static void algorithm_rows(Build *b, const FlatEquation *eq, Rows *out) {
  reader_start(&b->reader);
  reader_add_equation(&b->reader, eq, READ_SOLVABLE);
  uint32_t n = 0;
  const uint32_t *cols = columns(b, true, &n);
  for (uint32_t k = 0; k < eq->n_targets; k++) {
    const Expr *target = expr_get(b->m->pool, eq->targets[k]);
    const FlatVar *v = &b->m->vars.at[target->index];
    uint32_t col = b->in->col_of_var[target->index];
    if (base_of(b, v->type) == TY_REAL && v->variability == FLAT_CONTINUOUS && !v->in_when)
      add_row(b, out, eq, cols, n, col);
    else
      add_single(b, out, eq, col);
  }
}

static const uint32_t *merged(Build *b, const uint32_t *x, uint32_t nx, const Row *row,
                              uint32_t *n) {
  uint32_t *both = NEW_ARRAY(b->a, uint32_t, nx + row->n + 1), i = 0, j = 0, k = 0;
  while (i < nx || j < row->n) {
    uint32_t next = j == row->n || (i < nx && x[i] <= row->cols[j]) ? x[i] : row->cols[j];
    i += i < nx && x[i] == next;
    j += j < row->n && row->cols[j] == next;
    both[k++] = next;
  }
  *n = k;
  return both;
}

static void equation_rows(Build *b, const FlatEquation *eq, Rows *out);

/* The k-th row of an if-equation may be solved for what the k-th row of any branch may be solved
 * for; when the branches differ in length, for what any row of them may. */
static void if_rows(Build *b, const FlatEquation *eq, Rows *out) {
  Rows *branches = NEW_ARRAY(b->a, Rows, eq->n_branches + 1);
  uint32_t least = UINT32_MAX, most = 0;
  bool has_else = false;
  b->depth++;
  for (uint32_t k = 0; k < eq->n_branches; k++) {
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      equation_rows(b, eq->branches[k].body[i], &branches[k]);
    least = branches[k].n < least ? branches[k].n : least;
    most = branches[k].n > most ? branches[k].n : most;
    has_else |= !eq->branches[k].condition.i;
  }
  b->depth--;
  least = has_else ? least : 0;
  b->in->varies |= least != most;
  for (uint32_t r = 0; r < (b->most ? most : least); r++) {
    const uint32_t *cols = NULL;
    uint32_t n = 0;
    for (uint32_t k = 0; k < eq->n_branches; k++)
      for (uint32_t i = 0; i < branches[k].n; i++)
        if (least != most || i == r)
          cols = merged(b, cols, n, &branches[k].at[i], &n);
    add_row(b, out, eq, cols, n, NONE);
  }
}

static void equation_rows(Build *b, const FlatEquation *eq, Rows *out) {
  switch (eq->kind) {
  case FEQ_EQUAL: equal_rows(b, eq, out); return;
  case FEQ_TUPLE: tuple_rows(b, eq, out); return;
  case FEQ_IF: if_rows(b, eq, out); return;
  case FEQ_WHEN: when_rows(b, eq, out); return;
  case FEQ_ALGORITHM: algorithm_rows(b, eq, out); return;
  case FEQ_ASSERT:
  case FEQ_TERMINATE:
  case FEQ_REINIT:
  case FEQ_CALL: return;
  }
}

void incidence_build(const FlatModel *m, Arena *a, bool most, const bool *without, Incidence *in) {
  memset(in, 0, sizeof *in);
  Build b = {.m = m, .a = a, .in = in, .most = most};
  reader_init(&b.reader, m, a);
  b.in_when = NEW_ARRAY(a, uint8_t, m->vars.n + 1);
  in->col_of_var = NEW_ARRAY(a, uint32_t, m->vars.n + 1);
  in->var_of_col = NEW_ARRAY(a, uint32_t, m->vars.n + 1);
  for (uint32_t v = 0; v < m->vars.n; v++) {
    bool unknown = flat_is_unknown(m, v) && !(without && without[v]);
    in->col_of_var[v] = unknown ? in->n_cols : NONE;
    if (unknown)
      in->var_of_col[in->n_cols++] = v;
  }
  Rows rows = {0};
  for (uint32_t i = 0; i < m->equations.n; i++)
    equation_rows(&b, m->equations.at[i], &rows);
  in->rows.at = rows.at;
  in->rows.n = rows.n;
  in->rows.room = rows.room;
}
