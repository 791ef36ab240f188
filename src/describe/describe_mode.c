/* describe/describe_mode.c -- what depends on the mode: states that are chosen, conditions, jumps
 * and pulses, invariants, contact forces, derivatives that mean nothing. */
#include "describe/describe_impl.h"
#include "structure/name.h"
#include "structure/sorted.h"
#include "structure/tables.h"

/* Rows and columns of entries, both at once. */
typedef struct {
  int *rows, *columns;
} Entries;

static Entries new_entries(Description *d, uint32_t n) {
  return (Entries){NEW_LIST(d, int, n), NEW_LIST(d, int, n)};
}

static void set_entries(Entries to, uint32_t first, const SEntry *from, uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    to.rows[first + k] = (int)from[k].row, to.columns[first + k] = (int)from[k].column;
}

/* ---- states that are chosen ---- */

static int *variables_of(Description *d, const uint32_t *vars, uint32_t n) {
  int *out = NEW_LIST(d, int, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = structure_variable(d->s, vars[k]);
  return out;
}

static DsSelection describe_selection(Description *d, const SSelection *se) {
  uint32_t n_states = se->n - se->n_rows;
  Entries entries = new_entries(d, se->n_entries);
  set_entries(entries, 0, d->s->entries.at + se->entry, se->n_entries);
  for (uint32_t k = se->entry; k < se->entry + se->n_entries; k++)
    vec_push(d->a, &d->selection, (Listed){k, d->s->entries.at[k].d, se->span});
  return (DsSelection){.n = (int)se->n,
                       .n_states = (int)n_states,
                       .n_entries = (int)se->n_entries,
                       .candidates = describe_places_of(d, se->candidates, se->n),
                       .variables = variables_of(d, se->candidates, se->n),
                       .weights = se->weights,
                       .states = describe_places_of(d, se->states, n_states),
                       .choices = describe_places_of(d, se->choices, n_states),
                       .first = describe_numbers(d, se->first, n_states),
                       .rows = entries.rows,
                       .columns = entries.columns};
}

void describe_selections(Description *d) {
  uint32_t n = d->s->selections.n;
  DsSelection *out = NEW_ROWS(d, DsSelection, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = describe_selection(d, &d->s->selections.at[k]);
  d->model.selections = out, d->model.n_selections = (int)n;
}

/* ---- conditions ---- */

void describe_conditions(Description *d) {
  uint32_t n = d->s->conditions.n;
  if (!n)
    return;
  int *places = NEW_LIST(d, int, n), *relations = NEW_LIST(d, int, n);
  unsigned char *mode = NEW_LIST(d, unsigned char, n);
  for (uint32_t k = 0; k < n; k++) {
    const SCondition *c = &d->s->conditions.at[k];
    places[k] = (int)d->s->vars.at[c->var].place;
    relations[k] = c->negated ? -(int)c->relation : (int)c->relation;
    mode[k] = c->value;
  }
  d->model.n_conditions = (int)n;
  d->model.conditions = places, d->model.condition_relations = relations, d->model.mode = mode;
}

/* ---- jumps and pulses ---- */

static int place_or_none(const Description *d, uint32_t var) {
  return var == NO_SVAR || !var ? -1 : (int)d->s->vars.at[var].place;
}

static void list_values(Description *d, const SJump *j) {
  for (uint32_t k = 0; k < j->rates.n; k++)
    describe_value(d, &d->jump, j->rates.at[k].d, j->spans[j->rates.at[k].row]);
  for (uint32_t k = 0; k < j->values.n; k++)
    describe_value(d, &d->jump, j->values.at[k].d, j->spans[j->values.at[k].row]);
  for (uint32_t i = 0; i < j->n; i++)
    describe_value(d, &d->jump, j->residuals[i], j->spans[i]);
  for (uint32_t i = 0; i < j->n; i++)
    describe_value(d, &d->jump, j->moves[i], j->spans[i]);
}

static DsJump describe_jump(Description *d, const SJump *j) {
  const SVar *vars = d->s->vars.at;
  uint32_t n = j->n;
  Entries entries = new_entries(d, j->rates.n + j->values.n);
  set_entries(entries, 0, j->rates.at, j->rates.n);
  set_entries(entries, j->rates.n, j->values.at, j->values.n);
  int *ders = NEW_LIST(d, int, n), *areas = NEW_LIST(d, int, 2 * n),
      *equations = NEW_LIST(d, int, n);
  for (uint32_t i = 0; i < n; i++) {
    const SVar *v = &vars[j->vars[i]];
    ders[i] = place_or_none(d, v->der);
    areas[i] = place_or_none(d, v->pulse);
    areas[n + i] = v->der == NO_SVAR ? -1 : place_or_none(d, vars[v->der].pulse);
    equations[i] = (int)describe_place(d, j->spans[i]);
  }
  return (DsJump){.n = (int)n,
                  .n_rates = (int)j->rates.n,
                  .n_values = (int)j->values.n,
                  .places = describe_places_of(d, j->vars, n),
                  .ders = ders,
                  .areas = areas,
                  .variables = variables_of(d, j->vars, n),
                  .equations = equations,
                  .rows = entries.rows,
                  .columns = entries.columns};
}

static void describe_pulses(Description *d) {
  uint32_t n;
  const SPulse *found = structure_pulses(d->s, d->a, &n);
  DsPulse *out = NEW_ROWS(d, DsPulse, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = (DsPulse){(int)found[k].place, found[k].variable, found[k].state};
  d->model.pulses = out, d->model.n_pulses = (int)n;
  for (uint32_t k = 0; k < d->s->relations.n; k++) {
    const SRelation *r = &d->s->relations.at[k];
    if (r->area.i)
      vec_push(d->a, &d->relation_areas, (Listed){k, r->area, r->span});
  }
}

void describe_jumps(Description *d) {
  uint32_t n = d->s->jumps.n;
  DsJump *out = NEW_ROWS(d, DsJump, n);
  for (uint32_t k = 0; k < n; k++) {
    out[k] = describe_jump(d, &d->s->jumps.at[k]);
    list_values(d, &d->s->jumps.at[k]);
  }
  d->model.jumps = out, d->model.n_jumps = (int)n;
  describe_pulses(d);
}

/* ---- other lists ---- */

void describe_invariants(Description *d) {
  SInvariants in = structure_invariants(d->s, d->a);
  if (!in.n)
    return;
  Entries entries = new_entries(d, in.n_entries);
  set_entries(entries, 0, in.entries, in.n_entries);
  for (uint32_t k = 0; k < in.n; k++)
    describe_value(d, &d->invariants, in.residuals[k], in.spans[k]);
  for (uint32_t k = 0; k < in.n_entries; k++)
    describe_value(d, &d->invariants, in.entries[k].d, in.spans[in.entries[k].row]);
  d->model.n_invariants = (int)in.n, d->model.n_invariant_entries = (int)in.n_entries;
  d->model.invariant_rows = entries.rows, d->model.invariant_columns = entries.columns;
}

void describe_pushes(Description *d) {
  const Structure *s = d->s;
  VEC(DsPush) out = {0};
  for (uint32_t k = 0; k < s->vars.n; k++) {
    const SVar *v = &s->vars.at[k];
    const SVar *state = v->push_of ? &s->vars.at[v->push_of - 1] : NULL;
    if (state)
      vec_push(d->a, &out, (DsPush){(int)state->place, (int)v->place, state->push_hidden});
  }
  d->model.pushes = out.at, d->model.n_pushes = (int)out.n;
}

void describe_unsaid(Description *d) {
  uint32_t n, *places = structure_unsaid(d->s, d->a, &n);
  d->model.unsaid = n ? describe_numbers(d, places, n) : NULL, d->model.n_unsaid = (int)n;
}
