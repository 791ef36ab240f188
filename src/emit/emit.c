/* emit/emit.c -- the C file as a whole: tables, the functions of the interface, the description of the model.
 * Order in the text: constants, prototypes of the model's functions, their code, equations, variables, dsblock(). */
#include "emit/emit_impl.h"

#include <math.h>

static void at(Emit *em, Span span) { em->span = span; }

/* ---- values that are set once ---- */

static void set_if_not_given(Emit *em, uint32_t v, ExprId value, bool changeable) {
  uint32_t mark = c_scope_open(em);
  at(em, em->m->vars.at[v].span);
  c_line(em, "/* %s */", c_comment(em, em->m->vars.at[v].name));
  if (changeable) {
    c_line(em, "if (!d->given[%u]) {", v);
    em->indent++;
  }
  const char *text = value.i ? emit_value(em, value) : "0";
  c_line(em, "%s = %s;", c_var(em, v), text);
  if (changeable) {
    em->indent--;
    c_line(em, "}");
    c_scope_close(em, mark);
  }
}

static void count_parameter(Emit *em, uint32_t k) {
  if (k < em->s->parameters.n)
    c_count(em, em->s->bindings[em->s->parameters.at[k]]);
}

static void emit_parameter(Emit *em, uint32_t k) {
  uint32_t v = em->s->parameters.at[k];
  set_if_not_given(em, v, em->s->bindings[v], em->m->vars.at[v].variability == FLAT_PARAMETER);
}

static void count_start(Emit *em, uint32_t v) {
  if (em->m->vars.at[v].variability < FLAT_PARAMETER)
    c_count(em, em->s->starts[v]);
}

static void emit_start(Emit *em, uint32_t v) {
  if (em->m->vars.at[v].variability >= FLAT_PARAMETER)
    return;
  const Type *t = type_get(em->p, em->m->vars.at[v].type);
  ExprId value = em->s->starts[v];
  if (!value.i && t->base == TY_STRING)
    value = expr_string(em->p, "");
  else if (!value.i && t->base == TY_ENUM)
    value = expr_integer(em->p, 1);
  set_if_not_given(em, v, value, true);
}

/* The states of selections get theirs from what they are. */
static bool has_nominal(const Emit *em, uint32_t k) { return em->s->vars.at[em->s->states.at[k]].kind == SV_VAR; }

static void count_nominal(Emit *em, uint32_t k) {
  if (has_nominal(em, k))
    c_count(em, em->m->vars.at[em->s->states.at[k]].nominal);
}

static void emit_nominal(Emit *em, uint32_t k) {
  if (!has_nominal(em, k)) {
    c_line(em, "x[%u] = 1;", k);
    return;
  }
  const FlatVar *v = &em->m->vars.at[em->s->states.at[k]];
  at(em, v->span);
  c_line(em, "x[%u] = %s;", k, v->nominal.i ? arena_printf(em->a, "fabs(%s)", emit_value(em, v->nominal)) : "1");
}

static bool is_bounded(const Emit *em, uint32_t v) {
  return em->s->vars.at[v].bank == BANK_REAL && em->m->vars.at[v].variability < FLAT_PARAMETER;
}

static void count_bounds(Emit *em, uint32_t v) {
  if (is_bounded(em, v))
    c_count(em, em->m->vars.at[v].nominal), c_count(em, em->m->vars.at[v].min), c_count(em, em->m->vars.at[v].max);
}

static void emit_bounds(Emit *em, uint32_t v) {
  const FlatVar *fv = &em->m->vars.at[v];
  if (!is_bounded(em, v))
    return;
  at(em, fv->span);
  const ExprId values[] = {fv->nominal, fv->min, fv->max};
  static const char *const targets[] = {"nominal", "low", "high"};
  for (int k = 0; k < 3; k++)
    if (values[k].i)
      c_line(em, "%s[%u] = %s;", targets[k], em->s->vars.at[v].place, emit_value(em, values[k]));
}

/* ---- time events and indicators ---- */

static void count_sample(Emit *em, uint32_t k) { c_count(em, em->s->samples.at[k].start), c_count(em, em->s->samples.at[k].interval); }

static void emit_sample(Emit *em, uint32_t k) {
  const SSample *sm = &em->s->samples.at[k];
  at(em, sm->span);
  c_line(em, "start[%u] = %s;", k, emit_value(em, sm->start));
  c_line(em, "interval[%u] = %s;", k, emit_value(em, sm->interval));
}

static void count_instant(Emit *em, uint32_t k) {
  if (em->s->relations.at[k].timed)
    c_count(em, em->s->relations.at[k].instant);
}

static void emit_instant(Emit *em, uint32_t k) {
  const SRelation *r = &em->s->relations.at[k];
  at(em, r->span);
  if (r->timed)
    c_line(em, "at[%u] = %s;", k, emit_value(em, r->instant));
}

static void count_crossing(Emit *em, uint32_t k) {
  const SRelation *r = &em->s->relations.at[k];
  if (!r->timed)
    c_count(em, r->a), c_count(em, r->b);
  if (!r->timed && r->guard.i)
    c_count(em, r->guard);
}

static void count_size(Emit *em, uint32_t k) {
  const SRelation *r = &em->s->relations.at[k];
  if (!r->timed && r->size.i)
    c_count(em, r->size), c_count(em, r->terms);
  if (!r->timed && r->size.i && r->guard.i)
    c_count(em, r->guard);
}

static void emit_size(Emit *em, uint32_t k) {
  const SRelation *r = &em->s->relations.at[k];
  at(em, r->span);
  if (r->timed)
    return;
  c_line(em, "size[%u] = terms[%u] = -1;", k, k);
  if (!r->size.i)
    return;
  if (r->guard.i)
    c_open(em, "if (d->whole%s || %s)", r->watch ? " > 1" : "", emit_value(em, r->guard));
  c_line(em, "size[%u] = %s;", k, emit_value(em, r->size));
  c_line(em, "terms[%u] = %s;", k, emit_value(em, r->terms));
  if (r->guard.i)
    c_close(em);
}

static void emit_crossing(Emit *em, uint32_t k) {
  const SRelation *r = &em->s->relations.at[k];
  at(em, r->span);
  if (r->timed)
    return;
  c_line(em, "/* %s */", c_comment(em, c_place_text(em, r->span)));
  if (r->guard.i)
    c_open(em, "if (d->whole%s || %s)", r->watch ? " > 1" : "", emit_value(em, r->guard));
  c_line(em, "a[%u] = %s;", k, emit_value(em, r->a));
  c_line(em, "b[%u] = %s;", k, emit_value(em, r->b));
  if (!r->guard.i)
    return;
  c_close(em);
  c_line(em, "else");
  c_line(em, "  a[%u] = b[%u] = 0x0p0 / 0x0p0;", k, k);
}

/* ---- actions and checks ---- */

static void emit_action(Emit *em, const SAction *act) {
  uint32_t mark = c_scope_open(em), n = c_place(em, act->span);
  at(em, act->span);
  c_line(em, "/* %s */", c_comment(em, c_place_text(em, act->span)));
  const char *guard = act->guard.i ? emit_value(em, act->guard) : NULL;
  if (guard)
    c_open_if(em, guard);
  else
    c_open(em, "%s", "");
  if (act->kind == ACTION_REINIT) {
    c_line(em, "d->host->reinit(d, %u, %s);", em->s->vars.at[act->state].place, emit_value(em, act->value));
  } else if (act->kind == ACTION_CALL) {
    if (expr_get(em->p, act->value)->op == OP_CALL)
      emit_call(em, act->value);
  } else if (act->kind == ACTION_TERMINATE) {
    c_line(em, "d->host->terminate(d, &places[%u], %s);", n, emit_value(em, act->message));
  } else {
    c_line(em, "if (!%s) {", emit_value(em, act->value));
    em->indent++;
    em->uses_mask |= USES_STATUS;
    const char *message = emit_value(em, act->message), *level = act->level.i ? emit_value(em, act->level) : "2";
    c_line(em, "if ((status = d->host->violated(d, &places[%u], %s, (int)%s)) != DS_OK)", n, message, level);
    c_line(em, "  goto done;");
    em->indent--;
    c_line(em, "}");
  }
  em->indent--;
  c_line(em, "}");
  c_scope_close(em, mark);
}

static void count_delay(Emit *em, uint32_t k) { c_count(em, em->s->delays.at[k].delay), c_count(em, em->s->delays.at[k].most); }

static void emit_delay(Emit *em, uint32_t k) {
  const SDelay *de = &em->s->delays.at[k];
  at(em, de->span);
  c_line(em, "values[%u] = %s;", 4 * k, c_var(em, de->in));
  c_line(em, "values[%u] = %s;", 4 * k + 1, emit_value(em, de->delay));
  c_line(em, "values[%u] = %s;", 4 * k + 2, emit_value(em, de->most));
  c_line(em, "values[%u] = %d;", 4 * k + 3, de->varies);
}

static void no_count(Emit *em, uint32_t k) { (void)em, (void)k; }

static void emit_transport(Emit *em, uint32_t k) {
  const STransport *tr = &em->s->transports.at[k];
  at(em, tr->span);
  for (uint32_t q = 0; q < 4; q++)
    c_line(em, "values[%u] = %s;", 4 * k + q, c_var(em, tr->recorded[q]));
}

static void count_profile(Emit *em, uint32_t k) {
  const STransport *tr = &em->s->transports.at[k];
  for (uint32_t q = 0; q < tr->n; q++)
    c_count(em, tr->points[q]), c_count(em, tr->values[q]);
}

static void emit_profile(Emit *em, uint32_t k) {
  const STransport *tr = &em->s->transports.at[k];
  uint32_t first = 0;
  for (uint32_t q = 0; q < k; q++)
    first += 2 * em->s->transports.at[q].n;
  at(em, tr->span);
  for (uint32_t q = 0; q < 2 * tr->n; q++)
    c_line(em, "values[%u] = %s;", first + q, emit_value(em, q < tr->n ? tr->points[q] : tr->values[q - tr->n]));
}

static void count_redundant(Emit *em, uint32_t k) { c_count(em, em->s->redundant.at[k].lhs), c_count(em, em->s->redundant.at[k].rhs); }

static void emit_redundant(Emit *em, uint32_t k) {
  const SRedundant *r = &em->s->redundant.at[k];
  at(em, r->span);
  const char *left = emit_value(em, r->lhs), *right = emit_value(em, r->rhs);
  c_line(em, "sides[%u] = %s;", 2 * k, left);
  c_line(em, "sides[%u] = %s;", 2 * k + 1, right);
}

static void count_entry(Emit *em, uint32_t k) { c_count(em, em->s->entries.at[k].d); }
static void emit_entry(Emit *em, uint32_t k) { c_line(em, "entries[%u] = %s;", k, emit_value(em, em->s->entries.at[k].d)); }

static void emit_when_action(Emit *em, uint32_t k) { emit_action(em, &em->s->actions.at[k]); }
static void emit_check(Emit *em, uint32_t k) { emit_action(em, &em->s->checks.at[k]); }

/* The parameters, then what must hold of them. */
static void emit_parameter_or_guard(Emit *em, uint32_t k) {
  if (k < em->s->parameters.n)
    emit_parameter(em, k);
  else
    emit_action(em, &em->s->guards.at[k - em->s->parameters.n]);
}

static void emit_lists(Emit *em) {
  const Structure *s = em->s;
  const Pieces lists[] = {
      {"parameters", "DsData *d", "d", s->parameters.n + s->guards.n, count_parameter, emit_parameter_or_guard},
      {"start_values", "DsData *d", "d", s->later ? 0 : em->m->vars.n, count_start, emit_start},
      {"nominal_values", "DsData *d, double *x", "d, x", s->states.n, count_nominal, emit_nominal},
      {"bounds", "DsData *d, double *nominal, double *low, double *high", "d, nominal, low, high", em->m->vars.n, count_bounds, emit_bounds},
      {"samples", "DsData *d, double *start, double *interval", "d, start, interval", s->samples.n, count_sample, emit_sample},
      {"delays", "DsData *d, double *values", "d, values", s->delays.n, count_delay, emit_delay},
      {"transports", "DsData *d, double *values", "d, values", s->transports.n, no_count, emit_transport},
      {"profiles", "DsData *d, double *values", "d, values", s->transports.n, count_profile, emit_profile},
      {"redundancy", "DsData *d, double *sides", "d, sides", s->redundant.n, count_redundant, emit_redundant},
      {"selection", "DsData *d, double *entries", "d, entries", s->entries.n, count_entry, emit_entry},
  };
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    if (s->transports.n || (lists[k].piece != emit_transport && lists[k].piece != emit_profile))
      emit_pieces(em, &lists[k]);
}

/* ---- equations ---- */

void emit_calls(Emit *em, const char *name, const Chunks *chunks, uint32_t first, uint32_t end, Names *calls) {
  for (uint32_t k = first, next; k < end; k = next) {
    uint32_t mixed = chunks->at[k].mixed;
    next = k + 1;
    if (!mixed) {
      vec_push(em->a, calls, chunks->at[k].name);
      continue;
    }
    Names parts = {0};
    for (next = k; next < end && chunks->at[next].mixed == mixed; next++)
      vec_push(em->a, &parts, chunks->at[next].name);
    const char *trial = arena_printf(em->a, "%s_trial%u", name, mixed - 1), *solve = arena_printf(em->a, "%s_mixed%u", name, mixed - 1);
    emit_sequence(em, trial, "DsData *d", "d", parts.at, parts.n);
    text_printf(&em->code, "static int %s(DsData *d) { return d->host->mixed(d, %u, %s); }\n\n", solve, mixed - 1, trial);
    vec_push(em->a, calls, solve);
  }
}

void emit_whole(Emit *em, const char *name, const Chunks *chunks) {
  Names calls = {0};
  emit_calls(em, name, chunks, 0, chunks->n, &calls);
  emit_sequence(em, name, "DsData *d", "d", calls.at, calls.n);
}

static void emit_phase(Emit *em, const char *name, const Chunks *chunks, SPhase phase) {
  Names calls = {0};
  for (uint32_t k = 0; k < chunks->n; k++)
    if (chunks->at[k].phase == phase)
      vec_push(em->a, &calls, chunks->at[k].name);
  emit_sequence(em, name, "DsData *d", "d", calls.at, calls.n);
}

/* Equations, relations, actions and checks of the simulation. */
static void emit_simulation(Emit *em) {
  const Structure *s = em->s;
  const PartLists lists = {
      {"instants", "DsData *d, double *at", "d, at", s->relations.n, count_instant, emit_instant},
      {"crossings", "DsData *d, double *a, double *b", "d, a, b", s->relations.n, count_crossing, emit_crossing},
      {"actions", "DsData *d", "d", s->actions.n, no_count, emit_when_action},
      {"checks", "DsData *d", "d", s->checks.n, no_count, emit_check},
      {"sizes", "DsData *d, double *size, double *terms", "d, size, terms", s->relations.n, count_size, emit_size},
  };
  Chunks chunks = {0};
  em->by_parts = s->parts.n > 0;
  emit_blocks(em, &s->simulation, false, "equations", &chunks);
  em->by_parts = false;
  if (s->parts.n) {
    emit_simulation_parts(em, &chunks, &lists);
    return;
  }
  emit_whole(em, "events", &chunks);
  emit_phase(em, "derivatives", &chunks, PHASE_DYNAMIC);
  emit_phase(em, "outputs", &chunks, PHASE_OUTPUT);
  emit_pieces(em, &lists.instants);
  emit_pieces(em, &lists.crossings);
  emit_pieces(em, &lists.sizes);
  emit_pieces(em, &lists.actions);
  emit_pieces(em, &lists.checks);
}

/* ---- description ---- */

static int flags_of(const Emit *em, uint32_t k) {
  const FlatVar *v = &em->m->vars.at[k];
  const SVar *sv = &em->s->vars.at[k];
  int64_t fixed = 0;
  bool is_fixed = (v->fixed.i && expr_as_integer(em->p, v->fixed, &fixed) && fixed) || (sv->state && !sv->free);
  return (is_fixed ? 1 : 0) | (v->structural || sv->shapes ? 2 : 0) | (v->is_final ? 4 : 0) | (v->is_protected ? 8 : 0) | (v->is_flow ? 16 : 0) |
         (v->start.i ? 32 : 0) | (sv->known && sv->free ? 64 : 0) | (sv->absent ? 128 : 0);
}

static const char *type_of(const Emit *em, const FlatVar *v) {
  switch (type_get(em->p, v->type)->base) {
  case TY_REAL: return "DS_REAL";
  case TY_BOOLEAN: return "DS_BOOLEAN";
  case TY_STRING: return "DS_STRING";
  case TY_ENUM: return "DS_ENUMERATION";
  case TY_INTEGER: case TY_NONE: case TY_CLOCK: case TY_RECORD: case TY_EXTERNAL: case TY_FUNCTION: case TY_TUPLE: break;
  }
  return "DS_INTEGER";
}

static const char *property_of(const Emit *em, uint32_t k, const bool *implicit) {
  const SVar *sv = &em->s->vars.at[k];
  return sv->known ? "DS_KNOWN" : sv->state ? "DS_STATE" : sv->discrete ? "DS_DISCRETE_STATE" : implicit[k] ? "DS_IMPLICIT" : "DS_EXPLICIT";
}

/* Names of the literals of each enumeration, once. */
static const char *literals_of(Emit *em, Map *known, const TypeDecl *decl, Text *out) {
  uint64_t n;
  if (!decl)
    return "0";
  if (!map_get(known, (uint64_t)(uintptr_t)decl, &n)) {
    n = em->n_tables++;
    map_put(em->a, known, (uint64_t)(uintptr_t)decl, n);
    text_printf(out, "static const char *const table%u[] = {", (uint32_t)n);
    for (uint32_t k = 0; k < decl->n; k++)
      text_printf(out, "%s%s", k ? ", " : "", c_string(em, decl->names[k]));
    text_printf(out, "%s};\n", decl->n ? "" : "0");
  }
  return arena_printf(em->a, "table%u", (uint32_t)n);
}

static void describe_variables(Emit *em, Text *out) {
  static const char *const variability[] = {"DS_CONTINUOUS", "DS_DISCRETE", "DS_PARAMETER", "DS_CONSTANT"};
  static const char *const access[] = {"DS_LOCAL", "DS_INPUT", "DS_OUTPUT"};
  bool *implicit = NEW_ARRAY(em->a, bool, em->s->vars.n + 1);
  for (uint32_t b = 0; b < em->s->simulation.blocks.n; b++) {
    const SBlock *bl = &em->s->simulation.blocks.at[b];
    for (uint32_t k = 0; k < bl->n && bl->kind != BLOCK_EXPLICIT; k++)
      implicit[bl->unknowns[k]] = true;
  }
  Map enums = {0};
  Text rows = {.arena = em->a};
  for (uint32_t k = 0; k < em->m->vars.n; k++) {
    const FlatVar *v = &em->m->vars.at[k];
    const SVar *sv = &em->s->vars.at[k];
    const TypeDecl *decl = type_get(em->p, v->type)->base == TY_ENUM ? type_get(em->p, v->type)->decl : NULL;
    const char *literals = literals_of(em, &enums, decl, out);
    const char *name = c_string(em, v->name), *unit = c_string(em, v->unit), *shown = c_string(em, v->display_unit);
    const char *quantity = c_string(em, v->quantity), *text = c_string(em, v->comment);
    text_printf(&rows, "  {%s, %s, %s, %s, %s, %s, %u, %u, %u, %d, %s, %s, %s, %s, %d},\n", name, unit, shown, quantity, text, literals,
                decl ? decl->n : 0, v->origin, sv->place, structure_der_place(em->s, k), type_of(em, v),
                variability[v->variability], access[v->causality], property_of(em, k, implicit), flags_of(em, k));
  }
  text_printf(out, "static const DsVariable variables[] = {\n%s%s};\n", text_str(&rows), em->m->vars.n ? "" : "  {0}\n");
  text_add(out, "static const DsComponent components[] = {\n");
  for (uint32_t k = 0; k < em->m->origins.n; k++) {
    const FlatOrigin *o = &em->m->origins.at[k];
    const char *path = c_string(em, o->path), *class_name = c_string(em, o->class_name);
    text_printf(out, "  {%s, %s, %u},\n", path, class_name, o->parent);
  }
  text_printf(out, "%s};\n", em->m->origins.n ? "" : "  {\"\", \"\", 0}\n");
}

static void describe_place(Emit *em, Span span, Text *out) {
  text_printf(out, "{%u, %u, %s}", span.lo, span.hi, c_string(em, c_place_text(em, span)));
}

static void describe_formulas(Emit *em, const SFormulas *f, Text *out) {
  text_add(out, "static const DsTerm terms[] = {\n");
  for (uint32_t k = 0; k < f->terms.n; k++) {
    const STerm *t = &f->terms.at[k];
    text_printf(out, "  {%d, %d, %d, %d},\n", t->op, t->a, t->b, t->c);
  }
  text_printf(out, "%s};\nstatic const double numbers[] = {", f->terms.n ? "" : "  {0, 0, 0, 0}\n");
  for (uint32_t k = 0; k < f->numbers.n; k++)
    text_printf(out, "%s, ", c_real(em, f->numbers.at[k]));
  text_add(out, "0};\n");
}

static void describe_relations(Emit *em, Text *out) {
  static const char *const ops[] = {"DS_LT", "DS_LE", "DS_GT", "DS_GE", "DS_EQ", "DS_NE"};
  SFormulas f = structure_formulas(em->s, em->a);
  describe_formulas(em, &f, out);
  text_add(out, "static const DsRelation relations[] = {\n");
  for (uint32_t k = 0; k < em->s->relations.n; k++) {
    const SRelation *r = &em->s->relations.at[k];
    text_printf(out, "  {%s, %d, %d, %d, %d, %d, %d, %d, %d, %u, %d, ", ops[r->op - OP_LT], r->timed, r->rising, r->mixed, r->field, r->direct,
                r->swapped, r->modal, r->chatter, r->surface, structure_watch(em->s, k));
    describe_place(em, r->span, out);
    text_printf(out, ", %u, %u},\n", f.first[k], f.n[k]);
  }
  text_printf(out, "%s};\n", em->s->relations.n ? "" : "  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, {0, 0, \"\"}, 0, 0}\n");
}

void describe_blocks(Emit *em, Text *out) {
  Text rows = {.arena = em->a};
  for (uint32_t k = 0; k < em->blocks.n; k++) {
    const SBlock *b = em->blocks.at[k].block;
    text_printf(out, "static const int block%u_places[] = {", k);
    for (uint32_t q = 0; q < b->n_tear; q++)
      text_printf(out, "%s%u", q ? ", " : "", em->s->vars.at[b->unknowns[q]].place);
    text_printf(out, "};\nstatic const int block%u[] = {", k);
    for (uint32_t q = 0; q < b->n; q++)
      text_printf(out, "%s%d", q ? ", " : "", structure_variable(em->s, b->unknowns[q]));
    for (uint32_t q = 0; q < b->n; q++)
      text_printf(out, ", %u", c_place(em, em->blocks.at[k].sys->rows.at[b->rows[q]].span));
    text_add(out, "};\n");
    int solved = em->blocks.at[k].sys == &em->s->simulation ? (int)b->phase : PHASE_DISCRETE;
    const char *pattern = em->blocks.at[k].pattern;
    text_printf(&rows, "  {%u, %u, block%u, block%u + %u, %d, %d, block%u_places, ", b->n, b->n_tear, k, k, b->n, structure_has_homotopy(em->s, b), solved, k);
    if (pattern)
      text_printf(&rows, "%s_start, %s_columns},\n", pattern, pattern);
    else
      text_add(&rows, "0, 0},\n");
  }
  text_printf(out, "static const DsBlock blocks[] = {\n%s%s};\n", text_str(&rows), em->blocks.n ? "" : "  {0, 0, 0, 0, 0, 0, 0, 0, 0}\n");
}

static void describe_mixed(Emit *em, Text *out) {
  Text rows = {.arena = em->a};
  for (uint32_t k = 0; k < em->s->mixed.n; k++) {
    const SMixed *g = &em->s->mixed.at[k];
    text_printf(out, "static const int mixed%u[] = {", k);
    for (uint32_t q = 0; q < g->relations.n; q++)
      text_printf(out, "%u, ", g->relations.at[q]);
    for (uint32_t q = 0; q < g->discrete.n; q++)
      text_printf(out, "%u, ", em->s->vars.at[g->discrete.at[q]].place);
    for (uint32_t q = 0; q < g->strings.n; q++)
      text_printf(out, "%u, ", em->s->vars.at[g->strings.at[q]].place);
    text_add(out, "0};\n");
    text_printf(&rows, "  {%u, %u, %u, mixed%u, mixed%u + %u, mixed%u + %u, ", g->relations.n, g->discrete.n, g->strings.n, k, k,
                g->relations.n, k, g->relations.n + g->discrete.n);
    text_printf(&rows, "{%u, %u, %s}},\n", g->span.lo, g->span.hi, c_string(em, c_place_text(em, g->span)));
  }
  text_printf(out, "static const DsMixed mixed[] = {\n%s%s};\n", text_str(&rows),
              em->s->mixed.n ? "" : "  {0, 0, 0, 0, 0, 0, {0, 0, \"\"}}\n");
}

static const char *side_text(Emit *em, ExprId e) {
  Text t = {.arena = em->a};
  structure_print(em->s, e, &t);
  return c_string(em, text_str(&t));
}

static void describe_redundant(Emit *em, Text *out) {
  text_add(out, "static const DsRedundant redundant[] = {\n");
  for (uint32_t k = 0; k < em->s->redundant.n; k++) {
    const SRedundant *r = &em->s->redundant.at[k];
    const char *left = side_text(em, r->lhs), *right = expr_is_literal(em->p, r->rhs) ? "\"\"" : side_text(em, r->rhs), *others = c_string(em, r->others);
    text_printf(out, "  {%s, %s, %s, ", left, right, others);
    describe_place(em, r->span, out);
    text_add(out, "},\n");
  }
  text_printf(out, "%s};\n", em->s->redundant.n ? "" : "  {\"\", \"\", \"\", {0, 0, \"\"}}\n");
}

static void describe_list(const char *name, const uint32_t *at, uint32_t n, Text *out) {
  text_printf(out, "static const int %s[] = {", name);
  for (uint32_t k = 0; k < n; k++)
    text_printf(out, k ? ", %u" : "%u", at[k]);
  text_printf(out, "%s};\n", n ? "" : "0");
}

static uint32_t describe_discrete(Emit *em, Text *out) {
  uint32_t n, *places = structure_discrete(em->s, em->a, &n);
  describe_list("discrete_reals", places, n, out);
  return n;
}

typedef uint32_t Number(const Emit *em, const SSelection *se, uint32_t k);

static uint32_t place_of(const Emit *em, uint32_t var) { return em->s->vars.at[var].place; }
static uint32_t candidate_place(const Emit *em, const SSelection *se, uint32_t k) { return place_of(em, se->candidates[k]); }
static uint32_t state_place(const Emit *em, const SSelection *se, uint32_t k) { return place_of(em, se->states[k]); }
static uint32_t choice_place(const Emit *em, const SSelection *se, uint32_t k) { return place_of(em, se->choices[k]); }
static uint32_t first_choice(const Emit *em, const SSelection *se, uint32_t k) { return (void)em, se->first[k]; }
static uint32_t entry_row(const Emit *em, const SSelection *se, uint32_t k) { return em->s->entries.at[se->entry + k].row; }
static uint32_t entry_column(const Emit *em, const SSelection *se, uint32_t k) { return em->s->entries.at[se->entry + k].column; }
static uint32_t candidate_name(const Emit *em, const SSelection *se, uint32_t k) { return (uint32_t)structure_variable(em->s, se->candidates[k]); }

/* Returns the initializers of the description. */
static const char *describe_selections(Emit *em, Text *out) {
  Text rows = {.arena = em->a};
  for (uint32_t k = 0; k < em->s->selections.n; k++) {
    const SSelection *se = &em->s->selections.at[k];
    uint32_t n_states = se->n - se->n_rows;
    const struct {
      uint32_t n;
      Number *of;
    } lists[] = {{se->n, candidate_place}, {se->n, candidate_name},   {n_states, state_place},       {n_states, choice_place},
                 {n_states, first_choice}, {se->n_entries, entry_row}, {se->n_entries, entry_column}};
    text_printf(&rows, "  {%u, %u, %u", se->n, n_states, se->n_entries);
    text_printf(out, "static const int selection_list%u[] = {", k);
    for (uint32_t q = 0, at = 0; q < sizeof lists / sizeof *lists; at += lists[q++].n) {
      for (uint32_t i = 0; i < lists[q].n; i++)
        text_printf(out, "%d, ", (int)lists[q].of(em, se, i));
      text_printf(&rows, ", selection_list%u + %u", k, at);
      if (lists[q].of == candidate_name)
        text_printf(&rows, ", weights%u", k);
    }
    text_printf(out, "0};\nstatic const double weights%u[] = {", k);
    for (uint32_t i = 0; i < se->n; i++)
      text_printf(out, i ? ", %s" : "%s", c_real(em, se->weights[i]));
    text_add(out, "};\n");
    text_add(&rows, "},\n");
  }
  if (!em->s->selections.n)
    return "  .selection = selection,\n";
  text_printf(out, "static const DsSelection selections[] = {\n%s};\n", text_str(&rows));
  return arena_printf(em->a, "  .n_selections = %u, .selections = selections, .selection = selection,\n", em->s->selections.n);
}

/* Returns the initializers of the description. */
static const char *describe_transports(Emit *em, Text *out) {
  if (!em->s->transports.n)
    return "";
  text_add(out, "static const int transport_points[] = {");
  for (uint32_t k = 0; k < em->s->transports.n; k++)
    text_printf(out, k ? ", %u" : "%u", em->s->transports.at[k].n);
  text_add(out, "};\n");
  return arena_printf(em->a, "  .n_transports = %u, .transport_points = transport_points, .transports = transports, .profiles = profiles,\n", em->s->transports.n);
}

/* Where contact forces act; returns the initializers of the description. */
static const char *describe_pushes(Emit *em, Text *out) {
  Text rows = {.arena = em->a};
  uint32_t n = 0;
  for (uint32_t k = 0; k < em->s->vars.n; k++) {
    const SVar *v = &em->s->vars.at[k];
    if (!v->push_of)
      continue;
    const SVar *state = &em->s->vars.at[v->push_of - 1];
    text_printf(&rows, "  {%u, %u, %d},\n", state->place, v->place, state->push_hidden);
    n++;
  }
  if (!n)
    return "";
  text_printf(out, "static const DsPush pushes[] = {\n%s};\n", text_str(&rows));
  return arena_printf(em->a, "  .n_pushes = %u, .pushes = pushes,\n", n);
}

/* Derivatives that mean nothing in this mode; returns the initializers of the description. */
static const char *describe_unsaid(Emit *em, Text *out) {
  uint32_t n, *places = structure_unsaid(em->s, em->a, &n);
  if (!n)
    return "";
  describe_list("unsaid", places, n, out);
  return arena_printf(em->a, "  .n_unsaid = %u, .unsaid = unsaid,\n", n);
}

/* Which derivatives depend on which states; returns the initializers of the description. */
static const char *describe_pattern(Emit *em, Text *out) {
  SPattern p;
  if (!structure_pattern(em->s, em->a, &p))
    return "";
  describe_list("jacobian_start", p.start, p.n + 1, out);
  describe_list("jacobian_rows", p.rows, p.start[p.n], out);
  return arena_printf(em->a, "  .jacobian_start = jacobian_start, .jacobian_rows = jacobian_rows, .autonomous = %d,\n", p.autonomous);
}

static void describe_model(Emit *em, uint32_t n_discrete, Text *out) {
  const Structure *s = em->s;
  const FlatExperiment *x = &em->m->experiment;
  const char *pattern = describe_pattern(em, out), *tangent = describe_tangent(em, out), *selections = describe_selections(em, out);
  const char *parts = describe_parts(em, out);
  const char *transports = describe_transports(em, out), *conditions = describe_conditions(em, out), *jumps = describe_jumps(em, out);
  const char *invariants = describe_invariants(em, out), *pushes = describe_pushes(em, out);
  const char *unsaid = describe_unsaid(em, out);
  text_add(out, "\nstatic const DsModel model = {\n");
  const char *name = c_string(em, em->m->name), *text = c_string(em, em->m->comment);
  text_printf(out, "  DS_VERSION, %s, %s,\n", name, text);
  text_printf(out, "  %u, %u, %u, %u, %u, %u, %u,\n", s->states.n, s->n_real, s->n_integer, s->n_string, s->relations.n, s->samples.n, em->n_work);
  text_printf(out, "  %u, %u, %u, %u, %u, %u, %u,\n", em->m->vars.n, em->m->origins.n, em->blocks.n, em->places.n, s->mixed.n, s->redundant.n, s->delays.n);
  text_printf(out, "  variables, components, relations, places, blocks, mixed, redundant, discrete_reals, %u, %d, %d,\n", n_discrete, s->has_terminal,
              s->lambda == NO_SVAR ? -1 : (int)s->vars.at[s->lambda].place);
  const double numbers[] = {x->start, x->stop, x->tolerance, x->interval};
  for (int k = 0; k < 4; k++)
    text_printf(out, "%s%s,", k ? " " : "  ", c_real(em, numbers[k]));
  text_add(out, "\n  parameters, start_values, nominal_values, bounds, initial, redundancy, delays, events, actions, samples, instants, derivatives, crossings, outputs, checks,\n");
  text_printf(out, "  %s\n  %u, externals,\n", parts, em->externals.n);
  text_add(out, pattern);
  text_add(out, tangent);
  text_add(out, selections);
  text_printf(out, "  .one_pass = %d, .terms = terms, .numbers = numbers,\n", structure_one_pass(s));
  text_printf(out, "  .sizes = sizes, .part_sizes = %s,\n", s->parts.n ? "part_sizes" : "0");
  text_add(out, transports);
  text_add(out, conditions);
  text_add(out, jumps);
  text_add(out, invariants);
  text_add(out, pushes);
  text_add(out, unsaid);
  text_add(out, "};\n\nconst DsModel *dsblock(void) { return &model; }\n");
}

static void describe_places(Emit *em, Text *out) {
  text_add(out, "static const DsPlace places[] = {\n");
  for (uint32_t k = 0; k < em->places.n; k++) {
    text_add(out, "  ");
    describe_place(em, em->places.at[k], out);
    text_add(out, ",\n");
  }
  text_printf(out, "%s};\n", em->places.n ? "" : "  {0, 0, \"\"}\n");
}

void emit_file(Emit *em, Text *description, Text *out) {
  Arena *a = em->a;
  Text places = {.arena = a};
  describe_places(em, &places);
  text_printf(out, "/* %s: generated by NuSim from its equations. Values: r Real, i Integer and Boolean, s String. */\n", c_comment(em, em->m->name));
  text_add(out, "#ifndef DSBLOCK_H\n#include \"dsblock.h\"\n#endif\n\n");
  const Text *parts[] = {&places, &em->tables, &em->prototypes, &em->functions, &em->code, description};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    text_add(out, text_str(parts[k]));
    text_char(out, '\n');
  }
}

Emit emit_begin(const FlatModel *m, const Structure *s, Arena *a, Diags *diags) {
  return (Emit){.m = m, .s = s, .p = m->pool, .a = a, .diags = diags, .code = {.arena = a}, .tables = {.arena = a}, .prototypes = {.arena = a}, .functions = {.arena = a}};
}

bool emit_c(const FlatModel *m, const Structure *s, Diags *diags, Text *out) {
  uint32_t errors = diags_errors(diags);
  Emit em = emit_begin(m, s, out->arena, diags);
  Text description = {.arena = out->arena};
  Chunks initial = {0};
  emit_simulation(&em);
  emit_blocks(&em, &s->initial, true, "initially", &initial);
  emit_whole(&em, "initial", &initial);
  emit_lists(&em);
  emit_jumps(&em);
  emit_tangent(&em);
  emit_functions(&em);
  describe_variables(&em, &description);
  describe_relations(&em, &description);
  describe_blocks(&em, &description);
  describe_mixed(&em, &description);
  describe_redundant(&em, &description);
  describe_externals(&em, &description);
  uint32_t n_discrete = describe_discrete(&em, &description);
  describe_model(&em, n_discrete, &description);
  emit_file(&em, &description, out);
  return diags_errors(diags) == errors;
}
