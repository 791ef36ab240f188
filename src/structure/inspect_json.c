/* structure/inspect_json.c -- the facts as JSON, for programs.
 * In:   Facts.   Out: one object.
 * Keep: nothing is cut; places are objects with file and line. */
#include "structure/inspect_impl.h"
#include "structure/name.h"

static void key(Text *out, const char *name) {
  char last = out->n ? out->at[out->n - 1] : '{';
  text_add(out, last == '{' || last == '[' ? "" : ",");
  text_json(out, name);
  text_add(out, ":");
}

static void put_text(Text *out, const char *name, const char *value) {
  key(out, name);
  text_json(out, value);
}

static void put_number(Text *out, const char *name, uint64_t n) {
  key(out, name);
  text_printf(out, "%llu", (unsigned long long)n);
}

static void put_flag(Text *out, const char *name, bool value) {
  key(out, name);
  text_add(out, value ? "true" : "false");
}

/* The next element of an array. */
static void next(Text *out) { text_add(out, out->at[out->n - 1] == '[' ? "" : ","); }

static void put_place(const Facts *f, Text *out, Span span) {
  Place at = source_place(f->in->sources, span.lo);
  bool known = span.hi && at.source;
  key(out, "file");
  if (known)
    text_json(out, at.source->name);
  else
    text_add(out, "null");
  key(out, "line");
  text_printf(out, known ? "%u" : "null", at.line);
}

static void put_row(const Facts *f, Text *out, const SRow *row) {
  put_text(out, "equation", fact_row(f, row));
  put_place(f, out, row->span);
  const char *origin = structure_origin(f->s->model, row->origin);
  if (origin)
    put_text(out, "origin", origin);
}

/* ---- counts ---- */

static void put_counts(const Facts *f, Text *out) {
  const Counts *c = &f->counts;
  const struct {
    const char *name;
    uint32_t value;
  } numbers[] = {
      {"variables", c->variables},
      {"states", c->states},
      {"dummies", c->dummies},
      {"algebraic", c->algebraic},
      {"aliases", c->aliases},
      {"discrete", c->discrete},
      {"inputs", c->inputs},
      {"parameters", c->parameters},
      {"constants", c->constants},
      {"equations", c->equations},
      {"differentiated", c->differentiated},
      {"relations", c->relations},
      {"time_relations", c->timed},
      {"samples", c->samples},
      {"when_conditions", c->conditions},
      {"reinits", c->reinits},
      {"delays", c->delays},
      {"blocks", f->s->simulation.blocks.n},
      {"mixed_systems", c->mixed},
  };
  key(out, "counts");
  text_add(out, "{");
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    put_number(out, numbers[k].name, numbers[k].value);
  key(out, "blocks_by_kind");
  text_add(out, "{");
  for (uint32_t k = 0; k < N_BLOCK_KINDS; k++) {
    key(out, block_kind_names[k]);
    text_printf(out, "{\"number\":%u,\"largest\":%u}", c->blocks[k], c->largest[k]);
  }
  text_add(out, "}}");
}

static void put_jacobian(const Facts *f, Text *out) {
  uint32_t n = f->s->states.n;
  key(out, "jacobian");
  if (f->in->pattern)
    text_printf(out, "{\"n\":%u,\"nonzeros\":%u,\"colours\":%u,\"autonomous\":%s}", n,
                n ? f->in->pattern->start[n] : 0, f->in->colors,
                f->in->pattern->autonomous ? "true" : "false");
  else
    text_add(out, "null");
}

/* ---- states and constraints ---- */

static void put_state(const Facts *f, Text *out, uint32_t v, uint32_t island) {
  next(out);
  text_add(out, "{");
  put_text(out, "name", fact_name(f, v));
  put_text(out, "start", fact_start(f, v));
  put_text(out, "nominal", fact_nominal(f, v));
  put_text(out, "why", fact_reason(f, v));
  put_number(out, "island", island + 1);
  put_place(f, out, f->s->vars.at[v].span);
  text_add(out, "}");
}

static void put_states(const Facts *f, Text *out) {
  const Structure *s = f->s;
  key(out, "states");
  text_add(out, "[");
  for (uint32_t i = 0; i < s->islands.n; i++)
    for (uint32_t k = 0; k < s->islands.at[i].n; k++)
      put_state(f, out, s->states.at[s->islands.at[i].first + k], i);
  for (uint32_t v = 0; v < s->vars.n && s->conditions.n; v++) /* one island */
    if (s->vars.at[v].state)
      put_state(f, out, v, 0);
  text_add(out, "]");
}

static void put_invariants(const Facts *f, Text *out) {
  for (uint32_t k = 0; k < f->s->invariants.n; k++) {
    const SRow *row = &f->s->invariants.at[k];
    if (row->derivative_of)
      continue;
    next(out);
    text_add(out, "{");
    put_number(out, "differentiated", row->times);
    put_row(f, out, row);
    text_add(out, "}");
  }
}

static void put_constraints(const Facts *f, Text *out) {
  key(out, "constraints");
  text_add(out, "[");
  for (uint32_t k = 0; k < f->constraints.n; k++) {
    next(out);
    text_add(out, "{");
    put_number(out, "differentiated", f->constraints.at[k].times);
    put_row(f, out, &f->s->simulation.rows.at[f->constraints.at[k].row]);
    text_add(out, "}");
  }
  put_invariants(f, out);
  text_add(out, "]");
  key(out, "dummies");
  text_add(out, "[");
  for (uint32_t v = 0; v < f->s->model->vars.n; v++) {
    if (!fact_is_dummy(f, v) || f->row_of[v] == NO_ROW)
      continue;
    next(out);
    text_add(out, "{");
    put_text(out, "name", fact_name(f, v));
    put_row(f, out, &f->s->simulation.rows.at[f->row_of[v]]);
    text_add(out, "}");
  }
  text_add(out, "]");
}

/* ---- blocks ---- */

static void put_block(const Facts *f, const SSystem *sys, uint32_t b, Text *out) {
  static const char *const phases[] = {
      [PHASE_DISCRETE] = "event", [PHASE_DYNAMIC] = "dynamic", [PHASE_OUTPUT] = "output"};
  const SBlock *bl = &sys->blocks.at[b];
  bool simulation = sys == &f->s->simulation;
  bool iterates = bl->kind == BLOCK_LINEAR || bl->kind == BLOCK_NONLINEAR;
  next(out);
  text_add(out, "{");
  put_text(out, "kind", block_kind_names[bl->kind]);
  put_number(out, "size", bl->n);
  if (iterates) {
    put_number(out, "iterated", bl->n_tear);
    put_flag(out, "analytic", bl->partials != NULL);
  }
  if (simulation)
    put_text(out, "phase", phases[bl->phase]);
  if (bl->mixed)
    put_number(out, "mixed", bl->mixed);
  if (simulation && f->s->island_of_block && f->s->island_of_block[b] != NO_ISLAND)
    put_number(out, "island", f->s->island_of_block[b] + 1);
  key(out, "rows");
  text_add(out, "[");
  for (uint32_t k = 0; k < bl->n; k++) {
    next(out);
    text_add(out, "{");
    put_text(out, "unknown", fact_name(f, bl->unknowns[k]));
    if (iterates && k < bl->n_tear) {
      put_text(out, "start", fact_start(f, bl->unknowns[k]));
      put_text(out, "nominal", fact_nominal(f, bl->unknowns[k]));
    }
    put_row(f, out, &sys->rows.at[bl->rows[k]]);
    text_add(out, "}");
  }
  text_add(out, "]}");
}

static void put_mixed(const Facts *f, const SSystem *sys, Text *out) {
  uint32_t last = 0;
  key(out, "mixed");
  text_add(out, "[");
  for (uint32_t b = 0; b < sys->blocks.n; b++) {
    uint32_t mixed = sys->blocks.at[b].mixed;
    if (!mixed || mixed == last)
      continue;
    last = mixed;
    const SMixed *m = &f->s->mixed.at[mixed - 1];
    next(out);
    text_add(out, "{");
    put_number(out, "number", mixed);
    key(out, "relations");
    text_add(out, "[");
    for (uint32_t k = 0; k < m->relations.n; k++) {
      next(out);
      text_json(out, fact_name(f, f->s->relations.at[m->relations.at[k]].var));
    }
    text_add(out, "]");
    key(out, "discrete");
    text_add(out, "[");
    for (uint32_t k = 0; k < m->discrete.n; k++) {
      next(out);
      text_json(out, fact_name(f, m->discrete.at[k]));
    }
    text_add(out, "]}");
  }
  text_add(out, "]");
}

static void put_blocks(const Facts *f, const SSystem *sys, Text *out) {
  key(out, "blocks");
  text_add(out, "[");
  for (uint32_t b = 0; b < sys->blocks.n; b++)
    put_block(f, sys, b, out);
  text_add(out, "]");
  put_mixed(f, sys, out);
}

/* ---- islands ---- */

static void put_islands(const Facts *f, Text *out) {
  const Structure *s = f->s;
  key(out, "islands");
  text_add(out, "[");
  for (uint32_t i = 0; i < s->islands.n; i++) {
    next(out);
    text_printf(out, "{\"states\":%u,\"blocks\":%u}", s->islands.at[i].n, s->islands.at[i].blocks);
  }
  text_add(out, "]");
  key(out, "influences");
  text_add(out, s->influences_known ? "[" : "null");
  for (uint32_t k = 0; k < s->influences.n; k++) {
    SInfluence i = s->influences.at[k];
    next(out);
    text_printf(out, "{\"from\":%u,\"to\":%u,\"events_only\":%s}", i.from + 1, i.to + 1,
                i.events_only ? "true" : "false");
  }
  text_add(out, s->influences_known ? "]" : "");
}

/* ---- parts ---- */

static void put_reads(Text *out, const char *name, const uint32_t *at, uint32_t n) {
  key(out, name);
  text_add(out, "[");
  for (uint32_t k = 0; k < n; k++)
    text_printf(out, "%s%u", k ? "," : "", at[k] + 1);
  text_add(out, "]");
}

static void put_parts(const Facts *f, Text *out) {
  key(out, "parts");
  text_add(out, "[");
  for (uint32_t k = 0; k < f->s->parts.n; k++) {
    const SPart *p = &f->s->parts.at[k];
    next(out);
    text_add(out, "{");
    put_number(out, "states", p->n_x);
    put_number(out, "blocks", p->n_blocks);
    put_number(out, "relations", p->n_relations);
    put_number(out, "samples", p->n_samples);
    put_reads(out, "reads", p->reads, p->n_moving);
    put_reads(out, "reads_at_events", p->reads + p->n_moving, p->n_reads - p->n_moving);
    text_add(out, "}");
  }
  text_add(out, "]");
}

void inspect_structure_json(const Inspect *in, Text *out) {
  Facts f = facts_of(in);
  text_add(out, "{");
  put_number(out, "index", f.counts.index);
  if (in->s->conditions.n)
    put_text(out, "mode", fact_mode(&f, NULL));
  put_counts(&f, out);
  put_jacobian(&f, out);
  put_states(&f, out);
  put_constraints(&f, out);
  put_blocks(&f, &in->s->simulation, out);
  put_islands(&f, out);
  put_parts(&f, out);
  text_add(out, "}");
}

/* ---- initial system ---- */

static void put_initial_values(const Facts *f, Text *out) {
  static const char *const kinds[] = {[START_FIXED] = "fixed",
                                      [START_EQUATION] = "initial equation",
                                      [START_OTHERS] = "equation",
                                      [START_DEFAULT] = "default"};
  const Structure *s = f->s;
  key(out, "values");
  text_add(out, "[");
  for (uint32_t v = 0; v < s->vars.n; v++) {
    const SVar *sv = &s->vars.at[v];
    uint32_t row;
    StartKind kind = fact_start_kind(f, v, &row);
    if (!sv->state && !(sv->known && sv->free && (!sv->absent || row != NO_ROW)))
      continue;
    next(out);
    text_add(out, "{");
    put_text(out, "name", fact_name(f, v));
    put_text(out, "by", kinds[kind]);
    put_text(out, "start", fact_start(f, v));
    if (kind == START_EQUATION || kind == START_OTHERS)
      put_row(f, out, &s->initial.rows.at[row]);
    else
      put_place(f, out, sv->span);
    text_add(out, "}");
  }
  text_add(out, "]");
}

static void put_conditions(const Facts *f, Text *out) {
  const SSystem *sys = &f->s->initial;
  key(out, "conditions");
  text_add(out, "[");
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    if (!sys->rows.at[r].initial_only)
      continue;
    next(out);
    text_add(out, "{");
    put_text(out, "kind", fact_is_fixed_row(f, &sys->rows.at[r]) ? "fixed" : "initial equation");
    put_text(out, "determines", fact_name(f, sys->match[r]));
    put_row(f, out, &sys->rows.at[r]);
    text_add(out, "}");
  }
  text_add(out, "]");
  key(out, "redundant");
  text_add(out, "[");
  for (uint32_t k = 0; k < f->s->redundant.n; k++) {
    const SRedundant *red = &f->s->redundant.at[k];
    SRow row = {.kind = ROW_EQUAL, .lhs = red->lhs, .rhs = red->rhs, .only = NO_SVAR};
    next(out);
    text_add(out, "{");
    put_text(out, "equation", fact_row(f, &row));
    put_place(f, out, red->span);
    text_add(out, "}");
  }
  text_add(out, "]");
}

void inspect_initial_json(const Inspect *in, Text *out) {
  Facts f = facts_of(in);
  text_add(out, "{");
  put_number(out, "equations", in->s->initial.rows.n);
  put_initial_values(&f, out);
  put_conditions(&f, out);
  put_blocks(&f, &in->s->initial, out);
  text_add(out, "}");
}

/* ---- variables ---- */

void inspect_variables_json(const Inspect *in, Text *out) {
  Facts f = facts_of(in);
  const FlatModel *m = in->s->model;
  text_add(out, "[");
  for (uint32_t v = 0; v < m->vars.n; v++) {
    const FlatVar *fv = &m->vars.at[v];
    next(out);
    text_add(out, "{");
    put_text(out, "name", fv->name);
    put_text(out, "type", fact_type(&f, v));
    put_text(out, "kind", fact_kind(&f, v));
    put_flag(out, "structural", fv->structural);
    put_text(out, "unit", fv->unit ? fv->unit : "");
    ExprId e = inspect_value(in, v);
    Text value = {.arena = in->a};
    if (e.i)
      structure_print(in->s, e, &value);
    put_text(out, fv->variability >= FLAT_PARAMETER ? "value" : "start", text_str(&value));
    put_text(out, "comment", fv->comment ? fv->comment : "");
    put_place(&f, out, fv->span);
    text_add(out, "}");
  }
  text_add(out, "]");
}
