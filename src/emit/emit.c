/* emit/emit.c -- the C file as a whole, and the functions of the interface, each under the name of
 * its field in DsModel.
 * Order in the text: places, constants, prototypes of the model's functions, their code, equations,
 * tables, dsblock(). */
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
static bool has_nominal(const Emit *em, uint32_t k) {
  return em->s->vars.at[em->s->states.at[k]].kind == SV_VAR;
}

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
  c_line(em, "x[%u] = %s;", k,
         v->nominal.i ? arena_printf(em->a, "fabs(%s)", emit_value(em, v->nominal)) : "1");
}

static bool is_bounded(const Emit *em, uint32_t v) {
  return em->s->vars.at[v].bank == BANK_REAL && em->m->vars.at[v].variability < FLAT_PARAMETER;
}

static void count_bounds(Emit *em, uint32_t v) {
  if (is_bounded(em, v))
    c_count(em, em->m->vars.at[v].nominal), c_count(em, em->m->vars.at[v].min),
        c_count(em, em->m->vars.at[v].max);
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

static void count_sample(Emit *em, uint32_t k) {
  c_count(em, em->s->samples.at[k].start), c_count(em, em->s->samples.at[k].interval);
}

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
    c_line(em, "d->host->reinit(d, %u, %s);", em->s->vars.at[act->state].place,
           emit_value(em, act->value));
  } else if (act->kind == ACTION_CALL) {
    if (expr_get(em->p, act->value)->op == OP_CALL)
      emit_call(em, act->value);
  } else if (act->kind == ACTION_TERMINATE) {
    c_line(em, "d->host->terminate(d, &places[%u], %s);", n, emit_value(em, act->message));
  } else {
    c_line(em, "if (!%s) {", emit_value(em, act->value));
    em->indent++;
    em->uses_mask |= USES_STATUS;
    const char *message = emit_value(em, act->message),
               *level = act->level.i ? emit_value(em, act->level) : "2";
    c_line(em, "if ((status = d->host->violated(d, &places[%u], %s, (int)%s)) != DS_OK)", n,
           message, level);
    c_line(em, "  goto done;");
    em->indent--;
    c_line(em, "}");
  }
  em->indent--;
  c_line(em, "}");
  c_scope_close(em, mark);
}

static void count_delay(Emit *em, uint32_t k) {
  c_count(em, em->s->delays.at[k].delay), c_count(em, em->s->delays.at[k].most);
}

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

static void count_redundant(Emit *em, uint32_t k) {
  c_count(em, em->s->redundant.at[k].lhs), c_count(em, em->s->redundant.at[k].rhs);
}

static void emit_redundant(Emit *em, uint32_t k) {
  const SRedundant *r = &em->s->redundant.at[k];
  at(em, r->span);
  const char *left = emit_value(em, r->lhs), *right = emit_value(em, r->rhs);
  c_line(em, "sides[%u] = %s;", 2 * k, left);
  c_line(em, "sides[%u] = %s;", 2 * k + 1, right);
}

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
      {"parameters", "DsData *d", "d", s->parameters.n + s->guards.n, count_parameter,
       emit_parameter_or_guard},
      {"start", "DsData *d", "d", s->later ? 0 : em->m->vars.n, count_start, emit_start},
      {"nominal", "DsData *d, double *x", "d, x", s->states.n, count_nominal, emit_nominal},
      {"bounds", "DsData *d, double *nominal, double *low, double *high", "d, nominal, low, high",
       em->m->vars.n, count_bounds, emit_bounds},
      {"samples", "DsData *d, double *start, double *interval", "d, start, interval", s->samples.n,
       count_sample, emit_sample},
      {"delays", "DsData *d, double *values", "d, values", s->delays.n, count_delay, emit_delay},
      {"redundancy", "DsData *d, double *sides", "d, sides", s->redundant.n, count_redundant,
       emit_redundant},
  };
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    emit_pieces(em, &lists[k]);
}

/* ---- lists of values ---- */

static void count_listed(Emit *em, uint32_t k) { c_count(em, em->list->at[k].value); }

static void emit_listed(Emit *em, uint32_t k) {
  const Listed *v = &em->list->at[k];
  at(em, v->span);
  c_line(em, "values[%u] = %s;", v->at, emit_value_as(em, v->value, TY_REAL));
}

static void emit_values(Emit *em, const char *name, const ValueList *list) {
  em->list = list;
  emit_pieces(em, &(Pieces){name, "DsData *d, double *values", "d, values", list->n, count_listed,
                            emit_listed});
}

/* What the description has listed, for what the model has. */
static void emit_described(Emit *em) {
  const Description *about = em->about;
  emit_values(em, "selection", &about->selection);
  if (about->model.tangent) {
    emit_values(em, "evaluate", &about->evaluate);
    emit_values(em, "evaluate_relations", &about->evaluate_relations);
  }
  if (about->model.n_invariants)
    emit_values(em, "invariants", &about->invariants);
  if (about->model.n_transports) {
    emit_pieces(em, &(Pieces){"transports", "DsData *d, double *values", "d, values",
                              em->s->transports.n, no_count, emit_transport});
    emit_values(em, "profiles", &about->profiles);
  }
}

/* ---- equations ---- */

void emit_calls(Emit *em, const char *name, const Chunks *chunks, uint32_t first, uint32_t end,
                Names *calls) {
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
    const char *trial = arena_printf(em->a, "%s_trial%u", name, mixed - 1),
               *solve = arena_printf(em->a, "%s_mixed%u", name, mixed - 1);
    emit_sequence(em, trial, "DsData *d", "d", parts.at, parts.n);
    text_printf(&em->code, "static int %s(DsData *d) { return d->host->mixed(d, %u, %s); }\n\n",
                solve, mixed - 1, trial);
    vec_push(em->a, calls, solve);
  }
}

static void emit_whole(Emit *em, const char *name, const Chunks *chunks) {
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
      {"crossings", "DsData *d, double *a, double *b", "d, a, b", s->relations.n, count_crossing,
       emit_crossing},
      {"actions", "DsData *d", "d", s->actions.n, no_count, emit_when_action},
      {"checks", "DsData *d", "d", s->checks.n, no_count, emit_check},
      {"sizes", "DsData *d, double *size, double *terms", "d, size, terms", s->relations.n,
       count_size, emit_size},
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

/* Pulses spread by a system of their own. */
static void emit_jumps(Emit *em) {
  Chunks chunks = {0};
  if (!em->about->model.n_jumps)
    return;
  emit_values(em, "jump", &em->about->jump);
  emit_values(em, "relation_areas", &em->about->relation_areas);
  emit_blocks(em, &em->s->pulses, true, "pulses_of", &chunks);
  emit_whole(em, "spread", &chunks);
}

/* ---- the file ---- */

void emit_file(Emit *em, Text *out) {
  Text places = {.arena = em->a}, model = {.arena = em->a};
  emit_places(em, &places);
  emit_model(em, &model);
  text_printf(out,
              "/* %s: generated by NuSim from its equations. Values: r Real, i Integer and "
              "Boolean, s String. */\n",
              c_comment(em, em->m->name));
  text_add(out, "#ifndef DSBLOCK_H\n#include \"dsblock.h\"\n#endif\n\n");
  const Text *parts[] = {&places, &em->tables, &em->prototypes, &em->functions, &em->code, &model};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    text_add(out, text_str(parts[k]));
    text_char(out, '\n');
  }
}

Emit emit_begin(Description *about) {
  Arena *a = about->a;
  return (Emit){.about = about,
                .m = about->flat,
                .s = about->s,
                .p = about->flat->pool,
                .a = a,
                .diags = about->diags,
                .code = {.arena = a},
                .tables = {.arena = a},
                .prototypes = {.arena = a},
                .functions = {.arena = a}};
}

bool emit_c(const FlatModel *m, const Structure *s, Diags *diags, Text *out) {
  uint32_t errors = diags_errors(diags);
  Emit em = emit_begin(describe_model(m, s, out->arena, diags));
  Chunks initial = {0};
  emit_simulation(&em);
  emit_blocks(&em, &s->initial, true, "initially", &initial);
  emit_whole(&em, "initial", &initial);
  emit_lists(&em);
  emit_described(&em);
  emit_jumps(&em);
  emit_functions(&em);
  emit_file(&em, out);
  return diags_errors(diags) == errors;
}
