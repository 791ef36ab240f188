/* flat/check_modes.c -- if-equations that change with the mode: how many equations hold, which
 * variables take part.
 * In:   flat model.   Out: variables that some mode leaves out; S105, one if-equation whose
 *       branches differ in number while no branch brings or takes away unknowns for the difference.
 * How:  a variable takes part whenever an equation that always holds, a condition, or every branch
 *       of an if-equation needs it.
 * Keep: bounds that hold in every mode. Several if-equations may make up for each other; which
 *       modes are reached only a run can tell, so that S105 is a warning and the structure of a
 *       mode has the last word. */
#include "flat/check_impl.h"

typedef struct {
  uint32_t *at; /* ascending */
  uint32_t n;
} Vars;

typedef struct {
  Check *c;
  Reader reader;
} Modes;

/* ---- counts ---- */

static uint32_t count_targets(Check *c, const FlatEquation *when) {
  WhenTargets targets = {0};
  when_targets(c->m, c->a, when, &targets);
  uint32_t n = 0;
  for (uint32_t i = 0; i < targets.n; i++) {
    bool first = true;
    for (uint32_t k = 0; k < i && first; k++)
      first = targets.at[k].var != targets.at[i].var;
    n += first;
  }
  return n;
}

/* Scalar equations, counted as in flat_count. */
static uint32_t count_rows(Check *c, const FlatBranch *b) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    const FlatEquation *eq = b->body[i];
    switch (eq->kind) {
    case FEQ_EQUAL: rows++; break;
    case FEQ_TUPLE:
      for (uint32_t k = 0; k < eq->n_targets; k++)
        rows += eq->targets[k].i != 0;
      break;
    case FEQ_IF: rows += eq->n_branches ? count_rows(c, &eq->branches[0]) : 0; break;
    case FEQ_WHEN: rows += count_targets(c, eq); break;
    case FEQ_ALGORITHM: rows += eq->n_targets; break;
    case FEQ_ASSERT:
    case FEQ_TERMINATE:
    case FEQ_REINIT:
    case FEQ_CALL: break;
    }
  }
  return rows;
}

static bool has_else(const FlatEquation *eq) {
  return eq->n_branches && !eq->branches[eq->n_branches - 1].condition.i;
}

bool modes_differ(Check *c, const FlatEquation *eq) {
  if (eq->kind != FEQ_IF || !eq->n_branches)
    return false;
  uint32_t first = count_rows(c, &eq->branches[0]);
  bool differ = first && !has_else(eq);
  for (uint32_t k = 1; k < eq->n_branches; k++)
    differ |= count_rows(c, &eq->branches[k]) != first;
  return differ;
}

/* Is there such an if-equation in it? */
static bool differs_inside(Check *c, const FlatEquation *eq) {
  for (uint32_t k = 0; eq->kind == FEQ_IF && k < eq->n_branches; k++)
    for (uint32_t i = 0; i < eq->branches[k].n; i++)
      if (modes_differ(c, eq->branches[k].body[i]) || differs_inside(c, eq->branches[k].body[i]))
        return true;
  return false;
}

/* ---- which variables take part ---- */

static Vars in_both(Modes *mo, Vars x, Vars y) {
  Vars out = {NEW_ARRAY(mo->c->a, uint32_t, x.n + 1), 0};
  for (uint32_t i = 0, j = 0; i < x.n && j < y.n;) {
    if (x.at[i] == y.at[j])
      out.at[out.n++] = x.at[i];
    uint32_t least = x.at[i] < y.at[j] ? x.at[i] : y.at[j];
    i += x.at[i] == least;
    j += y.at[j] == least;
  }
  return out;
}

static Vars in_any(Modes *mo, Vars x, Vars y) {
  Vars out = {NEW_ARRAY(mo->c->a, uint32_t, x.n + y.n + 1), 0};
  for (uint32_t i = 0, j = 0; i < x.n || j < y.n;) {
    uint32_t least = j == y.n || (i < x.n && x.at[i] <= y.at[j]) ? x.at[i] : y.at[j];
    i += i < x.n && x.at[i] == least;
    j += j < y.n && y.at[j] == least;
    out.at[out.n++] = least;
  }
  return out;
}

static Vars found(Modes *mo) {
  Vars out = {0};
  out.at = reader_sorted(&mo->reader, &out.n);
  return out;
}

static Vars always_in_branch(Modes *mo, const FlatBranch *b);

/* What the equation needs in every mode. */
static Vars always_in(Modes *mo, const FlatEquation *eq) {
  reader_start(&mo->reader);
  if (eq->kind != FEQ_IF) {
    reader_add_equation(&mo->reader, eq, READ_CURRENT);
    return found(mo);
  }
  for (uint32_t k = 0; k < eq->n_branches; k++)
    reader_add(&mo->reader, eq->branches[k].condition, READ_CURRENT);
  Vars out = found(mo), common = {0};
  for (uint32_t k = 0; has_else(eq) && k < eq->n_branches; k++) {
    Vars here = always_in_branch(mo, &eq->branches[k]);
    common = k ? in_both(mo, common, here) : here;
  }
  return in_any(mo, out, common);
}

static Vars always_in_branch(Modes *mo, const FlatBranch *b) {
  Vars out = {0};
  for (uint32_t i = 0; i < b->n; i++)
    out = in_any(mo, out, always_in(mo, b->body[i]));
  return out;
}

static void mark(bool *marks, Vars vars) {
  for (uint32_t i = 0; i < vars.n; i++)
    marks[vars.at[i]] = true;
}

/* What all equations but `without` need in every mode, and in some mode. */
static void take_part(Modes *mo, const FlatEquation *without, bool *always, bool *somewhere) {
  const FlatModel *m = mo->c->m;
  for (uint32_t i = 0; i < m->equations.n; i++) {
    const FlatEquation *eq = m->equations.at[i];
    if (eq == without)
      continue;
    mark(always, always_in(mo, eq));
    reader_start(&mo->reader);
    reader_add_equation(&mo->reader, eq, READ_CURRENT);
    mark(somewhere, found(mo));
  }
}

const bool *modes_absent(Check *c) {
  bool any = false;
  for (uint32_t i = 0; i < c->m->equations.n && !any; i++)
    any = c->m->equations.at[i]->kind == FEQ_IF;
  if (!any)
    return NULL;
  Modes mo = {.c = c};
  reader_init(&mo.reader, c->m, c->a);
  bool *always = NEW_ARRAY(c->a, bool, c->m->vars.n + 1),
       *absent = NEW_ARRAY(c->a, bool, c->m->vars.n + 1);
  take_part(&mo, NULL, always, absent);
  any = false;
  for (uint32_t v = 0; v < c->m->vars.n; v++) {
    absent[v] &= !always[v] && flat_is_unknown(c->m, v);
    any |= absent[v];
  }
  return any ? absent : NULL;
}

/* ---- S105 ---- */

static uint32_t count_unknowns(const Check *c, const bool *marks) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < c->m->vars.n; v++)
    n += marks[v] && flat_is_unknown(c->m, v);
  return n;
}

static bool *copy_of(Check *c, const bool *marks) {
  bool *copy = NEW_ARRAY(c->a, bool, c->m->vars.n + 1);
  for (uint32_t v = 0; v < c->m->vars.n; v++)
    copy[v] = marks[v];
  return copy;
}

/* Can the model be square while the branch holds? `rows`: equations besides it. */
static bool may_be_square(Modes *mo, const FlatBranch *b, uint32_t rows, const bool *always,
                          const bool *somewhere) {
  Check *c = mo->c;
  bool *least = copy_of(c, always), *most = copy_of(c, somewhere);
  mark(least, always_in_branch(mo, b));
  reader_start(&mo->reader);
  for (uint32_t i = 0; i < b->n; i++)
    reader_add_equation(&mo->reader, b->body[i], READ_CURRENT);
  mark(most, found(mo));
  rows += count_rows(c, b);
  return rows >= count_unknowns(c, least) && rows <= count_unknowns(c, most);
}

static bool some_branch_fails(Check *c, const FlatEquation *eq) {
  Modes mo = {.c = c};
  reader_init(&mo.reader, c->m, c->a);
  bool *always = NEW_ARRAY(c->a, bool, c->m->vars.n + 1),
       *somewhere = NEW_ARRAY(c->a, bool, c->m->vars.n + 1);
  take_part(&mo, eq, always, somewhere);
  reader_start(&mo.reader);
  for (uint32_t k = 0; k < eq->n_branches; k++)
    reader_add(&mo.reader, eq->branches[k].condition, READ_CURRENT);
  mark(always, found(&mo));
  mark(somewhere, found(&mo));
  uint32_t rows = c->counts.equations - count_rows(c, &eq->branches[0]);
  bool fails = !has_else(eq) && !may_be_square(&mo, &(FlatBranch){0}, rows, always, somewhere);
  for (uint32_t k = 0; k < eq->n_branches; k++)
    fails |= !may_be_square(&mo, &eq->branches[k], rows, always, somewhere);
  return fails;
}

void check_branches(Check *c) {
  const FlatEquation *only = NULL;
  for (uint32_t i = 0; i < c->m->equations.n; i++) {
    const FlatEquation *eq = c->m->equations.at[i];
    bool differs = modes_differ(c, eq);
    if ((only && differs) || differs_inside(c, eq))
      return;
    only = differs ? eq : only;
  }
  if (!only || !some_branch_fails(c, only))
    return;
  Text counts = {.arena = c->a};
  for (uint32_t k = 0; k < only->n_branches; k++)
    text_printf(&counts, "%s%u",
                !k                                            ? ""
                : k + 1 == only->n_branches && has_else(only) ? " and "
                                                              : ", ",
                count_rows(c, &only->branches[k]));
  if (!has_else(only))
    text_add(&counts, " and (without `else`) 0");
  Diag *d = diag_add(c->diags, D_S105, only->span,
                     "the branches have %s equations, and nothing makes up for the difference",
                     text_str(&counts));
  diag_help(c->diags, d, "say in each branch what holds there: as many equations as in the others");
  diag_origin(c->diags, d, check_origin(c->m, c->a, only->origin));
}
