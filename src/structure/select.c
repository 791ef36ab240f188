/* structure/select.c -- which variables remain states after index reduction.
 * In:   rows with their derivatives, down from the highest.
 * Out:  for every differentiated row one derivative that is no longer integrated but solved for (a
 *       dummy derivative), so that its variable is no state; or a selection: new states that are
 *       one or another of its variables, as the run chooses.
 * How:  Mattsson and Soederlind, SIAM J. Sci. Comput. 14(3), 1993: from the highest order down,
 *       each differentiated row takes a dummy among the derivatives one order above those taken
 *       before; StateSelect and constant coefficients decide which. The choice is good for ever if
 *       the matrix of rows by dummies is triangular with constant coefficients on its diagonal, or
 *       constant as a whole. Where it is not (a pendulum in Cartesian coordinates), the rows, and
 *       the derivatives that they share, form a selection: n candidates c, n - rows states s with s
 *       = c[choice], and der(s) = der(c)[choice]. In a model whose equations change all candidates
 *       stay states instead, and the constraints are invariants of the motion. A matching alone
 *       does not see that r1 = b - a and r2 = b - a say the same about a and b: dummies that depend
 *       on each other are exchanged for the first ones that do not (rank.c), in the order of
 *       readiness.
 *       Selections of different order are independent: given its states and constraints each finds
 *       all its candidates. */
#include "structure/select.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/index.h"
#include "structure/lowered.h"
#include "structure/match.h"
#include "structure/modes.h"
#include "structure/name.h"
#include "structure/point.h"
#include "structure/rank.h"

/* Rows and candidates of one order, and the dummies that the rows take. */
typedef struct {
  Lower *lo;
  const bool *rows, *candidate;
  IncidenceTable t;
  Matching m;
  uint32_t *group; /* per row: the least row that it shares candidates with, directly or not */
  bool *safe;      /* per row: its dummy never becomes a bad choice */
  const uint32_t *parent; /* per row, of select_states */
  PointEval *at;
} Order;

typedef struct {
  uint32_t var; /* a derivative */
  uint32_t to;  /* number of the candidate that it is a multiple of; itself: none */
  double factor;
  bool free; /* it, or a multiple of it, is no dummy at first */
} Candidate;

/* A group of rows whose states the run chooses. */
typedef struct {
  VEC(uint32_t) rows;
  VEC(Candidate) candidates;
  /* after reduce() */
  VEC(uint32_t) choose; /* derivatives */
  VEC(uint32_t) first;  /* numbers of those that are no dummies at first */
  VEC(SEntry) entries;
  uint32_t n_rows;
} Pending;
typedef VEC(Pending) Pendings;

/* How readily the derivative `d` becomes a dummy; higher first. */
static int readiness(const Lower *lo, uint32_t d) {
  const Structure *s = lo->s;
  uint32_t v = s->vars.at[d].of;
  if (s->vars.at[v].kind == SV_DER)
    return 20; /* a second derivative is never integrated */
  const FlatVar *f = &lo->m->vars.at[v];
  int64_t fixed = 0;
  bool is_fixed = f->fixed.i && expr_as_integer(lo->p, f->fixed, &fixed) && fixed;
  for (uint32_t k = 0; k < s->actions.n; k++)
    if (s->actions.at[k].kind == ACTION_REINIT && s->actions.at[k].state == v)
      return 0; /* what is reinitialised stays a state */
  return 3 * (SELECT_ALWAYS - (int)f->select) + (is_fixed ? 0 : f->start.i ? 1 : 2) + 1;
}

/* Up to the last: StateSelect.always, or reinitialised */
enum { READY_LAST = 20, READY_NEVER_DUMMY = 3 };

/* In a selection: the size of a candidate counts so many times. The larger, the rather it is a
 * dummy. */
static double weight(const Lower *lo, uint32_t d) {
  static const double weights[] = {[SELECT_NEVER] = 1000,
                                   [SELECT_AVOID] = 10,
                                   [SELECT_DEFAULT] = 1,
                                   [SELECT_PREFER] = 0.1,
                                   [SELECT_ALWAYS] = 0.001};
  uint32_t v = lo->s->vars.at[d].of;
  return lo->s->vars.at[v].kind == SV_VAR ? weights[lo->m->vars.at[v].select] : 1;
}

/* ---- dummies ---- */

static void match_level(Order *o, const bool *allowed, Occurrence limit) {
  /* rows keep what an earlier, readier level gave them */
  for (uint32_t r = 0; r < o->t.sys->rows.n; r++)
    if (o->rows[r] && o->m.var_of[r] == NO_SVAR)
      match_row(o->lo->s, &o->t, &o->m, r, allowed, limit, o->lo->a);
}

/* Gives every row a dummy among the candidates. constant: coefficients that do not vary come before
 * readiness. */
static bool match_dummies(Order *o, bool constant) {
  Lower *lo = o->lo;
  uint32_t n = lo->s->vars.n;
  o->m = matching_new(lo->s, o->t.sys->rows.n, lo->a);
  int *ready = NEW_ARRAY(lo->a, int, n);
  bool *used = NEW_ARRAY(lo->a, bool, READY_LAST + 1);
  /* levels that nobody is at need no search */
  for (uint32_t v = 0; v < n; v++)
    if (o->candidate[v])
      used[ready[v] = readiness(lo, v)] = true;
  /* first without what varies, if that is what is asked for; then whatever is left */
  for (int pass = constant ? 0 : 1; pass < 2; pass++) {
    bool *allowed = NEW_ARRAY(lo->a, bool, n);
    /* from the readiest on, each level joins those before: augmenting never takes a dummy away */
    for (int level = READY_LAST; level >= 0; level--) {
      for (uint32_t v = 0; used[level] && v < n; v++)
        allowed[v] = allowed[v] || (o->candidate[v] && ready[v] >= level);
      if (used[level])
        match_level(o, allowed, OCCURS_PARAMETER);
      if (used[level] && pass)
        match_level(o, allowed, OCCURS_NONLINEAR);
    }
  }
  /* a row without dummy: the equations bind more than there is */
  for (uint32_t r = 0; r < o->t.sys->rows.n; r++)
    if (o->rows[r] && o->m.var_of[r] == NO_SVAR)
      return false;
  return true;
}

/* ---- groups ---- */

static uint32_t root(uint32_t *group, uint32_t r) {
  while (group[r] != r)
    r = group[r] = group[group[r]];
  return r;
}

/* Alias rows have no choice and tie nothing together. */
static bool may_choose(const Order *o, uint32_t r) {
  return o->rows[r] && o->t.sys->rows.at[r].only == NO_SVAR;
}

static void find_groups(Order *o) {
  /* per variable the first row that holds it: rows of one variable are one group */
  Lower *lo = o->lo;
  uint32_t n = o->t.sys->rows.n;
  uint32_t *first = NEW_ARRAY(lo->a, uint32_t, lo->s->vars.n);
  o->group = NEW_ARRAY(lo->a, uint32_t, n + 1);
  for (uint32_t r = 0; r < n; r++)
    o->group[r] = r;
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t k = 0; may_choose(o, r) && k < o->t.rows[r].n; k++) {
      uint32_t *f = &first[o->t.rows[r].at[k].var];
      if (!*f)
        *f = r + 1;
      uint32_t a = root(o->group, r), b = root(o->group, *f - 1);
      o->group[a > b ? a : b] = a > b ? b : a;
    }
  for (uint32_t r = 0; r < n; r++)
    o->group[r] = root(o->group, r);
}

static bool is_dummy(const Order *o, uint32_t v) { return o->m.row_of[v] != NO_ROW; }

typedef VEC(uint32_t) Numbers;

static Occurrence how_in(const IncidenceRow *in, uint32_t var) {
  for (uint32_t k = 0; k < in->n; k++)
    if (in->at[k].var == var)
      return in->at[k].how;
  return OCCURS_NONLINEAR;
}

/* Rows that follow from each other, each with one new dummy that has a constant coefficient. */
static void find_safe(Order *o) {
  Lower *lo = o->lo;
  /* open: dummies of the row that do not follow yet; at 1 the row gives the last one */
  uint32_t n = o->t.sys->rows.n;
  uint32_t *open = NEW_ARRAY(lo->a, uint32_t, n + 1);
  Numbers *users = NEW_ARRAY(lo->a, Numbers, lo->s->vars.n);
  Numbers work = {0};
  o->safe = NEW_ARRAY(lo->a, bool, n + 1);
  for (uint32_t r = 0; r < n; r++) {
    for (uint32_t k = 0; o->rows[r] && k < o->t.rows[r].n; k++)
      if (is_dummy(o, o->t.rows[r].at[k].var)) {
        open[r]++;
        vec_push(lo->a, &users[o->t.rows[r].at[k].var], r);
      }
    if (open[r] == 1)
      vec_push(lo->a, &work, r);
  }
  while (work.n) {
    /* a coefficient that varies may become 0, and then the row gives nothing */
    uint32_t r = work.at[--work.n], v = o->m.var_of[r];
    if (o->safe[r] || how_in(&o->t.rows[r], v) > OCCURS_PARAMETER)
      continue;
    o->safe[r] = true;
    for (uint32_t k = 0; k < users[v].n; k++)
      if (--open[users[v].at[k]] == 1)
        vec_push(lo->a, &work, users[v].at[k]);
  }
}

/* What remains is safe, too, if all coefficients of the remaining rows by their dummies are
 * constant. */
static bool is_constant(const Order *o, uint32_t r) {
  const IncidenceRow *in = &o->t.rows[r];
  for (uint32_t k = 0; k < in->n; k++) {
    /* by a dummy that follows from other rows it does not matter how */
    uint32_t other = o->m.row_of[in->at[k].var];
    if (other != NO_ROW && !o->safe[other] && in->at[k].how > OCCURS_PARAMETER)
      return false;
  }
  return true;
}

/* Per group, by its least row: do its states have to be chosen by the run? */
static bool *find_unsafe(Order *o) {
  uint32_t n = o->t.sys->rows.n;
  bool *unsafe = NEW_ARRAY(o->lo->a, bool, n + 1);
  bool *varies = NEW_ARRAY(o->lo->a, bool, n + 1);
  find_safe(o);
  /* triangular with constant diagonal, or constant as a whole: else the choice may go bad on the
   * way */
  for (uint32_t r = 0; r < n; r++)
    varies[r] = may_choose(o, r) && !o->safe[r] && !is_constant(o, r);
  for (uint32_t r = 0; r < n; r++)
    if (varies[r])
      unsafe[o->group[r]] = true;
  return unsafe;
}

/* ---- ranks ---- */

/* The groups as lists of rows, by their least row. */
static Numbers *group_rows(const Order *o) {
  uint32_t n = o->t.sys->rows.n;
  Numbers *lists = NEW_ARRAY(o->lo->a, Numbers, n + 1);
  for (uint32_t r = 0; r < n; r++)
    if (may_choose(o, r))
      vec_push(o->lo->a, &lists[o->group[r]], r);
  return lists;
}

/* Rows of the list that are not safe, and their dummies. NULL: there are none, or a derivative is
 * not known. */
static RankBlock *core_of(const Order *o, const Numbers *rows, bool *constant) {
  Numbers own = {0}, dummies = {0};
  *constant = true;
  for (uint32_t k = 0; k < rows->n; k++)
    if (!o->safe[rows->at[k]]) {
      vec_push(o->lo->a, &own, rows->at[k]);
      vec_push(o->lo->a, &dummies, o->m.var_of[rows->at[k]]);
      *constant = *constant && is_constant(o, rows->at[k]);
    }
  return own.n ? rank_new(o->lo, o->at, own.at, own.n, dummies.at, dummies.n) : NULL;
}

/* All that the rows may take, the readiest first, and among equals what the matching found. */
static Numbers candidates_of(const Order *o, const Numbers *rows) {
  Lower *lo = o->lo;
  Numbers all = {0}, out = {0};
  Map seen = {0};
  for (uint32_t i = 0; i < rows->n; i++)
    for (uint32_t k = 0; k < o->t.rows[rows->at[i]].n; k++) {
      uint32_t v = o->t.rows[rows->at[i]].at[k].var;
      /* the dummy of an alias row is bound by it */
      bool bound = is_dummy(o, v) && o->t.sys->rows.at[o->m.row_of[v]].only != NO_SVAR;
      uint64_t known;
      if (bound || map_get(&seen, v, &known))
        continue;
      map_put(lo->a, &seen, v, 1);
      vec_push(lo->a, &all, v);
    }
  /* in the order of readiness: rank_choose takes columns as they come */
  for (int level = READY_LAST; level >= 0; level--)
    for (int matched = 1; matched >= 0; matched--)
      for (uint32_t k = 0; k < all.n; k++)
        if (readiness(lo, all.at[k]) == level && is_dummy(o, all.at[k]) == matched)
          vec_push(lo->a, &out, all.at[k]);
  return out;
}

typedef struct {
  Lower *lo;
  Map seen;
  Numbers found;
} Behind;

/* Every parameter behind an expression. */
static void find_parameter(void *user, ExprId e) {
  Behind *be = user;
  Lower *lo = be->lo;
  uint32_t v;
  uint64_t known;
  if (!lowered_var(lo->p, e, &v) || v >= lo->m->vars.n || !lo->s->vars.at[v].known ||
      map_get(&be->seen, v, &known))
    return;
  map_put(lo->a, &be->seen, v, 1);
  vec_push(lo->a, &be->found, v);
  if (lo->s->bindings[v].i)
    expr_walk(lo->p, lo->s->bindings[v], find_parameter, be);
}

/* The row without pivot says what those say that it is made of. */
static Repeat repeat_of(const Order *o, const RankBlock *b, uint32_t i, const uint32_t *origin,
                        bool always) {
  Span *others = NEW_ARRAY(o->lo->a, Span, b->n + 1);
  Repeat out = {.row = origin[i], .others = others};
  Behind be = {.lo = o->lo};
  /* columns behind the candidates say how often each row went into this one */
  for (uint32_t k = 0; k < b->rows[i].n; k++) {
    const RankCell *c = &b->rows[i].at[k];
    if (c->column < b->n_columns || c->value == 0)
      continue;
    const SRow *row = &o->t.sys->rows.at[origin[c->column - b->n_columns]];
    if (c->column != b->n_columns + i)
      others[out.n_others++] = row->span;
    expr_walk(o->lo->p, row->lhs, find_parameter, &be);
    expr_walk(o->lo->p, row->rhs, find_parameter, &be);
  }
  /* a row that repeats others only with these parameters makes them structural */
  if (!always) {
    out.parameters = be.found.at;
    out.n_parameters = be.found.n;
  }
  return out;
}

/* All columns, in their order. */
static uint32_t rank_in_order(RankBlock *b, bool *taken) {
  uint32_t *order = NEW_ARRAY(b->lo->a, uint32_t, b->n_columns + 1);
  for (uint32_t c = 0; c < b->n_columns; c++)
    order[c] = c;
  return rank_choose(b, order, b->n_columns,
                     taken ? taken : NEW_ARRAY(b->lo->a, bool, b->n_columns + 1));
}

/* Does the row say what others say whatever the parameters are? */
static bool repeats_always(Order *o, const RankBlock *b, uint32_t i, const uint32_t *origin) {
  /* the same with parameters as unknowns: then it holds whatever they are */
  o->at->any = true;
  RankBlock *all = rank_new(o->lo, o->at, b->which, b->n, b->columns, b->n_columns);
  bool out = all && rank_in_order(all, NULL) < b->n && all->pivot[i] == NO_SVAR &&
             rank_says(all, i, origin, o->at) == RANK_REPEATS;
  o->at->any = false;
  return out;
}

static void label_others(Lower *lo, Diag *d, const Repeat *rep, const char *text) {
  for (uint32_t k = 0; k < rep->n_others && k < MOST_REPEATS_SHOWN; k++)
    diag_label(lo->diags, d, rep->others[k], "%s", text);
}

/* The rows depend on each other, whatever is chosen. False: the structure cannot be built so. */
static bool report_dependent(Order *o, const RankBlock *b) {
  Lower *lo = o->lo;
  uint32_t *origin = NEW_ARRAY(lo->a, uint32_t, b->n + 1);
  bool ok = true;
  /* what is told is the equation that the user wrote, not its derivative */
  for (uint32_t i = 0; i < b->n; i++)
    for (origin[i] = b->which[i]; o->parent[origin[i]] != NO_ROW;)
      origin[i] = o->parent[origin[i]];
  /* rows without a pivot say nothing that the others do not say */
  for (uint32_t i = 0; i < b->n; i++) {
    RankSays says = b->pivot[i] == NO_SVAR ? rank_says(b, i, origin, o->at) : RANK_UNKNOWN;
    if (says == RANK_UNKNOWN)
      continue; /* the run meets a singular system and tells it */
    Repeat rep = repeat_of(o, b, i, origin,
                           says == RANK_CONTRADICTS || repeats_always(o, b, i, origin));
    const SRow *row = &o->t.sys->rows.at[rep.row];
    ok = false;
    if (says == RANK_REPEATS) {
      vec_push(lo->a, &lo->repeats->list, rep);
      continue;
    }
    Diag *d = diag_add(
        lo->diags, D_S108, row->span,
        "this constraint contradicts others, so that no values of the states obey all of them");
    label_others(lo, d, &rep, "together with this equation");
    diag_origin(lo->diags, d, structure_origin(lo->m, row->origin));
  }
  return ok;
}

void repeats_drop(Lower *lo) {
  bool *drop = NEW_ARRAY(lo->a, bool, lo->s->simulation.rows.n + 1);
  /* later translations with other parameters need the row: these shape the structure */
  for (uint32_t k = 0; k < lo->repeats->list.n; k++) {
    const Repeat *rep = &lo->repeats->list.at[k];
    const SRow *row = &lo->s->simulation.rows.at[rep->row];
    drop[rep->row] = true;
    for (uint32_t q = 0; q < rep->n_parameters; q++)
      lo->s->vars.at[rep->parameters[q]].shapes = true;
    Diag *d = diag_add(lo->diags, D_S107, row->span,
                       "this constraint says what others say, and is left out");
    label_others(lo, d, rep, "together with this equation");
    diag_origin(lo->diags, d, structure_origin(lo->m, row->origin));
  }
  if (lo->repeats->list.n)
    modes_drop_rows(lo, drop);
}

/* Other dummies for the rows, that do not depend on each other. */
static bool exchange(Order *o, const Numbers *rows) {
  Lower *lo = o->lo;
  Numbers columns = candidates_of(o, rows);
  bool *taken = NEW_ARRAY(lo->a, bool, columns.n + 1);
  bool *allowed = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  RankBlock *b = rank_new(lo, o->at, rows->at, rows->n, columns.at, columns.n);
  /* a derivative that is not known: nothing is known about ranks, and the run finds out */
  if (!b)
    return true;
  if (rank_in_order(b, taken) < rows->n)
    return report_dependent(o, b);
  /* the dummies are given back, and taken anew among independent columns */
  for (uint32_t k = 0; k < rows->n; k++) {
    o->m.row_of[o->m.var_of[rows->at[k]]] = NO_ROW;
    o->m.var_of[rows->at[k]] = NO_SVAR;
  }
  for (uint32_t c = 0; c < columns.n; c++)
    allowed[columns.at[c]] = taken[c];
  bool all = true;
  /* literal coefficients first, as in the first matching */
  for (Occurrence limit = OCCURS_LITERAL; limit <= OCCURS_NONLINEAR; limit++)
    for (uint32_t k = 0; k < rows->n; k++)
      if (o->m.var_of[rows->at[k]] == NO_SVAR)
        all = match_row(lo->s, &o->t, &o->m, rows->at[k], allowed, limit, lo->a) ||
              limit < OCCURS_NONLINEAR;
  return all;
}

/* No dummies depend on each other, as far as that is known now. */
static bool make_independent(Order *o) {
  Numbers *groups = group_rows(o);
  bool constant;
  find_safe(o);
  for (uint32_t g = 0; g < o->t.sys->rows.n; g++) {
    /* only what is not triangular can be singular unseen */
    RankBlock *b = groups[g].n ? core_of(o, &groups[g], &constant) : NULL;
    if (b && rank_in_order(b, NULL) < b->n && !exchange(o, &groups[g]))
      return false;
  }
  return true;
}

/* What depends on parameters may change with these. */
static void assume_ranks(Order *o, const bool *unsafe) {
  Numbers *groups = group_rows(o);
  bool constant;
  for (uint32_t g = 0; g < o->t.sys->rows.n; g++) {
    /* unsafe groups make their choice in the run, by values */
    RankBlock *b = groups[g].n && !unsafe[g] ? core_of(o, &groups[g], &constant) : NULL;
    if (b && constant && b->assumes)
      rank_assume(b);
  }
}

/* ---- selections ---- */

/* The rows of a group with their candidates; a dummy is never left out. */
static Pending collect(const Order *o, uint32_t group) {
  Lower *lo = o->lo;
  Pending p = {0};
  bool *seen = NEW_ARRAY(lo->a, bool, lo->s->vars.n);
  for (uint32_t r = group; r < o->t.sys->rows.n; r++) {
    if (!may_choose(o, r) || o->group[r] != group)
      continue;
    vec_push(lo->a, &p.rows, r);
    for (uint32_t k = 0; k < o->t.rows[r].n; k++) {
      uint32_t v = o->t.rows[r].at[k].var;
      bool bound = is_dummy(o, v) && o->t.sys->rows.at[o->m.row_of[v]].only != NO_SVAR;
      /* what must stay a state is no candidate; a dummy of the matching is one in any case */
      if (seen[v] || bound || (readiness(lo, v) <= READY_NEVER_DUMMY && !is_dummy(o, v)))
        continue;
      seen[v] = true;
      Candidate c = {.var = v, .to = p.candidates.n, .factor = 1, .free = !is_dummy(o, v)};
      vec_push(lo->a, &p.candidates, c);
    }
  }
  return p;
}

/* Derivatives of a row by the candidates that stand in it. */
typedef struct {
  uint32_t candidate;
  ExprId d;
} Slope;
typedef VEC(Slope) Slopes;

typedef struct {
  const Lower *lo;
  const uint32_t *number; /* per SVar: candidate + 1 */
  bool *found;            /* per candidate */
} Finder;

static void find_candidate(void *user, ExprId e) {
  const Finder *f = user;
  uint32_t v;
  if (lowered_var(f->lo->p, e, &v) && f->number[v])
    f->found[f->number[v] - 1] = true;
}

/* False if one is not known. */
static bool slopes_of(Lower *lo, const Pending *p, const uint32_t *number, uint32_t r,
                      Slopes *out) {
  const SRow *row = &lo->s->simulation.rows.at[r];
  ExprId f = expr_binary(lo->p, OP_SUB, row->lhs, row->rhs);
  /* only by candidates that occur: most do not */
  Finder finder = {lo, number, NEW_ARRAY(lo->a, bool, p->candidates.n)};
  expr_walk(lo->p, f, find_candidate, &finder);
  for (uint32_t k = 0; k < p->candidates.n; k++) {
    if (!finder.found[k])
      continue;
    ExprId d = expr_diff(lo->p, f, svar_expr(lo->s, p->candidates.at[k].var));
    if (!d.i)
      return false;
    if (!expr_is_zero(lo->p, d))
      vec_push(lo->a, out, (Slope){k, d});
  }
  return true;
}

/* What candidate k is a multiple of, and how much of it. */
static uint32_t stands_for(const Pending *p, uint32_t k, double *factor) {
  *factor = 1;
  for (; p->candidates.at[k].to != k; k = p->candidates.at[k].to)
    *factor *= p->candidates.at[k].factor;
  return k;
}

/* A row of two candidates with literal coefficients, der(x) = v, makes one of them a multiple of
 * the other: no choice. */
static bool contract(const Lower *lo, Pending *p, const Slopes *row) {
  uint32_t at[2], n = 0;
  /* at most two different candidates once multiples are counted for what they are multiples of */
  double sum[2] = {0};
  for (uint32_t k = 0; k < row->n; k++) {
    double factor, value;
    uint32_t root = stands_for(p, row->at[k].candidate, &factor);
    uint32_t i = 0;
    if (!expr_as_real(lo->p, row->at[k].d, &value))
      return false;
    while (i < n && at[i] != root)
      i++;
    if (i == 2)
      return false;
    n += i == n;
    at[i] = root;
    sum[i] += value * factor;
  }
  if (n != 2 || sum[0] == 0 || sum[1] == 0)
    return false;
  /* the readier one goes, the other may remain a state */
  int gone = readiness(lo, p->candidates.at[at[0]].var) >=
                     readiness(lo, p->candidates.at[at[1]].var)
                 ? 0
                 : 1;
  Candidate *c = &p->candidates.at[at[gone]];
  c->to = at[1 - gone];
  c->factor = -sum[1 - gone] / sum[gone];
  p->candidates.at[c->to].free = p->candidates.at[c->to].free || c->free;
  return true;
}

/* Adds the slopes of a row to the entries, candidates that are multiples counting for what they are
 * multiples of. */
static void take_row(Lower *lo, Pending *p, const Slopes *row) {
  uint32_t first = p->entries.n;
  /* entries of this row only */
  for (uint32_t k = 0; k < row->n; k++) {
    double factor;
    uint32_t root = stands_for(p, row->at[k].candidate, &factor);
    uint32_t e = first;
    ExprId d = factor == 1 ? row->at[k].d
                           : expr_binary(lo->p, OP_MUL, expr_real(lo->p, factor), row->at[k].d);
    while (e < p->entries.n && p->entries.at[e].column != root)
      e++;
    if (e < p->entries.n)
      p->entries.at[e].d = expr_binary(lo->p, OP_ADD, p->entries.at[e].d, d);
    else
      vec_push(lo->a, &p->entries, (SEntry){p->n_rows, root, d});
  }
  p->n_rows++;
}

/* Fills entries, and leaves only candidates among which there is a choice. False if a derivative is
 * not known. */
static bool reduce(Lower *lo, Pending *p) {
  uint32_t *number = NEW_ARRAY(lo->a, uint32_t, lo->s->vars.n);
  uint32_t n = 0;
  for (uint32_t k = 0; k < p->candidates.n; k++)
    number[p->candidates.at[k].var] = k + 1;
  Slopes *rows = NEW_ARRAY(lo->a, Slopes, p->rows.n);
  for (uint32_t i = 0; i < p->rows.n; i++)
    if (!slopes_of(lo, p, number, p->rows.at[i], &rows[i]))
      return false;
  bool *gone = NEW_ARRAY(lo->a, bool, p->rows.n);
  /* a contracted row may make another one a row of two */
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < p->rows.n; i++)
      if (!gone[i] && contract(lo, p, &rows[i]))
        gone[i] = more = true;
  }
  for (uint32_t i = 0; i < p->rows.n; i++)
    if (!gone[i])
      take_row(lo, p, &rows[i]);
  /* numbers among those that remain */
  uint32_t *new_number = NEW_ARRAY(lo->a, uint32_t, p->candidates.n);
  for (uint32_t k = 0; k < p->candidates.n; k++)
    if (p->candidates.at[k].to == k) {
      new_number[k] = n;
      vec_push(lo->a, &p->choose, p->candidates.at[k].var);
      if (p->candidates.at[k].free)
        vec_push(lo->a, &p->first, n);
      n++;
    }
  for (uint32_t e = 0; e < p->entries.n; e++)
    p->entries.at[e].column = new_number[p->entries.at[e].column];
  /* as many states as candidates without rows: else the rows do not determine the rest */
  return p->first.n && p->first.n + p->n_rows == n;
}

/* vars[from .. until) by the value of `choice`, in halves: a chain of ifs would be as deep as there
 * are candidates */
static ExprId pick(Lower *lo, ExprId choice, const uint32_t *vars, uint32_t from, uint32_t until) {
  if (until - from == 1)
    return svar_expr(lo->s, vars[from]);
  uint32_t middle = from + (until - from) / 2;
  ExprId low = pick(lo, choice, vars, from, middle);
  ExprId high = pick(lo, choice, vars, middle, until);
  return expr_if(lo->p, expr_binary(lo->p, OP_LT, choice, expr_integer(lo->p, middle)), low, high);
}

static void add_row(Lower *lo, uint32_t lhs, ExprId rhs, bool only) {
  row_add(lo, &lo->s->simulation, ROW_EQUAL, svar_expr(lo->s, lhs), rhs)->only = only ? lhs
                                                                                      : NO_SVAR;
  row_add(lo, &lo->s->initial, ROW_EQUAL, svar_expr(lo->s, lhs), rhs)->only = only ? lhs : NO_SVAR;
}

/* New states, their equations, and what the run needs to choose. */
static void add_selection(Lower *lo, const Pending *p) {
  Structure *s = lo->s;
  uint32_t number = s->selections.n;
  uint32_t n = p->choose.n;
  uint32_t n_states = p->first.n;
  const SRow *row = &s->simulation.rows.at[p->rows.at[0]];
  lo->span = row->span;
  lo->origin = row->origin;
  SSelection se = {.n = n,
                   .n_rows = p->n_rows,
                   .first = p->first.at,
                   .entry = s->entries.n,
                   .n_entries = p->entries.n,
                   .span = row->span};
  /* entries of all selections stand in one list */
  for (uint32_t k = 0; k < p->entries.n; k++)
    vec_push(lo->a, &s->entries, p->entries.at[k]);
  se.candidates = NEW_ARRAY(lo->a, uint32_t, n);
  se.weights = NEW_ARRAY(lo->a, double, n);
  se.states = NEW_ARRAY(lo->a, uint32_t, n_states);
  se.choices = NEW_ARRAY(lo->a, uint32_t, n_states);
  for (uint32_t k = 0; k < n; k++) {
    se.candidates[k] = s->vars.at[p->choose.at[k]].of;
    se.weights[k] = weight(lo, p->choose.at[k]);
  }
  vec_push(lo->a, &s->selections, se);
  for (uint32_t k = 0; k < n_states; k++) {
    /* a state, the number of the candidate that it is at present, and its derivative */
    uint32_t state = svar_add(lo, SV_CHOSEN, number, type_scalar(lo->p, TY_REAL));
    uint32_t choice = svar_add(lo, SV_CHOICE, number, type_scalar(lo->p, TY_INTEGER));
    uint32_t der = svar_der(lo, state);
    s->vars.at[state].free = true;
    s->vars.at[choice].known = s->vars.at[choice].discrete = true;
    se.states[k] = state;
    se.choices[k] = choice;
    add_row(lo, state, pick(lo, svar_expr(s, choice), se.candidates, 0, n), false);
    add_row(lo, der, pick(lo, svar_expr(s, choice), p->choose.at, 0, n), true);
  }
}

/* ---- from the highest order down ---- */

/* Rows of unsafe groups take second derivatives, which are never integrated, and else nothing. */
static void leave_open(Order *o, const bool *unsafe, bool *open) {
  Lower *lo = o->lo;
  /* second derivatives are no states in any mode */
  uint32_t n = o->t.sys->rows.n, n_vars = lo->s->vars.n;
  bool *second = NEW_ARRAY(lo->a, bool, n_vars);
  for (uint32_t v = 0; v < n_vars; v++)
    second[v] = o->candidate[v] && lo->s->vars.at[lo->s->vars.at[v].of].kind == SV_DER;
  for (uint32_t r = 0; r < n; r++) {
    open[r] = may_choose(o, r) && unsafe[o->group[r]];
    if (open[r] && o->m.var_of[r] != NO_SVAR) {
      o->m.row_of[o->m.var_of[r]] = NO_ROW;
      o->m.var_of[r] = NO_SVAR;
    }
  }
  for (Occurrence limit = OCCURS_LITERAL; limit <= OCCURS_NONLINEAR; limit++)
    for (uint32_t r = 0; r < n; r++)
      if (open[r] && match_row(lo->s, &o->t, &o->m, r, second, limit, lo->a))
        open[r] = false;
}

/* The dummies of one order: `dummy` marks them, with all candidates of selections among them;
 * `open`: rows that take none, because in a model whose equations change all of the candidates stay
 * states. */
static bool choose(Order *order, bool *dummy, bool *open, Pendings *pending) {
  Order o = *order;
  Lower *lo = o.lo;
  const bool *rows = o.rows;
  o.t = table_build(lo->s, &lo->s->simulation, o.candidate, false, lo->a);
  if (!match_dummies(&o, false))
    return false;
  find_groups(&o);
  /* what the matching chose may be singular all the same: exchanged where it is */
  if (!make_independent(&o))
    return false;
  bool *unsafe = find_unsafe(&o), any = false;
  uint32_t n = o.t.sys->rows.n;
  for (uint32_t r = 0; r < n; r++)
    any = any || unsafe[r];
  if (any) { /* perhaps there is a constant choice after all */
    if (!match_dummies(&o, true) || !make_independent(&o))
      return false;
    unsafe = find_unsafe(&o);
  }
  assume_ranks(&o, unsafe);
  /* where equations change all candidates of such a group stay states */
  bool stay = lo->s->conditions.n > 0;
  if (stay && any)
    leave_open(&o, unsafe, open);
  /* rows that are open leave their candidates as states */
  for (uint32_t r = 0; r < n; r++)
    if (rows[r] && !open[r])
      dummy[o.m.var_of[r]] = true;
  /* else the run chooses among all candidates of the group */
  for (uint32_t r = 0; r < n && !stay; r++) {
    if (!unsafe[r])
      continue;
    Pending p = collect(&o, r);
    /* as many candidates as rows: nothing to choose */
    if (p.candidates.n == p.rows.n || !reduce(lo, &p))
      continue;
    for (uint32_t k = 0; k < p.candidates.n; k++)
      dummy[p.candidates.at[k].var] = true;
    vec_push(lo->a, pending, p);
  }
  return true;
}

/* A row of the simulation, and the one of the initial system that says the same: there it says
 * what the states must obey at the start. */
static void become_invariant(SRow *row, SRow *initially) {
  row->invariant = initially->invariant = initially->initial_only = true;
}

bool select_states(Lower *lo, const uint32_t *parent, const bool *active) {
  Structure *s = lo->s;
  uint32_t n = s->simulation.rows.n, n_vars = s->vars.n;
  bool *rows = NEW_ARRAY(lo->a, bool, n + 1);
  bool *candidate = highest_derivatives(lo);
  bool *dummy = NEW_ARRAY(lo->a, bool, n_vars);
  Pendings pending = {0};
  PointEval *at = point_new(lo);
  /* before any of them becomes an initial equation */
  const uint32_t *initially = rows_initially(lo);
  /* dummies are taken from the highest derivatives down */
  for (uint32_t v = 0; v < n_vars; v++)
    candidate[v] = candidate[v] && s->vars.at[v].kind == SV_DER;
  /* differentiated rows: these are what dummies are for */
  for (uint32_t r = 0; r < n; r++)
    rows[r] = active[r] && parent[r] != NO_ROW;
  for (bool more = true; more;) {
    bool *taken = NEW_ARRAY(lo->a, bool, n_vars);
    bool *open = NEW_ARRAY(lo->a, bool, n + 1);
    /* dummies among the derivatives of this order */
    Order o = {.lo = lo, .rows = rows, .candidate = candidate, .parent = parent, .at = at};
    if (!choose(&o, taken, open, &pending))
      return false;
    /* the constraint holds if the states obey it at the start: it is kept as an invariant */
    for (uint32_t r = 0; r < n; r++)
      for (uint32_t up = rows[r] && open[r] ? parent[r] : NO_ROW; up != NO_ROW; up = parent[up])
        become_invariant(&s->simulation.rows.at[up], &s->initial.rows.at[initially[up]]);
    /* one order lower: the rows these came from, as far as they are derivatives, and the variables
     * of the dummies */
    bool *lower_rows = NEW_ARRAY(lo->a, bool, n + 1);
    bool *lower = NEW_ARRAY(lo->a, bool, n_vars);
    more = false;
    for (uint32_t r = 0; r < n; r++)
      if (rows[r] && !open[r] && parent[parent[r]] != NO_ROW)
        lower_rows[parent[r]] = more = true;
    for (uint32_t v = 0; v < n_vars; v++) {
      dummy[v] = dummy[v] || taken[v];
      if (taken[v] && s->vars.at[s->vars.at[v].of].kind == SV_DER)
        lower[s->vars.at[v].of] = true;
    }
    rows = lower_rows;
    candidate = lower;
  }
  /* a state is what has a derivative that is no dummy; a derivative of a derivative cannot be one
   * here */
  for (uint32_t v = 0; v < n_vars; v++) {
    s->vars.at[v].state = s->vars.at[v].der != NO_SVAR && !dummy[s->vars.at[v].der];
    if (s->vars.at[v].state && s->vars.at[v].kind != SV_VAR)
      return false;
  }
  /* new SVars only now: until here everything is numbered per SVar */
  for (uint32_t k = 0; k < pending.n; k++)
    add_selection(lo, &pending.at[k]);
  return true;
}
