/* emit/emit_part.c -- parts with entry points of their own: a table of functions. What belongs to
 * no part comes last. The functions for the whole model go through the table.
 * Keep: no equation is written twice. */
#include "emit/emit_impl.h"

/* Functions of all parts in one list, and where those of each part and phase begin in it. */
typedef struct {
  Text functions, rows;
  uint32_t n;
} Table;

static void add_phase(Table *t, const Names *calls) {
  text_printf(&t->rows, "%u,", t->n);
  for (uint32_t k = 0; k < calls->n; k++)
    text_printf(&t->functions, "%s%s", calls->at[k], (t->n + k) % 8 == 7 ? ",\n  " : ", ");
  t->n += calls->n;
}

static void add_function(Emit *em, Table *t, const char *name) {
  Names calls = {0};
  if (*name != '0')
    vec_push(em->a, &calls, name);
  add_phase(t, &calls);
}

/* A part, or what belongs to none; chunks first .. end - 1 are its equations. */
typedef struct {
  const SPart *part;
  const char *suffix; /* of the names of its functions */
  const Chunks *chunks;
  uint32_t first, end;
} One;

static void add_equations(Emit *em, Table *t, const One *one, SPhase phase) {
  Names calls = {0};
  for (uint32_t k = one->first; k < one->end; k++)
    if (one->chunks->at[k].phase == phase)
      vec_push(em->a, &calls, one->chunks->at[k].name);
  add_phase(t, &calls);
}

static const char *some(Emit *em, const Pieces *all, uint32_t first, uint32_t n,
                        const char *suffix) {
  Pieces ps = *all;
  ps.n = n;
  return emit_some_pieces(em, &ps, first, suffix);
}

/* How many relations of the part are time events? */
static uint32_t n_timed(const Emit *em, const SPart *part) {
  uint32_t n = 0;
  for (uint32_t k = part->relation; k < part->relation + part->n_relations; k++)
    n += em->s->relations.at[k].timed;
  return n;
}

static void emit_one(Emit *em, Table *t, const One *one, const PartLists *lists) {
  Names events = {0};
  emit_calls(em, "events", one->chunks, one->first, one->end, &events);
  const char *actions = some(em, &lists->actions, one->part->action, one->part->n_actions,
                             one->suffix);
  const char *checks = some(em, &lists->checks, one->part->check, one->part->n_checks, one->suffix);
  text_add(&t->rows, "  {");
  add_phase(t, &events);
  add_function(em, t, actions);
  add_equations(em, t, one, PHASE_DYNAMIC);
  add_equations(em, t, one, PHASE_OUTPUT);
  add_function(em, t, checks);
  text_printf(&t->rows, "%u},\n", t->n);
}

/* Functions of relations: of all that are timed, or of all that are not. */
static void emit_relations(Emit *em, const Pieces *list, bool timed) {
  Text rows = {.arena = em->a};
  for (uint32_t i = 0; i < em->s->parts.n; i++) {
    const SPart *part = &em->s->parts.at[i];
    uint32_t n = timed ? n_timed(em, part) : part->n_relations - n_timed(em, part);
    text_printf(&rows, "  %s,\n",
                some(em, list, part->relation, n ? part->n_relations : 0,
                     arena_printf(em->a, "_part%u", i)));
  }
  const char *name = list->name;
  text_printf(&em->code, "static int (*const %s_of_parts[])(%s) = {\n%s};\n", name, list->params,
              text_str(&rows));
  text_printf(&em->code, "static int part_%s(DsData *d, int number, %s) {\n", name,
              list->params + sizeof "DsData *d, " - 1);
  text_printf(&em->code, "  return %s_of_parts[number] ? %s_of_parts[number](%s) : DS_OK;\n}\n\n",
              name, name, list->args);
  text_printf(&em->code, "static int %s(%s) {\n  int status = DS_OK;\n", name, list->params);
  text_printf(&em->code, "  for (int k = 0; k < %u && status == DS_OK; k++)\n", em->s->parts.n);
  text_printf(&em->code, "    status = part_%s(d, k, %s);\n  return status;\n}\n\n", name,
              list->args + sizeof "d, " - 1);
}

static void emit_all(Emit *em, const char *name, const char *phase) {
  text_printf(&em->code, "static int %s(DsData *d) { return all_parts(d, %s); }\n\n", name, phase);
}

void emit_simulation_parts(Emit *em, const Chunks *chunks, const PartLists *lists) {
  const Structure *s = em->s;
  Table t = {{.arena = em->a}, {.arena = em->a}, 0};
  uint32_t first = 0, end;
  for (uint32_t i = 0; i < s->parts.n; i++, first = end) {
    for (end = first; end < chunks->n && chunks->at[end].part == i; end++)
      ;
    emit_one(em, &t, &(One){&s->parts.at[i], arena_printf(em->a, "_part%u", i), chunks, first, end},
             lists);
  }
  uint32_t n_checks = vec_last(&s->parts).check + vec_last(&s->parts).n_checks;
  const SPart rest = {.check = n_checks, .n_checks = s->checks.n - n_checks};
  emit_one(em, &t, &(One){&rest, "_rest", chunks, first, chunks->n}, lists);
  text_printf(&em->code,
              "static int (*const part_functions[])(DsData *) = {\n  %s0};\nstatic const int "
              "part_rows[][6] = {\n%s};\n",
              text_str(&t.functions), text_str(&t.rows));
  text_add(&em->code,
           "static int part(DsData *d, int number, int phase) {\n  int status = DS_OK;\n"
           "  for (int k = part_rows[number][phase]; k < part_rows[number][phase + 1] && status == "
           "DS_OK; k++)\n"
           "    status = part_functions[k](d);\n  return status;\n}\n\n");
  text_printf(&em->code,
              "static int all_parts(DsData *d, int phase) {\n  int status = DS_OK;\n  for (int "
              "k = 0; k < %u && status == DS_OK; k++)\n"
              "    status = part(d, k, phase);\n  return status;\n}\n\n",
              s->parts.n + 1);
  emit_all(em, "events", "DS_PART_EVENTS");
  emit_all(em, "actions", "DS_PART_ACTIONS");
  emit_all(em, "derivatives", "DS_PART_DERIVATIVES");
  emit_all(em, "outputs", "DS_PART_OUTPUTS");
  emit_all(em, "checks", "DS_PART_CHECKS");
  emit_relations(em, &lists->instants, true);
  emit_relations(em, &lists->crossings, false);
  emit_relations(em, &lists->sizes, false);
}
