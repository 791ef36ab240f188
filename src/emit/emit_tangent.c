/* emit/emit_tangent.c -- partial derivatives of the equations between events: a function that computes those that vary, and
 * tables that say which row and which variable each belongs to (DsTangent). The runtime makes Jacobians of them. */
#include "emit/emit_impl.h"

static void count_entry(Emit *em, uint32_t k) { c_count(em, em->tangent->entries.at[em->varying.at[k]].d); }

static void emit_entry(Emit *em, uint32_t k) {
  uint32_t q = em->varying.at[k];
  em->span = em->entry_spans[k];
  c_line(em, "p[%u] = %s;", q, emit_value_as(em, em->tangent->entries.at[q].d, TY_REAL));
}

/* Which entries are no literals, and the equation each comes from. */
static void find_varying(Emit *em) {
  const STangent *t = em->tangent;
  const SSystem *sys = &em->s->simulation;
  em->entry_spans = NEW_ARRAY(em->a, Span, t->entries.n + 1);
  uint32_t row = 0;
  for (uint32_t k = 0; k < t->steps.n; k++) {
    const STangentStep *st = &t->steps.at[k];
    for (uint32_t q = 0; q < st->n; q++, row++) {
      uint32_t own = q + st->n_tear < st->n ? q + st->n_tear : q + st->n_tear - st->n;
      for (uint32_t e = t->start.at[row]; e < t->start.at[row + 1]; e++)
        if (!expr_is_literal(em->p, t->entries.at[e].d)) {
          em->entry_spans[em->varying.n] = sys->rows.at[st->block->rows[own]].span;
          vec_push(em->a, &em->varying, e);
        }
    }
  }
}

void emit_tangent(Emit *em) {
  STangent *t = NEW(em->a, STangent);
  if (em->s->states.n == 0 || !structure_tangent(em->s, em->a, t))
    return;
  em->tangent = t;
  find_varying(em);
  emit_pieces(em, &(Pieces){"partials", "DsData *d, double *p", "d, p", em->varying.n, count_entry, emit_entry});
}

static void numbers(Text *out, const char *name, const Text *items, bool any) {
  text_printf(out, "static const int %s[] = {%s};\n", name, any ? text_str(items) : "0");
}

static void describe_entries(Emit *em, Text *out) {
  const STangent *t = em->tangent;
  Text nodes = {.arena = em->a}, literals = {.arena = em->a};
  for (uint32_t k = 0; k < t->entries.n; k++) {
    double value = 0;
    bool literal = expr_is_literal(em->p, t->entries.at[k].d) && expr_as_real(em->p, t->entries.at[k].d, &value);
    text_printf(&nodes, "%u,", t->entries.at[k].node);
    text_printf(&literals, "%s,", literal ? c_real(em, value) : "0");
  }
  numbers(out, "tangent_nodes", &nodes, t->entries.n > 0);
  text_printf(out, "static const double tangent_literals[] = {%s};\n", t->entries.n ? text_str(&literals) : "0");
}

const char *describe_tangent(Emit *em, Text *out) {
  const STangent *t = em->tangent;
  if (!t)
    return "";
  Map number = {0};
  for (uint32_t k = 0; k < em->blocks.n; k++)
    map_put(em->a, &number, (uint64_t)(uintptr_t)em->blocks.at[k].block, k);
  Text steps = {.arena = em->a}, start = {.arena = em->a}, der = {.arena = em->a};
  for (uint32_t k = 0; k < t->steps.n; k++) {
    uint64_t block = 0;
    bool solved = t->steps.at[k].n_tear > 0 && map_get(&number, (uint64_t)(uintptr_t)t->steps.at[k].block, &block);
    text_printf(&steps, "%u,%u,%d,", t->steps.at[k].n, t->steps.at[k].n_tear, solved ? (int)block : -1);
  }
  for (uint32_t k = 0; k < t->start.n; k++)
    text_printf(&start, "%u,", t->start.at[k]);
  for (uint32_t k = 0; k < em->s->states.n; k++)
    text_printf(&der, "%d,", t->der[k] == NO_NODE ? -1 : (int)t->der[k]);
  numbers(out, "tangent_steps", &steps, t->steps.n > 0);
  numbers(out, "tangent_start", &start, t->start.n > 0);
  numbers(out, "tangent_der", &der, em->s->states.n > 0);
  describe_entries(em, out);
  text_printf(out, "static const DsTangent tangent = {%u, %u, %u, %u, %u, tangent_steps, tangent_start, tangent_nodes, tangent_der, tangent_literals, partials};\n",
              t->n_nodes, t->steps.n, t->start.n - 1, t->entries.n, t->n_quotients);
  return "  .tangent = &tangent,\n";
}
