/* structure/inspect_modes.c -- the modes of a model whose equations change: what each of them makes
 * of it.
 * In:   the structure of one mode.   Out: of every combination of the conditions, or of the present
 *       one if there are too many: states, constraints, index, what may jump and have Dirac pulses
 *       when it begins; or why it determines nothing.
 * Keep: which combinations can be reached only a run can tell. */
#include "structure/inspect_impl.h"
#include "base/limits.h"
#include "structure/lowered.h"
#include "structure/structure.h"

#include <string.h>

typedef VEC(const char *) Names;

typedef struct {
  bool *values;
  const char *text;
  const char *code, *message; /* why it cannot be; NULL: it can */
  Facts facts;
  Names states, jumping, pulses;
} Mode;

/* ---- one mode ---- */

/* Names of the SVars that are marked, in the order of the model. */
static Names names_of(const Facts *f, const bool *marked) {
  Names out = {0};
  for (uint32_t v = 0; v < f->s->vars.n; v++)
    if (marked[v])
      vec_push(f->in->a, &out, fact_name(f, v));
  return out;
}

/* Equations that bind states: those whose derivative is in one of them jump, the others have
 * pulses. */
static void mark_jump(const Structure *s, const SJump *j, bool *jumping, bool *pulses) {
  for (uint32_t k = 0; k < j->rates.n; k++)
    jumping[j->vars[j->rates.at[k].column]] = true;
  for (uint32_t k = 0; k < j->n; k++)
    if (!jumping[j->vars[k]])
      *(s->vars.at[j->vars[k]].dormant ? &jumping[j->vars[k]] : &pulses[j->vars[k]]) = true;
}

/* What the pulses reach beyond these. */
static void mark_pulses(const Structure *s, bool *jumping, bool *pulses) {
  for (uint32_t r = 0; r < s->pulses.rows.n; r++) {
    uint32_t of = s->vars.at[s->pulses.match[r]].of;
    if (s->vars.at[of].kind == SV_VAR)
      pulses[of] = true;
    else if (s->vars.at[of].kind == SV_DER && s->vars.at[s->vars.at[of].of].state)
      jumping[s->vars.at[of].of] = true;
  }
}

static void read_mode(Mode *m, const Inspect *in) {
  const Structure *s = in->s;
  m->facts = facts_of(in);
  bool *states = NEW_ARRAY(in->a, bool, s->vars.n + 1);
  bool *jumping = NEW_ARRAY(in->a, bool, s->vars.n + 1);
  bool *pulses = NEW_ARRAY(in->a, bool, s->vars.n + 1);
  for (uint32_t k = 0; k < s->common.states.n; k++) {
    uint32_t v = s->common.states.at[k];
    states[v] = s->vars.at[v].state;
    /* It follows from an equation that does not ask what it was */
    jumping[v] = !states[v] && !s->vars.at[v].absent;
  }
  for (uint32_t k = 0; k < s->jumps.n; k++)
    mark_jump(s, &s->jumps.at[k], jumping, pulses);
  mark_pulses(s, jumping, pulses);
  m->states = names_of(&m->facts, states);
  m->jumping = names_of(&m->facts, jumping);
  m->pulses = names_of(&m->facts, pulses);
}

/* What is not a state here, but in another mode: NULL if it is one. */
static const char *why_no_state(const Mode *m, uint32_t var) {
  const Facts *f = &m->facts;
  const SVar *v = &f->s->vars.at[var];
  if (v->state)
    return NULL;
  if (v->absent)
    return "no equation holds it: it keeps its value";
  uint32_t row = f->row_of[var];
  return row == NO_ROW ? "it follows from others" : fact_row(f, &f->s->simulation.rows.at[row]);
}

static Mode mode_of(const Inspect *in, const bool *values, Diags *diags) {
  uint32_t n = in->s->conditions.n, mark = diags_count(diags);
  Mode m = {.values = NEW_ARRAY(in->a, bool, n + 1)};
  memcpy(m.values, values, n * sizeof *values);
  bool first = true;
  for (uint32_t k = 0; k < n; k++)
    first = first && values[k] == in->s->conditions.at[k].value;
  m.facts = (Facts){.in = in, .s = in->s};
  m.text = fact_mode(&m.facts, values);
  Inspect *own = NEW(in->a, Inspect);
  *own = *in;
  own->s = first ? in->s : structure_in_mode(in->s, m.values, false, in->a, diags);
  for (uint32_t k = mark; k < diags_count(diags) && !own->s && !m.code; k++) {
    const Diag *d = diags_at(diags, k);
    if (d->severity == SEV_ERROR) {
      m.code = diag_code_name(d->code);
      m.message = arena_strdup(in->a, d->message);
    }
  }
  diags_rewind(diags, mark);
  if (own->s)
    read_mode(&m, own);
  else if (!m.code) {
    m.code = "";
    m.message = "it cannot be built";
  }
  return m;
}

typedef struct {
  Mode *at;
  uint32_t n;
  bool all; /* every combination */
} Modes;

/* The mode of the structure, then the others: condition 0 changes most often. */
static Modes modes_of(const Inspect *in, Diags *diags) {
  uint32_t n = in->s->conditions.n, first = 0;
  Modes out = {.all = n <= MOST_COMBINED_SHOWN};
  uint32_t most = out.all ? 1u << n : 1;
  out.at = NEW_ARRAY(in->a, Mode, most);
  bool *values = NEW_ARRAY(in->a, bool, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    values[k] = in->s->conditions.at[k].value;
    first |= out.all && values[k] ? 1u << k : 0;
  }
  out.at[out.n++] = mode_of(in, values, diags);
  for (uint32_t c = 0; c < most && out.all; c++) {
    for (uint32_t k = 0; k < n; k++)
      values[k] = c >> k & 1;
    if (c != first)
      out.at[out.n++] = mode_of(in, values, diags);
  }
  return out;
}

/* ---- constraints ---- */

typedef struct {
  const Structure *s;
  bool found;
} Derivatives;

static void find_derivative(void *user, ExprId e) {
  Derivatives *d = user;
  uint32_t v;
  d->found = d->found || (lowered_var(d->s->model->pool, e, &v) && d->s->vars.at[v].kind == SV_DER);
}

/* Does it hold states without derivatives? */
static bool constrains(const Structure *s, const SRow *row) {
  Derivatives d = {.s = s};
  if (row->kind != ROW_EQUAL || row->derivative_of || !row->times)
    return false;
  expr_walk(s->model->pool, row->lhs, find_derivative, &d);
  expr_walk(s->model->pool, row->rhs, find_derivative, &d);
  return !d.found;
}

/* Constraint number k of the mode; NULL: there are no more. */
static const SRow *constraint_at(const Structure *s, uint32_t k) {
  for (uint32_t r = 0; r < s->invariants.n + s->simulation.rows.n; r++) {
    const SRow *row = r < s->invariants.n ? &s->invariants.at[r]
                                          : &s->simulation.rows.at[r - s->invariants.n];
    if (constrains(s, row) && k-- == 0)
      return row;
  }
  return NULL;
}

/* ---- text ---- */

static void put_names(const char *what, const Names *names, Text *out) {
  if (!names->n)
    return;
  text_printf(out, "  %-11s  ", what);
  for (uint32_t k = 0; k < names->n; k++)
    text_printf(out, "%s%s", k ? ", " : "", names->at[k]);
  text_add(out, "\n");
}

static void put_mode(const Mode *m, uint32_t number, Text *out) {
  text_printf(out, "\nmode %u: %s\n", number, m->text);
  if (m->code) {
    text_printf(out, "  %-11s  %s%s%s\n", "impossible", m->code, *m->code ? ": " : "", m->message);
    return;
  }
  const Facts *f = &m->facts;
  text_printf(out, "  %-11s  %u\n", "index", f->counts.index);
  text_printf(out, "  %-11s  %u of %u\n", "states", m->states.n, f->s->common.states.n);
  for (uint32_t k = 0; k < f->s->common.states.n; k++) {
    const char *why = why_no_state(m, f->s->common.states.at[k]);
    if (why)
      text_printf(out, "  %-11s  %s: %s\n", "no state", fact_name(f, f->s->common.states.at[k]),
                  why);
  }
  const SRow *row;
  for (uint32_t k = 0; (row = constraint_at(f->s, k)); k++) {
    const char *place = fact_place(f, row->span);
    text_printf(out, "  %-11s  %s, differentiated %s%s%s%s\n", "constraint", fact_row(f, row),
                fact_times(f, row->times), *place ? " (" : "", place, *place ? ")" : "");
  }
  put_names("may jump", &m->jumping, out);
  put_names("pulses in", &m->pulses, out);
  text_printf(out, "  %-11s  %s\n", "entry", m->pulses.n ? "may be impulsive" : "without pulses");
}

static void put_conditions(const Facts *f, Text *out) {
  for (uint32_t k = 0; k < f->s->conditions.n; k++) {
    const char *place = fact_place(f, f->s->conditions.at[k].span);
    text_printf(out, "  condition  %s%s%s%s\n", fact_name(f, f->s->conditions.at[k].var),
                *place ? " (" : "", place, *place ? ")" : "");
  }
}

void inspect_modes_text(const Inspect *in, Diags *diags, Text *out) {
  uint32_t n = in->s->conditions.n;
  if (!n) {
    text_printf(out, "modes of %s: one, its equations never change\n", in->s->model->name);
    return;
  }
  Modes modes = modes_of(in, diags);
  Facts f = {.in = in, .s = in->s};
  text_printf(out, "modes of %s: %u condition%s\n", in->s->model->name, n, n == 1 ? "" : "s");
  put_conditions(&f, out);
  if (modes.all)
    text_printf(out,
                "  %u combinations, not all of which need be possible; the first is where a run is "
                "likely to begin\n",
                modes.n);
  else
    text_printf(out,
                "  too many combinations: only the mode where a run is likely to begin is shown\n");
  for (uint32_t k = 0; k < modes.n; k++)
    put_mode(&modes.at[k], k + 1, out);
}

/* ---- JSON ---- */

static void json_names(const char *what, const Names *names, Text *out) {
  text_printf(out, ",\"%s\":[", what);
  for (uint32_t k = 0; k < names->n; k++) {
    text_add(out, k ? "," : "");
    text_json(out, names->at[k]);
  }
  text_add(out, "]");
}

static void json_no_states(const Mode *m, Text *out) {
  const Facts *f = &m->facts;
  bool any = false;
  text_add(out, ",\"no_states\":[");
  for (uint32_t k = 0; k < f->s->common.states.n; k++) {
    const char *why = why_no_state(m, f->s->common.states.at[k]);
    if (!why)
      continue;
    text_add(out, any ? ",{\"name\":" : "{\"name\":");
    text_json(out, fact_name(f, f->s->common.states.at[k]));
    text_add(out, ",\"why\":");
    text_json(out, why);
    text_add(out, "}");
    any = true;
  }
  text_add(out, "]");
}

static void json_constraints(const Facts *f, Text *out) {
  const SRow *row;
  text_add(out, ",\"constraints\":[");
  for (uint32_t k = 0; (row = constraint_at(f->s, k)); k++) {
    text_add(out, k ? ",{\"equation\":" : "{\"equation\":");
    text_json(out, fact_row(f, row));
    text_printf(out, ",\"differentiated\":%u,\"place\":", row->times);
    text_json(out, fact_place(f, row->span));
    text_add(out, "}");
  }
  text_add(out, "]");
}

static void json_mode(const Mode *m, uint32_t n, Text *out) {
  text_add(out, "{\"text\":");
  text_json(out, m->text);
  text_add(out, ",\"conditions\":[");
  for (uint32_t k = 0; k < n; k++)
    text_printf(out, "%s%s", k ? "," : "", m->values[k] ? "true" : "false");
  text_printf(out, "],\"possible\":%s", m->code ? "false" : "true");
  if (m->code) {
    text_add(out, ",\"code\":");
    text_json(out, m->code);
    text_add(out, ",\"message\":");
    text_json(out, m->message);
    text_add(out, "}");
    return;
  }
  text_printf(out, ",\"index\":%u", m->facts.counts.index);
  json_names("states", &m->states, out);
  json_no_states(m, out);
  json_constraints(&m->facts, out);
  json_names("may_jump", &m->jumping, out);
  json_names("pulses", &m->pulses, out);
  text_printf(out, ",\"impulsive\":%s}", m->pulses.n ? "true" : "false");
}

void inspect_modes_json(const Inspect *in, Diags *diags, Text *out) {
  uint32_t n = in->s->conditions.n;
  Facts f = {.in = in, .s = in->s};
  Modes modes = n ? modes_of(in, diags) : (Modes){.all = true};
  text_add(out, "{\"conditions\":[");
  for (uint32_t k = 0; k < n; k++) {
    text_add(out, k ? ",{\"text\":" : "{\"text\":");
    text_json(out, fact_name(&f, in->s->conditions.at[k].var));
    text_add(out, ",\"place\":");
    text_json(out, fact_place(&f, in->s->conditions.at[k].span));
    text_add(out, "}");
  }
  text_printf(out, "],\"all\":%s,\"modes\":[", modes.all ? "true" : "false");
  for (uint32_t k = 0; k < modes.n; k++) {
    text_add(out, k ? ",\n" : "\n");
    json_mode(&modes.at[k], n, out);
  }
  text_add(out, "]}");
}
