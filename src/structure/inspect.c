/* structure/inspect.c -- facts about a structure that its users ask for: counts, reasons,
 * constraints.
 * In:   a structure.   Out: Facts, from which inspect_text.c and inspect_json.c tell the same.
 * How:  nothing is recorded for it while a structure is built: what was differentiated, replaced or
 *       chosen is read from the rows and SVars that are left. */
#include "structure/inspect_impl.h"
#include "structure/incidence.h"
#include "structure/lowered.h"
#include "structure/name.h"

#include <string.h>

const char *const block_kind_names[] = {[BLOCK_EXPLICIT] = "explicit",
                                        [BLOCK_LINEAR] = "linear",
                                        [BLOCK_NONLINEAR] = "nonlinear",
                                        [BLOCK_RELATION] = "relation",
                                        [BLOCK_ALGORITHM] = "algorithm"};
const char *const block_phase_names[] = {[PHASE_DISCRETE] = "at events",
                                         [PHASE_DYNAMIC] = "for derivatives and event indicators",
                                         [PHASE_OUTPUT] = "for the result only"};
const char *const start_kind_names[] = {[START_FIXED] = "fixed start value",
                                        [START_EQUATION] = "initial equation",
                                        [START_OTHERS] = "other equations",
                                        [START_DEFAULT] = "start value, by default"};

/* ---- texts ---- */

const char *fact_name(const Facts *f, uint32_t var) {
  Text t = {.arena = f->in->a};
  structure_name(f->s, var, &t);
  return text_str(&t);
}

static const char *fact_expr(const Facts *f, ExprId e) {
  Text t = {.arena = f->in->a};
  structure_print(f->s, e, &t);
  return text_str(&t);
}

const char *fact_mode(const Facts *f, const bool *values) {
  Text t = {.arena = f->in->a};
  for (uint32_t k = 0; k < f->s->conditions.n; k++) {
    const SCondition *c = &f->s->conditions.at[k];
    bool plain = f->s->vars.at[c->var].kind == SV_VAR;
    bool value = values ? values[k] : c->value;
    text_printf(&t, "%s%s%s%s", k ? ", " : "",
                value   ? ""
                : plain ? "not "
                        : "not (",
                fact_name(f, c->var), value || plain ? "" : ")");
  }
  return text_str(&t);
}

bool fact_decides(const Facts *f, uint32_t var) {
  for (uint32_t k = 0; k < f->s->conditions.n; k++)
    if (f->s->conditions.at[k].var == var)
      return true;
  return false;
}

const char *fact_times(const Facts *f, uint32_t times) {
  return times == 1 ? "once" : times == 2 ? "twice" : arena_printf(f->in->a, "%u times", times);
}

static bool is_past(const Facts *f, ExprId e) {
  Op op = expr_get(f->s->model->pool, e)->op;
  return op == OP_DELAY || op == OP_SPATIAL;
}

const char *fact_row(const Facts *f, const SRow *row) {
  Arena *a = f->in->a;
  switch (row->kind) {
  case ROW_ALGORITHM: return "algorithm";
  case ROW_RELATION: return fact_name(f, f->s->relations.at[row->number].var);
  case ROW_EQUAL: break;
  }
  const SVar *only = row->only == NO_SVAR ? NULL : &f->s->vars.at[row->only];
  if (only && only->kind == SV_CONDITION)
    return arena_printf(a, "when %s", fact_expr(f, row->rhs));
  if (only && only->kind == SV_BUFFER && only->meaning.i != row->rhs.i &&
      expr_get(f->s->model->pool, only->meaning)->op == OP_VAR)
    return "(value inside of an algorithm)";
  if (only && only->kind == SV_BUFFER)
    return only->discrete              ? "(event function)"
           : is_past(f, only->meaning) ? "(past value)"
                                       : "(recorded)";
  return arena_printf(a, "%s = %s", fact_expr(f, row->lhs), fact_expr(f, row->rhs));
}

const char *fact_place(const Facts *f, Span span) {
  Place at = source_place(f->in->sources, span.lo);
  if (!span.hi || !at.source)
    return "";
  const char *slash = strrchr(at.source->name, '/');
  return arena_printf(f->in->a, "%s:%u", slash ? slash + 1 : at.source->name, at.line);
}

const char *fact_start(const Facts *f, uint32_t var) {
  const SVar *v = &f->s->vars.at[var];
  if (v->kind == SV_CHOSEN)
    return "";
  ExprId e = v->kind == SV_VAR ? f->s->starts[var] : NO_EXPR;
  return e.i ? fact_expr(f, e) : "0";
}

const char *fact_nominal(const Facts *f, uint32_t var) {
  const SVar *v = &f->s->vars.at[var];
  if (v->kind == SV_CHOSEN)
    return "";
  ExprId e = v->kind == SV_VAR ? f->s->model->vars.at[var].nominal : NO_EXPR;
  return e.i ? fact_expr(f, e) : "1";
}

const char *fact_type(const Facts *f, uint32_t var) {
  const Type *t = type_get(f->s->model->pool, f->s->model->vars.at[var].type);
  switch (t->base) {
  case TY_REAL: return "Real";
  case TY_INTEGER: return "Integer";
  case TY_BOOLEAN: return "Boolean";
  case TY_STRING: return "String";
  case TY_ENUM: return t->decl->name;
  case TY_EXTERNAL: return "ExternalObject";
  case TY_NONE:
  case TY_CLOCK:
  case TY_RECORD:
  case TY_FUNCTION:
  case TY_TUPLE: break;
  }
  return "";
}

const char *fact_kind(const Facts *f, uint32_t v) {
  const SVar *sv = &f->s->vars.at[v];
  if (f->s->model->vars.at[v].variability == FLAT_CONSTANT)
    return "constant";
  if (f->s->model->vars.at[v].variability == FLAT_PARAMETER)
    return "parameter";
  if (sv->known)
    return "input";
  return sv->state             ? "state"
         : sv->alias.i         ? "alias"
         : sv->discrete        ? "discrete"
         : fact_is_dummy(f, v) ? "dummy"
                               : "algebraic";
}

/* ---- counting ---- */

static void count_variables(Facts *f) {
  const Structure *s = f->s;
  Counts *c = &f->counts;
  c->variables = s->model->vars.n;
  c->states = s->conditions.n ? 0 : s->states.n;
  for (uint32_t v = 0; v < s->model->vars.n; v++) {
    const FlatVar *fv = &s->model->vars.at[v];
    const SVar *sv = &s->vars.at[v];
    /* in a model whose structure changes s->states holds those of all modes */
    c->states += s->conditions.n && sv->state;
    if (fv->variability == FLAT_CONSTANT)
      c->constants++;
    else if (fv->variability == FLAT_PARAMETER)
      c->parameters++;
    else if (sv->known)
      c->inputs++;
    else if (sv->alias.i)
      c->aliases++;
    else if (sv->discrete)
      c->discrete++;
    else if (fact_is_dummy(f, v))
      c->dummies++;
    else
      c->algebraic += !sv->state;
  }
}

static void count_events(const Structure *s, Counts *c) {
  c->relations = s->relations.n;
  c->samples = s->samples.n;
  c->delays = s->delays.n + s->transports.n;
  for (uint32_t k = 0; k < s->relations.n; k++)
    c->timed += s->relations.at[k].timed;
  for (uint32_t v = 0; v < s->vars.n; v++)
    c->conditions += s->vars.at[v].kind == SV_CONDITION;
  /* those that make the mode are told apart */
  for (uint32_t k = 0; k < s->conditions.n; k++)
    c->conditions -= s->vars.at[s->conditions.at[k].var].kind == SV_CONDITION;
  for (uint32_t k = 0; k < s->actions.n; k++)
    c->reinits += s->actions.at[k].kind == ACTION_REINIT;
}

static void count_blocks(const SSystem *sys, Counts *c) {
  uint32_t last_mixed = 0;
  for (uint32_t b = 0; b < sys->blocks.n; b++) {
    const SBlock *bl = &sys->blocks.at[b];
    c->blocks[bl->kind]++;
    if (bl->n > c->largest[bl->kind]) {
      c->largest[bl->kind] = bl->n;
      c->torn[bl->kind] = bl->n_tear;
    }
    c->mixed += bl->mixed && bl->mixed != last_mixed;
    last_mixed = bl->mixed;
  }
}

/* Pryce, BIT 41 (2001): as often as the most often differentiated equation, and once more if some
 * unknown has no derivative. */
static uint32_t index_of(const Facts *f) {
  uint32_t most = 0;
  bool algebraic = false;
  for (uint32_t k = 0; k < f->constraints.n; k++)
    most = f->constraints.at[k].times > most ? f->constraints.at[k].times : most;
  for (uint32_t k = 0; k < f->s->invariants.n; k++)
    most = f->s->invariants.at[k].times > most ? f->s->invariants.at[k].times : most;
  for (uint32_t v = 0; v < f->s->model->vars.n && !algebraic; v++) {
    const SVar *sv = &f->s->vars.at[v];
    algebraic = !sv->known && !sv->discrete && !sv->alias.i && !sv->state && sv->der == NO_SVAR;
  }
  return most + algebraic;
}

/* ---- constraints ---- */

typedef struct {
  Facts *f;
  uint32_t number;
} Invariant;

static void mark_invariant(void *user, ExprId e) {
  Invariant *in = user;
  uint32_t v;
  if (lowered_var(in->f->s->model->pool, e, &v) && !in->f->invariant_of[v])
    in->f->invariant_of[v] = in->number + 1;
}

static void find_invariants(Facts *f) {
  for (uint32_t k = 0; k < f->s->invariants.n; k++) {
    const SRow *row = &f->s->invariants.at[k];
    Invariant in = {f, k};
    expr_walk(f->s->model->pool, row->lhs, mark_invariant, &in);
    expr_walk(f->s->model->pool, row->rhs, mark_invariant, &in);
  }
}

static void find_constraints(Facts *f) {
  const SSystem *sys = &f->s->simulation;
  bool *has_der = NEW_ARRAY(f->in->a, bool, f->s->vars.n + 1);
  bool any = false;
  for (uint32_t r = 0; r < sys->rows.n; r++)
    any = any || sys->rows.at[r].times;
  if (!any)
    return;
  for (uint32_t v = 0; v < f->s->vars.n; v++)
    has_der[v] = f->s->vars.at[v].der != NO_SVAR;
  IncidenceTable t = table_build(f->s, sys, has_der, false, f->in->a);
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    uint32_t times = sys->rows.at[r].times;
    f->counts.differentiated += sys->rows.at[r].derivative_of != 0;
    for (uint32_t k = 0; k < t.rows[r].n && times; k++)
      if (!f->constraint_of[t.rows[r].at[k].var])
        f->constraint_of[t.rows[r].at[k].var] = r + 1;
    if (times && !sys->rows.at[r].derivative_of)
      vec_push(f->in->a, &f->constraints, (Constraint){r, times});
  }
}

bool fact_is_dummy(const Facts *f, uint32_t var) {
  const SVar *v = &f->s->vars.at[var];
  return v->kind == SV_VAR && v->der != NO_SVAR && !v->state && !v->alias.i;
}

bool fact_is_alias(const Facts *f, const SBlock *b) {
  return b->kind == BLOCK_EXPLICIT && f->s->vars.at[b->unknowns[0]].alias.i;
}

static uint32_t *rows_of(const Structure *s, const SSystem *sys, Arena *a) {
  uint32_t *out = NEW_ARRAY(a, uint32_t, s->vars.n + 1);
  memset(out, 0xff, s->vars.n * sizeof *out);
  for (uint32_t r = 0; r < sys->rows.n; r++)
    if (sys->match[r] != NO_SVAR)
      out[sys->match[r]] = r;
  return out;
}

static bool is_fixed(const Facts *f, uint32_t var) {
  int64_t fixed = 0;
  ExprId e = f->s->model->vars.at[var].fixed;
  return e.i && expr_as_integer(f->s->model->pool, e, &fixed) && fixed;
}

/* Per constraint the best of the variables that it made follow from the states. */
static void find_rivals(Facts *f) {
  f->rivals = NEW_ARRAY(f->in->a, Rivals, f->s->simulation.rows.n + 1);
  for (uint32_t v = 0; v < f->s->model->vars.n; v++) {
    if (!f->constraint_of[v] || !fact_is_dummy(f, v))
      continue;
    const FlatVar *fv = &f->s->model->vars.at[v];
    Rivals *r = &f->rivals[f->constraint_of[v] - 1];
    r->any = true;
    r->fixed = r->fixed || is_fixed(f, v);
    r->start = r->start || fv->start.i;
    r->select = fv->select > r->select ? fv->select : r->select;
  }
  f->reinitialised = NEW_ARRAY(f->in->a, bool, f->s->vars.n + 1);
  for (uint32_t k = 0; k < f->s->actions.n; k++)
    if (f->s->actions.at[k].kind == ACTION_REINIT)
      f->reinitialised[f->s->actions.at[k].state] = true;
}

ExprId inspect_value(const Inspect *in, uint32_t v) {
  const FlatVar *fv = &in->s->model->vars.at[v];
  /* of what the initialisation finds, `bindings` has only where that begins */
  if (in->s->vars.at[v].known && in->s->vars.at[v].free && fv->binding.i)
    return fv->binding;
  return in->s->bindings[v].i ? in->s->bindings[v] : in->s->starts[v];
}

Facts facts_of(const Inspect *in) {
  Facts f = {.in = in, .s = in->s};
  f.constraint_of = NEW_ARRAY(in->a, uint32_t, in->s->vars.n + 1);
  f.row_of = rows_of(in->s, &in->s->simulation, in->a);
  f.initial_row_of = rows_of(in->s, &in->s->initial, in->a);
  count_variables(&f);
  count_events(in->s, &f.counts);
  count_blocks(&in->s->simulation, &f.counts);
  f.invariant_of = NEW_ARRAY(in->a, uint32_t, in->s->vars.n + 1);
  find_constraints(&f);
  find_invariants(&f);
  find_rivals(&f);
  f.counts.equations = in->s->simulation.rows.n - f.counts.differentiated;
  f.counts.index = index_of(&f);
  return f;
}

/* ---- why a state is one ---- */

const char *fact_reason(const Facts *f, uint32_t state) {
  static const char *const selects[] = {"",
                                        "StateSelect.never",
                                        "StateSelect.avoid",
                                        "StateSelect.default",
                                        "StateSelect.prefer",
                                        "StateSelect.always"};
  if (f->s->vars.at[state].kind == SV_CHOSEN)
    return arena_printf(f->in->a, "one of these, chosen while it runs (constraint %s)",
                        fact_place(f, f->s->vars.at[state].span));
  const FlatVar *v = &f->s->model->vars.at[state];
  if (f->invariant_of[state])
    return arena_printf(f->in->a, "kept to its constraint by projection (%s)",
                        fact_place(f, f->s->invariants.at[f->invariant_of[state] - 1].span));
  if (!f->constraint_of[state])
    return "no equation constrains it";
  Rivals others = f->rivals[f->constraint_of[state] - 1];
  const char *place = fact_place(f, f->s->simulation.rows.at[f->constraint_of[state] - 1].span);
  const char *why = "the constraint leaves it free";
  if (f->s->invariants.n)
    return arena_printf(f->in->a, "kept to a constraint by projection, by way of %s", place);
  if (f->reinitialised[state])
    why = "it is reinitialised";
  else if (others.any && v->select > others.select)
    why = selects[v->select];
  else if (others.any && is_fixed(f, state) && !others.fixed)
    why = "its start value is fixed";
  else if (others.any && v->start.i && !others.start)
    why = "it has a start value";
  else if (others.any)
    why = "chosen among equals";
  return arena_printf(f->in->a, "%s (constraint %s)", why, place);
}

/* ---- initial values ---- */

bool fact_is_fixed_row(const Facts *f, const SRow *row) {
  if (!row->initial_only || row->kind != ROW_EQUAL)
    return false;
  const Expr *x = expr_get(f->s->model->pool, row->lhs);
  uint32_t v;
  return lowered_var(f->s->model->pool, x->op == OP_NEG ? x->args[0] : row->lhs, &v) &&
         row->span.lo == f->s->vars.at[v].span.lo && row->span.hi == f->s->vars.at[v].span.hi;
}

StartKind fact_start_kind(const Facts *f, uint32_t state, uint32_t *row) {
  *row = f->initial_row_of[state];
  if (!f->s->vars.at[state].free)
    return START_FIXED;
  if (*row == NO_ROW)
    return START_DEFAULT;
  return f->s->initial.rows.at[*row].initial_only ? START_EQUATION : START_OTHERS;
}
