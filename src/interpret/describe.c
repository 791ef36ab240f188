/* interpret/describe.c -- the tables of a model, as emit/emit.c writes them. */
#include <math.h>

#include "interpret/interpret_impl.h"

DsPlace describe_place(Arena *a, const Diags *diags, Span span) {
  Place at = source_place(diags_sources(diags), span.lo);
  return (DsPlace){span.lo, span.hi, span.hi && at.source ? arena_printf(a, "%s:%u", at.source->name, at.line) : ""};
}

static const char *or_empty(const char *text) { return text ? text : ""; }

/* ---- variables ---- */

static unsigned char flags_of(const Interp *in, uint32_t k) {
  const FlatVar *v = &in->m->vars.at[k];
  const SVar *sv = &in->s->vars.at[k];
  int64_t fixed = 0;
  bool is_fixed = (v->fixed.i && expr_as_integer(in->p, v->fixed, &fixed) && fixed) || (sv->state && !sv->free);
  return (unsigned char)((is_fixed ? DS_FIXED : 0) | (v->structural || sv->shapes ? DS_STRUCTURAL : 0) | (v->is_final ? DS_FINAL : 0) |
                         (v->is_protected ? DS_IS_PROTECTED : 0) | (v->is_flow ? DS_FLOW : 0) | (v->start.i ? DS_HAS_START : 0) |
                         (sv->known && sv->free ? DS_SOLVED : 0) | (sv->absent ? DS_ABSENT : 0));
}

static DsType type_of(TypeBase base) {
  switch (base) {
  case TY_REAL: return DS_REAL;
  case TY_BOOLEAN: return DS_BOOLEAN;
  case TY_STRING: return DS_STRING;
  case TY_ENUM: return DS_ENUMERATION;
  case TY_INTEGER: case TY_NONE: case TY_CLOCK: case TY_RECORD: case TY_EXTERNAL: case TY_FUNCTION: case TY_TUPLE: break;
  }
  return DS_INTEGER;
}

static DsProperty property_of(const SVar *sv, bool implicit) {
  return sv->known ? DS_KNOWN : sv->state ? DS_STATE : sv->discrete ? DS_DISCRETE_STATE : implicit ? DS_IMPLICIT : DS_EXPLICIT;
}

static void describe_variables(Interp *in) {
  static const DsVariability variability[] = {DS_CONTINUOUS, DS_DISCRETE, DS_PARAMETER, DS_CONSTANT};
  static const DsAccess access[] = {DS_LOCAL, DS_INPUT, DS_OUTPUT};
  const Structure *s = in->s;
  bool *implicit = NEW_ARRAY(in->a, bool, s->vars.n + 1);
  for (uint32_t b = 0; b < s->simulation.blocks.n; b++) {
    const SBlock *bl = &s->simulation.blocks.at[b];
    for (uint32_t k = 0; k < bl->n && bl->kind != BLOCK_EXPLICIT; k++)
      implicit[bl->unknowns[k]] = true;
  }
  DsVariable *out = NEW_ARRAY(in->a, DsVariable, in->m->vars.n + 1);
  for (uint32_t k = 0; k < in->m->vars.n; k++) {
    const FlatVar *v = &in->m->vars.at[k];
    const SVar *sv = &s->vars.at[k];
    const Type *t = type_get(in->p, v->type);
    const TypeDecl *decl = t->base == TY_ENUM ? t->decl : NULL;
    out[k] = (DsVariable){.name = v->name, .unit = or_empty(v->unit), .display_unit = or_empty(v->display_unit), .quantity = or_empty(v->quantity),
                          .comment = or_empty(v->comment), .literals = decl ? decl->names : NULL, .n_literals = decl ? (int)decl->n : 0,
                          .component = (int)v->origin, .place = (int)sv->place, .der = structure_der_place(s, k),
                          .type = (unsigned char)type_of(t->base), .variability = (unsigned char)variability[v->variability],
                          .access = (unsigned char)access[v->causality], .property = (unsigned char)property_of(sv, implicit[k]),
                          .flags = flags_of(in, k)};
  }
  in->model.variables = out;
  in->model.n_variables = (int)in->m->vars.n;
  DsComponent *components = NEW_ARRAY(in->a, DsComponent, in->m->origins.n + 1);
  for (uint32_t k = 0; k < in->m->origins.n; k++) {
    const FlatOrigin *o = &in->m->origins.at[k];
    components[k] = (DsComponent){or_empty(o->path), or_empty(o->class_name), (int)o->parent};
  }
  in->model.components = components;
  in->model.n_components = (int)in->m->origins.n;
}

/* ---- blocks ---- */

static bool is_solved(const SBlock *b) { return b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR; }

static int *copy(Arena *a, const uint32_t *from, uint32_t n) {
  int *out = NEW_ARRAY(a, int, n + 1);
  for (uint32_t k = 0; k < n; k++)
    out[k] = (int)from[k];
  return out;
}

/* Where the entries of each row of the matrix begin. */
static int *row_starts(Interp *in, const SBlock *b, const SSlopes *sl) {
  int *out = NEW_ARRAY(in->a, int, b->n_tear + 1);
  for (uint32_t i = 0; i < b->n_tear; i++)
    out[i] = (int)(sl->start[i] - sl->start[0]);
  out[b->n_tear] = (int)slopes_entries(b, sl);
  return out;
}

static DsBlock describe_block(Interp *in, const SSystem *sys, const SBlock *b, uint32_t number, int *first_place) {
  int *variables = NEW_ARRAY(in->a, int, b->n + 1), *places = NEW_ARRAY(in->a, int, b->n + 1);
  in->solved[number] = b;
  in->places[number] = NEW_ARRAY(in->a, int, b->n_tear + 1);
  for (uint32_t q = 0; q < b->n; q++) {
    variables[q] = structure_variable(in->s, b->unknowns[q]);
    places[q] = (*first_place)++;
  }
  for (uint32_t q = 0; q < b->n_tear; q++)
    in->places[number][q] = (int)in->s->vars.at[b->unknowns[q]].place;
  const SSlopes *sl = in->slopes[number] = structure_slopes(b, in->a);
  bool by_entries = sl && sl->by_entries;
  int cells = (int)(by_entries ? slopes_entries(b, sl) + b->n_tear : 2 * b->n_tear * b->n_tear + 8 * b->n_tear);
  in->model.n_work = cells > in->model.n_work ? cells : in->model.n_work;
  int solved = sys == &in->s->simulation ? (int)b->phase : PHASE_DISCRETE;
  return (DsBlock){.n = (int)b->n, .n_iterated = (int)b->n_tear, .variables = variables, .places = places, .homotopy = structure_has_homotopy(in->s, b),
                   .solved = solved, .iterated = in->places[number], .start = by_entries ? row_starts(in, b, sl) : NULL,
                   .columns = by_entries ? copy(in->a, sl->of + sl->start[0], slopes_entries(b, sl)) : NULL};
}

static int place_or_none(const Interp *in, uint32_t var) { return var == NO_SVAR || !var ? -1 : (int)in->s->vars.at[var].place; }

static DsJump describe_jump(Interp *in, const SJump *j, int first_place) {
  const SVar *vars = in->s->vars.at;
  uint32_t n = j->n, entries = j->rates.n + j->values.n;
  int *at = NEW_ARRAY(in->a, int, 6 * n + 2 * entries + 1);
  DsJump out = {.n = (int)n, .n_rates = (int)j->rates.n, .n_values = (int)j->values.n, .places = at, .ders = at + n, .areas = at + 2 * n,
                .variables = at + 4 * n, .equations = at + 5 * n, .rows = at + 6 * n, .columns = at + 6 * n + entries};
  for (uint32_t i = 0; i < n; i++) {
    const SVar *v = &vars[j->vars[i]];
    at[i] = (int)v->place;
    at[n + i] = place_or_none(in, v->der);
    at[2 * n + i] = place_or_none(in, v->pulse);
    at[3 * n + i] = v->der == NO_SVAR ? -1 : place_or_none(in, vars[v->der].pulse);
    at[4 * n + i] = structure_variable(in->s, j->vars[i]);
    at[5 * n + i] = first_place + (int)i;
  }
  for (uint32_t q = 0; q < entries; q++) {
    const SEntry *entry = q < j->rates.n ? &j->rates.at[q] : &j->values.at[q - j->rates.n];
    at[6 * n + q] = (int)entry->row, at[6 * n + entries + q] = (int)entry->column;
  }
  return out;
}

static void describe_jumps(Interp *in, const Diags *diags, DsPlace *places, int *next) {
  const Structure *s = in->s;
  DsJump *jumps = NEW_ARRAY(in->a, DsJump, s->jumps.n + 1);
  for (uint32_t k = 0; k < s->jumps.n; k++) {
    jumps[k] = describe_jump(in, &s->jumps.at[k], *next);
    for (uint32_t i = 0; i < s->jumps.at[k].n; i++)
      places[(*next)++] = describe_place(in->a, diags, s->jumps.at[k].spans[i]);
  }
  uint32_t n;
  const SPulse *found = structure_pulses(s, in->a, &n);
  DsPulse *pulses = NEW_ARRAY(in->a, DsPulse, n + 1);
  for (uint32_t k = 0; k < n; k++)
    pulses[k] = (DsPulse){(int)found[k].place, found[k].variable, found[k].state};
  in->model.n_jumps = (int)s->jumps.n, in->model.jumps = jumps;
  in->model.n_pulses = (int)n, in->model.pulses = pulses;
}

const SSystem *system_at(const Interp *in, int system) {
  return system == PULSES ? &in->s->pulses : system == INITIAL ? &in->s->initial : &in->s->simulation;
}

static void describe_blocks(Interp *in, const Diags *diags) {
  uint32_t n = 0, equations = 0, all = 0;
  for (int k = 0; k < N_SYSTEMS; k++)
    all += system_at(in, k)->blocks.n;
  in->places = NEW_ARRAY(in->a, int *, all + 1);
  in->solved = NEW_ARRAY(in->a, const SBlock *, all + 1);
  in->slopes = NEW_ARRAY(in->a, const SSlopes *, all + 1);
  DsBlock *blocks = NEW_ARRAY(in->a, DsBlock, all + 1);
  for (int k = 0; k < N_SYSTEMS; k++)
    for (uint32_t b = 0; b < system_at(in, k)->blocks.n; b++)
      equations += system_at(in, k)->blocks.at[b].n;
  for (uint32_t k = 0; k < in->s->jumps.n; k++)
    equations += in->s->jumps.at[k].n;
  DsPlace *places = NEW_ARRAY(in->a, DsPlace, equations + 1);
  int next = 0;
  for (int k = 0; k < N_SYSTEMS; k++) {
    const SSystem *sys = system_at(in, k);
    uint32_t *number = NEW_ARRAY(in->a, uint32_t, sys->blocks.n + 1);
    for (uint32_t b = 0; b < sys->blocks.n; b++) {
      const SBlock *bl = &sys->blocks.at[b];
      if (!is_solved(bl))
        continue;
      for (uint32_t q = 0; q < bl->n; q++)
        places[next + (int)q] = describe_place(in->a, diags, sys->rows.at[bl->rows[q]].span);
      number[b] = n;
      blocks[n] = describe_block(in, sys, bl, n, &next);
      n++;
    }
    in->number[k] = number;
  }
  describe_jumps(in, diags, places, &next);
  in->model.blocks = blocks;
  in->model.n_blocks = (int)n;
  in->model.places = places;
  in->model.n_places = next;
}

/* ---- relations, mixed systems, conditions ---- */

static SFormulas describe_formulas(Interp *in) {
  SFormulas f = structure_formulas(in->s, in->a);
  DsTerm *terms = NEW_ARRAY(in->a, DsTerm, f.terms.n + 1);
  for (uint32_t k = 0; k < f.terms.n; k++)
    terms[k] = (DsTerm){f.terms.at[k].op, f.terms.at[k].a, f.terms.at[k].b, f.terms.at[k].c};
  in->model.terms = terms;
  in->model.numbers = f.numbers.at;
  return f;
}

static void describe_relations(Interp *in, const Diags *diags) {
  const Structure *s = in->s;
  SFormulas f = describe_formulas(in);
  DsRelation *relations = NEW_ARRAY(in->a, DsRelation, s->relations.n + 1);
  for (uint32_t k = 0; k < s->relations.n; k++) {
    const SRelation *r = &s->relations.at[k];
    relations[k] = (DsRelation){(unsigned char)(r->op - OP_LT), r->timed, r->rising, r->mixed, r->field, r->direct, r->swapped,
                                r->modal, r->chatter, (int)r->surface, structure_watch(s, k), describe_place(in->a, diags, r->span),
                                (int)f.first[k], (int)f.n[k]};
  }
  DsMixed *mixed = NEW_ARRAY(in->a, DsMixed, s->mixed.n + 1);
  for (uint32_t k = 0; k < s->mixed.n; k++) {
    const SMixed *g = &s->mixed.at[k];
    uint32_t n = g->relations.n + g->discrete.n;
    int *numbers = NEW_ARRAY(in->a, int, n + g->strings.n + 1);
    for (uint32_t q = 0; q < g->relations.n; q++)
      numbers[q] = (int)g->relations.at[q];
    for (uint32_t q = 0; q < g->discrete.n; q++)
      numbers[g->relations.n + q] = (int)s->vars.at[g->discrete.at[q]].place;
    for (uint32_t q = 0; q < g->strings.n; q++)
      numbers[n + q] = (int)s->vars.at[g->strings.at[q]].place;
    mixed[k] = (DsMixed){(int)g->relations.n, (int)g->discrete.n, (int)g->strings.n, numbers, numbers + g->relations.n,
                         numbers + n, describe_place(in->a, diags, g->span)};
  }
  in->model.relations = relations;
  in->model.n_relations = (int)s->relations.n;
  in->model.mixed = mixed;
  in->model.n_mixed = (int)s->mixed.n;
}

static const char *side_text(Interp *in, ExprId e) {
  Text t = {.arena = in->a};
  structure_print(in->s, e, &t);
  return text_str(&t);
}

static void describe_redundant(Interp *in, const Diags *diags) {
  DsRedundant *out = NEW_ARRAY(in->a, DsRedundant, in->s->redundant.n + 1);
  for (uint32_t k = 0; k < in->s->redundant.n; k++) {
    const SRedundant *r = &in->s->redundant.at[k];
    out[k] = (DsRedundant){side_text(in, r->lhs), expr_is_literal(in->p, r->rhs) ? "" : side_text(in, r->rhs), or_empty(r->others),
                           describe_place(in->a, diags, r->span)};
  }
  in->model.redundant = out;
  in->model.n_redundant = (int)in->s->redundant.n;
}

static void describe_discrete(Interp *in) {
  uint32_t n, *places = structure_discrete(in->s, in->a, &n);
  in->model.discrete_reals = copy(in->a, places, n);
  in->model.n_discrete_reals = (int)n;
}

/* ---- derivatives ---- */

static void describe_pattern(Interp *in) {
  SPattern p;
  if (!structure_pattern(in->s, in->a, &p))
    return;
  in->model.jacobian_start = copy(in->a, p.start, p.n + 1);
  in->model.jacobian_rows = copy(in->a, p.rows, p.start[p.n]);
  in->model.autonomous = p.autonomous;
}

static void describe_tangent(Interp *in) {
  STangent *t = &in->tangent_of;
  if (in->s->states.n == 0 || !structure_tangent(in->s, in->a, t))
    return;
  int *steps = NEW_ARRAY(in->a, int, 3 * (size_t)t->steps.n + 1), *nodes = NEW_ARRAY(in->a, int, t->entries.n + 1);
  int *der = NEW_ARRAY(in->a, int, in->s->states.n + 1);
  double *literal = NEW_ARRAY(in->a, double, t->entries.n + 1);
  for (uint32_t k = 0; k < t->steps.n; k++) {
    const STangentStep *st = &t->steps.at[k];
    steps[3 * k] = (int)st->n;
    steps[3 * k + 1] = (int)st->n_tear;
    steps[3 * k + 2] = st->n_tear > 0 ? (int)in->number[0][st->block - in->s->simulation.blocks.at] : -1;
  }
  for (uint32_t k = 0; k < t->entries.n; k++) {
    nodes[k] = (int)t->entries.at[k].node;
    if (expr_is_literal(in->p, t->entries.at[k].d))
      expr_as_real(in->p, t->entries.at[k].d, &literal[k]);
  }
  for (uint32_t k = 0; k < in->s->states.n; k++)
    der[k] = t->der[k] == NO_NODE ? -1 : (int)t->der[k];
  in->tangent = (DsTangent){.n_nodes = (int)t->n_nodes, .n_steps = (int)t->steps.n, .n_rows = (int)t->start.n - 1, .n_entries = (int)t->entries.n,
                            .n_quotients = (int)t->n_quotients, .steps = steps, .start = copy(in->a, t->start.at, t->start.n), .nodes = nodes, .der = der,
                            .literal = literal};
  in->model.tangent = &in->tangent;
}

/* ---- states that are chosen ---- */

static int *places_of(Interp *in, const uint32_t *vars, uint32_t n) {
  int *out = NEW_ARRAY(in->a, int, n + 1);
  for (uint32_t k = 0; k < n; k++)
    out[k] = (int)in->s->vars.at[vars[k]].place;
  return out;
}

static void describe_selections(Interp *in) {
  DsSelection *out = NEW_ARRAY(in->a, DsSelection, in->s->selections.n + 1);
  for (uint32_t k = 0; k < in->s->selections.n; k++) {
    const SSelection *se = &in->s->selections.at[k];
    uint32_t n_states = se->n - se->n_rows;
    int *variables = NEW_ARRAY(in->a, int, se->n + 1), *rows = NEW_ARRAY(in->a, int, se->n_entries + 1), *columns = NEW_ARRAY(in->a, int, se->n_entries + 1);
    for (uint32_t q = 0; q < se->n; q++)
      variables[q] = structure_variable(in->s, se->candidates[q]);
    for (uint32_t q = 0; q < se->n_entries; q++) {
      rows[q] = (int)in->s->entries.at[se->entry + q].row;
      columns[q] = (int)in->s->entries.at[se->entry + q].column;
    }
    out[k] = (DsSelection){.n = (int)se->n, .n_states = (int)n_states, .n_entries = (int)se->n_entries, .candidates = places_of(in, se->candidates, se->n),
                           .variables = variables, .weights = se->weights, .states = places_of(in, se->states, n_states),
                           .choices = places_of(in, se->choices, n_states), .first = copy(in->a, se->first, n_states), .rows = rows, .columns = columns};
  }
  in->model.selections = out;
  in->model.n_selections = (int)in->s->selections.n;
}

/* ---- parts ---- */

static DsPart describe_part(Interp *in, const SPart *p) {
  int *blocks = NEW_ARRAY(in->a, int, p->n_blocks + 1), n = 0;
  for (uint32_t b = p->block; b < p->block + p->n_blocks; b++)
    if (is_solved(&in->s->simulation.blocks.at[b]))
      blocks[n++] = (int)in->number[0][b];
  return (DsPart){.x = (int)p->x, .n_x = (int)p->n_x, .r = (int)p->r, .n_r = (int)p->n_r, .i = (int)p->i, .n_i = (int)p->n_i, .s = (int)p->s,
                  .n_s = (int)p->n_s, .relation = (int)p->relation, .n_relations = (int)p->n_relations, .sample = (int)p->sample,
                  .n_samples = (int)p->n_samples, .discrete = (int)p->discrete, .n_discrete = (int)p->n_discrete, .delays = p->delays,
                  .reads = copy(in->a, p->reads, p->n_reads), .n_moving = (int)p->n_moving, .n_reads = (int)p->n_reads, .blocks = blocks, .n_blocks = n};
}

static void describe_parts(Interp *in) {
  DsPart *parts = NEW_ARRAY(in->a, DsPart, in->s->parts.n + 1);
  for (uint32_t k = 0; k < in->s->parts.n; k++)
    parts[k] = describe_part(in, &in->s->parts.at[k]);
  in->model.parts = parts;
  in->model.n_parts = in->slice ? 0 : (int)in->s->parts.n;
}

static void describe_conditions(Interp *in) {
  const Structure *s = in->s;
  int *places = NEW_ARRAY(in->a, int, s->conditions.n + 1);
  unsigned char *mode = NEW_ARRAY(in->a, unsigned char, s->conditions.n + 1);
  for (uint32_t k = 0; k < s->conditions.n; k++)
    places[k] = (int)s->vars.at[s->conditions.at[k].var].place, mode[k] = s->conditions.at[k].value;
  in->model.n_conditions = (int)s->conditions.n;
  int *relations = NEW_ARRAY(in->a, int, s->conditions.n + 1);
  for (uint32_t k = 0; k < s->conditions.n; k++)
    relations[k] = (int)s->conditions.at[k].relation * (s->conditions.at[k].negated ? -1 : 1);
  in->model.condition_relations = relations;
  in->model.conditions = places;
  in->model.mode = mode;
}

static void describe_invariants(Interp *in) {
  in->invariants = structure_invariants(in->s, in->a);
  uint32_t n = in->invariants.n_entries;
  int *at = NEW_ARRAY(in->a, int, 2 * n + 1);
  for (uint32_t q = 0; q < n; q++)
    at[q] = (int)in->invariants.entries[q].row, at[n + q] = (int)in->invariants.entries[q].column;
  in->model.n_invariants = (int)in->invariants.n, in->model.n_invariant_entries = (int)n;
  in->model.invariant_rows = at, in->model.invariant_columns = at + n;
}

/* Where contact forces act. */
static void describe_pushes(Interp *in) {
  const Structure *s = in->s;
  DsPush *pushes = NEW_ARRAY(in->a, DsPush, s->vars.n + 1);
  int n = 0;
  for (uint32_t k = 0; k < s->vars.n; k++) {
    const SVar *v = &s->vars.at[k];
    const SVar *state = v->push_of ? &s->vars.at[v->push_of - 1] : NULL;
    if (state)
      pushes[n++] = (DsPush){(int)state->place, (int)v->place, state->push_hidden};
  }
  in->model.pushes = pushes, in->model.n_pushes = n;
}

static void describe_unsaid(Interp *in) {
  uint32_t n, *places = structure_unsaid(in->s, in->a, &n);
  int *at = NEW_ARRAY(in->a, int, n + 1);
  for (uint32_t k = 0; k < n; k++)
    at[k] = (int)places[k];
  in->model.unsaid = at, in->model.n_unsaid = (int)n;
}

void describe_model(Interp *in, const Diags *diags) {
  const Structure *s = in->s;
  DsModel *m = &in->model;
  const FlatExperiment *x = &in->m->experiment;
  m->version = DS_VERSION;
  m->own = in;
  m->name = or_empty(in->m->name);
  m->comment = or_empty(in->m->comment);
  m->nx = (int)s->states.n;
  m->n_real = (int)s->n_real;
  m->n_integer = (int)s->n_integer;
  m->n_string = (int)s->n_string;
  m->n_samples = (int)s->samples.n;
  m->n_delays = (int)s->delays.n;
  int *points = NEW_ARRAY(in->a, int, s->transports.n + 1);
  for (uint32_t k = 0; k < s->transports.n; k++)
    points[k] = (int)s->transports.at[k].n;
  m->transport_points = points;
  m->n_transports = (int)s->transports.n;
  m->has_terminal = s->has_terminal;
  m->homotopy = s->lambda == NO_SVAR ? -1 : (int)s->vars.at[s->lambda].place;
  m->start_time = x->start;
  m->stop_time = x->stop;
  m->tolerance = x->tolerance;
  m->interval = x->interval;
  describe_variables(in);
  describe_relations(in, diags);
  describe_blocks(in, diags);
  describe_redundant(in, diags);
  describe_discrete(in);
  describe_pattern(in);
  describe_tangent(in);
  describe_selections(in);
  describe_parts(in);
  describe_conditions(in);
  describe_invariants(in);
  describe_pushes(in);
  describe_unsaid(in);
  in->model.one_pass = structure_one_pass(in->s);
}
