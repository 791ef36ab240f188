/* emit/emit_jump.c -- models whose equations change: conditions, jumps, pulses. */
#include "emit/emit_impl.h"

/* ---- functions ---- */

/* Of all jumps in a row: see DsJump. */
static void collect_values(Emit *em) {
  const Structure *s = em->s;
  for (uint32_t k = 0; k < s->jumps.n; k++) {
    const SJump *j = &s->jumps.at[k];
    for (uint32_t q = 0; q < j->rates.n; q++)
      vec_push(em->a, &em->jump_values, j->rates.at[q].d);
    for (uint32_t q = 0; q < j->values.n; q++)
      vec_push(em->a, &em->jump_values, j->values.at[q].d);
    for (uint32_t q = 0; q < j->n; q++)
      vec_push(em->a, &em->jump_values, j->residuals[q]);
    for (uint32_t q = 0; q < j->n; q++)
      vec_push(em->a, &em->jump_values, j->moves[q]);
  }
}

static void count_value(Emit *em, uint32_t k) { c_count(em, em->jump_values.at[k]); }
static void emit_jump_value(Emit *em, uint32_t k) { c_line(em, "values[%u] = %s;", k, emit_value(em, em->jump_values.at[k])); }

static void count_area(Emit *em, uint32_t k) {
  if (em->s->relations.at[k].area.i)
    c_count(em, em->s->relations.at[k].area);
}

static void emit_area(Emit *em, uint32_t k) {
  if (em->s->relations.at[k].area.i)
    c_line(em, "areas[%u] = %s;", k, emit_value(em, em->s->relations.at[k].area));
}

static ExprId invariant_value(const Emit *em, uint32_t k) {
  return k < em->invariants.n ? em->invariants.residuals[k] : em->invariants.entries[k - em->invariants.n].d;
}
static void count_invariant(Emit *em, uint32_t k) { c_count(em, invariant_value(em, k)); }
static void emit_invariant(Emit *em, uint32_t k) { c_line(em, "values[%u] = %s;", k, emit_value(em, invariant_value(em, k))); }

void emit_jumps(Emit *em) {
  em->invariants = structure_invariants(em->s, em->a);
  const Pieces invariants = {"invariants", "DsData *d, double *values", "d, values", em->invariants.n + em->invariants.n_entries, count_invariant, emit_invariant};
  if (em->invariants.n)
    emit_pieces(em, &invariants);
  if (!em->s->jumps.n)
    return;
  collect_values(em);
  const Pieces lists[] = {{"jump", "DsData *d, double *values", "d, values", em->jump_values.n, count_value, emit_jump_value},
                          {"relation_areas", "DsData *d, double *areas", "d, areas", em->s->relations.n, count_area, emit_area}};
  emit_pieces(em, &lists[0]);
  emit_pieces(em, &lists[1]);
  Chunks chunks = {0};
  emit_blocks(em, &em->s->pulses, true, "pulses_of", &chunks);
  emit_whole(em, "spread", &chunks);
}

/* ---- description ---- */

static int place_or_none(const Emit *em, uint32_t var) { return var == NO_SVAR || !var ? -1 : (int)em->s->vars.at[var].place; }

static void describe_jump(Emit *em, uint32_t k, Text *out, Text *rows) {
  const SJump *j = &em->s->jumps.at[k];
  const SVar *vars = em->s->vars.at;
  text_printf(out, "static const int jump%u_numbers[] = {", k);
  for (uint32_t i = 0; i < j->n; i++)
    text_printf(out, "%u, ", vars[j->vars[i]].place);
  for (uint32_t i = 0; i < j->n; i++)
    text_printf(out, "%d, ", place_or_none(em, vars[j->vars[i]].der));
  for (uint32_t i = 0; i < j->n; i++)
    text_printf(out, "%d, ", place_or_none(em, vars[j->vars[i]].pulse));
  for (uint32_t i = 0; i < j->n; i++)
    text_printf(out, "%d, ", vars[j->vars[i]].der == NO_SVAR ? -1 : place_or_none(em, vars[vars[j->vars[i]].der].pulse));
  for (uint32_t i = 0; i < j->n; i++)
    text_printf(out, "%d, ", structure_variable(em->s, j->vars[i]));
  for (uint32_t i = 0; i < j->n; i++)
    text_printf(out, "%u, ", c_place(em, j->spans[i]));
  for (uint32_t q = 0; q < j->rates.n; q++)
    text_printf(out, "%u, ", j->rates.at[q].row);
  for (uint32_t q = 0; q < j->values.n; q++)
    text_printf(out, "%u, ", j->values.at[q].row);
  for (uint32_t q = 0; q < j->rates.n; q++)
    text_printf(out, "%u, ", j->rates.at[q].column);
  for (uint32_t q = 0; q < j->values.n; q++)
    text_printf(out, "%u, ", j->values.at[q].column);
  text_add(out, "0};\n");
  uint32_t n = j->n, entries = j->rates.n + j->values.n;
  text_printf(rows, "  {%u, %u, %u", n, j->rates.n, j->values.n);
  const uint32_t first[] = {0, n, 2 * n, 4 * n, 5 * n, 6 * n, 6 * n + entries};
  for (uint32_t q = 0; q < sizeof first / sizeof *first; q++)
    text_printf(rows, ", jump%u_numbers + %u", k, first[q]);
  text_add(rows, "},\n");
}

/* Returns the initializers of the description. */
const char *describe_jumps(Emit *em, Text *out) {
  const Structure *s = em->s;
  uint32_t n;
  SPulse *pulses = structure_pulses(s, em->a, &n);
  Text rows = {.arena = em->a};
  if (n) {
    text_add(out, "static const DsPulse pulses[] = {\n");
    for (uint32_t k = 0; k < n; k++)
      text_printf(out, "  {%u, %d, %d},\n", pulses[k].place, pulses[k].variable, pulses[k].state);
    text_add(out, "};\n");
  }
  for (uint32_t k = 0; k < s->jumps.n; k++)
    describe_jump(em, k, out, &rows);
  if (s->jumps.n)
    text_printf(out, "static const DsJump jumps[] = {\n%s};\n", text_str(&rows));
  return arena_printf(em->a, "%s%s", n ? arena_printf(em->a, "  .n_pulses = %u, .pulses = pulses,\n", n) : "",
                      s->jumps.n ? arena_printf(em->a, "  .n_jumps = %u, .jumps = jumps, .jump = jump, .spread = spread, .relation_areas = relation_areas,\n", s->jumps.n) : "");
}

/* Returns the initializers of the description. */
const char *describe_invariants(Emit *em, Text *out) {
  const SInvariants *in = &em->invariants;
  if (!in->n)
    return "";
  text_add(out, "static const int invariant_rows[] = {");
  for (uint32_t q = 0; q < in->n_entries; q++)
    text_printf(out, "%u, ", in->entries[q].row);
  text_add(out, "0};\nstatic const int invariant_columns[] = {");
  for (uint32_t q = 0; q < in->n_entries; q++)
    text_printf(out, "%u, ", in->entries[q].column);
  text_add(out, "0};\n");
  return arena_printf(em->a, "  .n_invariants = %u, .n_invariant_entries = %u, .invariant_rows = invariant_rows, .invariant_columns = invariant_columns, .invariants = invariants,\n",
                      in->n, in->n_entries);
}

/* Returns the initializers of the description. */
const char *describe_conditions(Emit *em, Text *out) {
  const Structure *s = em->s;
  if (!s->conditions.n)
    return "";
  text_add(out, "static const unsigned char mode[] = {");
  for (uint32_t k = 0; k < s->conditions.n; k++)
    text_printf(out, k ? ", %d" : "%d", s->conditions.at[k].value);
  text_add(out, "};\nstatic const int conditions[] = {");
  for (uint32_t k = 0; k < s->conditions.n; k++)
    text_printf(out, k ? ", %u" : "%u", s->vars.at[s->conditions.at[k].var].place);
  text_add(out, "};\nstatic const int condition_relations[] = {");
  for (uint32_t k = 0; k < s->conditions.n; k++)
    text_printf(out, k ? ", %s%u" : "%s%u", s->conditions.at[k].negated ? "-" : "", s->conditions.at[k].relation);
  text_add(out, "};\n");
  return arena_printf(em->a, "  .n_conditions = %u, .conditions = conditions, .mode = mode, .condition_relations = condition_relations,\n", s->conditions.n);
}
