/* describe/describe_block.c -- simultaneous equations, and the tables that refer to them by number:
 * partial derivatives and parts.
 * Keep: blocks are numbered system by system, in order of evaluation; those of a slice in the order
 *       of its steps. */
#include "describe/describe_impl.h"
#include "structure/name.h"
#include "structure/slice.h"
#include "structure/slopes.h"
#include "structure/tables.h"
#include "structure/tangent.h"

const SSystem *describe_system(const Description *d, int system) {
  return system == SYSTEM_PULSES    ? &d->s->pulses
         : system == SYSTEM_INITIAL ? &d->s->initial
                                    : &d->s->simulation;
}

uint32_t describe_number(const Description *d, const SSystem *system, const SBlock *b) {
  int k = 0;
  while (describe_system(d, k) != system)
    k++;
  return d->number[k][b - system->blocks.at];
}

static bool is_solved(const SBlock *b) {
  return b->kind == BLOCK_LINEAR || b->kind == BLOCK_NONLINEAR;
}

/* ---- one block ---- */

static void refuse(Description *d, Span span, const char *what) {
  diag_add(d->diags, D_X001, span, "%s is not supported yet", what);
}

/* Where the entries of each row of the matrix begin. */
static int *row_starts(Description *d, const SBlock *b, const SSlopes *sl) {
  int *out = NEW_LIST(d, int, b->n_tear);
  for (uint32_t i = 0; i < b->n_tear; i++)
    out[i] = (int)(sl->start[i] - sl->start[0]);
  out[b->n_tear] = (int)slopes_entries(b, sl);
  return out;
}

/* Cells of DsData.work: matrix and right side; slopes behind them, or what a solution needs. */
static void count_work(Description *d, const SBlock *b, const SSlopes *sl, Span span) {
  uint64_t n = b->n_tear;
  uint64_t cells = sl && sl->by_entries ? sl->total + n : 2 * n * n + 8 * n;
  if (cells > INT32_MAX)
    refuse(d, span, "a system of this many simultaneous equations");
  else if ((int)cells > d->model.n_work)
    d->model.n_work = (int)cells;
}

/* Only a Real can be iterated. */
static void check_iterated(Description *d, const SBlock *b, Span span) {
  for (uint32_t k = 0; k < b->n_tear; k++)
    if (d->s->vars.at[b->unknowns[k]].bank != BANK_REAL)
      refuse(d, span, "a previous value that must be found by iteration");
}

static void describe_block(Description *d, const SSystem *sys, const SBlock *b) {
  const SSlopes *sl = structure_slopes(b, d->a);
  bool by_entries = sl && sl->by_entries;
  int *variables = NEW_LIST(d, int, b->n), *places = NEW_LIST(d, int, b->n);
  for (uint32_t k = 0; k < b->n; k++) {
    variables[k] = structure_variable(d->s, b->unknowns[k]);
    places[k] = (int)describe_place(d, sys->rows.at[b->rows[k]].span);
  }
  DsBlock out = {.n = (int)b->n,
                 .n_iterated = (int)b->n_tear,
                 .variables = variables,
                 .places = places,
                 .homotopy = structure_has_homotopy(d->s, b),
                 .solved = sys == &d->s->simulation ? (int)b->phase : DS_SOLVED_AT_EVENTS,
                 .iterated = describe_places_of(d, b->unknowns, b->n_tear)};
  if (by_entries) {
    out.start = row_starts(d, b, sl);
    out.columns = describe_numbers(d, sl->of + sl->start[0], slopes_entries(b, sl));
  }
  Span span = sys->rows.at[b->rows[0]].span;
  count_work(d, b, sl, span);
  check_iterated(d, b, span);
  vec_push(d->a, &d->blocks, out);
  vec_push(d->a, &d->solved, (Solved){b, sl, span});
  d->model.blocks = d->blocks.at, d->model.n_blocks = (int)d->blocks.n;
}

/* ---- all of them ---- */

static void number_block(Description *d, int system, uint32_t b) {
  const SSystem *sys = describe_system(d, system);
  if (!is_solved(&sys->blocks.at[b]))
    return;
  d->number[system][b] = d->blocks.n;
  describe_block(d, sys, &sys->blocks.at[b]);
}

static void begin_system(Description *d, int system) {
  d->number[system] = NEW_ARRAY(d->a, uint32_t, describe_system(d, system)->blocks.n + 1);
}

void describe_blocks(Description *d) {
  for (int k = 0; k < N_SYSTEMS; k++) {
    begin_system(d, k);
    for (uint32_t b = 0; b < describe_system(d, k)->blocks.n; b++)
      number_block(d, k, b);
  }
}

void describe_blocks_of_slice(Description *d) {
  begin_system(d, SYSTEM_SIMULATION);
  for (uint32_t k = 0; k < d->slice->n_steps; k++)
    if (d->slice->steps[k].part == WHOLE_BLOCK)
      number_block(d, SYSTEM_SIMULATION, d->slice->steps[k].block);
}

/* ---- partial derivatives ---- */

static int *tangent_steps(Description *d, const STangent *t) {
  int *out = NEW_LIST(d, int, 3 * (size_t)t->steps.n);
  for (uint32_t k = 0; k < t->steps.n; k++) {
    const STangentStep *st = &t->steps.at[k];
    out[3 * k] = (int)st->n;
    out[3 * k + 1] = (int)st->n_tear;
    out[3 * k + 2] = st->n_tear ? (int)describe_number(d, &d->s->simulation, st->block) : -1;
  }
  return out;
}

static int *tangent_nodes(Description *d, const uint32_t *nodes, uint32_t n) {
  int *out = NEW_LIST(d, int, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = nodes[k] == NO_NODE ? -1 : nodes[k] == UNKNOWN_NODE ? -2 : (int)nodes[k];
  return out;
}

/* Where row q of a step comes from. */
static Span tangent_span(const Description *d, const STangentStep *st, uint32_t q) {
  if (!st->block)
    return d->s->relations.at[st->relation].span;
  uint32_t own = q + st->n_tear < st->n ? q + st->n_tear : q + st->n_tear - st->n;
  return d->s->simulation.rows.at[st->block->rows[own]].span;
}

/* Literals at once; the others are computed, each at the place of its equation. */
static double *tangent_literals(Description *d, const STangent *t) {
  double *out = NEW_LIST(d, double, t->entries.n);
  uint32_t row = 0;
  for (uint32_t k = 0; k < t->steps.n; k++) {
    const STangentStep *st = &t->steps.at[k];
    for (uint32_t q = 0; q < st->n; q++, row++) {
      ValueList *list = k < t->n_slope_steps ? &d->evaluate : &d->evaluate_relations;
      Span span = tangent_span(d, st, q);
      for (uint32_t e = t->start.at[row]; e < t->start.at[row + 1]; e++)
        if (expr_is_literal(d->flat->pool, t->entries.at[e].d))
          expr_as_real(d->flat->pool, t->entries.at[e].d, &out[e]);
        else
          vec_push(d->a, list, (Listed){e, t->entries.at[e].d, span});
    }
  }
  return out;
}

void describe_tangent(Description *d) {
  STangent t;
  if (d->s->states.n == 0 || !structure_tangent(d->s, d->a, &t))
    return;
  int *nodes = NEW_LIST(d, int, t.entries.n);
  for (uint32_t k = 0; k < t.entries.n; k++)
    nodes[k] = (int)t.entries.at[k].node;
  d->tangent = (DsTangent){.n_nodes = (int)t.n_nodes,
                           .n_steps = (int)t.steps.n,
                           .n_slope_steps = (int)t.n_slope_steps,
                           .n_rows = (int)t.start.n - 1,
                           .n_entries = (int)t.entries.n,
                           .n_quotients = (int)t.n_quotients,
                           .steps = tangent_steps(d, &t),
                           .start = describe_numbers(d, t.start.at, t.start.n),
                           .nodes = nodes,
                           .der = tangent_nodes(d, t.der, d->s->states.n),
                           .relation = tangent_nodes(d, t.relation, d->s->relations.n),
                           .literal = tangent_literals(d, &t)};
  d->model.tangent = &d->tangent;
}

/* ---- parts ---- */

static DsPart describe_part(Description *d, const SPart *p) {
  int *blocks = NEW_LIST(d, int, p->n_blocks), n = 0;
  for (uint32_t b = p->block; b < p->block + p->n_blocks; b++)
    if (is_solved(&d->s->simulation.blocks.at[b]))
      blocks[n++] = (int)d->number[SYSTEM_SIMULATION][b];
  return (DsPart){.x = (int)p->x,
                  .n_x = (int)p->n_x,
                  .r = (int)p->r,
                  .n_r = (int)p->n_r,
                  .i = (int)p->i,
                  .n_i = (int)p->n_i,
                  .s = (int)p->s,
                  .n_s = (int)p->n_s,
                  .relation = (int)p->relation,
                  .n_relations = (int)p->n_relations,
                  .sample = (int)p->sample,
                  .n_samples = (int)p->n_samples,
                  .discrete = (int)p->discrete,
                  .n_discrete = (int)p->n_discrete,
                  .delays = p->delays,
                  .reads = describe_numbers(d, p->reads, p->n_reads),
                  .n_moving = (int)p->n_moving,
                  .n_reads = (int)p->n_reads,
                  .blocks = blocks,
                  .n_blocks = n};
}

void describe_parts(Description *d) {
  uint32_t n = d->s->parts.n;
  DsPart *out = NEW_ROWS(d, DsPart, n);
  for (uint32_t k = 0; k < n; k++)
    out[k] = describe_part(d, &d->s->parts.at[k]);
  d->model.parts = out, d->model.n_parts = (int)n;
}
