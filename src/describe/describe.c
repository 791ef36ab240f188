/* describe/describe.c -- the description as a whole: a list of tables, the layout, and what tables
 * have in common. */
#include "describe/describe_impl.h"
#include "structure/pattern.h"
#include "structure/slice.h"
#include "structure/sorted.h"
#include "structure/tables.h"

/* ---- lists ---- */

int *describe_numbers(Description *d, const uint32_t *from, uint32_t n) {
  int *out = NEW_LIST(d, int, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = (int)from[k];
  return out;
}

int *describe_places_of(Description *d, const uint32_t *vars, uint32_t n) {
  int *out = NEW_LIST(d, int, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = (int)d->s->vars.at[vars[k]].place;
  return out;
}

void describe_value(Description *d, ValueList *list, ExprId value, Span span) {
  vec_push(d->a, list, (Listed){list->n, value, span});
}

const char *describe_text(const char *text) { return text ? text : ""; }

/* ---- places ---- */

DsPlace describe_where(const Description *d, Span span) {
  Place at = source_place(diags_sources(d->diags), span.lo);
  bool known = span.hi && at.source;
  return (DsPlace){span.lo, span.hi,
                   known ? arena_printf(d->a, "%s:%u", at.source->name, at.line) : ""};
}

uint32_t describe_place(Description *d, Span span) {
  uint64_t key = (uint64_t)span.lo << 32 | span.hi, known;
  if (key != UINT64_MAX && map_get(&d->place_of, key, &known))
    return (uint32_t)known;
  known = d->places.n;
  vec_push(d->a, &d->places, describe_where(d, span));
  if (key != UINT64_MAX)
    map_put(d->a, &d->place_of, key, known);
  d->model.places = d->places.at, d->model.n_places = (int)d->places.n;
  return (uint32_t)known;
}

/* ---- short tables ---- */

static void describe_layout(Description *d) {
  const Structure *s = d->s;
  DsModel *m = &d->model;
  m->version = DS_VERSION;
  m->name = describe_text(d->flat->name);
  m->comment = "";
  m->nx = (int)s->states.n;
  m->n_real = (int)s->n_real, m->n_integer = (int)s->n_integer, m->n_string = (int)s->n_string;
  m->n_relations = (int)s->relations.n;
  m->n_samples = (int)s->samples.n;
  m->homotopy = -1;
}

static void describe_experiment(Description *d) {
  const FlatExperiment *x = &d->flat->experiment;
  DsModel *m = &d->model;
  m->start_time = x->start, m->stop_time = x->stop;
  m->tolerance = x->tolerance, m->interval = x->interval;
}

/* What its equations contain. */
static void describe_contents(Description *d) {
  const Structure *s = d->s;
  DsModel *m = &d->model;
  m->comment = describe_text(d->flat->comment);
  m->has_terminal = s->has_terminal;
  if (s->lambda != NO_SVAR)
    m->homotopy = (int)s->vars.at[s->lambda].place;
  m->one_pass = structure_one_pass(s);
  m->n_delays = (int)s->delays.n;
}

static void describe_transports(Description *d) {
  uint32_t n = d->s->transports.n;
  int *points = NEW_ROWS(d, int, n);
  for (uint32_t k = 0; k < n; k++) {
    const STransport *tr = &d->s->transports.at[k];
    points[k] = (int)tr->n;
    for (uint32_t q = 0; q < 2 * tr->n; q++)
      describe_value(d, &d->profiles, q < tr->n ? tr->points[q] : tr->values[q - tr->n], tr->span);
  }
  d->model.transport_points = points, d->model.n_transports = (int)n;
}

static void describe_events(Description *d) {
  uint32_t n, *places = structure_discrete(d->s, d->a, &n);
  d->model.discrete_reals = describe_numbers(d, places, n), d->model.n_discrete_reals = (int)n;
  places = structure_pre_reads(d->s, d->a, &n);
  d->model.pre_reads = describe_numbers(d, places, n), d->model.n_pre_reads = (int)n;
}

/* Which derivatives depend on which states. */
static void describe_pattern(Description *d) {
  SPattern p;
  if (!structure_pattern(d->s, d->a, &p))
    return;
  d->model.jacobian_start = describe_numbers(d, p.start, p.n + 1);
  d->model.jacobian_rows = describe_numbers(d, p.rows, p.start[p.n]);
  d->model.autonomous = p.autonomous;
}

/* ---- all of it ---- */

static Description *begin(const FlatModel *m, const Structure *s, Arena *a, Diags *diags) {
  Description *d = NEW(a, Description);
  d->flat = m, d->s = s, d->a = a, d->diags = diags;
  describe_layout(d);
  return d;
}

Description *describe_model(const FlatModel *m, const Structure *s, Arena *a, Diags *diags) {
  Description *d = begin(m, s, a, diags);
  describe_experiment(d);
  describe_contents(d);
  describe_variables(d);
  describe_relations(d);
  describe_mixed(d);
  describe_redundant(d);
  describe_events(d);
  describe_transports(d);
  describe_blocks(d);
  describe_parts(d);
  describe_pattern(d);
  describe_tangent(d);
  describe_selections(d);
  describe_conditions(d);
  describe_jumps(d);
  describe_invariants(d);
  describe_pushes(d);
  describe_unsaid(d);
  return d;
}

Description *describe_slice(const FlatModel *m, const Structure *s, const SSlice *slice, Arena *a,
                            Diags *diags) {
  Description *d = begin(m, s, a, diags);
  SSlice *copy = NEW(a, SSlice);
  *copy = *slice;
  d->slice = copy;
  describe_blocks_of_slice(d);
  return d;
}

/* ---- lengths ---- */

int describe_n_terms(const DsModel *m) {
  int n = 0;
  for (int k = 0; m->relations && k < m->n_relations; k++)
    n += m->relations[k].n_terms;
  return n;
}

int describe_n_numbers(const DsModel *m) {
  int n = 0;
  for (int k = describe_n_terms(m); k-- > 0;)
    if (m->terms[k].op == DS_TERM_NUMBER && m->terms[k].a >= n)
      n = m->terms[k].a + 1;
  return n;
}
