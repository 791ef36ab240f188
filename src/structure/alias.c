/* structure/alias.c -- variables that are equal to another one (or to a parameter) up to sign are
 * replaced by it.
 * In:   rows of both systems.   Out: rows in which only representatives occur; each replaced
 *       variable keeps one row that gives it its value, so that results and messages still know it.
 * How:  union-find with signs over the rows a = b, a = -b, a + b = 0, a - b = 0 of continuous
 *       Reals; two states that are equal become one.
 * Keep: rows are read in order, those of one mode behind the others, and ties go to the variable
 *       declared first, so equal models give equal representatives. */
#include "structure/simplify.h"
#include "structure/build.h"
#include "structure/lowered.h"
#include "structure/name.h"

typedef struct {
  uint32_t var; /* representative; itself if none */
  bool negated;
} Rep;

typedef struct {
  Lower *lo;
  Rep *rep; /* per SVar; see `find` */
  Map rows; /* (lhs, rhs) of an alias row -> the variable it now determines + 1 */
} Aliases;

/* With path compression: what was passed points to the representative afterwards. */
static Rep find(const Aliases *al, uint32_t v) {
  Rep r = {v, false};
  /* up to the representative, with the sign on the way */
  while (al->rep[r.var].var != r.var) {
    Rep up = al->rep[r.var];
    r = (Rep){up.var, r.negated != up.negated};
  }
  bool negated = r.negated;
  /* once more, to let everything on the way point there */
  for (uint32_t k = v; al->rep[k].var != k && al->rep[k].var != r.var;) {
    Rep up = al->rep[k];
    al->rep[k] = (Rep){r.var, negated};
    negated = negated != up.negated;
    k = up.var;
  }
  return r;
}

/* ---- which rows ---- */

/* c*v with c = 1 or -1 */
static bool signed_var(const ExprPool *p, ExprId e, uint32_t *v, bool *negated) {
  const Expr *x = expr_get(p, e);
  bool minus = x->op == OP_NEG;
  if (!lowered_var(p, minus ? x->args[0] : e, v))
    return false;
  *negated = minus;
  return true;
}

static bool may_replace(const Lower *lo, uint32_t v) {
  const SVar *s = &lo->s->vars.at[v];
  return s->kind == SV_VAR && !s->known && !s->discrete &&
         type_get(lo->p, s->type)->base == TY_REAL;
}

static bool is_operand(const Lower *lo, uint32_t v) {
  const SVar *s = &lo->s->vars.at[v];
  return may_replace(lo, v) ||
         (s->kind == SV_VAR && s->known && type_get(lo->p, s->type)->base == TY_REAL &&
          lo->m->vars.at[v].variability >= FLAT_PARAMETER);
}

/* Is the row a = b up to sign? */
static bool pair_of(const Lower *lo, const SRow *row, uint32_t *a, uint32_t *b, bool *negated) {
  /* a = b, a = -b */
  const ExprPool *p = lo->p;
  bool na, nb;
  if (signed_var(p, row->lhs, a, &na) && signed_var(p, row->rhs, b, &nb)) {
    *negated = na != nb;
    return is_operand(lo, *a) && is_operand(lo, *b);
  }
  /* a + b = 0, a - b = 0, and the other way round */
  bool left = expr_is_zero(p, row->rhs);
  if (!left && !expr_is_zero(p, row->lhs))
    return false;
  const Expr *sum = expr_get(p, left ? row->lhs : row->rhs);
  if ((sum->op != OP_ADD && sum->op != OP_SUB) || !signed_var(p, sum->args[0], a, &na) ||
      !signed_var(p, sum->args[1], b, &nb))
    return false;
  /* a + b = 0 says a = -b */
  *negated = sum->op == OP_ADD ? na == nb : na != nb;
  return is_operand(lo, *a) && is_operand(lo, *b);
}

/* ---- who represents whom ---- */

/* The higher one stays. */
static int rank(const Lower *lo, uint32_t v) {
  const SVar *s = &lo->s->vars.at[v];
  const FlatVar *f = &lo->m->vars.at[v];
  int64_t fixed = 0;
  /* a parameter cannot be replaced */
  if (s->known)
    return 100;
  bool is_fixed = f->fixed.i && expr_as_integer(lo->p, f->fixed, &fixed) && fixed;
  /* states first, then what is fixed, then what has a start */
  return (s->state ? 40 + 4 * (int)f->select : 0) + 2 * is_fixed + (f->start.i != 0);
}

static void keep_start(Lower *lo, uint32_t winner, uint32_t loser, bool negated) {
  ExprId *starts = lo->s->starts;
  /* the start of the winner counts, if there is one */
  if (!starts[winner].i && starts[loser].i)
    starts[winner] = negated ? expr_unary(lo->p, OP_NEG, starts[loser]) : starts[loser];
}

static void remember(Aliases *al, const SRow *row, uint32_t loser) {
  map_put(al->lo->a, &al->rows, (uint64_t)row->lhs.i << 32 | row->rhs.i, loser + 1);
}

/* der(loser) = der(winner), as a row of its own */
static void join_states(Aliases *al, uint32_t winner, uint32_t loser, bool negated) {
  Lower *lo = al->lo;
  Structure *s = lo->s;
  /* rank has made the winner a state if one of the two is */
  uint32_t dw = svar_der(lo, winner), dl = s->vars.at[loser].der;
  s->vars.at[loser].state = false;
  s->vars.at[loser].der = NO_SVAR; /* dl stays as a variable with a row of its own */
  al->rep[dl] = (Rep){dw, negated};
}

static void read_row(Aliases *al, const SRow *row) {
  Lower *lo = al->lo;
  uint32_t a, b;
  bool negated;
  if (row->kind != ROW_EQUAL || row->only != NO_SVAR || !pair_of(lo, row, &a, &b, &negated))
    return;
  Rep ra = find(al, a), rb = find(al, b);
  if (ra.var == rb.var)
    return; /* says nothing new, or contradicts: the matching will tell */
  negated = negated != (ra.negated != rb.negated);
  uint32_t winner = ra.var, loser = rb.var;
  /* among equals the one that was declared first */
  if (rank(lo, loser) > rank(lo, winner) ||
      (rank(lo, loser) == rank(lo, winner) && loser < winner)) {
    winner = rb.var;
    loser = ra.var;
  }
  if (!may_replace(lo, loser) || (lo->s->vars.at[loser].state && !may_replace(lo, winner)))
    return;
  /* states that are equal in this mode only have to get there; a row that holds in all modes may
   * say so through another one */
  if (lo->s->vars.at[loser].state && lo->s->conditions.n)
    return;
  keep_start(lo, winner, loser, negated);
  if (lo->s->vars.at[loser].state)
    join_states(al, winner, loser, negated);
  al->rep[loser] = (Rep){winner, negated};
  remember(al, row, loser);
}

/* ---- replacing ---- */

static ExprId representative(const Aliases *al, uint32_t v) {
  Rep r = find(al, v);
  ExprId e = svar_expr(al->lo->s, r.var);
  return r.negated ? expr_unary(al->lo->p, OP_NEG, e) : e;
}

static ExprId replace(void *user, ExprId e) {
  const Aliases *al = user;
  uint32_t v;
  if (!lowered_var(al->lo->p, e, &v) || al->rep[v].var == v)
    return NO_EXPR;
  return representative(al, v);
}

static void rewrite_rows(Aliases *al, SSystem *sys) {
  Lower *lo = al->lo;
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    SRow *row = &sys->rows.at[r];
    uint64_t loser;
    if (row->kind == ROW_ALGORITHM)
      continue; /* reads and sets variables by their own names */
    /* it says only what the variable is from now on */
    if (row->kind == ROW_EQUAL && !row->initial_only &&
        map_get(&al->rows, (uint64_t)row->lhs.i << 32 | row->rhs.i, &loser)) {
      row->lhs = svar_expr(lo->s, (uint32_t)loser - 1);
      row->rhs = representative(al, (uint32_t)loser - 1);
      row->only = (uint32_t)loser - 1;
      continue;
    }
    /* its own side names the variable that it determines */
    bool own = row->only != NO_SVAR && row->only < lo->s->vars.n &&
               al->rep[row->only].var != row->only;
    row->lhs = own ? row->lhs : expr_rewrite(lo->p, row->lhs, replace, al);
    row->rhs = expr_rewrite(lo->p, row->rhs, replace, al);
  }
}

/* Derivatives of replaced states have rows of their own. */
static void add_derivative_rows(Aliases *al, uint32_t n) {
  Lower *lo = al->lo;
  for (uint32_t v = 0; v < n; v++) {
    if (lo->s->vars.at[v].kind != SV_DER || al->rep[v].var == v)
      continue;
    lo->span = lo->s->vars.at[v].span;
    ExprId lhs = svar_expr(lo->s, v), rhs = representative(al, v);
    row_add(lo, &lo->s->simulation, ROW_EQUAL, lhs, rhs)->only = v;
    row_add(lo, &lo->s->initial, ROW_EQUAL, lhs, rhs)->only = v;
  }
}

void alias_eliminate(Lower *lo) {
  Structure *s = lo->s;
  /* joining two states may need the derivative of the winner: it exists, both being states */
  Aliases al = {.lo = lo, .rep = NEW_ARRAY(lo->a, Rep, s->vars.n)};
  for (uint32_t v = 0; v < s->vars.n; v++)
    al.rep[v] = (Rep){v, false};
  uint32_t n_vars = s->vars.n, n_rows = s->simulation.rows.n;
  /* what holds in this mode only comes last: then states that are equal in all modes are one
   * already */
  for (int guarded = 0; guarded < 2; guarded++) {
    for (uint32_t r = 0; r < n_rows; r++)
      if ((s->simulation.rows.at[r].guard.i != 0) == guarded)
        read_row(&al, &s->simulation.rows.at[r]);
    for (uint32_t v = 0; v < n_vars && !guarded; v++)
      if (al.rep[v].var != v)
        s->vars.at[v].always = representative(&al, v);
  }
  for (uint32_t v = 0; v < n_vars; v++)
    if (al.rep[v].var != v)
      s->vars.at[v].alias = representative(&al, v);
  rewrite_rows(&al, &s->simulation);
  rewrite_rows(&al, &s->initial);
  add_derivative_rows(&al, n_vars);
  for (uint32_t k = 0; k < s->relations.n; k++) {
    s->relations.at[k].a = expr_rewrite(lo->p, s->relations.at[k].a, replace, &al);
    s->relations.at[k].b = expr_rewrite(lo->p, s->relations.at[k].b, replace, &al);
  }
}

bool structure_alias(const Structure *s, uint32_t var, uint32_t *of, bool *negated) {
  ExprId alias = s->vars.at[var].always;
  return alias.i && signed_var(s->model->pool, alias, of, negated);
}
