/* structure/inspect_text.c -- the facts as aligned tables. Long lists and equations are cut unless
 * all was asked for. */
#include "structure/inspect_impl.h"
#include "base/limits.h"
#include "structure/name.h"
#include "structure/pattern.h"

#include <string.h>

enum { COLUMNS = 8 }; /* no table has more */

/* ---- tables ---- */

typedef struct {
  const Facts *f;
  uint32_t columns;
  VEC(const char *) cells; /* row by row; the first row holds the titles */
} Table;

static Table table_new(const Facts *f, uint32_t columns, const char *const *titles) {
  Table t = {.f = f, .columns = columns};
  for (uint32_t k = 0; k < columns; k++)
    vec_push(f->in->a, &t.cells, titles[k]);
  return t;
}

#define TABLE(f, ...)                                                                              \
  table_new(f, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),                             \
            (const char *[]){__VA_ARGS__})

static void row_put(Table *t, const char *const *cells) {
  for (uint32_t k = 0; k < t->columns; k++)
    vec_push(t->f->in->a, &t->cells, cells[k]);
}

#define ROW(t, ...) row_put(t, (const char *[]){__VA_ARGS__})

/* Characters, not bytes. */
static size_t width_of(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += (*text & 0xc0) != 0x80;
  return n;
}

/* Columns that are empty in all rows are left out. */
static void table_print(const Table *t, Text *out) {
  size_t width[COLUMNS] = {0};
  uint32_t n = t->cells.n / t->columns - 1;
  uint32_t shown = t->f->in->all || n <= MOST_TABLE_ROWS + 1 ? n : MOST_TABLE_ROWS;
  bool used[COLUMNS] = {0};
  for (uint32_t k = 0; k < (shown + 1) * t->columns; k++) {
    size_t w = width_of(t->cells.at[k]);
    used[k % t->columns] |= k >= t->columns && w;
    width[k % t->columns] = w > width[k % t->columns] ? w : width[k % t->columns];
  }
  for (uint32_t r = 0; r <= shown; r++) {
    size_t missing = 2;
    for (uint32_t c = 0; c < t->columns; c++) {
      if (!used[c])
        continue;
      const char *cell = t->cells.at[r * t->columns + c];
      if (*cell)
        text_printf(out, "%*s%s", (int)missing, "", cell);
      missing = *cell ? 0 : missing;
      missing += width[c] - width_of(cell) + 2;
    }
    text_add(out, "\n");
  }
  if (shown < n)
    text_printf(out, "  ... and %u more (--all shows them)\n", n - shown);
}

static void title(Text *out, const char *text) { text_printf(out, "\n%s\n", text); }

static const char *number(const Facts *f, uint64_t n) {
  return arena_printf(f->in->a, "%llu", (unsigned long long)n);
}

/* Equations that are too long for a table are cut. */
static const char *cut(const Facts *f, const char *text) {
  if (f->in->all || width_of(text) <= MOST_TABLE_EQUATION)
    return text;
  size_t n = 0, at = 0;
  for (; n < MOST_TABLE_EQUATION - 4; at++)
    n += (text[at + 1] & 0xc0) != 0x80;
  return arena_printf(f->in->a, "%.*s ...", (int)at, text);
}

/* ---- counts ---- */

/* "3 states, 1 alias": pieces of zero are left out. */
static void piece(Text *t, uint32_t n, const char *one, const char *many) {
  if (n)
    text_printf(t, "%s%u %s", t->n ? ", " : "", n, n == 1 ? one : many);
}

static void count_line(const char *what, uint32_t n, const Text *pieces, Text *out) {
  text_printf(out, "  %-10s %6u%s%s\n", what, n, pieces->n ? "   " : "", text_str(pieces));
}

static void print_counts(const Facts *f, Text *out) {
  const Counts *c = &f->counts;
  Arena *a = f->in->a;
  Text variables = {.arena = a};
  Text equations = {.arena = a};
  Text events = {.arena = a};
  Text blocks = {.arena = a};
  piece(&variables, c->states, "state", "states");
  piece(&variables, c->dummies, "dummy", "dummies");
  piece(&variables, c->algebraic, "algebraic", "algebraic");
  piece(&variables, c->aliases, "alias", "aliases");
  piece(&variables, c->discrete, "discrete", "discrete");
  piece(&variables, c->inputs, "input", "inputs");
  piece(&variables, c->parameters, "parameter", "parameters");
  piece(&variables, c->constants, "constant", "constants");
  count_line("variables", c->variables, &variables, out);
  piece(&equations, c->differentiated, "more by differentiation", "more by differentiation");
  count_line("equations", c->equations, &equations, out);
  piece(&events, c->relations - c->timed, "relation", "relations");
  piece(&events, c->timed, "relation of time", "relations of time");
  piece(&events, c->samples, "sample", "samples");
  piece(&events, c->conditions, "when-condition", "when-conditions");
  piece(&events, c->reinits, "reinit", "reinits");
  piece(&events, c->delays, "delay", "delays");
  count_line("events", c->relations + c->samples, &events, out);
  for (uint32_t k = 0; k < N_BLOCK_KINDS; k++) {
    piece(&blocks, c->blocks[k], block_kind_names[k], block_kind_names[k]);
    if (c->largest[k] > 1 && c->torn[k] && c->torn[k] < c->largest[k])
      text_printf(&blocks, " (%u unknowns, %u iterated%s)", c->largest[k], c->torn[k],
                  c->blocks[k] > 1 ? ", at most" : "");
    else if (c->largest[k] > 1)
      text_printf(&blocks, " (%u unknowns%s)", c->largest[k], c->blocks[k] > 1 ? " at most" : "");
  }
  piece(&blocks, c->mixed, "mixed system", "mixed systems");
  count_line("blocks", f->s->simulation.blocks.n, &blocks, out);
}

static void print_jacobian(const Facts *f, Text *out) {
  const SPattern *p = f->in->pattern;
  uint32_t n = f->s->states.n;
  if (!n || f->s->conditions.n)
    return;
  text_printf(out, "  %-10s %u x %u", "Jacobian", n, n);
  if (!p) {
    text_add(out, ", too large for its pattern to be worked out\n");
    return;
  }
  double part = 100.0 * p->start[n] / ((double)n * n);
  text_printf(out, ", %u nonzero (%.3g %%), %u colour%s%s\n", p->start[n], part, f->in->colors,
              f->in->colors == 1 ? "" : "s", p->autonomous ? "" : ", depends on time");
}

/* ---- states ---- */

static uint32_t island_of_state(const Structure *s, uint32_t place) {
  uint32_t low = 0, high = s->islands.n;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (s->islands.at[middle].first <= place)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void print_states(const Facts *f, Text *out) {
  const Structure *s = f->s;
  if (!s->states.n)
    return;
  title(out, "states");
  Table t = TABLE(f, "name", "start", "nominal", "island", "why", "declared");
  for (uint32_t v = 0; v < s->vars.n; v++)
    if (s->vars.at[v].state)
      ROW(&t, fact_name(f, v), cut(f, fact_start(f, v)), fact_nominal(f, v),
          s->islands.n > 1 ? number(f, island_of_state(s, s->vars.at[v].place) + 1) : "",
          fact_reason(f, v), fact_place(f, s->vars.at[v].span));
  table_print(&t, out);
}

static void print_dummies(const Facts *f, Text *out) {
  Table d = TABLE(f, "name", "from", "source");
  for (uint32_t v = 0; v < f->s->model->vars.n; v++) {
    if (!fact_is_dummy(f, v) || f->row_of[v] == NO_ROW)
      continue;
    const SRow *row = &f->s->simulation.rows.at[f->row_of[v]];
    ROW(&d, f->s->model->vars.at[v].name, cut(f, fact_row(f, row)), fact_place(f, row->span));
  }
  if (d.cells.n == d.columns)
    return;
  title(out, "dummies: have a derivative, but follow from the states");
  table_print(&d, out);
}

static void print_constraints(const Facts *f, Text *out) {
  const SSystem *sys = &f->s->simulation;
  if (!f->constraints.n && !f->s->invariants.n)
    return;
  title(out,
        f->s->conditions.n ? "constraints between states" : "constraints between would-be states");
  Table t = TABLE(f, "differentiated", "equation", "source");
  for (uint32_t k = 0; k < f->constraints.n; k++) {
    const Constraint *c = &f->constraints.at[k];
    const SRow *row = &sys->rows.at[c->row];
    ROW(&t, fact_times(f, c->times), cut(f, fact_row(f, row)), fact_place(f, row->span));
  }
  for (uint32_t k = 0; k < f->s->invariants.n; k++)
    if (!f->s->invariants.at[k].derivative_of)
      ROW(&t, fact_times(f, f->s->invariants.at[k].times),
          cut(f, fact_row(f, &f->s->invariants.at[k])), fact_place(f, f->s->invariants.at[k].span));
  table_print(&t, out);
  print_dummies(f, out);
}
/* ---- blocks ---- */

static const char *kind_of(const Facts *f, const SBlock *b) {
  Text t = {.arena = f->in->a};
  if (b->mixed)
    text_printf(&t, "mixed %u: ", b->mixed);
  text_add(&t, block_kind_names[b->kind]);
  bool torn = b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR;
  if (torn && b->n_tear < b->n)
    text_printf(&t, " %u of %u", b->n_tear, b->n);
  else if (b->n > 1)
    text_printf(&t, " %u", b->n);
  if (b->kind == BLOCK_NONLINEAR && !b->partials)
    text_add(&t, ", differenced");
  return text_str(&t);
}

static void block_rows(const Facts *f, const SSystem *sys, uint32_t b, Table *t) {
  const SBlock *bl = &sys->blocks.at[b];
  uint32_t island = sys == &f->s->simulation && f->s->islands.n > 1 ? f->s->island_of_block[b]
                                                                    : NO_ISLAND;
  bool iterates = bl->kind == BLOCK_LINEAR || bl->kind == BLOCK_NONLINEAR;
  for (uint32_t k = 0; k < bl->n; k++) {
    const SRow *row = &sys->rows.at[bl->rows[k]];
    bool event = bl->kind == BLOCK_RELATION;
    const char *unknown = fact_name(f, bl->unknowns[k]);
    const char *text = event ? "" : fact_row(f, row);
    if (event && f->s->relations.at[row->number].timed)
      text = "(at a time known ahead)";
    if (f->s->vars.at[bl->unknowns[k]].kind == SV_CONDITION)
      text = fact_decides(f, bl->unknowns[k]) ? "(decides about the structure)"
                                              : "(when-condition)";
    if (iterates && k < bl->n_tear && bl->n > bl->n_tear)
      unknown = arena_printf(f->in->a, "%s *", unknown);
    ROW(t, k ? "" : number(f, b + 1), k ? "" : kind_of(f, bl), cut(f, unknown), cut(f, text),
        fact_place(f, row->span), k || island == NO_ISLAND ? "" : number(f, island + 1));
  }
}

static void print_iterated(const Facts *f, const SSystem *sys, Text *out) {
  Table t = TABLE(f, "block", "name", "start", "nominal");
  for (uint32_t b = 0; b < sys->blocks.n; b++) {
    const SBlock *bl = &sys->blocks.at[b];
    for (uint32_t k = 0; k < bl->n_tear && bl->kind == BLOCK_NONLINEAR; k++)
      ROW(&t, number(f, b + 1), fact_name(f, bl->unknowns[k]),
          cut(f, fact_start(f, bl->unknowns[k])), fact_nominal(f, bl->unknowns[k]));
  }
  if (t.cells.n == t.columns)
    return;
  title(out, "iteration variables of nonlinear blocks");
  table_print(&t, out);
}

static void print_mixed(const Facts *f, const SSystem *sys, Text *out) {
  Table t = TABLE(f, "mixed", "decides", "source");
  uint32_t last = 0;
  for (uint32_t b = 0; b < sys->blocks.n; b++) {
    uint32_t mixed = sys->blocks.at[b].mixed;
    if (!mixed || mixed == last)
      continue;
    last = mixed;
    const SMixed *m = &f->s->mixed.at[mixed - 1];
    for (uint32_t k = 0; k < m->relations.n; k++) {
      const SRelation *r = &f->s->relations.at[m->relations.at[k]];
      ROW(&t, k ? "" : number(f, mixed), cut(f, fact_name(f, r->var)), fact_place(f, r->span));
    }
    for (uint32_t k = 0; k < m->discrete.n; k++)
      ROW(&t, k || m->relations.n ? "" : number(f, mixed), fact_name(f, m->discrete.at[k]),
          fact_place(f, f->s->vars.at[m->discrete.at[k]].span));
  }
  if (t.cells.n == t.columns)
    return;
  title(out, "mixed systems: blocks that are solved until these agree with the result");
  table_print(&t, out);
}

typedef struct {
  Table t;
  const char *phase; /* of the table under way */
  uint32_t aliases;
  bool starred;
} Blocks;

static void list_block(const Facts *f, const SSystem *sys, uint32_t b, bool phases, Blocks *bs,
                       Text *out) {
  const SBlock *bl = &sys->blocks.at[b];
  if (fact_is_alias(f, bl)) {
    bs->aliases++;
    return;
  }
  const char *now = phases ? block_phase_names[bl->phase] : "in order of evaluation";
  if (now != bs->phase) {
    if (bs->phase)
      table_print(&bs->t, out);
    title(out, arena_printf(f->in->a, "blocks %s", now));
    bs->phase = now;
    bs->t = TABLE(f, "#", "kind", "unknown", "equation", "source", "island");
  }
  bs->starred = bs->starred || (bl->n_tear && bl->n_tear < bl->n);
  block_rows(f, sys, b, &bs->t);
}

static void print_blocks(const Facts *f, const SSystem *sys, bool phases, Text *out) {
  Blocks bs = {0};
  /* the phases of several parts alternate: one list for each phase */
  bool apart = phases && f->s->parts.n;
  for (uint32_t phase = PHASE_DISCRETE; phase <= (apart ? PHASE_OUTPUT : PHASE_DISCRETE); phase++)
    for (uint32_t b = 0; b < sys->blocks.n; b++)
      if (!apart || sys->blocks.at[b].phase == phase)
        list_block(f, sys, b, phases, &bs, out);
  if (bs.phase)
    table_print(&bs.t, out);
  if (bs.starred)
    text_add(
        out,
        "  * iterated, or solved for at once; the other unknowns of the block follow from these\n");
  if (bs.aliases)
    text_printf(out, "  %u block%s that only cop%s a value to an alias %s not listed\n", bs.aliases,
                bs.aliases == 1 ? "" : "s", bs.aliases == 1 ? "ies" : "y",
                bs.aliases == 1 ? "is" : "are");
  print_mixed(f, sys, out);
  print_iterated(f, sys, out);
}

static void print_aliases(const Facts *f, Text *out) {
  if (!f->counts.aliases)
    return;
  title(out, "aliases");
  Table t = TABLE(f, "name", "is");
  for (uint32_t v = 0; v < f->s->model->vars.n; v++) {
    ExprId alias = f->s->vars.at[v].alias;
    if (!alias.i || f->s->vars.at[v].known)
      continue;
    Text is = {.arena = f->in->a};
    structure_print(f->s, alias, &is);
    ROW(&t, f->s->model->vars.at[v].name, text_str(&is));
  }
  table_print(&t, out);
}

/* ---- islands ---- */

typedef struct {
  Text *continuous, *events; /* per island: numbers of those that act on it */
  uint32_t *n_continuous, *n_events;
} Acting;

static void add_number(Text *t, uint32_t *n, uint32_t island, bool all) {
  if (*n < MOST_TABLE_NAMES || all)
    text_printf(t, "%s%u", *n ? ", " : "", island + 1);
  else if (*n == MOST_TABLE_NAMES)
    text_add(t, ", ...");
  ++*n;
}

static Acting acting_on(const Facts *f) {
  const Structure *s = f->s;
  Arena *a = f->in->a;
  uint32_t n = s->islands.n + 1;
  Acting out = {NEW_ARRAY(a, Text, n), NEW_ARRAY(a, Text, n), NEW_ARRAY(a, uint32_t, n),
                NEW_ARRAY(a, uint32_t, n)};
  for (uint32_t k = 0; k < n; k++)
    out.continuous[k].arena = out.events[k].arena = a;
  for (uint32_t k = 0; k < s->influences.n; k++) {
    SInfluence i = s->influences.at[k];
    Text *t = i.events_only ? out.events : out.continuous;
    add_number(&t[i.to], i.events_only ? &out.n_events[i.to] : &out.n_continuous[i.to], i.from,
               f->in->all);
  }
  return out;
}

static const char *names_of(const Facts *f, const SIsland *island) {
  Text t = {.arena = f->in->a};
  uint32_t shown = f->in->all || island->n <= MOST_TABLE_NAMES + 1 ? island->n : MOST_TABLE_NAMES;
  for (uint32_t k = 0; k < shown; k++)
    text_printf(&t, "%s%s", k ? ", " : "", fact_name(f, f->s->states.at[island->first + k]));
  if (shown < island->n)
    text_printf(&t, " and %u more", island->n - shown);
  return text_str(&t);
}

static void print_islands(const Facts *f, Text *out) {
  const Structure *s = f->s;
  if (s->islands.n < 2)
    return;
  title(out, "islands: parts that do not act on each other, or only one way, or only by events");
  Acting acting = acting_on(f);
  Table t = TABLE(f, "#", "states", "", "blocks", "acted on by", "by events of");
  for (uint32_t k = 0; k < s->islands.n; k++) {
    const SIsland *i = &s->islands.at[k];
    ROW(&t, number(f, k + 1), number(f, i->n), names_of(f, i), number(f, i->blocks),
        text_str(&acting.continuous[k]), text_str(&acting.events[k]));
  }
  table_print(&t, out);
  if (!s->influences_known)
    text_add(out, "  too many of them act on each other for a list\n");
}

/* ---- parts ---- */

/* Numbers of parts, short. */
static const char *parts_text(const Facts *f, const uint32_t *at, uint32_t n) {
  Text t = {.arena = f->in->a};
  for (uint32_t k = 0, shown = 0; k < n; k++)
    add_number(&t, &shown, at[k], f->in->all);
  return text_str(&t);
}

static const char *states_text(const Facts *f, const SPart *p) {
  return names_of(f, &(SIsland){p->x, p->n_x, 0});
}

static void print_parts(const Facts *f, Text *out) {
  const Structure *s = f->s;
  if (!s->parts.n)
    return;
  title(out, "parts: each has steps and events of its own");
  Table t = TABLE(f, "#", "states", "", "blocks", "relations", "samples", "reads", "at events");
  for (uint32_t k = 0; k < s->parts.n; k++) {
    const SPart *p = &s->parts.at[k];
    ROW(&t, number(f, k + 1), number(f, p->n_x), states_text(f, p), number(f, p->n_blocks),
        number(f, p->n_relations), number(f, p->n_samples), parts_text(f, p->reads, p->n_moving),
        parts_text(f, p->reads + p->n_moving, p->n_reads - p->n_moving));
  }
  table_print(&t, out);
  const SPart *last = &vec_last(&s->parts);
  uint32_t rest = s->simulation.blocks.n - last->block - last->n_blocks;
  if (rest)
    text_printf(out, "  %u block%s only follow%s from these\n", rest, rest == 1 ? "" : "s",
                rest == 1 ? "s" : "");
}

void inspect_structure_text(const Inspect *in, Text *out) {
  Facts f = facts_of(in);
  uint32_t n = in->s->islands.n;
  text_printf(out, "structure of %s: index %u, %u state%s", in->s->model->name, f.counts.index,
              f.counts.states, f.counts.states == 1 ? "" : "s");
  if (n > 1)
    text_printf(out, " in %u islands", n);
  text_add(out, "\n");
  if (in->s->conditions.n)
    text_printf(out, "  %-10s %s   (--modes tells of the others)\n", "mode", fact_mode(&f, NULL));
  print_counts(&f, out);
  print_jacobian(&f, out);
  print_states(&f, out);
  print_constraints(&f, out);
  print_blocks(&f, &in->s->simulation, true, out);
  print_aliases(&f, out);
  print_islands(&f, out);
  print_parts(&f, out);
}

/* ---- initial system ---- */

static void print_initial_states(const Facts *f, Text *out) {
  const Structure *s = f->s;
  Table t = TABLE(f, "name", "determined by", "value", "source");
  for (uint32_t v = 0; v < s->vars.n; v++) {
    const SVar *sv = &s->vars.at[v];
    bool parameter = sv->known && sv->free && !sv->absent;
    uint32_t row;
    StartKind kind = fact_start_kind(f, v, &row);
    if (!sv->state && !parameter && !(sv->absent && sv->free && row != NO_ROW))
      continue;
    bool by_row = kind == START_EQUATION || kind == START_OTHERS;
    const SRow *r = by_row ? &s->initial.rows.at[row] : NULL;
    const char *name = fact_name(f, v);
    ROW(&t, parameter ? arena_printf(f->in->a, "%s (parameter)", name) : name,
        start_kind_names[kind], cut(f, r ? fact_row(f, r) : fact_start(f, v)),
        fact_place(f, r ? r->span : sv->span));
  }
  if (t.cells.n == t.columns)
    return;
  title(out, "initial values of states and of parameters with fixed = false");
  table_print(&t, out);
}

static void print_conditions(const Facts *f, Text *out) {
  const SSystem *sys = &f->s->initial;
  Table t = TABLE(f, "kind", "equation", "determines", "source");
  for (uint32_t r = 0; r < sys->rows.n; r++) {
    const SRow *row = &sys->rows.at[r];
    if (!row->initial_only)
      continue;
    ROW(&t, fact_is_fixed_row(f, row) ? "fixed start value" : "initial equation",
        cut(f, fact_row(f, row)), fact_name(f, sys->match[r]), fact_place(f, row->span));
  }
  for (uint32_t k = 0; k < f->s->redundant.n; k++) {
    const SRedundant *r = &f->s->redundant.at[k];
    SRow row = {.kind = ROW_EQUAL, .lhs = r->lhs, .rhs = r->rhs, .only = NO_SVAR};
    ROW(&t, "redundant, checked", cut(f, fact_row(f, &row)), "", fact_place(f, r->span));
  }
  if (t.cells.n == t.columns)
    return;
  title(out, "initial equations");
  table_print(&t, out);
  if (f->s->redundant.n)
    text_add(out, "  redundant: nothing is left for it to determine; that it holds is checked when "
                  "values have been found\n");
}

void inspect_initial_text(const Inspect *in, Text *out) {
  Facts f = facts_of(in);
  uint32_t n[START_DEFAULT + 1] = {0}, row;
  for (uint32_t k = 0; k < in->s->states.n; k++)
    n[fact_start_kind(&f, in->s->states.at[k], &row)]++;
  Text pieces = {.arena = in->a};
  piece(&pieces, n[START_FIXED], "by a fixed start value", "by fixed start values");
  piece(&pieces, n[START_EQUATION], "by an initial equation", "by initial equations");
  piece(&pieces, n[START_OTHERS], "by other equations", "by other equations");
  piece(&pieces, n[START_DEFAULT], "by its start value, by default",
        "by their start values, by default");
  text_printf(out, "initialisation of %s: %u state%s%s%s\n", in->s->model->name, in->s->states.n,
              in->s->states.n == 1 ? "" : "s", pieces.n ? ", " : "", text_str(&pieces));
  text_printf(out, "  %-10s %6u\n  %-10s %6u\n", "equations", in->s->initial.rows.n, "blocks",
              in->s->initial.blocks.n);
  print_initial_states(&f, out);
  print_conditions(&f, out);
  print_blocks(&f, &in->s->initial, false, out);
}

/* ---- variables ---- */

void inspect_variables_text(const Inspect *in, Text *out) {
  Facts f = facts_of(in);
  const FlatModel *m = in->s->model;
  text_printf(out, "variables of %s: %u\n", m->name, m->vars.n);
  Table t = TABLE(&f, "name", "type", "kind", "unit", "value or start", "comment");
  for (uint32_t v = 0; v < m->vars.n; v++) {
    const FlatVar *fv = &m->vars.at[v];
    Text value = {.arena = in->a};
    ExprId e = inspect_value(in, v);
    if (e.i)
      structure_print(in->s, e, &value);
    ROW(&t, fv->name, fact_type(&f, v), fact_kind(&f, v), fv->unit ? fv->unit : "",
        cut(&f, text_str(&value)), fv->comment ? cut(&f, fv->comment) : "");
  }
  table_print(&t, out);
}
