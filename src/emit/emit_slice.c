/* emit/emit_slice.c -- a slice of the equations as a DSblock of its own (structure/slice.c says what is in it).
 * Its data have the layout of the whole model, so that values of a record go where they were in the run. Keep: the text of each
 * block and function is that of the whole model, hence so are the bits. */
#include "emit/emit_impl.h"

static void describe_slice(Emit *em, Text *out) {
  const Structure *s = em->s;
  describe_blocks(em, out);
  describe_externals(em, out);
  text_printf(out, "\nstatic const DsModel model = {\n  .version = DS_VERSION, .name = %s, .comment = \"\",\n", c_string(em, em->m->name));
  text_printf(out, "  .nx = %u, .n_real = %u, .n_integer = %u, .n_string = %u, .n_relations = %u, .n_samples = %u, .n_work = %u,\n", s->states.n, s->n_real,
              s->n_integer, s->n_string, s->relations.n, s->samples.n, em->n_work);
  text_printf(out, "  .n_blocks = %u, .blocks = blocks, .n_places = %u, .places = places, .homotopy = -1,\n", em->blocks.n, em->places.n);
  text_printf(out, "  .n_externals = %u, .externals = externals, .outputs = outputs,\n", em->externals.n);
  text_add(out, "};\n\nconst DsModel *dsblock(void) { return &model; }\n");
}

bool emit_slice(const FlatModel *m, const Structure *s, const SSlice *slice, Diags *diags, Text *out) {
  uint32_t errors = diags_errors(diags);
  Emit em = emit_begin(m, s, out->arena, diags);
  Text description = {.arena = out->arena};
  Chunks chunks = {0};
  VEC(const char *) calls = {0};
  emit_steps(&em, &s->simulation, slice->steps, slice->n_steps, false, "slice", &chunks);
  for (uint32_t k = 0; k < chunks.n; k++)
    vec_push(em.a, &calls, chunks.at[k].name);
  emit_sequence(&em, "outputs", "DsData *d", "d", calls.at, calls.n);
  emit_functions(&em);
  describe_slice(&em, &description);
  emit_file(&em, &description, out);
  return diags_errors(diags) == errors;
}
