/* structure/modes.c -- equations that hold in some modes only, because the branches of an
 * if-equation determine different things: other numbers of equations, other derivatives, a
 * constraint on states in place of an equation for a force.
 * In:   rows with guards over conditions (lower.c).   Out: the rows of one mode; the conditions and
 *       their values in it.
 * How:  at first the branches of an if-equation are joined to if-expressions, which is right
 *       wherever they only differ in coefficients. Then, with the unknowns of the joined rows
 *       matched, each branch is tried alone: if its rows leave no complete matching because they
 *       bind states, the branches are kept apart and each mode gets a structure of its own.
 * Keep: what is lowered does not depend on the mode, so that SVars have the same numbers, and the
 *       same places, in all modes. A variable that occurs in no equation of the mode keeps its
 *       value. */
#include "structure/modes.h"
#include "base/limits.h"
#include "structure/build.h"
#include "structure/incidence.h"
#include "structure/index.h"
#include "structure/lower.h"
#include "structure/lowered.h"
#include "structure/match.h"
#include "structure/name.h"
#include "structure/simplify.h"
#include "structure/system.h"

#include <string.h>

/* ---- conditions ---- */

ExprId condition_decides(Lower *lo, ExprId condition) {
  Structure *s = lo->s;
  uint32_t v;
  if (expr_is_literal(lo->p, condition))
    return condition;
  /* a condition that is no variable becomes one, so that events see it */
  if (!lowered_var(lo->p, condition, &v) || s->vars.at[v].kind != SV_VAR)
    v = condition_var(lo, condition);
  /* each once: the mode is the list of their values */
  for (uint32_t k = 0; k < s->conditions.n; k++)
    if (s->conditions.at[k].var == v)
      return svar_expr(s, v);
  vec_push(lo->a, &s->conditions, (SCondition){.var = v, .span = lo->span});
  return svar_expr(s, v);
}

/* ---- a mode to begin with ---- */

typedef struct {
  Lower *lo;
  int depth;
} Guess;

static ExprId guess(Lower *lo, ExprId e, int depth);

static ExprId guess_var(Lower *lo, uint32_t var, int depth) {
  const SVar *v = &lo->s->vars.at[var];
  switch (v->kind) {
  /* a binding says more than a start value */
  case SV_VAR:
    if (lo->s->bindings[var].i)
      return guess(lo, lo->s->bindings[var], depth);
    return guess(lo, lower_default_start(lo, var), depth);
  /* before the first event, what was is what begins */
  case SV_PRE: return guess_var(lo, v->of, depth);
  case SV_RELATION: {
    const SRelation *r = &lo->s->relations.at[v->of];
    /* the sides may be known although the relation is not */
    return expr_binary(lo->p, r->op, guess(lo, r->a, depth), guess(lo, r->b, depth));
  }
  case SV_CONDITION: return guess(lo, v->meaning, depth);
  case SV_SAMPLE: return expr_boolean(lo->p, false);
  /* what starts at 0, or may be anything */
  case SV_DER:
  case SV_BUFFER:
  case SV_LAMBDA:
  case SV_CHOSEN:
  case SV_IMPULSE: return expr_real(lo->p, 0);
  case SV_CHOICE: break;
  }
  return NO_EXPR;
}

static ExprId guess_leaf(void *user, ExprId e) {
  Guess *g = user;
  ExprPool *p = g->lo->p;
  const Expr *x = expr_get(p, e);
  double start = g->lo->m->experiment.start;
  if (x->op == OP_VAR && g->depth < MOST_GUESS_DEPTH)
    return guess_var(g->lo, x->index, g->depth + 1);
  /* the run begins at the start time of the experiment, else at 0 */
  if (x->op == OP_TIME)
    return expr_real(p, start == start ? start : 0);
  return x->op == OP_INITIAL ? expr_boolean(p, true) : NO_EXPR;
}

/* With start values in place of variables: a literal if that can be told. */
static ExprId guess(Lower *lo, ExprId e, int depth) {
  Guess g = {lo, depth};
  return e.i ? expr_rewrite(lo->p, e, guess_leaf, &g) : e;
}

ExprId modes_at_start(Lower *lo, ExprId e) { return guess(lo, e, 0); }

/* The equation that a Boolean condition follows from says more than a start value that nobody
 * gave. */
static ExprId meaning_of(const Lower *lo, uint32_t var) {
  const SSystem *sys = &lo->s->initial;
  uint32_t v;
  /* a start value that the user gave is meant */
  if (lo->s->vars.at[var].kind == SV_VAR && lo->m->vars.at[var].start.i)
    return svar_expr(lo->s, var);
  for (uint32_t r = 0; r < sys->rows.n; r++)
    if (sys->rows.at[r].kind == ROW_EQUAL && !sys->rows.at[r].guard.i &&
        lowered_var(lo->p, sys->rows.at[r].lhs, &v) && v == var)
      return sys->rows.at[r].rhs;
  return svar_expr(lo->s, var);
}

static void find_values(Lower *lo) {
  for (uint32_t k = 0; k < lo->s->conditions.n; k++) {
    SCondition *c = &lo->s->conditions.at[k];
    int64_t value = 0;
    /* a mode that is asked for comes with its values */
    if (lo->mode)
      c->value = lo->mode[k];
    else
      c->value = expr_as_integer(lo->p, guess(lo, meaning_of(lo, c->var), 0), &value) && value;
  }
}

/* ---- the rows of a mode ---- */

static ExprId condition_value(void *user, ExprId e) {
  Lower *lo = user;
  uint32_t v;
  if (lowered_var(lo->p, e, &v))
    for (uint32_t k = 0; k < lo->s->conditions.n; k++)
      if (lo->s->conditions.at[k].var == v)
        return expr_boolean(lo->p, lo->s->conditions.at[k].value);
  return NO_EXPR;
}

/* A guard is a formula over conditions; what is not known to be true does not hold */
static bool holds(Lower *lo, const SRow *row) {
  int64_t value = 0;
  return !row->guard.i ||
         (expr_as_integer(lo->p, expr_rewrite(lo->p, row->guard, condition_value, lo), &value) &&
          value);
}

/* The value of a split condition, in an equation. */
static ExprId split_value(void *user, ExprId e) {
  Lower *lo = user;
  uint64_t unused;
  return map_get(&lo->split, e.i, &unused) ? condition_value(lo, condition_decides(lo, e))
                                           : NO_EXPR;
}

typedef struct {
  const ExprPool *p;
  bool *marks;
} Marker;

static void mark_var(void *user, ExprId e) {
  const Marker *m = user;
  uint32_t v;
  if (lowered_var(m->p, e, &v))
    m->marks[v] = true;
}

static void mark_row(const Lower *lo, const SRow *row, bool *marks) {
  Marker m = {lo->p, marks};
  if (row->lhs.i)
    expr_walk(lo->p, row->lhs, mark_var, &m);
  if (row->rhs.i)
    expr_walk(lo->p, row->rhs, mark_var, &m);
}

/* Keeps the rows that hold; marks the variables of the others. */
static void filter(Lower *lo, SSystem *sys, bool *dropped) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    SRow row = sys->rows.at[r];
    if (holds(lo, &row))
      sys->rows.at[n++] = row;
    else
      mark_row(lo, &row, dropped);
  }
  sys->rows.n = n;
}

/* What occurs in rows that can determine something. */
static bool *find_used(Lower *lo) {
  Structure *s = lo->s;
  bool *used = NEW_ARRAY(lo->a, bool, s->vars.n + 1);
  Marker m = {lo->p, used};
  /* relations and checks follow from variables, and do not determine them */
  for (uint32_t r = 0; r < s->simulation.rows.n; r++)
    if (s->simulation.rows.at[r].kind == ROW_EQUAL)
      mark_row(lo, &s->simulation.rows.at[r], used);
  /* algorithms assign their targets in every mode */
  for (uint32_t k = 0; k < s->algorithms.n; k++) {
    const SAlgorithm *alg = &s->algorithms.at[k];
    for (uint32_t q = 0; q < alg->n_targets; q++)
      used[alg->targets[q]] = true;
    if (alg->body)
      stmts_vars(lo->p, alg->body, alg->n_body, mark_var, &m);
  }
  return used;
}

/* Derivatives that occur in other modes only do not make states; variables that do keep their
 * values. */
static void find_absent(Lower *lo, const bool *dropped) {
  Structure *s = lo->s;
  bool *used = find_used(lo);
  for (uint32_t v = 0; v < s->common.n; v++) {
    SVar *x = &s->vars.at[v];
    /* only what moves can come to rest */
    if (x->kind != SV_VAR || x->known || x->discrete)
      continue;
    uint32_t der = x->der;
    if (der != NO_SVAR && dropped[der] && !used[der]) {
      s->vars.at[der].known = true;
      x->der = NO_SVAR;
      x->state = false;
      x->dormant = der;
    }
    /* a variable whose equations all belong to other modes keeps its value */
    bool moves = der != NO_SVAR && used[der];
    x->known = x->absent = !used[v] && !moves && (dropped[v] || (der != NO_SVAR && dropped[der]));
  }
}

/* Conditions of if-expressions that decide about the structure: the equations between continuous
 * variables take their values. */
static void split(Lower *lo) {
  Structure *s = lo->s;
  SSystem *const systems[] = {&s->simulation, &s->initial};
  for (int k = 0; k < 2; k++)
    for (uint32_t r = 0; r < systems[k]->rows.n; r++) {
      SRow *row = &systems[k]->rows.at[r];
      if (row->initial_only || !index_counts(lo, row))
        continue;
      /* what only the start needs, and what takes no part in the index reduction, stays as it is */
      ExprId lhs = expr_rewrite(lo->p, row->lhs, split_value, lo);
      ExprId rhs = expr_rewrite(lo->p, row->rhs, split_value, lo);
      if (!expr_same(lhs, row->lhs) || !expr_same(rhs, row->rhs)) {
        row->lhs = lhs;
        row->rhs = rhs;
        /* rewritten rows hold in this mode only, as if the user had written an if-equation */
        row->guard = expr_boolean(lo->p, true);
      }
    }
}

void modes_choose(Lower *lo) {
  Structure *s = lo->s;
  for (uint32_t k = 0; k < lo->how.n_splits; k++) {
    condition_decides(lo, lo->how.splits[k]);
    map_put(lo->a, &lo->split, lo->how.splits[k].i, 1);
  }
  /* SVars made from here on belong to one mode */
  s->common.n = s->vars.n;
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state) {
      vec_push(lo->a, &s->common.states, v);
      vec_push(lo->a, &s->common.ders, s->vars.at[v].der);
    }
  if (!s->conditions.n)
    return;
  /* from here on the rows are those of one mode; what other modes say is only marked */
  find_values(lo);
  bool *dropped = NEW_ARRAY(lo->a, bool, s->vars.n + 1);
  filter(lo, &s->simulation, dropped);
  filter(lo, &s->initial, dropped);
  split(lo);
  find_absent(lo, dropped);
}

/* ---- which if-equations ---- */

typedef struct {
  Lower *lo;
  const LowerIf *of;
  uint32_t branch;
} Branch;

static ExprId take_branch(void *user, ExprId e) {
  const Branch *b = user;
  for (uint32_t k = 0; k < b->of->n && k <= b->branch; k++)
    if (expr_same(e, b->of->conditions[k]))
      return expr_boolean(b->lo->p, k == b->branch);
  return NO_EXPR;
}

/* May its conditions decide about the structure? Those that change between events may not. */
static bool may_divide(Lower *lo, const LowerIf *f) {
  for (uint32_t k = 0; k < f->n; k++)
    if (!lower_is_discrete(lo, f->conditions[k]))
      return false;
  return true;
}

typedef VEC(uint32_t) RowList;

/* Rows of an if-equation as its branch has them: in `out`. */
static void rows_in_branch(Lower *lo, const RowList *rows, const LowerIf *of, uint32_t branch,
                           SSystem *out) {
  Branch b = {lo, of, branch};
  out->rows.n = 0;
  for (uint32_t k = 0; k < rows->n; k++) {
    /* all branches before it are false */
    SRow row = lo->s->simulation.rows.at[rows->at[k]];
    row.lhs = expr_rewrite(lo->p, row.lhs, take_branch, &b);
    row.rhs = expr_rewrite(lo->p, row.rhs, take_branch, &b);
    vec_push(lo->a, &out->rows, row);
  }
}

static bool occurs(const IncidenceRow *row, uint32_t var) {
  for (uint32_t k = 0; k < row->n; k++)
    if (row->at[k].var == var)
      return true;
  return false;
}

typedef struct {
  const Lower *lo;
  bool found;
} StateSearch;

static void find_state(void *user, ExprId e) {
  StateSearch *se = user;
  uint32_t v;
  /* a state: what has a derivative anywhere */
  se->found = se->found || (lowered_var(se->lo->p, e, &v) && se->lo->s->vars.at[v].der != NO_SVAR);
}

static bool holds_state(Lower *lo, const SRow *row) {
  StateSearch se = {lo, false};
  /* of a section that is a function its body is what it says; else its targets have rows of their
   * own */
  if (row->kind == ROW_ALGORITHM) {
    const SAlgorithm *alg = &lo->s->algorithms.at[row->number];
    stmts_vars(lo->p, alg->body, section_is_function(lo, row->number) ? alg->n_body : 0, find_state,
               &se);
    return se.found;
  }
  expr_walk(lo->p, row->lhs, find_state, &se);
  expr_walk(lo->p, row->rhs, find_state, &se);
  return se.found;
}

/* The rows of a branch, in place of those of the union. */
typedef struct {
  Lower *lo;
  const RowList *rows;
  const SSystem *branch;
  IncidenceTable t; /* of the union; rows of the branch in their places while it is tried */
  Matching m;       /* on trial */
  uint32_t *row_of; /* of the union: per SVar */
  const bool *unknown;
  Map tried; /* rows, with what stands inside of them, that bind nothing; see mark_of */
} Trial;

static uint64_t mix(uint64_t sum, uint64_t value) {
  return (sum ^ value) * 0x100000001b3u;
} /* FNV-1a */

/* A number that tells rows apart. Branches inside of each other meet the same rows again and again:
 * tried once, they cost as much as there are of them, not as there are ways to them. */
static uint64_t mark_of(const Trial *tr, const SSystem *rows, uint64_t inside) {
  uint64_t sum = mix(0xcbf29ce484222325u, inside);
  for (uint32_t k = 0; k < rows->rows.n; k++) {
    const SRow *row = &rows->rows.at[k];
    sum = mix(mix(mix(sum, tr->rows->at[k]), row->lhs.i), row->rhs.i);
  }
  return sum >> 1; /* no key of a map is all ones */
}

/* Begun once for all branches: the tables of the whole model are made only once */
static Trial trial_begin(Lower *lo, const SSystem *branch, const bool *unknown) {
  const SSystem *sys = &lo->s->simulation;
  Trial tr = {.lo = lo,
              .branch = branch,
              .t = table_build(lo->s, sys, unknown, false, lo->a),
              .unknown = unknown};
  tr.m = matching_new(lo->s, sys->rows.n, lo->a);
  tr.row_of = matching_new(lo->s, sys->rows.n, lo->a).row_of;
  for (uint32_t r = 0; r < sys->rows.n; r++)
    tr.row_of[sys->match[r]] = r;
  return tr;
}

/* Do the rows that are too many, with all that compete with them, say something about states? */
static bool binds_states(const Trial *tr, const Matching *m) {
  Lower *lo = tr->lo;
  const SSystem *sys = &lo->s->simulation;
  bool *over = NEW_ARRAY(lo->a, bool, sys->rows.n + 1);
  bool found = false;
  match_over(lo->s, &tr->t, m, over, lo->a);
  for (uint32_t r = 0; r < sys->rows.n && !found; r++) {
    if (!over[r] || sys->rows.at[r].kind == ROW_RELATION)
      continue;
    const SRow *row = &sys->rows.at[r];
    /* a row of the branch stands for that of the union */
    for (uint32_t k = 0; k < tr->rows->n; k++)
      row = tr->rows->at[k] == r ? &tr->branch->rows.at[k] : row;
    found = holds_state(lo, row);
  }
  return found;
}

/* With the rows as the branch has them: is there no complete matching, because they bind states?
 * What binds nothing that moves is left to the run: there an equation that says nothing leaves its
 * unknown as it was. */
static bool branch_binds(Trial *tr) {
  Lower *lo = tr->lo;
  const SSystem *sys = &lo->s->simulation;
  const RowList *rows = tr->rows;
  IncidenceTable of = table_build(lo->s, tr->branch, tr->unknown, false, lo->a);
  bool same = true;
  for (uint32_t k = 0; k < rows->n; k++)
    same = same && occurs(&of.rows[k], sys->match[rows->at[k]]);
  /* the matching of the union holds here, too: the branch leaves nothing without an unknown */
  if (same)
    return false;
  Matching *m = &tr->m;
  memcpy(m->var_of, sys->match, sys->rows.n * sizeof *m->var_of);
  memcpy(m->row_of, tr->row_of, lo->s->vars.n * sizeof *m->row_of);
  /* the branch on trial: its rows in the places of those of the union, without their unknowns */
  IncidenceRow *before = NEW_ARRAY(lo->a, IncidenceRow, rows->n);
  for (uint32_t k = 0; k < rows->n; k++) {
    uint32_t r = rows->at[k];
    before[k] = tr->t.rows[r];
    tr->t.rows[r] = of.rows[k];
    m->row_of[m->var_of[r]] = NO_ROW;
    m->var_of[r] = NO_SVAR;
  }
  bool all = true;
  for (uint32_t k = 0; k < rows->n; k++)
    all = match_row(lo->s, &tr->t, m, rows->at[k], tr->unknown, OCCURS_NONLINEAR, lo->a) && all;
  bool binds = !all && binds_states(tr, m);
  /* the next branch begins with the rows of the union */
  for (uint32_t k = 0; k < rows->n; k++)
    tr->t.rows[rows->at[k]] = before[k];
  return binds;
}

/* What stands inside a branch that is kept apart may not be part of the mode at hand: then nobody
 * can try it, and it is kept apart, too, if its branches hold different variables. */
static bool divide_inner(Lower *lo, bool *divides) {
  bool found = false;
  /* ifs inside of one that is kept apart stand behind it, up to its end */
  for (uint32_t k = 0; k < lo->ifs.n; k++)
    for (uint32_t q = k + 1; lo->ifs.at[k].kept && q < lo->ifs.at[k].end; q++)
      if (lo->ifs.at[q].unlike && !divides[q] && may_divide(lo, &lo->ifs.at[q]))
        divides[q] = found = true;
  return found;
}

/* The rows of a branch as a branch of an if-equation inside of it has them; false: it is not
 * there. */
static bool rows_in_inner(Lower *lo, const SSystem *outer, const LowerIf *of, uint32_t branch,
                          SSystem *out) {
  Branch b = {lo, of, branch};
  bool changed = false;
  for (uint32_t k = 0; k < outer->rows.n; k++) {
    SRow row = outer->rows.at[k];
    row.lhs = expr_rewrite(lo->p, row.lhs, take_branch, &b);
    row.rhs = expr_rewrite(lo->p, row.rhs, take_branch, &b);
    changed = changed || !expr_same(row.lhs, outer->rows.at[k].lhs) ||
              !expr_same(row.rhs, outer->rows.at[k].rhs);
    vec_push(lo->a, &out->rows, row);
  }
  return changed;
}

/* Does a branch bind that stands inside of a branch of if-equation k, whose rows these are? Taken
 * alone neither need do so: the other branches hold what the row determines. */
static bool inner_binds(Trial *tr, uint32_t k, const SSystem *outer) {
  Lower *lo = tr->lo;
  bool binds = false;
  /* those that stand in it directly: what is inside of them comes with their branches */
  for (uint32_t q = k + 1, next; q < lo->ifs.at[k].end && !binds; q = next) {
    const LowerIf *of = &lo->ifs.at[q];
    next = of->end > q ? of->end : q + 1;
    for (uint32_t b = 0; b <= of->n && may_divide(lo, of) && !binds; b++) {
      SSystem rows = {0};
      if (!rows_in_inner(lo, outer, of, b, &rows))
        continue;
      uint64_t mark = mark_of(tr, &rows, q + 1);
      if (map_get(&tr->tried, mark, &(uint64_t){0}))
        continue;
      tr->branch = &rows;
      binds = branch_binds(tr) || inner_binds(tr, q, &rows);
      if (!binds)
        map_put(lo->a, &tr->tried, mark, 1);
    }
  }
  tr->branch = outer;
  return binds;
}

bool modes_needed(Lower *lo, bool *divides) {
  SSystem *sys = &lo->s->simulation;
  RowList *rows = NEW_ARRAY(lo->a, RowList, lo->ifs.n + 1);
  bool any = false, found = divide_inner(lo, divides);
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    const SRow *row = &sys->rows.at[r];
    /* derivatives follow their rows; what changes between events may not choose rows */
    if (!row->choice || row->derivative_of || !may_divide(lo, &lo->ifs.at[row->choice - 1]))
      continue;
    vec_push(lo->a, &rows[row->choice - 1], r);
    any = true;
  }
  if (!any)
    return found;
  bool *unknown = system_unknowns(lo->s, lo->a);
  SSystem branch = {0};
  Trial tr = trial_begin(lo, &branch, unknown);
  /* a branch that binds settles it: the others need not be tried */
  for (uint32_t k = 0; k < lo->ifs.n; k++)
    for (uint32_t b = 0; rows[k].n && b <= lo->ifs.at[k].n && !divides[k]; b++) {
      tr.rows = &rows[k];
      rows_in_branch(lo, &rows[k], &lo->ifs.at[k], b, &branch);
      divides[k] = branch_binds(&tr) || inner_binds(&tr, k, &branch);
      found = found || divides[k];
    }
  return found;
}

/* ---- which if-expressions ---- */

typedef struct {
  ExprId condition;
  RowList rows; /* that hold it */
} Candidate;

typedef struct {
  Lower *lo;
  VEC(Candidate) found;
  Map seen; /* condition -> number */
  uint32_t row;
} Search;

typedef struct {
  const Lower *lo;
  bool found;
} ChoiceSearch;

static void find_choice(void *user, ExprId e) {
  ChoiceSearch *se = user;
  uint32_t v;
  se->found = se->found ||
              (lowered_var(se->lo->p, e, &v) && se->lo->s->vars.at[v].kind == SV_CHOICE);
}

/* It names states of a selection: these are exchanged before a choice becomes singular. */
static bool is_choice(const Lower *lo, ExprId condition) {
  ChoiceSearch se = {lo, false};
  expr_walk(lo->p, condition, find_choice, &se);
  return se.found;
}

/* Conditions that change between events cannot choose a structure. */
static bool may_choose(Lower *lo, const Expr *x) {
  return x->op == OP_IF && !expr_is_literal(lo->p, x->args[0]) &&
         lower_is_discrete(lo, x->args[0]) && !is_choice(lo, x->args[0]);
}

static void find_condition(void *user, ExprId e) {
  Search *se = user;
  Lower *lo = se->lo;
  const Expr *x = expr_get(lo->p, e);
  uint64_t number;
  if (!may_choose(lo, x))
    return;
  ExprId condition = x->args[0];
  if (!map_get(&se->seen, condition.i, &number)) {
    number = se->found.n;
    map_put(lo->a, &se->seen, condition.i, number);
    vec_push(lo->a, &se->found, (Candidate){.condition = condition});
  }
  RowList *rows = &se->found.at[number].rows;
  /* each row once, however often it holds the condition */
  if (!rows->n || vec_last(rows) != se->row)
    vec_push(lo->a, rows, se->row);
}

/* Does one of the rows hold other variables when the condition is true than when it is false? */
static bool sides_differ(Lower *lo, const RowList *rows, ExprId condition) {
  LowerIf one = {.conditions = &condition, .n = 1};
  SSystem sides[2] = {0};
  size_t n = lo->s->vars.n;
  bool *marks[2] = {NEW_ARRAY(lo->a, bool, n), NEW_ARRAY(lo->a, bool, n)};
  for (uint32_t b = 0; b < 2; b++)
    rows_in_branch(lo, rows, &one, b, &sides[b]);
  for (uint32_t k = 0; k < rows->n; k++) {
    for (uint32_t b = 0; b < 2; b++) {
      memset(marks[b], 0, n * sizeof **marks);
      /* by the variables that occur, whatever their coefficients */
      mark_row(lo, &sides[b].rows.at[k], marks[b]);
    }
    if (memcmp(marks[0], marks[1], n * sizeof **marks))
      return true;
  }
  return false;
}

typedef struct {
  Search *inner;
  ExprId condition;
  uint32_t branch; /* 0: then */
} Inside;

/* The conditions of an expression that stand in no branch of another one. */
static void find_outermost(Search *se, Map *seen, ExprId e) {
  const Expr *x = expr_get(se->lo->p, e);
  if (map_get(seen, e.i, &(uint64_t){0}))
    return;
  map_put(se->lo->a, seen, e.i, 1);
  if (may_choose(se->lo, x))
    find_condition(se, e);
  else
    for (uint32_t k = 0; k < x->n; k++)
      find_outermost(se, seen, x->args[k]);
}

static void find_inside(void *user, ExprId e) {
  const Inside *in = user;
  const Expr *x = expr_get(in->inner->lo->p, e);
  Map seen = {0};
  if (x->op == OP_IF && expr_same(x->args[0], in->condition))
    find_outermost(in->inner, &seen, x->args[1 + in->branch]);
}

/* Conditions that stand in a branch of the if-expressions of this one. */
static Search conditions_inside(Lower *lo, const SSystem *rows, ExprId condition, uint32_t branch) {
  Search inner = {.lo = lo};
  Inside in = {&inner, condition, branch};
  for (inner.row = 0; inner.row < rows->rows.n; inner.row++) {
    expr_walk(lo->p, rows->rows.at[inner.row].lhs, find_inside, &in);
    expr_walk(lo->p, rows->rows.at[inner.row].rhs, find_inside, &in);
  }
  return inner;
}

static void add_split(const Lower *lo, Splits *splits, ExprId condition) {
  /* an inner one may stand inside of several others */
  for (uint32_t k = 0; k < splits->n; k++)
    if (expr_same(splits->at[k], condition))
      return;
  vec_push(lo->a, splits, condition);
}

/* Does one of the two sides of the condition bind states, in rows that hold it, or one of both of
 * a condition inside of it? Then these conditions are splits. */
static bool a_side_binds(Trial *tr, const SSystem *rows, ExprId condition, Splits *splits) {
  Lower *lo = tr->lo;
  LowerIf one = {.conditions = &condition, .n = 1};
  bool binds = false;
  for (uint32_t b = 0; b < 2 && !binds; b++) {
    SSystem side = {0};
    if (!rows_in_inner(lo, rows, &one, b, &side))
      continue;
    Search inner = conditions_inside(lo, rows, condition, b);
    uint64_t inside = 0;
    for (uint32_t k = 0; k < inner.found.n; k++)
      inside = mix(inside, inner.found.at[k].condition.i);
    uint64_t mark = mark_of(tr, &side, inside);
    if (map_get(&tr->tried, mark, &(uint64_t){0}))
      continue;
    tr->branch = &side;
    binds = branch_binds(tr);
    for (uint32_t k = 0; k < inner.found.n && !binds; k++)
      binds = a_side_binds(tr, &side, inner.found.at[k].condition, splits);
    if (!binds)
      map_put(lo->a, &tr->tried, mark, 1);
  }
  if (binds)
    add_split(lo, splits, condition);
  return binds;
}

/* The rows of the simulation with these numbers. */
static SSystem rows_of(const Lower *lo, const RowList *list) {
  SSystem out = {0};
  for (uint32_t k = 0; k < list->n; k++)
    vec_push(lo->a, &out.rows, lo->s->simulation.rows.at[list->at[k]]);
  return out;
}

bool modes_split(Lower *lo, Splits *splits) {
  SSystem *sys = &lo->s->simulation;
  Search se = {.lo = lo};
  for (se.row = 0; se.row < sys->rows.n; se.row++) {
    const SRow *row = &sys->rows.at[se.row];
    /* rows that give one variable its value bind nothing else */
    if (row->derivative_of || row->only != NO_SVAR || !index_counts(lo, row))
      continue;
    expr_walk(lo->p, row->lhs, find_condition, &se);
    expr_walk(lo->p, row->rhs, find_condition, &se);
  }
  if (!se.found.n)
    return false;
  Trial tr = trial_begin(lo, NULL, system_unknowns(lo->s, lo->a));
  uint32_t known = splits->n;
  for (uint32_t k = 0; k < se.found.n; k++) {
    const Candidate *c = &se.found.at[k];
    SSystem rows = rows_of(lo, &c->rows);
    tr.rows = &c->rows;
    if (!lo->m->experiment.all_modes)
      a_side_binds(&tr, &rows, c->condition, splits);
    else if (sides_differ(lo, &c->rows, c->condition))
      add_split(lo, splits, c->condition);
  }
  return splits->n > known;
}

/* ---- equations that repeat each other ---- */

/* Of -a = 0 and a = 0, or a = b and b = a, one form. */
static uint64_t form_of(const Lower *lo, const SRow *row) {
  uint32_t lhs = row->lhs.i, rhs = row->rhs.i;
  const Expr *x = expr_get(lo->p, row->lhs);
  /* an equation and its negative are one */
  if (expr_is_zero(lo->p, row->rhs) && x->op == OP_NEG)
    lhs = x->args[0].i;
  return lhs < rhs ? (uint64_t)lhs << 32 | rhs : (uint64_t)rhs << 32 | lhs;
}

void modes_drop_rows(Lower *lo, const bool *drop) {
  Structure *s = lo->s;
  SSystem *sys = &s->simulation;
  uint32_t n = 0;
  uint32_t n_rows = sys->rows.n;
  uint32_t n_initial = 0;
  bool *initially = NEW_ARRAY(lo->a, bool, s->initial.rows.n + 1);
  const uint32_t *counterpart = rows_initially(lo);
  for (uint32_t r = 0; r < n_rows; r++) {
    initially[counterpart[r]] = drop[r];
    s->n_repeated += drop[r];
    if (!drop[r])
      sys->rows.at[n++] = sys->rows.at[r];
  }
  sys->rows.n = n;
  for (uint32_t r = 0; r < s->initial.rows.n; r++)
    if (!initially[r])
      s->initial.rows.at[n_initial++] = s->initial.rows.at[r];
  s->initial.rows.n = n_initial;
}

void modes_drop_repeated(Lower *lo) {
  SSystem *sys = &lo->s->simulation;
  Map seen = {0};
  bool *drop = NEW_ARRAY(lo->a, bool, sys->rows.n + 1);
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    const SRow *row = &sys->rows.at[r];
    uint64_t known, form = form_of(lo, row);
    /* rows that give one variable its value repeat nothing */
    if (row->kind != ROW_EQUAL || row->only != NO_SVAR ||
        type_get(lo->p, expr_get(lo->p, row->lhs)->type)->base != TY_REAL)
      continue;
    drop[r] = expr_same(row->lhs, row->rhs) || map_get(&seen, form, &known);
    map_put(lo->a, &seen, form, 1);
  }
  modes_drop_rows(lo, drop);
}

void modes_leave_open(Lower *lo, const bool *open) {
  Structure *s = lo->s;
  /* a known value that stays 0, which no simplification sees */
  uint32_t zero = svar_add(lo, SV_LAMBDA, 0, type_scalar(lo->p, TY_REAL));
  s->vars.at[zero].known = s->vars.at[zero].discrete = true;
  /* one equation 0*(sum of all that is open) = 0 for each row that was dropped */
  ExprId sum = NO_EXPR;
  for (uint32_t v = 0; v < zero; v++)
    if (open[v] && !s->vars.at[v].discrete)
      sum = sum.i ? expr_binary(lo->p, OP_ADD, sum, svar_expr(s, v)) : svar_expr(s, v);
  if (!sum.i)
    return;
  /* the count of equations and unknowns is as it was; the run takes the nearest solution */
  ExprId lhs = expr_binary(lo->p, OP_MUL, svar_expr(s, zero), sum);
  ExprId rhs = expr_real(lo->p, 0);
  for (uint32_t k = 0; k < s->n_repeated; k++) {
    row_add(lo, &s->simulation, ROW_EQUAL, lhs, rhs);
    SRow row = vec_last(&s->simulation.rows);
    vec_push(lo->a, &s->initial.rows, row);
  }
  s->n_repeated = 0;
}

/* ---- messages ---- */

void modes_say(Lower *lo, uint32_t from) {
  if (!lo->s->conditions.n)
    return;
  Text t = {.arena = lo->a};
  text_add(&t, "in the mode: ");
  structure_mode_text(lo->s, NULL, &t);
  diags_note_since(lo->diags, from, text_str(&t));
}
